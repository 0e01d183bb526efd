//! Sums of products of narrow integers, two terms at once.
//!
//! **Problem.** `c[i][j] += a[i][k] * b[k][j]` with operands of at most 16 bits and sums of 32: machines have an operation for two such terms in each lane (`vpmaddwd`, `vpdpwssd`), which wants both operands of `k`
//! and `k + 1` side by side. The second matrix has them in different rows.
//!
//! **Method.** Before the nest, pairs go to arrays of our own, `P[i][q] = (a[i][2q], a[i][2q+1])` and `Q[q][j] = (b[2q][j], b[2q+1][j])`, where an odd number of terms leaves half of the last pair to be zero; the
//! statement becomes `c[i][j] += P[i][q] . Q[q][j]`, a product of half the depth. Sums of integers modulo `2^32` are the same in any order and grouping, so this is the same program if
//! 1. the statement is such an update, run for certain ([`Statement::update`]), and its loop over the terms runs over `0 <= k < T`, with nothing else bounded by `k`, and `T` a form of the parameters;
//! 2. each operand has one subscript that moves with `k`, and with no other loop. Its other subscripts are the subscripts of the new array; their values, over all instances, are a set of integer points that
//!    projection finds exactly, so that no cell is read that the program does not read;
//! 3. nothing in the nest of the top level that the statement stands in writes to the arrays that are read;
//! 4. nobody sees how far a sum has come: what else stands in the loop over the terms does not touch the sums, but by other such updates.
//!
//! Where `T` is no constant the number of pairs, `ceil(T / 2)`, is a new parameter, the last, so that the loop over pairs is a plain one; the caller has to compute it, and to see that `T >= 1`.
//!
//! **Worked example.** Of `{ S[i,j,k] : 0 <= i < n, 0 <= j < m, 0 <= k < l }` above there come `{ W[i,q] : 0 <= i < n, 0 <= q, 2q + 2 <= l }` and `{ H[i] : 0 <= i < n, 2h - 1 >= l }`, which packs the last half pair
//! `q = h - 1`, the same for `b`, and `{ S[i,j,q] : 0 <= i < n, 0 <= j < m, 0 <= q < h }`, with `l <= 2h <= l + 1`.

use crate::privatise::sizes;
use crate::scop::{Access, AccessId, AccessKind, Array, ArrayId, Commutative, Scop, Statement, StatementId};
use crate::{Error, Result};
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a pair.
const BYTES: u64 = 4;

/// Fewer terms are none to make pairs of.
const LEAST_TERMS: i64 = 4;

/// A sum of products.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Products {
    /// The statement.
    pub statement: StatementId,
    /// What is multiplied.
    pub operands: [AccessId; 2],
    /// Operations on a pair of pairs, the sum included.
    pub operations: u32,
}

/// An array of pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// The array.
    pub array: ArrayId,
    /// Sizes of its dimensions but the first, over `[1 | N]`.
    pub sizes: Vec<Affine>,
    /// The statement that packs whole pairs: its second and third access are what goes into the lower and the upper half.
    pub whole: StatementId,
    /// The one that packs what is left of an odd number of terms, if there may be one.
    pub half: Option<StatementId>,
}

/// A part with sums by pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paired {
    /// The part: old statements in their places, among them the sum, whose second and third access are the pairs, and whose fourth is the old value; then those that pack.
    pub scop: Scop,
    /// By operand.
    pub arrays: [Packed; 2],
    /// The number of terms, over `[1 | N]`, where half of it is a new parameter.
    pub terms: Option<Affine>,
}

/// A sum of products by pairs. `None`: it is no such sum, or its operands are not such arrays.
///
/// # Errors
/// Overflow, budget; what [`Scop::check`] finds.
pub fn pair(scop: &Scop, products: &Products, budget: &Budget) -> Result<Option<Paired>> {
    let statement =
        scop.statements.get(products.statement.0).ok_or_else(|| Error::Malformed("unknown statement".into()))?;
    let Some(Loop { dim, terms }) = loop_over_terms(scop, statement, products) else { return Ok(None) };
    let constant = terms.is_constant().then(|| terms.constant_term());
    if constant.is_some_and(|terms| terms < LEAST_TERMS) {
        return Ok(None);
    }
    let mut out = match constant {
        Some(_) => scop.clone(),
        None => with_count(scop, &terms)?,
    };
    let params = Space::new(out.params.len(), 0);
    let pairs = match constant {
        Some(terms) => Affine::constant(params, terms / 2 + terms % 2),
        None => Affine::param(params, scop.params.len()),
    };
    let terms = terms.embed(params, &[]);
    // Behind the new ones.
    let place = statement.beta[0];
    let mut new = Vec::new();
    let statement = out.statements[products.statement.0].clone();
    let mut arrays = Vec::new();
    let mut reads = Vec::new();
    for operand in products.operands {
        let packing = Packing { statement: &statement, operand, dim, pairs: &pairs, terms: &terms };
        let Some(found) = packing.pack(&mut out, place, &mut new, budget)? else { return Ok(None) };
        reads.push(packing.read(found.array)?);
        arrays.push(found);
    }
    let [first, second] = reads.try_into().map_err(|_| Error::Malformed("two operands".into()))?;
    let [one, other] = arrays.try_into().map_err(|_| Error::Malformed("two operands".into()))?;
    for s in &mut out.statements {
        if s.beta[0] >= place {
            s.beta[0] += new.len();
        }
    }
    let sum = sum(&statement, dim, &pairs, [first, second], products.operations, budget)?;
    let sum = Statement { beta: out.statements[products.statement.0].beta.clone(), ..sum };
    out.statements[products.statement.0] = sum;
    out.statements.extend(new);
    out.check()?;
    Ok(Some(Paired { scop: out, arrays: [one, other], terms: constant.is_none().then_some(terms) }))
}

