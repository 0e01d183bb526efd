//! How an innermost loop runs, and what its iterations take but for the lines.

use super::carried::Carried;
use super::handed::HandedOn;
use super::nest::{LoopId, Movement, Nest, Path, Role};
use super::{CHAIN_FMA, Execution, GATHERED, InnerLoop, Model, SCALAR_ENTRY, to_f64, to_f64_u64};
use crate::machine::most_in_turn;
use crate::scop::{Access, AccessKind, Array, Sought, Statement, StatementId};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Loops that are known to have fewer iterations get no loop for what is left over, and no checks in front: of LLVM, `TinyTripCountVectorThreshold`.
const MASKED: u64 = 16;

/// Statements with different domains in one loop: of more than so many code generation makes no loops without conditions.
pub const MOST_SEPARATED: usize = 32;

/// Cycles of the conditions of one of them.
const GUARDED: f64 = 1.0;

/// Further cycles to start a vectorised loop: trip-count tests, broadcasts, choice of the tail. Measured: 8 to 14.
pub(super) const VECTOR_ENTRY: f64 = 6.0;

/// Where the numbers of iterations repeat after so many executions of a loop, the core foresees them.
const FORESEEN: f64 = 64.0;

/// Cycles to start such a loop: what is before it, and what comes behind, goes on meanwhile. Measured on factorisations of 8 x 8.
const FORESEEN_ENTRY: f64 = 1.5;

/// While a chain waits, the core runs ahead into the next execution of the loop, about so many iterations. Measured on dot products of 100 to 1000 elements.
pub(super) const AHEAD: f64 = 60.0;

/// But no faster than so many chains at once.
const CHAINS_AT_ONCE: f64 = 4.0;

/// Loads of single floating-point numbers in a cycle, where they are all that counts: Zen 3 to 5 do more of integers only.
const SINGLE_LOADS: f64 = 2.0;

/// Cycles in which a value comes to the next lane, with one from memory in the first.
const ACROSS: f64 = 4.0;

/// Rounds whose cells are loaded one by one in front of a square.
const ROUNDS_BEHIND: f64 = 2.0;

/// Statements side by side that store to neighbours become vectors where nothing stands between them: of this part of the time.
const SIDE_BY_SIDE: f64 = 0.5;

/// Cycles that an iteration with a branch takes at least, and in which part of them it goes the way that the core has not foreseen, where nobody knows.
const BRANCH: f64 = 1.0;
const UNFORESEEN: f64 = 0.04;

/// So much runs of what data decide about, as far as anybody knows: what takes long should not be done for all to save waiting for some.
const CHANCE: f64 = 0.2;

/// Cycles in which one lane of a gather of one cell for all lanes that are on comes, which LLVM makes of what is loaded under a condition (measured on Zen 5: 12 for 8 lanes).
const GATHERED_ALIKE: f64 = 1.5;

/// Cycles in which a lane is scattered, on top of that (measured on Zen 4: 1.55 to 1.9).
const SCATTERED: f64 = 0.55;

/// Of the source such stores are certain to be scattered where no more cells lie from one to the next: what is further apart may be stored side by side by other statements.
const MOST_SCATTERED: u64 = 8;

/// With more accesses that lie apart nobody looks for long rows among them, which takes time in the square of them.
const MOST_IN_LINE: usize = 256;

/// Narrower cells no processor scatters.
const SCATTERED_BYTES: u64 = 4;

/// Loops of so many iterations LLVM unrolls (measured on closed grids of 16 x 16 bytes and floating-point numbers: ten times as fast as what the model says of loops).
const WRITTEN_OUT: i64 = 32;

/// Loads for each that LLVM has no register for, of what it would keep in registers over a loop (measured on layers of 32 outputs of 32 inputs each, and on filters of 5 points of 8 channels).
const LOADED_AGAIN: f64 = 3.0;

/// Cycles in which a gather has one of the cells that LLVM does not know to lie side by side, on top of all else (measured on five points with clamped borders and on closed grids: 0.6).
const SOUGHT: f64 = 0.6;

/// Bytes of the smallest cells that processors with longer vectors than these, but without masks for all, load under one.
const MASKABLE: u64 = 4;
const SHORT: u64 = 16;

/// Cycles of a call of a mathematical function. Measured: 8 (`expf`) to 13 (`exp`).
const CALL: f64 = 10.0;

/// Magnitudes of differences of bytes that are summed up in a cycle, where LLVM finds them in the source: in loops, and side by side. Measured: 6 to 8, and 9 to 13 by the lengths of loops.
const MAGNITUDES: f64 = 8.0;
const MAGNITUDES_ABREAST: f64 = 12.0;

/// So many of them in one statement are neighbours.
const ABREAST_FROM: u32 = 8;

/// Of so many nothing is left of the loop.
const UNROLLED: f64 = 64.0;

/// Cycles until such a sum is one.
const ONE_SUM: f64 = 4.0;

/// The functions that take vectors do so many bytes in the time of one call.
const CALL_BYTES: f64 = 32.0;

/// Cycles until a part of a vector that was stored can be loaded, beyond those until what was stored by itself can (measured on Zen 4: error diffusion).
const WAITS: f64 = 12.0;

