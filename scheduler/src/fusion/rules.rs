//! The constraints of the search, all in one form.
//!
//! **Unknowns.** `x[t]` for every task: past (in the loop invariant) or future. For every region R: `C_R` in `-1 ..= N-1`, the last loop in which R is fully
//! computed, and `U_R` in `0 ..= N`, the first in which it is uncomputed.
//!
//! **Form.** A rule is a list of branches, each a list of literals; one branch must hold with all its literals. `x[t]=1 => P and Q` is the rule
//! `{ x[t]=0 | P, Q }`.
//!
//! **The rules**, with O the states that the loop n of task t writes:
//! * (a) a past task has its inputs: `x[t]=1` => for every input some branch b with `x[S]=1` for all S in O with S = b or S before b;
//! * (b) a future task can still read: `x[t]=0` => for every input some branch b with `x[S]=0` for all S in O with b before S;
//! * (c) progress: of the operations of a loop one is past and one future;
//! * (d) a noop whose inputs are all there is past, unless its inputs mention nothing that is written;
//! * (e) entailment, for loops n that write R: `C_R >= n` iff all writers are past, `U_R <= n` iff all are future; and strips have the form
//!   computed, at most one partly computed, uncomputed;
//! * (f) use: `x[t]=1` => for every input some branch with `C_R >= n-1`, `x[t]=0` => for every input some branch with `U_R <= n+1`, R the branch's region;
//! * shared inputs: see [`TaskKind::SharedInput`].
//!
//! Paper: Drewniak, *General description of the automated loop fusion algorithm* (2018); Low, *A calculus of loop invariants* (2013), for (e) and (f).

use super::problem::{Problem, RegionId, State, TaskKind};
use crate::{Error, Result};

/// Branches that one rule may have.
const MOST_BRANCHES: usize = 4096;

/// A task: loop, and position in the loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TaskId {
    /// The loop.
    pub of: usize,
    /// Position in [`super::Loop::tasks`].
    pub task: usize,
}

/// Something that a rule may ask for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Literal {
    /// The task is past.
    Past(TaskId),
    /// The task is future.
    Future(TaskId),
    /// `C_R >= n`.
    ComputedFrom(RegionId, i64),
    /// `C_R <= n`.
    ComputedTo(RegionId, i64),
    /// `U_R >= n`.
    UncomputedFrom(RegionId, i64),
    /// `U_R <= n`.
    UncomputedTo(RegionId, i64),
}

/// Where a rule comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// (a), with the number of the input.
    NeedsInput(TaskId, usize),
    /// (b), with the number of the input.
    KeepsInput(TaskId, usize),
    /// (c), first half: some operation of the loop is past.
    Begins(usize),
    /// (c), second half: some operation of the loop is future.
    Ends(usize),
    /// (d).
    ComesFree(TaskId),
    /// (e), `C_R` against the tasks of a loop.
    Computed(RegionId, usize),
    /// (e), `U_R` against the tasks of a loop.
    Uncomputed(RegionId, usize),
    /// The form of strips, for a loop and the next one that writes the region.
    Strip(RegionId, usize, usize),
    /// (f) for a past task, with the number of the input.
    ReadsComputed(TaskId, usize),
    /// (f) for a future task, with the number of the input.
    ReadsUncomputed(TaskId, usize),
    /// A shared input moves with its readers.
    Shared(TaskId),
}

impl Origin {
    /// Is it (e) itself, which says what `C` and `U` are?
    #[must_use]
    pub const fn is_entailment(self) -> bool {
        matches!(self, Self::Computed(..) | Self::Uncomputed(..))
    }
}

/// One of `branches` must hold, all literals of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Where it comes from.
    pub origin: Origin,
    /// The alternatives.
    pub branches: Vec<Vec<Literal>>,
}

/// All rules of a problem, in a fixed order.
///
/// # Errors
/// [`Error::Problem`]: malformed, or a noop with more alternatives than can be written down.
pub fn rules(problem: &Problem) -> Result<Vec<Rule>> {
    problem.check()?;
    let mut out = Vec::new();
    for n in 0..problem.loops.len() {
        inside(problem, n, &mut out)?;
    }
    for r in (0..problem.regions.len()).map(RegionId) {
        between(problem, r, &mut out);
    }
    Ok(out)
}

