//! Buffers that every iteration of a loop writes anew get cells of their own for each iteration.
//!
//! **Problem.** `for q { for p { s[p] = 0; for t: s[p] += A[q][t] * C[t][p]; } for p: A[q][p] = s[p]; }` is a matrix product, but all rows `q` go through one buffer `s`. So no two of
//! them may be at work at once: no rows for a register tile, and all of `C` comes from the caches again for every row.
//!
//! **Method.** Array privatisation (Tu and Padua, *Automatic array privatization*, LCPC 1993), at the expense of memory: in the loop over `q` the buffer becomes `P[q][p]`, and behind it a new
//! statement copies what the last iteration left, `s[p] = P[last][p]`. That is the same program if
//! 1. no subscript of the buffer in the loop moves with `q` or with a loop around it, and all accesses are of one cell and certain;
//! 2. one statement, the *first writer*, gives a cell by a map that can be inverted, so that for every other access in the loop the instance of the first writer with the same cell in the same
//!    iteration is an affine function of it; that instance exists, and for a read it comes before. So no value enters an iteration from another one, or from before the loop;
//! 3. the first writer's last iteration is one form `last` over the loops around and the parameters, an upper bound of `q` and its only one. All other rows of the writer's domain that have `q` are
//!    lower bounds, so what is written in any iteration is written in the last one, too: there, every cell of the buffer has the value that the program leaves.
//!
//! **Which loops.** Memory is only worth something in return: a statement with two loops more inside that touches the buffer and reads a matrix which does not move with `q`.
//!
//! **Worked example.** Above, first writer `S0: s[p]` at `(q, p)`; the update reads `s[p]` at `(q, p, t)`: the writer's instance `(q, p)` exists and stands before. `last = n - 1`; copy
//! `{ S3[p] : 0 <= p < m, n >= 1 }`.

use crate::scop::{Access, AccessKind, Array, ArrayId, Scop, Statement, StatementId};
use crate::{Error, Result};
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space};
use std::collections::{BTreeMap, BTreeSet};

/// Most arrays that get cells of their own.
const MOST: usize = 3;

/// What the copy does.
const COPY: &str = "{0} = {1}";

/// Loops inside of the one that gets cells of its own: with fewer there is no product.
const LEAST_INSIDE: usize = 2;

/// An array with cells for every iteration of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Private {
    /// The new array. Its first subscript is the iteration, the others are those of the old one.
    pub array: ArrayId,
    /// What it stands for.
    pub of: ArrayId,
    /// Sizes of its dimensions but the first, over `[1 | N]`.
    pub sizes: Vec<Affine>,
    /// The statement that copies the last iteration's cells back.
    pub copy: StatementId,
    /// The first writer.
    pub writer: StatementId,
}

/// A part with arrays that were made private.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Privatised {
    /// The part: old statements in their places, then copies.
    pub scop: Scop,
    /// The arrays.
    pub arrays: Vec<Private>,
}

/// Gives buffers cells of their own where that makes products of matrices possible, those that the caller `allows`. `None`: there are none.
///
/// # Errors
/// Overflow, budget; what [`Scop::check`] finds.
pub fn privatise(scop: &Scop, allows: &dyn Fn(ArrayId) -> bool, budget: &Budget) -> Result<Option<Privatised>> {
    let mut out = Privatised { scop: scop.clone(), arrays: Vec::new() };
    for of in (0..scop.arrays.len()).map(ArrayId).filter(|&a| allows(a)) {
        if out.arrays.len() < MOST
            && let Some(buffer) = buffer(&out.scop, of, budget)?
        {
            out = with_private(out, of, &buffer, budget)?;
        }
    }
    if out.arrays.is_empty() {
        return Ok(None);
    }
    out.scop.check()?;
    Ok(Some(out))
}

/// A buffer of a loop.
struct Buffer {
    /// The loop: so many are around it.
    depth: usize,
    /// Statements in it that touch the buffer.
    users: Vec<StatementId>,
    writer: StatementId,
    /// Over the writer's space.
    last: Affine,
    /// Over `[1 | N]`.
    sizes: Vec<Affine>,
}

fn of_array(s: &Statement, array: ArrayId) -> impl Iterator<Item = &Access> {
    s.accesses.iter().filter(move |a| a.array == array)
}

