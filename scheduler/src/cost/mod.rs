//! Estimated cycles of a tree of loops.
//!
//! **Problem.** Which of many legal trees is fastest, and is it faster than the source by so much that we can be sure?
//!
//! **What will run.** For now we emit scalar loops with cells held in registers over inner loops; LLVM's own vectoriser then takes innermost loops that carry
//! nothing and whose accesses have stride 0 or 1. Floating-point reductions keep their order: one iteration per latency. [`Execution`] names these ways of
//! running an innermost loop; vectors of our own and register tiles will be further variants of it.
//!
//! **Method.** The tree is annotated ([`carried`]), its tiles written out ([`nest`]), extents estimated ([`shape`]). Then, per innermost loop,
//! ```text
//! compute = entries * (start-up + trips * max(loads, stores, arithmetic, issue, latency of what it carries))
//! cycles  = max(compute, memory) + HIDDEN * min(compute, memory)       memory: see [`memory`]
//! ```
//! plus a few cycles for every iteration of the loops outside. Statements between loops run one by one. All strides are those after the transformation: the
//! iterators are the inverse of the rows. The source's own order goes through the same function.
//!
//! The model is analytic and coarse; it only has to order trees, and [`crate::choose`] asks for a margin.

mod alternatives;
mod branching;
pub mod carried;
mod handed;
mod inner;
pub(crate) mod lanes;
mod meeting;
pub mod memory;
mod neighbours;
pub mod nest;
mod packed;
mod rests;
pub mod shape;
pub mod window;

use crate::Result;
use crate::dependence::Dependences;
use crate::kernel::Strip;
use crate::machine::Machine;
use crate::scop::{Scop, StatementId};
use crate::tree::Node;
use alternatives::Alternatives;
use carried::{Annotated, Distances};
pub use inner::MOST_SEPARATED;
use inner::{AHEAD, Often};
use nest::{LoopId, Nest, Piece, Role};
use polyhedra::Budget;
use shape::Shapes;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The smaller of compute and memory time is hidden behind the larger but for this part.
const HIDDEN: f64 = 0.2;

/// Iterations of loops that are few.
const FEW: i64 = 12;

/// Cycles to start a scalar innermost loop.
const SCALAR_ENTRY: f64 = 4.0;

/// Strided accesses in an innermost loop take this many times as long when they fall into few sets of a cache, which depends on sizes that we do not know.
const STRIDE_RISK: f64 = 2.5;

/// Cycles an iteration of a loop that is not innermost costs by itself.
const OUTER_ITERATION: f64 = 2.0;

/// The same when its bounds have to be computed from loops outside.
const SLANTED_ITERATION: f64 = 4.0;

/// Statements are far apart in a loop if it has so many times as many iterations as they have.
const FAR: f64 = 8.0;

/// Innermost loops within blocks that are shorter than this in the mean: what LLVM makes of them depends on how their bounds are written.
const SHORT_IN_BLOCKS: f64 = 10.0;

/// So many times as long they may take (measured on transpositions in blocks, in the order of the source but with bounds of ours: 2.0 on blocks of 4 x 4, up to 1.1 on 8 x 8).
const SHORT_RISK: f64 = 3.0;

/// Cycles in which one element of a gather or scatter comes.
const GATHERED: f64 = 1.0;

/// The latencies in [`crate::scop::Statement::chain_latency`] are in units of this fused multiply-add.
pub(crate) const CHAIN_FMA: f64 = 4.0;

/// How an innermost loop will run. Later: vectors of our own, register tiles.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Execution {
    /// Vectors of our own, of a loop outside.
    Lanes,
    /// LLVM's vectoriser takes it, this many elements at once.
    Vector {
        /// Elements in a register.
        lanes: u64,
    },
    /// One iteration after the other, as fast as the units go.
    Scalar,
    /// Every iteration waits for the one before.
    Chain {
        /// Latency.
        cycles: f64,
    },
    /// Some iterations at once, which wait for the iteration before of the loop around.
    Abreast,
}

/// Steps that an estimate is charged for every access: what it takes, measured against steps of set operations.
const STEPS_PER_ACCESS: u64 = 30;

