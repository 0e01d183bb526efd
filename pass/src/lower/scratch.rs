//! Scratch memory: one piece from the heap for all buffers of a [`Scratch`], and copies into them.
//!
//! ```text
//! conditions? ── malloc ── null? ──(no)── body, free ──┐
//!      └───────────────────┴───────────── otherwise ── after
//! ```
//! Buffers begin at multiples of a cache line. Where the function may not call `malloc` only `otherwise` is made.

use super::address::{Buffer, Storage};
use super::straight::Cells;
use super::vector::{Lane, Many};
use super::walk::Known;
use super::{Emitter, LowerError, Result};
use crate::llvm::Value;
use crate::llvm::build::{Allocator, Compare};
use codegen::ast::{AstNode, BufferId, Pack, Place, Scratch};

/// Buffers begin at multiples of this.
const LINE: u64 = 64;

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
        let Some(allocator) = allocator.filter(|_| total <= MOST_BYTES) else {
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
        let mask = self.t.constant(i64, i128::from(LINE) - 1);
        let negative = self.t.sub(zero, address);
        let room = self.t.and(negative, mask);
        let first = self.t.byte_offset(memory, room);
        for (&id, &start) in scratch.buffers.iter().zip(&starts) {
            let start = self.t.constant(i64, start.into());
            let base = self.t.byte_offset(first, start);
            self.memories += 1;
            let key = self.raised.arrays.len() + self.memories;
            let slot = self.buffers.get_mut(id.0).ok_or(LowerError::Malformed("scratch memory that is not there"))?;
            *slot = Some(Buffer { base, home: (self.numbers.depth(), granted), key });
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
