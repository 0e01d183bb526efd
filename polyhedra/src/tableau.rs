//! The simplex tableau behind every rational question.
//!
//! **Problem.** Over `{ x in Q^n | E x + e = 0, A x + a >= 0 }`, all `x` free in sign: is there a point, what is the least value of a form, and
//! which multipliers of the rows prove either answer.
//!
//! **Notation.** Row `r` has the *slack* `s_r = a_r + A_r x`. The tableau writes the form and the slacks in its rows ("basic") in terms of the
//! variables in its columns, all over one positive denominator `den`:
//! `den * row = entry_0 + sum_j entry_j * column_j`. A column is a free variable `x_c`, a slack `>= 0`, or a dead slack (of an equality: it stays 0).
//! The point that the tableau stands for has every column at 0.
//!
//! **Method.** Equalities and then rows take the free variables out of the columns (Gaussian elimination); each such row would only define
//! `x_c` from then on, so it leaves the tableau, and is kept aside when the point itself is wanted. What is left is a small tableau with
//! columns `>= 0`. A dual phase with cost 0 makes all constants non-negative, a primal phase makes the form least. Both take the first candidate by
//! variable number (Bland), so they end. Pivots are integer-preserving (Edmonds, Bareiss): every entry is a minor of the input, the division by
//! the old denominator leaves no rest, and no gcd is ever taken.
//!
//! **Certificates** are read off. At the optimum `form = entry_0 / den + sum (entry_j / den) s_j` with `entry_j >= 0`. An infeasible row
//! `den * s_r = entry_0 + sum entry_j s_j` with `entry_0 < 0`, `entry_j <= 0` gives `-1 = (den * s_r - sum entry_j s_j) / -entry_0`.
//!
//! **Numbers.** Entries are `i64` with products in `i128`; when a tableau leaves that range it is solved again in checked `i128`, and when it leaves that, in
//! big integers. Minors are bounded (Hadamard), so that big integers stay short.
//!
//! Paper: Schrijver, *Theory of Linear and Integer Programming* (1986), chapters 7, 11; Bareiss, *Math. Comp.* 22 (1968).

mod entry;

use self::entry::Entry;
pub(crate) use self::entry::{Proof, big_fraction, small_fraction};
#[cfg(any(test, feature = "fuzzing"))]
use crate::simplex::Rational;
use crate::{Budget, Error, Kind, Result};
use num_bigint::BigInt;
use num_traits::Zero;
use std::cmp::Ordering;

/// One input row: `expr = 0` or `expr >= 0`, the constant first.
pub(crate) type InputRow<'a, N = i64> = (Kind, &'a [N]);

/// What is asked beyond feasibility.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal<'a, N = i64> {
    /// Is there a point? `sample` asks for an integer one.
    Feasible {
        /// Look whether the vertex reached is integer.
        sample: bool,
    },
    /// The least value of the form.
    Minimise(&'a [N]),
    /// The least value of the form, but any negative value ends the search.
    Nonnegative(&'a [N]),
}

/// What the simplex found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// No rational point; the proof's form is -1, its value 0.
    Empty(Proof),
    /// The form has no lower bound.
    Unbounded,
    /// There is a point (no form was given).
    Feasible {
        /// A sample was asked for, and the vertex reached is integer.
        integer: bool,
        /// That vertex, by column (the constant's is 0), when it fits.
        sample: Option<Vec<i64>>,
    },
    /// The least value, and why it is not less. With [`Goal::Nonnegative`] it is not negative.
    Least(Proof),
    /// A point with a negative value was met ([`Goal::Nonnegative`]).
    Negative,
}

#[cfg(any(test, feature = "fuzzing"))]
impl Outcome {
    /// Kind, value and multipliers, in whatever numbers they were found.
    pub(crate) fn proof(&self, rows: usize) -> Option<(bool, Rational, Vec<Rational>)> {
        let (empty, proof) = match self {
            Self::Empty(proof) => (true, proof),
            Self::Least(proof) => (false, proof),
            _ => return None,
        };
        Some((empty, proof.value().ok()?, proof.multipliers(rows).ok()?))
    }
}

