//! Loops whose iterations are vectors: the lanes are iterations of a loop outside ([`crate::tree::Member::lanes`]).
//!
//! **Problem.** `for i { for j { x[i][j] = f(x[i][j - 1]) } }`: every `j` waits for the one before, whatever LLVM does. Lanes over `i` wait together. What it costs
//! depends on how accesses move from lane to lane, not on how they move along the loop.
//!
//! **Method.** Per iteration of all lanes: what neighbours in memory are is one vector; what is the same for all lanes, one cell; what is neighbours from iteration to iteration comes in squares
//! that are transposed in registers (`codegen::lanes::blocks`); anything else is put together and taken apart cell by cell ([`super::GATHERED`]). A value that goes from iteration to
//! iteration through cells that are no neighbours takes that way too.

use super::carried::Carried;
use super::inner::{Often, cells_between};
use super::nest::{LoopId, Movement, Nest, Path};
use super::{Execution, GATHERED, InnerLoop, Model, SCALAR_ENTRY};
use crate::scop::StatementId;
use std::collections::{BTreeMap, BTreeSet};

/// Cycles from a vector that is taken apart and stored to the one that is loaded and put together again, beside those for its cells.
const THROUGH_MEMORY: f64 = 5.0;

/// Cycles for a shuffle of two vectors. A square takes a logarithm of them for each of its vectors.
const SHUFFLED: f64 = 1.0;

/// The same of vectors wider than those that LLVM prefers: one unit shuffles them, where two shuffle the others (uops.info, Ice Lake to Sapphire Rapids).
const SHUFFLED_WIDE: f64 = 1.75;

/// Registers that hold nothing from iteration to iteration. What has no register is loaded again in each (measured on sums of 32 to 64 products in lanes: 1.0 to 1.6 times as long as if all were held).
const OTHER_REGISTERS: f64 = 6.0;

/// Lanes whose cells are more apart access them one by one, as those of fewer bytes do.
pub(crate) const MOST_APART: i64 = 4;
pub(crate) const MASKED: i64 = 4;

/// Parts of complex numbers.
const PARTS: i64 = 2;

/// Cycles that a load waits for a store that has cells beside its own within its bytes.
const STALLED: f64 = 15.0;

/// Cycles to begin and end a loop over such vectors (measured on sweeps over every second point, 15 to 63 of them: 25 to 40).
const BEGIN_BETWEEN: f64 = 30.0;

/// So many times the latency of a division come on top where vectors are wider than those that LLVM prefers: they are divided by halves (uops.info, Skylake-X to Sapphire Rapids: 14 and 24 cycles).
const WIDE_DIVISION: f64 = 0.7;

/// An iteration of all lanes.
pub(super) struct Iteration {
    /// When nothing waits.
    pub(super) cycles: f64,
    /// The same of one that is in no square.
    alone: f64,
    /// Cycles that a value takes longer to the next iteration if it goes through memory.
    through: f64,
    /// Lanes of a vector.
    width: f64,
    /// Vectors side by side.
    vectors: f64,
}

