//! What sums start with, in the registers of their kernels.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::ast::Ast;
use codegen::generate::generate_tree;
use codegen::jam::jam;
use codegen::registers::hold_cells;
use codegen::starts::start_in_registers;
use common::kernels::{blocking, nest};
use common::{Program, band, grid, whole};
use expect_test::expect;
use polyhedra::Budget;
use scheduler::kernel::{Blocking, Kernels, TileLoop};
use scheduler::scop::StatementId;
use scheduler::tree::Node;

/// Rows by columns, both of tiles of two, the depth in tiles of so many.
fn plan(depth: Option<i64>) -> Blocking {
    let tile = |member, size| TileLoop { member, size };
    let mut tiles = vec![tile(1, 2), tile(2, 4)];
    tiles.extend(depth.map(|size| tile(0, size)));
    tiles.sort_by_key(|t| t.member);
    blocking(tiles, &[2], 4, 4)
}

const CELLS: [&str; 4] = ["i >= 0", "i < n", "j >= 0", "j < m"];

/// Nests one after the other, the sum with a kernel.
fn made(p: &Program, nests: &[StatementId], sum: StatementId, depth: Option<i64>) -> (Ast, Ast) {
    let budget = Budget::generous();
    let of = |&id: &StatementId| {
        if id != sum {
            return p.nest(id, &["i", "j"]);
        }
        nest(p, id, &["k", "i", "j"])
    };
    let tree = Node::Sequence(nests.iter().map(of).collect());
    let kernels: Kernels = [(sum, plan(depth))].into();
    let ast = generate_tree(&p.scop, &tree, &kernels, &budget).unwrap();
    let ast = jam(&p.scop, hold_cells(&p.scop, ast, &budget).unwrap(), &whole(), &budget).unwrap();
    (ast.clone(), start_in_registers(&p.scop, ast, &budget).unwrap())
}

/// Runs both; says whether the starts have moved.
fn moves(p: &Program, nests: &[StatementId], sum: StatementId, depth: Option<i64>) -> bool {
    let (before, after) = made(p, nests, sum, depth);
    p.same_as_source(&[("started", &after)], &grid(2, &[0, 1, 2, 3, 4, 5, 8, 9]));
    before != after
}

/// A start and a sum of `k` from `first` to before `end`.
fn program(start: &[&str], sum: &[&str], k: [&str; 2], reads: &[&str]) -> (Program, [StatementId; 2]) {
    let mut p = Program::new("n m", &[]);
    let s = p.statement("i j", start, &[0, 0, 0], &["C[i][j]"]);
    let domain: Vec<&str> = sum.iter().copied().chain(k).collect();
    let accesses: Vec<&str> = ["C[i][j]"].iter().chain(reads).copied().collect();
    let t = p.statement("i j k", &domain, &[1, 0, 0, 0], &accesses);
    (p, [s, t])
}

const TERM: [&str; 3] = ["C[i][j]", "A[i][k]", "B[k][j]"];
const FIVE: [&str; 2] = ["k >= 3", "k < 8"];

