//! Ways to rewrite a tree: other orders of loops, distribution, tiles.
//!
//! **Vocabulary.** A *nest* is a chain of bands without a sequence between them, with all its members; the annotated tree has it as several bands, one a
//! permutable run. A *place* is the list of child numbers from the root to a node (a band has one child).
//!
//! Nothing here asks whether the result is legal or fast.

use crate::cost::carried::perfect_nest;
use crate::scop::StatementId;
use crate::tree::{Member, Node, Rows};
use polyhedra::{Affine, Matrix};
use std::collections::BTreeMap;

/// Nests of more members than this are permuted by neighbours only.
pub const MOST_PERMUTED: usize = 4;

/// Sequences of more children than this are distributed completely or not at all.
const MOST_SPLIT: usize = 6;

/// Where a node is.
pub type Place = Vec<usize>;

/// The outermost bands of all nests, from the root down.
#[must_use]
pub fn nests(tree: &Node) -> Vec<Place> {
    fn walk(node: &Node, place: &mut Place, out: &mut Vec<Place>) {
        match node {
            Node::Leaf(_) => {}
            Node::Sequence(children) => {
                for (k, child) in children.iter().enumerate() {
                    place.push(k);
                    walk(child, place, out);
                    place.pop();
                }
            }
            Node::Band { .. } => {
                out.push(place.clone());
                let (mut inside, start) = (node, place.len());
                while let Node::Band { child, .. } = inside {
                    place.push(0);
                    inside = child;
                }
                walk(inside, place, out);
                place.truncate(start);
            }
        }
    }
    let mut out = Vec::new();
    walk(tree, &mut Vec::new(), &mut out);
    out
}

/// All bands, from the root down.
#[must_use]
pub fn bands(tree: &Node) -> Vec<Place> {
    fn walk(node: &Node, place: &mut Place, out: &mut Vec<Place>) {
        match node {
            Node::Leaf(_) => {}
            Node::Sequence(children) => {
                for (k, child) in children.iter().enumerate() {
                    place.push(k);
                    walk(child, place, out);
                    place.pop();
                }
            }
            Node::Band { child, .. } => {
                out.push(place.clone());
                place.push(0);
                walk(child, place, out);
                place.pop();
            }
        }
    }
    let mut out = Vec::new();
    walk(tree, &mut Vec::new(), &mut out);
    out
}

/// Permutable bands with at least two members, from the root down.
#[must_use]
pub fn tileable_bands(tree: &Node) -> Vec<Place> {
    let suits = |place: &Place| matches!(at(tree, place), Some(Node::Band { members, permutable: true, .. }) if members.len() >= 2);
    bands(tree).into_iter().filter(suits).collect()
}

/// The node at a place.
#[must_use]
pub fn at<'a>(tree: &'a Node, place: &[usize]) -> Option<&'a Node> {
    let Some((&first, rest)) = place.split_first() else { return Some(tree) };
    match tree {
        Node::Leaf(_) => None,
        Node::Sequence(children) => at(children.get(first)?, rest),
        Node::Band { child, .. } => at(child, rest),
    }
}

/// The tree with another node at a place.
#[must_use]
pub fn replaced(tree: &Node, place: &[usize], new: Node) -> Node {
    let Some((&first, rest)) = place.split_first() else { return new };
    match tree {
        Node::Leaf(_) => tree.clone(),
        Node::Sequence(children) => {
            let mut children = children.clone();
            if let Some(child) = children.get_mut(first) {
                *child = replaced(child, rest, new);
            }
            Node::Sequence(children)
        }
        Node::Band { members, permutable, child } => Node::Band {
            members: members.clone(),
            permutable: *permutable,
            child: Box::new(replaced(child, rest, new)),
        },
    }
}

/// The nest at a place in other orders; the order that it has is not among them.
#[must_use]
pub fn orders(tree: &Node, place: &[usize]) -> Vec<Node> {
    let Some(node) = at(tree, place) else { return Vec::new() };
    let (members, inside) = perfect_nest(node);
    let n = members.len();
    let orders: Vec<Vec<usize>> = if n <= MOST_PERMUTED {
        permutations(n)
    } else {
        (1..n)
            .map(|k| {
                let mut order: Vec<usize> = (0..n).collect();
                order.swap(k - 1, k);
                order
            })
            .collect()
    };
    orders
        .into_iter()
        .filter(|order| !order.is_sorted())
        .map(|order| {
            let members = order.iter().map(|&k| members[k].clone()).collect();
            replaced(tree, place, Node::Band { members, permutable: false, child: Box::new(inside.clone()) })
        })
        .collect()
}

/// All orders of `n` things, in lexicographic order.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new()];
    for _ in 0..n {
        out = out
            .iter()
            .flat_map(|p: &Vec<usize>| {
                (0..n).filter(|k| !p.contains(k)).map(|k| p.iter().copied().chain([k]).collect()).collect::<Vec<_>>()
            })
            .collect();
    }
    out
}

