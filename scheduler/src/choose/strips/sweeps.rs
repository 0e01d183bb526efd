//! Sweeps that a loop repeats, strip by strip: time tiles.
//!
//! **Problem.** `for t { sweep over B; sweep over A }` fetches both arrays in every iteration once they are larger than a cache. Tiles of a skewed band would keep what is near; but they
//! cut the innermost loops, whose length and simple bounds are what makes stencils fast.
//!
//! **Method.** Only the number of the row is cut: a function `f` of all instances that no dependence decreases, `f = t + i` for one sweep a step, `2 t + i` and `2 t + i + 1` for two. Outermost is
//! a loop over strips of `f`, inside are the loops as they were, over all times, each with what it has in the strip. From one time to the next the strip moves by a row or two; the others
//! are still there. So a cache must hold the rows of a strip, and `s` rows a strip divide the lines that are fetched by about `s`.
//!
//! Such functions are the members of permutable bands: the planner has found them. It need not be time: for Gram-Schmidt's vectors `f` is the column, and a strip of columns stays while
//! all vectors before are subtracted from it.
//!
//! Where few rows fill the cache, as planes of a grid do, strips of two such functions together are bricks.
//!
//! Sweeps over vectors have no loop inside to leave whole: there the number is that of the point, strips are long, and they stay in the first level. Only what does not fit it gains, so
//! these are looked at for longer vectors than the typical ones.
//!
//! Papers: Wonnacott, *Achieving scalable locality with time skewing* (IJPP 2002); Song, Li, *New tiling techniques to improve cache temporal locality* (PLDI 1999).

use crate::Result;
use crate::choose::search::{CUT_RISK, Random, rounded};
use crate::cost::carried::Annotated;
use crate::cost::{Estimate, Model};
use crate::kernel::{Cut, Strip};
use crate::machine::Machine;
use crate::scop::{Statement, StatementId};
use crate::tree::{Member, Node, Rows};
use polyhedra::Affine;

/// Rows in a strip.
const SIZES: [i64; 6] = [8, 16, 32, 64, 128, 256];

/// The same of two row numbers at once.
const SIZES_OF_BRICKS: [i64; 3] = [8, 16, 32];

/// Bytes of rows that sweeps inside of strips may be cut to, all rows of a strip one after the other, so that those that a point needs stay in the first level: whole pairs of vectors, and four of the longest in half of
/// 32 KiB.
const BYTES_OF_ROWS: [u64; 2] = [3584, 2048];

/// All but the lines takes so many times as long: rows begin and end more often. (By the model much longer; measured on Zen 4, five points: at most that.)
const ROW_RISK: f64 = 1.1;

/// Rows that are cut must be so many times as long as a piece: short rests gain nothing.
const LONGER: f64 = 1.5;

/// Uncut, the nest must take longer by more than what makes this part of it: with shorter rows there is nothing to gain.
const LEAST_OF_ROWS: f64 = 0.87;

/// Strips whose rows may be cut.
const MOST_CUT: usize = 2;

/// Points in a strip.
const SIZES_OF_POINTS: [i64; 4] = [512, 1024, 2048, 4096];

/// All but the lines takes so many times as long in strips of points: they begin anywhere, so that more vectors lie across two lines. Where vectors fill lines, new loops hand neighbours on from vector to vector, which
/// makes up for it.
const POINTS_RISK: f64 = 1.15;

/// Vectors that are looked at take so many times the first level together: the second has room for them.
const FIRST_LEVELS: u64 = 3;

/// Strips are for nests with so many loops: one that repeats, rows, and one that stays whole. Sums over a matrix have two, and kernels that strips would stand against.
const LOOPS_OF_STRIPS: usize = 3;

/// Strips of points are for nests with so many loops, over vectors alone.
const LOOPS_OF_POINTS: usize = 2;

/// Bricks are for nests with so many loops: time, two to cut, and one that stays whole.
const LOOPS_OF_BRICKS: usize = 4;

/// Twice as many rows must be predicted to save more than this part of the time: a larger problem has longer rows.
const DOUBLING: f64 = 0.05;

/// So many choices of strips are offered for a tree.
const MOST_RANKS: usize = 6;

/// Where less than this part of the time is for lines there is nothing to gain.
const LEAST_MEMORY: f64 = 0.2;

