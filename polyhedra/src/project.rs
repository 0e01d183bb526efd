//! Projection: the shadow of a set on fewer dimensions.

use crate::{Budget, Polyhedron, Result};

/// A shadow, and whether it is exactly the set of integer points that have a preimage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projection {
    /// Contains every integer point with a preimage.
    pub set: Polyhedron,
    /// Has every integer point of `set` a preimage, whatever the parameters?
    pub exact: bool,
}

impl Polyhedron {
    /// Drops the dimensions listed in `drop` (any order, no repeats), the others keep their order: Fourier-Motzkin, equalities first.
    /// `exact` is true when each elimination met a unit coefficient (or an equality with one) or its dark shadow equals its real shadow.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn project_out(&self, drop: &[usize], budget: &Budget) -> Result<Projection> {
        let _ = (drop, budget);
        todo!()
    }

    /// Turns all parameters' constraints alone: projects out every dimension. `{ N | exists i }`.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn params_shadow(&self, budget: &Budget) -> Result<Projection> {
        let all: Vec<usize> = (0..self.space().dims).collect();
        self.project_out(&all, budget)
    }
}
