//! Random problems: the search against its definition, tried on all splits; and what must change nothing.

use super::{Pasts, solutions};
use crate::choose::search::Random;
use crate::fusion::{Loop, Problem, RegionId, SharedInputs, Stage, State, Task, TaskKind};
use std::collections::BTreeSet;

const CASES: u64 = 1500;

/// Up to three loops, four regions, twelve tasks; ors over several regions, noops, regions that some loops do not write.
fn random(seed: u64) -> Problem {
    let mut r = Random::new(seed);
    let regions = 1 + r.below(4);
    let loops = 1 + r.below(3);
    let most = 2 + r.below(3);
    let stage = |r: &mut Random| match r.below(7) {
        0 | 1 => Stage::Initial,
        2 | 3 => Stage::Final,
        4 => Stage::step(0, None),
        5 => Stage::step(0, Some("a")),
        _ => Stage::step(u32::from(r.below(2) == 0), Some("b")),
    };
    let make = |r: &mut Random| {
        let mut tasks: Vec<Task> = Vec::new();
        for _ in 0..most {
            let out = State { region: RegionId(r.below(regions)), stage: stage(r) };
            let state = |r: &mut Random| State { region: RegionId(r.below(regions)), stage: stage(r) };
            let inputs = (0..r.below(3)).map(|_| (0..1 + r.below(4) / 3).map(|_| state(r)).collect()).collect();
            let kind = match r.below(6) {
                0..=2 => TaskKind::Operation,
                3 => TaskKind::Noop,
                _ => TaskKind::Plain,
            };
            if !tasks.iter().any(|t| t.out == out) {
                tasks.push(Task { kind, out, inputs });
            }
        }
        tasks
    };
    Problem {
        regions: (0..regions).map(|k| format!("R{k}")).collect(),
        loops: (0..loops).map(|k| Loop { name: format!("f{k}"), tasks: make(&mut r) }).collect(),
    }
}

/// The definition, word for word: all splits, and all `C` and all `U`, one after the other.
fn by_definition(p: &Problem) -> BTreeSet<Pasts> {
    let n = p.loops.len();
    let ids: Vec<(usize, usize)> = (0..n).flat_map(|l| (0..p.loops[l].tasks.len()).map(move |t| (l, t))).collect();
    let mut out = BTreeSet::new();
    for bits in 0..1_u32 << ids.len() {
        let mut x: Vec<Vec<bool>> = p.loops.iter().map(|l| vec![false; l.tasks.len()]).collect();
        for (k, &(l, t)) in ids.iter().enumerate() {
            x[l][t] = bits >> k & 1 == 1;
        }
        if (0..n).all(|l| is_invariant(&p.loops[l], &x[l])) && strips(p, &x) && bounds_exist(p, &x) {
            let names = |l: usize| {
                let own = |t: &usize| x[l][*t] && p.loops[l].tasks[*t].kind != TaskKind::SharedInput;
                (0..x[l].len()).filter(own).map(|t| p.name(&p.loops[l].tasks[t].out)).collect()
            };
            out.insert((0..n).map(names).collect());
        }
    }
    out
}

/// (a) to (d), and shared inputs.
fn is_invariant(l: &Loop, x: &[bool]) -> bool {
    let written = || l.tasks.iter().zip(x);
    let available = |b: &State| written().all(|(t, &past)| past || !(t.out == *b || t.out.precedes(b)));
    let readable = |b: &State| written().all(|(t, &past)| !past || !b.precedes(&t.out));
    let ops = || written().filter(|(t, _)| t.kind == TaskKind::Operation);
    if !ops().any(|(_, &p)| p) || ops().all(|(_, &p)| p) {
        return false;
    }
    written().all(|(t, &past)| {
        let there = t.inputs.iter().all(|i| i.iter().any(available));
        let ordered = if past { there } else { t.inputs.iter().all(|i| i.iter().any(readable)) };
        let mentioned = t.inputs.iter().flatten().any(|b| l.tasks.iter().any(|s| s.out == *b || s.out.precedes(b)));
        let noop = t.kind != TaskKind::Noop || !mentioned || !there || past;
        let readers = || written().filter(|(r, _)| r.reads(t.out.region));
        let shared = t.kind != TaskKind::SharedInput || past == readers().any(|(_, &p)| p);
        ordered && noop && shared
    })
}

