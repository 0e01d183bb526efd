//! Sums of products of narrow integers, two or four terms at once.
//!
//! **Problem.** `c[i][j] += a[i][k] * b[k][j]` with narrow operands and sums of 32 bits: machines have an operation for several such terms in each lane (`vpmaddwd` and `vpdpwssd` for two of 16 bits, `vpdpbusd`,
//! `sdot` and `udot` for four of 8), which wants the operands of `k`, `k + 1`, .. side by side. The second matrix has them in different rows.
//!
//! **Method.** Before the nest, groups of `G` terms go to arrays of our own, `P[i][q] = (a[i][Gq], .., a[i][Gq+G-1])` and `Q[q][j] = (b[Gq][j], .., b[Gq+G-1][j])`, where what is missing of the last group is zero;
//! the statement becomes `c[i][j] += P[i][q] . Q[q][j]`, a product of a part of the depth. Sums of integers modulo `2^32` are the same in any order and grouping, so this is the same program if
//! 1. the statement is such an update, run for certain ([`Statement::update`]), and its loop over the terms runs over `0 <= k < T`, with nothing else bounded by `k`, and `T` a form of the parameters;
//! 2. each operand has one subscript that moves with `k`, and with no other loop. Its other subscripts are the subscripts of the new array; their values, over all instances, are a set of integer points that
//!    projection finds exactly, so that no cell is read that the program does not read;
//! 3. nothing in the nest of the top level that the statement stands in writes to the arrays that are read;
//! 4. nobody sees how far a sum has come: what else stands in the loop over the terms does not touch the sums, but by other such updates.
//!
//! Where the machine has no operation for the signs of the operands, one of them goes to its array with a constant added, `a' = a + v`, and what is too much is taken off the sums once, behind the loop over the
//! terms: `c[i][j] += R[j]`, where `R[j] = - v * (b[0][j] + b[1][j] + ..)` is made of the groups of the other operand ([`Products::less`]).
//!
//! Where `T` is no constant the number of groups, `ceil(T / G)`, is a new parameter, the last, so that the loop over groups is a plain one; the caller has to compute it, and to see that `T >= 1`.
//!
//! **Worked example.** Of `{ S[i,j,k] : 0 <= i < n, 0 <= j < m, 0 <= k < l }` above there come, with `G = 2`, `{ W[i,q] : 0 <= i < n, 0 <= q, 2q + 2 <= l }` and `{ H[i] : 0 <= i < n, 2h - 1 = l }`, which packs
//! the last half group `q = h - 1`, the same for `b`, and `{ S[i,j,q] : 0 <= i < n, 0 <= j < m, 0 <= q < h }`, with `l <= 2h <= l + 1`.

use crate::privatise::sizes;
use crate::scop::{Access, AccessId, AccessKind, Array, ArrayId, Commutative, Scop, Sought, Statement, StatementId};
use crate::{Error, Result};
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a group, and of a sum.
const BYTES: u64 = 4;

/// Fewer groups are none to pack anything for; where something is to be taken off in the end.
const LEAST_GROUPS: i64 = 2;
const LEAST_GROUPS_LESS: i64 = 4;

/// A sum of products.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Products {
    /// The statement.
    pub statement: StatementId,
    /// What is multiplied.
    pub operands: [AccessId; 2],
    /// Terms at once.
    pub group: u8,
    /// Operations on two groups, the sum included.
    pub operations: u32,
    /// The operand whose sums are to be taken off, as the other one is packed with a constant added.
    pub less: Option<usize>,
}

/// An array of groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// The array.
    pub array: ArrayId,
    /// Sizes of its dimensions but the first, over `[1 | N]`.
    pub sizes: Vec<Affine>,
    /// The statements that pack a number of terms: first a whole group, then what may be left of the last one. Their accesses behind the first are what goes into the group, from the lowest bits on.
    pub fills: Vec<(u8, StatementId)>,
}

/// What is taken off the sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Less {
    /// The array.
    pub array: ArrayId,
    /// Sizes of its dimensions but the first, over `[1 | N]`.
    pub sizes: Vec<Affine>,
    /// The statement that sets it to zero.
    pub clear: StatementId,
    /// The one that takes the sum over a group, its second access, from the old value, its third.
    pub count: StatementId,
    /// The one that adds it, its third access, to the sum, its second.
    pub take: StatementId,
}

/// A part with a sum by groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grouped {
    /// The part: old statements in their places, among them the sum, whose second and third access are the groups, and whose fourth is the old value; then new ones.
    pub scop: Scop,
    /// By operand.
    pub arrays: [Packed; 2],
    /// What [`Products::less`] asks for.
    pub less: Option<Less>,
    /// The number of terms, over `[1 | N]`, where the number of groups is a new parameter.
    pub terms: Option<Affine>,
}

