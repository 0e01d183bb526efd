//! From an ideal to rows: at which step each instance runs.
//!
//! An instance runs at the first step at which its class is past: when the boundary has passed that many of its coordinates. Where coordinates change places
//! within a domain, that is a minimum or maximum of them, which no affine row can say; the statement is then split into parts, in each of which it is
//! one coordinate.

use super::classes::{Class, Frame, Mask, before};
use super::ideals::Ideal;
use super::sweep::Direction;
use crate::Result;
use crate::scop::StatementId;
use polyhedra::{Affine, Constraint};
use std::collections::BTreeMap;

/// Instances of a statement that run at one coordinate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Which instances: rows added to the domain, none for all.
    pub rows: Vec<Constraint>,
    /// When: `{ Stmt[i] -> Time[t] }`, negated backwards.
    pub theta: Affine,
}

/// The parts of a statement, disjoint, together all of it; mostly one.
///
/// # Errors
/// Overflow.
pub fn parts(statement: StatementId, frame: &Frame, ideal: &Ideal, direction: Direction) -> Result<Vec<Part>> {
    let mut chosen: BTreeMap<usize, Vec<&Vec<usize>>> = BTreeMap::new();
    for order in &frame.orders {
        chosen.entry(passed(statement, order, ideal, direction)).or_default().push(order);
    }
    let theta = |k: usize| -> Result<Affine> {
        let Some(c) = frame.coordinates.get(k) else {
            return Err(crate::Error::Malformed("a statement without coordinates in a sweep".into()));
        };
        Ok(match direction {
            Direction::Forward => c.clone(),
            Direction::Backward => c.scale(-1)?,
        })
    };
    if chosen.len() <= 1 {
        let k = chosen.keys().next().copied().unwrap_or(0);
        return Ok(vec![Part { rows: Vec::new(), theta: theta(k)? }]);
    }
    let mut out = Vec::new();
    for (k, orders) in chosen {
        // What all these orders have in common describes them if no other order has it as well.
        let common = pairs_of(&orders);
        let has = |order: &&Vec<usize>| common.iter().all(|&(a, b)| passes(order, a, b));
        if frame.orders.iter().filter(has).count() == orders.len() {
            out.push(Part { rows: rows(frame, &common)?, theta: theta(k)? });
            continue;
        }
        for order in orders {
            out.push(Part { rows: rows(frame, &pairs_of(&[order]))?, theta: theta(k)? });
        }
    }
    Ok(out)
}

/// The coordinate at which the class becomes past when the boundary passes them in this order.
fn passed(s: StatementId, order: &[usize], ideal: &Ideal, direction: Direction) -> usize {
    let order: Vec<usize> = match direction {
        Direction::Forward => order.to_vec(),
        Direction::Backward => order.iter().rev().copied().collect(),
    };
    let mut mask: Mask = 0;
    for &k in &order {
        mask |= 1 << k;
        if ideal.contains(&Class { statement: s, mask }) {
            return k;
        }
    }
    order.last().copied().unwrap_or(0)
}

fn passes(order: &[usize], a: usize, b: usize) -> bool {
    order.iter().position(|&k| k == a) < order.iter().position(|&k| k == b)
}

/// Pairs (a before b) that all the orders agree on.
fn pairs_of(orders: &[&Vec<usize>]) -> Vec<(usize, usize)> {
    let Some(first) = orders.first() else { return Vec::new() };
    let all = first.iter().enumerate().flat_map(|(k, &a)| first[k + 1..].iter().map(move |&b| (a, b)));
    all.filter(|&(a, b)| orders.iter().all(|o| passes(o, a, b))).collect()
}

/// Rows for the pairs that not all orders of the statement agree on.
fn rows(frame: &Frame, pairs: &[(usize, usize)]) -> Result<Vec<Constraint>> {
    let open = |&&(a, b): &&(usize, usize)| frame.orders.iter().any(|o| !passes(o, a, b));
    pairs.iter().filter(open).map(|&(a, b)| before(&frame.coordinates, a, b)).collect()
}
