//! Regions: runs of code with one way in and one way out that hold loops and nothing that we cannot model.
//!
//! A function (and the body of every loop that is not itself part of a region) is walked along its *spine*: from a block to the block that all paths from it reach
//! next (a loop counts as one step). Between two spine blocks lies a segment. Maximal runs of segments that look harmless, with at least one loop among them, are
//! candidates; a candidate that cannot be raised is cut into its single nests, and what still cannot be raised is entered.
//!
//! *Side exits*, edges to where the function does not return from (a failed check of a subscript), are no part of a region: they are left out of the walk, of
//! post-dominators and of the ways out of a loop. That none of them is taken is known before the new code runs ([`super::side_exit`]).

use super::locals::Locals;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::Opcode;
use crate::llvm::{Analyses, Block, Loop, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Loops that we made, or that guard what we made, carry this property: they are not raised again.
pub const DONE_PROPERTY: &str = "loopwright.done";

/// Most instructions of a region.
const MOST_INSTRUCTIONS: usize = 4_000;

/// Most loops of a run.
const MOST_LOOPS: usize = 40;

/// Loops behind more conditions than this are left alone.
const MOST_CONDITIONS: usize = 200;

/// Branches inside branches are walked this deep.
const DEEPEST_BRANCH: u32 = 16;

/// What a user can say about a loop that must still hold afterwards.
const PRAGMAS: &[&str] = &[
    "llvm.loop.vectorize.enable",
    "llvm.loop.vectorize.width",
    "llvm.loop.interleave.count",
    "llvm.loop.unroll.disable",
    "llvm.loop.unroll.enable",
    "llvm.loop.unroll.full",
    "llvm.loop.unroll.count",
    "llvm.loop.unroll_and_jam.enable",
    "llvm.loop.unroll_and_jam.count",
    "llvm.loop.unroll_and_jam.disable",
    "llvm.loop.distribute.enable",
    "llvm.loop.pipeline.disable",
];

/// Code from the end of `entry` up to the start of `exit`, without what side exits lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its instructions run before the region; its terminator belongs to it.
    pub entry: Block,
    /// The first block after it.
    pub exit: Block,
    /// Blocks strictly inside, in an order in which every block comes after those that reach it without a back edge.
    pub blocks: Vec<Block>,
    /// Loops inside, outer before inner, in program order.
    pub loops: Vec<Loop>,
}

impl Region {
    /// Is the block inside?
    #[must_use]
    pub fn contains(&self, b: Block) -> bool {
        self.blocks.contains(&b)
    }

