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
//! Arithmetic: `i64` stored, products in `i128`; a result that does not fit is divided by its gcd before it is called an overflow.

use crate::{Affine, Constraint, Error, Kind, Polyhedron, Result, Space};

/// Greatest common divisor, `gcd(0, b) = b`.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        if b == 1 {
            return 1;
        }
        (a, b) = (b, a % b);
    }
    a
}

/// Gcd of all entries; 0 when all are 0.
pub(crate) fn gcd_of(entries: &[i64]) -> u64 {
    let mut g = 0;
    for &c in entries {
        if c != 0 {
            g = gcd(g, c.unsigned_abs());
            if g == 1 {
                return 1;
            }
        }
    }
    g
}

/// Gcd in `i128`, for the rare rows that left `i64`.
fn gcd_wide(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

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

/// Normalises in place.
pub(crate) fn normalise(kind: Kind, row: &mut [i64]) -> Verdict {
    let g = gcd_of(&row[1..]);
    match (g, kind) {
        (0, Kind::Eq) if row[0] == 0 => return Verdict::True,
        (0, Kind::Ge) if row[0] >= 0 => return Verdict::True,
        (0, _) => return Verdict::False,
        (1, _) => return Verdict::Row,
        _ => {}
    }
    // Only a linear part of `i64::MIN` and zeros alone has the gcd 2^63, which is not an `i64`.
    let Ok(g) = i64::try_from(g) else {
        let wide = i128::from(g);
        if kind == Kind::Eq && i128::from(row[0]) % wide != 0 {
            return Verdict::False;
        }
        row[0] = if row[0] < 0 { -1 } else { 0 };
        row[1..].iter_mut().for_each(|c| *c = c.signum());
        return Verdict::Row;
    };
    if kind == Kind::Eq && row[0] % g != 0 {
        return Verdict::False;
    }
    row[0] = row[0].div_euclid(g);
    row[1..].iter_mut().for_each(|c| *c /= g);
    Verdict::Row
}

/// Appends `a * x + b * y` to `out`.
fn combine(a: i64, x: &[i64], b: i64, y: &[i64], out: &mut Vec<i64>) -> Result<()> {
    let start = out.len();
    let (wa, wb) = (i128::from(a), i128::from(b));
    for (&x, &y) in x.iter().zip(y) {
        let value = (wa * i128::from(x)).checked_add(wb * i128::from(y)).and_then(|v| i64::try_from(v).ok());
        match value {
            Some(v) => out.push(v),
            None => {
                out.truncate(start);
                return Err(Error::Overflow);
            }
        }
    }
    Ok(())
}

/// As [`combine`], but a row that does not fit is divided by its gcd first.
pub(crate) fn combine_reduced(kind: Kind, a: i64, x: &[i64], b: i64, y: &[i64], out: &mut Vec<i64>) -> Result<()> {
    if combine(a, x, b, y, out).is_ok() {
        return Ok(());
    }
    let (wa, wb) = (i128::from(a), i128::from(b));
    let wide = x
        .iter()
        .zip(y)
        .map(|(&x, &y)| (wa * i128::from(x)).checked_add(wb * i128::from(y)).ok_or(Error::Overflow))
        .collect::<Result<Vec<i128>>>()?;
    let of = if kind == Kind::Eq { &wide[..] } else { &wide[1..] };
    let g = of.iter().fold(0, |g, c| gcd_wide(g, c.unsigned_abs()));
    let g = i128::try_from(g.max(1)).map_err(|_| Error::Overflow)?;
    let start = out.len();
    for (k, &v) in wide.iter().enumerate() {
        let q = if k == 0 { v.div_euclid(g) } else { v / g };
        match i64::try_from(q) {
            Ok(q) => out.push(q),
            Err(_) => {
                out.truncate(start);
                return Err(Error::Overflow);
            }
        }
    }
    Ok(())
}

/// Rows of one width, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    width: usize,
    data: Vec<i64>,
}

impl Rows {
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

    pub(crate) fn row(&self, r: usize) -> &[i64] {
        &self.data[r * self.width..(r + 1) * self.width]
    }

    pub(crate) fn row_mut(&mut self, r: usize) -> &mut [i64] {
        &mut self.data[r * self.width..(r + 1) * self.width]
    }

