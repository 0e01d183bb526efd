//! What was changed, in words for users.

use crate::cost::nest::{Nest, Role};
use crate::scop::{Scop, StatementId};
use crate::tree::{Member, Node};
use polyhedra::Affine;
use std::collections::BTreeMap;

/// The rows of the loops around each statement, outermost first.
#[must_use]
pub fn rows(tree: &Node) -> BTreeMap<StatementId, Vec<Affine>> {
    fn walk<'a>(node: &'a Node, around: &mut Vec<&'a Member>, out: &mut BTreeMap<StatementId, Vec<Affine>>) {
        match node {
            Node::Leaf(s) => {
                out.insert(*s, around.iter().filter_map(|m| m.rows.get(s).cloned()).collect());
            }
            Node::Sequence(children) => children.iter().for_each(|c| walk(c, around, out)),
            Node::Band { members, child, .. } => {
                let outside = around.len();
                around.extend(members);
                walk(child, around, out);
                around.truncate(outside);
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(tree, &mut Vec::new(), &mut out);
    out
}

/// Rows that mix iterators.
#[must_use]
pub fn skewed_rows(tree: &Node) -> usize {
    let mixes = |row: &&Affine| row.dim_coeffs().iter().filter(|&&c| c != 0).count() > 1;
    rows(tree).values().map(|rows| rows.iter().filter(mixes).count()).sum()
}

/// The sizes of all tiled bands: `64x256`.
fn tiles(tree: &Node, out: &mut Vec<String>) {
    match tree {
        Node::Leaf(_) => {}
        Node::Sequence(children) => children.iter().for_each(|c| tiles(c, out)),
        Node::Band { members, child, .. } => {
            let sizes: Vec<String> = members.iter().filter_map(|m| Some(m.tile?.to_string())).collect();
            if !sizes.is_empty() {
                out.push(sizes.join("x"));
            }
            tiles(child, out);
        }
    }
}

/// How many loops two statements share in a tree, not counting tiles.
fn shared(node: &Node, a: StatementId, b: StatementId) -> usize {
    match node {
        Node::Leaf(_) => 0,
        Node::Sequence(children) => {
            let both = |c: &&Node| {
                let inside = c.statements();
                inside.contains(&a) && inside.contains(&b)
            };
            children.iter().find(both).map_or(0, |c| shared(c, a, b))
        }
        Node::Band { members, child, .. } => members.len() + shared(child, a, b),
    }
}

/// What distinguishes a tree from the source.
#[must_use]
pub fn summary(scop: &Scop, original: &Node, tree: &Node) -> Vec<String> {
    let mut out = Vec::new();
    let rows = rows(tree);
    let leading = |row: &Affine| row.dim_coeffs().iter().position(|&c| c != 0);
    let order = |rows: &Vec<Affine>| rows.iter().filter_map(leading).collect::<Vec<_>>();
    let mixes = |row: &Affine| row.dim_coeffs().iter().filter(|&&c| c != 0).count() > 1;
    let plain = |rows: &&Vec<Affine>| !rows.iter().any(mixes);
    if rows.values().filter(plain).any(|r| order(r).windows(2).any(|w| w[0] > w[1])) {
        out.push("interchanged loops".to_string());
    }
    if rows.values().flatten().any(mixes) {
        out.push("skewed loops".to_string());
    }
    if rows.values().flatten().any(|r| leading(r).is_some_and(|k| r.dim_coeff(k) < 0)) {
        out.push("reversed loops".to_string());
    }
    let statements: Vec<StatementId> = (0..scop.statements.len()).map(StatementId).collect();
    let (mut closer, mut apart) = (Vec::new(), false);
    for (k, &a) in statements.iter().enumerate() {
        for &b in &statements[k + 1..] {
            let (before, after) = (shared(original, a, b), shared(tree, a, b));
            apart |= after < before;
            if after > before {
                closer.push((a, b));
            }
        }
    }
    if !closer.is_empty() {
        // Statements that now share loops, as groups.
        let mut group: BTreeMap<StatementId, StatementId> = BTreeMap::new();
        for (a, b) in &closer {
            let first = group.get(a).copied().unwrap_or(*a);
            group.insert(*a, first);
            group.insert(*b, first);
        }
        out.push(format!("fused {} nests", group.len()));
    }
    if apart {
        out.push("distributed".to_string());
    }
    let mut sizes = Vec::new();
    tiles(tree, &mut sizes);
    sizes.dedup();
    out.extend(sizes.into_iter().map(|s| format!("tiled {s}")));
    out
}

/// How complicated the code is: loops, tiles count twice, rows that mix iterators.
#[must_use]
pub fn complexity(nest: &Nest, tree: &Node) -> usize {
    let tiles = nest.loops.iter().filter(|l| matches!(l.role, Role::Tile(_))).count();
    nest.loops.len() + tiles + skewed_rows(tree)
}

/// The structure as the arrays see it: the same for all sources of one program, whatever the order and the names of their loops. Loops that move the first
/// subscript of what is written come first among equals.
#[must_use]
pub fn structure(nest: &Nest, tree: &Node) -> Vec<i64> {
    let mut out = Vec::new();
    for s in tree.statements() {
        let Some(path) = nest.paths.get(&s) else { continue };
        out.push(i64::MAX);
        for step in 0..path.steps.len() {
            out.extend(path.accesses.iter().flat_map(|a| a.by[step].iter().map(|&c| -c)));
        }
    }
    out
}
