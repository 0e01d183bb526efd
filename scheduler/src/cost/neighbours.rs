//! Rows abreast along a loop whose iterations are vectors: what several of them read is loaded once ([`crate::choose`] has them where nothing waits).
//!
//! **Problem.** A stencil reads most of its cells once for every row that they are near to, and a convolution its weights for every point: the loads are what takes the time.
//!
//! **Method.** All cells of the rows that are written out, each once; what several rows want has to have a register, or it is loaded again.

use super::inner::{Often, VECTOR_ENTRY, is_unaligned};
use super::nest::{LoopId, Nest, Path, Role};
use super::{Execution, GATHERED, InnerLoop, Model, to_f64, to_f64_u64};
use crate::scop::{ArrayId, StatementId};
use std::collections::BTreeMap;

/// Registers that hold other things than constants and cells that several rows want: what a row is computed in.
const OTHER_REGISTERS: f64 = 6.0;

/// Cells of fewer bytes have no masks where not all vectors have them.
const MASKED: u64 = 4;

/// A cell: array, written, subscripts where all loops are at 0, and how they move.
type Cell<'a> = (ArrayId, bool, Vec<i64>, &'a [Vec<i64>]);

/// Where a cell is accessed.
struct Use<'a> {
    access: Often<'a>,
    unaligned: bool,
    /// Neighbours from lane to lane, or the same for all.
    together: bool,
    first: i64,
    last: i64,
}

impl Model<'_> {
    /// The rows of a strip abreast, in lanes of the loop along them. `None`: it is no such loop.
    pub(super) fn rows_of_vectors(&self, nest: &Nest, id: LoopId, paths: &[(&Path, StatementId)]) -> Option<InnerLoop> {
        let Role::Abreast(_) = nest.loops[id.0].role else { return None };
        let mut cells: BTreeMap<Cell<'_>, Use<'_>> = BTreeMap::new();
        let (mut width, mut vectors, mut entries, mut begun, mut rows) = (1.0_f64, 1.0_f64, 0.0_f64, 0.0_f64, 1);
        for (path, _) in paths {
            let q = path.steps.iter().position(|step| step.of == id)?;
            let lane = path.lanes()?;
            let step = &path.steps[lane];
            let of_one = step.lanes.map_or(1.0, |l| f64::from(l.width));
            (width, vectors) = (width.max(of_one), vectors.max(step.extent / of_one));
            entries = entries.max(path.iterations(q));
            begun = begun.max(path.iterations(q.saturating_sub(1)));
            let own = path.steps[q].exact.unwrap_or(1).max(1);
            rows = rows.max(own);
            for row in 0..own {
                for access in path.accesses.iter().filter(|access| !access.in_register) {
                    let moved = access.base.iter().zip(&access.by[q]).map(|(b, c)| b.saturating_add(c * row));
                    let key = (access.array, access.kind.writes(), moved.collect(), access.by.as_slice());
                    let array = &self.scop.arrays[access.array.0];
                    let of_vector = self.machine.vector_bytes() / array.element_bytes.max(1);
                    let of_line = of_vector.max(super::lanes::lanes_of(of_one));
                    let along = access.by[lane].split_last();
                    let neighbours = along.is_some_and(|(c, others)| c.abs() <= 1 && others.iter().all(|&c| c == 0));
                    let cell = cells.entry(key).or_insert(Use {
                        access: Often { access, part: 1.0 },
                        unaligned: is_unaligned(access, lane, of_line),
                        together: neighbours && array.stride_bytes == array.element_bytes || !access.moves(lane),
                        first: row,
                        last: row,
                    });
                    cell.last = row;
                }
            }
        }
        // LLVM loads early, so all that rows share is wanted at once.
        let wanted = to_f64(cells.values().filter(|c| c.first < c.last).count());
        let constants: u32 = paths.iter().map(|(_, s)| self.scop.statements[s.0].constants).sum();
        // What is computed with as wider numbers takes several registers.
        let bytes = cells.keys().map(|(array, ..)| self.scop.arrays[array.0].element_bytes).max().unwrap_or(1).max(1);
        let widest = paths.iter().map(|(_, s)| u64::from(self.scop.statements[s.0].widest)).max().unwrap_or(0);
        let wanted = (wanted + f64::from(constants)) * to_f64_u64(widest.div_ceil(bytes).max(1));
        let room = f64::from(self.machine.vector_registers) - OTHER_REGISTERS;
        // With more than twice as many as there is room for, LLVM stores and loads again most of them (measured on 25 points of bytes: 0.86 to 1.3 times as fast).
        let again = if wanted > 2.0 * room { 2.0 } else { 1.0 };
        let missing = (wanted - room).max(0.0) * again;
        let together = cells.values().filter(|c| c.together);
        let (mut all, unaligned): (Vec<Often<'_>>, Vec<bool>) = together.map(|c| (c.access, c.unaligned)).unzip();
        let apart = cells.values().filter(|c| !c.together).count();
        let ids: Vec<(StatementId, f64)> = paths.iter().map(|(_, s)| (*s, 1.0)).collect();
        let operations = self.operations(&ids, |_, _| false).times(span(rows));
        let lanes = super::lanes::lanes_of(width);
        // What has no register comes from memory for each row.
        let read = all.iter().find(|a| !a.access.kind.writes()).copied();
        all.extend(read.map(|read| Often { part: missing * span(rows), ..read }));
        let wide = self.throughput(&all, &unaligned, operations, lanes) * width;
        let round = (wide + to_f64(apart) * width * GATHERED) * vectors;
        // Half a vector is in vain at the end, or as many lanes run one by one.
        let has_masks =
            self.machine.masks || !cells.keys().any(|(array, ..)| self.scop.arrays[array.0].element_bytes < MASKED);
        let last = if has_masks { round / 2.0 } else { self.throughput(&all, &[], operations, 1) * width / 2.0 };
        Some(InnerLoop {
            id,
            statements: paths.iter().map(|(_, s)| *s).collect(),
            execution: Execution::Lanes,
            strided: false,
            in_block: false,
            trips: span(rows),
            compute: entries * round + begun * (VECTOR_ENTRY + last),
            doubtful: 0.0,
            memory: 0.0,
            repeated: 0.0,
            handed_on: 0.0,
            alone: 0.0,
            scalar: 0.0,
            branches: false,
        })
    }
}

/// A number of rows.
#[expect(clippy::cast_precision_loss, reason = "a small number")]
fn span(rows: i64) -> f64 {
    rows as f64
}
