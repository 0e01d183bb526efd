//! A level of a schedule by linear programming, where index matching finds none: stencils inside time loops, fusion with a delay.
//!
//! **Problem.** Unknown `phi_g`, `omega_g` for a group of statements with `delta_e = theta_t - theta_s >= 0` on every edge's relation, each `phi_g`
//! linearly independent of the statement's rows so far, as local as possible.
//!
//! **Notation.** Columns `[1 | N | i_t | i_s]`. `theta_g(i) = phi_g . (i + s_g) + omega_g`.
//!
//! **Method.** Farkas: `delta_e >= 0` on `{ row_r >= 0 }` iff `delta_e = l_0 + sum l_r row_r` with `l >= 0`. Equality rows with a unit coefficient are first
//! used to drop columns, so that few multipliers remain. `Δomega = 0` is not asked for but bought: its price outweighs the rest, so one solve serves
//! both questions. A second set of multipliers says `u . N + w - delta_e >= 0`; least `sum |Δomega|` first, then `u`,
//! then `w`, then the size of `phi` (PLUTO's objective after the seed's). Negative coefficients are allowed. Independence: for a basis
//! `h` of the directions left, oriented along the rows that index matching would use, `h . phi >= 0` each and at least 1 for the first; should that fail, at
//! least 1 together; then with all orientations reversed. The optimum is read as rationals and scaled by one factor for the whole level; every edge is then judged
//! exactly, so a wrong digit costs a schedule and never a program.
//!
//! **Worked example.** `for t for i: A[i] = A[i-1] + A[i] + A[i+1]`: row `t` first; the second row `(a, b)` needs `a - b >= 0` (distance `(1, -1)`),
//! `b >= 0` (`(0, 1)`), and `b >= 1` for independence: `t + i`.
//!
//! Paper: Feautrier 1992; Bondhugula et al., *A practical automatic polyhedral parallelizer* (PLDI 2008).

use crate::Result;
use crate::linear::{independent, null_space};
use crate::lp::{self, Lp, Sense, Var};
use crate::matching::{Distance, Done, Edge, Level, Row, Solved, Work};
use crate::scop::StatementId;
use polyhedra::{Kind, Polyhedron};
use std::collections::BTreeMap;

/// Price list of the objective. Lexicographic in spirit: a step of one costs more than what the next can save in nests of sensible size.
mod price {
    pub(super) const OMEGA: f64 = 10_000.0;
    pub(super) const OMEGA_PARAM: f64 = 100_000.0;
    /// Above a few steps of `OMEGA`: a distance that grows with a parameter, bought to save a constant, is no bargain.
    pub(super) const GROWTH: f64 = 50_000.0;
    pub(super) const DISTANCE: f64 = 40.0;
    pub(super) const PHI: f64 = 1.0;
    pub(super) const INNER: f64 = 0.01;
    pub(super) const SIZE: f64 = 0.001;
}

/// Coefficients of iterators are looked for in this range.
const PHI_MOST: f64 = 16.0;
/// Levels of one part that the solver is asked for at most, over all strategies.
const SOLVES_MOST: usize = 120;
/// Systems with more multipliers than this are not tried.
const MULTIPLIERS_MOST: usize = 6_000;

/// Which constants the level may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Freedom {
    /// `omega` is a free integer; a price makes it 0 where it can be.
    Constant,
    /// `omega` is a free affine form of the parameters.
    Affine,
}

/// How a row is made independent. `h`: a basis of the directions left, oriented along the rows that index matching would use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Orientation {
    /// `h . phi >= 0` for all, at least 1 for the `h` of the preferred direction: integer optima nearly always.
    First,
    /// `h . phi >= 0` for all, together at least 1.
    Together,
    /// The same with `-h`.
    Reversed,
}

/// A relation with columns dropped: full column `c` is `map[c] . reduced columns`, rows are over reduced columns (same indices, dropped ones 0).
struct Reduced {
    map: Vec<Vec<i64>>,
    rows: Vec<(Kind, Vec<i64>)>,
    kept: Vec<usize>,
}

