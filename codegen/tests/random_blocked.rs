//! Random nests with random plans of micro-kernels, as far as both can be proved: the same memory as the source.
//!
//! Subscripts are such that neighbouring rows and vectors share cells, with other lanes in each: what registers must not mistake.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::generate::generate;
use codegen::jam::jam;
use codegen::joined::join;
use codegen::lanes::{Shape, vectorise, vectorise_marked};
use codegen::registers::hold_cells;
use codegen::starts::start_in_registers;
use common::kernels::blocking;
use common::tape::{NAMES, Tape, cases, domain};
use common::{Program, band, grid, halves, whole};
use polyhedra::{Affine, Budget};
use proptest::prelude::*;
use scheduler::dependence::Dependences;
use scheduler::kernel::{
    self, Blocking, Corner, Cut, Enough, FetchPlan, Kernels, PackPlan, Registers, Strip, TileLoop,
};
use scheduler::legality::{self, Verdict};
use scheduler::scop::{AccessId, StatementId};
use scheduler::tree::{Member, Node};
use std::collections::BTreeMap;

/// What one nest may cost; one that needs more is passed over.
const STEPS: u64 = 20_000_000;

/// A sum of iterators, some of them twice.
fn subscript(tape: &mut Tape<'_>, depth: usize) -> String {
    let mut out = tape.below(3).to_string();
    let several = tape.chance(3);
    for _ in 0..if several { 2 } else { 1 } {
        let twice = if tape.chance(6) { "2" } else { "" };
        out += &format!(" + {twice}{}", NAMES[tape.below(depth)]);
    }
    out
}

fn cell(tape: &mut Tape<'_>, array: &str, rank: usize, depth: usize) -> String {
    (0..rank).fold(array.to_string(), |text, _| format!("{text}[{}]", subscript(tape, depth)))
}

/// One statement that adds to a cell, with up to three more operands.
fn statement(tape: &mut Tape<'_>) -> (Program, StatementId) {
    let mut p = Program::new("n m", &[]);
    let depth = *tape.pick(&[2, 3, 2, 3, 4]);
    let domain = domain(tape, depth);
    let written_rank = 1 + tape.below(2);
    let written = cell(tape, "W", written_rank, depth);
    let mut accesses = vec![written.clone()];
    if !tape.chance(5) {
        accesses.push(written);
    }
    for array in ["A", "B"] {
        let rank = 1 + tape.below(2);
        accesses.push(cell(tape, array, rank, depth));
        if tape.chance(3) {
            accesses.push(cell(tape, array, rank, depth));
        }
    }
    if tape.chance(4) {
        accesses.push(cell(tape, "W", written_rank, depth));
    }
    let domain: Vec<&str> = domain.iter().map(String::as_str).collect();
    let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
    let id = p.statement(&NAMES[..depth].join(" "), &domain, &vec![0; depth + 1], &accesses);
    (p, id)
}

/// Another statement in the same loops, before or behind.
fn companion(tape: &mut Tape<'_>, p: &mut Program) -> StatementId {
    let depth = 1 + tape.below(3);
    let domain = domain(tape, depth);
    let rank = p.scop.arrays[0].rank;
    let (array, rank) = if tape.chance(2) { ("W", rank) } else { ("V", 1) };
    let written = cell(tape, array, rank, depth);
    let read = if tape.chance(2) { cell(tape, "W", p.scop.arrays[0].rank, depth) } else { cell(tape, "U", 1, depth) };
    let domain: Vec<&str> = domain.iter().map(String::as_str).collect();
    let mut beta = vec![0; depth + 1];
    beta[0] = 1;
    p.statement(&NAMES[..depth].join(" "), &domain, &beta, &[&written, &read])
}

/// Its rows in a band of so many members: iterators in some order, constants.
fn companion_rows(tape: &mut Tape<'_>, p: &Program, id: StatementId, count: usize) -> Vec<Affine> {
    let space = p.scop.statements[id.0].space();
    let mut left: Vec<usize> = (0..space.dims).collect();
    let mut out = Vec::new();
    for k in 0..count {
        let shift = *tape.pick(&[0, 0, 1, -1]);
        let must = count - k <= left.len();
        let row = if !left.is_empty() && (must || tape.chance(2)) {
            Affine::dim(space, left.remove(tape.below(left.len())))
        } else {
            tape.pick(&[Affine::zero(space), Affine::param(space, 0)]).clone()
        };
        out.push(row.offset(shift).unwrap());
    }
    out
}

