//! Polyhedra scanning: schedule tree to loops.

use crate::ast::Ast;
use polyhedra::Budget;
use scheduler::Result;
use scheduler::legality::LegalSchedule;
use scheduler::scop::Scop;

/// Makes loops that run every instance exactly once, in the order of the schedule. Tiled members become tile loops outside the points; full tiles get point
/// loops with constant bounds, the others general bounds.
///
/// # Errors
/// Overflow, budget; a part whose schedule needs more than affine loops (a row whose coefficients are no unimodular change).
pub fn generate(scop: &Scop, schedule: &LegalSchedule, budget: &Budget) -> Result<Ast> {
    let _ = (scop, schedule, budget);
    todo!()
}
