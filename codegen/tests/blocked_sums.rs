//! Blocked sums without rows, over several loops, and nests in strips.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::generate::generate_strips;
use codegen::interpret::{execute, execute_original};
use codegen::jam::jam;
use codegen::registers::hold_cells;
use common::kernels::{SIZES, blocking, check, check_tree, nest, scalar_calls, tiles};
use common::{Program, grid, whole};
use expect_test::expect;
use polyhedra::Budget;
use scheduler::dependence::Dependences;
use scheduler::kernel::{self, Blocking, Cut, Kernels, Strip};
use scheduler::legality::{self, Verdict};
use scheduler::tree::Node;

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
          for (c0 = 0; c0 <= floord(n - 4, 4); c0 += 1) { // tile
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
          }
          for (c0 = ceild(n - 3, 4); c0 <= floord(n - 1, 4); c0 += 1) { // tile
            if (4 <= n) {
              if (n <= 4*c0 + 2) {
                if (0 <= floord(m - 2, 2)) {
                  hold lanes 2, >= 4*c0 - n + 2: r11 = y[lane + n - 2] (load, store) {
                    for (c1 = 0; c1 <= floord(m - 2, 2); c1 += 1) {
                      hold lanes 2: r12 = A[lane + n - 2][2*c1] (load) {
                        hold lanes 2: r13 = A[lane + n - 2][2*c1 + 1] (load) {
                          lanes 2, >= 4*c0 - n + 2: S0: r11 = f(r11, r12, x[2*c1]);
                          lanes 2, >= 4*c0 - n + 2: S0: r11 = f(r11, r13, x[2*c1 + 1]);
                        }
                      }
                    }
                  }
                }
                if (1 <= m) {
                  if (ceild(m - 1, 2) <= floord(m - 1, 2)) {
                    hold lanes 2, >= 4*c0 - n + 2: r14 = y[lane + n - 2] (load, store) {
                      hold lanes 2, >= 4*c0 - n + 2: r15 = A[lane + n - 2][m - 1] (load) {
                        for (c1 = ceild(m - 1, 2); c1 <= floord(m - 1, 2); c1 += 1) {
                          lanes 2, >= 4*c0 - n + 2: S0: r14 = f(r14, r15, x[m - 1]);
                        }
                      }
                    }
                  }
                }
              } else {
                if (0 <= floord(m - 2, 2)) {
                  hold lanes 2, >= 4*c0 - n + 4: r16 = y[lane + n - 4] (load, store) {
                    hold lanes 2: r17 = y[lane + n - 2] (load, store) {
                      for (c1 = 0; c1 <= floord(m - 2, 2); c1 += 1) {
                        hold lanes 2: r18 = A[lane + n - 4][2*c1] (load) {
                          hold lanes 2: r19 = A[lane + n - 4][2*c1 + 1] (load) {
                            lanes 2, >= 4*c0 - n + 4: S0: r16 = f(r16, r18, x[2*c1]);
                            lanes 2, >= 4*c0 - n + 4: S0: r16 = f(r16, r19, x[2*c1 + 1]);
                          }
                        }
                        hold lanes 2: r20 = A[lane + n - 2][2*c1] (load) {
                          hold lanes 2: r21 = A[lane + n - 2][2*c1 + 1] (load) {
                            lanes 2: S0: r17 = f(r17, r20, x[2*c1]);
                            lanes 2: S0: r17 = f(r17, r21, x[2*c1 + 1]);
                          }
                        }
                      }
                    }
                  }
                }
                if (1 <= m) {
                  if (ceild(m - 1, 2) <= floord(m - 1, 2)) {
                    hold lanes 2, >= 4*c0 - n + 4: r22 = y[lane + n - 4] (load, store) {
                      hold lanes 2: r23 = y[lane + n - 2] (load, store) {
                        hold lanes 2, >= 4*c0 - n + 4: r24 = A[lane + n - 4][m - 1] (load) {
                          hold lanes 2: r25 = A[lane + n - 2][m - 1] (load) {
                            for (c1 = ceild(m - 1, 2); c1 <= floord(m - 1, 2); c1 += 1) {
                              lanes 2, >= 4*c0 - n + 4: S0: r22 = f(r22, r24, x[m - 1]);
                              lanes 2: S0: r23 = f(r23, r25, x[m - 1]);
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            } else {
              if (0 <= m - 1) {
                hold lanes 2, < n - 4*c0: r26 = y[4*c0 + lane] (load, store) {
                  hold lanes 2, < n - 4*c0 - 2: r27 = y[4*c0 + lane + 2] (load, store) {
                    for (c1 = 0; c1 <= m - 1; c1 += 1) {
                      lanes 2, < n - 4*c0: S0: r26 = f(r26, A[4*c0 + lane][c1], x[c1]);
                      lanes 2, < n - 4*c0 - 2: S0: r27 = f(r27, A[4*c0 + lane + 2][c1], x[c1]);
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

/// What is left of rows and columns comes in the same squares, with steps and lanes that have run before: these are skipped, but their cells may be read again.
#[test]
fn last_rows_and_columns() {
    let mut p = Program::new("n m", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j < m"];
    let s = p.statement("i j", &domain, &[0, 0, 0], &["y[i]", "y[i]", "A[i][j]", "x[j]"]);
    let plan = Blocking { steps: 4, ..blocking(tiles(&[(1, 8)]), &[], 8, 4) };
    let text = p.print(&check(&p, s, &["j", "i"], &plan, &grid(2, &SIZES)));
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let has = |start: &str, end: &str| lines.iter().any(|l| l.starts_with(start) && l.ends_with(end));
    assert!(has("hold lanes 4: ", " = A[8*c0 + lane][m - 4] (load) {"), "{text}");
    let skipped = lines.iter().position(|l| *l == "if (4*c1 <= m - 3) {");
    assert!(skipped.is_some_and(|k| lines[k + 1].starts_with("lanes 4: S0: ")), "{text}");
    assert!(has("hold lanes 4, >= 8*c0 - n + 8: ", " = y[lane + n - 8] (load, store) {"), "{text}");
    assert!(has("hold lanes 4: ", " = A[lane + n - 8][4*c1] (load) {"), "{text}");
    assert!(has("lanes 4, >= 8*c0 - n + 8: S0: ", ");"), "{text}");
    // So do triangles, where all rows of the box have cells; not where there are two ends.
    for (bound, squares) in [("j <= i", true), ("j < i - 5", true), ("i + j < m", false)] {
        let mut p = Program::new("n m", &[]);
        let s = p.statement("i j", &["i >= 0", "i < n", "j >= 0", bound], &[0, 0, 0], &["y[i]", "y[i]", "A[i][j]"]);
        let text = p.print(&check(&p, s, &["j", "i"], &plan, &grid(2, &SIZES)));
        let is_square = |l: &str| l.contains("hold lanes 4: ") && l.contains("A[lane + n - 8]");
        assert_eq!(text.lines().any(is_square), squares, "{bound}: {text}");
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
        // Of a row that is alone in its tile the next one is another.
        let in_steps = |line: &str| line.contains("hold lanes 2: ") && line.contains("c1");
        assert!(text.contains("lanes 2: S0") && !text.lines().any(in_steps), "{text}");
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
