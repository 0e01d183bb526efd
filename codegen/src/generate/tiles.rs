//! The loops of a band, tiled where its members say so.
//!
//! # Problem
//! Members with a tile size `T` are strip-mined: tile loops `tt` for all of them outside, then all point loops, with `T tt <= t <= T tt + T - 1`. Most tiles are
//! full (every point of the box runs); those should get loops without `min` and `max`.
//!
//! # Method
//! A tile loop is a loop like any other whose relation is two inequalities instead of an equality; empty tiles disappear as far as the shadow shows it. Inside
//! the tile loops a condition says that the tile is full: for each row `c + a . x >= 0` of each statement's shadow on the tiled members' times `x`, the
//! worst corner of the box satisfies it (`x_k = T tt_k` where `a_k > 0`, else `x_k = T tt_k + T - 1`). Under that condition, as context, the general
//! bounds of the point loops reduce to the box, with no further work here.
//!
//! With several statements, first only those are asked to fill the tile that run wherever the others do: often inner loops of the others, with no trip where they
//! do not run, make up for the rest. If that leaves guards inside, all are asked. A statement that can never fill a box (it runs at one time of a tiled
//! member) gets a second condition inside the first, which keeps it out of the tile: one of the rows of its shadow on the tiles, negated.
//!
//! # Worked example
//! `0 <= i < n`, `T = 8`: tiles `0 <= tt <= floor((n - 1) / 8)`; full when `8 tt >= 0` (known) and `8 tt + 7 <= n - 1`; then `t` runs from `8 tt` to `8 tt + 7`;
//! else from `8 tt` to `min(n - 1, 8 tt + 7)`.
//!
//! A tile loop is parallel when its member and all members before it are: then no dependence inside the band moves along any of them, so tiles are
//! independent whatever the points within do.

use super::abreast::Abreast;
use super::clean::{guard_cost, hoist};
use super::scan::{Range, Spec, scan};
use super::{Active, Maker};
use crate::ast::{AstNode, LoopKind};
use crate::sets::{condition, halves, implied, negated, reduce, tightened, widen, widen_expr};
use polyhedra::{Affine, Constraint, Kind, Polyhedron, Space};
use scheduler::tree::{Lanes, Member, Node};
use scheduler::{Error, Result};

/// Members of a band, and what runs inside.
pub(super) struct Band<'a> {
    pub(super) members: &'a [Member],
    child: &'a Node,
    steps: Vec<Step>,
}

#[derive(Clone, Copy)]
enum Step {
    /// Tile loop of a member.
    Tile { member: usize, size: i64 },
    /// Full tiles here, the others there.
    Split,
    /// Point loop of a member.
    Point { member: usize },
    /// Point loops of a member and the next, so many iterations of the latter abreast.
    Abreast { ahead: usize, count: i64 },
}

/// A tile loop that we are in: its value is over `[1 | N | V]`.
#[derive(Clone)]
pub(super) struct Tile {
    pub(super) member: usize,
    pub(super) size: i64,
    pub(super) value: Affine,
}

impl<'a> Band<'a> {
    pub(super) fn new(members: &'a [Member], permutable: bool, child: &'a Node) -> Result<Self> {
        let mut steps = Vec::new();
        for (member, m) in members.iter().enumerate() {
            match m.tile {
                Some(size) if size < 1 => return Err(Error::Malformed("tile size".into())),
                Some(size) if size > 1 && permutable => steps.push(Step::Tile { member, size }),
                _ => {}
            }
        }
        if !steps.is_empty() {
            steps.push(Step::Split);
        }
        let mut member = 0;
        while member < members.len() {
            let next = members.get(member + 1).filter(|m| permutable && m.parallel);
            if let Some(count) = next.and_then(|m| m.abreast) {
                steps.push(Step::Abreast { ahead: member, count: count.into() });
                member += 2;
            } else {
                steps.push(Step::Point { member });
                member += 1;
            }
        }
        Ok(Self { members, child, steps })
    }

    pub(super) fn loops(&self, maker: &Maker<'_>, active: &[Active], context: &Polyhedron) -> Result<Vec<AstNode>> {
        self.step(maker, 0, active, context, &[])
    }

