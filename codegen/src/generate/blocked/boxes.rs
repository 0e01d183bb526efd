//! Rows and columns: whole boxes under a condition, and what is left at the end of the domain.

use super::depth::last_box;
use super::{Blocked, Entered, Rows, State, Step, with, within};
use crate::ast::AstNode;
use crate::generate::scan::Range;
use crate::sets::{drop_last, halves, negated, reduce, widen};
use polyhedra::{Affine, Constraint, Kind, Polyhedron};
use scheduler::Result;
use scheduler::kernel::{TileLoop, fewer_rows, vectors_at_end};

/// The smallest tiles that have corners.
const SMALL: i64 = 4;

/// Sums that processors add products to side by side without taking longer, at least: additions take four cycles or so.
const AT_ONCE: i64 = 4;

impl Blocked<'_> {
    /// Are there other statements in the band? Then domains mostly end in triangles.
    fn has_others(&self) -> bool {
        self.members.first().is_some_and(|m| m.rows.len() > 1)
    }

    /// Rows: all of the box, or fewer.
    pub(super) fn jam(&self, state: &State) -> Result<Vec<AstNode>> {
        if state.actives.len() > 1 {
            return self.with_others(state, &self.smaller());
        }
        let rows: Vec<usize> = (self.first_row()..self.column()).collect();
        let corners = self.corners(state, &rows)?;
        self.choice(state, &corners, &|inner| self.full_columns(inner, Rows::Jammed), &|inner| self.fewer_rows(inner))
    }

    /// A tile in which other statements run, too: all of the box, or smaller ones at the end of the domain, where plain loops would take as long as several tiles.
    fn with_others(&self, state: &State, sizes: &[i64]) -> Result<Vec<AstNode>> {
        if self.main(state).is_none() {
            return self.general(state);
        }
        let other = state.actives.iter().find(|a| a.id != self.id);
        let (Some((&size, smaller)), Some(other), Some(member)) = (sizes.split_first(), other, self.unrolled_member())
        else {
            return self.together(state);
        };
        let shadow = self.shadow_of(other, state, &[member])?.0;
        let both = [self.corners(state, &[member])?, self.corners_in(&shadow, state, &[member])?];
        // What ends the one and not the other is no end of the domain.
        let mut whole = Vec::new();
        for (own, fellow) in [(&both[0], &both[1]), (&both[1], &both[0])] {
            let known = fellow.iter().fold(state.context.clone(), |set, row| set.with(row.clone()));
            for row in own {
                if with(&known, &negated(&row.expr)?).is_empty(self.maker.budget)? {
                    whole.push(row.clone());
                }
            }
        }
        self.choice(state, &whole, &|inner| self.together(inner), &|inner| {
            self.tiles_where((member, size, false), &[], inner, &|inner| {
                let lanes = i64::from(self.plan.lanes);
                let columns = if member == self.column() { size.max(lanes) } else { inner.columns };
                self.with_others(&State { columns, ..inner.clone() }, smaller)
            })
        })
    }

    /// Sizes of the tiles at the end of the domain, in which others run.
    fn smaller(&self) -> Vec<i64> {
        let Some(member) = self.unrolled_member() else { return Vec::new() };
        let all = self.plan.register_size(member).unwrap_or_default();
        let lanes = i64::from(self.plan.lanes);
        let vector = if member == self.column() { lanes } else { SMALL };
        let mut sizes = vec![vector, SMALL];
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.dedup();
        sizes.retain(|size| *size < all && all % size == 0);
        sizes
    }

    /// The member that corners are unrolled along: the other one of rows and columns.
    fn unrolled_member(&self) -> Option<usize> {
        // Off the diagonal the domain ends for the lanes only.
        let lanes = self.plan.corners.iter().find(|corner| corner.beyond.is_none())?.member;
        Some(if lanes == self.column() { self.column() - 1 } else { self.column() })
    }

    /// Is this tile loop the innermost one of the columns, with nothing inside but that of rows, if there are any?
    pub(super) fn has_only_rows_inside(&self, at: usize) -> bool {
        let (columns, inside) = (self.plan.tiles[at], &self.plan.tiles[at + 1..]);
        let rows = |only: &[TileLoop]| match only {
            [tile] => tile.member + 1 == self.column(),
            _ => only.is_empty() && self.ends_in_boxes(),
        };
        columns.member == self.column()
            && rows(inside)
            && !self.has_others()
            && !self.plan.scattered
            && self.plan.corners.is_empty()
            && self.plan.packs.iter().all(|p| p.depth <= at)
    }

    /// Tiles with all columns, then those that are left at the end of the domain. Loops of their own: what is only of use in one of them is computed there.
    pub(super) fn all_columns_then_last(&self, at: usize, state: &State) -> Result<Vec<AstNode>> {
        let TileLoop { member, size } = self.plan.tiles[at];
        let all = |inner: &State| self.step(Step::Tile(at + 1), inner, Rows::Jammed);
        let tie = |row: &Affine, t: &Affine| within(row, t, size);
        let [Range { active, shadow }] = &self.ranges(state, &tie, member)?[..] else {
            return self.tile(member, size, state, &all);
        };
        let context = widen(&state.context, 1).intersect(shadow);
        let mut inner = state.deeper(std::slice::from_ref(active), &context);
        let t = state.context.space().dims;
        inner.tiles.push(Entered { member, size, value: Affine::dim(context.space(), t), planned: true });
        let whole = reduce(&self.corners(&inner, &[member])?, &context, self.maker.budget)?;
        match whole.as_slice() {
            [only] if only.kind == Kind::Ge && only.expr.dim_coeff(t) < 0 => {
                let mut out = self.tiles_where((member, size, true), &whole, state, &all)?;
                let rest = [negated(&only.expr)?];
                out.extend(self.tiles_where((member, size, true), &rest, state, &|inner| self.last(inner))?);
                Ok(out)
            }
            _ => self.tile(member, size, state, &|inner| {
                self.choice(inner, &self.corners(inner, &[member])?, &all, &|inner| self.last(inner))
            }),
        }
    }

    /// A tile that does not have all its columns: as few vectors as hold them.
    fn last(&self, state: &State) -> Result<Vec<AstNode>> {
        if self.plan.rows.is_empty() {
            return self.jam(state);
        }
        let lanes = i64::from(self.plan.lanes);
        let vectors = vectors_at_end(state.columns / lanes);
        if state.columns == vectors * lanes {
            return self.last_columns(vectors, state);
        }
        self.tiles_where((self.column(), vectors * lanes, false), &[], state, &|inner| {
            self.last_columns(vectors, inner)
        })
    }

    /// All rows of the columns that are left, which are no more than so many vectors.
    fn last_columns(&self, vectors: i64, state: &State) -> Result<Vec<AstNode>> {
        let lanes = i64::from(self.plan.lanes);
        let all = |inner: &State| {
            let state = State { columns: vectors * lanes, last: true, ..inner.clone() };
            self.tile(self.column() - 1, self.size_of(self.column() - 1)?, &state, &|inner| self.jam(inner))
        };
        if vectors <= 1 {
            return all(state);
        }
        let more = self.has_column((vectors - 1) * lanes, state)?;
        self.choice(state, &more, &all, &|inner| self.last_columns(vectors - 1, inner))
    }

    /// Rows over `[1 | N | V]` one of which fails where no column is left so many behind the first of the tile, nor further on.
    fn has_column(&self, behind: i64, state: &State) -> Result<Vec<Constraint>> {
        let place = state.context.space();
        let first = self.base(self.column(), state)?.offset(behind)?;
        let mut out = Vec::new();
        for row in self.shadow(state, &[self.column()])?.0.constraints() {
            for form in halves(row)?.into_iter().filter(|f| f.dim_coeff(place.dims) < 0) {
                let own = Affine::from_coeffs(place, form.coeffs()[..place.columns()].to_vec());
                out.push(Constraint::ge(own.combine(1, &first, form.dim_coeff(place.dims))?));
            }
        }
        reduce(&out, &state.context, self.maker.budget)
    }

    /// Rows at the end of the domain: a few together where that can be, and one by one.
    fn fewer_rows(&self, state: &State) -> Result<Vec<AstNode>> {
        let row = self.column() - 1;
        let all = self.plan.rows.last().copied().unwrap_or(1);
        let fewer = |vectors: i64| fewer_rows(all, vectors);
        let sizes: Vec<i64> = match (self.plan.corners.first(), &self.buffers) {
            // So little is in the corner of both ends that two kernels do.
            _ if state.last => fewer(1).take(usize::from(self.buffers.is_none())).collect(),
            // Ends of triangles are short; and rows may be lanes of corners elsewhere.
            (corner, _) if self.has_others() || corner.is_some_and(|corner| corner.member == row) => {
                fewer(1).filter(|few| *few == SMALL).collect()
            }
            // Where operands are copied there are so many rows that pairs suffice.
            (_, Some(_)) => fewer(1).filter(|few| *few < SMALL).collect(),
            (_, None) => fewer(self.plan.columns / i64::from(self.plan.lanes)).collect(),
        };
        self.rows_by(&sizes, state)
    }

    /// So many rows at a time, then of those that are left fewer.
    fn rows_by(&self, sizes: &[i64], state: &State) -> Result<Vec<AstNode>> {
        let Some((&size, smaller)) = sizes.split_first() else {
            return self.step(Step::Row(self.first_row()), state, Rows::Plain);
        };
        let rows: Vec<usize> = (self.first_row()..self.column()).collect();
        self.tiles_where((self.column() - 1, size, false), &[], state, &|inner| {
            let corners = self.corners(inner, &rows)?;
            self.choice(inner, &corners, &|inner| self.full_columns(inner, Rows::Jammed), &|inner| {
                self.rows_by(smaller, inner)
            })
        })
    }

    /// Columns: all of the box, or with masks.
    pub(super) fn full_columns(&self, state: &State, rows: Rows) -> Result<Vec<AstNode>> {
        let depth = |inner: &State| self.step(Step::Depth(self.plan.outer), inner, rows);
        if state.last {
            // Columns that are left may be all that there are: then rows decide whether cells are held.
            let own: Vec<usize> = (self.first_row()..self.column()).collect();
            let whole = if self.may_hold(rows) { self.uncut(state, &own)? } else { Vec::new() };
            return self.choice(state, &whole, &depth, &depth);
        }
        let corners = self.corners(state, &[self.column()])?;
        self.choice(state, &corners, &|inner| self.whole_tile(inner, rows), &|inner| match rows {
            Rows::Jammed => self.last_whole_columns(inner),
            Rows::Plain => depth(inner),
        })
    }

    /// Are there squares of cells in whole boxes of columns, and nothing else?
    fn ends_in_boxes(&self) -> bool {
        let plan = self.plan;
        let is_plain = plan.rows.is_empty() && plan.steps > 1 && !plan.scattered && !plan.reversed;
        is_plain && self.buffers.is_none() && !self.has_others()
    }

    /// Columns at the end of the domain, where squares of cells are loaded by rows: without masks for that, as boxes that begin before their tile. Of what has run before nothing is stored.
    fn last_whole_columns(&self, state: &State) -> Result<Vec<AstNode>> {
        let fewer = |inner: &State| self.fewer_columns(&State { few: true, ..inner.clone() });
        let tile = state.tiles.iter().rev().find(|t| t.member == self.column());
        let Some(tile) = tile.filter(|_| self.ends_in_boxes()) else {
            return self.fewer_columns(state);
        };
        let (at, lanes) = (state.context.space().dims, i64::from(self.plan.lanes));
        let of_tile =
            |form: &Affine| (0..at).any(|d| form.dim_coeff(d) != 0 && state.here(&tile.value).dim_coeff(d) != 0);
        let shadow = self.shadow(state, &[self.column()])?.0;
        let rows = shadow.constraints().iter().filter(|row| !of_tile(&row.expr)).cloned().collect();
        let domain = Polyhedron::new(shadow.space(), rows);
        let base = self.base(self.column(), state)?;
        let Some((first, mut room)) = last_box(&domain, at, state.columns)? else { return self.fewer_columns(state) };
        // The tile may not be at the end, but where the domain begins.
        room.push(base.sub(&first)?);
        let room: Vec<Constraint> = room.into_iter().map(Constraint::ge).collect();
        let from = |inner: &State, columns: i64, first: Affine| {
            let boxed = State { columns, first: Some(first), ..inner.clone() };
            self.step(Step::Depth(self.plan.outer), &boxed, Rows::Jammed)
        };
        let all = |inner: &State| from(inner, state.columns, inner.here(&first));
        let last = |inner: &State| {
            if state.columns != 2 * lanes {
                return all(inner);
            }
            // Where one vector holds what is left.
            let second = inner.here(&first.offset(lanes)?);
            let few = Constraint::ge(second.sub(&inner.here(&base))?.scale(-1)?);
            self.choice(inner, &[few], &|inner| from(inner, lanes, inner.here(&second)), &all)
        };
        self.choice(state, &room, &last, &fewer)
    }

    /// All of the box, in two ways where one needs no masks and that gains much: where operands are put together cell by cell, since with masks that takes several times as long; and where there are sums
    /// over several loops of which rows or columns have only a part at the ends of the domain, since cells are held over all of these loops where none of them is cut.
    fn whole_tile(&self, state: &State, rows: Rows) -> Result<Vec<AstNode>> {
        let depth = |inner: &State| self.step(Step::Depth(self.plan.outer), inner, rows);
        if rows == Rows::Plain || self.buffers.is_some() {
            return depth(state);
        }
        let both: Vec<usize> = (self.first_row()..=self.column()).collect();
        let mut whole = if self.plan.scattered { self.corners(state, &both)? } else { Vec::new() };
        if self.may_hold(rows) {
            whole.extend(self.uncut(state, &both)?);
        }
        self.choice(state, &whole, &depth, &depth)
    }

    /// Are cells held over several loops of a sum, unless some of these are cut?
    fn may_hold(&self, rows: Rows) -> bool {
        rows == Rows::Jammed && self.buffers.is_none() && self.first_row() > self.plan.outer + 1
    }

    /// Rows over `[1 | N | V]` that keep every depth member from being cut, wherever it is between bounds that the tile has no part in.
    fn uncut(&self, state: &State, jammed: &[usize]) -> Result<Vec<Constraint>> {
        let at = state.context.space().dims;
        let of_tile = |d: usize| {
            let mut own = state.tiles.iter().filter(|t| jammed.contains(&t.member));
            own.any(|t| t.value.dim_coeffs().get(d).is_some_and(|c| *c != 0))
        };
        let mut out = Vec::new();
        for member in self.plan.outer..self.first_row() {
            let bounds = self.shadow(state, &[member])?.0;
            let bounds = bounds.constraints().iter().map(halves).collect::<Result<Vec<_>>>()?.concat();
            for core in self.core(member, state, jammed)? {
                let c = core.expr.dim_coeff(at);
                let limits = |bound: &&Affine| bound.dim_coeff(at) == c.signum();
                let is_free = |bound: &&Affine| (0..at).all(|d| bound.dim_coeff(d) == 0 || !of_tile(d));
                for bound in bounds.iter().filter(limits).filter(is_free) {
                    out.push(Constraint::ge(drop_last(&core.expr.combine(1, bound, -c.abs())?)));
                }
            }
        }
        Ok(out)
    }

    /// Columns at the end of the domain, with masks: vector by vector, or all of the box where that is as few vectors as take no longer than one.
    fn fewer_columns(&self, state: &State) -> Result<Vec<AstNode>> {
        let depth = |inner: &State| self.step(Step::Depth(self.plan.outer), inner, Rows::Jammed);
        let lanes = i64::from(self.plan.lanes);
        if self.has_others() {
            return self.few_vectors(1, state);
        }
        let mut vectors = state.columns / lanes;
        for row in self.first_row()..self.column() {
            vectors = vectors.saturating_mul(self.box_size(row, state)?);
        }
        if state.columns == lanes || vectors <= AT_ONCE {
            return depth(state);
        }
        self.tiles_where((self.column(), lanes, false), &[], state, &|inner| {
            depth(&State { columns: lanes, ..inner.clone() })
        })
    }

    /// The same where the end is mostly a triangle's: as few vectors as hold the columns that are left, where that is one, or two of three, or all.
    fn few_vectors(&self, vectors: i64, state: &State) -> Result<Vec<AstNode>> {
        let depth = |inner: &State| self.step(Step::Depth(self.plan.outer), inner, Rows::Jammed);
        let columns = vectors * i64::from(self.plan.lanes);
        if columns >= state.columns {
            return depth(state);
        }
        let place = state.context.space();
        let mut upper = Vec::new();
        for row in self.shadow(state, &[self.column()])?.0.constraints() {
            upper.extend(halves(row)?.into_iter().filter(|f| f.dim_coeff(place.dims) < 0));
        }
        let beyond = self.base(self.column(), state)?.offset(columns)?;
        // The row that bounds the columns by something else than the tile says that the first column behind the box is none.
        let mut ends = Vec::new();
        for form in upper {
            let own = Affine::from_coeffs(place, form.coeffs()[..place.columns()].to_vec());
            ends.push(negated(&own.combine(1, &beyond, form.dim_coeff(place.dims))?)?);
        }
        let mut possible = Vec::new();
        for end in ends {
            if !with(&state.context, &end).is_empty(self.maker.budget)? {
                possible.push(end);
            }
        }
        let [end] = possible.as_slice() else { return depth(state) };
        let few = |inner: &State| depth(&State { columns, ..inner.clone() });
        let are_three = state.columns == columns + 2 * i64::from(self.plan.lanes);
        let more = |inner: &State| if are_three { self.few_vectors(vectors + 1, inner) } else { depth(inner) };
        self.choice(state, std::slice::from_ref(end), &few, &more)
    }

    /// Rows over `[1 | N | V]`: the box of these members lies in the shadow on them.
    pub(super) fn corners(&self, state: &State, members: &[usize]) -> Result<Vec<Constraint>> {
        self.corners_in(&self.shadow(state, members)?.0, state, members)
    }

    /// The same in a set over `[1 | N | V x]`, `x` the times of the members.
    pub(super) fn corners_in(&self, set: &Polyhedron, state: &State, members: &[usize]) -> Result<Vec<Constraint>> {
        let mut out = Vec::new();
        for row in set.constraints() {
            for form in halves(row)? {
                if form.dim_coeffs()[state.context.space().dims..].iter().any(|c| *c != 0) {
                    out.push(Constraint::ge(self.worst(state, &form, members)?));
                }
            }
        }
        Ok(out)
    }
}
