//! Statements that compute the same function of their operands, for [`scheduler::coalesce`] and [`scheduler::reroll`].

use super::Raised;
use super::body::{Body, Node, NodeIndex};
use super::poly::{Poly, Symbol};
use super::relaid::relaid;
use super::rounding;
use crate::llvm::Analyses;
use polyhedra::{Affine, Budget, Space};
use scheduler::Result;
use scheduler::coalesce::{Coalesced, Likeness, coalesce};
use scheduler::dependence::Dependences;
use scheduler::reroll::{reroll, reroll_blocks, reroll_interleaved, reroll_rows, reroll_sums};
use scheduler::scop::{AccessId, Statement, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// The region with statements made one that are parts of one operation. `None`: there are none.
///
/// # Errors
/// As [`coalesce`].
pub fn coalesced(raised: &Raised, dependences: &Dependences, budget: &Budget) -> Result<Option<Raised>> {
    let alike = |whole, twin| likeness(raised, whole, twin);
    let found = coalesce(&raised.scop, dependences, &alike, budget)?;
    Ok(found.and_then(|found| with_statements(raised, found)))
}

/// The region with loops over the constants by which nests differ. `None`: there are none.
///
/// # Errors
/// As [`reroll`].
pub fn rerolled(raised: &Raised, budget: &Budget) -> Result<Option<Raised>> {
    let alike = |one, other| likeness(raised, one, other);
    Ok(reroll(&raised.scop, &alike, budget)?.and_then(|found| with_statements(raised, found)))
}

/// The region with loops over blocks of statements that stand side by side. `None`: there are none.
///
/// # Errors
/// As [`reroll_blocks`].
pub fn rerolled_blocks(raised: &Raised) -> Result<Option<Raised>> {
    let alike = |one, other| likeness(raised, one, other);
    Ok(reroll_blocks(&raised.scop, &alike)?.and_then(|found| with_statements(raised, found)))
}

/// The region with statements side by side that store to neighbours as loops, each one vector of at most so many bytes. `None`: there are none.
///
/// # Errors
/// As [`reroll_rows`].
pub fn rerolled_rows(analyses: Analyses, raised: &Raised, bytes: u64) -> Result<Option<Raised>> {
    let alike = |one, other| likeness(raised, one, other);
    let rows = reroll_rows(&raised.scop, &alike, bytes)?.and_then(|found| with_statements(raised, found));
    Ok(rows.filter(|rows| rounding::check_all(analyses, &rows.scop, &rows.bodies).is_ok()))
}

/// The region with one loop where a loop and what lies side by side in it walk over neighbours, and its dependences. `None`: there are none.
///
/// # Errors
/// As [`reroll_interleaved`].
pub fn interleaved(analyses: Analyses, raised: &Raised, budget: &Budget) -> Result<Option<(Raised, Dependences)>> {
    let relaid = relaid(raised)?;
    let raised = relaid.as_ref().unwrap_or(raised);
    let alike = |one, other| likeness(raised, one, other);
    let Some((found, dependences)) = reroll_interleaved(&raised.scop, &alike, budget)? else { return Ok(None) };
    let joined = with_statements(raised, found);
    let joined = joined.filter(|joined| rounding::check_all(analyses, &joined.scop, &joined.bodies).is_ok());
    Ok(joined.map(|joined| (joined, dependences)))
}

/// The region with loops over the terms of sums that stand side by side. `None`: there are none.
///
/// # Errors
/// As [`reroll_sums`].
pub fn rerolled_sums(raised: &Raised, budget: &Budget) -> Result<Option<Raised>> {
    let alike = |one, other| likeness(raised, one, other);
    Ok(reroll_sums(&raised.scop, &alike, budget)?.and_then(|found| with_statements(raised, found)))
}

/// The region with these statements instead of its own.
fn with_statements(raised: &Raised, found: Coalesced) -> Option<Raised> {
    let bodies: Option<Vec<Body>> = found.origin.iter().map(|s| raised.bodies.get(s.0).cloned()).collect();
    let mut bodies = bodies?;
    // What one of them knows of alignment the others may not.
    let mut least: BTreeMap<usize, u32> = BTreeMap::new();
    for (s, body) in raised.scop.statements.iter().zip(&raised.bodies) {
        for (access, &alignment) in s.accesses.iter().zip(&body.alignments) {
            let own = least.entry(access.array.0).or_insert(alignment);
            *own = alignment.min(*own);
        }
    }
    for (s, body) in found.scop.statements.iter().zip(&mut bodies) {
        for (access, alignment) in s.accesses.iter().zip(&mut body.alignments) {
            *alignment = least.get(&access.array.0).copied().unwrap_or(1);
        }
    }
    Some(Raised { scop: found.scop, bodies, ..raised.clone() })
}

/// Do both compute the same function, and of which operands?
pub(super) fn likeness(raised: &Raised, whole: StatementId, twin: StatementId) -> Option<Likeness> {
    let get = |s: StatementId| Some((raised.scop.statements.get(s.0)?, raised.bodies.get(s.0)?));
    let ((own, body), (other, other_body)) = (get(whole)?, get(twin)?);
    if !(body.guards.is_empty() && other_body.guards.is_empty()) {
        return None;
    }
    let mut walk =
        Walk { whole: (own, body), twin: (other, other_body), seen: BTreeSet::new(), found: Likeness::default() };
    if !walk.nodes(body.root, other_body.root) {
        return None;
    }
    // What the body does not use may be there for its own reasons.
    let all = |s: &Statement, used: BTreeSet<usize>| (1..s.accesses.len()).all(|k| used.contains(&k));
    let (of_whole, of_twin) = walk.found.reads.iter().map(|(a, b)| (a.0, b.0)).unzip();
    (all(own, of_whole) && all(other, of_twin)).then_some(walk.found)
}

struct Walk<'a> {
    whole: (&'a Statement, &'a Body),
    twin: (&'a Statement, &'a Body),
    /// Pairs of nodes that are known to be alike.
    seen: BTreeSet<(NodeIndex, NodeIndex)>,
    found: Likeness,
}

