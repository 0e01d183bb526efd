//! What copies in scratch memory hold: cells, or what the statement first makes of them.
//!
//! `C[i][j] += alpha * A[i][k] * A[j][k]` computes `alpha * A[i][k]` for every `j`. Where `A[i][k]` is copied, the product can be copied instead: it is the same operation
//! on the same operands, done once. So with every operation between the copied read and the rest of the statement whose other operands do not change.
//!
//! What widens cells does so once, too: of `C[i][j] += (double) A[i][k] * B[k][j]` with floats the copies hold doubles, and the kernel is that of doubles.
//!
//! Asked of the operations: no effects and no traps, a result of the cell's type, or a wider one if it is a conversion, no licence to be done otherwise, and that they are not one operation with their user.
//! Asked of the copy: that one read of one statement is all that it is for.

use super::address::Storage;
use super::fused::{Fused, Part};
use super::vector::{Lane, Many};
use super::{Emitter, LowerError, Result};
use crate::llvm::{Opcode, Type, Value};
use crate::raise::Raised;
use crate::raise::body::{Body, Node, NodeIndex};
use codegen::ast::{Ast, AstNode, BufferId};
use scheduler::scop::AccessId;
use std::collections::{BTreeMap, BTreeSet};

/// Operations that a copy has behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Done {
    statement: usize,
    /// The read, then the operations in their order, each on the one before.
    nodes: Vec<NodeIndex>,
    /// What the copy holds.
    pub(super) cell: Cell,
}

/// A cell of scratch memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    pub(super) ty: Type,
    pub(super) bytes: u64,
}

/// By buffer.
pub(super) type AllDone = BTreeMap<usize, Done>;

/// What can be done by the copies of a part.
pub(super) fn all_done(raised: &Raised, ast: &Ast, fused: &[Fused]) -> AllDone {
    let mut uses = BTreeMap::new();
    collect(&ast.body, &mut uses);
    let mut out = AllDone::new();
    for (buffer, uses) in uses {
        let mut uses = uses.into_iter();
        if let (Some((statement, access)), None) = (uses.next(), uses.next())
            && let Some((nodes, cell)) = fused.get(statement).and_then(|f| done(raised, f, statement, access))
        {
            out.insert(buffer.0, Done { statement, nodes, cell });
        }
    }
    out
}

/// Which reads of which statements find their cells in each buffer.
fn collect(nodes: &[AstNode], uses: &mut BTreeMap<BufferId, BTreeSet<(usize, AccessId)>>) {
    for node in nodes {
        match node {
            AstNode::Call(call) => {
                for (access, place) in &call.packed {
                    uses.entry(place.buffer).or_default().insert((call.statement.0, *access));
                }
            }
            AstNode::For(f) => collect(&f.body, uses),
            AstNode::Held(h) => collect(&h.body, uses),
            AstNode::If { then, otherwise, .. } => {
                collect(then, uses);
                collect(otherwise, uses);
            }
            AstNode::Scratch(s) => {
                collect(&s.body, uses);
                collect(&s.otherwise, uses);
            }
            AstNode::Pack(_) | AstNode::Fetch(_) => {}
        }
    }
}

/// The read of an access and the operations that come first, if there are any, and what they make.
fn done(raised: &Raised, fused: &Fused, statement: usize, access: AccessId) -> Option<(Vec<NodeIndex>, Cell)> {
    let (statement, body) = (raised.scop.statements.get(statement)?, raised.bodies.get(statement)?);
    let data = raised.arrays.get(statement.accesses.get(access.0)?.array.0)?;
    let (element, most) = (data.element, raised.arrays.get(statement.accesses.first()?.array.0)?.bytes);
    let mut cell = Cell { ty: element, bytes: data.bytes };
    if !body.guards.is_empty() {
        return None;
    }
    let reads = |n: &Node| matches!(n, Node::Read { access: own, .. } if *own == access.0);
    let mut all = (0..body.nodes.len()).filter(|&k| reads(&body.nodes[k]));
    let (Some(read), None) = (all.next(), all.next()) else { return None };
    if !matches!(&body.nodes[read], Node::Read { ty, .. } if *ty == element) {
        return None;
    }
    let mut nodes = vec![NodeIndex(read)];
    while let Some(&last) = nodes.last()
        && let Some((next, instruction)) = only_user(body, last)
        && fused.part(next) == Part::Alone
        && let Some(made) = made(instruction, cell, most)
    {
        nodes.push(next);
        cell = made;
    }
    (nodes.len() > 1).then_some((nodes, cell))
}

