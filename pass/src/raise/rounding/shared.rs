//! Products that LLVM may find to be one.
//!
//! A product that two sums use is an operation of its own. Where iterations stand side by side because LLVM has unrolled a loop, what one computes may be what another one does: `x[i] * y[i] - x[i+1] * y[i+1]`
//! has the second product of an iteration as the first one of the next.

use super::unrolled::{Together, is_overwritten, may_be_unrolled, share, writers};
use super::{Pair, hoisted, is_fused_product, operation, share_loop};
use crate::llvm::{Opcode, Type, Value};
use crate::raise::body::{Body, Node, NodeIndex};
use crate::raise::poly::{Poly, Symbol};
use polyhedra::{Affine, Budget, Constraint, Space};
use scheduler::scop::{Access, Scop, Statement};

/// May the product of a pair of this statement be one that another instance of the loops has, too, or that stands in the same instance once more? Where all loops go, also one of another nest.
pub(super) fn may_be_shared(scop: &Scop, bodies: &[Body], statement: usize, pair: &Pair, budget: &Budget) -> bool {
    let s = &scop.statements[statement];
    (0..=s.depth()).filter(|&shared| may_be_unrolled(scop, s, shared)).any(|shared| {
        let is_asked = |t: &Statement| shared > 0 || !share(s, t, 1);
        let is_beside = |t: &Statement| is_asked(t) && share(s, t, shared) && may_be_unrolled(scop, t, shared);
        (0..scop.statements.len()).filter(|&t| is_beside(&scop.statements[t])).any(|t| {
            products(&bodies[t]).any(|other| {
                let question =
                    Question { scop, bodies, shared, budget, one: (statement, pair.product), other: (t, other) };
                question.may_be_one(pair.factors).unwrap_or(true)
            })
        })
    })
}

/// All products of a statement.
fn products(body: &Body) -> impl Iterator<Item = NodeIndex> {
    (0..body.nodes.len()).map(NodeIndex).filter(|&n| is_fused_product(body, n))
}

/// Are two products of statements that share so many loops one value, in one iteration of those around the last of them?
struct Question<'a> {
    scop: &'a Scop,
    bodies: &'a [Body],
    shared: usize,
    budget: &'a Budget,
    one: (usize, NodeIndex),
    other: (usize, NodeIndex),
}

