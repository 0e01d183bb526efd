//! Rows of integers, flat in memory: the working form of sets inside this crate.
//!
//! **Problem.** Emptiness, projection and simplification combine rows by the thousand; a [`Polyhedron`] with its own vector for each row is made
//! to be read, not for that.
//!
//! **Notation.** A row is `c + a . x`, stored as `[c, a_1, .., a_n]`, its *linear part* is `a`. Parameters and dimensions are alike here.
//! A row is *normalised* when the gcd of its linear part is 1; for `>= 0` the constant is then rounded down, which loses no integer point
//! (`2x - 1 >= 0` is `x - 1 >= 0`), for `= 0` a constant that the gcd does not divide means that there is no point.
//!
//! **Method.** [`System::tidy`] puts rows with the same linear part up to sign together: they bound one form `a . x` from both sides,
//! which shows contradictions, duplicates, and pairs that are an equality, in nearly linear time.
//!
//! Arithmetic: `i64` stored, products in `i128`; a result that does not fit is divided by its gcd before it is called an overflow, and an overflow
//! lets the question be asked again in big integers: see the module `number`.

use crate::number::Number;
use crate::{Affine, Constraint, Kind, Polyhedron, Result, Space};
use std::cmp::Ordering;

/// What a normalised row says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Nothing: it holds everywhere.
    True,
    /// It holds nowhere.
    False,
    /// Something.
    Row,
}

/// Rows of one width, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    width: usize,
    data: Vec<T>,
}

impl<T: Number> Rows<T> {
    pub(crate) fn new(width: usize, capacity: usize) -> Self {
        debug_assert!(width >= 1);
        Self { width, data: Vec::with_capacity(width * capacity) }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len() / self.width
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    pub(crate) fn row(&self, r: usize) -> &[T] {
        &self.data[r * self.width..(r + 1) * self.width]
    }

    pub(crate) fn row_mut(&mut self, r: usize) -> &mut [T] {
        &mut self.data[r * self.width..(r + 1) * self.width]
    }

    pub(crate) fn iter(&self) -> std::slice::ChunksExact<'_, T> {
        self.data.chunks_exact(self.width)
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::ChunksExactMut<'_, T> {
        self.data.chunks_exact_mut(self.width)
    }

    pub(crate) fn push(&mut self, row: &[T]) {
        debug_assert_eq!(row.len(), self.width);
        self.data.extend_from_slice(row);
    }

    /// Appends `a * x + b * y`.
    pub(crate) fn push_combination(&mut self, kind: Kind, a: &T, x: &[T], b: &T, y: &[T]) -> Result<()> {
        T::combine_reduced(kind, a, x, b, y, &mut self.data)
    }

    /// Appends exactly `a * x + b * y`, without dividing by anything.
    pub(crate) fn push_exact(&mut self, a: &T, x: &[T], b: &T, y: &[T]) -> Result<()> {
        T::combine(a, x, b, y, &mut self.data)
    }

    /// Row `r := a * row_r + b * other`.
    pub(crate) fn combine_in_place(&mut self, kind: Kind, r: usize, a: &T, b: &T, other: &[T]) -> Result<()> {
        T::combine_in_place(kind, a, self.row_mut(r), b, other)
    }

    /// Removes row `r`; the last row takes its place.
    pub(crate) fn swap_remove(&mut self, r: usize) {
        let last = self.len() - 1;
        self.swap(r, last);
        self.data.truncate(last * self.width);
    }

    /// Exchanges two rows.
    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            let (a, b) = (a.min(b), a.max(b));
            let (head, tail) = self.data.split_at_mut(b * self.width);
            head[a * self.width..(a + 1) * self.width].swap_with_slice(&mut tail[..self.width]);
        }
    }

    /// Keeps the rows that `keep` says, in order.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&[T]) -> bool) {
        let (width, mut to) = (self.width, 0);
        for from in 0..self.len() {
            if keep(self.row(from)) {
                if to != from {
                    let (head, tail) = self.data.split_at_mut(from * width);
                    head[to * width..(to + 1) * width].swap_with_slice(&mut tail[..width]);
                }
                to += 1;
            }
        }
        self.data.truncate(to * width);
    }
}

/// `{ x | eqs = 0, ges >= 0 }`.
#[derive(Clone, Debug)]
pub(crate) struct System<T> {
    /// Entries of a row: 1 for the constant, then the variables.
    pub(crate) width: usize,
    pub(crate) eqs: Rows<T>,
    pub(crate) ges: Rows<T>,
}

