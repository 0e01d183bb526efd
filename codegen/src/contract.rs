//! Contraction: values that nobody reads from memory are not stored there.
//!
//! **Problem.** Arrays that are none of the program's have a cell for every value: an old value that is kept, the conditions of an iteration, a scalar that has become an array. Where a schedule brings
//! those that make a value and those that use it together, [`crate::registers`] holds the cell; the store behind it is all that is left, and memory that is never read costs more than the loop itself.
//!
//! **Method.** An array dies with the loops. If every access to it is to a register that begins with a write, no cell is ever loaded: the stores go, and with them the memory ([`in_memory`]).
//!
//! Source: array contraction after Sarkar, Gao, *Optimization of array accesses by collective loop transformations* (1991), for the case that one cell lives at a time.

use crate::ast::{Ast, AstNode, Call, Held};
use crate::interpret::subscripts;
use polyhedra::Space;
use scheduler::Result;
use scheduler::scop::{ArrayId, Scop};
use std::collections::BTreeSet;

/// Leaves out the stores of registers to arrays that are `dying`, meaning that nobody reads them behind the loops, and of which no cell is ever loaded.
///
/// # Errors
/// Overflow, unknown statements.
pub fn contract(scop: &Scop, mut ast: Ast, dying: &BTreeSet<ArrayId>) -> Result<Ast> {
    if dying.is_empty() {
        return Ok(ast);
    }
    let mut accesses = Accesses::default();
    accesses.list(scop, ast.space, &ast.body, &mut Vec::new())?;
    let unread: BTreeSet<ArrayId> = dying.difference(&accesses.others).copied().collect();
    forget(&mut ast.body, &unread);
    Ok(ast)
}

/// The arrays that some access has cells of in memory.
///
/// # Errors
/// Overflow, unknown statements.
pub fn in_memory(scop: &Scop, ast: &Ast) -> Result<BTreeSet<ArrayId>> {
    let mut accesses = Accesses::default();
    accesses.list(scop, ast.space, &ast.body, &mut Vec::new())?;
    Ok(accesses.stored.union(&accesses.others).copied().collect())
}

/// The arrays by what is done with their cells in memory.
#[derive(Default)]
struct Accesses {
    /// Registers are stored to them.
    stored: BTreeSet<ArrayId>,
    /// Anything else.
    others: BTreeSet<ArrayId>,
}

impl Accesses {
    fn list<'a>(&mut self, scop: &Scop, space: Space, nodes: &'a [AstNode], held: &mut Vec<&'a Held>) -> Result<()> {
        for node in nodes {
            match node {
                AstNode::For(f) => self.list(scop, space, &f.body, held)?,
                AstNode::If { then, otherwise, .. } => {
                    self.list(scop, space, then, held)?;
                    self.list(scop, space, otherwise, held)?;
                }
                AstNode::Held(h) => {
                    if h.store {
                        self.stored.insert(h.array);
                    }
                    if h.load {
                        self.others.insert(h.array);
                    }
                    held.push(h);
                    self.list(scop, space, &h.body, held)?;
                    held.pop();
                }
                AstNode::Call(call) => self.call(scop, space, call, held)?,
                AstNode::Pack(pack) => {
                    self.others.insert(pack.array);
                }
                AstNode::Fetch(_) => {}
                AstNode::Scratch(s) => {
                    self.list(scop, space, &s.body, held)?;
                    self.list(scop, space, &s.otherwise, held)?;
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, scop: &Scop, space: Space, call: &Call, held: &[&Held]) -> Result<()> {
        let statement = scop.statements.get(call.statement.0);
        let statement = statement.ok_or_else(|| scheduler::Error::Malformed("unknown statement".into()))?;
        for (k, access) in statement.accesses.iter().enumerate() {
            let cell = subscripts(access, call, space)?;
            let is_held = access.is_plain() && held.iter().any(|h| h.array == access.array && h.subscripts == cell);
            if !is_held || call.behind.iter().any(|id| id.0 == k) {
                self.others.insert(access.array);
            }
        }
        Ok(())
    }
}

/// Registers of these arrays are forgotten where they end.
fn forget(nodes: &mut [AstNode], unread: &BTreeSet<ArrayId>) {
    for node in nodes {
        match node {
            AstNode::For(f) => forget(&mut f.body, unread),
            AstNode::If { then, otherwise, .. } => {
                forget(then, unread);
                forget(otherwise, unread);
            }
            AstNode::Held(h) => {
                if unread.contains(&h.array) {
                    (h.store, h.ahead) = (false, None);
                }
                forget(&mut h.body, unread);
            }
            AstNode::Scratch(s) => {
                forget(&mut s.body, unread);
                forget(&mut s.otherwise, unread);
            }
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => {}
        }
    }
}
