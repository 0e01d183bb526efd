//! Vectors of loops around others: squares of cells in registers, what is left of the loops inside, and that all of it does what the source does.

#![allow(clippy::unwrap_used, clippy::cast_possible_wrap)]

mod common;

use codegen::ast::{Ast, AstNode};
use codegen::generate::generate_tree;
use codegen::interpret::{execute, execute_original};
use codegen::lanes::vectorise_marked;
use codegen::registers::hold_cells;
use common::tape::{Tape, cases};
use common::{Program, band, grid};
use expect_test::{Expect, expect};
use polyhedra::Budget;
use proptest::prelude::*;
use scheduler::scop::StatementId;
use scheduler::tree::{Lanes, Member, Node};

const SIZES: [i64; 7] = [0, 1, 3, 4, 5, 8, 11];

fn made(p: &Program, tree: &Node) -> Ast {
    let budget = Budget::generous();
    let ast = generate_tree(&p.scop, tree, &Default::default(), &budget).unwrap();
    vectorise_marked(&p.scop, hold_cells(&p.scop, ast, &budget).unwrap()).unwrap()
}

fn same(p: &Program, ast: &Ast) {
    for params in grid(p.scop.params.len(), &SIZES) {
        let wanted = execute_original(&p.scop, &params).unwrap();
        let got = execute(&p.scop, ast, &params).unwrap_or_else(|e| panic!("{e}: {params:?}\n{}", p.print(ast)));
        assert_eq!(got, wanted, "{params:?}\n{}", p.print(ast));
    }
}

fn check(p: &Program, tree: &Node, expect: &Expect) {
    let ast = made(p, tree);
    same(p, &ast);
    expect.assert_eq(&p.print(&ast));
}

/// A loop in lanes.
fn lanes(p: &Program, list: &[(StatementId, &str)], lanes: u32) -> Member {
    side_by_side(p, list, Lanes::of(lanes))
}

fn side_by_side(p: &Program, list: &[(StatementId, &str)], lanes: Lanes) -> Member {
    Member { parallel: true, lanes: Some(lanes), ..p.member(list) }
}

