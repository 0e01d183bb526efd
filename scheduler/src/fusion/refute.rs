//! Why a sequence cannot be fused: a refutation that anybody can check.
//!
//! A refutation is a list of steps - a rule, and a literal that all branches have that are left by the steps before - and an end: a rule that has no branch left, or
//! a task that leads to a refutation whether it is past or future. [`Refutation::holds`] checks it with nothing but the rules. Steps that are not needed
//! are left out.

use super::problem::{Problem, TaskKind};
use super::rules::{Literal, Origin, Rule, TaskId, rules};
use super::search::{Board, Truth};
use crate::{Error, Result};
use polyhedra::Budget;
use std::fmt::Write as _;

/// From rules to a contradiction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// What follows, and by which rule (index into [`rules`]).
    pub steps: Vec<(usize, Literal)>,
    /// How it ends.
    pub end: End,
}

/// How a list of steps ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// This rule has no branch left.
    Contradiction(usize),
    /// The task leads to a contradiction both ways.
    Cases {
        /// The task.
        task: TaskId,
        /// If it is past.
        past: Box<Refutation>,
        /// If it is future.
        future: Box<Refutation>,
    },
}

/// The refutation of a problem that has no solution.
///
/// # Errors
/// Malformed problem, budget; a problem that has a solution.
pub(super) fn refute(problem: &Problem, budget: &Budget) -> Result<Refutation> {
    let rules = rules(problem)?;
    let mut board = Board::new(problem, &rules);
    let conflict = board.propagate_all(budget)?;
    let mut out = continued(&mut board, 0, conflict.map(|c| c.0), budget)?;
    out.shorten(problem, budget)?;
    Ok(out)
}

/// The refutation from here on; `start`: where its steps begin in the board's log.
fn continued(board: &mut Board<'_>, start: usize, conflict: Option<usize>, budget: &Budget) -> Result<Refutation> {
    let steps = board.log[start..].to_vec();
    let end = if let Some(rule) = conflict {
        End::Contradiction(rule)
    } else {
        let Some(task) = board.open_task() else { return Err(Error::Problem("it can be fused".into())) };
        let mut case = |literal: Literal| {
            let mark = board.mark();
            let conflict = board.assume(literal, budget)?;
            let out = continued(board, mark.1, conflict.map(|c| c.0), budget)?;
            board.undo(mark);
            Ok::<_, Error>(out)
        };
        let past = case(Literal::Past(task))?;
        let future = case(Literal::Future(task))?;
        End::Cases { task, past: Box::new(past), future: Box::new(future) }
    };
    Ok(Refutation { steps, end })
}

impl Refutation {
    /// Does it follow from the rules of the problem that there is no solution? Linear in the refutation.
    ///
    /// # Errors
    /// Malformed problem, budget.
    pub fn holds(&self, problem: &Problem, budget: &Budget) -> Result<bool> {
        let rules = rules(problem)?;
        self.follows(&mut Board::new(problem, &rules), budget)
    }

