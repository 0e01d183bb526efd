//! Classes of instances, and which class must have run before which.
//!
//! **Notation.** The *class* of an instance at boundary `t` is the set of its coordinates behind the boundary, `{ i | c_i < t }`, as a bit mask: it says in which
//! regions its accesses lie. A traversal calls each class past or future.
//!
//! **Method.** There is a `t` with class `m` iff every coordinate in `m` is less than every one outside, so `t` never becomes a dimension. A dependence
//! `x -> y` gives the arrow "y's class past => x's class past" for every pair of classes that some pair of its instances has at one `t`: one emptiness test
//! each, exact; when it overflows the arrow stays, which can only lose traversals. Another arrow leads from each class to the next ones that the boundary
//! moves some instance to.
//!
//! Backwards every class turns into its complement (`-c < t` iff not `c < 1 - t`), and the same tests serve.

use super::sweep::{Coordinates, Direction};
use crate::Result;
use crate::dependence::{Dependence, Dependences};
use crate::scop::{Scop, StatementId};
use polyhedra::{Affine, Budget, Constraint, Error as SetError, Polyhedron};
use std::collections::BTreeMap;

/// Coordinates of one statement that are looked at: `2^m` classes, `m!` orders.
pub const MOST_COORDINATES: usize = 4;

/// A set of coordinates, by their numbers.
pub type Mask = u32;

/// A statement's instances whose coordinates behind the boundary are `mask`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Class {
    /// The statement.
    pub statement: StatementId,
    /// The coordinates behind the boundary.
    pub mask: Mask,
}

/// What makes an arrow: a dependence (index in [`Dependences::ordering`]), or the boundary's own move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The dependence has a pair of instances in these classes at one time.
    Dependence(usize),
    /// The boundary moves an instance from the one class to the other.
    Move,
}

/// "`from` past => `to` past", in the direction of growing subscripts; backwards both masks are complements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// The class that needs the other.
    pub from: Class,
    /// The class that is needed.
    pub to: Class,
    /// Why.
    pub cause: Cause,
}

/// What one statement's coordinates look like on its domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Coordinates that differ somewhere.
    pub coordinates: Vec<Affine>,
    /// Classes that some instance has at some time, ascending.
    pub masks: Vec<Mask>,
    /// The orders in which the boundary can pass the coordinates; equal ones are passed in the order of their numbers.
    pub orders: Vec<Vec<usize>>,
    /// Moves from class to class.
    moves: Vec<(Mask, Mask)>,
    /// Subscripts that equal a coordinate everywhere, with its number.
    same: Vec<(Affine, usize)>,
}

impl Frame {
    /// All coordinates.
    #[must_use]
    pub fn full(&self) -> Mask {
        (1 << self.coordinates.len()) - 1
    }
}

/// Frames and arrows of some statements, forwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classes {
    /// By statement.
    pub frames: BTreeMap<StatementId, Frame>,
    /// All arrows, by statements.
    pub arrows: Vec<Arrow>,
}

/// Frames and arrows that were computed before, for other runs of nests.
#[derive(Default)]
pub struct Known {
    frames: BTreeMap<(StatementId, Vec<Affine>), Option<Frame>>,
    arrows: BTreeMap<PairKey, Vec<Arrow>>,
}

/// Two statements with their coordinates, the source first.
type PairKey = [(StatementId, Vec<Affine>); 2];

/// Where the tests run.
pub struct Tester<'a> {
    pub(super) scop: &'a Scop,
    pub(super) dependences: &'a Dependences,
    pub(super) budget: &'a Budget,
    known: Known,
}

/// Rows that say that every coordinate of `mask` is less than every other one.
fn behind(coordinates: &[Affine], mask: Mask, rows: &mut Vec<Constraint>) -> Result<()> {
    for (_, one) in coordinates.iter().enumerate().filter(|(k, _)| mask >> k & 1 == 1) {
        for (_, zero) in coordinates.iter().enumerate().filter(|(k, _)| mask >> k & 1 == 0) {
            rows.push(Constraint::ge(zero.sub(one)?.offset(-1)?));
        }
    }
    Ok(())
}

impl<'a> Tester<'a> {
    /// For the runs of a part.
    #[must_use]
    pub fn new(scop: &'a Scop, dependences: &'a Dependences, budget: &'a Budget) -> Self {
        Self { scop, dependences, budget, known: Known::default() }
    }

