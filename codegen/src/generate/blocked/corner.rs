//! Corners: what is left of a tile where other statements run too, such as the triangle on the diagonal of a solve.
//!
//! # Problem
//! The micro-kernel takes the middle of the depth; in the corner the loops are short, have bounds that move, and run one row after the other:
//! `for k in 0..16 { for i in 0..4 { x[i][k] /= u[k][k]; for j in k + 1..16 { x[i][j] -= x[i][k] u[k][j] } } }`.
//!
//! # Method
//! Where the plan has a member that is parallel outside of the others ([`scheduler::kernel::Corner`]), it goes there, and all inside of it
//! is unrolled: for all of its values in the tile together if they are not too many, since what follows from a division waits for it, else for as many as a vector has lanes. Loops that have a known number of iterations between one of their lower bounds and one of their upper bounds can be; that no other bound cuts off more becomes a
//! condition. A member may be parallel only in tiles where it is beyond another one: so are the rows of a factorisation below the diagonal, and its columns above. At the ends of the domain tiles are smaller ([`super::boxes`]) and the last columns have masks; where a condition does not hold even so, the plain loops run. Lanes are made later, by [`crate::lanes`].

use super::depth::behind;
use super::{Blocked, State};
use crate::ast::{AstNode, Call, Condition, Expr, For, LoopKind, LoopVar};
use crate::generate::clean::in_one_space;
use crate::lanes::corners::{Distances, Families, MOST_CELLS, MOST_TOGETHER};
use crate::lanes::with_value;
use crate::sets::{condition, less_eq_rows, negated, reduce, widen};
use polyhedra::{Affine, Budget, Constraint, Polyhedron, Space};
use scheduler::Result;
use scheduler::kernel::Corner;

/// Most calls.
const MOST_CALLS: usize = 600;

/// Calls one after the other, and where they are those of some loops: all forms are `>= 0`.
struct Straight {
    calls: Vec<Call>,
    forms: Vec<Affine>,
}

/// The kernel in the middle of a tile's depth, by rows over `[1 | N | V t]`.
type Middle<'a> = dyn Fn(&[Constraint], &State) -> Result<Vec<AstNode>> + 'a;