/// What an innermost loop does in an iteration.
#[derive(Default)]
struct Iteration<'a> {
    /// Accesses that move, each cell once.
    moving: Vec<Often<'a>>,
    /// The stores and the loads of the source, each cell once a statement.
    all: Vec<Often<'a>>,
    /// Stores of cells that are stored to already.
    again: Vec<Often<'a>>,
    /// Of those that move: do vectors start anywhere?
    unaligned: Vec<bool>,
    /// Of those that move: are they reads of cells that the loop directly around does not move?
    stays: Vec<bool>,
    /// In which part of the iterations statements run.
    parts: Vec<(StatementId, f64)>,
    /// Accesses that step over cells, but for those that others step on.
    strided: usize,
    /// Those of them that are reads of cells that the loop directly around does not move.
    strided_stays: usize,
    /// Those of them that store; and of these those that step over few cells.
    scattered: usize,
    scattered_along: usize,
    /// Are rows of cells loaded that are too long to be taken from vectors, so that LLVM gathers each?
    gathers_rows: bool,
    /// Shuffles of vectors that put the others' cells side by side.
    shuffles: f64,
    /// Accesses that do not move.
    fixed: usize,
    /// Those of them that are made or not in each iteration, as data decide: LLVM gathers them.
    fixed_by_data: usize,
    /// Mean number of iterations.
    trips: f64,
    /// How often the loop runs.
    entries: f64,
    /// The number of iterations, where it is a constant.
    exact: Option<i64>,
    /// Do its bounds depend on loops outside?
    slanted: bool,
    /// Is the number of iterations foreseen all the same, as it repeats?
    foreseen: bool,
    /// Does it run in blocks that loops outside walk?
    in_block: bool,
    /// Bytes of the widest element.
    element: u64,
}

