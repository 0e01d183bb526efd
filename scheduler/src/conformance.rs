//! Kernels whose schedules are known, and the properties that every schedule must have.

use crate::dependence::{self, Dependences};
use crate::plan::{self, Candidate};
use crate::scop::Scop;
use crate::shift::Shifts;
use crate::testing;
use expect_test::{Expect, expect};
use polyhedra::Budget;

/// Schedules of a part, each checked by enumeration for some parameter values.
pub(crate) fn schedules(text: &str) -> (Scop, Dependences, Vec<Candidate>) {
    let scop = testing::scop(text).expect("text of a part");
    let budget = Budget::new(200_000_000);
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let found = plan::candidates(&scop, &dependences, &budget).expect("candidates");
    assert_eq!(found.last().map(|c| c.origin), Some(plan::Origin::Original));
    for c in &found {
        for size in [3, 4, 5] {
            let params: Vec<i64> = (0..scop.params.len()).map(|k| size + i64::try_from(k % 2).unwrap_or(0)).collect();
            let bad = testing::violation(&scop, c.schedule.tree(), &params, 0, 5).expect("no overflow");
            assert_eq!(bad, None, "{:?}\n{}", c.origin, plan::print(&scop, c.schedule.tree()));
        }
    }
    crate::text::tests::all_comes_back(&scop, &dependences, &found);
    (scop, dependences, found)
}

/// All candidates as text.
pub(crate) fn show(text: &str) -> String {
    let (scop, dependences, found) = schedules(text);
    let shifts = Shifts::of(&scop, &dependences, &Budget::generous()).expect("shifts");
    found.iter().map(|c| plan::print_candidate(&scop, &shifts, c)).collect()
}

#[test]
fn look() {
    let Ok(file) = std::env::var("LOOK") else { return };
    let text = std::fs::read_to_string(file).expect("file");
    let scop = testing::scop(&text).expect("text");
    let deps = Dependences::of(&scop, &Budget::generous()).expect("dependences");
    println!("{}", dependence::print(&scop, &deps));
    println!("{}", show(&text));
    for _ in 0..3 {
        let t0 = std::time::Instant::now();
        let b = Budget::generous();
        let deps = Dependences::of(&scop, &b).expect("dependences");
        let t1 = std::time::Instant::now();
        let n = plan::candidates(&scop, &deps, &b).expect("candidates").len();
        let t2 = std::time::Instant::now();
        println!(
            "dependences {} in {:?}, candidates {n} in {:?}, steps {}",
            deps.ordering.len(),
            t1 - t0,
            t2 - t1,
            b.spent()
        );
    }
}

/// The best schedule as text, with origin, `Δω*` and shifts.
#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    let (scop, dependences, found) = schedules(text);
    let shifts = Shifts::of(&scop, &dependences, &Budget::generous()).expect("shifts");
    expected.assert_eq(&plan::print_candidate(&scop, &shifts, &found[0]));
}

/// The dependences as text.
#[allow(clippy::needless_pass_by_value)]
fn check_dependences(text: &str, expected: Expect) {
    let scop = testing::scop(text).expect("text of a part");
    let dependences = Dependences::of(&scop, &Budget::generous()).expect("dependences");
    expected.assert_eq(&dependence::print(&scop, &dependences));
}

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

/// The zero is stored inside of the two shared loops.
#[test]
fn zero_initialised_product() {
    check(
        "
params N, M, K
for i = 0 .. N
  for j = 0 .. M
    C[i,j] = 0
    for k = 0 .. K
      C[i,j] += A[i,k] * B[k,j]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i0; S1: i0
              member parallel S0: i1; S1: i1
              sequence
                S0
                band permutable
                  member S1: i2
                  S1
        "#]],
    );
}

/// Both operands transposed: the store decides.
#[test]
fn transposed_product() {
    check(
        "
params N, M, K
for k = 0 .. K
  for j = 0 .. M
    for i = 0 .. N
      C[i,j] += A[k,i] * B[j,k]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i2
              member parallel S0: i1
              member S0: i0
              S0
        "#]],
    );
}

/// The index pairs of this "bad" product are those of a plain one after a change of axes.
#[test]
fn orthogonalised_product() {
    check(
        "
params N
for i = 0 .. N
  for l = 0 .. i+1
    for j = 0 .. l+1
      W[j,i-l] += B[j,l-j] * C[l-j,i-l]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i2
              member parallel S0: i0 - i1
              member S0: i1 - i2
              S0
        "#]],
    );
}

