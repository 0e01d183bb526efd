//! Traversals as schedules.
//!
//! The first row of a traversed run is the step; inside, the planner finds rows as everywhere, and where it finds none the nests run in their own order, one
//! after the other, which is always legal. [`crate::legality::prove`] judges the whole in either case.

use super::engine::{Planner, Survey};
use super::ideals::{Ideal, Outcome};
use super::split::Split;
use super::theta::{Part, parts};
use crate::choose::words;
use crate::dependence::Dependences;
use crate::legality::{self, LegalSchedule, Verdict};
use crate::scop::{Scop, StatementId};
use crate::shift::Shifts;
use crate::tree::{Member, Node, Rows};
use crate::{Result, plan};
use polyhedra::{Affine, Budget};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How the rows below the first were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inside {
    /// By the planner.
    Planned,
    /// The order of the source, for some run: the planner found nothing.
    Source,
}

/// A traversal of a survey that has some.
#[derive(Clone, Copy, Debug)]
pub struct Pick<'s> {
    /// The survey.
    pub survey: &'s Survey,
    /// 0 is the laziest of its traversals, the last the eagerest.
    pub number: usize,
}

impl<'s> Pick<'s> {
    /// The laziest or the eagerest. `None`: there is no traversal.
    #[must_use]
    pub fn extreme(survey: &'s Survey, lazy: bool) -> Option<Self> {
        let last = survey.ideals().len().checked_sub(1)?;
        Some(Self { survey, number: if lazy { 0 } else { last } })
    }

    fn ideal(&self) -> Option<&'s Ideal> {
        self.survey.ideals().get(self.number)
    }
}

/// Runs of nests traversed, as a schedule. Nests outside of the runs keep their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traversal {
    /// Its number among those of its sweep, by run: 0 is the laziest, the last the eagerest.
    pub numbers: Vec<usize>,
    /// When the instances run: `Time[t]`, by statement of the part.
    pub parts: BTreeMap<StatementId, Vec<Part>>,
    /// The part that the schedule is for, where rows with minima or maxima made it necessary to split statements.
    pub split: Option<Split>,
    /// The proved schedule.
    pub schedule: LegalSchedule,
    /// How the inner rows were found.
    pub inside: Inside,
}

/// The part as the schedule sees it.
struct Own<'a> {
    scop: &'a Scop,
    dependences: &'a Dependences,
    shifts: Cow<'a, Shifts>,
    /// Its nests: those of the source, statements split where they are.
    nests: Vec<Vec<StatementId>>,
    /// Steps.
    thetas: BTreeMap<StatementId, Affine>,
    budget: &'a Budget,
}

impl Survey {
    /// Its traversals, the laziest first.
    #[must_use]
    pub fn ideals(&self) -> &[Ideal] {
        match &self.outcome {
            Outcome::Legal { ideals, .. } => ideals,
            Outcome::Blocked(_) => &[],
        }
    }

