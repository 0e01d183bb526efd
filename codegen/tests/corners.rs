//! Corners of blocked bands, where other statements run besides the kernel's: factorisations and triangular solves.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::ast::AstNode;
use codegen::generate::generate_tree;
use common::kernels::{blocking, check_tree, tiles};
use common::{Program, grid};
use expect_test::expect;
use polyhedra::Budget;
use scheduler::kernel::{Blocking, Corner, TileLoop};
use scheduler::scop::StatementId;
use scheduler::tree::Node;

/// A factorisation without pivots, its divisions at the last point of each cell: plain loops where both statements run, micro-kernels before.
#[test]
fn factorisation() {
    let mut p = Program::new("n", &[]);
    let scale = p.statement("k i", &["k >= 0", "i > k", "i < n"], &[0, 0, 0], &["A[i][k]", "A[i][k]", "A[k][k]"]);
    let update = p.statement(
        "k i j",
        &["k >= 0", "i > k", "i < n", "j > k", "j < n"],
        &[0, 0, 1, 0],
        &["A[i][j]", "A[i][j]", "A[i][k]", "A[k][j]"],
    );
    let member = |a: &str, b: &str| p.member(&[(scale, a), (update, b)]);
    let members = vec![member("k", "k"), member("i", "i"), member("k", "j")];
    let tree = common::band(members, Node::Sequence(vec![Node::Leaf(scale), Node::Leaf(update)]));
    for (rows, columns, lanes) in [(2, 4, 2), (3, 4, 4), (4, 6, 3)] {
        let lanes = u32::try_from(lanes).unwrap();
        let plan = blocking(tiles(&[(2, 2 * columns), (2, columns), (1, rows)]), &[rows], columns, lanes);
        let ast = check_tree(&p, &tree, update, &plan, &grid(1, &[0, 1, 2, 3, 5, 8, 9, 13]));
        assert!(p.print(&ast).contains("hold lanes"), "{}", p.print(&ast));
    }
}

/// The first seed's triangular solve.
#[test]
fn triangular_solve() {
    let (p, [_, divide, update]) = common::trisolve();
    let copy = StatementId(0);
    let member = |a: &str, b: &str| p.member(&[(divide, a), (update, b)]);
    let members = vec![member("n", "n"), member("m", "m"), member("n", "n + k + 1")];
    let solve = common::band(members, Node::Sequence(vec![Node::Leaf(update), Node::Leaf(divide)]));
    let tree = Node::Sequence(vec![p.nest(copy, &["m", "n"]), solve]);
    let plan = blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2);
    let ast = check_tree(&p, &tree, update, &plan, &grid(2, &[0, 1, 3, 4, 5, 9]));
    assert!(p.print(&ast).contains("hold lanes"));
}

