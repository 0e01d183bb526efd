//! Decisions on kernels whose best form is known, on a Zen 5 core.

use super::*;
use crate::cost::nest::{Nest, Piece, Role};
use crate::cost::{Estimate, Execution};
use crate::{plan, testing};
use expect_test::{Expect, expect};
use polyhedra::Affine;
use std::fmt::Write as _;

/// The loops of an estimate as text, seen through the subscripts: loops are named `a`, `b`, ... from the outside, tile loops `A`, `B`, ...
fn loops(scop: &Scop, model: &Model<'_>, estimate: &Estimate) -> String {
    fn walk(scop: &Scop, nest: &Nest, piece: &Piece, depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        match piece {
            Piece::Block(children) => children.iter().for_each(|c| walk(scop, nest, c, depth, out)),
            Piece::Loop(id, body) => {
                let one = &nest.loops[id.0];
                let kind = match one.role {
                    Role::Plain => String::new(),
                    Role::Tile(size) => format!(" tiles of {size}"),
                    Role::Point(_) => " points".to_string(),
                    Role::Abreast(count) => format!(" {count} abreast"),
                    Role::Vectors(lanes) => format!(" vectors of {lanes}"),
                    Role::Lanes(_) => " lanes".to_string(),
                };
                let extent = nest.paths.values().flat_map(|p| &p.steps).filter(|s| s.of == *id).map(|s| s.extent);
                let most = extent.fold(0.0, f64::max);
                let _ = writeln!(out, "{pad}for {}{kind}, {most:.0} times, {:?}", name(one.depth), one.carried);
                walk(scop, nest, body, depth + 1, out);
            }
            Piece::Call(s) => {
                let path = &nest.paths[s];
                let accesses: Vec<String> = path
                    .accesses
                    .iter()
                    .map(|a| {
                        let subscript = |d: usize| {
                            let mut text = String::new();
                            for k in 0..path.steps.len() {
                                match a.by[k][d] {
                                    0 => {}
                                    1 => text = format!("{text}+{}", name(k)),
                                    c => text = format!("{text}+{c}{}", name(k)),
                                }
                            }
                            if text.is_empty() {
                                a.base[d].to_string()
                            } else {
                                text.trim_start_matches('+').to_string()
                            }
                        };
                        let subscripts: Vec<String> = (0..a.base.len()).map(subscript).collect();
                        format!("{}[{}]", scop.arrays[a.array.0].name, subscripts.join(","))
                    })
                    .collect();
                let _ = writeln!(out, "{pad}{}", accesses.join(" "));
            }
        }
    }
    fn name(depth: usize) -> char {
        char::from(b'a' + u8::try_from(depth).unwrap_or(25))
    }
    let (_, nest) = model.weigh(estimate.annotated.clone()).expect("estimate").expect("loops");
    let mut out = String::new();
    walk(scop, &nest, &nest.root, 0, &mut out);
    for inner in &estimate.inner {
        let how = match inner.execution {
            Execution::Lanes => "vectors of a loop outside".to_string(),
            Execution::Abreast => "several at once".to_string(),
            Execution::Vector { lanes } => format!("vectors of {lanes}"),
            Execution::Scalar => "scalar".to_string(),
            Execution::Chain { cycles } => format!("chain of {cycles}"),
        };
        let names: Vec<&str> = inner.statements.iter().map(|s| scop.statements[s.0].name.as_str()).collect();
        let _ = writeln!(
            out,
            "{}: {how}, {:.3e} cycles of compute, {:.3e} of memory",
            names.join(" "),
            inner.compute,
            inner.memory
        );
    }
    let _ = writeln!(out, "{:.3e} cycles", estimate.cycles);
    out
}

fn run(text: &str, options: &ChooseOptions) -> (Scop, Choice, String) {
    run_on("znver5", text, options)
}

