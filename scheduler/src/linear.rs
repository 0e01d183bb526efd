//! Small exact linear algebra over the rationals, for index matrices: a handful of rows and columns.
//!
//! All functions say "no" (`None`, or the careful answer) when arithmetic leaves `i128`; their callers then try something else.

/// Reduced fractions are avoided: rows are kept as integers, each with its own positive factor left in.
type Row = Vec<i128>;

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn reduce(row: &mut Row) {
    let g = row.iter().fold(0, |g, &c| gcd(g, c));
    if g > 1 {
        for c in row.iter_mut() {
            *c /= g;
        }
    }
}

/// `row - factor * pivot` scaled such that column `c` vanishes.
fn eliminate(row: &mut Row, pivot: &Row, c: usize) -> Option<()> {
    if row[c] == 0 {
        return Some(());
    }
    let (p, r) = (pivot[c], row[c]);
    for (x, &y) in row.iter_mut().zip(pivot) {
        *x = p.checked_mul(*x)?.checked_sub(r.checked_mul(y)?)?;
    }
    reduce(row);
    Some(())
}

/// Gauss-Jordan on the first `columns` columns. Returns the pivots as (row, column).
fn echelon(rows: &mut [Row], columns: usize) -> Option<Vec<(usize, usize)>> {
    let mut pivots = Vec::new();
    for c in 0..columns {
        let next = pivots.len();
        let Some(found) = (next..rows.len()).find(|&r| rows[r][c] != 0) else { continue };
        rows.swap(next, found);
        let pivot = rows[next].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != next {
                eliminate(row, &pivot, c)?;
            }
        }
        pivots.push((next, c));
    }
    Some(pivots)
}

/// An integer `x` with `rows x = rhs`, free directions 0; `None` when there is none of that form.
pub(crate) fn solve_integer(rows: &[Vec<i64>], rhs: &[i64], columns: usize) -> Option<Vec<i64>> {
    let mut system: Vec<Row> =
        rows.iter().zip(rhs).map(|(r, &b)| r.iter().chain([&b]).map(|&c| i128::from(c)).collect()).collect();
    let pivots = echelon(&mut system, columns)?;
    if system[pivots.len()..].iter().any(|r| r[columns] != 0) {
        return None;
    }
    let mut x = vec![0_i64; columns];
    for (r, c) in pivots {
        let (p, b) = (system[r][c], system[r][columns]);
        if b % p != 0 {
            return None;
        }
        x[c] = i64::try_from(b / p).ok()?;
    }
    Some(x)
}

/// Integer multipliers `y` with `y rows = target`; `None` when there are none with free ones 0.
pub(crate) fn combination(rows: &[&[i64]], target: &[i64]) -> Option<Vec<i64>> {
    let columns: Vec<Vec<i64>> = (0..target.len()).map(|c| rows.iter().map(|r| r[c]).collect()).collect();
    solve_integer(&columns, target, rows.len())
}

/// Is `row` linearly independent of `rows`? "No" on overflow.
pub(crate) fn independent(rows: &[Vec<i64>], row: &[i64]) -> bool {
    let mut system: Vec<Row> = rows.iter().map(|r| r.iter().map(|&c| i128::from(c)).collect()).collect();
    let Some(pivots) = echelon(&mut system, row.len()) else { return false };
    let mut rest: Row = row.iter().map(|&c| i128::from(c)).collect();
    for (r, c) in pivots {
        if eliminate(&mut rest, &system[r], c).is_none() {
            return false;
        }
    }
    rest.iter().any(|&c| c != 0)
}

/// Primitive integer vectors spanning `{ x | rows x = 0 }`. Empty on overflow.
pub(crate) fn null_space(rows: &[Vec<i64>], columns: usize) -> Vec<Vec<i64>> {
    let mut system: Vec<Row> = rows.iter().map(|r| r.iter().map(|&c| i128::from(c)).collect()).collect();
    let Some(pivots) = echelon(&mut system, columns) else { return Vec::new() };
    let mut out = Vec::new();
    for free in (0..columns).filter(|c| pivots.iter().all(|p| p.1 != *c)) {
        // Common multiple of the pivots keeps everything whole.
        let mut scale = 1_i128;
        for &(r, c) in &pivots {
            let p = system[r][c].abs();
            let Some(s) = (scale / gcd(scale, p)).checked_mul(p) else { return Vec::new() };
            scale = s;
        }
        let mut x: Row = vec![0; columns];
        x[free] = scale;
        for &(r, c) in &pivots {
            let Some(v) = system[r][free].checked_mul(scale / system[r][c]) else { return Vec::new() };
            x[c] = -v;
        }
        reduce(&mut x);
        let Ok(x) = x.into_iter().map(i64::try_from).collect::<Result<Vec<i64>, _>>() else { return Vec::new() };
        out.push(x);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_over_the_integers() {
        let rows = vec![vec![1, 0, 0], vec![0, 1, 1], vec![0, 1, 0]];
        assert_eq!(solve_integer(&rows, &[0, 1, 0], 3), Some(vec![0, 0, 1]));
        assert_eq!(solve_integer(&[vec![1], vec![1]], &[0, 1], 1), None);
        assert_eq!(solve_integer(&[vec![2]], &[1], 1), None);
        assert_eq!(solve_integer(&[], &[], 2), Some(vec![0, 0]));
    }

    #[test]
    fn finds_combinations() {
        assert_eq!(combination(&[&[1, 0], &[1, 1]], &[0, 1]), Some(vec![-1, 1]));
        assert_eq!(combination(&[&[1, 0, 0], &[0, 1, 0]], &[0, 1, 1]), None);
    }

    #[test]
    fn knows_independence() {
        assert!(independent(&[], &[0, 1]));
        assert!(!independent(&[vec![1, 1], vec![1, 0]], &[0, 3]));
        assert_eq!(null_space(&[vec![1, 1, 0]], 3), vec![vec![-1, 1, 0], vec![0, 0, 1]]);
    }
}