/// A row of so many entries costs two steps, and so on.
const WIDTH_A_STEP: usize = 32;

/// All rows that bound one form `a . x`: `a . x + lower >= 0` and `-a . x + upper >= 0`.
struct Strip<T> {
    key: u64,
    lower: Option<T>,
    upper: Option<T>,
}

/// Strips by the order in which they were met. Above a few, a hash table finds them.
struct Strips<T> {
    strips: Vec<Strip<T>>,
    /// Number of a strip plus one, 0 for a free place; a power of two of places, probed linearly. Empty while a scan is faster.
    table: Vec<u32>,
}

/// Up to so many rows strips are found by a scan of their keys.
const MOST_SCANNED: usize = 32;

impl<T> Strips<T> {
    fn new(most: usize) -> Self {
        let table = if most > MOST_SCANNED { vec![0; (2 * most).next_power_of_two()] } else { Vec::new() };
        Self { strips: Vec::with_capacity(most), table }
    }

    /// The strip with this key of which `same` is true; if there is none it is made, and `true` returned with it.
    fn find_or_make(&mut self, key: u64, same: impl Fn(usize) -> bool) -> (usize, bool) {
        let fresh = Strip { key, lower: None, upper: None };
        let next = self.strips.len();
        if self.table.is_empty() {
            if let Some(k) = self.strips.iter().enumerate().position(|(k, s)| s.key == key && same(k)) {
                return (k, false);
            }
            self.strips.push(fresh);
            return (next, true);
        }
        let mask = self.table.len() - 1;
        // The low bits of the product in the key are the weakest.
        let mut place = usize::try_from(key >> 32).unwrap_or(0) & mask;
        loop {
            match self.table[place] {
                0 => break,
                k if self.strips[k as usize - 1].key == key && same(k as usize - 1) => return (k as usize - 1, false),
                _ => place = (place + 1) & mask,
            }
        }
        self.strips.push(fresh);
        self.table[place] = u32::try_from(self.strips.len()).unwrap_or(0);
        (next, true)
    }
}

impl<T: Number> System<T> {
    pub(crate) fn universe(width: usize, capacity: usize) -> Self {
        Self { width, eqs: Rows::new(width, 0), ges: Rows::new(width, capacity) }
    }

    /// The rows of a set, with room for one more.
    pub(crate) fn of(set: &Polyhedron) -> Self {
        Self::of_rows(set.space(), 1, set.constraints().iter())
    }

