//! What run-time checks read from memory before they know that they may.
//!
//! # Problem
//! A hoisted load gives in front of the region what the program loads in it, unless the region writes to its cell first; that it does not is checked at run time. But checks
//! also *read* with what was loaded: follow it as an address, count rows by it, take it for the condition under which another load runs. If the cell does change, the program
//! never reads there, and there need not be any memory.
//!
//! # Method
//! Nothing is read with the value of a hoisted load before every write is known to leave its cell alone: because no write comes before the load, or because that is checked
//! first ([`Ahead::cells`]). Types of accesses count here as they do for LLVM, which would load early, too. Only where neither can be had the region is refused.
//! Until the first write to such a cell all is as it was in front of the region; so if the bytes that are computed from what it was show no write to it, there is none.
//!
//! Rows that lie anywhere must be read before it is known where they are. Those of one array that is written may be read row by row, each looked at before the next one, if the program
//! takes them in that order: before it writes to a row it has read all those before it ([`Ahead::along`]).

use super::ArrayData;
use super::facts::{Hoisted, Param, Row};
use super::poly::{Poly, Symbol};
use super::region::Region;
use super::reject::{Raise, RejectKind};
use super::rows::{Place, RowPointer};
use crate::llvm::{Analyses, Block, Value};
use polyhedra::Kind;
use std::collections::BTreeSet;

/// A region's memory, as far as this looks at it.
pub struct Memory<'m> {
    /// The function.
    pub analyses: Analyses,
    /// The region.
    pub region: &'m Region,
    /// Its parameters.
    pub params: &'m [Param],
    /// Loads that are made in front of it.
    pub hoisted: &'m [Hoisted],
    /// Its arrays.
    pub arrays: &'m [ArrayData],
    /// Arrays and the instructions that write to them.
    pub writes: &'m [(usize, Value)],
    /// Arrays of the indices that are read in front of the region.
    pub inspected: &'m [usize],
    /// Arrays of which the program takes the rows in order ([`takes_in_order`]).
    pub in_order: &'m [usize],
}

/// What is looked at before anything is read with what hoisted loads gave: numbers of hoisted loads and arrays that must leave their cells alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ahead {
    /// Before anything is read.
    pub cells: Vec<(usize, usize)>,
    /// Row by row, while the rows of this array, before those of others, are read.
    pub along: Option<(usize, Vec<usize>)>,
}

/// Which of the `cells` (hoisted loads and arrays that must leave them alone) must be checked before anything is read with what was loaded.
///
/// # Errors
/// Something would be read that the program need not read.
pub fn ahead(memory: &Memory, cells: &[(usize, usize)]) -> Raise<Ahead> {
    let Memory { hoisted, arrays, .. } = memory;
    let refuse = || Err(RejectKind::StaleLoad.into());
    let any_late = hoisted.iter().any(|h| h.rows.is_some());
    let is_late = |v: Value| hoisted.iter().any(|h| h.load == v && h.rows.is_some());
    let reads = any_late || !memory.inspected.is_empty() || arrays.iter().any(|a| a.table.is_some());
    let mut out = Ahead::default();
    for &(h, a) in cells {
        let (Some(cell), Some(array)) = (hoisted.get(h), arrays.get(a)) else { continue };
        // Those that follow it at once.
        let followers = hoisted.iter().filter(|f| f.base == cell.load && f.rows.is_some() == cell.rows.is_some());
        for follower in followers {
            let early = follower.rows.is_none() && !memory.may_change_before_first(a, cell, follower.load);
            if !early && memory.may_change_before(a, cell, follower) {
                return refuse();
            }
        }
        if !reads || !memory.is_read_with(cell) {
            continue;
        }
        if array.table.is_none() && (cell.rows.is_some() || !is_late(array.base)) {
            out.cells.push((h, a));
        } else if memory.may_change_before(a, cell, cell) {
            let (first, along) = out.along.get_or_insert((a, Vec::new()));
            if *first != a || any_late || !memory.in_order.contains(&a) {
                return refuse();
            }
            along.push(h);
        }
    }
    Ok(out)
}