    /// Classes and arrows of some statements. The statement with more than [`MOST_COORDINATES`], if there is one.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn classes(&mut self, coordinates: &Coordinates) -> Result<std::result::Result<Classes, StatementId>> {
        let mut frames = BTreeMap::new();
        for (&s, own) in coordinates {
            let key = (s, own.clone());
            if !self.known.frames.contains_key(&key) {
                let frame = self.frame(s, own)?;
                self.known.frames.insert(key.clone(), frame);
            }
            match self.known.frames.get(&key) {
                Some(Some(frame)) => frames.insert(s, frame.clone()),
                _ => return Ok(Err(s)),
            };
        }
        let mut pairs: BTreeMap<(StatementId, StatementId), Vec<usize>> = BTreeMap::new();
        for (k, d) in self.dependences.ordering.iter().enumerate() {
            if frames.contains_key(&d.source) && frames.contains_key(&d.target) {
                pairs.entry((d.source, d.target)).or_default().push(k);
            }
        }
        let mut arrows = Vec::new();
        for (&s, frame) in &frames {
            let class = |mask| Class { statement: s, mask };
            arrows.extend(frame.moves.iter().map(|&(a, b)| Arrow { from: class(a), to: class(b), cause: Cause::Move }));
        }
        for ((s, t), list) in pairs {
            let key = [(s, frames[&s].coordinates.clone()), (t, frames[&t].coordinates.clone())];
            if !self.known.arrows.contains_key(&key) {
                let found = self.between((s, &frames[&s]), (t, &frames[&t]), &list)?;
                self.known.arrows.insert(key.clone(), found);
            }
            arrows.extend(self.known.arrows.get(&key).into_iter().flatten().copied());
        }
        Ok(Ok(Classes { frames, arrows }))
    }

    fn is_empty(&self, set: &Polyhedron) -> Result<bool> {
        if set.is_obviously_empty() {
            return Ok(true);
        }
        match set.is_empty(self.budget) {
            Err(SetError::Overflow) => Ok(false),
            other => Ok(other?),
        }
    }

    /// Has the domain an instance that satisfies the rows?
    fn some(&self, s: StatementId, rows: Vec<Constraint>) -> Result<bool> {
        let domain = &self.scop.statements[s.0].domain;
        Ok(!self.is_empty(&domain.intersect(&Polyhedron::new(domain.space(), rows)))?)
    }

    /// `None`: too many coordinates.
    fn frame(&self, s: StatementId, given: &[Affine]) -> Result<Option<Frame>> {
        let less =
            |a: &Affine, b: &Affine| -> Result<bool> { self.some(s, vec![Constraint::ge(b.sub(a)?.offset(-1)?)]) };
        // Those that are never greater than a known one stand before it, so that ties need no parts of their own.
        let mut coordinates: Vec<Affine> = Vec::new();
        let mut equal: Vec<(Affine, Affine)> = Vec::new();
        for c in given {
            let (mut place, mut twin) = (coordinates.len(), None);
            for (k, known) in coordinates.iter().enumerate() {
                let (below, above) = (less(c, known)?, less(known, c)?);
                if !above {
                    place = place.min(k);
                }
                if !below && !above {
                    twin = Some(known.clone());
                }
            }
            match twin {
                Some(twin) => equal.push((c.clone(), twin)),
                None => coordinates.insert(place, c.clone()),
            }
            if coordinates.len() > MOST_COORDINATES {
                return Ok(None);
            }
        }
        let m = coordinates.len();
        let full: Mask = (1 << m) - 1;
        let with = |masks: &[Mask]| -> Result<bool> {
            let mut rows = Vec::new();
            for &mask in masks {
                behind(&coordinates, mask, &mut rows)?;
            }
            self.some(s, rows)
        };
        let mut masks = Vec::new();
        for mask in 0..=full {
            if with(&[mask])? {
                masks.push(mask);
            }
        }
        let mut moves = Vec::new();
        for (k, &a) in masks.iter().enumerate() {
            for &b in &masks[k + 1..] {
                if a & b == a && (a == 0 || b == full || with(&[a, b])?) {
                    moves.push((a, b));
                }
            }
        }
        let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..m {
            let mut longer = Vec::new();
            for order in orders {
                for next in (0..m).filter(|k| !order.contains(k)) {
                    let order: Vec<usize> = order.iter().copied().chain([next]).collect();
                    let pairs = order.windows(2).map(|w| before(&coordinates, w[0], w[1])).collect::<Result<_>>()?;
                    if self.some(s, pairs)? {
                        longer.push(order);
                    }
                }
            }
            orders = longer;
        }
        let number = |c: &Affine| coordinates.iter().position(|k| k == c);
        let same = equal.into_iter().filter_map(|(c, twin)| Some((c, number(&twin)?))).collect();
        Ok(Some(Frame { coordinates, masks, orders, moves, same }))
    }

    /// The arrows that the dependences from one statement to another make; of those alike the first.
    fn between(&self, s: (StatementId, &Frame), t: (StatementId, &Frame), list: &[usize]) -> Result<Vec<Arrow>> {
        let mut out: Vec<Arrow> = Vec::new();
        let mut seen: Vec<&Dependence> = Vec::new();
        for &k in list {
            let d = &self.dependences.ordering[k];
            if seen.iter().any(|e| e.relation == d.relation) {
                continue;
            }
            seen.push(d);
            for &x in &s.1.masks {
                for &y in &t.1.masks {
                    // A target behind nothing is future anyway and a source behind everything past; backwards the other way round.
                    let (idle, idle_back) = (y == 0 || x == s.1.full(), y == t.1.full() || x == 0);
                    let (from, to) = (Class { statement: t.0, mask: y }, Class { statement: s.0, mask: x });
                    let known = |a: &Arrow| a.from == from && a.to == to;
                    if (idle && idle_back) || from == to || out.iter().any(known) {
                        continue;
                    }
                    let set = meeting(d, (s.1, x), (t.1, y))?;
                    if !self.is_empty(&set)? {
                        out.push(Arrow { from, to, cause: Cause::Dependence(k) });
                    }
                }
            }
        }
        Ok(out)
    }
}

