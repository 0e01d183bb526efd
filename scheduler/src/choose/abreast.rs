//! Rows of a wavefront that run abreast.
//!
//! **Problem.** In a Gauss-Seidel sweep, an edit distance, a prefix sum over a plane, every point waits for the one before it in its row, and every row for the one before. No loop is parallel, and
//! a row runs at the latency of its operations, while nearly all units idle.
//!
//! **Method.** Lamport's hyperplane, for a few rows at a time: with `w = j + s i` outside, rows at one `w` are independent if the next row may be `s` points behind. A strip of rows becomes one loop over
//! `w` with an instance for each row ([`Member::abreast`]), so many chains wait at once. Two innermost loops of a perfect nest, the least slope `s` that makes the rows parallel, and as many
//! rows as the model says.

use super::lanes::{Spread, nest_by_nest};
use super::proposals::{self, Place};
use super::search::{Random, rounded};
use super::strips::may_go_on;
use crate::Result;
use crate::cost::nest::{Movement, Nest};
use crate::cost::{Estimate, Execution, InnerLoop, Model, overlap};
use crate::scop::{Access, StatementId};
use crate::tree::{Lanes, Member, Node, Rows};
use std::collections::BTreeSet;

/// Rows must save this part of the time of their nest.
const LEAST_GAIN: f64 = 0.1;

/// Slopes that are tried.
const SLOPES: std::ops::RangeInclusive<i64> = 0..=3;

/// Rows in a strip.
const COUNTS: [u32; 3] = [8, 4, 2];

/// Rows at least and at most that are the lanes of one vector.
const LEAST_LANES: u32 = 4;
const MOST_LANES: u32 = 16;

/// Registers at most that hold the values of a round.
const REGISTERS: u64 = 2;

/// Bytes of them at most: squares of wider cells than this has room for are not transposed in registers, but loaded cell by cell.
const MOST_BYTES: u64 = 64;

/// Rounds that a value is used behind its own, at most.
const MOST_ROUNDS: i64 = 4;

/// Accesses at most in the body of the loop along the rows.
const MOST_ACCESSES: usize = 160;

/// The tree with rows abreast where they pay (`choosy`), or wherever they may be; in none of the outermost nests that have one of the statements `taken`. `None`: nowhere.
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
        let lines: f64 = estimate.inner.iter().map(|i| i.memory).sum();
        let waits = estimate.inner.iter().any(|i| matches!(i.execution, Execution::Chain { .. }));
        if waits && is_decided(model, nest) || !choosy {
            of_nest(model, nest, (estimate.cycles + estimate.doubtful, lines), choosy)
        } else {
            Ok(None)
        }
    })
}

/// Does no statement run or not as data say? What a core guesses wrong it waits for, however many rows there are; and it may be that the source only selects.
fn is_decided(model: &Model<'_>, nest: &Node) -> bool {
    nest.statements().iter().all(|s| !model.scop.statements[s.0].is_conditional())
}

/// The nest with rows abreast, and its cycles. `before`: cycles of the nest as it is, and those of them that are for lines.
fn of_nest(model: &Model<'_>, nest: &Node, (before, lines): (f64, f64), choosy: bool) -> Result<Option<(Node, f64)>> {
    let mut best = (nest.clone(), before);
    let mut found = false;
    let mut k = 0;
    // Places change with what is put there.
    while let Some(place) = proposals::nests(&best.0).get(k).cloned() {
        k += 1;
        let from = best.0.clone();
        let widths = widths(model, &from, &place);
        let lanes = widths.iter().map(|width| (*width, true));
        for (count, lanes) in COUNTS.into_iter().map(|count| (count, false)).chain(lanes) {
            if !may_go_on(model) {
                break;
            }
            let Some(tree) = sloped(model, &from, &place, (count, lanes))? else { continue };
            let Some((estimate, nest)) = model.estimate_with_loops(&tree)? else { continue };
            if !all_walk(&nest, &tree) || lanes && !stay_in_registers(model, &nest, &tree) {
                continue;
            }
            let cost = in_as_many_lines(&estimate, lines) * (1.0 + ends(&nest, &tree));
            let least = if found && lanes { 0.0 } else { LEAST_GAIN * before };
            if (!choosy && !found) || rounded(cost) < rounded(best.1 - least) {
                best = (tree, cost);
                found = true;
            }
        }
    }
    Ok(found.then_some(best))
}

