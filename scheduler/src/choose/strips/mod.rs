//! What runs strip by strip ([`crate::kernel::Strip`]).

mod cut_rows;
mod points;
mod rows;
mod sums;
mod sweeps;

pub(super) use points::are_of_points;
pub(super) use rows::rows_in_lanes;
pub(super) use sums::sums;
pub(super) use sweeps::{Swept, may_go_on, random, sweeps, worthwhile};

use crate::tree::Node;

/// The outermost bands.
fn bands(tree: &Node) -> impl Iterator<Item = &Node> {
    tree.outermost().iter().filter(|n| matches!(n, Node::Band { .. }))
}
