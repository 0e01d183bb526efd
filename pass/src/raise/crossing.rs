//! Blocks that are reached by several branches of which none decides alone: `if (a && b) loops(); else empty();`, where both tests lead to the same block.
//!
//! Their domain is a union, of which rows cannot speak. But where all that is tested is known before the region, so is whether the block is reached from its dominator: a number of one bit, computed in
//! front of the region as any other ([`super::formula`]), which is a parameter.

use super::facts::{Facts, Row};
use super::formula::{self, Formula, FormulaKind};
use super::poly::{Poly, Symbol};
use super::region::Region;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Block, Value};

/// Most branches on the way.
const MOST: usize = 8;

/// What holds where a block runs, beyond what holds for its dominator. `None`: that is no matter of what is known before the region.
///
/// # Errors
/// Overflow.
pub fn row(region: &Region, dominator: Block, b: Block, facts: &mut Facts) -> Raise<Option<Row>> {
    // A number of one bit is -1 if it is set.
    let Some(reached) = number(region, dominator, b, &mut Vec::new(), facts)? else { return Ok(None) };
    Poly::constant(-1).sub(&reached).map(|set| Some(Row::ge(set))).ok_or_else(|| Reject::new(RejectKind::Overflow))
}

/// What holds where a block runs because `past`, where its dominator may have gone instead, has not: that is such a block. `None`: it is not, or it may run as well.
///
/// # Errors
/// Overflow.
pub fn avoided(region: &Region, b: Block, past: Block, facts: &mut Facts) -> Raise<Option<Row>> {
    let Some(dominator) = facts.analyses.idom(past).filter(|_| facts.analyses.ways_to(past).len() > 1) else {
        return Ok(None);
    };
    if facts.analyses.post_dominates(past, dominator) {
        return Ok(None);
    }
    let mut on_the_way = Vec::new();
    let reached = number(region, dominator, past, &mut on_the_way, facts)?;
    Ok(reached.filter(|_| !on_the_way.contains(&b)).map(Row::ge))
}

/// Does a block run when its dominator has? As a parameter. The blocks between them are counted.
fn number(
    region: &Region,
    dominator: Block,
    b: Block,
    on_the_way: &mut Vec<Block>,
    facts: &mut Facts,
) -> Raise<Option<Poly>> {
    let before = facts.checkpoint();
    let param = match reached(region, dominator, b, on_the_way, facts) {
        Some(formula) => facts.bit(formula)?,
        None => None,
    };
    if param.is_none() {
        facts.restore(&before);
    }
    Ok(param.map(|p| Poly::symbol(Symbol::Param(p))))
}

/// [`number`] as a formula of one bit.
fn reached(
    region: &Region,
    dominator: Block,
    b: Block,
    on_the_way: &mut Vec<Block>,
    facts: &mut Facts,
) -> Option<Formula> {
    // No loops on the way, nor around a part of it only.
    let innermost = |b: Block| region.innermost(facts.analyses, b);
    if !region.contains(b) || innermost(b) != innermost(dominator) || innermost(b).is_some_and(|l| l.header() == b) {
        return None;
    }
    let mut ways = Vec::new();
    for from in facts.analyses.ways_to(b) {
        if on_the_way.len() == MOST {
            return None;
        }
        on_the_way.push(from);
        let taken = match from.terminator().and_then(Value::conditional_branch) {
            Some((condition, yes, no)) if yes != no => {
                if facts.analyses.ways(from).len() != 2 {
                    return None;
                }
                let holds = formula::of_condition(facts, condition).ok()?;
                Some(if yes == b { holds } else { holds.opposite() })
            }
            _ if from.successors().len() == 1 => None,
            _ => return None,
        };
        let here = if from == dominator { None } else { Some(reached(region, dominator, from, on_the_way, facts)?) };
        ways.push(match (here, taken) {
            (Some(here), Some(taken)) => bit(FormulaKind::Mul(vec![here, taken])),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return None,
        });
    }
    Some(bit(FormulaKind::Extremum { list: ways, largest: true, signed: false }))
}

fn bit(kind: FormulaKind) -> Formula {
    Formula { bits: 1, kind }
}
