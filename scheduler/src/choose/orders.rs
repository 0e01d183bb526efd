//! Other orders of updates ([`crate::updates`]), where they pay.
//!
//! **Method.** A search ([`super::search`]) by the dependences that updates leave; the best few trees that the source's dependences do not allow are proved by
//! these, and weighed with the updates in their own order, as reductions. The best is then the source of a choice like any other.

use super::search::{OTHER_SIZES, Random, SAFE, Search, rounded, wander};
use super::{Choice, ChooseOptions, LeaveReason, MODEL_STEPS, Policy, THRESHOLD, choose, words};
use crate::Result;
use crate::cost::Model;
use crate::cost::shape::typical_size;
use crate::dependence::Dependences;
use crate::kernel::ProvedKernels;
use crate::legality::{self, Verdict};
use crate::machine::Machine;
use crate::plan::{self, Candidate};
use crate::scop::Scop;
use crate::tree::Node;
use crate::updates;
use polyhedra::Budget;

/// Trees that are weighed as orders.
const MOST_ORDERS: usize = 6;

/// Random trees, the first of which the source does not allow is taken.
const WALKS: usize = 8;

/// What is to be done with updates in another order.
#[derive(Clone, PartialEq, Debug)]
pub struct Reordered {
    /// What. The gain is that over the source.
    pub choice: Choice,
    /// The dependences that it respects, and the order that they are of.
    pub dependences: Dependences,
}

/// Chooses among the orders that updates allow and `dependences`, those of the source, do not. `None`: there is none, or none that pays.
///
/// # Errors
/// Overflow, budget.
pub fn reordered(
    scop: &Scop,
    dependences: &Dependences,
    machine: &Machine,
    options: &ChooseOptions,
    budget: &Budget,
) -> Result<Option<Reordered>> {
    let Some(own) = order(scop, dependences, machine, options.policy, budget)? else { return Ok(None) };
    let candidates = plan::candidates(scop, &own, budget)?;
    let choice = choose(scop, &own, &candidates, machine, options, budget)?;
    let work = Work { scop, dependences, machine, budget };
    Ok(work.over_the_source(choice, &own, options.policy)?.map(|choice| Reordered { choice, dependences: own }))
}

/// An order that updates allow and `dependences`, those of the source, do not, by its own dependences: under [`Policy::Auto`] the fastest by itself. `None`: there
/// is none.
///
/// # Errors
/// Overflow, budget.
pub fn order(
    scop: &Scop,
    dependences: &Dependences,
    machine: &Machine,
    policy: Policy,
    budget: &Budget,
) -> Result<Option<Dependences>> {
    let Some(relaxed) = updates::relaxed(scop, dependences) else { return Ok(None) };
    let candidates = plan::candidates(scop, &relaxed, budget)?;
    let steps = budget.part(MODEL_STEPS.min(budget.left() / 2));
    let order = Work { scop, dependences, machine, budget }.order(&relaxed, &candidates, policy, &steps);
    budget.spend(steps.spent())?;
    order
}

struct Work<'a> {
    scop: &'a Scop,
    dependences: &'a Dependences,
    machine: &'a Machine,
    budget: &'a Budget,
}

