//! Bands blocked for registers and caches: the same memory as the source, for every size, with and without scratch memory.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::ast::{Ast, AstNode};
use codegen::generate::{generate_strips, generate_tree};
use codegen::interpret::{execute, execute_original, execute_with, instances, original_order};
use codegen::jam::jam;
use codegen::lanes::vectorise_marked;
use codegen::registers::hold_cells;
use common::{Program, grid, halves, matmul, whole};
use expect_test::expect;
use polyhedra::Budget;
use scheduler::dependence::Dependences;
use scheduler::kernel::{self, Blocking, Corner, Cut, Kernels, PackPlan, Registers, Strip, TileLoop};
use scheduler::legality::{self, Verdict};
use scheduler::scop::{AccessId, StatementId};
use scheduler::tree::Node;

/// A plan without copies, for all sizes.
fn blocking(tiles: Vec<TileLoop>, rows: &[i64], columns: i64, lanes: u32) -> Blocking {
    Blocking {
        outer: 0,
        tiles,
        rows: rows.to_vec(),
        columns,
        lanes,
        reversed: false,
        corners: Vec::new(),
        steps: 1,
        packs: Vec::new(),
        worth_packing: Vec::new(),
        scattered: false,
        in_place: None,
        worthwhile: Vec::new(),
        bands: None,
    }
}

fn tiles(list: &[(usize, i64)]) -> Vec<TileLoop> {
    list.iter().map(|&(member, size)| TileLoop { member, size }).collect()
}

fn pack(access: usize, members: &[usize], depth: usize) -> PackPlan {
    PackPlan { access: AccessId(access), members: members.to_vec(), depth }
}

/// The last member as parallel columns.
fn nest(p: &Program, id: StatementId, rows: &[&str]) -> Node {
    let Node::Band { mut members, permutable, child } = p.nest(id, rows) else { unreachable!() };
    members.last_mut().unwrap().parallel = true;
    Node::Band { members, permutable, child }
}

fn check(p: &Program, id: StatementId, rows: &[&str], plan: &Blocking, values: &[Vec<i64>]) -> Ast {
    assert!(plan.fits(rows.len()));
    check_tree(p, &nest(p, id, rows), id, plan, values)
}

fn check_tree(p: &Program, tree: &Node, id: StatementId, plan: &Blocking, values: &[Vec<i64>]) -> Ast {
    let budget = Budget::generous();
    let kernels: Kernels = [(id, plan.clone())].into();
    let loops = generate_tree(&p.scop, tree, &kernels, &budget).unwrap();
    let jammed = jam(&p.scop, loops.clone(), &whole(), &budget).unwrap();
    let held = hold_cells(&p.scop, loops.clone(), &budget).unwrap();
    let halved = vectorise_marked(&p.scop, jam(&p.scop, held.clone(), &halves(1.0), &budget).unwrap()).unwrap();
    let held = jam(&p.scop, held, &whole(), &budget).unwrap();
    let held = vectorise_marked(&p.scop, held).unwrap();
    for params in values {
        let mut got = instances(&held, params).unwrap();
        got.sort();
        let mut wanted = original_order(&p.scop, params).unwrap();
        wanted.sort();
        assert_eq!(got, wanted, "{params:?}\n{}", p.print(&held));
        let original = execute_original(&p.scop, params).unwrap();
        for (what, ast) in [("loops", &loops), ("jammed", &jammed), ("halved", &halved), ("held", &held)] {
            for scratch in [true, false] {
                let got = execute_with(&p.scop, ast, params, scratch);
                let got = got.unwrap_or_else(|e| panic!("{what} {params:?}: {e}\n{}", p.print(ast)));
                assert_eq!(got, original, "{what} {params:?}\n{}", p.print(ast));
            }
        }
    }
    held
}

/// Instances that run one at a time.
fn scalar_calls(nodes: &[AstNode]) -> usize {
    let one = |n: &AstNode| match n {
        AstNode::Call(c) => usize::from(c.lanes.is_none()),
        AstNode::Pack(_) => 0,
        AstNode::For(f) => scalar_calls(&f.body),
        AstNode::Held(h) => scalar_calls(&h.body),
        AstNode::Scratch(s) => scalar_calls(&s.body) + scalar_calls(&s.otherwise),
        AstNode::If { then, otherwise, .. } => scalar_calls(then) + scalar_calls(otherwise),
    };
    nodes.iter().map(one).sum()
}

const SIZES: [i64; 9] = [0, 1, 2, 3, 4, 5, 7, 8, 9];

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

