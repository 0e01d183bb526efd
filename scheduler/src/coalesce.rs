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
//! is the old one. Where that order does not do, the statements around the whole may stand in its way: then they get loops of their own inside of those that both share, in an order that
//! keeps the dependences there (`apart`).
//!
//! **Examples.** Cholesky by rows: `A[i,i] -= A[i,k] * A[i,k]` is `A[i,j] -= A[i,k] * A[j,k]` at `j = i`, and `j < i` with `j = i` is `j <= i`. By columns the root of
//! `A[j,j]` stands between that and what is divided by it: `for j { for i >= j { for k { update } } root; for i > j { divide } }`.

use crate::dependence::Dependences;
use crate::legality::{self, Verdict};
use crate::scop::{Access, AccessId, Scop, Statement, StatementId};
use crate::tree::{Member, Node};
use crate::{Error, Result};
use polyhedra::{Affine, Budget, Constraint, Kind, Matrix, Polyhedron, Space};
use std::collections::{BTreeMap, BTreeSet};

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
    let Some(starts) = starts(&domain, budget)? else { return Ok(None) };
    let is_legal = |tree: &Node| -> Result<bool> {
        Ok(matches!(legality::prove(scop, dependences, tree.clone(), budget)?, Verdict::Legal(_)))
    };
    let mut out = scop.clone();
    let Some(inside) = in_place_of(scop, legality::original(scop), (whole, twin), &map)? else { return Ok(None) };
    if !is_legal(&inside)? {
        let Some(tree) = apart(scop, dependences, (whole, twin), &map)? else { return Ok(None) };
        if !is_legal(&tree)? {
            return Ok(None);
        }
        write_places(&tree, twin, &mut Vec::new(), &mut out)?;
    }
    // Iterators count from 0: loops that others share would not stay what they are, nor would numbers.
    let others = out.statements.iter().enumerate().filter(|&(k, _)| k != whole.0 && k != twin.0);
    let shared = others.map(|(_, other)| out.statements[whole.0].common_loops(other)).max().unwrap_or(0);
    if starts.iter().take(shared).any(|&start| start != 0)
        || (starts.iter().any(|&start| start != 0) && !likeness.numbers.is_empty())
    {
        return Ok(None);
    }
    let space = own.space();
    let mut from_zero = Vec::new();
    for (d, &start) in starts.iter().enumerate() {
        from_zero.push(Affine::dim(space, d).offset(start)?);
        let row = Constraint::ge(Affine::dim(space, d).offset(start.saturating_neg())?);
        if !domain.constraints().contains(&row) {
            domain.add(row);
        }
    }
    let joined = &mut out.statements[whole.0];
    joined.domain = domain.preimage(&from_zero, space)?;
    for subscript in joined.accesses.iter_mut().flat_map(|a| &mut a.subscripts) {
        *subscript = subscript.compose(&from_zero, space)?;
    }
    joined.vectorizable &= other.vectorizable;
    joined.uncounted |= other.uncounted;
    out.statements.remove(twin.0);
    out.check()?;
    Ok(Some(out))
}