/// Sizes of problems from which strips may be said to pay.
const SIZES_WORTHWHILE: [i64; 12] = [8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

/// The same for points.
const SIZES_WORTHWHILE_POINTS: [i64; 8] = [1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288];

/// They pay where the source takes so many times as long.
const GAIN: f64 = 1.1;

/// Row numbers that are tried.
const MOST_ROWS: usize = 4;

/// A tree some of whose outermost nests run strip by strip.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::choose) struct Swept {
    /// The tree.
    pub tree: Node,
    /// The strips.
    pub strips: Vec<Strip>,
    /// The tree that it was made from, if one nest of a strip finds the lines that another one has fetched.
    pub fused: Option<Node>,
    /// Predicted cycles; of points as if the typical vectors gained as much as long ones.
    pub cost: f64,
}

impl Swept {
    /// Cycles and doubtful cycles, for other sizes. `None`: not known.
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub(in crate::choose) fn cost_in(&self, model: &Model<'_>) -> Result<Option<(f64, f64)>> {
        if let Some(fused) = &self.fused {
            return super::rows::cost(model, &self.tree, fused);
        }
        let (mut cycles, mut doubtful) = (0.0, 0.0);
        for nest in self.tree.outermost() {
            let strip = self.strips.iter().find(|s| s.has(nest));
            let Some(annotated) = model.distances.annotate(nest)? else { return Ok(None) };
            let cost = match strip {
                Some(strip) if are_of_points(model, nest) => of_points(model, &annotated, strip)?,
                Some(strip) => model.in_strips(annotated, strip)?.map(|(cut, _)| (cut.cycles, cut.doubtful)),
                None => model.weigh(annotated)?.map(|(estimate, _)| (estimate.cycles, estimate.doubtful)),
            };
            let Some(cost) = cost else { return Ok(None) };
            cycles += cost.0;
            doubtful += cost.1;
        }
        Ok(Some((cycles, doubtful)))
    }
}

/// Kernels are looked for afterwards, with what steps are left: a third at least.
pub(in crate::choose) fn may_go_on(model: &Model<'_>) -> bool {
    let budget = model.distances.budget();
    budget.spent() / 2 <= budget.left()
}

/// The size from which strips pay: the least that the model knows for the loops of the source to take [`GAIN`] times as long. `None`: all sizes.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(in crate::choose) fn worthwhile(model: &Model<'_>, source: &Node, swept: &Swept) -> Result<Option<i64>> {
    // Elsewhere the half of a cache that may be taken by others is left out of account; here that would be the wrong side to err on.
    let (l1_bytes, l2_bytes) = (model.machine().l1_bytes, model.machine().l2_bytes.saturating_mul(2));
    let points = are_of_points(model, &swept.tree);
    let l1_bytes = if points { l1_bytes.saturating_mul(2) } else { l1_bytes };
    let roomy = Machine { l1_bytes, l2_bytes, ..model.machine().clone() };
    let sizes = if points { &SIZES_WORTHWHILE_POINTS[..] } else { &SIZES_WORTHWHILE[..] };
    let pays = |size: i64| -> Result<bool> {
        let model = model.with(size, &roomy)?;
        let (Some(source), Some((cycles, _))) = (model.estimate(source)?, swept.cost_in(&model)?) else {
            return Ok(true);
        };
        Ok(source.cycles >= GAIN * cycles)
    };
    // Where it pays it does for all larger ones.
    let (mut low, mut high) = (0, sizes.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if pays(sizes[middle])? { high = middle } else { low = middle + 1 }
    }
    Ok((low > 0 || points).then(|| sizes[low.min(sizes.len() - 1)]))
}

/// The row numbers that members of some trees offer for the statements of a nest: those that all its statements have first. Statements that a member is not around take
/// part with the row of a loop outside: Gram-Schmidt's norm of column `k` runs with the row `j = k`.
fn rows<'t>(nest: &Node, from: impl Iterator<Item = &'t Node>) -> Vec<Rows> {
    let mut offers = Offers { own: nest.statements(), found: Vec::new() };
    if let Node::Band { members, .. } = nest
        && let Some(first) = members.first()
    {
        // That loop is the outermost already.
        offers.found.push((0, first.rows.clone()));
    }
    from.for_each(|tree| offers.collect(tree, &mut Vec::new()));
    let mut found = offers.found.split_off(1.min(offers.found.len()));
    found.sort_by_key(|(borrowed, _)| *borrowed);
    found.truncate(MOST_ROWS);
    found.into_iter().map(|(_, rows)| rows).collect()
}

struct Offers {
    own: Vec<StatementId>,
    /// Each with the number of statements that have their row from elsewhere.
    found: Vec<(usize, Rows)>,
}

