//! Reading and printing sets.
#![allow(clippy::unwrap_used)]

use expect_test::{Expect, expect};
use polyhedra::text::{parse_set, print_set};
use polyhedra::{Affine, Constraint, Error, Kind, Polyhedron, Space};
use proptest::prelude::*;

fn check_print(text: &str, expected: Expect) {
    let named = parse_set(text).unwrap();
    let printed = print_set(&named.set, &named.params, &named.dims);
    expected.assert_eq(&printed);
    assert_eq!(parse_set(&printed).unwrap(), named);
}

fn check_error(text: &str, expected: Expect) {
    let error = parse_set(text).unwrap_err();
    assert!(matches!(error, Error::Parse { .. }));
    expected.assert_eq(&error.to_string());
}

#[test]
fn chains_and_coefficients() {
    check_print(
        "[n, m] -> { [i, j] : 0 <= i < n and i <= j <= m - 1 and i + 2j = 4 }",
        expect!["[n, m] -> { [i, j] : i >= 0 and i <= n - 1 and j >= i and j <= m - 1 and i + 2j = 4 }"],
    );
    check_print(
        "{ [i, j] : 2*i + 3 * (i - j) > -(j - 1), 3(i + 1) == j * 2 }",
        expect!["{ [i, j] : 5i >= 2j + 2 and 3i = 2j - 3 }"],
    );
    check_print("[n]->{[]:n>=3}", expect!["[n] -> { [] : n >= 3 }"]);
    check_print("{ [i] }", expect!["{ [i] }"]);
    check_print("{ [i] : true }", expect!["{ [i] }"]);
    check_print("{ [i] : false and 1 >= 0 and 0 = 2 }", expect!["{ [i] : -1 >= 0 and 1 >= 0 and -2 = 0 }"]);
}

#[test]
fn mistakes_are_placed() {
    check_error("{ [i] : i }", expect!["line 1, column 11: expected a comparison, found '}'"]);
    check_error("{ [i]\n : i * i >= 0 }", expect!["line 2, column 10: a product of two variables is not affine"]);
    check_error("{ [i] : k >= 0 }", expect!["line 1, column 9: 'k' is not named in the brackets"]);
    check_error("{ [i, i] }", expect!["line 1, column 7: 'i' is named twice"]);
    check_error("{ [i] : 2 3 >= i }", expect!["line 1, column 11: expected a comparison, found '3'"]);
    check_error(
        "{ [i] : i >= 99999999999999999999999999999999999999999 }",
        expect!["line 1, column 14: the number is too large"],
    );
    check_error("{ [i] : 4611686018427387904 * 4i >= 0 }", expect!["line 1, column 39: the number is too large"]);
    check_error("{ [i] : i >= 0 ", expect!["line 1, column 16: expected '}', found the end"]);
    check_error("{ [i] : i >= 0 } }", expect!["line 1, column 18: expected the end, found '}'"]);
    check_error("{ [i] : i ? 0 }", expect!["line 1, column 11: unexpected '?'"]);
    check_error(
        &format!("{{ [i] : {}i >= 0 }}", "(".repeat(10_000)),
        expect!["line 1, column 109: too many parentheses"],
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn printing_and_reading_gives_the_same_rows(
        rows in prop::collection::vec(
            (any::<bool>(), prop::collection::vec(prop_oneof![Just(0), -2..=2_i64, any::<i64>(), Just(i64::MIN)], 5)),
            0..5,
        )
    ) {
        let space = Space::new(2, 2);
        let rows = rows.into_iter().map(|(eq, coeffs)| Constraint {
            kind: if eq { Kind::Eq } else { Kind::Ge },
            expr: Affine::from_coeffs(space, coeffs),
        });
        let set = Polyhedron::new(space, rows.collect());
        let printed = print_set(&set, &["n", "m"], &["i", "j"]);
        let back = parse_set(&printed).unwrap();
        prop_assert_eq!(&back.set, &set, "{}", printed);
        prop_assert_eq!((back.params.len(), back.dims.len()), (2, 2));
    }

    #[test]
    fn no_text_does_harm(text in "[\\[\\]{}()<>=,:+*a-c0-9 \n-]{0,60}|.{0,30}") {
        let _ = parse_set(&text);
    }

    #[test]
    fn no_body_does_harm(text in "[()<>=,+*ij0-9 -]{0,40}") {
        let _ = parse_set(&format!("[n] -> {{ [i, j] : {text} }}"));
    }
}
