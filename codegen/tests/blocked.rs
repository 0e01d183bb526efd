//! Bands blocked for registers and caches: the same memory as the source, for every size, with and without scratch memory.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::ast::{Ast, AstNode};
use codegen::generate::generate_tree;
use codegen::interpret::execute;
use codegen::jam::jam;
use common::kernels::{SIZES, blocking, check, check_tree, nest, pack, product, scalar_calls, tiles};
use common::{Program, grid, halves, matmul};
use expect_test::expect;
use polyhedra::Budget;
use scheduler::kernel::{Blocking, Corner, Enough, Kernels, PackPlan, Registers};
use scheduler::machine::Machine;
use scheduler::tree::Node;

/// What is left of the columns takes half a vector where that is enough; [`check`] runs it.
#[test]
fn half_a_vector_at_the_end() {
    let (p, s) = matmul();
    let plan = blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 4);
    check(&p, s, &["k", "i", "j"], &plan, &grid(1, &SIZES));
    let budget = Budget::generous();
    let tree = nest(&p, s, &["k", "i", "j"]);
    let loops = generate_tree(&p.scop, &tree, &[(s, plan)].into(), &budget).unwrap();
    let ends = |bytes: f64| {
        let text = p.print(&jam(&p.scop, loops.clone(), &halves(bytes), &budget).unwrap());
        let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
        [count("if (n - 4*c0 - 2 <= 0)"), count("lanes 2, < n - 4*c0: S0"), count("lanes 4, < n - 4*c0: S0")]
    };
    // Two rows, and one at the end.
    assert_eq!(ends(32.0), [0, 0, 3]);
    assert_eq!(ends(16.0), [2, 3, 3]);
}

/// So do two vectors: they are three halves then, if there are registers for these.
#[test]
fn half_a_vector_less_at_the_end_of_two() {
    let (p, s) = matmul();
    let plan = blocking(tiles(&[(2, 8), (1, 2)]), &[2], 8, 4);
    check(&p, s, &["k", "i", "j"], &plan, &grid(1, &SIZES));
    let budget = Budget::generous();
    let tree = nest(&p, s, &["k", "i", "j"]);
    let loops = generate_tree(&p.scop, &tree, &[(s, plan)].into(), &budget).unwrap();
    let ends = |vector_registers: u32| {
        let machine = Machine { vector_registers, ..halves(16.0) };
        let text = p.print(&jam(&p.scop, loops.clone(), &machine, &budget).unwrap());
        let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
        [count("if (n - 8*c0 - 6 <= 0)"), count("lanes 2, < n - 8*c0 - 4: S0"), count("lanes 4, < n - 8*c0 - 4: S0")]
    };
    // Two rows are nine registers, one is six.
    assert_eq!(ends(16), [2, 3, 3]);
    assert_eq!(ends(9), [1, 1, 3]);
    assert_eq!(ends(6), [0, 0, 3]);
}

