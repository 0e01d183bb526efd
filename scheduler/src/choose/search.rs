//! Beam search over rewritings, by predicted cost; and random walks over the same rewritings, for tests.

use super::{proposals, words};
use crate::Result;
use crate::cost::Model;
use crate::cost::carried::{Annotated, Distances};
use crate::cost::nest::Role;
use crate::cost::shape::typical_size;
use crate::tree::Node;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// Trees that are worked on further in each round.
const BEAM: usize = 4;

/// Rounds of regrouping.
const ROUNDS: usize = 3;

/// Trees whose parts are searched by themselves.
const REFINED: usize = 3;

/// Trees for which tiles are looked for.
const TILED: usize = 4;

/// Estimates that one search may ask for.
const MOST_ESTIMATES: usize = 2000;

/// Estimates times statements.
const MOST_WORK: usize = 6_000;

/// What replaces something must not be predicted to take longer than this many times its time for sizes that are not typical either.
pub(super) const SAFE: f64 = 1.1;

/// Such sizes, as a fraction of the typical one.
pub(super) const OTHER_SIZES: [(i64, i64); 2] = [(1, 8), (4, 1)];

/// Cycles of a tree are taken for this many times as long for every tiled loop: partial tiles, what the footprints do not see.
const TILE_RISK: f64 = 1.05;

/// The same where an innermost loop is cut: vectorised loops start and end more often, and their lengths are no longer seen. Measured on matrix products.
pub(super) const CUT_RISK: f64 = 1.35;

/// The same for skewed loops: bounds with minima and maxima, unaligned starts, short vectors. Stencils gain little on one core, and lose easily.
const SKEW_RISK: f64 = 4.0;

/// Sizes for tiles of loops outside the innermost.
const OUTER_SIZES: [Option<i64>; 5] = [None, Some(32), Some(64), Some(128), Some(256)];

/// Sizes for the innermost loop: long, and whole vectors.
const INNER_SIZES: [Option<i64>; 4] = [None, Some(128), Some(256), Some(512)];

/// Fewer sizes where a band has many members.
const FEW_SIZES: [Option<i64>; 3] = [None, Some(32), Some(128)];

/// A tree and what it is thought to cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposal {
    /// The tree with flags as predicted.
    pub tree: Node,
    /// Predicted cycles, with a factor for what the model is not sure of.
    pub cost: f64,
    /// The part that no tiles can save.
    least: f64,
    /// Loops are skewed that are not in the trees that the search started from.
    pub skewed: bool,
    rank: (u64, usize, Vec<i64>, usize),
    carried: Annotated,
}

/// The search.
pub struct Search<'a> {
    model: &'a Model<'a>,
    /// The model for other values of the parameters; none when no loop has any in its bounds.
    others: Rc<Vec<Model<'a>>>,
    found: Vec<Rc<Proposal>>,
    /// What was asked for: different ways lead to the same tree. Only ever looked up.
    asked: HashMap<Node, Option<Rc<Proposal>>, BuildHasherDefault<Words>>,
    /// Estimates made so far.
    pub estimates: usize,
    /// Of the trees that the search started from.
    least_skew: Option<usize>,
}

