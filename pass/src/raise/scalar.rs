//! Array cells for values that travel in registers.
//!
//! LICM keeps a reduction in a phi: `s = C[i][j]; for k: s += A[i][k] * B[k][j]; C[i][j] = s`. As a virtual array `s[i][j]` that value would tie the loops together;
//! as accesses to the cell that it is stored to in the end it is the ordinary update that the user wrote.
//!
//! A *web* is a chain of header phis, one for each loop of a nest, each the start of the next; one update at the innermost loop; and the phis behind the loops
//! that hand the result on. It may live in the cell `c` of a store `F` if
//! * `F` is certain to run after the loops whenever they are reached, so that `c` is overwritten anyway;
//! * between the web's start and `F` no other access touches `c` (exact test over all instances).
//!
//! Then the start becomes a store to `c` (none, if the web starts with what `c` holds), the update an update of `c`, and `F` goes away if it stored just the
//! web's value.
//!
//! Where LICM could promote the load but not the store, every update is stored to `c` in the loop: the phi is then what `c` holds, if no other store hits `c`,
//! and so is the result behind the loops, until one does ([`super::statement`] looks). Another such web may start with that result: loops that are unrolled around
//! a sum leave a chain of them.
//!
//! Not every phi behind the loops is a result: one that hands on the value before the last update, or the start although the loops have run, is refused.

use super::accesses::{Access, Accesses, Action, Layout};
use super::domain;
use super::facts::{Domain, Facts};
use super::parts;
use super::poly::Poly;
use super::region::{Region, sets_one_errno};
use super::reject::{Raise, Reject, RejectKind};
use super::timing::{Position, Touch, Watch, disturbs};
use crate::llvm::Opcode;
use crate::llvm::{Analyses, Block, Loop, Value};
use std::collections::BTreeSet;

/// How a web's value gets to memory in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WebKind {
    /// By `F`, behind the loops, which stores just this value.
    Direct,
    /// By `F`, behind the loops, which stores something computed from it.
    Derived,
    /// By `F`, in every iteration, right after the update.
    InPlace,
}

/// A scalar that lives in an array cell.
#[derive(Clone, Debug)]
pub struct Web {
    /// Header phis, outermost loop first.
    pub phis: Vec<Value>,
    /// Their loops.
    pub loops: Vec<Loop>,
    /// What it starts with.
    pub init: Value,
    /// The new value computed in every iteration of the innermost loop.
    pub update: Value,
    /// Phis that hand the result on.
    pub after: BTreeSet<Value>,
    /// Index of the access `F`.
    pub last: usize,
    /// How the value gets to memory.
    pub kind: WebKind,
    /// Array of the cell.
    pub array: usize,
    /// The cell, over the loops around the web.
    pub cell: Vec<Poly>,
    /// When the web starts.
    pub start: Position,
    /// Where the start's instances are those of.
    pub start_domain: Domain,
    /// The block of the start.
    pub start_block: Block,
    /// Does the start need a store?
    pub stores_start: bool,
    /// In place: the stores of earlier webs whose result it starts with, so that memory has held its value since the first of them began.
    pub earlier: BTreeSet<usize>,
    /// When the update runs.
    pub update_position: Position,
    /// On which instances.
    pub update_domain: Domain,
    /// In which block.
    pub update_block: Block,
    /// Do data decide whether it runs?
    pub is_guarded: bool,
}

impl Web {
    /// The stores that it adds: start (if any) and update.
    #[must_use]
    pub fn touches(&self) -> Vec<Touch> {
        if self.kind == WebKind::InPlace {
            return Vec::new();
        }
        let touch = |position: &Position, domain: &Domain| Touch {
            position: position.clone(),
            domain: domain.clone(),
            array: self.array,
            subscripts: self.cell.clone(),
        };
        let mut out = vec![touch(&self.update_position, &self.update_domain)];
        if self.stores_start {
            out.push(touch(&self.start, &self.start_domain));
        }
        out
    }
}

/// Is it an induction variable or another value that scalar evolution describes?
pub(super) fn is_index(facts: &mut Facts, phi: Value, domain: &Domain) -> bool {
    phi.ty().integer_bits().is_some()
        && facts.analyses.scev(phi).is_some_and(|s| {
            s.recurrence_loop().is_some() && facts.translate(s, domain).is_ok_and(|t| !t.poly.has_triangle())
        })
}