#[test]
fn product_in_registers() {
    let (p, s) = matmul();
    let plan = blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2);
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &SIZES));
    expect![[r#"
        for (c0 = 0; c0 <= floord(n - 4, 4); c0 += 1) { // tile
          for (c1 = 0; c1 <= floord(n - 1, 2); c1 += 1) { // tile
            if (2*c1 + 2 <= n) {
              hold lanes 2: r0 = C[2*c1][4*c0 + lane] (load, store, fetch the next) {
                hold lanes 2: r1 = C[2*c1][4*c0 + lane + 2] (load, store) {
                  hold lanes 2: r2 = C[2*c1 + 1][4*c0 + lane] (load, store, fetch the next) {
                    hold lanes 2: r3 = C[2*c1 + 1][4*c0 + lane + 2] (load, store) {
                      for (c2 = 0; c2 <= n - 1; c2 += 1) {
                        lanes 2: S0: r0 = f(r0, A[2*c1][c2], B[c2][4*c0 + lane]);
                        lanes 2: S0: r1 = f(r1, A[2*c1][c2], B[c2][4*c0 + lane + 2]);
                        lanes 2: S0: r2 = f(r2, A[2*c1 + 1][c2], B[c2][4*c0 + lane]);
                        lanes 2: S0: r3 = f(r3, A[2*c1 + 1][c2], B[c2][4*c0 + lane + 2]);
                      }
                    }
                  }
                }
              }
            } else {
              hold lanes 2: r4 = C[n - 1][4*c0 + lane] (load, store) {
                hold lanes 2: r5 = C[n - 1][4*c0 + lane + 2] (load, store) {
                  for (c2 = 0; c2 <= n - 1; c2 += 1) {
                    lanes 2: S0: r4 = f(r4, A[n - 1][c2], B[c2][4*c0 + lane]);
                    lanes 2: S0: r5 = f(r5, A[n - 1][c2], B[c2][4*c0 + lane + 2]);
                  }
                }
              }
            }
          }
        }
        for (c0 = max(ceild(n - 3, 4), 0); c0 <= floord(n - 1, 4); c0 += 1) { // tile
          if (4*c0 + 3 <= n) {
            for (c1 = 0; c1 <= floord(n - 1, 2); c1 += 1) { // tile
              if (2*c1 + 2 <= n) {
                hold lanes 2: r6 = C[2*c1][4*c0 + lane] (load, store) {
                  hold lanes 2, < n - 4*c0 - 2: r7 = C[2*c1][4*c0 + lane + 2] (load, store) {
                    hold lanes 2: r8 = C[2*c1 + 1][4*c0 + lane] (load, store) {
                      hold lanes 2, < n - 4*c0 - 2: r9 = C[2*c1 + 1][4*c0 + lane + 2] (load, store) {
                        for (c2 = 0; c2 <= n - 1; c2 += 1) {
                          lanes 2: S0: r6 = f(r6, A[2*c1][c2], B[c2][4*c0 + lane]);
                          lanes 2, < n - 4*c0 - 2: S0: r7 = f(r7, A[2*c1][c2], B[c2][4*c0 + lane + 2]);
                          lanes 2: S0: r8 = f(r8, A[2*c1 + 1][c2], B[c2][4*c0 + lane]);
                          lanes 2, < n - 4*c0 - 2: S0: r9 = f(r9, A[2*c1 + 1][c2], B[c2][4*c0 + lane + 2]);
                        }
                      }
                    }
                  }
                }
              } else {
                hold lanes 2: r10 = C[n - 1][4*c0 + lane] (load, store) {
                  hold lanes 2, < n - 4*c0 - 2: r11 = C[n - 1][4*c0 + lane + 2] (load, store) {
                    for (c2 = 0; c2 <= n - 1; c2 += 1) {
                      lanes 2: S0: r10 = f(r10, A[n - 1][c2], B[c2][4*c0 + lane]);
                      lanes 2, < n - 4*c0 - 2: S0: r11 = f(r11, A[n - 1][c2], B[c2][4*c0 + lane + 2]);
                    }
                  }
                }
              }
            }
          } else {
            for (c1 = 0; c1 <= floord(n - 1, 2); c1 += 1) { // tile
              if (2*c1 + 2 <= n) {
                hold lanes 2, < n - 4*c0: r12 = C[2*c1][4*c0 + lane] (load, store) {
                  hold lanes 2, < n - 4*c0: r13 = C[2*c1 + 1][4*c0 + lane] (load, store) {
                    for (c2 = 0; c2 <= n - 1; c2 += 1) {
                      lanes 2, < n - 4*c0: S0: r12 = f(r12, A[2*c1][c2], B[c2][4*c0 + lane]);
                      lanes 2, < n - 4*c0: S0: r13 = f(r13, A[2*c1 + 1][c2], B[c2][4*c0 + lane]);
                    }
                  }
                }
              } else {
                hold lanes 2, < n - 4*c0: r14 = C[n - 1][4*c0 + lane] (load, store) {
                  for (c2 = 0; c2 <= n - 1; c2 += 1) {
                    lanes 2, < n - 4*c0: S0: r14 = f(r14, A[n - 1][c2], B[c2][4*c0 + lane]);
                  }
                }
              }
            }
          }
        }
    "#]]
    .assert_eq(&p.print(&ast));
    assert_eq!(scalar_calls(&ast.body), 0);
}

/// Within a shared loop the most values count that a member ever has: twice as many are asked for where they become fewer.
#[test]
fn least_sizes_within_a_shared_loop() {
    let (p, s) = product(&["i > k"], &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"]);
    let plan = Blocking {
        worthwhile: vec![Enough::of(0, 3), Enough::of(1, 3)],
        ..blocking(tiles(&[(1, 4), (0, 2)]), &[2], 4, 2)
    };
    let tree = common::band(vec![p.member(&[(s, "k")])], nest(&p, s, &["i", "j"]));
    let ast = check_tree(&p, &tree, s, &plan, &grid(1, &SIZES));
    let least: Vec<String> = ast.worthwhile.iter().map(|form| form.display(&p.scop.params, &[]).to_string()).collect();
    assert_eq!(least, ["n - 7", "n - 3"]);
}

/// Loops may be enough together, and so may those of a nest and of another one beside it that has more loops of one size and no less of the others.
#[test]
fn least_sizes_together() {
    let mut p = Program::new("n m", &[]);
    let domain = |[i, j, k]: [&str; 3]| {
        let below = |name: &str, size: &str| [format!("{name} >= 0"), format!("{name} < {size}")];
        [below("i", i), below("j", j), below("k", k)].concat()
    };
    let mut statement = |sizes, beta, cells: &[&str]| {
        let rows = domain(sizes);
        p.statement("i j k", &rows.iter().map(String::as_str).collect::<Vec<_>>(), &[beta, 0, 0, 0], cells)
    };
    let first = statement(["n", "m", "m"], 0, &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"]);
    let second = statement(["n", "n", "m"], 1, &["D[i][j]", "D[i][j]", "A[i][k]", "E[k][j]"]);
    let enough = |terms: &[(usize, i64)], least| Enough { terms: terms.to_vec(), least };
    let worthwhile = vec![enough(&[(0, 1)], 2), enough(&[(0, 1), (1, 8), (2, 8)], 80)];
    let plan = Blocking { worthwhile, ..blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2) };
    let forms =
        |ast: Ast| ast.worthwhile.iter().map(|f| f.display(&p.scop.params, &[]).to_string()).collect::<Vec<_>>();
    let tree = nest(&p, first, &["k", "i", "j"]);
    let alone = Kernels::from([(first, plan.clone())]);
    let both = Node::Sequence(vec![tree.clone(), nest(&p, second, &["k", "i", "j"])]);
    let two = Kernels::from([(first, plan.clone()), (second, plan)]);
    let budget = Budget::generous();
    let both = generate_tree(&p.scop, &both, &two, &budget).expect("code");
    assert_eq!(forms(both), ["n + m - 4", "8n + 9m - 80", "m - 2", "16n + m - 80"]);
    let rest = Node::Sequence(vec![tree, nest(&p, second, &["i", "j", "k"])]);
    let rest = generate_tree(&p.scop, &rest, &alone, &budget).expect("code");
    assert_eq!(forms(rest), ["m - 2", "8n + 9m - 80"]);
}

/// Where operands are copied tiles are wide, where they are not, narrow.
#[test]
fn narrow_tiles_in_place() {
    let (p, s) = matmul();
    let plan = Blocking {
        packs: vec![pack(3, &[0, 2], 2), pack(2, &[0, 1], 3)],
        worth_packing: vec![Enough::of(1, 3)],
        scattered: true,
        in_place: Some(Registers { rows: 2, columns: 2 }),
        ..blocking(tiles(&[(2, 8), (0, 3), (1, 4), (2, 4), (1, 2)]), &[2], 4, 2)
    };
    assert!(plan.fits(3) && plan.in_place().fits(3));
    assert_eq!(plan.in_place().to_string(), "tiles c 8, a 3, b 4, c 2, b 2; 2 rows, 2 columns by 2");
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &[0, 1, 2, 3, 4, 5, 8, 9, 13]));
    let [AstNode::Scratch(scratch)] = &ast.body[..] else { panic!("no copies") };
    let held = |nodes: &[AstNode]| p.print(&Ast { body: nodes.to_vec(), ..ast.clone() }).matches("hold").count();
    assert!(held(&scratch.body) > held(&scratch.otherwise));
}

