//! Index matching: a level of a schedule read off the subscripts, without a solver.
//!
//! **Problem.** Find for each statement of a group one row `phi_g`, linearly independent of its rows so far, such that `theta_g(i) = phi_g . (i + s_g)`
//! (see [`crate::shift`] for `s`) never puts the target of a dependence before its source.
//!
//! **Idea.** If every statement runs cell by cell of what it stores, then statements that store and load one array meet cell by cell. So rows of the
//! store's index matrix come first ("orthogonalisation": in these coordinates the store is `A[j0, j1, ..]`), then rows that complete the rank: unit
//! rows and rows of loads, those first that many loads share. One statement, the deepest, chooses; the rows of the others follow through the equality rows of
//! the dependences: from `F_s i_s = F_t i_t` (offsets are gone after the shift), `phi_s = y F_s` gives `phi_t = y F_t`; and where both share source
//! loops and `phi_s` needs only these, the same row. A statement for which nothing follows has no reason to share the loop (its position against
//! the others would be an accident of where its loop starts); it chooses for itself only where the group cannot be split.
//!
//! **Signs.** Rows carry the direction of the array, whatever the direction of the source's loop was; a row that breaks a dependence of its own statement is
//! reversed.
//!
//! **Worked example.** `S0: A[m,n] = B[m,n]`, `S1: A[m,n] /= U[n,n]`, `S2: A[m,n+k+1] -= A[m,n] * U[n,n+k+1]`. S2 is deepest: its rows are `m`, `n + k`, and
//! `n` to complete them (two loads use it). `m` gives `m` and `m`; `n + k` gives `n` and `n`: all distances are 0 or positive. Then S0 and S1 have
//! no freedom left, and the planner goes on with S2 alone.
//!
//! Paper: the first seed document; LoopModels does the same with the store's rows only.

use crate::Result;
use crate::dependence::{Dependence, Dependences, distance};
use crate::linear::{combination, independent};
use crate::rows::{choices, loop_order};
use crate::scop::{Scop, StatementId};
use crate::shift::Shifts;
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// A row `phi . (i + s) + omega`, `omega` by its columns `[1 | N]` (empty means 0).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) phi: Vec<i64>,
    pub(crate) omega: Vec<i64>,
}

/// One level for a group of statements, and the edges (by position) that it exhausts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    pub(crate) rows: BTreeMap<StatementId, Row>,
    pub(crate) carried: Vec<usize>,
}

/// A dependence that the levels outside have not exhausted, cut with them. Twins (same ends, same relation) are left out.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// Index into [`Dependences::ordering`].
    pub(crate) dependence: usize,
    pub(crate) source: StatementId,
    pub(crate) target: StatementId,
    pub(crate) cut: Polyhedron,
}

/// Linear parts of the rows that each statement has so far.
pub(crate) type Done = BTreeMap<StatementId, Vec<Vec<i64>>>;

/// A question to the LP and its answer.
pub(crate) struct Solved {
    pub(crate) group: Vec<StatementId>,
    pub(crate) cuts: Vec<(usize, Polyhedron)>,
    pub(crate) done: Vec<Option<Vec<Vec<i64>>>>,
    pub(crate) freedom: crate::solve::Freedom,
    pub(crate) level: Option<Level>,
}

/// What planning works on.
pub(crate) struct Work<'a> {
    pub(crate) scop: &'a Scop,
    pub(crate) dependences: &'a Dependences,
    pub(crate) shifts: Shifts,
    pub(crate) budget: &'a Budget,
    /// Rows to try, by statement, best first.
    choices: Vec<Vec<Vec<i64>>>,
    /// The loops of each statement, see [`loop_order`].
    loops: Vec<Vec<usize>>,
    /// Levels that the LP was asked for before, with what it found.
    pub(crate) solved: RefCell<Vec<Solved>>,
    /// Solves so far.
    pub(crate) solves: Cell<usize>,
    /// Place of each statement in the source order.
    place: Vec<usize>,
    /// Pairs of statements with reads of the same cells inside common source loops.
    pub(crate) reused: BTreeSet<(StatementId, StatementId)>,
    /// Every dependence that constrains, twins left out.
    pub(crate) edges: Vec<Edge>,
}

/// What an exact look at a distance says.
pub(crate) enum Distance {
    /// Negative somewhere.
    Violated,
    /// Never negative.
    Kept,
    /// Positive everywhere.
    Carried,
}

