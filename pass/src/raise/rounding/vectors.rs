//! Vectors that LLVM makes of what stands side by side: of products of a statement, and of statements that store to neighbours.
//!
//! A product in a vector is an operation of its own where its sum is not in one, too, and another product than before may be the one that is fused.

use super::unrolled::share;
use super::{Pair, Walk, below, is_fused_product, operation, walk};
use crate::llvm::{Block, Opcode, Type, Value};
use crate::raise::body::{Body, Node, NodeIndex};
use polyhedra::Affine;
use scheduler::scop::{Access, ArrayId, Scop, Statement};
use std::collections::BTreeSet;

/// Do products of several pairs read neighbours? Sums that keep their order are none of the vector's. Those of two products each may be: then what they are fused with is the product that is in the vector, too.
pub(super) fn products_may_be_one_vector(statement: &Statement, body: &Body, pairs: &[Pair]) -> bool {
    let reads: Vec<Vec<Operand>> = pairs.iter().map(|pair| reads_below(statement, body, pair.product)).collect();
    let of_pairs = reads.iter().enumerate().any(|(k, own)| {
        reads[k + 1..].iter().flatten().any(|other| own.iter().any(|one| one.beside(other) == Some(Beside::Neighbours)))
    });
    let two: Vec<&Pair> = pairs.iter().filter(|pair| is_fused_product(body, pair.rest)).collect();
    let lane = |node| Lane { statement, body, node };
    let are_neighbours = |a, b| lane(a).is_beside(lane(b));
    let of_two = two.iter().enumerate().any(|(k, one)| {
        two[k + 1..].iter().any(|other| {
            are_neighbours(one.rest, other.rest)
                || are_neighbours(one.product, other.rest)
                || are_neighbours(one.rest, other.product)
        })
    });
    of_pairs || of_two
}

/// How two values lie to each other that are made in the same way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Beside {
    /// They are one.
    One,
    /// They are made of neighbours and of what is one.
    Neighbours,
}

/// So many pairs of nodes are compared; values that take more are taken for neighbours. Shared operands are met once for every way to them.
const MOST_COMPARED: usize = 1_000;

/// A value of a statement that may be one of a vector's.
#[derive(Clone, Copy)]
pub(super) struct Lane<'s> {
    /// The statement.
    pub statement: &'s Statement,
    /// What it computes.
    pub body: &'s Body,
    /// Which of its values.
    pub node: NodeIndex,
}

impl<'s> Lane<'s> {
    /// Are both made in the same way, of neighbours and of what is one?
    pub(super) fn is_beside(self, other: Self) -> bool {
        self.beside(other, &mut { MOST_COMPARED }) == Some(Beside::Neighbours)
    }

    /// `None`: a vector of both would have to be put together. `left`: how many pairs may still be compared.
    fn beside(self, other: Self, left: &mut usize) -> Option<Beside> {
        let is_one_body = std::ptr::eq(self.body, other.body);
        if is_one_body && self.node == other.node {
            return Some(Beside::One);
        }
        let Some(fewer) = left.checked_sub(1) else { return Some(Beside::Neighbours) };
        *left = fewer;
        let mut beside =
            |a: &NodeIndex, b: &NodeIndex| Self { node: *a, ..self }.beside(Self { node: *b, ..other }, left);
        match (self.node()?, other.node()?) {
            (
                Node::Operation { instruction: one, operands: own },
                Node::Operation { instruction: two, operands: others },
            ) if one.opcode() == two.opcode() && own.len() == others.len() => {
                let (own, others) = (own.iter().flatten(), others.iter().flatten());
                let all = |mut pairs: Vec<Option<Beside>>| -> Option<Beside> {
                    pairs.drain(..).try_fold(Beside::One, |so_far, this| Some(so_far.max(this?)))
                };
                let straight = all(own.clone().zip(others.clone()).map(|(x, y)| beside(x, y)).collect());
                let crossed = all(own.zip(others.rev()).map(|(x, y)| beside(x, y)).collect());
                straight.max(crossed)
            }
            (Node::Invariant(x), Node::Invariant(y)) if x == y || (x.is_constant() && y.is_constant()) => {
                Some(Beside::One)
            }
            (Node::Index { .. }, Node::Index { .. }) if self.node() == other.node() => Some(Beside::One),
            (Node::Choice { .. }, Node::Choice { .. }) if is_one_body && self.node() == other.node() => {
                Some(Beside::One)
            }
            (one, two) => {
                let [x, y] = [operand(self.statement, one)?, operand(other.statement, two)?];
                x.beside(&y)
            }
        }
    }

    fn node(self) -> Option<&'s Node> {
        self.body.nodes.get(self.node.0)
    }
}