impl Blocked<'_> {
    /// How many of the tiles of a tile loop have one corner: see [`Corner::tiles`]. Loops, copies and mirrors inside of it are for one tile each.
    pub(super) fn tiles_of_corner(&self, at: usize, state: &State) -> i64 {
        let (tile, plan) = (self.plan.tiles[at], self.plan);
        let is_last = at + 1 == plan.tiles.len()
            && plan.packs.iter().all(|pack| pack.depth <= at)
            && plan.mirrors.iter().all(|mirror| mirror.depth <= at);
        let has_corner = |corner: &&Corner| {
            corner.beyond.is_none() && corner.member == tile.member && tile.member + 1 == self.column()
        };
        let corner = plan.corners.first().filter(has_corner);
        corner.filter(|_| is_last && state.actives.len() > 1).map_or(1, |corner| corner.tiles)
    }

    /// Are we in several tiles of the rows, which have one corner?
    pub(super) fn is_of_several(&self, state: &State) -> Result<bool> {
        let Some(row) = self.column().checked_sub(1).filter(|row| *row >= self.first_row()) else { return Ok(false) };
        Ok(self.box_size(row, state)? > self.size_of(row)?)
    }

    /// The kernels of all tiles of rows here.
    pub(super) fn each_tile(&self, state: &State) -> Result<Vec<AstNode>> {
        if !self.is_of_several(state)? {
            return self.jam(state);
        }
        let row = self.column() - 1;
        self.tile(row, self.size_of(row)?, state, &|inner| {
            let kernels = self.jam(inner)?;
            let mut out = if kernels.is_empty() { Vec::new() } else { self.share_of_next(inner)? };
            out.extend(kernels);
            Ok(out)
        })
    }

    /// The points of a depth member that satisfy rows over `[1 | N | V t]`, where other statements run too.
    pub(super) fn corner(&self, depth: usize, rows: &[Constraint], state: &State) -> Result<Vec<AstNode>> {
        let points = |inner: &State| {
            let rows: Vec<Constraint> = rows.iter().map(|r| behind(r, inner.context.space().dims)).collect();
            self.points(depth, &rows, inner, &|inner| self.general(inner))
        };
        self.first_of(&self.plan.corners, state, &points)
    }

    /// The same of a tile whose middle ends at a row over `[1 | N | V t]`, with what is to run where the tile is not whole: a whole one has the kernel and the corner after each other, so that the sums stay in their registers
    /// ([`crate::joined`]). Where lanes are those of the kernel.
    pub(super) fn joined(
        &self,
        end: &Constraint,
        state: &State,
        otherwise: Vec<AstNode>,
        kernel: &Middle<'_>,
    ) -> Result<Vec<AstNode>> {
        let Some(&corner) = self.plan.corners.first() else { return Ok(otherwise) };
        let (member, size) = (self.plan.outer, self.size_of(corner.member)?);
        let alike =
            corner.member == self.column() && corner.lanes == self.plan.lanes && size % i64::from(corner.lanes) == 0;
        let is_tile = state.columns == size && state.first.is_none() && self.main(state).is_some();
        if !alike || !is_tile || corner.beyond.is_some() {
            return Ok(otherwise);
        }
        let whole = self.corners(state, &[corner.member])?;
        let mut full = state.clone();
        whole.iter().for_each(|row| full.context.add(row.clone()));
        if full.context.is_empty(self.maker.budget)? {
            return Ok(otherwise);
        }
        let after = [negated(&end.expr)?];
        let points = |inner: &State| {
            let rows: Vec<Constraint> = after.iter().map(|r| behind(r, inner.context.space().dims)).collect();
            self.points(member, &rows, inner, &|inner| self.general(inner))
        };
        let Some((across, forms)) = self.straight(corner, size, true, &full, &points)? else { return Ok(otherwise) };
        forms.iter().for_each(|form| full.context.add(Constraint::ge(form.clone())));
        let mut nodes = kernel(std::slice::from_ref(end), &full)?;
        nodes.push(AstNode::For(across));
        let mut conditions = Vec::new();
        for row in reduce(&whole, &state.context, self.maker.budget)? {
            conditions.push(condition(&row)?);
        }
        for form in forms {
            conditions.push(condition(&Constraint::ge(form))?);
        }
        Ok(if conditions.is_empty() { nodes } else { vec![AstNode::If { conditions, then: nodes, otherwise }] })
    }

    /// The first of some corners that may run here.
    fn first_of(
        &self,
        corners: &[Corner],
        state: &State,
        points: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        let Some((&corner, others)) = corners.split_first() else { return points(state) };
        let Some(other) = corner.beyond else { return self.in_lanes(corner, state, points) };
        let last = self.base(other, state)?.offset(self.box_size(other, state)? - 1)?;
        let beyond = Constraint::ge(self.base(corner.member, state)?.sub(&last)?.offset(-1)?);
        self.choice(state, &[beyond], &|inner| self.in_lanes(corner, inner, points), &|inner| {
            self.first_of(others, inner, points)
        })
    }

    /// The same where the member of a corner is parallel.
    fn in_lanes(
        &self,
        corner: Corner,
        state: &State,
        points: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        let (width, size) = (i64::from(corner.lanes), self.size_of(corner.member)?);
        if size % width != 0 {
            return points(state);
        }
        let by_columns = corner.member == self.column();
        let some = |state: &State| {
            // Neighbours, but for the last one in the box.
            let Some((across, forms)) = self.straight(corner, width, false, state, points)? else {
                return points(state);
            };
            self.guarded(&[], forms, across, points(state)?, state)
        };
        let by_vectors = |state: &State| {
            let columns = if by_columns { width } else { state.columns };
            self.tiles_where((corner.member, width, false), &[], state, &|inner| {
                let inner = State { columns, ..inner.clone() };
                self.across(corner, width, &inner, points, if by_columns { &some } else { points })
            })
        };
        // Two or three vectors of columns overlap by themselves (measured).
        if by_columns {
            return by_vectors(state);
        }
        let all = size.max(self.box_size(corner.member, state)?);
        if all == width {
            return by_vectors(state);
        }
        let lanes = if all % i64::from(self.plan.lanes) == 0 { self.plan.lanes } else { corner.lanes };
        self.across(Corner { lanes, ..corner }, all, state, points, &by_vectors)
    }

    /// A box of so many values of the corner's member as lanes, all its vectors together, where it is whole and what is inside can be unrolled; elsewhere what others do.
    fn across(
        &self,
        corner: Corner,
        most: i64,
        state: &State,
        points: &dyn Fn(&State) -> Result<Vec<AstNode>>,
        otherwise: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Vec<AstNode>> {
        if self.main(state).is_none() {
            return points(state);
        }
        let whole = self.corners(state, &[corner.member])?;
        let mut full = state.clone();
        whole.iter().for_each(|row| full.context.add(row.clone()));
        let otherwise = otherwise(state)?;
        match self.straight(corner, most, true, &full, points)? {
            Some((across, forms)) => self.guarded(&whole, forms, across, otherwise, state),
            None => Ok(otherwise),
        }
    }

    /// The loop where rows hold and forms over `[1 | N | V]` are `>= 0`, elsewhere the others.
    fn guarded(
        &self,
        rows: &[Constraint],
        forms: Vec<Affine>,
        across: For,
        otherwise: Vec<AstNode>,
        state: &State,
    ) -> Result<Vec<AstNode>> {
        let mut conditions = Vec::new();
        for row in reduce(rows, &state.context, self.maker.budget)? {
            conditions.push(condition(&row)?);
        }
        for form in forms {
            conditions.push(condition(&Constraint::ge(form))?);
        }
        let then = vec![AstNode::For(across)];
        Ok(if conditions.is_empty() { then } else { vec![AstNode::If { conditions, then, otherwise }] })
    }

    /// A loop over the values of the corner's member, all inside of it unrolled, that may become lanes: `most` of them (`whole`), or no more.
    fn straight(
        &self,
        corner: Corner,
        most: i64,
        whole: bool,
        state: &State,
        points: &dyn Fn(&State) -> Result<Vec<AstNode>>,
    ) -> Result<Option<(For, Vec<Affine>)>> {
        let kind = LoopKind::Corner { width: corner.lanes, apart: false };
        let loops = self.points_of(kind, corner.member, &[], state, points)?;
        self.unrolled(loops, &state.context, most, whole, corner)
    }

    /// A loop of so many iterations, or no more, that may become lanes with all inside unrolled, and the forms over `[1 | N | V]` that must be `>= 0` for that.
    fn unrolled(
        &self,
        loops: Vec<AstNode>,
        context: &Polyhedron,
        most: i64,
        whole: bool,
        corner: Corner,
    ) -> Result<Option<(For, Vec<Affine>)>> {
        let place = context.space();
        let Ok([AstNode::For(f)]) = <[AstNode; 1]>::try_from(in_one_space(loops, place.params, place.dims)) else {
            return Ok(None);
        };
        let (Expr::Affine(lower), Some(upper)) = (&f.lower, bounds(&f.upper, false)) else { return Ok(None) };
        let last = lower.offset(most - 1)?;
        let fits = if whole { upper == [&last] } else { matches!(f.upper, Expr::Min(_)) && upper.contains(&&last) };
        if !fits || !matches!(f.kind, LoopKind::Corner { .. }) {
            return Ok(None);
        }
        let mut unroller = Unroller {
            across: f.var,
            budget: self.maker.budget,
            straight: Straight { calls: Vec::new(), forms: Vec::new() },
        };
        if !unroller.list(&f.body)? {
            return Ok(None);
        }
        let Straight { calls, forms } = unroller.straight;
        let inside = Space::new(place.params, place.dims + 1);
        let cut = |e: &Affine, space: Space| Affine::from_coeffs(space, e.coeffs()[..space.columns()].to_vec());
        let calls: Vec<Call> = calls
            .into_iter()
            .map(|c| Call { iterators: c.iterators.iter().map(|e| cut(e, inside)).collect(), ..c })
            .collect();
        let mut known = widen(context, 1);
        let at = Affine::dim(inside, place.dims);
        known.add(Constraint::ge(at.sub(&cut(lower, inside))?));
        for bound in &upper {
            known.add(Constraint::ge(cut(bound, inside).sub(&at)?));
        }
        let apart = |differences: &[Affine], distances: &Distances| {
            let mut met = known.clone();
            for (e, &(least, most)) in differences.iter().zip(distances) {
                met.add(Constraint::ge(e.offset(least.checked_neg().ok_or(polyhedra::Error::Overflow)?)?));
                met.add(Constraint::ge(e.scale(-1)?.offset(most)?));
            }
            Ok(met.is_empty(self.maker.budget)?)
        };
        let families = Families::of(self.maker.scop, inside, &calls, f.var, apart)?;
        let Some(families) = families else { return Ok(None) };
        let kind = LoopKind::Corner { width: corner.lanes, apart: families.has_others() };
        let vectors = usize::try_from(most / i64::from(corner.lanes)).unwrap_or(usize::MAX);
        // Tiles off the diagonal are many, and one of them does not wait for the next: measured, what registers do not hold is not worth the code.
        let registers = if corner.beyond.is_some() { MOST_CELLS } else { MOST_TOGETHER };
        if calls.is_empty() || (vectors > 1 && families.registers(vectors) > registers) {
            return Ok(None);
        }
        let upper: Vec<Expr> = upper.into_iter().map(|e| Expr::Affine(cut(e, place))).collect();
        let lower = Expr::Affine(cut(lower, place));
        let upper = if let [one] = &upper[..] { one.clone() } else { Expr::Min(upper) };
        let body = calls.into_iter().map(AstNode::Call).collect();
        let forms = forms.iter().map(|e| cut(e, place)).collect();
        Ok(Some((For { lower, upper, kind, body, ..f }, forms)))
    }
}

