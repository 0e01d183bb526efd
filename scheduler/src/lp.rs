//! The floating-point LP and ILP solver behind one small face: HiGHS through `good_lp`, one thread, no clock.
//!
//! Nothing that comes out of here is believed: callers round to rationals ([`rational`]) and have the result judged exactly
//! ([`crate::legality::prove`]). So failure of any kind is `None`, "no solution found".
//!
//! Determinism: one thread, fixed seed (HiGHS's default), iteration and node limits instead of time limits.
//!
//! Price: rows and columns for putting the problem down, and then a part of them for every simplex iteration that was made, also in vain. An iteration
//! solves with the basis and updates its factors; both are sparse, so it touches a part of the rows only. The iteration limit is what the budget
//! has left: a large problem stops there and not after minutes.

use crate::Result;
use ::highs::{HighsModelStatus, HighsSolutionStatus};
use good_lp::solvers::highs::highs;
use good_lp::{Expression, ProblemVariables, SolverModel as _, Variable, variable};
use polyhedra::Budget;

/// Simplex iterations allowed for one solve.
const ITERATIONS: i32 = 20_000;
/// Without integer variables: as many as there are rows, and so many more. What has a solution takes less than 0.7 times its rows (measured on the examples); where HiGHS turns in circles
/// with iterations that are counted, each takes milliseconds (seen at 284 rows: 20,000 iterations, 40 seconds).
const MORE_ITERATIONS: i32 = 100;
/// The price of each iteration of a solve that has used up all it was allowed.
const IN_CIRCLES: u64 = 8;
/// An iteration costs one step for so many rows and columns: measured against the steps of exact arithmetic.
const ROWS_A_STEP: u64 = 8;
/// Rows and columns beyond which nothing is solved. HiGHS may turn in circles there, over rows that it cannot tell from infeasible ones, and it does not count
/// such turns as iterations, so that no limit ends them (seen at 4,000, 40 seconds for one problem; usual are less than a hundred). Not entries: how many
/// there are depends on where loops start.
const SIZE_MOST: u64 = 1_500;
/// Branch-and-bound nodes allowed for one solve.
const NODES: i32 = 200;
/// How far from the relaxed solution an integer one is looked for.
const INTEGER_REACH: f64 = 3.0;
/// Below this many rows presolve costs more than it saves (measured; see the table of solvers).
const PRESOLVE_FROM_ROWS: usize = 1000;

/// A variable of an [`Lp`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Var(usize);

/// How a row compares with its right-hand side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sense {
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
}

#[derive(PartialEq)]
struct Column {
    min: f64,
    max: f64,
    cost: f64,
    integer: bool,
    /// Where the solver's own variable is 0.
    origin: f64,
}

#[derive(PartialEq)]
struct Constraint {
    terms: Vec<(Var, f64)>,
    sense: Sense,
    rhs: f64,
}

/// `min cost . x` over rows and bounds.
#[derive(PartialEq, Default)]
pub(crate) struct Lp {
    columns: Vec<Column>,
    rows: Vec<Constraint>,
}

impl Lp {
    /// A variable in `[min, max]`; infinite bounds are allowed.
    pub(crate) fn variable(&mut self, min: f64, max: f64, cost: f64) -> Var {
        self.columns.push(Column { min, max, cost, integer: false, origin: 0.0 });
        Var(self.columns.len() - 1)
    }

    /// A row. Terms may repeat a variable.
    pub(crate) fn row(&mut self, terms: Vec<(Var, f64)>, sense: Sense, rhs: f64) {
        self.rows.push(Constraint { terms, sense, rhs });
    }

    /// Puts a price on `|terms - rhs|`: `terms - p + n = rhs` with `p, n >= 0`, one row where two inequalities would do as well. A single variable with
    /// coefficient 1 gets its two parts all the same, so that bounds on it stay where they are.
    pub(crate) fn magnitude(&mut self, terms: &[(Var, f64)], rhs: f64, cost: f64) {
        let above = self.variable(0.0, f64::INFINITY, cost);
        let below = self.variable(0.0, f64::INFINITY, cost);
        let mut row = terms.to_vec();
        row.extend([(above, -1.0), (below, 1.0)]);
        self.row(row, Sense::Equal, rhs);
    }

