//! What is asked of numbers in memory before the region: that a condition on data says the same of all that the program will read.
//!
//! **Method.** On exactly those instances on which the program asks, and after all other checks: so nothing is read that the program does not read. This says what the program will find if it does not write to these
//! cells before it asks, which is decided exactly for its own array; from the others its cells are told apart, because some statement that touches the same cells stands for the question in the model. Questions of which
//! each answer counts for few iterations are left out: they would take as long as the work.

use super::accesses::{Access, Accesses, Action};
use super::facts::{Domain, Facts};
use super::indirect::Model;
use super::poly::{LoopIndex, Poly};
use super::reject::{Raise, Reject};
use super::shape::Rows;
use super::timing::precedes;
use crate::llvm::{Type, Value};
use polyhedra::{Affine, DivBound, Kind, Polyhedron, Space};
use std::cmp::Reverse;

/// What is asked of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Has a comparison of it this truth value?
    Comparison {
        /// The comparison.
        condition: Value,
        /// What it must say.
        truth: bool,
    },
    /// Are its bits, without the sign, at most these? Then it is finite, if these are of a finite number.
    Magnitude {
        /// Those of the largest.
        most: u64,
    },
}

/// What is asked, of what, and where the program does so.
#[derive(Clone, Debug)]
pub(super) struct Asked<'d> {
    /// What.
    pub(super) question: Question,
    /// The load of what it is asked of.
    pub(super) load: Value,
    /// Where.
    pub(super) domain: &'d Domain,
}

/// A cell that is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// What is asked of it.
    pub question: Question,
    /// The program's load of it.
    pub load: Value,
    /// Its type.
    pub ty: Type,
    /// Known alignment in bytes.
    pub alignment: u32,
    /// `{ Loops[] -> Cell[] }`
    pub subscripts: Vec<Affine>,
}

/// Loops before the region that look at cells of one array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Look {
    /// The array.
    pub array: usize,
    /// Where the array starts.
    pub base: Value,
    /// Bytes from one cell to the next, by subscript.
    pub strides: Vec<Poly>,
    /// Those of each iteration.
    pub cells: Vec<Cell>,
    /// The loops, outermost first: the iterator is none of the first forms' less, and none of the second ones' more. Each over those around it.
    pub loops: Vec<(Vec<Affine>, Vec<Affine>)>,
    /// Over `[1 | N]`: there are cells only if none is negative.
    pub guards: Vec<Affine>,
}

impl Cell {
    /// Is it compared with something, other cells under the condition only that this one passes?
    #[must_use]
    pub fn is_compared(&self) -> bool {
        matches!(self.question, Question::Comparison { .. })
    }
}

impl Look {
    /// May the same loops look at what both do?
    fn is_beside(&self, other: &Self) -> bool {
        if self.cells.iter().chain(&other.cells).any(Cell::is_compared) {
            return false;
        }
        let same = (self.array, self.base, &self.strides) == (other.array, other.base, &other.strides);
        same && (&self.loops, &self.guards) == (&other.loops, &other.guards)
    }
}

