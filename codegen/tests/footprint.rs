//! Footprints against enumeration: the box holds every cell that is touched, and no more where bounds are simple.

#![allow(clippy::unwrap_used)]

mod common;

use codegen::ast::Expr;
use codegen::footprint::{Footprint, of_array};
use codegen::interpret::points;
use common::{Program, grid, trisolve};
use polyhedra::Budget;
use proptest::prelude::*;
use scheduler::scop::{ArrayId, Scop};

fn value(e: &Expr, params: &[i64]) -> i64 {
    match e {
        Expr::Affine(e) => e.eval(params, &[]).unwrap(),
        Expr::FloorDiv(e, d) => value(e, params).div_euclid(*d),
        Expr::CeilDiv(e, d) => -(-value(e, params)).div_euclid(*d),
        Expr::Min(list) => list.iter().map(|e| value(e, params)).min().unwrap(),
        Expr::Max(list) => list.iter().map(|e| value(e, params)).max().unwrap(),
    }
}

/// Least and largest value of every subscript over all instances; empty when nothing is touched.
fn touched(scop: &Scop, array: ArrayId, params: &[i64]) -> Vec<(i64, i64)> {
    let mut out: Vec<(i64, i64)> = Vec::new();
    for statement in &scop.statements {
        for point in points(statement, params).unwrap() {
            for access in statement.accesses.iter().filter(|a| a.array == array) {
                let cell: Vec<i64> = access.subscripts.iter().map(|e| e.eval(params, &point).unwrap()).collect();
                out.resize(cell.len(), (i64::MAX, i64::MIN));
                for (side, x) in out.iter_mut().zip(cell) {
                    *side = (side.0.min(x), side.1.max(x));
                }
            }
        }
    }
    out
}