impl<'a> Work<'a> {
    pub(crate) fn new(scop: &'a Scop, dependences: &'a Dependences, shifts: Shifts, budget: &'a Budget) -> Self {
        let mut order: Vec<usize> = (0..scop.statements.len()).collect();
        order.sort_by(|&a, &b| scop.statements[a].beta.cmp(&scop.statements[b].beta));
        let mut place = vec![0; order.len()];
        for (k, &s) in order.iter().enumerate() {
            place[s] = k;
        }
        let loops: Vec<Vec<usize>> = scop.statements.iter().map(loop_order).collect();
        let choices = scop.statements.iter().zip(&loops).map(|(s, order)| choices(s, order)).collect();
        let common = |(s, t): &(StatementId, StatementId)| scop.statements[s.0].common_loops(&scop.statements[t.0]) > 0;
        let reused = dependences.reuse.iter().map(|d| (d.source, d.target)).filter(common).collect();
        let edges = edges(dependences, &place);
        Self {
            scop,
            dependences,
            shifts,
            budget,
            choices,
            loops,
            solved: RefCell::default(),
            solves: Cell::new(0),
            place,
            reused,
            edges,
        }
    }

    pub(crate) fn place(&self, s: StatementId) -> usize {
        self.place[s.0]
    }

    pub(crate) fn choices(&self, s: StatementId) -> &[Vec<i64>] {
        &self.choices[s.0]
    }

    /// The loops of a statement in an order that does not depend on how the source nests them.
    pub(crate) fn loops(&self, s: StatementId) -> &[usize] {
        &self.loops[s.0]
    }

    /// Directions in which a statement is still free.
    pub(crate) fn remaining(&self, s: StatementId, done: &Done) -> usize {
        self.scop.statements[s.0].depth().saturating_sub(done.get(&s).map_or(0, |rows| rank(rows)))
    }

    /// The row as an affine expression of the statement.
    pub(crate) fn affine(&self, s: StatementId, row: &Row) -> Result<Affine> {
        self.shifts.row(self.scop.statements[s.0].space(), s, &row.phi, &row.omega)
    }

    /// `theta_t - theta_s` of an edge at a level that has rows for both ends.
    pub(crate) fn delta(&self, edge: &Edge, level: &BTreeMap<StatementId, Row>) -> Result<Option<Affine>> {
        let (Some(s), Some(t)) = (level.get(&edge.source), level.get(&edge.target)) else { return Ok(None) };
        let (s, t) = (self.affine(edge.source, s)?, self.affine(edge.target, t)?);
        Ok(Some(distance(edge.cut.space(), &s, &t)?))
    }

    /// Exact, cheap looks first.
    pub(crate) fn judge(&self, edge: &Edge, level: &BTreeMap<StatementId, Row>) -> Result<Distance> {
        let Some(delta) = self.delta(edge, level)? else { return Ok(Distance::Kept) };
        self.budget.spend(1)?;
        if obviously_negative(&delta, &edge.cut) {
            return Ok(Distance::Violated);
        }
        Ok(match polyhedra::farkas::prove_nonnegative(&delta, &edge.cut, self.budget)? {
            None => Distance::Violated,
            Some(c) if *c.constant.numer() > 0 => Distance::Carried,
            Some(_) => Distance::Kept,
        })
    }

