//! The problems of the literature. `problems/NAME.problem` is the text, `problems/NAME.solutions` its invariants by loop and all its solutions: a line each, the loops between bars.

use super::{Pasts, alone, count, problem, solutions};
use crate::fusion::SharedInputs;
use expect_test::{Expect, expect};
use std::collections::BTreeSet;

macro_rules! known {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../problems/", $name, ".problem")), include_str!(concat!("../problems/", $name, ".solutions")))),*]
    };
}

const KNOWN: [(&str, &str, &str); 23] = known![
    "chol_lowersolve_uppersolve",
    "chol_trinv",
    "chol_trsm_txt",
    "cholesky",
    "cholesky_and_solve_txt",
    "gemm_part_m",
    "lu",
    "lu_then_invert",
    "pure_input_op1",
    "pure_input_op2",
    "symm_inv",
    "syrk_lower_HPHt",
    "trinv",
    "trinv_LtL",
    "trmv_L",
    "trsm_L",
    "trsv_L",
    "trsv_U",
    "trtrmm_LtL",
    "true_dep_trinv_trmv",
    "tze_meng",
    "tze_op1",
    "tze_op2",
];

/// Reads a file of solutions: invariants by loop, solutions without and with the policy of shared inputs.
fn expected(text: &str) -> (Vec<usize>, BTreeSet<Pasts>, BTreeSet<Pasts>) {
    let mut lines = text.lines();
    let numbers = lines.next().and_then(|l| l.strip_prefix("per loop ")).expect("invariants by loop");
    let alone = numbers.split(' ').map(|n| n.parse().expect("a number")).collect();
    let (mut free, mut one) = (BTreeSet::new(), BTreeSet::new());
    let (mut counts, mut into) = ([None; 2], [false; 2]);
    for line in lines {
        if let Some((title, n)) = line.rsplit_once(' ').and_then(|(t, n)| Some((t, n.parse::<usize>().ok()?))) {
            into = [title != "shared inputs in one direction", title != "shared inputs free"];
            for k in 0..2 {
                counts[k] = if into[k] { Some(n) } else { counts[k] };
            }
            continue;
        }
        let pasts: Pasts = line.split('|').map(|part| part.split_whitespace().map(String::from).collect()).collect();
        for (list, _) in [&mut free, &mut one].into_iter().zip(into).filter(|x| x.1) {
            list.insert(pasts.clone());
        }
    }
    assert_eq!(counts, [Some(free.len()), Some(one.len())]);
    (alone, free, one)
}

#[test]
fn known_problems_have_the_known_solutions() {
    for (name, text, answers) in KNOWN {
        let p = problem(text);
        let (invariants, free, one) = expected(answers);
        assert_eq!(solutions(&p, SharedInputs::Free), free, "{name}");
        assert_eq!(solutions(&p, SharedInputs::OneDirection), one, "{name}, shared inputs in one direction");
        assert_eq!(alone(&p), invariants, "{name}, loop by loop");
    }
}

const CHOL: &str = "loop chol
op L_TL.out = chol(L_TL.in)
L_BL.out = trsm(L_TL.out, L_BL.in)
L_BR.0 = L_BR.in - L_BL.out * L_BL.out'
op L_BR.out = chol(L_BR.0)
";
const TRINV: &str = "loop trinv
op L_TL.out = inv(L_TL.in)
L_BL.0a = {L_BL.in|L_BL.0b} * L_TL.out
L_BL.0b = {L_BL.in|L_BL.0a} / L_BR.in
from L_BL.out <- L_BL.0a, L_BL.0b
op L_BR.out = inv(L_BR.in)
";
const LTL: &str = "loop ltl
op L_TL.0 = L_TL.in' * L_TL.in
L_TL.out = L_TL.0 + L_BL.in' * L_BL.in
L_BL.out = L_BL.in * L_BR.in
op L_BR.out = L_BR.in' * L_BR.in
";
const LOWER: &str = "loop lower
op b_T.out = solve(L_TL.in, b_T.in)
b_B.0 = b_B.in - L_BL.in * b_T.out
op b_B.out = solve(L_BR.in, b_B.0)
";
const UPPER: &str = "loop upper
op b_B.out = solve(L_BR.in, b_B.in)
b_T.0 = b_T.in - L_BL.in' * b_B.out
op b_T.out = solve(L_TL.in, b_T.0)
";

/// Two operations after each other have as many solutions as the calculus says.
#[test]
fn sequences() {
    for (parts, wanted) in [
        (&[CHOL, CHOL][..], 3),
        (&[TRINV, TRINV], 3),
        (&[TRINV, CHOL], 3),
        (&[LOWER, CHOL], 3),
        (&[TRINV, LTL], 3),
        (&[CHOL, TRINV, LTL], 1),
        (&[CHOL, LOWER], 5),
        (&[CHOL, LOWER, UPPER], 0),
        (&[UPPER], 2),
    ] {
        assert_eq!(count(&parts.concat()), wanted, "{}", parts.concat());
    }
}

