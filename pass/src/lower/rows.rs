//! Rows that lie anywhere in memory: what makes them an array is checked before the region.
//!
//! The addresses of exactly those rows are read that the program will read, and only when all that the model rests on is known to hold. They must be the rows
//! `low ..= high` without a gap: then new code may load the address of any of them at any time, and what it loads for a row that does not run is kept within.
//!
//! ```text
//! read: loop over the rows: lowest and highest address, ascending?, descending?
//! apart: known at once? ── yes ─────────────────────────────────── after
//!             └── no ── for each row of one, for each of the other ── after
//! ```
//! Rows that ascend or descend without overlapping are distinct; others, and rows among those of other arrays, are compared pair by pair where nests are deep
//! enough, and rows long enough beside their number, for that to be little work.

use super::checks::{Bytes, Checker, Number};
use super::{LowerError, Result};
use crate::llvm::build::{Compare, Transaction};
use crate::llvm::{Block, Value};
use crate::raise::indirect::Range;
use crate::raise::rows::{Rows, Table};
use codegen::ast::Expr;

/// Nests of this depth do work of a higher order than the pairs of rows that they use.
const DEEP: usize = 3;

/// Pairs of rows are few if of the others there are not more than so many, or than so many times the cells of a row.
const FEW_ROWS: i64 = 256;
const ROWS_PER_CELL: i64 = 4;

/// Addresses of rows must lie below this, so that sums with offsets are no negative numbers.
const HIGHEST: i128 = (1 << 63) - 1;

/// The rows of an array, as numbers of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Span {
    /// The first row.
    pub(super) low: Value,
    /// The last row.
    pub(super) high: Value,
    /// The least address.
    least: Value,
    /// The largest address.
    most: Value,
}

/// Where the address of a row is.
pub(super) fn pointer(t: &mut Transaction, table: &Table, base: Value, row: Value) -> Value {
    let i64 = t.int(64);
    let (stride, offset) = (t.constant(i64, table.stride.into()), t.constant(i64, table.offset.into()));
    let bytes = t.mul(row, stride);
    let bytes = t.add(bytes, offset);
    t.byte_offset(base, bytes)
}

/// Bytes to compare: those of one object, or of rows from the address of each on.
#[derive(Clone, Copy)]
pub(super) struct Object {
    /// From the first to the last byte.
    pub(super) hull: Bytes,
    /// The array, if it has rows.
    pub(super) rows: Option<usize>,
}

