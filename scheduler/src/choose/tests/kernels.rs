//! Nests with micro-kernels.

use super::*;

#[test]
fn small_contiguous_product_gets_a_kernel() {
    check(
        "
for i = 0 .. 64
  for k = 0 .. 64
    for j = 0 .. 64
      C[i,j] += A[i,k] * B[k,j]",
        &expect![[r#"
            interchanged loops, register tile 6x32 (4.2 times)
            S0: tiles c 64, a 64, b 66, c 32, b 6; 6 rows, 32 columns by 8
            for a, 64 times, Reduction
              for b, 64 times, Nothing
                for c, 64 times, Nothing
                  C[b,c] C[b,c] A[b,a] B[a,c]
            S0: vectors of 8, 7.475e4 cycles of compute, 4.429e4 of memory
            9.193e4 cycles
        "#]],
    );
}

#[test]
fn tiny_product_is_left_alone() {
    let source = "
for i = 0 .. 4
  for j = 0 .. 4
    for k = 0 .. 4
      C[i,j] += A[i,k] * B[k,j]";
    check(
        source,
        &expect![[r#"
        leave: the loops run too few iterations for a transformation to pay
    "#]],
    );
}

/// Where rows are no multiple of a vector but of half of one, and two halves take as long as one, halves are enough. Where they take longer they are not.
#[test]
fn halves_of_vectors_where_these_end_with_the_row() {
    let lanes = |cpu: &str, n: i64| {
        let text =
            format!("for i = 0 .. {n}\n  for j = 0 .. {n}\n    for k = 0 .. {n}\n      C[i,j] += A[i,k] * B[k,j]");
        match run_on(cpu, &text, &ChooseOptions::default()).1 {
            Choice::Transform { kernels, .. } => kernels.plans().values().map(|plan| plan.lanes).collect::<Vec<_>>(),
            Choice::Leave { reason } => panic!("{reason}"),
        }
    };
    assert_eq!((lanes("znver4", 16), lanes("znver4", 12)), (vec![8], vec![4]));
    assert_eq!((lanes("sapphirerapids", 16), lanes("sapphirerapids", 12)), (vec![8], vec![8]));
}

/// `alpha * A[i,k]` is computed where `A` is copied: such a product is as fast as one without `alpha`, not half as fast.
#[test]
fn operations_on_a_copied_operand_take_no_time() {
    let product = |attributes: &str| {
        let text = format!(
            "params n\nfor i = 0 .. n\n  for j = 0 .. n\n    for k = 0 .. n\n      C[i,j] += A[i,k] * B[k,j]{attributes}"
        );
        match run_on("znver4", &text, &ChooseOptions::default()).1 {
            Choice::Transform { predicted_speedup, .. } => predicted_speedup,
            Choice::Leave { reason } => panic!("{reason}"),
        }
    };
    let (plain, scaled, both) = (product(""), product(" @operations 2 0 @on [2] 1 0"), product(" @operations 2 0"));
    assert!((scaled / plain - 1.0).abs() < 0.01, "{scaled} {plain}");
    assert!(both < 0.7 * plain, "{both} {plain}");
}

/// Windows that only the ends of pictures cut off have all terms in common but there: they need not be as large as bands are wide.
#[test]
fn padded_windows_are_worth_while_where_bands_are_not() {
    let bands = |loops: &str, term: &str| {
        let text = format!("params n, m, r\nfor i = 0 .. n\n  for j = 0 .. n\n{loops}      y[i,j] += {term}");
        match run_on("znver4", &text, &ChooseOptions::default()).1 {
            Choice::Transform { kernels, .. } => {
                let plan = kernels.plans().values().next().expect("a kernel");
                plan.bands.expect("a band")
            }
            Choice::Leave { reason } => panic!("{reason}"),
        }
    };
    let padded = bands(
        "    for u = max(0, r - i) .. min(m, n + r - i)\n     for v = max(0, r - j) .. min(m, n + r - j)\n",
        "x[i + u - r,j + v - r] * w[u,v]",
    );
    let band = bands("    for u = max(0, i - r) .. min(n, i + r)\n", "x[i,u] * w[u,j]");
    assert!(padded.mostly_box && !band.mostly_box);
    assert!(padded.least_of_both < band.least_of_both, "{padded:?} {band:?}");
    assert!(padded.least_of_constant < band.least_of_constant);
}

#[test]
fn two_products_are_both_improved() {
    let source = "
params n
for i = 0 .. n
  for j = 0 .. n
    T[i,j] = 0
    for k = 0 .. n
      T[i,j] += A[i,k] * B[k,j]
for i = 0 .. n
  for j = 0 .. n
    D[i,j] *= b[]
    for k = 0 .. n
      D[i,j] += T[i,k] * C[k,j]";
    check(
        source,
        &expect![[r#"
            interchanged loops, distributed, register tile 8x24 with packed operands (50.2 times)
            S1: tiles c 2040, a 512, b 128, c 24, b 8; 8 rows, 24 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
            S3: tiles c 2040, a 512, b 128, c 24, b 8; 8 rows, 24 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
            for a, 1000 times, Nothing
              for b, 1000 times, Nothing
                T[a,b]
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                for c, 1000 times, Nothing
                  T[b,c] T[b,c] A[b,a] B[a,c]
            for a, 1000 times, Nothing
              for b, 1000 times, Nothing
                D[a,b] D[a,b] b[]
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                for c, 1000 times, Nothing
                  D[b,c] D[b,c] T[b,a] C[a,c]
            S0: vectors of 8, 1.359e5 cycles of compute, 8.811e5 of memory
            S1: vectors of 8, 1.363e8 cycles of compute, 2.994e8 of memory
            S2: vectors of 8, 1.361e5 cycles of compute, 8.811e5 of memory
            S3: vectors of 8, 1.363e8 cycles of compute, 2.994e8 of memory
            6.592e8 cycles
        "#]],
    );
}

#[test]
fn product_with_transposed_left_factor() {
    let source = "
params n
for i = 0 .. n
  for j = 0 .. n
    for k = 0 .. n
      C[i,j] += A[k,i] * B[k,j]";
    check(
        source,
        &expect![[r#"
            interchanged loops, register tile 8x24 with packed operands (58.3 times)
            S0: tiles c 2040, a 512, b 128, c 24, b 8; 8 rows, 24 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                for c, 1000 times, Nothing
                  C[b,c] C[b,c] A[a,b] B[a,c]
            S0: vectors of 8, 1.363e8 cycles of compute, 2.919e8 of memory
            3.211e8 cycles
        "#]],
    );
}

/// Two operands with the rows take twice the place in the second level. Products that are no operations with their sums leave units to these, if numbers come to all lanes with the operations.
#[test]
fn sums_by_themselves_keep_all_units_busy() {
    let plan = |cpu: &str, attributes: &str| {
        let text = format!(
            "params n\nfor i = 0 .. n\n  for j = 0 .. n\n    for k = 0 .. n\n      C[i,j] += f(A[i,k], B[k,j], D[i,k], E[k,j]) @operations {attributes}"
        );
        match run_on(cpu, &text, &ChooseOptions::default()).1 {
            Choice::Transform { kernels, .. } => kernels.plans().values().map(ToString::to_string).collect::<String>(),
            Choice::Leave { .. } => "left".into(),
        }
    };
    let (fused, apart) = (plan("znver4", "2 0"), plan("znver4", "4 0 @sums 2"));
    assert!(fused.starts_with("tiles c 1024, a 512, b 60") && !fused.contains("with each operation"), "{fused}");
    assert!(apart.contains("numbers for all lanes with each operation"), "{apart}");
    assert!(!plan("znver3", "4 0 @sums 2").contains("with each operation"));
}

/// Rows of both factors are contiguous only along the sum, which keeps its order: vectors would have to step over lines.
#[test]
fn product_with_transposed_right_factor_packs_it() {
    check(
        "
params n
for i = 0 .. n
  for j = 0 .. n
    for k = 0 .. n
      C[i,j] += A[i,k] * B[j,k]",
        &expect![[r#"
            interchanged loops, register tile 8x24 with packed operands (45.2 times)
            S0: tiles c 2040, a 512, b 128, c 24, b 8; 8 rows, 24 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 8 columns
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                for c, 1000 times, Nothing
                  C[b,c] C[b,c] A[b,a] B[c,a]
            S0: scalar, 6.292e8 cycles of compute, 2.104e9 of memory
            2.232e9 cycles
        "#]],
    );
}

/// The outer loop of the sum stays outside, inside of a loop that moves the cell and the columns' operand, which is copied for both; one more loop of rows uses the copy again.
#[test]
fn sum_over_two_loops_gets_a_kernel() {
    check(
        "
params n
for a = 0 .. n
  for b = 0 .. n
    for c = 0 .. n
      for d = 0 .. n
        for e = 0 .. n
          for f = 0 .. n
            T[a,b,c,d] += A[a,e,b,f] * B[d,f,c,e]",
        &expect![[r#"
            interchanged loops, register tile 1x8x24 with packed operands (50.2 times)
            S0: tiles d 2040, a 512, b 1, c 128, d 24, c 8; 1x8 rows, 24 columns by 8; pack 3 [a d] inside 2; in place 8 rows, 8 columns
            for a, 48 times, Nothing
              for b, 48 times, Reduction
                for c, 48 times, Reduction
                  for d, 48 times, Nothing
                    for e, 48 times, Nothing
                      for f, 48 times, Nothing
                        T[d,e,a,f] T[d,e,a,f] A[d,b,e,c] B[f,c,a,b]
            S0: scalar, 8.727e9 cycles of compute, 6.746e9 of memory
            1.060e10 cycles
        "#]],
    );
}

/// The loop that moves everything is outside; what is copied there is copied once.
#[test]
fn batches_are_outside() {
    check(
        "
params n
for b = 0 .. n
  for i = 0 .. n
    for j = 0 .. n
      for k = 0 .. n
        C[b,i,j] += A[b,i,k] * B[b,k,j]",
        &expect![[r#"
            interchanged loops, register tile 8x24 with packed operands (25.2 times)
            S0: tiles d 2040, b 512, c 128, d 24, c 8; 8 rows, 24 columns by 8; pack 2 [b c] inside 3; pack 3 [b d] inside 2; in place 8 rows, 16 columns
            for a, 160 times, Nothing
              for b, 160 times, Reduction
                for c, 160 times, Nothing
                  for d, 160 times, Nothing
                    C[a,c,d] C[a,c,d] A[a,c,b] B[a,b,d]
            S0: vectors of 8, 1.284e8 cycles of compute, 1.110e8 of memory
            1.588e8 cycles
        "#]],
    );
}

#[test]
fn symmetric_update_gets_a_kernel() {
    check(
        "
params n
for i = 0 .. n
  for j = 0 .. i+1
    C[i,j] *= beta[]
  for k = 0 .. n
    for j = 0 .. i+1
      C[i,j] += A[i,k] * A[j,k]",
        &expect![[r#"
            interchanged loops, distributed, register tile 8x24 with packed operands (30.4 times)
            S1: tiles c 2040, a 512, b 128, c 24, b 8; 8 rows, 24 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 8 columns
            for a, 1000 times, Nothing
              for b, 500 times, Nothing
                C[a,b] C[a,b] beta[]
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                for c, 501 times, Nothing
                  C[b,c] C[b,c] A[b,a] A[c,a]
            S0: vectors of 8, 8.269e4 cycles of compute, 4.441e5 of memory
            S1: scalar, 3.261e8 cycles of compute, 1.055e9 of memory
            1.124e9 cycles
        "#]],
    );
}

/// Every slice of an array times a matrix by way of a buffer that all slices use: the loop over slices cannot be left, but within it the product has a nest of its own, with rows.
#[test]
fn a_product_within_a_loop_that_others_share() {
    check(
        "
params n
for r = 0 .. n
  for q = 0 .. n
    for p = 0 .. n
      B[q,p] = 0
      for t = 0 .. n
        B[q,p] += A[r,q,t] * C[t,p]
    for p = 0 .. n
      A[r,q,p] = B[q,p]",
        &expect![[r#"
            interchanged loops, distributed, register tile 8x24 (26.0 times)
            S1: tiles c 3072, a 256, b 256, c 24, b 8; 8 rows, 24 columns by 8; fetch 3 by 8 a
            for a, 160 times, Recurrence { distance: 1 }
              for b, 160 times, Nothing
                for c, 160 times, Nothing
                  B[b,c]
              for b, 160 times, Reduction
                for c, 160 times, Nothing
                  for d, 160 times, Nothing
                    B[c,d] B[c,d] A[a,c,b] C[b,d]
              for b, 160 times, Nothing
                for c, 160 times, Nothing
                  A[a,b,c] B[b,c]
            S0: vectors of 8, 7.904e5 cycles of compute, 1.245e6 of memory
            S1: vectors of 8, 1.284e8 cycles of compute, 1.060e8 of memory
            S2: vectors of 8, 7.904e5 cycles of compute, 2.458e6 of memory
            1.620e8 cycles
        "#]],
    );
}

/// The inverse of a triangle, then its product with its transpose: what is fused best and what is planned nest by nest are different candidates, and only the latter has a band
/// of three loops in each nest.
#[test]
fn every_nest_of_a_sequence_gets_its_kernel() {
    check(
        "
params n
for i = 0 .. n
  for j = 0 .. i
    A[i,j] *= A[j,j]
    for k = j+1 .. i
      A[i,j] += A[i,k] * A[k,j]
    A[i,j] *= A[i,i]
  A[i,i] *= A[i,i]
for i = 0 .. n
  for j = 0 .. i+1
    A[i,j] *= A[i,i]
    for k = i+1 .. n
      A[i,j] += A[k,i] * A[k,j]",
        &expect![[r#"
            interchanged loops, fused 6 nests, register tile 12x16 (35.1 times)
            S1: tiles c 2720, a 384, b 168, c 16, b 12; 12 rows, 16 columns by 8, corners c by 8 beyond b; fetch 3 by 28 a
            S5: tiles c 2720, a 384, b 168, c 16, b 12; 12 rows, 16 columns by 8, corners c by 8 beyond b; fetch 3 by 28 a
            for a, 1000 times, Recurrence { distance: 1 }
              for b, 500 times, Short { most: 1 }
                for c, 500 times, Short { most: 1 }
                  A[a,a] A[a,a] A[a,a]
                  A[b,a] A[b,a] A[a,a]
                  A[b,c] A[b,c] A[b,a] A[a,c]
                  A[a,c] A[a,c] A[a,a]
            for a, 1000 times, Reduction
              for b, 500 times, Short { most: 1 }
                for c, 500 times, Forward
                  A[a,c] A[a,c] A[a,a]
                  A[b,c] A[b,c] A[a,b] A[a,c]
            S1 S2: scalar, 1.211e8 cycles of compute, 4.892e7 of memory
            S4 S5: vectors of 8, 3.104e7 cycles of compute, 4.907e7 of memory
            1.938e8 cycles
        "#]],
    );
}

#[test]
fn sum_of_rows_is_transposed_in_registers() {
    check(
        "
params n
for i = 0 .. n
  for j = 0 .. n
    y[i] += A[i,j] * x[j]",
        &expect![[r#"
            interchanged loops, register tile of 16 with blocks transposed in registers (10.0 times)
            S0: tiles b 16; 16 columns by 8, 8 steps
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                y[b] y[b] A[b,a] x[a]
            S0: scalar, 6.292e5 cycles of compute, 2.500e6 of memory
            2.628e6 cycles
        "#]],
    );
}

/// Every row uses the same cells for its scores, so that no sum leaves the loop over rows: kernels inside of it.
#[test]
fn nests_that_share_a_loop_have_kernels_inside() {
    let (_, choice, out) = run(
        "
params n, m
for i = 0 .. n
  for j = 0 .. n
    s[j] = 0
    for k = 0 .. m
      s[j] += Q[i,k] * K[j,k]
  for j = 0 .. n
    s[j] = s[j] * s[j]
  for k = 0 .. m
    for j = 0 .. n
      O[i,k] += s[j] * V[j,k]",
        &ChooseOptions::default(),
    );
    let Choice::Transform { schedule, kernels, .. } = &choice else { panic!("{out}") };
    let around = |node: &Node| matches!(node, Node::Band { child, .. } if matches!(**child, Node::Sequence(_)));
    assert!(schedule.tree().outermost().iter().any(around), "{out}");
    assert!(kernels.plans().values().any(|plan| plan.steps > 1 && plan.packs.is_empty()), "{out}");
}

/// Squares of shorter vectors where the registers do not hold one of whole vectors.
#[test]
fn sums_along_rows_of_floats_have_kernels() {
    let (_, choice, out) = run_on(
        "sapphirerapids",
        "
params n
array A[?][?] : f32
array y[?] : f32
array x[?] : f32
for i = 0 .. n
  for j = 0 .. n
    y[i] += A[i,j] * x[j]",
        &ChooseOptions::default(),
    );
    let Choice::Transform { kernels, .. } = &choice else { panic!("{out}") };
    let plans: Vec<(u32, i64)> = kernels.plans().values().map(|plan| (plan.lanes, plan.steps)).collect();
    assert_eq!(plans, [(8, 8)], "{out}");
}

/// What a row of the factor is computed from are rows of the factor: squares of it, used by all rows of a tile.
#[test]
fn rows_of_a_factorisation_are_transposed_in_registers() {
    let (_, choice, out) = run_on(
        "sapphirerapids",
        "
params n
for i = 0 .. n
  for j = 0 .. i
    for k = 0 .. j
      A[i,j] -= A[i,k] * A[j,k]
    A[i,j] = A[i,j] / A[j,j]
  for k = 0 .. i
    A[i,i] -= A[i,k] * A[i,k]",
        &ChooseOptions::default(),
    );
    let Choice::Transform { kernels, .. } = &choice else { panic!("{out}") };
    let steps: Vec<(i64, usize)> = kernels.plans().values().map(|plan| (plan.steps, plan.rows.len())).collect();
    assert_eq!(steps, [(8, 1)], "{out}");
}

/// Of sixteen registers solves take all, so that no addition waits for the one before; where tiles have corners in both directions some stay free.
#[test]
fn solves_take_all_registers() {
    let solve = "params M, N\nfor m = 0 .. M\n  for n = 0 .. N\n    A[n,m] /= U[n,n]\n    for k = n+1 .. N\n      A[k,m] -= A[n,m] * U[k,n]";
    let lu = "params n\nfor k = 0 .. n\n  for i = k+1 .. n\n    A[i,k] /= A[k,k]\n    for j = k+1 .. n\n      A[i,j] -= A[i,k] * A[k,j]";
    let plan = |machine: Machine, text: &str| match run_for(&machine, text, &ChooseOptions::default()).1 {
        Choice::Transform { kernels, .. } => {
            kernels.plans().values().map(|plan| (plan.rows.clone(), plan.columns, plan.fills)).collect::<Vec<_>>()
        }
        Choice::Leave { .. } => Vec::new(),
    };
    for cpu in ["znver3", "haswell"] {
        assert_eq!(plan(Machine::for_cpu(cpu, 256, 16), solve), [(vec![4], 12, true)], "{cpu}");
    }
    assert_eq!(plan(Machine::for_cpu("znver3", 256, 16), lu), [(vec![4], 8, false)]);
    assert!(plan(Machine::for_cpu("znver4", 512, 32), solve).iter().all(|(_, _, fills)| !fills));
}

/// Where there are few registers the depth of operands in place is what fits in the first level with whole lines; each tile of rows fetches a share of the next sliver.
#[test]
fn slivers_in_place_fit_in_the_first_level() {
    let solve = "params M, N\nfor m = 0 .. M\n  for n = 0 .. N\n    A[n,m] /= U[n,n]\n    for k = n+1 .. N\n      A[k,m] -= A[n,m] * U[k,n]";
    let plan = |machine: Machine| match run_for(&machine, solve, &ChooseOptions::default()).1 {
        Choice::Transform { kernels, .. } => kernels.plans().values().next().cloned(),
        Choice::Leave { .. } => None,
    };
    for (cpu, bits, registers, depth, share) in [("znver3", 256, 16, 192, 5), ("znver4", 512, 32, 256, 13)] {
        let Some(plan) = plan(Machine::for_cpu(cpu, bits, registers)) else { panic!("{cpu}: no kernel") };
        assert!(plan.tiles.iter().any(|t| t.member == 0 && t.size == depth), "{cpu}: {plan}");
        let fetch = plan.fetch.as_ref().map(|f| (f.member, f.share));
        assert_eq!(fetch, Some((0, share)), "{cpu}: {plan}");
    }
}

/// Corners of solves by rows are of as many tiles as have divisions start while one waits: where one tile has one vector, not where it has several. Tiles for caches cut none of them.
#[test]
fn corners_of_several_tiles() {
    let by_rows = "params M, N\nfor m = 0 .. M\n  for n = 0 .. N\n    A[m,n] /= U[n,n]\n    for k = n+1 .. N\n      A[m,k] -= A[m,n] * U[n,k]";
    let by_columns = "params M, N\nfor m = 0 .. M\n  for n = 0 .. N\n    A[n,m] /= U[n,n]\n    for k = n+1 .. N\n      A[k,m] -= A[n,m] * U[k,n]";
    let lu = "params n\nfor k = 0 .. n\n  for i = k+1 .. n\n    A[i,k] /= A[k,k]\n    for j = k+1 .. n\n      A[i,j] -= A[i,k] * A[k,j]";
    for (text, cpu, bits, registers, rows, tiles) in [
        (by_rows, "znver3", 256, 16, 4, 2),
        (by_rows, "skylake", 256, 16, 4, 2),
        // A division takes longer than what waits for it.
        (by_rows, "haswell", 256, 16, 4, 1),
        (by_rows, "znver4", 512, 32, 12, 1),
        (by_columns, "znver3", 256, 16, 4, 1),
        (lu, "znver3", 256, 16, 4, 1),
    ] {
        let machine = Machine::for_cpu(cpu, bits, registers);
        let (_, choice, out) = run_for(&machine, text, &ChooseOptions::default());
        let Choice::Transform { kernels, .. } = &choice else { panic!("{cpu}: {out}") };
        let Some(plan) = kernels.plans().values().next() else { panic!("{cpu}: {out}") };
        let most = plan.corners.iter().map(|corner| corner.tiles).max();
        assert_eq!((plan.rows.as_slice(), most), (&[rows][..], Some(tiles)), "{cpu}: {plan}");
        let around = plan.tiles.iter().filter(|t| t.member == 1 && t.size > rows);
        assert!(tiles == 1 || around.clone().count() == 1, "{cpu}: {plan}");
        assert!(around.into_iter().all(|t| t.size % (tiles * rows) == 0), "{cpu}: {plan}");
    }
}

/// The division ends the sum of its row; what is left of it is a triangle on the diagonal.
#[test]
fn forward_substitution_is_a_sum_beside_its_division() {
    let (_, choice, out) = run(
        "
params n
for i = 0 .. n
  x[i] = b[i]
  for j = 0 .. i
    x[i] -= L[i,j] * x[j]
  x[i] = x[i] / L[i,i]",
        &ChooseOptions::default(),
    );
    let Choice::Transform { kernels, .. } = &choice else { panic!("{out}") };
    assert!(kernels.plans().values().all(|plan| plan.steps > 1 && plan.rows.is_empty()), "{out}");
}

/// Rows of a solve may be lanes in corners; those of a factorisation wait for the division of the same step, but for tiles off the diagonal. Whoever proposes it.
#[test]
fn corners_are_proved() {
    let solve = "params M, N\nfor m = 0 .. M\n  for n = 0 .. N\n    A[m,n] /= U[n,n]\n    for k = n+1 .. N\n      A[m,k] -= A[m,n] * U[n,k]";
    let lu = "params n\nfor k = 0 .. n\n  for i = k+1 .. n\n    A[i,k] /= A[k,k]\n    for j = k+1 .. n\n      A[i,j] -= A[i,k] * A[k,j]";
    let cholesky = "params n\nfor i = 0 .. n\n  for j = 0 .. i\n    for k = 0 .. j\n      A[i,j] -= A[i,k] * A[j,k]\n    A[i,j] /= A[j,j]\n  for k = 0 .. i\n    A[i,i] -= A[i,k] * A[i,k]\n  A[i,i] = f(A[i,i])";
    // Rows are 1, columns 2. In Cholesky's there is nothing beyond the diagonal, which is proved as well.
    let (rows, below, above) = ((1, None), (1, Some(2)), (2, Some(1)));
    let all = [
        (solve, vec![rows], vec![rows, below]),
        (lu, vec![below, above], vec![below, above]),
        (cholesky, vec![below, above], vec![below, above]),
    ];
    for (text, expected, provable) in all {
        let options = ChooseOptions { policy: Policy::Kernels, ..ChooseOptions::default() };
        let (scop, choice, out) = run(text, &options);
        let Choice::Transform { schedule, kernels, .. } = choice else { panic!("{out}") };
        let [(id, plan)] = kernels.plans().iter().collect::<Vec<_>>()[..] else { panic!("{out}") };
        let found: Vec<_> = plan.corners.iter().map(|c| (c.member, c.beyond)).collect();
        assert_eq!(found, expected, "{out}");
        let budget = Budget::generous();
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        for corner in [rows, (2, None), below, above, (0, None)] {
            let (member, beyond) = corner;
            let corners = vec![kernel::Corner { member, beyond, lanes: 2, tiles: 1, worthwhile: 1 }];
            let kernels = [(*id, kernel::Blocking { corners, ..plan.clone() })].into();
            let found = kernel::prove(&scop, &dependences, &schedule, kernels, Vec::new(), &budget).expect("proof");
            let kept = found.is_some_and(|k| !k.plans()[id].corners.is_empty());
            assert_eq!(kept, provable.contains(&corner), "{corner:?}\n{out}");
        }
    }
}

/// Blocks as people write them; `size` is that of a block.
fn blocked(size: i64, statement: &str) -> String {
    format!(
        "params n\narray A[?][?] : f64\narray B[?][?] : f64\narray C[?][?] : f64\nfor i = 0 .. n step {size}\n  for j = 0 .. n step {size}\n    \
         for ii in i .. min(i+{size}, n)\n      for jj in j .. min(j+{size}, n)\n        {statement}"
    )
}

#[test]
fn counters_of_blocks_are_no_depth() {
    // `i` and `j` do not move the stored cell, but `ii` and `jj` leave them one value: nothing is summed up along them.
    for statement in ["B[jj,ii] = A[ii,jj]", "B[ii,jj] += A[jj,ii] @operations 1 0"] {
        for size in [4, 8, 32] {
            let (_, choice, out) = run(&blocked(size, statement), &ChooseOptions::default());
            assert!(!matches!(choice, Choice::Transform { kernels, .. } if !kernels.plans().is_empty()), "{out}");
        }
    }
}

#[test]
fn a_product_in_blocks_has_its_kernel_inside_of_them() {
    let text = blocked(32, "for kk = 0 .. n\n          C[ii,jj] += A[ii,kk] * B[kk,jj]");
    let (_, choice, out) = run(&text, &ChooseOptions::default());
    let Choice::Transform { kernels, .. } = choice else { panic!("{out}") };
    assert_eq!(kernels.plans().len(), 1, "{out}");
}

#[test]
fn blocks_that_a_loop_walks_have_nothing_in_common() {
    // For each `u` there is one `a`.
    let text = "params n\narray s[?][16] : f32\narray c[?][?] : f32\narray r[?] : f32\nfor a = 0 .. n\n  for u in 16a .. 16a+16\n    \
                for e = 0 .. 16\n      for k = 0 .. 16\n        s[a,e] += c[u,k] * r[u+e+k] @operations 1 0 @chain 4";
    let (_, choice, out) = run(text, &ChooseOptions::default());
    let Choice::Transform { kernels, .. } = choice else { panic!("{out}") };
    assert!(kernels.plans().values().all(|plan| plan.rows.is_empty()), "{out}");
}

#[test]
fn sums_without_rows_to_put_side_by_side_are_left_alone() {
    leaves(
        "
params n
for j = 0 .. n
  s[0] += x[j] * y[j]",
    );
    leaves(
        "
for i = 0 .. 6
  for j = 0 .. 6
    y[i] += A[i,j] * x[j]",
    );
}

/// The terms of a cell `i + p` are counted by `p`, downwards, where that loop is inside or shorter: but for the first and last cells they are the same for all.
#[test]
fn terms_are_counted_by_the_shorter_loop() {
    check(
        "
params n, w
for i = 0 .. n
  for p = 0 .. w
    O[i + p] += X[i] * F[p]",
        &expect![[r#"
            reversed loops, register tile of 32 (1.6 times)
            S0: tiles a 256, b 32; 32 columns by 8
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                O[b] O[b] X[a+b] F[-1a]
            S0: vectors of 8, 2.078e5 cycles of compute, 5.025e2 of memory
            2.119e5 cycles
        "#]],
    );
    // The filter is outside, but shorter.
    check(
        "
params n
for p = 0 .. 20
  for i = 0 .. n
    for j = 0 .. n
      O[i, p + j] += X[i, j] * F[p]",
        &expect![[r#"
            register tile 14x16 (10.2 times)
            S0: tiles c 2720, a 384, b 168, b 14, c 16; 14 rows, 16 columns by 8
            for a, 20 times, Reduction
              for b, 1000 times, Nothing
                for c, 1000 times, Nothing
                  O[b,c] O[b,c] X[b,-1a+c] F[a]
            S0: vectors of 8, 4.157e6 cycles of compute, 3.525e7 of memory
            3.616e7 cycles
        "#]],
    );
    // Along rows `X[i][j]` is used for several cells at once as it is.
    check(
        "
params n, w
for i = 0 .. n
  for p = 0 .. w
    for j = 0 .. n
      O[i + p, j] += X[i, j] * F[p]",
        &expect![[r#"
            register tile 8x24 with packed operands (3.9 times)
            S0: tiles c 2040, a 512, b 128, c 24, b 8; 8 rows, 24 columns by 8; pack 2 [a c] inside 2; in place 8 rows, 16 columns
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                for c, 1000 times, Nothing
                  O[b,c] O[b,c] X[a,c] F[-1a+b]
            S0: vectors of 8, 1.363e8 cycles of compute, 2.913e8 of memory
            3.205e8 cycles
        "#]],
    );
}

/// The least number of values that the choice for a product of transposed matrices asks of its rows and of its columns, if it asks them alone.
fn least_sides(attributes: &str) -> Vec<i64> {
    let text = format!(
        "params n, m, l
array C[?][?] : i32
array A[?][?] : i16
array B[?][?] : i16
for i = 0 .. n
  for j = 0 .. m
    for k = 0 .. l
      C[i,j] = A[i,k] * B[j,k] + C[i,j] @operations 4 0 @on [1] 1 0 @on [2] 1 0 {attributes}"
    );
    let (_, choice, out) = run(&text, &ChooseOptions::default());
    let Choice::Transform { kernels, .. } = choice else { panic!("{out}") };
    let plan = kernels.plans().values().next().expect("a kernel");
    let alone = plan.worthwhile.iter().filter(|enough| matches!(enough.terms[..], [(_, 1)]));
    alone.map(|enough| enough.least).collect()
}

#[test]
fn kernels_beside_vectors_of_the_source_want_more_rows_and_columns() {
    let in_order = least_sides("@chain 3");
    assert!(in_order.iter().all(|&least| least < 32), "{in_order:?}");
    let in_any_order = least_sides("@any_order @commutes sum");
    assert_eq!(in_any_order.iter().filter(|&&least| least == 32).count(), 2, "{in_any_order:?}");
}

/// What shares the loops of a kernel is kept to corners of its tiles, where columns meet the depth, not rows.
#[test]
fn companions_of_a_band_are_in_corners() {
    let text = "params n, b\nfor j = 0 .. n\n  for k = j+1 .. n\n    if k <= j + b {\n      q[k][k-j] = -A[k][k-j] / A[j][0]\n      for i = k .. n\n        if i <= j + b\n          A[i][i-k] += q[k][k-j] * A[i][i-j]\n    }";
    let (_, choice, out) = run(text, &ChooseOptions::default());
    let Choice::Transform { schedule, kernels, .. } = &choice else { panic!("{out}") };
    let [(update, plan)] = kernels.plans().iter().collect::<Vec<_>>()[..] else { panic!("{out}") };
    assert_eq!((update.0, plan.rows.len()), (1, 1), "{out}");
    let (members, _) = crate::cost::carried::perfect_nest(schedule.tree());
    let [depth, row, column] = members[..] else { panic!("{out}") };
    let time = |member: &crate::tree::Member| member.rows[&StatementId(0)].clone();
    assert_eq!(time(column), time(depth), "{out}");
    assert_ne!(time(column), time(row), "{out}");
    // Quotients along rows, where rows meet the depth.
    let text = "params n, b\nfor j = 0 .. n\n  for k = j+1 .. n\n    if k <= j + b {\n      q[j][k] = -A[j][k] / A[j][j]\n      for i = k .. n\n        if i <= j + b\n          A[k][i] += q[j][k] * A[j][i]\n    }";
    let (_, choice, out) = run(text, &ChooseOptions::default());
    let Choice::Transform { schedule, .. } = &choice else { panic!("{out}") };
    let (members, _) = crate::cost::carried::perfect_nest(schedule.tree());
    let [depth, row, column] = members[..] else { panic!("{out}") };
    assert_eq!(time(row), time(depth), "{out}");
    assert_ne!(time(column), time(row), "{out}");
}

/// Tiles of a band run over all rows where one companion is outside of the band: no tile then. Of the whole matrix they do anyway.
#[test]
fn companions_outside_of_a_band_keep_it_from_tiles() {
    let text = |band: &str| {
        format!(
            "params n, b\nfor i = 0 .. n {{\n  for j in 0 .. i\n    if {band} <= j {{\n      for k in 0 .. j\n        if {band} <= k\n          A[i][j] -= A[i][k] * A[j][k]\n      A[i][j] /= A[j][j]\n    }}\n  s[i] = A[i][i]\n  \
             for k in 0 .. i\n    if {band} <= k\n      s[i] -= A[i][k] * A[i][k]\n  A[i][i] = f(s[i])\n}}"
        )
    };
    let rows = |band: &str| -> Vec<usize> {
        let (_, choice, out) = run(&text(band), &ChooseOptions::default());
        let Choice::Transform { kernels, .. } = &choice else { panic!("{out}") };
        kernels.plans().values().map(|plan| plan.rows.len()).collect()
    };
    assert!(rows("i - b").iter().all(|&count| count == 0));
    assert!(rows("0").contains(&1));
}

/// A tile that uses nothing again is as fast as memory, and wants as much to do as a sum without rows.
#[test]
fn operands_that_are_used_once_come_from_memory() {
    let text = "params n\nfor i = 0 .. n\n  for j in 0 .. i\n    for k = 0 .. n\n      for l = 0 .. n\n        F[i][j] += D[k][l] * E[i][k][j][l]";
    let (_, choice, out) = run(text, &ChooseOptions::default());
    let Choice::Transform { kernels, predicted_speedup, .. } = &choice else { panic!("{out}") };
    let plan = kernels.plans().values().next().expect("a kernel");
    assert!(!plan.rows.is_empty() && plan.steps > 1, "{out}");
    assert!(*predicted_speedup < 6.0, "{out}");
    assert!(plan.worthwhile.iter().any(|enough| enough.least > 64), "{out}{:?}", plan.worthwhile);
}
