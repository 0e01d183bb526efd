//! Code that goes on with the cells that a micro-kernel holds: in its registers.
//!
//! # Problem
//! The corner of a solve divides the sums that the kernel before it has made, and takes their multiples from each other: they went to memory and came back, and what waits for the first division waited for that, too.
//!
//! # Method
//! Of two neighbours in a list that hold the same cells, in the same lanes, the second one takes what the first one does inside of its registers: `hold r { A } hold s { B }`, `r` and `s` the same cell, is
//! `hold s { A B }`. What `A` stores `B` stores, too, so that nothing in either touches these cells otherwise, and they are stored for certain where `A` runs under a condition; nothing is between the two. What `A` only reads has in memory
//! what is in the register until the end.

use crate::ast::{Ast, AstNode, Held, Lanes, LoopVar, Scratch};
use crate::lanes::{put, with_value};
use polyhedra::{Affine, Budget, Space};
use scheduler::Result;

/// Joins all neighbours that can be. Cost: linear in the nodes, and in the square of the registers of two neighbours.
///
/// # Errors
/// Of arithmetic and of the budget.
pub fn join(ast: Ast, budget: &Budget) -> Result<Ast> {
    let joiner = Joiner { space: ast.space, budget };
    let body = joiner.list(ast.body)?;
    Ok(Ast { body, ..ast })
}

struct Joiner<'a> {
    space: Space,
    budget: &'a Budget,
}

impl Joiner<'_> {
    fn list(&self, nodes: Vec<AstNode>) -> Result<Vec<AstNode>> {
        let mut out: Vec<AstNode> = Vec::new();
        for node in nodes {
            let node = self.inside(node)?;
            let joined = match out.last() {
                Some(last) => self.joined(last, &node)?,
                None => None,
            };
            if joined.is_some() {
                out.pop();
            }
            out.push(joined.unwrap_or(node));
        }
        Ok(out)
    }

    fn inside(&self, node: AstNode) -> Result<AstNode> {
        self.budget.spend(1)?;
        Ok(match node {
            AstNode::For(mut f) => {
                f.body = self.list(f.body)?;
                AstNode::For(f)
            }
            AstNode::If { conditions, then, otherwise } => {
                AstNode::If { conditions, then: self.list(then)?, otherwise: self.list(otherwise)? }
            }
            AstNode::Scratch(s) => {
                AstNode::Scratch(Scratch { body: self.list(s.body)?, otherwise: self.list(s.otherwise)?, ..s })
            }
            AstNode::Held(mut h) => {
                h.body = self.list(h.body)?;
                AstNode::Held(h)
            }
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => node,
        })
    }

    /// Both as one.
    fn joined(&self, first: &AstNode, second: &AstNode) -> Result<Option<AstNode>> {
        let (conditions, first) = match first {
            AstNode::If { conditions, then, otherwise } if otherwise.is_empty() => (&conditions[..], &then[..]),
            one => (&[][..], std::slice::from_ref(one)),
        };
        let (first, second) = (Nest::of(first), Nest::of(std::slice::from_ref(second)));
        let (Some(one), Some(other)) = (first.held.first(), second.held.first()) else { return Ok(None) };
        let (Some(from), Some(to)) = (&one.lanes, &other.lanes) else { return Ok(None) };
        let (from, to, width) = (from.var, to.var, to.width);
        self.budget.spend(first.held.len() as u64)?;
        let lane = Affine::dim(self.space, to.0);
        let mut fetched = vec![None; second.held.len()];
        let mut stored = vec![false; second.held.len()];
        for h in &first.held {
            let mut cell = Vec::with_capacity(h.subscripts.len());
            for e in &h.subscripts {
                cell.push(put(e, from, &lane)?);
            }
            let same = second.held.iter().position(|other| other.array == h.array && other.subscripts == cell);
            let Some(k) = same else { return Ok(None) };
            (fetched[k], stored[k]) = (h.ahead, h.store);
        }
        let whole = |l: &Lanes| l.width == width && l.from.is_none() && l.to.is_none();
        let is_plain = |h: &&Held| h.load && h.mirrored.is_none() && h.lanes.as_ref().is_some_and(whole);
        let are_plain = first.held.iter().chain(&second.held).all(is_plain);
        let are_stored = second.held.iter().zip(&stored).all(|(h, stored)| h.store || !stored);
        if first.held.len() != second.held.len() || !are_plain || !are_stored {
            return Ok(None);
        }
        let mut body = with_value(first.body, from, &lane)?;
        rename(&mut body, from, to);
        if !conditions.is_empty() {
            body = vec![AstNode::If { conditions: conditions.to_vec(), then: body, otherwise: Vec::new() }];
        }
        body.extend_from_slice(second.body);
        for (h, ahead) in second.held.into_iter().zip(fetched).rev() {
            body = vec![AstNode::Held(Held { ahead, body, ..outside(h) })];
        }
        Ok(body.pop())
    }
}

