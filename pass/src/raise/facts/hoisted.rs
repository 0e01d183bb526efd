//! Loads from addresses that do not change: where arrays are and how large, kept in memory.

use super::{Domain, Facts, Poly, Symbol};
use crate::llvm::{Opcode, Value};
use polyhedra::Kind;
use std::collections::BTreeSet;

/// A load in the region from an address that does not change, made before it, or one that has been made there: the address of an array kept in memory, a size. It runs whenever the region is
/// entered, or whenever `rows` hold then; that nothing in the region writes to its cell is checked at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hoisted {
    /// The load.
    pub load: Value,
    /// Other loads of the cell, which are taken for it.
    pub same: Vec<Value>,
    /// Where it loads from: computed before the region, or by a hoisted load before this one.
    pub base: Value,
    /// Bytes behind `base`.
    pub offset: i64,
    /// Bytes loaded.
    pub bytes: u64,
    /// Affine forms in the parameters: it runs in the first iteration of all its loops if they are `>= 0`. `None`: it runs in any case.
    pub rows: Option<Vec<Poly>>,
}

/// Phis and loads that one value comes from, at most.
const MOST_JOINED: usize = 32;

/// Blocks before the region in which earlier loads are looked for.
const MOST_BLOCKS_BEFORE: usize = 4;

