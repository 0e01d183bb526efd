//! Micro-kernels for nests over one statement.
//!
//! **Problem.** A nest such as a matrix product is worth blocking for registers and caches ([`crate::kernel`]); which loop becomes vectors, which is unrolled, and how
//! large are the tiles?
//!
//! **Notation.** *Depth*: members of the permutable band that do not move the stored cell. *Column*: a member along which the stored cells are neighbours. *Row*:
//! another member that moves the stored cell while some operand stands still; there may be none. *Inner*: members along which all operands of the columns stand still: they
//! run inside of the copies of these, one value at a time. All other members stay outside, as plain loops. `R` rows by `V` vectors of `W` lanes are in registers at once.
//!
//! **Sums over several loops.** Every cell adds in the order of the source, so of `for e { for f { T[a][b] += ... } }` only `f` is in one permutable band with `a` and `b`. The loops of
//! a nest are put in the order that leaves as many as can be in the innermost band ([`crate::cost::carried::Distances::innermost_band`]): `e` stays outside, and outside of
//! that loops that move the cell and an operand of the columns. Where nothing is copied, sums like `e` run inside of all tiles, in the order of the source (`sums_around`): cells are held over all of
//! them, as over the `u` of `k = 16 u + r` in `C[i][j] += A[i][k] B[u][j]`, which others decide. `out[i][j] += in[i + p][j + q] f[p][q]`: `p` and `q` inside, and tiles go along the rows of `in`, as no operand of the columns stands still along them.
//!
//! **Method.** All columns, rows, `R` and `V` that fit into the registers are tried; one step of the depth loop costs the most of its arithmetic, its loads, its
//! instructions and the latency of the chain through one accumulator. Tiles: a sliver of the columns' operand (`KC x V W`) takes part of the first-level cache, a
//! block of the rows' operand (`MC x KC`) part of the second, a panel of the columns' operand (`KC x NC`) part of the third. Operands that move with
//! depth and only one of row and column are packed. Operands may be narrower than the stored cells: copies hold what they are widened to, and what is not copied is widened in the kernel.
//!
//! **Worked examples.** `T[a][b][c][d] += A[a][e][b][f] B[d][f][c][e]`: column `d`, depth `f`, row `b`; `c` and `e` outside, `a` inside of the copy of `B`. Matrix product of doubles, 32 registers of 512 bits: `R = 8, V = 3`: 24 multiply-adds on 3 vectors and 8 scalars a step. 48 KiB: `KC = 256`; on
//! Zen 4 and 5, where both slivers come from the second level in a third of the time of a step, 512.
//!
//! **Sums without rows.** In `y[i] += A[i][j] x[j]` every cell of `A` is used once: nothing is blocked for caches, nothing packed. Lanes along `i`, and `A` transposed in
//! registers where its rows lie along `j`; or, where its rows lie along `i`, short tiles of `j`, so that `y` is loaded and stored once for each of them. Such sums are limited by memory
//! when they are large, which counts as it does for other loops.
//!
//! Paper: Low, Igual, Smith, Quintana-Orti, *Analytical modeling is enough for high-performance BLIS* (TOMS 2016).

mod bands;
mod blocking;
mod companions;
pub(super) mod corners;
mod fetching;
mod in_place;
mod mirrors;
mod roles;

use crate::Result;
use crate::cost::carried::perfect_nest;
use crate::cost::nest::{Nest, Path};
use crate::cost::{Model, overhead_inside, overlap};
use crate::kernel::Blocking;
use crate::scop::StatementId;
use crate::tree::{Member, Node};
use polyhedra::Affine;
use roles::{Candidate, Roles, Tile};

/// A kernel must be predicted to take less than this part of the nest's time without.
const WORTH: f64 = 0.8;

/// Sums that are counted by the shorter loop may be said to take so many times as long as otherwise, and be as fast: nobody has counted what runs under conditions.
const STRAIGHT: f64 = 1.25;

/// A kernel takes so many times as long where other statements share its loops.
const TOGETHER: f64 = 1.5;

/// Loops must have so many values where other statements share the loops of the kernel: they are vectors along the column if all operands are.
const WORTHWHILE_TOGETHER: i64 = 24;

/// The same where some operand is not.
const WORTHWHILE_SCALAR: i64 = 44;

/// So many more for every statement beyond four: the plain loops of tiles ask at each point which of them runs (measured on Cholesky's factorisation by columns, seven statements: 65).
const WORTHWHILE_EACH: i64 = 8;

