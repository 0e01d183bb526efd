//! Simplification: the same integer points, said shortly, and what a set adds to a context.
//!
//! **Problem.** A set comes with rows said twice, rows that others imply, and inequalities that together are equalities. `simplify` writes it
//! the same way however it was written; `gist` leaves only what a context does not say.
//!
//! **Method.** Rows are normalised. Equalities go into reduced echelon form, each solved for its last column, that is, inner dimensions in terms of
//! outer ones and of parameters; the solved column leaves every other row. Then every inequality that cannot be strict becomes an equality, and
//! every inequality that the others imply goes, by the Omega test. Three arguments spare most tests:
//! a variable bounded on one side only makes the rows that mention it strict somewhere; a point where many rows are strict clears all of them at once (else
//! each half of them is asked); and a row that is the only one to bound some variable on one side is not implied by the others.
//!
//! **Example.** `2i >= 1 and i + j >= 1 and j >= 0 and i + j <= 5 and 3j <= 17` becomes `i >= 1 and j >= 0 and i + j <= 5`.
//!
//! Paper: William Pugh, *The Omega test*, Supercomputing 1991.

use crate::number::{Number, promote};
use crate::omega;
use crate::rows::{Rows, System, Verdict};
use crate::simplex::same_space;
use crate::{Affine, Budget, Constraint, Kind, Polyhedron, Result};
use num_bigint::BigInt;
use std::cmp::Reverse;
use std::ops::Range;

impl Polyhedron {
    /// Rows normalised by their gcd (tightened to integers), duplicates and rows that the others imply removed, implicit equalities made explicit.
    /// Same integer points. Deterministic; rows come out sorted: equalities first. An empty set becomes the one row `-1 >= 0`.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn simplify(&self, budget: &Budget) -> Result<Self> {
        budget
            .memo()
            .simple
            .ask(self, &[], budget, || promote(|| self.simplified::<i64>(budget), || self.simplified::<BigInt>(budget)))
    }

    pub(crate) fn simplified<T: Number>(&self, budget: &Budget) -> Result<Self> {
        let mut system = System::<T>::of(self);
        if !system.make_equalities_explicit(budget)? {
            let mut row = Affine::zero(self.space());
            row.set_constant(-1);
            return Ok(Self::new(self.space(), vec![Constraint::ge(row)]));
        }
        system.remove_implied(budget)?;
        system.sort();
        system.into_polyhedron(self.space())
    }

    /// Rows of `self` that `context` does not already imply: `gist(self, context) ∩ context = self ∩ context`. Rows with constant true removed.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        same_space(self.space(), context.space())?;
        let rows = self.constraints();
        let mut order: Vec<usize> = (0..rows.len()).collect();
        // Inequalities before equalities, long rows before short ones: what goes first is what one would rather not see.
        order.sort_by_key(|&r| (Reverse(rows[r].kind), Reverse(weight(rows[r].expr.coeffs())), r));
        let mut kept = vec![true; rows.len()];
        for r in order {
            let others = rows.iter().enumerate().filter(|(k, _)| kept[*k] && *k != r).map(|(_, c)| c);
            let implied = promote(
                || System::<i64>::of_both(context, others.clone()).implies(&rows[r], budget),
                || System::<BigInt>::of_both(context, others.clone()).implies(&rows[r], budget),
            )?;
            kept[r] = !implied;
        }
        let rest = rows.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(c, _)| c.clone()).collect();
        Ok(Self::new(self.space(), rest))
    }
}

/// Entries that are not 0, then their sizes: how hard a row is to read.
fn weight<T: Number>(row: &[T]) -> (usize, T::Sum) {
    let entries = row[1..].iter().filter(|c| !c.is_zero()).count();
    (entries, T::sum_of_sizes(&row[1..]))
}

