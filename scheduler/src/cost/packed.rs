//! Statements side by side of the source that LLVM packs ("superword-level parallelism").
//!
//! **Problem.** Of `s[0] += a[i][0]; s[1] += a[i][1]; ..` in a loop that it cannot make vectors of, LLVM makes vectors along the statements: a row of twelve takes as long as two statements, not as twelve.
//!
//! **Method.** Runs of statements in the order of the source with as many operations, whose stores are neighbours, and of whose loads each is one cell for all or moves with the store. A run is as many vectors as it has pieces that are
//! powers of two.
//!
//! Paper: Larsen, Amarasinghe, *Exploiting superword level parallelism with multimedia instruction sets* (PLDI 2000).

use super::nest::{Movement, Nest};
use super::{Model, to_f64};
use crate::scop::StatementId;

impl Model<'_> {
    /// Of an innermost loop that carries something, or is short, so that LLVM makes no vectors of its iterations: what part of the time of its statements, one by one, their vectors take.
    ///
    /// Of other loops it makes vectors of iterations if it thinks that these pay, and what that takes is measured. Where there are short vectors only the sums and products of the source are measured as a whole (`planner::rolled` of the pass): all of it.
    pub(super) fn packed(&self, nest: &Nest, statements: &[StatementId]) -> f64 {
        if !nest.is_source || !self.machine.masks || statements.len() < 2 {
            return 1.0;
        }
        let mut vectors = 0;
        let mut rest = statements;
        while let Some((&first, others)) = rest.split_first() {
            let mut run = 1;
            let mut before = first;
            for &next in others {
                if !self.is_next(nest, before, next) {
                    break;
                }
                (run, before) = (run + 1, next);
            }
            vectors += self.pieces(first, run);
            rest = &rest[run..];
        }
        to_f64(vectors) / to_f64(statements.len())
    }

    /// Of how many vectors so many cells are.
    fn pieces(&self, s: StatementId, cells: usize) -> usize {
        let stored = self.scop.arrays[self.scop.statements[s.0].write().array.0].element_bytes;
        let lanes = usize::try_from(self.machine.vector_bytes() / stored.max(1)).unwrap_or(1).max(1);
        cells / lanes + usize::try_from((cells % lanes).count_ones()).unwrap_or(1)
    }

    /// Does a statement do to the next cell what the one before did to its own?
    fn is_next(&self, nest: &Nest, before: StatementId, next: StatementId) -> bool {
        let (Some(a), Some(b)) = (nest.paths.get(&before), nest.paths.get(&next)) else { return false };
        let of = |s: StatementId| &self.scop.statements[s.0];
        let moves = |(k, (x, y)): (usize, (&Movement, &Movement))| {
            let Some(by) = moved(x, y) else { return false };
            by == 1 || by == 0 && k > 0
        };
        of(before).operations == of(next).operations
            && of(before).has_vectors()
            && a.accesses.len() == b.accesses.len()
            && a.accesses.iter().zip(&b.accesses).enumerate().all(moves)
    }
}

/// How many cells further the second access is in a row, where both move alike. `None`: it is elsewhere.
fn moved(x: &Movement, y: &Movement) -> Option<i64> {
    let ((last, rows), (other, other_rows)) = (x.base.split_last()?, y.base.split_last()?);
    (x.array == y.array && x.by == y.by && x.kind == y.kind && rows == other_rows).then(|| other.checked_sub(*last))?
}
