//! Two loops of a band, so many iterations of the inner one abreast ([`scheduler::tree::Member::abreast`]).
//!
//! # Problem
//! Where every point of a row waits for the one before, as in a Gauss-Seidel sweep or an edit distance, a loop along the row leaves the machine idle. The next row may follow a few points behind:
//! with time `w = j + s i`, all rows `i` at one `w` are independent. A strip of `R` rows runs as one loop over `w` with `R` instances in its body, which wait for nothing but the last round.
//!
//! # Method
//! Strips are a loop like a tile loop. In a strip all rows run only between two values of `w`: for each row `c + a w + b p >= 0` of a statement's shadow on the times `(w, p)`, the worst `p` of the
//! strip satisfies it; of all of these, one or two bound `w` from below and from above, or else the strip is not cut. Before the first and behind the last such `w`, one row after the other
//! is as good: within the strip the band may be interchanged. So is a strip that is not full. In between, the body has an instance for each row; what its domain asks for more than that becomes
//! a guard, as everywhere. The loop along the rows may have lanes itself, where nothing waits: then the rows share the cells that they read.
//!
//! # Worked example
//! `1 <= i, j <= n`, `w = j + 2i`, `R = 4`, strip `4t <= i <= 4t + 3`: all rows run where `w >= 8t + 7` (the last one has begun) and `w <= 8t + n` (the first one has not ended). Rows before that:
//! `i` from `4t` to `4t + 3`, `w` from `2i + 1` to `8t + 6`.
//!
//! Lamport, *The parallel execution of DO loops* (CACM 1974), the hyperplane method, in strips of a few rows.

use super::clean::hoist;
use super::scan::{Range, Spec, restricted, scan};
use super::tiles::{Band, Tile, cut, with_rows, worst_corner};
use super::{Active, Maker};
use crate::ast::{AstNode, Expr, For, LoopKind};
use crate::sets::{condition, drop_last, halves, negated, reduce, widen, widen_expr};
use polyhedra::{Affine, Constraint, Polyhedron};
use scheduler::Result;
use scheduler::tree::Lanes;

/// The pair of loops.
pub(super) struct Abreast<'a, 'b> {
    pub(super) band: &'a Band<'b>,
    /// Which step of the band it is.
    pub(super) at: usize,
    /// The member that all rows go along; the rows are the next one.
    pub(super) ahead: usize,
    /// Rows in a strip.
    pub(super) count: i64,
    /// Tiles that we are in.
    pub(super) tiles: &'a [Tile],
}

/// Forms at most on either side of where all rows of a strip run.
const MOST_BOUNDS: usize = 2;

/// Where all rows of a strip run.
struct Full {
    /// Over `[1 | N | V]`: there are as many rows, and a place where all run.
    conditions: Vec<Constraint>,
    /// `ahead` is at least each of these, over `[1 | N | V]`.
    from: Vec<Affine>,
    /// And at most each of these.
    to: Vec<Affine>,
}

impl Abreast<'_, '_> {
    /// All loops of the pair.
    pub(super) fn loops(&self, maker: &Maker<'_>, active: &[Active], context: &Polyhedron) -> Result<Vec<AstNode>> {
        let depth = context.space().dims;
        let mut ranges = Vec::new();
        for a in active {
            ranges.push(self.band.range(maker, a, self.ahead + 1, Some(self.count), depth)?);
        }
        let spec = Spec { kind: LoopKind::Tile, parallel: false, separate: false };
        scan(maker, spec, &ranges, context, &|active, inner, strip| {
            let tiles = deeper(self.tiles, inner.space().dims - depth);
            Abreast { tiles: &tiles, ..*self }.strip(maker, active, inner, strip)
        })
    }