/// What an operation makes of a cell, if copies may hold it: no more than the cells that are stored.
fn made(instruction: Value, cell: Cell, most: u64) -> Option<Cell> {
    if instruction.ty() == cell.ty {
        return Some(cell);
    }
    let widens = matches!(
        instruction.opcode(),
        Some(Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMFPExt | Opcode::LLVMSIToFP | Opcode::LLVMUIToFP)
    );
    let ty = instruction.ty();
    let bytes = u64::from(ty.integer_bits().or_else(|| ty.float_bits())? / 8);
    (widens && bytes.is_power_of_two() && bytes >= cell.bytes && bytes <= most).then_some(Cell { ty, bytes })
}

/// The one operation on a node, if its other operands do not change and it may be done elsewhere.
fn only_user(body: &Body, node: NodeIndex) -> Option<(NodeIndex, Value)> {
    if body.root == node {
        return None;
    }
    let mut users = body.nodes.iter().enumerate().filter(|(_, n)| n.operands().contains(&node));
    let (Some((user, Node::Operation { instruction, operands })), None) = (users.next(), users.next()) else {
        return None;
    };
    let same = |n: &NodeIndex| *n == node || matches!(body.nodes.get(n.0), Some(Node::Invariant(_)));
    let movable = instruction.is_pure() && !instruction.divides_integers() && !instruction.has_fast_math();
    (movable && operands.iter().flatten().all(same)).then_some((NodeIndex(user), *instruction))
}

impl Emitter<'_> {
    /// For each node of a statement that copies have computed: the read that finds it.
    pub(super) fn found_in_copies(&self, statement: usize, buffers: &[BufferId]) -> BTreeMap<NodeIndex, NodeIndex> {
        let own = buffers.iter().filter_map(|b| self.done.get(&b.0)).filter(|d| d.statement == statement);
        own.filter_map(|d| d.nodes.split_first()).flat_map(|(read, rest)| rest.iter().map(|n| (*n, *read))).collect()
    }

    /// What the cells of scratch memory are.
    pub(super) fn cell_of_buffer(&self, buffer: BufferId) -> Result<Cell> {
        if let Some(done) = self.done.get(&buffer.0) {
            return Ok(done.cell);
        }
        let data = self.data(self.array_of(Storage::Buffer(buffer))?)?;
        Ok(Cell { ty: data.element, bytes: data.bytes })
    }

    /// The cell as its copy holds it.
    pub(super) fn before_copy(&mut self, buffer: BufferId, cell: Lane, many: Option<&Many>) -> Result<Lane> {
        let raised = self.raised;
        let Some(done) = self.done.get(&buffer.0).cloned() else { return Ok(cell) };
        let body = raised.bodies.get(done.statement).ok_or(LowerError::Malformed("a statement that is not there"))?;
        let mut value = cell;
        for (before, node) in done.nodes.iter().zip(done.nodes.iter().skip(1)) {
            let Some(Node::Operation { instruction, operands }) = body.nodes.get(node.0) else {
                return Err(LowerError::Malformed("a copy of what is no operation"));
            };
            let mut new = Vec::new();
            for (operand, own) in operands.iter().zip(instruction.operands()) {
                new.push(match operand.map(|n| (n, body.nodes.get(n.0))) {
                    None => Lane::Same(own),
                    Some((n, _)) if n == *before => value,
                    Some((_, Some(Node::Invariant(v)))) => Lane::Same(*v),
                    Some(_) => return Err(LowerError::Malformed("an operand that changes")),
                });
            }
            value = self.operation(*instruction, &new, many)?;
        }
        Ok(value)
    }
}
