//! What is known in straight code: the cells that were loaded or stored, so that none is loaded again, splats, and what operations gave: several statements may have one as a part, and behind us nothing finds what
//! they have in common.

use super::address::Storage;
use super::vector::Lane;
use super::{LowerError, Result};
use crate::llvm::Value;
use codegen::ast::{Expr, LoopVar, covers};
use polyhedra::Affine;
use std::collections::BTreeMap;

/// A cell, or one a lane.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cells {
    pub(super) storage: Storage,
    /// The cell of lane 0.
    pub(super) first: Vec<Affine>,
    /// What changes from lane to lane; `None`: a single cell.
    pub(super) lanes: Option<Spread>,
}

/// How cells lie that are accessed by lanes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Spread {
    /// From one lane to the next, a number a subscript; not all are 0.
    pub(super) steps: Vec<i64>,
    /// Number of lanes.
    pub(super) width: u32,
    /// The first lane that runs; `None`: 0.
    pub(super) from: Option<Expr>,
    /// The first lane behind it that does not; `None`: there is none.
    pub(super) to: Option<Expr>,
}

impl Spread {
    /// Do all lanes run?
    pub(super) fn full(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    /// Does each lane run that runs of another?
    fn covers(&self, other: &Self) -> bool {
        covers((&self.from, &self.to), (&other.from, &other.to))
    }
}

impl Cells {
    /// The cells of `lanes` (variable, number, and which of them run); one cell if the variable is not in it.
    pub(super) fn new(
        storage: Storage,
        cell: &[Affine],
        lanes: Option<(LoopVar, u32, &Option<Expr>, &Option<Expr>)>,
    ) -> Self {
        let Some((var, width, from, to)) = lanes else { return Self { storage, first: cell.to_vec(), lanes: None } };
        let steps: Vec<i64> = cell.iter().map(|e| e.dim_coeff(var.0)).collect();
        let first = cell.iter().map(|e| without(e, var)).collect();
        let moves = steps.iter().any(|s| *s != 0);
        let lanes = moves.then(|| Spread { steps, width, from: from.clone(), to: to.clone() });
        Self { storage, first, lanes }
    }

    /// The cell of one lane.
    pub(super) fn at(&self, lane: u32) -> Result<Vec<Affine>> {
        let Some(spread) = &self.lanes else { return Ok(self.first.clone()) };
        let shifted = self.first.iter().zip(&spread.steps).map(|(e, s)| {
            let by = s.checked_mul(lane.into()).ok_or(polyhedra::Error::Overflow)?;
            Ok::<_, LowerError>(e.offset(by)?)
        });
        shifted.collect()
    }

