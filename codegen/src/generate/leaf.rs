//! One statement instance: its iterators from the loop variables, and the guard that is left.
//!
//! The equalities of `R` determine the iterators: they are solved by elimination, with Euclid's algorithm on each column so that pivots are as small as can be,
//! and the solution must be an integer affine form of `[1 | N | V]`, which it is when the rows are unimodular. Example: `t0 = i + j, t1 = j` gives
//! `j = t1, i = t0 - t1`.
//! Equalities that are not needed become guards, like all the rows of the domain that the context does not imply.

use super::{Active, Maker};
use crate::ast::{AstNode, Call};
use crate::sets::{condition, reduce};
use polyhedra::{Affine, Error as SetError, Kind, Polyhedron, Space};
use scheduler::{Error, Result};

/// The instance of `active` at this place, under a guard when needed.
pub(super) fn instance(maker: &Maker<'_>, active: &Active, context: &Polyhedron) -> Result<Vec<AstNode>> {
    let place = context.space();
    let statement = maker.statement(active.id)?;
    let Some(iterators) = iterators(&active.relation, place)? else {
        let text = format!("{}: the loops do not determine the iterators as integer affine forms", statement.name);
        return Err(Error::Malformed(text));
    };
    let mut map: Vec<Affine> = (0..place.dims).map(|d| Affine::dim(place, d)).collect();
    map.extend(iterators.iter().cloned());
    let rows = active.relation.preimage(&map, place)?;
    let call = AstNode::Call(Call {
        statement: active.id,
        iterators,
        lanes: None,
        packed: Vec::new(),
        mirrored: Vec::new(),
        behind: Vec::new(),
    });
    let guard = reduce(rows.constraints(), context, maker.budget)?;
    if guard.is_empty() {
        return Ok(vec![call]);
    }
    let mut guarded = context.clone();
    for row in &guard {
        guarded.add(row.clone());
    }
    if guarded.is_empty(maker.budget)? {
        return Ok(Vec::new());
    }
    let conditions = guard.iter().map(condition).collect::<Result<_>>()?;
    Ok(vec![AstNode::If { conditions, then: vec![call], otherwise: Vec::new() }])
}

/// Solves the equalities of `relation` for the dimensions behind those of `place`.
pub(super) fn iterators(relation: &Polyhedron, place: Space) -> Result<Option<Vec<Affine>>> {
    let first = place.columns();
    let count = relation.space().dims - place.dims;
    let mut rows: Vec<Vec<i128>> = relation
        .constraints()
        .iter()
        .filter(|c| c.kind == Kind::Eq)
        .map(|c| c.expr.coeffs().iter().map(|&x| i128::from(x)).collect())
        .collect();
    let mut out = Vec::new();
    for k in 0..count {
        let column = first + k;
        // Euclid on the column, below the rows that are used up: the pivot becomes the gcd, which is 1 whenever it can be.
        loop {
            let open = (k..rows.len()).filter(|&r| rows[r][column] != 0);
            let Some(best) = open.min_by_key(|&r| rows[r][column].unsigned_abs()) else { return Ok(None) };
            rows.swap(k, best);
            let pivot = rows[k].clone();
            let mut done = true;
            for row in rows.iter_mut().skip(k + 1).filter(|row| row[column] != 0) {
                let factor = row[column].div_euclid(pivot[column]);
                add_multiple(row, factor, &pivot)?;
                done = done && row[column] == 0;
            }
            if done {
                break;
            }
        }
        let pivot = rows[k].clone();
        for row in rows.iter_mut().take(k).filter(|row| row[column] != 0) {
            eliminate(row, &pivot, column)?;
        }
    }
    for (k, row) in rows.iter().take(count).enumerate() {
        let pivot = row[first + k];
        let mut coeffs = Vec::new();
        for &c in &row[..first] {
            if c % pivot != 0 {
                return Ok(None);
            }
            coeffs.push(i64::try_from(-(c / pivot)).map_err(|_| SetError::Overflow)?);
        }
        out.push(Affine::from_coeffs(place, coeffs));
    }
    Ok(Some(out))
}

/// `row - factor * pivot`.
fn add_multiple(row: &mut [i128], factor: i128, pivot: &[i128]) -> Result<()> {
    for (x, &p) in row.iter_mut().zip(pivot) {
        let part = p.checked_mul(factor).ok_or(SetError::Overflow)?;
        *x = x.checked_sub(part).ok_or(SetError::Overflow)?;
    }
    Ok(())
}

/// Clears `column` of `row` with `pivot`, and divides the row by its gcd.
fn eliminate(row: &mut [i128], pivot: &[i128], column: usize) -> Result<()> {
    let (a, b) = (pivot[column], row[column]);
    let mut common = 0;
    for (x, &p) in row.iter_mut().zip(pivot) {
        let left = x.checked_mul(a).ok_or(SetError::Overflow)?;
        let right = p.checked_mul(b).ok_or(SetError::Overflow)?;
        *x = left.checked_sub(right).ok_or(SetError::Overflow)?;
        common = gcd(common, *x);
    }
    if common > 1 {
        row.iter_mut().for_each(|x| *x /= common);
    }
    Ok(())
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a < 0 { -a } else { a }
}
