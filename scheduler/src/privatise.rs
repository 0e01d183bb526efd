//! Buffers that every iteration of a loop writes anew get cells of their own for each iteration.
//!
//! **Problem.** `for q { for p { s[p] = 0; for t: s[p] += A[q][t] * C[t][p]; } for p: A[q][p] = s[p]; }` is a matrix product, but all rows `q` go through one buffer `s`. So no two of
//! them may be at work at once: no rows for a register tile, and all of `C` comes from the caches again for every row.
//!
//! Or `for q { c[0] = ..; for z: c[z] = f(c[z - 1], A[q][z]); for z backwards: A[q][z] -= c[z] * A[q][z + 1]; }`, a tridiagonal solve for each row, waits for itself all the way, and no rows
//! may wait together, because all have the one `c`.
//!
//! **Method.** Array privatisation (Tu and Padua, *Automatic array privatization*, LCPC 1993), at the expense of memory: in the loop over `q` the buffer becomes `P[q][p]`, and behind it new
//! statements copy what the last iteration left, `s[p] = P[last][p]`. That is the same program if
//! 1. no subscript of the buffer in the loop moves with `q` or with a loop around it, and all accesses are of one cell and certain;
//! 2. there are *writers*, each of which gives a cell by a map that can be inverted, so that for every other access in the loop the instance of a writer with the same cell in the same iteration is
//!    an affine function of it; such instances exist for all of the access, and for a read they come before. So no value enters an iteration from another one, or from before the loop;
//! 3. the last iteration of all writers is one form `last` over the loops around and the parameters, an upper bound of `q` and its only one. All other rows of the writer's domain that have `q` are
//!    lower bounds, so what is written in any iteration is written in the last one, too: there, every cell of the buffer has the value that the program leaves. Where the same holds of loops around, in which
//!    nothing else touches the buffer, it is copied behind these, once.
//!
//! **Which loops.** Memory is only worth something in return:
//! * a statement with two loops more inside that touches the buffer and reads a matrix which does not move with `q`: a product. The rows of the new array are those of the old one;
//! * a statement inside that reads what it, or another one beside it, has written in an iteration before: it waits, and iterations of `q` may be lanes; or that walks down a column, where `q` goes
//!   from one to the next. Cells of several iterations lie side by side, `P[z][q]`; of several loops that one is taken along which most accesses have neighbours.
//!
//! **Worked example.** Above, first writer `S0: s[p]` at `(q, p)`; the update reads `s[p]` at `(q, p, t)`: the writer's instance `(q, p)` exists and stands before. `last = n - 1`; copy
//! `{ S3[p] : 0 <= p < m, n >= 1 }`. Below, `c[z - 1]` comes from `c[0]` for `z = 1`, else from the statement itself one iteration before.

use crate::scop::{Access, AccessKind, Array, ArrayId, Scop, Sought, Statement, StatementId};
use crate::{Error, Result};
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space, Union};
use std::collections::{BTreeMap, BTreeSet};

/// Most arrays that get cells of their own.
const MOST: usize = 3;

/// What the copy does.
const COPY: &str = "{0} = {1}";

/// Loops inside of the one that gets cells of its own: with fewer there is no product.
const LEAST_INSIDE: usize = 2;

/// Bytes between the cells of the last iteration and those behind them, so that rows do not all begin in the same set of a cache.
const APART: i64 = 64;

/// An array with cells for every iteration of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Private {
    /// The new array. Its subscripts are the iteration and those of the old one.
    pub array: ArrayId,
    /// What it stands for.
    pub of: ArrayId,
    /// Sizes of its dimensions but the first, over `[1 | N]`.
    pub sizes: Vec<Affine>,
    /// The statements that copy the last iteration's cells back, each with the writer of these.
    pub copies: Vec<(StatementId, StatementId)>,
}

/// A part with arrays that were made private.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Privatised {
    /// The part: old statements in their places, then copies.
    pub scop: Scop,
    /// The arrays.
    pub arrays: Vec<Private>,
}

/// Gives buffers cells of their own where that makes products of matrices or lanes possible, those that the caller `allows`. `None`: there are none.
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
    /// The loop behind which it is copied: this one, or one around it that nothing else of the buffer is in.
    copied_behind: usize,
    /// Statements in it that touch the buffer.
    users: Vec<StatementId>,
    writers: Vec<Writer>,
    place: Place,
    /// Of the old array's dimensions, over `[1 | N]`.
    sizes: Vec<Affine>,
    /// Iterations of the loop, over `[1 | N]`.
    iterations: Affine,
}

