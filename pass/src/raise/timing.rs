//! When things run, and whether a cell can change between two moments.
//!
//! A [`Position`] is the place of an instruction in the order of the source: the loops around it and, at every depth, its rank among its siblings. An *instance*
//! is a position with a value for each iterator. "Is the value that was in this cell at instance `p` still there at instance `q`?" is answered exactly: for each
//! write to the array, is there an instance `w` strictly between `p` and `q` that hits the cell?

use super::facts::{Domain, Facts};
use super::poly::LoopIndex;
use super::reject::Raise;
use polyhedra::{Affine, Constraint, Polyhedron, Space};

/// Place of an instruction in source order: `beta[0], loops[0], beta[1], ..., beta[d]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// Loops around it, outermost first.
    pub loops: Vec<LoopIndex>,
    /// Ranks; one more than loops.
    pub beta: Vec<usize>,
}

impl Position {
    /// Number of loops shared with another position.
    #[must_use]
    pub fn common_loops(&self, other: &Self) -> usize {
        let most = self.loops.len().min(other.loops.len());
        (0..most).take_while(|&l| self.loops[l] == other.loops[l] && self.beta[l] == other.beta[l]).count()
    }
}

/// A position with its iterators as affine forms of some space.
#[derive(Clone, Debug)]
pub struct Moment<'a> {
    /// Where.
    pub position: &'a Position,
    /// Iterators, outermost first.
    pub iterators: Vec<Affine>,
}

/// The disjuncts of "`a` runs strictly before `b`".
///
/// # Errors
/// Overflow.
pub fn before(a: &Moment, b: &Moment) -> Raise<Vec<Vec<Constraint>>> {
    let common = a.position.common_loops(b.position);
    let mut out = Vec::new();
    let mut equal = Vec::new();
    for l in 0..common {
        let gap = b.iterators[l].sub(&a.iterators[l])?;
        let mut rows = equal.clone();
        rows.push(Constraint::ge(gap.offset(-1)?));
        out.push(rows);
        equal.push(Constraint::eq(gap));
    }
    if a.position.beta[common] < b.position.beta[common] {
        out.push(equal);
    }
    Ok(out)
}

/// An access that may write a cell.
#[derive(Clone, Debug)]
pub struct Touch {
    /// When.
    pub position: Position,
    /// On which instances.
    pub domain: Domain,
    /// Which array.
    pub array: usize,
    /// Which cell, over the domain's loops.
    pub subscripts: Vec<super::poly::Poly>,
}

/// A cell watched from one moment of an instance of `use_at` to the use itself.
#[derive(Clone, Debug)]
pub struct Watch<'a> {
    /// The array.
    pub array: usize,
    /// The cell, over the loops of the use.
    pub subscripts: &'a [super::poly::Poly],
    /// Start: a position whose loops are the first of the use's.
    pub from: &'a Position,
    /// Iterations (of the innermost loop of `from`) that lie between start and use.
    pub delay: i64,
    /// The use.
    pub until: &'a Position,
    /// Instances of the use that matter.
    pub domain: &'a Domain,
}

/// Is there an instance of `touch` strictly inside the watch that hits the cell?
///
/// # Errors
/// Budget, overflow, rows that are not affine.
pub fn disturbs(facts: &Facts, touch: &Touch, watch: &Watch) -> Raise<bool> {
    if touch.array != watch.array {
        return Ok(false);
    }
    let q = watch.domain.loops.len();
    let w = touch.domain.loops.len();
    let space = Space::new(facts.params.len(), q + w);
    let q_map: Vec<usize> = (0..q).collect();
    let w_map: Vec<usize> = (q..q + w).collect();
    let until = Moment { position: watch.until, iterators: q_map.iter().map(|&d| Affine::dim(space, d)).collect() };
    let mut start: Vec<Affine> = until.iterators[..watch.from.loops.len()].to_vec();
    if watch.delay != 0
        && let Some(last) = start.last_mut()
    {
        *last = last.offset(-watch.delay)?;
    }
    let from = Moment { position: watch.from, iterators: start };
    let between =
        Moment { position: &touch.position, iterators: w_map.iter().map(|&d| Affine::dim(space, d)).collect() };
    let after = before(&from, &between)?;
    if after.is_empty() {
        return Ok(false);
    }
    let earlier = before(&between, &until)?;
    if earlier.is_empty() {
        return Ok(false);
    }
    let Some(base) = hits(facts, touch, (watch.subscripts, watch.domain))? else { return Ok(true) };
    for x in &after {
        for y in &earlier {
            let mut set = base.clone();
            for row in x.iter().chain(y) {
                set.add(row.clone());
            }
            if !set.is_empty(facts.budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Is there an instance of `touch` that hits a cell before an instance of a position, over whose loops the cell is, does?
///
/// # Errors
/// Budget, overflow, rows that are not affine.
pub fn precedes(facts: &Facts, touch: &Touch, cell: (&[super::poly::Poly], &Domain), until: &Position) -> Raise<bool> {
    let (q, w) = (cell.1.loops.len(), touch.domain.loops.len());
    let space = Space::new(facts.params.len(), q + w);
    let at = |from: usize, count: usize| (from..from + count).map(|d| Affine::dim(space, d)).collect();
    let until = Moment { position: until, iterators: at(0, q) };
    let earlier = before(&Moment { position: &touch.position, iterators: at(q, w) }, &until)?;
    if earlier.is_empty() {
        return Ok(false);
    }
    let Some(base) = hits(facts, touch, cell)? else { return Ok(true) };
    for rows in earlier {
        let mut set = base.clone();
        for row in rows {
            set.add(row);
        }
        if !set.is_empty(facts.budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `{ [use, touch] : the touch hits the cell of the use }`. `None`: that cannot be said.
fn hits(
    facts: &Facts,
    touch: &Touch,
    (subscripts, domain): (&[super::poly::Poly], &Domain),
) -> Raise<Option<Polyhedron>> {
    let (q, w) = (domain.loops.len(), touch.domain.loops.len());
    let space = Space::new(facts.params.len(), q + w);
    let (q_map, w_map): (Vec<usize>, Vec<usize>) = ((0..q).collect(), (q..q + w).collect());
    let mut out = facts.set(domain)?.embed(space, &q_map).intersect(&facts.set(&touch.domain)?.embed(space, &w_map));
    for (a, b) in subscripts.iter().zip(&touch.subscripts) {
        let (Some(a), Some(b)) = (facts.affine(a, &domain.loops), facts.affine(b, &touch.domain.loops)) else {
            return Ok(None);
        };
        out.add(Constraint::eq(a.embed(space, &q_map).sub(&b.embed(space, &w_map))?));
    }
    Ok(Some(out))
}
