//! Values that leave a region: what the phis behind it get from it.
//!
//! `for i, j: s += A[i][j] * x[j]; return s` brings the block behind the loops a value that no array of the program holds. A cell of our own ([`super::expand`]) gets it by a
//! statement behind all others, `out = s`, and the new code loads it from there when it is done. So what leaves is a store like any other: it is explained, or refused, by what
//! explains stores; its place in the order is kept by dependences; and the phi gets one more value. The sum itself keeps its order, for it is an array cell, too.
//!
//! A phi that gets different values from several blocks (`s` from behind the loops, zero from the branch past them) has a statement for each of them, where that block is left for it.
//!
//! What a loop computes anew in each iteration and is wanted behind it (`for t: { ...; r = sqrt(s); } return r`) is copied in the last iteration.
//!
//! Only phis of the first block behind the region are served: a value that is used there otherwise would need a phi that there is not.

use super::accesses::{ArrayShape, Layout};
use super::domain;
use super::expand::{self, Expanded};
use super::facts::{Domain, Facts, Row};
use super::poly::{LoopIndex, Poly, Symbol};
use super::region::Region;
use super::reject::{Raise, Reject, RejectKind};
use super::scalar::Web;
use super::shape::Rows;
use super::statement::{Source, Stored};
use super::steps::Steps;
use super::timing::Position;
use crate::llvm::{Block, Loop, Opcode, Value};
use polyhedra::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// Most values that may leave a region.
const MOST: usize = 8;

/// Most values of last iterations that are looked at.
const MOST_LAST: usize = 8;

/// What a phi behind a region gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brought {
    /// A value from before the region.
    Value(Value),
    /// What this array, of one cell, holds in the end.
    Cell(usize),
}

/// The phis behind the region. With the value from before it, if it is that on every way.
///
/// # Errors
/// Types of which there are no cells; too many.
pub fn phis(region: &Region) -> Raise<Vec<(Value, Option<Value>)>> {
    let mut out = Vec::new();
    for phi in region.exit.phis() {
        let mut values: Vec<Value> = region.brought(phi).into_iter().map(|(v, _)| v).collect();
        values.dedup();
        match values.as_slice() {
            [v] if region.is_outside(*v) => out.push((phi, Some(*v))),
            _ => out.push((phi, None)),
        }
    }
    let is_scalar = |v: Value| v.ty().is_float() || v.ty().integer_bits().is_some();
    let computed: Vec<Value> = out.iter().filter(|(_, known)| known.is_none()).map(|(phi, _)| *phi).collect();
    if computed.len() > MOST || !computed.iter().all(|phi| is_scalar(*phi)) {
        return Err(Reject::new(RejectKind::LiveOut).at(region.exit));
    }
    Ok(out)
}

/// The cell for what a phi gets. `None`: it has an odd size.
pub fn cell(facts: &Facts, phi: Value) -> Option<ArrayShape> {
    let bytes = facts.analyses.store_bytes(phi.ty()).filter(|b| b.is_power_of_two() && *b <= 8)?;
    Some(ArrayShape {
        base: phi,
        element: phi.ty(),
        bytes,
        strides: Vec::new(),
        inner_sizes: Vec::new(),
        rows: Rows::Alike,
        own: true,
        table: None,
    })
}

/// The statement that stores what a phi, the `k`-th, gets to its cell.
#[must_use]
pub fn whole(layout: &Layout, (k, phi): (usize, Value), array: usize, shape: &ArrayShape) -> Source {
    Source {
        position: layout.behind(k),
        domain: Domain::default(),
        array,
        cell: Vec::new(),
        alignment: u32::try_from(shape.bytes).unwrap_or(1),
        block: layout.region.exit,
        value: Stored::Value(phi),
        origin: phi,
        ways: BTreeMap::new(),
    }
}

/// The same, a statement for each block from which the phi gets a value.
///
/// # Errors
/// Conditions that are not affine; a block inside a loop.
pub fn by_way(layout: &Layout, facts: &mut Facts, whole: &Source, phi: Value) -> Raise<Vec<Source>> {
    let region = layout.region;
    let mut out = Vec::new();
    for (v, from) in region.brought(phi) {
        let way = domain::edge(region, from, region.exit, &layout.domains, facts)?;
        if !(way.loops.is_empty() && way.conditions.is_empty()) {
            return Err(Reject::new(RejectKind::LiveOut).at(region.exit));
        }
        let mut ways = BTreeMap::new();
        ways.insert(region.exit, from);
        out.push(Source { domain: way, value: Stored::Value(v), ways, ..whole.clone() });
    }
    Ok(out)
}

