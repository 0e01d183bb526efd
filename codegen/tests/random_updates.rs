//! Random updates that commute, run in random orders that only they allow: the same memory as the source.
//!
//! The interpreter's updates commute as those of the program do, each operation by itself ([`codegen::interpret`]); operands that come from other cells, by
//! stores that do not commute or by other operations, show every wrong order.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::generate::generate;
use codegen::jam::jam;
use codegen::lanes::vectorise_marked;
use codegen::registers::hold_cells;
use codegen::starts::start_in_registers;
use common::tape::{NAMES, Tape, cases, domain, subscript};
use common::{Program, grid, whole};
use polyhedra::Budget;
use proptest::prelude::*;
use scheduler::choose::{self, Choice, ChooseOptions, Policy, orders};
use scheduler::dependence::Dependences;
use scheduler::machine::Machine;
use scheduler::plan;
use scheduler::scop::Commutative;

/// What one part may cost; one that needs more is passed over.
const STEPS: u64 = 20_000_000;

fn cell(tape: &mut Tape<'_>, depth: usize) -> String {
    let [mut first, mut second] = [subscript(tape, depth), subscript(tape, depth)];
    // Mostly cells that several iterations have.
    if !tape.chance(3) {
        [first, second] = ["i", if depth > 1 { "j" } else { "0" }].map(String::from);
        if tape.chance(4) {
            first += " + 1";
        }
        if tape.chance(4) {
            second += " + 1";
        }
    }
    format!("A[{first}][{second}]")
}

/// Up to three statements under the same one or two loops, most of them updates of one array by one or two operations.
fn build(tape: &mut Tape<'_>) -> Program {
    let mut p = Program::new("n m", &[]);
    let shared = 1 + tape.below(2);
    let operations = [Commutative::Sum, *tape.pick(&[Commutative::Sum, Commutative::Sum, Commutative::Most])];
    for place in 0..1 + tape.below(3) {
        let depth = shared + tape.below(4 - shared);
        let rows = domain(tape, depth);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut beta = vec![0; depth + 1];
        beta[shared] = place;
        let own = cell(tape, depth);
        let mut accesses = vec![own.clone()];
        let updates = !tape.chance(4);
        if updates {
            accesses.push(own);
        }
        for _ in 0..tape.below(3) {
            accesses.push(if tape.chance(3) { format!("B[{}]", subscript(tape, depth)) } else { cell(tape, depth) });
        }
        let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
        let id = p.statement(&NAMES[..depth].join(" "), &rows, &beta, &accesses);
        if updates {
            p.scop.statements[id.0].commutes = Some(*tape.pick(&operations));
        }
    }
    p
}

fn check(values: &[u8]) -> bool {
    let mut tape = Tape { values, at: 0 };
    let p = build(&mut tape);
    let budget = Budget::new(STEPS);
    let machine = Machine::for_cpu("x86-64-v3", 0, 0);
    let seed = u64::try_from(tape.below(256)).unwrap();
    let Ok(dependences) = Dependences::of(&p.scop, &budget) else { return false };
    let other = orders::order(&p.scop, &dependences, &machine, Policy::Random(seed), &budget);
    let Ok(Some(other)) = other else { return false };
    let Ok(candidates) = plan::candidates(&p.scop, &other, &budget) else { return false };
    for policy in [Policy::Force, Policy::Kernels, Policy::Random(seed)] {
        let options = ChooseOptions { policy, tile: None };
        let choice = choose::choose(&p.scop, &other, &candidates, &machine, &options, &budget);
        let Ok(Choice::Transform { schedule, kernels, .. }) = choice else { continue };
        let Ok(loops) = generate(&p.scop, &schedule, &kernels, &budget) else { continue };
        let Ok(held) = hold_cells(&p.scop, loops.clone(), &budget) else { continue };
        let Ok(held) = jam(&p.scop, held, &whole(), &budget) else { continue };
        let Ok(held) = start_in_registers(&p.scop, held, &budget) else { continue };
        let [loops, held] = [loops, held].map(|ast| vectorise_marked(&p.scop, ast).unwrap());
        p.same_as_source(&[("loops", &loops), ("held", &held)], &grid(2, &[0, 1, 2, 3, 5, 6]));
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..cases(100) })]

    #[test]
    fn updates_in_any_order_do_what_the_source_does(values in proptest::collection::vec(any::<u8>(), 100)) {
        prop_assume!(check(&values));
    }
}
