//! Lines that are asked for ahead, of operands whose rows lie apart: those of the next tile of columns.
//!
//! Example: tiles of 192 of the depth, 168 rows, 12 columns, 4 rows. The tile of 4 rows that is number `r` in its 168 asks for `B[k][j .. j + 11]` of the next tile of columns at 5 values of `k` from number `5 r`
//! on; all together for all of it.

use super::{Blocked, State};
use crate::ast::{AstNode, Expr, Fetch, For, LoopKind, LoopVar};
use crate::sets::{condition, drop_last, halves, reduce, widen, widen_expr};
use polyhedra::{Affine, Constraint};
use scheduler::scop::{AccessId, ArrayId};
use scheduler::{Error, Result};

/// Bytes of a line. Where it is longer more is asked for than has to be.
const LINE: i64 = 64;

impl Blocked<'_> {
    /// The share of this tile of rows in the next tile of columns.
    pub(super) fn share_of_next(&self, state: &State) -> Result<Vec<AstNode>> {
        let Some(plan) = &self.plan.fetch else { return Ok(Vec::new()) };
        let around = |m: usize| state.tiles.iter().rev().filter(move |t| t.planned && t.member == m);
        let row = self.column() - 1;
        let (Some(tile), Some(block), Some(depth), Some(column)) =
            (around(row).next(), around(row).nth(1), around(plan.member).next(), around(self.column()).next())
        else {
            return Ok(Vec::new());
        };
        // There is no next one behind one that has fewer.
        if column.size != self.plan.columns || state.columns != self.plan.columns || state.first.is_some() {
            return Ok(Vec::new());
        }
        let number = state.here(&tile.value).combine(1, &state.here(&block.value), -(block.size / tile.size))?;
        let first = number.scale(plan.share)?.combine(1, &state.here(&depth.value), depth.size)?;
        let last = first.offset(plan.share - 1)?;
        // Where the depth ends with rows or columns it does so soon for the next tile, too.
        let var = state.context.space().dims;
        let mut rows = Vec::new();
        for row in self.shadow(state, &[plan.member])?.0.constraints() {
            for form in halves(row)?.into_iter().filter(|form| form.dim_coeff(var) != 0) {
                let end = if form.dim_coeff(var) > 0 { &first } else { &last };
                rows.push(Constraint::ge(drop_last(&form).combine(1, end, form.dim_coeff(var))?));
            }
        }
        let at = Affine::dim(widen(&state.context, 1).space(), var);
        let mut context = widen(&state.context, 1);
        context.add(Constraint::ge(at.sub(&widen_expr(&first, 1))?));
        context.add(Constraint::ge(widen_expr(&last, 1).sub(&at)?));
        let mut inner = State { context, ..state.clone() };
        inner.times[plan.member] = Some(at);
        let next = state.here(&column.value).offset(1)?.scale(column.size)?;
        let body = self.fetched_columns(plan.access, &widen_expr(&next, 1), &inner)?;
        if body.is_empty() {
            return Ok(body);
        }
        let (lower, upper) = (Expr::Affine(first), Expr::Affine(last));
        let kind = LoopKind::Point;
        let all = AstNode::For(For { var: LoopVar(var), lower, upper, step: 1, parallel: false, kind, body });
        let inside = self.under(&rows, vec![all], state)?;
        // Small sizes ask for nothing else.
        let worth = self.fetching.iter().map(|row| Constraint { kind: row.kind, expr: state.here(&row.expr) });
        self.under(&worth.collect::<Vec<_>>(), inside, state)
    }

    /// The nodes where rows over `[1 | N | V]` hold.
    fn under(&self, rows: &[Constraint], then: Vec<AstNode>, state: &State) -> Result<Vec<AstNode>> {
        let rows = reduce(rows, &state.context, self.maker.budget)?;
        if rows.is_empty() {
            return Ok(then);
        }
        let conditions = rows.iter().map(condition).collect::<Result<_>>()?;
        Ok(vec![AstNode::If { conditions, then, otherwise: Vec::new() }])
    }

    fn cells_of_line(&self, array: ArrayId) -> Result<i64> {
        let bytes = self.maker.scop.arrays.get(array.0).and_then(|a| i64::try_from(a.element_bytes).ok());
        let bytes = bytes.filter(|bytes| *bytes > 0).ok_or_else(|| Error::Malformed("cells of no size".into()))?;
        Ok((LINE / bytes).max(1))
    }

    /// Asks for the cells of as many columns as a tile has, from one on, at the times of this place: from the last one backwards, a line each. What is left in front lies in the line of the column before, which has been
    /// asked for with that.
    pub(super) fn fetched_columns(&self, access: AccessId, from: &Affine, state: &State) -> Result<Vec<AstNode>> {
        let mut at = state.clone();
        let mut out = Vec::new();
        let mut column = self.plan.columns - 1;
        while column >= 0 {
            at.times[self.column()] = Some(from.offset(column)?);
            let Some((array, subscripts)) = self.cell_at(access, &at)? else { return Ok(Vec::new()) };
            out.push(AstNode::Fetch(Fetch { array, subscripts }));
            column -= self.cells_of_line(array)?;
        }
        Ok(out)
    }
}