impl Offers {
    fn collect<'t>(&mut self, node: &'t Node, around: &mut Vec<&'t Member>) {
        match node {
            Node::Leaf(_) => {}
            Node::Sequence(children) => children.iter().for_each(|c| self.collect(c, around)),
            Node::Band { members, child, .. } => {
                for member in members {
                    self.offer(member, around);
                    around.push(member);
                }
                self.collect(child, around);
                around.truncate(around.len() - members.len());
            }
        }
    }

    fn offer(&mut self, member: &Member, around: &[&Member]) {
        let of = |s: &StatementId| Some((*s, member.rows.get(s)?.clone()));
        let rows: Rows = self.own.iter().filter_map(of).collect();
        if rows.len() == self.own.len() {
            self.add(0, rows);
        } else if !rows.is_empty() {
            for outside in around {
                let from = |s: &StatementId| Some((*s, member.rows.get(s).or_else(|| outside.rows.get(s))?.clone()));
                let all: Rows = self.own.iter().filter_map(from).collect();
                if all.len() == self.own.len() {
                    self.add(all.len() - rows.len(), all);
                }
            }
        }
    }

    fn add(&mut self, borrowed: usize, rows: Rows) {
        if self.found.iter().all(|(_, r)| *r != rows) {
            self.found.push((borrowed, rows));
        }
    }
}

/// The tree with the best strips for each of its outermost nests, with rows like those of some other trees; then with the second best, and so on.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(in crate::choose) fn sweeps<'t>(
    model: &Model<'_>,
    tree: &Node,
    from: impl Iterator<Item = &'t Node> + Clone,
) -> Result<Vec<Swept>> {
    if !tree.outermost().iter().any(|nest| depth(model, nest) >= LOOPS_OF_STRIPS) && !are_of_points(model, tree) {
        return Ok(Vec::new());
    }
    let mut nests = Vec::new();
    for nest in tree.outermost() {
        let Some(found) = of_nest(model, nest, from.clone())? else { return Ok(Vec::new()) };
        nests.push(found);
    }
    let most = nests.iter().map(|nest| nest.strips.len()).max().unwrap_or(0);
    let mut out = Vec::new();
    for rank in 0..most.min(MOST_RANKS) {
        let mut swept = Swept { tree: tree.clone(), strips: Vec::new(), fused: None, cost: 0.0 };
        let mut trees = Vec::with_capacity(nests.len());
        for nest in &nests {
            let chosen = nest.strips.get(rank.min(nest.strips.len().saturating_sub(1)));
            swept.cost += chosen.map_or(nest.before, |found| found.cost);
            swept.strips.extend(chosen.map(|found| found.strip.clone()));
            trees.push(chosen.map_or(&nest.nest, |found| &found.nest).clone());
        }
        swept.tree = if trees.len() == 1 { trees.remove(0) } else { Node::Sequence(trees) };
        out.push(swept);
    }
    Ok(out)
}

/// Are strips of a tree's nests strips of points: is there nothing but vectors, and no deeper nest than a sweep that is repeated? (What does not move with the sweep is a sum.)
pub(in crate::choose) fn are_of_points(model: &Model<'_>, tree: &Node) -> bool {
    let deepest = tree.outermost().iter().map(|nest| depth(model, nest)).max();
    let goes_on = |s: &Statement| s.depth() < LOOPS_OF_POINTS || s.write().subscripts.iter().any(|e| moves(e, s));
    deepest == Some(LOOPS_OF_POINTS)
        && model.scop.arrays.iter().all(|array| array.rank <= 1)
        && tree.statements().iter().all(|s| goes_on(&model.scop.statements[s.0]))
}

/// Do rows move with loops outside?
fn are_skewed(rows: &Rows) -> bool {
    rows.values().any(|e| e.dim_coeffs().iter().filter(|c| **c != 0).count() > 1)
}

/// Does an affine form move with a statement's innermost loop in the source?
fn moves(form: &Affine, s: &Statement) -> bool {
    s.depth().checked_sub(1).is_some_and(|d| form.dim_coeff(d) != 0)
}

/// Is the loop outside one that repeats sweeps?
fn repeats(model: &Model<'_>, nest: &Node) -> bool {
    let Node::Band { members, .. } = nest else { return false };
    let goes_on = |(s, row): (&StatementId, &Affine)| {
        let s = &model.scop.statements[s.0];
        s.depth() == LOOPS_OF_POINTS && moves(row, s)
    };
    members.first().is_some_and(|first| !first.rows.iter().any(goes_on))
}

/// The length of vectors that together take [`FIRST_LEVELS`].
fn long_vectors(model: &Model<'_>) -> i64 {
    let bytes: u64 = model.scop.arrays.iter().filter(|a| a.rank == 1).map(|a| a.stride_bytes).sum();
    i64::try_from(FIRST_LEVELS * model.machine().l1_bytes / bytes.max(1)).unwrap_or(1).max(1)
}

