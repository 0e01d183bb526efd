//! Plans the regions of a function: analyses, schedules, generates; within one budget of steps and one of code. Changes nothing.

use crate::llvm::{Analyses, Loop};
use crate::options::{Fuse, Options, Policy, Stage};
use crate::raise::{self, Raised, alike};
use crate::remarks;
use crate::stats::{Meter, Phase};
use crate::traversal;
use codegen::ast::Ast;
use codegen::contract;
use codegen::lanes;
use polyhedra::{Affine, Budget};
use scheduler::choose::{self, Choice, ChooseOptions, LeaveReason, planes};
use scheduler::dependence::Dependences;
use scheduler::kernel::ProvedKernels;
use scheduler::machine::Machine;
use scheduler::plan;
use scheduler::updates;
use std::collections::BTreeMap;

mod beside;
mod enough;
mod interleaved;
mod otherwise;
mod rolled;

/// A function with less room than this for generated loops gets none.
const LEAST_CODE: u64 = 100;

/// The inverse of the part of the code that only one region may reach into. The largest that pay (a convolution over channels) need most of the whole; but of many small ones, which
/// LLVM takes a tenth of a second each to compile, no more are begun when so little is left.
const LAST_CODE: u64 = 4;

/// No region gets fewer steps than this while so many are left: some that end well are worth more than many that all end early. Micro-kernels for a matrix
/// product take a quarter of it, for products of triangles and symmetric matrices up to all of it.
const LEAST_SHARE: u64 = 1_000_000;

/// What is to become of a region.
pub struct Plan {
    /// Its loops.
    pub ast: Ast,
    /// What was done, in words.
    pub summary: Vec<String>,
    /// Predicted; 0 where nobody knows.
    pub speedup: f64,
    /// Cycles that the source is said to take, for explanations.
    pub source: Option<f64>,
    /// The part that they are for, where that is not the region's.
    part: Option<Box<Raised>>,
}

impl Plan {
    /// The plan and what it is for.
    fn with(mut self, region: Raised) -> (Raised, Self) {
        (self.part.take().map_or(region, |part| *part), self)
    }
}

/// How planning a region ended.
enum Planned {
    /// With a plan, or with a remark why there is none.
    Done(Option<Plan>),
    /// The source is best, or as good.
    Left,
    /// For want of steps or code, as it says.
    Exhausted(String),
}

/// Plans the regions of a function within one budget of steps and one of code.
pub struct Planner<'a> {
    /// The function.
    pub analyses: Analyses,
    /// What the user wants.
    pub options: &'a Options,
    /// Books what every phase takes.
    pub meter: &'a Meter,
    /// Of the function.
    pub budget: &'a Budget,
}

