//! Lanes, rows abreast, and loops cut in pieces.

use super::*;

#[test]
fn rows_of_recurrences_run_in_lanes() {
    check(
        "
params n
for i = 0 .. n
  A[i,0] = 0
  for j = 1 .. n
    A[i,j] = A[i,j - 1] * B[i,j]",
        &expect![[r#"
            loops in 8 lanes (3.0 times)
            for a vectors of 8, 125 times, Nothing
              for b lanes, 8 times, Nothing
                A[8a+b,0]
              for b, 999 times, Recurrence { distance: 1 }
                for b lanes, 8 times, Nothing
                  A[8a+c,b] A[8a+c,b] B[8a+c,b]
            S1: vectors of a loop outside, 1.200e6 cycles of compute, 1.761e6 of memory
            2.003e6 cycles
        "#]],
    );
}

#[test]
fn lanes_go_along_the_inner_of_two_loops_that_are_as_fast() {
    check(
        "
params n
for i = 0 .. n
  for j = 0 .. n
    for k = 1 .. n
      A[i,j,k] = A[i,j,k - 1] * B[i,j,k]",
        &expect![[r#"
            loops in 8 lanes (2.0 times)
            for a, 160 times, Nothing
              for b vectors of 8, 20 times, Nothing
                for c, 159 times, Recurrence { distance: 1 }
                  for d lanes, 8 times, Nothing
                    A[a,8b+d,c] A[a,8b+d,c] B[a,8b+d,c]
            S0: vectors of a loop outside, 5.182e6 cycles of compute, 7.459e6 of memory
            8.502e6 cycles
        "#]],
    );
}

#[test]
fn rows_that_wait_for_each_other_run_abreast() {
    check(
        "
params n, T
for t = 0 .. T
  for i = 1 .. n - 1
    for j = 1 .. n - 1
      A[i,j] = A[i - 1,j] + A[i,j - 1] + A[i,j + 1] + A[i + 1,j] @from 2 9",
        &expect![[r#"
            interchanged loops, skewed loops, 8 rows abreast (3.4 times)
            for a, 1000 times, Recurrence { distance: 1 }
              for b tiles of 8, 71 times, Nothing
                for c, 1995 times, Recurrence { distance: 1 }
                  for d 8 abreast, 8 times, Nothing
                    A[8b+d,-8b+c+-1d] A[8b+d,-8b+c+-1d] A[8b+d,-8b+c+-1d] A[8b+d,-8b+c+-1d] A[8b+d,-8b+c+-1d]
            S0: several at once, 1.844e9 cycles of compute, 5.959e8 of memory
            2.531e9 cycles
        "#]],
    );
}

#[test]
fn columns_of_recurrences_have_vectors_without_lanes() {
    check(
        "
params n
for i = 0 .. n
  for j = 1 .. n
    A[j,i] = A[j - 1,i] * B[j,i]",
        &expect![[r#"
            interchanged loops (6.0 times)
            for a, 999 times, Recurrence { distance: 1 }
              for b, 1000 times, Nothing
                A[a,b] A[a,b] B[a,b]
            S0: vectors of 8, 1.360e5 cycles of compute, 1.761e6 of memory
            1.791e6 cycles
        "#]],
    );
}

#[test]
fn rows_of_different_length_run_abreast() {
    check(
        "
params n
for i = 0 .. n
  for j = 1 .. i
    A[i,j] = A[i,j - 1] * B[i,j]",
        &expect![[r#"
            interchanged loops, 8 rows abreast (4.0 times)
            for a tiles of 8, 62 times, Nothing
              for b, 998 times, Recurrence { distance: 1 }
                for c 8 abreast, 8 times, Nothing
                  A[8a+c,b] A[8a+c,b] B[8a+c,b]
            S0: several at once, 3.739e5 cycles of compute, 8.476e5 of memory
            1.172e6 cycles
        "#]],
    );
}

#[test]
fn loops_shorter_than_a_vector_have_no_lanes() {
    let rows = |count: i64| {
        format!(
            "params n\narray A[?][{count}][16] : f64\nfor b = 0 .. n\n  for i = 0 .. {count}\n    for j = 1 .. 16\n      \
             A[b,i,j] += A[b,i,j-1] @operations 1 0 @chain 4"
        )
    };
    for count in [2, 6] {
        let (_, choice, out) = run(&rows(count), &ChooseOptions::default());
        let Choice::Transform { schedule, .. } = choice else { continue };
        assert!(!out.contains("for b lanes"), "{count}: {out} {:?}", schedule.tree().in_lanes());
    }
}

#[test]
fn rows_with_calls_have_lanes_where_calls_take_vectors() {
    let rows = |attributes: &str| {
        let text = format!(
            "params n\narray A[?][?] : f64\narray B[?][?] : f64\nfor i = 0 .. n\n  for j = 1 .. n\n    \
             A[i,j] = A[i,j-1] + B[i,j] @operations 2 0 @calls 1 @from 1 4{attributes}"
        );
        run(&text, &ChooseOptions::default()).2
    };
    let (vectors, scalars) = (rows(""), rows(" @scalar"));
    assert!(vectors.contains("lanes"), "{vectors}");
    // The calls take the time, not what waits.
    assert!(!scalars.contains("lanes") && !scalars.contains("abreast"), "{scalars}");
}

#[test]
fn transposes_have_lanes() {
    for (first, second) in [("i", "j"), ("j", "i")] {
        let text = format!(
            "params n\narray A[?][?] : f64\narray B[?][?] : f64\nfor {first} = 0 .. n\n  for {second} = 0 .. n\n    \
             B[j,i] = A[i,j] @operations 0 0"
        );
        let (_, choice, out) = run_on("znver5", &text, &ChooseOptions::default());
        assert!(matches!(choice, Choice::Transform { .. }) && out.contains("lanes"), "{out}");
    }
}

/// The innermost loop is cut where it stores what it reads, in the order in which it runs; what is left are vectors.
#[test]
fn loops_are_cut_where_they_store_what_they_read() {
    let cut = |text: &str| {
        let scop = testing::scop(text).expect("text of a part");
        let budget = Budget::generous();
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let Some(split) = planes::split(&scop, &budget).expect("pieces") else { return (0, false) };
        assert!(planes::split(&split.scop, &budget).expect("pieces").is_none(), "once is enough");
        let tree = legality::original(&split.scop);
        assert_eq!(testing::violation(&split.scop, &tree, &[4], 0, 4), Ok(None));
        let machine = Machine::for_cpu("znver5", 512, 32);
        let choice = planes::choose((&scop, &dependences), &split, &machine, &budget).expect("choice");
        (split.scop.statements.len(), choice.is_some())
    };
    let loops = |body: &str| format!("params n\nfor k = 0 .. n\n  for i = 0 .. n\n    for j = 0 .. n\n      {body}");
    assert_eq!(cut(&loops("P[i,j] = P[i,j] + P[i,k] * P[k,j]")), (3, true));
    // Cells that are far apart: still no vectors.
    assert_eq!(cut(&loops("P[j,i] = P[j,i] + P[k,i] * P[j,k]")), (3, false));
    // At the ends there are two pieces; what is stored last is no hindrance.
    assert_eq!(cut(&loops("P[i,j] = P[i,j] + P[i,0] * P[k,j]")), (2, true));
    assert_eq!(cut(&loops("P[i,j] = P[i,j] + P[i,n-1] * P[k,j]")), (2, false));
    // Never, at two places, or everywhere.
    assert_eq!(cut(&loops("P[i,j] = P[i,j] + P[i,n+k] * P[k,j]")), (0, false));
    assert_eq!(cut(&loops("P[i,j] = P[i,j] + P[i,k] * P[i,i]")), (0, false));
    assert_eq!(cut(&loops("P[i,k] = P[i,k] + P[i,j] * P[k,j]")), (0, false));
    // Other statements in the loop keep their order with it.
    let two = "params n\nfor i = 0 .. n\n  for j = 0 .. n\n    P[i,j] = P[i,j] + P[i,i]\n    Q[i,j] = P[i,j]";
    assert_eq!(cut(two), (0, false));
}

/// Nine points of a plane.
fn nine_points(attributes: &str) -> String {
    let points = (0..3).flat_map(|u| (0..3).map(move |v| format!("A[i + {u},j + {v}]"))).collect::<Vec<_>>();
    let sum = points.join(" + ");
    format!("\nparams n\nfor i = 0 .. n\n  for j = 0 .. n\n    B[i,j] = {sum} @operations 9 0{attributes}")
}

#[test]
fn rows_that_read_the_same_cells_run_abreast_in_lanes() {
    check(
        &nine_points(" @constants 3"),
        &expect![[r#"
        loops in 8 lanes, 8 rows abreast (1.6 times)
        for a tiles of 8, 125 times, Nothing
          for b vectors of 8, 125 times, Nothing
            for c 8 abreast, 8 times, Nothing
              for d lanes, 8 times, Nothing
                B[8a+c,8b+d] A[8a+c,8b+d] A[8a+c,8b+d] A[8a+c,8b+d] A[8a+c,8b+d] A[8a+c,8b+d] A[8a+c,8b+d] A[8a+c,8b+d] A[8a+c,8b+d] A[8a+c,8b+d]
        S0: vectors of a loop outside, 5.655e5 cycles of compute, 5.908e6 of memory
        6.053e6 cycles
    "#]],
    );
}

#[test]
fn what_rows_share_has_registers() {
    leaves(&nine_points(" @constants 40"));
}

#[test]
fn rows_that_share_nothing_are_left() {
    leaves(
        "\nparams n\nfor i = 0 .. n\n  for j = 0 .. n\n    B[i,j] = A[i,j] + A[i,j + 1] + A[i,j + 2] + C[i,j] + C[i,j + 1] + C[i,j + 2] @operations 6 0",
    );
}

#[test]
fn every_second_cell_of_a_row_is_a_lane() {
    check(
        "
params n
for i = 1 .. n
  for j = 1 .. n
    A[i,2*j] = A[i - 1,2*j + 1] + A[i,2*j - 1] + A[i,2*j + 1]",
        &expect![[r#"
            loops in 4 lanes (2.4 times)
            for a, 999 times, Nothing
              for b vectors of 4, 250 times, Nothing
                for c lanes, 4 times, Nothing
                  A[a,8b+2c] A[a,8b+2c] A[a,8b+2c] A[a,8b+2c]
            S0: vectors of a loop outside, 2.171e5 cycles of compute, 2.005e6 of memory
            2.051e6 cycles
        "#]],
    );
}
