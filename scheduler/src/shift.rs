//! Shift groups: where each statement's origin should lie, decided for all statements at once, before any schedule is looked for.
//!
//! **Problem.** Write a loop `for k = n+1..` with `A[m,k]`, or `for k = 0..` with `A[m,k+n+1]`: the same program, but a scheduler that asks for
//! equal constants (`Δω = 0`) finds a schedule for one form and none for the other.
//!
//! **Why.** A level of a schedule is an affine form per statement, `theta_g(i) = phi_g . i + omega_g`. Move the origin of the statement, `i = j - s`, and
//! the constant changes by `-phi_g . s`. So "all `Δω` are 0" is no property of the program; it says where each statement put its origin. Take the
//! statements as vertices of a graph, the pairs of accesses to one array as edges, and write on each edge, row by row of the array, the offset
//! `f_t - f_s` of its subscripts `F i + f`. Moving origins adds `F_s s_s - F_t s_t`: what moves of origins can produce is a *coboundary*. So the offsets can be
//! removed altogether exactly when they sum to zero round every cycle of that graph, and what remains round a cycle is a true reuse
//! distance (`A[i+1,j+1] = A[i+1,j] + A[i,j+1]`) that no choice removes. Hence origins must be chosen jointly: a greedy pass over the edges
//! repairs one and breaks the next.
//!
//! **Notation.** `s_g`, one number an iterator, affine in the parameters, shared by all accesses of the statement. In the canonical coordinates
//! `j = i + s_g` a subscript `F i + f` reads `F j + (f - F s_g)`; `f - F s_g` is its *residual*. A schedule level is `phi_g . (i + s_g) + omega*_g`, and
//! `Δω*` is counted between the `omega*`.
//!
//! **Objective.** Least `sum w |residual_t - residual_s|` over edges between different statements (`w` larger where the index rows are equal: those
//! share registers), then least
//! difference between the shifts of one source loop (`for t: E[0] = f[t+1]; ..` must not put one statement a step later), then least residuals of writes, then of reads, then of the loops' lower bounds, then least `|s|`. In the columns
//! of parameters lower bounds come before writes: `y[n + j] = ..` where nothing else touches these cells is best counted from where its loop starts, like those next to it. All but the last depend on residuals only, so the result does not
//! change when a loop of the source is translated. The problem is separable by column of `[1 | N]`, and per column nearly always a network problem,
//! whose linear relaxation has an integer optimum.
//!
//! **Signs.** A loop that runs downwards needs nothing here: rows of a schedule are taken from index matrices (see `matching`), so they carry the
//! array's direction, not the loop's.
//!
//! **Worked example.** `S0: A[m,n] = ..`, `S2: A[m,k+n+1] -= A[m,n] * U[n,k+n+1]`: `s = 0` for S0; for S2 `F s = f` has the solution `s_k = 1`, others 0.
//! With it, the row `n + k` of S2 becomes `n + k + 1` and the constants agree.
//!
//! **Method.** When `F s = f` is solvable for every statement, all residuals are 0 and, in the column of constants, nothing can be better: exact elimination, no solver. Else an LP
//! (an ILP when it comes out fractional); when the solver fails, `s = 0`, which is always allowed.
//!
//! Paper: the first seed document (orthogonalising indices) for the question and the matrix `W`; Darte, Robert, Vivien, *Scheduling and Automatic
//! Parallelization* (2000), chapter on shifts, for retiming of loops.

use crate::dependence::Dependences;
use crate::linear;
use crate::lp::{self, Lp, Var};
use crate::rows::{directions, loop_order};
use crate::scop::{Scop, Statement, StatementId};
use crate::{Error, Result};
use polyhedra::{Affine, Budget, Space};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The origin of every statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shifts {
    /// For each statement, for each iterator, the columns `[1 | N]` of `s`.
    shifts: Vec<Vec<Vec<i64>>>,
}

/// Weights of the objective: what comes first must outweigh all that follows in any part of sensible size.
const EDGE_SAME: f64 = 20_000.0;
const EDGE: f64 = 10_000.0;
const LINK: f64 = 300.0;
/// Where a loop starts, in the columns of parameters.
const START_AT_SIZE: f64 = 100.0;
const WRITE: f64 = 30.0;
const READ: f64 = 1.0;
const START: f64 = 0.02;
const SIZE: f64 = 0.0002;

