//! The pass as a list of calls: raise, analyse, schedule, generate, lower; or print one of these stages.

use crate::llvm::{Analyses, Loop, host};
use crate::lower;
use crate::options::{Options, Policy, Stage};
use crate::raise::{self, Found, Raised};
use crate::remarks;
use codegen::ast::Ast;
use codegen::lanes;
use polyhedra::Budget;
use scheduler::choose::{Choice, ChooseOptions};
use scheduler::dependence::{self, Dependences};
use scheduler::kernel::ProvedKernels;
use scheduler::machine::Machine;
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
    let budget = Budget::new(options.budget);
    options.maybe_panic(Stage::Raise);
    let found = raise::find(analyses, &options, &budget);
    if request.mode != Mode::Transform {
        let title = analyses.function().name();
        host::print(&format!("loopwright: function {title}\n"));
    }
    // Everything is planned before anything is changed.
    let mut plans = Vec::new();
    for nest in &found {
        match nest {
            Found::Refused(l, reject) => {
                if request.mode == Mode::Transform {
                    remarks::refused(analyses, *l, reject);
                } else {
                    let detail = reject.kind.detail().map_or_else(String::new, |d| format!(" ({d})"));
                    host::print(&format!("refused: {}: {}{detail}\n", reject.kind.name(), reject.kind));
                }
            }
            Found::Raised(raised) => {
                if request.mode == Mode::Transform {
                    if let Some(plan) = plan_region(analyses, raised, &options, &budget) {
                        plans.push((raised, plan));
                    }
                } else {
                    print_region(analyses, raised, request.mode, &options, &budget);
                }
            }
        }
    }
    for (raised, plan) in plans {
        rewrite(analyses, raised, &plan, &options, &budget, changed);
    }
}

/// What is to become of a region.
struct Plan {
    ast: Ast,
    summary: Vec<String>,
    speedup: f64,
}

fn first_loop(raised: &Raised) -> Option<Loop> {
    raised.region.loops.first().copied()
}

fn machine(analyses: Analyses, options: &Options) -> Machine {
    let cpu = options.cpu.clone().unwrap_or_else(|| analyses.attribute("target-cpu"));
    let mut machine = Machine::for_cpu(&cpu, analyses.vector_bits(), analyses.vector_registers());
    // Vectors of our own may be wider than those that LLVM prefers, but not than the registers.
    if !analyses.attribute("target-features").contains("+avx512f") {
        machine.widest_bits = machine.vector_bits;
    }
    machine.l1_bytes = options.l1.unwrap_or(machine.l1_bytes);
    machine.l2_bytes = options.l2.unwrap_or(machine.l2_bytes);
    machine.l3_bytes = options.l3.unwrap_or(machine.l3_bytes);
    machine
}

fn schedule(
    analyses: Analyses,
    raised: &Raised,
    dependences: &Dependences,
    options: &Options,
    budget: &Budget,
) -> scheduler::Result<Choice> {
    let candidates = plan::candidates(&raised.scop, dependences, budget)?;
    let choose = ChooseOptions {
        policy: match options.policy {
            Policy::Auto | Policy::Off => scheduler::choose::Policy::Auto,
            Policy::Force => scheduler::choose::Policy::Force,
            Policy::Kernels => scheduler::choose::Policy::Kernels,
            Policy::Random => scheduler::choose::Policy::Random(options.seed),
        },
        tile: options.tile.clone(),
    };
    scheduler::choose::choose(&raised.scop, dependences, &candidates, &machine(analyses, options), &choose, budget)
}

fn generate(
    raised: &Raised,
    schedule: &scheduler::legality::LegalSchedule,
    kernels: &ProvedKernels,
    options: &Options,
    budget: &Budget,
) -> scheduler::Result<Ast> {
    let ast = codegen::generate::generate(&raised.scop, schedule, kernels, budget)?;
    let ast = codegen::registers::hold_cells(&raised.scop, ast, budget)?;
    let ast = codegen::jam::jam(&raised.scop, ast, budget)?;
    let Some(width) = options.lanes else { return Ok(ast) };
    let shape = lanes::Shape { width, masked: options.mask, pack: options.pack };
    lanes::vectorise(&raised.scop, ast, shape)
}

/// Analyses and schedules one region, generates its loops. `None`: it stays as it is, and a remark has said why.
fn plan_region(analyses: Analyses, raised: &Raised, options: &Options, budget: &Budget) -> Option<Plan> {
    let at = first_loop(raised);
    let planned = || -> scheduler::Result<Option<Plan>> {
        options.maybe_panic(Stage::Dependences);
        let dependences = Dependences::of(&raised.scop, budget)?;
        options.maybe_panic(Stage::Schedule);
        match schedule(analyses, raised, &dependences, options, budget)? {
            Choice::Leave { reason } => {
                remarks::left(analyses, at, &reason.to_string());
                Ok(None)
            }
            Choice::Transform { schedule, kernels, predicted_speedup, summary } => {
                options.maybe_panic(Stage::Ast);
                let ast = generate(raised, &schedule, &kernels, options, budget)?;
                remarks::explain(analyses, at, "Loops", &codegen::print::print(&raised.scop, &ast));
                Ok(Some(Plan { ast, summary, speedup: predicted_speedup }))
            }
        }
    };
    match planned() {
        Ok(plan) => plan,
        Err(e) => {
            remarks::left(analyses, at, &e.to_string());
            None
        }
    }
}

/// Lowers one plan; takes it back when LLVM's verifier objects.
fn rewrite(analyses: Analyses, raised: &Raised, plan: &Plan, options: &Options, budget: &Budget, changed: &Cell<bool>) {
    let at = first_loop(raised);
    match lower::lower(analyses, raised, &plan.ast, options, budget) {
        Ok(lowered) => match analyses.verifier_complaint() {
            None => {
                remarks::transformed(analyses, at, &plan.summary, plan.speedup, lowered.checks);
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
        let dependences = Dependences::of(&raised.scop, budget)?;
        if mode == Mode::PrintDependences {
            return Ok(dependence::print(&raised.scop, &dependences));
        }
        if mode == Mode::PrintSchedule {
            let candidates = plan::candidates(&raised.scop, &dependences, budget)?;
            let shifts = Shifts::of(&raised.scop, &dependences, budget)?;
            let texts: Vec<String> =
                candidates.iter().map(|c| plan::print_candidate(&raised.scop, &shifts, c)).collect();
            return Ok(texts.join("\n"));
        }
        match schedule(analyses, raised, &dependences, options, budget)? {
            Choice::Leave { reason } => Ok(format!("left alone: {reason}\n")),
            Choice::Transform { schedule, kernels, summary, .. } => {
                let ast = generate(raised, &schedule, &kernels, options, budget)?;
                Ok(format!("{}\n{}", summary.join(", "), codegen::print::print(&raised.scop, &ast)))
            }
        }
    };
    match text() {
        Ok(text) => host::print(&text),
        Err(e) => host::print(&format!("stopped: {e}\n")),
    }
}