/// Where each iterator begins: 0, or below where a row says so. `None`: nobody knows.
fn starts(domain: &Polyhedron, budget: &Budget) -> Result<Option<Vec<i64>>> {
    let space = domain.space();
    let mut out = Vec::new();
    for d in 0..space.dims {
        let own = Affine::dim(space, d);
        if domain.implies(&Constraint::ge(own.clone()), budget)? {
            out.push(0);
            continue;
        }
        let rows = domain.constraints().iter().filter(|c| c.kind == Kind::Ge);
        let starts = rows.filter(|c| c.expr.coeffs()[1..] == own.coeffs()[1..]).map(|c| c.expr.constant_term());
        let Some(start) = starts.min().and_then(i64::checked_neg) else { return Ok(None) };
        out.push(start);
    }
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

/// The source order with all statements that share more loops with the whole than the twin does in loops of their own, inside of those that both share, and the twin beside the whole. `None`:
/// the twin is in no loop of its own, the map changes the shared loops, or the statements depend on each other in a circle.
fn apart(
    scop: &Scop,
    dependences: &Dependences,
    ends: (StatementId, StatementId),
    map: &[Affine],
) -> Result<Option<Node>> {
    let (own, other) = (&scop.statements[ends.0.0], &scop.statements[ends.1.0]);
    let common = own.common_loops(other);
    let stays = |(d, row): (usize, &Affine)| *row == Affine::dim(other.space(), d);
    if common == 0 || other.depth() <= common || !map.iter().enumerate().take(common).all(stays) {
        return Ok(None);
    }
    around(scop, dependences, legality::original(scop), (ends, common), map)
}

/// [`apart`] for a part of the tree that both are in.
fn around(
    scop: &Scop,
    dependences: &Dependences,
    node: Node,
    (ends, common): ((StatementId, StatementId), usize),
    map: &[Affine],
) -> Result<Option<Node>> {
    let children = match node {
        Node::Leaf(_) => return Ok(None),
        Node::Band { members, permutable, child } => {
            let child = around(scop, dependences, *child, (ends, common), map)?;
            return Ok(child.map(|child| Node::Band { members, permutable, child: Box::new(child) }));
        }
        Node::Sequence(children) => children,
    };
    let has = |node: &Node, s: StatementId| node.statements().contains(&s);
    let both = children.iter().position(|c| has(c, ends.0) && has(c, ends.1));
    let mut parts = Vec::new();
    for (k, child) in children.into_iter().enumerate() {
        if both == Some(k) {
            let Some(child) = around(scop, dependences, child, (ends, common), map)? else { return Ok(None) };
            parts.push(child);
        } else if both.is_none() && has(&child, ends.0) {
            for s in child.statements() {
                let alone = only(&child, s).map(|alone| in_place_of(scop, alone, ends, map)).transpose()?;
                parts.extend(alone.flatten());
            }
        } else if both.is_none() {
            parts.extend(in_place_of(scop, child, ends, map)?);
        } else {
            parts.push(child);
        }
    }
    Ok(match both {
        Some(_) => Some(Node::Sequence(parts)),
        None => in_order(dependences, parts, common).map(Node::Sequence),
    })
}

/// A statement with the loops around it.
fn only(node: &Node, s: StatementId) -> Option<Node> {
    match node {
        Node::Leaf(own) => (*own == s).then_some(Node::Leaf(s)),
        Node::Sequence(children) => children.iter().find_map(|c| only(c, s)),
        Node::Band { members, permutable, child } => {
            let child = Box::new(only(child, s)?);
            let own = |m: &Member| {
                Member::new(m.rows.iter().filter(|(of, _)| **of == s).map(|(s, r)| (*s, r.clone())).collect(), true)
            };
            Some(Node::Band { members: members.iter().map(own).collect(), permutable: *permutable, child })
        }
    }
}

/// Parts in an order that keeps the dependences that so many shared loops leave, else in that in which they are given. `None`: there is none.
fn in_order(dependences: &Dependences, parts: Vec<Node>, common: usize) -> Option<Vec<Node>> {
    let place: BTreeMap<StatementId, usize> =
        parts.iter().enumerate().flat_map(|(k, part)| part.statements().into_iter().map(move |s| (s, k))).collect();
    let left = dependences.ordering.iter().filter(|d| d.level >= common);
    let edges: BTreeSet<(usize, usize)> = left
        .filter_map(|d| Some((*place.get(&d.source)?, *place.get(&d.target)?)))
        .filter(|(before, after)| before != after)
        .collect();
    let mut open: BTreeMap<usize, Node> = parts.into_iter().enumerate().collect();
    let mut out = Vec::with_capacity(open.len());
    while !open.is_empty() {
        let waits = |k: usize| edges.iter().any(|(before, after)| *after == k && open.contains_key(before));
        let next = open.keys().copied().find(|&k| !waits(k))?;
        out.extend(open.remove(&next));
    }
    Some(out)
}

/// Makes a tree of single loops, each over an iterator, the source order of its statements, but for the twin.
fn write_places(node: &Node, twin: StatementId, path: &mut Vec<usize>, out: &mut Scop) -> Result<()> {
    let children = match node {
        Node::Sequence(children) => children.as_slice(),
        other => std::slice::from_ref(other),
    };
    for (k, child) in children.iter().enumerate() {
        path.push(k);
        match child {
            Node::Leaf(s) if *s == twin => {}
            Node::Leaf(s) => out.statements[s.0].beta.clone_from(path),
            Node::Band { child, .. } => write_places(child, twin, path, out)?,
            Node::Sequence(_) => return Err(Error::Malformed("a sequence in a sequence".into())),
        }
        path.pop();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
