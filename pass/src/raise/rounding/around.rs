//! Products and sums of loops around a region of which nothing stays a loop when LLVM has unrolled it.
//!
//! What the region computes then stands in the loop around it as if it had been written there: LLVM moves what does not change in front of that, and a product that is computed before the region comes to stand
//! beside its sum behind it, where loops of ours would part them.

use super::back_end::has_lone_sums;
use super::unrolled::may_be_unrolled;
use super::{DISTANT, HOISTED, Pair, STEPS, below, fusing, hoisted, refuse};
use crate::llvm::{Analyses, Block, Loop, Opcode, ScevKind, Type, Value};
use crate::raise::ArrayData;
use crate::raise::body::{Body, Node};
use crate::raise::facts::Param;
use crate::raise::poly::Symbol;
use crate::raise::region::Region;
use crate::raise::reject::Raise;
use polyhedra::{Affine, Budget};
use scheduler::scop::{Access, Scop, Statement};
use std::collections::BTreeSet;

/// Blocks in front of a region that are looked at.
const MOST_BLOCKS: usize = 100;

const LEAVING: &str =
    "LLVM may make a vector of products behind the loops, and leave their sums operations of their own";

/// A region, and what stands for its parameters and arrays.
#[derive(Clone, Copy)]
pub(in crate::raise) struct Around<'a> {
    pub analyses: Analyses,
    pub region: &'a Region,
    pub params: &'a [Param],
    pub arrays: &'a [ArrayData],
}

/// A loop around the region.
struct Outer {
    l: Loop,
    /// The arrays that may be stored to in it, outside of the region.
    stored: BTreeSet<usize>,
}

