//! Small dense integer matrices, exactly.
//!
//! **Problem.** Rank, determinant, inverse, kernel, Hermite normal form and unimodular completion of matrices with a handful of rows: index
//! matrices of accesses, linear parts of schedules.
//!
//! **Method.** Rank, determinant and inverse by fraction-free elimination (Bareiss): every entry is a minor of the input, each division by the
//! last pivot leaves no rest. The others by unimodular column operations (Hermite): Euclid's algorithm on the entries of a row.
//! `M U = [H 0]` gives a basis of the integer kernel (the last columns of `U`) and, when `H` is the identity, the completion `U^-1` of `M`.
//! Entries are `i128` on the way and must be `i64` in the end.
//!
//! **Example.** `[2 4]` has rank 1, the kernel `[2 -1]` and no completion; `[2 3]` is completed by `[1 1]` or the like.
//!
//! Papers: Bareiss, *Math. Comp.* 22 (1968); Schrijver, *Theory of Linear and Integer Programming* (1986), chapter 4.

use crate::{Error, Result};

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
        let mut a = self.wide();
        let (mut rank, mut last) = (0, 1);
        for column in 0..self.columns {
            let Some(p) = (rank..a.len()).find(|&r| a[r][column] != 0) else { continue };
            a.swap(rank, p);
            eliminate(&mut a, rank, column, last, rank + 1)?;
            last = a[rank][column];
            rank += 1;
        }
        Ok(rank)
    }

    /// Determinant (Bareiss). Square matrices only.
    ///
    /// # Errors
    /// Overflow, not square (space mismatch).
    pub fn determinant(&self) -> Result<i64> {
        self.must_be_square()?;
        let mut a = self.wide();
        let (mut negative, mut last) = (false, 1);
        for k in 0..self.columns {
            let Some(p) = (k..a.len()).find(|&r| a[r][k] != 0) else { return Ok(0) };
            if p != k {
                a.swap(k, p);
                negative = !negative;
            }
            eliminate(&mut a, k, k, last, k + 1)?;
            last = a[k][k];
        }
        let value = if negative { last.checked_neg().ok_or(Error::Overflow)? } else { last };
        i64::try_from(value).map_err(|_| Error::Overflow)
    }

    /// The inverse when it is an integer matrix (determinant 1 or -1), else `None`.
    ///
    /// # Errors
    /// Overflow, not square.
    pub fn unimodular_inverse(&self) -> Result<Option<Self>> {
        self.must_be_square()?;
        let n = self.columns;
        let mut a = self.wide();
        for (r, row) in a.iter_mut().enumerate() {
            row.extend((0..n).map(|c| i128::from(r == c)));
        }
        let mut last = 1;
        for k in 0..n {
            let Some(p) = (k..n).find(|&r| a[r][k] != 0) else { return Ok(None) };
            a.swap(k, p);
            eliminate(&mut a, k, k, last, 0)?;
            last = a[k][k];
        }
        // Now the left half is `last` times the identity.
        if last != 1 && last != -1 {
            return Ok(None);
        }
        let narrow = |v: &i128| v.checked_mul(last).and_then(|v| i64::try_from(v).ok()).ok_or(Error::Overflow);
        let rows = a.iter().map(|r| r[n..].iter().map(narrow).collect()).collect::<Result<_>>()?;
        Ok(Some(Self { rows, columns: n }))
    }

    /// Integer basis of `{ x | M x = 0 }`, primitive vectors, deterministic.
    ///
    /// # Errors
    /// Overflow.
    pub fn null_space(&self) -> Result<Vec<Vec<i64>>> {
        let (rank, _, u) = self.column_echelon()?;
        // The last columns of U span the integer kernel; its own normal form does not depend on how M was written.
        let kernel: Vec<Vec<i128>> = u.iter().map(|row| row[rank..].to_vec()).collect();
        let dimension = self.columns - rank;
        let (_, h, _) = echelon(kernel, dimension)?;
        (0..dimension).map(|k| h.iter().map(|row| narrow(row[k])).collect()).collect()
    }

    /// Hermite normal form `H = M U` with `U` unimodular: lower triangular, pivots positive, entries left of a pivot in `[0, pivot)`.
    /// Returns `(H, U)`.
    ///
    /// # Errors
    /// Overflow.
    pub fn hermite(&self) -> Result<(Self, Self)> {
        let (_, h, u) = self.column_echelon()?;
        Ok((Self::narrowed(&h, self.columns)?, Self::narrowed(&u, self.columns)?))
    }

    /// Extends linearly independent rows to a unimodular matrix whose first rows they are; `None` when they cannot be (not primitive).
    ///
    /// # Errors
    /// Overflow.
    pub fn unimodular_completion(&self) -> Result<Option<Self>> {
        let (rank, h, u) = self.column_echelon()?;
        let primitive = (0..rank).all(|k| h[k][k] == 1);
        if rank != self.rows.len() || !primitive {
            return Ok(None);
        }
        Self::narrowed(&u, self.columns)?.unimodular_inverse()
    }

    fn wide(&self) -> Vec<Vec<i128>> {
        self.rows.iter().map(|r| r.iter().map(|&c| i128::from(c)).collect()).collect()
    }

    fn narrowed(rows: &[Vec<i128>], columns: usize) -> Result<Self> {
        let rows = rows.iter().map(|r| r.iter().map(|&c| narrow(c)).collect()).collect::<Result<_>>()?;
        Ok(Self { rows, columns })
    }

    fn must_be_square(&self) -> Result<()> {
        if self.rows.len() == self.columns {
            return Ok(());
        }
        Err(Error::SpaceMismatch(format!("{} by {} is not square", self.rows.len(), self.columns)))
    }

    fn column_echelon(&self) -> Result<Echelon> {
        echelon(self.wide(), self.columns)
    }
}

