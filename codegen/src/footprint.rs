//! Which cells of an array a part can touch, as a box whose sides are expressions in the parameters.
//!
//! # Problem
//! Two arrays may overlap only if their footprints do; that is compared at run time, before the loops. So for each subscript we want expressions `lower(N)`,
//! `upper(N)` with `lower <= F i + f <= upper` for every instance `i` of every statement that accesses the array.
//!
//! # Method
//! For one access the set `{ N, v | i in Stmt[i], v = F i + f }` is projected on `v`; its rows give `v` bounds in the parameters: the largest lower and the
//! least upper one count. An array has the least lower side and the largest upper side of its accesses; sides that another one covers, whatever the
//! parameters, are left out. The box is an over-approximation where the projection is: that can only make the comparison at run time stricter. For
//! parameters under which a statement does not run, its box may be anything, and only widens that of the array.
//!
//! # Example
//! `U[n][k + n + 1]` in `0 <= n < N, 0 <= k < N - n - 1`: `[0, N - 1]` and `[1, N - 1]` after projection (`n = k = 0` is the least, `k + n + 1 <= N - 1`).

use crate::ast::Expr;
use crate::sets::{bounds_of_last, max_of, min_of, widen, widen_expr};
use polyhedra::{Affine, Budget, Constraint, Polyhedron, Space};
use scheduler::Result;
use scheduler::scop::{ArrayId, Scop};

/// The sides of one dimension, over parameters alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extent {
    /// No subscript is less.
    pub lower: Expr,
    /// No subscript is larger.
    pub upper: Expr,
}

/// What a part can touch of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Footprint {
    /// Nothing, whatever the parameters.
    Empty,
    /// Some subscript has no bound.
    Unbounded,
    /// At most these cells: one extent a dimension.
    Box(Vec<Extent>),
}

/// The footprint of an array: of all accesses to it.
///
/// # Errors
/// Overflow, budget.
pub fn of_array(scop: &Scop, array: ArrayId, budget: &Budget) -> Result<Footprint> {
    let space = Space::new(scop.params.len(), 0);
    let context = scop.context.clone().unwrap_or_else(|| Polyhedron::universe(space));
    let mut sides: Vec<(Vec<Expr>, Vec<Expr>)> = Vec::new();
    // An array without subscripts has no sides.
    let mut touched = false;
    let mut seen: Vec<(usize, &[Affine], u32)> = Vec::new();
    for (k, statement) in scop.statements.iter().enumerate() {
        for access in statement.accesses.iter().filter(|a| a.array == array) {
            // Read and written under the same subscripts.
            if seen.contains(&(k, access.subscripts.as_slice(), access.extent)) {
                continue;
            }
            seen.push((k, &access.subscripts, access.extent));
            // The last cell of a range counts too.
            let mut ends = access.subscripts.clone();
            if let Some(last) = ends.last_mut() {
                *last = last.offset(i64::from(access.extent) - 1)?;
            }
            let reach =
                if access.extent > 1 { Some(of_access(&statement.domain, &context, &ends, budget)?) } else { None };
            let starts = of_access(&statement.domain, &context, &access.subscripts, budget)?;
            for footprint in [Some(starts), reach].into_iter().flatten() {
                match footprint {
                    Footprint::Empty => {}
                    Footprint::Unbounded => return Ok(Footprint::Unbounded),
                    Footprint::Box(extents) => {
                        touched = true;
                        sides.resize(extents.len(), (Vec::new(), Vec::new()));
                        for ((lowers, uppers), extent) in sides.iter_mut().zip(extents) {
                            keep(lowers, extent.lower, false, &context, budget)?;
                            keep(uppers, extent.upper, true, &context, budget)?;
                        }
                    }
                }
            }
        }
    }
    if !touched {
        return Ok(Footprint::Empty);
    }
    Ok(Footprint::Box(sides.into_iter().map(|(l, u)| Extent { lower: min_of(l), upper: max_of(u) }).collect()))
}

