//! Statements in parts, by where their instances have a value from.
//!
//! * **The first iterations of a loop** see what a value starts with, the others what earlier ones left in memory. `last = 0; for j: y[j] = x[j] + last; last = y[j];` carries
//!   `y[j - 1]` in a register, but the first iteration has no such cell to read. So the statement becomes two: `y[0] = x[0] + 0` at `j = 0` and `y[j] = x[j] + y[j - 1]` from
//!   `j = 1` on; three where two iterations are looked back.
//! * **The ways to a block where they meet** bring different values: `if (c) t = a[i]; else t = b[i]; y[i] = t;`, and LLVM sinks stores at the ends of branches into one.
//!   So there is a part for each way, with the rows and conditions of that way.
//!
//! The parts have disjoint instances, together those of the statement, and stand at its place: the order of all instances stays what it was.
//!
//! * **Addresses** may be affine piece by piece ([`pieces`]).
//!
//! * **Numbers that differ**: `if (j != i) s += A[i][j] * x[j];` runs where `j < i` and where `j > i`.
//!
//! [`super::statement`] asks for parts ([`Wish`]) where it finds no other explanation. A statement is left whole where that works without memory of our own
//! ([`super::expand`]); memory of our own is left for what cannot be had in parts.

use super::domain;
use super::facts::{Condition, Facts, Row};
use super::pieces;
use super::poly::{LoopIndex, Poly, Symbol};
use super::reject::{Raise, Reject, RejectKind};
use super::statement::{self, Built, Source, Workshop};
use crate::llvm::{Block, Value};
use polyhedra::Kind;

/// Most iterations of one loop that become parts of their own.
pub const MOST_ITERATIONS: i64 = 4;

/// Most parts of a statement: those of three loops that look one iteration back, or of three conditions.
pub const MOST_PARTS: usize = 8;

/// Most parts of a statement that reads in pieces: those of a cube with its sides, edges and corners.
const MOST_IN_PIECES: usize = 27;

/// What a statement wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// The first iterations of a loop apart, each for itself.
    Iterations {
        /// The loop.
        l: LoopIndex,
        /// So many.
        number: i64,
    },
    /// The ways to this block apart.
    Ways(Block),
    /// The pieces of this load apart.
    Pieces(Value),
}

/// The number of the iteration, if all instances of the source lie in one among the first of the loop.
///
/// # Errors
/// Budget, overflow.
pub fn iteration(facts: &Facts, source: &Source, l: LoopIndex, first: i64) -> Raise<Option<i64>> {
    let i = Poly::symbol(Symbol::Iterator(l));
    for k in 0..first {
        let gap = Poly::constant(k).sub(&i).ok_or(RejectKind::Overflow)?;
        let back = gap.scale(-1).ok_or(RejectKind::Overflow)?;
        if !facts.is_nonnegative(&back, &source.domain)? {
            break;
        }
        if facts.is_nonnegative(&gap, &source.domain)? {
            return Ok(Some(k));
        }
    }
    Ok(None)
}

/// Builds a source: whole, or in parts.
///
/// # Errors
/// What refuses the region.
pub fn build(shop: &mut Workshop, source: &Source) -> Raise<Vec<Built>> {
    let before = shop.needed.clone();
    if let Some(parts) = either_way(shop, source)? {
        return Ok(parts);
    }
    shop.needed.clone_from(&before);
    shop.wish = None;
    let whole = statement::build(shop, source);
    let Some(wish) = shop.wish.take() else { return whole.map(|b| vec![b]) };
    if whole.is_ok() && shop.needed == before {
        return whole.map(|b| vec![b]);
    }
    let with_own = std::mem::replace(&mut shop.needed, before);
    match in_parts(shop, source, wish) {
        Ok(parts) if parts.len() <= most(wish) => Ok(parts),
        Err(r) if matches!(r.kind, RejectKind::Budget) => Err(r),
        _ => {
            shop.needed = with_own;
            whole.map(|b| vec![b])
        }
    }
}

/// Where numbers have to differ (`if (i != j)`): a part where one is the larger, and a part where the other is. `None`: there is no such condition, or that does not do.
fn either_way(shop: &mut Workshop, source: &Source) -> Raise<Option<Vec<Built>>> {
    let Some(parts) = by_size(shop, source)? else { return Ok(None) };
    let mut out = Vec::new();
    for part in &parts {
        match build(shop, part) {
            Ok(built) => out.extend(built),
            Err(r) if matches!(r.kind, RejectKind::Budget) => return Err(r),
            Err(_) => return Ok(None),
        }
        if out.len() > MOST_PARTS {
            return Ok(None);
        }
    }
    Ok(Some(out))
}