impl Model<'_> {
    /// An iteration of some statements, of a loop that moves them by this step; of none where it is `None`.
    pub(super) fn vector_of_lanes(&self, statements: &[(&Path, StatementId)], step: Option<usize>) -> Iteration {
        let mut together: Vec<Often<'_>> = Vec::new();
        let mut apart: BTreeMap<usize, Vec<&Movement>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut held: Vec<&Movement> = Vec::new();
        let (mut width, mut vectors) = (1.0_f64, 1.0_f64);
        // Sums of which the source has no vectors, of products of complex numbers in the first place: they stay in registers, and no load waits for them.
        let in_register = |a: &Movement| step.is_some_and(|step| !a.moves(step));
        let complex_sums = statements.iter().all(|(path, s)| {
            let mut stored = path.accesses.iter().filter(|a| a.kind.writes());
            self.scop.statements[s.0].uncounted && stored.all(in_register)
        });
        for (path, _) in statements {
            let Some(lane) = path.lanes() else { continue };
            let of_lanes = &path.steps[lane];
            // Lanes that do not run take as long as those that do.
            let of_one = of_lanes.lanes.map_or(1.0, |l| f64::from(l.width));
            vectors = vectors.max(of_lanes.extent / of_one);
            width = width.max(of_one);
            for access in &path.accesses {
                let array = &self.scop.arrays[access.array.0];
                if !seen.insert((access.array.0, access.kind.writes(), &access.base, &access.by)) {
                    continue;
                }
                if step.is_some_and(|step| !access.moves(step)) {
                    if access.moves(lane) && !access.kind.writes() {
                        held.push(access);
                    }
                    continue;
                }
                // Parts of complex numbers may have a subscript of their own.
                let parts = || cells_between(array, access.by.get(lane)?)?.checked_abs().filter(|by| *by == PARTS);
                let apart_by = cells_apart(access, lane).or_else(|| parts().filter(|_| complex_sums));
                let apart_by = apart_by.filter(|_| array.stride_bytes == array.element_bytes);
                let every = apart_by.filter(|c| *c > 1 && *c <= MOST_APART && self.has_every(array.element_bytes));
                if let Some(apart_by) = every {
                    // As many vectors as those cells take that lie between, too.
                    let cells = super::to_f64_u64(array.element_bytes) * of_one;
                    let vector = cells.max(super::to_f64_u64(self.machine.vector_bytes()));
                    let part = (super::to_f64_u64(apart_by.unsigned_abs()) * cells / vector).ceil();
                    together.push(Often { access, part: part.max(1.0) });
                } else if apart_by.is_some_and(|c| c <= 1) || !access.moves(lane) {
                    together.push(Often { access, part: 1.0 });
                } else {
                    apart.entry(access.array.0).or_default().push(access);
                }
            }
        }
        let room = (f64::from(self.machine.vector_registers) - OTHER_REGISTERS).max(0.0) / vectors;
        let again = (1.0 - room / super::to_f64(held.len()).max(1.0)).max(0.0);
        together.extend(held.into_iter().filter(|_| again > 0.0).map(|access| Often { access, part: again }));
        let (mut cells, mut blocks, mut through) = (0.0_f64, 0.0_f64, 0.0_f64);
        let mut alone = 0.0_f64;
        for accesses in apart.values() {
            alone += width * super::to_f64(accesses.len());
            let element = accesses.first().map_or(1, |a| self.scop.arrays[a.array.0].element_bytes);
            let wide = lanes_of(width).saturating_mul(element) > self.machine.vector_bytes();
            match step.and_then(|step| in_blocks(accesses, step)) {
                Some(block) => {
                    let shuffled = if wide { SHUFFLED_WIDE } else { SHUFFLED };
                    blocks += f64::from(block.moved) * (1.0 + shuffled * width.log2());
                    // A cell of each lane, once in as many iterations as there are lanes.
                    cells += block.outside;
                    through += (THROUGH_MEMORY + width * GATHERED) / width;
                }
                None => {
                    cells += width * super::to_f64(accesses.len());
                    through += THROUGH_MEMORY + width * GATHERED;
                }
            }
        }
        let ids: Vec<(StatementId, f64)> = statements.iter().map(|(_, s)| (*s, 1.0)).collect();
        let operations = self.operations(&ids, |s, access| {
            let path = statements.iter().find(|(_, id)| *id == s).map(|(path, _)| path);
            step.is_some_and(|step| path.is_some_and(|p| p.accesses.get(access).is_some_and(|a| !a.moves(step))))
        });
        let wide = self.throughput(&together, &[], operations, lanes_of(width)) * width;
        let stalled = if complex_sums { 0 } else { stored_between(statements) };
        let wide = wide + STALLED * super::to_f64(stalled);
        // Each vector by itself; all of them together take as much longer, and wait together.
        let cycles = wide + blocks + cells * GATHERED;
        let alone = (wide + alone * GATHERED).max(cycles);
        Iteration { cycles: cycles * vectors, alone: alone * vectors, through, width, vectors }
    }

    /// Can cells of so many bytes be accessed that are a few apart, all of a vector at once?
    fn has_every(&self, bytes: u64) -> bool {
        self.machine.masks && i64::try_from(bytes).is_ok_and(|bytes| bytes >= MASKED)
    }

    /// Do vectors divide that are wider than those that LLVM prefers?
    fn divides_wide(&self, paths: &[(&Path, StatementId)]) -> bool {
        paths.iter().any(|(path, s)| {
            let lanes = path.lanes().and_then(|lane| path.steps[lane].lanes).map_or(1, |l| u64::from(l.width));
            let stored = self.scop.arrays[self.scop.statements[s.0].write().array.0].element_bytes;
            self.scop.statements[s.0].operations.1 > 0 && lanes.saturating_mul(stored) > self.machine.vector_bytes()
        })
    }

    /// An innermost loop in which every statement has lanes. `None`: it is none.
    pub(super) fn loop_of_vectors(&self, nest: &Nest, id: LoopId, statements: &[StatementId]) -> Option<InnerLoop> {
        let paths: Vec<(&Path, StatementId)> =
            statements.iter().map(|s| Some((nest.paths.get(s)?, *s))).collect::<Option<_>>()?;
        if !paths.iter().all(|(path, _)| path.lanes().is_some()) {
            return None;
        }
        if let Some(rows) = self.rows_of_vectors(nest, id, &paths) {
            return Some(rows);
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
            Carried::Recurrence { .. } => iteration.through,
            _ => 0.0,
        };
        let waiting = self.latency(nest, id, statements).map_or(0.0, |latency| {
            latency + through + if self.divides_wide(&paths) { WIDE_DIVISION * self.machine.div_latency } else { 0.0 }
        });
        let fixed: usize = paths
            .iter()
            .map(|(path, _)| step.map_or(0, |q| path.accesses.iter().filter(|a| !a.moves(q)).count()))
            .sum();
        let between = paths.iter().any(|(path, _)| path.lanes().is_some_and(|lane| has_cells_between(path, lane)));
        let begin = if between { BEGIN_BETWEEN } else { SCALAR_ENTRY };
        let entry = begin + super::to_f64(fixed) * iteration.width * iteration.vectors * GATHERED;
        // Half a square at either end.
        let rest = if iteration.alone > iteration.cycles { trips.min(iteration.width - 1.0) } else { 0.0 };
        let each = (trips - rest) * iteration.cycles.max(waiting) + rest * iteration.alone.max(waiting);
        Some(InnerLoop {
            id,
            statements: statements.to_vec(),
            execution: Execution::Lanes,
            strided: false,
            in_block: false,
            trips,
            compute: entries * (entry + each),
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

/// How many cells lie from that of a lane to that of the next, in one row. `None`: they are in others.
pub(crate) fn cells_apart(access: &Movement, lane: usize) -> Option<i64> {
    let (last, others) = access.by.get(lane)?.split_last()?;
    others.iter().all(|&c| c == 0).then_some(last.abs())
}

/// How many statements store to every second cell, say, where what is loaded then waits for the cache: another one accesses those between, or the vectors, which have a power of two of cells, reach into those of the
/// next iteration, as those of every third cell do.
fn stored_between(statements: &[(&Path, StatementId)]) -> usize {
    let beside = |own: &Path, stored: &Movement, by: i64| {
        let others =
            statements.iter().filter(|(path, _)| !std::ptr::eq(*path, own)).flat_map(|(path, _)| &path.accesses);
        let column = |a: &Movement| a.base.last().copied().unwrap_or(0);
        let mut between = others.filter(|a| a.array == stored.array && a.by == stored.by);
        between.any(|a| (column(a) - column(stored)) % by != 0)
    };
    let reaches_over = |stored: &Movement, by: i64| {
        let mut all = statements.iter().flat_map(|(path, _)| &path.accesses);
        by.count_ones() > 1 && all.any(|a| !a.kind.writes() && a.array == stored.array && a.by == stored.by)
    };
    let waits = |path: &&Path| {
        path.lanes().is_some_and(|lane| {
            let stored = path.accesses.iter().filter(|a| a.kind.writes());
            let spaced = |a: &Movement| cells_apart(a, lane).filter(|by| (2..=MOST_APART).contains(by));
            let mut stored = stored.filter_map(|a| Some((a, spaced(a)?)));
            stored.any(|(a, by)| beside(path, a, by) || reaches_over(a, by))
        })
    };
    statements.iter().map(|(path, _)| *path).filter(|path| waits(path)).count()
}

/// Does a statement store to every second cell, say?
fn has_cells_between(path: &Path, lane: usize) -> bool {
    let mut stored = path.accesses.iter().filter(|a| a.kind.writes());
    stored.any(|a| cells_apart(a, lane).is_some_and(|by| by > 1 && by <= MOST_APART))
}

/// Accesses to one array in squares of cells.
struct Block {
    /// How often a square is moved: loaded, stored.
    moved: u32,
    /// Cells a lane that are read beside them, for each of them.
    outside: f64,
}

/// Accesses to one array that walk along its last subscript together, if they do.
#[expect(clippy::cast_precision_loss, reason = "estimates")]
fn in_blocks(accesses: &[&Movement], step: usize) -> Option<Block> {
    let first = accesses.first()?;
    let (last, others) = first.by.get(step)?.split_last()?;
    let (base, fixed) = first.base.split_last()?;
    let alike = |a: &&Movement| a.by == first.by && a.base.split_last().is_some_and(|(_, others)| others == fixed);
    if last.abs() != 1 || others.iter().any(|&c| c != 0) || !accesses.iter().all(alike) {
        return None;
    }
    let offset = |a: &Movement| a.base.last().map_or(0, |b| (b - base) * last);
    let written: BTreeSet<i64> = accesses.iter().filter(|a| a.kind.writes()).map(|a| offset(a)).collect();
    let mut read: Vec<i64> = accesses.iter().filter(|a| !a.kind.writes()).map(|a| offset(a)).collect();
    read.sort_unstable();
    let (own, moved) = match written.len() {
        0 => (*read.get(read.len() / 2)?, 1),
        1 => {
            let own = *written.first()?;
            (own, 1 + u32::from(read.iter().any(|r| *r >= own)))
        }
        _ => return None,
    };
    let outside = read.iter().map(|r| r.abs_diff(own) as f64).fold(0.0, f64::max);
    Some(Block { moved, outside })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
pub(super) fn lanes_of(lanes: f64) -> u64 {
    lanes.clamp(1.0, 512.0) as u64
}