/// Finds the webs of a region. Phis that are no web are left for [`super::statement`] to explain or refuse when somebody uses them.
///
/// # Errors
/// Budget, overflow.
pub fn webs(layout: &Layout, facts: &mut Facts, accesses: &Accesses) -> Raise<Vec<Web>> {
    let mut out: Vec<Web> = Vec::new();
    let mut taken: BTreeSet<Value> = BTreeSet::new();
    for &l in &layout.region.loops {
        let domain = layout.domains.get(&l.header()).cloned().unwrap_or_default();
        for phi in l.header().phis() {
            if taken.contains(&phi) || is_index(facts, phi, &domain) || phi.users().is_empty() {
                continue;
            }
            if let Some(web) = chain(layout, facts, l, phi).and_then(|c| c.settle(layout, facts, accesses, &out)) {
                taken.extend(&web.phis);
                out.push(web);
            }
        }
    }
    // Each web against the stores of the others and against every access of the program.
    let mut k = 0;
    while k < out.len() {
        let others: Vec<Touch> =
            out.iter().enumerate().filter(|(j, _)| *j != k).flat_map(|(_, w)| w.touches()).collect();
        if lives_alone(facts, accesses, &out[k], &others)? {
            k += 1;
        } else {
            let gone = out.remove(k);
            out.retain(|w| !w.earlier.contains(&gone.last));
            k = 0;
        }
    }
    Ok(out)
}

/// What the SSA graph says of a web, before a cell is found for it.
pub(super) struct Chain {
    pub(super) phis: Vec<Value>,
    pub(super) loops: Vec<Loop>,
    pub(super) init: Value,
    pub(super) update: Value,
    /// Where it takes the place of the old value if data decide whether it does.
    pub(super) guarded: Option<Block>,
    pub(super) after: BTreeSet<Value>,
}

/// What a header phi starts with, and what the iteration before brings.
#[must_use]
pub fn start_and_next(l: Loop, phi: Value) -> Option<(Value, Value)> {
    let incoming = phi.incoming();
    let latch = l.latch()?;
    let [(a, from_a), (b, from_b)] = incoming.as_slice() else { return None };
    match (*from_a == latch, *from_b == latch) {
        (false, true) => Some((*a, *b)),
        (true, false) => Some((*b, *a)),
        _ => None,
    }
}

/// The only value that can come into a phi. Two loads of one address with no write between them have one value: LLVM takes loads out of loops after it has looked for those that are alike.
#[must_use]
pub fn only_incoming(analyses: Analyses, phi: Value) -> Option<Value> {
    let mut all: Vec<Value> = analyses.incoming(phi).iter().map(|(v, _)| *v).filter(|v| *v != phi).collect();
    all.dedup();
    let (&first, others) = all.split_first()?;
    others.iter().all(|other| first == *other || are_one_load(first, *other)).then_some(first)
}

fn are_one_load(a: Value, b: Value) -> bool {
    let is_plain = |v: Value| v.opcode() == Some(Opcode::LLVMLoad) && v.is_simple_access();
    let (Some(block), true) = (a.block(), is_plain(a) && is_plain(b)) else { return false };
    if b.block() != Some(block) || a.ty() != b.ty() || a.operands() != b.operands() {
        return false;
    }
    let mut between = block.instructions().into_iter().skip_while(|v| *v != a && *v != b).skip(1);
    between.by_ref().take_while(|v| *v != a && *v != b).all(|v| !v.may_write())
}

