//! Polyhedra scanning: schedule tree to loops.
//!
//! # Problem
//! Given a tree of bands and sequences whose rows give every statement instance `Stmt[i]` a time, find loops that run each instance exactly once, in the
//! order of time, with little control inside inner loops.
//!
//! # Notation
//! `V` are the variables of the loops around the place where we are, outermost first. For each statement that is active there, `R` (*relation*) is a set
//! over `[1 | N | V | i]`: the domain, and one equality `V_k = row_k(i)` a loop (two inequalities for a tile loop: `T V_k <= row_k(i) <= T V_k + T - 1`).
//! The *context* is a set over `[1 | N | V]`: all that is known to hold at the place, from what is known of the parameters, from loop bounds and from
//! conditions. It holds no wish, only facts.
//!
//! # Worked example
//! `0 <= i < n, 0 <= j <= i` with time `(j, i)`. First member `j`: `R = { t = j }`, its shadow on `t` is `0 <= t <= n - 1`: loop `c0` from 0 to `n - 1`.
//! Second member `i`: the shadow on `(c0, t)` is `c0 <= t <= n - 1, 0 <= c0`; the context already says `0 <= c0`: loop `c1` from `c0` to `n - 1`. At the leaf
//! the equalities give `i = c1, j = c0`; every row of the domain, so rewritten, follows from the context, so no guard is left.
//!
//! # Method
//! One loop a band member, outside in. The bounds are the shadow of `R` on `(V, t)`. A shadow may be too large (integers; conditions that no loop expresses):
//! that costs a guard, never correctness, because at the leaf all rows of the domain that the context does not imply become conditions (`leaf`), and
//! conditions then move outwards past the loops that do not change them (`clean`). Where statements have different bounds see `scan`, for tiles see
//! `tiles`.
//!
//! Papers: Quilleré, Rajopadhye, Wilde, *Generation of efficient nested loops from polyhedra* (2000); Bastoul, *Code generation in the polyhedral model is
//! easier than you think* (2004).

mod abreast;
mod beside;
mod blocked;
mod clean;
mod guards;
mod leaf;
mod scan;
mod strips;
mod tiles;

use crate::ast::{Ast, AstNode, Buffer, BufferId};
use polyhedra::{Affine, Budget, Kind, Polyhedron, Space};
use scheduler::kernel::{Blocking, Kernels, ProvedKernels, Strip};
use scheduler::legality::LegalSchedule;
use scheduler::scop::{Scop, Statement, StatementId};
use scheduler::tree::Node;
use scheduler::{Error, Result};
use std::cell::RefCell;

/// Makes loops that run every instance exactly once, in the order of the schedule. Tiled members become tile loops outside the points; full tiles get point
/// loops with constant bounds, the others general bounds. Permutable bands over a statement of `kernels` are blocked by their plan.
///
/// # Errors
/// Overflow, budget; a part whose schedule needs more than affine loops (a row whose coefficients are no unimodular change).
pub fn generate(scop: &Scop, schedule: &LegalSchedule, kernels: &ProvedKernels, budget: &Budget) -> Result<Ast> {
    generate_strips(scop, schedule.tree(), kernels.plans(), kernels.strips(), budget)
}

/// [`generate`] for a tree that nobody has proved legal: the loops run in its order all the same.
///
/// # Errors
/// As [`generate`].
pub fn generate_tree(scop: &Scop, tree: &Node, kernels: &Kernels, budget: &Budget) -> Result<Ast> {
    generate_strips(scop, tree, kernels, &[], budget)
}