impl Model<'_> {
    /// How an innermost loop runs, without its lines.
    pub(super) fn inner_loop(&self, nest: &Nest, id: LoopId, statements: &[StatementId]) -> InnerLoop {
        let it = self.iteration(nest, id, statements);
        let (trips, entries, exact) = (it.trips, it.entries, it.exact);
        let mut strided = it.strided > 0;
        let most = (self.machine.vector_bytes() / it.element).max(1);
        // Of a loop that is known to be shorter LLVM makes shorter vectors; of one that is known to be short, whole ones, the last under a mask.
        let known = exact.and_then(|n| u64::try_from(n).ok());
        let masked = self.machine.masks && known.is_some_and(|n| (2..MASKED).contains(&n));
        let lanes = match known {
            Some(n) if masked => n.next_power_of_two().min(most),
            Some(n) if n < most => n.checked_ilog2().map_or(1, |log| 1 << log),
            _ => most,
        };
        // What needs only cells that do not move is done before the loop.
        let operations = self.operations(&it.parts, |s, access| {
            let stays = |p: &Path, q: usize, a: &Movement| !a.moves(q) && !is_by_data(p, q, a);
            on(nest, s, id).is_some_and(|(p, q)| p.accesses.get(access).is_some_and(|a| stays(p, q, a)))
        });
        // Of a few iterations, as many in all sizes, LLVM leaves no loop, and what is to be found are numbers.
        let is_written_out = exact.is_some_and(|n| n <= WRITTEN_OUT);
        let sought = if is_written_out { Searches::default() } else { self.sought(nest, &it.parts) };
        let operations = operations.and(sought.operations);
        let rarely = it.parts.iter().all(|&(s, _)| self.branches_by_data(nest, id, s));
        let scalar = if rarely {
            let by_data = |often: &Often<'_>| if often.access.kind == AccessKind::MayRead { CHANCE } else { 1.0 };
            let made = it.moving.iter().map(|often| Often { part: often.part * by_data(often), ..*often });
            // What several statements ask for is the same, mostly.
            let asked = it.parts.iter().map(|(s, _)| f64::from(self.scop.statements[s.0].asked)).fold(0.0, f64::max);
            let runs = self.throughput(&made.collect::<Vec<_>>(), &[], operations.rarely(asked), 1);
            runs.max(BRANCH) + UNFORESEEN * self.machine.mispredict
        } else {
            self.throughput(&it.moving, &[], operations, 1)
        };
        let guarded = !nest.is_source && self.domains(statements) > MOST_SEPARATED;
        let scalar = if guarded { scalar + GUARDED * to_f64(statements.len()) } else { scalar };
        // The end of a loop is predicted when it always runs alike.
        let mispredicted = if it.slanted && !it.foreseen { self.machine.mispredict / 2.0 } else { 0.0 };
        let start = if it.slanted && it.foreseen { FORESEEN_ENTRY } else { SCALAR_ENTRY };
        let entry = start + mispredicted + to_f64(it.fixed) / self.machine.loads_per_cycle;
        let carried = nest.loops[id.0].carried;
        let chain = self.latency(nest, id, statements);
        let mut execution =
            chain.filter(|&c| c > scalar).map_or(Execution::Scalar, |cycles| Execution::Chain { cycles });
        // Not in tiles: nobody should cut a loop to gain that.
        let ahead = if nest.loops[id.0].role == Role::Plain { AHEAD } else { 0.0 };
        // A sum over several loops goes on where the innermost one begins again.
        let in_a_row = |(path, q): (&Path, usize)| -> f64 {
            let stays = |k: usize| path.accesses.first().is_some_and(|write| !write.moves(k));
            let goes_on = |k: usize| nest.loops[path.steps[k].of.0].carried == Carried::Reduction && stays(k);
            let on = (0..q).rev().take_while(|&k| path.steps[k].idle || goes_on(k));
            on.map(|k| path.steps[k].extent).product()
        };
        let in_a_row = match carried {
            Carried::Reduction => statements.iter().filter_map(|s| on(nest, *s, id)).map(in_a_row).fold(1.0, f64::max),
            _ => 1.0,
        };
        let ahead = ahead / in_a_row;
        let waiting = chain.map_or(0.0, |c| (c * (trips - ahead)).max(c * trips / CHAINS_AT_ONCE));
        let mut doubtful = 0.0;
        let mut each = entry + (trips * scalar).max(waiting);
        let scalar_cycles = entries * each;
        let at_once = matches!(carried, Carried::Nothing | Carried::Forward) && !masked;
        let part = if at_once { 1.0 } else { self.packed(nest, statements) };
        let packed = entry + (trips * scalar * part).max(waiting);
        let mut stored_again = 0.0;
        if lanes > 1 && !guarded && !sought.by_division() && self.widens((nest, carried), statements, lanes) {
            // Of one or two vectors it leaves no loop: what the one around does not move it loads before, and again what has no register.
            let of_two = nest.is_source && known.is_some_and(|n| n >= MASKED && n % lanes == 0 && n <= 2 * lanes);
            let staying = it.stays.iter().filter(|stays| **stays).count();
            let held = to_f64(staying) * known.map_or(1.0, |n| to_f64_u64(n / lanes.max(1)));
            let again = (1.0 - f64::from(self.machine.vector_registers) / held.max(1.0)).max(0.0) * LOADED_AGAIN;
            let strided = it.strided - if of_two { it.strided_stays } else { 0 };
            let gathers = to_f64(strided) * GATHERED
                + to_f64(it.scattered) * SCATTERED
                + to_f64(it.fixed_by_data) * GATHERED_ALIKE
                + it.shuffles / to_f64_u64(lanes);
            // Those few are no loop: what the one around does not move it loads before.
            let loaded = |k: usize| !(it.stays[k] && (masked || of_two && again == 0.0));
            let often = |k: usize| {
                let Often { access, part } = it.moving[k];
                Often { access, part: if of_two && it.stays[k] { part * again } else { part } }
            };
            let moving: Vec<Often<'_>> = (0..it.moving.len()).filter(|&k| loaded(k)).map(often).collect();
            let unaligned: Vec<bool> = (0..it.moving.len()).filter(|&k| loaded(k)).map(|k| it.unaligned[k]).collect();
            let wide = self.throughput(&moving, &unaligned, operations, lanes).max(gathers) + sought.reads * SOUGHT;
            let whole = masked || known.is_some_and(|n| n % lanes == 0);
            let tail = if whole { 0.0 } else { (to_f64_u64(lanes) - 1.0) / 4.0 * scalar };
            let run = known.filter(|_| masked).map_or(trips, |n| to_f64_u64(n.next_multiple_of(lanes)));
            let start = if masked { 0.0 } else { VECTOR_ENTRY + entry };
            // Vectors wait for those that they begin with, and longer if these are parts of two.
            let chained = match carried {
                Carried::Recurrence { distance } => {
                    let distance = u64::try_from(distance.max(1)).unwrap_or(1);
                    let parts = if distance % lanes == 0 { 0.0 } else { WAITS / to_f64_u64(distance) };
                    chain.map_or(0.0, |chain| chain + parts)
                }
                _ => 0.0,
            };
            let vectors = start + run * wide.max(chained) + tail;
            // Of what data decide about it makes vectors whether they pay or not, and where the machine scatters of the source; of rows of unknown length it thinks that they may be of one cell.
            let scatters = self.machine.masks && it.scattered > 0 && it.scattered == it.scattered_along;
            let gathers_rows = self.machine.masks && it.gathers_rows && it.scattered == 0;
            let by_itself = if nest.is_source { scatters || gathers_rows } else { it.fixed_by_data > 0 };
            if vectors < each || by_itself {
                doubtful = if carried == Carried::Nothing || self.sums_in_any_order(carried, statements) {
                    0.0
                } else {
                    entries * (each - vectors)
                };
                let rest =
                    known.filter(|_| masked).map_or(0.0, |n| self.waits_for_rest(nest, id, statements, (n, lanes)));
                each = vectors.max(rest);
                execution = Execution::Vector { lanes };
                let stores: Vec<Often<'_>> = it.moving.iter().chain(&it.again).copied().collect();
                stored_again =
                    entries * trips * (self.throughput(&stores, &it.unaligned, operations, lanes) - wide).max(0.0);
            }
        }
        if !matches!(execution, Execution::Vector { .. }) {
            each = each.min(packed);
        }
        if let Some(cycles) = self.magnitudes((nest, id), &it).filter(|&cycles| cycles < each) {
            (each, doubtful, stored_again) = (cycles, 0.0, 0.0);
            execution = Execution::Vector { lanes };
        }
        let loads = |accesses: &[Often<'_>]| {
            accesses.iter().filter(|a| !a.access.kind.writes()).map(|a| a.part).sum::<f64>() / SINGLE_LOADS
        };
        let by_themselves = entries * trips * self.throughput(&it.all, &[], operations, 1).max(loads(&it.all));
        let side_by_side = if stores_neighbours(&it.all) { SIDE_BY_SIDE } else { 1.0 };
        let together = each.max(trips * loads(&it.moving));
        // Whether arrays are apart it looks where it has vectors, but not for so few iterations.
        let few = known.is_some_and(|n| n < MASKED);
        let repeated = match execution {
            Execution::Vector { .. } if !few => stored_again,
            _ => (by_themselves - entries * together * side_by_side).max(0.0),
        };
        if let Some(waits) = self.waits_around(nest, id, statements) {
            each = match nest.loops[id.0].role {
                Role::AbreastInLanes(width) => self.abreast_in_lanes(&it, operations, waits, width),
                _ => (trips * scalar).max(waits),
            };
            (doubtful, execution, strided) = (0.0, Execution::Abreast, false);
        }
        InnerLoop {
            id,
            statements: statements.to_vec(),
            execution,
            strided,
            in_block: it.in_block,
            trips,
            compute: entries * each,
            doubtful,
            memory: 0.0,
            repeated,
            handed_on: match self.handed_on(nest, id, statements) {
                HandedOn::Nothing => 0.0,
                HandedOn::InRegisters => entries * trips * WAITS,
                HandedOn::InMemory => -entries * trips * WAITS,
            },
            alone: entries * entry + by_themselves,
            scalar: scalar_cycles,
            branches: sought.reads > 0.0,
        }
    }

    /// How many different domains statements have.
    fn domains(&self, statements: &[StatementId]) -> usize {
        let domain = |s: &StatementId| &self.scop.statements[s.0].domain;
        let is_new = |k: usize| statements[..k].iter().all(|other| domain(other) != domain(&statements[k]));
        if statements.len() <= MOST_SEPARATED { 1 } else { (0..statements.len()).filter(|&k| is_new(k)).count() }
    }

    /// What the source takes in an iteration to find cells.
    fn sought(&self, nest: &Nest, parts: &[(StatementId, f64)]) -> Searches {
        let mut all = Searches::default();
        for &(s, part) in parts.iter().filter(|_| nest.is_source) {
            let Sought { reads, operations: (simple, divisions) } = self.scop.statements[s.0].sought;
            all.reads += part * f64::from(reads);
            let own = Operations { simple: f64::from(simple), divisions: f64::from(divisions), calls: 0.0 };
            all.operations = all.operations.and(own.times(part));
        }
        all
    }

    /// Cycles of an innermost loop of the source that LLVM makes sums of magnitudes of. `None`: it is something else.
    fn magnitudes(&self, (nest, id): (&Nest, LoopId), it: &Iteration<'_>) -> Option<f64> {
        let of = |s: StatementId| self.scop.statements[s.0].magnitudes;
        let all: f64 = it.parts.iter().map(|&(s, part)| part * f64::from(of(s))).sum();
        let least = it.parts.iter().map(|&(s, _)| of(s)).min().filter(|&n| n > 0 && nest.is_source)?;
        let goes_on = nest.loops[id.0].carried == Carried::Reduction;
        let sums = if goes_on { 1.0 } else { it.trips };
        let is_unrolled = it.exact.is_some() && (it.trips * all).round() <= UNROLLED;
        let start = sums * ONE_SUM + if is_unrolled { 0.0 } else { SCALAR_ENTRY };
        if least >= ABREAST_FROM {
            Some(start + it.trips * all / MAGNITUDES_ABREAST)
        } else {
            (goes_on && it.strided == 0).then_some(start + VECTOR_ENTRY + it.trips * all / MAGNITUDES)
        }
    }

    /// Cycles of one round of rows that are the lanes of a vector.
    fn abreast_in_lanes(&self, it: &Iteration<'_>, operations: Operations, waits: f64, width: i64) -> f64 {
        let lanes = u64::try_from(width).unwrap_or(1).max(1);
        // What is stored stays in registers for the next rounds, moved from lane to lane; a square of it is turned and stored by rows, and what it begins with is loaded cell by cell.
        let turned = f64::from(lanes.ilog2()) + 2.0;
        // Cells of as many rows, once for as many rounds.
        let begun = ROUNDS_BEHIND;
        let work = self.throughput(&it.moving, &[], operations, lanes) * to_f64_u64(lanes) + turned + begun;
        work.max(waits + ACROSS)
    }

    /// What the statements of an innermost loop do in an iteration.
    fn iteration<'n>(&self, nest: &'n Nest, id: LoopId, statements: &[StatementId]) -> Iteration<'n> {
        let mut it = Iteration { element: 1, foreseen: true, ..Iteration::default() };
        let mut seen: BTreeMap<_, Option<usize>> = BTreeMap::new();
        let mut loaded: BTreeMap<_, BTreeSet<usize>> = BTreeMap::new();
        let mut apart: Vec<(usize, &Movement)> = Vec::new();
        for s in statements {
            let Some((path, q)) = on(nest, *s, id) else { continue };
            it.trips = it.trips.max(path.steps[q].extent);
            it.entries = it.entries.max(path.iterations(q));
        }
        // Some run in a part of the iterations only.
        let part = |path: &Path, q: usize| (path.iterations(q + 1) / (it.entries * it.trips).max(1.0)).min(1.0);
        for s in statements {
            let Some((path, q)) = on(nest, *s, id) else { continue };
            let part = part(path, q);
            it.parts.push((*s, part));
            it.exact = path.steps[q].exact;
            it.slanted |= path.steps[q].slanted;
            it.foreseen &= path.period(q).is_some_and(|period| period <= FORESEEN);
            // Rows that run abreast are as many as we wrote.
            let written_out = matches!(nest.loops[id.0].role, Role::Abreast(_) | Role::AbreastInLanes(_));
            it.in_block |= !written_out && path.steps[q].slanted && path.steps[q].exact.is_none();
            let mut own = BTreeSet::new();
            for (k, access) in path.accesses.iter().enumerate().filter(|(_, access)| !access.in_register) {
                let array = &self.scop.arrays[access.array.0];
                it.element = it.element.max(array.element_bytes);
                let is_write = access.kind.writes();
                let often = Often { access, part };
                // What feeds the operations that statements share is loaded once.
                let shared = &self.scop.statements[s.0].shared;
                let groups = loaded.entry((access.array.0, &access.base, &access.by)).or_default();
                let is_there = !is_write && shared.keys().any(|group| groups.contains(group));
                groups.extend(shared.keys());
                let of_source = is_write || self.scop.statements[s.0].loaded.contains(&k);
                if of_source && own.insert((access.array.0, is_write, &access.base, &access.by)) && !is_there {
                    it.all.push(often);
                }
                let known = seen.entry((access.array.0, is_write, &access.base, &access.by));
                if let Entry::Occupied(before) = known {
                    it.again.extend((is_write && access.moves(q)).then_some(often));
                    if let Some(before) = before.get().and_then(|k| it.moving.get_mut(k)) {
                        before.part = before.part.max(part);
                    }
                    continue;
                }
                known.or_insert(access.moves(q).then_some(it.moving.len()));
                if !access.moves(q) {
                    it.fixed += 1;
                    it.fixed_by_data += usize::from(is_by_data(path, q, access));
                    continue;
                }
                let unit = access.by[q].split_last().is_some_and(|(last, others)| {
                    last.abs() == 1 && others.iter().all(|&c| c == 0) && array.stride_bytes == array.element_bytes
                });
                let stays = !is_write && q > 0 && !access.moves(q - 1);
                if !unit {
                    apart.push((q, access));
                }
                it.unaligned.push(is_unaligned(access, q, self.machine.vector_bytes() / array.element_bytes.max(1)));
                it.stays.push(stays);
                it.moving.push(often);
            }
        }
        let in_turn = |&(q, access): &(usize, &Movement)| members(&apart, q, access);
        let groups: Vec<Option<u64>> = apart.iter().map(in_turn).collect();
        it.strided = groups.iter().filter(|group| group.is_none()).count();
        let stays = |q: usize, access: &Movement| !access.kind.writes() && q > 0 && !access.moves(q - 1);
        let apart_of_rows = apart.iter().zip(&groups).filter(|(_, group)| group.is_none());
        it.strided_stays = apart_of_rows.filter(|((q, access), _)| stays(*q, access)).count();
        // Beside stores to neighbours vectors are not all bad.
        let all_apart = it.moving.iter().filter(|a| a.access.kind.writes()).count()
            == apart.iter().filter(|(_, access)| access.kind.writes()).count();
        let in_a_row = |q: usize, access: &Movement| {
            let array = &self.scop.arrays[access.array.0];
            let Some(by) = access.by.get(q) else { return false };
            let is_last = by.split_last().is_some_and(|(_, others)| others.iter().all(|&c| c == 0));
            let near = cells_between(array, by).is_some_and(|by| by.unsigned_abs() <= MOST_SCATTERED);
            near && (is_last || all_apart) && array.stride_bytes == array.element_bytes
        };
        let stores =
            || apart.iter().zip(&groups).filter(|((_, access), group)| access.kind.writes() && group.is_none());
        it.scattered = stores().count();
        // Stores side by side that leave no gaps it takes together, if they are few. Of loops that would need a mask it makes no vectors for that.
        let is_short = it.exact.and_then(|n| u64::try_from(n).ok()).is_some_and(|n| n < MASKED);
        let is_long = |q: usize, access: &Movement| {
            let array = &self.scop.arrays[access.array.0];
            let most = most_in_turn(self.machine.vector_bits, array.element_bytes);
            let moved = access.by.get(q).and_then(|by| cells_between(array, by)).map_or(0, i64::unsigned_abs);
            let may_be = !is_short && array.element_bytes >= SCATTERED_BYTES && moved > most;
            may_be && self.in_line(&apart, (q, access)).is_some_and(|(cells, _)| cells > most)
        };
        let is_whole =
            |q: usize, access: &Movement| self.in_line(&apart, (q, access)).is_some_and(|(cells, size)| cells == size);
        let along = |q: usize, access: &Movement| match (is_long(q, access), is_whole(q, access)) {
            (true, _) => all_apart,
            (false, true) => false,
            (false, false) => in_a_row(q, access),
        };
        it.gathers_rows = nest.is_source
            && apart.len() <= MOST_IN_LINE
            && apart.iter().any(|(q, access)| !access.kind.writes() && is_long(*q, access));
        it.scattered_along = stores().filter(|((q, access), _)| along(*q, access)).count();
        it.shuffles = groups.iter().flatten().map(|&group| f64::from(group.next_power_of_two().ilog2())).sum();
        it
    }

    /// How many cells are accessed of a line, which is as many as the step moves them by.
    fn in_line(&self, accesses: &[(usize, &Movement)], (step, access): (usize, &Movement)) -> Option<(u64, u64)> {
        let array = &self.scop.arrays[access.array.0];
        let beside = accesses.iter().filter(|other| are_beside((step, access), other)).filter_map(|(_, other)| {
            let apart = other.base.iter().zip(&access.base).map(|(a, b)| a.checked_sub(*b));
            cells_between(array, &apart.collect::<Option<Vec<i64>>>()?)
        });
        let size = access.by.get(step).and_then(|by| cells_between(array, by)).and_then(i64::checked_abs)?;
        (size > 1).then(|| (turns(beside, size), size.unsigned_abs()))
    }

    /// Cycles that an iteration of the loop around waits for the one before, if this loop is written out in its body.
    fn waits_around(&self, nest: &Nest, id: LoopId, statements: &[StatementId]) -> Option<f64> {
        let around = id.0.checked_sub(1).map(LoopId)?;
        let abreast = matches!(nest.loops[id.0].role, Role::Abreast(_) | Role::AbreastInLanes(_));
        abreast.then(|| self.latency(nest, around, statements).unwrap_or(0.0))
    }

    /// Would LLVM run several iterations at once?
    fn widens(&self, (nest, carried): (&Nest, Carried), statements: &[StatementId], lanes: u64) -> bool {
        let statement = |s: &StatementId| &self.scop.statements[s.0];
        let allowed = match carried {
            Carried::Nothing | Carried::Forward => true,
            Carried::Reduction => {
                let waits = statements.iter().any(|s| statement(s).chain_latency > 0);
                !waits || self.sums_in_any_order(carried, statements)
            }
            Carried::Short { most } | Carried::Recurrence { distance: most } => {
                u64::try_from(most).is_ok_and(|m| m >= lanes)
            }
        };
        // Processors without masks for all load larger cells under one.
        let is_large = |a: &Access| a.kind == AccessKind::Read || self.scop.arrays[a.array.0].element_bytes >= MASKABLE;
        let loads_masked = |s: &Statement| {
            self.machine.vector_bytes() > SHORT && s.write().kind == AccessKind::Write && s.reads().iter().all(is_large)
        };
        let masked = |s: &Statement| !s.is_conditional() || self.machine.masks || loads_masked(s);
        let counted = |s: &Statement| !(nest.is_source && s.uncounted);
        allowed && statements.iter().map(statement).all(|s| s.vectorizable && counted(s) && masked(s))
    }

    /// Are these sums that LLVM takes up in another order?
    fn sums_in_any_order(&self, carried: Carried, statements: &[StatementId]) -> bool {
        carried == Carried::Reduction && statements.iter().all(|s| self.scop.statements[s.0].any_order)
    }

    /// Cycles that an iteration waits for the one before.
    pub(super) fn latency(&self, nest: &Nest, id: LoopId, statements: &[StatementId]) -> Option<f64> {
        let carried = nest.loops[id.0].carried;
        let scale = self.machine.fma_latency / CHAIN_FMA;
        // What runs under conditions waits for what ran before it under conditions, and nobody knows how long ago that was. Vectors have masks, and wait.
        let waiting = statements.iter().copied().filter(|s| !self.branches_by_data(nest, id, *s));
        let statements = &waiting.collect::<Vec<_>>()[..];
        if statements.is_empty() {
            return None;
        }
        let chain = |s: &StatementId| f64::from(self.scop.statements[s.0].chain_latency) * scale;
        match carried {
            Carried::Nothing | Carried::Forward | Carried::Short { .. } => None,
            Carried::Reduction => statements.iter().map(chain).reduce(f64::max).filter(|&c| c > 0.0),
            Carried::Recurrence { distance } => {
                let known = statements.iter().filter_map(|s| self.wait(nest, id, *s)).reduce(f64::max);
                let standing = self.standing(nest, id, statements);
                if let Some(waits) = known.into_iter().chain(standing).reduce(f64::max) {
                    return Some(waits);
                }
                // One operation of the statement at least is on the way from the load to the store.
                let through = |s: &StatementId| {
                    let statement = &self.scop.statements[s.0];
                    let heavy = statement.operations.1 > 0 || statement.calls > 0;
                    let divides = if heavy { self.machine.div_latency } else { 0.0 };
                    chain(s).max(self.machine.add_latency + divides)
                };
                let longest = statements.iter().map(through).fold(0.0, f64::max);
                Some((self.machine.l1_latency + longest) / to_f64_u64(u64::try_from(distance.max(1)).unwrap_or(1)))
            }
        }
    }

    /// Cycles that an iteration waits for what the statement itself stored some iterations of the loop before; the source may have it in a register. `None`: that does not show in the subscripts.
    fn wait(&self, nest: &Nest, id: LoopId, s: StatementId) -> Option<f64> {
        let path = nest.paths.get(&s)?;
        let along = path.steps.iter().position(|step| step.of == id)?;
        let (write, reads) = path.accesses.split_first()?;
        let mut longest: Option<f64> = None;
        for (k, read) in reads.iter().enumerate() {
            let Some(&cycles) = self.scop.statements[s.0].latencies.get(&(k + 1)) else { continue };
            if read.array == write.array
                && read.by == write.by
                && let Some(distance) = iterations_between(read, write, along)
            {
                let is_kept = nest.is_source && !self.scop.statements[s.0].loaded.contains(&(k + 1));
                let through = if is_kept { 0.0 } else { self.machine.l1_latency };
                let waits = through + f64::from(cycles) * self.machine.fma_latency / CHAIN_FMA;
                let waits = waits / to_f64_u64(distance);
                longest = Some(longest.map_or(waits, |other| other.max(waits)));
            }
        }
        longest
    }

    /// Cycles that an iteration of the source waits for a cell that the loop does not move, through all statements that change it; what it keeps in memory it has to store and load again each time.
    /// `None`: there is none.
    fn standing(&self, nest: &Nest, id: LoopId, statements: &[StatementId]) -> Option<f64> {
        if !nest.is_source {
            return None;
        }
        let mut cells: BTreeMap<_, f64> = BTreeMap::new();
        for s in statements {
            let Some((path, q)) = on(nest, *s, id) else { continue };
            let Some((write, reads)) = path.accesses.split_first().filter(|(write, _)| !write.moves(q)) else {
                continue;
            };
            let is_own = |read: &Movement| read.array == write.array && read.by == write.by && read.base == write.base;
            for (k, read) in reads.iter().enumerate().filter(|(_, read)| is_own(read)) {
                let Some(&cycles) = self.scop.statements[s.0].latencies.get(&(k + 1)) else { continue };
                let in_memory = !write.in_register && !read.in_register;
                let through = if in_memory { self.machine.l1_latency } else { 0.0 };
                let waits = cells.entry((write.array, &write.base)).or_insert(through);
                *waits += f64::from(cycles) * self.machine.fma_latency / CHAIN_FMA;
            }
        }
        cells.into_values().reduce(f64::max)
    }

    /// Does a statement branch in each iteration of a loop, as data decide? Vectors have masks or choose.
    fn branches_by_data(&self, nest: &Nest, id: LoopId, s: StatementId) -> bool {
        let asks = on(nest, s, id).is_some_and(|(path, q)| path.is_decided(q) && path.lanes().is_none());
        asks && (nest.is_source || self.scop.statements[s.0].is_conditional())
    }

    /// Operations of an iteration of some statements, each of which runs in a part of the iterations, without those that need only reads of which this says that they are done outside.
    pub(super) fn operations(
        &self,
        statements: &[(StatementId, f64)],
        is_outside: impl Fn(StatementId, usize) -> bool,
    ) -> Operations {
        let mut all = Operations::default();
        let mut done = BTreeSet::new();
        for &(s, part) in statements {
            let statement = &self.scop.statements[s.0];
            let (mut simple, mut divisions) = statement.operations;
            let mut calls = statement.calls;
            // What another one has done.
            for (_, shared) in statement.shared.iter().filter(|(group, _)| !done.insert(**group)) {
                divisions = divisions.saturating_sub(shared.0);
                calls = calls.saturating_sub(shared.1);
            }
            let all_outside = |accesses: &[usize]| accesses.iter().all(|&access| is_outside(s, access));
            for (_, alone) in statement.alone.iter().filter(|(accesses, _)| all_outside(accesses)) {
                simple = simple.saturating_sub(alone.0);
                divisions = divisions.saturating_sub(alone.1);
            }
            all.simple += part * f64::from(simple);
            all.divisions += part * f64::from(divisions);
            all.calls += part * f64::from(calls);
        }
        all
    }

    /// Cycles of one iteration (one element, of `lanes` at once) when nothing waits. `unaligned` says it of vectors, by access.
    pub(super) fn throughput(
        &self,
        moving: &[Often<'_>],
        unaligned: &[bool],
        operations: Operations,
        lanes: u64,
    ) -> f64 {
        let m = self.machine;
        let (mut loads, mut load_bytes, mut stores, mut store_bytes) = (0.0, 0.0, 0.0, 0.0);
        let mut element = 8;
        for (k, &Often { access, part }) in moving.iter().enumerate() {
            let bytes = self.scop.arrays[access.array.0].element_bytes.saturating_mul(u64::from(access.extent));
            element = bytes.max(1);
            // Vectors that lie across the end of a line are accessed twice.
            let vector = to_f64_u64(bytes * lanes);
            let across = unaligned.get(k).is_some_and(|&u| u);
            let times = if across { 1.0 + (vector / to_f64_u64(m.line_bytes)).min(1.0) } else { 1.0 };
            let times = part * times;
            if access.kind.writes() {
                stores += times;
                store_bytes += times * vector;
            } else {
                loads += times;
                load_bytes += times * vector;
            }
        }
        let Operations { simple, divisions, calls } = operations;
        let operand = to_f64_u64(element * lanes);
        let fp = simple * (1.0 / m.fmas_per_cycle).max(operand / m.fma_bytes_per_cycle);
        let division = divisions * m.div_interval * (operand / 16.0).max(1.0);
        let load = (loads / m.loads_per_cycle).max(load_bytes / m.load_bytes_per_cycle);
        let store = (stores / m.stores_per_cycle).max(store_bytes / m.store_bytes_per_cycle);
        let issue = (loads + stores + simple + divisions + 1.0) / m.issue_width;
        // Nothing runs beside a call.
        let called = calls * CALL * (operand / CALL_BYTES).max(1.0);
        (load.max(store).max(fp.max(division)).max(issue) + called) / to_f64_u64(lanes)
    }
}

