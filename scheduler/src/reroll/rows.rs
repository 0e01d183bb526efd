//! Statements side by side that store to neighbours, as loops of as many iterations as vectors have lanes.
//!
//! **Problem.** What was `for j < 12 { c[i][j] += x[i] * y[j]; }` arrives as twelve statements in the loop over `i`. With long vectors LLVM makes its lanes of `i`, and gathers and scatters what lies a row apart, twelve times
//! (measured on Zen 4: 20 to 40 cycles a row of 8 to 15 doubles, where vectors along the rows take 2 to 5).
//!
//! **Method.** Blocks ([`super::reroll_blocks`]) of an innermost loop that moves cells of the last subscript by one or not at all fall into pieces: of as many as a vector has lanes, then of half as many, and so on.
//! Every piece is a loop that is one whole vector: no masks, for which the next row would wait if it begins where this one ends. The same instances in the same order.

use super::{Step, blocks, in_order, with_loops};
use crate::Result;
use crate::coalesce::{Coalesced, Likeness};
use crate::scop::{Scop, Statement, StatementId};

/// Makes loops of statements side by side that store to neighbours, each one vector, of at most so many bytes. `None`: there are none.
///
/// # Errors
/// Overflow; what [`Scop::check`] finds.
pub fn reroll_rows(
    scop: &Scop,
    alike: &dyn Fn(StatementId, StatementId) -> Option<Likeness>,
    bytes: u64,
) -> Result<Option<Coalesced>> {
    let order = in_order(scop);
    let mut out = Scop { statements: Vec::new(), ..scop.clone() };
    let mut origin = Vec::new();
    let mut at = 0;
    while at < order.len() {
        let found = match blocks(scop, &order[at..], alike)? {
            Some(found) => rows(scop, &order[at..], found.steps, bytes),
            None => None,
        };
        let Some(rows) = found else {
            out.statements.push(scop.statements[order[at]].clone());
            origin.push(StatementId(order[at]));
            at += 1;
            continue;
        };
        let level = scop.statements[order[at]].depth();
        let mut left = rows.count;
        while left > 0 {
            // A power of two, as what vectors have is.
            let width = rows.lanes.min(1 << left.ilog2());
            let begin = scop.statements[order[at]].beta[level];
            for (place, step) in rows.steps.iter().enumerate() {
                let k = order[at + place];
                let mut new = scop.statements[k].clone();
                if width > 1 {
                    new = with_loops(&new, level, &[Step { count: width, by: step.by.clone() }])?;
                    new.beta[level] = begin;
                    new.beta.last_mut().into_iter().for_each(|last| *last = place);
                }
                out.statements.push(new);
                origin.push(StatementId(k));
            }
            at += width * rows.steps.len();
            left -= width;
        }
    }
    if out.statements.len() == scop.statements.len() {
        return Ok(None);
    }
    out.check()?;
    Ok(Some(Coalesced { scop: out, origin }))
}

/// Blocks whose statements store to neighbours.
struct Rows {
    /// Of each statement of a block.
    steps: Vec<Step>,
    /// How many there are.
    count: usize,
    /// Most of them that are a vector.
    lanes: usize,
}

/// The first blocks as a row. `None`: their cells lie apart.
fn rows(scop: &Scop, order: &[usize], steps: Vec<Vec<Step>>, bytes: u64) -> Option<Rows> {
    // Of several loops the innermost one: the next row begins behind it.
    let steps: Vec<Step> = steps.into_iter().map(|mut own| own.pop()).collect::<Option<_>>()?;
    let statements: Vec<&Statement> = order.iter().take(steps.len()).map(|&k| &scop.statements[k]).collect();
    let beside = |(s, step): (&&Statement, &Step)| {
        let mut from = 0;
        s.accesses.iter().all(|a| {
            let by = step.by.get(from..from + a.subscripts.len());
            from += a.subscripts.len();
            let Some((last, others)) = by.and_then(<[i64]>::split_last) else { return true };
            let in_a_row = others.iter().all(|c| *c == 0) && (0..=1).contains(last);
            in_a_row && a.is_plain() && (*last == 1 || !a.kind.writes())
        })
    };
    if !statements.iter().zip(&steps).all(beside) || !statements.iter().all(|s| s.has_vectors()) {
        return None;
    }
    let all = statements.iter().flat_map(|s| &s.accesses);
    let widest = all.map(|a| scop.arrays[a.array.0].element_bytes).max()?.max(1);
    let lanes = usize::try_from(bytes / widest).ok().filter(|lanes| *lanes >= 2)?;
    Some(Rows { count: steps.first()?.count, steps, lanes })
}
