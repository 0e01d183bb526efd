//! Sets and maps of integers, exactly.
//!
//! This crate knows nothing of loops, arrays or cost. It answers questions about
//! sets `{ [i] in Z^d | A (1, N, i) >= 0, E (1, N, i) = 0 }` with integer parameters `N`:
//! is the set empty, what is the least value of an affine form on it, what is its
//! shadow on fewer dimensions, which non-negative combination of its rows proves that an
//! affine form is non-negative (Farkas).
//!
//! On sets: [`Polyhedron`] (emptiness, [`project`], simplification), [`union`] (differences, cases), [`search`] and [`lexmin`] (integer optima, first
//! points, samples), [`axes`] (loop bounds in any axes), [`delinearize`], [`simplex`] and [`farkas`] (rational optima, certificates), [`text`]. Below them [`matrix`].
//! Every operation is tested against [`oracle`], which enumerates.
//!
//! Arithmetic is exact: coefficients are `i64`, intermediate results `i128`, and where
//! these overflow the question is asked again in big integers (module `number`). Only a
//! *result* that does not fit is [`Error::Overflow`]; no number ever wraps. Work is bounded
//! by a [`Budget`] that the caller owns; running out is [`Error::Budget`].

#![forbid(unsafe_code)]

pub mod affine;
pub mod axes;
pub mod budget;
pub mod delinearize;
pub mod error;
pub mod farkas;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
pub mod lexmin;
pub mod matrix;
mod memo;
mod number;
mod omega;
pub mod oracle;
pub mod polyhedron;
pub mod project;
mod rows;
pub mod search;
pub mod simplex;
mod simplify;
mod tableau;
pub mod text;
pub mod union;

pub use affine::{Affine, Space};
pub use axes::{Axes, LoopNest};
pub use budget::Budget;
pub use error::{Error, Result};
pub use farkas::Certificate;
pub use lexmin::Lexmin;
pub use matrix::Matrix;
pub use polyhedron::{Bounds, Constraint, DivBound, Kind, Optimum, Polyhedron};
pub use search::Point;
pub use union::Union;