/// The inverse that may read its diagonal blocks before or after their inversion: the literature's eight algorithms.
#[test]
fn general_inverse() {
    let general = TRINV.replace("* L_TL.out", "* {L_TL.in|L_TL.out}").replace("/ L_BR.in", "/ {L_BR.in|L_BR.out}");
    assert_eq!(count(&general), 8);
}

#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    let p = problem(text);
    let budget = polyhedra::Budget::generous();
    expected.assert_eq(&match crate::fusion::fuse(&p, SharedInputs::Free, &budget).expect("an answer") {
        crate::fusion::Answer::Fusable(list) => list.iter().map(|s| crate::fusion::print_solution(&p, s)).collect(),
        crate::fusion::Answer::Refuted(r) => r.print(&p).expect("text"),
    });
}

/// One traversal inverts a symmetric positive definite matrix.
#[test]
fn symmetric_inverse() {
    check(
        &[CHOL, TRINV, LTL].concat(),
        expect![[r#"
        chol {L_TL.out L_BL.out L_BR.0}; trinv {L_TL.out L_BL.0a}; ltl {L_TL.0}
          L_TL  ⊤⊤⊢  C 1  U 3
          L_BL  ⊤⊢⊥  C 0  U 2
          L_BR  ⊢⊥⊥  C -1  U 1
    "#]],
    );
}

#[test]
fn why_a_solve_from_below_cannot_join() {
    check(
        &[CHOL, LOWER, UPPER].concat(),
        expect![[r#"
        if chol L_TL.out is past
          chol L_BR.out is future: not all operations (op) of chol can be on one side
          C(L_BR) <= -1: chol has computed L_BR iff all its tasks are past
          upper b_B.out is future: when upper b_B.out is past, the loops before have computed L_BR.in
          upper b_T.out is past: not all operations (op) of upper can be on one side
          upper b_T.0 is future: upper b_T.0 needs b_B.out when it is past
          contradiction: upper b_T.0 must still find b_T.in when it is future
        if chol L_TL.out is future
          chol L_BR.out is past: not all operations (op) of chol can be on one side
          chol L_BL.out is future: chol L_BL.out needs L_TL.out when it is past
          chol L_BR.0 is past: chol L_BR.0 must still find L_BR.in when it is future
          contradiction: chol L_BR.0 needs L_BL.out when it is past
    "#]],
    );
}

#[test]
fn why_nothing_moves() {
    check(
        "loop copy\nop A_T.out = A_T.in\nA_B.out = A_B.in",
        expect![[r#"
        copy A_T.out is past: copy has fewer than two operations (op), so nothing can move
        contradiction: copy has fewer than two operations (op), so nothing can move
    "#]],
    );
}

/// Intervals of `C` and `U` where a loop does not write a region.
#[test]
fn strips_across_loops_that_do_not_write() {
    let other = "loop other\nop X_T.out = f(X_T.in)\nop X_B.out = f(X_B.in)\n";
    check(
        &[CHOL, other, LOWER].concat(),
        expect![[r#"
        chol {L_TL.out}; other {X_B.out}; lower {b_T.out}
          L_TL  ⊤..  C 0..2  U 1..3
          L_BL  ⊥..  C -1  U 0
          L_BR  ⊥..  C -1  U 0
          X_T   .⊥.  C -1..0  U 0..1
          X_B   .⊤.  C 1..2  U 2..3
          b_T   ..⊤  C 2  U 3
          b_B   ..⊥  C -1..1  U 0..2
        chol {L_TL.out}; other {X_T.out}; lower {b_T.out}
          L_TL  ⊤..  C 0..2  U 1..3
          L_BL  ⊥..  C -1  U 0
          L_BR  ⊥..  C -1  U 0
          X_T   .⊤.  C 1..2  U 2..3
          X_B   .⊥.  C -1..0  U 0..1
          b_T   ..⊤  C 2  U 3
          b_B   ..⊥  C -1..1  U 0..2
        chol {L_TL.out L_BL.out}; other {X_B.out}; lower {b_T.out}
          L_TL  ⊤..  C 0..2  U 1..3
          L_BL  ⊤..  C 0..2  U 1..3
          L_BR  ⊥..  C -1  U 0
          X_T   .⊥.  C -1..0  U 0..1
          X_B   .⊤.  C 1..2  U 2..3
          b_T   ..⊤  C 2  U 3
          b_B   ..⊥  C -1..1  U 0..2
        chol {L_TL.out L_BL.out}; other {X_B.out}; lower {b_T.out b_B.0}
          L_TL  ⊤..  C 0..2  U 1..3
          L_BL  ⊤..  C 0..2  U 1..3
          L_BR  ⊥..  C -1  U 0
          X_T   .⊥.  C -1..0  U 0..1
          X_B   .⊤.  C 1..2  U 2..3
          b_T   ..⊤  C 2  U 3
          b_B   ..⊢  C -1..1  U 3
        chol {L_TL.out L_BL.out}; other {X_T.out}; lower {b_T.out}
          L_TL  ⊤..  C 0..2  U 1..3
          L_BL  ⊤..  C 0..2  U 1..3
          L_BR  ⊥..  C -1  U 0
          X_T   .⊤.  C 1..2  U 2..3
          X_B   .⊥.  C -1..0  U 0..1
          b_T   ..⊤  C 2  U 3
          b_B   ..⊥  C -1..1  U 0..2
        chol {L_TL.out L_BL.out}; other {X_T.out}; lower {b_T.out b_B.0}
          L_TL  ⊤..  C 0..2  U 1..3
          L_BL  ⊤..  C 0..2  U 1..3
          L_BR  ⊥..  C -1  U 0
          X_T   .⊤.  C 1..2  U 2..3
          X_B   .⊥.  C -1..0  U 0..1
          b_T   ..⊤  C 2  U 3
          b_B   ..⊢  C -1..1  U 3
        chol {L_TL.out L_BL.out L_BR.0}; other {X_B.out}; lower {b_T.out}
          L_TL  ⊤..  C 0..2  U 1..3
          L_BL  ⊤..  C 0..2  U 1..3
          L_BR  ⊢..  C -1  U 1..3
          X_T   .⊥.  C -1..0  U 0..1
          X_B   .⊤.  C 1..2  U 2..3
          b_T   ..⊤  C 2  U 3
          b_B   ..⊥  C -1..1  U 0..2
        chol {L_TL.out L_BL.out L_BR.0}; other {X_B.out}; lower {b_T.out b_B.0}
          L_TL  ⊤..  C 0..2  U 1..3
          L_BL  ⊤..  C 0..2  U 1..3
          L_BR  ⊢..  C -1  U 1..3
          X_T   .⊥.  C -1..0  U 0..1
          X_B   .⊤.  C 1..2  U 2..3
          b_T   ..⊤  C 2  U 3
          b_B   ..⊢  C -1..1  U 3
        chol {L_TL.out L_BL.out L_BR.0}; other {X_T.out}; lower {b_T.out}
          L_TL  ⊤..  C 0..2  U 1..3
          L_BL  ⊤..  C 0..2  U 1..3
          L_BR  ⊢..  C -1  U 1..3
          X_T   .⊤.  C 1..2  U 2..3
          X_B   .⊥.  C -1..0  U 0..1
          b_T   ..⊤  C 2  U 3
          b_B   ..⊥  C -1..1  U 0..2
        chol {L_TL.out L_BL.out L_BR.0}; other {X_T.out}; lower {b_T.out b_B.0}
          L_TL  ⊤..  C 0..2  U 1..3
          L_BL  ⊤..  C 0..2  U 1..3
          L_BR  ⊢..  C -1  U 1..3
          X_T   .⊤.  C 1..2  U 2..3
          X_B   .⊥.  C -1..0  U 0..1
          b_T   ..⊤  C 2  U 3
          b_B   ..⊢  C -1..1  U 3
    "#]],
    );
}

#[test]
fn errors_say_where() {
    let error = |text: &str| crate::fusion::parse(text).expect_err("an error").to_string();
    for (text, wanted) in [
        ("op A.out = f(A.in)", "line 1, column 1: expected 'loop' and its name, found 'op'"),
        ("loop\n", "line 1, column 5: expected the name of the loop, found the end of the line"),
        ("loop a b", "line 1, column 8: expected the end of the line, found 'b'"),
        (
            "loop a\n{A.0|A.1} = A.in",
            "line 2, column 1: a task writes one state: '{ | }' stands on the right-hand side only",
        ),
        ("loop a\nA = f(A.in)", "line 2, column 1: expected a state like L_TL.out, found 'A'"),
        ("loop a\nA.out f(A.in)", "line 2, column 7: expected '=', found 'f'"),
        ("loop a\nfrom A.out = A.0", "line 2, column 12: expected '<-', found '='"),
        ("loop a\nA.out = {A.in|B}", "line 2, column 15: expected a state like L_BL.0a, found 'B'"),
        ("loop a\nA.out = {A.in, A.0}", "line 2, column 14: expected '|' or '}', found ','"),
        ("loop a\nA.out = {}", "line 2, column 10: expected a state like L_BL.0a, found '}'"),
        ("loop a\nA.out =", "line 2, column 8: expected what the task reads, found the end"),
        ("loop a\nA.out = f(A.in)\nA.out = f(A.0)", "line 3, column 1: another task of loop a writes A.out"),
        (
            "loop a\nA.99999999999 = f(A.in)",
            "line 2, column 1: '99999999999' is no stage: expected in, out, or a number like 0 or 0a",
        ),
        ("loop a\nA.b.out = f(A.in)", "line 2, column 1: 'A.b' is no region: letters, digits and '_' only"),
    ] {
        assert_eq!(error(text), wanted, "{text}");
    }
}