/// The cycles, doubtful ones with them, of rows abreast where they alone took so many for lines. A strip of rows touches the lines that its rows do: what is between two uses of one is little more than
/// before.
pub(super) fn in_as_many_lines(estimate: &Estimate, lines: f64) -> f64 {
    let own = |i: &InnerLoop| overlap(i.compute, i.memory) - overlap(i.compute, i.memory.min(lines));
    estimate.cycles - estimate.inner.iter().map(own).sum::<f64>() + estimate.doubtful
}

/// Do all statements walk both loops? One that runs at the beginning only would have to be told from the others in every round.
fn all_walk(nest: &Nest, tree: &Node) -> bool {
    tree.in_strips_abreast().iter().all(|(s, _)| {
        let steps = nest.paths.get(s).map_or(&[][..], |path| path.steps.as_slice());
        steps.len() >= 2 && steps.iter().rev().take(2).all(|step| step.exact != Some(1))
    })
}

/// Numbers of rows that could be the lanes of one vector: as many as it has, and half as many. None: the nest has several statements, or one that has no vectors or calls functions, which take the time whatever waits.
fn widths(model: &Model<'_>, tree: &Node, place: &Place) -> Vec<u32> {
    let Some((_, Node::Leaf(s))) = proposals::at(tree, place).and_then(perfect) else { return Vec::new() };
    let statement = &model.scop.statements[s.0];
    let bytes = |a: &Access| model.scop.arrays[a.array.0].element_bytes;
    let widest = statement.accesses.iter().map(bytes).max().unwrap_or(1).max(1);
    let most = u32::try_from((REGISTERS * model.machine().vector_bytes()).min(MOST_BYTES) / widest)
        .unwrap_or(1)
        .min(MOST_LANES);
    let enough = |w: &u32| *w >= LEAST_LANES;
    if statement.has_vectors() && statement.calls == 0 {
        [most, most / 2].into_iter().filter(enough).collect()
    } else {
        Vec::new()
    }
}

/// Do all reads of what is stored find it where one of the last rounds has left it in registers: by their own row, or by the one before? Code generation has the last word.
fn stay_in_registers(model: &Model<'_>, nest: &Nest, tree: &Node) -> bool {
    tree.in_lanes().iter().all(|(s, _)| {
        let Some(path) = nest.paths.get(s) else { return false };
        let Some((write, reads)) = path.accesses.split_first() else { return false };
        let Some(rows) = path.steps.len().checked_sub(1).filter(|k| *k > 0) else { return false };
        let plain = model.scop.statements[s.0].accesses.iter().all(Access::is_plain);
        let behind = |read: &Movement, other_row: i64| {
            let mut round = None;
            let cells = write.base.iter().zip(&read.base).zip(write.by[rows - 1].iter().zip(&write.by[rows]));
            cells.into_iter().all(|((w, r), (&along, &row))| {
                let apart = row.checked_mul(other_row).and_then(|by| w.checked_sub(by)?.checked_sub(*r));
                match (apart, along) {
                    (None, _) => false,
                    (Some(apart), 0) => apart == 0,
                    (Some(apart), along) => {
                        let own = apart.checked_div(along).filter(|own| own.checked_mul(along) == Some(apart));
                        own.is_some_and(|own| *round.get_or_insert(own) == own)
                    }
                }
            }) && round.is_some_and(|round| (1..=MOST_ROUNDS).contains(&round))
        };
        let stays = |read: &Movement| {
            read.array != write.array || read.base == write.base || behind(read, 0) || behind(read, 1)
        };
        let alike = |read: &Movement| read.array != write.array || read.by == write.by;
        plain && reads.iter().all(|read| alike(read) && stays(read))
    })
}

