//! Checks in the code that must not fail: a subscript within its array, an assertion.
//!
//! Problem: `if (!(i < size)) abort();` in a loop ends the program half way. Method: the new code runs only if no such check can fail, whatever the instance; what
//! that takes of the parameters is assumed, and tested before the region like every other assumption. Otherwise the original code runs, and fails where it fails.
//!
//! Why the facts may be used that hold only while no check has failed (flags of scalar evolution, trip counts of one exit among several): take the first instance of
//! the program at which a check fails. Up to there all of them hold, the instance lies in the domain, and by the condition that was tested the check does not fail.
//!
//! Products of complex numbers that would be computed anew ([`magnitudes`]) are left by such exits, too, and come back.
//!
//! A comparison needs no exact operand on the side that it bounds: what is congruent to the subscript modulo `2^w` and lies within `0 <= x < y` is the subscript.

use super::bounds;
use super::domain;
use super::facts::{Domain, Facts};
use super::magnitudes;
use super::poly::{Poly, Symbol};
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Block, Opcode, Value};
use llvm_sys::LLVMIntPredicate as P;

/// Sees to it that no side exit is taken at the end of a block.
///
/// # Errors
/// A condition that is not a matter of parameters, or that would fail always.
pub fn avoid(b: Block, domain: &Domain, facts: &mut Facts) -> Raise<()> {
    let Some((condition, yes, no)) = b.terminator().and_then(Value::conditional_branch) else { return Ok(()) };
    let truth = match (facts.analyses.is_side_exit(b, yes), facts.analyses.is_side_exit(b, no)) {
        (false, false) => return Ok(()),
        (false, true) => true,
        (true, false) => false,
        // Where a product is no NaN the program ends.
        (true, true) => return Err(refuse().into()),
    };
    always(condition, truth, domain, facts)
}

fn refuse() -> RejectKind {
    RejectKind::SideExit("a condition".into())
}

/// Makes a condition have a truth value on the whole domain.
fn always(condition: Value, truth: bool, domain: &Domain, facts: &mut Facts) -> Raise<()> {
    facts.look()?;
    match domain::parts(condition, truth) {
        domain::Parts::Known(holds) if holds => Ok(()),
        domain::Parts::Known(_) => Err(refuse().into()),
        domain::Parts::Same(inner, truth) => always(inner, truth, domain, facts),
        domain::Parts::Both([a, b], truth) => {
            always(a, truth, domain, facts)?;
            always(b, truth, domain, facts)
        }
        domain::Parts::Either([a, b], truth) => {
            let before = facts.checkpoint();
            always(a, truth, domain, facts).or_else(|_| {
                facts.restore(&before);
                always(b, truth, domain, facts)
            })
        }
        domain::Parts::Other if !truth && condition.asks_for_nan() => {
            magnitudes::assume_numbers(condition, domain, facts)
        }
        domain::Parts::Other => {
            let operands = condition.operands();
            let (Some(Opcode::LLVMICmp), [a, b]) = (condition.opcode(), operands.as_slice()) else {
                return Err(refuse().into());
            };
            let predicate = condition.integer_predicate().ok_or_else(refuse)?;
            compare(predicate, [*a, *b], truth, domain, facts).map_err(about_checks)
        }
    }
}

/// What could not be said about a number, of the check that it is for.
fn about_checks(r: Reject) -> Reject {
    match r.kind {
        RejectKind::Budget | RejectKind::Overflow | RejectKind::SideExit(_) => r,
        kind => Reject { kind: RejectKind::SideExit(kind.detail().unwrap_or(kind.name()).to_owned()), ..r },
    }
}

fn compare(predicate: P, [a, b]: [Value; 2], truth: bool, domain: &Domain, facts: &mut Facts) -> Raise<()> {
    // As `small < large` or `small <= large`.
    let (signed, [small, large], gap) = match (predicate, truth) {
        (P::LLVMIntULT, true) | (P::LLVMIntUGE, false) => (false, [a, b], 1),
        (P::LLVMIntULE, true) | (P::LLVMIntUGT, false) => (false, [a, b], 0),
        (P::LLVMIntUGT, true) | (P::LLVMIntULE, false) => (false, [b, a], 1),
        (P::LLVMIntUGE, true) | (P::LLVMIntULT, false) => (false, [b, a], 0),
        (P::LLVMIntSLT, true) | (P::LLVMIntSGE, false) => (true, [a, b], 1),
        (P::LLVMIntSLE, true) | (P::LLVMIntSGT, false) => (true, [a, b], 0),
        (P::LLVMIntSGT, true) | (P::LLVMIntSLE, false) => (true, [b, a], 1),
        (P::LLVMIntSGE, true) | (P::LLVMIntSLT, false) => (true, [b, a], 0),
        (P::LLVMIntEQ, true) | (P::LLVMIntNE, false) => {
            let [x, y] = [number(a, domain, facts)?, number(b, domain, facts)?];
            require_less(&x, &y, 0, domain, facts)?;
            return require_less(&y, &x, 0, domain, facts);
        }
        (P::LLVMIntNE, true) | (P::LLVMIntEQ, false) => {
            let [x, y] = [number(a, domain, facts)?, number(b, domain, facts)?];
            let before = facts.checkpoint();
            return require_less(&x, &y, 1, domain, facts).or_else(|_| {
                facts.restore(&before);
                require_less(&y, &x, 1, domain, facts)
            });
        }
    };
    // The bound must be the number itself; what it bounds follows, if it is not too small.
    let top = number(large, domain, facts)?;
    let x = facts.congruent(small, domain)?;
    if signed {
        if !x.exact {
            bounds::require(facts, &x.poly, domain, &refuse)?;
        }
        return require_less(&x.poly, &top, gap, domain, facts);
    }
    bounds::require(facts, &x.poly, domain, &refuse)?;
    require_less(&x.poly, &top, gap, domain, facts)
}

/// The signed value of a number, or a parameter for one that does not change.
fn number(value: Value, domain: &Domain, facts: &mut Facts) -> Raise<Poly> {
    let before = facts.checkpoint();
    let first = match facts.exact_or_small(value, domain) {
        Err(first) => first,
        done => return done,
    };
    facts.restore(&before);
    let Some(s) = facts.analyses.scev(value) else { return Err(first) };
    facts.derived(s).map(|p| Poly::symbol(Symbol::Param(p))).map_err(|_| first)
}

/// `x + gap <= y` on the whole domain.
fn require_less(x: &Poly, y: &Poly, gap: i64, domain: &Domain, facts: &mut Facts) -> Raise<()> {
    let room = y.sub(x).and_then(|p| p.sub(&Poly::constant(gap)));
    let room = room.ok_or_else(|| Reject::new(RejectKind::Overflow))?;
    let text = room.text(|s| facts.symbol_name(s));
    bounds::require(facts, &room, domain, &|| RejectKind::SideExit(format!("{text} >= 0")))
}
