//! A region modelled in other ways: under a guess, or with memory of our own, where that makes better loops possible.

use super::{Chosen, Prepared, machine, prepare, schedule_as_it_is};
use crate::llvm::Analyses;
use crate::options::{Options, Policy};
use crate::raise::{self, Raised, groups, private};
use crate::stats::{Meter, Phase};
use polyhedra::Budget;
use scheduler::Result;
use scheduler::choose::{self, Choice};
use scheduler::cost::carried::Distances;
use scheduler::dependence::Dependences;
use scheduler::scop::{ArrayId, Statement};
use scheduler::tree::Node;

/// What strides of 1 must gain: without the guess it is for all strides (measured on a product into sums of its own: 30 times the speed of the source for all, 32 for these, predicted 75 and 97).
const WORTH_GUESSING: f64 = 2.0;

/// What it must gain that no factor is zero: where one is, looking for it was in vain.
const WORTH_LOOKING: f64 = 1.2;

/// What memory for every iteration of a loop must gain.
const WORTH_MEMORY: f64 = 1.25;

/// What sums by groups must gain.
const WORTH_GROUPS: f64 = 1.25;

/// Where kernels of products with kept values have fewer iterations in some loop, the source is as fast: LLVM has vectors for its innermost loop (measured on Gauss' elimination: 24 rows by 0.75, 50 by
/// 1.1).
const LEAST_KEPT: i64 = 40;

/// The same for products in place where no factor is zero: their tiles are cut at the diagonal (measured on solves and products of triangles: 24 rows by 0.6 to 1.7, 100 by 1.6 to 2).
const LEAST_IN_PLACE: i64 = 32;

/// A choice for a region modelled in another way. `None`: it cannot be, or nothing is found.
type Schedule = fn(Analyses, (&Raised, &Dependences), &Options, &Meter, &Budget) -> Result<Option<Chosen>>;

/// Another way.
pub(super) struct Way {
    /// What finds it.
    pub(super) schedule: Schedule,
    /// So many times as fast as without it must it be said to be.
    pub(super) worth: f64,
}

/// Those that are tried. `memory`: may there be any of our own?
pub(super) fn ways(options: &Options, memory: bool) -> impl Iterator<Item = Way> {
    let guesses = match options.policy {
        Policy::Auto => true,
        Policy::Off | Policy::Kernels | Policy::Force => false,
        Policy::Random => options.seed % 4 == 2,
    };
    let all = [
        (with_unit_strides as Schedule, WORTH_GUESSING, guesses),
        (by_remainders, 1.0, true),
        (with_factors, WORTH_LOOKING, guesses),
        (in_private, WORTH_MEMORY, memory),
        (keeping, WORTH_MEMORY, memory),
        (in_groups, WORTH_GROUPS, memory),
    ];
    all.into_iter().filter(|(.., tried)| *tried).map(|(schedule, worth, _)| Way { schedule, worth })
}

/// A region with other statements, and what is chosen for it.
struct Found {
    chosen: Chosen,
    part: Raised,
    dependences: Dependences,
}

impl Found {
    /// What is chosen for a region that was raised in another way.
    fn of(analyses: Analyses, raised: Raised, options: &Options, meter: &Meter, budget: &Budget) -> Result<Self> {
        let Prepared { part, dependences } = meter.phase(Phase::Dependences, budget, || prepare(&raised, budget))?;
        let part = part.unwrap_or(raised);
        let chosen = schedule_as_it_is(analyses, &part, &dependences, options, meter, budget)?;
        Ok(Self { chosen, part, dependences })
    }

    /// The same for a region whose statements are not to be joined any more.
    fn of_part(analyses: Analyses, part: Raised, options: &Options, meter: &Meter, budget: &Budget) -> Result<Self> {
        let dependences = meter.phase(Phase::Dependences, budget, || Dependences::of(&part.scop, budget))?;
        let chosen = schedule_as_it_is(analyses, &part, &dependences, options, meter, budget)?;
        Ok(Self { chosen, part, dependences })
    }

    /// The choice, with what is said of it. `None`: to leave it.
    fn said(mut self, what: &str) -> Option<Chosen> {
        let Choice::Transform { summary, .. } = &mut self.chosen.choice else { return None };
        summary.push(what.to_string());
        let part = self.chosen.part.or_else(|| Some(Box::new(self.part)));
        Some(Chosen { part, ..self.chosen })
    }
}

