//! Chooses the tree that will run, or leaves the source alone.
//!
//! **Problem.** The planner gives a few legal schedules, found for their fusion and their bands. What runs fast also depends on the order of loops, on what
//! shares a loop with what, and on tiles; and often the source is good as it is. A nest that we slow down is a bug.
//!
//! **Method.** A beam search over rewritings of the candidates ([`proposals`]), by predicted cycles ([`crate::cost`]):
//! 1. every candidate, with the best order of loops for each nest, one nest after the other;
//! 2. sequences moved outwards over loops (distribution) or inwards (embedding, fusion), each followed by 1, from the best few, a few times;
//! 3. tile sizes for the permutable bands of the best few, where tiles are predicted to pay.
//!
//! The most promising are proved by [`crate::legality::prove`] until one holds. Under [`Policy::Auto`] it must beat the source by [`THRESHOLD`].
//!
//! **Same program, same tree.** Costs are compared after rounding, ties are broken by simplicity of the code and then by the structure that arrays see through
//! their subscripts, never by the number of a source loop; so all six loop orders of a matrix product end alike.

mod abreast;
pub mod assemble;
pub mod beside;
pub mod kernels;
mod lanes;
mod neighbours;
pub mod orders;
pub mod planes;
pub mod proposals;
pub mod search;
mod strips;
pub mod words;

use crate::Result;
use crate::cost::shape::{Shapes, typical_size};
use crate::cost::window::window_sizes;
use crate::cost::{Estimate, InnerLoop, Model};
use crate::dependence::Dependences;
use crate::kernel::{self, Kernels, ProvedKernels, Strip};
use crate::legality::{self, LegalSchedule, Verdict};
use crate::machine::Machine;
use crate::plan::Candidate;
use crate::scop::{ArrayId, Scop, Statement, StatementId};
use crate::tree::Node;
use assemble::{Kerneled, Rank};
use lanes::Spread;
use polyhedra::{Affine, Budget};
use search::Search;
use std::collections::BTreeSet;
use std::fmt;
use strips::Swept;

/// The source must be predicted to take this many times as long as what replaces it: the model's margin of error.
pub const THRESHOLD: f64 = 1.25;

/// The same where data decide of what is stored: nobody knows how often it is (measured on sums by class and products with many zeros, said to be 1.7 and 1.8 times as fast: 0.3 to 0.9).
const THRESHOLD_OF_CHANCE: f64 = 2.0;

/// The same where there are no masks, and of what is computed for all to choose from, too (measured for Haswell and x86-64 on sums and counts by class, of what is no NaN, within a distance, of larger and smaller
/// ones, said to be 1.7 to 3.1 times as fast: 0.5 to 0.9).
const THRESHOLD_OF_CHANCE_UNMASKED: f64 = 3.2;

/// The same of lanes, which have masks (measured on products of rows that data choose, said to be 1.3 times as fast: 0.6, and 3.5 where the core cannot foresee the branches; said to be 2.6: 2.8 to 24).
const THRESHOLD_OF_CHANCE_IN_LANES: f64 = 1.5;

/// The same where all that changes is that arrays are known to be apart.
const WORTH_TELLING: f64 = 1.2;

/// Kernels are rather taken than lanes or rows abreast, which want long loops inside, even where they take so many times as long.
const RATHER_KERNELS: f64 = 1.25;

/// Cycles that must be gained so: checks take some.
const LEAST_TELLING: f64 = 40.0;

/// What is said of new loops in the order of the source, where LLVM cannot tell accesses of one array apart.
const TOLD_APART: &str = "accesses told apart";

/// The same where statements run or not as counters say.
const WITHOUT_CONDITIONS: &str = "conditions on counters taken out of loops";

/// Nests of pieces are as good as a tree that takes this part less: their loops are simpler.
const AS_GOOD: f64 = 1.1;

/// Iterations of short loops.
const SHORT_GATHERS: f64 = 16.0;

/// Parameters with which matrices fit into the second level of every machine.
const IN_CACHES: i64 = 150;

/// Steps that the model may take altogether, at most half of all. The search is content with what it has when it has taken half of them.
const MODEL_STEPS: u64 = 40_000_000;

/// Parts of constant sizes that take fewer cycles than this altogether are not worth code.
pub const SMALLEST: f64 = 2000.0;

/// With kernels they are from here on: the model knows what these take.
pub const SMALLEST_WITH_KERNELS: f64 = 250.0;

/// Proposals that are proved at most.
const MOST_PROOFS: usize = 8;

/// Trees with the lowest costs that are looked at for strips.
const SWEPT: usize = 2;

/// Strips must be predicted to take less than this part of the time of loops without.
const CLEARLY: f64 = 0.85;

/// Trees with the lowest costs, and families of trees, that are looked at for kernels.
const BEST_WITH_KERNELS: usize = 4;

/// How to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// By predicted cost, and only with a clear gain.
    #[default]
    Auto,
    /// The first candidate as it is: for tests.
    Force,
    /// Micro-kernels wherever they can be made, whatever they cost: for tests.
    Kernels,
    /// Any legal tree, by this seed: for fuzzing.
    Random(u64),
}

/// What the caller wants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChooseOptions {
    /// How to choose.
    pub policy: Policy,
    /// Tile sizes for every permutable band, in turn (`Force` only).
    pub tile: Option<Vec<i64>>,
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug)]
pub enum Choice {
    /// Run this instead.
    Transform {
        /// The tree, proved.
        schedule: LegalSchedule,
        /// How some of its nests are blocked for registers and caches.
        kernels: ProvedKernels,
        /// Predicted time of the source over predicted time of this; 0 where nobody knows.
        predicted_speedup: f64,
        /// What was done, in words for users.
        summary: Vec<String>,
    },
    /// Leave the source as it is.
    Leave {
        /// Why.
        reason: LeaveReason,
    },
}

