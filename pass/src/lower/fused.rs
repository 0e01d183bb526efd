//! Products that are one operation with their sum.
//!
//! Under `-ffp-contract=fast` the back end fuses a product with the sum that is its only use, in the same block. In new code a product that is the same for several instances
//! is shared by them: it has several uses then. So where the program's product would be fused, the two are made as the one operation that they become (`llvm.fma`), and
//! nothing is left to the back end. Products that it would not fuse get a fence when they are copied (`lw_fused_as_before`).
//!
//! `llvm.fmuladd`, which the front end makes of a product in a sum, is what the back end makes of it, too: LLVM decides anew where the factors turn out to be constants, and in new code
//! they may where they did not before (the first iterations of a recurrence).

use super::vector::{Lane, Many};
use super::{Emitter, LowerError, Result};
use crate::llvm::{Analyses, Type, Value};
use crate::raise::body::{Body, Node, NodeIndex};
use crate::raise::rounding::Pair;
use std::collections::BTreeMap;

/// What a node of a statement is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Computed by itself.
    Alone,
    /// A product that is computed with its sum.
    Product,
    /// A sum or difference of the product of two nodes, its operand number `at`, and a third one.
    Sum { at: u32, x: NodeIndex, y: NodeIndex, z: NodeIndex },
    /// `llvm.fmuladd`: one operation?
    MulAdd(bool),
}

/// The products of a statement that are one operation with their sums.
pub(super) struct Fused(BTreeMap<NodeIndex, Part>);

impl Fused {
    /// For each statement.
    pub(super) fn all(analyses: Analyses, bodies: &[Body]) -> Vec<Fused> {
        let mut known: BTreeMap<Type, Option<bool>> = BTreeMap::new();
        let mut fuses = |ty| *known.entry(ty).or_insert_with(|| analyses.fuses(ty));
        let mut all = Vec::new();
        for body in bodies {
            let mut parts = BTreeMap::new();
            for k in 0..body.nodes.len() {
                if let Some(pair) = Pair::of(body, NodeIndex(k))
                    && fuses(pair.instruction.ty()) == Some(true)
                {
                    let [x, y] = pair.factors;
                    parts.insert(pair.sum, Part::Sum { at: pair.at, x, y, z: pair.rest });
                    parts.insert(pair.product, Part::Product);
                }
                if let Node::Operation { instruction, .. } = &body.nodes[k]
                    && instruction.is_muladd()
                    && let Some(fused) = fuses(instruction.ty())
                {
                    parts.insert(NodeIndex(k), Part::MulAdd(fused));
                }
            }
            all.push(Fused(parts));
        }
        all
    }

    /// What is this node?
    pub(super) fn part(&self, node: NodeIndex) -> Part {
        self.0.get(&node).copied().unwrap_or(Part::Alone)
    }
}

impl Emitter<'_> {
    /// A product and a sum, the operands of `llvm.fmuladd` in their order.
    pub(super) fn muladd(
        &mut self,
        instruction: Value,
        fused: bool,
        operands: [Lane; 3],
        many: Option<&Many>,
    ) -> Result<Lane> {
        if let [Lane::Same(x), Lane::Same(y), Lane::Same(z)] = operands {
            return Ok(Lane::Same(self.t.muladd(instruction, fused, [x, y, z])));
        }
        let many = many.ok_or(LowerError::Malformed("a vector without lanes"))?;
        let wide = operands.map(|lane| self.spread(lane, many.width));
        Ok(Lane::Each(self.t.muladd(instruction, fused, wide)))
    }

    /// The sum or difference, of which the product of `x` and `y` is operand number `at`, and `z` the other one.
    pub(super) fn fused(&mut self, sum: Value, at: u32, [x, y, z]: [Lane; 3], many: Option<&Many>) -> Result<Lane> {
        if let (Lane::Same(x), Lane::Same(y), Lane::Same(z)) = (x, y, z) {
            return Ok(Lane::Same(self.t.fused(sum, at, [x, y, z])));
        }
        let many = many.ok_or(LowerError::Malformed("a vector without lanes"))?;
        let wide = [x, y, z].map(|lane| self.spread(lane, many.width));
        Ok(Lane::Each(self.t.fused(sum, at, wide)))
    }
}
