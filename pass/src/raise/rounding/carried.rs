//! Sums that a loop carries, of which a vector of two saves nothing unless their products are in one as well.
//!
//! LLVM makes a vector of straight code where that saves operations. Of `s += a * b; t += c * d`, with products that are none, it saves one sum for the operation that puts the products together, and has to take the sums
//! apart in the end: unless these are stored to neighbours.

use super::unrolled::Together;
use super::{Pair, share_loop};
use crate::raise::body::{Body, Node};
use polyhedra::Budget;
use scheduler::scop::{Access, Scop, Statement};
use std::collections::BTreeSet;

/// Is a vector of both worth nothing unless it has their products, too?
pub(super) fn need_products(
    scop: &Scop,
    bodies: &[Body],
    pairs: &[Vec<Pair>],
    both: [usize; 2],
    budget: &Budget,
) -> bool {
    let adds = |k: usize| adds_a_product(&scop.statements[k], &bodies[k], &pairs[k]);
    let begins = |k: usize| matches!(bodies[k].nodes.get(bodies[k].root.0), Some(Node::Invariant(_)));
    let adds_alone = |k: usize| {
        let is_before = |p: &usize| is_before(&scop.statements[*p], &scop.statements[k], budget);
        adds(k) && (0..bodies.len()).filter(is_before).all(|p| adds(p) || begins(p))
    };
    both.into_iter().all(adds_alone) && !are_stored_to_neighbours(scop, both, budget)
}

/// Is it `s += a * b`, and nothing else?
fn adds_a_product(statement: &Statement, body: &Body, pairs: &[Pair]) -> bool {
    let [pair] = pairs else { return false };
    let own = &statement.accesses[0];
    let is_own = |access: &Access| access.array == own.array && access.subscripts == own.subscripts;
    let adds_to_own = match body.nodes.get(pair.rest.0) {
        Some(Node::Read { access, .. }) => statement.accesses.get(*access).is_some_and(is_own),
        _ => false,
    };
    pair.sum == body.root && adds_to_own && body.guards.is_empty() && body.old.is_none()
}

/// May a statement store what a sum finds in its cell? Not if it stands behind the loop of the sum, and that has another cell in every iteration of the loops around both.
fn is_before(other: &Statement, sum: &Statement, budget: &Budget) -> bool {
    let moves = |iterator: usize| sum.accesses[0].subscripts.iter().any(|row| row.dim_coeff(iterator) != 0);
    let is_behind = other.beta > sum.beta && !share_loop(other, sum);
    !(is_behind && (0..common(other, sum)).all(moves))
        && may_touch((other, &other.accesses[0]), (sum, &sum.accesses[0]), budget)
}

/// Are two sums, or what is computed from them, stored to cells next to each other, or used behind the region, where they may be?
fn are_stored_to_neighbours(scop: &Scop, both: [usize; 2], budget: &Budget) -> bool {
    let [first, second] = both.map(|k| users(scop, k, budget));
    let leaves = |s: &Statement| {
        let array = s.accesses[0].array;
        let reads = |other: &Statement| other.reads().iter().any(|a| a.array == array);
        scop.arrays.get(array.0).is_none_or(|a| a.is_virtual) && !scop.statements.iter().any(reads)
    };
    let meet = |p: usize, q: usize| {
        let [p, q] = [p, q].map(|k| &scop.statements[k]);
        may_be_neighbours(p, q, budget) || (leaves(p) && leaves(q))
    };
    first.iter().any(|&p| second.iter().any(|&q| p != q && meet(p, q)))
}

/// The statements that what one stores may reach, itself among them.
fn users(scop: &Scop, of: usize, budget: &Budget) -> BTreeSet<usize> {
    let (mut seen, mut open) = (BTreeSet::from([of]), vec![of]);
    while let Some(k) = open.pop() {
        let from = &scop.statements[k];
        let uses = |s: &Statement| s.reads().iter().any(|a| may_touch((from, &from.accesses[0]), (s, a), budget));
        open.extend((0..scop.statements.len()).filter(|&p| uses(&scop.statements[p]) && seen.insert(p)));
    }
    seen
}

/// How many loops stand around both?
fn common(a: &Statement, b: &Statement) -> usize {
    let shared = a.beta.iter().zip(&b.beta).take_while(|(x, y)| x == y).count();
    shared.min(a.depth()).min(b.depth())
}

/// May accesses of two statements touch one cell, in whatever iterations?
fn may_touch((s, a): (&Statement, &Access), (t, b): (&Statement, &Access), budget: &Budget) -> bool {
    a.array == b.array && may_meet(Together::of(s, t, 0), a, b, budget)
}

/// May two statements store to cells next to each other, in the same iteration of the loops around both?
fn may_be_neighbours(p: &Statement, q: &Statement, budget: &Budget) -> bool {
    let [a, b] = [p, q].map(|s| &s.accesses[0]);
    let meets = |away: i64| {
        let mut next = b.clone();
        let Some(last) = next.subscripts.last_mut() else { return false };
        let Ok(moved) = last.offset(away) else { return true };
        *last = moved;
        may_meet(Together::of(p, q, common(p, q)), a, &next, budget)
    };
    a.array == b.array && [-1, 1].into_iter().any(meets)
}

/// Are there instances that touch one cell of an array? `true`, too, if nobody knows.
fn may_meet(instances: Together, a: &Access, b: &Access, budget: &Budget) -> bool {
    instances.at_one_cell(a, b).is_none_or(|at| at.set.is_empty(budget).map_or(true, |is_empty| !is_empty))
}
