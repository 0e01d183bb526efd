//! Square blocks of cells, loaded and stored as they lie and transposed in registers.
//!
//! As many vectors held in turn, one inside the other, as each has lanes, whose cells are neighbours from vector to vector and apart from lane to lane: `A[i + lane][j]`,
//! `A[i + lane][j + 1]`, ... Instead of lane by lane the cells are loaded by rows, one a lane. All of them are read by the program: each vector is held because each of its
//! lanes that runs is used. The row of a lane that does not run is that of the last lane that does.
//!
//! With `c` cells in 128 bits and `g` times as many lanes, lanes `c k + b` for fixed `b` are first brought together, part by part (for pairs of them by loading two halves
//! of a register); then squares of `c` by `c` within 128 bits are transposed. So every shuffle is one that x86 has as a single instruction without an index.

use super::address::Storage;
use super::body::Register;
use super::straight::{Cells, without};
use super::vector::Many;
use super::walk::Known;
use super::{Emitter, Result};
use crate::llvm::Value;
use crate::llvm::build::Compare;
use codegen::ast::{AstNode, Held};

/// Bits within which shuffles are cheap.
const LANE_BITS: u64 = 128;

/// Vectors that are held, from outside.
pub(super) struct Block<'h> {
    held: Vec<&'h Held>,
    many: Many,
    /// Cells in [`LANE_BITS`].
    cells: usize,
}

impl Block<'_> {
    /// In how many parts a row is taken up.
    fn halves(&self) -> usize {
        if self.held.len() == self.cells { 1 } else { 2 }
    }
}

