//! The Omega test: has a system of linear rows an integer solution?
//!
//! **Problem.** `{ x in Z^n | E x + e = 0, A x + a >= 0 }`, empty or not. Parameters are variables like others here.
//!
//! **Notation.** For a variable `x`, a *lower bound* is a row `b x + beta >= 0`, an *upper bound* a row `-a x + alpha >= 0`, `a, b > 0`.
//! Each pair gives a row without `x`: the *real shadow* `a beta + b alpha >= 0`, which every integer solution satisfies, and the
//! *dark shadow* `a beta + b alpha >= (a - 1) (b - 1)`, above each integer point of which there is an integer `x`. For `a = 1` or `b = 1`
//! they are one: the elimination is *exact*.
//!
//! **Method.**
//! 1. Equalities first. One with a unit coefficient is substituted. Otherwise the variable `x_k` with the least coefficient is renamed,
//!    `x_k := x_k - sum q_i x_i`, `q_i` = the other coefficients over its own, rounded to nearest: these become their symmetric remainders, at most half of `a_k`
//!    (Pugh's substitution, without his new variable, since modulo `|a_k|` instead of `|a_k| + 1` it is unimodular).
//! 2. Variables without a lower or without an upper bound go, with their rows. Exact eliminations that add no rows are made.
//! 3. The rational relaxation: empty, or its vertex is integer, and we are done. Nearly every system ends here at the latest.
//! 4. A rational point with a unit cube around it inside the system can be rounded. This finds the points of fat systems.
//! 5. Eliminate one more variable, exactly if possible. If not: an integer point in the dark shadow is one of the system; if the real shadow
//!    has none, nor has the system; else a solution lies near a lower bound, `b x + beta = i` for `0 <= i <= (a_max b - a_max - b) / a_max`: try these *splinters*.
//!    Before rows multiply, those that others imply over the rationals go.
//!
//! **Example.** `27 <= 11x + 13y <= 45, -10 <= 7x - 9y <= 4` (Pugh's) has rational points and no integer one; both shadows of `x` differ.
//!
//! Numbers: all of it is written over [`Number`]; a caller asks in `i64`, and again in big integers when that overflows.
//!
//! Paper: William Pugh, *The Omega test*, Supercomputing 1991.

use crate::number::Number;
use crate::rows::{Rows, System, Verdict};
use crate::tableau::{Goal, InputRow, Outcome};
use crate::{Budget, Kind, Result};

/// Has the system no integer solution? Exponential at worst.
pub(crate) fn is_empty<T: Number>(mut system: System<T>, budget: &Budget) -> Result<bool> {
    loop {
        if !solve_equalities(&mut system, budget)? {
            return Ok(true);
        }
        if drop_one_sided(&mut system) {
            continue;
        }
        if system.ges.is_empty() {
            return Ok(false);
        }
        match choose(&system, 0..system.width - 1) {
            Some(choice) if choice.exact && choice.growth <= 0 => {
                system = shadow(&system, choice.column, false, budget)?;
            }
            _ => break,
        }
    }
    let rows: Vec<InputRow<'_, T>> = system.ges.iter().map(|r| (Kind::Ge, r)).collect();
    match T::solve(system.width, &rows, Goal::Feasible { sample: true }, budget)? {
        Outcome::Empty(_) => return Ok(true),
        Outcome::Feasible { integer: true, .. } => return Ok(false),
        _ => {}
    }
    if holds_a_cube(&system, budget)? {
        return Ok(false);
    }
    if system.ges.len() > 2 * system.width && !prune(&mut system, budget)? {
        return Ok(true);
    }
    let Some(choice) = choose(&system, 0..system.width - 1) else { return Ok(false) };
    if choice.exact {
        return is_empty(shadow(&system, choice.column, false, budget)?, budget);
    }
    if !is_empty(shadow(&system, choice.column, true, budget)?, budget)? {
        return Ok(false);
    }
    if is_empty(shadow(&system, choice.column, false, budget)?, budget)? {
        return Ok(true);
    }
    splinters_are_empty(&system, choice.column, budget)
}

/// Is there a rational point with a unit cube around it in the system (of inequalities)? Rounding it gives an integer solution. Sufficient only.
fn holds_a_cube<T: Number>(system: &System<T>, budget: &Budget) -> Result<bool> {
    // a . y + c >= 0 for all y within 1/2 of x: 2 a . x + 2 c - sum |a_i| >= 0.
    let mut shrunk = Rows::new(system.width, system.ges.len());
    for row in system.ges.iter() {
        let Ok(constant) = T::cube_constant(row) else { return Ok(false) };
        shrunk.push(row);
        let last = shrunk.len() - 1;
        shrunk.row_mut(last)[0] = constant;
    }
    let rows: Vec<InputRow<'_, T>> = shrunk.iter().map(|r| (Kind::Ge, r)).collect();
    let outcome = T::solve(system.width, &rows, Goal::Feasible { sample: false }, budget)?;
    Ok(!matches!(outcome, Outcome::Empty(_)))
}

