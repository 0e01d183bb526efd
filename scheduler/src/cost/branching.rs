//! Loops of the source in which statements run or not as counters say.
//!
//! **Problem.** `for j { if (j > 0) s += x[j-1] * w[0]; s += x[j] * w[1]; if (j < n-1) s += x[j+1] * w[2]; }` has branches in its body. Without masks LLVM makes no vectors of it; with masks it computes
//! them anew in every iteration, or finds that not worth while. New loops are cut where a statement begins or ends, and have no branches.

use super::Model;
use crate::Result;
use crate::scop::{AccessKind, Statement, StatementId};

/// Vectors under masks that counters decide take so many times as long (measured on a filter of five terms with a border).
pub(super) const MASKED: f64 = 1.8;

impl Model<'_> {
    /// Do the statements of an innermost loop of the source run in different parts of its iterations? Not those that are one store of several values, of which each instance has one: that is a choice.
    pub(super) fn branches(&self, statements: &[StatementId]) -> Result<bool> {
        let all: Vec<&Statement> = statements.iter().map(|s| &self.scop.statements[s.0]).collect();
        let is_certain = |s: &&Statement| s.write().kind != AccessKind::MayWrite;
        if !all.iter().all(is_certain) {
            return Ok(false);
        }
        for (k, a) in all.iter().enumerate() {
            for b in all[k + 1..].iter().filter(|b| a.domain.space() == b.domain.space() && a.domain != b.domain) {
                let one_cell = a.write().array == b.write().array && a.write().subscripts == b.write().subscripts;
                if !one_cell || !a.domain.intersect(&b.domain).is_empty(self.distances.budget())? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
