//! Arrays of pointers to rows: `double **A`, `std::vector<std::vector<double>>`.
//!
//! Problem: in `A[i][j]` the address of the row is loaded in the loop. Method: all rows that are reached through one *table* of pointers are one array, whose first
//! subscript is the number of the row. Rows may lie anywhere in memory. That this is an array - cells with different subscripts are different cells, nothing else
//! reaches them - is checked at run time: the pointers are read before the region, exactly those that the program will read, and the bytes between the
//! outermost columns of the rows must not meet one another (if the array is written), nor the table, nor other arrays ([`Rows`]).
//!
//! LLVM carries addresses of rows from one iteration to the next, in phis: `A[i + 1]` of this one is `A[i]` of the next.
//!
//! The table itself must not change in the region. That too is checked, and so it does not matter when a pointer is loaded.

use super::accesses::{Accesses, Layout};
use super::facts::{Domain, Facts};
use super::indirect::{self, Range};
use super::poly::{LoopIndex, Poly, Symbol};
use super::reject::{Raise, Reject, RejectKind};
use super::scalar;
use crate::llvm::{Loop, Value};

/// The address of a row: loaded, or carried from the iteration before.
#[derive(Clone, Debug)]
pub struct RowPointer {
    /// The load or phi.
    pub value: Value,
    /// Where its table is: computed before the region, or by a hoisted load.
    pub base: Value,
    /// Bytes behind the base, where it was loaded from.
    pub offset: Poly,
    /// Where it is known.
    pub domain: Domain,
    /// A load; else a phi.
    pub is_load: bool,
}

/// Adds what phis carry.
///
/// # Errors
/// Overflow.
pub fn carried(layout: &Layout, facts: &Facts, pointers: &mut Vec<RowPointer>) -> Raise<()> {
    let mut more = true;
    while std::mem::take(&mut more) {
        for &l in &layout.region.loops {
            for phi in l.header().phis().into_iter().filter(|p| p.ty().is_pointer()) {
                if !pointers.iter().any(|p| p.value == phi)
                    && let Some(found) = carried_by(layout, facts, pointers, l, phi)?
                {
                    pointers.push(found);
                    more = true;
                }
            }
        }
    }
    Ok(())
}

/// What a phi carries, if it starts with what it would have carried into the first iteration.
fn carried_by(
    layout: &Layout,
    facts: &Facts,
    pointers: &[RowPointer],
    l: Loop,
    phi: Value,
) -> Raise<Option<RowPointer>> {
    let index =
        facts.loops.iter().position(|d| d.handle == Some(l) && d.split.is_none() && d.later.is_none()).map(LoopIndex);
    let (Some(index), Some((start, next))) = (index, scalar::start_and_next(l, phi)) else { return Ok(None) };
    let find = |v: Value| pointers.iter().find(|p| p.value == v);
    let (Some(start), Some(next), Some(domain)) = (find(start), find(next), layout.domains.get(&l.header())) else {
        return Ok(None);
    };
    let (i, overflow) = (Symbol::Iterator(index), || Reject::new(RejectKind::Overflow));
    let earlier = Poly::symbol(i).sub(&Poly::constant(1)).ok_or_else(overflow)?;
    let offset = next.offset.substitute(i, &earlier).ok_or_else(overflow)?;
    let first = offset.substitute(i, &Poly::default()).ok_or_else(overflow)?;
    let fits = start.base == next.base
        && first == start.offset
        && next.domain.loops == domain.loops
        && domain.loops.starts_with(&start.domain.loops);
    Ok(fits.then(|| RowPointer { value: phi, base: next.base, offset, domain: domain.clone(), is_load: false }))
}

/// Pointers to rows, in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Where it is: computed before the region, or by a hoisted load.
    pub base: Value,
    /// Bytes from there to the pointer to row 0.
    pub offset: i64,
    /// Bytes from one pointer to the next; not less than a pointer has.
    pub stride: i64,
    /// One of the loads from it.
    pub load: Value,
}

