//! Mirrors: cells of operands that the program leaves where they are, in scratch memory, too ([`MirrorPlan`]), if a question that is asked when sizes are known says that they lie badly.
//!
//! # Problem
//! A factorisation reads `A[j][k]` for `k < j` while it stores `A[i][j]`: what is read again and again is made by the nest itself, tile by tile. A copy in front of the tiles would
//! be too early, and two codes for each kernel, with and without copies, twice as much code.
//!
//! # Method
//! *When.* Let `c` be the number of a tile of the loop that the plan says, `s` the size of that, and `k` the value of the access's member of the depth. Cells
//! whose `k` lies in `s c .. s c + s - 1` are *of tile `c`*. If no instance inside of the tile loops around stores a cell of tile `c` in a later tile than `c` (an exact question), those of
//! tiles before `c` are done when `c` begins. They are copied then, inside of the loop over `c`; or all, if the nest stores none. A kernel may read
//! cells of earlier tiles from the mirror, and does where its context says `k <= s c - 1`.
//!
//! *What.* The shadow of the statement's instances inside of the tile loops around: cells that the program reads there; it must be exact.
//!
//! *Where.* The cell of subscripts `(x, y)` lies `row` times `x` and `y` cells from a place that is the same for all cells of the mirror. So an address is a base and a stride for rows, both of the mirror
//! or both of the array, and the code is one. Where no memory is granted the copies do not run (`Condition::Granted`).
//!
//! # Worked example
//! `for i, j <= i, k < j: A[i][j] -= A[i][k] A[j][k]`, tiles of 384 of the depth, in them 168 rows, 8 columns, 12 rows: the mirror of `A[j][k]` has 8 rows of 384 cells and a line; tile `c` of the columns
//! begins with a copy of `A[8 c .. 8 c + 7][k]`, `k <= 8 c - 1`, for all of its tiles of 12 rows.

use super::packing::{Copy, Line, fed};
use super::{Blocked, Entered, Rows, State, Step, within};
use crate::ast::{AstNode, Buffer, BufferId, Call, Condition, Mirror, Place, Scratch};
use crate::generate::Active;
use crate::sets::{condition, implied, widen_expr};
use polyhedra::{Affine, Constraint, Space};
use scheduler::kernel::{MirrorPlan, PackPlan, TileLoop};
use scheduler::{Error, Result};
use std::collections::BTreeSet;

/// A mirror that is kept.
#[derive(Clone)]
pub(super) struct Mirrored {
    plan: MirrorPlan,
    buffer: BufferId,
    /// The nest stores to the array.
    written: bool,
}

impl Mirrored {
    fn pack(&self) -> PackPlan {
        let MirrorPlan { access, members, depth, .. } = self.plan;
        PackPlan { access, members: members.to_vec(), depth, places: None, fetches: false }
    }
}

