//! Where every block of a region runs: loops, bounds and guards as affine rows.
//!
//! The rows of a block follow from its immediate dominator `D`: the same, if the block post-dominates `D`; with the branch condition added, if one edge out of `D`
//! leads to it; those of the preheader with the iterator's bounds added, for a loop's header. A loop that is over counts as one step: what comes after it runs
//! where its preheader runs. A condition that gives no rows is kept as a condition on data: the rows then hold more than the instances that run. Where several branches
//! lead to a block, see [`super::crossing`]. Anything else is refused.

use super::crossing;
use super::division;
use super::factors;
use super::facts::{Bounds, Condition, Domain, Facts, LoopData, Row, Split};
use super::least::{greatest_of, least_of};
use super::poly::{LoopIndex, Poly, Symbol};
use super::region::Region;
use super::reject::{Raise, Reject, RejectKind};
use super::side_exit;
use super::trip;
use super::union;
use crate::llvm::Opcode;
use crate::llvm::{Block, Loop, Scev, ScevKind, Value};
use llvm_sys::LLVMIntPredicate as P;
use polyhedra::Kind;
use std::collections::{BTreeMap, BTreeSet};

fn overflow() -> Reject {
    Reject::new(RejectKind::Overflow)
}

/// Domains of all blocks of the region, the entry's end included. Fills in the region's loops.
///
/// # Errors
/// Bounds or conditions that are not affine, trip counts that cannot be computed.
pub fn domains(region: &Region, facts: &mut Facts) -> Raise<BTreeMap<Block, Domain>> {
    dominating_conditions(region, facts);
    side_exit::avoid(region.entry, &Domain::default(), facts)?;
    let mut out = BTreeMap::from([(region.entry, Domain::default())]);
    for &b in &region.blocks {
        let entered = region.loops.iter().copied().find(|l| l.header() == b);
        let domain = match entered {
            Some(l) => loop_domain(region, l, &out, facts).map_err(|r| r.of(l))?,
            None => block_domain(region, b, &out, facts).map_err(|r| r.at(b))?,
        };
        if domain.is_ruled_out && !factors::nothing_else(b) {
            return Err(RejectKind::NonAffineCondition.into());
        }
        side_exit::avoid(b, &domain, facts).map_err(|r| r.at(b))?;
        out.insert(b, domain);
    }
    Ok(out)
}

/// A condition that is known before the region is a parameter: a number of one bit, -1 if it holds.
fn decided(value: Value, truth: bool, facts: &mut Facts) -> Raise<Row> {
    let number = Poly::symbol(Symbol::Param(facts.param(value)?));
    if !truth {
        return Ok(Row::ge(number));
    }
    Poly::constant(-1).sub(&number).map(Row::ge).ok_or_else(overflow)
}

fn missing() -> Reject {
    Reject::new(RejectKind::ControlFlow("branches that cross each other"))
}

fn block_domain(region: &Region, b: Block, known: &BTreeMap<Block, Domain>, facts: &mut Facts) -> Raise<Domain> {
    let analyses = facts.analyses;
    let mut d = analyses.idom(b).ok_or_else(missing)?;
    // A dominator inside a loop that does not hold this block: the loop is over, its preheader stands for it.
    while let Some(l) = outermost_without(region, facts, d, b) {
        d = l.preheader().ok_or_else(missing)?;
    }
    let base = known.get(&d).ok_or_else(missing)?.clone();
    if analyses.post_dominates(b, d) {
        return Ok(base);
    }
    if let Some(rows) = going_on(region, d, b, facts) {
        let mut domain = base;
        domain.rows.extend(rows);
        return Ok(domain);
    }
    let (condition, yes, no) = d.terminator().and_then(Value::conditional_branch).ok_or_else(missing)?;
    let truth = match (analyses.edge_dominates(d, yes, b), analyses.edge_dominates(d, no, b)) {
        (true, false) => true,
        (false, true) => false,
        _ => {
            if let Some(row) = crossing::row(region, d, b, facts)? {
                let mut domain = base;
                domain.rows.push(row);
                return Ok(domain);
            }
            let ways = union::of_ways(region, b, known, facts)?;
            return ways.filter(|domain| domain.loops == base.loops).ok_or_else(missing);
        }
    };
    let mut domain = narrowed(region, base, condition, truth, d, facts)?;
    domain.rows.extend(crossing::avoided(region, b, if truth { no } else { yes }, facts)?);
    Ok(domain)
}

