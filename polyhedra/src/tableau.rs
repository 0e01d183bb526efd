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
//! **Numbers.** Entries are `i64` with products in `i128`; when a tableau leaves that range it is solved again in checked `i128`.
//!
//! Paper: Schrijver, *Theory of Linear and Integer Programming* (1986), chapters 7, 11; Bareiss, *Math. Comp.* 22 (1968).

use crate::{Budget, Error, Kind, Result};

/// One input row: `expr = 0` or `expr >= 0`, the constant first.
pub(crate) type InputRow<'a> = (Kind, &'a [i64]);

/// What is asked beyond feasibility.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal<'a> {
    /// Is there a point? `sample` asks for an integer one.
    Feasible {
        /// Look whether the vertex reached is integer.
        sample: bool,
    },
    /// The least value of the form.
    Minimise(&'a [i64]),
    /// The least value of the form, but any negative value ends the search.
    Nonnegative(&'a [i64]),
}

/// A multiplier of an input row, over the outcome's denominator.
pub(crate) type Multiplier = (usize, i128);

/// What the simplex found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// No rational point: `-1 = sum multiplier / den * row`.
    Empty { den: i128, multipliers: Vec<Multiplier> },
    /// The form has no lower bound.
    Unbounded,
    /// There is a point (no form was given); an integer one if it was asked for and the vertex reached is one.
    Feasible { sample: Option<Vec<i128>> },
    /// Least value `value / den`, `form = value / den + sum multiplier / den * row`.
    Least { value: i128, den: i128, multipliers: Vec<Multiplier> },
    /// A point with a negative value was met ([`Goal::Nonnegative`]).
    Negative,
}

/// Solves, in `i64` if that holds, else in `i128`. Rows are `width` long.
pub(crate) fn solve(width: usize, rows: &[InputRow<'_>], goal: Goal<'_>, budget: &Budget) -> Result<Outcome> {
    match Tableau::<i64>::new(width, rows, goal).run(rows.len(), goal, budget) {
        Err(Error::Overflow) => Tableau::<i128>::new(width, rows, goal).run(rows.len(), goal, budget),
        other => other,
    }
}

/// Entries of a tableau.
trait Entry: Copy + Ord + Into<i128> + From<i64> {
    const ZERO: Self;
    const ONE: Self;
    /// `(a * b - c * d) / e`, which leaves no rest.
    fn minor(a: Self, b: Self, c: Self, d: Self, e: Self) -> Option<Self>;
    /// `a - b * c`.
    fn sub_mul(a: Self, b: Self, c: Self) -> Option<Self>;
    fn negated(self) -> Option<Self>;
    /// Compares `a / b` with `c / d` for positive `b`, `d`.
    fn less(a: Self, b: Self, c: Self, d: Self) -> Option<std::cmp::Ordering>;
}

impl Entry for i64 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    fn minor(a: Self, b: Self, c: Self, d: Self, e: Self) -> Option<Self> {
        let value = (i128::from(a) * i128::from(b)).checked_sub(i128::from(c) * i128::from(d))?;
        match Self::try_from(value) {
            Ok(v) => v.checked_div(e),
            Err(_) => Self::try_from(value / i128::from(e)).ok(),
        }
    }

    fn sub_mul(a: Self, b: Self, c: Self) -> Option<Self> {
        a.checked_sub(b.checked_mul(c)?)
    }

    fn negated(self) -> Option<Self> {
        self.checked_neg()
    }

    fn less(a: Self, b: Self, c: Self, d: Self) -> Option<std::cmp::Ordering> {
        Some((i128::from(a) * i128::from(d)).cmp(&(i128::from(c) * i128::from(b))))
    }
}