struct Unroller<'a> {
    /// The variable of the loop that is to be in lanes.
    across: LoopVar,
    budget: &'a Budget,
    straight: Straight,
}

impl Unroller<'_> {
    /// `false`: something cannot be unrolled.
    fn list(&mut self, nodes: &[AstNode]) -> Result<bool> {
        for node in nodes {
            let good = match node {
                AstNode::Call(call) => {
                    self.budget.spend(1)?;
                    self.straight.calls.push(call.clone());
                    let in_place = call.packed.is_empty() && call.mirrored.is_empty();
                    in_place && self.straight.calls.len() <= MOST_CALLS
                }
                AstNode::For(f) => self.whole(f)?,
                AstNode::If { conditions, then, otherwise } => match self.holds(conditions)? {
                    Some(true) => self.list(then)?,
                    Some(false) => self.list(otherwise)?,
                    None => otherwise.is_empty() && self.need_all(conditions)? && self.list(then)?,
                },
                AstNode::Held(_) | AstNode::Pack(_) | AstNode::Fetch(_) | AstNode::Scratch(_) => false,
            };
            if !good {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Do conditions on numbers hold? `None`: they are no such.
    fn holds(&self, conditions: &[Condition]) -> Result<Option<bool>> {
        let mut all = Some(true);
        for condition in conditions {
            let (forms, complete) = match condition {
                Condition::LessEq(a, b) => less_eq_rows(a, b)?,
                Condition::IsZero(Expr::Affine(e)) => (vec![e.clone(), e.scale(-1)?], true),
                Condition::IsZero(_) | Condition::Divides(..) | Condition::Granted(_) => (Vec::new(), false),
            };
            if forms.iter().any(|form| form.is_constant() && form.constant_term() < 0) {
                return Ok(Some(false));
            }
            if !complete || !forms.iter().all(Affine::is_constant) {
                all = None;
            }
        }
        Ok(all)
    }

    fn need_all(&mut self, conditions: &[Condition]) -> Result<bool> {
        for condition in conditions {
            let Condition::LessEq(a, b) = condition else { return Ok(false) };
            let (forms, complete) = less_eq_rows(a, b)?;
            if !complete || !forms.into_iter().all(|form| self.need(form)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Wants a form to be `>= 0`; `false`: it never is, or not for all lanes alike.
    fn need(&mut self, form: Affine) -> bool {
        if form.is_constant() {
            return form.constant_term() >= 0;
        }
        let alike = form.dim_coeff(self.across.0) == 0;
        if alike && !self.straight.forms.contains(&form) {
            self.straight.forms.push(form);
        }
        alike
    }

    /// All iterations of a loop between the bounds that are closest to each other.
    fn whole(&mut self, f: &For) -> Result<bool> {
        let (Some(lower), Some(upper)) = (bounds(&f.lower, true), bounds(&f.upper, false)) else { return Ok(false) };
        if f.step != 1 {
            return Ok(false);
        }
        let mut closest: Option<(i64, &Affine, &Affine)> = None;
        for &low in &lower {
            for &high in &upper {
                let distance = high.sub(low)?;
                let constant = distance.constant_term();
                if distance.is_constant() && closest.is_none_or(|(least, ..)| constant < least) {
                    closest = Some((constant, low, high));
                }
            }
        }
        let Some((distance, low, high)) = closest else { return Ok(false) };
        if distance < 0 {
            return Ok(true);
        }
        if usize::try_from(distance).is_ok_and(|d| d >= MOST_CALLS) {
            return Ok(false);
        }
        for other in lower {
            if !self.need(low.sub(other)?) {
                return Ok(false);
            }
        }
        for other in upper {
            if !self.need(other.sub(high)?) {
                return Ok(false);
            }
        }
        for k in 0..=distance {
            if !self.list(&with_value(&f.body, f.var, &low.offset(k)?)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The forms that all bound a loop: of which a lower bound is the largest, an upper one the least. `None` where some is no form, or
/// where only one of several need hold: the least of the lower bounds of what shares a loop (`Scan::hull`).
fn bounds(e: &Expr, lower: bool) -> Option<Vec<&Affine>> {
    match (e, lower) {
        (Expr::Affine(e), _) => Some(vec![e]),
        (Expr::Max(list), true) | (Expr::Min(list), false) => {
            list.iter().map(|e| if let Expr::Affine(e) = e { Some(e) } else { None }).collect()
        }
        _ => None,
    }
}
