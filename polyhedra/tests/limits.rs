//! Overflow and budgets: an error, never a wrong answer, a panic or a hang.
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