impl Entry for i128 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    fn minor(a: Self, b: Self, c: Self, d: Self, e: Self) -> Option<Self> {
        a.checked_mul(b)?.checked_sub(c.checked_mul(d)?)?.checked_div(e)
    }

    fn sub_mul(a: Self, b: Self, c: Self) -> Option<Self> {
        a.checked_sub(b.checked_mul(c)?)
    }

    fn negated(self) -> Option<Self> {
        self.checked_neg()
    }

    fn less(a: Self, b: Self, c: Self, d: Self) -> Option<std::cmp::Ordering> {
        Some(a.checked_mul(d)?.cmp(&c.checked_mul(b)?))
    }
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
    fn new(width: usize, rows: &[InputRow<'_>], goal: Goal<'_>) -> Self {
        let (form, sample) = match goal {
            Goal::Feasible { sample } => (None, sample),
            Goal::Minimise(form) | Goal::Nonnegative(form) => (Some(form), false),
        };
        let used: Vec<usize> =
            (1..width).filter(|&c| form.is_some_and(|f| f[c] != 0) || rows.iter().any(|(_, r)| r[c] != 0)).collect();
        let own = used.len() + 1;
        let mut data = Vec::with_capacity(own * (rows.len() + 1));
        let mut put = |row: &[i64]| {
            data.push(T::from(row[0]));
            data.extend(used.iter().map(|&c| T::from(row[c])));
        };
        match form {
            Some(form) => put(form),
            None => (0..own).for_each(|_| data.push(T::ZERO)),
        }
        let mut put = |row: &[i64]| {
            data.push(T::from(row[0]));
            data.extend(used.iter().map(|&c| T::from(row[c])));
        };
        rows.iter().for_each(|(_, row)| put(row));
        let equalities = (0..rows.len()).filter(|&r| rows[r].0 == Kind::Eq).collect();
        Self {
            width: own,
            data,
            basis: (0..rows.len()).collect(),
            columns: used.into_iter().map(Column::Free).collect(),
            den: T::ONE,
            definitions: Vec::new(),
            sample,
            equalities,
            variables: width,
        }
    }

    fn run(mut self, inputs: usize, goal: Goal<'_>, budget: &Budget) -> Result<Outcome> {
        let _ = inputs;
        if let Some(conflict) = self.eliminate_equalities(budget)? {
            return self.refutation(conflict);
        }
        self.eliminate_free(budget)?;
        if let Phase::Stuck(row) = self.restore(budget)? {
            return self.refutation(row);
        }
        match goal {
            Goal::Feasible { .. } => Ok(Outcome::Feasible { sample: self.integer_point()? }),
            Goal::Minimise(_) => self.minimise(false, budget),
            Goal::Nonnegative(_) => self.minimise(true, budget),
        }
    }

    fn at(&self, row: usize, column: usize) -> T {
        self.data[row * self.width + column]
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
        let negative = pivot < T::ZERO;
        let size = if negative { pivot.negated().ok_or(Error::Overflow)? } else { pivot };
        let den = self.den;
        let unit = size == T::ONE && den == T::ONE;
        // `own` becomes the new row: column = (den * slack - rest) / pivot, over the denominator |pivot|.
        {
            let own = &mut self.data[row * width..(row + 1) * width];
            for (k, e) in own.iter_mut().enumerate() {
                if k == column {
                    *e = if negative { den.negated().ok_or(Error::Overflow)? } else { den };
                } else if *e != T::ZERO && !negative {
                    *e = e.negated().ok_or(Error::Overflow)?;
                }
            }
        }
        // Every other row: entry_j = (size * entry_j + factor * own_j) / den, factor = its entry in the column; entry_column = sign * factor.
        let (before, rest) = self.data.split_at_mut(row * width);
        let (own, after) = rest.split_at_mut(width);
        for other in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
            let factor = other[column];
            if factor == T::ZERO && size == den {
                continue;
            }
            let minus = factor.negated().ok_or(Error::Overflow)?;
            for (k, (e, &o)) in other.iter_mut().zip(own.iter()).enumerate() {
                if k == column {
                    *e = if negative { minus } else { factor };
                } else if unit {
                    if o != T::ZERO {
                        *e = T::sub_mul(*e, minus, o).ok_or(Error::Overflow)?;
                    }
                } else if o != T::ZERO || *e != T::ZERO {
                    *e = T::minor(size, *e, minus, o, den).ok_or(Error::Overflow)?;
                }
            }
        }
        self.den = size;
        Ok(())
    }

    /// Removes a row whose value no longer matters; the last row takes its place.
    fn drop_row(&mut self, row: usize) {
        let last = self.basis.len();
        if row != last {
            self.data.copy_within(last * self.width.., row * self.width);
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
            self.definitions.push(Definition { variable, den: self.den, row, columns: self.columns.clone() });
        }
        self.drop_row(row);
        Ok(())
    }

    /// The place among `free` columns where the row's entry is not 0, a unit if there is one.
    fn free_entry(&self, row: usize) -> Option<usize> {
        let mut found = None;
        for (k, column) in self.columns.iter().enumerate() {
            let e = self.at(row, k + 1);
            if e == T::ZERO || !matches!(column, Column::Free(_)) {
                continue;
            }
            if e == self.den || e.negated() == Some(self.den) {
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
                None if self.at(row, 0) != T::ZERO => return Ok(Some(row)),
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
                (1..=self.basis.len()).filter(|&r| self.at(r, 0) < T::ZERO).min_by_key(|&r| self.basis[r - 1]);
            let Some(row) = leaving else { return Ok(Phase::Done) };
            let entering = self.columns.iter().enumerate().filter_map(|(k, column)| match column {
                Column::Slack(slack) if self.at(row, k + 1) > T::ZERO => Some((*slack, k + 1)),
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
            self.columns.iter().enumerate().any(|(k, c)| matches!(c, Column::Free(_)) && self.at(0, k + 1) != T::ZERO);
        if lost {
            return Ok(if only_sign { Outcome::Negative } else { Outcome::Unbounded });
        }
        loop {
            if only_sign && self.at(0, 0) < T::ZERO {
                return Ok(Outcome::Negative);
            }
            let entering = self.columns.iter().enumerate().filter_map(|(k, column)| match column {
                Column::Slack(slack) if self.at(0, k + 1) < T::ZERO => Some((*slack, k + 1)),
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
            let e: i128 = self.at(0, k + 1).into();
            if let (Column::Slack(r) | Column::Dead(r), true) = (column, e != 0) {
                multipliers.push((*r, e));
            }
        }
        Ok(Outcome::Least { value: self.at(0, 0).into(), den: self.den.into(), multipliers })
    }

    /// The row that first reaches 0 when the column grows; the least variable number among equals.
    fn blocking(&self, column: usize) -> Result<Option<usize>> {
        let mut best: Option<(T, T, usize)> = None;
        for row in 1..=self.basis.len() {
            let e = self.at(row, column);
            if e >= T::ZERO {
                continue;
            }
            let (constant, speed) = (self.at(row, 0), e.negated().ok_or(Error::Overflow)?);
            let better = match best {
                None => true,
                Some((c, s, r)) => match T::less(constant, speed, c, s).ok_or(Error::Overflow)? {
                    std::cmp::Ordering::Less => true,
                    std::cmp::Ordering::Equal => self.basis[row - 1] < self.basis[r - 1],
                    std::cmp::Ordering::Greater => false,
                },
            };
            if better {
                best = Some((constant, speed, row));
            }
        }
        Ok(best.map(|(_, _, row)| row))
    }

    /// The certificate of emptiness that an infeasible row carries.
    fn refutation(&self, row: usize) -> Result<Outcome> {
        let constant: i128 = self.at(row, 0).into();
        // -1 = (den * s_row - sum entry_j * s_j) * (-1 / constant)
        let sign = if constant < 0 { 1 } else { -1 };
        let den = constant.checked_abs().ok_or(Error::Overflow)?;
        let own: i128 = self.den.into();
        let mut multipliers = vec![(self.basis[row - 1], own * sign)];
        for (k, column) in self.columns.iter().enumerate() {
            let e: i128 = self.at(row, k + 1).into();
            if let (Column::Slack(r) | Column::Dead(r), true) = (column, e != 0) {
                multipliers.push((*r, e.checked_mul(-sign).ok_or(Error::Overflow)?));
            }
        }
        Ok(Outcome::Empty { den, multipliers })
    }

    /// The point with all columns at 0, when it is integer.
    fn integer_point(&self) -> Result<Option<Vec<i128>>> {
        if !self.sample {
            return Ok(None);
        }
        let den: i128 = self.den.into();
        let mut slacks: Vec<(usize, i128)> = Vec::with_capacity(self.basis.len());
        for (k, &input) in self.basis.iter().enumerate() {
            let constant: i128 = self.at(k + 1, 0).into();
            if constant % den != 0 {
                return Ok(None);
            }
            slacks.push((input, constant / den));
        }
        // A slack in a column is 0. A free variable without definition may be anything: 0.
        let mut point = vec![0_i128; self.variables];
        for definition in self.definitions.iter().rev() {
            let mut sum: i128 = definition.row[0].into();
            for (column, &e) in definition.columns.iter().zip(&definition.row[1..]) {
                let e: i128 = e.into();
                let value = match column {
                    _ if e == 0 => continue,
                    Column::Free(v) => point[*v],
                    Column::Slack(r) => slacks.iter().find(|(input, _)| input == r).map_or(0, |(_, value)| *value),
                    Column::Dead(_) => 0,
                };
                sum = e.checked_mul(value).and_then(|p| sum.checked_add(p)).ok_or(Error::Overflow)?;
            }
            let den: i128 = definition.den.into();
            if sum % den != 0 {
                return Ok(None);
            }
            point[definition.variable] = sum / den;
        }
        Ok(Some(point))
    }
}
