//! Operands in scratch memory: where their cells go, and the loops that copy them.
//!
//! The points of a copy are those of the statement's shadow on the members that the operand depends on, inside of the tile loops around the copy. A cell's place is a
//! number whose digits are the tiles inside of the copy, outermost first, then the points within the innermost tiles; so the micro-kernel walks through
//! memory in order. Example: for `B[k][j]`, copied inside tiles of 8 columns and 3 of the depth, with tiles of 4 columns inside, the digits are the tile of 4 (2 values), `k`
//! (3 values), the column within the tile (4 values). Rows may have more places than a tile has points: their last digit has as many values, and what is in places without a point nobody uses.

use super::{Blocked, Entered, State, Tie, equal, within};
use crate::ast::{AstNode, Buffer, BufferId, Call, Expr, For, LoopKind, LoopVar, Pack, Place};
use crate::generate::scan::{Range, Spec, scan};
use crate::generate::{Active, leaf};
use crate::sets::{condition, drop_last, reduce, widen, widen_expr};
use polyhedra::{Affine, Constraint, Polyhedron, Space};
use scheduler::kernel::PackPlan;
use scheduler::scop::{AccessId, ArrayId};
use scheduler::{Error, Result};

/// Rows that are copied in vectors are at least so many: squares of cells are transposed in registers.
const SQUARE: u32 = 4;

/// What runs in a loop of a copy: the place, the points, the value of the loop's variable.
type Inside<'a> = dyn Fn(&State, &Polyhedron, &Affine) -> Result<Vec<AstNode>> + 'a;