/// At most one loop has computed a part of a region only.
fn strips(p: &Problem, x: &[Vec<bool>]) -> bool {
    (0..p.regions.len()).all(|r| {
        let partly = |(l, past): (&Loop, &Vec<bool>)| {
            let mut own = l.writers(RegionId(r)).map(|t| past[t]);
            own.next().is_some_and(|first| own.any(|p| p != first))
        };
        p.loops.iter().zip(x).filter(|&s| partly(s)).count() <= 1
    })
}

/// (e) and (f), with every `C`, then every `U`.
fn bounds_exist(p: &Problem, x: &[Vec<bool>]) -> bool {
    let (regions, loops) = (p.regions.len(), i64::try_from(p.loops.len()).expect("small"));
    let every = |low: i64, good: &dyn Fn(&[i64]) -> bool| {
        let mut values = vec![low; regions];
        loop {
            if good(&values) {
                return true;
            }
            let Some(k) = (0..regions).find(|&k| values[k] < low + loops) else { return false };
            values[k] += 1;
            values[..k].fill(low);
        }
    };
    let each = |test: &dyn Fn(i64, &Loop, &[bool]) -> bool| {
        p.loops.iter().zip(x).enumerate().all(|(n, (l, past))| test(i64::try_from(n).expect("small"), l, past))
    };
    let entailed = |l: &Loop, past: &[bool], wanted: bool, says: &dyn Fn(usize) -> bool| {
        (0..regions).all(|r| {
            let own: Vec<bool> = l.writers(RegionId(r)).map(|t| past[t]).collect();
            own.is_empty() || says(r) == own.iter().all(|&p| p == wanted)
        })
    };
    let used = |l: &Loop, past: &[bool], wanted: bool, holds: &dyn Fn(usize) -> bool| {
        l.tasks
            .iter()
            .zip(past)
            .all(|(t, &p)| p != wanted || t.inputs.iter().all(|i| i.iter().any(|b| holds(b.region.0))))
    };
    every(-1, &|c| {
        each(&|n, l, past| entailed(l, past, true, &|r| c[r] >= n) && used(l, past, true, &|r| c[r] >= n - 1))
    }) && every(0, &|u| {
        each(&|n, l, past| entailed(l, past, false, &|r| u[r] <= n) && used(l, past, false, &|r| u[r] <= n + 1))
    })
}

#[test]
fn search_finds_what_the_definition_says() {
    let mut fusable = 0;
    for seed in 0..CASES {
        let p = random(seed);
        for (policy, full) in [(SharedInputs::Free, p.clone()), (SharedInputs::OneDirection, p.with_shared_inputs())] {
            let found = solutions(&p, policy);
            assert_eq!(found, by_definition(&full), "seed {seed}, {policy:?}: {p:?}");
            fusable += usize::from(!found.is_empty());
        }
        let [free, one] = [SharedInputs::Free, SharedInputs::OneDirection].map(|policy| solutions(&p, policy));
        assert!(one.is_subset(&free), "seed {seed}");
    }
    assert!(fusable > 200, "{fusable} of {CASES} only");
}