/// The same of columns that move with rows, in a band: tiles are cut off on both sides (measured on factorisations of bands, 8 and 4 lanes: LU, whose operands are vectors, of 16 by 1.25 and 1.0, of 24 by 1.6
/// and 1.2; Cholesky of 40 by 1.0 to 1.3 and 0.9 to 1.0, of 64 by 1.5 to 2.0 and 1.0 to 1.6).
const WORTHWHILE_WINDOW: i64 = 24;
const WORTHWHILE_WINDOW_SCALAR: i64 = 56;

/// The same of vectors whose columns begin or end with the row, too: the source runs the same triangle in vectors (measured on Cholesky by rows, with masks 96 by 1.1 to 1.4, 128 by 1.3 to 1.7, without 128 by 0.8 to 1.1, 200 by
/// 1.0 to 1.3).
const WORTHWHILE_WINDOW_TRIANGLE: i64 = 128;
const WORTHWHILE_WINDOW_TRIANGLE_UNMASKED: i64 = 200;

/// Most operands that are copied.
const MOST_PACKS: usize = 24;

/// Depth loops shorter than this on average are not worth a kernel.
const SHORTEST_DEPTH: f64 = 8.0;

/// The same of those whose lengths are known.
const SHORTEST_KNOWN_DEPTH: f64 = 2.0;

/// Depth of the tiles of a sum without rows: so many streams of lines.
pub(super) const STREAMS: i64 = 16;

/// The same where the columns' operands move by one cell from step to step.
const SLIDING: i64 = 256;

/// Rows and columns of matrices that are small, where most of the time goes into the ends of tiles.
const SMALL: f64 = 64.0;

/// Iterations of the depth in a tile, for estimates.
const TILE_OF_DEPTH: f64 = 256.0;

/// Cycles to copy one cell.
const COPY: f64 = 1.5;

/// Cycles that a load costs although there are units for it.
const LOAD: f64 = 0.05;

/// The same for each cycle in which a line comes from the second level (measured for products of doubles on Zen 5: tiles of 8x24 cells 4 % faster than 6x32 and 12x16).
const LINE: f64 = 0.08;

/// Cycles for an iteration of the plain loops where other statements share the loops of the kernel: short vectors, or scalars.
const PLAIN_VECTORS: f64 = 0.3;
const PLAIN_SCALAR: f64 = 1.5;

/// Loops that have fewer values in the mean, for an iteration of all others, are decided by these.
const DECIDED: f64 = 2.0;

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
    /// Are its cells in registers over the whole sum, for the lengths that the model thinks of? Then they can start there.
    pub(super) whole: bool,
    /// Cycles for running the loops of the nest that are not innermost, those that are shared left out, where it has no kernel.
    pub(super) overhead: f64,
}

/// A plan for a nest, if it pays (`choosy`), or if it can have one.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn nest(model: &Model<'_>, part: &Node, choosy: bool) -> Result<Option<Planned>> {
    let as_it_is = planned(model, part, 0, choosy)?;
    let Some(straight) = bands::straightened(model, part)? else { return Ok(as_it_is) };
    let Some(mut straight) = planned(model, &straight, 0, choosy)? else { return Ok(as_it_is) };
    let is_faster = |other: &Planned| !bands::along_columns(other) && other.cost * STRAIGHT < straight.cost;
    if as_it_is.as_ref().is_some_and(is_faster) {
        return Ok(as_it_is);
    }
    if let Some(bands) = &mut straight.plan.bands {
        bands.mostly_box = true;
        let masks = model.machine().masks;
        bands.least_of_both = if masks { blocking::WORTHWHILE_SHORTER } else { blocking::WORTHWHILE_SHORTER_UNMASKED };
    }
    Ok(Some(straight))
}

/// The same for a nest some of whose outer loops are not its own: other nests run in them. The tree of what is found is without these loops.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn nest_inside(model: &Model<'_>, part: &Node, shared: usize, choosy: bool) -> Result<Option<Planned>> {
    planned(model, part, shared, choosy)
}

