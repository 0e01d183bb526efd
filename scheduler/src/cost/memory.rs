//! Lines that move between the levels of the memory.
//!
//! **Problem.** The order and the tiles of loops decide how often a line is fetched again.
//!
//! **Method.** For every piece of code the *regions* it touches while the loops outside stand still: per access a box of cells, boxes of one array that touch
//! and move alike with the outer loops put together (so `A[i-1][j]`, `A[i][j]`, `A[i+1][j]` are one stream), counted in lines along the contiguous subscript.
//! If the body of a loop fits a level, what one iteration leaves there is still there for the next, and the whole loop fetches each of its lines once;
//! otherwise the loop fetches what its body fetches, every iteration again. Applied from the outside in, once a level; a part that fits a level altogether is
//! taken to be there already.
//!
//! Footprints in boxes follow Wolf and Lam (PLDI 1991) and Carr, McKinley and Tseng (ASPLOS 1994).

use super::nest::{LoopId, Movement, Nest, Path, Piece};
use crate::machine::Machine;
use crate::scop::{Array, ArrayId, Scop, StatementId};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// How much of a cache a loop may fill before lines that will be used again are lost: other data, sets that fill unevenly, extents that are means or guesses.
const USABLE: f64 = 0.5;

/// Lines of the second level that are not asked for in order: it is close, and misses overlap.
const NEAR_SCATTER: f64 = 1.8;

/// The same of those that are stored to: they go both ways. Further away that is hidden by what a line takes.
const NEAR_SCATTER_STORED: f64 = 2.6;

/// Shorter runs of lines are not prefetched in time.
const SHORTEST_STREAM: f64 = 4.0;

/// Cycles that a statement's lines cost.
pub type Traffic = BTreeMap<StatementId, f64>;

/// A box of cells.
#[derive(Clone, PartialEq, Debug)]
struct Region<'a> {
    array: ArrayId,
    /// How the loops outside move it.
    outer: &'a [Vec<i64>],
    low: Vec<f64>,
    high: Vec<f64>,
    /// No more lines than this: what the loops walk, line by line along the contiguous subscript (the box of a triangle is too large).
    walked: f64,
    /// The part of the box that is touched: less than 1 where a loop moves it along several subscripts at once, as time moves the bricks of a stencil.
    filled: f64,
    streamed: bool,
    stored: bool,
    owner: StatementId,
}

/// The cycles for lines, by the statement that causes them.
#[must_use]
pub fn traffic(scop: &Scop, nest: &Nest, machine: &Machine) -> Traffic {
    let walker = Walker { scop, nest, machine };
    let whole = walker.part(&nest.root, 0);
    let mut total = Traffic::new();
    let m = machine;
    let sets = [(m.l1_way_bytes(), m.l1_ways), (m.l2_way_bytes(), m.l2_ways)];
    let sets = sets.map(|(bytes, ways)| Some(Sets { bytes, ways: f64::from(ways) }));
    let levels = [
        Level {
            bytes: m.l1_bytes,
            sets: sets[0],
            cycles: m.line_from_l2,
            scatter: NEAR_SCATTER,
            scatter_stored: NEAR_SCATTER_STORED,
        },
        Level {
            bytes: m.l2_bytes,
            sets: sets[1],
            cycles: m.line_from_l3,
            scatter: m.scatter,
            scatter_stored: m.scatter,
        },
        // Sets of the third level are chosen by a hash.
        Level {
            bytes: m.l3_bytes,
            sets: None,
            cycles: m.line_from_memory,
            scatter: m.scatter,
            scatter_stored: m.scatter,
        },
    ];
    for level in levels {
        if walker.fits(&whole, &level) {
            break;
        }
        for (s, lines) in walker.lines(&whole, &level) {
            *total.entry(s).or_insert(0.0) += lines * level.cycles;
        }
    }
    total
}