/// Are these addresses of rows all that is read of a table, and read so that before a row all those before it are? So it is if all are `c * i` rows behind some first one, `c > 0`, with
/// one counter `i` that begins where it does whatever the loops around.
#[must_use]
pub fn takes_in_order(pointers: &[&(RowPointer, Place)]) -> bool {
    let Some((first, place)) = pointers.first() else { return false };
    let counter = place.row.symbols().find_map(|s| if let Symbol::Iterator(l) = s { Some(l) } else { None });
    let Some(i) = counter.map(Symbol::Iterator) else { return false };
    let rate = |p: &Poly| p.derivative(i).and_then(|d| d.as_constant());
    let is_fixed = |p: &Poly| p.substitute(i, &Poly::default()).is_some_and(|rest| rest.is_invariant());
    let grows = rate(&place.row).is_some_and(|c| c > 0) && is_fixed(&place.row);
    let begins_alike = |row: &Row| match rate(&row.poly) {
        Some(0) => true,
        Some(c) if c < 0 && row.kind == Kind::Ge => true,
        _ => is_fixed(&row.poly),
    };
    grows
        && pointers.iter().all(|(l, at)| {
            let alike = l.is_load && at.row == place.row && l.domain.loops == first.domain.loops;
            alike && l.domain.conditions.is_empty() && l.domain.rows.iter().all(begins_alike)
        })
}

impl Memory<'_> {
    /// Do the checks read anything with what this load gives, or does it say where something is written?
    fn is_read_with(&self, h: &Hoisted) -> bool {
        let leads = |v: Value| v == h.load;
        let written = self.writes.iter().filter_map(|(a, _)| self.arrays.get(*a));
        written.into_iter().any(|a| leads(a.base))
            || self.params.iter().flat_map(Param::needs).any(leads)
            || self.hoisted.iter().any(|other| leads(other.base))
            || self.arrays.iter().filter_map(|a| a.table.as_ref()).any(|t| leads(t.base))
            || self.inspected.iter().filter_map(|&k| self.arrays.get(k)).any(|a| leads(a.base))
    }

    /// Writes to an array that may change a cell.
    fn changes(&self, array: usize, cell: &Hoisted) -> Vec<Value> {
        let may_change = |write: Value| loads(cell).any(|load| !self.analyses.types_differ(write, load));
        self.writes.iter().filter(|(a, write)| *a == array && may_change(*write)).map(|(_, write)| *write).collect()
    }

    /// May a write to the array change a cell before something is loaded?
    fn may_change_before(&self, array: usize, cell: &Hoisted, loaded: &Hoisted) -> bool {
        self.changes(array, cell).into_iter().any(|write| loads(loaded).any(|load| self.comes_before(write, load)))
    }

    /// May it before this load has run once?
    fn may_change_before_first(&self, array: usize, cell: &Hoisted, load: Value) -> bool {
        let Some(to) = load.block() else { return true };
        let changes = self.changes(array, cell);
        let mut seen: BTreeSet<Block> = BTreeSet::new();
        let mut stack = self.region.entry.successors();
        while let Some(b) = stack.pop() {
            if !self.region.contains(b) || !seen.insert(b) {
                continue;
            }
            if b.instructions().iter().take_while(|v| **v != load).any(|v| changes.contains(v)) {
                return true;
            }
            if b != to {
                stack.extend(b.successors());
            }
        }
        false
    }

    /// Is there a way in the region from one instruction to another one?
    fn comes_before(&self, first: Value, second: Value) -> bool {
        let (Some(from), Some(to)) = (first.block(), second.block()) else { return true };
        if from == to {
            let order = from.instructions();
            let place = |v: Value| order.iter().position(|i| *i == v);
            if place(first) < place(second) {
                return true;
            }
        }
        let mut seen: BTreeSet<Block> = BTreeSet::new();
        let mut stack = from.successors();
        while let Some(b) = stack.pop() {
            if b == to {
                return true;
            }
            if self.region.contains(b) && seen.insert(b) {
                stack.extend(b.successors());
            }
        }
        false
    }
}

/// All loads of a cell.
fn loads(h: &Hoisted) -> impl Iterator<Item = Value> + '_ {
    std::iter::once(h.load).chain(h.same.iter().copied())
}
