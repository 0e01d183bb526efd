//! What `fuse` prints.

use crate::Stop;
use crate::args::{Args, Pick};
use crate::stages::Stages;
use polyhedra::Budget;
use scheduler::fusion::{self, Answer, Outcome, Planner, Problem, Traversal};
use scheduler::kernel::ProvedKernels;
use scheduler::plan;
use std::fmt::Write as _;

/// Operations on regions: every way to fuse them with its strips, or why there is none and what can be fused of the sequence.
pub fn problem(args: &Args, problem: &Problem, out: &mut String) -> Result<(), Stop> {
    let budget = Budget::new(args.budget);
    let names: Vec<&str> = problem.loops.iter().map(|l| l.name.as_str()).collect();
    let title = names.join("; ");
    let refutation = match fusion::fuse(problem, args.shared_inputs, &budget)? {
        Answer::Fusable(solutions) => {
            let _ = writeln!(out, "{title}: {}", ways(solutions.len()));
            for (k, solution) in solutions.iter().enumerate() {
                let _ = write!(out, "#{k} {}", fusion::print_solution(problem, solution));
            }
            return Ok(());
        }
        Answer::Refuted(refutation) => refutation,
    };
    let _ = writeln!(out, "{title}: cannot be fused");
    for line in refutation.print(&args.shared_inputs.applied(problem))?.lines() {
        let _ = writeln!(out, "  {line}");
    }
    let runs = fusion::runs(problem, args.shared_inputs, &budget)?;
    for run in runs.iter().filter(|r| problem.loops.len() > r.len()) {
        let count = match fusion::fuse(&problem.slice(run.clone()), args.shared_inputs, &budget)? {
            Answer::Fusable(solutions) => solutions.len(),
            Answer::Refuted(_) => 0,
        };
        let _ = writeln!(out, "{}: {}", names.get(run.clone()).unwrap_or_default().join("; "), ways(count));
    }
    Err(Stop::Refused("the whole sequence cannot be fused".into()))
}

fn ways(count: usize) -> String {
    if count == 1 { "1 way".into() } else { format!("{count} ways") }
}

/// Nests of loops: for every sweep of every run that can be fused its traversals, or what stands against it; schedule and loops of those that `--fuse` picks.
pub fn nests(args: &Args, stages: &Stages<'_>, out: &mut String) -> Result<(), Stop> {
    let scop = stages.scop;
    let mut planner = Planner::new(scop, &stages.dependences, &stages.budget);
    let all = 0..planner.nests().len();
    let runs = planner.runs()?;
    let whole = runs == [all.clone()];
    if !whole {
        let _ = writeln!(out, "the {} nests cannot share one traversal", all.len());
        let surveys = planner.survey(all)?;
        if surveys.is_empty() {
            let _ =
                writeln!(out, "  no dimensions of arrays reach all statements, or one has too many subscripts in them");
        }
        for survey in surveys {
            for line in fusion::print_survey(scop, &planner, &survey)?.lines() {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
    for run in runs.iter().cloned() {
        for survey in planner.survey(run)? {
            out.push_str(&fusion::print_survey(scop, &planner, &survey)?);
            let Outcome::Legal { ideals, .. } = &survey.outcome else { continue };
            let last = ideals.len().saturating_sub(1);
            let derived = fusion::derive(scop, &planner, &survey, &stages.budget)?;
            for (k, ideal) in ideals.iter().enumerate() {
                let picked = match args.fuse {
                    None => false,
                    Some(Pick::Lazy) => k == 0,
                    Some(Pick::Eager) => k == last,
                    Some(Pick::Number(n)) => k == n,
                };
                match planner.traversal(&[fusion::Pick { survey: &survey, number: k }])? {
                    Some(traversal) => {
                        let _ = writeln!(out, "#{k} {}", fusion::print_rows(scop, &traversal));
                        let solution = derived.solution(ideal, &stages.budget)?;
                        out.push_str(&fusion::print_strips(&derived.problem, &solution));
                        if picked {
                            loops(stages, &traversal, out)?;
                        }
                    }
                    None => return Err(Stop::Refused(format!("traversal {k} could not be proved"))),
                }
            }
        }
    }
    if whole { Ok(()) } else { Err(Stop::Refused("the nests cannot share one traversal".into())) }
}

/// The schedule of a traversal and its loops.
fn loops(stages: &Stages<'_>, traversal: &Traversal, out: &mut String) -> Result<(), Stop> {
    let scop = traversal.split.as_ref().map_or(stages.scop, |s| &s.scop);
    out.push_str(&plan::print(scop, traversal.schedule.tree()));
    let ast = stages.loops_of(scop, &traversal.schedule, &ProvedKernels::default())?;
    out.push_str(&codegen::print::print_with(scop, &ast, codegen::print::Names::Own));
    Ok(())
}