/// Intervals of `C` and `U` as the text of the method has them, for a strip: computed loops, one that may be any, loops that do not write, uncomputed loops.
#[test]
fn intervals_are_those_of_the_method() {
    let budget = polyhedra::Budget::generous();
    let mut seen = 0;
    for seed in 0..CASES {
        let p = random(seed);
        let Ok(crate::fusion::Answer::Fusable(list)) = crate::fusion::fuse(&p, SharedInputs::Free, &budget) else {
            continue;
        };
        for strip in list.iter().flat_map(|s| &s.strips) {
            use crate::fusion::Mark::{Computed, Uncomputed, Untouched};
            let n = i64::try_from(strip.marks.len()).expect("small");
            let place = |k: Option<usize>| k.map(|k| i64::try_from(k).expect("small"));
            let last = place(strip.marks.iter().rposition(|m| *m == Computed)).unwrap_or(-1);
            let stop = place(strip.marks.iter().position(|m| !matches!(m, Computed | Untouched))).unwrap_or(n);
            let first = place(strip.marks.iter().position(|m| *m == Uncomputed)).unwrap_or(n);
            let go = place(strip.marks.iter().rposition(|m| !matches!(m, Uncomputed | Untouched))).unwrap_or(-1);
            assert_eq!(strip.computed, (last, stop - 1), "{strip:?}");
            assert_eq!(strip.uncomputed, (go + 1, first), "{strip:?}");
            seen += 1;
        }
    }
    assert!(seen > 1000);
}

fn renamed(pasts: &BTreeSet<Pasts>, from: &Problem, to: &Problem) -> BTreeSet<Pasts> {
    let name = |s: &String| {
        let (region, stage) = s.split_once('.').expect("a state");
        let k = from.regions.iter().position(|r| r == region).expect("a region");
        format!("{}.{stage}", to.regions[k])
    };
    pasts.iter().map(|p| p.iter().map(|l| l.iter().map(name).collect()).collect()).collect()
}

#[test]
fn names_and_order_do_not_matter() {
    for seed in 0..CASES {
        let (p, mut r) = (random(seed), Random::new(seed ^ 99));
        let mut q = p.clone();
        q.regions = (0..p.regions.len()).map(|k| format!("Z{}", (k * 7 + 3) % 31)).collect();
        for l in &mut q.loops {
            for k in (1..l.tasks.len()).rev() {
                l.tasks.swap(k, r.below(k + 1));
            }
            for t in &mut l.tasks {
                t.inputs.reverse();
                t.inputs.iter_mut().for_each(|i| i.reverse());
            }
        }
        for policy in [SharedInputs::Free, SharedInputs::OneDirection] {
            assert_eq!(renamed(&solutions(&p, policy), &p, &q), solutions(&q, policy), "seed {seed}");
        }
    }
}

/// A loop over regions of its own, anywhere in the sequence: everything stays as it was, times the ways of the new loop.
#[test]
fn strangers_do_not_matter() {
    for seed in 0..CASES {
        let (p, mut r) = (random(seed), Random::new(seed ^ 77));
        let mut q = p.clone();
        let first = q.regions.len();
        q.regions.extend(["S0".into(), "S1".into()]);
        let state = |k: usize, stage| State { region: RegionId(first + k), stage };
        let op = |k: usize, inputs| Task { kind: TaskKind::Operation, out: state(k, Stage::Final), inputs };
        let tasks = vec![op(0, vec![vec![state(0, Stage::Initial)]]), op(1, vec![vec![state(0, Stage::Final)]])];
        let at = r.below(p.loops.len() + 1);
        q.loops.insert(at, Loop { name: "stranger".into(), tasks });
        for policy in [SharedInputs::Free, SharedInputs::OneDirection] {
            let mut found = BTreeSet::new();
            for mut pasts in solutions(&q, policy) {
                assert_eq!(pasts.remove(at), BTreeSet::from(["S0.out".to_string()]));
                found.insert(pasts);
            }
            assert_eq!(found, solutions(&p, policy), "seed {seed}");
        }
        let free = Task { inputs: Vec::new(), ..op(1, Vec::new()) };
        q.loops[at].tasks[1] = free;
        assert_eq!(solutions(&q, SharedInputs::Free).len(), 2 * solutions(&p, SharedInputs::Free).len(), "seed {seed}");
    }
}
