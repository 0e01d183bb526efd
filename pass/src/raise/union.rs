//! Where a block runs to which several branches lead that counters decide.
//!
//! LLVM threads jumps: `if (j >= 2) a(); if (j >= 1) b();` goes from `a` to `b` without asking again, and `b` has two ways to it, one for `j >= 2` and one for `j = 1`. Each way has a domain; together
//! they are `j >= 1`. The rows that hold on both ways are the domain if it has no point that neither way has: exactly then the ways are all of it.

use super::domain;
use super::facts::{Domain, Facts, Row};
use super::poly::Poly;
use super::region::Region;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::Block;
use polyhedra::Kind;
use std::collections::BTreeMap;

/// Most ways to one block.
const MOST: usize = 6;

/// The domain of a block from those of all ways to it. `None`: data decide about some, or they are no conjunction of rows together.
///
/// # Errors
/// Budget, overflow; conditions before all loops.
pub fn of_ways(region: &Region, b: Block, known: &BTreeMap<Block, Domain>, facts: &mut Facts) -> Raise<Option<Domain>> {
    // In the order of the region: that of their addresses differs from run to run.
    let mut from = facts.analyses.ways_to(b);
    from.sort_by_key(|way| region.blocks.iter().position(|other| other == way));
    from.dedup();
    if from.len() > MOST {
        return Ok(None);
    }
    let mut found: Option<Domain> = None;
    for way in from {
        let own = domain::edge(region, way, b, known, facts)?;
        found = Some(match found {
            None => own,
            Some(before) => match union(facts, &before, &own)? {
                Some(both) => both,
                None => return Ok(None),
            },
        });
    }
    Ok(found)
}

/// The union of two domains, if it is one.
///
/// # Errors
/// Budget, overflow; rows that are not affine.
pub fn union(facts: &Facts, a: &Domain, b: &Domain) -> Raise<Option<Domain>> {
    if a.loops != b.loops || a.conditions != b.conditions {
        return Ok(None);
    }
    let (of_a, of_b) = (halves(a)?, halves(b)?);
    // What both say, and what only one of them does.
    let parted = |own: &[Poly], other: &Domain| -> Raise<(Vec<Poly>, Vec<Poly>)> {
        let (mut common, mut alone) = (Vec::new(), Vec::new());
        for row in own {
            let holds = facts.is_nonnegative(row, other)?;
            if holds { &mut common } else { &mut alone }.push(row.clone());
        }
        Ok((common, alone))
    };
    let ((common_a, alone_a), (common_b, alone_b)) = (parted(&of_a, b)?, parted(&of_b, a)?);
    let mut out = Domain {
        rows: Vec::new(),
        is_assumed: a.is_assumed || b.is_assumed,
        is_ruled_out: a.is_ruled_out && b.is_ruled_out,
        ..a.clone()
    };
    for row in common_a.into_iter().chain(common_b) {
        let row = Row::ge(row);
        if !out.rows.contains(&row) {
            out.rows.push(row);
        }
    }
    for p in &alone_a {
        for q in &alone_b {
            let mut neither = out.clone();
            neither.rows.extend([Row::ge(negated(p)?), Row::ge(negated(q)?)]);
            if !facts.set(&neither)?.is_empty(facts.budget)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(out))
}

/// Forms that are not negative on a domain.
fn halves(domain: &Domain) -> Raise<Vec<Poly>> {
    let mut out = Vec::new();
    for row in &domain.rows {
        out.push(row.poly.clone());
        if row.kind == Kind::Eq {
            out.push(row.poly.scale(-1).ok_or_else(overflow)?);
        }
    }
    Ok(out)
}

fn negated(form: &Poly) -> Raise<Poly> {
    Poly::constant(-1).sub(form).ok_or_else(overflow)
}

fn overflow() -> Reject {
    Reject::new(RejectKind::Overflow)
}
