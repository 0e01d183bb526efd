//! The depth of a micro-kernel: its loop cut where bounds couple it with rows or columns, where other statements run, and into groups of steps.

use super::{Blocked, Entered, Rows, State, Step, drop_last, equal, widen_expr, within};
use crate::ast::{AstNode, Call, Condition, Expr, For, LoopKind};
use crate::generate::scan::{Spec, restricted, scan};
use crate::sets::{halves, negated, reduce, widen};
use polyhedra::{Affine, Constraint, Polyhedron, Space};
use scheduler::Result;

/// Loops of more iterations are cut where fewer than all lanes run.
const MOST_MASKED: i64 = 16;

/// With fewer steps in a group what is left at the end runs step by step.
const FEWEST: i64 = 4;

impl Blocked<'_> {
    /// The loop of a depth member, cut where its bounds depend on rows or columns.
    pub(super) fn depth(&self, member: usize, state: &State, rows: Rows) -> Result<Vec<AstNode>> {
        let next = |inner: &State| self.step(Step::Depth(member + 1), inner, rows);
        let all = |rows: &[Constraint]| self.points(member, rows, state, &next);
        // One row at a time has no use for blocks.
        let square = self.plan.rows.is_empty() || rows == Rows::Jammed;
        let stepped = self.plan.steps > 1 && square && !state.few && member + 1 == self.first_row();
        let middle = |rows: &[Constraint]| if stepped { self.steps(member, rows, state, &next) } else { all(rows) };
        if let Some(kept) = &state.middle {
            let kept: Vec<Constraint> = kept.iter().map(|row| behind(row, state.context.space().dims)).collect();
            return middle(&kept);
        }
        let jammed: Vec<usize> = match rows {
            Rows::Jammed => (self.first_row()..self.members.len()).collect(),
            Rows::Plain => vec![self.column()],
        };
        let core = self.core(member, state, &jammed)?;
        let Some(main) = self.main(state) else { return Ok(Vec::new()) };
        let range = self.range(state, self.opened(main, state, &equal, member)?)?;
        if !stepped && self.is_masked(member, &range.shadow, state) {
            return all(&[]);
        }
        let known = range.shadow.intersect(&widen(&state.context, 1));
        self.pieces(&reduce(&core, &known, self.maker.budget)?, state, &all, &middle)
    }

    /// Does a depth member with this shadow run with masks wherever not all lanes run, instead of being cut? Inside of other depth loops, over all of which cells are held, a few steps with masks take less than
    /// to give the cells back in between. Few by rows of its own.
    pub(super) fn is_masked(&self, member: usize, shadow: &Polyhedron, state: &State) -> bool {
        if member == self.plan.outer {
            return false;
        }
        let at = state.context.space().dims;
        let (mut first, mut last) = (None::<i64>, None::<i64>);
        for row in shadow.constraints() {
            let others = row.expr.dim_coeffs().iter().enumerate().any(|(d, c)| d != at && *c != 0);
            let alone = !others && row.expr.param_coeffs().iter().all(|c| *c == 0);
            let constant = row.expr.constant_term();
            match row.expr.dim_coeff(at) {
                1 if alone => first = first.max(constant.checked_neg()),
                -1 if alone => last = Some(last.map_or(constant, |last| last.min(constant))),
                _ => {}
            }
        }
        first.zip(last).and_then(|(first, last)| last.checked_sub(first)).is_some_and(|points| points < MOST_MASKED)
    }

    /// The points of the innermost depth member that satisfy rows over `[1 | N | V t]`, in groups of so many: whole groups are boxes, to be unrolled, the others plain loops.
    fn steps(
        &self,
        member: usize,
        rows: &[Constraint],
        state: &State,
        next: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        let (at, size) = (state.context.space().dims, self.plan.steps);
        let Some(main) = self.main(state) else { return Ok(Vec::new()) };
        let points = self.range(state, self.opened(main, state, &equal, member)?)?;
        let points = rows.iter().fold(points.shadow, |set, row| set.with(row.clone()));
        // The groups, by their number `g`: those of which a point satisfies the rows; and the worst of all points, `size g` or `size g + size - 1`.
        let group = Affine::dim(points.space(), at).scale(size)?;
        let mut whole = Vec::new();
        let mut some = Vec::new();
        for row in points.constraints() {
            for form in halves(row)? {
                let c = form.dim_coeff(at);
                if c == 0 {
                    continue;
                }
                let mut fixed = form.clone();
                fixed.set_dim(at, 0);
                let ends = [fixed.combine(1, &group, c)?, fixed.combine(1, &group.offset(size - 1)?, c)?];
                let [worst, best] = if c > 0 { ends } else { [ends[1].clone(), ends[0].clone()] };
                whole.push(Constraint::ge(worst));
                some.push(Constraint::ge(best));
            }
        }
        let known = some.iter().fold(widen(&state.context, 1), |set, row| set.with(row.clone()));
        let groups = |state: &State, kept: &[Constraint], body: &dyn Fn(&State) -> Result<Vec<AstNode>>| {
            let tie = |row: &Affine, g: &Affine| within(row, g, size);
            let mut ranges = self.ranges(state, &tie, member)?;
            for range in &mut ranges {
                let kept: Vec<Constraint> = some.iter().chain(kept).cloned().collect();
                kept.iter().for_each(|row| range.shadow.add(row.clone()));
                range.active = restricted(&range.active, &kept);
            }
            // For the micro-kernel it is a loop over the depth like any other.
            let spec = Spec { kind: LoopKind::Point, parallel: false, separate: false };
            scan(self.maker, spec, &ranges, &state.context, &|actives, inner, value| {
                let mut next = state.deeper(actives, inner);
                next.tiles.push(Entered { member, size, value: value.clone(), planned: false });
                body(&next)
            })
        };
        self.pieces(
            &reduce(&whole, &known, self.maker.budget)?,
            state,
            &|kept| {
                let some = |inner: &State| {
                    let rows: Vec<Constraint> = rows.iter().map(|r| behind(r, inner.context.space().dims)).collect();
                    self.points(member, &rows, inner, next)
                };
                // What is left at the end.
                let is_last = kept.last().is_some_and(|row| row.expr.dim_coeff(at) > 0) && size >= FEWEST;
                let Some((first, room)) = (if is_last { last_box(&points, at, size)? } else { None }) else {
                    return groups(state, kept, &some);
                };
                let last = |inner: &State| {
                    let first = widen_expr(&first, inner.context.space().dims - at);
                    match self.last_rows(member, &first, inner, next)? {
                        Some(body) => Ok(body),
                        None => some(inner),
                    }
                };
                let room: Vec<Constraint> = room.into_iter().map(Constraint::ge).collect();
                self.choice(state, &room, &|state| Ok(at_most_once(groups(state, kept, &last)?)), &|state| {
                    groups(state, kept, &some)
                })
            },
            &|kept| {
                groups(state, kept, &|inner| {
                    self.whole_box(member, size, LoopKind::Rows { most: size, last: false }, inner, next)
                })
            },
        )
    }

    /// The last group of steps of a depth member, not all of which are left, as a box that begins here, with steps of the group before: these are skipped by a condition, but what they read comes in the same squares. `None`: an
    /// instance that is skipped may be none of the program.
    fn last_rows(
        &self,
        member: usize,
        first: &Affine,
        state: &State,
        next: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Option<Vec<AstNode>>> {
        let (at, most) = (state.context.space().dims, self.plan.steps);
        let body = self.box_from(member, first, most, LoopKind::Rows { most, last: true }, state, next)?;
        Ok(self.are_there(&body, at, first, most, &state.context)?.then_some(body))
    }

    /// Are all instances there, for so many values of variable `at` from the first, whose instance for the last of these is? Of all calls, over the variables of their places, of which those around the first have this context.
    pub(super) fn are_there(
        &self,
        nodes: &[AstNode],
        at: usize,
        first: &Affine,
        many: i64,
        context: &Polyhedron,
    ) -> Result<bool> {
        let all = calls(nodes);
        for call in &all {
            let Some(place) = call.iterators.first().map(Affine::space) else { return Ok(false) };
            let domain = self.maker.statement(call.statement)?.domain.preimage(&call.iterators, place)?;
            let first = widen_expr(first, place.dims - first.space().dims);
            let (first, last) = (with_time(&domain, at, &first)?, with_time(&domain, at, &first.offset(many - 1)?)?);
            let known = last.intersect(&widen(context, place.dims - context.space().dims));
            if !reduce(first.constraints(), &known, self.maker.budget)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(!all.is_empty())
    }

    /// Rows over `[1 | N | V t]`, `t` the time of a depth member: where they hold all of the box runs that has a point at all.
    pub(super) fn core(&self, member: usize, state: &State, jammed: &[usize]) -> Result<Vec<Constraint>> {
        let at = state.context.space().dims;
        let mut seen = vec![member];
        seen.extend(jammed);
        let mut core = Vec::new();
        for row in self.shadow(state, &seen)?.0.constraints() {
            for form in halves(row)? {
                let couples = form.dim_coeff(at) != 0 && form.dim_coeffs()[at + 1..].iter().any(|c| *c != 0);
                if couples {
                    core.push(Constraint::ge(self.worst(state, &form, jammed)?));
                }
            }
        }
        Ok(core)
    }

    /// The line of a depth member cut by rows over `[1 | N | V t]`: where one does not hold, and the middle where all do; in order.
    fn pieces(
        &self,
        core: &[Constraint],
        state: &State,
        outside: &dyn Fn(&[Constraint]) -> Result<Vec<AstNode>>,
        middle: &dyn Fn(&[Constraint]) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        let at = state.context.space().dims;
        // `t` grows with the form: a lower bound; the points that break it come before.
        let (lower, upper): (Vec<Constraint>, Vec<Constraint>) =
            core.iter().cloned().partition(|c| c.expr.dim_coeff(at) > 0);
        let mut out = Vec::new();
        for (k, row) in lower.iter().enumerate() {
            let mut piece = lower[..k].to_vec();
            piece.push(negated(&row.expr)?);
            out.extend(outside(&piece)?);
        }
        let mut all = lower.clone();
        all.extend(upper.iter().cloned());
        out.extend(middle(&all)?);
        for (k, row) in upper.iter().enumerate().rev() {
            let mut piece = lower.clone();
            piece.extend(upper[..k].iter().cloned());
            piece.push(negated(&row.expr)?);
            out.extend(outside(&piece)?);
        }
        Ok(out)
    }

    /// A tile with other statements in it: the micro-kernel in the middle of the depth, where they do not run; plain loops elsewhere.
    pub(super) fn together(&self, state: &State) -> Result<Vec<AstNode>> {
        let member = self.plan.outer;
        if member + 1 != self.first_row() {
            return self.general(state);
        }
        let jammed: Vec<usize> = (self.first_row()..self.members.len()).collect();
        let mut core = self.core(member, state, &jammed)?;
        let known = widen(&state.context, 1);
        // Nothing of the others may run anywhere between the ends of the middle, whether the statement itself does or not.
        let inside = core.iter().fold(known.clone(), |set, row| set.with(row.clone()));
        match self.without_others(member, state, &inside)? {
            Some(rows) => core.extend(rows),
            None => return self.general(state),
        }
        let core = reduce(&core, &known, self.maker.budget)?;
        let kernel = |rows: &[Constraint], state: &State| {
            let actives = self.main(state).cloned().into_iter().collect();
            self.each_tile(&State { actives, middle: Some(rows.to_vec()), ..state.clone() })
        };
        let nodes = self.pieces(&core, state, &|rows| self.corner(member, rows, state), &|rows| kernel(rows, state))?;
        match core.as_slice() {
            [end] if end.expr.dim_coeff(state.context.space().dims) < 0 => self.joined(end, state, nodes, &kernel),
            _ => Ok(nodes),
        }
    }

    /// Rows over `[1 | N | V t]`, `t` the time of a depth member, that keep all other statements out of a set, each by one of its shadow's, and leave some of the micro-kernel's; `None`:
    /// there are none.
    fn without_others(&self, member: usize, state: &State, inside: &Polyhedron) -> Result<Option<Vec<Constraint>>> {
        let at = state.context.space().dims;
        let own = self.shadow(state, &[member])?.0;
        let mut out: Vec<Constraint> = Vec::new();
        for other in state.actives.iter().filter(|a| a.id != self.id) {
            let shadow = self.shadow_of(other, state, &[member])?.0;
            let known = out.iter().fold(inside.clone(), |set, row| set.with(row.clone()));
            if shadow.intersect(&known).is_empty(self.maker.budget)? {
                continue;
            }
            let kept = known.intersect(&own);
            let mut best = None;
            for row in shadow.constraints() {
                for form in halves(row)? {
                    let outside = negated(&form)?;
                    let possible =
                        form.dim_coeff(at) != 0 && !kept.clone().with(outside.clone()).is_empty(self.maker.budget)?;
                    // Micro-kernels mostly come before what ends the work on a cell.
                    let upper = outside.expr.dim_coeff(at) < 0;
                    if possible && (best.is_none() || upper) {
                        best = Some(outside);
                    }
                }
            }
            let Some(row) = best else { return Ok(None) };
            out.push(row);
        }
        Ok(Some(out))
    }
}

/// A row over `[1 | N | V t]` with further variables between `V` and `t`, which becomes dimension `at`.
pub(super) fn behind(row: &Constraint, at: usize) -> Constraint {
    let space = row.expr.space();
    let mut map: Vec<usize> = (0..space.dims).collect();
    if let Some(last) = map.last_mut() {
        *last = at;
    }
    Constraint { kind: row.kind, expr: row.expr.embed(Space::new(space.params, at + 1), &map) }
}

/// Where the last so many points of dimension `at` begin, if their end is one form; and forms that are not negative where there are so many. Both without that dimension.
pub(super) fn last_box(points: &Polyhedron, at: usize, size: i64) -> Result<Option<(Affine, Vec<Affine>)>> {
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for row in points.constraints() {
        for mut form in halves(row)? {
            let c = form.dim_coeff(at);
            form.set_dim(at, 0);
            match c {
                0 => {}
                1 => lower.push(form),
                -1 => upper.push(form),
                _ => return Ok(None),
            }
        }
    }
    let [last] = upper.as_slice() else { return Ok(None) };
    let first = last.offset(1 - size)?;
    // t + a >= 0 at the first.
    let room = lower.iter().map(|form| Ok(drop_last(&form.add(&first)?))).collect::<Result<_>>()?;
    Ok(Some((drop_last(&first), room)))
}

/// The set where a dimension has this value.
fn with_time(set: &Polyhedron, at: usize, value: &Affine) -> Result<Polyhedron> {
    let space = set.space();
    let map: Vec<Affine> =
        (0..space.dims).map(|d| if d == at { value.clone() } else { Affine::dim(space, d) }).collect();
    Ok(set.preimage(&map, space)?)
}

/// All calls among nodes.
fn calls(nodes: &[AstNode]) -> Vec<&Call> {
    nodes.iter().flat_map(calls_of).collect()
}

fn calls_of(node: &AstNode) -> Vec<&Call> {
    match node {
        AstNode::Call(call) => vec![call],
        AstNode::For(f) => calls(&f.body),
        AstNode::If { then, otherwise, .. } => calls(then).into_iter().chain(calls(otherwise)).collect(),
        AstNode::Held(h) => calls(&h.body),
        AstNode::Scratch(s) => calls(&s.body).into_iter().chain(calls(&s.otherwise)).collect(),
        AstNode::Pack(_) | AstNode::Fetch(_) => Vec::new(),
    }
}

/// Loops that are known to have no more than one iteration as one under a condition.
fn at_most_once(nodes: Vec<AstNode>) -> Vec<AstNode> {
    let once = |node| match node {
        AstNode::For(f) if has_one_at_most(&f.lower, &f.upper) => {
            let conditions = vec![Condition::LessEq(f.lower, f.upper.clone())];
            let then = vec![AstNode::For(For { lower: f.upper.clone(), ..f })];
            AstNode::If { conditions, then, otherwise: Vec::new() }
        }
        other => other,
    };
    nodes.into_iter().map(once).collect()
}

/// Is there no more than one number between these, whatever they are?
fn has_one_at_most(lower: &Expr, upper: &Expr) -> bool {
    match (lower, upper) {
        (Expr::Max(all), _) => all.iter().any(|lower| has_one_at_most(lower, upper)),
        (Expr::CeilDiv(a, by), Expr::FloorDiv(b, d)) if by == d => match (a.as_ref(), b.as_ref()) {
            (Expr::Affine(a), Expr::Affine(b)) => b.sub(a).is_ok_and(|e| e.is_constant() && e.constant_term() < *d),
            _ => false,
        },
        _ => false,
    }
}
