//! Linear programming and certificates against the enumeration of vertices.
#![allow(clippy::unwrap_used)]

mod common;

use common::{any_form, any_set, any_set_in, boxed, budget, least_over_vertices};
use num_rational::Ratio;
use polyhedra::farkas::{prove_empty, prove_nonnegative};
use polyhedra::{Affine, Kind, Optimum, Polyhedron, Space};
use proptest::prelude::*;

fn with_form(size: i64) -> impl Strategy<Value = (Polyhedron, Affine)> {
    any_set(size).prop_flat_map(move |set| {
        let form = any_form(set.space(), size);
        (Just(set), form)
    })
}

fn minus_one(set: &Polyhedron) -> Affine {
    Affine::constant(set.space(), -1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn minimum_is_at_a_vertex((set, form) in with_form(4)) {
        let set = boxed(&set, 5);
        let expected = least_over_vertices(&set, &form).map_or(Optimum::Empty, Optimum::Bounded);
        prop_assert_eq!(set.minimum(&form, &budget()).unwrap(), expected);
    }

    #[test]
    fn minimum_beyond_i64(set in any_set_in(3, 1 << 16, 4), form in any_form(Space::new(0, 3), 1 << 16)) {
        // Determinants of such rows do not fit into `i64`; the answers are still exact.
        let set = boxed(&set, 1 << 16);
        let expected = least_over_vertices(&set, &form).map_or(Optimum::Empty, Optimum::Bounded);
        prop_assert_eq!(set.minimum(&form, &budget()).unwrap(), expected);
        if let Some(proof) = prove_nonnegative(&form, &set, &budget()).unwrap() {
            prop_assert!(proof.proves(&form, &set).unwrap());
        }
    }

    #[test]
    fn minimum_of_an_unbounded_set((set, form) in with_form(3)) {
        const FAR: i64 = 1_000_000;
        let far = least_over_vertices(&boxed(&set, FAR), &form);
        match set.minimum(&form, &budget()).unwrap() {
            Optimum::Empty => prop_assert_eq!(far, None),
            Optimum::Bounded(v) => prop_assert_eq!(far, Some(v)),
            Optimum::Unbounded => prop_assert!(far.unwrap() < Ratio::from_integer(-1000)),
        }
    }

    #[test]
    fn certificates_exist_exactly_when_they_can((set, form) in with_form(3)) {
        let set = boxed(&set, 5);
        let least = least_over_vertices(&set, &form);
        let proof = prove_nonnegative(&form, &set, &budget()).unwrap();
        // A box bounds every direction, so an empty set has all certificates.
        prop_assert_eq!(proof.is_some(), least.is_none_or(|v| v >= Ratio::from_integer(0)));
        if let Some(proof) = proof {
            prop_assert!(proof.proves(&form, &set).unwrap());
        }
        let proof = prove_empty(&set, &budget()).unwrap();
        prop_assert_eq!(proof.is_some(), least.is_none());
        prop_assert_eq!(set.is_rationally_empty(&budget()).unwrap(), least.is_none());
        if let Some(proof) = proof {
            prop_assert!(proof.proves(&minus_one(&set), &set).unwrap());
        }
    }

    #[test]
    fn certificates_on_unbounded_sets_hold((set, form) in with_form(2)) {
        match prove_nonnegative(&form, &set, &budget()).unwrap() {
            Some(proof) => prop_assert!(proof.proves(&form, &set).unwrap()),
            None => match set.minimum(&form, &budget()).unwrap() {
                Optimum::Bounded(v) => prop_assert!(v < Ratio::from_integer(0)),
                Optimum::Unbounded | Optimum::Empty => {}
            },
        }
    }

    #[test]
    fn corrupted_certificates_are_refused((set, form) in with_form(3), which in 0_usize..20, by in 1_i128..5) {
        let set = boxed(&set, 5);
        let Some(proof) = prove_nonnegative(&form, &set, &budget()).unwrap() else { return Ok(()) };
        let rows = set.constraints();
        let r = which % rows.len();
        // Another multiplier of a row that is not 0.
        if rows[r].expr.coeffs().iter().any(|&c| c != 0) {
            let mut wrong = proof.clone();
            wrong.multipliers[r] += Ratio::new(by, 3);
            prop_assert!(!wrong.proves(&form, &set).unwrap());
        }
        // Another slack.
        let mut wrong = proof.clone();
        wrong.constant += Ratio::new(by, 2);
        prop_assert!(!wrong.proves(&form, &set).unwrap());
        // The right sum with a negative slack or a negative multiplier.
        let mut wrong = proof.clone();
        let down = wrong.constant + Ratio::from_integer(by);
        wrong.constant -= down;
        let lower = form.offset(-1).unwrap();
        prop_assert!(!wrong.proves(&form, &set).unwrap() && !wrong.proves(&lower, &set).unwrap());
        if rows[r].kind == Kind::Ge {
            let mut wrong = proof.clone();
            let factor = wrong.multipliers[r].ceil().to_integer() + by;
            wrong.multipliers[r] -= Ratio::from_integer(factor);
            let factor = i64::try_from(factor).unwrap();
            let changed = form.combine(1, &rows[r].expr, -factor).unwrap();
            prop_assert!(!wrong.proves(&changed, &set).unwrap());
        }
        // Another form, another set.
        prop_assert!(!proof.proves(&form.offset(1).unwrap(), &set).unwrap());
        let mut wrong = proof;
        wrong.multipliers.pop();
        prop_assert!(!wrong.proves(&form, &set).unwrap());
    }
}

#[test]
fn a_malformed_fraction_proves_nothing() {
    let set = polyhedra::text::parse_set("{ [i] : i >= 0 }").unwrap().set;
    let form = Affine::dim(set.space(), 0);
    let mut proof = prove_nonnegative(&form, &set, &budget()).unwrap().unwrap();
    assert!(proof.proves(&form, &set).unwrap());
    proof.multipliers[0] = Ratio::new_raw(-1, -1);
    assert!(!proof.proves(&form, &set).unwrap());
    proof.multipliers[0] = Ratio::new_raw(0, 0);
    assert!(!proof.proves(&form, &set).unwrap());
}

#[test]
fn an_empty_set_proves_what_its_rows_bound() {
    let set = polyhedra::text::parse_set("{ [x, y] : x >= 0 and -x - 1 >= 0 }").unwrap().set;
    let bounded = Affine::from_coeffs(set.space(), vec![-7, 3, 0]);
    assert!(prove_nonnegative(&bounded, &set, &budget()).unwrap().unwrap().proves(&bounded, &set).unwrap());
    let free = Affine::dim(set.space(), 1);
    assert_eq!(prove_nonnegative(&free, &set, &budget()).unwrap(), None);
    assert!(prove_empty(&set, &budget()).unwrap().is_some());
}