    /// Makes a variable integer, and looks for it near `centre` only: HiGHS walks over the domains of integer variables, so that wide ones take for ever. It counts them in 32 bits, so
    /// that those far from 0 do, too (shifts are multiples of `2^32` where indices wrap): the solver gets what is between the variable and the centre.
    pub(crate) fn integer_near(&mut self, v: Var, centre: f64) {
        let column = &mut self.columns[v.0];
        column.integer = true;
        column.origin = centre.round();
        column.min = column.min.max(centre.floor() - INTEGER_REACH);
        column.max = column.max.min(centre.ceil() + INTEGER_REACH);
    }

    /// Rows and columns.
    fn size(&self) -> u64 {
        (self.rows.len() + self.columns.len()) as u64
    }

    /// An optimal point, or `None`: infeasible, unbounded, out of limits or broken.
    ///
    /// # Errors
    /// Budget.
    pub(crate) fn solve(&self, budget: &Budget) -> Result<Option<Vec<f64>>> {
        self.solve_within(ITERATIONS, NODES, budget)
    }

    /// [`Lp::solve`] with these limits.
    fn solve_within(&self, most: i32, nodes: i32, budget: &Budget) -> Result<Option<Vec<f64>>> {
        budget.spend(self.size())?;
        if self.columns.is_empty() {
            let holds = |row: &Constraint| match row.sense {
                Sense::Equal => row.rhs == 0.0,
                Sense::AtLeast => row.rhs <= 0.0,
            };
            return Ok(self.rows.iter().all(holds).then(Vec::new));
        }
        if self.size() > SIZE_MOST {
            return Ok(None);
        }
        let one = 1 + self.size() / ROWS_A_STEP;
        let affordable = i32::try_from(budget.left() / one).unwrap_or(i32::MAX);
        let rows = i32::try_from(self.rows.len()).unwrap_or(i32::MAX);
        let enough =
            if self.columns.iter().any(|c| c.integer) { i32::MAX } else { rows.saturating_add(MORE_ITERATIONS) };
        let allowed = most.min(affordable).min(enough);
        let (mut iterations, point) = self.optimum(allowed, nodes);
        if point.is_none() {
            // Proofs that fail are no iterations either.
            iterations = iterations.max(self.rows.len() as u64);
        }
        if i32::try_from(iterations).is_ok_and(|made| made >= enough) {
            iterations = iterations.saturating_mul(IN_CIRCLES);
        }
        budget.spend(iterations.saturating_mul(one).min(budget.left()))?;
        Ok(point)
    }

    /// Iterations made, and the optimum. What HiGHS has in hand when it stops at a limit may be feasible; it is no answer all the same.
    fn optimum(&self, iterations: i32, nodes: i32) -> (u64, Option<Vec<f64>>) {
        let mut variables = ProblemVariables::new();
        let mut objective = Expression::from(0.0);
        let ids: Vec<Variable> = self
            .columns
            .iter()
            .map(|c| {
                let definition = variable().min(c.min - c.origin).max(c.max - c.origin);
                let v = variables.add(if c.integer { definition.integer() } else { definition });
                if c.cost != 0.0 {
                    objective.add_mul(c.cost, v);
                }
                v
            })
            .collect();
        let mut model = variables.minimise(objective).using(highs);
        for Constraint { terms, sense, rhs } in &self.rows {
            let mut e = Expression::from(0.0);
            let mut rhs = *rhs;
            for &(v, c) in terms {
                e.add_mul(c, ids[v.0]);
                rhs -= c * self.columns[v.0].origin;
            }
            model = model.with(match sense {
                Sense::Equal => e.eq(rhs),
                Sense::AtLeast => e.geq(rhs),
            });
        }
        // Not by `good_lp`'s own `solve`: that does not tell how many iterations were made.
        let Ok(mut model) = model.try_into_inner() else { return (0, None) };
        let presolve = if self.rows.len() < PRESOLVE_FROM_ROWS { "off" } else { "on" };
        model.set_option("threads", 1);
        model.set_option("presolve", presolve);
        model.set_option("simplex_iteration_limit", iterations);
        if self.columns.iter().any(|c| c.integer) {
            // Without a gap: the lower ranks of the objective are far below HiGHS's usual one.
            model.set_option("mip_max_nodes", nodes);
            model.set_option("mip_rel_gap", 0.0);
            model.set_option("mip_heuristic_run_feasibility_jump", false);
        }
        let Ok(solved) = model.try_solve() else { return (0, None) };
        let made = solved.int_info_value(c"simplex_iteration_count").ok().and_then(|n| u64::try_from(n).ok());
        let optimal = matches!(
            solved.status(),
            HighsModelStatus::Optimal | HighsModelStatus::ObjectiveBound | HighsModelStatus::ObjectiveTarget
        );
        // The binding panics where there is no solution at all to ask about.
        let feasible = optimal && solved.primal_solution_status() == HighsSolutionStatus::Feasible;
        let values = feasible.then(|| {
            let own = solved.get_solution();
            own.columns().iter().zip(&self.columns).map(|(x, c)| x + c.origin).collect::<Vec<f64>>()
        });
        (made.unwrap_or(0), values.filter(|v| v.len() == self.columns.len() && v.iter().all(|x| x.is_finite())))
    }
}

