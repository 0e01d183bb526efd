//! Decisions on kernels whose best form is known, on a Zen 5 core.

use super::*;
use crate::cost::nest::{Nest, Piece, Role};
use crate::cost::{Estimate, Execution};
use crate::{plan, testing};
use expect_test::{Expect, expect};
use polyhedra::Affine;
use std::fmt::Write as _;

mod at_once;
mod kernels;
mod strips;

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
                    Role::AbreastInLanes(count) => format!(" {count} abreast in lanes"),
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
    run_for(&Machine::for_cpu(cpu, 512, 32), text, options)
}

fn run_for(machine: &Machine, text: &str, options: &ChooseOptions) -> (Scop, Choice, String) {
    let scop = testing::scop(text).expect("text of a part");
    let budget = Budget::new(400_000_000);
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let candidates = plan::candidates(&scop, &dependences, &budget).expect("candidates");
    let choice = choose(&scop, &dependences, &candidates, machine, options, &budget).expect("choice");
    let model = Model::new(&scop, &dependences, machine, &budget).expect("model");
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
        S0: tiles c 2040, a 512, b 128, c 24, b 8; 8 rows, 24 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
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
            interchanged loops, distributed, register tile 8x24 with packed operands (50.2 times)
            S1: tiles c 2040, a 512, b 128, c 24, b 8; 8 rows, 24 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
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
            interchanged loops, fused 2 nests, register tile 12x16 (39.1 times)
            S1: tiles c 2720, a 384, b 168, c 16, b 12; 12 rows, 16 columns by 8, corners c by 8; fetch 2 by 28 a
            for a, 1000 times, Recurrence { distance: 1 }
              for b, 500 times, Forward
                for c, 1000 times, Nothing
                  A[a,c] A[a,c] U[a,a]
                  A[b,c] A[b,c] A[a,c] U[b,a]
            S0 S1: vectors of 8, 6.835e7 cycles of compute, 1.497e8 of memory
            1.644e8 cycles
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
            S0 S2: vectors of 8, 7.303e7 cycles of compute, 9.799e7 of memory
            1.187e8 cycles
        "#]],
    );
}

#[test]
fn what_is_good_is_left_alone() {
    leaves("params n\nfor i = 0 .. n\n  y[i] += x[i]");
    leaves("params n\nfor i = 0 .. n\n  for j = 0 .. n\n    B[i,j] = A[i,j]");
}

#[test]
fn the_order_of_the_source_in_other_coordinates_gains_nothing() {
    // From where a loop is counted makes no difference, even if that is a parameter.
    leaves("params n, q\narray x[?] : f32\narray y[?] : f32\nfor i = 0 .. n\n  y[i+q] += x[i] @operations 1 0");
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
    let (every_time, once) = (cycles(""), cycles(" @on [2] 0 1"));
    assert!(once < 0.8 * every_time, "{once} {every_time}");
    // That of what moves is not.
    assert!(cycles(" @on [1] 0 1") >= every_time);
}

#[test]
fn arrays_are_told_apart_where_statements_use_the_same_cells() {
    let speedup = |cpu: &str, apart: usize, pairs: &[(usize, usize)]| {
        // Products of matrices of three rows, those of the result so far from each other.
        let cell = |(i, j): (usize, usize)| {
            let (a, b): (Vec<_>, Vec<_>) =
                (0..3).map(|k| (format!("A[b,{}]", 3 * i + k), format!("B[b,{}]", 3 * k + j))).unzip();
            let loaded: String = (1..=6).map(|access| format!(" @loaded {access}")).collect();
            format!("  C[b,{}] = f({}, {}) @operations 3 0{loaded}\n", apart * (3 * i + j), a.join(", "), b.join(", "))
        };
        let cells: String = (0..9).map(|c| cell((c / 3, c % 3))).collect();
        let text = format!(
            "params n\narray C[?][99] : f64\narray A[?][9] : f64\narray B[?][9] : f64\nfor b = 0 .. n\n{cells}"
        );
        let scop = testing::scop(&text).expect("text of a part");
        let budget = Budget::generous();
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let machine = Machine::for_cpu(cpu, 0, 0);
        let pairs: Vec<_> = pairs.iter().map(|&(a, b)| (ArrayId(a), ArrayId(b))).collect();
        match super::told_apart(&scop, &dependences, &pairs, &machine, &budget).expect("choice") {
            Some(Choice::Transform { predicted_speedup, .. }) => predicted_speedup,
            _ => 1.0,
        }
    };
    for cpu in ["znver5", "haswell"] {
        assert!(speedup(cpu, 1, &[(0, 1), (0, 2)]) >= super::THRESHOLD);
        // Vectors of neighbours are a part of it.
        assert!(speedup(cpu, 2, &[(0, 1), (0, 2)]) < speedup(cpu, 1, &[(0, 1), (0, 2)]));
    }
    // Others, which these loops have nothing to do with. Where there are scatters LLVM scatters so many neighbours, known to be apart or not.
    assert!(speedup("haswell", 1, &[(0, 3)]) < super::THRESHOLD);
    assert!(speedup("znver5", 1, &[(0, 3)]) >= super::THRESHOLD);
}

