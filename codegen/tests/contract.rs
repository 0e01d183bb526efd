//! Registers whose values nobody reads from memory, and the twins that must be stored. Every check also runs the symbolic memory.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::ast::Ast;
use codegen::contract::{contract, in_memory};
use codegen::interpret::{execute, execute_original};
use common::{Program, band, grid};
use expect_test::{Expect, expect};
use scheduler::scop::ArrayId;
use scheduler::tree::Node;
use std::collections::BTreeSet;

const SIZES: [i64; 5] = [0, 1, 2, 3, 5];

fn array(p: &Program, name: &str) -> ArrayId {
    ArrayId(p.scop.arrays.iter().position(|a| a.name == name).unwrap())
}

/// `T` dies with the loops: text, and whether it still needs memory. All other arrays get what the source gives them.
fn check(p: &Program, tree: &Node, expect: &Expect) -> bool {
    let held = p.check_meaning(tree, &grid(1, &SIZES));
    let dying = BTreeSet::from([array(p, "T")]);
    let ast: Ast = contract(&p.scop, held.clone(), &dying).unwrap();
    expect.assert_eq(&p.print(&ast));
    for n in SIZES {
        let mut got = execute(&p.scop, &ast, &[n]).unwrap();
        let mut wanted = execute_original(&p.scop, &[n]).unwrap();
        got.retain(|(a, _), _| !dying.contains(a));
        wanted.retain(|(a, _), _| !dying.contains(a));
        assert_eq!(got, wanted, "{n}");
    }
    // What does not die stays.
    assert_eq!(contract(&p.scop, held.clone(), &BTreeSet::new()).unwrap(), held);
    assert_eq!(contract(&p.scop, held.clone(), &BTreeSet::from([array(p, "B")])).unwrap(), held);
    in_memory(&p.scop, &ast).unwrap().contains(&array(p, "T"))
}

fn kept(reads: [&str; 2]) -> (Program, Node) {
    let mut p = Program::new("n", &[]);
    let s = p.statement("i", &["i >= 1", "i < n"], &[0, 0], &["T[i]", "A[i]"]);
    let t = p.statement("i", &["i >= 1", "i < n"], &[0, 1], &["A[i]", "A[i]", "B[i]"]);
    let u = p.statement("i", &["i >= 1", "i < n"], &[0, 2], &["B[i]", reads[0], reads[1]]);
    let body = Node::Sequence(vec![Node::Leaf(s), Node::Leaf(t), Node::Leaf(u)]);
    let tree = band(vec![p.member(&[(s, "i"), (t, "i"), (u, "i")])], body);
    (p, tree)
}

#[test]
fn an_old_value_stays_in_its_register() {
    let (p, tree) = kept(["T[i]", "B[i]"]);
    let needs_memory = check(
        &p,
        &tree,
        &expect![[r#"
            for (c0 = 1; c0 <= n - 1; c0 += 1) {
              hold r0 = T[c0] {
                hold r1 = B[c0] (load, store) {
                  hold r2 = A[c0] (load, store) {
                    S0: r0 = f(r2);
                    S1: r2 = f(r2, r1);
                  }
                  S2: r1 = f(r0, r1);
                }
              }
            }
        "#]],
    );
    assert!(!needs_memory);
}

#[test]
fn what_another_iteration_reads_is_stored() {
    let (p, tree) = kept(["T[i]", "T[i - 1]"]);
    let needs_memory = check(
        &p,
        &tree,
        &expect![[r#"
            for (c0 = 1; c0 <= n - 1; c0 += 1) {
              hold r0 = T[c0] (store) {
                hold r1 = B[c0] (load, store) {
                  hold r2 = A[c0] (load, store) {
                    S0: r0 = f(r2);
                    S1: r2 = f(r2, r1);
                  }
                  S2: r1 = f(r0, T[c0 - 1]);
                }
              }
            }
        "#]],
    );
    assert!(needs_memory);
}

#[test]
fn what_another_nest_reads_is_stored() {
    let (mut p, first) = kept(["T[i]", "B[i]"]);
    let s = p.statement("i", &["i >= 1", "i < n"], &[1, 0], &["C[i]", "T[i]"]);
    let tree = Node::Sequence(vec![first, p.nest(s, &["i"])]);
    let needs_memory = check(
        &p,
        &tree,
        &expect![[r#"
            for (c0 = 1; c0 <= n - 1; c0 += 1) {
              hold r0 = T[c0] (store) {
                hold r1 = B[c0] (load, store) {
                  hold r2 = A[c0] (load, store) {
                    S0: r0 = f(r2);
                    S1: r2 = f(r2, r1);
                  }
                  S2: r1 = f(r0, r1);
                }
              }
            }
            for (c0 = 1; c0 <= n - 1; c0 += 1) {
              S3: C[c0] = f(T[c0]);
            }
        "#]],
    );
    assert!(needs_memory);
}
