//! What a stretch of loops does to the cells of arrays.
//!
//! A [`Scope`] is a place with what is known there: a set over `[1 | N | V]`, `V` the variables of the loops around it. [`Uses`] lists the accesses of
//! a stretch, each with the scope of its call.

use crate::ast::{AstNode, Condition, Expr, For, Lanes, LoopVar, Scratch, negation};
use crate::interpret::subscripts;
use crate::sets::{
    any_affine_in, condition, halves, implied, less_eq_rows, map_condition, map_expr, max_of, min_of, reduce, widen,
    widen_expr,
};
use polyhedra::{Affine, Budget, Constraint, Polyhedron, Space};
use scheduler::scop::{AccessKind, ArrayId, Scop};
use scheduler::{Error, Result};
use std::rc::Rc;

/// A cell, over `[1 | N | loop variables]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub(crate) array: ArrayId,
    pub(crate) subscripts: Vec<Affine>,
}

/// Does the condition mention the variable?
pub(crate) fn mentions(condition: &Condition, var: LoopVar) -> bool {
    any_affine_in(condition, &|e| e.dim_coeff(var.0) != 0)
}

/// A place in the loops.
#[derive(Clone)]
pub(crate) struct Scope {
    vars: Vec<LoopVar>,
    known: Polyhedron,
}

impl Scope {
    pub(crate) fn outermost(scop: &Scop, params: usize) -> Self {
        let universe = Polyhedron::universe(Space::new(params, 0));
        Self { vars: Vec::new(), known: scop.context.clone().unwrap_or(universe) }
    }

    /// An expression of the AST over the variables of this place.
    fn local(&self, e: &Affine) -> Affine {
        let space = self.known.space();
        let mut coeffs = e.coeffs()[..=space.params].to_vec();
        coeffs.extend(self.vars.iter().map(|v| e.dim_coeff(v.0)));
        Affine::from_coeffs(space, coeffs)
    }

    fn local_expr(&self, e: &Expr) -> Expr {
        map_expr(e, &|a| self.local(a))
    }

    /// Inside a loop: as much of its bounds as rows can say.
    pub(crate) fn in_loop(&self, f: &For) -> Result<Self> {
        let mut vars = self.vars.clone();
        vars.push(f.var);
        let mut inner = Self { vars, known: widen(&self.known, 1) };
        let space = inner.known.space();
        let var = Expr::Affine(Affine::dim(space, space.dims - 1));
        for (a, b) in [(inner.local_expr(&f.lower), var.clone()), (var, inner.local_expr(&f.upper))] {
            for form in less_eq_rows(&a, &b)?.0 {
                inner.known.add(Constraint::ge(form));
            }
        }
        Ok(inner)
    }

    /// With a value of the lanes' variable, any that may run.
    pub(crate) fn in_lanes(&self, lanes: Option<&Lanes>) -> Result<Self> {
        let Some(lanes) = lanes else { return Ok(self.clone()) };
        let mut vars = self.vars.clone();
        vars.push(lanes.var);
        let mut inner = Self { vars, known: widen(&self.known, 1) };
        let space = inner.known.space();
        let rows = rows_of(lanes, &Affine::dim(space, space.dims - 1), &|e| inner.local(e))?;
        rows.into_iter().for_each(|row| inner.known.add(row));
        Ok(inner)
    }