/// Unimodular rows: iterators in some order, with signs, skews and shifts.
fn members(tape: &mut Tape<'_>, p: &Program, id: StatementId) -> Vec<Member> {
    let space = p.scop.statements[id.0].space();
    let mut rows: Vec<Affine> = (0..space.dims).map(|d| Affine::dim(space, d)).collect();
    for k in (1..rows.len()).rev() {
        rows.swap(k, tape.below(k + 1));
    }
    if tape.chance(3) {
        let (a, b) = (tape.below(rows.len()), tape.below(rows.len()));
        if a != b {
            rows[a] = rows[a].combine(1, &rows[b], *tape.pick(&[1, -1, 2])).unwrap();
        }
    }
    for row in &mut rows {
        if tape.chance(6) {
            *row = row.scale(-1).unwrap();
        }
        *row = row.offset(*tape.pick(&[0, 0, 0, 1, -2, 5])).unwrap();
    }
    rows.into_iter().map(|row| Member::new([(id, row)].into_iter().collect(), false)).collect()
}

fn plan(tape: &mut Tape<'_>, p: &Program, members: &[Member], id: StatementId) -> Blocking {
    let count = members.len();
    let lanes = *tape.pick(&[2, 4]);
    let columns = i64::from(lanes) * *tape.pick(&[1, 1, 2, 3, 4]);
    let rows: Vec<i64> = (0..tape.below(count)).map(|_| *tape.pick(&[1, 2, 3, 4])).collect();
    let first_row = count - 1 - rows.len();
    let outer = if tape.chance(4) { tape.below(first_row + 1) } else { 0 };
    let mut tiles = Vec::new();
    let mut level = |member: usize, size: i64| tiles.push(TileLoop { member, size });
    if tape.chance(3) {
        level(count - 1, 2 * columns);
    }
    for member in outer..first_row {
        if tape.chance(2) {
            level(member, *tape.pick(&[1, 2, 3, 4]));
        }
    }
    if !rows.is_empty() && tape.chance(3) {
        level(first_row, 2 * rows[0]);
    }
    level(count - 1, columns);
    for (k, size) in rows.iter().enumerate() {
        level(first_row + k, *size);
    }
    let mut packs = Vec::new();
    for (k, access) in p.scop.statements[id.0].accesses.iter().enumerate() {
        let written = p.scop.statements[id.0].accesses[0].array;
        if access.array == written || !tape.chance(3) {
            continue;
        }
        let moves = |m: &usize| {
            // Iterators as members see them: a subscript moves with a member when it does not vanish with all others fixed.
            let own = &members[*m].rows[&id];
            access.subscripts.iter().any(|s| (0..own.space().dims).any(|d| s.dim_coeff(d) * own.dim_coeff(d) != 0))
        };
        let own: Vec<usize> = (0..count).filter(moves).collect();
        let entered = |depth: usize| own.iter().all(|m| tiles[..depth].iter().any(|t| t.member == *m));
        if let Some(depth) = (0..=tiles.len()).find(|d| entered(*d)) {
            let points = own.last().and_then(|m| rows.get(m.checked_sub(first_row)?));
            let places = points.filter(|_| tape.chance(2)).map(|points| points + *tape.pick(&[0, 1, 2, 3]));
            packs.push(PackPlan { access: AccessId(k), members: own, depth, places, fetches: tape.chance(2) });
        }
    }
    let steps = if packs.is_empty() && first_row > outer { *tape.pick(&[1, 1, 2, i64::from(lanes)]) } else { 1 };
    if steps > 1 {
        // Tiles of the innermost depth member hold whole steps.
        tiles.retain(|t| t.member != first_row - 1);
    }
    let reads = p.scop.statements[id.0].accesses.len() - 1;
    let fetch = (tape.chance(2) && outer < first_row && !rows.is_empty() && reads > 0).then(|| {
        let worth = if tape.chance(2) { vec![Enough::of(count - 1, 4)] } else { Vec::new() };
        let (access, member) = (AccessId(1 + tape.below(reads)), outer + tape.below(first_row - outer));
        FetchPlan { access, member, share: *tape.pick(&[1, 2, 3]), worth }
    });
    let fetch = fetch.filter(|f| tiles.iter().any(|t| t.member == f.member));
    let mut worth_packing = if tape.chance(3) { vec![Enough::of(count - 1, 4)] } else { Vec::new() };
    if tape.chance(4) {
        worth_packing.push(Enough { terms: vec![(count - 1, 1), (0, 2)], least: 9 });
    }
    let scattered = tape.chance(3);
    let in_place = (tape.chance(3) && !rows.is_empty()).then(|| {
        let rows = *tape.pick(&[1, 2, 3, 4, 8]);
        let columns = i64::from(lanes) * *tape.pick(&[1, 2, 3, 4]);
        Registers { rows, columns }
    });
    let mut corners = Vec::new();
    while tape.chance(2) && corners.len() < 3 {
        let member = first_row + tape.below(count - first_row);
        let other = first_row + tape.below(count - first_row);
        let beyond = (other != member && tape.chance(2)).then_some(other);
        corners.push(Corner {
            member,
            beyond,
            lanes: *tape.pick(&[2, 4]),
            tiles: *tape.pick(&[1, 1, 2, 3]),
            worthwhile: 1,
        });
    }
    Blocking {
        outer,
        reversed: tape.chance(3),
        corners,
        steps,
        packs,
        worth_packing,
        fetch,
        scattered,
        in_place,
        ..blocking(tiles, &rows, columns, lanes)
    }
}

