//! Array cells for values that travel in registers and change in several steps.
//!
//! `s = 0; if (i > 0) s += x[i-1] * w[0]; s += x[i] * w[1]; if (i < n-1) s += x[i+1] * w[2]; o[i] = s;` is what LLVM makes of a filter with a border whose terms it has unrolled. [`super::scalar`] knows one
//! update a loop. Here all values that phis connect are taken together (a congruence class, as in Sreedhar et al., Translating Out of Static Single Assignment Form, SAS 1999), and may live in one cell if at every
//! moment it holds the one of them that is wanted: a walk over the control flow says which it holds where, a phi must get over each edge what is held there, and a statement may only
//! read the one that is held when it runs.
//!
//! The cell is that of a store `F` that is certain to run behind all of them, under the conditions of [`super::scalar`]: nothing else touches it meanwhile. LLVM may have made several of it, one on each way.
//! Every value that is computed is a store to it, and so is what comes in from outside, at the end of the block that it comes from. `F` goes away if it stored what the cell holds.
//!
//! Where `F` stores what is computed from them, and its cell will not do (`o[i] = s / 9` in bytes; two stores that want the same sum), sums may have memory of our own, as in [`super::expand`]: a cell for every iteration of the
//! loops around `F`, which nothing else touches.

use super::accesses::{Access, Accesses, Action, ArrayShape, Layout};
use super::expand;
use super::facts::{Domain, Facts};
use super::poly::{Poly, Symbol};
use super::region::sets_one_errno;
use super::reject::Raise;
use super::scalar::{Web, is_index};
use super::timing::{Position, Touch, Watch, disturbs};
use crate::llvm::{Analyses, Block, Opcode, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Most values that live in one cell.
const MOST: usize = 160;

/// A value that is stored to the cell.
#[derive(Clone, Debug)]
pub struct Write {
    /// The value.
    pub value: Value,
    /// When.
    pub position: Position,
    /// On which instances.
    pub domain: Domain,
    /// In which block.
    pub block: Block,
}

/// Values that live in one cell, one after the other.
#[derive(Clone, Debug)]
pub struct Steps {
    /// All of them.
    pub members: BTreeSet<Value>,
    /// Those that are stored.
    pub writes: Vec<Write>,
    /// The stores `F` whose cell it is: index of the access, and whether it stores what the cell holds.
    pub lasts: Vec<(usize, bool)>,
    /// Alignment known of the cell.
    pub alignment: u32,
    /// Where they are, and when: behind that nothing is known of the cell.
    ends: Vec<(Block, Position)>,
    /// Array of the cell.
    pub array: usize,
    /// The cell, over the loops around `F`.
    pub cell: Vec<Poly>,
    /// The array, if it is one of our own, and what has to hold of the parameters for its cells to be apart: `>= 0`.
    pub own: Option<(ArrayShape, Vec<Poly>)>,
    /// `F`, or one of them.
    pub last: Value,
    /// What the cell holds when a block begins, in the blocks up to `F`.
    begins: BTreeMap<Block, Option<Value>>,
    /// When the first of them may be there.
    start: Position,
}

impl Steps {
    /// The stores that they add.
    pub fn touches(&self) -> impl Iterator<Item = Touch> + '_ {
        self.writes.iter().map(|w| Touch {
            position: w.position.clone(),
            domain: w.domain.clone(),
            array: self.array,
            subscripts: self.cell.clone(),
        })
    }

    /// What the cell holds when a statement of a block runs.
    #[must_use]
    pub fn held(&self, block: Block, at: &Position) -> Option<Value> {
        let begins = *self.begins.get(&block)?;
        if self.ends.iter().any(|(b, end)| *b == block && end.beta < at.beta) {
            return None;
        }
        let own = self.writes.iter().filter(|w| w.block == block && w.position.beta < at.beta);
        own.max_by_key(|w| w.position.beta.clone()).map_or(begins, |w| Some(w.value))
    }
}

/// Values that phis connect.
#[derive(Default)]
struct Class {
    phis: BTreeSet<Value>,
    /// What else is computed in the region.
    updates: BTreeSet<Value>,
    /// What comes from outside, by the block that it comes from.
    inits: BTreeMap<Block, Value>,
}

/// Which cells they may live in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cells {
    /// The program's.
    Known,
    /// Those, or, for sums, memory of our own.
    Own,
}

