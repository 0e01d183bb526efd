//! Rows, bounds and conditions: the small change between polyhedra and loops.
//!
//! Local spaces: while loops are being made, an expression lives in `[1 | N | V]`, `V` the variables of the loops around it, outermost first. Only
//! [`crate::generate`]'s last step gives every loop a column of its own.

use crate::ast::{Condition, Expr};
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space};
use scheduler::Result;

/// The form without its last dimension, and without what it says of that.
pub(crate) fn drop_last(expr: &Affine) -> Affine {
    let space = expr.space();
    let mut coeffs = expr.coeffs().to_vec();
    coeffs.pop();
    Affine::from_coeffs(Space::new(space.params, space.dims.saturating_sub(1)), coeffs)
}

/// The set in a space with `extra` more dimensions behind its own.
pub(crate) fn widen(set: &Polyhedron, extra: usize) -> Polyhedron {
    let space = set.space();
    let map: Vec<usize> = (0..space.dims).collect();
    set.embed(Space::new(space.params, space.dims + extra), &map)
}

/// The expression in a space with `extra` more dimensions behind its own.
pub(crate) fn widen_expr(expr: &Affine, extra: usize) -> Affine {
    let space = expr.space();
    let map: Vec<usize> = (0..space.dims).collect();
    expr.embed(Space::new(space.params, space.dims + extra), &map)
}

/// Forms that are all `>= 0` exactly where the row holds: one for `>=`, two for `=`.
pub(crate) fn halves(row: &Constraint) -> Result<Vec<Affine>> {
    Ok(match row.kind {
        Kind::Ge => vec![row.expr.clone()],
        Kind::Eq => vec![row.expr.clone(), row.expr.scale(-1)?],
    })
}

/// `not (form >= 0)`.
pub(crate) fn negated(form: &Affine) -> Result<Constraint> {
    Ok(Constraint::ge(form.scale(-1)?.offset(-1)?))
}

/// Is the form `>= 0` (or `= 0`) on its face?
pub(crate) fn obviously_true(row: &Constraint) -> bool {
    let c = row.expr.constant_term();
    row.expr.is_constant() && if row.kind == Kind::Eq { c == 0 } else { c >= 0 }
}

fn complexity(row: &Constraint) -> (usize, u64, &Affine) {
    let coeffs = &row.expr.coeffs()[1..];
    let size = coeffs.iter().fold(0u64, |sum, c| sum.saturating_add(c.unsigned_abs()));
    (coeffs.iter().filter(|c| **c != 0).count(), size, &row.expr)
}

/// The rows without those that the others and the context imply. Same points within the context; complicated rows go first. Exact, one emptiness test a row.
pub(crate) fn reduce(rows: &[Constraint], context: &Polyhedron, budget: &Budget) -> Result<Vec<Constraint>> {
    let mut kept: Vec<Constraint> = Vec::new();
    for row in rows.iter().map(tightened) {
        if !obviously_true(&row) && !kept.contains(&row) && !context.constraints().contains(&row) {
            kept.push(row);
        }
    }
    let mut order = kept.clone();
    order.sort_by(|a, b| complexity(b).cmp(&complexity(a)));
    for row in order {
        let mut others = context.clone();
        for other in kept.iter().filter(|r| **r != row) {
            others.add(other.clone());
        }
        if others.implies(&row, budget)? {
            kept.retain(|r| *r != row);
        }
    }
    Ok(kept)
}

