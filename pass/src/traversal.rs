//! Traversals of sequences of nests ([`scheduler::fusion`]) in the pass: as candidates, as remarks, or as the user wants.

use crate::llvm::Analyses;
use crate::options::{Fuse, Options, Policy};
use crate::planner::{Chosen, first_loop};
use crate::raise::Raised;
use crate::remarks;
use polyhedra::Budget;
use scheduler::choose::Choice;
use scheduler::dependence::Dependences;
use scheduler::fusion::{self, Split, Traversal};
use scheduler::kernel::ProvedKernels;
use scheduler::plan;
use scheduler::scop::{Scop, StatementId};

/// The inverse of the part of the steps that may go into traversals.
const SHARE: u64 = 4;

/// Runs something within a share of the steps, and takes what it spent from the whole.
fn within<T>(budget: &Budget, work: impl FnOnce(&Budget) -> T) -> T {
    let share = Budget::new(budget.left() / SHARE);
    let result = work(&share);
    // A part of the whole: this cannot fail.
    let _ = budget.spend(share.spent().min(budget.left()));
    result
}

/// The traversal that the user asked for, of the first sweep that has any. `None`: none was asked for, or there is no such.
///
/// # Errors
/// Overflow, budget.
pub fn wanted(
    raised: &Raised,
    dependences: &Dependences,
    options: &Options,
    budget: &Budget,
) -> scheduler::Result<Option<Chosen>> {
    if !matches!(options.fuse, Fuse::Lazy | Fuse::Eager | Fuse::Number(_)) {
        return Ok(None);
    }
    let all = within(budget, |share| fusion::traversals(&raised.scop, dependences, share))?;
    let mut first: Vec<Traversal> = all.into_iter().map(|(_, list)| list).find(|l| !l.is_empty()).unwrap_or_default();
    let found = match options.fuse {
        Fuse::Number(k) => first.into_iter().find(|t| t.number == k),
        Fuse::Eager => first.pop(),
        _ => first.into_iter().next(),
    };
    let Some(t) = found else { return Ok(None) };
    let summary = vec![format!("traversal {} of its nests: {}", t.number, fusion::print_rows(&raised.scop, &t))];
    let part = t.split.map(|split| part(raised, split)).transpose()?.map(Box::new);
    let kernels = ProvedKernels::default();
    Ok(Some(Chosen {
        choice: Choice::Transform { schedule: t.schedule, kernels, predicted_speedup: 0.0, summary },
        part,
    }))
}

/// The region with statements split: each part does what the whole did.
fn part(raised: &Raised, split: Split) -> scheduler::Result<Raised> {
    let body = |&StatementId(s): &StatementId| raised.bodies.get(s).cloned();
    let bodies: Option<Vec<_>> = split.origin.iter().map(body).collect();
    let bodies = bodies.ok_or_else(|| scheduler::Error::Malformed("a part of no statement".into()))?;
    Ok(Raised { scop: split.scop, bodies, ..raised.clone() })
}

/// Adds traversals to the candidates, or reports them.
///
/// # Errors
/// Overflow, budget; for want of steps only when a report was asked for.
pub fn offer(
    analyses: Analyses,
    raised: &Raised,
    dependences: &Dependences,
    options: &Options,
    candidates: &mut Vec<plan::Candidate>,
    budget: &Budget,
) -> scheduler::Result<()> {
    let scop = &raised.scop;
    match options.fuse {
        Fuse::Auto if options.policy == Policy::Auto && fusion::nests(scop).len() > 1 => {
            // To have no more than the planner found is no error.
            if let Ok(more) = within(budget, |share| fusion::candidates(scop, dependences, share)) {
                let source = candidates.len().saturating_sub(1);
                candidates.splice(source..source, more);
            }
        }
        Fuse::Report => {
            let text = within(budget, |share| report(scop, dependences, share))?;
            remarks::explain(analyses, first_loop(raised), "Fusion", &text);
        }
        _ => {}
    }
    Ok(())
}

/// How many traversals every sweep over all nests allows, or what stands against them.
fn report(scop: &Scop, dependences: &Dependences, budget: &Budget) -> scheduler::Result<String> {
    let mut planner = fusion::Planner::new(scop, dependences, budget);
    let mut text = String::new();
    for survey in planner.survey(0..planner.nests().len())? {
        text += &fusion::print_survey(scop, &planner, &survey)?;
    }
    Ok(if text.is_empty() { "no dimensions of arrays move through all nests together".into() } else { text })
}
