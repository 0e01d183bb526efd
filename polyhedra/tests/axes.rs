//! Loop bounds and changes of axes against enumeration.
#![allow(clippy::unwrap_used)]

mod common;

use common::{BOX, any_set_in, boxed, budget, points};
use expect_test::{Expect, expect};
use polyhedra::text::parse_set;
use polyhedra::{Affine, Axes, DivBound, LoopNest, Polyhedron, Space};
use proptest::prelude::*;

fn show(nest: &LoopNest, params: &[&str], dims: &[&str]) -> String {
    let side = |list: &[DivBound], of: &str| {
        let one = |b: &DivBound| match b.div {
            1 => b.expr.display(params, dims).to_string(),
            div => format!("({})/{div}", b.expr.display(params, dims)),
        };
        let all: Vec<String> = list.iter().map(one).collect();
        if all.len() == 1 { all[0].clone() } else { format!("{of}({})", all.join(", ")) }
    };
    let levels = nest.bounds.iter().zip(dims);
    levels
        .map(|(b, name)| format!("{} <= {name} <= {}", side(&b.lower, "max"), side(&b.upper, "min")))
        .collect::<Vec<_>>()
        .join("; ")
}

/// The loops in these axes visit the points of the set, each once, in the order of the axes.
fn check_nest(set: &Polyhedron, axes: &Axes, params: &[i64], expected: &[Vec<i64>]) -> LoopNest {
    let turned = set.in_axes(axes).unwrap();
    let nest = turned.loop_nest(&budget()).unwrap();
    let visited = nest.points(params, &budget()).unwrap();
    assert!(visited.is_sorted(), "not in order");
    let back = |y: &Vec<i64>| axes.backward().iter().map(|e| e.eval(params, y).unwrap()).collect::<Vec<i64>>();
    let mut found: Vec<Vec<i64>> = visited.iter().map(back).collect();
    for (x, y) in found.iter().zip(&visited) {
        let there: Vec<i64> = axes.forward().iter().map(|e| e.eval(params, x).unwrap()).collect();
        assert_eq!(there, *y);
    }
    found.sort();
    assert_eq!(found, expected);
    nest
}

#[test]
fn seed_2_has_22_points_in_every_loop_order() {
    let set = parse_set("{ [i, j] : 0 <= i < 9 and i <= j < 7 and j < i + 4 }").unwrap().set;
    let all = polyhedra::oracle::points(&set, &[], -2, 12).unwrap();
    assert_eq!(all.len(), 22);
    let space = set.space();
    let check = |axes: Axes, names: &[&str], expected: Expect| {
        let nest = check_nest(&set, &axes, &[], &all);
        assert_eq!(nest.points(&[], &budget()).unwrap().len(), 22);
        assert!(nest.exact.iter().all(|&e| e) && nest.guard.constraints().is_empty());
        expected.assert_eq(&show(&nest, &[], names));
    };
    check(Axes::order(space, &[0, 1]).unwrap(), &["i", "j"], expect!["0 <= i <= 6; i <= j <= min(i + 3, 6)"]);
    check(Axes::order(space, &[1, 0]).unwrap(), &["j", "i"], expect!["0 <= j <= 6; max(0, j - 3) <= i <= j"]);
    let (i, j) = (Affine::dim(space, 0), Affine::dim(space, 1));
    let skewed = Axes::new(space, vec![j.sub(&i).unwrap(), j]).unwrap().unwrap();
    check(skewed, &["k", "j"], expect!["0 <= k <= 3; k <= j <= 6"]);
}

#[test]
fn bounds_with_parameters() {
    let set = parse_set("[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m and 2j <= i }").unwrap().set;
    let swapped = set.in_axes(&Axes::order(set.space(), &[1, 0]).unwrap()).unwrap().loop_nest(&budget()).unwrap();
    expect!["0 <= j <= min(m - 1, (n - 1)/2); 2j <= i <= n - 1"].assert_eq(&show(&swapped, &["n", "m"], &["j", "i"]));
    // The axis may hold parameters and constants: k = n - 1 - i.
    let space = set.space();
    let k = Affine::param(space, 0).sub(&Affine::dim(space, 0)).unwrap().offset(-1).unwrap();
    let axes = Axes::new(space, vec![k, Affine::dim(space, 1)]).unwrap().unwrap();
    let all = polyhedra::oracle::points(&set, &[7, 3], -2, 12).unwrap();
    check_nest(&set, &axes, &[7, 3], &all);
}

#[test]
fn what_is_no_change_of_axes_is_refused() {
    let space = Space::new(0, 2);
    let (i, j) = (Affine::dim(space, 0), Affine::dim(space, 1));
    assert_eq!(Axes::new(space, vec![i.clone(), i.clone()]).unwrap(), None);
    assert_eq!(Axes::new(space, vec![i.clone(), j.scale(2).unwrap()]).unwrap(), None);
    assert!(Axes::new(space, vec![i]).is_err() && Axes::order(space, &[0, 2]).is_err());
    assert!(Axes::order(space, &[1, 1]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_order_visits_every_point(set in any_set_in(3, 4, 4), order in prop::sample::select(vec![
        [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
    ])) {
        let set = boxed(&set, 3);
        check_nest(&set, &Axes::order(set.space(), &order).unwrap(), &[], &points(&set, 3));
    }

    #[test]
    fn skewed_axes_visit_every_point(
        set in any_set_in(2, 5, 4), a in -2..=2_i64, b in -2..=2_i64, c in -3..=3_i64, turn in any::<bool>(),
    ) {
        let set = boxed(&set, BOX);
        let space = set.space();
        // [1 a] [1 0]
        // [0 1] [b 1], rows perhaps exchanged, one shifted.
        let mut rows = vec![vec![c, 1 + a * b, a], vec![0, b, 1]];
        if turn {
            rows.reverse();
        }
        let forward = rows.into_iter().map(|r| Affine::from_coeffs(space, r)).collect();
        let axes = Axes::new(space, forward).unwrap().unwrap();
        check_nest(&set, &axes, &[], &points(&set, BOX));
    }

    #[test]
    fn loops_with_parameters(set in common::any_set(3)) {
        let set = boxed(&set, BOX);
        let order: Vec<usize> = (0..set.space().dims).rev().collect();
        let free = Polyhedron::universe(Space::new(0, set.space().params));
        for params in polyhedra::oracle::points(&free, &[], -BOX, BOX).unwrap() {
            let all = polyhedra::oracle::points(&set, &params, -BOX, BOX).unwrap();
            check_nest(&set, &Axes::order(set.space(), &order).unwrap(), &params, &all);
        }
    }

    #[test]
    fn exact_loops_never_run_empty(set in any_set_in(2, 4, 4)) {
        let set = boxed(&set, BOX);
        let nest = set.loop_nest(&budget()).unwrap();
        let all = points(&set, BOX);
        if nest.exact[0] && nest.guard.contains(&[], &[]).unwrap() {
            let bounds = &nest.bounds[0];
            let up = |b: &DivBound| -(-b.expr.constant_term()).div_euclid(b.div);
            let down = |b: &DivBound| b.expr.constant_term().div_euclid(b.div);
            let low = bounds.lower.iter().map(up).max().unwrap();
            let high = bounds.upper.iter().map(down).min().unwrap();
            prop_assert!((low..=high).all(|v| all.iter().any(|p| p[0] == v)));
        }
    }
}
