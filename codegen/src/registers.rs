//! Register hoisting: cells that do not change with the inner loops live in registers over them.
//!
//! # Problem
//! Wrap the largest regions over which an accessed cell is invariant in [`Held`] nodes, so that it is loaded at most once on entry and stored at most once on
//! exit. Three things must be sure:
//! 1. *No other name.* Inside the region no access with other subscripts touches the cell: for each such access to the array, the set of loop values `{ V |
//!    bounds, conditions, other subscripts = the cell's }` is empty (exact test). A cell that is only read minds only writes.
//! 2. *It runs.* An access to the cell happens for certain; a write, if the cell will be stored. So neither the load nor the store is new to the program. A loop
//!    that may have no trip gets `if (lower <= upper)` around it.
//! 3. *Load or not.* The load can go when the first access, for certain, is a write by a statement that does not read the cell.
//!
//! Arrays with an access that covers several cells, or with a write that may not happen, stay in memory altogether.
//!
//! # Worked example
//! `for m { for n { S0: A[m,n] = B[m,n]; for k < n { S2: A[m,n] -= A[m,k] U[k,n] }; S1: A[m,n] /= U[n,n] } }`. The body of loop `n` uses `A[m,n]` in all three
//! and `A[m,k]` in the second; `k = n` with `k <= n - 1` is empty, so the whole body is one region: no load (S0 writes first), one store.
//!
//! # Method
//! From the outermost list inwards. In a list of nodes each cell whose subscripts mention only loops outside it is a candidate; its region is the stretch from
//! the first node that uses it to the last. If that is not allowed, each loop of the stretch is tried alone; if that is not allowed either, the
//! lists inside get their turn. A region pays if an access sits in a loop inside it, or if two calls share the cell (a cell that is only read: only the former).
//!
//! The idea is as old as Callahan, Carr, Kennedy, *Improving register allocation for subscripted variables* (1990).

pub(crate) mod region;

use crate::ast::{Ast, AstNode, Condition, For, Held, LoopKind, RegisterId};
use crate::sets::less_eq_rows;
use polyhedra::{Budget, Space};
use region::{Cell, Scope, Uses};
use scheduler::Result;
use scheduler::scop::Scop;

/// Wraps the largest bodies over which a cell is invariant in [`crate::ast::Held`] nodes, where no other access can touch the cell (exact emptiness test) and
/// at least one access to it is certain to run (an `If` with the loop's own bounds is added where a loop may have no trip). What is to become a micro-kernel is left to
/// [`crate::jam`], which comes after this.
///
/// # Errors
/// Overflow, budget.
pub fn hold_cells(scop: &Scop, ast: Ast, budget: &Budget) -> Result<Ast> {
    let mut holder = Holder { scop, budget, space: ast.space, next: first_free(&ast.body) };
    let scope = Scope::outermost(scop, ast.space.params);
    let body = holder.list(ast.body, &scope, &mut Vec::new())?;
    Ok(Ast { body, ..ast })
}

/// Is a micro-kernel to be made of part of it? Then [`crate::jam`] holds what is to be held.
fn has_columns(node: &AstNode) -> bool {
    match node {
        AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => false,
        AstNode::For(f) => {
            matches!(f.kind, LoopKind::Columns { .. } | LoopKind::Corner { .. } | LoopKind::Abreast { .. })
                || f.body.iter().any(has_columns)
        }
        AstNode::If { then, otherwise, .. } => then.iter().chain(otherwise).any(has_columns),
        AstNode::Scratch(s) => s.body.iter().chain(&s.otherwise).any(has_columns),
        AstNode::Held(h) => h.body.iter().any(has_columns),
    }
}

/// The first register number that nothing has.
pub(crate) fn first_free(nodes: &[AstNode]) -> usize {
    let one = |node: &AstNode| match node {
        AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => 0,
        AstNode::For(f) => first_free(&f.body),
        AstNode::If { then, otherwise, .. } => first_free(then).max(first_free(otherwise)),
        AstNode::Scratch(s) => first_free(&s.body).max(first_free(&s.otherwise)),
        AstNode::Held(h) => first_free(&h.body).max(h.id.0 + 1),
    };
    nodes.iter().map(one).max().unwrap_or(0)
}

/// One node over which no cell is ever held: what is inside of it has its own turn. (In squares that are written out a thousand cells are held one in another.)
fn is_no_region(nodes: &[AstNode]) -> bool {
    use AstNode::{Call, Held, If, Pack, Scratch};
    matches!(nodes, [If { .. } | Held(_) | Call(_) | Pack(_) | Scratch(_)])
}

struct Holder<'a> {
    scop: &'a Scop,
    budget: &'a Budget,
    space: Space,
    next: usize,
}

