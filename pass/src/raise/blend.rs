//! Conditional stores that may store always.
//!
//! `best[i] = HUGE_VAL; for k: if (c < best[i]) best[i] = c;` stores under a condition on data: nobody may hold the cell in a register, nor make vectors of it. To
//! store what the cell holds where the condition does not hold changes nothing in this thread. In others it might: a program must not get stores that it does not have. But a
//! cell that has been stored to for certain, in the same iterations of the loops around, with nothing in between that other threads could wait for, is not theirs meanwhile.
//! Nor is one that a scalar lives in, which the program stores to in the end ([`super::scalar`]), or one of our own.
//!
//! Then the statement is an update that runs always, and chooses ([`Node::Choice`]). All that it computes it computes always: nothing in it may
//! fault that ran only under the condition ([`super::always`]). Where it reads what may not be there otherwise it keeps its conditions, as branches or as masks of vectors ([`Body::old`](super::body::Body::old)).

use super::accesses::{Accesses, Layout};
use super::always::Place;
use super::body::{Guard, Node, NodeIndex};
use super::facts::Facts;
use super::reject::Raise;
use super::scalar::{Web, WebKind};
use super::statement::{Built, Stored};
use crate::llvm::Analyses;

/// Lets statements store what their cells hold where they need not store, if these have been stored to.
///
/// # Errors
/// Budget, overflow.
pub fn keep_the_old(
    layout: &Layout,
    facts: &Facts,
    accesses: &Accesses,
    webs: &[Web],
    built: &mut [Built],
) -> Raise<()> {
    for k in 0..built.len() {
        let b = &built[k];
        let is_own = accesses.arrays.get(b.source.array).is_some_and(|a| a.own);
        let lives_there = |w: &Web| {
            // Where the scalar starts under conditions the program stores to the cell under them, too.
            let is_stored = w.kind != WebKind::InPlace && w.start_domain.conditions.is_empty();
            is_stored && (w.array, &w.update_position) == (b.source.array, &b.source.position)
        };
        let is_stored = || built.iter().any(|other| has_stored(layout, facts.analyses, other, b));
        let old = old_value(b).filter(|_| is_own || webs.iter().any(lives_there) || is_stored());
        // Conditions that keep whole loops from running stay in front of them.
        let Some(old) = old.filter(|_| b.conditions.skipping.is_none()) else { continue };
        let may_read = may_read(facts, accesses, b)?;
        let body = &mut built[k].body;
        if may_read {
            for guard in std::mem::take(&mut body.guards).into_iter().rev() {
                let (yes, no) = if guard.truth { (body.root, old) } else { (old, body.root) };
                body.nodes.push(Node::Choice { condition: guard.node, yes, no });
                body.root = NodeIndex(body.nodes.len() - 1);
            }
            let built = &mut built[k];
            built.certain = built.reads.len();
        } else {
            body.old = Some(old);
        }
    }
    Ok(())
}

/// The read of the cell in a statement under conditions, if what it computes may be computed whether they hold or not; not counting what it reads.
fn old_value(b: &Built) -> Option<NodeIndex> {
    let Stored::Value(stored) = b.source.value else { return None };
    let first = b.body.guards.first()?;
    let harmless = |node: &Node| match node {
        Node::Operation { instruction, .. } => instruction.is_pure() && !instruction.divides_integers(),
        _ => true,
    };
    let always = b.body.nodes.iter().skip(first.node.0).all(harmless);
    let is_frozen = |g: &Guard| g.frozen;
    if !always || b.body.guards.iter().any(is_frozen) {
        return None;
    }
    let of_cell = |node: &Node| match node {
        Node::Read { access, ty } => {
            let read = access.checked_sub(1).and_then(|k| b.reads.get(k));
            *ty == stored.ty() && read.is_some_and(|(array, cell)| *array == b.source.array && *cell == b.source.cell)
        }
        _ => false,
    };
    b.body.nodes.iter().position(of_cell).map(NodeIndex)
}

/// Are the cells there that it reads behind its first condition?
fn may_read(facts: &Facts, accesses: &Accesses, b: &Built) -> Raise<bool> {
    let Some(block) = b.source.domain.conditions.first().map(|first| first.at) else { return Ok(false) };
    let place = Place { facts, accesses, domain: &b.source.domain, block, stores: &[] };
    let others = b.reads.iter().skip(b.certain).filter(|(a, cell)| (*a, cell) != (b.source.array, &b.source.cell));
    place.may_read(others)
}

/// Has one statement stored to the cell of another, whenever that runs, before it in the same iterations?
fn has_stored(layout: &Layout, analyses: Analyses, first: &Built, later: &Built) -> bool {
    let (a, b) = (&first.source, &later.source);
    // All instances of its block: no part of a statement.
    let whole = layout.domains.get(&a.block).is_some_and(|d| d.loops == a.domain.loops && d.rows == a.domain.rows);
    let common = a.position.common_loops(&b.position);
    let before = common == a.position.loops.len() && a.position.beta[common] < b.position.beta[common];
    first.body.guards.is_empty()
        && whole
        && before
        && (a.array, &a.cell) == (b.array, &b.cell)
        && analyses.dominates(a.block, b.block)
}
