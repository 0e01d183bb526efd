//! Sums over rows in lanes, and what comes behind them, strip by strip.
//!
//! **Problem.** `for t { m = sum of x[t][i] over i; for i: y[i] += x[t][i] - m }`: the sum waits for itself in every term, and lanes over `t` would make sixteen rows wait at once; but what comes
//! behind it must run row by row. One nest after the other reads all rows twice.
//!
//! **Method.** The outermost loops of a nest of the source are distributed over what is inside of them, so that some nests may have lanes over the last of these loops, and the others have none. They run strip by strip: loops
//! outside of that with the lanes as they were, strips of one row each, and of that one as many rows as there are lanes. What one nest has read the next one finds in the caches, so that
//! lines are fetched as in the source.

use super::sweeps::Swept;
use crate::Result;
use crate::choose::lanes;
use crate::choose::proposals::part;
use crate::cost::carried::perfect_nest;
use crate::cost::{Execution, Model, overlap};
use crate::kernel::{Cut, Strip};
use crate::scop::StatementId;
use crate::tree::{Lanes, Member, Node};
use std::collections::{BTreeMap, BTreeSet};

/// Sequences of more are left alone.
const MOST_PARTS: usize = 12;

/// The tree with nests distributed, some of them in lanes, and strips of as many rows around them. `None`: nowhere.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(in crate::choose) fn rows_in_lanes(model: &Model<'_>, tree: &Node) -> Result<Option<Swept>> {
    let (mut nests, mut strips) = (Vec::new(), Vec::new());
    for nest in tree.outermost() {
        match of_nest(model, nest)? {
            Some((parts, strip)) => {
                nests.extend(parts);
                strips.push(strip);
            }
            None => nests.push(nest.clone()),
        }
    }
    if strips.is_empty() {
        return Ok(None);
    }
    let mut found = Swept { tree: Node::Sequence(nests), strips, fused: Some(tree.clone()), cost: 0.0 };
    let Some((cycles, doubtful)) = found.cost_in(model)? else { return Ok(None) };
    found.cost = cycles + doubtful;
    Ok(Some(found))
}

/// What becomes of a nest.
fn of_nest(model: &Model<'_>, nest: &Node) -> Result<Option<(Vec<Node>, Strip)>> {
    let (members, Node::Sequence(children)) = perfect_nest(nest) else { return Ok(None) };
    let Some(last) = members.len().checked_sub(1) else { return Ok(None) };
    if children.len() > MOST_PARTS || children.iter().filter(|c| matches!(c, Node::Band { .. })).count() < 2 {
        return Ok(None);
    }
    let Some(estimate) = model.estimate(nest)? else { return Ok(None) };
    let waiting = estimate.inner.iter().filter(|inner| !matches!(inner.execution, Execution::Vector { .. }));
    let waiting: BTreeSet<StatementId> = waiting.flat_map(|inner| inner.statements.iter().copied()).collect();
    if waiting.is_empty() {
        return Ok(None);
    }
    // Neighbours that may have lanes, and others.
    let mut parts: Vec<Part> = Vec::new();
    for k in 0..children.len() {
        let waits = children[k].statements().iter().any(|s| waiting.contains(s));
        let alone = Part::of(model, &members, &children[k..=k], waits)?;
        let Some(before) = parts.last_mut() else {
            parts.push(alone);
            continue;
        };
        // Statements between loops run with what they stand before.
        if before.lanes == alone.lanes || !before.has_loops {
            let joined = Part::of(model, &members, &children[k - before.many..=k], alone.lanes.is_some())?;
            if joined.lanes == alone.lanes {
                *before = joined;
                continue;
            }
        }
        parts.push(alone);
    }
    let mut lanes = parts.iter().filter_map(|part| part.lanes);
    let Some(rows) = lanes.next().filter(|rows| lanes.all(|other| other == *rows)) else { return Ok(None) };
    if parts.len() < 2 {
        return Ok(None);
    }
    let cut = |member: &Member, size: i64| Cut { rows: member.rows.clone(), size };
    let mut cuts: Vec<Cut> = members[..last].iter().map(|member| cut(member, 1)).collect();
    cuts.push(cut(members[last], i64::from(rows.width) * i64::from(rows.vectors)));
    Ok(Some((parts.into_iter().map(|part| part.nest).collect(), Strip { cuts, worthwhile: None })))
}

/// Neighbours in a sequence, with the loops around.
struct Part {
    nest: Node,
    /// How many they are.
    many: usize,
    has_loops: bool,
    /// Those over the last loop around.
    lanes: Option<Lanes>,
}

impl Part {
    /// `waits`: may there be lanes?
    fn of(model: &Model<'_>, members: &[&Member], group: &[Node], waits: bool) -> Result<Self> {
        let nest = part(members, 0, group, &BTreeMap::new());
        let has_loops = group.iter().any(|node| matches!(node, Node::Band { .. }));
        let spread = if has_loops && waits { lanes::spread(model, &nest, &BTreeSet::new(), true)? } else { None };
        if let Some(spread) = spread {
            let (found, _) = perfect_nest(&spread.tree);
            let at = found.iter().position(|member| member.lanes.is_some());
            if let Some(k) = at.filter(|k| k + 1 == members.len()) {
                let lanes = found[k].lanes;
                return Ok(Self { nest: spread.tree, many: group.len(), has_loops, lanes });
            }
        }
        Ok(Self { nest, many: group.len(), has_loops, lanes: None })
    }
}

/// Cycles and doubtful cycles of such a tree. `fused`: the tree that it was made from, whose lines it fetches. `None`: not known.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn cost(model: &Model<'_>, tree: &Node, fused: &Node) -> Result<Option<(f64, f64)>> {
    let (mut cycles, mut doubtful) = (0.0, 0.0);
    for nest in fused.outermost() {
        let own: BTreeSet<_> = nest.statements().into_iter().collect();
        let Some(lines) = model.estimate(nest)? else { return Ok(None) };
        let memory: f64 = lines.inner.iter().map(|inner| inner.memory).sum();
        let mut compute = 0.0;
        for part in tree.outermost().iter().filter(|part| part.statements().iter().all(|s| own.contains(s))) {
            let Some(estimate) = model.estimate(part)? else { return Ok(None) };
            compute += estimate.inner.iter().map(|inner| inner.compute).sum::<f64>();
            compute += estimate.straight + estimate.overhead;
            doubtful += estimate.doubtful;
        }
        cycles += overlap(compute, memory);
    }
    Ok(Some((cycles, doubtful)))
}
