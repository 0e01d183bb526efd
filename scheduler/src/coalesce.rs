//! Statements that are parts of one operation become one statement.
//!
//! **Problem.** Factorisations by rows say the same thing twice: `A[i,j] -= A[i,k] * A[k,j]` for `j < i`, `k < j`, and again for `j >= i`, `k < i`. As two statements they
//! get loops of their own wherever they share some, and neither is a rectangle that a kernel could take; as one, for `k < min(i, j)`, they are.
//!
//! **Notation.** `twin` goes into `whole`. The map `{ twin[x] -> whole[y] }` makes every operand of the one that of the other, `F y = G x` for the rows of all
//! subscripts; where the rows of `F` have rank `depth(whole)` there is at most one.
//!
//! **Method.** Solve for the map; take the image of the twin's domain. Both must be disjoint, and their union a polyhedron: those rows of either that hold in the other, if
//! no point of them is outside of both (Verdoolaege, *isl*, coalescing). Then the twin must be able to run in the place of the whole: the tree of the
//! source with the twin in the loops of the whole, at the image of its instances, has to pass [`legality::prove`]. So the new part, in its own source order,
//! is the old one.
//!
//! **Example.** Cholesky by rows: `A[i,i] -= A[i,k] * A[i,k]` is `A[i,j] -= A[i,k] * A[j,k]` at `j = i`, and `j < i` with `j = i` is `j <= i`.

use crate::dependence::Dependences;
use crate::legality::{self, Verdict};
use crate::scop::{Access, AccessId, Scop, Statement, StatementId};
use crate::tree::Node;
use crate::{Error, Result};
use polyhedra::{Affine, Budget, Constraint, Kind, Matrix, Polyhedron, Space};

/// Most pairs that are looked at closely in one part.
const MOST_PAIRS: usize = 32;

/// Two statements that compute the same function of their operands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Likeness {
    /// The operands that are read, in the same order: access of the whole, access of the twin.
    pub reads: Vec<(AccessId, AccessId)>,
    /// Numbers made of iterators and parameters, in the same order: each in its statement's space.
    pub numbers: Vec<(Affine, Affine)>,
}

/// A part with fewer statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coalesced {
    /// The same program.
    pub scop: Scop,
    /// For each of its statements the one of the source whose operation it does, in whose iterators it is written.
    pub origin: Vec<StatementId>,
}

/// Makes one statement of two as often as that can be done. `alike(whole, twin)` says whether two statements of the part compute the same. `None`: nothing was found.
///
/// # Errors
/// Overflow, budget.
pub fn coalesce(
    scop: &Scop,
    dependences: &Dependences,
    alike: &dyn Fn(StatementId, StatementId) -> Option<Likeness>,
    budget: &Budget,
) -> Result<Option<Coalesced>> {
    let mut found: Option<(Coalesced, Dependences)> = None;
    let mut pairs = 0;
    'again: loop {
        let (part, dependences) = match &found {
            Some((found, dependences)) => (&found.scop, dependences),
            None => (scop, dependences),
        };
        let origin: Vec<StatementId> = match &found {
            Some((found, _)) => found.origin.clone(),
            None => (0..scop.statements.len()).map(StatementId).collect(),
        };
        for whole in 0..part.statements.len() {
            for twin in (0..part.statements.len()).filter(|&twin| twin != whole) {
                if !could_be(&part.statements[whole], &part.statements[twin]) {
                    continue;
                }
                let Some(likeness) = alike(origin[whole], origin[twin]) else { continue };
                pairs += 1;
                if pairs > MOST_PAIRS {
                    break 'again;
                }
                let ends = (StatementId(whole), StatementId(twin));
                if let Some(scop) = joined(part, dependences, ends, &likeness, budget)? {
                    let dependences = Dependences::of(&scop, budget)?;
                    let mut origin = origin;
                    origin.remove(twin);
                    found = Some((Coalesced { scop, origin }, dependences));
                    continue 'again;
                }
            }
        }
        break;
    }
    Ok(found.map(|(found, _)| found))
}