impl Class {
    /// Is every value that is computed a sum of another one and a term, or a term? Loops are cut for these, and LLVM makes vectors of them; other steps, each of which waits for the one before and may be branches in the source, are
    /// slower in cells (measured on Zen 4, filters of three and more terms: minima and Horner's scheme in floats 0.2 to 0.6 of the source's speed).
    fn is_sum(&self, layout: &Layout) -> bool {
        self.updates.iter().all(|v| {
            let operands = v.operands();
            let sum_of: &[usize] = match v.opcode() {
                Some(Opcode::LLVMAdd | Opcode::LLVMFAdd) => &[0, 1],
                Some(Opcode::LLVMSub | Opcode::LLVMFSub) => &[0],
                Some(Opcode::LLVMCall) => match v.intrinsic_name().as_deref() {
                    Some("llvm.fmuladd" | "llvm.fma") => &[2],
                    _ => &[],
                },
                _ => &[],
            };
            let old = sum_of.iter().copied().find(|&k| operands.get(k).is_some_and(|o| self.has(*o)));
            let terms = operands.iter().enumerate().filter(|(k, _)| Some(*k) != old);
            terms.into_iter().all(|(_, term)| !self.is_below(layout, *term))
        })
    }

    fn has(&self, v: Value) -> bool {
        self.phis.contains(&v) || self.updates.contains(&v)
    }

    /// Is a value computed from one of them, as far as one cares to look?
    fn is_below(&self, layout: &Layout, value: Value) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![value];
        while let Some(v) = open.pop() {
            if self.has(v) || seen.len() > MOST {
                return true;
            }
            if !layout.region.is_outside(v) && seen.insert(v) {
                open.extend(v.operands());
            }
        }
        false
    }
}

/// Finds those of a region that no web explains.
///
/// # Errors
/// Budget, overflow.
pub fn find(layout: &Layout, facts: &mut Facts, accesses: &Accesses, webs: &[Web], cells: Cells) -> Raise<Vec<Steps>> {
    let mut found = Found {
        steps: Vec::new(),
        taken: webs.iter().flat_map(|w| w.phis.iter().chain(&w.after).copied()).collect(),
        // Behind the numbers that webs have, whichever of them are left.
        numbers: layout.region.loops.iter().map(|l| l.header().phis().len()).sum(),
    };
    for last in 0..accesses.all.len() {
        if !webs.iter().any(|w| w.last == last) {
            found.in_cell_of(last, layout, facts, accesses, webs)?;
        }
    }
    // The last store that wants a value wants it longest.
    for last in (0..accesses.all.len()).rev().filter(|_| cells == Cells::Own) {
        found.in_own_cells(last, layout, facts, accesses)?;
    }
    Ok(found.steps)
}

/// What has been found.
struct Found {
    steps: Vec<Steps>,
    /// Values that live somewhere.
    taken: BTreeSet<Value>,
    /// Moments that others have at the end of a block.
    numbers: usize,
}

impl Found {
    /// Values that a store is computed from, in its cell.
    fn in_cell_of(
        &mut self,
        last: usize,
        layout: &Layout,
        facts: &mut Facts,
        accesses: &Accesses,
        webs: &[Web],
    ) -> Raise<()> {
        let access = &accesses.all[last];
        let Action::Store(stored) = access.action else { return Ok(()) };
        let done = self.steps.iter().any(|s| s.lasts.iter().any(|(k, _)| *k == last));
        if access.ty.is_none() || done {
            return Ok(());
        }
        let same = |a: &Access| {
            let of_cell = a.array == access.array && a.subscripts == access.subscripts && a.ty == access.ty;
            matches!(a.action, Action::Store(_)) && of_cell && a.domain.loops == access.domain.loops
        };
        let lasts: Vec<usize> = (0..accesses.all.len()).filter(|&k| same(&accesses.all[k])).collect();
        for phi in phis_below(layout, stored) {
            if self.taken.contains(&phi) || Some(phi.ty()) != access.ty {
                continue;
            }
            let Some(class) = class(layout, facts, phi, &self.taken) else { continue };
            let number = self.numbers + self.steps.len();
            let others: Vec<Touch> =
                webs.iter().flat_map(Web::touches).chain(self.steps.iter().flat_map(Steps::touches)).collect();
            if let Some((steps, _)) = settle(layout, facts, accesses, &class, (&lasts, number), None)
                && lives_alone(facts, accesses, &class, &steps, &others)?
            {
                self.add(steps);
                break;
            }
        }
        Ok(())
    }

