//! Rows that read the same cells, abreast.
//!
//! **Problem.** In a stencil, `B[i][j] = f(A[i-1][j], A[i][j], A[i+1][j])`, or a convolution of each channel by itself, LLVM has vectors for the innermost loop, and each of them loads all of its
//! cells, though the next row wants most of them again: loads are what limits it.
//!
//! **Method.** Unroll and jam (Callahan, Carr and Kennedy, PLDI 1990): a strip of rows becomes one loop along them, in lanes, with an instance for each row ([`Member::abreast`] inside of
//! [`Member::lanes`]); what they share is loaded once (`codegen::registers`). As many rows as the model says, where the two innermost loops of a perfect nest are parallel.

use super::abreast::{all_hold, ends, in_as_many_lines, perfect};
use super::lanes::Spread;
use super::proposals::{self, Place};
use super::search::{Random, rounded};
use super::strips::may_go_on;
use crate::Result;
use crate::cost::{Execution, Model};
use crate::scop::StatementId;
use crate::tree::{Lanes, Member, Node};

/// Rows must save this part of the time of their nest.
const LEAST_GAIN: f64 = 0.1;

/// Vectors wider than those that LLVM prefers must save so much more (measured on Emerald Rapids: 1.6 times as fast for convolutions by channels, 1.4 for depthwise ones, 2.4 for medians of bytes).
const GAIN_OF_WIDEST: f64 = 0.1;

/// Lines of several rows are not asked for in order, and of what that takes by the model so much is left where rows are abreast (measured on stencils of 5 to 27 points and on convolutions by
/// channels, all in the second level: gains between none and 2.4 times).
const OUT_OF_ORDER: f64 = 0.5;

/// Rows in a strip.
const COUNTS: [u32; 5] = [2, 3, 4, 6, 8];

/// Accesses at most in the body of the loop along the rows.
const MOST_ACCESSES: usize = 160;

/// The tree with rows abreast where they share what they read, with its cycles. `None`: nowhere.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn spread(model: &Model<'_>, tree: &Node) -> Result<Option<Spread>> {
    let (mut nests, mut cost, mut saved) = (Vec::new(), 0.0, 0.0);
    for nest in tree.outermost() {
        let Some(estimate) = model.estimate(nest)? else { return Ok(None) };
        let before = estimate.cycles + estimate.doubtful;
        let lines: f64 = estimate.inner.iter().map(|i| i.memory).sum();
        let vectors = estimate.inner.iter().any(|i| matches!(i.execution, Execution::Vector { .. }));
        let found = if vectors { of_nest(model, nest, (before, lines))? } else { None };
        let (nest, after) = found.unwrap_or_else(|| (nest.clone(), before));
        cost += after;
        saved += before - after;
        nests.push(nest);
    }
    let tree = if nests.len() == 1 { nests.remove(0) } else { Node::Sequence(nests) };
    Ok((saved > 0.0).then_some(Spread { tree, cost, saved }))
}

/// The nest with rows abreast, and its cycles. `before`: those of the nest as it is, and those of them that are for lines.
fn of_nest(model: &Model<'_>, nest: &Node, (before, lines): (f64, f64)) -> Result<Option<(Node, f64)>> {
    let mut best = (nest.clone(), before);
    let mut found = false;
    let mut k = 0;
    // Places change with what is put there.
    while let Some(place) = proposals::nests(&best.0).get(k).cloned() {
        k += 1;
        let from = best.0.clone();
        // Vectors that LLVM prefers, then the widest.
        let mut widths = vec![model.machine().vector_bytes(), model.machine().widest_bytes()];
        widths.dedup();
        for bytes in widths {
            let mut margin = if bytes > model.machine().vector_bytes() { GAIN_OF_WIDEST } else { 0.0 };
            for count in COUNTS {
                if !may_go_on(model) {
                    break;
                }
                let Some(tree) = jammed(model, &from, &place, (count, bytes))? else { break };
                let Some((estimate, nest)) = model.estimate_with_loops(&tree)? else { continue };
                let (all, few) = (estimate.cycles + estimate.doubtful, in_as_many_lines(&estimate, lines));
                let cost = (few + (all - few) * OUT_OF_ORDER) * (1.0 + ends(&nest, &tree));
                let least = if found { margin * best.1 } else { LEAST_GAIN * before };
                if rounded(cost) < rounded(best.1 - least) {
                    best = (tree, cost);
                    (found, margin) = (true, 0.0);
                }
            }
        }
    }
    Ok(found.then_some(best))
}

