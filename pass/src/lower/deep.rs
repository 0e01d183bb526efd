//! Values that LLVM's vectoriser takes too long to look at.
//!
//! **Problem.** Code that does not change in a loop stays in it until LLVM has made vectors ([`super`]). LLVM 22's vectoriser asks of such a value whether all lanes have the same
//! (`vputils::isSingleScalar`), and so of its operands, without remembering the answers: for `x = x > a ? x : a`, which has `x` twice, again and again, that doubles with every step. 24
//! steps took half a minute.
//!
//! **Method.** The size of each value that does not change, as a tree. Loops in which one is large are left without vectors of LLVM's.

use super::{Emitter, LowerError, Result};
use crate::raise::body::Node;
use crate::raise::poly::{LoopIndex, Poly, Symbol};
use codegen::ast::{AstNode, Call, For, LoopVar};
use codegen::interpret::subscripts;
use polyhedra::Affine;
use scheduler::scop::ArrayId;
use std::collections::BTreeMap;

/// Largest tree that is looked at in no time.
const LARGEST: u64 = 1 << 12;

/// Cells that were stored to in the same iteration, and what they hold: the size of a value that does not change, `None` for one that does.
type Stored = BTreeMap<(ArrayId, Vec<Affine>), Option<u64>>;

impl Emitter<'_> {
    /// Has an innermost loop values that do not change in it, and are large as trees?
    pub(super) fn is_deep(&self, f: &For) -> Result<bool> {
        Ok(self.deepest(&f.body, f.var, &mut Stored::new())? > LARGEST)
    }

    fn deepest(&self, nodes: &[AstNode], var: LoopVar, stored: &mut Stored) -> Result<u64> {
        let mut deepest = 0;
        for node in nodes {
            deepest = deepest.max(match node {
                AstNode::Call(call) => self.deepest_of(call, var, stored)?,
                AstNode::Held(h) => self.deepest(&h.body, var, stored)?,
                AstNode::If { then, otherwise, .. } => {
                    self.deepest(then, var, stored)?.max(self.deepest(otherwise, var, stored)?)
                }
                AstNode::For(_) | AstNode::Pack(_) | AstNode::Fetch(_) | AstNode::Scratch(_) => 0,
            });
        }
        Ok(deepest)
    }

    fn deepest_of(&self, call: &Call, var: LoopVar, stored: &mut Stored) -> Result<u64> {
        let (statement, body) =
            (self.raised.scop.statements.get(call.statement.0), self.raised.bodies.get(call.statement.0));
        let missing = || LowerError::Malformed("a statement that is not there");
        let (statement, body) = statement.zip(body).ok_or_else(missing)?;
        let changes = |e: &Affine| e.dim_coeff(var.0) != 0;
        let mut sizes: Vec<Option<u64>> = Vec::with_capacity(body.nodes.len());
        for node in &body.nodes {
            sizes.push(match node {
                Node::Invariant(_) | Node::Splat { .. } => Some(1),
                Node::Read { access, .. } => {
                    let access = statement.accesses.get(*access).ok_or_else(missing)?;
                    let cell = (access.array, subscripts(access, call, self.ast.space)?);
                    let steady = !cell.1.iter().any(changes);
                    stored.get(&cell).copied().unwrap_or(steady.then_some(1))
                }
                Node::Index { poly, .. } => (!moves(poly, call, var)).then_some(1),
                Node::Operation { .. } | Node::Choice { .. } | Node::Group { .. } | Node::Dot { .. } => {
                    node.operands().into_iter().try_fold(1_u64, |sum, operand| {
                        sizes.get(operand.0).copied().flatten().map(|size| sum.saturating_add(size))
                    })
                }
            });
        }
        let write = statement.write();
        let value = sizes.get(body.root.0).copied().flatten();
        stored.insert((write.array, subscripts(write, call, self.ast.space)?), value);
        Ok(sizes.into_iter().flatten().max().unwrap_or(0))
    }
}

/// Does an index change with a loop?
pub(super) fn moves(poly: &Poly, call: &Call, var: LoopVar) -> bool {
    poly.symbols().any(|s| match s {
        Symbol::Param(_) => false,
        Symbol::Iterator(LoopIndex(k)) | Symbol::Triangle(LoopIndex(k)) => {
            call.iterators.get(k).is_none_or(|e| e.dim_coeff(var.0) != 0)
        }
    })
}
