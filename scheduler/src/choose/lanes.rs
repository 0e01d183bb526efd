//! Vectors whose lanes are iterations of a loop outside of others.
//!
//! **Problem.** A recurrence along a row waits for itself in every iteration: filters, tridiagonal solves, sums that must keep their order. No vectoriser helps that takes innermost loops;
//! but many rows may wait at once. Lanes are iterations of a parallel loop outside ([`Member::lanes`]), and everything inside stays as it is.
//!
//! **Method.** Every parallel loop around a loop, outermost first, one in each nest of loops (of those of one band the one that is fastest so): it gets lanes if the model says that this pays for the whole tree
//! ([`crate::cost`]). Loops inside must be as long for all lanes, a statement must store to another cell in each, and a loop that is known to be shorter than a vector has none.
//!
//! **Every second cell.** So have innermost loops that store to every second cell, say, as sweeps over the points of one colour do: LLVM would put vectors of these together and take them
//! apart cell by cell. Here the cells between are part of a vector, and masks keep them as they are.

use super::proposals::{self, Place};
use super::search::{Random, rounded};
use super::strips::may_go_on;
use crate::Result;
use crate::cost::lanes::{MOST_APART, cells_apart};
use crate::cost::nest::Path;
use crate::cost::{Estimate, Execution, InnerLoop, Model};
use crate::scop::{AccessKind, StatementId};
use crate::tree::{Lanes, Member, Node};
use std::collections::BTreeSet;

/// Lanes on a loop must save this part of the time of its nest.
const LEAST_GAIN: f64 = 0.02;

/// What differs by so little is as fast.
const ALIKE: f64 = 0.02;

/// Loops of fewer iterations are short.
const SHORT: f64 = 64.0;

/// As many vectors again must save this part of the time.
const GAIN_OF_VECTORS: f64 = 0.1;

/// Vectors wider than those that LLVM prefers must save this part of the time of the tree: where there are few rows most of their lanes have none (measured on Emerald Rapids, saved by the model -> speed: 0.5 -> 2 to
/// 3 times for sums by classes, 0.25 -> 1.4 for decimation; 0.16 -> 0.45 for a contraction, 0.14 -> 0.6 to 1.05 for products of polynomials, 0.06 -> 0.75 to 0.95 for a factorisation, 0.01 -> 0.6 for red and black).
const GAIN_OF_WIDEST: f64 = 0.2;

/// So many vectors may stand side by side, where one of them waits.
const SIDE_BY_SIDE: [u32; 3] = [1, 2, 4];

/// A tree some of whose loops have lanes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Spread {
    /// The tree.
    pub tree: Node,
    /// Predicted cycles, doubtful ones with them.
    pub cost: f64,
    /// Predicted cycles less than without.
    pub saved: f64,
}

/// A member of a band.
type Site = (Place, usize);

/// The tree with lanes where they pay (`choosy`), or wherever they may be; in none of the outermost nests that have one of the statements `taken`. `None`: nowhere.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn spread(
    model: &Model<'_>,
    tree: &Node,
    taken: &BTreeSet<StatementId>,
    choosy: bool,
) -> Result<Option<Spread>> {
    nest_by_nest(model, tree, taken, |nest, estimate| {
        // Or vectors of LLVM's are put together cell by cell, in a short loop.
        let poorly = |i: &InnerLoop| i.strided && i.trips < SHORT;
        let waits = estimate.inner.iter().any(|i| poorly(i) || !matches!(i.execution, Execution::Vector { .. }));
        if waits || !choosy { of_nest(model, nest, estimate.cycles + estimate.doubtful, choosy) } else { Ok(None) }
    })
}

/// The tree with other outermost nests, each with its cycles, where there are others. `None`: nowhere.
pub(super) fn nest_by_nest(
    model: &Model<'_>,
    tree: &Node,
    taken: &BTreeSet<StatementId>,
    other: impl Fn(&Node, &Estimate) -> Result<Option<(Node, f64)>>,
) -> Result<Option<Spread>> {
    let (mut nests, mut cost, mut saved, mut any) = (Vec::new(), 0.0, 0.0, false);
    for nest in tree.outermost() {
        let free = !nest.statements().iter().any(|s| taken.contains(s));
        let Some(estimate) = model.estimate(nest)? else { return Ok(None) };
        let before = estimate.cycles + estimate.doubtful;
        let found = if free { other(nest, &estimate)? } else { None };
        any |= found.is_some();
        let (nest, after) = found.unwrap_or_else(|| (nest.clone(), before));
        cost += after;
        saved += before - after;
        nests.push(nest);
    }
    let tree = if nests.len() == 1 { nests.remove(0) } else { Node::Sequence(nests) };
    Ok(any.then_some(Spread { tree, cost, saved }))
}

