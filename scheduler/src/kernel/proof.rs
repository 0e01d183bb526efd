//! Proof that plans of micro-kernels are legal.
//!
//! **Problem.** A plan wants tiles on a band, and the last member's iterations at once, for one statement, at places where no other statement of the band runs.
//!
//! **Method.** The band must be permutable: the schedule's proof says so. The lanes: the part is cut down to the one statement and its dependences on itself, its schedule to the
//! loops around it, and [`legality::prove`] is asked for that; the last loop must come out parallel. Where no other statement runs, nothing else can lie between two
//! instances that run at once.
//!
//! Corners: the member goes to the front of its band, and that tree is proved; it must come out parallel there. That concerns all statements of the band. A corner that cannot be
//! proved is left out of the plan, which does without.
//!
//! Strips: a loop over the row number is put around the nests, and that tree is proved too; so no dependence leads to a smaller number. Each of several row numbers for itself:
//! none of them decreases, so that neither do strips of any of them, in any order outside.

use super::{Blocking, Kernels, Strip};
use crate::Result;
use crate::dependence::{Dependence, Dependences};
use crate::legality::{self, LegalSchedule, Verdict};
use crate::scop::{Scop, StatementId};
use crate::tree::{Member, Node};
use polyhedra::Budget;
use std::collections::BTreeSet;

/// Plans that have been proved legal for a schedule. Only [`prove`] makes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProvedKernels {
    kernels: Kernels,
    strips: Vec<Strip>,
}

impl ProvedKernels {
    /// The plans.
    #[must_use]
    pub fn plans(&self) -> &Kernels {
        &self.kernels
    }

    /// Nests that run strip by strip. No statement is in two of them.
    #[must_use]
    pub fn strips(&self) -> &[Strip] {
        &self.strips
    }
}

/// Proves plans for a schedule; `None` when one of them cannot be. Corners that cannot be proved are left out.
///
/// # Errors
/// Overflow, budget.
pub fn prove(
    scop: &Scop,
    dependences: &Dependences,
    schedule: &LegalSchedule,
    mut kernels: Kernels,
    strips: Vec<Strip>,
    budget: &Budget,
) -> Result<Option<ProvedKernels>> {
    for (&id, plan) in &mut kernels {
        if !holds(scop, dependences, schedule.tree(), id, plan, budget)? {
            return Ok(None);
        }
        if let Some(corner) = plan.corner
            && !is_parallel_first(scop, dependences, schedule.tree(), id, corner.member, budget)?
        {
            plan.corner = None;
        }
    }
    let numbers: usize = strips.iter().map(|s| s.statements().count()).sum();
    let distinct: BTreeSet<StatementId> = strips.iter().flat_map(Strip::statements).collect();
    if numbers != distinct.len() {
        return Ok(None);
    }
    for strip in &strips {
        if strip.cuts.iter().any(|cut| !cut.rows.keys().copied().eq(strip.statements())) {
            return Ok(None);
        }
        for cut in &strip.cuts {
            let Some(looped) = cut.around(schedule.tree()) else { return Ok(None) };
            if !matches!(legality::prove(scop, dependences, looped, budget)?, Verdict::Legal(_)) {
                return Ok(None);
            }
        }
    }
    Ok(Some(ProvedKernels { kernels, strips }))
}

fn holds(
    scop: &Scop,
    dependences: &Dependences,
    tree: &Node,
    id: StatementId,
    plan: &Blocking,
    budget: &Budget,
) -> Result<bool> {
    let mut around: Vec<&[Member]> = Vec::new();
    let Some((members, true)) = band_of(tree, id, &mut around) else { return Ok(false) };
    if !plan.fits(members.len()) {
        return Ok(false);
    }
    let Some(statement) = scop.statements.get(id.0) else { return Ok(false) };
    let own = StatementId(0);
    let alone = Scop { statements: vec![statement.clone()], ..scop.clone() };
    let on_itself = |d: &&Dependence| d.source == id && d.target == id;
    let cut = Dependences {
        ordering: dependences
            .ordering
            .iter()
            .filter(on_itself)
            .map(|d| Dependence { source: own, target: own, ..d.clone() })
            .collect(),
        reuse: Vec::new(),
    };
    let mut node = Node::Leaf(own);
    for members in around.into_iter().chain([members]).rev() {
        let members = members
            .iter()
            .map(|m| {
                let rows = m.rows.get(&id).map(|r| (own, r.clone())).into_iter().collect();
                Member::new(rows, true)
            })
            .collect();
        node = Node::Band { members, permutable: true, child: Box::new(node) };
    }
    let Verdict::Legal(schedule) = legality::prove(&alone, &cut, node, budget)? else { return Ok(false) };
    let mut innermost = schedule.tree();
    while let Node::Band { child, members, .. } = innermost {
        if matches!(**child, Node::Leaf(_)) {
            return Ok(members.last().is_some_and(|m| m.parallel));
        }
        innermost = child;
    }
    Ok(false)
}

/// Is a member of the band around the statement's place parallel when it goes first?
fn is_parallel_first(
    scop: &Scop,
    dependences: &Dependences,
    tree: &Node,
    id: StatementId,
    member: usize,
    budget: &Budget,
) -> Result<bool> {
    let mut tree = tree.clone();
    let Some(members) = band_in(&mut tree, id) else { return Ok(false) };
    if member >= members.len() {
        return Ok(false);
    }
    members[..=member].rotate_right(1);
    members[0].parallel = true;
    let Verdict::Legal(schedule) = legality::prove(scop, dependences, tree, budget)? else { return Ok(false) };
    Ok(band_of(schedule.tree(), id, &mut Vec::new()).is_some_and(|(members, _)| members[0].parallel))
}

/// The members of the band directly around the statement's place.
fn band_in(node: &mut Node, id: StatementId) -> Option<&mut Vec<Member>> {
    match node {
        Node::Leaf(_) => None,
        Node::Sequence(children) => children.iter_mut().find_map(|c| band_in(c, id)),
        Node::Band { members, child, .. } => {
            if is_place(child, id) {
                Some(members)
            } else {
                band_in(child, id)
            }
        }
    }
}

/// Is this what is repeated by the band directly around the statement?
fn is_place(child: &Node, id: StatementId) -> bool {
    match child {
        Node::Leaf(s) => *s == id,
        Node::Sequence(children) => children.contains(&Node::Leaf(id)),
        Node::Band { .. } => false,
    }
}

/// The band directly around the statement's place, whether it is permutable, and the bands around that.
fn band_of<'t>(node: &'t Node, id: StatementId, around: &mut Vec<&'t [Member]>) -> Option<(&'t [Member], bool)> {
    match node {
        Node::Leaf(_) => None,
        Node::Sequence(children) => children.iter().find_map(|c| band_of(c, id, around)),
        Node::Band { members, permutable, child } => {
            if is_place(child, id) {
                return Some((members, *permutable));
            }
            around.push(members);
            let found = band_of(child, id, around);
            if found.is_none() {
                around.pop();
            }
            found
        }
    }
}
