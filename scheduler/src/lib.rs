//! From a static control part to a proved schedule and a tree of loops.
//!
//! ```text
//! Scop --dependences--> Dependences --plan, solve, prove--> LegalSchedule --cost, tile--> Tree
//! ```
//!
//! Nothing here knows LLVM: a statement's body is an opaque id.

#![forbid(unsafe_code)]

pub mod choose;
pub mod coalesce;
#[cfg(test)]
mod conformance;
pub mod cost;
mod cover;
pub mod cycle;
pub mod dependence;
#[cfg(test)]
mod disguise;
pub mod error;
pub mod fusion;
pub mod groups;
pub mod kernel;
pub mod legality;
mod linear;
mod lp;
pub mod machine;
mod matching;
pub mod plan;
pub mod privatise;
#[cfg(test)]
mod properties;
pub mod reroll;
mod rows;
pub mod scop;
pub mod shift;
mod solve;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod tree;
pub mod updates;

pub use error::{Error, Result};
