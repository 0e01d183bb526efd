//! Text in, text out, and in again. What is read is compared with what was printed; certificates that were changed are asked of enumeration.

use super::{parse_certificate, parse_scop, parse_tree, print_certificate, print_scop, print_tree};
use crate::dependence::Dependences;
use crate::legality::{self, Refusal};
use crate::scop::Scop;
use crate::{plan, testing};
use expect_test::{Expect, expect};
use polyhedra::Budget;
use proptest::prelude::*;

const TRISOLVE: &str = "
params M, N
for m = 0 .. M
  for n = 0 .. N
    A[m,n] = B[m,n]
for m = 0 .. M
  for n = 0 .. N
    A[m,n] /= U[n,n]
    for k = n+1 .. N
      A[m,k] -= A[m,n] * U[n,k]
";

const JACOBI: &str = "
params T, N
assume N >= 3
for t = 0 .. T
  for i = 1 .. N-1
    B[i] = A[i-1] + A[i] + A[i+1]
  for i = 1 .. N-1
    A[i] = B[i]
";

/// Printing and reading gives the same part.
fn round_trip(scop: &Scop) {
    let text = print_scop(scop);
    let again = parse_scop(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(*scop, again, "{text}");
}

#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    let scop = parse_scop(text).expect("text of a part");
    round_trip(&scop);
    expected.assert_eq(&print_scop(&scop));
}

/// The message, its line and column.
#[allow(clippy::needless_pass_by_value)]
fn check_error(text: &str, expected: Expect) {
    expected.assert_eq(&parse_scop(text).expect_err(text).to_string());
}

