//! Every operation on integer sets against the enumeration of a small box.
#![allow(clippy::unwrap_used)]

mod common;

use common::{BOX, any_form, any_row, any_set, any_set_in, boxed, budget, has, holds, points, value};
use polyhedra::{Affine, Constraint, Kind, Polyhedron, Space};
use proptest::prelude::*;

fn with_row(size: i64) -> impl Strategy<Value = (Polyhedron, Constraint)> {
    any_set(size).prop_flat_map(move |set| {
        let row = any_row(set.space(), size);
        (Just(set), row)
    })
}

fn two_sets(size: i64) -> impl Strategy<Value = (Polyhedron, Polyhedron)> {
    any_set(size).prop_flat_map(move |set| {
        let space = set.space();
        let other =
            prop::collection::vec(any_row(space, size), 0..=4).prop_map(move |rows| Polyhedron::new(space, rows));
        (Just(set), other)
    })
}

/// `low <= a x + b y <= low + width`, three of them: the sets for which dark shadows and splinters were made.
fn strips() -> impl Strategy<Value = Polyhedron> {
    let space = Space::new(0, 2);
    let strip = (-15..=15_i64, -12..=12_i64, -12..=12_i64, 0..=14_i64);
    prop::collection::vec(strip, 2..=3).prop_map(move |strips| {
        let rows = strips.into_iter().flat_map(|(low, a, b, width)| {
            [vec![-low, a, b], vec![low + width, -a, -b]].map(|r| Constraint::ge(Affine::from_coeffs(space, r)))
        });
        Polyhedron::new(space, rows.collect())
    })
}

fn check_empty(set: &Polyhedron) {
    let boxed = boxed(set, BOX);
    let none = points(&boxed, BOX).is_empty();
    assert_eq!(boxed.is_empty(&budget()).unwrap(), none);
    if set.is_empty(&budget()).unwrap() || boxed.is_obviously_empty() || boxed.is_rationally_empty(&budget()).unwrap() {
        assert!(none);
    }
}

