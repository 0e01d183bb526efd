//! Micro-kernels for nests over one statement.
//!
//! **Problem.** A nest such as a matrix product is worth blocking for registers and caches ([`crate::kernel`]); which loop becomes vectors, which is unrolled, and how
//! large are the tiles?
//!
//! **Notation.** *Depth*: members of the permutable band that do not move the stored cell. *Column*: a member along which the stored cells are neighbours. *Row*:
//! another member that moves the stored cell while some operand stands still; there may be none. All other members stay outside, as plain loops. `R` rows by `V` vectors of
//! `W` lanes are in registers at once.
//!
//! **Method.** All columns, rows, `R` and `V` that fit into the registers are tried; one step of the depth loop costs the most of its arithmetic, its loads, its
//! instructions and the latency of the chain through one accumulator. Tiles: a sliver of the columns' operand (`KC x V W`) takes part of the first-level cache, a
//! block of the rows' operand (`MC x KC`) part of the second, a panel of the columns' operand (`KC x NC`) part of the third. Operands that move with
//! depth and only one of row and column are packed.
//!
//! **Worked example.** Matrix product of doubles, 32 registers of 512 bits: `R = 8, V = 3`: 24 multiply-adds on 3 vectors and 8 scalars a step. 48 KiB: `KC = 256`.
//!
//! **Sums without rows.** In `y[i] += A[i][j] x[j]` every cell of `A` is used once: nothing is blocked for caches, nothing packed. Lanes along `i`, and `A` transposed in
//! registers where its rows lie along `j`; or, where its rows lie along `i`, short tiles of `j`, so that `y` is loaded and stored once for each of them. Such sums are limited by memory
//! when they are large, which counts as it does for other loops.
//!
//! Paper: Low, Igual, Smith, Quintana-Orti, *Analytical modeling is enough for high-performance BLIS* (TOMS 2016).

mod blocking;

use crate::Result;
use crate::cost::carried::perfect_nest;
use crate::cost::nest::Path;
use crate::cost::{Model, overlap};
use crate::kernel::Blocking;
use crate::machine::Machine;
use crate::scop::{AccessKind, Scop, StatementId};
use crate::tree::{Member, Node};

/// A kernel must be predicted to take less than this part of the nest's time without.
const WORTH: f64 = 0.8;

/// A kernel takes so many times as long where other statements share its loops.
const TOGETHER: f64 = 1.5;

/// Loops must have so many values where other statements share the loops of the kernel: they are vectors along the column if all operands are.
const WORTHWHILE_TOGETHER: i64 = 32;

/// The same where some operand is not.
const WORTHWHILE_SCALAR: i64 = 64;

/// Depth loops shorter than this on average are not worth a kernel.
const SHORTEST_DEPTH: f64 = 8.0;

/// Depth of the tiles of a sum without rows: so many streams of lines.
pub(super) const STREAMS: i64 = 16;

/// Cycles to copy one cell.
const COPY: f64 = 1.5;

/// Cycles that a load costs although there are units for it.
const LOAD: f64 = 0.05;

/// Everything that the model leaves out: edges, lines from further away.
const LOSSES: f64 = 1.2;

/// What a kernel without rows costs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sum {
    /// Cycles when nothing waits for memory.
    pub(super) compute: f64,
    /// Cycles for lines.
    pub(super) memory: f64,
    /// Cycles for its lines when the second level has them all.
    pub(super) near: f64,
    /// Bytes that are read of its matrix for a row.
    pub(super) row_bytes: f64,
}

/// A nest with a kernel.
pub(super) struct Planned {
    /// The statement that has all its loops.
    pub(super) id: StatementId,
    /// Members of the planned band in the order that the plan wants.
    pub(super) tree: Node,
    /// The plan.
    pub(super) plan: Blocking,
    /// Predicted cycles.
    pub(super) cost: f64,
    /// If it has no rows.
    pub(super) sum: Option<Sum>,
}

/// A band that could be blocked.
struct Candidate<'a> {
    scop: &'a Scop,
    machine: &'a Machine,
    id: StatementId,
    path: &'a Path,
    /// Steps of the band in the path: from here to the end.
    first: usize,
    bytes: i64,
}

/// Roles of the members, as steps of the path.
#[derive(Clone)]
struct Roles {
    outer: Vec<usize>,
    depth: Vec<usize>,
    row: Option<usize>,
    column: usize,
}

/// Sizes in registers.
#[derive(Clone, Copy)]
struct Tile {
    rows: i64,
    vectors: i64,
    lanes: i64,
    /// Steps of the depth that are unrolled.
    steps: i64,
}

