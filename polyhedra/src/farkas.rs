//! Farkas' lemma as data: certificates that an affine form is non-negative on a set, or that a set is empty.
//!
//! **Problem.** Show that `f(x) >= 0` wherever `row_r(x) >= 0` (or `= 0`), such that anyone can check it by one addition of rows.
//!
//! **Method.** The simplex that minimises `f` ends with `f = least + sum multiplier_r * row_r`, multipliers of inequalities non-negative: with
//! `least >= 0` that *is* the certificate (affine Farkas lemma). The check, [`Certificate::proves`], adds the rows up and compares, and knows
//! nothing of simplex.
//!
//! **Example.** `2i + j - 3 >= 0` on `i >= 1, j >= 2`: `2i + j - 3 = 1 + 2 (i - 1) + 1 (j - 2)`.
//!
//! Paper: Schrijver, *Theory of Linear and Integer Programming* (1986), section 7.3.

use crate::number::{gcd, promote};
use crate::simplex::{Rational, input, same_space};
use crate::tableau::{self, Goal, Outcome, Proof, big_fraction, small_fraction};
use crate::{Affine, Budget, Error, Kind, Polyhedron, Result};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedMul, Signed};

/// Multipliers that prove `form >= 0` on a set: `form = constant + sum multipliers[r] * row_r`, `constant >= 0`, and
/// `multipliers[r] >= 0` for every row that is an inequality (free for equalities). With `form = -1` it proves that the set is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The slack, `>= 0`.
    pub constant: Rational,
    /// One multiplier a row of the set, in its order.
    pub multipliers: Vec<Rational>,
}

impl Certificate {
    /// Checks the identity exactly. Shares nothing with what found it. Linear.
    ///
    /// # Errors
    /// Overflow.
    pub fn proves(&self, form: &Affine, set: &Polyhedron) -> Result<bool> {
        let rows = set.constraints();
        if form.space() != set.space() || self.multipliers.len() != rows.len() {
            return Ok(false);
        }
        let well_formed = |q: &Rational| *q.denom() > 0;
        if !well_formed(&self.constant) || !self.multipliers.iter().all(well_formed) || *self.constant.numer() < 0 {
            return Ok(false);
        }
        if rows.iter().zip(&self.multipliers).any(|(row, q)| row.kind == Kind::Ge && *q.numer() < 0) {
            return Ok(false);
        }
        promote(|| self.adds_up::<i128>(form, set), || self.adds_up::<BigInt>(form, set))
    }

