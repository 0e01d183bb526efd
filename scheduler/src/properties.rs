//! Properties that hold for every part: schedules keep the order of conflicting instances (against enumeration), and two ways to write one program
//! give one schedule.

mod generate;

pub(crate) use generate::random_text;

use crate::conformance::schedules;
use crate::dependence::Dependences;
use crate::disguise::{Tape, disguised};
use crate::legality::{self, Verdict};
use crate::scop::{Access, Scop, StatementId};
use crate::tree::Node;
use crate::{plan, testing};
use generate::random_tree;
use polyhedra::Budget;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What runs, in the order of the tree: for every instance the cells it touches, store first.
fn trace(scop: &Scop, tree: &Node, params: &[i64], low: i64, high: i64) -> Vec<String> {
    let spaces: BTreeMap<_, _> = scop.statements.iter().enumerate().map(|(k, s)| (StatementId(k), s.space())).collect();
    let times = tree.flatten(&spaces);
    let mut events = Vec::new();
    for (k, s) in scop.statements.iter().enumerate() {
        for point in polyhedra::oracle::points(&s.domain, params, low, high).expect("points") {
            let time: Vec<i64> = times[&StatementId(k)].iter().map(|r| r.eval(params, &point).expect("time")).collect();
            let cells: Vec<String> = s
                .accesses
                .iter()
                .map(|a| {
                    let cell: Vec<i64> = a.subscripts.iter().map(|e| e.eval(params, &point).expect("cell")).collect();
                    format!("{}{cell:?}", scop.arrays[a.array.0].name)
                })
                .collect();
            events.push((time, cells.join(" ")));
        }
    }
    events.sort();
    events.into_iter().map(|e| e.1).collect()
}

/// Bands and sequences without rows.
fn shape(node: &Node) -> String {
    match node {
        Node::Leaf(_) => "S".into(),
        Node::Sequence(c) => format!("[{}]", c.iter().map(shape).collect::<Vec<_>>().join("; ")),
        Node::Band { members, permutable, child } => {
            let flags: String = members.iter().map(|m| if m.parallel { 'p' } else { 's' }).collect();
            format!("{}{flags}({})", if *permutable { "" } else { "!" }, shape(child))
        }
    }
}

/// All texts must give the same first schedule: the same shape, and the same cells in the same order. Returns the shapes.
pub(crate) fn one_result(texts: &[&str]) -> Vec<String> {
    let one = |text: &&str| {
        let (scop, _, found) = schedules(text);
        let tree = found[0].schedule.tree().clone();
        let params: Vec<i64> = (0..scop.params.len()).map(|_| 4).collect();
        (trace(&scop, &tree, &params, -2, 9), shape(&tree), plan::print(&scop, &tree))
    };
    let all: Vec<_> = texts.iter().map(one).collect();
    for other in &all[1..] {
        assert_eq!(all[0].1, other.1, "{}\n{}", all[0].2, other.2);
        assert_eq!(all[0].0, other.0, "{}\n{}", all[0].2, other.2);
    }
    all.into_iter().map(|a| a.1).collect()
}

