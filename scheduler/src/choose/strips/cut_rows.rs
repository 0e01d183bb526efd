//! Sweeps in strips whose rows are cut.
//!
//! **Problem.** A point of a stencil reads several rows. Where those do not fit the first level, each sweep over the rows of a strip fetches every row from the second level as often as there are rows that read it.
//!
//! **Method.** All iterations of a sweep are independent: its innermost loop is tiled, and a piece of all rows of a strip comes after the other. (Measured on Zen 4, five points of doubles: by 1.16 at rows of 1000, 1.25 from
//! 1300 on.)

use super::sweeps::{InStrips, may_go_on, memory};
use crate::Result;
use crate::cost::Model;
use crate::tree::Node;

/// Bytes of rows that sweeps inside of strips may be cut to, all rows of a strip one after the other, so that those that a point needs stay in the first level: whole pairs of vectors, and four of the longest in half of
/// 32 KiB.
const BYTES_OF_ROWS: [u64; 2] = [3584, 2048];

/// All but the lines takes so many times as long: rows begin and end more often. (By the model much longer; measured on Zen 4, five points: at most that.)
const ROW_RISK: f64 = 1.1;

/// Rows that are cut must be so many times as long as a piece: short rests gain nothing.
const LONGER: f64 = 1.5;

/// Uncut, the nest must take longer by more than what makes this part of it: with shorter rows there is nothing to gain.
const LEAST_OF_ROWS: f64 = 0.87;

/// A nest, with what is known of its loops, with its rows cut, too, if that is predicted to be worth it.
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn with_cut_rows(model: &Model<'_>, annotated: &Node, uncut: &InStrips) -> Result<Option<InStrips>> {
    let mut best: Option<InStrips> = None;
    let Some(plain) = model.distances.annotate(&uncut.nest)? else { return Ok(None) };
    let Some((plain, _)) = model.in_strips(plain, &uncut.strip)? else { return Ok(None) };
    let without = plain.cycles + plain.doubtful - memory(&plain);
    let longest = plain.inner.iter().map(|inner| inner.trips).fold(0.0, f64::max);
    let arrays = annotated.statements().into_iter().flat_map(|s| &model.scop.statements[s.0].accesses);
    let element = arrays.map(|a| model.scop.arrays[a.array.0].element_bytes).max().unwrap_or(1).max(1);
    for bytes in BYTES_OF_ROWS {
        let Some(size) = i64::try_from(bytes / element).ok().filter(|size| *size > 1 && may_go_on(model)) else {
            break;
        };
        #[expect(clippy::cast_precision_loss, reason = "estimates")]
        if longest < LONGER * size as f64 {
            continue;
        }
        let mut nest = annotated.clone();
        if !cut_rows(&mut nest, size) {
            break;
        }
        let Some(annotated) = model.distances.annotate(&nest)? else { break };
        let nest = annotated.tree.clone();
        let Some((cut, _)) = model.in_strips(annotated, &uncut.strip)? else { continue };
        let cost = without * ROW_RISK + memory(&cut);
        if cost < best.as_ref().map_or(uncut.cost * LEAST_OF_ROWS, |best| best.cost) {
            best = Some(InStrips { strip: uncut.strip.clone(), nest, cost });
        }
    }
    Ok(best)
}

/// Cuts the innermost of several loops that nothing is between. `false`: there are none.
fn cut_rows(node: &mut Node, size: i64) -> bool {
    match node {
        Node::Leaf(_) => false,
        Node::Sequence(children) => children.iter_mut().map(|child| cut_rows(child, size)).max().unwrap_or(false),
        Node::Band { members, permutable, child } => {
            let inside = cut_rows(child, size);
            let is_innermost = child.outermost().iter().all(|node| matches!(node, Node::Leaf(_)));
            match members.as_mut_slice() {
                [.., rows, along] if *permutable && is_innermost && rows.parallel && along.parallel => {
                    along.tile = Some(size);
                    true
                }
                _ => inside,
            }
        }
    }
}
