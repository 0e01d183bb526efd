//! Trees in, loops out: each test generates, checks against brute force and compares the text.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Program, band, grid, guards_in_loops, matmul, trisolve, trisolve_fused};
use expect_test::{Expect, expect};
use scheduler::tree::Node;

fn check(p: &Program, tree: &Node, values: &[Vec<i64>], expect: &Expect) {
    let ast = p.check(tree, values);
    expect.assert_eq(&p.print(&ast));
}

const SIZES: [i64; 7] = [0, 1, 2, 3, 4, 5, 7];

#[test]
fn matmul_keeps_its_cell_over_the_reduction() {
    let (p, s) = matmul();
    let tree = p.nest(s, &["i", "j", "k"]);
    check(&p, &tree, &grid(1, &SIZES), &expect![[""]]);
}

#[test]
fn matmul_holds_a_factor_when_the_output_runs_inside() {
    let (p, s) = matmul();
    let tree = p.nest(s, &["i", "k", "j"]);
    check(&p, &tree, &grid(1, &SIZES), &expect![[""]]);
}

#[test]
fn trisolve_is_one_region_without_guards() {
    let (p, ids) = trisolve();
    let tree = trisolve_fused(&p, ids);
    check(&p, &tree, &grid(2, &SIZES), &expect![[""]]);
}

#[test]
fn triangle_with_its_axes_swapped() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j <= i"], &[0, 0, 0], &["A[i][j]"]);
    check(&p, &p.nest(s, &["j", "i"]), &grid(1, &SIZES), &expect![[""]]);
}

#[test]
fn seed_two_example_in_three_axes() {
    let mut p = Program::new("", &[]);
    let s = p.statement("i j", &["i >= 0", "i < 9", "j >= i", "j < 7", "j < i + 4"], &[0, 0, 0], &["A[i][j]"]);
    check(&p, &p.nest(s, &["i", "j"]), &[vec![]], &expect![[""]]);
    check(&p, &p.nest(s, &["j", "i"]), &[vec![]], &expect![[""]]);
    check(&p, &p.nest(s, &["j - i", "j"]), &[vec![]], &expect![[""]]);
}

#[test]
fn skewed_stencil() {
    let mut p = Program::new("T n", &[]);
    let s = p.statement("t i", &["t >= 0", "t < T", "i >= 1", "i < n - 1"], &[0, 0, 0], &["A[i]", "A[i - 1]", "A[i + 1]"]);
    check(&p, &p.nest(s, &["t", "t + i"]), &grid(2, &SIZES), &expect![[""]]);
    check(&p, &p.nest(s, &["t + i", "t"]), &grid(2, &SIZES), &expect![[""]]);
}

#[test]
fn reversed_and_shifted() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["A[i]"]);
    check(&p, &p.nest(s, &["n - i + 3"]), &grid(1, &SIZES), &expect![[""]]);
}

#[test]
fn loops_of_different_lengths_are_cut_into_pieces() {
    let mut p = Program::new("n m", &[]);
    let a = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["A[i]"]);
    let b = p.statement("i", &["i >= 0", "i < m"], &[1, 0], &["B[i]", "A[i]"]);
    let tree = band(vec![p.member(&[(a, "i"), (b, "i")])], Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    check(&p, &tree, &grid(2, &SIZES), &expect![[""]]);
}

#[test]
fn shifted_producer_gets_prologue_and_epilogue() {
    let mut p = Program::new("n", &["n >= 3"]);
    let a = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["A[i]"]);
    let b = p.statement("i", &["i >= 1", "i < n - 1"], &[1, 0], &["B[i]", "A[i - 1]", "A[i + 1]"]);
    let tree = band(vec![p.member(&[(a, "i"), (b, "i + 1")])], Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    check(&p, &tree, &grid(1, &[3, 4, 5, 8]), &expect![[""]]);
}

#[test]
fn statement_at_one_time_of_a_loop_is_peeled() {
    let mut p = Program::new("n", &["n >= 1"]);
    let a = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["s[i]"]);
    let b = p.statement(
        "i k",
        &["i >= 0", "i < n", "k >= 0", "k < n"],
        &[0, 1, 0],
        &["s[i]", "s[i]", "A[i][k]"],
    );
    let members = vec![p.member(&[(a, "i"), (b, "i")]), p.member(&[(a, "0"), (b, "k")])];
    let tree = band(members, Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    check(&p, &tree, &grid(1, &[1, 2, 3, 5]), &expect![[""]]);
}

#[test]
fn guard_on_parameters_moves_outside() {
    let mut p = Program::new("n m", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j < n", "m >= 5"];
    let s = p.statement("i j", &domain, &[0, 0, 0], &["A[i][j]"]);
    let ast = p.check(&p.nest(s, &["i", "j"]), &grid(2, &SIZES));
    assert_eq!(guards_in_loops(&ast.body, false), 0, "{}", p.print(&ast));
    expect![[""]].assert_eq(&p.print(&ast));
}

#[test]
fn guard_inside_one_of_two() {
    let mut p = Program::new("n", &[]);
    let a = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j < n"], &[0, 0, 0], &["A[i][j]"]);
    let b = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j < n", "i <= j"], &[0, 0, 1], &["B[i][j]"]);
    let members = vec![p.member(&[(a, "i"), (b, "i")]), p.member(&[(a, "j"), (b, "j")])];
    let tree = band(members, Node::Sequence(vec![Node::Leaf(a), Node::Leaf(b)]));
    check(&p, &tree, &grid(1, &SIZES), &expect![[""]]);
}

#[test]
fn statement_without_loops() {
    let mut p = Program::new("n", &[]);
    let a = p.statement("", &[], &[0], &["s[0]"]);
    let b = p.statement("i", &["i >= 0", "i < n"], &[1, 0], &["s[0]", "s[0]", "A[i]"]);
    let c = p.statement("", &["n >= 2"], &[2], &["t[0]", "s[0]"]);
    let tree = Node::Sequence(vec![Node::Leaf(a), p.nest(b, &["i"]), Node::Leaf(c)]);
    check(&p, &tree, &grid(1, &SIZES), &expect![[""]]);
}

#[test]
fn constant_rows_around_a_statement() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i", &["i >= 0", "i < n"], &[0, 0], &["A[i]"]);
    check(&p, &p.nest(s, &["3", "i", "2i + 1"]), &grid(1, &SIZES), &expect![[""]]);
}

#[test]
fn diagonal_domain_needs_one_loop() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j = i + 1"], &[0, 0, 0], &["A[i][j]"]);
    check(&p, &p.nest(s, &["i", "j"]), &grid(1, &SIZES), &expect![[""]]);
}

#[test]
fn rows_that_do_not_determine_the_iterators_are_refused() {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i j", &["i >= 0", "i < n", "j >= 0", "j < n"], &[0, 0, 0], &["A[i][j]"]);
    for rows in [["i", "i"], ["i + j", "i - j"]] {
        let refused = codegen::generate::generate_tree(&p.scop, &p.nest(s, &rows), &polyhedra::Budget::generous());
        assert!(matches!(refused, Err(scheduler::Error::Malformed(_))), "{refused:?}");
    }
}

#[test]
fn an_empty_budget_is_an_error() {
    let (p, s) = matmul();
    let tree = p.nest(s, &["i", "j", "k"]);
    let refused = codegen::generate::generate_tree(&p.scop, &tree, &polyhedra::Budget::new(5));
    assert_eq!(refused, Err(scheduler::Error::Sets(polyhedra::Error::Budget)));
}
