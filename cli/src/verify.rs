//! Running on paper: the generated loops against the source, for given values of the parameters.
//!
//! Three questions, each answered by enumeration: does every instance run exactly once; do two instances that touch one cell, one of them writing, keep their
//! order; and does the memory end the same when statements store symbols, with cells in registers as the loops hold them?

use crate::Stop;
use codegen::ast::Ast;
use codegen::interpret::{self, Instance};
use polyhedra::{Affine, Budget, Constraint, Optimum};
use scheduler::scop::{Commutative, Scop};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Points of the boxes around all domains that are enumerated at most.
const MOST_POINTS: i128 = 5_000_000;

/// Why these values of the parameters cannot be run: they contradict what is assumed (loops may rely on that), or give too much to enumerate.
pub fn obstacle(scop: &Scop, params: &[i64]) -> Result<Option<String>, Stop> {
    if let Some(context) = &scop.context
        && !context.contains(params, &[]).map_err(scheduler::Error::from)?
    {
        return Ok(Some("these values of the parameters contradict what is assumed; try another --size".into()));
    }
    let mut all = 0_i128;
    for s in &scop.statements {
        let mut fixed = s.domain.clone();
        for (p, &value) in params.iter().enumerate() {
            let equal = Affine::param(s.space(), p).offset(value.saturating_neg()).map_err(scheduler::Error::from)?;
            fixed.add(Constraint::eq(equal));
        }
        let mut points = 1_i128;
        for d in 0..s.depth() {
            let least = |factor| -> Result<Option<i128>, scheduler::Error> {
                let form = Affine::dim(s.space(), d).scale(factor)?;
                Ok(match fixed.minimum(&form, &Budget::generous())? {
                    Optimum::Bounded(v) => Some(v.ceil().to_integer()),
                    Optimum::Empty => Some(0),
                    Optimum::Unbounded => None,
                })
            };
            let (Some(low), Some(high)) = (least(1)?, least(-1)?) else {
                return Ok(Some(format!("{} runs without end", s.name)));
            };
            points = points.saturating_mul(1_i128.saturating_sub(low).saturating_sub(high).max(0));
        }
        all = all.saturating_add(points);
    }
    Ok((all > MOST_POINTS).then(|| format!("{all} instances are too many to enumerate; try a smaller --size")))
}

/// The instances in the order of the loops, one a line.
pub fn list(scop: &Scop, ast: &Ast, params: &[i64], out: &mut String) -> Result<(), Stop> {
    for instance in interpret::instances(ast, params)? {
        let _ = writeln!(out, "{}", name(scop, &instance));
    }
    Ok(())
}

/// One line that says that all is well, or an error.
pub fn compare(scop: &Scop, title: &str, ast: &Ast, params: &[i64], out: &mut String) -> Result<(), Stop> {
    let source = interpret::original_order(scop, params)?;
    let order = interpret::instances(ast, params)?;
    let violated = |what: String| Err(Stop::Refused(format!("{title}: violated: {what}")));
    let mut place: BTreeMap<&Instance, usize> = BTreeMap::new();
    for (k, instance) in order.iter().enumerate() {
        if place.insert(instance, k).is_some() {
            return violated(format!("{} runs twice", name(scop, instance)));
        }
    }
    if let Some(missing) = source.iter().find(|i| !place.contains_key(i)) {
        return violated(format!("{} does not run", name(scop, missing)));
    }
    if order.len() != source.len() {
        return violated(format!("{} instances run instead of {}", order.len(), source.len()));
    }
    if let Some((before, after)) = conflict(scop, &source, &place, params)? {
        return violated(format!("{} must run before {}", name(scop, before), name(scop, after)));
    }
    if interpret::execute(scop, ast, params)? != interpret::execute_original(scop, params)? {
        return violated("the memory differs at the end".into());
    }
    let values: Vec<String> = scop.params.iter().zip(params).map(|(n, v)| format!("{n}={v}")).collect();
    let _ = writeln!(out, "{title}: {} instances in a legal order, same memory {}", order.len(), values.join(" "));
    Ok(())
}

/// A cell: array and subscripts.
type Cell = (usize, Vec<i64>);

/// Does it write, and as part of an update that commutes?
type End = (bool, Option<Commutative>);

/// Two instances that touch one cell, one of them writing, and run in the wrong order.
fn conflict<'a>(
    scop: &Scop,
    source: &'a [Instance],
    place: &BTreeMap<&Instance, usize>,
    params: &[i64],
) -> Result<Option<(&'a Instance, &'a Instance)>, Stop> {
    // By cell and, of updates that commute, operation, in source order: the latest place of a write and of a read.
    let mut latest: BTreeMap<Cell, BTreeMap<End, (usize, &Instance)>> = BTreeMap::new();
    for instance in source {
        let Some(&own) = place.get(instance) else { continue };
        let Some(statement) = scop.statements.get(instance.0.0) else { continue };
        let update = statement.update();
        let mut ends = Vec::new();
        for (k, access) in statement.accesses.iter().enumerate() {
            let cell = access.subscripts.iter().map(|e| e.eval(params, &instance.1)).collect::<Result<_, _>>();
            let commutes = update.filter(|(_, old)| k == 0 || k == old.0).map(|(operation, _)| operation);
            ends.push(((access.array.0, cell.map_err(scheduler::Error::from)?), (access.kind.writes(), commutes)));
        }
        for (cell, (writes, commutes)) in &ends {
            let earlier = latest.get(cell).into_iter().flatten();
            let bound = |wrote: bool, other: Option<Commutative>| {
                (*writes || wrote) && (commutes.is_none() || *commutes != other)
            };
            let mut broken = earlier.filter(|((wrote, other), (place, _))| bound(*wrote, *other) && *place > own);
            if let Some((_, (_, before))) = broken.next() {
                return Ok(Some((before, instance)));
            }
        }
        for (cell, end) in ends {
            let latest = latest.entry(cell).or_default().entry(end).or_insert((own, instance));
            if latest.0 < own {
                *latest = (own, instance);
            }
        }
    }
    Ok(None)
}

fn name(scop: &Scop, instance: &Instance) -> String {
    let statement = scop.statements.get(instance.0.0).map_or("?", |s| s.name.as_str());
    format!("{statement}{:?}", instance.1)
}
