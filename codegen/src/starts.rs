//! What sums start with, in the registers of their micro-kernels.
//!
//! # Problem
//! `C[i][j] = 0; for k { C[i][j] += A[i][k] B[k][j] }` are two nests once the sum has a kernel: one stores the zeros, the other loads them. Where the matrices are small that is much of
//! the work, and loads of a whole vector wait for stores of parts of one.
//!
//! # Method
//! Two neighbours outside of all loops: all instances of a statement that only stores, and all of one that adds to the same cells. The first is dropped, and its instance of each cell stands where the kernel
//! loaded the cell. That is the same order for every cell if
//! * subscripts are the same but for the names of iterators, the first stores to each cell once, and the cells are the same (exact tests on the domains);
//! * the loops of the sum have constant lengths, so that each cell has equally many terms, at least one;
//! * each term runs while its cell is held, and as many run while it is held once as it has: it is held once, then, and nothing is added before;
//! * nothing else in the second nest touches the array.
//!
//! # Worked example
//! `for i { C[i] = 0 }; for i { hold r0 = C[i] (load, store) { for k in 0..8 { r0 += A[k][i] } } }` becomes `for i { hold r0 = C[i] (store) { r0 = 0; for k in 0..8 { r0 += A[k][i] } } }`.

use crate::ast::{Ast, AstNode, Call, Expr, For, Held, Scratch};
use crate::interpret::subscripts;
use crate::sets::{halves, implied};
use polyhedra::{Affine, Budget, Constraint, Space};
use scheduler::Result;
use scheduler::scop::{Access, AccessKind, ArrayId, Scop, Statement, StatementId};
use std::collections::BTreeSet;

/// Puts what sums of constant length start with into the registers that hold their cells.
///
/// # Errors
/// Overflow, budget.
pub fn start_in_registers(scop: &Scop, ast: Ast, budget: &Budget) -> Result<Ast> {
    let mut body = ast.body;
    let starter = Starter { scop, space: ast.space, budget };
    starter.list(&mut body)?;
    Ok(Ast { body, ..ast })
}

struct Starter<'a> {
    scop: &'a Scop,
    space: Space,
    budget: &'a Budget,
}

/// A sum and what it starts with.
struct Pair {
    start: StatementId,
    sum: StatementId,
    array: ArrayId,
    /// For each iterator of the start, the one of the sum that is the same.
    dims: Vec<usize>,
    /// Terms of each cell.
    terms: i64,
}