    /// The rows of a set and more.
    pub(crate) fn of_both<'a>(set: &'a Polyhedron, more: impl Iterator<Item = &'a Constraint> + Clone) -> Self {
        Self::of_rows(set.space(), 1, set.constraints().iter().chain(more))
    }

    fn of_rows<'a>(space: Space, room: usize, rows: impl Iterator<Item = &'a Constraint> + Clone) -> Self {
        let mut system = Self::universe(space.columns(), rows.clone().count() + room);
        for c in rows {
            let to = if c.kind == Kind::Eq { &mut system.eqs } else { &mut system.ges };
            T::row_of(c.expr.coeffs(), &mut to.data);
        }
        system
    }

    pub(crate) fn push(&mut self, kind: Kind, row: &[T]) {
        match kind {
            Kind::Eq => self.eqs.push(row),
            Kind::Ge => self.ges.push(row),
        }
    }

    /// Adds `-row - 1 >= 0`: the integer points where `row >= 0` fails.
    pub(crate) fn push_negation(&mut self, row: &[T]) -> Result<()> {
        let mut out = Vec::with_capacity(row.len());
        for c in row {
            out.push(c.neg()?);
        }
        out[0] = out[0].sub(&T::from(1))?;
        self.ges.push(&out);
        Ok(())
    }

    /// Adds `row - 1 >= 0`.
    pub(crate) fn push_strict(&mut self, row: &[T]) -> Result<()> {
        let shifted = row[0].sub(&T::from(1))?;
        self.ges.push(row);
        let last = self.ges.len() - 1;
        self.ges.row_mut(last)[0] = shifted;
        Ok(())
    }

    /// Steps to book for [`System::tidy`]: one a row, and more where the rows are wide.
    pub(crate) fn price(&self) -> u64 {
        let rows = (self.eqs.len() + self.ges.len()) as u64;
        1 + rows * (1 + (self.width / WIDTH_A_STEP) as u64)
    }

    /// Normalises every row, keeps the tightest of rows with one linear part, turns opposite pairs into equalities. `false`: no integer point.
    /// Order of first appearance, equalities with a positive leading coefficient.
    pub(crate) fn tidy(&mut self) -> Result<bool> {
        let total = self.eqs.len() + self.ges.len();
        let mut parts = Rows::new(self.width, total);
        let mut strips = Strips::new(total);
        for (kind, rows) in [(Kind::Eq, &mut self.eqs), (Kind::Ge, &mut self.ges)] {
            for row in rows.iter_mut() {
                match T::normalise(kind, row) {
                    Verdict::True => continue,
                    Verdict::False => return Ok(false),
                    Verdict::Row => {}
                }
                if !file(kind, row, &mut parts, &mut strips)? {
                    return Ok(false);
                }
            }
        }
        self.eqs.data.clear();
        self.ges.data.clear();
        for (part, strip) in parts.iter_mut().zip(strips.strips) {
            if let (Some(lower), Some(upper)) = (&strip.lower, &strip.upper)
                && lower.sum_sign(upper) == Ordering::Equal
            {
                part[0] = lower.clone();
                self.eqs.push(part);
                continue;
            }
            if let Some(lower) = strip.lower {
                part[0] = lower;
                self.ges.push(part);
            }
            if let Some(upper) = strip.upper {
                part[0] = upper;
                for c in &mut part[1..] {
                    *c = c.neg()?;
                }
                self.ges.push(part);
            }
        }
        Ok(true)
    }

    /// As a set. The only place where promoted numbers must fit again.
    pub(crate) fn into_polyhedron(mut self, space: Space) -> Result<Polyhedron> {
        debug_assert_eq!(self.width, space.columns());
        let mut constraints = Vec::with_capacity(self.eqs.len() + self.ges.len());
        for (kind, rows) in [(Kind::Eq, &mut self.eqs), (Kind::Ge, &mut self.ges)] {
            for row in rows.iter_mut() {
                let narrow = |row: &[T]| row.iter().map(Number::to_i64).collect::<Result<Vec<i64>>>();
                let coeffs = narrow(row).or_else(|e| match T::normalise(kind, row) {
                    Verdict::Row => narrow(row),
                    Verdict::True | Verdict::False => Err(e),
                })?;
                constraints.push(Constraint { kind, expr: Affine::from_coeffs(space, coeffs) });
            }
        }
        Ok(Polyhedron::new(space, constraints))
    }
}

/// Enters a normalised row into the strip of its linear part. `false`: the strip is now empty.
fn file<T: Number>(kind: Kind, row: &[T], parts: &mut Rows<T>, strips: &mut Strips<T>) -> Result<bool> {
    let negative = row[1..].iter().find(|c| !c.is_zero()).is_some_and(Number::is_negative);
    let mut key = 0_u64;
    for c in &row[1..] {
        key = (key.rotate_left(7) ^ c.bits(negative)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    let same = |part: &[T]| {
        let mut pairs = part[1..].iter().zip(&row[1..]);
        if negative { pairs.all(|(p, c)| p.sum_sign(c) == Ordering::Equal) } else { pairs.all(|(p, c)| p == c) }
    };
    let (k, new) = strips.find_or_make(key, |k| same(parts.row(k)));
    if new {
        parts.push(row);
        if negative {
            for c in &mut parts.row_mut(k)[1..] {
                *c = c.neg()?;
            }
        }
    }
    let strip = &mut strips.strips[k];
    let tighten = |bound: &mut Option<T>, c: T| {
        if bound.as_ref().is_none_or(|old| c < *old) {
            *bound = Some(c);
        }
    };
    match (kind, negative) {
        (Kind::Ge, false) => tighten(&mut strip.lower, row[0].clone()),
        (Kind::Ge, true) => tighten(&mut strip.upper, row[0].clone()),
        (Kind::Eq, _) => {
            let opposite = row[0].neg()?;
            let (lower, upper) = if negative { (opposite, row[0].clone()) } else { (row[0].clone(), opposite) };
            tighten(&mut strip.lower, lower);
            tighten(&mut strip.upper, upper);
        }
    }
    Ok(match (&strip.lower, &strip.upper) {
        (Some(lower), Some(upper)) => lower.sum_sign(upper) != Ordering::Less,
        _ => true,
    })
}
