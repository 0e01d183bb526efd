//! What was changed, in words for users.

use crate::Result;
use crate::cost::Model;
use crate::cost::nest::{Nest, Role};
use crate::kernel::ProvedKernels;
use crate::scop::StatementId;
use crate::tree::{Lanes, Member, Node};
use polyhedra::Affine;
use std::collections::{BTreeMap, BTreeSet};

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

/// How many loops too many move a subscript, summed over accesses: 0 when every subscript is one loop.
///
/// A loop may be counted from another start, which may depend on loops outside, without any change of order: `A[i][i+c]` with `c` from 0 is `A[i][j]` with `j`
/// from `i`. That is no skew, unless the two loops are tiled together.
#[must_use]
pub fn skew(nest: &Nest) -> usize {
    let mut sum = 0;
    for path in nest.paths.values() {
        let role = |k: usize| &nest.loops[path.steps[k].of.0];
        // Lanes are part of the loop over vectors.
        let is_loop =
            |k: usize| !path.steps[k].idle && path.steps[k].lanes.is_none() && !matches!(role(k).role, Role::Tile(_));
        let points: Vec<usize> = (0..path.steps.len()).filter(|&k| is_loop(k)).collect();
        // One column a loop: how far it moves every subscript of every access.
        let column = |k: usize| path.accesses.iter().flat_map(|a| a.by[k].iter().copied()).collect::<Vec<i64>>();
        let mut columns: Vec<Vec<i64>> = points.iter().map(|&k| column(k)).collect();
        for inner in (0..points.len()).rev() {
            for outer in (0..inner).rev() {
                let together = role(points[inner]).tiled_band.is_some()
                    && role(points[inner]).tiled_band == role(points[outer]).tiled_band;
                if together {
                    continue;
                }
                let least = too_many(&columns);
                let shears =
                    columns[inner].iter().zip(&columns[outer]).filter(|(c, _)| c.abs() == 1).map(|(c, o)| c * o);
                for shear in shears.filter(|&s| s != 0).collect::<BTreeSet<i64>>() {
                    let moved = columns[outer]
                        .iter()
                        .zip(&columns[inner])
                        .map(|(o, c)| o.saturating_sub(shear.saturating_mul(*c)));
                    let moved = moved.collect();
                    let before = std::mem::replace(&mut columns[outer], moved);
                    if too_many(&columns) < least {
                        break;
                    }
                    columns[outer] = before;
                }
            }
        }
        sum += too_many(&columns);
    }
    sum
}

fn too_many(columns: &[Vec<i64>]) -> usize {
    let subscripts = columns.first().map_or(0, Vec::len);
    (0..subscripts).map(|d| columns.iter().filter(|c| c[d] != 0).count().saturating_sub(1)).sum()
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
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn summary(model: &Model<'_>, original: &Node, tree: &Node) -> Result<Vec<String>> {
    let mut out = Vec::new();
    let rows = rows(tree);
    // Loops are normalised to start at 0: `j` from `i + 1` is `i + 1 + j'`. What counts is the innermost iterator of a row.
    let iterator = |row: &Affine| row.dim_coeffs().iter().rposition(|&c| c != 0);
    let order = |rows: &Vec<Affine>| rows.iter().filter_map(iterator).collect::<Vec<_>>();
    // Rows that are written out are no loop.
    let along: BTreeSet<StatementId> = tree.in_strips_of_lanes().into_iter().map(|(s, _)| s).collect();
    if rows.iter().any(|(s, r)| !along.contains(s) && order(r).windows(2).any(|w| w[0] > w[1])) {
        out.push("interchanged loops".to_string());
    }
    let skew_of = |tree: &Node| Ok::<_, crate::Error>(model.estimate_with_loops(tree)?.map(|(_, nest)| skew(&nest)));
    if let (Some(before), Some(after)) = (skew_of(original)?, skew_of(tree)?)
        && after > before
    {
        out.push("skewed loops".to_string());
    }
    if rows.values().flatten().any(|r| iterator(r).is_some_and(|k| r.dim_coeff(k) < 0)) {
        out.push("reversed loops".to_string());
    }
    let statements: Vec<StatementId> = (0..model.scop.statements.len()).map(StatementId).collect();
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
    let abreast = tree.in_strips_abreast();
    let is_abreast = |s: StatementId| !along.contains(&s) && abreast.iter().any(|(other, _)| *other == s);
    let lanes: BTreeSet<Lanes> =
        tree.in_lanes().into_iter().filter(|(s, _)| !is_abreast(*s)).map(|(_, lanes)| lanes).collect();
    out.extend(lanes.into_iter().map(|lanes| match lanes {
        Lanes { width, vectors: 1 } => format!("loops in {width} lanes"),
        Lanes { width, vectors } => format!("loops in {vectors} vectors of {width} lanes"),
    }));
    let in_lanes = tree.in_lanes().into_iter().map(|(s, _)| s).filter(|s| !along.contains(s));
    let in_lanes: BTreeSet<StatementId> = in_lanes.collect();
    let abreast: BTreeSet<(u32, bool)> = abreast.into_iter().map(|(s, count)| (count, in_lanes.contains(&s))).collect();
    out.extend(abreast.into_iter().map(|(count, lanes)| {
        if lanes { format!("{count} rows abreast in lanes") } else { format!("{count} rows abreast") }
    }));
    Ok(out)
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

/// What the plans do, in words for users.
#[must_use]
pub fn kernels(kernels: &ProvedKernels) -> Vec<String> {
    let mut out = Vec::new();
    for plan in kernels.plans().values() {
        let sizes: Vec<String> = plan.rows.iter().chain([&plan.columns]).map(i64::to_string).collect();
        let text = format!(
            "register tile {}",
            if plan.rows.is_empty() { format!("of {}", plan.columns) } else { sizes.join("x") }
        );
        let text = if plan.steps > 1 { format!("{text} with blocks transposed in registers") } else { text };
        let text = if plan.packs.is_empty() { text } else { format!("{text} with packed operands") };
        if !out.contains(&text) {
            out.push(text);
        }
    }
    for strip in kernels.strips() {
        out.push(format!("nests in strips of {}", strip.sizes()));
    }
    out
}
