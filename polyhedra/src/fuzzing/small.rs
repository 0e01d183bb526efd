//! Small random sets out of bytes, and their points.

use crate::number::Number;
use crate::rows::System;
use crate::{Affine, Budget, Constraint, Kind, Polyhedron, Space, Union, oracle};
use num_bigint::BigInt;
use std::fmt::Debug;

/// Every column lies in `-BOX..=BOX` in a boxed set.
pub(super) const BOX: i64 = 3;

/// Reads choices off bytes; 0 for ever after the last.
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(super) const fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    fn next(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((&first, rest)) => {
                self.rest = rest;
                first
            }
            None => 0,
        }
    }

    /// In `0..many`.
    pub(super) fn below(&mut self, many: usize) -> usize {
        usize::from(self.next()) % many.max(1)
    }

    /// In `-size..=size`.
    pub(super) fn entry(&mut self, size: i64) -> i64 {
        let wide = if size > 100 { i64::from_le_bytes([0; 8].map(|_: u8| self.next())) } else { self.next().into() };
        wide.rem_euclid(2 * size + 1) - size
    }

    /// Up to one parameter, one or two dimensions, rarely three.
    pub(super) fn space(&mut self) -> Space {
        let (params, dims) = [(0, 2), (1, 1), (1, 2), (0, 1), (0, 3)][self.below(5)];
        Space::new(params, dims)
    }

    pub(super) fn row(&mut self, space: Space) -> Constraint {
        let choice = self.next();
        let size = if choice & 8 == 0 { 2 } else { 9 };
        let mut coeffs = vec![self.entry(3 * size)];
        for _ in 1..space.columns() {
            let entry = if self.next() & 3 == 0 { 0 } else { self.entry(size) };
            coeffs.push(entry);
        }
        let kind = if choice & 3 == 0 { Kind::Eq } else { Kind::Ge };
        Constraint { kind, expr: Affine::from_coeffs(space, coeffs) }
    }

    pub(super) fn set(&mut self, space: Space, most: usize) -> Polyhedron {
        let rows = (0..self.below(most + 1)).map(|_| self.row(space)).collect();
        Polyhedron::new(space, rows)
    }

    /// Rows with entries of any size.
    pub(super) fn large_set(&mut self, space: Space, most: usize) -> Polyhedron {
        let mut rows = Vec::new();
        for _ in 0..self.below(most + 1) {
            let mut row = self.row(space);
            let mut coeffs = row.expr.coeffs().to_vec();
            for c in &mut coeffs {
                *c = match self.next() & 7 {
                    0 => i64::MIN,
                    1 => i64::MAX,
                    2 => self.entry(i64::MAX / 2),
                    3 => self.entry(1 << 33),
                    _ => *c,
                };
            }
            row.expr = Affine::from_coeffs(space, coeffs);
            rows.push(row);
        }
        Polyhedron::new(space, rows)
    }
}

/// The set with every column, parameters too, in `-BOX..=BOX`.
pub(super) fn boxed(set: &Polyhedron) -> Polyhedron {
    let space = set.space();
    let mut out = set.clone();
    for column in 1..space.columns() {
        for sign in [1, -1] {
            let mut row = vec![0; space.columns()];
            (row[0], row[column]) = (BOX, sign);
            out.add(Constraint::ge(Affine::from_coeffs(space, row)));
        }
    }
    out
}

/// All points `(N, i)` of the set in the box.
pub(super) fn points(set: &Polyhedron) -> Vec<Vec<i64>> {
    let free = Polyhedron::universe(Space::new(0, set.space().params));
    let mut out = Vec::new();
    for params in oracle::points(&free, &[], -BOX, BOX).unwrap() {
        let inside = oracle::points(set, &params, -BOX, BOX).unwrap();
        out.extend(inside.into_iter().map(|dims| [params.clone(), dims].concat()));
    }
    out
}

pub(super) fn has(set: &Polyhedron, point: &[i64]) -> bool {
    let (params, dims) = point.split_at(set.space().params);
    set.contains(params, dims).unwrap()
}

pub(super) fn member_of(set: &Union, point: &[i64]) -> bool {
    let (params, dims) = point.split_at(set.space().params);
    set.contains(params, dims).unwrap()
}

pub(super) fn value(form: &Affine, point: &[i64]) -> i64 {
    let (params, dims) = point.split_at(form.space().params);
    form.eval(params, dims).unwrap()
}

pub(super) fn holds(row: &Constraint, point: &[i64]) -> bool {
    let v = value(&row.expr, point);
    if row.kind == Kind::Eq { v == 0 } else { v >= 0 }
}

/// The algorithms on rows, in both kinds of numbers: the same answers, word for word.
pub(super) fn same_answers<A: Number, B: Number>(set: &Polyhedron, d: usize, budget: &Budget) {
    fn same<T: PartialEq + Debug>(a: T, b: T) {
        assert_eq!(a, b);
    }
    let empty = |e: crate::Result<bool>| e.unwrap();
    same(
        empty(crate::omega::is_empty(System::<A>::of(set), budget)),
        empty(crate::omega::is_empty(System::<B>::of(set), budget)),
    );
    same(set.simplified::<A>(budget).unwrap(), set.simplified::<B>(budget).unwrap());
    let mut dropped = vec![false; set.space().columns()];
    dropped[set.space().dim_column(d)] = true;
    same(set.project::<A>(&dropped, budget).unwrap(), set.project::<B>(&dropped, budget).unwrap());
    let rows = crate::simplex::input(set);
    let wide: Vec<Vec<BigInt>> = rows.iter().map(|(_, r)| r.iter().map(|&c| BigInt::from(c)).collect()).collect();
    let wide: Vec<_> = rows.iter().zip(&wide).map(|((kind, _), r)| (*kind, &r[..])).collect();
    if let (Some((_, form)), Some((_, wide_form))) = (rows.first(), wide.first()) {
        let columns = set.space().columns();
        let small = i64::solve(columns, &rows[1..], crate::tableau::Goal::Minimise(form), budget).unwrap();
        let big = BigInt::solve(columns, &wide[1..], crate::tableau::Goal::Minimise(wide_form), budget).unwrap();
        same(small.proof(rows.len()), big.proof(rows.len()));
    }
}

/// Text that is nearly a set: each byte chooses a piece.
pub(super) fn likely_text(bytes: &[u8]) -> String {
    const PIECES: [&str; 24] = [
        "i",
        "j",
        "n",
        "0",
        "1",
        "23",
        " + ",
        " - ",
        "*",
        "(",
        ")",
        " <= ",
        " < ",
        " >= ",
        " = ",
        " and ",
        " or ",
        ", ",
        "\n",
        "false",
        "true",
        "; [i, j] : ",
        "2i",
        "-",
    ];
    let body: String = bytes.iter().take(30).map(|&b| PIECES[usize::from(b) % PIECES.len()]).collect();
    format!("[n] -> {{ [i, j] : {body} }}")
}
