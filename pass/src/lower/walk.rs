//! Loops, branches and the order of things.
//!
//! ```text
//! here ── lower < end? ──┬── preheader ── header ... latch ── (next < end) header
//!                        │                             └──── exit ──┐
//!                        └── (no) ──────────────────────────────── after
//! ```
//! The test before a loop is left out where exact arithmetic shows that the loop has a trip. A body without inner control flow is one block. Step 1 ends by `next =
//! end`, so that the number of trips is `end - lower` whatever is known.

use super::rotated::Stays;
use super::straight::Straight;
use super::{Emitter, LowerError, Result};
use crate::llvm::build::Compare;
use crate::llvm::{Block, Value};
use crate::options::Stage;
use crate::raise::region::DONE_PROPERTY;
use codegen::ast::{AstNode, Condition, Expr, For, Lanes, LoopKind, negation};
use polyhedra::{Affine, Budget, Constraint, Matrix, Polyhedron, Space};
use scheduler::scop::Scop;

/// Loops of no more trips than this are no place for vectors that LLVM makes.
const FEW_ROWS: i64 = 16;

/// Which trips of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    All,
    /// Those that fill so many vectors of LLVM's.
    Vectors,
    /// Those behind them.
    Rest,
}

/// So many vectors LLVM takes at once where cells are handed on from vector to vector.
const INTERLEAVED: u32 = 2;

/// How much of the AST has been made.
pub(super) struct Progress {
    /// Calls in the AST.
    pub(super) total: usize,
    done: usize,
}

impl Progress {
    pub(super) fn of(nodes: &[AstNode]) -> Self {
        Self { total: count(nodes), done: 0 }
    }
}

fn count(nodes: &[AstNode]) -> usize {
    nodes
        .iter()
        .map(|n| match n {
            AstNode::Call(_) => 1,
            AstNode::Pack(_) | AstNode::Fetch(_) => 0,
            AstNode::Scratch(s) => count(&s.body) + count(&s.otherwise),
            AstNode::For(f) => count(&f.body),
            AstNode::Held(h) => count(&h.body),
            AstNode::If { then, otherwise, .. } => count(then) + count(otherwise),
        })
        .sum()
}

fn has_loop(nodes: &[AstNode]) -> bool {
    nodes.iter().any(|n| match n {
        AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => false,
        AstNode::For(_) => true,
        AstNode::Held(h) => has_loop(&h.body),
        AstNode::If { then, otherwise, .. } => has_loop(then) || has_loop(otherwise),
        AstNode::Scratch(s) => has_loop(&s.body) || has_loop(&s.otherwise),
    })
}

/// Are there vectors already?
fn has_lanes(nodes: &[AstNode]) -> bool {
    any_lanes(nodes, &|_| true)
}

/// Are there such lanes of calls or copies?
fn any_lanes(nodes: &[AstNode], are: &impl Fn(&Lanes) -> bool) -> bool {
    nodes.iter().any(|n| match n {
        AstNode::Call(call) => call.lanes.as_ref().is_some_and(are),
        AstNode::Pack(pack) => pack.lanes.as_ref().is_some_and(are),
        AstNode::Fetch(_) => false,
        AstNode::For(f) => any_lanes(&f.body, are),
        AstNode::Held(h) => any_lanes(&h.body, are),
        AstNode::If { then, otherwise, .. } => any_lanes(then, are) || any_lanes(otherwise, are),
        AstNode::Scratch(s) => any_lanes(&s.body, are) || any_lanes(&s.otherwise, are),
    })
}

/// Loops of fewer trips, if their number is a constant, do not count for the order of work.
const LONG: i64 = 64;

/// The largest number of dimensions in which long loops move a statement: work is of this order in the sizes.
pub(super) fn order(nodes: &[AstNode]) -> Result<usize> {
    order_but_for(nodes, &mut Vec::new())
}

