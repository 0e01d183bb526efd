//! Conditions that factors are other than zero, assumed to hold everywhere.
//!
//! **Problem.** `if (b[l][j] != 0) for (i) c[i][j] += b[l][j] * a[i][l];` passes by what would add nothing, as the reference BLAS does throughout. A condition on data within the nest keeps all of it from kernels:
//! what is passed by must not be computed (of an infinite `a[i][l]` it would be NaN). But mostly no factor is zero.
//!
//! **Method.** The region is modelled as if such conditions held wherever the program asks. That they do is looked at before the region ([`mod@looks`]). What the program would do where a factor is zero is in no model, so that must be
//! nothing (`nothing_else`): it might leave, or change what is read to find the cells.
//!
//! Where a factor is zero the original loops run.

use super::accesses::Accesses;
use super::body::{Body, Node};
use super::facts::{Domain, Facts};
use super::indirect::Model;
use super::looks::{self, Asked, Look, Question};
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Block, Opcode, Value};

/// A condition that is assumed to hold on a domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factor {
    /// The comparison with zero.
    value: Value,
    /// What it must say.
    truth: bool,
    /// Where the program asks.
    domain: Domain,
}

/// What a comparison must say, if it asks whether a number is other than zero.
fn wanted(value: Value) -> Option<bool> {
    let unequal = value.says_unequal()?;
    value.operands().get(1).is_some_and(|zero| zero.is_null()).then_some(unequal)
}

/// Does a statement run only if a number that it reads is other than zero, or only if it is zero?
#[must_use]
pub fn may_ask(body: &Body) -> bool {
    body.guards.iter().any(|guard| match body.nodes.get(guard.node.0) {
        Some(Node::Operation { instruction, .. }) => wanted(*instruction).is_some(),
        _ => false,
    })
}

/// Is a condition on data taken to have this truth value on a domain, or not to have it? `None`: nothing is assumed.
pub(super) fn is_assumed(value: Value, truth: bool, domain: &Domain, facts: &mut Facts) -> Option<bool> {
    let known = facts.factors.as_mut()?;
    let wanted = wanted(value).filter(|_| domain.conditions.is_empty())?;
    let factor = Factor { value, truth: wanted, domain: domain.clone() };
    if !known.contains(&factor) {
        known.push(factor);
    }
    Some(wanted == truth)
}

/// Does a block do nothing but go on? So all blocks must on which the program is only where a factor is zero.
pub(super) fn nothing_else(b: Block) -> bool {
    b.successors().len() == 1
        && b.instructions().into_iter().all(|v| v.opcode() == Some(Opcode::LLVMPHI) || v.is_terminator())
}

/// What has to be looked at before the region.
///
/// # Errors
/// As [`looks::looks`].
pub(super) fn looks(facts: &Facts, accesses: &Accesses, model: &Model) -> Raise<Vec<Look>> {
    let refuse = || Reject::new(RejectKind::NonAffineCondition);
    let mut asked = Vec::new();
    for Factor { value, truth, domain } in facts.factors.iter().flatten() {
        let load = *value.operands().first().ok_or_else(refuse)?;
        asked.push(Asked { question: Question::Comparison { condition: *value, truth: *truth }, load, domain });
    }
    looks::looks(facts, accesses, model, &asked, &|_| refuse())
}
