//! Costly values that inner loops use again and again, in memory of our own.
//!
//! In Gauss' elimination, `f = A[i][k] / A[k][k]; for j: A[i][j] -= f * A[k][j]`, the division stands in front of the loop along `j` and lives in a register. As a part of the statement
//! ([`super::statement`]) it would be done for every `j` by whatever order of loops has `j` elsewhere than innermost, and a micro-kernel would divide in its innermost loop. With an array for
//! the quotients, `f[i][k]`, the update is a product like any other. That costs memory and a statement more: so the region is modelled both ways, and this one is taken where it is predicted to be
//! clearly faster.
//!
//! What comes of a call that may set `errno` (`1 / sqrt(..)` of each row) always has memory, if inner loops use it: LLVM cannot move such a call out of a loop, so a statement that has it as a part would call it for
//! every iteration.

use super::accesses::{Access, Accesses, Action, Layout};
use super::expand::{self, Expanded};
use super::facts::{Domain, Facts};
use super::poly::{LoopIndex, Poly, Symbol};
use super::region::Region;
use super::reject::Raise;
use super::weight;
use crate::llvm::{Analyses, Block, Opcode, Value};
use std::collections::BTreeSet;

/// Most such values of a region.
const MOST: usize = 3;

/// Most loops around one: its array has a cell for every iteration.
const DEEPEST: usize = 2;

/// Narrower numbers are computed as wider ones, which takes kernels longer than the model says (measured on elimination with halves: 0.7 to 0.9 times as fast).
const NARROWEST: u64 = 4;

/// So many loops are around what uses it, at least: two leave little to win.
const LEAST_USE: usize = 3;

/// Could a region have such values?
#[must_use]
pub fn may_have(analyses: Analyses, region: &Region) -> bool {
    let depth = |b: Block| region.loops.iter().filter(|l| l.contains(b)).count();
    found(analyses, region, &depth).next().is_some()
}

/// Costly values in few loops that are used in more.
fn found<'a>(
    analyses: Analyses,
    region: &'a Region,
    depth: &'a dyn Fn(Block) -> usize,
) -> impl Iterator<Item = (Block, Value)> + 'a {
    let all = region.blocks.iter().filter(|b| (1..=DEEPEST).contains(&depth(**b)));
    let all = all.flat_map(|&b| b.instructions().into_iter().map(move |v| (b, v)));
    all.filter(move |(b, v)| {
        let is_scalar = v.ty().is_float() || v.ty().integer_bits().is_some();
        is_scalar && v.is_pure() && weight::is_costly(*v) && is_used_inside(analyses, *v, *b, depth)
    })
}

/// Does the value reach a block with more loops around, by way of arithmetic beside it?
fn is_used_inside(analyses: Analyses, v: Value, home: Block, depth: &dyn Fn(Block) -> usize) -> bool {
    let mut open = vec![v];
    let mut seen = BTreeSet::from([v]);
    let own = analyses.loop_for(home);
    while let Some(v) = open.pop() {
        for user in v.users() {
            let Some(b) = user.block() else { continue };
            if own.is_some_and(|l| l.contains(b)) && depth(b) > depth(home) && depth(b) >= LEAST_USE {
                return true;
            }
            let beside = analyses.loop_for(b) == own && user.is_pure() && user.opcode() != Some(Opcode::LLVMPHI);
            if beside && seen.insert(user) {
                open.push(user);
            }
        }
    }
    false
}

/// The costly values of a region, each with an array; `arrays` arrays are taken.
///
/// # Errors
/// Budget, overflow.
pub fn values(
    layout: &Layout,
    facts: &Facts,
    accesses: &Accesses,
    expanded: &[Expanded],
    arrays: usize,
) -> Raise<Vec<Expanded>> {
    let depth = |b: Block| layout.domains.get(&b).map_or(0, |d| d.loops.len());
    let all: Vec<(Block, Value)> = found(facts.analyses, layout.region, &depth).collect();
    with_arrays(layout, facts, accesses, (expanded, arrays), all)
}

