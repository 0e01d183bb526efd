//! Kernels whose schedules are known, and the properties that every schedule must have.

mod dependences;
mod domains;
mod factorisations;
mod fusion;
mod products;
mod stencils;

use crate::dependence::{self, Dependences};
use crate::plan::{self, Candidate};
use crate::scop::Scop;
use crate::shift::Shifts;
use crate::testing;
use expect_test::Expect;
use polyhedra::Budget;

/// Schedules of a part, each checked by enumeration for some parameter values.
pub(crate) fn schedules(text: &str) -> (Scop, Dependences, Vec<Candidate>) {
    let scop = testing::scop(text).expect("text of a part");
    let budget = Budget::new(200_000_000);
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let found = plan::candidates(&scop, &dependences, &budget).expect("candidates");
    assert_eq!(found.last().map(|c| c.origin), Some(plan::Origin::Original));
    for c in &found {
        for size in [3, 4, 5] {
            let params: Vec<i64> = (0..scop.params.len()).map(|k| size + i64::try_from(k % 2).unwrap_or(0)).collect();
            let bad = testing::violation(&scop, c.schedule.tree(), &params, 0, 5).expect("no overflow");
            assert_eq!(bad, None, "{:?}\n{}", c.origin, plan::print(&scop, c.schedule.tree()));
        }
    }
    crate::text::tests::all_comes_back(&scop, &dependences, &found);
    (scop, dependences, found)
}

/// All candidates as text.
pub(crate) fn show(text: &str) -> String {
    let (scop, dependences, found) = schedules(text);
    let shifts = Shifts::of(&scop, &dependences, &Budget::generous()).expect("shifts");
    found.iter().map(|c| plan::print_candidate(&scop, &shifts, c)).collect()
}

#[test]
fn look() {
    let Ok(file) = std::env::var("LOOK") else { return };
    let text = std::fs::read_to_string(file).expect("file");
    let scop = testing::scop(&text).expect("text");
    let deps = Dependences::of(&scop, &Budget::generous()).expect("dependences");
    println!("{}", dependence::print(&scop, &deps));
    println!("{}", show(&text));
    for _ in 0..3 {
        let t0 = std::time::Instant::now();
        let b = Budget::generous();
        let deps = Dependences::of(&scop, &b).expect("dependences");
        let t1 = std::time::Instant::now();
        let n = plan::candidates(&scop, &deps, &b).expect("candidates").len();
        let t2 = std::time::Instant::now();
        println!(
            "dependences {} in {:?}, candidates {n} in {:?}, steps {}",
            deps.ordering.len(),
            t1 - t0,
            t2 - t1,
            b.spent()
        );
    }
}

/// The best schedule as text, with origin, `Δω*` and shifts.
#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    let (scop, dependences, found) = schedules(text);
    let shifts = Shifts::of(&scop, &dependences, &Budget::generous()).expect("shifts");
    expected.assert_eq(&plan::print_candidate(&scop, &shifts, &found[0]));
}

/// The dependences as text.
#[allow(clippy::needless_pass_by_value)]
fn check_dependences(text: &str, expected: Expect) {
    let scop = testing::scop(text).expect("text of a part");
    let dependences = Dependences::of(&scop, &Budget::generous()).expect("dependences");
    expected.assert_eq(&dependence::print(&scop, &dependences));
}
