//! The stages, each computed once and only when asked for.

use crate::Stop;
use crate::args::Args;
use codegen::ast::Ast;
use polyhedra::Budget;
use scheduler::choose::{self, Choice, ChooseOptions};
use scheduler::dependence::Dependences;
use scheduler::kernel::ProvedKernels;
use scheduler::legality::LegalSchedule;
use scheduler::machine::Machine;
use scheduler::plan::{self, Candidate};
use scheduler::scop::Scop;
use scheduler::shift::Shifts;

/// What was asked for, or chosen.
pub struct Selected {
    /// For people.
    pub title: String,
    /// The order.
    pub schedule: LegalSchedule,
    /// How some of its nests are blocked.
    pub kernels: ProvedKernels,
}

/// A part with its dependences.
pub struct Stages<'a> {
    args: &'a Args,
    pub scop: &'a Scop,
    pub dependences: Dependences,
    pub budget: Budget,
}

impl<'a> Stages<'a> {
    pub fn new(args: &'a Args, scop: &'a Scop) -> Result<Self, Stop> {
        let budget = Budget::new(args.budget);
        let mut dependences = Dependences::of(scop, &budget)?;
        if args.updates {
            let other = choose::orders::order(scop, &dependences, &machine(args), args.policy, &budget)?;
            dependences = other.ok_or_else(|| Stop::Refused("there is no other order of updates".into()))?;
        }
        Ok(Self { args, scop, dependences, budget })
    }

    pub fn shifts(&self) -> Result<Shifts, Stop> {
        Ok(Shifts::of(self.scop, &self.dependences, &self.budget)?)
    }

    pub fn candidates(&self) -> Result<Vec<Candidate>, Stop> {
        Ok(plan::candidates(self.scop, &self.dependences, &self.budget)?)
    }

    pub fn choice(&self, candidates: &[Candidate]) -> Result<Choice, Stop> {
        let options = ChooseOptions { policy: self.args.policy, tile: self.args.tile.clone() };
        Ok(choose::choose(self.scop, &self.dependences, candidates, &machine(self.args), &options, &self.budget)?)
    }

    /// The candidate that was asked for, or the choice; where the source is left alone, the source order.
    pub fn selected(&self) -> Result<Selected, Stop> {
        let candidates = self.candidates()?;
        if let Some(k) = self.args.candidate {
            let Some(c) = candidates.get(k) else {
                let last = candidates.len().saturating_sub(1);
                return Err(Stop::Bad(format!("--candidate {k}: candidates are numbered from 0 to {last}")));
            };
            let (title, schedule) = (format!("candidate {k}"), c.schedule.clone());
            return Ok(Selected { title, schedule, kernels: ProvedKernels::default() });
        }
        match self.choice(&candidates)? {
            Choice::Transform { schedule, kernels, summary, .. } => {
                Ok(Selected { title: summary.join(", "), schedule, kernels })
            }
            Choice::Leave { reason } => match candidates.last() {
                Some(c) => {
                    let (title, schedule) = (format!("source order: {reason}"), c.schedule.clone());
                    Ok(Selected { title, schedule, kernels: ProvedKernels::default() })
                }
                None => Err(Stop::Refused(format!("no schedule: {reason}"))),
            },
        }
    }

    /// Loops with cells held in registers, micro-kernels and lanes.
    pub fn loops(&self, schedule: &LegalSchedule, kernels: &ProvedKernels) -> Result<Ast, Stop> {
        self.loops_of(self.scop, schedule, kernels)
    }

    /// [`Self::loops`] for a schedule of another part: this one with statements split.
    pub fn loops_of(&self, scop: &Scop, schedule: &LegalSchedule, kernels: &ProvedKernels) -> Result<Ast, Stop> {
        let ast = codegen::generate::generate(scop, schedule, kernels, &self.budget)?;
        let ast = codegen::registers::hold_cells(scop, ast, &self.budget)?;
        let ast = codegen::jam::jam(scop, ast, &machine(self.args), &self.budget)?;
        let ast = match schedule.keeps_order_of_updates() {
            true => codegen::starts::start_in_registers(scop, ast, &self.budget)?,
            false => ast,
        };
        let ast = codegen::lanes::vectorise_marked(scop, ast)?;
        Ok(codegen::joined::join(ast, &self.budget)?)
    }
}

fn machine(args: &Args) -> Machine {
    Machine::for_cpu(&args.cpu, 0, 0)
}
