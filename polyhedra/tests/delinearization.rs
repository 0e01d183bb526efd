//! Delinearisation against the evaluation of offsets and bounds at every point of a small box.
#![allow(clippy::unwrap_used)]

mod common;

use common::budget;
use expect_test::{Expect, expect};
use num_bigint::BigInt;
use polyhedra::delinearize::{Delinearized, Offset, Side, Size, Status, Subscripts, delinearize};
use polyhedra::text::{parse_set, print_union};
use polyhedra::{Polyhedron, Space, oracle};
use proptest::prelude::*;

const LOW: i64 = -2;
const HIGH: i64 = 4;

/// The identity between offset and subscripts, and each obligation's status, at every point with all columns in `LOW..=HIGH`.
fn check_points(offset: &Offset, sizes: &[Size], domain: &Polyhedron, found: &Subscripts) {
    let space = domain.space();
    let free = Polyhedron::universe(Space::new(0, space.params));
    let all_params = oracle::points(&free, &[], LOW, HIGH).unwrap();
    for params in &all_params {
        for dims in oracle::points(&Polyhedron::universe(space), params, LOW, HIGH).unwrap() {
            assert_eq!(offset.value(params, &dims), found.value(sizes, params, &dims));
        }
    }
    for o in &found.obligations {
        for params in &all_params {
            let inside = oracle::points(domain, params, LOW, HIGH).unwrap();
            let holds = inside.iter().all(|dims| {
                let v = BigInt::from(found.subscripts[o.subscript].eval(params, dims).unwrap());
                match o.side {
                    Side::Lower => v >= BigInt::ZERO,
                    Side::Upper => v < sizes[o.subscript - 1].value(params),
                }
            });
            match &o.status {
                Status::Proved => assert!(holds),
                Status::Check(check) => assert!(holds || !check.contains(params, &[]).unwrap()),
                Status::Fails | Status::CheckProduct => {}
            }
        }
    }
}

fn show(found: &Subscripts, params: &[String], dims: &[String]) -> String {
    let mut out: String = found.subscripts.iter().map(|s| format!("[{}]", s.display(params, dims))).collect();
    for o in &found.obligations {
        let side = if o.side == Side::Lower { "lower" } else { "upper" };
        match &o.status {
            Status::Proved => {}
            Status::Check(check) => {
                out += &format!("; {side} bound of {}: {}", o.subscript, print_union(check, params, &[]));
            }
            other => out += &format!("; {side} bound of {}: {other:?}", o.subscript),
        }
    }
    out
}

/// A coefficient, its parameters, its dimension.
type Term<'a> = (i64, &'a [usize], Option<usize>);

