//! Where the steps and the time of a function go, for `-loopwright-stats`.

use polyhedra::Budget;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The phases of the pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Integers of fewer bits.
    Narrow,
    /// From IR to the model.
    Raise,
    /// Dependence polyhedra.
    Dependences,
    /// Candidates and their certificates.
    Schedule,
    /// Traversals of sequences of nests.
    Fuse,
    /// Search by predicted cost.
    Choose,
    /// Loops, registers, kernels.
    Generate,
    /// Back to IR.
    Lower,
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Self::Narrow => "narrow",
            Self::Raise => "raise",
            Self::Dependences => "dependences",
            Self::Schedule => "schedule",
            Self::Fuse => "fuse",
            Self::Choose => "choose",
            Self::Generate => "generate",
            Self::Lower => "lower",
        }
    }
}

/// Counts by phase.
#[derive(Debug, Default)]
pub struct Meter {
    phases: RefCell<BTreeMap<Phase, (u64, Duration)>>,
}

impl Meter {
    /// Runs something and books the steps it takes from the budget, and its time, on a phase.
    pub fn phase<T>(&self, phase: Phase, budget: &Budget, work: impl FnOnce() -> T) -> T {
        let (steps, start) = (budget.spent(), Instant::now());
        let result = work();
        let mut phases = self.phases.borrow_mut();
        let entry = phases.entry(phase).or_default();
        entry.0 = entry.0.saturating_add(budget.spent() - steps);
        entry.1 += start.elapsed();
        result
    }

    /// A table: a line a phase, then the sum.
    #[must_use]
    pub fn print(&self, function: &str, budget: u64) -> String {
        let phases = self.phases.borrow();
        let steps: u64 = phases.values().map(|p| p.0).fold(0, u64::saturating_add);
        let time: Duration = phases.values().map(|p| p.1).sum();
        let mut text = format!("loopwright: function {function}: {steps} of {budget} steps, {} us\n", time.as_micros());
        for (phase, (own, took)) in phases.iter() {
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "  {:<12} {own:>12} steps {:>3} % {:>10} us",
                phase.name(),
                u128::from(*own) * 100 / u128::from(steps.max(1)),
                took.as_micros()
            );
        }
        text
    }
}
