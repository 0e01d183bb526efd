//! What can go wrong while scheduling.

use thiserror::Error;

/// The result of an operation of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no schedule. Each leaves the program as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Error {
    /// Exact arithmetic gave up.
    #[error(transparent)]
    Sets(#[from] polyhedra::Error),
    /// The LP solver failed or returned something that is no solution.
    #[error("the linear-programming solver failed: {0}")]
    Solver(String),
    /// A precondition of the caller does not hold.
    #[error("malformed static control part: {0}")]
    Malformed(String),
    /// A fusion problem that is none.
    #[error("malformed fusion problem: {0}")]
    Problem(String),
    /// Text that cannot be read.
    #[error(transparent)]
    Text(#[from] crate::text::TextError),
}

impl Error {
    /// Did the steps run out?
    #[must_use]
    pub fn is_budget(&self) -> bool {
        matches!(self, Self::Sets(polyhedra::Error::Budget))
    }
}
