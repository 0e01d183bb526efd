//! Tiled bands: every instance once, the same memory as the source, full tiles without `min` and `max`.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Program, band, grid, matmul, tiled, trisolve, trisolve_fused};
use expect_test::expect;
use scheduler::tree::Node;

const SIZES: [i64; 7] = [0, 1, 2, 3, 7, 8, 9];

#[test]
fn one_loop() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["A[i]"]);
    let ast = p.check_meaning(&tiled(p.nest(s, &["i"]), &[4]), &grid(1, &SIZES));
    expect![[r#"
        for (c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) { // tile
          if (4*c0 + 4 <= n) {
            for (c1 = 4*c0; c1 <= 4*c0 + 3; c1 += 1) {
              S0: A[c1] = f();
            }
          } else {
            for (c1 = 4*c0; c1 <= n - 1; c1 += 1) {
              S0: A[c1] = f();
            }
          }
        }
    "#]]
    .assert_eq(&p.print(&ast));
}

#[test]
fn matmul_in_cubes() {
    let (p, s) = matmul();
    for size in [1, 2, 3, 4, 8] {
        p.check_meaning(&tiled(p.nest(s, &["i", "j", "k"]), &[size, size, size]), &grid(1, &SIZES));
    }
    let ast = p.check_meaning(&tiled(p.nest(s, &["i", "j", "k"]), &[4, 8, 2]), &grid(1, &SIZES));
    expect![[r#"
        for (c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) { // tile
          for (c1 = 0; c1 <= floord(n - 1, 8); c1 += 1) { // tile
            for (c2 = 0; c2 <= floord(n - 1, 2); c2 += 1) { // tile
              if (4*c0 + 4 <= n && 8*c1 + 8 <= n && 2*c2 + 2 <= n) {
                for (c3 = 4*c0; c3 <= 4*c0 + 3; c3 += 1) {
                  for (c4 = 8*c1; c4 <= 8*c1 + 7; c4 += 1) {
                    hold r0 = C[c3][c4] (load, store) {
                      for (c5 = 2*c2; c5 <= 2*c2 + 1; c5 += 1) {
                        S0: r0 = f(r0, A[c3][c5], B[c5][c4]);
                      }
                    }
                  }
                }
              } else {
                for (c3 = 4*c0; c3 <= min(4*c0 + 3, n - 1); c3 += 1) {
                  for (c4 = 8*c1; c4 <= min(8*c1 + 7, n - 1); c4 += 1) {
                    hold r1 = C[c3][c4] (load, store) {
                      for (c5 = 2*c2; c5 <= min(2*c2 + 1, n - 1); c5 += 1) {
                        S0: r1 = f(r1, A[c3][c5], B[c5][c4]);
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
}

#[test]
fn matmul_in_slabs() {
    let (p, s) = matmul();
    let ast = p.check_meaning(&tiled(p.nest(s, &["i", "j", "k"]), &[1, 4]), &grid(1, &SIZES));
    expect![[r#"
        for (c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) { // tile
          if (4*c0 + 4 <= n) {
            for (c1 = 0; c1 <= n - 1; c1 += 1) {
              for (c2 = 4*c0; c2 <= 4*c0 + 3; c2 += 1) {
                hold r0 = C[c1][c2] (load, store) {
                  for (c3 = 0; c3 <= n - 1; c3 += 1) {
                    S0: r0 = f(r0, A[c1][c3], B[c3][c2]);
                  }
                }
              }
            }
          } else {
            for (c1 = 0; c1 <= n - 1; c1 += 1) {
              for (c2 = 4*c0; c2 <= n - 1; c2 += 1) {
                hold r1 = C[c1][c2] (load, store) {
                  for (c3 = 0; c3 <= n - 1; c3 += 1) {
                    S0: r1 = f(r1, A[c1][c3], B[c3][c2]);
                  }
                }
              }
            }
          }
        }
    "#]]
    .assert_eq(&p.print(&ast));
}

#[test]
fn constant_sizes_need_no_split() {
    let mut p = Program::new("", &[]);
    let s = p.statement("i j", &["i >= 0", "i < 16", "j >= 0", "j < 8"], &[0, 0, 0], &["A[i][j]"]);
    let ast = p.check_meaning(&tiled(p.nest(s, &["i", "j"]), &[4, 8]), &[vec![]]);
    expect![[r#"
        for (c0 = 0; c0 <= 3; c0 += 1) { // tile
          for (c1 = 4*c0; c1 <= 4*c0 + 3; c1 += 1) {
            for (c2 = 0; c2 <= 7; c2 += 1) {
              S0: A[c1][c2] = f();
            }
          }
        }
    "#]]
    .assert_eq(&p.print(&ast));
}

#[test]
fn triangle() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j <= i"], &[0, 0, 0], &["A[i][j]"]);
    let ast = p.check_meaning(&tiled(p.nest(s, &["i", "j"]), &[3, 3]), &grid(1, &SIZES));
    expect![[r#"
        for (c0 = 0; c0 <= floord(n - 1, 3); c0 += 1) { // tile
          for (c1 = 0; c1 <= c0; c1 += 1) { // tile
            if (3*c0 + 3 <= n && c1 + 1 <= c0) {
              for (c2 = 3*c0; c2 <= 3*c0 + 2; c2 += 1) {
                for (c3 = 3*c1; c3 <= 3*c1 + 2; c3 += 1) {
                  S0: A[c2][c3] = f();
                }
              }
            } else {
              for (c2 = 3*c0; c2 <= min(3*c0 + 2, n - 1); c2 += 1) {
                for (c3 = 3*c1; c3 <= min(c2, 3*c1 + 2); c3 += 1) {
                  S0: A[c2][c3] = f();
                }
              }
            }
          }
        }
    "#]]
    .assert_eq(&p.print(&ast));
}

#[test]
fn skewed_stencil() {
    let mut p = Program::new("T n", &[]);
    let domain = ["t >= 0", "t < T", "i >= 1", "i < n - 1"];
    let s = p.statement("t i", &domain, &[0, 0, 0], &["A[i]", "A[i - 1]", "A[i]", "A[i + 1]"]);
    for size in [2, 3, 4] {
        p.check_meaning(&tiled(p.nest(s, &["t", "t + i"]), &[size, 4]), &grid(2, &SIZES));
    }
}

#[test]
fn jacobi_with_two_statements() {
    let mut p = Program::new("T n", &[]);
    let domain = ["t >= 0", "t < T", "i >= 1", "i < n - 1"];
    let a = p.statement("t i", &domain, &[0, 0, 0], &["B[i]", "A[i - 1]", "A[i]", "A[i + 1]"]);
    let b = p.statement("t i", &domain, &[0, 1, 0], &["A[i]", "B[i]"]);
    let members = vec![p.member(&[(a, "t"), (b, "t")]), p.member(&[(a, "2t + i"), (b, "2t + i + 1")])];
    let tree = band(members, Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    p.check_meaning(&tree, &grid(2, &SIZES));
    p.check_meaning(&tiled(tree.clone(), &[2, 4]), &grid(2, &SIZES));
    let ast = p.check_meaning(&tiled(tree, &[4, 4]), &grid(2, &SIZES));
    expect![[r#"
        if (3 <= n) {
          for (c0 = 0; c0 <= floord(T - 1, 4); c0 += 1) { // tile
            for (c1 = 2*c0; c1 <= min(floord(8*c0 + n + 5, 4), floord(2*T + n - 3, 4)); c1 += 1) { // tile
              if (4*c0 + 4 <= T && 2*c0 + 2 <= c1 && 4*c1 + 5 <= 8*c0 + n) {
                for (c2 = 4*c0; c2 <= 4*c0 + 3; c2 += 1) {
                  for (c3 = 4*c1; c3 <= 4*c1 + 3; c3 += 1) {
                    hold r0 = A[c3 - 2*c2 - 1] (load, store) {
                      S0: B[c3 - 2*c2] = f(r0, A[c3 - 2*c2], A[c3 - 2*c2 + 1]);
                      S1: r0 = f(B[c3 - 2*c2 - 1]);
                    }
                  }
                }
              } else {
                for (c2 = max(4*c0, ceild(4*c1 - n + 1, 2)); c2 <= min(2*c1 + 1, 4*c0 + 3, T - 1); c2 += 1) {
                  if (2*c1 <= c2) {
                    S0: B[1] = f(A[0], A[1], A[2]);
                  }
                  for (c3 = max(4*c1, 2*c2 + 2); c3 <= min(2*c2 + n - 2, 4*c1 + 3); c3 += 1) {
                    hold r1 = A[c3 - 2*c2 - 1] (load, store) {
                      S0: B[c3 - 2*c2] = f(r1, A[c3 - 2*c2], A[c3 - 2*c2 + 1]);
                      S1: r1 = f(B[c3 - 2*c2 - 1]);
                    }
                  }
                  if (2*c2 + n <= 4*c1 + 4) {
                    S1: A[n - 2] = f(B[n - 2]);
                  }
                }
              }
            }
          }
        }
    "#]]
    .assert_eq(&p.print(&ast));
}

#[test]
fn trisolve_in_blocks() {
    let (p, ids) = trisolve();
    let tree = trisolve_fused(&p, ids);
    p.check_meaning(&tree, &grid(2, &SIZES));
    let ast = p.check_meaning(&tiled(tree, &[4, 3]), &grid(2, &SIZES));
    expect![[r#"
        if (1 <= N) {
          for (c0 = 0; c0 <= floord(M - 1, 4); c0 += 1) { // tile
            for (c1 = 0; c1 <= floord(N - 1, 3); c1 += 1) { // tile
              if (4*c0 + 4 <= M && 3*c1 + 3 <= N) {
                for (c2 = 4*c0; c2 <= 4*c0 + 3; c2 += 1) {
                  for (c3 = 3*c1; c3 <= 3*c1 + 2; c3 += 1) {
                    hold r0 = A[c2][c3] (store) {
                      S0: r0 = f(B[c2][c3]);
                      for (c4 = 0; c4 <= c3 - 1; c4 += 1) {
                        S1: r0 = f(r0, A[c2][c4], U[c4][c3]);
                      }
                      S2: r0 = f(r0, U[c3][c3]);
                    }
                  }
                }
              } else {
                for (c2 = 4*c0; c2 <= min(4*c0 + 3, M - 1); c2 += 1) {
                  for (c3 = 3*c1; c3 <= min(3*c1 + 2, N - 1); c3 += 1) {
                    hold r1 = A[c2][c3] (store) {
                      S0: r1 = f(B[c2][c3]);
                      for (c4 = 0; c4 <= c3 - 1; c4 += 1) {
                        S1: r1 = f(r1, A[c2][c4], U[c4][c3]);
                      }
                      S2: r1 = f(r1, U[c3][c3]);
                    }
                  }
                }
              }
            }
          }
        }
    "#]]
    .assert_eq(&p.print(&ast));
}

#[test]
fn initialisation_is_kept_out_of_full_tiles() {
    let mut p = Program::new("n", &[]);
    let a = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j < n"], &[0, 0, 0], &["C[i][j]"]);
    let b = p.statement(
        "i j k",
        &["i >= 0", "i < n", "j >= 0", "j < n", "k >= 0", "k < n"],
        &[0, 0, 1, 0],
        &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"],
    );
    let rows = [[(a, "i"), (b, "i")], [(a, "j"), (b, "j")], [(a, "0"), (b, "k")]];
    let members = rows.iter().map(|r| p.member(r)).collect();
    let tree = band(members, Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    p.check_meaning(&tree, &grid(1, &SIZES));
    let ast = p.check_meaning(&tiled(tree, &[4, 4, 4]), &grid(1, &SIZES));
    expect![[r#"
        for (c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) { // tile
          for (c1 = 0; c1 <= floord(n - 1, 4); c1 += 1) { // tile
            for (c2 = 0; c2 <= floord(n - 1, 4); c2 += 1) { // tile
              if (4*c0 + 4 <= n && 4*c1 + 4 <= n && 4*c2 + 4 <= n) {
                if (1 <= c2) {
                  for (c3 = 4*c0; c3 <= 4*c0 + 3; c3 += 1) {
                    for (c4 = 4*c1; c4 <= 4*c1 + 3; c4 += 1) {
                      hold r0 = C[c3][c4] (load, store) {
                        for (c5 = 4*c2; c5 <= 4*c2 + 3; c5 += 1) {
                          S0: r0 = f(r0, A[c3][c5], B[c5][c4]);
                        }
                      }
                    }
                  }
                } else {
                  for (c3 = 4*c0; c3 <= 4*c0 + 3; c3 += 1) {
                    hold r1 = A[c3][0] (load) {
                      for (c4 = 4*c1; c4 <= 4*c1 + 3; c4 += 1) {
                        hold r2 = C[c3][c4] (store) {
                          S1: r2 = f();
                          S0: r2 = f(r2, r1, B[0][c4]);
                          for (c5 = 1; c5 <= 4*c2 + 3; c5 += 1) {
                            S0: r2 = f(r2, A[c3][c5], B[c5][c4]);
                          }
                        }
                      }
                    }
                  }
                }
              } else {
                for (c3 = 4*c0; c3 <= min(4*c0 + 3, n - 1); c3 += 1) {
                  for (c4 = 4*c1; c4 <= min(4*c1 + 3, n - 1); c4 += 1) {
                    if (c2 <= 0) {
                      hold r3 = C[c3][c4] (store) {
                        S1: r3 = f();
                        S0: r3 = f(r3, A[c3][0], B[0][c4]);
                      }
                    }
                    if (max(1, 4*c2) <= min(4*c2 + 3, n - 1)) {
                      hold r4 = C[c3][c4] (load, store) {
                        for (c5 = max(1, 4*c2); c5 <= min(4*c2 + 3, n - 1); c5 += 1) {
                          S0: r4 = f(r4, A[c3][c5], B[c5][c4]);
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
}

#[test]
fn tile_loops_are_parallel_when_all_members_before_are() {
    let (mut p, s) = matmul();
    p.scop.statements[s.0].text = "{1} += {2} * {3}".into();
    let Node::Band { mut members, permutable, child } = tiled(p.nest(s, &["i", "k", "j"]), &[4, 8, 16]) else {
        panic!("a band")
    };
    members[0].parallel = true;
    members[2].parallel = true;
    let ast = p.check_meaning(&Node::Band { members, permutable, child }, &grid(1, &SIZES));
    expect![[r#"
        for (c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) { // tile, parallel
          for (c1 = 0; c1 <= floord(n - 1, 8); c1 += 1) { // tile
            for (c2 = 0; c2 <= floord(n - 1, 16); c2 += 1) { // tile
              if (4*c0 + 4 <= n && 8*c1 + 8 <= n && 16*c2 + 16 <= n) {
                for (c3 = 4*c0; c3 <= 4*c0 + 3; c3 += 1) { // parallel
                  for (c4 = 8*c1; c4 <= 8*c1 + 7; c4 += 1) {
                    hold r0 = A[c3][c4] (load) {
                      for (c5 = 16*c2; c5 <= 16*c2 + 15; c5 += 1) { // parallel
                        S0: C[c3][c5] += r0 * B[c4][c5];
                      }
                    }
                  }
                }
              } else {
                for (c3 = 4*c0; c3 <= min(4*c0 + 3, n - 1); c3 += 1) { // parallel
                  for (c4 = 8*c1; c4 <= min(8*c1 + 7, n - 1); c4 += 1) {
                    hold r1 = A[c3][c4] (load) {
                      for (c5 = 16*c2; c5 <= min(16*c2 + 15, n - 1); c5 += 1) { // parallel
                        S0: C[c3][c5] += r1 * B[c4][c5];
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
}

#[test]
fn sizes_are_ignored_in_bands_that_are_not_permutable() {
    let (p, s) = matmul();
    let Node::Band { members, child, .. } = tiled(p.nest(s, &["i", "j", "k"]), &[4, 4, 4]) else { panic!("a band") };
    let ast = p.check(&Node::Band { members, permutable: false, child }, &grid(1, &SIZES));
    assert_eq!(ast, p.check(&p.nest(s, &["i", "j", "k"]), &[]));
}
