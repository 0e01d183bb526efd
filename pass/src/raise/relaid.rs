//! Arrays whose cells are numbered in another way, so that what lies side by side is seen to.
//!
//! Pixels `x[i][j][c]` of a few parts, `c < P`, are a line of parts, `x[i][P j + c]`. Sums `r`, `g`, `b` that have arrays of our own ([`super::expand`]) may lie in one in turn, `t[i][3 j + c]`: nobody else knows where
//! they are. The program stays the same; loops that walk over such neighbours can then be joined ([`scheduler::reroll::reroll_interleaved`]).

use super::alike;
use super::{ArrayData, Raised};
use polyhedra::Affine;
use scheduler::Result;
use scheduler::scop::{Access, ArrayId, Scop, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of more parts are left as they are.
const MOST_PARTS: i64 = 16;

/// The region with lines of parts, and own arrays in turn. `None`: there is nothing to be done.
///
/// # Errors
/// Overflow.
pub fn relaid(raised: &Raised) -> Result<Option<Raised>> {
    let flat = flattened(raised)?;
    let in_turn = in_turn(flat.as_ref().unwrap_or(raised))?;
    Ok(in_turn.or(flat))
}

/// The last subscript, where it has few values, counts with the one before.
fn flattened(raised: &Raised) -> Result<Option<Raised>> {
    let mut out: Option<Raised> = None;
    for k in 0..raised.arrays.len() {
        let Some(parts) = parts_of(raised, k) else { continue };
        let out = out.get_or_insert_with(|| raised.clone());
        for access in accesses_of(&mut out.scop, ArrayId(k)) {
            let (Some(last), Some(before)) = (access.subscripts.pop(), access.subscripts.pop()) else { continue };
            access.subscripts.push(last.combine(1, &before, parts)?);
        }
        let array = &mut out.scop.arrays[k];
        array.rank -= 1;
        array.inner_sizes.pop();
        let strides = &mut out.arrays[k].strides;
        strides.remove(strides.len() - 2);
    }
    Ok(out)
}

/// How many values the last subscript has, if they are few and all cells of a line lie behind each other.
fn parts_of(raised: &Raised, k: usize) -> Option<i64> {
    let array = raised.arrays.get(k)?;
    let parts = raised.scop.arrays.get(k)?.inner_sizes.last().copied().flatten()?;
    let [.., before, last] = array.strides.as_slice() else { return None };
    let is_line = before.as_constant()? == last.as_constant()?.checked_mul(parts)?;
    (is_line && !array.rows.are_packed() && array.table.is_none() && (2..=MOST_PARTS).contains(&parts)).then_some(parts)
}

/// Arrays of our own in the order in which what is computed from them lies side by side, as one array.
fn in_turn(raised: &Raised) -> Result<Option<Raised>> {
    let mut groups: BTreeSet<Vec<ArrayId>> = BTreeSet::new();
    for s in 0..raised.scop.statements.len() {
        groups.extend(side_by_side(raised, StatementId(s))?);
    }
    // An array has one place.
    let mut taken: BTreeMap<ArrayId, usize> = BTreeMap::new();
    groups.iter().flatten().for_each(|a| *taken.entry(*a).or_default() += 1);
    groups.retain(|group| group.iter().all(|a| taken[a] == 1));
    if groups.is_empty() {
        return Ok(None);
    }
    let mut out = raised.clone();
    for group in groups {
        let (Some(&first), Ok(parts)) = (group.first(), i64::try_from(group.len())) else { continue };
        for (&array, number) in group.iter().zip(0_i64..) {
            for access in accesses_of(&mut out.scop, array) {
                access.array = first;
                if let Some(last) = access.subscripts.last_mut() {
                    *last = last.scale(parts)?.offset(number)?;
                }
            }
        }
        if let Some((_, outer)) = out.arrays[first.0].strides.split_last_mut() {
            for stride in outer {
                *stride = stride.scale(parts).ok_or(polyhedra::Error::Overflow)?;
            }
        }
        if let Some(Some(size)) = out.scop.arrays[first.0].inner_sizes.last_mut() {
            *size = size.checked_mul(parts).ok_or(polyhedra::Error::Overflow)?;
        }
    }
    Ok(Some(out))
}

/// Arrays of our own which statements like this one have in its place, in the order in which other cells of them follow each other. `None`: there are none.
fn side_by_side(raised: &Raised, first: StatementId) -> Result<Option<Vec<ArrayId>>> {
    let s = &raised.scop.statements[first.0];
    // One cell lies beside nothing.
    let is_own = |a: &Access| raised.arrays.get(a.array.0).is_some_and(|array| array.own && !array.strides.is_empty());
    let mut own = s.accesses.iter().filter(|a| is_own(a)).map(|a| a.array);
    let Some(array) = own.next().filter(|array| own.all(|other| other == *array)) else { return Ok(None) };
    let mut members: Vec<(Vec<i64>, ArrayId)> = Vec::new();
    for t in (0..raised.scop.statements.len()).map(StatementId) {
        let other = &raised.scop.statements[t.0];
        let Some(likeness) = alike::likeness(raised, first, t).filter(|_| other.domain == s.domain) else { continue };
        if !likeness.numbers.is_empty() {
            continue;
        }
        let pairs = likeness.reads.iter().map(|(a, b)| (s.accesses.get(a.0), other.accesses.get(b.0)));
        let mut by = Vec::new();
        let mut arrays = BTreeSet::new();
        let mut fits = true;
        for (a, b) in pairs.chain([(s.accesses.first(), other.accesses.first())]) {
            let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
            fits &= if is_own(a) {
                arrays.insert(b.array);
                is_own(b) && is_same_shape(raised, a.array, b.array) && a.subscripts == b.subscripts
            } else {
                a.array == b.array && constants(a, b, &mut by)?
            };
        }
        if let (true, 1, Some(&array)) = (fits, arrays.len(), arrays.first()) {
            members.push((by, array));
        }
    }
    members.sort();
    let order: Vec<ArrayId> = members.iter().map(|m| m.1).collect();
    // Where cells are the same there is no order.
    let has_order = members.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let distinct: BTreeSet<ArrayId> = order.iter().copied().collect();
    let fits = has_order && order.len() > 1 && distinct.len() == order.len() && distinct.contains(&array);
    let few = i64::try_from(order.len()).is_ok_and(|n| n <= MOST_PARTS);
    Ok((fits && few).then_some(order))
}

/// Adds what the subscripts of one have more than those of the other. Are these constants?
fn constants(one: &Access, other: &Access, by: &mut Vec<i64>) -> Result<bool> {
    for (x, y) in one.subscripts.iter().zip(&other.subscripts) {
        let more = y.sub(x)?;
        if more != Affine::constant(more.space(), more.constant_term()) {
            return Ok(false);
        }
        by.push(more.constant_term());
    }
    Ok(one.subscripts.len() == other.subscripts.len())
}

fn is_same_shape(raised: &Raised, a: ArrayId, b: ArrayId) -> bool {
    let shape = |a: &ArrayData| (a.element, a.bytes, a.strides.clone());
    let get = |a: ArrayId| raised.arrays.get(a.0).map(shape);
    get(a) == get(b)
}

fn accesses_of(scop: &mut Scop, array: ArrayId) -> impl Iterator<Item = &mut Access> {
    scop.statements.iter_mut().flat_map(|s| &mut s.accesses).filter(move |a| a.array == array)
}
