//! Big integers as entries of rows.

use super::Number;
use crate::rows::Verdict;
use crate::tableau::{self, Goal, InputRow, Outcome};
use crate::{Budget, Error, Kind, Polyhedron, Result};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// Bits of the largest big integer that rows may hold. Each elimination at most doubles the length: this is some six eliminations in a row without common factor
/// after numbers left 64 bits.
const MOST_BITS: u64 = 8192;

/// [`Error::Budget`] when the number is too long to go on with.
fn bounded(v: BigInt) -> Result<BigInt> {
    if v.bits() > MOST_BITS { Err(Error::Budget) } else { Ok(v) }
}

/// `a * x + b * y`.
fn sum_of_products(a: &BigInt, x: &BigInt, b: &BigInt, y: &BigInt) -> Result<BigInt> {
    match (Zero::is_zero(x), Zero::is_zero(y)) {
        (true, true) => Ok(BigInt::ZERO),
        (true, false) => bounded(b * y),
        (false, true) => bounded(a * x),
        (false, false) => bounded(a * x + b * y),
    }
}

impl Number for BigInt {
    type Sum = Self;

    fn is_zero(&self) -> bool {
        Zero::is_zero(self)
    }

    fn is_positive(&self) -> bool {
        Signed::is_positive(self)
    }

    fn is_negative(&self) -> bool {
        Signed::is_negative(self)
    }

    fn is_unit(&self) -> bool {
        self.magnitude().is_one()
    }

    fn cmp_size(&self, other: &Self) -> Ordering {
        self.magnitude().cmp(other.magnitude())
    }

    fn neg(&self) -> Result<Self> {
        Ok(-self)
    }

    fn abs(&self) -> Result<Self> {
        Ok(Signed::abs(self))
    }

    fn add(&self, other: &Self) -> Result<Self> {
        bounded(self + other)
    }

    fn sub(&self, other: &Self) -> Result<Self> {
        bounded(self - other)
    }

    fn sub_mul(&self, b: &Self, c: &Self) -> Result<Self> {
        bounded(self - b * c)
    }

    fn div_floor(&self, by: &Self) -> Self {
        Integer::div_floor(self, by)
    }

    fn nearest_quotient(&self, by: &Self) -> Result<Self> {
        let size = Signed::abs(by);
        let q: Self = Integer::div_floor(&(self * 2 + &size), &(&size * 2));
        Ok(q * by.signum())
    }

    fn sum_sign(&self, other: &Self) -> Ordering {
        (self + other).cmp(&Self::ZERO)
    }

    fn coprime(a: Self, b: Self) -> (Self, Self) {
        let g = a.gcd(&b);
        if g.is_one() || Zero::is_zero(&g) { (a, b) } else { (a / &g, b / &g) }
    }

    fn bits(&self, negated: bool) -> u64 {
        // Zero is its own opposite.
        let sign = u64::from(!Zero::is_zero(self) && Signed::is_negative(self) != negated);
        self.iter_u64_digits().fold(sign, |h, d| h.rotate_left(9) ^ d.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn to_i64(&self) -> Result<i64> {
        ToPrimitive::to_i64(self).ok_or(Error::Overflow)
    }

    fn normalise(kind: Kind, row: &mut [Self]) -> Verdict {
        let g = row[1..].iter().fold(Self::ZERO, |g, c| g.gcd(c));
        if Zero::is_zero(&g) {
            let holds = match kind {
                Kind::Eq => Zero::is_zero(&row[0]),
                Kind::Ge => !Signed::is_negative(&row[0]),
            };
            return if holds { Verdict::True } else { Verdict::False };
        }
        if g.is_one() {
            return Verdict::Row;
        }
        if kind == Kind::Eq && !Integer::is_multiple_of(&row[0], &g) {
            return Verdict::False;
        }
        row[0] = Integer::div_floor(&row[0], &g);
        row[1..].iter_mut().for_each(|c| *c /= &g);
        Verdict::Row
    }

    fn combine(a: &Self, x: &[Self], b: &Self, y: &[Self], out: &mut Vec<Self>) -> Result<()> {
        for (x, y) in x.iter().zip(y) {
            out.push(sum_of_products(a, x, b, y)?);
        }
        Ok(())
    }

    fn combine_reduced(kind: Kind, a: &Self, x: &[Self], b: &Self, y: &[Self], out: &mut Vec<Self>) -> Result<()> {
        let start = out.len();
        Self::combine(a, x, b, y, out)?;
        reduce(kind, &mut out[start..]);
        Ok(())
    }

    fn combine_in_place(kind: Kind, a: &Self, x: &mut [Self], b: &Self, y: &[Self]) -> Result<()> {
        for (x, y) in x.iter_mut().zip(y) {
            *x = sum_of_products(a, x, b, y)?;
        }
        reduce(kind, x);
        Ok(())
    }

    fn sum_of_sizes(entries: &[Self]) -> Self {
        entries.iter().map(Signed::abs).sum()
    }

    fn cube_constant(row: &[Self]) -> Result<Self> {
        Ok(Integer::div_floor(&(&row[0] * 2 - Self::sum_of_sizes(&row[1..])), &Self::from(2)))
    }

    fn solve(width: usize, rows: &[InputRow<'_, Self>], goal: Goal<'_, Self>, budget: &Budget) -> Result<Outcome> {
        tableau::solve_in::<Self, Self>(width, rows, goal, budget)
    }

    fn row_of(coeffs: &[i64], out: &mut Vec<Self>) {
        out.extend(coeffs.iter().map(|&c| Self::from(c)));
    }
}

/// Divides a row that does not fit into `i64` by its gcd: just what [`i64`] does, so that both give the same answers word for word where both give one. An
/// equality's constant counts: it must not be rounded.
fn reduce(kind: Kind, row: &mut [BigInt]) {
    if row.iter().all(|c| ToPrimitive::to_i64(c).is_some()) {
        return;
    }
    let of = if kind == Kind::Eq { &row[..] } else { &row[1..] };
    let g = of.iter().fold(BigInt::ZERO, |g, c| g.gcd(c));
    if !Zero::is_zero(&g) && !g.is_one() {
        row[0] = Integer::div_floor(&row[0], &g);
        row[1..].iter_mut().for_each(|c| *c /= &g);
    }
}

/// Is the value of every row of the set at the point what the row asks for? In big integers.
pub(crate) fn contains_exactly(set: &Polyhedron, point: &[i64]) -> bool {
    set.constraints().iter().all(|c| {
        let v = value_of(c.expr.coeffs(), point);
        if c.kind == Kind::Eq { Zero::is_zero(&v) } else { !Signed::is_negative(&v) }
    })
}

/// `c + a . x` for the row `[c, a]`.
pub(crate) fn value_of(row: &[i64], point: &[i64]) -> BigInt {
    let products = row[1..].iter().zip(point).map(|(&c, &x)| BigInt::from(i128::from(c) * i128::from(x)));
    products.fold(BigInt::from(row[0]), |sum, p| sum + p)
}