/// A plan for a nest, if it pays (`choosy`), or if it can have one.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn nest(model: &Model<'_>, part: &Node, choosy: bool) -> Result<Option<Planned>> {
    let (members, inside) = perfect_nest(part);
    let leaves: Option<Vec<StatementId>> = match inside {
        Node::Leaf(s) => Some(vec![*s]),
        Node::Sequence(children) => {
            children.iter().map(|c| if let Node::Leaf(s) = c { Some(*s) } else { None }).collect()
        }
        Node::Band { .. } => None,
    };
    let Some(leaves) = leaves else { return Ok(None) };
    // The statement with all the loops.
    let deep: Vec<StatementId> =
        leaves.iter().copied().filter(|s| model.scop.statements[s.0].depth() == members.len()).collect();
    let [id] = deep[..] else { return Ok(None) };
    let Some((estimate, loops)) = model.estimate_with_loops(part)? else { return Ok(None) };
    let Some(path) = loops.paths.get(&id) else { return Ok(None) };
    let band = innermost_band(&estimate.annotated.tree);
    if path.steps.len() != members.len() || band < 2 || path.steps.iter().any(|s| s.idle) {
        return Ok(None);
    }
    let first = members.len() - band;
    let statement = &model.scop.statements[id.0];
    let bytes = model.scop.arrays[statement.write().array.0].element_bytes;
    let regular = statement.accesses.iter().all(|a| {
        let array = &model.scop.arrays[a.array.0];
        array.element_bytes == bytes && array.stride_bytes == bytes
    });
    if statement.accesses.iter().any(|a| !a.is_plain()) {
        return Ok(None);
    }
    if !statement.vectorizable || !regular || statement.operations.1 > 0 {
        return Ok(None);
    }
    let Ok(bytes) = i64::try_from(bytes) else { return Ok(None) };
    let candidate = Candidate { scop: model.scop, machine: model.machine(), id, path, first, bytes };
    let Some((roles, tile, mut cycles)) = candidate.best(choosy) else { return Ok(None) };
    let mut sum = None;
    if roles.row.is_none() {
        let compute = cycles;
        let memory = lines(model, &members, inside, &roles.streamed(tile))?;
        cycles = overlap(compute, memory);
        let (near, row_bytes) = candidate.matrix(&roles);
        sum = Some(Sum { compute, memory, near, row_bytes });
    }
    if leaves.len() > 1 {
        if roles.depth.len() != 1 || roles.row.is_none() {
            return Ok(None);
        }
        // Where all statements run there are plain loops.
        cycles *= TOGETHER;
    }
    let before = estimate.cycles + estimate.doubtful;
    if choosy && cycles > before * WORTH {
        return Ok(None);
    }
    let mut plan = candidate.blocking(&roles, tile);
    if leaves.len() > 1 {
        plan.packs.clear();
        plan.worth_packing.clear();
        let contiguous =
            candidate.reads().all(|a| !candidate.moves(a, roles.column) || candidate.is_unit(a, roles.column));
        let least = if contiguous { WORTHWHILE_TOGETHER } else { WORTHWHILE_SCALAR };
        plan.worthwhile.iter_mut().for_each(|(_, it)| *it = least);
    }
    let order = roles.order();
    let band: Vec<Member> = order.iter().map(|&k| members[k].clone()).collect();
    if !choosy {
        // Tests want kernels for all sizes.
        plan.worthwhile.clear();
    }
    if !plan.fits(band.len()) {
        return Ok(None);
    }
    let mut tree = Node::Band { members: band, permutable: true, child: Box::new(inside.clone()) };
    if first > 0 {
        let around = members[..first].iter().map(|m| (*m).clone()).collect();
        tree = Node::Band { members: around, permutable: true, child: Box::new(tree) };
    }
    Ok(Some(Planned { id, tree, plan, cost: cycles, sum }))
}

/// Cycles for lines when the loops run in this order.
fn lines(model: &Model<'_>, members: &[&Member], inside: &Node, order: &[usize]) -> Result<f64> {
    let around = members.len() - order.len();
    let members = members[..around].iter().copied().chain(order.iter().map(|&k| members[k])).cloned().collect();
    let tree = Node::Band { members, permutable: false, child: Box::new(inside.clone()) };
    Ok(model.estimate(&tree)?.map_or(0.0, |e| e.inner.iter().map(|inner| inner.memory).sum()))
}

/// Members of the innermost band of a chain, when it is permutable.
fn innermost_band(tree: &Node) -> usize {
    match tree {
        Node::Band { members, permutable, child } => match &**child {
            Node::Band { .. } => innermost_band(child),
            _ if *permutable => members.len(),
            _ => 0,
        },
        _ => 0,
    }
}

impl Roles {
    fn order(&self) -> Vec<usize> {
        self.outer.iter().chain(&self.depth).copied().chain(self.row).chain([self.column]).collect()
    }

