//! Exact rational linear programming, for small systems.
//!
//! **Problem.** `min { f . (1, N, i) | rows }` over the rationals, parameters `N` free like the dimensions `i`.
//!
//! **Method.** A dense integer tableau with one common denominator and Bland's rule: see the module `tableau`, which also says how the
//! multipliers are read off that [`crate::farkas`] hands out.

use crate::tableau::{self, Goal, InputRow, Outcome};
use crate::{Affine, Budget, Error, Optimum, Polyhedron, Result, Space};
use num_rational::Ratio;

/// An exact rational.
pub type Rational = Ratio<i128>;

/// The rows of a set as the tableau takes them.
pub(crate) fn input(set: &Polyhedron) -> Vec<InputRow<'_>> {
    set.constraints().iter().map(|c| (c.kind, c.expr.coeffs())).collect()
}

/// [`Error::SpaceMismatch`] unless the spaces are the same.
pub(crate) fn same_space(a: Space, b: Space) -> Result<()> {
    if a == b { Ok(()) } else { Err(Error::SpaceMismatch(format!("{a:?} and {b:?}"))) }
}

impl Polyhedron {
    /// The least value of `form` over the rational points, parameters free like dimensions.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn minimum(&self, form: &Affine, budget: &Budget) -> Result<Optimum<Rational>> {
        same_space(self.space(), form.space())?;
        let rows = input(self);
        Ok(match tableau::solve(self.space().columns(), &rows, Goal::Minimise(form.coeffs()), budget)? {
            Outcome::Empty(_) => Optimum::Empty,
            Outcome::Least(proof) => Optimum::Bounded(proof.value()?),
            Outcome::Unbounded | Outcome::Negative | Outcome::Feasible { .. } => Optimum::Unbounded,
        })
    }

    /// Has the set no rational point, for any value of the parameters? A `true` is also an integer answer.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn is_rationally_empty(&self, budget: &Budget) -> Result<bool> {
        let rows = input(self);
        let outcome = tableau::solve(self.space().columns(), &rows, Goal::Feasible { sample: false }, budget)?;
        Ok(matches!(outcome, Outcome::Empty(_)))
    }
}
