//! What every loop of a tree carries, and whether the tree looks legal.
//!
//! **Problem.** Thousands of trees are compared, and the judge in [`crate::legality`] proves one at a time, with certificates. The cost model needs its
//! answers for all of them: which loops carry a dependence, and of what sort, because that decides what LLVM's vectoriser makes of the innermost one.
//!
//! **Notation.** For a dependence with relation `D` and the rows `a_s`, `a_t` of a loop, `delta = a_t(i_t) - a_s(i_s)`, over `[1 | N | i_t | i_s]`. Inside of
//! loops with differences `delta_1, ..., delta_l` the dependence lives on the *cut* `D and delta_1 = ... = delta_l = 0`.
//!
//! **Method.** One walk down the tree with the dependences that are still alive; per loop and dependence the sign of `delta` on the cut, by exact rational
//! linear programming, remembered by (dependence, cut, delta), so that the orders of one band share their answers. Differences that the equations of `D`
//! make constant need no program at all, which is the common case.
//!
//! The answers are predictions: they steer the search. What reaches code generation is proved anew by [`crate::legality::prove`].

use crate::Result;
use crate::dependence::{Dependence, DependenceKind, Dependences};
use crate::scop::{AccessId, Scop, StatementId};
use crate::tree::{Member, Node, Rows};
use polyhedra::{Affine, Budget, Constraint, Kind, Optimum, Space};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// What a loop carries, for equal iterations of the loops outside of it. Ordered from harmless to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Carried {
    /// Nothing: iterations may run at once.
    Nothing,
    /// Only dependences that a vector of iterations respects, because within the body the earlier end comes first.
    Forward,
    /// A value that is read and overwritten in one cell: a reduction, by nothing but statements on their own cells.
    Reduction,
    /// A value that the next iterations wait for.
    Recurrence {
        /// The least distance, in iterations.
        distance: i64,
    },
}

/// A tree with flags as predicted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotated {
    /// The tree. Perfectly nested bands are merged, then split into the longest permutable runs from the outside; flags are set.
    pub tree: Node,
    /// What each loop carries, in order of appearance of the members.
    pub carried: Vec<Carried>,
}

/// Sign of a difference on a cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    /// The cut has no point.
    Empty,
    /// Zero everywhere.
    Zero,
    /// At least this, which is at least 1.
    Positive(i64),
    /// Least value 0, larger somewhere.
    Weak,
    /// Negative somewhere, or not known.
    Negative,
}

/// A dependence that the loops outside have not carried altogether.
#[derive(Clone)]
struct Live {
    index: usize,
    cut: Vec<Affine>,
}

/// Dependence, cut, difference.
type Question = (usize, Vec<Affine>, Affine);

/// Answers about the distances of dependences, remembered.
#[derive(Debug)]
pub struct Distances<'a> {
    scop: &'a Scop,
    dependences: &'a Dependences,
    budget: &'a Budget,
    /// For each dependence: equations with a unit coefficient, and its column, in echelon form.
    equations: Vec<Vec<(usize, Affine)>>,
    known: RefCell<BTreeMap<Question, Sign>>,
    /// The same without cuts, by dependence and [`Rows::address`], with the rows, which are kept for that. Only ever looked up.
    of_rows: RefCell<HashMap<(usize, usize), (Rows, Sign)>>,
}

