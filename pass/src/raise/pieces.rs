//! Addresses that are affine piece by piece: borders that are clamped (`x[min(max(i + u, 0), n - 1)]`), grids that close (`x[(i + 1) % n]`, `x[i == 0 ? n - 1 : i - 1]`), mirrors.
//!
//! The domain of such an access is parted until the address is affine on every piece ([`Facts::parting`]). Each piece is an access of its own, and the statements that read it are parted in the same way
//! ([`super::parts`]): inside of the borders nothing is left of them.

use super::accesses::{Access, Action};
use super::facts::{Domain, Facts, Row};
use super::poly::{LoopIndex, Poly, Symbol};
use super::reject::{Raise, Reject, RejectKind};
use super::statement::{Source, Workshop};
use crate::llvm::{Analyses, Block, Opcode, Value};
use polyhedra::Kind;
use scheduler::scop::Sought;
use std::collections::BTreeSet;

/// Most pieces of one access: those of the eight neighbours of a point in a plane, and itself.
const MOST_PIECES: usize = 9;

/// Sizes of so many are small.
const SMALL: i64 = 64;

/// The row that holds where the other one, `>= 0`, does not.
fn opposite(row: &Row) -> Raise<Row> {
    let less = row.poly.scale(-1).and_then(|p| p.sub(&Poly::constant(1))).ok_or(RejectKind::Overflow)?;
    Ok(Row::ge(less))
}

/// Something on each of several pieces, with the rows that hold there.
pub type Pieces<T> = Vec<(Vec<Row>, T)>;

/// An address on the pieces of a domain on which it is affine: for each the rows that hold there, and what `address` says. `None`: there is an address on the whole domain, or no such pieces.
///
/// # Errors
/// Budget, overflow.
pub fn of<T>(
    facts: &mut Facts,
    pointer: Value,
    domain: &Domain,
    mut address: impl FnMut(&mut Facts, &Domain) -> Raise<T>,
) -> Raise<Option<Pieces<T>>> {
    let before = facts.checkpoint();
    let (mut open, mut out) = (vec![Vec::new()], Vec::new());
    while let Some(rows) = open.pop() {
        let mut piece = domain.clone();
        piece.rows.extend(rows.iter().cloned());
        let here = facts.checkpoint();
        match address(facts, &piece) {
            Ok(found) => {
                out.push((rows, found));
                continue;
            }
            Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => return Err(r),
            Err(_) => facts.restore(&here),
        }
        let Some(row) = facts.parting_of_address(pointer, &piece)? else {
            facts.restore(&before);
            return Ok(None);
        };
        // In the order in which the iterations of the innermost loop that decides come to them, so that a nest for each may stand where it comes.
        let step = |l: &LoopIndex| row.poly.coefficient(&[Symbol::Iterator(*l)]);
        let grows = domain.loops.iter().rev().map(step).find(|c| *c != 0).is_some_and(|c| c > 0);
        let other = opposite(&row)?;
        for side in if grows { [row, other] } else { [other, row] } {
            let mut part = piece.clone();
            part.rows.push(side.clone());
            if !facts.set(&part)?.is_empty(facts.budget)? {
                open.push(rows.iter().cloned().chain([side]).collect());
            }
        }
        if open.len() + out.len() > MOST_PIECES {
            facts.restore(&before);
            return Ok(None);
        }
    }
    Ok(Some(out))
}

/// The piece of a load that all instances of a source read, if they all read the same one: index of the access. `None`: they do not, or it is no load in pieces.
///
/// # Errors
/// Budget, overflow.
pub fn common(facts: &Facts, accesses: &[Access], load: Value, domain: &Domain) -> Raise<Option<usize>> {
    'next: for (k, a) in pieces(accesses, load) {
        for row in &a.piece {
            if !facts.is_nonnegative(&row.poly, domain)? {
                continue 'next;
            }
        }
        return Ok(Some(k));
    }
    Ok(None)
}

/// Is it a load in pieces?
#[must_use]
pub fn is_in_pieces(accesses: &[Access], load: Value) -> bool {
    pieces(accesses, load).next().is_some()
}

