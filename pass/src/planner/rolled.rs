//! Loops for sums that LLVM has unrolled, where kernels for them are predicted to be faster than what was chosen without.
//!
//! What the source takes is hard to say there: it depends on what LLVM makes of code without loops. Known is that it makes no vectors of few iterations where arrays may meet
//! ([`scheduler::choose::source_cycles_unless_apart`]); the rest is measured.

use super::{Chosen, machine, schedule_as_it_is};
use crate::llvm::Analyses;
use crate::options::{Fuse, Options, Policy};
use crate::raise::{self, Raised, unrolled};
use crate::stats::{Meter, Phase};
use polyhedra::{Affine, Budget};
use scheduler::choose::{self, Choice};
use scheduler::dependence::Dependences;
use scheduler::scop::{Scop, Statement, StatementId};

/// What loops instead of unrolled sums must gain.
const WORTH_ROLLING: f64 = 1.25;

/// The same of terms that do not all run in the same iterations: what is predicted for loops over them one by one they do not reach, and kernels do (measured on filters with borders: 1.5 to 3.8 times as fast
/// where 1.0 to 1.4 times is predicted).
const WORTH_ROLLING_BORDERS: f64 = 0.95;

/// Unrolled sums take so many times as long as the model says where LLVM has loaded operands ahead of the loop. Where vectors are long it makes them of rows then, with gathers and scatters; short ones of the
/// terms of neighbouring columns (measured on products of 5 to 9 rows: 1.7 to 4.1, 0.4 to 1.2).
const UNROLLED_AHEAD: f64 = 1.75;
const UNROLLED_AHEAD_SHORT: f64 = 0.75;

/// The same for all others (measured on products of 10 to 40 rows: 0.7 to 1.1 where there are masks, 0.7 to 0.8 on short vectors).
const UNROLLED: f64 = 1.0;
const UNROLLED_SHORT: f64 = 0.75;

/// The same where statements are side by side, which become vectors if these are short (measured on products of 4 to 8 rows for all points: 0.1 to 0.25).
const SIDE_BY_SIDE_SHORT: f64 = 0.35;

/// Vectors of so many bits are long.
const LONG_BITS: u32 = 512;

/// Kernels of so few iterations take this part of what the model says, unless vectors are put together cell by cell: one begins before the other has ended (measured on the same: 0.5 to 0.75; of many in a
/// loop 0.3).
const SHORT_KERNELS: f64 = 0.65;

/// The same of others that are put together cell by cell (measured on points times a transposed matrix of 4 to 8 rows: 2.3 to 2.8).
const SCATTERED_KERNELS: f64 = 3.0;

/// The same of short ones, where there are twice as many cells in a vector (measured: 2.6 to 3.5; with half as many 0.8 to 2.6, and the sources take longer, too).
const NARROW_SCATTERED_KERNELS: f64 = 2.0;

/// Products of long matrices with fewer terms are left to LLVM's vectors, which have all operands in registers (measured on products, distances and products with transposed matrices of n by n cells on Zen 4,
/// and the same for Haswell: 4 and 5 terms 0.3 to 1.6, 8 terms 0.9 to 5.6, 12 terms and more 1.15 to 17).
const LEAST_TERMS: i64 = 8;

/// With so many it is enough to be as good as tiles of the unrolled sums (measured: those 0.6 to 1.6, kernels 1.15 to 2.2 times as fast as the source).
const MANY_TERMS: i64 = 12;

/// What kernels whose vectors are put together cell by cell must gain over lanes of unrolled sums.
const WORTH_MORE_THAN_LANES: f64 = 1.1;

/// The same where the operands of a sum leave fewer registers than these to the lanes, so that they are loaded again and again (measured: lanes take 1.0 to 1.6 times as long as predicted, kernels 0.65 to 0.95).
const WORTH_MORE_THAN_FULL: f64 = 0.85;
const LEAST_LEFT: i64 = 8;

/// What kernels for sums of rows that are no less than a line must gain: in LLVM's loops one term waits for the other (measured on rows of 8 to 32 doubles and 16 and 32 floats on Zen 4, and the same for Haswell:
/// 1.3 to 4.5 times as fast where 0.7 to 1.4 times is predicted; rows of 8 floats 0.7 to 1.3).
const WORTH_ROLLING_ROWS: f64 = 0.65;
const LINE: i64 = 64;

/// Cycles that checks take.
const CHECKS: f64 = 10.0;

