//! Small dense integer matrices, exactly.
//!
//! **Problem.** Rank, determinant, inverse, kernel, Hermite normal form and unimodular completion of matrices with a handful of rows: index
//! matrices of accesses, linear parts of schedules.
//!
//! **Method.** Rank, determinant and inverse by fraction-free elimination (Bareiss): every entry is a minor of the input, each division by the
//! last pivot leaves no rest. The others by unimodular column operations (Hermite): Euclid's algorithm on the entries of a row.
//! `M U = [H 0]` gives a basis of the integer kernel (the last columns of `U`) and, when `H` is the identity, the completion `U^-1` of `M`.
//! Entries are `i128` on the way, big integers where that overflows, and must be `i64` in the end.
//!
//! **Example.** `[2 4]` has rank 1, the kernel `[2 -1]` and no completion; `[2 3]` is completed by `[1 1]` or the like.
//!
//! Papers: Bareiss, *Math. Comp.* 22 (1968); Schrijver, *Theory of Linear and Integer Programming* (1986), chapter 4.

use crate::number::promote;
use crate::{Error, Result};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{CheckedMul, CheckedSub, Signed, ToPrimitive};

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
        promote(|| self.rank_in::<i128>(), || self.rank_in::<BigInt>())
    }

    fn rank_in<T: Wide>(&self) -> Result<usize> {
        let mut a = self.wide::<T>();
        let (mut rank, mut last) = (0, T::one());
        for column in 0..self.columns {
            let Some(p) = (rank..a.len()).find(|&r| !a[r][column].is_zero()) else { continue };
            a.swap(rank, p);
            eliminate(&mut a, rank, column, &last, rank + 1)?;
            last = a[rank][column].clone();
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
        promote(|| self.determinant_in::<i128>(), || self.determinant_in::<BigInt>())
    }

    fn determinant_in<T: Wide>(&self) -> Result<i64> {
        let mut a = self.wide::<T>();
        let (mut negative, mut last) = (false, T::one());
        for k in 0..self.columns {
            let Some(p) = (k..a.len()).find(|&r| !a[r][k].is_zero()) else { return Ok(0) };
            if p != k {
                a.swap(k, p);
                negative = !negative;
            }
            eliminate(&mut a, k, k, &last, k + 1)?;
            last = a[k][k].clone();
        }
        narrow(&if negative { negated(&last)? } else { last })
    }

    /// The inverse when it is an integer matrix (determinant 1 or -1), else `None`.
    ///
    /// # Errors
    /// Overflow, not square.
    pub fn unimodular_inverse(&self) -> Result<Option<Self>> {
        self.must_be_square()?;
        promote(|| self.inverse_in::<i128>(), || self.inverse_in::<BigInt>())
    }

    fn inverse_in<T: Wide>(&self) -> Result<Option<Self>> {
        let n = self.columns;
        let mut a = self.wide::<T>();
        for (row, unit) in a.iter_mut().zip(identity::<T>(n)) {
            row.extend(unit);
        }
        let mut last = T::one();
        for k in 0..n {
            let Some(p) = (k..n).find(|&r| !a[r][k].is_zero()) else { return Ok(None) };
            a.swap(k, p);
            eliminate(&mut a, k, k, &last, 0)?;
            last = a[k][k].clone();
        }
        // Now the left half is `last` times the identity.
        if !last.is_one() && !negated(&last)?.is_one() {
            return Ok(None);
        }
        let own = |v: &T| narrow(&v.checked_mul(&last).ok_or(Error::Overflow)?);
        let rows = a.iter().map(|r| r[n..].iter().map(own).collect()).collect::<Result<_>>()?;
        Ok(Some(Self { rows, columns: n }))
    }

    /// Integer basis of `{ x | M x = 0 }`, primitive vectors, deterministic.
    ///
    /// # Errors
    /// Overflow.
    pub fn null_space(&self) -> Result<Vec<Vec<i64>>> {
        promote(|| self.null_space_in::<i128>(), || self.null_space_in::<BigInt>())
    }

    fn null_space_in<T: Wide>(&self) -> Result<Vec<Vec<i64>>> {
        let (rank, _, u) = self.column_echelon::<T>()?;
        // The last columns of U span the integer kernel; its own normal form does not depend on how M was written.
        let kernel: Vec<Vec<T>> = u.iter().map(|row| row[rank..].to_vec()).collect();
        let dimension = self.columns - rank;
        let (_, h, _) = echelon(kernel, dimension)?;
        (0..dimension).map(|k| h.iter().map(|row| narrow(&row[k])).collect()).collect()
    }

    /// Hermite normal form `H = M U` with `U` unimodular: lower triangular, pivots positive, entries left of a pivot in `[0, pivot)`.
    /// Returns `(H, U)`.
    ///
    /// # Errors
    /// Overflow.
    pub fn hermite(&self) -> Result<(Self, Self)> {
        promote(|| self.hermite_in::<i128>(), || self.hermite_in::<BigInt>())
    }

    fn hermite_in<T: Wide>(&self) -> Result<(Self, Self)> {
        let (_, h, u) = self.column_echelon::<T>()?;
        Ok((Self::narrowed(&h, self.columns)?, Self::narrowed(&u, self.columns)?))
    }

    /// Extends linearly independent rows to a unimodular matrix whose first rows they are; `None` when they cannot be (not primitive).
    ///
    /// # Errors
    /// Overflow.
    pub fn unimodular_completion(&self) -> Result<Option<Self>> {
        promote(|| self.completion_in::<i128>(), || self.completion_in::<BigInt>())
    }

    fn completion_in<T: Wide>(&self) -> Result<Option<Self>> {
        let (rank, h, u) = self.column_echelon::<T>()?;
        let primitive = (0..rank).all(|k| h[k][k].is_one());
        if rank != self.rows.len() || !primitive {
            return Ok(None);
        }
        Self::narrowed(&u, self.columns)?.unimodular_inverse()
    }

    fn wide<T: Wide>(&self) -> Vec<Vec<T>> {
        self.rows.iter().map(|r| r.iter().map(|&c| T::from(c)).collect()).collect()
    }

    fn narrowed<T: Wide>(rows: &[Vec<T>], columns: usize) -> Result<Self> {
        let rows = rows.iter().map(|r| r.iter().map(narrow).collect()).collect::<Result<_>>()?;
        Ok(Self { rows, columns })
    }

    fn must_be_square(&self) -> Result<()> {
        if self.rows.len() == self.columns {
            return Ok(());
        }
        Err(Error::SpaceMismatch(format!("{} by {} is not square", self.rows.len(), self.columns)))
    }

    fn column_echelon<T: Wide>(&self) -> Result<Echelon<T>> {
        echelon(self.wide(), self.columns)
    }
}

