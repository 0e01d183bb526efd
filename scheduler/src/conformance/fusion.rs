//! Statements in a row: what can share a loop, and what must wait.

use super::check;
use expect_test::expect;

/// Fused over the rows; the division waits for the sum.
#[test]
fn row_normalise() {
    check(
        "
params N, M
for i = 0 .. N
  s[i] = 0
for i = 0 .. N
  for j = 0 .. M
    s[i] += X[i,j]
for i = 0 .. N
  for j = 0 .. M
    Y[i,j] = X[i,j] / s[i]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i0; S1: i0; S2: i0
              sequence
                S0
                band permutable
                  member S1: i1
                  S1
                band permutable
                  member parallel S2: i1
                  S2
        "#]],
    );
}

/// `Y = X / s` must wait for all of the sum: nothing is shared.
#[test]
fn sum_then_divide() {
    check(
        "
params N
s[] = 0
for i = 0 .. N
  s[] += X[i]
for i = 0 .. N
  Y[i] = X[i] / s[]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            sequence
              S0
              band permutable
                member S1: i0
                S1
              band permutable
                member parallel S2: i0
                S2
        "#]],
    );
}

/// A value stored once and read by two statements: all in one loop.
#[test]
fn two_readers() {
    check(
        "
params N
for i = 0 .. N
  y[i] = x[i]
for i = 0 .. N
  b[i] = y[i]
for i = 0 .. N
  c[i] = y[i]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i0; S1: i0; S2: i0
              sequence
                S0
                S1
                S2
        "#]],
    );
}

/// A loop that runs downwards leaves no trace.
#[test]
fn reversed_copy() {
    check(
        "
params N
for i = 0 .. N
  x[i] = a[i]
for i = N-1 downto 0
  y[i] = x[i] * b[i]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            shift S1: [i0 - N + 1]
            band permutable
              member parallel S0: i0; S1: -i0 + N - 1
              sequence
                S0
                S1
        "#]],
    );
}

/// The shift depends on a parameter.
#[test]
fn reversed_reader() {
    check(
        "
params N
for i = 0 .. N
  x[i] = a[i]
for i = 0 .. N
  y[i] = x[N-1-i] * b[i]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            shift S1: [i0 - N + 1]
            band permutable
              member parallel S0: i0; S1: -i0 + N - 1
              sequence
                S0
                S1
        "#]],
    );
}

/// Five nests: the two means wait for their sums, the last nest for both.
#[test]
fn mean_and_deviation() {
    check(
        "
params N, M
for j = 0 .. M
  m[j] = 0
  for i = 0 .. N
    m[j] += X[i,j]
for j = 0 .. M
  m[j] = m[j] * n[]
for j = 0 .. M
  s[j] = 0
  for i = 0 .. N
    s[j] += X[i,j] * X[i,j] - m[j]
for j = 0 .. M
  s[j] = s[j] * n[]
for i = 0 .. N
  for j = 0 .. M
    Y[i,j] = X[i,j] - m[j] / s[j]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i0; S1: i0; S2: i0; S3: i0; S4: i0; S5: i0; S6: i1
              sequence
                S0
                band permutable
                  member S1: i1
                  S1
                S2
                S3
                band permutable
                  member S4: i1
                  S4
                S5
                band permutable
                  member parallel S6: i0
                  S6
        "#]],
    );
}

/// Most, sum and quotient of each row: the three passes of a row follow each other.
#[test]
fn softmax() {
    check(
        "
params N, M
for i = 0 .. N
  m[i] = X[i,0]
  for j = 1 .. M
    m[i] = m[i] + X[i,j]
for i = 0 .. N
  s[i] = 0
  for j = 0 .. M
    E[i,j] = X[i,j] - m[i]
    s[i] += E[i,j]
for i = 0 .. N
  for j = 0 .. M
    Y[i,j] = E[i,j] / s[i]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            shift S1: [i0, i1 + 1]
            band permutable
              member parallel S0: i0; S1: i0; S2: i0; S3: i0; S4: i0; S5: i0
              sequence
                S0
                band permutable
                  member S1: i1 + 1
                  S1
                S2
                band permutable
                  member S3: i1; S4: i1
                  sequence
                    S3
                    S4
                band permutable
                  member parallel S5: i1
                  S5
        "#]],
    );
}

/// One load, two stores: two statements, both in one loop because they read the same.
#[test]
fn one_load_feeds_two_stores() {
    check(
        "params N\nfor i = 0 .. N\n  b[i] = x[i]\n  c[i] = x[i]",
        expect![[r#"
        origin IndexMatching, delta omega 0
        band permutable
          member parallel S0: i0; S1: i0
          sequence
            S0
            S1
    "#]],
    );
}

/// The second store stays the second.
#[test]
fn a_cell_stored_twice() {
    check(
        "params N\nfor i = 0 .. N\n  x[i] = a[i]\nfor i = 0 .. N\n  x[i] = x[i] * b[i]",
        expect![[r#"
        origin IndexMatching, delta omega 0
        band permutable
          member parallel S0: i0; S1: i0
          sequence
            S0
            S1
    "#]],
    );
}

/// Each half of `x[i] = x[n-1-i]` is right whichever schedule is taken ([`crate::conformance::schedules`] enumerates).
#[test]
fn switching_directions_are_scheduled() {
    check(
        "params N\nfor i = 0 .. N\n  x[i] = x[N-1-i]",
        expect![[r#"
        origin IndexMatching, delta omega 0
        band permutable
          member S0: i0
          S0
    "#]],
    );
    check(
        "params N\nfor i = 0 .. N\n  for j = 0 .. N\n    A[i,j] = A[j,i]",
        expect![[r#"
        origin IndexMatching, delta omega 0
        band permutable
          member S0: i0
          member parallel S0: -i1
          S0
    "#]],
    );
}
