//! Where cells are: `base + sum stride_k * subscript_k`, in steps from the outermost level to the innermost.
//!
//! `A[i][j + 1]` of rows of `n` doubles is `8*n*i + 8*j + 8` bytes behind the base: one step `base + 8*n*i` in the header of loop `i`, one step `+ 8*j` in that
//! of loop `j`, and the constant last, so that neighbours share all but the last step. Steps by whole cells count in cells.
//!
//! Rows that lie anywhere are memory of their own each: where the number of a row is known its address is loaded, of a row that there is (see [`super::rows`]).
//!
//! In an innermost loop an address starts from what outer loops make of it, of which scalar evolution is kept from knowing anything: its forms in the variables of many
//! loops cost LLVM's strength reduction a third of all compile time, and gave it wrong ideas. What only parameters have a part in comes behind that, so that rows of a tile
//! are still seen to lie at so many bytes from each other. Cells of loops around vectors start so, too: a register for the tile, not one for each of its rows, which
//! would not stay in registers beside the inner loop's.
//!
//! Scratch memory begins in the middle of the code: what would be computed further outside is computed where it begins.

use super::numbers::{Share, poly_of};
use super::rows::pointer;
use super::{Emitter, LowerError, Result};
use crate::llvm::build::Transaction;
use crate::llvm::{Block, Type, Value};
use crate::raise::poly::{ParamIndex, Poly, Symbol};
use crate::raise::shape::Rows;
use codegen::ast::{BufferId, Place};
use polyhedra::Affine;
use scheduler::scop::ArrayId;
use std::borrow::Cow;

/// What has cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Storage {
    /// An array of the program.
    Array(ArrayId),
    /// Scratch memory.
    Buffer(BufferId),
    /// An array of the program or its mirror, whatever there is: index into [`Emitter::mirrors`].
    Mirror(usize),
}

/// Where the cells of a mirror are: an array's in each case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mirrored {
    array: ArrayId,
    buffer: BufferId,
    /// The cell of the subscripts (0, 0) would lie so many places in front of the mirror's first one.
    before: Affine,
}

/// Scratch memory that there is.
#[derive(Clone, Copy)]
pub(super) struct Buffer {
    /// Its first byte.
    pub(super) base: Value,
    /// Where it was made, and the number of loops around.
    pub(super) home: (usize, Block),
    /// No other memory has had this number: a buffer may be made several times.
    pub(super) key: usize,
    /// It is a mirror.
    pub(super) mirror: Option<MirrorMemory>,
}

/// What is known of a mirror when the program runs.
#[derive(Clone, Copy)]
pub(super) struct MirrorMemory {
    /// Is there memory for it?
    pub(super) granted: Value,
    /// Bytes from one value of the first subscript to the next, in the mirror or, where there is none, in the array.
    pub(super) stride: ParamIndex,
    /// The same of the mirror, in cells.
    pub(super) row: i64,
}

/// What addresses start from.
struct Origin<'a> {
    base: Value,
    key: usize,
    level: usize,
    home: Option<Block>,
    bytes: u64,
    strides: Cow<'a, [Poly]>,
    rows: Cow<'a, Rows>,
}

/// Arrays and buffers have smaller numbers.
const FIRST_KEY: usize = 1 << 32;

/// Added to the keys of addresses that start from an opaque one.
const OPAQUE: usize = 1 << 48;

/// Bytes from the start of a triangle to column 0 of a row; the stride is even.
fn before(rows: &Rows, row: &Poly, stride: &Poly) -> Option<Poly> {
    let stride = stride.as_constant().filter(|s| s % 2 == 0)?;
    rows.twice_before(row)?.scale(stride / 2)
}

impl<'a> Emitter<'a> {
    /// Bytes of a cell.
    pub(super) fn bytes_of(&self, storage: Storage) -> Result<u64> {
        match storage {
            Storage::Array(id) => Ok(self.data(id)?.bytes),
            Storage::Buffer(id) => Ok(self.cell_of_buffer(id)?.bytes),
            Storage::Mirror(_) => Ok(self.data(self.array_of(storage)?)?.bytes),
        }
    }

