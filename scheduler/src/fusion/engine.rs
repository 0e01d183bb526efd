//! Fusion of nests: every legal traversal of a run of nests as a proved schedule.
//!
//! ```text
//! nests --sweeps--> coordinates --classes--> class graph --ideals--> rows --split, plan inside, prove--> Traversal
//! ```
//! **Worked example.** `A := chol(A)` right-looking: `P(k): A[k,k]`, `Q(k,i): A[i,k] /= A[k,k]`, `R(k,i,j): A[i,j] -= A[i,k] A[j,k]` for `k < j <= i`. The
//! dimensions of `A` go together. Coordinates: P `k`; Q `i, k`; R `i, j, k`. Free classes are Q behind in `k` only, R behind in `k`, R behind in `k` and `j`.
//! R reads what Q stores and Q what R stores, so the ideals are Q and R at `(i, i)`, `(k, j)`, `(k, k)`: bordered, left-looking, right-looking.
//!
//! The first row of every schedule is the step; inside, the planner finds rows as everywhere, and where it finds none the nests run in their own order, one
//! after the other, which is always legal. [`crate::legality::prove`] judges the whole in either case.

use super::answer::longest_runs;
use super::classes::{Arrow, Cause, Class, Classes, Tester, meeting, thorough};
use super::ideals::{Graph, Ideal, Outcome};
use super::split::Split;
use super::sweep::{Coordinates, Direction, Sweep, nests, sweeps};
use super::theta::{Part, parts};
use crate::dependence::Dependences;
use crate::legality::{self, LegalSchedule, Verdict};
use crate::scop::{Scop, StatementId};
use crate::tree::{Member, Node};
use crate::{Result, plan};
use polyhedra::{Affine, Budget, Constraint, Point, Polyhedron};
use std::collections::BTreeMap;
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

/// How the rows below the first were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inside {
    /// By the planner.
    Planned,
    /// The order of the source: the planner found nothing.
    Source,
}

/// A traversal as a schedule. Nests outside of the run keep their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traversal {
    /// Its number among those of its sweep: 0 is the laziest, the last the eagerest.
    pub number: usize,
    /// When the instances run: `Time[t]`, by statement of the part.
    pub parts: BTreeMap<StatementId, Vec<Part>>,
    /// The part that the schedule is for, where rows with minima or maxima made it necessary to split statements.
    pub split: Option<Split>,
    /// The proved schedule.
    pub schedule: LegalSchedule,
    /// How the inner rows were found.
    pub inside: Inside,
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
    scop: &'a Scop,
    dependences: &'a Dependences,
    budget: &'a Budget,
    nests: Vec<Vec<StatementId>>,
    tester: Tester<'a>,
    /// Look for rows inside. Only tests do not.
    plans_inside: bool,
}

impl<'a> Planner<'a> {
    /// For a part and its dependences.
    #[must_use]
    pub fn new(scop: &'a Scop, dependences: &'a Dependences, budget: &'a Budget) -> Self {
        let tester = Tester::new(scop, dependences, budget);
        Self { scop, dependences, budget, nests: nests(scop), tester, plans_inside: true }
    }

    /// As if the planner found nothing.
    #[cfg(test)]
    pub(super) fn without_inner_planning(&mut self) {
        self.plans_inside = false;
    }

    pub(super) fn scop(&self) -> &Scop {
        self.scop
    }

    /// Every arrow between the classes of a survey, forwards.
    pub(super) fn all_arrows(&self, survey: &Survey) -> Result<Vec<Arrow>> {
        thorough(self.dependences, &survey.classes.frames, self.budget)
    }

