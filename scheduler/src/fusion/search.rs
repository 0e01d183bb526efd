//! The search: all splits of the tasks into past and future that the rules allow.
//!
//! **Method.** Depth first over the tasks, operations first, with propagation: of a rule's branches those with a false literal are dropped; what all the others have
//! in common must hold; when none is left there is no solution here. `C_R` and `U_R` are intervals and are never searched: when all tasks are decided, every
//! rule asks for lower bounds of `C` and upper bounds of `U` only, apart from those that (e) has posted already, so `C` at its upper and `U` at its lower end
//! satisfy whatever can be satisfied.
//!
//! **Price.** A step of the budget for every rule looked at. The problems of the literature take some hundreds to some ten thousand steps.

use super::problem::{Problem, RegionId, TaskKind};
use super::rules::{Literal, Rule, TaskId, rules};
use crate::Result;
use polyhedra::Budget;

/// What is known of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    True,
    False,
    Open,
}

/// A rule that has no branch left (by number).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conflict(pub usize);

/// Something to be taken back.
enum Undo {
    Task(usize),
    Low(usize, i64),
    High(usize, i64),
}

/// Rules with what has been decided.
pub(super) struct Board<'a> {
    pub rules: &'a [Rule],
    /// First task of every loop.
    starts: Vec<usize>,
    regions: usize,
    past: Vec<Option<bool>>,
    /// Intervals of all `C`, then of all `U`.
    low: Vec<i64>,
    high: Vec<i64>,
    /// Rules that mention a task, then those that mention a `C` or `U`.
    watch: Vec<Vec<usize>>,
    trail: Vec<Undo>,
    /// What was derived, by which rule. Only for refutations.
    pub log: Vec<(usize, Literal)>,
    /// In which order to decide.
    order: Vec<TaskId>,
}

impl<'a> Board<'a> {
    pub fn new(problem: &Problem, rules: &'a [Rule]) -> Self {
        let mut starts = Vec::with_capacity(problem.loops.len());
        let mut tasks = 0;
        for l in &problem.loops {
            starts.push(tasks);
            tasks += l.tasks.len();
        }
        let regions = problem.regions.len();
        let loops = i64::try_from(problem.loops.len()).unwrap_or(i64::MAX);
        let mut order: Vec<TaskId> = (problem.loops.iter().enumerate())
            .flat_map(|(of, l)| (0..l.tasks.len()).map(move |task| TaskId { of, task }))
            .collect();
        order.sort_by_key(|t| (t.of, problem.loops[t.of].tasks[t.task].kind != TaskKind::Operation));
        let low = [vec![-1; regions], vec![0; regions]].concat();
        let high = [vec![loops - 1; regions], vec![loops; regions]].concat();
        let watch = vec![Vec::new(); tasks + 2 * regions];
        let (past, trail, log) = (vec![None; tasks], Vec::new(), Vec::new());
        let mut out = Self { rules, starts, regions, past, low, high, watch, trail, log, order };
        for (k, rule) in rules.iter().enumerate() {
            for literal in rule.branches.iter().flatten() {
                let place = match *literal {
                    Literal::Past(t) | Literal::Future(t) => out.index(t),
                    Literal::ComputedFrom(r, _) | Literal::ComputedTo(r, _) => tasks + r.0,
                    Literal::UncomputedFrom(r, _) | Literal::UncomputedTo(r, _) => tasks + regions + r.0,
                };
                if out.watch[place].last() != Some(&k) {
                    out.watch[place].push(k);
                }
            }
        }
        out
    }

    fn index(&self, t: TaskId) -> usize {
        self.starts[t.of] + t.task
    }

    pub fn truth(&self, literal: Literal) -> Truth {
        let at_least = |v: usize, n: i64| match () {
            () if self.low[v] >= n => Truth::True,
            () if self.high[v] < n => Truth::False,
            () => Truth::Open,
        };
        let at_most = |v: usize, n: i64| match () {
            () if self.high[v] <= n => Truth::True,
            () if self.low[v] > n => Truth::False,
            () => Truth::Open,
        };
        let task = |t: TaskId, wanted: bool| match self.past[self.index(t)] {
            Some(value) if value == wanted => Truth::True,
            Some(_) => Truth::False,
            None => Truth::Open,
        };
        match literal {
            Literal::Past(t) => task(t, true),
            Literal::Future(t) => task(t, false),
            Literal::ComputedFrom(r, n) => at_least(r.0, n),
            Literal::ComputedTo(r, n) => at_most(r.0, n),
            Literal::UncomputedFrom(r, n) => at_least(self.regions + r.0, n),
            Literal::UncomputedTo(r, n) => at_most(self.regions + r.0, n),
        }
    }