/// What holds behind the exit of a loop that is not at its end: it runs in all iterations but the last.
fn going_on(region: &Region, exiting: Block, behind: Block, facts: &Facts) -> Option<Vec<Row>> {
    let l = region.innermost(facts.analyses, exiting)?;
    let leaves = facts.analyses.loop_exiting(l) == Some(exiting) && l.contains(behind);
    leaves.then(|| facts.loops.iter().find(|data| data.handle == Some(l)).map(|data| data.going_on.clone()))?
}

/// Where one block follows another.
///
/// # Errors
/// A condition that is not affine before all loops.
pub fn edge(
    region: &Region,
    from: Block,
    to: Block,
    known: &BTreeMap<Block, Domain>,
    facts: &mut Facts,
) -> Raise<Domain> {
    let mut base = known.get(&from).ok_or_else(missing)?.clone();
    if let Some(rows) = going_on(region, from, to, facts) {
        base.rows.extend(rows);
        return Ok(base);
    }
    match from.terminator().and_then(Value::conditional_branch) {
        Some((condition, yes, no)) if yes != no && facts.analyses.ways(from).len() > 1 => {
            narrowed(region, base, condition, yes == to, from, facts)
        }
        _ => Ok(base),
    }
}

/// A domain where a condition, which is decided at the end of a block, has a truth value.
fn narrowed(
    region: &Region,
    mut domain: Domain,
    condition: Value,
    truth: bool,
    at: Block,
    facts: &mut Facts,
) -> Raise<Domain> {
    for (value, truth) in conjuncts(condition, truth) {
        let before = facts.checkpoint();
        match condition_rows(value, truth, &domain, facts) {
            Ok(rows) => domain.rows.extend(rows),
            Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => return Err(r),
            // What is decided once had better be a border of regions.
            Err(r) if domain.loops.is_empty() => return Err(r),
            Err(_) if region.is_outside(value) => {
                facts.restore(&before);
                domain.rows.push(decided(value, truth, facts)?);
            }
            Err(_) => {
                facts.restore(&before);
                match factors::is_assumed(value, truth, &domain, facts) {
                    Some(true) => domain.is_assumed = true,
                    Some(false) => {
                        domain.rows.push(Row::ge(Poly::constant(-1)));
                        domain.is_ruled_out = true;
                    }
                    None => domain.conditions.push(Condition { value, truth, at }),
                }
            }
        }
    }
    Ok(domain)
}

fn outermost_without(region: &Region, facts: &Facts, inside: Block, outside: Block) -> Option<Loop> {
    let mut found = None;
    let mut l = region.innermost(facts.analyses, inside);
    while let Some(here) = l {
        if !here.contains(outside) {
            found = Some(here);
        }
        l = here.parent().filter(|p| region.loops.contains(p));
    }
    found
}

