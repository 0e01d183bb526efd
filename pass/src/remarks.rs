//! What is said to the user: one remark a nest, at its source line.

use crate::llvm::{Analyses, Block, Loop, RemarkKind};
use crate::raise::reject::Reject;

/// A nest was transformed.
pub fn transformed(analyses: Analyses, at: Option<Loop>, what: &[String], speedup: f64, checks: usize) {
    let mut text = if what.is_empty() { "rewrote the loops".to_owned() } else { what.join(", ") };
    if speedup.is_finite() && speedup > 0.0 {
        text += &format!("; predicted {speedup:.1} times as fast");
    }
    if checks > 0 {
        text += &format!(
            "; {checks} run-time check{} with the original loops as the other branch",
            if checks == 1 { "" } else { "s" }
        );
    }
    analyses.remark(RemarkKind::Passed, "Transformed", at, None, &text);
}

/// An innermost loop computes with numbers of fewer bits.
pub fn narrowed(analyses: Analyses, at: Loop, from: u32, to: u32) {
    let text = format!("computes with {to}-bit numbers what the source computes with {from}-bit ones");
    analyses.remark(RemarkKind::Passed, "Narrowed", Some(at), None, &text);
}

/// What the cost model says of a nest, whatever was done to it and why: for programs that compare it with what they measure. `speedup`: 0 where nobody knows.
pub fn predicted(analyses: Analyses, at: Option<Loop>, source: Option<f64>, speedup: f64) {
    if let Some(source) = source.filter(|_| speedup > 0.0) {
        let chosen = source / speedup;
        explain(
            analyses,
            at,
            "Predicted",
            &format!("predicted cycles: {source:.3e} as in the source, {chosen:.3e} as chosen"),
        );
    }
}

/// A nest was understood and left alone.
pub fn left(analyses: Analyses, at: Option<Loop>, why: &str) {
    analyses.remark(RemarkKind::Missed, "LeftAlone", at, None, &format!("left the loops as they are: {why}"));
}

/// A nest was refused.
pub fn refused(analyses: Analyses, nest: Loop, reject: &Reject) {
    let at_loop = reject.at_loop.or(if reject.at_block.is_some() { None } else { Some(nest) });
    let block = if at_loop.is_some() { None } else { reject.at_block };
    analyses.remark(
        RemarkKind::Missed,
        reject.kind.name(),
        at_loop,
        block,
        &format!("cannot transform the loops: {}", reject.kind),
    );
}

/// Something that explains, under `-Rpass-analysis`.
pub fn explain(analyses: Analyses, at: Option<Loop>, name: &str, text: &str) {
    analyses.remark(RemarkKind::Analysis, name, at, None, text);
}

/// Something went wrong inside; the IR is as it was.
pub fn internal(analyses: Analyses, at: Option<Loop>, block: Option<Block>, what: &str) {
    analyses.remark(
        RemarkKind::Missed,
        "InternalError",
        at,
        block,
        &format!("left the loops as they are: internal error of loopwright, please report it ({what})"),
    );
}
