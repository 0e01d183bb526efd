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
//! Papers: Wonnacott, *Achieving scalable locality with time skewing* (IJPP 2002); Song, Li, *New tiling techniques to improve cache temporal locality* (PLDI 1999).

use crate::Result;
use crate::choose::search::{CUT_RISK, Random};
use crate::cost::Model;
use crate::kernel::{Cut, Strip};
use crate::scop::StatementId;
use crate::tree::{Member, Node};
use polyhedra::Affine;
use std::collections::BTreeMap;

/// Rows in a strip.
const SIZES: [i64; 7] = [4, 8, 16, 32, 64, 128, 256];

/// The same of two row numbers at once.
const SIZES_OF_BRICKS: [i64; 4] = [8, 16, 32, 64];

/// More rows are taken only when they are predicted to make less than this of the time: a larger problem has longer rows.
const CLEARLY: f64 = 0.95;

/// Where less than this part of the time is for lines there is nothing to gain.
const LEAST_MEMORY: f64 = 0.2;

/// Row numbers that are tried.
const MOST_ROWS: usize = 6;

/// A tree some of whose outermost nests run strip by strip.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::choose) struct Swept {
    /// The tree.
    pub tree: Node,
    /// The strips.
    pub strips: Vec<Strip>,
    /// Predicted cycles.
    pub cost: f64,
}

impl Swept {
    /// Cycles and doubtful cycles, for other sizes. `None`: not known.
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub(in crate::choose) fn cost_in(&self, model: &Model<'_>) -> Result<Option<(f64, f64)>> {
        let (mut cycles, mut doubtful) = (0.0, 0.0);
        for nest in self.tree.outermost() {
            let strip = self.strips.iter().find(|s| s.has(nest));
            let estimate = match (strip, model.distances.annotate(nest)?) {
                (_, None) => None,
                (Some(strip), Some(annotated)) => model.in_strips(annotated, strip)?.map(|(estimate, _)| estimate),
                (None, Some(annotated)) => model.weigh(annotated)?.map(|(estimate, _)| estimate),
            };
            let Some(estimate) = estimate else { return Ok(None) };
            cycles += estimate.cycles;
            doubtful += estimate.doubtful;
        }
        Ok(Some((cycles, doubtful)))
    }
}

/// For each statement its row number.
type Rows = BTreeMap<StatementId, Affine>;

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

/// The tree with the best strips for each of its outermost nests, with rows like those of some other trees. `None`: they save nothing.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(in crate::choose) fn sweeps<'t>(
    model: &Model<'_>,
    tree: &Node,
    from: impl Iterator<Item = &'t Node> + Clone,
) -> Result<Option<Swept>> {
    let mut out = Swept { tree: tree.clone(), strips: Vec::new(), cost: 0.0 };
    for nest in tree.outermost() {
        let Some(estimate) = model.estimate(nest)? else { return Ok(None) };
        let before = estimate.cycles + estimate.doubtful;
        let memory: f64 = estimate.inner.iter().map(|inner| inner.memory).sum();
        let mut best: Option<(Strip, f64)> = None;
        if memory > LEAST_MEMORY * before {
            let mut legal = Vec::new();
            for rows in rows(nest, from.clone()) {
                if let Some(looped) = (Cut { rows: rows.clone(), size: 1 }).around(nest)
                    && model.distances.annotate(&looped)?.is_some()
                {
                    legal.push(rows);
                }
            }
            let attempt = |strip: Strip, best: &mut Option<(Strip, f64)>| -> Result<()> {
                if let Some((cut, loops)) = model.in_strips(estimate.annotated.clone(), &strip)? {
                    let risk = if loops.cuts_innermost() { CUT_RISK } else { 1.0 };
                    let cost = (cut.cycles + cut.doubtful) * risk;
                    if cost < CLEARLY * best.as_ref().map_or(before, |(_, least)| *least) {
                        *best = Some((strip, cost));
                    }
                }
                Ok(())
            };
            let cut = |rows: &Rows, size: i64| Cut { rows: rows.clone(), size };
            for rows in &legal {
                for size in SIZES {
                    attempt(Strip { cuts: vec![cut(rows, size)] }, &mut best)?;
                }
            }
            for (k, outer) in legal.iter().enumerate() {
                for inner in &legal[k + 1..] {
                    for (a, b) in SIZES_OF_BRICKS.iter().flat_map(|a| SIZES_OF_BRICKS.map(|b| (*a, b))) {
                        attempt(Strip { cuts: vec![cut(outer, a), cut(inner, b)] }, &mut best)?;
                    }
                }
            }
        }
        out.cost += best.as_ref().map_or(before, |(_, cost)| *cost);
        out.strips.extend(best.map(|(strip, _)| strip));
    }
    Ok((!out.strips.is_empty()).then_some(out))
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
            out.push(Strip { cuts });
        }
    }
    out
}