fn loop_domain(region: &Region, l: Loop, known: &BTreeMap<Block, Domain>, facts: &mut Facts) -> Raise<Domain> {
    let preheader = l.preheader().ok_or_else(missing)?;
    let domain = known.get(&preheader).ok_or_else(missing)?;
    let bound = |number: &Poly, facts: &mut Facts| match facts.analyses.backedge_taken(l) {
        Some(count) => bound_rows(count, number, domain, facts),
        None => {
            let count = trip::goes_back(l, domain, facts)?;
            let high = facts.interval(&count).map_or(i128::MAX, |(_, b)| b);
            Ok((vec![Row::ge(count.sub(number).ok_or_else(overflow)?)], clamp(high)?))
        }
    };
    let parent = l
        .parent()
        .filter(|p| region.loops.contains(p))
        .and_then(|p| facts.loops.iter().position(|d| d.handle == Some(p)))
        .map(LoopIndex);
    let index = LoopIndex(facts.loops.len());
    let iterator = Poly::symbol(Symbol::Iterator(index));
    let by = if facts.splits { division::modulus(region, facts.analyses, l) } else { None };
    let Some(by) = by else {
        let before = facts.checkpoint();
        let mut rows = vec![Row::ge(iterator.clone())];
        let (upper, high, later) = match bound(&iterator, facts) {
            Ok((upper, high)) => (upper, high, None),
            Err(refused) => {
                facts.restore(&before);
                if let Some(found) = begins_later(region, l, &iterator, domain, facts)? {
                    rows.extend(found.lower);
                    (found.upper, clamp(found.high)?, Some(found.firsts))
                } else {
                    let Ok(count) = trip::goes_back(l, domain, facts) else { return Err(refused) };
                    let high = facts.interval(&count).map_or(i128::MAX, |(_, b)| b);
                    (vec![Row::ge(count.sub(&iterator).ok_or_else(overflow)?)], clamp(high)?, None)
                }
            }
        };
        let going_on = one_later(&upper, index)?;
        rows.extend(upper);
        let rows_here = rows.clone();
        let handle = Some(l);
        let data = LoopData { handle, parent, rows: rows_here, going_on, high, split: None, residue_of: None, later };
        facts.loops.push(data);
        let mut domain = domain.clone();
        domain.loops.push(index);
        domain.rows.extend(rows);
        return Ok(domain);
    };
    // Iteration by * iterator + residue, or less.
    let skew = division::skew(region, facts, l, by, domain)?;
    let residue = LoopIndex(index.0 + 1);
    let inner = Poly::symbol(Symbol::Iterator(residue));
    let split = Split { by, residue, skew };
    let number = division::number(index, split).ok_or_else(overflow)?;
    let (upper, high) = bound(&number, facts)?;
    let last = Poly::constant(by - 1).sub(&inner).ok_or_else(overflow)?;
    let mut rows = vec![Row::ge(iterator.clone()), Row::ge(inner), Row::ge(last)];
    if skew.is_some() {
        rows.push(Row::ge(number));
    }
    for row in &upper {
        // Follows from the others; a bound of the iterator by itself.
        let alone = row.poly.substitute(Symbol::Iterator(residue), &Poly::default());
        let alone = alone.and_then(|p| p.add(&iterator.scale(by - 1)?)).ok_or_else(overflow)?;
        rows.push(Row::ge(alone));
    }
    let going_on = one_later(&upper, residue)?;
    rows.extend(upper);
    let high = if skew.is_some() { high / by + 1 } else { high / by };
    let outer = LoopData {
        handle: Some(l),
        parent,
        rows: rows.clone(),
        going_on,
        high,
        split: Some(split),
        residue_of: None,
        later: None,
    };
    facts.loops.push(outer);
    let parent = Some(index);
    facts.loops.push(LoopData {
        handle: None,
        parent,
        rows: Vec::new(),
        going_on: Vec::new(),
        high: by - 1,
        split: None,
        residue_of: Some(by),
        later: None,
    });
    let mut domain = domain.clone();
    domain.loops.extend([index, residue]);
    domain.rows.extend(rows);
    Ok(domain)
}

/// Bounds of a loop that begins at the greatest of several numbers.
fn begins_later(
    region: &Region,
    l: Loop,
    iterator: &Poly,
    domain: &Domain,
    facts: &mut Facts,
) -> Raise<Option<Bounds>> {
    let before = facts.checkpoint();
    match facts.begins_later((l, &region.blocks), iterator, domain) {
        Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => Err(r),
        Ok(Some(found)) => Ok(Some(found)),
        _ => {
            facts.restore(&before);
            Ok(None)
        }
    }
}

/// Rows for the iteration after this one.
fn one_later(rows: &[Row], counter: LoopIndex) -> Raise<Vec<Row>> {
    let symbol = Symbol::Iterator(counter);
    let next = Poly::symbol(symbol).add(&Poly::constant(1)).ok_or_else(overflow)?;
    rows.iter().map(|r| r.poly.substitute(symbol, &next).map(Row::ge).ok_or_else(overflow)).collect()
}

/// [`affine_bound`]; a count that is not affine, but does not change in the region, is a parameter of its own.
fn bound_rows(count: Scev, iterator: &Poly, domain: &Domain, facts: &mut Facts) -> Raise<(Vec<Row>, i64)> {
    let before = facts.checkpoint();
    let first = match affine_bound(count, iterator, domain, facts) {
        Err(r) if matches!(r.kind, RejectKind::NonAffineBound(_) | RejectKind::MayWrap(_)) => r,
        done => return done,
    };
    facts.restore(&before);
    let Ok(last) = facts.derived(count) else { return Err(first) };
    let last = Poly::symbol(Symbol::Param(last));
    facts.require_nonnegative(&last, domain, &|| RejectKind::NonAffineBound(count.text()))?;
    let high = facts.interval(&last).map_or(i128::MAX, |(_, b)| b);
    Ok((vec![Row::ge(last.sub(iterator).ok_or_else(overflow)?)], clamp(high)?))
}