/// A loop over strips of all statements: rows that move with some iterators.
fn strip(tape: &mut Tape<'_>, p: &Program) -> Strip {
    let mut rows = BTreeMap::new();
    for (k, statement) in p.scop.statements.iter().enumerate() {
        let space = statement.space();
        let mut row = Affine::constant(space, i64::try_from(tape.below(3)).unwrap());
        for d in 0..space.dims {
            row.set_dim(d, *tape.pick(&[0, 1, 1, 2]));
        }
        rows.insert(StatementId(k), row);
    }
    Strip { cuts: vec![Cut { rows: rows.into(), size: *tape.pick(&[1, 2, 3, 7]) }], worthwhile: None }
}

/// Whether there was something to be checked.
fn check(values: &[u8]) -> bool {
    let mut tape = Tape { values, at: 0 };
    let (mut p, id) = statement(&mut tape);
    let mut members = members(&mut tape, &p, id);
    let plan = plan(&mut tape, &p, &members, id);
    let members_count = members.len();
    if !plan.fits(members.len()) {
        return false;
    }
    let mut child = Node::Leaf(id);
    if tape.chance(4) {
        let other = companion(&mut tape, &mut p);
        let rows = companion_rows(&mut tape, &p, other, members.len());
        if rows.iter().filter(|row| !row.dim_coeffs().iter().all(|c| *c == 0)).count()
            < p.scop.statements[other.0].space().dims
        {
            return false;
        }
        members.iter_mut().zip(rows).for_each(|(member, row)| drop(member.rows.insert(other, row)));
        let both = [Node::Leaf(id), Node::Leaf(other)];
        child = Node::Sequence(if tape.chance(2) { both.into_iter().rev().collect() } else { both.into() });
    }
    let budget = Budget::new(STEPS);
    let dependences = Dependences::of(&p.scop, &budget).unwrap();
    let tree = band(members, child);
    let Ok(Verdict::Legal(schedule)) = legality::prove(&p.scop, &dependences, tree, &budget) else { return false };
    let kernels: Kernels = if tape.chance(8) { Kernels::new() } else { [(id, plan)].into() };
    let strips = if tape.chance(3) { vec![strip(&mut tape, &p)] } else { Vec::new() };
    let proved = kernel::prove(&p.scop, &dependences, &schedule, kernels, strips, &budget);
    let Ok(Some(proved)) = proved else { return false };
    let Ok(loops) = generate(&p.scop, &schedule, &proved, &budget) else { return false };
    let Ok(jammed) = jam(&p.scop, loops.clone(), &whole(), &budget) else { return false };
    let Ok(held) = hold_cells(&p.scop, loops.clone(), &budget) else { return false };
    let Ok(halved) = jam(&p.scop, held.clone(), &halves(1.0), &budget) else { return false };
    let Ok(held) = jam(&p.scop, held, &whole(), &budget) else { return false };
    let Ok(held) = start_in_registers(&p.scop, held, &budget) else { return false };
    let [halved, held] = [halved, held].map(|ast| vectorise_marked(&p.scop, ast).unwrap());
    let held = join(held, &budget).unwrap();
    let shape = Shape { width: *tape.pick(&[2, 4]), masked: tape.chance(2), pack: tape.chance(2) };
    let lanes = vectorise(&p.scop, held.clone(), shape).unwrap();
    let sizes: &[i64] = if members_count > 3 { &[0, 1, 3, 5] } else { &[0, 1, 2, 3, 5, 6, 9] };
    let forms = [("loops", &loops), ("jammed", &jammed), ("halved", &halved), ("held", &held), ("lanes", &lanes)];
    p.same_as_source(&forms, &grid(2, sizes));
    true
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..cases(500) })]

    #[test]
    fn kernels_do_what_the_source_does(values in proptest::collection::vec(any::<u8>(), 100)) {
        prop_assume!(check(&values));
    }
}
