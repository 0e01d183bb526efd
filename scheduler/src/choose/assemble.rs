//! Kernels for the nests of a tree, and trees put together from the best nests of several.
//!
//! **Problem.** Whether a nest can have a kernel depends on its form: on what stands in one band, and that no other statement lies between its loops. The candidates and
//! what the search found differ in that from nest to nest, and none may have all nests in their best form.
//!
//! **Method.** Trees whose sequences have the same statements in the same places are one family: what has to run before what is decided by the places, so any nest of one can
//! stand in the place of another's. Every place gets the form with the least cost: with a kernel (`kernels::nest`) or as it is; statements
//! with fewer loops may move inside all loops of the others ([`proposals::embeddings`]).
//!
//! Nests that cannot leave the loops that they share, because they hand each other values in cells that every iteration uses again (a row of sums, a softmax), have kernels
//! inside of these loops; nothing is copied there, as it would be in every iteration.

use super::kernels::{self, Planned, Sum};
use super::search::rounded;
use super::{proposals, words};
use crate::Result;
use crate::cost::carried::perfect_nest;
use crate::cost::{Estimate, Model, overhead_inside};
use crate::kernel::{Kernels, Strip};
use crate::scop::StatementId;
use crate::tree::{Member, Node};
use std::collections::{BTreeMap, BTreeSet};

/// Statements are moved inside so often: the ends of a triangle, then its diagonal.
const EMBEDDINGS: usize = 2;

/// Forms of one nest that are looked at.
const MOST_FORMS: usize = 24;

/// A tree some of whose nests have plans.
#[derive(Clone, PartialEq, Debug)]
pub struct Kerneled {
    /// The tree; members of planned bands in the order that the plan wants.
    pub tree: Node,
    /// The plans.
    pub kernels: Kernels,
    /// Nests that run strip by strip.
    pub strips: Vec<Strip>,
    /// Statements that run in the registers of these kernels, as far as the cost knows.
    pub(super) starts: BTreeSet<StatementId>,
    /// What the kernels without rows cost.
    pub(super) sums: BTreeMap<StatementId, Sum>,
    /// Predicted cycles.
    pub cost: f64,
}

/// The statements of each place.
type Family = Vec<Vec<StatementId>>;

fn family(tree: &Node) -> Family {
    tree.outermost()
        .iter()
        .map(|nest| {
            let mut statements = nest.statements();
            statements.sort_unstable();
            statements
        })
        .collect()
}

/// What stands in one place.
enum Form {
    /// Loops as they are.
    Plain { tree: Node, cost: f64 },
    /// With a kernel.
    Kernel(Box<Planned>),
    /// With kernels for nests that share outer loops with others.
    Inside { tree: Node, kernels: Kernels, starts: BTreeSet<StatementId>, cost: f64 },
}

impl Form {
    fn cost(&self) -> f64 {
        match self {
            Self::Plain { cost, .. } | Self::Inside { cost, .. } => *cost,
            Self::Kernel(planned) => planned.cost,
        }
    }

    fn tree(&self) -> &Node {
        match self {
            Self::Plain { tree, .. } | Self::Inside { tree, .. } => tree,
            Self::Kernel(planned) => &planned.tree,
        }
    }
}

/// What the less of is better: cost, and among equals the structure as arrays see it, so that it does not matter how the source was written.
pub(super) type Rank = (u64, Vec<i64>);

/// The rank of a tree that takes so many cycles.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn rank(model: &Model<'_>, tree: &Node, cost: f64) -> Result<Rank> {
    let loops = model.estimate_with_loops(tree)?;
    Ok((rounded(cost), loops.map_or_else(Vec::new, |(_, nest)| words::structure(&nest, tree))))
}

/// Kernels for all nests of the tree for which they pay (`choosy`), or that can have one. `None`: for none.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn plan(model: &Model<'_>, tree: &Node, choosy: bool) -> Result<Option<Kerneled>> {
    assemble(model, tree, |_, nest| form(model, nest, choosy))
}