/// The loops that answer questions.
///
/// # Errors
/// `refused`: the cells may change before the program asks, cannot be said exactly, or each answer counts for little. Budget.
pub(super) fn looks(
    facts: &Facts,
    accesses: &Accesses,
    model: &Model,
    asked: &[Asked],
    refused: &dyn Fn(&'static str) -> Reject,
) -> Raise<Vec<Look>> {
    let mut out: Vec<Look> = Vec::new();
    for one in asked {
        let new = look(facts, accesses, model, one, refused)?;
        match out.iter_mut().find(|known| known.is_beside(&new)) {
            Some(known) => {
                for cell in new.cells {
                    let is_same = |c: &Cell| (c.question, &c.subscripts) == (cell.question, &cell.subscripts);
                    if !known.cells.iter().any(is_same) {
                        known.cells.push(cell);
                    }
                }
            }
            None => out.push(new),
        }
    }
    Ok(out)
}

fn look(
    facts: &Facts,
    accesses: &Accesses,
    model: &Model,
    asked: &Asked,
    refused: &dyn Fn(&'static str) -> Reject,
) -> Raise<Look> {
    const NOT_THERE: &str = "they are no cells of arrays whose place is known before the loops";
    let Asked { question, load, domain } = asked;
    let is_it = |a: &&Access| a.instruction == *load && a.action == Action::Load && a.piece.is_empty();
    let source = accesses.all.iter().find(is_it).ok_or_else(|| refused(NOT_THERE))?;
    let shape = &accesses.arrays[source.array];
    if shape.table.is_some() || shape.own || shape.rows != Rows::Alike {
        return Err(refused(NOT_THERE));
    }
    for write in accesses.all.iter().filter(|a| a.is_write() && a.array == source.array) {
        if precedes(facts, &write.touch(), (&source.subscripts, &source.domain), &source.position)? {
            return Err(refused("the loops may change them before"));
        }
    }
    let loops = &domain.loops;
    let set = facts.set(domain)?;
    let cell = affine_cell(facts, &source.subscripts, loops).ok_or_else(|| refused(NOT_THERE))?;
    let array = (model.place)(source.array).ok_or_else(|| refused(NOT_THERE))?;
    let mut stands = false;
    let mut counts = (0..loops.len()).any(|d| cell.iter().all(|e| e.dim_coeff(d) == 0));
    for (statement, around) in model.scop.statements.iter().zip(model.loops) {
        let Some(inside) = around.strip_prefix(loops.as_slice()) else { continue };
        counts |= !inside.is_empty();
        let Some(cell) = affine_cell(facts, &source.subscripts, around) else { continue };
        let touches = statement.accesses.iter().any(|a| a.array.0 == array && a.subscripts == cell);
        stands = stands || touches && runs_on_all(facts, &statement.domain, &set, inside.len())?;
    }
    if !counts {
        return Err(refused("looking at them would take as long as the loops"));
    }
    if !stands {
        return Err(refused(NOT_THERE));
    }
    let not_exact = || refused(NOT_THERE);
    let walk = walk(facts, &cell, &set, &not_exact)?;
    let strides = shape.strides.clone();
    if strides.len() != cell.len() {
        return Err(refused(NOT_THERE));
    }
    let ty = source.instruction.ty();
    let (load, alignment, subscripts) = (source.instruction, source.alignment, walk.cell);
    let cells = vec![Cell { question: *question, load, ty, alignment, subscripts }];
    Ok(Look { array, base: shape.base, strides, cells, loops: walk.loops, guards: walk.guards })
}

fn affine_cell(facts: &Facts, cell: &[Poly], loops: &[LoopIndex]) -> Option<Vec<Affine>> {
    cell.iter().map(|poly| facts.affine(poly, loops)).collect()
}

/// Does a statement run, in some iterations of its last loops, on all of a set?
fn runs_on_all(facts: &Facts, domain: &Polyhedron, asked: &Polyhedron, inside: usize) -> Raise<bool> {
    let dims = domain.space().dims;
    let last: Vec<usize> = (dims - inside..dims).collect();
    let shadow = domain.project_out(&last, facts.budget)?;
    if !shadow.exact {
        return Ok(false);
    }
    for row in shadow.set.constraints() {
        if !asked.implies(row, facts.budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Loops over the cells of a set, those over neighbours inside.
struct Walk {
    cell: Vec<Affine>,
    loops: Vec<(Vec<Affine>, Vec<Affine>)>,
    guards: Vec<Affine>,
}

fn walk(facts: &Facts, cell: &[Affine], asked: &Polyhedron, refuse: &dyn Fn() -> Reject) -> Raise<Walk> {
    let dims = asked.space().dims;
    let is_used = |d: &usize| cell.iter().any(|e| e.dim_coeff(*d) != 0);
    let unused: Vec<usize> = (0..dims).filter(|d| !is_used(d)).collect();
    let shadow = asked.project_out(&unused, facts.budget)?;
    if !shadow.exact {
        return Err(refuse());
    }
    let mut order: Vec<usize> = (0..dims).filter(is_used).collect();
    // Those that take short steps inside.
    let step = |d: usize| {
        let last = cell.iter().rposition(|e| e.dim_coeff(d) != 0);
        (last, last.map(|s| Reverse(cell[s].dim_coeff(d).unsigned_abs())))
    };
    order.sort_by_key(|&d| step(d));
    let space = Space::new(facts.params.len(), order.len());
    // From what is left of the loops to their places.
    let places: Vec<usize> =
        (0..dims).filter(is_used).filter_map(|d| order.iter().position(|&other| other == d)).collect();
    let set = shadow.set.embed(space, &places).simplify(facts.budget)?;
    let place = |e: &Affine| {
        let mut out = Affine::zero(space);
        out.set_constant(e.constant_term());
        e.param_coeffs().iter().enumerate().for_each(|(p, &c)| out.set_param(p, c));
        order.iter().enumerate().for_each(|(k, &d)| out.set_dim(k, e.dim_coeff(d)));
        out
    };
    let mut loops = Vec::new();
    for k in 0..order.len() {
        let inside: Vec<usize> = (k + 1..order.len()).collect();
        let bounds = set.project_out(&inside, facts.budget)?.set.bounds_of(k)?;
        let exact = |all: &[DivBound]| -> Raise<Vec<Affine>> {
            if all.is_empty() || all.iter().any(|b| b.div != 1) {
                return Err(refuse());
            }
            Ok(all.iter().map(|b| b.expr.clone()).collect())
        };
        loops.push((exact(&bounds.lower)?, exact(&bounds.upper)?));
    }
    let params = Space::new(facts.params.len(), 0);
    let mut guards = Vec::new();
    for c in set.constraints().iter().filter(|c| c.expr.is_dim_free()) {
        let row = Affine::from_coeffs(params, c.expr.coeffs()[..=space.params].to_vec());
        if c.kind == Kind::Eq {
            guards.push(row.scale(-1)?);
        }
        guards.push(row);
    }
    Ok(Walk { cell: cell.iter().map(place).collect(), loops, guards })
}