/// Numbers that elimination computes in.
trait Wide: Integer + Signed + Clone + CheckedMul + CheckedSub + ToPrimitive + From<i64> {}

impl Wide for i128 {}
impl Wide for BigInt {}

/// Rank, `H`, `U`.
type Echelon<T> = (usize, Vec<Vec<T>>, Vec<Vec<T>>);

fn narrow<T: Wide>(v: &T) -> Result<i64> {
    v.to_i64().ok_or(Error::Overflow)
}

fn negated<T: Wide>(v: &T) -> Result<T> {
    T::zero().checked_sub(v).ok_or(Error::Overflow)
}

fn identity<T: Wide>(n: usize) -> Vec<Vec<T>> {
    (0..n).map(|r| (0..n).map(|c| T::from(i64::from(r == c))).collect()).collect()
}

/// `a - b * c`.
fn sub_mul<T: Wide>(a: &T, b: &T, c: &T) -> Result<T> {
    b.checked_mul(c).and_then(|p| a.checked_sub(&p)).ok_or(Error::Overflow)
}

/// Bareiss' step: rows from `first` on, without the pivot's own, become `(pivot * row - row[column] * own) / last`.
fn eliminate<T: Wide>(a: &mut [Vec<T>], own: usize, column: usize, last: &T, first: usize) -> Result<()> {
    let pivot_row = a[own].clone();
    let pivot = &pivot_row[column];
    for (r, row) in a.iter_mut().enumerate() {
        if r < first || r == own {
            continue;
        }
        let factor = row[column].clone();
        for (entry, p) in row.iter_mut().zip(&pivot_row) {
            let keep = entry.checked_mul(pivot).ok_or(Error::Overflow)?;
            let over = sub_mul(&keep, p, &factor)?;
            // The least integer over -1 is all that could overflow.
            *entry = if last.is_one() {
                over
            } else if negated(last)?.is_one() {
                negated(&over)?
            } else {
                over / last.clone()
            };
        }
    }
    Ok(())
}

/// `column(to) -= factor * column(from)`.
fn take_column<T: Wide>(a: &mut [Vec<T>], to: usize, from: usize, factor: &T) -> Result<()> {
    for row in a {
        row[to] = sub_mul(&row[to], &row[from], factor)?;
    }
    Ok(())
}

/// Column echelon form by unimodular column operations: `(rank, H, U)` with `H = M U`, pivots positive, entries left of a pivot in `[0, pivot)`.
fn echelon<T: Wide>(mut h: Vec<Vec<T>>, columns: usize) -> Result<Echelon<T>> {
    let mut u: Vec<Vec<T>> = identity(columns);
    let mut rank = 0;
    for r in 0..h.len() {
        // Euclid on the entries from `rank` on, until one is left.
        loop {
            let least = (rank..columns).filter(|&c| !h[r][c].is_zero()).min_by(|&a, &b| cmp_size(&h[r][a], &h[r][b]));
            let Some(least) = least else { break };
            for m in [&mut h, &mut u] {
                m.iter_mut().for_each(|row| row.swap(rank, least));
            }
            let pivot = h[r][rank].clone();
            let size = if pivot.is_negative() { negated(&pivot)? } else { pivot.clone() };
            let mut done = true;
            for c in rank + 1..columns {
                // The remainder is in [0, size).
                let q = h[r][c].div_floor(&size) * pivot.signum();
                if !q.is_zero() {
                    take_column(&mut h, c, rank, &q)?;
                    take_column(&mut u, c, rank, &q)?;
                }
                done &= h[r][c].is_zero();
            }
            if done {
                break;
            }
        }
        if rank == columns || h[r][rank].is_zero() {
            continue;
        }
        if h[r][rank].is_negative() {
            for row in h.iter_mut().chain(u.iter_mut()) {
                row[rank] = negated(&row[rank])?;
            }
        }
        for c in 0..rank {
            let q = h[r][c].div_floor(&h[r][rank]);
            if !q.is_zero() {
                take_column(&mut h, c, rank, &q)?;
                take_column(&mut u, c, rank, &q)?;
            }
        }
        rank += 1;
    }
    Ok((rank, h, u))
}

/// Compares sizes; the least integer, which has no opposite, is the largest.
fn cmp_size<T: Wide>(a: &T, b: &T) -> std::cmp::Ordering {
    let below = |v: &T| if v.is_positive() { T::zero() - v.clone() } else { v.clone() };
    below(b).cmp(&below(a))
}