/// Rows that say `iterator <= count`, and the largest value of the iterator. The count is an unsigned number.
fn affine_bound(count: Scev, iterator: &Poly, domain: &Domain, facts: &mut Facts) -> Raise<(Vec<Row>, i64)> {
    if matches!(count.kind(), ScevKind::UMin | ScevKind::SMin | ScevKind::SequentialUMin) {
        let mut rows = Vec::new();
        let mut least = i64::MAX;
        for operand in count.operands() {
            let (r, high) = bound_rows(operand, iterator, domain, facts)?;
            rows.extend(r);
            least = least.min(high);
        }
        return Ok((rows, least));
    }
    // (e /u c) + k: i - k <= floor(e / c) is c * (i - k) <= e.
    let (quotient, offset) = match (count.kind(), count.operands().as_slice()) {
        (ScevKind::UDiv, _) => (Some(count), 0),
        (ScevKind::Add, [k, q]) if q.kind() == ScevKind::UDiv => match k.constant() {
            Some(k) => (Some(*q), k),
            None => (None, 0),
        },
        _ => (None, 0),
    };
    let text = || RejectKind::NonAffineBound(count.text());
    let as_bound = |r: Reject| match r.kind {
        RejectKind::NonAffineAccess(s) => Reject { kind: RejectKind::NonAffineBound(s), ..r },
        _ => r,
    };
    if let Some(q) = quotient {
        let operands = q.operands();
        let [e, c] = operands.as_slice() else { return Err(text().into()) };
        let c = c.constant().filter(|&c| c > 0).ok_or_else(text)?;
        let e = divided(facts, *e, c, domain).map_err(as_bound)?;
        facts.require_nonnegative(&e, domain, &text)?;
        let shifted = iterator.sub(&Poly::constant(offset)).and_then(|p| p.scale(c)).ok_or_else(overflow)?;
        let high = facts.interval(&e).map_or(i128::MAX, |(_, b)| b / i128::from(c) + i128::from(offset));
        // The quotient plus a negative offset must not go below zero.
        if offset < 0 {
            let room = e.add(&Poly::constant(offset.checked_mul(c).ok_or_else(overflow)?)).ok_or_else(overflow)?;
            facts.require_nonnegative(&room, domain, &text)?;
        }
        let row = Row::ge(e.sub(&shifted).ok_or_else(overflow)?);
        check_affine(&row, facts, &text)?;
        return Ok((vec![row], clamp(high)?));
    }
    let mut rows = Vec::new();
    let mut least = i128::MAX;
    for last in least_of(facts, count, domain).map_err(as_bound)? {
        facts.require_nonnegative(&last, domain, &|| RejectKind::MayWrap(format!("trip count {}", count.text())))?;
        least = least.min(facts.interval(&last).map_or(i128::MAX, |(_, b)| b));
        let row = Row::ge(last.sub(iterator).ok_or_else(overflow)?);
        check_affine(&row, facts, &text)?;
        rows.push(row);
    }
    Ok((rows, clamp(least)?))
}

/// A number that is not negative where `e` is not, and divided by `c` gives what `e` gives, rounded down. Of counters with steps of `c` that begin somewhere, `e` is the greatest of what
/// is left to walk and of a constant below `c`, for loops that run once.
fn divided(facts: &mut Facts, e: Scev, c: i64, domain: &Domain) -> Raise<Poly> {
    let before = facts.checkpoint();
    let first = match facts.exact(e, domain) {
        Err(r) if !matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => r,
        done => return done,
    };
    facts.restore(&before);
    let all = greatest_of(facts, e, domain)?;
    let constants: Vec<i64> = all.iter().filter_map(Poly::as_constant).collect();
    let mut others = all.into_iter().filter(|p| p.as_constant().is_none());
    let (Some(number), None, Some(least)) = (others.next(), others.next(), constants.into_iter().max()) else {
        return Err(first);
    };
    // One of them is no less than 0, and the quotients of both are in order.
    if least < 0 {
        return Err(first);
    }
    let room = number.sub(&Poly::constant(least - least % c)).ok_or_else(overflow)?;
    if facts.is_nonnegative(&room, domain)? { Ok(number) } else { Err(first) }
}

fn clamp(high: i128) -> Raise<i64> {
    // Iterators must stay well inside 64 bits, with room for sums.
    if high > 1i128 << 50 {
        return Err(RejectKind::Overflow.into());
    }
    Ok(i64::try_from(high.max(0)).unwrap_or(0))
}

fn check_affine(row: &Row, facts: &Facts, complaint: &dyn Fn() -> RejectKind) -> Raise<()> {
    let _ = facts;
    if row.poly.is_affine() { Ok(()) } else { Err(complaint().into()) }
}

/// What it takes for a condition to have a truth value.
pub enum Parts {
    /// Nothing, or it never has.
    Known(bool),
    /// That another one has this value.
    Same(Value, bool),
    /// That both have this value.
    Both([Value; 2], bool),
    /// That one of them has this value.
    Either([Value; 2], bool),
    /// What the condition itself says.
    Other,
}