/// Cells for what loops leave behind that compute it anew in each iteration, as far as phis behind the region may want it. `arrays` arrays are taken.
///
/// # Errors
/// Budget, overflow.
pub fn last_values(
    layout: &Layout,
    facts: &Facts,
    wanted: &[Value],
    (webs, steps, expanded): (&[Web], &[Steps], &[Expanded]),
    arrays: usize,
) -> Raise<Vec<Expanded>> {
    let region = layout.region;
    let mut out: Vec<Expanded> = Vec::new();
    let mut seen: BTreeSet<Value> = BTreeSet::new();
    let mut open: Vec<Value> = wanted.to_vec();
    while let Some(phi) = open.pop() {
        let is_header = region.loops.iter().any(|l| Some(l.header()) == phi.block());
        if phi.opcode() != Some(Opcode::LLVMPHI) || is_header || seen.len() >= MOST_LAST || !seen.insert(phi) {
            continue;
        }
        let brought = region.brought(phi);
        open.extend(brought.iter().map(|(v, _)| *v).filter(|v| !region.is_outside(*v)));
        let [(v, from)] = brought[..] else { continue };
        let known = expanded.iter().any(|e| e.after.contains(&phi) || e.shape.base == v);
        let Some(l) = region.innermost(facts.analyses, from).filter(|_| !known) else { continue };
        let of_webs = webs.iter().flat_map(|w| [&w.start, &w.update_position]);
        let of_steps = steps.iter().flat_map(|s| s.writes.iter().map(|w| &w.position));
        let of_others = expanded.iter().chain(&out).flat_map(|e| [&e.start, &e.update_position]);
        let taken: Vec<&Position> = of_webs.chain(of_steps).chain(of_others).collect();
        if out.iter().all(|e| e.shape.base != v)
            && let Some(found) = last_value(layout, facts, (phi, v), l, arrays + out.len(), &taken)?
        {
            out.push(found);
        }
    }
    Ok(out)
}

/// What the last iteration of a loop computes, copied there.
fn last_value(
    layout: &Layout,
    facts: &Facts,
    (phi, v): (Value, Value),
    l: Loop,
    array: usize,
    taken: &[&Position],
) -> Raise<Option<Expanded>> {
    let region = layout.region;
    let bytes = facts.analyses.store_bytes(v.ty()).filter(|b| b.is_power_of_two() && *b <= 8);
    let is_scalar = v.ty().is_float() || v.ty().integer_bits().is_some();
    let (Some(bytes), Some(preheader), true) = (bytes, l.preheader(), is_scalar) else { return Ok(None) };
    let (Some(exiting), Some(outside)) = (facts.analyses.loop_exiting(l), layout.domains.get(&preheader)) else {
        return Ok(None);
    };
    let behind = phi.block().is_some_and(|b| !l.contains(b));
    let computed = v.block().filter(|b| behind && region.runs_always(facts.analyses, l, *b));
    let Some(computed) = computed else { return Ok(None) };
    let Some((_, left)) = in_the_last(facts, l) else { return Ok(None) };
    // Where it is computed; what is a phi, at the end of the iteration.
    let here = layout.position(v, facts).filter(|p| v.opcode() != Some(Opcode::LLVMPHI) && !taken.contains(&p));
    let at_end = |b: Block| (0..=taken.len()).map(|k| layout.before_end_of(b, k, facts)).find(|p| !taken.contains(&p));
    let (position, block) = match here {
        Some(position) => (position, computed),
        None => match at_end(exiting) {
            Some(position) => (position, exiting),
            None => return Ok(None),
        },
    };
    let Some(mut domain) = layout.domains.get(&block).filter(|d| d.conditions.is_empty()).cloned() else {
        return Ok(None);
    };
    domain.rows.push(Row { kind: Kind::Eq, poly: left });
    let cell: Vec<Poly> = outside.loops.iter().map(|&l| Poly::symbol(Symbol::Iterator(l))).collect();
    let Some((shape, conditions)) = expand::shape(facts, v, bytes, &cell, outside)? else { return Ok(None) };
    let copy = Source {
        position: position.clone(),
        domain,
        array,
        cell: cell.clone(),
        alignment: u32::try_from(bytes).unwrap_or(1),
        block,
        value: Stored::Value(v),
        origin: v,
        ways: BTreeMap::new(),
    };
    Ok(Some(Expanded {
        array,
        shape,
        cell,
        phis: Vec::new(),
        update: phi,
        after: BTreeSet::from([phi]),
        start: layout.end_of(preheader, facts),
        update_position: position,
        conditions,
        eager: false,
        is_guarded: false,
        sources: vec![copy],
    }))
}

/// The iterator of a loop, and how many iterations are left behind one: zero in the last. `None`: there is more than one bound, or it counts otherwise.
pub fn in_the_last(facts: &Facts, l: Loop) -> Option<(Symbol, Poly)> {
    let index = facts.loops.iter().position(|data| data.handle == Some(l))?;
    let data = facts.loops.get(index).filter(|data| data.split.is_none())?;
    let iterator = Symbol::Iterator(LoopIndex(index));
    let [low, up] = data.rows.as_slice() else { return None };
    let [next] = data.going_on.as_slice() else { return None };
    // Nothing is left of the count.
    let one_less = up.poly.sub(&Poly::constant(1))?;
    (low.poly == Poly::symbol(iterator) && next.poly == one_less && up.kind == Kind::Ge && up.poly.is_affine())
        .then(|| (iterator, up.poly.clone()))
}
