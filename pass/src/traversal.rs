//! Traversals of sequences of nests ([`scheduler::fusion`]) in the pass: as candidates, as remarks, or as the user wants.

use crate::llvm::Analyses;
use crate::options::{Fuse, Options, Policy};
use crate::planner::{Chosen, EXPLAINING, first_loop, machine, within_steps};
use crate::raise::Raised;
use crate::remarks;
use polyhedra::Budget;
use scheduler::choose::{self, Choice};
use scheduler::dependence::Dependences;
use scheduler::fusion::{self, Split, Survey, Traversal, Wish};
use scheduler::kernel::ProvedKernels;
use scheduler::plan;

/// The inverse of the part of the steps that may go into traversals.
const SHARE: u64 = 4;

/// Runs something within a share of the steps, and takes what it spent from the whole.
fn within<T>(budget: &Budget, work: impl FnOnce(&Budget) -> T) -> T {
    let share = budget.part(budget.left() / SHARE);
    let result = work(&share);
    // A part of the whole: this cannot fail.
    let _ = budget.spend(share.spent().min(budget.left()));
    result
}

/// The traversal that the user asked for. `None`: none was asked for, or there is no such.
///
/// # Errors
/// Overflow, budget.
pub fn wanted(
    analyses: Analyses,
    raised: &Raised,
    dependences: &Dependences,
    options: &Options,
    budget: &Budget,
) -> scheduler::Result<Option<Chosen>> {
    let wish = match options.fuse {
        Fuse::Lazy => Wish::Lazy,
        Fuse::Eager => Wish::Eager,
        Fuse::Number(number) => Wish::Number(number),
        Fuse::Auto | Fuse::Off | Fuse::Report => return Ok(None),
    };
    let found = within(budget, |share| fusion::wanted(&raised.scop, dependences, wish, share))?;
    let Some(t) = found else { return Ok(None) };
    let wanted = analyses.explains();
    let predicted_speedup = if wanted { predicted(analyses, (raised, dependences), &t, options)? } else { 0.0 };
    let numbers: Vec<String> = t.numbers.iter().map(ToString::to_string).collect();
    let rows = fusion::print_rows(&raised.scop, &t);
    let summary = vec![format!("traversal {} of its nests: {rows}", numbers.join(" and "))];
    let part = t.split.map(|split| part(raised, split)).transpose()?.map(Box::new);
    let kernels = ProvedKernels::default();
    Ok(Some(Chosen {
        choice: Choice::Transform { schedule: t.schedule, kernels, predicted_speedup, summary },
        part,
        worthwhile: Vec::new(),
    }))
}

/// How much faster a traversal is said to be, for explanations; 0 where nobody knows.
fn predicted(
    analyses: Analyses,
    (raised, dependences): (&Raised, &Dependences),
    t: &Traversal,
    options: &Options,
) -> scheduler::Result<f64> {
    let (machine, budget) = (machine(analyses, options), Budget::new(EXPLAINING));
    let (scop, own) = t.split.as_ref().map_or((&raised.scop, dependences), |s| (&s.scop, &s.dependences));
    let source = within_steps(choose::source_cycles(&raised.scop, dependences, &machine, &budget))?;
    let cycles = within_steps(choose::cycles(scop, own, t.schedule.tree(), &machine, &budget))?;
    Ok(source.zip(cycles).map_or(0.0, |(source, cycles)| source / cycles))
}

/// The region with statements split: each part does what the whole did.
pub fn part(raised: &Raised, split: Split) -> scheduler::Result<Raised> {
    let bodies: Option<Vec<_>> = split.origin.iter().map(|s| raised.bodies.get(s.0).cloned()).collect();
    let bodies = bodies.ok_or_else(|| scheduler::Error::Malformed("a part of no statement".into()))?;
    Ok(Raised { scop: split.scop, bodies, ..raised.clone() })
}

/// Adds traversals to the candidates, those of sequences and of single nests that have some. Gives the sweeps that they are of.
#[must_use]
pub fn offer(
    raised: &Raised,
    dependences: &Dependences,
    options: &Options,
    candidates: &mut Vec<plan::Candidate>,
    budget: &Budget,
) -> Vec<Survey> {
    if options.fuse != Fuse::Auto || options.policy != Policy::Auto || fusion::nests(&raised.scop).len() < 2 {
        return Vec::new();
    }
    // To have no more than the planner found is no error.
    let Ok(more) = within(budget, |share| fusion::offer(&raised.scop, dependences, share)) else { return Vec::new() };
    let source = candidates.len().saturating_sub(1);
    candidates.splice(source..source, more.candidates);
    more.surveys
}

/// Adds to the summary which of the traversals was taken, and explains what every sweep of the nests allows.
///
/// # Errors
/// Overflow.
pub fn explain(
    analyses: Analyses,
    raised: &Raised,
    dependences: &Dependences,
    options: &Options,
    surveys: &[Survey],
    choice: &mut Choice,
) -> scheduler::Result<()> {
    let mut taken = Vec::new();
    if let Choice::Transform { schedule, summary, .. } = choice {
        for survey in surveys.iter().filter(|survey| survey.nests.len() > 1) {
            if let Some(number) = survey.which(schedule.tree())? {
                taken.push(fusion::print_taken(&raised.scop, survey, number));
            }
        }
        summary.extend(taken.iter().cloned());
    }
    let shows = options.fuse == Fuse::Report || (options.fuse == Fuse::Auto && fusion::nests(&raised.scop).len() > 1);
    if shows && analyses.explains() {
        let text = match report(raised, dependences, &Budget::new(EXPLAINING)) {
            Ok(text) => text + &taken.iter().map(|t| format!("taken: {t}\n")).collect::<String>(),
            Err(e) => e.to_string(),
        };
        remarks::explain(analyses, first_loop(raised), "Fusion", &text);
    }
    Ok(())
}

/// How many traversals every sweep over all nests allows, or what stands against it; then those of the longest runs that have some.
fn report(raised: &Raised, dependences: &Dependences, budget: &Budget) -> scheduler::Result<String> {
    let scop = &raised.scop;
    let mut planner = fusion::Planner::new(scop, dependences, budget);
    let all = 0..planner.nests().len();
    let runs = planner.runs()?;
    let mut text = String::new();
    for survey in planner.survey(all.clone())? {
        text += &fusion::print_survey(scop, &planner, &survey)?;
    }
    for run in runs.into_iter().filter(|run| *run != all && run.len() > 1) {
        for survey in planner.survey(run)?.iter().filter(|survey| !survey.ideals().is_empty()) {
            text += &fusion::print_survey(scop, &planner, survey)?;
        }
    }
    Ok(if text.is_empty() { "no dimensions of arrays move through all nests together\n".into() } else { text })
}