impl Checker<'_> {
    /// Requires that the places that the program reads are there and without a gap; the first and the last one.
    pub(super) fn places_read(&mut self, read: &[Range]) -> Result<(Value, Value)> {
        let list = |l: &[polyhedra::Affine]| l.iter().cloned().map(Expr::Affine).collect::<Vec<_>>();
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for range in read {
            from.push(Expr::Max(list(&range.from)));
            to.push(Expr::Min(list(&range.to)));
            for guard in &range.guards {
                let (zero, value) = (self.constant(0), self.affine(guard)?);
                self.require_less_eq(zero, value);
            }
        }
        let mut ends = Vec::new();
        for (first, last) in from.iter().zip(&to) {
            let range = (self.expr(first)?, self.expr(last)?);
            self.require_less_eq(range.0, range.1);
            ends.push(range);
        }
        // Each meets the first one or is next to it.
        if let Some((&one, others)) = ends.split_first() {
            for &other in others {
                for (a, b) in [(one, other), (other, one)] {
                    let next = self.constant(1);
                    let next = self.add(a.1, next)?;
                    self.require_less_eq(b.0, next);
                }
            }
        }
        let (low, high) = (self.extremum(false, &from)?, self.extremum(true, &to)?);
        Ok((self.narrow(low)?, self.narrow(high)?))
    }

    /// Reads the addresses of the rows; requires that they are distinct, if they must be. Not a row is read once one meets guarded bytes.
    pub(super) fn inspect_rows(&mut self, rows: &Rows, (low, high): (Value, Value), guarded: &[Bytes]) -> Result<()> {
        let raised = self.raised;
        let data = raised.arrays.get(rows.array).ok_or(LowerError::Malformed("an array that is not there"))?;
        let table = data.table.as_ref().ok_or(LowerError::Malformed("rows without a table"))?;
        let Some(offsets) = self.offsets(rows.array)? else { return Ok(()) };
        let (i1, i64) = (self.t.int(1), self.t.int(64));
        let extent = self.extent(offsets)?;
        let offset = self.cut(offsets.first);
        let guarded: Vec<[Value; 2]> = guarded.iter().map(|b| [self.cut(b.first), self.cut(b.end)]).collect();
        let before = self.t.current();
        let (body, after) = (self.t.block("lw.rows"), self.t.block("lw.rows.read"));
        self.t.branch(body);
        self.t.position(body);
        let [row, least, most, last] = [(); 4].map(|()| self.t.phi(i64));
        let [up, down] = [(); 2].map(|()| self.t.phi(i1));
        let here = self.row_address(table, row)?;
        let first = self.t.compare(Compare::Equal, row, low);
        let (ahead, back) = (self.t.sub(here, last), self.t.sub(last, here));
        let ordered = [(up, ahead), (down, back)].map(|(so_far, gap)| {
            let room = self.t.compare(Compare::SignedLessEqual, extent, gap);
            let fine = self.t.or(first, room);
            self.t.and(so_far, fine)
        });
        let new_least = self.t.extremum(false, least, here);
        let new_most = self.t.extremum(true, most, here);
        let one = self.t.constant(i64, 1);
        let next = self.t.add(row, one);
        let mut over = self.t.compare(Compare::SignedLessEqual, high, row);
        let mut all_clear = None;
        for cell in guarded {
            let start = self.t.add(here, offset);
            let end = self.t.add(start, extent);
            let clear = self.clear(start, end, cell);
            all_clear = Some(all_clear.map_or(clear, |so_far| self.t.and(so_far, clear)));
        }
        let (no, yes) = (self.t.constant(i1, 0), self.t.constant(i1, 1));
        if let Some(clear) = all_clear {
            let met = self.t.compare(Compare::Equal, clear, no);
            over = self.t.or(over, met);
        }
        self.t.branch_if(over, after, body);
        let (highest, lowest) = (self.t.constant(i64, i64::MAX.into()), self.t.constant(i64, i64::MIN.into()));
        let zero = self.t.constant(i64, 0);
        for (phi, start, again) in [
            (row, low, next),
            (least, highest, new_least),
            (most, lowest, new_most),
            (last, zero, here),
            (up, yes, ordered[0]),
            (down, yes, ordered[1]),
        ] {
            self.t.add_incoming(phi, start, before);
            self.t.add_incoming(phi, again, body);
        }
        self.t.position(after);
        if let Some(clear) = all_clear {
            self.require(clear);
        }
        self.spans.insert(rows.array, Span { low, high, least: new_least, most: new_most });
        if rows.distinct {
            let at_once = self.t.or(ordered[0], ordered[1]);
            let Some(hull) = self.addresses(rows.array)? else { return Ok(()) };
            let own = Object { hull, rows: Some(rows.array) };
            let holds = self.apart_by_rows(at_once, own, own)?;
            self.require(holds);
        }
        Ok(())
    }

    /// The table of an array: the bytes from the first to the last address of a row.
    pub(super) fn table_bytes(&mut self, array: usize, (low, high): (Value, Value)) -> Result<Bytes> {
        let raised = self.raised;
        let data = raised.arrays.get(array).ok_or(LowerError::Malformed("an array that is not there"))?;
        let table = data.table.as_ref().ok_or(LowerError::Malformed("rows without a table"))?;
        let base = self.hoisted.get(table.base);
        let base = self.address_of(base);
        let bound = 1i128 << 62;
        let mut ends = Vec::new();
        for row in [low, high] {
            let i128 = self.t.int(128);
            let row = Number { value: self.t.resize(row, i128), interval: (-bound * 2, bound * 2) };
            let (stride, offset) = (self.constant(table.stride.into()), self.constant(table.offset.into()));
            let far = self.mul(row, stride)?;
            let far = self.add(far, offset)?;
            ends.push(self.add(base, far)?);
        }
        let bytes = self.constant(crate::raise::rows::POINTER_BYTES.into());
        let [first, last] = ends[..] else { return Err(LowerError::Malformed("two ends")) };
        Ok(Bytes { first, end: self.add(last, bytes)? })
    }

    /// From the least to the largest address of a row.
    pub(super) fn span_of(&mut self, array: usize) -> Option<[Number; 2]> {
        let span = self.spans.get(&array).copied()?;
        let i128 = self.t.int(128);
        // The least is not negative, which is checked, and so is none.
        let interval = (-(1i128 << 63), 1 << 63);
        Some([span.least, span.most].map(|v| Number { value: self.t.resize(v, i128), interval }))
    }

    /// The last address that the bytes of an array may end at.
    pub(super) fn highest(&self, array: usize) -> i128 {
        if self.spans.contains_key(&array) { HIGHEST } else { 1 << 64 }
    }

    /// Requires that two objects do not meet.
    pub(super) fn require_objects_apart(&mut self, x: Object, y: Object) -> Result<()> {
        let at_once = self.are_apart(x.hull, y.hull);
        let holds = self.apart_by_rows(at_once, x, y)?;
        self.require(holds);
        Ok(())
    }

    /// Are they apart, as known at once or row by row?
    pub(super) fn apart_by_rows(&mut self, at_once: Value, x: Object, y: Object) -> Result<Value> {
        let (x, y) = if x.rows.is_some() { (x, y) } else { (y, x) };
        let deep = self.raised.scop.statements.iter().any(|s| s.depth() >= DEEP);
        let Some(outer) = x.rows.filter(|_| deep || y.rows.is_none()) else { return Ok(at_once) };
        let same = y.rows == Some(outer);
        let (i1, i64) = (self.t.int(1), self.t.int(64));
        let (yes, one) = (self.t.constant(i1, 1), self.t.constant(i64, 1));
        // What does not change.
        let (own, own_bytes) = self.row_offsets(outer)?;
        let other = match y.rows {
            Some(array) => Some((array, self.row_offsets(array)?)),
            None => None,
        };
        if other.is_none() {
            let most = self.constant(HIGHEST);
            self.require_less_eq(y.hull.end, most);
        }
        let single = [self.cut(y.hull.first), self.cut(y.hull.end)];
        let x_span = self.span(outer)?;
        let before = self.t.current();
        let [rows, next, after] = ["lw.row", "lw.row.next", "lw.apart"].map(|name| self.t.block(name));
        let settled = match other {
            Some((array, _)) => self.too_many_pairs(outer, own_bytes, array)?,
            None => self.t.constant(i1, 0),
        };
        let settled = self.t.or(at_once, settled);
        self.t.branch_if(settled, after, rows);

        self.t.position(rows);
        let r = self.t.phi(i64);
        let start = self.row_start(outer, own, r)?;
        let end = self.t.add(start, own_bytes);
        let mut ways: Vec<(Value, Block)> = Vec::new();
        match other {
            None => {
                let holds = self.clear(start, end, single);
                ways.push((holds, rows));
                self.t.branch(next);
            }
            Some((array, (offset, bytes))) => {
                let span = self.span(array)?;
                let inner = self.t.block("lw.row.other");
                let first = if same { self.t.add(r, one) } else { span.low };
                let some = self.t.compare(Compare::SignedLessEqual, first, span.high);
                ways.push((yes, rows));
                self.t.branch_if(some, inner, next);
                self.t.position(inner);
                let (s, so_far) = (self.t.phi(i64), self.t.phi(i1));
                let from = self.row_start(array, offset, s)?;
                let to = self.t.add(from, bytes);
                let holds = self.clear(start, end, [from, to]);
                let holds = self.t.and(so_far, holds);
                let over = self.t.compare(Compare::SignedLessEqual, span.high, s);
                let following = self.t.add(s, one);
                self.t.branch_if(over, next, inner);
                for (phi, begin, again) in [(s, first, following), (so_far, yes, holds)] {
                    self.t.add_incoming(phi, begin, rows);
                    self.t.add_incoming(phi, again, inner);
                }
                ways.push((holds, inner));
            }
        }
        self.t.position(next);
        let holds = self.t.phi(i1);
        for (value, from) in ways {
            self.t.add_incoming(holds, value, from);
        }
        let following = self.t.add(r, one);
        let more = self.t.compare(Compare::SignedLessEqual, following, x_span.high);
        let more = self.t.and(more, holds);
        self.t.branch_if(more, rows, after);
        self.t.add_incoming(r, x_span.low, before);
        self.t.add_incoming(r, following, next);

        self.t.position(after);
        let all = self.t.phi(i1);
        self.t.add_incoming(all, at_once, before);
        self.t.add_incoming(all, holds, next);
        Ok(all)
    }

    /// Are the rows of one array, beside each row of so many bytes of another one, more than what the nest does with that row?
    fn too_many_pairs(&mut self, outer: usize, row_bytes: Value, inner: usize) -> Result<Value> {
        let span = self.span(inner)?;
        let bytes = self.raised.arrays.get(outer).map(|a| a.bytes).unwrap_or(1);
        let bytes = i64::try_from(bytes).map_err(|_| LowerError::Malformed("a wide cell"))?;
        let i64 = self.t.int(64);
        let each = self.t.constant(i64, ROWS_PER_CELL.into());
        let most = self.t.mul(row_bytes, each);
        let few = self.t.constant(i64, i128::from(FEW_ROWS) * i128::from(bytes));
        let most = self.t.extremum(true, most, few);
        let rows = self.t.sub(span.high, span.low);
        let bytes = self.t.constant(i64, bytes.into());
        let rows = self.t.mul(rows, bytes);
        Ok(self.t.compare(Compare::SignedLess, most, rows))
    }

    fn span(&self, array: usize) -> Result<Span> {
        self.spans.get(&array).copied().ok_or(LowerError::Malformed("rows that were not read"))
    }

    /// Does one end where the other begins or before?
    fn clear(&mut self, start: Value, end: Value, [from, to]: [Value; 2]) -> Value {
        let before = self.t.compare(Compare::SignedLessEqual, end, from);
        let behind = self.t.compare(Compare::SignedLessEqual, to, start);
        self.t.or(before, behind)
    }

    /// From the address of a row to its first byte that is touched, and from there to behind the last one.
    fn row_offsets(&mut self, array: usize) -> Result<(Value, Value)> {
        let offsets = self.offsets(array)?.ok_or(LowerError::Malformed("rows that nothing touches"))?;
        let extent = self.extent(offsets)?;
        Ok((self.cut(offsets.first), extent))
    }

    fn row_start(&mut self, array: usize, offset: Value, row: Value) -> Result<Value> {
        let raised = self.raised;
        let table = raised.arrays.get(array).and_then(|a| a.table.as_ref());
        let address = self.row_address(table.ok_or(LowerError::Malformed("rows without a table"))?, row)?;
        Ok(self.t.add(address, offset))
    }

    /// The address of a row as a number.
    fn row_address(&mut self, table: &Table, row: Value) -> Result<Value> {
        let base = self.hoisted.get(table.base);
        let cell = pointer(self.t, table, base, row);
        let loaded = self.t.load(table.load.ty(), cell, table.load.alignment().max(1));
        let loaded = self.t.freeze(loaded);
        Ok(self.t.address(loaded, self.t.int(64)))
    }

    /// Bytes from the first to behind the last, which are made sure to be few enough.
    fn extent(&mut self, bytes: Bytes) -> Result<Value> {
        let minus = self.constant(-1);
        let start = self.mul(bytes.first, minus)?;
        let extent = self.add(bytes.end, start)?;
        let most = self.constant(1 << 62);
        self.require_less_eq(extent, most);
        Ok(self.cut(extent))
    }

    /// The lowest 64 bits.
    fn cut(&mut self, n: Number) -> Value {
        self.t.resize(n.value, self.t.int(64))
    }
}
