//! Fusion of operations by their loop invariants: which sequences can be done in one traversal, and in how many ways.
//!
//! **Problem.** `A := chol(A); b := L^-1 b`: may both run in one sweep over `A` and `b`, and what has each of them done when the sweep stands between two
//! steps?
//!
//! **On partitioned matrix expressions.** A [`Problem`] lists, for each operation, tasks on regions (`L_TL`, `L_BL`, ..). A loop invariant splits the tasks into past
//! and future; [`fuse()`] finds all splits of all operations that are invariants and fit together ([`rules()`]), with their strips, or a [`Refutation`].
//!
//! **On loop nests.** [`Planner`] does the same for code, where the choice of an invariant is the choice of the outermost row of a schedule: see [`Survey`] and
//! [`traversals`].
//!
//! Paper: Drewniak, *General description of the automated loop fusion algorithm* (2018). Nothing of its author's program is used.

mod answer;
mod bridge;
mod classes;
mod engine;
mod ideals;
mod problem;
mod refute;
mod report;
mod rules;
mod search;
mod split;
mod sweep;
#[cfg(test)]
mod tests;
mod text;
mod theta;
mod traversal;

pub use answer::{Answer, Mark, SharedInputs, Solution, Strip, fuse, is_strip, runs};
pub use bridge::{Derived, derive};
pub use classes::{Arrow, Cause, Class, Classes, Frame, MOST_COORDINATES, Mask};
pub use engine::{Planner, Survey, Witness};
pub use ideals::{Graph, Ideal, MOST_IDEALS, Outcome};
pub use problem::{Loop, Problem, RegionId, Stage, State, Task, TaskKind};
pub use refute::{End, Refutation};
pub use report::{print_rows, print_survey, print_taken};
pub use rules::{Literal, Origin, Rule, TaskId, rules};
pub use split::Split;
pub use sweep::{ArrayDim, Coordinates, Direction, Sweep, nests, sweeps};
pub use text::{is_problem, parse, print, print_solution, print_strips};
pub use theta::Part;
pub use traversal::{Inside, Offer, Pick, Traversal, Wish, offer, traversals, wanted};