/// Other ways to say what shares a loop with what: distribution, embedding, fusion.
#[must_use]
pub fn regroupings(tree: &Node) -> Vec<Node> {
    let mut out = distributions(tree);
    out.extend(embeddings(tree));
    out.extend(fusions(tree));
    out
}

/// Sequences under nests moved outwards: over some of the members or all of them, all children apart or in two groups.
#[must_use]
pub fn distributions(tree: &Node) -> Vec<Node> {
    let mut out = Vec::new();
    for place in nests(tree) {
        let Some(node) = at(tree, &place) else { continue };
        let (members, inside) = perfect_nest(node);
        let Node::Sequence(children) = inside else { continue };
        let n = children.len();
        let mut partitions: Vec<Vec<&[Node]>> = vec![children.chunks(1).collect()];
        if (3..=MOST_SPLIT).contains(&n) {
            partitions.extend((1..n).map(|k| vec![&children[..k], &children[k..]]));
        }
        let outside = rows_outside(tree, &place);
        for kept in 0..members.len() {
            for partition in &partitions {
                let parts = partition.iter().map(|group| part(&members, kept, group, &outside)).collect();
                let mut new = Node::Sequence(parts);
                if kept > 0 {
                    let members = members[..kept].iter().map(|m| (*m).clone()).collect();
                    new = Node::Band { members, permutable: false, child: Box::new(new) };
                }
                out.push(replaced(tree, &place, new));
            }
        }
    }
    out
}

/// Loops that only some children of a sequence have, moved outside of it: `i, j, {k: S0; S1}` becomes `i, j, k, {S0; S1}` with `S1` at the `k` that one of the
/// loops outside gives it (`k = j`). That makes orders possible that the sequence stands against: the loop over `j` of an LU decomposition can run inside.
#[must_use]
pub fn embeddings(tree: &Node) -> Vec<Node> {
    let mut out = Vec::new();
    for place in nests(tree) {
        let Some(node) = at(tree, &place) else { continue };
        let (members, inside) = perfect_nest(node);
        let Node::Sequence(children) = inside else { continue };
        let deep = children.iter().any(|c| matches!(c, Node::Band { .. }));
        let shallow = children.iter().any(|c| matches!(c, Node::Leaf(_)));
        if !deep || !shallow || children.iter().any(|c| matches!(c, Node::Sequence(_))) {
            continue;
        }
        for source in &members {
            // Inside the new loop the shallow ones may have to run first (at its first iteration) or last.
            let is_leaf = |c: &&Node| matches!(c, Node::Leaf(_));
            let (leaves, bands): (Vec<&Node>, Vec<&Node>) = children.iter().partition(is_leaf);
            let mut tried: Vec<Vec<&Node>> = Vec::new();
            for order in [children.iter().collect(), [&leaves[..], &bands].concat(), [&bands[..], &leaves].concat()] {
                if tried.contains(&order) {
                    continue;
                }
                if let Some((member, inner)) = embedded(&order, source) {
                    let mut all: Vec<Member> = members.iter().map(|m| (*m).clone()).collect();
                    all.push(member);
                    let new = Node::Band { members: all, permutable: false, child: Box::new(Node::Sequence(inner)) };
                    out.push(replaced(tree, &place, new));
                }
                tried.push(order);
            }
        }
    }
    out
}

/// Neighbours in a sequence with some of their outermost loops in common.
#[must_use]
pub fn fusions(tree: &Node) -> Vec<Node> {
    fn walk(tree: &Node, node: &Node, place: &mut Place, out: &mut Vec<Node>) {
        match node {
            Node::Leaf(_) => {}
            Node::Band { child, .. } => {
                place.push(0);
                walk(tree, child, place, out);
                place.pop();
            }
            Node::Sequence(children) => {
                for (k, pair) in children.windows(2).enumerate() {
                    for fused in fused(&pair[0], &pair[1]) {
                        let rest =
                            children[..k].iter().cloned().chain([fused]).chain(children[k + 2..].iter().cloned());
                        out.push(replaced(tree, place, Node::Sequence(rest.collect())));
                    }
                }
                for (k, child) in children.iter().enumerate() {
                    place.push(k);
                    walk(tree, child, place, out);
                    place.pop();
                }
            }
        }
    }
    let mut out = Vec::new();
    walk(tree, tree, &mut Vec::new(), &mut out);
    out
}

/// Two nests with one loop in common, two loops, and so on.
fn fused(first: &Node, second: &Node) -> Vec<Node> {
    let ((a, x), (b, y)) = (perfect_nest(first), perfect_nest(second));
    let rest = |members: &[&Member], inside: &Node| match members {
        [] => inside.clone(),
        _ => Node::Band {
            members: members.iter().map(|m| (*m).clone()).collect(),
            permutable: false,
            child: Box::new(inside.clone()),
        },
    };
    (1..=a.len().min(b.len()))
        .map(|n| {
            let both = |(p, q): (&&Member, &&Member)| {
                let rows = p.rows.iter().chain(&q.rows).map(|(s, r)| (*s, r.clone())).collect();
                Member::new(rows, false)
            };
            let members = a[..n].iter().zip(&b[..n]).map(both).collect();
            let child = Box::new(Node::Sequence(vec![rest(&a[n..], x), rest(&b[n..], y)]));
            Node::Band { members, permutable: false, child }
        })
        .collect()
}

