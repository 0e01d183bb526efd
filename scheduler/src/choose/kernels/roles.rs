//! Which loop becomes vectors, which rows, which stay outside; and what a kernel with them costs.

use super::{
    COPY, DECIDED, LINE, LOAD, LOSSES, PLAIN_SCALAR, PLAIN_VECTORS, SHORTEST_DEPTH, SHORTEST_KNOWN_DEPTH, SLIDING,
    STREAMS, TILE_OF_DEPTH,
};
use crate::cost::lanes::{MASKED, MOST_APART, cells_apart};
use crate::cost::nest::Path;
use crate::cost::{CHAIN_FMA, overlap};
use crate::machine::Machine;
use crate::scop::{AccessKind, Scop, StatementId};
use polyhedra::Matrix;

/// Cycles to load and to store a part of a vector on machines without masks, where there is an instruction for that (`vmaskmov`).
const UNMASKED_LOAD: f64 = 1.5;
const UNMASKED_STORE: f64 = 10.0;

/// More cells of a tile are not stored one by one: all of that is code (measured on 14 rows of 64 bytes, every second of which is stored to: 8 seconds to compile).
const MOST_ONE_BY_ONE: i64 = 256;

/// A band that could be blocked.
pub(super) struct Candidate<'a> {
    pub(super) scop: &'a Scop,
    pub(super) machine: &'a Machine,
    pub(super) id: StatementId,
    pub(super) path: &'a Path,
    /// Steps of the band in the path: from here to the end.
    pub(super) first: usize,
    pub(super) bytes: i64,
    /// Does the path walk columns from the last to the first? Its movements are those of the other direction then.
    pub(super) reversed: bool,
    /// Do other statements share the loops? Tiles where they run have corners, or are plain loops.
    pub(super) together: bool,
    /// Is its sum over a window that only the ends of the domain cut off?
    pub(super) padded: bool,
    /// Do other nests share loops around? Nothing is copied there.
    pub(super) is_inside: bool,
    /// Which steps of the path are parallel where they stand.
    pub(super) parallel: Vec<bool>,
    /// So many steps directly outside of the band are sums, too, and may run inside of its tiles, in the order of the source.
    pub(super) sums: usize,
}

/// Roles of the members, as steps of the path.
#[derive(Clone)]
pub(super) struct Roles {
    pub(super) outer: Vec<usize>,
    pub(super) depth: Vec<usize>,
    /// Along which an operand of the columns, once copied, is used again; one value at a time.
    pub(super) inner: Vec<usize>,
    pub(super) row: Option<usize>,
    pub(super) column: usize,
}

/// Sizes in registers.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Tile {
    pub(super) rows: i64,
    pub(super) vectors: i64,
    pub(super) lanes: i64,
    /// Steps of the depth that are unrolled.
    pub(super) steps: i64,
}

impl Roles {
    pub(super) fn order(&self) -> Vec<usize> {
        self.outer.iter().chain(&self.depth).copied().chain(self.rows()).chain([self.column]).collect()
    }

    /// Those of the rows' operand.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.inner.iter().copied().chain(self.row)
    }

    /// The same where the steps, which are given in their new order, have new numbers; of the outer ones those from `first` on.
    pub(super) fn renumbered(&self, order: &[usize], first: usize) -> Self {
        let at = |s: &usize| order.iter().position(|o| o == s).unwrap_or(*s);
        let all = |steps: &[usize]| steps.iter().map(at).collect::<Vec<usize>>();
        Self {
            outer: all(&self.outer).into_iter().filter(|&s| s >= first).collect(),
            depth: all(&self.depth),
            inner: all(&self.inner),
            row: self.row.as_ref().map(at),
            column: at(&self.column),
        }
    }

    /// The order in which a kernel goes through memory where nothing is used again.
    pub(super) fn streamed(&self, tile: Tile) -> Vec<usize> {
        let outer = self.outer.iter().copied().chain(self.row);
        if tile.steps > 1 {
            outer.chain([self.column]).chain(self.depth.iter().copied()).collect()
        } else {
            outer.chain(self.depth.iter().copied()).chain([self.column]).collect()
        }
    }
}

