//! Copies of cells that lie by rows and are wanted by columns.
//!
//! `p[... + lane] = B[j + lane][k]` for one `k` after the other reads a cell of each of many rows. As many iterations together as there are lanes copy a square of cells. Held in registers one
//! inside the other, all at once, they can be loaded by rows, as they lie, and transposed there: that is for whoever lowers them to see. The loop is cut as in
//! [`crate::lanes::blocks`]: into squares, and single iterations in front of the first and behind the last.

use super::Jammer;
use super::blocks::Block;
use crate::ast::{AstNode, Expr, For, LoopVar, Pack};
use crate::lanes::blocks::{in_pieces, iteration_of};
use crate::lanes::{put, with_value};
use polyhedra::Space;
use scheduler::Result;

/// Most copies in a square.
const MOST: usize = 128;

impl Jammer<'_> {
    /// The loops that take the place of one that does nothing but copy. `None`: its cells are no squares.
    pub(super) fn copies_in_squares(&mut self, f: &For, space: Space) -> Result<Option<Vec<AstNode>>> {
        let mut packs: Vec<&Pack> = Vec::new();
        for node in &f.body {
            match node {
                AstNode::Pack(pack) if is_by_rows(pack, f.var) => packs.push(pack),
                _ => return Ok(None),
            }
        }
        let Some((first, lanes)) = packs.first().and_then(|p| Some((*p, p.lanes.as_ref()?))) else { return Ok(None) };
        let rest = LoopVar(f.var.0.max(lanes.var.0) + 1);
        let many = lanes.width as usize;
        let alike =
            packs.iter().all(|p| p.lanes.as_ref().is_some_and(|l| (l.var, l.width) == (lanes.var, lanes.width)));
        if f.step != 1 || !many.is_power_of_two() || !alike || packs.len() * many > MOST || rest.0 >= space.dims {
            return Ok(None);
        }
        let width = i64::from(lanes.width);
        // A square begins where its first cell's subscript is a multiple of the width.
        let Some(last) = first.subscripts.last() else { return Ok(None) };
        let mut before = last.clone();
        before.set_dim(f.var.0, 0);
        // Where cells lie one before the other the last iteration of a piece has it.
        if last.dim_coeff(f.var.0) < 0 {
            before = before.scale(-1)?.offset(width - 1)?;
        }
        let at = |k: i64| iteration_of(f.var, (&before, width), k);
        let mut squares = Vec::new();
        for &pack in &packs {
            let (mut body, mut block) = (Vec::new(), Block::new());
            for k in 0..width {
                body.extend(with_value(&[AstNode::Pack(pack.clone())], f.var, &at(k)?)?);
                let cell: Result<_> = pack.subscripts.iter().map(|e| put(e, f.var, &at(k)?)).collect();
                block.push((pack.array, cell?, None));
            }
            // The outermost has the first cell.
            if pack.subscripts.last().is_some_and(|last| last.dim_coeff(f.var.0) < 0) {
                block.reverse();
            }
            let Some(lanes) = &pack.lanes else { return Ok(None) };
            squares.extend(self.with_block(block, lanes, body));
        }
        Ok(Some(vec![AstNode::For(in_pieces(f, (rest, space), (&before, width), squares)?)]))
    }
}

/// Are the cells apart from lane to lane and neighbours from iteration to iteration, and do the same lanes run in all of them, the first for sure?
fn is_by_rows(pack: &Pack, var: LoopVar) -> bool {
    let (Some(lanes), Some((last, others))) = (&pack.lanes, pack.subscripts.split_last()) else { return false };
    let ends = |to: &Expr| matches!(to, Expr::Affine(to) if to.is_constant() && to.constant_term() > 0);
    lanes.from.is_none()
        && lanes.to.as_ref().is_none_or(ends)
        && last.dim_coeff(var.0).abs() == 1
        && last.dim_coeff(lanes.var.0) == 0
        && others.iter().all(|e| e.dim_coeff(var.0) == 0)
        && others.iter().any(|e| e.dim_coeff(lanes.var.0) != 0)
}