    /// Its loops that stand in no other one of it.
    pub fn tops(&self) -> impl Iterator<Item = Loop> + '_ {
        let is_top = |l: &Loop| !self.loops.iter().any(|outer| outer != l && outer.contains_loop(*l));
        self.loops.iter().copied().filter(is_top)
    }

    /// What a phi of the region, or of the block behind it, gets from the region's blocks (the entry among them), and from which.
    #[must_use]
    pub fn brought(&self, phi: Value) -> Vec<(Value, Block)> {
        phi.incoming().into_iter().filter(|(_, from)| *from == self.entry || self.contains(*from)).collect()
    }

    /// Is it a phi of the block behind the region?
    #[must_use]
    pub fn is_behind(&self, v: Value) -> bool {
        v.opcode() == Some(Opcode::LLVMPHI) && v.block() == Some(self.exit)
    }

    /// Is the value computed before the region?
    #[must_use]
    pub fn is_outside(&self, v: Value) -> bool {
        v.block().is_none_or(|b| !self.contains(b))
    }

    /// The innermost loop of the region around a block.
    #[must_use]
    pub fn innermost(&self, analyses: Analyses, b: Block) -> Option<Loop> {
        analyses.loop_for(b).filter(|l| self.loops.contains(l))
    }

    /// Does the block run in every iteration of a loop of the region, the last one included, and in no inner loop? What comes behind an exit in the middle does not.
    #[must_use]
    pub fn runs_always(&self, analyses: Analyses, l: Loop, b: Block) -> bool {
        self.innermost(analyses, b) == Some(l) && analyses.loop_exiting(l).is_some_and(|e| analyses.dominates(b, e))
    }

    /// Collects the blocks between two blocks and checks the control flow.
    ///
    /// # Errors
    /// Cycles that are no loops of the supported form, other terminators than branches, another way out.
    pub fn between(analyses: Analyses, entry: Block, exit: Block) -> Raise<Self> {
        let mut order = Vec::new();
        let mut seen = BTreeSet::from([entry, exit]);
        // Depth first, iteratively; reverse post-order. What a loop ends with comes after all of the loop: it is visited first.
        let ways = |b: Block| {
            let mut all = analyses.ways(b);
            all.sort_by_key(|&to| analyses.loop_for(b).is_none_or(|l| !l.contains(to)));
            all
        };
        let mut stack: Vec<(Block, Vec<Block>)> = vec![(entry, ways(entry))];
        while let Some((b, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) => {
                    if seen.insert(next) {
                        stack.push((next, ways(next)));
                    }
                }
                None => {
                    if *b != entry {
                        order.push(*b);
                    }
                    stack.pop();
                }
            }
        }
        order.reverse();
        let places: BTreeMap<Block, usize> = order.iter().enumerate().map(|(i, &b)| (b, i)).collect();
        let place = |b: Block| places.get(&b).copied();
        let mut loops: Vec<Loop> = Vec::new();
        for &b in &order {
            if !analyses.dominates(entry, b) {
                return Err(Reject::new(RejectKind::ControlFlow("the nest has several entries")).at(b));
            }
            let Some(t) = b.terminator() else { return Err(RejectKind::ControlFlow("a block without end").into()) };
            if !t.is_plain_branch() && t.conditional_branch().is_none() {
                return Err(
                    Reject::new(RejectKind::ControlFlow("a switch, return, or call that may not come back")).at(b)
                );
            }
            if let Some(l) = analyses.loop_for(b)
                && l.header() == b
                && l.contains(b)
                && !l.contains(entry)
            {
                check_loop_form(analyses, l)?;
                loops.push(l);
            }
            for next in analyses.ways(b) {
                if let (Some(from), Some(to)) = (place(b), place(next))
                    && to <= from
                    && !loops.iter().any(|l| l.header() == next && l.latch() == Some(b))
                {
                    return Err(Reject::new(RejectKind::ControlFlow("a cycle that is not a loop")).at(b));
                }
                if next == entry {
                    return Err(Reject::new(RejectKind::ControlFlow("a cycle through the start of the nest")).at(b));
                }
            }
        }
        let region = Self { entry, exit, blocks: order, loops };
        for l in &region.loops {
            let whole =
                [l.preheader(), l.latch()].into_iter().all(|b| b.is_some_and(|b| b == entry || region.contains(b)));
            if !whole {
                return Err(Reject::new(RejectKind::LoopForm("the loop is only partly inside the nest")).of(*l));
            }
        }
        Ok(region)
    }
}

/// Loops with too many conditions above them. To count the iterations of a loop LLVM asks of every condition above it whether it guards the loop, and each answer may
/// ask of all conditions above that one: where thousands of loops stand one after the other, this takes time with the cube of their number.
#[must_use]
pub fn behind_too_much(analyses: Analyses) -> BTreeMap<Loop, Reject> {
    let mut above: BTreeMap<Block, usize> = BTreeMap::new();
    let mut out = BTreeMap::new();
    for b in Block::all(analyses.function()) {
        let mut chain = vec![b];
        let mut conditions = 0;
        while let Some(next) = chain.last().and_then(|&last| analyses.idom(last)) {
            if let Some(&known) = above.get(&next) {
                conditions = known + usize::from(is_condition(next));
                break;
            }
            chain.push(next);
        }
        for &b in chain.iter().rev() {
            above.insert(b, conditions);
            conditions += usize::from(is_condition(b));
        }
        if let Some(l) = analyses.loop_for(b)
            && l.header() == b
            && above.get(&b).is_some_and(|&n| n > MOST_CONDITIONS)
        {
            out.insert(l, Reject::new(RejectKind::TooLarge("conditions in front of the loop")).of(l));
        }
    }
    out
}

fn is_condition(b: Block) -> bool {
    b.terminator().is_some_and(|t| t.conditional_branch().is_some())
}