fn order_but_for(nodes: &[AstNode], short: &mut Vec<usize>) -> Result<usize> {
    let mut most = 0;
    for node in nodes {
        most = most.max(match node {
            AstNode::Call(call) => {
                let moved = |e: &Affine| {
                    let mut row = e.dim_coeffs().to_vec();
                    short.iter().for_each(|&d| row[d] = 0);
                    row
                };
                let columns = call.iterators.first().map_or(0, |e| e.space().dims);
                Matrix::new(call.iterators.iter().map(moved).collect(), columns).rank()?
            }
            AstNode::Pack(_) | AstNode::Fetch(_) => 0,
            AstNode::For(f) => {
                let outside = short.len();
                if trips(f).is_some_and(|n| n < LONG) {
                    short.push(f.var.0);
                }
                let order = order_but_for(&f.body, short)?;
                short.truncate(outside);
                order
            }
            AstNode::Held(h) => order_but_for(&h.body, short)?,
            AstNode::If { then, otherwise, .. } => order_but_for(then, short)?.max(order_but_for(otherwise, short)?),
            AstNode::Scratch(s) => order_but_for(&s.body, short)?.max(order_but_for(&s.otherwise, short)?),
        });
    }
    Ok(most)
}

/// The number of trips, where that is a constant.
fn trips(f: &For) -> Option<i64> {
    let (Expr::Affine(lower), Expr::Affine(upper)) = (&f.lower, &f.upper) else { return None };
    let last = upper.sub(lower).ok().filter(Affine::is_constant)?.constant_term();
    last.checked_div(f.step)?.checked_add(1)
}

/// What holds at a place in the loops: rows over `[1 | N | loop variables]`.
pub(super) struct Known {
    space: Space,
    rows: Vec<Constraint>,
}

/// A bound `ceil(form / div)` or `floor(form / div)`.
type Quotient = (Affine, i64);

impl Known {
    pub(super) fn new(scop: &Scop, space: Space) -> Self {
        let context = scop.context.as_ref().filter(|c| c.space().params == space.params);
        let rows = context.map(|c| c.embed(space, &[]).constraints().to_vec()).unwrap_or_default();
        Self { space, rows }
    }

    /// Adds what `a <= b` says.
    pub(super) fn less_eq(&mut self, a: &Expr, b: &Expr) -> Result<()> {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        quotients(a, true, &mut lower);
        quotients(b, false, &mut upper);
        for (x, p) in &lower {
            for (y, q) in &upper {
                // x / p <= y / q
                self.rows.push(Constraint::ge(y.combine(*p, x, -*q)?));
            }
        }
        Ok(())
    }

    /// How much is known; for [`Self::forget`].
    pub(super) fn mark(&self) -> usize {
        self.rows.len()
    }

    /// Forgets what was learnt since.
    pub(super) fn forget(&mut self, mark: usize) {
        self.rows.truncate(mark);
    }

    /// Adds what conditions say.
    pub(super) fn assume(&mut self, conditions: &[Condition]) -> Result<()> {
        for condition in conditions {
            match condition {
                Condition::LessEq(a, b) => self.less_eq(a, b)?,
                Condition::IsZero(Expr::Affine(e)) => self.rows.push(Constraint::eq(e.clone())),
                Condition::IsZero(_) | Condition::Divides(..) | Condition::Granted(_) => {}
            }
        }
        Ok(())
    }

