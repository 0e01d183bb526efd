//! What each command prints.

use crate::args::{Args, Command};
use crate::stages::{Selected, Stages};
use crate::{Stop, fuse, placed, read, verify};
use scheduler::choose::Choice;
use scheduler::kernel::ProvedKernels;
use scheduler::legality;
use scheduler::scop::Scop;
use scheduler::{dependence, plan, text};
use std::fmt::Write as _;

/// Prints the stage that the command asks for.
pub fn report(args: &Args, scop: &Scop, out: &mut String) -> Result<(), Stop> {
    if args.command == Command::Scop {
        out.push_str(&text::print_scop(scop));
        return Ok(());
    }
    let stages = Stages::new(args, scop)?;
    if args.command != Command::All {
        return one(args, args.command, &stages, out);
    }
    let list = [
        ("scop", Command::Scop),
        ("dependences", Command::Dependences),
        ("shifts", Command::Shifts),
        ("schedules", Command::Schedules),
        ("choose", Command::Choose),
        ("loops", Command::Loops),
        ("certificate", Command::Certificate),
        ("verify", Command::Verify),
    ];
    for (title, command) in list {
        let _ = writeln!(out, "== {title}");
        let params = args.values(&scop.params).map_err(Stop::Bad)?;
        match (command, verify::obstacle(scop, &params)?) {
            (Command::Verify, Some(why)) => {
                let _ = writeln!(out, "not run: {why}");
            }
            _ => one(args, command, &stages, out)?,
        }
        out.push('\n');
    }
    Ok(())
}

fn one(args: &Args, command: Command, stages: &Stages<'_>, out: &mut String) -> Result<(), Stop> {
    let scop = stages.scop;
    match command {
        Command::Help => {}
        Command::Scop => out.push_str(&text::print_scop(scop)),
        Command::Dependences => out.push_str(&dependence::print(scop, &stages.dependences)),
        Command::Shifts => {
            let shifts = stages.shifts()?.print(scop);
            out.push_str(if shifts.is_empty() { "no statement is shifted\n" } else { &shifts });
        }
        Command::Schedules => {
            let shifts = stages.shifts()?;
            for (k, candidate) in stages.candidates()?.iter().enumerate() {
                let _ = write!(out, "candidate {k}: {}", plan::print_candidate(scop, &shifts, candidate));
            }
        }
        Command::Choose => match stages.choice(&stages.candidates()?)? {
            Choice::Leave { reason } => {
                let _ = writeln!(out, "left alone: {reason}");
            }
            Choice::Transform { schedule, kernels, predicted_speedup, summary } => {
                let _ = writeln!(out, "{}, predicted {predicted_speedup:.2} times as fast", summary.join(", "));
                for (id, plan) in kernels.plans() {
                    let _ = writeln!(out, "# {}: {plan}", scop.statements[id.0].name);
                }
                out.push_str(&text::print_tree(scop, schedule.tree()));
            }
        },
        Command::Loops => {
            let Selected { title, schedule, kernels } = stages.selected()?;
            let ast = stages.loops(&schedule, &kernels)?;
            let _ = writeln!(out, "// {title}");
            out.push_str(&codegen::print::print_with(scop, &ast, codegen::print::Names::Own));
        }
        Command::Certificate => {
            let Selected { title, schedule, .. } = stages.selected()?;
            let _ = writeln!(out, "# {title}");
            out.push_str(&text::print_certificate(scop, &stages.dependences, &schedule));
        }
        Command::Fuse => fuse::nests(args, stages, out)?,
        Command::Check => check(args, stages, out)?,
        Command::Run => {
            let Selected { schedule, kernels, .. } = stages.selected()?;
            let ast = stages.loops(&schedule, &kernels)?;
            let params = values(args, scop)?;
            verify::list(scop, &ast, &params, out)?;
        }
        Command::Verify => {
            let params = values(args, scop)?;
            let mut all: Vec<_> = stages.candidates()?.into_iter().map(|c| c.schedule).enumerate().collect();
            if let Some(k) = args.candidate {
                all.retain(|(number, _)| *number == k);
            }
            let chosen = stages.selected()?;
            for (k, schedule) in &all {
                verify::compare(
                    scop,
                    &format!("candidate {k}"),
                    &stages.loops(schedule, &ProvedKernels::default())?,
                    &params,
                    out,
                )?;
            }
            if args.candidate.is_none() {
                verify::compare(scop, "choice", &stages.loops(&chosen.schedule, &chosen.kernels)?, &params, out)?;
            }
        }
        Command::All => {}
    }
    Ok(())
}

/// Values of the parameters for which everything can be enumerated.
fn values(args: &Args, scop: &Scop) -> Result<Vec<i64>, Stop> {
    let params = args.values(&scop.params).map_err(Stop::Bad)?;
    match verify::obstacle(scop, &params)? {
        Some(why) => Err(Stop::Bad(why)),
        None => Ok(params),
    }
}

fn check(args: &Args, stages: &Stages<'_>, out: &mut String) -> Result<(), Stop> {
    let text = read(&args.certificate)?;
    let claim =
        text::parse_certificate(stages.scop, &stages.dependences, &text).map_err(|e| placed(&args.certificate, &e))?;
    match legality::recheck(stages.scop, &stages.dependences, claim.tree, &claim.proofs) {
        Ok(Ok(schedule)) => {
            let _ = writeln!(out, "proved: {} dependences", schedule.proofs().len());
            Ok(())
        }
        Ok(Err(refusal)) => Err(Stop::Refused(format!("refused: {refusal}"))),
        Err(e) => Err(Stop::Refused(format!("refused: {e}"))),
    }
}
