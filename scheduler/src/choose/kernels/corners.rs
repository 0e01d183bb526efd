//! Corners of tiles ([`Corner`]): which member becomes lanes there, and how many.

use crate::kernel::{Blocking, Corner, Kernels};
use crate::machine::Machine;
use crate::scop::StatementId;
use crate::tree::{Member, Node};

/// From so many rows and columns on, solves with corners in lanes are faster than the source (measured: systems of 8 by half, of 6 not; the depth has one less).
const WORTHWHILE: i64 = 7;

/// So many more for every statement beyond four, of which each has loops of its own where tiles end (measured on distances by a triangular factor, six statements: systems of 8 by 0.7, of 14 by 0.65, of 16 by 1.5).
const WORTHWHILE_EACH: i64 = 4;

/// The same for factorisations, whose tiles on the diagonal are plain loops (measured: Cholesky and LU of 20 by 5 %, of 24 by 40 %; of 16 not).
const WORTHWHILE_BEYOND: i64 = 19;

/// Most tiles whose corners run together.
const MOST_TILES: i64 = 4;

/// Most cells of a corner in registers, of all its vectors.
const MOST_CELLS: i64 = 48;

/// Proposes corners for the plans of bands in which other statements run too. The flags of the tree say which members may do; whether they do is for [`crate::kernel::prove`].
pub(in crate::choose) fn propose(machine: &Machine, tree: &Node, kernels: &mut Kernels) {
    match tree {
        Node::Leaf(_) => {}
        Node::Sequence(children) => children.iter().for_each(|c| propose(machine, c, kernels)),
        Node::Band { members, child, .. } => {
            if let Node::Sequence(children) = &**child
                && members.first().is_some_and(|m| m.rows.len() > 1)
            {
                for leaf in children {
                    let Node::Leaf(id) = leaf else { continue };
                    if let Some(plan) = kernels.get_mut(id) {
                        plan.corners = corners(machine, members, *id, plan, children.len());
                        whole_corners(plan);
                    }
                }
            }
            propose(machine, child, kernels);
        }
    }
}

/// Jammed members that are parallel, the columns before rows: their cells are neighbours. Then the last rows and the columns, where they wait for tiles of each other only.
fn corners(machine: &Machine, members: &[Member], id: StatementId, plan: &Blocking, statements: usize) -> Vec<Corner> {
    let Some(column) = members.len().checked_sub(1) else { return Vec::new() };
    let Some(first) = column.checked_sub(plan.rows.len()) else { return Vec::new() };
    let mut out = Vec::new();
    let mut add = |member: usize, beyond: Option<usize>| {
        let Some(size) = plan.register_size(member) else { return };
        let mut widths = std::iter::successors(Some(plan.lanes), |w| Some(w / 2)).take_while(|w| *w >= 2);
        let Some(lanes) = widths.find(|&w| size % i64::from(w) == 0) else { return };
        let more = i64::try_from(statements.saturating_sub(4)).unwrap_or(i64::MAX).saturating_mul(WORTHWHILE_EACH);
        let worthwhile = if beyond.is_some() { WORTHWHILE_BEYOND } else { WORTHWHILE.saturating_add(more) };
        let is_alone = beyond.is_none() && member < column && size == i64::from(lanes);
        let tiles = if is_alone { tiles(machine, plan, size) } else { 1 };
        out.push(Corner { member, beyond, lanes, tiles, worthwhile });
    };
    for member in (first..=column).rev() {
        if members[member].parallel && members[member].rows.contains_key(&id) {
            add(member, None);
        }
    }
    if first < column {
        add(column - 1, Some(column));
        add(column, Some(column - 1));
    }
    out
}

/// Tiles for caches that cut no corner of several tiles.
fn whole_corners(plan: &mut Blocking) {
    let Some(Corner { member, tiles: many @ 2.., .. }) = plan.corners.first().copied() else { return };
    let mut own: Vec<_> = plan.tiles.iter_mut().rev().filter(|tile| tile.member == member).collect();
    let Some((register, around)) = own.split_first_mut() else { return };
    let mut inside = register.size * many;
    for tile in around {
        tile.size = (tile.size / inside).max(1) * inside;
        inside = tile.size;
    }
}

/// How many tiles of so many rows, one vector in lanes, should have one corner. Each of its columns waits for a division and a multiply-add of the column before: so many vectors side by side as divisions start in
/// that time, of all lanes, where registers and the first level hold them.
fn tiles(machine: &Machine, plan: &Blocking, rows: i64) -> i64 {
    let lanes = i64::from(plan.lanes);
    let interval = machine.div_interval * (f64::from(machine.vector_bits) / 128.0).max(1.0);
    let wanted = (machine.div_latency + machine.fma_latency) / interval;
    let vectors = |tiles: i64| tiles * rows / lanes;
    let is_enough = |&tiles: &i64| tiles * rows % lanes == 0 && vectors(tiles) as f64 >= wanted.round();
    let found = (1..=MOST_TILES).find(is_enough).filter(|&tiles| vectors(tiles) * plan.columns <= MOST_CELLS);
    found.unwrap_or(1)
}
