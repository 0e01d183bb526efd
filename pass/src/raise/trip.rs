//! How often loops run that scalar evolution cannot count.
//!
//! LLVM widens counters: `for (k = i + 1; k < j; k++)` on 32 bits ends up as "until the low half of a counter of 64 bits equals `j`". Scalar evolution gives up, as the low half
//! might pass `j` by and come back. It does not: with `d = j - (i + 1)`, `0 <= d < 2^32`, the first of `i + 1, i + 2, ...` that is `j` modulo `2^32` is number `d`.

use super::facts::{Domain, Facts};
use super::poly::Poly;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Loop, Opcode, Scev, ScevKind, Value};
use llvm_sys::LLVMIntPredicate as P;

/// The number of times that the loop goes back, as a polynomial, where `domain` is that of its preheader: of a loop that is left when a counter with steps of one equals
/// something, both seen modulo a power of two.
///
/// # Errors
/// `TripCount` where it is no such loop, or the number may be negative.
pub fn goes_back(l: Loop, domain: &Domain, facts: &mut Facts) -> Raise<Poly> {
    let unknown = || Reject::new(RejectKind::TripCount);
    let (a, b) = leaves_when_equal(l, facts).ok_or_else(unknown)?;
    let before = facts.checkpoint();
    for (counter, limit) in [(a, b), (b, a)] {
        if limit.block().is_some_and(|b| l.contains(b)) {
            continue;
        }
        let (Some(counter), Some(limit)) = (facts.analyses.scev(counter), facts.analyses.scev(limit)) else { continue };
        match steps_to(counter, limit, l, domain, facts) {
            Err(r) if !matches!(r.kind, RejectKind::Budget) => facts.restore(&before),
            done => return done,
        }
    }
    Err(unknown())
}

/// What is compared where the loop is left, if it is left as soon as both are equal.
fn leaves_when_equal(l: Loop, facts: &Facts) -> Option<(Value, Value)> {
    let exiting = facts.analyses.loop_exiting(l)?;
    let (condition, yes, no) = exiting.terminator().and_then(Value::conditional_branch)?;
    let leaves = match (condition.opcode()?, condition.integer_predicate()?) {
        (Opcode::LLVMICmp, P::LLVMIntEQ) => yes,
        (Opcode::LLVMICmp, P::LLVMIntNE) => no,
        _ => return None,
    };
    let operands = condition.operands();
    let [a, b] = operands.as_slice() else { return None };
    (!l.contains(leaves)).then_some((*a, *b))
}

/// How many steps a counter takes to something that does not change in the loop.
fn steps_to(counter: Scev, limit: Scev, l: Loop, domain: &Domain, facts: &mut Facts) -> Raise<Poly> {
    let unknown = || Reject::new(RejectKind::TripCount);
    let operands = counter.operands();
    let (low, limit) = match (counter.kind(), operands.as_slice()) {
        // Equal to an extension of some low bits: equal to these, and itself such an extension.
        (ScevKind::ZeroExtend, &[low]) => {
            let limit = facts.exact(limit, domain)?;
            facts.require_nonnegative(&limit, domain, &|| RejectKind::TripCount)?;
            let bits = facts.analyses.scev_bits(low);
            facts.require_fits(&limit, bits, domain, &|| RejectKind::TripCount)?;
            (low, limit)
        }
        _ => return Err(unknown()),
    };
    let operands = low.operands();
    let (ScevKind::AddRec, &[start, step]) = (low.kind(), operands.as_slice()) else { return Err(unknown()) };
    if low.recurrence_loop() != Some(l) {
        return Err(unknown());
    }
    let start = facts.translate(start, domain)?.poly;
    let steps = match step.constant() {
        Some(1) => limit.sub(&start),
        Some(-1) => start.sub(&limit),
        _ => return Err(unknown()),
    };
    let steps = steps.ok_or(RejectKind::Overflow)?;
    facts.require_nonnegative(&steps, domain, &|| RejectKind::TripCount)?;
    facts.require_fits(&steps, facts.analyses.scev_bits(low), domain, &|| RejectKind::TripCount)?;
    Ok(steps)
}