    /// All other sums that a store is computed from, in cells of our own.
    fn in_own_cells(&mut self, last: usize, layout: &Layout, facts: &mut Facts, accesses: &Accesses) -> Raise<()> {
        let Action::Store(stored) = accesses.all[last].action else { return Ok(()) };
        for phi in phis_below(layout, stored) {
            if self.taken.contains(&phi) {
                continue;
            }
            let Some(class) = class(layout, facts, phi, &self.taken).filter(|c| c.is_sum(layout)) else {
                continue;
            };
            let number = self.numbers + self.steps.len();
            let array = accesses.arrays.len() + self.steps.iter().filter(|s| s.own.is_some()).count();
            if let Some((mut steps, place)) = settle(layout, facts, accesses, &class, (&[last], number), Some(array))
                && let Some(own) = own_array(layout, facts, phi, &steps.cell, place)?
            {
                steps.alignment = u32::try_from(own.0.bytes).unwrap_or(1);
                steps.own = Some(own);
                self.add(steps);
            }
        }
        Ok(())
    }

    fn add(&mut self, steps: Steps) {
        self.taken.extend(&steps.members);
        self.steps.push(steps);
    }
}

/// Phis that a value is computed from in registers, nearest first.
fn phis_below(layout: &Layout, value: Value) -> Vec<Value> {
    const FUEL: usize = 100;
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![value];
    while let Some(v) = open.pop() {
        if layout.region.is_outside(v) || seen.len() == FUEL || !seen.insert(v) {
            continue;
        }
        if v.opcode() == Some(Opcode::LLVMPHI) {
            out.push(v);
        } else if v.is_pure() || sets_one_errno(v).is_some() {
            open.extend(v.operands());
        }
    }
    out
}

/// All that phis connect with one. `None`: some of it leaves the region, is a counter or has been taken; or it is too much.
fn class(layout: &Layout, facts: &mut Facts, phi: Value, taken: &BTreeSet<Value>) -> Option<Class> {
    let region = layout.region;
    let mut class = Class::default();
    // What ends in the update of a value is what that held before.
    let ends_here = |o: &Value, v: Value| {
        let is_phi = o.opcode() == Some(Opcode::LLVMPHI) && o.ty() == v.ty() && !region.is_outside(*o);
        is_phi && o.users().into_iter().all(|u| u == v || u.opcode() == Some(Opcode::LLVMPHI))
    };
    let mut open = vec![phi];
    while let Some(p) = open.pop() {
        if !class.phis.insert(p) {
            continue;
        }
        let block = p.block().filter(|b| region.contains(*b))?;
        let domain = layout.domains.get(&block).cloned().unwrap_or_default();
        if taken.contains(&p) || is_index(facts, p, &domain) || class.phis.len() + class.updates.len() > MOST {
            return None;
        }
        for (v, from) in facts.analyses.incoming(p) {
            if region.is_outside(v) {
                if *class.inits.entry(from).or_insert(v) != v {
                    return None;
                }
            } else if v.opcode() == Some(Opcode::LLVMPHI) {
                open.push(v);
            } else if class.updates.insert(v) {
                open.extend(phis_using(v));
                open.extend(v.operands().into_iter().filter(|o| ends_here(o, v)));
            }
        }
        open.extend(phis_using(p));
    }
    Some(class)
}

fn phis_using(v: Value) -> Vec<Value> {
    v.users().into_iter().filter(|u| u.opcode() == Some(Opcode::LLVMPHI)).collect()
}

/// An array of our own for a phi and all that it is connected with, where they start in a block, and what has to hold of the parameters. `None`: a cell has no good size, or there are no loops around, or some loop has no
/// bound in the parameters.
fn own_array(
    layout: &Layout,
    facts: &Facts,
    phi: Value,
    cell: &[Poly],
    place: Block,
) -> Raise<Option<(ArrayShape, Vec<Poly>)>> {
    let ty = phi.ty();
    let scalar = ty.is_float() || ty.integer_bits().is_some();
    let bytes = facts.analyses.store_bytes(ty).filter(|b| scalar && b.is_power_of_two() && *b <= 8);
    match (bytes, layout.domains.get(&place)) {
        (Some(bytes), Some(domain)) if !cell.is_empty() => expand::shape(facts, phi, bytes, cell, domain),
        _ => Ok(None),
    }
}