/// A sum of products by groups. `None`: it is no such sum, or its operands are not such arrays.
///
/// # Errors
/// Overflow, budget; what [`Scop::check`] finds.
pub fn grouped(scop: &Scop, products: &Products, budget: &Budget) -> Result<Option<Grouped>> {
    let group = i64::from(products.group);
    let statement =
        scop.statements.get(products.statement.0).ok_or_else(|| Error::Malformed("unknown statement".into()))?;
    let Some(Loop { dim, terms }) = loop_over_terms(scop, statement, products) else { return Ok(None) };
    let constant = terms.is_constant().then(|| terms.constant_term());
    let least = if products.less.is_some() { LEAST_GROUPS_LESS } else { LEAST_GROUPS };
    if constant.is_some_and(|terms| terms < least * group) {
        return Ok(None);
    }
    let mut out = match constant {
        Some(_) => scop.clone(),
        None => with_count(scop, &terms, group)?,
    };
    let params = Space::new(out.params.len(), 0);
    let groups = match constant {
        Some(terms) => Affine::constant(params, terms / group + i64::from(terms % group != 0)),
        None => Affine::param(params, scop.params.len()),
    };
    let terms = terms.embed(params, &[]);
    let statement = out.statements[products.statement.0].clone();
    let packing = |operand| Packing {
        statement: &statement,
        operand,
        dim,
        group: products.group,
        groups: &groups,
        terms: &terms,
    };
    let mut front = Front { known: scop.statements.len(), place: statement.beta[0], moved: 0, statements: Vec::new() };
    let (mut arrays, mut reads) = (Vec::new(), Vec::new());
    for operand in products.operands {
        let packing = packing(operand);
        let Some(found) = packing.pack(&mut out, &mut front, budget)? else { return Ok(None) };
        reads.push(packing.read(found.array)?);
        arrays.push(found);
    }
    let [first, second] = reads.try_into().map_err(|_| Error::Malformed("two operands".into()))?;
    let [one, other] = arrays.try_into().map_err(|_| Error::Malformed("two operands".into()))?;
    let (mut less, mut take) = (None, None);
    if let Some(of) = products.less {
        let packing = packing(products.operands[of]);
        let of = if of == 0 { &one } else { &other };
        let Some(sums) = packing.sums(&mut out, of.array, products.operations, &mut front, budget)? else {
            return Ok(None);
        };
        let name = format!("S{}", front.next().0);
        take = Some(Statement { name, ..packing.take(&mut out, sums.array, budget)? });
        less = Some(Less { take: front.next(), ..sums });
    }
    let by_groups = sum(&statement, dim, &groups, [first, second], products.operations, budget)?;
    let own = &mut out.statements[products.statement.0];
    *own = Statement { beta: own.beta.clone(), ..by_groups };
    for s in out.statements.iter_mut().chain(&mut take) {
        if s.beta[0] >= front.place {
            s.beta[0] += front.moved;
        }
    }
    out.statements.extend(front.statements.into_iter().chain(take));
    out.check()?;
    Ok(Some(Grouped { scop: out, arrays: [one, other], less, terms: constant.is_none().then_some(terms) }))
}

/// New statements in front of a nest.
struct Front {
    /// So many statements were there.
    known: usize,
    /// Where the nest stood, and how far it has moved.
    place: usize,
    moved: usize,
    statements: Vec<Statement>,
}

impl Front {
    /// Of the statement that comes next.
    fn next(&self) -> StatementId {
        StatementId(self.known + self.statements.len())
    }

    /// In a nest of its own.
    fn add(&mut self, statement: Statement) -> StatementId {
        let id = self.next();
        let mut beta = vec![0; statement.depth() + 1];
        beta[0] = self.place + self.moved;
        self.moved += 1;
        self.statements.push(Statement { name: format!("S{}", id.0), beta, ..statement });
        id
    }

