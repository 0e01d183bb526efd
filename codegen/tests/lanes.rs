//! Vectors of parallel loops: what they look like, and that they do what the source does, with scratch memory and without.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::generate::generate_tree;
use codegen::interpret::{execute_original, execute_with};
use codegen::lanes::{Shape, vectorise};
use codegen::registers::hold_cells;
use common::{Program, band, grid};
use expect_test::{Expect, expect};
use polyhedra::Budget;
use scheduler::tree::{Member, Node};

const SIZES: [i64; 8] = [0, 1, 2, 3, 4, 5, 8, 9];
const PLAIN: Shape = Shape { width: 4, masked: false, pack: false };

fn parallel(p: &Program, id: scheduler::scop::StatementId, row: &str) -> Member {
    Member { parallel: true, ..p.member(&[(id, row)]) }
}

/// Checks all shapes against the source, and prints one.
fn check(p: &Program, tree: &Node, shape: Shape, expect: &Expect) {
    let budget = Budget::generous();
    let ast = generate_tree(&p.scop, tree, &Default::default(), &budget).unwrap();
    let ast = hold_cells(&p.scop, ast, &budget).unwrap();
    for width in [2, 3, 4] {
        for (masked, pack) in [(false, false), (true, false), (false, true), (true, true)] {
            let ast = vectorise(&p.scop, ast.clone(), Shape { width, masked, pack }).unwrap();
            for params in grid(p.scop.params.len(), &SIZES) {
                let wanted = execute_original(&p.scop, &params).unwrap();
                for granted in [false, true] {
                    let got = execute_with(&p.scop, &ast, &params, granted);
                    let got = got.unwrap_or_else(|e| panic!("{e}: {params:?}\n{}", p.print(&ast)));
                    assert_eq!(got, wanted, "{params:?} {granted}\n{}", p.print(&ast));
                }
            }
        }
    }
    expect.assert_eq(&p.print(&vectorise(&p.scop, ast, shape).unwrap()));
}

fn saxpy() -> (Program, Node) {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["y[i]", "y[i]", "x[i]", "a[0]"]);
    let tree = band(vec![parallel(&p, s, "i")], Node::Leaf(s));
    (p, tree)
}