impl Planner<'_> {
    /// Plans for those regions that get one, in order. Every region has its share of the steps, so that hard ones do not starve the others; what it leaves goes
    /// to those behind it. A sequence of loops that its share or the code does not suffice for is planned loop by loop instead.
    #[must_use]
    pub fn plan_all(&self, regions: Vec<Raised>) -> Vec<(Raised, Plan)> {
        let mut plans = Vec::new();
        let code = self.options.growth;
        let mut room = Room { code, more: code, shares: Shares::of(&regions), failures: Vec::new() };
        for raised in regions {
            let pieces = match self.plan(&raised, &mut room) {
                Planned::Done(plan) => {
                    plans.extend(plan.map(|p| p.with(raised)));
                    continue;
                }
                Planned::Left => self.behind_conditions(&raised),
                Planned::Exhausted(why) => self.singly(&raised, &why),
            };
            room.shares.enter(&pieces);
            for piece in pieces {
                match self.plan(&piece, &mut room) {
                    Planned::Done(plan) => plans.extend(plan.map(|p| p.with(piece))),
                    Planned::Exhausted(why) => self.left(&piece, &why),
                    Planned::Left => {}
                }
            }
        }
        plans
    }

    /// The loops of a region that is too much for one plan.
    fn singly(&self, raised: &Raised, why: &str) -> Vec<Raised> {
        let pieces = self
            .meter
            .phase(Phase::Raise, self.budget, || raise::singly(self.analyses, raised, self.options, self.budget));
        let Some(pieces) = pieces else {
            self.left(raised, why);
            return Vec::new();
        };
        // Those that cannot be raised alone stay as they were.
        for l in raised.region.tops().filter(|l| !pieces.iter().any(|p| p.region.loops.contains(l))) {
            remarks::left(self.analyses, Some(l), why);
        }
        pieces
    }

    /// What conditions on data in the loop of a region decide for whole nests.
    fn behind_conditions(&self, raised: &Raised) -> Vec<Raised> {
        let find = || raise::behind_conditions(self.analyses, raised, self.options, self.budget);
        self.meter.phase(Phase::Raise, self.budget, find)
    }

    fn left(&self, raised: &Raised, why: &str) {
        remarks::left(self.analyses, first_loop(raised), why);
    }

    /// Analyses and schedules one region within its share of the steps, generates its loops within the code that is left.
    fn plan(&self, raised: &Raised, room: &mut Room) -> Planned {
        const GROWN: &str = "the function has got as much code as it may (option growth)";
        let weight = weight_of(raised);
        let steps = room.shares.next(self.budget.left(), raised);
        if room.all_code() < LEAST_CODE.max(self.options.growth / LAST_CODE) {
            return Planned::Exhausted(GROWN.into());
        }
        if let Some(f) =
            room.failures.iter().find(|f| f.weight <= weight && f.steps >= steps && f.code >= room.all_code())
        {
            return Planned::Exhausted(f.why.clone());
        }
        let share = self.budget.part(steps);
        let planned = self.plan_within(raised, &share);
        // The share is part of the whole: this cannot fail.
        let _ = self.budget.spend(share.spent().min(self.budget.left()));
        match planned {
            Ok(Some(plan)) if room.takes(&plan, self.options.growth) => Planned::Done(Some(plan)),
            Ok(Some(_)) => {
                let code = room.all_code();
                room.exhausted(Failure { weight, steps: u64::MAX, code, why: GROWN.into() })
            }
            Ok(None) => Planned::Left,
            Err(e) if e.is_budget() => room.exhausted(Failure { weight, steps, code: u64::MAX, why: e.to_string() }),
            Err(e) => {
                self.left(raised, &e.to_string());
                Planned::Done(None)
            }
        }
    }

    fn plan_within(&self, raised: &Raised, budget: &Budget) -> scheduler::Result<Option<Plan>> {
        let Self { analyses, options, meter, .. } = *self;
        let at = first_loop(raised);
        options.maybe_panic(Stage::Dependences);
        let Prepared { part: coalesced, dependences } =
            meter.phase(Phase::Dependences, budget, || prepare(raised, budget))?;
        let raised = coalesced.as_ref().unwrap_or(raised);
        options.maybe_panic(Stage::Schedule);
        let Chosen { choice, part, worthwhile } = schedule(analyses, raised, &dependences, options, meter, budget)?;
        let source = source_to_explain(analyses, raised, &dependences, options)?;
        match choice {
            Choice::Leave { reason } => {
                remarks::left(analyses, at, &reason.to_string());
                remarks::predicted(analyses, at, source, 1.0);
                Ok(None)
            }
            Choice::Transform { schedule, kernels, predicted_speedup, summary } => {
                options.maybe_panic(Stage::Ast);
                let own = part.as_deref().unwrap_or(raised);
                let mut ast = meter.phase(Phase::Generate, budget, || {
                    generate(analyses, own, (&schedule, &kernels), options, budget)
                })?;
                ast.worthwhile.extend(worthwhile);
                // It would never run.
                if ast.worthwhile.iter().any(|form| form.is_constant() && form.constant_term() < 0) {
                    remarks::left(analyses, at, &LeaveReason::TripCountsTooSmall.to_string());
                    remarks::predicted(analyses, at, source, 1.0);
                    return Ok(None);
                }
                remarks::explain(analyses, at, "Loops", &codegen::print::print(&own.scop, &ast));
                let part = part.or_else(|| coalesced.map(Box::new));
                Ok(Some(Plan { ast, summary, speedup: predicted_speedup, source, part }))
            }
        }
    }
}

/// Steps for explanations. They do not count as steps of the function: whether remarks are printed shall change nothing.
pub const EXPLAINING: u64 = 2_000_000;