/// Why a part is left alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LeaveReason {
    /// There are no loops.
    NoLoops,
    /// The loops run too few iterations to matter.
    TripCountsTooSmall,
    /// Nothing better than the source was found.
    AlreadyBest,
    /// The gain is too small to be certain.
    NoGain {
        /// Predicted time of the source over that of the best found.
        predicted: f64,
    },
    /// None of the better ones could be proved correct.
    NothingProved,
}

impl fmt::Display for LeaveReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLoops => f.write_str("there is no loop to transform"),
            Self::TripCountsTooSmall => f.write_str("the loops run too few iterations for a transformation to pay"),
            Self::AlreadyBest => f.write_str("the loops are already in the best form found"),
            Self::NoGain { predicted } => {
                write!(
                    f,
                    "the best form found is predicted to be only {predicted:.2} times as fast, which is not certain enough"
                )
            }
            Self::NothingProved => f.write_str("no better form could be proved correct"),
        }
    }
}

/// Chooses. `candidates` as from [`crate::plan::candidates`]: legal, the best fused one first, the source's order last.
///
/// # Errors
/// Overflow, budget, malformed trees.
pub fn choose(
    scop: &Scop,
    dependences: &Dependences,
    candidates: &[Candidate],
    machine: &Machine,
    options: &ChooseOptions,
    budget: &Budget,
) -> Result<Choice> {
    let Some(first) = candidates.first() else { return Ok(Choice::Leave { reason: LeaveReason::NoLoops }) };
    if scop.statements.iter().all(|s| s.depth() == 0) {
        return Ok(Choice::Leave { reason: LeaveReason::NoLoops });
    }
    // A budget of its own: a part that is hard to search shall not use up what code generation needs.
    let steps = budget.part(MODEL_STEPS.min(budget.left() / 2));
    let typical = Model::new(scop, dependences, machine, &steps)?;
    // Where borders are pieces of their own, windows as large as what they go over would be borders and nothing else.
    let small = scop.statements.iter().any(|s| s.sought.reads > 0).then(|| typical.with_small_windows());
    let model = small.as_ref().unwrap_or(&typical);
    let task = Task { scop, dependences, model, budget, original: dependences.original(scop) };
    let choice = match options.policy {
        Policy::Auto => task.auto(candidates),
        Policy::Force => task.force(first, options.tile.as_deref().unwrap_or_default()),
        Policy::Kernels => task.kernels(candidates, first),
        Policy::Random(seed) => task.random(candidates, first, seed),
    };
    budget.spend(steps.spent())?;
    choice
}

/// What is said to take so many times as long as the source is not done by chance either: loops over all that lies between cells far apart do not end while anybody waits.
const SLOWEST: f64 = 1000.0;

/// Rows abreast that share what they read must beat the source by this, where all is in the second level (measured on stencils of 5 points: predicted 1.28, as fast as before there).
const THRESHOLD_OF_NEIGHBOURS: f64 = 1.3;

/// So many lanes at most have a short rest in rows that are in caches.
const FEW_LANES: u32 = 16;

/// Sizes of problems from which lanes may be said to pay.
const SIZES_OF_LANES: [i64; 8] = [16, 24, 32, 48, 64, 96, 128, 192];

/// They pay where the source takes so many times as long.
const GAIN_OF_LANES: f64 = 1.15;

/// Shorter loops inside of lanes, of so many rows.
const LENGTHS_IN_LANES: [i64; 5] = [2, 3, 4, 8, 12];
const ROWS_IN_LANES: i64 = 48;

/// The size from which a tree with lanes or rows abreast is faster than the source, as far as the model knows. `along`: the parameter that counts the iterations of the innermost loop, and how many more there
/// are; of these few are enough where the gain is large, but no fewer than `fewest`.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn lanes_pay_from(
    (scop, dependences): (&Scop, &Dependences),
    tree: &Node,
    (along, fewest): (Option<(usize, i64)>, i64),
    machine: &Machine,
    budget: &Budget,
) -> Result<i64> {
    let model = Model::new(scop, dependences, machine, budget)?;
    let original = dependences.original(scop);
    if let Some((p, more)) = along {
        let rows = model.with_size(ROWS_IN_LANES)?;
        for length in LENGTHS_IN_LANES.into_iter().filter(|length| *length >= fewest) {
            let model = rows.with_param(p, length.saturating_sub(more));
            if let (Some(source), Some(lanes)) = (model.source(&original)?, model.estimate(tree)?)
                && source.cycles >= GAIN_INSIDE * (lanes.cycles + lanes.doubtful)
            {
                return Ok(length);
            }
        }
    }
    for size in SIZES_OF_LANES {
        let model = model.with_size(size)?;
        if let (Some(source), Some(lanes)) = (model.source(&original)?, model.estimate(tree)?)
            && source.cycles >= GAIN_OF_LANES * lanes.cycles
        {
            return Ok(size);
        }
    }
    Ok(SIZES_OF_LANES[SIZES_OF_LANES.len() - 1])
}

/// Numbers of iterations from which loops may be said to pay that were outside and are innermost. With more of them they do (measured on sums and updates that are repeated `t` times, in the innermost
/// loop then: 8 times 0.06, 32 times 0.8, 64 times 1.1 times as fast).
const LENGTHS_INSIDE: [i64; 6] = [8, 12, 16, 24, 32, 48];

/// They pay with fewer than the last where the source takes so many times as long.
const GAIN_INSIDE: f64 = 2.0;

