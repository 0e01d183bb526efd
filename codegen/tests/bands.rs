//! Blocked bands in which the depth begins and ends with the cells: transposed convolutions.

#![allow(clippy::unwrap_used)]

mod common;

use common::kernels::{blocking, check, check_tree, nest, tiles};
use common::{Program, grid};
use expect_test::expect;
use polyhedra::Budget;
use scheduler::dependence::Dependences;
use scheduler::kernel::{self, BandWorth, Blocking};
use scheduler::legality::{self, Verdict};
use scheduler::scop::StatementId;

/// `o[i + p] += x[i] f[p]`
fn transposed() -> (Program, StatementId) {
    let mut p = Program::new("n w", &[]);
    let id = p.statement(
        "i p",
        &["i >= 0", "i < n", "p >= 0", "p < w"],
        &[0, 0, 0],
        &["O[i + p]", "O[i + p]", "X[i]", "F[p]"],
    );
    (p, id)
}

/// The terms of a tile's cells begin and end one after the other: the cells are in registers all the time, those lanes that have a term at all.
#[test]
fn lanes_that_come_and_go() {
    let (p, s) = transposed();
    let plan = blocking(tiles(&[(1, 4)]), &[], 4, 4);
    let sizes = grid(2, &[0, 1, 2, 3, 4, 5, 8, 9]);
    for depth in ["i", "-p"] {
        let text = p.print(&check(&p, s, &[depth, "i + p"], &plan, &sizes));
        assert!(!text.contains("S0: O[") && text.contains("hold lanes 4, "), "{text}");
    }
    expect![[r#"
        if (1 <= n) {
          for (c0 = 0; c0 <= floord(n + w - 2, 4); c0 += 1) { // tile
            if (4*c0 + 5 <= n + w) {
              if (4*c0 + 2 <= w) {
                hold lanes 4, >= 1: r0 = O[4*c0 + lane] (load, store) {
                  for (c1 = max(-4*c0 - 3, -w + 1); c1 <= -4*c0 - 1; c1 += 1) {
                    lanes 4, >= -4*c0 - c1, < n - 4*c0 - c1: S0: r0 = f(r0, X[4*c0 + c1 + lane], F[-c1]);
                  }
                }
              }
              if (max(-4*c0, -w + 1) <= min(0, n - 4*c0 - 4)) {
                hold lanes 4: r1 = O[4*c0 + lane] (load, store) {
                  for (c1 = max(-4*c0, -w + 1); c1 <= min(0, n - 4*c0 - 4); c1 += 1) {
                    lanes 4: S0: r1 = f(r1, X[4*c0 + c1 + lane], F[-c1]);
                  }
                }
              }
              if (n <= 4*c0 + 3) {
                hold lanes 4, < min(n, 3): r2 = O[4*c0 + lane] (load, store) {
                  for (c1 = max(-4*c0, n - 4*c0 - 3); c1 <= min(0, n - 4*c0 - 1); c1 += 1) {
                    lanes 4, < n - 4*c0 - c1: S0: r2 = f(r2, X[4*c0 + c1 + lane], F[-c1]);
                  }
                }
              }
            } else {
              if (1 <= w) {
                hold lanes 4, < n + w - 4*c0 - 1: r3 = O[4*c0 + lane] (load, store) {
                  for (c1 = -w + 1; c1 <= min(0, n - 4*c0 - 1); c1 += 1) {
                    lanes 4, >= -4*c0 - c1, < n - 4*c0 - c1: S0: r3 = f(r3, X[4*c0 + c1 + lane], F[-c1]);
                  }
                }
              }
            }
          }
        }
    "#]]
    .assert_eq(&p.print(&check(&p, s, &["-p", "i + p"], &plan, &sizes)));
}

/// As many vectors and rows as one likes, tiles of the depth, cells that lie the other way round, bands beside each other.
#[test]
fn bands_of_all_kinds() {
    let (p, s) = transposed();
    let sizes = grid(2, &[0, 1, 2, 3, 5, 8, 9, 13]);
    for depth in ["i", "-p"] {
        check(&p, s, &[depth, "i + p"], &blocking(tiles(&[(1, 12)]), &[], 12, 4), &sizes);
        check(&p, s, &[depth, "i + p"], &blocking(tiles(&[(0, 3), (1, 8)]), &[], 8, 2), &sizes);
        let reversed = Blocking { reversed: true, ..blocking(tiles(&[(1, 4)]), &[], 4, 2) };
        check(&p, s, &[depth, "-i - p"], &reversed, &sizes);
    }
    let mut p = Program::new("n w", &[]);
    let both = ["i >= 0", "i < n", "j >= 0", "j < n", "p >= 0", "p < w", "q >= 0", "q < w"];
    let scattered = ["O[i + p][j + q]", "O[i + p][j + q]", "X[i][j]", "F[p][q]"];
    let s = p.statement("i j p q", &both, &[0, 0, 0, 0, 0], &scattered);
    let sizes = grid(2, &[0, 1, 2, 3, 5, 6]);
    for (first, second) in [("-p", "-q"), ("i", "j")] {
        let plan = blocking(tiles(&[(2, 2), (3, 4)]), &[2], 4, 2);
        let text = p.print(&check(&p, s, &[first, second, "i + p", "j + q"], &plan, &sizes));
        // Where no cell of a tile begins or ends within the sums, they are held over both.
        let inside = text.contains("if (w <= 2*c0 + 1 && 2*c0 + 2 <= n");
        assert_eq!(inside, first == "-p", "{text}");
    }
}

/// A cell that another access of the statement touches while its lanes come and go stays in memory.
#[test]
fn bands_that_touch_themselves() {
    let sizes = grid(2, &[0, 1, 2, 3, 5, 8]);
    for other in ["O[i + p + 1]", "O[i]", "O[p + w]", "O[i + p + n + w]"] {
        let mut p = Program::new("n w", &[]);
        let s = p.statement(
            "i p",
            &["i >= 0", "i < n", "p >= 0", "p < w"],
            &[0, 0, 0],
            &["O[i + p]", "O[i + p]", other, "F[p]"],
        );
        let budget = Budget::generous();
        let dependences = Dependences::of(&p.scop, &budget).unwrap();
        let tree = nest(&p, s, &["-p", "i + p"]);
        let Verdict::Legal(schedule) = legality::prove(&p.scop, &dependences, tree.clone(), &budget).unwrap() else {
            continue;
        };
        let plan = blocking(tiles(&[(1, 4)]), &[], 4, 2);
        let proved = kernel::prove(&p.scop, &dependences, &schedule, [(s, plan.clone())].into(), Vec::new(), &budget);
        if proved.unwrap().is_some() {
            check_tree(&p, &tree, s, &plan, &sizes);
        }
    }
}

/// `o[f, i] += x[d, i + q - 1] w[f, d, q]` for three `q`, where there is such an `x`
fn bordered() -> (Program, StatementId) {
    let mut p = Program::new("n c", &[]);
    let domain =
        ["f >= 0", "f < 3", "i >= 0", "i < n", "d >= 0", "d < c", "q >= 0", "q < 3", "i + q >= 1", "i + q <= n"];
    let s = p.statement("f i d q", &domain, &[0, 0, 0, 0, 0], &["O[f][i]", "O[f][i]", "X[d][i + q]", "W[f][d][q]"]);
    (p, s)
}

/// Terms of few steps inside of another sum: cells are held over all of it, also where some lanes do not run in some steps.
#[test]
fn borders_of_filters() {
    let (p, s) = bordered();
    let sizes = grid(2, &[0, 1, 2, 3, 4, 5, 8, 9, 12]);
    for (columns, lanes) in [(4, 4), (4, 2), (8, 4)] {
        for rows in [1, 2, 3] {
            let plan = blocking(tiles(&[(3, columns), (2, rows)]), &[rows], columns, lanes);
            let text = p.print(&check(&p, s, &["d", "q", "f", "i"], &plan, &sizes));
            if rows == 3 && columns == i64::from(lanes) {
                assert!(!text.contains("S0: O["), "{text}");
            }
        }
    }
    // Alone, and in another order, the loop is cut.
    check(&p, s, &["f", "d", "q", "i"], &Blocking { outer: 1, ..blocking(tiles(&[(3, 4)]), &[], 4, 2) }, &sizes);
    let plan = blocking(tiles(&[(3, 4), (2, 2)]), &[2], 4, 4);
    expect![[r#"
        if (1 <= n) {
          for (c0 = 0; c0 <= floord(n - 4, 4); c0 += 1) { // tile
            for (c1 = 0; c1 <= 1; c1 += 1) { // tile
              if (c1 <= 0) {
                if (1 <= c0 && 4*c0 + 5 <= n) {
                  if (0 <= c - 1) {
                    hold lanes 4: r0 = O[2*c1][4*c0 + lane] (load, store, fetch the next) {
                      hold lanes 4: r1 = O[2*c1 + 1][4*c0 + lane] (load, store, fetch the next) {
                        for (c2 = 0; c2 <= c - 1; c2 += 1) {
                          for (c3 = 0; c3 <= 2; c3 += 1) {
                            lanes 4: S0: r0 = f(r0, X[c2][4*c0 + c3 + lane], W[2*c1][c2][c3]);
                            lanes 4: S0: r1 = f(r1, X[c2][4*c0 + c3 + lane], W[2*c1 + 1][c2][c3]);
                          }
                        }
                      }
                    }
                  }
                } else {
                  if (1 <= c) {
                    hold lanes 4: r2 = O[2*c1][4*c0 + lane] (load, store) {
                      hold lanes 4: r3 = O[2*c1 + 1][4*c0 + lane] (load, store) {
                        for (c2 = 0; c2 <= c - 1; c2 += 1) {
                          for (c3 = 0; c3 <= 2; c3 += 1) {
                            lanes 4, >= -4*c0 - c3 + 1, < n - 4*c0 - c3 + 1: S0: r2 = f(r2, X[c2][4*c0 + c3 + lane], W[2*c1][c2][c3]);
                            lanes 4, >= -4*c0 - c3 + 1, < n - 4*c0 - c3 + 1: S0: r3 = f(r3, X[c2][4*c0 + c3 + lane], W[2*c1 + 1][c2][c3]);
                          }
                        }
                      }
                    }
                  }
                }
              } else {
                if (1 <= c) {
                  hold lanes 4: r4 = O[2][4*c0 + lane] (load, store) {
                    for (c2 = 0; c2 <= c - 1; c2 += 1) {
                      for (c3 = 0; c3 <= 2; c3 += 1) {
                        lanes 4, >= -4*c0 - c3 + 1, < n - 4*c0 - c3 + 1: S0: r4 = f(r4, X[c2][4*c0 + c3 + lane], W[2][c2][c3]);
                      }
                    }
                  }
                }
              }
            }
          }
          for (c0 = ceild(n - 3, 4); c0 <= floord(n - 1, 4); c0 += 1) { // tile
            for (c1 = 0; c1 <= 1; c1 += 1) { // tile
              if (c1 <= 0) {
                if (1 <= c) {
                  hold lanes 4, < n - 4*c0: r5 = O[2*c1][4*c0 + lane] (load, store) {
                    hold lanes 4, < n - 4*c0: r6 = O[2*c1 + 1][4*c0 + lane] (load, store) {
                      for (c2 = 0; c2 <= c - 1; c2 += 1) {
                        for (c3 = max(-n + 2, 0); c3 <= min(2, n - 4*c0); c3 += 1) {
                          lanes 4, >= -4*c0 - c3 + 1, < min(n - 4*c0, n - 4*c0 - c3 + 1): S0: r5 = f(r5, X[c2][4*c0 + c3 + lane], W[2*c1][c2][c3]);
                          lanes 4, >= -4*c0 - c3 + 1, < min(n - 4*c0, n - 4*c0 - c3 + 1): S0: r6 = f(r6, X[c2][4*c0 + c3 + lane], W[2*c1 + 1][c2][c3]);
                        }
                      }
                    }
                  }
                }
              } else {
                if (1 <= c) {
                  hold lanes 4, < n - 4*c0: r7 = O[2][4*c0 + lane] (load, store) {
                    for (c2 = 0; c2 <= c - 1; c2 += 1) {
                      for (c3 = max(-n + 2, 0); c3 <= min(2, n - 4*c0); c3 += 1) {
                        lanes 4, >= -4*c0 - c3 + 1, < min(n - 4*c0, n - 4*c0 - c3 + 1): S0: r7 = f(r7, X[c2][4*c0 + c3 + lane], W[2][c2][c3]);
                      }
                    }
                  }
                }
              }
            }
          }
        }
    "#]].assert_eq(&p.print(&check(&p, s, &["d", "q", "f", "i"], &plan, &sizes)));
}

/// From which widths bands are worth while.
#[test]
fn least_widths_of_bands() {
    let (p, s) = transposed();
    let least = |rows: &[&str], mostly_box: bool| {
        let bands = Some(BandWorth {
            least: 5,
            least_of_both: 7,
            least_of_steep: 9,
            least_of_constant: 11,
            least_of_window: 0,
            mostly_box,
        });
        let plan = Blocking { bands, ..blocking(tiles(&[(1, 4)]), &[], 4, 2) };
        let ast = check(&p, s, rows, &plan, &grid(2, &[0, 3, 6]));
        ast.worthwhile.iter().map(|form| form.display(&p.scop.params, &[]).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(least(&["i", "i + p"], false), ["w - 5"]);
    assert_eq!(least(&["-p", "i + p"], false), ["n - 5"]);
    assert_eq!(least(&["-p", "i + p"], true), ["n - w", "2n - w - 5"]);
    let mut p = Program::new("n w", &[]);
    let both = ["i >= 0", "i < n", "j >= 0", "j < n", "p >= 0", "p < w", "q >= 0", "q < w"];
    let scattered = ["O[i + p][j + q]", "O[i + p][j + q]", "X[i][j]", "F[p][q]"];
    let s = p.statement("i j p q", &both, &[0, 0, 0, 0, 0], &scattered);
    let bands = Some(BandWorth {
        least: 5,
        least_of_both: 7,
        least_of_steep: 9,
        least_of_constant: 11,
        least_of_window: 0,
        mostly_box: false,
    });
    let plan = Blocking { bands, ..blocking(tiles(&[(2, 2), (3, 4)]), &[2], 4, 2) };
    let ast = check(&p, s, &["i", "j", "i + p", "j + q"], &plan, &grid(2, &[0, 3]));
    let least: Vec<String> = ast.worthwhile.iter().map(|form| form.display(&p.scop.params, &[]).to_string()).collect();
    assert_eq!(least, ["w - 7"]);
    let of_line = |end: &str, cell: &str, rows: [&str; 2], mostly_box: bool| {
        let mut p = Program::new("n w", &[]);
        let domain = ["i >= 0", "i < n", "p >= 0", end];
        let s = p.statement("i p", &domain, &[0, 0, 0], &[cell, cell, "X[i]", "F[p]"]);
        let bands = bands.map(|bands| BandWorth { mostly_box, ..bands });
        let plan = Blocking { bands, ..blocking(tiles(&[(1, 4)]), &[], 4, 2) };
        let ast = check(&p, s, &rows, &plan, &grid(2, &[0, 1, 3, 8]));
        ast.worthwhile.iter().map(|form| form.display(&p.scop.params, &[]).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(of_line("p < w", "O[2i + p]", ["i", "2i + p"], false), ["w - 9"]);
    assert_eq!(of_line("p < 3", "O[i + p]", ["-p", "i + p"], true), ["n - 3", "2n - 14"]);
    // A window that ends where the line does is as long as the shortest of what bounds it.
    let mut p = Program::new("n w", &[]);
    let padded = ["i >= 0", "i < n", "p >= 0", "p < w", "i + p >= 1", "i + p <= n"];
    let s = p.statement("i p", &padded, &[0, 0, 0], &["O[i]", "O[i]", "X[i + p]", "F[p]"]);
    let bands = bands.map(|bands| BandWorth { mostly_box: true, ..bands });
    let plan = Blocking { bands, ..blocking(tiles(&[(1, 4)]), &[], 4, 2) };
    let ast = check(&p, s, &["p", "i"], &plan, &grid(2, &[0, 1, 3, 8]));
    let least: Vec<String> = ast.worthwhile.iter().map(|form| form.display(&p.scop.params, &[]).to_string()).collect();
    assert_eq!(least, ["n - w", "2n - w - 5"]);
    // A factorisation of a band: columns are a window that moves with rows.
    let mut p = Program::new("n w", &[]);
    let domain = ["j >= 0", "j < n", "k >= 0", "k < j", "k >= j - w", "i >= j", "i < n", "i <= k + w"];
    let s = p.statement("j k i", &domain, &[0, 0, 0, 0], &["O[j][i - j]", "O[j][i - j]", "X[k][i - k]", "X[k][j - k]"]);
    for (least_of_window, expected) in [(0, vec![]), (13, vec!["w - 13"])] {
        let bands = bands.map(|bands| BandWorth { least_of_window, ..bands });
        let plan = Blocking { bands, ..blocking(tiles(&[(1, 2), (2, 4)]), &[2], 4, 2) };
        let ast = check(&p, s, &["k", "j", "i"], &plan, &grid(2, &[0, 1, 3, 8]));
        let least: Vec<String> =
            ast.worthwhile.iter().map(|form| form.display(&p.scop.params, &[]).to_string()).collect();
        assert_eq!(least, expected);
    }
}
