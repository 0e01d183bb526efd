//! Fuzz targets: each takes bytes, makes small sets of them and checks operations against enumeration. A wrong answer is a panic.
//!
//! `cargo test` drives every target over some thousand pseudo-random inputs; `cargo fuzz run <target>` in `polyhedra/fuzz` drives it for as long as one likes.
//! Compiled for tests and with the feature `fuzzing` only. What cannot be answered ([`Error::Budget`](crate::Error), results that do not fit) is no finding.
#![allow(clippy::unwrap_used, reason = "a panic is how a target says that something is wrong")]

mod small;

use self::small::{BOX, Bytes, boxed, has, member_of, points};
use crate::delinearize::{Delinearized, Offset, Side, Size, Status, delinearize};
use crate::farkas::{prove_empty, prove_nonnegative};
use crate::number::Number;
use crate::text::{parse_set, parse_union, print_set, print_union};
use crate::{Affine, Axes, Budget, Error, Matrix, Optimum, Polyhedron, Space, Union};
use num_bigint::BigInt;

/// A target: panics on a wrong answer.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: [(&str, Target); 9] = [
    ("sets", sets),
    ("unions", unions),
    ("extreme_points", extreme_points),
    ("loops", loops),
    ("certificates", certificates),
    ("promotion", promotion),
    ("matrices", matrices),
    ("delinearization", delinearization),
    ("text", text),
];

fn budget() -> Budget {
    Budget::new(20_000_000)
}

/// Emptiness, implication, simplification, gist, projection.
pub fn sets(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let space = bytes.space();
    let (free, context) = (bytes.set(space, 5), bytes.set(space, 2));
    let set = boxed(&free);
    let all = points(&set);
    assert_eq!(set.is_empty(&budget()).unwrap(), all.is_empty());
    assert!(all.is_empty() || !set.is_obviously_empty());
    let row = bytes.row(space);
    assert_eq!(set.implies(&row, &budget()).unwrap(), all.iter().all(|p| small::holds(&row, p)));
    assert_eq!(points(&set.simplify(&budget()).unwrap()), all);
    assert_eq!(points(&free.simplify(&budget()).unwrap()), points(&free));
    let both = points(&free.intersect(&context));
    assert_eq!(points(&free.gist(&context, &budget()).unwrap().intersect(&context)), both);
    let d = bytes.below(space.dims);
    let shadow = set.project_out(&[d], &budget()).unwrap();
    let mut images: Vec<Vec<i64>> = all.clone();
    for p in &mut images {
        p.remove(space.params + d);
    }
    let within = points(&shadow.set);
    assert!(images.iter().all(|p| within.contains(p)));
    assert!(!shadow.exact || within.iter().all(|p| images.contains(p)));
}

/// Union, intersection, difference, complement, inclusion, equality, disjoint form.
pub fn unions(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let space = bytes.space();
    let mut any = || {
        let parts = (0..bytes.below(3)).map(|_| bytes.set(space, 3)).collect();
        Union::new(space, parts)
    };
    let (a, b) = (any(), any());
    let all = points(&Polyhedron::universe(space));
    let check = |found: &Union, of: &dyn Fn(bool, bool) -> bool| {
        for p in &all {
            assert_eq!(member_of(found, p), of(member_of(&a, p), member_of(&b, p)), "{found:?} at {p:?}");
        }
    };
    check(&a.union(&b).unwrap(), &|a, b| a || b);
    check(&a.intersect(&b, &budget()).unwrap(), &|a, b| a && b);
    let difference = a.subtract(&b, &budget()).unwrap();
    check(&difference, &|a, b| a && !b);
    check(&a.complement(&budget()).unwrap(), &|a, _| !a);
    check(&a.simplify(&budget()).unwrap(), &|a, _| a);
    let disjoint = a.disjoint(&budget()).unwrap();
    check(&disjoint, &|a, _| a);
    for p in &all {
        assert!(disjoint.parts().iter().filter(|part| has(part, p)).count() <= 1);
    }
    assert_eq!(a.is_subset(&b, &budget()).unwrap(), difference.parts().is_empty());
    assert!(a.is_same_set(&disjoint, &budget()).unwrap());
}