impl Shifts {
    /// All origins as the source has them.
    #[must_use]
    pub fn zero(scop: &Scop) -> Self {
        let columns = 1 + scop.params.len();
        Self { shifts: scop.statements.iter().map(|s| vec![vec![0; columns]; s.depth()]).collect() }
    }

    /// The best origins.
    ///
    /// # Errors
    /// Budget. A failing solver is no error: the shifts are then 0.
    pub fn of(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<Self> {
        let mut out = Self::zero(scop);
        for column in 0..=scop.params.len() {
            let Some(found) = solve_column(scop, dependences, column, budget)? else { continue };
            for (own, new) in out.shifts.iter_mut().zip(found) {
                for (s, v) in own.iter_mut().zip(new) {
                    s[column] = v;
                }
            }
        }
        Ok(out)
    }

    /// The best origins, or those of the source where the budget ends.
    #[must_use]
    pub fn or_zero(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Self {
        Self::of(scop, dependences, budget).unwrap_or_else(|_| Self::zero(scop))
    }

    /// Columns `[1 | N]` of the shift of one iterator.
    #[must_use]
    pub fn shift(&self, statement: StatementId, iterator: usize) -> &[i64] {
        &self.shifts[statement.0][iterator]
    }

    /// Columns `[1 | N]` of `phi . s`.
    ///
    /// # Errors
    /// Overflow.
    pub fn along(&self, statement: StatementId, phi: &[i64]) -> Result<Vec<i64>> {
        let overflow = || Error::Sets(polyhedra::Error::Overflow);
        let own = &self.shifts[statement.0];
        let mut out = vec![0_i64; own.first().map_or(0, Vec::len)];
        for (s, &c) in own.iter().zip(phi) {
            for (o, &v) in out.iter_mut().zip(s) {
                *o = c.checked_mul(v).and_then(|x| o.checked_add(x)).ok_or_else(overflow)?;
            }
        }
        Ok(out)
    }

    /// `phi . (i + s) + omega`, `omega` given by its columns `[1 | N]`.
    ///
    /// # Errors
    /// Overflow.
    pub fn row(&self, space: Space, statement: StatementId, phi: &[i64], omega: &[i64]) -> Result<Affine> {
        let overflow = || Error::Sets(polyhedra::Error::Overflow);
        let mut coeffs = self.along(statement, phi)?;
        coeffs.resize(1 + space.params, 0);
        for (c, &w) in coeffs.iter_mut().zip(omega) {
            *c = c.checked_add(w).ok_or_else(overflow)?;
        }
        coeffs.extend_from_slice(phi);
        Ok(Affine::from_coeffs(space, coeffs))
    }

    /// Columns `[1 | N]` of `omega*`: what a row has beyond `phi . (i + s)`.
    ///
    /// # Errors
    /// Overflow.
    pub fn omega(&self, statement: StatementId, row: &Affine) -> Result<Vec<i64>> {
        let overflow = || Error::Sets(polyhedra::Error::Overflow);
        let mut own = self.along(statement, row.dim_coeffs())?;
        own.resize(1 + row.space().params, 0);
        own.iter().zip(row.coeffs()).map(|(a, c)| c.checked_sub(*a).ok_or_else(overflow)).collect()
    }

    /// Has some subscript a residual that depends on a parameter?
    #[must_use]
    pub fn leaves_parameters(&self, scop: &Scop) -> bool {
        scop.statements.iter().enumerate().any(|(k, statement)| {
            statement.accesses.iter().flat_map(|a| &a.subscripts).any(|e| {
                match self.along(StatementId(k), e.dim_coeffs()) {
                    Ok(moved) => {
                        (0..e.space().params).any(|p| e.param_coeff(p) != moved.get(1 + p).copied().unwrap_or(0))
                    }
                    Err(_) => true,
                }
            })
        })
    }

    /// Text for people and for FileCheck: one line a statement that moves, `shift S2: i2 + 1`.
    #[must_use]
    pub fn print(&self, scop: &Scop) -> String {
        let mut out = String::new();
        for (statement, shifts) in scop.statements.iter().zip(&self.shifts) {
            if shifts.iter().flatten().all(|&c| c == 0) {
                continue;
            }
            let names: Vec<String> = (0..shifts.len()).map(|k| format!("i{k}")).collect();
            let mut parts = Vec::new();
            for (k, s) in shifts.iter().enumerate() {
                let mut coeffs = s.clone();
                coeffs.resize(1 + scop.params.len(), 0);
                coeffs.extend((0..shifts.len()).map(|d| i64::from(d == k)));
                let e = Affine::from_coeffs(Space::new(scop.params.len(), shifts.len()), coeffs);
                parts.push(e.display(&scop.params, &names).to_string());
            }
            let _ = writeln!(out, "shift {}: [{}]", statement.name, parts.join(", "));
        }
        out
    }
}

/// One column of `[1 | N]`: shifts by statement and iterator. `None`: nothing to move, or no solution found.
fn solve_column(
    scop: &Scop,
    dependences: &Dependences,
    column: usize,
    budget: &Budget,
) -> Result<Option<Vec<Vec<i64>>>> {
    let subscripts = || scop.statements.iter().flat_map(|s| s.accesses.iter().flat_map(|a| &a.subscripts));
    let starts: Vec<Vec<&Affine>> = scop.statements.iter().map(starts).collect();
    if subscripts().chain(starts.iter().flatten().copied()).all(|e| e.coeffs()[column] == 0) {
        return Ok(None);
    }
    budget.spend(subscripts().count() as u64)?;
    let linked = linked(scop);
    // Where loops start outweighs residuals in the columns of parameters.
    if column == 0
        && let Some(exact) = no_residuals(scop, &starts, column)
        && linked.iter().all(|&(a, b, k)| exact[a][k] == exact[b][k])
    {
        return Ok(Some(exact));
    }
    let (mut problem, shifts) = joint(scop, dependences, &starts, &linked, column);
    let whole = |values: &[f64]| -> Option<Vec<Vec<i64>>> {
        let one = |v: &Var| match lp::rational(lp::value(values, *v)) {
            Some((p, 1)) => Some(p),
            _ => None,
        };
        shifts.iter().map(|own| own.iter().map(one).collect()).collect()
    };
    let Some(relaxed) = problem.solve(budget)? else { return Ok(None) };
    if let Some(found) = whole(&relaxed) {
        return Ok(Some(found));
    }
    for v in shifts.iter().flatten() {
        problem.integer_near(*v, lp::value(&relaxed, *v));
    }
    Ok(problem.solve(budget)?.as_deref().and_then(whole))
}

/// Where the loops start, as rows `c i_k + .. + f >= 0`, `i_k` the last of its iterators in [`loop_order`] and `c` 1 in the direction in which subscripts
/// grow: where subscripts do not say where an iterator has its origin, it lies there. Like residuals, `f - F s` does not change when the loop is
/// translated; nor do rows when it is reversed.
fn starts(statement: &Statement) -> Vec<&Affine> {
    let (order, grows) = (loop_order(statement), directions(statement));
    let last = |e: &Affine| order.iter().rposition(|&d| e.dim_coeff(d) != 0);
    let along = |e: &Affine| order.iter().map(|&d| e.dim_coeff(d).saturating_mul(grows[d])).collect::<Vec<_>>();
    let mut out: Vec<&Affine> = statement
        .domain
        .constraints()
        .iter()
        .map(|c| &c.expr)
        .filter(|e| last(e).is_some_and(|k| along(e)[k] == 1))
        .collect();
    out.sort_by_cached_key(|e| (last(e), along(e)));
    out
}

/// Source loops shared by two statements: (statement, statement, iterator).
fn linked(scop: &Scop) -> Vec<(usize, usize, usize)> {
    let mut out = Vec::new();
    for (b, later) in scop.statements.iter().enumerate() {
        for (a, earlier) in scop.statements[..b].iter().enumerate() {
            out.extend((0..earlier.common_loops(later)).map(|k| (a, b, k)));
        }
    }
    out
}

/// Shifts that remove every offset of every access, if there are any. Free directions are fixed by where the loops start.
fn no_residuals(scop: &Scop, starts: &[Vec<&Affine>], column: usize) -> Option<Vec<Vec<i64>>> {
    let one = |(s, starts): (&Statement, &Vec<&Affine>)| {
        let (mut rows, mut rhs) = (Vec::new(), Vec::new());
        for e in s.accesses.iter().flat_map(|a| &a.subscripts) {
            // A subscript without iterators moves with no shift.
            if !e.is_dim_free() {
                rows.push(e.dim_coeffs().to_vec());
                rhs.push(e.coeffs()[column]);
            }
        }
        for e in starts {
            if linear::independent(&rows, e.dim_coeffs()) {
                rows.push(e.dim_coeffs().to_vec());
                rhs.push(e.coeffs()[column]);
            }
        }
        linear::solve_integer(&rows, &rhs, s.depth())
    };
    scop.statements.iter().zip(starts).map(one).collect()
}

/// The joint problem, and the variables of the shifts by statement and iterator.
fn joint(
    scop: &Scop,
    dependences: &Dependences,
    starts: &[Vec<&Affine>],
    linked: &[(usize, usize, usize)],
    column: usize,
) -> (Lp, Vec<Vec<Var>>) {
    let mut lp = Lp::default();
    let free = (f64::NEG_INFINITY, f64::INFINITY);
    let shifts: Vec<Vec<Var>> =
        scop.statements.iter().map(|s| (0..s.depth()).map(|_| lp.variable(free.0, free.1, 0.0)).collect()).collect();
    #[allow(clippy::cast_precision_loss)]
    let float = |c: i64| c as f64;
    // `sign * F s`, and `sign * f`.
    let residual = |statement: usize, e: &Affine, sign: f64| {
        let terms: Vec<(Var, f64)> = shifts[statement]
            .iter()
            .zip(e.dim_coeffs())
            .filter(|(_, c)| **c != 0)
            .map(|(v, &c)| (*v, sign * float(c)))
            .collect();
        (terms, sign * float(e.coeffs()[column]))
    };
    let mut order: Vec<usize> = (0..scop.statements.len()).collect();
    order.sort_by(|&a, &b| scop.statements[a].beta.cmp(&scop.statements[b].beta));
    let mut place = vec![0; order.len()];
    for (k, &s) in order.iter().enumerate() {
        place[s] = k;
    }
    let mut seen = BTreeSet::new();
    for d in dependences.ordering.iter().chain(&dependences.reuse) {
        let mut key = [(place[d.source.0], d.source_access.0), (place[d.target.0], d.target_access.0)];
        key.sort();
        if d.source == d.target || !seen.insert(key) {
            continue;
        }
        let (Some(a), Some(b)) = (
            scop.statements[d.source.0].accesses.get(d.source_access.0),
            scop.statements[d.target.0].accesses.get(d.target_access.0),
        ) else {
            continue;
        };
        let same = a.is_alike(b, scop.statements[d.source.0].common_loops(&scop.statements[d.target.0]));
        for (row, (e, f)) in a.subscripts.iter().zip(&b.subscripts).enumerate() {
            let (mut terms, mut rhs) = residual(d.target.0, f, 1.0);
            let (more, rest) = residual(d.source.0, e, -1.0);
            terms.extend(more);
            rhs += rest;
            if !terms.is_empty() {
                let weight = if same { EDGE_SAME } else { EDGE };
                let own = lp::tie_break(&[0, key[0].0, key[0].1, key[1].0, key[1].1, row]);
                lp.magnitude(&terms, rhs, weight * own);
            }
        }
    }
    for &(a, b, k) in linked {
        lp.magnitude(
            &[(shifts[a][k], 1.0), (shifts[b][k], -1.0)],
            0.0,
            LINK * lp::tie_break(&[1, place[a].min(place[b]), place[a].max(place[b]), k]),
        );
    }
    let start = if column > 0 { START_AT_SIZE } else { START };
    for &k in &order {
        for (access, a) in scop.statements[k].accesses.iter().enumerate() {
            let weight = if a.kind.writes() { WRITE } else { READ };
            for (row, e) in a.subscripts.iter().enumerate() {
                let (terms, rhs) = residual(k, e, 1.0);
                if !terms.is_empty() {
                    lp.magnitude(&terms, rhs, weight * lp::tie_break(&[2, place[k], access, row]));
                }
            }
        }
        for (row, e) in starts[k].iter().enumerate() {
            let (terms, rhs) = residual(k, e, 1.0);
            lp.magnitude(&terms, rhs, start * lp::tie_break(&[3, place[k], row]));
        }
        for (d, v) in shifts[k].iter().enumerate() {
            lp.magnitude(&[(*v, 1.0)], 0.0, SIZE * lp::tie_break(&[4, place[k], d]));
        }
    }
    (lp, shifts)
}
