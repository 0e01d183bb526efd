//! Cells that go from one iteration to the next in registers.
//!
//! **Problem.** `a[2j + 1] += ..; a[2j + 2] += ..; a[2j + 3] += ..` begins with the cell that the iteration before has ended with. LLVM's passes behind us know that only where cells lie side by side
//! (`LoopLoadElimination` of LLVM 22 takes steps of one cell), and where two such cells are stored as a vector, of which one is loaded at once, processors wait (measured on Zen 4: a scatter by steps of two at 0.6 of the
//! source's speed, whose own loads have been removed in front of us).
//!
//! **Method.** In an innermost loop of single instances that all run, a cell `R` is read that, one iteration on, is a cell `W` of this one. It is loaded in front of the loop and stays in a slot: what is known of `W` at the end of an
//! iteration is known of `R` at the beginning of the next ([`super::straight`], which also forgets it where something may overwrite it in between). That is only done where a store is read by the next iteration's
//! beginning, behind which LLVM makes no vectors: first-order recurrences are no help to those. Callahan, Carr, Kennedy, *Improving register allocation for subscripted variables* (1990).

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
}

/// An access of an iteration, in their order.
struct Event {
    cells: Cells,
    writes: bool,
    alignment: u32,
}

impl Emitter<'_> {
    /// Prepares a loop, in front of it, where it is sure to run.
    pub(super) fn begin_rotated(&mut self, f: &For, known: &mut Known) -> Result<Vec<Rotated>> {
        self.never_meet.clear();
        let mut events = Vec::new();
        let Expr::Affine(first) = &f.lower else { return Ok(Vec::new()) };
        if f.parallel || !self.events(&f.body, &mut Vec::new(), &mut events)? {
            return Ok(Vec::new());
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
            let mut stays = |cells: &Cells, events: &[Event]| self.stays(cells, events, (known, &mut questions));
            if stays(&event.cells, &events[..k])? && stays(&next, &events[last + 1..])? {
                found.push((k, last, next));
            }
        }
        known.forget(before);
        let waits = |&(k, last, _): &(usize, usize, Cells)| events[last].writes && last > k;
        if !found.iter().any(waits) {
            return Ok(Vec::new());
        }
        found.sort_by_key(|found| !waits(found));
        found.truncate(MOST);
        let mut out = Vec::new();
        for (k, _, next) in found {
            let Event { cells: read, alignment, .. } = &events[k];
            let begin = |e: &Affine| -> Result<Affine> {
                let mut rest = e.clone();
                rest.set_dim(f.var.0, 0);
                Ok(rest.combine(1, first, e.dim_coeff(f.var.0))?)
            };
            let begin = read.first.iter().map(begin).collect::<Result<Vec<_>>>()?;
            let value = self.load_cells(&Cells { first: begin, ..read.clone() }, *alignment, true)?;
            let ty = self.element_of(read.storage)?;
            let slot = self.t.slot(ty);
            self.store_slot(value, slot);
            out.push(Rotated { read: read.clone(), next, alignment: *alignment, slot, ty });
        }
        Ok(out)
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
    pub(super) fn recall_rotated(&mut self, rotated: &[Rotated]) {
        for r in rotated {
            let value = self.load_slot(r.ty, r.slot);
            self.straight.loaded(r.read.clone(), value);
        }
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