/// With how many iterations a loop that is innermost in a tree, and was not in the source, is faster than the source. `along`: the parameter that counts them, and how many more there are.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn inside_pays_from(
    (scop, dependences): (&Scop, &Dependences),
    tree: &Node,
    along: Option<(usize, i64)>,
    machine: &Machine,
    budget: &Budget,
) -> Result<i64> {
    let [shorter @ .., most] = LENGTHS_INSIDE;
    let Some((p, more)) = along else { return Ok(most) };
    let model = Model::new(scop, dependences, machine, budget)?;
    let original = dependences.original(scop);
    for length in shorter {
        let model = model.with_param(p, length.saturating_sub(more));
        if let (Some(source), Some(inside)) = (model.source(&original)?, model.estimate(tree)?)
            && source.cycles >= GAIN_INSIDE * (inside.cycles + inside.doubtful)
        {
            return Ok(length);
        }
    }
    Ok(most)
}

/// Sizes of problems from which tiles may be said to pay, and a size that is too large for most.
const SIZES_OF_TILES: [i64; 8] = [32, 64, 128, 256, 512, 1024, 2048, 4096];

/// They pay where the source takes so many times as long.
const GAIN_OF_TILES: f64 = 1.1;

/// The size from which a tree with tiles is faster than the source, as far as the model knows. Elsewhere half of a cache is left out of account, which may be taken by others; here that would be the wrong side to
/// err on (measured on sums of four to twelve products, whose operands are said to leave the first level at half its size: tiles 0.6 to 0.95 times as fast as the source until they fill it, then up to 1.9).
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn tiles_pay_from(
    (scop, dependences): (&Scop, &Dependences),
    tree: &Node,
    machine: &Machine,
    budget: &Budget,
) -> Result<i64> {
    let (l1_bytes, l2_bytes) = (machine.l1_bytes.saturating_mul(2), machine.l2_bytes.saturating_mul(2));
    let roomy = Machine { l1_bytes, l2_bytes, ..machine.clone() };
    let model = Model::new(scop, dependences, machine, budget)?;
    let original = dependences.original(scop);
    let [smaller @ .., most] = SIZES_OF_TILES;
    for size in smaller {
        let model = model.with(size, &roomy)?;
        let (Some(source), Some(tiled)) = (model.source(&original)?, model.estimate(tree)?) else { return Ok(size) };
        if source.cycles >= GAIN_OF_TILES * (tiled.cycles + tiled.doubtful) {
            return Ok(size);
        }
    }
    Ok(most)
}

/// The source in new loops, which know what is apart, where it has to load and store again and again what they keep in registers: statements side by side, such as those of small matrices whose loops
/// are gone. LLVM makes vectors of them then, too. `pairs`: the arrays that may meet, as far as LLVM knows. It may also see no vectors because accesses of one array seem to meet. `None`: that is not
/// said to pay.
///
/// # Errors
/// Overflow, budget.
pub fn told_apart(
    scop: &Scop,
    dependences: &Dependences,
    pairs: &[(ArrayId, ArrayId)],
    machine: &Machine,
    budget: &Budget,
) -> Result<Option<Choice>> {
    // What is done outside of the loops in the source, but under a condition, would be done in them, and all that data choose of.
    if scop.statements.iter().any(|s| s.is_conditional() || !s.decided_by.is_empty()) {
        return Ok(None);
    }
    let model = Model::new(scop, dependences, machine, budget)?;
    let original = dependences.original(scop);
    if scop.statements.iter().any(|s| s.sought.reads > 0)
        && let Some(choice) = in_pieces((scop, dependences), &model, &original, budget)?
    {
        return Ok(Some(choice));
    }
    let (Some(apart), Some(source)) = (model.estimate(&original)?, model.source(&original)?) else { return Ok(None) };
    // Nothing else changes: where memory is slower, which depends on sizes, little is gained, but nothing lost.
    let compute: f64 = apart.inner.iter().map(|inner| inner.compute).sum::<f64>() + apart.straight + apart.overhead;
    // Of short loops whose cells lie apart it would make long vectors, with gathers and scatters, where nothing else is around them (measured: 0.6 to 0.8 times as fast).
    let alone = scop.params.is_empty() && machine.masks;
    let gathers = |inner: &InnerLoop| alone && inner.strided && inner.trips <= SHORT_GATHERS;
    let gained = |(apart, source): (&InnerLoop, &InnerLoop)| {
        let without_vectors = source.compute - apart.compute;
        let met = if may_meet(scop, &apart.statements, pairs) { apart.repeated } else { 0.0 };
        if source.handed_on < 0.0 { source.handed_on } else { without_vectors.max(met).max(source.handed_on) }
    };
    let both = apart.inner.iter().zip(&source.inner).filter(|(inner, _)| !gathers(inner));
    let gained: f64 = both.map(gained).sum();
    let predicted_speedup = (compute + gained) / compute.max(1.0);
    if predicted_speedup < WORTH_TELLING || gained < LEAST_TELLING {
        return Ok(None);
    }
    let what = match (!pairs.is_empty(), source.inner.iter().any(|inner| inner.branches)) {
        (_, true) => WITHOUT_CONDITIONS,
        (true, false) => "arrays told apart",
        (false, false) => TOLD_APART,
    };
    in_its_order(scop, dependences, predicted_speedup, what, budget)
}

/// The source with a nest for each piece of what it finds by minima, remainders and the like: inside of borders nothing is to be sought. `None`: the pieces need each other, or it is not said to pay.
fn in_pieces(
    (scop, dependences): (&Scop, &Dependences),
    model: &Model<'_>,
    original: &Node,
    budget: &Budget,
) -> Result<Option<Choice>> {
    let pieces = assemble::split(model, original)?;
    let compute = |e: &Estimate| e.inner.iter().map(|inner| inner.compute).sum::<f64>() + e.straight + e.overhead;
    let (Some(apart), Some(source)) = (model.estimate(&pieces)?, model.source(original)?) else { return Ok(None) };
    let (apart, source) = (compute(&apart), compute(&source));
    let predicted_speedup = source / apart.max(1.0);
    if predicted_speedup < WORTH_TELLING || source - apart < LEAST_TELLING {
        return Ok(None);
    }
    in_this_order((scop, dependences), pieces, predicted_speedup, WITHOUT_CONDITIONS, budget)
}