/// What comes of calls that may set `errno`, and is used in more loops than it is computed in, each with an array.
///
/// # Errors
/// Budget, overflow.
pub fn from_calls(
    layout: &Layout,
    facts: &Facts,
    accesses: &Accesses,
    setters: &[Value],
    expanded: &[Expanded],
) -> Raise<Vec<Expanded>> {
    let loops = |v: Value| Some(&layout.domains.get(&v.block()?)?.loops);
    let mut all = Vec::new();
    let mut seen: BTreeSet<Value> = setters.iter().copied().collect();
    let mut open = setters.to_vec();
    while let Some(v) = open.pop() {
        let (Some(block), Some(own)) = (v.block(), loops(v)) else { continue };
        let users = v.users();
        let inside = users.iter().any(|&u| loops(u).is_some_and(|l| l.len() > own.len() && l.starts_with(own)));
        if inside && (1..=DEEPEST).contains(&own.len()) {
            all.push((block, v));
        }
        let beside = |u: &Value| u.is_pure() && u.opcode() != Some(Opcode::LLVMPHI) && loops(*u) == Some(own);
        open.extend(users.into_iter().filter(beside).filter(|u| seen.insert(*u)));
    }
    with_arrays(layout, facts, accesses, (expanded, accesses.arrays.len()), all)
}

fn with_arrays(
    layout: &Layout,
    facts: &Facts,
    accesses: &Accesses,
    (expanded, arrays): (&[Expanded], usize),
    all: Vec<(Block, Value)>,
) -> Raise<Vec<Expanded>> {
    let mut out = Vec::new();
    for (block, v) in all {
        // What is stored where it is computed is in memory already.
        let is_here = |a: &&Access| a.action == Action::Store(v) && a.instruction.block() == Some(block);
        let stored = accesses.all.iter().any(|a| is_here(&a));
        let taken = expanded.iter().any(|e| e.update == v || e.shape.base == v);
        let (Some(domain), Some(position)) = (layout.domains.get(&block), layout.position(v, facts)) else { continue };
        let narrow = facts.analyses.store_bytes(v.ty()).is_none_or(|bytes| bytes < NARROWEST);
        if out.len() == MOST || stored || taken || narrow || !domain.conditions.is_empty() {
            continue;
        }
        let cell = cell(accesses, facts, v, domain)?;
        let of_loops = || domain.loops.iter().map(|&l| Poly::symbol(Symbol::Iterator(l))).collect();
        let cell = cell.unwrap_or_else(of_loops);
        out.extend(expand::of_value(facts, v, cell, (position, domain, block), arrays + out.len())?);
    }
    Ok(out)
}

/// The cell of a load that the value is made of, if that is another one in each iteration: so rows of the new array lie as those of the program's do.
fn cell(accesses: &Accesses, facts: &Facts, v: Value, domain: &Domain) -> Raise<Option<Vec<Poly>>> {
    let (mut open, mut seen) = (vec![v], BTreeSet::new());
    while let Some(v) = open.pop() {
        if !seen.insert(v) {
            continue;
        }
        let load = accesses.all.iter().find(|a| a.instruction == v && a.action == Action::Load);
        if let Some(load) = load
            && is_own(load, facts, domain)?
        {
            return Ok(Some(load.subscripts.clone()));
        }
        if v.is_pure() && v.opcode() != Some(Opcode::LLVMPHI) {
            open.extend(v.operands());
        }
    }
    Ok(None)
}

/// Is the cell another one in each iteration, with subscripts that are not negative?
fn is_own(load: &Access, facts: &Facts, domain: &Domain) -> Raise<bool> {
    let by = |p: &Poly, l: LoopIndex| i128::from(p.coefficient(&[Symbol::Iterator(l)]));
    let apart = match (domain.loops.as_slice(), load.subscripts.as_slice()) {
        ([i], [a]) => by(a, *i) != 0,
        ([i, j], [a, b]) => by(a, *i) * by(b, *j) != by(a, *j) * by(b, *i),
        _ => false,
    };
    if !apart || load.domain.loops != domain.loops {
        return Ok(false);
    }
    for p in &load.subscripts {
        let affine = facts.affine(p, &domain.loops).is_some();
        if !affine || !facts.is_nonnegative(p, domain)? {
            return Ok(false);
        }
    }
    Ok(true)
}
