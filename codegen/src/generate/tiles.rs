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
//! bounds of the point loops reduce to the box, with no further work here. A statement that can never fill a box (it runs at one time of a
//! tiled member) is kept out of full tiles instead: one of the rows of its shadow on the tiles is negated.
//!
//! # Worked example
//! `0 <= i < n`, `T = 8`: tiles `0 <= tt <= floor((n - 1) / 8)`; full when `8 tt >= 0` (known) and `8 tt + 7 <= n - 1`; then `t` runs from `8 tt` to `8 tt + 7`;
//! else from `8 tt` to `min(n - 1, 8 tt + 7)`.
//!
//! A tile loop is parallel when its member and all members before it are: then no dependence inside the band moves along any of them, so tiles are
//! independent whatever the points within do.

use super::scan::{Range, Spec, scan};
use super::{Active, Maker};
use crate::ast::{AstNode, LoopKind};
use crate::sets::{condition, halves, negated, reduce, widen_expr};
use polyhedra::{Affine, Constraint, Polyhedron, Space};
use scheduler::tree::{Member, Node};
use scheduler::{Error, Result};

/// Members of a band, and what runs inside.
pub(super) struct Band<'a> {
    members: &'a [Member],
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
}

/// A tile loop that we are in: its value is over `[1 | N | V]`.
#[derive(Clone)]
struct Tile {
    member: usize,
    size: i64,
    value: Affine,
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
        steps.extend((0..members.len()).map(|member| Step::Point { member }));
        Ok(Self { members, child, steps })
    }

    pub(super) fn loops(&self, maker: &Maker<'_>, active: &[Active], context: &Polyhedron) -> Result<Vec<AstNode>> {
        self.step(maker, 0, active, context, &[])
    }

    fn step(
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
            None => Spec { kind: LoopKind::Point, parallel: self.members[member].parallel, separate: true },
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

    fn member_row<'m>(&'m self, member: usize, active: &Active) -> Result<&'m Affine> {
        let row = self.members[member].rows.get(&active.id);
        row.ok_or_else(|| Error::Malformed("a band member without a row for a statement".into()))
    }

    /// The statement with one more variable behind the first `depth`: time, or tile, of a member.
    fn range(
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
        let general = || self.step(maker, at + 1, active, context, tiles);
        let mut full = context.clone();
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for a in active {
            let mut with = full.clone();
            for row in self.corners(maker, a, context, tiles)? {
                with.add(row);
            }
            if with.is_empty(maker.budget)? {
                outside.push(a);
            } else {
                full = with;
                inside.push(a.clone());
            }
        }
        if inside.is_empty() {
            return general();
        }
        for a in outside {
            match self.excluded(maker, a, &full, context)? {
                Some(without) => full = without,
                None => return general(),
            }
        }
        let rows = reduce(&full.constraints()[context.constraints().len()..], context, maker.budget)?;
        if rows.is_empty() {
            return self.step(maker, at + 1, &inside, context, tiles);
        }
        let mut known = context.clone();
        for row in &rows {
            known.add(row.clone());
        }
        let then = self.step(maker, at + 1, &inside, &known, tiles)?;
        let otherwise = general()?;
        let conditions = rows.iter().map(condition).collect::<Result<_>>()?;
        Ok(vec![AstNode::If { conditions, then, otherwise }])
    }

    /// Rows over `[1 | N | V]`: the whole tile lies in the statement's shadow.
    fn corners(
        &self,
        maker: &Maker<'_>,
        active: &Active,
        context: &Polyhedron,
        tiles: &[Tile],
    ) -> Result<Vec<Constraint>> {
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
        let shadow = set.project_out(&iterators, maker.budget)?.set.simplify(maker.budget)?;
        let place = context.space();
        let mut out = Vec::new();
        for row in shadow.constraints() {
            for form in halves(row)? {
                let times = &form.dim_coeffs()[depth..];
                if times.iter().all(|&c| c == 0) {
                    continue;
                }
                let mut worst = Affine::from_coeffs(place, form.coeffs()[..place.columns()].to_vec());
                for (&c, tile) in times.iter().zip(tiles) {
                    let low = tile.value.scale(tile.size)?;
                    let corner = if c > 0 { low } else { low.offset(tile.size - 1)? };
                    worst = worst.combine(1, &corner, c)?;
                }
                out.push(Constraint::ge(worst));
            }
        }
        Ok(out)
    }

    /// The context cut so that the statement has no instance in the tile; `None` when nothing would be left.
    fn excluded(
        &self,
        maker: &Maker<'_>,
        active: &Active,
        full: &Polyhedron,
        context: &Polyhedron,
    ) -> Result<Option<Polyhedron>> {
        let depth = context.space().dims;
        let iterators: Vec<usize> = (depth..active.relation.space().dims).collect();
        let shadow = active.relation.project_out(&iterators, maker.budget)?.set.simplify(maker.budget)?;
        for row in reduce(shadow.constraints(), context, maker.budget)? {
            for form in halves(&row)? {
                let cut = full.clone().with(negated(&form)?);
                if !cut.is_empty(maker.budget)? {
                    return Ok(Some(cut));
                }
            }
        }
        Ok(None)
    }
}
