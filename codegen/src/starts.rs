//! What sums start with, in the registers of their micro-kernels.
//!
//! # Problem
//! `C[i][j] = 0; for k { C[i][j] += A[i][k] B[k][j] }` are two nests once the sum has a kernel: one stores the zeros, the other loads them. Where the matrices are small that is much of
//! the work, and loads of a whole vector wait for stores of parts of one.
//!
//! # Method
//! Two neighbours outside of all loops: all instances of a statement that only stores, and all of one that adds to the same cells. The first is dropped, and its instance of each cell stands in
//! front of the first term, in the register that the kernel holds the cell in. Or two neighbours in loops each of which is the same iterator of both: all of their instances in one iteration of these.
//! That is the same order for every cell if
//! * subscripts are the same but for the names of iterators, the first stores to each cell once (in an iteration of the loops around), and the cells are the same (exact tests on the domains);
//! * the loops of the sum run between the same ends for all cells, and have a trip: a condition says so, else what there was before runs;
//! * each term runs while its cell is held, in the order of the source, as schedules are proved to keep it: not those in which updates that commute have another order
//!   ([`scheduler::legality::LegalSchedule::keeps_order_of_updates`]), which the caller must not give;
//! * nothing else in the second nest touches the array.
//!
//! Where each loop inside of a hold is in its first iteration, the first call must have the least iterators. As every term runs once, the cell is held for its first term once; in tiles of the sum,
//! where it is held again for others, a condition on the loops around says which time that is. That the loops inside have their first iteration then follows from the conditions (exact test).
//!
//! # Worked example
//! `for i { C[i] = 0 }; for i { hold r0 = C[i] (load, store) { for k in 0..n { r0 += A[k][i] } } }` becomes, if `n >= 1`, `for i { hold r0 = C[i] (store) { r0 = 0; for k in 0..n { r0 += A[k][i] } } }`.

use crate::ast::{Ast, AstNode, Call, Condition, Expr, For, Held, LoopVar, Scratch};
use crate::interpret::subscripts;
use crate::sets::{condition, halves, implied};
use polyhedra::{Affine, Budget, Constraint, Polyhedron, Space};
use scheduler::Result;
use scheduler::scop::{Access, AccessKind, ArrayId, Scop, Statement, StatementId};
use std::collections::BTreeSet;

/// Puts what sums start with into the registers that hold their cells.
///
/// # Errors
/// Overflow, budget.
pub fn start_in_registers(scop: &Scop, ast: Ast, budget: &Budget) -> Result<Ast> {
    let mut body = ast.body;
    let starter = Starter { scop, space: ast.space, budget };
    starter.list(&mut body, &[], &BTreeSet::new())?;
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
    /// The others, each with its least value over `[1 | N]`.
    least: Vec<(usize, Affine)>,
    /// `>= 0`, over `[1 | N]`, if each cell has a term; else none has.
    lengths: Vec<Affine>,
}