/// Where three rows have four places, four steps at a time are copied as a square, of whose columns one has no row; as many cells are asked for as there are places.
#[test]
fn rows_in_more_places() {
    let (p, s) = matmul();
    let packs = vec![PackPlan { places: Some(4), ..pack(2, &[0, 1], 3) }];
    let plan = Blocking { packs, ..blocking(tiles(&[(2, 8), (0, 6), (1, 6), (2, 4), (1, 3)]), &[3], 4, 4) };
    assert!(plan.fits(3));
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &[0, 1, 2, 3, 4, 5, 6, 7, 11, 14]));
    let printed = p.print(&ast);
    assert!(printed.contains("scratch p0[48]"), "{printed}");
    assert!(printed.contains("lanes 4, < 3: p0[24*c3 + 16*c4 + lane - 24*c1 - 48*c2] = r"), "{printed}");
    assert!(!plan_with_places(&plan, 2).fits(3), "fewer places than rows");
}

fn plan_with_places(plan: &Blocking, places: i64) -> Blocking {
    let packs = plan.packs.iter().map(|p| PackPlan { places: Some(places), ..p.clone() }).collect();
    Blocking { packs, ..plan.clone() }
}

/// Copies are asked for where members have enough values together.
#[test]
fn copies_worth_while_together() {
    let (p, s) = matmul();
    let plan = Blocking {
        packs: vec![pack(2, &[0, 1], 3)],
        worth_packing: vec![Enough::of(1, 3), Enough { terms: vec![(0, 1), (1, 1), (2, 1)], least: 20 }],
        ..blocking(tiles(&[(2, 8), (0, 3), (1, 4), (2, 4), (1, 2)]), &[2], 4, 2)
    };
    let ast = p.print(&check(&p, s, &["k", "i", "j"], &plan, &grid(1, &[0, 1, 3, 6, 7, 8])));
    // Three times as many are at least twenty; then they are three, too.
    assert!(ast.contains("if (7 <= n) {"), "{ast}");
}

/// Time runs against memory along the columns: within a tile their order is that of memory, in copies too.
#[test]
fn columns_from_the_last_to_the_first() {
    let (p, s) = matmul();
    let plan = blocking(tiles(&[(2, 8), (0, 3), (2, 4), (1, 2)]), &[2], 4, 2);
    for packs in [Vec::new(), vec![pack(3, &[0, 2], 2)]] {
        let plan = Blocking { packs, reversed: true, ..plan.clone() };
        let ast = p.print(&check(&p, s, &["k", "i", "-j"], &plan, &grid(1, &[0, 1, 2, 3, 4, 5, 7, 8, 9, 17])));
        assert!(ast.contains("hold lanes") && !ast.contains("- lane"), "{ast}");
    }
}

