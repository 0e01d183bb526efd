//! Cells that go from one iteration to the next in registers.
//!
//! **Problem.** `a[2j + 1] += ..; a[2j + 2] += ..; a[2j + 3] += ..` begins with the cell that the iteration before has ended with. LLVM's passes behind us know that only where cells lie side by side
//! (`LoopLoadElimination` of LLVM 22 takes steps of one cell), and where two such cells are stored as a vector, of which one is loaded at once, processors wait (measured on Zen 4: a scatter by steps of two at 0.6 of the
//! source's speed, whose own loads have been removed in front of us).
//!
//! **Method.** In an innermost loop of single instances that all run, a cell `R` is read that, one iteration on, is a cell `W` of this one. It is loaded in front of the loop and stays in a slot: what is known of `W` at the end of an
//! iteration is known of `R` at the beginning of the next ([`super::straight`], which also forgets it where something may overwrite it in between). That is only done where a store is read by the next iteration's
//! beginning, behind which LLVM makes no vectors, and for vectors that fill a line: of three neighbours `a[j - 1]`, `a[j]`, `a[j + 1]` two at least lie across lines, which takes two accesses each, where LLVM makes them
//! of two registers of recurrences in one operation. (As its own load PRE in front of us would have it. Measured on Zen 4, sweeps of three points in 64 bytes, in the first and second level: by 1.4 and 1.2 for doubles, 1.15 and
//! 1.1 for floats; of five points most where two loads are left. Vectors of half a line gain nothing.) Callahan, Carr, Kennedy, *Improving register allocation for subscripted variables* (1990).

use super::address::Storage;
use super::straight::Cells;
use super::walk::Known;
use super::{Emitter, Result};
use crate::llvm::{Type, Value};
use codegen::ast::{AstNode, Expr, For};
use codegen::interpret::subscripts;
use polyhedra::Affine;

/// More cells than this do not stay: registers are wanted for other things, too.
const MOST: usize = 12;

/// Vectors of so many bits fill a line.
const LINE_BITS: u32 = 512;

/// Of so many neighbours in a row one is loaded for vectors.
const NEIGHBOURS: usize = 3;

/// Nor is any handed on from vector to vector where an iteration has more accesses: each neighbour is looked for among all, and the loop is written twice.
const MOST_EVENTS: usize = 256;

/// So many exact questions are asked about a loop.
const MOST_QUESTIONS: usize = 64;

/// A cell that stays.
pub(super) struct Rotated {
    /// As this iteration reads it.
    read: Cells,
    /// The cell that the next iteration reads so.
    next: Cells,
    alignment: u32,
    slot: Value,
    ty: Type,
    /// Vectors want what the next iteration reads to be there before all else.
    early: bool,
}

/// An access of an iteration, in their order.
struct Event {
    cells: Cells,
    writes: bool,
    alignment: u32,
}

/// A cell that may stay.
pub(super) struct Stays {
    /// As an iteration reads it.
    read: Cells,
    /// The cell that the next iteration reads so.
    next: Cells,
    alignment: u32,
}

/// Which cells of a loop stay.
pub(super) struct Rotation {
    pub(super) cells: Vec<Stays>,
    /// For vectors of so many lanes that LLVM makes.
    pub(super) lanes: Option<i64>,
}

/// A read, the last access to the cell of this iteration which the next one reads so, and that cell.
type Found = (usize, usize, Cells);

/// Leaves of neighbours in a row, each of which the next iteration finds in the one behind, those that vectors are made of: every third one is loaded, the last one first.
fn keep_neighbours(found: &mut Vec<Found>, events: &[Event]) {
    let behind = |cells: &Cells| found.iter().find(|(k, ..)| events[*k].cells == *cells);
    let from_last = |(_, _, next): &Found| {
        let (mut next, mut count) = (next, 1);
        // Each is further on.
        while let Some((_, _, further)) = behind(next) {
            (next, count) = (further, count + 1);
        }
        count
    };
    let stays: Vec<bool> = found.iter().map(|one| from_last(one) % NEIGHBOURS != 0).collect();
    let mut stays = stays.into_iter();
    found.retain(|_| stays.next().unwrap_or(false));
}