/// The web that starts with this phi of a loop's header. `None`: it starts none.
pub(super) fn chain(layout: &Layout, facts: &Facts, outer: Loop, phi: Value) -> Option<Chain> {
    let analyses = facts.analyses;
    let region = layout.region;
    if only_incoming(analyses, phi).is_some() {
        return None;
    }
    let (init, _) = start_and_next(outer, phi)?;
    let (mut phis, mut loops) = (vec![phi], vec![outer]);
    let (mut is_joined, mut guarded) = (false, None);
    let update = loop {
        let (l, p) = (*loops.last()?, *phis.last()?);
        let (_, next) = start_and_next(l, p)?;
        // As it was, or updated under a condition.
        if let Some((update, at)) = updated_under_condition(layout, facts, l, p, next) {
            (is_joined, guarded) = (true, at);
            break update;
        }
        // What another scalar held before: a delay.
        if next.opcode() != Some(Opcode::LLVMPHI) || next.block() == Some(l.header()) {
            break next;
        }
        // The result of an inner loop that starts with this phi.
        let inner = p.users().into_iter().find_map(|u| {
            let header = u.block()?;
            let inner = region.loops.iter().copied().find(|x| x.header() == header && x.parent() == Some(l))?;
            let (start, _) = start_and_next(inner, u)?;
            (u.opcode() == Some(Opcode::LLVMPHI) && start == p).then_some((inner, u))
        })?;
        loops.push(inner.0);
        phis.push(inner.1);
    };
    let innermost = *loops.last()?;
    let update_block = update.block()?;
    if region.innermost(analyses, update_block) != Some(innermost)
        || !(is_joined || analyses.dominates(update_block, innermost.latch()?))
    {
        return None;
    }
    let after = handed_on(layout, facts, &phis, &loops, init)?;
    // A delay changes hands where the loop goes back. What is left behind the loop would have to do so once more.
    let is_delay = update.opcode() == Some(Opcode::LLVMPHI);
    if is_delay && !after.is_empty() && analyses.loop_exiting(innermost) != innermost.latch() {
        return None;
    }
    // An outer phi only feeds the inner one and the phis that hand on.
    for (k, p) in phis.iter().enumerate() {
        let (_, next) = start_and_next(loops[k], *p)?;
        if k + 1 < phis.len() && !after.contains(&next) {
            return None;
        }
        let is_last = k + 1 == phis.len();
        let inside = |u: &&Value| u.block().is_some_and(|b| region.contains(b));
        if !is_last && p.users().iter().filter(inside).any(|u| *u != phis[k + 1] && !after.contains(u)) {
            return None;
        }
    }
    Some(Chain { phis, loops, init, update, guarded, after })
}

/// The update, if `next` is the phi where the ways that update `p` and those that leave it alone meet again. Where counters decide which is taken, the statement that updates
/// the cell runs where its block does, and on all other instances the cell holds what it held. Where data decide, it runs in the block that is returned, too, from which the phi gets it: under conditions.
fn updated_under_condition(
    layout: &Layout,
    facts: &Facts,
    l: Loop,
    p: Value,
    next: Value,
) -> Option<(Value, Option<Block>)> {
    let (region, analyses) = (layout.region, facts.analyses);
    let join = next.block().filter(|b| next.opcode() == Some(Opcode::LLVMPHI) && *b != l.header())?;
    let updated: Vec<(Value, Block)> = analyses.incoming(next).into_iter().filter(|(v, _)| *v != p).collect();
    let [(update, from)] = updated[..] else { return None };
    let block = update.block().filter(|b| region.contains(*b))?;
    let in_loop = |b: Block| region.innermost(analyses, b) == Some(l);
    let is_way = from.successors()[..] == [join];
    if update.opcode() == Some(Opcode::LLVMPHI) || !(is_way && in_loop(join) && in_loop(block) && in_loop(from)) {
        return None;
    }
    // Where it is computed it is the new value.
    let (here, there) = (layout.domains.get(&block)?, layout.domains.get(&from)?);
    let by_counters = here == there && here.conditions.iter().all(|c| domain::is_inequality(c.value, c.truth));
    Some((update, (!by_counters).then_some(from)))
}