    /// The lanes that run in some iteration of loops that stand here, and what must hold for there to be one: where it does not, no lane runs. `None`: rows cannot say exactly that.
    pub(crate) fn any_iteration(
        &self,
        loops: &[For],
        lanes: &Lanes,
        space: Space,
        budget: &Budget,
    ) -> Result<Option<(Vec<Condition>, Lanes)>> {
        let mut inner = self.clone();
        for f in loops {
            let var = Expr::Affine(Affine::dim(space, f.var.0));
            if f.step != 1 || !less_eq_rows(&f.lower, &var)?.1 || !less_eq_rows(&var, &f.upper)?.1 {
                return Ok(None);
            }
            inner = inner.in_loop(f)?;
        }
        let lane = Expr::Affine(Affine::dim(space, lanes.var.0));
        let says_all = |a: &Expr, b: &Expr| Ok::<_, Error>(less_eq_rows(a, b)?.1);
        if !lanes.from.as_ref().map_or(Ok(true), |from| says_all(from, &lane))?
            || !lanes.to.as_ref().map_or(Ok(true), |to| says_all(&lane, to))?
        {
            return Ok(None);
        }
        let at = self.vars.len();
        let iterators: Vec<usize> = (at..at + loops.len()).collect();
        let found = inner.in_lanes(Some(lanes))?.known.project_out(&iterators, budget)?;
        if !found.exact {
            return Ok(None);
        }
        let all = self.in_lanes(Some(&Lanes { from: None, to: None, ..lanes.clone() }))?.known;
        let (mut conditions, mut from, mut to) = (Vec::new(), Vec::new(), Vec::new());
        for row in reduce(found.set.constraints(), &all, budget)? {
            for form in halves(&row)? {
                let mut rest = Affine::constant(space, form.constant_term());
                form.param_coeffs().iter().enumerate().for_each(|(p, c)| rest.set_param(p, *c));
                self.vars.iter().zip(form.dim_coeffs()).for_each(|(v, c)| rest.set_dim(v.0, *c));
                match form.dim_coeff(at) {
                    0 => conditions.push(condition(&Constraint::ge(rest))?),
                    1 => from.push(Expr::Affine(rest.scale(-1)?)),
                    -1 => to.push(Expr::Affine(rest.offset(1)?)),
                    _ => return Ok(None),
                }
            }
        }
        let from = (!from.is_empty()).then(|| max_of(from));
        let to = (!to.is_empty()).then(|| min_of(to));
        Ok(Some((conditions, Lanes { from, to, ..lanes.clone() })))
    }

    /// Where conditions hold.
    pub(crate) fn under(&self, conditions: &[Condition]) -> Result<Self> {
        let mut inner = self.clone();
        for condition in conditions {
            match map_condition(condition, &|e| self.local(e)) {
                Condition::LessEq(a, b) => {
                    for form in less_eq_rows(&a, &b)?.0 {
                        inner.known.add(Constraint::ge(form));
                    }
                }
                Condition::IsZero(Expr::Affine(e)) => inner.known.add(Constraint::eq(e)),
                Condition::IsZero(_) | Condition::Divides(..) | Condition::Granted(_) => {}
            }
        }
        Ok(inner)
    }

    /// In the body of code with scratch memory. Conditions for mirrors do not hold there: it runs without them, too.
    pub(crate) fn in_scratch(&self, scratch: &Scratch) -> Result<Self> {
        if scratch.mirrors { Ok(self.clone()) } else { self.under(&scratch.conditions) }
    }

    /// Where not all of these conditions hold.
    pub(crate) fn unless(&self, conditions: &[Condition]) -> Result<Self> {
        self.under(negation(conditions)?.as_slice())
    }

    /// Is the cell one and the same as long as the loops of this place stand still?
    pub(crate) fn fixes(&self, cell: &Cell) -> bool {
        cell.subscripts.iter().all(|e| {
            let outside = |d: usize| self.vars.iter().any(|v| v.0 == d);
            e.dim_coeffs().iter().enumerate().all(|(d, c)| *c == 0 || outside(d))
        })
    }

