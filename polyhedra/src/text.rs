//! Text form of sets: `[n, m] -> { [i, j] : 0 <= i < n and i <= j <= m - 1 and i + 2j = 4 }`.

use crate::{Polyhedron, Result};

/// A set with the names it was written with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedSet {
    /// Names of the parameters.
    pub params: Vec<String>,
    /// Names of the dimensions.
    pub dims: Vec<String>,
    /// The set.
    pub set: Polyhedron,
}

/// Reads a set. Chains of comparisons, `and`, `,` between rows, integer coefficients (`2i`, `2*i`, `-(i - j)`), `true`/`false`.
///
/// # Errors
/// `Error::Parse` with line and column.
pub fn parse_set(text: &str) -> Result<NamedSet> {
    let _ = text;
    todo!()
}

/// Prints a set in the form that [`parse_set`] reads.
#[must_use]
pub fn print_set<S: AsRef<str>>(set: &Polyhedron, params: &[S], dims: &[S]) -> String {
    let _ = (set, params, dims);
    todo!()
}
