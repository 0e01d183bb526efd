//! Rows of a wavefront abreast: what the loops look like, that each instance runs once, and that nothing runs before what stands behind it in both loops.

#![allow(clippy::unwrap_used, clippy::cast_possible_wrap)]

mod common;

use codegen::ast::{Ast, AstNode};
use codegen::generate::generate_tree;
use codegen::interpret::{instances, points};
use codegen::lanes::vectorise_marked;
use codegen::registers::hold_cells;
use common::tape::{NAMES, Tape, cases, domain, subscript};
use common::{Program, band, grid, guards_in_loops};
use expect_test::expect;
use polyhedra::Budget;
use proptest::prelude::*;
use scheduler::Error;
use scheduler::scop::StatementId;
use scheduler::tree::{Lanes, Member, Node};

/// The rows of a pair of loops, so many of the second abreast.
fn pair(p: &Program, ahead: &[(StatementId, &str)], rows: &[(StatementId, &str)], count: u32) -> Vec<Member> {
    vec![p.member(ahead), Member { parallel: true, abreast: Some(count), ..p.member(rows) }]
}

/// Points in the square, each of which needs four neighbours that have run.
fn seidel(count: u32) -> (Program, Node) {
    let mut p = Program::new("n m", &[]);
    let square = ["i >= 1", "i < n", "j >= 1", "j < m"];
    let reads = ["A[i][j]", "A[i - 1][j - 1]", "A[i - 1][j + 1]", "A[i][j - 1]", "A[i][j + 1]", "A[i + 1][j - 1]"];
    let s = p.statement("i j", &square, &[0, 0, 0], &reads);
    let tree = band(pair(&p, &[(s, "2i + j")], &[(s, "i")], count), Node::Leaf(s));
    (p, tree)
}

