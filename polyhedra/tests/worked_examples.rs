//! Worked examples from the literature and from the project's sources.
#![allow(clippy::unwrap_used)]

use expect_test::{Expect, expect};
use polyhedra::farkas::{prove_empty, prove_nonnegative};
use polyhedra::text::{parse_set, print_set};
use polyhedra::{Affine, Bounds, Budget, Constraint, Optimum, Polyhedron, Space, oracle};

fn set(text: &str) -> Polyhedron {
    parse_set(text).unwrap().set
}

fn budget() -> Budget {
    Budget::new(10_000_000)
}

fn show_bounds(bounds: &Bounds, names: &[&str]) -> String {
    let side = |list: &[polyhedra::DivBound]| {
        let show = |b: &polyhedra::DivBound| match b.div {
            1 => b.expr.display(&[], names).to_string(),
            div => format!("({})/{div}", b.expr.display(&[], names)),
        };
        list.iter().map(show).collect::<Vec<_>>().join(", ")
    };
    format!("max({}) <= min({})", side(&bounds.lower), side(&bounds.upper))
}

/// Scans a set with two dimensions by bounds alone: outer bounds from the projection, inner ones from the rows.
fn scan(set: &Polyhedron) -> (String, Vec<(i64, i64)>) {
    let names = ["a", "b"];
    let outer_set = set.project_out(&[1], &budget()).unwrap();
    assert!(outer_set.exact);
    let outer = outer_set.set.simplify(&budget()).unwrap().bounds_of(0).unwrap();
    let inner = set.simplify(&budget()).unwrap().bounds_of(1).unwrap();
    let text = format!("{}; {}", show_bounds(&outer, &names[..1]), show_bounds(&inner, &names));
    let range = |bounds: &Bounds, at: &[i64]| {
        let value = |b: &polyhedra::DivBound| b.expr.eval(&[], at).unwrap();
        let low = bounds.lower.iter().map(|b| -(-value(b)).div_euclid(b.div)).max().unwrap();
        let high = bounds.upper.iter().map(|b| value(b).div_euclid(b.div)).min().unwrap();
        low..=high
    };
    let mut points = Vec::new();
    for a in range(&outer, &[0]) {
        for b in range(&inner, &[a, 0]) {
            points.push((a, b));
        }
    }
    (text, points)
}

#[test]
fn seed_2_has_22_points_in_every_loop_order() {
    let original = set("{ [i, j] : 0 <= i < 9 and i <= j < 7 and j < i + 4 }");
    let mut points = oracle::points(&original, &[], -2, 12).unwrap();
    assert_eq!(points.len(), 22);

    // Loops (j, i).
    let (bounds, found) = scan(&original.embed(Space::new(0, 2), &[1, 0]));
    expect!["max(0) <= min(6); max(0, a - 3) <= min(a)"].assert_eq(&bounds);
    let mut back: Vec<_> = found.iter().map(|&(j, i)| vec![i, j]).collect();
    back.sort();
    assert_eq!(back, points);

    // Loops (k, j) with k = j - i, that is i = j - k.
    let space = Space::new(0, 2);
    let (k, j) = (Affine::dim(space, 0), Affine::dim(space, 1));
    let (bounds, found) = scan(&original.preimage(&[j.sub(&k).unwrap(), j], space).unwrap());
    expect!["max(0) <= min(3); max(a) <= min(6)"].assert_eq(&bounds);
    let mut back: Vec<_> = found.iter().map(|&(k, j)| vec![j - k, j]).collect();
    back.sort();
    points.sort();
    assert_eq!(back, points);
}

/// `C` of the first seed: column 0 is the slack, the others are Farkas multipliers.
const C: [[i64; 15]; 8] = [
    [1, 0, 0, -1, -1, 0, 0, 0, -1, -1, -1, 0, -1, 0, 1],
    [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0],
    [0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 1, 0, -1, 0],
    [0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 1, 0, -1],
    [0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, -1, 0, 1, 0],
    [0, 0, 0, 0, 0, 0, 1, -1, 0, -1, 0, 0, -1, 0, 1],
    [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, -1, 0, 1],
];
const TARGET: [i64; 8] = [0, 0, 0, 0, -1, 0, 1, 1];

/// The same system after `k* = k + 1`: `W` subtracts the last row from the first.
fn shifted() -> [[i64; 15]; 8] {
    let mut shifted = C;
    for (first, last) in shifted[0].iter_mut().zip(C[7]) {
        *first -= last;
    }
    shifted
}

/// The set whose rows are the columns of the system but the slack's: `target = C l, l >= 0` says that `target . (1, z) >= 0` on it.
fn primal(system: &[[i64; 15]; 8]) -> Polyhedron {
    let space = Space::new(0, 7);
    let column = |c: usize| Affine::from_coeffs(space, system.iter().map(|row| row[c]).collect());
    Polyhedron::new(space, (1..15).map(|c| Constraint::ge(column(c))).collect())
}