/// Rational and integer optima, first and last points, samples.
pub fn extreme_points(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let space = bytes.space();
    let free = bytes.set(space, 5);
    let form = bytes.row(space).expr;
    let set = boxed(&free);
    let all = points(&set);
    let least = all.iter().map(|p| small::value(&form, p)).min();
    let expected = least.map_or(Optimum::Empty, Optimum::Bounded);
    assert_eq!(set.integer_minimum(&form, &budget()).unwrap(), expected);
    match (set.minimum(&form, &budget()).unwrap(), least) {
        (Optimum::Bounded(v), Some(least)) => assert!(v <= i128::from(least).into()),
        (Optimum::Empty, Some(_)) | (Optimum::Unbounded, _) => panic!("a boxed set has a minimum"),
        _ => {}
    }
    match free.sample(&budget()).unwrap() {
        Some(p) => assert!(free.contains(&p.params, &p.dims).unwrap()),
        None => assert!(points(&free).is_empty()),
    }
    let (first, last) = (set.lexmin(&budget()).unwrap(), set.lexmax(&budget()).unwrap());
    for params in points(&Polyhedron::universe(Space::new(space.params, 0))) {
        let here: Vec<Vec<i64>> =
            all.iter().filter(|p| p.starts_with(&params)).map(|p| p[space.params..].to_vec()).collect();
        let point = |p: Option<&Vec<i64>>| p.map_or(Optimum::Empty, |p| Optimum::Bounded(p.clone()));
        assert_eq!(set.lexmin_at(&params, &budget()).unwrap(), point(here.first()));
        assert_eq!(set.lexmax_at(&params, &budget()).unwrap(), point(here.last()));
        assert!(first.at(&params).unwrap().is_none_or(|p| p == point(here.first())));
        assert!(last.at(&params).unwrap().is_none_or(|p| p == point(here.last())));
    }
}

/// Loops along random unimodular axes visit each point once, in order.
pub fn loops(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let space = bytes.space();
    let set = boxed(&bytes.set(space, 4));
    let mut forward: Vec<Affine> = (0..space.dims).map(|d| Affine::dim(space, d)).collect();
    for _ in 0..bytes.below(4) {
        let (to, from) = (bytes.below(space.dims), bytes.below(space.dims));
        if to == from {
            forward[to] = forward[to].scale(-1).unwrap().offset(bytes.entry(3)).unwrap();
        } else {
            forward[to] = forward[to].combine(1, &forward[from], bytes.entry(2)).unwrap();
            forward.swap(to, from);
        }
    }
    let axes = Axes::new(space, forward).unwrap().unwrap();
    let nest = set.in_axes(&axes).unwrap().loop_nest(&budget()).unwrap();
    for params in points(&Polyhedron::universe(Space::new(space.params, 0))) {
        let visited = nest.points(&params, &budget()).unwrap();
        assert!(visited.windows(2).all(|w| w[0] < w[1]));
        let back = |y: &Vec<i64>| axes.backward().iter().map(|e| e.eval(&params, y).unwrap()).collect::<Vec<i64>>();
        let mut found: Vec<Vec<i64>> = visited.iter().map(back).collect();
        found.sort();
        assert_eq!(found, crate::oracle::points(&set, &params, -BOX, BOX).unwrap());
    }
}

