//! Loops of the source in which statements run or not as counters say.
//!
//! **Problem.** `for j { if (j > 0) s += x[j-1] * w[0]; s += x[j] * w[1]; if (j < n-1) s += x[j+1] * w[2]; }` has branches in its body. Without masks LLVM makes no vectors of it; with masks it computes
//! them anew in every iteration, or finds that not worth while. New loops are cut where a statement begins or ends, and have no branches.

use super::{InnerLoop, Model};
use crate::Result;
use crate::scop::{Statement, StatementId};

/// Vectors under masks that counters decide take at least so many times as long (measured on filters of five and nine terms with a border: 4 to 7 times).
const MASKED: f64 = 1.8;

/// Of so many statements that run or not LLVM makes vectors on processors that can only load and store under masks, too.
const FEW: usize = 2;

/// Bytes of vectors of processors that cannot even do that.
const SHORT: u64 = 16;

impl Model<'_> {
    /// Cycles of an innermost loop of the source if LLVM has made vectors of it, where statements run or not as counters say. `None`: they do not. Where divisions or calls are waited for, nothing else counts.
    pub(super) fn with_branches(&self, inner: &InnerLoop) -> Result<Option<f64>> {
        let waits = |s: &Statement| s.operations.1 > s.by_numbers || s.calls > 0;
        let all = inner.statements.iter().map(|s| &self.scop.statements[s.0]);
        if all.clone().any(waits) || !self.branches(&inner.statements)? {
            return Ok(None);
        }
        let most = all.clone().map(|s| all.clone().filter(|other| other.domain == s.domain).count()).max().unwrap_or(0);
        let masked = inner.compute * MASKED;
        let few = inner.statements.len() - most <= FEW && self.machine.vector_bytes() > SHORT;
        let cycles = if self.machine.masks || few { inner.scalar.min(masked) } else { inner.scalar };
        Ok(Some(cycles.max(inner.compute)))
    }

    /// Do the statements of an innermost loop of the source run in different parts of its iterations? Not those that are one store of several values, of which each instance has one: that is a choice.
    fn branches(&self, statements: &[StatementId]) -> Result<bool> {
        let all: Vec<&Statement> = statements.iter().map(|s| &self.scop.statements[s.0]).collect();
        if all.iter().any(|s| s.is_conditional()) {
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
