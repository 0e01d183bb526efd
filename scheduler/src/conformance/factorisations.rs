//! Triangular solves, factorisations, inverses: one result whatever the order of the source, where the dependences allow it.

use super::check;
use crate::properties::one_result;
use expect_test::expect;

/// The first seed: one fused nest, `Δω* = 0`, the update at `n + k + 1`, then the division.
#[test]
fn triangular_solve() {
    check(
        "
params M, N
for m = 0 .. M
  for n = 0 .. N
    A[m,n] = B[m,n]
for m = 0 .. M
  for n = 0 .. N
    A[m,n] /= U[n,n]
    for k = n+1 .. N
      A[m,k] -= A[m,n] * U[n,k]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            shift S2: [i0, i1, i2 + 1]
            band permutable
              member parallel S0: i0; S1: i0; S2: i0
              member S0: i1; S1: i1; S2: i1 + i2 + 1
              sequence
                S0
                band permutable
                  member S2: i1
                  S2
                S1
        "#]],
    );
}

/// The same with the arrays transposed.
#[test]
fn triangular_solve_column_major() {
    check(
        "
params M, N
for m = 0 .. M
  for n = 0 .. N
    A[n,m] = B[n,m]
for m = 0 .. M
  for n = 0 .. N
    A[n,m] /= U[n,n]
    for k = n+1 .. N
      A[k,m] -= A[n,m] * U[k,n]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            shift S2: [i0, i1, i2 + 1]
            band permutable
              member S0: i1; S1: i1; S2: i1 + i2 + 1
              member parallel S0: i0; S1: i0; S2: i0
              sequence
                S0
                band permutable
                  member S2: i1
                  S2
                S1
        "#]],
    );
}

/// Three forms, one result: rows, then columns, then the sum.
#[test]
fn cholesky_right_looking() {
    check(
        "
params N
for k = 0 .. N
  A[k,k] = A[k,k]
  for i = k+1 .. N
    A[i,k] /= A[k,k]
  for i = k+1 .. N
    for j = k+1 .. i+1
      A[i,j] -= A[i,k] * A[j,k]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            shift S1: [i0, i1 + 1]
            shift S2: [i0, i1 + 1, i2 + 1]
            band permutable
              member S0: i0; S1: i0 + i1 + 1; S2: i0 + i1 + 1
              sequence
                band permutable
                  member S1: i0; S2: i0 + i2 + 1
                  sequence
                    band permutable
                      member S2: i0
                      S2
                    S1
                S0
        "#]],
    );
}

/// See `cholesky_right_looking`.
#[test]
fn cholesky_left_looking() {
    check(
        "
params N
for j = 0 .. N
  for i = j .. N
    for k = 0 .. j
      A[i,j] -= A[i,k] * A[j,k]
  A[j,j] = A[j,j]
  for i = j+1 .. N
    A[i,j] /= A[j,j]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            shift S2: [i0, i1 + 1]
            band permutable
              member S0: i0 + i1; S1: i0; S2: i0 + i1 + 1
              sequence
                band permutable
                  member S0: i0; S2: i0
                  sequence
                    band permutable
                      member S0: i2
                      S0
                    S2
                S1
        "#]],
    );
}

/// See `cholesky_right_looking`.
#[test]
fn cholesky_bordered() {
    check(
        "
params N
for i = 0 .. N
  for j = 0 .. i
    for k = 0 .. j
      A[i,j] -= A[i,k] * A[j,k]
    A[i,j] /= A[j,j]
  for k = 0 .. i
    A[i,i] -= A[i,k] * A[i,k]
  A[i,i] = A[i,i]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member S0: i0; S1: i0; S2: i0; S3: i0
              sequence
                band permutable
                  member S0: i1; S1: i1; S2: i1
                  sequence
                    band permutable
                      member S0: i2
                      S0
                    S1
                    S2
                S3
        "#]],
    );
}

/// Crout order.
#[test]
fn lu() {
    check(
        "
params N
for k = 0 .. N
  for i = k+1 .. N
    A[i,k] /= A[k,k]
  for i = k+1 .. N
    for j = k+1 .. N
      A[i,j] -= A[i,k] * A[k,j]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            shift S0: [i0, i1 + 1]
            shift S1: [i0, i1 + 1, i2 + 1]
            band permutable
              member S0: i0 + i1 + 1; S1: i0 + i1 + 1
              member S0: i0; S1: i0 + i2 + 1
              sequence
                band permutable
                  member S1: i0
                  S1
                S0
        "#]],
    );
}