#[test]
fn product_with_packed_operands() {
    let (p, s) = matmul();
    let plan = Blocking {
        packs: vec![pack(3, &[0, 2], 2), pack(2, &[0, 1], 3)],
        worth_packing: vec![Enough::of(1, 3)],
        ..blocking(tiles(&[(2, 8), (0, 3), (1, 4), (2, 4), (1, 2)]), &[2], 4, 2)
    };
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &[0, 1, 2, 3, 4, 5, 8, 9, 13]));
    expect![[r#"
        scratch p0[24], p1[12] if (3 <= n) {
          for (c0 = 0; c0 <= floord(n - 1, 8); c0 += 1) { // tile
            for (c1 = 0; c1 <= floord(n - 1, 3); c1 += 1) { // tile
              for (c2 = 2*c0; c2 <= min(2*c0 + 1, floord(n - 1, 4)); c2 += 1) { // tile, parallel
                for (c3 = 3*c1; c3 <= min(3*c1 + 2, n - 1); c3 += 1) { // parallel
                  lanes 2, < n - 4*c2: p0[12*c2 + 4*c3 + lane - 24*c0 - 12*c1] = B[c3][4*c2 + lane];
                  lanes 2, < n - 4*c2 - 2: p0[12*c2 + 4*c3 + lane - 24*c0 - 12*c1 + 2] = B[c3][4*c2 + lane + 2];
                }
              }
              for (c2 = 0; c2 <= floord(n - 1, 4); c2 += 1) { // tile
                for (c3 = 2*c2; c3 <= min(2*c2 + 1, floord(n - 1, 2)); c3 += 1) { // tile, parallel
                  if (2*c3 + 2 <= n) {
                    for (c4 = 3*c1; c4 <= min(3*c1 + 2, n - 1); c4 += 1) { // parallel
                      p1[6*c3 + 2*c4 - 6*c1 - 12*c2] = A[2*c3][c4];
                      p1[6*c3 + 2*c4 - 6*c1 - 12*c2 + 1] = A[2*c3 + 1][c4];
                    }
                  } else {
                    for (c4 = 3*c1; c4 <= min(3*c1 + 2, n - 1); c4 += 1) { // parallel
                      p1[4*c3 + 2*c4 + n - 6*c1 - 12*c2 - 1] = A[n - 1][c4];
                    }
                  }
                }
                for (c3 = 2*c0; c3 <= min(2*c0 + 1, floord(n - 4, 4)); c3 += 1) { // tile
                  for (c4 = 2*c2; c4 <= min(2*c2 + 1, floord(n - 1, 2)); c4 += 1) { // tile
                    if (2*c4 + 2 <= n) {
                      hold lanes 2: r0 = C[2*c4][4*c3 + lane] (load, store, fetch the next) {
                        hold lanes 2: r1 = C[2*c4][4*c3 + lane + 2] (load, store) {
                          hold lanes 2: r2 = C[2*c4 + 1][4*c3 + lane] (load, store, fetch the next) {
                            hold lanes 2: r3 = C[2*c4 + 1][4*c3 + lane + 2] (load, store) {
                              for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                                lanes 2: S0: r0 = f(r0, p1[6*c4 + 2*c5 - 6*c1 - 12*c2], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                                lanes 2: S0: r1 = f(r1, p1[6*c4 + 2*c5 - 6*c1 - 12*c2], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1 + 2]);
                                lanes 2: S0: r2 = f(r2, p1[6*c4 + 2*c5 - 6*c1 - 12*c2 + 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                                lanes 2: S0: r3 = f(r3, p1[6*c4 + 2*c5 - 6*c1 - 12*c2 + 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1 + 2]);
                              }
                            }
                          }
                        }
                      }
                    } else {
                      hold lanes 2: r4 = C[n - 1][4*c3 + lane] (load, store) {
                        hold lanes 2: r5 = C[n - 1][4*c3 + lane + 2] (load, store) {
                          for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                            lanes 2: S0: r4 = f(r4, p1[4*c4 + 2*c5 + n - 6*c1 - 12*c2 - 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                            lanes 2: S0: r5 = f(r5, p1[4*c4 + 2*c5 + n - 6*c1 - 12*c2 - 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1 + 2]);
                          }
                        }
                      }
                    }
                  }
                }
                for (c3 = ceild(n - 3, 4); c3 <= min(2*c0 + 1, floord(n - 1, 4)); c3 += 1) { // tile
                  if (4*c3 + 3 <= n) {
                    for (c4 = 2*c2; c4 <= 2*c2 + 1; c4 += 1) { // tile
                      if (2*c4 + 2 <= n) {
                        hold lanes 2: r6 = C[2*c4][4*c3 + lane] (load, store) {
                          hold lanes 2, < n - 4*c3 - 2: r7 = C[2*c4][4*c3 + lane + 2] (load, store) {
                            hold lanes 2: r8 = C[2*c4 + 1][4*c3 + lane] (load, store) {
                              hold lanes 2, < n - 4*c3 - 2: r9 = C[2*c4 + 1][4*c3 + lane + 2] (load, store) {
                                for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                                  lanes 2: S0: r6 = f(r6, p1[6*c4 + 2*c5 - 6*c1 - 12*c2], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                                  lanes 2, < n - 4*c3 - 2: S0: r7 = f(r7, p1[6*c4 + 2*c5 - 6*c1 - 12*c2], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1 + 2]);
                                  lanes 2: S0: r8 = f(r8, p1[6*c4 + 2*c5 - 6*c1 - 12*c2 + 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                                  lanes 2, < n - 4*c3 - 2: S0: r9 = f(r9, p1[6*c4 + 2*c5 - 6*c1 - 12*c2 + 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1 + 2]);
                                }
                              }
                            }
                          }
                        }
                      } else {
                        hold lanes 2: r10 = C[n - 1][4*c3 + lane] (load, store) {
                          hold lanes 2, < n - 4*c3 - 2: r11 = C[n - 1][4*c3 + lane + 2] (load, store) {
                            for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                              lanes 2: S0: r10 = f(r10, p1[4*c4 + 2*c5 + n - 6*c1 - 12*c2 - 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                              lanes 2, < n - 4*c3 - 2: S0: r11 = f(r11, p1[4*c4 + 2*c5 + n - 6*c1 - 12*c2 - 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1 + 2]);
                            }
                          }
                        }
                      }
                    }
                  } else {
                    for (c4 = 2*c2; c4 <= min(2*c2 + 1, floord(n - 1, 2)); c4 += 1) { // tile
                      if (2*c4 + 2 <= n) {
                        hold lanes 2, < n - 4*c3: r12 = C[2*c4][4*c3 + lane] (load, store) {
                          hold lanes 2, < n - 4*c3: r13 = C[2*c4 + 1][4*c3 + lane] (load, store) {
                            for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                              lanes 2, < n - 4*c3: S0: r12 = f(r12, p1[6*c4 + 2*c5 - 6*c1 - 12*c2], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                              lanes 2, < n - 4*c3: S0: r13 = f(r13, p1[6*c4 + 2*c5 - 6*c1 - 12*c2 + 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                            }
                          }
                        }
                      } else {
                        hold lanes 2, < n - 4*c3: r14 = C[n - 1][4*c3 + lane] (load, store) {
                          for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                            lanes 2, < n - 4*c3: S0: r14 = f(r14, p1[4*c4 + 2*c5 + n - 6*c1 - 12*c2 - 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        } else {
          if (n <= 2) {
            if (2 <= n) {
              hold lanes 2: r15 = C[0][lane] (load, store) {
                hold lanes 2: r16 = C[1][lane] (load, store) {
                  for (c0 = 0; c0 <= n - 1; c0 += 1) {
                    lanes 2: S0: r15 = f(r15, A[0][c0], B[c0][lane]);
                    lanes 2: S0: r16 = f(r16, A[1][c0], B[c0][lane]);
                  }
                }
              }
            } else {
              lanes 2, < n: S0: C[0][lane] = f(C[0][lane], A[0][0], B[0][lane]);
            }
          } else {
            for (c0 = 0; c0 <= n - 1; c0 += 1) {
              for (c1 = 0; c1 <= n - 1; c1 += 1) {
                hold r17 = A[c1][c0] (load) {
                  for (c2 = 0; c2 <= n - 1; c2 += 1) { // parallel
                    S0: C[c1][c2] = f(C[c1][c2], r17, B[c0][c2]);
                  }
                }
              }
            }
          }
        }
    "#]].assert_eq(&p.print(&ast));
    // Where memory is refused.
    assert_eq!(scalar_calls(&ast.body), 1);
}

/// Columns that begin and end where a multiple of them does, in lanes all the same.
#[test]
fn columns_by_multiples() {
    let shapes: [&[&str]; 4] =
        [&["3*j <= n + 1"], &["2*j >= i - 1", "3*j <= 2*n - i"], &["2*j + 1 <= n", "k <= i"], &["5*j >= 2*n - 4"]];
    for shape in shapes {
        let (p, s) = product(shape, &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"]);
        let plan = blocking(tiles(&[(2, 8), (0, 4), (1, 6), (2, 4), (1, 3)]), &[3], 4, 2);
        let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &SIZES));
        assert_eq!(scalar_calls(&ast.body), 0, "{shape:?}");
    }
}

/// Triangles of all kinds: masks by row, pieces of the depth.
#[test]
fn triangles() {
    let shapes: [&[&str]; 10] = [
        &["j <= i"],
        &["j >= i"],
        &["j < i"],
        &["k <= i"],
        &["k >= i"],
        &["k > j"],
        &["k < j"],
        &["k <= i", "k >= j"],
        &["j <= i", "k <= j"],
        &["i + j + k <= n", "k >= 1"],
    ];
    for shape in shapes {
        let (p, s) = product(shape, &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"]);
        for packs in [vec![], vec![pack(3, &[0, 2], 2), pack(2, &[0, 1], 3)]] {
            let plan = Blocking { packs, ..blocking(tiles(&[(2, 8), (0, 4), (1, 6), (2, 4), (1, 3)]), &[3], 4, 2) };
            let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &SIZES));
            assert_eq!(scalar_calls(&ast.body), 0, "{shape:?}");
        }
    }
}

/// The stored array is read elsewhere: no register where it may be touched.
#[test]
fn held_cells_that_others_touch() {
    let plan = blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2);
    // Apart: columns from n on are only read.
    let (p, s) = product(&[], &["A[i][j]", "A[i][j]", "A[i][k + n]"]);
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &SIZES));
    assert!(p.print(&ast).contains("hold"));
    // Not apart, but equal at the end of the depth only: the vectors are stored each time.
    let (p, s) = product(&["j > k"], &["A[i][j]", "A[i][j]", "A[i][k]"]);
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &SIZES));
    expect![[r#"
        for (c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) { // tile
          if (1 <= c0 && 4*c0 + 4 <= n) {
            for (c1 = 0; c1 <= floord(n - 1, 2); c1 += 1) { // tile
              if (2*c1 + 2 <= n) {
                hold lanes 2: r0 = A[2*c1][4*c0 + lane] (load, store, fetch the next) {
                  hold lanes 2: r1 = A[2*c1][4*c0 + lane + 2] (load, store) {
                    hold lanes 2: r2 = A[2*c1 + 1][4*c0 + lane] (load, store, fetch the next) {
                      hold lanes 2: r3 = A[2*c1 + 1][4*c0 + lane + 2] (load, store) {
                        for (c2 = 0; c2 <= 4*c0 - 1; c2 += 1) {
                          lanes 2: S0: r0 = f(r0, A[2*c1][c2]);
                          lanes 2: S0: r1 = f(r1, A[2*c1][c2]);
                          lanes 2: S0: r2 = f(r2, A[2*c1 + 1][c2]);
                          lanes 2: S0: r3 = f(r3, A[2*c1 + 1][c2]);
                        }
                      }
                    }
                  }
                }
                for (c2 = 4*c0; c2 <= 4*c0 + 2; c2 += 1) {
                  lanes 2, >= c2 - 4*c0 + 1: S0: A[2*c1][4*c0 + lane] = f(A[2*c1][4*c0 + lane], A[2*c1][c2]);
                  lanes 2, >= c2 - 4*c0 - 1: S0: A[2*c1][4*c0 + lane + 2] = f(A[2*c1][4*c0 + lane + 2], A[2*c1][c2]);
                  lanes 2, >= c2 - 4*c0 + 1: S0: A[2*c1 + 1][4*c0 + lane] = f(A[2*c1 + 1][4*c0 + lane], A[2*c1 + 1][c2]);
                  lanes 2, >= c2 - 4*c0 - 1: S0: A[2*c1 + 1][4*c0 + lane + 2] = f(A[2*c1 + 1][4*c0 + lane + 2], A[2*c1 + 1][c2]);
                }
              } else {
                hold lanes 2: r4 = A[n - 1][4*c0 + lane] (load, store) {
                  hold lanes 2: r5 = A[n - 1][4*c0 + lane + 2] (load, store) {
                    for (c2 = 0; c2 <= 4*c0 - 1; c2 += 1) {
                      lanes 2: S0: r4 = f(r4, A[n - 1][c2]);
                      lanes 2: S0: r5 = f(r5, A[n - 1][c2]);
                    }
                  }
                }
                for (c2 = 4*c0; c2 <= 4*c0 + 2; c2 += 1) {
                  lanes 2, >= c2 - 4*c0 + 1: S0: A[n - 1][4*c0 + lane] = f(A[n - 1][4*c0 + lane], A[n - 1][c2]);
                  lanes 2, >= c2 - 4*c0 - 1: S0: A[n - 1][4*c0 + lane + 2] = f(A[n - 1][4*c0 + lane + 2], A[n - 1][c2]);
                }
              }
            }
          } else {
            if (4*c0 + 3 <= n) {
              for (c1 = 0; c1 <= floord(n - 1, 2); c1 += 1) { // tile
                if (2*c1 + 2 <= n) {
                  if (0 <= 4*c0 - 1) {
                    hold lanes 2: r6 = A[2*c1][4*c0 + lane] (load, store) {
                      hold lanes 2, < n - 4*c0 - 2: r7 = A[2*c1][4*c0 + lane + 2] (load, store) {
                        hold lanes 2: r8 = A[2*c1 + 1][4*c0 + lane] (load, store) {
                          hold lanes 2, < n - 4*c0 - 2: r9 = A[2*c1 + 1][4*c0 + lane + 2] (load, store) {
                            for (c2 = 0; c2 <= 4*c0 - 1; c2 += 1) {
                              lanes 2: S0: r6 = f(r6, A[2*c1][c2]);
                              lanes 2, < n - 4*c0 - 2: S0: r7 = f(r7, A[2*c1][c2]);
                              lanes 2: S0: r8 = f(r8, A[2*c1 + 1][c2]);
                              lanes 2, < n - 4*c0 - 2: S0: r9 = f(r9, A[2*c1 + 1][c2]);
                            }
                          }
                        }
                      }
                    }
                  }
                  for (c2 = 4*c0; c2 <= min(4*c0 + 2, n - 2); c2 += 1) {
                    lanes 2, >= c2 - 4*c0 + 1, < n - 4*c0: S0: A[2*c1][4*c0 + lane] = f(A[2*c1][4*c0 + lane], A[2*c1][c2]);
                    lanes 2, >= c2 - 4*c0 - 1, < n - 4*c0 - 2: S0: A[2*c1][4*c0 + lane + 2] = f(A[2*c1][4*c0 + lane + 2], A[2*c1][c2]);
                    lanes 2, >= c2 - 4*c0 + 1, < n - 4*c0: S0: A[2*c1 + 1][4*c0 + lane] = f(A[2*c1 + 1][4*c0 + lane], A[2*c1 + 1][c2]);
                    lanes 2, >= c2 - 4*c0 - 1, < n - 4*c0 - 2: S0: A[2*c1 + 1][4*c0 + lane + 2] = f(A[2*c1 + 1][4*c0 + lane + 2], A[2*c1 + 1][c2]);
                  }
                } else {
                  if (0 <= 4*c0 - 1) {
                    hold lanes 2: r10 = A[n - 1][4*c0 + lane] (load, store) {
                      hold lanes 2, < n - 4*c0 - 2: r11 = A[n - 1][4*c0 + lane + 2] (load, store) {
                        for (c2 = 0; c2 <= 4*c0 - 1; c2 += 1) {
                          lanes 2: S0: r10 = f(r10, A[n - 1][c2]);
                          lanes 2, < n - 4*c0 - 2: S0: r11 = f(r11, A[n - 1][c2]);
                        }
                      }
                    }
                  }
                  for (c2 = 4*c0; c2 <= min(4*c0 + 2, n - 2); c2 += 1) {
                    lanes 2, >= c2 - 4*c0 + 1, < n - 4*c0: S0: A[n - 1][4*c0 + lane] = f(A[n - 1][4*c0 + lane], A[n - 1][c2]);
                    lanes 2, >= c2 - 4*c0 - 1, < n - 4*c0 - 2: S0: A[n - 1][4*c0 + lane + 2] = f(A[n - 1][4*c0 + lane + 2], A[n - 1][c2]);
                  }
                }
              }
            } else {
              for (c1 = 0; c1 <= floord(n - 1, 2); c1 += 1) { // tile
                if (2*c1 + 2 <= n) {
                  if (0 <= 4*c0 - 1) {
                    hold lanes 2, < n - 4*c0: r12 = A[2*c1][4*c0 + lane] (load, store) {
                      hold lanes 2, < n - 4*c0: r13 = A[2*c1 + 1][4*c0 + lane] (load, store) {
                        for (c2 = 0; c2 <= 4*c0 - 1; c2 += 1) {
                          lanes 2, < n - 4*c0: S0: r12 = f(r12, A[2*c1][c2]);
                          lanes 2, < n - 4*c0: S0: r13 = f(r13, A[2*c1 + 1][c2]);
                        }
                      }
                    }
                  }
                  if (4*c0 + 2 <= n) {
                    lanes 2, >= n - 4*c0 - 1: S0: A[2*c1][4*c0 + lane] = f(A[2*c1][4*c0 + lane], A[2*c1][n - 2]);
                    lanes 2, >= n - 4*c0 - 1: S0: A[2*c1 + 1][4*c0 + lane] = f(A[2*c1 + 1][4*c0 + lane], A[2*c1 + 1][n - 2]);
                  }
                } else {
                  if (0 <= n - 2) {
                    hold lanes 2, < n - 4*c0: r14 = A[n - 1][4*c0 + lane] (load, store) {
                      for (c2 = 0; c2 <= n - 2; c2 += 1) {
                        lanes 2, < n - 4*c0: S0: r14 = f(r14, A[n - 1][c2]);
                      }
                    }
                  }
                }
              }
            }
          }
        }
    "#]].assert_eq(&p.print(&ast));
}

/// Two row members, a batch outside, a reduction of two loops.
#[test]
fn convolution() {
    let mut p = Program::new("n", &[]);
    let domain = [
        "b >= 0", "b < 2", "o >= 0", "o < n", "y >= 0", "y < 3", "x >= 0", "x < n", "c >= 0", "c < n", "r >= 0",
        "r < 2",
    ];
    let s = p.statement(
        "b o y x c r",
        &domain,
        &[0, 0, 0, 0, 0, 0, 0],
        &["O[b][o][y][x]", "O[b][o][y][x]", "I[b][c][y][x + r]", "W[o][c][r]"],
    );
    let plan = Blocking { outer: 1, ..blocking(tiles(&[(1, 4), (5, 4), (3, 2), (4, 2)]), &[2, 2], 4, 4) };
    let ast = check(&p, s, &["b", "c", "r", "o", "y", "x"], &plan, &grid(1, &[0, 1, 3, 4, 5]));
    assert_eq!(scalar_calls(&ast.body), 0);
}

/// Shifted and reversed rows: tiles are of times, not of iterators.
#[test]
fn other_axes() {
    let (p, s) = matmul();
    let plan = Blocking { packs: vec![pack(3, &[0, 2], 2)], ..blocking(tiles(&[(2, 4), (0, 4), (1, 2)]), &[2], 4, 2) };
    check(&p, s, &["k + 3", "n - i", "j - n"], &plan, &grid(1, &SIZES));
    let plan = Blocking { packs: Vec::new(), ..plan };
    check(&p, s, &["k + i", "i", "j - i"], &plan, &grid(1, &SIZES));
}

/// More rows than two: what is left of them runs by pairs, then one by one; on copied operands too.
#[test]
fn rows_left_over_by_pairs() {
    let (p, s) = matmul();
    let plan = blocking(tiles(&[(2, 4), (1, 4)]), &[4], 4, 2);
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &SIZES));
    let text = p.print(&ast);
    assert!(text.contains("for (c2 = 2*c1; c2 <= floord(n - 1, 2); c2 += 1) { // tile"), "{text}");
    let packs = vec![pack(3, &[0, 2], 2), pack(2, &[0, 1], 3)];
    let plan = Blocking { packs, ..blocking(tiles(&[(2, 8), (0, 3), (1, 8), (2, 4), (1, 4)]), &[4], 4, 2) };
    check(&p, s, &["k", "i", "j"], &plan, &grid(1, &[0, 1, 2, 3, 5, 6, 7, 11, 13]));
    // Rows of a triangle.
    let mut p = Program::new("n", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j <= i", "k >= 0", "k < n"];
    let s = p.statement("i j k", &domain, &[0, 0, 0, 0], &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"]);
    let plan = blocking(tiles(&[(2, 4), (1, 4)]), &[4], 4, 2);
    check(&p, s, &["k", "i", "j"], &plan, &grid(1, &[0, 1, 2, 3, 5, 6, 7, 11, 13]));
}

/// Where operands are not copied tiles may have more rows; those at the end run by fours, by twos, one by one.
#[test]
fn other_tiles_in_place() {
    let (p, s) = matmul();
    let plan = Blocking {
        packs: vec![pack(3, &[0, 2], 2), pack(2, &[0, 1], 3)],
        worth_packing: vec![Enough::of(1, 20)],
        in_place: Some(Registers { rows: 8, columns: 2 }),
        ..blocking(tiles(&[(2, 12), (0, 3), (1, 10), (2, 6), (1, 2)]), &[2], 6, 2)
    };
    assert!(plan.fits(3) && plan.in_place().fits(3));
    assert_eq!(plan.in_place().to_string(), "tiles c 12, a 3, c 2, b 8; 8 rows, 2 columns by 2");
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 23]));
    let [AstNode::Scratch(scratch)] = &ast.body[..] else { panic!("no copies") };
    let text = p.print(&Ast { body: scratch.otherwise.clone(), ..ast.clone() });
    for rows in ["8*c3 + 7]", "4*c4 + 3]", "2*c5 + 1]"] {
        assert!(text.lines().any(|l| l.trim_start().starts_with("hold lanes 2") && l.contains(rows)), "{rows} {text}");
    }
}

/// `if (8*c0 + 3 <= n`: is there one column more than a vector of two holds?
fn is_odd(line: &str) -> bool {
    line.trim().starts_with("if (") && line.contains(" + 3 <= n")
}

/// What is left of columns: as many vectors together as hold them, of four or more two; none of these tiles changes the places of copied cells.
#[test]
fn columns_at_the_end() {
    let (p, s) = matmul();
    let sizes = [0, 1, 2, 3, 5, 6, 7, 9, 11, 13, 17, 23];
    for (columns, pairs) in [(2, false), (4, true), (6, true), (8, true)] {
        for packs in [vec![], vec![pack(3, &[0, 2], 2)], vec![pack(3, &[0, 2], 2), pack(2, &[0, 1], 3)]] {
            let packed = !packs.is_empty();
            let plan = Blocking {
                packs,
                worth_packing: if packed { vec![Enough::of(1, 2)] } else { vec![] },
                ..blocking(tiles(&[(2, 2 * columns), (0, 3), (1, 4), (2, columns), (1, 2)]), &[2], columns, 2)
            };
            let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &sizes));
            let body = match &ast.body[..] {
                [AstNode::Scratch(scratch)] => &scratch.body,
                other => other,
            };
            let text = p.print(&Ast { body: body.to_vec(), ..ast.clone() });
            let ends = text.lines().filter(|l| l.contains("// tile") && l.contains("ceild(n")).count();
            assert_eq!(ends, 1, "one loop over what is left: {text}");
            assert_eq!(text.lines().any(is_odd), pairs, "{columns} columns, {packed}: {text}");
        }
    }
}

/// Copies of cells that lie by rows and are wanted by columns: in squares, with single iterations in front and behind.
#[test]
fn copies_in_squares() {
    for (k, a, b, many) in [
        (["k >= 0", "k < n"], "A[i][k]", "B[j][k]", 12),
        (["k >= 3", "k < n + 2"], "A[i][k + 1]", "B[2j + 1][k - 3]", 12),
        // Of a triangle not all lanes run.
        (["k >= 0", "k <= i"], "A[i][k]", "B[j][k]", 8),
        // One before the other.
        (["k >= 0", "k < n"], "A[i][n - k]", "B[j][n - k]", 12),
        // No neighbours.
        (["k >= 0", "k < n"], "A[i][2k]", "B[j][2n - 2k]", 0),
    ] {
        let mut p = Program::new("n", &[]);
        let domain: Vec<&str> = ["i >= 0", "i < n", "j >= 0", "j < n + 1"].into_iter().chain(k).collect();
        let s = p.statement("i j k", &domain, &[0, 0, 0, 0], &["C[i][j]", "C[i][j]", a, b]);
        let plan = Blocking {
            packs: vec![pack(3, &[0, 2], 2), pack(2, &[0, 1], 3)],
            scattered: true,
            ..blocking(tiles(&[(2, 16), (0, 9), (1, 8), (2, 8), (1, 4)]), &[4], 8, 4)
        };
        let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &[0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 17, 19]));
        let text = p.print(&ast);
        let squares = text.lines().filter(|l| l.trim_start().starts_with("lanes 4: p") && l.contains("] = r")).count();
        assert_eq!(squares, many, "{text}");
    }
}

/// Found by random nests: for `m > 7` there is nothing to do, and the bounds of the copy's loops do not say so. Where lanes do not run a copy stores zeros: never outside of the buffer.
#[test]
fn copies_stay_in_their_buffers() {
    let mut p = Program::new("n m", &[]);
    let domain = ["i >= m - 2", "i <= n", "i <= m + 1", "j >= 0", "j <= i + 2", "2i <= j + 3"];
    let s = p.statement("i j", &domain, &[0, 0, 0], &["W[j]", "W[j]", "A[i]", "B[2j]"]);
    let plan = Blocking { packs: vec![pack(3, &[1], 1)], ..blocking(tiles(&[(1, 12), (1, 6), (0, 1)]), &[1], 6, 2) };
    check(&p, s, &["i", "j + 1"], &plan, &grid(2, &SIZES));
}

/// Found by a random program: copies that use the same cells, in other lanes each.
#[test]
fn rows_with_the_same_cells_in_other_lanes() {
    for (lower, upper) in [("0", "i"), ("i", "m - 1"), ("i", "i + 1")] {
        let mut p = Program::new("n m", &[]);
        let (lower, upper) = (format!("j >= {lower}"), format!("j <= {upper}"));
        let domain = ["i >= 0", "i < n", &lower, &upper, "k >= 0", "k <= 2"];
        let s = p.statement("i j k", &domain, &[0, 0, 0, 0], &["C[i][j]", "C[i][j]", "d[j]", "x[k]"]);
        check(&p, s, &["k", "i", "j"], &blocking(tiles(&[(2, 4), (1, 3)]), &[3], 4, 2), &grid(2, &SIZES));
    }
}

/// A plan that does not fit is refused.
#[test]
fn wrong_plans() {
    let (p, s) = matmul();
    let good = blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2);
    let wrong = [
        Blocking { lanes: 3, ..good.clone() },
        Blocking { rows: vec![3], ..good.clone() },
        Blocking { tiles: tiles(&[(2, 4)]), ..good.clone() },
        Blocking { tiles: tiles(&[(2, 6), (2, 4), (1, 2)]), ..good.clone() },
        Blocking { outer: 2, ..good.clone() },
        Blocking { packs: vec![pack(3, &[0, 2], 1)], ..good.clone() },
        Blocking { steps: 0, ..good.clone() },
        Blocking { steps: 2, packs: vec![pack(3, &[0, 2], 2)], ..good.clone() },
        Blocking { steps: 2, outer: 1, ..good.clone() },
        Blocking {
            corners: vec![Corner { member: 0, beyond: None, lanes: 2, tiles: 1, worthwhile: 1 }],
            ..good.clone()
        },
        Blocking {
            corners: vec![Corner { member: 1, beyond: None, lanes: 2, tiles: 0, worthwhile: 1 }],
            ..good.clone()
        },
        Blocking {
            corners: vec![Corner { member: 1, beyond: None, lanes: 2, tiles: i64::MAX, worthwhile: 1 }],
            ..good.clone()
        },
        Blocking {
            corners: vec![Corner { member: 1, beyond: None, lanes: 1, tiles: 1, worthwhile: 1 }],
            ..good.clone()
        },
    ];
    for plan in wrong {
        assert!(!plan.fits(3), "{plan:?}");
        let kernels: Kernels = [(s, plan)].into();
        assert!(generate_tree(&p.scop, &nest(&p, s, &["k", "i", "j"]), &kernels, &Budget::generous()).is_err());
    }
    let _ = execute;
}

/// `T[a][b][c][d] += A[a][e][b][f] B[d][f][c][e]`: the loops over `c` and `e` outside, one value of `a` at a time inside of the copy of `B`, which does not move with it.
#[test]
fn contraction_with_copies_for_each_outer_iteration() {
    let mut p = Program::new("n", &[]);
    let bounds = [
        "a >= 0", "a < 2", "b >= 0", "b < n", "c >= 0", "c < 2", "d >= 0", "d < n", "e >= 0", "e < 2", "f >= 0",
        "f < n",
    ];
    let accesses = ["T[a][b][c][d]", "T[a][b][c][d]", "A[a][e][b][f]", "B[d][f][c][e]"];
    let s = p.statement("a b c d e f", &bounds, &[0; 7], &accesses);
    let plan = Blocking {
        packs: vec![pack(3, &[0, 3], 2), pack(2, &[0, 1, 2], 4)],
        worth_packing: vec![Enough::of(2, 2), Enough::of(3, 3)],
        ..blocking(tiles(&[(3, 8), (0, 3), (1, 1), (2, 4), (3, 4), (2, 2)]), &[1, 2], 4, 2)
    };
    assert!(plan.fits(4));
    let outer = ["c", "e"].iter().map(|r| p.member(&[(s, r)])).collect();
    let tree = common::band(outer, nest(&p, s, &["f", "a", "b", "d"]));
    let ast = check_tree(&p, &tree, s, &plan, &grid(1, &[0, 1, 2, 3, 4, 5]));
    // Two and three are three: the plain loops are for where there is no memory for that.
    assert_eq!(scalar_calls(&ast.body), 1);
    // The same with the outer loops as members of the band.
    let shifted = Blocking {
        outer: 2,
        packs: vec![pack(3, &[2, 5], 2), pack(2, &[2, 3, 4], 4)],
        worth_packing: vec![Enough::of(4, 2)],
        ..blocking(tiles(&[(5, 8), (2, 3), (3, 1), (4, 4), (5, 4), (4, 2)]), &[1, 2], 4, 2)
    };
    check(&p, s, &["c", "e", "f", "a", "b", "d"], &shifted, &grid(1, &[0, 1, 2, 3, 4, 5]));
}