/// The same where strides that are known at run time only are 1, in comparison with a source that knows it, too: LLVM guesses it of innermost loops. `None`: there are none.
fn with_unit_strides(
    analyses: Analyses,
    (raised, _): (&Raised, &Dependences),
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> Result<Option<Chosen>> {
    let units = meter.phase(Phase::Raise, budget, || raise::with_unit_strides(analyses, raised, options, budget));
    let Some(units) = units else { return Ok(None) };
    Ok(Found::of(analyses, units, options, meter, budget)?.said("strides that have to be 1"))
}

/// The same where no factor is zero of which the program asks. `None`: it does not ask.
fn with_factors(
    analyses: Analyses,
    (raised, _): (&Raised, &Dependences),
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> Result<Option<Chosen>> {
    let assumed = meter.phase(Phase::Raise, budget, || raise::with_factors(analyses, raised, options, budget));
    let Some(assumed) = assumed else { return Ok(None) };
    let mut found = Found::of(analyses, assumed, options, meter, budget)?;
    if options.policy == Policy::Auto
        && let Choice::Transform { kernels, .. } = &found.chosen.choice
    {
        let scop = &found.part.scop;
        let is_in_place = |s: &Statement| {
            let own = s.write();
            s.reads().iter().any(|a| a.array == own.array && a.subscripts != own.subscripts)
        };
        for &s in kernels.plans().keys().filter(|s| is_in_place(&scop.statements[s.0])) {
            found.chosen.worthwhile.extend(codegen::generate::at_least(scop, s, LEAST_IN_PLACE, budget)?);
        }
        found.chosen.worthwhile.dedup();
    }
    Ok(found.said("factors that have to be other than zero"))
}

/// The same with loops whose counters are divided as two, so that no condition has to be looked at. `None`: there are none, or LLVM has vectors under masks.
fn by_remainders(
    analyses: Analyses,
    (raised, dependences): (&Raised, &Dependences),
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> Result<Option<Chosen>> {
    if options.policy == Policy::Auto {
        let source = dependences.original(&raised.scop);
        let source = Distances::new(&raised.scop, dependences, budget)?.annotate(&source)?;
        if !source.is_some_and(|source| waits_innermost(&source.tree)) {
            return Ok(None);
        }
    }
    let split = meter.phase(Phase::Raise, budget, || raise::by_remainders(analyses, raised, options, budget));
    let Some(split) = split else { return Ok(None) };
    Ok(Found::of(analyses, split, options, meter, budget)?.said("loops by remainders"))
}

/// Is an innermost loop not parallel?
fn waits_innermost(tree: &Node) -> bool {
    match tree {
        Node::Leaf(_) => false,
        Node::Sequence(children) => children.iter().any(waits_innermost),
        Node::Band { members, child, .. } => {
            let innermost = child.outermost().iter().all(|node| matches!(node, Node::Leaf(_)));
            innermost && members.last().is_some_and(|m| !m.parallel) || waits_innermost(child)
        }
    }
}

/// The same with buffers that have memory of their own for every iteration. `None`: there are none.
fn in_private(
    analyses: Analyses,
    (raised, _): (&Raised, &Dependences),
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> Result<Option<Chosen>> {
    let private = meter.phase(Phase::Dependences, budget, || private::privatised(raised, budget))?;
    let Some(part) = private else { return Ok(None) };
    let mut found = Found::of_part(analyses, part, options, meter, budget)?;
    if options.policy == Policy::Auto
        && let Choice::Transform { predicted_speedup, .. } = &mut found.chosen.choice
    {
        // The source's buffer is in the caches all the time.
        let (scop, machine) = (&found.part.scop, machine(analyses, options));
        let all = choose::source_cycles(scop, &found.dependences, &machine, budget)?;
        let fresh = choose::fresh_memory(scop, ArrayId(raised.arrays.len()), &machine, budget)?;
        *predicted_speedup = all.map_or(*predicted_speedup, |all| all / (all / *predicted_speedup + fresh));
    }
    let many = found.part.arrays.len() - raised.arrays.len();
    let what = if many == 1 { "a buffer has" } else { "buffers have" };
    Ok(found.said(&format!("{what} memory for every iteration")))
}

/// The same with memory for values that cost much and are used much. `None`: there are none.
fn keeping(
    analyses: Analyses,
    (raised, source): (&Raised, &Dependences),
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> Result<Option<Chosen>> {
    let kept = meter.phase(Phase::Raise, budget, || raise::keeping(analyses, raised, options, budget));
    let Some(kept) = kept else { return Ok(None) };
    let mut found = Found::of(analyses, kept, options, meter, budget)?;
    if options.policy == Policy::Auto
        && let Choice::Transform { kernels, predicted_speedup, .. } = &mut found.chosen.choice
    {
        // Without the costly operations LLVM might have vectors for the source, which it has not.
        let machine = machine(analyses, options);
        let source = choose::source_cycles(&raised.scop, source, &machine, budget)?;
        let with_memory = choose::source_cycles(&found.part.scop, &found.dependences, &machine, budget)?;
        *predicted_speedup *= source.zip(with_memory).map_or(1.0, |(source, kept)| (source / kept).max(1.0));
        for &s in kernels.plans().keys() {
            let least = codegen::generate::at_least(&found.part.scop, s, LEAST_KEPT, budget)?;
            found.chosen.worthwhile.extend(least);
        }
        found.chosen.worthwhile.dedup();
    }
    Ok(found.said("quotients and the like have memory of their own"))
}

/// The same with sums of products of narrow integers by groups of terms, in kernels. `None`: there are none.
fn in_groups(
    analyses: Analyses,
    (raised, source): (&Raised, &Dependences),
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> Result<Option<Chosen>> {
    let grouped = meter.phase(Phase::Raise, budget, || groups::in_groups(analyses, raised, budget))?;
    let Some(part) = grouped else { return Ok(None) };
    let mut found = Found::of_part(analyses, part, options, meter, budget)?;
    if options.policy == Policy::Auto
        && let Choice::Transform { kernels, predicted_speedup, .. } = &mut found.chosen.choice
    {
        let (part, dependences) = (&found.part, &found.dependences);
        let packs = |s: usize| part.scop.statements[s].accesses.iter().any(|a| a.array.0 >= raised.arrays.len());
        if !kernels.plans().keys().any(|s| s.0 < raised.bodies.len() && packs(s.0)) {
            return Ok(None);
        }
        // What was said is in comparison with groups in the order of the source.
        let machine = machine(analyses, options);
        let alone = choose::source_cycles_unless_apart(&raised.scop, source, &[], &machine, budget)?;
        let groups = choose::source_cycles_unless_apart(&part.scop, dependences, &[], &machine, budget)?;
        let Some((alone, groups)) = alone.zip(groups) else { return Ok(None) };
        *predicted_speedup *= alone / groups;
    }
    Ok(found.said("narrow integers in groups"))
}