    pub(crate) fn iter(&self) -> std::slice::ChunksExact<'_, i64> {
        self.data.chunks_exact(self.width)
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::ChunksExactMut<'_, i64> {
        self.data.chunks_exact_mut(self.width)
    }

    pub(crate) fn push(&mut self, row: &[i64]) {
        debug_assert_eq!(row.len(), self.width);
        self.data.extend_from_slice(row);
    }

    /// Appends `a * x + b * y`.
    pub(crate) fn push_combination(&mut self, kind: Kind, a: i64, x: &[i64], b: i64, y: &[i64]) -> Result<()> {
        combine_reduced(kind, a, x, b, y, &mut self.data)
    }

    /// Appends exactly `a * x + b * y`, without dividing by anything.
    pub(crate) fn push_exact(&mut self, a: i64, x: &[i64], b: i64, y: &[i64]) -> Result<()> {
        combine(a, x, b, y, &mut self.data)
    }

    /// Row `r := a * row_r + b * other`.
    pub(crate) fn combine_in_place(&mut self, kind: Kind, r: usize, a: i64, b: i64, other: &[i64]) -> Result<()> {
        let (wa, wb) = (i128::from(a), i128::from(b));
        let fits = self.row(r).iter().zip(other).all(|(&x, &y)| {
            (wa * i128::from(x)).checked_add(wb * i128::from(y)).is_some_and(|v| i64::try_from(v).is_ok())
        });
        if fits {
            for (x, &y) in self.row_mut(r).iter_mut().zip(other) {
                // In range, as just seen; wrapping arithmetic modulo 2^64 then gives that value.
                *x = a.wrapping_mul(*x).wrapping_add(b.wrapping_mul(y));
            }
            return Ok(());
        }
        let mut out = Vec::with_capacity(self.width);
        combine_reduced(kind, a, self.row(r), b, other, &mut out)?;
        self.row_mut(r).copy_from_slice(&out);
        Ok(())
    }

    /// Removes row `r`; the last row takes its place.
    pub(crate) fn swap_remove(&mut self, r: usize) {
        let last = self.len() - 1;
        if r != last {
            self.data.copy_within(last * self.width.., r * self.width);
        }
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
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&[i64]) -> bool) {
        let (width, mut to) = (self.width, 0);
        for from in 0..self.len() {
            if keep(self.row(from)) {
                if to != from {
                    self.data.copy_within(from * width..(from + 1) * width, to * width);
                }
                to += 1;
            }
        }
        self.data.truncate(to * width);
    }
}

/// `{ x | eqs = 0, ges >= 0 }`.
#[derive(Clone, Debug)]
pub(crate) struct System {
    /// Entries of a row: 1 for the constant, then the variables.
    pub(crate) width: usize,
    pub(crate) eqs: Rows,
    pub(crate) ges: Rows,
}

/// All rows that bound one form `a . x`: `a . x + lower >= 0` and `-a . x + upper >= 0`.
struct Strip {
    key: u64,
    lower: Option<i64>,
    upper: Option<i64>,
}

/// Strips by the order in which they were met. Above a few, a hash table finds them.
struct Strips {
    strips: Vec<Strip>,
    /// Number of a strip plus one, 0 for a free place; a power of two of places, probed linearly. Empty while a scan is faster.
    table: Vec<u32>,
}

/// Up to so many rows strips are found by a scan of their keys.
const MOST_SCANNED: usize = 32;

impl Strips {
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

impl System {
    pub(crate) fn universe(width: usize, capacity: usize) -> Self {
        Self { width, eqs: Rows::new(width, 0), ges: Rows::new(width, capacity) }
    }

    pub(crate) fn of(set: &Polyhedron) -> Self {
        Self::with_room(set, 1)
    }

    pub(crate) fn with_room(set: &Polyhedron, room: usize) -> Self {
        let mut system = Self::universe(set.space().columns(), set.constraints().len() + room);
        for c in set.constraints() {
            system.push(c.kind, c.expr.coeffs());
        }
        system
    }

    pub(crate) fn push(&mut self, kind: Kind, row: &[i64]) {
        match kind {
            Kind::Eq => self.eqs.push(row),
            Kind::Ge => self.ges.push(row),
        }
    }

    /// Adds `-row - 1 >= 0`: the integer points where `row >= 0` fails.
    pub(crate) fn push_negation(&mut self, row: &[i64]) -> Result<()> {
        self.push_negated(row, 1)
    }

