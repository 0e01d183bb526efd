//! Sums of which back ends decide in ways of their own whether a product is fused with them.
//!
//! AArch64's does so twice: where instructions are selected (below `-O3`), and by its machine combiner, which knows how long operations take.

use super::{Pair, is_fused_product, operation, refuse};
use crate::llvm::{Analyses, Opcode, Type};
use crate::raise::body::{Body, Node, NodeIndex};
use crate::raise::reject::Raise;

/// Refuses sums of which nobody knows what the back end makes of them.
///
/// # Errors
/// Why nobody knows.
pub(super) fn check(
    analyses: Analyses,
    body: &Body,
    pairs: &[Pair],
    fuses: &mut impl FnMut(Type) -> bool,
) -> Raise<()> {
    let is_less_than_product = |pair: &Pair| pair.instruction.opcode() == Some(Opcode::LLVMFSub) && pair.at == 0;
    if analyses.fuses_by_width() && pairs.iter().any(is_less_than_product) {
        return refuse(
            "whether the back end makes a product one operation with what is taken from it depends on vectors",
        );
    }
    // `x * 2` is `x + x` there.
    let is_two = |n: &NodeIndex| matches!(body.nodes.get(n.0), Some(Node::Invariant(v)) if v.real() == Some(2.0));
    let is_doubled = |n: NodeIndex| {
        operation(body, n)
            .is_some_and(|(v, factors)| v.opcode() == Some(Opcode::LLVMFMul) && factors.iter().flatten().any(is_two))
    };
    if analyses.fuses_by_width() && pairs.iter().any(|pair| is_doubled(pair.product) || is_doubled(pair.rest)) {
        return refuse(
            "the back end may add a value to itself where it is doubled, and make another product one operation with the sum",
        );
    }
    if has_lone_sums(body, fuses) && analyses.fuses_shared() {
        return refuse("the back end may make a product one operation with each of several sums");
    }
    Ok(())
}

/// Are there sums of products that are none of their pairs, as they stand before the region or have other uses? They may be when all loops have gone, and what was computed several times is one.
pub(super) fn has_lone_sums(body: &Body, fuses: &mut impl FnMut(Type) -> bool) -> bool {
    let is_product = |n: NodeIndex| match body.nodes.get(n.0) {
        Some(Node::Invariant(v)) => v.opcode() == Some(Opcode::LLVMFMul) && v.may_be_fused(),
        _ => is_fused_product(body, n),
    };
    (0..body.nodes.len()).map(NodeIndex).any(|n| {
        operation(body, n).is_some_and(|(sum, operands)| {
            let is_sum = sum.is_sum() && sum.may_be_fused() && operands.iter().flatten().any(|&n| is_product(n));
            is_sum && Pair::of(body, n).is_none() && fuses(sum.ty())
        })
    })
}