    /// The order in which a kernel without rows goes through memory.
    fn streamed(&self, tile: Tile) -> Vec<usize> {
        let outer = self.outer.iter().copied();
        if tile.steps > 1 {
            outer.chain([self.column]).chain(self.depth.iter().copied()).collect()
        } else {
            outer.chain(self.depth.iter().copied()).chain([self.column]).collect()
        }
    }
}

impl Candidate<'_> {
    fn extent(&self, step: usize) -> f64 {
        self.path.steps[step].extent.max(1.0)
    }

    /// Does the access move along the step from cell to neighbour?
    fn is_unit(&self, access: usize, step: usize) -> bool {
        let by = &self.path.accesses[access].by[step];
        by.split_last().is_some_and(|(last, others)| *last == 1 && others.iter().all(|c| *c == 0))
    }

    fn moves(&self, access: usize, step: usize) -> bool {
        self.path.accesses[access].moves(step)
    }

    fn reads(&self) -> impl Iterator<Item = usize> + '_ {
        let written = &self.path.accesses[0];
        (1..self.path.accesses.len()).filter(move |&k| {
            let a = &self.path.accesses[k];
            // The accumulator is no operand, and a cell that is read twice is one.
            let accumulator = a.array == written.array && a.by == written.by && a.base == written.base;
            !accumulator && !self.path.accesses[1..k].contains(a)
        })
    }

    /// The cheapest roles and tile.
    fn best(&self, choosy: bool) -> Option<(Roles, Tile, f64)> {
        let steps: Vec<usize> = (self.first..self.path.steps.len()).collect();
        let depth: Vec<usize> = steps.iter().copied().filter(|&s| !self.moves(0, s)).collect();
        let trips: f64 = depth.iter().map(|&s| self.extent(s)).product();
        if depth.is_empty() || (choosy && trips < SHORTEST_DEPTH) {
            return None;
        }
        let moving: Vec<usize> = steps.iter().copied().filter(|s| !depth.contains(s)).collect();
        let lanes = i64::from(self.machine.widest_bits / 8) / self.bytes;
        let mut best: Option<(Roles, Tile, f64)> = None;
        for &column in moving.iter().filter(|&&c| self.is_unit(0, c)) {
            let rows = moving.iter().copied().filter(|&r| r != column).map(Some);
            for row in rows.chain([None]) {
                if let Some(row) = row
                    && choosy
                    && self.reads().all(|a| self.moves(a, row))
                {
                    continue;
                }
                let outer = moving.iter().copied().filter(|&s| Some(s) != row && s != column).collect();
                let roles = Roles { outer, depth: self.depth_order(&depth), row, column };
                let steps = if row.is_none() && self.reads().any(|a| self.is_block(a, &roles)) { lanes } else { 1 };
                let rows: &[i64] = if row.is_some() { &[2, 3, 4, 5, 6, 7, 8, 10, 12, 14] } else { &[1] };
                for vectors in 1..=4 {
                    if steps > 1 && vectors > 1 && vectors * lanes > STREAMS {
                        break;
                    }
                    for &rows in rows {
                        let tile = Tile { rows, vectors, lanes, steps };
                        let cycles = self.cycles(&roles, tile);
                        if self.fits(tile)
                            && lanes >= 2
                            && best.as_ref().is_none_or(|(_, _, least)| cycles < *least * 0.999)
                        {
                            best = Some((roles.clone(), tile, cycles));
                        }
                    }
                }
            }
        }
        best
    }

    /// Long loops outside, short ones inside.
    fn depth_order(&self, depth: &[usize]) -> Vec<usize> {
        let mut out = depth.to_vec();
        let short = |s: &usize| self.path.steps[*s].exact.is_some_and(|n| n < 16);
        out.sort_by_key(|s| (short(s), *s));
        out
    }

    /// Accumulators, the vectors of one step, one for a scalar, one for a product that is not fused with its sum. One stays free: where all are taken
    /// LLVM moves accumulators to and from the stack in some of the loops (4x3 on 16 registers).
    fn fits(&self, tile: Tile) -> bool {
        let product = i64::from(!self.machine.fused);
        // A block, while it is transposed.
        let operands = if tile.steps > 1 { 2 * tile.steps } else { tile.vectors };
        tile.rows * tile.vectors + operands + 1 + product < i64::from(self.machine.vector_registers)
    }

    /// Are its cells apart from column to column and neighbours from step to step?
    fn is_block(&self, access: usize, roles: &Roles) -> bool {
        let a = &self.path.accesses[access];
        let across = a.by[roles.column].split_last().is_some_and(|(_, others)| others.iter().any(|c| *c != 0));
        let along = roles.depth.last().is_some_and(|&s| {
            a.by[s].split_last().is_some_and(|(last, others)| *last == 1 && others.iter().all(|c| *c == 0))
        });
        across && along && a.array != self.path.accesses[0].array
    }

    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn cycles(&self, roles: &Roles, tile: Tile) -> f64 {
        let m = self.machine;
        let (rows, vectors, lanes) = (tile.rows as f64, tile.vectors as f64, tile.lanes as f64);
        let operations = f64::from(self.scop.statements[self.id.0].operations.0.max(1));
        let vector_bytes = lanes * self.bytes as f64;
        let arithmetic =
            operations * rows * vectors * (1.0 / m.fmas_per_cycle).max(vector_bytes / m.fma_bytes_per_cycle);
        let (mut loads, mut bytes, mut inserts) = (0.0, 0.0, 0.0);
        let mut copied = 0.0;
        for a in self.reads() {
            let copies = if roles.row.is_some_and(|row| self.moves(a, row)) { rows } else { 1.0 };
            if tile.steps > 1 && self.is_block(a, roles) {
                // By halves, which one stage of the transposition is loaded with.
                loads += 2.0 * vectors;
                bytes += vectors * vector_bytes;
                inserts += vectors * (lanes.log2() - 1.0).max(1.0);
            } else if self.moves(a, roles.column) {
                let packed = self.is_packable(a, roles);
                if packed || self.is_unit(a, roles.column) {
                    loads += copies * vectors;
                    bytes += copies * vectors * vector_bytes;
                } else {
                    loads += copies * vectors * lanes;
                    inserts += copies * vectors * lanes;
                }
                copied += if packed { COPY * self.cells(a) } else { 0.0 };
            } else {
                loads += copies;
                bytes += copies * self.bytes as f64;
                copied += if self.is_packable(a, roles) { COPY * self.cells(a) } else { 0.0 };
            }
        }
        let chain = f64::from(self.scop.statements[self.id.0].chain_latency);
        let issue = (operations * rows * vectors + loads + inserts + 2.0) / m.issue_width;
        let step = arithmetic
            .max(loads / m.loads_per_cycle)
            .max(bytes / m.load_bytes_per_cycle)
            .max(inserts)
            .max(issue)
            .max(chain * m.fma_latency / 4.0)
            // Of equals the one with fewer loads.
            + LOAD * loads;
        // Tiles are whole: what sticks out is computed too.
        let whole = |step: usize, size: f64| (self.extent(step) / size).ceil() * size;
        let columns = whole(roles.column, vectors * lanes);
        let others: f64 = roles.outer.iter().copied().chain(roles.row).map(|s| self.extent(s)).product();
        let depth: f64 = roles.depth.iter().map(|&s| self.extent(s)).product();
        let steps = columns / (vectors * lanes) * others / rows * depth;
        // Accumulators are loaded and stored for every tile of the depth.
        let around = 2.0 * rows * vectors / m.stores_per_cycle + 10.0;
        let tiles = steps / depth.min(if roles.row.is_some() || tile.steps > 1 { 256.0 } else { STREAMS as f64 });
        (steps * step + tiles * around) * LOSSES + copied
    }

    /// Cycles for the lines of the largest operand when the second level has them, and its bytes in an iteration of the outermost loop.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn matrix(&self, roles: &Roles) -> (f64, f64) {
        let bytes = self.reads().map(|a| self.cells(a)).fold(0.0, f64::max) * self.bytes as f64;
        let most = roles.depth.iter().chain([&roles.column]).map(|&s| self.extent(s)).fold(1.0, f64::max);
        (bytes / self.machine.line_bytes as f64 * self.machine.line_from_l2, bytes / most)
    }

    /// Cells of an operand.
    fn cells(&self, access: usize) -> f64 {
        (self.first..self.path.steps.len()).filter(|&s| self.moves(access, s)).map(|s| self.extent(s)).product()
    }

    /// Moves with depth and with either row or column, nothing else, each subscript with at most one of them; and is not stored to.
    fn is_packable(&self, access: usize, roles: &Roles) -> bool {
        let a = &self.path.accesses[access];
        let steps = self.first..self.path.steps.len();
        let Some(row) = roles.row else { return false };
        let jammed = self.moves(access, row) != self.moves(access, roles.column);
        let alone = (0..a.base.len()).all(|d| steps.clone().filter(|&s| a.by[s][d] != 0).count() <= 1);
        a.kind == AccessKind::Read
            && a.array != self.path.accesses[0].array
            && jammed
            && alone
            && roles.outer.iter().all(|&s| !self.moves(access, s))
            && roles.depth.iter().any(|&s| self.moves(access, s))
    }
}