    /// The identity, over the common denominator `den` one of integers, column by column.
    fn adds_up<T: Integer + Clone + CheckedAdd + CheckedMul + From<i128>>(
        &self,
        form: &Affine,
        set: &Polyhedron,
    ) -> Result<bool> {
        let times = |a: &T, b: &T| a.checked_mul(b).ok_or(Error::Overflow);
        let mut den = T::one();
        for q in self.multipliers.iter().chain([&self.constant]) {
            let own = T::from(*q.denom());
            if !own.is_one() && !den.is_multiple_of(&own) {
                den = times(&(den.clone() / den.gcd(&own)), &own)?;
            }
        }
        let whole = |q: &Rational| match T::from(*q.numer()) {
            numerator if den.is_one() || numerator.is_zero() => Ok(numerator),
            numerator => times(&numerator, &(den.clone() / T::from(*q.denom()))),
        };
        let mut sums = vec![T::zero(); form.coeffs().len()];
        sums[0] = whole(&self.constant)?;
        for (row, q) in set.constraints().iter().zip(&self.multipliers) {
            let factor = whole(q)?;
            if factor.is_zero() {
                continue;
            }
            for (sum, &c) in sums.iter_mut().zip(row.expr.coeffs()).filter(|(_, c)| **c != 0) {
                let term = times(&factor, &T::from(i128::from(c)))?;
                *sum = sum.checked_add(&term).ok_or(Error::Overflow)?;
            }
        }
        for (sum, &c) in sums.iter().zip(form.coeffs()) {
            if *sum != times(&den, &T::from(i128::from(c)))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Looks for a certificate that `form >= 0` on `set`, by exact simplex. `None`: there is none (the form is negative somewhere on the
/// rational points). On a set without rational points a certificate exists exactly when the rows bound the form's direction (`y >= 0` has none on
/// `{ [x, y] : x >= 0 and -x - 1 >= 0 }`): there ask [`prove_empty`].
///
/// # Errors
/// Overflow, budget.
pub fn prove_nonnegative(form: &Affine, set: &Polyhedron, budget: &Budget) -> Result<Option<Certificate>> {
    same_space(set.space(), form.space())?;
    if let Some(certificate) = one_row(form, set) {
        return Ok(Some(certificate));
    }
    budget.memo().nonnegative.ask(set, form.coeffs(), budget, || {
        let rows = input(set);
        Ok(match tableau::solve(set.space().columns(), &rows, Goal::Nonnegative(form.coeffs()), budget)? {
            Outcome::Least(proof) => Some(certificate(&proof, rows.len())?),
            Outcome::Empty(empty) => vacuous(form, set, &certificate(&empty, rows.len())?, budget)?,
            _ => None,
        })
    })
}

/// Looks for a certificate that `set` has no rational point (`-1 >= 0` follows from its rows).
///
/// # Errors
/// Overflow, budget.
pub fn prove_empty(set: &Polyhedron, budget: &Budget) -> Result<Option<Certificate>> {
    let rows = input(set);
    Ok(match tableau::solve(set.space().columns(), &rows, Goal::Feasible { sample: false }, budget)? {
        Outcome::Empty(proof) => Some(certificate(&proof, rows.len())?),
        _ => None,
    })
}

fn certificate(proof: &Proof, rows: usize) -> Result<Certificate> {
    Ok(Certificate { constant: proof.value()?, multipliers: proof.multipliers(rows)? })
}

/// The cheap case: `form` is a multiple of one row plus a non-negative constant.
fn one_row(form: &Affine, set: &Polyhedron) -> Option<Certificate> {
    let none = || vec![Ratio::from_integer(0); set.constraints().len()];
    let linear = &form.coeffs()[1..];
    let Some(lead) = linear.iter().position(|&c| c != 0) else {
        let constant = form.constant_term();
        return (constant >= 0)
            .then(|| Certificate { constant: Ratio::from_integer(constant.into()), multipliers: none() });
    };
    for (r, row) in set.constraints().iter().enumerate() {
        let own = &row.expr.coeffs()[1..];
        let (f, a) = (linear[lead], own[lead]);
        if a == 0 || (row.kind == Kind::Ge && (f < 0) != (a < 0)) {
            continue;
        }
        // form = (f / a) * row + constant, when all columns agree.
        let same =
            linear.iter().zip(own).all(|(&x, &y)| i128::from(x) * i128::from(a) == i128::from(y) * i128::from(f));
        if !same {
            continue;
        }
        let (f, a) = if a < 0 { (-i128::from(f), -i128::from(a)) } else { (f.into(), a.into()) };
        let parts = (i128::from(form.constant_term()) * a, i128::from(row.expr.constant_term()) * f);
        // Only the least integers overflow here: then the simplex looks.
        let Some(over) = parts.0.checked_sub(parts.1).filter(|&over| over >= 0) else { continue };
        let mut multipliers = none();
        let g = i128::from(gcd(form_gcd(f), form_gcd(a)));
        multipliers[r] = Ratio::new_raw(f / g, a / g);
        return Some(Certificate { constant: small_fraction(over, a), multipliers });
    }
    None
}

/// `|v|` for what was an `i64`.
fn form_gcd(v: i128) -> u64 {
    u64::try_from(v.unsigned_abs()).unwrap_or(1)
}

/// On an empty set: a certificate of the form's linear part over the cone of the rows' directions, its constant lifted by the proof of emptiness.
fn vacuous(form: &Affine, set: &Polyhedron, empty: &Certificate, budget: &Budget) -> Result<Option<Certificate>> {
    let without_constant = |e: &Affine| {
        let mut e = e.clone();
        e.set_constant(0);
        e
    };
    let cone: Vec<Affine> = set.constraints().iter().map(|c| without_constant(&c.expr)).collect();
    let direction = without_constant(form);
    let rows: Vec<_> = set.constraints().iter().zip(&cone).map(|(c, e)| (c.kind, e.coeffs())).collect();
    let goal = Goal::Nonnegative(direction.coeffs());
    let Outcome::Least(proof) = tableau::solve(set.space().columns(), &rows, goal, budget)? else {
        return Ok(None);
    };
    let cone = proof.multipliers(rows.len())?;
    promote(
        || lifted::<i128>(form, set, &cone, &empty.multipliers, |q| Ok(*q)),
        || lifted::<BigInt>(form, set, &cone, &empty.multipliers, |q| big_fraction(q.numer(), q.denom())),
    )
    .map(Some)
}

/// `form = constant + sum multiplier * row`, perhaps with a negative constant: then `-constant` times `0 = 1 + sum empty * row` is added.
fn lifted<T: Integer + Clone + Signed + CheckedAdd + CheckedMul + From<i128>>(
    form: &Affine,
    set: &Polyhedron,
    cone: &[Rational],
    empty: &[Rational],
    narrow: impl Fn(&Ratio<T>) -> Result<Rational>,
) -> Result<Certificate> {
    let wide = |q: &Rational| Ratio::<T>::new_raw((*q.numer()).into(), (*q.denom()).into());
    let whole = |c: i128| Ratio::<T>::from_integer(c.into());
    let add_product = |sum: &Ratio<T>, a: &Ratio<T>, b: &Ratio<T>| {
        a.checked_mul(b).and_then(|p| sum.checked_add(&p)).ok_or(Error::Overflow)
    };
    let mut constant = whole(form.constant_term().into());
    for (row, q) in set.constraints().iter().zip(cone) {
        constant = add_product(&constant, &wide(q), &whole(-i128::from(row.expr.constant_term())))?;
    }
    if !constant.is_negative() {
        return Ok(Certificate { constant: narrow(&constant)?, multipliers: cone.to_vec() });
    }
    let lift = -constant;
    let pairs = cone.iter().zip(empty);
    let multipliers = pairs.map(|(q, e)| narrow(&add_product(&wide(q), &lift, &wide(e))?)).collect::<Result<_>>()?;
    Ok(Certificate { constant: Ratio::from_integer(0), multipliers })
}
