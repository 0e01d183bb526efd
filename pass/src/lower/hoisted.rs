//! Loads that are made before the region: addresses of arrays and sizes that are kept in memory.

use crate::llvm::Value;
use crate::llvm::build::Transaction;
use crate::raise::{self, Raised};
use std::collections::BTreeMap;

/// What they loaded.
#[derive(Default)]
pub(super) struct Hoisted {
    values: BTreeMap<Value, Value>,
}

impl Hoisted {
    /// Makes the loads that run whenever the region is entered, at the builder's place.
    pub(super) fn certain(t: &mut Transaction, raised: &Raised) -> Self {
        let mut out = Self::default();
        out.emit(t, raised, |h| h.rows.is_none());
        out
    }

    /// Makes the others: where all of their rows hold, so that they run in the region too.
    pub(super) fn others(&mut self, t: &mut Transaction, raised: &Raised) {
        self.emit(t, raised, |h| h.rows.is_some());
    }

    fn emit(&mut self, t: &mut Transaction, raised: &Raised, which: impl Fn(&raise::facts::Hoisted) -> bool) {
        for h in raised.hoisted.iter().filter(|h| which(h)) {
            let cell = self.cell(t, h.base, h.offset);
            let loaded = t.load(h.load.ty(), cell, h.load.alignment().max(1));
            // One value for checks and code, whatever was in memory.
            let value = t.freeze(loaded);
            self.values.insert(h.load, value);
        }
    }

    /// The value that stands for this one before the region.
    pub(super) fn get(&self, v: Value) -> Value {
        self.values.get(&v).copied().unwrap_or(v)
    }

    /// Lets a value stand for another one.
    pub(super) fn stand_for(&mut self, v: Value, by: Value) {
        self.values.insert(v, by);
    }

    /// The address that a hoisted load loads from.
    pub(super) fn cell(&self, t: &mut Transaction, base: Value, offset: i64) -> Value {
        let base = self.get(base);
        if offset == 0 {
            return base;
        }
        let offset = t.constant(t.int(64), offset.into());
        t.byte_offset(base, offset)
    }
}
