//! Rows of a wavefront abreast: what the loops look like, that each instance runs once, and that nothing runs before what stands behind it in both loops.

#![allow(clippy::unwrap_used, clippy::cast_possible_wrap)]

mod common;

use codegen::ast::{Ast, AstNode};
use codegen::generate::generate_tree;
use codegen::interpret::{instances, points};
use common::tape::{NAMES, Tape, cases, domain, subscript};
use common::{Program, band, grid, guards_in_loops};
use expect_test::expect;
use polyhedra::Budget;
use proptest::prelude::*;
use scheduler::Error;
use scheduler::scop::StatementId;
use scheduler::tree::{Member, Node};

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

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn strips_keep_the_order_of_a_permutable_band(values in proptest::collection::vec(any::<u8>(), 96)) {
        check(&values);
    }
}
