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
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// LLVM makes no vectors where it finds that they would load what was stored as parts of several vectors so few iterations before (`couldPreventStoreLoadForward` of LLVM 22's `LoopAccessAnalysis`:
/// for eight times the bytes of a cell in vectors).
const FORWARDED: i64 = 256;

/// Lanes of the longest vectors.
const LONGEST: i64 = 64;

/// What a loop carries, for equal iterations of the loops outside of it. Ordered from harmless to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Carried {
    /// Nothing: iterations may run at once.
    Nothing,
    /// Only dependences that a vector of iterations respects, because within the body the earlier end comes first.
    Forward,
    /// Nothing that the next iterations wait for, but what longer vectors would not respect, or would wait for all the same: stores from which later iterations load a part of a vector.
    Short {
        /// Iterations at once, at most.
        most: i64,
    },
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
    /// This everywhere, which is at least 1.
    Always(i64),
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
        self.annotate_as(tree, false)
    }

    /// The same of the source, which has some values in registers.
    ///
    /// # Errors
    /// As [`Self::annotate`].
    pub fn annotate_source(&self, tree: &Node) -> Result<Option<Annotated>> {
        self.annotate_as(tree, true)
    }

    fn annotate_as(&self, tree: &Node, is_source: bool) -> Result<Option<Annotated>> {
        let statements = tree.statements();
        let mut carried = Vec::new();
        let order = Order { place: places(&statements), is_source };
        let tree = self.walk(tree, self.among(&statements), &order, &mut carried)?;
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
        let statements = child.statements();
        let (mut live, order) = (self.among(&statements), Order { place: places(&statements), is_source: false });
        for &k in outside {
            if self.carry(members[k], &mut live, &order)?.is_none() {
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

    fn walk(&self, node: &Node, live: Vec<Live>, order: &Order, carried: &mut Vec<Carried>) -> Result<Option<Node>> {
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
                    match self.walk(child, live, order, carried)? {
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
                    return self.walk(child, live, order, carried);
                }
                self.band(&members, child, live, order, carried)
            }
        }
    }

    fn band(
        &self,
        members: &[&Member],
        child: &Node,
        mut live: Vec<Live>,
        order: &Order,
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
            let Some(c) = self.carry(member, &mut live, order)? else { return Ok(None) };
            carried.push(c);
            let member = Member { parallel: c == Carried::Nothing, ..(*member).clone() };
            if let Some(run) = runs.last_mut() {
                run.push(member);
            }
        }
        let Some(mut node) = self.walk(child, live, order, carried)? else { return Ok(None) };
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
    fn carry(&self, member: &Member, live: &mut Vec<Live>, order: &Order) -> Result<Option<Carried>> {
        let mut signs = Vec::with_capacity(live.len());
        for l in &*live {
            match self.sign(l, member)? {
                Sign::Negative => return Ok(None),
                sign => signs.push(sign),
            }
        }
        let flows = self.flows(live, &signs);
        let mut worst = Carried::Nothing;
        let mut inside = Vec::with_capacity(live.len());
        for (l, sign) in live.drain(..).zip(signs) {
            let carried = match sign {
                Sign::Negative | Sign::Empty => continue,
                Sign::Zero => {
                    inside.push(l);
                    continue;
                }
                Sign::Positive(distance) => self.sort_of(&l, (distance, false), order, &flows),
                Sign::Always(distance) => self.sort_of(&l, (distance, true), order, &flows),
                Sign::Weak => {
                    let carried = self.sort_of(&l, (1, false), order, &flows);
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
                (Carried::Short { most: a }, Carried::Short { most: b }) => Carried::Short { most: a.min(b) },
                (Carried::Recurrence { distance: a }, Carried::Short { most: b })
                | (Carried::Short { most: a }, Carried::Recurrence { distance: b }) => {
                    Carried::Recurrence { distance: a.min(b) }
                }
                (Carried::Reduction, Carried::Short { most }) | (Carried::Short { most }, Carried::Reduction) => {
                    Carried::Recurrence { distance: most }
                }
                (a, b) => a.max(b),
            };
        }
        *live = inside;
        Ok(Some(worst))
    }

    /// From which statements values come to which others, in one iteration or in later ones of a loop, for equal ones of those outside.
    fn flows(&self, live: &[Live], signs: &[Sign]) -> BTreeMap<StatementId, BTreeSet<StatementId>> {
        let mut out: BTreeMap<StatementId, BTreeSet<StatementId>> = BTreeMap::new();
        for (l, sign) in live.iter().zip(signs) {
            let d = self.dependence(l);
            if d.kind == DependenceKind::Flow && *sign != Sign::Empty {
                out.entry(d.source).or_default().insert(d.target);
            }
        }
        out
    }

    /// Of a dependence that a loop carries, over so many iterations at least; `is_known`: always over so many.
    fn sort_of(
        &self,
        live: &Live,
        (distance, is_known): (i64, bool),
        order: &Order,
        flows: &BTreeMap<StatementId, BTreeSet<StatementId>>,
    ) -> Carried {
        let d = self.dependence(live);
        let (s, t) = (order.place.get(&d.source), order.place.get(&d.target));
        // The reads of an instance come before its write.
        let forward = s < t || (s == t && d.kind == DependenceKind::Anti);
        let accumulates = d.source == d.target && self.on_one_cell(d);
        if accumulates {
            Carried::Reduction
        } else if forward {
            let is_loaded = d.kind == DependenceKind::Flow && self.is_loaded(d, order);
            // Stores of which a whole vector is loaded again are as long.
            let most = 1 << distance.trailing_zeros().min(LONGEST.trailing_zeros());
            if is_known && is_loaded && distance < FORWARDED { Carried::Short { most } } else { Carried::Forward }
        } else if d.kind == DependenceKind::Flow && comes_to(flows, d.target, d.source) {
            Carried::Recurrence { distance }
        } else {
            Carried::Short { most: distance }
        }
    }

    /// Is what a dependence ends in a load? Of the source it may have the value in a register.
    fn is_loaded(&self, d: &Dependence, order: &Order) -> bool {
        let target = self.scop.statements.get(d.target.0);
        !order.is_source || target.is_some_and(|target| target.loaded.contains(&d.target_access.0))
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
        let constant = Some(reduced[0]).filter(|_| reduced[1..].iter().all(|&c| c == 0));
        match constant {
            Some(0) => return Ok(Sign::Zero),
            Some(c) if c > 0 && live.cut.is_empty() => return Ok(Sign::Always(c)),
            Some(c) if c < 0 && live.cut.is_empty() => return Ok(Sign::Negative),
            _ => {}
        }
        let sign = self.sign_by_program(live.index, &live.cut, &Affine::from_coeffs(space, delta))?;
        Ok(match (sign, constant) {
            (Sign::Positive(_), Some(c)) => Sign::Always(c),
            _ => sign,
        })
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

/// How the statements of a tree stand to each other.
struct Order {
    /// The first has the least number.
    place: BTreeMap<StatementId, usize>,
    /// Is it the source?
    is_source: bool,
}

/// Do values of a statement come to another one, or is it the same?
fn comes_to(flows: &BTreeMap<StatementId, BTreeSet<StatementId>>, from: StatementId, to: StatementId) -> bool {
    let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(next) = open.pop() {
        if next == to {
            return true;
        }
        open.extend(flows.get(&next).into_iter().flatten().filter(|&&s| seen.insert(s)));
    }
    false
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