impl Starter<'_> {
    /// Nests that stand next to each other outside of all loops: whatever else runs, runs before or after both.
    fn list(&self, nodes: &mut Vec<AstNode>) -> Result<()> {
        let mut k = 0;
        while k + 1 < nodes.len() {
            self.budget.spend(1)?;
            if let Some(pair) = self.pair(&nodes[k], &nodes[k + 1])?
                && is_nowhere_else(nodes, k, &pair)
                && self.is_held_once(&nodes[k + 1..=k + 1], &pair, &mut Vec::new())?
            {
                nodes.remove(k);
                self.start(&mut nodes[k], &pair)?;
            }
            k += 1;
        }
        Ok(())
    }

    /// The statements of two nests, if one stores what the other adds to, and no more.
    fn pair(&self, first: &AstNode, second: &AstNode) -> Result<Option<Pair>> {
        let only = |node: &AstNode| {
            let mut all = BTreeSet::new();
            statements(node, &mut all);
            let first = all.first().copied();
            first.filter(|_| all.len() == 1)
        };
        let (Some(start), Some(sum)) = (only(first), only(second)) else { return Ok(None) };
        let (Some(s), Some(t)) = (self.scop.statements.get(start.0), self.scop.statements.get(sum.0)) else {
            return Ok(None);
        };
        let array = t.write().array;
        let plain = |a: &Access| matches!(a.kind, AccessKind::Read | AccessKind::Write) && a.extent == 1;
        let own = |a: &Access| a.array != array || a.subscripts == t.write().subscripts;
        let reads_it = t.accesses[1..].iter().any(|a| a.array == array);
        if start == sum
            || s.accesses.len() != 1
            || s.write().array != array
            || !s.vectorizable
            || !s.accesses.iter().chain(&t.accesses).all(plain)
            || !t.accesses.iter().all(own)
            || !reads_it
        {
            return Ok(None);
        }
        let Some(dims) = same_iterators(s, t) else { return Ok(None) };
        if !self.is_one_to_one(s)? {
            return Ok(None);
        }
        let Some(terms) = self.terms(s, t, &dims)? else { return Ok(None) };
        Ok(Some(Pair { start, sum, array, dims, terms }))
    }

    /// Does the statement store to each cell once?
    fn is_one_to_one(&self, s: &Statement) -> Result<bool> {
        let moves = |e: &Affine, d: usize| e.dim_coeff(d) != 0;
        let depth = s.depth();
        let is_alone = |e: &Affine, d: usize| (0..depth).all(|other| moves(e, other) == (other == d));
        if (0..depth).all(|d| s.write().subscripts.iter().any(|e| is_alone(e, d))) {
            return Ok(true);
        }
        // Two instances, equal up to some loop, the one before the other there.
        let both = Space::new(s.space().params, 2 * depth);
        let (first, second): (Vec<usize>, Vec<usize>) = ((0..depth).collect(), (depth..2 * depth).collect());
        let mut same = s.domain.embed(both, &first).intersect(&s.domain.embed(both, &second));
        for e in &s.write().subscripts {
            same.add(Constraint::eq(e.embed(both, &first).sub(&e.embed(both, &second))?));
        }
        for d in 0..depth {
            let later = Affine::dim(both, depth + d).sub(&Affine::dim(both, d))?;
            let mut before = same.clone();
            before.add(Constraint::ge(later.offset(-1)?));
            if !before.is_empty(self.budget)? {
                return Ok(false);
            }
            same.add(Constraint::eq(later));
        }
        Ok(true)
    }

    /// How many terms each cell has, if each that the start stores has equally many, and no other has any.
    fn terms(&self, s: &Statement, t: &Statement, dims: &[usize]) -> Result<Option<i64>> {
        let of_sum: Vec<Affine> = dims.iter().map(|&e| Affine::dim(t.space(), e)).collect();
        let of_start: Vec<Option<usize>> = (0..t.depth()).map(|e| dims.iter().position(|&own| own == e)).collect();
        for row in s.domain.constraints() {
            let row = Constraint { kind: row.kind, expr: row.expr.compose(&of_sum, t.space())? };
            if !implied(&row, &t.domain, self.budget)? {
                return Ok(None);
            }
        }
        let back = |d: &Option<usize>| d.map_or_else(|| Affine::zero(s.space()), |d| Affine::dim(s.space(), d));
        let back: Vec<Affine> = of_start.iter().map(back).collect();
        let mut ends: Vec<(Option<i64>, Option<i64>)> = vec![(None, None); t.depth()];
        for row in t.domain.constraints() {
            let dims: Vec<usize> = (0..t.depth()).filter(|&d| row.expr.dim_coeff(d) != 0).collect();
            if dims.iter().all(|&d| of_start[d].is_some()) {
                let row = Constraint { kind: row.kind, expr: row.expr.compose(&back, s.space())? };
                if !implied(&row, &s.domain, self.budget)? {
                    return Ok(None);
                }
                continue;
            }
            // A loop of the sum: between constants.
            let ([d], true) = (dims.as_slice(), row.expr.param_coeffs().iter().all(|&c| c == 0)) else {
                return Ok(None);
            };
            for half in halves(row)? {
                let c = half.constant_term();
                match half.dim_coeff(*d) {
                    1 => {
                        let first = c.checked_neg().ok_or(polyhedra::Error::Overflow)?;
                        ends[*d].0 = Some(ends[*d].0.map_or(first, |other| other.max(first)));
                    }
                    -1 => ends[*d].1 = Some(ends[*d].1.map_or(c, |other| other.min(c))),
                    _ => return Ok(None),
                }
            }
        }
        let mut terms = 1_i64;
        for (own, (first, last)) in of_start.iter().zip(ends) {
            if own.is_some() {
                continue;
            }
            let (Some(first), Some(last)) = (first, last) else { return Ok(None) };
            let count = last.checked_sub(first).and_then(|n| n.checked_add(1)).filter(|&n| n >= 1);
            let Some(all) = count.and_then(|n| terms.checked_mul(n)) else { return Ok(None) };
            terms = all;
        }
        Ok(Some(terms))
    }

    /// Does every term run while its cell is held, and all of them while it is held once?
    fn is_held_once<'n>(&self, nodes: &'n [AstNode], pair: &Pair, held: &mut Vec<&'n Held>) -> Result<bool> {
        for node in nodes {
            self.budget.spend(1)?;
            let fine = match node {
                AstNode::For(f) => self.is_held_once(&f.body, pair, held)?,
                AstNode::If { then, otherwise, .. } => {
                    self.is_held_once(then, pair, held)? && self.is_held_once(otherwise, pair, held)?
                }
                AstNode::Scratch(s) => {
                    self.is_held_once(&s.body, pair, held)? && self.is_held_once(&s.otherwise, pair, held)?
                }
                AstNode::Pack(p) => p.array != pair.array,
                AstNode::Call(call) => {
                    let mut found = false;
                    for h in held.iter() {
                        found |= self.is_of(call, h)?;
                    }
                    found
                }
                AstNode::Held(h) if h.array == pair.array => {
                    held.push(h);
                    let fine = h.load && h.store && self.count(&h.body, h)? == Some(pair.terms);
                    let fine = fine && self.a_term(&h.body, h, pair)?.is_some();
                    let fine = fine && self.is_held_once(&h.body, pair, held)?;
                    held.pop();
                    fine
                }
                AstNode::Held(h) => self.is_held_once(&h.body, pair, held)?,
            };
            if !fine {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does the call add to the held cell, in all of its lanes and no others?
    fn is_of(&self, call: &Call, held: &Held) -> Result<bool> {
        let Some(statement) = self.scop.statements.get(call.statement.0) else { return Ok(false) };
        Ok(call.lanes == held.lanes && subscripts(statement.write(), call, self.space)? == held.subscripts)
    }

    /// Some call that adds to the held cell, if what the start needs of its iterators is known outside of the loops in here.
    fn a_term(&self, nodes: &[AstNode], held: &Held, pair: &Pair) -> Result<Option<Call>> {
        for node in nodes {
            let found = match node {
                AstNode::Call(call) => self.is_of(call, held)?.then(|| call.clone()),
                AstNode::For(f) => {
                    let moves = |call: &Call| pair.dims.iter().any(|&e| call.iterators[e].dim_coeff(f.var.0) != 0);
                    self.a_term(&f.body, held, pair)?.filter(|call| !moves(call))
                }
                AstNode::Held(h) => self.a_term(&h.body, held, pair)?,
                _ => None,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// How many terms are added to the held cell. `None`: that depends.
    fn count(&self, nodes: &[AstNode], held: &Held) -> Result<Option<i64>> {
        let mut all = 0_i64;
        for node in nodes {
            let own = match node {
                AstNode::Call(call) => Some(i64::from(self.is_of(call, held)?)),
                AstNode::Pack(_) => Some(0),
                AstNode::Held(h) => self.count(&h.body, held)?,
                AstNode::For(f) => match (trips(f), self.count(&f.body, held)?) {
                    (Some(trips), Some(each)) => trips.checked_mul(each),
                    _ => None,
                },
                AstNode::If { .. } | AstNode::Scratch(_) => None,
            };
            let Some(sum) = own.and_then(|own| all.checked_add(own)) else { return Ok(None) };
            all = sum;
        }
        Ok(Some(all))
    }

    /// The start of each held cell in the place of its load.
    fn start(&self, node: &mut AstNode, pair: &Pair) -> Result<()> {
        let lists: Vec<&mut Vec<AstNode>> = match node {
            AstNode::For(f) => vec![&mut f.body],
            AstNode::If { then, otherwise, .. } => vec![then, otherwise],
            AstNode::Scratch(Scratch { body, otherwise, .. }) => vec![body, otherwise],
            AstNode::Held(h) => {
                if h.array == pair.array
                    && let Some(term) = self.a_term(&h.body, h, pair)?
                {
                    let iterators = pair.dims.iter().map(|&e| term.iterators[e].clone()).collect();
                    let start = Call { statement: pair.start, iterators, packed: Vec::new(), ..term };
                    h.load = false;
                    h.body.insert(0, AstNode::Call(start));
                }
                vec![&mut h.body]
            }
            AstNode::Call(_) | AstNode::Pack(_) => Vec::new(),
        };
        for list in lists {
            for node in list {
                self.start(node, pair)?;
            }
        }
        Ok(())
    }
}

/// Does no other node than this one and the next run either statement?
fn is_nowhere_else(nodes: &[AstNode], k: usize, pair: &Pair) -> bool {
    let mut others = BTreeSet::new();
    nodes[..k].iter().chain(&nodes[k + 2..]).for_each(|n| statements(n, &mut others));
    !others.contains(&pair.start) && !others.contains(&pair.sum)
}

/// The iterators of the sum that move its cell as those of the start move theirs, if the subscripts are the same but for the names.
fn same_iterators(s: &Statement, t: &Statement) -> Option<Vec<usize>> {
    let (own, other) = (&s.write().subscripts, &t.write().subscripts);
    let by = |of: &[Affine], d: usize| of.iter().map(|e| e.dim_coeff(d)).collect::<Vec<_>>();
    let moving: Vec<usize> = (0..t.depth()).filter(|&e| by(other, e).iter().any(|&c| c != 0)).collect();
    let twins = |d: usize| moving.iter().copied().find(|&e| by(other, e) == by(own, d));
    let dims: Vec<usize> = (0..s.depth()).map(twins).collect::<Option<_>>()?;
    let all: BTreeSet<usize> = dims.iter().copied().collect();
    let rest = |e: &Affine| e.coeffs()[..=e.space().params].to_vec();
    let same = own.len() == other.len() && own.iter().zip(other).all(|(a, b)| rest(a) == rest(b));
    (same && all.len() == dims.len() && all.len() == moving.len()).then_some(dims)
}

fn statements(node: &AstNode, out: &mut BTreeSet<StatementId>) {
    let mut all = |nodes: &[AstNode]| nodes.iter().for_each(|n| statements(n, out));
    match node {
        AstNode::Call(call) => {
            out.insert(call.statement);
        }
        AstNode::For(f) => all(&f.body),
        AstNode::Held(h) => all(&h.body),
        AstNode::If { then, otherwise, .. } => {
            all(then);
            all(otherwise);
        }
        AstNode::Scratch(s) => {
            all(&s.body);
            all(&s.otherwise);
        }
        AstNode::Pack(_) => {}
    }
}

/// Iterations of a loop between constants.
fn trips(f: &For) -> Option<i64> {
    let value = |e: &Expr| match e {
        Expr::Affine(e) if e.is_constant() => Some(e.constant_term()),
        _ => None,
    };
    let length = value(&f.upper)?.checked_sub(value(&f.lower)?)?;
    Some(if length < 0 { 0 } else { length / f.step + 1 })
}
