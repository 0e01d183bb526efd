//! Sums over one matrix, strip by strip.
//!
//! **Problem.** `t = A x; y = A^T t` reads `A` twice. When it is large that is what takes the time; the source, which goes through both sums row by row, reads it once, but has no
//! kernels.
//!
//! **Method.** Some legal tree has the nests fused: its outermost loop walks the rows of the matrix. The same rows are taken in strips of a few, and within a strip the nests run one after
//! the other with their kernels ([`crate::kernel::Strip`]). The lines are those of the fused tree; later nests of a strip find theirs in the second level, which must have room for the strip.

use super::bands;
use crate::Result;
use crate::choose::assemble::Kerneled;
use crate::choose::kernels::{STREAMS, Sum};
use crate::cost::carried::perfect_nest;
use crate::cost::{Model, overlap};
use crate::kernel::{Cut, Kernels, Strip};
use crate::scop::StatementId;
use crate::tree::{Member, Node};
use std::collections::BTreeSet;

/// Part of the second level that a strip may take.
const SHARE: f64 = 0.5;

/// The kernels with strips like the outermost loops of these trees, where they save something; `None`: nowhere.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(in crate::choose) fn sums<'t>(
    model: &Model<'_>,
    kerneled: &Kerneled,
    fused: impl Iterator<Item = &'t Node>,
    choosy: bool,
) -> Result<Option<Kerneled>> {
    let Node::Sequence(nests) = &kerneled.tree else { return Ok(None) };
    let mut out = kerneled.clone();
    let mut taken: BTreeSet<StatementId> = BTreeSet::new();
    for band in fused.flat_map(bands) {
        let Node::Band { members, .. } = band else { continue };
        let Some(member) = members.first() else { continue };
        let own: BTreeSet<StatementId> = band.statements().into_iter().collect();
        let mut within = nests.iter().map(|n| n.statements().iter().all(|s| own.contains(s)));
        let Some(first) = within.position(|w| w) else { continue };
        let end = first + 1 + within.take_while(|w| *w).count();
        let statements: BTreeSet<StatementId> = nests[first..end].iter().flat_map(Node::statements).collect();
        let sums: Vec<&Sum> = statements.iter().filter_map(|s| kerneled.sums.get(s)).collect();
        if sums.len() < 2 || statements != own || !statements.is_disjoint(&taken) {
            continue;
        }
        if choosy && nests[first..end].iter().any(|nest| cuts_columns(&kerneled.kernels, nest, member)) {
            continue;
        }
        let Some(estimate) = model.estimate(band)? else { continue };
        // What the sums cost one by one, and together.
        let apart: f64 = sums.iter().map(|s| overlap(s.compute, s.memory)).sum();
        let compute: f64 = sums.iter().map(|s| s.compute).sum();
        let near: f64 = sums[1..].iter().map(|s| s.near).sum();
        let memory = estimate.inner.iter().map(|inner| inner.memory).sum::<f64>() + near;
        let saved = apart - overlap(compute, memory);
        #[expect(clippy::cast_precision_loss, reason = "estimates")]
        let room = model.machine().l2_bytes as f64 * SHARE;
        #[expect(clippy::cast_precision_loss, reason = "estimates")]
        let strip = sums.iter().map(|s| s.row_bytes).fold(0.0, f64::max) * STREAMS as f64;
        if choosy && (saved <= 0.0 || strip > room) {
            continue;
        }
        let rows = member.rows.iter().filter(|(s, _)| statements.contains(s));
        let cut = Cut { rows: rows.map(|(s, r)| (*s, r.clone())).collect(), size: STREAMS };
        out.strips.push(Strip { cuts: vec![cut], worthwhile: None });
        out.cost -= saved;
        taken.extend(statements);
    }
    Ok((!out.strips.is_empty()).then_some(out))
}

/// Do strips along a loop cut the tiles of a kernel whose columns it moves? Then none of them is ever whole.
fn cuts_columns(kernels: &Kernels, nest: &Node, strips: &Member) -> bool {
    let columns = perfect_nest(nest).0.last().copied();
    columns.into_iter().flat_map(|member| &member.rows).any(|(s, column)| {
        let moved = strips.rows.get(s).map_or(&[][..], |row| row.dim_coeffs());
        let along = moved.iter().zip(column.dim_coeffs()).any(|(a, b)| *a != 0 && *b != 0);
        along && kernels.get(s).is_some_and(|plan| STREAMS % plan.columns != 0)
    })
}