/// An access, and in which part of a loop's iterations it is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Often<'a> {
    pub(super) access: &'a Movement,
    pub(super) part: f64,
}

/// Do data decide in each iteration of a step whether an access is made?
fn is_by_data(path: &Path, step: usize, access: &Movement) -> bool {
    access.kind == AccessKind::MayRead && path.is_decided(step)
}

/// The path of a statement, and which of its steps a loop is.
fn on(nest: &Nest, s: StatementId, id: LoopId) -> Option<(&Path, usize)> {
    let path = nest.paths.get(&s)?;
    path.steps.iter().position(|step| step.of == id).map(|q| (path, q))
}

/// LLVM loads or stores so many neighbours together at most.
const MOST_MEMBERS: i64 = 4;

/// How many accesses load the cells of a line in turn, or store them, of which this is one: as many as the step has cells. `None`: they are not all there.
fn members(accesses: &[(usize, &Movement)], step: usize, access: &Movement) -> Option<u64> {
    let (last, others) = access.by.get(step)?.split_last()?;
    let (cell, line) = access.base.split_last()?;
    let size = last.checked_abs().filter(|size| (2..=MOST_MEMBERS).contains(size))?;
    // Of three it stores in more pieces than pay.
    if others.iter().any(|c| *c != 0) || access.kind.writes() && size == 3 {
        return None;
    }
    let beside = accesses.iter().filter(|other| are_beside((step, access), other)).filter_map(|(_, other)| {
        let (own, others) = other.base.split_last()?;
        (others == line).then(|| own.checked_sub(*cell)).flatten()
    });
    (turns(beside, size) == size.unsigned_abs()).then_some(size.unsigned_abs())
}

