//! Memory of our own for values that travel in registers.
//!
//! `sum = 0; for k: sum += B[k][j] * A[i][k]; C[i][j] = beta * C[i][j] + sum` is no update of `C[i][j]`, which is read meanwhile. [`super::scalar`] finds no cell of the
//! program for such a web; it gets one of an array that is allocated for the region (scalar expansion, Padua and Wolfe 1986): `sum[i][j]`, with one cell for every
//! iteration of the loops around the web's start. So the loops are free to be cut and interchanged; what stays in one loop goes back to a register.
//!
//! The cell is written by the web's start and updates alone, hence whatever reads it behind the loops, in the same iteration around, reads the result.
//!
//! A web is expanded only where a statement needs its value and nothing else explains it.
//!
//! What a scalar held before its update and is used behind it (`t = s; s = f(s, u); u = g(t);`) is copied where the iteration begins. A loaded value that is used after its cell has been overwritten (`t = x[i]; x[i] = y[i]; y[i] = t;`) is *kept* in the same way: a statement of its own copies it where
//! it is loaded. In few loops only: the copy has a cell for every iteration of all loops around.

use super::accesses::{Access, ArrayShape, Layout};
use super::bounds;
use super::facts::{Domain, Facts};
use super::poly::{Poly, Symbol};
use super::reject::Raise;
use super::scalar::{Chain, Web, chain, is_index};
use super::shape::Rows;
use super::statement::{Source, Stored};
use super::steps::Steps;
use super::timing::Position;
use crate::llvm::{Block, Opcode, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Most webs of a region that may be expanded.
const MOST: usize = 8;

/// Most loads of a region whose values may be kept.
const MOST_KEPT: usize = 6;

/// Most loops around a load whose value is kept.
const DEEPEST_KEPT: usize = 2;

/// A scalar that gets cells of its own.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// Index of its array among those of the region.
    pub array: usize,
    /// The array.
    pub shape: ArrayShape,
    /// Its cell, over the loops around the web.
    pub cell: Vec<Poly>,
    /// Header phis, outermost loop first.
    pub phis: Vec<Value>,
    /// The new value computed in every iteration of the innermost loop.
    pub update: Value,
    /// Phis that hand the result on.
    pub after: BTreeSet<Value>,
    /// When the web starts.
    pub start: Position,
    /// When the update runs.
    pub update_position: Position,
    /// What has to hold of the parameters for the cells to be apart: `>= 0`.
    pub conditions: Vec<Poly>,
    /// It is read wherever it holds the value, whether that could be computed or not.
    pub eager: bool,
    /// Do data decide whether the update runs?
    pub is_guarded: bool,
    /// Start and update; of a load, the copy.
    pub sources: Vec<Source>,
}

/// The webs that could be expanded: those that live in no cell of the program. `arrays` arrays are taken.
///
/// # Errors
/// Budget, overflow.
pub fn candidates(
    layout: &Layout,
    facts: &mut Facts,
    (webs, steps): (&[Web], &[Steps]),
    arrays: usize,
) -> Raise<Vec<Expanded>> {
    let mut out: Vec<Expanded> = Vec::new();
    let in_steps = steps.iter().flat_map(|s| s.members.iter());
    let mut taken: BTreeSet<Value> = webs.iter().flat_map(|w| &w.phis).chain(in_steps).copied().collect();
    for &l in &layout.region.loops {
        let domain = layout.domains.get(&l.header()).cloned().unwrap_or_default();
        for phi in l.header().phis() {
            if out.len() == MOST || taken.contains(&phi) || is_index(facts, phi, &domain) || phi.users().is_empty() {
                continue;
            }
            let Some(found) = chain(layout, facts, l, phi) else { continue };
            let of_webs = webs.iter().flat_map(|w| [&w.start, &w.update_position]);
            let of_steps = steps.iter().flat_map(|s| s.writes.iter().map(|w| &w.position));
            let starts = of_webs.chain(of_steps).chain(out.iter().flat_map(|e| [&e.start, &e.update_position]));
            let starts: Vec<&Position> = starts.collect();
            if let Some(expanded) = expand(layout, facts, found, arrays + out.len(), &starts)? {
                taken.extend(&expanded.phis);
                out.push(expanded);
            }
        }
    }
    Ok(out)
}