fn of_nest(model: &Model<'_>, nest: &Node, before: f64, choosy: bool) -> Result<Option<(Node, f64)>> {
    // Flags as they are.
    let Some(annotated) = model.distances.annotate(nest)? else { return Ok(None) };
    let mut best = (annotated.tree.clone(), before);
    let mut done: Vec<Place> = Vec::new();
    let sites = sites(&annotated.tree);
    for of_band in sites.chunk_by(|(a, _), (b, _)| a == b) {
        let Some((place, _)) = of_band.first() else { continue };
        // Lanes are never within lanes.
        if done.iter().any(|d| place.starts_with(d)) || !may_go_on(model) {
            continue;
        }
        let mut found: Option<(Node, f64)> = None;
        for site in of_band {
            let Some((tree, cost)) = widest_that_pays(model, (&annotated.tree, &best.0), site)? else { continue };
            // Loops further in walk over less memory, of which the model sees little.
            if found.as_ref().is_none_or(|(_, least)| rounded(cost) < rounded(*least * (1.0 + ALIKE))) {
                found = Some((tree, cost));
            }
        }
        let Some((tree, cost)) = found else { continue };
        if !choosy || rounded(cost) < rounded(best.1 - LEAST_GAIN * before) {
            best = (tree, cost);
            done.push(place.clone());
        }
    }
    Ok((!done.is_empty()).then_some(best))
}

/// Lanes on one loop of a tree, and the cycles of the tree then: in vectors of the widest registers where these pay, otherwise of those that LLVM prefers. `annotated`: the tree without any lanes.
fn widest_that_pays(model: &Model<'_>, (annotated, tree): (&Node, &Node), site: &Site) -> Result<Option<(Node, f64)>> {
    let m = model.machine();
    let mut found: Option<(Node, f64)> = None;
    let mut tried = None;
    for bytes in [m.vector_bytes(), m.widest_bytes()] {
        let Some(width) = lanes(model, annotated, site, bytes)?.filter(|width| tried != Some(*width)) else { continue };
        tried = Some(width);
        let Some((tree, cost)) = side_by_side(model, tree, site, width)? else { continue };
        if found.as_ref().is_none_or(|(_, least)| rounded(cost) < rounded(least * (1.0 - GAIN_OF_WIDEST))) {
            found = Some((tree, cost));
        }
    }
    Ok(found)
}

/// Lanes on one loop, in as many vectors as pay, and the cycles of the tree then.
fn side_by_side(model: &Model<'_>, tree: &Node, (place, member): &Site, width: u32) -> Result<Option<(Node, f64)>> {
    let mut found: Option<(Node, f64)> = None;
    for vectors in SIDE_BY_SIDE {
        let tree = with_lanes(tree, place, *member, Lanes { width, vectors });
        let Some(estimate) = model.estimate(&tree)? else { break };
        let cost = estimate.cycles + estimate.doubtful;
        // Each of them is code.
        if found.as_ref().is_some_and(|(_, one)| rounded(cost) > rounded(one * (1.0 - GAIN_OF_VECTORS))) {
            break;
        }
        found = Some((tree, cost));
    }
    Ok(found)
}

/// Parallel members, outermost first.
fn sites(tree: &Node) -> Vec<Site> {
    let mut out = Vec::new();
    for place in proposals::bands(tree) {
        let Some(Node::Band { members, .. }) = proposals::at(tree, &place) else { continue };
        let sites = members.iter().enumerate().filter(|(_, m)| m.parallel && m.tile.is_none());
        out.extend(sites.map(|(k, _)| (place.clone(), k)));
    }
    out
}

fn has_loops(node: &Node) -> bool {
    match node {
        Node::Leaf(_) => false,
        Node::Sequence(children) => children.iter().any(has_loops),
        Node::Band { .. } => true,
    }
}