    /// Behind the last one, in as many of its loops.
    fn add_behind(&mut self, statement: Statement, loops: usize) -> StatementId {
        let Some(last) = self.statements.last().filter(|_| loops > 0) else { return self.add(statement) };
        let id = self.next();
        let mut beta = last.beta[..=loops].to_vec();
        beta[loops] += 1;
        beta.resize(statement.depth() + 1, 0);
        self.statements.push(Statement { name: format!("S{}", id.0), beta, ..statement });
        id
    }
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

/// The same part with a parameter more, the number of groups.
fn with_count(scop: &Scop, terms: &Affine, group: i64) -> Result<Scop> {
    let p = scop.params.len();
    let wider = |space: Space| Space::new(p + 1, space.dims);
    let set = |set: &Polyhedron| {
        let same: Vec<usize> = (0..set.space().dims).collect();
        set.embed(wider(set.space()), &same)
    };
    let mut out = scop.clone();
    out.params.push(format!("groups{p}"));
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
    let over = Affine::param(none, p).scale(group)?.sub(&terms)?;
    let rows = [terms.offset(-1)?, over.clone(), over.scale(-1)?.offset(group - 1)?];
    out.context = Some(rows.into_iter().fold(context, |set, row| set.with(Constraint::ge(row))));
    Ok(out)
}

/// An operand to be packed.
struct Packing<'a> {
    /// The sum, in the new space.
    statement: &'a Statement,
    operand: AccessId,
    dim: usize,
    group: u8,
    groups: &'a Affine,
    terms: &'a Affine,
}

