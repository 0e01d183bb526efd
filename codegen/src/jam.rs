//! Micro-kernels: row loops unrolled, column loops turned into vectors, the cells they store held in registers over the loops around them.
//!
//! # Problem
//! [`crate::generate`] leaves `for depth { for row { for column { if (guard) call } } }`, rows and columns over boxes of constant size. Make of it straight code inside of
//! the depth loops: one call for each row and each vector of columns. All columns of a vector run at once, which is allowed because the column loop is parallel; the row
//! loops are unrolled in their order. Column by column the guards become masks.
//!
//! # Registers
//! A stored cell that does not change with the innermost depth loops is held over them, one register for each row and vector. As in [`crate::registers`], three things must
//! be sure: no other access in these loops touches the cell (exact test, lanes independent of each other), the loops have a trip (else a condition goes around them), and
//! each lane that runs once runs always. Where one is not, the call stores to memory. Cells that are only read are held too, as long as there are few.
//!
//! Lanes may come and go (`i - w < k <= i`, in a band): then the register has those that run in some iteration, if projection says exactly which these are (`Scope::any_iteration`), and under a condition that there
//! are any; what does not run in an iteration keeps what it holds.
//!
//! # Worked example
//! `for k { for i in 0..2 { for j in 0..4 by 4 { C[i][j] += A[i][k] B[k][j] } } }` becomes
//! `hold r0 = C[0][lane], r1 = C[1][lane] { for k { r0 += A[0][k] B[k][lane]; r1 += A[1][k] B[k][lane] } }`.
//!
//! # Ends
//! What is left of the columns at the end of the domain ends with less than a vector, and that runs under a mask. Where processors work on a vector in two halves, a kernel of halves is made beside it,
//! without the last one: a condition in front of the loops chooses.
//!
//! A row loop may also be one that moves no stored cell: steps of the depth, unrolled (see `blocks`).
//!
//! "Unroll and jam" of Callahan, Cocke, Kennedy, *Estimating interlock and improving balance for pipelined architectures* (1988), with vectors.

mod blocks;
mod copies;

use crate::ast::{
    Ast, AstNode, Call, Condition, Expr, For, Held, Lanes, LoopKind, LoopVar, Pack, Place, RegisterId, Scratch,
};
use crate::registers::first_free;
use crate::registers::region::{Cell, Scope, Uses, mentions};
use crate::sets::{less_eq_rows, map_condition, max_of, min_of};
use polyhedra::{Affine, Budget, Kind, Polyhedron};
use scheduler::machine::Machine;
use scheduler::scop::{Access, AccessKind, Scop};
use scheduler::{Error, Result};

/// Cells that are only read are held up to this many.
const MOST_READ: usize = 4;

/// Code that weighs more has no kernels of halves beside those of several vectors.
const MOST_WITH_HALVES: u64 = 1_000;

/// Makes micro-kernels of all row and column loops that allow it; the others stay as they are.
///
/// # Errors
/// Overflow, budget.
pub fn jam(scop: &Scop, ast: Ast, machine: &Machine, budget: &Budget) -> Result<Ast> {
    let next = first_free(&ast.body);
    let scope = Scope::outermost(scop, ast.space.params);
    let mut halving = 2;
    loop {
        let mut jammer = Jammer { scop, machine, budget, halving, next, around: Vec::new() };
        let body = jammer.list(ast.body.clone(), &scope, ast.space)?;
        let jammed = Ast { body, ..ast.clone() };
        if halving < 2 || jammed.weight() <= MOST_WITH_HALVES {
            return Ok(jammed);
        }
        halving = 1;
    }
}

struct Jammer<'a> {
    scop: &'a Scop,
    machine: &'a Machine,
    budget: &'a Budget,
    /// Of so many vectors that end with less than one, halves are made.
    halving: u32,
    next: usize,
    /// The loops that we are in.
    around: Vec<(LoopVar, LoopKind)>,
}

/// A loop over a box of constant size.
#[derive(Clone)]
struct BoxLoop {
    var: LoopVar,
    base: Affine,
    most: i64,
    /// Are they the last ones of a loop ([`LoopKind::Rows`])?
    last: bool,
}

/// What runs in the box.
#[derive(Clone)]
struct Item {
    node: AstNode,
    /// Conditions that do not mention the column.
    plain: Vec<Condition>,
    /// Forms that must be `>= 0` and grow with the column.
    lower: Vec<Affine>,
    /// Forms that must be `>= 0` and fall with the column.
    upper: Vec<Affine>,
}