/// The phis behind the loops that hold the result, at each level: the last value where the loop of that level has run, else what it would have started with.
/// A phi that picks the start although the loop has run, or the value before the last update, is none of them.
fn handed_on(layout: &Layout, facts: &Facts, phis: &[Value], loops: &[Loop], init: Value) -> Option<BTreeSet<Value>> {
    let region = layout.region;
    let mut after: BTreeSet<Value> = BTreeSet::new();
    // Inner levels first: a level's last value is a result of the level inside it.
    for (k, &l) in loops.iter().enumerate().rev() {
        let around = if k == 0 { l.parent().filter(|p| region.loops.contains(p)) } else { Some(loops[k - 1]) };
        let start = if k == 0 { init } else { phis[k - 1] };
        let (_, end) = start_and_next(l, phis[k])?;
        // Where the loop has run, in the same iteration of what is around it.
        let mut ran: BTreeSet<Block> = BTreeSet::new();
        let mut stack = vec![facts.analyses.loop_exit(l)?];
        while let Some(b) = stack.pop() {
            if b == region.exit && around.is_none() {
                ran.insert(b);
            } else if region.contains(b) && around.is_none_or(|p| p.header() != b) && ran.insert(b) {
                stack.extend(facts.analyses.ways(b));
            }
        }
        let mut level: BTreeSet<Value> = BTreeSet::new();
        loop {
            let found = std::iter::once(end).chain(level.iter().copied()).flat_map(Value::users).find(|u| {
                let Some(b) = u.block() else { return false };
                u.opcode() == Some(Opcode::LLVMPHI)
                    && !level.contains(u)
                    && ran.contains(&b)
                    && region.innermost(facts.analyses, b) == around
                    && region.brought(*u).iter().all(|(v, from)| {
                        let last = *v == end && l.contains(*from);
                        let skipped = *v == start && !l.contains(*from) && !ran.contains(from);
                        last || skipped || level.contains(v)
                    })
            });
            match found {
                Some(u) => level.insert(u),
                None => break,
            };
        }
        after.extend(level);
    }
    Some(after)
}

impl Chain {
    /// Does computing `v` use the web's result, through operations on registers alone?
    fn reaches(&self, layout: &Layout, v: Value, fuel: &mut u32) -> bool {
        if self.after.contains(&v) {
            return true;
        }
        let joins = v.opcode() == Some(Opcode::LLVMPHI)
            && v.block().is_some_and(|b| layout.region.loops.iter().all(|l| l.header() != b));
        let computes = v.is_pure() || sets_one_errno(v).is_some() || joins;
        if *fuel == 0 || layout.region.is_outside(v) || !computes {
            return false;
        }
        *fuel -= 1;
        v.operands().into_iter().any(|o| self.reaches(layout, o, fuel))
    }

    /// Is the old value used by another scalar's update, behind its own, in the same iteration (`if (s < best) { best = s; place = k; }`)? Then its own may as well come last: in the block at whose end the
    /// iteration is over.
    fn needed_later(&self, layout: &Layout, facts: &Facts) -> Option<Block> {
        let (innermost, phi) = (*self.loops.last()?, *self.phis.last()?);
        let (latch, own) = (innermost.latch()?, layout.position(self.update, facts)?);
        let uses = |other: Value| {
            let (new, _) = other.incoming().into_iter().find(|(_, b)| *b == latch)?;
            let position = layout.position(new, facts)?;
            let later = position.loops == own.loops && position.beta > own.beta;
            Some(later && is_computed_from(new, phi, innermost, &mut 200))
        };
        let is_needed = innermost.header().phis().into_iter().any(|other| other != phi && uses(other) == Some(true));
        let same = layout.domains.get(&latch)? == layout.domains.get(&self.update.block()?)?;
        (is_needed && same).then_some(latch)
    }

    /// Where the value starts: before the loop, or before the branch that may pass it by.
    pub(super) fn place(&self, analyses: Analyses, region: &Region) -> Option<Block> {
        let outer = *self.loops.first()?;
        let preheader = outer.preheader()?;
        let mut place: Block = preheader;
        for a in &self.after {
            let b = a.block()?;
            if !outer.contains(b) && region.brought(*a).iter().any(|(v, _)| *v == self.init) {
                // What is behind the region may be reached past it.
                let branch = analyses.idom(b).filter(|d| region.contains(*d)).unwrap_or(region.entry);
                if !analyses.dominates(place, branch) {
                    place = branch;
                }
            }
        }
        analyses.dominates(place, preheader).then_some(place)
    }

    /// In which block the new value takes the place of the old one, and when; `k` of those that do so at the end of their blocks are known.
    pub(super) fn moment(&self, layout: &Layout, facts: &Facts, k: usize) -> Option<(Block, Position)> {
        let computed = self.update.block()?;
        match self.guarded {
            Some(block) if block != computed => Some((block, layout.before_end_of(block, k, facts))),
            _ => Some((computed, layout.position(self.update, facts)?)),
        }
    }

