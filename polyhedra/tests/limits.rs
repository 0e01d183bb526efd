//! Large numbers and small budgets: exact answers where they fit, else an error, never a wrong answer, a panic or a hang.
#![allow(clippy::unwrap_used)]

mod common;

use common::{any_set_in, boxed, points};
use polyhedra::farkas::{prove_empty, prove_nonnegative};
use polyhedra::{Affine, Budget, Constraint, Error, Kind, Polyhedron, Space};
use proptest::prelude::*;

fn huge_set() -> impl Strategy<Value = Polyhedron> {
    let space = Space::new(1, 2);
    let entry = prop_oneof![
        2 => Just(0),
        2 => -2..=2_i64,
        1 => any::<i64>(),
        1 => Just(i64::MIN),
        1 => Just(i64::MAX),
        1 => -(1_i64 << 40)..=1_i64 << 40,
    ];
    let row = (any::<bool>(), prop::collection::vec(entry, space.columns())).prop_map(move |(eq, coeffs)| Constraint {
        kind: if eq { Kind::Eq } else { Kind::Ge },
        expr: Affine::from_coeffs(space, coeffs),
    });
    prop::collection::vec(row, 1..6).prop_map(move |rows| Polyhedron::new(space, rows))
}

/// The points of the set with all columns in `-2..=2`.
fn near(set: &Polyhedron) -> Vec<Vec<i64>> {
    let mut all = points(&Polyhedron::universe(set.space()), 2);
    all.retain(|p| {
        let (params, dims) = p.split_at(set.space().params);
        set.contains(params, dims) == Ok(true)
    });
    all
}