    /// Is `a <= b` for certain?
    pub(super) fn implies_less_eq(&self, a: &Expr, b: &Expr, budget: &Budget) -> Result<bool> {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        if !quotients(a, true, &mut lower) || !quotients(b, false, &mut upper) {
            return Ok(false);
        }
        for (x, p) in &lower {
            for (y, q) in &upper {
                // ceil(x / p) <= floor(y / q) iff q x <= y for p = 1, x <= p y for q = 1; else enough: (x + p - 1) / p <= (y - q + 1) / q.
                let slack = if *p == 1 || *q == 1 { 0 } else { q * (p - 1) + p * (q - 1) };
                let form = y.combine(*p, x, -*q)?.offset(-slack)?;
                if !self.implies(&form, budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(!lower.is_empty() && !upper.is_empty())
    }

    /// Are the forms never all zero here?
    pub(super) fn excludes_zeros(&self, forms: &[Affine], budget: &Budget) -> Result<bool> {
        if forms.iter().any(|e| e.is_constant() && e.constant_term() != 0) {
            return Ok(true);
        }
        let (mut known, local) = self.in_used_columns(forms);
        local.into_iter().for_each(|e| known.add(Constraint::eq(e)));
        Ok(known.is_empty(budget)?)
    }

    /// Is the form `>= 0` here?
    fn implies(&self, form: &Affine, budget: &Budget) -> Result<bool> {
        if form.is_constant() {
            return Ok(form.constant_term() >= 0);
        }
        let (known, local) = self.in_used_columns(std::slice::from_ref(form));
        let mut all = true;
        for e in local {
            all &= known.implies(&Constraint::ge(e), budget)?;
        }
        Ok(all)
    }

    /// What is known, and forms, in a space that has only the loop variables that are mentioned.
    fn in_used_columns(&self, forms: &[Affine]) -> (Polyhedron, Vec<Affine>) {
        let mentions = |e: &Affine, d: usize| e.dim_coeff(d) != 0;
        let used: Vec<usize> = (0..self.space.dims)
            .filter(|&d| forms.iter().any(|e| mentions(e, d)) || self.rows.iter().any(|r| mentions(&r.expr, d)))
            .collect();
        let space = Space::new(self.space.params, used.len());
        let local = |e: &Affine| {
            let mut coeffs = e.coeffs()[..=space.params].to_vec();
            coeffs.extend(used.iter().map(|&d| e.dim_coeff(d)));
            Affine::from_coeffs(space, coeffs)
        };
        let rows = self.rows.iter().map(|r| Constraint { kind: r.kind, expr: local(&r.expr) }).collect();
        (Polyhedron::new(space, rows), forms.iter().map(local).collect())
    }
}

/// Collects `(e, d)` for each alternative of a maximum of `ceil(e / d)` (`lower`) or a minimum of `floor(e / d)`. `false`: something was left out.
fn quotients(e: &Expr, lower: bool, out: &mut Vec<Quotient>) -> bool {
    match (e, lower) {
        (Expr::Affine(e), _) => {
            out.push((e.clone(), 1));
            true
        }
        (Expr::CeilDiv(e, d), true) | (Expr::FloorDiv(e, d), false) => match e.as_ref() {
            Expr::Affine(e) if (1..1 << 30).contains(d) => {
                out.push((e.clone(), *d));
                true
            }
            _ => false,
        },
        (Expr::Max(list), true) | (Expr::Min(list), false) => {
            let mut all = true;
            for e in list {
                all &= quotients(e, lower, out);
            }
            all
        }
        _ => false,
    }
}

impl Emitter<'_> {
    /// Nodes one after the other.
    pub(super) fn list(&mut self, nodes: &[AstNode], known: &mut Known) -> Result<()> {
        for node in nodes {
            self.budget.spend(1)?;
            match node {
                AstNode::Call(call) => {
                    self.call(call, known)?;
                    self.calls.done += 1;
                    if self.calls.done == self.calls.total.div_ceil(2) {
                        self.options.maybe_panic(Stage::Lower);
                    }
                }
                AstNode::Held(held) => self.held(held, known)?,
                AstNode::Pack(pack) => self.pack(pack, known)?,
                AstNode::Fetch(fetch) => self.fetch(fetch)?,
                AstNode::Scratch(scratch) => self.scratch(scratch, known)?,
                AstNode::If { conditions, then, otherwise } => self.branch(conditions, then, otherwise, known)?,
                AstNode::For(f) => self.repeat(f, known)?,
            }
        }
        Ok(())
    }

    /// The conjunction of the conditions that are not known to hold.
    pub(super) fn unknown(&mut self, conditions: &[Condition], known: &Known) -> Result<Option<Value>> {
        let mut all: Option<Value> = None;
        for condition in conditions {
            if let Condition::LessEq(a, b) = condition
                && known.implies_less_eq(a, b, self.budget)?
            {
                continue;
            }
            let holds = self.condition(condition)?;
            all = Some(all.map_or(holds, |all| self.t.and(all, holds)));
        }
        Ok(all)
    }

    fn branch(
        &mut self,
        conditions: &[Condition],
        then: &[AstNode],
        otherwise: &[AstNode],
        known: &mut Known,
    ) -> Result<()> {
        self.locate_first(then);
        let all = self.unknown(conditions, known)?;
        let before = known.mark();
        known.assume(conditions)?;
        let Some(all) = all else {
            self.list(then, known)?;
            known.forget(before);
            return Ok(());
        };
        let yes = self.t.block("lw.then");
        let no = if otherwise.is_empty() { None } else { Some(self.t.block("lw.else")) };
        let after = self.t.block("lw.after");
        self.t.branch_if(all, yes, no.unwrap_or(after));
        let straight = self.straight.clone();
        self.t.position(yes);
        self.list(then, known)?;
        known.forget(before);
        self.t.branch(after);
        if let Some(no) = no {
            self.straight = straight;
            self.t.position(no);
            // What begins before its tile has an address for each row: without branches in its loops LLVM takes registers for them from those of whole tiles.
            if !any_lanes(otherwise, &|lanes| lanes.from.is_some()) {
                known.assume(negation(conditions)?.as_slice())?;
            }
            self.list(otherwise, known)?;
            known.forget(before);
            self.t.branch(after);
        }
        self.straight = Straight::default();
        self.t.position(after);
        Ok(())
    }

    fn condition(&mut self, condition: &Condition) -> Result<Value> {
        Ok(match condition {
            Condition::LessEq(a, b) => {
                let (a, b) = (self.numbers.expr(&mut self.t, a)?, self.numbers.expr(&mut self.t, b)?);
                self.t.compare(Compare::SignedLessEqual, a, b)
            }
            Condition::IsZero(e) => {
                let e = self.numbers.expr(&mut self.t, e)?;
                let zero = self.t.constant(self.t.int(64), 0);
                self.t.compare(Compare::Equal, e, zero)
            }
            Condition::Divides(d, e) => {
                if *d < 1 {
                    return Err(LowerError::Malformed("a divisor that is not positive"));
                }
                let e = self.numbers.expr(&mut self.t, e)?;
                super::numbers::divides(&mut self.t, *d, e)
            }
            Condition::Granted(id) => {
                let mirror = self.buffers.get(id.0).copied().flatten().and_then(|buffer| buffer.mirror);
                mirror.map_or_else(|| self.t.constant(self.t.int(1), 0), |mirror| mirror.granted)
            }
        })
    }

    /// A loop of one iteration.
    fn once(&mut self, f: &For, known: &mut Known) -> Result<()> {
        let (low, high) = self.numbers.interval(&f.lower)?;
        self.locate_first(&f.body);
        let value = self.numbers.expr(&mut self.t, &f.lower)?;
        let home = self.t.block("lw.once");
        self.t.branch(home);
        self.t.position(home);
        self.numbers.enter(home, f.var, value, (low, high.max(low)))?;
        let before = known.mark();
        let var = Expr::Affine(Affine::dim(self.ast.space, f.var.0));
        known.less_eq(&f.lower, &var)?;
        known.less_eq(&var, &f.upper)?;
        self.list(&f.body, known)?;
        known.forget(before);
        self.straight = Straight::default();
        self.numbers.leave(f.var);
        Ok(())
    }

    fn repeat(&mut self, f: &For, known: &mut Known) -> Result<()> {
        if !(1..1 << 40).contains(&f.step) {
            return Err(LowerError::Malformed("step of a loop"));
        }
        if f.lower == f.upper {
            return self.once(f, known);
        }
        let certain = known.implies_less_eq(&f.lower, &f.upper, self.budget)?;
        self.locate_first(&f.body);
        let lower = self.numbers.expr(&mut self.t, &f.lower)?;
        let end = self.numbers.end(&mut self.t, &f.upper)?;
        let blocks = (self.t.block("lw.loop"), self.t.block("lw.exit"));
        let mut after = None;
        if !certain {
            let (preheader, skipped) = (self.t.block("lw.preheader"), self.t.block("lw.after"));
            let runs = self.t.compare(Compare::SignedLess, lower, end);
            self.t.branch_if(runs, preheader, skipped);
            self.t.position(preheader);
            after = Some(skipped);
        }
        // What data decide for all of the loop.
        let around = self.decided;
        if let Some((statement, holds)) = self.decided_before(f)? {
            let decided = self.t.block("lw.decided");
            let skipped = *after.get_or_insert_with(|| self.t.block("lw.after"));
            self.t.branch_if(holds, decided, skipped);
            self.t.position(decided);
            self.decided = Some(statement);
        }
        let rotation = self.rotation(f, known)?;
        match rotation.lanes {
            None => self.iterate(f, (lower, end), (&rotation.cells, Part::All), blocks, known)?,
            Some(lanes) => self.in_whole_vectors(f, (lower, end), (&rotation.cells, lanes), blocks, known)?,
        }
        self.decided = around;
        if let Some(after) = after {
            self.t.branch(after);
            self.t.position(after);
        }
        Ok(())
    }

    /// The iterations of a loop of some of its trips, those that make whole vectors with cells that stay in registers, the others without: LLVM makes shorter vectors of what is left behind a loop
    /// only where nothing is handed on.
    fn in_whole_vectors(
        &mut self,
        f: &For,
        (lower, end): (Value, Value),
        (cells, lanes): (&[Stays], i64),
        blocks: (Block, Block),
        known: &mut Known,
    ) -> Result<()> {
        let trips = self.t.sub(end, lower);
        let mask = self.t.constant(self.t.int(64), -i128::from(lanes) * i128::from(INTERLEAVED));
        let trips = self.t.and(trips, mask);
        let whole = self.t.add_nsw(lower, trips);
        let others = (self.t.block("lw.loop"), self.t.block("lw.exit"));
        let (vectors, rest) = ((cells, Part::Vectors), (&[][..], Part::Rest));
        for ((from, to), part, blocks) in [((lower, whole), vectors, blocks), ((whole, end), rest, others)] {
            let (some, behind) = (self.t.block("lw.some"), self.t.block("lw.behind"));
            let runs = self.t.compare(Compare::SignedLess, from, to);
            self.t.branch_if(runs, some, behind);
            self.t.position(some);
            self.iterate(f, (from, to), part, blocks, known)?;
            self.t.branch(behind);
            self.t.position(behind);
        }
        Ok(())
    }

    /// The iterations of a loop from one of them to the end, of which there are some.
    fn iterate(
        &mut self,
        f: &For,
        (lower, end): (Value, Value),
        (cells, part): (&[Stays], Part),
        (header, exit): (Block, Block),
        known: &mut Known,
    ) -> Result<()> {
        let (low, high) = (self.numbers.interval(&f.lower)?.0, self.numbers.interval(&f.upper)?.1);
        let between = self.begin_between(f, known)?;
        let outer = std::mem::replace(&mut self.between, between);
        let rotated = self.begin_rotated(f, lower, cells)?;
        self.t.branch(header);
        let preheader = self.t.current();
        self.t.position(header);
        let i64 = self.t.int(64);
        let iv = self.t.phi(i64);
        self.t.add_incoming(iv, lower, preheader);
        self.numbers.enter(header, f.var, iv, (low, high.max(low)))?;
        self.straight = Straight::default();
        let before = known.mark();
        let var = Expr::Affine(Affine::dim(self.ast.space, f.var.0));
        known.less_eq(&f.lower, &var)?;
        known.less_eq(&var, &f.upper)?;
        let marked =
            f.parallel && !has_loop(&f.body) && (has_lanes(&f.body) || self.may_be_marked_parallel(f, known)?);
        let group = marked.then(|| self.t.access_group());
        self.groups.extend(group);
        self.innermost = (!has_loop(&f.body)).then(|| self.numbers.depth());
        let outside = self.around_kernel;
        self.around_kernel = has_loop(&f.body) && has_lanes(&f.body);
        self.fetch_between()?;
        self.recall_rotated(&rotated)?;
        self.list(&f.body, known)?;
        self.keep_rotated(&rotated)?;
        self.never_meet.clear();
        self.between = outer;
        self.innermost = None;
        self.around_kernel = outside;
        known.forget(before);
        self.straight = Straight::default();
        self.numbers.leave(f.var);
        if group.is_some() {
            self.groups.pop();
        }
        self.locate_first(&f.body);
        let latch = self.t.current();
        let step = self.t.constant(i64, f.step.into());
        let next = self.t.add_without_wrap(iv, step, low >= 0);
        self.t.add_incoming(iv, next, latch);
        let back = if f.step == 1 {
            let over = self.t.compare(Compare::Equal, next, end);
            self.t.branch_if(over, exit, header)
        } else {
            let again = self.t.compare(Compare::SignedLess, next, end);
            self.t.branch_if(again, header, exit)
        };
        self.t.mark_loop(back, DONE_PROPERTY, None);
        self.leave_alone(f, part, back)?;
        if let Some(group) = group {
            self.t.mark_loop(back, "llvm.loop.parallel_accesses", Some(group));
        }
        self.t.position(exit);
        Ok(())
    }

    /// Is an innermost loop for LLVM's vectoriser?
    pub(super) fn is_for_vectors(&self, f: &For) -> Result<bool> {
        Ok(!has_loop(&f.body)
            && !self.is_short(f)
            && !has_lanes(&f.body)
            && !self.is_deep(f)?
            && !self.is_side_by_side(f)?
            && !self.is_short_and_apart(f)?
            && !self.is_scattered(f)?)
    }

    /// Vectors of a few rows do not fill.
    fn is_short(&self, f: &For) -> bool {
        matches!(f.kind, LoopKind::Rows { most, .. } if most <= FEW_ROWS)
    }

    /// Tells LLVM where more code would only take room and time to compile.
    fn leave_alone(&mut self, f: &For, part: Part, back: Value) -> Result<()> {
        let innermost = !has_loop(&f.body);
        // What was to be unrolled is.
        let is_done = self.is_short(f) || has_lanes(&f.body);
        // Loops of a lower order than the work: vectors are enough.
        let order = order(&f.body)?;
        let is_light = part == Part::Rest || innermost && order > 0 && order < self.order;
        let one = self.t.number(1);
        if innermost && !self.is_for_vectors(f)? {
            self.t.mark_loop(back, "llvm.loop.isvectorized", Some(one));
        } else if is_light || part == Part::Vectors {
            let count = if is_light { one } else { self.t.number(INTERLEAVED) };
            self.t.mark_loop(back, "llvm.loop.interleave.count", Some(count));
        }
        if is_done || is_light {
            self.t.mark_loop(back, "llvm.loop.unroll.disable", None);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(coeffs: &[i64]) -> Expr {
        Expr::Affine(Affine::from_coeffs(Space::new(1, coeffs.len() - 2), coeffs.to_vec()))
    }

    fn known(rows: &[&[i64]]) -> Known {
        let space = Space::new(1, rows[0].len() - 2);
        let rows = rows.iter().map(|r| Constraint::ge(Affine::from_coeffs(space, r.to_vec()))).collect();
        Known { space, rows }
    }

    #[test]
    fn a_loop_of_which_an_outer_one_has_a_trip_has_one() {
        // 0 <= i <= n - 1, so 0 <= n - 1.
        let mut k = known(&[&[0, 0, 1]]);
        let (zero, last) = (form(&[0, 0, 0]), form(&[-1, 1, 0]));
        assert_eq!(k.implies_less_eq(&zero, &last, &Budget::generous()), Ok(false));
        k.less_eq(&form(&[0, 0, 1]), &last).expect("small");
        assert_eq!(k.implies_less_eq(&zero, &last, &Budget::generous()), Ok(true));
    }

    #[test]
    fn quotients_are_compared_exactly_or_not_at_all() {
        // n >= 7: ceil(n / 4) <= floor(n / 2), but ceil(n / 4) <= floor(n / 4) is not known.
        let k = known(&[&[-7, 1, 0]]);
        let n = Box::new(form(&[0, 1, 0]));
        let ceil = Expr::CeilDiv(n.clone(), 4);
        assert_eq!(k.implies_less_eq(&ceil, &Expr::FloorDiv(n.clone(), 2), &Budget::generous()), Ok(true));
        assert_eq!(k.implies_less_eq(&ceil, &Expr::FloorDiv(n, 4), &Budget::generous()), Ok(false));
    }

    #[test]
    fn a_bound_that_is_a_minimum_below_says_nothing() {
        let k = known(&[&[0, 1, 0]]);
        let least = Expr::Min(vec![form(&[0, 0, 0]), form(&[0, 1, 0])]);
        assert_eq!(k.implies_less_eq(&least, &form(&[0, 1, 0]), &Budget::generous()), Ok(false));
    }
}
