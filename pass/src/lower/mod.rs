//! From a loop AST to LLVM IR.
//!
//! # What is made
//! ```text
//! entry ── check ──┬── (all conditions hold) start ── new loops ... last ── exit
//!                  └── (else) fallback ── the original code ─────────────── exit
//! ```
//! `checks` computes the run-time conditions; `walk` goes over the AST and makes loops, branches and registers; `numbers` computes bounds and subscripts;
//! `address` computes where cells are; `body` makes what a statement computes, `vector` what several instances compute at once, `block` vectors of cells that lie
//! in rows; `fused` products with their sums; `deep` tells which loops LLVM had better not look at; `scratch` makes memory for copies, `own` for arrays that are none of the program's;
//! `straight` remembers what is known within straight code.
//!
//! # Where values go
//! Nothing between this pass and the loop vectoriser moves invariant code out of loops. So every number is computed where it first can be: its *level* is the number
//! of loops around the innermost one whose variable it mentions, its *home* the header of that loop (for level 0 the block `start`). Numbers are kept by level
//! and computed once. They may be computed without being needed; none of them can trap.
//!
//! # Why nothing wraps
//! Parameters lie within their ranges (known or checked), so loop variables lie within intervals, and so does every bound. What might leave 62 bits is
//! refused when it is made; the rest carries `nsw`. Addresses and index polynomials are computed modulo `2^64` (or the width of the type), as in the source.
//! Only the run-time conditions are computed before anything is known: they use plain wrapping arithmetic.

mod address;
mod between;
mod block;
mod body;
mod checks;
mod copied;
mod decided;
mod deep;
mod formula;
mod fused;
mod groups;
mod hoisted;
mod inspect;
mod looks;
mod numbers;
mod own;
mod parallel;
mod rotated;
mod rows;
mod scattered;
mod scratch;
mod side_by_side;
mod straight;
mod vector;
mod walk;

use crate::llvm::build::{Allocator, Committed, Metadata, Transaction};
use crate::llvm::{Analyses, Value};
use crate::options::{Options, Stage};
use crate::raise::Raised;
use crate::raise::poly::Poly;
use crate::raise::region::DONE_PROPERTY;
use codegen::ast::Ast;
use polyhedra::Budget;
use std::collections::BTreeMap;
use thiserror::Error;

/// New code, in its place, and what guards it.
pub struct Lowered {
    /// To be kept or taken back.
    pub committed: Committed,
    /// Conditions computed at run time.
    pub checks: usize,
}