/// What can be seen at once.
fn could_be(whole: &Statement, twin: &Statement) -> bool {
    let write = |s: &Statement| (s.write().array, s.write().kind, s.write().extent);
    whole.depth() >= twin.depth() && write(whole) == write(twin)
}

/// The part with the twin in the whole. `None`: that is another program, or cannot be shown.
fn joined(
    scop: &Scop,
    dependences: &Dependences,
    (whole, twin): (StatementId, StatementId),
    likeness: &Likeness,
    budget: &Budget,
) -> Result<Option<Scop>> {
    let (own, other) = (&scop.statements[whole.0], &scop.statements[twin.0]);
    let Some(map) = map(own, other, likeness)? else { return Ok(None) };
    let Some(image) = image(own.space(), other, &map, budget)? else { return Ok(None) };
    if !own.domain.intersect(&image).is_empty(budget)? {
        return Ok(None);
    }
    let Some(mut domain) = union(&own.domain, &image, budget)? else { return Ok(None) };
    // Iterators count from 0.
    for d in 0..own.depth() {
        let row = Constraint::ge(Affine::dim(own.space(), d));
        if !domain.implies(&row, budget)? {
            return Ok(None);
        }
        if !domain.constraints().contains(&row) {
            domain.add(row);
        }
    }
    let tree = in_place_of(scop, legality::original(scop), (whole, twin), &map)?;
    let Some(tree) = tree else { return Ok(None) };
    if !matches!(legality::prove(scop, dependences, tree, budget)?, Verdict::Legal(_)) {
        return Ok(None);
    }
    let mut out = scop.clone();
    out.statements[whole.0].domain = domain;
    out.statements[whole.0].vectorizable &= other.vectorizable;
    out.statements.remove(twin.0);
    out.check()?;
    Ok(Some(out))
}

/// `{ twin[x] -> whole[y] }`: the affine map that takes the operands of the one to those of the other.
fn map(whole: &Statement, twin: &Statement, likeness: &Likeness) -> Result<Option<Vec<Affine>>> {
    // Rows of F and G in `F y = G x`.
    let mut pairs: Vec<(&Affine, &Affine)> = Vec::new();
    let same_kind = |a: &Access, b: &Access| (a.array, a.kind, a.extent) == (b.array, b.kind, b.extent);
    let mut accesses = vec![(whole.write(), twin.write())];
    for &(AccessId(a), AccessId(b)) in &likeness.reads {
        let (Some(a), Some(b)) = (whole.accesses.get(a), twin.accesses.get(b)) else {
            return Err(Error::Malformed("an operand that is no access".into()));
        };
        accesses.push((a, b));
    }
    for (a, b) in accesses {
        if !same_kind(a, b) {
            return Ok(None);
        }
        pairs.extend(a.subscripts.iter().zip(&b.subscripts));
    }
    pairs.extend(likeness.numbers.iter().map(|(a, b)| (a, b)));

    // As many independent rows as there are iterators; with an integral inverse.
    let depth = whole.depth();
    let mut rows: Vec<Vec<i64>> = Vec::new();
    let mut values: Vec<Affine> = Vec::new();
    for &(f, g) in &pairs {
        let mut more = rows.clone();
        more.push(f.dim_coeffs().to_vec());
        if Matrix::new(more.clone(), depth).rank()? == more.len() {
            rows = more;
            values.push(g.sub(&parameters_of(f, twin.space())?)?);
        }
    }
    if rows.len() < depth {
        return Ok(None);
    }
    let Some(inverse) = Matrix::new(rows, depth).unimodular_inverse()? else { return Ok(None) };
    let mut map = Vec::new();
    for row in inverse.rows() {
        let mut sum = Affine::zero(twin.space());
        for (&c, value) in row.iter().zip(&values) {
            sum = sum.combine(1, value, c)?;
        }
        map.push(sum);
    }
    for (f, g) in pairs {
        if f.compose(&map, twin.space())? != *g {
            return Ok(None);
        }
    }
    Ok(Some(map))
}