/// The loops around the deepest statement of a nest.
fn depth(model: &Model<'_>, nest: &Node) -> usize {
    nest.statements().iter().map(|s| model.scop.statements[s.0].depth()).max().unwrap_or(0)
}

/// A nest that strips may be good for.
struct Found {
    nest: Node,
    /// Predicted cycles without.
    before: f64,
    /// With strips, where that is less; best first.
    strips: Vec<InStrips>,
}

/// A nest in strips.
#[derive(Clone)]
struct InStrips {
    strip: Strip,
    nest: Node,
    cost: f64,
}

/// Strips for a nest. `None`: it looks illegal.
fn of_nest<'t>(model: &Model<'_>, nest: &Node, from: impl Iterator<Item = &'t Node>) -> Result<Option<Found>> {
    let Some(estimate) = model.estimate(nest)? else { return Ok(None) };
    let before = estimate.cycles + estimate.doubtful;
    let mut found = Found { nest: nest.clone(), before, strips: Vec::new() };
    let depth = depth(model, nest);
    let points = are_of_points(model, nest);
    let long = if points { Some(model.with(long_vectors(model), model.machine())?) } else { None };
    let estimate = match &long {
        Some(long) => long.estimate(nest)?,
        None => Some(estimate),
    };
    let (model, Some(estimate)) = (long.as_ref().unwrap_or(model), estimate) else { return Ok(None) };
    let plain = estimate.cycles + estimate.doubtful;
    let memory = memory(&estimate);
    if (depth < LOOPS_OF_STRIPS && !points) || memory < LEAST_MEMORY * plain {
        return Ok(Some(found));
    }
    let mut legal = Vec::new();
    for rows in rows(nest, from) {
        if let Some(looped) = (Cut { rows: rows.clone(), size: 1 }).around(nest)
            && model.distances.annotate(&looped)?.is_some()
        {
            legal.push(rows);
        }
    }
    // Where points need not move with time, loops can be interchanged, which others see to.
    if points && !(repeats(model, nest) && legal.iter().all(are_skewed)) {
        return Ok(Some(found));
    }
    let deep = depth >= LOOPS_OF_BRICKS;
    let cut = |rows: &Rows, size: i64| Cut { rows: rows.clone(), size };
    let strip = |cuts| Strip { cuts, worthwhile: None };
    let mut strips: Vec<Strip> = Vec::new();
    let sizes = if points { &SIZES_OF_POINTS[..] } else { &SIZES[..] };
    for (k, rows) in legal.iter().enumerate() {
        strips.extend(sizes.iter().map(|&size| strip(vec![cut(rows, size)])));
        for other in legal[k + 1..].iter().filter(|_| deep) {
            let sizes = SIZES_OF_BRICKS.iter().flat_map(|a| SIZES_OF_BRICKS.map(|b| (*a, b)));
            strips.extend(sizes.map(|(a, b)| strip(vec![cut(rows, a), cut(other, b)])));
        }
    }
    // Least cost; of nearly equal ones the fewest rows.
    let mut ranked = Vec::new();
    for strip in strips {
        if !may_go_on(model) {
            break;
        }
        let cost = if points {
            of_points(model, &estimate.annotated, &strip)?.map(|(cycles, doubtful)| cycles + doubtful)
        } else {
            model.in_strips(estimate.annotated.clone(), &strip)?.map(|(cut, loops)| {
                let risk = if loops.cuts_innermost() { CUT_RISK } else { 1.0 };
                (cut.cycles + cut.doubtful) * risk
            })
        };
        let rows: i64 = strip.cuts.iter().map(|cut| cut.size).product();
        let doublings = f64::from(rows.unsigned_abs().ilog2());
        if let Some(cost) = cost.filter(|cost| *cost < plain) {
            ranked.push((rounded(cost * (1.0 + DOUBLING * doublings)), strip, cost));
        }
    }
    ranked.sort_by_key(|(rank, ..)| *rank);
    for (_, strip, cost) in ranked {
        let plain_rows = InStrips { strip, nest: nest.clone(), cost: cost / plain * before };
        // Others are for the search, which tiles what can be interchanged.
        let is_skewed = plain_rows.strip.cuts.iter().any(|cut| are_skewed(&cut.rows));
        let cut = if is_skewed && !points && found.strips.len() < MOST_CUT {
            with_cut_rows(model, &estimate.annotated.tree, &plain_rows)?
        } else {
            None
        };
        found.strips.extend(cut);
        found.strips.push(plain_rows);
    }
    Ok(Some(found))
}