fn with_lanes(tree: &Node, place: &[usize], member: usize, lanes: Lanes) -> Node {
    let Some(Node::Band { members, permutable, child }) = proposals::at(tree, place) else { return tree.clone() };
    let mut members = members.clone();
    members.iter_mut().skip(member).take(1).for_each(|m| m.lanes = Some(lanes));
    proposals::replaced(tree, place, Node::Band { members, permutable: *permutable, child: child.clone() })
}

/// How many lanes a loop may have, of vectors of so many bytes. `None`: none.
fn lanes(model: &Model<'_>, tree: &Node, (place, member): &Site, bytes: u64) -> Result<Option<u32>> {
    let Some(Node::Band { members, child, .. }) = proposals::at(tree, place) else { return Ok(None) };
    let Some(Member { rows, .. }) = members.get(*member) else { return Ok(None) };
    let mut element = 1;
    for s in rows.keys() {
        let Some(statement) = model.scop.statements.get(s.0) else { return Ok(None) };
        if !statement.has_vectors() {
            return Ok(None);
        }
        let arrays = statement.accesses.iter().filter_map(|a| model.scop.arrays.get(a.array.0));
        element = arrays.map(|a| a.element_bytes).fold(element, u64::max);
    }
    let lanes = u32::try_from(bytes / element).ok().filter(|&lanes| lanes >= 2);
    let Some(lanes) = lanes else { return Ok(None) };
    // What moves from lane to lane, and what does not.
    let tree = with_lanes(tree, place, *member, Lanes::of(lanes));
    let Some((_, nest)) = model.estimate_with_loops(&tree)? else { return Ok(None) };
    // Loops inside with one value are none.
    let inside = members.len() - 1 - *member;
    let has_one_value = |path: &Path| {
        let others = path.steps.len().saturating_sub(1);
        path.steps.get(others.saturating_sub(inside)..others).is_some_and(|s| s.iter().all(|s| s.exact == Some(1)))
    };
    let mut paths = rows.keys().filter_map(|s| nest.paths.get(s));
    let lanes = if !has_loops(child) && paths.all(has_one_value) {
        // LLVM has vectors of what it stores side by side itself.
        match all_apart(rows.keys().filter_map(|s| nest.paths.get(s))).map(|apart| lanes / apart) {
            Some(lanes) if model.machine().masks && lanes >= 2 => lanes,
            _ => return Ok(None),
        }
    } else {
        lanes
    };
    for s in rows.keys() {
        let Some(path) = nest.paths.get(s) else { return Ok(None) };
        let Some(lane) = path.lanes() else { return Ok(None) };
        // No vector would ever be whole.
        if path.steps[lane].exact.is_some_and(|n| n < i64::from(lanes)) {
            return Ok(None);
        }
        let stored = path.accesses.iter().filter(|a| a.kind.writes()).all(|a| a.moves(lane));
        // One cell for all lanes takes no mask: another one is loaded where none of them wants it.
        let under_masks = path.accesses.iter().any(|a| a.kind == AccessKind::MayRead && a.moves(lane));
        if !stored || under_masks && !model.machine().masks || path.steps.iter().any(|step| step.uneven) {
            return Ok(None);
        }
    }
    Ok(Some(lanes))
}

/// How many cells at most lie from those of a lane to those of the next, if some are stored to so, every second one, say. `None`: none are, or some accesses are too far apart.
fn all_apart<'p>(paths: impl Iterator<Item = &'p Path>) -> Option<u32> {
    let (mut most, mut stores) = (1, false);
    for path in paths {
        let lane = path.lanes()?;
        for access in path.accesses.iter().filter(|a| a.moves(lane)) {
            let by = cells_apart(access, lane).filter(|by| (1..=MOST_APART).contains(by))?;
            most = most.max(by);
            stores |= by > 1 && access.kind.writes();
        }
    }
    u32::try_from(most).ok().filter(|_| stores)
}

/// Random lanes on some loops that may have them.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn random(tree: &Node, random: &mut Random) -> Node {
    const LANES: [u32; 4] = [2, 3, 4, 8];
    const VECTORS: [u32; 4] = [1, 1, 2, 3];
    let mut tree = tree.clone();
    let mut done: Vec<Place> = Vec::new();
    for (place, member) in sites(&tree) {
        if random.below(2) == 0 && !done.iter().any(|d| place.starts_with(d)) {
            let (width, vectors) = (LANES[random.below(LANES.len())], VECTORS[random.below(VECTORS.len())]);
            tree = with_lanes(&tree, &place, member, Lanes { width, vectors });
            done.push(place);
        }
    }
    tree
}