    /// The first level, in the order of preference, that keeps every edge. See the module's text. `strangers`: a statement for which no row follows may
    /// choose for itself.
    pub(crate) fn match_level(
        &self,
        group: &[StatementId],
        edges: &[Edge],
        done: &Done,
        strangers: bool,
    ) -> Result<Option<Level>> {
        let members = self.by_freedom(group, done);
        let Some(&root) = members.first() else { return Ok(None) };
        for phi in self.own(root, done) {
            let forward = self.keeps_itself(root, phi, edges)?;
            let phi = if forward { phi.clone() } else { negated(phi) };
            if let Some(level) = self.grow(root, phi, &members, edges, done, strangers)? {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Own rows of a statement that are still of use.
    fn own<'b>(&'b self, s: StatementId, done: &'b Done) -> impl Iterator<Item = &'b Vec<i64>> {
        self.choices[s.0].iter().filter(move |phi| independent(done.get(&s).map_or(&[], Vec::as_slice), phi))
    }

    /// Starts with one row and lets the others follow. Greedy: what has been chosen stays.
    fn grow(
        &self,
        root: StatementId,
        phi: Vec<i64>,
        members: &[StatementId],
        edges: &[Edge],
        done: &Done,
        strangers: bool,
    ) -> Result<Option<Level>> {
        let mut level = Level::default();
        if !self.try_row(&mut level, root, phi, edges)? {
            return Ok(None);
        }
        while let Some(next) = next_linked(members, &level, edges) {
            let full = self.remaining(next, done) == 0;
            let rows = done.get(&next).map_or(&[][..], Vec::as_slice);
            let mut tries: Vec<Vec<i64>> = Vec::new();
            for phi in self.derived(next, &level, edges)? {
                if (full || independent(rows, &phi)) && !tries.contains(&phi) {
                    tries.push(phi);
                }
            }
            if tries.is_empty() && strangers {
                // Reversed only where the statement itself asks for it: else `-i` against `j` would be a sequence in disguise.
                for phi in self.own(next, done) {
                    let forward = self.keeps_itself(next, phi, edges)?;
                    tries.push(if forward { phi.clone() } else { negated(phi) });
                }
            }
            let mut found = false;
            for phi in tries {
                if self.try_row(&mut level, next, phi, edges)? {
                    found = true;
                    break;
                }
            }
            if !found {
                return Ok(None);
            }
        }
        Ok(Some(level))
    }

    /// One row for each statement of the group such that as many as possible follow from each other, legal or not: the directions that a level should have.
    /// Statements without freedom are left out. Also says for how many statements nothing follows.
    pub(crate) fn directions(
        &self,
        group: &[StatementId],
        edges: &[Edge],
        done: &Done,
    ) -> Result<(usize, BTreeMap<StatementId, Vec<i64>>)> {
        let members = self.by_freedom(group, done);
        let mut best: Option<(usize, BTreeMap<StatementId, Vec<i64>>)> = None;
        let Some(&root) = members.first() else { return Ok((0, BTreeMap::new())) };
        for phi in self.own(root, done) {
            let mut level = Level::default();
            level.rows.insert(root, Row { phi: phi.clone(), omega: Vec::new() });
            let mut strangers = 0;
            while let Some(next) = next_linked(&members, &level, edges) {
                let rows = done.get(&next).map_or(&[][..], Vec::as_slice);
                let full = self.remaining(next, done) == 0;
                let derived = self.derived(next, &level, edges)?;
                let phi = match derived.into_iter().find(|phi| full || independent(rows, phi)) {
                    Some(phi) => phi,
                    None => {
                        strangers += usize::from(!full);
                        self.own(next, done)
                            .next()
                            .cloned()
                            .unwrap_or_else(|| vec![0; self.scop.statements[next.0].depth()])
                    }
                };
                level.rows.insert(next, Row { phi, omega: Vec::new() });
            }
            if best.as_ref().is_none_or(|(n, _)| strangers < *n) {
                let open = level.rows.into_iter().filter(|(s, _)| self.remaining(*s, done) > 0);
                best = Some((strangers, open.map(|(s, row)| (s, row.phi)).collect()));
            }
        }
        Ok(best.unwrap_or_default())
    }

    /// Most freedom first, then source order.
    fn by_freedom(&self, group: &[StatementId], done: &Done) -> Vec<StatementId> {
        let mut members: Vec<StatementId> = group.to_vec();
        members.sort_by_key(|&s| (usize::MAX - self.remaining(s, done), self.place(s)));
        members
    }

    /// Does the row keep the statement's dependences on itself?
    fn keeps_itself(&self, s: StatementId, phi: &[i64], edges: &[Edge]) -> Result<bool> {
        let alone = BTreeMap::from([(s, Row { phi: phi.to_vec(), omega: Vec::new() })]);
        for e in edges.iter().filter(|e| e.source == s && e.target == s) {
            if matches!(self.judge(e, &alone)?, Distance::Violated) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds a row when every edge between it and the rows chosen before (and itself) is kept.
    fn try_row(&self, level: &mut Level, s: StatementId, phi: Vec<i64>, edges: &[Edge]) -> Result<bool> {
        level.rows.insert(s, Row { phi, omega: Vec::new() });
        let before = level.carried.len();
        for (k, e) in edges.iter().enumerate() {
            if e.source != s && e.target != s {
                continue;
            }
            match self.judge(e, &level.rows)? {
                Distance::Kept => {}
                Distance::Carried if level.rows.contains_key(&e.source) && level.rows.contains_key(&e.target) => {
                    level.carried.push(k);
                }
                Distance::Carried => {}
                Distance::Violated => {
                    level.rows.remove(&s);
                    level.carried.truncate(before);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Rows that follow for a statement from those chosen: through subscripts first, then through common source loops.
    fn derived(&self, s: StatementId, level: &Level, edges: &[Edge]) -> Result<Vec<Vec<i64>>> {
        let ours = &self.scop.statements[s.0];
        let mut out = Vec::new();
        // By place in the source, not by listing.
        let key = |d: &Dependence| {
            let mut ends = [(self.place(d.source), d.source_access), (self.place(d.target), d.target_access)];
            ends.sort();
            ends
        };
        let own = |d: &&Dependence| (d.source == s) != (d.target == s);
        let mut linked: Vec<&Dependence> =
            edges.iter().map(|e| &self.dependences.ordering[e.dependence]).filter(own).collect();
        linked.sort_by_key(|d| key(d));
        let mut shared: Vec<&Dependence> = self.dependences.reuse.iter().filter(own).collect();
        shared.sort_by_key(|d| key(d));
        for d in linked.into_iter().chain(shared) {
            let (other, other_access, own_access) = if d.source == s && d.target != s {
                (d.target, d.target_access, d.source_access)
            } else if d.target == s && d.source != s {
                (d.source, d.source_access, d.target_access)
            } else {
                continue;
            };
            let Some(known) = level.rows.get(&other) else { continue };
            let theirs = &self.scop.statements[other.0];
            let (Some(from), Some(to)) = (theirs.accesses.get(other_access.0), ours.accesses.get(own_access.0)) else {
                continue;
            };
            self.budget.spend(1)?;
            let rows: Vec<&[i64]> = from.subscripts.iter().map(Affine::dim_coeffs).collect();
            if let Some(y) = combination(&rows, &known.phi)
                && let Some(phi) = weighted(&y, &to.subscripts, ours.depth())
            {
                out.push(phi);
            }
        }
        let mut others: Vec<StatementId> = level.rows.keys().copied().collect();
        others.sort_by_key(|&o| self.place(o));
        for other in others {
            let phi = &level.rows[&other].phi;
            let common = self.scop.statements[other.0].common_loops(ours);
            if common > 0 && phi[common..].iter().all(|&c| c == 0) {
                let mut phi = phi[..common].to_vec();
                phi.resize(ours.depth(), 0);
                out.push(phi);
            }
        }
        Ok(out)
    }
}

/// Every dependence that constrains, twins left out, by places of the ends.
fn edges(dependences: &Dependences, place: &[usize]) -> Vec<Edge> {
    let mut between: BTreeMap<(usize, usize), Vec<Edge>> = BTreeMap::new();
    for (k, d) in dependences.ordering.iter().enumerate() {
        let known = between.entry((place[d.source.0], place[d.target.0])).or_default();
        if !known.iter().any(|e| e.cut == d.relation) {
            known.push(Edge { dependence: k, source: d.source, target: d.target, cut: d.relation.clone() });
        }
    }
    between.into_values().flatten().collect()
}

/// The next statement without a row: one that an edge links to those that have one, if possible.
fn next_linked(members: &[StatementId], level: &Level, edges: &[Edge]) -> Option<StatementId> {
    let has = |s: &StatementId| level.rows.contains_key(s);
    let linked = |s: &StatementId| {
        edges.iter().any(|e| (e.source == *s && has(&e.target)) || (e.target == *s && has(&e.source)))
    };
    let mut open = members.iter().copied().filter(|s| !has(s));
    open.clone().find(linked).or_else(|| open.next())
}

fn negated(phi: &[i64]) -> Vec<i64> {
    phi.iter().map(|c| c.saturating_neg()).collect()
}

fn rank(rows: &[Vec<i64>]) -> usize {
    let mut kept: Vec<Vec<i64>> = Vec::new();
    for row in rows {
        if independent(&kept, row) {
            kept.push(row.clone());
        }
    }
    kept.len()
}

/// `sum y_r row_r`, linear parts only.
fn weighted(y: &[i64], rows: &[Affine], depth: usize) -> Option<Vec<i64>> {
    let mut phi = vec![0_i64; depth];
    for (&factor, row) in y.iter().zip(rows) {
        for (p, &c) in phi.iter_mut().zip(row.dim_coeffs()) {
            *p = p.checked_add(factor.checked_mul(c)?)?;
        }
    }
    Some(phi)
}

/// Is there one row that already shows a point with a negative value? `delta = c - row` with `c < 0` and `row >= 0`, or `delta = c < 0`, on a set
/// that is not empty.
fn obviously_negative(delta: &Affine, set: &Polyhedron) -> bool {
    let (c, linear) = (delta.constant_term(), &delta.coeffs()[1..]);
    if linear.iter().all(|&x| x == 0) {
        return c < 0;
    }
    set.constraints().iter().any(|row: &Constraint| {
        let (k, own) = (row.expr.constant_term(), &row.expr.coeffs()[1..]);
        let opposite = own.iter().zip(linear).all(|(&a, &b)| a.checked_neg() == Some(b));
        let equal = row.kind == Kind::Eq && own == linear;
        (opposite && c.checked_add(k).is_some_and(|v| v < 0)) || (equal && c.checked_sub(k).is_some_and(|v| v < 0))
    })
}