/// The value of a variable.
pub(crate) fn value(values: &[f64], v: Var) -> f64 {
    values.get(v.0).copied().unwrap_or(0.0)
}

/// A factor in `[1, 1.01)` that depends on `parts` only. Costs of equal rank, each multiplied by the factor of its own place, have one optimum where they
/// would have had several, and which one it is does not depend on the order in which the problem was put down.
pub(crate) fn tie_break(parts: &[usize]) -> f64 {
    let mix = |h: u64, p: &usize| (h ^ (*p as u64 + 0x9e37)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let hash = parts.iter().fold(0x5bd1_e995, mix);
    let step = u32::try_from((hash >> 16) % 997).unwrap_or(0);
    1.0 + f64::from(step) * 1e-5
}

/// Largest denominator looked for when a float is read as a rational.
const DENOMINATOR: i64 = 64;

/// The simplest `p / q` within `1e-6` of `x`, `q` at most [`DENOMINATOR`], by continued fractions.
pub(crate) fn rational(x: f64) -> Option<(i64, i64)> {
    if !x.is_finite() || x.abs() > 1e12 {
        return None;
    }
    let (mut p0, mut q0, mut p1, mut q1) = (0_i64, 1_i64, 1_i64, 0_i64);
    let mut rest = x;
    for _ in 0..24 {
        let whole = rest.floor();
        #[allow(clippy::cast_possible_truncation)] // |whole| <= 1e12 by the test above and by the one below
        let a = whole as i64;
        let p = a.checked_mul(p1)?.checked_add(p0)?;
        let q = a.checked_mul(q1)?.checked_add(q0)?;
        if q > DENOMINATOR {
            return None;
        }
        (p0, q0, p1, q1) = (p1, q1, p, q);
        #[allow(clippy::cast_precision_loss)]
        if (x - p1 as f64 / q1 as f64).abs() < 1e-6 {
            return Some((p1, q1));
        }
        rest = 1.0 / (rest - whole);
        if !rest.is_finite() || rest.abs() > 1e12 {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of `wide` entries each, all the same: the sum is at least 1.
    fn rows(count: usize, wide: usize) -> Lp {
        let mut lp = Lp::default();
        let x: Vec<Var> = (0..wide).map(|_| lp.variable(0.0, 10.0, 1.0)).collect();
        for _ in 0..count {
            lp.row(x.iter().map(|&v| (v, 1.0)).collect(), Sense::AtLeast, 1.0);
        }
        lp
    }

    #[test]
    fn leaves_large_problems_alone() {
        let budget = Budget::new(1_000_000);
        let most = usize::try_from(SIZE_MOST).expect("small") - 100;
        assert!(rows(most, 100).solve(&budget).is_ok_and(|point| point.is_some()));
        let before = budget.spent();
        assert_eq!(rows(most + 1, 100).solve(&budget), Ok(None));
        assert_eq!(budget.spent() - before, SIZE_MOST + 1, "what it took to put it down");
    }

    #[test]
    fn reads_rationals() {
        assert_eq!(rational(0.0), Some((0, 1)));
        assert_eq!(rational(-1.5), Some((-3, 2)));
        assert_eq!(rational(0.333_333_333_3), Some((1, 3)));
        assert_eq!(rational(2.999_999_999_9), Some((3, 1)));
        assert_eq!(rational(std::f64::consts::PI), None);
    }

    /// A random-looking problem that takes some iterations, with integers or without.
    fn knapsacks(integer: bool) -> Lp {
        let mut lp = Lp::default();
        let x: Vec<Var> = (0..30)
            .map(|k| lp.variable(0.0, 9.0, -tie_break(&[k]) - f64::from(u8::try_from(k % 5).unwrap_or(0))))
            .collect();
        for r in 0..20 {
            let terms = x.iter().enumerate().map(|(k, v)| (*v, -1.0 - (tie_break(&[k, r]) - 1.0) * 900.0)).collect();
            lp.row(terms, Sense::AtLeast, -97.0);
        }
        if integer {
            for v in x {
                lp.integer_near(v, 1.0);
            }
        }
        lp
    }

    /// Integers beyond 32 bits are found as others are: `x + y >= c + 1/2`, and `x - y` is odd.
    #[test]
    fn integers_far_from_zero() {
        for c in [0.0, 8.0, -8_589_934_592.0, 35_184_372_088_832.0] {
            let mut lp = Lp::default();
            let infinite = f64::INFINITY;
            let (x, y, half) = (
                lp.variable(-infinite, infinite, 1.0),
                lp.variable(-infinite, infinite, 1.1),
                lp.variable(-infinite, infinite, 0.0),
            );
            lp.row(vec![(x, 1.0), (y, 1.0)], Sense::AtLeast, 2.0 * c + 0.5);
            lp.row(vec![(x, 1.0), (y, -1.0), (half, -2.0)], Sense::Equal, 1.0);
            lp.row(vec![(y, 1.0)], Sense::AtLeast, c - 2.0);
            lp.row(vec![(x, 1.0)], Sense::AtLeast, c - 2.0);
            for (v, centre) in [(x, c + 0.3), (y, c - 0.3), (half, 0.2)] {
                lp.integer_near(v, centre);
            }
            let found = lp.solve(&Budget::generous()).expect("budget").expect("a point");
            assert_eq!(found.iter().map(|v| v.round()).collect::<Vec<_>>(), [c + 3.0, c - 2.0, 2.0], "{found:?}");
        }
    }

    /// A solve that reaches a limit gives nothing, not a point on the way: LPs by iterations, ILPs by nodes.
    #[test]
    fn limits_are_refusals() {
        let budget = Budget::generous();
        assert!(knapsacks(false).solve(&budget).expect("budget").is_some());
        assert_eq!(knapsacks(false).solve_within(1, NODES, &budget), Ok(None));
        assert_eq!(knapsacks(true).solve_within(ITERATIONS, 0, &budget), Ok(None));
    }

    /// Iterations are paid for; a budget that does not reach stops the solver.
    #[test]
    fn budgets_are_kept() {
        let lp = knapsacks(false);
        let budget = Budget::generous();
        assert!(lp.solve(&budget).expect("budget").is_some());
        let price = budget.spent();
        assert!(price > lp.size());
        assert!(lp.solve(&Budget::new(price + lp.size())).expect("enough").is_some());
        assert!(!matches!(lp.solve(&Budget::new(lp.size() + (price - lp.size()) / 2)), Ok(Some(_))));
        assert!(lp.solve(&Budget::new(lp.size() - 1)).is_err());
    }

    /// The first seed's system: `C l = c` has no solution, `W C l = c` has one, and `W^-1 c` has one in `C`.
    #[test]
    fn first_seed() {
        let c = [0, 0, 0, 0, -1, 0, 1, 1];
        let rows = [
            [1, 0, 0, -1, -1, 0, 0, 0, -1, -1, -1, 0, -1, 0, 1],
            [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0],
            [0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 1, 0, -1, 0],
            [0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 1, 0, -1],
            [0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, -1, 0, 1, 0],
            [0, 0, 0, 0, 0, 0, 1, -1, 0, -1, 0, 0, -1, 0, 1],
            [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, -1, 0, 1],
        ];
        let solve = |c: [i32; 8], shifted: bool| {
            let mut lp = Lp::default();
            let x: Vec<Var> = (0..15).map(|_| lp.variable(0.0, f64::INFINITY, 1.0)).collect();
            for (r, row) in rows.iter().enumerate() {
                let last = if shifted && r == 0 { Some(&rows[7]) } else { None };
                let terms = (0..15).map(|k| (x[k], f64::from(row[k] - last.map_or(0, |l| l[k])))).collect();
                lp.row(terms, Sense::Equal, f64::from(c[r]));
            }
            lp.solve(&Budget::generous()).expect("budget")
        };
        assert_eq!(solve(c, false), None);
        let found = solve(c, true).expect("feasible after the shift");
        for (k, v) in found.iter().enumerate() {
            assert!((v - f64::from(u8::from(k == 14))).abs() < 1e-9, "{found:?}");
        }
        assert!(solve([1, 0, 0, 0, -1, 0, 1, 1], false).is_some());
    }
}
