//! Random sums over up to two loops behind random starts, with and without kernels: the same memory as the source, wherever what sums start with ends up.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::generate::generate;
use codegen::jam::jam;
use codegen::registers::hold_cells;
use codegen::starts::start_in_registers;
use common::kernels::blocking;
use common::tape::{Tape, cases};
use common::{Program, band, grid, halves, whole};
use polyhedra::Budget;
use proptest::prelude::*;
use scheduler::dependence::Dependences;
use scheduler::kernel::{self, Blocking, Enough, Kernels, PackPlan, TileLoop};
use scheduler::legality::{self, Verdict};
use scheduler::scop::{AccessId, StatementId};
use scheduler::tree::Node;

/// What one nest may cost; one that needs more is passed over.
const STEPS: u64 = 20_000_000;

/// Rows of a point's iterator: mostly a rectangle, whose ends may be such that it is empty, or those of a triangle.
fn point(tape: &mut Tape<'_>, name: &str, other: &str) -> Vec<String> {
    let mut rows = vec![format!("{name} >= {}", tape.pick(&["0", "0", "0", "1", "m - 2"]))];
    let triangle = format!("{other} + 1");
    rows.push(format!("{name} <= {}", tape.pick(&["n - 1", "n - 1", "m", "n - m", triangle.as_str()])));
    if tape.chance(5) {
        rows.push(format!("{name} <= {}", tape.pick(&["m + 1", "3", "n - 2"])));
    }
    rows
}

/// Rows of a sum's iterator.
fn term(tape: &mut Tape<'_>, name: &str) -> Vec<String> {
    let mut rows = vec![format!("{name} >= {}", tape.pick(&["0", "0", "0", "1", "m - 2", "-m", "i"]))];
    rows.push(format!("{name} <= {}", tape.pick(&["n - 1", "m", "m - 1", "2", "n - m", "j"])));
    if tape.chance(4) {
        rows.push(format!("{name} <= {}", tape.pick(&["n + 1", "3", "m - 1", "i + 1"])));
    }
    rows
}

/// Rows of the start for those of the points: the same, or not quite.
fn of_start(tape: &mut Tape<'_>, points: &[String]) -> Vec<String> {
    let mut rows = points.to_vec();
    if tape.chance(5) {
        let at = tape.below(rows.len());
        rows[at] =
            (*tape.pick(&["i <= n", "j <= n", "i >= 1", "j >= 0", "i + j <= n", "m >= 2", "i <= 1"])).to_string();
        rows.extend(["i >= 0", "j >= 0", "i <= n + 1", "j <= n + 1"].map(String::from));
    }
    if tape.chance(8) {
        rows.push((*tape.pick(&["n >= 2", "m >= 1", "m <= n"])).to_string());
    }
    rows
}

/// The sum's plan, members in the order of the band.
fn plan(tape: &mut Tape<'_>, count: usize) -> Blocking {
    let lanes = *tape.pick(&[2, 4]);
    let columns = i64::from(lanes) * *tape.pick(&[1, 1, 2, 4]);
    let rows: Vec<i64> =
        (0..tape.below(2) + usize::from(count > 2) * tape.below(2)).map(|_| *tape.pick(&[1, 2, 3])).collect();
    let first_row = (count - 1).saturating_sub(rows.len());
    let mut tiles = Vec::new();
    let mut level = |member: usize, size: i64| tiles.push(TileLoop { member, size });
    if tape.chance(4) {
        level(count - 1, 2 * columns);
    }
    for member in 0..first_row {
        if tape.chance(5) {
            level(member, *tape.pick(&[1, 2, 4]));
        }
    }
    level(count - 1, columns);
    for (k, size) in rows.iter().enumerate() {
        level(first_row + k, *size);
    }
    let mut packs = Vec::new();
    if tape.chance(4) {
        packs.push(PackPlan {
            access: AccessId(2),
            members: (0..count).collect(),
            depth: tiles.len(),
            places: None,
            fetches: false,
        });
    }
    Blocking {
        outer: if tape.chance(5) { tape.below(first_row + 1) } else { 0 },
        reversed: tape.chance(4),
        steps: if tape.chance(6) { 2 } else { 1 },
        packs,
        worth_packing: if tape.chance(3) { vec![Enough::of(count - 1, 4)] } else { Vec::new() },
        scattered: tape.chance(3),
        ..blocking(tiles, &rows, columns, lanes)
    }
}

/// A loop around all statements.
#[derive(Clone, Copy)]
struct Shared {
    last: &'static str,
}

/// A statement in the shared loop, if there is one.
fn statement(
    p: &mut Program,
    shared: Option<Shared>,
    names: &str,
    domain: &[&str],
    beta: &[usize],
    accesses: &[&str],
) -> StatementId {
    let Some(Shared { last }) = shared else { return p.statement(names, domain, beta, accesses) };
    let domain: Vec<&str> = domain.iter().copied().chain(["e >= 0", last]).collect();
    let beta: Vec<usize> = std::iter::once(0).chain(beta.iter().copied()).collect();
    p.statement(&format!("e {names}"), &domain, &beta, accesses)
}

/// The iterators as rows of a band, in some order.
fn nest(tape: &mut Tape<'_>, p: &Program, id: StatementId, shuffled: bool) -> Node {
    let own = p.iterators[id.0].iter().filter(|name| *name != "e");
    let mut names: Vec<&str> = own.map(String::as_str).collect();
    for k in (1..names.len()).rev().filter(|_| shuffled) {
        names.swap(k, tape.below(k + 1));
    }
    p.nest(id, &names)
}