/// The values of a class in one cell, that of the stores `lasts` or of an array of our own, which has this number; and the block where they start. `None`: it does not hold what is wanted.
fn settle(
    layout: &Layout,
    facts: &Facts,
    accesses: &Accesses,
    class: &Class,
    (lasts, number): (&[usize], usize),
    own: Option<usize>,
) -> Option<(Steps, Block)> {
    let analyses = facts.analyses;
    let access = accesses.all.get(*lasts.first()?)?;
    let at_end = |k: &usize| accesses.all.get(*k).and_then(|a| Some((a.instruction.block()?, a.position.clone())));
    let ends: Vec<(Block, Position)> = lasts.iter().map(at_end).collect::<Option<_>>()?;
    // Where it starts: before all of them.
    let defined = class.phis.iter().chain(&class.updates).map(|v| v.block());
    let blocks: Vec<Block> = defined.chain(class.inits.keys().map(|b| Some(*b))).collect::<Option<_>>()?;
    let (first, others) = ends.split_first()?;
    let all = blocks.iter().chain(others.iter().map(|(b, _)| b));
    let place = all.copied().try_fold(first.0, |a, b| common_dominator(analyses, a, b))?;
    let place = outside_of_loops(layout, analyses, place, &access.domain)?;
    let loaded = class.inits.values().find_map(|v| {
        let load = accesses.all.iter().find(|a| a.instruction == *v && a.action == Action::Load)?;
        let of_cell = load.array == access.array && load.subscripts == access.subscripts;
        (of_cell && class.inits.len() == 1 && load.domain.loops == access.domain.loops).then_some(load)
    });
    let loaded = loaded.filter(|_| own.is_none());
    let mut writes: Vec<Write> = Vec::new();
    let mut write = |value: Value, position: Position, block: Block| {
        let domain = layout.domains.get(&block)?.clone();
        // What data decide is no step.
        domain.conditions.is_empty().then(|| writes.push(Write { value, position, domain, block }))
    };
    for &v in &class.updates {
        write(v, layout.position(v, facts)?, v.block()?)?;
    }
    for (&from, &v) in class.inits.iter().filter(|_| loaded.is_none()) {
        write(v, layout.before_end_of(from, number, facts), from)?;
    }
    // Not in the order of their addresses, which differs from run to run.
    writes.sort_by(|a, b| a.position.beta.cmp(&b.position.beta));
    let first = writes.iter().filter(|w| w.block == place).map(|w| w.position.clone()).min_by_key(|p| p.beta.clone());
    let start = match loaded {
        Some(load) => load.position.clone(),
        None => first.unwrap_or_else(|| layout.before_end_of(place, number, facts)),
    };
    let mut steps = Steps {
        members: class.phis.iter().chain(&class.updates).copied().collect(),
        writes,
        lasts: Vec::new(),
        alignment: lasts.iter().map(|&k| accesses.all[k].alignment).min()?,
        ends,
        array: own.unwrap_or(access.array),
        cell: match own {
            None => access.subscripts.clone(),
            Some(_) => access.domain.loops.iter().map(|&l| Poly::symbol(Symbol::Iterator(l))).collect(),
        },
        own: None,
        last: access.instruction,
        begins: BTreeMap::new(),
        start,
    };
    let before = loaded.map(|load| load.instruction);
    steps.begins = walk(layout, analyses, class, &steps, place, before)?;
    // What is there already need not be stored again.
    let is_there =
        |w: &Write| class.inits.get(&w.block) == Some(&w.value) && steps.held(w.block, &w.position) == Some(w.value);
    let new: Vec<Write> = steps.writes.iter().filter(|w| !is_there(w)).cloned().collect();
    steps.writes = new;
    for (&k, (block, position)) in lasts.iter().zip(&steps.ends).filter(|_| own.is_none()) {
        let Action::Store(stored) = accesses.all[k].action else { return None };
        steps.lasts.push((k, steps.held(*block, position) == Some(stored)));
    }
    Some((steps, place))
}

/// The block, or what dominates it around the loops that the end is not in.
fn outside_of_loops(layout: &Layout, analyses: Analyses, mut block: Block, end: &Domain) -> Option<Block> {
    loop {
        let domain = layout.domains.get(&block)?;
        if domain.loops == end.loops {
            return Some(block);
        }
        if !domain.loops.starts_with(&end.loops) {
            return None;
        }
        block = analyses.idom(block)?;
    }
}