/// All that is worth proving: kernels for the trees as they are, and for what can be put together from them; and for those `within` as they are alone.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn plans(model: &Model<'_>, trees: &[Node], within: &[Node], choosy: bool) -> Result<Vec<Kerneled>> {
    let mut out = Vec::new();
    for tree in within {
        out.extend(plan(model, tree, choosy)?);
    }
    let mut families: BTreeMap<Family, Vec<&Node>> = BTreeMap::new();
    for tree in trees {
        out.extend(plan(model, tree, choosy)?);
        families.entry(family(tree)).or_default().push(tree);
    }
    for family in families.values() {
        if let [_] = family[0].outermost() {
            for nest in family {
                for embedded in embedded(model, nest)? {
                    out.extend(plan(model, &embedded, choosy)?);
                }
            }
        } else {
            out.extend(assemble(model, family[0], |place, _| {
                best(model, family.iter().filter_map(|tree| tree.outermost().get(place)), choosy)
            })?);
        }
    }
    Ok(out)
}

/// Of trees in order, best first: the first few, and the first of each of as many families.
pub fn best_of_families<'t>(ranked: impl Iterator<Item = &'t Node>, many: usize) -> Vec<&'t Node> {
    let mut families: BTreeSet<Family> = BTreeSet::new();
    let mut out = Vec::new();
    for (k, tree) in ranked.enumerate() {
        let fresh = families.len() < many && families.insert(family(tree));
        if fresh || k < many {
            out.push(tree);
        }
    }
    out
}

/// The best form for a place.
fn best<'t>(model: &Model<'_>, nests: impl Iterator<Item = &'t Node>, choosy: bool) -> Result<Option<Form>> {
    let mut seen: Vec<&Node> = Vec::new();
    let mut best: Option<((bool, Rank), Form)> = None;
    for nest in nests {
        if seen.contains(&nest) {
            continue;
        }
        seen.push(nest);
        for nest in embedded(model, nest)?.iter().chain([nest]) {
            let Some(form) = form(model, nest, choosy)? else { continue };
            let wanted = choosy || !matches!(form, Form::Plain { .. });
            let rank = (!wanted, rank(model, form.tree(), form.cost())?);
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, form));
            }
        }
    }
    Ok(best.map(|(_, form)| form))
}

/// A nest with a kernel, or else as it is. `None`: it looks illegal.
fn form(model: &Model<'_>, nest: &Node, choosy: bool) -> Result<Option<Form>> {
    if let Some(planned) = kernels::nest(model, nest, choosy)? {
        return Ok(Some(Form::Kernel(Box::new(planned))));
    }
    let Some(estimate) = model.estimate(nest)? else { return Ok(None) };
    let cost = estimate.cycles + estimate.doubtful;
    let mut within = Within { model, choosy, estimate, kernels: Kernels::new(), starts: BTreeSet::new(), saved: 0.0 };
    let tree = within.node(nest, &mut Vec::new())?;
    if within.kernels.is_empty() {
        return Ok(Some(Form::Plain { tree: nest.clone(), cost }));
    }
    let Within { kernels, starts, saved, .. } = within;
    Ok(Some(Form::Inside { tree, kernels, starts, cost: (cost - saved).max(0.0) }))
}

/// Kernels for nests within a nest.
struct Within<'a> {
    model: &'a Model<'a>,
    choosy: bool,
    /// Of the whole nest without.
    estimate: Estimate,
    kernels: Kernels,
    starts: BTreeSet<StatementId>,
    /// Predicted cycles.
    saved: f64,
}