/// The indices of C outside. The order of the sums is kept, so the two reduction loops cannot be interchanged.
#[test]
fn convolution() {
    check(
        "
params N, M, K, L
for i = 0 .. N
  for j = 0 .. M
    for k = 0 .. K
      for l = 0 .. L
        C[i,j] += A[i+k,j+l] * W[k,l]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i0
              member parallel S0: i1
              member S0: i2
              band permutable
                member S0: i3
                S0
        "#]],
    );
}

/// The same from the other side.
#[test]
fn reverse_convolution() {
    check(
        "
params N, M, K, L
for n = 0 .. N
  for m = 0 .. M
    for i = 0 .. K
      for j = 0 .. L
        C[n+j,m+i] += A[n,m] * B[j,i]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i0 + i3
              member parallel S0: i1 + i2
              member S0: i0
              band permutable
                member S0: i1
                S0
        "#]],
    );
}

/// The reduction inside, whatever the source says.
#[test]
fn matrix_vector() {
    check(
        "
params N, M
for j = 0 .. M
  for i = 0 .. N
    y[i] += A[i,j] * x[j]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i1
              member S0: i0
              S0
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

/// `x[i] = x[n-1-i]`: anti dependence in one half, flow in the other.
#[test]
fn switching_direction() {
    check_dependences(
        "
params N
for i = 0 .. N
  x[i] = x[N-1-i]
",
        expect![[r#"
            flow S0 -> S0 on x level 0: [N] -> { [t0, s0] : N = t0 + s0 + 1 and 2t0 >= N and t0 <= N - 1 }
            anti S0 -> S0 on x level 0: [N] -> { [t0, s0] : N = t0 + s0 + 1 and 2t0 >= N and t0 <= N - 1 }
        "#]],
    );
}

/// Split by the sign of `i - j`.
#[test]
fn transpose_in_place() {
    check_dependences(
        "
params N
for i = 0 .. N
  for j = 0 .. N
    A[i,j] = A[j,i]
",
        expect![[r#"
            flow S0 -> S0 on A level 0: [N] -> { [t0, t1, s0, s1] : t1 = s0 and t0 = s1 and t0 <= N - 1 and t1 >= 0 and t0 >= t1 + 1 }
            anti S0 -> S0 on A level 0: [N] -> { [t0, t1, s0, s1] : t1 = s0 and t0 = s1 and t0 <= N - 1 and t1 >= 0 and t0 >= t1 + 1 }
        "#]],
    );
}

/// The lower triangle is never read: no dependence.
#[test]
fn symmetric_copy() {
    check_dependences(
        "
params N
for i = 0 .. N
  for j = 0 .. i
    A[j,i] = A[i,j]
",
        expect![[""]],
    );
}

/// One direction only: the diagonal is stored last in its row.
#[test]
fn diagonal_read() {
    check_dependences(
        "
params N
for i = 0 .. N
  for j = 0 .. i+1
    A[i,j] = A[i,i]
",
        expect![[r#"
            anti S0 -> S0 on A level 1: [N] -> { [t0, t1, s0, s1] : t0 = t1 and t0 = s0 and t0 <= N - 1 and s1 >= 0 and t0 >= s1 + 1 }
        "#]],
    );
}

/// Three subscripts of three iterators, of rank two: steps along the null direction, forwards only.
#[test]
fn rank_deficient() {
    check_dependences(
        "
params N
for i = 0 .. N
  for j = 0 .. N
    for k = 0 .. N
      A[i+j,j+k,i-k] = B[i,j,k]
",
        expect![[r#"
            output S0 -> S0 on A level 0: [N] -> { [t0, t1, t2, s0, s1, s2] : t0 + t1 = s0 + s1 and t0 + s2 = t2 + s0 and t0 <= N - 1 and t1 >= 0 and t2 <= N - 1 and t2 + s0 >= t0 and s0 >= 0 and s0 + N >= t0 + t1 + 1 and t0 >= s0 + 1 }
        "#]],
    );
}

/// Two statements store one cell.
#[test]
fn stored_twice() {
    check_dependences(
        "
params N
for i = 0 .. N
  x[i] = a[i]
  x[i] = x[i] * b[i]
",
        expect![[r#"
            output S0 -> S1 on x level 1: [N] -> { [t0, s0] : t0 = s0 and t0 >= 0 and t0 <= N - 1 }
            flow S0 -> S1 on x level 1: [N] -> { [t0, s0] : t0 = s0 and t0 >= 0 and t0 <= N - 1 }
        "#]],
    );
}