fn check(domain: &str, terms: &[Term<'_>], sizes: &[(i64, &[usize])], expected: Expect) {
    let named = parse_set(domain).unwrap();
    let mut offset = Offset::zero(named.set.space());
    terms.iter().for_each(|(c, params, dim)| offset.add_term(*c, params, *dim).unwrap());
    let sizes: Vec<Size> = sizes.iter().map(|(f, p)| Size { factor: *f, params: p.to_vec() }).collect();
    let text = match delinearize(&offset, &sizes, &named.set, &budget()).unwrap() {
        Delinearized::Proved(s) => {
            check_points(&offset, &sizes, &named.set, &s);
            format!("proved {}", show(&s, &named.params, &named.dims))
        }
        Delinearized::NeedsCheck(s) => {
            check_points(&offset, &sizes, &named.set, &s);
            format!("check {}", show(&s, &named.params, &named.dims))
        }
        Delinearized::Fails(s) => format!("fails {}", show(&s, &named.params, &named.dims)),
        Delinearized::NoSubscript(c, m, d) => format!("no subscript for {c} {m:?} {d:?}"),
    };
    expected.assert_eq(&text);
}

#[test]
fn rows_of_a_matrix() {
    let square = "[n] -> { [i, j] : 0 <= i < n and 0 <= j < n }";
    check(square, &[(1, &[0], Some(0)), (1, &[], Some(1))], &[(1, &[0])], expect!["proved [i][j]"]);
    // One column on: the last one leaves its row.
    check(
        square,
        &[(1, &[0], Some(0)), (1, &[], Some(1)), (1, &[], None)],
        &[(1, &[0])],
        expect!["check [i + 1][j - n + 1]; lower bound of 1: [n] -> { [] : n <= 1 }"],
    );
    // n * i - 1 is the end of the row before.
    check(
        "[n] -> { [i] : 1 <= i < n }",
        &[(1, &[0], Some(0)), (-1, &[], None)],
        &[(1, &[0])],
        expect!["proved [i - 1][n - 1]"],
    );
    // Rows longer than known.
    let oblong = "[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }";
    check(
        oblong,
        &[(1, &[0], Some(0)), (1, &[], Some(1))],
        &[(1, &[0])],
        expect!["check [i][j]; upper bound of 1: [n, m] -> { [] : n <= 0 or n >= 1 and n >= m }"],
    );
}

#[test]
fn three_dimensions() {
    let domain = "[n, m] -> { [i, j, k] : 0 <= i and 0 <= j < n and 0 <= k < m - 1 }";
    let terms: [Term; 4] = [(1, &[0, 1], Some(0)), (1, &[1], Some(1)), (1, &[], Some(2)), (1, &[], None)];
    check(domain, &terms, &[(1, &[0]), (1, &[1])], expect!["proved [i][j][k + 1]"]);
    // The same cells as rows of n * m.
    let flat: [Term; 2] = [(1, &[0, 1], Some(0)), (1, &[], Some(1))];
    check("[n, m] -> { [i, j] : 0 <= i and 0 <= j < n and m >= 1 }", &flat, &[(1, &[0, 1])], expect!["proved [i][j]"]);
    check(
        "[n, m] -> { [i, j] : 0 <= i and 0 <= j < n }",
        &flat,
        &[(1, &[0, 1])],
        expect!["check [i][j]; upper bound of 1: CheckProduct"],
    );
}

#[test]
fn constant_sizes() {
    let domain = "{ [i, j] : 0 <= i <= 3 and 0 <= j <= 3 }";
    check(domain, &[(1000, &[], Some(0)), (1, &[], Some(1))], &[(1000, &[])], expect!["proved [i][j]"]);
    check("{ [i] : 0 <= i <= 4 }", &[(1001, &[], Some(0))], &[(1000, &[])], expect!["proved [i][i]"]);
    // Rows of 3, but j goes to 3.
    check(
        domain,
        &[(3, &[], Some(0)), (1, &[], Some(1))],
        &[(3, &[])],
        expect!["fails [i][j]; upper bound of 1: Fails"],
    );
}

#[test]
fn what_fits_no_stride() {
    check("[n] -> { [i] : 0 <= i < n }", &[(1, &[0], Some(0))], &[(8, &[])], expect!["no subscript for 1 [0] Some(0)"]);
    check(
        "[n] -> { [i] : 0 <= i < n }",
        &[(3, &[0], Some(0))],
        &[(2, &[0])],
        expect!["no subscript for 1 [0] Some(0)"],
    );
}

#[test]
fn sizes_are_checked() {
    let domain = parse_set("[n] -> { [i] }").unwrap().set;
    let offset = Offset::zero(domain.space());
    for bad in [Size { factor: 0, params: vec![] }, Size { factor: 1, params: vec![1] }] {
        assert!(delinearize(&offset, &[bad], &domain, &budget()).is_err());
    }
    assert!(Offset::zero(domain.space()).add_term(1, &[], Some(1)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn subscripts_mean_the_same_cells(
        rows in prop::collection::vec(common::any_row(Space::new(2, 2), 2), 0..4),
        terms in prop::collection::vec((-9..=9_i64, prop::collection::vec(0_usize..2, 0..3), prop::option::of(0_usize..2)), 0..5),
        sizes in prop::collection::vec((1..=4_i64, prop::sample::select(vec![vec![], vec![0], vec![1], vec![0, 1]])), 1..3),
    ) {
        let space = Space::new(2, 2);
        let domain = Polyhedron::new(space, rows);
        let mut domain_in_box = domain;
        for column in 1..space.columns() {
            for (sign, size) in [(1, -LOW), (-1, HIGH)] {
                let mut row = vec![0; space.columns()];
                (row[0], row[column]) = (size, sign);
                domain_in_box.add(polyhedra::Constraint::ge(polyhedra::Affine::from_coeffs(space, row)));
            }
        }
        let mut offset = Offset::zero(space);
        terms.iter().for_each(|(c, params, dim)| offset.add_term(*c, params, *dim).unwrap());
        let sizes: Vec<Size> = sizes.into_iter().map(|(factor, params)| Size { factor, params }).collect();
        match delinearize(&offset, &sizes, &domain_in_box, &budget()).unwrap() {
            Delinearized::Proved(s) | Delinearized::NeedsCheck(s) | Delinearized::Fails(s) => {
                check_points(&offset, &sizes, &domain_in_box, &s);
                prop_assert!(!s.check(&budget()).unwrap().parts().is_empty() || !s.obligations.iter().all(|o| o.status == Status::Proved));
            }
            Delinearized::NoSubscript(c, _, _) => prop_assert!(c != 0),
        }
    }
}