/// Cycles that the source of a region is said to take, if anybody wants to read them.
fn source_to_explain(
    analyses: Analyses,
    raised: &Raised,
    dependences: &Dependences,
    options: &Options,
) -> scheduler::Result<Option<f64>> {
    if !analyses.explains() {
        return Ok(None);
    }
    let machine = machine(analyses, options);
    within_steps(choose::source_cycles(&raised.scop, dependences, &machine, &Budget::new(EXPLAINING)))
}

/// What is known when the steps suffice for it.
pub fn within_steps<T>(known: scheduler::Result<Option<T>>) -> scheduler::Result<Option<T>> {
    match known {
        Err(e) if e.is_budget() => Ok(None),
        other => other,
    }
}

/// Shorter loops are as fast in one piece.
const LEAST_CUT: i64 = 16;

/// What is said to be so many times as fast may have code beyond what a function may have, as much again: `dsymm` has four nests, each of which is worth its own.
const WORTH_MORE_CODE: f64 = 2.0;

/// What there is for the regions to come.
struct Room {
    code: u64,
    /// The same for what gains much.
    more: u64,
    shares: Shares,
    failures: Vec<Failure>,
}

impl Room {
    fn all_code(&self) -> u64 {
        self.code.saturating_add(self.more)
    }

    /// Is there code for the plan, which alone may have no more than `most`? Then that is less now.
    fn takes(&mut self, plan: &Plan, most: u64) -> bool {
        let weight = plan.ast.weight();
        let beyond = weight.saturating_sub(self.code);
        let fits = beyond == 0 || weight <= most && plan.speedup >= WORTH_MORE_CODE && beyond <= self.more;
        if fits {
            self.code = self.code.saturating_sub(weight);
            self.more -= beyond;
        }
        fits
    }

    fn exhausted(&mut self, failure: Failure) -> Planned {
        let why = failure.why.clone();
        self.failures.push(failure);
        Planned::Exhausted(why)
    }
}

/// So many steps or so much code were not enough for a region of this weight. Nor will they be for one that weighs as much: that is not tried.
struct Failure {
    weight: u64,
    steps: u64,
    code: u64,
    why: String,
}

/// Shares of the steps.
struct Shares {
    /// Of the regions to come.
    weight: u64,
}

impl Shares {
    fn of(regions: &[Raised]) -> Self {
        let mut shares = Self { weight: 0 };
        shares.enter(regions);
        shares
    }

    /// These regions are to come, too.
    fn enter(&mut self, regions: &[Raised]) {
        self.weight = regions.iter().map(weight_of).fold(self.weight, u64::saturating_add);
    }

    /// What the next region may take of the steps left: its part by weight, but not so little that nobody has enough.
    fn next(&mut self, left: u64, raised: &Raised) -> u64 {
        let own = weight_of(raised);
        let fair = u128::from(left) * u128::from(own) / u128::from(self.weight.max(1));
        self.weight = self.weight.saturating_sub(own);
        let fair = u64::try_from(fair).unwrap_or(left);
        // Sequences can be cut when it was not enough: something must be left for that. Where nearly all is one nest, there will not be enough for that one alone either.
        let kept = |steps: u64| steps / if heaviest(raised) >= own - own / NEARLY_ALL { NEARLY_ALL } else { 2 };
        match is_sequence(raised) {
            true => (fair - kept(fair)).max(LEAST_SHARE).min(left - kept(left)),
            false => fair.max(LEAST_SHARE).min(left),
        }
    }
}

/// One nest of several is nearly all of them if not even this part is left.
const NEARLY_ALL: u64 = 8;

/// The weight of the heaviest nest of a region.
fn heaviest(raised: &Raised) -> u64 {
    let mut nests: BTreeMap<Option<&usize>, (u64, u64)> = BTreeMap::new();
    for s in &raised.scop.statements {
        let (statements, loops) = nests.entry(s.beta.first()).or_default();
        (*statements, *loops) = (*statements + 1, *loops + 1 + s.depth() as u64);
    }
    nests.into_values().map(|(statements, loops)| statements * loops).max().unwrap_or(0)
}

/// Can the region be cut into several?
fn is_sequence(raised: &Raised) -> bool {
    let mut places = raised.scop.statements.iter().map(|s| s.beta.first());
    let first = places.next();
    places.any(|place| Some(place) != first)
}

