//! Farkas' lemma as data: certificates that an affine form is non-negative on a set, or that a set is empty.

use crate::simplex::Rational;
use crate::{Affine, Budget, Polyhedron, Result};

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
        let _ = (form, set);
        todo!()
    }
}

/// Looks for a certificate that `form >= 0` on `set`, by exact simplex on the dual. `None`: there is none (the form is negative somewhere on the
/// rational points). For an empty set a certificate always exists.
///
/// # Errors
/// Overflow, budget.
pub fn prove_nonnegative(form: &Affine, set: &Polyhedron, budget: &Budget) -> Result<Option<Certificate>> {
    let _ = (form, set, budget);
    todo!()
}

/// Looks for a certificate that `set` has no rational point (`-1 >= 0` follows from its rows).
///
/// # Errors
/// Overflow, budget.
pub fn prove_empty(set: &Polyhedron, budget: &Budget) -> Result<Option<Certificate>> {
    let _ = (set, budget);
    todo!()
}