/// Solves, in `i64` if that holds, else in `i128`, else in big integers. Rows are `width` long.
pub(crate) fn solve(width: usize, rows: &[InputRow<'_>], goal: Goal<'_>, budget: &Budget) -> Result<Outcome> {
    match solve_in::<i64, i64>(width, rows, goal, budget) {
        Err(Error::Overflow) => {}
        other => return other,
    }
    match solve_in::<i64, i128>(width, rows, goal, budget) {
        Err(Error::Overflow) => solve_in::<i64, BigInt>(width, rows, goal, budget),
        other => other,
    }
}

/// Solves rows of `N` in `T`.
pub(crate) fn solve_in<N: Clone + Into<T> + Zero, T: Entry>(
    width: usize,
    rows: &[InputRow<'_, N>],
    goal: Goal<'_, N>,
    budget: &Budget,
) -> Result<Outcome> {
    Tableau::<T>::new(width, rows, &goal).run(&goal, budget)
}

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    /// The variable with this column number in the input.
    Free(usize),
    /// Slack of this input row, an inequality.
    Slack(usize),
    /// Slack of this input row, an equality.
    Dead(usize),
}

/// `den * x_variable = row`, in terms of the columns of the time.
struct Definition<T> {
    variable: usize,
    den: T,
    row: Vec<T>,
    columns: Vec<Column>,
}

struct Tableau<T> {
    /// Entries of a row: 1 + columns.
    width: usize,
    /// Row 0 is the form (0 when there is none), then the slacks of `basis`.
    data: Vec<T>,
    /// Input row whose slack is row `k + 1`.
    basis: Vec<usize>,
    columns: Vec<Column>,
    den: T,
    /// Filled when `sample` is set.
    definitions: Vec<Definition<T>>,
    sample: bool,
    /// Equalities in the input come first in `basis` while they are here.
    equalities: Vec<usize>,
    variables: usize,
}

/// How a phase ended.
enum Phase {
    Done,
    Stuck(usize),
}

impl<T: Entry> Tableau<T> {
    fn new<N: Clone + Into<T> + Zero>(width: usize, rows: &[InputRow<'_, N>], goal: &Goal<'_, N>) -> Self {
        let (form, sample) = match goal {
            Goal::Feasible { sample } => (None, *sample),
            Goal::Minimise(form) | Goal::Nonnegative(form) => (Some(*form), false),
        };
        let used: Vec<usize> = (1..width)
            .filter(|&c| form.is_some_and(|f| !f[c].is_zero()) || rows.iter().any(|(_, r)| !r[c].is_zero()))
            .collect();
        let own = used.len() + 1;
        let mut data = Vec::with_capacity(own * (rows.len() + 1));
        if form.is_none() {
            data.resize(own, T::zero());
        }
        for row in form.into_iter().chain(rows.iter().map(|(_, row)| *row)) {
            data.push(row[0].clone().into());
            data.extend(used.iter().map(|&c| row[c].clone().into()));
        }
        let equalities = (0..rows.len()).filter(|&r| rows[r].0 == Kind::Eq).collect();
        Self {
            width: own,
            data,
            basis: (0..rows.len()).collect(),
            columns: used.into_iter().map(Column::Free).collect(),
            den: T::one(),
            definitions: Vec::new(),
            sample,
            equalities,
            variables: width,
        }
    }

    fn run<N>(mut self, goal: &Goal<'_, N>, budget: &Budget) -> Result<Outcome> {
        if let Some(conflict) = self.eliminate_equalities(budget)? {
            return self.refutation(conflict);
        }
        self.eliminate_free(budget)?;
        if let Phase::Stuck(row) = self.restore(budget)? {
            return self.refutation(row);
        }
        match goal {
            Goal::Feasible { .. } => self.feasible(),
            Goal::Minimise(_) => self.minimise(false, budget),
            Goal::Nonnegative(_) => self.minimise(true, budget),
        }
    }

    fn at(&self, row: usize, column: usize) -> &T {
        &self.data[row * self.width + column]
    }

    fn row(&self, row: usize) -> &[T] {
        &self.data[row * self.width..(row + 1) * self.width]
    }

    /// Exchanges row and column: what stands in the column is now defined by the row.
    fn pivot(&mut self, row: usize, column: usize, budget: &Budget) -> Result<()> {
        let rows = self.basis.len() + 1;
        budget.spend(rows as u64)?;
        let width = self.width;
        let pivot = self.at(row, column);
        let negative = pivot.below_zero();
        let size = if negative { pivot.negated().ok_or(Error::Overflow)? } else { pivot.clone() };
        let den = self.den.clone();
        let unit = size.is_one() && den.is_one();
        // `own` becomes the new row: column = (den * slack - rest) / pivot, over the denominator |pivot|.
        {
            let own = &mut self.data[row * width..(row + 1) * width];
            for (k, e) in own.iter_mut().enumerate() {
                if k == column {
                    *e = if negative { den.negated().ok_or(Error::Overflow)? } else { den.clone() };
                } else if !e.is_zero() && !negative {
                    *e = e.negated().ok_or(Error::Overflow)?;
                }
            }
        }
        // Every other row: entry_j = (size * entry_j + factor * own_j) / den, factor = its entry in the column; entry_column = sign * factor.
        let (before, rest) = self.data.split_at_mut(row * width);
        let (own, after) = rest.split_at_mut(width);
        for other in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
            let factor = other[column].clone();
            if factor.is_zero() && size == den {
                continue;
            }
            let minus = factor.negated().ok_or(Error::Overflow)?;
            for (k, (e, o)) in other.iter_mut().zip(own.iter()).enumerate() {
                if k == column {
                    continue;
                }
                if unit {
                    if !o.is_zero() {
                        *e = T::sub_mul(e, &minus, o).ok_or(Error::Overflow)?;
                    }
                } else if !o.is_zero() || !e.is_zero() {
                    *e = T::minor(&size, e, &minus, o, &den).ok_or(Error::Overflow)?;
                }
            }
            other[column] = if negative { minus } else { factor };
        }
        self.den = size;
        Ok(())
    }

    /// Removes a row whose value no longer matters; the last row takes its place.
    fn drop_row(&mut self, row: usize) {
        let last = self.basis.len();
        if row != last {
            let (head, tail) = self.data.split_at_mut(last * self.width);
            head[row * self.width..(row + 1) * self.width].swap_with_slice(tail);
        }
        self.data.truncate(last * self.width);
        self.basis.swap_remove(row - 1);
    }

    /// Takes the free variable of `column` out by `row`, whose slack comes into the column as `becomes`.
    fn eliminate(&mut self, row: usize, column: usize, becomes: Column, budget: &Budget) -> Result<()> {
        let Column::Free(variable) = self.columns[column - 1] else { return Err(Error::Overflow) };
        self.pivot(row, column, budget)?;
        self.columns[column - 1] = becomes;
        if self.sample {
            let row = self.row(row).to_vec();
            self.definitions.push(Definition { variable, den: self.den.clone(), row, columns: self.columns.clone() });
        }
        self.drop_row(row);
        Ok(())
    }

    /// The place among `free` columns where the row's entry is not 0, a unit if there is one.
    fn free_entry(&self, row: usize) -> Option<usize> {
        let mut found = None;
        for (k, column) in self.columns.iter().enumerate() {
            let e = self.at(row, k + 1);
            if e.is_zero() || !matches!(column, Column::Free(_)) {
                continue;
            }
            if *e == self.den || e.negated().as_ref() == Some(&self.den) {
                return Some(k + 1);
            }
            found = found.or(Some(k + 1));
        }
        found
    }

    /// Every equality takes out one free variable. Returns the row of a contradiction.
    fn eliminate_equalities(&mut self, budget: &Budget) -> Result<Option<usize>> {
        for equality in std::mem::take(&mut self.equalities) {
            let Some(row) = self.basis.iter().position(|&b| b == equality).map(|k| k + 1) else { continue };
            match self.free_entry(row) {
                Some(column) => self.eliminate(row, column, Column::Dead(equality), budget)?,
                None if !self.at(row, 0).is_zero() => return Ok(Some(row)),
                None => self.drop_row(row),
            }
        }
        Ok(None)
    }

    /// Rows take out the free variables that are left. A free column that stays has no entry but, perhaps, the form's.
    fn eliminate_free(&mut self, budget: &Budget) -> Result<()> {
        let mut row = 1;
        while row <= self.basis.len() {
            match self.free_entry(row) {
                Some(column) => {
                    let slack = self.basis[row - 1];
                    self.eliminate(row, column, Column::Slack(slack), budget)?;
                }
                None => row += 1,
            }
        }
        Ok(())
    }

    /// Dual phase with cost 0: makes all constants non-negative, or names a row that shows that this cannot be.
    fn restore(&mut self, budget: &Budget) -> Result<Phase> {
        loop {
            let leaving =
                (1..=self.basis.len()).filter(|&r| self.at(r, 0).below_zero()).min_by_key(|&r| self.basis[r - 1]);
            let Some(row) = leaving else { return Ok(Phase::Done) };
            let entering = self.columns.iter().enumerate().filter_map(|(k, column)| match column {
                Column::Slack(slack) if self.positive(row, k + 1) => Some((*slack, k + 1)),
                _ => None,
            });
            let Some((slack, column)) = entering.min() else { return Ok(Phase::Stuck(row)) };
            self.exchange(row, column, slack, budget)?;
        }
    }

    fn exchange(&mut self, row: usize, column: usize, entering: usize, budget: &Budget) -> Result<()> {
        self.pivot(row, column, budget)?;
        let leaving = std::mem::replace(&mut self.basis[row - 1], entering);
        self.columns[column - 1] = Column::Slack(leaving);
        Ok(())
    }

    /// Primal phase: all constants are non-negative and stay so.
    fn minimise(&mut self, only_sign: bool, budget: &Budget) -> Result<Outcome> {
        let lost =
            self.columns.iter().enumerate().any(|(k, c)| matches!(c, Column::Free(_)) && !self.at(0, k + 1).is_zero());
        if lost {
            return Ok(if only_sign { Outcome::Negative } else { Outcome::Unbounded });
        }
        loop {
            if only_sign && self.at(0, 0).below_zero() {
                return Ok(Outcome::Negative);
            }
            let entering = self.columns.iter().enumerate().filter_map(|(k, column)| match column {
                Column::Slack(slack) if self.at(0, k + 1).below_zero() => Some((*slack, k + 1)),
                _ => None,
            });
            let Some((slack, column)) = entering.min() else { break };
            let Some(row) = self.blocking(column)? else {
                return Ok(if only_sign { Outcome::Negative } else { Outcome::Unbounded });
            };
            self.exchange(row, column, slack, budget)?;
        }
        let mut multipliers = Vec::with_capacity(self.columns.len());
        for (k, column) in self.columns.iter().enumerate() {
            let e = self.at(0, k + 1);
            if let (Column::Slack(r) | Column::Dead(r), false) = (column, e.is_zero()) {
                multipliers.push((*r, e.clone()));
            }
        }
        Ok(Outcome::Least(T::proof(self.at(0, 0), &self.den, multipliers)))
    }

    /// The row that first reaches 0 when the column grows; the least variable number among equals.
    fn blocking(&self, column: usize) -> Result<Option<usize>> {
        let mut best: Option<(&T, T, usize)> = None;
        for row in 1..=self.basis.len() {
            let e = self.at(row, column);
            if !e.below_zero() {
                continue;
            }
            let (constant, speed) = (self.at(row, 0), e.negated().ok_or(Error::Overflow)?);
            let better = match &best {
                None => true,
                Some((c, s, r)) => match T::compare(constant, &speed, c, s).ok_or(Error::Overflow)? {
                    Ordering::Less => true,
                    Ordering::Equal => self.basis[row - 1] < self.basis[r - 1],
                    Ordering::Greater => false,
                },
            };
            if better {
                best = Some((constant, speed, row));
            }
        }
        Ok(best.map(|(_, _, row)| row))
    }

    fn positive(&self, row: usize, column: usize) -> bool {
        let e = self.at(row, column);
        !e.is_zero() && !e.below_zero()
    }

    /// The certificate of emptiness that an infeasible row carries.
    fn refutation(&self, row: usize) -> Result<Outcome> {
        let constant = self.at(row, 0);
        // -1 = (den * s_row - sum entry_j * s_j) * (-1 / constant)
        let turned = !constant.below_zero();
        let minus = |e: &T| e.negated().ok_or(Error::Overflow);
        let size = if turned { constant.clone() } else { minus(constant)? };
        let mut multipliers = vec![(self.basis[row - 1], if turned { minus(&self.den)? } else { self.den.clone() })];
        for (k, column) in self.columns.iter().enumerate() {
            let e = self.at(row, k + 1);
            if let (Column::Slack(r) | Column::Dead(r), false) = (column, e.is_zero()) {
                multipliers.push((*r, if turned { e.clone() } else { minus(e)? }));
            }
        }
        Ok(Outcome::Empty(T::proof(&T::zero(), &size, multipliers)))
    }

    /// The point with all columns at 0.
    fn feasible(&self) -> Result<Outcome> {
        let point = if self.sample { self.integer_point()? } else { None };
        let sample = point.as_ref().and_then(|p| p.iter().map(T::narrow).collect());
        Ok(Outcome::Feasible { integer: point.is_some(), sample })
    }

    /// The point with all columns at 0, when it is integer.
    fn integer_point(&self) -> Result<Option<Vec<T>>> {
        let mut slacks: Vec<(usize, T)> = Vec::with_capacity(self.basis.len());
        for (k, &input) in self.basis.iter().enumerate() {
            match T::quotient(self.at(k + 1, 0), &self.den) {
                Some(value) => slacks.push((input, value)),
                None => return Ok(None),
            }
        }
        // A slack in a column is 0. A free variable without definition may be anything: 0.
        let mut point = vec![T::zero(); self.variables];
        for definition in self.definitions.iter().rev() {
            let mut sum = definition.row[0].clone();
            for (column, e) in definition.columns.iter().zip(&definition.row[1..]) {
                let value = match column {
                    _ if e.is_zero() => continue,
                    Column::Free(v) => Some(&point[*v]),
                    Column::Slack(r) => slacks.iter().find(|(input, _)| input == r).map(|(_, value)| value),
                    Column::Dead(_) => None,
                };
                if let Some(value) = value {
                    let minus = e.negated().ok_or(Error::Overflow)?;
                    sum = T::sub_mul(&sum, &minus, value).ok_or(Error::Overflow)?;
                }
            }
            match T::quotient(&sum, &definition.den) {
                Some(value) => point[definition.variable] = value,
                None => return Ok(None),
            }
        }
        Ok(Some(point))
    }
}