/// Takes a condition apart.
#[must_use]
pub fn parts(condition: Value, truth: bool) -> Parts {
    if let Some(c) = condition.constant_int() {
        return Parts::Known((c != 0) == truth);
    }
    let is = |v: Value, what: bool| v.constant_int().is_some_and(|c| (c != 0) == what);
    match (condition.opcode(), condition.operands().as_slice()) {
        (Some(Opcode::LLVMFreeze), [inner]) => Parts::Same(*inner, truth),
        (Some(Opcode::LLVMXor), [a, b]) if is(*b, true) => Parts::Same(*a, !truth),
        (Some(Opcode::LLVMAnd), [a, b]) if truth => Parts::Both([*a, *b], true),
        (Some(Opcode::LLVMAnd), [a, b]) => Parts::Either([*a, *b], false),
        (Some(Opcode::LLVMOr), [a, b]) if truth => Parts::Either([*a, *b], true),
        (Some(Opcode::LLVMOr), [a, b]) => Parts::Both([*a, *b], false),
        // select c, x, false: both; select c, true, x: either.
        (Some(Opcode::LLVMSelect), [c, x, no]) if is(*no, false) && truth => Parts::Both([*c, *x], true),
        (Some(Opcode::LLVMSelect), [c, x, no]) if is(*no, false) => Parts::Either([*c, *x], false),
        (Some(Opcode::LLVMSelect), [c, yes, x]) if is(*yes, true) && truth => Parts::Either([*c, *x], true),
        (Some(Opcode::LLVMSelect), [c, yes, x]) if is(*yes, true) => Parts::Both([*c, *x], false),
        _ => Parts::Other,
    }
}

/// Rows that hold where a condition has a truth value.
///
/// # Errors
/// Conditions that are not conjunctions of affine comparisons; budget.
pub fn condition_rows(condition: Value, truth: bool, domain: &Domain, facts: &mut Facts) -> Raise<Vec<Row>> {
    let refuse = || Reject::new(RejectKind::NonAffineCondition);
    facts.look()?;
    match parts(condition, truth) {
        Parts::Known(holds) => Ok(vec![Row::ge(Poly::constant(if holds { 0 } else { -1 }))]),
        Parts::Same(inner, truth) => condition_rows(inner, truth, domain, facts),
        Parts::Both([a, b], truth) => both(a, b, truth, domain, facts),
        Parts::Either([a, b], truth) => either(a, b, truth, domain, facts),
        Parts::Other => {
            if condition.opcode() != Some(Opcode::LLVMICmp) {
                let bit = facts.low_bit(condition, domain)?.ok_or_else(refuse)?;
                let poly = bit.sub(&Poly::constant(i64::from(truth))).ok_or_else(overflow)?;
                return Ok(vec![Row { kind: Kind::Eq, poly }]);
            }
            let operands = condition.operands();
            let (Some(Opcode::LLVMICmp), [a, b]) = (condition.opcode(), operands.as_slice()) else {
                return Err(refuse());
            };
            let predicate = condition.integer_predicate().ok_or_else(refuse)?;
            comparison_rows(predicate, *a, *b, truth, domain, facts)
        }
    }
}

fn both(a: Value, b: Value, truth: bool, domain: &Domain, facts: &mut Facts) -> Raise<Vec<Row>> {
    let mut rows = condition_rows(a, truth, domain, facts)?;
    let mut narrower = domain.clone();
    narrower.rows.extend(rows.iter().cloned());
    rows.extend(condition_rows(b, truth, &narrower, facts)?);
    Ok(rows)
}

/// Where one of two conditions is so, if that is a conjunction of rows: one of them never is, or they meet.
fn either(a: Value, b: Value, truth: bool, domain: &Domain, facts: &mut Facts) -> Raise<Vec<Row>> {
    let with = |rows: Vec<Row>, domain: &Domain| Domain {
        rows: domain.rows.iter().cloned().chain(rows).collect(),
        ..domain.clone()
    };
    let first = with(condition_rows(a, truth, domain, facts)?, domain);
    // The second matters where the first is not so, if rows can say that, and nothing has to be assumed for it.
    let (before, assumed) = (facts.checkpoint(), facts.assumptions.len());
    let without = match condition_rows(a, !truth, domain, facts) {
        Ok(rows) if facts.assumptions.len() == assumed => with(rows, domain),
        Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => return Err(r),
        _ => {
            facts.restore(&before);
            domain.clone()
        }
    };
    let second = with(condition_rows(b, truth, &without, facts)?, &without);
    let both = union::union(facts, &first, &second)?.ok_or_else(|| Reject::new(RejectKind::NonAffineCondition))?;
    Ok(both.rows.into_iter().filter(|row| !domain.rows.contains(row)).collect())
}