    pub(super) fn step(
        &self,
        maker: &Maker<'_>,
        at: usize,
        active: &[Active],
        context: &Polyhedron,
        tiles: &[Tile],
    ) -> Result<Vec<AstNode>> {
        maker.budget.spend(1)?;
        let (member, size) = match self.steps.get(at) {
            None => return maker.node(self.child, active, context),
            Some(Step::Split) => return self.split(maker, at, active, context, tiles),
            Some(Step::Tile { member, size }) => (*member, Some(*size)),
            Some(Step::Point { member }) => (*member, None),
            Some(Step::Abreast { ahead, count }) => {
                let pair = Abreast { band: self, at, ahead: *ahead, count: *count, tiles };
                return pair.loops(maker, active, context);
            }
        };
        let mut ranges = Vec::new();
        for a in active {
            ranges.push(self.range(maker, a, member, size, context.space().dims)?);
        }
        let spec = match size {
            Some(_) => Spec {
                kind: LoopKind::Tile,
                parallel: self.members[..=member].iter().all(|m| m.parallel),
                separate: false,
            },
            None => {
                let Member { parallel, lanes, .. } = self.members[member];
                let kind = match lanes {
                    Some(Lanes { width, vectors }) if parallel => LoopKind::Lanes { width, vectors },
                    _ => LoopKind::Point,
                };
                Spec { kind, parallel, separate: true }
            }
        };
        scan(maker, spec, &ranges, context, &|inside, inner, value| {
            let deeper = inner.space().dims - context.space().dims;
            let mut known: Vec<Tile> =
                tiles.iter().map(|t| Tile { value: widen_expr(&t.value, deeper), ..t.clone() }).collect();
            if let Some(size) = size {
                known.push(Tile { member, size, value: value.clone() });
            }
            self.step(maker, at + 1, inside, inner, &known)
        })
    }

