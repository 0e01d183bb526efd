//! Trees in, loops out: each test generates, checks against brute force and compares the text.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Program, band, grid, guards_in_loops, matmul, trisolve, trisolve_fused};
use expect_test::{Expect, expect};
use scheduler::tree::Node;

fn check(p: &Program, tree: &Node, values: &[Vec<i64>], expect: &Expect) {
    let ast = p.check(tree, values);
    expect.assert_eq(&p.print(&ast));
}

const SIZES: [i64; 7] = [0, 1, 2, 3, 4, 5, 7];

#[test]
fn matmul_keeps_its_cell_over_the_reduction() {
    let (p, s) = matmul();
    let tree = p.nest(s, &["i", "j", "k"]);
    check(
        &p,
        &tree,
        &grid(1, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          for (c1 = 0; c1 <= n - 1; c1 += 1) {
            hold r0 = C[c0][c1] (load, store) {
              for (c2 = 0; c2 <= n - 1; c2 += 1) {
                S0: r0 = f(r0, A[c0][c2], B[c2][c1]);
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn matmul_holds_a_factor_when_the_output_runs_inside() {
    let (p, s) = matmul();
    let tree = p.nest(s, &["i", "k", "j"]);
    check(
        &p,
        &tree,
        &grid(1, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          for (c1 = 0; c1 <= n - 1; c1 += 1) {
            hold r0 = A[c0][c1] (load) {
              for (c2 = 0; c2 <= n - 1; c2 += 1) {
                S0: C[c0][c2] = f(C[c0][c2], r0, B[c1][c2]);
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn trisolve_is_one_region_without_guards() {
    let (p, ids) = trisolve();
    let tree = trisolve_fused(&p, ids);
    check(
        &p,
        &tree,
        &grid(2, &SIZES),
        &expect![[r#"
            if (1 <= N) {
              for (c0 = 0; c0 <= M - 1; c0 += 1) {
                for (c1 = 0; c1 <= N - 1; c1 += 1) {
                  hold r0 = A[c0][c1] (store) {
                    S0: r0 = f(B[c0][c1]);
                    for (c2 = 0; c2 <= c1 - 1; c2 += 1) {
                      S1: r0 = f(r0, A[c0][c2], U[c2][c1]);
                    }
                    S2: r0 = f(r0, U[c1][c1]);
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn triangle_with_its_axes_swapped() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j <= i"], &[0, 0, 0], &["A[i][j]"]);
    check(
        &p,
        &p.nest(s, &["j", "i"]),
        &grid(1, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          for (c1 = c0; c1 <= n - 1; c1 += 1) {
            S0: A[c1][c0] = f();
          }
        }
    "#]],
    );
}

#[test]
fn seed_two_example_in_three_axes() {
    let mut p = Program::new("", &[]);
    let s = p.statement("i j", &["i >= 0", "i < 9", "j >= i", "j < 7", "j < i + 4"], &[0, 0, 0], &["A[i][j]"]);
    check(
        &p,
        &p.nest(s, &["i", "j"]),
        &[vec![]],
        &expect![[r#"
        for (c0 = 0; c0 <= 6; c0 += 1) {
          for (c1 = c0; c1 <= min(c0 + 3, 6); c1 += 1) {
            S0: A[c0][c1] = f();
          }
        }
    "#]],
    );
    check(
        &p,
        &p.nest(s, &["j", "i"]),
        &[vec![]],
        &expect![[r#"
        for (c0 = 0; c0 <= 6; c0 += 1) {
          for (c1 = max(0, c0 - 3); c1 <= c0; c1 += 1) {
            S0: A[c1][c0] = f();
          }
        }
    "#]],
    );
    check(
        &p,
        &p.nest(s, &["j - i", "j"]),
        &[vec![]],
        &expect![[r#"
        for (c0 = 0; c0 <= 3; c0 += 1) {
          for (c1 = c0; c1 <= 6; c1 += 1) {
            S0: A[c1 - c0][c1] = f();
          }
        }
    "#]],
    );
}

#[test]
fn skewed_stencil() {
    let mut p = Program::new("T n", &[]);
    let s =
        p.statement("t i", &["t >= 0", "t < T", "i >= 1", "i < n - 1"], &[0, 0, 0], &["A[i]", "A[i - 1]", "A[i + 1]"]);
    check(
        &p,
        &p.nest(s, &["t", "t + i"]),
        &grid(2, &SIZES),
        &expect![[r#"
            if (3 <= n) {
              for (c0 = 0; c0 <= T - 1; c0 += 1) {
                for (c1 = c0 + 1; c1 <= c0 + n - 2; c1 += 1) {
                  S0: A[c1 - c0] = f(A[c1 - c0 - 1], A[c1 - c0 + 1]);
                }
              }
            }
        "#]],
    );
    check(
        &p,
        &p.nest(s, &["t + i", "t"]),
        &grid(2, &SIZES),
        &expect![[r#"
            if (1 <= T && 3 <= n) {
              for (c0 = 1; c0 <= T + n - 3; c0 += 1) {
                for (c1 = max(0, c0 - n + 2); c1 <= min(c0 - 1, T - 1); c1 += 1) {
                  S0: A[c0 - c1] = f(A[c0 - c1 - 1], A[c0 - c1 + 1]);
                }
              }
            }
        "#]],
    );
}

#[test]
fn reversed_and_shifted() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["A[i]"]);
    check(
        &p,
        &p.nest(s, &["n - i + 3"]),
        &grid(1, &SIZES),
        &expect![[r#"
        for (c0 = 4; c0 <= n + 3; c0 += 1) {
          S0: A[n - c0 + 3] = f();
        }
    "#]],
    );
}

#[test]
fn loops_of_different_lengths_are_cut_into_pieces() {
    let mut p = Program::new("n m", &[]);
    let a = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["A[i]"]);
    let b = p.statement("i", &["i >= 0", "i < m"], &[1, 0], &["B[i]", "A[i]"]);
    let tree = band(vec![p.member(&[(a, "i"), (b, "i")])], Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    check(
        &p,
        &tree,
        &grid(2, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= min(n - 1, m - 1); c0 += 1) {
          hold r0 = A[c0] (store) {
            S0: r0 = f();
            S1: B[c0] = f(r0);
          }
        }
        for (c0 = max(0, m); c0 <= n - 1; c0 += 1) {
          S0: A[c0] = f();
        }
        for (c0 = max(0, n); c0 <= m - 1; c0 += 1) {
          S1: B[c0] = f(A[c0]);
        }
    "#]],
    );
}

#[test]
fn shifted_producer_gets_prologue_and_epilogue() {
    let mut p = Program::new("n", &["n >= 3"]);
    let a = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["A[i]"]);
    let b = p.statement("i", &["i >= 1", "i < n - 1"], &[1, 0], &["B[i]", "A[i - 1]", "A[i + 1]"]);
    let tree = band(vec![p.member(&[(a, "i"), (b, "i + 1")])], Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    check(
        &p,
        &tree,
        &grid(1, &[3, 4, 5, 8]),
        &expect![[r#"
        for (c0 = 0; c0 <= 1; c0 += 1) {
          S0: A[c0] = f();
        }
        for (c0 = 2; c0 <= n - 1; c0 += 1) {
          hold r0 = A[c0] (store) {
            S0: r0 = f();
            S1: B[c0 - 1] = f(A[c0 - 2], r0);
          }
        }
    "#]],
    );
}

#[test]
fn statement_at_one_time_of_a_loop_is_peeled() {
    let mut p = Program::new("n", &["n >= 1"]);
    let a = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["s[i]"]);
    let b = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < n"], &[0, 1, 0], &["s[i]", "s[i]", "A[i][k]"]);
    let members = vec![p.member(&[(a, "i"), (b, "i")]), p.member(&[(a, "0"), (b, "k")])];
    let tree = band(members, Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    check(
        &p,
        &tree,
        &grid(1, &[1, 2, 3, 5]),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          hold r0 = s[c0] (store) {
            S0: r0 = f();
            S1: r0 = f(r0, A[c0][0]);
            for (c1 = 1; c1 <= n - 1; c1 += 1) {
              S1: r0 = f(r0, A[c0][c1]);
            }
          }
        }
    "#]],
    );
}

#[test]
fn guard_on_parameters_moves_outside() {
    let mut p = Program::new("n m", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j < n", "m >= 5"];
    let s = p.statement("i j", &domain, &[0, 0, 0], &["A[i][j]"]);
    let ast = p.check(&p.nest(s, &["i", "j"]), &grid(2, &SIZES));
    assert_eq!(guards_in_loops(&ast.body, false), 0, "{}", p.print(&ast));
    expect![[r#"
        if (5 <= m) {
          for (c0 = 0; c0 <= n - 1; c0 += 1) {
            for (c1 = 0; c1 <= n - 1; c1 += 1) {
              S0: A[c0][c1] = f();
            }
          }
        }
    "#]]
    .assert_eq(&p.print(&ast));
}

#[test]
fn guard_inside_one_of_two() {
    let mut p = Program::new("n", &[]);
    let a = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j < n"], &[0, 0, 0], &["A[i][j]"]);
    let b = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j < n", "i <= j"], &[0, 0, 1], &["B[i][j]"]);
    let members = vec![p.member(&[(a, "i"), (b, "i")]), p.member(&[(a, "j"), (b, "j")])];
    let tree = band(members, Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    check(
        &p,
        &tree,
        &grid(1, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          for (c1 = 0; c1 <= c0 - 1; c1 += 1) {
            S0: A[c0][c1] = f();
          }
          for (c1 = c0; c1 <= n - 1; c1 += 1) {
            S0: A[c0][c1] = f();
            S1: B[c0][c1] = f();
          }
        }
    "#]],
    );
}

#[test]
fn statement_without_loops() {
    let mut p = Program::new("n", &[]);
    let a = p.statement("", &[], &[0], &["s[0]"]);
    let b = p.statement("i", &["i >= 0", "i < n"], &[1, 0], &["s[0]", "s[0]", "A[i]"]);
    let c = p.statement("", &["n >= 2"], &[2], &["t[0]", "s[0]"]);
    let tree = Node::Sequence(vec![Node::Leaf(a), p.nest(b, &["i"]), Node::Leaf(c)]);
    check(
        &p,
        &tree,
        &grid(1, &SIZES),
        &expect![[r#"
        hold r0 = s[0] (store) {
          S0: r0 = f();
          for (c0 = 0; c0 <= n - 1; c0 += 1) {
            S1: r0 = f(r0, A[c0]);
          }
          if (2 <= n) {
            S2: t[0] = f(r0);
          }
        }
    "#]],
    );
}

#[test]
fn constant_rows_around_a_statement() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["A[i]"]);
    check(
        &p,
        &p.nest(s, &["3", "i", "2i + 1"]),
        &grid(1, &SIZES),
        &expect![[r#"
            if (1 <= n) {
              for (c0 = 0; c0 <= n - 1; c0 += 1) {
                S0: A[c0] = f();
              }
            }
        "#]],
    );
}

#[test]
fn diagonal_domain_needs_one_loop() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j = i + 1"], &[0, 0, 0], &["A[i][j]"]);
    check(
        &p,
        &p.nest(s, &["i", "j"]),
        &grid(1, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          S0: A[c0][c0 + 1] = f();
        }
    "#]],
    );
}

#[test]
fn rows_that_do_not_determine_the_iterators_are_refused() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j < n"], &[0, 0, 0], &["A[i][j]"]);
    for rows in [["i", "i"], ["i + j", "i - j"]] {
        let refused = codegen::generate::generate_tree(
            &p.scop,
            &p.nest(s, &rows),
            &Default::default(),
            &polyhedra::Budget::generous(),
        );
        assert!(matches!(refused, Err(scheduler::Error::Malformed(_))), "{refused:?}");
    }
}

#[test]
fn an_empty_budget_is_an_error() {
    let (p, s) = matmul();
    let tree = p.nest(s, &["i", "j", "k"]);
    let refused = codegen::generate::generate_tree(&p.scop, &tree, &Default::default(), &polyhedra::Budget::new(5));
    assert_eq!(refused, Err(scheduler::Error::Sets(polyhedra::Error::Budget)));
}

/// Statements of which only one ever runs have loops of their own: what tells them apart stands outside of these.
#[test]
fn statements_that_exclude_each_other_share_no_loop() {
    let mut p = Program::new("n m", &[]);
    let domain = |condition| ["i >= 0", "i < n", condition];
    let one = p.statement("i", &domain("m >= 1"), &[0, 0], &["A[i]"]);
    let other = p.statement("i", &domain("m <= 0"), &[0, 1], &["B[i]"]);
    let tree =
        band(vec![p.member(&[(one, "i"), (other, "i")])], Node::Sequence(vec![Node::Leaf(one), Node::Leaf(other)]));
    let ast = p.check(&tree, &grid(2, &SIZES));
    assert_eq!(guards_in_loops(&ast.body, false), 0);
    expect![[r#"
        if (1 <= m) {
          for (c0 = 0; c0 <= n - 1; c0 += 1) {
            S0: A[c0] = f();
          }
        } else {
          for (c0 = 0; c0 <= n - 1; c0 += 1) {
            S1: B[c0] = f();
          }
        }
    "#]]
    .assert_eq(&p.print(&ast));
}

/// Boxes of sizes of their own run as one nest only where the sizes are about the same: what nobody can put in order is one loop around all.
#[test]
fn four_boxes_ask_for_lengths_that_are_about_the_same() {
    let asked = |sizes: [[&str; 2]; 4]| {
        let mut p = Program::new("a b c d e f g h", &[]);
        let statements: Vec<_> = (0..4)
            .map(|k| {
                let (i, j) = (format!("i < {}", sizes[k][0]), format!("j < {}", sizes[k][1]));
                p.statement("i j", &["i >= 0", &i, "j >= 0", &j], &[k, 0, 0], &[&format!("A{k}[i][j]")])
            })
            .collect();
        let member = |row: &str| p.member(&statements.iter().map(|&s| (s, row)).collect::<Vec<_>>());
        let tree =
            band(vec![member("i"), member("j")], Node::Sequence(statements.iter().copied().map(Node::Leaf).collect()));
        p.check(&tree, &[vec![1, 2, 3, 4, 5, 6, 7, 8], vec![9, 1, 1, 9, 2, 2, 0, 5]]).worthwhile
    };
    let apart = asked([["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]);
    let holds = |values: [i64; 8]| apart.iter().all(|form| form.eval(&values, &[]).unwrap() >= 0);
    assert!(holds([1000; 8]));
    assert!(holds([1000, 700, 600, 1000, 900, 800, 1000, 1000]));
    assert!(!holds([20000, 20, 20, 20000, 30, 30, 30, 30]));
    assert!(!holds([30, 30, 30, 30, 30, 30, 20000, 30]));
    assert!(asked([["a", "b"]; 4]).is_empty());
    assert!(asked([["a", "b"], ["a - 1", "b"], ["a - 2", "b - 1"], ["a", "b + 1"]]).is_empty());
}
