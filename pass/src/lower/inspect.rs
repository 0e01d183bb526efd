//! Reading indices before the region: from the least to the largest, what they lead to must not meet the arrays that the region writes.
//!
//! ```text
//! some indices? ── yes ── loop over them: least, largest ── after: apart, or there were none
//!      └── no ─────────────────────────────────────────────── after
//! ```
//! Exactly those cells are read that the program will read, and only when all that the model rests on is known to hold.

use super::checks::{Bytes, Checker, Number};
use super::rows::Object;
use super::{LowerError, Result};
use crate::llvm::Value;
use crate::llvm::build::Compare;
use crate::raise::indirect::Inspection;
use polyhedra::Affine;

impl Checker<'_> {
    /// Requires that what is loaded through indices lies apart from some arrays.
    pub(super) fn inspect(&mut self, inspection: &Inspection) -> Result<()> {
        let raised = self.raised;
        let data = raised.arrays.get(inspection.array).ok_or(LowerError::Malformed("an array that is not there"))?;
        let (i1, i64) = (self.t.int(1), self.t.int(64));
        let first = self.extreme_of(&inspection.cells.from, true)?;
        let last = self.extreme_of(&inspection.cells.to, false)?;
        let mut some = self.less_eq(first, last);
        for guard in &inspection.cells.guards {
            let (zero, value) = (self.constant(0), self.affine(guard)?);
            let holds = self.less_eq(zero, value);
            some = self.t.and(some, holds);
        }
        let (first, last) = (self.narrow(first)?, self.narrow(last)?);
        let base = self.hoisted.get(data.base);
        let base = self.t.freeze(base);
        let before = self.t.current();
        let (body, after) = (self.t.block("lw.inspect"), self.t.block("lw.inspected"));
        self.t.branch_if(some, body, after);

        self.t.position(body);
        let place = self.t.phi(i64);
        let (least, most) = (self.t.phi(i64), self.t.phi(i64));
        let width = i64::try_from(data.bytes).map_err(|_| LowerError::Malformed("a wide cell"))?;
        let width = self.t.constant(i64, width.into());
        let offset = self.t.mul(place, width);
        let cell = self.t.byte_offset(base, offset);
        let index = inspection.what.index;
        let loaded = self.t.load(index.ty(), cell, index.alignment().max(1));
        let loaded = self.t.freeze(loaded);
        let wide =
            if inspection.what.signed { self.t.resize(loaded, i64) } else { self.t.resize_unsigned(loaded, i64) };
        let new_least = self.t.extremum(false, least, wide);
        let new_most = self.t.extremum(true, most, wide);
        let one = self.t.constant(i64, 1);
        let next = self.t.add(place, one);
        let over = self.t.compare(Compare::Equal, place, last);
        self.t.branch_if(over, after, body);
        let (highest, lowest) = (self.t.constant(i64, i64::MAX.into()), self.t.constant(i64, i64::MIN.into()));
        for (phi, start, again) in [(place, first, next), (least, highest, new_least), (most, lowest, new_most)] {
            self.t.add_incoming(phi, start, before);
            self.t.add_incoming(phi, again, body);
        }

        self.t.position(after);
        let zero = self.t.constant(i64, 0);
        let merged = [new_least, new_most].map(|v| {
            let phi = self.t.phi(i64);
            self.t.add_incoming(phi, zero, before);
            self.t.add_incoming(phi, v, body);
            phi
        });
        let (no, yes) = (self.t.constant(i1, 0), self.t.constant(i1, 1));
        let none = self.t.phi(i1);
        self.t.add_incoming(none, yes, before);
        self.t.add_incoming(none, no, body);
        let bytes = self.reached(inspection, merged)?;
        // The addresses are computed modulo 2^64: they are these if these are addresses.
        let (lowest, space) = (self.constant(0), self.constant(1 << 64));
        let (starts, ends) = (self.less_eq(lowest, bytes.first), self.less_eq(bytes.end, space));
        let inside = self.t.and(starts, ends);
        for &array in &inspection.apart {
            let Some(other) = self.object(array)? else { continue };
            let at_once = self.are_apart(bytes, other.hull);
            let holds = self.apart_by_rows(at_once, Object { hull: bytes, rows: None }, other)?;
            let holds = self.t.and(holds, inside);
            let holds = self.t.or(none, holds);
            self.require(holds);
        }
        Ok(())
    }

    /// The bytes from the least to the largest index, as addresses. In 128 bits.
    fn reached(&mut self, inspection: &Inspection, [least, most]: [Value; 2]) -> Result<Bytes> {
        let what = &inspection.what;
        let (i64, i128) = (self.t.int(64), self.t.int(128));
        let base = self.t.freeze(what.base);
        let base = self.t.address(base, i64);
        let base = Number { value: self.t.resize_unsigned(base, i128), interval: (0, 1 << 64) };
        let bound = 1i128 << 63;
        let mut ends = Vec::new();
        for index in [least, most] {
            let index = Number { value: self.t.resize(index, i128), interval: (-bound, bound) };
            let scale = self.constant(what.scale.into());
            let steps = self.mul(index, scale)?;
            let offset = self.constant(what.offset.into());
            let far = self.add(steps, offset)?;
            ends.push(self.add(base, far)?);
        }
        let bytes = self.constant(what.bytes.into());
        let [first, last] = ends[..] else { return Err(LowerError::Malformed("two ends")) };
        Ok(Bytes { first, end: self.add(last, bytes)? })
    }

    /// The largest or least of some forms.
    fn extreme_of(&mut self, forms: &[Affine], largest: bool) -> Result<Number> {
        let list: Vec<_> = forms.iter().cloned().map(codegen::ast::Expr::Affine).collect();
        self.extremum(largest, &list)
    }

    /// As a number of 64 bits.
    pub(super) fn narrow(&mut self, n: Number) -> Result<Value> {
        if super::checks::is_wide(n.interval) { Err(LowerError::TooLarge("a subscript")) } else { Ok(n.value) }
    }
}
