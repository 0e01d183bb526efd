//! Unions against the enumeration of a small box, and their text form.
#![allow(clippy::unwrap_used)]

mod common;

use common::{BOX, any_row, budget, points};
use expect_test::{Expect, expect};
use polyhedra::text::{parse_union, print_union};
use polyhedra::{Polyhedron, Space, Union};
use proptest::prelude::*;

fn any_union(space: Space, size: i64) -> impl Strategy<Value = Union> {
    let part = prop::collection::vec(any_row(space, size), 0..=3).prop_map(move |rows| Polyhedron::new(space, rows));
    prop::collection::vec(part, 0..=3).prop_map(move |parts| Union::new(space, parts))
}

fn two(size: i64) -> impl Strategy<Value = (Union, Union)> {
    let space = prop::sample::select(vec![Space::new(0, 1), Space::new(1, 1), Space::new(0, 2), Space::new(1, 2)]);
    space.prop_flat_map(move |space| (any_union(space, size), any_union(space, size)))
}

/// Every point of the box, and whether it is in the union by the definition.
fn members(set: &Union) -> Vec<bool> {
    let space = set.space();
    let parts: Vec<Vec<Vec<i64>>> = set.parts().iter().map(|p| points(p, BOX)).collect();
    points(&Polyhedron::universe(space), BOX).iter().map(|p| parts.iter().any(|part| part.contains(p))).collect()
}

fn in_box(set: &Union) -> Union {
    let boxed = set.parts().iter().map(|p| common::boxed(p, BOX)).collect();
    Union::new(set.space(), boxed)
}

