//! First, last and any points against the enumeration of a small box.
#![allow(clippy::unwrap_used)]

mod common;

use common::{BOX, any_form, any_set, any_set_in, boxed, budget, has, points, value};
use expect_test::{Expect, expect};
use polyhedra::lexmin::{First, Lexmin, Piece};
use polyhedra::text::{parse_set, print_set};
use polyhedra::{Affine, Error, Optimum, Polyhedron, Space};
use proptest::prelude::*;

fn with_form(size: i64) -> impl Strategy<Value = (Polyhedron, Affine)> {
    any_set(size).prop_flat_map(move |set| {
        let form = any_form(set.space(), size);
        (Just(set), form)
    })
}

/// The points of the set for these parameters.
fn at(set: &Polyhedron, params: &[i64]) -> Vec<Vec<i64>> {
    polyhedra::oracle::points(set, params, -BOX, BOX).unwrap()
}

fn all_params(set: &Polyhedron) -> Vec<Vec<i64>> {
    let free = Polyhedron::universe(Space::new(0, set.space().params));
    polyhedra::oracle::points(&free, &[], -BOX, BOX).unwrap()
}

fn expected(point: Option<&Vec<i64>>) -> Optimum<Vec<i64>> {
    point.map_or(Optimum::Empty, |p| Optimum::Bounded(p.clone()))
}

/// Both forms of the answer against enumeration; the set is boxed.
fn check_first(set: &Polyhedron) {
    let (first, last) = (set.lexmin(&budget()).unwrap(), set.lexmax(&budget()).unwrap());
    for params in all_params(set) {
        let all = at(set, &params);
        let (least, most) = (expected(all.first()), expected(all.last()));
        assert_eq!(set.lexmin_at(&params, &budget()).unwrap(), least);
        assert_eq!(set.lexmax_at(&params, &budget()).unwrap(), most);
        assert!(first.at(&params).unwrap().is_none_or(|p| p == least), "{first:?} at {params:?}");
        assert!(last.at(&params).unwrap().is_none_or(|p| p == most), "{last:?} at {params:?}");
        if let Lexmin::Pieces(pieces) = &first {
            let holds = pieces.iter().filter(|p| !at_piece(p, &params).is_empty()).count();
            assert_eq!(holds, usize::from(!all.is_empty()), "pieces overlap or leave a gap");
        }
    }
}

/// The values of the divisions for which the piece's domain holds: at most one.
fn at_piece(piece: &Piece, params: &[i64]) -> Vec<Vec<i64>> {
    polyhedra::oracle::points(&piece.domain, params, -20, 20).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn integer_minimum_and_maximum((set, form) in with_form(4)) {
        let set = boxed(&set, BOX);
        let values: Vec<i64> = points(&set, BOX).iter().map(|p| value(&form, p)).collect();
        let least = values.iter().min().map_or(Optimum::Empty, |&v| Optimum::Bounded(v));
        let most = values.iter().max().map_or(Optimum::Empty, |&v| Optimum::Bounded(v));
        prop_assert_eq!(set.integer_minimum(&form, &budget()).unwrap(), least);
        prop_assert_eq!(set.integer_maximum(&form, &budget()).unwrap(), most);
    }

    #[test]
    fn first_and_last(set in any_set(3)) {
        check_first(&boxed(&set, BOX));
    }

    #[test]
    fn first_and_last_of_skew_sets(set in any_set_in(2, 9, 4)) {
        check_first(&boxed(&set, BOX));
    }

    #[test]
    fn first_of_unbounded_sets(set in any_set(2)) {
        for params in all_params(&set) {
            let answer = set.lexmin_at(&params, &budget()).unwrap();
            let near = at(&set, &params);
            match &answer {
                Optimum::Empty => prop_assert!(near.is_empty()),
                Optimum::Unbounded => prop_assert!(!set.with_params(&params).unwrap().is_empty(&budget()).unwrap()),
                Optimum::Bounded(p) => {
                    prop_assert!(set.contains(&params, p).unwrap());
                    prop_assert!(near.first().is_none_or(|n| p <= n));
                }
            }
            if let Some(cases) = set.lexmin(&budget()).unwrap().at(&params).unwrap() {
                prop_assert_eq!(cases, answer);
            }
        }
    }

    #[test]
    fn samples_lie_inside(set in any_set_in(3, 9, 6)) {
        let boxed_set = boxed(&set, BOX);
        match boxed_set.sample(&budget()).unwrap() {
            Some(p) => prop_assert!(boxed_set.contains(&p.params, &p.dims).unwrap()),
            None => prop_assert!(points(&boxed_set, BOX).is_empty()),
        }
        match set.sample(&budget()).unwrap() {
            Some(p) => prop_assert!(set.contains(&p.params, &p.dims).unwrap()),
            None => prop_assert!(points(&set, BOX).is_empty()),
        }
    }

    #[test]
    fn samples_with_parameters(set in any_set(4)) {
        match set.sample(&budget()).unwrap() {
            Some(p) => prop_assert!(has(&set, &[p.params, p.dims].concat())),
            None => prop_assert!(points(&set, BOX).is_empty()),
        }
    }
}