/// A plan for what stands inside of the first so many loops. Sums whose operands come in squares, and only these, are counted from where they begin; what shares the loops of a kernel is kept to corners of its tiles.
fn planned(model: &Model<'_>, part: &Node, shared: usize, choosy: bool) -> Result<Option<Planned>> {
    let Some(as_it_is) = planned_so(model, part, shared, choosy)? else { return Ok(None) };
    let in_blocks = |planned: &Planned| planned.plan.steps > 1 && planned.plan.rows.is_empty();
    if in_blocks(&as_it_is) {
        let Some(begun) = bands::begun_at_zero(model, part)? else { return Ok(Some(as_it_is)) };
        return Ok(Some(planned_so(model, &begun, shared, choosy)?.filter(in_blocks).unwrap_or(as_it_is)));
    }
    if shared == 0 {
        for moved in companions::in_corners(part, &as_it_is) {
            if let Some(planned) = planned_so(model, &moved, shared, choosy)? {
                return Ok(Some(planned));
            }
        }
    }
    Ok(Some(as_it_is))
}

/// The same with loops as they are.
fn planned_so(model: &Model<'_>, part: &Node, shared: usize, choosy: bool) -> Result<Option<Planned>> {
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
    if choosy && model.shapes.is_border(id)? {
        return Ok(None);
    }
    let Some((estimate, loops)) = model.estimate_with_loops(part)? else { return Ok(None) };
    let Some(path) = loops.paths.get(&id) else { return Ok(None) };
    let overhead = overhead_inside(path, shared);
    if path.steps.len() != members.len() || path.steps.iter().any(|s| s.idle) {
        return Ok(None);
    }
    let cut = |first: usize| ((0..first).collect::<Vec<_>>(), (first..members.len()).collect::<Vec<_>>());
    let (around, band) = if shared > 0 {
        let mut first = shared;
        while first < members.len() && {
            let (around, band) = cut(first);
            !model.distances.is_band_inside(&members, inside, &around, &band)?
        } {
            first += 1;
        }
        cut(first)
    } else if leaves.len() == 1 {
        model.distances.innermost_band(&members, inside)?
    } else {
        cut(members.len() - innermost_band(&estimate.annotated.tree))
    };
    if band.len() < 2 {
        return Ok(None);
    }
    let decided = decided(model, &members, path, id, &around, &band)?;
    let (around, band) = if decided.is_empty() {
        (around, band)
    } else {
        let free: Vec<usize> = band.iter().copied().filter(|k| !decided.contains(k)).collect();
        (around.into_iter().chain(decided.iter().copied()).collect(), free)
    };
    if band.len() < 2 {
        return Ok(None);
    }
    let first = around.len();
    let order: Vec<usize> = around.into_iter().chain(band).collect();
    // Loops are as long as they are in this order.
    let loops = if decided.is_empty() { loops } else { in_order(model, &members, inside, &order)?.unwrap_or(loops) };
    let Some(path) = loops.paths.get(&id) else { return Ok(None) };
    let flags = perfect_nest(&estimate.annotated.tree).0;
    let parallel = order.iter().map(|&k| flags.get(k).is_some_and(|m| m.parallel)).collect();
    let members: Vec<&Member> = order.iter().map(|&k| members[k]).collect();
    let path = if decided.is_empty() { path.reordered(&order) } else { path.clone() };
    let backwards = backwards(&path, first);
    let path = &backwards.map_or(path.clone(), |step| path.mirrored(step));
    let statement = &model.scop.statements[id.0];
    let bytes = model.scop.arrays[statement.write().array.0].element_bytes;
    let regular = statement.accesses.iter().all(|a| {
        let array = &model.scop.arrays[a.array.0];
        array.element_bytes <= bytes && array.stride_bytes == array.element_bytes
    });
    if statement.accesses.iter().any(|a| !a.is_plain()) {
        return Ok(None);
    }
    if !statement.has_vectors() || !regular || statement.operations.1 > 0 || statement.calls > 0 {
        return Ok(None);
    }
    let Ok(bytes) = i64::try_from(bytes) else { return Ok(None) };
    // What others decide may be part of a sum, `k` of `16 k + r`, but not windows that move with the cell.
    let moving = || (first..path.steps.len()).filter(|s| path.accesses.first().is_some_and(|a| a.moves(*s)));
    let sums = if leaves.len() == 1 && (decided.is_empty() || moving().all(|s| !path.steps[s].slanted)) {
        sums_around(model, &members, inside, path, first, shared)?
    } else {
        0
    };
    let candidate = Candidate {
        scop: model.scop,
        machine: model.machine(),
        id,
        path,
        first,
        bytes,
        reversed: backwards.is_some(),
        together: leaves.len() > 1,
        padded: leaves.len() == 1 && model.shapes.is_padded(id),
        is_inside: shared > 0,
        parallel,
        sums,
    };
    let Some((roles, mut tile, mut cycles)) = candidate.best(choosy) else { return Ok(None) };
    // Nothing is copied there.
    if shared > 0
        && let Some(row) = roles.row
        && [row, roles.column].iter().all(|&s| path.steps[s].extent <= SMALL)
        && let Some(registers) = candidate.in_place(&roles, row, tile)
    {
        tile = Tile { rows: registers.rows, vectors: registers.columns / tile.lanes, ..tile };
        cycles = candidate.cycles(&roles, tile);
    }
    if backwards.is_some() && roles.row.is_none() {
        return Ok(None);
    }
    // Loops of a sum that have to stay outside go into those that move its cell, where they may: these cells are used again sooner.
    let outside: Vec<usize> = roles.outer.iter().copied().chain(0..first).collect();
    let inner: Vec<usize> = (first..members.len()).filter(|s| !roles.outer.contains(s)).collect();
    let moved = first > 0
        && shared == 0
        && !roles.outer.is_empty()
        && leaves.len() == 1
        && model.distances.is_band_inside(&members, inside, &outside, &inner)?;
    let order: Vec<usize> =
        if moved { outside.into_iter().chain(inner).collect() } else { (0..members.len()).collect() };
    let first = if moved { first + roles.outer.len() } else { first };
    let members: Vec<&Member> = order.iter().map(|&k| members[k]).collect();
    let roles = roles.renumbered(&order, first);
    let parallel = order.iter().map(|&k| candidate.parallel[k]).collect();
    let candidate = Candidate { path: &path.reordered(&order), first, parallel, ..candidate };
    let mut sum = None;
    let compute = cycles;
    let memory = match roles.row.is_none() || candidate.uses_once(&roles) {
        true => lines(model, &members, inside, &roles.streamed(tile))?,
        false => 0.0,
    };
    if memory > 0.0 {
        cycles = overlap(compute, memory);
    }
    if roles.row.is_none() {
        let (near, row_bytes) = candidate.matrix(&roles);
        sum = Some(Sum { compute, memory, near, row_bytes });
    }
    if leaves.len() > 1 {
        let shared: Vec<&Member> = roles.order().iter().map(|&k| members[k]).collect();
        if roles.depth.len() != 1 || !companions::are_in_band(model, id, &shared, &leaves)? {
            return Ok(None);
        }
        // Where all statements run there are plain loops.
        cycles *= TOGETHER;
    }
    let before = estimate.cycles + estimate.doubtful;
    if choosy && cycles > before * WORTH {
        return Ok(None);
    }
    let whole = roles.row.is_some() && candidate.depth(&roles) <= TILE_OF_DEPTH;
    let mut plan = candidate.blocking(&roles, tile);
    // A sum whose innermost loop was unrolled, most likely: more memory than is read of it.
    if plan.packs.len() > MOST_PACKS && choosy {
        return Ok(None);
    }
    if shared > 0 || leaves.len() > 1 || plan.packs.len() > MOST_PACKS {
        plan.packs.clear();
        plan.worth_packing.clear();
        plan.in_place = None;
        plan.steps = tile.steps;
    }
    if leaves.len() > 1 {
        let (least, window) = match (candidate.is_contiguous(&roles), candidate.is_triangle(&roles)) {
            (true, false) => (WORTHWHILE_TOGETHER, WORTHWHILE_WINDOW),
            (true, true) if model.machine().masks => (WORTHWHILE_TOGETHER, WORTHWHILE_WINDOW_TRIANGLE),
            (true, true) => (WORTHWHILE_TOGETHER, WORTHWHILE_WINDOW_TRIANGLE_UNMASKED),
            (false, _) => (WORTHWHILE_SCALAR, WORTHWHILE_WINDOW_SCALAR),
        };
        candidate.mirror(&roles, &mut plan, choosy);
        let more = i64::try_from(leaves.len().saturating_sub(4)).unwrap_or(i64::MAX);
        let least = least.saturating_add(more.saturating_mul(WORTHWHILE_EACH));
        plan.worthwhile = candidate.all_at_least(&roles, least);
        if let Some(bands) = &mut plan.bands {
            (bands.least_of_window, bands.least_of_both) = (window, window);
        }
    }
    candidate.fetch(&roles, &mut plan);
    let sums = if plan.packs.is_empty() { candidate.sums_held(&roles) } else { 0 };
    if sums > 0 {
        plan = plan.within_sums(sums, roles.depth.len());
    }
    let order: Vec<usize> = (first - sums..first).chain(roles.order()).collect();
    let band: Vec<Member> = order.iter().map(|&k| members[k].clone()).collect();
    if !choosy {
        // Tests want kernels for all sizes.
        plan.worthwhile.clear();
        plan.worth_mirrors.clear();
        plan.fetch.iter_mut().for_each(|fetch| fetch.worth.clear());
        plan.bands = None;
    }
    if !plan.fits(band.len()) {
        return Ok(None);
    }
    let mut tree = Node::Band { members: band, permutable: sums == 0, child: Box::new(inside.clone()) };
    let first = first - sums;
    if first > shared {
        let around = members[shared..first].iter().map(|m| (*m).clone()).collect();
        tree = Node::Band { members: around, permutable: true, child: Box::new(tree) };
    }
    Ok(Some(Planned { id, tree, plan, cost: cycles, sum, whole, overhead }))
}