/// Rank, `H`, `U`.
type Echelon = (usize, Vec<Vec<i128>>, Vec<Vec<i128>>);

fn narrow(v: i128) -> Result<i64> {
    i64::try_from(v).map_err(|_| Error::Overflow)
}

/// Bareiss' step: rows from `first` on, without the pivot's own, become `(pivot * row - row[column] * own) / last`.
fn eliminate(a: &mut [Vec<i128>], own: usize, column: usize, last: i128, first: usize) -> Result<()> {
    let pivot_row = a[own].clone();
    let pivot = pivot_row[column];
    for (r, row) in a.iter_mut().enumerate() {
        if r < first || r == own {
            continue;
        }
        let factor = row[column];
        for (entry, &p) in row.iter_mut().zip(&pivot_row) {
            let keep = entry.checked_mul(pivot).ok_or(Error::Overflow)?;
            let take = p.checked_mul(factor).ok_or(Error::Overflow)?;
            let over = keep.checked_sub(take).ok_or(Error::Overflow)?;
            *entry = over.checked_div(last).ok_or(Error::Overflow)?;
        }
    }
    Ok(())
}

/// `column(to) += factor * column(from)`.
fn add_column(a: &mut [Vec<i128>], to: usize, from: usize, factor: i128) -> Result<()> {
    for row in a {
        let term = row[from].checked_mul(factor).ok_or(Error::Overflow)?;
        row[to] = row[to].checked_add(term).ok_or(Error::Overflow)?;
    }
    Ok(())
}

/// Column echelon form by unimodular column operations: `(rank, H, U)` with `H = M U`, pivots positive, entries left of a pivot in `[0, pivot)`.
fn echelon(mut h: Vec<Vec<i128>>, columns: usize) -> Result<Echelon> {
    let mut u: Vec<Vec<i128>> = (0..columns).map(|r| (0..columns).map(|c| i128::from(r == c)).collect()).collect();
    let mut rank = 0;
    for r in 0..h.len() {
        // Euclid on the entries from `rank` on, until one is left.
        loop {
            let least = (rank..columns).filter(|&c| h[r][c] != 0).min_by_key(|&c| h[r][c].unsigned_abs());
            let Some(least) = least else { break };
            for m in [&mut h, &mut u] {
                m.iter_mut().for_each(|row| row.swap(rank, least));
            }
            let mut done = true;
            for c in rank + 1..columns {
                let q = h[r][c].checked_div_euclid(h[r][rank]).ok_or(Error::Overflow)?;
                let minus = q.checked_neg().ok_or(Error::Overflow)?;
                if q != 0 {
                    add_column(&mut h, c, rank, minus)?;
                    add_column(&mut u, c, rank, minus)?;
                }
                done &= h[r][c] == 0;
            }
            if done {
                break;
            }
        }
        if rank == columns || h[r][rank] == 0 {
            continue;
        }
        if h[r][rank] < 0 {
            for row in h.iter_mut().chain(u.iter_mut()) {
                row[rank] = row[rank].checked_neg().ok_or(Error::Overflow)?;
            }
        }
        for c in 0..rank {
            let q = h[r][c].div_euclid(h[r][rank]);
            if q != 0 {
                let minus = q.checked_neg().ok_or(Error::Overflow)?;
                add_column(&mut h, c, rank, minus)?;
                add_column(&mut u, c, rank, minus)?;
            }
        }
        rank += 1;
    }
    Ok((rank, h, u))
}