    fn settle(self, layout: &Layout, facts: &Facts, accesses: &Accesses, found: &[Web]) -> Option<Web> {
        let analyses = facts.analyses;
        let place = self.place(analyses, layout.region)?;
        let start_domain = layout.domains.get(&place)?.clone();
        if let Some(web) = self.settle_in_place(layout, facts, accesses, found) {
            return Some(web);
        }
        // The store that ends it.
        let (last, access) = accesses
            .all
            .iter()
            .enumerate()
            .filter(|(_, a)| match a.action {
                Action::Store(v) => {
                    a.domain.loops == start_domain.loops
                        && a.ty == Some(self.update.ty())
                        && self.reaches(layout, v, &mut 200)
                }
                _ => false,
            })
            .min_by_key(|(_, a)| a.position.beta.clone())?;
        let block = access.instruction.block()?;
        if !analyses.post_dominates(block, place) {
            return None;
        }
        let Action::Store(value) = access.action else { return None };
        let kind = if self.after.contains(&value) { WebKind::Direct } else { WebKind::Derived };
        // Webs that start in one block start one after the other.
        let mut start = layout.before_end_of(place, found.len(), facts);
        let loaded = accesses.all.iter().find(|a| a.instruction == self.init && a.action == Action::Load);
        let mut stores_start = true;
        if let Some(l) = loaded
            && l.array == access.array
            && l.subscripts == access.subscripts
            && l.position.loops == start.loops
        {
            stores_start = false;
            start = l.position.clone();
        }
        let (update_block, update_position) = self.moment(layout, facts, found.len())?;
        Some(Web {
            array: access.array,
            cell: access.subscripts.clone(),
            last,
            kind,
            start,
            start_domain,
            start_block: place,
            stores_start,
            earlier: BTreeSet::new(),
            update_position: match self.needed_later(layout, facts) {
                Some(latch) => layout.before_end_of(latch, found.len(), facts),
                None => update_position,
            },
            update_domain: layout.domains.get(&update_block)?.clone(),
            update_block,
            is_guarded: self.guarded.is_some(),
            phis: self.phis,
            loops: self.loops,
            init: self.init,
            update: self.update,
            after: self.after,
        })
    }
}

/// Does computing `v` use the other value, through operations of one iteration of the loop?
fn is_computed_from(v: Value, other: Value, l: Loop, fuel: &mut u32) -> bool {
    if v == other {
        return true;
    }
    let here = v.block().is_some_and(|b| l.contains(b));
    if *fuel == 0 || !here || !(v.is_pure() || v.opcode() == Some(Opcode::LLVMPHI) && v.block() != Some(l.header())) {
        return false;
    }
    *fuel -= 1;
    v.operands().into_iter().any(|o| is_computed_from(o, other, l, fuel))
}

impl Chain {
    /// A value that is in memory all the time: loaded before the loops, or the result of such a web before them, and stored in every iteration.
    fn settle_in_place(&self, layout: &Layout, facts: &Facts, accesses: &Accesses, found: &[Web]) -> Option<Web> {
        let analyses = facts.analyses;
        let (outer, innermost) = (*self.loops.first()?, *self.loops.last()?);
        let preheader = outer.preheader()?;
        let outside = layout.domains.get(&preheader)?;
        let with_update = |b: Block| match self.guarded {
            Some(block) => b == block,
            None => layout.region.runs_always(analyses, innermost, b),
        };
        let (last, store) =
            accesses.all.iter().enumerate().find(|(_, a)| {
                a.action == Action::Store(self.update) && a.instruction.block().is_some_and(with_update)
            })?;
        let store_block = store.instruction.block()?;
        // Where the cell got, or gave, the first value: on every way to the loops.
        let before = found.iter().find(|w| {
            w.kind == WebKind::InPlace
                && w.after.contains(&self.init)
                && w.array == store.array
                && w.cell == store.subscripts
                && w.update.ty() == self.update.ty()
                && w.start_domain.loops == outside.loops
                && analyses.dominates(w.start_block, preheader)
        });
        let web = |start: &Position, start_block: Block, earlier: BTreeSet<usize>| Web {
            array: store.array,
            cell: store.subscripts.clone(),
            last,
            kind: WebKind::InPlace,
            start: start.clone(),
            start_domain: outside.clone(),
            start_block,
            stores_start: false,
            earlier,
            update_position: store.position.clone(),
            update_domain: store.domain.clone(),
            update_block: store_block,
            is_guarded: self.guarded.is_some(),
            phis: self.phis.clone(),
            loops: self.loops.clone(),
            init: self.init,
            update: self.update,
            after: self.after.clone(),
        };
        if let Some(before) = before {
            let earlier = before.earlier.iter().copied().chain([before.last]).collect();
            return Some(web(&before.start, before.start_block, earlier));
        }
        let start = accesses
            .all
            .iter()
            .filter(|a| {
                let gives =
                    a.action == Action::Store(self.init) || (a.action == Action::Load && a.instruction == self.init);
                gives
                    && a.array == store.array
                    && a.subscripts == store.subscripts
                    && a.ty == store.ty
                    && a.position.loops == outside.loops
                    && a.instruction.block().is_some_and(|b| analyses.dominates(b, preheader))
            })
            .max_by_key(|a| a.position.beta.clone())?;
        Some(web(&start.position, start.instruction.block()?, BTreeSet::new()))
    }
}

