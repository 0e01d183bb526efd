//! Trees of candidates: what they share, how they compare, and their wavefronts.

use crate::Result;
use crate::scop::StatementId;
use crate::tree::Node;

/// Every permutable band without a parallel member gets a wavefront: its first row becomes the sum of the first two. In a permutable band no distance is
/// negative, so the sum is at least 1 wherever one of the two carries a dependence, and the second loop has nothing left to carry: "solve the outer level
/// again with `delta >= 1` on the inner's edges", with the answer known. `None`: there is no such band.
pub(super) fn wavefront(node: &Node) -> Result<Option<Node>> {
    Ok(match node {
        Node::Leaf(_) => None,
        Node::Sequence(children) => {
            let mut changed = false;
            let mut out = Vec::with_capacity(children.len());
            for child in children {
                let other = wavefront(child)?;
                changed |= other.is_some();
                out.push(other.unwrap_or_else(|| child.clone()));
            }
            changed.then_some(Node::Sequence(out))
        }
        Node::Band { members, permutable, child } => {
            let inner = wavefront(child)?;
            let [first, second, ..] = members.as_slice() else {
                return Ok(inner.map(|c| Node::Band {
                    members: members.clone(),
                    permutable: *permutable,
                    child: Box::new(c),
                }));
            };
            let slanted = *permutable && members.iter().all(|m| !m.parallel);
            if !slanted && inner.is_none() {
                return Ok(None);
            }
            let mut members = members.clone();
            if slanted {
                for (s, row) in &first.rows {
                    if let Some(other) = second.rows.get(s) {
                        members[0].rows.insert(*s, row.add(other)?);
                    }
                }
                // The judge clears flags; it is asked again.
                for m in &mut members {
                    m.parallel = true;
                }
            }
            let child = inner.map_or_else(|| child.clone(), Box::new);
            Some(Node::Band { members, permutable: *permutable, child })
        }
    })
}

/// Members that are parallel.
pub(super) fn parallel_loops(node: &Node) -> usize {
    match node {
        Node::Leaf(_) => 0,
        Node::Sequence(children) => children.iter().map(parallel_loops).sum(),
        Node::Band { members, child, .. } => members.iter().filter(|m| m.parallel).count() + parallel_loops(child),
    }
}

/// Loops shared by pairs of statements, summed.
pub(super) fn shared_loops(node: &Node) -> usize {
    match node {
        Node::Leaf(_) => 0,
        Node::Sequence(children) => children.iter().map(shared_loops).sum(),
        Node::Band { members, child, .. } => {
            let n = child.statements().len();
            members.len() * (n * (n - 1) / 2) + shared_loops(child)
        }
    }
}

/// Loops shared by two statements.
pub(super) fn shared_by(node: &Node, a: StatementId, b: StatementId) -> usize {
    match node {
        Node::Leaf(_) => 0,
        Node::Sequence(children) => children.iter().map(|c| shared_by(c, a, b)).sum(),
        Node::Band { members, child, .. } => {
            let has = |s| members.first().is_some_and(|m| m.rows.contains_key(&s));
            if has(a) && has(b) { members.len() + shared_by(child, a, b) } else { 0 }
        }
    }
}

/// Places where a band stands directly inside another or is not permutable: loops that cannot be tiled together.
pub(super) fn breaks(node: &Node) -> usize {
    match node {
        Node::Leaf(_) => 0,
        Node::Sequence(children) => children.iter().map(breaks).sum(),
        Node::Band { members, permutable, child } => {
            usize::from(!permutable && members.len() > 1)
                + usize::from(matches!(**child, Node::Band { .. }))
                + breaks(child)
        }
    }
}

/// Does a statement of three or more loops have them spread over several bands?
pub(super) fn deep_split(node: &Node, bands: usize, loops: usize) -> bool {
    match node {
        Node::Leaf(_) => bands > 1 && loops > 2,
        Node::Sequence(children) => children.iter().any(|c| deep_split(c, bands, loops)),
        Node::Band { members, child, .. } => deep_split(child, bands + 1, loops + members.len()),
    }
}

/// The same shape and rows, flags aside.
pub(super) fn same_order(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Leaf(x), Node::Leaf(y)) => x == y,
        (Node::Sequence(x), Node::Sequence(y)) => x.len() == y.len() && x.iter().zip(y).all(|(p, q)| same_order(p, q)),
        (Node::Band { members: x, child: p, .. }, Node::Band { members: y, child: q, .. }) => {
            x.len() == y.len() && x.iter().zip(y).all(|(m, n)| m.rows == n.rows) && same_order(p, q)
        }
        _ => false,
    }
}