/// All arrows of the dependences among some statements, forwards: also those that no traversal asks for, and one for each dependence.
pub(super) fn thorough(
    dependences: &Dependences,
    frames: &BTreeMap<StatementId, Frame>,
    budget: &Budget,
) -> Result<Vec<Arrow>> {
    let mut out: Vec<Arrow> = Vec::new();
    for (k, d) in dependences.ordering.iter().enumerate() {
        let (Some(s), Some(t)) = (frames.get(&d.source), frames.get(&d.target)) else { continue };
        for &x in &s.masks {
            for &y in &t.masks {
                let (from, to) = (Class { statement: d.target, mask: y }, Class { statement: d.source, mask: x });
                let alike = |a: &Arrow| {
                    let kind = |c: Cause| matches!(c, Cause::Dependence(e) if dependences.ordering[e].kind == d.kind);
                    a.from == from && a.to == to && kind(a.cause)
                };
                if from == to || out.iter().any(alike) {
                    continue;
                }
                let set = meeting(d, (s, x), (t, y))?;
                if !set.is_obviously_empty() && !set.is_empty(budget)? {
                    out.push(Arrow { from, to, cause: Cause::Dependence(k) });
                }
            }
        }
    }
    Ok(out)
}

/// The pairs of instances of a dependence that are in these classes at one `t`.
pub(super) fn meeting(d: &Dependence, source: (&Frame, Mask), target: (&Frame, Mask)) -> Result<Polyhedron> {
    let space = d.relation.space();
    let (dt, ds) = (target.0.space_dims(), source.0.space_dims());
    let targets: Vec<usize> = (0..dt).collect();
    let sources: Vec<usize> = (dt..dt + ds).collect();
    let mut all: Vec<Affine> = target.0.coordinates.iter().map(|c| c.embed(space, &targets)).collect();
    all.extend(source.0.coordinates.iter().map(|c| c.embed(space, &sources)));
    let mut rows = Vec::new();
    behind(&all, target.1 | source.1 << target.0.coordinates.len(), &mut rows)?;
    Ok(d.relation.intersect(&Polyhedron::new(space, rows)))
}

impl Frame {
    /// Number of the coordinate that a subscript is.
    pub(super) fn number(&self, subscript: &Affine) -> Option<usize> {
        let own = self.coordinates.iter().position(|c| c == subscript);
        own.or_else(|| self.same.iter().find(|(c, _)| c == subscript).map(|(_, k)| *k))
    }

    /// The instances of a class, mask as it is in a direction.
    pub(super) fn instances(&self, domain: &Polyhedron, mask: Mask, direction: Direction) -> Result<Polyhedron> {
        let mask = if direction == Direction::Forward { mask } else { self.full() & !mask };
        let mut rows = Vec::new();
        behind(&self.coordinates, mask, &mut rows)?;
        Ok(domain.intersect(&Polyhedron::new(domain.space(), rows)))
    }

    fn space_dims(&self) -> usize {
        self.coordinates.first().map_or(0, |c| c.space().dims)
    }
}

/// Coordinate `a` is passed before coordinate `b`.
pub(super) fn before(coordinates: &[Affine], a: usize, b: usize) -> Result<Constraint> {
    Ok(Constraint::ge(coordinates[b].sub(&coordinates[a])?.offset(-i64::from(a > b))?))
}

/// An arrow with its masks as they are in a direction; a move then leads the other way.
pub(super) fn directed(arrow: &Arrow, frames: &BTreeMap<StatementId, Frame>, direction: Direction) -> Arrow {
    match direction {
        Direction::Forward => *arrow,
        Direction::Backward => {
            let turned = |c: Class| Class { mask: frames[&c.statement].full() & !c.mask, ..c };
            let (from, to) = (turned(arrow.from), turned(arrow.to));
            if arrow.cause == Cause::Move {
                Arrow { from: to, to: from, cause: Cause::Move }
            } else {
                Arrow { from, to, cause: arrow.cause }
            }
        }
    }
}