impl Blocked<'_> {
    /// All tiles, with those mirrors of the plan that may be kept and of which kernels read.
    pub(super) fn with_mirrors(&self, state: &State) -> Result<Vec<AstNode>> {
        let mut mirrors = self.kept(state)?;
        loop {
            let with = Blocked { mirrors, buffers: None, fetching: self.fetching.clone(), ..*self };
            let body = with.step(Step::Outer(0), state, Rows::Jammed)?;
            if with.mirrors.is_empty() {
                return Ok(body);
            }
            let mut read = BTreeSet::new();
            read_from(&body, &mut read);
            if with.mirrors.iter().all(|mirror| read.contains(&mirror.buffer)) {
                let enough = self.at_least(&self.plan.worth_mirrors, state)?;
                let conditions = enough.into_iter().map(|form| condition(&Constraint::ge(form)));
                let conditions = conditions.collect::<Result<_>>()?;
                let buffers = with.mirrors.iter().map(|mirror| mirror.buffer).collect();
                let scratch = Scratch { conditions, buffers, body, otherwise: Vec::new(), mirrors: true };
                return Ok(vec![AstNode::Scratch(scratch)]);
            }
            mirrors = with.mirrors.into_iter().filter(|mirror| read.contains(&mirror.buffer)).collect();
        }
    }

    /// Mirrors of the plan that may be kept.
    fn kept(&self, state: &State) -> Result<Vec<Mirrored>> {
        let statement = self.maker.statement(self.id)?;
        let mut out = Vec::new();
        for plan in &self.plan.mirrors {
            let access = statement.accesses.get(plan.access.0);
            let access = access.ok_or_else(|| Error::Malformed("an access that is not there".into()))?;
            if !access.is_plain() || access.kind.writes() || access.subscripts.len() != 2 {
                continue;
            }
            let moves = |(e, member): (&Affine, usize)| {
                let around = e.space().dims - self.members.len();
                (0..self.members.len()).all(|m| e.dim_coeff(around + m) == i64::from(m == member))
            };
            let cell = self.cell_by_times(plan.access, state)?;
            if !cell.is_some_and(|(_, subscripts)| subscripts.iter().zip(plan.members).all(moves)) {
                continue;
            }
            let mut writes = Vec::new();
            for active in &state.actives {
                let accesses = self.maker.statement(active.id)?.accesses.iter();
                writes.extend(accesses.filter(|a| a.kind.writes() && a.array == access.array).map(|a| (active, a)));
            }
            let mut is_done = true;
            for (active, write) in &writes {
                is_done &= write.is_plain() && self.is_done(plan, state, active, &write.subscripts)?;
            }
            let entered = |m: usize| self.plan.tiles[..plan.depth].iter().rev().find(|t| t.member == m).map(|t| t.size);
            let cells = entered(plan.members[0]).and_then(|rows| rows.checked_mul(plan.row));
            let cells = cells.and_then(|cells| u64::try_from(cells).ok());
            if let Some(cells) = cells.filter(|_| is_done) {
                let mirror = Some(Mirror { row: plan.row });
                let buffer = self.maker.buffer(Buffer { array: access.array, cells, mirror });
                out.push(Mirrored { plan: plan.clone(), buffer, written: !writes.is_empty() });
            }
        }
        Ok(out)
    }

    /// The tile loop that orders the cells of a mirror.
    fn along(&self, plan: &MirrorPlan) -> Result<TileLoop> {
        let tile = self.plan.tiles.get(plan.order).copied();
        tile.ok_or_else(|| Error::Malformed("a mirror inside of tiles that are not there".into()))
    }

    /// Does no instance of a statement store to a cell of an earlier tile, in the same iteration of all loops around these tiles?
    fn is_done(&self, plan: &MirrorPlan, state: &State, writer: &Active, subscripts: &[Affine]) -> Result<bool> {
        let reader = self.main(state).ok_or_else(|| Error::Malformed("a micro-kernel without its statement".into()))?;
        let (around, own) = (state.context.space().dims, |active: &Active| active.relation.space().dims);
        let (of_reader, of_writer) = (own(reader) - around, own(writer) - around);
        let entered = &self.plan.tiles[..plan.order];
        // `[1 | N | V, iterators of both, tile numbers]`
        let params = state.context.space().params;
        let space = Space::new(params, around + of_reader + of_writer + entered.len() + 1);
        let reader_at: Vec<usize> = (0..around + of_reader).collect();
        let writer_at: Vec<usize> = (0..around).chain((0..of_writer).map(|d| around + of_reader + d)).collect();
        let mut both = reader.relation.embed(space, &reader_at);
        for row in writer.relation.embed(space, &writer_at).constraints() {
            both.add(row.clone());
        }
        let time = |active: &Active, at: &[usize], member: usize| -> Result<Affine> {
            Ok(self.maker.row(active, self.row_of(member, active.id)?, 0)?.embed(space, at))
        };
        for member in 0..self.plan.outer {
            let (a, b) = (time(reader, &reader_at, member)?, time(writer, &writer_at, member)?);
            both.add(Constraint::eq(a.sub(&b)?));
        }
        let first_tile = around + of_reader + of_writer;
        for (k, tile) in entered.iter().enumerate() {
            let number = Affine::dim(space, first_tile + k);
            for (active, at) in [(reader, &reader_at), (writer, &writer_at)] {
                within(&time(active, at, tile.member)?, &number, tile.size)?.into_iter().for_each(|row| both.add(row));
            }
        }
        let access = &self.maker.statement(self.id)?.accesses[plan.access.0];
        let lifted = |e: &Affine, active: &Active, at: &[usize]| -> Result<Affine> {
            Ok(self.maker.row(active, e, 0)?.embed(space, at))
        };
        for (read, written) in access.subscripts.iter().zip(subscripts) {
            let (a, b) = (lifted(read, reader, &reader_at)?, lifted(written, writer, &writer_at)?);
            both.add(Constraint::eq(a.sub(&b)?));
        }
        // The cell is of this tile, and is stored to in a later one.
        let along = self.along(plan)?;
        let number = Affine::dim(space, first_tile + entered.len());
        let of_cell = time(reader, &reader_at, plan.members[1])?;
        within(&of_cell, &number, along.size)?.into_iter().for_each(|row| both.add(row));
        let stored = time(writer, &writer_at, along.member)?;
        both.add(Constraint::ge(stored.combine(1, &number, -along.size)?.offset(-along.size)?));
        Ok(both.is_empty(self.maker.budget)?)
    }

    /// Copies cells to the mirrors that are made inside so many tile loops, and says that they are there.
    pub(super) fn mirrors_at(&self, at: usize, state: &State) -> Result<(Vec<AstNode>, State)> {
        let (mut out, mut inside) = (Vec::new(), state.clone());
        for mirror in self.mirrors.iter().filter(|mirror| mirror.plan.depth == at) {
            let (mut cells, exact) = self.shadow(state, &mirror.plan.members)?;
            if !exact {
                continue;
            }
            if mirror.written {
                let first = widen_expr(&self.first_not_done(mirror, state)?, mirror.plan.members.len());
                let of_cell = Affine::dim(cells.space(), cells.space().dims - 1);
                cells.add(Constraint::ge(first.offset(-1)?.sub(&of_cell)?));
            }
            let pack = mirror.pack();
            let MirrorPlan { members: [_, second], line, row, .. } = mirror.plan;
            let (deeper, line) = (vec![(second, line)], Some(Line { cells: line, row }));
            let then = Copy { owner: self, pack: &pack, buffer: mirror.buffer, deeper, line }.tile(0, state, &cells)?;
            if !then.is_empty() {
                let conditions = vec![Condition::Granted(mirror.buffer)];
                out.push(AstNode::If { conditions, then, otherwise: Vec::new() });
            }
            inside.mirrors.push(mirror.clone());
        }
        Ok((out, inside))
    }

    /// The depth's first value of the tile that we are in, of the loop that orders cells.
    fn first_not_done(&self, mirror: &Mirrored, state: &State) -> Result<Affine> {
        let tile = state.tiles.iter().filter(|t| t.planned).nth(mirror.plan.order);
        let tile = tile.ok_or_else(|| Error::Malformed("a mirror outside of its tiles".into()))?;
        Ok(state.here(&tile.value).scale(tile.size)?)
    }

    /// Where in its mirror the cell of the current point lies.
    pub(super) fn place_in_line(&self, pack: &PackPlan, row: i64, state: &State) -> Result<Affine> {
        let outside = |m: usize| {
            let tile = state.tiles[..pack.depth.min(state.tiles.len())].iter().rev().find(|t| t.member == m);
            tile.ok_or_else(|| Error::Malformed("a mirror outside of its tiles".into()))
        };
        let within = |m: usize, tile: &Entered| {
            let time = state.times[m].as_ref();
            let time = time.ok_or_else(|| Error::Malformed("a mirror outside of its points".into()))?;
            Ok::<_, Error>(state.here(time).combine(1, &state.here(&tile.value), -tile.size)?)
        };
        let mut index = Affine::zero(state.context.space());
        for (&member, cells) in pack.members.iter().zip([row, 1]) {
            index = index.combine(1, &within(member, outside(member)?)?, cells)?;
        }
        Ok(index)
    }

    /// Statement instances that may read mirrors.
    pub(super) fn with_mirrored(&self, nodes: Vec<AstNode>, state: &State) -> Result<Vec<AstNode>> {
        let mut mirrored = Vec::new();
        for mirror in &state.mirrors {
            if mirror.written && !self.is_earlier(mirror, state)? {
                continue;
            }
            let index = self.place_in_line(&mirror.pack(), mirror.plan.row, state)?;
            mirrored.push((mirror.plan.access, Place { buffer: mirror.buffer, index }));
        }
        if mirrored.is_empty() {
            return Ok(nodes);
        }
        let with = |call: Call| Call { mirrored: mirrored.clone(), ..call };
        Ok(nodes.into_iter().map(|n| fed(n, &with)).collect())
    }

    /// Is the cell that is read here of an earlier tile, for certain?
    fn is_earlier(&self, mirror: &Mirrored, state: &State) -> Result<bool> {
        let Some(time) = state.times[mirror.plan.members[1]].as_ref() else { return Ok(false) };
        let first = self.first_not_done(mirror, state)?;
        implied(&Constraint::ge(first.offset(-1)?.sub(&state.here(time))?), &state.context, self.maker.budget)
    }
}

/// The mirrors from which calls read.
fn read_from(nodes: &[AstNode], out: &mut BTreeSet<BufferId>) {
    for node in nodes {
        match node {
            AstNode::Call(call) => out.extend(call.mirrored.iter().map(|(_, place)| place.buffer)),
            AstNode::For(f) => read_from(&f.body, out),
            AstNode::Held(h) => read_from(&h.body, out),
            AstNode::If { then, otherwise, .. } => {
                read_from(then, out);
                read_from(otherwise, out);
            }
            AstNode::Scratch(s) => {
                read_from(&s.body, out);
                read_from(&s.otherwise, out);
            }
            AstNode::Pack(_) | AstNode::Fetch(_) => {}
        }
    }
}