    fn strip(
        &self,
        maker: &Maker<'_>,
        active: &[Active],
        context: &Polyhedron,
        strip: &Affine,
    ) -> Result<Vec<AstNode>> {
        let one_by_one = |active: &[Active], context: &Polyhedron| self.rows(maker, active, context);
        let Some(full) = self.full(maker, active, context, strip)? else { return one_by_one(active, context) };
        let inside = with_rows(context, &full.conditions);
        let time = |a: &Active| maker.row(a, self.band.member_row(self.ahead, a)?, 0);
        let (mut before, mut between, mut behind) = (Vec::new(), Vec::new(), Vec::new());
        for a in active {
            let time = time(a)?;
            let extra = time.space().dims - context.space().dims;
            let begun = full.from.iter().map(|from| Ok(time.sub(&widen_expr(from, extra))?));
            let not_ended = full.to.iter().map(|to| Ok(widen_expr(to, extra).sub(&time)?));
            let begun: Vec<Affine> = begun.collect::<Result<_>>()?;
            let not_ended: Vec<Affine> = not_ended.collect::<Result<_>>()?;
            before.push(first_broken(a, &begun)?);
            behind.push(first_broken(a, &not_ended)?);
            between.push(kept(a, begun.into_iter().chain(not_ended).map(Constraint::ge)));
        }
        // Pieces in the order of time: a later one holds what an earlier one breaks; at the end it is the other way round.
        let piece = |pieces: &[Vec<Active>], k: usize| pieces.iter().map(|p| p[k].clone()).collect::<Vec<_>>();
        let mut then = Vec::new();
        for k in 0..full.from.len() {
            then.extend(one_by_one(&piece(&before, k), &inside)?);
        }
        then.extend(self.all_rows(maker, &between, &inside, strip)?);
        for k in (0..full.to.len()).rev() {
            then.extend(one_by_one(&piece(&behind, k), &inside)?);
        }
        let then = hoist(then);
        if full.conditions.is_empty() {
            return Ok(then);
        }
        let mut known = context.clone();
        if let [only] = full.conditions.as_slice() {
            known.add(negated(&only.expr)?);
        }
        let otherwise = one_by_one(active, &known)?;
        let conditions = full.conditions.iter().map(condition).collect::<Result<_>>()?;
        Ok(vec![AstNode::If { conditions, then, otherwise }])
    }

    /// One row after the other.
    fn rows(&self, maker: &Maker<'_>, active: &[Active], context: &Polyhedron) -> Result<Vec<AstNode>> {
        self.in_order(maker, &[self.ahead + 1, self.ahead], active, context, self.tiles)
    }

    /// Point loops of some members, and what comes behind the pair.
    fn in_order(
        &self,
        maker: &Maker<'_>,
        members: &[usize],
        active: &[Active],
        context: &Polyhedron,
        tiles: &[Tile],
    ) -> Result<Vec<AstNode>> {
        maker.budget.spend(1)?;
        let Some((&member, rest)) = members.split_first() else {
            return self.band.step(maker, self.at + 1, active, context, tiles);
        };
        let depth = context.space().dims;
        let mut ranges = Vec::new();
        for a in active {
            ranges.push(self.band.range(maker, a, member, None, depth)?);
        }
        let spec = Spec { kind: LoopKind::Point, parallel: false, separate: true };
        scan(maker, spec, &ranges, context, &|active, inner, _| {
            self.in_order(maker, rest, active, inner, &deeper(tiles, inner.space().dims - depth))
        })
    }

    /// A loop along the rows, with an instance for each of them.
    fn all_rows(
        &self,
        maker: &Maker<'_>,
        active: &[Active],
        context: &Polyhedron,
        strip: &Affine,
    ) -> Result<Vec<AstNode>> {
        let depth = context.space().dims;
        let mut ranges = Vec::new();
        for a in active {
            ranges.push(self.band.range(maker, a, self.ahead, None, depth)?);
        }
        let (kind, parallel) = match self.band.lanes(self.ahead) {
            Some(Lanes { width, vectors }) => (LoopKind::Lanes { width, vectors }, true),
            None => (LoopKind::Point, false),
        };
        let spec = Spec { kind, parallel, separate: true };
        scan(maker, spec, &ranges, context, &|active, inner, _| {
            let tiles = deeper(self.tiles, inner.space().dims - depth);
            let first = widen_expr(&strip.scale(self.count)?, inner.space().dims - depth);
            if let Some(rows) = self.rows_at_once(maker, active, inner, &first, &tiles)? {
                return Ok(vec![AstNode::For(rows)]);
            }
            let mut out = Vec::new();
            for k in 0..self.count {
                out.extend(self.one_row(maker, active, inner, &first.offset(k)?, &tiles)?);
            }
            Ok(out)
        })
    }

    /// A loop over the rows, if they shall be the lanes of a vector, and if it is one without conditions.
    fn rows_at_once(
        &self,
        maker: &Maker<'_>,
        active: &[Active],
        context: &Polyhedron,
        first: &Affine,
        tiles: &[Tile],
    ) -> Result<Option<For>> {
        let (lanes, [only]) = (self.band.lanes(self.ahead + 1), active) else { return Ok(None) };
        let Some(width) = lanes.map(|l| l.width).filter(|w| i64::from(*w) == self.count) else { return Ok(None) };
        let depth = context.space().dims;
        let Range { active, shadow } = self.band.range(maker, only, self.ahead + 1, None, depth)?;
        let (row, first) = (Affine::dim(shadow.space(), depth), widen_expr(first, 1));
        let rows = [row.sub(&first)?, first.offset(self.count - 1)?.sub(&row)?].map(Constraint::ge);
        let mut shadow = shadow;
        rows.iter().for_each(|row| shadow.add(row.clone()));
        let ranges = [Range { active: restricted(&active, &rows), shadow }];
        let spec = Spec { kind: LoopKind::Abreast { width }, parallel: true, separate: false };
        let made = scan(maker, spec, &ranges, context, &|active, inner, _| {
            let tiles = deeper(tiles, inner.space().dims - depth);
            self.band.step(maker, self.at + 1, active, inner, &tiles)
        })?;
        let [AstNode::For(rows)] = made.as_slice() else { return Ok(None) };
        let (Expr::Affine(lower), Expr::Affine(upper)) = (&rows.lower, &rows.upper) else { return Ok(None) };
        let last = upper.sub(lower)?;
        let exact = last.is_constant() && last.constant_term() == self.count - 1;
        Ok((exact && matches!(rows.body[..], [AstNode::Call(_)])).then(|| rows.clone()))
    }

