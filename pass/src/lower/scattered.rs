//! Loops whose stores LLVM would scatter.
//!
//! **Problem.** Where the machine has an operation for it, LLVM makes vectors of a loop that stores to every second cell, say, lane by lane after all, and that takes longer than scalars do (measured on Zen 4, cycles an
//! element: 1.55 and more by vectors, 1.0 by scalars that store what they have loaded; what vectors gain is arithmetic).
//!
//! **Method.** What an iteration takes either way, by the accesses alone and the simple operations; divisions and calls are always worth a vector.

use super::side_by_side::all_calls;
use super::{Emitter, LowerError, Result};
use codegen::ast::{AstNode, For};
use codegen::interpret::subscripts;
use polyhedra::Affine;
use scheduler::machine::most_in_turn;
use scheduler::scop::ArrayId;
use std::collections::BTreeSet;

/// Cells so far apart LLVM loads by vectors that it takes apart.
const MOST_INTERLEAVED: u64 = 8;

/// The same of copies, whose stores side by side it shuffles.
const MOST_SHUFFLED: u64 = 4;

/// With more loads nobody looks for long rows among them, which takes time in the square of them.
const MOST_IN_LINE: usize = 256;

/// Cycles of an element by vectors: scattered, loaded one by one, and a part of the cells between that are loaded, too.
const SCATTERED: f64 = 1.55;
const GATHERED: f64 = 1.35;
const BETWEEN: f64 = 0.15;

/// Accesses of scalars, and operations, in a cycle.
const LOADS: f64 = 2.0;
const OPERATIONS: f64 = 2.0;

/// A cell of an array, and how many cells the next iteration is further on, if that is known.
type Moved = (ArrayId, Vec<Affine>, Option<i64>);

impl Emitter<'_> {
    /// Would vectors that scatter what they store take longer than scalars?
    pub(super) fn is_scattered(&self, f: &For) -> Result<bool> {
        if self.copies_are_scattered(f)? {
            return Ok(true);
        }
        let (mut stores, mut loads): (Vec<Moved>, Vec<Moved>) = (Vec::new(), Vec::new());
        let (mut operations, mut calls) = (0_u32, Vec::new());
        all_calls(&f.body, &mut calls);
        for call in calls {
            let statement = self.raised.scop.statements.get(call.statement.0);
            let statement = statement.ok_or(LowerError::Malformed("a statement that is not there"))?;
            if statement.operations.1 > 0 || statement.calls > 0 {
                return Ok(false);
            }
            operations = operations.saturating_add(statement.operations.0);
            for access in &statement.accesses {
                let cell = (access.array, subscripts(access, call, self.ast.space)?);
                let by = self.cells_between(f, &cell);
                let known = if access.kind.writes() { &mut stores } else { &mut loads };
                let moved = (cell.0, cell.1, by);
                if by != Some(0) && self.register(moved.0, &moved.1).is_none() && !known.contains(&moved) {
                    known.push(moved);
                }
            }
        }
        let mut vectors = 0.0;
        for store @ (array, ..) in &stores {
            let data = self.data(*array)?;
            let (element, bytes) = (data.element, self.raised.scop.arrays[array.0].element_bytes);
            if !is_alone(store, &stores, most_in_turn(self.analyses.vector_bits(), bytes)) {
                continue;
            }
            let alignment = self.alignments(*array).min().unwrap_or(1);
            if !self.analyses.has_scatters(self.t.vector(element, 8), alignment) {
                return Ok(false);
            }
            vectors += SCATTERED;
        }
        if vectors == 0.0 && (loads.len() > MOST_IN_LINE || !self.gathers_rows(&loads)?) {
            return Ok(false);
        }
        let load = |(_, _, by): &Moved| match by.map(i64::unsigned_abs) {
            Some(by) if by <= MOST_INTERLEAVED => BETWEEN * f64::from(u32::try_from(by).unwrap_or(0)),
            _ => GATHERED,
        };
        vectors += loads.iter().map(load).sum::<f64>();
        let count = |list: &[Moved]| f64::from(u32::try_from(list.len()).unwrap_or(u32::MAX));
        let scalars = count(&stores).max(count(&loads) / LOADS).max(f64::from(operations) / OPERATIONS);
        Ok(vectors > scalars)
    }

    /// Are rows of cells loaded that are too long to be taken from vectors?
    fn gathers_rows(&self, loads: &[Moved]) -> Result<bool> {
        for load @ (array, _, by) in loads {
            let data = self.data(*array)?;
            let most = most_in_turn(self.analyses.vector_bits(), self.raised.scop.arrays[array.0].element_bytes);
            let is_long = by.is_some_and(|by| by.unsigned_abs() > most && cells_in_line(load, by, loads) > most);
            let alignment = self.alignments(*array).min().unwrap_or(1);
            if is_long && self.analyses.has_scatters(self.t.vector(data.element, 8), alignment) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same of copies of cells, one by one, to as many rows that are too long to be taken as wholes.
    fn copies_are_scattered(&self, f: &For) -> Result<bool> {
        for node in &f.body {
            let AstNode::Pack(pack) = node else { return Ok(false) };
            let by = pack.to.index.dim_coeff(f.var.0).unsigned_abs();
            let cell = self.cell_of_buffer(pack.to.buffer)?;
            let alignment = u32::try_from(cell.bytes).unwrap_or(1);
            let scatters = self.analyses.has_scatters(self.t.vector(cell.ty, 8), alignment);
            if pack.lanes.is_some() || by <= MOST_SHUFFLED || !scatters {
                return Ok(false);
            }
        }
        Ok(!f.body.is_empty())
    }
}

/// Is what lies between the cells of a store not stored to by others, which would make it a vector with them?
fn is_alone(store: &Moved, stores: &[Moved], most: u64) -> bool {
    let by = store.2.filter(|by| (1..=most).contains(&by.unsigned_abs()));
    by.is_none_or(|by| cells_in_line(store, by, stores) < by.unsigned_abs())
}

/// How many cells of the line that an iteration of an access moves it by others are at.
fn cells_in_line((array, cell, _): &Moved, by: i64, others: &[Moved]) -> u64 {
    let beside = |(other, at, _): &Moved| -> Option<i64> {
        let (last, rows) = at.split_last()?;
        let (own, own_rows) = cell.split_last()?;
        let gap = last.sub(own).ok().filter(Affine::is_constant)?.constant_term();
        (other == array && rows == own_rows).then(|| gap.checked_rem_euclid(by)).flatten()
    };
    let found: BTreeSet<i64> = others.iter().filter_map(beside).collect();
    u64::try_from(found.len()).unwrap_or(u64::MAX)
}
