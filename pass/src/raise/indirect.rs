//! Loads whose subscript is itself loaded: `x[at[j]]`.
//!
//! Such a load is no access of the model but an operation on the subscript that was read. That is right if nothing in the region writes to what it may load, or to
//! the subscripts: then it gives the same whenever it runs, and it runs on the instances of its statement only, as in the program. That no array which is written
//! reaches the cells from the least to the largest subscript is checked at run time: the subscripts are read before the region, exactly those that the program will
//! read ([`Inspection`]), where LLVM does not know the objects to be different.

use super::ArrayData;
use super::accesses::{Accesses, Action, Layout};
use super::body::{Body, Node};
use super::facts::Facts;
use super::poly::LoopIndex;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Opcode, Value};
use polyhedra::{Affine, Budget, Constraint, Polyhedron, Space};
use scheduler::scop::Scop;

/// An indirect load: `base + offset + scale * index`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Indirect {
    /// The load.
    pub load: Value,
    /// Computed before the region.
    pub base: Value,
    /// Bytes behind the base.
    pub offset: i64,
    /// The load of the index.
    pub index: Value,
    /// Is the index extended by its sign?
    pub signed: bool,
    /// Bytes from one index to the next.
    pub scale: i64,
    /// Bytes loaded.
    pub bytes: u64,
}

/// Indices to be read before the region, to compare what they lead to with arrays that are written.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// What is loaded with them.
    pub what: Indirect,
    /// The array of the indices, of one dimension.
    pub array: usize,
    /// The cells of the indices that the program reads.
    pub cells: Range,
    /// The arrays that it must not meet.
    pub apart: Vec<usize>,
}

/// Reads a load as an indirect one.
#[must_use]
pub fn read(layout: &Layout, facts: &Facts, load: Value) -> Option<Indirect> {
    let analyses = facts.analyses;
    if load.opcode() != Some(Opcode::LLVMLoad) || !load.is_simple_access() {
        return None;
    }
    if load.ty().integer_bits().is_none() && !load.ty().is_float() {
        return None;
    }
    let mut here = load.operands().first().copied()?;
    if analyses.pointer_bits(here.ty()) != Some(64) {
        return None;
    }
    let (mut offset, mut variable) = (0i64, None);
    for _ in 0..4 {
        if layout.region.is_outside(here) {
            break;
        }
        let step = analyses.address_step(here)?;
        offset = offset.checked_add(step.constant)?;
        match (step.variable.as_slice(), variable) {
            ([], _) => {}
            ([only], None) => variable = Some(*only),
            _ => return None,
        }
        here = step.base;
    }
    let (extended, scale) = variable.filter(|_| layout.region.is_outside(here))?;
    let (index, signed) = match extended.opcode()? {
        Opcode::LLVMSExt => (extended.operands().first().copied()?, true),
        Opcode::LLVMZExt => (extended.operands().first().copied()?, false),
        _ => (extended, true),
    };
    let fits = index.ty().integer_bits().is_some_and(|b| matches!(b, 8 | 16 | 32 | 64));
    let is_load = index.opcode() == Some(Opcode::LLVMLoad) && !layout.region.is_outside(index);
    let bytes = analyses.store_bytes(load.ty()).filter(|&b| b <= 16)?;
    (fits && is_load && (1..=1 << 20).contains(&scale)).then_some(Indirect {
        load,
        base: here,
        offset,
        index,
        signed,
        scale,
        bytes,
    })
}

/// A region's model, as far as [`inspections`] looks at it.
pub struct Model<'m> {
    /// The model.
    pub scop: &'m Scop,
    /// Its arrays.
    pub arrays: &'m [ArrayData],
    /// What its statements compute.
    pub bodies: &'m [Body],
    /// The loops around each statement.
    pub loops: &'m [Vec<LoopIndex>],
    /// For each array while raising, which array of the model it is.
    pub place: &'m dyn Fn(usize) -> Option<usize>,
}

