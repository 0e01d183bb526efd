//! The fusion planner: from dependences to proved schedules, several of them, best fused first.
//!
//! **Problem.** Build schedule trees: which statements share loops, which rows these loops have, where a sequence takes over.
//!
//! **Notation.** A *group* is a set of statements that share all loops so far; its *edges* are the dependences among them that these loops have not
//! exhausted, cut with them. A *level* is one row for every statement of the group (`matching`, `solve`).
//!
//! **Method.** Recursively, for a group: collect levels into a band while every edge keeps a non-negative distance on the set cut with the levels *outside*
//! the band only (so the band is permutable); end the band where the shallowest statement has no direction left, or where no further level is
//! found; cut the edges with the band, drop those exhausted; go on inside. Where no level exists for the whole group, or a statement is finished and others
//! are not, the group falls apart into the strongly connected components of its edges, in topological order (ties by source order); neighbours that
//! still share a level stay together. Everything recurses to full depth.
//!
//! **Candidates**, by increasing price; later ones are looked for only when the earlier leave something to wish for:
//! index matching; index matching with shallow statements embedded in the band of the deep ones (their rows then depend on each other: Cholesky as one
//! three-dimensional band); the same with LP levels where matching finds none, least `sum |Δω*|` first; fission into components; every nest of the source by
//! itself, with shallow statements embedded (what is fused has no such band); the best of these as a
//! wavefront where one of its bands has no parallel loop; the original order. Each
//! is judged by [`crate::legality::prove`]; what it refuses is dropped. The original order is always there, as the last.
//!
//! **Worked example.** Triangular solve (see `matching`): the band `m`, `column` is shared by all three statements, then
//! `[S0; band n over S2; S1]`.
//!
//! Paper: Bondhugula et al. (PLDI 2008) for bands by outer cuts; Kennedy and McKinley (1993) for fusion along a topological order.

mod below;
mod print;
mod shape;
mod together;

use crate::dependence::Dependences;
use crate::legality::{self, LegalSchedule, Verdict};
use crate::matching::{Distance, Done, Edge, Level, Row, Work};
use crate::scop::{Scop, StatementId};
use crate::shift::Shifts;
use crate::solve::Freedom;
use crate::tree::{Member, Node};
use crate::{Error, Result};
pub(crate) use below::{below, traversal};
use polyhedra::{Budget, Constraint};
pub use print::{print, print_candidate};
use shape::{breaks, deep_split, parallel_loops, same_order, shared_by, shared_loops, wavefront};
use std::collections::{BTreeMap, BTreeSet};
use together::within;

/// Which strategy found a schedule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Origin {
    /// Rows of index matrices, no solver.
    IndexMatching,
    /// Index matching with shallow statements embedded in deep bands.
    Embedding,
    /// LP levels where matching found none, and every `Δω*` came out 0.
    ZeroShift,
    /// LP levels where matching found none, with some `Δω*` that is not 0.
    FreeShift,
    /// Split into strongly connected components wherever possible.
    Fission,
    /// Every nest of the source by itself, its shallow statements embedded in deep bands.
    NestByNest,
    /// The best one with the first two loops of a band that has no parallel loop replaced by their sum and the second of them.
    Wavefront,
    /// A traversal of the fusion planner ([`crate::fusion`]): not made by [`candidates`].
    Traversal,
    /// The source order, or that of the dependences.
    Original,
}

/// Statements further apart than this in all are in no loop together: one that waits for the last iteration of a loop of unknown length has an offset, too, if the largest number that the length can be
/// is known. The loop runs that often whatever the length is.
const MOST_OFFSETS: i64 = 1 << 16;

/// A proved schedule and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The schedule.
    pub schedule: LegalSchedule,
    /// The strategy.
    pub origin: Origin,
    /// `sum |Δω*|` over loops and pairs of dependent statements that share them, after the shift groups.
    pub delta_omega: i64,
}

