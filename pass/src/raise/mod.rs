//! From LLVM IR to static control parts.
//!
//! [`region`] finds candidates in the control flow, [`domain`] gives every block its affine domain, [`shape`] recovers array dimensions, [`timing`] decides
//! whether loaded values are still current, [`scalar`] finds array cells for values that travel in phis, [`statement`] turns each store into a statement with its
//! operations. What is refused comes back as a [`reject::Reject`].

pub mod body;
pub mod domain;
pub mod facts;
pub mod poly;
pub mod region;
pub mod reject;
pub mod scalar;
pub mod shape;
pub mod statement;
pub mod timing;

use crate::llvm::{Type, Value};
use body::Body;
use facts::Param;
use poly::Poly;
use polyhedra::Affine;
use region::Region;
use scheduler::scop::Scop;

/// An array of a region, as LLVM knows it.
#[derive(Clone, Debug)]
pub struct ArrayData {
    /// Pointer to the start; computed before the region.
    pub base: Value,
    /// Type of a cell.
    pub element: Type,
    /// Bytes of a cell.
    pub bytes: u64,
    /// Bytes between neighbours in every dimension, outermost first, polynomials in the parameters; the last is `bytes`.
    pub strides: Vec<Poly>,
}

/// What has to hold at run time for the static control part to be the program.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Affine forms over `[1 | N]` that must be `>= 0`.
    pub assumptions: Vec<Affine>,
    /// Pairs of arrays (indices) whose footprints must not overlap.
    pub pairs: Vec<(usize, usize)>,
    /// Arrays with symbolic strides: their offsets must stay within plus or minus 2^62 bytes.
    pub bounded: Vec<usize>,
}

/// A region and its model.
pub struct Raised {
    /// The region of the IR.
    pub region: Region,
    /// The model.
    pub scop: Scop,
    /// For each parameter of the model the value that it is.
    pub params: Vec<Param>,
    /// For each array of the model what it is in LLVM.
    pub arrays: Vec<ArrayData>,
    /// For each statement of the model what it computes.
    pub bodies: Vec<Body>,
    /// To be checked at run time (ranges of parameters are with the parameters).
    pub checks: Checks,
    /// Phis of the region's exit and the value that the region brings them.
    pub exit_values: Vec<(Value, Value)>,
}
