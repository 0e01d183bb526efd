//! The pass as a list of calls: raise, analyse, schedule, generate, lower; or print one of these stages.

use crate::llvm::{Analyses, host};
use crate::lower;
use crate::narrow;
use crate::options::{Options, Policy, Stage};
use crate::planner::{Chosen, Plan, Planner, Prepared, first_loop, generate, prepare, schedule};
use crate::raise::{self, Found, Raised};
use crate::remarks;
use crate::stats::{Meter, Phase};
use polyhedra::Budget;
use scheduler::choose::Choice;
use scheduler::dependence::{self, Dependences};
use scheduler::plan;
use scheduler::shift::Shifts;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a pass name asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// `loopwright`
    Transform,
    /// `print<loopwright-scop>`
    PrintScop,
    /// `print<loopwright-dependences>`
    PrintDependences,
    /// `print<loopwright-schedule>`
    PrintSchedule,
    /// `print<loopwright-ast>`
    PrintAst,
}

/// A parsed pass name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request<'n> {
    /// What to do.
    pub mode: Mode,
    /// Options as `NAME=VALUE;NAME`.
    pub params: &'n str,
}

impl<'n> Request<'n> {
    /// Reads a pass name: `loopwright`, `loopwright<...>`, `print<loopwright-STAGE>`, `print<loopwright-STAGE;...>`. `None` when it is not ours, an error when it is
    /// but the options in it are wrong.
    #[must_use]
    pub fn parse(name: &'n str) -> Option<Result<Self, String>> {
        let request = if let Some(inner) = name.strip_prefix("print<").and_then(|s| s.strip_suffix('>')) {
            let stage = inner.strip_prefix("loopwright-")?;
            let (stage, params) = stage.split_once(';').unwrap_or((stage, ""));
            let mode = match stage {
                "scop" => Mode::PrintScop,
                "dependences" => Mode::PrintDependences,
                "schedule" => Mode::PrintSchedule,
                "ast" => Mode::PrintAst,
                _ => return Some(Err(format!("nothing to print under the name '{inner}'"))),
            };
            Request { mode, params }
        } else {
            let rest = name.strip_prefix("loopwright")?;
            let params = match rest {
                "" => "",
                _ => rest.strip_prefix('<')?.strip_suffix('>')?,
            };
            Request { mode: Mode::Transform, params }
        };
        Some(Options::default().apply_list(request.params, ';').map(|()| request).map_err(|e| e.to_string()))
    }
}

/// The inverse of the part of the steps that is kept for writing what was planned.
const LOWERING: u64 = 5;

/// Runs a pass on a function; says whether the IR changed. Never unwinds: a panic leaves what is not finished undone and becomes a remark.
pub fn run(analyses: Analyses, name: &str) -> bool {
    let changed = Cell::new(false);
    let outcome = catch_unwind(AssertUnwindSafe(|| run_unguarded(analyses, name, &changed)));
    if let Err(panic) = outcome {
        let what = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("panic");
        remarks::internal(analyses, None, None, what);
    }
    changed.get()
}

fn run_unguarded(analyses: Analyses, name: &str, changed: &Cell<bool>) {
    let Some(Ok(request)) = Request::parse(name) else { return };
    let options = match Options::gather(request.params) {
        Ok(options) => options,
        Err(complaint) => {
            analyses.error(&format!("loopwright: {complaint}"));
            return;
        }
    };
    if analyses.wants_no_optimization() {
        return;
    }
    if request.mode == Mode::Transform && options.policy == Policy::Off {
        return;
    }
    // What is planned shall also be written.
    let budget = Budget::new(options.budget - options.budget / LOWERING);
    let meter = Meter::default();
    if request.mode == Mode::Transform && meter.phase(Phase::Narrow, &budget, || narrow::run(analyses, &budget)) {
        changed.set(true);
    }
    options.maybe_panic(Stage::Raise);
    let found = meter.phase(Phase::Raise, &budget, || raise::find(analyses, &options, &budget));
    let title = analyses.function().name();
    if request.mode != Mode::Transform {
        host::print(&format!("loopwright: function {title}\n"));
    }
    let mut regions = Vec::new();
    for nest in found {
        match nest {
            Found::Refused(l, reject) => {
                if request.mode == Mode::Transform {
                    remarks::refused(analyses, l, &reject);
                } else {
                    let detail = reject.kind.detail().map_or_else(String::new, |d| format!(" ({d})"));
                    host::print(&format!("refused: {}: {}{detail}\n", reject.kind.name(), reject.kind));
                }
            }
            Found::Raised(raised) if request.mode == Mode::Transform => regions.push(*raised),
            Found::Raised(raised) => print_region(analyses, &raised, request.mode, &options, &budget),
        }
    }
    // Everything is planned before anything is changed.
    let planner = Planner { analyses, options: &options, meter: &meter, budget: &budget };
    let plans = planner.plan_all(regions);
    let budget = budget.part(options.budget.saturating_sub(budget.spent()));
    for (raised, plan) in plans {
        meter.phase(Phase::Lower, &budget, || rewrite(analyses, &raised, &plan, &options, &budget, changed));
    }
    if options.stats && request.mode == Mode::Transform {
        host::print(&meter.print(&title, options.budget));
    }
}

/// Lowers one plan; takes it back when LLVM's verifier objects.
fn rewrite(analyses: Analyses, raised: &Raised, plan: &Plan, options: &Options, budget: &Budget, changed: &Cell<bool>) {
    let at = first_loop(raised);
    match lower::lower(analyses, raised, &plan.ast, options, budget) {
        Ok(lowered) => match analyses.verifier_complaint() {
            None => {
                remarks::transformed(analyses, at, &plan.summary, plan.speedup, lowered.checks);
                remarks::predicted(analyses, at, plan.source, plan.speedup);
                changed.set(true);
                lowered.committed.finish(analyses);
            }
            Some(complaint) => {
                lowered.committed.undo();
                remarks::internal(analyses, at, None, &complaint);
            }
        },
        Err(e) => remarks::left(analyses, at, &e.to_string()),
    }
}

fn print_region(analyses: Analyses, raised: &Raised, mode: Mode, options: &Options, budget: &Budget) {
    let text = || -> scheduler::Result<String> {
        if mode == Mode::PrintScop {
            return Ok(raise::print::print(raised));
        }
        if mode == Mode::PrintDependences {
            return Ok(dependence::print(&raised.scop, &Dependences::of(&raised.scop, budget)?));
        }
        let Prepared { part: coalesced, dependences } = prepare(raised, budget)?;
        let raised = coalesced.as_ref().unwrap_or(raised);
        if mode == Mode::PrintSchedule {
            let candidates = plan::candidates(&raised.scop, &dependences, budget)?;
            let shifts = Shifts::of(&raised.scop, &dependences, budget)?;
            let texts: Vec<String> =
                candidates.iter().map(|c| plan::print_candidate(&raised.scop, &shifts, c)).collect();
            return Ok(texts.join("\n"));
        }
        let Chosen { choice, part, .. } = schedule(analyses, raised, &dependences, options, &Meter::default(), budget)?;
        match choice {
            Choice::Leave { reason } => Ok(format!("left alone: {reason}\n")),
            Choice::Transform { schedule, kernels, summary, .. } => {
                let own = part.as_deref().unwrap_or(raised);
                let ast = generate(analyses, own, (&schedule, &kernels), options, budget)?;
                Ok(format!("{}\n{}", summary.join(", "), codegen::print::print(&own.scop, &ast)))
            }
        }
    };
    match text() {
        Ok(text) => host::print(&text),
        Err(e) => host::print(&format!("stopped: {e}\n")),
    }
}