/// Could a product of a pair be one vector with another product of the statement although their operands are no neighbours? LLVM gathers the operands where enough of what they are made of is in vectors then, too.
pub(super) fn products_may_be_paired(scop: &Scop, statement: &Statement, body: &Body, pairs: &[Pair]) -> bool {
    let products = (0..body.nodes.len()).map(NodeIndex).filter_map(|n| {
        let (value, _) = operation(body, n)?;
        is_fused_product(body, n).then(|| (n, value.block()))
    });
    let worth: Vec<(NodeIndex, Option<Block>)> =
        products.filter(|(n, block)| is_worth_gathering(scop, statement, body, &below(body, *n), *block)).collect();
    let of_pairs = pairs.iter().flat_map(|pair| [pair.product, pair.rest]);
    of_pairs.filter_map(|product| worth.iter().find(|(n, _)| *n == product)).any(|(own, block)| {
        let apart = |other| !below(body, *own).contains(&other) && !below(body, other).contains(own);
        worth.iter().any(|(other, place)| place == block && other != own && apart(*other))
    })
}

/// Could the sum of a pair be one vector with another sum although its product is none? What is added to both has to be made in the same way, and to save as much as it takes to put the products together and the sums apart.
pub(super) fn sums_may_be_paired(scop: &Scop, statement: &Statement, body: &Body, pairs: &[Pair]) -> bool {
    let worth = |n: NodeIndex, block: Option<Block>| {
        let mut of = below(body, n);
        of.insert(n);
        is_worth_gathering(scop, statement, body, &of, block)
    };
    let are_alike = |a: NodeIndex, b: NodeIndex| match (body.nodes.get(a.0), body.nodes.get(b.0)) {
        (Some(Node::Operation { instruction: a, .. }), Some(Node::Operation { instruction: b, .. }))
        | (Some(Node::Invariant(a)), Some(Node::Invariant(b))) => {
            a.block() == b.block() && (a.opcode() == b.opcode() || (a.is_sum() && b.is_sum()))
        }
        _ => false,
    };
    let apart = |a: NodeIndex, b: NodeIndex| !below(body, a).contains(&b) && !below(body, b).contains(&a);
    pairs.iter().any(|pair| {
        let block = pair.instruction.block();
        worth(pair.rest, block)
            && (0..body.nodes.len()).map(NodeIndex).filter(|&n| n != pair.sum && apart(n, pair.sum)).any(|n| {
                let sum = operation(body, n).filter(|(v, _)| v.is_sum() && v.block() == block);
                let added = sum.into_iter().flat_map(|(_, operands)| operands.iter().flatten());
                added.into_iter().any(|&a| are_alike(a, pair.rest) && worth(a, block))
            })
    })
}

/// Operations that products which are worth gathering are made of, besides the product. Fewer save less than it takes to gather two operands and take the products apart again (measured for vectors of two
/// doubles and of two floats: three save nothing where the vectors of x86-64 have three operands, four do).
const WORTH_GATHERING: usize = 3;

/// Are there operations among those that a value is made of that a vector saves and that count: many, such as take long, or such as stand in other loops, where all that belongs to them is thought to cost nothing?
fn is_worth_gathering(
    scop: &Scop,
    statement: &Statement,
    body: &Body,
    of: &BTreeSet<NodeIndex>,
    block: Option<Block>,
) -> bool {
    let mut cheap = 0;
    let mut counts = |n: &NodeIndex| match body.nodes.get(n.0) {
        Some(Node::Operation { instruction, .. }) => {
            cheap += 1;
            let is_cheap =
                instruction.is_sum() || matches!(instruction.opcode(), Some(Opcode::LLVMFMul | Opcode::LLVMFNeg));
            !is_cheap || instruction.block() != block || cheap >= WORTH_GATHERING
        }
        Some(Node::Invariant(value)) => value.is_instruction() && value.opcode() != Some(Opcode::LLVMLoad),
        Some(Node::Read { access, .. }) => {
            statement.accesses.get(*access).is_none_or(|a| is_from_other_loop(scop, statement, a))
        }
        Some(Node::Choice { .. }) => true,
        _ => false,
    };
    of.iter().any(&mut counts)
}

/// Is it a value from a loop around the statement, or the last one that a loop inside of the same loop sees?
fn is_from_other_loop(scop: &Scop, statement: &Statement, access: &Access) -> bool {
    let is_register = scop.arrays.get(access.array.0).is_none_or(|a| a.is_virtual);
    let is_last = |s: &Statement| {
        let cell = &s.accesses[0];
        share(s, statement, statement.depth())
            && s.reads().iter().all(|a| a.array != cell.array || a.subscripts != cell.subscripts)
    };
    let sets = |s: &Statement| {
        s.accesses[0].array == access.array
            && ((is_register && s.depth() < statement.depth()) || (s.depth() > statement.depth() && is_last(s)))
    };
    scop.statements.iter().any(sets)
}

/// What is loaded for a product.
enum Operand<'s> {
    /// By the statement.
    Cell(&'s Access),
    /// Perhaps before the region.
    Loaded(Value),
}