/// Does nothing but the web touch its cell while it lives there?
fn lives_alone(facts: &Facts, accesses: &Accesses, web: &Web, others: &[Touch]) -> Raise<bool> {
    let last: &Access = &accesses.all[web.last];
    let watch = Watch {
        array: web.array,
        subscripts: &web.cell,
        from: &web.start,
        delay: 0,
        until: &last.position,
        domain: &last.domain,
    };
    for (k, a) in accesses.all.iter().enumerate() {
        // What is in memory all the time may be read by anybody.
        let matters = a.is_write() || web.kind != WebKind::InPlace;
        let own = k == web.last || web.earlier.contains(&k) || a.instruction == web.init;
        if !own && matters && disturbs(facts, &a.touch(), &watch)? {
            return Ok(false);
        }
    }
    for touch in others {
        if disturbs(facts, touch, &watch)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A value carried from earlier iterations that is also in memory: where.
#[derive(Clone, Debug)]
pub struct Carried {
    /// Loop whose header has the phi.
    pub l: Loop,
    /// Array of the cell.
    pub array: usize,
    /// Cell that held the value `delay` iterations ago, over that iteration's iterators.
    pub cell: Vec<Poly>,
    /// When it was loaded or stored, in that iteration.
    pub seen: Position,
    /// Iterations since.
    pub delay: i64,
    /// Values of the first `delay` iterations.
    pub inits: Vec<Value>,
    /// Alignment known of the access.
    pub alignment: u32,
}

/// What a header phi carries, if it is what a load loaded or a store stored in an earlier iteration.
///
/// # Errors
/// `Carried` with the reason.
pub fn carried(layout: &Layout, facts: &Facts, accesses: &Accesses, phi: Value) -> Raise<Carried> {
    let refuse = |what| Reject::new(RejectKind::Carried(what));
    let header = phi.block().ok_or_else(|| refuse("it has no place"))?;
    let l = layout
        .region
        .loops
        .iter()
        .copied()
        .find(|l| l.header() == header)
        .ok_or_else(|| refuse("it differs between the branches of a condition"))?;
    let (mut delay, mut inits, mut p) = (1i64, Vec::new(), phi);
    let next = loop {
        let (init, next) = start_and_next(l, p).ok_or_else(|| refuse("its loop has several entries"))?;
        inits.push(init);
        if next.opcode() == Some(Opcode::LLVMPHI) && next.block() == Some(header) && delay < parts::MOST_ITERATIONS {
            delay += 1;
            p = next;
        } else {
            break next;
        }
    };
    // Iteration 0 sees the phi's own start; iteration j that of the j-th phi of the chain. What an iteration sees ran in the one before, which was not the last.
    let before_going_back = |a: &&Access| {
        a.instruction.block().is_some_and(|b| {
            layout.region.innermost(facts.analyses, b) == Some(l)
                && l.latch().is_some_and(|latch| facts.analyses.dominates(b, latch))
        })
    };
    let access = accesses
        .all
        .iter()
        .filter(before_going_back)
        .find(|a| a.action == Action::Store(next) || (a.action == Action::Load && a.instruction == next))
        .ok_or_else(|| refuse("it is not in memory, and no array cell could be found to hold it"))?;
    Ok(Carried {
        l,
        array: access.array,
        cell: access.subscripts.clone(),
        seen: access.position.clone(),
        delay,
        inits,
        alignment: access.alignment,
    })
}
