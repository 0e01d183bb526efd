//! Strides that are known at run time only, and most likely are 1.
//!
//! **Problem.** Views (`p[i * s0 + j * s1]`) and vectors of linear algebra (`x[i * incx]`) leave all their strides to run time: no loop goes from a cell to its neighbour, so there are no
//! vectors to load. In nearly all programs one of the strides is 1.
//!
//! **Method.** Where no loop walks an array by neighbours, a stride that is a number computed before the region is assumed to be 1, which is checked like any other assumption. Of several it is
//! the one that the program names last (arguments by their number, members by their place): arrays of C lie by rows. What is used for anything else (`a[j * n]`, a column of a matrix of `n`
//! rows) is no such stride. LLVM's vectoriser does the same for innermost loops.

use super::poly::{ParamIndex, Poly, Symbol};
use super::{ArrayData, Raised};
use crate::llvm::{Analyses, Opcode, Value};
use scheduler::scop::{Access, ArrayId};
use std::collections::BTreeSet;

/// Where the program names a number: the argument, or the object that it is a member of and its place there.
type Named = (Option<usize>, Option<(Value, i64)>);

/// The numbers that are assumed to be 1, in the order in which their arrays appear.
#[must_use]
pub fn strides(analyses: Analyses, raised: &Raised) -> Vec<Value> {
    let mut out: Vec<ParamIndex> = Vec::new();
    let otherwise = used_otherwise(raised);
    for (k, array) in raised.arrays.iter().enumerate() {
        let own = of_array(raised, ArrayId(k), array);
        let last = own.into_iter().filter(|p| !otherwise.contains(p)).max_by_key(|p| named(analyses, raised, *p));
        if let Some(p) = last
            && !out.contains(&p)
        {
            out.push(p);
        }
    }
    out.into_iter().map(|p| raised.params[p.0].value).collect()
}

/// Strides of an array that could be those of neighbours: numbers times the bytes that loops do not walk.
fn of_array(raised: &Raised, id: ArrayId, array: &ArrayData) -> Vec<ParamIndex> {
    if array.own || array.table.is_some() || array.rows.are_packed() {
        return Vec::new();
    }
    let accesses = raised.scop.statements.iter().flat_map(|s| &s.accesses).filter(|a| a.array == id);
    let within = accesses.map(cell_within).collect::<Option<Vec<i64>>>();
    let Some(most) = within.and_then(|all| all.into_iter().max()) else { return Vec::new() };
    let bytes = i64::try_from(array.bytes).ok().and_then(|bytes| bytes.checked_mul(most.checked_add(1)?));
    array
        .strides
        .iter()
        .filter_map(|stride| number_of_cells(stride, bytes?))
        .filter(|p| may_be_one(raised, *p))
        .collect()
}

/// The last subscript, if it is a number that is not negative.
fn cell_within(access: &Access) -> Option<i64> {
    let last = access.subscripts.last().filter(|last| access.is_plain() && last.is_constant())?;
    Some(last.constant_term()).filter(|&cell| cell >= 0)
}

/// The parameter that counts cells of so many bytes.
fn number_of_cells(stride: &Poly, bytes: i64) -> Option<ParamIndex> {
    let mut terms = stride.terms();
    match (terms.next()?, terms.next()) {
        ((monomial, count), None) if count == bytes => match monomial.as_slice() {
            [Symbol::Param(p)] => Some(*p),
            _ => None,
        },
        _ => None,
    }
}

fn may_be_one(raised: &Raised, p: ParamIndex) -> bool {
    let param = &raised.params[p.0];
    param.formula.is_none() && param.range.0 <= 1 && param.range.1 >= 1
}

/// Parameters in bounds, in subscripts, or in strides of arrays besides others or with other factors.
fn used_otherwise(raised: &Raised) -> BTreeSet<ParamIndex> {
    let mut out = BTreeSet::new();
    let mut add = |coefficients: &[i64]| {
        out.extend(coefficients.iter().enumerate().filter(|(_, c)| **c != 0).map(|(p, _)| ParamIndex(p)));
    };
    for statement in &raised.scop.statements {
        let bounds = statement.domain.constraints().iter().map(|c| &c.expr);
        bounds.filter(|e| e.dim_coeffs().iter().any(|&c| c != 0)).for_each(|e| add(e.param_coeffs()));
        statement.accesses.iter().flat_map(|a| &a.subscripts).for_each(|e| add(e.param_coeffs()));
    }
    for (k, array) in raised.arrays.iter().enumerate() {
        let own: BTreeSet<ParamIndex> = of_array(raised, ArrayId(k), array).into_iter().collect();
        let all = array.strides.iter().flat_map(Poly::symbols);
        out.extend(
            all.filter_map(|s| if let Symbol::Param(p) = s { Some(p) } else { None }).filter(|p| !own.contains(p)),
        );
    }
    out
}

fn named(analyses: Analyses, raised: &Raised, p: ParamIndex) -> Named {
    let value = raised.params[p.0].value;
    let place = || {
        let load = (value.opcode() == Some(Opcode::LLVMLoad)).then_some(value)?;
        let address = analyses.scev(*load.operands().first()?)?;
        let object = analyses.pointer_base(address)?.value()?;
        Some((object, analyses.without_base(address)?.constant()?))
    };
    (value.argument_index(analyses.function()), place())
}
