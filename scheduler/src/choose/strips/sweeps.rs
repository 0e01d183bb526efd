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
//! Sweeps over vectors have no loop inside to leave whole: [`super::points`].
//!
//! Papers: Wonnacott, *Achieving scalable locality with time skewing* (IJPP 2002); Song, Li, *New tiling techniques to improve cache temporal locality* (PLDI 1999).

use super::cut_rows::with_cut_rows;
use super::points;
use crate::Result;
use crate::choose::search::{CUT_RISK, Random, rounded};
use crate::cost::{Estimate, Model};
use crate::kernel::{Cut, Strip};
use crate::machine::Machine;
use crate::scop::StatementId;
use crate::tree::{Member, Node, Rows};

/// Rows in a strip.
const SIZES: [i64; 6] = [8, 16, 32, 64, 128, 256];

/// The same of two row numbers at once.
const SIZES_OF_BRICKS: [i64; 3] = [8, 16, 32];

/// Strips are for nests with so many loops: one that repeats, rows, and one that stays whole. Sums over a matrix have two, and kernels that strips would stand against.
const LOOPS_OF_STRIPS: usize = 3;

/// Bricks are for nests with so many loops: time, two to cut, and one that stays whole.
const LOOPS_OF_BRICKS: usize = 4;

/// Twice as many rows must be predicted to save more than this part of the time: a larger problem has longer rows.
const DOUBLING: f64 = 0.05;

/// Strips whose rows may be cut.
const MOST_CUT: usize = 2;

/// So many choices of strips are offered for a tree.
const MOST_RANKS: usize = 6;

/// Where less than this part of the time is for lines there is nothing to gain.
const LEAST_MEMORY: f64 = 0.2;

/// Sizes of problems from which strips may be said to pay.
const SIZES_WORTHWHILE: [i64; 12] = [8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

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
                Some(strip) if points::are_of_points(model, nest) => points::cost(model, &annotated, strip)?,
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
    let of_points = points::are_of_points(model, &swept.tree);
    let l1_bytes = if of_points { l1_bytes.saturating_mul(2) } else { l1_bytes };
    let roomy = Machine { l1_bytes, l2_bytes, ..model.machine().clone() };
    let sizes = if of_points { &points::SIZES_WORTHWHILE[..] } else { &SIZES_WORTHWHILE[..] };
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
    Ok((low > 0 || of_points).then(|| sizes[low.min(sizes.len() - 1)]))
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
    if !tree.outermost().iter().any(|nest| depth(model, nest) >= LOOPS_OF_STRIPS) && !points::are_of_points(model, tree)
    {
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

/// Do rows move with loops outside?
pub(super) fn are_skewed(rows: &Rows) -> bool {
    rows.values().any(|e| e.dim_coeffs().iter().filter(|c| **c != 0).count() > 1)
}

/// The loops around the deepest statement of a nest.
pub(super) fn depth(model: &Model<'_>, nest: &Node) -> usize {
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
pub(super) struct InStrips {
    pub(super) strip: Strip,
    pub(super) nest: Node,
    pub(super) cost: f64,
}

/// Strips for a nest. `None`: it looks illegal.
fn of_nest<'t>(model: &Model<'_>, nest: &Node, from: impl Iterator<Item = &'t Node>) -> Result<Option<Found>> {
    let Some(estimate) = model.estimate(nest)? else { return Ok(None) };
    let before = estimate.cycles + estimate.doubtful;
    let mut found = Found { nest: nest.clone(), before, strips: Vec::new() };
    let depth = depth(model, nest);
    let of_points = points::are_of_points(model, nest);
    let long = if of_points { Some(model.with(points::long_vectors(model), model.machine())?) } else { None };
    let estimate = match &long {
        Some(long) => long.estimate(nest)?,
        None => Some(estimate),
    };
    let (model, Some(estimate)) = (long.as_ref().unwrap_or(model), estimate) else { return Ok(None) };
    let plain = estimate.cycles + estimate.doubtful;
    let memory = memory(&estimate);
    if (depth < LOOPS_OF_STRIPS && !of_points) || memory < LEAST_MEMORY * plain {
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
    if of_points && !points::move_with_time(model, nest, &legal) {
        return Ok(Some(found));
    }
    let deep = depth >= LOOPS_OF_BRICKS;
    let cut = |rows: &Rows, size: i64| Cut { rows: rows.clone(), size };
    let strip = |cuts| Strip { cuts, worthwhile: None };
    let mut strips: Vec<Strip> = Vec::new();
    let sizes = if of_points { &points::SIZES[..] } else { &SIZES[..] };
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
        let cost = if of_points {
            points::cost(model, &estimate.annotated, &strip)?.map(|(cycles, doubtful)| cycles + doubtful)
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
        let cut = if is_skewed && !of_points && found.strips.len() < MOST_CUT {
            with_cut_rows(model, &estimate.annotated.tree, &plain_rows)?
        } else {
            None
        };
        found.strips.extend(cut);
        found.strips.push(plain_rows);
    }
    Ok(Some(found))
}

/// Cycles for lines.
pub(super) fn memory(estimate: &Estimate) -> f64 {
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
