//! Projection: the shadow of a set on fewer dimensions.
//!
//! **Problem.** `{ j | exists integer i: (i, j) in S }` as one conjunction of rows in `j`. There may be none (`{ [j] : exists i: j = 2i }`); then
//! the answer is a superset, and says so.
//!
//! **Notation.** Real and dark shadow, lower and upper bound: see the module `omega`.
//!
//! **Method.** Equalities first: the dropped variables of one are renamed among themselves, unimodularly, until it mentions one of them, `g x + e = 0`, which
//! is substituted; exact when `g = 1`, or when no integer point of the shadow has another `e` modulo `g`. Then Fourier-Motzkin, exact when each pair of bounds
//! has a unit coefficient, or when no integer point of the real shadow lies outside the dark one. Rows that others imply over the rationals are
//! removed as soon as their number grows: that keeps the shadow of the shadow as small as it is.
//!
//! **Example.** `{ [i, j] : 0 <= i <= j <= 9 }` without `i` is `0 <= j <= 9`, exactly; `{ [i, j] : j <= 3i <= j + 1 }` without `i` is everything, not exactly.
//!
//! Paper: William Pugh, *The Omega test*, Supercomputing 1991.

use crate::number::{Number, promote};
use crate::omega::{self, choose, prune};
use crate::rows::System;
use crate::{Affine, Budget, Constraint, Error, Kind, Polyhedron, Result, Space};
use num_bigint::BigInt;

/// Divisors of an equality up to this size are looked at residue by residue.
const MOST_RESIDUES: u64 = 16;

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
        let space = self.space();
        let mut dropped = vec![false; space.columns()];
        for &d in drop {
            match d < space.dims && !dropped[space.dim_column(d)] {
                true => dropped[space.dim_column(d)] = true,
                false => return Err(Error::SpaceMismatch(format!("no dimension {d} to drop in {space:?}"))),
            }
        }
        let question: Vec<i64> = dropped.iter().map(|d| i64::from(*d)).collect();
        budget.memo().shadow.ask(self, &question, budget, || {
            promote(|| self.project::<i64>(&dropped, budget), || self.project::<BigInt>(&dropped, budget))
        })
    }

    pub(crate) fn project<T: Number>(&self, dropped: &[bool], budget: &Budget) -> Result<Projection> {
        let space = self.space();
        let kept: Vec<usize> = (0..space.columns()).filter(|&c| !dropped[c]).collect();
        let target = Space::new(space.params, kept.len() - 1 - space.params);
        let mut work = Work { system: System::<T>::of(self), dropped, exact: true };
        if !work.eliminate_all(budget)? {
            let never = Constraint::ge(Affine::constant(target, -1));
            return Ok(Projection { set: Polyhedron::new(target, vec![never]), exact: true });
        }
        let mut narrow = System::universe(target.columns(), work.system.ges.len());
        for (kind, rows) in [(Kind::Eq, &work.system.eqs), (Kind::Ge, &work.system.ges)] {
            for row in rows.iter() {
                narrow.push(kind, &kept.iter().map(|&c| row[c].clone()).collect::<Vec<_>>());
            }
        }
        narrow.sort();
        Ok(Projection { set: narrow.into_polyhedron(target)?, exact: work.exact })
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

struct Work<'a, T> {
    system: System<T>,
    /// By column.
    dropped: &'a [bool],
    exact: bool,
}

impl<T: Number> Work<'_, T> {
    fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.dropped.len()).filter(|&c| self.dropped[c])
    }

    /// `false`: there is no integer point.
    fn eliminate_all(&mut self, budget: &Budget) -> Result<bool> {
        let small = self.system.ges.len() + 4;
        loop {
            budget.spend(self.system.price())?;
            if !self.system.tidy()? {
                return Ok(false);
            }
            if let Some((equality, column)) = self.next_equality() {
                self.use_equality(equality, column, budget)?;
                continue;
            }
            if self.system.ges.len() > small && !prune(&mut self.system, budget)? {
                return Ok(false);
            }
            let among: Vec<usize> = self.columns().map(|c| c - 1).collect();
            let Some(choice) = choose(&self.system, among) else { break };
            let shadow = omega::shadow(&self.system, choice.column, false, budget)?;
            if self.exact && !choice.exact && !shadows_agree(&self.system, &shadow, choice.column, budget)? {
                self.exact = false;
            }
            self.system = shadow;
        }
        if !prune(&mut self.system, budget)? {
            return Ok(false);
        }
        self.system.tidy()
    }

    /// The equality that is easiest to eliminate a dropped column by, and its least dropped entry.
    fn next_equality(&self) -> Option<(usize, usize)> {
        let mut best: Option<(&T, usize, usize)> = None;
        for (r, row) in self.system.eqs.iter().enumerate() {
            for c in self.columns().filter(|&c| !row[c].is_zero()) {
                if best.is_none_or(|(least, _, _)| row[c].cmp_size(least).is_lt()) {
                    best = Some((&row[c], r, c));
                }
            }
        }
        best.map(|(_, r, c)| (r, c))
    }

    fn use_equality(&mut self, r: usize, column: usize, budget: &Budget) -> Result<()> {
        let row = self.system.eqs.row(r).to_vec();
        let unit = row[column].is_unit();
        if !unit && self.columns().any(|c| c != column && !row[c].is_zero()) {
            let others: Vec<usize> = self.columns().collect();
            return omega::rename(&mut self.system, r, column, others, budget);
        }
        self.system.eqs.swap_remove(r);
        omega::substitute(&mut self.system, &row, column, budget)?;
        if !unit && self.exact && !divides(&self.system, &row, &row[column], budget)? {
            self.exact = false;
        }
        Ok(())
    }
}

/// `row = 0` is `size * x + e = 0` with `x` nowhere else: is `e` divisible by `size` at all integer points of the system?
fn divides<T: Number>(system: &System<T>, row: &[T], size: &T, budget: &Budget) -> Result<bool> {
    let size = match size.to_i64() {
        Ok(size) if size.unsigned_abs() <= MOST_RESIDUES => size.unsigned_abs().cast_signed(),
        _ => return Ok(false),
    };
    for residue in 1..size {
        let mut other = system.clone();
        other.eqs.push(row);
        let last = other.eqs.len() - 1;
        let constant = &mut other.eqs.row_mut(last)[0];
        *constant = constant.sub(&T::from(residue))?;
        if !omega::is_empty(other, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Has every integer point of the real shadow of `column` one in the dark shadow, pair by pair of bounds?
fn shadows_agree<T: Number>(system: &System<T>, real: &System<T>, column: usize, budget: &Budget) -> Result<bool> {
    let dark = omega::shadow(system, column, true, budget)?;
    debug_assert_eq!(dark.ges.len(), real.ges.len());
    for (d, r) in dark.ges.iter().zip(real.ges.iter()) {
        if d == r {
            continue;
        }
        let mut outside = real.clone();
        outside.push_negation(d)?;
        if !omega::is_empty(outside, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}