#[test]
fn a_part_is_printed_as_it_is_read() {
    check(
        TRISOLVE,
        expect![[r#"
            params M, N
            for i0 = 0 .. M
              for i1 = 0 .. N
                A[i0][i1] = B[i0][i1]
            for i0 = 0 .. M
              for i1 = 0 .. N
                A[i0][i1] /= U[i1][i1]
                for i2 = 0 .. -i1 + N - 1
                  A[i0][i1 + i2 + 1] -= A[i0][i1] * U[i1][i1 + i2 + 1]
        "#]],
    );
}

#[test]
fn steps_directions_and_extremes() {
    check(
        "
params n, m
array A[n][64] : f32
array s : f64 stride 16 virtual
for i = 0 .. n step 3
  for j = min(n, m)-1 downto max(0, i)
    for k in i .. j
      if i < j && k <= min(j, 7)
        last: A[i][k] = -A[j][k] * f(s[], 2.5e-3) ? x : y/2  @chain 7 @scalar
for (int i = n - 1; i >= 0; i -= 2) {
  if (i % 1 == 0 && i <= m) { s[] += A[i,0]; }
}
",
        expect![[r#"
            params n, m
            array A[?][64] : f32
            array s : f64 stride 16 virtual
            for i0
              for i1
                if i0 >= 0 and n >= 3*i0 + 1 and i1 >= 0 and i1 + m >= n and n >= i1 + 1 and n >= 3*i0 + i1 + 1
                  for i2 in 3*i0 .. -i1 + n - 1
                    if n >= 3*i0 + i1 + 2 and n >= i1 + i2 + 1 and 7 >= i2
                      last: A[3*i0][i2] = -A[-i1 + n - 1][i2] * f(s[], 2.5e-3) ? x : y/2 @chain 7 @scalar
            for i0
              if i0 >= 0 and n >= 2*i0 + 1 and 0 = 0 and 2*i0 + m + 1 >= n
                s[] += A[-2*i0 + n - 1][0]
        "#]],
    );
}

#[test]
fn conditions_with_remainders_are_read_where_they_are_constants() {
    let even = parse_scop("params n\nfor i = 0 .. n step 2\n  if i % 2 == 0\n    A[i] = 1").expect("text");
    let odd = parse_scop("params n\nfor i = 0 .. n step 2\n  if i % 2 == 1\n    A[i] = 1").expect("text");
    assert_eq!(polyhedra::oracle::points(&even.statements[0].domain, &[5], -1, 9).expect("points").len(), 3);
    assert_eq!(polyhedra::oracle::points(&odd.statements[0].domain, &[5], -1, 9).expect("points").len(), 0);
    check_error(
        "params n\nfor i = 0 .. n\n  if i % 2 == 0\n    A[i] = 1",
        expect![
            "line 3, column 8: '%' needs a dimension of its own, which the domain of a statement does not have; write a loop with `step`"
        ],
    );
}

/// The same cells, whatever the way to write the loop.
#[test]
fn loops_mean_what_they_say() {
    let cells = |text: &str| {
        let scop = parse_scop(&format!("params n\n{text}")).unwrap_or_else(|e| panic!("{e}\n{text}"));
        round_trip(&scop);
        let s = &scop.statements[0];
        let points = polyhedra::oracle::points(&s.domain, &[7], -9, 20).expect("points");
        points
            .iter()
            .map(|p| s.write().subscripts[0].eval(&[7], p).expect("small"))
            .map(|cell| cell.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (text, expected) in [
        ("for i = 1 .. n\n  A[i] = 0", "1 2 3 4 5 6"),
        ("for i = 1 .. n step 2\n  A[i] = 0", "1 3 5"),
        ("for i = n .. 1 step -2\n  A[i] = 0", "7 5 3"),
        ("for i = n downto 1 step 3\n  A[i] = 0", "7 4 1"),
        ("for i in 2 .. n { A[i] = 0 }", "2 3 4 5 6"),
        ("for (int i = 0; i <= n; i += 3) { A[i] = 0; }", "0 3 6"),
        ("for (long i = n; i > 0; --i) { A[2*i] = 0; }", "14 12 10 8 6 4 2"),
        ("for i = max(1, n-3) .. min(n, 2n-8) { A[i] = 0 }", "4 5"),
        ("for i { if 3 <= i < 5: { A[i] = 0 } }", "3 4"),
        ("for i = 0 .. n { if (2*i >= 8 && i != 9) { A[i] = 0 } }", ""),
    ] {
        if text.contains("!=") {
            check_error(
                &format!("params n\n{text}"),
                expect!["line 2, column 36: '!=' and '||' are not convex: write one loop or statement for each part"],
            );
        } else {
            assert_eq!(cells(text), expected, "{text}");
        }
    }
}

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in [
        ("for i = 0 .. n\n  A[i] = 0", "line 1, column 14: 'n' is neither a parameter nor a loop around this place"),
        ("for i = 0 .. 9\nA[i] = 0", "line 2, column 1: expected '{' or a line that is indented further, found 'A'"),
        ("for i = 0 .. 9\n  A[i] = 0\n    B[i] = 0", "line 3, column 5: the lines of a block must be indented alike"),
        ("for i = 0 . 9\n  A[i] = 0", "line 1, column 11: expected '..' or 'downto', found '.'"),
        ("for i = 0 .. 9 {\n  A[i] = 0\n", "line 3, column 1: expected '}', found the end"),
        ("A[0] = (1", "line 1, column 10: expected ')', found the end"),
        ("A[0] 1", "line 1, column 6: expected an assignment: '=', '+=', '-=', '*=' or '/=', found '1'"),
        ("A[0] = B[0][1]\nB[1] = 0", "line 2, column 1: 'B' has 2 subscripts elsewhere, and 1 here"),
        ("for i = 0 .. 9\n  A[i*i] = 0", "line 2, column 7: a product of two variables is not affine"),
        (
            "for i = 0 .. 9\n  A[B[i]] = 0",
            "line 2, column 5: an array in a subscript, bound or condition is not affine",
        ),
        ("for i = 0 .. 9 step 0\n  A[i] = 0", "line 1, column 21: a step is a number from 1 to 2^31, or its negative"),
        (
            "for i = 0 .. max(3, 4)\n  A[i] = 0",
            "line 1, column 7: bounds that are not convex: a loop may run from a `max` up to a `min`, or from a `min` down to a `max`",
        ),
        ("params n, n", "line 1, column 11: this parameter is named twice"),
        ("array A[3]\narray A[4]", "line 2, column 7: this array is declared twice"),
        ("A[0] = 0 $", "line 1, column 10: expected the end of the line, found '$'"),
        ("A[0] = 0 €", "line 1, column 10: unexpected '€'"),
        ("A[99999999999999999999] = 0", "line 1, column 3: the number is too large"),
        ("if 1 > 0\n  A[0] = 0\nelse\n  A[1] = 0", "line 3, column 1: there is no `else`: write the opposite `if`"),
        ("A[0] = 0 }", "line 1, column 10: expected a loop, a condition or a statement, found '}'"),
    ] {
        assert_eq!(parse_scop(text).map_err(|e| e.to_string()), Err(expected.to_string()), "{text}");
    }
}

/// Everything that a part can hold and loops cannot say by themselves.
#[test]
fn odd_parts_come_back() {
    let mut scop = parse_scop(JACOBI).expect("text");
    round_trip(&scop);
    let space = polyhedra::Space::new(scop.params.len(), 0);
    scop.context = scop.context.map(|c| c.with(polyhedra::Constraint::ge(polyhedra::Affine::zero(space))));
    round_trip(&scop);
    scop.params[0] = "for".into();
    scop.params[1] = "i0".into();
    scop.arrays[0].name = "a b%".into();
    scop.arrays[1].inner_sizes = Vec::new();
    scop.arrays[1].element_bytes = 12;
    scop.arrays[1].is_virtual = true;
    scop.statements[0].name = "a statement".into();
    scop.statements[0].text = "{1} \"and\" {0}\\\n{9} // # {".into();
    scop.statements[1].text = String::new();
    scop.statements[1].operations = (7, 8);
    scop.statements[1].calls = 9;
    scop.statements[1].any_order = true;
    scop.statements[1].commutes = Some(crate::scop::Commutative::Most);
    scop.statements[1].alone.insert(vec![0, 1], (3, 1));
    scop.statements[1].shared.insert(4, (1, 0));
    scop.statements[1].latencies.insert(1, 12);
    scop.statements[1].loaded.insert(1);
    scop.statements[1].decided_by.insert(0);
    scop.statements[1].asked = 5;
    scop.statements[1].skipped_by.insert(0);
    scop.statements[1].vectorizable = false;
    scop.statements[1].magnitudes = 2;
    scop.statements[1].by_numbers = 1;
    scop.statements[1].sums = 2;
    scop.statements[1].constants = 3;
    scop.statements[1].widest = 4;
    scop.statements[1].uncounted = true;
    scop.statements[1].sought = crate::scop::Sought { reads: 2, operations: (6, 1) };
    round_trip(&scop);
}

fn proved(text: &str) -> (Scop, Dependences, Vec<plan::Candidate>) {
    let scop = parse_scop(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let budget = Budget::new(200_000_000);
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let found = plan::candidates(&scop, &dependences, &budget).expect("candidates");
    (scop, dependences, found)
}

/// What is printed is read, and what is read is the same and is accepted without a solver. Every kernel and every random part of the planner's tests comes
/// by here.
pub(crate) fn all_comes_back(scop: &Scop, dependences: &Dependences, found: &[plan::Candidate]) {
    round_trip(scop);
    for candidate in found {
        let schedule = &candidate.schedule;
        let tree = print_tree(scop, schedule.tree());
        assert_eq!(tree, plan::print(scop, schedule.tree()));
        assert_eq!(parse_tree(scop, &tree).as_ref(), Ok(schedule.tree()));
        let certificate = print_certificate(scop, dependences, schedule);
        let read = parse_certificate(scop, dependences, &certificate).unwrap_or_else(|e| panic!("{e}\n{certificate}"));
        let again = legality::recheck(scop, dependences, read.tree, &read.proofs).expect("no overflow");
        assert_eq!(again.as_ref(), Ok(schedule), "{certificate}");
    }
}

fn verdict(scop: &Scop, dependences: &Dependences, text: &str) -> String {
    match parse_certificate(scop, dependences, text) {
        Err(e) => e.to_string(),
        Ok(read) => match legality::recheck(scop, dependences, read.tree, &read.proofs) {
            Ok(Ok(_)) => "proved".into(),
            Ok(Err(refusal)) => refusal.to_string(),
            Err(e) => e.to_string(),
        },
    }
}

#[test]
fn changed_certificates_are_refused() {
    let (scop, dependences, found) = proved("params n\nfor i = 0 .. n\n  for j = 0 .. n\n    A[i,j+1] = A[i,j]");
    let text = print_certificate(&scop, &dependences, &found[0].schedule);
    expect![[r#"
        tree
          band permutable
            member parallel S0: i0
            member S0: i1 + 1
            S0
        proof 0 # flow S0 -> S0 on A level 1
          level 0: r0
          level 1: 1 + r1
          empty: r1 - d1
          parallel 0: -r0
    "#]]
    .assert_eq(&text);
    assert_eq!(verdict(&scop, &dependences, &text), "proved");
    let mut out = String::new();
    for (from, to) in [
        ("level 1: 1 + r1", "level 1: 1 + 2*r1"),
        ("level 1: 1 + r1", "level 1: 1/2 + r1"),
        ("empty: r1 - d1", "empty: r1 - 2*d1"),
        ("empty: r1 - d1", "empty: r1 - d2"),
        ("empty: r1 - d1", "empty: r1 - d1 + r1"),
        ("empty: r1 - d1", "empty: r1 - 1/0*d1"),
        ("S0: i1 + 1", "S0: -i1"),
        ("S0: i1 + 1", "S0: i0"),
        ("parallel 0: -r0", "parallel 0: r0"),
        ("  parallel 0: -r0\n", ""),
        ("member S0", "member parallel S0"),
        ("member S0", "member tile 8 S0"),
        ("permutable\n    member parallel", "\n    member parallel tile 4"),
        ("member S0", "member tile 0 S0"),
        ("member parallel", "member parallel lanes 4"),
        ("member parallel", "member parallel tile 8 lanes 4"),
        ("member S0", "member lanes 4 S0"),
        ("member parallel", "member parallel lanes 1"),
        ("member parallel", "member parallel lanes 4 vectors 2"),
        ("member parallel", "member parallel lanes 4 vectors 1"),
        ("level 0: r0", "level 1: r0"),
        ("proof 0", "proof 1"),
        ("    S0\n", "    S1\n"),
    ] {
        assert!(text.contains(from), "{from}\n{text}");
        let verdict = verdict(&scop, &dependences, &text.replacen(from, to, 1));
        out.push_str(&format!("{:?} for {:?}: {verdict}\n", to, from));
    }
    expect![[r#"
        "level 1: 1 + 2*r1" for "level 1: 1 + r1": dependence 0, level 1: the certificate does not prove that the distance is not negative
        "level 1: 1/2 + r1" for "level 1: 1 + r1": dependence 0, level 1: the certificate does not prove that the distance is not negative
        "empty: r1 - 2*d1" for "empty: r1 - d1": dependence 0, after level 2: the certificate does not prove that nothing is left
        "empty: r1 - d2" for "empty: r1 - d1": line 9, column 15: expected one of the 11 rows r0, r1, .. or of the 2 distances d0, d1, ..
        "empty: r1 - d1 + r1" for "empty: r1 - d1": line 9, column 20: this row, or the constant, stands twice in the sum
        "empty: r1 - 1/0*d1" for "empty: r1 - d1": line 9, column 17: a denominator is not 0
        "S0: -i1" for "S0: i1 + 1": dependence 0, level 1: the certificate does not prove that the distance is not negative
        "S0: i0" for "S0: i1 + 1": malformed static control part: rows of S0 do not determine its iterators
        "parallel 0: r0" for "parallel 0: -r0": dependence 0, level 0: there is no proof that the loop is parallel
        "" for "  parallel 0: -r0\n": dependence 0, level 0: there is no proof that the loop is parallel
        "member parallel S0" for "member S0": dependence 0, level 1: there is no proof that the loop is parallel
        "member tile 8 S0" for "member S0": proved
        "\n    member parallel tile 4" for "permutable\n    member parallel": a tile needs a permutable band and a size of at least 1, lanes a parallel loop and two of them
        "member tile 0 S0" for "member S0": line 4, column 17: a tile has at least one iteration
        "member parallel lanes 4" for "member parallel": proved
        "member parallel tile 8 lanes 4" for "member parallel": proved
        "member lanes 4 S0" for "member S0": a tile needs a permutable band and a size of at least 1, lanes a parallel loop and two of them
        "member parallel lanes 1" for "member parallel": line 3, column 27: a vector has at least two lanes
        "member parallel lanes 4 vectors 2" for "member parallel": proved
        "member parallel lanes 4 vectors 1" for "member parallel": line 3, column 37: at least two vectors stand side by side
        "level 1: r0" for "level 0: r0": line 7, column 3: levels come in order, counted from 0, before 'empty'
        "proof 1" for "proof 0": line 6, column 7: there are 1 dependences, counted from 0
        "    S1\n" for "    S0\n": line 5, column 5: there is no statement 'S1'
    "#]].assert_eq(&out);
    let dropped = text.split("proof").next().expect("a tree");
    expect!["dependence 0: there is no proof"].assert_eq(&verdict(&scop, &dependences, dropped));
    assert_eq!(
        legality::recheck(&scop, &dependences, found[0].schedule.tree().clone(), &std::collections::BTreeMap::new()),
        Ok(Err(Refusal::NoProof { dependence: 0 }))
    );
}

/// Mutations of the bytes of a text.
fn mutated(text: &str, changes: &[(u16, u8, u8)]) -> String {
    const PIECES: [&str; 24] = [
        "0",
        "1",
        "7",
        "-",
        "+",
        "*",
        "[",
        "]",
        "(",
        "{",
        "}",
        ",",
        ";",
        ":",
        "..",
        "for ",
        "if ",
        "\n",
        "\n  ",
        "9223372036854775807",
        "min(",
        "%",
        "`",
        "é",
    ];
    let mut chars: Vec<char> = text.chars().collect();
    for &(at, how, piece) in changes {
        let at = usize::from(at) % (chars.len() + 1);
        let end = (at + usize::from(how % 4)).min(chars.len());
        let new: Vec<char> =
            if how < 128 { PIECES[usize::from(piece) % PIECES.len()].chars().collect() } else { Vec::new() };
        chars.splice(at..end, new);
    }
    chars.into_iter().collect()
}

/// Nothing that can be typed may panic; what is read can be printed and read again, and the later stages take it or refuse it.
fn any_text(text: &str) {
    let Ok(scop) = parse_scop(text) else { return };
    round_trip(&scop);
    if let Ok(dependences) = Dependences::of(&scop, &Budget::new(20_000)) {
        let _ = plan::candidates(&scop, &dependences, &Budget::new(20_000));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("CASES").ok().and_then(|c| c.parse().ok()).unwrap_or(300), failure_persistence: None, max_shrink_iters: 200, rng_seed: proptest::test_runner::RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let text = String::from_utf8_lossy(&bytes);
        any_text(&text);
        let (scop, dependences, _) = proved("s[] = 0");
        let _ = parse_tree(&scop, &text);
        let _ = parse_certificate(&scop, &dependences, &format!("tree\n  S0\n{text}"));
    }

    #[test]
    fn mutated_loops_do_not_panic(which in 0_usize..3, changes in proptest::collection::vec(any::<(u16, u8, u8)>(), 1..6)) {
        let text = [
            TRISOLVE,
            JACOBI,
            "params n\nknown n >= 1\narray A[?][8] : f32 stride 16\nfor (int i = n; i > 0; i -= 2) { if (i < 9) { A[i][1] *= f(x, 1.5e3) @chain 3; } }",
        ][which];
        any_text(&mutated(text, &changes));
    }

    /// A changed certificate is refused or still proves its tree: by enumeration.
    #[test]
    fn mutated_certificates_prove_or_are_refused(
        bytes in proptest::collection::vec(any::<u8>(), 40..80),
        pick in any::<(u8, u16, u8)>(),
        changes in proptest::collection::vec(any::<(u16, u8, u8)>(), 0..3),
    ) {
        let (scop, dependences, found) = proved(&crate::properties::random_text(&mut crate::disguise::Tape::new(&bytes)));
        let schedule = &found[usize::from(pick.0) % found.len()].schedule;
        let text = print_certificate(&scop, &dependences, schedule);
        // One digit, anywhere, and whatever else.
        let digits: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(k, _)| k).collect();
        let mut changed = text.clone();
        if let Some(&at) = digits.get(usize::from(pick.1) % digits.len().max(1)) {
            changed.replace_range(at..=at, &(pick.2 % 10).to_string());
        }
        prop_assert_eq!(verdict(&scop, &dependences, &text), "proved");
        for changed in [changed.clone(), mutated(&changed, &changes), mutated(&text, &changes)] {
            let Ok(read) = parse_certificate(&scop, &dependences, &changed) else { continue };
            if let Ok(Ok(legal)) = legality::recheck(&scop, &dependences, read.tree, &read.proofs) {
                for size in [2, 3] {
                    let bad = testing::violation(&scop, legal.tree(), &[size], 0, 3).unwrap_or(None);
                    prop_assert_eq!(bad, None, "{}\n{}", print_scop(&scop), changed);
                }
                let again = print_certificate(&scop, &dependences, &legal);
                prop_assert_eq!(verdict(&scop, &dependences, &again), "proved");
            }
        }
    }
}
