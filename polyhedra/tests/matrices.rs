//! Matrix operations against their definitions.
#![allow(clippy::unwrap_used)]

use polyhedra::Matrix;
use proptest::prelude::*;

fn any_matrix(
    rows: std::ops::RangeInclusive<usize>,
    columns: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Matrix> {
    (rows, columns).prop_flat_map(|(rows, columns)| {
        let entry = prop_oneof![Just(0), -1..=1_i64, -4..=4_i64];
        prop::collection::vec(prop::collection::vec(entry, columns), rows).prop_map(move |r| Matrix::new(r, columns))
    })
}

fn square() -> impl Strategy<Value = Matrix> {
    (1_usize..=4).prop_flat_map(|n| any_matrix(n..=n, n..=n))
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    let cell = |row: &[i64], c: usize| row.iter().zip(b.rows()).map(|(x, r)| x * r[c]).sum();
    Matrix::new(a.rows().iter().map(|r| (0..b.columns()).map(|c| cell(r, c)).collect()).collect(), b.columns())
}

fn identity(n: usize) -> Matrix {
    Matrix::new((0..n).map(|r| (0..n).map(|c| i64::from(r == c)).collect()).collect(), n)
}

/// Laplace.
fn determinant(rows: &[Vec<i64>]) -> i64 {
    if rows.is_empty() {
        return 1;
    }
    let minor = |c: usize| -> Vec<Vec<i64>> {
        rows[1..].iter().map(|r| r.iter().enumerate().filter(|(k, _)| *k != c).map(|(_, v)| *v).collect()).collect()
    };
    (0..rows.len()).map(|c| if c % 2 == 0 { 1 } else { -1 } * rows[0][c] * determinant(&minor(c))).sum()
}

/// All minors of size `k`.
fn minors(m: &Matrix, k: usize) -> Vec<i64> {
    let choices = |n: usize| (0_usize..1 << n).filter(move |s| s.count_ones() as usize == k);
    let mut out = Vec::new();
    for rows in choices(m.rows().len()) {
        for columns in choices(m.columns()) {
            let pick = |s: usize, n: usize| (0..n).filter(move |b| s >> b & 1 == 1);
            let part: Vec<Vec<i64>> = pick(rows, m.rows().len())
                .map(|r| pick(columns, m.columns()).map(|c| m.rows()[r][c]).collect())
                .collect();
            out.push(determinant(&part));
        }
    }
    out
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn determinant_is_laplace(m in square()) {
        prop_assert_eq!(m.determinant().unwrap(), determinant(m.rows()));
    }

    #[test]
    fn rank_is_the_largest_minor(m in any_matrix(1..=4, 1..=4)) {
        let largest = m.rows().len().min(m.columns());
        let expected = (1..=largest).rev().find(|&k| minors(&m, k).iter().any(|&d| d != 0)).unwrap_or(0);
        prop_assert_eq!(m.rank().unwrap(), expected);
    }

    #[test]
    fn inverse_of_unimodular(m in square()) {
        let inverse = m.unimodular_inverse().unwrap();
        prop_assert_eq!(inverse.is_some(), determinant(m.rows()).abs() == 1);
        if let Some(inverse) = inverse {
            prop_assert_eq!(times(&m, &inverse), identity(m.columns()));
        }
    }

    #[test]
    fn null_space_is_the_integer_kernel(m in any_matrix(0..=3, 1..=4)) {
        let basis = m.null_space().unwrap();
        prop_assert_eq!(basis.len() + m.rank().unwrap(), m.columns());
        for v in &basis {
            prop_assert!(m.rows().iter().all(|r| r.iter().zip(v).map(|(a, b)| a * b).sum::<i64>() == 0));
        }
        // It spans all integer points of the kernel: its maximal minors have no common factor.
        if !basis.is_empty() {
            let k = basis.len();
            let common = minors(&Matrix::new(basis, m.columns()), k).into_iter().fold(0, gcd);
            prop_assert_eq!(common, 1);
        }
    }

    #[test]
    fn hermite_form(m in any_matrix(0..=4, 1..=4)) {
        let (h, u) = m.hermite().unwrap();
        prop_assert_eq!(&times(&m, &u), &h);
        prop_assert_eq!(determinant(u.rows()).abs(), 1);
        let mut pivots = 0;
        for row in h.rows() {
            prop_assert!(row.iter().skip(pivots + 1).all(|&c| c == 0));
            if row.get(pivots).is_some_and(|&c| c != 0) {
                prop_assert!(row[pivots] > 0);
                prop_assert!(row[..pivots].iter().all(|&c| 0 <= c && c < row[pivots]));
                pivots += 1;
            }
        }
        prop_assert_eq!(pivots, m.rank().unwrap());
    }

    #[test]
    fn completion(m in any_matrix(1..=3, 1..=4)) {
        let k = m.rows().len();
        let possible = k <= m.columns() && minors(&m, k).into_iter().fold(0, gcd) == 1;
        let completed = m.unimodular_completion().unwrap();
        prop_assert_eq!(completed.is_some(), possible);
        if let Some(completed) = completed {
            prop_assert_eq!(&completed.rows()[..k], m.rows());
            prop_assert_eq!(determinant(completed.rows()).abs(), 1);
        }
    }

    #[test]
    fn huge_entries_overflow_and_nothing_worse(entries in prop::collection::vec(prop_oneof![Just(i64::MIN), Just(i64::MAX), any::<i64>()], 9)) {
        let m = Matrix::new(entries.chunks(3).map(<[i64]>::to_vec).collect(), 3);
        let _ = (m.rank(), m.determinant(), m.unimodular_inverse(), m.null_space(), m.hermite(), m.unimodular_completion());
    }
}

#[test]
fn elimination_goes_on_beyond_i128() {
    // Determinant 1, but the minors on the way have some 180 bits.
    let b = 1_i64 << 60;
    let rows = vec![vec![b, 1, 0, 0], vec![-1, 0, 0, 0], vec![0, b, b + 1, b], vec![b, b, 1, 1]];
    let m = Matrix::new(rows, 4);
    assert_eq!(m.determinant().unwrap(), 1);
    assert_eq!(m.rank().unwrap(), 4);
    let doubled = Matrix::new(vec![vec![b, 3, b - 1, 7], vec![5, b, b + 1, 9], vec![b + 5, b + 3, 2 * b, 16]], 4);
    assert_eq!(doubled.rank().unwrap(), 2);
}

#[test]
fn not_square_is_refused() {
    let m = Matrix::new(vec![vec![1, 2]], 2);
    assert!(m.determinant().is_err() && m.unimodular_inverse().is_err());
}

#[test]
fn the_empty_matrix_completes_to_the_identity() {
    assert_eq!(Matrix::new(Vec::new(), 3).unimodular_completion().unwrap(), Some(identity(3)));
    assert_eq!(Matrix::new(Vec::new(), 0).determinant().unwrap(), 1);
}
