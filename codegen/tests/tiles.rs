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
    expect![[""]].assert_eq(&p.print(&ast));
}

#[test]
fn matmul_in_cubes() {
    let (p, s) = matmul();
    for size in [1, 2, 3, 4, 8] {
        p.check_meaning(&tiled(p.nest(s, &["i", "j", "k"]), &[size, size, size]), &grid(1, &SIZES));
    }
    let ast = p.check_meaning(&tiled(p.nest(s, &["i", "j", "k"]), &[4, 8, 2]), &grid(1, &SIZES));
    expect![[""]].assert_eq(&p.print(&ast));
}

#[test]
fn matmul_in_slabs() {
    let (p, s) = matmul();
    let ast = p.check_meaning(&tiled(p.nest(s, &["i", "j", "k"]), &[1, 4]), &grid(1, &SIZES));
    expect![[""]].assert_eq(&p.print(&ast));
}

#[test]
fn constant_sizes_need_no_split() {
    let mut p = Program::new("", &[]);
    let s = p.statement("i j", &["i >= 0", "i < 16", "j >= 0", "j < 8"], &[0, 0, 0], &["A[i][j]"]);
    let ast = p.check_meaning(&tiled(p.nest(s, &["i", "j"]), &[4, 8]), &[vec![]]);
    expect![[""]].assert_eq(&p.print(&ast));
}

#[test]
fn triangle() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j <= i"], &[0, 0, 0], &["A[i][j]"]);
    let ast = p.check_meaning(&tiled(p.nest(s, &["i", "j"]), &[3, 3]), &grid(1, &SIZES));
    expect![[""]].assert_eq(&p.print(&ast));
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
    expect![[""]].assert_eq(&p.print(&ast));
}

#[test]
fn trisolve_in_blocks() {
    let (p, ids) = trisolve();
    let tree = trisolve_fused(&p, ids);
    p.check_meaning(&tree, &grid(2, &SIZES));
    let ast = p.check_meaning(&tiled(tree, &[4, 3]), &grid(2, &SIZES));
    expect![[""]].assert_eq(&p.print(&ast));
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
    expect![[""]].assert_eq(&p.print(&ast));
}