/// Do statements use two arrays together that may meet?
fn may_meet(scop: &Scop, statements: &[StatementId], pairs: &[(ArrayId, ArrayId)]) -> bool {
    let arrays: BTreeSet<ArrayId> =
        statements.iter().flat_map(|s| &scop.statements[s.0].accesses).map(|a| a.array).collect();
    pairs.iter().any(|(a, b)| arrays.contains(a) && arrays.contains(b))
}

/// New loops in the order of the source, said to be so many times as fast; and what they do.
///
/// # Errors
/// Overflow, budget.
pub fn in_its_order(
    scop: &Scop,
    dependences: &Dependences,
    predicted_speedup: f64,
    what: &str,
    budget: &Budget,
) -> Result<Option<Choice>> {
    in_this_order((scop, dependences), dependences.original(scop), predicted_speedup, what, budget)
}

/// The same in another order. `None`: it is not legal.
fn in_this_order(
    (scop, dependences): (&Scop, &Dependences),
    tree: Node,
    predicted_speedup: f64,
    what: &str,
    budget: &Budget,
) -> Result<Option<Choice>> {
    let Verdict::Legal(schedule) = legality::prove(scop, dependences, tree, budget)? else { return Ok(None) };
    let (kernels, summary) = (ProvedKernels::default(), vec![what.into()]);
    Ok(Some(Choice::Transform { schedule, kernels, predicted_speedup, summary }))
}

/// Cycles that the source is said to take. `None`: nobody knows.
///
/// # Errors
/// Overflow, budget.
pub fn source_cycles(
    scop: &Scop,
    dependences: &Dependences,
    machine: &Machine,
    budget: &Budget,
) -> Result<Option<f64>> {
    cycles(scop, dependences, &dependences.original(scop), machine, budget)
}

/// Cycles that the source is said to take where LLVM does not know that these arrays are apart. `None`: nobody knows.
///
/// # Errors
/// Overflow, budget.
pub fn source_cycles_unless_apart(
    scop: &Scop,
    dependences: &Dependences,
    pairs: &[(ArrayId, ArrayId)],
    machine: &Machine,
    budget: &Budget,
) -> Result<Option<f64>> {
    let model = Model::new(scop, dependences, machine, budget)?;
    let Some(source) = model.source(&dependences.original(scop))? else { return Ok(None) };
    let may_meet = source.inner.iter().filter(|inner| may_meet(scop, &inner.statements, pairs));
    let repeated: f64 = may_meet.map(|inner| inner.repeated).sum();
    Ok(Some(source.cycles + repeated))
}

/// Cycles that a tree is said to take. `None`: nobody knows.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn cycles(
    scop: &Scop,
    dependences: &Dependences,
    tree: &Node,
    machine: &Machine,
    budget: &Budget,
) -> Result<Option<f64>> {
    let model = Model::new(scop, dependences, machine, budget)?;
    Ok(model.estimate(tree)?.map(|e| e.cycles))
}

/// Lines of memory of our own take so many times as long as others: they are fetched for the first store, and written back (measured on diffusion steps through a grid of its own for each, 512 x 512: 2.2 times as
/// long as the source, where half as long was predicted without).
const FRESH_LINES: f64 = 1.5;

/// Cycles for the lines of arrays of our own, this one and those behind it, each of which is new to the caches; none where these hold all.
///
/// # Errors
/// Overflow, budget.
#[expect(clippy::cast_precision_loss, reason = "estimates")]
pub fn fresh_memory(scop: &Scop, first: ArrayId, machine: &Machine, budget: &Budget) -> Result<f64> {
    let shapes = Shapes::new(scop, typical_size(scop), budget)?;
    let mut bytes = vec![0.0_f64; scop.arrays.len()];
    for (k, s) in scop.statements.iter().enumerate().filter(|(_, s)| s.write().array >= first) {
        let loops: Vec<Affine> = (0..s.depth()).map(|d| Affine::dim(s.space(), d)).collect();
        let Some(shape) = shapes.of(StatementId(k), &loops)? else { continue };
        let walked = |d: &usize| s.write().subscripts.iter().any(|e| e.dim_coeff(*d) != 0);
        let cells: f64 = (0..s.depth()).filter(walked).filter_map(|d| shape.extents.get(d)).product();
        let array = s.write().array.0;
        bytes[array] = bytes[array].max(cells * scop.arrays[array].element_bytes as f64);
    }
    let all: f64 = bytes.iter().sum();
    let lines = if all > machine.l2_bytes as f64 { all / machine.line_bytes as f64 } else { 0.0 };
    Ok(lines * machine.line_from_memory * FRESH_LINES)
}

