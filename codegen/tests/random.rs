//! Random small nests under random unimodular schedules, tiled or not: the order of the loops against brute force, and held cells against plain memory.

#![allow(clippy::unwrap_used, clippy::cast_possible_wrap)]

mod common;

use codegen::generate::generate_tree;
use codegen::interpret::{execute, execute_in_order, instances, points};
use codegen::registers::hold_cells;
use common::tape::{NAMES, Tape, cases, domain, subscript};
use common::{Program, grid};
use polyhedra::{Affine, Budget};
use proptest::prelude::*;
use scheduler::Error;
use scheduler::scop::{AccessKind, StatementId};
use scheduler::tree::{Member, Node};
use std::collections::BTreeMap;

/// What one part may cost; a part that needs more is left as it was, which is no failure.
const STEPS: u64 = 30_000_000;

fn access(tape: &mut Tape<'_>, depth: usize) -> String {
    if tape.chance(2) {
        format!("A[{}][{}]", subscript(tape, depth), subscript(tape, depth))
    } else {
        format!("B[{}]", subscript(tape, depth))
    }
}

/// `depth` unimodular rows over the iterators, and rows that depend on those before, put in between, up to `total`.
fn rows(tape: &mut Tape<'_>, p: &Program, id: StatementId, total: usize) -> Vec<Affine> {
    let space = p.scop.statements[id.0].space();
    let depth = space.dims;
    let mut matrix: Vec<Affine> = (0..depth).map(|d| Affine::dim(space, d)).collect();
    for _ in 0..tape.below(4) {
        let (a, b) = (tape.below(depth.max(1)), tape.below(depth.max(1)));
        if depth == 0 {
            break;
        }
        match tape.below(3) {
            0 => matrix.swap(a, b),
            1 => matrix[a] = matrix[a].scale(-1).unwrap(),
            _ if a != b => matrix[a] = matrix[a].combine(1, &matrix[b], *tape.pick(&[1, -1, 2])).unwrap(),
            _ => {}
        }
    }
    for row in &mut matrix {
        *row = row.offset(*tape.pick(&[0, 0, 0, 1, -1, 2])).unwrap();
        if tape.chance(6) {
            *row = row.add(&Affine::param(space, 0)).unwrap();
        }
    }
    let mut out = Vec::new();
    let mut left = matrix.into_iter();
    for k in 0..total {
        let spare = total - k - left.len();
        if spare > 0 && (left.len() == 0 || tape.chance(2)) {
            let constant = Affine::constant(space, tape.below(3) as i64);
            let dependent = match out.last() {
                Some(last) if tape.chance(2) => constant.add(last).unwrap(),
                _ if tape.chance(3) => constant.add(&Affine::param(space, 0)).unwrap(),
                _ => constant,
            };
            out.push(dependent);
        } else {
            out.extend(left.next());
        }
    }
    out
}

/// A part, its tree, and for each statement its time vector with tiles.
type Times = BTreeMap<StatementId, Vec<(Affine, i64)>>;

fn build(tape: &mut Tape<'_>, tiles: bool) -> (Program, Node, Times) {
    let mut p = Program::new("n m", &[]);
    let count = 1 + tape.below(3);
    for k in 0..count {
        let depth = if k == 0 { 1 + tape.below(3) } else { tape.below(4) };
        let rows = domain(tape, depth);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut accesses = Vec::new();
        for _ in 0..1 + tape.below(3) {
            accesses.push(access(tape, depth));
        }
        let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
        let mut beta = vec![0; depth + 1];
        beta[0] = k;
        p.statement(&NAMES[..depth].join(" "), &rows, &beta, &accesses);
    }
    let ids: Vec<StatementId> = (0..count).map(StatementId).collect();
    let depth = p.iterators.iter().map(Vec::len).max().unwrap();
    let all: BTreeMap<StatementId, Vec<Affine>> = ids.iter().map(|s| (*s, rows(tape, &p, *s, depth))).collect();
    let shared = tape.below(depth + 1);
    let member = |list: &[StatementId], k: usize, tile: Option<i64>| Member {
        rows: list.iter().map(|s| (*s, all[s][k].clone())).collect(),
        parallel: false,
        tile,
        lanes: None,
        abreast: None,
    };
    let sizes: Vec<Option<i64>> =
        (0..depth).map(|_| if tiles { *tape.pick(&[Some(2), Some(3), Some(4), None]) } else { None }).collect();
    let mut order = ids.clone();
    if tape.chance(2) {
        order.reverse();
    }
    let mut times: Times = BTreeMap::new();
    let push = |times: &mut Times, list: &[StatementId], range: std::ops::Range<usize>| {
        for s in list {
            let out = times.entry(*s).or_default();
            out.extend(range.clone().filter_map(|k| Some((all[s][k].clone(), sizes[k]?))));
            out.extend(range.clone().map(|k| (all[s][k].clone(), 1)));
        }
    };
    push(&mut times, &ids, 0..shared);
    let mut children = Vec::new();
    for (place, s) in order.iter().enumerate() {
        let space = p.scop.statements[s.0].space();
        times.entry(*s).or_default().push((Affine::constant(space, place as i64), 1));
        push(&mut times, &[*s], shared..depth);
        let members: Vec<Member> = (shared..depth).map(|k| member(&[*s], k, sizes[k])).collect();
        let leaf = Node::Leaf(*s);
        children.push(if members.is_empty() { leaf } else { common::band(members, leaf) });
    }
    let sequence = Node::Sequence(children);
    let members: Vec<Member> = (0..shared).map(|k| member(&ids, k, sizes[k])).collect();
    let tree = if members.is_empty() { sequence } else { common::band(members, sequence) };
    (p, tree, times)
}