/// An innermost loop and what it costs.
#[derive(Clone, PartialEq, Debug)]
pub struct InnerLoop {
    /// Which of the nest's loops it is.
    pub id: LoopId,
    /// What it repeats.
    pub statements: Vec<StatementId>,
    /// How it runs.
    pub execution: Execution,
    /// Do some accesses step over lines?
    pub strided: bool,
    /// Does it run in blocks that loops outside walk?
    pub in_block: bool,
    /// Mean number of iterations.
    pub trips: f64,
    /// Cycles of the arithmetic units, loads and stores that hit the first level, and start-up; all executions together.
    pub compute: f64,
    /// Further cycles if LLVM does not see that it may run iterations at once.
    pub doubtful: f64,
    /// Cycles for lines.
    pub memory: f64,
    /// Further cycles if all statements load and store for themselves what others loaded or stored just before, and none of them run at once as vectors; of vectors, if they store for themselves.
    pub repeated: f64,
    /// Of the source: cycles in which it waits for cells that new loops hand on in registers; less than none where new loops may wait.
    pub handed_on: f64,
    /// All cycles but for lines if statements do so, one iteration after the other.
    pub alone: f64,
    /// The same if they do not.
    pub scalar: f64,
    /// Of the source: do statements in it run or not as counters say?
    pub branches: bool,
}

impl InnerLoop {
    /// All its cycles.
    #[must_use]
    pub fn cycles(&self) -> f64 {
        overlap(self.compute, self.memory)
    }

    /// What other statements take in it, which never run for the same parameters; they are as much of the time as these.
    fn add(&mut self, others: &Self) {
        self.statements.extend(&others.statements);
        self.compute += others.compute;
        self.doubtful += others.doubtful;
        self.repeated += others.repeated;
        self.handed_on += others.handed_on;
        self.alone += others.alone;
        self.scalar += others.scalar;
        self.trips = self.trips.max(others.trips);
        self.strided |= others.strided;
        self.in_block |= others.in_block;
        self.branches |= others.branches;
    }

    /// Those that may come on top, for lines that are stepped over and short loops in blocks, too.
    #[must_use]
    pub fn all_doubtful(&self) -> f64 {
        let steps = if self.strided && self.trips > AHEAD { (STRIDE_RISK - 1.0) * self.cycles() } else { 0.0 };
        let short =
            if self.in_block && self.trips < SHORT_IN_BLOCKS { (SHORT_RISK - 1.0) * self.cycles() } else { 0.0 };
        self.doubtful + steps + short
    }
}

/// What a tree is thought to cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// All cycles.
    pub cycles: f64,
    /// Cycles that may come on top, for reasons that cannot be known.
    pub doubtful: f64,
    /// The part for running the loops outside the innermost ones.
    pub overhead: f64,
    /// The part for statements between loops.
    pub straight: f64,
    /// Innermost loops, in order of appearance.
    pub inner: Vec<InnerLoop>,
    /// The tree, with flags.
    pub annotated: Annotated,
}

/// The cost model for one part.
#[derive(Debug)]
pub struct Model<'a> {
    /// The part.
    pub scop: &'a Scop,
    machine: &'a Machine,
    /// What loops carry.
    pub distances: Rc<Distances<'a>>,
    /// How long they are.
    pub shapes: Shapes<'a>,
    /// Which statements never run at once.
    alternatives: Rc<Alternatives>,
}