impl Packing<'_> {
    fn access(&self) -> &Access {
        &self.statement.accesses[self.operand.0]
    }

    /// Adds the array; the statements that fill it come in front.
    fn pack(&self, scop: &mut Scop, front: &mut Front, budget: &Budget) -> Result<Option<Packed>> {
        let Some(cells) = self.cells(budget)? else { return Ok(None) };
        let Some((array, sizes)) = self.array(scop, &cells, "in_groups", budget)? else { return Ok(None) };
        let mut fills = vec![(self.group, front.add(self.whole(&cells, array, budget)?))];
        for left in 1..self.group {
            let is_other = i64::from(self.group) * (self.groups.constant_term() - 1) + i64::from(left)
                != self.terms.constant_term();
            if !(self.terms.is_constant() && is_other) {
                let rest = self.rest(&cells, array, left, budget)?;
                fills.push((left, front.add_behind(rest, self.along().unwrap_or_default())));
            }
        }
        Ok(Some(Packed { array, sizes, fills }))
    }

    /// A new array of these cells, and its sizes but the first.
    fn array(
        &self,
        scop: &mut Scop,
        cells: &Polyhedron,
        suffix: &str,
        budget: &Budget,
    ) -> Result<Option<(ArrayId, Vec<Affine>)>> {
        let at: Vec<Affine> = (0..cells.space().dims).map(|d| Affine::dim(cells.space(), d)).collect();
        let Some(sizes) = sizes(cells, &at, budget)?.filter(|sizes| !sizes.is_empty()) else { return Ok(None) };
        let array = ArrayId(scop.arrays.len());
        let of = scop.arrays.get(self.access().array.0).ok_or_else(|| Error::Malformed("unknown array".into()))?;
        let constant = |e: &Affine| e.is_constant().then(|| e.constant_term());
        scop.arrays.push(Array {
            name: format!("{}_{suffix}", of.name),
            rank: sizes.len(),
            element_bytes: BYTES,
            stride_bytes: BYTES,
            inner_sizes: sizes[1..].iter().map(constant).collect(),
            is_virtual: true,
        });
        Ok(Some((array, sizes[1..].to_vec())))
    }

    /// The subscript that moves from term to term.
    fn along(&self) -> Option<usize> {
        self.access().subscripts.iter().position(|e| e.dim_coeff(self.dim) != 0)
    }

    /// `{ P[x] }`, the cells of the array of groups, where the subscript along the terms counts groups. `None`: projection does not find them exactly.
    fn cells(&self, budget: &Budget) -> Result<Option<Polyhedron>> {
        let (own, Some(along)) = (self.statement.space(), self.along()) else { return Ok(None) };
        let subscripts = &self.access().subscripts;
        let space = Space::new(own.params, own.dims + subscripts.len());
        let same: Vec<usize> = (0..own.dims).collect();
        let mut all = self.statement.domain.embed(space, &same);
        for (k, e) in subscripts.iter().enumerate().filter(|(k, _)| *k != along) {
            all.add(Constraint::eq(Affine::dim(space, own.dims + k).sub(&e.embed(space, &same))?));
        }
        let group = Affine::dim(space, own.dims + along);
        all.add(Constraint::ge(group.clone()));
        all.add(Constraint::ge(self.groups.embed(space, &[]).sub(&group)?.offset(-1)?));
        let shadow = all.project_out(&same, budget)?;
        Ok(if shadow.exact { Some(shadow.set.simplify(budget)?) } else { None })
    }

    /// The cell of the operand in a term with this number, `at`: subscripts of a group.
    fn cell(&self, at: &[Affine], along: usize, term: &Affine) -> Result<Vec<Affine>> {
        let mut out = at.to_vec();
        let own = &self.access().subscripts[along];
        let step = own.dim_coeff(self.dim);
        let space = term.space();
        let mut rest = own.coeffs()[..=space.params].to_vec();
        rest.resize(space.columns(), 0);
        let rest = Affine::from_coeffs(space, rest);
        out[along] = term.scale(step)?.add(&rest)?;
        Ok(out)
    }

    /// `P[x] = (a[.., G q, ..], .., a[.., G q + G - 1, ..])`.
    fn whole(&self, cells: &Polyhedron, array: ArrayId, budget: &Budget) -> Result<Statement> {
        let space = cells.space();
        let along = self.along().unwrap_or_default();
        let at: Vec<Affine> = (0..space.dims).map(|d| Affine::dim(space, d)).collect();
        let behind = at[along].offset(1)?.scale(self.group.into())?;
        let there = self.terms.embed(space, &[]).sub(&behind)?;
        let domain = cells.clone().with(Constraint::ge(there)).simplify(budget)?;
        let first = at[along].scale(self.group.into())?;
        self.fill(domain, array, (at, along), &first, self.group)
    }

    /// `P[.., groups - 1, ..]`, without a loop over groups, if so many terms are left for the last one.
    fn rest(&self, cells: &Polyhedron, array: ArrayId, left: u8, budget: &Budget) -> Result<Statement> {
        let along = self.along().unwrap_or_default();
        let last = |space| self.groups.embed(space, &[]).offset(-1);
        let (set, at) = self.across(cells, last, budget)?;
        let behind = at[along].scale(self.group.into())?.offset(left.into())?;
        let rest = behind.sub(&self.terms.embed(set.space(), &[]))?;
        // Counted from the end: where there are not so many left, nobody should think of cells behind it.
        let first = self.terms.embed(set.space(), &[]).offset(-i64::from(left))?;
        self.fill(set.with(Constraint::eq(rest)).simplify(budget)?, array, (at, along), &first, left)
    }

    /// One group of each row, and its subscripts.
    fn across(
        &self,
        cells: &Polyhedron,
        group: impl Fn(Space) -> polyhedra::Result<Affine>,
        budget: &Budget,
    ) -> Result<(Polyhedron, Vec<Affine>)> {
        let space = Space::new(cells.space().params, cells.space().dims - 1);
        let mut at: Vec<Affine> = (0..space.dims).map(|d| Affine::dim(space, d)).collect();
        at.insert(self.along().unwrap_or_default(), group(space)?);
        Ok((cells.preimage(&at, space)?.simplify(budget)?, at))
    }

    /// So many terms of a group, from one with this number on.
    fn fill(
        &self,
        domain: Polyhedron,
        to: ArrayId,
        (at, along): (Vec<Affine>, usize),
        first: &Affine,
        terms: u8,
    ) -> Result<Statement> {
        let cell = |term: u8| self.cell(&at, along, &first.offset(term.into())?);
        let cells: Vec<Vec<Affine>> = (0..terms).map(cell).collect::<Result<_>>()?;
        let reads = cells.into_iter().map(|cell| access(self.access().array, AccessKind::Read, cell));
        let names: Vec<String> = (1..=terms).map(|k| format!("{{{k}}}")).collect();
        Ok(Statement {
            domain,
            accesses: std::iter::once(access(to, AccessKind::Write, at)).chain(reads).collect(),
            operations: (2 * u32::from(terms), 0),
            text: format!("{{0}} = group({})", names.join(", ")),
            ..without_sum(self.statement)
        })
    }

    /// The group of an instance of the sum.
    fn read(&self, array: ArrayId) -> Result<Access> {
        let along = self.along().ok_or_else(|| Error::Malformed("an operand that does not move".into()))?;
        let mut subscripts = self.access().subscripts.clone();
        subscripts[along] = Affine::dim(self.statement.space(), self.dim);
        Ok(access(array, AccessKind::Read, subscripts))
    }

    /// `R[x] = 0`, `R[x] = R[x] - v . P[.., q, ..]` over the groups of each row. What takes it comes behind. `None`: there is one row alone.
    fn sums(
        &self,
        scop: &mut Scop,
        of: ArrayId,
        operations: u32,
        front: &mut Front,
        budget: &Budget,
    ) -> Result<Option<Less>> {
        let Some(cells) = self.cells(budget)? else { return Ok(None) };
        let along = self.along().unwrap_or_default();
        let (rows, _) = self.across(&cells, |space| Ok(Affine::zero(space)), budget)?;
        let Some((array, sizes)) = self.array(scop, &rows, "less", budget)? else { return Ok(None) };
        let row = |space: Space| (0..space.dims).map(move |d| Affine::dim(space, d));
        let clear = front.add(Statement {
            accesses: vec![access(array, AccessKind::Write, row(rows.space()).collect())],
            domain: rows,
            text: "{0} = 0".into(),
            ..without_sum(self.statement)
        });
        let space = cells.space();
        let at: Vec<Affine> = row(space).enumerate().filter(|(d, _)| *d != along).map(|(_, e)| e).collect();
        let count = front.add(Statement {
            domain: cells,
            accesses: vec![
                access(array, AccessKind::Write, at.clone()),
                access(of, AccessKind::Read, row(space).collect()),
                access(array, AccessKind::Read, at),
            ],
            operations: (operations + 1, 0),
            commutes: Some(Commutative::Sum),
            latencies: latency(self.statement).map(|cycles| (2, cycles)).into_iter().collect(),
            text: "{0} = ({2} - dot({1}))".into(),
            ..without_sum(self.statement)
        });
        Ok(Some(Less { array, sizes, clear, count, take: count }))
    }

    /// `c[..] += R[x]` behind the loop over the terms, where room is made for it.
    fn take(&self, scop: &mut Scop, array: ArrayId, budget: &Budget) -> Result<Statement> {
        let (own, dim) = (self.statement, self.dim);
        for s in &mut scop.statements {
            if s.beta.len() > dim && s.beta[..dim] == own.beta[..dim] && s.beta[dim] > own.beta[dim] {
                s.beta[dim] += 1;
            }
        }
        let mut beta = own.beta.clone();
        beta.remove(dim + 1);
        beta[dim] += 1;
        let space = Space::new(own.space().params, own.space().dims - 1);
        let mut first: Vec<Affine> = (0..space.dims).map(|d| Affine::dim(space, d)).collect();
        first.insert(dim, Affine::zero(space));
        let moved = |e: &Affine| e.compose(&first, space);
        let sum = own.write().subscripts.iter().map(moved).collect::<polyhedra::Result<Vec<_>>>()?;
        let along = self.along().unwrap_or_default();
        let row = self.access().subscripts.iter().enumerate().filter(|(k, _)| *k != along);
        let row = row.map(|(_, e)| moved(e)).collect::<polyhedra::Result<Vec<_>>>()?;
        Ok(Statement {
            domain: own.domain.preimage(&first, space)?.simplify(budget)?,
            beta,
            accesses: vec![
                access(own.write().array, AccessKind::Write, sum.clone()),
                access(own.write().array, AccessKind::Read, sum),
                access(array, AccessKind::Read, row),
            ],
            operations: (1, 0),
            commutes: Some(Commutative::Sum),
            text: "{0} = ({1} + {2})".into(),
            ..without_sum(own)
        })
    }
}

