//! Loops whose statements LLVM makes vectors of rather than of their iterations.
//!
//! **Problem.** Statements side by side that store to neighbours, such as those of small matrices whose loops are gone, become vectors by LLVM's SLP vectoriser, which comes behind its loop vectoriser. That one
//! would put vectors of iterations together and take them apart cell by cell. So it would with short loops most of whose cells lie apart.

use super::{Emitter, LowerError, Result};
use codegen::ast::{AstNode, Call, Expr, For};
use codegen::interpret::subscripts;
use polyhedra::Affine;
use scheduler::scop::ArrayId;

/// LLVM's vectoriser takes apart vectors of cells so far from each other, and no further.
const MOST_INTERLEAVED: i64 = 8;

/// Iterations of loops that LLVM makes one vector of, or two.
const SHORT: i64 = 16;

/// A cell of an array.
pub(super) type Cell = (ArrayId, Vec<Affine>);

impl Emitter<'_> {
    /// Do statements side by side store to neighbours, which LLVM makes vectors of, while its vectors of iterations would be put together and taken apart cell by cell?
    pub(super) fn is_side_by_side(&self, f: &For) -> Result<bool> {
        let mut calls = Vec::new();
        all_calls(&f.body, &mut calls);
        let scop = &self.raised.scop;
        let mut stores = Vec::with_capacity(calls.len());
        for call in calls {
            let statement = scop.statements.get(call.statement.0);
            let write = statement.ok_or(LowerError::Malformed("a statement that is not there"))?.write();
            stores.push((write.array, subscripts(write, call, self.ast.space)?));
        }
        let is_far = |s: &Cell| self.cells_between(f, s).is_none_or(|by| by.abs() > MOST_INTERLEAVED);
        let is_next = |a: &Cell, b: &Cell| {
            let (Some((x, before)), Some((y, other))) = (a.1.split_last(), b.1.split_last()) else { return false };
            a.0 == b.0 && before == other && y.sub(x).is_ok_and(|e| e.is_constant() && e.constant_term() == 1)
        };
        let followed: Vec<&Cell> = stores.iter().filter(|a| stores.iter().any(|b| is_next(a, b))).collect();
        Ok(!followed.is_empty() && 2 * followed.len() >= stores.len() && followed.into_iter().all(is_far))
    }

    /// Has a loop few iterations, which LLVM would make one vector of, and would that be scattered, or mostly gathered?
    pub(super) fn is_short_and_apart(&self, f: &For) -> Result<bool> {
        let end = |e: &Expr| if let Expr::Affine(e) = e { e.is_constant().then(|| e.constant_term()) } else { None };
        let (Some(first), Some(last)) = (end(&f.lower), end(&f.upper)) else { return Ok(false) };
        if last.checked_sub(first).is_none_or(|trips| trips >= SHORT) {
            return Ok(false);
        }
        let mut calls = Vec::new();
        all_calls(&f.body, &mut calls);
        let (mut together, mut apart) = (0, 0);
        for call in calls {
            let statement = self.raised.scop.statements.get(call.statement.0);
            let statement = statement.ok_or(LowerError::Malformed("a statement that is not there"))?;
            for access in &statement.accesses {
                let cell = (access.array, subscripts(access, call, self.ast.space)?);
                match self.cells_between(f, &cell) {
                    Some(0) => {}
                    Some(1 | -1) => together += 1,
                    _ if access.kind.writes() => return Ok(true),
                    _ => apart += 1,
                }
            }
        }
        Ok(apart > together)
    }

    /// Cells from iteration to iteration. `None`: rows are of unknown length.
    pub(super) fn cells_between(&self, f: &For, (array, cell): &Cell) -> Option<i64> {
        let array = self.raised.scop.arrays.get(array.0);
        let moved = |d: usize| cell.get(d).map_or(0, |e| e.dim_coeff(f.var.0));
        let (mut cells, mut by) = (Some(1_i64), Some(0_i64));
        for d in (0..cell.len()).rev() {
            if moved(d) != 0 {
                by = by.zip(cells).and_then(|(by, cells)| by.checked_add(cells.checked_mul(moved(d))?));
            }
            let size = d.checked_sub(1).and_then(|k| array?.inner_sizes.get(k).copied().flatten());
            cells = cells.zip(size).and_then(|(cells, size)| cells.checked_mul(size));
        }
        by
    }
}

/// The calls of straight code.
pub(super) fn all_calls<'n>(nodes: &'n [AstNode], out: &mut Vec<&'n Call>) {
    for node in nodes {
        match node {
            AstNode::Call(call) => out.push(call),
            AstNode::Held(h) => all_calls(&h.body, out),
            AstNode::If { then, otherwise, .. } => {
                all_calls(then, out);
                all_calls(otherwise, out);
            }
            AstNode::For(_) | AstNode::Pack(_) | AstNode::Fetch(_) | AstNode::Scratch(_) => {}
        }
    }
}