#[test]
fn full_strips_have_no_tests_inside() {
    let (p, tree) = seidel(2);
    let ast = p.check_meaning(&tree, &grid(2, &[0, 1, 2, 3, 4, 5, 6, 9, 12]));
    assert_eq!(guards_in_loops(&ast.body, false), 1, "{}", p.print(&ast));
    expect![[r#"
        if (2 <= n && 2 <= m) {
          for (c0 = 0; c0 <= floord(n - 1, 2); c0 += 1) { // tile
            if (1 <= c0 && 2*c0 + 2 <= n && 3 <= m) {
              for (c1 = 4*c0 + 1; c1 <= 4*c0 + 2; c1 += 1) {
                S0: A[2*c0][c1 - 4*c0] = f(A[2*c0 - 1][c1 - 4*c0 - 1], A[2*c0 - 1][c1 - 4*c0 + 1], A[2*c0][c1 - 4*c0 - 1], A[2*c0][c1 - 4*c0 + 1], A[2*c0 + 1][c1 - 4*c0 - 1]);
              }
              for (c1 = 4*c0 + 3; c1 <= 4*c0 + m - 1; c1 += 1) {
                S0: A[2*c0][c1 - 4*c0] = f(A[2*c0 - 1][c1 - 4*c0 - 1], A[2*c0 - 1][c1 - 4*c0 + 1], A[2*c0][c1 - 4*c0 - 1], A[2*c0][c1 - 4*c0 + 1], A[2*c0 + 1][c1 - 4*c0 - 1]);
                S0: A[2*c0 + 1][c1 - 4*c0 - 2] = f(A[2*c0][c1 - 4*c0 - 3], A[2*c0][c1 - 4*c0 - 1], A[2*c0 + 1][c1 - 4*c0 - 3], A[2*c0 + 1][c1 - 4*c0 - 1], A[2*c0 + 2][c1 - 4*c0 - 3]);
              }
              for (c1 = 4*c0 + m; c1 <= 4*c0 + m + 1; c1 += 1) {
                S0: A[2*c0 + 1][c1 - 4*c0 - 2] = f(A[2*c0][c1 - 4*c0 - 3], A[2*c0][c1 - 4*c0 - 1], A[2*c0 + 1][c1 - 4*c0 - 3], A[2*c0 + 1][c1 - 4*c0 - 1], A[2*c0 + 2][c1 - 4*c0 - 3]);
              }
            } else {
              for (c1 = max(1, 2*c0); c1 <= min(2*c0 + 1, n - 1); c1 += 1) {
                for (c2 = 2*c1 + 1; c2 <= 2*c1 + m - 1; c2 += 1) {
                  S0: A[c1][c2 - 2*c1] = f(A[c1 - 1][c2 - 2*c1 - 1], A[c1 - 1][c2 - 2*c1 + 1], A[c1][c2 - 2*c1 - 1], A[c1][c2 - 2*c1 + 1], A[c1 + 1][c2 - 2*c1 - 1]);
                }
              }
            }
          }
        }
    "#]].assert_eq(&p.print(&ast));
}

#[test]
fn triangles_and_several_statements() {
    let mut p = Program::new("n", &[]);
    let triangle = ["i >= 1", "i < n", "j >= 1", "j <= i"];
    let a = p.statement("i j", &triangle, &[0, 0, 0], &["A[i][j]", "A[i - 1][j]", "A[i][j - 1]", "B[i - 1][j - 1]"]);
    let b = p.statement("i j", &triangle, &[0, 0, 1], &["B[i][j]", "B[i][j - 1]", "A[i][j]", "B[i - 1][j]"]);
    let members = pair(&p, &[(a, "i + j"), (b, "i + j")], &[(a, "i"), (b, "i")], 3);
    let tree = band(members, Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    let ast = p.check_meaning(&tree, &grid(1, &[0, 1, 2, 3, 4, 5, 8, 9, 13, 20]));
    assert!(unrolled(&ast.body, 6), "{}", p.print(&ast));
}

#[test]
fn two_bounds_on_either_side() {
    let mut p = Program::new("n m k", &[]);
    let domain = ["i >= 0", "i < n", "j >= k", "j >= i - m", "j <= i", "j <= m"];
    let s = p.statement("i j", &domain, &[0, 0, 0], &["A[i + 1][j + 1]", "A[i][j + 1]", "A[i + 1][j]"]);
    let tree = band(pair(&p, &[(s, "i + j")], &[(s, "i")], 2), Node::Leaf(s));
    let ast = p.check_meaning(&tree, &grid(3, &[0, 1, 3, 6, 9]));
    assert!(unrolled(&ast.body, 2), "{}", p.print(&ast));
}

#[test]
fn inside_of_other_loops_and_tiles() {
    let (n, t) = (9, 3);
    let mut p = Program::new("n t", &[]);
    let domain = ["t >= 0", "i >= 1", "i < n", "k >= 0", "k < t"];
    let s = p.statement("k i", &domain[1..], &[0, 0, 0], &["A[i]", "A[i - 1]", "A[i]", "A[i + 1]"]);
    // The rows are sweeps over one line: the next one starts two points behind.
    for tile in [None, Some(4)] {
        let mut members = pair(&p, &[(s, "2k + i")], &[(s, "k")], 2);
        members[1].tile = tile;
        let tree = band(members, Node::Leaf(s));
        let ast = p.check_meaning(&tree, &grid(2, &[0, 1, 2, 3, 7, n, t]));
        assert!(unrolled(&ast.body, 2), "{}", p.print(&ast));
    }
}

/// Loops, what is held in registers, vectors.
fn in_lanes(p: &Program, tree: &Node) -> [Ast; 2] {
    let budget = Budget::generous();
    let loops = generate_tree(&p.scop, tree, &Default::default(), &budget).unwrap();
    let held = hold_cells(&p.scop, loops.clone(), &budget).unwrap();
    [loops, held].map(|ast| vectorise_marked(&p.scop, ast).unwrap())
}

/// The rows of a pair of loops as the lanes of one vector.
fn pair_in_lanes(p: &Program, ahead: &[(StatementId, &str)], rows: &[(StatementId, &str)], width: u32) -> Vec<Member> {
    let mut members = pair(p, ahead, rows, width);
    members[1].lanes = Some(Lanes { width, vectors: 1 });
    members
}

#[test]
fn rows_are_lanes_whose_cells_go_from_one_to_the_next() {
    let mut p = Program::new("n m", &[]);
    let square = ["i >= 0", "i < n", "j >= 0", "j < m"];
    let reads = ["A[i + 1][j + 1]", "A[i][j]", "A[i][j + 1]", "A[i + 1][j]", "B[i][j]", "C[j]"];
    let s = p.statement("i j", &square, &[0, 0, 0], &reads);
    let tree = band(pair_in_lanes(&p, &[(s, "i + j")], &[(s, "i")], 2), Node::Leaf(s));
    let [loops, held] = in_lanes(&p, &tree);
    p.same_as_source(&[("loops", &loops), ("held", &held)], &grid(2, &[0, 1, 2, 3, 4, 5, 7, 8, 11]));
    let text = p.print(&held);
    let piece = text
        .find("if (2*c0 + 1 <= 2*c0 + 2*c1 - 1")
        .and_then(|from| Some(&text[from..from + text[from..].find("else")?]));
    expect![[r#"
        if (2*c0 + 1 <= 2*c0 + 2*c1 - 1 && 2*c0 + 2*c1 <= 2*c0 + m - 1 && 2*c0 + 2 <= 2*c0 + 2*c1 - 1) {
                  hold lanes 2: r0 = B[2*c0 + lane][2*c1 - lane - 1] (load) {
                    hold lanes 2: r1 = B[2*c0 + lane][2*c1 - lane] (load) {
                      hold lanes 2: r2 = A[2*c0 + lane + 1][2*c1 - lane - 2] (load) {
                        hold lanes 2: r3 = A[2*c0 + lane + 1][2*c1 - lane - 1] (load) {
                          hold lanes 2: r4 = A[2*c0 + lane + 1][2*c1 - lane] (store) {
                            hold lanes 2: r5 = A[2*c0 + lane + 1][2*c1 - lane + 1] (store) {
                              lanes 2: S0: r4 = f(behind(r2, A[2*c0 + lane][2*c1 - lane - 1]), behind(r3, A[2*c0 + lane][2*c1 - lane]), r3, r0, C[2*c1 - lane - 1]);
                              lanes 2: S0: r5 = f(behind(r3, A[2*c0 + lane][2*c1 - lane]), behind(r4, A[2*c0 + lane][2*c1 - lane + 1]), r4, r1, C[2*c1 - lane]);
                            }
                          }
                        }
                      }
                    }
                  }
                } "#]]
    .assert_eq(piece.unwrap_or(&text));
}

#[test]
fn rows_that_want_other_cells_are_written_out() {
    // Two rows above; a row that is not there yet; a cell that has not run; nothing of its own row.
    for read in ["A[i - 2][j]", "A[i + 1][j - 1]", "A[i][j + 1]", "A[i - 1][j - 9]"] {
        let mut p = Program::new("n m", &[]);
        let square = ["i >= 1", "i < n", "j >= 1", "j < m"];
        let own = if read.ends_with("9]") { read } else { "A[i][j - 1]" };
        let s = p.statement("i j", &square, &[0, 0, 0], &["A[i][j]", own, read]);
        let tree = band(pair_in_lanes(&p, &[(s, "2i + j")], &[(s, "i")], 2), Node::Leaf(s));
        let [loops, held] = in_lanes(&p, &tree);
        p.same_as_source(&[("loops", &loops), ("held", &held)], &grid(2, &[0, 1, 2, 4, 7, 12]));
        assert!(!p.print(&held).contains("behind") && unrolled(&held.body, 2), "{read}: {}", p.print(&held));
    }
}

#[test]
fn rows_along_a_loop_in_lanes() {
    for shape in [None, Some("j <= i"), Some("i <= j + 2"), Some("i + j < n + 3")] {
        let mut p = Program::new("n m", &[]);
        let mut domain = vec!["i >= 1", "i < n", "j >= 1", "j < m"];
        domain.extend(shape);
        let s = p.statement("i j", &domain, &[0, 0, 0], &["B[i][j]", "A[i - 1][j]", "A[i][j]", "A[i + 1][j]", "C[j]"]);
        let t = p.statement("i j", &domain, &[0, 0, 1], &["D[i][j]", "B[i][j]", "A[i][j + 1]"]);
        let mut members = pair(&p, &[(s, "j"), (t, "j")], &[(s, "i"), (t, "i")], 3);
        members[0] = Member { parallel: true, lanes: Some(Lanes::of(4)), ..members[0].clone() };
        let tree = band(members, Node::Sequence(vec![Node::Leaf(s), Node::Leaf(t)]));
        let [loops, held] = in_lanes(&p, &tree);
        p.same_as_source(&[("loops", &loops), ("held", &held)], &grid(2, &[0, 1, 2, 3, 4, 5, 6, 9, 13]));
        let text = p.print(&held);
        let all: Vec<&str> =
            text.lines().map(str::trim_start).filter(|l| !l.starts_with("hold") && *l != "}").collect();
        let rows = |w: &[&str]| w.iter().enumerate().all(|(k, l)| l.starts_with(&format!("lanes 4: S{}", k % 2)));
        assert!(all.windows(6).any(rows), "{shape:?}: {text}");
    }
}

/// Random recurrences over rows that are lanes, over squares and triangles, with rows that lie backwards and other operands; says whether any values went from lane to lane.
fn check_in_lanes(values: &[u8]) -> bool {
    let mut tape = Tape { values, at: 0 };
    let mut p = Program::new("n m", &[]);
    let mut domain = vec!["i >= 1", "j >= 1", "i < n", "j < m"];
    domain.extend(tape.pick(&[None, None, Some("j <= i"), Some("i <= j + 2"), Some("i + j < n + 3")]).iter());
    let (column, sign) = *tape.pick(&[("j", 1), ("j + n", 1), ("m - j", -1)]);
    let row = *tape.pick(&["i", "i + 3", "2i"]);
    let by = if row == "2i" { 2 } else { 1 };
    let mut reads: Vec<(i64, i64)> = vec![(0, 1)];
    for _ in 0..tape.below(4) {
        reads.push(*tape.pick(&[(0, 1), (1, 0), (1, 1), (1, -1), (0, 2), (1, 2), (0, 3), (1, -2), (2, 0)]));
    }
    // The least slope with which no row waits for another one.
    let slope =
        reads.iter().filter(|(i, _)| *i > 0).map(|(i, j)| (1 - j + i - 1).div_euclid(*i)).max().unwrap_or(0).max(0);
    let mut accesses = vec![format!("A[{row}][{column}]")];
    let back = |form: &str, by: i64| format!("{form} {} {}", if by < 0 { "+" } else { "-" }, by.abs());
    accesses.extend(reads.iter().map(|(i, j)| format!("A[{}][{}]", back(row, i * by), back(column, j * sign))));
    for _ in 0..tape.below(4) {
        let other = *tape.pick(&[
            "B[i][j]",
            "B[i][j + 1]",
            "B[i][m - j]",
            "B[j][i]",
            "C[j]",
            "C[m - j]",
            "C[i]",
            "C[0]",
            "D[i + j]",
        ]);
        accesses.push(other.into());
    }
    if tape.chance(3) {
        accesses.push(accesses[0].clone());
    }
    let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
    let s = p.statement("i j", &domain, &[0, 0, 0], &accesses);
    let width = *tape.pick(&[2, 4, 4, 8]);
    let members = pair_in_lanes(&p, &[(s, &format!("j + {slope}i"))], &[(s, "i")], width);
    let [loops, held] = in_lanes(&p, &band(members, Node::Leaf(s)));
    let sizes = [0, 1, i64::from(width), 2 * i64::from(width) + 1, 3 * i64::from(width) + 3];
    p.same_as_source(&[("loops", &loops), ("held", &held)], &grid(2, &sizes));
    p.print(&held).contains("behind(")
}

/// So many instances that nothing decides about; `None`: there are loops or conditions.
fn straight(nodes: &[AstNode]) -> Option<usize> {
    nodes.iter().try_fold(0, |sum, node| match node {
        AstNode::Call(_) => Some(sum + 1),
        AstNode::Held(h) => Some(sum + straight(&h.body)?),
        _ => None,
    })
}

/// Is there a loop with so many instances in its body and nothing else?
fn unrolled(nodes: &[AstNode], count: usize) -> bool {
    nodes.iter().any(|node| match node {
        AstNode::For(f) => straight(&f.body) == Some(count) || unrolled(&f.body, count),
        AstNode::If { then, otherwise, .. } => unrolled(then, count) || unrolled(otherwise, count),
        AstNode::Held(h) => unrolled(&h.body, count),
        _ => false,
    })
}

/// Random domains, slopes and numbers of rows; up to two statements. Not what is legal: what the order of a permutable band promises.
fn check(values: &[u8]) {
    let mut tape = Tape { values, at: 0 };
    let mut p = Program::new("n m", &[]);
    let count = 1 + tape.below(2);
    let depth = 2 + tape.below(2);
    let shared = tape.chance(2);
    let names = &NAMES[..depth];
    for k in 0..count {
        let rows = domain(&mut tape, depth);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let access = format!("A[{}][{}]", subscript(&mut tape, depth), subscript(&mut tape, depth));
        let mut beta = vec![0; depth + 1];
        beta[depth] = k;
        p.statement(&names.join(" "), &rows, &beta, &[&access]);
    }
    let (outer, along) = (names[depth - 2], names[depth - 1]);
    let slope = tape.below(4);
    let shifts: Vec<usize> = (0..count).map(|_| tape.below(3)).collect();
    let text = |form: &str| -> Vec<(StatementId, String)> {
        (0..count).map(|k| (StatementId(k), format!("{form} + {}", if shared { 0 } else { shifts[k] }))).collect()
    };
    let (ahead, rows) = (text(&format!("{along} + {slope}{outer}")), text(outer));
    let of = |rows: &[(StatementId, String)]| -> Member {
        p.member(&rows.iter().map(|(s, r)| (*s, r.as_str())).collect::<Vec<_>>())
    };
    let width = 2 + tape.below(3) as u32;
    let tile = *tape.pick(&[None, None, Some(3), Some(4)]);
    let mut members = vec![of(&ahead), Member { parallel: true, abreast: Some(width), tile, ..of(&rows) }];
    if depth == 3 {
        let first = of(&text(names[0]));
        members.insert(0, if tape.chance(2) { Member { tile: Some(2), ..first } } else { first });
    }
    let leaves: Vec<Node> = (0..count).map(|k| Node::Leaf(StatementId(k))).collect();
    let child = if count == 1 { leaves[0].clone() } else { Node::Sequence(leaves) };
    let tree = band(members.clone(), child);
    let ast = match generate_tree(&p.scop, &tree, &Default::default(), &Budget::new(30_000_000)) {
        Ok(ast) => ast,
        Err(Error::Sets(polyhedra::Error::Budget)) => return,
        Err(e) => panic!("{e}\n{tree:?}"),
    };
    for params in grid(2, &[0, 1, 2, 4, 7]) {
        in_order(&p, &ast, &members, &params);
    }
}

/// Each instance once; none before one that is not later in any of the loops.
fn in_order(p: &Program, ast: &Ast, members: &[Member], params: &[i64]) {
    let got = instances(ast, params).unwrap();
    let mut sorted = got.clone();
    sorted.sort();
    let mut wanted = Vec::new();
    for (k, statement) in p.scop.statements.iter().enumerate() {
        wanted.extend(points(statement, params).unwrap().into_iter().map(|point| (StatementId(k), point)));
    }
    wanted.sort();
    assert_eq!(sorted, wanted, "params {params:?}\n{}", p.print(ast));
    let time = |(s, point): &(StatementId, Vec<i64>)| -> Vec<i64> {
        let own = members.iter().map(|m| m.rows[s].eval(params, point).unwrap());
        own.chain([s.0 as i64]).collect()
    };
    let times: Vec<Vec<i64>> = got.iter().map(time).collect();
    for (k, early) in times.iter().enumerate() {
        for late in &times[k + 1..] {
            assert!(
                early.iter().zip(late).any(|(a, b)| a < b),
                "{late:?} behind {early:?}, {params:?}\n{}",
                p.print(ast)
            );
        }
    }
}

#[test]
fn most_recurrences_stay_in_registers() {
    let draws = (0..40_u64).map(|seed| {
        let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut byte = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (x >> 56) as u8
        };
        (0..48).map(|_| byte()).collect::<Vec<u8>>()
    });
    let kept = draws.filter(|values| check_in_lanes(values)).count();
    assert!(kept >= 10, "{kept}");
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn rows_in_lanes_mean_what_the_source_does(values in proptest::collection::vec(any::<u8>(), 48)) {
        check_in_lanes(&values);
    }

    #[test]
    fn strips_keep_the_order_of_a_permutable_band(values in proptest::collection::vec(any::<u8>(), 96)) {
        check(&values);
    }
}
