//! Nests that run strip by strip ([`scheduler::kernel::Strip`]): a tile loop over the row numbers, and inside of it one nest after the other, each over what it has in the strip.

use super::blocked::{self, extents};
use super::scan::{Range, Spec, scan};
use super::{Active, Maker};
use crate::ast::{AstNode, LoopKind};
use polyhedra::{Affine, Constraint, Polyhedron, Space};
use scheduler::kernel::{Cut, Strip};
use scheduler::tree::Node;
use scheduler::{Error, Result};
use std::collections::BTreeSet;

/// Conditions at most by which strips are worth while.
const MOST_FORMS: usize = 4;

/// The loops of neighbours in a sequence.
pub(super) fn loops(
    maker: &Maker<'_>,
    strip: &Strip,
    children: &[Node],
    active: &[Active],
    context: &Polyhedron,
) -> Result<Vec<AstNode>> {
    for child in children {
        if let Node::Band { members, child, .. } = child {
            blocked::worthwhile(maker, members, child, active, context)?;
        }
    }
    if let Some(least) = strip.worthwhile {
        note_worth(maker, strip, least)?;
    }
    let inside = children.iter().flat_map(Node::statements).collect::<BTreeSet<_>>();
    let active: Vec<Active> = active.iter().filter(|a| inside.contains(&a.id)).cloned().collect();
    within(maker, &strip.cuts, children, &active, context)
}

/// Notes that the loops that go from cell to cell must have so many iterations in the mean: those whose iterators are in the subscripts of what the deepest statement stores. The mean and not
/// each of them: what counts is how much is stored.
fn note_worth(maker: &Maker<'_>, strip: &Strip, least: i64) -> Result<()> {
    let statements = strip.statements().map(|id| maker.statement(id)).collect::<Result<Vec<_>>>()?;
    let Some(deepest) = statements.into_iter().max_by_key(|s| s.depth()) else { return Ok(()) };
    let stored = deepest.accesses.iter().filter(|a| a.kind.writes());
    let subscripts: Vec<&Affine> = stored.flat_map(|a| &a.subscripts).collect();
    let space = Space::new(maker.scop.params.len(), 0);
    let mut sums = vec![Affine::constant(space, 0)];
    for d in (0..deepest.depth()).filter(|&d| subscripts.iter().any(|s| s.dim_coeff(d) != 0)) {
        let others: Vec<usize> = (0..deepest.depth()).filter(|&k| k != d).collect();
        let shadow = deepest.domain.project_out(&others, maker.budget)?.set;
        let mut longer = Vec::new();
        for extent in extents(&shadow, 0)? {
            for sum in &sums {
                longer.push(sum.add(&extent)?.offset(-least)?);
            }
        }
        longer.truncate(MOST_FORMS);
        sums = longer;
    }
    maker.worthwhile.borrow_mut().extend(sums.into_iter().filter(|form| !form.is_constant()));
    Ok(())
}

/// The loops over strips that are left, and what runs in them.
fn within(
    maker: &Maker<'_>,
    cuts: &[Cut],
    children: &[Node],
    active: &[Active],
    context: &Polyhedron,
) -> Result<Vec<AstNode>> {
    let Some((cut, rest)) = cuts.split_first() else { return maker.children(children, active, context) };
    if cut.size < 1 {
        return Err(Error::Malformed("size of a strip".into()));
    }
    let depth = context.space().dims;
    let mut ranges = Vec::new();
    for a in active {
        let old = a.relation.space();
        let space = Space::new(old.params, old.dims + 1);
        let map: Vec<usize> = (0..old.dims).map(|d| if d < depth { d } else { d + 1 }).collect();
        let mut relation = a.relation.embed(space, &map);
        let row =
            cut.rows.get(&a.id).ok_or_else(|| Error::Malformed("a strip without a row for a statement".into()))?;
        // size t <= row <= size t + size - 1
        let inside = maker.row(a, row, 1)?.combine(1, &Affine::dim(space, depth), -cut.size)?;
        relation.add(Constraint::ge(inside.clone()));
        relation.add(Constraint::ge(inside.scale(-1)?.offset(cut.size - 1)?));
        let iterators: Vec<usize> = (depth + 1..space.dims).collect();
        let shadow = relation.project_out(&iterators, maker.budget)?.set;
        ranges.push(Range { active: Active { id: a.id, relation }, shadow });
    }
    let spec = Spec { kind: LoopKind::Tile, parallel: false, separate: false };
    scan(maker, spec, &ranges, context, &|inside, inner, _| within(maker, rest, children, inside, inner))
}