/// What a region needs to become a [`Held`].
struct Plan {
    /// Must hold for the region to access the cell for certain; when one does not, nothing in the region runs.
    conditions: Vec<Condition>,
    load: bool,
    store: bool,
}

impl Holder<'_> {
    fn list(&mut self, mut nodes: Vec<AstNode>, scope: &Scope, held: &mut Vec<Cell>) -> Result<Vec<AstNode>> {
        let uses = if nodes.iter().any(has_columns) || is_no_region(&nodes) {
            Uses::default()
        } else {
            Uses::collect(self.scop, self.space, &nodes, scope, self.budget)?
        };
        for cell in uses.cells() {
            if is_no_region(&nodes) {
                break;
            }
            if !held.contains(&cell) && scope.fixes(&cell) && uses.are_plain(cell.array) {
                self.hold(&mut nodes, &cell, scope)?;
            }
        }
        let mut out = Vec::new();
        for node in nodes {
            out.push(self.inside(node, scope, held)?);
        }
        Ok(out)
    }

    fn inside(&mut self, node: AstNode, scope: &Scope, held: &mut Vec<Cell>) -> Result<AstNode> {
        self.budget.spend(1)?;
        Ok(match node {
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => node,
            AstNode::Scratch(mut s) => {
                let inner = scope.in_scratch(&s)?;
                s.body = self.list(s.body, &inner, held)?;
                s.otherwise = self.list(s.otherwise, scope, held)?;
                AstNode::Scratch(s)
            }
            AstNode::For(f)
                if matches!(
                    f.kind,
                    LoopKind::Rows { .. }
                        | LoopKind::Columns { .. }
                        | LoopKind::Corner { .. }
                        | LoopKind::Abreast { .. }
                ) =>
            {
                AstNode::For(f)
            }
            AstNode::For(f) => {
                let inner = scope.in_loop(&f)?;
                let body = self.list(f.body, &inner, held)?;
                AstNode::For(For { body, ..f })
            }
            AstNode::If { conditions, then, otherwise } => {
                let inner = scope.under(&conditions)?;
                let then = self.list(then, &inner, held)?;
                let otherwise = self.list(otherwise, &scope.unless(&conditions)?, held)?;
                AstNode::If { conditions, then, otherwise }
            }
            AstNode::Held(mut h) => {
                held.push(Cell { array: h.array, subscripts: h.subscripts.clone() });
                h.body = self.list(h.body, scope, held)?;
                held.pop();
                AstNode::Held(h)
            }
        })
    }

    /// Wraps the region of a cell in a list, or single loops of it.
    fn hold(&mut self, nodes: &mut Vec<AstNode>, cell: &Cell, scope: &Scope) -> Result<()> {
        let mut touching = Vec::new();
        for (k, node) in nodes.iter().enumerate() {
            if Uses::collect(self.scop, self.space, std::slice::from_ref(node), scope, self.budget)?.touch(cell) {
                touching.push(k);
            }
        }
        let (Some(&first), Some(&last)) = (touching.first(), touching.last()) else { return Ok(()) };
        if let Some(plan) = self.plan(&nodes[first..=last], cell, scope)? {
            let body: Vec<AstNode> = nodes.drain(first..=last).collect();
            nodes.insert(first, self.wrap(plan, cell, released(body, cell)));
            return Ok(());
        }
        if first < last {
            for &k in &touching {
                if let Some(plan) = self.plan(&nodes[k..=k], cell, scope)? {
                    let body = vec![nodes.remove(k)];
                    nodes.insert(k, self.wrap(plan, cell, released(body, cell)));
                }
            }
        }
        Ok(())
    }

    fn wrap(&mut self, plan: Plan, cell: &Cell, body: Vec<AstNode>) -> AstNode {
        let id = RegisterId(self.next);
        self.next += 1;
        let (load, store) = (plan.load, plan.store);
        let held = AstNode::Held(Held {
            ahead: None,
            mirrored: None,
            id,
            array: cell.array,
            subscripts: cell.subscripts.clone(),
            load,
            store,
            lanes: None,
            body,
        });
        if plan.conditions.is_empty() {
            return held;
        }
        AstNode::If { conditions: plan.conditions, then: vec![held], otherwise: Vec::new() }
    }

    /// May this stretch hold the cell, and does it pay?
    fn plan(&self, region: &[AstNode], cell: &Cell, scope: &Scope) -> Result<Option<Plan>> {
        if is_no_region(region) {
            return Ok(None);
        }
        let uses = Uses::collect(self.scop, self.space, region, scope, self.budget)?;
        let store = uses.written(cell);
        let pays = uses.in_loop(cell, scope) || (store && uses.calls(cell) >= 2);
        if !pays {
            return Ok(None);
        }
        let Some(mut conditions) = self.certain(region, cell, store, scope)? else { return Ok(None) };
        // Where a condition fails nothing else may be left out, so conditions need a region that is one loop.
        if !conditions.is_empty() && region.len() > 1 {
            return Ok(None);
        }
        conditions.dedup();
        if uses.clash(cell, store, scope, self.budget)? {
            return Ok(None);
        }
        let load = !(store && self.written_first(region, cell, scope, true)?);
        Ok(Some(Plan { conditions, load, store }))
    }

    /// Conditions under which a list accesses (`write`: writes) the cell for certain, such that nothing in the list runs when one fails; `None`: not known.
    fn certain(&self, nodes: &[AstNode], cell: &Cell, write: bool, scope: &Scope) -> Result<Option<Vec<Condition>>> {
        for node in nodes {
            let found = match node {
                // A call may have no lane that runs.
                AstNode::Call(call) if call.lanes.is_some() => None,
                AstNode::Call(_) => {
                    let uses = Uses::collect(self.scop, self.space, std::slice::from_ref(node), scope, self.budget)?;
                    (if write { uses.written(cell) } else { uses.touch(cell) }).then(Vec::new)
                }
                AstNode::For(f) => {
                    let mut all = self.trip(f, scope)?;
                    let inner = self.certain(&f.body, cell, write, &scope.in_loop(f)?)?;
                    inner.filter(|list| !list.iter().any(|c| region::mentions(c, f.var))).map(|list| {
                        all.extend(list);
                        all
                    })
                }
                AstNode::Held(h) => self.certain(&h.body, cell, write, scope)?,
                AstNode::If { .. } | AstNode::Pack(_) | AstNode::Fetch(_) | AstNode::Scratch(_) => None,
            };
            if let Some(conditions) = found
                && (conditions.is_empty() || nodes.len() == 1)
            {
                return Ok(Some(conditions));
            }
        }
        Ok(None)
    }

    /// What must hold for a loop to have a trip: nothing when that is known.
    fn trip(&self, f: &For, scope: &Scope) -> Result<Vec<Condition>> {
        let (forms, complete) = less_eq_rows(&f.lower, &f.upper)?;
        if complete && scope.knows(&forms, self.budget)? {
            return Ok(Vec::new());
        }
        Ok(vec![Condition::LessEq(f.lower.clone(), f.upper.clone())])
    }

    /// Is the first access to the cell for certain a write by a statement that does not read it? `granted`: the conditions of [`Holder::certain`] hold, so a
    /// loop that is alone in the region, and loops alone in it, have a trip. Below a loop with neighbours nothing is granted: each trip must be known.
    fn written_first(&self, region: &[AstNode], cell: &Cell, scope: &Scope, granted: bool) -> Result<bool> {
        let granted = granted && region.len() == 1;
        for node in region {
            let uses = Uses::collect(self.scop, self.space, std::slice::from_ref(node), scope, self.budget)?;
            if !uses.touch(cell) {
                continue;
            }
            return match node {
                AstNode::Call(call) => Ok(call.lanes.is_none() && !uses.read(cell)),
                AstNode::Held(h) => self.written_first(&h.body, cell, scope, granted),
                AstNode::For(f) => {
                    let runs = granted || self.trip(f, scope)?.is_empty();
                    Ok(runs && self.written_first(&f.body, cell, &scope.in_loop(f)?, granted)?)
                }
                AstNode::If { .. } | AstNode::Pack(_) | AstNode::Fetch(_) | AstNode::Scratch(_) => Ok(false),
            };
        }
        Ok(false)
    }
}

/// The nodes without the registers that already hold the cell in parts of them: a larger region takes their place. (A smaller one comes first when the list
/// around has a clash elsewhere, and the register of another cell then makes a list of the stretch without the clash.)
fn released(nodes: Vec<AstNode>, cell: &Cell) -> Vec<AstNode> {
    let mut out = Vec::new();
    for node in nodes {
        match node {
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => out.push(node),
            AstNode::Scratch(mut s) => {
                s.body = released(s.body, cell);
                s.otherwise = released(s.otherwise, cell);
                out.push(AstNode::Scratch(s));
            }
            AstNode::For(mut f) => {
                f.body = released(f.body, cell);
                out.push(AstNode::For(f));
            }
            AstNode::If { conditions, then, otherwise } => {
                let (then, otherwise) = (released(then, cell), released(otherwise, cell));
                out.push(AstNode::If { conditions, then, otherwise });
            }
            AstNode::Held(mut h) => {
                h.body = released(h.body, cell);
                if h.array == cell.array && h.subscripts == cell.subscripts {
                    out.extend(h.body);
                } else {
                    out.push(AstNode::Held(h));
                }
            }
        }
    }
    out
}