impl<T: Number> System<T> {
    /// Tidies, solves the equalities, finds those that inequalities hide. `false`: no integer point.
    fn make_equalities_explicit(&mut self, budget: &Budget) -> Result<bool> {
        if !self.echelon(budget)? || omega::is_empty(self.clone(), budget)? {
            return Ok(false);
        }
        loop {
            let mut doubtful = self.clone();
            doubtful.eqs = Rows::new(self.width, 0);
            // The solved columns occur in no inequality. When each is solved for a unit, equalities say nothing about the other columns.
            if !self.eqs.iter().all(|e| solved_column(e).is_some_and(|c| e[c].is_unit())) {
                doubtful.eqs = self.eqs.clone();
            }
            omega::drop_one_sided(&mut doubtful);
            let mut hidden = Vec::new();
            let mut groups = vec![(0, doubtful.ges.len())];
            while let Some((start, end)) = groups.pop().filter(|(start, end)| start < end) {
                if !omega::is_empty(doubtful.strictly(start..end)?, budget)? {
                    continue;
                }
                if end - start == 1 {
                    hidden.push(doubtful.ges.row(start).to_vec());
                } else {
                    let middle = usize::midpoint(start, end);
                    groups.extend([(middle, end), (start, middle)]);
                }
            }
            if hidden.is_empty() {
                return Ok(true);
            }
            for row in hidden {
                self.eqs.push(&row);
            }
            if !self.echelon(budget)? {
                return Ok(false);
            }
        }
    }

    /// The system with these inequalities strict.
    fn strictly(&self, group: Range<usize>) -> Result<Self> {
        let mut out = self.clone();
        for r in group {
            let constant = &mut out.ges.row_mut(r)[0];
            *constant = constant.sub(&T::from(1))?;
        }
        Ok(out)
    }

    /// Tidies and brings the equalities into reduced echelon form, last columns first; their solved columns leave all other rows.
    pub(crate) fn echelon(&mut self, budget: &Budget) -> Result<bool> {
        loop {
            budget.spend(self.price())?;
            if !self.tidy()? {
                return Ok(false);
            }
            let mut done = 0;
            for column in (1..self.width).rev() {
                let pivot = (done..self.eqs.len())
                    .filter(|&r| !self.eqs.row(r)[column].is_zero())
                    .min_by(|&a, &b| self.eqs.row(a)[column].cmp_size(&self.eqs.row(b)[column]));
                let Some(pivot) = pivot else { continue };
                let equality = self.eqs.row(pivot).to_vec();
                self.eqs.swap_remove(pivot);
                omega::substitute(self, &equality, column, budget)?;
                // Solved rows stand first.
                self.eqs.push(&equality);
                let last = self.eqs.len() - 1;
                self.eqs.swap(done, last);
                done += 1;
                for row in self.eqs.iter_mut() {
                    if T::normalise(Kind::Eq, row) == Verdict::False {
                        return Ok(false);
                    }
                }
            }
            if !self.tidy()? {
                return Ok(false);
            }
            if self.eqs.len() == done {
                return Ok(true);
            }
        }
    }

    /// Removes inequalities that the other rows imply. The set must not be empty and must have been through [`Self::echelon`].
    fn remove_implied(&mut self, budget: &Budget) -> Result<()> {
        let mut order: Vec<Vec<T>> = self.ges.iter().map(<[T]>::to_vec).collect();
        order.sort_by(|a, b| weight(b).cmp(&weight(a)).then_with(|| b.cmp(a)));
        for row in order {
            if self.bounds_alone(&row) {
                continue;
            }
            let mut others = self.clone();
            others.ges.retain(|own| own != row);
            if others.clone().implies_row(Kind::Ge, row, budget)? {
                *self = others;
            }
        }
        Ok(())
    }

    /// Is the row the only inequality to bound some variable on one side? Then the others do not imply it.
    pub(crate) fn bounds_alone(&self, row: &[T]) -> bool {
        (1..self.width).any(|c| {
            let same_side = |own: &&[T]| !own[c].is_zero() && own[c].is_positive() == row[c].is_positive();
            !row[c].is_zero() && self.ges.iter().filter(same_side).count() == 1
        })
    }

    /// Rows in the order of the last column that they mention, lower bounds of it before upper ones.
    pub(crate) fn sort(&mut self) {
        for rows in [&mut self.eqs, &mut self.ges] {
            let mut sorted: Vec<Vec<T>> = rows.iter().map(<[T]>::to_vec).collect();
            sorted.sort_by(|a, b| {
                let last = |r: &[T]| r.iter().rposition(|c| !c.is_zero());
                last(a).cmp(&last(b)).then_with(|| b.iter().rev().cmp(a.iter().rev()))
            });
            *rows = Rows::new(self.width, sorted.len());
            sorted.iter().for_each(|r| rows.push(r));
        }
    }
}

/// The column that an equality in echelon form is solved for.
fn solved_column<T: Number>(equality: &[T]) -> Option<usize> {
    (1..equality.len()).rev().find(|&c| !equality[c].is_zero())
}
