//! Small dense integer matrices, exactly.

use crate::Result;

/// A dense matrix of integers, row by row.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Matrix {
    rows: Vec<Vec<i64>>,
    columns: usize,
}

impl Matrix {
    /// From rows, each `columns` long.
    ///
    /// # Panics
    /// When a row has another length.
    #[must_use]
    pub fn new(rows: Vec<Vec<i64>>, columns: usize) -> Self {
        assert!(rows.iter().all(|r| r.len() == columns), "row length");
        Self { rows, columns }
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[Vec<i64>] {
        &self.rows
    }

    /// Number of columns.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Rank over the rationals (fraction-free elimination).
    ///
    /// # Errors
    /// Overflow.
    pub fn rank(&self) -> Result<usize> {
        todo!()
    }

    /// Determinant (Bareiss). Square matrices only.
    ///
    /// # Errors
    /// Overflow, not square (space mismatch).
    pub fn determinant(&self) -> Result<i64> {
        todo!()
    }

    /// The inverse when it is an integer matrix (determinant 1 or -1), else `None`.
    ///
    /// # Errors
    /// Overflow, not square.
    pub fn unimodular_inverse(&self) -> Result<Option<Self>> {
        todo!()
    }

    /// Integer basis of `{ x | M x = 0 }`, primitive vectors, deterministic.
    ///
    /// # Errors
    /// Overflow.
    pub fn null_space(&self) -> Result<Vec<Vec<i64>>> {
        todo!()
    }

    /// Hermite normal form `H = M U` with `U` unimodular: lower triangular, pivots positive, entries left of a pivot in `[0, pivot)`.
    /// Returns `(H, U)`.
    ///
    /// # Errors
    /// Overflow.
    pub fn hermite(&self) -> Result<(Self, Self)> {
        todo!()
    }

    /// Extends linearly independent rows to a unimodular matrix whose first rows they are; `None` when they cannot be (not primitive).
    ///
    /// # Errors
    /// Overflow.
    pub fn unimodular_completion(&self) -> Result<Option<Self>> {
        todo!()
    }
}