    /// Are all these forms of the AST `>= 0` here?
    pub(crate) fn knows(&self, forms: &[Affine], budget: &Budget) -> Result<bool> {
        for form in forms {
            if !implied(&Constraint::ge(self.local(form)), &self.known, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What is known of a lane that runs.
fn rows_of(lanes: &Lanes, lane: &Affine, local: &impl Fn(&Affine) -> Affine) -> Result<Vec<Constraint>> {
    let last = lane.scale(-1)?.offset(i64::from(lanes.width) - 1)?;
    let mut forms = vec![lane.clone(), last];
    if let Some(from) = &lanes.from {
        forms.extend(less_eq_rows(&map_expr(from, local), &Expr::Affine(lane.clone()))?.0);
    }
    if let Some(to) = &lanes.to {
        forms.extend(less_eq_rows(&Expr::Affine(lane.offset(1)?), &map_expr(to, local))?.0);
    }
    Ok(forms.into_iter().map(Constraint::ge).collect())
}

/// One access of one call.
struct Use {
    cell: Cell,
    kind: AccessKind,
    /// One cell, for certain.
    is_plain: bool,
    call: usize,
    scope: Rc<Scope>,
}

/// What takes as long as a step.
const USES_PER_STEP: u64 = 8;

/// The accesses of a stretch, in order of appearance.
#[derive(Default)]
pub(crate) struct Uses(Vec<Use>);

impl Uses {
    /// A step of the budget for [`USES_PER_STEP`] accesses.
    pub(crate) fn collect(
        scop: &Scop,
        space: Space,
        nodes: &[AstNode],
        scope: &Scope,
        budget: &Budget,
    ) -> Result<Self> {
        let mut uses = Self(Vec::new());
        let mut calls = 0;
        uses.add(scop, space, nodes, &Rc::new(scope.clone()), &mut calls)?;
        budget.spend(uses.0.len() as u64 / USES_PER_STEP)?;
        Ok(uses)
    }

    fn add(
        &mut self,
        scop: &Scop,
        space: Space,
        nodes: &[AstNode],
        scope: &Rc<Scope>,
        calls: &mut usize,
    ) -> Result<()> {
        let in_lanes = |lanes: Option<&Lanes>| match lanes {
            Some(_) => scope.in_lanes(lanes).map(Rc::new),
            None => Ok(Rc::clone(scope)),
        };
        for node in nodes {
            match node {
                AstNode::Call(call) => {
                    let statement = scop.statements.get(call.statement.0);
                    let statement = statement.ok_or_else(|| Error::Malformed("unknown statement".into()))?;
                    let scope = in_lanes(call.lanes.as_ref())?;
                    for access in &statement.accesses {
                        let cell = Cell { array: access.array, subscripts: subscripts(access, call, space)? };
                        let (kind, is_plain) = (access.kind, access.is_plain());
                        self.0.push(Use { cell, kind, is_plain, call: *calls, scope: Rc::clone(&scope) });
                    }
                    *calls += 1;
                }
                AstNode::Pack(p) => {
                    let cell = Cell { array: p.array, subscripts: p.subscripts.clone() };
                    let scope = in_lanes(p.lanes.as_ref())?;
                    self.0.push(Use { cell, kind: AccessKind::Read, is_plain: true, call: *calls, scope });
                    *calls += 1;
                }
                AstNode::Fetch(_) => {}
                AstNode::Scratch(s) => {
                    self.add(scop, space, &s.body, &Rc::new(scope.in_scratch(s)?), calls)?;
                    self.add(scop, space, &s.otherwise, scope, calls)?;
                }
                AstNode::For(f) => self.add(scop, space, &f.body, &Rc::new(scope.in_loop(f)?), calls)?,
                AstNode::Held(h) => self.add(scop, space, &h.body, scope, calls)?,
                AstNode::If { conditions, then, otherwise } => {
                    self.add(scop, space, then, &Rc::new(scope.under(conditions)?), calls)?;
                    self.add(scop, space, otherwise, &Rc::new(scope.unless(conditions)?), calls)?;
                }
            }
        }
        Ok(())
    }

    fn of<'a>(&'a self, cell: &'a Cell) -> impl Iterator<Item = &'a Use> {
        self.0.iter().filter(move |u| u.cell == *cell)
    }

    /// Every cell once.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let mut out = Vec::new();
        for u in &self.0 {
            if !out.contains(&u.cell) {
                out.push(u.cell.clone());
            }
        }
        out
    }

    /// Does every access to the array touch one cell, for certain? Cells of others stay in memory.
    pub(crate) fn are_plain(&self, array: ArrayId) -> bool {
        self.0.iter().all(|u| u.cell.array != array || u.is_plain)
    }

    pub(crate) fn touch(&self, cell: &Cell) -> bool {
        self.of(cell).next().is_some()
    }

    pub(crate) fn written(&self, cell: &Cell) -> bool {
        self.of(cell).any(|u| u.kind == AccessKind::Write)
    }

    pub(crate) fn read(&self, cell: &Cell) -> bool {
        self.of(cell).any(|u| u.kind == AccessKind::Read)
    }

    /// Does an access to the cell sit in a loop inside `scope`?
    pub(crate) fn in_loop(&self, cell: &Cell, scope: &Scope) -> bool {
        self.of(cell).any(|u| u.scope.vars.len() > scope.vars.len())
    }

    /// Number of calls that access the cell.
    pub(crate) fn calls(&self, cell: &Cell) -> usize {
        let mut calls: Vec<usize> = self.of(cell).map(|u| u.call).collect();
        calls.dedup();
        calls.len()
    }

    /// May some access under other subscripts touch the cell, in a way that matters?
    pub(crate) fn clash(&self, cell: &Cell, stored: bool, scope: &Scope, budget: &Budget) -> Result<bool> {
        debug_assert!(scope.fixes(cell));
        for u in self.0.iter().filter(|u| u.cell.array == cell.array && u.cell != *cell) {
            if !stored && u.kind == AccessKind::Read {
                continue;
            }
            let mut same = u.scope.known.clone();
            for (a, b) in u.cell.subscripts.iter().zip(&cell.subscripts) {
                same.add(Constraint::eq(u.scope.local(a).sub(&u.scope.local(b))?));
            }
            if !same.is_empty(budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// As [`Uses::clash`] for a cell that is stored and has lanes: does an access under other subscripts, or another lane of one, touch the cell of some lane?
    pub(crate) fn clash_in_lanes(&self, cell: &Cell, lanes: Option<&Lanes>, budget: &Budget) -> Result<bool> {
        let Some(lanes) = lanes else { return Ok(true) };
        // Lanes of one access are apart when a subscript changes with the lane.
        if cell.subscripts.iter().all(|e| e.dim_coeff(lanes.var.0) == 0) {
            return Ok(true);
        }
        for u in self.0.iter().filter(|u| u.cell.array == cell.array && u.cell != *cell) {
            if apart(&u.cell.subscripts, &cell.subscripts, lanes)? {
                continue;
            }
            let known = widen(&u.scope.known, 1);
            let space = known.space();
            let lane = Affine::dim(space, space.dims - 1);
            let mut same = known;
            rows_of(lanes, &lane, &|e| widen_expr(&u.scope.local(e), 1))?.into_iter().for_each(|row| same.add(row));
            for (a, b) in u.cell.subscripts.iter().zip(&cell.subscripts) {
                let (own, mut other) = (widen_expr(&u.scope.local(a), 1), b.clone());
                other.set_dim(lanes.var.0, 0);
                let other = widen_expr(&u.scope.local(&other), 1).combine(1, &lane, b.dim_coeff(lanes.var.0))?;
                same.add(Constraint::eq(own.sub(&other)?));
            }
            if !same.is_empty(budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Does some subscript differ, whatever the lanes? A quick test: only lanes and constants may be left in the difference.
fn apart(a: &[Affine], b: &[Affine], lanes: &Lanes) -> Result<bool> {
    let most = i64::from(lanes.width) - 1;
    for (x, y) in a.iter().zip(b) {
        let mut difference = x.sub(y)?;
        difference.set_dim(lanes.var.0, 0);
        if difference.is_constant() {
            // c + p l - q m with 0 <= l, m <= most
            let (c, p, q) = (difference.constant_term(), x.dim_coeff(lanes.var.0), y.dim_coeff(lanes.var.0));
            let reach = |v: i64| v.checked_mul(most).ok_or(polyhedra::Error::Overflow);
            let (p, q) = (reach(p)?, reach(q)?);
            let low = c.checked_add(p.min(0)).and_then(|v| v.checked_sub(q.max(0)));
            let high = c.checked_add(p.max(0)).and_then(|v| v.checked_sub(q.min(0)));
            if low.is_some_and(|v| v > 0) || high.is_some_and(|v| v < 0) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