/// [`generate_tree`], with some neighbours of the outermost sequence strip by strip.
///
/// # Errors
/// As [`generate`].
pub fn generate_strips(scop: &Scop, tree: &Node, kernels: &Kernels, strips: &[Strip], budget: &Budget) -> Result<Ast> {
    scop.check()?;
    let maker = Maker {
        scop,
        kernels,
        strips,
        budget,
        buffers: RefCell::default(),
        worthwhile: RefCell::default(),
        uneven: RefCell::default(),
    };
    let mut seen = std::collections::BTreeSet::new();
    let mut active = Vec::new();
    for id in tree.statements() {
        if !seen.insert(id) {
            return Err(Error::Malformed("a statement occurs twice in the tree".into()));
        }
        active.push(Active { id, relation: maker.statement(id)?.domain.clone() });
    }
    let outside = Space::new(scop.params.len(), 0);
    let mut context = scop.context.clone().unwrap_or_else(|| Polyhedron::universe(outside));
    for active in &mut active {
        active.relation = without_limits(&active.relation, &context);
    }
    context = without_limits(&context, &context);
    let nodes = maker.outermost(tree.outermost(), &active, &context)?;
    let mut ast = clean::finish(nodes, scop.params.len(), maker.buffers.into_inner())?;
    let those =
        |which: fn(&Blocking) -> bool| kernels.iter().filter(|(_, plan)| which(plan)).map(|(&id, _)| id).collect();
    ast.embedded = those(|plan| plan.embeds);
    ast.filling = those(|plan| plan.fills);
    for form in maker.worthwhile.into_inner() {
        let holds = form.is_constant() && form.constant_term() >= 0;
        if !holds && !ast.worthwhile.contains(&form) {
            ast.worthwhile.push(form);
        }
    }
    Ok(ast)
}

/// Limits of parameters as large as this decide nothing about loops.
const LIMIT: i64 = 1 << 24;

/// A set without the rows that hold anyway and say that parameters are not too large, as `n + m < 2^31` and `n - m < 2^31` do: they make each question that loops ask several times as expensive (a band's
/// factorisation 4.8 times), and no loop simpler.
fn without_limits(set: &Polyhedron, context: &Polyhedron) -> Polyhedron {
    let space = set.space();
    let mut limits = Vec::new();
    for row in context.constraints() {
        if row.kind == Kind::Ge && row.expr.constant_term() >= LIMIT {
            limits.push(row.expr.embed(space, &[]));
        }
    }
    let rows = set.constraints().iter().filter(|row| row.kind != Kind::Ge || !limits.contains(&row.expr));
    Polyhedron::new(space, rows.cloned().collect())
}

/// Forms over `[1 | N]` that are all `>= 0` where the innermost loop of a statement has so many iterations, or else might have: bounds with divisions are left out.
///
/// # Errors
/// Overflow, budget, an unknown statement.
pub fn at_least(scop: &Scop, id: StatementId, least: i64, budget: &Budget) -> Result<Vec<Affine>> {
    let statement = scop.statements.get(id.0).ok_or_else(|| Error::Malformed("unknown statement".into()))?;
    match statement.depth().checked_sub(1) {
        Some(innermost) => at_least_along(scop, (id, innermost), least, budget),
        None => Ok(Vec::new()),
    }
}

/// The same of any of its loops in the source, whatever the others do.
///
/// # Errors
/// As [`at_least`].
pub fn at_least_along(scop: &Scop, at: (StatementId, usize), least: i64, budget: &Budget) -> Result<Vec<Affine>> {
    let mut out = Vec::new();
    for (values, times) in blocked::lengths(&along(scop, at, budget)?, 0)? {
        let more = times.checked_mul(least).and_then(i64::checked_neg).ok_or(polyhedra::Error::Overflow)?;
        out.extend(Some(values.offset(more)?).filter(|form| !form.is_constant()));
    }
    Ok(out)
}

/// Forms over `[1 | N]`, each of which is at least the number of iterations of a loop that a statement has in the source, whatever the others do.
///
/// # Errors
/// As [`at_least`].
pub fn extents_along(scop: &Scop, at: (StatementId, usize), budget: &Budget) -> Result<Vec<Affine>> {
    blocked::extents(&along(scop, at, budget)?, 0)
}

/// The values of one of a statement's iterators.
fn along(scop: &Scop, (id, along): (StatementId, usize), budget: &Budget) -> Result<Polyhedron> {
    let statement = scop.statements.get(id.0).ok_or_else(|| Error::Malformed("unknown statement".into()))?;
    let others: Vec<usize> = (0..statement.depth()).filter(|&d| d != along).collect();
    Ok(statement.domain.project_out(&others, budget)?.set)
}

/// A statement with instances at this place.
#[derive(Clone, Debug)]
struct Active {
    id: StatementId,
    /// `R`, over `[1 | N | V | i]`.
    relation: Polyhedron,
}