/// Whether there was something to be checked.
fn check(values: &[u8]) -> bool {
    let mut tape = Tape { values, at: 0 };
    let context = *tape.pick(&["", "", "m >= 1", "n >= 1, m >= 1", "m <= n"]);
    let mut p = Program::new("n m", &context.split(", ").filter(|row| !row.is_empty()).collect::<Vec<_>>());
    let mut points = point(&mut tape, "i", "0");
    points.extend(point(&mut tape, "j", "i"));
    let sums = 1 + tape.below(2);
    let mut terms = points.clone();
    for name in &["k", "l"][..sums] {
        terms.extend(term(&mut tape, name));
    }
    if tape.chance(6) {
        terms.push((*tape.pick(&["n >= 1", "m >= 1", "n + m >= 3", "i <= n - 1"])).to_string());
    }
    let last = *tape.pick(&["e < n", "e < 3", "e <= m"]);
    let shared = tape.chance(3).then_some(Shared { last });
    let cells = ["C[i][j]", "C[i][j]", "C[j][i]", "C[i + 1][j]", "C[i + j][j]", "C[9i + j]"];
    let moving = ["C[i][j]", "C[e][i + j][j]", "C[e + i][j]", "C[j][i]", "C[2e + i][j]", "C[9i + j]"];
    let cell = *tape.pick(if shared.is_some() { &moving } else { &cells });
    let other = *tape.pick(&["C[i][j]", "C[i + 1][j]", "C[i][j + 1]", "C[j][i]"]);
    let first = of_start(&mut tape, &points);
    let first: Vec<&str> = first.iter().map(String::as_str).collect();
    let mut stored = vec![if tape.chance(10) && cell.matches('[').count() == 2 { other } else { cell }];
    if tape.chance(12) {
        stored.push(cell);
    }
    let order = *tape.pick(&["i j", "i j", "j i"]);
    let mut nests = vec![statement(&mut p, shared, order, &first, &[0, 0, 0], &stored)];
    if tape.chance(6) {
        let between: [&str; 2] = if tape.chance(2) { ["D[i][j]", cell] } else { [cell, "D[i][j]"] };
        nests.push(statement(&mut p, shared, "i j", &first, &[nests.len(), 0, 0], &between));
    }
    let operand = *tape.pick(&["A[i + k][j]", "A[i][k + j]", "A[k][j]", "A[j][2k + i]"]);
    let mut reads = vec![cell, cell, operand, if sums > 1 { "B[k][l]" } else { "B[k][i]" }];
    if tape.chance(4) && cell.matches('[').count() == 2 {
        reads.push(*tape.pick(&[other, "C[i + k + 1][j]", "C[i][j + k + 1]", "C[i + k + n][j]"]));
    }
    let domain: Vec<&str> = terms.iter().map(String::as_str).collect();
    let several = tape.chance(5);
    for _ in 0..if several { 2 } else { 1 } {
        let names = *tape.pick(&["i j k l", "i j l k", "k i j l", "k l i j"]);
        let names = if sums > 1 { names.to_string() } else { names.replace('l', "") };
        let beta: Vec<usize> = std::iter::once(nests.len()).chain(std::iter::repeat_n(0, 2 + sums)).collect();
        nests.push(statement(&mut p, shared, &names, &domain, &beta, &reads));
    }
    if tape.chance(6) {
        nests.push(statement(&mut p, shared, "i j", &first, &[nests.len(), 0, 0], &["D[i][j]", cell]));
    }
    let mut kernels = Kernels::new();
    let mut children = Vec::new();
    for &id in &nests {
        let depth = p.iterators[id.0].len() - usize::from(shared.is_some());
        let blocked = depth > 2 && !tape.chance(3);
        children.push(if blocked {
            let names: &[&str] = match (sums, tape.below(3)) {
                (1, 0) => &["k", "j", "i"],
                (1, _) => &["k", "i", "j"],
                (_, 0) => &["l", "k", "i", "j"],
                (_, _) => &["k", "l", "i", "j"],
            };
            kernels.insert(id, plan(&mut tape, depth));
            p.nest(id, names)
        } else {
            let shuffled = tape.chance(3);
            nest(&mut tape, &p, id, shuffled)
        });
    }
    if kernels.values().any(|plan| !plan.fits(2 + sums)) {
        return false;
    }
    let budget = Budget::new(STEPS);
    let dependences = Dependences::of(&p.scop, &budget).unwrap();
    let mut tree = Node::Sequence(children);
    if shared.is_some() {
        let rows: Vec<(StatementId, &str)> = nests.iter().map(|&id| (id, "e")).collect();
        tree = band(vec![p.member(&rows)], tree);
    }
    let Ok(Verdict::Legal(schedule)) = legality::prove(&p.scop, &dependences, tree, &budget) else { return false };
    let proved = kernel::prove(&p.scop, &dependences, &schedule, kernels, Vec::new(), &budget);
    let Ok(Some(proved)) = proved else { return false };
    let Ok(loops) = generate(&p.scop, &schedule, &proved, &budget) else { return false };
    let Ok(held) = hold_cells(&p.scop, loops, &budget) else { return false };
    let machine = if tape.chance(3) { halves(1.0) } else { whole() };
    let Ok(held) = jam(&p.scop, held, &machine, &budget) else { return false };
    let Ok(started) = start_in_registers(&p.scop, held.clone(), &budget) else { return false };
    let mut sizes = grid(2, &[-1, 0, 1, 2, 3, 5, 7]);
    sizes.retain(|params| p.scop.context.as_ref().is_none_or(|c| c.contains(params, &[]).unwrap()));
    p.same_as_source(&[("held", &held), ("started", &started)], &sizes);
    true
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..cases(200) })]

    #[test]
    fn starts_come_once_and_first(values in proptest::collection::vec(any::<u8>(), 80)) {
        prop_assume!(check(&values));
    }
}
