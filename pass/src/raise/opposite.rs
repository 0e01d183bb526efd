//! Stores under opposite conditions that are one statement.
//!
//! `if (c) A[i] = x; else A[i] = y;` stores always. As two statements neither does: each may store, and nothing is known of the cell behind them. They become one that computes both values and takes one of them
//! ([`Node::Choice`]), where that does no harm ([`super::always`]); so do three and more under conditions inside of each other, two by two.

use super::accesses::Accesses;
use super::always::Place;
use super::body::{Guard, Node, NodeIndex};
use super::facts::{Condition, Facts};
use super::reject::{Raise, RejectKind};
use super::statement::{Built, Stored};
use crate::llvm::{Analyses, Block, Value};
use std::collections::BTreeSet;

/// Joins neighbours until nothing changes.
///
/// # Errors
/// Budget, overflow.
pub fn join(facts: &Facts, accesses: &Accesses, built: &mut Vec<Built>) -> Raise<()> {
    let mut k = 0;
    while k + 1 < built.len() {
        match joined(facts, accesses, &built[k], &built[k + 1])? {
            Some(one) => {
                built.splice(k..=k + 1, [one]);
                // What comes before may be the opposite of both.
                k = k.saturating_sub(1);
            }
            None => k += 1,
        }
    }
    Ok(())
}

/// What decides between two statements.
struct Fork<'b> {
    /// Conditions that both stand under.
    common: usize,
    /// At the end of which block the ways part.
    at: Block,
    /// The statement whose conditions all hold or not, and the other one.
    sides: [&'b Built; 2],
}

fn joined(facts: &Facts, accesses: &Accesses, a: &Built, b: &Built) -> Raise<Option<Built>> {
    let Some(fork) = fork(facts.analyses, a, b) else { return Ok(None) };
    let [yes, no] = fork.sides;
    let stores: Vec<Value> = [a, b].iter().flat_map(|s| s.instructions()).collect();
    let mut source = a.source.clone();
    source.domain.conditions.truncate(fork.common);
    let place = Place { facts, accesses, domain: &source.domain, block: fork.at, stores: &stores };
    let new_nodes = |s: &Built| s.body.guards.get(fork.common).map_or(0, |g| g.node.0);
    let nodes = [a, b].into_iter().flat_map(|s| s.body.nodes.iter().skip(new_nodes(s)));
    let may = place.may_compute(nodes).then(|| {
        let reads = a.reads.iter().chain(&b.reads).collect::<BTreeSet<_>>();
        let certain = a.reads.iter().take(a.certain).collect();
        place.may_read(reads.difference(&certain).copied())
    });
    match may {
        Some(Err(r)) if matches!(r.kind, RejectKind::Budget) => return Err(r),
        Some(Ok(true)) => {}
        _ => return Ok(None),
    }
    let mut one = Built { source, joined: Vec::new(), ..yes.clone() };
    one.joined = stores.into_iter().filter(|v| *v != one.source.origin).collect();
    let other = append(&mut one, no);
    let mut root = one.body.root;
    let own: Vec<Guard> = one.body.guards.split_off(fork.common);
    for guard in own.into_iter().rev() {
        let (yes, no) = if guard.truth { (root, other) } else { (other, root) };
        one.body.nodes.push(Node::Choice { condition: guard.node, yes, no });
        root = NodeIndex(one.body.nodes.len() - 1);
    }
    one.body.root = root;
    one.body.origin = a.body.origin;
    if fork.common == 0 {
        one.certain = one.reads.len();
    }
    Ok(Some(one))
}

/// How two statements exclude each other, if one of them runs wherever both could.
fn fork<'b>(analyses: Analyses, a: &'b Built, b: &'b Built) -> Option<Fork<'b>> {
    let (x, y) = (&a.source, &b.source);
    let same_cell = (x.array, &x.cell) == (y.array, &y.cell);
    let same_rows = x.domain.loops == y.domain.loops && x.domain.rows == y.domain.rows;
    let of_one_type = match (x.value, y.value) {
        (Stored::Value(v), Stored::Value(w)) => v.ty() == w.ty(),
        _ => false,
    };
    let is_plain = |s: &Built| {
        let one_each = s.body.guards.len() == s.source.domain.conditions.len();
        let stores = s.instructions().iter().all(|v| v.is_simple_access() && v.may_write());
        one_each && stores && s.source.ways.is_empty() && !s.body.guards.iter().any(|g| g.frozen)
    };
    if !(same_cell && same_rows && of_one_type && is_plain(a) && is_plain(b)) {
        return None;
    }
    let (own, other) = (&x.domain.conditions, &y.domain.conditions);
    let common = own.iter().zip(other).take_while(|(c, d)| c == d).count();
    let (first, second) = (own.get(common..)?, other.get(common..)?);
    let at = first.first()?.at;
    let all_there = |side: &[Condition]| !side.is_empty() && side.iter().all(|c| c.at == at);
    if !all_there(first) || !all_there(second) {
        return None;
    }
    // Each on a way of its own, and all that stands on it.
    let (_, yes, no) = at.terminator()?.conditional_branch()?;
    let on = |side: Block, s: &Built| {
        let all = s.instructions();
        all.iter().all(|v| v.block().is_some_and(|b| analyses.edge_dominates(at, side, b)))
    };
    let is_fork = yes != no && (on(yes, a) && on(no, b) || on(no, a) && on(yes, b));
    if !is_fork {
        return None;
    }
    // Several conditions that all hold on one way are one that does not on the other.
    let sides = match (first, second) {
        ([_], [_]) | ([_, _, ..], [_]) => [a, b],
        ([_], [_, _, ..]) => [b, a],
        _ => return None,
    };
    Some(Fork { common, at, sides })
}

/// Adds what another statement computes; says where its value is.
fn append(one: &mut Built, other: &Built) -> NodeIndex {
    let mut reads = Vec::new();
    for (k, read) in other.reads.iter().enumerate() {
        let alignment = other.body.alignments.get(k + 1).copied().unwrap_or(1);
        let at = one.reads.iter().position(|r| r == read).unwrap_or_else(|| {
            one.reads.push(read.clone());
            one.body.alignments.push(alignment);
            one.reads.len() - 1
        });
        if let Some(known) = one.body.alignments.get_mut(at + 1) {
            *known = alignment.min(*known);
        }
        if let Some(&load) = other.loaded.get(&(k + 1)) {
            one.loaded.entry(at + 1).or_insert(load);
        }
        reads.push(at + 1);
    }
    if let (Some(own), Some(of_other)) = (one.body.alignments.first_mut(), other.body.alignments.first()) {
        *own = (*own).min(*of_other);
    }
    let mut places: Vec<NodeIndex> = Vec::new();
    for node in &other.body.nodes {
        let node = moved(node, &places, &reads);
        let at = one.body.nodes.iter().position(|n| *n == node).unwrap_or_else(|| {
            one.body.nodes.push(node);
            one.body.nodes.len() - 1
        });
        places.push(NodeIndex(at));
    }
    places[other.body.root.0]
}

/// A node with operands and accesses where they are now.
fn moved(node: &Node, places: &[NodeIndex], reads: &[usize]) -> Node {
    match node {
        Node::Read { access, ty } => Node::Read { access: reads[access - 1], ty: *ty },
        other => other.of_others(|n| Some(places[n.0])).unwrap_or_else(|| other.clone()),
    }
}

impl Built {
    /// The stores of the program that it stands for.
    pub(super) fn instructions(&self) -> Vec<Value> {
        std::iter::once(self.source.origin).chain(self.joined.iter().copied()).collect()
    }
}
