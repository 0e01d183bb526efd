//! What `fuse` prints.

use crate::Stop;
use crate::args::Args;
use polyhedra::Budget;
use scheduler::fusion::{self, Answer, Problem};
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