/// `for depth { for rows { for columns { items } } }`.
#[derive(Clone)]
struct Chain {
    /// Without bodies.
    depth: Vec<For>,
    rows: Vec<BoxLoop>,
    column: BoxLoop,
    width: u32,
    items: Vec<Item>,
}

/// One copy of the items: a row of the tile and a vector of columns.
struct Copy {
    /// What stands for each row variable.
    rows: Vec<(LoopVar, Affine)>,
    /// First column of the vector.
    first: Affine,
    /// All columns of the vector are known to run, in all of its rows.
    whole: bool,
}

impl Jammer<'_> {
    fn list(&mut self, nodes: Vec<AstNode>, scope: &Scope, space: polyhedra::Space) -> Result<Vec<AstNode>> {
        let mut out = Vec::new();
        for node in nodes {
            self.budget.spend(1)?;
            match node {
                AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => out.push(node),
                AstNode::Held(mut h) => {
                    h.body = self.list(h.body, scope, space)?;
                    out.push(AstNode::Held(h));
                }
                AstNode::If { conditions, then, otherwise } => {
                    let inner = scope.under(&conditions)?;
                    let then = self.list(then, &inner, space)?;
                    let otherwise = self.list(otherwise, &scope.unless(&conditions)?, space)?;
                    out.push(AstNode::If { conditions, then, otherwise });
                }
                AstNode::Scratch(s) => {
                    let inner = scope.in_scratch(&s)?;
                    let body = self.list(s.body, &inner, space)?;
                    let otherwise = self.list(s.otherwise, scope, space)?;
                    out.push(AstNode::Scratch(Scratch { body, otherwise, ..s }));
                }
                AstNode::For(f) => match chain(&f)? {
                    Some(chain) => out.extend(self.expand(&chain, scope, space)?),
                    None => {
                        let inner = scope.in_loop(&f)?;
                        self.around.push((f.var, f.kind));
                        let body = self.list(f.body, &inner, space)?;
                        self.around.pop();
                        out.push(AstNode::For(For { body, ..f }));
                    }
                },
            }
        }
        Ok(out)
    }

    /// The micro-kernel, and before it one of half the lanes for where nothing runs in the last half of a vector.
    fn expand(&mut self, chain: &Chain, scope: &Scope, space: polyhedra::Space) -> Result<Vec<AstNode>> {
        let Some((condition, half)) = self.half(chain)? else { return self.kernel(chain, scope, space) };
        let then = self.kernel(&half, &scope.under(std::slice::from_ref(&condition))?, space)?;
        let otherwise = self.kernel(chain, &scope.unless(std::slice::from_ref(&condition))?, space)?;
        Ok(vec![AstNode::If { conditions: vec![condition], then, otherwise }])
    }

    /// A few vectors, of which the last one is under a mask, as vectors of half the lanes without the last half, and the condition under which nothing runs there. `None`: it would take as long, or registers do not
    /// suffice, or that is not known before the loops.
    fn half(&self, chain: &Chain) -> Result<Option<(Condition, Chain)>> {
        let [Item { node: AstNode::Call(call), upper, .. }] = chain.items.as_slice() else { return Ok(None) };
        let Some(statement) = self.scop.statements.get(call.statement.0) else { return Ok(None) };
        let bytes = self.scop.arrays.get(statement.write().array.0).and_then(|a| u32::try_from(a.element_bytes).ok());
        let rows = chain.rows.iter().try_fold(1, |all: u32, row| all.checked_mul(u32::try_from(row.most).ok()?));
        let (Some(bytes), Some(rows), lanes) = (bytes, rows, chain.width / 2) else { return Ok(None) };
        let Ok(vectors) = u32::try_from(chain.vectors()) else { return Ok(None) };
        let gains = self.machine.gains_by_halves(rows.saturating_mul(vectors), chain.width.saturating_mul(bytes));
        // Where operands are copied there are many whole tiles.
        if vectors > self.halving || (vectors > 1 && !call.packed.is_empty()) {
            return Ok(None);
        }
        // Those of one vector fit where those of whole vectors do.
        let halves = vectors.saturating_mul(2) - 1;
        let fits = vectors == 1 || rows.saturating_add(1).saturating_mul(halves) < self.machine.vector_registers;
        if chain.column.most != i64::from(chain.width.saturating_mul(vectors)) || lanes < 2 || !gains || !fits {
            return Ok(None);
        }
        let moves = |e: &Affine| {
            let vars = chain.depth.iter().map(|f| f.var).chain(chain.rows.iter().map(|r| r.var));
            vars.into_iter().any(|var| e.dim_coeff(var.0) != 0)
        };
        let most = chain.column.most - i64::from(lanes);
        let first = chain.column.base.offset(most)?;
        if moves(&first) {
            return Ok(None);
        }
        let Some(form) = upper.iter().find(|form| !moves(form)) else { return Ok(None) };
        // Behind the last column that runs.
        let mut there = form.combine(1, &first, form.dim_coeff(chain.column.var.0))?;
        there.set_dim(chain.column.var.0, 0);
        let zero = Expr::Affine(Affine::zero(there.space()));
        let condition = Condition::LessEq(Expr::Affine(there.offset(1)?), zero);
        let column = BoxLoop { var: chain.column.var, base: chain.column.base.clone(), most, last: false };
        Ok(Some((condition, Chain { column, width: lanes, ..chain.clone() })))
    }

    fn kernel(&mut self, chain: &Chain, scope: &Scope, space: polyhedra::Space) -> Result<Vec<AstNode>> {
        let mut copies = chain.copies()?;
        self.find_whole(chain, &mut copies, scope)?;
        let mut body = Vec::new();
        for copy in &copies {
            for item in &chain.items {
                self.budget.spend(1)?;
                body.push(item.at(copy, chain)?);
            }
        }
        let mut scopes = vec![scope.clone()];
        for f in &chain.depth {
            scopes.push(scopes[scopes.len() - 1].in_loop(f)?);
        }
        let mut level = chain.depth.len();
        if let [item] = chain.items.as_slice()
            && let Item { node: AstNode::Call(call), lower, upper, .. } = item
        {
            let statement = self.scop.statements.get(call.statement.0);
            let statement = statement.ok_or_else(|| Error::Malformed("unknown statement".into()))?;
            let cells: Vec<Vec<Affine>> = statement
                .accesses
                .iter()
                .map(|a| crate::interpret::subscripts(a, call, space))
                .collect::<Result<_>>()?;
            let masks: Vec<&Affine> = lower.iter().chain(upper).collect();
            let holding = Holding { chain, copies: &copies, call, cells: &cells, accesses: &statement.accesses };
            if self.stores_for_sure(&holding, &scopes[level])?
                && let Some((from, conditions, lanes)) = self.region(&holding, &masks, &scopes, space)?
            {
                level = from;
                let inner = wrapped(&chain.depth[level..], body);
                let inner = self.held(&holding, level, inner, &scopes[level], space, &lanes)?;
                body = if conditions.is_empty() {
                    inner
                } else {
                    vec![AstNode::If { conditions, then: inner, otherwise: Vec::new() }]
                };
            }
        }
        if level == chain.depth.len()
            && let Some((inner, outer)) = chain.depth.split_last()
        {
            let copied = self.copies_in_squares(&For { body: body.clone(), ..inner.clone() }, space)?;
            if let Some(copied) = copied {
                return Ok(wrapped(outer, copied));
            }
        }
        Ok(wrapped(&chain.depth[..level], body))
    }

    /// Is each cell stored in some copy, whatever has run before ([`LoopKind::Rows`])? Then that is another row of the same cell; the last one runs.
    fn stores_for_sure(&self, holding: &Holding<'_>, scope: &Scope) -> Result<bool> {
        let chain = holding.chain;
        let [item] = chain.items.as_slice() else { return Ok(false) };
        if item.plain.is_empty() {
            return Ok(true);
        }
        let mut last = chain.rows.iter().filter(|row| row.last).peekable();
        if last.peek().is_none() || last.any(|row| holding.cells[0].iter().any(|e| e.dim_coeff(row.var.0) != 0)) {
            return Ok(false);
        }
        let mut forms = Vec::new();
        for condition in &item.plain {
            let Condition::LessEq(a, b) = condition else { return Ok(false) };
            let (own, complete) = less_eq_rows(a, b)?;
            if !complete {
                return Ok(false);
            }
            forms.extend(own);
        }
        let ends: Vec<(LoopVar, Affine)> = chain
            .rows
            .iter()
            .filter(|r| r.last)
            .map(|r| Ok((r.var, r.base.offset(r.most - 1)?)))
            .collect::<Result<_>>()?;
        for copy in holding.copies.iter().filter(|copy| ends.iter().all(|end| copy.rows.contains(end))) {
            let own: Vec<Affine> = forms.iter().map(|form| copy.apply(form, chain)).collect::<Result<_>>()?;
            if !scope.knows(&own, self.budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Marks the vectors all of whose columns are known to run outside of the loops: of several at the end of the domain only the last one may have fewer.
    fn find_whole(&self, chain: &Chain, copies: &mut [Copy], scope: &Scope) -> Result<()> {
        let moves = |e: &Affine| {
            let mut vars = chain.depth.iter().map(|f| f.var).chain(chain.rows.iter().map(|r| r.var));
            vars.any(|var| e.dim_coeff(var.0) != 0)
        };
        let ends = |item: &Item| item.lower.iter().chain(&item.upper).cloned().collect::<Vec<_>>();
        let all: Vec<Affine> = chain.items.iter().flat_map(ends).collect();
        if all.is_empty() || all.iter().any(moves) || moves(&chain.column.base) {
            return Ok(());
        }
        let vectors = chain.vectors();
        for v in 0..vectors {
            let Some(first) = copies.get(v).map(|copy| copy.first.clone()) else { return Ok(()) };
            let last = first.offset(i64::from(chain.width) - 1)?;
            let mut worst = Vec::with_capacity(all.len());
            for form in &all {
                let c = form.dim_coeff(chain.column.var.0);
                let mut at = form.combine(1, if c > 0 { &first } else { &last }, c)?;
                at.set_dim(chain.column.var.0, 0);
                worst.push(at);
            }
            if scope.knows(&worst, self.budget)? {
                copies.iter_mut().skip(v).step_by(vectors).for_each(|copy| copy.whole = true);
            }
        }
        Ok(())
    }

    /// The first of the depth loops over which the cells can be held, what must hold for one of them to be used there, and the lanes of each copy.
    fn region(
        &self,
        holding: &Holding<'_>,
        masks: &[&Affine],
        scopes: &[Scope],
        space: polyhedra::Space,
    ) -> Result<Option<(usize, Vec<Condition>, HeldLanes)>> {
        let (chain, cell) = (holding.chain, &holding.cells[0]);
        let level = chain.invariant_from(cell, masks);
        if level < chain.depth.len()
            && let Some(conditions) = self.trips(chain, level, scopes)?
        {
            return Ok(Some((level, conditions, if masks.is_empty() { HeldLanes::All } else { HeldLanes::Same })));
        }
        let level = chain.invariant_from(cell, &[]);
        if masks.is_empty() || level == chain.depth.len() {
            return Ok(None);
        }
        let (mut conditions, mut lanes) = (None, Vec::new());
        for copy in holding.copies {
            let own = chain.lanes(&chain.items[0], copy)?;
            let found = scopes[level].any_iteration(&chain.depth[level..], &own, space, self.budget)?;
            let Some((needed, own)) = found else { return Ok(None) };
            // Where there is nothing for one of them there must be nothing for all.
            if conditions.get_or_insert_with(|| needed.clone()) != &needed {
                return Ok(None);
            }
            lanes.push(own);
        }
        Ok(conditions.map(|conditions| (level, conditions, HeldLanes::Some(lanes))))
    }

    /// What must hold for the depth loops from `level` on to have a trip: `None` when that cannot be said outside of them.
    fn trips(&self, chain: &Chain, level: usize, scopes: &[Scope]) -> Result<Option<Vec<Condition>>> {
        let inner = &chain.depth[level..];
        let mut out = Vec::new();
        for (k, f) in inner.iter().enumerate().filter(|(_, f)| f.lower != f.upper) {
            let (forms, complete) = less_eq_rows(&f.lower, &f.upper)?;
            if complete && scopes[level + k].knows(&forms, self.budget)? {
                continue;
            }
            let condition = Condition::LessEq(f.lower.clone(), f.upper.clone());
            if inner.iter().any(|g| mentions(&condition, g.var)) {
                return Ok(None);
            }
            out.push(condition);
        }
        Ok(Some(out))
    }

    /// The tile loop around, where its next tile has other cells that are best fetched while this one works: tiles of rows, of the full size. One cell of a line is enough.
    fn ahead(&self, holding: &Holding<'_>, subscripts: &[Affine], copy: &Copy) -> Option<LoopVar> {
        let chain = holding.chain;
        let &(var, LoopKind::Tile) = self.around.last()? else { return None };
        let bytes = self.scop.arrays.get(holding.accesses[0].array.0)?.element_bytes;
        let column = copy.first.sub(&chain.column.base).ok()?.constant_term();
        let full = chain.items.iter().all(|i| i.lower.is_empty() && i.upper.is_empty());
        let starts_line = u64::try_from(column).ok()?.checked_mul(bytes)? % LINE == 0;
        let moves = subscripts.iter().any(|s| s.dim_coeff(var.0) != 0);
        (!chain.rows.is_empty() && full && starts_line && moves && !self.is_near(holding, bytes)).then_some(var)
    }

    /// Are all cells that the statement stores known to be few? Then they are in the nearest cache, or soon will be.
    fn is_near(&self, holding: &Holding<'_>, bytes: u64) -> bool {
        let Some(statement) = self.scop.statements.get(holding.call.statement.0) else { return false };
        let stored = &holding.accesses[0].subscripts;
        let moving = (0..statement.depth()).filter(|&d| stored.iter().any(|e| e.dim_coeff(d) != 0));
        let cells =
            moving.map(|d| known_values(&statement.domain, d)).try_fold(1_u64, |all, own| all.checked_mul(own?));
        cells.and_then(|cells| cells.checked_mul(bytes)).is_some_and(|bytes| bytes <= NEAR)
    }

    /// The loops with the cells in registers that may be.
    fn held(
        &mut self,
        holding: &Holding<'_>,
        level: usize,
        inner: Vec<AstNode>,
        scope: &Scope,
        space: polyhedra::Space,
        held_lanes: &HeldLanes,
    ) -> Result<Vec<AstNode>> {
        let chain = holding.chain;
        let unmasked = *held_lanes == HeldLanes::All;
        let uses = Uses::collect(self.scop, space, &inner, scope, self.budget)?;
        let mut registers: Vec<Held> = Vec::new();
        let written = holding.accesses[0].array;
        for (k, access) in holding.accesses.iter().enumerate() {
            let cell = &holding.cells[k];
            let reads = holding.reads(k);
            let store = k == 0;
            if !uses.are_plain(access.array) {
                return Ok(inner);
            }
            let packed = holding.call.packed.iter().any(|(id, _)| id.0 == k);
            let same_as_written = !store && access.array == written;
            // Squares have registers of their own.
            let in_square = !store && chain.rows.iter().any(|row| row.last) && holding.in_rows(k);
            if packed || same_as_written || in_square || (!store && !chain.is_invariant(cell, level)) {
                continue;
            }
            if !store && matches!(held_lanes, HeldLanes::Some(_)) {
                continue;
            }
            let uniform = cell.iter().all(|e| e.dim_coeff(chain.column.var.0) == 0);
            if uniform && (store || !unmasked) {
                continue;
            }
            let mut own: Vec<Held> = Vec::new();
            for (number, copy) in holding.copies.iter().enumerate() {
                let subscripts: Vec<Affine> = cell.iter().map(|e| copy.apply(e, chain)).collect::<Result<_>>()?;
                let lanes = match held_lanes {
                    _ if uniform => None,
                    HeldLanes::Some(lanes) => lanes.get(number).cloned(),
                    HeldLanes::All | HeldLanes::Same => Some(chain.lanes(&chain.items[0], copy)?),
                };
                let mut known = own.iter_mut().chain(&mut registers);
                if let Some(known) = known.find(|h| h.array == access.array && h.subscripts == subscripts) {
                    known.lanes = wider(known.lanes.take(), lanes);
                    continue;
                }
                let id = RegisterId(0);
                let ahead = if store && reads { self.ahead(holding, &subscripts, copy) } else { None };
                own.push(Held {
                    id,
                    array: access.array,
                    subscripts,
                    load: reads,
                    store,
                    lanes,
                    ahead,
                    mirrored: None,
                    body: Vec::new(),
                });
            }
            if store {
                for h in &own {
                    let cell = Cell { array: h.array, subscripts: h.subscripts.clone() };
                    if uses.clash_in_lanes(&cell, h.lanes.as_ref(), self.budget)? {
                        return Ok(inner);
                    }
                }
            } else if own.len() > MOST_READ {
                continue;
            }
            registers.extend(own);
        }
        let fits = match held_lanes {
            HeldLanes::All => true,
            HeldLanes::Same => holding.has_all_lanes(&registers)?,
            // Each copy has a register of its own, and nothing else uses it.
            HeldLanes::Some(_) => {
                registers.len() == holding.copies.len() && !holding.reads_what_others_store(&registers)?
            }
        };
        if !fits {
            return Ok(inner);
        }
        let stored = registers.iter().any(|h| h.store) && !holding.reads_what_others_store(&registers)?;
        let blocks = if stored { self.in_blocks(holding)? } else { None };
        let mut body = match blocks {
            Some(body) => wrapped(&chain.depth[level..], body),
            None if stored && holding.is_widest_last(&registers)? => {
                // What the first row loads the others need not.
                let [item] = chain.items.as_slice() else { return Ok(inner) };
                let copies = holding.copies.rchunks(chain.vectors());
                let body = copies.flatten().map(|copy| item.at(copy, chain)).collect::<Result<_>>()?;
                wrapped(&chain.depth[level..], body)
            }
            None => inner,
        };
        for mut h in registers.into_iter().rev() {
            h.id = RegisterId(self.next);
            self.next += 1;
            h.body = body;
            body = vec![AstNode::Held(h)];
        }
        Ok(body)
    }
}

/// Bytes that a cache fetches at once.
const LINE: u64 = 64;

/// Bytes that the nearest cache holds beside other things, whatever the processor.
const NEAR: u64 = 16 << 10;

/// How many values a variable of a set has at most, if rows of its own say so.
fn known_values(set: &Polyhedron, d: usize) -> Option<u64> {
    let (mut first, mut last) = (None::<i64>, None::<i64>);
    for row in set.constraints() {
        let alone = row.expr.param_coeffs().iter().all(|c| *c == 0)
            && row.expr.dim_coeffs().iter().enumerate().all(|(k, c)| k == d || *c == 0);
        let c = row.expr.constant_term();
        match row.expr.dim_coeff(d) {
            1 if alone && row.kind == Kind::Ge => first = first.max(c.checked_neg()),
            -1 if alone && row.kind == Kind::Ge => last = Some(last.map_or(c, |last| last.min(c))),
            _ => {}
        }
    }
    u64::try_from(last?.checked_sub(first?)?.checked_add(1)?).ok()
}

/// Lanes of registers.
#[derive(PartialEq)]
enum HeldLanes {
    /// All of the vector.
    All,
    /// Those of the calls, which are the same in all iterations.
    Same,
    /// For each copy those that run in some iteration.
    Some(Vec<Lanes>),
}

/// A call that is to have cells in registers.
struct Holding<'a> {
    chain: &'a Chain,
    copies: &'a [Copy],
    call: &'a Call,
    /// Subscripts of each access, over the loop variables.
    cells: &'a [Vec<Affine>],
    accesses: &'a [Access],
}

/// The lanes that have those of the other, as far as can be seen.
fn wider(a: Option<Lanes>, b: Option<Lanes>) -> Option<Lanes> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.covers(&a) { b } else { a }),
        (a, b) => a.or(b),
    }
}