impl<'a> Model<'a> {
    /// Prepares the model.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn new(scop: &'a Scop, dependences: &'a Dependences, machine: &'a Machine, budget: &'a Budget) -> Result<Self> {
        let distances = Rc::new(Distances::new(scop, dependences, budget)?);
        let shapes = Shapes::new(scop, shape::typical_size(scop), budget)?;
        let alternatives = Rc::new(Alternatives::of(scop, budget)?);
        Ok(Self { scop, machine, distances, shapes, alternatives })
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &'a Machine {
        self.machine
    }

    /// The model with parameters of another size.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn with_size(&self, size: i64) -> Result<Self> {
        self.with(size, self.machine)
    }

    /// The model where one parameter is this.
    #[must_use]
    pub fn with_param(&self, p: usize, value: i64) -> Model<'_> {
        let (distances, shapes) = (Rc::clone(&self.distances), self.shapes.with_param(p, value));
        let alternatives = Rc::clone(&self.alternatives);
        Model { scop: self.scop, machine: self.machine, distances, shapes, alternatives }
    }

    /// The model where the sizes of windows are small.
    #[must_use]
    pub fn with_small_windows(&self) -> Model<'_> {
        let (distances, shapes) = (Rc::clone(&self.distances), self.shapes.with_small_windows());
        let alternatives = Rc::clone(&self.alternatives);
        Model { scop: self.scop, machine: self.machine, distances, shapes, alternatives }
    }

    /// The model with parameters of another size, for another machine.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn with<'b>(&self, size: i64, machine: &'b Machine) -> Result<Model<'b>>
    where
        'a: 'b,
    {
        let distances: Rc<Distances<'b>> = Rc::clone(&self.distances);
        let shapes = Shapes::new(self.scop, size, distances.budget())?;
        let alternatives = Rc::clone(&self.alternatives);
        Ok(Model { scop: self.scop, machine, distances, shapes, alternatives })
    }

    /// The cycles of a tree. `None`: it looks illegal, or its rows are no unimodular change of iterators.
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub fn estimate(&self, tree: &Node) -> Result<Option<Estimate>> {
        Ok(self.estimate_with_loops(tree)?.map(|(estimate, _)| estimate))
    }

    /// The cycles of the source, whose tree this is: loops whose accesses LLVM cannot tell apart run without vectors there. `None` as for [`Model::estimate`].
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub fn source(&self, tree: &Node) -> Result<Option<Estimate>> {
        let Some((mut estimate, nest)) = self.source_with_loops(tree)? else { return Ok(None) };
        let suspects = |model: &Self, nest: &Nest, inner: &[InnerLoop]| -> BTreeSet<LoopId> {
            let vectors = inner.iter().filter(|inner| matches!(inner.execution, Execution::Vector { .. }));
            vectors
                .filter(|inner| model.seem_to_meet(nest, inner.id, &inner.statements))
                .map(|inner| inner.id)
                .collect()
        };
        for inner in &mut estimate.inner {
            if matches!(inner.execution, Execution::Vector { .. })
                && let Some(cycles) = self.with_branches(inner)?
            {
                let before = inner.cycles();
                (inner.branches, inner.compute) = (true, cycles);
                estimate.cycles += inner.cycles() - before;
            }
        }
        let mut meeting = suspects(self, &nest, &estimate.inner);
        if meeting.is_empty() {
            return Ok(Some(estimate));
        }
        // Whatever the sizes.
        let small = self.with_size(FEW)?;
        if let Some((_, nest)) = small.source_with_loops(tree)? {
            let also = suspects(&small, &nest, &estimate.inner);
            meeting.retain(|id| also.contains(id));
        }
        for inner in &mut estimate.inner {
            if meeting.contains(&inner.id) {
                let before = inner.cycles();
                inner.compute = inner.compute.max(inner.alone);
                inner.execution = Execution::Scalar;
                estimate.cycles += inner.cycles() - before;
            }
        }
        Ok(Some(estimate))
    }

    fn source_with_loops(&self, tree: &Node) -> Result<Option<(Estimate, Nest)>> {
        let Some(annotated) = self.distances.annotate_source(tree)? else { return Ok(None) };
        self.weigh_in(annotated, None, true)
    }

    /// The cycles of a tree, and its loops. `None` as for [`Model::estimate`].
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub fn estimate_with_loops(&self, tree: &Node) -> Result<Option<(Estimate, Nest)>> {
        let Some(annotated) = self.distances.annotate(tree)? else { return Ok(None) };
        self.weigh(annotated)
    }

    /// The cycles of a tree that has been annotated, and its loops.
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub fn weigh(&self, annotated: Annotated) -> Result<Option<(Estimate, Nest)>> {
        self.weigh_in(annotated, None, false)
    }

    /// The cycles of a tree that runs strip by strip, and its loops. `None` as for [`Model::estimate`], and where a statement has no rows.
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub fn in_strips(&self, annotated: Annotated, strip: &Strip) -> Result<Option<(Estimate, Nest)>> {
        self.weigh_in(annotated, Some(strip), false)
    }

    fn weigh_in(
        &self,
        annotated: Annotated,
        strip: Option<&Strip>,
        is_source: bool,
    ) -> Result<Option<(Estimate, Nest)>> {
        let of = |s: &StatementId| self.scop.statements[s.0].accesses.len() as u64;
        let accesses: u64 = annotated.tree.statements().iter().map(of).sum();
        self.distances.budget().spend(accesses.saturating_mul(STEPS_PER_ACCESS))?;
        let Some(nest) = Nest::of(self.scop, &annotated, &self.shapes, strip)? else { return Ok(None) };
        // Where conditions on data pass loops by in the source, nobody knows how much it does.
        let asks_inside =
            |path: &nest::Path| path.innermost().is_some_and(|k| path.skipped.get(k).is_some_and(|&skipped| skipped));
        if !is_source && nest.paths.values().any(asks_inside) {
            return Ok(None);
        }
        let nest = if is_source { nest.of_source(self.scop) } else { nest };
        let traffic = memory::traffic(self.scop, &nest, self.machine);
        let mut groups = Groups::default();
        groups.collect(&nest, &nest.root);
        let mut estimate =
            Estimate { cycles: 0.0, doubtful: 0.0, overhead: 0.0, straight: 0.0, inner: Vec::new(), annotated };
        for id in &groups.order {
            let statements = &groups.inner[id];
            let of = |set: &Vec<StatementId>| match self.loop_of_vectors(&nest, *id, set) {
                Some(inner) => inner,
                None => self.inner_loop(&nest, *id, set),
            };
            let mut sets = self.alternatives.sets(statements).into_iter();
            let mut inner = of(&sets.next().unwrap_or_default());
            for set in sets {
                inner.add(&of(&set));
            }
            inner.memory = statements.iter().filter_map(|s| traffic.get(s)).fold(0.0, |a, b| a + b);
            estimate.cycles += inner.cycles();
            estimate.doubtful += inner.all_doubtful();
            estimate.inner.push(inner);
        }
        for s in &groups.between {
            let Some(path) = nest.paths.get(s) else { continue };
            let compute = match path.lanes() {
                Some(step) => path.iterations(step) * self.vector_of_lanes(&[(path, *s)], None).cycles,
                None => {
                    let all = path.accesses.iter().filter(|access| !access.in_register);
                    let all: Vec<Often<'_>> = all.map(|access| Often { access, part: 1.0 }).collect();
                    path.instances() * self.throughput(&all, &[], self.operations(&[(*s, 1.0)], |_, _| false), 1)
                }
            };
            estimate.straight += overlap(compute, traffic.get(s).copied().unwrap_or(0.0));
        }
        estimate.overhead = overhead(&nest, &groups) + between(&nest);
        estimate.cycles += estimate.straight + estimate.overhead;
        Ok(Some((estimate, nest)))
    }
}