impl<'a> Search<'a> {
    /// An empty search.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn new(model: &'a Model<'a>) -> Result<Self> {
        let mut rows = model.scop.statements.iter().flat_map(|s| s.domain.constraints());
        let is_symbolic = rows.any(|c| c.expr.param_coeffs().iter().any(|&a| a != 0));
        let typical = typical_size(model.scop);
        let sizes = if is_symbolic { &OTHER_SIZES[..] } else { &[] };
        let others =
            sizes.iter().map(|(times, over)| model.with_size(typical * times / over)).collect::<Result<_>>()?;
        Ok(Self::with(model, Rc::new(others), 0))
    }

    fn with(model: &'a Model<'a>, others: Rc<Vec<Model<'a>>>, estimates: usize) -> Self {
        Self { model, others, found: Vec::new(), asked: HashMap::default(), estimates, least_skew: None }
    }

    /// Do the sizes of loops depend on parameters?
    #[must_use]
    pub fn is_symbolic(&self) -> bool {
        !self.others.is_empty()
    }

    /// Is a tree not slower than another for sizes that are not typical either?
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub fn is_safe_tree(&self, before: &Node, after: &Node) -> Result<bool> {
        self.is_safe(before, |model| Ok(model.estimate(after)?.map(|e| (e.cycles, e.doubtful))))
    }

    /// The same, where cycles and doubtful cycles of what comes after are known to the caller.
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub fn is_safe(&self, before: &Node, after: impl Fn(&Model<'_>) -> Result<Option<(f64, f64)>>) -> Result<bool> {
        for model in self.others.iter() {
            if let (Some(before), Some((cycles, doubtful))) = (model.estimate(before)?, after(model)?)
                && cycles + doubtful > (before.cycles + before.doubtful.min(doubtful)) * SAFE
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Starts from these trees, each with the best order of its loops too.
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub fn start_from(&mut self, trees: &[&Node]) -> Result<()> {
        for tree in trees {
            if let Some((_, nest)) = self.model.estimate_with_loops(tree)? {
                let skew = words::skew(&nest);
                self.least_skew = Some(self.least_skew.map_or(skew, |least| least.min(skew)));
            }
        }
        for tree in trees {
            if let Some(p) = self.propose(tree)? {
                self.keep(Rc::clone(&p));
                let best = self.best_order(p, &[])?;
                self.keep(best);
            }
        }
        Ok(())
    }

    /// Looks for better ones.
    ///
    /// # Errors
    /// Overflow, budget, malformed tree.
    pub fn run(&mut self) -> Result<()> {
        self.regroup()?;
        // The parts of a sequence do not depend on each other's orders and tiles: each is searched by itself.
        let mut known: Vec<(Node, Node)> = Vec::new();
        for tree in self.best(REFINED) {
            let parts = match &tree {
                Node::Sequence(children) => children.clone(),
                other => vec![other.clone()],
            };
            let mut better = Vec::with_capacity(parts.len());
            for part in parts {
                if let Some((_, done)) = known.iter().find(|(p, _)| *p == part) {
                    better.push(done.clone());
                    continue;
                }
                let mut search = Search::with(self.model, Rc::clone(&self.others), self.estimates);
                search.start_from(&[&part])?;
                search.regroup()?;
                search.tile()?;
                self.estimates = search.estimates;
                let done = search.best(1).pop().unwrap_or_else(|| part.clone());
                known.push((part, done.clone()));
                better.push(done);
            }
            let whole = if better.len() == 1 { better.remove(0) } else { Node::Sequence(better) };
            if let Some(annotated) = self.model.distances.annotate(&whole)?
                && let Some(p) = self.weigh(annotated)?
            {
                self.keep(p);
            }
        }
        Ok(())
    }

    /// Rounds of regrouping, from the best few on.
    fn regroup(&mut self) -> Result<()> {
        let mut expanded: Vec<Node> = Vec::new();
        for _ in 0..ROUNDS {
            let fresh: Vec<Node> = self.best(BEAM).into_iter().filter(|t| !expanded.contains(t)).collect();
            if fresh.is_empty() {
                break;
            }
            for tree in fresh {
                // Nests that regrouping leaves as they are have the best order already.
                let places = proposals::nests(&tree);
                let settled: Vec<&Node> = places.iter().filter_map(|place| proposals::at(&tree, place)).collect();
                for other in proposals::regroupings(&tree) {
                    if let Some(p) = self.propose(&other)? {
                        let best = self.best_order(p, &settled)?;
                        self.keep(best);
                    }
                }
                expanded.push(tree);
            }
        }
        Ok(())
    }

    /// Tiles for the best few.
    fn tile(&mut self) -> Result<()> {
        let best: Vec<Rc<Proposal>> = self.ordered().into_iter().take(TILED).cloned().collect();
        for p in best {
            let tiled = self.best_tiles(p)?;
            self.keep(tiled);
        }
        Ok(())
    }

    fn best(&self, count: usize) -> Vec<Node> {
        self.ranked().iter().take(count).map(|p| p.tree.clone()).collect()
    }

    /// What was found, best first.
    #[must_use]
    pub fn ranked(&self) -> Vec<&Proposal> {
        self.ordered().into_iter().map(Rc::as_ref).collect()
    }

    fn ordered(&self) -> Vec<&Rc<Proposal>> {
        let mut out: Vec<&Rc<Proposal>> = self.found.iter().collect();
        out.sort_by(|a, b| a.rank.cmp(&b.rank));
        out
    }

    fn is_over(&self) -> bool {
        let work = self.estimates.saturating_mul(self.model.scop.statements.len());
        let steps = self.model.distances.budget();
        self.estimates >= MOST_ESTIMATES || work >= MOST_WORK || steps.spent() >= steps.left()
    }

    fn keep(&mut self, p: Rc<Proposal>) {
        if !self.found.iter().any(|q| q.tree == p.tree) {
            self.found.push(p);
        }
    }

    /// Judges a tree. `None`: it looks illegal, or the search has asked for enough estimates.
    fn propose(&mut self, tree: &Node) -> Result<Option<Rc<Proposal>>> {
        if let Some(known) = self.asked.get(tree) {
            return Ok(known.clone());
        }
        if self.is_over() {
            return Ok(None);
        }
        let proposal = match self.model.distances.annotate(tree)? {
            None => None,
            Some(annotated) => match self.asked.get(&annotated.tree) {
                Some(known) => known.clone(),
                None => self.weigh(annotated)?,
            },
        };
        if let Some(p) = proposal.as_ref().filter(|p| p.tree != *tree) {
            self.asked.entry(p.tree.clone()).or_insert_with(|| proposal.clone());
        }
        self.asked.insert(tree.clone(), proposal.clone());
        Ok(proposal)
    }

    fn weigh(&mut self, annotated: Annotated) -> Result<Option<Rc<Proposal>>> {
        self.estimates += 1;
        let number = self.estimates;
        let Some((estimate, nest)) = self.model.weigh(annotated)? else { return Ok(None) };
        let tree = estimate.annotated.tree.clone();
        let tiled = nest.loops.iter().filter(|l| matches!(l.role, Role::Tile(_)));
        let skew = words::skew(&nest);
        let mut cost = tiled.fold(estimate.cycles + estimate.doubtful, |cost, _| cost * TILE_RISK);
        cost *= if nest.cuts_innermost() { CUT_RISK } else { 1.0 };
        let skewed = skew > *self.least_skew.get_or_insert(skew);
        cost *= if skewed { SKEW_RISK } else { 1.0 };
        let idle = nest.paths.values().flat_map(|p| &p.steps).filter(|s| s.idle).count();
        let rank = (rounded(cost), nest.loops.len() + skew + idle, words::structure(&nest, &tree), number);
        let least = estimate.inner.iter().fold(estimate.overhead, |sum, inner| sum + inner.compute);
        Ok(Some(Rc::new(Proposal { tree, cost, least, skewed, rank, carried: estimate.annotated })))
    }

    /// The best order for each nest that is not settled, one after the other from the root down, again until nothing changes (twice at most).
    fn best_order(&mut self, mut best: Rc<Proposal>, settled: &[&Node]) -> Result<Rc<Proposal>> {
        for _ in 0..2 {
            let before = best.tree.clone();
            let mut k = 0;
            // Places change with the runs of a nest: look them up again.
            while let Some(place) = proposals::nests(&best.tree).get(k).cloned() {
                k += 1;
                if proposals::at(&best.tree, &place).is_some_and(|nest| settled.contains(&nest)) {
                    continue;
                }
                for other in proposals::orders(&best.tree, &place) {
                    if let Some(p) = self.propose(&other)?
                        && p.rank < best.rank
                    {
                        best = p;
                    }
                }
            }
            if best.tree == before {
                break;
            }
        }
        Ok(best)
    }

    /// The best tile sizes for each band, one after the other from the root down: first the members to be tiled, then the size for each.
    fn best_tiles(&mut self, mut best: Rc<Proposal>) -> Result<Rc<Proposal>> {
        if best.least * TILE_RISK >= best.cost {
            return Ok(best);
        }
        for place in proposals::tileable_bands(&best.tree) {
            let Some(Node::Band { members, child, .. }) = proposals::at(&best.tree, &place) else { continue };
            let choices = Sizes::of(members.len(), proposals::nests(child).is_empty());
            let from = Rc::clone(&best);
            let mut chosen = vec![None; choices.0.len()];
            for sizes in choices.of_subsets() {
                self.try_tiles(&from, &place, sizes, (&mut best, &mut chosen))?;
            }
            if chosen.iter().any(Option::is_some) {
                for (member, sizes) in choices.0.iter().enumerate() {
                    for &size in *sizes {
                        let mut other = chosen.clone();
                        other[member] = size;
                        if other != chosen {
                            self.try_tiles(&from, &place, other, (&mut best, &mut chosen))?;
                        }
                    }
                }
            }
        }
        Ok(best)
    }

    /// Takes the sizes for a band of `from` if they are better than the best.
    fn try_tiles(
        &mut self,
        from: &Proposal,
        place: &[usize],
        sizes: Vec<Option<i64>>,
        (best, chosen): (&mut Rc<Proposal>, &mut Vec<Option<i64>>),
    ) -> Result<()> {
        if self.is_over() {
            return Ok(());
        }
        let tree = proposals::tiled(&from.tree, place, &sizes);
        let annotated = Annotated { tree, carried: from.carried.carried.clone() };
        if let Some(p) = self.weigh(annotated)?
            && p.rank < best.rank
            && self.is_safe_tree(&from.tree, &p.tree)?
        {
            (*best, *chosen) = (p, sizes);
        }
        Ok(())
    }
}

/// A hash of trees, word by word: they are long, and nobody attacks them.
#[derive(Default)]
struct Words(u64);

impl Hasher for Words {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// The sizes that each member of a band may have.
struct Sizes(Vec<&'static [Option<i64>]>);

impl Sizes {
    /// None for bands of many members.
    fn of(members: usize, innermost: bool) -> Self {
        if members > 5 {
            return Self(Vec::new());
        }
        let of = |k: usize| match (members > 3, innermost && k + 1 == members) {
            (_, true) => &INNER_SIZES[..],
            (true, false) => &FEW_SIZES,
            (false, false) => &OUTER_SIZES,
        };
        Self((0..members).map(of).collect())
    }

    /// For each set of members all of their first sizes, all of their second ones, and so on: reuse may need several members to be tiled at once.
    fn of_subsets(&self) -> Vec<Vec<Option<i64>>> {
        let most = self.0.iter().map(|sizes| sizes.len()).max().unwrap_or(0);
        let mut out: Vec<Vec<Option<i64>>> = Vec::new();
        for subset in 1..1_usize << self.0.len() {
            for k in 1..most {
                let size = |(m, sizes): (usize, &&[Option<i64>])| {
                    if subset >> m & 1 == 1 { sizes[k.min(sizes.len() - 1)] } else { None }
                };
                let sizes: Vec<Option<i64>> = self.0.iter().enumerate().map(size).collect();
                if !out.contains(&sizes) {
                    out.push(sizes);
                }
            }
        }
        out
    }
}

/// Cycles without the last bits, which depend on the order of additions.
pub(super) fn rounded(cost: f64) -> u64 {
    cost.max(0.0).to_bits() >> 24
}

/// Marsaglia's xorshift: small, and the same everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// From a seed; any will do.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds start far apart (the finaliser of splitmix64); zero is the one state that xorshift never leaves.
        let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self((z ^ (z >> 31)).max(1))
    }

    /// The next number.
    pub fn next_bits(&mut self) -> u64 {
        let mut x = self.0;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0 = x;
        x
    }

    /// A number below `n`; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).unwrap_or(u64::MAX).max(1);
        usize::try_from((self.next_bits() >> 11) % n).unwrap_or(0)
    }
}

/// A few random rewritings, each of which looks legal.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn wander(distances: &Distances<'_>, tree: &Node, random: &mut Random) -> Result<Node> {
    let mut tree = tree.clone();
    for _ in 0..random.below(12) {
        let options = match random.below(4) {
            0 | 1 => proposals::regroupings(&tree),
            _ => {
                let nests = proposals::nests(&tree);
                nests.get(random.below(nests.len())).map_or_else(Vec::new, |place| proposals::orders(&tree, place))
            }
        };
        if let Some(other) = options.get(random.below(options.len()))
            && let Some(annotated) = distances.annotate(other)?
        {
            tree = annotated.tree;
        }
    }
    Ok(tree)
}

/// Random small tiles on some permutable bands.
#[must_use]
pub fn random_tiles(tree: &Node, random: &mut Random) -> Node {
    const SIZES: [Option<i64>; 6] = [None, None, Some(2), Some(3), Some(8), Some(32)];
    let mut tree = tree.clone();
    for place in proposals::tileable_bands(&tree) {
        let Some(Node::Band { members, .. }) = proposals::at(&tree, &place) else { continue };
        let sizes: Vec<Option<i64>> = members.iter().map(|_| SIZES[random.below(SIZES.len())]).collect();
        tree = proposals::tiled(&tree, &place, &sizes);
    }
    tree
}