fn reduce(set: &Polyhedron) -> Option<Reduced> {
    let columns = set.space().columns();
    let first_dim = columns - set.space().dims;
    let mut rows: Vec<(Kind, Vec<i64>)> =
        set.constraints().iter().map(|c| (c.kind, c.expr.coeffs().to_vec())).collect();
    let mut map: Vec<Vec<i64>> = (0..columns).map(|c| (0..columns).map(|k| i64::from(k == c)).collect()).collect();
    let mut dropped = vec![false; columns];
    let subtract = |row: &mut Vec<i64>, e: &[i64], c: usize| -> Option<()> {
        // x_c = -e[c] * (e - e[c] x_c), as e[c] is 1 or -1.
        let factor = row[c].checked_mul(e[c])?;
        if factor != 0 {
            for (x, &y) in row.iter_mut().zip(e) {
                *x = x.checked_sub(factor.checked_mul(y)?)?;
            }
        }
        Some(())
    };
    loop {
        let unit = |e: &[i64]| (first_dim..columns).find(|&c| e[c] == 1 || e[c] == -1);
        let Some((r, c)) =
            rows.iter().enumerate().find_map(|(r, (k, e))| (*k == Kind::Eq).then(|| unit(e)).flatten().map(|c| (r, c)))
        else {
            break;
        };
        let (_, e) = rows.remove(r);
        for (_, row) in &mut rows {
            subtract(row, &e, c)?;
        }
        for row in &mut map {
            subtract(row, &e, c)?;
        }
        dropped[c] = true;
    }
    rows.retain(|(_, e)| e[1..].iter().any(|&x| x != 0));
    rows.sort();
    rows.dedup();
    // Of rows with the same direction the one with the least constant implies the others.
    rows.dedup_by(|b, a| a.0 == Kind::Ge && b.0 == Kind::Ge && a.1[1..] == b.1[1..]);
    let kept = (0..columns).filter(|&c| !dropped[c]).collect();
    Some(Reduced { map, rows, kept })
}

/// The unknowns of one statement.
struct Unknowns {
    phi: Vec<Var>,
    omega: Vec<Option<Var>>,
}

#[allow(clippy::cast_precision_loss)]
fn float(c: i64) -> f64 {
    c as f64
}

