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
use crate::scop::{AccessKind, Array, ArrayId, Scop, StatementId};
use std::collections::BTreeMap;

/// How much of a cache a loop may fill before lines that will be used again are lost (other data, sets that fill unevenly).
const USABLE: f64 = 0.75;

/// A written line is fetched and written back.
const WRITE_BACK: f64 = 1.5;

/// Shorter runs of lines are not prefetched in time.
const SHORTEST_STREAM: f64 = 4.0;

/// Cycles that a statement's lines cost.
pub type Traffic = BTreeMap<StatementId, f64>;

/// A box of cells.
#[derive(Clone, PartialEq, Debug)]
struct Region {
    array: ArrayId,
    /// How the loops outside move it.
    outer: Vec<Vec<i64>>,
    low: Vec<f64>,
    high: Vec<f64>,
    /// No more cells than this.
    cells: f64,
    streamed: bool,
    written: bool,
    owner: StatementId,
}

/// The cycles for lines, by the statement that causes them.
#[must_use]
pub fn traffic(scop: &Scop, nest: &Nest, machine: &Machine) -> Traffic {
    let walker = Walker { scop, nest, machine };
    let mut total = Traffic::new();
    let levels = [
        (machine.l1_bytes, machine.line_from_l2),
        (machine.l2_bytes, machine.line_from_l3),
        (machine.l3_bytes, machine.line_from_memory),
    ];
    let whole = walker.bytes(&walker.regions(&nest.root, 0));
    for (bytes, cycles) in levels {
        let usable = to_f64(bytes) * USABLE;
        if whole <= usable {
            break;
        }
        for (s, lines) in walker.lines(&nest.root, 0, usable) {
            *total.entry(s).or_insert(0.0) += lines * cycles;
        }
    }
    total
}

struct Walker<'a> {
    scop: &'a Scop,
    nest: &'a Nest,
    machine: &'a Machine,
}

