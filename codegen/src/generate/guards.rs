//! Conditions on parameters alone, outside of all loops.
//!
//! # Problem
//! A statement may run only where `n >= 9`, and a bound of its loops may be a number that means something only there: `(n - 5) / 4` without sign, which is a large
//! number for `n = 0`. A condition inside of the loops would be asked as often.
//!
//! # Method
//! Rows of a domain that mention no iterator and do not follow from its others become conditions around the nest: first those that all its statements have; then, a few times,
//! those of one statement, with two copies of the nest, one without it. So do rows that the domain does imply and the outermost loop does not: in the program nothing may run for
//! `n = 0` at once, but after an interchange it is an inner loop that is without a trip, time and again. Of those rows a copy is made only where they mention such a number.

use super::tiles::Band;
use super::{Active, Maker};
use crate::ast::AstNode;
use crate::sets::{condition, implied, negated, reduce, widen};
use polyhedra::{Affine, Constraint, Kind, Polyhedron};
use scheduler::Result;

/// How often a nest is copied for a statement that may have no instances.
const MOST_COPIES: usize = 2;

/// Makes a nest, for the statements that are active.
type Make<'b> = dyn Fn(&[Active], &Polyhedron) -> Result<Vec<AstNode>> + 'b;

/// A nest outside of all loops.
pub(super) struct Nest<'b> {
    /// The band with the outermost loop, if one holds all.
    pub(super) first: Option<Band<'b>>,
    /// Makes it.
    pub(super) make: &'b Make<'b>,
}

/// A nest outside of all loops, under the conditions of its statements.
pub(super) fn guarded(
    maker: &Maker<'_>,
    active: &[Active],
    context: &Polyhedron,
    nest: &Nest<'_>,
) -> Result<Vec<AstNode>> {
    let mut known = context.clone();
    let mut all: Vec<Constraint> = Vec::new();
    if let Some((first, others)) = active.split_first() {
        let mut rows = own_rows(maker, first, context)?;
        rows.extend(implied_rows(maker, first, context, &rows, nest)?);
        for row in rows {
            let mut shared = true;
            for other in others {
                shared = shared && implied(&widened(&row, other), &other.relation, maker.budget)?;
            }
            if shared {
                known.add(row.clone());
                all.push(row);
            }
        }
    }
    let body = copied(maker, active, &known, MOST_COPIES, nest)?;
    under(&all, body, Vec::new())
}

/// The nest in which every statement may run, and without some of them.
fn copied(
    maker: &Maker<'_>,
    active: &[Active],
    context: &Polyhedron,
    copies: usize,
    nest: &Nest<'_>,
) -> Result<Vec<AstNode>> {
    if copies > 0 && active.len() > 1 {
        for (k, own) in active.iter().enumerate() {
            let mut rows = own_rows(maker, own, context)?;
            let is_computed = |row: &Constraint| maker.scop.computed.iter().any(|&p| row.expr.param_coeff(p) != 0);
            if own.relation.constraints().iter().any(is_computed) {
                rows.extend(implied_rows(maker, own, context, &rows, nest)?);
            }
            if rows.is_empty() {
                continue;
            }
            let mut with = context.clone();
            rows.iter().for_each(|row| with.add(row.clone()));
            let others =
                || active.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, a)| a.clone()).collect::<Vec<_>>();
            if with.is_empty(maker.budget)? {
                return copied(maker, &others(), context, copies, nest);
            }
            let mut without = context.clone();
            if let [only] = rows.as_slice()
                && only.kind == Kind::Ge
            {
                without.add(negated(&only.expr)?);
            }
            let then = copied(maker, active, &with, copies - 1, nest)?;
            let otherwise = copied(maker, &others(), &without, copies - 1, nest)?;
            return under(&rows, then, otherwise);
        }
    }
    (nest.make)(active, context)
}

/// The rows on parameters alone under which a statement runs, over the context's space, as far as it takes conditions to see to them.
fn own_rows(maker: &Maker<'_>, active: &Active, context: &Polyhedron) -> Result<Vec<Constraint>> {
    let space = context.space();
    let own = |row: &Constraint| Constraint {
        kind: row.kind,
        expr: Affine::from_coeffs(space, row.expr.coeffs()[..space.columns()].to_vec()),
    };
    let rows = active.relation.constraints();
    let mut out: Vec<Constraint> = Vec::new();
    for row in rows.iter().filter(|row| row.expr.dim_coeffs().iter().all(|c| *c == 0)) {
        let mut others = Polyhedron::universe(active.relation.space());
        rows.iter().filter(|other| *other != row).for_each(|other| others.add(other.clone()));
        let own = own(row);
        if !out.contains(&own) && !implied(&own, context, maker.budget)? && !implied(row, &others, maker.budget)? {
            out.push(own);
        }
    }
    Ok(out)
}

/// The rows on parameters that its domain implies and neither the outermost loop nor `own` does.
fn implied_rows(
    maker: &Maker<'_>,
    active: &Active,
    context: &Polyhedron,
    own: &[Constraint],
    nest: &Nest<'_>,
) -> Result<Vec<Constraint>> {
    let iterators: Vec<usize> = (0..active.relation.space().dims).collect();
    let shadow = active.relation.project_out(&iterators, maker.budget)?.set;
    let known = own.iter().fold(outermost(maker, active, context, nest)?, |known, row| known.with(row.clone()));
    reduce(shadow.constraints(), &known, maker.budget)
}

/// Where the outermost loop has a trip for a statement, inside of a context.
fn outermost(maker: &Maker<'_>, active: &Active, context: &Polyhedron, nest: &Nest<'_>) -> Result<Polyhedron> {
    let Some(band) = &nest.first else { return Ok(context.clone()) };
    let wide = widen(context, 1);
    let shadow = band.range(maker, active, 0, None, 0)?.shadow.simplify(maker.budget)?;
    let bounds = reduce(shadow.constraints(), &wide, maker.budget)?;
    let loop_trips = bounds.into_iter().filter(|row| row.expr.dim_coeff(0) != 0).fold(wide, Polyhedron::with);
    Ok(loop_trips.project_out(&[0], maker.budget)?.set)
}

/// A row over the context's space in that of a statement.
fn widened(row: &Constraint, active: &Active) -> Constraint {
    let space = active.relation.space();
    let mut coeffs = row.expr.coeffs().to_vec();
    coeffs.resize(space.columns(), 0);
    Constraint { kind: row.kind, expr: Affine::from_coeffs(space, coeffs) }
}

fn under(rows: &[Constraint], then: Vec<AstNode>, otherwise: Vec<AstNode>) -> Result<Vec<AstNode>> {
    if rows.is_empty() {
        return Ok(then);
    }
    if then.is_empty() && otherwise.is_empty() {
        return Ok(Vec::new());
    }
    if let ([only], true) = (rows, then.is_empty())
        && only.kind == Kind::Ge
    {
        let conditions = vec![condition(&negated(&only.expr)?)?];
        return Ok(vec![AstNode::If { conditions, then: otherwise, otherwise: Vec::new() }]);
    }
    let conditions = rows.iter().map(condition).collect::<Result<_>>()?;
    Ok(vec![AstNode::If { conditions, then, otherwise }])
}
