//! The loops of a band that is blocked for registers and caches ([`scheduler::kernel`]).
//!
//! # Problem
//! Around the micro-kernel `for depth { for row { for column { statement } } }` stand tile loops of several levels; the two inner loops must run over boxes of
//! constant size wherever the domain allows it, with what is left of the domain's shape where [`crate::jam`] can deal with it.
//!
//! # Method
//! * Tile loops as in `tiles`, in the order of the plan. Inside the given number of them, operands are copied to scratch memory: the points are those of the
//!   statement's shadow on the members that the operand depends on, which must be exact, so that nothing is read that the source does not read.
//!   Where sizes are too small for copies the same kernel runs on the operands as they are; if one condition says which these are, tile loops for caches are gone there, and plain loops
//!   are for memory that was refused.
//! * *Rows*: a condition says that the box of the rows lies in the shadow on the rows' times; where it does not, a loop over a few rows each does what it can, and what is left
//!   becomes a plain loop outside of the depth.
//! * *Columns*: a condition says that the box of the columns lies inside the bounds that depend on nothing else; where it does not, boxes of as many vectors as there are columns left, or a loop over
//!   boxes of one vector, do what is left. There, or where bounds depend on the row (`j <= i`), the guard of the statement stays inside the column loop, which runs over the whole box: it
//!   becomes a mask. Where the tile's rows are looped over inside of its columns, so are those of each of these boxes.
//! * *Depth*: bounds that couple it with rows or columns (`k <= i`) cut its loop in pieces: in the middle all of the box runs, in the others guards are left.
//!
//! # Worked example
//! Triangular product `C[i][j] += A[i][k] B[k][j], k <= i`, 8 rows `8 t .. 8 t + 7`: the row `i - k >= 0` is worst at `i = 8 t`, so the middle is `k <= 8 t`, and
//! `8 t + 1 <= k <= 8 t + 7` comes after it, guarded.

mod boxes;
mod corner;
mod depth;
mod fetching;
mod mirrors;
mod packing;
mod worth;

use super::scan::{Range, Spec, restricted, scan};
use super::{Active, Maker, leaf};
use crate::ast::{AstNode, BufferId, Expr, For, LoopKind, LoopVar, Scratch};
use crate::sets::{condition, drop_last, halves, negated, reduce, widen, widen_expr};
use mirrors::Mirrored;
use polyhedra::{Affine, Constraint, Kind, Polyhedron, Space};
use scheduler::kernel::{Blocking, Enough};
use scheduler::scop::StatementId;
use scheduler::tree::{Member, Node};
use scheduler::{Error, Result};
use std::cell::Cell;

/// A band to be blocked.
pub(super) struct Blocked<'a> {
    maker: &'a Maker<'a>,
    members: &'a [Member],
    /// What runs at each point.
    child: &'a Node,
    /// The statement of the micro-kernel.
    id: StatementId,
    plan: &'a Blocking,
    /// One scratch buffer for each of the plan's packs; `None`: nothing is packed.
    buffers: Option<Vec<BufferId>>,
    /// Those of the plan that are kept.
    mirrors: Vec<Mirrored>,
    /// Rows over the variables outside that hold where it pays to ask for cells ahead.
    fetching: Vec<Constraint>,
}

/// A tile loop that we are in: its value is over the variables around it.
#[derive(Clone)]
struct Entered {
    member: usize,
    size: i64,
    value: Affine,
    /// One of the plan's. Smaller ones at the end of the domain change no place of what is copied.
    planned: bool,
}

/// A place in the loops.
#[derive(Clone)]
struct State {
    actives: Vec<Active>,
    context: Polyhedron,
    /// Those of the plan in their order, and smaller ones at the end of the domain.
    tiles: Vec<Entered>,
    /// Values of the members whose points we are at.
    times: Vec<Option<Affine>>,
    /// Columns of the box here: all of the tile's, or fewer at the end of the domain.
    columns: i64,
    /// They are those at the end: no more are left in any row, and fewer than the box has.
    last: bool,
    /// Where the box of columns begins, over the variables of some loops around, if it is not where its tile does: then it has the last columns of the domain.
    first: Option<Affine>,
    /// There are too few columns for that: nobody should write out more than the code for any number of them.
    few: bool,
    /// Rows over the variables of the tile and the depth's time to which the depth is kept.
    middle: Option<Vec<Constraint>>,
    /// Mirrors from which cells may be read.
    mirrors: Vec<Mirrored>,
}