/// The outermost loops of the deep children as one member, with the rows of `source` for the shallow ones; and the children without it.
fn embedded(children: &[&Node], source: &Member) -> Option<(Member, Vec<Node>)> {
    let mut rows = Rows::default();
    let mut inner = Vec::new();
    for &child in children {
        match child {
            Node::Leaf(s) => {
                rows.insert(*s, source.rows.get(s)?.clone());
                inner.push(child.clone());
            }
            Node::Band { members, child, .. } => {
                let (first, rest) = members.split_first()?;
                rows.extend(first.rows.iter().map(|(s, r)| (*s, r.clone())));
                inner.push(if rest.is_empty() {
                    (**child).clone()
                } else {
                    Node::Band { members: rest.to_vec(), permutable: false, child: child.clone() }
                });
            }
            Node::Sequence(_) => return None,
        }
    }
    Some((Member::new(rows, false), inner))
}

/// The members from `kept` on, around some of the children only.
pub(super) fn part(
    members: &[&Member],
    kept: usize,
    group: &[Node],
    outside: &BTreeMap<StatementId, Vec<Affine>>,
) -> Node {
    let child = if let [only] = group { only.clone() } else { Node::Sequence(group.to_vec()) };
    let statements = child.statements();
    let mut before: Vec<Affine> = Vec::new();
    if let [only] = statements[..] {
        before.extend(outside.get(&only).into_iter().flatten().cloned());
        before.extend(members[..kept].iter().filter_map(|m| m.rows.get(&only).cloned()));
    }
    let mut inner = Vec::new();
    for member in &members[kept..] {
        let rows: Rows =
            member.rows.iter().filter(|(s, _)| statements.contains(s)).map(|(s, r)| (*s, r.clone())).collect();
        // A statement alone needs no loop that runs once.
        if let [only] = statements[..]
            && let Some(row) = rows.get(&only)
            && is_determined(row, &before)
        {
            continue;
        }
        before.extend(rows.values().cloned());
        inner.push(Member::new(rows, member.parallel));
    }
    if inner.is_empty() { child } else { Node::Band { members: inner, permutable: false, child: Box::new(child) } }
}

/// Do the other rows determine this one?
fn is_determined(row: &Affine, others: &[Affine]) -> bool {
    let columns = row.space().dims;
    let rank = |rows: Vec<Vec<i64>>| Matrix::new(rows, columns).rank().ok();
    let mut rows: Vec<Vec<i64>> = others.iter().map(|r| r.dim_coeffs().to_vec()).collect();
    let before = rank(rows.clone());
    rows.push(row.dim_coeffs().to_vec());
    before.is_some() && before == rank(rows)
}

/// For each statement the rows of the loops outside of a place.
fn rows_outside(tree: &Node, place: &[usize]) -> BTreeMap<StatementId, Vec<Affine>> {
    let mut out: BTreeMap<StatementId, Vec<Affine>> = BTreeMap::new();
    for depth in 0..place.len() {
        if let Some(Node::Band { members, .. }) = at(tree, &place[..depth]) {
            for (s, row) in members.iter().flat_map(|m| &m.rows) {
                out.entry(*s).or_default().push(row.clone());
            }
        }
    }
    out
}

/// The tree with these tile sizes at the band of this place (`None`: not tiled).
#[must_use]
pub fn tiled(tree: &Node, place: &[usize], sizes: &[Option<i64>]) -> Node {
    let Some(Node::Band { members, permutable, child }) = at(tree, place) else { return tree.clone() };
    let mut members = members.clone();
    for (member, size) in members.iter_mut().zip(sizes) {
        member.tile = *size;
    }
    replaced(tree, place, Node::Band { members, permutable: *permutable, child: child.clone() })
}

/// Every permutable band tiled with these sizes, in turn; sizes below 2 leave a loop as it is.
#[must_use]
pub fn tiled_everywhere(tree: &Node, sizes: &[i64]) -> Node {
    match tree {
        Node::Leaf(_) => tree.clone(),
        Node::Sequence(children) => Node::Sequence(children.iter().map(|c| tiled_everywhere(c, sizes)).collect()),
        Node::Band { members, permutable, child } => {
            let mut members = members.clone();
            if *permutable && !sizes.is_empty() {
                for (member, size) in members.iter_mut().zip(sizes.iter().cycle()) {
                    member.tile = (*size >= 2).then_some(*size);
                }
            }
            Node::Band { members, permutable: *permutable, child: Box::new(tiled_everywhere(child, sizes)) }
        }
    }
}

/// Is a band tiled that may not be?
#[must_use]
pub fn tiles_unlawfully(tree: &Node) -> bool {
    match tree {
        Node::Leaf(_) => false,
        Node::Sequence(children) => children.iter().any(tiles_unlawfully),
        Node::Band { members, permutable, child } => {
            (!permutable && members.iter().any(|m| m.tile.is_some())) || tiles_unlawfully(child)
        }
    }
}