/// The row divided by the gcd of its coefficients, the constant rounded down (`>=`): the same integer points.
pub(crate) fn tightened(row: &Constraint) -> Constraint {
    let coeffs = row.expr.coeffs();
    let common = coeffs[1..].iter().fold(0u64, |g, c| gcd(g, c.unsigned_abs()));
    let Ok(common) = i64::try_from(common) else { return row.clone() };
    if common < 2 || (row.kind == Kind::Eq && coeffs[0] % common != 0) {
        return row.clone();
    }
    let mut divided: Vec<i64> = coeffs.iter().map(|c| c / common).collect();
    divided[0] = coeffs[0].div_euclid(common);
    Constraint { kind: row.kind, expr: Affine::from_coeffs(row.expr.space(), divided) }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Does the set lie in the row's half-space?
pub(crate) fn implied(row: &Constraint, set: &Polyhedron, budget: &Budget) -> Result<bool> {
    Ok(obviously_true(row) || set.constraints().contains(row) || set.implies(row, budget)?)
}

/// `floor(e / d)`, folded where it is a constant or `d` divides `e`.
pub(crate) fn floor_div(expr: Affine, div: i64) -> Expr {
    match folded(&expr, div, i64::div_euclid) {
        Some(whole) => Expr::Affine(whole),
        None => Expr::FloorDiv(Box::new(Expr::Affine(expr)), div),
    }
}

/// `ceil(e / d)`, folded likewise.
pub(crate) fn ceil_div(expr: Affine, div: i64) -> Expr {
    match folded(&expr, div, |a, d| a.div_euclid(d) + i64::from(a.rem_euclid(d) != 0)) {
        Some(whole) => Expr::Affine(whole),
        None => Expr::CeilDiv(Box::new(Expr::Affine(expr)), div),
    }
}

fn folded(expr: &Affine, div: i64, round: impl Fn(i64, i64) -> i64) -> Option<Affine> {
    if div < 1 || expr.coeffs()[1..].iter().any(|c| c % div != 0) {
        return None;
    }
    let mut coeffs: Vec<i64> = expr.coeffs().iter().map(|c| c / div).collect();
    coeffs[0] = round(expr.constant_term(), div);
    Some(Affine::from_coeffs(expr.space(), coeffs))
}

/// The bounds on the last dimension that rows give: `(lower, upper)`, without the last column.
pub(crate) fn bounds_of_last(rows: &[Constraint]) -> Result<(Vec<Expr>, Vec<Expr>)> {
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for row in rows {
        for form in halves(row)? {
            let Some(last) = form.space().dims.checked_sub(1) else { continue };
            let coeff = form.dim_coeff(last);
            let mut rest = form.clone();
            rest.set_dim(last, 0);
            let rest = drop_last(&rest);
            if coeff > 0 {
                push_new(&mut lower, ceil_div(rest.scale(-1)?, coeff));
            } else if coeff < 0 {
                let div = coeff.checked_neg().ok_or(polyhedra::Error::Overflow)?;
                push_new(&mut upper, floor_div(rest, div));
            }
        }
    }
    Ok((lower, upper))
}

fn push_new(list: &mut Vec<Expr>, expr: Expr) {
    if !list.contains(&expr) {
        list.push(expr);
    }
}

/// The largest of a non-empty list.
pub(crate) fn max_of(exprs: Vec<Expr>) -> Expr {
    one_or(exprs, Expr::Max)
}

/// The least of a non-empty list.
pub(crate) fn min_of(exprs: Vec<Expr>) -> Expr {
    one_or(exprs, Expr::Min)
}

fn one_or(exprs: Vec<Expr>, many: impl Fn(Vec<Expr>) -> Expr) -> Expr {
    match <[Expr; 1]>::try_from(exprs) {
        Ok([only]) => only,
        Err(exprs) => many(exprs),
    }
}

/// A row as a condition, every coefficient positive: `n - 1 - i >= 0` becomes `i + 1 <= n`.
pub(crate) fn condition(row: &Constraint) -> Result<Condition> {
    if row.kind == Kind::Eq {
        return Ok(Condition::IsZero(Expr::Affine(row.expr.clone())));
    }
    let space = row.expr.space();
    let (mut left, mut right) = (vec![0; space.columns()], vec![0; space.columns()]);
    for (k, &c) in row.expr.coeffs().iter().enumerate() {
        if c >= 0 {
            right[k] = c;
        } else {
            left[k] = c.checked_neg().ok_or(polyhedra::Error::Overflow)?;
        }
    }
    Ok(Condition::LessEq(
        Expr::Affine(Affine::from_coeffs(space, left)),
        Expr::Affine(Affine::from_coeffs(space, right)),
    ))
}

/// Forms whose being `>= 0` says `a <= b`, as far as that can be said in rows; the flag tells whether they say all of it.
pub(crate) fn less_eq_rows(a: &Expr, b: &Expr) -> Result<(Vec<Affine>, bool)> {
    let mut lowers = Vec::new();
    let mut uppers = Vec::new();
    let all = flatten(a, true, &mut lowers) & flatten(b, false, &mut uppers);
    let mut complete = all;
    let mut forms = Vec::new();
    for (low, low_div) in &lowers {
        for (high, high_div) in &uppers {
            // ceil(e/d) <= f iff e <= d f; e <= floor(f/d) iff d e <= f.
            if *low_div > 1 && *high_div > 1 {
                complete = false;
            } else {
                forms.push(high.combine(*low_div, low, high_div.checked_neg().ok_or(polyhedra::Error::Overflow)?)?);
            }
        }
    }
    Ok((forms, complete))
}

/// Collects `(e, d)` for each alternative of a maximum of `ceil(e/d)` (or a minimum of `floor(e/d)`); false when something else was left out.
fn flatten(expr: &Expr, lower: bool, out: &mut Vec<(Affine, i64)>) -> bool {
    match (expr, lower) {
        (Expr::Affine(e), _) => out.push((e.clone(), 1)),
        (Expr::CeilDiv(e, d), true) | (Expr::FloorDiv(e, d), false) => match e.as_ref() {
            Expr::Affine(e) => out.push((e.clone(), *d)),
            _ => return false,
        },
        (Expr::Max(list), true) | (Expr::Min(list), false) => {
            let mut all = true;
            for e in list {
                all &= flatten(e, lower, out);
            }
            return all;
        }
        _ => return false,
    }
    true
}

/// Applies `f` to every affine expression in it.
pub(crate) fn map_expr(expr: &Expr, f: &impl Fn(&Affine) -> Affine) -> Expr {
    match expr {
        Expr::Affine(e) => Expr::Affine(f(e)),
        Expr::FloorDiv(e, d) => Expr::FloorDiv(Box::new(map_expr(e, f)), *d),
        Expr::CeilDiv(e, d) => Expr::CeilDiv(Box::new(map_expr(e, f)), *d),
        Expr::Min(list) => Expr::Min(list.iter().map(|e| map_expr(e, f)).collect()),
        Expr::Max(list) => Expr::Max(list.iter().map(|e| map_expr(e, f)).collect()),
    }
}

/// Applies `f` to every affine expression in it.
pub(crate) fn map_condition(condition: &Condition, f: &impl Fn(&Affine) -> Affine) -> Condition {
    match condition {
        Condition::LessEq(a, b) => Condition::LessEq(map_expr(a, f), map_expr(b, f)),
        Condition::IsZero(e) => Condition::IsZero(map_expr(e, f)),
        Condition::Divides(d, e) => Condition::Divides(*d, map_expr(e, f)),
        Condition::Granted(buffer) => Condition::Granted(*buffer),
    }
}

/// Does some affine expression in it satisfy `f`?
pub(crate) fn any_affine(expr: &Expr, f: &impl Fn(&Affine) -> bool) -> bool {
    match expr {
        Expr::Affine(e) => f(e),
        Expr::FloorDiv(e, _) | Expr::CeilDiv(e, _) => any_affine(e, f),
        Expr::Min(list) | Expr::Max(list) => list.iter().any(|e| any_affine(e, f)),
    }
}

/// Does some affine expression in it satisfy `f`?
pub(crate) fn any_affine_in(condition: &Condition, f: &impl Fn(&Affine) -> bool) -> bool {
    match condition {
        Condition::LessEq(a, b) => any_affine(a, f) || any_affine(b, f),
        Condition::IsZero(e) | Condition::Divides(_, e) => any_affine(e, f),
        Condition::Granted(_) => false,
    }
}