/// How many of the steps directly outside of the band are sums like those inside of it, which its kernel can hold its cells over, too: in the order of the source, inside of all tiles. The
/// other members of the band must be able to stand outside of them.
fn sums_around(
    model: &Model<'_>,
    members: &[&Member],
    inside: &Node,
    path: &Path,
    first: usize,
    shared: usize,
) -> Result<usize> {
    let still = |s: &usize| path.accesses.first().is_some_and(|a| !a.moves(*s));
    let sums = (shared..first).rev().take_while(still).count();
    let outside: Vec<usize> = (0..first - sums).collect();
    let tiled: Vec<usize> = (first..members.len()).filter(|s| !still(s)).collect();
    let may = sums > 0 && model.distances.is_band_inside(members, inside, &outside, &tiled)?;
    Ok(if may { sums } else { 0 })
}

/// Members of the band that do not move the stored cell but are no sum: the other loops of the band leave them less than [`DECIDED`] values, as `B t <= i < B t + B` does for the `t` of a
/// loop over blocks of `i`. Nothing is used again along them; outside of the band they bound it.
fn decided(
    model: &Model<'_>,
    members: &[&Member],
    path: &Path,
    id: StatementId,
    around: &[usize],
    band: &[usize],
) -> Result<Vec<usize>> {
    let rows: Option<Vec<&Affine>> = members.iter().map(|m| m.rows.get(&id)).collect();
    let Some(rows) = rows else { return Ok(Vec::new()) };
    let still = |k: &&usize| path.accesses.first().is_some_and(|a| !a.moves(**k));
    // In a box nothing decides anything.
    if path.steps.iter().all(|s| !s.slanted) {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    for &k in band.iter().filter(still) {
        let others = around.iter().chain(band).copied().filter(|&o| o != k);
        let order: Vec<Affine> = others.chain([k]).map(|o| rows[o].clone()).collect();
        let Some(shape) = model.shapes.of(id, &order)? else { continue };
        let values = shape.loops.last().and_then(|d| *d).map_or(1.0, |d| shape.extents[d]);
        if values < DECIDED {
            out.push(k);
        }
    }
    Ok(out)
}

/// The loops of a perfect nest in another order.
fn in_order(model: &Model<'_>, members: &[&Member], inside: &Node, order: &[usize]) -> Result<Option<Nest>> {
    let members = order.iter().map(|&k| members[k].clone()).collect();
    let tree = Node::Band { members, permutable: false, child: Box::new(inside.clone()) };
    Ok(model.estimate_with_loops(&tree)?.map(|(_, loops)| loops))
}

/// The step of the band along which the stored cells are neighbours, if it walks from each to the one before, and no other step walks to the next.
fn backwards(path: &Path, first: usize) -> Option<usize> {
    let by = |step: usize| path.accesses.first().and_then(|a| a.by[step].split_last());
    let moves = |step: usize, distance: i64| {
        by(step).is_some_and(|(last, others)| *last == distance && others.iter().all(|c| *c == 0))
    };
    let mut band = first..path.steps.len();
    if band.clone().any(|step| moves(step, 1)) { None } else { band.find(|&step| moves(step, -1)) }
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
