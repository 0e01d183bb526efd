//! Statements in parts: the first iterations of a loop, which see what a value starts with, and those that see what earlier ones left in memory.
//!
//! `last = 0; for j: y[j] = x[j] + last; last = y[j];` carries `y[j - 1]` in a register, but the first iteration has no such cell to read. So the statement becomes two:
//! `y[0] = x[0] + 0` at `j = 0` and `y[j] = x[j] + y[j - 1]` from `j = 1` on; three where two iterations are looked back. The parts have disjoint instances, together
//! those of the statement, and stand at its place: the order of all instances stays what it was.
//!
//! [`super::statement`] asks for it ([`Wish`]) where it finds a value of the first iterations that is in no memory. A statement is left whole where that works without
//! memory of our own ([`super::expand`]); memory of our own is left for what cannot be had in parts.

use super::facts::{Facts, Row};
use super::poly::{LoopIndex, Poly, Symbol};
use super::reject::{Raise, Reject, RejectKind};
use super::statement::{self, Built, Source, Workshop};
use polyhedra::Kind;

/// Most iterations of one loop that become parts of their own.
pub const MOST_ITERATIONS: i64 = 4;

/// Most parts of a statement: those of three loops that look one iteration back.
pub const MOST_PARTS: usize = 8;

/// What a statement wants: its first instances apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    /// The loop.
    pub l: LoopIndex,
    /// So many iterations, each for itself.
    pub iterations: i64,
}

/// The number of the iteration, if all instances of the source lie in one among the first of the loop.
///
/// # Errors
/// Budget, overflow.
pub fn iteration(facts: &Facts, source: &Source, l: LoopIndex, iterations: i64) -> Raise<Option<i64>> {
    let i = Poly::symbol(Symbol::Iterator(l));
    for k in 0..iterations {
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
    shop.wish = None;
    let whole = statement::build(shop, source);
    let Some(wish) = shop.wish.take() else { return whole.map(|b| vec![b]) };
    if whole.is_ok() && shop.needed == before {
        return whole.map(|b| vec![b]);
    }
    let with_own = std::mem::replace(&mut shop.needed, before);
    match in_parts(shop, source, wish) {
        Ok(parts) if parts.len() <= MOST_PARTS => Ok(parts),
        Err(r) if matches!(r.kind, RejectKind::Budget) => Err(r),
        _ => {
            shop.needed = with_own;
            whole.map(|b| vec![b])
        }
    }
}

fn in_parts(shop: &mut Workshop, source: &Source, wish: Wish) -> Raise<Vec<Built>> {
    let mut out = Vec::new();
    for row in rows(wish)? {
        let mut part = source.clone();
        part.domain.rows.push(row);
        if shop.facts.set(&part.domain)?.is_empty(shop.facts.budget)? {
            continue;
        }
        out.extend(build(shop, &part)?);
        if out.len() > MOST_PARTS {
            break;
        }
    }
    for (k, built) in out.iter_mut().enumerate() {
        built.source.part = k;
    }
    Ok(out)
}

/// Each of the first iterations, and the others.
fn rows(wish: Wish) -> Raise<Vec<Row>> {
    let i = Poly::symbol(Symbol::Iterator(wish.l));
    let from = |k: i64| i.sub(&Poly::constant(k)).ok_or(Reject::new(RejectKind::Overflow));
    let mut out = Vec::new();
    for k in 0..wish.iterations {
        out.push(Row { kind: Kind::Eq, poly: from(k)? });
    }
    out.push(Row::ge(from(wish.iterations)?));
    Ok(out)
}