/// A measure for the work that a region makes.
fn weight_of(raised: &Raised) -> u64 {
    let statements = raised.scop.statements.len() as u64;
    raised.scop.statements.iter().map(|s| 1 + s.depth() as u64).sum::<u64>().max(1) * statements.max(1)
}

/// Where remarks about a region point to.
pub fn first_loop(raised: &Raised) -> Option<Loop> {
    raised.region.loops.first().copied()
}

/// The machine that is planned for.
pub fn machine(analyses: Analyses, options: &Options) -> Machine {
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

/// What planning starts from.
pub struct Prepared {
    /// The region with fewer statements, where some could be made one.
    pub part: Option<Raised>,
    /// Those of the part, else of the region.
    pub dependences: Dependences,
}

/// Dependences, and one statement where several are parts of one operation, or differ by constants.
///
/// # Errors
/// Overflow, budget.
pub fn prepare(raised: &Raised, budget: &Budget) -> scheduler::Result<Prepared> {
    let rerolled = alike::rerolled(raised, budget)?;
    let whole = rerolled.as_ref().unwrap_or(raised);
    let dependences = Dependences::of(&whole.scop, budget)?;
    match alike::coalesced(whole, &dependences, budget)? {
        Some(part) => Ok(Prepared { dependences: Dependences::of(&part.scop, budget)?, part: Some(part) }),
        None => Ok(Prepared { part: rerolled, dependences }),
    }
}

/// A choice, and the part that it is for where that is another one than the region's.
pub struct Chosen {
    /// What is to be done.
    pub choice: Choice,
    /// The region with statements split.
    pub part: Option<Box<Raised>>,
    /// As in [`Ast::worthwhile`].
    pub worthwhile: Vec<Affine>,
}

/// The same for another order of updates.
const WORTH_REORDERING: f64 = 1.25;

/// Candidates, and the choice among them; also with buffers that have memory of their own for every iteration of a loop, where that makes products possible.
///
/// # Errors
/// As [`plan::candidates`] and [`scheduler::choose::choose`].
pub fn schedule(
    analyses: Analyses,
    raised: &Raised,
    dependences: &Dependences,
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> scheduler::Result<Chosen> {
    let chosen = schedule_as_it_is(analyses, raised, dependences, options, meter, budget)?;
    let share = budget.part(budget.left() / 2);
    let apart = match &chosen.choice {
        Choice::Leave {
            reason: LeaveReason::AlreadyBest | LeaveReason::NoGain { .. } | LeaveReason::TripCountsTooSmall,
        } if options.policy == Policy::Auto && !raised.unrolled => {
            let machine = machine(analyses, options);
            let choose =
                || choose::told_apart(&raised.scop, dependences, &raised.arrays_to_tell_apart(), &machine, &share);
            // Whatever stands against it: the source stays.
            meter.phase(Phase::Choose, budget, choose).ok().flatten()
        }
        _ => None,
    };
    let [as_it_is, told_apart] = [predicted(&chosen.choice), apart.as_ref().map_or(0.0, predicted)];
    let without = [as_it_is, WORTH_APART * told_apart];
    let of = (raised, dependences);
    let rolled = match interleaved::schedule_interleaved(analyses, of, without, options, meter, &share) {
        Ok(None) => rolled::schedule_rolled(analyses, of, without, options, meter, &share),
        interleaved => interleaved,
    };
    let rolled = match rolled {
        Ok(None) => beside::schedule_rows(analyses, of, [as_it_is, told_apart], options, meter, &share),
        rolled => rolled,
    };
    budget.spend(share.spent().min(budget.left()))?;
    // To have no more than that is no error.
    if let Ok(Some(rolled)) = rolled {
        return Ok(rolled);
    }
    // What the model says of loops is not what it would say of the source.
    if raised.unrolled && options.policy == Policy::Auto {
        let choice = Choice::Leave { reason: LeaveReason::AlreadyBest };
        return Ok(Chosen { choice, part: None, worthwhile: Vec::new() });
    }
    let wanted = match options.policy {
        Policy::Auto | Policy::Off | Policy::Kernels | Policy::Force => true,
        Policy::Random => options.seed % 3 == 1,
    };
    let wanted = wanted && options.fuse == Fuse::Auto && analyses.may_allocate();
    let mut best = chosen;
    for otherwise::Way { schedule, worth } in otherwise::ways(options, wanted) {
        let share = budget.part(budget.left() / 2);
        let found = schedule(analyses, (raised, dependences), options, meter, &share);
        budget.spend(share.spent().min(budget.left()))?;
        // Whatever stands against it: there is the other one.
        let Ok(Some(found)) = found else { continue };
        if options.policy != Policy::Auto || predicted(&found.choice) > worth * predicted(&best.choice).max(1.0) {
            best = found;
        }
    }
    let share = budget.part(budget.left() / 2);
    let found = schedule_reordered(analyses, (raised, dependences), &best.choice, options, meter, &share);
    budget.spend(share.spent().min(budget.left()))?;
    if let Ok(Some(found)) = found {
        best = found;
    }
    if let (Choice::Leave { .. }, Some(apart)) = (&best.choice, apart) {
        best = Chosen { choice: apart, part: None, worthwhile: enough::enough_alone(raised, budget)? };
    }
    Ok(best)
}

/// What is said of arrays that are told apart counts so much beside that: kernels were faster where they were said to gain two thirds of it (measured on products of 4 to 6 rows).
const WORTH_APART: f64 = 0.52;

/// The same with updates in another order. `None`: there is none, or none that is better than what was chosen.
fn schedule_reordered(
    analyses: Analyses,
    (raised, dependences): (&Raised, &Dependences),
    chosen: &Choice,
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> scheduler::Result<Option<Chosen>> {
    let is_kernel =
        |choice: &Choice| matches!(choice, Choice::Transform { kernels, .. } if !kernels.plans().is_empty());
    let wanted = match options.policy {
        Policy::Auto => updates::meet_others(&raised.scop) && !is_kernel(chosen),
        Policy::Off | Policy::Force => false,
        Policy::Kernels => !is_kernel(chosen),
        Policy::Random => options.seed.is_multiple_of(3),
    };
    if !wanted || options.fuse != Fuse::Auto {
        return Ok(None);
    }
    let machine = machine(analyses, options);
    let choose = choose_options(options);
    let found = meter.phase(Phase::Choose, budget, || {
        choose::orders::reordered(&raised.scop, dependences, &machine, &choose, budget)
    })?;
    let better = |found: &Choice| predicted(found) > WORTH_REORDERING * predicted(chosen).max(1.0);
    let Some(found) = found.filter(|found| options.policy != Policy::Auto || better(&found.choice)) else {
        return Ok(None);
    };
    let worthwhile = enough::without_kernels((raised, &found.dependences), &found.choice, options, &machine, budget)?;
    Ok(Some(Chosen { choice: found.choice, part: None, worthwhile }))
}

/// Candidates, and the choice among them.
fn schedule_as_it_is(
    analyses: Analyses,
    raised: &Raised,
    dependences: &Dependences,
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> scheduler::Result<Chosen> {
    let forced =
        meter.phase(Phase::Fuse, budget, || traversal::wanted(analyses, raised, dependences, options, budget))?;
    if let Some(chosen) = forced {
        return Ok(chosen);
    }
    // Anything legal: in pieces, too.
    if options.policy == Policy::Random
        && options.seed % 2 == 1
        && let Some(split) = planes::split(&raised.scop, budget)?
    {
        let whole = Box::new(traversal::part(raised, split.clone())?);
        let mut chosen = schedule_as_it_is(analyses, &whole, &split.dependences, options, meter, budget)?;
        if let Choice::Transform { predicted_speedup, .. } = &mut chosen.choice {
            // What was said is in comparison with the pieces in the order of the source.
            let source = source_to_explain(analyses, raised, dependences, options)?;
            let pieces = source_to_explain(analyses, &whole, &split.dependences, options)?;
            *predicted_speedup *= source.zip(pieces).map_or(0.0, |(source, pieces)| source / pieces);
        }
        return Ok(Chosen { part: chosen.part.or(Some(whole)), ..chosen });
    }
    let mut candidates =
        meter.phase(Phase::Schedule, budget, || plan::candidates(&raised.scop, dependences, budget))?;
    let surveys =
        meter.phase(Phase::Fuse, budget, || traversal::offer(raised, dependences, options, &mut candidates, budget));
    let choose = choose_options(options);
    let machine = machine(analyses, options);
    let mut choice = meter.phase(Phase::Choose, budget, || {
        scheduler::choose::choose(&raised.scop, dependences, &candidates, &machine, &choose, budget)
    })?;
    traversal::explain(analyses, raised, dependences, options, &surveys, &mut choice)?;
    if let Some(known) = without_pieces(&choice, options)
        && let Some(split) = meter.phase(Phase::Choose, budget, || planes::split(&raised.scop, budget))?
    {
        let pieces = meter
            .phase(Phase::Choose, budget, || planes::choose((&raised.scop, dependences), &split, &machine, budget))?;
        if let Some(choice) = pieces.filter(|c| predicted(c) > known) {
            let mut worthwhile = Vec::new();
            for (k, own) in split.origin.iter().enumerate() {
                if split.origin[..k].last() == Some(own) {
                    worthwhile.extend(codegen::generate::at_least(&raised.scop, *own, LEAST_CUT, budget)?);
                }
            }
            worthwhile.dedup();
            let part = Some(Box::new(traversal::part(raised, split)?));
            return Ok(Chosen { choice, part, worthwhile });
        }
    }
    let is_plain = match &choice {
        Choice::Transform { schedule, kernels, .. } => {
            kernels.plans().is_empty() && schedule.tree().in_lanes().is_empty()
        }
        Choice::Leave { .. } => false,
    };
    if options.policy == Policy::Auto && raised.by_remainders && is_plain {
        choice = Choice::Leave { reason: LeaveReason::AlreadyBest };
    }
    let worthwhile = enough::without_kernels((raised, dependences), &choice, options, &machine, budget)?;
    Ok(Chosen { choice, part: None, worthwhile })
}

/// How to choose, as the user wants it.
fn choose_options(options: &Options) -> ChooseOptions {
    ChooseOptions {
        policy: match options.policy {
            Policy::Auto | Policy::Off => scheduler::choose::Policy::Auto,
            Policy::Force => scheduler::choose::Policy::Force,
            Policy::Kernels => scheduler::choose::Policy::Kernels,
            Policy::Random => scheduler::choose::Policy::Random(options.seed),
        },
        tile: options.tile.clone(),
    }
}

/// How much faster the loops are said to be.
fn predicted(choice: &Choice) -> f64 {
    match choice {
        Choice::Transform { predicted_speedup, .. } => *predicted_speedup,
        Choice::Leave { .. } => 0.0,
    }
}

/// What loops in pieces have to beat, if they are to be tried: where nothing was found, or rows run abreast that wait for each other.
fn without_pieces(choice: &Choice, options: &Options) -> Option<f64> {
    let tried = match choice {
        Choice::Leave { .. } => true,
        Choice::Transform { schedule, .. } => {
            options.policy == Policy::Auto && !schedule.tree().in_strips_abreast().is_empty()
        }
    };
    tried.then(|| predicted(choice))
}

/// Loops for a schedule.
///
/// # Errors
/// As [`codegen::generate::generate`].
pub fn generate(
    analyses: Analyses,
    raised: &Raised,
    (schedule, kernels): (&scheduler::legality::LegalSchedule, &ProvedKernels),
    options: &Options,
    budget: &Budget,
) -> scheduler::Result<Ast> {
    let in_place = (!analyses.may_allocate()).then(|| kernels.without_copies());
    let ast = codegen::generate::generate(&raised.scop, schedule, in_place.as_ref().unwrap_or(kernels), budget)?;
    let ast = codegen::registers::hold_cells(&raised.scop, ast, budget)?;
    let ast = codegen::jam::jam(&raised.scop, ast, &machine(analyses, options), budget)?;
    let ast = match schedule.keeps_order_of_updates() {
        true => codegen::starts::start_in_registers(&raised.scop, ast, budget)?,
        false => ast,
    };
    let ast = lanes::vectorise_marked(&raised.scop, ast)?;
    let ast = codegen::joined::join(ast, budget)?;
    let ast = match options.lanes {
        Some(width) => {
            let shape = lanes::Shape { width, masked: options.mask, pack: options.pack };
            lanes::vectorise(&raised.scop, ast, shape)?
        }
        None => ast,
    };
    contract::contract(&raised.scop, ast, &raised.dying())
}