    /// What one row runs at one place.
    fn one_row(
        &self,
        maker: &Maker<'_>,
        active: &[Active],
        context: &Polyhedron,
        row: &Affine,
        tiles: &[Tile],
    ) -> Result<Vec<AstNode>> {
        let depth = context.space().dims;
        let mut ranges = Vec::new();
        for a in active {
            let Range { active, shadow } = self.band.range(maker, a, self.ahead + 1, None, depth)?;
            let wide = widen_expr(row, 1);
            let only = Constraint::eq(Affine::dim(wide.space(), depth).sub(&wide)?);
            let active = restricted(&active, std::slice::from_ref(&only));
            ranges.push(Range { active, shadow: shadow.with(only) });
        }
        let spec = Spec { kind: LoopKind::Point, parallel: false, separate: false };
        scan(maker, spec, &ranges, context, &|active, inner, _| {
            let tiles = deeper(tiles, inner.space().dims - depth);
            self.band.step(maker, self.at + 1, active, inner, &tiles)
        })
    }

    /// Where all rows of the strip run, if that is between few forms.
    fn full(&self, maker: &Maker<'_>, active: &[Active], context: &Polyhedron, strip: &Affine) -> Result<Option<Full>> {
        let wide = widen(context, 1);
        let depth = context.space().dims;
        let rows_of = [Tile { member: self.ahead + 1, size: self.count, value: widen_expr(strip, 1) }];
        let mut conditions = Vec::new();
        let mut bounds = Vec::new();
        for a in active {
            let along = self.band.range(maker, a, self.ahead, None, depth)?.active;
            for row in self.band.box_shadow(maker, &along, &wide, &rows_of)?.constraints() {
                for form in halves(row)? {
                    let worst = worst_corner(&form, wide.space(), &rows_of)?;
                    if worst.dim_coeff(depth) == 0 {
                        conditions.push(Constraint::ge(drop_last(&worst)));
                    } else {
                        bounds.push(Constraint::ge(worst));
                    }
                }
            }
        }
        let bounds =
            reduce(&bounds, &with_rows(&wide, &conditions.iter().map(widened).collect::<Vec<_>>()), maker.budget)?;
        // `w - from >= 0` and `to - w >= 0`
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for bound in &bounds {
            match bound.expr.dim_coeff(depth) {
                1 => from.push(drop_last(&bound.expr).scale(-1)?),
                -1 => to.push(drop_last(&bound.expr)),
                _ => return Ok(None),
            }
        }
        if ![&from, &to].iter().all(|forms| (1..=MOST_BOUNDS).contains(&forms.len())) {
            return Ok(None);
        }
        // So that what is before and what is behind have nothing in common.
        for (from, to) in from.iter().flat_map(|from| to.iter().map(move |to| (from, to))) {
            conditions.push(Constraint::ge(to.sub(from)?.offset(1)?));
        }
        let Some(conditions) = cut(maker, &conditions, context)? else { return Ok(None) };
        Ok(Some(Full { conditions, from, to }))
    }
}

fn widened(row: &Constraint) -> Constraint {
    Constraint { kind: row.kind, expr: widen_expr(&row.expr, 1) }
}

/// The statement kept to the points where rows over its own space hold.
fn kept(active: &Active, rows: impl IntoIterator<Item = Constraint>) -> Active {
    let mut out = active.clone();
    rows.into_iter().for_each(|row| out.relation.add(row));
    out
}

/// For each form the statement kept to where it is the first that is negative.
fn first_broken(active: &Active, forms: &[Affine]) -> Result<Vec<Active>> {
    let mut out = Vec::new();
    for (k, form) in forms.iter().enumerate() {
        let holds = forms[..k].iter().cloned().map(Constraint::ge);
        out.push(kept(active, holds.chain([negated(form)?])));
    }
    Ok(out)
}

/// Tiles seen from further inside.
fn deeper(tiles: &[Tile], by: usize) -> Vec<Tile> {
    tiles.iter().map(|t| Tile { value: widen_expr(&t.value, by), ..t.clone() }).collect()
}
