//! Nests in strips of rows.

use super::*;

#[test]
fn two_sums_over_a_matrix_run_in_strips() {
    check(
        "
params n
for i = 0 .. n
  t[i] = 0
  for j = 0 .. n
    t[i] += A[i,j] * x[j]
  for j = 0 .. n
    y[j] += A[i,j] * t[i]",
        &expect![[r#"
            interchanged loops, distributed, register tile of 16 with blocks transposed in registers, register tile of 32, nests in strips of 16 (6.5 times)
            S1: tiles b 16; 16 columns by 8, 8 steps
            S2: tiles a 16, b 32; 32 columns by 8
            for a, 1000 times, Nothing
              t[a]
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                t[b] t[b] A[b,a] x[a]
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                y[b] y[b] A[a,b] t[a]
            S0: vectors of 8, 1.359e2 cycles of compute, 2.895e2 of memory
            S1: scalar, 6.292e5 cycles of compute, 2.500e6 of memory
            S2: vectors of 8, 1.363e5 cycles of compute, 2.901e5 of memory
            2.947e6 cycles
        "#]],
    );
}

/// Time outside, sweeps over two grids inside: strips of rows that move with time.
#[test]
fn sweeps_in_time_run_in_strips() {
    check(
        "
params T, n
for t = 0 .. T
  for i = 1 .. n-1
    for j = 1 .. n-1
      B[i,j] = A[i,j] + A[i-1,j] + A[i+1,j] + A[i,j-1] + A[i,j+1]
  for i = 1 .. n-1
    for j = 1 .. n-1
      A[i,j] = B[i,j] + B[i-1,j] + B[i+1,j] + B[i,j-1] + B[i,j+1]",
        &expect![[r#"
            tiled 448, nests in strips of 16 (4.3 times)
            for a, 1000 times, Recurrence { distance: 1 }
              for b tiles of 448, 2 times, Nothing
                for c, 998 times, Nothing
                  for d points, 448 times, Nothing
                    B[c,448b+d] A[c,448b+d] A[c,448b+d] A[c,448b+d] A[c,448b+d] A[c,448b+d]
              for b tiles of 448, 2 times, Nothing
                for c, 998 times, Nothing
                  for d points, 448 times, Nothing
                    A[c,448b+d] B[c,448b+d] B[c,448b+d] B[c,448b+d] B[c,448b+d] B[c,448b+d]
            S0: vectors of 8, 5.825e8 cycles of compute, 1.764e9 of memory
            S1: vectors of 8, 5.825e8 cycles of compute, 1.764e9 of memory
            3.771e9 cycles
        "#]],
    );
}

/// A few planes of three-dimensional grids are too much for a cache: bricks.
#[test]
fn sweeps_over_three_dimensions_run_in_bricks() {
    let text = "
params T, n
for t = 0 .. T
  for i = 1 .. n-1
    for j = 1 .. n-1
      for k = 1 .. n-1
        B[i,j,k] = A[i,j,k] + A[i-1,j,k] + A[i+1,j,k] + A[i,j-1,k] + A[i,j+1,k] + A[i,j,k-1] + A[i,j,k+1]
  for i = 1 .. n-1
    for j = 1 .. n-1
      for k = 1 .. n-1
        A[i,j,k] = B[i,j,k] + B[i-1,j,k] + B[i+1,j,k] + B[i,j-1,k] + B[i,j+1,k] + B[i,j,k-1] + B[i,j,k+1]";
    let (_, choice, out) = run_on("sapphirerapids", text, &ChooseOptions::default());
    let Choice::Transform { kernels, .. } = &choice else { panic!("{out}") };
    let cuts: Vec<usize> = kernels.strips().iter().map(|strip| strip.cuts.len()).collect();
    assert_eq!(cuts, [2], "{out}");
    // Two grids of 50^3 fill the second level.
    let least = kernels.strips()[0].worthwhile.expect("small grids stay as they are");
    assert!((24..=96).contains(&least), "{least}");
}

/// Sweeps over vectors: strips of points that move with time, where vectors are too long for the first level.
#[test]
fn sweeps_over_vectors_run_in_strips_of_points() {
    let text = "
params T, n
for t = 0 .. T
  for i = 1 .. n-1
    B[i] = A[i] + A[i-1] + A[i+1]
  for i = 1 .. n-1
    A[i] = B[i] + B[i-1] + B[i+1]";
    let (_, choice, out) = run_on("znver4", text, &ChooseOptions::default());
    let Choice::Transform { kernels, .. } = &choice else { panic!("{out}") };
    let [strip] = kernels.strips() else { panic!("{out}") };
    assert!(strip.cuts.len() == 1 && strip.cuts[0].size >= 512, "{out}");
    let least = strip.worthwhile.expect("short vectors stay as they are");
    assert!((1024..=8192).contains(&least), "{least}");
    // What a step adds to a point does not depend on others: these loops can be interchanged.
    let alone = "
params T, n
for t = 0 .. T
  for i = 0 .. n
    A[i] = A[i] + B[i] + C[t]";
    let (_, choice, out) = run_on("znver4", alone, &ChooseOptions::default());
    assert!(!matches!(&choice, Choice::Transform { kernels, .. } if !kernels.strips().is_empty()), "{out}");
}

/// Modified Gram-Schmidt, where the second level is large: a strip of columns stays while all vectors before are subtracted from it. The norm has no loop over columns: it runs with its own.
#[test]
fn orthogonalisation_runs_in_strips_of_columns() {
    let text = "
params n, m
for k = 0 .. n
  R[k,k] = 0
  for i = 0 .. m
    R[k,k] += A[i,k] * A[i,k]
  for i = 0 .. m
    Q[i,k] = A[i,k] / R[k,k]
  for j = k+1 .. n
    R[k,j] = 0
    for i = 0 .. m
      R[k,j] += Q[i,k] * A[i,j]
    for i = 0 .. m
      A[i,j] -= Q[i,k] * R[k,j]";
    let (_, choice, out) = run_on("sapphirerapids", text, &ChooseOptions::default());
    let Choice::Transform { kernels, .. } = &choice else { panic!("{out}") };
    let sizes: Vec<usize> = kernels.strips().iter().map(|s| s.statements().count()).collect();
    assert!(sizes.contains(&4), "{out}");
}

/// What has to wait for memory only, or is in a cache, is not cut.
#[test]
fn no_strips_where_they_save_nothing() {
    for text in [
        // One sweep.
        "params n\nfor i = 1 .. n-1\n  for j = 1 .. n-1\n    B[i,j] = A[i,j] + A[i-1,j] + A[i+1,j]",
        // In a cache.
        "params T\nfor t = 0 .. T\n  for i = 1 .. 1000\n    B[i] = A[i-1] + A[i+1]\n  for i = 1 .. 1000\n    A[i] = B[i-1] + B[i+1]",
        // What the last row says goes into the first of the next time.
        "params T, n\nfor t = 0 .. T\n  for i = 0 .. n\n    for j = 0 .. n\n      A[i,j] = A[n-1-i,j] + 1",
    ] {
        let (_, choice, out) = run(text, &ChooseOptions::default());
        assert!(!matches!(&choice, Choice::Transform { kernels, .. } if !kernels.strips().is_empty()), "{out}");
    }
}

/// Row numbers that some dependence decreases are refused, and sizes that are none, whoever proposes them.
#[test]
fn strips_are_proved() {
    let text = "params T, n\nfor t = 0 .. T\n  for i = 1 .. n-1\n    A[i] = A[i-1] + A[i] + A[i+1]";
    let scop = testing::scop(text).expect("text of a part");
    let budget = Budget::generous();
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let tree = legality::original(&scop);
    let Verdict::Legal(schedule) = legality::prove(&scop, &dependences, tree, &budget).expect("proof") else {
        panic!("the source is legal")
    };
    let id = crate::scop::StatementId(0);
    let space = scop.statements[0].space();
    let cut = |t: i64, i: i64, size: i64| {
        let row = Affine::from_coeffs(space, vec![0, 0, 0, t, i]);
        kernel::Cut { rows: [(id, row)].into_iter().collect(), size }
    };
    let proved = |cuts: Vec<kernel::Cut>| {
        let strips = vec![Strip { cuts, worthwhile: None }];
        kernel::prove(&scop, &dependences, &schedule, Kernels::new(), strips, &budget).expect("proof").is_some()
    };
    assert!(proved(vec![cut(1, 1, 4)]));
    assert!(proved(vec![cut(2, 1, 1)]));
    assert!(proved(vec![cut(1, 1, 4), cut(1, 0, 8)]));
    assert!(!proved(vec![cut(0, 1, 4)]));
    assert!(!proved(vec![cut(1, 1, 4), cut(0, 1, 4)]));
    // Strips of one row are loops: the next ones are inside of them.
    assert!(proved(vec![cut(1, 0, 1), cut(0, 1, 4)]));
    assert!(!proved(vec![cut(1, 0, 2), cut(0, 1, 4)]));
    assert!(!proved(vec![cut(1, 0, 1), cut(0, -1, 4)]));
    assert!(!proved(vec![cut(0, 1, 4), cut(1, 0, 1)]));
    assert!(!proved(vec![cut(1, 1, 0)]));
    assert!(!proved(vec![cut(0, -1, 4)]));
    assert!(!proved(vec![cut(1, 1, 4), kernel::Cut { rows: crate::tree::Rows::default(), size: 4 }]));
}

/// The second sum feeds the first of the next row: no kernels for both, no strips.
#[test]
fn sums_that_feed_each_other_stay_together() {
    let (_, choice, out) = run(
        "
params n
for i = 0 .. n
  for j = 0 .. n
    t[i] += A[i,j] * y[j]
  for j = 0 .. n
    y[j] += A[i,j] * t[i]",
        &ChooseOptions::default(),
    );
    assert!(!matches!(&choice, Choice::Transform { kernels, .. } if !kernels.strips().is_empty()), "{out}");
}

/// Memory limits two matrices that are large; in caches the kernels gain.
#[test]
fn sums_of_two_matrices_gain_in_caches() {
    let (_, choice, out) = run(
        "
params n
for i = 0 .. n
  t[i] = 0
  y[i] = 0
  for j = 0 .. n
    t[i] += A[i,j] * x[j]
    y[i] += B[i,j] * x[j]",
        &ChooseOptions::default(),
    );
    assert!(matches!(&choice, Choice::Transform { kernels, .. } if kernels.plans().len() == 2), "{out}");
}

/// Sums over rows wait for themselves, row by row: with lanes over rows many wait at once. What is added up over all rows comes behind them, strip by strip, in its order.
#[test]
fn sums_over_rows_have_lanes_in_front_of_what_has_none() {
    let text = |last: &str| {
        format!(
            "
params n, m
for b = 0 .. n
  for i = 0 .. n
    s[b,i] = 0
    for j = 0 .. m
      s[b,i] += A[b,i,j] * w[j] @operations 2 0 @chain 4
    for j = 0 .. m
      {last}"
        )
    };
    let strips = |last: &str| {
        let (_, choice, out) = run_on("znver4", &text(last), &ChooseOptions::default());
        let Choice::Transform { kernels, schedule, .. } = &choice else { panic!("{out}") };
        let lanes: Vec<_> = schedule.tree().in_lanes().into_iter().map(|(s, lanes)| (s.0, lanes.width)).collect();
        let sizes: Vec<String> = kernels.strips().iter().map(Strip::sizes).collect();
        (lanes, sizes)
    };
    assert_eq!(strips("y[j] += A[b,i,j] * A[b,i,j] * s[b,i]"), (vec![(0, 8), (1, 8)], vec!["1x8".to_string()]));
    // The next row needs what the last one has left: nothing to distribute.
    let text = text("w[j] += A[b,i,j] * s[b,i]");
    let (_, choice, out) = run_on("znver4", &text, &ChooseOptions::default());
    assert!(!matches!(&choice, Choice::Transform { kernels, .. } if !kernels.strips().is_empty()), "{out}");
}
