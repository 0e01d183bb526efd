//! Sums whose terms can be counted by either of two loops.
//!
//! **Problem.** In `for i { for p { o[i + p] += x[i] f[p] } }` the terms of cell `r = i + p` are those with `r - w < i <= r`: a band. A tile of cells has few terms in common, and masks on all others. But for a
//! given cell, to count `i` upwards is to count `p` downwards, and that is a box but for the first and last cells: `0 <= p < w`, `r - n < p <= r`.
//!
//! **Method.** A member that moves no stored cell and is one iterator `i` gives way to another iterator `p` where some other member is `i` and `p`, and `p` is shorter, or, as far as anybody knows, as long, and inside of
//! `i` in the source: people write the filter inside. The member becomes its difference to the other: for each cell the order of terms stays.
//!
//! **Sums that are counted downwards.** `for i { for j { for k = i - 1 .. 0 { s[j] -= a[i][k] a[j][k] } } }` reads rows of `a` from the right. Squares of them begin with multiples of their size, and so, counted by `-k`,
//! nowhere near the first term; counted by `i - 1 - k` the first term begins one.

use super::Planned;
use crate::Result;
use crate::cost::Model;
use crate::cost::carried::perfect_nest;
use crate::scop::{Access, Statement, StatementId};
use crate::tree::{Member, Node};
use polyhedra::{Affine, Constraint, Kind, Matrix};

/// Loops whose lengths differ by less are as long as each other.
const ALIKE: f64 = 1.001;

/// The nest over one statement with all such sums counted by the shorter loop. `None`: there is none, or the nest looks illegal that way.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn straightened(model: &Model<'_>, nest: &Node) -> Result<Option<Node>> {
    let Some((id, mut rows)) = rows_of(nest) else { return Ok(None) };
    let Some(statement) = model.scop.statements.get(id.0) else { return Ok(None) };
    let unit: Vec<Affine> = (0..statement.depth()).map(|d| Affine::dim(statement.space(), d)).collect();
    let Some(shape) = model.shapes.of(id, &unit)? else { return Ok(None) };
    let before = rows.clone();
    for k in 0..rows.len() {
        let [(i, c)] = iterators(&rows[k])[..] else { continue };
        let others: Vec<&Affine> = (0..rows.len()).filter(|&o| o != k).map(|o| &rows[o]).collect();
        if !decide_cell(statement, &others) {
            continue;
        }
        for other in others {
            let [a, b] = iterators(other)[..] else { continue };
            let ((_, own), (p, _)) = if a.0 == i { (a, b) } else { (b, a) };
            let Some(factor) = c.checked_mul(own).filter(|_| a.0 == i || b.0 == i) else { continue };
            let (kept, instead) = (shape.extents[i], shape.extents[p]);
            let shorter = instead < kept * if p > i { ALIKE } else { 1.0 / ALIKE };
            if factor.abs() == 1 && shorter {
                rows[k] = rows[k].combine(1, other, -factor)?;
                break;
            }
        }
    }
    if rows == before { Ok(None) } else { counted_by(model, id, rows) }
}

/// The nest over one statement with sums whose operands lie one before the other, `for k = u(i) .. 0`, counted by how far they are, `u(i) - k`, from zero on, as blocks of steps begin with a multiple of their size.
/// Only where what `u` depends on is counted by loops outside. `None`: there is none, or the nest looks illegal that way.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn begun_at_zero(model: &Model<'_>, nest: &Node) -> Result<Option<Node>> {
    let Some((id, mut rows)) = rows_of(nest) else { return Ok(None) };
    let Some(statement) = model.scop.statements.get(id.0) else { return Ok(None) };
    let before = rows.clone();
    for k in 0..rows.len() {
        let counted = |d: usize| before[..k].iter().any(|row| matches!(iterators(row)[..], [(o, _)] if o == d));
        let own: Vec<(usize, i64)> = iterators(&rows[k]).into_iter().filter(|(d, _)| !counted(*d)).collect();
        let [(i, c)] = own[..] else { continue };
        let last = |a: &Access| a.subscripts.last().map_or(0, |e| e.dim_coeff(i).saturating_mul(c));
        let falls = statement.reads().iter().all(|a| last(a) <= 0) && statement.reads().iter().any(|a| last(a) < 0);
        let moves_cell = statement.write().subscripts.iter().any(|e| e.dim_coeff(i) != 0);
        let first = |row: &&Constraint| {
            row.expr.dim_coeff(i).signum() == c.signum() || row.kind == Kind::Eq && row.expr.dim_coeff(i) != 0
        };
        let firsts: Vec<&Constraint> = statement.domain.constraints().iter().filter(first).collect();
        let [Constraint { kind: Kind::Ge, expr }] = firsts[..] else { continue };
        let is_outside = iterators(expr).iter().all(|(d, _)| *d == i || counted(*d));
        if falls && !moves_cell && is_outside && c.abs() == 1 && expr.dim_coeff(i) == c {
            rows[k] = expr.clone();
        }
    }
    if rows == before { Ok(None) } else { counted_by(model, id, rows) }
}

/// The statement of a nest that has only one, and its rows.
fn rows_of(nest: &Node) -> Option<(StatementId, Vec<Affine>)> {
    let (members, inside) = perfect_nest(nest);
    let Node::Leaf(id) = inside else { return None };
    let rows: Option<Vec<Affine>> = members.iter().map(|m| m.rows.get(id).cloned()).collect();
    Some((*id, rows?))
}

/// The nest over one statement with these rows. `None`: it looks illegal.
fn counted_by(model: &Model<'_>, id: StatementId, rows: Vec<Affine>) -> Result<Option<Node>> {
    let members = rows.into_iter().map(|row| Member::new([(id, row)].into_iter().collect(), false)).collect();
    let tree = Node::Band { members, permutable: false, child: Box::new(Node::Leaf(id)) };
    Ok(model.distances.annotate(&tree)?.map(|annotated| annotated.tree))
}

/// Do the columns of the kernel begin and end with its depth? Then all that the depth has in common with only some of a tile's columns runs under masks.
pub(super) fn along_columns(planned: &Planned) -> bool {
    let (members, _) = perfect_nest(&planned.tree);
    let row = members.last().and_then(|column| column.rows.get(&planned.id));
    row.is_some_and(|row| iterators(row).len() > 1)
}

/// The iterators of a row, with their coefficients.
fn iterators(row: &Affine) -> Vec<(usize, i64)> {
    row.dim_coeffs().iter().copied().enumerate().filter(|(_, c)| *c != 0).collect()
}

/// Do these rows decide which cell is stored to?
fn decide_cell(statement: &Statement, rows: &[&Affine]) -> bool {
    let columns = statement.depth();
    let rank = |rows: Vec<Vec<i64>>| Matrix::new(rows, columns).rank().ok();
    let mut all: Vec<Vec<i64>> = rows.iter().map(|r| r.dim_coeffs().to_vec()).collect();
    let before = rank(all.clone());
    all.extend(statement.write().subscripts.iter().map(|e| e.dim_coeffs().to_vec()));
    before.is_some() && before == rank(all)
}