fn run_on(cpu: &str, text: &str, options: &ChooseOptions) -> (Scop, Choice, String) {
    let scop = testing::scop(text).expect("text of a part");
    let budget = Budget::new(400_000_000);
    let machine = Machine::for_cpu(cpu, 512, 32);
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let candidates = plan::candidates(&scop, &dependences, &budget).expect("candidates");
    let choice = choose(&scop, &dependences, &candidates, &machine, options, &budget).expect("choice");
    let model = Model::new(&scop, &dependences, &machine, &budget).expect("model");
    let mut out = String::new();
    match &choice {
        Choice::Leave { reason } => {
            let _ = writeln!(out, "leave: {reason}");
        }
        Choice::Transform { schedule, kernels, predicted_speedup, summary } => {
            let estimate = model.estimate(schedule.tree()).expect("estimate").expect("legal");
            let _ = writeln!(out, "{} ({predicted_speedup:.1} times)", summary.join(", "));
            for (id, plan) in kernels.plans() {
                let _ = writeln!(out, "{}: {plan}", scop.statements[id.0].name);
            }
            out += &loops(&scop, &model, &estimate);
        }
    }
    (scop, choice, out)
}

#[test]
fn look() {
    let Ok(file) = std::env::var("LOOK_CHOICE") else { return };
    for text in std::fs::read_to_string(file).expect("file").split("----\n") {
        let time = std::time::Instant::now();
        let (scop, _, out) = run(text, &ChooseOptions::default());
        println!("=================== {:?}\n{text}", time.elapsed());
        let budget = Budget::generous();
        let machine = Machine::for_cpu("znver5", 512, 32);
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let model = Model::new(&scop, &dependences, &machine, &budget).expect("model");
        let estimate = model.estimate(&legality::original(&scop)).expect("estimate").expect("legal");
        println!("source:\n{}\n{out}", loops(&scop, &model, &estimate));
        if std::env::var("LOOK_ALL").is_ok() {
            let candidates = plan::candidates(&scop, &dependences, &budget).expect("candidates");
            let mut search = Search::new(&model).expect("ok");
            search.start_from(&candidates.iter().map(|c| c.schedule.tree()).collect::<Vec<_>>()).expect("ok");
            for c in &candidates {
                println!("{:?}\n{}", c.origin, plan::print(&scop, c.schedule.tree()));
                match model.estimate(c.schedule.tree()).expect("ok") {
                    Some(e) => println!("{}", loops(&scop, &model, &e)),
                    None => println!("no estimate"),
                }
            }
            search.run().expect("ok");
            for p in search.ranked().iter().take(4) {
                let e = model.estimate(&p.tree).expect("ok").expect("legal");
                println!("-- {}", loops(&scop, &model, &e));
            }
        }
    }
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&run(text, &ChooseOptions::default()).2);
}

fn leaves(text: &str) {
    let (_, choice, out) = run(text, &ChooseOptions::default());
    assert!(matches!(choice, Choice::Leave { .. }), "{text}\n{out}");
}

/// The words and the loops, without predictions.
fn structure(text: &str) -> String {
    let (_, choice, out) = run(text, &ChooseOptions::default());
    assert!(matches!(choice, Choice::Transform { .. }), "{text}\n{out}");
    out.lines().skip(1).take_while(|l| !l.contains("cycles")).fold(String::new(), |all, l| all + l + "\n")
}

/// A matrix product with loops in this order; `r`, `c` walk the rows and columns of the result, `x` the sum.
fn product(order: [&str; 3], names: [&str; 3]) -> String {
    let mut out = "params n\n".to_string();
    for (depth, l) in order.iter().enumerate() {
        let name = names[["r", "c", "x"].iter().position(|k| k == l).expect("a loop")];
        let _ = writeln!(out, "{}for {name} = 0 .. n", "  ".repeat(depth));
    }
    let [r, c, x] = names;
    let _ = writeln!(out, "      C[{r},{c}] += A[{r},{x}] * B[{x},{c}]");
    out
}

const ORDERS: [[&str; 3]; 6] =
    [["r", "c", "x"], ["r", "x", "c"], ["c", "r", "x"], ["c", "x", "r"], ["x", "r", "c"], ["x", "c", "r"]];