/// A statement that gives cells of a buffer.
struct Writer {
    id: StatementId,
    /// The last iterations of the loop and of those around it, the loop's first: as many as have one. Over its space.
    last: Vec<Affine>,
}

/// Where the iteration stands among the subscripts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Last,
}

fn of_array(s: &Statement, array: ArrayId) -> impl Iterator<Item = &Access> {
    s.accesses.iter().filter(move |a| a.array == array)
}

fn buffer(scop: &Scop, of: ArrayId, budget: &Budget) -> Result<Option<Buffer>> {
    match buffer_of_products(scop, of, budget)? {
        Some(found) => Ok(Some(found)),
        None => buffer_of_columns(scop, of, budget),
    }
}

fn buffer_of_products(scop: &Scop, of: ArrayId, budget: &Budget) -> Result<Option<Buffer>> {
    for (k, product) in scop.statements.iter().enumerate() {
        if of_array(product, of).next().is_none() {
            continue;
        }
        for depth in (0..product.depth().saturating_sub(LEAST_INSIDE)).rev() {
            let inside = |a: &Access| (depth + 1..product.depth()).filter(|&d| moves(a, d)).count() >= LEAST_INSIDE;
            let is_matrix = |a: &Access| a.array != of && !moves(a, depth) && inside(a);
            if product.reads().iter().any(is_matrix)
                && let Some(found) = buffer_of(scop, of, (StatementId(k), depth), Place::First, budget)?
            {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

fn buffer_of_columns(scop: &Scop, of: ArrayId, budget: &Budget) -> Result<Option<Buffer>> {
    let mut nests: Vec<&Statement> = Vec::new();
    for (k, user) in scop.statements.iter().enumerate() {
        let is_known = nests.iter().any(|other| other.common_loops(user) > 0);
        if is_known || user.depth() == 0 || of_array(user, of).next().is_none() {
            continue;
        }
        nests.push(user);
        let mut depths = Vec::new();
        for depth in 0..user.depth() {
            depths.extend(neighbours_along(scop, of, (user, depth)).map(|many| (many, depth)));
        }
        depths.sort_unstable();
        for (_, depth) in depths.into_iter().rev() {
            if let Some(found) = buffer_of(scop, of, (StatementId(k), depth), Place::Last, budget)? {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// Accesses whose neighbours the next iteration of a loop has, if iterations of this may be lanes: something inside waits, or walks down a column. `None`: they need not be.
fn neighbours_along(scop: &Scop, of: ArrayId, (user, depth): (&Statement, usize)) -> Option<usize> {
    let inside: Vec<&Statement> = scop.statements.iter().filter(|s| s.common_loops(user) > depth).collect();
    let waits = inside.iter().any(|s| s.depth() > depth + 1 && inside.iter().any(|w| hands_on(w, s)));
    let is_column = |a: &Access, s: &Statement| {
        a.subscripts.split_last().is_some_and(|(last, others)| {
            let inner = |e: &Affine| (depth + 1..s.depth()).any(|d| e.dim_coeff(d) != 0);
            last.dim_coeff(depth).abs() == 1 && !inner(last) && others.iter().any(inner)
        })
    };
    let accesses = || inside.iter().flat_map(|s| &s.accesses);
    let pays = waits || inside.iter().any(|s| s.accesses.iter().any(|a| is_column(a, s)));
    // No more memory than something has that the loops walk anyway.
    let is_matrix = |a: &Access, s: &Statement| {
        let inner = |e: &Affine| (depth + 1..s.depth()).any(|d| e.dim_coeff(d) != 0);
        let other = |k: usize| a.subscripts.iter().enumerate().any(|(l, e)| l != k && inner(e));
        a.subscripts.iter().enumerate().any(|(k, e)| e.dim_coeff(depth) != 0 && other(k))
    };
    let is_small = !inside.iter().any(|s| s.accesses.iter().any(|a| is_matrix(a, s)));
    if !pays || is_small || accesses().any(|a| a.array == of && moves(a, depth)) {
        return None;
    }
    Some(accesses().filter(|a| a.subscripts.last().is_some_and(|e| e.dim_coeff(depth).abs() == 1)).count())
}

/// Does a statement read what another one, with the same loops, writes in other iterations, always as far away?
fn hands_on(writer: &Statement, reader: &Statement) -> bool {
    let write = writer.write();
    let is_shifted = |read: &Access| {
        let gaps = write.subscripts.iter().zip(&read.subscripts).map(|(w, r)| w.sub(r));
        let gaps = gaps.collect::<polyhedra::Result<Vec<_>>>().unwrap_or_default();
        read.array == write.array && gaps.iter().all(Affine::is_constant) && gaps.iter().any(|g| g.constant_term() != 0)
    };
    writer.common_loops(reader) == reader.depth()
        && writer.depth() == reader.depth()
        && reader.reads().iter().any(is_shifted)
}

fn moves(access: &Access, d: usize) -> bool {
    access.subscripts.iter().any(|e| e.dim_coeff(d) != 0)
}

/// The buffer of the loop at a depth around one of its users.
fn buffer_of(
    scop: &Scop,
    of: ArrayId,
    (user, depth): (StatementId, usize),
    place: Place,
    budget: &Budget,
) -> Result<Option<Buffer>> {
    let statements = &scop.statements;
    let users: Vec<StatementId> = (0..statements.len())
        .filter(|&s| s == user.0 || statements[s].common_loops(&statements[user.0]) > depth)
        .filter(|&s| of_array(&statements[s], of).next().is_some())
        .map(StatementId)
        .collect();
    let all = || users.iter().flat_map(|s| of_array(&statements[s.0], of));
    if all().any(|a| !a.is_plain() || (0..=depth).any(|d| moves(a, d))) {
        return Ok(None);
    }
    let mut writers: Vec<Writer> = Vec::new();
    let mut writing: Vec<StatementId> = users.iter().copied().filter(|s| statements[s.0].write().array == of).collect();
    writing.sort_by_key(|s| &statements[s.0].beta);
    for id in writing {
        let writer = &statements[id.0];
        if is_covered(scop, &writers, (writer, writer.write()), depth, budget)? {
            continue;
        }
        let mut last: Vec<Affine> = (0..=depth).rev().map_while(|d| last_iteration(writer, d)).collect();
        // What one leaves another one may have overwritten before, if it ends elsewhere.
        if let Some(first) = writers.first_mut() {
            let same = first.last.iter().zip(&last).zip((0..=depth).rev()).take_while(|((a, b), d)| are_one(a, b, *d));
            let same = same.count();
            last.truncate(same);
            first.last.truncate(same);
        }
        if last.is_empty() {
            return Ok(None);
        }
        writers.push(Writer { id, last });
    }
    for s in &users {
        let user = &statements[s.0];
        for read in user.reads().iter().filter(|a| a.array == of) {
            if !is_covered(scop, &writers, (user, read), depth, budget)? {
                return Ok(None);
            }
        }
    }
    // Of the first dimension nobody needs the size.
    let needed = usize::from(place == Place::Last);
    let subscripts = |w: &Statement| w.write().subscripts.clone();
    let Some(sizes) = sizes_of_all(scop, &writers, &subscripts, needed, budget)? else { return Ok(None) };
    let iteration = |w: &Statement| vec![Affine::dim(w.space(), depth)];
    let Some(iterations) = sizes_of_all(scop, &writers, &iteration, 0, budget)? else { return Ok(None) };
    let alone = |d: usize| {
        let others = statements.iter().enumerate().filter(|(k, _)| !users.contains(&StatementId(*k)));
        let mut inside = others.filter(|(_, s)| s.common_loops(&statements[user.0]) > d).map(|(_, s)| s);
        writers.iter().all(|w| w.last.len() > depth - d) && inside.all(|s| of_array(s, of).next().is_none())
    };
    let copied_behind = (0..depth).rev().take_while(|&d| alone(d)).last().unwrap_or(depth);
    let [iterations] = iterations.as_slice() else { return Ok(None) };
    Ok(Some(Buffer { depth, copied_behind, users, iterations: iterations.clone(), writers, place, sizes }))
}

/// Sizes that suffice for subscripts of all writers, from the dimension that the caller needs them of. `None`: those of none do.
fn sizes_of_all(
    scop: &Scop,
    writers: &[Writer],
    subscripts: &dyn Fn(&Statement) -> Vec<Affine>,
    needed: usize,
    budget: &Budget,
) -> Result<Option<Vec<Affine>>> {
    'candidates: for candidate in writers {
        let writer = &scop.statements[candidate.id.0];
        let Some(found) = sizes(&writer.domain, &subscripts(writer), budget)? else { return Ok(None) };
        for other in writers.iter().filter(|w| w.id != candidate.id).map(|w| &scop.statements[w.id.0]) {
            for (k, (subscript, size)) in subscripts(other).iter().zip(&found).enumerate() {
                let room = size.embed(other.space(), &[]).sub(subscript)?.offset(-1)?;
                let fits = other.domain.implies(&Constraint::ge(subscript.clone()), budget)?
                    && (k < needed || other.domain.implies(&Constraint::ge(room), budget)?);
                if !fits {
                    continue 'candidates;
                }
            }
        }
        return Ok(Some(found));
    }
    Ok(None)
}

/// Are forms over the parameters and so many loops around the same? They may be of statements with other loops inside of these.
fn are_one(a: &Affine, b: &Affine, loops: usize) -> bool {
    let upto = |e: &Affine| {
        let parts = (e.constant_term(), e.param_coeffs().to_vec());
        (parts, e.dim_coeffs().iter().take(loops).copied().collect::<Vec<i64>>())
    };
    upto(a) == upto(b)
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

/// Has some writer, in the same iteration of the loop, an instance that writes the cell of this access, for a read before it? For every instance of the access.
fn is_covered(
    scop: &Scop,
    writers: &[Writer],
    (user, access): (&Statement, &Access),
    depth: usize,
    budget: &Budget,
) -> Result<bool> {
    let mut rest = Union::from(user.domain.clone());
    for writer in writers {
        if let Some(given) = given_by(&scop.statements[writer.id.0], (user, access), depth, budget)? {
            rest = rest.subtract(&given.into(), budget)?;
        }
        if rest.parts().is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The instances of a user for which a writer has one with the cell of the access in the same iteration, for a read before it. `None`: none, or subscripts do not say.
fn given_by(
    writer: &Statement,
    (user, access): (&Statement, &Access),
    depth: usize,
    budget: &Budget,
) -> Result<Option<Polyhedron>> {
    let Some(instance) = instance(writer, user, access, depth)? else { return Ok(None) };
    let mut given = user.domain.intersect(&writer.domain.preimage(&instance, user.space())?);
    for (written, touched) in writer.write().subscripts.iter().zip(&access.subscripts) {
        given.add(Constraint::eq(written.compose(&instance, user.space())?.sub(touched)?));
    }
    if access.kind == AccessKind::Write || given.is_empty(budget)? {
        return Ok(Some(given));
    }
    let common = writer.common_loops(user);
    for (d, own) in instance.iter().enumerate().take(common).skip(depth + 1) {
        let gap = Affine::dim(user.space(), d).sub(own)?;
        if given.implies(&Constraint::ge(gap.offset(-1)?), budget)? {
            return Ok(Some(given));
        }
        if !given.implies(&Constraint::eq(gap), budget)? {
            return Ok(None);
        }
    }
    Ok((writer.beta[common] < user.beta[common]).then_some(given))
}

/// The instance of the writer that has the cell of an access, in the same iteration of the loops down to `depth`, and of others that both share and of which the cell says nothing: its iterators over the
/// user's space. `None`: subscripts do not say.
fn instance(writer: &Statement, user: &Statement, access: &Access, depth: usize) -> Result<Option<Vec<Affine>>> {
    let space = user.space();
    let mut out: Vec<Affine> = (0..=depth).map(|d| Affine::dim(space, d)).collect();
    let inner = depth + 1..writer.depth();
    for d in inner.clone() {
        // Of `c i_d + rest = cell`, where no other inner iterator is.
        let alone = |e: &Affine| e.dim_coeff(d).abs() == 1 && inner.clone().all(|o| o == d || e.dim_coeff(o) == 0);
        let found = writer.write().subscripts.iter().zip(&access.subscripts).find(|(e, _)| alone(e));
        let Some((written, cell)) = found else {
            if d >= writer.common_loops(user) || moves(writer.write(), d) {
                return Ok(None);
            }
            out.push(Affine::dim(space, d));
            continue;
        };
        let sign = written.dim_coeff(d);
        let mut rest = written.clone();
        rest.set_dim(d, 0);
        let mut around: Vec<Affine> = out[..=depth].to_vec();
        around.resize(writer.depth(), Affine::zero(space));
        out.push(cell.sub(&rest.compose(&around, space)?)?.scale(sign)?);
    }
    Ok(Some(out))
}

impl Place {
    /// Puts what belongs to the iteration among what belongs to the old array's dimensions.
    fn insert<T>(self, of_cell: &mut Vec<T>, of_iteration: T) {
        let at = if self == Place::First { 0 } else { of_cell.len() };
        of_cell.insert(at, of_iteration);
    }
}

/// The part with the buffer in cells of its own.
fn with_private(part: Privatised, of: ArrayId, buffer: &Buffer, budget: &Budget) -> Result<Privatised> {
    let Privatised { mut scop, mut arrays } = part;
    let array = ArrayId(scop.arrays.len());
    let old = scop.arrays.get(of.0).ok_or_else(|| Error::Malformed("a buffer that is no array".into()))?;
    let bytes = i64::try_from(old.element_bytes).unwrap_or(APART).max(1);
    let mut sizes = buffer.sizes.clone();
    buffer.place.insert(&mut sizes, buffer.iterations.offset(APART / bytes)?);
    sizes.remove(0);
    let constant = |e: &Affine| e.is_constant().then(|| e.constant_term());
    scop.arrays.push(Array {
        name: format!("{}_of_its_own", old.name),
        rank: old.rank + 1,
        element_bytes: old.element_bytes,
        stride_bytes: old.element_bytes,
        inner_sizes: sizes.iter().map(constant).collect(),
        is_virtual: false,
    });
    for s in &buffer.users {
        let statement = &mut scop.statements[s.0];
        let iteration = Affine::dim(statement.space(), buffer.depth);
        for access in statement.accesses.iter_mut().filter(|a| a.array == of) {
            access.array = array;
            buffer.place.insert(&mut access.subscripts, iteration.clone());
        }
    }
    let (many, at) = (buffer.writers.len(), buffer.copied_behind);
    let mut copies = Vec::new();
    for (k, writer) in buffer.writers.iter().enumerate() {
        let id = StatementId(scop.statements.len() + k);
        copies.push((id, copy_back(&scop, (of, array), (buffer, writer), (id, k), budget)?, writer.id));
    }
    if let Some(beta) = buffer.writers.first().map(|w| scop.statements[w.id.0].beta.clone()) {
        for s in &mut scop.statements {
            if s.beta.get(..at) == Some(&beta[..at]) && s.beta[at] > beta[at] {
                s.beta[at] += many;
            }
        }
    }
    let of_copies = copies.iter().map(|(id, _, writer)| (*id, *writer)).collect();
    scop.statements.extend(copies.into_iter().map(|(_, copy, _)| copy));
    arrays.push(Private { array, of, sizes, copies: of_copies });
    Ok(Privatised { scop, arrays })
}

/// `of[..] = array[last][..]`, for the cells of a writer in the last iteration: the `number`th statement behind the loop.
fn copy_back(
    scop: &Scop,
    (of, array): (ArrayId, ArrayId),
    (buffer, writer): (&Buffer, &Writer),
    (id, number): (StatementId, usize),
    budget: &Budget,
) -> Result<Statement> {
    let (depth, at) = (buffer.depth, buffer.copied_behind);
    let last = &writer.last;
    let writer = &scop.statements[writer.id.0];
    let over = depth + 1 - at;
    let space = Space::new(writer.space().params, writer.depth() - over);
    let of_dim = |d: usize| match d {
        _ if d < at => Affine::dim(space, d),
        _ if d > depth => Affine::dim(space, d - over),
        _ => Affine::zero(space),
    };
    let mut map: Vec<Affine> = (0..writer.depth()).map(of_dim).collect();
    for d in at..=depth {
        map[d] = last[depth - d].compose(&map, space)?;
    }
    let mut domain = writer.domain.preimage(&map, space)?.simplify(budget)?;
    let mut from = Vec::new();
    for e in &writer.write().subscripts {
        from.push(e.compose(&map, space)?);
    }
    // Once for each cell.
    let again: Vec<usize> = (at..space.dims).filter(|&d| from.iter().all(|e| e.dim_coeff(d) == 0)).collect();
    let shadow = domain.project_out(&again, budget)?;
    let space = if shadow.exact { shadow.set.space() } else { space };
    if shadow.exact {
        domain = shadow.set;
        let mut left = (0..space.dims).map(|d| Affine::dim(space, d));
        let kept = |d: usize| if again.contains(&d) { None } else { left.next() };
        let map: Vec<Affine> =
            (0..writer.depth() - over).map(kept).map(|e| e.unwrap_or_else(|| Affine::zero(space))).collect();
        for e in &mut from {
            *e = e.compose(&map, space)?;
        }
    }
    // Of the new array already.
    let mut cell = from.clone();
    cell.remove(if buffer.place == Place::First { 0 } else { cell.len() - 1 });
    let mut beta = writer.beta[..at].to_vec();
    beta.push(writer.beta[at] + 1 + number);
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
        decided_by: BTreeSet::new(),
        asked: 0,
        skipped_by: BTreeSet::new(),
        magnitudes: 0,
        sums: 0,
        by_numbers: 0,
        constants: 0,
        widest: 0,
        sought: Sought::default(),
        uncounted: writer.uncounted,
        vectorizable: writer.vectorizable,
        text: COPY.into(),
    })
}

#[cfg(test)]
mod tests;
