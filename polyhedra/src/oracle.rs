//! Brute force, the judge of everything else in this crate: enumerates a box. For tests and tools.

use crate::{Polyhedron, Result};

/// All integer points of the set for the given parameters with every dimension in `low..=high`, in lexicographic order.
///
/// # Errors
/// Overflow.
pub fn points(set: &Polyhedron, params: &[i64], low: i64, high: i64) -> Result<Vec<Vec<i64>>> {
    let d = set.space().dims;
    let mut out = Vec::new();
    let mut point = vec![low; d];
    if high < low && d > 0 {
        return Ok(out);
    }
    loop {
        if set.contains(params, &point)? {
            out.push(point.clone());
        }
        let Some(k) = (0..d).rev().find(|&k| point[k] < high) else { return Ok(out) };
        point[k] += 1;
        point[k + 1..].fill(low);
    }
}
