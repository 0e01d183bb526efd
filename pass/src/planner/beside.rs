//! Vectors of our own for statements side by side that store to neighbours ([`scheduler::reroll::reroll_rows`]), where LLVM is predicted to make gathers and scatters of them.

use super::{Chosen, machine, predicted};
use crate::llvm::Analyses;
use crate::options::{Fuse, Options, Policy};
use crate::raise::{Raised, alike};
use crate::stats::{Meter, Phase};
use polyhedra::Budget;
use scheduler::choose::beside::{self, Rows};
use scheduler::dependence::Dependences;

/// What such vectors must gain where LLVM scatters (measured on rows of 4 to 16 cells, updates, sums and products by one number: 5 to 27 times as fast).
const WORTH: f64 = 1.1;

/// The same of cells of eight bytes, and of four, where it does not: of the vectors that it has for few neighbours ("superword-level parallelism") the model knows nothing (measured on the same: eight bytes, said to be
/// 1.6 to 4, 1.3 to 2.9 times as fast; four, said to be 1.8 to 4.3, 0.64 to 2.0; shorter ones 0.3 to 1.0; copies 0.6 to 0.9).
const WORTH_OF_LONG: f64 = 1.5;
const WORTH_OF_WORDS: f64 = 5.0;

/// How much more than other ways, which are new loops, too, and leave statements side by side to LLVM (measured on products of 3 x 3 cells, where 3.6 and 3.0 are said: 6.5 and 9.4).
const WORTH_MORE: f64 = 1.2;

/// A choice with such vectors, if they pay: against what was chosen, and arrays told apart, `without` (how many times as fast as the source). `None`: there are none.
///
/// # Errors
/// Overflow, budget.
pub(super) fn schedule_rows(
    analyses: Analyses,
    (raised, dependences): (&Raised, &Dependences),
    without: [f64; 2],
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> scheduler::Result<Option<Chosen>> {
    let machine = machine(analyses, options);
    let wanted = match options.policy {
        // Others make vectors of statements side by side ("superword-level parallelism"), and nothing is scattered.
        Policy::Auto => machine.masks,
        Policy::Kernels | Policy::Off | Policy::Force => false,
        Policy::Random => options.seed % 5 == 4,
    };
    if !wanted || options.fuse != Fuse::Auto {
        return Ok(None);
    }
    let Some(rows) = alike::rerolled_rows(analyses, raised, machine.vector_bytes())? else { return Ok(None) };
    let of_rows = meter.phase(Phase::Dependences, budget, || Dependences::of(&rows.scop, budget))?;
    let choose = || beside::rows_in_lanes((&raised.scop, dependences), (&rows.scop, &of_rows), &machine, budget);
    let Some(Rows { choice, scattered }) = meter.phase(Phase::Choose, budget, choose)? else { return Ok(None) };
    let statements = &raised.scop.statements;
    let stored = statements.iter().map(|s| raised.scop.arrays[s.write().array.0].element_bytes).min();
    let worth = match stored.unwrap_or(0) {
        _ if scattered => WORTH,
        _ if statements.iter().all(|s| s.operations.0 == 0) => f64::INFINITY,
        8.. => WORTH_OF_LONG,
        4.. => WORTH_OF_WORDS,
        _ => f64::INFINITY,
    };
    let others = WORTH_MORE * without.into_iter().fold(0.0, f64::max);
    if options.policy == Policy::Auto && predicted(&choice) < worth.max(others) {
        return Ok(None);
    }
    Ok(Some(Chosen { choice, part: Some(Box::new(rows)), worthwhile: Vec::new() }))
}