impl State {
    fn start(members: &[Member], plan: &Blocking, active: &[Active], context: &Polyhedron) -> Self {
        Self {
            actives: active.to_vec(),
            context: context.clone(),
            tiles: Vec::new(),
            times: vec![None; members.len()],
            columns: plan.columns,
            last: false,
            first: None,
            few: false,
            middle: None,
            mirrors: Vec::new(),
        }
    }

    /// An expression over the variables of some loops around, in the space of this place.
    fn here(&self, e: &Affine) -> Affine {
        widen_expr(e, self.context.space().dims - e.space().dims)
    }

    fn deeper(&self, actives: &[Active], context: &Polyhedron) -> Self {
        Self { actives: actives.to_vec(), context: context.clone(), ..self.clone() }
    }
}

/// What comes next.
#[derive(Clone, Copy)]
enum Step {
    Outer(usize),
    Tile(usize),
    /// Point loop of a row member that is not jammed.
    Row(usize),
    Depth(usize),
    JamRow(usize),
}

/// How the rows of this place run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Jammed,
    Plain,
}

/// The loops of a blocked band.
pub(super) fn loops(
    maker: &Maker<'_>,
    members: &[Member],
    child: &Node,
    id: StatementId,
    plan: &Blocking,
    active: &[Active],
    context: &Polyhedron,
) -> Result<Vec<AstNode>> {
    if !plan.fits(members.len()) {
        return Err(Error::Malformed("a plan that does not fit its band".into()));
    }
    let state = State::start(members, plan, active, context);
    let mut plain =
        Blocked { maker, members, child, id, plan, buffers: None, mirrors: Vec::new(), fetching: Vec::new() };
    if plain.main(&state).is_none() {
        return plain.general(&state);
    }
    if let Some(fetch) = &plan.fetch {
        plain.fetching = plain.at_least(&fetch.worth, &state)?.into_iter().map(Constraint::ge).collect();
    }
    let note_worth = |body: &[AstNode]| plain.note_worth(has_corner(body), &state);
    let buffers = if plan.packs.is_empty() { None } else { plain.buffers()? };
    let Some(buffers) = buffers else {
        let body = plain.with_mirrors(&state)?;
        note_worth(&body)?;
        return Ok(body);
    };
    let enough = plain.at_least(&plan.worth_packing, &state)?;
    let conditions = enough.iter().map(|form| condition(&Constraint::ge(form.clone()))).collect::<Result<_>>()?;
    let narrow = plan.in_place();
    if !narrow.fits(members.len()) {
        return Err(Error::Malformed("a plan in place that does not fit its band".into()));
    }
    let in_place =
        Blocked { maker, members, child, id, plan: &narrow, buffers: None, mirrors: Vec::new(), fetching: Vec::new() };
    let start = State::start(members, &narrow, active, context);
    let kernels = |inner: &State| in_place.step(Step::Outer(0), inner, Rows::Jammed);
    let otherwise = match enough.as_slice() {
        // Tile loops for caches have one iteration where sizes are small. Where they are not, memory has been refused.
        [form] => in_place.choice(&start, &[negated(form)?], &kernels, &|inner| in_place.general(inner))?,
        _ => kernels(&start)?,
    };
    let packed = Blocked {
        maker,
        members,
        child,
        id,
        plan,
        buffers: Some(buffers.clone()),
        mirrors: Vec::new(),
        fetching: Vec::new(),
    };
    let body = packed.step(Step::Outer(0), &state, Rows::Jammed)?;
    note_worth(&body)?;
    Ok(vec![AstNode::Scratch(Scratch { conditions, buffers, body, otherwise, mirrors: false })])
}

fn has_corner(nodes: &[AstNode]) -> bool {
    nodes.iter().any(|node| match node {
        AstNode::For(f) => matches!(f.kind, LoopKind::Corner { .. }) || has_corner(&f.body),
        AstNode::If { then, otherwise, .. } => has_corner(then) || has_corner(otherwise),
        AstNode::Held(h) => has_corner(&h.body),
        AstNode::Scratch(s) => has_corner(&s.body) || has_corner(&s.otherwise),
        AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => false,
    })
}