fn buffer(scop: &Scop, of: ArrayId, budget: &Budget) -> Result<Option<Buffer>> {
    let statements = &scop.statements;
    for (k, product) in statements.iter().enumerate() {
        if of_array(product, of).next().is_none() {
            continue;
        }
        for depth in (0..product.depth().saturating_sub(LEAST_INSIDE)).rev() {
            let inside = |a: &Access| (depth + 1..product.depth()).filter(|&d| moves(a, d)).count() >= LEAST_INSIDE;
            let is_matrix = |a: &Access| a.array != of && !moves(a, depth) && inside(a);
            if !product.reads().iter().any(is_matrix) {
                continue;
            }
            let users: Vec<StatementId> = (0..statements.len())
                .filter(|&s| s == k || statements[s].common_loops(product) > depth)
                .filter(|&s| of_array(&statements[s], of).next().is_some())
                .map(StatementId)
                .collect();
            if let Some(found) = buffer_of(scop, of, depth, users, budget)? {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

fn moves(access: &Access, d: usize) -> bool {
    access.subscripts.iter().any(|e| e.dim_coeff(d) != 0)
}

fn buffer_of(
    scop: &Scop,
    of: ArrayId,
    depth: usize,
    users: Vec<StatementId>,
    budget: &Budget,
) -> Result<Option<Buffer>> {
    let all = || users.iter().flat_map(|s| of_array(&scop.statements[s.0], of));
    if all().any(|a| !a.is_plain() || (0..=depth).any(|d| moves(a, d))) {
        return Ok(None);
    }
    let writers = users.iter().filter(|s| scop.statements[s.0].write().array == of);
    let Some(&id) = writers.min_by_key(|s| &scop.statements[s.0].beta) else { return Ok(None) };
    let writer = &scop.statements[id.0];
    let Some(last) = last_iteration(writer, depth) else { return Ok(None) };
    let Some(sizes) = sizes(&writer.domain, &writer.write().subscripts, budget)? else { return Ok(None) };
    for s in &users {
        let user = &scop.statements[s.0];
        for (number, access) in user.accesses.iter().enumerate().filter(|(_, a)| a.array == of) {
            let is_the_write = *s == id && number == 0;
            if !is_the_write && !is_covered(writer, user, access, depth, budget)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(Buffer { depth, users, writer: id, last, sizes }))
}

/// The last iteration of a loop that a statement runs in, over the loops around it, in the statement's space. `None`: there is no one form for it, or other iterations may run what it does not.
fn last_iteration(writer: &Statement, depth: usize) -> Option<Affine> {
    let mut last = None;
    for row in writer.domain.constraints() {
        let expr = &row.expr;
        match (row.kind, expr.dim_coeff(depth)) {
            (_, 0) => {}
            (Kind::Ge, 1..) => {}
            (Kind::Ge, -1) if last.is_none() && (depth + 1..writer.depth()).all(|d| expr.dim_coeff(d) == 0) => {
                let mut form = expr.clone();
                form.set_dim(depth, 0);
                last = Some(form);
            }
            _ => return None,
        }
    }
    last
}

/// One more than the largest values of subscripts over a domain. `None`: there may be negative ones, or there is no affine bound in the parameters.
///
/// # Errors
/// Overflow, budget.
pub(crate) fn sizes(domain: &Polyhedron, subscripts: &[Affine], budget: &Budget) -> Result<Option<Vec<Affine>>> {
    let space = domain.space();
    let params = Space::new(space.params, 0);
    let wide = Space::new(space.params, space.dims + 1);
    let same: Vec<usize> = (0..space.dims).collect();
    let mut out = Vec::new();
    for subscript in subscripts {
        if !domain.implies(&Constraint::ge(subscript.clone()), budget)? {
            return Ok(None);
        }
        let value = Affine::dim(wide, space.dims);
        let values = domain.embed(wide, &same).with(Constraint::eq(value.sub(&subscript.embed(wide, &same))?));
        let shadow = values.project_out(&same, budget)?.set;
        let bound = shadow.constraints().iter().find_map(|row| {
            let c = row.expr.dim_coeff(0);
            let upper = c == -1 || (row.kind == Kind::Eq && c == 1);
            upper.then(|| Affine::from_coeffs(params, row.expr.coeffs()[..=space.params].to_vec()).scale(-c))
        });
        let Some(bound) = bound.transpose()? else { return Ok(None) };
        out.push(bound.offset(1)?);
    }
    Ok(Some(out))
}

/// Has the writer, in the same iteration of the loop, an instance that writes the cell of this access, for a read before it?
fn is_covered(writer: &Statement, user: &Statement, access: &Access, depth: usize, budget: &Budget) -> Result<bool> {
    let Some(instance) = instance(writer, user, access, depth)? else { return Ok(false) };
    let there = writer.domain.preimage(&instance, user.space())?;
    for row in there.constraints() {
        if !user.domain.implies(row, budget)? {
            return Ok(false);
        }
    }
    for (written, read) in writer.write().subscripts.iter().zip(&access.subscripts) {
        let gap = written.compose(&instance, user.space())?.sub(read)?;
        if !user.domain.implies(&Constraint::eq(gap), budget)? {
            return Ok(false);
        }
    }
    if access.kind == AccessKind::Write {
        return Ok(true);
    }
    let common = writer.common_loops(user);
    for (d, own) in instance.iter().enumerate().take(common).skip(depth + 1) {
        let gap = Affine::dim(user.space(), d).sub(own)?;
        if user.domain.implies(&Constraint::ge(gap.offset(-1)?), budget)? {
            return Ok(true);
        }
        if !user.domain.implies(&Constraint::eq(gap), budget)? {
            return Ok(false);
        }
    }
    Ok(writer.beta[common] < user.beta[common])
}

/// The instance of the writer that has the cell of an access, in the same iteration of the loops down to `depth`: its iterators over the user's space. `None`: subscripts do not say.
fn instance(writer: &Statement, user: &Statement, access: &Access, depth: usize) -> Result<Option<Vec<Affine>>> {
    let space = user.space();
    let mut out: Vec<Affine> = (0..=depth).map(|d| Affine::dim(space, d)).collect();
    let inner = depth + 1..writer.depth();
    for d in inner.clone() {
        // Of `c i_d + rest = cell`, where no other inner iterator is.
        let alone = |e: &Affine| e.dim_coeff(d).abs() == 1 && inner.clone().all(|o| o == d || e.dim_coeff(o) == 0);
        let found = writer.write().subscripts.iter().zip(&access.subscripts).find(|(e, _)| alone(e));
        let Some((written, cell)) = found else { return Ok(None) };
        let sign = written.dim_coeff(d);
        let mut rest = written.clone();
        rest.set_dim(d, 0);
        let mut around: Vec<Affine> = out[..=depth].to_vec();
        around.resize(writer.depth(), Affine::zero(space));
        out.push(cell.sub(&rest.compose(&around, space)?)?.scale(sign)?);
    }
    Ok(Some(out))
}

/// The part with the buffer in cells of its own.
fn with_private(part: Privatised, of: ArrayId, buffer: &Buffer, budget: &Budget) -> Result<Privatised> {
    let Privatised { mut scop, mut arrays } = part;
    let array = ArrayId(scop.arrays.len());
    let old = scop.arrays.get(of.0).ok_or_else(|| Error::Malformed("a buffer that is no array".into()))?;
    let constant = |e: &Affine| e.is_constant().then(|| e.constant_term());
    scop.arrays.push(Array {
        name: format!("{}_of_its_own", old.name),
        rank: old.rank + 1,
        element_bytes: old.element_bytes,
        stride_bytes: old.element_bytes,
        inner_sizes: buffer.sizes.iter().map(constant).collect(),
        is_virtual: false,
    });
    let writer = scop.statements[buffer.writer.0].clone();
    for s in &buffer.users {
        let statement = &mut scop.statements[s.0];
        let iteration = Affine::dim(statement.space(), buffer.depth);
        for access in statement.accesses.iter_mut().filter(|a| a.array == of) {
            access.array = array;
            access.subscripts.insert(0, iteration.clone());
        }
    }
    // Behind the loop.
    let place = &writer.beta[..buffer.depth];
    for s in &mut scop.statements {
        if s.beta.get(..buffer.depth) == Some(place) && s.beta[buffer.depth] > writer.beta[buffer.depth] {
            s.beta[buffer.depth] += 1;
        }
    }
    let copy = StatementId(scop.statements.len());
    scop.statements.push(copy_back(&writer, (of, array), buffer, copy, budget)?);
    arrays.push(Private { array, of, sizes: buffer.sizes.clone(), copy, writer: buffer.writer });
    Ok(Privatised { scop, arrays })
}

/// `of[..] = array[last][..]`, for the cells of the writer in the last iteration.
fn copy_back(
    writer: &Statement,
    (of, array): (ArrayId, ArrayId),
    buffer: &Buffer,
    id: StatementId,
    budget: &Budget,
) -> Result<Statement> {
    let depth = buffer.depth;
    let space = Space::new(writer.space().params, writer.depth() - 1);
    let mut map: Vec<Affine> = (0..writer.depth())
        .map(|d| if d == depth { Affine::zero(space) } else { Affine::dim(space, d - usize::from(d > depth)) })
        .collect();
    map[depth] = buffer.last.compose(&map, space)?;
    let domain = writer.domain.preimage(&map, space)?.simplify(budget)?;
    let cell =
        writer.write().subscripts.iter().map(|e| e.compose(&map, space)).collect::<polyhedra::Result<Vec<_>>>()?;
    let from = std::iter::once(map[depth].clone()).chain(cell.iter().cloned()).collect();
    let mut beta = writer.beta[..depth].to_vec();
    beta.push(writer.beta[depth] + 1);
    beta.resize(space.dims + 1, 0);
    Ok(Statement {
        name: format!("S{}", id.0),
        domain,
        beta,
        accesses: vec![
            Access { array: of, kind: AccessKind::Write, subscripts: cell, extent: 1 },
            Access { array, kind: AccessKind::Read, subscripts: from, extent: 1 },
        ],
        operations: (0, 0),
        calls: 0,
        alone: BTreeMap::new(),
        chain_latency: 0,
        shared: BTreeMap::new(),
        any_order: false,
        commutes: None,
        latencies: BTreeMap::new(),
        loaded: BTreeSet::new(),
        magnitudes: 0,
        constants: 0,
        widest: 0,
        uncounted: writer.uncounted,
        vectorizable: writer.vectorizable,
        text: COPY.into(),
    })
}

#[cfg(test)]
mod tests;