    /// Cells of an array that are also at a place of a mirror, if that is there.
    pub(super) fn mirrored(&mut self, array: ArrayId, subscripts: &[Affine], place: &Place) -> Result<Storage> {
        let Some(mirror) = self.buffers.get(place.buffer.0).copied().flatten().and_then(|b| b.mirror) else {
            return Ok(Storage::Array(array));
        };
        let [first, second] = subscripts else {
            return Err(LowerError::Malformed("a mirror of another number of subscripts"));
        };
        let before = first.scale(mirror.row)?.add(second)?.sub(&place.index)?;
        let mirrored = Mirrored { array, buffer: place.buffer, before };
        let known = self.mirrors.iter().position(|m| *m == mirrored);
        Ok(Storage::Mirror(known.unwrap_or_else(|| {
            self.mirrors.push(mirrored);
            self.mirrors.len() - 1
        })))
    }

    /// Bytes from one row to the next, in the mirror or in the array.
    fn row_of(&self, number: usize) -> Result<Poly> {
        let buffer = self.mirrors.get(number).and_then(|m| self.buffers.get(m.buffer.0).copied().flatten());
        let mirror = buffer.and_then(|b| b.mirror).ok_or(LowerError::Malformed("a mirror outside of its code"))?;
        Ok(Poly::symbol(Symbol::Param(mirror.stride)))
    }

