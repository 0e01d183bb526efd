//! Integer points: the least value of a form, the lexicographically first point, any point.
//!
//! **Problem.** `min { f(N, i) | (N, i) in S integer }`; the least `i` of `S` in lexicographic order for given parameters; one point of `S`, or none.
//!
//! **Method.** The rational minimum, rounded up, is a lower bound of the integer one. "Is there an integer point with `f <= v`?" is a question to the Omega test
//! whose answer changes once as `v` grows: a galloping and then a binary search from the rational minimum finds where, in as many questions as the distance
//! has digits, mostly one. The lexicographically first point minimises one dimension after the other, each then held fixed. A sample tries the vertex
//! that the simplex ends in, and otherwise fixes column after column: at its integer minimum or maximum if it has one, else close to 0.
//! All of it is exact. Parameters are columns like others: fixed by rows where their values are given.
//!
//! **Example.** `{ [i, j] : 3i + 2j >= 7 and i >= 0 and j >= 0 and j <= 2 }` has the first point `(1, 2)`, though `i` is at least 1 only by an integer argument.

use crate::simplex::{input, same_space};
use crate::tableau::{self, Goal, Outcome};
use crate::{Affine, Budget, Constraint, Error, Optimum, Polyhedron, Result};

/// An integer point, parameters and dimensions.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Values of the parameters.
    pub params: Vec<i64>,
    /// Values of the dimensions.
    pub dims: Vec<i64>,
}

impl Polyhedron {
    /// The least value of `form` over the *integer* points, parameters free like dimensions. Exact.
    ///
    /// # Errors
    /// Overflow (the least value does not fit), budget, space mismatch.
    pub fn integer_minimum(&self, form: &Affine, budget: &Budget) -> Result<Optimum<i64>> {
        same_space(self.space(), form.space())?;
        let start = match self.minimum(form, budget)? {
            Optimum::Empty => return Ok(Optimum::Empty),
            // A rational ray along which the form falls is an integer one, scaled: it starts at any integer point.
            Optimum::Unbounded if self.is_empty(budget)? => return Ok(Optimum::Empty),
            Optimum::Unbounded => return Ok(Optimum::Unbounded),
            Optimum::Bounded(least) => least.ceil().to_integer(),
        };
        let reached = |v: i128| -> Result<bool> {
            let below = at_most(form, v)?;
            Ok(!self.clone().with(below).is_empty(budget)?)
        };
        let narrow = |v: i128| i64::try_from(v).map(Optimum::Bounded).map_err(|_| Error::Overflow);
        if reached(start)? {
            return narrow(start);
        }
        if self.is_empty(budget)? {
            return Ok(Optimum::Empty);
        }
        // Not reached at `low`, reached at `high`.
        let (mut low, mut step) = (start, 1_i128);
        let mut high = loop {
            let next = low.checked_add(step).ok_or(Error::Overflow)?;
            if reached(next)? {
                break next;
            }
            low = next;
            step = step.checked_mul(2).ok_or(Error::Overflow)?;
        };
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if reached(middle)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        narrow(high)
    }

    /// The largest value of `form` over the integer points: see [`Self::integer_minimum`].
    ///
    /// # Errors
    /// As [`Self::integer_minimum`].
    pub fn integer_maximum(&self, form: &Affine, budget: &Budget) -> Result<Optimum<i64>> {
        Ok(match self.integer_minimum(&form.scale(-1)?, budget)? {
            Optimum::Bounded(v) => Optimum::Bounded(v.checked_neg().ok_or(Error::Overflow)?),
            Optimum::Empty => Optimum::Empty,
            Optimum::Unbounded => Optimum::Unbounded,
        })
    }

    /// The lexicographically least point for these parameters. `Unbounded`: there are points, but no least one.
    ///
    /// # Errors
    /// Overflow (a coordinate does not fit), budget, space mismatch (number of parameters).
    pub fn lexmin_at(&self, params: &[i64], budget: &Budget) -> Result<Optimum<Vec<i64>>> {
        self.first_at(params, false, budget)
    }

    /// The lexicographically largest point for these parameters. `Unbounded`: there are points, but no largest one.
    ///
    /// # Errors
    /// As [`Self::lexmin_at`].
    pub fn lexmax_at(&self, params: &[i64], budget: &Budget) -> Result<Optimum<Vec<i64>>> {
        self.first_at(params, true, budget)
    }