    /// Makes an open literal true. Returns the place whose watchers have to be asked.
    pub fn set(&mut self, literal: Literal) -> usize {
        let tasks = self.past.len();
        let bound = |board: &mut Self, v: usize, low: Option<i64>, high: Option<i64>| {
            if let Some(n) = low {
                board.trail.push(Undo::Low(v, board.low[v]));
                board.low[v] = board.low[v].max(n);
            }
            if let Some(n) = high {
                board.trail.push(Undo::High(v, board.high[v]));
                board.high[v] = board.high[v].min(n);
            }
            tasks + v
        };
        let second = self.regions;
        match literal {
            Literal::Past(t) | Literal::Future(t) => {
                let k = self.index(t);
                self.past[k] = Some(matches!(literal, Literal::Past(_)));
                self.trail.push(Undo::Task(k));
                k
            }
            Literal::ComputedFrom(r, n) => bound(self, r.0, Some(n), None),
            Literal::ComputedTo(r, n) => bound(self, r.0, None, Some(n)),
            Literal::UncomputedFrom(r, n) => bound(self, second + r.0, Some(n), None),
            Literal::UncomputedTo(r, n) => bound(self, second + r.0, None, Some(n)),
        }
    }

    /// What the rule forces now: literals that all branches that are left have in common and that are open. `None`: no branch is left.
    pub fn forced(&self, rule: &Rule) -> Option<Vec<Literal>> {
        let mut left = rule.branches.iter().filter(|b| b.iter().all(|&l| self.truth(l) != Truth::False));
        let first = left.next()?;
        let mut common: Vec<Literal> = first.iter().copied().filter(|&l| self.truth(l) == Truth::Open).collect();
        for other in left {
            common.retain(|l| other.contains(l));
        }
        Some(common)
    }

    /// Makes a literal true and everything that follows. A literal that is false already is a conflict of nobody: callers decide open tasks only.
    pub fn assume(&mut self, literal: Literal, budget: &Budget) -> Result<Option<Conflict>> {
        let place = self.set(literal);
        let queue = self.watch[place].clone();
        self.propagate(queue, budget)
    }

    /// Everything that follows from all rules.
    pub fn propagate_all(&mut self, budget: &Budget) -> Result<Option<Conflict>> {
        self.propagate((0..self.rules.len()).collect(), budget)
    }

    fn propagate(&mut self, queue: Vec<usize>, budget: &Budget) -> Result<Option<Conflict>> {
        let mut queue: std::collections::VecDeque<usize> = queue.into();
        while let Some(k) = queue.pop_front() {
            budget.spend(1)?;
            let Some(common) = self.forced(&self.rules[k]) else { return Ok(Some(Conflict(k))) };
            for literal in common {
                // One of the same rule may have made it true.
                if self.truth(literal) == Truth::Open {
                    let place = self.set(literal);
                    self.log.push((k, literal));
                    queue.extend(&self.watch[place]);
                }
            }
        }
        Ok(None)
    }

    pub fn mark(&self) -> (usize, usize) {
        (self.trail.len(), self.log.len())
    }

    /// Takes back everything since the mark.
    pub fn undo(&mut self, mark: (usize, usize)) {
        while self.trail.len() > mark.0 {
            match self.trail.pop() {
                Some(Undo::Task(k)) => self.past[k] = None,
                Some(Undo::Low(v, n)) => self.low[v] = n,
                Some(Undo::High(v, n)) => self.high[v] = n,
                None => {}
            }
        }
        self.log.truncate(mark.1);
    }

    /// The next task to decide.
    pub fn open_task(&self) -> Option<TaskId> {
        self.order.iter().copied().find(|&t| self.past[self.index(t)].is_none())
    }

    fn is_past(&self, t: TaskId) -> bool {
        self.past[self.index(t)] == Some(true)
    }

    /// The interval of `C_R`.
    pub fn computed(&self, region: RegionId) -> (i64, i64) {
        (self.low[region.0], self.high[region.0])
    }

    /// The interval of `U_R`.
    pub fn uncomputed(&self, region: RegionId) -> (i64, i64) {
        let v = self.regions + region.0;
        (self.low[v], self.high[v])
    }
}

/// For each loop, for each task: is it past?
pub type Split = Vec<Vec<bool>>;

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All solutions.
    All,
    /// The first.
    First,
}

/// The splits that all rules allow, in ascending order.
///
/// # Errors
/// Malformed problem, budget.
pub fn solve(problem: &Problem, extent: Extent, budget: &Budget) -> Result<Vec<Split>> {
    let rules = rules(problem)?;
    let mut board = Board::new(problem, &rules);
    let mut found = Vec::new();
    if board.propagate_all(budget)?.is_none() {
        descend(problem, &mut board, extent, budget, &mut found)?;
    }
    found.sort();
    Ok(found)
}

fn descend(
    problem: &Problem,
    board: &mut Board<'_>,
    extent: Extent,
    budget: &Budget,
    found: &mut Vec<Split>,
) -> Result<()> {
    let Some(task) = board.open_task() else {
        let split = |(of, l): (usize, &super::Loop)| {
            (0..l.tasks.len()).map(|task| board.is_past(TaskId { of, task })).collect::<Vec<_>>()
        };
        found.push(problem.loops.iter().enumerate().map(split).collect());
        return Ok(());
    };
    for literal in [Literal::Past(task), Literal::Future(task)] {
        if extent == Extent::First && !found.is_empty() {
            return Ok(());
        }
        let mark = board.mark();
        if board.assume(literal, budget)?.is_none() {
            descend(problem, board, extent, budget, found)?;
        }
        board.undo(mark);
    }
    Ok(())
}