/// `[i][j]` with lanes along `i`.
fn nest(accesses: &[&str], width: u32) -> (Program, Node) {
    let mut p = Program::new("n m", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j < m"], &[0, 0, 0], accesses);
    let tree = band(vec![lanes(&p, &[(s, "i")], width), p.member(&[(s, "j")])], Node::Leaf(s));
    (p, tree)
}

#[test]
fn a_recurrence_stores_squares() {
    let (p, tree) = nest(&["x[i][j + 1]", "x[i][j]", "u[j][i]"], 2);
    check(
        &p,
        &tree,
        &expect![[r#"
            if (1 <= m) {
              for (c0 = 0; c0 <= floord(n - 2, 2); c0 += 1) { // parallel
                for (c1 = 0; c1 <= floord(m, 2); c1 += 1) {
                  if (0 <= 2*c1 - 1 && 2*c1 <= m - 1) {
                    hold lanes 2: r0 = x[2*c0 + lane][2*c1] (store) {
                      hold lanes 2: r1 = x[2*c0 + lane][2*c1 + 1] (store) {
                        lanes 2: S0: r0 = f(x[2*c0 + lane][2*c1 - 1], u[2*c1 - 1][2*c0 + lane]);
                        lanes 2: S0: r1 = f(r0, u[2*c1][2*c0 + lane]);
                      }
                    }
                  } else {
                    for (c2 = max(0, 2*c1 - 1); c2 <= min(m - 1, 2*c1); c2 += 1) {
                      lanes 2: S0: x[2*c0 + lane][c2 + 1] = f(x[2*c0 + lane][c2], u[c2][2*c0 + lane]);
                    }
                  }
                }
              }
              for (c0 = max(0, floord(n, 2)); c0 <= floord(n - 1, 2); c0 += 1) { // parallel
                for (c1 = 2*c0; c1 <= n - 1; c1 += 1) { // parallel
                  for (c2 = 0; c2 <= m - 1; c2 += 1) {
                    S0: x[c1][c2 + 1] = f(x[c1][c2], u[c2][c1]);
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn against_the_direction_of_the_cells() {
    let (p, tree) = nest(&["x[i][m - j]", "x[i][m - j]", "x[i][m - j + 1]"], 2);
    check(
        &p,
        &tree,
        &expect![[r#"
            if (1 <= m) {
              for (c0 = 0; c0 <= floord(n - 2, 2); c0 += 1) { // parallel
                for (c1 = floord(-m + 1, 2); c1 <= 0; c1 += 1) {
                  if (0 <= 2*c1 + m - 1 && 2*c1 + m <= m - 1) {
                    hold lanes 2: r0 = x[2*c0 + lane][-2*c1] (load, store) {
                      hold lanes 2: r1 = x[2*c0 + lane][-2*c1 + 1] (load, store) {
                        lanes 2: S0: r1 = f(r1, x[2*c0 + lane][-2*c1 + 2]);
                        lanes 2: S0: r0 = f(r0, r1);
                      }
                    }
                  } else {
                    for (c2 = max(0, 2*c1 + m - 1); c2 <= min(m - 1, 2*c1 + m); c2 += 1) {
                      lanes 2: S0: x[2*c0 + lane][m - c2] = f(x[2*c0 + lane][m - c2], x[2*c0 + lane][m - c2 + 1]);
                    }
                  }
                }
              }
              for (c0 = max(0, floord(n, 2)); c0 <= floord(n - 1, 2); c0 += 1) { // parallel
                for (c1 = 2*c0; c1 <= n - 1; c1 += 1) { // parallel
                  for (c2 = 0; c2 <= m - 1; c2 += 1) {
                    S0: x[c1][m - c2] = f(x[c1][m - c2], x[c1][m - c2 + 1]);
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn neighbours_on_both_sides_are_in_the_square_or_beside_it() {
    let (p, tree) = nest(&["y[i][j + 1]", "y[i][j + 2]", "y[i][j]"], 2);
    check(
        &p,
        &tree,
        &expect![[r#"
            if (1 <= m) {
              for (c0 = 0; c0 <= floord(n - 2, 2); c0 += 1) { // parallel
                for (c1 = 0; c1 <= floord(m, 2); c1 += 1) {
                  if (0 <= 2*c1 - 1 && 2*c1 <= m - 1) {
                    hold lanes 2: r0 = y[2*c0 + lane][2*c1] (load, store) {
                      hold lanes 2: r1 = y[2*c0 + lane][2*c1 + 1] (load, store) {
                        lanes 2: S0: r0 = f(r1, y[2*c0 + lane][2*c1 - 1]);
                        lanes 2: S0: r1 = f(y[2*c0 + lane][2*c1 + 2], r0);
                      }
                    }
                  } else {
                    for (c2 = max(0, 2*c1 - 1); c2 <= min(m - 1, 2*c1); c2 += 1) {
                      lanes 2: S0: y[2*c0 + lane][c2 + 1] = f(y[2*c0 + lane][c2 + 2], y[2*c0 + lane][c2]);
                    }
                  }
                }
              }
              for (c0 = max(0, floord(n, 2)); c0 <= floord(n - 1, 2); c0 += 1) { // parallel
                for (c1 = 2*c0; c1 <= n - 1; c1 += 1) { // parallel
                  for (c2 = 0; c2 <= m - 1; c2 += 1) {
                    S0: y[c1][c2 + 1] = f(y[c1][c2 + 2], y[c1][c2]);
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn a_cell_that_moves_otherwise_keeps_its_array_out_of_registers() {
    let (p, tree) = nest(&["x[i][j + 1]", "x[i][j]", "x[i][2j]"], 2);
    check(
        &p,
        &tree,
        &expect![[r#"
            if (1 <= m) {
              for (c0 = 0; c0 <= floord(n - 2, 2); c0 += 1) { // parallel
                for (c1 = 0; c1 <= m - 1; c1 += 1) {
                  lanes 2: S0: x[2*c0 + lane][c1 + 1] = f(x[2*c0 + lane][c1], x[2*c0 + lane][2*c1]);
                }
              }
              for (c0 = max(0, floord(n, 2)); c0 <= floord(n - 1, 2); c0 += 1) { // parallel
                for (c1 = 2*c0; c1 <= n - 1; c1 += 1) { // parallel
                  for (c2 = 0; c2 <= m - 1; c2 += 1) {
                    S0: x[c1][c2 + 1] = f(x[c1][c2], x[c1][2*c2]);
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn squares_spare_too_little_where_many_cells_are_read_one_by_one() {
    for (width, squares) in [(8, true), (16, true), (32, false)] {
        let (p, tree) = nest(&["x[i][j + 1]", "x[i][j]", "u[i][2j]"], width);
        let ast = made(&p, &tree);
        assert_eq!(held(&ast.body) > 0, squares, "{width} lanes");
        same(&p, &ast);
    }
}

#[test]
fn without_squares_the_end_has_a_mask() {
    let (p, tree) = nest(&["x[j + 1][i]", "x[j][i]"], 4);
    check(
        &p,
        &tree,
        &expect![[r#"
            if (1 <= m) {
              for (c0 = 0; c0 <= floord(n - 4, 4); c0 += 1) { // parallel
                for (c1 = 0; c1 <= m - 1; c1 += 1) {
                  lanes 4: S0: x[c1 + 1][4*c0 + lane] = f(x[c1][4*c0 + lane]);
                }
              }
              for (c0 = max(0, floord(n, 4)); c0 <= floord(n - 1, 4); c0 += 1) { // parallel
                for (c1 = 0; c1 <= m - 1; c1 += 1) {
                  lanes 4, < n - 4*c0: S0: x[c1 + 1][4*c0 + lane] = f(x[c1][4*c0 + lane]);
                }
              }
            }
        "#]],
    );
}

#[test]
fn loops_whose_length_differs_between_lanes_stay_as_they_are() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j < i"], &[0, 0, 0], &["x[i][j + 1]", "x[i][j]"]);
    let tree = band(vec![lanes(&p, &[(s, "i")], 4), p.member(&[(s, "j")])], Node::Leaf(s));
    check(
        &p,
        &tree,
        &expect![[r#"
        for (c0 = 1; c0 <= n - 1; c0 += 1) { // parallel
          for (c1 = 0; c1 <= c0 - 1; c1 += 1) {
            S0: x[c0][c1 + 1] = f(x[c0][c1]);
          }
        }
    "#]],
    );
}

/// Up to three statements in a loop over `j` inside of one over `i`, some before and behind it. Every array is walked in one direction most of the time.
fn random(tape: &mut Tape<'_>) -> (Program, Node) {
    const ARRAYS: [&str; 3] = ["A", "B", "C"];
    let mut p = Program::new("n m", &[]);
    let steps: Vec<&str> = (0..3).map(|_| *tape.pick(&["j", "j", "-j", "m - j"])).collect();
    let cell = |tape: &mut Tape<'_>, deep: bool| {
        let k = tape.below(3);
        let offset = tape.below(5) as i64 - 2;
        match tape.below(12) {
            0 => format!("u[{}]", if deep { "j" } else { "0" }),
            1 => format!("A[i][{}]", if deep { "2j" } else { "3" }),
            2 => format!("v[{}][i + {}]", if deep { "j" } else { "1" }, offset + 2),
            _ => format!("{}[i][{} + {offset}]", ARRAYS[k], if deep { steps[k] } else { "0" }),
        }
    };
    let written = |tape: &mut Tape<'_>, deep: bool| {
        let k = tape.below(3);
        let offset = tape.below(3) as i64 - 1;
        format!("{}[i][{} + {offset}]", ARRAYS[k], if deep { steps[k] } else { "0" })
    };
    let mut add = |tape: &mut Tape<'_>, beta: &[usize]| {
        let deep = beta.len() == 3;
        let mut accesses = vec![written(tape, deep)];
        accesses.extend((0..tape.below(4)).map(|_| cell(tape, deep)));
        let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
        let domain: &[&str] = if deep { &["i >= 0", "i < n", "j >= 1", "j < m"] } else { &["i >= 0", "i < n"] };
        p.statement(if deep { "i j" } else { "i" }, domain, beta, &accesses)
    };
    let mut place = 0;
    let mut children = Vec::new();
    let mut all = Vec::new();
    let mut inside = Vec::new();
    if tape.chance(2) {
        let s = add(tape, &[0, place]);
        all.push(s);
        children.push(Node::Leaf(s));
        place += 1;
    }
    for k in 0..1 + tape.below(3) {
        inside.push(add(tape, &[0, place, k]));
    }
    all.extend(&inside);
    let at = children.len();
    place += 1;
    if tape.chance(2) {
        let s = add(tape, &[0, place]);
        all.push(s);
        children.push(Node::Leaf(s));
    }
    let rows: Vec<(StatementId, &str)> = inside.iter().map(|s| (*s, "j")).collect();
    let body: Vec<Node> = inside.iter().map(|s| Node::Leaf(*s)).collect();
    let body = if body.len() == 1 { body[0].clone() } else { Node::Sequence(body) };
    children.insert(at, band(vec![p.member(&rows)], body));
    let child = if children.len() == 1 { children.remove(0) } else { Node::Sequence(children) };
    let rows: Vec<(StatementId, &str)> = all.iter().map(|s| (*s, "i")).collect();
    let lanes = Lanes { width: *tape.pick(&[2, 3, 4]), vectors: *tape.pick(&[1, 2, 3]) };
    let tree = band(vec![side_by_side(&p, &rows, lanes)], child);
    (p, tree)
}

/// How many cells are held.
fn held(nodes: &[AstNode]) -> usize {
    nodes
        .iter()
        .map(|node| match node {
            AstNode::For(f) => held(&f.body),
            AstNode::Held(h) => usize::from(h.lanes.is_some()) + held(&h.body),
            AstNode::If { then, otherwise, .. } => held(then) + held(otherwise),
            AstNode::Scratch(s) => held(&s.body) + held(&s.otherwise),
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => 0,
        })
        .sum()
}

#[test]
fn squares_of_vectors_side_by_side_follow_each_other() {
    let mut p = Program::new("n m", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j < m"], &[0, 0, 0], &["x[i][j + 1]", "x[i][j]"]);
    let two = side_by_side(&p, &[(s, "i")], Lanes { width: 2, vectors: 2 });
    check(
        &p,
        &band(vec![two, p.member(&[(s, "j")])], Node::Leaf(s)),
        &expect![[r#"
            if (1 <= m) {
              for (c0 = 0; c0 <= floord(floord(n - 4, 2), 2); c0 += 1) { // parallel
                for (c1 = 0; c1 <= floord(m, 2); c1 += 1) {
                  if (0 <= 2*c1 - 1 && 2*c1 <= m - 1) {
                    hold lanes 2: r0 = x[4*c0 + lane][2*c1] (store) {
                      hold lanes 2: r1 = x[4*c0 + lane][2*c1 + 1] (store) {
                        lanes 2: S0: r0 = f(x[4*c0 + lane][2*c1 - 1]);
                        lanes 2: S0: r1 = f(r0);
                      }
                    }
                    hold lanes 2: r2 = x[4*c0 + lane + 2][2*c1] (store) {
                      hold lanes 2: r3 = x[4*c0 + lane + 2][2*c1 + 1] (store) {
                        lanes 2: S0: r2 = f(x[4*c0 + lane + 2][2*c1 - 1]);
                        lanes 2: S0: r3 = f(r2);
                      }
                    }
                  } else {
                    for (c2 = max(0, 2*c1 - 1); c2 <= min(m - 1, 2*c1); c2 += 1) {
                      lanes 2: S0: x[4*c0 + lane][c2 + 1] = f(x[4*c0 + lane][c2]);
                    }
                    for (c2 = max(0, 2*c1 - 1); c2 <= min(m - 1, 2*c1); c2 += 1) {
                      lanes 2: S0: x[4*c0 + lane + 2][c2 + 1] = f(x[4*c0 + lane + 2][c2]);
                    }
                  }
                }
              }
              for (c0 = max(0, floord(floord(n, 2), 2)); c0 <= floord(floord(n, 2), 2); c0 += 1) { // parallel
                for (c1 = 2*c0; c1 <= floord(n - 2, 2); c1 += 1) { // parallel
                  for (c2 = 0; c2 <= floord(m, 2); c2 += 1) {
                    if (0 <= 2*c2 - 1 && 2*c2 <= m - 1) {
                      hold lanes 2: r4 = x[lane + 2*c1][2*c2] (store) {
                        hold lanes 2: r5 = x[lane + 2*c1][2*c2 + 1] (store) {
                          lanes 2: S0: r4 = f(x[lane + 2*c1][2*c2 - 1]);
                          lanes 2: S0: r5 = f(r4);
                        }
                      }
                    } else {
                      for (c3 = max(0, 2*c2 - 1); c3 <= min(m - 1, 2*c2); c3 += 1) {
                        lanes 2: S0: x[lane + 2*c1][c3 + 1] = f(x[lane + 2*c1][c3]);
                      }
                    }
                  }
                }
              }
              for (c0 = max(0, floord(n, 2)); c0 <= floord(n - 1, 2); c0 += 1) { // parallel
                for (c1 = 2*c0; c1 <= n - 1; c1 += 1) { // parallel
                  for (c2 = 0; c2 <= m - 1; c2 += 1) {
                    S0: x[c1][c2 + 1] = f(x[c1][c2]);
                  }
                }
              }
            }
        "#]],
    );
}

/// A solve with the last unknown first: each sum is held for all vectors, and the loop over its terms ends where the loop outside says. What the sum reads comes in squares.
#[test]
fn sums_of_vectors_side_by_side_are_held_together() {
    let mut p = Program::new("n m", &[]);
    let accesses = ["x[i][j]", "x[i][j]", "x[i][k]", "u[k][j]"];
    let s = p.statement("i j k", &["i >= 0", "i < m", "j >= 0", "j < n", "k >= 0", "k < j"], &[0, 0, 0, 0], &accesses);
    let two = side_by_side(&p, &[(s, "i")], Lanes { width: 2, vectors: 2 });
    check(
        &p,
        &band(vec![two, p.member(&[(s, "j")]), p.member(&[(s, "k")])], Node::Leaf(s)),
        &expect![[r#"
            if (2 <= n) {
              for (c0 = 0; c0 <= floord(floord(m - 4, 2), 2); c0 += 1) { // parallel
                for (c1 = 1; c1 <= n - 1; c1 += 1) {
                  hold lanes 2: r0 = x[4*c0 + lane][c1] (load, store) {
                    hold lanes 2: r1 = x[4*c0 + lane + 2][c1] (load, store) {
                      for (c2 = 0; c2 <= floord(c1 - 1, 2); c2 += 1) {
                        if (0 <= 2*c2 && 2*c2 + 1 <= c1 - 1) {
                          hold lanes 2: r2 = x[4*c0 + lane][2*c2] (load) {
                            hold lanes 2: r3 = x[4*c0 + lane][2*c2 + 1] (load) {
                              lanes 2: S0: r0 = f(r0, r2, u[2*c2][c1]);
                              lanes 2: S0: r0 = f(r0, r3, u[2*c2 + 1][c1]);
                            }
                          }
                          hold lanes 2: r4 = x[4*c0 + lane + 2][2*c2] (load) {
                            hold lanes 2: r5 = x[4*c0 + lane + 2][2*c2 + 1] (load) {
                              lanes 2: S0: r1 = f(r1, r4, u[2*c2][c1]);
                              lanes 2: S0: r1 = f(r1, r5, u[2*c2 + 1][c1]);
                            }
                          }
                        } else {
                          for (c3 = max(0, 2*c2); c3 <= min(c1 - 1, 2*c2 + 1); c3 += 1) {
                            lanes 2: S0: r0 = f(r0, x[4*c0 + lane][c3], u[c3][c1]);
                          }
                          for (c3 = max(0, 2*c2); c3 <= min(c1 - 1, 2*c2 + 1); c3 += 1) {
                            lanes 2: S0: r1 = f(r1, x[4*c0 + lane + 2][c3], u[c3][c1]);
                          }
                        }
                      }
                    }
                  }
                }
              }
              for (c0 = max(0, floord(floord(m, 2), 2)); c0 <= floord(floord(m, 2), 2); c0 += 1) { // parallel
                for (c1 = 2*c0; c1 <= floord(m - 2, 2); c1 += 1) { // parallel
                  for (c2 = 1; c2 <= n - 1; c2 += 1) {
                    hold lanes 2: r6 = x[lane + 2*c1][c2] (load, store) {
                      for (c3 = 0; c3 <= floord(c2 - 1, 2); c3 += 1) {
                        if (0 <= 2*c3 && 2*c3 + 1 <= c2 - 1) {
                          hold lanes 2: r7 = x[lane + 2*c1][2*c3] (load) {
                            hold lanes 2: r8 = x[lane + 2*c1][2*c3 + 1] (load) {
                              lanes 2: S0: r6 = f(r6, r7, u[2*c3][c2]);
                              lanes 2: S0: r6 = f(r6, r8, u[2*c3 + 1][c2]);
                            }
                          }
                        } else {
                          for (c4 = max(0, 2*c3); c4 <= min(c2 - 1, 2*c3 + 1); c4 += 1) {
                            lanes 2: S0: r6 = f(r6, x[lane + 2*c1][c4], u[c4][c2]);
                          }
                        }
                      }
                    }
                  }
                }
              }
              for (c0 = max(0, floord(m, 2)); c0 <= floord(m - 1, 2); c0 += 1) { // parallel
                for (c1 = 2*c0; c1 <= m - 1; c1 += 1) { // parallel
                  for (c2 = 1; c2 <= n - 1; c2 += 1) {
                    hold r9 = x[c1][c2] (load, store) {
                      for (c3 = 0; c3 <= c2 - 1; c3 += 1) {
                        S0: r9 = f(r9, x[c1][c3], u[c3][c2]);
                      }
                    }
                  }
                }
              }
            }
        "#]],
    );
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn lanes_do_what_the_source_does(values in proptest::collection::vec(any::<u8>(), 64)) {
        let (p, tree) = random(&mut Tape { values: &values, at: 0 });
        let ast = made(&p, &tree);
        same(&p, &ast);
    }
}

/// The random nests are no good if nothing in them is ever held.
#[test]
fn random_nests_have_squares() {
    let of = |seed: usize| {
        let values: Vec<u8> = (0..64).map(|k| ((k + 1) * (seed * 7 + 13) * 37 % 251) as u8).collect();
        let (p, tree) = random(&mut Tape { values: &values, at: 0 });
        held(&made(&p, &tree).body)
    };
    assert!((0..40).filter(|&seed| of(seed) >= 2).count() >= 20);
}