/// A choice with such loops, if they pay: against what was chosen, and arrays told apart, `without` (how many times as fast as the source). `None`: there are none.
///
/// # Errors
/// Overflow, budget.
pub(super) fn schedule_rolled(
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
        Policy::Random => options.seed % 3 == 2,
    };
    if !wanted || options.fuse != Fuse::Auto {
        return Ok(None);
    }
    let reading = meter.phase(Phase::Raise, budget, || raise::reading(analyses, raised, options, budget));
    let loops_of = |from: &Raised| meter.phase(Phase::Dependences, budget, || unrolled::rolled(analyses, from, budget));
    let read = reading.as_ref().map(loops_of).transpose()?.flatten();
    let is_read = read.is_some();
    let rolled = match read {
        Some(rolled) => Some(rolled),
        None => loops_of(raised)?,
    };
    let Some(rolled) = rolled else { return Ok(None) };
    let of_loops = meter.phase(Phase::Dependences, budget, || Dependences::of(&rolled.scop, budget))?;
    let mut chosen = schedule_as_it_is(analyses, &rolled, &of_loops, options, meter, budget)?;
    let Choice::Transform { kernels, predicted_speedup, .. } = &mut chosen.choice else { return Ok(None) };
    let machine = machine(analyses, options);
    let is_apart = raised.checks.pairs.is_empty();
    let pairs = raised.arrays_to_tell_apart();
    let before = choose::source_cycles_unless_apart(&raised.scop, dependences, &pairs, &machine, budget)?;
    let after = choose::source_cycles(&rolled.scop, &of_loops, &machine, budget)?;
    let is_scattered = kernels.plans().values().any(|plan| plan.scattered);
    let is_long = machine.widest_bits >= LONG_BITS;
    let side_by_side = raised.scop.statements.len() > rolled.scop.statements.len();
    let unrolled = match (is_apart, is_read, is_long) {
        (false, _, _) => 1.0,
        (true, true, true) => UNROLLED_AHEAD,
        (true, true, false) => UNROLLED_AHEAD_SHORT,
        (true, false, true) => UNROLLED,
        (true, false, false) if side_by_side => SIDE_BY_SIDE_SHORT,
        (true, false, false) => UNROLLED_SHORT,
    };
    let checks = if rolled.checks.pairs.is_empty() { 0.0 } else { CHECKS };
    // Whatever runs them: where no size has to be large enough all loops of a kernel are of constant length.
    let is_short = rolled.scop.params.is_empty() || kernels.plans().values().all(|plan| plan.worthwhile.is_empty());
    let is_narrow = rolled.scop.arrays.iter().all(|a| a.element_bytes < 8);
    let products = Products::of(&rolled.scop, kernels.plans().keys().copied(), budget)?;
    let part = match (is_short, is_scattered) {
        _ if products.are_long && !has_borders(&raised.scop) => 1.0,
        (true, false) => SHORT_KERNELS,
        (false, true) => SCATTERED_KERNELS,
        (true, true) if is_narrow => NARROW_SCATTERED_KERNELS,
        _ => 1.0,
    };
    let source = before.map(|before| unrolled * before);
    let cycles = after.map(|after| part * after / *predicted_speedup + checks);
    if options.policy == Policy::Auto {
        let (Some(source), Some(cycles)) = (source, cycles) else { return Ok(None) };
        if kernels.plans().is_empty() {
            return Ok(None);
        }
        let best = without.into_iter().fold(1.0, f64::max);
        let pays = if has_borders(&raised.scop) {
            source / best >= WORTH_ROLLING_BORDERS * cycles
        } else if products.are_long {
            let more = products.worth_more_than_unrolled(is_scattered, i64::from(machine.vector_registers));
            let unrolled = before.map_or(source, |before| before / best);
            let worth = if products.are_rows { WORTH_ROLLING_ROWS } else { WORTH_ROLLING };
            products.terms >= LEAST_TERMS && source >= worth * cycles && unrolled >= more.min(worth) * cycles
        } else {
            source / best >= WORTH_ROLLING * cycles
        };
        if !pays {
            return Ok(None);
        }
    }
    *predicted_speedup = source.zip(cycles).map_or(0.0, |(source, cycles)| source / cycles);
    let part = chosen.part.or_else(|| Some(Box::new(rolled)));
    Ok(Some(Chosen { part, ..chosen }))
}

/// The sums that kernels are for.
struct Products {
    /// The most terms of known number.
    terms: i64,
    /// Are all loops over cells of unknown length?
    are_long: bool,
    /// Is there one such loop, whose sums are each of a line or more?
    are_rows: bool,
}

impl Products {
    fn of(scop: &Scop, kernels: impl Iterator<Item = StatementId>, budget: &Budget) -> scheduler::Result<Self> {
        let mut out = Self { terms: 1, are_long: true, are_rows: true };
        for id in kernels {
            let s = &scop.statements[id.0];
            let (mut terms, mut loops) = (1i64, 0);
            for d in 0..s.depth() {
                let lengths = codegen::generate::extents_along(scop, (id, d), budget)?;
                let known = lengths.iter().filter(|n| n.is_constant()).map(Affine::constant_term).min();
                if s.write().subscripts.iter().any(|e| e.dim_coeff(d) != 0) {
                    out.are_long &= known.is_none();
                    loops += 1;
                } else {
                    terms = terms.saturating_mul(known.unwrap_or(1));
                }
            }
            out.terms = out.terms.max(terms);
            let cell = i64::try_from(scop.arrays[s.write().array.0].element_bytes).unwrap_or(1);
            out.are_rows &= loops == 1 && terms.saturating_mul(cell) >= LINE;
        }
        Ok(out)
    }

    /// How much better they must be said to be than the best form of unrolled sums.
    fn worth_more_than_unrolled(&self, is_scattered: bool, registers: i64) -> f64 {
        match is_scattered {
            true if self.terms.saturating_add(LEAST_LEFT) >= registers => WORTH_MORE_THAN_FULL,
            true => WORTH_MORE_THAN_LANES,
            false if self.terms >= MANY_TERMS => 1.0,
            false => WORTH_ROLLING,
        }
    }
}

/// Are there terms of one sum, side by side, that run in different iterations?
fn has_borders(scop: &Scop) -> bool {
    let is_update = |s: &Statement| {
        let write = s.write();
        s.reads().iter().any(|r| r.array == write.array && r.subscripts == write.subscripts)
    };
    let beside = |a: &Statement, b: &Statement| {
        let in_one_loop = a.beta.split_last().map(|x| x.1) == b.beta.split_last().map(|x| x.1);
        in_one_loop && a.write().array == b.write().array && a.write().subscripts == b.write().subscripts
    };
    let updates: Vec<&Statement> = scop.statements.iter().filter(|s| is_update(s)).collect();
    updates.windows(2).any(|pair| matches!(pair, [a, b] if beside(a, b) && a.domain != b.domain))
}