    /// Adds `-row - by >= 0`.
    pub(crate) fn push_negated(&mut self, row: &[i64], by: i64) -> Result<()> {
        let mut out = Vec::with_capacity(row.len());
        for &c in row {
            out.push(c.checked_neg().ok_or(Error::Overflow)?);
        }
        out[0] = out[0].checked_sub(by).ok_or(Error::Overflow)?;
        self.ges.push(&out);
        Ok(())
    }

    /// Adds `row - by >= 0`.
    pub(crate) fn push_shifted(&mut self, row: &[i64], by: i64) -> Result<()> {
        let shifted = row[0].checked_sub(by).ok_or(Error::Overflow)?;
        self.ges.push(row);
        let last = self.ges.len() - 1;
        self.ges.row_mut(last)[0] = shifted;
        Ok(())
    }

    /// Normalises every row, keeps the tightest of rows with one linear part, turns opposite pairs into equalities. `false`: no integer point.
    /// Order of first appearance, equalities with a positive leading coefficient.
    pub(crate) fn tidy(&mut self) -> Result<bool> {
        let total = self.eqs.len() + self.ges.len();
        let mut parts = Rows::new(self.width, total);
        let mut strips = Strips::new(total);
        for (kind, rows) in [(Kind::Eq, &mut self.eqs), (Kind::Ge, &mut self.ges)] {
            for row in rows.iter_mut() {
                match normalise(kind, row) {
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
        for (part, strip) in parts.iter_mut().zip(&strips.strips) {
            if let (Some(lower), Some(upper)) = (strip.lower, strip.upper)
                && i128::from(lower) + i128::from(upper) == 0
            {
                part[0] = lower;
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
                    *c = c.checked_neg().ok_or(Error::Overflow)?;
                }
                self.ges.push(part);
            }
        }
        Ok(true)
    }

    /// As a set.
    pub(crate) fn into_polyhedron(self, space: Space) -> Polyhedron {
        debug_assert_eq!(self.width, space.columns());
        let eqs = self.eqs.iter().map(|r| Constraint::eq(Affine::from_coeffs(space, r.to_vec())));
        let ges = self.ges.iter().map(|r| Constraint::ge(Affine::from_coeffs(space, r.to_vec())));
        Polyhedron::new(space, eqs.chain(ges).collect())
    }
}

/// Enters a normalised row into the strip of its linear part. `false`: the strip is now empty.
fn file(kind: Kind, row: &[i64], parts: &mut Rows, strips: &mut Strips) -> Result<bool> {
    let negative = row[1..].iter().find(|&&c| c != 0).is_some_and(|&c| c < 0);
    let mut key = 0_u64;
    for &c in &row[1..] {
        let c = if negative { c.wrapping_neg() } else { c };
        key = (key.rotate_left(7) ^ c.cast_unsigned()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    let same = |part: &[i64]| {
        let mut pairs = part[1..].iter().zip(&row[1..]);
        if negative { pairs.all(|(&p, &c)| c.checked_neg() == Some(p)) } else { pairs.all(|(&p, &c)| p == c) }
    };
    let (k, new) = strips.find_or_make(key, |k| same(parts.row(k)));
    if new {
        parts.push(row);
        if negative {
            for c in &mut parts.row_mut(k)[1..] {
                *c = c.checked_neg().ok_or(Error::Overflow)?;
            }
        }
    }
    let strip = &mut strips.strips[k];
    let tighten = |bound: &mut Option<i64>, c: i64| *bound = Some(bound.map_or(c, |old| old.min(c)));
    match (kind, negative) {
        (Kind::Ge, false) => tighten(&mut strip.lower, row[0]),
        (Kind::Ge, true) => tighten(&mut strip.upper, row[0]),
        (Kind::Eq, _) => {
            let opposite = row[0].checked_neg().ok_or(Error::Overflow)?;
            let (lower, upper) = if negative { (opposite, row[0]) } else { (row[0], opposite) };
            tighten(&mut strip.lower, lower);
            tighten(&mut strip.upper, upper);
        }
    }
    Ok(match (strip.lower, strip.upper) {
        (Some(lower), Some(upper)) => i128::from(lower) + i128::from(upper) >= 0,
        _ => true,
    })
}
