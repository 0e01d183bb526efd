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

use crate::rows::gcd;
use crate::simplex::{Rational, input, same_space};
use crate::tableau::{self, Goal, Multiplier, Outcome};
use crate::{Affine, Budget, Error, Kind, Polyhedron, Result};
use num_rational::Ratio;

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
        // Over the common denominator `den` the identity is one of integers, column by column.
        let mut den = 1_i128;
        for q in self.multipliers.iter().chain([&self.constant]) {
            if den % q.denom() != 0 {
                let (mut a, mut b) = (den, *q.denom());
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                den = (den / a).checked_mul(*q.denom()).ok_or(Error::Overflow)?;
            }
        }
        let whole = |q: &Rational| q.numer().checked_mul(den / q.denom()).ok_or(Error::Overflow);
        let mut sums = vec![0_i128; form.coeffs().len()];
        sums[0] = whole(&self.constant)?;
        for (row, q) in rows.iter().zip(&self.multipliers) {
            let factor = whole(q)?;
            if factor == 0 {
                continue;
            }
            for (sum, &c) in sums.iter_mut().zip(row.expr.coeffs()) {
                let term = factor.checked_mul(i128::from(c)).ok_or(Error::Overflow)?;
                *sum = sum.checked_add(term).ok_or(Error::Overflow)?;
            }
        }
        for (sum, &c) in sums.iter().zip(form.coeffs()) {
            if *sum != den.checked_mul(i128::from(c)).ok_or(Error::Overflow)? {
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
    let rows = input(set);
    Ok(match tableau::solve(set.space().columns(), &rows, Goal::Nonnegative(form.coeffs()), budget)? {
        Outcome::Least { value, den, multipliers } if value >= 0 => {
            Some(certificate(value, den, &multipliers, rows.len()))
        }
        Outcome::Empty { den, multipliers } => {
            let empty = certificate(0, den, &multipliers, rows.len());
            vacuous(form, set, &empty, budget)?
        }
        _ => None,
    })
}

/// Looks for a certificate that `set` has no rational point (`-1 >= 0` follows from its rows).
///
/// # Errors
/// Overflow, budget.
pub fn prove_empty(set: &Polyhedron, budget: &Budget) -> Result<Option<Certificate>> {
    let rows = input(set);
    Ok(match tableau::solve(set.space().columns(), &rows, Goal::Feasible { sample: false }, budget)? {
        Outcome::Empty { den, multipliers } => Some(certificate(0, den, &multipliers, rows.len())),
        _ => None,
    })
}

fn certificate(constant: i128, den: i128, multipliers: &[Multiplier], rows: usize) -> Certificate {
    let mut out = vec![Ratio::from_integer(0); rows];
    for &(row, m) in multipliers {
        out[row] = fraction(m, den);
    }
    Certificate { constant: fraction(constant, den), multipliers: out }
}

/// `numerator / den` for `den > 0`; most denominators are 1.
fn fraction(numerator: i128, den: i128) -> Rational {
    if den == 1 { Ratio::from_integer(numerator) } else { Ratio::new(numerator, den) }
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
        let over = i128::from(form.constant_term()) * a - i128::from(row.expr.constant_term()) * f;
        if over < 0 {
            continue;
        }
        let mut multipliers = none();
        let g = i128::from(gcd(form_gcd(f), form_gcd(a)));
        multipliers[r] = Ratio::new_raw(f / g, a / g);
        return Some(Certificate { constant: fraction(over, a), multipliers });
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
    let Outcome::Least { den, multipliers, .. } = tableau::solve(set.space().columns(), &rows, goal, budget)? else {
        return Ok(None);
    };
    // form = constant + sum multiplier * row, perhaps with a negative constant: then add -constant times `0 = 1 + sum empty * row`.
    let mut out = certificate(0, den, &multipliers, rows.len());
    let mut constant = Ratio::from_integer(i128::from(form.constant_term()));
    for (row, q) in set.constraints().iter().zip(&out.multipliers) {
        let part = multiply(q, &Ratio::from_integer(i128::from(row.expr.constant_term())))?;
        constant = num_traits::CheckedSub::checked_sub(&constant, &part).ok_or(Error::Overflow)?;
    }
    if *constant.numer() < 0 {
        let lift = multiply(&constant, &Ratio::from_integer(-1))?;
        for (q, e) in out.multipliers.iter_mut().zip(&empty.multipliers) {
            *q = add(q, &multiply(&lift, e)?)?;
        }
        constant = Ratio::from_integer(0);
    }
    out.constant = constant;
    Ok(Some(out))
}

fn add(a: &Rational, b: &Rational) -> Result<Rational> {
    num_traits::CheckedAdd::checked_add(a, b).ok_or(Error::Overflow)
}

fn multiply(a: &Rational, b: &Rational) -> Result<Rational> {
    num_traits::CheckedMul::checked_mul(a, b).ok_or(Error::Overflow)
}
