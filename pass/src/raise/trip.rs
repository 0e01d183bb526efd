//! How often loops run that scalar evolution cannot count.
//!
//! LLVM widens counters: `for (k = i + 1; k < j; k++)` on 32 bits ends up as "until the low half of a counter of 64 bits equals `j`". Scalar evolution gives up, as the low half
//! might pass `j` by and come back. It does not: with `d = j - (i + 1)`, `0 <= d < 2^32`, the first of `i + 1, i + 2, ...` that is `j` modulo `2^32` is number `d`.
//!
//! Nor does it know that a limit stays what it is where that is loaded again in each iteration (`i < this->n` beside stores of bytes): [`Facts::hoist`] does, and the loop goes back `limit - start` times.

use super::facts::{Domain, Facts};
use super::poly::{Poly, Symbol};
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
    if let Some(count) = up_to_a_limit(l, domain, facts)? {
        return Ok(count);
    }
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

/// The same of a loop that goes on as long as a counter without wraps is less than a number that is loaded again and again ([`Facts::hoist`]), or more. `None`: it is no such loop.
fn up_to_a_limit(l: Loop, domain: &Domain, facts: &mut Facts) -> Raise<Option<Poly>> {
    let Some((predicate, a, b)) = goes_on_while(l, facts) else { return Ok(None) };
    let before = facts.checkpoint();
    let (up, down) = match predicate {
        P::LLVMIntSLT => (Some(0), None),
        P::LLVMIntSLE => (Some(1), None),
        P::LLVMIntSGT => (None, Some(0)),
        P::LLVMIntSGE => (None, Some(1)),
        P::LLVMIntNE => (Some(0), Some(0)),
        _ => return Ok(None),
    };
    // The counter may be either.
    for (counter, limit, up, down) in [(a, b, up, down), (b, a, down, up)] {
        let Some(counter) = facts.analyses.scev(counter) else { continue };
        match steps_up_or_down(counter, limit, (l, up, down), domain, facts) {
            Err(r) if matches!(r.kind, RejectKind::Budget) => return Err(r),
            Ok(Some(count)) => return Ok(Some(count)),
            _ => facts.restore(&before),
        }
    }
    Ok(None)
}

/// The comparison that holds where the loop goes back.
fn goes_on_while(l: Loop, facts: &Facts) -> Option<(P, Value, Value)> {
    let exiting = facts.analyses.loop_exiting(l).filter(|e| Some(*e) == l.latch())?;
    let (condition, yes, _) = exiting.terminator().and_then(Value::conditional_branch)?;
    let predicate = condition.integer_predicate()?;
    let predicate = match (l.contains(yes), predicate) {
        (true, p) => p,
        (false, P::LLVMIntSLT) => P::LLVMIntSGE,
        (false, P::LLVMIntSLE) => P::LLVMIntSGT,
        (false, P::LLVMIntSGT) => P::LLVMIntSLE,
        (false, P::LLVMIntSGE) => P::LLVMIntSLT,
        (false, P::LLVMIntEQ) => P::LLVMIntNE,
        _ => return None,
    };
    match condition.operands().as_slice() {
        &[a, b] => Some((predicate, a, b)),
        _ => None,
    }
}

/// How often a counter is less than a limit (`up`: and so much more), or more than that (`down`), behind its first value.
fn steps_up_or_down(
    counter: Scev,
    limit: Value,
    (l, up, down): (Loop, Option<i64>, Option<i64>),
    domain: &Domain,
    facts: &mut Facts,
) -> Raise<Option<Poly>> {
    let operands = counter.operands();
    let (ScevKind::AddRec, &[start, step]) = (counter.kind(), operands.as_slice()) else { return Ok(None) };
    if counter.recurrence_loop() != Some(l) || !counter.no_signed_wrap() {
        return Ok(None);
    }
    let before = facts.checkpoint();
    let limit = match facts.exact_value(limit, domain) {
        Ok(limit) => limit,
        Err(r) if matches!(r.kind, RejectKind::Budget) => return Err(r),
        // Whatever it is: it is computed before the region.
        Err(_) => {
            facts.restore(&before);
            Poly::symbol(Symbol::Param(facts.param(limit)?))
        }
    };
    let start = facts.exact(start, domain)?;
    let (steps, more) = match (step.constant(), up, down) {
        (Some(1), Some(more), _) => (limit.sub(&start), more),
        (Some(-1), _, Some(more)) => (start.sub(&limit), more),
        _ => return Ok(None),
    };
    let steps = steps.and_then(|s| s.add(&Poly::constant(more))).ok_or(RejectKind::Overflow)?;
    facts.require_nonnegative(&steps, domain, &|| RejectKind::TripCount)?;
    Ok(Some(steps))
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
