//! Loops over vectors whose lanes have every second cell, say: what lies between is part of the vectors, and stays as it is.
//!
//! **Problem.** A sweep over every second point of a row, `A[j] = f(A[j - 1], A[j + 1])`, reads cells that lie between those that it stores. The vector of the cells `j - 1` begins within the bytes of the
//! vector that was stored last, though with none of its lanes, and processors wait until that store has come to the cache (measured on Zen 5: a third of the speed of scalars).
//!
//! **Method.** The cells `j - 1` of a vector are, but for the first, its cells `j + 1` of one lane before, and the first is the last of those that the iteration before has read. So these stay in a register, and
//! one vector is loaded instead of two. Iterations do not depend on each other: none stores to a cell that another one reads. Carr and Kennedy, *Scalar replacement in the presence of conditional control flow*
//! (Software 1994), across lanes.
//!
//! Lines are asked for before they are wanted, as masked loads are not foreseen well by processors (measured on Zen 5: 1.2 to 1.8 times as fast where rows come from the third level or from memory, as fast elsewhere).

use super::address::Storage;
use super::body::Instance;
use super::straight::Cells;
use super::walk::Known;
use super::{Emitter, LowerError, Result};
use crate::llvm::{Type, Value};
use codegen::ast::{AstNode, Call, Expr, For, Lanes};
use codegen::interpret::subscripts;
use polyhedra::Affine;
use scheduler::scop::{AccessKind, ArrayId};

/// Bytes from what is read to what is asked for.
const AHEAD: i128 = 512;

/// What such a loop does beside its statement.
#[derive(Default)]
pub(super) struct Between {
    again: Vec<Again>,
    /// Cells of the last rows of arrays, of lane 0.
    fetched: Vec<(Storage, Vec<Affine>)>,
}

/// Two reads of a statement with lanes, the cells of one of them a lane behind those of the other one.
struct Again {
    array: ArrayId,
    behind: Vec<Affine>,
    ahead: Vec<Affine>,
    /// Cells from one lane to the next.
    apart: u32,
    alignment: u32,
    /// Holds all cells from the first lane ahead to those of the last one, as they were read last.
    slot: Value,
    ty: Type,
}

/// An access with cells between those of its lanes.
struct Spaced {
    access: usize,
    cell: Vec<Affine>,
    apart: u32,
    ty: Type,
}