/// All three statements share two loops.
#[test]
fn triangular_inverse() {
    check(
        "
params N
for j = 0 .. N
  for i = j .. N
    X[i,j] = I[i,j]
    for k = j .. i
      X[i,j] -= L[i,k] * X[k,j]
    X[i,j] /= L[i,i]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member S0: i0 + i1; S1: i0 + i1; S2: i0 + i1
              member parallel S0: i0; S1: i0; S2: i0
              sequence
                S0
                band permutable
                  member S1: i0 + i2
                  S1
                S2
        "#]],
    );
}

/// A recurrence that runs downwards must go on doing so.
#[test]
fn back_substitution() {
    check(
        "
params N
for i = N-1 downto 0
  for j = i+1 .. N
    x[i] -= U[i,j] * x[j]
  x[i] /= U[i,i]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            shift S0: [i0 - N + 1, i1 + 1]
            shift S1: [i0 - N + 1]
            band permutable
              member S0: i0 - N + 1; S1: i0 - N + 1
              sequence
                band permutable
                  member S0: -i0 + i1 + N
                  S0
                S1
        "#]],
    );
}

/// Right-looking, left-looking, bordered: one result.
#[test]
fn cholesky_in_any_order() {
    one_result(&[
        "params N\nfor k = 0 .. N\n  A[k,k] = A[k,k]\n  for i = k+1 .. N\n    A[i,k] /= A[k,k]\n  for i = k+1 .. N\n    for j = k+1 .. i+1\n      A[i,j] -= A[i,k] * A[j,k]",
        "params N\nfor j = 0 .. N\n  for k = 0 .. j\n    for i = j .. N\n      A[i,j] -= A[i,k] * A[j,k]\n  A[j,j] = A[j,j]\n  for i = j+1 .. N\n    A[i,j] /= A[j,j]",
        "params N\nfor j = 0 .. N\n  for i = j .. N\n    for k = 0 .. j\n      A[i,j] -= A[i,k] * A[j,k]\n  A[j,j] = A[j,j]\n  for i = j+1 .. N\n    A[i,j] /= A[j,j]",
        "params N\nfor i = 0 .. N\n  for j = 0 .. i+1\n    for k = 0 .. j\n      A[i,j] -= A[i,k] * A[j,k]\n    if j <= i - 1\n      A[i,j] /= A[j,j]\n  A[i,i] = A[i,i]",
    ]);
}

/// Right-looking, left-looking, bordered (Doolittle): one result.
#[test]
fn lu_in_any_order() {
    one_result(&[
        "params N\nfor k = 0 .. N\n  for i = k+1 .. N\n    A[i,k] /= A[k,k]\n  for i = k+1 .. N\n    for j = k+1 .. N\n      A[i,j] -= A[i,k] * A[k,j]",
        "params N\nfor k = 0 .. N\n  for i = k+1 .. N\n    A[i,k] /= A[k,k]\n    for j = k+1 .. N\n      A[i,j] -= A[i,k] * A[k,j]",
        "params N\nfor j = 0 .. N\n  for k = 0 .. j\n    for i = k+1 .. N\n      A[i,j] -= A[i,k] * A[k,j]\n  for i = j+1 .. N\n    A[i,j] /= A[j,j]",
        "params N\nfor i = 0 .. N\n  for j = 0 .. N\n    for k in 0 .. N\n      if k <= i - 1 and k <= j - 1\n        A[i,j] -= A[i,k] * A[k,j]\n    if j <= i - 1\n      A[i,j] /= A[j,j]",
    ]);
}

/// By columns, by steps, by rows: one result.
#[test]
fn inverse_in_any_order() {
    one_result(&[
        "params N\nfor j = 0 .. N\n  for i = j .. N\n    X[i,j] = I[i,j]\n    for k = j .. i\n      X[i,j] -= L[i,k] * X[k,j]\n    X[i,j] /= L[i,i]",
        "params N\nfor j = 0 .. N\n  for i = j .. N\n    X[i,j] = I[i,j]\n  for k = j .. N\n    X[k,j] /= L[k,k]\n    for i = k+1 .. N\n      X[i,j] -= L[i,k] * X[k,j]",
        "params N\nfor i = 0 .. N\n  for j = 0 .. i+1\n    X[i,j] = I[i,j]\n    for k = j .. i\n      X[i,j] -= L[i,k] * X[k,j]\n    X[i,j] /= L[i,i]",
    ]);
}