    fn first_at(&self, params: &[i64], last: bool, budget: &Budget) -> Result<Optimum<Vec<i64>>> {
        let space = self.space();
        let mut rest = self.with_params(params)?;
        if space.dims == 0 {
            return Ok(if rest.is_empty(budget)? { Optimum::Empty } else { Optimum::Bounded(Vec::new()) });
        }
        let mut point = Vec::with_capacity(space.dims);
        for d in 0..space.dims {
            let x = Affine::dim(space, d);
            let best = if last { rest.integer_maximum(&x, budget)? } else { rest.integer_minimum(&x, budget)? };
            match best {
                Optimum::Empty => return Ok(Optimum::Empty),
                Optimum::Unbounded => return Ok(Optimum::Unbounded),
                Optimum::Bounded(v) => {
                    rest.add(equals(&x, v)?);
                    point.push(v);
                }
            }
        }
        Ok(Optimum::Bounded(point))
    }

    /// The set with rows that give the parameters their values.
    ///
    /// # Errors
    /// Overflow, space mismatch (number of parameters).
    pub fn with_params(&self, params: &[i64]) -> Result<Self> {
        let space = self.space();
        if params.len() != space.params {
            return Err(Error::SpaceMismatch(format!("{} values for the parameters of {space:?}", params.len())));
        }
        let mut out = self.clone();
        for (p, &v) in params.iter().enumerate() {
            out.add(equals(&Affine::param(space, p), v)?);
        }
        Ok(out)
    }

    /// An integer point, for some value of the parameters; `None` when there is none for any. Exact, deterministic, nothing else is promised about which. For
    /// given parameters ask a set from [`Self::with_params`].
    ///
    /// # Errors
    /// Overflow (the point found does not fit), budget.
    pub fn sample(&self, budget: &Budget) -> Result<Option<Point>> {
        let space = self.space();
        if self.is_empty(budget)? {
            return Ok(None);
        }
        let mut rest = self.clone();
        for column in 1..space.columns() {
            let rows = input(&rest);
            let outcome = tableau::solve(space.columns(), &rows, Goal::Feasible { sample: true }, budget)?;
            if let Outcome::Feasible { sample: Some(found), .. } = outcome {
                return self.checked(found[1..].to_vec());
            }
            let mut coeffs = vec![0; space.columns()];
            coeffs[column] = 1;
            let x = Affine::from_coeffs(space, coeffs);
            let value = near_zero(&rest, &x, budget)?;
            rest.add(equals(&x, value)?);
        }
        // Every column is fixed, and an integer point remains: it is the only one.
        let rows = input(&rest);
        match tableau::solve(space.columns(), &rows, Goal::Feasible { sample: true }, budget)? {
            Outcome::Feasible { sample: Some(found), .. } => self.checked(found[1..].to_vec()),
            _ => Err(Error::Overflow),
        }
    }

    fn checked(&self, mut params: Vec<i64>) -> Result<Option<Point>> {
        let dims = params.split_off(self.space().params);
        debug_assert_eq!(self.contains(&params, &dims), Ok(true));
        Ok(Some(Point { params, dims }))
    }
}

/// A value of `x` that some integer point of the set has; the set has one.
fn near_zero(set: &Polyhedron, x: &Affine, budget: &Budget) -> Result<i64> {
    if let Optimum::Bounded(least) = set.integer_minimum(x, budget)? {
        return Ok(least);
    }
    if let Optimum::Bounded(most) = set.integer_maximum(x, budget)? {
        return Ok(most);
    }
    let mut size = 0_i64;
    loop {
        let boxed = set.clone().with(Constraint::ge(x.offset(size)?)).with(at_most(x, size.into())?);
        if let Optimum::Bounded(least) = boxed.integer_minimum(x, budget)? {
            return Ok(least);
        }
        size = if size == 0 { 1 } else { size.checked_mul(2).ok_or(Error::Overflow)? };
    }
}

/// `form <= v`.
fn at_most(form: &Affine, v: i128) -> Result<Constraint> {
    let mut row = form.scale(-1)?;
    let constant = v.checked_sub(form.constant_term().into()).ok_or(Error::Overflow)?;
    row.set_constant(i64::try_from(constant).map_err(|_| Error::Overflow)?);
    Ok(Constraint::ge(row))
}

/// `x = v` for a form without constant.
fn equals(x: &Affine, v: i64) -> Result<Constraint> {
    // -x + v, which exists for every v.
    let mut row = x.scale(-1)?;
    row.set_constant(v);
    Ok(Constraint::eq(row))
}