/// The parts of a source by which numbers are the larger, for all of its conditions that they differ, as far as they have instances. `None`: it has none, or these are too many parts.
fn by_size(shop: &mut Workshop, source: &Source) -> Raise<Option<Vec<Source>>> {
    let (mut open, mut out) = (vec![source.clone()], Vec::new());
    'next: while let Some(here) = open.pop() {
        for (k, condition) in here.domain.conditions.iter().enumerate() {
            let mut rest = here.clone();
            rest.domain.conditions.remove(k);
            let Some([less, more]) = domain::either_way(condition.value, condition.truth, &rest.domain, shop.facts)?
            else {
                continue;
            };
            for row in [more, less] {
                let mut part = rest.clone();
                part.domain.rows.push(row);
                if !shop.facts.set(&part.domain)?.is_empty(shop.facts.budget)? {
                    open.push(part);
                }
            }
            if open.len() + out.len() > MOST_PARTS {
                return Ok(None);
            }
            continue 'next;
        }
        out.push(here);
    }
    let is_whole = matches!(out.as_slice(), [only] if only.domain == source.domain);
    Ok((!is_whole).then_some(out))
}

fn most(wish: Wish) -> usize {
    if matches!(wish, Wish::Pieces(_)) { MOST_IN_PIECES } else { MOST_PARTS }
}

fn in_parts(shop: &mut Workshop, source: &Source, wish: Wish) -> Raise<Vec<Built>> {
    let parts = match wish {
        Wish::Iterations { l, number } => by_iteration(source, l, number)?,
        Wish::Ways(to) => by_way(shop, source, to)?,
        Wish::Pieces(load) => pieces::parts(shop, source, load)?,
    };
    let mut out = Vec::new();
    for part in parts {
        if shop.facts.set(&part.domain)?.is_empty(shop.facts.budget)? {
            continue;
        }
        out.extend(build(shop, &part)?);
        if out.len() > most(wish) {
            break;
        }
    }
    if matches!(wish, Wish::Ways(_)) {
        out = readers_first(shop.facts, out)?;
    }
    Ok(out)
}

/// Parts with conditions on data one after the other: what one of them stores the later ones must not read, for their values or to decide whether they run.
fn readers_first(facts: &Facts, parts: Vec<Built>) -> Raise<Vec<Built>> {
    let (mut readers, mut others): (Vec<Built>, Vec<Built>) = (Vec::new(), Vec::new());
    for part in parts {
        if reads_its_cell(facts, &part)? { readers.push(part) } else { others.push(part) }
    }
    for (k, a) in readers.iter().enumerate() {
        for b in &readers[k + 1..] {
            let mut both = a.source.domain.clone();
            both.rows.extend(b.source.domain.rows.iter().cloned());
            if !facts.set(&both)?.is_empty(facts.budget)? {
                return Err(RejectKind::Carried("it differs between the branches of a condition").into());
            }
        }
    }
    readers.append(&mut others);
    Ok(readers)
}

/// May it read, in some instance, the cell that the instance stores to?
fn reads_its_cell(facts: &Facts, part: &Built) -> Raise<bool> {
    for (_, cell) in part.reads.iter().filter(|(array, _)| *array == part.source.array) {
        let mut same = part.source.domain.clone();
        for (x, y) in cell.iter().zip(&part.source.cell) {
            same.rows.push(Row { kind: Kind::Eq, poly: x.sub(y).ok_or(RejectKind::Overflow)? });
        }
        if !facts.set(&same)?.is_empty(facts.budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Each of the first iterations, and the others.
fn by_iteration(source: &Source, l: LoopIndex, number: i64) -> Raise<Vec<Source>> {
    let i = Poly::symbol(Symbol::Iterator(l));
    let from = |k: i64| i.sub(&Poly::constant(k)).ok_or(Reject::new(RejectKind::Overflow));
    let mut rows = Vec::new();
    for k in 0..number {
        rows.push(Row { kind: Kind::Eq, poly: from(k)? });
    }
    rows.push(Row::ge(from(number)?));
    Ok(rows
        .into_iter()
        .map(|row| {
            let mut part = source.clone();
            part.domain.rows.push(row);
            part
        })
        .collect())
}

/// Each way to a block that has run before the source, in the same iteration of the loops around the block.
fn by_way(shop: &mut Workshop, source: &Source, to: Block) -> Raise<Vec<Source>> {
    let refuse = || Reject::new(RejectKind::ControlFlow("branches that cross each other"));
    let layout = shop.layout;
    if !shop.facts.analyses.dominates(to, source.block) {
        return Err(refuse());
    }
    let mut out = Vec::new();
    for from in shop.facts.analyses.ways_to(to) {
        let way = domain::edge(layout.region, from, to, &layout.domains, shop.facts)?;
        let here = layout.domains.get(&to).map(|d| &d.loops);
        if here != Some(&way.loops) || !source.domain.loops.starts_with(&way.loops) {
            return Err(refuse());
        }
        let mut part = source.clone();
        part.domain.rows.extend(way.rows.into_iter().filter(|row| !source.domain.rows.contains(row)));
        // In the order in which they are decided: what a condition is made of may only be there where those before it hold.
        let place = |c: &Condition| layout.region.blocks.iter().position(|&b| b == c.at);
        let mut all = way.conditions;
        all.extend(source.domain.conditions.iter().copied());
        all.sort_by_key(place);
        let mut conditions: Vec<Condition> = Vec::new();
        for c in all {
            if !conditions.iter().any(|known| (known.value, known.truth) == (c.value, c.truth)) {
                conditions.push(c);
            }
        }
        part.domain.conditions = conditions;
        part.ways.insert(to, from);
        out.push(part);
    }
    Ok(out)
}
