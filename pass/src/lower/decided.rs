//! Conditions on data that are the same in all iterations of a loop.
//!
//! **Problem.** `for j { if (A[i][k] != 0) C[i][j] += A[i][k] * B[k][j]; }` asks in every iteration what does not change, and LLVM's vectoriser, behind which nothing takes conditions out of loops, makes masks
//! of it. The source had the condition outside; a schedule has statements inside of their loops only.
//!
//! **Method.** Where all that an innermost loop runs is one such statement, and its conditions are computed from registers around the loop, from counters of other loops and from what was there before the region, they are computed in front of the
//! loop, behind the test that it runs at all: so the program has asked for the first of them too, and the others are only looked at where those before them hold.

use super::body::{Instance, over_variables, value_of};
use super::deep::moves;
use super::fused::Part;
use super::vector::Lane;
use super::{Emitter, LowerError, Result};
use crate::llvm::Value;
use crate::raise::body::{Node, NodeIndex};
use codegen::ast::{AstNode, For};
use codegen::interpret::subscripts;
use scheduler::scop::StatementId;
use std::collections::BTreeSet;

impl Emitter<'_> {
    /// The only statement of an innermost loop and whether its conditions hold, if that is the same for all iterations.
    pub(super) fn decided_before(&mut self, f: &For) -> Result<Option<(StatementId, Value)>> {
        let [AstNode::Call(call)] = f.body.as_slice() else { return Ok(None) };
        let raised = self.raised;
        let id = call.statement.0;
        let (Some(statement), Some(body)) = (raised.scop.statements.get(id), raised.bodies.get(id)) else {
            return Err(LowerError::Malformed("a statement that is not there"));
        };
        if !body.is_conditional() || call.lanes.is_some() || !call.packed.is_empty() {
            return Ok(None);
        }
        // The nodes of the conditions.
        let mut wanted: BTreeSet<usize> = BTreeSet::new();
        let mut open: Vec<NodeIndex> = body.guards.iter().map(|g| g.node).collect();
        while let Some(n) = open.pop() {
            if wanted.insert(n.0)
                && let Some(node) = body.nodes.get(n.0)
            {
                open.extend(node.operands());
            }
        }
        let mut cells = Vec::new();
        for access in &statement.accesses {
            cells.push(subscripts(access, call, self.ast.space)?);
        }
        for &k in &wanted {
            let stays = match &body.nodes[k] {
                Node::Invariant(_) => true,
                Node::Read { access, .. } => {
                    let (Some(of), Some(cell)) = (statement.accesses.get(*access), cells.get(*access)) else {
                        return Err(LowerError::Malformed("an access that is not there"));
                    };
                    let register = self.register(of.array, cell);
                    register.is_some_and(|r| r.lanes.is_none()) && cell.iter().all(|e| e.dim_coeff(f.var.0) == 0)
                }
                Node::Operation { instruction, .. } => {
                    let alone = self.fused.get(id).is_none_or(|f| matches!(f.part(NodeIndex(k)), Part::Alone));
                    alone && instruction.is_pure() && !instruction.divides_integers()
                }
                Node::Choice { .. } => true,
                Node::Index { poly, .. } => !moves(poly, call, f.var),
                Node::Splat { .. } | Node::Group { .. } | Node::Dot { .. } => false,
            };
            if !stays {
                return Ok(None);
            }
        }
        self.t.locate(Some(body.origin));
        let instance = Instance { call, statement, body, cells, many: None };
        let mut values: Vec<Option<Lane>> = vec![None; body.nodes.len()];
        for k in wanted {
            let value = match &body.nodes[k] {
                Node::Invariant(v) if body.guards.iter().any(|g| g.frozen) => Lane::Same(self.frozen(*v)),
                Node::Invariant(v) => Lane::Same(*v),
                Node::Read { access, ty } => {
                    let value = self.read(&instance, *access)?;
                    self.convert_lane(value, *ty, None)?
                }
                Node::Operation { instruction, operands } => {
                    let mut own = Vec::new();
                    for (operand, v) in operands.iter().zip(instruction.operands()) {
                        own.push(operand.map_or(Ok(Lane::Same(v)), |n| value_of(&values, n))?);
                    }
                    self.operation(*instruction, &own, None)?
                }
                Node::Choice { condition, yes, no } => {
                    let [c, yes, no] = [condition, yes, no].map(|n| value_of(&values, *n));
                    self.choose(c?, yes?, no?, None)
                }
                Node::Index { poly, ty } => {
                    let bits = ty.integer_bits().ok_or(LowerError::Malformed("an index that is no integer"))?;
                    self.index(&over_variables(poly, &call.iterators)?, bits, None)?
                }
                Node::Splat { .. } | Node::Group { .. } | Node::Dot { .. } => return Ok(None),
            };
            values[k] = Some(value);
        }
        let (yes, no) = (self.t.constant(self.t.int(1), 1), self.t.constant(self.t.int(1), 0));
        let mut all = yes;
        for guard in body.guards.iter().rev() {
            let Lane::Same(condition) = value_of(&values, guard.node)? else {
                return Err(LowerError::Malformed("a condition that differs between lanes"));
            };
            let condition = if guard.frozen { self.t.freeze(condition) } else { condition };
            all = if guard.truth { self.t.select(condition, all, no) } else { self.t.select(condition, no, all) };
        }
        Ok(Some((call.statement, all)))
    }
}