impl Blocked<'_> {
    /// Scratch memory for each pack; `None` when a size is missing or some copy could read what the source does not.
    pub(super) fn buffers(&self) -> Result<Option<Vec<BufferId>>> {
        let mut out = Vec::new();
        for pack in &self.plan.packs {
            let mut cells: u64 = 1;
            for &m in &pack.members {
                let entered = self.plan.tiles[..pack.depth].iter().rev().find(|t| t.member == m);
                let size = entered.and_then(|t| self.places(pack, m, t.size)).and_then(|s| u64::try_from(s).ok());
                let Some(all) = size.and_then(|s| cells.checked_mul(s)) else { return Ok(None) };
                cells = all;
            }
            let statement = self.maker.statement(self.id)?;
            let access = statement.accesses.get(pack.access.0);
            let access = access.ok_or_else(|| Error::Malformed("an access that is not there".into()))?;
            // A copy would not see what the nest stores.
            if self.members[0].rows.len() > 1
                || !access.is_plain()
                || access.kind.writes()
                || access.array == statement.write().array
            {
                return Ok(None);
            }
            out.push(self.maker.buffer(Buffer { array: access.array, cells, mirror: None }));
        }
        Ok(Some(out))
    }

    /// How many places so many points of a member take, whole tiles.
    fn places(&self, pack: &PackPlan, member: usize, points: i64) -> Option<i64> {
        match pack.places.filter(|_| pack.members.last() == Some(&member)) {
            None => Some(points),
            Some(places) => (points / self.plan.register_size(member)?).checked_mul(places),
        }
    }

    /// Copies that are made inside `depth` tile loops.
    pub(super) fn copies(&self, depth: usize, state: &State) -> Result<Vec<AstNode>> {
        let Some(buffers) = &self.buffers else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        for (pack, buffer) in self.plan.packs.iter().zip(buffers) {
            if pack.depth == depth {
                out.extend(self.copy(pack, *buffer, state)?);
            }
        }
        Ok(out)
    }

    /// The loops of one copy.
    fn copy(&self, pack: &PackPlan, buffer: BufferId, state: &State) -> Result<Vec<AstNode>> {
        let (shadow, exact) = self.shadow(state, &pack.members)?;
        if !exact {
            return Err(Error::Malformed("a copy that might read too much".into()));
        }
        // From here on the "statement" is a point of the shadow: its iterators are the times of the pack's members.
        let copy = Copy { owner: self, pack, buffer, deeper: self.deeper_tiles(pack), line: None };
        copy.tile(0, state, &shadow)
    }

    /// Tile loops inside a copy: of its members, inside its depth.
    fn deeper_tiles(&self, pack: &PackPlan) -> Vec<(usize, i64)> {
        let inner = self.plan.tiles[pack.depth..].iter();
        inner.filter(|t| pack.members.contains(&t.member)).map(|t| (t.member, t.size)).collect()
    }

    /// Where in its buffer the cell of the current point lies: tile numbers first, then points, each as a digit.
    fn index(&self, pack: &PackPlan, state: &State) -> Result<Affine> {
        let place = state.context.space();
        let mut index = Affine::zero(place);
        let mut digit = |value: Affine, range: i64| -> Result<()> {
            index = index.scale(range)?.add(&value)?;
            Ok(())
        };
        // The tile around, by member: first those of the copy's depth, then deeper and deeper ones.
        let outside = &state.tiles[..pack.depth.min(state.tiles.len())];
        let mut around: Vec<(usize, i64, Affine)> = Vec::new();
        for &m in &pack.members {
            let tile = outside.iter().rev().find(|t| t.member == m);
            let tile = tile.ok_or_else(|| Error::Malformed("a copy outside of its tiles".into()))?;
            around.push((m, tile.size, state.here(&tile.value)));
        }
        for tile in state.tiles.iter().skip(outside.len()).filter(|tile| tile.planned) {
            let Some(own) = around.iter_mut().find(|a| a.0 == tile.member) else { continue };
            let ratio = own.1 / tile.size;
            let value = state.here(&tile.value);
            digit(value.combine(1, &own.2, -ratio)?, ratio)?;
            (own.1, own.2) = (tile.size, value);
        }
        for (m, size, value) in around {
            let time =
                state.times[m].as_ref().ok_or_else(|| Error::Malformed("a copy outside of its points".into()))?;
            let within = state.here(time).combine(1, &value, -size)?;
            let reversed = self.plan.reversed && m == self.column();
            let places = self.places(pack, m, size).ok_or(Error::Sets(polyhedra::Error::Overflow))?;
            digit(if reversed { within.scale(-1)?.offset(size - 1)? } else { within }, places)?;
        }
        Ok(index)
    }

    /// The array of a read and the subscripts of its cell at the times of this place; `None` where these do not say.
    pub(super) fn cell_at(&self, access: AccessId, state: &State) -> Result<Option<(ArrayId, Vec<Affine>)>> {
        let Some((array, subscripts)) = self.cell_by_times(access, state)? else { return Ok(None) };
        let (place, count) = (state.context.space(), self.members.len());
        let around = subscripts.first().map_or(0, |e| e.space().dims - count);
        let mut values: Vec<Affine> = (0..around).map(|d| Affine::dim(place, d)).collect();
        for time in &state.times {
            values.push(time.as_ref().map_or_else(|| Affine::zero(place), |t| state.here(t)));
        }
        let mut out = Vec::new();
        for e in &subscripts {
            if (0..count).any(|m| e.dim_coeff(around + m) != 0 && state.times[m].is_none()) {
                return Ok(None);
            }
            out.push(e.compose(&values, place)?);
        }
        Ok(Some((array, out)))
    }

    /// The array of a read and the subscripts of its cell, over `[1 | N | V x]`: the variables of loops around, the times of the band's members; `None` where these do not say.
    pub(super) fn cell_by_times(&self, access: AccessId, state: &State) -> Result<Option<(ArrayId, Vec<Affine>)>> {
        let statement = self.maker.statement(self.id)?;
        let access = statement.accesses.get(access.0);
        let access = access.ok_or_else(|| Error::Malformed("an access that is not there".into()))?;
        // `i` from the loops around the band and the times of all its members; those on which the subscripts do not depend may be anything.
        let Some(main) = self.main(state) else { return Ok(None) };
        let (count, old) = (self.members.len(), main.relation.space());
        let around = old.dims - statement.space().dims;
        let all = Space::new(old.params, around + count);
        let map: Vec<usize> = (0..old.dims).map(|d| if d < around { d } else { d + count }).collect();
        let mut ties = main.relation.embed(Space::new(old.params, old.dims + count), &map);
        for m in 0..count {
            let row = self.maker.row(main, self.row_of(m, self.id)?, count)?;
            ties.add(Constraint::eq(row.sub(&Affine::dim(row.space(), around + m))?));
        }
        let Some(iterators) = leaf::iterators(&ties, all)? else { return Ok(None) };
        let subscripts = access.subscripts.iter().map(|e| Ok(e.compose(&iterators, all)?));
        Ok(Some((access.array, subscripts.collect::<Result<_>>()?)))
    }

    /// Statement instances with their packed operands.
    pub(super) fn with_packed(&self, nodes: Vec<AstNode>, state: &State) -> Result<Vec<AstNode>> {
        let Some(buffers) = &self.buffers else { return Ok(nodes) };
        let mut packed = Vec::new();
        for (pack, buffer) in self.plan.packs.iter().zip(buffers) {
            packed.push((pack.access, Place { buffer: *buffer, index: self.index(pack, state)? }));
        }
        Ok(nodes.into_iter().map(|n| fed(n, &|call| Call { packed: packed.clone(), ..call })).collect())
    }
}