/// Are two accesses of one kind to one array, and does their loop move them alike?
fn are_beside((step, access): (usize, &Movement), &(q, other): &(usize, &Movement)) -> bool {
    q == step && other.array == access.array && other.by == access.by && other.kind.writes() == access.kind.writes()
}

/// At how many places of a line of so many cells there are some, by how far they are from one of them.
fn turns(offsets: impl Iterator<Item = i64>, size: i64) -> u64 {
    let near = offsets.filter(|o| o.unsigned_abs() < size.unsigned_abs());
    let turns: BTreeSet<i64> = near.map(|o| o.rem_euclid(size)).collect();
    u64::try_from(turns.len()).unwrap_or(u64::MAX)
}

/// How many cells lie from one cell to another in memory, by how far apart their subscripts are. `None`: that depends on sizes.
pub(super) fn cells_between(array: &Array, apart: &[i64]) -> Option<i64> {
    let (first, others) = apart.split_first()?;
    others.iter().zip(&array.inner_sizes).try_fold(*first, |cells, (by, size)| match size {
        _ if cells == 0 => Some(*by),
        Some(size) => cells.checked_mul(*size)?.checked_add(*by),
        None => None,
    })
}

/// Do most stores go to neighbours of what others store to?
fn stores_neighbours(accesses: &[Often<'_>]) -> bool {
    let stores: Vec<&Movement> = accesses.iter().map(|a| a.access).filter(|a| a.kind.writes()).collect();
    let is_next = |a: &Movement, b: &Movement| {
        a.array == b.array
            && a.by == b.by
            && a.base
                .split_last()
                .zip(b.base.split_last())
                .is_some_and(|((x, before), (y, other))| before == other && y.checked_sub(*x) == Some(1))
    };
    let followed = stores.iter().filter(|a| stores.iter().any(|b| is_next(a, b))).count();
    2 * followed >= stores.len() && followed > 0
}

/// What an iteration takes to find cells.
#[derive(Default)]
struct Searches {
    reads: f64,
    operations: Operations,
}

impl Searches {
    /// Of integers: there are no vectors of that.
    fn by_division(&self) -> bool {
        self.operations.divisions > 0.0
    }
}

/// What the arithmetic units do.
#[derive(Clone, Copy, Default)]
pub(super) struct Operations {
    simple: f64,
    divisions: f64,
    calls: f64,
}

impl Operations {
    /// As many as run where data decide, by conditions that take so many simple ones.
    fn rarely(self, asked: f64) -> Self {
        let asked = asked.min(self.simple);
        Self { simple: asked + (self.simple - asked) * CHANCE, ..self.times(CHANCE) }
    }

    /// Both.
    fn and(self, other: Self) -> Self {
        Self {
            simple: self.simple + other.simple,
            divisions: self.divisions + other.divisions,
            calls: self.calls + other.calls,
        }
    }

    /// All of them so many times.
    pub(super) fn times(self, n: f64) -> Self {
        Self { simple: self.simple * n, divisions: self.divisions * n, calls: self.calls * n }
    }
}

/// How many iterations of a step after the write the read comes to its cell; at least 1. Both move alike.
fn iterations_between(read: &Movement, write: &Movement, along: usize) -> Option<u64> {
    let by = write.by.get(along)?;
    let mut found = None;
    for ((&r, &w), &by) in read.base.iter().zip(&write.base).zip(by) {
        let gap = w.checked_sub(r)?;
        if by == 0 && gap == 0 {
            continue;
        }
        let iterations = gap.checked_div(by).filter(|n| n.checked_mul(by) == Some(gap))?;
        if found.is_some_and(|known| known != iterations) {
            return None;
        }
        found = Some(iterations);
    }
    found.and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0)
}

/// Do vectors of an access along a step start anywhere? Rows are taken to start at a whole vector, and so is what is a parameter away from that: from where a loop is counted makes no
/// difference. Of what goes down, vectors end where it begins.
pub(super) fn is_unaligned(access: &Movement, along: usize, lanes: u64) -> bool {
    let lanes = i64::try_from(lanes).unwrap_or(1).max(1);
    let off = |c: &i64| c % lanes != 0;
    let moves = |step: usize| access.by.get(step).and_then(|by| by.last()).copied().unwrap_or(0);
    let begin = access.begin.saturating_add(i64::from(moves(along) < 0));
    off(&begin) || access.sweeps.iter().enumerate().any(|(k, by)| k != along && by.last().is_some_and(off))
}