fn pieces(accesses: &[Access], load: Value) -> impl Iterator<Item = (usize, &Access)> {
    accesses.iter().enumerate().filter(move |(_, a)| a.action == Action::LoadPiece && a.instruction == load)
}

/// What the program does in every iteration of the innermost loop around a block to find the cells of these loads and stores.
#[must_use]
pub fn sought(analyses: Analyses, block: Block, accesses: &BTreeSet<Value>) -> Sought {
    let mut all = Sought::default();
    let Some(innermost) = analyses.loop_for(block) else { return all };
    let is_here = |v: &Value| v.block().is_some_and(|b| innermost.contains(b));
    let mut known = BTreeSet::new();
    for access in accesses.iter().filter(|v| is_here(v)) {
        // Of a store the value comes first.
        let pointer = access.operands().last().copied();
        let (mut open, mut seen, mut is_sought) = (Vec::from_iter(pointer), BTreeSet::new(), false);
        while let Some(v) = open.pop() {
            let ends = matches!(v.opcode(), Some(Opcode::LLVMLoad | Opcode::LLVMPHI));
            if ends || !is_here(&v) || !seen.insert(v) {
                continue;
            }
            let own = match v.opcode() {
                Some(Opcode::LLVMSRem | Opcode::LLVMURem) => (0, 1),
                Some(Opcode::LLVMSelect | Opcode::LLVMICmp | Opcode::LLVMCall | Opcode::LLVMAnd) => (1, 0),
                _ => (0, 0),
            };
            is_sought |= own != (0, 0);
            // What another one has found is not sought again.
            if known.insert(v) {
                all.operations = (all.operations.0 + own.0, all.operations.1 + own.1);
            }
            open.extend(v.operands());
        }
        all.reads += u32::from(is_sought);
    }
    all
}

/// A source parted as a load is. Parts that only a few small sizes have are left out: larger sizes are assumed.
///
/// # Errors
/// The load is not made in the same iteration; budget, overflow.
pub fn parts(shop: &mut Workshop, source: &Source, load: Value) -> Raise<Vec<Source>> {
    let refuse = || Reject::new(RejectKind::NonAffineAccess(super::facts::describe(load)));
    let mut out = Vec::new();
    for (_, a) in pieces(&shop.accesses.all, load) {
        if !source.domain.loops.starts_with(&a.domain.loops) {
            return Err(refuse());
        }
        let mut part = source.clone();
        part.domain.rows.extend(a.piece.iter().cloned());
        if shop.facts.set(&part.domain)?.is_empty(shop.facts.budget)? || is_ruled_out(shop.facts, &part.domain, source)?
        {
            continue;
        }
        out.push(part);
    }
    Ok(out)
}

/// Has the part instances for a few small sizes only? Then these are ruled out, if there are larger ones.
fn is_ruled_out(facts: &mut Facts, part: &Domain, source: &Source) -> Raise<bool> {
    let set = facts.set(part)?;
    let iterators: Vec<usize> = (0..set.space().dims).collect();
    let shadow = set.project_out(&iterators, facts.budget)?.set;
    for row in shadow.constraints() {
        // `n <= 3` or `n = 3`.
        let sign = if row.kind == Kind::Eq && row.expr.param_coeffs().iter().any(|&c| c > 0) { -1 } else { 1 };
        let bound = row.expr.scale(sign)?;
        let sizes = bound.param_coeffs();
        let is_small = sizes.iter().all(|&c| c <= 0) && sizes.iter().any(|&c| c < 0) && bound.constant_term() <= SMALL;
        if !is_small {
            continue;
        }
        let larger = opposite(&Row::ge(facts.poly_of_params(&bound)))?;
        facts.assumptions.push(larger);
        if !facts.set(&source.domain)?.is_empty(facts.budget)? && facts.set(part)?.is_empty(facts.budget)? {
            return Ok(true);
        }
        facts.assumptions.pop();
    }
    Ok(false)
}
