//! One loop for a loop and what lies side by side in it ([`scheduler::reroll::reroll_interleaved`]), where that is predicted to be faster than what was chosen without.

use super::{Chosen, machine, predicted, schedule};
use crate::llvm::Analyses;
use crate::options::{Fuse, Options, Policy};
use crate::raise::{Raised, alike};
use crate::stats::{Meter, Phase};
use polyhedra::Budget;
use scheduler::choose::{self, Choice};
use scheduler::dependence::Dependences;

/// What such loops must gain.
const WORTH: f64 = 1.25;

/// Sums of fewer terms that get memory of their own are as fast in the source (measured on filters of bytes of 3 colours, times clang's speed: 3 x 3 0.8, 5 x 5 1.5 to 2.0, 7 x 7 2.9 to 3.4).
const LEAST_OWN: i64 = 5;

/// What was done, in words.
const JOINED: &str = "neighbours joined in one loop";

/// A choice with such loops, if they pay: against what was chosen, and arrays told apart, `without` (how many times as fast as the source). `None`: there are none.
///
/// # Errors
/// Overflow, budget.
pub(super) fn schedule_interleaved(
    analyses: Analyses,
    (raised, dependences): (&Raised, &Dependences),
    without: [f64; 2],
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> scheduler::Result<Option<Chosen>> {
    let wanted = match options.policy {
        Policy::Auto | Policy::Kernels => true,
        Policy::Off | Policy::Force => false,
        Policy::Random => options.seed % 5 == 2,
    };
    if !wanted || options.fuse != Fuse::Auto {
        return Ok(None);
    }
    let joined = || alike::interleaved(analyses, raised, budget);
    let Some((joined, of_joined)) = meter.phase(Phase::Dependences, budget, joined)? else { return Ok(None) };
    let mut chosen = schedule(analyses, &joined, &of_joined, options, meter, budget)?;
    let machine = machine(analyses, options);
    let before = choose::source_cycles(&raised.scop, dependences, &machine, budget)?;
    let after = choose::source_cycles(&joined.scop, &of_joined, &machine, budget)?;
    let in_new_loops = before.zip(after).map(|(before, after)| before / after);
    if let (Choice::Leave { .. }, Some(gain)) = (&chosen.choice, in_new_loops) {
        let new = choose::in_its_order(&joined.scop, &of_joined, gain, JOINED, budget)?;
        let Some(choice) = new else { return Ok(None) };
        chosen.choice = choice;
    } else if let Choice::Transform { predicted_speedup, summary, .. } = &mut chosen.choice {
        *predicted_speedup *= in_new_loops.unwrap_or(1.0);
        summary.insert(0, JOINED.to_string());
    }
    let least = WORTH * without.into_iter().fold(1.0, f64::max);
    if options.policy == Policy::Auto && (in_new_loops.is_none() || predicted(&chosen.choice) < least) {
        return Ok(None);
    }
    if let (Policy::Auto, Choice::Transform { kernels, .. }) = (options.policy, &chosen.choice) {
        let part = chosen.part.as_deref().unwrap_or(&joined);
        for (&s, plan) in kernels.plans() {
            let array = part.scop.statements.get(s.0).map(|s| s.write().array);
            if plan.rows.is_empty() && array.and_then(|a| part.arrays.get(a.0)).is_some_and(|array| array.own) {
                chosen.worthwhile.extend(codegen::generate::at_least(&part.scop, s, LEAST_OWN, budget)?);
            }
        }
        chosen.worthwhile.dedup();
    }
    let part = chosen.part.or_else(|| Some(Box::new(joined)));
    Ok(Some(Chosen { part, ..chosen }))
}