impl Operand<'_> {
    /// Is it the neighbour of another, or the same?
    fn beside(&self, other: &Self) -> Option<Beside> {
        let (a, b) = match (self, other) {
            (Operand::Cell(a), Operand::Cell(b)) => (a, b),
            (Operand::Loaded(a), Operand::Loaded(b)) => return a.loads_neighbours(*b).then_some(Beside::Neighbours),
            _ => return None,
        };
        if a.array != b.array {
            return None;
        }
        if a.subscripts == b.subscripts {
            return Some(Beside::One);
        }
        let ((x, rest), (y, others)) = a.subscripts.split_last().zip(b.subscripts.split_last())?;
        let apart = x.sub(y).ok().filter(Affine::is_constant).map(|d| d.constant_term());
        (rest == others && matches!(apart, Some(-1 | 1))).then_some(Beside::Neighbours)
    }
}

/// What a node loads.
fn operand<'s>(statement: &'s Statement, node: &Node) -> Option<Operand<'s>> {
    match node {
        Node::Read { access, .. } => statement.accesses.get(*access).map(Operand::Cell),
        Node::Invariant(value) => Some(Operand::Loaded(*value)),
        _ => None,
    }
}

/// What is read below a node.
fn reads_below<'s>(statement: &'s Statement, body: &Body, node: NodeIndex) -> Vec<Operand<'s>> {
    let nodes = below(body, node).into_iter().filter_map(|n| body.nodes.get(n.0));
    nodes.filter_map(|node| operand(statement, node)).collect()
}

/// Could LLVM make one vector of what two statements of a loop store: cells next to each other, or two sums that are carried from iteration to iteration?
pub(super) fn may_be_one_vector(scop: &Scop, a: &Statement, b: &Statement) -> bool {
    let [first, second] = [&a.accesses[0], &b.accesses[0]];
    let bytes = |access: &Access| scop.arrays.get(access.array.0).map(|array| array.element_bytes);
    let innermost = a.depth().saturating_sub(1);
    let stays = |access: &Access| walk(access, innermost) == Walk::Stays;
    if stays(first) && stays(second) {
        return (first.array != second.array || first.subscripts != second.subscripts) && bytes(first) == bytes(second);
    }
    let Some(((last, others), (to, rest))) = first.subscripts.split_last().zip(second.subscripts.split_last()) else {
        return false;
    };
    let apart = last.sub(to).ok().filter(Affine::is_constant).map(|d| d.constant_term());
    first.array == second.array && others == rest && matches!(apart, Some(-1 | 1))
}

/// Is anything that a statement has from before the loops computed with a product and a sum that may be one operation? It may be part of the vector of what statements store.
pub(super) fn has_pairs_before(body: &Body, fuses: &mut impl FnMut(Type) -> bool) -> bool {
    let mut stack: Vec<Value> = Vec::new();
    stack.extend(body.nodes.iter().filter_map(|node| match node {
        Node::Invariant(value) => Some(*value),
        _ => None,
    }));
    let mut seen = Vec::new();
    while let Some(value) = stack.pop() {
        let is_computed = value.is_instruction() && !matches!(value.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMLoad));
        if !is_computed || seen.contains(&value) {
            continue;
        }
        if seen.len() >= MOST_BEFORE || (value.fused_operand().is_some() && fuses(value.ty())) {
            return true;
        }
        seen.push(value);
        stack.extend(value.operands());
    }
    false
}

/// So many values from before the loops are looked at.
const MOST_BEFORE: usize = 32;

/// An operation, and whose product it is fused with; or an operand, and the array it is read from where that matters.
type Token = (Option<Opcode>, Option<u32>, Option<ArrayId>);

/// What LLVM compares when it makes one vector of two statements: the operations in the order of their operands, products before what they are added to. The second list: the products of pairs, in the order of the first.
pub(super) fn shape(statement: &Statement, body: &Body, pairs: &[Pair]) -> (Vec<Token>, Vec<NodeIndex>) {
    let is_product = |n: NodeIndex| operation(body, n).is_some_and(|(v, _)| v.opcode() == Some(Opcode::LLVMFMul));
    // Their order may change only where a sum has two products.
    let of_two = pairs.iter().any(|p| is_product(p.rest));
    let (mut out, mut products) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    let mut stack = vec![body.root];
    while let Some(n) = stack.pop() {
        out.push(match body.nodes.get(n.0) {
            Some(Node::Operation { instruction, operands }) => {
                let pair = pairs.binary_search_by_key(&n, |p| p.sum).ok().and_then(|k| pairs.get(k));
                let one = pair.filter(|p| instruction.opcode() == Some(Opcode::LLVMFAdd) && !is_product(p.rest));
                let operands =
                    one.map_or_else(|| operands.iter().flatten().copied().collect(), |p| vec![p.product, p.rest]);
                if seen.insert(n) {
                    products.extend(pair.map(|p| p.product));
                    stack.extend(operands.into_iter().rev());
                }
                (instruction.opcode(), pair.filter(|_| one.is_none()).map(|p| p.at), None)
            }
            Some(node @ Node::Choice { .. }) => {
                if seen.insert(n) {
                    stack.extend(node.operands().into_iter().rev());
                }
                (Some(Opcode::LLVMSelect), None, None)
            }
            Some(Node::Read { access, .. }) if of_two => (None, None, statement.accesses.get(*access).map(|a| a.array)),
            _ => (None, None, None),
        });
    }
    (out, products)
}