    /// The mirror if there is memory for it, else the array: from there the cells are as many rows and columns away as their subscripts say.
    fn either(&mut self, number: usize) -> Result<Origin<'a>> {
        let Some(Mirrored { array, buffer, before }) = self.mirrors.get(number).cloned() else {
            return Err(LowerError::Malformed("a mirror that is not there"));
        };
        let outside = || LowerError::Malformed("a mirror outside of its code");
        let there = self.buffers.get(buffer.0).copied().flatten().ok_or_else(outside)?;
        let mirror = there.mirror.ok_or_else(outside)?;
        let data = self.data(array)?;
        let bytes = i64::try_from(data.bytes).map_err(|_| LowerError::Malformed("a wide cell"))?;
        let poly = poly_of(&before)?;
        let level = self.numbers.by_level(&poly)?.last().map_or(0, |share| share.level);
        let next = FIRST_KEY + 2 * self.row_keys.len();
        let key = *self.row_keys.entry((self.raised.arrays.len() + there.key, poly.clone())).or_insert(next);
        let own = (key + 1, Poly::default());
        let base = match self.numbers.known_address(level, &own) {
            Some(known) => known,
            None => {
                let back =
                    self.numbers.polynomial(&mut self.t, &poly.scale(-bytes).ok_or(polyhedra::Error::Overflow)?, 64)?;
                let program = self.hoisted.get(data.base);
                self.numbers.new_address(&mut self.t, (level, None), own, |t| {
                    let first = t.byte_offset(there.base, back);
                    t.select(mirror.granted, first, program)
                })
            }
        };
        let strides = vec![self.row_of(number)?, Poly::constant(bytes)];
        Ok(Origin {
            base,
            key,
            level,
            home: None,
            bytes: data.bytes,
            strides: Cow::Owned(strides),
            rows: Cow::Owned(Rows::Alike),
        })
    }

    fn origin(&mut self, storage: Storage, subscripts: &[Affine]) -> Result<Origin<'a>> {
        let data = self.data(self.array_of(storage)?)?;
        let bytes = self.bytes_of(storage)?;
        Ok(match storage {
            Storage::Array(id) if data.table.is_some() => {
                let row = subscripts.first().ok_or(LowerError::Malformed("a row without a number"))?;
                self.row(id, row)?
            }
            Storage::Array(ArrayId(key)) => Origin {
                base: self.hoisted.get(data.base),
                key,
                level: 0,
                home: None,
                bytes,
                strides: Cow::Borrowed(&data.strides),
                rows: Cow::Borrowed(&data.rows),
            },
            Storage::Mirror(number) => self.either(number)?,
            Storage::Buffer(id) => {
                let buffer = self.buffers.get(id.0).copied().flatten();
                let buffer = buffer.ok_or(LowerError::Malformed("scratch memory outside of its code"))?;
                let cell = i64::try_from(bytes).map_err(|_| LowerError::Malformed("a wide cell"))?;
                Origin {
                    base: buffer.base,
                    key: buffer.key,
                    level: buffer.home.0,
                    home: Some(buffer.home.1),
                    bytes,
                    strides: Cow::Owned(vec![Poly::constant(cell)]),
                    rows: Cow::Owned(Rows::Alike),
                }
            }
        })
    }

    /// The array whose cells it has.
    pub(super) fn array_of(&self, storage: Storage) -> Result<ArrayId> {
        match storage {
            Storage::Array(id) => Ok(id),
            Storage::Mirror(number) => {
                let mirror = self.mirrors.get(number);
                Ok(mirror.ok_or(LowerError::Malformed("a mirror that is not there"))?.array)
            }
            Storage::Buffer(id) => {
                let buffer = self.ast.buffers.get(id.0);
                Ok(buffer.ok_or(LowerError::Malformed("scratch memory that is not there"))?.array)
            }
        }
    }

    /// Where a row begins.
    fn row(&mut self, array: ArrayId, row: &Affine) -> Result<Origin<'a>> {
        let data = self.data(array)?;
        let table = data.table.as_ref().ok_or(LowerError::Malformed("a row without a table"))?;
        let span = self.spans.get(&array.0).copied().ok_or(LowerError::Malformed("rows that were not read"))?;
        let poly = poly_of(row)?;
        let level = self.numbers.by_level(&poly)?.last().map_or(0, |share| share.level);
        let next = FIRST_KEY + 2 * self.row_keys.len();
        let key = *self.row_keys.entry((array.0, poly.clone())).or_insert(next);
        // The address itself is kept under a number of its own.
        let own = (key + 1, Poly::default());
        let base = match self.numbers.known_address(level, &own) {
            Some(known) => known,
            None => {
                let number = self.numbers.polynomial(&mut self.t, &poly, 64)?;
                let (from, written) = (self.hoisted.get(table.base), self.written);
                self.numbers.new_address(&mut self.t, (level, None), own, |t: &mut Transaction| {
                    let number = t.extremum(true, number, span.low);
                    let number = t.extremum(false, number, span.high);
                    let cell = pointer(t, table, from, number);
                    let loaded = t.load(table.load.ty(), cell, table.load.alignment().max(1));
                    if let Some(written) = written {
                        t.set_metadata(loaded, "noalias", written);
                    }
                    loaded
                })
            }
        };
        Ok(Origin {
            base,
            key,
            level,
            home: None,
            bytes: data.bytes,
            strides: Cow::Borrowed(&data.strides),
            rows: Cow::Borrowed(&data.rows),
        })
    }

    /// Bytes from one cell to another, by what is between their subscripts; `None`: that is not always the same.
    pub(super) fn bytes_between(&self, storage: Storage, steps: &[i64]) -> Result<Option<Poly>> {
        let data = self.data(self.array_of(storage)?)?;
        let cell = i64::try_from(self.bytes_of(storage)?).map_err(|_| LowerError::Malformed("a wide cell"))?;
        let inner = match storage {
            Storage::Array(_) => data.rank() - data.strides.len(),
            Storage::Buffer(_) | Storage::Mirror(_) => 0,
        };
        let strides = match storage {
            Storage::Array(_) => data.strides.clone(),
            Storage::Mirror(number) => vec![self.row_of(number)?, Poly::constant(cell)],
            Storage::Buffer(_) => vec![Poly::constant(cell)],
        };
        let jumps = inner + usize::from(data.rows.are_packed() && matches!(storage, Storage::Array(_)));
        if steps.iter().take(jumps).any(|&s| s != 0) {
            return Ok(None);
        }
        let mut offset = Poly::default();
        for (stride, step) in strides.iter().zip(steps.iter().skip(inner)) {
            let part = stride.scale(*step).ok_or(polyhedra::Error::Overflow)?;
            offset = offset.add(&part).ok_or(polyhedra::Error::Overflow)?;
        }
        Ok(Some(offset))
    }

    /// The address of a cell; subscripts over the space of the AST.
    pub(super) fn address(&mut self, storage: Storage, subscripts: &[Affine]) -> Result<Value> {
        self.address_anew(storage, subscripts, 0)
    }

    /// The same, from a start of its own for each number, so that nobody sees that loads from there are of one cell.
    pub(super) fn address_anew(&mut self, storage: Storage, subscripts: &[Affine], start: usize) -> Result<Value> {
        let origin = self.origin(storage, subscripts)?;
        let Some(outer) = subscripts.len().checked_sub(origin.strides.len()) else {
            return Err(LowerError::Malformed("another number of subscripts than strides"));
        };
        let mut offset = Poly::default();
        for (d, (stride, subscript)) in origin.strides.iter().zip(&subscripts[outer..]).enumerate() {
            let subscript = poly_of(subscript)?;
            let is_packed = origin.rows.are_packed() && d == 0;
            let part = if is_packed { before(&origin.rows, &subscript, stride) } else { stride.mul(&subscript) };
            let part = part.ok_or(polyhedra::Error::Overflow)?;
            offset = offset.add(&part).ok_or(polyhedra::Error::Overflow)?;
        }
        let cell = match origin.bytes {
            bytes @ (2 | 4 | 8) => i64::try_from(bytes).unwrap_or(1),
            _ => 1,
        };
        let cell_type = self.t.int(u32::try_from(cell * 8).unwrap_or(8));
        let mut prefix = Poly::default();
        let home = |level: usize| if level > origin.level { (level, None) } else { (origin.level, origin.home) };
        let mut place = home(0);
        let mut address = origin.base;
        let mut key = origin.key;
        let shares = self.numbers.by_level(&offset)?;
        let innermost = self.innermost.filter(|l| shares.last().is_some_and(|share| share.level == *l));
        let outer = innermost.is_some() || self.around_kernel;
        let is_opaque = |level: usize| outer && level > 0 && Some(level) != innermost;
        let (moving, rest): (Vec<Share>, Vec<Share>) = shares.into_iter().partition(|s| is_opaque(s.level));
        let opaque = moving.len();
        for (number, share) in moving.into_iter().chain(rest).enumerate() {
            if number == opaque && (opaque > 0 || start > 0) {
                // Each comes of the one before: LLVM makes one of those that come of the same.
                for own in usize::from(opaque == 0)..=start {
                    let key = (key + OPAQUE * (1 + own), prefix.clone());
                    address = match self.numbers.known_address(place.0, &key) {
                        Some(known) => known,
                        None => self.numbers.new_address(&mut self.t, place, key, |t| {
                            if own == 0 { t.opaque_address(address) } else { t.distinct_address(address) }
                        }),
                    };
                }
                key += OPAQUE * (1 + start);
            }
            place = if place.0 < share.level { home(share.level) } else { place };
            prefix = prefix.add(&share.poly()?).ok_or(polyhedra::Error::Overflow)?;
            let key = (key, prefix.clone());
            address = match self.numbers.known_address(place.0, &key) {
                Some(known) => known,
                None => self.step(address, &share, place, key, cell, cell_type)?,
            };
        }
        let constant = offset.coefficient(&[]);
        if constant == 0 {
            return Ok(address);
        }
        let key = (key, offset);
        if let Some(known) = self.numbers.known_address(place.0, &key) {
            return Ok(known);
        }
        let (count, unit) = if constant % cell == 0 { (constant / cell, cell_type) } else { (constant, self.t.int(8)) };
        let count = self.t.constant(self.t.int(64), count.into());
        Ok(self.numbers.new_address(&mut self.t, place, key, |t: &mut Transaction| t.cell_offset(unit, address, count)))
    }

    fn step(
        &mut self,
        from: Value,
        share: &Share,
        place: (usize, Option<Block>),
        key: (usize, Poly),
        cell: i64,
        cell_type: Type,
    ) -> Result<Value> {
        let whole = share.factor.terms().all(|(_, c)| c % cell == 0);
        let (divisor, unit) = if whole { (cell, cell_type) } else { (1, self.t.int(8)) };
        let count = self.numbers.share(&mut self.t, share, divisor, 64)?;
        Ok(self.numbers.new_address(&mut self.t, place, key, |t: &mut Transaction| t.cell_offset(unit, from, count)))
    }
}