impl Emitter<'_> {
    /// The block that begins with this register, if there is one that can be loaded by rows.
    pub(super) fn block<'h>(&self, first: &'h Held, known: &Known) -> Result<Option<Block<'h>>> {
        let Some(lanes) = &first.lanes else { return Ok(None) };
        let width = lanes.width as usize;
        let steps: Vec<i64> = first.subscripts.iter().map(|e| e.dim_coeff(lanes.var.0)).collect();
        // Not along the row, but from row to row.
        if steps.split_last().is_none_or(|(_, others)| others.iter().all(|s| *s == 0)) {
            return Ok(None);
        }
        let mut held = vec![first];
        while held.len() < width {
            let before = held[held.len() - 1];
            let [AstNode::Held(next)] = before.body.as_slice() else { return Ok(None) };
            let alike = (next.array, &next.lanes, next.mirrored.is_some());
            if alike != (first.array, &first.lanes, first.mirrored.is_some()) || !follows(before, next)? {
                return Ok(None);
            }
            held.push(next);
        }
        if held.iter().any(|h| h.load != first.load || h.store != first.store || h.ahead.is_some()) {
            return Ok(None);
        }
        let data = self.data(first.array)?;
        let neighbours = data.strides.last().and_then(crate::raise::poly::Poly::as_constant);
        if data.rows.are_packed() || neighbours != i64::try_from(data.bytes).ok() {
            return Ok(None);
        }
        let Ok(cells) = usize::try_from((LANE_BITS / 8 / data.bytes.max(1)).max(1)) else { return Ok(None) };
        let cells = cells.min(width);
        if !width.is_power_of_two() || !cells.is_power_of_two() || width / cells > 4 {
            return Ok(None);
        }
        let many = self.many(lanes, known)?;
        if many.idle || !many.starts_at_first() || (first.store && !many.full()) {
            return Ok(None);
        }
        Ok(Some(Block { held, many, cells }))
    }

    /// Runs a list with a block in registers.
    pub(super) fn held_block(&mut self, block: &Block<'_>, known: &mut Known) -> Result<()> {
        let Some((first, last)) = block.held.first().zip(block.held.last()) else { return Ok(()) };
        self.locate_first(&last.body);
        let loaded = if first.load {
            self.load_block(block, first)?.into_iter().map(Some).collect()
        } else {
            vec![None; block.held.len()]
        };
        let before = self.registers.len();
        let ty = self.t.vector(self.data(first.array)?.element, block.many.width);
        let mut slots = Vec::new();
        for (held, value) in block.held.iter().zip(loaded) {
            let slot = self.t.slot(ty);
            value.into_iter().for_each(|value| self.store_slot(value, slot));
            slots.push(slot);
            let (array, subscripts, lanes) = (held.array, held.subscripts.clone(), held.lanes.clone());
            self.registers.push(Register { array, subscripts, slot, ty, lanes });
        }
        self.list(&last.body, known)?;
        self.registers.truncate(before);
        if first.store {
            self.locate_first(&last.body);
            let values: Vec<Value> = slots.into_iter().map(|slot| self.load_slot(ty, slot)).collect();
            self.store_block(block, first, &values)?;
        }
        Ok(())
    }

    /// The least alignment that accesses to the cells of a block are known to have.
    fn alignment_of_block(&self, block: &Block<'_>) -> Result<u32> {
        let mut least: Option<u32> = None;
        for held in &block.held {
            let own = self.alignment_of_cell(held)?;
            least = Some(least.map_or(own, |least| least.min(own)));
        }
        Ok(least.unwrap_or(1))
    }

    /// The vectors of a block.
    fn load_block(&mut self, block: &Block<'_>, first: &Held) -> Result<Vec<Value>> {
        let width = block.held.len();
        let storage = match &first.mirrored {
            Some(place) => self.mirrored(first.array, &first.subscripts, place)?,
            None => Storage::Array(first.array),
        };
        let rows = self.rows(block, first, storage)?;
        let alignment = self.alignment_of_block(block)?;
        let element = self.data(first.array)?.element;
        let halves = block.halves();
        let ty = self.t.vector(element, number(width / halves));
        let mut loaded = Vec::new();
        for row in rows {
            for half in 0..halves {
                let start = self.t.constant(self.t.int(64), (half * width / halves) as i128);
                let address = if half == 0 { row } else { self.t.cell_offset(element, row, start) };
                let value = self.t.load(ty, address, alignment);
                self.annotate(value, storage);
                loaded.push(value);
            }
        }
        Ok(self.transposed(block, &loaded))
    }

    /// Stores what is in the registers of a block.
    fn store_block(&mut self, block: &Block<'_>, first: &Held, values: &[Value]) -> Result<()> {
        let width = number(block.held.len());
        let storage = Storage::Array(first.array);
        let rows = self.rows(block, first, storage)?;
        let alignment = self.alignment_of_block(block)?;
        let halves = number(block.halves());
        let mut split = Vec::new();
        for &value in values {
            for half in 0..halves {
                let part = half * width / halves..(half + 1) * width / halves;
                split.push(if halves == 1 { value } else { self.t.shuffled(value, None, part) });
            }
        }
        for (row, value) in rows.into_iter().zip(self.transposed(block, &split)) {
            let store = self.t.store(value, row, alignment);
            self.annotate(store, storage);
        }
        for (held, &value) in block.held.iter().zip(values) {
            let cells = Cells::new(storage, &held.subscripts, Some(block.many.spread()));
            self.straight.stored(cells, value, &self.never_meet);
        }
        Ok(())
    }

    /// The columns of a square whose rows, or halves of them, are given.
    fn transposed(&mut self, block: &Block<'_>, loaded: &[Value]) -> Vec<Value> {
        let width = block.held.len();
        let (c, g) = (block.cells, width / block.cells);
        let halves = block.halves();
        // parts[p][b]: the p-th part of rows b, c + b, 2 c + b, ...
        let mut parts = vec![Vec::with_capacity(c); g];
        for b in 0..c {
            let half = |k: usize, half: usize| loaded[(k * c + b) * halves + half];
            if g == 1 {
                parts[0].push(half(0, 0));
                continue;
            }
            for h in 0..2 {
                let pair = |t: &mut crate::llvm::build::Transaction, k: usize| {
                    t.shuffled(half(k, h), Some(half(k + 1, h)), 0..number(width))
                };
                let low = pair(&mut self.t, 0);
                if g == 2 {
                    parts[h].push(low);
                    continue;
                }
                let high = pair(&mut self.t, 2);
                for part in 0..2 {
                    let order = (0..width).map(|lane| number(lane / c * 2 * c + part * c + lane % c));
                    let value = self.t.shuffled(low, Some(high), order);
                    parts[2 * h + part].push(value);
                }
            }
        }
        let mut out = Vec::with_capacity(width);
        for mut part in parts {
            // As often as it takes, the first half of the vectors is interleaved with the second.
            for _ in 0..c.trailing_zeros() {
                let mut next = Vec::with_capacity(c);
                for k in 0..c / 2 {
                    for high in [0, c / 2] {
                        let order = (0..width).map(|lane| {
                            let within = lane % c;
                            number(lane - within + high + within / 2 + (within % 2) * width)
                        });
                        next.push(self.t.shuffled(part[k], Some(part[k + c / 2]), order));
                    }
                }
                part = next;
            }
            out.extend(part);
        }
        out
    }

    /// The address of each lane's row.
    fn rows(&mut self, block: &Block<'_>, first: &Held, storage: Storage) -> Result<Vec<Value>> {
        let cells = Cells::new(storage, &first.subscripts, Some(block.many.spread()));
        if block.many.full() {
            let address = |lane: u32| self.address(storage, &cells.at(lane)?);
            return (0..block.many.width).map(address).collect();
        }
        let steps = cells.lanes.as_ref().map(|s| s.steps.clone()).unwrap_or_default();
        let start: Vec<_> = first.subscripts.iter().map(|e| without(e, block.many.var)).collect();
        let start = self.address(storage, &start)?;
        let end = self.lanes_end(&block.many)?;
        let (i32, i64) = (self.t.int(32), self.t.int(64));
        let mut out = vec![start];
        let Some(bytes) = self.bytes_between(storage, &steps)? else {
            // Rows that lie anywhere: their addresses can be had, but what is in them only where they run.
            for lane in 1..block.many.width {
                let own = self.address(storage, &cells.at(lane)?)?;
                let lane = self.t.constant(i32, lane.into());
                let runs = self.t.compare(Compare::SignedLess, lane, end);
                out.push(self.t.select(runs, own, start));
            }
            return Ok(out);
        };
        let bytes = self.numbers.polynomial(&mut self.t, &bytes, 64)?;
        let one = self.t.constant(i32, 1);
        let last = self.t.sub(end, one);
        for lane in 1..block.many.width {
            let lane = self.t.constant(i32, lane.into());
            let lane = self.t.extremum(false, lane, last);
            let lane = self.t.resize(lane, i64);
            let offset = self.t.mul(lane, bytes);
            out.push(self.t.byte_offset(start, offset));
        }
        Ok(out)
    }
}

/// Are its cells the neighbours of those?
fn follows(before: &Held, next: &Held) -> Result<bool> {
    let Some((last, others)) = before.subscripts.split_last() else { return Ok(false) };
    let Some((own, rest)) = next.subscripts.split_last() else { return Ok(false) };
    Ok(others == rest && last.offset(1)? == *own)
}

/// Lanes are few.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