/// Checks every array for several parameters; `exact`: the box is the least one whenever something is touched.
fn check(scop: &Scop, values: &[Vec<i64>], exact: bool) {
    for array in (0..scop.arrays.len()).map(ArrayId) {
        let footprint = of_array(scop, array, &Budget::generous()).unwrap();
        for params in values {
            let touched = touched(scop, array, params);
            match &footprint {
                Footprint::Empty => assert!(touched.is_empty(), "{array:?} at {params:?}"),
                Footprint::Unbounded => panic!("{array:?} has no bound"),
                Footprint::Box(extents) => {
                    for ((low, high), extent) in touched.into_iter().zip(extents) {
                        let sides = (value(&extent.lower, params), value(&extent.upper, params));
                        assert!(sides.0 <= low && high <= sides.1, "{array:?} {params:?}: {sides:?}, {low}..{high}");
                        assert!(!exact || sides == (low, high), "{array:?} {params:?}: {sides:?}, not {low}..{high}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_triangular_solve_has_least_boxes() {
    let (p, _) = trisolve();
    check(&p.scop, &grid(2, &[2, 3, 5]), true);
}

#[test]
fn neighbours_widen_the_box_by_constants() {
    let mut p = Program::new("n", &["n >= 3"]);
    p.statement("i", &["i >= 1", "i <= n - 2"], &[0, 0], &["A[i]", "A[i - 1]", "A[i + 1]", "A[i]"]);
    let Footprint::Box(extents) = of_array(&p.scop, ArrayId(0), &Budget::generous()).unwrap() else {
        panic!("bounded")
    };
    assert!(matches!((&extents[0].lower, &extents[0].upper), (Expr::Affine(_), Expr::Affine(_))));
    check(&p.scop, &grid(1, &[3, 4, 9]), true);
}

/// What the same quotient of other numbers says less of is left out.
#[test]
fn quotients_that_count_are_few() {
    let mut p = Program::new("n", &["n >= 12"]);
    for (k, (rows, cell)) in
        [("3j <= n - 10", "A[j]"), ("3j <= n - 5", "A[j]"), ("3j <= n - 7", "A[j]"), ("j <= 1", "A[j]")]
            .iter()
            .enumerate()
    {
        p.statement("j", &["j >= 0", rows], &[k, 0], &[cell]);
    }
    let Footprint::Box(extents) = of_array(&p.scop, ArrayId(0), &Budget::generous()).unwrap() else {
        panic!("bounded")
    };
    assert!(matches!(&extents[0].upper, Expr::FloorDiv(e, 3) if matches!(e.as_ref(), Expr::Affine(_))), "{extents:?}");
    check(&p.scop, &grid(1, &[12, 13, 14, 15, 16, 29]), true);
}

#[test]
fn a_statement_that_never_runs_touches_nothing() {
    let mut p = Program::new("n", &["n >= 0"]);
    p.statement("i", &["i >= 0", "i < n", "i >= n + 1"], &[0, 0], &["A[i]"]);
    assert_eq!(of_array(&p.scop, ArrayId(0), &Budget::generous()).unwrap(), Footprint::Empty);
}

#[test]
fn a_subscript_without_bound_is_said_to_have_none() {
    let mut p = Program::new("n", &[]);
    p.statement("i", &["i >= 0"], &[0, 0], &["A[i]"]);
    assert_eq!(of_array(&p.scop, ArrayId(0), &Budget::generous()).unwrap(), Footprint::Unbounded);
}

#[test]
fn strided_and_skewed_subscripts_are_covered() {
    let mut p = Program::new("n m", &[]);
    let rows = ["i >= 0", "3i <= n", "j >= i", "2j <= m + i"];
    p.statement("i j", &rows, &[0, 0, 0], &["A[2i - j + n][3j]", "A[i + j][m]", "B[5i - 3]"]);
    check(&p.scop, &grid(2, &[-1, 0, 1, 4, 7]), false);
}

proptest! {
    #[test]
    fn every_touched_cell_is_in_the_box(
        bounds in prop::collection::vec((-1i64..=1, -2i64..=2, -1i64..=2, -2i64..=3), 3),
        cells in prop::collection::vec((-2i64..=2, -1i64..=2, -2i64..=2, -1i64..=1, -3i64..=3), 1..6),
        params in prop::collection::vec((0i64..5, 0i64..5), 4),
    ) {
        let mut p = Program::new("n m", &[]);
        let names = ["i", "j", "k"];
        // a n + b <= x <= m + c y + d, y the loop around.
        let mut rows = Vec::new();
        for (d, (a, b, c, e)) in bounds.iter().enumerate() {
            rows.push(format!("{} >= {a}n + {b}", names[d]));
            let around = if d == 0 { String::new() } else { format!(" + {c}{}", names[d - 1]) };
            rows.push(format!("{} <= m{around} + {e}", names[d]));
        }
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let list: Vec<String> =
            cells.iter().map(|(a, b, c, n, e)| format!("A[{a}i + {b}j + {c}k + {n}n + {e}][{b}k + {e}]")).collect();
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        p.statement("i j k", &rows, &[0, 0, 0, 0], &list);
        let values: Vec<Vec<i64>> = params.iter().map(|(n, m)| vec![*n, *m]).collect();
        check(&p.scop, &values, false);
    }

    /// Several statements whose loops step over other numbers of cells: sides are quotients, of which some count and some do not.
    #[test]
    fn quotients_of_several_statements_are_in_the_box(
        statements in prop::collection::vec(((1i64..=3, -4i64..=4), (1i64..=3, 0i64..=2, -6i64..=6), (-2i64..=2, -1i64..=1, -3i64..=3)), 2..6),
        params in prop::collection::vec((0i64..9, 0i64..9), 6),
    ) {
        let mut p = Program::new("n m", &["n >= 0", "m >= 0"]);
        for (k, ((a, b), (c, d, e), (f, g, h))) in statements.iter().enumerate() {
            let rows = [format!("{a}i >= {b} - m"), format!("{c}i <= {d}n + {e}")];
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            p.statement("i", &rows, &[k, 0], &[&format!("A[{f}i + {g}n + {h}]")]);
        }
        let values: Vec<Vec<i64>> = params.iter().map(|(n, m)| vec![*n, *m]).collect();
        check(&p.scop, &values, false);
    }
}
