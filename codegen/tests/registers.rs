//! Cells in registers: what is held, and the twins that must not be. Every check also runs the symbolic memory.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::ast::{Ast, AstNode, Held};
use codegen::generate::generate_tree;
use codegen::interpret::execute;
use codegen::registers::hold_cells;
use common::{Program, band, grid, matmul};
use expect_test::{Expect, expect};
use polyhedra::{Affine, Budget, Space};
use scheduler::kernel::Kernels;
use scheduler::scop::{AccessKind, ArrayId};
use scheduler::tree::Node;

const SIZES: [i64; 6] = [0, 1, 2, 3, 4, 6];

fn check(p: &Program, tree: &Node, values: &[Vec<i64>], expect: &Expect) {
    let ast = p.check(tree, values);
    expect.assert_eq(&p.print(&ast));
}

#[test]
fn a_reduction_that_may_have_no_trip_gets_a_condition() {
    let mut p = Program::new("n K", &[]);
    let s = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < K"], &[0, 0, 0], &["y[i]", "y[i]", "A[i][k]"]);
    check(
        &p,
        &p.nest(s, &["i", "k"]),
        &grid(2, &SIZES),
        &expect![[r#"
            if (1 <= K) {
              for (c0 = 0; c0 <= n - 1; c0 += 1) {
                hold r0 = y[c0] (load, store) {
                  for (c1 = 0; c1 <= K - 1; c1 += 1) {
                    S0: r0 = f(r0, A[c0][c1]);
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn a_store_that_may_not_happen_stays_in_memory() {
    for doubt in [AccessKind::MayWrite, AccessKind::Write] {
        let mut p = Program::new("n K", &[]);
        let s = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < K"], &[0, 0, 0], &["y[i]", "y[i]", "A[i][k]"]);
        let access = &mut p.scop.statements[0].accesses[0];
        access.kind = doubt;
        access.extent = if doubt == AccessKind::Write { 2 } else { 1 };
        check(
            &p,
            &p.nest(s, &["i", "k"]),
            &grid(2, &SIZES),
            &expect![[r#"
                if (1 <= K) {
                  for (c0 = 0; c0 <= n - 1; c0 += 1) {
                    for (c1 = 0; c1 <= K - 1; c1 += 1) {
                      S0: y[c0] = f(y[c0], A[c0][c1]);
                    }
                  }
                }
            "#]],
        );
    }
}

#[test]
fn a_sum_over_all_loops_is_held_outside_all() {
    let mut p = Program::new("n K", &[]);
    let s = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < K"], &[0, 0, 0], &["s[0]", "s[0]", "A[i][k]"]);
    check(
        &p,
        &p.nest(s, &["i", "k"]),
        &grid(2, &SIZES),
        &expect![[r#"
            if (1 <= K) {
              if (0 <= n - 1) {
                hold r0 = s[0] (load, store) {
                  for (c0 = 0; c0 <= n - 1; c0 += 1) {
                    for (c1 = 0; c1 <= K - 1; c1 += 1) {
                      S0: r0 = f(r0, A[c0][c1]);
                    }
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn a_triangular_sum_is_held_where_its_trip_is_known() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < i"], &[0, 0, 0], &["s[0]", "s[0]", "A[i][k]"]);
    check(
        &p,
        &p.nest(s, &["i", "k"]),
        &grid(1, &SIZES),
        &expect![[r#"
        if (1 <= n - 1) {
          hold r0 = s[0] (load, store) {
            for (c0 = 1; c0 <= n - 1; c0 += 1) {
              for (c1 = 0; c1 <= c0 - 1; c1 += 1) {
                S0: r0 = f(r0, A[c0][c1]);
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn convolution_holds_its_output_over_both_inner_loops() {
    let mut p = Program::new("n m K L", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j < m", "k >= 0", "k < K", "l >= 0", "l < L"];
    let accesses = ["C[i][j]", "C[i][j]", "A[i + k][j + l]", "W[k][l]"];
    let s = p.statement("i j k l", &domain, &[0, 0, 0, 0, 0], &accesses);
    check(
        &p,
        &p.nest(s, &["i", "j", "k", "l"]),
        &grid(4, &[0, 1, 3]),
        &expect![[r#"
            if (1 <= m && 1 <= K && 1 <= L) {
              for (c0 = 0; c0 <= n - 1; c0 += 1) {
                for (c1 = 0; c1 <= m - 1; c1 += 1) {
                  hold r0 = C[c0][c1] (load, store) {
                    for (c2 = 0; c2 <= K - 1; c2 += 1) {
                      for (c3 = 0; c3 <= L - 1; c3 += 1) {
                        S0: r0 = f(r0, A[c0 + c2][c1 + c3], W[c2][c3]);
                      }
                    }
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn another_name_for_the_cell_forbids_it() {
    let mut p = Program::new("n", &[]);
    // A[i] is read and written while A[k] walks over it.
    let s = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < n"], &[0, 0, 0], &["A[i]", "A[i]", "A[k]"]);
    check(
        &p,
        &p.nest(s, &["i", "k"]),
        &grid(1, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          for (c1 = 0; c1 <= n - 1; c1 += 1) {
            S0: A[c0] = f(A[c0], A[c1]);
          }
        }
    "#]],
    );
}

#[test]
fn another_name_that_never_meets_the_cell_does_not() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < i"], &[0, 0, 0], &["A[i]", "A[i]", "A[k]"]);
    check(
        &p,
        &p.nest(s, &["i", "k"]),
        &grid(1, &SIZES),
        &expect![[r#"
        for (c0 = 1; c0 <= n - 1; c0 += 1) {
          hold r0 = A[c0] (load, store) {
            for (c1 = 0; c1 <= c0 - 1; c1 += 1) {
              S0: r0 = f(r0, A[c1]);
            }
          }
        }
    "#]],
    );
}

#[test]
fn a_read_cell_is_not_held_when_a_write_may_change_it() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < n"], &[0, 0, 0], &["A[k]", "A[i]"]);
    check(
        &p,
        &p.nest(s, &["i", "k"]),
        &grid(1, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          for (c1 = 0; c1 <= n - 1; c1 += 1) {
            S0: A[c1] = f(A[c0]);
          }
        }
    "#]],
    );
}

#[test]
fn a_read_alone_does_not_make_a_store() {
    let mut p = Program::new("n m", &[]);
    // The read of s[0] always runs, the write perhaps never: holding both would store a value that the program does not store.
    let read = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["y[i]", "s[0]"]);
    let write = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < m"], &[0, 1, 0], &["s[0]", "B[k]"]);
    let rows = p.member(&[(read, "i"), (write, "i")]);
    let tree = band(vec![rows], Node::Sequence(vec![Node::Leaf(read), p.nest(write, &["k"])]));
    check(
        &p,
        &tree,
        &grid(2, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          S0: y[c0] = f(s[0]);
          if (0 <= m - 1) {
            hold r0 = s[0] (store) {
              for (c1 = 0; c1 <= m - 1; c1 += 1) {
                S1: r0 = f(B[c1]);
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn a_write_that_ends_early_splits_the_loop() {
    let mut p = Program::new("n m", &[]);
    let init = p.statement("i", &["i >= 0", "i < n", "i <= m"], &[0, 0], &["s[i]"]);
    let add = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < 4"], &[0, 1, 0], &["s[i]", "s[i]", "A[k]"]);
    let rows = p.member(&[(init, "i"), (add, "i")]);
    let tree = band(vec![rows], Node::Sequence(vec![Node::Leaf(init), p.nest(add, &["k"])]));
    check(
        &p,
        &tree,
        &grid(2, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= min(m, n - 1); c0 += 1) {
          hold r0 = s[c0] (store) {
            S0: r0 = f();
            for (c1 = 0; c1 <= 3; c1 += 1) {
              S1: r0 = f(r0, A[c1]);
            }
          }
        }
        for (c0 = max(0, m + 1); c0 <= n - 1; c0 += 1) {
          hold r1 = s[c0] (load, store) {
            for (c1 = 0; c1 <= 3; c1 += 1) {
              S1: r1 = f(r1, A[c1]);
            }
          }
        }
    "#]],
    );
}

#[test]
fn a_guarded_write_is_no_certain_write() {
    let mut p = Program::new("n m", &[]);
    let init = p.statement("i", &["i >= 0", "i < n", "m >= 2"], &[0, 0], &["s[i]"]);
    let add = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < 4"], &[0, 1, 0], &["s[i]", "s[i]", "A[k]"]);
    let rows = p.member(&[(init, "i"), (add, "i")]);
    let tree = band(vec![rows], Node::Sequence(vec![Node::Leaf(init), p.nest(add, &["k"])]));
    check(
        &p,
        &tree,
        &grid(2, &SIZES),
        &expect![[r#"
            if (2 <= m) {
              for (c0 = 0; c0 <= n - 1; c0 += 1) {
                hold r0 = s[c0] (store) {
                  S0: r0 = f();
                  for (c1 = 0; c1 <= 3; c1 += 1) {
                    S1: r0 = f(r0, A[c1]);
                  }
                }
              }
            } else {
              for (c0 = 0; c0 <= n - 1; c0 += 1) {
                hold r1 = s[c0] (load, store) {
                  for (c1 = 0; c1 <= 3; c1 += 1) {
                    S1: r1 = f(r1, A[c1]);
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn a_write_in_a_loop_inside_a_certain_loop_is_no_certain_write() {
    let mut p = Program::new("n", &[]);
    // The outer loop always runs, the inner one perhaps never; the last statement makes the region certain, and reads.
    let write = p.statement("i k", &["i >= 0", "i < 3", "k >= 0", "k < n"], &[0, 0, 0], &["s[0]", "A[k]"]);
    let last = p.statement("", &[], &[1], &["s[0]", "s[0]"]);
    let tree = Node::Sequence(vec![p.nest(write, &["i", "k"]), Node::Leaf(last)]);
    check(
        &p,
        &tree,
        &grid(1, &SIZES),
        &expect![[r#"
            hold r0 = s[0] (load, store) {
              if (1 <= n) {
                for (c0 = 0; c0 <= 2; c0 += 1) {
                  for (c1 = 0; c1 <= n - 1; c1 += 1) {
                    S0: r0 = f(A[c1]);
                  }
                }
              }
              S1: r0 = f(r0);
            }
        "#]],
    );
}

#[test]
fn two_reductions_side_by_side() {
    let mut p = Program::new("n K", &[]);
    let a = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < K"], &[0, 0, 0], &["y[i]", "y[i]", "A[i][k]"]);
    let b = p.statement("i k", &["i >= 0", "i < n", "k >= 0", "k < i"], &[0, 1, 0], &["y[i]", "y[i]", "B[i][k]"]);
    let rows = p.member(&[(a, "i"), (b, "i")]);
    let tree = band(vec![rows], Node::Sequence(vec![p.nest(a, &["k"]), p.nest(b, &["k"])]));
    check(
        &p,
        &tree,
        &grid(2, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          if (0 <= K - 1) {
            hold r0 = y[c0] (load, store) {
              for (c1 = 0; c1 <= K - 1; c1 += 1) {
                S0: r0 = f(r0, A[c0][c1]);
              }
            }
          }
          if (0 <= c0 - 1) {
            hold r1 = y[c0] (load, store) {
              for (c1 = 0; c1 <= c0 - 1; c1 += 1) {
                S1: r1 = f(r1, B[c0][c1]);
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn two_cells_over_one_loop() {
    let mut p = Program::new("n", &[]);
    let domain = ["i >= 0", "i < n", "k >= 0", "k < n"];
    let a = p.statement("i k", &domain, &[0, 0, 0], &["x[i]", "x[i]", "A[i][k]"]);
    let b = p.statement("i k", &domain, &[0, 0, 1], &["y[i]", "y[i]", "A[i][k]"]);
    let members = vec![p.member(&[(a, "i"), (b, "i")]), p.member(&[(a, "k"), (b, "k")])];
    let tree = band(members, Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    check(
        &p,
        &tree,
        &grid(1, &SIZES),
        &expect![[r#"
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          hold r0 = x[c0] (load, store) {
            hold r1 = y[c0] (load, store) {
              for (c1 = 0; c1 <= n - 1; c1 += 1) {
                S0: r0 = f(r0, A[c0][c1]);
                S1: r1 = f(r1, A[c0][c1]);
              }
            }
          }
        }
    "#]],
    );
}

/// The oracle itself: registers that break their contract are errors.
#[test]
fn a_wrong_register_is_noticed() {
    let (p, s) = matmul();
    let right = p.check(&p.nest(s, &["i", "j", "k"]), &grid(1, &SIZES));
    let mut unloaded = right.clone();
    let mut seen = 0;
    visit(&mut unloaded.body, &mut |h| {
        h.load = false;
        seen += 1;
    });
    assert_eq!(seen, 1);
    assert!(execute(&p.scop, &unloaded, &[3]).is_err());
    let mut unstored = right.clone();
    visit(&mut unstored.body, &mut |h| h.store = false);
    assert!(execute(&p.scop, &unstored, &[3]).is_err());
    // A[0][0], held around everything under subscripts that are not those of the accesses, would be stale if it were written.
    let zero = Affine::zero(right.space);
    let array = p.scop.arrays.iter().position(|a| a.name == "C").unwrap();
    let id = codegen::ast::RegisterId(99);
    let other = Held {
        mirrored: None,
        ahead: None,
        id,
        array: ArrayId(array),
        subscripts: vec![zero.clone(), zero],
        load: true,
        store: true,
        lanes: None,
        body: right.body.clone(),
    };
    let stale = Ast {
        space: right.space,
        body: vec![AstNode::Held(other)],
        buffers: Vec::new(),
        worthwhile: Vec::new(),
        embedded: std::collections::BTreeSet::new(),
        filling: std::collections::BTreeSet::new(),
    };
    assert!(execute(&p.scop, &stale, &[3]).is_err());
    assert_eq!(right.space, Space::new(1, 3));
}

/// Squares that are written out hold hundreds of cells around one loop.
#[test]
fn many_cells_around_one_loop_are_asked_for_once_each() {
    const CELLS: usize = 100;
    let mut p = Program::new("n", &[]);
    let cells: Vec<String> = (0..CELLS).map(|k| format!("x[{k}]")).collect();
    let mut accesses = vec!["y[i]"];
    accesses.extend(cells.iter().map(String::as_str));
    let s = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &accesses);
    let ast = generate_tree(&p.scop, &p.nest(s, &["i"]), &Kernels::new(), &Budget::generous()).unwrap();
    let budget = Budget::generous();
    let mut held = hold_cells(&p.scop, ast, &budget).unwrap();
    let mut count = 0;
    visit(&mut held.body, &mut |_| count += 1);
    assert_eq!(count, CELLS);
    // One look at all accesses for each question about a cell, not for every cell that is left.
    assert!((1000..20_000).contains(&budget.spent()), "{}", budget.spent());
}

fn visit(nodes: &mut [AstNode], f: &mut impl FnMut(&mut Held)) {
    for node in nodes {
        match node {
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => {}
            AstNode::Scratch(s) => {
                visit(&mut s.body, f);
                visit(&mut s.otherwise, f);
            }
            AstNode::For(l) => visit(&mut l.body, f),
            AstNode::If { then, otherwise, .. } => {
                visit(then, f);
                visit(otherwise, f);
            }
            AstNode::Held(h) => {
                f(h);
                visit(&mut h.body, f);
            }
        }
    }
}