/// Is there a loop over rows?
fn has_rows(nodes: &[AstNode]) -> bool {
    nodes.iter().any(|node| match node {
        AstNode::For(f) => matches!(f.kind, LoopKind::Rows { .. }) || has_rows(&f.body),
        AstNode::If { then, otherwise, .. } => has_rows(then) || has_rows(otherwise),
        _ => false,
    })
}

/// A statement instance, under whatever conditions, with its operands.
pub(super) fn fed(node: AstNode, operands: &impl Fn(Call) -> Call) -> AstNode {
    match node {
        AstNode::Call(call) => AstNode::Call(operands(call)),
        AstNode::If { conditions, then, otherwise } => AstNode::If {
            conditions,
            then: then.into_iter().map(|n| fed(n, operands)).collect(),
            otherwise: otherwise.into_iter().map(|n| fed(n, operands)).collect(),
        },
        other => other,
    }
}

/// Loops that copy one operand: tiles, then points.
pub(super) struct Copy<'a> {
    pub(super) owner: &'a Blocked<'a>,
    pub(super) pack: &'a PackPlan,
    pub(super) buffer: BufferId,
    pub(super) deeper: Vec<(usize, i64)>,
    /// Places are those of a mirror, with lines of neighbours along the pack's last member.
    pub(super) line: Option<Line>,
}

/// How cells lie in a mirror.
#[derive(Clone, Copy)]
pub(super) struct Line {
    /// Cells that are copied together.
    pub(super) cells: i64,
    /// Cells from one row to the next.
    pub(super) row: i64,
}

