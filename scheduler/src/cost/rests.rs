//! Rows whose last vector, under a mask, reaches into the next row.
//!
//! **Problem.** Of loops that are known to be short LLVM makes whole vectors, the last one under a mask. Where rows follow each other in memory and `c[i][j] += ..` begins with what the cell was, the first vector of a row lies in part where the
//! last store of the row before had no lanes. The processor does not take what it loads from such a store: it waits until that is in the cache, and each row begins where the one before has ended.
//!
//! **Method.** For statements that update their cells in an innermost loop: by how many cells the loop around moves them, and what the last vector covers. Then a row takes as long as its sums, from load to store, and the way through the cache
//! (measured on Zen 4, sums of 10 to 15 products each: 60 to 80 cycles a row; where another array is stored to 20 to 25).

use super::inner::cells_between;
use super::nest::{LoopId, Movement, Nest};
use super::{CHAIN_FMA, Model};
use crate::scop::StatementId;

/// Cycles from a store under a mask until what lies beside it can be loaded.
const THROUGH_CACHE: f64 = 20.0;

impl Model<'_> {
    /// Cycles that one execution of an innermost loop of so many iterations, in vectors of so many lanes, at least takes because the next one has to wait for it. None where no vector reaches into the next row.
    pub(super) fn waits_for_rest(
        &self,
        nest: &Nest,
        id: LoopId,
        statements: &[StatementId],
        (trips, lanes): (u64, u64),
    ) -> f64 {
        let (Ok(row), Ok(covered)) = (i64::try_from(trips), i64::try_from(trips.next_multiple_of(lanes.max(1)))) else {
            return 0.0;
        };
        let mut longest = 0.0_f64;
        for s in statements {
            let Some(path) = nest.paths.get(s) else { continue };
            let Some(q) = path.steps.iter().position(|step| step.of == id).filter(|q| *q > 0) else { continue };
            let Some((write, reads)) = path.accesses.split_first() else { continue };
            let array = &self.scop.arrays[write.array.0];
            let next = write.by.get(q - 1).and_then(|by| cells_between(array, by));
            let along = write.by.get(q).and_then(|by| cells_between(array, by));
            if along != Some(1) || !next.is_some_and(|next| (row..covered).contains(&next)) {
                continue;
            }
            let is_own = |read: &Movement| read.array == write.array && read.by == write.by && read.base == write.base;
            for (k, _) in reads.iter().enumerate().filter(|(_, read)| is_own(read)) {
                let cycles = self.scop.statements[s.0].latencies.get(&(k + 1)).copied().unwrap_or(0);
                longest = longest.max(THROUGH_CACHE + f64::from(cycles) * self.machine.fma_latency / CHAIN_FMA);
            }
        }
        longest
    }
}