fn comparison_rows(
    predicate: P,
    a: Value,
    b: Value,
    truth: bool,
    domain: &Domain,
    facts: &mut Facts,
) -> Raise<Vec<Row>> {
    if a.ty().integer_bits().is_none() {
        return Err(RejectKind::NonAffineCondition.into());
    }
    if let Some(holds) = beside_negative(predicate, a, b, domain, facts)? {
        return Ok(if holds == truth { Vec::new() } else { vec![Row::ge(Poly::constant(-1))] });
    }
    let as_condition = |r: Reject| match r.kind {
        RejectKind::NonAffineAccess(_) => Reject { kind: RejectKind::NonAffineCondition, ..r },
        _ => r,
    };
    let forms = |value: Value, facts: &mut Facts| match facts.analyses.scev(value) {
        Some(s) => least_of(facts, s, domain).map_err(as_condition),
        None => Err(RejectKind::NonAffineCondition.into()),
    };
    let before = facts.checkpoint();
    let both = forms(a, facts).and_then(|xs| Ok((xs, forms(b, facts)?)));
    let (xs, ys) = match both {
        Ok(both) => both,
        Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => return Err(r),
        Err(r) => {
            facts.restore(&before);
            return greatest_below_least(predicate, [a, b], truth, domain, facts)?.ok_or(r);
        }
    };
    let refuse = || RejectKind::NonAffineCondition;
    if let ([x], [y]) = (xs.as_slice(), ys.as_slice())
        && let Some(row) = below_zero(predicate, truth, [x, y], domain, facts)?
    {
        return Ok(vec![row]);
    }
    let mut from_zero = Vec::new();
    if matches!(predicate, P::LLVMIntULT | P::LLVMIntULE | P::LLVMIntUGT | P::LLVMIntUGE) {
        // As a number without sign, to be less than what is not negative is to lie between zero and it.
        let (low, high) = match (predicate, truth) {
            (P::LLVMIntULT | P::LLVMIntULE, true) | (P::LLVMIntUGT | P::LLVMIntUGE, false) => (&xs, &ys),
            _ => (&ys, &xs),
        };
        for form in high {
            facts.require_nonnegative(form, domain, &refuse)?;
        }
        for form in low {
            let counts = form.is_affine() && form.symbols().any(|s| matches!(s, Symbol::Iterator(_)));
            if low.len() == 1 && counts && !facts.is_nonnegative(form, domain)? {
                from_zero.push(Row::ge(form.clone()));
            } else {
                facts.require_nonnegative(form, domain, &refuse)?;
            }
        }
    }
    // To be less than the least of several is to be less than each; there is no such row for being more.
    let mut rows = match less(predicate, truth) {
        Some((is_swapped, or_equal)) => {
            let (low, high) = if is_swapped { (&ys, &xs) } else { (&xs, &ys) };
            let [low] = low.as_slice() else { return Err(refuse().into()) };
            let by = Poly::constant(i64::from(!or_equal));
            let row = |y: &Poly| y.sub(low).and_then(|d| d.sub(&by)).map(Row::ge).ok_or_else(overflow);
            high.iter().map(row).collect::<Raise<Vec<Row>>>()?
        }
        None => {
            let ([x], [y]) = (xs.as_slice(), ys.as_slice()) else { return Err(refuse().into()) };
            vec![equality_row((predicate == P::LLVMIntEQ) == truth, x, y, domain, facts)?]
        }
    };
    rows.extend(from_zero);
    if rows.iter().any(|row| !row.poly.is_affine()) {
        return Err(refuse().into());
    }
    Ok(rows)
}