/// Calls everything; answers must agree with each other where there are answers.
fn exercise(set: &Polyhedron, steps: u64) {
    let b = || Budget::new(steps);
    let form = set.constraints()[0].expr.clone();
    let _ = (set.simplify(&b()), set.gist(&boxed(set, 3), &b()), set.bounds_of(0), set.bounds_of(1));
    let _ = (set.project_out(&[0], &b()), set.params_shadow(&b()), set.minimum(&form, &b()));
    if let Ok(Some(proof)) = prove_nonnegative(&form, set, &b()) {
        assert_ne!(proof.proves(&form, set), Ok(false));
    }
    if let Ok(Some(proof)) = prove_empty(set, &b()) {
        assert_ne!(proof.proves(&Affine::constant(set.space(), -1), set), Ok(false));
        assert_ne!(set.is_empty(&b()), Ok(false));
    }
    if set.is_obviously_empty() {
        assert_ne!(set.is_empty(&b()), Ok(false));
    }
    // What there is of an answer fits the points nearby; a coefficient that wrapped would show here.
    let found: Vec<Vec<i64>> = near(set);
    if let Ok(simple) = set.simplify(&b()) {
        assert!(near(&simple) == found);
    }
    if !found.is_empty() {
        assert_ne!(set.is_empty(&b()), Ok(true));
        assert_ne!(set.is_rationally_empty(&b()), Ok(true));
    }
    if let Ok(shadow) = set.project_out(&[0], &b()) {
        let keep = if set.space().params == 1 { vec![0, 2] } else { vec![1, 2] };
        assert!(found.iter().all(|p| {
            let image: Vec<i64> = keep.iter().map(|&c| p[c]).collect();
            let (params, dims) = image.split_at(set.space().params);
            shadow.set.contains(params, dims) != Ok(false)
        }));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn huge_coefficients_do_no_harm(set in huge_set()) {
        exercise(&set, 20_000);
    }

    #[test]
    fn a_small_budget_ends_everything(set in any_set_in(3, 9, 6), steps in 0_u64..200) {
        let set = boxed(&set, 4);
        exercise(&set, steps);
        let budget = Budget::new(steps);
        match set.is_empty(&budget) {
            Ok(empty) => prop_assert_eq!(empty, points(&set, 4).is_empty()),
            Err(e) => prop_assert_eq!(e, Error::Budget),
        }
    }
}

#[test]
fn a_product_that_leaves_i64_is_no_obstacle() {
    // x = 2^32 y makes 2^32 x into 2^64 y, which would wrap to 0 and leave z >= 1.
    let text = "{ [x, y, z] : x = 4294967296y and 4294967296x + z >= 1 and -1 <= z <= 0 and y <= 5 }";
    let set = polyhedra::text::parse_set(text).unwrap().set;
    assert!(set.contains(&[], &[4_294_967_296, 1, 0]).unwrap());
    assert_eq!(set.is_empty(&Budget::new(1000)), Ok(false));
    let none = polyhedra::text::parse_set(&text.replace("y <= 5", "y <= 0")).unwrap().set;
    assert_eq!(none.is_empty(&Budget::new(1000)), Ok(true));
}

#[test]
fn only_a_result_that_does_not_fit_is_an_overflow() {
    // Without y the row is x >= 2^80.
    let text = "{ [x, y] : x >= 1099511627776y and y >= 1099511627776 }";
    let set = polyhedra::text::parse_set(text).unwrap().set;
    assert_eq!(set.is_empty(&Budget::new(1000)), Ok(false));
    assert_eq!(set.project_out(&[1], &Budget::new(1000)).unwrap_err(), Error::Overflow);
    let least = set.minimum(&Affine::dim(set.space(), 0), &Budget::new(1000)).unwrap();
    assert_eq!(least, polyhedra::Optimum::Bounded(num_rational::Ratio::from_integer(1 << 80)));
}

/// Shears with factors up to `size`, so that the product's entries are far larger.
fn shears(size: i64) -> impl Strategy<Value = Vec<(usize, usize, i64)>> {
    prop::collection::vec((0_usize..3, 0_usize..3, -size..=size), 1..6)
}

/// The set under `x_to += factor * x_from`, one after the other; `None` when rows no longer fit.
fn sheared(set: &Polyhedron, shears: &[(usize, usize, i64)]) -> Option<Polyhedron> {
    let space = set.space();
    shears.iter().filter(|(to, from, _)| to != from).try_fold(set.clone(), |set, &(to, from, factor)| {
        let mut map: Vec<Affine> = (0..3).map(|d| Affine::dim(space, d)).collect();
        map[to].set_dim(from, factor);
        set.preimage(&map, space).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A unimodular change of axes changes no answer, however large it makes the coefficients.
    #[test]
    fn answers_survive_a_change_to_huge_axes(set in any_set_in(3, 5, 5), by in shears(1 << 14), form in common::any_form(Space::new(0, 3), 9)) {
        let set = boxed(&set, 3);
        let Some(far) = sheared(&set, &by) else { return Ok(()) };
        // Splinters between huge coefficients may be too many; nothing else may fail.
        let b = || Budget::new(200_000);
        let known = |answer: polyhedra::Result<bool>| answer.map_err(|e| assert_eq!(e, Error::Budget)).ok();
        let none = points(&set, 3).is_empty();
        prop_assert!(known(far.is_empty(&b())).is_none_or(|empty| empty == none));
        prop_assert_eq!(far.is_rationally_empty(&b()), set.is_rationally_empty(&b()));
        let with = Polyhedron::new(set.space(), vec![Constraint::ge(form.clone())]);
        let Some(far_form) = sheared(&with, &by).map(|p| p.constraints()[0].expr.clone()) else { return Ok(()) };
        prop_assert_eq!(far.minimum(&far_form, &b()), set.minimum(&form, &b()));
        let implied = set.implies(&with.constraints()[0], &b()).unwrap();
        prop_assert!(known(far.implies(&Constraint::ge(far_form.clone()), &b())).is_none_or(|far| far == implied));
        let proof = prove_nonnegative(&far_form, &far, &b()).unwrap();
        prop_assert_eq!(proof.is_some(), prove_nonnegative(&form, &set, &b()).unwrap().is_some());
        if let Some(proof) = proof {
            prop_assert!(proof.proves(&far_form, &far).unwrap());
        }
        match far.simplify(&b()) {
            Ok(simple) => prop_assert!(known(simple.is_empty(&b())).is_none_or(|empty| empty == none)),
            Err(e) => prop_assert!(matches!(e, Error::Overflow | Error::Budget)),
        }
    }
}

#[test]
fn the_least_integer_is_not_its_own_opposite() {
    // The linear parts are opposite modulo 2^64 only.
    let space = Space::new(0, 2);
    let rows = [vec![0, 1, i64::MIN], vec![-1, -1, i64::MIN]];
    let set = Polyhedron::new(space, rows.map(|r| Constraint::ge(Affine::from_coeffs(space, r))).to_vec());
    assert!(set.contains(&[], &[0, -1]).unwrap());
    assert!(!set.is_obviously_empty());
    assert_ne!(set.is_empty(&Budget::new(1000)), Ok(true));
}