    /// Which of its traversals a tree is, whatever it does inside. `None`: none, or one that splits statements.
    ///
    /// # Errors
    /// Overflow.
    pub fn which(&self, tree: &Node) -> Result<Option<usize>> {
        if !shares_first_loop(tree, self.classes.frames.keys().copied()) {
            return Ok(None);
        }
        let rows = words::rows(tree);
        for (number, ideal) in self.ideals().iter().enumerate() {
            let mut shifts: BTreeSet<Option<Vec<i64>>> = BTreeSet::new();
            for (&s, frame) in &self.classes.frames {
                let parts = parts(s, frame, ideal, self.direction)?;
                shifts.insert(match (&parts[..], rows.get(&s).and_then(|rows| rows.first())) {
                    ([part], Some(row)) => constant_part(&row.sub(&part.theta)?),
                    _ => None,
                });
            }
            // The same steps, counted from another start.
            if shifts.len() == 1 && !shifts.contains(&None) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

/// The coefficients of constant and parameters of a form that has no others.
fn constant_part(form: &Affine) -> Option<Vec<i64>> {
    form.is_dim_free()
        .then(|| std::iter::once(form.constant_term()).chain(form.param_coeffs().iter().copied()).collect())
}

/// Are these statements below one band that is outermost?
fn shares_first_loop(tree: &Node, mut statements: impl Iterator<Item = StatementId> + Clone) -> bool {
    match tree {
        Node::Leaf(_) => false,
        Node::Band { members, .. } => {
            members.first().is_some_and(|member| statements.all(|s| member.rows.contains_key(&s)))
        }
        Node::Sequence(children) => children.iter().any(|child| shares_first_loop(child, statements.clone())),
    }
}

impl Planner<'_> {
    /// Runs of nests in traversals of their sweeps. The runs must not overlap. `None`: it cannot be proved.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn traversal(&self, picks: &[Pick<'_>]) -> Result<Option<Traversal>> {
        let mut steps: BTreeMap<StatementId, Vec<Part>> = BTreeMap::new();
        for pick in picks {
            let Some(ideal) = pick.ideal() else { return Ok(None) };
            for (&s, frame) in &pick.survey.classes.frames {
                steps.insert(s, parts(s, frame, ideal, pick.survey.direction)?);
            }
        }
        let split = Split::new(self.scop, &steps, self.budget)?;
        let own = self.own(&steps, split.as_ref());
        let mut inside = Inside::Planned;
        let mut found = Vec::new();
        for pick in picks {
            let planned = if self.plans_inside { own.planned(pick.survey.nests.clone()) } else { Ok(None) };
            // Whatever stopped the planner: the order of the source needs no luck. An empty budget shows again there.
            found.push(if let Ok(Some(node)) = planned {
                (pick.survey.nests.clone(), node)
            } else {
                inside = Inside::Source;
                (pick.survey.nests.clone(), own.in_source_order(pick.survey.nests.clone()))
            });
        }
        let Verdict::Legal(schedule) = legality::prove(own.scop, own.dependences, own.around(found), self.budget)?
        else {
            return Ok(None);
        };
        let numbers = picks.iter().map(|pick| pick.number).collect();
        Ok(Some(Traversal { numbers, parts: steps, split, schedule, inside }))
    }

    fn own<'o>(&'o self, steps: &BTreeMap<StatementId, Vec<Part>>, split: Option<&'o Split>) -> Own<'o> {
        let (scop, dependences) =
            split.map_or((self.scop, self.dependences), |split| (&split.scop, &split.dependences));
        let origin = |s: usize| split.map_or(StatementId(s), |split| split.origin[s]);
        let mut next: BTreeMap<StatementId, std::slice::Iter<'_, Part>> =
            steps.iter().map(|(&s, list)| (s, list.iter())).collect();
        let mut thetas = BTreeMap::new();
        for s in 0..scop.statements.len() {
            if let Some(part) = next.get_mut(&origin(s)).and_then(Iterator::next) {
                thetas.insert(StatementId(s), part.theta.clone());
            }
        }
        // A split statement without loops would count as several nests.
        let nest = |nest: &Vec<StatementId>| {
            let mut list: Vec<StatementId> =
                (0..scop.statements.len()).filter(|&s| nest.contains(&origin(s))).map(StatementId).collect();
            list.sort_by(|a, b| scop.statements[a.0].beta.cmp(&scop.statements[b.0].beta));
            list
        };
        let nests = self.nests().iter().map(nest).collect();
        let shifts = match split {
            Some(_) => Cow::Owned(Shifts::or_zero(scop, dependences, self.budget)),
            None => Cow::Borrowed(self.shifts()),
        };
        Own { scop, dependences, shifts, nests, thetas, budget: self.budget }
    }
}

impl Own<'_> {
    fn first(&self, run: Range<usize>) -> Rows {
        let own = |s: &StatementId| Some((*s, self.thetas.get(s)?.clone()));
        self.nests[run].iter().flatten().filter_map(own).collect()
    }

    /// The tree of a run by the planner. `None`: it found nothing that can be proved.
    fn planned(&self, run: Range<usize>) -> Result<Option<Node>> {
        let around = |inner: Node| self.around(vec![(run.clone(), inner)]);
        let first = self.first(run.clone());
        let shifts = self.shifts.clone().into_owned();
        let tree = plan::below(self.scop, self.dependences, shifts, &first, &around, self.budget)?;
        Ok(match tree {
            // All nests before the run stand on their own.
            Some(Node::Sequence(children)) if run.len() < self.nests.len() => children.into_iter().nth(run.start),
            tree => tree,
        })
    }

    /// Step, nest, order of the source: legal whenever the steps are.
    fn in_source_order(&self, run: Range<usize>) -> Node {
        let rows = self.first(run.clone());
        let mut children: Vec<Node> =
            self.nests[run].iter().map(|nest| legality::original_of(self.scop, nest)).collect();
        let child = if children.len() == 1 { children.remove(0) } else { Node::Sequence(children) };
        let member = Member::new(rows, true);
        Node::Band { members: vec![member], permutable: true, child: Box::new(child) }
    }