/// A nest, with what is known of its loops, with its rows cut, too, if that is predicted to be worth it.
fn with_cut_rows(model: &Model<'_>, annotated: &Node, uncut: &InStrips) -> Result<Option<InStrips>> {
    let mut best: Option<InStrips> = None;
    let Some(plain) = model.distances.annotate(&uncut.nest)? else { return Ok(None) };
    let Some((plain, _)) = model.in_strips(plain, &uncut.strip)? else { return Ok(None) };
    let without = plain.cycles + plain.doubtful - memory(&plain);
    let longest = plain.inner.iter().map(|inner| inner.trips).fold(0.0, f64::max);
    let arrays = annotated.statements().into_iter().flat_map(|s| &model.scop.statements[s.0].accesses);
    let element = arrays.map(|a| model.scop.arrays[a.array.0].element_bytes).max().unwrap_or(1).max(1);
    for bytes in BYTES_OF_ROWS {
        let Some(size) = i64::try_from(bytes / element).ok().filter(|size| *size > 1 && may_go_on(model)) else {
            break;
        };
        #[expect(clippy::cast_precision_loss, reason = "estimates")]
        if longest < LONGER * size as f64 {
            continue;
        }
        let mut nest = annotated.clone();
        if !cut_rows(&mut nest, size) {
            break;
        }
        let Some(annotated) = model.distances.annotate(&nest)? else { break };
        let nest = annotated.tree.clone();
        let Some((cut, _)) = model.in_strips(annotated, &uncut.strip)? else { continue };
        let cost = without * ROW_RISK + memory(&cut);
        if cost < best.as_ref().map_or(uncut.cost * LEAST_OF_ROWS, |best| best.cost) {
            best = Some(InStrips { strip: uncut.strip.clone(), nest, cost });
        }
    }
    Ok(best)
}

/// Cuts the innermost of several loops that nothing is between. `false`: there are none.
fn cut_rows(node: &mut Node, size: i64) -> bool {
    match node {
        Node::Leaf(_) => false,
        Node::Sequence(children) => children.iter_mut().map(|child| cut_rows(child, size)).max().unwrap_or(false),
        Node::Band { members, permutable, child } => {
            let inside = cut_rows(child, size);
            let is_innermost = child.outermost().iter().all(|node| matches!(node, Node::Leaf(_)));
            match members.as_mut_slice() {
                [.., rows, along] if *permutable && is_innermost && rows.parallel && along.parallel => {
                    along.tile = Some(size);
                    true
                }
                _ => inside,
            }
        }
    }
}

/// Cycles and doubtful cycles of strips of points: what the nest takes without, and the lines of the strips. (As many loops as there are strips and times are more than the model sees
/// through.)
fn of_points(model: &Model<'_>, nest: &Annotated, strip: &Strip) -> Result<Option<(f64, f64)>> {
    let Some((plain, _)) = model.weigh(nest.clone())? else { return Ok(None) };
    let Some((cut, _)) = model.in_strips(nest.clone(), strip)? else { return Ok(None) };
    let without = |estimate: &Estimate| estimate.cycles - memory(estimate);
    let machine = model.machine();
    let (cycles, risk) = if machine.vector_bytes() < machine.line_bytes {
        (without(&plain), POINTS_RISK)
    } else {
        // LLVM hands some neighbours on in the source.
        let source = model.source(&nest.tree)?.map_or(f64::INFINITY, |source| without(&source));
        (without(&plain).min(source), 1.0)
    };
    Ok(Some((cycles * risk + memory(&cut), plain.doubtful * risk)))
}

/// Cycles for lines.
fn memory(estimate: &Estimate) -> f64 {
    estimate.inner.iter().map(|inner| inner.memory).sum()
}

/// Random strips for some of the outermost nests; nobody has looked whether they are legal.
pub(in crate::choose) fn random<'t>(
    tree: &Node,
    from: impl Iterator<Item = &'t Node> + Clone,
    random: &mut Random,
) -> Vec<Strip> {
    const SIZES: [i64; 6] = [1, 2, 3, 5, 8, 32];
    let mut out = Vec::new();
    for nest in tree.outermost() {
        let offered = rows(nest, from.clone());
        let mut cuts = Vec::new();
        for _ in 0..random.below(3) {
            let size = SIZES[random.below(SIZES.len())];
            cuts.extend(offered.get(random.below(offered.len())).map(|rows| Cut { rows: rows.clone(), size }));
        }
        if !cuts.is_empty() {
            out.push(Strip { cuts, worthwhile: None });
        }
    }
    out
}
