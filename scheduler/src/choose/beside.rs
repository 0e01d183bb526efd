//! Rows of statements that lay side by side in the source ([`crate::reroll::reroll_rows`]), in vectors of our own.

use super::neighbours::lanes_hold;
use super::proposals;
use super::{Choice, in_this_order};
use crate::Result;
use crate::cost::lanes::cells_apart;
use crate::cost::nest::Nest;
use crate::cost::{Estimate, Execution, Model};
use crate::dependence::Dependences;
use crate::machine::Machine;
use crate::scop::{Scop, StatementId};
use crate::tree::{Lanes, Node};
use polyhedra::Budget;

/// What is done, in words.
const IN_VECTORS: &str = "neighbours side by side in vectors";

/// Rows in vectors.
#[derive(Clone, PartialEq, Debug)]
pub struct Rows {
    /// What is to be done, and what that gains.
    pub choice: Choice,
    /// Does LLVM scatter what the source stores?
    pub scattered: bool,
}

/// The order of `rows` with all innermost loops that are one vector in lanes. Its gain is over `source`, the statements side by side. `None`: there are no such loops, or nobody knows what it takes.
///
/// # Errors
/// Overflow, budget.
pub fn rows_in_lanes(
    (source, of_source): (&Scop, &Dependences),
    (scop, dependences): (&Scop, &Dependences),
    machine: &Machine,
    budget: &Budget,
) -> Result<Option<Rows>> {
    let side_by_side = Model::new(source, of_source, machine, budget)?;
    let Some(source) = side_by_side.source(&of_source.original(source))? else { return Ok(None) };
    let model = Model::new(scop, dependences, machine, budget)?;
    let Some(annotated) = model.distances.annotate(&dependences.original(scop))? else { return Ok(None) };
    let mut tree = annotated.tree;
    let Some((_, nest)) = model.estimate_with_loops(&tree)? else { return Ok(None) };
    let mut is_any = false;
    for place in proposals::bands(&tree) {
        let Some(Node::Band { members, permutable, child }) = proposals::at(&tree, &place) else { continue };
        let Some(width) = whole_vector(&model, &nest, child).filter(|_| members.last().is_some_and(|m| m.parallel))
        else {
            continue;
        };
        let mut members = members.clone();
        members.last_mut().into_iter().for_each(|m| m.lanes = Some(Lanes::of(width)));
        let band = Node::Band { members, permutable: *permutable, child: child.clone() };
        tree = proposals::replaced(&tree, &place, band);
        is_any = true;
    }
    if !is_any || !lanes_hold(&tree) {
        return Ok(None);
    }
    let Some(rows) = model.estimate(&tree)? else { return Ok(None) };
    // It makes vectors of cells that lie apart only if it scatters.
    let scattered = source.inner.iter().any(|i| i.strided && matches!(i.execution, Execution::Vector { .. }));
    let gain = compute(&source) / compute(&rows).max(1.0);
    let choice = in_this_order((scop, dependences), tree, gain, IN_VECTORS, budget)?;
    Ok(choice.map(|choice| Rows { choice, scattered }))
}

/// Cycles but for lines, which are the same either way.
fn compute(estimate: &Estimate) -> f64 {
    estimate.inner.iter().map(|inner| inner.compute).sum::<f64>() + estimate.straight + estimate.overhead
}

/// The lanes of the vector that the innermost loop around some statements is. `None`: it is none.
fn whole_vector(model: &Model<'_>, nest: &Nest, body: &Node) -> Option<u32> {
    let mut width = None;
    for s in leaves(body)? {
        let path = nest.paths.get(&s)?;
        let last = path.steps.len().checked_sub(1)?;
        let exact = path.steps[last].exact.and_then(|n| u32::try_from(n).ok())?;
        let beside =
            path.accesses.iter().all(|a| !a.moves(last) && !a.kind.writes() || cells_apart(a, last) == Some(1));
        let arrays = path.accesses.iter().map(|a| model.scop.arrays[a.array.0].element_bytes);
        let bytes = u64::from(exact).saturating_mul(arrays.max().unwrap_or(1));
        if exact < 2
            || bytes > model.machine().vector_bytes()
            || !exact.is_power_of_two()
            || !beside
            || width.is_some_and(|w| w != exact)
        {
            return None;
        }
        width = Some(exact);
    }
    width
}

/// The statements of a body without loops.
fn leaves(body: &Node) -> Option<Vec<StatementId>> {
    match body {
        Node::Leaf(s) => Some(vec![*s]),
        Node::Sequence(children) => {
            children.iter().map(|c| if let Node::Leaf(s) = c { Some(*s) } else { None }).collect()
        }
        Node::Band { .. } => None,
    }
}
