//! Mirrors: operands that are also in scratch memory, of nests that store to the same array.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::ast::{Ast, AstNode};
use common::kernels::{blocking, check_tree, tiles};
use common::tape::{Tape, cases};
use common::{Program, band, grid};
use polyhedra::Budget;
use proptest::prelude::*;
use scheduler::dependence::Dependences;
use scheduler::kernel::{self, Blocking, Corner, Enough, Kernels, MirrorPlan};
use scheduler::legality::{self, Verdict};
use scheduler::scop::{AccessId, StatementId};
use scheduler::tree::Node;

const SIZES: [i64; 12] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 18];

/// Blocks of rows, two columns by two, in steps of two of the depth; with a mirror of access 3 inside of the columns' tiles.
fn plan(members: [usize; 2], rows: i64) -> Blocking {
    let mirror = MirrorPlan { access: AccessId(3), members, depth: 3, order: 2, row: 5, line: 2 };
    Blocking {
        steps: 2,
        mirrors: vec![mirror],
        worth_mirrors: vec![Enough::of(1, 4)],
        corners: vec![Corner { member: 1, beyond: Some(2), lanes: 2, tiles: 1, worthwhile: 1 }],
        ..blocking(tiles(&[(0, 4), (1, 2 * rows), (2, 2), (1, rows)]), &[rows], 2, 2)
    }
}

/// Mirrors that are made, calls and registers that read them.
fn mirrors(ast: &Ast) -> [usize; 2] {
    fn count(nodes: &[AstNode], out: &mut [usize; 2]) {
        for node in nodes {
            match node {
                AstNode::Call(call) => out[1] += call.mirrored.len(),
                AstNode::Held(h) => {
                    out[1] += usize::from(h.mirrored.is_some());
                    count(&h.body, out);
                }
                AstNode::For(f) => count(&f.body, out),
                AstNode::If { then, otherwise, .. } => {
                    count(then, out);
                    count(otherwise, out);
                }
                AstNode::Scratch(s) => {
                    out[0] += usize::from(s.mirrors);
                    count(&s.body, out);
                    assert!(!s.mirrors || s.otherwise.is_empty());
                    count(&s.otherwise, out);
                }
                AstNode::Pack(_) | AstNode::Fetch(_) => {}
            }
        }
    }
    let mut out = [0; 2];
    count(&ast.body, &mut out);
    out
}

/// `A[i][j] -= A[i][k] A[j][k]` of a symmetric matrix, and what makes column `k` before.
fn cholesky() -> (Program, Node, StatementId) {
    let mut p = Program::new("n", &[]);
    let root = p.statement("k", &["k >= 0", "k < n"], &[0, 0], &["A[k][k]", "A[k][k]"]);
    let scale = p.statement("k i", &["k >= 0", "i > k", "i < n"], &[0, 1, 0], &["A[i][k]", "A[i][k]", "A[k][k]"]);
    let update = p.statement(
        "k i j",
        &["k >= 0", "i > k", "i < n", "j > k", "j <= i"],
        &[0, 2, 0, 0],
        &["A[i][j]", "A[i][j]", "A[i][k]", "A[j][k]"],
    );
    let member = |a: &str, b: &str, c: &str| p.member(&[(root, a), (scale, b), (update, c)]);
    let members = vec![member("k", "k", "k"), member("k", "i", "i"), member("k", "k", "j")];
    let leaves = [root, scale, update].map(Node::Leaf).to_vec();
    let tree = band(members, Node::Sequence(leaves));
    (p, tree, update)
}

/// Squares are read from the mirror where it has them, in all forms of the loops; without memory from the array.
#[test]
fn squares_of_a_factorisation() {
    let (p, tree, update) = cholesky();
    for rows in [2, 3] {
        let plan = plan([2, 0], rows);
        assert!(plan.fits(3));
        let ast = check_tree(&p, &tree, update, &plan, &grid(1, &SIZES));
        let [made, read] = mirrors(&ast);
        assert!(made == 1 && read > 0, "{made} {read}\n{}", p.print(&ast));
        let text = p.print(&ast);
        assert!(text.contains("mirrors p0[10] if (5 <= n) {") && text.contains("if (p0"), "{text}");
    }
}

/// Cells that are stored when their tile is over are in no mirror: the last ones of a tile of the depth, if cells are read one further on than they are stored.
#[test]
fn cells_that_are_not_done() {
    for (cell, is_done) in [("C[j][k]", true), ("C[j][k + 1]", false)] {
        let mut p = Program::new("n", &[]);
        let all = ["k >= 0", "i < n", "j > k + 1", "j <= i"];
        let update = p.statement("k i j", &all, &[0, 0, 0, 0], &["C[i][j]", "C[i][j]", "B[i][k]", cell]);
        let members = ["k", "i", "j"].map(|name| p.member(&[(update, name)])).to_vec();
        let ast = check_tree(&p, &band(members, Node::Leaf(update)), update, &plan([2, 0], 2), &grid(1, &SIZES));
        assert_eq!(mirrors(&ast)[1] > 0, is_done, "{}", p.print(&ast));
    }
}

