//! Corners: straight calls in lanes, with what they store in registers.
//!
//! # Problem
//! In the corner of a tile a triangle is left: `for k in 0..16 { x[i][k] /= u[k][k]; for j in k + 1..16 { x[i][j] -= x[i][k] u[k][j] } }`, with lanes along `i`, and all of it unrolled. What the
//! calls store comes back at once.
//!
//! # Method
//! Each cell that is stored is held in a register over all calls. Cells that are apart from lane to lane are held one inside the other in the order of their rows, so that
//! squares of them can be loaded and stored by rows ([`super::blocks`]).
//!
//! # Which cells
//! Of an array that is written all accesses must be the same but for numbers, and these in subscripts that are the same for all lanes: so cells are equal where the numbers are, and of
//! different lanes never.

use crate::ast::{AstNode, Call, Held, Lanes, LoopVar, RegisterId};
use crate::interpret::subscripts;
use polyhedra::{Affine, Space};
use scheduler::Result;
use scheduler::scop::{ArrayId, Scop};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Most cells in registers, of all arrays, for one vector of lanes; and for several together: those that have to wait are stored and loaded, which takes less time than
/// waiting for divisions.
const MOST_CELLS: usize = 32;
const MOST_TOGETHER: usize = 48;

/// What straight calls store.
#[derive(Clone)]
pub(crate) struct Families(BTreeMap<ArrayId, Family>);

/// The accesses to one array.
#[derive(Clone)]
struct Family {
    /// The cell of some access.
    first: Vec<Affine>,
    /// By distance from it: is the cell written?
    cells: BTreeMap<Vec<i64>, bool>,
    is_written: bool,
    /// Are all cells told apart by their distances?
    is_sure: bool,
}

impl Families {
    /// The arrays that calls store to, where all that is said above holds for the variable; and not too many cells.
    pub(crate) fn of(scop: &Scop, space: Space, calls: &[Call], var: LoopVar) -> Result<Option<Self>> {
        let mut families: BTreeMap<ArrayId, Family> = BTreeMap::new();
        for call in calls {
            let Some(statement) = scop.statements.get(call.statement.0) else { return Ok(None) };
            for access in &statement.accesses {
                let cell = subscripts(access, call, space)?;
                let family = families.entry(access.array).or_insert_with(|| Family::new(&cell));
                let offsets = family.offsets(&cell, var).filter(|_| access.is_plain());
                family.is_written |= access.kind.writes();
                match offsets {
                    Some(offsets) => *family.cells.entry(offsets).or_default() |= access.kind.writes(),
                    None => family.is_sure = false,
                }
            }
        }
        families.retain(|_, family| family.is_written);
        let count: usize = families.values().map(|family| family.cells.len()).sum();
        let sure = count <= MOST_CELLS && families.values().all(|family| family.is_sure);
        Ok(sure.then_some(Self(families)))
    }

    /// Are the registers of so many vectors of lanes not too many?
    pub(crate) fn may_have(&self, vectors: usize) -> bool {
        let cells: usize = self.0.values().map(|family| family.cells.len()).sum();
        vectors == 1 || cells.saturating_mul(vectors) <= MOST_TOGETHER
    }

    /// The same with other forms for the cells.
    pub(super) fn moved(&self, f: impl Fn(&Affine) -> Result<Affine>) -> Result<Self> {
        let mut out = self.clone();
        for family in out.0.values_mut() {
            family.first = family.first.iter().map(&f).collect::<Result<_>>()?;
        }
        Ok(out)
    }

    /// Calls in lanes with the cells in registers.
    pub(super) fn hold(self, calls: Vec<AstNode>, lanes: &Lanes, next: &Cell<usize>) -> Result<Vec<AstNode>> {
        let mut body = calls;
        for (array, family) in self.0.into_iter().rev() {
            // Squares are of cells that are all stored, or all not.
            let mut cells: Vec<(Vec<i64>, bool)> = family.cells.into_iter().collect();
            cells.sort_by_key(|(_, is_written)| !is_written);
            for (offsets, store) in cells.into_iter().rev() {
                let subscripts = family.first.iter().zip(&offsets).map(|(e, c)| Ok(e.offset(*c)?));
                body = vec![AstNode::Held(Held {
                    id: RegisterId(next.replace(next.get() + 1)),
                    array,
                    subscripts: subscripts.collect::<Result<_>>()?,
                    load: true,
                    store,
                    lanes: Some(lanes.clone()),
                    ahead: None,
                    body,
                })];
            }
        }
        Ok(body)
    }
}

impl Family {
    fn new(first: &[Affine]) -> Self {
        Self { first: first.to_vec(), cells: BTreeMap::new(), is_written: false, is_sure: true }
    }

    /// How far a cell is from the first one; `None`: not by numbers, or not in the same lanes.
    fn offsets(&self, cell: &[Affine], lane: LoopVar) -> Option<Vec<i64>> {
        let moves = |e: &Affine| e.dim_coeff(lane.0) != 0;
        if cell.len() != self.first.len() || !cell.iter().any(moves) {
            return None;
        }
        let one = |(e, first): (&Affine, &Affine)| {
            let distance = e.sub(first).ok()?;
            let constant = distance.constant_term();
            (distance.is_constant() && (constant == 0 || !moves(first))).then_some(constant)
        };
        cell.iter().zip(&self.first).map(one).collect()
    }
}
