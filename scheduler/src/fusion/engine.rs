//! Fusion of nests: every legal traversal of a run of nests as a proved schedule.
//!
//! ```text
//! nests --sweeps--> coordinates --classes--> class graph --ideals--> rows --split, plan inside, prove--> Traversal
//! ```
//! **Worked example.** `A := chol(A)` right-looking: `P(k): A[k,k]`, `Q(k,i): A[i,k] /= A[k,k]`, `R(k,i,j): A[i,j] -= A[i,k] A[j,k]` for `k < j <= i`. The
//! dimensions of `A` go together. Coordinates: P `k`; Q `i, k`; R `i, j, k`. Free classes are Q behind in `k` only, R behind in `k`, R behind in `k` and `j`.
//! R reads what Q stores and Q what R stores, so the ideals are Q and R at `(i, i)`, `(k, j)`, `(k, k)`: bordered, left-looking, right-looking.
//!
//! Here are the surveys: what every sweep allows. The schedules are made in [`super::traversal`].

use super::answer::longest_runs;
use super::classes::{Arrow, Cause, Class, Classes, Tester, meeting, thorough};
use super::ideals::{Graph, Outcome};
use super::sweep::{Coordinates, Direction, Sweep, nests, sweeps};
use crate::Result;
use crate::dependence::Dependences;
use crate::scop::{Scop, StatementId};
use crate::shift::Shifts;
use polyhedra::{Budget, Constraint, Point, Polyhedron};
use std::cell::OnceCell;
use std::ops::Range;

/// One sweep of a run of nests, and what it allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// The nests.
    pub nests: Range<usize>,
    /// The dimensions that move together.
    pub sweep: Sweep,
    /// Which way.
    pub direction: Direction,
    /// Frames and arrows.
    pub classes: Classes,
    /// Its traversals, or what stands against them.
    pub outcome: Outcome,
}

/// A step of an explanation with a pair of instances that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The class that would be past already.
    pub from: Class,
    /// The class that has to be, then.
    pub to: Class,
    /// Why.
    pub cause: Cause,
    /// Values of the parameters; instance of the target, then of the source (for a move: one instance).
    pub point: Option<Point>,
}

/// Looks for traversals of the nests of a part.
pub struct Planner<'a> {
    pub(super) scop: &'a Scop,
    pub(super) dependences: &'a Dependences,
    pub(super) budget: &'a Budget,
    nests: Vec<Vec<StatementId>>,
    tester: Tester<'a>,
    /// Of the part, once somebody needs them.
    shifts: OnceCell<Shifts>,
    /// Look for rows inside. Only tests do not.
    pub(super) plans_inside: bool,
}

impl<'a> Planner<'a> {
    /// For a part and its dependences.
    #[must_use]
    pub fn new(scop: &'a Scop, dependences: &'a Dependences, budget: &'a Budget) -> Self {
        let tester = Tester::new(scop, dependences, budget);
        Self { scop, dependences, budget, nests: nests(scop), tester, shifts: OnceCell::new(), plans_inside: true }
    }

    /// Where the statements of the part have their origins.
    pub(super) fn shifts(&self) -> &Shifts {
        self.shifts.get_or_init(|| Shifts::or_zero(self.scop, self.dependences, self.budget))
    }

    /// As if the planner found nothing.
    #[cfg(test)]
    pub(super) fn without_inner_planning(&mut self) {
        self.plans_inside = false;
    }

    /// Every arrow between the classes of a survey, forwards.
    pub(super) fn all_arrows(&self, survey: &Survey) -> Result<Vec<Arrow>> {
        thorough(self.dependences, &survey.classes.frames, self.budget)
    }

    /// The nests, in source order.
    #[must_use]
    pub fn nests(&self) -> &[Vec<StatementId>] {
        &self.nests
    }

    /// Every sweep of some nests, both ways. Empty: no dimensions reach all statements, or one has too many coordinates.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn survey(&mut self, run: Range<usize>) -> Result<Vec<Survey>> {
        let nests = self.nests.get(run.clone()).unwrap_or_default();
        let mut out = Vec::new();
        for sweep in sweeps(self.scop, nests) {
            let coordinates: Coordinates =
                nests.iter().flatten().map(|&s| (s, sweep.coordinates(self.scop, s))).collect();
            let Ok(classes) = self.tester.classes(&coordinates)? else { continue };
            for direction in [Direction::Forward, Direction::Backward] {
                let outcome = Graph::new(&classes, direction, self.budget)?.outcome(self.budget)?;
                let (sweep, classes) = (sweep.clone(), classes.clone());
                out.push(Survey { nests: run.clone(), sweep, direction, classes, outcome });
            }
        }
        Ok(out)
    }

    /// The longest runs of nests that some sweep traverses; none lies within another.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn runs(&mut self) -> Result<Vec<Range<usize>>> {
        let fusable = |list: &[Survey]| list.iter().any(|s| matches!(s.outcome, Outcome::Legal { .. }));
        let all = 0..self.nests.len();
        if !all.is_empty() && fusable(&self.survey(all.clone())?) {
            return Ok(vec![all]);
        }
        longest_runs(self.nests.len(), |run| Ok(fusable(&self.survey(run)?)))
    }

    /// Sampled instances for every arrow of a path, in order.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn witnesses(&self, survey: &Survey) -> Result<Vec<Witness>> {
        let Outcome::Blocked(path) = &survey.outcome else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        for arrow in path {
            let set = self.meeting(survey, arrow.from, arrow.to, arrow.cause)?;
            let point = set.sample(self.budget)?;
            out.push(Witness { from: arrow.from, to: arrow.to, cause: arrow.cause, point });
        }
        Ok(out)
    }

    /// Does the witness show its arrow: a pair of instances of the dependence that are in the two classes at one time, or an instance that moves?
    ///
    /// # Errors
    /// Overflow.
    pub fn holds(&self, survey: &Survey, witness: &Witness) -> Result<bool> {
        let set = self.meeting(survey, witness.from, witness.to, witness.cause)?;
        match &witness.point {
            Some(p) => Ok(set.contains(&p.params, &p.dims)?),
            None => Ok(false),
        }
    }

    /// The instances that make an arrow, masks as they are in the survey's direction.
    fn meeting(&self, survey: &Survey, from: Class, to: Class, cause: Cause) -> Result<Polyhedron> {
        let frame = |c: Class| &survey.classes.frames[&c.statement];
        let forward = |c: Class| match survey.direction {
            Direction::Forward => c.mask,
            Direction::Backward => frame(c).full() & !c.mask,
        };
        match cause {
            Cause::Dependence(k) => {
                meeting(&self.dependences.ordering[k], (frame(to), forward(to)), (frame(from), forward(from)))
            }
            Cause::Move => {
                let mut set = self.scop.statements[from.statement.0].domain.clone();
                let coordinates = &frame(from).coordinates;
                for mask in [forward(from), forward(to)] {
                    for (a, one) in coordinates.iter().enumerate().filter(|(a, _)| mask >> a & 1 == 1) {
                        for (_, zero) in coordinates.iter().enumerate().filter(|(b, _)| *b != a && mask >> b & 1 == 0) {
                            set.add(Constraint::ge(zero.sub(one)?.offset(-1)?));
                        }
                    }
                }
                Ok(set)
            }
        }
    }
}