impl Emitter<'_> {
    /// Which cells stay in registers in a loop that runs.
    pub(super) fn rotation(&mut self, f: &For, known: &mut Known) -> Result<Rotation> {
        self.never_meet.clear();
        let none = Rotation { cells: Vec::new(), lanes: None };
        let for_vectors = f.parallel;
        if for_vectors && !(self.analyses.vector_bits() >= LINE_BITS && f.step == 1 && self.is_for_vectors(f)?) {
            return Ok(none);
        }
        let mut events = Vec::new();
        if !self.events(&f.body, &mut Vec::new(), &mut events)? || for_vectors && events.len() > MOST_EVENTS {
            return Ok(none);
        }
        let before = known.mark();
        let var = Expr::Affine(Affine::dim(self.ast.space, f.var.0));
        known.less_eq(&f.lower, &var)?;
        known.less_eq(&var, &f.upper)?;
        let (mut found, mut questions) = (Vec::new(), 0);
        for (k, event) in events.iter().enumerate() {
            let steps: Vec<i64> = event.cells.first.iter().map(|e| e.dim_coeff(f.var.0)).collect();
            let is_first = events[..k].iter().all(|other| other.cells != event.cells);
            if event.writes || !is_first || steps.iter().all(|step| *step == 0) {
                continue;
            }
            let mut next = event.cells.clone();
            for (e, step) in next.first.iter_mut().zip(steps) {
                *e = e.offset(step.checked_mul(f.step).ok_or(polyhedra::Error::Overflow)?)?;
            }
            let Some(last) = events.iter().rposition(|other| other.cells == next) else { continue };
            if for_vectors && (!self.is_beside(f, &next) || events.iter().any(|e| e.writes && e.cells == next)) {
                continue;
            }
            let behind = if for_vectors { &events[..] } else { &events[last + 1..] };
            let mut stays = |cells: &Cells, events: &[Event]| self.stays(cells, events, (known, &mut questions));
            if stays(&event.cells, &events[..k])? && stays(&next, behind)? {
                found.push((k, last, next));
            }
        }
        known.forget(before);
        if for_vectors {
            keep_neighbours(&mut found, &events);
        } else {
            let waits = |&(k, last, _): &Found| events[last].writes && last > k;
            if !found.iter().any(waits) {
                return Ok(none);
            }
            found.sort_by_key(|found| !waits(found));
        }
        found.truncate(MOST);
        let of_found =
            |(k, _, next): Found| Stays { read: events[k].cells.clone(), next, alignment: events[k].alignment };
        let cells: Vec<Stays> = found.into_iter().map(of_found).collect();
        let lanes = if for_vectors && !cells.is_empty() { Some(self.lanes_of(&events)) } else { None };
        Ok(Rotation { cells, lanes })
    }

    /// How many iterations a vector of LLVM's has: as many as the largest elements that are accessed fill a line.
    fn lanes_of(&self, events: &[Event]) -> i64 {
        let bytes = events.iter().filter_map(|event| match event.cells.storage {
            Storage::Array(array) => self.raised.scop.arrays.get(array.0).map(|array| array.element_bytes),
            Storage::Buffer(_) | Storage::Mirror(_) => None,
        });
        let lanes = u64::from(LINE_BITS / 8) / bytes.max().unwrap_or(1).max(1);
        i64::try_from(lanes.next_power_of_two()).unwrap_or(1)
    }

    /// Loads the cells that stay, in front of a loop that begins with this value.
    pub(super) fn begin_rotated(&mut self, f: &For, first: Value, cells: &[Stays]) -> Result<Vec<Rotated>> {
        if cells.is_empty() {
            return Ok(Vec::new());
        }
        let home = self.t.block("lw.first");
        self.t.branch(home);
        self.t.position(home);
        let (low, high) = self.numbers.interval(&f.lower)?;
        self.numbers.enter(home, f.var, first, (low, high.max(low)))?;
        let mut out = Vec::new();
        for Stays { read, next, alignment } in cells {
            let value = self.load_cells(read, *alignment, true)?;
            let ty = self.element_of(read.storage)?;
            let slot = self.t.slot(ty);
            self.store_slot(value, slot);
            let (read, next) = (read.clone(), next.clone());
            out.push(Rotated { read, next, alignment: *alignment, slot, ty, early: f.parallel });
        }
        self.numbers.leave(f.var);
        Ok(out)
    }

    /// Does the next iteration access the cell behind?
    fn is_beside(&self, f: &For, cells: &Cells) -> bool {
        let Storage::Array(array) = cells.storage else { return false };
        self.cells_between(f, &(array, cells.first.clone())) == Some(1)
    }

    /// Does nothing of this write to a cell?
    fn stays(&mut self, cells: &Cells, events: &[Event], (known, questions): (&Known, &mut usize)) -> Result<bool> {
        for event in events.iter().filter(|e| e.writes && !e.cells.apart(cells)) {
            *questions += 1;
            if *questions > MOST_QUESTIONS {
                return Ok(false);
            }
            let gaps = event.cells.first.iter().zip(&cells.first).map(|(a, b)| Ok(a.sub(b)?));
            if !known.excludes_zeros(&gaps.collect::<Result<Vec<_>>>()?, self.budget)? {
                return Ok(false);
            }
            self.never_meet.push((event.cells.clone(), cells.clone()));
        }
        Ok(true)
    }

    /// At the beginning of an iteration.
    pub(super) fn recall_rotated(&mut self, rotated: &[Rotated]) -> Result<()> {
        for r in rotated {
            let value = self.load_slot(r.ty, r.slot);
            self.straight.loaded(r.read.clone(), value);
        }
        for r in rotated.iter().filter(|r| r.early) {
            self.load_cells(&r.next, r.alignment, true)?;
        }
        Ok(())
    }

    /// At the end of an iteration, which has accessed the cells.
    pub(super) fn keep_rotated(&mut self, rotated: &[Rotated]) -> Result<()> {
        let mut values = Vec::new();
        for r in rotated {
            values.push(self.load_cells(&r.next, r.alignment, true)?);
        }
        for (r, value) in rotated.iter().zip(values) {
            self.store_slot(value, r.slot);
        }
        Ok(())
    }

    /// The accesses to memory of straight code. `false`: it is none, or some may not happen.
    fn events(&self, nodes: &[AstNode], held: &mut Vec<Cells>, out: &mut Vec<Event>) -> Result<bool> {
        for node in nodes {
            match node {
                AstNode::Call(call) => {
                    let (statement, body) = self.statement(call)?;
                    let is_plain = statement.accesses.iter().all(|a| a.is_plain());
                    if call.lanes.is_some()
                        || body.is_conditional()
                        || !is_plain
                        || !call.packed.is_empty()
                        || !call.behind.is_empty()
                    {
                        return Ok(false);
                    }
                    let reads = statement.accesses.iter().enumerate().skip(1);
                    for (k, access) in reads.chain(statement.accesses.iter().enumerate().take(1)) {
                        let cell = subscripts(access, call, self.ast.space)?;
                        let cells = Cells::new(Storage::Array(access.array), &cell, None);
                        if self.register(access.array, &cell).is_none() && !held.contains(&cells) {
                            let alignment = body.alignments.get(k).copied().unwrap_or(1).max(1);
                            out.push(Event { cells, writes: access.kind.writes(), alignment });
                        }
                    }
                }
                AstNode::Held(h) if h.lanes.is_none() => {
                    let cells = Cells::new(Storage::Array(h.array), &h.subscripts, None);
                    let alignment = self.alignment_of_cell(h)?;
                    if h.load {
                        out.push(Event { cells: cells.clone(), writes: false, alignment });
                    }
                    held.push(cells.clone());
                    let is_straight = self.events(&h.body, held, out)?;
                    held.pop();
                    if h.store {
                        out.push(Event { cells, writes: true, alignment });
                    }
                    if !is_straight {
                        return Ok(false);
                    }
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}