/// Certificates prove what they say, and exist where they must.
pub fn certificates(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let space = bytes.space();
    let set = boxed(&bytes.set(space, 5));
    let form = bytes.row(space).expr;
    let least = set.minimum(&form, &budget()).unwrap();
    let proof = prove_nonnegative(&form, &set, &budget()).unwrap();
    let must = match &least {
        Optimum::Bounded(v) => *v.numer() >= 0,
        Optimum::Empty => true,
        Optimum::Unbounded => false,
    };
    assert_eq!(proof.is_some(), must);
    if let Some(proof) = proof {
        assert!(proof.proves(&form, &set).unwrap());
        assert!(points(&set).iter().all(|p| small::value(&form, p) >= 0));
    }
    let empty = prove_empty(&set, &budget()).unwrap();
    assert_eq!(empty.is_some(), least == Optimum::Empty);
    if let Some(empty) = empty {
        assert!(empty.proves(&Affine::constant(space, -1), &set).unwrap() && points(&set).is_empty());
    }
}

/// Big integers give the answers of `i64`; large coefficients give answers or refusals, the same under each other's questions.
pub fn promotion(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let space = bytes.space();
    let set = bytes.set(space, 5);
    small::same_answers::<i64, BigInt>(&set, bytes.below(space.dims), &budget());
    // Large entries: what is said must fit the points nearby.
    let large = bytes.large_set(space, 4);
    let near = points(&large);
    let b = || Budget::new(20_000);
    if let Ok(empty) = large.is_empty(&b()) {
        assert!(near.is_empty() || !empty);
        assert!(large.is_rationally_empty(&b()) != Ok(true) || empty);
    }
    if let Ok(simple) = large.simplify(&b()) {
        assert_eq!(points(&simple), near);
    }
    if let Ok(Some(p)) = large.sample(&b()) {
        assert!(large.contains(&p.params, &p.dims).unwrap());
    }
    let form = bytes.row(space).expr;
    if let Ok(Some(proof)) = prove_nonnegative(&form, &large, &b()) {
        assert!(proof.proves(&form, &large).unwrap());
        assert!(near.iter().all(|p| small::value(&form, p) >= 0));
    }
}

/// Hermite form, kernel, inverse, completion, by their definitions.
pub fn matrices(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let (rows, columns) = (1 + bytes.below(3), 1 + bytes.below(3));
    let size = [2, 9, 1 << 40][bytes.below(3)];
    let m = Matrix::new((0..rows).map(|_| (0..columns).map(|_| bytes.entry(size)).collect()).collect(), columns);
    let product = |a: &Matrix, b: &Matrix| -> Vec<Vec<BigInt>> {
        let entry = |row: &Vec<i64>, c: usize| row.iter().zip(b.rows()).map(|(&x, r)| BigInt::from(x) * r[c]).sum();
        a.rows().iter().map(|row| (0..b.columns()).map(|c| entry(row, c)).collect()).collect()
    };
    let big = |a: &Matrix| -> Vec<Vec<BigInt>> {
        a.rows().iter().map(|r| r.iter().map(|&x| BigInt::from(x)).collect()).collect()
    };
    let rank = m.rank().unwrap();
    if let Ok((h, u)) = m.hermite() {
        assert_eq!(product(&m, &u), big(&h));
        assert_eq!(u.determinant().unwrap().abs(), 1);
    }
    if let Ok(kernel) = m.null_space() {
        assert_eq!(kernel.len(), columns - rank);
        for v in &kernel {
            let column = Matrix::new(v.iter().map(|&x| vec![x]).collect(), 1);
            assert!(product(&m, &column).iter().all(|r| Number::is_zero(&r[0])));
        }
    }
    if let Ok(Some(whole)) = m.unimodular_completion() {
        assert_eq!(whole.rows()[..rows], *m.rows());
        assert_eq!(whole.determinant().unwrap().abs(), 1);
        if let Ok(inverse) = whole.unimodular_inverse() {
            let identity = (0..columns).map(|r| (0..columns).map(|c| BigInt::from(i32::from(r == c))).collect());
            assert_eq!(product(&whole, &inverse.unwrap()), identity.collect::<Vec<Vec<_>>>());
        }
    }
}