/// A loop over terms.
struct Loop {
    dim: usize,
    /// How many there are, over `[1 | N]`.
    terms: Affine,
}

/// The innermost loop that the terms may be counted by.
fn loop_over_terms(scop: &Scop, statement: &Statement, products: &Products) -> Option<Loop> {
    let (Commutative::Sum, _) = statement.update()? else { return None };
    if statement.accesses.len() != 4 || products.operands.iter().any(|o| o.0 == 0 || o.0 > 3) {
        return None;
    }
    let operands = products.operands.map(|o| &statement.accesses[o.0]);
    let beside = scop.statements.iter().filter(|s| s.beta[0] == statement.beta[0]);
    let written: BTreeSet<ArrayId> = beside.map(|s| s.write().array).collect();
    if operands.iter().any(|a| !a.is_plain() || written.contains(&a.array)) {
        return None;
    }
    let sums = statement.write().array;
    let only_adds = |s: &Statement| match s.update() {
        Some((Commutative::Sum, old)) => {
            s.accesses.iter().enumerate().all(|(k, a)| k == 0 || k == old.0 || a.array != sums)
        }
        _ => s.accesses.iter().all(|a| a.array != sums),
    };
    let depth = statement.depth();
    let unseen = |d: usize| scop.statements.iter().all(|s| s.common_loops(statement) <= d || only_adds(s));
    let alone = |e: &Affine, d: usize| e.dim_coeff(d) != 0 && (0..depth).all(|o| o == d || e.dim_coeff(o) == 0);
    let walks = |a: &Access, d: usize| {
        let mut moved = a.subscripts.iter().filter(|e| e.dim_coeff(d) != 0);
        moved.next().is_some_and(|e| alone(e, d)) && moved.next().is_none()
    };
    (0..depth).rev().find_map(|dim| {
        let still = statement.write().subscripts.iter().all(|e| e.dim_coeff(dim) == 0);
        let terms = terms(statement, dim).filter(|_| still && unseen(dim) && operands.iter().all(|a| walks(a, dim)))?;
        Some(Loop { dim, terms })
    })
}

/// The number of iterations of a loop that counts from 0 to a form of the parameters, and that bounds no other.
fn terms(statement: &Statement, dim: usize) -> Option<Affine> {
    let (mut terms, mut from_zero) = (None, false);
    for row in statement.domain.constraints().iter().filter(|row| row.expr.dim_coeff(dim) != 0) {
        let expr = &row.expr;
        if row.kind != Kind::Ge || (0..statement.depth()).any(|d| d != dim && expr.dim_coeff(d) != 0) {
            return None;
        }
        match expr.dim_coeff(dim) {
            1 if expr.constant_term() == 0 && expr.param_coeffs().iter().all(|c| *c == 0) => from_zero = true,
            -1 if terms.is_none() => {
                let params = Space::new(statement.space().params, 0);
                let most = Affine::from_coeffs(params, expr.coeffs()[..=params.params].to_vec());
                terms = Some(most.offset(1).ok()?);
            }
            _ => return None,
        }
    }
    terms.filter(|_| from_zero)
}

