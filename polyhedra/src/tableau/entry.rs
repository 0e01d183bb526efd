//! Numbers of a tableau, and what it proves in them.

use crate::simplex::Rational;
use crate::{Error, Result};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// `form = value / den + sum multiplier / den * row`: a multiplier for each input row named, others 0. `den > 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// Where numbers fit.
    Small { value: i128, den: i128, multipliers: Vec<(usize, i128)> },
    /// Where they do not, or did not on the way.
    Big { value: BigInt, den: BigInt, multipliers: Vec<(usize, BigInt)> },
}

impl Proof {
    /// The value.
    pub(crate) fn value(&self) -> Result<Rational> {
        match self {
            Self::Small { value, den, .. } => Ok(small_fraction(*value, *den)),
            Self::Big { value, den, .. } => big_fraction(value, den),
        }
    }

    /// The multipliers of all rows.
    pub(crate) fn multipliers(&self, rows: usize) -> Result<Vec<Rational>> {
        let mut out = vec![Ratio::from_integer(0); rows];
        match self {
            Self::Small { den, multipliers, .. } => {
                multipliers.iter().for_each(|(row, m)| out[*row] = small_fraction(*m, *den));
            }
            Self::Big { den, multipliers, .. } => {
                for (row, m) in multipliers {
                    out[*row] = big_fraction(m, den)?;
                }
            }
        }
        Ok(out)
    }
}

/// `numerator / den` for `den > 0`; most denominators are 1.
pub(crate) fn small_fraction(numerator: i128, den: i128) -> Rational {
    if den == 1 { Ratio::from_integer(numerator) } else { Ratio::new(numerator, den) }
}

/// `numerator / den` for `den > 0`, if it fits.
pub(crate) fn big_fraction(numerator: &BigInt, den: &BigInt) -> Result<Rational> {
    let reduced = Ratio::new(numerator.clone(), den.clone());
    match (reduced.numer().to_i128(), reduced.denom().to_i128()) {
        (Some(n), Some(d)) => Ok(Ratio::new_raw(n, d)),
        _ => Err(Error::Overflow),
    }
}

/// Entries of a tableau.
pub(crate) trait Entry: Clone + Ord + Zero + One {
    /// `(a * b - c * d) / e`, which leaves no rest.
    fn minor(a: &Self, b: &Self, c: &Self, d: &Self, e: &Self) -> Option<Self>;
    /// `a - b * c`.
    fn sub_mul(a: &Self, b: &Self, c: &Self) -> Option<Self>;
    fn negated(&self) -> Option<Self>;
    fn below_zero(&self) -> bool;
    /// Compares `a / b` with `c / d` for positive `b`, `d`.
    fn compare(a: &Self, b: &Self, c: &Self, d: &Self) -> Option<Ordering>;
    /// `a / b` when that is an integer.
    fn quotient(a: &Self, b: &Self) -> Option<Self>;
    fn narrow(&self) -> Option<i64>;
    fn proof(value: &Self, den: &Self, multipliers: Vec<(usize, Self)>) -> Proof;
}

impl Entry for i64 {
    #[inline]
    fn minor(a: &Self, b: &Self, c: &Self, d: &Self, e: &Self) -> Option<Self> {
        let value = (i128::from(*a) * i128::from(*b)).checked_sub(i128::from(*c) * i128::from(*d))?;
        match Self::try_from(value) {
            Ok(v) => v.checked_div(*e),
            Err(_) => Self::try_from(value / i128::from(*e)).ok(),
        }
    }

    #[inline]
    fn sub_mul(a: &Self, b: &Self, c: &Self) -> Option<Self> {
        a.checked_sub(b.checked_mul(*c)?)
    }

    #[inline]
    fn negated(&self) -> Option<Self> {
        self.checked_neg()
    }

    #[inline]
    fn below_zero(&self) -> bool {
        *self < 0
    }

    #[inline]
    fn compare(a: &Self, b: &Self, c: &Self, d: &Self) -> Option<Ordering> {
        Some((i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b))))
    }

    #[inline]
    fn quotient(a: &Self, b: &Self) -> Option<Self> {
        if a.checked_rem(*b)? == 0 { Some(a / b) } else { None }
    }

    fn narrow(&self) -> Option<i64> {
        Some(*self)
    }

    fn proof(value: &Self, den: &Self, multipliers: Vec<(usize, Self)>) -> Proof {
        let multipliers = multipliers.into_iter().map(|(r, m)| (r, m.into())).collect();
        Proof::Small { value: (*value).into(), den: (*den).into(), multipliers }
    }
}

impl Entry for i128 {
    fn minor(a: &Self, b: &Self, c: &Self, d: &Self, e: &Self) -> Option<Self> {
        a.checked_mul(*b)?.checked_sub(c.checked_mul(*d)?)?.checked_div(*e)
    }

    fn sub_mul(a: &Self, b: &Self, c: &Self) -> Option<Self> {
        a.checked_sub(b.checked_mul(*c)?)
    }

    fn negated(&self) -> Option<Self> {
        self.checked_neg()
    }

    fn below_zero(&self) -> bool {
        *self < 0
    }

    fn compare(a: &Self, b: &Self, c: &Self, d: &Self) -> Option<Ordering> {
        Some(a.checked_mul(*d)?.cmp(&c.checked_mul(*b)?))
    }

    fn quotient(a: &Self, b: &Self) -> Option<Self> {
        if a.checked_rem(*b)? == 0 { Some(a / b) } else { None }
    }

    fn narrow(&self) -> Option<i64> {
        i64::try_from(*self).ok()
    }

    fn proof(value: &Self, den: &Self, multipliers: Vec<(usize, Self)>) -> Proof {
        Proof::Small { value: *value, den: *den, multipliers }
    }
}

impl Entry for BigInt {
    fn minor(a: &Self, b: &Self, c: &Self, d: &Self, e: &Self) -> Option<Self> {
        Some((a * b - c * d) / e)
    }

    fn sub_mul(a: &Self, b: &Self, c: &Self) -> Option<Self> {
        Some(a - b * c)
    }

    fn negated(&self) -> Option<Self> {
        Some(-self)
    }

    fn below_zero(&self) -> bool {
        self.is_negative()
    }

    fn compare(a: &Self, b: &Self, c: &Self, d: &Self) -> Option<Ordering> {
        Some((a * d).cmp(&(c * b)))
    }

    fn quotient(a: &Self, b: &Self) -> Option<Self> {
        num_integer::Integer::is_multiple_of(a, b).then(|| a / b)
    }

    fn narrow(&self) -> Option<i64> {
        self.to_i64()
    }

    fn proof(value: &Self, den: &Self, multipliers: Vec<(usize, Self)>) -> Proof {
        Proof::Big { value: value.clone(), den: den.clone(), multipliers }
    }
}