/// `taken`: moments at which others start or are updated.
fn expand(layout: &Layout, facts: &Facts, chain: Chain, array: usize, taken: &[&Position]) -> Raise<Option<Expanded>> {
    let ty = chain.update.ty();
    let scalar = ty.is_float() || ty.integer_bits().is_some();
    let bytes = facts.analyses.store_bytes(ty).filter(|b| scalar && b.is_power_of_two() && *b <= 8);
    let Some(bytes) = bytes else { return Ok(None) };
    let place =
        chain.place(facts.analyses, layout.region).and_then(|place| Some((place, layout.domains.get(&place)?.clone())));
    let Some((place, domain)) = place else { return Ok(None) };
    let free_before_end = |b: Block, taken: &[&Position]| {
        (0..=taken.len()).map(|k| layout.before_end_of(b, k, facts)).find(|p| !taken.contains(&p))
    };
    let is_delay = chain.update.opcode() == Some(Opcode::LLVMPHI);
    let innermost = chain.loops.last().and_then(|l| l.latch());
    // What another scalar held when the iteration began takes its place when the iteration is over.
    let update = match innermost {
        Some(latch) if is_delay => free_before_end(latch, taken).zip(Some(latch)),
        _ => chain.moment(layout, facts, 0).and_then(|(b, position)| {
            let own = Some(position).filter(|p| !taken.contains(&p));
            own.or_else(|| free_before_end(b, taken)).zip(Some(b))
        }),
    };
    let update = update.and_then(|(position, b)| Some((position, b, layout.domains.get(&b)?.clone())));
    let (Some((update_position, update_block, update_domain)), Some(&base)) = (update, chain.phis.first()) else {
        return Ok(None);
    };
    let cell: Vec<Poly> = domain.loops.iter().map(|&l| Poly::symbol(Symbol::Iterator(l))).collect();
    let Some((shape, conditions)) = shape(facts, base, bytes, &cell, &domain)? else { return Ok(None) };
    let taken: Vec<&Position> = taken.iter().copied().chain([&update_position]).collect();
    let Some(start) = free_before_end(place, &taken) else { return Ok(None) };
    let source = |position: &Position, domain: &Domain, block: Block, value: Value| Source {
        position: position.clone(),
        domain: domain.clone(),
        array,
        cell: cell.clone(),
        alignment: u32::try_from(bytes).unwrap_or(1),
        block,
        value: Stored::Value(value),
        origin: chain.update,
        ways: BTreeMap::new(),
    };
    let sources = vec![
        source(&start, &domain, place, chain.init),
        source(&update_position, &update_domain, update_block, chain.update),
    ];
    Ok(Some(Expanded {
        array,
        shape,
        cell,
        phis: chain.phis,
        update: chain.update,
        after: chain.after,
        start,
        update_position,
        conditions,
        eager: false,
        is_guarded: chain.guarded.is_some(),
        sources,
    }))
}

/// The value of a load, to be kept; `array` arrays are taken. `None`: there are enough, or too many loops around it.
///
/// # Errors
/// Budget, overflow.
pub fn kept(
    layout: &Layout,
    facts: &Facts,
    load: &Access,
    array: usize,
    expanded: &[Expanded],
) -> Raise<Option<Expanded>> {
    let v = load.instruction;
    let is_load = |e: &&Expanded| e.phis.is_empty();
    let full = expanded.iter().filter(is_load).count() >= MOST_KEPT || expanded.iter().any(|e| e.shape.base == v);
    let (Some(block), false) = (v.block().filter(|b| layout.region.contains(*b)), full) else { return Ok(None) };
    if load.domain.loops.is_empty() || load.domain.loops.len() > DEEPEST_KEPT {
        return Ok(None);
    }
    // Neighbours where the cells are.
    let mut loops = load.domain.loops.clone();
    loops.sort_by_key(|&l| load.subscripts.iter().rposition(|p| p.symbols().any(|s| s == Symbol::Iterator(l))));
    let cell: Vec<Poly> = loops.iter().map(|&l| Poly::symbol(Symbol::Iterator(l))).collect();
    // Of all of its instances, where the access is a piece of them.
    let Some(whole) = layout.domains.get(&block) else { return Ok(None) };
    let kept = of_value(facts, v, cell, (load.position.clone(), whole, block), array)?;
    Ok(kept.map(|kept| Expanded { eager: false, ..kept }))
}

/// Memory for a value that is computed in few loops: `cell` is another one in each of their iterations, and has no negative subscripts. `None`: it has no cells of a good size, or some loop has no bound in
/// the parameters.
///
/// # Errors
/// Budget, overflow.
pub fn of_value(
    facts: &Facts,
    v: Value,
    cell: Vec<Poly>,
    (position, domain, block): (Position, &Domain, Block),
    array: usize,
) -> Raise<Option<Expanded>> {
    let Some(bytes) = facts.analyses.store_bytes(v.ty()).filter(|b| b.is_power_of_two() && *b <= 8) else {
        return Ok(None);
    };
    let Some((shape, conditions)) = shape(facts, v, bytes, &cell, domain)? else { return Ok(None) };
    let copy = Source {
        position: position.clone(),
        domain: domain.clone(),
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
        update: v,
        after: BTreeSet::new(),
        start: position.clone(),
        update_position: position,
        conditions,
        eager: true,
        is_guarded: false,
        sources: vec![copy],
    }))
}