/// The same part with a parameter more, half of the number of terms.
fn with_count(scop: &Scop, terms: &Affine) -> Result<Scop> {
    let p = scop.params.len();
    let wider = |space: Space| Space::new(p + 1, space.dims);
    let set = |set: &Polyhedron| {
        let same: Vec<usize> = (0..set.space().dims).collect();
        set.embed(wider(set.space()), &same)
    };
    let mut out = scop.clone();
    out.params.push(format!("pairs{p}"));
    out.computed.insert(p);
    for s in &mut out.statements {
        for access in &mut s.accesses {
            for e in &mut access.subscripts {
                let same: Vec<usize> = (0..e.space().dims).collect();
                *e = e.embed(wider(e.space()), &same);
            }
        }
        s.domain = set(&s.domain);
    }
    let none = Space::new(p + 1, 0);
    let context = scop.context.as_ref().map_or_else(|| Polyhedron::universe(none), set);
    let terms = terms.embed(none, &[]);
    let twice = Affine::param(none, p).scale(2)?;
    let over = twice.sub(&terms)?;
    let rows = [terms.offset(-1)?, over.clone(), over.scale(-1)?.offset(1)?];
    out.context = Some(rows.into_iter().fold(context, |set, row| set.with(Constraint::ge(row))));
    Ok(out)
}

/// An operand to be packed.
struct Packing<'a> {
    /// The sum, in the new space.
    statement: &'a Statement,
    operand: AccessId,
    dim: usize,
    pairs: &'a Affine,
    terms: &'a Affine,
}

impl Packing<'_> {
    fn access(&self) -> &Access {
        &self.statement.accesses[self.operand.0]
    }

    /// Adds the array; the statements that fill it are in `new`, at their places.
    fn pack(&self, scop: &mut Scop, place: usize, new: &mut Vec<Statement>, budget: &Budget) -> Result<Option<Packed>> {
        let Some(cells) = self.cells(budget)? else { return Ok(None) };
        let at: Vec<Affine> = (0..cells.space().dims).map(|d| Affine::dim(cells.space(), d)).collect();
        let Some(sizes) = sizes(&cells, &at, budget)? else { return Ok(None) };
        let array = ArrayId(scop.arrays.len());
        let of = scop.arrays.get(self.access().array.0).ok_or_else(|| Error::Malformed("unknown array".into()))?;
        let constant = |e: &Affine| e.is_constant().then(|| e.constant_term());
        scop.arrays.push(Array {
            name: format!("{}_in_pairs", of.name),
            rank: sizes.len(),
            element_bytes: BYTES,
            stride_bytes: BYTES,
            inner_sizes: sizes[1..].iter().map(constant).collect(),
            is_virtual: true,
        });
        let known = scop.statements.len();
        let mut add = |statement: Statement| {
            let id = StatementId(known + new.len());
            let mut beta = vec![0; statement.depth() + 1];
            beta[0] = place + new.len();
            new.push(Statement { name: format!("S{}", id.0), beta, ..statement });
            id
        };
        let whole = add(self.whole(&cells, array, budget)?);
        let is_even = self.terms.is_constant() && self.terms.constant_term() % 2 == 0;
        let half = if is_even { None } else { Some(add(self.half(&cells, array, budget)?)) };
        Ok(Some(Packed { array, sizes: sizes[1..].to_vec(), whole, half }))
    }

    /// The subscript that moves from term to term.
    fn along(&self) -> Option<usize> {
        self.access().subscripts.iter().position(|e| e.dim_coeff(self.dim) != 0)
    }

    /// `{ P[x] }`, the cells of the array of pairs, where the subscript along the terms counts pairs. `None`: projection does not find them exactly.
    fn cells(&self, budget: &Budget) -> Result<Option<Polyhedron>> {
        let (own, Some(along)) = (self.statement.space(), self.along()) else { return Ok(None) };
        let subscripts = &self.access().subscripts;
        let space = Space::new(own.params, own.dims + subscripts.len());
        let same: Vec<usize> = (0..own.dims).collect();
        let mut all = self.statement.domain.embed(space, &same);
        for (k, e) in subscripts.iter().enumerate().filter(|(k, _)| *k != along) {
            all.add(Constraint::eq(Affine::dim(space, own.dims + k).sub(&e.embed(space, &same))?));
        }
        let pair = Affine::dim(space, own.dims + along);
        all.add(Constraint::ge(pair.clone()));
        all.add(Constraint::ge(self.pairs.embed(space, &[]).sub(&pair)?.offset(-1)?));
        let shadow = all.project_out(&same, budget)?;
        Ok(if shadow.exact { Some(shadow.set.simplify(budget)?) } else { None })
    }

    /// The cell of the operand in the term `2 q + past` of a pair, `at`: subscripts of the pair.
    fn cell(&self, at: &[Affine], along: usize, past: i64) -> Result<Vec<Affine>> {
        let mut out = at.to_vec();
        let own = &self.access().subscripts[along];
        let step = own.dim_coeff(self.dim);
        let space = at[along].space();
        let mut rest = own.coeffs()[..=space.params].to_vec();
        rest.resize(space.columns(), 0);
        let rest = Affine::from_coeffs(space, rest);
        out[along] = at[along].scale(2)?.offset(past)?.scale(step)?.add(&rest)?;
        Ok(out)
    }

    /// `P[x] = (a[.., 2q, ..], a[.., 2q + 1, ..])`.
    fn whole(&self, cells: &Polyhedron, array: ArrayId, budget: &Budget) -> Result<Statement> {
        let space = cells.space();
        let along = self.along().unwrap_or_default();
        let at: Vec<Affine> = (0..space.dims).map(|d| Affine::dim(space, d)).collect();
        let upper = at[along].scale(2)?.offset(1)?;
        let there = self.terms.embed(space, &[]).sub(&upper)?.offset(-1)?;
        let domain = cells.clone().with(Constraint::ge(there)).simplify(budget)?;
        let operands = vec![self.cell(&at, along, 0)?, self.cell(&at, along, 1)?];
        Ok(self.store(domain, (array, at), operands, "pair({1}, {2})"))
    }

    /// `P[.., pairs - 1, ..] = (a[.., terms - 1, ..], 0)`, without a loop over pairs, if the number of terms is odd.
    fn half(&self, cells: &Polyhedron, array: ArrayId, budget: &Budget) -> Result<Statement> {
        let along = self.along().unwrap_or_default();
        let space = Space::new(cells.space().params, cells.space().dims - 1);
        let mut at: Vec<Affine> = (0..space.dims).map(|d| Affine::dim(space, d)).collect();
        let last = self.pairs.embed(space, &[]).offset(-1)?;
        at.insert(along, last.clone());
        let odd = last.scale(2)?.offset(1)?.sub(&self.terms.embed(space, &[]))?;
        let domain = cells.preimage(&at, space)?.with(Constraint::ge(odd)).simplify(budget)?;
        let operand = self.cell(&at, along, 0)?;
        Ok(self.store(domain, (array, at), vec![operand], "pair({1}, 0)"))
    }

    fn store(&self, domain: Polyhedron, to: (ArrayId, Vec<Affine>), from: Vec<Vec<Affine>>, what: &str) -> Statement {
        let of = self.access().array;
        let access = |array, kind, subscripts| Access { array, kind, subscripts, extent: 1 };
        let operations = u32::try_from(2 * from.len()).unwrap_or(u32::MAX);
        let reads = from.into_iter().map(|cell| access(of, AccessKind::Read, cell));
        Statement {
            name: String::new(),
            domain,
            beta: Vec::new(),
            accesses: std::iter::once(access(to.0, AccessKind::Write, to.1)).chain(reads).collect(),
            operations: (operations, 0),
            any_order: false,
            commutes: None,
            latencies: BTreeMap::new(),
            text: format!("{{0}} = {what}"),
            ..plain(self.statement)
        }
    }

    /// The pair of an instance of the sum.
    fn read(&self, array: ArrayId) -> Result<Access> {
        let along = self.along().ok_or_else(|| Error::Malformed("an operand that does not move".into()))?;
        let mut subscripts = self.access().subscripts.clone();
        subscripts[along] = Affine::dim(self.statement.space(), self.dim);
        Ok(Access { array, kind: AccessKind::Read, subscripts, extent: 1 })
    }
}

