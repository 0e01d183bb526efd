//! What the search answers: traversals with their strips, or a refutation.

use super::problem::{Problem, RegionId, TaskKind};
use super::refute::{Refutation, refute};
use super::rules::{Literal, Rule, TaskId, rules};
use super::search::{Board, Extent, Split, solve};
use crate::Result;
use polyhedra::Budget;
use std::fmt;
use std::ops::Range;

/// Must all loops sweep an operand that none of them writes in one direction? See [`Problem::with_shared_inputs`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SharedInputs {
    /// No.
    #[default]
    Free,
    /// Yes.
    OneDirection,
}

impl SharedInputs {
    /// The problem under the policy: what the search and its refutations speak of.
    #[must_use]
    pub fn applied(self, problem: &Problem) -> Problem {
        match self {
            Self::Free => problem.clone(),
            Self::OneDirection => problem.with_shared_inputs(),
        }
    }
}

/// How far a loop has brought a region when the traversal stands between two steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// `⊤`: all tasks of the loop that write it are past.
    Computed,
    /// `⊢`: some.
    Partly,
    /// `⊥`: none.
    Uncomputed,
    /// `.`: the loop does not write it.
    Untouched,
}

impl Mark {
    /// Of some tasks that are past or not.
    pub fn of(past: impl IntoIterator<Item = bool>) -> Self {
        past.into_iter().fold(Self::Untouched, |mark, p| match (mark, p) {
            (Self::Untouched | Self::Computed, true) => Self::Computed,
            (Self::Untouched | Self::Uncomputed, false) => Self::Uncomputed,
            _ => Self::Partly,
        })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Computed => "⊤",
            Self::Partly => "⊢",
            Self::Uncomputed => "⊥",
            Self::Untouched => ".",
        })
    }
}

/// Does a strip have the form `⊤*⊢?⊥*`, loops that do not write the region left out?
#[must_use]
pub fn is_strip(marks: &[Mark]) -> bool {
    let written: Vec<Mark> = marks.iter().copied().filter(|m| *m != Mark::Untouched).collect();
    written.is_sorted() && written.iter().filter(|m| **m == Mark::Partly).count() <= 1
}

/// A region over all loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strip {
    /// The region.
    pub region: RegionId,
    /// How far each loop has brought it.
    pub marks: Vec<Mark>,
    /// Least and greatest value of `C_R`, the last loop in which it is computed (-1: none): an interval where loops do not write it.
    pub computed: (i64, i64),
    /// Least and greatest value of `U_R`, the first loop in which it is uncomputed (number of loops: none).
    pub uncomputed: (i64, i64),
}

/// A way to fuse: for each loop what is past between two steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// For each loop the tasks that are past, in the order of the problem.
    pub past: Vec<Vec<usize>>,
    /// The regions that some loop writes.
    pub strips: Vec<Strip>,
}

/// What can be said of a sequence of operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// All ways to fuse them, at least one.
    Fusable(Vec<Solution>),
    /// There is none, and this is why.
    Refuted(Refutation),
}

/// All fused loop invariants of a problem. For one loop: its loop invariants.
///
/// # Errors
/// Malformed problem, budget.
pub fn fuse(problem: &Problem, shared: SharedInputs, budget: &Budget) -> Result<Answer> {
    let full = shared.applied(problem);
    let splits = solve(&full, Extent::All, budget)?;
    if splits.is_empty() {
        return Ok(Answer::Refuted(refute(&full, budget)?));
    }
    let entailment = entailment(&full)?;
    Ok(Answer::Fusable(splits.iter().map(|s| solution(&full, &entailment, s, budget)).collect::<Result<_>>()?))
}

/// The longest runs of loops that can be fused, from the first to the last; none lies within another. Parts of what can be fused can be fused, so two
/// pointers find them.
///
/// # Errors
/// Malformed problem, budget.
pub fn runs(problem: &Problem, shared: SharedInputs, budget: &Budget) -> Result<Vec<Range<usize>>> {
    longest_runs(problem.loops.len(), |range| {
        let part = shared.applied(&problem.slice(range));
        Ok(!solve(&part, Extent::First, budget)?.is_empty())
    })
}

/// The longest runs below `count` for which a test holds that holds for all parts of what it holds for.
pub(super) fn longest_runs(
    count: usize,
    mut test: impl FnMut(Range<usize>) -> Result<bool>,
) -> Result<Vec<Range<usize>>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut end = 0;
    for start in 0..count {
        let before = end;
        end = end.max(start);
        while end < count && test(start..end + 1)? {
            end += 1;
        }
        if end > before.max(start) {
            out.push(start..end);
        }
    }
    Ok(out)
}

/// The rules that say what `C` and `U` are.
pub(super) fn entailment(problem: &Problem) -> Result<Vec<Rule>> {
    Ok(rules(problem)?.into_iter().filter(|r| r.origin.is_entailment()).collect())
}

/// Reads a split: pasts without shared inputs, strips, and the intervals that (e) leaves to `C` and `U`.
pub(super) fn solution(problem: &Problem, entailment: &[Rule], split: &Split, budget: &Budget) -> Result<Solution> {
    let mut board = Board::new(problem, entailment);
    let mut past = Vec::with_capacity(split.len());
    for (of, tasks) in split.iter().enumerate() {
        let own = |task: usize| problem.loops[of].tasks[task].kind != TaskKind::SharedInput;
        past.push((0..tasks.len()).filter(|&task| tasks[task] && own(task)).collect());
        for (task, &is_past) in tasks.iter().enumerate() {
            let t = TaskId { of, task };
            board.set(if is_past { Literal::Past(t) } else { Literal::Future(t) });
        }
    }
    // The split is a solution: no conflict.
    let _ = board.propagate_all(budget)?;
    let mut strips = Vec::new();
    for region in (0..problem.regions.len()).map(RegionId) {
        let marks = problem.loops.iter().zip(split);
        let marks: Vec<Mark> = marks.map(|(l, past)| Mark::of(l.writers(region).map(|k| past[k]))).collect();
        if marks.iter().any(|m| *m != Mark::Untouched) {
            let (computed, uncomputed) = (board.computed(region), board.uncomputed(region));
            strips.push(Strip { region, marks, computed, uncomputed });
        }
    }
    Ok(Solution { past, strips })
}
