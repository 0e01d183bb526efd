//! Proof that plans of micro-kernels are legal.
//!
//! **Problem.** A plan wants tiles on a band, and the last member's iterations at once, for one statement, at places where no other statement of the band runs.
//!
//! **Method.** The band must be permutable: the schedule's proof says so. If it is not, because it has sums over several loops, which add up in the order of the source, only members that may
//! each stand in front of it have tiles: no dependence leads back along them, so that it leads to the same tile, where the order of the band holds, or to a later one. The lanes: the part is cut down to the one statement and its dependences on itself, its schedule to the
//! loops around it, and [`legality::prove`] is asked for that; the last loop must come out parallel. Where no other statement runs, nothing else can lie between two
//! instances that run at once.
//!
//! Corners: the member goes to the front of its band, and that tree is proved; it must come out parallel there. That concerns all statements of the band. A corner that cannot be
//! proved is left out of the plan, which does without. One that is only for tiles where the member's times are beyond those of another member is proved for dependences both ends of which
//! are in such a tile. That the list lacks dependences that others imply does no harm: since the band is permutable, what lies between two instances has times between theirs in every
//! member, so that it is in the same tile, and beyond, too; and distances along a chain add up.
//!
//! Strips: a loop over the row number is put around the nests, and that tree is proved too; so no dependence leads to a smaller number. Each of several row numbers for itself:
//! none of them decreases, so that neither do strips of any of them, in any order outside. But strips of one row that are outermost are loops: it is asked inside of these.

use super::{Blocking, Corner, Kernels, Strip};
use crate::Result;
use crate::dependence::{Dependence, Dependences};
use crate::legality::{self, LegalSchedule, Verdict};
use crate::scop::{Scop, StatementId};
use crate::tree::{Member, Node};
use polyhedra::{Affine, Budget, Constraint, Space};
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

    /// The same kernels, all operands where they are.
    #[must_use]
    pub fn without_copies(&self) -> Self {
        let kernels = self.kernels.iter().map(|(&id, plan)| (id, plan.in_place())).collect();
        Self { kernels, strips: self.strips.clone() }
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
        let corners = std::mem::take(&mut plan.corners);
        let permutable = band_of(schedule.tree(), id, &mut Vec::new()).is_some_and(|(_, permutable)| permutable);
        for corner in corners.into_iter().filter(|_| permutable) {
            if is_parallel_first(scop, dependences, schedule.tree(), id, corner, budget)? {
                plan.corners.push(corner);
                // It may run everywhere.
                if corner.beyond.is_none() {
                    break;
                }
            }
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
        let of_one = strip.cuts.iter().take_while(|cut| cut.size == 1).count();
        for (k, cut) in strip.cuts.iter().enumerate() {
            // Strips of one row are loops.
            let outside = strip.cuts[..k.min(of_one)].iter().rev();
            let around = outside.fold(cut.around(schedule.tree()), |tree, cut| cut.around(&tree?));
            let Some(looped) = around else { return Ok(None) };
            if !is_legal(scop, dependences, looped, budget)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(ProvedKernels { kernels, strips }))
}

fn is_legal(scop: &Scop, dependences: &Dependences, tree: Node, budget: &Budget) -> Result<bool> {
    Ok(matches!(legality::prove(scop, dependences, tree, budget)?, Verdict::Legal(_)))
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
    let Some((members, permutable)) = band_of(tree, id, &mut around) else { return Ok(false) };
    if !plan.fits(members.len()) || !(permutable || may_have_tiles(scop, dependences, tree, id, plan, budget)?) {
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
        order: None,
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
        node = Node::Band { members, permutable, child: Box::new(node) };
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

/// May each member that has tiles stand in front of the band?
fn may_have_tiles(
    scop: &Scop,
    dependences: &Dependences,
    tree: &Node,
    id: StatementId,
    plan: &Blocking,
    budget: &Budget,
) -> Result<bool> {
    let tiled: BTreeSet<usize> = plan.tiles.iter().map(|t| t.member).collect();
    for member in tiled {
        let mut tree = tree.clone();
        let Some(members) = band_in(&mut tree, id).filter(|members| member < members.len()) else { return Ok(false) };
        members[..=member].rotate_right(1);
        if !is_legal(scop, dependences, tree, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Is the corner's member of the band around the statement's place parallel when it goes first, where the corner runs?
fn is_parallel_first(
    scop: &Scop,
    dependences: &Dependences,
    tree: &Node,
    id: StatementId,
    corner: Corner,
    budget: &Budget,
) -> Result<bool> {
    let mut tree = tree.clone();
    let Some(members) = band_in(&mut tree, id) else { return Ok(false) };
    if corner.member >= members.len() {
        return Ok(false);
    }
    let within = match corner.beyond.map(|other| members.get(other)) {
        None => None,
        Some(None) => return Ok(false),
        Some(Some(other)) => Some(beyond(dependences, &members[corner.member], other, budget)?),
    };
    members[..=corner.member].rotate_right(1);
    members[0].parallel = true;
    let dependences = within.as_ref().unwrap_or(dependences);
    let Verdict::Legal(schedule) = legality::prove(scop, dependences, tree, budget)? else { return Ok(false) };
    Ok(band_of(schedule.tree(), id, &mut Vec::new()).is_some_and(|(members, _)| members[0].parallel))
}

/// The dependences, those within the band only where a member's times at both ends are greater than another's at both.
fn beyond(dependences: &Dependences, member: &Member, other: &Member, budget: &Budget) -> Result<Dependences> {
    let mut ordering = Vec::new();
    for mut d in dependences.ordering.iter().cloned() {
        let ends = [(d.target, true), (d.source, false)];
        let rows = |m: &Member| -> Option<Vec<Affine>> {
            ends.iter().map(|(s, is_target)| Some(end_row(m.rows.get(s)?, *is_target, d.relation.space()))).collect()
        };
        if let (Some(greater), Some(less)) = (rows(member), rows(other)) {
            for a in &greater {
                for b in &less {
                    d.relation.add(Constraint::ge(a.sub(b)?.offset(-1)?));
                }
            }
            if d.relation.is_empty(budget)? {
                continue;
            }
        }
        ordering.push(d);
    }
    Ok(Dependences { ordering, reuse: Vec::new(), order: None })
}

/// The row of one end of a dependence in its space `[1 | N | i_t | i_s]`.
fn end_row(row: &Affine, is_target: bool, space: Space) -> Affine {
    let dims = row.space().dims;
    let first = if is_target { 0 } else { space.dims - dims };
    row.embed(space, &(first..first + dims).collect::<Vec<_>>())
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