impl Walker<'_> {
    /// Lines fetched into a level of this size, weighted by how well they can be prefetched; the loops outside, `depth` of them, stand still.
    fn lines(&self, piece: &Piece, depth: usize, usable: f64) -> Traffic {
        match piece {
            Piece::Call(_) => self.distinct(piece, depth),
            Piece::Block(children) => {
                let mut sum = Traffic::new();
                for child in children {
                    for (s, lines) in self.lines(child, depth, usable) {
                        *sum.entry(s).or_insert(0.0) += lines;
                    }
                }
                sum
            }
            Piece::Loop(id, body) => {
                if self.bytes(&self.regions(body, depth + 1)) <= usable {
                    return self.distinct(piece, depth);
                }
                let mut inside = self.lines(body, depth + 1, usable);
                for (s, lines) in &mut inside {
                    *lines *= self.extent(*s, *id);
                }
                inside
            }
        }
    }

    fn extent(&self, s: StatementId, id: LoopId) -> f64 {
        let path = self.nest.paths.get(&s);
        path.and_then(|p| p.steps.iter().find(|step| step.of == id)).map_or(1.0, |step| step.extent)
    }

    fn distinct(&self, piece: &Piece, depth: usize) -> Traffic {
        let mut out = Traffic::new();
        for region in self.regions(piece, depth) {
            let order = if region.streamed { 1.0 } else { self.machine.scatter };
            let back = if region.written { WRITE_BACK } else { 1.0 };
            *out.entry(region.owner).or_insert(0.0) += self.lines_of(&region) * order * back;
        }
        out
    }

    fn bytes(&self, regions: &[Region]) -> f64 {
        let lines: f64 = regions.iter().map(|r| self.lines_of(r)).sum();
        lines * to_f64(self.machine.line_bytes)
    }

    fn lines_of(&self, region: &Region) -> f64 {
        let Some(array) = self.scop.arrays.get(region.array.0) else { return 0.0 };
        if array.is_virtual {
            return 0.0;
        }
        let line = to_f64(self.machine.line_bytes);
        let stride = to_f64(array.stride_bytes).max(1.0);
        let length = |d: usize| region.high[d] - region.low[d] + 1.0;
        let Some(last) = region.low.len().checked_sub(1) else { return 1.0 };
        let rows: f64 = (0..last).map(length).product();
        let cells = length(last);
        let run = if stride < line { (cells - 1.0) * stride / line + 1.0 } else { cells };
        let mut lines = (rows * run).min(region.cells);
        if let Some(span) = span_bytes(array, region) {
            lines = lines.min(span / line + 1.0);
        }
        lines.max(1.0)
    }

    /// What a piece touches while the first `depth` loops stand still.
    fn regions(&self, piece: &Piece, depth: usize) -> Vec<Region> {
        let mut statements = Vec::new();
        collect(piece, &mut statements);
        let mut out: Vec<Region> = Vec::new();
        for s in statements {
            let Some(path) = self.nest.paths.get(&s) else { continue };
            for access in &path.accesses {
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
    fn region(&self, owner: StatementId, path: &Path, access: &Movement, depth: usize) -> Region {
        let mut low: Vec<f64> = access.base.iter().map(|&b| b as f64).collect();
        let mut high = low.clone();
        let mut cells = 1.0;
        for (k, step) in path.steps.iter().enumerate().skip(depth) {
            if !access.moves(k) {
                continue;
            }
            cells *= step.extent.max(1.0);
            for (d, &c) in access.by[k].iter().enumerate() {
                let reach = c as f64 * (step.extent - 1.0).max(0.0);
                low[d] += reach.min(0.0);
                high[d] += reach.max(0.0);
            }
        }
        Region {
            array: access.array,
            outer: access.by.iter().take(depth).cloned().collect(),
            low,
            high,
            cells,
            streamed: self.streamed(path, access, depth),
            written: access.kind == AccessKind::Write,
            owner,
        }
    }

    /// Does the innermost loop that moves the access walk along lines?
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn streamed(&self, path: &Path, access: &Movement, depth: usize) -> bool {
        let Some(k) = (depth..path.steps.len()).rev().find(|&k| !path.steps[k].idle && access.moves(k)) else {
            return true;
        };
        let Some((last, others)) = access.by[k].split_last() else { return true };
        let stride = self.scop.arrays.get(access.array.0).map_or(0, |a| a.stride_bytes);
        let step = last.unsigned_abs().saturating_mul(stride);
        let line = self.machine.line_bytes;
        let run = path.steps[k].extent * step as f64 / line as f64;
        others.iter().all(|&c| c == 0) && step <= line && run >= SHORTEST_STREAM
    }
}

fn collect(piece: &Piece, out: &mut Vec<StatementId>) {
    match piece {
        Piece::Call(s) => out.push(*s),
        Piece::Block(children) => children.iter().for_each(|c| collect(c, out)),
        Piece::Loop(_, body) => collect(body, out),
    }
}

/// Do the boxes touch, and move alike?
fn touch(a: &Region, b: &Region) -> bool {
    let near = |d: usize| a.low[d] <= b.high[d] + 2.0 && b.low[d] <= a.high[d] + 2.0;
    a.array == b.array && a.outer == b.outer && (0..a.low.len()).all(near)
}

fn absorb(a: &mut Region, b: Region) {
    let same = a.low == b.low && a.high == b.high;
    for d in 0..a.low.len() {
        a.low[d] = a.low[d].min(b.low[d]);
        a.high[d] = a.high[d].max(b.high[d]);
    }
    a.cells = if same { a.cells.max(b.cells) } else { a.cells + b.cells };
    a.written |= b.written;
    a.streamed |= b.streamed;
}

/// Bytes from the first to the last cell of a region, where the sizes of the array are constant.
fn span_bytes(array: &Array, region: &Region) -> Option<f64> {
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