    pub(super) fn member_row<'m>(&'m self, member: usize, active: &Active) -> Result<&'m Affine> {
        let row = self.members[member].rows.get(&active.id);
        row.ok_or_else(|| Error::Malformed("a band member without a row for a statement".into()))
    }

    /// The lanes of a member.
    pub(super) fn lanes(&self, member: usize) -> Option<Lanes> {
        self.members.get(member).and_then(|m| m.lanes)
    }

    /// The statement with one more variable behind the first `depth`: time, or tile, of a member.
    pub(super) fn range(
        &self,
        maker: &Maker<'_>,
        active: &Active,
        member: usize,
        size: Option<i64>,
        depth: usize,
    ) -> Result<Range> {
        let old = active.relation.space();
        let space = Space::new(old.params, old.dims + 1);
        let map: Vec<usize> = (0..old.dims).map(|d| if d < depth { d } else { d + 1 }).collect();
        let mut relation = active.relation.embed(space, &map);
        let row = maker.row(active, self.member_row(member, active)?, 1)?;
        let t = Affine::dim(space, depth);
        match size {
            None => relation.add(Constraint::eq(row.sub(&t)?)),
            Some(size) => {
                let inside = row.combine(1, &t, -size)?;
                relation.add(Constraint::ge(inside.clone()));
                relation.add(Constraint::ge(inside.scale(-1)?.offset(size - 1)?));
            }
        }
        let iterators: Vec<usize> = (depth + 1..space.dims).collect();
        let shadow = relation.project_out(&iterators, maker.budget)?.set;
        Ok(Range { active: Active { id: active.id, relation }, shadow })
    }

    /// Full tiles under a condition, the others otherwise.
    fn split(
        &self,
        maker: &Maker<'_>,
        at: usize,
        active: &[Active],
        context: &Polyhedron,
        tiles: &[Tile],
    ) -> Result<Vec<AstNode>> {
        let mut corners = Vec::new();
        for a in active {
            corners.push(self.corners(maker, a, context, tiles)?);
        }
        // First try: the statements that run wherever another one does ask for nothing; their inner loops may make up for it.
        let wide = self.widest(maker, active, context, tiles)?;
        if wide.len() < active.len() {
            let rows: Vec<Constraint> = wide.iter().flat_map(|&k| corners[k].iter().cloned()).collect();
            if let Some(rows) = cut(maker, &rows, context)? {
                let known = with_rows(context, &rows);
                let then = hoist(self.step(maker, at + 1, active, &known, tiles)?);
                if guard_cost(&then, 1) == 0 {
                    return self.choice(maker, at, active, context, tiles, &rows, then);
                }
            }
        }
        let mut rows = Vec::new();
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for (a, own) in active.iter().zip(corners) {
            let all: Vec<Constraint> = rows.iter().cloned().chain(own).collect();
            if with_rows(context, &all).is_empty(maker.budget)? {
                outside.push(a);
            } else {
                rows = all;
                inside.push(a.clone());
            }
        }
        let Some(rows) = cut(maker, &rows, context)? else { return self.step(maker, at + 1, active, context, tiles) };
        let full = with_rows(context, &rows);
        let mut without = Vec::new();
        for a in outside {
            match self.excluded(maker, a, &with_rows(&full, &without))? {
                Some(row) => without.push(row),
                None => return self.step(maker, at + 1, active, context, tiles),
            }
        }
        let without = reduce(&without, &full, maker.budget)?;
        let mut then = self.step(maker, at + 1, &inside, &with_rows(&full, &without), tiles)?;
        if !without.is_empty() {
            then = self.choice(maker, at, active, &full, tiles, &without, then)?;
        }
        self.choice(maker, at, active, context, tiles, &rows, then)
    }

    /// `then` where the rows hold, else the general loops.
    #[allow(clippy::too_many_arguments)]
    fn choice(
        &self,
        maker: &Maker<'_>,
        at: usize,
        active: &[Active],
        context: &Polyhedron,
        tiles: &[Tile],
        rows: &[Constraint],
        then: Vec<AstNode>,
    ) -> Result<Vec<AstNode>> {
        if rows.is_empty() {
            return Ok(then);
        }
        let mut known = context.clone();
        if let [only] = rows
            && only.kind == Kind::Ge
        {
            known.add(negated(&only.expr)?);
        }
        let otherwise = self.step(maker, at + 1, active, &known, tiles)?;
        let conditions = rows.iter().map(condition).collect::<Result<_>>()?;
        Ok(vec![AstNode::If { conditions, then, otherwise }])
    }

    /// The statements whose shadow on the tiled members' times lies in no other's (of equals the first).
    fn widest(&self, maker: &Maker<'_>, active: &[Active], context: &Polyhedron, tiles: &[Tile]) -> Result<Vec<usize>> {
        let mut shadows = Vec::new();
        for a in active {
            shadows.push(self.box_shadow(maker, a, context, tiles)?);
        }
        let inside = |small: &Polyhedron, large: &Polyhedron| -> Result<bool> {
            let small = small.intersect(&widen(context, tiles.len()));
            for row in large.constraints() {
                if !implied(row, &small, maker.budget)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let mut out = Vec::new();
        for (k, own) in shadows.iter().enumerate() {
            let mut covered = false;
            for (j, other) in shadows.iter().enumerate().filter(|(j, _)| *j != k) {
                covered = covered || (inside(own, other)? && (j < k || !inside(other, own)?));
            }
            if !covered {
                out.push(k);
            }
        }
        Ok(out)
    }

    /// The shadow of a statement on `[1 | N | V x]`, `x` the times of the tiled members.
    pub(super) fn box_shadow(
        &self,
        maker: &Maker<'_>,
        active: &Active,
        context: &Polyhedron,
        tiles: &[Tile],
    ) -> Result<Polyhedron> {
        let (depth, count) = (context.space().dims, tiles.len());
        let old = active.relation.space();
        let space = Space::new(old.params, old.dims + count);
        let map: Vec<usize> = (0..old.dims).map(|d| if d < depth { d } else { d + count }).collect();
        let mut set = active.relation.embed(space, &map);
        for (k, tile) in tiles.iter().enumerate() {
            let row = maker.row(active, self.member_row(tile.member, active)?, count)?;
            set.add(Constraint::eq(row.sub(&Affine::dim(space, depth + k))?));
        }
        let iterators: Vec<usize> = (depth + count..space.dims).collect();
        Ok(set.project_out(&iterators, maker.budget)?.set.simplify(maker.budget)?)
    }

    /// Rows over `[1 | N | V]`: the whole tile lies in the statement's shadow.
    fn corners(
        &self,
        maker: &Maker<'_>,
        active: &Active,
        context: &Polyhedron,
        tiles: &[Tile],
    ) -> Result<Vec<Constraint>> {
        let depth = context.space().dims;
        let shadow = self.box_shadow(maker, active, context, tiles)?;
        let mut out = Vec::new();
        for row in shadow.constraints() {
            for form in halves(row)? {
                if form.dim_coeffs()[depth..].iter().any(|&c| c != 0) {
                    out.push(Constraint::ge(worst_corner(&form, context.space(), tiles)?));
                }
            }
        }
        Ok(out)
    }

    /// A row that keeps the statement out of the tile and can hold where the context does.
    fn excluded(&self, maker: &Maker<'_>, active: &Active, context: &Polyhedron) -> Result<Option<Constraint>> {
        let depth = context.space().dims;
        let iterators: Vec<usize> = (depth..active.relation.space().dims).collect();
        let shadow = active.relation.project_out(&iterators, maker.budget)?.set.simplify(maker.budget)?;
        for row in reduce(shadow.constraints(), context, maker.budget)? {
            for form in halves(&row)? {
                let outside = tightened(&negated(&form)?);
                if !context.clone().with(outside.clone()).is_empty(maker.budget)? {
                    return Ok(Some(outside));
                }
            }
        }
        Ok(None)
    }
}

/// The least value of a form over `[1 | N | V x]` where `x` lies in the tiles, over `[1 | N | V]`.
pub(super) fn worst_corner(form: &Affine, place: Space, tiles: &[Tile]) -> Result<Affine> {
    let mut worst = Affine::from_coeffs(place, form.coeffs()[..place.columns()].to_vec());
    for (&c, tile) in form.dim_coeffs()[place.dims..].iter().zip(tiles) {
        let low = tile.value.scale(tile.size)?;
        let corner = if c > 0 { low } else { low.offset(tile.size - 1)? };
        worst = worst.combine(1, &corner, c)?;
    }
    Ok(worst)
}

pub(super) fn with_rows(context: &Polyhedron, rows: &[Constraint]) -> Polyhedron {
    let mut set = context.clone();
    for row in rows {
        set.add(row.clone());
    }
    set
}

/// The rows that are news in the context, `None` when they cannot all hold.
pub(super) fn cut(maker: &Maker<'_>, rows: &[Constraint], context: &Polyhedron) -> Result<Option<Vec<Constraint>>> {
    if with_rows(context, rows).is_empty(maker.budget)? {
        return Ok(None);
    }
    Ok(Some(reduce(rows, context, maker.budget)?))
}