/// Operations of a step of the depth.
struct Operations {
    /// On vectors, by the units of multiply-adds.
    wide: f64,
    /// On scalars.
    narrow: f64,
    /// On vectors, by other units.
    beside: f64,
}

/// Numbers of parts.
const MOST_PARTS: std::ops::RangeInclusive<i64> = 2..=4;

impl Candidate<'_> {
    pub(super) fn extent(&self, step: usize) -> f64 {
        self.path.steps[step].extent.max(1.0)
    }

    /// Does the access move along the step from cell to neighbour?
    pub(super) fn is_unit(&self, access: usize, step: usize) -> bool {
        let by = &self.path.accesses[access].by[step];
        by.split_last().is_some_and(|(last, others)| *last == 1 && others.iter().all(|c| *c == 0))
    }

    /// Does the access move along the step over few cells, as along a part of numbers that lie behind each other: real and imaginary ones?
    fn is_part(&self, access: usize, step: usize) -> bool {
        let by = &self.path.accesses[access].by[step];
        by.split_last().is_some_and(|(last, others)| MOST_PARTS.contains(last) && others.iter().all(|c| *c == 0))
    }

    pub(super) fn moves(&self, access: usize, step: usize) -> bool {
        self.path.accesses[access].moves(step)
    }

    pub(super) fn reads(&self) -> impl Iterator<Item = usize> + '_ {
        let written = &self.path.accesses[0];
        (1..self.path.accesses.len()).filter(move |&k| {
            let a = &self.path.accesses[k];
            // The accumulator is no operand, and a cell that is read twice is one.
            let accumulator = a.array == written.array && a.by == written.by && a.base == written.base;
            !accumulator && !self.path.accesses[1..k].contains(a)
        })
    }

    /// The cheapest roles and tile.
    pub(super) fn best(&self, choosy: bool) -> Option<(Roles, Tile, f64)> {
        let steps: Vec<usize> = (self.first..self.path.steps.len()).collect();
        let depth: Vec<usize> = steps.iter().copied().filter(|&s| !self.moves(0, s)).collect();
        let summed = || (self.first - self.sums..self.first).chain(depth.iter().copied());
        let trips: f64 = summed().map(|s| self.extent(s)).product();
        let is_known = summed().all(|s| self.path.steps[s].exact.is_some());
        let shortest = if is_known { SHORTEST_KNOWN_DEPTH } else { SHORTEST_DEPTH };
        if depth.is_empty() || (choosy && trips < shortest) {
            return None;
        }
        let moving: Vec<usize> = steps.iter().copied().filter(|s| !depth.contains(s)).collect();
        let mut best: Option<(Roles, Tile, f64)> = None;
        for &column in moving.iter().filter(|&&c| self.is_unit(0, c) || self.is_part(0, c)) {
            let lanes = self.lanes_along(column);
            let rows = moving.iter().copied().filter(|&r| r != column).map(Some);
            let alone = self.is_unit(0, column).then_some(None);
            for row in rows.chain(alone) {
                if let Some(row) = row
                    && choosy
                    && (self.extent(row).round() < DECIDED || self.reads().all(|a| self.moves(a, row)))
                {
                    continue;
                }
                let others = moving.iter().copied().filter(|&s| Some(s) != row && s != column);
                let (inner, outer) = others.partition(|&s| row.is_some_and(|row| self.is_inner(s, row, column)));
                let roles = Roles { outer, depth: self.depth_order(&depth), inner, row, column };
                let rows = self.rows_of_tiles(&roles);
                let tiles = self.squares(&roles, lanes).into_iter().flat_map(|(lanes, steps)| {
                    let few = move |vectors: &i64| steps == 1 || *vectors == 1 || vectors * lanes <= STREAMS;
                    let tile = move |vectors| rows.iter().map(move |&rows| Tile { rows, vectors, lanes, steps });
                    (1..=4).filter(few).flat_map(tile)
                });
                for tile in tiles {
                    let cycles = self.cycles(&roles, tile);
                    let better = |(other, _, least): &(Roles, Tile, f64)| {
                        let nearer = other.column == column && self.reach(row) < self.reach(other.row);
                        cycles < *least * if nearer { 1.001 } else { 0.999 }
                    };
                    let in_common = self.is_in_common(&roles, tile) || !choosy;
                    if tile.lanes >= 2 && in_common && self.fits(&roles, tile) && best.as_ref().is_none_or(better) {
                        best = Some((roles.clone(), tile, cycles));
                    }
                }
            }
        }
        best
    }

    /// Has what the cells of a tile sum up most in common? Windows that move with them may have nothing, and blocks that they walk never do.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn is_in_common(&self, roles: &Roles, tile: Tile) -> bool {
        let columns = (roles.column, tile.vectors.saturating_mul(tile.lanes));
        let sizes = roles.row.map(|row| (row, tile.rows)).into_iter().chain([columns]);
        let sizes: Vec<(usize, f64)> = sizes.map(|(step, size)| (step, (size - 1) as f64)).collect();
        let steps = &self.path.steps;
        // Either may be inside of the other.
        let follows = |a: usize, b: usize| {
            let walks = steps[a].walked_by.contains(&steps[b].of);
            if walks { Some(0.0) } else { steps[a].follows.contains(&steps[b].of).then_some(steps[a].least) }
        };
        (0..steps.len()).filter(|&s| Some(s) != roles.row && s != roles.column).all(|s| {
            // What stands outside of the tile although it follows it leaves as little of it.
            let is_depth = roles.depth.contains(&s);
            let either = |t: usize| follows(s, t).or_else(|| follows(t, s).filter(|_| is_depth));
            let windows = || sizes.iter().filter_map(|&(t, apart)| Some((either(t)?, apart)));
            let apart: f64 = windows().map(|(_, apart)| apart).sum();
            windows().all(|(width, _)| 2.0 * apart <= width)
        })
    }

    /// Lanes of the widest vectors, of shorter ones where that is all there is along a loop.
    fn lanes_along(&self, column: usize) -> i64 {
        let widest = i64::from(self.machine.widest_bits / 8) / self.bytes;
        let known = self.path.steps[column].exact.and_then(|n| u64::try_from(n).ok()?.checked_next_power_of_two());
        known.and_then(|n| i64::try_from(n).ok()).map_or(widest, |n| widest.min(n.max(2)))
    }

    /// Rows that a tile may have.
    pub(super) fn rows_of_tiles(&self, roles: &Roles) -> &'static [i64] {
        match roles.row {
            // In corners they become lanes ([`super::corners`]): one by one they would take as long as all else (measured for 3x12 against 12x4).
            Some(row) if self.together && self.parallel[row] && !self.parallel[roles.column] => &[2, 4, 8, 12],
            Some(_) if self.together => &[2, 3, 4, 8, 12],
            Some(_) => &[2, 3, 4, 5, 6, 7, 8, 10, 12, 14],
            None => &[1],
        }
    }

    /// Lanes of a vector, and steps that are unrolled with them: as many where operands are loaded in square blocks, of shorter vectors if the registers do not hold such a block of whole ones.
    fn squares(&self, roles: &Roles, lanes: i64) -> Vec<(i64, i64)> {
        let in_blocks = |a| self.is_block(a, roles) && !self.is_packed(a, roles);
        if !self.reads().any(in_blocks) {
            return std::iter::once(lanes).chain(self.halves(roles.column, lanes)).map(|lanes| (lanes, 1)).collect();
        }
        let mut side = lanes;
        while 2 * side >= i64::from(self.machine.vector_registers) {
            side /= 2;
        }
        // Without rows every block is used once: cell by cell it takes as long as without vectors.
        let apart = roles.row.map(|_| (lanes, 1));
        std::iter::once((side, side)).chain(apart).collect()
    }

    /// Half as many lanes, where the last vector of a row that is known has no more, and two of them take no longer than a whole one (measured for Zen 4 on products of 5 to 24 rows: 9, 10 and 12 doubles and 17 to 24 floats 1.1 to
    /// 1.6 times as fast, 5, 7 and 14 doubles 0.3 to 0.9; for Haswell 5 to 7 doubles 0.4 to 1.25).
    fn halves(&self, column: usize, lanes: i64) -> Option<i64> {
        let half = lanes / 2;
        let row = self.path.steps[column].exact?;
        let is_rest = half >= 2 && (1..=half).contains(&(row % lanes));
        let cycles = |lanes: i64| Some(self.machine.fma_cycles(u32::try_from(lanes.checked_mul(self.bytes)?).ok()?));
        (is_rest && row > lanes && 2.0 * cycles(half)? <= cycles(lanes)?).then_some(half)
    }

    /// Long loops outside, short ones inside.
    fn depth_order(&self, depth: &[usize]) -> Vec<usize> {
        let mut out = depth.to_vec();
        let short = |s: &usize| self.path.steps[*s].exact.is_some_and(|n| n < 16);
        out.sort_by_key(|s| (short(s), *s));
        out
    }

    /// How many subscripts lie between the one that the step moves and the last, over all accesses: the more the further apart are cells.
    fn reach(&self, step: Option<usize>) -> usize {
        let Some(step) = step else { return 0 };
        let reach = |by: &Vec<i64>| by.iter().position(|c| *c != 0).map_or(0, |d| by.len() - 1 - d);
        self.path.accesses.iter().map(|a| reach(&a.by[step])).sum()
    }

    /// Is every operand of the columns used again along the step?
    fn is_inner(&self, step: usize, row: usize, column: usize) -> bool {
        let mut of_columns = self.reads().filter(|&a| self.moves(a, column) && !self.moves(a, row)).peekable();
        of_columns.peek().is_some() && of_columns.all(|a| !self.moves(a, step))
    }

    /// Vectors that stay in registers over the depth although they are only read.
    fn held(&self, access: usize, roles: &Roles) -> bool {
        self.moves(access, roles.column) && !roles.depth.iter().any(|&s| self.moves(access, s))
    }

    /// Has it no more registers than there are? One stays free, since LLVM moves accumulators to and from the stack where a number that something else wants is in one; but in solves, whose tiles have few
    /// rows, because these or the columns are lanes of corners, all are taken, and others are kept out (`Blocking::fills`): with fewer sums additions would be waited for (measured on Zen 3, 4x8 -> 4x12, n = 32,
    /// 64, 100, 200, 500, 1000: solves by columns 1.31, 1.19, 1.16, 1.3, 1.28, 1.1 times as fast, by rows 0.9, 1.02, 1.1, 1.03, 1.12, 1.16; LU, whose corners grow in both directions, 0.78, 0.93, 1, 0.92, 1.05, 1.1).
    pub(super) fn fits(&self, roles: &Roles, tile: Tile) -> bool {
        let solves = self.together && roles.row.is_some_and(|row| self.parallel[row] || self.parallel[roles.column]);
        let free = i64::from(!solves);
        let cells = if self.stores_one_by_one(roles) { tile.rows * tile.vectors * tile.lanes } else { 0 };
        cells <= MOST_ONE_BY_ONE && self.registers(roles, tile) + free <= i64::from(self.machine.vector_registers)
    }

    /// Accumulators, operands that are held, the vectors of one step, one for a scalar, one for a product that is not fused with its sum, or is of more than two factors.
    pub(super) fn registers(&self, roles: &Roles, tile: Tile) -> i64 {
        let chained = self.joining() > 1;
        let product = i64::from(!self.machine.fused || chained);
        let held: i64 = self.reads().filter(|&a| self.held(a, roles)).map(|_| tile.vectors).sum();
        let streams = |a: &usize| {
            let by_row = roles.row.is_some_and(|row| self.moves(*a, row));
            self.moves(*a, roles.column) && !by_row && !self.held(*a, roles)
        };
        let streamed: i64 = self.reads().filter(streams).map(|_| tile.vectors).sum();
        // A block, while it is transposed.
        let operands = if tile.steps > 1 { 2 * tile.steps } else { streamed.max(tile.vectors) };
        tile.rows * tile.vectors + operands + held + 1 + product
    }

    /// Are vectors of the columns stored cell by cell?
    fn stores_one_by_one(&self, roles: &Roles) -> bool {
        let write = &self.path.accesses[0];
        let apart = cells_apart(write, roles.column);
        let at_once = self.machine.masks && self.bytes >= MASKED && apart.is_some_and(|by| by <= MOST_APART);
        !self.is_unit(0, roles.column) && !at_once
    }

    /// Are its cells apart from column to column and neighbours from step to step?
    fn is_block(&self, access: usize, roles: &Roles) -> bool {
        let a = &self.path.accesses[access];
        // Squares have as many rows as a vector of the stored cells has lanes.
        if self.is_narrow(access) {
            return false;
        }
        let across = a.by[roles.column].split_last().is_some_and(|(_, others)| others.iter().any(|c| *c != 0));
        let along = roles.depth.last().is_some_and(|&s| {
            a.by[s].split_last().is_some_and(|(last, others)| last.abs() == 1 && others.iter().all(|c| *c == 0))
        });
        across && along
    }

    /// Operations that need more than a few reads.
    fn joining(&self) -> u32 {
        let statement = &self.scop.statements[self.id.0];
        statement.operations.0.saturating_sub(statement.alone.values().map(|(simple, _)| simple).sum())
    }

    /// Are the cells narrower than those that are stored? Then they are widened before anything else.
    fn is_narrow(&self, access: usize) -> bool {
        let array = self.path.accesses[access].array;
        i64::try_from(self.scop.arrays[array.0].element_bytes).is_ok_and(|bytes| bytes < self.bytes)
    }

    /// Is there work on copied operands that is done once, with the copy?
    pub(super) fn is_any_prepared(&self, roles: &Roles) -> bool {
        let alone = &self.scop.statements[self.id.0].alone;
        let prepared = |a: usize| self.is_narrow(a) || alone.get([a].as_slice()).is_some_and(|&(count, _)| count > 0);
        self.reads().any(|a| self.is_packed(a, roles) && prepared(a))
    }

    /// Operations of a step. Those on some operands alone are done once for all that use them, and where one is copied when it is.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn operations(&self, roles: &Roles, tile: Tile) -> Operations {
        let (rows, vectors) = (tile.rows as f64, tile.vectors as f64);
        let mut all = Operations { wide: f64::from(self.joining().max(1)) * rows * vectors, narrow: 0.0, beside: 0.0 };
        for (accesses, &(count, _)) in &self.scop.statements[self.id.0].alone {
            let along = roles.row.is_some_and(|row| accesses.iter().any(|&a| self.moves(a, row)));
            let copies = if along { rows } else { 1.0 };
            let across = accesses.iter().any(|&a| self.moves(a, roles.column));
            let copied = accesses.len() == 1 && self.is_packed(accesses[0], roles);
            match (copied && (along || across), across) {
                (true, _) => {}
                (false, true) => {
                    let widens = self.machine.converts_beside && matches!(accesses[..], [one] if self.is_narrow(one));
                    let beside = count.min(u32::from(widens));
                    all.wide += f64::from(count - beside) * copies * vectors;
                    all.beside += f64::from(beside) * copies * vectors;
                }
                (false, false) => all.narrow += f64::from(count) * copies,
            }
        }
        // Widened numbers come to all lanes from a register, not from memory.
        for a in
            self.reads().filter(|&a| self.is_narrow(a) && !self.moves(a, roles.column) && !self.is_packed(a, roles))
        {
            all.wide += if roles.row.is_some_and(|row| self.moves(a, row)) { rows } else { 1.0 };
        }
        all
    }

    /// Cycles of one step of the depth for a tile, and those in which its sums wait for each other.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    pub(super) fn step(&self, roles: &Roles, tile: Tile) -> (f64, f64) {
        let m = self.machine;
        let (rows, vectors, lanes) = (tile.rows as f64, tile.vectors as f64, tile.lanes as f64);
        let vector_bytes = lanes * self.bytes as f64;
        let Operations { wide, narrow, beside } = self.operations(roles, tile);
        let interval = 1.0 / m.fmas_per_cycle;
        let of_vectors = interval.max(vector_bytes / m.fma_bytes_per_cycle);
        let sums = f64::from(self.scop.statements[self.id.0].sums) * rows * vectors;
        let arithmetic = (m.slots(wide, sums.min(wide)) * of_vectors + narrow * interval).max(beside * of_vectors);
        let (mut loads, mut bytes, mut inserts, mut lines) = (0.0, 0.0, 0.0, 0.0);
        for a in self.reads() {
            let by_row = roles.row.is_some_and(|row| self.moves(a, row));
            if by_row && self.moves(a, roles.column) {
                // The first level does not have what is used once; the next step may want the neighbours.
                let fresh = if self.slides(a, roles) { self.bytes as f64 } else { vectors * vector_bytes };
                lines += rows * fresh / m.line_bytes as f64;
            }
            let copies = if by_row { rows } else { 1.0 };
            if tile.steps > 1 && self.is_block(a, roles) {
                // By halves, which one stage of the transposition is loaded with.
                loads += 2.0 * vectors;
                bytes += vectors * vector_bytes;
                inserts += vectors * (lanes.log2() - 1.0).max(1.0);
            } else if self.held(a, roles) && copies <= 1.0 {
                // Loaded once for a tile of the depth.
            } else if self.moves(a, roles.column) {
                if self.is_packed(a, roles) || self.is_unit(a, roles.column) {
                    loads += copies * vectors;
                    bytes += copies * vectors * vector_bytes;
                } else {
                    loads += copies * vectors * lanes;
                    inserts += copies * vectors * lanes;
                }
            } else {
                loads += copies;
                bytes += copies * self.bytes as f64;
            }
        }
        let chain = f64::from(self.scop.statements[self.id.0].chain_latency);
        let waits = chain * m.fma_latency / CHAIN_FMA;
        let issue = (wide + narrow + beside + loads + inserts + 2.0) / m.issue_width;
        let step = arithmetic
            .max(loads / m.loads_per_cycle)
            .max(bytes / m.load_bytes_per_cycle)
            .max(inserts)
            .max(issue)
            .max(waits)
            // Of equals the one with fewer loads.
            + LOAD * loads;
        (overlap(step, lines * m.line_from_l2), waits)
    }

    /// Cycles of a step for vectors of the columns that are put together cell by cell, once for all rows.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn put_together(&self, roles: &Roles, tile: Tile) -> f64 {
        let by_row = |a: usize| roles.row.is_some_and(|row| self.moves(a, row));
        let in_blocks = |a: usize| tile.steps > 1 && self.is_block(a, roles);
        let apart =
            |a: &usize| self.is_scattered(*a, roles) && !by_row(*a) && !self.is_packed(*a, roles) && !in_blocks(*a);
        self.reads().filter(apart).count() as f64 * (tile.vectors * tile.lanes) as f64
    }

    /// Is the next step's vector the same but for one cell?
    fn slides(&self, access: usize, roles: &Roles) -> bool {
        self.is_unit(access, roles.column) && roles.depth.last().is_some_and(|&s| self.is_unit(access, s))
    }

    /// Depth of the tiles of a sum without rows: each step has lines of its own, unless operands slide.
    pub(super) fn depth_alone(&self, roles: &Roles) -> i64 {
        let slides = self.reads().all(|a| !self.moves(a, roles.column) || self.slides(a, roles));
        if slides { SLIDING } else { STREAMS }
    }

    /// Cycles to load and store the accumulators of a tile: cell by cell, where they are parts of numbers.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    pub(super) fn around(&self, roles: &Roles, tile: Tile) -> f64 {
        let at_once = if self.is_unit(0, roles.column) { 1 } else { 2 * tile.lanes };
        2.0 * (tile.rows * tile.vectors * at_once) as f64 / self.machine.stores_per_cycle + 10.0
    }

    /// How many of the sums outside of the band run inside of its tiles: all, if nothing is copied there and there are rows that use operands again.
    pub(super) fn sums_held(&self, roles: &Roles) -> usize {
        let copies = self.reads().any(|a| self.is_packed(a, roles));
        if copies || roles.row.is_none() || !roles.outer.is_empty() { 0 } else { self.sums }
    }

    /// Iterations of the sum for which cells stay in registers, if nothing is cut.
    pub(super) fn depth(&self, roles: &Roles) -> f64 {
        let around = self.first - self.sums_held(roles);
        (around..self.first).chain(roles.depth.iter().copied()).map(|s| self.extent(s)).product()
    }

    /// Cycles of all of the nest.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    pub(super) fn cycles(&self, roles: &Roles, tile: Tile) -> f64 {
        let (rows, vectors, lanes) = (tile.rows as f64, tile.vectors as f64, tile.lanes as f64);
        let (step, waits) = self.step(roles, tile);
        // Copied operands come from the second level.
        let streamed = LINE * self.slivers(roles, tile);
        let around = self.first - self.sums_held(roles);
        let depth = self.depth(roles);
        let packed = self.reads().filter(|&a| self.is_packed(a, roles) && !(tile.steps > 1 && self.is_block(a, roles)));
        let copied: f64 = packed.map(|a| COPY * self.copied(a, roles)).sum();
        let outside = (0..around).chain(roles.outer.iter().chain(&roles.inner).copied());
        let others: f64 = outside.map(|s| self.extent(s)).product();
        // What is left at the ends runs by vectors, and by pairs of rows: it takes at least as long as sums wait for each other, and as what all rows share.
        let tiles_of = |n: f64, exact: Option<i64>, size: f64, at_once: f64, least: f64| {
            let rest = exact.map_or((size - 1.0) / 2.0, |_| n % size).min(n);
            (n - rest) / size + rest / at_once * (at_once / size).max(least / step)
        };
        let column = &self.path.steps[roles.column];
        let vectors_of = column.exact.map_or(column.extent / lanes + 0.5, |n| (n as f64 / lanes).ceil());
        let columns = tiles_of(vectors_of, column.exact, vectors, 1.0, waits);
        let shared = waits.max(self.put_together(roles, tile));
        let row_tiles =
            roles.row.map_or(1.0, |s| tiles_of(self.extent(s), self.path.steps[s].exact, rows, 2.0, shared));
        let steps = columns * row_tiles * others * depth;
        // Accumulators are loaded and stored for every tile of the depth.
        let around = self.around(roles, tile);
        let tiles = steps
            / depth.min(if roles.row.is_some() || tile.steps > 1 {
                TILE_OF_DEPTH
            } else {
                self.depth_alone(roles) as f64
            });
        let plain = if self.together {
            let part = (vectors * lanes / (2.0 * depth.max(1.0))).min(1.0);
            self.path.instances() * part * if self.is_contiguous(roles) { PLAIN_VECTORS } else { PLAIN_SCALAR }
        } else {
            0.0
        };
        let exact = |s: usize| self.path.steps[s].exact;
        let cycles = match (roles.row.and_then(exact), exact(roles.column)) {
            (Some(rows), Some(columns)) if !self.together => others * self.tiles(roles, tile, (rows, columns), depth),
            _ => steps * step + tiles * around,
        };
        // What is left of the columns takes longer without masks.
        let left = exact(roles.column).is_some_and(|n| n % (tile.vectors * tile.lanes) != 0);
        let unmasked = if left && !self.machine.masks {
            let all_rows = roles.row.map_or(1.0, |s| self.extent(s));
            others * (UNMASKED_LOAD * depth * row_tiles + UNMASKED_STORE * all_rows)
        } else {
            0.0
        };
        let cycles = cycles + unmasked + steps * streamed;
        cycles * LOSSES + copied + plain
    }

    /// Do all operands that move along the column move from cell to neighbour?
    pub(super) fn is_contiguous(&self, roles: &Roles) -> bool {
        self.reads().all(|a| !self.moves(a, roles.column) || self.is_unit(a, roles.column))
    }

    /// Is there an operand with a cell for each iteration, of which a tile uses nothing again?
    pub(super) fn uses_once(&self, roles: &Roles) -> bool {
        let jammed: Vec<usize> = roles.depth.iter().copied().chain(roles.row).chain([roles.column]).collect();
        self.reads().any(|a| {
            let moved: Vec<Vec<i64>> = jammed.iter().map(|&step| self.path.accesses[a].by[step].clone()).collect();
            let subscripts = self.path.accesses[a].base.len();
            Matrix::new(moved, subscripts).rank().is_ok_and(|rank| rank == jammed.len())
        })
    }

    /// Do columns begin or end with the row, or rows with the column?
    pub(super) fn is_triangle(&self, roles: &Roles) -> bool {
        let leans = |a: usize, b: usize| self.path.steps[a].leans_on.contains(&self.path.steps[b].of);
        roles.row.is_some_and(|row| leans(row, roles.column) || leans(roles.column, row))
    }

    /// Cycles for the lines of the largest operand when the second level has them, and its bytes in an iteration of the outermost loop.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    pub(super) fn matrix(&self, roles: &Roles) -> (f64, f64) {
        let bytes = self.reads().map(|a| self.cells(a)).fold(0.0, f64::max) * self.bytes as f64;
        let most = roles.depth.iter().chain([&roles.column]).map(|&s| self.extent(s)).fold(1.0, f64::max);
        (bytes / self.machine.line_bytes as f64 * self.machine.line_from_l2, bytes / most)
    }

    /// Cells that are copied of an operand: those of the band inside of the outer loops, for each iteration of these.
    fn copied(&self, access: usize, roles: &Roles) -> f64 {
        let inside = |s: usize| s >= self.first && !roles.outer.contains(&s);
        let copied = (0..self.path.steps.len()).filter(|&s| !inside(s) || self.moves(access, s));
        copied.map(|s| self.extent(s)).product()
    }

    /// Cells of an operand.
    fn cells(&self, access: usize) -> f64 {
        (self.first..self.path.steps.len()).filter(|&s| self.moves(access, s)).map(|s| self.extent(s)).product()
    }

    /// Is it copied, at least for some sizes?
    pub(super) fn is_packed(&self, access: usize, roles: &Roles) -> bool {
        self.is_packable(access, roles) && roles.row.is_some_and(|row| self.may_pack(roles, row))
    }

    /// Moves with depth and with either row or column, each subscript with at most one of the loops around which it is not copied; and is not stored to. A copy for every
    /// iteration of an outer loop pays only where it puts cells side by side that are not.
    pub(super) fn is_packable(&self, access: usize, roles: &Roles) -> bool {
        let a = &self.path.accesses[access];
        let Some(row) = roles.row else { return false };
        let jammed = self.moves(access, row) != self.moves(access, roles.column);
        let is_inside = |s: usize| s >= self.first && !roles.outer.contains(&s);
        let steps = || 0..self.path.steps.len();
        let alone = (0..a.base.len()).all(|d| steps().filter(|&s| a.by[s][d] != 0 && is_inside(s)).count() <= 1);
        let once = || steps().all(|s| is_inside(s) || self.moves(access, s));
        a.kind == AccessKind::Read
            && a.array != self.path.accesses[0].array
            && jammed
            && alone
            && (once() || self.is_scattered(access, roles))
            && roles.depth.iter().any(|&s| self.moves(access, s))
    }

    /// Are the cells of neighbouring columns apart?
    pub(super) fn is_scattered(&self, access: usize, roles: &Roles) -> bool {
        self.moves(access, roles.column) && !self.is_unit(access, roles.column)
    }
}
