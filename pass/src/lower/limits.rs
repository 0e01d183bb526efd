//! Reading numbers before the region that the program compares with subscripts: the least of them must do for all.

use super::Result;
use super::checks::{Checker, Number};
use super::rows::pointer;
use crate::llvm::Value;
use crate::llvm::build::Compare;
use crate::raise::limits::LimitCheck;

impl Checker<'_> {
    /// Requires that no number from the first to the last place is less than it may be, and that they stay.
    pub(super) fn inspect_limit(&mut self, limit: &LimitCheck, (low, high): (Value, Value)) -> Result<()> {
        let (i64, i128) = (self.t.int(64), self.t.int(128));
        let base = self.hoisted.get(limit.table.base);
        let before = self.t.current();
        let (body, after) = (self.t.block("lw.limit"), self.t.block("lw.limited"));
        self.t.branch(body);
        self.t.position(body);
        let (place, least) = (self.t.phi(i64), self.t.phi(i64));
        let load = limit.table.load;
        let cell = pointer(self.t, &limit.table, base, place);
        let loaded = self.t.load(load.ty(), cell, load.alignment().max(1));
        let loaded = self.t.freeze(loaded);
        // What is no number with a sign counts as a negative one, which is too little.
        let number = self.t.resize_unsigned(loaded, i64);
        let new_least = self.t.extremum(false, least, number);
        let one = self.t.constant(i64, 1);
        let next = self.t.add(place, one);
        let over = self.t.compare(Compare::SignedLessEqual, high, place);
        self.t.branch_if(over, after, body);
        let highest = self.t.constant(i64, i64::MAX.into());
        for (phi, start, again) in [(place, low, next), (least, highest, new_least)] {
            self.t.add_incoming(phi, start, before);
            self.t.add_incoming(phi, again, body);
        }
        self.t.position(after);
        let bound = 1i128 << 63;
        let found = Number { value: self.t.resize(new_least, i128), interval: (-bound, bound) };
        let wanted = self.polynomial(&limit.least)?;
        self.require_less_eq(wanted, found);
        let bits = load.ty().integer_bits().unwrap_or(64);
        let hull = self.bytes_of(&limit.table, (low, high), i128::from(bits / 8))?;
        self.left_alone(hull, &limit.writers)
    }
}
