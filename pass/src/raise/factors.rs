//! Conditions that factors are other than zero, assumed to hold everywhere.
//!
//! **Problem.** `if (b[l][j] != 0) for (i) c[i][j] += b[l][j] * a[i][l];` passes by what would add nothing, as the reference BLAS does throughout. A condition on data within the nest keeps all of it from kernels:
//! what is passed by must not be computed (of an infinite `a[i][l]` it would be NaN). But mostly no factor is zero.
//!
//! **Method.** The region is modelled as if such conditions held wherever the program asks. That they do is looked at before the region, on exactly those instances on which it asks ([`Check`]), and after all other checks:
//! so nothing is read that the program does not read. This says what the program will find if it does not write to these cells before it asks, which is decided exactly for its own array; from the others its cells are told
//! apart, because some statement that touches the same cells stands for the question in the model. What the program would do where a factor is zero is in no model, so that must be nothing (`nothing_else`): it might leave, or change
//! what is read to find the cells. Nests in which each answer counts for few iterations are left out: there the question would take as long as the work.
//!
//! Where a factor is zero the original loops run.

use super::accesses::{Access, Accesses, Action};
use super::body::{Body, Node};
use super::facts::{Domain, Facts};
use super::indirect::Model;
use super::poly::Poly;
use super::reject::{Raise, Reject, RejectKind};
use super::shape::Rows;
use super::timing::precedes;
use crate::llvm::{Block, Opcode, Type, Value};
use polyhedra::{Affine, DivBound, Kind, Polyhedron, Space};

/// A condition that is assumed to hold on a domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factor {
    /// The comparison with zero.
    value: Value,
    /// What it must say.
    truth: bool,
    /// Where the program asks.
    domain: Domain,
}

/// A condition to be looked at before the region, for all cells of some loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The comparison with zero.
    pub condition: Value,
    /// What it must say of all cells.
    pub truth: bool,
    /// The load of what is compared.
    pub load: Value,
    /// The array.
    pub array: usize,
    /// Type of a cell.
    pub ty: Type,
    /// Known alignment in bytes.
    pub alignment: u32,
    /// Where the array starts.
    pub base: Value,
    /// Bytes from one cell to the next, by subscript.
    pub strides: Vec<Poly>,
    /// `{ Loops[] -> Cell[] }`
    pub cell: Vec<Affine>,
    /// The loops, outermost first: the iterator is none of the first forms' less, and none of the second ones' more. Each over those around it.
    pub loops: Vec<(Vec<Affine>, Vec<Affine>)>,
    /// Over `[1 | N]`: there are cells only if none is negative.
    pub guards: Vec<Affine>,
}

/// What a comparison must say, if it asks whether a number is other than zero.
fn wanted(value: Value) -> Option<bool> {
    let unequal = value.says_unequal()?;
    value.operands().get(1).is_some_and(|zero| zero.is_null()).then_some(unequal)
}

/// Does a statement run only if a number that it reads is other than zero, or only if it is zero?
#[must_use]
pub fn may_ask(body: &Body) -> bool {
    body.guards.iter().any(|guard| match body.nodes.get(guard.node.0) {
        Some(Node::Operation { instruction, .. }) => wanted(*instruction).is_some(),
        _ => false,
    })
}

/// Is a condition on data taken to have this truth value on a domain, or not to have it? `None`: nothing is assumed.
pub(super) fn is_assumed(value: Value, truth: bool, domain: &Domain, facts: &mut Facts) -> Option<bool> {
    let known = facts.factors.as_mut()?;
    let wanted = wanted(value).filter(|_| domain.conditions.is_empty())?;
    let factor = Factor { value, truth: wanted, domain: domain.clone() };
    if !known.contains(&factor) {
        known.push(factor);
    }
    Some(wanted == truth)
}

/// Does a block do nothing but go on? So all blocks must on which the program is only where a factor is zero.
pub(super) fn nothing_else(b: Block) -> bool {
    b.successors().len() == 1
        && b.instructions().into_iter().all(|v| v.opcode() == Some(Opcode::LLVMPHI) || v.is_terminator())
}

fn refuse() -> Reject {
    RejectKind::NonAffineCondition.into()
}

/// What has to be looked at before the region.
///
/// # Errors
/// The cells may change before the program asks, or cannot be said exactly; budget.
pub(super) fn checks(facts: &Facts, accesses: &Accesses, model: &Model) -> Raise<Vec<Check>> {
    let Some(factors) = facts.factors.as_ref().filter(|all| !all.is_empty()) else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for factor in factors {
        let load = *factor.value.operands().first().ok_or_else(refuse)?;
        let is_it = |a: &&Access| a.instruction == load && a.action == Action::Load && a.piece.is_empty();
        let source = accesses.all.iter().find(is_it).ok_or_else(refuse)?;
        let shape = &accesses.arrays[source.array];
        if shape.table.is_some() || shape.own || shape.rows != Rows::Alike {
            return Err(refuse());
        }
        let changes = |write: &Access| -> Raise<bool> {
            Ok(write.array == source.array
                && precedes(facts, &write.touch(), (&source.subscripts, &source.domain), &source.position)?)
        };
        for write in accesses.all.iter().filter(|a| a.is_write()) {
            if changes(write)? {
                return Err(refuse());
            }
        }
        let loops = &factor.domain.loops;
        let asked = facts.set(&factor.domain)?;
        let array = (model.place)(source.array).ok_or_else(refuse)?;
        let mut stands = false;
        let mut counts = false;
        for (statement, around) in model.scop.statements.iter().zip(model.loops) {
            let Some(inside) = around.strip_prefix(loops.as_slice()) else { continue };
            counts |= !inside.is_empty();
            let Some(cell) = affine_cell(facts, &source.subscripts, around) else { continue };
            let touches = statement.accesses.iter().any(|a| a.array.0 == array && a.subscripts == cell);
            stands = stands || touches && runs_on_all(facts, &statement.domain, &asked, inside.len())?;
        }
        if !(stands && counts) {
            return Err(refuse());
        }
        out.push(Check { array, ..check(facts, factor, source, accesses, &asked)? });
    }
    Ok(out)
}

fn affine_cell(facts: &Facts, cell: &[Poly], loops: &[super::poly::LoopIndex]) -> Option<Vec<Affine>> {
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

/// The loops that look at all cells, those over neighbours inside.
fn check(facts: &Facts, factor: &Factor, source: &Access, accesses: &Accesses, asked: &Polyhedron) -> Raise<Check> {
    let shape = &accesses.arrays[source.array];
    let cell = affine_cell(facts, &source.subscripts, &factor.domain.loops).ok_or_else(refuse)?;
    let dims = asked.space().dims;
    let is_used = |d: &usize| cell.iter().any(|e| e.dim_coeff(*d) != 0);
    let unused: Vec<usize> = (0..dims).filter(|d| !is_used(d)).collect();
    let shadow = asked.project_out(&unused, facts.budget)?;
    if !shadow.exact {
        return Err(refuse());
    }
    let mut order: Vec<usize> = (0..dims).filter(is_used).collect();
    order.sort_by_key(|&d| cell.last().is_some_and(|e| e.dim_coeff(d).abs() == 1));
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
    let strides = shape.strides.clone();
    if strides.len() != cell.len() {
        return Err(refuse());
    }
    Ok(Check {
        condition: factor.value,
        truth: factor.truth,
        load: source.instruction,
        array: source.array,
        ty: source.instruction.ty(),
        alignment: source.alignment,
        base: shape.base,
        strides,
        cell: cell.iter().map(place).collect(),
        loops,
        guards,
    })
}
