//! The numbers that rows are made of: `i64` as long as that holds, big integers after.
//!
//! **Problem.** Elimination multiplies rows with one another. Nearly always the products fit into `i64`; when they do not, the *answer* (empty or not, a
//! row divided by its gcd, a sign) often still does, and must not be lost.
//!
//! **Method.** All algorithms on rows are written once, over [`Number`]. A question is asked in `i64` first, where each operation computes in `i128` and
//! says [`Error::Overflow`] when its result does not fit; then the whole question is asked again in big integers: see [`promote`]. Nothing is converted
//! half-way, so that an operation may leave its rows half done when it overflows. Only results that go back into an [`Affine`](crate::Affine) must fit again.
//!
//! The tableau has a third step, `i128`, between the two (module `tableau`).
//!
//! **Bounds.** Steps of a [`Budget`] count rows, whose numbers are no longer of one size here: numbers beyond `MOST_BITS` are [`Error::Budget`].

mod big;

pub(crate) use self::big::{contains_exactly, value_of};

use crate::rows::Verdict;
use crate::tableau::{self, Goal, InputRow, Outcome};
use crate::{Budget, Error, Kind, Result};
use std::cmp::Ordering;
use std::fmt::Debug;

/// Asks in `i64`, and again in big integers if that overflowed.
pub(crate) fn promote<R>(small: impl FnOnce() -> Result<R>, big: impl FnOnce() -> Result<R>) -> Result<R> {
    match small() {
        Err(Error::Overflow) => big(),
        other => other,
    }
}

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

/// An entry of a row.
pub(crate) trait Number: Clone + Ord + Debug + From<i64> {
    /// Holds the sum of the sizes of a row's entries.
    type Sum: Ord;

    fn is_zero(&self) -> bool;
    fn is_positive(&self) -> bool;
    fn is_negative(&self) -> bool;
    /// 1 or -1?
    fn is_unit(&self) -> bool;
    /// Compares `|self|` with `|other|`.
    fn cmp_size(&self, other: &Self) -> Ordering;
    fn neg(&self) -> Result<Self>;
    fn abs(&self) -> Result<Self>;
    fn add(&self, other: &Self) -> Result<Self>;
    fn sub(&self, other: &Self) -> Result<Self>;
    /// `self - b * c`.
    fn sub_mul(&self, b: &Self, c: &Self) -> Result<Self>;
    /// `self / by`, rounded down; `by > 0`.
    fn div_floor(&self, by: &Self) -> Self;
    /// The integer nearest to `self / by`; halves go up for `by > 0`.
    fn nearest_quotient(&self, by: &Self) -> Result<Self>;
    /// Compares `self + other` with 0.
    fn sum_sign(&self, other: &Self) -> Ordering;
    /// Both, positive, divided by their gcd.
    fn coprime(a: Self, b: Self) -> (Self, Self);
    /// Bits for a hash of `self`, or of `-self`.
    fn bits(&self, negated: bool) -> u64;
    fn to_i64(&self) -> Result<i64>;

    /// Normalises a row in place: see the module `rows`.
    fn normalise(kind: Kind, row: &mut [Self]) -> Verdict;
    /// Appends exactly `a * x + b * y` to `out`, without dividing by anything.
    fn combine(a: &Self, x: &[Self], b: &Self, y: &[Self], out: &mut Vec<Self>) -> Result<()>;
    /// As [`Number::combine`], but a row that does not fit is divided by its gcd first.
    fn combine_reduced(kind: Kind, a: &Self, x: &[Self], b: &Self, y: &[Self], out: &mut Vec<Self>) -> Result<()>;
    /// `x := a * x + b * y`, divided by its gcd if it does not fit.
    fn combine_in_place(kind: Kind, a: &Self, x: &mut [Self], b: &Self, y: &[Self]) -> Result<()>;
    /// The sum of the sizes of all entries.
    fn sum_of_sizes(entries: &[Self]) -> Self::Sum;
    /// `floor((2 c - sum |a_i|) / 2)` for the row `c + a . x`.
    fn cube_constant(row: &[Self]) -> Result<Self>;
    /// The simplex on rows of such numbers.
    fn solve(width: usize, rows: &[InputRow<'_, Self>], goal: Goal<'_, Self>, budget: &Budget) -> Result<Outcome>;
    /// The rows of a set.
    fn row_of(coeffs: &[i64], out: &mut Vec<Self>);
}

impl Number for i64 {
    type Sum = u128;

    #[inline]
    fn is_zero(&self) -> bool {
        *self == 0
    }

    #[inline]
    fn is_positive(&self) -> bool {
        *self > 0
    }

    #[inline]
    fn is_negative(&self) -> bool {
        *self < 0
    }

    #[inline]
    fn is_unit(&self) -> bool {
        self.unsigned_abs() == 1
    }

    #[inline]
    fn cmp_size(&self, other: &Self) -> Ordering {
        self.unsigned_abs().cmp(&other.unsigned_abs())
    }

    #[inline]
    fn neg(&self) -> Result<Self> {
        self.checked_neg().ok_or(Error::Overflow)
    }

    #[inline]
    fn abs(&self) -> Result<Self> {
        self.checked_abs().ok_or(Error::Overflow)
    }