#[test]
fn all_orders_of_a_matrix_product_end_alike() {
    let first = structure(&product(ORDERS[0], ["i", "j", "k"]));
    expect![[r#"
        S0: tiles c 3072, a 256, b 252, c 32, b 6; 6 rows, 32 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
        for a, 1000 times, Reduction
          for b, 1000 times, Nothing
            for c, 1000 times, Nothing
              C[b,c] C[b,c] A[b,a] B[a,c]
    "#]]
    .assert_eq(&first);
    for order in ORDERS {
        for names in [["i", "j", "k"], ["z", "a", "m"]] {
            assert_eq!(first, structure(&product(order, names)), "{order:?} {names:?}");
        }
    }
}

/// Shifted, reversed and permuted loops: one program, one tree.
#[test]
fn other_ways_to_write_a_product_end_alike() {
    let first = structure(&product(ORDERS[0], ["i", "j", "k"]));
    let others = [
        "params n\nfor i = 1 .. n+1\n  for j = 0 .. n\n    for k = 0 .. n\n      C[i-1,j] += A[i-1,k] * B[k,j]",
        "params n\nfor i = n-1 downto 0\n  for j = n-1 downto 0\n    for k = 0 .. n\n      C[i,j] += A[i,k] * B[k,j]",
        "params n\nfor k = 0 .. n\n  for i = n-1 downto 0\n    for j = 5 .. n+5\n      C[i,j-5] += A[i,k] * B[k,j-5]",
    ];
    for other in others {
        assert_eq!(first, structure(other), "{other}");
    }
}

#[test]
fn zero_initialisation_is_distributed() {
    let source = "
params n
for i = 0 .. n
  for j = 0 .. n
    C[i,j] = 0
    for k = 0 .. n
      C[i,j] += A[i,k] * B[k,j]";
    check(
        source,
        &expect![[r#"
            interchanged loops, distributed, register tile 6x32 with packed operands (51.5 times)
            S1: tiles c 3072, a 256, b 252, c 32, b 6; 6 rows, 32 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
            for a, 1000 times, Nothing
              for b, 1000 times, Nothing
                C[a,b]
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                for c, 1000 times, Nothing
                  C[b,c] C[b,c] A[b,a] B[a,c]
            S0: vectors of 8, 1.359e5 cycles of compute, 8.811e5 of memory
            S1: vectors of 8, 1.363e8 cycles of compute, 2.994e8 of memory
            3.296e8 cycles
        "#]],
    );
}

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

#[test]
fn transposed_matrix_times_vector_is_interchanged() {
    let source = "
params n
for j = 0 .. n
  for i = 0 .. n
    y[j] += A[i,j] * x[i]";
    check(
        source,
        &expect![[r#"
            interchanged loops (13.4 times)
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                y[b] y[b] A[a,b] x[a]
            S0: vectors of 8, 1.363e5 cycles of compute, 2.901e5 of memory
            3.194e5 cycles
        "#]],
    );
}

#[test]
fn column_order_is_interchanged() {
    let source = "
params n
for j = 0 .. n
  for i = 0 .. n
    B[i,j] = A[i,j]";
    check(
        source,
        &expect![[r#"
            interchanged loops (5.5 times)
            for a, 1000 times, Nothing
              for b, 1000 times, Nothing
                B[a,b] A[a,b]
            S0: vectors of 8, 1.359e5 cycles of compute, 1.762e6 of memory
            1.791e6 cycles
        "#]],
    );
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
    let (plain, scaled, both) = (product(""), product(" @operations 2 0 @on 2 1 0"), product(" @operations 2 0"));
    assert!((scaled / plain - 1.0).abs() < 0.01, "{scaled} {plain}");
    assert!(both < 0.7 * plain, "{both} {plain}");
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
            interchanged loops, distributed, register tile 6x32 with packed operands (51.5 times)
            S1: tiles c 3072, a 256, b 252, c 32, b 6; 6 rows, 32 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
            S3: tiles c 3072, a 256, b 252, c 32, b 6; 6 rows, 32 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
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
            interchanged loops, register tile 6x32 with packed operands (59.8 times)
            S0: tiles c 3072, a 256, b 252, c 32, b 6; 6 rows, 32 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                for c, 1000 times, Nothing
                  C[b,c] C[b,c] A[a,b] B[a,c]
            S0: vectors of 8, 1.363e8 cycles of compute, 2.919e8 of memory
            3.211e8 cycles
        "#]],
    );
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
            interchanged loops, register tile 6x32 with packed operands (46.3 times)
            S0: tiles c 3072, a 256, b 252, c 32, b 6; 6 rows, 32 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 6 rows, 8 columns
            for a, 1000 times, Reduction
              for b, 1000 times, Nothing
                for c, 1000 times, Nothing
                  C[b,c] C[b,c] A[b,a] B[c,a]
            S0: scalar, 6.292e8 cycles of compute, 2.104e9 of memory
            2.232e9 cycles
        "#]],
    );
}

#[test]
fn triangular_solve_by_columns_is_interchanged() {
    let source = "
params M, N
for m = 0 .. M
  for n = 0 .. N
    A[n,m] /= U[n,n]
    for k = n+1 .. N
      A[k,m] -= A[n,m] * U[k,n]";
    check(
        source,
        &expect![[r#"
            interchanged loops, fused 2 nests, register tile 12x16 (39.4 times)
            S1: tiles c 2720, a 384, b 168, c 16, b 12; 12 rows, 16 columns by 8, corners c by 8
            for a, 1000 times, Recurrence { distance: 1 }
              for b, 500 times, Forward
                for c, 1000 times, Nothing
                  A[a,c] A[a,c] U[a,a]
                  A[b,c] A[b,c] A[a,c] U[b,a]
            S0 S1: vectors of 8, 1.258e9 cycles of compute, 1.497e8 of memory
            1.289e9 cycles
        "#]],
    );
}

/// The division moves into the loop over columns, so that the sum can be outside and rows are updated at once.
#[test]
fn lu_by_dot_products_becomes_row_updates() {
    let source = "
params n
for i = 0 .. n
  for j = 0 .. i
    for k = 0 .. j
      A[i,j] -= A[i,k] * A[k,j]
    A[i,j] /= A[j,j]
  for j = i .. n
    for k = 0 .. i
      A[i,j] -= A[i,k] * A[k,j]";
    check(
        source,
        &expect![[r#"
            interchanged loops, fused 3 nests (9.8 times)
            for a, 999 times, Recurrence { distance: 1 }
              for b, 500 times, Nothing
                A[b,a] A[b,a] A[a,a]
                for c, 334 times, Nothing
                  A[b,c] A[b,c] A[b,a] A[a,c]
                  A[b,b+c] A[b,b+c] A[b,a] A[a,b+c]
            S0 S2: vectors of 8, 7.310e7 cycles of compute, 9.799e7 of memory
            1.187e8 cycles
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
            interchanged loops, register tile 1x8x24 with packed operands (39.9 times)
            S0: tiles d 3072, a 256, b 1, c 256, d 24, c 8; 1x8 rows, 24 columns by 8; pack 3 [a d] inside 2; in place 8 rows, 8 columns
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
            interchanged loops, register tile 8x24 with packed operands (25.7 times)
            S0: tiles d 3072, b 256, c 256, d 24, c 8; 8 rows, 24 columns by 8; pack 2 [b c] inside 3; pack 3 [b d] inside 2; in place 8 rows, 16 columns
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
            interchanged loops, distributed, register tile 8x24 with packed operands (31.2 times)
            S1: tiles c 3072, a 256, b 256, c 24, b 8; 8 rows, 24 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 8 columns
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
            interchanged loops, distributed, register tile 8x24 (22.7 times)
            S1: tiles c 3072, a 256, b 256, c 24, b 8; 8 rows, 24 columns by 8
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
            interchanged loops, fused 6 nests, register tile 8x24, register tile 12x16 (35.6 times)
            S1: tiles c 3072, a 256, b 256, c 24, b 8; 8 rows, 24 columns by 8, corners c by 8 beyond b
            S5: tiles c 2720, a 384, b 168, c 16, b 12; 12 rows, 16 columns by 8, corners c by 8 beyond b
            for a, 1000 times, Recurrence { distance: 1 }
              for b, 500 times, Recurrence { distance: 1 }
                for c, 500 times, Forward
                  A[b,c] A[b,c] A[b,a] A[a,c]
                  A[a,c] A[a,c] A[a,a]
                  A[a,a] A[a,a] A[a,a]
                  A[b,a] A[b,a] A[a,a]
            for a, 1000 times, Reduction
              for b, 500 times, Recurrence { distance: 1 }
                for c, 500 times, Forward
                  A[a,c] A[a,c] A[a,a]
                  A[b,c] A[b,c] A[a,b] A[a,c]
            S1 S2: vectors of 8, 7.291e7 cycles of compute, 4.892e7 of memory
            S4 S5: vectors of 8, 7.311e7 cycles of compute, 4.907e7 of memory
            1.733e8 cycles
        "#]],
    );
}

#[test]
fn what_is_good_is_left_alone() {
    leaves("params n\nfor i = 0 .. n\n  y[i] += x[i]");
    leaves("params n\nfor i = 0 .. n\n  for j = 0 .. n\n    B[i,j] = A[i,j]");
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
fn rows_that_wait_for_each_other_run_abreast() {
    check(
        "
params n, T
for t = 0 .. T
  for i = 1 .. n - 1
    for j = 1 .. n - 1
      A[i,j] = A[i - 1,j] + A[i,j - 1] + A[i,j + 1] + A[i + 1,j] @from 2 9",
        &expect![[r#"
            interchanged loops, skewed loops, 8 rows abreast (4.9 times)
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
fn rows_of_different_length_run_abreast_without_lanes() {
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
            nests in strips of 16 (3.0 times)
            for a, 1000 times, Recurrence { distance: 1 }
              for b, 998 times, Nothing
                for c, 998 times, Nothing
                  B[b,c] A[b,c] A[b,c] A[b,c] A[b,c] A[b,c]
              for b, 998 times, Nothing
                for c, 998 times, Nothing
                  A[b,c] B[b,c] B[b,c] B[b,c] B[b,c] B[b,c]
            S0: vectors of 8, 5.724e8 cycles of compute, 2.010e9 of memory
            S1: vectors of 8, 5.724e8 cycles of compute, 2.010e9 of memory
            4.252e9 cycles
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
    assert!(!proved(vec![cut(1, 1, 0)]));
    assert!(!proved(vec![cut(0, -1, 4)]));
    assert!(!proved(vec![cut(1, 1, 4), kernel::Cut { rows: crate::tree::Rows::default(), size: 4 }]));
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
            let corners = vec![kernel::Corner { member, beyond, lanes: 2, worthwhile: 1 }];
            let kernels = [(*id, kernel::Blocking { corners, ..plan.clone() })].into();
            let found = kernel::prove(&scop, &dependences, &schedule, kernels, Vec::new(), &budget).expect("proof");
            let kept = found.is_some_and(|k| !k.plans()[id].corners.is_empty());
            assert_eq!(kept, provable.contains(&corner), "{corner:?}\n{out}");
        }
    }
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
fn the_order_of_the_source_in_other_coordinates_gains_nothing() {
    // From where a loop is counted makes no difference, even if that is a parameter.
    leaves("params n, q\narray x[?] : f32\narray y[?] : f32\nfor i = 0 .. n\n  y[i+q] += x[i] @operations 1 0");
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

#[test]
fn a_root_of_what_does_not_move_is_taken_before_the_loop() {
    let cycles = |attributes: &str| {
        let text = format!(
            "params n\narray A[?][?] : f64\narray B[?][?] : f64\narray v[?] : f64\nfor i = 0 .. n\n  for j = 0 .. n\n    \
             B[i,j] = A[i,j] * v[i] @operations 1 1{attributes}"
        );
        let scop = testing::scop(&text).expect("text of a part");
        let budget = Budget::generous();
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        super::source_cycles(&scop, &dependences, &Machine::for_cpu("znver5", 512, 32), &budget)
            .expect("cost")
            .expect("cost")
    };
    let (every_time, once) = (cycles(""), cycles(" @on 2 0 1"));
    assert!(once < 0.8 * every_time, "{once} {every_time}");
    // That of what moves is not.
    assert!(cycles(" @on 1 0 1") >= every_time);
}

#[test]
fn arrays_are_told_apart_where_statements_use_the_same_cells() {
    let speedup = |apart: usize| {
        // Products of matrices of three rows, those of the result so far from each other.
        let cell = |(i, j): (usize, usize)| {
            let (a, b): (Vec<_>, Vec<_>) =
                (0..3).map(|k| (format!("A[b,{}]", 3 * i + k), format!("B[b,{}]", 3 * k + j))).unzip();
            format!("  C[b,{}] = f({}, {}) @operations 3 0\n", apart * (3 * i + j), a.join(", "), b.join(", "))
        };
        let cells: String = (0..9).map(|c| cell((c / 3, c % 3))).collect();
        let text = format!(
            "params n\narray C[?][99] : f64\narray A[?][9] : f64\narray B[?][9] : f64\nfor b = 0 .. n\n{cells}"
        );
        let scop = testing::scop(&text).expect("text of a part");
        let budget = Budget::generous();
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let machine = Machine::for_cpu("znver5", 512, 32);
        match super::told_apart(&scop, &dependences, &machine, &budget).expect("choice") {
            Some(Choice::Transform { predicted_speedup, .. }) => predicted_speedup,
            _ => 1.0,
        }
    };
    assert!(speedup(1) >= super::THRESHOLD);
    // Vectors of neighbours are a part of it.
    assert!(speedup(2) < speedup(1));
}

#[test]
fn sums_in_any_order_are_left_to_llvm() {
    let sums = |attributes: &str| {
        format!(
            "params n\narray y[?] : f64\narray A[?][?] : f64\nfor i = 0 .. n\n  for j = 0 .. n\n    \
             y[i] += A[i,j] @operations 1 0 @chain 3{attributes}"
        )
    };
    let (_, in_order, _) = run(&sums(""), &ChooseOptions::default());
    assert!(matches!(in_order, Choice::Transform { .. }), "{in_order:?}");
    leaves(&sums(" @any_order"));
}

#[test]
fn force_takes_the_first_candidate() {
    let source = product(ORDERS[0], ["i", "j", "k"]);
    let forced = |tile: Option<Vec<i64>>| {
        let (scop, choice, _) = run(&source, &ChooseOptions { policy: Policy::Force, tile });
        let Choice::Transform { schedule, summary, .. } = choice else { panic!("force transforms") };
        (plan::print(&scop, schedule.tree()), summary)
    };
    let (plain, summary) = forced(None);
    assert!(!plain.contains("tile") && summary.iter().all(|s| !s.contains("tiled")), "{plain}");
    let (tiled, summary) = forced(Some(vec![16, 32]));
    assert_eq!(tiled.matches(" tile 16").count(), 2, "{tiled}");
    assert_eq!(tiled.matches(" tile 32").count(), 1, "{tiled}");
    assert!(summary.contains(&"tiled 16x32x16".to_string()), "{summary:?}");
}

#[test]
fn a_forced_choice_ignores_cost() {
    let source = "params n\nfor i = 0 .. n\n  y[i] += x[i]";
    let (_, choice, _) = run(source, &ChooseOptions { policy: Policy::Force, tile: None });
    assert!(matches!(choice, Choice::Transform { .. }));
}

/// Whatever the dice say keeps the order of conflicting instances: checked by enumeration.
#[test]
fn random_choices_are_legal_and_repeatable() {
    let sources = [
        product(ORDERS[1], ["i", "j", "k"]),
        "params n\nfor i = 0 .. n\n  for j = 0 .. n\n    C[i,j] = 0\n    for k = 0 .. n\n      C[i,j] += A[i,k] * B[k,j]".to_string(),
        "params n\nfor k = 0 .. n\n  for i = k+1 .. n\n    A[i,k] /= A[k,k]\n    for j = k+1 .. n\n      A[i,j] -= A[i,k] * A[k,j]".to_string(),
        "params n, T\nfor t = 0 .. T\n  for i = 1 .. n-1\n    B[i] = A[i-1] + A[i+1]\n  for i = 1 .. n-1\n    A[i] = B[i]".to_string(),
        "params n\nfor i = 0 .. n\n  for j = 0 .. i\n    for k = 0 .. j\n      A[i,j] -= A[i,k] * A[k,j]\n    A[i,j] /= A[j,j]\n  for j = i .. n\n    for k = 0 .. i\n      A[i,j] -= A[i,k] * A[k,j]".to_string(),
    ];
    for source in &sources {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..12 {
            let options = ChooseOptions { policy: Policy::Random(seed), tile: None };
            let (scop, choice, text) = run(source, &options);
            let Choice::Transform { schedule, .. } = &choice else { panic!("random transforms") };
            let params = vec![4; scop.params.len()];
            let bad = testing::violation(&scop, schedule.tree(), &params, 0, 5).expect("no overflow");
            assert_eq!(bad, None, "{source}\n{}", plan::print(&scop, schedule.tree()));
            assert_eq!(text, run(source, &options).2);
            seen.insert(plan::print(&scop, schedule.tree()));
        }
        assert!(seen.len() > 3, "{source}\nonly {} different trees", seen.len());
    }
}

#[test]
fn auto_choices_are_legal() {
    for order in ORDERS {
        let (scop, choice, _) = run(&product(order, ["i", "j", "k"]), &ChooseOptions::default());
        let Choice::Transform { schedule, .. } = &choice else { panic!("a product is transformed") };
        assert_eq!(testing::violation(&scop, schedule.tree(), &[4], 0, 5), Ok(None));
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
