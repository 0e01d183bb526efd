//! What the property tests share: random sets, and answers from the definitions alone.
#![allow(dead_code, clippy::unwrap_used)]

use num_rational::Ratio;
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space};
use proptest::prelude::*;

/// Every column lies in `-BOX..=BOX` in a boxed set.
pub const BOX: i64 = 4;

pub fn budget() -> Budget {
    Budget::new(50_000_000)
}

/// Rows with coefficients up to `size` over one to three columns, up to one of them a parameter.
pub fn any_set(size: i64) -> impl Strategy<Value = Polyhedron> {
    (0_usize..=1, 1_usize..=2, 0_usize..=5).prop_flat_map(move |(params, dims, rows)| {
        let space = Space::new(params, dims);
        prop::collection::vec(any_row(space, size), rows).prop_map(move |rows| Polyhedron::new(space, rows))
    })
}

/// As [`any_set`], with exactly `dims` dimensions and no parameter.
pub fn any_set_in(dims: usize, size: i64, rows: usize) -> impl Strategy<Value = Polyhedron> {
    let space = Space::new(0, dims);
    prop::collection::vec(any_row(space, size), 0..=rows).prop_map(move |rows| Polyhedron::new(space, rows))
}

pub fn any_row(space: Space, size: i64) -> impl Strategy<Value = Constraint> {
    let kind = prop::sample::select(vec![Kind::Ge, Kind::Ge, Kind::Ge, Kind::Ge, Kind::Eq]);
    (kind, any_form(space, size)).prop_map(|(kind, expr)| Constraint { kind, expr })
}

pub fn any_form(space: Space, size: i64) -> impl Strategy<Value = Affine> {
    let entry = prop_oneof![2 => Just(0), 3 => -1..=1_i64, 3 => -size..=size];
    (-3 * size..=3 * size, prop::collection::vec(entry, space.columns() - 1))
        .prop_map(move |(constant, linear)| Affine::from_coeffs(space, [vec![constant], linear].concat()))
}

/// Every column, parameters too, in `-size..=size`.
pub fn boxed(set: &Polyhedron, size: i64) -> Polyhedron {
    let space = set.space();
    let mut out = set.clone();
    for column in 1..space.columns() {
        for sign in [1, -1] {
            let mut row = vec![0; space.columns()];
            row[0] = size;
            row[column] = sign;
            out.add(Constraint::ge(Affine::from_coeffs(space, row)));
        }
    }
    out
}

/// All points `(N, i)` of the set with every column in `-size..=size`.
pub fn points(set: &Polyhedron, size: i64) -> Vec<Vec<i64>> {
    let space = set.space();
    let free = Polyhedron::new(Space::new(0, space.params), Vec::new());
    let mut out = Vec::new();
    for params in polyhedra::oracle::points(&free, &[], -size, size).unwrap() {
        for dims in polyhedra::oracle::points(set, &params, -size, size).unwrap() {
            out.push([params.clone(), dims].concat());
        }
    }
    out
}

pub fn value(form: &Affine, point: &[i64]) -> i64 {
    let (params, dims) = point.split_at(form.space().params);
    form.eval(params, dims).unwrap()
}

pub fn holds(row: &Constraint, point: &[i64]) -> bool {
    let v = value(&row.expr, point);
    if row.kind == Kind::Eq { v == 0 } else { v >= 0 }
}

pub fn has(set: &Polyhedron, point: &[i64]) -> bool {
    let (params, dims) = point.split_at(set.space().params);
    set.contains(params, dims).unwrap()
}

type Q = Ratio<i128>;

/// The least value over the rational points of a *bounded* set: over all crossings of rows that lie in the set. `None`: no point.
pub fn least_over_vertices(set: &Polyhedron, form: &Affine) -> Option<Q> {
    let rows = set.constraints();
    let n = set.space().columns() - 1;
    let mut best: Option<Q> = None;
    let mut chosen: Vec<usize> = (0..n).collect();
    loop {
        if let Some(point) = crossing(&chosen.iter().map(|&r| rows[r].expr.coeffs()).collect::<Vec<_>>()) {
            let inside = rows.iter().all(|row| {
                let v = at(row.expr.coeffs(), &point);
                if row.kind == Kind::Eq { v == Q::from_integer(0) } else { v >= Q::from_integer(0) }
            });
            if inside {
                let v = at(form.coeffs(), &point);
                best = Some(best.map_or(v, |b| b.min(v)));
            }
        }
        // The next choice of n rows.
        let Some(k) = (0..n).rev().find(|&k| chosen[k] + n - k < rows.len()) else { return best };
        chosen[k] += 1;
        for j in k + 1..n {
            chosen[j] = chosen[j - 1] + 1;
        }
    }
}

fn at(row: &[i64], point: &[Q]) -> Q {
    let constant = Q::from_integer(row[0].into());
    row[1..].iter().zip(point).fold(constant, |sum, (&c, x)| sum + x * Q::from_integer(c.into()))
}

/// The one point where all rows are 0, by Gaussian elimination in rationals.
fn crossing(rows: &[&[i64]]) -> Option<Vec<Q>> {
    let n = rows.len();
    let mut a: Vec<Vec<Q>> = rows.iter().map(|r| r.iter().map(|&c| Q::from_integer(c.into())).collect()).collect();
    for k in 0..n {
        let p = (k..n).find(|&r| *a[r][k + 1].numer() != 0)?;
        a.swap(k, p);
        let pivot = a[k][k + 1];
        a[k].iter_mut().for_each(|e| *e /= pivot);
        let own = a[k].clone();
        for (r, row) in a.iter_mut().enumerate() {
            let factor = row[k + 1];
            if r != k {
                row.iter_mut().zip(&own).for_each(|(e, o)| *e -= factor * o);
            }
        }
    }
    Some(a.iter().map(|row| -row[0]).collect())
}