/// The time along a strip in which not all of its rows run, as a part of the time in which any does. How far a row is behind the one before shows in how the two loops move the cells.
pub(super) fn ends(nest: &Nest, tree: &Node) -> f64 {
    let (mut longest, mut behind) = (1.0_f64, 0);
    for (s, count) in tree.in_strips_abreast() {
        let Some(path) = nest.paths.get(&s) else { continue };
        let [.., along, _] = path.steps.as_slice() else { continue };
        longest = longest.max(along.extent);
        let last = path.steps.len() - 1;
        for (along, rows) in path.accesses.iter().flat_map(|a| a.by[last - 1].iter().zip(&a.by[last])) {
            let slope = rows.checked_div(*along).map_or(0, i64::unsigned_abs);
            behind = behind.max(slope.saturating_mul((count - 1).into()));
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    let behind = behind as f64;
    behind / longest
}

/// The nest at a place with the second of its two innermost loops abreast and the first along it, with the least slope that is legal.
fn sloped(model: &Model<'_>, tree: &Node, place: &Place, (count, lanes): (u32, bool)) -> Result<Option<Node>> {
    let Some((members, child)) = proposals::at(tree, place).and_then(perfect) else { return Ok(None) };
    let accesses: usize = child.statements().iter().map(|s| model.scop.statements[s.0].accesses.len()).sum();
    if !lanes && accesses.saturating_mul(count as usize) > MOST_ACCESSES {
        return Ok(None);
    }
    for slope in SLOPES {
        let Some(node) = with_slope(&members, child, slope, (count, lanes))? else { return Ok(None) };
        let Some(annotated) = model.distances.annotate(&proposals::replaced(tree, place, node))? else { continue };
        if all_hold(&annotated.tree) {
            return Ok(Some(annotated.tree));
        }
    }
    Ok(None)
}

/// The loops of a perfect nest and the statements inside. `None`: there are less than two, or more loops inside, or some of them are cut already.
pub(super) fn perfect(nest: &Node) -> Option<(Vec<&Member>, &Node)> {
    let mut members = Vec::new();
    let mut inside = nest;
    while let Node::Band { members: own, child, .. } = inside {
        members.extend(own);
        inside = child;
    }
    let straight = inside.outermost().iter().all(|n| matches!(n, Node::Leaf(_)));
    let cut = |m: &&Member| m.tile.is_some() || m.lanes.is_some() || m.abreast.is_some();
    (straight && members.len() >= 2 && !members.iter().any(cut)).then_some((members, inside))
}

fn with_slope(members: &[&Member], child: &Node, slope: i64, (count, lanes): (u32, bool)) -> Result<Option<Node>> {
    let [outside @ .., rows, along] = members else { return Ok(None) };
    let mut ahead = Rows::default();
    for (s, row) in &along.rows {
        let Some(other) = rows.rows.get(s) else { return Ok(None) };
        ahead.insert(*s, row.combine(1, other, slope)?);
    }
    let mut all: Vec<Member> = outside.iter().map(|m| (*m).clone()).collect();
    all.push(Member::new(ahead, false));
    let lanes = lanes.then_some(Lanes { width: count, vectors: 1 });
    all.push(Member { parallel: true, abreast: Some(count), lanes, ..(*rows).clone() });
    Ok(Some(Node::Band { members: all, permutable: true, child: Box::new(child.clone()) }))
}

/// Are all rows that shall run abreast parallel, in one permutable band with the loop before?
pub(super) fn all_hold(tree: &Node) -> bool {
    match tree {
        Node::Leaf(_) => true,
        Node::Sequence(children) => children.iter().all(all_hold),
        Node::Band { members, permutable, child } => {
            let holds = |(k, m): (usize, &Member)| m.abreast.is_none() || (k > 0 && m.parallel && *permutable);
            members.iter().enumerate().all(holds) && all_hold(child)
        }
    }
}

/// Some nests with a random number of rows abreast.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn random(model: &Model<'_>, tree: &Node, random: &mut Random) -> Result<Node> {
    const COUNTS: [u32; 4] = [2, 3, 4, 8];
    let mut tree = tree.clone();
    let mut k = 0;
    while let Some(place) = proposals::nests(&tree).get(k).cloned() {
        k += 1;
        if random.below(2) == 0
            && let Some(other) =
                sloped(model, &tree, &place, (COUNTS[random.below(COUNTS.len())], random.below(2) == 0))?
        {
            tree = other;
        }
    }
    Ok(tree)
}
