//! What a traversal may move through: array dimensions, and where each statement stands in them.
//!
//! **Notation.** One boundary `t` moves through some dimensions of some arrays. For a statement, `c_1 .. c_m` are its distinct subscripts in these dimensions:
//! addresses, so that shifts like `k + n + 1` are already in them. Backwards, all of them are negated, and nothing else changes.
//!
//! **Method.** (array, dimension) and (statement, loop) belong together if some subscript of the statement in that dimension mentions the loop; each class of
//! this relation is a candidate. A run of nests needs one that gives every statement a coordinate; where none does, nests that have nothing to do with
//! each other may still move together, each through its own dimensions.

use crate::scop::{ArrayId, Scop, StatementId};
use polyhedra::Affine;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Which way the boundary moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// Towards larger subscripts.
    Forward,
    /// Towards smaller ones.
    Backward,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
        })
    }
}

/// A dimension of an array.
pub type ArrayDim = (ArrayId, usize);

/// Dimensions that are swept together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sweep(pub BTreeSet<ArrayDim>);

impl Sweep {
    /// The distinct subscripts of a statement in these dimensions, the store's first.
    #[must_use]
    pub fn coordinates(&self, scop: &Scop, s: StatementId) -> Vec<Affine> {
        let mut out: Vec<Affine> = Vec::new();
        for access in &scop.statements[s.0].accesses {
            for (d, subscript) in access.subscripts.iter().enumerate() {
                if self.0.contains(&(access.array, d)) && !out.contains(subscript) {
                    out.push(subscript.clone());
                }
            }
        }
        out
    }

    /// `A.0 A.1 b.0`.
    #[must_use]
    pub fn print(&self, scop: &Scop) -> String {
        let name = |(a, d): &ArrayDim| format!("{}.{d}", scop.arrays[a.0].name);
        self.0.iter().map(name).collect::<Vec<_>>().join(" ")
    }
}

/// The nests of a part: statements that share their outermost loop, in source order.
#[must_use]
pub fn nests(scop: &Scop) -> Vec<Vec<StatementId>> {
    let mut all: Vec<StatementId> = (0..scop.statements.len()).map(StatementId).collect();
    all.sort_by(|a, b| scop.statements[a.0].beta.cmp(&scop.statements[b.0].beta));
    let place = |s: &StatementId| scop.statements[s.0].beta.first();
    all.chunk_by(|a, b| place(a) == place(b)).map(<[_]>::to_vec).collect()
}

/// A node of the relation that joins dimensions and loops.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Axis {
    Dim(ArrayDim),
    Loop(StatementId, usize),
}

/// The candidates for some nests, those first whose first dimension comes first. Empty: some statement has no subscript that a loop moves.
#[must_use]
pub fn sweeps(scop: &Scop, nests: &[Vec<StatementId>]) -> Vec<Sweep> {
    let mut parts: Vec<BTreeSet<Axis>> = Vec::new();
    for &s in nests.iter().flatten() {
        for access in &scop.statements[s.0].accesses {
            for (d, subscript) in access.subscripts.iter().enumerate() {
                let loops = (0..subscript.space().dims).filter(|&l| subscript.dim_coeff(l) != 0);
                let mut own: BTreeSet<Axis> = loops.map(|l| Axis::Loop(s, l)).collect();
                if own.is_empty() {
                    continue;
                }
                own.insert(Axis::Dim((access.array, d)));
                let (joined, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(|p| !p.is_disjoint(&own));
                own.extend(joined.into_iter().flatten());
                parts = apart;
                parts.push(own);
            }
        }
    }
    let dims = |part: &BTreeSet<Axis>| -> BTreeSet<ArrayDim> {
        part.iter().filter_map(|a| if let Axis::Dim(d) = a { Some(*d) } else { None }).collect()
    };
    let mut all: Vec<Sweep> = parts.iter().map(|p| Sweep(dims(p))).collect();
    all.sort();
    let ties = |sweep: &Sweep, nest: &[StatementId]| nest.iter().all(|&s| !sweep.coordinates(scop, s).is_empty());
    let whole: Vec<Sweep> = all.iter().filter(|w| nests.iter().all(|n| ties(w, n))).cloned().collect();
    if !whole.is_empty() {
        return whole;
    }
    let first = |n: &Vec<StatementId>| all.iter().find(|w| ties(w, n));
    match nests.iter().map(first).collect::<Option<Vec<_>>>() {
        Some(own) if !own.is_empty() => vec![Sweep(own.into_iter().flat_map(|w| w.0.clone()).collect())],
        _ => Vec::new(),
    }
}

/// Coordinates of every statement.
pub type Coordinates = BTreeMap<StatementId, Vec<Affine>>;