/// No two dimensions of `result` disagree with the definition of a projection of `set`, which is boxed.
fn check_projection(set: &Polyhedron, drop: &[usize]) {
    let space = set.space();
    let shadow = set.project_out(drop, &budget()).unwrap();
    let kept: Vec<usize> =
        (0..space.params).chain((0..space.dims).filter(|d| !drop.contains(d)).map(|d| d + space.params)).collect();
    let image = |p: &Vec<i64>| kept.iter().map(|&c| p[c]).collect::<Vec<i64>>();
    let images: Vec<Vec<i64>> = points(set, BOX).iter().map(image).collect();
    for image in &images {
        assert!(has(&shadow.set, image), "{image:?} is lost");
    }
    if shadow.exact {
        for point in points(&shadow.set, BOX + 1) {
            assert!(images.contains(&point), "{point:?} has no preimage");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn emptiness_of_crossing_strips(set in strips()) {
        check_empty(&set);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn emptiness(set in any_set(3)) {
        check_empty(&set);
    }

    #[test]
    fn emptiness_with_large_coefficients(set in any_set_in(2, 12, 6)) {
        check_empty(&set);
    }

    #[test]
    fn emptiness_with_large_coefficients_in_space(set in any_set_in(3, 9, 6)) {
        check_empty(&set);
    }

    #[test]
    fn implication((set, row) in with_row(3)) {
        let set = boxed(&set, BOX);
        let all = points(&set, BOX).iter().all(|p| holds(&row, p));
        prop_assert_eq!(set.implies(&row, &budget()).unwrap(), all);
    }

    #[test]
    fn implication_by_an_unbounded_set((set, row) in with_row(2)) {
        if set.implies(&row, &budget()).unwrap() {
            prop_assert!(points(&set, BOX + 2).iter().all(|p| holds(&row, p)));
        }
    }

    #[test]
    fn simplify_keeps_the_points(set in any_set(3)) {
        let simple = set.simplify(&budget()).unwrap();
        prop_assert_eq!(points(&set, BOX + 2), points(&simple, BOX + 2));
        prop_assert_eq!(&simple.simplify(&budget()).unwrap(), &simple);
    }

    #[test]
    fn many_rows(set in any_set_in(2, 3, 60)) {
        let simple = set.simplify(&budget()).unwrap();
        prop_assert_eq!(points(&set, BOX), points(&simple, BOX));
        check_empty(&set);
    }

    #[test]
    fn many_loose_rows(mut set in any_set_in(2, 9, 60)) {
        // Constants large enough for the rows to hold near the origin, so that they stay.
        let loose = set.constraints().iter().map(|c| Constraint::ge(c.expr.offset(30).unwrap())).collect();
        set = Polyhedron::new(set.space(), loose);
        let simple = set.simplify(&budget()).unwrap();
        prop_assert_eq!(points(&set, 12), points(&simple, 12));
    }

    #[test]
    fn simplify_leaves_nothing_to_say(set in any_set(3)) {
        let set = boxed(&set, BOX);
        let simple = set.simplify(&budget()).unwrap();
        let all = points(&set, BOX);
        prop_assert_eq!(&all, &points(&simple, BOX));
        if all.is_empty() {
            let never = Constraint::ge(Affine::constant(set.space(), -1));
            prop_assert_eq!(simple.constraints(), &[never][..]);
            return Ok(());
        }
        for (k, row) in simple.constraints().iter().enumerate() {
            // No inequality is an equality in disguise, no row follows from the others, equalities come first.
            prop_assert!(row.kind == Kind::Eq || all.iter().any(|p| value(&row.expr, p) > 0));
            let mut rest = simple.constraints().to_vec();
            rest.remove(k);
            let rest = Polyhedron::new(set.space(), rest);
            prop_assert!(row.kind == Kind::Eq || !rest.implies(row, &budget()).unwrap());
            prop_assert!(k == 0 || simple.constraints()[k - 1].kind <= row.kind);
        }
    }

    #[test]
    fn simplify_does_not_see_the_order_of_rows((set, seed) in (any_set(3), 0_usize..100)) {
        let mut rows = set.constraints().to_vec();
        if !rows.is_empty() {
            let at = seed % rows.len();
            rows.rotate_left(at);
            rows.push(rows[0].clone());
        }
        let other = Polyhedron::new(set.space(), rows);
        prop_assert_eq!(set.simplify(&budget()).unwrap(), other.simplify(&budget()).unwrap());
    }

    #[test]
    fn gist_says_the_rest((set, context) in two_sets(3)) {
        let gist = set.gist(&context, &budget()).unwrap();
        let both = points(&set.intersect(&context), BOX + 2);
        prop_assert_eq!(points(&gist.intersect(&context), BOX + 2), both);
        for (k, row) in gist.constraints().iter().enumerate() {
            prop_assert!(set.constraints().contains(row));
            let mut rest = gist.constraints().to_vec();
            rest.remove(k);
            let rest = Polyhedron::new(set.space(), rest).intersect(&context);
            prop_assert!(!rest.implies(row, &budget()).unwrap());
        }
    }

    #[test]
    fn projection(set in any_set(3), which in 0_usize..3) {
        let set = boxed(&set, BOX);
        let drop: &[usize] = match (set.space().dims, which) {
            (1, 0) | (2, 1) => &[0],
            (2, 2) => &[1, 0],
            (2, 0) => &[1],
            _ => &[],
        };
        check_projection(&set, drop);
    }

    #[test]
    fn projection_in_space(set in any_set_in(3, 4, 5), which in 0_usize..4) {
        let drop: &[usize] = [&[2][..], &[0, 2], &[1], &[2, 1]][which];
        check_projection(&boxed(&set, BOX), drop);
    }

    #[test]
    fn bounds_say_what_the_rows_say(set in any_set(3)) {
        for dim in 0..set.space().dims {
            let bounds = set.bounds_of(dim).unwrap();
            let column = set.space().dim_column(dim);
            for b in bounds.lower.iter().chain(&bounds.upper) {
                prop_assert!(b.div >= 1 && b.expr.dim_coeff(dim) == 0);
            }
            let others: Vec<_> = set.constraints().iter().filter(|c| c.expr.coeffs()[column] == 0).cloned().collect();
            let others = Polyhedron::new(set.space(), others);
            for point in points(&Polyhedron::universe(set.space()), BOX) {
                let x = point[column - 1];
                let up = |b: &polyhedra::DivBound| -(-value(&b.expr, &point)).div_euclid(b.div);
                let down = |b: &polyhedra::DivBound| value(&b.expr, &point).div_euclid(b.div);
                let inside = bounds.lower.iter().all(|b| up(b) <= x) && bounds.upper.iter().all(|b| x <= down(b));
                prop_assert_eq!(inside && has(&others, &point), has(&set, &point));
            }
        }
    }

    #[test]
    fn preimage_is_composition(set in any_set_in(2, 3, 4), maps in prop::collection::vec(any_form(Space::new(0, 2), 2), 2)) {
        let space = set.space();
        let pre = set.preimage(&maps, space).unwrap();
        for point in points(&Polyhedron::universe(space), BOX) {
            let image: Vec<i64> = maps.iter().map(|m| value(m, &point)).collect();
            prop_assert_eq!(has(&pre, &point), has(&set, &image));
        }
    }
}

#[test]
fn projection_of_unit_rows_is_exact() {
    let set = polyhedra::text::parse_set("[n] -> { [i, j, k] : 0 <= i < n and 0 <= j <= i and k = i - j and 2k <= i }")
        .unwrap()
        .set;
    assert!(set.project_out(&[0], &budget()).unwrap().exact);
    assert!(set.params_shadow(&budget()).unwrap().exact);
}

#[test]
fn projection_of_a_lattice_is_not_exact() {
    let even = polyhedra::text::parse_set("{ [i, j] : j = 2i }").unwrap().set;
    let shadow = even.project_out(&[0], &budget()).unwrap();
    assert!(!shadow.exact && shadow.set.constraints().is_empty());
    // The same with j known to be even is exact again.
    let known = polyhedra::text::parse_set("{ [i, j, k] : j = 2i and j = 2k }").unwrap().set;
    assert!(known.project_out(&[0], &budget()).unwrap().exact);
}

#[test]
fn projection_refuses_what_is_no_dimension() {
    let set = polyhedra::text::parse_set("{ [i, j] }").unwrap().set;
    for drop in [&[2][..], &[0, 0], &[usize::MAX]] {
        assert!(matches!(set.project_out(drop, &budget()), Err(polyhedra::Error::SpaceMismatch(_))));
    }
}