impl Starter<'_> {
    /// Nests that stand next to each other in these loops: whatever else runs in an iteration of these, runs before or after both. What runs besides this list may be some of its statements.
    fn list(&self, nodes: &mut Vec<AstNode>, around: &[LoopVar], besides: &BTreeSet<StatementId>) -> Result<()> {
        let mut k = 0;
        while k + 1 < nodes.len() {
            self.budget.spend(1)?;
            if let Some(pair) = self.pair(&nodes[k], &nodes[k + 1], around)?
                && [pair.start, pair.sum].iter().all(|id| !besides.contains(id) && runs_only(nodes, *id, k, k + 2))
                && let Some(mut started) = self.started(&nodes[k], std::slice::from_ref(&nodes[k + 1]), &pair)?
            {
                let outside = Space::new(self.scop.params.len(), 0);
                let known = self.scop.context.clone().unwrap_or_else(|| Polyhedron::universe(outside));
                let mut conditions = Vec::new();
                for form in &pair.lengths {
                    if !implied(&Constraint::ge(form.clone()), &known, self.budget)? {
                        conditions.push(condition(&Constraint::ge(form.embed(self.space, &[])))?);
                    }
                }
                let start = nodes[k].clone();
                if !conditions.is_empty() {
                    started = vec![AstNode::If { conditions, then: started, otherwise: vec![start] }];
                }
                nodes.splice(k..k + 2, started);
            }
            k += 1;
        }
        for k in 0..nodes.len() {
            if !matches!(nodes[k], AstNode::If { .. } | AstNode::For(_)) {
                continue;
            }
            let mut besides = besides.clone();
            nodes[..k].iter().chain(&nodes[k + 1..]).for_each(|n| statements(n, &mut besides));
            match &mut nodes[k] {
                AstNode::If { then, otherwise, .. } => {
                    self.list(then, around, &besides)?;
                    self.list(otherwise, around, &besides)?;
                }
                AstNode::For(f) if f.step == 1 => {
                    let around: Vec<LoopVar> = around.iter().copied().chain([f.var]).collect();
                    self.list(&mut f.body, &around, &besides)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The nodes of the sum with its starts, where cells are held; in front of the others the start as it is. `None`: everywhere.
    fn started(&self, start: &AstNode, sum: &[AstNode], pair: &Pair) -> Result<Option<Vec<AstNode>>> {
        self.budget.spend(1)?;
        if self.are_held(sum, pair, &mut Vec::new())? {
            let mut nodes = sum.to_vec();
            for node in &mut nodes {
                self.start(node, pair, Vec::new())?;
            }
            return Ok(Some(nodes));
        }
        let [node] = sum else { return Ok(None) };
        let mut node = node.clone();
        let (AstNode::If { then: first, otherwise: second, .. }
        | AstNode::Scratch(Scratch { body: first, otherwise: second, .. })) = &mut node
        else {
            return Ok(None);
        };
        let mut moved = false;
        for nodes in [first, second] {
            // Where the sum does not run at all there is no cell.
            if !nodes.iter().any(|node| runs(node, pair.sum)) {
                continue;
            }
            match self.started(start, nodes, pair)? {
                Some(started) => {
                    *nodes = started;
                    moved = true;
                }
                None => nodes.insert(0, start.clone()),
            }
        }
        if !moved {
            return Ok(None);
        }
        Ok(Some(vec![node]))
    }

    /// The statements of two nests in these loops, if one stores what the other adds to, and no more.
    fn pair(&self, first: &AstNode, second: &AstNode, around: &[LoopVar]) -> Result<Option<Pair>> {
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
            || !s.has_vectors()
            || !s.accesses.iter().chain(&t.accesses).all(plain)
            || !t.accesses.iter().all(own)
            || !reads_it
        {
            return Ok(None);
        }
        // All instances with some values of the iterators that the loops around are run in one iteration of these, and no others do.
        if ![first, second].iter().all(|node| self.all_in(node, around)) {
            return Ok(None);
        }
        let Some(dims) = same_iterators(s, t, around.len()) else { return Ok(None) };
        if !self.is_one_to_one(s, around.len())? {
            return Ok(None);
        }
        let Some((least, lengths)) = self.ends(s, t, &dims)? else { return Ok(None) };
        Ok(Some(Pair { start, sum, array, dims, least, lengths }))
    }

    /// Are the first iterators of all calls these loops?
    fn all_in(&self, node: &AstNode, around: &[LoopVar]) -> bool {
        let all = |nodes: &[AstNode]| nodes.iter().all(|n| self.all_in(n, around));
        match node {
            AstNode::Call(call) => {
                let own = around.iter().map(|v| Affine::dim(self.space, v.0));
                call.iterators.len() >= around.len() && call.iterators.iter().zip(own).all(|(e, v)| *e == v)
            }
            AstNode::For(f) => all(&f.body),
            AstNode::Held(h) => all(&h.body),
            AstNode::If { then, otherwise, .. } => all(then) && all(otherwise),
            AstNode::Scratch(s) => all(&s.body) && all(&s.otherwise),
            AstNode::Pack(_) | AstNode::Fetch(_) => true,
        }
    }

    /// Does the statement store to each cell once, for each value of its first so many iterators?
    fn is_one_to_one(&self, s: &Statement, fixed: usize) -> Result<bool> {
        let moves = |e: &Affine, d: usize| e.dim_coeff(d) != 0;
        let depth = s.depth();
        let is_alone = |e: &Affine, d: usize| (fixed..depth).all(|other| moves(e, other) == (other == d));
        if (fixed..depth).all(|d| s.write().subscripts.iter().any(|e| is_alone(e, d))) {
            return Ok(true);
        }
        // Two instances, equal up to some loop, the one before the other there.
        let both = Space::new(s.space().params, 2 * depth);
        let (first, second): (Vec<usize>, Vec<usize>) = ((0..depth).collect(), (depth..2 * depth).collect());
        let mut same = s.domain.embed(both, &first).intersect(&s.domain.embed(both, &second));
        for e in &s.write().subscripts {
            same.add(Constraint::eq(e.embed(both, &first).sub(&e.embed(both, &second))?));
        }
        for d in 0..fixed {
            same.add(Constraint::eq(Affine::dim(both, depth + d).sub(&Affine::dim(both, d))?));
        }
        for d in fixed..depth {
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

    /// The least value of each iterator that is the sum's alone, and forms that are `>= 0` if each has a value, if that is so for all cells that the start stores, and for no others.
    fn ends(&self, s: &Statement, t: &Statement, dims: &[usize]) -> Result<Option<Ends>> {
        let of_sum: Vec<Affine> = dims.iter().map(|&e| Affine::dim(t.space(), e)).collect();
        let of_start: Vec<Option<usize>> = (0..t.depth()).map(|e| dims.iter().position(|&own| own == e)).collect();
        for row in s.domain.constraints() {
            let row = Constraint { kind: row.kind, expr: row.expr.compose(&of_sum, t.space())? };
            if !implied(&row, &t.domain, self.budget)? {
                return Ok(None);
            }
        }
        let outside = Space::new(t.space().params, 0);
        let back = |d: &Option<usize>| d.map_or_else(|| Affine::zero(s.space()), |d| Affine::dim(s.space(), d));
        let back: Vec<Affine> = of_start.iter().map(back).collect();
        let zeros = vec![Affine::zero(outside); t.depth()];
        let mut ends: Vec<(Vec<Affine>, Vec<Affine>)> = vec![Default::default(); t.depth()];
        let mut alone = Vec::new();
        for row in t.domain.constraints() {
            let moving: Vec<usize> = (0..t.depth()).filter(|&d| row.expr.dim_coeff(d) != 0).collect();
            if moving.iter().all(|&d| of_start[d].is_some()) {
                alone.push(Constraint { kind: row.kind, expr: row.expr.compose(&back, s.space())? });
                continue;
            }
            let [d] = moving[..] else { return Ok(None) };
            for half in halves(row)? {
                let form = half.compose(&zeros, outside)?;
                match half.dim_coeff(d) {
                    1 => ends[d].0.push(form.scale(-1)?),
                    -1 => ends[d].1.push(form),
                    _ => return Ok(None),
                }
            }
        }
        let (mut least, mut lengths) = (Vec::new(), Vec::new());
        for (d, (lower, upper)) in ends.into_iter().enumerate().filter(|(d, _)| of_start[*d].is_none()) {
            let ([first], false) = (lower.as_slice(), upper.is_empty()) else { return Ok(None) };
            for last in upper {
                let length = last.sub(first)?;
                if length.is_constant() && length.constant_term() < 0 {
                    return Ok(None);
                }
                lengths.push(length);
            }
            least.push((d, first.clone()));
        }
        // What the domain of the sum says of sizes may be that it has terms.
        let zero_dims = |form: &Affine| form.embed(s.space(), &[]);
        let with_terms = lengths.iter().fold(s.domain.clone(), |set, form| set.with(Constraint::ge(zero_dims(form))));
        for row in alone {
            if !implied(&row, &with_terms, self.budget)? {
                return Ok(None);
            }
        }
        Ok(Some((least, lengths)))
    }

    /// Does every term run while its cell is held, over the whole sum?
    fn are_held<'n>(&self, nodes: &'n [AstNode], pair: &Pair, held: &mut Vec<&'n Held>) -> Result<bool> {
        for node in nodes {
            self.budget.spend(1)?;
            let fine = match node {
                AstNode::For(f) => self.are_held(&f.body, pair, held)?,
                AstNode::If { then, otherwise, .. } => {
                    self.are_held(then, pair, held)? && self.are_held(otherwise, pair, held)?
                }
                AstNode::Scratch(s) => {
                    self.are_held(&s.body, pair, held)? && self.are_held(&s.otherwise, pair, held)?
                }
                AstNode::Pack(p) => p.array != pair.array,
                AstNode::Fetch(_) => true,
                AstNode::Call(call) => {
                    let mut found = false;
                    for h in held.iter() {
                        found |= self.is_of(call, h)?;
                    }
                    found
                }
                AstNode::Held(h) if h.array == pair.array => {
                    held.push(h);
                    let fine = h.load && h.store && self.first(h, pair)?.is_some();
                    let fine = fine && self.are_held(&h.body, pair, held)?;
                    held.pop();
                    fine
                }
                AstNode::Held(h) => self.are_held(&h.body, pair, held)?,
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

    /// The first term that is added to the held cell, and where that is the first of its sum. Nothing of the start moves while it is held.
    fn first(&self, held: &Held, pair: &Pair) -> Result<Option<First>> {
        let mut loops = Vec::new();
        let Some(call) = self.first_call(&held.body, held, &mut loops)? else { return Ok(None) };
        let moves = |e: &Affine| loops.iter().any(|f| e.dim_coeff(f.var.0) != 0);
        if pair.dims.iter().any(|&e| moves(&call.iterators[e])) {
            return Ok(None);
        }
        let rows = pair.lengths.iter().map(|form| Constraint::ge(form.embed(self.space, &[])));
        let mut known = rows.fold(Polyhedron::universe(self.space), Polyhedron::with);
        let mut conditions = Vec::new();
        for (e, least) in &pair.least {
            let value = call.iterators[*e].sub(&least.embed(self.space, &[]))?;
            let Some(value) = self.at_first(value, &loops)? else { return Ok(None) };
            // All lanes begin together.
            let in_lanes = call.lanes.as_ref().is_some_and(|l| value.dim_coeff(l.var.0) != 0);
            if in_lanes || (value.is_constant() && value.constant_term() != 0) {
                return Ok(None);
            }
            if !value.is_constant() {
                // No term has less.
                known.add(Constraint::eq(value.clone()));
                conditions.push(condition(&Constraint::ge(value.scale(-1)?))?);
            }
        }
        for (k, f) in loops.iter().enumerate() {
            let (Some(lower), Some(upper)) = (lower_end(f), upper_ends(f)) else { return Ok(None) };
            for end in upper {
                let Some(trips) = self.at_first(end.sub(lower)?, &loops[..k])? else { return Ok(None) };
                if !implied(&Constraint::ge(trips), &known, self.budget)? {
                    return Ok(None);
                }
            }
        }
        Ok(Some(First { call, conditions }))
    }

    /// A form where each of the loops, given from the outermost, is in its first iteration.
    fn at_first(&self, mut form: Affine, loops: &[&For]) -> Result<Option<Affine>> {
        for f in loops.iter().rev() {
            let by = form.dim_coeff(f.var.0);
            if by != 0 {
                let Some(lower) = lower_end(f) else { return Ok(None) };
                form.set_dim(f.var.0, 0);
                form = form.combine(1, lower, by)?;
            }
        }
        Ok(Some(form))
    }

    /// The call that is reached first among those that add to the held cell, and the loops in between.
    fn first_call<'n>(&self, nodes: &'n [AstNode], held: &Held, loops: &mut Vec<&'n For>) -> Result<Option<Call>> {
        for node in nodes {
            match node {
                AstNode::Call(call) if self.is_of(call, held)? => return Ok(Some(call.clone())),
                AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => {}
                AstNode::Held(h) => return self.first_call(&h.body, held, loops),
                AstNode::For(f) => {
                    loops.push(f);
                    return self.first_call(&f.body, held, loops);
                }
                AstNode::If { .. } | AstNode::Scratch(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Puts starts in front of what runs while cells are held: inside of the innermost of holds that stand in each other.
    fn start(&self, node: &mut AstNode, pair: &Pair, mut starts: Vec<First>) -> Result<()> {
        let lists: Vec<&mut Vec<AstNode>> = match node {
            AstNode::For(f) => vec![&mut f.body],
            AstNode::If { then, otherwise, .. } => vec![then, otherwise],
            AstNode::Scratch(Scratch { body, otherwise, .. }) => vec![body, otherwise],
            AstNode::Held(h) => {
                if h.array == pair.array
                    && let Some(First { call, conditions }) = self.first(h, pair)?
                {
                    let iterators = pair.dims.iter().map(|&e| call.iterators[e].clone()).collect();
                    let call =
                        Call { statement: pair.start, iterators, packed: Vec::new(), mirrored: Vec::new(), ..call };
                    h.load = !conditions.is_empty();
                    starts.push(First { call, conditions });
                }
                if let [next @ AstNode::Held(_)] = h.body.as_mut_slice() {
                    return self.start(next, pair, starts);
                }
                for node in &mut h.body {
                    self.start(node, pair, Vec::new())?;
                }
                h.body.splice(0..0, under_conditions(starts));
                return Ok(());
            }
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => Vec::new(),
        };
        for list in lists {
            for node in list {
                self.start(node, pair, Vec::new())?;
            }
        }
        Ok(())
    }
}

/// What is added first while a cell is held; under these conditions it is the first of its sum.
struct First {
    call: Call,
    conditions: Vec<Condition>,
}

/// Calls, those in a row that have the same conditions under one branch.
fn under_conditions(starts: Vec<First>) -> Vec<AstNode> {
    let mut out: Vec<AstNode> = Vec::new();
    for First { call, conditions } in starts {
        let call = AstNode::Call(call);
        match out.last_mut() {
            _ if conditions.is_empty() => out.push(call),
            Some(AstNode::If { conditions: same, then, .. }) if *same == conditions => then.push(call),
            _ => out.push(AstNode::If { conditions, then: vec![call], otherwise: Vec::new() }),
        }
    }
    out
}

/// Each iterator of a sum with its least value, and forms that are `>= 0` if all have one.
type Ends = (Vec<(usize, Affine)>, Vec<Affine>);

/// Do only these of the nodes run the statement?
fn runs_only(nodes: &[AstNode], id: StatementId, first: usize, end: usize) -> bool {
    !nodes[..first].iter().chain(&nodes[end..]).any(|node| runs(node, id))
}

/// The iterators of the sum that are those of the start: the first so many, and those that move its cell as these move theirs. `None`: the subscripts are not the same but for the names.
fn same_iterators(s: &Statement, t: &Statement, fixed: usize) -> Option<Vec<usize>> {
    let (own, other) = (&s.write().subscripts, &t.write().subscripts);
    let by = |of: &[Affine], d: usize| of.iter().map(|e| e.dim_coeff(d)).collect::<Vec<_>>();
    let moves = |e: usize| e < fixed || by(other, e).iter().any(|&c| c != 0);
    let moving: Vec<usize> = (0..t.depth()).filter(|&e| moves(e)).collect();
    let twins = |d: usize| {
        moving.iter().copied().find(|&e| (e == d || (e >= fixed && d >= fixed)) && by(other, e) == by(own, d))
    };
    let dims: Vec<usize> = (0..s.depth()).map(twins).collect::<Option<_>>()?;
    let all: BTreeSet<usize> = dims.iter().copied().collect();
    let rest = |e: &Affine| e.coeffs()[..=e.space().params].to_vec();
    let same = own.len() == other.len() && own.iter().zip(other).all(|(a, b)| rest(a) == rest(b));
    (same && all.len() == dims.len() && all.len() == moving.len()).then_some(dims)
}

fn runs(node: &AstNode, id: StatementId) -> bool {
    let mut all = BTreeSet::new();
    statements(node, &mut all);
    all.contains(&id)
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
        AstNode::Pack(_) | AstNode::Fetch(_) => {}
    }
}

fn lower_end(f: &For) -> Option<&Affine> {
    match &f.lower {
        Expr::Affine(e) => Some(e),
        _ => None,
    }
}

/// The last iteration is the least of these.
fn upper_ends(f: &For) -> Option<Vec<&Affine>> {
    let affine = |e: &'_ Expr| matches!(e, Expr::Affine(_));
    let all: Vec<&Expr> = match &f.upper {
        Expr::Min(all) => all.iter().collect(),
        one => vec![one],
    };
    if !all.iter().all(|e| affine(e)) {
        return None;
    }
    Some(all.into_iter().filter_map(|e| if let Expr::Affine(e) = e { Some(e) } else { None }).collect())
}
