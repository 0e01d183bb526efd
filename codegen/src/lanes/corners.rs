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
//! different lanes never. What is only read may also be the same cell for all lanes, if it can be told that none of these cells is held: the diagonal of a factorisation, in tiles off it.

use crate::ast::{AstNode, Call, Held, Lanes, LoopVar, RegisterId};
use crate::interpret::subscripts;
use polyhedra::{Affine, Space};
use scheduler::Result;
use scheduler::scop::{Access, ArrayId, Scop};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Most cells in registers, of all arrays, for one vector of lanes.
pub(crate) const MOST_CELLS: usize = 40;

/// The same for several together: those that have to wait are stored and loaded, which takes less time than waiting for divisions.
pub(crate) const MOST_TOGETHER: usize = 48;

/// What straight calls store.
#[derive(Clone)]
pub(crate) struct Families(BTreeMap<ArrayId, Family>);

/// The accesses to one array.
#[derive(Clone)]
struct Family {
    /// The cell of some access, of a write if there is one.
    first: Vec<Affine>,
    /// By distance from it: is the cell written?
    cells: BTreeMap<Vec<i64>, bool>,
    /// Cells that are read, each the same for all lanes.
    others: Vec<Vec<Affine>>,
    is_written: bool,
    /// Are all cells told apart by their distances, but for the others?
    is_sure: bool,
}

/// Least and largest distance in each subscript.
pub(crate) type Distances = Vec<(i64, i64)>;

impl Families {
    /// The arrays that calls store to, where all that is said above holds for the variable; and not too many cells. `apart` tells whether no value of the variables makes two cells
    /// differ by some of so many in every subscript: of two places, the first one minus the second.
    pub(crate) fn of(
        scop: &Scop,
        space: Space,
        calls: &[Call],
        var: LoopVar,
        apart: impl Fn(&[Affine], &Distances) -> Result<bool>,
    ) -> Result<Option<Self>> {
        let mut families: BTreeMap<ArrayId, Family> = BTreeMap::new();
        for writes in [true, false] {
            for call in calls {
                let Some(statement) = scop.statements.get(call.statement.0) else { return Ok(None) };
                for access in statement.accesses.iter().filter(|a| a.kind.writes() == writes) {
                    let cell = subscripts(access, call, space)?;
                    let family = families.entry(access.array).or_insert_with(|| Family::new(&cell));
                    family.add(access, cell, var);
                }
            }
        }
        families.retain(|_, family| family.is_written);
        let count: usize = families.values().map(|family| family.cells.len()).sum();
        if count > MOST_CELLS || !families.values().all(|family| family.is_sure) {
            return Ok(None);
        }
        for family in families.values() {
            if !family.has_no_other(&apart)? {
                return Ok(None);
            }
        }
        Ok(Some(Self(families)))
    }

    /// Are there reads that are the same for all lanes?
    pub(crate) fn has_others(&self) -> bool {
        self.0.values().any(|family| !family.others.is_empty())
    }

    /// The registers of so many vectors of lanes.
    pub(crate) fn registers(&self, vectors: usize) -> usize {
        let cells: usize = self.0.values().map(|family| family.cells.len()).sum();
        cells.saturating_mul(vectors)
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
                    mirrored: None,
                    body,
                })];
            }
        }
        Ok(body)
    }
}

impl Family {
    fn new(first: &[Affine]) -> Self {
        Self { first: first.to_vec(), cells: BTreeMap::new(), others: Vec::new(), is_written: false, is_sure: true }
    }

    fn add(&mut self, access: &Access, cell: Vec<Affine>, var: LoopVar) {
        let writes = access.kind.writes();
        self.is_written |= writes;
        match self.offsets(&cell, var).filter(|_| access.is_plain()) {
            Some(offsets) => *self.cells.entry(offsets).or_default() |= writes,
            None if !writes && access.is_plain() && cell.iter().all(|e| e.dim_coeff(var.0) == 0) => {
                if !self.others.contains(&cell) {
                    self.others.push(cell);
                }
            }
            None => self.is_sure = false,
        }
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

    /// Is none of the other cells one that is held? Those that are the same but for numbers are asked for together.
    fn has_no_other(&self, apart: impl Fn(&[Affine], &Distances) -> Result<bool>) -> Result<bool> {
        let mut left: Vec<&Vec<Affine>> = self.others.iter().collect();
        while let Some(&one) = left.first() {
            let mut from_one: Option<Distances> = None;
            let mut rest = Vec::new();
            for other in left {
                let Some(distance) = distance(one, other) else {
                    rest.push(other);
                    continue;
                };
                let all = from_one.get_or_insert_with(|| distance.iter().map(|d| (*d, *d)).collect());
                all.iter_mut().zip(distance).for_each(|(own, d)| *own = (own.0.min(d), own.1.max(d)));
            }
            left = rest;
            let Some(from_one) = from_one else { return Ok(false) };
            let apart_by = |k: usize| {
                let held = self.cells.keys().map(|offsets| offsets[k]);
                let (least, most) = (held.clone().min()?, held.max()?);
                Some((least.checked_sub(from_one[k].1)?, most.checked_sub(from_one[k].0)?))
            };
            let Some(distances) = (0..one.len()).map(apart_by).collect::<Option<Distances>>() else { return Ok(false) };
            let differences: polyhedra::Result<Vec<Affine>> =
                one.iter().zip(&self.first).map(|(e, first)| e.sub(first)).collect();
            if !apart(&differences?, &distances)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The second cell minus the first, where that is numbers.
fn distance(one: &[Affine], other: &[Affine]) -> Option<Vec<i64>> {
    let minus = |(e, first): (&Affine, &Affine)| {
        let d = e.sub(first).ok()?;
        d.is_constant().then(|| d.constant_term())
    };
    if one.len() == other.len() { other.iter().zip(one).map(minus).collect() } else { None }
}