fn set(text: &str) -> Polyhedron {
    parse_set(text).unwrap().set
}

#[test]
fn points_far_out_are_found() {
    // x is no less than half a million from 0, on either side.
    let far = set("{ [x, y] : x = 1000003y + 500000 }");
    let found = far.sample(&budget()).unwrap().unwrap();
    assert!(far.contains(&[], &found.dims).unwrap());
    // Pugh's strip without integer points, continued until it has one.
    let strip = set("{ [x, y] : 0 <= 1000x - 999y - 500 <= 1 and x >= 0 and y >= 0 }");
    let Optimum::Bounded(first) = strip.lexmin_at(&[], &budget()).unwrap() else { panic!("no point") };
    let scanned = (0_i64..).find(|x| (0..=2 * x).any(|y| strip.contains(&[], &[*x, y]).unwrap())).unwrap();
    assert_eq!(first[0], scanned);
}

#[test]
fn coordinates_that_do_not_fit_are_an_overflow() {
    let far = set("{ [x, y] : x >= 1099511627776y and y >= 1099511627776 }");
    assert_eq!(far.lexmin_at(&[], &budget()), Err(Error::Overflow));
    assert!(far.with_params(&[1]).is_err());
    assert_eq!(set("{ [x] : x <= 0 }").lexmin_at(&[], &budget()), Ok(Optimum::Unbounded));
}

fn check_cases(text: &str, expected: Expect) {
    let named = parse_set(text).unwrap();
    let Lexmin::Pieces(pieces) = named.set.lexmin(&budget()).unwrap() else {
        return expected.assert_eq("not affine");
    };
    let mut out = String::new();
    for piece in pieces {
        let names: Vec<String> = (0..piece.divisions.len()).map(|k| format!("q{k}")).collect();
        let show = |e: &Affine| e.display(&named.params, &names[..e.space().dims]).to_string();
        let divisions = piece.divisions.iter().enumerate();
        out +=
            &divisions.map(|(k, d)| format!("q{k} = floor(({})/{}); ", show(&d.numerator), d.div)).collect::<String>();
        out += &match &piece.first {
            First::Point(point) => format!("({})", point.iter().map(show).collect::<Vec<_>>().join(", ")),
            First::Unbounded => "unbounded".into(),
        };
        out += &format!(" on {}\n", print_set(&piece.domain, &named.params, &names));
    }
    expected.assert_eq(&out);
}

#[test]
fn cases_in_text() {
    check_cases(
        "[n] -> { [i, j] : 0 <= i < n and i <= j < n }",
        expect![[r#"
        (0, 0) on [n] -> { [] : n >= 1 }
    "#]],
    );
    check_cases(
        "[n, m] -> { [i] : i >= n and i >= m and 2i >= 5 }",
        expect![[r#"
        (3) on [n, m] -> { [] : n <= 3 and m <= 3 }
        (n) on [n, m] -> { [] : n >= 4 and n >= m }
        (m) on [n, m] -> { [] : m >= 4 and m >= n + 1 }
    "#]],
    );
    check_cases(
        "[n] -> { [i] : 2i >= n }",
        expect![[r#"
        q0 = floor((n + 1)/2); (q0) on [n] -> { [q0] : 2q0 >= n and 2q0 <= n + 1 }
    "#]],
    );
    check_cases(
        "[n] -> { [i, j] : n = 2i + 4j and 0 <= j <= 3 }",
        expect![[r#"
        q0 = floor((-n)/2); (-q0 - 6, 3) on [n] -> { [q0] : 2q0 + n = 0 }
    "#]],
    );
    check_cases(
        "[n] -> { [i, j] : i >= j and j <= n }",
        expect![[r#"
        unbounded on [n] -> { [] }
    "#]],
    );
    check_cases(
        "[n] -> { [i, j] : n <= 2j + i <= n and 0 <= i }",
        expect![[r#"
        q0 = floor((-n + 1)/2); (2q0 + n, -q0) on [n] -> { [q0] : 2q0 + n >= 0 and 2q0 + n <= 1 }
    "#]],
    );
}
