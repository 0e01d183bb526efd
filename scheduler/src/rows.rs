//! What a statement's own subscripts say of its schedule: the rows that it may use, and an order of its loops.
//!
//! **Problem.** Loops of one nest may often be written in any order and direction. What is chosen must not depend on that: neither on a loop's number nor on
//! its sign.
//!
//! **Method.** Rows are rows of index matrices, with the array's signs (see [`crate::matching`]). Where single loops have to be told apart - unit rows that
//! complete the rank, the basis of the directions left, ties of prices - they are taken in the order in which subscripts mention them, the store's first; loops
//! that all subscripts treat alike by the bounds that mention them, counted along the direction in which subscripts grow, and by their lengths. Only loops that even
//! these do not distinguish keep the order of the source.

use crate::scop::Statement;
use polyhedra::{Affine, Kind};

/// For each loop 1 or -1: the direction in which the first subscript that mentions it grows; 1 where none does.
pub(crate) fn directions(statement: &Statement) -> Vec<i64> {
    let rows = || statement.accesses.iter().flat_map(|a| &a.subscripts).map(Affine::dim_coeffs);
    (0..statement.depth()).map(|d| rows().map(|r| r[d].signum()).find(|&c| c != 0).unwrap_or(1)).collect()
}

/// The loops of a statement, those first that subscripts mention first. Unchanged when the nest is written in another order or a loop backwards, as far
/// as subscripts and bounds tell the loops apart.
pub(crate) fn loop_order(statement: &Statement) -> Vec<usize> {
    let depth = statement.depth();
    let rows: Vec<&[i64]> = statement.accesses.iter().flat_map(|a| &a.subscripts).map(Affine::dim_coeffs).collect();
    let grows = directions(statement);
    let mention = |d: usize| rows.iter().map(|r| std::cmp::Reverse(r[d].saturating_mul(grows[d]))).collect::<Vec<_>>();
    let bounds = |d: usize| {
        let mut out: Vec<_> = statement
            .domain
            .constraints()
            .iter()
            .filter(|c| c.expr.dim_coeff(d) != 0)
            .map(|c| {
                let own = c.expr.dim_coeff(d).saturating_mul(grows[d]);
                let others = c.expr.dim_coeffs().iter().filter(|c| **c != 0).count();
                (others, c.kind == Kind::Eq, if c.kind == Kind::Eq { own.saturating_abs() } else { own })
            })
            .collect();
        out.sort_unstable();
        out
    };
    // Steps of a loop whose bounds are its own: the sum of its bounds, where a translation cancels out.
    let steps = |d: usize| {
        let alone = |e: &&Affine| e.dim_coeffs().iter().enumerate().all(|(k, c)| (k == d) == (*c != 0));
        let own: Vec<&Affine> = statement.domain.constraints().iter().map(|c| &c.expr).filter(alone).collect();
        let sum = |column: usize| own.iter().fold(0_i64, |n, e| n.saturating_add(e.coeffs()[column]));
        let params = statement.space().params;
        let mut grown: Vec<i64> = (1..=params).map(sum).collect();
        grown.sort_unstable();
        (sum(1 + params + d) == 0).then(|| (grown, sum(0)))
    };
    let mut order: Vec<usize> = (0..depth).collect();
    order.sort_by_cached_key(|&d| (mention(d), bounds(d), steps(d)));
    order
}

/// Rows that a statement may use, best first: the store's, then those that complete the rank. `order`: see [`loop_order`].
pub(crate) fn choices(statement: &Statement, order: &[usize]) -> Vec<Vec<i64>> {
    let depth = statement.depth();
    let nonzero = |r: &[i64]| r.iter().any(|&c| c != 0);
    let opposite = |a: &[i64], b: &[i64]| a.iter().zip(b).all(|(x, y)| x.checked_neg() == Some(*y));
    let rows_of = |k: usize| statement.accesses[k].subscripts.iter().map(Affine::dim_coeffs).filter(|r| nonzero(r));
    let mut out: Vec<Vec<i64>> = Vec::new();
    for r in rows_of(0).filter_map(primitive) {
        if !out.iter().any(|o| *o == r || opposite(o, &r)) {
            out.push(r);
        }
    }
    let stored = out.len();
    // Completions: (row, place of its first appearance, bonus).
    let mut rest: Vec<(Vec<i64>, usize, usize)> = Vec::new();
    let mut position = 0;
    let all: Vec<(usize, Vec<i64>)> = (0..statement.accesses.len())
        .flat_map(|k| rows_of(k).map(move |r| (k, r)))
        .filter_map(|(k, r)| Some((k, primitive(r)?)))
        .collect();
    for (_, r) in &all {
        for (d, c) in order.iter().map(|&d| (d, r[d])) {
            if c != 0 && !rest.iter().any(|x| x.2 == 1 && x.0[d] != 0) {
                let mut unit = vec![0; depth];
                unit[d] = c.signum();
                rest.push((unit, position, 1));
            }
        }
        position += 1;
    }
    for &d in order {
        if !rest.iter().any(|x| x.2 == 1 && x.0[d] != 0) {
            let mut unit = vec![0; depth];
            unit[d] = 1;
            rest.push((unit, position, 1));
        }
    }
    for (k, (_, r)) in all.iter().enumerate() {
        if !rest.iter().any(|x| x.0 == *r || opposite(&x.0, r)) {
            rest.push((r.clone(), k, 0));
        }
    }
    let shared = |row: &[i64]| {
        let mut accesses: Vec<usize> =
            all.iter().filter(|(_, r)| *r == row || opposite(r, row)).map(|(k, _)| *k).collect();
        accesses.dedup();
        accesses.len()
    };
    rest.sort_by_key(|(row, first, bonus)| {
        let size: u64 = row.iter().map(|c| c.unsigned_abs()).sum();
        (usize::MAX - shared(row) - bonus, size, *first)
    });
    for (row, _, _) in rest {
        if !out[..stored].iter().any(|o| *o == row || opposite(o, &row)) {
            out.push(row);
        }
    }
    out
}

/// Divided by the gcd of its entries.
fn primitive(row: &[i64]) -> Option<Vec<i64>> {
    let g = row.iter().fold(0_u64, |g, c| {
        let (mut a, mut b) = (g, c.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    });
    let g = i64::try_from(g).ok().filter(|g| *g != 0)?;
    Some(row.iter().map(|c| c / g).collect())
}