/// A way to run iterations at once that the trees of the search do not have: of a model and a tree, in none of the nests of some statements, where it pays or wherever it can be done.
type Way = fn(&Model<'_>, &Node, &BTreeSet<StatementId>, bool) -> Result<Option<Spread>>;

/// All cycles, the doubtful ones too.
fn total(cost: Option<(f64, f64)>) -> Result<Option<f64>> {
    Ok(cost.map(|(cycles, doubtful)| cycles + doubtful))
}

/// Cycles of a tree for other sizes.
fn in_caches(tree: &Node) -> impl Fn(&Model<'_>) -> Result<Option<f64>> + '_ {
    move |small| Ok(small.estimate(tree)?.map(|e| e.cycles + e.doubtful))
}

struct Task<'a> {
    scop: &'a Scop,
    dependences: &'a Dependences,
    model: &'a Model<'a>,
    budget: &'a Budget,
    original: Node,
}

impl Task<'_> {
    fn auto(&self, candidates: &[Candidate]) -> Result<Choice> {
        let leave = |reason| Ok(Choice::Leave { reason });
        let Some(source) = self.model.source(&self.original)? else { return leave(LeaveReason::AlreadyBest) };
        let mut search = Search::new(self.model)?;
        if !search.is_symbolic() && source.cycles < SMALLEST {
            let trees: Vec<&Node> = candidates.iter().map(|c| c.schedule.tree()).collect();
            let choice = if source.cycles < SMALLEST_WITH_KERNELS {
                None
            } else {
                self.kernels_below(&trees, source.cycles, source.cycles)?
            };
            return choice.map_or_else(|| leave(LeaveReason::TripCountsTooSmall), Ok);
        }
        search.start_from(&candidates.iter().map(|c| c.schedule.tree()).collect::<Vec<_>>())?;
        search.run()?;
        let ranked = search.ranked();
        let plain = ranked.first().map_or(source.cycles, |p| p.cost.min(source.cycles));
        let mut swept = self.swept(&search, candidates)?;
        swept.retain(|s| s.cost < plain * CLEARLY);
        let mut spread = Vec::new();
        for found in self.spread(&search, candidates)? {
            if found.cost < plain * CLEARLY || found.cost < plain && self.gains_in_caches(in_caches(&found.tree))? {
                spread.push(found);
            }
        }
        let rows = self.rows_in_lanes(&search, candidates, plain)?;
        // Windows are taken for as long as all else: of plain loops over short ones the model thinks too well.
        let beside = if window_sizes(self.scop).is_empty() { plain } else { plain * RATHER_KERNELS };
        let at_once = spread.first().map(|s| s.cost).into_iter().chain(rows.iter().map(|s| s.cost));
        let at_once = at_once.map(|cost| (cost * RATHER_KERNELS).min(plain)).fold(beside, f64::min);
        // Kernels that keep cells in registers fetch none.
        let strips = swept.iter().find(|s| !strips::are_of_points(self.model, &s.tree));
        let limit = strips.map_or(beside, |s| s.cost).min(at_once);
        swept.extend(rows);
        swept.sort_by_key(|s| search::rounded(s.cost));
        let best = assemble::best_of_families(ranked.iter().map(|p| &p.tree), BEST_WITH_KERNELS);
        let trees: Vec<&Node> = candidates.iter().map(|c| c.schedule.tree()).chain(best).collect();
        if let Some(choice) = self.kernels_below(&trees, source.cycles, limit)? {
            return Ok(choice);
        }
        let mut spread = spread.into_iter().peekable();
        for swept in swept {
            while let Some(first) = spread.next_if(|s| s.cost < swept.cost) {
                if let Some(choice) = self.in_lanes(first, source.cycles, &search)? {
                    return Ok(choice);
                }
            }
            if let Some(choice) = self.in_strips(swept, source.cycles, &search)? {
                return Ok(choice);
            }
        }
        for spread in spread.take(MOST_PROOFS) {
            if let Some(choice) = self.in_lanes(spread, source.cycles, &search)? {
                return Ok(choice);
            }
        }
        // No strips after all: kernels need not be better than they would have been.
        if limit < plain
            && let Some(choice) = self.kernels_below(&trees, source.cycles, plain)?
        {
            return Ok(choice);
        }
        if let Some(choice) = self.in_pieces(source.cycles, &search)? {
            return Ok(choice);
        }
        let mut refused = false;
        let mut proofs = 0;
        for proposal in search.ranked() {
            let predicted = source.cycles / proposal.cost;
            let reason = if refused { LeaveReason::NothingProved } else { verdict(predicted) };
            if predicted < self.threshold(THRESHOLD_OF_CHANCE) || proofs == MOST_PROOFS {
                let choice = if refused { None } else { self.neighbours()? };
                return choice.map_or_else(|| leave(reason), Ok);
            }
            if !search.is_safe_tree(&self.original, &proposal.tree)? {
                continue;
            }
            proofs += 1;
            match self.prove(proposal.tree.clone())? {
                Some(schedule) => {
                    let mut summary = words::summary(self.model, &self.original, schedule.tree())?;
                    if summary.is_empty() {
                        let branches = source.inner.iter().any(|inner| inner.branches);
                        summary.push(if branches { WITHOUT_CONDITIONS } else { TOLD_APART }.into());
                    }
                    return Ok(Choice::Transform {
                        predicted_speedup: predicted,
                        summary,
                        schedule,
                        kernels: ProvedKernels::default(),
                    });
                }
                None => refused = true,
            }
        }
        leave(if refused { LeaveReason::NothingProved } else { LeaveReason::AlreadyBest })
    }

    /// Pieces of what the source finds by minima and remainders each in a nest of its own, if that is as good as the best tree, as far as the model knows: in one of them is nearly all there is to do.
    fn in_pieces(&self, source: f64, search: &Search<'_>) -> Result<Option<Choice>> {
        if self.scop.statements.iter().all(|s| s.sought.reads == 0) {
            return Ok(None);
        }
        let pieces = assemble::split(self.model, &self.original)?;
        let Some(cost) = self.model.estimate(&pieces)?.map(|e| e.cycles + e.doubtful) else { return Ok(None) };
        let best = search.ranked().first().map_or(source, |p| p.cost);
        let predicted_speedup = source / cost;
        if cost > best * AS_GOOD
            || predicted_speedup < self.threshold(THRESHOLD_OF_CHANCE)
            || !search.is_safe_tree(&self.original, &pieces)?
        {
            return Ok(None);
        }
        let Some(schedule) = self.prove(pieces)? else { return Ok(None) };
        let (kernels, summary) = (ProvedKernels::default(), vec![WITHOUT_CONDITIONS.into()]);
        Ok(Some(Choice::Transform { schedule, kernels, predicted_speedup, summary }))
    }

    /// The source with rows abreast that share what they read, if that is proved and saves enough of what is no waiting for memory: else it is as fast either way.
    fn neighbours(&self) -> Result<Option<Choice>> {
        // As if all were in the second level.
        let near = Machine { l2_bytes: u64::MAX, ..self.model.machine().clone() };
        let choose_for = |size: i64| -> Result<Option<(Spread, f64)>> {
            let near = self.model.with(size, &near)?;
            let Some(source) = near.source(&self.original)? else { return Ok(None) };
            let rows = neighbours::spread(&near, &self.original)?;
            Ok(rows.map(|rows| {
                let gain = source.cycles / rows.cost.max(1.0);
                (rows, gain)
            }))
        };
        let Some((mut rows, mut predicted_speedup)) = choose_for(IN_CACHES)? else { return Ok(None) };
        // What is left behind the last of so many lanes LLVM does in shorter vectors, which the model does not know: with longer rows that is little.
        if rows.tree.in_strips_of_lanes().iter().any(|(_, lanes)| lanes.width > FEW_LANES) {
            let Some(longer) = choose_for(typical_size(self.scop))? else { return Ok(None) };
            (rows, predicted_speedup) = longer;
        }
        if predicted_speedup < THRESHOLD_OF_NEIGHBOURS {
            return Ok(None);
        }
        let wanted = rows.tree.in_strips_of_lanes();
        let Some(schedule) = self.prove(rows.tree)?.filter(|s| s.tree().in_strips_of_lanes() == wanted) else {
            return Ok(None);
        };
        let summary = words::summary(self.model, &self.original, schedule.tree())?;
        let kernels = ProvedKernels::default();
        Ok(Some(Choice::Transform { schedule, kernels, predicted_speedup, summary }))
    }

    /// What the best trees can be made by strips, best first.
    fn swept(&self, search: &Search<'_>, candidates: &[Candidate]) -> Result<Vec<Swept>> {
        let mut out: Vec<Swept> = Vec::new();
        let ranked = search.ranked();
        let from = candidates.iter().map(|c| c.schedule.tree()).chain(ranked.iter().map(|p| &p.tree));
        for tree in ranked.iter().filter(|p| !p.skewed).map(|p| &p.tree).take(SWEPT).chain([&self.original]) {
            for swept in strips::sweeps(self.model, tree, from.clone())? {
                if !out.contains(&swept) {
                    out.push(swept);
                }
            }
        }
        out.sort_by_key(|s| search::rounded(s.cost));
        Ok(out)
    }

    /// What the source and the best trees can be made by nests in lanes among others, strip by strip.
    fn rows_in_lanes(&self, search: &Search<'_>, candidates: &[Candidate], plain: f64) -> Result<Vec<Swept>> {
        let mut out: Vec<Swept> = Vec::new();
        let ranked = search.ranked();
        let best = ranked.iter().filter(|p| !p.skewed).map(|p| &p.tree).take(SWEPT);
        let many = self.original.outermost().len();
        let fused = candidates.iter().map(|c| c.schedule.tree()).filter(|tree| tree.outermost().len() < many);
        for tree in [&self.original].into_iter().chain(best).chain(fused) {
            if strips::may_go_on(self.model)
                && let Some(rows) = strips::rows_in_lanes(self.model, tree)?
                && !out.contains(&rows)
                && (rows.cost < plain * CLEARLY
                    || rows.cost < plain * AS_GOOD && self.gains_in_caches(|small| total(rows.cost_in(small)?))?)
            {
                out.push(rows);
            }
        }
        Ok(out)
    }

    /// What the best trees can be made by lanes on loops around others, or by rows that run abreast, best first.
    fn spread(&self, search: &Search<'_>, candidates: &[Candidate]) -> Result<Vec<Spread>> {
        let mut out: Vec<Spread> = Vec::new();
        let ranked = search.ranked();
        let best = ranked.iter().filter(|p| !p.skewed).map(|p| &p.tree).take(SWEPT);
        let plain: Vec<&Node> = [&self.original].into_iter().chain(best).collect();
        // Rows of skewed loops begin and end at many places, where few of them run.
        let skewed = candidates.iter().map(|c| c.schedule.tree());
        let in_lanes = plain.iter().copied().chain(skewed).map(|tree| (tree, lanes::spread as Way));
        // What stands between loops (the first column of a table) may be taken out of them.
        let distributed = assemble::split(self.model, &self.original)?;
        let apart = plain.iter().copied().chain([&distributed].into_iter().filter(|tree| !plain.contains(tree)));
        let rows = apart.map(|tree| (tree, abreast::spread as Way));
        for (tree, way) in in_lanes.chain(rows) {
            if strips::may_go_on(self.model)
                && let Some(spread) = way(self.model, tree, &BTreeSet::new(), true)?
                && !out.contains(&spread)
            {
                out.push(spread);
            }
        }
        out.sort_by_key(|s| search::rounded(s.cost));
        Ok(out)
    }

    /// How many times as fast something must be said to be; `chance` is that where data decide.
    fn threshold(&self, chance: f64) -> f64 {
        let statements = &self.scop.statements;
        if !self.model.machine().masks && statements.iter().any(|s| !s.decided_by.is_empty()) {
            THRESHOLD_OF_CHANCE_UNMASKED
        } else if statements.iter().any(Statement::is_conditional) {
            chance
        } else {
            THRESHOLD
        }
    }

    /// Lanes or rows abreast, if the tree is proved, and better than the source for other sizes too.
    fn in_lanes(&self, spread: Spread, source: f64, search: &Search<'_>) -> Result<Option<Choice>> {
        let predicted = source / spread.cost;
        let threshold = self.threshold(THRESHOLD_OF_CHANCE_IN_LANES);
        if (predicted < threshold && (threshold > THRESHOLD || !self.gains_in_caches(in_caches(&spread.tree))?))
            || !search.is_safe_tree(&self.original, &spread.tree)?
        {
            return Ok(None);
        }
        let at_once = |tree: &Node| (tree.in_lanes(), tree.in_strips_abreast());
        let wanted = at_once(&spread.tree);
        let proved = self.prove(spread.tree)?;
        let Some(schedule) = proved.filter(|s| at_once(s.tree()) == wanted) else { return Ok(None) };
        let summary = words::summary(self.model, &self.original, schedule.tree())?;
        Ok(Some(Choice::Transform {
            schedule,
            kernels: ProvedKernels::default(),
            predicted_speedup: predicted,
            summary,
        }))
    }

    /// Strips, if they are proved, and better than the source for other sizes too.
    fn in_strips(&self, swept: Swept, source: f64, search: &Search<'_>) -> Result<Option<Choice>> {
        let predicted = source / swept.cost;
        let lanes = swept.tree.in_lanes().iter().map(|(_, lanes)| i64::from(lanes.width)).max().unwrap_or(0);
        let worthwhile = match swept.fused {
            Some(_) => None,
            None => strips::worthwhile(self.model, &self.original, &swept)?,
        };
        // With fewer rows than lanes the source runs, and below the size from which strips pay: as it is, with arrays that LLVM cannot tell apart.
        let least = if swept.fused.is_some() { lanes } else { worthwhile.unwrap_or(0) };
        let cost = |model: &Model<'_>| {
            if model.shapes.size() >= least {
                return swept.cost_in(model);
            }
            Ok(model.source(&self.original)?.map(|source| (source.cycles, source.doubtful)))
        };
        let gains = |small: &Model<'_>| total(swept.cost_in(small)?);
        if predicted < THRESHOLD && !(swept.fused.is_some() && self.gains_in_caches(gains)?)
            || !search.is_safe(&self.original, cost)?
        {
            return Ok(None);
        }
        let mut strips = swept.strips.clone();
        strips.iter_mut().for_each(|strip| strip.worthwhile = worthwhile);
        let wanted = swept.tree.in_lanes();
        let Some(schedule) = self.prove(swept.tree)?.filter(|s| s.tree().in_lanes() == wanted) else { return Ok(None) };
        let Some(kernels) = self.prove_strips(&schedule, strips)? else { return Ok(None) };
        let mut summary = words::summary(self.model, &self.original, schedule.tree())?;
        summary.extend(words::kernels(&kernels));
        Ok(Some(Choice::Transform { schedule, kernels, predicted_speedup: predicted, summary }))
    }

    fn prove_strips(&self, schedule: &LegalSchedule, strips: Vec<Strip>) -> Result<Option<ProvedKernels>> {
        kernel::prove(self.scop, self.dependences, schedule, Kernels::new(), strips, self.budget)
    }

    /// Micro-kernels, if the steps suffice for them.
    fn kernels_below(&self, trees: &[&Node], source: f64, below: f64) -> Result<Option<Choice>> {
        match self.with_kernels(trees.iter().copied(), source, Some(below)) {
            // Loops without kernels are known already. A sequence does better when the caller cuts it and asks again.
            Err(e) if e.is_budget() && !matches!(self.original, Node::Sequence(_)) => Ok(None),
            other => other,
        }
    }

    /// Micro-kernels in some of the trees. `below`: only where they take less than so many cycles, and clearly less than the source.
    fn with_kernels<'t>(
        &self,
        from: impl Iterator<Item = &'t Node>,
        source: f64,
        below: Option<f64>,
    ) -> Result<Option<Choice>> {
        let from: Vec<&Node> = from.collect();
        let mut trees: Vec<Node> = Vec::new();
        for &tree in &from {
            for tree in [assemble::split(self.model, tree)?, tree.clone()] {
                if !trees.contains(&tree) {
                    trees.push(tree);
                }
            }
        }
        let mut within: Vec<Node> = Vec::new();
        for tree in &trees {
            if let Some(tree) = assemble::split_within(self.model, tree)?
                && !trees.contains(&tree)
                && !within.contains(&tree)
            {
                within.push(tree);
            }
        }
        let choosy = below.is_some();
        let mut found: Vec<(Rank, Kerneled)> = Vec::new();
        for mut kerneled in assemble::plans(self.model, &trees, &within, choosy)? {
            let taken = kerneled.kernels.keys().chain(&kerneled.starts).copied().collect();
            if strips::may_go_on(self.model)
                && let Some(spread) = lanes::spread(self.model, &kerneled.tree, &taken, choosy)?
            {
                (kerneled.tree, kerneled.cost) = (spread.tree, (kerneled.cost - spread.saved).max(1.0));
            }
            let strips = strips::sums(self.model, &kerneled, from.iter().copied(), choosy)?;
            for kerneled in strips.into_iter().chain([kerneled]) {
                let rank = assemble::rank(self.model, &kerneled.tree, kerneled.cost)?;
                let kerneled = (rank, kerneled);
                if !found.contains(&kerneled) {
                    found.push(kerneled);
                }
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        for (_, mut kerneled) in found.into_iter().take(MOST_PROOFS) {
            let predicted = source / kerneled.cost;
            if below.is_some_and(|most| predicted < 1.0 || kerneled.cost > most) {
                break;
            }
            let in_caches = |small: &Model<'_>| Ok(assemble::plan(small, &kerneled.tree, true)?.map(|k| k.cost));
            if choosy && predicted < THRESHOLD && !self.gains_in_caches(in_caches)? {
                continue;
            }
            let Some(schedule) = self.prove(kerneled.tree)? else { continue };
            kernels::corners::propose(self.model.machine(), schedule.tree(), &mut kerneled.kernels);
            let proved =
                kernel::prove(self.scop, self.dependences, &schedule, kerneled.kernels, kerneled.strips, self.budget)?;
            let Some(kernels) = proved else { continue };
            let mut summary = words::summary(self.model, &self.original, schedule.tree())?;
            summary.extend(words::kernels(&kernels));
            return Ok(Some(Choice::Transform { schedule, kernels, predicted_speedup: predicted, summary }));
        }
        Ok(None)
    }

    /// Is something clearly faster than the source, going by its cost for a model, where everything fits into caches? What memory limits is as fast either way.
    fn gains_in_caches(&self, cost: impl Fn(&Model<'_>) -> Result<Option<f64>>) -> Result<bool> {
        // Grids of more dimensions would have to be so small that their loops are short.
        let near = Machine { l2_bytes: u64::MAX, ..self.model.machine().clone() };
        let small = match self.scop.arrays.iter().map(|a| a.rank).max() {
            None | Some(0..=2) => self.model.with_size(IN_CACHES)?,
            Some(_) => self.model.with(typical_size(self.scop).min(IN_CACHES), &near)?,
        };
        let Some(source) = small.source(&self.original)? else { return Ok(false) };
        Ok(cost(&small)?.is_some_and(|cost| source.cycles >= THRESHOLD * cost))
    }

    fn kernels(&self, candidates: &[Candidate], first: &Candidate) -> Result<Choice> {
        let source = self.model.estimate(&self.original)?.map_or(1.0, |e| e.cycles.max(1.0));
        let trees = candidates.iter().map(|c| c.schedule.tree());
        if let Some(choice) = self.with_kernels(trees, source, None)? {
            return Ok(choice);
        }
        let (tree, none) = (first.schedule.tree(), BTreeSet::new());
        let in_lanes = lanes::spread(self.model, tree, &none, false)?;
        let spread = match in_lanes {
            Some(spread) => Some(spread),
            None => abreast::spread(self.model, tree, &none, false)?,
        };
        if let Some(spread) = spread
            && let Some(schedule) = self.prove(spread.tree)?
        {
            return self.transform(schedule, ProvedKernels::default(), Some(spread.cost));
        }
        self.transform(first.schedule.clone(), ProvedKernels::default(), None)
    }

    fn force(&self, first: &Candidate, tile: &[i64]) -> Result<Choice> {
        let tree = first.schedule.tree();
        let tiled = proposals::tiled_everywhere(tree, tile);
        let schedule = if tiled == *tree { None } else { self.prove(tiled)? };
        self.transform(schedule.unwrap_or_else(|| first.schedule.clone()), ProvedKernels::default(), None)
    }

    fn random(&self, candidates: &[Candidate], first: &Candidate, seed: u64) -> Result<Choice> {
        let mut random = search::Random::new(seed);
        let source = self.model.estimate(&self.original)?.map_or(1.0, |e| e.cycles.max(1.0));
        for _ in 0..MOST_PROOFS {
            let from = &candidates[random.below(candidates.len())];
            let tree = search::wander(&self.model.distances, from.schedule.tree(), &mut random)?;
            // Flags and permutable runs as predicted, then tiles where they look allowed.
            let Some(annotated) = self.model.distances.annotate(&tree)? else { continue };
            let tree = match random.below(4) {
                0 => neighbours::random(&abreast::random(self.model, &annotated.tree, &mut random)?, &mut random),
                _ => lanes::random(&search::random_tiles(&annotated.tree, &mut random), &mut random),
            };
            let Some(estimate) = self.model.estimate(&tree)? else { continue };
            if estimate.cycles > source * SLOWEST {
                continue;
            }
            if let Some(schedule) = self.prove(tree)? {
                let trees = candidates.iter().map(|c| c.schedule.tree());
                let strips = strips::random(schedule.tree(), trees, &mut random);
                let swept = Swept { tree: schedule.tree().clone(), strips, fused: None, cost: 0.0 };
                let cost = swept.cost_in(self.model)?;
                let proved = match cost {
                    _ if swept.strips.is_empty() => None,
                    Some((cycles, _)) if cycles > source * SLOWEST => None,
                    _ => self.prove_strips(&schedule, swept.strips)?,
                };
                let cycles = proved.as_ref().and(cost).map(|(cycles, _)| cycles);
                return self.transform(schedule, proved.unwrap_or_default(), cycles);
            }
        }
        self.transform(first.schedule.clone(), ProvedKernels::default(), None)
    }

    /// What was not found by its cost. `cycles`: predicted, if those of its tree are not what it takes.
    fn transform(&self, schedule: LegalSchedule, kernels: ProvedKernels, cycles: Option<f64>) -> Result<Choice> {
        let of = |tree: &Node| Ok::<_, crate::Error>(self.model.estimate(tree)?.map(|e| e.cycles));
        let (source, of_tree) = (of(&self.original)?, of(schedule.tree())?);
        let predicted = source.zip(cycles.or(of_tree)).map_or(0.0, |(source, after)| source.max(1.0) / after.max(1.0));
        Ok(Choice::Transform {
            predicted_speedup: predicted,
            summary: words::summary(self.model, &self.original, schedule.tree())?
                .into_iter()
                .chain(words::kernels(&kernels))
                .collect(),
            schedule,
            kernels,
        })
    }

    fn prove(&self, tree: Node) -> Result<Option<LegalSchedule>> {
        match legality::prove(self.scop, self.dependences, tree, self.budget)? {
            Verdict::Legal(schedule) if !proposals::tiles_unlawfully(schedule.tree()) => Ok(Some(schedule)),
            _ => Ok(None),
        }
    }
}

fn verdict(predicted: f64) -> LeaveReason {
    if predicted <= 1.02 { LeaveReason::AlreadyBest } else { LeaveReason::NoGain { predicted } }
}

#[cfg(test)]
mod tests;