impl<'a> Distances<'a> {
    /// Prepares the answers.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn new(scop: &'a Scop, dependences: &'a Dependences, budget: &'a Budget) -> Result<Self> {
        let equations = dependences.ordering.iter().map(echelon).collect::<Result<_>>()?;
        Ok(Self { scop, dependences, budget, equations, known: RefCell::default(), of_rows: RefCell::default() })
    }

    /// The budget that pays.
    #[must_use]
    pub fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Sets flags, merges and splits bands. `None`: the tree looks illegal. The tree may be a part of one: dependences of other statements do not matter.
    ///
    /// # Errors
    /// Overflow, budget, a tree without rows for one of its statements.
    pub fn annotate(&self, tree: &Node) -> Result<Option<Annotated>> {
        let order = tree.statements();
        let mut carried = Vec::new();
        let tree = self.walk(tree, self.among(&order), &places(&order), &mut carried)?;
        Ok(tree.map(|tree| Annotated { tree, carried }))
    }

    /// The loops of a nest, which are in a legal order, as those outside and a permutable band inside of them that has as many as can be: both by index, in their order.
    ///
    /// # Errors
    /// Overflow, budget, a member without rows for one of the statements.
    pub fn innermost_band(&self, members: &[&Member], child: &Node) -> Result<(Vec<usize>, Vec<usize>)> {
        let mut outside: Vec<usize> = (0..members.len()).collect();
        let mut band: Vec<usize> = Vec::new();
        for k in (0..members.len()).rev() {
            let without: Vec<usize> = outside.iter().copied().filter(|&o| o != k).collect();
            let with: Vec<usize> = std::iter::once(k).chain(band.iter().copied()).collect();
            if self.is_band_inside(members, child, &without, &with)? {
                (outside, band) = (without, with);
            }
        }
        Ok((outside, band))
    }

    /// May some loops of a nest, given by index in the order wanted, stand outside of others that are permutable?
    ///
    /// # Errors
    /// Overflow, budget, a member without rows for one of the statements.
    pub fn is_band_inside(&self, members: &[&Member], child: &Node, outside: &[usize], band: &[usize]) -> Result<bool> {
        let order = child.statements();
        let (mut live, place) = (self.among(&order), places(&order));
        for &k in outside {
            if self.carry(members[k], &mut live, &place)?.is_none() {
                return Ok(false);
            }
        }
        for &k in band {
            if !self.never_negative(members[k], &live)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The dependences between some statements.
    fn among(&self, statements: &[StatementId]) -> Vec<Live> {
        let inside = |d: &Dependence| statements.contains(&d.source) && statements.contains(&d.target);
        (0..self.dependences.ordering.len())
            .filter(|&index| inside(&self.dependences.ordering[index]))
            .map(|index| Live { index, cut: Vec::new() })
            .collect()
    }

    fn dependence(&self, live: &Live) -> &Dependence {
        &self.dependences.ordering[live.index]
    }

    fn walk(
        &self,
        node: &Node,
        live: Vec<Live>,
        place: &BTreeMap<StatementId, usize>,
        carried: &mut Vec<Carried>,
    ) -> Result<Option<Node>> {
        match node {
            Node::Leaf(_) => {
                for l in &live {
                    let zero = Affine::zero(self.dependence(l).relation.space());
                    if self.sign_by_program(l.index, &l.cut, &zero)? != Sign::Empty {
                        return Ok(None);
                    }
                }
                Ok(Some(node.clone()))
            }
            Node::Sequence(children) => {
                let mut child_of = BTreeMap::new();
                for (k, child) in children.iter().enumerate() {
                    child_of.extend(child.statements().into_iter().map(|s| (s, k)));
                }
                let mut inside = vec![Vec::new(); children.len()];
                for l in live {
                    let d = self.dependence(&l);
                    match (child_of.get(&d.source), child_of.get(&d.target)) {
                        (Some(s), Some(t)) if s == t => inside[*s].push(l),
                        (Some(s), Some(t)) if s > t => {
                            let zero = Affine::zero(d.relation.space());
                            if self.sign_by_program(l.index, &l.cut, &zero)? != Sign::Empty {
                                return Ok(None);
                            }
                        }
                        _ => {}
                    }
                }
                let mut out = Vec::with_capacity(children.len());
                for (child, live) in children.iter().zip(inside) {
                    match self.walk(child, live, place, carried)? {
                        Some(Node::Sequence(inner)) => out.extend(inner),
                        Some(other) => out.push(other),
                        None => return Ok(None),
                    }
                }
                Ok(Some(if out.len() == 1 { out.remove(0) } else { Node::Sequence(out) }))
            }
            Node::Band { .. } => {
                let (members, child) = perfect_nest(node);
                if members.is_empty() {
                    return self.walk(child, live, place, carried);
                }
                self.band(&members, child, live, place, carried)
            }
        }
    }

    fn band(
        &self,
        members: &[&Member],
        child: &Node,
        mut live: Vec<Live>,
        place: &BTreeMap<StatementId, usize>,
        carried: &mut Vec<Carried>,
    ) -> Result<Option<Node>> {
        let mut runs: Vec<Vec<Member>> = Vec::new();
        let mut entry = live.clone();
        for member in members {
            let permutable = !runs.is_empty() && self.never_negative(member, &entry)?;
            if !permutable {
                runs.push(Vec::new());
                entry.clone_from(&live);
            }
            let Some(c) = self.carry(member, &mut live, place)? else { return Ok(None) };
            carried.push(c);
            let member = Member { parallel: c == Carried::Nothing, ..(*member).clone() };
            if let Some(run) = runs.last_mut() {
                run.push(member);
            }
        }
        let Some(mut node) = self.walk(child, live, place, carried)? else { return Ok(None) };
        for members in runs.into_iter().rev() {
            node = Node::Band { members, permutable: true, child: Box::new(node) };
        }
        Ok(Some(node))
    }

    fn never_negative(&self, member: &Member, live: &[Live]) -> Result<bool> {
        for l in live {
            if self.sign(l, member)? == Sign::Negative {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes one loop: what it carries, and what stays alive inside. `None`: it runs a dependence backwards.
    fn carry(
        &self,
        member: &Member,
        live: &mut Vec<Live>,
        place: &BTreeMap<StatementId, usize>,
    ) -> Result<Option<Carried>> {
        let mut worst = Carried::Nothing;
        let mut inside = Vec::with_capacity(live.len());
        for l in live.drain(..) {
            let carried = match self.sign(&l, member)? {
                Sign::Negative => return Ok(None),
                Sign::Empty => continue,
                Sign::Zero => {
                    inside.push(l);
                    continue;
                }
                Sign::Positive(distance) => self.sort_of(&l, distance, place),
                Sign::Weak => {
                    let carried = self.sort_of(&l, 1, place);
                    let Live { index, mut cut } = l;
                    let space = self.dependences.ordering[index].relation.space();
                    cut.push(Affine::from_coeffs(space, self.delta(index, member)?));
                    cut.sort();
                    inside.push(Live { index, cut });
                    carried
                }
            };
            worst = match (worst, carried) {
                (Carried::Recurrence { distance: a }, Carried::Recurrence { distance: b }) => {
                    Carried::Recurrence { distance: a.min(b) }
                }
                (a, b) => a.max(b),
            };
        }
        *live = inside;
        Ok(Some(worst))
    }

    fn sort_of(&self, live: &Live, distance: i64, place: &BTreeMap<StatementId, usize>) -> Carried {
        let d = self.dependence(live);
        let (s, t) = (place.get(&d.source), place.get(&d.target));
        // The reads of an instance come before its write.
        let forward = s < t || (s == t && d.kind == DependenceKind::Anti);
        let accumulates = d.source == d.target && self.on_one_cell(d);
        if accumulates {
            Carried::Reduction
        } else if forward {
            Carried::Forward
        } else {
            Carried::Recurrence { distance }
        }
    }

    /// Are both ends the very same cell expression: `s += ...`?
    fn on_one_cell(&self, d: &Dependence) -> bool {
        let Some(statement) = self.scop.statements.get(d.source.0) else { return false };
        let access = |a: AccessId| statement.accesses.get(a.0);
        let (Some(a), Some(b)) = (access(d.source_access), access(d.target_access)) else { return false };
        a.array == b.array && a.subscripts == b.subscripts
    }

    /// `delta` of a loop, as a row of the dependence's space.
    fn delta(&self, index: usize, member: &Member) -> Result<Vec<i64>> {
        let d = &self.dependences.ordering[index];
        let missing = || crate::Error::Malformed("a loop has no row for a statement inside".into());
        let source = member.rows.get(&d.source).ok_or_else(missing)?;
        let target = member.rows.get(&d.target).ok_or_else(missing)?;
        let space = d.relation.space();
        if space.dims != target.space().dims + source.space().dims || source.space().params != target.space().params {
            return Err(crate::Error::Malformed("space of a dependence".into()));
        }
        let mut out = target.coeffs().to_vec();
        for (x, c) in out.iter_mut().zip(&source.coeffs()[..=space.params]) {
            *x = x.checked_sub(*c).ok_or(polyhedra::Error::Overflow)?;
        }
        for c in source.dim_coeffs() {
            out.push(c.checked_neg().ok_or(polyhedra::Error::Overflow)?);
        }
        Ok(out)
    }

    fn sign(&self, live: &Live, member: &Member) -> Result<Sign> {
        if !live.cut.is_empty() {
            return self.sign_by_rows(live, member);
        }
        let key = (live.index, member.rows.address());
        if let Some((_, sign)) = self.of_rows.borrow().get(&key) {
            return Ok(*sign);
        }
        let sign = self.sign_by_rows(live, member)?;
        self.of_rows.borrow_mut().insert(key, (member.rows.clone(), sign));
        Ok(sign)
    }

    fn sign_by_rows(&self, live: &Live, member: &Member) -> Result<Sign> {
        let space = self.dependences.ordering[live.index].relation.space();
        let delta = self.delta(live.index, member)?;
        let reduced = reduce(delta.clone(), space, &self.equations[live.index])?;
        if reduced[1..].iter().all(|&c| c == 0) {
            match reduced[0] {
                0 => return Ok(Sign::Zero),
                c if c > 0 && live.cut.is_empty() => return Ok(Sign::Positive(c)),
                c if c < 0 && live.cut.is_empty() => return Ok(Sign::Negative),
                _ => {}
            }
        }
        self.sign_by_program(live.index, &live.cut, &Affine::from_coeffs(space, delta))
    }

    fn sign_by_program(&self, index: usize, cut: &[Affine], delta: &Affine) -> Result<Sign> {
        let key = (index, cut.to_vec(), delta.clone());
        if let Some(&sign) = self.known.borrow().get(&key) {
            return Ok(sign);
        }
        let mut set = self.dependences.ordering[index].relation.clone();
        for row in cut {
            set.add(Constraint::eq(row.clone()));
        }
        let sign = match set.minimum(delta, self.budget)? {
            Optimum::Empty => Sign::Empty,
            Optimum::Unbounded => Sign::Negative,
            Optimum::Bounded(least) => match least.ceil().to_integer() {
                c if c < 0 => Sign::Negative,
                0 => match set.minimum(&delta.scale(-1)?, self.budget)? {
                    Optimum::Bounded(most) if most.ceil().to_integer() == 0 => Sign::Zero,
                    Optimum::Empty => Sign::Empty,
                    _ => Sign::Weak,
                },
                c => Sign::Positive(i64::try_from(c).unwrap_or(i64::MAX)),
            },
        };
        self.known.borrow_mut().insert(key, sign);
        Ok(sign)
    }
}

fn places(order: &[StatementId]) -> BTreeMap<StatementId, usize> {
    order.iter().enumerate().map(|(k, s)| (*s, k)).collect()
}

/// The members of a band and of the bands that are its only children, and what runs inside.
#[must_use]
pub fn perfect_nest(node: &Node) -> (Vec<&Member>, &Node) {
    let mut members: Vec<&Member> = Vec::new();
    let mut inside = node;
    while let Node::Band { members: more, child, .. } = inside {
        members.extend(more);
        inside = child;
    }
    (members, inside)
}

/// The equations of a dependence that can be solved for a dimension with coefficient 1 or -1, each with the earlier dimensions eliminated.
fn echelon(d: &Dependence) -> Result<Vec<(usize, Affine)>> {
    let space = d.relation.space();
    let mut out: Vec<(usize, Affine)> = Vec::new();
    for c in d.relation.constraints().iter().filter(|c| c.kind == Kind::Eq) {
        let row = Affine::from_coeffs(space, reduce(c.expr.coeffs().to_vec(), space, &out)?);
        let pivot = (0..space.dims).find(|&k| row.dim_coeff(k).abs() == 1);
        if let Some(k) = pivot {
            out.push((k, row));
        }
    }
    Ok(out)
}

/// Substitutes the equations in a row, in order.
fn reduce(mut row: Vec<i64>, space: Space, equations: &[(usize, Affine)]) -> Result<Vec<i64>> {
    for (k, equation) in equations {
        let c = row[space.dim_column(*k)];
        if c == 0 {
            continue;
        }
        // The pivot is 1 or -1: its own inverse.
        let factor = c.checked_mul(equation.dim_coeff(*k)).ok_or(polyhedra::Error::Overflow)?;
        for (x, e) in row.iter_mut().zip(equation.coeffs()) {
            let product = factor.checked_mul(*e).ok_or(polyhedra::Error::Overflow)?;
            *x = x.checked_sub(product).ok_or(polyhedra::Error::Overflow)?;
        }
    }
    Ok(row)
}