/// A statement's figures without what the statement alone has.
fn plain(statement: &Statement) -> Statement {
    Statement {
        calls: 0,
        alone: BTreeMap::new(),
        shared: BTreeMap::new(),
        chain_latency: 0,
        loaded: BTreeSet::new(),
        magnitudes: 0,
        widest: 0,
        constants: 0,
        uncounted: false,
        ..statement.clone()
    }
}

/// The sum by pairs.
fn sum(
    statement: &Statement,
    dim: usize,
    pairs: &Affine,
    [first, second]: [Access; 2],
    operations: u32,
    budget: &Budget,
) -> Result<Statement> {
    let space = statement.space();
    let (_, old) = statement.update().ok_or_else(|| Error::Malformed("no update".into()))?;
    let mut domain = Polyhedron::universe(space);
    for row in statement.domain.constraints().iter().filter(|row| row.expr.dim_coeff(dim) == 0) {
        domain.add(row.clone());
    }
    let pair = Affine::dim(space, dim);
    domain.add(Constraint::ge(pair.clone()));
    domain.add(Constraint::ge(pairs.embed(space, &[]).sub(&pair)?.offset(-1)?));
    let latency = statement.latencies.get(&old.0).copied();
    Ok(Statement {
        domain: domain.simplify(budget)?,
        accesses: vec![statement.write().clone(), first, second, statement.accesses[old.0].clone()],
        operations: (operations, 0),
        latencies: latency.map(|cycles| (3, cycles)).into_iter().collect(),
        text: "{0} = (dot({1}, {2}) + {3})".into(),
        ..plain(statement)
    })
}

#[cfg(test)]
mod tests;