    /// All nests in their order, each run replaced by one tree.
    fn around(&self, mut runs: Vec<(Range<usize>, Node)>) -> Node {
        let mut children: Vec<Node> = Vec::new();
        let mut k = 0;
        while k < self.nests.len() {
            if let Some(at) = runs.iter().position(|(run, _)| run.start == k && !run.is_empty()) {
                let (run, node) = runs.swap_remove(at);
                children.push(node);
                k = run.end;
            } else {
                children.push(legality::original_of(self.scop, &self.nests[k]));
                k += 1;
            }
        }
        if children.len() == 1 { children.remove(0) } else { Node::Sequence(children) }
    }
}

/// What traversals there are for a planner that rates schedules.
#[derive(Clone, Default, Debug)]
pub struct Offer {
    /// Legal sweeps of the longest runs; backwards only where forwards is impossible, which would say the same twice.
    pub surveys: Vec<Survey>,
    /// The laziest and the eagerest traversal of every sweep, and of all runs that do not overlap at once. Those are left out that split statements: they
    /// are schedules of another part. To be put between the planner's own candidates and the source order, which stays the last.
    pub candidates: Vec<plan::Candidate>,
}

/// Looks for traversals to offer to [`crate::choose::choose`].
///
/// # Errors
/// Overflow, budget.
pub fn offer(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<Offer> {
    let mut planner = Planner::new(scop, dependences, budget);
    let mut out = Offer::default();
    for run in planner.runs()? {
        for survey in planner.survey(run)? {
            let twice = |other: &Survey| (&other.nests, &other.sweep) == (&survey.nests, &survey.sweep);
            if !survey.ideals().is_empty() && !out.surveys.iter().any(twice) {
                out.surveys.push(survey);
            }
        }
    }
    let all = apart(&mut planner)?;
    let together = if all.len() > 1 { &all[..] } else { &[] };
    for surveys in out.surveys.chunks(1).chain(Some(together).filter(|list| !list.is_empty())) {
        for lazy in [true, false] {
            let picks: Vec<Pick<'_>> = surveys.iter().filter_map(|survey| Pick::extreme(survey, lazy)).collect();
            let Some(t) = planner.traversal(&picks)?.filter(|t| t.split.is_none()) else { continue };
            if !out.candidates.iter().any(|c| c.schedule.tree() == t.schedule.tree()) {
                out.candidates.push(plan::traversal(scop, dependences, planner.shifts().clone(), t.schedule, budget)?);
            }
        }
    }
    Ok(out)
}

/// All nests that some sweep traverses, in as few runs as possible that do not overlap: each with its first sweep that has traversals.
fn apart(planner: &mut Planner<'_>) -> Result<Vec<Survey>> {
    let mut out: Vec<Survey> = Vec::new();
    let mut end = 0;
    for run in planner.runs()? {
        // What can be traversed can be in part.
        let rest = run.start.max(end)..run.end;
        end = rest.end;
        out.extend(planner.survey(rest)?.into_iter().find(|survey| !survey.ideals().is_empty()));
    }
    Ok(out)
}

/// All traversals of all longest runs of nests: each run and sweep with its traversals, the laziest first. What cannot be proved is left out.
///
/// # Errors
/// Overflow, budget.
pub fn traversals(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<Vec<(Survey, Vec<Traversal>)>> {
    let mut planner = Planner::new(scop, dependences, budget);
    let mut out = Vec::new();
    for run in planner.runs()? {
        for survey in planner.survey(run)? {
            if survey.ideals().is_empty() {
                continue;
            }
            let mut list = Vec::new();
            for number in 0..survey.ideals().len() {
                list.extend(planner.traversal(&[Pick { survey: &survey, number }])?);
            }
            out.push((survey, list));
        }
    }
    Ok(out)
}

/// The laziest or the eagerest traversal of as many runs as do not overlap, or the one of this number of the first run. `None`: there is no such.
///
/// # Errors
/// Overflow, budget.
pub fn wanted(scop: &Scop, dependences: &Dependences, wish: Wish, budget: &Budget) -> Result<Option<Traversal>> {
    let mut planner = Planner::new(scop, dependences, budget);
    let surveys = apart(&mut planner)?;
    let picks: Vec<Pick<'_>> = match wish {
        Wish::Lazy | Wish::Eager => {
            surveys.iter().filter_map(|survey| Pick::extreme(survey, wish == Wish::Lazy)).collect()
        }
        Wish::Number(number) => surveys.first().map(|survey| Pick { survey, number }).into_iter().collect(),
    };
    if picks.is_empty() { Ok(None) } else { planner.traversal(&picks) }
}

/// Which traversal somebody wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// The laziest.
    Lazy,
    /// The eagerest.
    Eager,
    /// By number.
    Number(usize),
}