/// Why the loops could not be written out. The function is as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LowerError {
    /// Exact arithmetic gave up, or the step budget ran out.
    #[error(transparent)]
    Sets(#[from] polyhedra::Error),
    /// So says the scheduler's side.
    #[error(transparent)]
    Analysis(#[from] scheduler::Error),
    /// Numbers that may not fit.
    #[error("{0} may be too large for the target's integers")]
    TooLarge(&'static str),
    /// A run-time check would need bounds that there are not.
    #[error("no bounds are known for the subscripts of '{0}'")]
    NoBounds(String),
    /// There is no `malloc` to ask.
    #[error("memory of their own would be needed, and the function must not call malloc")]
    NoMemory,
    /// A precondition of the caller does not hold.
    #[error("malformed loops: {0}")]
    Malformed(&'static str),
}

type Result<T> = std::result::Result<T, LowerError>;

/// `alias.scope` and `noalias` of the accesses to one array.
#[derive(Clone, Copy)]
struct AliasScopes {
    own: Metadata,
    others: Option<Metadata>,
}

/// Everything that is needed while code is being made.
struct Emitter<'a> {
    analyses: Analyses,
    raised: &'a Raised,
    ast: &'a Ast,
    options: &'a Options,
    budget: &'a Budget,
    t: Transaction,
    numbers: numbers::Numbers,
    hoisted: hoisted::Hoisted,
    /// The rows of those arrays that have rows.
    spans: BTreeMap<usize, rows::Span>,
    /// A number for each row that addresses start from.
    row_keys: BTreeMap<(usize, Poly), usize>,
    /// Frozen copies of values from in front of the region.
    frozen: BTreeMap<Value, Value>,
    scopes: Vec<AliasScopes>,
    /// Of all that is written.
    written: Option<Metadata>,
    registers: Vec<body::Register>,
    /// What the innermost loop over vectors does for its next iterations.
    between: between::Between,
    /// Of an innermost loop: stores and cells that stay in registers which they never touch.
    never_meet: Vec<(straight::Cells, straight::Cells)>,
    straight: straight::Straight,
    /// Scratch memory that there is here.
    buffers: Vec<Option<address::Buffer>>,
    /// Cells that are read from mirrors or arrays.
    mirrors: Vec<address::Mirrored>,
    /// What copies in scratch memory have been through.
    done: copied::AllDone,
    /// By statement.
    fused: &'a [fused::Fused],
    /// Number of buffers made so far.
    memories: usize,
    /// `None`: not asked for yet.
    allocator: Option<Option<Allocator>>,
    /// Access groups of the parallel loops around.
    groups: Vec<Metadata>,
    /// The level of the loop we are in, if no loop is inside of it.
    innermost: Option<usize>,
    /// Are we in a loop around one with vectors, and not in that?
    around_kernel: bool,
    /// The statement whose conditions are known to hold in this loop.
    decided: Option<scheduler::scop::StatementId>,
    calls: walk::Progress,
    /// Of the work altogether ([`walk::order`]).
    order: usize,
}

/// LLVM takes what is in a loop to run so many times as often as what is around.
const AROUND: u32 = 32;

/// Loops more at most that are made up for: weights of branches are small numbers.
const MOST_AROUND: u32 = 3;

/// How often the check should be said to fail, for each time that it holds, so that the innermost original loops run as often as the innermost new ones, around which there are more loops. Where LLVM thinks that they run
/// hardly ever it gives the registers to the new ones (measured: small factorisations of bands and sums over windows, which the original loops run, by 0.89 to 0.92, and 0.97 to 1.02 so; with one level more also large
/// bands that are narrow, 0.88, but then some new loops have an address on the stack).
fn as_hot(raised: &Raised, ast: &Ast) -> u32 {
    let depths = || raised.region.loops.iter().map(|l| l.depth());
    let original = depths().max().unwrap_or(0) + 1 - depths().min().unwrap_or(1);
    let new = u32::try_from(ast.space.dims).unwrap_or(u32::MAX);
    AROUND.pow(new.saturating_sub(original).min(MOST_AROUND))
}

/// Writes the loops out and puts them in the region's place, behind a run-time check.
///
/// # Errors
/// See [`LowerError`]; nothing has changed then.
pub fn lower(analyses: Analyses, raised: &Raised, ast: &Ast, options: &Options, budget: &Budget) -> Result<Lowered> {
    let mut t = Transaction::new(analyses);
    let check = t.block("lw.check");
    let start = t.block("lw.start");
    let fallback = t.block("lw.fallback");
    t.position(check);
    let mut hoisted = hoisted::Hoisted::certain(&mut t, raised);
    let numbers = numbers::Numbers::new(&mut t, raised, &hoisted, ast.space, start)?;
    let asked = own::asked(raised, ast)?;
    let conditions =
        checks::emit(&mut t, raised, &mut hoisted, numbers.params(), (&ast.worthwhile, &asked), fallback, budget)?;
    let memory = if conditions.own.is_empty() {
        t.branch_weighted(conditions.all, start, fallback, (1, as_hot(raised, ast)));
        None
    } else {
        let ask = t.block("lw.own");
        t.branch_weighted(conditions.all, ask, fallback, (1, as_hot(raised, ast)));
        t.position(ask);
        Some(own::ask(&mut t, analyses, raised, &mut hoisted, &conditions.own, (start, fallback))?)
    };
    t.position(start);
    raised.locals.slots.iter().for_each(|&slot| t.mark_lifetime(slot, true));
    let (scopes, written) = alias_scopes(&mut t, raised, ast.buffers.len());
    let fused = fused::Fused::all(analyses, &raised.bodies);
    let mut emitter = Emitter {
        analyses,
        raised,
        ast,
        options,
        budget,
        t,
        numbers,
        hoisted,
        spans: conditions.spans,
        row_keys: BTreeMap::new(),
        frozen: BTreeMap::new(),
        scopes,
        written,
        registers: Vec::new(),
        between: between::Between::default(),
        never_meet: Vec::new(),
        straight: straight::Straight::default(),
        buffers: vec![None; ast.buffers.len()],
        mirrors: Vec::new(),
        done: copied::all_done(raised, ast, &fused),
        fused: &fused,
        memories: 0,
        allocator: None,
        groups: Vec::new(),
        innermost: None,
        around_kernel: false,
        decided: None,
        calls: walk::Progress::of(&ast.body),
        order: walk::order(&ast.body)?,
    };
    emitter.run()?;
    let Emitter { mut t, hoisted, .. } = emitter;
    let brought = own::brought(&mut t, raised, &hoisted)?;
    raised.locals.slots.iter().for_each(|&slot| t.mark_lifetime(slot, false));
    if let Some(memory) = memory {
        memory.release(&mut t);
    }
    for l in &raised.region.loops {
        if let Some(end) = l.latch().and_then(crate::llvm::Block::terminator) {
            t.mark_original(end, DONE_PROPERTY);
        }
    }
    let last = t.current();
    let region = &raised.region;
    let committed = t.commit(region.entry, check, fallback, last, region.exit, &brought);
    Ok(Lowered { committed, checks: conditions.count })
}

impl Emitter<'_> {
    fn run(&mut self) -> Result<()> {
        let ast = self.ast;
        let mut known = walk::Known::new(&self.raised.scop, ast.space);
        self.list(&ast.body, &mut known)?;
        if self.calls.total == 0 {
            self.options.maybe_panic(Stage::Lower);
        }
        Ok(())
    }
}

/// One scope an array, then one a buffer, each beginning at the builder's place; and the list of those that are written. Two arrays of which one is written are disjoint in
/// the new code; two that are only read may overlap. In another iteration of loops around the region all may be otherwise: a pointer may have changed, a check other sizes.
fn alias_scopes(t: &mut Transaction, raised: &Raised, buffers: usize) -> (Vec<AliasScopes>, Option<Metadata>) {
    let arrays = raised.arrays.len();
    let count = arrays + buffers;
    let mut written = vec![false; arrays];
    written.resize(count, true);
    for access in raised.scop.statements.iter().flat_map(|s| &s.accesses) {
        if access.kind.writes()
            && let Some(w) = written.get_mut(access.array.0)
        {
            *w = true;
        }
    }
    let domain = t.alias_domain();
    let scopes: Vec<Metadata> = (0..count).map(|_| t.alias_scope(domain)).collect();
    scopes.iter().for_each(|&scope| t.declare_scope(scope));
    let mut out = Vec::new();
    for a in 0..count {
        let others: Vec<Metadata> =
            (0..count).filter(|&b| a != b && (written[a] || written[b])).map(|b| scopes[b]).collect();
        let others = if others.is_empty() { None } else { Some(t.scope_list(&others)) };
        out.push(AliasScopes { own: t.scope_list(&[scopes[a]]), others });
    }
    let all: Vec<Metadata> = (0..count).filter(|&a| written[a]).map(|a| scopes[a]).collect();
    (out, if all.is_empty() { None } else { Some(t.scope_list(&all)) })
}