#[test]
fn what_is_left_at_the_end_has_a_mask() {
    let (p, tree) = saxpy();
    check(
        &p,
        &tree,
        PLAIN,
        &expect![[r#"
        if (0 <= n - 1) {
          hold r0 = a[0] (load) {
            for (c0 = 0; c0 <= floord(n - 4, 4); c0 += 1) { // parallel
              lanes 4: S0: y[4*c0 + lane] = f(y[4*c0 + lane], x[4*c0 + lane], r0);
            }
            for (c0 = max(0, floord(n, 4)); c0 <= floord(n - 1, 4); c0 += 1) { // parallel
              lanes 4, < n - 4*c0: S0: y[4*c0 + lane] = f(y[4*c0 + lane], x[4*c0 + lane], r0);
            }
          }
        }
    "#]],
    );
}

#[test]
fn masks_everywhere_need_one_loop() {
    let (p, tree) = saxpy();
    check(
        &p,
        &tree,
        Shape { masked: true, ..PLAIN },
        &expect![[r#"
            if (0 <= n - 1) {
              hold r0 = a[0] (load) {
                for (c0 = 0; c0 <= floord(n + 5, 4); c0 += 1) { // parallel
                  lanes 4, >= -4*c0 + 2, < n - 4*c0 + 2: S0: y[4*c0 + lane - 2] = f(y[4*c0 + lane - 2], x[4*c0 + lane - 2], r0);
                }
              }
            }
        "#]],
    );
}

#[test]
fn short_operands_are_copied() {
    let (p, tree) = saxpy();
    check(
        &p,
        &tree,
        Shape { pack: true, ..PLAIN },
        &expect![[r#"
            if (0 <= n - 1) {
              hold r0 = a[0] (load) {
                scratch p0[40] if (0 <= n - 1 && n - 1 <= 31) {
                  for (c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) { // parallel
                    lanes 4, < n - 4*c0: p0[4*c0 + lane] = x[4*c0 + lane];
                  }
                  for (c0 = 0; c0 <= floord(n - 4, 4); c0 += 1) { // parallel
                    lanes 4: S0: y[4*c0 + lane] = f(y[4*c0 + lane], p0[4*c0 + lane], r0);
                  }
                  for (c0 = max(0, floord(n, 4)); c0 <= floord(n - 1, 4); c0 += 1) { // parallel
                    lanes 4, < n - 4*c0: S0: y[4*c0 + lane] = f(y[4*c0 + lane], p0[4*c0 + lane], r0);
                  }
                } else {
                  for (c0 = 0; c0 <= floord(n - 4, 4); c0 += 1) { // parallel
                    lanes 4: S0: y[4*c0 + lane] = f(y[4*c0 + lane], x[4*c0 + lane], r0);
                  }
                  for (c0 = max(0, floord(n, 4)); c0 <= floord(n - 1, 4); c0 += 1) { // parallel
                    lanes 4, < n - 4*c0: S0: y[4*c0 + lane] = f(y[4*c0 + lane], x[4*c0 + lane], r0);
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn a_held_cell_becomes_a_held_vector() {
    let mut p = Program::new("n", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j < n", "k >= 0", "k < n"];
    let s = p.statement("i j k", &domain, &[0, 0, 0, 0], &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"]);
    let members = vec![parallel(&p, s, "i"), parallel(&p, s, "j"), p.member(&[(s, "k")])];
    check(
        &p,
        &band(members, Node::Leaf(s)),
        PLAIN,
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) { // parallel
          for (c1 = 0; c1 <= floord(n - 4, 4); c1 += 1) { // parallel
            hold lanes 4: r0 = C[c0][4*c1 + lane] (load, store) {
              for (c2 = 0; c2 <= n - 1; c2 += 1) {
                lanes 4: S0: r0 = f(r0, A[c0][c2], B[c2][4*c1 + lane]);
              }
            }
          }
          for (c1 = max(0, floord(n, 4)); c1 <= floord(n - 1, 4); c1 += 1) { // parallel
            hold lanes 4, < n - 4*c1: r1 = C[c0][4*c1 + lane] (load, store) {
              for (c2 = 0; c2 <= n - 1; c2 += 1) {
                lanes 4, < n - 4*c1: S0: r1 = f(r1, A[c0][c2], B[c2][4*c1 + lane]);
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn a_loop_whose_inner_bounds_vary_stays() {
    let mut p = Program::new("n", &[]);
    let domain = ["i >= 0", "i < n", "k >= 0", "k < i"];
    let s = p.statement("i k", &domain, &[0, 0, 0], &["y[i]", "y[i]", "A[i][k]"]);
    let members = vec![parallel(&p, s, "i"), p.member(&[(s, "k")])];
    check(
        &p,
        &band(members, Node::Leaf(s)),
        PLAIN,
        &expect![[r#"
        for (c0 = 1; c0 <= n - 1; c0 += 1) { // parallel
          hold r0 = y[c0] (load, store) {
            for (c1 = 0; c1 <= c0 - 1; c1 += 1) {
              S0: r0 = f(r0, A[c0][c1]);
            }
          }
        }
    "#]],
    );
}

#[test]
fn bounds_that_are_extrema_get_masks() {
    let mut p = Program::new("n m", &[]);
    let s = p.statement("i", &["i >= 0", "i >= m - 4", "i < n", "2i <= m"], &[0, 0], &["y[2i + 1]", "x[n - i]"]);
    check(
        &p,
        &band(vec![parallel(&p, s, "i")], Node::Leaf(s)),
        PLAIN,
        &expect![[r#"
        for (c0 = max(0, m - 4); c0 <= min(n - 1, floord(m, 2)); c0 += 4) { // parallel
          lanes 4, < min(n - c0, floord(m - 2*c0 + 2, 2)): S0: y[2*c0 + 2*lane + 1] = f(x[n - c0 - lane]);
        }
    "#]],
    );
}

#[test]
fn a_loop_far_from_a_trip_has_none() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i", &["i >= 3", "i < n"], &[0, 0], &["y[i]", "x[i - 1]"]);
    check(
        &p,
        &band(vec![parallel(&p, s, "i")], Node::Leaf(s)),
        PLAIN,
        &expect![[r#"
        for (c0 = 0; c0 <= floord(n - 7, 4); c0 += 1) { // parallel
          lanes 4: S0: y[4*c0 + lane + 3] = f(x[4*c0 + lane + 2]);
        }
        for (c0 = max(0, floord(n - 3, 4)); c0 <= floord(n - 4, 4); c0 += 1) { // parallel
          lanes 4, < n - 4*c0 - 3: S0: y[4*c0 + lane + 3] = f(x[4*c0 + lane + 2]);
        }
    "#]],
    );
}

#[test]
fn conditions_that_hold_for_all_lanes_stay_around_them() {
    let mut p = Program::new("n m", &[]);
    let domain = ["i >= 0", "i < n", "k >= 0", "k < m"];
    let s = p.statement("i k", &domain, &[0, 0, 0], &["y[i]", "y[i]", "A[k][i]"]);
    let members = vec![parallel(&p, s, "i"), p.member(&[(s, "k")])];
    check(
        &p,
        &band(members, Node::Leaf(s)),
        PLAIN,
        &expect![[r#"
            if (1 <= m) {
              for (c0 = 0; c0 <= floord(n - 4, 4); c0 += 1) { // parallel
                hold lanes 4: r0 = y[4*c0 + lane] (load, store) {
                  for (c1 = 0; c1 <= m - 1; c1 += 1) {
                    lanes 4: S0: r0 = f(r0, A[c1][4*c0 + lane]);
                  }
                }
              }
              for (c0 = max(0, floord(n, 4)); c0 <= floord(n - 1, 4); c0 += 1) { // parallel
                hold lanes 4, < n - 4*c0: r1 = y[4*c0 + lane] (load, store) {
                  for (c1 = 0; c1 <= m - 1; c1 += 1) {
                    lanes 4, < n - 4*c0: S0: r1 = f(r1, A[c1][4*c0 + lane]);
                  }
                }
              }
            }
        "#]],
    );
}
