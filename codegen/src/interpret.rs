//! Runs an AST on paper: the oracle for code generation.

use crate::ast::Ast;
use scheduler::Result;
use scheduler::scop::StatementId;

/// The instances in the order in which the loops run them.
///
/// # Errors
/// Overflow.
pub fn instances(ast: &Ast, params: &[i64]) -> Result<Vec<(StatementId, Vec<i64>)>> {
    let _ = (ast, params);
    todo!()
}