impl Table {
    /// The number of the place that is so many bytes behind the base.
    fn place(&self, offset: &Poly) -> Option<Poly> {
        let mut out = Poly::default();
        for (m, c) in offset.sub(&Poly::constant(self.offset))?.terms() {
            out = out.add(&Poly::term(m.clone(), c / self.stride))?;
        }
        Some(out)
    }
}

/// Where an address of a row comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The number of its table.
    pub table: usize,
    /// The number of the row.
    pub row: Poly,
}

/// Bytes of a pointer.
pub const POINTER_BYTES: i64 = 8;

/// The tables that addresses of rows come from, and for each address its table and its row.
///
/// # Errors
/// Pointers that overlap or are not where a counter leads.
pub fn tables(pointers: &[RowPointer]) -> Raise<(Vec<Table>, Vec<Place>)> {
    let refuse = || Reject::new(RejectKind::BasePointer);
    let mut tables: Vec<Table> = Vec::new();
    for l in pointers {
        if tables.iter().any(|t| t.base == l.base) {
            continue;
        }
        let load = pointers.iter().find(|p| p.base == l.base && p.is_load).ok_or_else(refuse)?.value;
        let first = l.offset.coefficient(&[]);
        let mut stride = 0i64;
        for other in pointers.iter().filter(|o| o.base == l.base) {
            for (m, c) in other.offset.terms() {
                let step = if m.is_empty() { c.checked_sub(first) } else { Some(c) };
                stride = gcd(stride, step.ok_or_else(refuse)?);
            }
        }
        if stride < POINTER_BYTES {
            return Err(refuse());
        }
        tables.push(Table { base: l.base, offset: first.rem_euclid(stride), stride, load });
    }
    let mut rows = Vec::new();
    for l in pointers {
        let k = tables.iter().position(|t| t.base == l.base).ok_or_else(refuse)?;
        rows.push(Place { table: k, row: tables[k].place(&l.offset).ok_or_else(refuse)? });
    }
    Ok((tables, rows))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.saturating_abs() } else { gcd(b, a.checked_rem(b).unwrap_or(0)) }
}

/// What has to be checked of an array of rows at run time.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The array.
    pub array: usize,
    /// Which rows' addresses the program reads, load by load.
    pub read: Vec<Range>,
    /// Must no row meet another?
    pub distinct: bool,
    /// Arrays that must not reach the table.
    pub writers: Vec<usize>,
}

/// The checks for those arrays of a model that have rows. `place`: for each array while raising, which array of the model it is; `written`: of the model.
///
/// # Errors
/// Which rows the program reads cannot be said exactly.
pub fn checks(
    facts: &Facts,
    accesses: &Accesses,
    place: &dyn Fn(usize) -> Option<usize>,
    written: &[bool],
    may_reach: &dyn Fn(Value, usize) -> bool,
) -> Raise<Vec<Rows>> {
    let refuse = || Reject::new(RejectKind::BasePointer);
    let mut out = Vec::new();
    for (k, shape) in accesses.arrays.iter().enumerate() {
        let (Some(table), Some(array)) = (&shape.table, place(k)) else { continue };
        let mut read: Vec<Range> = Vec::new();
        for (l, Place { row, .. }) in accesses.rows.iter().filter(|(l, _)| l.is_load && l.base == table.base) {
            let at = |r: Reject| l.value.block().map_or(r.clone(), |b| r.at(b));
            if !l.domain.conditions.is_empty() {
                return Err(at(refuse()));
            }
            let form = facts.affine(row, &l.domain.loops).ok_or_else(|| at(refuse()))?;
            let set = facts.set(&l.domain)?;
            let range = indirect::exact_range(&set, &form, facts.budget)?.ok_or_else(|| at(refuse()))?;
            if !read.contains(&range) {
                read.push(range);
            }
        }
        let writers = (0..written.len()).filter(|&w| written[w] && may_reach(table.base, w)).collect();
        out.push(Rows { array, read, distinct: written.get(array).copied().unwrap_or(true), writers });
    }
    Ok(out)
}