/// The triangle on the diagonal of a solve: rows or columns become lanes there, all else is unrolled, and what is stored is in registers.
#[test]
fn corners_of_solves() {
    let (p, [_, divide, update]) = common::trisolve();
    let copy = StatementId(0);
    let member = |a: &str, b: &str| p.member(&[(divide, a), (update, b)]);
    let tree = |order: [usize; 3]| {
        let members = [member("n", "n"), member("m", "m"), member("n", "n + k + 1")];
        let members = order.map(|k| members[k].clone()).to_vec();
        let solve = common::band(members, Node::Sequence(vec![Node::Leaf(update), Node::Leaf(divide)]));
        Node::Sequence(vec![p.nest(copy, &["m", "n"]), solve])
    };
    let corner = |member| vec![Corner { member, beyond: None, lanes: 2, tiles: 1, worthwhile: 1 }];
    let sizes = grid(2, &[0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 22]);
    // Rows of the kernel in lanes; then its columns; the depth as it is, then in tiles that end where those of the columns do, and elsewhere.
    let by_rows = Blocking { corners: corner(1), ..blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2) };
    let by_columns = Blocking { corners: corner(2), ..blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2) };
    // Tiles with smaller ones at the end of the domain.
    let wide = Blocking { corners: corner(1), ..blocking(tiles(&[(2, 8), (1, 8)]), &[8], 8, 2) };
    let high = Blocking { corners: corner(2), ..blocking(tiles(&[(2, 4), (1, 8)]), &[8], 4, 2) };
    // Divisions in lanes. By rows: of so many unknowns, for all rows of the tile and for two. By columns: with masks and without, and in the registers of the kernel.
    let all = [
        ([0, 1, 2], &by_rows, [8, 6], 4 + 2),
        ([0, 2, 1], &by_columns, [8, 6], 2 * 2 + 2 * 2),
        ([0, 1, 2], &wide, [16, 24], (8 + 4 + 2) * (4 + 1)),
        ([0, 2, 1], &high, [16, 24], (8 + 4) * (2 + 2)),
    ];
    for (order, plan, [several, other], divisions) in all {
        for depth in [None, Some(several), Some(other)] {
            let mut plan = plan.clone();
            depth.into_iter().for_each(|size| plan.tiles.insert(0, TileLoop { member: 0, size }));
            let ast = check_tree(&p, &tree(order), update, &plan, &sizes);
            assert_eq!(in_lanes(&ast.body, divide), divisions, "{}", p.print(&ast));
        }
    }
    // Tiles of rows that have one corner together: of as many divisions as that has vectors, and those of one vector where rows are left. Each has its own kernel, which is there once.
    for (many, lanes, divisions) in [(2, 2, (4 + 2) * (2 + 1)), (3, 2, (4 + 2) * (3 + 1)), (2, 4, 4 * (1 + 1))] {
        let corners = vec![Corner { tiles: many, ..corner(1)[0] }];
        let plan = Blocking { corners, ..blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, lanes) };
        let ast = check_tree(&p, &tree([0, 1, 2]), update, &plan, &grid(2, &[0, 1, 3, 4, 6, 9, 14]));
        assert_eq!(in_lanes(&ast.body, divide), divisions, "{}", p.print(&ast));
        let text = p.print(&ast);
        assert_eq!(text.matches(&format!("c1 <= floord(M - 1, {});", 2 * many)).count(), 1, "{text}");
    }
    let ast = check_tree(&p, &tree([0, 2, 1]), update, &by_columns, &grid(2, &[4]));
    expect![[r#"
        if (1 <= N) {
          for (c0 = 0; c0 <= M - 1; c0 += 1) {
            for (c1 = 0; c1 <= N - 1; c1 += 1) {
              S0: A[c0][c1] = f(B[c0][c1]);
            }
          }
        }
        if (1 <= M) {
          for (c0 = 0; c0 <= floord(M - 1, 4); c0 += 1) { // tile
            for (c1 = 0; c1 <= floord(N - 1, 2); c1 += 1) { // tile
              if (4*c0 + 4 <= M && 2*c1 + 2 <= N) {
                hold lanes 2: r0 = A[4*c0 + lane][2*c1] (load, store, fetch the next) {
                  hold lanes 2: r1 = A[4*c0 + lane][2*c1 + 1] (load, store, fetch the next) {
                    hold lanes 2: r2 = A[4*c0 + lane + 2][2*c1] (load, store) {
                      hold lanes 2: r3 = A[4*c0 + lane + 2][2*c1 + 1] (load, store) {
                        if (1 <= c1) {
                          for (c2 = 0; c2 <= 2*c1 - 1; c2 += 1) {
                            lanes 2: S1: r0 = f(r0, A[4*c0 + lane][c2], U[c2][2*c1]);
                            lanes 2: S1: r2 = f(r2, A[4*c0 + lane + 2][c2], U[c2][2*c1]);
                            lanes 2: S1: r1 = f(r1, A[4*c0 + lane][c2], U[c2][2*c1 + 1]);
                            lanes 2: S1: r3 = f(r3, A[4*c0 + lane + 2][c2], U[c2][2*c1 + 1]);
                          }
                        }
                        lanes 2: S2: r0 = f(r0, U[2*c1][2*c1]);
                        lanes 2: S2: r2 = f(r2, U[2*c1][2*c1]);
                        lanes 2: S1: r1 = f(r1, r0, U[2*c1][2*c1 + 1]);
                        lanes 2: S1: r3 = f(r3, r2, U[2*c1][2*c1 + 1]);
                        lanes 2: S2: r1 = f(r1, U[2*c1 + 1][2*c1 + 1]);
                        lanes 2: S2: r3 = f(r3, U[2*c1 + 1][2*c1 + 1]);
                      }
                    }
                  }
                }
              } else {
                if (1 <= c1 && 2*c1 + 2 <= N) {
                  if (4*c0 + 4 <= M) {
                    hold lanes 2: r4 = A[4*c0 + lane][2*c1] (load, store, fetch the next) {
                      hold lanes 2: r5 = A[4*c0 + lane + 2][2*c1] (load, store) {
                        hold lanes 2: r6 = A[4*c0 + lane][2*c1 + 1] (load, store, fetch the next) {
                          hold lanes 2: r7 = A[4*c0 + lane + 2][2*c1 + 1] (load, store) {
                            for (c2 = 0; c2 <= 2*c1 - 1; c2 += 1) {
                              lanes 2: S1: r4 = f(r4, A[4*c0 + lane][c2], U[c2][2*c1]);
                              lanes 2: S1: r5 = f(r5, A[4*c0 + lane + 2][c2], U[c2][2*c1]);
                              lanes 2: S1: r6 = f(r6, A[4*c0 + lane][c2], U[c2][2*c1 + 1]);
                              lanes 2: S1: r7 = f(r7, A[4*c0 + lane + 2][c2], U[c2][2*c1 + 1]);
                            }
                          }
                        }
                      }
                    }
                  } else {
                    if (M <= 4*c0 + 2) {
                      hold lanes 2, < M - 4*c0: r8 = A[4*c0 + lane][2*c1] (load, store) {
                        hold lanes 2, < M - 4*c0: r9 = A[4*c0 + lane][2*c1 + 1] (load, store) {
                          for (c2 = 0; c2 <= 2*c1 - 1; c2 += 1) {
                            lanes 2, < M - 4*c0: S1: r8 = f(r8, A[4*c0 + lane][c2], U[c2][2*c1]);
                            lanes 2, < M - 4*c0: S1: r9 = f(r9, A[4*c0 + lane][c2], U[c2][2*c1 + 1]);
                          }
                        }
                      }
                    } else {
                      hold lanes 2: r10 = A[4*c0 + lane][2*c1] (load, store) {
                        hold lanes 2, < M - 4*c0 - 2: r11 = A[4*c0 + lane + 2][2*c1] (load, store) {
                          hold lanes 2: r12 = A[4*c0 + lane][2*c1 + 1] (load, store) {
                            hold lanes 2, < M - 4*c0 - 2: r13 = A[4*c0 + lane + 2][2*c1 + 1] (load, store) {
                              for (c2 = 0; c2 <= 2*c1 - 1; c2 += 1) {
                                lanes 2: S1: r10 = f(r10, A[4*c0 + lane][c2], U[c2][2*c1]);
                                lanes 2, < M - 4*c0 - 2: S1: r11 = f(r11, A[4*c0 + lane + 2][c2], U[c2][2*c1]);
                                lanes 2: S1: r12 = f(r12, A[4*c0 + lane][c2], U[c2][2*c1 + 1]);
                                lanes 2, < M - 4*c0 - 2: S1: r13 = f(r13, A[4*c0 + lane + 2][c2], U[c2][2*c1 + 1]);
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                } else {
                  for (c2 = max(1, 2*c1); c2 <= min(2*c1 + 1, N - 1); c2 += 1) {
                    if (4*c0 + 4 <= M) {
                      if (0 <= 2*c1 - 1) {
                        hold lanes 2: r14 = A[4*c0 + lane][c2] (load, store) {
                          hold lanes 2: r15 = A[4*c0 + lane + 2][c2] (load, store) {
                            for (c3 = 0; c3 <= 2*c1 - 1; c3 += 1) {
                              lanes 2: S1: r14 = f(r14, A[4*c0 + lane][c3], U[c3][c2]);
                              lanes 2: S1: r15 = f(r15, A[4*c0 + lane + 2][c3], U[c3][c2]);
                            }
                          }
                        }
                      }
                    } else {
                      if (0 <= 2*c1 - 1) {
                        hold lanes 2, < M - 4*c0: r16 = A[4*c0 + lane][c2] (load, store) {
                          hold lanes 2, < M - 4*c0 - 2: r17 = A[4*c0 + lane + 2][c2] (load, store) {
                            for (c3 = 0; c3 <= 2*c1 - 1; c3 += 1) {
                              lanes 2, < M - 4*c0: S1: r16 = f(r16, A[4*c0 + lane][c3], U[c3][c2]);
                              lanes 2, < M - 4*c0 - 2: S1: r17 = f(r17, A[4*c0 + lane + 2][c3], U[c3][c2]);
                            }
                          }
                        }
                      }
                    }
                  }
                }
                for (c2 = 2*c0; c2 <= min(2*c0 + 1, floord(M - 1, 2)); c2 += 1) { // tile
                  if (2*c2 + 2 <= M && 2*c1 + 2 <= N) {
                    hold lanes 2: r18 = A[2*c2 + lane][2*c1] (load, store) {
                      hold lanes 2: r19 = A[2*c2 + lane][2*c1 + 1] (load, store) {
                        lanes 2: S2: r18 = f(r18, U[2*c1][2*c1]);
                        lanes 2: S1: r19 = f(r19, r18, U[2*c1][2*c1 + 1]);
                        lanes 2: S2: r19 = f(r19, U[2*c1 + 1][2*c1 + 1]);
                      }
                    }
                  } else {
                    if (2*c1 + 2 <= N) {
                      hold lanes 2, < min(2, M - 2*c2): r20 = A[2*c2 + lane][2*c1] (load, store) {
                        hold lanes 2, < min(2, M - 2*c2): r21 = A[2*c2 + lane][2*c1 + 1] (load, store) {
                          lanes 2, < min(2, M - 2*c2): S2: r20 = f(r20, U[2*c1][2*c1]);
                          lanes 2, < min(2, M - 2*c2): S1: r21 = f(r21, r20, U[2*c1][2*c1 + 1]);
                          lanes 2, < min(2, M - 2*c2): S2: r21 = f(r21, U[2*c1 + 1][2*c1 + 1]);
                        }
                      }
                    } else {
                      for (c3 = 2*c1; c3 <= min(2*c1 + 1, N - 1); c3 += 1) {
                        for (c4 = c3; c4 <= 2*c1 + 1; c4 += 1) {
                          if (c3 + 1 <= c4 && c4 + 1 <= N) {
                            hold r22 = U[c3][c4] (load) {
                              for (c5 = 2*c2; c5 <= min(2*c2 + 1, M - 1); c5 += 1) {
                                S1: A[c5][c4] = f(A[c5][c4], A[c5][c3], r22);
                              }
                            }
                          }
                          if (c4 - c3 == 0) {
                            hold r23 = U[c4][c4] (load) {
                              for (c5 = 2*c2; c5 <= min(2*c2 + 1, M - 1); c5 += 1) {
                                S2: A[c5][c4] = f(A[c5][c4], r23);
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
    "#]]
    .assert_eq(&p.print(&ast));
    // Rows of three are no vectors of two.
    let odd = Blocking { corners: corner(1), ..blocking(tiles(&[(2, 4), (1, 3)]), &[3], 4, 2) };
    let ast = check_tree(&p, &tree([0, 1, 2]), update, &odd, &sizes);
    assert_eq!(in_lanes(&ast.body, divide), 0, "{}", p.print(&ast));
}

/// A factorisation: of the tiles off the diagonal, rows are lanes below it and columns above it.
#[test]
fn corners_of_factorisations() {
    let mut p = Program::new("n", &[]);
    let below = ["k >= 0", "i >= k + 1", "i < n"];
    let divide = p.statement("k i", &below, &[0, 0, 0], &["A[i][k]", "A[i][k]", "A[k][k]"]);
    let update = p.statement(
        "k i j",
        &[&below[..], &["j >= k + 1", "j < n"]].concat(),
        &[0, 0, 1, 0],
        &["A[i][j]", "A[i][j]", "A[i][k]", "A[k][j]"],
    );
    let members = [("k", "k"), ("i", "i"), ("k", "j")].map(|(a, b)| p.member(&[(divide, a), (update, b)]));
    let tree = common::band(members.to_vec(), Node::Sequence(vec![Node::Leaf(divide), Node::Leaf(update)]));
    let sizes = grid(1, &[0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 22]);
    let (rows, columns) = ((1, 2), (2, 1));
    // Of each tile below the diagonal all columns are divided by: for all vectors of rows together, and for those that are left.
    for (high, wide, which, lanes, divisions) in [
        (4, 4, vec![rows], 2, 4 * (2 + 1)),
        (4, 4, vec![columns], 2, 0),
        (4, 4, vec![rows, columns], 2, 4 * (2 + 1)),
        (4, 8, vec![columns, rows], 4, 8),
        (8, 4, vec![rows, columns], 4, 4 * (2 + 1)),
        // Three rows are no vectors.
        (3, 4, vec![rows, columns], 2, 0),
    ] {
        let one = |(member, other)| Corner { member, beyond: Some(other), lanes, tiles: 1, worthwhile: 1 };
        let corners: Vec<Corner> = which.into_iter().map(one).collect();
        let has_columns = corners.iter().any(|c| c.member == 2);
        let plan = Blocking { corners, ..blocking(tiles(&[(2, wide), (1, high)]), &[high], wide, lanes) };
        for depth in [None, Some(16), Some(6)] {
            let mut plan = plan.clone();
            depth.into_iter().for_each(|size| plan.tiles.insert(0, TileLoop { member: 0, size }));
            let ast = check_tree(&p, &tree, update, &plan, &sizes);
            if depth == Some(6) {
                // Some tiles of the depth end in the middle of others.
                continue;
            }
            let text = p.print(&ast);
            assert_eq!(in_lanes(&ast.body, divide), divisions, "{text}");
            let plain = Blocking { corners: Vec::new(), ..plan };
            let without_corners = check_tree(&p, &tree, update, &plain, &sizes);
            // Each division is followed by updates of the columns behind it, in as many vectors.
            let below = divisions * usize::try_from(wide - 1).unwrap() / 2;
            // Above the diagonal every row of the tile but the first has an update at the first step.
            let above = in_lanes(&ast.body, update) > in_lanes(&without_corners.body, update) + below;
            assert_eq!(above, has_columns, "{text}");
        }
    }
}

/// How many calls of a statement are in lanes?
fn in_lanes(nodes: &[AstNode], id: StatementId) -> usize {
    let of = |node: &AstNode| match node {
        AstNode::Call(c) => usize::from(c.statement == id && c.lanes.is_some()),
        AstNode::Pack(_) | AstNode::Fetch(_) => 0,
        AstNode::For(f) => in_lanes(&f.body, id),
        AstNode::Held(h) => in_lanes(&h.body, id),
        AstNode::Scratch(s) => in_lanes(&s.body, id) + in_lanes(&s.otherwise, id),
        AstNode::If { then, otherwise, .. } => in_lanes(then, id) + in_lanes(otherwise, id),
    };
    nodes.iter().map(of).sum()
}

/// That sizes fit their types changes no loop, and costs nothing.
#[test]
fn limits_of_sizes_are_for_free() {
    let made = |context: &[&str]| {
        let mut p = Program::new("n b", context);
        let band = ["k >= 0", "i > k", "i < n", "i <= k + b"];
        let all: Vec<&str> = band.iter().chain(context).copied().collect();
        let scale = p.statement("k i", &all, &[0, 0, 0], &["A[i][k]", "A[i][k]", "A[k][k]"]);
        let all: Vec<&str> = all.into_iter().chain(["j > k", "j < n", "j <= k + b"]).collect();
        let accesses = ["A[i][j]", "A[i][j]", "A[i][k]", "A[k][j]"];
        let update = p.statement("k i j", &all, &[0, 0, 1, 0], &accesses);
        let member = |a: &str, b: &str| p.member(&[(scale, a), (update, b)]);
        let members = vec![member("k", "k"), member("i", "i"), member("k", "j")];
        let tree = common::band(members, Node::Sequence(vec![Node::Leaf(scale), Node::Leaf(update)]));
        let kernels = [(update, blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2))].into();
        let budget = Budget::generous();
        let ast = generate_tree(&p.scop, &tree, &kernels, &budget).unwrap();
        (p.print(&ast), budget.spent())
    };
    let plain = made(&[]);
    assert_eq!(made(&["n + b <= 2147483647", "n <= b + 2147483647"]).0, plain.0);
    assert_eq!(made(&["n + b <= 2147483647"]).1, made(&["n <= b + 2147483647"]).1);
    assert!(made(&["n + b <= 2147483647"]).1 <= plain.1);
    // What decides something is kept.
    assert_ne!(made(&["n <= b"]).0, plain.0);
}