fn both(a: &[bool], b: &[bool], of: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter().zip(b).map(|(&a, &b)| of(a, b)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn operations_are_those_of_sets_of_points((a, b) in two(3)) {
        let (pa, pb) = (members(&a), members(&b));
        prop_assert_eq!(members(&a.union(&b).unwrap()), both(&pa, &pb, |a, b| a || b));
        prop_assert_eq!(members(&a.intersect(&b, &budget()).unwrap()), both(&pa, &pb, |a, b| a && b));
        let difference = a.subtract(&b, &budget()).unwrap();
        prop_assert_eq!(members(&difference), both(&pa, &pb, |a, b| a && !b));
        for part in difference.parts() {
            prop_assert!(!part.is_empty(&budget()).unwrap());
        }
        let complement = a.complement(&budget()).unwrap();
        prop_assert_eq!(members(&complement), both(&pa, &pa, |a, _| !a));
        prop_assert!(a.intersect(&complement, &budget()).unwrap().is_empty(&budget()).unwrap());
        prop_assert_eq!(members(&a.simplify(&budget()).unwrap()), pa);
    }

    #[test]
    fn questions_in_a_box((a, b) in two(3)) {
        let (a, b) = (in_box(&a), in_box(&b));
        let (pa, pb) = (members(&a), members(&b));
        prop_assert_eq!(a.is_empty(&budget()).unwrap(), !pa.contains(&true));
        prop_assert_eq!(a.is_subset(&b, &budget()).unwrap(), pa.iter().zip(&pb).all(|(a, b)| !a || *b));
        prop_assert_eq!(a.is_same_set(&b, &budget()).unwrap(), pa == pb);
        let again = a.simplify(&budget()).unwrap().union(&a).unwrap();
        prop_assert!(a.is_same_set(&again, &budget()).unwrap());
        let none = a.subtract(&a, &budget()).unwrap();
        prop_assert!(none.parts().is_empty());
    }

    #[test]
    fn disjoint_parts_have_no_common_point((a, _) in two(3)) {
        let disjoint = a.disjoint(&budget()).unwrap();
        prop_assert_eq!(members(&disjoint), members(&a));
        let mut seen = Vec::new();
        for (k, part) in disjoint.parts().iter().enumerate() {
            seen.extend(points(part, BOX));
            for other in &disjoint.parts()[..k] {
                prop_assert!(part.intersect(other).is_empty(&budget()).unwrap());
            }
        }
        let count = seen.len();
        seen.sort();
        seen.dedup();
        prop_assert_eq!(seen.len(), count);
    }

    #[test]
    fn shadows_of_parts((a, _) in two(2)) {
        let a = in_box(&a);
        let (shadow, exact) = a.project_out(&[0], &budget()).unwrap();
        let keep = |p: &Vec<i64>| [&p[..a.space().params], &p[a.space().params + 1..]].concat();
        let all: Vec<Vec<i64>> = a.parts().iter().flat_map(|p| points(p, BOX)).map(|p| keep(&p)).collect();
        for point in points(&Polyhedron::universe(shadow.space()), BOX) {
            let (params, dims) = point.split_at(shadow.space().params);
            let inside = shadow.contains(params, dims).unwrap();
            prop_assert!(inside || !all.contains(&point));
            prop_assert!(!exact || inside == all.contains(&point));
        }
    }

    #[test]
    fn printing_and_reading_gives_the_same_parts((a, _) in two(9)) {
        let (params, dims) = (&["n"][..a.space().params], &["i", "j"][..a.space().dims]);
        let printed = print_union(&a, params, dims);
        let back = parse_union(&printed).unwrap();
        prop_assert_eq!(&back.set, &a, "{}", printed);
    }

    #[test]
    fn no_text_does_harm(text in "(\\[n\\] -> )?\\{ \\[i\\] (: )?(([-+*()<>=;:,ijn0-9]|or|and|true|false|\\[i\\]) ?){0,20}\\}?") {
        if let Err(e) = parse_union(&text) {
            let placed = matches!(e, polyhedra::Error::Parse { .. });
            prop_assert!(placed);
        }
    }
}

fn check_difference(a: &str, b: &str, expected: Expect) {
    let (a, b) = (parse_union(a).unwrap(), parse_union(b).unwrap());
    let rest = a.set.subtract(&b.set, &budget()).unwrap().simplify(&budget()).unwrap();
    expected.assert_eq(&print_union(&rest, &a.params, &a.dims));
}

#[test]
fn differences_in_text() {
    check_difference(
        "{ [i] : 0 <= i <= 9 }",
        "{ [i] : 3 <= i <= 5 }",
        expect!["{ [i] : i >= 0 and i <= 2 or i >= 6 and i <= 9 }"],
    );
    check_difference(
        "[n] -> { [i, j] : 0 <= i, j < n }",
        "[n] -> { [i, j] : i = j }",
        expect!["[n] -> { [i, j] : i >= 0 and i >= j + 1 and j <= n - 1 or i >= 0 and j >= i + 1 and j <= n - 1 }"],
    );
    check_difference("{ [i, j] }", "{ [i, j] }", expect!["{ [i, j] : false }"]);
    check_difference("{ [i] : 2i >= 7 }", "{ [i] : 3i <= 12 or 6 <= i }", expect!["{ [i] : i = 5 }"]);
}

#[test]
fn mistakes_are_placed() {
    let check = |text: &str, expected: Expect| expected.assert_eq(&parse_union(text).unwrap_err().to_string());
    check("{ [i] : i >= 0 or }", expect!["line 1, column 19: expected a number, a name or '(', found '}'"]);
    check("{ [i] : i >= 0 ;\n [j] : j >= 0 }", expect!["line 2, column 2: expected the dimensions [i] again"]);
    check("{ [or] }", expect!["line 1, column 4: expected a name, found 'or'"]);
    check("{ [i] : i or 0 }", expect!["line 1, column 11: expected a comparison, found 'or'"]);
}

#[test]
fn unions_of_different_spaces_are_refused() {
    let (a, b) = (Union::universe(Space::new(0, 1)), Union::empty(Space::new(1, 1)));
    assert!(a.union(&b).is_err() && a.subtract(&b, &budget()).is_err() && a.is_subset(&b, &budget()).is_err());
    assert!(a.intersect(&b, &budget()).is_err());
}