/// Of a mirror that is made in a tile kernels read no cells that are stored in that: these are read from the array.
#[test]
fn cells_of_later_tiles() {
    let mut p = Program::new("n", &[]);
    let changed = p.statement("k", &["k >= 0", "k < n"], &[0, 0], &["A[k][k]", "A[k][k]"]);
    let all = ["k >= 0", "k < n", "i >= 0", "i < n", "j >= 0", "j < n"];
    let update = p.statement("k i j", &all, &[1, 0, 0, 0], &["C[i][j]", "C[i][j]", "B[i][k]", "A[j][k]"]);
    let members = [("k", "k"), ("i", "0"), ("j", "k")].map(|(own, other)| p.member(&[(update, own), (changed, other)]));
    let tree = band(members.to_vec(), Node::Sequence(vec![Node::Leaf(changed), Node::Leaf(update)]));
    let ast = check_tree(&p, &tree, update, &plan([2, 0], 2), &grid(1, &SIZES));
    assert!(mirrors(&ast)[1] > 0 && p.print(&ast).contains("] = A["), "{}", p.print(&ast));
}

/// Subscripts that do not move as the plan says have none.
#[test]
fn other_members() {
    let (p, tree, update) = cholesky();
    let ast = check_tree(&p, &tree, update, &plan([1, 0], 2), &grid(1, &[0, 1, 3, 4, 5, 8, 9]));
    assert_eq!(mirrors(&ast), [0, 0], "{}", p.print(&ast));
}

/// A random product of three loops, of which operands may be what it makes, mostly with a statement that changes an array in the same loops, and a random mirror: whether it was made, if the loops are legal.
fn random(values: &[u8]) -> Option<bool> {
    let mut tape = Tape { values, at: 0 };
    let mut p = Program::new("n", &[]);
    let all = ["k >= 0", "k < n", "i >= 0", "i < n", "j >= 0", "j < n"];
    let mut domain = all.to_vec();
    domain.push(*tape.pick(&["k < j", "k < j", "k < j - 1", "k <= j", "k <= j + 1", "n >= 0"]));
    domain.push(*tape.pick(&["n >= 0", "j <= i", "k < i", "i <= j"]));
    let operand =
        *tape.pick(&["A[j][k]", "A[j][k]", "C[j][k]", "C[j][k + 1]", "A[j + 1][k]", "A[k][j]", "A[j][k + 1]"]);
    let other = *tape.pick(&["B[i][k]", "A[i][k]", "C[i][k]", "C[k][k]"]);
    let accesses = ["C[i][j]", "C[i][j]", other, operand];
    let mut ids = Vec::new();
    let mut times: Vec<[&str; 3]> = Vec::new();
    let mut change = |p: &mut Program, tape: &mut Tape<'_>, beta: usize| {
        let (names, rows, own): (&str, Vec<&str>, [&str; 3]) = match tape.below(3) {
            0 => ("k", vec!["k >= 0", "k < n"], *tape.pick(&[["k", "0", "k"], ["k", "k", "k"], ["k", "0", "k + 1"]])),
            1 => ("k j", vec!["k >= 0", "j > k", "j < n"], *tape.pick(&[["k", "0", "j"], ["k", "j", "k"]])),
            _ => ("k i", vec!["k >= 0", "k < n", "i > k", "i < n"], *tape.pick(&[["k", "i", "k"], ["k", "i", "n"]])),
        };
        let second = names.split(' ').next_back().unwrap_or("k");
        let array = *tape.pick(&["A", "C"]);
        let cell = match tape.below(3) {
            0 => format!("{array}[k][k]"),
            1 => format!("{array}[{second}][k]"),
            _ => format!("{array}[{second} + 1][k]"),
        };
        let betas: Vec<usize> = std::iter::once(beta).chain(names.split(' ').map(|_| 0)).collect();
        ids.push(p.statement(names, &rows, &betas, &[&cell, &cell]));
        times.push(own);
    };
    if !tape.chance(4) {
        change(&mut p, &mut tape, 0);
    }
    let update = p.statement("k i j", &domain, &[1, 0, 0, 0], &accesses);
    if tape.chance(4) {
        change(&mut p, &mut tape, 2);
    }
    let members = ["k", "i", "j"].into_iter().enumerate().map(|(m, own)| {
        let rows = ids.iter().zip(&times).map(|(id, times)| (*id, times[m]));
        p.member(&rows.chain([(update, own)]).collect::<Vec<_>>())
    });
    let members: Vec<_> = members.collect();
    let mut leaves: Vec<StatementId> = ids.iter().copied().chain([update]).collect();
    leaves.sort_unstable_by_key(|id| id.0);
    let child = match leaves[..] {
        [only] => Node::Leaf(only),
        _ => Node::Sequence(leaves.into_iter().map(Node::Leaf).collect()),
    };
    let (rows, order) = (*tape.pick(&[2, 3]), *tape.pick(&[1, 2, 2, 3]));
    let mut plan = plan([2, 0], rows);
    plan.mirrors[0].order = order;
    plan.mirrors[0].depth = order + 1 + tape.below(4 - order);
    if !plan.fits(3) {
        return None;
    }
    let budget = Budget::new(20_000_000);
    let dependences = Dependences::of(&p.scop, &budget).unwrap();
    let tree = band(members, child);
    let verdict = legality::prove(&p.scop, &dependences, tree.clone(), &budget);
    let Ok(Verdict::Legal(schedule)) = verdict else { return None };
    let kernels: Kernels = [(update, plan.clone())].into();
    kernel::prove(&p.scop, &dependences, &schedule, kernels, Vec::new(), &budget).ok()??;
    let ast = check_tree(&p, &tree, update, &plan, &grid(1, &[0, 1, 2, 3, 4, 5, 8, 9, 13]));
    Some(mirrors(&ast)[1] > 0)
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..cases(200) })]

    #[test]
    fn mirrors_have_the_cells_of_the_array(values in proptest::collection::vec(any::<u8>(), 40)) {
        prop_assume!(random(&values).is_some());
    }
}