fn check_loop_form(analyses: Analyses, l: Loop) -> Raise<()> {
    let bad = |what| Err(Reject::new(RejectKind::LoopForm(what)).of(l));
    if l.has_property(DONE_PROPERTY) {
        return Err(Reject::new(RejectKind::Forbidden("already transformed by loopwright")).of(l));
    }
    if l.has_property("llvm.loop.disable_nonforced") {
        return Err(Reject::new(RejectKind::Forbidden("the source forbids transforming this loop")).of(l));
    }
    if PRAGMAS.iter().any(|p| l.has_property(p) || l.property_is_false(p)) {
        return Err(Reject::new(RejectKind::Forbidden("the source forbids transforming this loop by a pragma")).of(l));
    }
    let leaves = |b: &Block| l.contains(*b) && analyses.ways(*b).iter().any(|s| !l.contains(*s));
    let exiting = analyses.loop_exiting(l);
    if exiting.is_none() && !Block::all(analyses.function()).iter().any(leaves) {
        return bad("it has no exit");
    }
    if l.preheader().is_none() {
        return bad("it has no preheader");
    }
    let Some(latch) = l.latch() else { return bad("it has several back edges") };
    let Some(exiting) = exiting else { return bad("it has several exits") };
    if analyses.loop_exit(l).is_none() {
        return bad("it has several exits");
    }
    // What comes behind the exit runs once less than the rest, if it always comes.
    if analyses.loop_for(exiting) != Some(l) || !analyses.dominates(exiting, latch) {
        return bad("its exit is not on all ways through it");
    }
    Ok(())
}

/// Mathematical functions that set `errno`, if at all, always to the same value: whatever the order of their calls, it ends the same.
const ONE_ERRNO: &[&str] =
    &["sqrt", "sqrtf", "exp", "expf", "exp2", "exp2f", "sin", "sinf", "cos", "cosf", "acos", "acosf", "asin", "asinf"];

/// The function, if the instruction calls one that sets `errno`, if at all, always to the same value.
#[must_use]
pub fn sets_one_errno(v: Value) -> Option<String> {
    v.errno_function().filter(|name| ONE_ERRNO.contains(&name.as_str()))
}

/// A quick look at one instruction: could raising model it at all?
///
/// # Errors
/// What stands against it.
pub fn check_instruction(v: Value) -> Raise<()> {
    let reject = |kind| Err(v.block().map_or(Reject::new(RejectKind::NoStore), |b| Reject::new(kind).at(b)));
    match v.opcode() {
        Some(Opcode::LLVMPHI | Opcode::LLVMBr) => Ok(()),
        Some(Opcode::LLVMLoad | Opcode::LLVMStore) => {
            if v.is_simple_access() {
                Ok(())
            } else {
                reject(RejectKind::VolatileOrAtomic)
            }
        }
        Some(Opcode::LLVMCall) => {
            // LLVM makes vectors of such calls that it dies of, where they are not moved out of the loop.
            let of_flags = || v.intrinsic_name().is_some_and(|n| n.contains(".with.overflow"));
            if v.is_pure() && v.ty().is_struct() && !of_flags() {
                return reject(RejectKind::ElementType(v.ty().text()));
            }
            if v.is_marker() || v.lifetime_of().is_some() || v.is_pure() || sets_one_errno(v).is_some() {
                return Ok(());
            }
            if v.memory_intrinsic().is_some() {
                return if v.is_simple_access() { Ok(()) } else { reject(RejectKind::VolatileOrAtomic) };
            }
            let what = v.intrinsic_name().map_or_else(|| "a function call".to_owned(), |n| format!("a call of {n}"));
            reject(RejectKind::Effect(what))
        }
        Some(_) if v.is_terminator() || v.is_pure() => Ok(()),
        Some(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence) => {
            reject(RejectKind::VolatileOrAtomic)
        }
        _ => reject(RejectKind::Effect("an instruction with side effects".into())),
    }
}

/// What the walk over a function finds: candidates, and loops that are refused at sight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Candidate {
    /// Worth raising.
    Region(Region),
    /// Refused.
    Refused(Loop, Reject),
}

/// Where on a spine to walk.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// First block.
    pub start: Block,
    /// The loop whose body it is; `None` for the function.
    pub inside: Option<Loop>,
}

/// The child loop of `inside` that is entered from the end of this block, if the block does nothing but enter it.
fn loop_entered(analyses: Analyses, b: Block, inside: Option<Loop>) -> Option<Loop> {
    let [next] = b.successors()[..] else { return None };
    let l = analyses.loop_for(next)?;
    (l.header() == next && l.parent() == inside && !l.contains(b)).then_some(l)
}

/// The next spine block after `b`.
fn step(analyses: Analyses, b: Block, inside: Option<Loop>) -> Option<Block> {
    let next = match loop_entered(analyses, b, inside) {
        Some(l) => analyses.loop_exit(l)?,
        None => analyses.ipdom(b)?,
    };
    let same_level = analyses.loop_for(next) == inside;
    let back = inside.is_some_and(|l| next == l.header());
    (same_level && !back).then_some(next)
}