#[test]
fn product_in_registers() {
    let (p, s) = matmul();
    let plan = blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2);
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &SIZES));
    expect![[r#"
        for (c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) { // tile
          for (c1 = 0; c1 <= floord(n - 1, 2); c1 += 1) { // tile
            if (2*c1 + 2 <= n) {
              if (4*c0 + 4 <= n) {
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
                hold lanes 2, < n - 4*c0: r4 = C[2*c1][4*c0 + lane] (load, store) {
                  hold lanes 2, < n - 4*c0 - 2: r5 = C[2*c1][4*c0 + lane + 2] (load, store) {
                    hold lanes 2, < n - 4*c0: r6 = C[2*c1 + 1][4*c0 + lane] (load, store) {
                      hold lanes 2, < n - 4*c0 - 2: r7 = C[2*c1 + 1][4*c0 + lane + 2] (load, store) {
                        for (c2 = 0; c2 <= n - 1; c2 += 1) {
                          lanes 2, < n - 4*c0: S0: r4 = f(r4, A[2*c1][c2], B[c2][4*c0 + lane]);
                          lanes 2, < n - 4*c0 - 2: S0: r5 = f(r5, A[2*c1][c2], B[c2][4*c0 + lane + 2]);
                          lanes 2, < n - 4*c0: S0: r6 = f(r6, A[2*c1 + 1][c2], B[c2][4*c0 + lane]);
                          lanes 2, < n - 4*c0 - 2: S0: r7 = f(r7, A[2*c1 + 1][c2], B[c2][4*c0 + lane + 2]);
                        }
                      }
                    }
                  }
                }
              }
            } else {
              if (4*c0 + 4 <= n) {
                hold lanes 2: r8 = C[n - 1][4*c0 + lane] (load, store) {
                  hold lanes 2: r9 = C[n - 1][4*c0 + lane + 2] (load, store) {
                    for (c2 = 0; c2 <= n - 1; c2 += 1) {
                      lanes 2: S0: r8 = f(r8, A[n - 1][c2], B[c2][4*c0 + lane]);
                      lanes 2: S0: r9 = f(r9, A[n - 1][c2], B[c2][4*c0 + lane + 2]);
                    }
                  }
                }
              } else {
                hold lanes 2, < n - 4*c0: r10 = C[n - 1][4*c0 + lane] (load, store) {
                  hold lanes 2, < n - 4*c0 - 2: r11 = C[n - 1][4*c0 + lane + 2] (load, store) {
                    for (c2 = 0; c2 <= n - 1; c2 += 1) {
                      lanes 2, < n - 4*c0: S0: r10 = f(r10, A[n - 1][c2], B[c2][4*c0 + lane]);
                      lanes 2, < n - 4*c0 - 2: S0: r11 = f(r11, A[n - 1][c2], B[c2][4*c0 + lane + 2]);
                    }
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

/// `W[i][j] += A[i + k][j + l] B[k][l]`: the loops of the sum are in no permutable band with each other, and run in their order inside of all tiles.
#[test]
fn a_sum_over_two_loops() {
    let mut p = Program::new("n m", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j < n", "k >= 0", "k < m", "l >= 0", "l < m"];
    let s = p.statement("i j k l", &domain, &[0; 5], &["W[i][j]", "W[i][j]", "A[i + k][j + l]", "B[k][l]"]);
    let rows = ["k", "l", "i", "j"];
    let Node::Band { members, child, .. } = p.nest(s, &rows) else { unreachable!() };
    let budget = Budget::generous();
    let dependences = Dependences::of(&p.scop, &budget).unwrap();
    let tree = Node::Band { members, permutable: true, child };
    let Verdict::Legal(schedule) = legality::prove(&p.scop, &dependences, tree, &budget).unwrap() else { panic!() };
    assert!(matches!(schedule.tree(), Node::Band { permutable: false, .. }));
    let proved = |plan: &Blocking| {
        let kernels: Kernels = [(s, plan.clone())].into();
        kernel::prove(&p.scop, &dependences, &schedule, kernels, Vec::new(), &budget).unwrap().is_some()
    };
    let plan = blocking(tiles(&[(3, 8), (2, 2), (3, 4)]), &[2], 4, 2);
    assert!(proved(&plan));
    // Tiles of the inner sum would bring its first terms of the next iterations forward.
    assert!(!proved(&blocking(tiles(&[(1, 2), (2, 2), (3, 4)]), &[2], 4, 2)));
    // Those of the outer one do not.
    assert!(proved(&blocking(tiles(&[(0, 2), (2, 2), (3, 4)]), &[2], 4, 2)));
    let ast = check_tree(&p, schedule.tree(), s, &plan, &grid(2, &[0, 1, 2, 3, 5, 8, 9]));
    let text = p.print(&ast);
    let whole: Vec<&str> = text.lines().skip(7).take(10).map(str::trim).collect();
    assert_eq!(
        whole,
        [
            "hold lanes 2: r0 = W[2*c1][4*c2 + lane] (load, store, fetch the next) {",
            "hold lanes 2: r1 = W[2*c1][4*c2 + lane + 2] (load, store) {",
            "hold lanes 2: r2 = W[2*c1 + 1][4*c2 + lane] (load, store, fetch the next) {",
            "hold lanes 2: r3 = W[2*c1 + 1][4*c2 + lane + 2] (load, store) {",
            "for (c3 = 0; c3 <= m - 1; c3 += 1) {",
            "for (c4 = 0; c4 <= m - 1; c4 += 1) {",
            "lanes 2: S0: r0 = f(r0, A[2*c1 + c3][4*c2 + c4 + lane], B[c3][c4]);",
            "lanes 2: S0: r1 = f(r1, A[2*c1 + c3][4*c2 + c4 + lane + 2], B[c3][c4]);",
            "lanes 2: S0: r2 = f(r2, A[2*c1 + c3 + 1][4*c2 + c4 + lane], B[c3][c4]);",
            "lanes 2: S0: r3 = f(r3, A[2*c1 + c3 + 1][4*c2 + c4 + lane + 2], B[c3][c4]);",
        ]
    );
}

/// Within a shared loop the most values count that a member ever has: twice as many are asked for where they become fewer.
#[test]
fn least_sizes_within_a_shared_loop() {
    let (p, s) = product(&["i > k"], &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"]);
    let plan = Blocking { worthwhile: vec![(0, 3), (1, 3)], ..blocking(tiles(&[(1, 4), (0, 2)]), &[2], 4, 2) };
    let tree = common::band(vec![p.member(&[(s, "k")])], nest(&p, s, &["i", "j"]));
    let ast = check_tree(&p, &tree, s, &plan, &grid(1, &SIZES));
    let least: Vec<String> = ast.worthwhile.iter().map(|form| form.display(&p.scop.params, &[]).to_string()).collect();
    assert_eq!(least, ["n - 7", "n - 3"]);
}

/// Where operands are copied tiles are wide, where they are not, narrow.
#[test]
fn narrow_tiles_in_place() {
    let (p, s) = matmul();
    let plan = Blocking {
        packs: vec![pack(3, &[0, 2], 2), pack(2, &[0, 1], 3)],
        worth_packing: vec![(1, 3)],
        scattered: true,
        in_place: Some(Registers { rows: 2, columns: 2 }),
        ..blocking(tiles(&[(2, 8), (0, 3), (1, 4), (2, 4), (1, 2)]), &[2], 4, 2)
    };
    assert!(plan.fits(3) && plan.in_place(2).fits(3));
    assert_eq!(plan.in_place(2).to_string(), "tiles c 8, a 3, b 4, c 2, b 2; 2 rows, 2 columns by 2");
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &[0, 1, 2, 3, 4, 5, 8, 9, 13]));
    let [AstNode::Scratch(scratch)] = &ast.body[..] else { panic!("no copies") };
    let held = |nodes: &[AstNode]| p.print(&Ast { body: nodes.to_vec(), ..ast.clone() }).matches("hold").count();
    assert!(held(&scratch.body) > held(&scratch.otherwise));
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
        worth_packing: vec![(1, 3)],
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
                for (c3 = 2*c0; c3 <= min(2*c0 + 1, floord(n - 1, 4)); c3 += 1) { // tile
                  for (c4 = 2*c2; c4 <= min(2*c2 + 1, floord(n - 1, 2)); c4 += 1) { // tile
                    if (2*c4 + 2 <= n) {
                      if (4*c3 + 4 <= n) {
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
                        hold lanes 2, < n - 4*c3: r4 = C[2*c4][4*c3 + lane] (load, store) {
                          hold lanes 2, < n - 4*c3 - 2: r5 = C[2*c4][4*c3 + lane + 2] (load, store) {
                            hold lanes 2, < n - 4*c3: r6 = C[2*c4 + 1][4*c3 + lane] (load, store) {
                              hold lanes 2, < n - 4*c3 - 2: r7 = C[2*c4 + 1][4*c3 + lane + 2] (load, store) {
                                for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                                  lanes 2, < n - 4*c3: S0: r4 = f(r4, p1[6*c4 + 2*c5 - 6*c1 - 12*c2], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                                  lanes 2, < n - 4*c3 - 2: S0: r5 = f(r5, p1[6*c4 + 2*c5 - 6*c1 - 12*c2], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1 + 2]);
                                  lanes 2, < n - 4*c3: S0: r6 = f(r6, p1[6*c4 + 2*c5 - 6*c1 - 12*c2 + 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                                  lanes 2, < n - 4*c3 - 2: S0: r7 = f(r7, p1[6*c4 + 2*c5 - 6*c1 - 12*c2 + 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1 + 2]);
                                }
                              }
                            }
                          }
                        }
                      }
                    } else {
                      if (4*c3 + 4 <= n) {
                        hold lanes 2: r8 = C[n - 1][4*c3 + lane] (load, store) {
                          hold lanes 2: r9 = C[n - 1][4*c3 + lane + 2] (load, store) {
                            for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                              lanes 2: S0: r8 = f(r8, p1[4*c4 + 2*c5 + n - 6*c1 - 12*c2 - 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                              lanes 2: S0: r9 = f(r9, p1[4*c4 + 2*c5 + n - 6*c1 - 12*c2 - 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1 + 2]);
                            }
                          }
                        }
                      } else {
                        hold lanes 2, < n - 4*c3: r10 = C[n - 1][4*c3 + lane] (load, store) {
                          hold lanes 2, < n - 4*c3 - 2: r11 = C[n - 1][4*c3 + lane + 2] (load, store) {
                            for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                              lanes 2, < n - 4*c3: S0: r10 = f(r10, p1[4*c4 + 2*c5 + n - 6*c1 - 12*c2 - 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1]);
                              lanes 2, < n - 4*c3 - 2: S0: r11 = f(r11, p1[4*c4 + 2*c5 + n - 6*c1 - 12*c2 - 1], p0[12*c3 + 4*c5 + lane - 24*c0 - 12*c1 + 2]);
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
        } else {
          for (c0 = 0; c0 <= floord(n - 1, 8); c0 += 1) { // tile
            for (c1 = 0; c1 <= floord(n - 1, 3); c1 += 1) { // tile
              for (c2 = 0; c2 <= floord(n - 1, 4); c2 += 1) { // tile
                for (c3 = 2*c0; c3 <= min(2*c0 + 1, floord(n - 1, 4)); c3 += 1) { // tile
                  for (c4 = 2*c2; c4 <= min(2*c2 + 1, floord(n - 1, 2)); c4 += 1) { // tile
                    if (2*c4 + 2 <= n) {
                      if (4*c3 + 4 <= n) {
                        hold lanes 2: r12 = C[2*c4][4*c3 + lane] (load, store, fetch the next) {
                          hold lanes 2: r13 = C[2*c4][4*c3 + lane + 2] (load, store) {
                            hold lanes 2: r14 = C[2*c4 + 1][4*c3 + lane] (load, store, fetch the next) {
                              hold lanes 2: r15 = C[2*c4 + 1][4*c3 + lane + 2] (load, store) {
                                for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                                  lanes 2: S0: r12 = f(r12, A[2*c4][c5], B[c5][4*c3 + lane]);
                                  lanes 2: S0: r13 = f(r13, A[2*c4][c5], B[c5][4*c3 + lane + 2]);
                                  lanes 2: S0: r14 = f(r14, A[2*c4 + 1][c5], B[c5][4*c3 + lane]);
                                  lanes 2: S0: r15 = f(r15, A[2*c4 + 1][c5], B[c5][4*c3 + lane + 2]);
                                }
                              }
                            }
                          }
                        }
                      } else {
                        hold lanes 2, < n - 4*c3: r16 = C[2*c4][4*c3 + lane] (load, store) {
                          hold lanes 2, < n - 4*c3 - 2: r17 = C[2*c4][4*c3 + lane + 2] (load, store) {
                            hold lanes 2, < n - 4*c3: r18 = C[2*c4 + 1][4*c3 + lane] (load, store) {
                              hold lanes 2, < n - 4*c3 - 2: r19 = C[2*c4 + 1][4*c3 + lane + 2] (load, store) {
                                for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                                  lanes 2, < n - 4*c3: S0: r16 = f(r16, A[2*c4][c5], B[c5][4*c3 + lane]);
                                  lanes 2, < n - 4*c3 - 2: S0: r17 = f(r17, A[2*c4][c5], B[c5][4*c3 + lane + 2]);
                                  lanes 2, < n - 4*c3: S0: r18 = f(r18, A[2*c4 + 1][c5], B[c5][4*c3 + lane]);
                                  lanes 2, < n - 4*c3 - 2: S0: r19 = f(r19, A[2*c4 + 1][c5], B[c5][4*c3 + lane + 2]);
                                }
                              }
                            }
                          }
                        }
                      }
                    } else {
                      if (4*c3 + 4 <= n) {
                        hold lanes 2: r20 = C[n - 1][4*c3 + lane] (load, store) {
                          hold lanes 2: r21 = C[n - 1][4*c3 + lane + 2] (load, store) {
                            for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                              lanes 2: S0: r20 = f(r20, A[n - 1][c5], B[c5][4*c3 + lane]);
                              lanes 2: S0: r21 = f(r21, A[n - 1][c5], B[c5][4*c3 + lane + 2]);
                            }
                          }
                        }
                      } else {
                        hold lanes 2, < n - 4*c3: r22 = C[n - 1][4*c3 + lane] (load, store) {
                          hold lanes 2, < n - 4*c3 - 2: r23 = C[n - 1][4*c3 + lane + 2] (load, store) {
                            for (c5 = 3*c1; c5 <= min(3*c1 + 2, n - 1); c5 += 1) {
                              lanes 2, < n - 4*c3: S0: r22 = f(r22, A[n - 1][c5], B[c5][4*c3 + lane]);
                              lanes 2, < n - 4*c3 - 2: S0: r23 = f(r23, A[n - 1][c5], B[c5][4*c3 + lane + 2]);
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
    "#]].assert_eq(&p.print(&ast));
    assert_eq!(scalar_calls(&ast.body), 0);
}

fn product(domain: &[&str], accesses: &[&str]) -> (Program, StatementId) {
    let mut p = Program::new("n", &[]);
    let all = ["i >= 0", "i < n", "j >= 0", "j < n", "k >= 0", "k < n"];
    let rows: Vec<&str> = all.iter().chain(domain).copied().collect();
    let s = p.statement("i j k", &rows, &[0, 0, 0, 0], accesses);
    (p, s)
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
          for (c1 = 0; c1 <= floord(n - 1, 2); c1 += 1) { // tile
            if (2*c1 + 2 <= n) {
              if (1 <= c0 && 4*c0 + 4 <= n) {
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
                if (0 <= 4*c0 - 1) {
                  hold lanes 2, < n - 4*c0: r4 = A[2*c1][4*c0 + lane] (load, store) {
                    hold lanes 2, < n - 4*c0 - 2: r5 = A[2*c1][4*c0 + lane + 2] (load, store) {
                      hold lanes 2, < n - 4*c0: r6 = A[2*c1 + 1][4*c0 + lane] (load, store) {
                        hold lanes 2, < n - 4*c0 - 2: r7 = A[2*c1 + 1][4*c0 + lane + 2] (load, store) {
                          for (c2 = 0; c2 <= 4*c0 - 1; c2 += 1) {
                            lanes 2, < n - 4*c0: S0: r4 = f(r4, A[2*c1][c2]);
                            lanes 2, < n - 4*c0 - 2: S0: r5 = f(r5, A[2*c1][c2]);
                            lanes 2, < n - 4*c0: S0: r6 = f(r6, A[2*c1 + 1][c2]);
                            lanes 2, < n - 4*c0 - 2: S0: r7 = f(r7, A[2*c1 + 1][c2]);
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
              }
            } else {
              if (1 <= c0 && 4*c0 + 4 <= n) {
                hold lanes 2: r8 = A[n - 1][4*c0 + lane] (load, store) {
                  hold lanes 2: r9 = A[n - 1][4*c0 + lane + 2] (load, store) {
                    for (c2 = 0; c2 <= 4*c0 - 1; c2 += 1) {
                      lanes 2: S0: r8 = f(r8, A[n - 1][c2]);
                      lanes 2: S0: r9 = f(r9, A[n - 1][c2]);
                    }
                  }
                }
                for (c2 = 4*c0; c2 <= 4*c0 + 2; c2 += 1) {
                  lanes 2, >= c2 - 4*c0 + 1: S0: A[n - 1][4*c0 + lane] = f(A[n - 1][4*c0 + lane], A[n - 1][c2]);
                  lanes 2, >= c2 - 4*c0 - 1: S0: A[n - 1][4*c0 + lane + 2] = f(A[n - 1][4*c0 + lane + 2], A[n - 1][c2]);
                }
              } else {
                if (0 <= 4*c0 - 1) {
                  hold lanes 2, < n - 4*c0: r10 = A[n - 1][4*c0 + lane] (load, store) {
                    hold lanes 2, < n - 4*c0 - 2: r11 = A[n - 1][4*c0 + lane + 2] (load, store) {
                      for (c2 = 0; c2 <= 4*c0 - 1; c2 += 1) {
                        lanes 2, < n - 4*c0: S0: r10 = f(r10, A[n - 1][c2]);
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
    let corner = |member| vec![Corner { member, beyond: None, lanes: 2, worthwhile: 1 }];
    let sizes = grid(2, &[0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 22]);
    // Rows of the kernel in lanes; then its columns; the depth as it is, then in tiles that end where those of the columns do, and elsewhere.
    let by_rows = Blocking { corners: corner(1), ..blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2) };
    let by_columns = Blocking { corners: corner(2), ..blocking(tiles(&[(2, 4), (1, 2)]), &[2], 4, 2) };
    // Tiles with smaller ones at the end of the domain.
    let wide = Blocking { corners: corner(1), ..blocking(tiles(&[(2, 8), (1, 8)]), &[8], 8, 2) };
    let high = Blocking { corners: corner(2), ..blocking(tiles(&[(2, 4), (1, 8)]), &[8], 4, 2) };
    // Divisions in lanes. By rows: of so many unknowns, for all rows of the tile and for two. By columns: with masks and without.
    let all = [
        ([0, 1, 2], &by_rows, [8, 6], 4 + 2),
        ([0, 2, 1], &by_columns, [8, 6], 2 * 2),
        ([0, 1, 2], &wide, [16, 24], (8 + 4 + 2) * (4 + 1)),
        ([0, 2, 1], &high, [16, 24], (8 + 4) * 2),
    ];
    for (order, plan, [several, other], divisions) in all {
        for depth in [None, Some(several), Some(other)] {
            let mut plan = plan.clone();
            depth.into_iter().for_each(|size| plan.tiles.insert(0, TileLoop { member: 0, size }));
            let ast = check_tree(&p, &tree(order), update, &plan, &sizes);
            assert_eq!(in_lanes(&ast.body, divide), divisions, "{}", p.print(&ast));
        }
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
              if (1 <= c1 && 2*c1 + 2 <= N) {
                if (4*c0 + 4 <= M) {
                  hold lanes 2: r0 = A[4*c0 + lane][2*c1] (load, store, fetch the next) {
                    hold lanes 2: r1 = A[4*c0 + lane + 2][2*c1] (load, store) {
                      hold lanes 2: r2 = A[4*c0 + lane][2*c1 + 1] (load, store, fetch the next) {
                        hold lanes 2: r3 = A[4*c0 + lane + 2][2*c1 + 1] (load, store) {
                          for (c2 = 0; c2 <= 2*c1 - 1; c2 += 1) {
                            lanes 2: S1: r0 = f(r0, A[4*c0 + lane][c2], U[c2][2*c1]);
                            lanes 2: S1: r1 = f(r1, A[4*c0 + lane + 2][c2], U[c2][2*c1]);
                            lanes 2: S1: r2 = f(r2, A[4*c0 + lane][c2], U[c2][2*c1 + 1]);
                            lanes 2: S1: r3 = f(r3, A[4*c0 + lane + 2][c2], U[c2][2*c1 + 1]);
                          }
                        }
                      }
                    }
                  }
                } else {
                  if (M <= 4*c0 + 2) {
                    hold lanes 2, < M - 4*c0: r4 = A[4*c0 + lane][2*c1] (load, store) {
                      hold lanes 2, < M - 4*c0: r5 = A[4*c0 + lane][2*c1 + 1] (load, store) {
                        for (c2 = 0; c2 <= 2*c1 - 1; c2 += 1) {
                          lanes 2, < M - 4*c0: S1: r4 = f(r4, A[4*c0 + lane][c2], U[c2][2*c1]);
                          lanes 2, < M - 4*c0: S1: r5 = f(r5, A[4*c0 + lane][c2], U[c2][2*c1 + 1]);
                        }
                      }
                    }
                  } else {
                    hold lanes 2, < M - 4*c0: r6 = A[4*c0 + lane][2*c1] (load, store) {
                      hold lanes 2, < M - 4*c0 - 2: r7 = A[4*c0 + lane + 2][2*c1] (load, store) {
                        hold lanes 2, < M - 4*c0: r8 = A[4*c0 + lane][2*c1 + 1] (load, store) {
                          hold lanes 2, < M - 4*c0 - 2: r9 = A[4*c0 + lane + 2][2*c1 + 1] (load, store) {
                            for (c2 = 0; c2 <= 2*c1 - 1; c2 += 1) {
                              lanes 2, < M - 4*c0: S1: r6 = f(r6, A[4*c0 + lane][c2], U[c2][2*c1]);
                              lanes 2, < M - 4*c0 - 2: S1: r7 = f(r7, A[4*c0 + lane + 2][c2], U[c2][2*c1]);
                              lanes 2, < M - 4*c0: S1: r8 = f(r8, A[4*c0 + lane][c2], U[c2][2*c1 + 1]);
                              lanes 2, < M - 4*c0 - 2: S1: r9 = f(r9, A[4*c0 + lane + 2][c2], U[c2][2*c1 + 1]);
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
                      hold lanes 2: r10 = A[4*c0 + lane][c2] (load, store) {
                        hold lanes 2: r11 = A[4*c0 + lane + 2][c2] (load, store) {
                          for (c3 = 0; c3 <= 2*c1 - 1; c3 += 1) {
                            lanes 2: S1: r10 = f(r10, A[4*c0 + lane][c3], U[c3][c2]);
                            lanes 2: S1: r11 = f(r11, A[4*c0 + lane + 2][c3], U[c3][c2]);
                          }
                        }
                      }
                    }
                  } else {
                    if (0 <= 2*c1 - 1) {
                      hold lanes 2, < M - 4*c0: r12 = A[4*c0 + lane][c2] (load, store) {
                        hold lanes 2, < M - 4*c0 - 2: r13 = A[4*c0 + lane + 2][c2] (load, store) {
                          for (c3 = 0; c3 <= 2*c1 - 1; c3 += 1) {
                            lanes 2, < M - 4*c0: S1: r12 = f(r12, A[4*c0 + lane][c3], U[c3][c2]);
                            lanes 2, < M - 4*c0 - 2: S1: r13 = f(r13, A[4*c0 + lane + 2][c3], U[c3][c2]);
                          }
                        }
                      }
                    }
                  }
                }
              }
              for (c2 = 2*c0; c2 <= min(2*c0 + 1, floord(M - 1, 2)); c2 += 1) { // tile
                if (2*c2 + 2 <= M && 2*c1 + 2 <= N) {
                  hold lanes 2: r14 = A[2*c2 + lane][2*c1] (load, store) {
                    hold lanes 2: r15 = A[2*c2 + lane][2*c1 + 1] (load, store) {
                      lanes 2: S2: r14 = f(r14, U[2*c1][2*c1]);
                      lanes 2: S1: r15 = f(r15, r14, U[2*c1][2*c1 + 1]);
                      lanes 2: S2: r15 = f(r15, U[2*c1 + 1][2*c1 + 1]);
                    }
                  }
                } else {
                  if (2*c1 + 2 <= N) {
                    hold lanes 2, < min(2, M - 2*c2): r16 = A[2*c2 + lane][2*c1] (load, store) {
                      hold lanes 2, < min(2, M - 2*c2): r17 = A[2*c2 + lane][2*c1 + 1] (load, store) {
                        lanes 2, < min(2, M - 2*c2): S2: r16 = f(r16, U[2*c1][2*c1]);
                        lanes 2, < min(2, M - 2*c2): S1: r17 = f(r17, r16, U[2*c1][2*c1 + 1]);
                        lanes 2, < min(2, M - 2*c2): S2: r17 = f(r17, U[2*c1 + 1][2*c1 + 1]);
                      }
                    }
                  } else {
                    for (c3 = 2*c1; c3 <= min(2*c1 + 1, N - 1); c3 += 1) {
                      for (c4 = c3; c4 <= 2*c1 + 1; c4 += 1) {
                        if (c3 + 1 <= c4 && c4 + 1 <= N) {
                          hold r18 = U[c3][c4] (load) {
                            for (c5 = 2*c2; c5 <= min(2*c2 + 1, M - 1); c5 += 1) {
                              S1: A[c5][c4] = f(A[c5][c4], A[c5][c3], r18);
                            }
                          }
                        }
                        if (c4 - c3 == 0) {
                          hold r19 = U[c4][c4] (load) {
                            for (c5 = 2*c2; c5 <= min(2*c2 + 1, M - 1); c5 += 1) {
                              S2: A[c5][c4] = f(A[c5][c4], r19);
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
        let one = |(member, other)| Corner { member, beyond: Some(other), lanes, worthwhile: 1 };
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
        AstNode::Pack(_) => 0,
        AstNode::For(f) => in_lanes(&f.body, id),
        AstNode::Held(h) => in_lanes(&h.body, id),
        AstNode::Scratch(s) => in_lanes(&s.body, id) + in_lanes(&s.otherwise, id),
        AstNode::If { then, otherwise, .. } => in_lanes(then, id) + in_lanes(otherwise, id),
    };
    nodes.iter().map(of).sum()
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

/// `y[i] += A[i][j] x[j]` with lanes along `i`: as many steps of `j` as lanes, so that squares of `A` are held; what is left of `j` runs alone.
#[test]
fn sum_of_rows_in_blocks() {
    let mut p = Program::new("n m", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j < m"];
    let s = p.statement("i j", &domain, &[0, 0, 0], &["y[i]", "y[i]", "A[i][j]", "x[j]"]);
    let plan = Blocking { steps: 2, ..blocking(tiles(&[(1, 4)]), &[], 4, 2) };
    let ast = check(&p, s, &["j", "i"], &plan, &grid(2, &SIZES));
    expect![[r#"
        if (1 <= n) {
          for (c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) { // tile
            if (4*c0 + 4 <= n) {
              if (0 <= floord(m - 2, 2)) {
                hold lanes 2: r0 = y[4*c0 + lane] (load, store, fetch the next) {
                  hold lanes 2: r1 = y[4*c0 + lane + 2] (load, store) {
                    for (c1 = 0; c1 <= floord(m - 2, 2); c1 += 1) {
                      hold lanes 2: r2 = A[4*c0 + lane][2*c1] (load) {
                        hold lanes 2: r3 = A[4*c0 + lane][2*c1 + 1] (load) {
                          lanes 2: S0: r0 = f(r0, r2, x[2*c1]);
                          lanes 2: S0: r0 = f(r0, r3, x[2*c1 + 1]);
                        }
                      }
                      hold lanes 2: r4 = A[4*c0 + lane + 2][2*c1] (load) {
                        hold lanes 2: r5 = A[4*c0 + lane + 2][2*c1 + 1] (load) {
                          lanes 2: S0: r1 = f(r1, r4, x[2*c1]);
                          lanes 2: S0: r1 = f(r1, r5, x[2*c1 + 1]);
                        }
                      }
                    }
                  }
                }
              }
              if (1 <= m) {
                if (ceild(m - 1, 2) <= floord(m - 1, 2)) {
                  hold lanes 2: r6 = y[4*c0 + lane] (load, store) {
                    hold lanes 2: r7 = y[4*c0 + lane + 2] (load, store) {
                      hold lanes 2: r8 = A[4*c0 + lane][m - 1] (load) {
                        hold lanes 2: r9 = A[4*c0 + lane + 2][m - 1] (load) {
                          hold r10 = x[m - 1] (load) {
                            for (c1 = ceild(m - 1, 2); c1 <= floord(m - 1, 2); c1 += 1) {
                              lanes 2: S0: r6 = f(r6, r8, r10);
                              lanes 2: S0: r7 = f(r7, r9, r10);
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            } else {
              if (0 <= floord(m - 2, 2)) {
                hold lanes 2, < n - 4*c0: r11 = y[4*c0 + lane] (load, store) {
                  hold lanes 2, < n - 4*c0 - 2: r12 = y[4*c0 + lane + 2] (load, store) {
                    for (c1 = 0; c1 <= floord(m - 2, 2); c1 += 1) {
                      hold lanes 2, < n - 4*c0: r13 = A[4*c0 + lane][2*c1] (load) {
                        hold lanes 2, < n - 4*c0: r14 = A[4*c0 + lane][2*c1 + 1] (load) {
                          lanes 2, < n - 4*c0: S0: r11 = f(r11, r13, x[2*c1]);
                          lanes 2, < n - 4*c0: S0: r11 = f(r11, r14, x[2*c1 + 1]);
                        }
                      }
                      hold lanes 2, < n - 4*c0 - 2: r15 = A[4*c0 + lane + 2][2*c1] (load) {
                        hold lanes 2, < n - 4*c0 - 2: r16 = A[4*c0 + lane + 2][2*c1 + 1] (load) {
                          lanes 2, < n - 4*c0 - 2: S0: r12 = f(r12, r15, x[2*c1]);
                          lanes 2, < n - 4*c0 - 2: S0: r12 = f(r12, r16, x[2*c1 + 1]);
                        }
                      }
                    }
                  }
                }
              }
              if (1 <= m) {
                if (ceild(m - 1, 2) <= floord(m - 1, 2)) {
                  hold lanes 2, < n - 4*c0: r17 = y[4*c0 + lane] (load, store) {
                    hold lanes 2, < n - 4*c0 - 2: r18 = y[4*c0 + lane + 2] (load, store) {
                      hold lanes 2, < n - 4*c0: r19 = A[4*c0 + lane][m - 1] (load) {
                        hold lanes 2, < n - 4*c0 - 2: r20 = A[4*c0 + lane + 2][m - 1] (load) {
                          for (c1 = ceild(m - 1, 2); c1 <= floord(m - 1, 2); c1 += 1) {
                            lanes 2, < n - 4*c0: S0: r17 = f(r17, r19, x[m - 1]);
                            lanes 2, < n - 4*c0 - 2: S0: r18 = f(r18, r20, x[m - 1]);
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
    assert_eq!(scalar_calls(&ast.body), 0);
    let plan = Blocking { steps: 4, ..blocking(tiles(&[(1, 4)]), &[], 4, 4) };
    assert!(p.print(&check(&p, s, &["j", "i"], &plan, &grid(2, &SIZES))).contains("= A[4*c0 + lane][4*c1 + 3]"));
}

/// Sums whose depth does not begin at a multiple of the steps, or ends with the row.
#[test]
fn sums_over_parts_of_rows() {
    for domain in [
        ["i >= 0", "i < n", "j > 2", "j < m"],
        ["i >= 0", "i < n", "j >= 0", "j <= i"],
        ["i >= 0", "i < n", "j > i", "j < m"],
        ["i >= 0", "i < n", "j + 3 >= m", "2*j < n + i"],
    ] {
        let mut p = Program::new("n m", &["m >= 0"]);
        let s = p.statement("i j", &domain, &[0, 0, 0], &["y[i]", "y[i]", "A[i][j + 3]", "x[j + 3]"]);
        for (columns, lanes) in [(4, 2), (4, 4), (3, 3)] {
            let plan = Blocking {
                steps: lanes,
                ..blocking(tiles(&[(1, columns)]), &[], columns, u32::try_from(lanes).unwrap())
            };
            let ast = check(&p, s, &["j", "i"], &plan, &grid(2, &[0, 1, 3, 4, 6, 9, 13]));
            assert!(p.print(&ast).contains("hold lanes"), "{}", p.print(&ast));
        }
    }
}

/// `y[j] += A[i][j] x[i]`: short tiles of `i`, and `y` in registers over each.
#[test]
fn sum_of_columns() {
    let mut p = Program::new("n m", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j < m"];
    let s = p.statement("i j", &domain, &[0, 0, 0], &["y[j]", "y[j]", "A[i][j]", "x[i]"]);
    let plan = blocking(tiles(&[(0, 3), (1, 4)]), &[], 4, 2);
    let ast = check(&p, s, &["i", "j"], &plan, &grid(2, &SIZES));
    assert_eq!(scalar_calls(&ast.body), 0);
}

/// Blocks of the array that the statement writes, of other cells.
#[test]
fn blocks_of_the_written_array() {
    let mut p = Program::new("n m", &[]);
    let domain = ["i >= 0", "i < n", "j > 0", "j < m"];
    let s = p.statement("i j", &domain, &[0, 0, 0], &["y[i][0]", "y[i][0]", "y[i + 1][j]"]);
    let plan = Blocking { steps: 2, ..blocking(tiles(&[(1, 2)]), &[], 2, 2) };
    let ast = check(&p, s, &["j", "i"], &plan, &grid(2, &SIZES));
    let text = p.print(&ast);
    assert!(text.contains("hold lanes 2: r1 = y[2*c0 + lane + 1][2*c1] (load)"), "{text}");
}

/// Where operands are not copied tiles may have more rows; those at the end run by fours, by twos, one by one.
#[test]
fn other_tiles_in_place() {
    let (p, s) = matmul();
    let plan = Blocking {
        packs: vec![pack(3, &[0, 2], 2), pack(2, &[0, 1], 3)],
        worth_packing: vec![(1, 9)],
        in_place: Some(Registers { rows: 8, columns: 2 }),
        ..blocking(tiles(&[(2, 12), (0, 3), (1, 10), (2, 6), (1, 2)]), &[2], 6, 2)
    };
    assert!(plan.fits(3) && plan.in_place(2).fits(3));
    assert_eq!(plan.in_place(2).to_string(), "tiles c 12, a 3, c 2, b 8; 8 rows, 2 columns by 2");
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(1, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 23]));
    let [AstNode::Scratch(scratch)] = &ast.body[..] else { panic!("no copies") };
    let text = p.print(&Ast { body: scratch.otherwise.clone(), ..ast.clone() });
    for rows in ["8*c3 + 7]", "4*c4 + 3]", "2*c5 + 1]"] {
        assert!(text.lines().any(|l| l.trim_start().starts_with("hold lanes 2") && l.contains(rows)), "{rows} {text}");
    }
}

/// Rows of a tile have one block together.
#[test]
fn blocks_for_all_rows() {
    let mut p = Program::new("n m", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j <= i", "k >= 0", "k < m"];
    let s = p.statement("i j k", &domain, &[0, 0, 0, 0], &["C[i][j]", "C[i][j]", "A[i][k]", "A[j][k]"]);
    let plan = Blocking { steps: 2, scattered: true, ..blocking(tiles(&[(1, 3), (2, 2)]), &[3], 2, 2) };
    let ast = check(&p, s, &["k", "i", "j"], &plan, &grid(2, &SIZES));
    let text = p.print(&ast);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let block = lines.iter().position(|l| *l == "hold lanes 2: r4 = A[2*c1 + lane][2*c2 + 1] (load) {").expect(&text);
    let calls: Vec<&str> = lines[block + 1..].iter().copied().take_while(|l| l.contains("S0")).collect();
    assert!(calls.len() == 6 && calls[5] == "lanes 2: S0: r2 = f(r2, A[3*c0 + 2][2*c2 + 1], r4);", "{text}");
    // On the diagonal the last row has the most lanes: the block is loaded for it, and used by all; what is left of the depth begins with that row.
    assert!(lines.contains(&"hold lanes 2, < 3*c0 - 2*c1 + 3: r16 = A[2*c1 + lane][2*c2 + 1] (load) {"), "{text}");
    assert!(lines.contains(&"lanes 2, < 3*c0 - 2*c1 + 1: S0: r12 = f(r12, A[3*c0][2*c2 + 1], r16);"), "{text}");
    let masked: Vec<&str> = lines.into_iter().filter(|l| l.starts_with("lanes 2, <")).collect();
    let rows: Vec<usize> =
        masked.iter().filter_map(|l| ["r17", "r18", "r19"].iter().position(|r| l.contains(r))).collect();
    assert_eq!(rows, [2, 1, 0], "{text}");
}

/// No block with cells that the statement writes, nor of cells that are apart in both directions.
#[test]
fn no_blocks() {
    for access in ["y[i + 1][j]", "A[i][2*j]", "A[j][i]"] {
        let mut p = Program::new("n m", &[]);
        let domain = ["i >= 0", "i < n", "j >= 0", "j < m"];
        let s = p.statement("i j", &domain, &[0, 0, 0], &["y[i][0]", "y[i][0]", access]);
        let plan = Blocking { steps: 2, ..blocking(tiles(&[(1, 2)]), &[], 2, 2) };
        let ast = check(&p, s, &["j", "i"], &plan, &grid(2, &SIZES));
        let text = p.print(&ast);
        let in_steps = |line: &str| line.contains("hold") && line.contains("c1");
        assert!(text.contains("lanes 2: S0") && !text.lines().any(in_steps), "{text}");
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

/// Two sums over one matrix, strip by strip, with and without kernels.
#[test]
fn sums_in_strips() {
    let mut p = Program::new("n m", &[]);
    let two = ["i >= 0", "i < n", "j >= 0", "j < m"];
    let clear = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["t[i]"]);
    let rows = p.statement("i j", &two, &[0, 1, 0], &["t[i]", "t[i]", "A[i][j]", "x[j]"]);
    let columns = p.statement("i j", &two, &[0, 2, 0], &["y[j]", "y[j]", "A[i][j]", "t[i]"]);
    let cut = Cut { rows: p.member(&[(clear, "i"), (rows, "i"), (columns, "i")]).rows, size: 4 };
    let strip = Strip { cuts: vec![cut], worthwhile: None };
    let tree = Node::Sequence(vec![p.nest(clear, &["i"]), nest(&p, rows, &["j", "i"]), nest(&p, columns, &["i", "j"])]);
    let plan = Blocking { steps: 2, ..blocking(tiles(&[(1, 4)]), &[], 4, 2) };
    let kernels: Kernels = [(rows, plan), (columns, blocking(tiles(&[(0, 4), (1, 4)]), &[], 4, 2))].into();
    let budget = Budget::generous();
    for kernels in [Kernels::new(), kernels] {
        let ast = generate_strips(&p.scop, &tree, &kernels, std::slice::from_ref(&strip), &budget).unwrap();
        let ast = jam(&p.scop, hold_cells(&p.scop, ast, &budget).unwrap(), &whole(), &budget).unwrap();
        let text = p.print(&ast);
        assert!(text.starts_with("if (1 <= n) {\n  for (c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) { // tile"), "{text}");
        for params in grid(2, &[0, 1, 2, 3, 4, 5, 8, 9]) {
            let original = execute_original(&p.scop, &params).unwrap();
            assert_eq!(execute(&p.scop, &ast, &params).unwrap(), original, "{params:?}\n{text}");
        }
    }
}

/// Sweeps in time, strip by strip of rows that move with time, and brick by brick: each in the order of the source within.
#[test]
fn sweeps_in_strips() {
    let mut p = Program::new("T n", &[]);
    let domain = ["t >= 0", "t < T", "i > 0", "i < n", "j > 0", "j < n"];
    let b = p.statement("t i j", &domain, &[0, 0, 0, 0], &["B[i][j]", "A[i][j]", "A[i + 1][j]", "A[i][j - 1]"]);
    let a = p.statement("t i j", &domain, &[0, 1, 0, 0], &["A[i][j]", "B[i][j]", "B[i - 1][j]", "B[i][j + 1]"]);
    let sweep = |s| common::band(vec![p.member(&[(s, "i")]), p.member(&[(s, "j")])], Node::Leaf(s));
    let tree = common::band(vec![p.member(&[(b, "t"), (a, "t")])], Node::Sequence(vec![sweep(b), sweep(a)]));
    let budget = Budget::generous();
    let rows = p.member(&[(b, "2*t + i"), (a, "2*t + i + 1")]).rows;
    let columns = p.member(&[(b, "2*t + j"), (a, "2*t + j + 1")]).rows;
    for (size, other) in [(1, 1), (2, 3), (4, 2), (3, 100)] {
        let cut = Cut { rows: rows.clone(), size };
        for cuts in [vec![cut.clone()], vec![cut.clone(), Cut { rows: columns.clone(), size: other }]] {
            let strip = Strip { cuts, worthwhile: None };
            let ast = generate_strips(&p.scop, &tree, &Kernels::new(), std::slice::from_ref(&strip), &budget).unwrap();
            let text = p.print(&ast);
            assert_eq!(text.matches("// tile").count(), strip.cuts.len(), "{text}");
            for params in grid(2, &[0, 1, 2, 3, 5]) {
                let original = execute_original(&p.scop, &params).unwrap();
                assert_eq!(execute(&p.scop, &ast, &params).unwrap(), original, "{params:?}\n{text}");
            }
        }
    }
    // Rows and columns have n - 1 values: five in the mean.
    let cut = Cut { rows: rows.clone(), size: 4 };
    let strip = Strip { cuts: vec![cut], worthwhile: Some(5) };
    let ast = generate_strips(&p.scop, &tree, &Kernels::new(), &[strip], &budget).unwrap();
    let [form] = &ast.worthwhile[..] else { panic!("{:?}", ast.worthwhile) };
    assert_eq!((form.param_coeffs(), form.constant_term()), (&[0, 2][..], -12));
    let empty = Strip { cuts: vec![Cut { rows, size: 0 }], worthwhile: None };
    assert!(generate_strips(&p.scop, &tree, &Kernels::new(), &[empty], &budget).is_err());
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
        Blocking { corners: vec![Corner { member: 0, beyond: None, lanes: 2, worthwhile: 1 }], ..good.clone() },
        Blocking { corners: vec![Corner { member: 1, beyond: None, lanes: 1, worthwhile: 1 }], ..good.clone() },
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
        worth_packing: vec![(2, 2)],
        ..blocking(tiles(&[(3, 8), (0, 3), (1, 1), (2, 4), (3, 4), (2, 2)]), &[1, 2], 4, 2)
    };
    assert!(plan.fits(4));
    let outer = ["c", "e"].iter().map(|r| p.member(&[(s, r)])).collect();
    let tree = common::band(outer, nest(&p, s, &["f", "a", "b", "d"]));
    let ast = check_tree(&p, &tree, s, &plan, &grid(1, &[0, 1, 2, 3, 4, 5]));
    assert_eq!(scalar_calls(&ast.body), 0);
    // The same with the outer loops as members of the band.
    let shifted = Blocking {
        outer: 2,
        packs: vec![pack(3, &[2, 5], 2), pack(2, &[2, 3, 4], 4)],
        worth_packing: vec![(4, 2)],
        ..blocking(tiles(&[(5, 8), (2, 3), (3, 1), (4, 4), (5, 4), (4, 2)]), &[1, 2], 4, 2)
    };
    check(&p, s, &["c", "e", "f", "a", "b", "d"], &shifted, &grid(1, &[0, 1, 2, 3, 4, 5]));
}