/// All schedules worth a look: the first is fused as far as possible, with least `Δω*`; the last is the source order.
///
/// # Errors
/// Only when not even the source order can be proved: malformed part, overflow, budget. Failures of the strategies only cost their candidates.
pub fn candidates(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<Vec<Candidate>> {
    let plain = match legality::prove(scop, dependences, dependences.original(scop), budget)? {
        Verdict::Legal(schedule) => schedule,
        Verdict::Refused { dependence, level } => {
            return Err(Error::Malformed(format!("the source order breaks dependence {dependence} at level {level}")));
        }
    };
    let shifts = Shifts::or_zero(scop, dependences, budget);
    let mut found: Vec<Candidate> = Vec::new();
    // Constants that grow with a parameter serve only where subscripts keep such after the shift.
    let affine = shifts.leaves_parameters(scop);
    let work = Work::new(scop, dependences, shifts, budget);
    let freedom: &[Freedom] = if affine { &[Freedom::Constant, Freedom::Affine] } else { &[Freedom::Constant] };
    let strategies: [(Origin, Policy<'_>); 5] = [
        (Origin::IndexMatching, Policy { embed: false, fission: false, freedom: &[] }),
        (Origin::Embedding, Policy { embed: true, fission: false, freedom: &[] }),
        (Origin::FreeShift, Policy { embed: false, fission: false, freedom }),
        (Origin::Embedding, Policy { embed: true, fission: false, freedom }),
        (Origin::Fission, Policy { embed: false, fission: true, freedom }),
    ];
    let mut fused = false;
    for (origin, policy) in strategies {
        let embedding = origin == Origin::Embedding;
        // What fused everything needs no LP; splitting and embedding remain alternatives.
        if (embedding && !shapes_differ(scop)) || (fused && !policy.freedom.is_empty() && !policy.fission) {
            continue;
        }
        if let Ok(Some(candidate)) = work.attempt(origin, &policy, &found) {
            let split = deep_split(candidate.schedule.tree(), 0, 0);
            fused |= work.is_fused(&candidate);
            found.push(candidate);
            if fused && !split {
                break;
            }
        }
    }
    // Fused most first, then least offsets, then longest bands; the strategies' order decides ties. Embedding is an alternative to the best, never the best:
    // it pays for its long band with guards.
    found.sort_by_key(|c| {
        let tree = c.schedule.tree();
        (c.origin == Origin::Embedding, std::cmp::Reverse(shared_loops(tree)), c.delta_omega, breaks(tree), c.origin)
    });
    if shapes_differ(scop)
        && let Ok(Some(candidate)) = work.nest_by_nest(&Policy { embed: true, fission: false, freedom }, &found)
    {
        found.push(candidate);
    }
    if let Some(first) = found.first()
        && let Some(tree) = wavefront(first.schedule.tree())?
        && let Ok(Some(candidate)) = work.judged(Origin::Wavefront, tree, &found)
        && parallel_loops(candidate.schedule.tree()) > parallel_loops(first.schedule.tree())
    {
        found.push(candidate);
    }
    let original = work.original(plain);
    found.push(original);
    Ok(found)
}

/// Does every point of time that a statement has stand for integer iterators? Rows like `i + 100 j` and `i` alone do not: loops over them would have to skip.
fn determines_iterators(scop: &Scop, tree: &Node) -> bool {
    let spaces = scop.statements.iter().enumerate().map(|(k, s)| (StatementId(k), s.domain.space())).collect();
    tree.flatten(&spaces).iter().all(|(s, times)| {
        let domain = &scop.statements[s.0].domain;
        let fixed = domain.constraints().iter().filter(|c| c.kind == polyhedra::Kind::Eq).map(|c| &c.expr);
        let rows = times.iter().chain(fixed).map(|e| e.dim_coeffs().iter().map(|&c| i128::from(c)).collect());
        spans_integers(rows.collect(), domain.space().dims)
    })
}

/// Do integer combinations of the rows give every row? Euclid's algorithm, a column at a time: each pivot must become 1.
fn spans_integers(mut rows: Vec<Vec<i128>>, columns: usize) -> bool {
    for k in 0..columns {
        loop {
            let open = (k..rows.len()).filter(|&r| rows[r][k] != 0);
            let Some(best) = open.min_by_key(|&r| rows[r][k].unsigned_abs()) else { return false };
            rows.swap(k, best);
            let pivot = rows[k].clone();
            let mut done = true;
            for row in rows.iter_mut().skip(k + 1).filter(|row| row[k] != 0) {
                let factor = row[k].div_euclid(pivot[k]);
                for (x, &p) in row.iter_mut().zip(&pivot) {
                    let Some(less) = p.checked_mul(factor).and_then(|part| x.checked_sub(part)) else { return false };
                    *x = less;
                }
                done = done && row[k] == 0;
            }
            if done {
                break;
            }
        }
        if rows[k][k].abs() != 1 {
            return false;
        }
    }
    true
}

/// How a strategy plans.
struct Policy<'a> {
    /// Go on with a band although a statement has no direction left.
    embed: bool,
    /// Split into components wherever there is more than one.
    fission: bool,
    /// LP levels to try where index matching finds none.
    freedom: &'a [Freedom],
}

fn shapes_differ(scop: &Scop) -> bool {
    scop.statements.windows(2).any(|w| w[0].depth() != w[1].depth())
}

impl Work<'_> {
    fn attempt(&self, origin: Origin, policy: &Policy<'_>, found: &[Candidate]) -> Result<Option<Candidate>> {
        let mut done: Done = BTreeMap::new();
        let all = self.in_source_order((0..self.scop.statements.len()).map(StatementId).collect());
        let Some(tree) = self.build(&all, self.edges.clone(), &mut done, policy)? else { return Ok(None) };
        self.judged(origin, tree, found)
    }

    /// The nests of the source in their order, each planned alone. `None`: there is but one.
    fn nest_by_nest(&self, policy: &Policy<'_>, found: &[Candidate]) -> Result<Option<Candidate>> {
        let Node::Sequence(nests) = self.dependences.original(self.scop) else { return Ok(None) };
        let mut new = Vec::with_capacity(nests.len());
        for nest in nests {
            let own = nest.statements();
            let Some(nest) = self.build(&own, within(&self.edges, &own), &mut Done::new(), policy)? else {
                return Ok(None);
            };
            new.push(nest);
        }
        self.judged(Origin::NestByNest, Node::Sequence(new), found)
    }

    fn judged(&self, origin: Origin, tree: Node, found: &[Candidate]) -> Result<Option<Candidate>> {
        // Flags are cleared by the judge, so trees are compared by rows and shape.
        if found.iter().any(|c| same_order(c.schedule.tree(), &tree)) || !determines_iterators(self.scop, &tree) {
            return Ok(None);
        }
        let Verdict::Legal(schedule) = legality::prove(self.scop, self.dependences, tree, self.budget)? else {
            return Ok(None);
        };
        let delta_omega = self.delta_omega(schedule.tree())?;
        if delta_omega > MOST_OFFSETS {
            return Ok(None);
        }
        let origin = if origin == Origin::FreeShift && delta_omega == 0 { Origin::ZeroShift } else { origin };
        Ok(Some(Candidate { schedule, origin, delta_omega }))
    }

    /// The source order with its loops grouped into permutable bands where that can be shown.
    fn original(&self, plain: LegalSchedule) -> Candidate {
        let grouped = || -> Result<Option<LegalSchedule>> {
            let tree = self.regroup(plain.tree().clone(), self.edges.clone())?;
            if tree == *plain.tree() {
                return Ok(None);
            }
            match legality::prove(self.scop, self.dependences, tree, self.budget)? {
                Verdict::Legal(schedule) => Ok(Some(schedule)),
                Verdict::Refused { .. } => Ok(None),
            }
        };
        let schedule = grouped().ok().flatten().unwrap_or(plain);
        let delta_omega = self.delta_omega(schedule.tree()).unwrap_or(i64::MAX);
        Candidate { schedule, origin: Origin::Original, delta_omega }
    }

    /// Nothing to wish for: no offsets, statements that depend on each other share all the loops that both have, no band inside another.
    fn is_fused(&self, candidate: &Candidate) -> bool {
        let tree = candidate.schedule.tree();
        let depth = |s: StatementId| self.scop.statements[s.0].depth();
        let fused = self.dependences.ordering.iter().all(|d| {
            d.source == d.target || shared_by(tree, d.source, d.target) >= depth(d.source).min(depth(d.target))
        });
        candidate.delta_omega == 0 && fused && breaks(tree) == 0
    }

    fn in_source_order(&self, mut group: Vec<StatementId>) -> Vec<StatementId> {
        group.sort_by_key(|&s| self.place(s));
        group
    }

    /// The tree for a group, or `None`: this policy finds none.
    fn build(
        &self,
        group: &[StatementId],
        edges: Vec<Edge>,
        done: &mut Done,
        policy: &Policy<'_>,
    ) -> Result<Option<Node>> {
        self.budget.spend(1)?;
        let remaining = |done: &Done| group.iter().map(|&s| self.remaining(s, done)).collect::<Vec<_>>();
        let now = remaining(done);
        let finished = now.contains(&0);
        if group.len() == 1 && finished {
            return Ok(edges.is_empty().then(|| Node::Leaf(group[0])));
        }
        let components = || self.components(group, &edges);
        if policy.fission || (finished && !policy.embed) {
            let parts = components();
            if parts.len() > 1 {
                return self.sequence(parts, &edges, done, policy);
            }
        }
        let connected = self.connected(group, &edges);
        if connected.len() > 1 {
            return self.sequence(components(), &edges, done, policy);
        }
        let saved = done.clone();
        let (mut members, mut carried) = (Vec::new(), BTreeSet::new());
        loop {
            let now = remaining(done);
            let shallow_ends = now.contains(&0) && !members.is_empty() && !policy.embed;
            if now.iter().all(|&r| r == 0) || shallow_ends {
                break;
            }
            let Some(level) = self.level(group, &edges, done, policy)? else { break };
            for (s, row) in &level.rows {
                if self.remaining(*s, done) > 0 {
                    done.entry(*s).or_default().push(row.phi.clone());
                }
            }
            carried.extend(level.carried.iter().copied());
            members.push(level);
        }
        if members.is_empty() {
            *done = saved;
            let parts = components();
            return if parts.len() > 1 { self.sequence(parts, &edges, done, policy) } else { Ok(None) };
        }
        let inner = self.cut(edges, &members, &carried)?;
        let child = self.build(group, inner, done, policy)?;
        *done = saved;
        let Some(child) = child else { return Ok(None) };
        let members = members.iter().map(|level| self.member(level)).collect::<Result<_>>()?;
        Ok(Some(Node::Band { members, permutable: true, child: Box::new(child) }))
    }

    fn member(&self, level: &Level) -> Result<Member> {
        let rows = level.rows.iter().map(|(&s, r)| Ok((s, self.affine(s, r)?))).collect::<Result<_>>()?;
        Ok(Member::new(rows, true))
    }

    fn level(&self, group: &[StatementId], edges: &[Edge], done: &Done, policy: &Policy<'_>) -> Result<Option<Level>> {
        let strangers = self.components(group, edges).len() == 1;
        if let Some(level) = self.match_level(group, edges, done, strangers)? {
            return Ok(Some(level));
        }
        for &freedom in policy.freedom {
            if let Some(level) = self.solve_level(group, edges, done, freedom, strangers)? {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Edges inside a band: cut with its members, those exhausted left out.
    fn cut(&self, edges: Vec<Edge>, members: &[Level], carried: &BTreeSet<usize>) -> Result<Vec<Edge>> {
        let mut out = Vec::new();
        for (k, mut e) in edges.into_iter().enumerate() {
            if carried.contains(&k) {
                continue;
            }
            let before = e.cut.constraints().len();
            for level in members {
                if let Some(delta) = self.delta(&e, &level.rows)?
                    && !delta.coeffs().iter().all(|&c| c == 0)
                    && !e.cut.constraints().iter().any(|c| c.kind == polyhedra::Kind::Eq && c.expr == delta)
                {
                    e.cut.add(Constraint::eq(delta));
                }
            }
            let changed = e.cut.constraints().len() > before;
            if changed && (e.cut.is_obviously_empty() || e.cut.is_rationally_empty(self.budget)?) {
                continue;
            }
            out.push(e);
        }
        Ok(out)
    }

    /// `sum |Δω*|` of a tree.
    fn delta_omega(&self, tree: &Node) -> Result<i64> {
        let mut pairs: BTreeSet<(StatementId, StatementId)> = BTreeSet::new();
        for d in &self.dependences.ordering {
            if d.source != d.target {
                pairs.insert((d.source.min(d.target), d.source.max(d.target)));
            }
        }
        self.delta_omega_below(tree, &pairs)
    }

    fn delta_omega_below(&self, node: &Node, pairs: &BTreeSet<(StatementId, StatementId)>) -> Result<i64> {
        match node {
            Node::Leaf(_) => Ok(0),
            Node::Sequence(children) => {
                children.iter().try_fold(0_i64, |n, c| Ok(n.saturating_add(self.delta_omega_below(c, pairs)?)))
            }
            Node::Band { members, child, .. } => {
                let mut sum = self.delta_omega_below(child, pairs)?;
                for member in members {
                    let omega: BTreeMap<StatementId, Vec<i64>> =
                        member.rows.iter().map(|(&s, r)| Ok((s, self.shifts.omega(s, r)?))).collect::<Result<_>>()?;
                    for (a, b) in pairs {
                        if let (Some(x), Some(y)) = (omega.get(a), omega.get(b)) {
                            for (p, q) in x.iter().zip(y) {
                                sum = sum.saturating_add(p.saturating_sub(*q).saturating_abs());
                            }
                        }
                    }
                }
                Ok(sum)
            }
        }
    }

    /// Loops that stand directly inside each other are put into one band where they are permutable together.
    fn regroup(&self, node: Node, edges: Vec<Edge>) -> Result<Node> {
        match node {
            Node::Leaf(s) => Ok(Node::Leaf(s)),
            Node::Sequence(children) => Ok(Node::Sequence(
                children
                    .into_iter()
                    .map(|c| {
                        let inside = within(&edges, &c.statements());
                        self.regroup(c, inside)
                    })
                    .collect::<Result<_>>()?,
            )),
            Node::Band { mut members, permutable, child } => {
                let mut child = *child;
                let mut levels: Vec<Level> = members.iter().map(|m| self.level_of(m)).collect::<Result<_>>()?;
                while let Node::Band { members: next, child: inner, .. } = &child {
                    let more: Vec<Level> = next.iter().map(|m| self.level_of(m)).collect::<Result<_>>()?;
                    let mut fits = true;
                    for (level, e) in more.iter().flat_map(|l| edges.iter().map(move |e| (l, e))) {
                        if matches!(self.judge(e, &level.rows)?, Distance::Violated) {
                            fits = false;
                            break;
                        }
                    }
                    if !fits {
                        break;
                    }
                    levels.extend(more);
                    members.extend(next.iter().cloned());
                    child = (**inner).clone();
                }
                // The judge clears flags for good; merged members are asked again.
                for m in &mut members {
                    m.parallel = true;
                }
                let inside = self.cut(edges, &levels, &BTreeSet::new())?;
                let _ = permutable;
                Ok(Node::Band { members, permutable: true, child: Box::new(self.regroup(child, inside)?) })
            }
        }
    }

    fn level_of(&self, member: &Member) -> Result<Level> {
        let mut level = Level::default();
        for (&s, row) in &member.rows {
            level.rows.insert(s, Row { phi: row.dim_coeffs().to_vec(), omega: self.shifts.omega(s, row)? });
        }
        Ok(level)
    }
}