/// The footprint of one access: subscripts over the space of the domain, `context` over parameters alone.
///
/// # Errors
/// Overflow, budget.
pub fn of_access(
    domain: &Polyhedron,
    context: &Polyhedron,
    subscripts: &[Affine],
    budget: &Budget,
) -> Result<Footprint> {
    let space = domain.space();
    let params = Space::new(space.params, 0);
    let known = domain.intersect(&context.embed(space, &[]));
    if known.is_empty(budget)? {
        return Ok(Footprint::Empty);
    }
    let mut extents = Vec::new();
    for subscript in subscripts {
        if subscript.is_dim_free() {
            let same = Expr::Affine(Affine::from_coeffs(params, subscript.coeffs()[..=space.params].to_vec()));
            extents.push(Extent { lower: same.clone(), upper: same });
            continue;
        }
        let lifted = widen(&known, 1);
        let value = Affine::dim(lifted.space(), space.dims);
        let lifted = lifted.with(Constraint::eq(value.sub(&widen_expr(subscript, 1))?));
        let iterators: Vec<usize> = (0..space.dims).collect();
        let shadow = lifted.project_out(&iterators, budget)?.set;
        let (lower, upper) = bounds_of_last(shadow.constraints())?;
        if lower.is_empty() || upper.is_empty() {
            return Ok(Footprint::Unbounded);
        }
        extents.push(Extent { lower: max_of(lower), upper: min_of(upper) });
    }
    Ok(Footprint::Box(extents))
}

/// Adds a side to those whose least (`largest`: largest) will count, unless one of them covers it; removes those that it covers.
fn keep(sides: &mut Vec<Expr>, side: Expr, largest: bool, context: &Polyhedron, budget: &Budget) -> Result<()> {
    for known in &*sides {
        if covers(known, &side, largest, context, budget)? {
            return Ok(());
        }
    }
    let mut kept = Vec::new();
    for known in sides.drain(..) {
        if !covers(&side, &known, largest, context, budget)? {
            kept.push(known);
        }
    }
    kept.push(side);
    *sides = kept;
    Ok(())
}

/// Is `a <= b` (`largest`: `a >= b`) for all parameters of the context? `false`: not seen.
fn covers(a: &Expr, b: &Expr, largest: bool, context: &Polyhedron, budget: &Budget) -> Result<bool> {
    if largest { less_eq(b, a, context, budget) } else { less_eq(a, b, context, budget) }
}

/// Is `a <= b` for all parameters of the context? `false`: not seen.
fn less_eq(a: &Expr, b: &Expr, context: &Polyhedron, budget: &Budget) -> Result<bool> {
    if a == b {
        return Ok(true);
    }
    let each = |list: &[Expr], holds: &dyn Fn(&Expr) -> Result<bool>, all: bool| -> Result<bool> {
        for e in list {
            if holds(e)? != all {
                return Ok(!all);
            }
        }
        Ok(all)
    };
    let difference = match (a, b) {
        (a, Expr::Min(list)) => return each(list, &|b| less_eq(a, b, context, budget), true),
        (Expr::Max(list), b) => return each(list, &|a| less_eq(a, b, context, budget), true),
        (a, Expr::Max(list)) => return each(list, &|b| less_eq(a, b, context, budget), false),
        (Expr::Min(list), b) => return each(list, &|a| less_eq(a, b, context, budget), false),
        (Expr::FloorDiv(a, d), Expr::FloorDiv(b, e)) | (Expr::CeilDiv(a, d), Expr::CeilDiv(b, e)) if d == e => {
            return less_eq(a, b, context, budget);
        }
        (Expr::Affine(a), Expr::Affine(b)) => b.sub(a)?,
        // floor(x / d) <= y where x <= d y + d - 1, and y <= floor(x / d) where d y <= x; likewise the others.
        (Expr::FloorDiv(x, d), Expr::Affine(y)) | (Expr::Affine(y), Expr::CeilDiv(x, d)) => {
            let (Expr::Affine(x), sign) = (x.as_ref(), if matches!(a, Expr::Affine(_)) { 1 } else { -1 }) else {
                return Ok(false);
            };
            x.combine(sign, y, -sign * d)?.offset(d - 1)?
        }
        (Expr::Affine(y), Expr::FloorDiv(x, d)) | (Expr::CeilDiv(x, d), Expr::Affine(y)) => {
            let (Expr::Affine(x), sign) = (x.as_ref(), if matches!(a, Expr::Affine(_)) { 1 } else { -1 }) else {
                return Ok(false);
            };
            x.combine(sign, y, -sign * d)?
        }
        _ => return Ok(false),
    };
    Ok(context.implies(&Constraint::ge(difference), budget)?)
}