impl Work<'_> {
    /// A level that keeps every edge, with rows independent of `done` wherever a statement has freedom left.
    pub(crate) fn solve_level(
        &self,
        group: &[StatementId],
        edges: &[Edge],
        done: &Done,
        freedom: Freedom,
        strangers: bool,
    ) -> Result<Option<Level>> {
        let cuts: Vec<(usize, Polyhedron)> = edges.iter().map(|e| (e.dependence, e.cut.clone())).collect();
        let rows: Vec<Option<Vec<Vec<i64>>>> = group.iter().map(|s| done.get(s).cloned()).collect();
        let known = self.solved.borrow().iter().find_map(|k| {
            (k.group == group && k.done == rows && k.freedom == freedom && k.cuts == cuts).then(|| k.level.clone())
        });
        if let Some(level) = known {
            return Ok(level);
        }
        let (unrelated, directions) = self.directions(group, edges, done)?;
        let level = if unrelated > 0 && !strangers {
            None
        } else {
            self.solve_afresh(group, edges, done, freedom, &directions)?
        };
        let answer = Solved { group: group.to_vec(), cuts, done: rows, freedom, level: level.clone() };
        self.solved.borrow_mut().push(answer);
        Ok(level)
    }

    fn solve_afresh(
        &self,
        group: &[StatementId],
        edges: &[Edge],
        done: &Done,
        freedom: Freedom,
        directions: &BTreeMap<StatementId, Vec<i64>>,
    ) -> Result<Option<Level>> {
        let Some(reduced) = edges.iter().map(|e| reduce(&e.cut)).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let multipliers: usize = reduced.iter().map(|r| 2 * (r.rows.len() + 1)).sum();
        self.budget.spend(multipliers as u64)?;
        if multipliers > MULTIPLIERS_MOST {
            return Ok(None);
        }
        let mut before: Option<Lp> = None;
        for orientation in [Orientation::First, Orientation::Together, Orientation::Reversed] {
            let (lp, unknowns) = self.level_problem(group, edges, &reduced, done, freedom, (orientation, directions));
            // With one direction left everywhere the first two are the same.
            if before.as_ref() == Some(&lp) {
                continue;
            }
            if self.solves.replace(self.solves.get() + 1) >= SOLVES_MOST {
                return Ok(None);
            }
            let values = lp.solve(self.budget)?;
            before = Some(lp);
            let Some(values) = values else { continue };
            let Some(rows) = read(&values, &unknowns) else { continue };
            if let Some(level) = self.accept(rows, edges, done)? {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Exact: every edge is kept, every row is of use.
    fn accept(&self, rows: BTreeMap<StatementId, Row>, edges: &[Edge], done: &Done) -> Result<Option<Level>> {
        for (s, row) in &rows {
            let before = done.get(s).map_or(&[][..], Vec::as_slice);
            if self.remaining(*s, done) > 0 && !independent(before, &row.phi) {
                return Ok(None);
            }
        }
        let mut carried = Vec::new();
        for (k, e) in edges.iter().enumerate() {
            match self.judge(e, &rows)? {
                Distance::Violated => return Ok(None),
                Distance::Kept => {}
                Distance::Carried => carried.push(k),
            }
        }
        Ok(Some(Level { rows, carried }))
    }

    fn level_problem(
        &self,
        group: &[StatementId],
        edges: &[Edge],
        reduced: &[Reduced],
        done: &Done,
        freedom: Freedom,
        (orientation, directions): (Orientation, &BTreeMap<StatementId, Vec<i64>>),
    ) -> (Lp, BTreeMap<StatementId, Unknowns>) {
        let params = self.scop.params.len();
        let mut lp = Lp::default();
        let mut unknowns = BTreeMap::new();
        for &s in group {
            let depth = self.scop.statements[s.0].depth();
            let phi: Vec<Var> = (0..depth).map(|_| lp.variable(-PHI_MOST, PHI_MOST, 0.0)).collect();
            for (k, &d) in self.loops(s).iter().enumerate() {
                let inner = price::INNER * float(i64::try_from(k).unwrap_or(0));
                lp.magnitude(&[(phi[d], 1.0)], 0.0, (price::PHI + inner) * lp::tie_break(&[5, self.place(s), k]));
            }
            let omega = (0..=params)
                .map(|c| {
                    let wanted = match freedom {
                        Freedom::Constant => c == 0,
                        Freedom::Affine => true,
                    };
                    wanted.then(|| {
                        let v = lp.variable(f64::NEG_INFINITY, f64::INFINITY, 0.0);
                        lp.magnitude(&[(v, 1.0)], 0.0, price::SIZE * lp::tie_break(&[6, self.place(s), c]));
                        v
                    })
                })
                .collect();
            self.independence(&mut lp, s, &phi, done, orientation, directions.get(&s));
            unknowns.insert(s, Unknowns { phi, omega });
        }
        let growth: Vec<Var> = (0..params).map(|_| lp.variable(0.0, f64::INFINITY, price::GROWTH)).collect();
        let most = lp.variable(0.0, f64::INFINITY, price::DISTANCE);
        let mut priced: Vec<(StatementId, StatementId)> = Vec::new();
        for (e, r) in edges.iter().zip(reduced) {
            let (Some(source), Some(target)) = (unknowns.get(&e.source), unknowns.get(&e.target)) else { continue };
            // Full column -> terms of delta.
            let mut delta: Vec<Vec<(Var, f64)>> = vec![Vec::new(); e.cut.space().columns()];
            let mut place = 1 + params;
            for (s, who, sign) in [(e.target, target, 1.0), (e.source, source, -1.0)] {
                for (k, v) in who.phi.iter().enumerate() {
                    delta[place].push((*v, sign));
                    place += 1;
                    for (c, &shift) in self.shifts.shift(s, k).iter().enumerate() {
                        if shift != 0 {
                            delta[c].push((*v, sign * float(shift)));
                        }
                    }
                }
                for (c, v) in who.omega.iter().enumerate() {
                    if let Some(v) = v {
                        delta[c].push((*v, sign));
                    }
                }
            }
            // delta - l_0 - sum l_r row_r = 0, and u.N + w - delta - m_0 - sum m_r row_r = 0, column by column.
            let mut farkas = |sign: f64, extra: &dyn Fn(usize) -> Vec<(Var, f64)>| {
                let slack = lp.variable(0.0, f64::INFINITY, 0.0);
                let multipliers: Vec<Var> = r
                    .rows
                    .iter()
                    .map(|(kind, _)| {
                        let min = if *kind == Kind::Eq { f64::NEG_INFINITY } else { 0.0 };
                        lp.variable(min, f64::INFINITY, 0.0)
                    })
                    .collect();
                for &c in &r.kept {
                    let mut terms: Vec<(Var, f64)> = extra(c);
                    for (full, own) in delta.iter().enumerate() {
                        let factor = r.map[full][c];
                        if factor != 0 {
                            terms.extend(own.iter().map(|&(v, x)| (v, sign * x * float(factor))));
                        }
                    }
                    if c == 0 {
                        terms.push((slack, -1.0));
                    }
                    for (m, (_, row)) in multipliers.iter().zip(&r.rows) {
                        if row[c] != 0 {
                            terms.push((*m, -float(row[c])));
                        }
                    }
                    lp.row(terms, Sense::Equal, 0.0);
                }
            };
            farkas(1.0, &|_| Vec::new());
            farkas(-1.0, &|c| match c {
                0 => vec![(most, 1.0)],
                c if c <= params => vec![(growth[c - 1], 1.0)],
                _ => Vec::new(),
            });
            let pair = (e.source.min(e.target), e.source.max(e.target));
            if e.source != e.target && !priced.contains(&pair) {
                priced.push(pair);
                for (c, (a, b)) in source.omega.iter().zip(&target.omega).enumerate() {
                    if let (Some(a), Some(b)) = (a, b) {
                        let cost = if c == 0 { price::OMEGA } else { price::OMEGA_PARAM };
                        let (x, y) = (self.place(pair.0), self.place(pair.1));
                        let own = lp::tie_break(&[7, x.min(y), x.max(y), c]);
                        lp.magnitude(&[(*a, 1.0), (*b, -1.0)], 0.0, cost * own);
                    }
                }
            }
        }
        (lp, unknowns)
    }

    /// A basis of the directions that rows leave, found and listed in the order of [`Work::loops`].
    fn directions_left(&self, s: StatementId, rows: &[Vec<i64>]) -> Vec<Vec<i64>> {
        let order = self.loops(s);
        let ordered: Vec<Vec<i64>> = rows.iter().map(|r| order.iter().map(|&d| r[d]).collect()).collect();
        let back = |h: Vec<i64>| {
            let mut out = vec![0; h.len()];
            for (&d, c) in order.iter().zip(h) {
                out[d] = c;
            }
            out
        };
        null_space(&ordered, order.len()).into_iter().map(back).collect()
    }

    fn independence(
        &self,
        lp: &mut Lp,
        s: StatementId,
        phi: &[Var],
        done: &Done,
        orientation: Orientation,
        direction: Option<&Vec<i64>>,
    ) {
        let rows = done.get(&s).map_or(&[][..], Vec::as_slice);
        let dot =
            |a: &[i64], b: &[i64]| a.iter().zip(b).fold(0_i64, |x, (p, q)| x.saturating_add(p.saturating_mul(*q)));
        let basis = self.directions_left(s, rows);
        let best = direction.or_else(|| self.choices(s).iter().find(|c| basis.iter().any(|h| dot(c, h) != 0)));
        let mut together = Vec::new();
        for h in &basis {
            let along = direction.into_iter().chain(self.choices(s)).map(|c| dot(c, h)).find(|d| *d != 0).unwrap_or(1);
            let sign = if orientation == Orientation::Reversed { -along.signum() } else { along.signum() };
            let terms: Vec<(Var, f64)> =
                phi.iter().zip(h).filter(|(_, c)| **c != 0).map(|(v, &c)| (*v, float(sign * c))).collect();
            lp.row(terms.clone(), Sense::AtLeast, 0.0);
            if orientation != Orientation::First {
                together.extend(terms);
            } else if together.is_empty() && best.is_some_and(|c| dot(c, h) != 0) {
                together = terms;
            }
        }
        if !together.is_empty() {
            lp.row(together, Sense::AtLeast, 1.0);
        }
    }
}

/// Rationals, then integers by one common factor for all statements.
fn read(values: &[f64], unknowns: &BTreeMap<StatementId, Unknowns>) -> Option<BTreeMap<StatementId, Row>> {
    let mut scale = 1_i64;
    let mut raw = Vec::new();
    for (s, u) in unknowns {
        let phi = u.phi.iter().map(|v| lp::rational(lp::value(values, *v))).collect::<Option<Vec<_>>>()?;
        let omega = u
            .omega
            .iter()
            .map(|v| v.map_or(Some((0, 1)), |v| lp::rational(lp::value(values, v))))
            .collect::<Option<Vec<_>>>()?;
        for &(_, q) in phi.iter().chain(&omega) {
            let (mut a, mut b) = (scale, q);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            scale = (scale / a).checked_mul(q).filter(|x| *x <= 10_000)?;
        }
        raw.push((*s, phi, omega));
    }
    let whole =
        |list: Vec<(i64, i64)>| list.into_iter().map(|(p, q)| p.checked_mul(scale / q)).collect::<Option<Vec<i64>>>();
    raw.into_iter().map(|(s, phi, omega)| Some((s, Row { phi: whole(phi)?, omega: whole(omega)? }))).collect()
}