/// What the cell holds when each block begins between the place where it starts and the ends. `None`: some phi does not get what is held, or there is a way past all ends.
fn walk(
    layout: &Layout,
    analyses: Analyses,
    class: &Class,
    steps: &Steps,
    place: Block,
    before: Option<Value>,
) -> Option<BTreeMap<Block, Option<Value>>> {
    let region = layout.region;
    let around = region.innermost(analyses, place);
    // The blocks on the ways.
    let is_end = |b: Block| steps.ends.iter().any(|(end, _)| *end == b);
    let mut inside = BTreeSet::from([place]);
    let mut open = vec![place];
    while let Some(b) = open.pop() {
        if is_end(b) {
            continue;
        }
        for next in analyses.ways(b) {
            if !region.contains(next) || around.is_some_and(|l| l.header() == next) {
                return None;
            }
            if inside.insert(next) {
                open.push(next);
            }
        }
    }
    // Behind an end nothing of it comes any more, in this iteration.
    let begins_again = |b: Block| around.is_some_and(|l| l.header() == b);
    let goes_on = |(b, _): &(Block, Position)| {
        analyses.ways(*b).into_iter().any(|next| inside.contains(&next) && !begins_again(next))
    };
    let is_late = |w: &Write| steps.ends.iter().any(|(b, end)| *b == w.block && end.beta < w.position.beta);
    if steps.ends.iter().any(goes_on) || steps.writes.iter().any(is_late) {
        return None;
    }
    let mut begins: BTreeMap<Block, Option<Value>> = BTreeMap::from([(place, before)]);
    let ends = |begins: &BTreeMap<Block, Option<Value>>, b: Block| -> Option<Option<Value>> {
        let own = steps.writes.iter().filter(|w| w.block == b).max_by_key(|w| w.position.beta.clone());
        own.map_or_else(|| begins.get(&b).copied(), |w| Some(Some(w.value)))
    };
    let order = || region.blocks.iter().copied().filter(|b| *b != place && inside.contains(b));
    for b in order() {
        let held: Vec<Value> = b.phis().into_iter().filter(|p| class.phis.contains(p)).collect();
        let value = match held.as_slice() {
            [] => {
                // Back edges come later: what they bring is looked at below.
                let mut known = analyses.ways_to(b).into_iter().filter_map(|p| ends(&begins, p));
                let first = known.next()?;
                if known.all(|v| v == first) { first } else { None }
            }
            [phi] => Some(*phi),
            _ => return None,
        };
        begins.insert(b, value);
    }
    // All edges, once more.
    for b in order() {
        let phi = b.phis().into_iter().find(|p| class.phis.contains(p));
        let begin = *begins.get(&b)?;
        for from in analyses.ways_to(b) {
            let brought = ends(&begins, from)?;
            let wanted = match phi {
                Some(phi) => Some(phi.incoming().into_iter().find(|(_, p)| *p == from)?.0),
                None => begin,
            };
            if wanted.is_some() && brought != wanted {
                return None;
            }
        }
    }
    let is_inside = |v: &Value| v.block().is_some_and(|b| inside.contains(&b));
    let is_begun = class.phis.iter().all(|p| p.block() != Some(place));
    (is_begun && class.phis.iter().chain(&class.updates).all(is_inside)).then_some(begins)
}

/// Does nothing else touch the cell while they live there?
fn lives_alone(facts: &Facts, accesses: &Accesses, class: &Class, steps: &Steps, others: &[Touch]) -> Raise<bool> {
    let is_start = |v: Value| class.inits.values().any(|init| *init == v);
    for (last, _) in &steps.lasts {
        let last = &accesses.all[*last];
        let watch = Watch {
            array: steps.array,
            subscripts: &steps.cell,
            from: &steps.start,
            delay: 0,
            until: &last.position,
            domain: &last.domain,
        };
        for (k, a) in accesses.all.iter().enumerate() {
            let own = steps.lasts.iter().any(|(last, _)| *last == k) || is_start(a.instruction);
            if !own && disturbs(facts, &a.touch(), &watch)? {
                return Ok(false);
            }
        }
        for touch in others {
            if disturbs(facts, touch, &watch)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The nearest block that dominates both.
#[must_use]
pub fn common_dominator(analyses: Analyses, a: Block, b: Block) -> Option<Block> {
    let mut here = a;
    while !analyses.dominates(here, b) {
        here = analyses.idom(here)?;
    }
    Some(here)
}
