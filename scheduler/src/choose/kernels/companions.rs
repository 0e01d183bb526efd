//! Statements that share the loops of a kernel.
//!
//! **Problem.** In `for j { for k { q[k] = a[k][j] / a[j][j]; for i { c[i][k] -= q[k] a[i][j] } } }` quotients are made before what needs them wherever the loops over `j`, `i` and `k` have the
//! quotient of `k` at `i = k`, and in the third of them there is a choice: at `k`, in tiles on the diagonal of rows and columns, for every `j`; or at `j`, where the columns of a tile are its depth.
//! A kernel runs alone wherever its companions do not, in the one case nowhere in the tiles of a diagonal, in the other in all of their depth but for a corner.
//!
//! **Method.** A companion whose time in the columns is that in the rows, or always the same, takes that of the depth instead; or, where that is not legal, in the rows: quotients of rows (`a[j][k] / a[j][j]`) are
//! made where the rows of a tile are its depth.
//!
//! **Bands.** Loops run from the least to the greatest value that any statement has. In a band of a matrix (`i - b <= k`), one companion at column 0 of all rows makes the tiles of all its columns run over all rows.

use super::Planned;
use crate::Result;
use crate::cost::Model;
use crate::cost::carried::perfect_nest;
use crate::scop::StatementId;
use crate::tree::{Member, Node};
use polyhedra::{Affine, Constraint, Polyhedron, Space};

/// The nests of a plan with companions in corners, where columns or rows meet the depth: none if all are, or there are none. They may be illegal.
pub(super) fn in_corners(nest: &Node, planned: &Planned) -> Vec<Node> {
    let (band, _) = perfect_nest(&planned.tree);
    let ([.., depth, row, column], [_]) = (&band[..], &planned.plan.rows[..]) else { return Vec::new() };
    [(column, row), (row, column)]
        .into_iter()
        .filter_map(|(moved, other)| at_depth(nest, planned.id, [depth, moved, other]))
        .collect()
}

/// The nest with companions at the depth's time in one of its loops instead of at another's. `None`: that changes nothing.
fn at_depth(nest: &Node, id: StatementId, [depth, moved, other]: [&Member; 3]) -> Option<Node> {
    let (members, inside) = perfect_nest(nest);
    let own = |member: &Member| member.rows.get(&id).cloned();
    let mut members: Vec<Member> = members.into_iter().cloned().collect();
    let moved = members.iter_mut().find(|member| own(member) == own(moved))?;
    let mut any = false;
    for (companion, time) in moved.rows.iter_mut().filter(|(companion, _)| **companion != id) {
        let at = |member: &Member| -> Option<Affine> { member.rows.get(companion).cloned() };
        if let (Some(depth), Some(other)) = (at(depth), at(other))
            && (other == *time || time.is_constant())
            && depth != *time
        {
            *time = depth;
            any = true;
        }
    }
    any.then(|| Node::Band { members, permutable: false, child: Box::new(inside.clone()) })
}

/// Does every companion run where two loops of the kernel are no further apart than the kernel's own statement lets them be, as far as that depends on sizes?
///
/// # Errors
/// Overflow, budget, a member without rows for one of the statements.
pub(super) fn are_in_band(
    model: &Model<'_>,
    id: StatementId,
    members: &[&Member],
    all: &[StatementId],
) -> Result<bool> {
    let Some(own) = times(model, id, members)? else { return Ok(false) };
    let is_limit = |row: &&Constraint| {
        let loops = row.expr.dim_coeffs().iter().filter(|c| **c != 0).count();
        loops > 1 && row.expr.param_coeffs().iter().any(|c| *c != 0)
    };
    let limits: Vec<&Constraint> = own.constraints().iter().filter(is_limit).collect();
    if limits.is_empty() {
        return Ok(true);
    }
    for &other in all.iter().filter(|s| **s != id) {
        let Some(set) = times(model, other, members)? else { return Ok(false) };
        for limit in &limits {
            // Next to it is near enough.
            let near = Constraint { kind: limit.kind, expr: limit.expr.offset(1)? };
            if !set.implies(&near, model.distances.budget())? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The times of a statement in these loops, over `[1 | N | t]`.
fn times(model: &Model<'_>, id: StatementId, members: &[&Member]) -> Result<Option<Polyhedron>> {
    let Some(statement) = model.scop.statements.get(id.0) else { return Ok(None) };
    let (count, depth) = (members.len(), statement.depth());
    let space = Space::new(statement.space().params, count + depth);
    let own: Vec<usize> = (count..count + depth).collect();
    let mut set = statement.domain.embed(space, &own);
    for (k, member) in members.iter().enumerate() {
        let Some(row) = member.rows.get(&id) else { return Ok(None) };
        set.add(Constraint::eq(row.embed(space, &own).sub(&Affine::dim(space, k))?));
    }
    let budget = model.distances.budget();
    Ok(Some(set.project_out(&own, budget)?.set.simplify(budget)?))
}