impl Around<'_> {
    /// Refuses a region of whose loops none may stay if nobody knows what becomes of its products then, and of those around it.
    ///
    /// # Errors
    /// Why nobody knows.
    pub fn check(&self, scop: &Scop, bodies: &[Body]) -> Raise<()> {
        let budget = Budget::new(STEPS);
        let mut fuses = fusing(self.analyses);
        let mut around: Option<Vec<Outer>> = None;
        let may_go = |s: &Statement| may_be_unrolled(scop, s, 0);
        for k in (0..scop.statements.len()).filter(|&k| may_go(&scop.statements[k])) {
            if has_lone_sums(&bodies[k], &mut fuses) {
                return refuse(DISTANT);
            }
            for pair in Pair::all(&bodies[k]).filter(|pair| fuses(pair.instruction.ty())) {
                let loops = around.get_or_insert_with(|| self.loops_around());
                if loops.iter().any(|l| !self.changes(scop, bodies, (k, &pair), l, &budget)) {
                    return refuse(HOISTED);
                }
            }
        }
        if self.leaves_factors(&mut fuses) {
            return refuse(LEAVING);
        }
        if scop.statements.iter().all(may_go) && self.parts_pairs(&mut fuses) { refuse(DISTANT) } else { Ok(()) }
    }

    /// The loops around the region, from the innermost one outwards, as long as those inside may be unrolled.
    fn loops_around(&self) -> Vec<Outer> {
        let mut loops = Vec::new();
        let mut next = self.analyses.loop_for(self.region.entry);
        while let Some(l) = next {
            loops.push(Outer { l, stored: self.stored(l) });
            let is_short = self.analyses.backedge_taken(l).is_some_and(|n| n.kind() == ScevKind::Constant);
            next = l.parent().filter(|_| is_short);
        }
        loops
    }

    /// Does the product of a pair change from iteration to iteration of a loop around the region?
    fn changes(&self, scop: &Scop, bodies: &[Body], (k, pair): (usize, &Pair), outer: &Outer, budget: &Budget) -> bool {
        let (s, body) = (&scop.statements[k], &bodies[k]);
        let is_inside = |value: Value| value.is_instruction() && value.block().is_some_and(|b| outer.l.contains(b));
        let changes = |p: usize| self.params.get(p).is_none_or(|param| is_inside(param.value));
        let in_row = |row: &Affine| (0..row.space().params).any(|p| row.param_coeff(p) != 0 && changes(p));
        let array = |a: &Access| self.arrays.get(a.array.0).filter(|array| !array.own);
        let is_moved = |a: &Access| {
            a.subscripts.iter().any(in_row)
                || array(a).is_some_and(|array| is_inside(array.base) || outer.stored.contains(&a.array.0))
        };
        let nodes = below(body, pair.product);
        nodes.iter().any(|n| match body.nodes.get(n.0) {
            Some(Node::Invariant(value)) => is_inside(*value),
            Some(Node::Read { access, .. }) => s.accesses.get(*access).is_none_or(is_moved),
            Some(Node::Index { poly, .. }) => {
                poly.symbols().any(|symbol| matches!(symbol, Symbol::Param(p) if changes(p.0)))
            }
            _ => false,
        }) || hoisted::changes_around(scop, bodies, k, pair.product, budget)
    }

    /// The arrays that stores in the loop, outside of the region, may be to.
    fn stored(&self, l: Loop) -> BTreeSet<usize> {
        let outside = blocks(l).into_iter().filter(|b| !self.region.contains(*b)).flat_map(Block::instructions);
        let stores = outside.filter(|i| i.opcode() == Some(Opcode::LLVMStore));
        let pointers: Vec<Value> = stores.filter_map(|i| i.operands().get(1).copied()).collect();
        let may_be = |k: &usize| pointers.iter().any(|p| self.arrays[*k].may_reach(self.analyses, *p));
        (0..self.arrays.len()).filter(may_be).collect()
    }

    /// Is what the region computes a factor right behind it, of one of several products? How it leaves decides what a vector of them costs.
    fn leaves_factors(&self, fuses: &mut impl FnMut(Type) -> bool) -> bool {
        let is_computed = |phi: &Value| self.region.brought(*phi).iter().any(|(v, _)| !self.region.is_outside(*v));
        let mut is_fused = |v: &Value| {
            let is_product = v.opcode() == Some(Opcode::LLVMFMul) && v.may_be_fused();
            is_product && v.users().into_iter().any(|sum| sum.is_sum() && sum.may_be_fused()) && fuses(v.ty())
        };
        let factors: Vec<Value> = self.region.exit.phis().into_iter().filter(is_computed).collect();
        let products = factors.iter().flat_map(|phi| phi.users()).filter(|user| is_fused(user));
        let places: BTreeSet<Block> = products.filter_map(Value::block).collect();
        places.into_iter().any(|b| b.instructions().into_iter().filter(|i| is_fused(i)).nth(1).is_some())
    }

    /// May there be a product before the region, and behind it the sum that is fused with it if they come together?
    fn parts_pairs(&self, fuses: &mut impl FnMut(Type) -> bool) -> bool {
        let around = self.analyses.loop_for(self.region.entry);
        let is_behind = |b: Block| {
            !self.region.contains(b)
                && self.analyses.loop_for(b) == around
                && self.analyses.dominates(self.region.exit, b)
        };
        let mut next = Some(self.region.entry);
        for _ in 0..MOST_BLOCKS {
            let Some(block) = next.filter(|b| self.analyses.loop_for(*b) == around) else { return false };
            let products =
                block.instructions().into_iter().filter(|i| i.opcode() == Some(Opcode::LLVMFMul) && i.may_be_fused());
            for product in products {
                let sums = product.users().into_iter().filter(|sum| sum.is_sum() && sum.may_be_fused());
                if sums.filter_map(Value::block).any(is_behind) && fuses(product.ty()) {
                    return true;
                }
            }
            next = self.analyses.idom(block);
        }
        true
    }
}

/// The blocks of a loop.
fn blocks(l: Loop) -> BTreeSet<Block> {
    let (mut seen, mut stack) = (BTreeSet::from([l.header()]), vec![l.header()]);
    while let Some(b) = stack.pop() {
        stack.extend(b.successors().into_iter().filter(|next| l.contains(*next) && seen.insert(*next)));
    }
    seen
}