/// Walks the spine from a place. Finds the maximal runs of segments that pass the quick look and contain a loop, and for each loop at this level that is in none of
/// them why. Where a segment does not pass, the arms of its branch are walked for themselves.
#[must_use]
pub fn candidates(analyses: Analyses, place: Place, refused: &BTreeMap<Loop, Reject>) -> Vec<Candidate> {
    let mut walk = Walk { analyses, inside: place.inside, refused, out: Vec::new() };
    walk.spine(place.start, None, 0);
    walk.out
}

struct Walk<'r> {
    analyses: Analyses,
    inside: Option<Loop>,
    refused: &'r BTreeMap<Loop, Reject>,
    out: Vec<Candidate>,
}

impl Walk<'_> {
    fn good(&self, from: Block, to: Block) -> Raise<Region> {
        let r = Region::between(self.analyses, from, to)?;
        match r.loops.iter().find_map(|l| self.refused.get(l)) {
            Some(reject) => Err(reject.clone()),
            None => check_blocks(self.analyses, &r).map(|()| r),
        }
    }

    /// From a block up to another one, or to the end of the level.
    fn spine(&mut self, start: Block, limit: Option<Block>, depth: u32) {
        let mut here = Some(start);
        while let Some(start) = here.filter(|&b| Some(b) != limit) {
            // The longest run of good segments from here.
            let mut end: Option<Region> = None;
            let mut cursor = start;
            while let Some(next) = step(self.analyses, cursor, self.inside) {
                // A run starts with a loop.
                let segment = self.good(cursor, next);
                if segment.is_err() || (cursor == start && segment.is_ok_and(|s| s.loops.is_empty())) {
                    break;
                }
                let Ok(run) = self.good(start, next) else { break };
                let longer = run.loops.len() > end.as_ref().map_or(0, |e| e.loops.len());
                if longer && Locals::of(&run).is_ok() {
                    end = Some(run);
                }
                cursor = next;
                if Some(next) == limit || end.as_ref().is_some_and(|e| e.loops.len() >= MOST_LOOPS) {
                    break;
                }
            }
            if let Some(region) = end {
                here = Some(region.exit);
                self.out.push(Candidate::Region(region));
                continue;
            }
            let next = step(self.analyses, start, self.inside);
            match loop_entered(self.analyses, start, self.inside) {
                Some(l) => self.refuse(l),
                None if depth < DEEPEST_BRANCH => {
                    for arm in self.analyses.ways(start) {
                        if Some(arm) != next
                            && self.analyses.loop_for(arm) == self.inside
                            && arm.predecessors().len() == 1
                        {
                            self.spine(arm, next.or(limit), depth + 1);
                        }
                    }
                }
                None => {}
            }
            here = next;
        }
    }

    fn refuse(&mut self, l: Loop) {
        let reject = match (self.refused.get(&l), l.preheader(), self.analyses.loop_exit(l)) {
            (Some(known), _, _) => Some(known.clone()),
            (None, Some(p), Some(e)) => {
                let region = Region::between(self.analyses, p, e);
                region.and_then(|r| check_blocks(self.analyses, &r).and_then(|()| Locals::of(&r).map(|_| ()))).err()
            }
            _ => check_loop_form(self.analyses, l).err(),
        };
        let reject =
            reject.unwrap_or_else(|| Reject::new(RejectKind::ControlFlow("branches around it are not supported")));
        self.out.push(Candidate::Refused(l, reject));
    }
}

fn check_blocks(analyses: Analyses, region: &Region) -> Raise<()> {
    let mut count = 0;
    for &b in &region.blocks {
        for v in b.instructions() {
            count += 1;
            if count > MOST_INSTRUCTIONS {
                return Err(Reject::new(RejectKind::TooLarge("instructions in the nest")).at(b));
            }
            check_instruction(v)?;
            if v.may_be_distributed() && analyses.fuses(v.ty()) != Some(false) {
                let why = "where there are no infinities LLVM may make a product with a sum with one one operation";
                return Err(Reject::new(RejectKind::Forbidden(why)).at(b));
            }
            // How often LLVM will unroll the loop decides how the program rounds, and nobody knows that here.
            if v.carries_a_product() && analyses.fuses(v.ty()) != Some(false) {
                let what = "it is a product, which LLVM makes one operation with a sum where it unrolls the loop";
                return Err(Reject::new(RejectKind::Carried(what)).at(b));
            }
        }
    }
    Ok(())
}