/// Statements by the loop that runs them.
#[derive(Default)]
struct Groups {
    /// Innermost loops in order of appearance.
    order: Vec<LoopId>,
    inner: BTreeMap<LoopId, Vec<StatementId>>,
    /// Statements with a loop beside them, or with none.
    between: Vec<StatementId>,
}

impl Groups {
    /// Sorts the statements of a piece; returns them with their innermost loops.
    fn collect(&mut self, nest: &Nest, piece: &Piece) -> Vec<StatementId> {
        match piece {
            Piece::Call(s) => {
                if nest.paths.get(s).and_then(nest::Path::innermost).is_none() {
                    self.between.push(*s);
                }
                vec![*s]
            }
            Piece::Block(children) => children.iter().flat_map(|c| self.collect(nest, c)).collect(),
            Piece::Loop(id, body) if matches!(nest.loops[id.0].role, Role::Lanes(_)) => self.collect(nest, body),
            Piece::Loop(id, body) => {
                let below = self.collect(nest, body);
                let innermost = |s: &StatementId| {
                    let path = nest.paths.get(s)?;
                    path.innermost().map(|k| path.steps[k].of)
                };
                let (mine, others): (Vec<StatementId>, Vec<StatementId>) =
                    below.iter().partition(|s| innermost(s) == Some(*id));
                // Those that ended further out do not run in this loop, those that end further in have loops of their own inside.
                let deeper = others.iter().any(|s| innermost(s).is_some_and(|l| l > *id));
                if deeper {
                    self.between.extend(mine);
                } else if !mine.is_empty() {
                    self.order.push(*id);
                    self.inner.insert(*id, mine);
                }
                below
            }
        }
    }
}