fn check(values: &[u8], tiles: bool) {
    let (p, tree, times) = build(&mut Tape { values, at: 0 }, tiles);
    let budget = Budget::new(STEPS);
    let ast = match generate_tree(&p.scop, &tree, &Default::default(), &budget) {
        Ok(ast) => ast,
        Err(Error::Sets(polyhedra::Error::Budget)) => return,
        Err(e) => panic!("{e}\n{tree:?}"),
    };
    let held = hold_cells(&p.scop, ast.clone(), &Budget::generous()).unwrap();
    // The same with some stores that may not happen and some accesses to several cells.
    let mut doubtful = p.scop.clone();
    for (k, access) in doubtful.statements.iter_mut().flat_map(|s| &mut s.accesses).enumerate() {
        match values[(7 * k + 5) % values.len()] % 8 {
            0 if access.kind.writes() => access.kind = AccessKind::MayWrite,
            1 if !access.subscripts.is_empty() => access.extent = 3,
            _ => {}
        }
    }
    let in_doubt = hold_cells(&doubtful, ast.clone(), &Budget::generous()).unwrap();
    for params in grid(2, &[0, 1, 2, 3, 5, 6]) {
        let mut wanted = Vec::new();
        for (id, time) in &times {
            for point in points(&p.scop.statements[id.0], &params).unwrap() {
                let at: Vec<i64> =
                    time.iter().map(|(row, size)| row.eval(&params, &point).unwrap().div_euclid(*size)).collect();
                wanted.push((at, (*id, point)));
            }
        }
        wanted.sort();
        let wanted: Vec<_> = wanted.into_iter().map(|w| w.1).collect();
        let got = instances(&ast, &params).unwrap();
        assert_eq!(got, wanted, "params {params:?}\n{}", p.print(&ast));
        let memory = execute_in_order(&p.scop, &wanted, &params).unwrap();
        let got = execute(&p.scop, &held, &params).unwrap_or_else(|e| panic!("{e}: {params:?}\n{}", p.print(&held)));
        assert_eq!(got, memory, "held, params {params:?}\n{}", p.print(&held));
        let memory = execute_in_order(&doubtful, &wanted, &params).unwrap();
        let got = execute(&doubtful, &in_doubt, &params).unwrap_or_else(|e| panic!("{e}\n{}", p.print(&in_doubt)));
        assert_eq!(got, memory, "in doubt, params {params:?}\n{}", p.print(&in_doubt));
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn loops_run_in_the_order_of_the_tree(values in proptest::collection::vec(any::<u8>(), 96)) {
        check(&values, false);
    }

    #[test]
    fn tiles_run_in_the_order_of_the_tree(values in proptest::collection::vec(any::<u8>(), 96)) {
        check(&values, true);
    }
}

/// Found by the above: a cell was first held in parts of a loop, because of a clash with a neighbour, and then again, around them, in the stretch that another
/// cell's register had cut out.
#[test]
fn a_larger_region_takes_the_place_of_smaller_ones() {
    let values = [
        16, 101, 0, 0, 60, 0, 186, 0, 88, 0, 0, 109, 28, 3, 198, 0, 232, 162, 47, 72, 125, 0, 249, 12, 0, 93, 180, 191,
        0, 0, 0, 0, 0, 110, 19, 0, 0, 0, 0, 84, 12, 0, 2, 134, 29, 12, 32, 3, 101, 0, 66, 24, 85, 4, 180, 9, 0, 30, 0,
        0, 0, 90, 66, 67, 54, 107, 0, 106, 30, 6, 213, 6, 0, 0, 34,
    ];
    check(&values, false);
}