impl Walk<'_> {
    fn nodes(&mut self, a: NodeIndex, b: NodeIndex) -> bool {
        if self.seen.contains(&(a, b)) {
            return true;
        }
        let (Some(own), Some(other)) = (self.whole.1.nodes.get(a.0), self.twin.1.nodes.get(b.0)) else { return false };
        let alike = match (own, other) {
            (Node::Invariant(v), Node::Invariant(w)) => v == w,
            (Node::Splat { byte: v }, Node::Splat { byte: w }) => v == w,
            (Node::Read { access: a, ty: v }, Node::Read { access: b, ty: w }) => {
                self.found.reads.push((AccessId(*a), AccessId(*b)));
                v == w
            }
            (Node::Index { poly: p, ty: v }, Node::Index { poly: q, ty: w }) => v == w && self.numbers(p, q),
            (
                Node::Operation { instruction: v, operands: own },
                Node::Operation { instruction: w, operands: other },
            ) => v.is_same_operation(*w) && own.len() == other.len() && self.operands((*v, own), (*w, other)),
            (Node::Choice { condition: c, yes, no }, Node::Choice { condition: d, yes: other_yes, no: other_no }) => {
                [(c, d), (yes, other_yes), (no, other_no)].into_iter().all(|(a, b)| self.nodes(*a, *b))
            }
            _ => false,
        };
        if alike {
            self.seen.insert((a, b));
        }
        alike
    }

    fn operands(
        &mut self,
        (v, own): (crate::llvm::Value, &[Option<NodeIndex>]),
        (w, other): (crate::llvm::Value, &[Option<NodeIndex>]),
    ) -> bool {
        let (of_v, of_w) = (v.operands(), w.operands());
        own.iter().zip(other).enumerate().all(|(k, pair)| match pair {
            (Some(a), Some(b)) => self.nodes(*a, *b),
            (None, None) => of_v.get(k).is_some() && of_v.get(k) == of_w.get(k),
            _ => false,
        })
    }

    fn numbers(&mut self, p: &Poly, q: &Poly) -> bool {
        match (affine(p, self.whole.0.space()), affine(q, self.twin.0.space())) {
            (Some(a), Some(b)) => {
                self.found.numbers.push((a, b));
                true
            }
            _ => false,
        }
    }
}

/// A polynomial in a statement's iterators and the parameters as a row. `None`: it is not affine.
fn affine(poly: &Poly, space: Space) -> Option<Affine> {
    let mut out = Affine::zero(space);
    for (m, c) in poly.terms() {
        match m.as_slice() {
            [] => out.set_constant(c),
            [Symbol::Param(p)] if p.0 < space.params => out.set_param(p.0, c),
            [Symbol::Iterator(l)] if l.0 < space.dims => out.set_dim(l.0, c),
            _ => return None,
        }
    }
    Some(out)
}