/// What has to be inspected at run time.
///
/// # Errors
/// The indices are written in the region, or which of them are read cannot be said exactly.
pub fn inspections(facts: &Facts, accesses: &Accesses, model: &Model) -> Raise<Vec<Inspection>> {
    let scop = model.scop;
    let refuse = || Reject::new(RejectKind::NonAffineAccess("a subscript that is loaded".into()));
    let written = |a: usize| scop.statements.iter().any(|s| s.write().array.0 == a);
    let mut out = Vec::new();
    for what in &accesses.indirect {
        for ((statement, body), loops) in scop.statements.iter().zip(model.bodies).zip(model.loops) {
            let is_it = |n: &Node| matches!(n, Node::Operation { instruction, .. } if *instruction == what.load);
            if !body.nodes.iter().any(is_it) {
                continue;
            }
            let source = accesses.all.iter().find(|a| a.instruction == what.index && a.action == Action::Load);
            let source = source.ok_or_else(refuse)?;
            let array = (model.place)(source.array).ok_or_else(refuse)?;
            let [cell] = source.subscripts.as_slice() else { return Err(refuse()) };
            if written(array) {
                return Err(refuse());
            }
            let meets = |a: &usize| written(*a) && model.arrays[*a].may_reach(facts.analyses, what.base);
            let apart: Vec<usize> = (0..model.arrays.len()).filter(meets).collect();
            if apart.is_empty() {
                continue;
            }
            // Which of them are read is a matter of data.
            if !body.guards.is_empty() {
                return Err(refuse());
            }
            let cell = facts.affine(cell, loops).ok_or_else(refuse)?;
            let known = match &scop.context {
                Some(context) => statement.domain.intersect(&context.embed(statement.space(), &[])),
                None => statement.domain.clone(),
            };
            let cells = exact_range(&known, &cell, facts.budget)?.ok_or_else(refuse)?;
            out.push(Inspection { what: what.clone(), array, cells, apart });
        }
    }
    Ok(out)
}

/// All numbers from the largest of some forms over `[1 | N]` to the least of others, if there are any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// None is less than one of these.
    pub from: Vec<Affine>,
    /// None is larger than one of these.
    pub to: Vec<Affine>,
    /// All of these are `>= 0` where there are any.
    pub guards: Vec<Affine>,
}

/// The values of a form on a set, if they are exactly a range.
///
/// # Errors
/// Budget, overflow.
pub fn exact_range(known: &Polyhedron, form: &Affine, budget: &Budget) -> Raise<Option<Range>> {
    let space = known.space();
    let params = Space::new(space.params, 0);
    let wide = Space::new(space.params, space.dims + 1);
    let keep: Vec<usize> = (0..space.dims).collect();
    let value = form.embed(wide, &keep).sub(&Affine::dim(wide, space.dims))?;
    let shadow = known.embed(wide, &keep).with(Constraint::eq(value)).project_out(&keep, budget)?;
    if !shadow.exact {
        return Ok(None);
    }
    let bounds = shadow.set.bounds_of(0)?;
    if bounds.lower.is_empty()
        || bounds.upper.is_empty()
        || bounds.lower.iter().chain(&bounds.upper).any(|b| b.div != 1)
    {
        return Ok(None);
    }
    let narrow = |e: &Affine| Affine::from_coeffs(params, e.coeffs()[..=space.params].to_vec());
    let mut guards = Vec::new();
    for c in shadow.set.constraints().iter().filter(|c| c.expr.is_dim_free()) {
        let row = narrow(&c.expr);
        if c.kind == polyhedra::Kind::Eq {
            guards.push(row.scale(-1)?);
        }
        guards.push(row);
    }
    let list = |b: &[polyhedra::DivBound]| b.iter().map(|b| narrow(&b.expr)).collect();
    Ok(Some(Range { from: list(&bounds.lower), to: list(&bounds.upper), guards }))
}
