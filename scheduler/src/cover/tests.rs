//! What is left out, and that nothing is lost by it.

use super::*;
use crate::dependence;
use crate::legality::{self, Verdict};
use crate::properties::random_text;
use crate::{disguise::Tape, plan, testing};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    let scop = testing::scop(text).expect("text");
    let budget = Budget::generous();
    let all = Dependences::of(&scop, &budget).expect("dependences");
    let kept = all.without_covered(&scop, &budget).expect("kept");
    expected.assert_eq(&dependence::print(&scop, &Dependences { reuse: Vec::new(), ..kept }));
}

#[test]
fn a_sum_runs_step_by_step() {
    check(
        "params N\nfor i = 0 .. N\n  for k = 0 .. N\n    c[i] += a[i,k]",
        expect![[r#"
        output S0 -> S0 on c level 1: [N] -> { [t0, t1, s0, s1] : t0 = s0 and t1 = s1 + 1 and t0 >= 0 and t0 <= N - 1 and t1 >= 1 and t1 <= N - 1 }
    "#]],
    );
}

#[test]
fn the_first_and_the_last_step_stand_for_all() {
    check(
        "params N\nfor i = 0 .. N\n  c[i] = b[i]\n  for k = 0 .. N\n    c[i] += a[i,k]\n  c[i] = c[i] * d[i]",
        expect![[r#"
            output S0 -> S1 on c level 1: [N] -> { [t0, t1, s0] : t1 = 0 and t0 = s0 and t0 >= 0 and t0 <= N - 1 }
            output S0 -> S2 on c level 1: [N] -> { [t0, s0] : t0 = s0 and t0 >= 0 and t0 <= N - 1 }
            output S1 -> S1 on c level 1: [N] -> { [t0, t1, s0, s1] : t0 = s0 and t1 = s1 + 1 and t0 >= 0 and t0 <= N - 1 and t1 >= 1 and t1 <= N - 1 }
            output S1 -> S2 on c level 1: [N] -> { [t0, s0, s1] : t0 = s0 and N = s1 + 1 and t0 >= 0 and t0 <= N - 1 }
        "#]],
    );
}

#[test]
fn neighbours_in_time() {
    check(
        "params T, N\nfor t = 0 .. T\n  for i = 1 .. N-1\n    A[i] = A[i-1] + A[i] + A[i+1]",
        expect![[r#"
        output S0 -> S0 on A level 0: [T, N] -> { [t0, t1, s0, s1] : t0 = s0 + 1 and t1 = s1 and t0 >= 1 and t0 <= T - 1 and t1 >= 0 and t1 <= N - 3 }
        flow S0 -> S0 on A level 1: [T, N] -> { [t0, t1, s0, s1] : t0 = s0 and t1 = s1 + 1 and t0 >= 0 and t0 <= T - 1 and t1 >= 1 and t1 <= N - 3 }
        flow S0 -> S0 on A level 0: [T, N] -> { [t0, t1, s0, s1] : t0 = s0 + 1 and t1 = s1 - 1 and t0 >= 1 and t0 <= T - 1 and t1 >= 0 and t1 <= N - 4 }
    "#]],
    );
}

/// Instances that one may reach, by the transitive closure, for one size.
type Instance = (usize, Vec<i64>);

fn closure(scop: &Scop, dependences: &Dependences, size: i64) -> BTreeSet<(Instance, Instance)> {
    let points = |s: usize| polyhedra::oracle::points(&scop.statements[s].domain, &[size], 0, 4).expect("points");
    let mut next: BTreeMap<Instance, BTreeSet<Instance>> = BTreeMap::new();
    for d in &dependences.ordering {
        for from in points(d.source.0) {
            for to in points(d.target.0) {
                let both: Vec<i64> = to.iter().chain(&from).copied().collect();
                if d.relation.contains(&[size], &both).expect("small") {
                    next.entry((d.source.0, from.clone())).or_default().insert((d.target.0, to));
                }
            }
        }
    }
    let mut out = BTreeSet::new();
    for start in next.keys() {
        let mut open: Vec<&Instance> = vec![start];
        while let Some(at) = open.pop() {
            for to in next.get(at).into_iter().flatten() {
                if out.insert((start.clone(), to.clone())) {
                    open.push(to);
                }
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(3), ..ProptestConfig::default() })]

    /// The closure is the same; what is legal for the short list is legal for the long one.
    #[test]
    fn nothing_is_lost(bytes in proptest::collection::vec(any::<u8>(), 40..80)) {
        let text = random_text(&mut Tape::new(&bytes));
        let scop = testing::scop(&text).expect("text");
        let budget = Budget::generous();
        let all = Dependences::of(&scop, &budget).expect("dependences");
        let kept = all.clone().without_covered(&scop, &budget).expect("kept");
        prop_assert!(kept.ordering.len() <= all.ordering.len());
        prop_assert_eq!(closure(&scop, &all, 4), closure(&scop, &kept, 4), "{}", text);
        for c in plan::candidates(&scop, &kept, &budget).expect("candidates") {
            let tree = c.schedule.tree().clone();
            let bad = testing::violation(&scop, &tree, &[4], 0, 4).expect("small");
            prop_assert_eq!(bad, None, "{}\n{}", text, plan::print(&scop, &tree));
            match legality::prove(&scop, &all, tree.clone(), &budget).expect("small") {
                Verdict::Legal(schedule) => prop_assert_eq!(schedule.tree(), &tree, "flags\n{}", text),
                Verdict::Refused { .. } => prop_assert!(false, "refused\n{}\n{}", text, plan::print(&scop, &tree)),
            }
        }
    }
}