impl Within<'_> {
    /// The node with kernels, inside of these loops.
    fn node(&mut self, node: &Node, around: &mut Vec<Member>) -> Result<Node> {
        match node {
            Node::Leaf(_) => Ok(node.clone()),
            Node::Sequence(children) => {
                let mut new = Vec::with_capacity(children.len());
                for (k, child) in children.iter().enumerate() {
                    let before = k.checked_sub(1).and_then(|k| children.get(k));
                    let planned = if around.is_empty() { None } else { self.kernel(child, before, around)? };
                    new.push(match planned {
                        Some(tree) => tree,
                        None => self.node(child, around)?,
                    });
                }
                Ok(Node::Sequence(new))
            }
            Node::Band { members, permutable, child } => {
                around.extend(members.iter().cloned());
                let child = self.node(child, around)?;
                around.truncate(around.len() - members.len());
                Ok(Node::Band { members: members.clone(), permutable: *permutable, child: Box::new(child) })
            }
        }
    }

    /// Cycles of a nest over one statement in these loops.
    fn starting(&self, start: StatementId, nest: &Node, around: &[Member]) -> Result<f64> {
        let loops = self.estimate.inner.iter().filter(|inner| inner.statements == [start]);
        let inside: f64 = loops.map(|inner| inner.cycles() + inner.all_doubtful()).sum();
        let found = self.model.estimate_with_loops(&alone(nest, around))?;
        let path = found.as_ref().and_then(|(_, loops)| loops.paths.get(&start));
        Ok(inside + path.map_or(0.0, |path| overhead_inside(path, around.len())))
    }

    /// A kernel for a nest inside of loops that others share; `before` is what runs before it there.
    fn kernel(&mut self, nest: &Node, before: Option<&Node>, around: &[Member]) -> Result<Option<Node>> {
        let (Node::Band { .. }, true) = (nest, is_perfect(nest)) else { return Ok(None) };
        let path = alone(nest, around);
        let Some(planned) = kernels::nest_inside(self.model, &path, around.len(), self.choosy)? else {
            return Ok(None);
        };
        let loops = self.estimate.inner.iter().filter(|inner| inner.statements.contains(&planned.id));
        let mut without = loops.map(|inner| inner.cycles() + inner.all_doubtful()).sum::<f64>() + planned.overhead;
        let start = before.and_then(|b| Some((start_of(self.model, b, &planned)?, b)));
        if let Some((start, before)) = start {
            without += self.starting(start, before, around)?;
        }
        if self.choosy && without <= planned.cost {
            return Ok(None);
        }
        self.saved += without - planned.cost;
        self.starts.extend(start.map(|(start, _)| start));
        self.kernels.insert(planned.id, planned.plan);
        Ok(Some(planned.tree))
    }
}

/// A nest in the loops around it, without the others that share these.
fn alone(nest: &Node, around: &[Member]) -> Node {
    let statements = nest.statements();
    let own = |m: &Member| {
        let rows = m.rows.iter().filter(|(s, _)| statements.contains(s));
        Member::new(rows.map(|(s, r)| (*s, r.clone())).collect(), false)
    };
    let members = around.iter().map(own).collect();
    Node::Band { members, permutable: false, child: Box::new(nest.clone()) }
}

/// The statement of a nest that only stores what the sum of a kernel starts with: in the registers of the kernel that takes no time.
fn start_of(model: &Model<'_>, nest: &Node, planned: &Planned) -> Option<StatementId> {
    let [start] = nest.statements()[..] else { return None };
    let (own, sum) = (&model.scop.statements[start.0], &model.scop.statements[planned.id.0]);
    let starts = own.accesses.len() == 1 && own.has_vectors() && own.write().array == sum.write().array;
    (starts && planned.whole).then_some(start)
}

