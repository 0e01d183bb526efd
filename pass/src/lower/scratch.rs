//! Scratch memory: one piece from the heap for all buffers of a [`Scratch`], and copies into them.
//!
//! ```text
//! conditions? ── malloc ── null? ──(no)── body, free ──┐
//!      └───────────────────┴───────────── otherwise ── after
//! ```
//! For mirrors the code is the same with memory and without:
//! ```text
//! conditions and rows that lie badly? ── malloc ── mirrors? body, free
//!      └─────────────────(null)────────────────────┘
//! ```
//! Rows lie badly where their cells have the same places in the caches: every row is a multiple of so many bytes behind the one before.
//!
//! Buffers begin at multiples of a cache line. Where the function may not call `malloc` only `otherwise` is made.

use super::address::{Buffer, MirrorMemory, Storage};
use super::straight::Cells;
use super::vector::{Lane, Many};
use super::walk::Known;
use super::{Emitter, LowerError, Result};
use crate::llvm::Value;
use crate::llvm::build::{Allocator, Compare};
use crate::options::Policy;
use crate::raise::poly::Poly;
use codegen::ast::{AstNode, BufferId, Mirror, Pack, Place, Scratch};
use scheduler::scop::ArrayId;

/// Buffers begin at multiples of this.
const LINE: u64 = 64;

/// Rows that are a multiple of so many bytes apart have the same places in the first level of most caches, and half of them or more in the second.
const SAME_SETS: u64 = 4096;

/// More is not asked for.
const MOST_BYTES: u64 = 1 << 36;