impl Holding<'_> {
    /// Does each register have all lanes in which some copy uses its cells? Copies with the same cells may have others, and accesses that have no registers for
    /// themselves may have cells in those of others. What stores to a register stores to all of its lanes.
    fn has_all_lanes(&self, registers: &[Held]) -> Result<bool> {
        for copy in self.copies {
            let lanes = self.chain.lanes(&self.chain.items[0], copy)?;
            for (access, cell) in self.accesses.iter().zip(self.cells) {
                let subscripts: Vec<Affine> = cell.iter().map(|e| copy.apply(e, self.chain)).collect::<Result<_>>()?;
                let own = registers.iter().find(|h| h.array == access.array && h.subscripts == subscripts);
                let fits = |own: &Lanes| if access.kind.writes() { *own == lanes } else { own.covers(&lanes) };
                if own.and_then(|h| h.lanes.as_ref()).is_some_and(|own| !fits(own)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Does an access read, in some copy, a register that is stored, other than by its being the cell of the store? Then the order of copies matters.
    fn reads_what_others_store(&self, registers: &[Held]) -> Result<bool> {
        let others = self.accesses.iter().zip(self.cells).skip(1);
        let own = (self.accesses[0].array, &self.cells[0]);
        for (_, cell) in others.filter(|(a, c)| a.array == own.0 && *c != own.1) {
            for copy in self.copies {
                let subscripts: Vec<Affine> = cell.iter().map(|e| copy.apply(e, self.chain)).collect::<Result<_>>()?;
                if registers.iter().any(|h| h.store && h.subscripts == subscripts) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Is the cell of this access read by the statement?
    fn reads(&self, k: usize) -> bool {
        let own = self.accesses[k].array;
        let mut all = self.accesses.iter().zip(self.cells);
        all.any(|(a, c)| a.kind == AccessKind::Read && a.array == own && *c == self.cells[k])
    }

    /// Do all lanes that run in some row run in the last one, and is each stored cell in a register of its own, so that rows may run in any order?
    fn is_widest_last(&self, registers: &[Held]) -> Result<bool> {
        let [item] = self.chain.items.as_slice() else { return Ok(false) };
        let (Some(first), Some(last)) = (self.copies.first(), self.copies.iter().rev().nth(self.chain.vectors() - 1))
        else {
            return Ok(false);
        };
        let (first, last) = (self.chain.lanes(item, first)?, self.chain.lanes(item, last)?);
        let stored = registers.iter().filter(|h| h.store).count();
        Ok(stored == self.copies.len() && last.covers(&first) && !first.covers(&last))
    }
}

impl Chain {
    /// Vectors in a row of the tile, at least 1.
    fn vectors(&self) -> usize {
        usize::try_from(self.column.most / i64::from(self.width)).unwrap_or(1).max(1)
    }

    fn copies(&self) -> Result<Vec<Copy>> {
        let mut rows: Vec<Vec<(LoopVar, Affine)>> = vec![Vec::new()];
        for row in &self.rows {
            let mut next = Vec::new();
            for before in rows {
                for r in 0..row.most {
                    let mut own = before.clone();
                    own.push((row.var, row.base.offset(r)?));
                    next.push(own);
                }
            }
            rows = next;
        }
        let mut out = Vec::new();
        for own in rows {
            let mut c = 0;
            while c < self.column.most {
                out.push(Copy { rows: own.clone(), first: self.column.base.offset(c)?, whole: false });
                c += i64::from(self.width);
            }
        }
        Ok(out)
    }

    /// The first of the depth loops from which on nothing changes the cell, nor which lanes run.
    fn invariant_from(&self, cell: &[Affine], masks: &[&Affine]) -> usize {
        let changes = |f: &For| cell.iter().chain(masks.iter().copied()).any(|e| self.changes(e, f.var));
        self.depth.iter().rposition(changes).map_or(0, |k| k + 1)
    }

    fn is_invariant(&self, cell: &[Affine], level: usize) -> bool {
        self.depth[level..].iter().all(|f| cell.iter().all(|e| !self.changes(e, f.var)))
    }

    /// Does the form change with a depth loop, by itself or with a box that moves with it?
    fn changes(&self, e: &Affine, depth: LoopVar) -> bool {
        let mut boxes = self.rows.iter().chain([&self.column]);
        e.dim_coeff(depth.0) != 0 || boxes.any(|b| e.dim_coeff(b.var.0) != 0 && b.base.dim_coeff(depth.0) != 0)
    }

    /// The lanes of an item in a copy.
    fn lanes(&self, item: &Item, copy: &Copy) -> Result<Lanes> {
        let var = self.column.var;
        // form = rest + c column: lane >= -rest / c at column = first; form = rest - c column: lane <= rest / c.
        let bound = |form: &Affine, lower: bool| -> Result<Expr> {
            let c = form.dim_coeff(var.0);
            let each = c.checked_abs().ok_or(Error::Sets(polyhedra::Error::Overflow))?;
            let mut at = copy.apply(form, self)?;
            at.set_dim(var.0, 0);
            let at = Expr::Affine(if lower { at.scale(-1)? } else { at.offset(each)? });
            Ok(match (each, lower) {
                (1, _) => at,
                (_, true) => Expr::CeilDiv(Box::new(at), each),
                (_, false) => Expr::FloorDiv(Box::new(at), each),
            })
        };
        let all = |forms: &[Affine], lower: bool| {
            let forms = if copy.whole { &[] } else { forms };
            forms.iter().map(|f| bound(f, lower)).collect::<Result<Vec<_>>>()
        };
        let (from, to) = (all(&item.lower, true)?, all(&item.upper, false)?);
        Ok(Lanes {
            var,
            width: self.width,
            from: (!from.is_empty()).then(|| max_of(from)),
            to: (!to.is_empty()).then(|| min_of(to)),
        })
    }
}

impl Copy {
    /// An expression over the loop variables, in this copy: rows are numbers, the column's variable counts lanes.
    fn apply(&self, e: &Affine, chain: &Chain) -> Result<Affine> {
        let mut out = e.combine(1, &self.first, e.dim_coeff(chain.column.var.0))?;
        for (var, value) in &self.rows {
            let c = e.dim_coeff(var.0);
            if c != 0 {
                out = out.combine(1, value, c)?;
                out.set_dim(var.0, 0);
            }
        }
        Ok(out)
    }
}

impl Item {
    fn at(&self, copy: &Copy, chain: &Chain) -> Result<AstNode> {
        let lanes = Some(chain.lanes(self, copy)?);
        let all = |list: &[Affine]| list.iter().map(|e| copy.apply(e, chain)).collect::<Result<Vec<_>>>();
        let place = |p: &Place| Ok::<_, Error>(Place { index: copy.apply(&p.index, chain)?, ..p.clone() });
        let node = match &self.node {
            AstNode::Call(call) => {
                let packed = call.packed.iter().map(|(a, p)| Ok((*a, place(p)?))).collect::<Result<Vec<_>>>()?;
                let mirrored = call.mirrored.iter().map(|(a, p)| Ok((*a, place(p)?))).collect::<Result<Vec<_>>>()?;
                AstNode::Call(Call { iterators: all(&call.iterators)?, lanes, packed, mirrored, ..call.clone() })
            }
            AstNode::Pack(p) => {
                AstNode::Pack(Pack { to: place(&p.to)?, subscripts: all(&p.subscripts)?, lanes, ..p.clone() })
            }
            _ => return Err(Error::Malformed("neither call nor copy in a box".into())),
        };
        if self.plain.is_empty() {
            return Ok(node);
        }
        let failed = std::cell::RefCell::new(None);
        let moved = |e: &Affine| {
            copy.apply(e, chain).unwrap_or_else(|error| {
                failed.replace(Some(error));
                e.clone()
            })
        };
        let conditions = self.plain.iter().map(|c| map_condition(c, &moved)).collect();
        if let Some(error) = failed.take() {
            return Err(error);
        }
        Ok(AstNode::If { conditions, then: vec![node], otherwise: Vec::new() })
    }
}

fn wrapped(depth: &[For], body: Vec<AstNode>) -> Vec<AstNode> {
    depth.iter().rev().fold(body, |body, f| vec![AstNode::For(For { body, ..f.clone() })])
}

/// The loop as a chain that ends in a parallel column loop with nothing but calls and copies in it.
fn chain(f: &For) -> Result<Option<Chain>> {
    let (mut depth, mut rows) = (Vec::new(), Vec::new());
    let mut around: Vec<Condition> = Vec::new();
    let mut at = f;
    loop {
        match at.kind {
            LoopKind::Tile | LoopKind::Lanes { .. } | LoopKind::Corner { .. } | LoopKind::Abreast { .. } => {
                return Ok(None);
            }
            LoopKind::Point if rows.is_empty() => {
                depth.push(For { body: Vec::new(), lower: at.lower.clone(), upper: at.upper.clone(), ..*at });
            }
            LoopKind::Point => return Ok(None),
            LoopKind::Rows { most, last } => match whole(at, most)? {
                Some(own) => rows.push(BoxLoop { last, ..own }),
                None => return Ok(None),
            },
            LoopKind::Columns { most, width, last } => {
                let Some(column) = whole(at, most)?.map(|own| BoxLoop { last, ..own }) else { return Ok(None) };
                if !at.parallel || width < 2 || most % i64::from(width) != 0 {
                    return Ok(None);
                }
                let mut items = Vec::new();
                if !collect(&at.body, column.var, &around, &mut items)? {
                    return Ok(None);
                }
                return Ok(Some(Chain { depth, rows, column, width, items }));
            }
        }
        at = match at.body.as_slice() {
            [AstNode::For(inner)] => inner,
            // Which of the last rows have run before.
            [AstNode::If { conditions, then, otherwise }]
                if otherwise.is_empty() && rows.last().is_some_and(|row| row.last) =>
            {
                let [AstNode::For(inner)] = then.as_slice() else { return Ok(None) };
                around.extend(conditions.iter().cloned());
                inner
            }
            _ => return Ok(None),
        };
    }
}

/// The loop's box, if it is one of this size.
fn whole(f: &For, most: i64) -> Result<Option<BoxLoop>> {
    let (Expr::Affine(lower), Expr::Affine(upper)) = (&f.lower, &f.upper) else { return Ok(None) };
    let whole = f.step == 1 && most >= 1 && lower.offset(most - 1)? == *upper;
    Ok(whole.then(|| BoxLoop { var: f.var, base: lower.clone(), most, last: false }))
}

/// Calls and copies with the conditions on them; `false`: something else is there.
fn collect(nodes: &[AstNode], column: LoopVar, conditions: &[Condition], out: &mut Vec<Item>) -> Result<bool> {
    for node in nodes {
        match node {
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => {
                let mut item = Item { node: node.clone(), plain: Vec::new(), lower: Vec::new(), upper: Vec::new() };
                for c in conditions {
                    if !mentions(c, column) {
                        item.plain.push(c.clone());
                        continue;
                    }
                    let Condition::LessEq(Expr::Affine(a), Expr::Affine(b)) = c else { return Ok(false) };
                    let form = b.sub(a)?;
                    match form.dim_coeff(column.0) {
                        0 => return Ok(false),
                        c if c > 0 => item.lower.push(form),
                        _ => item.upper.push(form),
                    }
                }
                out.push(item);
            }
            AstNode::If { conditions: more, then, otherwise } if otherwise.is_empty() => {
                let all: Vec<Condition> = conditions.iter().chain(more).cloned().collect();
                if !collect(then, column, &all, out)? {
                    return Ok(false);
                }
            }
            _ => return Ok(false),
        }
    }
    Ok(true)
}