/// Notes for which parameters the loops of a blocked band are worth while, if nothing cut it in strips.
pub(super) fn worthwhile(
    maker: &Maker<'_>,
    members: &[Member],
    child: &Node,
    active: &[Active],
    context: &Polyhedron,
) -> Result<()> {
    let Some((id, plan)) = maker.kernel(child) else { return Ok(()) };
    if !plan.fits(members.len()) {
        return Err(Error::Malformed("a plan that does not fit its band".into()));
    }
    let state = State::start(members, plan, active, context);
    let plain = Blocked { maker, members, child, id, plan, buffers: None, mirrors: Vec::new(), fetching: Vec::new() };
    if plain.main(&state).is_some() { plain.note_worth(true, &state) } else { Ok(()) }
}

impl Blocked<'_> {
    fn first_row(&self) -> usize {
        self.members.len() - 1 - self.plan.rows.len()
    }

    fn column(&self) -> usize {
        self.members.len() - 1
    }

    fn row_of(&self, member: usize, id: StatementId) -> Result<&Affine> {
        let row = self.members[member].rows.get(&id);
        row.ok_or_else(|| Error::Malformed("a band member without a row for a statement".into()))
    }

    /// The statement of the micro-kernel, where it runs.
    fn main<'s>(&self, state: &'s State) -> Option<&'s Active> {
        state.actives.iter().find(|a| a.id == self.id)
    }

    /// Plain loops over the points that are left, for all statements.
    fn general(&self, state: &State) -> Result<Vec<AstNode>> {
        match state.times.iter().position(Option::is_none) {
            None => self.maker.node(self.child, &state.actives, &state.context),
            Some(member) => self.points(member, &[], state, &|inner| self.general(inner)),
        }
    }

    fn step(&self, step: Step, state: &State, rows: Rows) -> Result<Vec<AstNode>> {
        self.maker.budget.spend(1)?;
        if self.main(state).is_none() {
            return self.general(state);
        }
        match step {
            Step::Outer(m) if m == self.plan.outer => self.step(Step::Tile(0), state, rows),
            Step::Outer(m) => self.points(m, &[], state, &|inner| self.step(Step::Outer(m + 1), inner, rows)),
            Step::Tile(at) => {
                let mut out = self.copies(at, state)?;
                let (mirrors, state) = self.mirrors_at(at, state)?;
                let state = &state;
                out.extend(mirrors);
                match self.plan.tiles.get(at) {
                    None => {
                        let kernels = self.jam(state)?;
                        // Of several tiles each has its own.
                        if !kernels.is_empty() && !self.is_of_several(state)? {
                            out.extend(self.share_of_next(state)?);
                        }
                        out.extend(kernels);
                    }
                    Some(_) if self.has_only_rows_inside(at) => out.extend(self.all_columns_then_last(at, state)?),
                    Some(tile) => {
                        let inside = |inner: &State| self.step(Step::Tile(at + 1), inner, rows);
                        out.extend(match self.tiles_of_corner(at, state) {
                            1 => self.tile(tile.member, tile.size, state, &inside)?,
                            many => self.tiles_where((tile.member, many * tile.size, false), &[], state, &inside)?,
                        });
                    }
                }
                Ok(out)
            }
            Step::Row(m) if m == self.column() => self.full_columns(state, Rows::Plain),
            Step::Row(m) => self.points(m, &[], state, &|inner| self.step(Step::Row(m + 1), inner, rows)),
            Step::Depth(m) if m == self.first_row() => match rows {
                Rows::Jammed => self.step(Step::JamRow(m), state, rows),
                Rows::Plain => self.columns(state),
            },
            Step::Depth(m) => self.depth(m, state, rows),
            Step::JamRow(m) if m == self.column() => self.columns(state),
            Step::JamRow(m) => {
                let most = self.box_size(m, state)?;
                let kind = LoopKind::Rows { most, last: false };
                self.whole_box(m, most, kind, state, &|inner| self.step(Step::JamRow(m + 1), inner, rows))
            }
        }
    }

    fn size_of(&self, member: usize) -> Result<i64> {
        let size = self.plan.register_size(member);
        size.ok_or_else(|| Error::Malformed("a jammed member without tile".into()))
    }

    /// How many values of a jammed member are in the box here.
    fn box_size(&self, member: usize, state: &State) -> Result<i64> {
        if member == self.column() {
            return Ok(state.columns);
        }
        let tile = state.tiles.iter().rev().find(|t| t.member == member);
        Ok(tile.ok_or_else(|| Error::Malformed("a jammed member without tile".into()))?.size)
    }

    /// The first point of the innermost tile of a member, at this place.
    fn base(&self, member: usize, state: &State) -> Result<Affine> {
        if let Some(first) = state.first.as_ref().filter(|_| member == self.column()) {
            return Ok(state.here(first));
        }
        let tile = state.tiles.iter().rev().find(|t| t.member == member);
        let tile = tile.ok_or_else(|| Error::Malformed("a jammed member without tile".into()))?;
        Ok(state.here(&tile.value).scale(tile.size)?)
    }

    /// The statement with one more variable behind those of the place, for `rows` to tie to its iterators.
    fn opened(&self, active: &Active, state: &State, tie: &Tie<'_>, member: usize) -> Result<Active> {
        let depth = state.context.space().dims;
        let old = active.relation.space();
        let space = Space::new(old.params, old.dims + 1);
        let map: Vec<usize> = (0..old.dims).map(|d| if d < depth { d } else { d + 1 }).collect();
        let mut relation = active.relation.embed(space, &map);
        let row = self.maker.row(active, self.row_of(member, active.id)?, 1)?;
        for c in tie(&row, &Affine::dim(space, depth))? {
            relation.add(c);
        }
        Ok(Active { id: active.id, relation })
    }

    fn ranges(&self, state: &State, tie: &Tie<'_>, member: usize) -> Result<Vec<Range>> {
        let one = |active: &Active| self.range(state, self.opened(active, state, tie, member)?);
        state.actives.iter().map(one).collect()
    }

    fn range(&self, state: &State, active: Active) -> Result<Range> {
        let dims = active.relation.space().dims;
        let iterators: Vec<usize> = (state.context.space().dims + 1..dims).collect();
        let shadow = active.relation.project_out(&iterators, self.maker.budget)?.set;
        Ok(Range { active, shadow })
    }

    /// A loop over the points of a member that satisfy further rows over `[1 | N | V t]`.
    fn points(
        &self,
        member: usize,
        rows: &[Constraint],
        state: &State,
        body: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        self.points_of(LoopKind::Point, member, rows, state, body)
    }

    /// The same, with a kind for the loop.
    fn points_of(
        &self,
        kind: LoopKind,
        member: usize,
        rows: &[Constraint],
        state: &State,
        body: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        let mut ranges = self.ranges(state, &equal, member)?;
        ranges.iter_mut().for_each(|range| keep(range, rows));
        // Guards between statements are worth work only where they would stand in the innermost loop.
        let separate = (0..self.members.len()).all(|m| m == member || state.times[m].is_some());
        let parallel = self.members[member].parallel || matches!(kind, LoopKind::Corner { .. });
        let spec = Spec { kind, parallel, separate };
        scan(self.maker, spec, &ranges, &state.context, &|actives, inner, value| {
            let mut next = state.deeper(actives, inner);
            next.times[member] = Some(value.clone());
            body(&next)
        })
    }

    fn tile(
        &self,
        member: usize,
        size: i64,
        state: &State,
        body: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        self.tiles_where((member, size, true), &[], state, body)
    }

    /// The same over tiles that satisfy rows over `[1 | N | V t]`; those at the end of the domain that are smaller than the plan's are not planned.
    fn tiles_where(
        &self,
        (member, size, planned): (usize, i64, bool),
        rows: &[Constraint],
        state: &State,
        body: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        let mut ranges = self.ranges(state, &|row, t| within(row, t, size), member)?;
        ranges.iter_mut().for_each(|range| keep(range, rows));
        let spec = Spec { kind: LoopKind::Tile, parallel: false, separate: false };
        scan(self.maker, spec, &ranges, &state.context, &|actives, inner, value| {
            let mut next = state.deeper(actives, inner);
            next.tiles.push(Entered { member, size, value: value.clone(), planned });
            body(&next)
        })
    }

    /// A loop over all of a member's innermost tile: guards inside see to the shape of the domain.
    fn whole_box(
        &self,
        member: usize,
        most: i64,
        kind: LoopKind,
        state: &State,
        body: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        self.box_from(member, &self.base(member, state)?, most, kind, state, body)
    }

    /// The same of a box that begins here.
    fn box_from(
        &self,
        member: usize,
        base: &Affine,
        most: i64,
        kind: LoopKind,
        state: &State,
        body: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        let depth = state.context.space().dims;
        let Some(main) = self.main(state) else { return Ok(Vec::new()) };
        let mut context = widen(&state.context, 1);
        let at = Affine::dim(context.space(), depth);
        let t = self.in_order(member, &widen_expr(base, 1), most, &at)?;
        let time = |row: &Affine, at: &Affine| {
            let base = widen_expr(base, row.space().dims - depth);
            equal(row, &self.in_order(member, &base, most, at)?)
        };
        let active = self.opened(main, state, &time, member)?;
        let from_base = at.sub(&widen_expr(base, 1))?;
        context.add(Constraint::ge(from_base.clone()));
        context.add(Constraint::ge(from_base.scale(-1)?.offset(most - 1)?));
        let mut next = state.deeper(&[active], &context);
        next.times[member] = Some(t);
        let body = body(&next)?;
        if body.is_empty() {
            return Ok(Vec::new());
        }
        let (lower, upper) = (Expr::Affine(base.clone()), Expr::Affine(base.offset(most - 1)?));
        // Columns: proved for the statement of the micro-kernel, which is alone here.
        let parallel = self.members[member].parallel || member == self.column();
        Ok(vec![AstNode::For(For { var: LoopVar(depth), lower, upper, step: 1, parallel, kind, body })])
    }

    /// The time of a member in a box, by the variable of the loop over it: columns may lie the other way round.
    fn in_order(&self, member: usize, base: &Affine, most: i64, at: &Affine) -> Result<Affine> {
        if !self.plan.reversed || member != self.column() {
            return Ok(at.clone());
        }
        Ok(base.scale(2)?.offset(most - 1)?.sub(at)?)
    }

    /// The shadow of the micro-kernel's statement on `[1 | N | V x]`, `x` the times of some members; and whether it is exact.
    fn shadow(&self, state: &State, members: &[usize]) -> Result<(Polyhedron, bool)> {
        let main = self.main(state).ok_or_else(|| Error::Malformed("a micro-kernel without its statement".into()))?;
        self.shadow_of(main, state, members)
    }

    fn shadow_of(&self, active: &Active, state: &State, members: &[usize]) -> Result<(Polyhedron, bool)> {
        let (depth, count) = (state.context.space().dims, members.len());
        let old = active.relation.space();
        let space = Space::new(old.params, old.dims + count);
        let map: Vec<usize> = (0..old.dims).map(|d| if d < depth { d } else { d + count }).collect();
        let mut set = active.relation.embed(space, &map);
        for (k, &member) in members.iter().enumerate() {
            let row = self.maker.row(active, self.row_of(member, active.id)?, count)?;
            set.add(Constraint::eq(row.sub(&Affine::dim(space, depth + k))?));
        }
        let iterators: Vec<usize> = (depth + count..space.dims).collect();
        let found = set.project_out(&iterators, self.maker.budget)?;
        Ok((found.set.simplify(self.maker.budget)?, found.exact))
    }

    /// The form over `[1 | N | V x]` at its least over the boxes of the last `members` of `x`: over what is left.
    fn worst(&self, state: &State, form: &Affine, members: &[usize]) -> Result<Affine> {
        let kept = form.space().dims - members.len();
        let place = Space::new(form.space().params, kept);
        let mut worst = Affine::from_coeffs(place, form.coeffs()[..place.columns()].to_vec());
        for (k, &member) in members.iter().enumerate() {
            let c = form.dim_coeff(kept + k);
            if c != 0 {
                let base = widen_expr(&self.base(member, state)?, kept - state.context.space().dims);
                let size = self.box_size(member, state)?;
                let corner = if c > 0 { base } else { base.offset(size - 1)? };
                worst = worst.combine(1, &corner, c)?;
            }
        }
        Ok(worst)
    }

    /// `then` where the rows hold, else `otherwise`.
    fn choice(
        &self,
        state: &State,
        rows: &[Constraint],
        then: &dyn Fn(&State) -> Result<Vec<AstNode>>,
        otherwise: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        let mut full = state.clone();
        for row in rows {
            full.context.add(row.clone());
        }
        if full.context.is_empty(self.maker.budget)? {
            return otherwise(state);
        }
        let rows = reduce(rows, &state.context, self.maker.budget)?;
        let then = then(&full)?;
        if rows.is_empty() {
            return Ok(then);
        }
        let mut other = state.clone();
        if let [only] = rows.as_slice()
            && only.kind == Kind::Ge
        {
            other.context.add(negated(&only.expr)?);
        }
        let otherwise = otherwise(&other)?;
        let conditions = rows.iter().map(condition).collect::<Result<_>>()?;
        Ok(vec![AstNode::If { conditions, then, otherwise }])
    }

    fn columns(&self, state: &State) -> Result<Vec<AstNode>> {
        let most = state.columns;
        let last = Cell::new(state.first.is_some());
        let kind = LoopKind::Columns { most, width: self.plan.lanes, last: false };
        let mut nodes = self.whole_box(self.column(), most, kind, state, &|inner| {
            let Some(main) = self.main(inner) else { return Ok(Vec::new()) };
            let nodes = leaf::instance(self.maker, main, &inner.context)?;
            let at = state.context.space().dims;
            last.set(
                last.get() && self.are_there(&nodes, at, &self.base(self.column(), state)?, most, &inner.context)?,
            );
            self.with_mirrored(self.with_packed(nodes, inner)?, inner)
        })?;
        for node in &mut nodes {
            if let AstNode::For(For { kind: LoopKind::Columns { last: own, .. }, .. }) = node {
                *own = last.get();
            }
        }
        Ok(nodes)
    }

    /// Forms over `[1 | N | V]` that are all `>= 0` where members have enough values; bounds with divisions are left out.
    fn at_least(&self, sizes: &[Enough], state: &State) -> Result<Vec<Affine>> {
        let at = state.context.space().dims;
        let mut rows: Vec<Constraint> = Vec::new();
        for Enough { terms, least } in sizes {
            let of = |&(member, weight): &(usize, i64)| Ok((extents(&self.shadow(state, &[member])?.0, at)?, weight));
            let terms = terms.iter().map(of).collect::<Result<Vec<_>>>()?;
            if terms.iter().any(|(most, _)| most.is_empty()) {
                continue;
            }
            rows.extend(worth::sums(state.context.space(), *least, &terms)?.into_iter().map(Constraint::ge));
        }
        rows.retain(|row| !row.expr.is_constant());
        Ok(reduce(&rows, &state.context, self.maker.budget)?.into_iter().map(|row| row.expr).collect())
    }
}