/// For the greatest of several numbers to be less than the least of several is for each to be less than each. `None`: it is no such comparison.
fn greatest_below_least(
    predicate: P,
    [a, b]: [Value; 2],
    truth: bool,
    domain: &Domain,
    facts: &mut Facts,
) -> Raise<Option<Vec<Row>>> {
    let Some((is_swapped, or_equal)) = less(predicate, truth) else { return Ok(None) };
    let (low, high) = if is_swapped { (b, a) } else { (a, b) };
    let (Some(low), Some(high)) = (facts.analyses.scev(low), facts.analyses.scev(high)) else { return Ok(None) };
    let before = facts.checkpoint();
    let both = greatest_of(facts, low, domain).and_then(|low| Ok((low, least_of(facts, high, domain)?)));
    let (low, high) = match both {
        Ok(both) => both,
        Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => return Err(r),
        Err(_) => {
            facts.restore(&before);
            return Ok(None);
        }
    };
    if matches!(predicate, P::LLVMIntULT | P::LLVMIntULE | P::LLVMIntUGT | P::LLVMIntUGE) {
        // As numbers without sign: the greatest is not negative if one of them is not.
        let mut known = false;
        for number in &low {
            known = known || facts.is_nonnegative(number, domain)?;
        }
        for number in &high {
            known = known && facts.is_nonnegative(number, domain)?;
        }
        if !known {
            return Ok(None);
        }
    }
    let by = Poly::constant(i64::from(!or_equal));
    let row = |(x, y): (&Poly, &Poly)| y.sub(x).and_then(|d| d.sub(&by)).map(Row::ge).ok_or_else(overflow);
    let pairs = low.iter().flat_map(|x| high.iter().map(move |y| (x, y)));
    let rows = pairs.map(row).collect::<Raise<Vec<Row>>>()?;
    Ok(rows.iter().all(|row| row.poly.is_affine()).then_some(rows))
}

/// Which comparisons say that the first number is less than the second one (`false`), or the second than the first (`true`); and whether they may be equal.
fn less(predicate: P, truth: bool) -> Option<(bool, bool)> {
    match (predicate, truth) {
        (P::LLVMIntSLT | P::LLVMIntULT, true) | (P::LLVMIntSGE | P::LLVMIntUGE, false) => Some((false, false)),
        (P::LLVMIntSLE | P::LLVMIntULE, true) | (P::LLVMIntSGT | P::LLVMIntUGT, false) => Some((false, true)),
        (P::LLVMIntSGT | P::LLVMIntUGT, true) | (P::LLVMIntSLE | P::LLVMIntULE, false) => Some((true, false)),
        (P::LLVMIntSGE | P::LLVMIntUGE, true) | (P::LLVMIntSLT | P::LLVMIntULT, false) => Some((true, true)),
        (P::LLVMIntEQ | P::LLVMIntNE, _) => None,
    }
}

/// What a comparison says of a number that is not negative beside a constant that is: as a number without sign that is larger than all of them. `i + 1 < 0` comes as `i + 3 < 2` or `(i & -2) == -4` without signs,
/// which are the same of all numbers of so many bits. `None`: it is no such comparison.
fn beside_negative(predicate: P, a: Value, b: Value, domain: &Domain, facts: &mut Facts) -> Raise<Option<bool>> {
    let holds = match predicate {
        P::LLVMIntEQ | P::LLVMIntUGT | P::LLVMIntUGE => false,
        P::LLVMIntNE | P::LLVMIntULT | P::LLVMIntULE => true,
        _ => return Ok(None),
    };
    if b.constant_int().is_none_or(|c| c >= 0) {
        return Ok(None);
    }
    // Any bits of what has no sign.
    let parts = if a.opcode() == Some(Opcode::LLVMAnd) { a.operands() } else { vec![a] };
    for part in parts.into_iter().filter(|v| !v.is_constant()) {
        let before = facts.checkpoint();
        match facts.exact_value(part, domain) {
            Ok(number) if facts.is_nonnegative(&number, domain)? => return Ok(Some(holds)),
            Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => return Err(r),
            _ => facts.restore(&before),
        }
    }
    Ok(None)
}

/// Not to be less than what is not negative, as a number without sign, is to be negative, if it is known to be less as one with a sign: `i - 1` beside the `n` iterations of a loop over `i`.
fn below_zero(predicate: P, truth: bool, [x, y]: [&Poly; 2], domain: &Domain, facts: &Facts) -> Raise<Option<Row>> {
    let (small, large, or_equal) = match (predicate, truth) {
        (P::LLVMIntULT, false) | (P::LLVMIntUGE, true) => (x, y, false),
        (P::LLVMIntULE, false) | (P::LLVMIntUGT, true) => (x, y, true),
        (P::LLVMIntUGT, false) | (P::LLVMIntULE, true) => (y, x, false),
        (P::LLVMIntUGE, false) | (P::LLVMIntULT, true) => (y, x, true),
        _ => return Ok(None),
    };
    let counts = small.is_affine() && small.symbols().any(|s| matches!(s, Symbol::Iterator(_)));
    let gap = large.sub(small).and_then(|gap| gap.sub(&Poly::constant(i64::from(!or_equal)))).ok_or_else(overflow)?;
    let is_known = counts
        && !facts.is_nonnegative(small, domain)?
        && facts.is_nonnegative(large, domain)?
        && facts.is_nonnegative(&gap, domain)?;
    if !is_known {
        return Ok(None);
    }
    Poly::constant(-1).sub(small).map(|row| Some(Row::ge(row))).ok_or_else(overflow)
}

