//! Sweeps over vectors, strip by strip of points.
//!
//! **Problem.** As for rows ([`mod@super::sweeps`]), but there is no loop inside to leave whole.
//!
//! **Method.** The number that is cut is that of the point. Strips are long, as they cut the innermost loops, and stay in the first level. Only what does not fit it gains, so these are looked at for longer vectors than the
//! typical ones.

use super::sweeps::{are_skewed, depth, memory};
use crate::Result;
use crate::cost::carried::Annotated;
use crate::cost::{Estimate, Model};
use crate::kernel::Strip;
use crate::scop::{Statement, StatementId};
use crate::tree::{Node, Rows};
use polyhedra::Affine;

/// Points in a strip.
pub(super) const SIZES: [i64; 4] = [512, 1024, 2048, 4096];

/// All but the lines takes so many times as long in strips of points: they begin anywhere, so that more vectors lie across two lines. Where vectors fill lines, new loops hand neighbours on from vector to vector, which
/// makes up for it.
const POINTS_RISK: f64 = 1.15;

/// Vectors that are looked at take so many times the first level together: the second has room for them.
const FIRST_LEVELS: u64 = 3;

/// Lengths of vectors from which they may be said to pay.
pub(super) const SIZES_WORTHWHILE: [i64; 8] = [1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288];

/// Strips of points are for nests with so many loops, over vectors alone.
const LOOPS_OF_POINTS: usize = 2;

/// Are strips of a tree's nests strips of points: is there nothing but vectors, and no deeper nest than a sweep that is repeated? (What does not move with the sweep is a sum.)
pub(in crate::choose) fn are_of_points(model: &Model<'_>, tree: &Node) -> bool {
    let deepest = tree.outermost().iter().map(|nest| depth(model, nest)).max();
    let goes_on = |s: &Statement| s.depth() < LOOPS_OF_POINTS || s.write().subscripts.iter().any(|e| moves(e, s));
    deepest == Some(LOOPS_OF_POINTS)
        && model.scop.arrays.iter().all(|array| array.rank <= 1)
        && tree.statements().iter().all(|s| goes_on(&model.scop.statements[s.0]))
}

/// May strips of points with these numbers be good for a nest? Where points need not move with time loops can be interchanged, which others see to.
pub(super) fn move_with_time(model: &Model<'_>, nest: &Node, numbers: &[Rows]) -> bool {
    repeats(model, nest) && numbers.iter().all(are_skewed)
}

/// Does an affine form move with a statement's innermost loop in the source?
fn moves(form: &Affine, s: &Statement) -> bool {
    s.depth().checked_sub(1).is_some_and(|d| form.dim_coeff(d) != 0)
}

/// Is the loop outside one that repeats sweeps?
fn repeats(model: &Model<'_>, nest: &Node) -> bool {
    let Node::Band { members, .. } = nest else { return false };
    let goes_on = |(s, row): (&StatementId, &Affine)| {
        let s = &model.scop.statements[s.0];
        s.depth() == LOOPS_OF_POINTS && moves(row, s)
    };
    members.first().is_some_and(|first| !first.rows.iter().any(goes_on))
}

/// The length of vectors that together take [`FIRST_LEVELS`].
pub(super) fn long_vectors(model: &Model<'_>) -> i64 {
    let bytes: u64 = model.scop.arrays.iter().filter(|a| a.rank == 1).map(|a| a.stride_bytes).sum();
    i64::try_from(FIRST_LEVELS.saturating_mul(model.machine().l1_bytes) / bytes.max(1)).unwrap_or(1).max(1)
}

/// Cycles and doubtful cycles of strips of points: what the nest takes without, and the lines of the strips. (As many loops as there are strips and times are more than the model sees
/// through.)
///
/// # Errors
/// Overflow, budget, malformed tree.
pub(super) fn cost(model: &Model<'_>, nest: &Annotated, strip: &Strip) -> Result<Option<(f64, f64)>> {
    let Some((plain, _)) = model.weigh(nest.clone())? else { return Ok(None) };
    let Some((cut, _)) = model.in_strips(nest.clone(), strip)? else { return Ok(None) };
    let without = |estimate: &Estimate| estimate.cycles - memory(estimate);
    let machine = model.machine();
    let (cycles, risk) = if machine.vector_bytes() < machine.line_bytes {
        (without(&plain), POINTS_RISK)
    } else {
        // LLVM hands some neighbours on in the source.
        let source = model.source(&nest.tree)?.map_or(f64::INFINITY, |source| without(&source));
        (without(&plain).min(source), 1.0)
    };
    Ok(Some((cycles * risk + memory(&cut), plain.doubtful * risk)))
}