/// `{ l >= 0 : system l = target }`.
fn multipliers(system: &[[i64; 15]; 8], target: [i64; 8]) -> Polyhedron {
    let space = Space::new(0, 15);
    let mut rows: Vec<Constraint> = (0..15).map(|d| Constraint::ge(Affine::dim(space, d))).collect();
    for (row, t) in system.iter().zip(target) {
        rows.push(Constraint::eq(Affine::from_coeffs(space, [&[-t], &row[..]].concat())));
    }
    Polyhedron::new(space, rows)
}

#[test]
fn seed_1_is_infeasible_before_the_shift() {
    let form = Affine::from_coeffs(Space::new(0, 7), TARGET.to_vec());
    assert_eq!(prove_nonnegative(&form, &primal(&C), &budget()).unwrap(), None);
    let direct = multipliers(&C, TARGET);
    assert!(direct.is_rationally_empty(&budget()).unwrap());
    assert!(direct.is_empty(&budget()).unwrap());
    let proof = prove_empty(&direct, &budget()).unwrap().unwrap();
    assert!(proof.proves(&Affine::constant(direct.space(), -1), &direct).unwrap());
}

#[test]
fn seed_1_is_feasible_after_the_shift_with_one_multiplier() {
    let form = Affine::from_coeffs(Space::new(0, 7), TARGET.to_vec());
    let proof = prove_nonnegative(&form, &primal(&shifted()), &budget()).unwrap().unwrap();
    assert!(proof.proves(&form, &primal(&shifted())).unwrap());
    assert_eq!(*proof.constant.numer(), 0);
    let values: Vec<i128> = proof.multipliers.iter().map(|q| q.to_integer()).collect();
    assert_eq!(values, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    only_the_last(&multipliers(&shifted(), TARGET));
}

/// The multipliers may be 0 but for the last, which is 1; nothing smaller will do.
fn only_the_last(set: &Polyhedron) {
    let mut last = [0; 15];
    last[14] = 1;
    assert!(!set.is_empty(&budget()).unwrap() && set.contains(&[], &last).unwrap());
    let sum = Affine::from_coeffs(set.space(), [&[0], &[1; 15][..]].concat());
    assert_eq!(set.integer_minimum(&sum, &budget()).unwrap(), Optimum::Bounded(1));
    assert_eq!(set.minimum(&sum, &budget()).unwrap(), Optimum::Bounded(1.into()));
    assert_eq!(
        set.with_params(&[]).unwrap().sample(&budget()).unwrap().map(|p| set.contains(&[], &p.dims)),
        Some(Ok(true))
    );
}

#[test]
fn seed_1_recovered_target_is_feasible_in_the_original() {
    // W^-1 c: the first entry gets the last one back.
    let mut recovered = TARGET;
    recovered[0] += TARGET[7];
    assert_eq!(recovered, [1, 0, 0, 0, -1, 0, 1, 1]);
    let form = Affine::from_coeffs(Space::new(0, 7), recovered.to_vec());
    let proof = prove_nonnegative(&form, &primal(&C), &budget()).unwrap().unwrap();
    assert!(proof.proves(&form, &primal(&C)).unwrap());
    let values: Vec<i128> = proof.multipliers.iter().map(|q| q.to_integer()).collect();
    assert_eq!(values, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    only_the_last(&multipliers(&C, recovered));
}

#[test]
fn pughs_example_has_rational_points_only() {
    let pugh = set("{ [x, y] : 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4 }");
    assert!(!pugh.is_rationally_empty(&budget()).unwrap());
    assert_eq!(oracle::points(&pugh, &[], -20, 20).unwrap(), Vec::<Vec<i64>>::new());
    assert!(pugh.is_empty(&budget()).unwrap());
    let shadow = pugh.project_out(&[0, 1], &budget()).unwrap();
    assert!(shadow.set.constraints().is_empty() && !shadow.exact);
}

fn check_simplify(text: &str, expected: Expect) {
    let named = parse_set(text).unwrap();
    let simple = named.set.simplify(&budget()).unwrap();
    expected.assert_eq(&print_set(&simple, &named.params, &named.dims));
    assert_eq!(simple.simplify(&budget()).unwrap(), simple);
}

#[test]
fn simplify_tightens_and_drops() {
    check_simplify(
        "{ [i, j] : 2i >= 1 and i + j >= 1 and j >= 0 and i + j <= 5 and 3j <= 17 }",
        expect!["{ [i, j] : i >= 1 and j >= 0 and i + j <= 5 }"],
    );
}

#[test]
fn simplify_finds_hidden_equalities() {
    check_simplify(
        "[n] -> { [i, j] : i <= j and j <= i and 0 <= i < n and j < n }",
        expect!["[n] -> { [i, j] : i = j and i >= 0 and i <= n - 1 }"],
    );
    check_simplify(
        "{ [i, j] : i + j <= 4 and i - j <= 0 and j <= 2 and i >= 2 }",
        expect!["{ [i, j] : i = 2 and j = 2 }"],
    );
}

#[test]
fn simplify_of_an_empty_set_is_false() {
    check_simplify("[n] -> { [i] : i >= n and i < n }", expect!["[n] -> { [i] : -1 >= 0 }"]);
    check_simplify("{ [x, y] : 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4 }", expect!["{ [x, y] : -1 >= 0 }"]);
}