/// (a), (b), (c), (d), (f) and shared inputs of a loop.
fn inside(problem: &Problem, n: usize, out: &mut Vec<Rule>) -> Result<()> {
    let tasks = &problem.loops[n].tasks;
    let id = |task: usize| TaskId { of: n, task };
    let of_kind = |kind: TaskKind| (0..tasks.len()).filter(move |&k| tasks[k].kind == kind).map(id);
    out.push(Rule {
        origin: Origin::Begins(n),
        branches: of_kind(TaskKind::Operation).map(|t| vec![Literal::Past(t)]).collect(),
    });
    out.push(Rule {
        origin: Origin::Ends(n),
        branches: of_kind(TaskKind::Operation).map(|t| vec![Literal::Future(t)]).collect(),
    });
    let written = |which: &dyn Fn(&State) -> bool| -> Vec<TaskId> {
        (0..tasks.len()).filter(|&k| which(&tasks[k].out)).map(id).collect()
    };
    let needed = |b: &State| written(&|s| s == b || s.precedes(b));
    let later = |b: &State| written(&|s| b.precedes(s));
    let (loops, own) = (bound(problem.loops.len()), bound(n));
    for (k, task) in tasks.iter().enumerate() {
        let t = id(k);
        // "unless, or one of the branches"; a branch without literals always holds.
        let mut implies = |origin, unless, branches: Vec<Vec<Literal>>| {
            if branches.iter().all(|b| !b.is_empty()) {
                out.push(Rule { origin, branches: std::iter::once(vec![unless]).chain(branches).collect() });
            }
        };
        for (i, input) in task.inputs.iter().enumerate() {
            let all = |lits: Vec<TaskId>, of: fn(TaskId) -> Literal| lits.into_iter().map(of).collect::<Vec<_>>();
            let past = input.iter().map(|b| all(needed(b), Literal::Past)).collect();
            implies(Origin::NeedsInput(t, i), Literal::Future(t), past);
            let future = input.iter().map(|b| all(later(b), Literal::Future)).collect();
            implies(Origin::KeepsInput(t, i), Literal::Past(t), future);
            if n > 0 {
                let computed = input.iter().map(|b| vec![Literal::ComputedFrom(b.region, own - 1)]).collect();
                implies(Origin::ReadsComputed(t, i), Literal::Future(t), computed);
            }
            if own + 1 < loops {
                let uncomputed = input.iter().map(|b| vec![Literal::UncomputedTo(b.region, own + 1)]).collect();
                implies(Origin::ReadsUncomputed(t, i), Literal::Past(t), uncomputed);
            }
        }
        match task.kind {
            TaskKind::Noop => {
                let mut branches = vec![vec![Literal::Past(t)]];
                let inputs: Vec<Vec<Vec<TaskId>>> =
                    task.inputs.iter().map(|input| input.iter().map(&needed).collect()).collect();
                if inputs.iter().flatten().all(Vec::is_empty) {
                    continue;
                }
                for input in &inputs {
                    branches.extend(missing(input)?);
                }
                out.push(Rule { origin: Origin::ComesFree(t), branches });
            }
            TaskKind::SharedInput => {
                let readers = (0..tasks.len()).filter(|&r| tasks[r].reads(task.out.region)).map(id);
                let idle = std::iter::once(Literal::Future(t)).chain(readers.clone().map(Literal::Future)).collect();
                let branches = readers.map(|r| vec![Literal::Past(t), Literal::Past(r)]).chain([idle]).collect();
                out.push(Rule { origin: Origin::Shared(t), branches });
            }
            TaskKind::Plain | TaskKind::Operation => {}
        }
    }
    Ok(())
}

/// The ways in which an input can be missing: of every branch some needed task is future.
fn missing(input: &[Vec<TaskId>]) -> Result<Vec<Vec<Literal>>> {
    let mut ways: Vec<Vec<Literal>> = vec![Vec::new()];
    for needed in input {
        if ways.len().saturating_mul(needed.len()) > MOST_BRANCHES {
            return Err(Error::Problem("a noop with too many alternatives".into()));
        }
        let extended = |way: &Vec<Literal>, t: &TaskId| way.iter().copied().chain([Literal::Future(*t)]).collect();
        ways = ways.iter().flat_map(|way| needed.iter().map(|t| extended(way, t)).collect::<Vec<_>>()).collect();
    }
    Ok(ways)
}

/// (e) and the form of strips, for one region.
fn between(problem: &Problem, region: RegionId, out: &mut Vec<Rule>) {
    let mut before: Option<(usize, Vec<TaskId>)> = None;
    for (n, l) in problem.loops.iter().enumerate() {
        let writers: Vec<TaskId> = l.writers(region).map(|task| TaskId { of: n, task }).collect();
        if writers.is_empty() {
            continue;
        }
        let own = bound(n);
        let with = |first: Option<Literal>, of: fn(TaskId) -> Literal| -> Vec<Literal> {
            first.into_iter().chain(writers.iter().copied().map(of)).collect()
        };
        let each = |first: Literal, of: fn(TaskId) -> Literal| writers.iter().map(move |&t| vec![first, of(t)]);
        let whole = with(Some(Literal::ComputedFrom(region, own)), Literal::Past);
        out.push(Rule {
            origin: Origin::Computed(region, n),
            branches: std::iter::once(whole)
                .chain(each(Literal::ComputedTo(region, own - 1), Literal::Future))
                .collect(),
        });
        let none = with(Some(Literal::UncomputedTo(region, own)), Literal::Future);
        out.push(Rule {
            origin: Origin::Uncomputed(region, n),
            branches: std::iter::once(none)
                .chain(each(Literal::UncomputedFrom(region, own + 1), Literal::Past))
                .collect(),
        });
        if let Some((m, earlier)) = before {
            let computed = earlier.into_iter().map(Literal::Past).collect();
            out.push(Rule {
                origin: Origin::Strip(region, m, n),
                branches: vec![computed, with(None, Literal::Future)],
            });
        }
        before = Some((n, writers));
    }
}

/// Numbers of loops are small ([`super::problem::MOST_TASKS`] bounds the tasks, and text the loops).
fn bound(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX - 1)
}