    #[inline]
    fn add(&self, other: &Self) -> Result<Self> {
        self.checked_add(*other).ok_or(Error::Overflow)
    }

    #[inline]
    fn sub(&self, other: &Self) -> Result<Self> {
        self.checked_sub(*other).ok_or(Error::Overflow)
    }

    #[inline]
    fn sub_mul(&self, b: &Self, c: &Self) -> Result<Self> {
        // |b c| <= 2^126: no overflow in i128.
        Self::try_from(i128::from(*self) - i128::from(*b) * i128::from(*c)).map_err(|_| Error::Overflow)
    }

    #[inline]
    fn div_floor(&self, by: &Self) -> Self {
        self.div_euclid(*by)
    }

    #[inline]
    fn nearest_quotient(&self, by: &Self) -> Result<Self> {
        let (entry, by) = (i128::from(*self), i128::from(*by));
        let size = by.abs();
        // entry - q * by lies in [-size / 2, size / 2].
        let q = (2 * entry + size).div_euclid(2 * size) * by.signum();
        Self::try_from(q).map_err(|_| Error::Overflow)
    }

    #[inline]
    fn sum_sign(&self, other: &Self) -> Ordering {
        (i128::from(*self) + i128::from(*other)).cmp(&0)
    }

    #[inline]
    fn coprime(a: Self, b: Self) -> (Self, Self) {
        match Self::try_from(gcd(a.unsigned_abs(), b.unsigned_abs())) {
            Ok(g) if g > 1 => (a / g, b / g),
            _ => (a, b),
        }
    }

    #[inline]
    fn bits(&self, negated: bool) -> u64 {
        if negated { self.wrapping_neg().cast_unsigned() } else { self.cast_unsigned() }
    }

    #[inline]
    fn to_i64(&self) -> Result<i64> {
        Ok(*self)
    }

    fn normalise(kind: Kind, row: &mut [Self]) -> Verdict {
        let g = gcd_of(&row[1..]);
        match (g, kind) {
            (0, Kind::Eq) if row[0] == 0 => return Verdict::True,
            (0, Kind::Ge) if row[0] >= 0 => return Verdict::True,
            (0, _) => return Verdict::False,
            (1, _) => return Verdict::Row,
            _ => {}
        }
        // Only a linear part of `i64::MIN` and zeros alone has the gcd 2^63, which is not an `i64`.
        let Ok(g) = Self::try_from(g) else {
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

    fn combine(a: &Self, x: &[Self], b: &Self, y: &[Self], out: &mut Vec<Self>) -> Result<()> {
        let start = out.len();
        let (wa, wb) = (i128::from(*a), i128::from(*b));
        for (&x, &y) in x.iter().zip(y) {
            let value = (wa * i128::from(x)).checked_add(wb * i128::from(y)).and_then(|v| Self::try_from(v).ok());
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

    fn combine_reduced(kind: Kind, a: &Self, x: &[Self], b: &Self, y: &[Self], out: &mut Vec<Self>) -> Result<()> {
        if Self::combine(a, x, b, y, out).is_ok() {
            return Ok(());
        }
        let (wa, wb) = (i128::from(*a), i128::from(*b));
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
            match Self::try_from(q) {
                Ok(q) => out.push(q),
                Err(_) => {
                    out.truncate(start);
                    return Err(Error::Overflow);
                }
            }
        }
        Ok(())
    }

    fn combine_in_place(kind: Kind, a: &Self, x: &mut [Self], b: &Self, y: &[Self]) -> Result<()> {
        let (a, b) = (*a, *b);
        let (wa, wb) = (i128::from(a), i128::from(b));
        let fits = x.iter().zip(y).all(|(&x, &y)| {
            (wa * i128::from(x)).checked_add(wb * i128::from(y)).is_some_and(|v| Self::try_from(v).is_ok())
        });
        if fits {
            for (x, &y) in x.iter_mut().zip(y) {
                // In range, as just seen; wrapping arithmetic modulo 2^64 then gives that value.
                *x = a.wrapping_mul(*x).wrapping_add(b.wrapping_mul(y));
            }
            return Ok(());
        }
        let mut out = Vec::with_capacity(x.len());
        Self::combine_reduced(kind, &a, x, &b, y, &mut out)?;
        x.copy_from_slice(&out);
        Ok(())
    }

    fn sum_of_sizes(entries: &[Self]) -> u128 {
        entries.iter().map(|c| u128::from(c.unsigned_abs())).sum()
    }

    fn cube_constant(row: &[Self]) -> Result<Self> {
        let size: i128 = row[1..].iter().map(|&c| i128::from(c).abs()).sum();
        Self::try_from((2 * i128::from(row[0]) - size).div_euclid(2)).map_err(|_| Error::Overflow)
    }

    fn solve(width: usize, rows: &[InputRow<'_, Self>], goal: Goal<'_, Self>, budget: &Budget) -> Result<Outcome> {
        tableau::solve(width, rows, goal, budget)
    }

    fn row_of(coeffs: &[i64], out: &mut Vec<Self>) {
        out.extend_from_slice(coeffs);
    }
}
