//! Corners of tiles ([`Corner`]): which member becomes lanes there, and how many.

use crate::kernel::{Blocking, Corner, Kernels};
use crate::scop::StatementId;
use crate::tree::{Member, Node};

/// From so many rows and columns on, solves with corners in lanes are faster than the source (measured: systems of 8 by half, of 6 not; the depth has one less).
const WORTHWHILE: i64 = 7;

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
                        plan.corner = corner(members, *id, plan);
                    }
                }
            }
            propose(child, kernels);
        }
    }
}

/// The jammed member that is parallel, the columns before rows: their cells are neighbours.
fn corner(members: &[Member], id: StatementId, plan: &Blocking) -> Option<Corner> {
    let first = members.len().checked_sub(1 + plan.rows.len())?;
    let member = (first..members.len()).rev().find(|&m| members[m].parallel && members[m].rows.contains_key(&id))?;
    let size = plan.register_size(member)?;
    let mut widths = std::iter::successors(Some(plan.lanes), |w| Some(w / 2)).take_while(|w| *w >= 2);
    let lanes = widths.find(|&w| size % i64::from(w) == 0)?;
    Some(Corner { member, lanes, worthwhile: WORTHWHILE })
}