    fn follows(&self, board: &mut Board<'_>, budget: &Budget) -> Result<bool> {
        for (rule, literal) in &self.steps {
            budget.spend(1)?;
            let Some(rule) = board.rules.get(*rule) else { return Ok(false) };
            match board.forced(rule) {
                None => return Ok(true),
                Some(forced) if forced.contains(literal) => {
                    board.set(*literal);
                }
                Some(_) if board.truth(*literal) == Truth::True => {}
                Some(_) => return Ok(false),
            }
        }
        match &self.end {
            End::Contradiction(rule) => Ok(board.rules.get(*rule).is_some_and(|r| board.forced(r).is_none())),
            End::Cases { task, past, future } => {
                for (literal, case) in [(Literal::Past(*task), past), (Literal::Future(*task), future)] {
                    let mark = board.mark();
                    if board.truth(literal) == Truth::Open {
                        board.set(literal);
                    }
                    let holds = board.truth(literal) == Truth::False || case.follows(board, budget)?;
                    board.undo(mark);
                    if !holds {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// Leaves out every step without which the rest still holds, from the last to the first.
    fn shorten(&mut self, problem: &Problem, budget: &Budget) -> Result<()> {
        let rules = rules(problem)?;
        let mut paths = Vec::new();
        self.places(&mut Vec::new(), &mut paths);
        for (path, k) in paths.into_iter().rev() {
            let mut shorter = self.clone();
            if let Some(part) = shorter.part(&path) {
                part.steps.remove(k);
            }
            if shorter.follows(&mut Board::new(problem, &rules), budget)? {
                *self = shorter;
            }
        }
        Ok(())
    }

    /// Every step: the cases that lead to it, and its number there.
    fn places(&self, path: &mut Vec<bool>, out: &mut Vec<(Vec<bool>, usize)>) {
        out.extend((0..self.steps.len()).map(|k| (path.clone(), k)));
        if let End::Cases { past, future, .. } = &self.end {
            for (is_past, case) in [(true, past), (false, future)] {
                path.push(is_past);
                case.places(path, out);
                path.pop();
            }
        }
    }

    fn part(&mut self, path: &[bool]) -> Option<&mut Self> {
        let Some((&is_past, rest)) = path.split_first() else { return Some(self) };
        match &mut self.end {
            End::Contradiction(_) => None,
            End::Cases { past, future, .. } => if is_past { past } else { future }.part(rest),
        }
    }

    /// In words, a line a step; cases are indented.
    ///
    /// # Errors
    /// Malformed problem.
    pub fn print(&self, problem: &Problem) -> Result<String> {
        let rules = rules(problem)?;
        let mut out = String::new();
        self.lines(problem, &rules, 0, &mut out);
        Ok(out)
    }

    fn lines(&self, problem: &Problem, rules: &[Rule], depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        let why = |rule: usize| rules.get(rule).map_or_else(String::new, |r| reason(problem, r.origin));
        for (rule, literal) in &self.steps {
            let _ = writeln!(out, "{pad}{}: {}", said(problem, *literal), why(*rule));
        }
        match &self.end {
            End::Contradiction(rule) => {
                let _ = writeln!(out, "{pad}contradiction: {}", why(*rule));
            }
            End::Cases { task, past, future } => {
                for (literal, case) in [(Literal::Past(*task), past), (Literal::Future(*task), future)] {
                    let _ = writeln!(out, "{pad}if {}", said(problem, literal));
                    case.lines(problem, rules, depth + 1, out);
                }
            }
        }
    }
}

/// `chol L_TL.out`, with the loop's number where its name is not enough.
fn task_name(problem: &Problem, t: TaskId) -> String {
    let Some(l) = problem.loops.get(t.of) else { return "?".into() };
    let state = l.tasks.get(t.task).map_or_else(String::new, |task| problem.name(&task.out));
    format!("{} {state}", loop_name(problem, t.of))
}

/// `chol`, or `chol#1` where several loops have the name.
pub(super) fn loop_name(problem: &Problem, n: usize) -> String {
    let Some(l) = problem.loops.get(n) else { return "?".into() };
    let twins = problem.loops.iter().filter(|o| o.name == l.name).count();
    if twins > 1 { format!("{}#{n}", l.name) } else { l.name.clone() }
}

fn said(problem: &Problem, literal: Literal) -> String {
    let region = |r: super::RegionId| problem.regions.get(r.0).map_or("?", String::as_str);
    match literal {
        Literal::Past(t) => format!("{} is past", task_name(problem, t)),
        Literal::Future(t) => format!("{} is future", task_name(problem, t)),
        Literal::ComputedFrom(r, n) => format!("C({}) >= {n}", region(r)),
        Literal::ComputedTo(r, n) => format!("C({}) <= {n}", region(r)),
        Literal::UncomputedFrom(r, n) => format!("U({}) >= {n}", region(r)),
        Literal::UncomputedTo(r, n) => format!("U({}) <= {n}", region(r)),
    }
}

fn reason(problem: &Problem, origin: Origin) -> String {
    let region = |r: super::RegionId| problem.regions.get(r.0).map_or("?", String::as_str);
    let name = |n: usize| loop_name(problem, n);
    let input = |t: TaskId, i: usize| {
        let task = problem.loops.get(t.of).and_then(|l| l.tasks.get(t.task));
        let states = task.and_then(|task| task.inputs.get(i)).map_or(&[][..], Vec::as_slice);
        states.iter().map(|s| problem.name(s)).collect::<Vec<_>>().join(" or ")
    };
    let operations = |n: usize| {
        let tasks = problem.loops.get(n).map_or(&[][..], |l| &l.tasks);
        match tasks.iter().filter(|t| t.kind == TaskKind::Operation).count() {
            0 | 1 => format!("{} has fewer than two operations (op), so nothing can move", name(n)),
            _ => format!("not all operations (op) of {} can be on one side", name(n)),
        }
    };
    match origin {
        Origin::NeedsInput(t, i) => format!("{} needs {} when it is past", task_name(problem, t), input(t, i)),
        Origin::KeepsInput(t, i) => {
            format!("{} must still find {} when it is future", task_name(problem, t), input(t, i))
        }
        Origin::Begins(n) | Origin::Ends(n) => operations(n),
        Origin::ComesFree(t) => format!("{} is there as soon as its inputs are", task_name(problem, t)),
        Origin::Computed(r, n) => format!("{} has computed {} iff all its tasks are past", name(n), region(r)),
        Origin::Uncomputed(r, n) => format!("{} has not begun {} iff all its tasks are future", name(n), region(r)),
        Origin::Strip(r, m, n) => format!("{} must have computed {} before {} begins it", name(m), region(r), name(n)),
        Origin::ReadsComputed(t, i) => {
            format!("when {} is past, the loops before have computed {}", task_name(problem, t), input(t, i))
        }
        Origin::ReadsUncomputed(t, i) => {
            format!("when {} is future, no loop after it has begun {}", task_name(problem, t), input(t, i))
        }
        Origin::Shared(t) => format!("the shared input {} moves with its readers", task_name(problem, t)),
    }
}