impl Copy<'_> {
    /// `set`: the points, over `[1 | N | V x]`, `x` the times of the pack's members.
    pub(super) fn tile(&self, at: usize, state: &State, set: &Polyhedron) -> Result<Vec<AstNode>> {
        let Some(&(member, size)) = self.deeper.get(at) else { return self.points(state, set) };
        let tie = |row: &Affine, t: &Affine| within(row, t, size);
        self.looped(member, &tie, LoopKind::Tile, state, set, &|inner, set, value| {
            let mut next = inner.clone();
            next.tiles.push(Entered { member, size, value: value.clone(), planned: true });
            self.tile(at + 1, &next, set)
        })
    }

    /// The points of an innermost tile. Where neighbours in the copy are rows, or cells that are apart, a tile that has all of them has loops of its own, without masks.
    fn points(&self, state: &State, set: &Polyhedron) -> Result<Vec<AstNode>> {
        let plain = |inner: &State| self.point(0, inner, set);
        let Some(member) = self.split_for() else { return plain(state) };
        let depth = state.context.space().dims;
        let others: Vec<usize> = (depth..set.space().dims - 1).collect();
        let shadow = set.project_out(&others, self.owner.maker.budget)?.set.simplify(self.owner.maker.budget)?;
        let corners = self.owner.corners_in(&shadow, state, &[member])?;
        let nodes = self.owner.choice(state, &corners, &plain, &plain)?;
        match nodes.as_slice() {
            [AstNode::If { then, .. }] if has_rows(then) => plain(state),
            _ => Ok(nodes),
        }
    }

    /// The member whose points are neighbours in the copy, if it is one of rows, or their cells may be apart.
    fn split_for(&self) -> Option<usize> {
        let (owner, member) = (self.owner, self.pack.members.last().copied());
        member.filter(|_| self.line.is_none()).filter(|m| {
            (owner.first_row()..owner.column()).contains(m) || (*m == owner.column() && owner.plan.scattered)
        })
    }

    /// Lanes of vectors along the member, which is the last one and jammed.
    fn lanes(&self, member: usize, most: i64) -> Option<u32> {
        let plan = self.owner.plan;
        if member == self.owner.column() {
            return Some(plan.lanes);
        }
        let square = 1_u32.checked_shl(most.trailing_zeros())?.min(plan.lanes);
        (square >= SQUARE).then_some(square)
    }

    /// Lanes along all places, where there are more of them than points: those without a point are masked.
    fn padded_lanes(&self) -> Option<(i64, u32)> {
        let places = self.pack.places?;
        self.lanes(*self.pack.members.last()?, places).map(|lanes| (places, lanes))
    }

    /// The cells of all rows of a tile one by one; `None` where not all of them may be copied.
    fn all_rows(&self, member: usize, most: i64, state: &State, set: &Polyhedron) -> Result<Option<Vec<AstNode>>> {
        let base = self.owner.base(member, state)?;
        let mut out = Vec::new();
        if self.owner.box_size(member, state)? != most {
            return Ok(None);
        }
        for row in (0..most).rev() {
            let mut next = state.clone();
            next.times[member] = Some(base.offset(row)?);
            let cell = self.cell(&next, set)?;
            if !matches!(cell[..], [AstNode::Pack(_)]) {
                return Ok(None);
            }
            out.extend(cell);
        }
        out.reverse();
        Ok(Some(out))
    }

    fn point(&self, at: usize, state: &State, set: &Polyhedron) -> Result<Vec<AstNode>> {
        let owner = self.owner;
        let Some(&member) = self.pack.members.get(at) else { return self.cell(state, set) };
        let next = |inner: &State, set: &Polyhedron, value: &Affine| {
            let mut next = inner.clone();
            next.times[member] = Some(value.clone());
            self.point(at + 1, &next, set)
        };
        let is_line = self.line.is_some() && at + 1 == self.pack.members.len();
        if !is_line && (member < owner.first_row() || at + 1 < self.pack.members.len()) {
            return self.looped(member, &equal, LoopKind::Point, state, set, &next);
        }
        let most = match self.line {
            Some(line) => line.cells,
            None => owner.size_of(member)?,
        };
        let (most, width) = match (self.lanes(member, most), self.padded_lanes()) {
            _ if self.line.is_some() => (most, owner.plan.lanes),
            (Some(width), None) => (most, width),
            (_, padded) => match (self.all_rows(member, most, state, set)?, padded) {
                (Some(_), Some(padded)) => padded,
                (Some(all), None) => return Ok(all),
                (None, _) => {
                    return self.looped(member, &equal, LoopKind::Rows { most, last: false }, state, set, &next);
                }
            },
        };
        // All of the box: what lies outside of the set is masked.
        let depth = state.context.space().dims;
        let base = owner.base(member, state)?;
        let time = |row: &Affine, at: &Affine| {
            let base = widen_expr(&base, row.space().dims - depth);
            equal(row, &owner.in_order(member, &base, most, at)?)
        };
        let set = self.opened(member, &time, state, set)?;
        let mut context = widen(&state.context, 1);
        let at = Affine::dim(context.space(), depth);
        let t = owner.in_order(member, &widen_expr(&base, 1), most, &at)?;
        let from_base = at.sub(&widen_expr(&base, 1))?;
        context.add(Constraint::ge(from_base.clone()));
        context.add(Constraint::ge(from_base.scale(-1)?.offset(most - 1)?));
        let inner = State { context, ..state.clone() };
        let body = next(&inner, &set, &t)?;
        let (lower, upper) = (Expr::Affine(base.clone()), Expr::Affine(base.offset(most - 1)?));
        let kind = LoopKind::Columns { most, width, last: false };
        let mut out =
            vec![AstNode::For(For { var: LoopVar(depth), lower, upper, step: 1, parallel: true, kind, body })];
        if self.pack.fetches {
            out.extend(owner.fetched_columns(self.pack.access, &base.offset(most)?, state)?);
        }
        Ok(out)
    }

    /// The set with one more variable, tied to the time of a member.
    fn opened(&self, member: usize, tie: &Tie<'_>, state: &State, set: &Polyhedron) -> Result<Polyhedron> {
        let depth = state.context.space().dims;
        let old = set.space();
        let space = Space::new(old.params, old.dims + 1);
        let map: Vec<usize> = (0..old.dims).map(|d| if d < depth { d } else { d + 1 }).collect();
        let mut wide = set.embed(space, &map);
        let at = self.pack.members.iter().position(|m| *m == member);
        let at = at.ok_or_else(|| Error::Malformed("a copy's member".into()))?;
        for c in tie(&Affine::dim(space, depth + 1 + at), &Affine::dim(space, depth))? {
            wide.add(c);
        }
        Ok(wide)
    }

    fn looped(
        &self,
        member: usize,
        tie: &Tie<'_>,
        kind: LoopKind,
        state: &State,
        set: &Polyhedron,
        body: &Inside<'_>,
    ) -> Result<Vec<AstNode>> {
        let owner = self.owner;
        let depth = state.context.space().dims;
        let wide = self.opened(member, tie, state, set)?;
        let iterators: Vec<usize> = (depth + 1..wide.space().dims).collect();
        let shadow = wide.project_out(&iterators, owner.maker.budget)?.set.simplify(owner.maker.budget)?;
        // What the bounds of the loop do not say must hold all the same: where lanes do not run zeros are stored, and they must be in the buffer, too.
        let outer = shadow.constraints().iter().filter(|row| row.expr.dim_coeff(depth) == 0);
        let outer: Vec<_> = outer.map(|row| Constraint { kind: row.kind, expr: drop_last(&row.expr) }).collect();
        let guard = reduce(&outer, &state.context, owner.maker.budget)?;
        let mut guarded = state.clone();
        guard.iter().for_each(|row| guarded.context.add(row.clone()));
        let range = Range { active: Active { id: owner.id, relation: wide }, shadow };
        let spec = Spec { kind, parallel: true, separate: false };
        let nodes = scan(owner.maker, spec, &[range], &guarded.context, &|actives, inner, value| {
            let Some(active) = actives.first() else { return Ok(Vec::new()) };
            let next = State { context: inner.clone(), ..guarded.clone() };
            body(&next, &active.relation, value)
        })?;
        if guard.is_empty() || nodes.is_empty() {
            return Ok(nodes);
        }
        let conditions = guard.iter().map(condition).collect::<Result<_>>()?;
        Ok(vec![AstNode::If { conditions, then: nodes, otherwise: Vec::new() }])
    }

    /// The copy of one cell, guarded by what the loops do not say.
    fn cell(&self, state: &State, set: &Polyhedron) -> Result<Vec<AstNode>> {
        let owner = self.owner;
        let place = state.context.space();
        let mut map: Vec<Affine> = (0..place.dims).map(|d| Affine::dim(place, d)).collect();
        let mut times = Vec::new();
        for &m in &self.pack.members {
            let time =
                state.times[m].as_ref().ok_or_else(|| Error::Malformed("a copy outside of its points".into()))?;
            times.push(state.here(time));
        }
        map.extend(times);
        let rows = set.preimage(&map, place)?;
        let guard = reduce(rows.constraints(), &state.context, owner.maker.budget)?;
        let unknown = || Error::Malformed("a copy whose loops do not say what is copied".into());
        let (array, subscripts) = owner.cell_at(self.pack.access, state)?.ok_or_else(unknown)?;
        let index = match self.line {
            Some(line) => owner.place_in_line(self.pack, line.row, state)?,
            None => owner.index(self.pack, state)?,
        };
        let to = Place { buffer: self.buffer, index };
        let node = AstNode::Pack(Pack { to, array, subscripts, lanes: None });
        if guard.is_empty() {
            return Ok(vec![node]);
        }
        let conditions = guard.iter().map(condition).collect::<Result<_>>()?;
        Ok(vec![AstNode::If { conditions, then: vec![node], otherwise: Vec::new() }])
    }
}