/// Removes inequalities that the others imply over the rationals. `false`: the system is empty over the rationals.
pub(crate) fn prune<T: Number>(system: &mut System<T>, budget: &Budget) -> Result<bool> {
    let mut r = 0;
    while r < system.ges.len() {
        let row = system.ges.row(r);
        if system.bounds_alone(row) {
            r += 1;
            continue;
        }
        let mut others: Vec<InputRow<'_, T>> = system.eqs.iter().map(|e| (Kind::Eq, e)).collect();
        others.extend(system.ges.iter().enumerate().filter(|(k, _)| *k != r).map(|(_, own)| (Kind::Ge, own)));
        match T::solve(system.width, &others, Goal::Nonnegative(row), budget)? {
            Outcome::Empty(_) => return Ok(false),
            Outcome::Least(_) => system.ges.swap_remove(r),
            _ => r += 1,
        }
    }
    Ok(true)
}

/// The last resort: every solution that the dark shadow misses has `x` close above one of its lower bounds.
fn splinters_are_empty<T: Number>(system: &System<T>, column: usize, budget: &Budget) -> Result<bool> {
    let Some(widest) = system.ges.iter().map(|r| &r[column]).filter(|e| e.is_negative()).min() else { return Ok(true) };
    let widest = widest.neg()?;
    for row in system.ges.iter().filter(|r| r[column].is_positive()) {
        // (widest * b - widest - b) / widest, rounded down: b - 1 + floor(-b / widest).
        let b = &row[column];
        let last = b.sub(&T::from(1))?.add(&b.neg()?.div_floor(&widest))?;
        let mut i = T::from(0);
        while i <= last {
            budget.spend(1)?;
            // b x + beta - i = 0
            let mut splinter = system.clone();
            let shifted = row[0].sub(&i)?;
            splinter.eqs.push(row);
            let at = splinter.eqs.len() - 1;
            splinter.eqs.row_mut(at)[0] = shifted;
            if !is_empty(splinter, budget)? {
                return Ok(false);
            }
            i = i.add(&T::from(1))?;
        }
    }
    Ok(true)
}

/// Tidies, and solves and removes every equality. `false`: no integer solution.
pub(crate) fn solve_equalities<T: Number>(system: &mut System<T>, budget: &Budget) -> Result<bool> {
    loop {
        budget.spend(system.price())?;
        if !system.tidy()? {
            return Ok(false);
        }
        if system.eqs.is_empty() {
            return Ok(true);
        }
        // All equalities at hand, then tidy again: it may find new ones.
        while !system.eqs.is_empty() {
            if T::normalise(Kind::Eq, system.eqs.row_mut(0)) == Verdict::False {
                return Ok(false);
            }
            let equality = system.eqs.row(0);
            let Some(column) = least_entry(equality, 1..system.width) else {
                system.eqs.swap_remove(0);
                continue;
            };
            if equality[column].is_unit() {
                let equality = equality.to_vec();
                system.eqs.swap_remove(0);
                substitute(system, &equality, column, budget)?;
            } else {
                rename(system, 0, column, 1..system.width, budget)?;
            }
        }
    }
}

/// The column in `among` with the least non-zero entry, by size.
pub(crate) fn least_entry<T: Number>(row: &[T], among: std::ops::Range<usize>) -> Option<usize> {
    among.filter(|&c| !row[c].is_zero()).min_by(|&a, &b| row[a].cmp_size(&row[b]))
}

/// Removes `column` from every row by the equality, whose entry there is not 0. Inequalities are multiplied by positive numbers only.
pub(crate) fn substitute<T: Number>(
    system: &mut System<T>,
    equality: &[T],
    column: usize,
    budget: &Budget,
) -> Result<()> {
    let pivot = &equality[column];
    let size = pivot.abs()?;
    for (kind, rows) in [(Kind::Eq, &mut system.eqs), (Kind::Ge, &mut system.ges)] {
        for r in 0..rows.len() {
            let entry = &rows.row(r)[column];
            if entry.is_zero() {
                continue;
            }
            budget.spend(1)?;
            // size * row - sign * entry * equality
            let factor = if pivot.is_positive() { entry.neg()? } else { entry.clone() };
            rows.combine_in_place(kind, r, &size, &factor, equality)?;
        }
    }
    Ok(())
}