    pub(super) fn dependences(&self) -> &Dependences {
        self.dependences
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

    /// A traversal of a sweep as a schedule. `None`: it cannot be proved.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn traversal(&self, survey: &Survey, number: usize, ideal: &Ideal) -> Result<Option<Traversal>> {
        let own = |(&s, frame)| Ok((s, parts(s, frame, ideal, survey.direction)?));
        let parts: BTreeMap<StatementId, Vec<Part>> = survey.classes.frames.iter().map(own).collect::<Result<_>>()?;
        let split = Split::new(self.scop, &parts, self.budget)?;
        let (scop, dependences) = match &split {
            Some(split) => (&split.scop, &split.dependences),
            None => (self.scop, self.dependences),
        };
        let origin = |s: usize| split.as_ref().map_or(StatementId(s), |split| split.origin[s]);
        let mut thetas: BTreeMap<StatementId, std::slice::Iter<'_, Part>> =
            parts.iter().map(|(&s, list)| (s, list.iter())).collect();
        let mut first: BTreeMap<StatementId, Affine> = BTreeMap::new();
        for s in 0..scop.statements.len() {
            if let Some(part) = thetas.get_mut(&origin(s)).and_then(Iterator::next) {
                first.insert(StatementId(s), part.theta.clone());
            }
        }
        // The nests of the part, statements split where they are: a split statement without loops would otherwise count as several.
        let own = |nest: &Vec<StatementId>| {
            let mut list: Vec<StatementId> =
                (0..scop.statements.len()).filter(|&s| nest.contains(&origin(s))).map(StatementId).collect();
            list.sort_by(|a, b| scop.statements[a.0].beta.cmp(&scop.statements[b.0].beta));
            list
        };
        let every: Vec<Vec<StatementId>> = self.nests.iter().map(own).collect();
        let around = |inner: Node| around(scop, &every, &survey.nests, inner);
        let planned =
            if self.plans_inside { plan::below(scop, dependences, &first, &around, self.budget) } else { Ok(None) };
        let (schedule, inside) = match planned {
            Ok(Some(schedule)) => (schedule, Inside::Planned),
            // Whatever stopped the planner: the order of the source needs no luck. An empty budget shows again there.
            Ok(None) | Err(_) => {
                let tree = around(in_source_order(scop, &every[survey.nests.clone()], first));
                match legality::prove(scop, dependences, tree, self.budget)? {
                    Verdict::Legal(schedule) => (schedule, Inside::Source),
                    Verdict::Refused { .. } => return Ok(None),
                }
            }
        };
        Ok(Some(Traversal { number, parts, split, schedule, inside }))
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

/// The nests of the run replaced by one tree.
fn around(scop: &Scop, nests: &[Vec<StatementId>], run: &Range<usize>, inner: Node) -> Node {
    let mut children: Vec<Node> = Vec::new();
    let mut inner = Some(inner);
    for (k, nest) in nests.iter().enumerate() {
        if !run.contains(&k) {
            children.push(legality::original_of(scop, nest));
        } else if let Some(inner) = inner.take() {
            children.push(inner);
        }
    }
    if children.len() == 1 { children.remove(0) } else { Node::Sequence(children) }
}

/// Step, nest, order of the source: legal whenever the steps are.
fn in_source_order(scop: &Scop, nests: &[Vec<StatementId>], first: BTreeMap<StatementId, Affine>) -> Node {
    let mut children: Vec<Node> = nests.iter().map(|nest| legality::original_of(scop, nest)).collect();
    let child = if children.len() == 1 { children.remove(0) } else { Node::Sequence(children) };
    let member = Member { rows: first, parallel: true, tile: None };
    Node::Band { members: vec![member], permutable: true, child: Box::new(child) }
}

/// All traversals of all longest runs of nests, for a planner that rates schedules: each run and sweep with its traversals, the laziest first. What cannot be
/// proved is left out.
///
/// # Errors
/// Overflow, budget.
pub fn traversals(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<Vec<(Survey, Vec<Traversal>)>> {
    let mut planner = Planner::new(scop, dependences, budget);
    let mut out = Vec::new();
    for run in planner.runs()? {
        for survey in planner.survey(run)? {
            let Outcome::Legal { ideals, .. } = &survey.outcome else { continue };
            let mut list = Vec::new();
            for (k, ideal) in ideals.iter().enumerate() {
                list.extend(planner.traversal(&survey, k, ideal)?);
            }
            out.push((survey, list));
        }
    }
    Ok(out)
}

/// The laziest and the eagerest traversal of every sweep as candidates for [`crate::choose::choose`], those left out that split statements: they are schedules of
/// another part; and those backwards where forwards is possible, which say the same twice. To be put between the planner's own candidates and the source order, which stays the last.
///
/// # Errors
/// Overflow, budget.
pub fn candidates(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<Vec<plan::Candidate>> {
    let mut planner = Planner::new(scop, dependences, budget);
    let mut out: Vec<plan::Candidate> = Vec::new();
    for run in planner.runs()? {
        let mut forwards: Option<Sweep> = None;
        for survey in planner.survey(run)? {
            let Outcome::Legal { ideals, .. } = &survey.outcome else { continue };
            if forwards.as_ref() == Some(&survey.sweep) {
                continue;
            }
            forwards = Some(survey.sweep.clone());
            let ends = [0, ideals.len().saturating_sub(1)];
            for k in &ends[..ideals.len().min(2)] {
                let Some(t) = planner.traversal(&survey, *k, &ideals[*k])?.filter(|t| t.split.is_none()) else {
                    continue;
                };
                if !out.iter().any(|c| c.schedule.tree() == t.schedule.tree()) {
                    out.push(plan::traversal(scop, dependences, t.schedule, budget)?);
                }
            }
        }
    }
    Ok(out)
}
