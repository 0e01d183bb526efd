//! The search against known answers, against its definition, and against what must not matter.

mod code;
mod known;
mod random;

use super::search::{Extent, solve};
use super::{Answer, Problem, SharedInputs, fuse, is_strip, parse, print};
use polyhedra::Budget;
use std::collections::BTreeSet;

/// For each loop the names of what is past.
type Pasts = Vec<BTreeSet<String>>;

/// A problem, read, printed and read again.
fn problem(text: &str) -> Problem {
    let problem = parse(text).expect("text");
    let again = parse(&print(&problem).expect("text")).expect("printed text");
    assert_eq!(again.loops.len(), problem.loops.len());
    for policy in [SharedInputs::Free, SharedInputs::OneDirection] {
        // Regions may be numbered in another order.
        assert_eq!(solutions(&again, policy), solutions(&problem, policy), "{text}");
    }
    problem
}

/// All solutions, by name; strips and refutations are checked on the way.
fn solutions(problem: &Problem, shared: SharedInputs) -> BTreeSet<Pasts> {
    let budget = Budget::new(50_000_000);
    match fuse(problem, shared, &budget).expect("an answer") {
        Answer::Fusable(list) => {
            let mut out = BTreeSet::new();
            for s in &list {
                assert!(s.strips.iter().all(|strip| is_strip(&strip.marks)), "{s:?}");
                assert!(s.strips.iter().all(|t| t.computed.0 <= t.computed.1 && t.uncomputed.0 <= t.uncomputed.1));
                let names = s.past.iter().zip(&problem.loops);
                let pasts: Pasts =
                    names.map(|(p, l)| p.iter().map(|&k| problem.name(&l.tasks[k].out)).collect()).collect();
                assert!(out.insert(pasts), "twice: {s:?}");
            }
            assert!(!out.is_empty());
            out
        }
        Answer::Refuted(refutation) => {
            let full = shared.applied(problem);
            assert!(refutation.holds(&full, &budget).expect("an answer"), "{}", refutation.print(&full).expect("text"));
            BTreeSet::new()
        }
    }
}

/// How many solutions a text has, without shared inputs.
fn count(text: &str) -> usize {
    solutions(&problem(text), SharedInputs::Free).len()
}

/// How many invariants each loop has by itself.
fn alone(problem: &Problem) -> Vec<usize> {
    let budget = Budget::generous();
    (0..problem.loops.len())
        .map(|n| solve(&problem.slice(n..n + 1), Extent::All, &budget).expect("an answer").len())
        .collect()
}
