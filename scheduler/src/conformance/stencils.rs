//! Stencils in time: skewed bands.

use super::check;
use expect_test::expect;

/// Two statements in a time loop: one skewed band, the second statement one later.
#[test]
fn jacobi() {
    check(
        "
params T, N
for t = 0 .. T
  for i = 1 .. N-1
    B[i] = A[i-1] + A[i] + A[i+1]
  for i = 1 .. N-1
    A[i] = B[i]
",
        expect![[r#"
            origin FreeShift, delta omega 1
            shift S0: [i0, i1 + 1]
            shift S1: [i0, i1 + 1]
            band permutable
              member S0: i0; S1: i0
              member S0: 2i0 + i1; S1: 2i0 + i1 + 1
              sequence
                S0
                S1
        "#]],
    );
}

/// Both space loops skewed.
#[test]
fn jacobi_2d() {
    check(
        "
params T, N
for t = 0 .. T
  for i = 1 .. N-1
    for j = 1 .. N-1
      B[i,j] = A[i,j] + A[i,j-1] + A[i,1+j] + A[1+i,j] + A[i-1,j]
  for i = 1 .. N-1
    for j = 1 .. N-1
      A[i,j] = B[i,j] + B[i,j-1] + B[i,1+j] + B[1+i,j] + B[i-1,j]
",
        expect![[r#"
            origin FreeShift, delta omega 2
            shift S0: [i0, i1 + 1, i2 + 1]
            shift S1: [i0, i1 + 1, i2 + 1]
            band permutable
              member S0: i0; S1: i0
              member S0: 2i0 + i1; S1: 2i0 + i1 + 1
              member S0: 2i0 + i2; S1: 2i0 + i2 + 1
              sequence
                S0
                S1
        "#]],
    );
}

/// In place: skewed once.
#[test]
fn seidel() {
    check(
        "
params T, N
for t = 0 .. T
  for i = 1 .. N-1
    A[i] = A[i-1] + A[i] + A[i+1]
",
        expect![[r#"
            origin ZeroShift, delta omega 0
            shift S0: [i0, i1 + 1]
            band permutable
              member S0: i0
              member S0: i0 + i1 + 1
              S0
        "#]],
    );
}

/// In place with corners: the inner loop is skewed by both outer ones.
#[test]
fn seidel_2d() {
    check(
        "
params T, N
for t = 0 .. T
  for i = 1 .. N-1
    for j = 1 .. N-1
      A[i,j] = A[i-1,j-1] + A[i-1,j] + A[i-1,j+1] + A[i,j-1] + A[i,j] + A[i,j+1] + A[i+1,j-1] + A[i+1,j] + A[i+1,j+1]
",
        expect![[r#"
            origin ZeroShift, delta omega 0
            shift S0: [i0, i1 + 1, i2 + 1]
            band permutable
              member S0: i0
              member S0: i0 + i1 + 1
              member S0: 2i0 + i1 + i2 + 2
              S0
        "#]],
    );
}

/// Offsets go round a cycle and cannot all be removed; LoopModels makes an illegal schedule of it.
#[test]
fn smallest_illegal_case_of_loop_models() {
    check(
        "
params T, N
for t = 0 .. T
  for i = 0 .. N
    B[i+3] = A[i+1]
  for i = 0 .. N
    A[i+4] = B[i]
",
        expect![[r#"
            origin ZeroShift, delta omega 0
            shift S0: [i0, i1 + 1]
            shift S1: [i0, i1 + 4]
            band permutable
              member S0: i0; S1: i0
              member S0: 6i0 + i1 + 1; S1: 6i0 + i1 + 4
              sequence
                S0
                S1
        "#]],
    );
}

/// A shallow boundary statement takes part in the skewed band.
#[test]
fn finite_differences() {
    check(
        "
params T, N, M
for t = 0 .. T
  for j = 0 .. M
    E[0,j] = f[t]
  for i = 1 .. N
    for j = 0 .. M
      E[i,j] = E[i,j] + H[i,j] + H[i-1,j]
  for i = 0 .. N
    for j = 1 .. M
      X[i,j] = X[i,j] + H[i,j] + H[i,j-1]
  for i = 0 .. N-1
    for j = 0 .. M-1
      H[i,j] = H[i,j] + X[i,j+1] + X[i,j] + E[i+1,j] + E[i,j]
",
        expect![[r#"
            origin FreeShift, delta omega 2
            shift S1: [i0, i1 + 1, i2]
            shift S2: [i0, i1, i2 + 1]
            band permutable
              member S0: i0; S1: i0; S2: i0; S3: i0
              member S0: i0 + i1; S1: i0 + i2; S2: i0 + i2; S3: i0 + i2
              sequence
                S0
                band permutable
                  member S1: i1; S2: i1; S3: i1
                  sequence
                    S1
                    S2
                    S3
        "#]],
    );
}

/// Time outside, then a band of two.
#[test]
fn floyd_warshall() {
    check(
        "
params N
for k = 0 .. N
  for i = 0 .. N
    for j = 0 .. N
      P[i,j] = P[i,j] + P[i,k] + P[k,j]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member S0: i0
              band permutable
                member S0: i1
                member S0: i2
                S0
        "#]],
    );
}

/// True reuse distances stay; both loops can be skewed to `(1, 1)` later, the band says so.
#[test]
fn wave_front() {
    check(
        "
params N
for i = 0 .. N
  for j = 0 .. N
    A[i+1,j+1] = A[i+1,j] + A[i,j+1]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            shift S0: [i0 + 1, i1 + 1]
            band permutable
              member S0: i0 + 1
              member S0: i1 + 1
              S0
        "#]],
    );
}

/// Three dimensions: one band of four loops.
#[test]
fn jacobi_3d() {
    check(
        "
params T, N
for t = 0 .. T
  for i = 1 .. N-1
    for j = 1 .. N-1
      for k = 1 .. N-1
        B[i,j,k] = A[i-1,j,k] + A[i+1,j,k] + A[i,j-1,k] + A[i,j+1,k] + A[i,j,k-1] + A[i,j,k+1]
  for i = 1 .. N-1
    for j = 1 .. N-1
      for k = 1 .. N-1
        A[i,j,k] = B[i,j,k]
",
        expect![[r#"
            origin FreeShift, delta omega 3
            shift S0: [i0, i1 + 1, i2 + 1, i3 + 1]
            shift S1: [i0, i1 + 1, i2 + 1, i3 + 1]
            band permutable
              member S0: i0; S1: i0
              member S0: 2i0 + i1; S1: 2i0 + i1 + 1
              member S0: 2i0 + i2; S1: 2i0 + i2 + 1
              member parallel S0: 2i0 + i3; S1: 2i0 + i3 + 1
              sequence
                S0
                S1
        "#]],
    );
}

/// Two time levels behind, one array for all times: no anti dependence, skewed once.
#[test]
fn wave_equation() {
    check(
        "
params T, N
for t = 2 .. T
  for i = 1 .. N-1
    U[t,i] = U[t-1,i-1] + U[t-1,i] + U[t-1,i+1] - U[t-2,i]
",
        expect![[r#"
            origin ZeroShift, delta omega 0
            shift S0: [i0 + 2, i1 + 1]
            band permutable
              member S0: i0 + 2
              member parallel S0: i0 + i1 + 3
              S0
        "#]],
    );
}

/// The candidate that trades the band's first row for a parallel loop.
#[test]
fn wave_front_candidate() {
    let text = "params N\nfor i = 0 .. N\n  for j = 0 .. N\n    A[i+1,j+1] = A[i+1,j] + A[i,j+1]";
    let (scop, _, found) = super::schedules(text);
    let wave = found.iter().find(|c| c.origin == crate::plan::Origin::Wavefront).expect("a wavefront");
    expect![[r#"
        band permutable
          member S0: i0 + i1 + 2
          member parallel S0: i1 + 1
          S0
    "#]]
    .assert_eq(&crate::plan::print(&scop, wave.schedule.tree()));
}
