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
use polyhedra::{Affine, Constraint, DivBound, Kind, Polyhedron, Space};

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
    /// Looks at one more cell, unless it does already.
    fn also(&mut self, cell: Cell) {
        for known in self.cells.iter_mut().filter(|c| c.subscripts == cell.subscripts && c.ty == cell.ty) {
            match (&mut known.question, cell.question) {
                (Question::Magnitude { most }, Question::Magnitude { most: other }) => *most = other.min(*most),
                (own, other) if *own == other => {}
                _ => continue,
            }
            return;
        }
        self.cells.push(cell);
    }

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
                    known.also(cell);
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
    let walk = walk(facts, &cell, &set, &|| refused(NOT_THERE))?;
    let mut stands = false;
    let mut counts = walk.loops.len() < loops.len();
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

/// Loops over the cells of a set.
struct Walk {
    cell: Vec<Affine>,
    loops: Vec<(Vec<Affine>, Vec<Affine>)>,
    guards: Vec<Affine>,
}

/// Loops over what the subscripts count, in their order: where two iterators meet in one (`x[i + k]`) one loop does for both. `{ Loops[] -> Cell[] }`
fn walk(facts: &Facts, cell: &[Affine], asked: &Polyhedron, refuse: &dyn Fn() -> Reject) -> Raise<Walk> {
    let (params, dims) = (facts.params.len(), asked.space().dims);
    // Forms in the iterators, and for each subscript which it is a multiple of.
    let mut forms: Vec<Affine> = Vec::new();
    let mut multiples: Vec<Option<(usize, i64)>> = Vec::new();
    for e in cell {
        let Some(first) = e.dim_coeffs().iter().copied().find(|c| *c != 0) else {
            multiples.push(None);
            continue;
        };
        let common = e.dim_coeffs().iter().fold(0, |g, c| gcd(g, c.unsigned_abs()));
        let factor = i64::try_from(common).map_err(|_| polyhedra::Error::Overflow)? * first.signum();
        let mut form = Affine::zero(asked.space());
        (0..dims).for_each(|d| form.set_dim(d, e.dim_coeff(d) / factor));
        let known = forms.iter().position(|f| *f == form).unwrap_or_else(|| {
            forms.push(form);
            forms.len() - 1
        });
        multiples.push(Some((known, factor)));
    }
    let all = Space::new(params, dims + forms.len());
    let iterators: Vec<usize> = (0..dims).collect();
    let mut both = asked.embed(all, &iterators);
    for (k, form) in forms.iter().enumerate() {
        both.add(Constraint::eq(form.embed(all, &iterators).sub(&Affine::dim(all, dims + k))?));
    }
    let shadow = both.project_out(&iterators, facts.budget)?;
    if !shadow.exact {
        return Err(refuse());
    }
    let set = shadow.set.simplify(facts.budget)?;
    let space = set.space();
    let mut loops = Vec::new();
    for k in 0..forms.len() {
        let inside: Vec<usize> = (k + 1..forms.len()).collect();
        let bounds = set.project_out(&inside, facts.budget)?.set.bounds_of(k)?;
        let exact = |all: &[DivBound]| -> Raise<Vec<Affine>> {
            if all.is_empty() || all.iter().any(|b| b.div != 1) {
                return Err(refuse());
            }
            Ok(all.iter().map(|b| b.expr.clone()).collect())
        };
        loops.push((exact(&bounds.lower)?, exact(&bounds.upper)?));
    }
    let mut guards = Vec::new();
    for c in set.constraints().iter().filter(|c| c.expr.is_dim_free()) {
        let row = Affine::from_coeffs(Space::new(params, 0), c.expr.coeffs()[..=params].to_vec());
        if c.kind == Kind::Eq {
            guards.push(row.scale(-1)?);
        }
        guards.push(row);
    }
    let counted = cell.iter().zip(multiples).map(|(e, multiple)| {
        let mut out = Affine::zero(space);
        out.set_constant(e.constant_term());
        e.param_coeffs().iter().enumerate().for_each(|(p, &c)| out.set_param(p, c));
        if let Some((form, factor)) = multiple {
            out.set_dim(form, factor);
        }
        out
    });
    Ok(Walk { cell: counted.collect(), loops, guards })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