/// The tree with other forms in its places. `None`: without any kernel.
fn assemble(
    model: &Model<'_>,
    tree: &Node,
    mut form: impl FnMut(usize, &Node) -> Result<Option<Form>>,
) -> Result<Option<Kerneled>> {
    let mut new = Vec::with_capacity(tree.outermost().len());
    let (mut kernels, mut starts, mut sums, mut cost) = (Kernels::new(), BTreeSet::new(), BTreeMap::new(), 0.0);
    let mut before: Option<(Node, f64)> = None;
    for (place, nest) in tree.outermost().iter().enumerate() {
        let Some(form) = form(place, nest)? else { return Ok(None) };
        cost += form.cost();
        if let (Form::Kernel(planned), Some((nest, cycles))) = (&form, &before)
            && let Some(start) = start_of(model, nest, planned)
        {
            cost -= cycles;
            starts.insert(start);
        }
        before = if let Form::Plain { tree, cost } = &form { Some((tree.clone(), *cost)) } else { None };
        match form {
            Form::Plain { tree, .. } => new.push(tree),
            Form::Inside { tree, kernels: more, starts: also, .. } => {
                kernels.extend(more);
                starts.extend(also);
                new.push(tree);
            }
            Form::Kernel(planned) => {
                sums.extend(planned.sum.map(|sum| (planned.id, sum)));
                kernels.insert(planned.id, planned.plan);
                new.push(planned.tree);
            }
        }
    }
    if kernels.is_empty() {
        return Ok(None);
    }
    let tree = if new.len() == 1 { new.remove(0) } else { Node::Sequence(new) };
    Ok(Some(Kerneled { tree, kernels, strips: Vec::new(), starts, sums, cost }))
}

/// The tree with more nests that stand alone: all sequences distributed that may be.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn split(model: &Model<'_>, tree: &Node) -> Result<Node> {
    distributed(model, tree, |new, old| new.outermost().len() > old.outermost().len())
}

/// The tree with all sequences distributed over what loops they may be, also inside of loops that they cannot leave. `None`: there is nothing to distribute.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn split_within(model: &Model<'_>, tree: &Node) -> Result<Option<Node>> {
    let within = distributed(model, tree, |new, old| shared(new) < shared(old))?;
    Ok((within != *tree).then_some(within))
}

/// Loops of statements that are also loops of others before them.
fn shared(tree: &Node) -> usize {
    match tree {
        Node::Leaf(_) => 0,
        Node::Sequence(children) => children.iter().map(shared).sum(),
        Node::Band { members, child, .. } => members.len() * child.statements().len().saturating_sub(1) + shared(child),
    }
}

/// The tree with sequences distributed as long as that is better.
fn distributed(model: &Model<'_>, tree: &Node, is_better: impl Fn(&Node, &Node) -> bool) -> Result<Node> {
    let mut tree = tree.clone();
    for _ in 0..8 {
        let mut next = None;
        for other in proposals::distributions(&tree) {
            // Distribution over all members comes first for each nest; a tree that has been seen is no progress.
            if let Some(annotated) = model.distances.annotate(&other)?
                && is_better(&annotated.tree, &tree)
            {
                next = Some(annotated.tree);
                break;
            }
        }
        let Some(found) = next else { break };
        tree = found;
    }
    Ok(tree)
}

/// Forms of a nest in which statements with fewer loops stand inside all loops of the others, so that these have one band.
fn embedded(model: &Model<'_>, nest: &Node) -> Result<Vec<Node>> {
    let mut out: Vec<Node> = Vec::new();
    let mut from = vec![nest.clone()];
    for _ in 0..EMBEDDINGS {
        let mut next = Vec::new();
        for nest in from {
            for other in proposals::embeddings(&nest) {
                if out.len() < MOST_FORMS
                    && let Some(annotated) = model.distances.annotate(&other)?
                    && !out.contains(&annotated.tree)
                {
                    if !is_perfect(&annotated.tree) {
                        next.push(annotated.tree.clone());
                    }
                    out.push(annotated.tree);
                }
            }
        }
        from = next;
    }
    Ok(out)
}

/// Are there only statements inside of all loops?
fn is_perfect(nest: &Node) -> bool {
    match perfect_nest(nest).1 {
        Node::Leaf(_) => true,
        Node::Sequence(children) => children.iter().all(|c| matches!(c, Node::Leaf(_))),
        Node::Band { .. } => false,
    }
}