/// A cache.
struct Level {
    bytes: u64,
    /// Where addresses choose sets directly.
    sets: Option<Sets>,
    /// Cycles for a line that this level has not.
    cycles: f64,
    /// Factor on them for lines out of order.
    scatter: f64,
    /// The same for those that are stored to.
    scatter_stored: f64,
}

/// Addresses so many bytes apart compete for one set, which has so many ways.
#[derive(Clone, Copy)]
struct Sets {
    bytes: u64,
    ways: f64,
}

/// A piece of code and what it touches while the loops outside stand still.
struct Part<'a> {
    piece: &'a Piece,
    /// Loops outside.
    depth: usize,
    /// When they are asked for: pieces inside of what fits a level are not.
    regions: OnceCell<Vec<Region<'a>>>,
    /// The loop that this is, if it is one.
    of: Option<LoopId>,
    inside: Vec<Part<'a>>,
}

struct Walker<'a> {
    scop: &'a Scop,
    nest: &'a Nest,
    machine: &'a Machine,
}

impl<'a> Walker<'a> {
    /// A piece inside of `depth` loops.
    fn part(&self, piece: &'a Piece, depth: usize) -> Part<'a> {
        let (of, inside) = match piece {
            Piece::Call(_) => (None, Vec::new()),
            Piece::Block(children) => (None, children.iter().map(|c| self.part(c, depth)).collect()),
            Piece::Loop(id, body) => (Some(*id), vec![self.part(body, depth + 1)]),
        };
        Part { piece, depth, regions: OnceCell::new(), of, inside }
    }

    fn regions_of<'p>(&self, part: &'p Part<'a>) -> &'p [Region<'a>] {
        part.regions.get_or_init(|| self.regions(part.piece, part.depth))
    }

    /// Lines fetched into a level, weighted by how well they can be prefetched.
    fn lines(&self, part: &Part<'a>, level: &Level) -> Traffic {
        match (part.of, &part.inside[..]) {
            (Some(id), [body]) => {
                if self.fits(body, level) {
                    return self.distinct(part, level);
                }
                let mut inside = self.lines(body, level);
                for (s, lines) in &mut inside {
                    *lines *= self.extent(*s, id);
                }
                inside
            }
            (_, []) => self.distinct(part, level),
            (_, children) => {
                let mut sum = Traffic::new();
                for child in children {
                    for (s, lines) in self.lines(child, level) {
                        *sum.entry(s).or_insert(0.0) += lines;
                    }
                }
                sum
            }
        }
    }

    fn extent(&self, s: StatementId, id: LoopId) -> f64 {
        let path = self.nest.paths.get(&s);
        path.and_then(|p| p.steps.iter().find(|step| step.of == id)).map_or(1.0, |step| step.extent)
    }

    fn distinct(&self, part: &Part<'a>, level: &Level) -> Traffic {
        let mut out = Traffic::new();
        for region in self.regions_of(part) {
            let order = match (region.streamed, region.stored) {
                (true, _) => 1.0,
                (false, false) => level.scatter,
                (false, true) => level.scatter_stored,
            };
            *out.entry(region.owner).or_insert(0.0) += self.lines_of(region) * order;
        }
        out
    }

    fn fits(&self, part: &Part<'a>, level: &Level) -> bool {
        let line = to_f64(self.machine.line_bytes);
        // Rows whose distance is a multiple of a large power of two share few sets: each line takes the place of several.
        let crowded = |r: &Region<'_>| level.sets.map_or(1.0, |sets| to_f64(self.sharing(r, sets)));
        let bytes: f64 = self.regions_of(part).iter().map(|r| self.lines_of(r) * line * crowded(r)).sum();
        bytes <= to_f64(level.bytes) * USABLE
    }

    /// How many sets a run of a region leaves empty for each that it uses. 1 where the distance of rows is not known.
    fn sharing(&self, region: &Region<'_>, sets: Sets) -> u64 {
        let line = self.machine.line_bytes.max(1);
        let Some(array) = self.scop.arrays.get(region.array.0) else { return 1 };
        let Some(last) = region.low.len().checked_sub(1) else { return 1 };
        let mut distance = array.stride_bytes;
        let mut filled = (region.high[last] - region.low[last] + 1.0) * to_f64(distance);
        for d in (1..=last).rev() {
            let Some(Ok(size)) = array.inner_sizes.get(d - 1).copied().flatten().map(u64::try_from) else { return 1 };
            distance = distance.saturating_mul(size);
            if region.high[d - 1] > region.low[d - 1] {
                let apart = gcd(distance, sets.bytes);
                let runs = (to_f64(apart) / filled.max(to_f64(line))).max(1.0);
                // Few rows do not compete: a set has several ways.
                let rows = region.high[d - 1] - region.low[d - 1] + 1.0;
                let needed = (rows / sets.ways).max(1.0);
                return floor(runs.min(needed));
            }
            filled = filled.max(to_f64(distance));
        }
        1
    }

    fn lines_of(&self, region: &Region<'_>) -> f64 {
        let Some(array) = self.scop.arrays.get(region.array.0) else { return 0.0 };
        let line = to_f64(self.machine.line_bytes);
        let stride = to_f64(array.stride_bytes).max(1.0);
        let length = |d: usize| region.high[d] - region.low[d] + 1.0;
        let Some(last) = region.low.len().checked_sub(1) else { return 1.0 };
        let rows: f64 = (0..last).map(length).product();
        let cells = length(last);
        let run = if stride < line { (cells - 1.0) * stride / line + 1.0 } else { cells };
        let mut lines = (rows * run * region.filled).min(region.walked);
        if let Some(span) = span_bytes(array, region) {
            lines = lines.min(span / line + 1.0);
        }
        lines.max(1.0)
    }

    /// What a piece touches while the first `depth` loops stand still.
    fn regions(&self, piece: &Piece, depth: usize) -> Vec<Region<'a>> {
        let mut statements = Vec::new();
        collect(piece, &mut statements);
        let mut out: Vec<Region<'a>> = Vec::new();
        for s in statements {
            let Some(path) = self.nest.paths.get(&s) else { continue };
            for access in path.accesses.iter().filter(|access| !access.in_register) {
                let region = self.region(s, path, access, depth);
                match out.iter_mut().find(|r| touch(r, &region)) {
                    Some(r) => absorb(r, region),
                    None => out.push(region),
                }
            }
        }
        out
    }

    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn region(&self, owner: StatementId, path: &Path, access: &'a Movement, depth: usize) -> Region<'a> {
        let mut low: Vec<f64> = access.base.iter().map(|&b| b as f64).collect();
        let mut high = low.clone();
        let mut walked = 1.0;
        // The largest saving by a loop that walks along lines.
        let mut along = 1.0_f64;
        let (stride, line) = (self.stride(access), to_f64(self.machine.line_bytes));
        let mut filled = 1.0;
        for (k, step) in path.steps.iter().enumerate().skip(depth).rev() {
            if !access.is_swept(k) {
                continue;
            }
            let extent = step.extent.max(1.0);
            walked *= extent;
            if let Some((&last, others)) = access.sweeps[k].split_last()
                && others.iter().all(|&c| c == 0)
            {
                let lines = (extent - 1.0) * (last as f64).abs() * stride / line + 1.0;
                along = along.max(extent / lines);
            }
            if access.sweeps[k].iter().filter(|c| **c != 0).count() > 1 {
                filled *= diagonal(&low, &high, &access.sweeps[k], extent, (stride / line).min(1.0));
            }
            for (d, &c) in access.sweeps[k].iter().enumerate() {
                let reach = c as f64 * (step.extent - 1.0).max(0.0);
                low[d] += reach.min(0.0);
                high[d] += reach.max(0.0);
            }
        }
        if let Some(last) = high.last_mut() {
            *last += f64::from(access.extent.saturating_sub(1));
        }
        Region {
            array: access.array,
            outer: access.sweeps.get(..depth).unwrap_or(&access.sweeps),
            low,
            high,
            walked: walked / along,
            filled,
            streamed: self.streamed(path, access, depth),
            stored: access.kind.writes(),
            owner,
        }
    }

    /// Bytes between neighbours in the last subscript.
    fn stride(&self, access: &Movement) -> f64 {
        self.scop.arrays.get(access.array.0).map_or(0.0, |a| to_f64(a.stride_bytes))
    }

    /// Does the innermost loop that moves the access walk along lines?
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn streamed(&self, path: &Path, access: &Movement, depth: usize) -> bool {
        // Each lane walks its own lines.
        let walks = |k: &usize| !path.steps[*k].idle && path.steps[*k].lanes.is_none() && access.is_swept(*k);
        let Some(k) = (depth..path.steps.len()).rev().find(walks) else {
            return true;
        };
        let Some((last, others)) = access.sweeps[k].split_last() else { return true };
        let line = to_f64(self.machine.line_bytes);
        let step = (*last as f64).abs() * self.stride(access);
        let run = path.steps[k].extent * step / line;
        others.iter().all(|&c| c == 0) && step <= line && run >= SHORTEST_STREAM
    }
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// At least 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
fn floor(x: f64) -> u64 {
    x.clamp(1.0, 65536.0) as u64
}

fn collect(piece: &Piece, out: &mut Vec<StatementId>) {
    match piece {
        Piece::Call(s) => out.push(*s),
        Piece::Block(children) => children.iter().for_each(|c| collect(c, out)),
        Piece::Loop(_, body) => collect(body, out),
    }
}

/// Do the boxes touch, and move alike?
fn touch(a: &Region<'_>, b: &Region<'_>) -> bool {
    let near = |d: usize| a.low[d] <= b.high[d] + 2.0 && b.low[d] <= a.high[d] + 2.0;
    a.array == b.array && a.outer == b.outer && (0..a.low.len()).all(near)
}

fn absorb(a: &mut Region<'_>, b: Region<'_>) {
    let same = a.low == b.low && a.high == b.high;
    for d in 0..a.low.len() {
        a.low[d] = a.low[d].min(b.low[d]);
        a.high[d] = a.high[d].max(b.high[d]);
    }
    // Who walks most pays.
    if b.walked > a.walked {
        a.owner = b.owner;
        a.streamed = b.streamed;
    }
    a.filled = a.filled.max(b.filled);
    a.stored |= b.stored;
    a.walked = if same { a.walked.max(b.walked) } else { a.walked + b.walked };
}

/// The part of the new box that a box covers which moves so far `extent - 1` times; in lines, of which a cell along the last subscript is this part.
#[expect(clippy::cast_precision_loss, reason = "estimates")]
fn diagonal(low: &[f64], high: &[f64], by: &[i64], extent: f64, of_line: f64) -> f64 {
    let (mut old, mut kept, mut new) = (1.0, 1.0, 1.0);
    for (d, by) in by.iter().enumerate() {
        let unit = if d + 1 == low.len() { of_line } else { 1.0 };
        let (length, by) = ((high[d] - low[d]) * unit + 1.0, by.unsigned_abs() as f64 * unit);
        old *= length;
        kept *= (length - by).max(0.0);
        new *= length + by * (extent - 1.0);
    }
    (old + (extent - 1.0) * (old - kept)) / new
}

/// Bytes from the first to the last cell of a region, where the sizes of the array are constant.
fn span_bytes(array: &Array, region: &Region<'_>) -> Option<f64> {
    let mut bytes = to_f64(array.stride_bytes);
    let mut span = 0.0;
    for d in (0..region.low.len()).rev() {
        span += (region.high[d] - region.low[d]) * bytes;
        if let Some(inner) = d.checked_sub(1) {
            let size = (*array.inner_sizes.get(inner)?)?;
            bytes *= to_f64(u64::try_from(size).ok()?);
        }
    }
    Some(span)
}

#[expect(clippy::cast_precision_loss, reason = "estimates")]
fn to_f64(x: u64) -> f64 {
    x as f64
}