impl Question<'_> {
    /// `None`: nobody knows.
    fn may_be_one(&self, [x, y]: [NodeIndex; 2]) -> Option<bool> {
        self.budget.spend(1).ok()?;
        let ((s, one), (t, other)) = (self.one, self.other);
        let [Some((first, _)), Some((second, [Some(u), Some(v)]))] =
            [operation(&self.bodies[s], one), operation(&self.bodies[t], other)]
        else {
            return Some(false);
        };
        // Only what no branch parts.
        if share_loop(&self.scop.statements[s], &self.scop.statements[t]) && first.block() != second.block() {
            return Some(false);
        }
        for [u, v] in [[*u, *v], [*v, *u]] {
            let [mut one, mut two] = [Form::default(), Form::default()];
            one.add(&self.bodies[s], x);
            one.add(&self.bodies[s], y);
            two.add(&self.bodies[t], u);
            two.add(&self.bodies[t], v);
            if one.words == two.words && self.meet(&one, &two)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Are there instances that read the same cells, number by number?
    fn meet(&self, form: &Form<'_>, with: &Form<'_>) -> Option<bool> {
        let ((s, n), (t, m)) = (self.one, self.other);
        let [one, other] = [&self.scop.statements[s], &self.scop.statements[t]];
        let mut both = Together::of(one, other, self.around());
        for (a, b) in form.reads.iter().zip(&with.reads) {
            let [a, b] = [one.accesses.get(*a)?, other.accesses.get(*b)?];
            if a.array != b.array {
                return Some(false);
            }
            // Only what is the same whatever the sizes and the loops around are.
            if !self.are_apart_alike(a, b) {
                return Some(false);
            }
            let changes = hoisted::changes(self.scop, self.bodies, (s, a), self.shared, self.budget);
            let is_own = self.scop.arrays.get(a.array.0).is_none_or(|array| array.is_virtual);
            both = match is_own && !changes {
                true => both.at_one_cell(&self.in_any_iteration(a), &self.in_any_iteration(b))?,
                false => both.at_one_cell(a, b)?,
            };
            if self.shared > 0 && self.is_overwritten(s, a) {
                both.set.add(Constraint::eq(both.distance(self.around())?));
            }
        }
        for (a, b) in form.counters.iter().zip(&with.counters) {
            let (Some(a), Some(b)) = (affine(a, one.space()), affine(b, other.space())) else { continue };
            if self.known(&a) != self.known(&b) {
                return Some(false);
            }
            both.set.add(Constraint::eq(both.apart(&a, &b)?));
        }
        if (s, n) != (t, m) {
            return both.set.is_empty(self.budget).ok().map(|empty| !empty);
        }
        // Another instance than its own.
        for d in self.around()..one.depth() {
            let later = both.distance(d)?.offset(-1).ok()?;
            if !both.set.clone().with(Constraint::ge(later)).is_empty(self.budget).ok()? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The loops around the last one that they share.
    fn around(&self) -> usize {
        self.shared.saturating_sub(1)
    }

    /// What an expression has of the parameters and of the loops around.
    fn known(&self, row: &Affine) -> [Vec<i64>; 2] {
        [row.param_coeffs().to_vec(), row.dim_coeffs()[..self.around()].to_vec()]
    }

    /// Is the distance of two accesses, in one iteration of the loops around, the same whatever that is, and whatever the parameters are?
    fn are_apart_alike(&self, a: &Access, b: &Access) -> bool {
        a.subscripts.iter().zip(&b.subscripts).all(|(x, y)| self.known(x) == self.known(y))
    }

    /// The access without the last loop that they share.
    fn in_any_iteration(&self, access: &Access) -> Access {
        let mut access = access.clone();
        if let Some(last) = self.shared.checked_sub(1) {
            access.subscripts.iter_mut().for_each(|row| row.set_dim(last, 0));
        }
        access
    }

    /// Has a cell another value in every iteration of the loop?
    fn is_overwritten(&self, s: usize, access: &Access) -> bool {
        let statement = &self.scop.statements[s];
        let writers = writers(self.scop, statement, access, self.shared, self.budget);
        !writers.is_empty() && is_overwritten(self.scop, statement, access, &writers, self.shared, self.budget)
    }
}

/// An expression of counters in a statement's space. `None`: it is not affine.
fn affine(poly: &Poly, space: Space) -> Option<Affine> {
    let mut out = Affine::zero(space);
    for (symbols, c) in poly.terms() {
        match symbols[..] {
            [] => out.set_constant(c),
            [Symbol::Param(p)] if p.0 < space.params => out.set_param(p.0, c),
            [Symbol::Iterator(k)] if k.0 < space.dims => out.set_dim(k.0, c),
            _ => return None,
        }
    }
    Some(out)
}

/// So many are compared. Values whose first ones agree are taken for one.
const MOST_WORDS: usize = 200;

/// How a value is computed.
#[derive(Default)]
struct Form<'b> {
    /// Operations and operands, but for what cells and which counters.
    words: Vec<Word>,
    /// The accesses that read cells.
    reads: Vec<usize>,
    /// What is made of counters.
    counters: Vec<&'b Poly>,
}

/// See [`Form`].
#[derive(PartialEq)]
enum Word {
    Operation(Option<Opcode>, Type),
    Value(Value),
    Cell(Type),
    /// Made of counters.
    Counted(Type),
    Other,
}

impl<'b> Form<'b> {
    fn add(&mut self, body: &'b Body, node: NodeIndex) {
        let mut stack = vec![node];
        while let Some(n) = stack.pop().filter(|_| self.words.len() < MOST_WORDS) {
            let Some(node) = body.nodes.get(n.0) else { return self.words.push(Word::Other) };
            self.words.push(match node {
                Node::Invariant(value) => Word::Value(*value),
                Node::Read { access, ty } => {
                    self.reads.push(*access);
                    Word::Cell(*ty)
                }
                Node::Index { poly, ty } => {
                    self.counters.push(poly);
                    Word::Counted(*ty)
                }
                Node::Operation { instruction, .. } => Word::Operation(instruction.opcode(), instruction.ty()),
                Node::Choice { .. } | Node::Group { .. } | Node::Dot { .. } | Node::Splat { .. } => Word::Other,
            });
            stack.extend(node.operands());
        }
    }
}
