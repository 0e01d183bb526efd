//! Exact parametric dependences (memory based, all access pairs).

use crate::Result;
use crate::scop::{AccessId, Scop, StatementId};
use polyhedra::{Budget, Polyhedron};

/// Kind of a dependence, by what its ends do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum DependenceKind {
    /// write, then read
    Flow,
    /// read, then write
    Anti,
    /// write, then write
    Output,
    /// read, then read: reuse, no constraint
    Input,
}

/// `{ Source[i_s] -> Target[i_t] }`: instances that touch one cell, the source first in the original order. Convex: a pair of accesses gives one
/// dependence a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependence {
    /// Kind.
    pub kind: DependenceKind,
    /// Statement whose instance comes first.
    pub source: StatementId,
    /// Statement whose instance comes later.
    pub target: StatementId,
    /// The access of the source.
    pub source_access: AccessId,
    /// The access of the target.
    pub target_access: AccessId,
    /// Number of shared loops whose iterators are equal before the one that carries it; `common_loops` when loop independent.
    pub level: usize,
    /// Columns `[1 | N | i_t | i_s]`.
    pub relation: Polyhedron,
}

/// All dependences of a part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dependences {
    /// Those that constrain: flow, anti, output.
    pub ordering: Vec<Dependence>,
    /// Read-read pairs (reuse); for the cost model and for shift weights.
    pub reuse: Vec<Dependence>,
}

impl Dependences {
    /// Computes them. Deterministic order: by source, target, accesses, level.
    ///
    /// # Errors
    /// Overflow, budget, malformed part.
    pub fn of(scop: &Scop, budget: &Budget) -> Result<Self> {
        let _ = (scop, budget);
        todo!()
    }
}