/// Registers inside of each other with nothing beside them, and what is inside of all.
struct Nest<'a> {
    held: Vec<&'a Held>,
    body: &'a [AstNode],
}

impl<'a> Nest<'a> {
    fn of(nodes: &'a [AstNode]) -> Self {
        let mut nest = Self { held: Vec::new(), body: nodes };
        while let [AstNode::Held(h)] = nest.body {
            nest.held.push(h);
            nest.body = &h.body;
        }
        nest
    }
}

/// The register, with nothing inside.
fn outside(h: &Held) -> Held {
    let (array, subscripts) = (h.array, h.subscripts.clone());
    Held::new(h.id, (array, subscripts), (h.load, h.store), h.lanes.clone(), Vec::new())
}

/// Lanes of one variable become those of another.
fn rename(nodes: &mut [AstNode], from: LoopVar, to: LoopVar) {
    let of = |lanes: &mut Option<Lanes>| {
        if let Some(lanes) = lanes.as_mut().filter(|lanes| lanes.var == from) {
            lanes.var = to;
        }
    };
    for node in nodes {
        match node {
            AstNode::Call(call) => of(&mut call.lanes),
            AstNode::Pack(pack) => of(&mut pack.lanes),
            AstNode::Held(h) => {
                of(&mut h.lanes);
                rename(&mut h.body, from, to);
            }
            AstNode::For(f) => rename(&mut f.body, from, to),
            AstNode::If { then, otherwise, .. } => {
                rename(then, from, to);
                rename(otherwise, from, to);
            }
            AstNode::Scratch(s) => {
                rename(&mut s.body, from, to);
                rename(&mut s.otherwise, from, to);
            }
            AstNode::Fetch(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Call, Condition, Expr, RegisterId};
    use scheduler::scop::{ArrayId, StatementId};
    use std::collections::BTreeSet;

    const SPACE: Space = Space { params: 1, dims: 3 };

    fn call(statement: usize, lane: usize) -> AstNode {
        AstNode::Call(Call {
            statement: StatementId(statement),
            iterators: vec![Affine::dim(SPACE, lane)],
            lanes: Some(Lanes { var: LoopVar(lane), width: 4, from: None, to: None }),
            packed: Vec::new(),
            mirrored: Vec::new(),
            behind: Vec::new(),
        })
    }

    /// Four cells from `first` on, by lanes of this variable, around one call.
    fn held(statement: usize, (first, lane): (i64, usize), store: bool) -> AstNode {
        let mut cell = Affine::constant(SPACE, first);
        cell.set_dim(lane, 1);
        let lanes = Some(Lanes { var: LoopVar(lane), width: 4, from: None, to: None });
        let cell = (ArrayId(0), vec![cell]);
        AstNode::Held(Held::new(RegisterId(statement), cell, (true, store), lanes, vec![call(statement, lane)]))
    }

    fn joined(body: Vec<AstNode>) -> Result<Vec<AstNode>> {
        let (buffers, worthwhile) = (Vec::new(), Vec::new());
        let ast = Ast { space: SPACE, body, buffers, worthwhile, embedded: BTreeSet::new(), filling: BTreeSet::new() };
        Ok(join(ast, &Budget::generous())?.body)
    }

    #[test]
    fn the_same_cells_stay_in_their_register() {
        let AstNode::Held(mut expected) = held(1, (0, 2), true) else { unreachable!() };
        expected.body.insert(0, call(0, 2));
        assert_eq!(
            joined(vec![held(0, (0, 1), true), held(1, (0, 2), true)]),
            Ok(vec![AstNode::Held(expected.clone())])
        );
        let n = Affine::param(SPACE, 0);
        let conditions = vec![Condition::LessEq(Expr::Affine(Affine::zero(SPACE)), Expr::Affine(n))];
        let under = |then| AstNode::If { conditions: conditions.clone(), then: vec![then], otherwise: Vec::new() };
        expected.body[0] = under(call(0, 2));
        assert_eq!(
            joined(vec![under(held(0, (0, 1), true)), held(1, (0, 2), true)]),
            Ok(vec![AstNode::Held(expected)])
        );
    }

    #[test]
    fn others_do_not() {
        let other_cells = vec![held(0, (1, 1), true), held(1, (0, 2), true)];
        // Where a cell is only read it may be read in memory, too.
        let only_read = vec![held(0, (0, 1), true), held(1, (0, 2), false)];
        let between = vec![held(0, (0, 1), true), call(2, 1), held(1, (0, 2), true)];
        for nodes in [other_cells, only_read, between] {
            assert_eq!(joined(nodes.clone()), Ok(nodes));
        }
    }
}
