//! Corners of tiles ([`Corner`]): which member becomes lanes there, and how many.

use crate::kernel::{Blocking, Corner, Kernels};
use crate::scop::StatementId;
use crate::tree::{Member, Node};

/// From so many rows and columns on, solves with corners in lanes are faster than the source (measured: systems of 8 by half, of 6 not; the depth has one less).
const WORTHWHILE: i64 = 7;

/// So many more for every statement beyond four, of which each has loops of its own where tiles end (measured on distances by a triangular factor, six statements: systems of 8 by 0.7, of 14 by 0.65, of 16 by 1.5).
const WORTHWHILE_EACH: i64 = 4;

/// The same for factorisations, whose tiles on the diagonal are plain loops (measured: Cholesky and LU of 20 by 5 %, of 24 by 40 %; of 16 not).
const WORTHWHILE_BEYOND: i64 = 19;

/// Proposes corners for the plans of bands in which other statements run too. The flags of the tree say which members may do; whether they do is for [`crate::kernel::prove`].
pub(in crate::choose) fn propose(tree: &Node, kernels: &mut Kernels) {
    match tree {
        Node::Leaf(_) => {}
        Node::Sequence(children) => children.iter().for_each(|c| propose(c, kernels)),
        Node::Band { members, child, .. } => {
            if let Node::Sequence(children) = &**child
                && members.first().is_some_and(|m| m.rows.len() > 1)
            {
                for leaf in children {
                    let Node::Leaf(id) = leaf else { continue };
                    if let Some(plan) = kernels.get_mut(id) {
                        plan.corners = corners(members, *id, plan, children.len());
                    }
                }
            }
            propose(child, kernels);
        }
    }
}

/// Jammed members that are parallel, the columns before rows: their cells are neighbours. Then the last rows and the columns, where they wait for tiles of each other only.
fn corners(members: &[Member], id: StatementId, plan: &Blocking, statements: usize) -> Vec<Corner> {
    let Some(column) = members.len().checked_sub(1) else { return Vec::new() };
    let Some(first) = column.checked_sub(plan.rows.len()) else { return Vec::new() };
    let mut out = Vec::new();
    let mut add = |member: usize, beyond: Option<usize>| {
        let Some(size) = plan.register_size(member) else { return };
        let mut widths = std::iter::successors(Some(plan.lanes), |w| Some(w / 2)).take_while(|w| *w >= 2);
        let Some(lanes) = widths.find(|&w| size % i64::from(w) == 0) else { return };
        let more = i64::try_from(statements.saturating_sub(4)).unwrap_or(i64::MAX).saturating_mul(WORTHWHILE_EACH);
        let worthwhile = if beyond.is_some() { WORTHWHILE_BEYOND } else { WORTHWHILE.saturating_add(more) };
        out.push(Corner { member, beyond, lanes, worthwhile });
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