/// The nest at a place with so many iterations of the outer one of its two innermost loops abreast, and lanes along the inner one, in vectors of so many bytes. `None`: it has other loops, they are not parallel, or there are no vectors for it.
fn jammed(model: &Model<'_>, tree: &Node, place: &Place, (count, bytes): (u32, u64)) -> Result<Option<Node>> {
    let Some((members, child)) = proposals::at(tree, place).and_then(perfect) else { return Ok(None) };
    let [outside @ .., rows, along] = members.as_slice() else { return Ok(None) };
    let statements = child.statements();
    let of = |s: &StatementId| &model.scop.statements[s.0];
    let accesses: usize = statements.iter().map(|s| of(s).accesses.len()).sum();
    let everywhere = |m: &Member| statements.iter().all(|s| m.rows.get(s).is_some_and(|row| !row.is_constant()));
    let suit = statements.iter().all(|s| of(s).has_vectors() && !of(s).is_conditional() && of(s).calls == 0);
    if !suit || accesses.saturating_mul(count as usize) > MOST_ACCESSES || !everywhere(rows) || !everywhere(along) {
        return Ok(None);
    }
    let all = statements.iter().flat_map(|s| &of(s).accesses);
    let widest = all.map(|a| model.scop.arrays[a.array.0].element_bytes).max().unwrap_or(1).max(1);
    let Some(width) = u32::try_from(bytes / widest).ok().filter(|w| *w >= 2) else {
        return Ok(None);
    };
    let along = Member { lanes: Some(Lanes::of(width)), ..(*along).clone() };
    let rows = Member { parallel: true, abreast: Some(count), ..(*rows).clone() };
    let mut node = Node::Band { members: vec![along, rows], permutable: true, child: Box::new(child.clone()) };
    if !outside.is_empty() {
        let members = outside.iter().map(|m| (*m).clone()).collect();
        node = Node::Band { members, permutable: true, child: Box::new(node) };
    }
    let annotated = model.distances.annotate(&proposals::replaced(tree, place, node))?;
    Ok(annotated.map(|a| a.tree).filter(|tree| all_hold(tree) && lanes_hold(tree)))
}

/// Are all loops in lanes parallel?
pub(super) fn lanes_hold(tree: &Node) -> bool {
    match tree {
        Node::Leaf(_) => true,
        Node::Sequence(children) => children.iter().all(lanes_hold),
        Node::Band { members, child, .. } => {
            members.iter().all(|m| m.lanes.is_none() || m.parallel) && lanes_hold(child)
        }
    }
}

/// Lanes along some of the rows that run abreast, where the loop along them is parallel.
pub(super) fn random(tree: &Node, random: &mut Random) -> Node {
    const LANES: [u32; 4] = [2, 3, 4, 8];
    match tree {
        Node::Leaf(_) => tree.clone(),
        Node::Sequence(children) => Node::Sequence(children.iter().map(|c| self::random(c, random)).collect()),
        Node::Band { members, permutable, child } => {
            let mut members = members.clone();
            for k in 1..members.len() {
                let rows = members[k].abreast.is_some() && members[k].lanes.is_none();
                if rows && members[k - 1].parallel && random.below(2) == 0 {
                    members[k - 1].lanes = Some(Lanes::of(LANES[random.below(LANES.len())]));
                }
            }
            Node::Band { members, permutable: *permutable, child: Box::new(self::random(child, random)) }
        }
    }
}