    /// Are they never the same, whatever the lanes? Subscripts lie within their dimensions, so one that differs is enough.
    pub(super) fn apart(&self, other: &Self) -> bool {
        if self.storage != other.storage {
            return true;
        }
        self.first.iter().zip(&other.first).enumerate().any(|(k, (a, b))| {
            let Some(d) = a.sub(b).ok().filter(Affine::is_constant) else { return false };
            let sides = [(&self.lanes, 1), (&other.lanes, -1)];
            let (mut low, mut high, mut divisor) = (i128::from(d.constant_term()), i128::from(d.constant_term()), 0);
            for (spread, sign) in sides {
                let Some(spread) = spread else { continue };
                let step = i128::from(spread.steps.get(k).copied().unwrap_or(0));
                let most = sign * step * i128::from(spread.width.max(1) - 1);
                low += most.min(0);
                high += most.max(0);
                divisor = gcd(divisor, step.unsigned_abs());
            }
            let off = i128::from(d.constant_term()).unsigned_abs();
            low > 0 || high < 0 || (divisor > 1 && off % divisor != 0)
        })
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The form with the variable at 0.
pub(super) fn without(e: &Affine, var: LoopVar) -> Affine {
    let mut e = e.clone();
    if var.0 < e.dim_coeffs().len() {
        e.set_dim(var.0, 0);
    }
    e
}

/// What was computed since the straight code began.
#[derive(Clone, Default)]
pub(super) struct Straight {
    cells: Vec<(Cells, Value)>,
    splats: BTreeMap<(Value, u32), Value>,
    /// What slots hold.
    slots: BTreeMap<Value, Value>,
    results: BTreeMap<(Value, Vec<Lane>), Lane>,
    /// What was loaded in some lanes only, with the mask that said in which.
    masked: Vec<(Cells, Value, Lane)>,
    /// Conditions and what they are not.
    opposites: BTreeMap<Value, Value>,
}

impl Straight {
    /// What the cells hold, if that is known. `exactly`: zeros where lanes do not run.
    pub(super) fn find(&self, cells: &Cells, exactly: bool) -> Option<Value> {
        let same = |k: &Cells| {
            k.storage == cells.storage
                && k.first == cells.first
                && match (&k.lanes, &cells.lanes) {
                    (None, None) => true,
                    (Some(a), Some(b)) => {
                        a.steps == b.steps
                            && a.width == b.width
                            && if exactly { b.full() && a.full() } else { a.covers(b) }
                    }
                    _ => false,
                }
        };
        self.cells.iter().find(|(k, _)| same(k)).map(|(_, v)| *v)
    }

    /// How often the cells were loaded.
    pub(super) fn times(&self, cells: &Cells) -> usize {
        self.cells.iter().filter(|(k, _)| k == cells).count()
    }

    /// The cells were loaded.
    pub(super) fn loaded(&mut self, cells: Cells, value: Value) {
        self.cells.push((cells, value));
    }

    /// The cells were stored; of some pairs it is known that they never meet, though not from their subscripts alone.
    pub(super) fn stored(&mut self, cells: Cells, value: Value, never_meet: &[(Cells, Cells)]) {
        let are_apart = |k: &Cells| never_meet.iter().any(|(stored, other)| *stored == cells && other == k);
        self.cells.retain(|(k, _)| k.apart(&cells) || are_apart(k));
        self.masked.retain(|(k, _, _)| k.apart(&cells));
        self.cells.push((cells, value));
    }

    /// What was loaded of the cells under a mask.
    pub(super) fn find_masked(&self, cells: &Cells, mask: Value) -> Option<Lane> {
        self.masked.iter().find(|(c, m, _)| c == cells && *m == mask).map(|(_, _, value)| *value)
    }

    /// The cells were loaded under a mask.
    pub(super) fn loaded_masked(&mut self, cells: Cells, mask: Value, value: Lane) {
        self.masked.push((cells, mask, value));
    }

    /// What a condition is not.
    pub(super) fn opposite(&self, condition: Value) -> Option<Value> {
        self.opposites.get(&condition).copied()
    }

    /// A condition has been turned over.
    pub(super) fn turned_over(&mut self, condition: Value, opposite: Value) {
        self.opposites.insert(condition, opposite);
    }

    /// A splat that was made before.
    pub(super) fn splat(&self, v: Value, width: u32) -> Option<Value> {
        self.splats.get(&(v, width)).copied()
    }

    /// A splat was made.
    pub(super) fn splatted(&mut self, v: Value, width: u32, splat: Value) {
        self.splats.insert((v, width), splat);
    }

    /// What a slot holds, if that is known.
    pub(super) fn slot(&self, slot: Value) -> Option<Value> {
        self.slots.get(&slot).copied()
    }

    /// A slot was loaded or stored.
    pub(super) fn holds(&mut self, slot: Value, value: Value) {
        self.slots.insert(slot, value);
    }

    /// What an operation on these operands gave before.
    pub(super) fn result(&self, instruction: Value, operands: &[Lane]) -> Option<Lane> {
        self.results.get(&(instruction, operands.to_vec())).copied()
    }

    /// An operation was done.
    pub(super) fn computed(&mut self, instruction: Value, operands: Vec<Lane>, result: Lane) {
        self.results.insert((instruction, operands), result);
    }

    /// What is left behind code that may not have run, of what was known before it and is known at its end.
    pub(super) fn behind(self, inside: &Self) -> Self {
        let cells = self.cells.into_iter().filter(|c| inside.cells.contains(c)).collect();
        let masked = self.masked.into_iter().filter(|m| inside.masked.contains(m)).collect();
        let slots = self.slots.into_iter().filter(|(slot, value)| inside.slot(*slot) == Some(*value)).collect();
        Self { cells, masked, slots, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyhedra::Space;
    use scheduler::scop::ArrayId;

    /// `[i + shift + step * lane]` for so many lanes; one cell for 0.
    fn cells(shift: i64, step: i64, width: u32) -> Cells {
        let lanes = (width > 0).then(|| Spread { steps: vec![step], width, from: None, to: None });
        let first = vec![Affine::from_coeffs(Space::new(0, 1), vec![shift, 1])];
        Cells { storage: Storage::Array(ArrayId(0)), first, lanes }
    }

    #[test]
    fn lanes_of_two_accesses_run_independently() {
        let four = cells(0, 1, 4);
        for (shift, step, width, apart) in [
            (3, 1, 0, false),
            (4, 1, 0, true),
            (-1, 1, 0, true),
            (4, 1, 4, true),
            (3, 1, 4, false),
            (-4, 1, 4, true),
            (-3, 1, 4, false),
            (7, -1, 4, true),
            (6, -1, 4, false),
            (1, 2, 4, false),
        ] {
            let other = cells(shift, step, width);
            assert_eq!((four.apart(&other), other.apart(&four)), (apart, apart), "{shift} {step} {width}");
        }
    }

    #[test]
    fn odd_and_even_cells_are_apart() {
        assert!(cells(0, 2, 4).apart(&cells(1, 2, 4)));
        assert!(cells(0, 2, 4).apart(&cells(3, -4, 8)));
        assert!(!cells(0, 2, 4).apart(&cells(4, 2, 4)));
    }
}