fn access(array: ArrayId, kind: AccessKind, subscripts: Vec<Affine>) -> Access {
    Access { array, kind, subscripts, extent: 1 }
}

/// A statement that is no sum.
fn without_sum(statement: &Statement) -> Statement {
    let own = Statement { name: String::new(), beta: Vec::new(), accesses: Vec::new(), ..plain(statement) };
    Statement { operations: (0, 0), any_order: false, commutes: None, latencies: BTreeMap::new(), ..own }
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
        sums: 0,
        by_numbers: 0,
        widest: 0,
        constants: 0,
        sought: Sought::default(),
        uncounted: false,
        ..statement.clone()
    }
}

/// Of the addition, in cycles.
fn latency(statement: &Statement) -> Option<u32> {
    statement.update().and_then(|(_, old)| statement.latencies.get(&old.0).copied())
}

/// The sum by groups.
fn sum(
    statement: &Statement,
    dim: usize,
    groups: &Affine,
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
    let group = Affine::dim(space, dim);
    domain.add(Constraint::ge(group.clone()));
    domain.add(Constraint::ge(groups.embed(space, &[]).sub(&group)?.offset(-1)?));
    Ok(Statement {
        domain: domain.simplify(budget)?,
        accesses: vec![statement.write().clone(), first, second, statement.accesses[old.0].clone()],
        operations: (operations, 0),
        latencies: latency(statement).map(|cycles| (3, cycles)).into_iter().collect(),
        text: "{0} = (dot({1}, {2}) + {3})".into(),
        ..plain(statement)
    })
}

#[cfg(test)]
mod tests;