/// Constant and parameters of a form, in another space with the same parameters.
fn parameters_of(form: &Affine, space: Space) -> Result<Affine> {
    let mut out = Affine::constant(space, form.constant_term());
    for (p, &c) in form.param_coeffs().iter().enumerate() {
        out.set_param(p, c);
    }
    Ok(out)
}

/// The image of the twin's domain, exactly, and only if no two instances have the same.
fn image(space: Space, twin: &Statement, map: &[Affine], budget: &Budget) -> Result<Option<Polyhedron>> {
    let own = twin.depth();
    if Matrix::new(map.iter().map(|r| r.dim_coeffs().to_vec()).collect(), own).rank()? < own {
        return Ok(None);
    }
    let both = Space::new(space.params, space.dims + own);
    let inner: Vec<usize> = (space.dims..both.dims).collect();
    let mut set = twin.domain.embed(both, &inner);
    for (d, row) in map.iter().enumerate() {
        set.add(Constraint::eq(Affine::dim(both, d).sub(&row.embed(both, &inner))?));
    }
    let shadow = set.project_out(&inner, budget)?;
    Ok(shadow.exact.then_some(shadow.set))
}

/// The union of two sets if it is one polyhedron with rows of theirs.
fn union(a: &Polyhedron, b: &Polyhedron, budget: &Budget) -> Result<Option<Polyhedron>> {
    let mut hull = Polyhedron::universe(a.space());
    let mut only: [Vec<Constraint>; 2] = Default::default();
    for (side, (set, other)) in [(a, b), (b, a)].into_iter().enumerate() {
        for row in set.constraints().iter().flat_map(half_spaces) {
            let row = row?;
            if other.implies(&row, budget)? {
                if !hull.constraints().contains(&row) {
                    hull.add(row);
                }
            } else {
                only[side].push(row);
            }
        }
    }
    // A point of the hull outside of both breaks a row of either.
    for broken in &only[0] {
        for also in &only[1] {
            let outside = hull.clone().with(negated(broken)?).with(negated(also)?);
            if !outside.is_empty(budget)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(hull))
}

/// A row as inequalities.
fn half_spaces(row: &Constraint) -> Vec<Result<Constraint>> {
    match row.kind {
        Kind::Ge => vec![Ok(row.clone())],
        Kind::Eq => {
            vec![Ok(Constraint::ge(row.expr.clone())), row.expr.scale(-1).map(Constraint::ge).map_err(Error::from)]
        }
    }
}

/// `e >= 0` as `-e - 1 >= 0`.
fn negated(row: &Constraint) -> Result<Constraint> {
    Ok(Constraint::ge(row.expr.scale(-1)?.offset(-1)?))
}

/// A tree with the twin taken from its place and put beside the whole, in its loops. `None`: the twin was all there is in some place that would be empty.
fn in_place_of(scop: &Scop, tree: Node, ends: (StatementId, StatementId), map: &[Affine]) -> Result<Option<Node>> {
    let (whole, twin) = ends;
    let space = scop.statements[twin.0].space();
    Ok(match tree {
        Node::Leaf(s) if s == twin => None,
        Node::Leaf(s) if s == whole => Some(Node::Sequence(vec![Node::Leaf(whole), Node::Leaf(twin)])),
        Node::Leaf(s) => Some(Node::Leaf(s)),
        Node::Sequence(children) => {
            let mut left = Vec::new();
            for child in children {
                left.extend(in_place_of(scop, child, ends, map)?);
            }
            if left.len() > 1 { Some(Node::Sequence(left)) } else { left.pop() }
        }
        Node::Band { mut members, permutable, child } => {
            let Some(child) = in_place_of(scop, *child, ends, map)? else { return Ok(None) };
            for member in &mut members {
                member.rows.remove(&twin);
                if let Some(row) = member.rows.get(&whole) {
                    let row = row.compose(map, space)?;
                    member.rows.insert(twin, row);
                }
            }
            Some(Node::Band { members, permutable, child: Box::new(child) })
        }
    })
}

#[cfg(test)]
mod tests;
