//! Domains: which instances there are, against the loops as they are written.

use crate::properties::one_result;
use crate::testing;

/// The points of the first statement for these parameters.
fn points(text: &str, params: &[i64]) -> Vec<Vec<i64>> {
    let scop = testing::scop(text).expect("text");
    let mut found = polyhedra::oracle::points(&scop.statements[0].domain, params, -3, 12).expect("points");
    found.sort();
    found
}

#[test]
fn trips() {
    for n in 0..4 {
        let count = |range: &str| points(&format!("params N\nfor i = {range}\n  A[i] = B[i]"), &[n]).len();
        let n = usize::try_from(n).expect("small");
        assert_eq!(count("0 .. N"), n);
        assert_eq!(count("N-1 downto 0"), n);
        assert_eq!(count("0 .. N+1"), n + 1);
        assert_eq!(count("1 .. 1"), 0);
        assert_eq!(count("N .. N+1"), 1);
        assert_eq!(count("N .. N-1"), 0);
        assert_eq!(count("N downto N"), 1);
    }
}

/// Steps and exits of all kinds: the cells that are stored are those of the loop as C runs it.
#[test]
fn steps_and_exits() {
    let cells = |head: &str, n: i64| {
        let scop = testing::scop(&format!("params N\n{head}\n  A[i] = B[i]")).expect("text");
        let s = &scop.statements[0];
        let points = polyhedra::oracle::points(&s.domain, &[n], -3, 12).expect("points");
        points.iter().map(|p| s.write().subscripts[0].eval(&[n], p).expect("cell")).collect::<Vec<_>>()
    };
    for n in 0..8 {
        for step in 1..4 {
            let up: Vec<i64> = (0..n).step_by(usize::try_from(step).expect("small")).collect();
            let down: Vec<i64> = up.iter().map(|k| n - 1 - k).collect();
            assert_eq!(cells(&format!("for (i = 0; i < N; i += {step})"), n), up);
            assert_eq!(cells(&format!("for (i = 0; i <= N - 1; i += {step})"), n), up);
            assert_eq!(cells(&format!("for (i = N - 1; i >= 0; i -= {step})"), n), down);
            assert_eq!(cells(&format!("for (i = N - 1; i > -1; i -= {step})"), n), down);
        }
        assert_eq!(cells("for (i = 0; i != N; i++)", n), (0..n).collect::<Vec<_>>());
        assert_eq!(cells("for (i = N - 1; i != -1; i--)", n), (0..n).rev().collect::<Vec<_>>());
        // `i % 2 == 0` beside statements without it: the loop in pairs.
        let scop = testing::scop(
            "params N\nfor q = 0 .. N\n  for r = 0 .. 2\n    if 2q + r <= N - 1\n      A[2q+r] = B[2q+r]\n      if r = 0\n        C[2q] = A[2q]",
        )
        .expect("text");
        let stored = |k: usize| {
            let s = &scop.statements[k];
            let points = polyhedra::oracle::points(&s.domain, &[n], -3, 12).expect("points");
            let mut out: Vec<i64> =
                points.iter().map(|p| s.write().subscripts[0].eval(&[n], p).expect("cell")).collect();
            out.sort_unstable();
            out
        };
        assert_eq!(stored(0), (0..n).collect::<Vec<_>>());
        assert_eq!(stored(1), (0..n).filter(|i| i % 2 == 0).collect::<Vec<_>>());
    }
    let error = testing::scop("params N\nfor (i = 0; i != N; i += 2)\n  A[i] = B[i]").expect_err("may miss the end");
    assert!(error.to_string().contains("steps of one"), "{error}");
}

/// What is stored where: the guard decides, exactly.
#[test]
fn guards() {
    let cells = |guard: &str| {
        points(&format!("params N\nfor i = 0 .. N\n  for j = 0 .. N\n    if {guard}\n      A[i,j] = B[i,j]"), &[4])
    };
    for i in 0..4 {
        for j in 0..4 {
            let has = |guard: &str| cells(guard).contains(&vec![i, j]);
            assert_eq!(has("i <= j - 1"), i < j);
            assert_eq!(has("i = j"), i == j);
            assert_eq!(has("i >= 1 and i + j <= N - 1"), i >= 1 && i + j <= 3);
        }
    }
}

/// A guard and the bound that says the same are one program; so are a step of two and the subscripts it leads to.
#[test]
fn a_guard_is_a_bound() {
    one_result(&[
        "params N\nfor i = 0 .. N\n  for j = i+1 .. N\n    A[i,j] = A[i,j] * B[j,i]",
        "params N\nfor i = 0 .. N\n  for j = 0 .. N\n    if i <= j - 1\n      A[i,j] = A[i,j] * B[j,i]",
        "params N\nfor j = 0 .. N\n  for i = 0 .. j\n    A[i,j] = A[i,j] * B[j,i]",
    ]);
    one_result(&[
        "params N\nfor i = 0 .. N\n  x[2i] = y[2i]\nfor i = 0 .. N\n  z[2i] = x[2i]",
        "params N\nfor i = N-1 downto 0\n  x[2i] = y[2i]\nfor i in 2 .. N+2\n  z[2i-4] = x[2i-4]",
    ]);
    one_result(&[
        "params N\nfor i = 0 .. N\n  x[3i+1] += y[3i]",
        "params N\nfor i in 5 .. N+5\n  x[3i-14] += y[3i-15]",
    ]);
}