/// The last variable of a set, number `at`, has at most each of so many values: over the other variables.
pub(super) fn extents(set: &Polyhedron, at: usize) -> Result<Vec<Affine>> {
    Ok(lengths(set, at)?.into_iter().filter(|(_, times)| *times == 1).map(|(values, _)| values).collect())
}

/// The same, where so many times the number of values are at most the form.
pub(super) fn lengths(set: &Polyhedron, at: usize) -> Result<Vec<(Affine, i64)>> {
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for row in set.constraints() {
        for form in halves(row)? {
            match form.dim_coeff(at) {
                0 => {}
                c if c > 0 => lower.push((form, c)),
                c => upper.push((form, c.checked_neg().ok_or(polyhedra::Error::Overflow)?)),
            }
        }
    }
    let mut out = Vec::new();
    for (l, of_lower) in &lower {
        for (u, of_upper) in &upper {
            let times = match (*of_lower, *of_upper) {
                (1, times) | (times, 1) => times,
                _ => continue,
            };
            // t + a >= 0, b - k t >= 0: k a + b >= k (values - 1); and a + k t >= 0, b - t >= 0.
            let sum = l.combine(*of_upper, u, *of_lower)?;
            out.push((drop_last(&sum).offset(times)?, times));
        }
    }
    Ok(out)
}

fn with(context: &Polyhedron, row: &Constraint) -> Polyhedron {
    context.clone().with(row.clone())
}

/// Only what satisfies rows over `[1 | N | V t]`.
fn keep(range: &mut Range, rows: &[Constraint]) {
    rows.iter().for_each(|row| range.shadow.add(row.clone()));
    range.active = restricted(&range.active, rows);
}

/// What ties a time to the variable of a loop.
type Tie<'a> = dyn Fn(&Affine, &Affine) -> Result<Vec<Constraint>> + 'a;

/// `t = row`
fn equal(row: &Affine, t: &Affine) -> Result<Vec<Constraint>> {
    Ok(vec![Constraint::eq(row.sub(t)?)])
}

/// `size t <= row <= size t + size - 1`
fn within(row: &Affine, t: &Affine, size: i64) -> Result<Vec<Constraint>> {
    let inside = row.combine(1, t, -size)?;
    Ok(vec![Constraint::ge(inside.clone()), Constraint::ge(inside.scale(-1)?.offset(size - 1)?)])
}
