//! Rows and columns: whole boxes under a condition, and what is left at the end of the domain.

use super::{Blocked, Rows, State, Step, with};
use crate::ast::AstNode;
use crate::sets::{halves, negated};
use polyhedra::{Affine, Constraint, Polyhedron};
use scheduler::Result;

/// Rows that run together where there are fewer than the plan wants.
const FEWER_ROWS: i64 = 2;

impl Blocked<'_> {
    /// Are there other statements in the band? Then domains mostly end in triangles.
    fn has_others(&self) -> bool {
        self.members.first().is_some_and(|m| m.rows.len() > 1)
    }

    /// Rows: all of the box, or fewer.
    pub(super) fn jam(&self, state: &State) -> Result<Vec<AstNode>> {
        if state.actives.len() > 1 {
            return self.together(state);
        }
        let rows: Vec<usize> = (self.first_row()..self.column()).collect();
        let corners = self.corners(state, &rows)?;
        self.choice(state, &corners, &|inner| self.full_columns(inner, Rows::Jammed), &|inner| self.fewer_rows(inner))
    }

    /// Rows at the end of the domain: by pairs where that can be, and one by one.
    fn fewer_rows(&self, state: &State) -> Result<Vec<AstNode>> {
        let plain = |inner: &State| self.step(Step::Row(self.first_row()), inner, Rows::Plain);
        let row = self.column() - 1;
        let rows: Vec<usize> = (self.first_row()..self.column()).collect();
        let pairs = matches!(self.plan.rows[..], [.., size] if size > FEWER_ROWS && size % FEWER_ROWS == 0);
        // Where operands are copied for one loop of rows, it has so many that the last few take no time.
        if !pairs || self.has_others() || (self.buffers.is_some() && rows.len() == 1) {
            return plain(state);
        }
        self.tile(row, FEWER_ROWS, state, &|inner| {
            let corners = self.corners(inner, &rows)?;
            self.choice(inner, &corners, &|inner| self.full_columns(inner, Rows::Jammed), &plain)
        })
    }

    /// Columns: all of the box, or with masks.
    pub(super) fn full_columns(&self, state: &State, rows: Rows) -> Result<Vec<AstNode>> {
        let corners = self.corners(state, &[self.column()])?;
        let depth = |inner: &State| self.step(Step::Depth(self.plan.outer), inner, rows);
        self.choice(state, &corners, &|inner| self.whole_tile(inner, rows), &|inner| match rows {
            Rows::Jammed => self.fewer_columns(inner),
            Rows::Plain => depth(inner),
        })
    }

    /// All of the box, in two ways where bounds of columns depend on rows and operands are put together cell by cell: without masks where none is needed, since with masks that takes
    /// several times as long.
    fn whole_tile(&self, state: &State, rows: Rows) -> Result<Vec<AstNode>> {
        let depth = |whole: bool| {
            move |inner: &State| self.step(Step::Depth(self.plan.outer), &State { whole, ..inner.clone() }, rows)
        };
        if rows == Rows::Plain || self.buffers.is_some() || !self.plan.narrow_in_place {
            return depth(false)(state);
        }
        let both: Vec<usize> = (self.first_row()..=self.column()).collect();
        let corners = self.corners(state, &both)?;
        self.choice(state, &corners, &depth(true), &depth(false))
    }

    /// Columns at the end of the domain, with masks: vector by vector.
    fn fewer_columns(&self, state: &State) -> Result<Vec<AstNode>> {
        let depth = |inner: &State| self.step(Step::Depth(self.plan.outer), inner, Rows::Jammed);
        let lanes = i64::from(self.plan.lanes);
        if self.has_others() {
            return self.one_vector(state);
        }
        if state.columns == lanes {
            return depth(state);
        }
        self.tile(self.column(), lanes, state, &|inner| depth(&State { columns: lanes, ..inner.clone() }))
    }

    /// The same where the end is mostly a triangle's: one vector if that holds the columns that are left, or all.
    fn one_vector(&self, state: &State) -> Result<Vec<AstNode>> {
        let depth = |inner: &State| self.step(Step::Depth(self.plan.outer), inner, Rows::Jammed);
        let columns = i64::from(self.plan.lanes);
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
        if columns >= state.columns {
            return depth(state);
        }
        self.choice(state, std::slice::from_ref(end), &|inner| depth(&State { columns, ..inner.clone() }), &depth)
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
