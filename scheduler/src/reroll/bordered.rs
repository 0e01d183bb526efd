//! One domain for members of a family whose domains differ by constants.
//!
//! The terms of a filter with a border run where their operand is inside: `x[i - 1]` for `i >= 1`, `x[i]` always, `x[i + 1]` for `i <= n - 2`. As one statement over `t`, with `x[i + t - 1]`, that is `0 <= i + t - 1 <= n - 1`. Rows with
//! equal coefficients are taken together: what the weakest of them says holds for all members, and the others lie on a line in one of the new loops, or are anything beyond the weakest, where
//! those of the border leave off. That is a guess; it counts if it is, at each point of the box, exactly the member's domain.

use super::Step;
use crate::Result;
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space};
use std::collections::BTreeMap;

/// Rows of all members with equal coefficients.
struct Rows {
    kind: Kind,
    /// Without a constant.
    linear: Affine,
    /// The constant that each member has (the least, if several).
    constants: Vec<Option<i64>>,
}

/// The domain with the new loops behind the first `level` ones, of which each point of the box (in lexicographic order) has the domain of a member. `None`: no such is found.
///
/// # Errors
/// Overflow, budget.
pub(super) fn domain(
    members: &[&Polyhedron],
    level: usize,
    steps: &[Step],
    budget: &Budget,
) -> Result<Option<Polyhedron>> {
    let Some(first) = members.first() else { return Ok(None) };
    let old = first.space();
    let space = Space::new(old.params, old.dims + steps.len());
    let map: Vec<usize> = (0..old.dims).map(|d| if d < level { d } else { d + steps.len() }).collect();
    let Some(rows) = by_coefficients(members) else { return Ok(None) };
    let mut out = Polyhedron::new(space, Vec::new());
    for Rows { kind, linear, constants } in rows {
        let row = |constant: i64| -> Result<Affine> { Ok(linear.offset(constant)?.embed(space, &map)) };
        let weakest = match constants.iter().copied().collect::<Option<Vec<i64>>>() {
            Some(all) => all.into_iter().max(),
            None => None,
        };
        let is_everywhere = constants.iter().all(|c| *c == weakest);
        if let Some(weakest) = weakest {
            out.add(Constraint { kind, expr: row(weakest)? });
        }
        if is_everywhere {
            continue;
        }
        let Some((k, start, by)) = line(&constants, steps, weakest)? else { return Ok(None) };
        if kind == Kind::Eq {
            return Ok(None);
        }
        out.add(Constraint { kind, expr: row(start)?.combine(1, &Affine::dim(space, level + k), by)? });
    }
    for (point, member) in points(steps).zip(members) {
        if !is_equal(&at(&out, level, &point, old)?, member, budget)? {
            return Ok(None);
        }
    }
    Ok(Some(out))
}

/// Rows of all members by their coefficients. `None`: equalities differ.
fn by_coefficients(members: &[&Polyhedron]) -> Option<Vec<Rows>> {
    let mut places: BTreeMap<(bool, Vec<i64>), usize> = BTreeMap::new();
    let mut out: Vec<Rows> = Vec::new();
    for (m, member) in members.iter().enumerate() {
        for row in member.constraints() {
            let linear = row.expr.offset(row.expr.constant_term().checked_neg()?).ok()?;
            let key = (row.kind == Kind::Eq, linear.coeffs().to_vec());
            let k = *places.entry(key).or_insert(out.len());
            if k == out.len() {
                out.push(Rows { kind: row.kind, linear, constants: vec![None; members.len()] });
            }
            let own = &mut out[k].constants[m];
            let constant = row.expr.constant_term();
            if row.kind == Kind::Eq && own.is_some_and(|c| c != constant) {
                return None;
            }
            *own = Some(own.map_or(constant, |c| c.min(constant)));
        }
    }
    Some(out)
}

/// The loop, the constant at its start and what each of its iterations adds, for constants that are those of the members where they say more than the weakest.
fn line(constants: &[Option<i64>], steps: &[Step], weakest: Option<i64>) -> Result<Option<(usize, i64, i64)>> {
    'loops: for k in 0..steps.len() {
        // The constant by the iteration of this loop alone.
        let mut of: Vec<Option<Option<i64>>> = vec![None; steps[k].count];
        for (point, constant) in points(steps).zip(constants) {
            let own = &mut of[point[k]];
            if own.is_some_and(|known| known != *constant) {
                continue 'loops;
            }
            *own = Some(*constant);
        }
        let says_more: Vec<(usize, i64)> = of
            .iter()
            .enumerate()
            .filter_map(|(t, c)| Some((t, c.flatten().filter(|c| Some(*c) != weakest)?)))
            .collect();
        let (Some(&(t, at)), Some(&(last, _))) = (says_more.first(), says_more.last()) else { continue };
        let by = match (says_more.get(1), weakest) {
            (Some(&(next, at_next)), _) if next == t + 1 => at_next.checked_sub(at),
            (Some(_), _) => None,
            // The border is one wide.
            (None, Some(weakest)) if t == 0 => weakest.checked_sub(at),
            (None, Some(weakest)) => at.checked_sub(weakest),
            (None, None) => Some(if t == 0 { 1 } else { -1 }),
        };
        let on_line = |by: i64| {
            says_more.iter().all(|&(s, c)| {
                i64::try_from(s - t).ok().and_then(|n| by.checked_mul(n)).and_then(|d| d.checked_add(at)) == Some(c)
            })
        };
        let at_an_end = t == 0 || last + 1 == steps[k].count;
        if let Some(by) = by.filter(|by| at_an_end && on_line(*by)) {
            let back = i64::try_from(t).ok().and_then(|n| by.checked_mul(n));
            let start = back.and_then(|back| at.checked_sub(back)).ok_or(polyhedra::Error::Overflow)?;
            return Ok(Some((k, start, by)));
        }
    }
    Ok(None)
}

/// The points of the box, in lexicographic order.
fn points(steps: &[Step]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let all: usize = steps.iter().map(|s| s.count).product();
    (0..all).map(|mut n| {
        let mut point = vec![0; steps.len()];
        for (k, step) in steps.iter().enumerate().rev() {
            point[k] = n % step.count;
            n /= step.count;
        }
        point
    })
}

/// The domain at a point of the new loops.
fn at(domain: &Polyhedron, level: usize, point: &[usize], old: Space) -> Result<Polyhedron> {
    let mut rows = Vec::new();
    for row in domain.constraints() {
        let mut constant = row.expr.constant_term();
        for (k, &t) in point.iter().enumerate() {
            let by = i64::try_from(t).ok().and_then(|t| row.expr.dim_coeff(level + k).checked_mul(t));
            constant = by.and_then(|by| constant.checked_add(by)).ok_or(polyhedra::Error::Overflow)?;
        }
        let mut coeffs = row.expr.coeffs()[..=old.params].to_vec();
        coeffs[0] = constant;
        let dims = row.expr.dim_coeffs().iter().enumerate();
        coeffs.extend(dims.filter(|(d, _)| !(level..level + point.len()).contains(d)).map(|(_, c)| *c));
        rows.push(Constraint { kind: row.kind, expr: Affine::from_coeffs(old, coeffs) });
    }
    Ok(Polyhedron::new(old, rows))
}

fn is_equal(a: &Polyhedron, b: &Polyhedron, budget: &Budget) -> Result<bool> {
    for (one, other) in [(a, b), (b, a)] {
        for row in other.constraints() {
            if !one.implies(row, budget)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
