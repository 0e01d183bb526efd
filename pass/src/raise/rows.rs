//! Arrays of pointers to rows: `double **A`, `std::vector<std::vector<double>>`.
//!
//! Problem: in `A[i][j]` the address of the row is loaded in the loop. Method: all rows that are reached through one *table* of pointers are one array, whose first
//! subscript is the number of the row. Rows may lie anywhere in memory. That this is an array - cells with different subscripts are different cells, nothing else
//! reaches them - is checked at run time: the pointers are read before the region, exactly those that the program will read, and the bytes between the
//! outermost columns of the rows must not meet one another (if the array is written), nor the table, nor other arrays ([`Rows`]).
//!
//! The table itself must not change in the region. That too is checked, and so it does not matter when a pointer is loaded.

use super::accesses::Accesses;
use super::facts::{Domain, Facts};
use super::indirect::{self, Range};
use super::poly::Poly;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::Value;

/// A load of a row's address.
#[derive(Clone, Debug)]
pub struct RowLoad {
    /// The load.
    pub load: Value,
    /// Where its table is: computed before the region, or by a hoisted load.
    pub base: Value,
    /// Bytes behind the base.
    pub offset: Poly,
    /// Where it runs.
    pub domain: Domain,
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

/// Bytes of a pointer.
pub const POINTER_BYTES: i64 = 8;

/// The tables that some loads load from, and for each load its table and its row.
///
/// # Errors
/// Pointers that overlap or are not where a counter leads.
pub fn tables(loads: &[RowLoad]) -> Raise<(Vec<Table>, Vec<(usize, Poly)>)> {
    let refuse = || Reject::new(RejectKind::BasePointer);
    let mut tables: Vec<Table> = Vec::new();
    for l in loads {
        if tables.iter().any(|t| t.base == l.base) {
            continue;
        }
        let first = l.offset.coefficient(&[]);
        let mut stride = 0i64;
        for other in loads.iter().filter(|o| o.base == l.base) {
            for (m, c) in other.offset.terms() {
                let step = if m.is_empty() { c.checked_sub(first) } else { Some(c) };
                stride = gcd(stride, step.ok_or_else(refuse)?);
            }
        }
        if stride < POINTER_BYTES {
            return Err(refuse());
        }
        tables.push(Table { base: l.base, offset: first.rem_euclid(stride), stride, load: l.load });
    }
    let mut rows = Vec::new();
    for l in loads {
        let k = tables.iter().position(|t| t.base == l.base).ok_or_else(refuse)?;
        let Table { offset, stride, .. } = tables[k];
        let mut row = Poly::default();
        for (m, c) in l.offset.sub(&Poly::constant(offset)).ok_or_else(refuse)?.terms() {
            row = row.add(&Poly::term(m.clone(), c / stride)).ok_or_else(refuse)?;
        }
        rows.push((k, row));
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
        for (l, (_, row)) in accesses.rows.iter().filter(|(l, _)| l.base == table.base) {
            let at = |r: Reject| l.load.block().map_or(r.clone(), |b| r.at(b));
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
