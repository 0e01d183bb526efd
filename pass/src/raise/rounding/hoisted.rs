//! Products that LLVM may compute in front of a loop, with their sums in it.
//!
//! A product and its sum that stand in one block are one operation if LLVM leaves them there. It does not where the product is the same in all iterations of a loop, and the sum is not: the
//! vectoriser, whose vectors run only where arrays lie apart, computes such a product once, in front of the innermost loop. And when it has unrolled loops of known length, so that what they read lies at known
//! places, it moves what they have in common in front of the loop around them. What it does depends on its costs.

use super::unrolled::{is_overwritten, may_be_unrolled, writers};
use super::{Pair, below, iterator};
use crate::raise::body::{Body, Node, NodeIndex};
use polyhedra::Budget;
use scheduler::scop::{Access, Scop};
use std::collections::BTreeSet;

/// Is there a loop of which the product of a pair of this statement depends on nothing, in contrast to its sum, and that LLVM may find to be so?
pub(super) fn may_be_hoisted(scop: &Scop, bodies: &[Body], statement: usize, pair: &Pair, budget: &Budget) -> bool {
    (1..=scop.statements[statement].depth()).any(|shared| {
        let changes = |node| Changes { scop, bodies, shared, budget, asked: BTreeSet::new() }.of(statement, node);
        !changes(pair.product) && changes(pair.sum)
    })
}

/// Does a product of this statement change from iteration to iteration of a loop around the region, because of what the region stores?
pub(super) fn changes_around(
    scop: &Scop,
    bodies: &[Body],
    statement: usize,
    product: NodeIndex,
    budget: &Budget,
) -> bool {
    Changes { scop, bodies, shared: 0, budget, asked: BTreeSet::new() }.of(statement, product)
}

/// Does what an access of this statement reads change from iteration to iteration of the last of so many outer loops?
pub(super) fn changes(
    scop: &Scop,
    bodies: &[Body],
    (statement, access): (usize, &Access),
    shared: usize,
    budget: &Budget,
) -> bool {
    Changes { scop, bodies, shared, budget, asked: BTreeSet::new() }.of_cell(statement, access)
}

/// What changes from iteration to iteration of the last of the `shared` outer loops (of what is around all of them), in all instances of the loops inside of it.
struct Changes<'a> {
    scop: &'a Scop,
    bodies: &'a [Body],
    shared: usize,
    budget: &'a Budget,
    /// Statements in question. Nothing that they store is taken to change because of itself.
    asked: BTreeSet<usize>,
}

impl Changes<'_> {
    /// Does the value of a node of the statement?
    fn of(&mut self, statement: usize, node: NodeIndex) -> bool {
        let (s, body) = (&self.scop.statements[statement], &self.bodies[statement]);
        let mut nodes = below(body, node);
        nodes.insert(node);
        !may_be_unrolled(self.scop, s, self.shared)
            || nodes.iter().any(|n| match body.nodes.get(n.0) {
                Some(Node::Read { access, .. }) => s.accesses.get(*access).is_none_or(|a| self.of_cell(statement, a)),
                Some(Node::Index { poly, .. }) => {
                    poly.symbols().any(|symbol| iterator(symbol).is_some_and(|k| self.is_last(k)))
                }
                _ => false,
            })
    }

    /// Is this the loop in question?
    fn is_last(&self, iterator: usize) -> bool {
        iterator + 1 == self.shared
    }

    /// Does what an access of the statement reads?
    fn of_cell(&mut self, reader: usize, access: &Access) -> bool {
        let statements = &self.scop.statements;
        let s = &statements[reader];
        // Memory of our own may have cells for every iteration of what is one value in the source.
        let is_own = self.scop.arrays.get(access.array.0).is_none_or(|array| array.is_virtual);
        let moves = |k: usize| access.subscripts.iter().any(|row| row.dim_coeff(k) != 0);
        if !is_own && (0..s.depth()).any(|k| self.is_last(k) && moves(k)) {
            return true;
        }
        let mut writers = writers(self.scop, s, access, self.shared, self.budget);
        // What nobody stores before is from another iteration.
        if writers.iter().any(|&w| statements[w].beta < s.beta) {
            writers.retain(|&w| self.asked.insert(w) && self.of_stored(w));
        }
        // Cells that are stored under conditions which are known when loops are unrolled keep their values where these do not hold.
        writers.iter().any(|&w| !may_be_unrolled(self.scop, &statements[w], self.shared))
            || (!writers.is_empty() && is_overwritten(self.scop, s, access, &writers, self.shared, self.budget))
    }

    /// Does what a statement stores, or whether it does?
    fn of_stored(&mut self, writer: usize) -> bool {
        let body = &self.bodies[writer];
        let guards = body.guards.iter().map(|guard| guard.node);
        std::iter::once(body.root).chain(guards).any(|node| self.of(writer, node))
    }
}
