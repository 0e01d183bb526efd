//! Loops over windows: `for (k = max(0, i - r); k <= min(n - 1, i + r); k++) s += x[k] * w[k - i + r]`.
//!
//! Such a loop begins at the greatest of several numbers ([`super::facts`], `later`), and its iterator may count from either. From 0 it is slanted: blocks of a few `i` have few `k` in common. From `i - r` all
//! windows are one rectangle but for the borders. But what is read at `k` only, by other loops too (`b[k][j]` of a matrix that multiplies a band), is then read at another place for each `i`.

use super::facts::Facts;
use super::poly::{Poly, Symbol};
use crate::llvm::{Block, Loop, Opcode, Scev, ScevKind};
use std::collections::BTreeSet;

/// Should a loop count from `first`, which moves with loops around it, where it ends at one of `ends`? `around`: rows of loops around that are no windows.
pub fn counts_from(
    facts: &Facts,
    (l, blocks): (Loop, &[Block]),
    first: &Poly,
    ends: &BTreeSet<Poly>,
    around: &[Poly],
) -> bool {
    // What bounds the loops around is no size of a window.
    let is_bound = |s: Symbol| {
        let counts = |row: &&Poly| row.symbols().any(|t| matches!(t, Symbol::Iterator(_)));
        around.iter().filter(counts).any(|row| row.symbols().any(|t| t == s))
    };
    let width = |end: &Poly| end.sub(first).filter(|w| w.is_invariant() && !w.symbols().any(is_bound));
    if !ends.iter().any(|end| width(end).is_some()) {
        return false;
    }
    let outside: Vec<Loop> = facts
        .loops
        .iter()
        .enumerate()
        .filter(|(k, _)| first.symbols().any(|s| matches!(s, Symbol::Iterator(i) if i.0 == *k)))
        .filter_map(|(_, data)| data.handle)
        .collect();
    for access in blocks.iter().filter(|b| l.contains(**b)).flat_map(|b| b.instructions()) {
        let address = match (access.opcode(), access.operands().as_slice()) {
            (Some(Opcode::LLVMLoad), [address]) | (Some(Opcode::LLVMStore), [_, address]) => *address,
            _ => continue,
        };
        let Some(moved) = facts.analyses.scev(address).and_then(|s| moved_by(facts, s, l)) else { return false };
        let is_store = access.opcode() == Some(Opcode::LLVMStore);
        let reused = !outside.iter().any(|o| moved.contains(o));
        let by_others = moved.iter().any(|m| *m != l && !begins_later(facts, *m));
        if moved.contains(&l) && (is_store || (reused && by_others)) {
            return false;
        }
    }
    true
}

fn begins_later(facts: &Facts, l: Loop) -> bool {
    facts.loops.iter().any(|data| data.handle == Some(l) && data.later.is_some())
}

/// The loops that move an address, but not those that move only where others begin. `None`: it is too large to tell.
fn moved_by(facts: &Facts, address: Scev, own: Loop) -> Option<BTreeSet<Loop>> {
    let mut out = BTreeSet::new();
    let (mut open, mut seen) = (vec![address], BTreeSet::new());
    while let Some(s) = open.pop() {
        if !seen.insert(s) {
            continue;
        }
        facts.look().ok()?;
        match s.kind() {
            ScevKind::SMax | ScevKind::UMax => continue,
            ScevKind::AddRec => {
                // Those inside that begin at a maximum are windows, too.
                let is_window = |l: Loop| {
                    let known = l == own || facts.loops.iter().any(|d| d.handle == Some(l));
                    !known && facts.analyses.backedge_taken(l).is_some_and(has_maximum)
                };
                out.extend(s.recurrence_loop().filter(|l| !is_window(*l)));
            }
            _ => {}
        }
        open.extend(s.operands());
    }
    Some(out)
}

fn has_maximum(s: Scev) -> bool {
    let (mut open, mut seen) = (vec![s], BTreeSet::new());
    while let Some(s) = open.pop() {
        if matches!(s.kind(), ScevKind::SMax | ScevKind::UMax) {
            return true;
        }
        open.extend(s.operands().into_iter().filter(|o| seen.insert(*o)));
    }
    false
}
