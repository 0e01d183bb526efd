//! Checks against numbers in memory: `a[i][k]` of Rust's `Vec<Vec<f64>>` ends the program if `k` is not less than the length of row `i`, which is loaded.
//!
//! Method: the numbers are read before the region, exactly those that the program will read. None of them may be less than the largest number that is compared with
//! any of them. That nothing in the region writes to them is checked too.

use super::ArrayData;
use super::facts::{Domain, Facts};
use super::indirect::{self, Range};
use super::poly::Poly;
use super::reject::{Raise, Reject, RejectKind};
use super::rows::Table;
use crate::llvm::{Opcode, Value};

/// Numbers in memory that must not be less than another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The load, of a number without sign.
    pub load: Value,
    /// Computed before the region, or by a hoisted load.
    pub base: Value,
    /// Bytes behind the base.
    pub offset: Poly,
    /// Where it runs.
    pub domain: Domain,
    /// A polynomial in the parameters that it must not be less than.
    pub least: Poly,
}

/// A limit as it is checked at run time.
#[derive(Clone, Debug)]
pub struct LimitCheck {
    /// Where the numbers are.
    pub table: Table,
    /// Which of them the program reads.
    pub cells: Range,
    /// See [`Limit`].
    pub least: Poly,
    /// Arrays that must not reach them.
    pub writers: Vec<usize>,
}

fn refuse() -> Reject {
    Reject::new(RejectKind::SideExit("a number in memory".into()))
}

/// Makes a loaded number not be less than `least`, wherever it is loaded; `domain`: of the load.
///
/// # Errors
/// It is no load, or from no place that counters lead to.
pub fn require(load: Value, least: Poly, domain: &Domain, facts: &mut Facts) -> Raise<()> {
    let analyses = facts.analyses;
    let is_number = load.ty().integer_bits().is_some_and(|b| matches!(b, 8 | 16 | 32 | 64));
    if load.opcode() != Some(Opcode::LLVMLoad) || !load.is_simple_access() || !is_number {
        return Err(refuse());
    }
    let pointer = load.operands().first().copied().ok_or_else(refuse)?;
    let s = analyses.scev(pointer).filter(|_| analyses.pointer_bits(pointer.ty()) == 64).ok_or_else(refuse)?;
    let base = analyses.pointer_base(s).and_then(|b| b.value()).ok_or_else(refuse)?;
    let base = facts.known_before(base, domain).ok_or_else(refuse)?;
    let offset = analyses.without_base(s).ok_or_else(refuse)?;
    let offset = facts.translate(offset, domain)?.poly;
    if !offset.is_affine() || !domain.conditions.is_empty() {
        return Err(refuse());
    }
    let limit = Limit { load, base, offset, domain: domain.clone(), least };
    if !facts.limits.contains(&limit) {
        facts.limits.push(limit);
    }
    Ok(())
}

/// The checks for a model with these arrays.
///
/// # Errors
/// Which numbers the program reads cannot be said exactly.
pub fn checks(facts: &Facts, arrays: &[ArrayData], written: &[bool]) -> Raise<Vec<LimitCheck>> {
    let mut out = Vec::new();
    for limit in &facts.limits {
        let (table, cell) = Table::of(limit.load, limit.base, &limit.offset).ok_or_else(refuse)?;
        let form = facts.affine(&cell, &limit.domain.loops).ok_or_else(refuse)?;
        let set = facts.set(&limit.domain)?;
        let cells = indirect::exact_range(&set, &form, facts.budget)?.ok_or_else(refuse)?;
        let reaches = |w: &usize| written[*w] && arrays[*w].may_reach(facts.analyses, limit.base);
        let writers = (0..written.len()).filter(reaches).collect();
        out.push(LimitCheck { table, cells, least: limit.least.clone(), writers });
    }
    Ok(out)
}
