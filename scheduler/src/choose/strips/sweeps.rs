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
//! **Not done.** Strips of two such functions at once, for grids of three dimensions that are too large for a few planes.
//!
//! Papers: Wonnacott, *Achieving scalable locality with time skewing* (IJPP 2002); Song, Li, *New tiling techniques to improve cache temporal locality* (PLDI 1999).

use crate::Result;
use crate::cost::Model;
use crate::kernel::Strip;
use crate::scop::StatementId;
use crate::tree::{Member, Node};
use polyhedra::Affine;
use std::collections::BTreeMap;

/// Rows in a strip.
const SIZES: [i64; 7] = [4, 8, 16, 32, 64, 128, 256];

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
                (Some(strip), Some(annotated)) => model.in_strips(annotated, strip)?,
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
pub(in crate::choose) fn rows<'t>(nest: &Node, from: impl Iterator<Item = &'t Node>) -> Vec<Rows> {
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
            for rows in rows(nest, from.clone()) {
                let strips = SIZES.map(|size| Strip { rows: rows.clone(), size });
                let looks_legal = match strips[0].around(nest) {
                    Some(looped) => model.distances.annotate(&looped)?.is_some(),
                    None => false,
                };
                if !looks_legal {
                    continue;
                }
                for strip in strips {
                    let Some(cut) = model.in_strips(estimate.annotated.clone(), &strip)? else { break };
                    let cost = cut.cycles + cut.doubtful;
                    let least = best.as_ref().map_or(before, |(_, least)| *least);
                    if cost < CLEARLY * least {
                        best = Some((strip, cost));
                    }
                }
            }
        }
        out.cost += best.as_ref().map_or(before, |(_, cost)| *cost);
        out.strips.extend(best.map(|(strip, _)| strip));
    }
    Ok((!out.strips.is_empty()).then_some(out))
}