/// Subscripts mean the offset's cells; proofs and checks hold at every point.
pub fn delinearization(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let space = Space::new(1, 1 + bytes.below(2));
    let domain = boxed(&bytes.set(space, 3));
    let mut offset = Offset::zero(space);
    for _ in 0..bytes.below(5) {
        let params = vec![0; bytes.below(3)];
        let dim = Some(bytes.below(space.dims + 1)).filter(|&d| d < space.dims);
        offset.add_term(bytes.entry(9), &params, dim).unwrap();
    }
    let mut size = || Size { factor: 1 + bytes.entry(2).abs(), params: vec![0; bytes.below(2)] };
    let sizes = [size(), size()];
    let found = match delinearize(&offset, &sizes, &domain, &budget()).unwrap() {
        Delinearized::Proved(s) | Delinearized::NeedsCheck(s) | Delinearized::Fails(s) => s,
        Delinearized::NoSubscript(..) => return,
    };
    for p in points(&Polyhedron::universe(space)) {
        let (params, dims) = p.split_at(1);
        assert_eq!(offset.value(params, dims), found.value(&sizes, params, dims));
        for o in found.obligations.iter().filter(|_| has(&domain, &p)) {
            let v = BigInt::from(found.subscripts[o.subscript].eval(params, dims).unwrap());
            let holds = match o.side {
                Side::Lower => !Number::is_negative(&v),
                Side::Upper => v < sizes[o.subscript - 1].value(params),
            };
            match &o.status {
                Status::Proved => assert!(holds),
                Status::Check(check) => assert!(holds || !check.contains(params, &[]).unwrap()),
                Status::CheckProduct | Status::Fails => {}
            }
        }
    }
}

/// Arbitrary text never panics; mistakes have a place in it; what is read prints and reads the same.
pub fn text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let bodies = [text.clone().into_owned(), format!("[n] -> {{ [i, j] : {text} }}"), small::likely_text(bytes)];
    for text in &bodies {
        match parse_set(text) {
            Ok(named) => {
                let printed = print_set(&named.set, &named.params, &named.dims);
                assert_eq!(parse_set(&printed).unwrap(), named);
            }
            Err(e) => assert_placed(&e, text),
        }
        match parse_union(text) {
            Ok(named) => {
                let printed = print_union(&named.set, &named.params, &named.dims);
                assert_eq!(parse_union(&printed).unwrap(), named);
            }
            Err(e) => assert_placed(&e, text),
        }
    }
}

fn assert_placed(error: &Error, text: &str) {
    let Error::Parse { line, column, .. } = error else { panic!("{error:?} has no place") };
    let found = text.split('\n').nth(line - 1).expect("a line of the text");
    assert!((1..=found.chars().count() + 1).contains(column), "column {column} of {found:?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed number of inputs: about a second for each target.
    fn drive(name: &str, inputs: u64) {
        let (_, target) = TARGETS.iter().find(|(own, _)| *own == name).unwrap();
        for seed in 0..inputs {
            let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56).to_le_bytes()[0]
            };
            let length = usize::from(next()) / 2 + 8;
            let bytes: Vec<u8> = (0..length).map(|_| next()).collect();
            target(&bytes);
        }
    }

    #[test]
    fn sets_hold() {
        drive("sets", 8000);
    }

    #[test]
    fn unions_hold() {
        drive("unions", 5000);
    }

    #[test]
    fn extreme_points_hold() {
        drive("extreme_points", 4000);
    }

    #[test]
    fn loops_hold() {
        drive("loops", 8000);
    }

    #[test]
    fn certificates_hold() {
        drive("certificates", 30_000);
    }

    #[test]
    fn promotion_holds() {
        drive("promotion", 6000);
    }

    #[test]
    fn matrices_hold() {
        drive("matrices", 40_000);
    }

    #[test]
    fn delinearization_holds() {
        drive("delinearization", 6000);
    }

    #[test]
    fn text_holds() {
        drive("text", 40_000);
    }
}