impl Work<'_> {
    /// The order to start from, by its dependences.
    fn order(
        &self,
        relaxed: &Dependences,
        candidates: &[Candidate],
        policy: Policy,
        steps: &Budget,
    ) -> Result<Option<Dependences>> {
        let source = Model::new(self.scop, self.dependences, self.machine, steps)?;
        let model = Model::new(self.scop, relaxed, self.machine, steps)?;
        let planned = candidates.iter().map(|c| c.schedule.tree());
        let trees: Vec<Node> = match policy {
            Policy::Auto => {
                let mut search = Search::new(&model)?;
                search.start_from(&planned.collect::<Vec<_>>())?;
                search.run()?;
                search.ranked().into_iter().map(|p| p.tree.clone()).collect()
            }
            Policy::Force | Policy::Kernels => planned.cloned().collect(),
            Policy::Random(seed) => {
                let mut random = Random::new(seed);
                let from = &candidates[random.below(candidates.len())];
                let walk = |_| wander(&model.distances, from.schedule.tree(), &mut random);
                (0..WALKS).map(walk).collect::<Result<_>>()?
            }
        };
        let mut seen = Vec::new();
        let mut best: Option<(u64, Dependences)> = None;
        for tree in trees {
            let tree = without_tiles(&tree);
            let rows = words::rows(&tree);
            if seen.len() == MOST_ORDERS {
                break;
            }
            if seen.contains(&rows) || source.distances.annotate(&tree)?.is_some() {
                continue;
            }
            seen.push(rows);
            let Verdict::Legal(order) = legality::prove(self.scop, relaxed, tree, self.budget)? else { continue };
            let own = updates::in_order(self.scop, relaxed, order.tree(), self.budget)?;
            let Some(cost) = Model::new(self.scop, &own, self.machine, steps)?.estimate(order.tree())? else {
                continue;
            };
            let cost = rounded(cost.cycles + cost.doubtful);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, own));
            }
            if policy != Policy::Auto {
                break;
            }
        }
        Ok(best.map(|(_, own)| own))
    }

    /// A choice by other dependences as one against the source. Where nothing was better than the other order, that.
    fn over_the_source(&self, choice: Choice, own: &Dependences, policy: Policy) -> Result<Option<Choice>> {
        let before = Model::new(self.scop, self.dependences, self.machine, self.budget)?;
        let after = Model::new(self.scop, own, self.machine, self.budget)?;
        let (source, order) = (self.dependences.original(self.scop), own.original(self.scop));
        let typical = typical_size(self.scop);
        let mut by_order = 0.0;
        let sizes = OTHER_SIZES.iter().map(|(times, over)| typical * times / over);
        for size in std::iter::once(typical).chain(sizes) {
            let (before, after) =
                (before.with_size(size)?.estimate(&source)?, after.with_size(size)?.estimate(&order)?);
            let (Some(before), Some(after)) = (before, after) else { return Ok(None) };
            let gain = before.cycles / (after.cycles + after.doubtful);
            if policy == Policy::Auto && gain < 1.0 / SAFE {
                return Ok(None);
            }
            if size == typical {
                by_order = gain;
            }
        }
        let (schedule, kernels, gain) = match choice {
            Choice::Transform { schedule, kernels, predicted_speedup, .. } => (schedule, kernels, predicted_speedup),
            Choice::Leave { reason: LeaveReason::NoLoops | LeaveReason::TripCountsTooSmall } => return Ok(None),
            Choice::Leave { .. } => match legality::prove(self.scop, own, order, self.budget)? {
                Verdict::Legal(schedule) => (schedule, ProvedKernels::default(), 1.0),
                Verdict::Refused { .. } => return Ok(None),
            },
        };
        let predicted_speedup = gain * by_order;
        if policy == Policy::Auto && predicted_speedup < THRESHOLD {
            return Ok(None);
        }
        let mut summary = words::summary(&after, &source, schedule.tree())?;
        summary.extend(words::kernels(&kernels));
        summary.push("updates that commute in another order".into());
        Ok(Some(Choice::Transform { schedule, kernels, predicted_speedup, summary }))
    }
}

/// The loops alone.
fn without_tiles(tree: &Node) -> Node {
    match tree {
        Node::Leaf(_) => tree.clone(),
        Node::Sequence(children) => Node::Sequence(children.iter().map(without_tiles).collect()),
        Node::Band { members, permutable, child } => {
            let mut members = members.clone();
            members.iter_mut().for_each(|m| m.tile = None);
            Node::Band { members, permutable: *permutable, child: Box::new(without_tiles(child)) }
        }
    }
}