/// `b[i] = f(a[i - 1], a[(i + 1) % n])` as two pieces: each has a nest.
#[test]
fn pieces_that_are_sought_stand_apart() {
    let text = "params n\nfor i = 1 .. n\n  if (i <= n - 2)\n    b[i] = f(a[i-1], a[i+1]) @operations 2 0 @sought 1 2 1\n  \
                if (i >= n - 1)\n    b[i] = f(a[i-1], a[0]) @operations 2 0 @sought 1 2 1";
    let nests = |sought: &str| {
        let text = text.replace(" @sought 1 2 1", sought);
        let scop = testing::scop(&text).expect("text of a part");
        let budget = Budget::generous();
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let machine = Machine::for_cpu("znver4", 512, 32);
        match super::told_apart(&scop, &dependences, &[], &machine, &budget).expect("choice") {
            Some(Choice::Transform { schedule, summary, .. }) => {
                assert_eq!(summary, ["conditions on counters taken out of loops"]);
                schedule.tree().outermost().len()
            }
            _ => 0,
        }
    };
    assert_eq!(nests(" @sought 1 2 1"), 2);
    assert_eq!(nests(""), 0);
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

/// How long loops have to be that are innermost now, for what the model chooses.
fn pays_inside_from(text: &str, along: Option<(usize, i64)>) -> i64 {
    let (scop, choice, out) = run(text, &ChooseOptions::default());
    let Choice::Transform { schedule, .. } = choice else { panic!("{out}") };
    let budget = Budget::new(400_000_000);
    let machine = Machine::for_cpu("znver5", 512, 32);
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    super::inside_pays_from((&scop, &dependences), schedule.tree(), along, &machine, &budget).expect("no overflow")
}

#[test]
fn short_loops_pay_inside_where_the_source_steps_over_rows() {
    let down = |from: &str| {
        format!(
            "params n, m\narray a[?][?] : f64\nfor j = 0 .. m\n  for i = 1 .. n\n    a[i,j] += a[{from},j] @operations 1 0 @from 1 3"
        )
    };
    assert!(pays_inside_from(&down("i-1"), Some((1, 0))) <= 16);
    // Of the other length it says nothing, nor of one that is no parameter.
    assert_eq!(pays_inside_from(&down("i-1"), None), 48);
    // The source is fast, too.
    let repeated = "params n, t\narray x[?] : f64\narray y[?] : f64\nfor r = 0 .. t\n  for i = 0 .. n\n    x[i] += y[i] @operations 1 0 @chain 3";
    assert_eq!(pays_inside_from(repeated, Some((1, 0))), 48);
}

#[test]
fn magnitudes_of_differences_are_left_to_llvm() {
    let blocks = |attributes: &str| {
        format!(
            "params n\narray s[?][?] : i32\narray c[?][?] : i8\narray r[?][?] : i8\nfor a = 0 .. n\n  for b = 0 .. n\n    \
             for y = 0 .. 16\n      s[a,b] += c[y,0] * r[a+y,b] @operations 64 0 @chain 0{attributes}"
        )
    };
    let (_, other, _) = run(&blocks(""), &ChooseOptions::default());
    assert!(matches!(other, Choice::Transform { .. }), "{other:?}");
    leaves(&blocks(" @magnitudes 16"));
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

/// Parts of complex numbers may have a subscript of their own: lanes over the numbers are two cells apart then, too, and what an inner loop sums up in registers waits for no store. (Where the source may be vectors one loop over all parts is
/// better, if there can be one.)
#[test]
fn parts_of_numbers_are_a_few_cells_apart() {
    let text = "params n, l\nassume n >= 1 and l >= 1\narray y[?][2] : f64\narray h[?][2] : f64\narray x[?][2] : f64\nfor i = 0 .. n\n  for k = 0 .. l\n    \
                y[i,0] += f(h[k,0], x[i+k,0], h[k,1], x[i+k,1]) @operations 4 0 @chain 3 @sums 2 @uncounted\n    \
                y[i,1] += f(h[k,0], x[i+k,1], h[k,1], x[i+k,0]) @operations 4 0 @chain 3 @sums 2 @uncounted";
    let (_, choice, out) = run_on("znver4", text, &ChooseOptions::default());
    match choice {
        Choice::Transform { predicted_speedup, .. } => {
            assert!(predicted_speedup > 3.0 && out.contains("8 lanes"), "{predicted_speedup} {out}");
        }
        Choice::Leave { .. } => panic!("{out}"),
    }
}