#[test]
fn a_sum_of_constant_length() {
    let (p, [s, t]) = program(&CELLS, &CELLS, FIVE, &TERM);
    assert!(moves(&p, &[s, t], t, None));
    let budget = Budget::generous();
    let (_, ast) = made(&p, &[s, t], t, None);
    let whole_tile: String = p.print(&ast).lines().take(20).map(|l| format!("{}\n", l.trim_end())).collect();
    expect![[r#"
        if (1 <= n && 1 <= m) {
          for (c0 = 0; c0 <= floord(n - 1, 2); c0 += 1) { // tile
            for (c1 = 0; c1 <= floord(m - 1, 4); c1 += 1) { // tile
              if (2*c0 + 2 <= n) {
                if (4*c1 + 4 <= m) {
                  hold lanes 4: r0 = C[2*c0][4*c1 + lane] (store) {
                    hold lanes 4: r1 = C[2*c0 + 1][4*c1 + lane] (store) {
                      lanes 4: S0: r0 = f();
                      lanes 4: S0: r1 = f();
                      for (c2 = 3; c2 <= 7; c2 += 1) {
                        lanes 4: S1: r0 = f(r0, A[2*c0][c2], B[c2][4*c1 + lane]);
                        lanes 4: S1: r1 = f(r1, A[2*c0 + 1][c2], B[c2][4*c1 + lane]);
                      }
                    }
                  }
                } else {
                  hold lanes 4, < m - 4*c1: r2 = C[2*c0][4*c1 + lane] (store) {
                    hold lanes 4, < m - 4*c1: r3 = C[2*c0 + 1][4*c1 + lane] (store) {
                      lanes 4, < m - 4*c1: S0: r2 = f();
                      lanes 4, < m - 4*c1: S0: r3 = f();
    "#]]
    .assert_eq(&whole_tile);
    // In one cell after the other nothing is left to do.
    assert_eq!(start_in_registers(&p.scop, ast.clone(), &budget).unwrap(), ast);
}

/// A start and a sum in a loop that both share.
fn shared(cell: &str, of_sum: &str, last: &str) -> (Program, Ast, Ast) {
    let mut p = Program::new("n m", &[]);
    let around = ["e >= 0", last];
    let points: Vec<&str> = around.into_iter().chain(CELLS).collect();
    let s = p.statement("e i j", &points, &[0, 0, 0, 0], &[cell]);
    let domain: Vec<&str> = ["e >= 0", of_sum].into_iter().chain(CELLS).chain(FIVE).collect();
    let t = p.statement("e i j k", &domain, &[0, 1, 0, 0, 0], &[cell, cell, "A[e][i][k]", "B[k][j]"]);
    let inside = Node::Sequence(vec![p.nest(s, &["i", "j"]), nest(&p, t, &["k", "i", "j"])]);
    let tree = band(vec![p.member(&[(s, "e"), (t, "e")])], inside);
    let (budget, kernels) = (Budget::generous(), Kernels::from([(t, plan(None))]));
    let ast = generate_tree(&p.scop, &tree, &kernels, &budget).unwrap();
    let ast = jam(&p.scop, hold_cells(&p.scop, ast, &budget).unwrap(), &whole(), &budget).unwrap();
    let started = start_in_registers(&p.scop, ast.clone(), &budget).unwrap();
    p.same_as_source(&[("started", &started)], &grid(2, &[0, 1, 2, 3, 4, 5, 8, 9]));
    (p, ast, started)
}

#[test]
fn in_a_loop_that_both_share() {
    // The same cells in each iteration, others, some of those before.
    for cell in ["C[i][j]", "C[e][i][j]", "C[e + i][j]"] {
        let (p, before, after) = shared(cell, "e < n", "e < n");
        assert_ne!(before, after, "{}", p.print(&after));
    }
    // One of them runs in more iterations.
    for (start, sum) in [("e < n", "e <= n"), ("e <= n", "e < n")] {
        let (p, before, after) = shared("C[i][j]", sum, start);
        assert_eq!(before, after, "{}", p.print(&after));
    }
}

#[test]
fn cells_by_other_names_or_in_one_subscript() {
    let mut p = Program::new("n m", &[]);
    let four = ["i >= 0", "i < n", "j >= 0", "j < 4"];
    let s = p.statement("i j", &four, &[0, 0, 0], &["C[4i + j]"]);
    let sum = ["i >= 0", "i < n", "j >= 0", "j < 4", "k >= 0", "k < 3"];
    let t = p.statement("k i j", &sum, &[1, 0, 0, 0], &["C[4i + j]", "C[4i + j]", "A[i][k]", "B[k][j]"]);
    assert!(moves(&p, &[s, t], t, None));
    // Two instances of a cell.
    let mut p = Program::new("n m", &[]);
    let five = ["i >= 0", "i < n", "j >= 0", "j < 5"];
    let s = p.statement("i j", &five, &[0, 0, 0], &["C[4i + j]"]);
    let sum: Vec<&str> = five.into_iter().chain(["k >= 0", "k < 3"]).collect();
    let t = p.statement("k i j", &sum, &[1, 0, 0, 0], &["C[4i + j]", "C[4i + j]", "A[i][k]", "B[k][j]"]);
    assert!(!made_differently(&p, [s, t], t));
}

/// Does anything change? Without running it: the plan may not be legal.
fn made_differently(p: &Program, nests: [StatementId; 2], sum: StatementId) -> bool {
    let (before, after) = made(p, &nests, sum, None);
    before != after
}

#[test]
fn other_cells_stay() {
    let more = ["i >= 0", "i <= n", "j >= 0", "j < m"];
    for (start, sum) in [(more, CELLS), (CELLS, more)] {
        let (p, [s, t]) = program(&start, &sum, FIVE, &TERM);
        assert!(!moves(&p, &[s, t], t, None));
    }
}

#[test]
fn a_sum_that_may_be_empty_has_a_condition() {
    for (k, condition) in [
        (["k >= 0", "k < n"], "if (1 <= n) {"),
        (["k >= m", "k < n"], "if (m + 1 <= n) {"),
        (["k >= 2", "k < m"], "if (3 <= m) {"),
        (["k >= -1", "k <= n - m"], "if (m <= n + 1) {"),
    ] {
        let (p, [s, t]) = program(&CELLS, &CELLS, k, &TERM);
        assert!(moves(&p, &[s, t], t, None), "{k:?}");
        let (_, ast) = made(&p, &[s, t], t, None);
        let text = p.print(&ast);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert!(lines.contains(&condition), "{condition}\n{text}");
        assert!(lines.contains(&"S0: C[c0][c1] = f();"), "{text}");
    }
}

#[test]
fn sums_of_several_lengths_or_without_terms_stay() {
    for k in [["k >= 0", "k <= j"], ["k >= i", "k < n"], ["k >= 5", "k < 5"], ["2k >= n", "k < n"]] {
        let (p, [s, t]) = program(&CELLS, &CELLS, k, &TERM);
        assert!(!moves(&p, &[s, t], t, None), "{k:?}");
    }
    // The first tile begins in its middle.
    let (p, [s, t]) = program(&CELLS, &CELLS, FIVE, &TERM);
    assert!(!moves(&p, &[s, t], t, Some(2)));
}

/// Where a cell is held for one tile of its sum after the other it starts in the first.
#[test]
fn a_sum_in_tiles_has_a_condition() {
    for k in [["k >= 0", "k < n"], ["k >= 0", "k < 7"], ["k >= 4", "k < n + m"]] {
        let (p, [s, t]) = program(&CELLS, &CELLS, k, &TERM);
        assert!(moves(&p, &[s, t], t, Some(2)), "{k:?}");
    }
    let (p, [s, t]) = program(&CELLS, &CELLS, ["k >= 0", "k < n"], &TERM);
    let (_, ast) = made(&p, &[s, t], t, Some(2));
    let first: String = p.print(&ast).lines().take(17).map(|l| format!("{}\n", l.trim_end())).collect();
    expect![[r#"
        if (1 <= m) {
          if (1 <= n) {
            for (c0 = 0; c0 <= floord(n - 1, 2); c0 += 1) { // tile
              for (c1 = 0; c1 <= floord(n - 1, 2); c1 += 1) { // tile
                for (c2 = 0; c2 <= floord(m - 1, 4); c2 += 1) { // tile
                  if (2*c1 + 2 <= n) {
                    if (4*c2 + 4 <= m) {
                      hold lanes 4: r0 = C[2*c1][4*c2 + lane] (load, store, fetch the next) {
                        hold lanes 4: r1 = C[2*c1 + 1][4*c2 + lane] (load, store, fetch the next) {
                          if (2*c0 <= 0) {
                            lanes 4: S0: r0 = f();
                            lanes 4: S0: r1 = f();
                          }
                          for (c3 = 2*c0; c3 <= min(2*c0 + 1, n - 1); c3 += 1) {
                            lanes 4: S1: r0 = f(r0, A[2*c1][c3], B[c3][4*c2 + lane]);
                            lanes 4: S1: r1 = f(r1, A[2*c1 + 1][c3], B[c3][4*c2 + lane]);
                          }
    "#]]
    .assert_eq(&first);
    // All of a sum without terms is what it starts with.
    assert!(p.print(&ast).contains("S0: C[c0][c1] = f();"));
}

#[test]
fn what_is_read_or_stored_elsewhere_stays() {
    // By the sum itself, and between the two.
    let (p, [s, t]) = program(&CELLS, &CELLS, FIVE, &["C[i][j]", "A[i][k]", "C[i + 20][j]"]);
    assert!(!made_differently(&p, [s, t], t));
    for between in [["D[i][j]", "C[i][j]"], ["C[i][j]", "D[i][j]"]] {
        let mut p = Program::new("n m", &[]);
        let s = p.statement("i j", &CELLS, &[0, 0, 0], &["C[i][j]"]);
        let u = p.statement("i j", &CELLS, &[1, 0, 0], &between);
        let sum: Vec<&str> = CELLS.into_iter().chain(FIVE).collect();
        let t = p.statement("i j k", &sum, &[2, 0, 0, 0], &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"]);
        assert!(!moves(&p, &[s, u, t], t, None));
    }
    // What the start reads.
    let mut p = Program::new("n m", &[]);
    let s = p.statement("i j", &CELLS, &[0, 0, 0], &["C[i][j]", "A[j][i]"]);
    let sum: Vec<&str> = CELLS.into_iter().chain(FIVE).collect();
    let t = p.statement("i j k", &sum, &[1, 0, 0, 0], &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"]);
    assert!(!moves(&p, &[s, t], t, None));
}

/// Half of the cells by another nest, without registers: it needs what they start with.
#[test]
fn a_sum_in_two_nests_stays() {
    let (p, [s, t]) = program(&CELLS, &CELLS, FIVE, &TERM);
    let budget = Budget::generous();
    let (ast, _) = made(&p, &[s, t], t, None);
    let [first, second] = ast.body.as_slice() else { panic!("{}", p.print(&ast)) };
    let twice = Ast { body: vec![first.clone(), second.clone(), second.clone()], ..ast.clone() };
    assert_eq!(start_in_registers(&p.scop, twice.clone(), &budget).unwrap(), twice);
}