/// Cycles for running through what lies between statements that share loops but are far apart in them. Code for their union asks in every iteration who runs.
fn between(nest: &Nest) -> f64 {
    let mut hulls: BTreeMap<LoopId, f64> = BTreeMap::new();
    for k in 0..nest.loops.len() {
        let steps = nest.paths.values().flat_map(|p| &p.steps).filter(|s| s.of == LoopId(k));
        let (mut low, mut high, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for (first, extent) in steps.filter_map(|s| Some((s.first?, s.extent))) {
            (low, high, sum) = (low.min(first), high.max(first + extent), sum + extent);
        }
        if high - low > FAR * sum {
            hulls.insert(LoopId(k), high - low);
        }
    }
    if hulls.is_empty() {
        return 0.0;
    }
    let mut worst: BTreeMap<LoopId, f64> = BTreeMap::new();
    for path in nest.paths.values() {
        let (mut visits, mut is_apart) = (1.0, false);
        for step in &path.steps {
            is_apart |= hulls.contains_key(&step.of);
            visits *= hulls.get(&step.of).unwrap_or(&step.extent);
            let known = worst.entry(step.of).or_default();
            *known = known.max(if is_apart { visits } else { 0.0 });
        }
    }
    worst.values().sum::<f64>() * SLANTED_ITERATION
}

/// Cycles for running loops that are not innermost.
fn overhead(nest: &Nest, groups: &Groups) -> f64 {
    let mut sum = 0.0;
    for k in 0..nest.loops.len() {
        let id = LoopId(k);
        if groups.inner.contains_key(&id) || matches!(nest.loops[k].role, Role::Lanes(_)) {
            continue;
        }
        let mut worst = 0.0_f64;
        for path in nest.paths.values() {
            if let Some(q) = path.steps.iter().position(|s| s.of == id && !s.idle) {
                let slanted = path.steps[q + 1..].iter().any(|s| s.slanted && !s.idle);
                let each = if slanted { SLANTED_ITERATION } else { OUTER_ITERATION };
                worst = worst.max(each * path.iterations(q + 1));
            }
        }
        sum += worst;
    }
    sum
}

/// Cycles for running those loops of one statement that are not innermost, from the given one on.
pub(crate) fn overhead_inside(path: &nest::Path, from: usize) -> f64 {
    let Some(innermost) = path.innermost() else { return 0.0 };
    let loops = (from..innermost).filter(|&q| !path.steps[q].idle);
    let each = |q: usize| {
        let slanted = path.steps[q + 1..].iter().any(|s| s.slanted && !s.idle);
        if slanted { SLANTED_ITERATION } else { OUTER_ITERATION }
    };
    loops.map(|q| each(q) * path.iterations(q + 1)).sum()
}

/// Time of something that computes so long and waits for memory so long.
pub(crate) fn overlap(compute: f64, memory: f64) -> f64 {
    compute.max(memory) + HIDDEN * compute.min(memory)
}

fn to_f64(x: usize) -> f64 {
    to_f64_u64(u64::try_from(x).unwrap_or(u64::MAX))
}

#[expect(clippy::cast_precision_loss, reason = "estimates")]
fn to_f64_u64(x: u64) -> f64 {
    x as f64
}

#[expect(clippy::cast_precision_loss, reason = "estimates")]
fn to_f64_i64(x: i64) -> f64 {
    x as f64
}

#[cfg(test)]
mod tests;
