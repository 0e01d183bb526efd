//! Planning below a first row that somebody else has chosen.

use super::together::within;
use super::{Candidate, Origin, Policy};
use crate::Result;
use crate::dependence::{Dependence, Dependences, distance};
use crate::legality::{self, LegalSchedule, Verdict};
use crate::matching::{Done, Work};
use crate::scop::Scop;
use crate::shift::Shifts;
use crate::solve::Freedom;
use crate::tree::{Member, Node, Rows};
use polyhedra::{Budget, Constraint};

/// The tree of some nests below a first row that is given, with the rows and bands that planning finds inside. `around` makes the whole tree from theirs.
/// The dependences among these nests are proved, the others not. `None`: nothing was found that can be.
///
/// # Errors
/// Overflow, budget.
pub(crate) fn below(
    scop: &Scop,
    dependences: &Dependences,
    shifts: Shifts,
    first: &Rows,
    around: &dyn Fn(Node) -> Node,
    budget: &Budget,
) -> Result<Option<Node>> {
    let work = Work::new(scop, dependences, shifts, budget);
    let group = work.in_source_order(first.keys().copied().collect());
    let mut done: Done = first.iter().map(|(&s, row)| (s, vec![row.dim_coeffs().to_vec()])).collect();
    done.values_mut().for_each(|rows| rows.retain(|r| r.iter().any(|&c| c != 0)));
    let within_group = |d: &&Dependence| first.contains_key(&d.source) && first.contains_key(&d.target);
    let own = dependences.ordering.iter().filter(within_group).cloned().collect();
    let own = Dependences { ordering: own, reuse: Vec::new(), order: None };
    let mut inside = Vec::new();
    for mut e in within(&work.edges, &group) {
        let delta = distance(e.cut.space(), &first[&e.source], &first[&e.target])?;
        if delta.coeffs().iter().any(|&c| c != 0) {
            e.cut.add(Constraint::eq(delta));
            if e.cut.is_obviously_empty() || e.cut.is_rationally_empty(budget)? {
                continue;
            }
        }
        inside.push(e);
    }
    let member = Member::new(first.clone(), true);
    for freedom in [&[][..], &[Freedom::Constant]] {
        let policy = Policy { embed: false, fission: false, freedom };
        let Some(child) = work.build(&group, inside.clone(), &mut done, &policy)? else { continue };
        let band = Node::Band { members: vec![member.clone()], permutable: true, child: Box::new(child) };
        let tree = work.regroup(band, within(&work.edges, &group))?;
        if let Verdict::Legal(schedule) = legality::prove(scop, &own, around(tree), budget)? {
            return Ok(Some(schedule.tree().clone()));
        }
    }
    Ok(None)
}

/// A traversal as a candidate.
///
/// # Errors
/// Overflow, budget.
pub(crate) fn traversal(
    scop: &Scop,
    dependences: &Dependences,
    shifts: Shifts,
    schedule: LegalSchedule,
    budget: &Budget,
) -> Result<Candidate> {
    let work = Work::new(scop, dependences, shifts, budget);
    let delta_omega = work.delta_omega(schedule.tree())?;
    Ok(Candidate { schedule, origin: Origin::Traversal, delta_omega })
}
