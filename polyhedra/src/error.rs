//! What can go wrong in exact arithmetic on sets.

use thiserror::Error;

/// The result of an operation of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation gave no answer. Callers must treat each as "don't know".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Error {
    /// A result does not fit: a coefficient into `i64`, a fraction of a certificate or of an optimum into `i128`. What happens on the way to a result
    /// does not matter.
    #[error("arithmetic overflow in an exact computation")]
    Overflow,
    /// The caller's [`Budget`](crate::Budget) ran out, or numbers grew to thousands of digits.
    #[error("step budget exhausted")]
    Budget,
    /// Two operands live in different spaces: a mistake of the caller.
    #[error("operands live in different spaces: {0}")]
    SpaceMismatch(String),
    /// Text that is not a set.
    #[error("line {line}, column {column}: {message}")]
    Parse {
        /// 1-based line.
        line: usize,
        /// 1-based column.
        column: usize,
        /// What was expected.
        message: String,
    },
}