/// What a scalar held when an iteration of its innermost loop began, to be kept: `s = f(t); t = g(s_before)`. Its copy has the cells of the scalar. `None`: there are enough.
#[must_use]
pub fn kept_scalar(layout: &Layout, facts: &Facts, k: usize, array: usize, expanded: &[Expanded]) -> Option<Expanded> {
    let web = expanded.get(k)?;
    let phi = *web.phis.last()?;
    let full = expanded.iter().filter(|e| e.phis.is_empty()).count() >= MOST_KEPT;
    if full || expanded.iter().any(|e| e.phis.is_empty() && e.update == phi) {
        return None;
    }
    // Every array has a base of its own, whatever stands for it: the scalar's is its phi. What the program's arrays start from, and the
    // loads that are made in front of the region, are pointers and loads.
    let is_free = |v: &Value| {
        !v.ty().is_pointer() && v.opcode() != Some(Opcode::LLVMLoad) && expanded.iter().all(|e| e.shape.base != *v)
    };
    let base = phi.block()?.instructions().into_iter().find(is_free)?;
    let (position, block) = (layout.position(phi, facts)?, phi.block()?);
    let copy = Source {
        position: position.clone(),
        domain: layout.domains.get(&block)?.clone(),
        array,
        block,
        value: Stored::Value(phi),
        origin: web.update,
        ..web.sources.first()?.clone()
    };
    Some(Expanded {
        array,
        shape: ArrayShape { base, ..web.shape.clone() },
        phis: Vec::new(),
        update: phi,
        after: BTreeSet::new(),
        start: position.clone(),
        update_position: position,
        is_guarded: false,
        sources: vec![copy],
        ..web.clone()
    })
}

/// The same of a scalar that lives in a cell of the program, whose phi this is: the copy has a cell for every iteration around. `None`: there are enough.
///
/// # Errors
/// Budget, overflow.
pub fn kept_phi(
    layout: &Layout,
    facts: &Facts,
    phi: Value,
    array: usize,
    expanded: &[Expanded],
) -> Raise<Option<Expanded>> {
    let full = expanded.iter().filter(|e| e.phis.is_empty()).count() >= MOST_KEPT;
    if full || expanded.iter().any(|e| e.shape.base == phi) {
        return Ok(None);
    }
    let (Some(block), Some(position)) = (phi.block(), layout.position(phi, facts)) else { return Ok(None) };
    let domain = layout.domains.get(&block).cloned().unwrap_or_default();
    let Some((_, around)) = domain.loops.split_last() else { return Ok(None) };
    let cell: Vec<Poly> = around.iter().map(|&l| Poly::symbol(Symbol::Iterator(l))).collect();
    let kept = of_value(facts, phi, cell, (position, &domain, block), array)?;
    Ok(kept.map(|kept| Expanded { eager: false, ..kept }))
}

/// An array with these cells on a domain, which have no negative subscripts, and what must hold of the parameters for that. `None`: some subscript has no bound in the parameters.
pub(super) fn shape(
    facts: &Facts,
    base: Value,
    bytes: u64,
    cell: &[Poly],
    domain: &Domain,
) -> Raise<Option<(ArrayShape, Vec<Poly>)>> {
    let rank = cell.len();
    let one = Poly::constant(1);
    let mut strides = Vec::new();
    let mut inner_sizes = Vec::new();
    let mut conditions = Vec::new();
    let Ok(width) = i64::try_from(bytes) else { return Ok(None) };
    let mut stride = Poly::constant(width);
    for d in (0..rank).rev() {
        strides.push(stride.clone());
        if d == 0 {
            break;
        }
        let last = bounds::extreme(facts, &cell[d], domain, true)?;
        let Some(size) = last.and_then(|last| last.add(&one)) else { return Ok(None) };
        let Some(next) = stride.mul(&size) else { return Ok(None) };
        inner_sizes.push(size.as_constant());
        if size.as_constant().is_none() {
            conditions.push(size);
        }
        stride = next;
    }
    strides.reverse();
    inner_sizes.reverse();
    let element = base.ty();
    Ok(Some((
        ArrayShape { base, element, bytes, strides, inner_sizes, rows: Rows::Alike, own: true, table: None },
        conditions,
    )))
}

/// Is the value of a phi (or the update) at this position the one in the web's cell?
#[must_use]
pub fn holds(expanded: &Expanded, v: Value, at: &Position) -> bool {
    let (start, update) = (&expanded.start, &expanded.update_position);
    let depth = start.loops.len();
    if at.loops.len() < depth || at.loops[..depth] != start.loops[..] {
        return false;
    }
    let common = update.common_loops(at);
    let same_iteration = common == update.loops.len();
    if expanded.phis.last() == Some(&v) {
        // Before the update, or in it.
        return same_iteration && (at.beta[common] < update.beta[common] || at == update);
    }
    if v == expanded.update && !expanded.after.contains(&v) {
        // Behind it, in its loop.
        return !expanded.is_guarded && same_iteration && update.beta[common] < at.beta[common];
    }
    // Behind the loops.
    expanded.after.contains(&v)
        && common == depth
        && update.beta.get(depth).zip(at.beta.get(depth)).is_some_and(|(a, b)| a < b)
}
