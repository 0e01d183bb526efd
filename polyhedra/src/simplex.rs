//! Exact rational linear programming (dense tableau, Bland's rule), for small systems.

use crate::{Affine, Budget, Optimum, Polyhedron, Result};
use num_rational::Ratio;

/// An exact rational.
pub type Rational = Ratio<i128>;

impl Polyhedron {
    /// The least value of `form` over the rational points, parameters free like dimensions.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn minimum(&self, form: &Affine, budget: &Budget) -> Result<Optimum<Rational>> {
        let _ = (form, budget);
        todo!()
    }

    /// Has the set no rational point, for any value of the parameters? A `true` is also an integer answer.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn is_rationally_empty(&self, budget: &Budget) -> Result<bool> {
        let _ = budget;
        todo!()
    }
}