/// What every step needs.
struct Maker<'a> {
    scop: &'a Scop,
    kernels: &'a Kernels,
    strips: &'a [Strip],
    budget: &'a Budget,
    buffers: RefCell<Vec<Buffer>>,
    /// See [`Ast::worthwhile`].
    worthwhile: RefCell<Vec<Affine>>,
    /// What would be asked, too, of loops made so far if that around them were a loop for statements of different lengths ([`scan`]).
    uneven: RefCell<Vec<Affine>>,
}

impl Maker<'_> {
    /// The plan for a band in which this runs at each point.
    fn kernel(&self, child: &Node) -> Option<(StatementId, &Blocking)> {
        let flat = |n: &Node| matches!(n, Node::Leaf(_));
        let straight = match child {
            Node::Sequence(children) => children.iter().all(flat),
            other => flat(other),
        };
        let all = if straight { child.statements() } else { Vec::new() };
        all.into_iter().find_map(|id| self.kernels.get(&id).map(|plan| (id, plan)))
    }

    fn buffer(&self, buffer: Buffer) -> BufferId {
        let mut all = self.buffers.borrow_mut();
        all.push(buffer);
        BufferId(all.len() - 1)
    }

    fn statement(&self, id: StatementId) -> Result<&Statement> {
        self.scop.statements.get(id.0).ok_or_else(|| Error::Malformed("unknown statement in the tree".into()))
    }

    /// The loops of a node, for the statements that are active.
    fn node(&self, node: &Node, active: &[Active], context: &Polyhedron) -> Result<Vec<AstNode>> {
        self.budget.spend(1)?;
        match node {
            Node::Leaf(id) => match active.iter().find(|a| a.id == *id) {
                Some(a) => leaf::instance(self, a, context),
                None => Ok(Vec::new()),
            },
            Node::Sequence(children) => self.children(children, active, context),
            Node::Band { members, permutable, child } => match self.kernel(child) {
                Some((id, plan)) => blocked::loops(self, members, child, id, plan, active, context),
                None => tiles::Band::new(members, *permutable, child)?.loops(self, active, context),
            },
        }
    }

    /// What runs outside of all loops, strip by strip where that is wanted.
    fn outermost(&self, children: &[Node], active: &[Active], context: &Polyhedron) -> Result<Vec<AstNode>> {
        let mut out = Vec::new();
        let mut rest = children;
        while let Some(first) = rest.first() {
            let strip = self.strips.iter().find(|s| s.has(first));
            let (now, later) = match strip {
                Some(strip) => rest.split_at(rest.iter().take_while(|c| strip.has(c)).count()),
                None => rest.split_at(1),
            };
            rest = later;
            let below: Vec<StatementId> = now.iter().flat_map(Node::statements).collect();
            let inside: Vec<Active> = active.iter().filter(|a| below.contains(&a.id)).cloned().collect();
            let nest = guards::Nest {
                first: match now {
                    [Node::Band { members, permutable, child }] => Some(tiles::Band::new(members, *permutable, child)?),
                    _ => None,
                },
                make: &|active, context| match strip {
                    Some(strip) => strips::loops(self, strip, now, active, context),
                    None => self.children(now, active, context),
                },
            };
            out.extend(guards::guarded(self, &inside, context, &nest)?);
        }
        Ok(out)
    }

    /// Nodes one after the other.
    fn children(&self, children: &[Node], active: &[Active], context: &Polyhedron) -> Result<Vec<AstNode>> {
        let mut out = Vec::new();
        for child in children {
            let below = child.statements();
            let inside: Vec<Active> = active.iter().filter(|a| below.contains(&a.id)).cloned().collect();
            if !inside.is_empty() {
                out.extend(self.node(child, &inside, context)?);
            }
        }
        Ok(out)
    }

    /// `row` of a statement as an expression over `[1 | N | V | i]`, or over that space with further dimensions `extra` between `V` and `i`.
    fn row(&self, active: &Active, row: &Affine, extra: usize) -> Result<Affine> {
        let own = self.statement(active.id)?.space();
        let all = active.relation.space();
        if row.space() != own {
            return Err(Error::Malformed("space of a schedule row".into()));
        }
        let first = all.dims - own.dims + extra;
        let map: Vec<usize> = (first..first + own.dims).collect();
        Ok(row.embed(Space::new(all.params, all.dims + extra), &map))
    }
}
