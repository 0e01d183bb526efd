//! Loops whose iterations are vectors: the lanes are iterations of a loop outside ([`crate::tree::Member::lanes`]).
//!
//! **Problem.** `for i { for j { x[i][j] = f(x[i][j - 1]) } }`: every `j` waits for the one before, whatever LLVM does. Lanes over `i` wait together. What it costs
//! depends on how accesses move from lane to lane, not on how they move along the loop.
//!
//! **Method.** Per iteration of all lanes: what neighbours in memory are is one vector; what is the same for all lanes, one cell; anything else is put together and
//! taken apart cell by cell ([`super::GATHERED`]). A value that goes from iteration to iteration through cells that are no neighbours takes that way too.

use super::carried::Carried;
use super::nest::{LoopId, Movement, Nest, Path};
use super::{Execution, GATHERED, InnerLoop, Model, SCALAR_ENTRY};
use crate::scop::StatementId;
use std::collections::BTreeSet;

/// Cycles from a vector that is taken apart and stored to the one that is loaded and put together again, beside those for its cells.
const THROUGH_MEMORY: f64 = 5.0;

/// An iteration of all lanes.
pub(super) struct Iteration {
    /// When nothing waits.
    pub(super) cycles: f64,
    /// Some accesses are made cell by cell.
    apart: bool,
    /// Number of lanes.
    lanes: f64,
}

impl Model<'_> {
    /// An iteration of some statements, of a loop that moves them by this step; of none where it is `None`.
    pub(super) fn vector_of_lanes(&self, statements: &[(&Path, StatementId)], step: Option<usize>) -> Iteration {
        let mut together: Vec<&Movement> = Vec::new();
        let mut cells = 0.0_f64;
        let mut seen = BTreeSet::new();
        let mut lanes = 1.0_f64;
        for (path, _) in statements {
            let Some(lane) = path.lanes() else { continue };
            lanes = lanes.max(path.steps[lane].extent);
            for access in &path.accesses {
                let array = &self.scop.arrays[access.array.0];
                if !seen.insert((access.array.0, access.kind.writes(), &access.base, &access.by)) {
                    continue;
                }
                if step.is_some_and(|step| !access.moves(step)) {
                    continue;
                }
                let along = access.by[lane].split_last();
                let neighbours = along.is_some_and(|(last, others)| last.abs() <= 1 && others.iter().all(|&c| c == 0))
                    && array.stride_bytes == array.element_bytes;
                if neighbours || !access.moves(lane) {
                    together.push(access);
                } else {
                    cells += path.steps[lane].extent;
                }
            }
        }
        let ids: Vec<StatementId> = statements.iter().map(|(_, s)| *s).collect();
        let wide = self.throughput(&together, &[], &ids, lanes_of(lanes)) * lanes;
        Iteration { cycles: wide + cells * GATHERED, apart: cells > 0.0, lanes }
    }

    /// An innermost loop in which every statement has lanes. `None`: it is none.
    pub(super) fn loop_of_vectors(&self, nest: &Nest, id: LoopId, statements: &[StatementId]) -> Option<InnerLoop> {
        let paths: Vec<(&Path, StatementId)> =
            statements.iter().map(|s| Some((nest.paths.get(s)?, *s))).collect::<Option<_>>()?;
        if !paths.iter().all(|(path, _)| path.lanes().is_some()) {
            return None;
        }
        let (mut trips, mut entries, mut step) = (0.0_f64, 0.0_f64, None);
        for (path, _) in &paths {
            let Some(q) = path.steps.iter().position(|s| s.of == id) else { continue };
            trips = trips.max(path.steps[q].extent);
            entries = entries.max(path.iterations(q));
            step = Some(q);
        }
        let iteration = self.vector_of_lanes(&paths, step);
        let carried = nest.loops[id.0].carried;
        let through = match carried {
            Carried::Recurrence { .. } if iteration.apart => THROUGH_MEMORY + iteration.lanes * GATHERED,
            _ => 0.0,
        };
        let waiting = self.latency(carried, statements).map_or(0.0, |latency| latency + through);
        let fixed: usize = paths
            .iter()
            .map(|(path, _)| step.map_or(0, |q| path.accesses.iter().filter(|a| !a.moves(q)).count()))
            .sum();
        let entry = SCALAR_ENTRY + super::to_f64(fixed) * iteration.lanes * GATHERED;
        Some(InnerLoop {
            statements: statements.to_vec(),
            execution: Execution::Lanes,
            strided: false,
            trips,
            compute: entries * (entry + trips * iteration.cycles.max(waiting)),
            doubtful: 0.0,
            memory: 0.0,
        })
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
fn lanes_of(lanes: f64) -> u64 {
    lanes.clamp(1.0, 512.0) as u64
}