/// Does it say, as far as can be seen at once, that two integers differ?
#[must_use]
pub fn is_inequality(condition: Value, truth: bool) -> bool {
    match parts(condition, truth) {
        Parts::Same(inner, truth) => is_inequality(inner, truth),
        Parts::Other => {
            let wanted = if truth { P::LLVMIntNE } else { P::LLVMIntEQ };
            condition.opcode() == Some(Opcode::LLVMICmp) && condition.integer_predicate() == Some(wanted)
        }
        _ => false,
    }
}

/// Two numbers differ: one is the larger, or the other is. `None`: it is not that, or they are no affine numbers.
///
/// # Errors
/// Budget, overflow.
pub fn either_way(condition: Value, truth: bool, domain: &Domain, facts: &mut Facts) -> Raise<Option<[Row; 2]>> {
    if let Parts::Same(inner, truth) = parts(condition, truth) {
        return either_way(inner, truth, domain, facts);
    }
    let operands = condition.operands();
    let (true, [a, b]) = (is_inequality(condition, truth), operands.as_slice()) else { return Ok(None) };
    if a.ty().integer_bits().is_none() {
        return Ok(None);
    }
    let before = facts.checkpoint();
    let mut number = |v: Value| facts.exact_value(v, domain).map(|p| Some(p).filter(Poly::is_affine));
    match number(*a).and_then(|a| Ok(a.zip(number(*b)?))) {
        Ok(Some((x, y))) => {
            let row = |larger: &Poly, smaller: &Poly| {
                let gap = larger.sub(smaller).and_then(|d| d.sub(&Poly::constant(1)));
                gap.map(Row::ge).ok_or_else(overflow)
            };
            Ok(Some([row(&y, &x)?, row(&x, &y)?]))
        }
        Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => Err(r),
        _ => {
            facts.restore(&before);
            Ok(None)
        }
    }
}

/// Two numbers are equal, or not: that takes a row if it is known which one is the larger.
fn equality_row(equal: bool, x: &Poly, y: &Poly, domain: &Domain, facts: &Facts) -> Raise<Row> {
    let d = y.sub(x).ok_or_else(overflow)?;
    if equal {
        return Ok(Row { kind: Kind::Eq, poly: d });
    }
    for larger in [d.clone(), d.scale(-1).ok_or_else(overflow)?] {
        if facts.is_nonnegative(&larger, domain)? {
            return larger.sub(&Poly::constant(1)).map(Row::ge).ok_or_else(overflow);
        }
    }
    Err(RejectKind::NonAffineCondition.into())
}

/// Affine conditions on parameters that every path to the region has passed, in the order in which they are passed: what is not zero is positive where it is known
/// not to be negative. What cannot be used is left out.
fn dominating_conditions(region: &Region, facts: &mut Facts) {
    let analyses = facts.analyses;
    let mut passed = Vec::new();
    let mut below = region.entry;
    for _ in 0..64 {
        let Some(d) = analyses.idom(below) else { break };
        if let Some((condition, yes, no)) = d.terminator().and_then(Value::conditional_branch) {
            match (analyses.edge_dominates(d, yes, region.entry), analyses.edge_dominates(d, no, region.entry)) {
                (true, false) => passed.push((condition, true)),
                (false, true) => passed.push((condition, false)),
                _ => {}
            }
        }
        below = d;
    }
    for (condition, truth) in passed.into_iter().rev() {
        for (part, truth) in conjuncts(condition, truth) {
            // Nothing may be assumed at run time here: these rows only save checks.
            let checkpoint = facts.checkpoint();
            let assumed = facts.assumptions.len();
            match condition_rows(part, truth, &Domain::default(), facts) {
                Ok(rows) if facts.assumptions.len() == assumed => facts.context.extend(rows),
                _ => facts.restore(&checkpoint),
            }
        }
    }
}

/// The parts of a condition that must all have their truth value, each once.
fn conjuncts(condition: Value, truth: bool) -> Vec<(Value, bool)> {
    let (mut out, mut seen, mut open) = (Vec::new(), BTreeSet::new(), vec![(condition, truth)]);
    while let Some((condition, truth)) = open.pop() {
        if !seen.insert((condition, truth)) {
            continue;
        }
        match parts(condition, truth) {
            Parts::Both([a, b], truth) => open.extend([(b, truth), (a, truth)]),
            _ => out.push((condition, truth)),
        }
    }
    out
}