impl Emitter<'_> {
    /// Code with scratch memory.
    pub(super) fn scratch(&mut self, scratch: &Scratch, known: &mut Known) -> Result<()> {
        let (starts, total) = self.layout(&scratch.buffers)?;
        let allocator = match self.allocator {
            Some(known) => known,
            None => *self.allocator.insert(self.t.allocator(self.analyses)),
        };
        let allocator = allocator.filter(|_| total <= MOST_BYTES);
        if scratch.mirrors {
            return match allocator {
                // What is asked before a loop must be known there.
                Some(allocator) if self.numbers.depth() == 0 => {
                    self.mirrors(scratch, (allocator, &starts, total), known)
                }
                _ => self.list(&scratch.body, known),
            };
        }
        let Some(allocator) = allocator else {
            return self.list(&scratch.otherwise, known);
        };
        self.locate_first(&scratch.body);
        let all = self.unknown(&scratch.conditions, known)?;
        let ask = all.map(|all| (all, self.t.block("lw.ask")));
        let (granted, refused, after) = (self.t.block("lw.scratch"), self.t.block("lw.else"), self.t.block("lw.after"));
        if let Some((all, ask)) = ask {
            self.t.branch_if(all, ask, refused);
            self.t.position(ask);
        }
        let bytes = self.t.constant(self.t.int(64), i128::from(total + LINE));
        let memory = self.t.allocate(allocator, bytes);
        let i64 = self.t.int(64);
        let (address, zero) = (self.t.address(memory, i64), self.t.constant(i64, 0));
        let null = self.t.compare(Compare::Equal, address, zero);
        self.t.branch_if(null, refused, granted);
        let straight = self.straight.clone();
        self.t.position(granted);
        let first = self.first_line(memory);
        for (&id, &start) in scratch.buffers.iter().zip(&starts) {
            let start = self.t.constant(i64, start.into());
            let base = self.t.byte_offset(first, start);
            self.memories += 1;
            let key = self.raised.arrays.len() + self.memories;
            let slot = self.buffers.get_mut(id.0).ok_or(LowerError::Malformed("scratch memory that is not there"))?;
            *slot = Some(Buffer { base, home: (self.numbers.depth(), granted), key, mirror: None });
        }
        let before = known.mark();
        known.assume(&scratch.conditions)?;
        self.list(&scratch.body, known)?;
        known.forget(before);
        for &id in &scratch.buffers {
            if let Some(slot) = self.buffers.get_mut(id.0) {
                *slot = None;
            }
        }
        self.give_back(allocator, memory, &scratch.body);
        self.t.branch(after);
        self.straight = straight;
        self.t.position(refused);
        self.list(&scratch.otherwise, known)?;
        self.t.branch(after);
        self.straight = super::straight::Straight::default();
        self.t.position(after);
        Ok(())
    }

    /// Code that reads mirrors where there is memory for them, and runs without it, too.
    fn mirrors(
        &mut self,
        scratch: &Scratch,
        (allocator, starts, total): (Allocator, &[u64], u64),
        known: &mut Known,
    ) -> Result<()> {
        self.locate_first(&scratch.body);
        let (i1, i64) = (self.t.int(1), self.t.int(64));
        let all = self.unknown(&scratch.conditions, known)?;
        let mut asked: Vec<(BufferId, Mirror, Value, Value)> = Vec::new();
        for &id in &scratch.buffers {
            let mirror = self.ast.buffers.get(id.0).and_then(|b| b.mirror);
            let mirror = mirror.ok_or(LowerError::Malformed("a mirror that is none"))?;
            if let Some((stride, badly)) = self.lies_badly(self.array_of(Storage::Buffer(id))?)? {
                asked.push((id, mirror, stride, badly));
            }
        }
        let Some(any) = asked.iter().map(|a| a.3).reduce(|a, b| self.t.or(a, b)) else {
            return self.list(&scratch.body, known);
        };
        let asks = all.map_or(any, |all| self.t.and(all, any));
        let (from, ask, granted) = (self.t.current(), self.t.block("lw.ask"), self.t.block("lw.mirrors"));
        self.t.branch_if(asks, ask, granted);
        self.t.position(ask);
        let bytes = self.t.constant(i64, i128::from(total + LINE));
        let memory = self.t.allocate(allocator, bytes);
        self.t.branch(granted);
        self.t.position(granted);
        let null = self.t.zero(memory.ty());
        let either = self.t.phi(memory.ty());
        self.t.add_incoming(either, memory, ask);
        self.t.add_incoming(either, null, from);
        let (address, zero) = (self.t.address(either, i64), self.t.constant(i64, 0));
        let is_null = self.t.compare(Compare::Equal, address, zero);
        let first = self.first_line(either);
        let no = self.t.constant(i1, 0);
        let mut strides = Vec::new();
        let mut there = Vec::new();
        for (id, mirror, of_array, badly) in asked {
            let is_there = self.t.select(is_null, no, badly);
            let start = scratch.buffers.iter().position(|b| *b == id).and_then(|k| starts.get(k)).copied();
            let start = self.t.constant(i64, start.unwrap_or_default().into());
            let base = self.t.byte_offset(first, start);
            let bytes = i128::from(self.bytes_of(Storage::Buffer(id))?) * i128::from(mirror.row);
            let of_mirror = self.t.constant(i64, bytes);
            strides.push(self.t.select(is_there, of_mirror, of_array));
            there.push((id, mirror, base, is_there));
        }
        let (params, outside) = self.numbers.with_params(granted, &strides);
        for ((id, mirror, base, is_there), stride) in there.into_iter().zip(params) {
            self.memories += 1;
            let key = self.raised.arrays.len() + self.memories;
            let memory = MirrorMemory { granted: is_there, stride, row: mirror.row };
            let slot = self.buffers.get_mut(id.0).ok_or(LowerError::Malformed("scratch memory that is not there"))?;
            *slot = Some(Buffer { base, home: (0, granted), key, mirror: Some(memory) });
        }
        let before = known.mark();
        self.list(&scratch.body, known)?;
        known.forget(before);
        for &id in &scratch.buffers {
            if let Some(slot) = self.buffers.get_mut(id.0) {
                *slot = None;
            }
        }
        self.numbers.without_params(outside);
        self.give_back(allocator, either, &scratch.body);
        self.straight = super::straight::Straight::default();
        Ok(())
    }

    /// How many bytes one row of an array is behind the one before, and whether its rows lie badly; `None`: nobody knows.
    fn lies_badly(&mut self, array: ArrayId) -> Result<Option<(Value, Value)>> {
        let data = self.data(array)?;
        let (i64, zero) = (self.t.int(64), self.t.constant(self.t.int(64), 0));
        let dense = |s: &Poly| s.as_constant() == i64::try_from(data.bytes).ok();
        let [row, cell] = data.strides.as_slice() else { return Ok(None) };
        if data.table.is_some() || data.rows.are_packed() || !dense(cell) || !row.is_invariant() {
            return Ok(None);
        }
        let stride = self.numbers.polynomial(&mut self.t, row, 64)?;
        let rest = self.t.constant(i64, i128::from(SAME_SETS) - 1);
        let rest = self.t.and(stride, rest);
        let badly = match self.options.policy {
            // Tests want mirrors wherever there can be some.
            Policy::Kernels => self.t.constant(self.t.int(1), 1),
            _ => self.t.compare(Compare::Equal, rest, zero),
        };
        Ok(Some((stride, badly)))
    }

    /// The first line that begins in memory.
    fn first_line(&mut self, memory: Value) -> Value {
        let i64 = self.t.int(64);
        let (address, zero) = (self.t.address(memory, i64), self.t.constant(i64, 0));
        let mask = self.t.constant(i64, i128::from(LINE) - 1);
        let negative = self.t.sub(zero, address);
        let room = self.t.and(negative, mask);
        self.t.byte_offset(memory, room)
    }

    fn give_back(&mut self, allocator: Allocator, memory: Value, nodes: &[AstNode]) {
        self.locate_first(nodes);
        self.t.release(allocator, memory);
    }

    /// Where each buffer begins, and the size of all.
    fn layout(&self, buffers: &[BufferId]) -> Result<(Vec<u64>, u64)> {
        let (mut starts, mut total) = (Vec::new(), 0u64);
        for &id in buffers {
            let cells =
                self.ast.buffers.get(id.0).ok_or(LowerError::Malformed("scratch memory that is not there"))?.cells;
            let bytes = self.bytes_of(Storage::Buffer(id))?;
            starts.push(total);
            let size = cells.checked_mul(bytes).and_then(|b| b.checked_next_multiple_of(LINE));
            total = size.and_then(|s| total.checked_add(s)).ok_or(LowerError::TooLarge("scratch memory"))?;
        }
        if total > MOST_BYTES {
            return Ok((starts, MOST_BYTES + 1));
        }
        Ok((starts, total))
    }

    /// A copy into scratch memory.
    pub(super) fn pack(&mut self, pack: &Pack, known: &Known) -> Result<()> {
        let many = pack.lanes.as_ref().map(|l| self.many(l, known)).transpose()?;
        self.budget.spend(many.as_ref().map_or(1, |m| m.width.into()))?;
        let alignment = self.alignment_of_array(pack.array);
        let cells = Cells::new(Storage::Array(pack.array), &pack.subscripts, many.as_ref().map(Many::spread));
        let held = self.register(pack.array, &pack.subscripts);
        let held = held.filter(|r| r.width() == many.as_ref().map(|m| m.width)).map(|r| (r.ty, r.slot));
        let value = match &many {
            _ if let Some((ty, slot)) = held => self.load_slot(ty, slot),
            Some(many) if cells.lanes.is_none() => {
                let value = self.load_for_some(&cells, alignment, many)?;
                let all = self.spread(value, many.width);
                match self.mask(many)? {
                    Some(mask) if matches!(value, Lane::Same(_)) => {
                        let zero = self.t.zero(all.ty());
                        self.t.select(mask, all, zero)
                    }
                    _ => all,
                }
            }
            _ => self.load_cells(&cells, alignment, true)?,
        };
        let cell = if many.is_some() { Lane::Each(value) } else { Lane::Same(value) };
        let value = match (self.before_copy(pack.to.buffer, cell, many.as_ref())?, &many) {
            (value, Some(many)) => self.spread(value, many.width),
            (Lane::Same(value) | Lane::Each(value), None) => value,
        };
        let to = self.place(&pack.to, many.as_ref());
        if many.is_some() && to.lanes.is_none() {
            return Err(LowerError::Malformed("many lanes write one place"));
        }
        let alignment = self.alignment_of_place(&to)?;
        self.store_cells(to, value, alignment)
    }

    /// A place of each lane, whether it runs or not.
    pub(super) fn place(&self, place: &Place, many: Option<&Many>) -> Cells {
        let all = many.map(Many::all);
        Cells::new(Storage::Buffer(place.buffer), std::slice::from_ref(&place.index), all.as_ref().map(Many::spread))
    }

    /// What the form of the index says of the alignment.
    pub(super) fn alignment_of_place(&self, cells: &Cells) -> Result<u32> {
        let bytes = self.bytes_of(cells.storage)?;
        let mut alignment = LINE;
        for e in &cells.first {
            for c in e.coeffs().iter().filter(|c| **c != 0) {
                let low = c.trailing_zeros().min(6);
                alignment = alignment.min(lowest_bit(bytes) << low);
            }
        }
        Ok(u32::try_from(alignment).unwrap_or(1))
    }
}

fn lowest_bit(x: u64) -> u64 {
    1 << x.trailing_zeros().min(6)
}