/// `x_column := x_column - sum q_i x_i` over `among`, such that the other entries of equality `r` there become remainders modulo its entry in `column`.
pub(crate) fn rename<T: Number>(
    system: &mut System<T>,
    r: usize,
    column: usize,
    among: impl IntoIterator<Item = usize>,
    budget: &Budget,
) -> Result<()> {
    let equality = system.eqs.row(r);
    let mut quotients: Vec<(usize, T)> = Vec::new();
    for c in among {
        if c == column || equality[c].is_zero() {
            continue;
        }
        let q = equality[c].nearest_quotient(&equality[column])?;
        if !q.is_zero() {
            quotients.push((c, q));
        }
    }
    budget.spend(quotients.len() as u64 + 1)?;
    for row in system.eqs.iter_mut().chain(system.ges.iter_mut()) {
        if row[column].is_zero() {
            continue;
        }
        let own = row[column].clone();
        for (c, q) in &quotients {
            row[*c] = row[*c].sub_mul(q, &own)?;
        }
    }
    Ok(())
}

/// Drops the rows of a variable that is bounded on one side only: for any value of the others it has one far enough out. True if any.
pub(crate) fn drop_one_sided<T: Number>(system: &mut System<T>) -> bool {
    let mut any = false;
    let mut again = true;
    while again && !system.ges.is_empty() {
        again = false;
        for column in 1..system.width {
            let (mut below, mut above) = (false, false);
            for row in system.ges.iter() {
                below |= row[column].is_positive();
                above |= row[column].is_negative();
            }
            if below != above {
                system.ges.retain(|row| row[column].is_zero());
                any = true;
                again = true;
            }
        }
    }
    any && !system.ges.is_empty()
}

/// A variable to eliminate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) column: usize,
    /// Every pair of bounds has a unit coefficient on one side.
    pub(crate) exact: bool,
    /// Rows more after than before.
    pub(crate) growth: i64,
    /// The largest entry.
    pub(crate) largest: u64,
}

/// The best variable to eliminate among columns `1 + v` for `v` in `among`: an exact one with the least growth, else one with the least growth, and of these the one with the smallest entries,
/// whose shadows are more often exact.
pub(crate) fn choose<T: Number>(system: &System<T>, among: impl IntoIterator<Item = usize>) -> Option<Choice> {
    let mut best: Option<Choice> = None;
    for v in among {
        let column = v + 1;
        let (mut lower, mut upper, mut big_lower, mut big_upper) = (0_i64, 0_i64, false, false);
        let mut largest = 0;
        for row in system.ges.iter() {
            let entry = &row[column];
            largest = largest.max(entry.to_i64().map_or(u64::MAX, i64::unsigned_abs));
            if entry.is_positive() {
                lower += 1;
                big_lower |= !entry.is_unit();
            } else if entry.is_negative() {
                upper += 1;
                big_upper |= !entry.is_unit();
            }
        }
        if lower + upper == 0 {
            continue;
        }
        let exact = lower == 0 || upper == 0 || !(big_lower && big_upper);
        let choice = Choice { column, exact, growth: lower * upper - lower - upper, largest };
        if best.is_none_or(|b| (!choice.exact, choice.growth, choice.largest) < (!b.exact, b.growth, b.largest)) {
            best = Some(choice);
        }
    }
    best
}

/// The real or the dark shadow of the inequalities (there must be no equality with `column`; equalities are kept).
pub(crate) fn shadow<T: Number>(system: &System<T>, column: usize, dark: bool, budget: &Budget) -> Result<System<T>> {
    let mut out = System::universe(system.width, system.ges.len());
    out.eqs = system.eqs.clone();
    for row in system.ges.iter().filter(|r| r[column].is_zero()) {
        out.ges.push(row);
    }
    for lower in system.ges.iter().filter(|r| r[column].is_positive()) {
        for upper in system.ges.iter().filter(|r| r[column].is_negative()) {
            budget.spend(1)?;
            let b = &lower[column];
            let a = upper[column].neg()?;
            if dark && !a.is_unit() && !b.is_unit() {
                // Not reduced: the excess belongs to `a beta + b alpha` itself.
                out.ges.push_exact(&a, lower, b, upper)?;
                let at = out.ges.len() - 1;
                let constant = &mut out.ges.row_mut(at)[0];
                *constant = constant.sub_mul(&a.sub(&T::from(1))?, &b.sub(&T::from(1))?)?;
            } else {
                let (a, b) = T::coprime(a, b.clone());
                out.ges.push_combination(Kind::Ge, &a, lower, &b, upper)?;
            }
        }
    }
    Ok(out)
}