#[test]
fn trisolve_is_written_in_many_ways() {
    let head = "params M, N\nfor m = 0 .. M\n  for n = 0 .. N\n    A[m,n] = B[m,n]\n";
    let tail = |t: &str| format!("{head}{t}");
    let forms = [
        tail("for m = 0 .. M\n  for n = 0 .. N\n    A[m,n] /= U[n,n]\n    for k = n+1 .. N\n      A[m,k] -= A[m,n] * U[n,k]"),
        tail("for m = 0 .. M\n  for n = 0 .. N\n    A[m,n] /= U[n,n]\n    for k in n+1 .. N\n      A[m,k] -= A[m,n] * U[n,k]"),
        tail("for m = 0 .. M\n  for n = 0 .. N\n    A[m,n] /= U[n,n]\n    for k = 0 .. N-n-1\n      A[m,k+n+1] -= A[m,n] * U[n,k+n+1]"),
        tail("for n = 0 .. N\n  for m = 0 .. M\n    A[m,n] /= U[n,n]\n    for k = n+1 .. N\n      A[m,k] -= A[m,n] * U[n,k]"),
        tail("for m = M-1 downto 0\n  for n = 0 .. N\n    A[m,n] /= U[n,n]\n    for k = N-1 downto n+1\n      A[m,k] -= A[m,n] * U[n,k]"),
        tail("for m in 2 .. M+2\n  for n in 1 .. N+1\n    A[m-2,n-1] /= U[n-1,n-1]\n    for k in n+3 .. N+3\n      A[m-2,k-3] -= A[m-2,n-1] * U[n-1,k-3]"),
        "params M, N\nfor m = 0 .. M\n  for n = 0 .. N\n    A[m,n] = B[m,n]\n  for n = 0 .. N\n    A[m,n] /= U[n,n]\n    for k = n+1 .. N\n      A[m,k] -= A[m,n] * U[n,k]".to_string(),
    ];
    one_result(&forms.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn matmul_is_written_in_many_ways() {
    let mut forms = Vec::new();
    for order in ["ijk", "ikj", "jik", "jki", "kij", "kji"] {
        let mut text = "params N\n".to_string();
        for (depth, c) in order.chars().enumerate() {
            let _ = writeln!(text, "{}for {c} = 0 .. N", "  ".repeat(depth));
        }
        text.push_str("      C[i,j] += A[i,k] * B[k,j]");
        forms.push(text.clone());
        forms.push(
            text.replace("for i = 0 .. N", "for i = N-1 downto 0")
                .replace("for j = 0 .. N", "for j in 1 .. N+1")
                .replace("[i,j]", "[i,j-1]")
                .replace("[k,j]", "[k,j-1]"),
        );
    }
    one_result(&forms.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn cholesky_is_written_in_many_ways() {
    one_result(&[
        "params N\nfor k = 0 .. N\n  A[k,k] = A[k,k]\n  for i = k+1 .. N\n    A[i,k] /= A[k,k]\n  for i = k+1 .. N\n    for j = k+1 .. i+1\n      A[i,j] -= A[i,k] * A[j,k]",
        "params N\nfor k = 0 .. N\n  A[k,k] = A[k,k]\n  for i = N-1 downto k+1\n    A[i,k] /= A[k,k]\n  for j in k+1 .. N\n    for i in j .. N\n      A[i,j] -= A[i,k] * A[j,k]",
        "params N\nfor j = 0 .. N\n  for i = j .. N\n    for k = 0 .. j\n      A[i,j] -= A[i,k] * A[j,k]\n  A[j,j] = A[j,j]\n  for i = j+1 .. N\n    A[i,j] /= A[j,j]",
    ]);
}

/// Kernels with every loop translated, independent loops reversed, permutable nests permuted, everything listed in another order: one result.
#[test]
fn kernels_in_disguise() {
    for text in [
        "params M, N\nfor m = 0 .. M\n  for n = 0 .. N\n    A[m,n] = B[m,n]\nfor m = 0 .. M\n  for n = 0 .. N\n    A[m,n] /= U[n,n]\n    for k = n+1 .. N\n      A[m,k] -= A[m,n] * U[n,k]",
        "params N, M, K\nfor i = 0 .. N\n  for j = 0 .. M\n    C[i,j] = 0\n    for k = 0 .. K\n      C[i,j] += A[i,k] * B[k,j]",
        "params N\nfor i = 0 .. N\n  for l = 0 .. i+1\n    for j = 0 .. l+1\n      W[j,i-l] += B[j,l-j] * C[l-j,i-l]",
        "params N, M\nfor i = 0 .. N\n  for j = 0 .. M\n    for k = 0 .. 3\n      C[i,j] += A[i+k,j] * W[k]",
        "params N\nfor k = 0 .. N\n  A[k,k] = A[k,k]\n  for i = k+1 .. N\n    A[i,k] /= A[k,k]\n  for i = k+1 .. N\n    for j = k+1 .. i+1\n      A[i,j] -= A[i,k] * A[j,k]",
        "params N\nfor k = 0 .. N\n  for i = k+1 .. N\n    A[i,k] /= A[k,k]\n  for i = k+1 .. N\n    for j = k+1 .. N\n      A[i,j] -= A[i,k] * A[k,j]",
        "params N, M\nfor i = 0 .. N\n  s[i] = 0\nfor i = 0 .. N\n  for j = 0 .. M\n    s[i] += X[i,j]\nfor i = 0 .. N\n  for j = 0 .. M\n    Y[i,j] = X[i,j] / s[i]",
        "params N\ns[] = 0\nfor i = 0 .. N\n  s[] += X[i]\nfor i = 0 .. N\n  Y[i] = X[i] / s[]",
        "params N\nfor i = 0 .. N\n  x[i] = a[i]\nfor i = 0 .. N\n  y[i] = x[N-1-i] * b[i]",
        "params T, N\nfor t = 0 .. T\n  for i = 1 .. N-1\n    A[i] = A[i-1] + A[i] + A[i+1]",
        "params T, N\nfor t = 0 .. T\n  for i = 1 .. N-1\n    B[i] = A[i-1] + A[i] + A[i+1]\n  for i = 1 .. N-1\n    A[i] = B[i]",
        "params T, N\nfor t = 0 .. T\n  for i = 0 .. N\n    B[i+3] = A[i+1]\n  for i = 0 .. N\n    A[i+4] = B[i]",
        "params N\nfor k = 0 .. N\n  for i = 0 .. N\n    for j = 0 .. N\n      P[i,j] = P[i,j] + P[i,k] + P[k,j]",
        "params N\nfor i = 0 .. N\n  for j = 0 .. N\n    A[i+1,j+1] = A[i+1,j] + A[i,j+1]",
    ] {
        let scop = testing::scop(text).expect("text");
        let best = |scop: &Scop| {
            let budget = Budget::generous();
            let dependences = Dependences::of(scop, &budget).expect("dependences");
            let found = plan::candidates(scop, &dependences, &budget).expect("candidates");
            let tree = found[0].schedule.tree().clone();
            let params = vec![2; scop.params.len()];
            (shape(&tree), trace(scop, &tree, &params, -6, 6), plan::print(scop, &tree))
        };
        let one = best(&scop);
        for seed in 1..6_u32 {
            let bytes: Vec<u8> = (0..200_u32)
                .map(|k| (k.wrapping_mul(seed * 7919).wrapping_add(seed * 104_729) >> 5).to_le_bytes()[0])
                .collect();
            let other = disguised(&scop, &mut Tape::new(&bytes));
            assert_ne!(scop, other);
            let two = best(&other);
            assert_eq!(one.0, two.0, "{text}\n{}\n{}", one.2, two.2);
            assert_eq!(one.1, two.1, "{text}\n{}\n{}", one.2, two.2);
        }
    }
}

#[test]
fn stencils_are_written_in_many_ways() {
    one_result(&[
        "params T, N\nfor t = 0 .. T\n  for i = 1 .. N-1\n    A[i] = A[i-1] + A[i] + A[i+1]",
        "params T, N\nfor t = 0 .. T\n  for i = 0 .. N-2\n    A[i+1] = A[i] + A[i+1] + A[i+2]",
        "params T, N\nfor t in 3 .. T+3\n  for i in 5 .. N+3\n    A[i-4] = A[i-5] + A[i-4] + A[i-3]",
    ]);
    one_result(&[
        "params T, N\nfor t = 0 .. T\n  for i = 1 .. N-1\n    B[i] = A[i-1] + A[i] + A[i+1]\n  for i = 1 .. N-1\n    A[i] = B[i]",
        "params T, N\nfor t = 0 .. T\n  for i = 1 .. N-1\n    B[i] = A[i-1] + A[i] + A[i+1]\n  for i = N-2 downto 1\n    A[i] = B[i]",
        "params T, N\nfor t in 1 .. T+1\n  for i in 0 .. N-2\n    B[i+1] = A[i] + A[i+1] + A[i+2]\n  for i in 2 .. N\n    A[i-1] = B[i-1]",
    ]);
}

/// Instances in the source order, with the cells they touch: (statement, point, time, [(array, cell)]).
type Instance = (usize, Vec<i64>, Vec<i64>, Vec<(usize, Vec<i64>)>);

fn instances(scop: &Scop, params: &[i64]) -> Vec<Instance> {
    let mut out = Vec::new();
    for (k, s) in scop.statements.iter().enumerate() {
        for point in polyhedra::oracle::points(&s.domain, params, -1, 4).expect("points") {
            let mut time = Vec::new();
            for (d, &b) in s.beta.iter().enumerate() {
                time.push(i64::try_from(b).expect("small"));
                time.extend(point.get(d));
            }
            let cell =
                |a: &Access| (a.array.0, a.subscripts.iter().map(|e| e.eval(params, &point).expect("cell")).collect());
            out.push((k, point.clone(), time, s.accesses.iter().map(cell).collect()));
        }
    }
    out
}

/// Reverses the order of members of permutable bands.
fn turn(node: &mut Node) {
    match node {
        Node::Leaf(_) => {}
        Node::Sequence(children) => children.iter_mut().for_each(turn),
        Node::Band { members, permutable, child } => {
            if *permutable {
                members.reverse();
            }
            turn(child);
        }
    }
}

/// Negates the rows of parallel members.
fn reverse_parallel(node: &mut Node) {
    match node {
        Node::Leaf(_) => {}
        Node::Sequence(children) => children.iter_mut().for_each(reverse_parallel),
        Node::Band { members, child, .. } => {
            for m in members.iter_mut().filter(|m| m.parallel) {
                for row in m.rows.values_mut() {
                    *row = row.scale(-1).expect("small");
                }
            }
            reverse_parallel(child);
        }
    }
}

/// `CASES` cases, or so many.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: std::env::var("CASES").ok().and_then(|c| c.parse().ok()).unwrap_or(cases),
        failure_persistence: None,
        max_shrink_iters: 60,
        rng_seed: proptest::test_runner::RngSeed::Fixed(22),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(200))]

    /// Every candidate of every small part keeps the order, by enumeration ([`schedules`] checks it).
    #[test]
    fn random_parts(bytes in proptest::collection::vec(any::<u8>(), 40..80)) {
        let text = random_text(&mut Tape::new(&bytes));
        let (scop, _, found) = schedules(&text);
        for candidate in found {
            for change in [turn, reverse_parallel] {
                let mut tree = candidate.schedule.tree().clone();
                change(&mut tree);
                let bad = testing::violation(&scop, &tree, &[4], 0, 4).expect("small");
                prop_assert_eq!(bad, None, "{}\n{}", text, plan::print(&scop, candidate.schedule.tree()));
            }
        }
    }

    /// Every ordered pair of instances that touch one cell is in exactly one dependence of its accesses, and nothing else is in any.
    #[test]
    fn dependences_are_exact(bytes in proptest::collection::vec(any::<u8>(), 40..80)) {
        let text = random_text(&mut Tape::new(&bytes));
        let scop = testing::scop(&text).expect("text");
        let dependences = Dependences::of(&scop, &Budget::generous()).expect("dependences");
        let params = [3];
        let all = instances(&scop, &params);
        for (s, from, early, cells) in &all {
            for (t, to, late, others) in &all {
                let both: Vec<i64> = to.iter().chain(from).copied().collect();
                for (a, cell) in cells.iter().enumerate() {
                    for (b, other) in others.iter().enumerate() {
                        if a > 0 && b > 0 {
                            continue;
                        }
                        let found = dependences.ordering.iter().filter(|d| {
                            (d.source.0, d.source_access.0, d.target.0, d.target_access.0) == (*s, a, *t, b)
                                && d.relation.contains(&params, &both).expect("small")
                        });
                        let expected = usize::from(cell == other && early < late);
                        prop_assert_eq!(found.count(), expected, "S{}{:?} -> S{}{:?}\n{}", s, from, t, to, text);
                    }
                }
            }
        }
    }

    /// What the judge calls legal is legal by enumeration, and its flags hold.
    #[test]
    fn the_judge_is_right(bytes in proptest::collection::vec(any::<u8>(), 60..90)) {
        let mut tape = Tape::new(&bytes);
        let text = random_text(&mut tape);
        let scop = testing::scop(&text).expect("text");
        let budget = Budget::new(200_000_000);
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let tree = random_tree(&scop, &mut tape);
        if let Verdict::Legal(schedule) = legality::prove(&scop, &dependences, tree, &budget).expect("well formed") {
            for params in [3, 4] {
                let bad = testing::violation(&scop, schedule.tree(), &[params], 0, 4).expect("small");
                prop_assert_eq!(bad, None, "{}\n{}", text, plan::print(&scop, schedule.tree()));
            }
            // A permutable band may be turned round, a parallel loop may run backwards.
            let mut turned = schedule.tree().clone();
            turn(&mut turned);
            let bad = testing::violation(&scop, &turned, &[4], 0, 4).expect("small");
            prop_assert_eq!(bad, None, "{}\n{}", text, plan::print(&scop, schedule.tree()));
            let mut backwards = schedule.tree().clone();
            reverse_parallel(&mut backwards);
            let bad = testing::violation(&scop, &backwards, &[4], 0, 4).expect("small");
            prop_assert_eq!(bad, None, "{}\n{}", text, plan::print(&scop, schedule.tree()));
        }
    }

    /// Whatever the budget: no panic, and either an error or at least the source order.
    #[test]
    fn any_budget_will_do(bytes in proptest::collection::vec(any::<u8>(), 40..80), steps in 0_u64..3000) {
        let scop = testing::scop(&random_text(&mut Tape::new(&bytes))).expect("text");
        let dependences = Dependences::of(&scop, &Budget::generous()).expect("dependences");
        if let Ok(found) = plan::candidates(&scop, &dependences, &Budget::new(steps)) {
            prop_assert_eq!(found.last().map(|c| c.origin), Some(plan::Origin::Original));
        }
    }

    /// Random stencils in a time loop: where LoopModels goes wrong in more than half of the cases.
    #[test]
    fn random_stencils(o in proptest::collection::vec(-3_i64..4, 6)) {
        let text = format!(
            "params T, N\nfor t = 0 .. T\n  for i = 0 .. N\n    B[i+{}] = A[i+{}] + A[i+{}]\n  for i = 0 .. N\n    A[i+{}] = B[i+{}] + B[i+{}]",
            o[0] + 3, o[1] + 3, o[2] + 3, o[3] + 3, o[4] + 3, o[5] + 3
        );
        schedules(&text);
    }
}

proptest! {
    #![proptest_config(config(400))]

    /// Translating loops, reversing independent ones, permuting permutable nests and listing things in another order changes nothing: the same shape, the same
    /// cells in the same order.
    #[test]
    fn disguise_does_not_help(bytes in proptest::collection::vec(any::<u8>(), 80..110)) {
        let mut tape = Tape::new(&bytes);
        let text = random_text(&mut tape);
        let scop = testing::scop(&text).expect("text");
        let other = disguised(&scop, &mut tape);
        let best = |scop: &Scop| {
            let budget = Budget::generous();
            let dependences = Dependences::of(scop, &budget).expect("dependences");
            let found = plan::candidates(scop, &dependences, &budget).expect("candidates");
            let tree = found[0].schedule.tree().clone();
            let shown = plan::print(scop, &tree);
            let own = found[0].origin != plan::Origin::Original;
            (shape(&tree), trace(scop, &tree, &[3], -6, 6), shown, own)
        };
        let (one, two) = (best(&scop), best(&other));
        prop_assert_eq!(one.3, two.3, "{}\n{}\n{}", text, one.2, two.2);
        // The source's own order is what it is.
        if !one.3 {
            return Ok(());
        }
        prop_assert_eq!(&one.0, &two.0, "{}\n{}\n{}", text, one.2, two.2);
        prop_assert_eq!(&one.1, &two.1, "{}\n{}\n{}", text, one.2, two.2);
    }
}
