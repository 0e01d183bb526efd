//! Rows abreast as the lanes of vectors.
//!
//! # Problem
//! Along a wavefront, `A[i][j] = f(A[i][j - 1], A[i - 1][j], A[i - 1][j - 1])` with `w = j + i`, as many rows as a vector has lanes run at one `w`. Their cells are apart from lane to lane, and each of them
//! is wanted again at the next `w`, by its own row and by the next one.
//!
//! # Method
//! As for loops inside of lanes ([`super::blocks`]), `width` iterations of `w` together touch a square of cells of each array, whose rows begin one cell earlier from lane to lane. What is stored is held in
//! registers: vector `k` has the cells of iteration `k`. What an iteration reads of the same array was stored `t` iterations before by its own row, and is in the register of that iteration; or by
//! the row before, and is there one lane behind ([`Call::behind`]), but for lane 0, whose cell belongs to the strip before and is in memory. Iterations in front of the piece have registers that are
//! loaded, cell by cell. What the cells of the square hold before they are stored to comes by rows, too.
//!
//! Their cells must be there: that of iteration `w - 1` is read by the program at `w`, by all rows, so that the first piece begins `t - 1` iterations behind the first `w`, where `t` is the
//! largest. What no piece takes runs row by row.

use super::blocks::{MOST_CALLS, MOST_SINGLE, Pieces, in_pieces, iteration_of, squares};
use super::{minus, put, with_value};
use crate::ast::{AstNode, Call, Condition, Expr, For, Held, LoopVar, RegisterId};
use crate::interpret::subscripts;
use polyhedra::Affine;
use scheduler::Result;
use scheduler::scop::{AccessId, AccessKind};
use std::cell::Cell;

/// Iterations of the loop along the rows that a value is used behind its own, at most.
const MOST_BEHIND: i64 = 4;

/// A read of what the loop has stored.
struct Earlier {
    access: AccessId,
    /// By the row before.
    other_row: bool,
    /// So many iterations before.
    iterations: i64,
}

impl Pieces<'_> {
    /// The loop `f` along rows, which has an instance for each of them in its body, as vectors over the rows, of which `at_once` is one. `None`: they are none that will do.
    pub(super) fn across(
        &self,
        f: &For,
        at_once: &[AstNode],
        width: u32,
        next: &Cell<usize>,
    ) -> Result<Option<AstNode>> {
        let [AstNode::Call(call)] = at_once else { return Ok(None) };
        let Some(statement) = self.scop.statements.get(call.statement.0) else { return Ok(None) };
        let write = statement.write();
        let cell = subscripts(write, call, self.space)?;
        if f.step != 1 || width as usize > MOST_CALLS || self.held.iter().any(|(array, _)| *array == write.array) {
            return Ok(None);
        }
        let pieces = Pieces { sloped: Some(write.array), ..*self };
        let Some(mut stored) = pieces.walk(&cell, f.var, true).filter(|_| write.kind == AccessKind::Write) else {
            return Ok(None);
        };
        let mut earlier = Vec::new();
        for (k, access) in statement.accesses.iter().enumerate().skip(1) {
            if !access.is_plain() {
                return Ok(None);
            }
            if access.array == write.array {
                let own = subscripts(access, call, self.space)?;
                if own == cell {
                    stored.is_read_first();
                    continue;
                }
                let Some((other_row, iterations)) = self.earlier(&cell, &own, f.var) else { return Ok(None) };
                earlier.push(Earlier { access: AccessId(k), other_row, iterations });
            }
        }
        // All rows read what they have just stored, or what is in its place at the beginning.
        if !earlier.iter().any(|e| !e.other_row && e.iterations == 1) {
            return Ok(None);
        }
        let others = pieces.walks(&[call], f.var)?;
        let lanes = width as usize;
        if pieces.singles(&[call], &others)?.saturating_mul(lanes * lanes) > MOST_SINGLE {
            return Ok(None);
        }
        let width = i64::from(width);
        let before = stored.before_line(f.var, self.lane, width)?;
        let at = |k: i64| iteration_of(f.var, (&before, width), k);
        let mut body = Vec::new();
        for k in 0..width {
            let behind = earlier.iter().filter(|e| e.other_row).map(|e| e.access).collect();
            let own = AstNode::Call(Call { behind, ..call.clone() });
            body.extend(with_value(&[own], f.var, &at(k)?)?);
        }
        body = squares((write.array, &stored), (f.var, width, &at), call.lanes.as_ref(), next, body)?;
        let furthest = earlier.iter().map(|e| e.iterations).max().unwrap_or(1);
        for k in 1..=furthest {
            let subscripts = cell.iter().map(|e| put(e, f.var, &at(-k)?)).collect::<Result<Vec<Affine>>>()?;
            let (id, lanes) = (RegisterId(next.replace(next.get() + 1)), call.lanes.clone());
            let (array, load, store) = (write.array, true, false);
            body = vec![AstNode::Held(Held::new(id, (array, subscripts), (load, store), lanes, body))];
        }
        for (array, walk) in others.iter().rev() {
            body = squares((*array, walk), (f.var, width, &at), call.lanes.as_ref(), next, body)?;
        }
        let mut whole = in_pieces(f, (self.rest, self.space), (&before, width), body)?;
        if let Some(AstNode::If { conditions, .. }) = whole.body.first_mut() {
            let there = minus(&f.lower, &Affine::constant(self.space, 1 - furthest))?;
            conditions.push(Condition::LessEq(there, Expr::Affine(at(0)?)));
        }
        Ok(Some(AstNode::For(whole)))
    }

    /// How long before, and whether by the row before, a cell that is read was stored: `read(lane, w) = write(lane - 0 or 1, w - t)`, `t` at least 1.
    fn earlier(&self, write: &[Affine], read: &[Affine], var: LoopVar) -> Option<(bool, i64)> {
        if write.len() != read.len() {
            return None;
        }
        [false, true].into_iter().find_map(|other_row| {
            let mut iterations = None;
            for (w, r) in write.iter().zip(read) {
                let own = w.offset(if other_row { w.dim_coeff(self.lane.0).checked_neg()? } else { 0 }).ok()?;
                let apart = own.sub(r).ok().filter(Affine::is_constant)?.constant_term();
                match w.dim_coeff(var.0) {
                    0 if apart == 0 => {}
                    0 => return None,
                    step => {
                        let t = apart.checked_div(step).filter(|t| t.checked_mul(step) == Some(apart))?;
                        if iterations.is_some_and(|known| known != t) {
                            return None;
                        }
                        iterations = Some(t);
                    }
                }
            }
            iterations.filter(|t| (1..=MOST_BEHIND).contains(t)).map(|t| (other_row, t))
        })
    }
}