impl Emitter<'_> {
    /// Prepares a loop, in front of it, where it is sure to run. To be dropped behind it.
    pub(super) fn begin_between(&mut self, f: &For, known: &Known) -> Result<Between> {
        let mut out = Between::default();
        let ([AstNode::Call(call)], Expr::Affine(first), 1, true) = (f.body.as_slice(), &f.lower, f.step, f.parallel)
        else {
            return Ok(out);
        };
        let (statement, body) = self.statement(call)?;
        let Some(lanes) = &call.lanes else { return Ok(out) };
        if !self.many(lanes, known)?.full()
            || body.is_conditional()
            || !call.packed.is_empty()
            || !call.behind.is_empty()
        {
            return Ok(out);
        }
        let spaced = self.spaced(call, lanes, known)?;
        if spaced.first().is_none_or(|s| s.access != 0) {
            return Ok(out);
        }
        let moves = |e: &Affine| e.dim_coeff(lanes.var.0);
        let width = i64::from(lanes.width);
        let written = statement.write().array;
        let read = |s: &&Spaced| {
            let access = &statement.accesses[s.access];
            access.kind == AccessKind::Read && access.array == written
        };
        for behind in spaced.iter().filter(read) {
            for ahead in spaced.iter().filter(read) {
                let pairs = || behind.cell.iter().zip(&ahead.cell);
                let is_ahead = pairs().all(|(b, a)| b.offset(moves(a)).is_ok_and(|b| b == *a));
                // From one vector to the next as from its first lane behind the last.
                let goes_on = ahead.cell.iter().all(|a| moves(a).checked_mul(width) == Some(a.dim_coeff(f.var.0)));
                if !is_ahead || !goes_on {
                    continue;
                }
                let alignment = body.alignments.get(ahead.access).copied().unwrap_or(1).max(1);
                let begins = |e: &Affine| -> Result<Affine> {
                    let mut rest = e.clone();
                    rest.set_dim(f.var.0, 0);
                    rest.set_dim(lanes.var.0, 0);
                    Ok(rest.combine(1, first, e.dim_coeff(f.var.0))?)
                };
                let begin = behind.cell.iter().map(begins).collect::<Result<Vec<_>>>()?;
                let begin = self.load_cells(
                    &Cells { storage: Storage::Array(written), first: begin, lanes: None },
                    alignment,
                    true,
                )?;
                let begin = self.t.splat(begin, lanes.width * ahead.apart);
                let slot = self.t.slot(ahead.ty);
                self.t.store_slot(begin, slot);
                out.again.push(Again {
                    array: written,
                    behind: behind.cell.clone(),
                    ahead: ahead.cell.clone(),
                    apart: ahead.apart,
                    alignment,
                    slot,
                    ty: ahead.ty,
                });
            }
        }
        // Of the rows of an array the others have been read before.
        for s in &spaced {
            let array = |s: &Spaced| statement.accesses[s.access].array;
            let is_behind = |other: &Spaced| array(other) == array(s) && comes_after(&other.cell, &s.cell);
            let mut cell = s.cell.clone();
            cell.iter_mut().for_each(|e| e.set_dim(lanes.var.0, 0));
            let row = |cell: &[Affine]| cell.split_last().map(|(_, others)| others.to_vec());
            let storage = Storage::Array(array(s));
            let known = out.fetched.iter().any(|(other, c)| *other == storage && row(c) == row(&cell));
            if !known && !spaced.iter().any(is_behind) {
                out.fetched.push((storage, cell));
            }
        }
        Ok(out)
    }

    fn spaced(&mut self, call: &Call, lanes: &Lanes, known: &Known) -> Result<Vec<Spaced>> {
        let many = self.many(lanes, known)?;
        let (statement, _) = self.statement(call)?;
        let mut out = Vec::new();
        for (access, of) in statement.accesses.iter().enumerate() {
            let cell = subscripts(of, call, self.ast.space)?;
            let cells = Cells::new(Storage::Array(of.array), &cell, Some(many.spread()));
            if self.register(of.array, &cell).is_none()
                && let Some(spread) = &cells.lanes
                && let Some(apart) = self.every_so_many(&cells, spread)?
            {
                let ty = self.t.vector(self.element_of(cells.storage)?, lanes.width * apart);
                out.push(Spaced { access, cell, apart, ty });
            }
        }
        Ok(out)
    }

    /// Asks for the lines that some iterations from now will want. Nothing says that there are such: the addresses are computed without promises, and fetching a line of nowhere does nothing.
    pub(super) fn fetch_between(&mut self) -> Result<()> {
        for k in 0..self.between.fetched.len() {
            let Some((storage, cell)) = self.between.fetched.get(k).cloned() else { break };
            let here = self.address(storage, &cell)?;
            let ahead = self.t.constant(self.t.int(64), AHEAD);
            let there = self.t.cell_offset(self.t.int(8), here, ahead);
            self.t.prefetch(there, true);
        }
        Ok(())
    }

    /// What an access reads, from cells that the iteration before has read and those one lane ahead, which are loaded. `None`: it is no such access.
    pub(super) fn read_again(&mut self, instance: &Instance, array: ArrayId, cell: &[Affine]) -> Result<Option<Value>> {
        let Some(many) = instance.many.as_ref() else { return Ok(None) };
        let Some(again) = self.between.again.iter().find(|a| a.array == array && a.behind == *cell) else {
            return Ok(None);
        };
        let Again { apart, alignment, slot, ty, .. } = *again;
        let storage = Storage::Array(array);
        let behind = Cells::new(storage, cell, Some(many.spread()));
        if let Some(known) = self.straight.find(&behind, true) {
            return Ok(Some(known));
        }
        let ahead = Cells::new(storage, &again.ahead, Some(many.spread()));
        let spread = ahead.lanes.as_ref().ok_or(LowerError::Malformed("cells between those of no lanes"))?;
        let now = self.load_every((&ahead, spread, apart), alignment, None)?;
        let before = self.load_slot(ty, slot);
        self.store_slot(now, slot);
        let all = many.width * apart;
        let moved = self.t.shuffled(before, Some(now), (0..all).map(|cell| cell + all - apart));
        let [now, moved] = [now, moved].map(|v| self.t.shuffled(v, None, (0..many.width).map(|lane| lane * apart)));
        self.straight.loaded(ahead, now);
        self.straight.loaded(behind, moved);
        Ok(Some(moved))
    }
}

/// Does a cell lie in a row behind that of another one, by constants?
fn comes_after(cell: &[Affine], other: &[Affine]) -> bool {
    let gaps: Option<Vec<i64>> = cell
        .iter()
        .zip(other)
        .map(|(a, b)| a.sub(b).ok().filter(Affine::is_constant).map(|d| d.constant_term()))
        .collect();
    let Some(gaps) = gaps else { return false };
    gaps.split_last().and_then(|(_, rows)| rows.iter().find(|d| **d != 0)).is_some_and(|d| *d > 0)
}