impl Facts<'_> {
    /// Moves a load in front of the region if its address does not change and it is certain to run there, or at least where the rows of its domain hold for the
    /// first iterations; which load stands for it.
    pub fn hoist(&mut self, load: Value, domain: Option<&Domain>) -> Option<Value> {
        if let Some(known) = self.hoisted.iter().find(|h| h.load == load) {
            return (known.rows.is_none() || domain.is_some()).then_some(load);
        }
        if load.opcode() == Some(Opcode::LLVMPHI) {
            return self.hoist_joined(load, domain);
        }
        let analyses = self.analyses;
        if load.opcode() != Some(Opcode::LLVMLoad) || !load.is_simple_access() {
            return None;
        }
        let pointer = load.operands().first().copied()?;
        if analyses.pointer_bits(pointer.ty()) != Some(64) {
            return None;
        }
        let s = analyses.scev(pointer)?;
        let base = analyses.pointer_base(s)?.value()?;
        let is_outside = (self.outside)(base);
        let earlier = self.loaded_before(load);
        let is_certain = earlier.is_some()
            || load.block().is_some_and(|b| analyses.is_certain_after(b, self.entry))
            || (is_outside && analyses.may_load_at_end(load, self.entry));
        let rows = match domain {
            _ if is_certain => None,
            Some(domain) => Some(self.first_rows(domain)?),
            None => return None,
        };
        let base = if is_outside { base } else { self.hoist(base, domain)? };
        // What it loads from must be there when it is made.
        let late = |v: Value| self.hoisted.iter().any(|h| h.load == v && h.rows.is_some());
        let rows = if late(base) { Some(rows.unwrap_or_default()) } else { rows };
        let offset = analyses.without_base(s)?.constant()?;
        let bytes = analyses.store_bytes(load.ty())?;
        let usable = |h: &Hoisted| h.rows.is_none() || domain.is_some();
        let same = |h: &&Hoisted| usable(h) && h.base == base && h.offset == offset && h.load.ty() == load.ty();
        if let Some(known) = self.hoisted.iter().position(|h| same(&h)) {
            let known = &mut self.hoisted[known];
            if !known.same.contains(&load) {
                known.same.push(load);
            }
            return Some(known.load);
        }
        if let Some(earlier) = earlier {
            // Its value is known in any case, and arrays and sizes that it tells are the same ones.
            self.hoisted.push(Hoisted { load: earlier, same: vec![load], base, offset, bytes, rows: None });
            return Some(earlier);
        }
        self.hoisted.push(Hoisted { load, same: Vec::new(), base, offset, bytes, rows });
        Some(load)
    }

    /// Is a load of the region made in front of it?
    pub fn is_hoisted(&self, load: Value) -> bool {
        self.hoisted.iter().any(|h| h.load == load || h.same.contains(&load))
    }

    /// What stands for an address from before the region, or loaded there whenever that is entered.
    pub fn address(&mut self, pointer: Value) -> Option<Value> {
        if (self.outside)(pointer) {
            return Some(pointer);
        }
        let load = self.hoist(pointer, None)?;
        let is_certain = |h: &Hoisted| h.load == load && h.rows.is_none();
        (self.hoisted.iter().any(is_certain) || (self.outside)(load)).then_some(load)
    }

    /// A phi of the region all of whose values are loads of one cell, made at several places: LLVM loads a size in one iteration for the next one.
    fn hoist_joined(&mut self, phi: Value, domain: Option<&Domain>) -> Option<Value> {
        let (mut open, mut seen, mut loads) = (vec![phi], BTreeSet::new(), Vec::new());
        while let Some(v) = open.pop() {
            if !seen.insert(v) {
                continue;
            }
            match v.opcode() {
                _ if seen.len() > MOST_JOINED => return None,
                Some(Opcode::LLVMLoad) if v.is_simple_access() => loads.push(v),
                Some(Opcode::LLVMPHI) if !(self.outside)(v) => open.extend(v.incoming().into_iter().map(|(v, _)| v)),
                _ => return None,
            }
        }
        let cell = |load: Value| Some((self.analyses.scev(*load.operands().first()?)?, load.ty()));
        let one = loads.first().copied().and_then(cell)?;
        if loads.iter().any(|load| cell(*load) != Some(one)) {
            return None;
        }
        let (before, inside): (Vec<Value>, Vec<Value>) = loads.into_iter().partition(|load| (self.outside)(*load));
        let earlier = inside.first().map(|load| self.loaded_before(*load))?;
        if before.iter().any(|load| Some(*load) != earlier) {
            return None;
        }
        let mut found = None;
        for load in inside {
            let value = self.hoist(load, domain)?;
            if *found.get_or_insert(value) != value {
                return None;
            }
        }
        found
    }

    /// A load of the same cell shortly before the region, behind which nothing is written: LLVM takes loads out of one loop of a nest and leaves them in another.
    fn loaded_before(&self, load: Value) -> Option<Value> {
        let scev = |load: Value| self.analyses.scev(*load.operands().first()?);
        let cell = scev(load)?;
        let mut at = self.entry;
        for _ in 0..MOST_BLOCKS_BEFORE {
            for i in at.instructions().into_iter().rev() {
                let is_load = i.opcode() == Some(Opcode::LLVMLoad) && i.is_simple_access() && i.ty() == load.ty();
                if is_load && scev(i) == Some(cell) {
                    return Some(i);
                }
                if i.may_write() {
                    return None;
                }
            }
            let &[before] = at.predecessors().as_slice() else { return None };
            at = before;
        }
        None
    }

    /// What must hold for the first iteration of a domain to run; `None` if that is not a matter of parameters.
    fn first_rows(&self, domain: &Domain) -> Option<Vec<Poly>> {
        if !domain.conditions.is_empty() || domain.is_assumed {
            return None;
        }
        let mut out = Vec::new();
        for row in &domain.rows {
            let mut first = row.poly.clone();
            for &l in &domain.loops {
                first = first.substitute(Symbol::Iterator(l), &Poly::default())?;
            }
            if !first.is_invariant() || first.degree() > 1 {
                return None;
            }
            let both = if row.kind == Kind::Eq { Some(first.scale(-1)?) } else { None };
            for part in std::iter::once(first).chain(both) {
                if part.as_constant().is_none_or(|c| c < 0) && !out.contains(&part) {
                    out.push(part);
                }
            }
        }
        Some(out)
    }
}
