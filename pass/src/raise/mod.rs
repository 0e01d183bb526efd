//! From LLVM IR to static control parts.
//!
//! [`region`] finds candidates in the control flow, [`domain`] gives every block its affine domain ([`trip`] counts what LLVM cannot), [`side_exit`] sees that checks in the code do not fail, [`looks`] asks numbers in memory before the region, for [`factors`] and [`magnitudes`],
//! [`shape`] recovers array dimensions, [`timing`] decides whether loaded values are still current, [`scalar`] finds array cells for values that travel in phis,
//! [`expand`] memory for others, [`costly`] for values that cost much and are used much, [`leaving`] for values that are wanted behind the region, [`units`] guesses which strides are 1, [`statement`] turns each store into a statement with its operations, [`parts`] cuts it where instances differ in where a value comes from, [`pieces`] where they differ in how an address is computed, [`assemble`] puts it all together, [`alike`] makes one
//! statement of several that are parts of one operation, [`groups`] takes several terms of sums of narrow integers at once, [`rounding`] refuses what LLVM may still round otherwise. What is refused comes back as a [`reject::Reject`].

pub mod accesses;
pub mod ahead;
pub mod alike;
pub mod always;
pub mod assemble;
pub mod blend;
pub mod body;
pub mod bounds;
pub mod costly;
pub mod crossing;
pub mod division;
pub mod domain;
pub mod expand;
pub mod factors;
pub mod facts;
pub mod formula;
pub mod groups;
pub mod indirect;
pub mod least;
pub mod leaving;
pub mod locals;
pub mod looks;
pub mod magnitudes;
pub mod opposite;
pub mod parts;
pub mod pieces;
pub mod poly;
pub mod print;
pub mod private;
pub mod region;
pub mod reject;
pub mod relaid;
pub mod rounding;
pub mod rows;
pub mod scalar;
pub mod shape;
pub mod side_exit;
pub mod statement;
pub mod steps;
pub mod timing;
pub mod trip;
pub mod union;
pub mod units;
pub mod unrolled;
pub mod weight;
pub mod window;

use crate::llvm::{Analyses, Block, Loop, Opcode, Type, Value};
use crate::options::Options;
use body::Body;
use facts::{Hoisted, Param};
use locals::Locals;
use poly::Poly;
use polyhedra::{Affine, Budget};
use region::{Candidate, Place, Region};
use scheduler::scop::{ArrayId, Scop};
use shape::Rows;
use std::collections::{BTreeMap, BTreeSet};

/// An array of a region, as LLVM knows it.
#[derive(Clone, Debug)]
pub struct ArrayData {
    /// Pointer to the start; computed before the region, or loaded by a hoisted load. Of memory of our own: the phi that it stands for.
    pub base: Value,
    /// Type of a cell.
    pub element: Type,
    /// Bytes of a cell.
    pub bytes: u64,
    /// Bytes between neighbours in every dimension (in every one within a row), outermost first, polynomials in the parameters; the last is `bytes`.
    pub strides: Vec<Poly>,
    /// How its rows lie one behind the other.
    pub rows: Rows,
    /// Memory of our own ([`expand`]), allocated before the new code and given back behind it.
    pub own: bool,
    /// Rows that lie anywhere: the first subscript is the number of the row, the strides are those of the others, `base` is that of the table.
    pub table: Option<rows::Table>,
}

impl ArrayData {
    /// May its cells lie in the object that this address leads to?
    #[must_use]
    pub fn may_reach(&self, analyses: Analyses, base: Value) -> bool {
        !self.own && (self.table.is_some() || !analyses.no_alias(self.base, base))
    }

    /// Number of subscripts.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.strides.len() + usize::from(self.table.is_some())
    }
}

/// What has to hold at run time for the static control part to be the program.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Affine forms over `[1 | N]` that must be `>= 0`.
    pub assumptions: Vec<Affine>,
    /// Polynomials in the parameters that must be `>= 0`.
    pub products: Vec<Poly>,
    /// Alternatives: the polynomials of one of the lists must all be `>= 0`.
    pub either: Vec<Vec<Vec<Poly>>>,
    /// What must hold of arrays of rows.
    pub rows: Vec<rows::Rows>,
    /// Pairs of arrays (indices) whose footprints must not overlap.
    pub pairs: Vec<(usize, usize)>,
    /// Hoisted loads and arrays (indices): the array must not reach the cell that is loaded from.
    pub cells: Vec<(usize, usize)>,
    /// Those of them to be checked before anything is read with what was loaded.
    pub ahead: ahead::Ahead,
    /// Indices that lead to memory which must not meet some arrays.
    pub inspections: Vec<indirect::Inspection>,
    /// Products that must be exact, because nobody knows whether LLVM makes one operation of them and their sums.
    pub exact: Vec<rounding::Exact>,
    /// What must be answered of cells wherever the program asks.
    pub looks: Vec<looks::Look>,
    /// Numbers that must not be too large.
    pub magnitudes: Vec<magnitudes::Bounded>,
    /// Arrays with symbolic strides: their offsets must stay within plus or minus 2^62 bytes.
    pub bounded: Vec<usize>,
}

/// A region and its model.
#[derive(Clone, Debug)]
pub struct Raised {
    /// The region of the IR.
    pub region: Region,
    /// The model.
    pub scop: Scop,
    /// For each parameter of the model the value that it is.
    pub params: Vec<Param>,
    /// Loads of the region that are made before it.
    pub hoisted: Vec<Hoisted>,
    /// For each array of the model what it is in LLVM.
    pub arrays: Vec<ArrayData>,
    /// For each statement of the model what it computes.
    pub bodies: Vec<Body>,
    /// To be checked at run time (ranges of parameters are with the parameters).
    pub checks: Checks,
    /// Phis of the region's exit and the value that the region brings them.
    pub exit_values: Vec<(Value, leaving::Brought)>,
    /// Arrays on the stack whose lifetimes start or end in the region.
    pub locals: Locals,
    /// Are there loops that the IR has not, because it had too many statements without?
    pub unrolled: bool,
    /// Is an innermost loop modelled as two, for remainders of its counter (`c[i / 2]`)? What the source takes is hard to say there.
    pub by_remainders: bool,
}

impl Raised {
    /// The pairs of arrays that may meet as far as LLVM knows.
    #[must_use]
    pub fn arrays_to_tell_apart(&self) -> Vec<(ArrayId, ArrayId)> {
        self.checks.pairs.iter().map(|&(a, b)| (ArrayId(a), ArrayId(b))).collect()
    }

    /// The arrays that nobody reads behind the region: of our own, but for those that hold what leaves it.
    #[must_use]
    pub fn dying(&self) -> BTreeSet<ArrayId> {
        let leaves = |k: usize| self.exit_values.iter().any(|(_, brought)| *brought == leaving::Brought::Cell(k));
        (0..self.arrays.len()).filter(|&k| self.arrays[k].own && !leaves(k)).map(ArrayId).collect()
    }
}

/// What became of a nest.
pub enum Found {
    /// It has a model.
    Raised(Box<Raised>),
    /// It was refused.
    Refused(Loop, reject::Reject),
}

/// The loops at a place of which nothing is known yet.
fn rest(
    analyses: Analyses,
    place: Place,
    refused: &BTreeMap<Loop, reject::Reject>,
    done: &BTreeSet<Loop>,
) -> Vec<Loop> {
    let regions = region::candidates(analyses, place, refused);
    let loops = regions.into_iter().flat_map(|candidate| match candidate {
        Candidate::Region(region) => region.loops,
        Candidate::Refused(..) => Vec::new(),
    });
    loops.filter(|l| l.parent() == place.inside && !done.contains(l)).collect()
}

/// Finds and models all regions of a function. Loops that are refused are entered: nests inside them may do.
#[must_use]
pub fn find(analyses: Analyses, options: &Options, budget: &Budget) -> Vec<Found> {
    let Some(start) = Block::all(analyses.function()).first().copied() else { return Vec::new() };
    find_from(analyses, Place { start, inside: None }, options, budget)
}

/// Regions behind conditions on data in the loops of a region, in which none is left of these conditions. What they decide for all of such a region keeps the whole from anything that moves stores.
#[must_use]
pub fn behind_conditions(analyses: Analyses, raised: &Raised, options: &Options, budget: &Budget) -> Vec<Raised> {
    if !raised.bodies.iter().any(body::Body::is_conditional) {
        return Vec::new();
    }
    let region = &raised.region;
    let mut found: Vec<Raised> = Vec::new();
    for &start in &region.blocks {
        let Some(inside) = region.innermost(analyses, start) else { continue };
        let is_here = |b: Block| region.innermost(analyses, b) == Some(inside);
        let is_decided = matches!(start.predecessors().as_slice(), [p] if is_here(*p) && analyses.ways(*p).len() > 1);
        let mut behind =
            region.loops.iter().filter(|l| l.parent() == Some(inside) && analyses.dominates(start, l.header()));
        if !is_decided || behind.all(|l| found.iter().any(|r| r.region.loops.contains(l))) {
            continue;
        }
        let new = find_from(analyses, Place { start, inside: Some(inside) }, options, budget);
        let new = all_raised(new).into_iter().filter(|r| !r.bodies.iter().any(body::Body::is_conditional));
        let is_new = |r: &Raised| !r.region.loops.iter().any(|l| found.iter().any(|f| f.region.loops.contains(l)));
        let new: Vec<Raised> = new.filter(is_new).collect();
        found.extend(new);
    }
    all_raised(independent(found.into_iter().map(|r| Found::Raised(Box::new(r))).collect()))
}

fn all_raised(found: Vec<Found>) -> Vec<Raised> {
    found.into_iter().filter_map(|f| if let Found::Raised(r) = f { Some(*r) } else { None }).collect()
}

/// The same of a place.
fn find_from(analyses: Analyses, place: Place, options: &Options, budget: &Budget) -> Vec<Found> {
    let mut out = Vec::new();
    let too_far = region::behind_too_much(analyses);
    let mut places = vec![place];
    while let Some(place) = places.pop() {
        // Refusals so far: a region that cannot be raised is cut at the loops to blame.
        let mut refused = too_far.clone();
        let mut done: BTreeSet<Loop> = BTreeSet::new();
        let mut raised: Vec<Raised> = Vec::new();
        'again: loop {
            for candidate in region::candidates(analyses, place, &refused) {
                let Candidate::Region(region) = candidate else { continue };
                let tops: Vec<Loop> = region.loops.iter().copied().filter(|l| l.parent() == place.inside).collect();
                if tops.iter().any(|l| done.contains(l)) {
                    continue;
                }
                match assemble::raise(analyses, &region, options, budget) {
                    Ok(r) => {
                        for &l in &tops {
                            done.insert(l);
                        }
                        raised.push(r);
                    }
                    // Nothing more can be found out about any loop here.
                    Err(reject) if budget.left() == 0 => {
                        for l in rest(analyses, place, &refused, &done) {
                            refused.insert(l, reject.clone());
                        }
                        break 'again;
                    }
                    Err(reject) => {
                        // What follows looks at all the loops of this place again.
                        let _ = budget.spend(tops.len() as u64);
                        let blamed = tops.iter().copied().find(|t| {
                            reject.at_loop.is_some_and(|l| t.contains_loop(l))
                                || reject.at_block.is_some_and(|b| t.contains(b))
                        });
                        match blamed {
                            Some(l) => {
                                // What is loaded under the condition around it is there before the loop.
                                if is_about_numbers(&reject)
                                    && l.preheader().is_some_and(|p| region.contains(p))
                                    && let Ok(r) = raise_alone(analyses, l, options, budget)
                                {
                                    done.insert(l);
                                    raised.push(r);
                                }
                                refused.insert(l, reject);
                            }
                            // What stands between the loops is to blame: each loop for itself.
                            None => {
                                for &l in &tops {
                                    match raise_alone(analyses, l, options, budget) {
                                        Ok(r) => {
                                            done.insert(l);
                                            raised.push(r);
                                        }
                                        Err(own) => {
                                            refused.insert(l, own);
                                        }
                                    }
                                }
                            }
                        }
                        continue 'again;
                    }
                }
            }
            break;
        }
        for candidate in region::candidates(analyses, place, &refused) {
            if let Candidate::Refused(l, reject) = candidate
                && !done.contains(&l)
            {
                // Inside loops that are too far behind there are only such.
                let enter = !too_far.contains_key(&l) && !matches!(reject.kind, reject::RejectKind::Forbidden(_));
                if enter && !l.is_innermost() {
                    places.push(Place { start: l.header(), inside: Some(l) });
                }
                out.push(Found::Refused(l, reject));
            }
        }
        out.extend(raised.into_iter().map(|r| Found::Raised(Box::new(r))));
    }
    independent(out)
}

/// Is a number not known that may be known elsewhere?
fn is_about_numbers(reject: &reject::Reject) -> bool {
    use reject::RejectKind as K;
    matches!(reject.kind, K::NonAffineAccess(_) | K::NonAffineBound(_) | K::NonAffineCondition | K::BasePointer)
}

/// Regions are rewritten one after the other: what one of them needs must not be computed inside another.
fn independent(found: Vec<Found>) -> Vec<Found> {
    let regions: Vec<Region> =
        found.iter().filter_map(|f| if let Found::Raised(r) = f { Some(r.region.clone()) } else { None }).collect();
    let entangled = |r: &Raised| {
        let needs = r.params.iter().flat_map(facts::Param::needs).chain(r.arrays.iter().map(|a| a.base));
        let needs = needs.chain(r.hoisted.iter().map(|h| h.base)).chain(r.checks.magnitudes.iter().map(|m| m.value));
        let blocks: Vec<Block> = needs.filter_map(Value::block).collect();
        regions.iter().any(|other| other.entry != r.region.entry && blocks.iter().any(|&b| other.contains(b)))
    };
    found
        .into_iter()
        .map(|f| match f {
            Found::Raised(r) if entangled(&r) => match r.region.loops.first() {
                Some(&l) => {
                    Found::Refused(l, reject::RejectKind::Carried("it comes from another nest before this one").into())
                }
                None => Found::Raised(r),
            },
            other => other,
        })
        .collect()
}

/// The loops of a region, each as a region of its own, as far as they can be raised alone; `None` when it has only one, or none can.
#[must_use]
pub fn singly(analyses: Analyses, raised: &Raised, options: &Options, budget: &Budget) -> Option<Vec<Raised>> {
    if raised.region.tops().count() < 2 {
        return None;
    }
    let alone = raised.region.tops().filter_map(|l| raise_alone(analyses, l, options, budget).ok());
    let alone = independent(alone.map(|r| Found::Raised(Box::new(r))).collect());
    let alone = all_raised(alone);
    (!alone.is_empty()).then_some(alone)
}

/// The region with memory for costly values. `None`: there are none, it cannot be modelled so, or needs numbers that it does not need without.
#[must_use]
pub fn keeping(analyses: Analyses, raised: &Raised, options: &Options, budget: &Budget) -> Option<Raised> {
    if !costly::may_have(analyses, &raised.region) {
        return None;
    }
    let kept = assemble::raise_keeping(analyses, &raised.region, options, budget).ok()?;
    let known = kept.params.iter().all(|p| raised.params.iter().any(|q| q.value == p.value));
    (known && kept.scop != raised.scop).then_some(kept)
}

/// The region with loops whose counters are divided as two, where remainders decide of what runs, as data do. `None`: they do not, or it cannot be modelled so.
#[must_use]
pub fn by_remainders(analyses: Analyses, raised: &Raised, options: &Options, budget: &Budget) -> Option<Raised> {
    let conditions = |raised: &Raised| raised.bodies.iter().filter(|b| b.is_conditional()).count();
    if conditions(raised) == 0 || !division::decide(&raised.region, analyses) {
        return None;
    }
    let split = assemble::raise_by_remainders(analyses, &raised.region, options, budget).ok()?;
    (conditions(&split) < conditions(raised)).then_some(split)
}

/// Fewer values that are loaded ahead of a region leave room for all of them in registers.
const MANY_AHEAD: usize = 8;

/// The region with what LLVM has loaded ahead of it read where it is used, where that is much: operands of loops that are unrolled. `None`: it is not, or this cannot be modelled.
#[must_use]
pub fn reading(analyses: Analyses, raised: &Raised, options: &Options, budget: &Budget) -> Option<Raised> {
    let invariants = raised.bodies.iter().flat_map(|b| &b.nodes).filter_map(|n| match n {
        body::Node::Invariant(v) => Some(*v),
        _ => None,
    });
    let is_ahead = |v: &Value| v.opcode() == Some(Opcode::LLVMLoad) && v.block() == Some(raised.region.entry);
    let ahead: BTreeSet<Value> = invariants.filter(is_ahead).collect();
    if ahead.len() < MANY_AHEAD {
        return None;
    }
    let reading = assemble::raise_reading(analyses, &raised.region, options, budget).ok()?;
    (reading.scop != raised.scop).then_some(reading)
}

/// The region under the assumption that strides which are known at run time only are 1. `None`: there are no such strides, or it cannot be modelled so.
#[must_use]
pub fn with_unit_strides(analyses: Analyses, raised: &Raised, options: &Options, budget: &Budget) -> Option<Raised> {
    let ones = units::strides(analyses, raised);
    if ones.is_empty() {
        return None;
    }
    assemble::raise_with_ones(analyses, &raised.region, &ones, options, budget).ok()
}

/// The region under the assumption that no factor is zero where the program asks. `None`: it does not, or cannot be modelled so.
#[must_use]
pub fn with_factors(analyses: Analyses, raised: &Raised, options: &Options, budget: &Budget) -> Option<Raised> {
    if !raised.bodies.iter().any(factors::may_ask) {
        return None;
    }
    let assumed = assemble::raise_with_factors(analyses, &raised.region, options, budget).ok()?;
    let asks = |l: &looks::Look| l.cells.iter().any(looks::Cell::is_compared);
    assumed.checks.looks.iter().any(asks).then_some(assumed)
}

/// One loop of the top level as a region of its own.
fn raise_alone(analyses: Analyses, l: Loop, options: &Options, budget: &Budget) -> reject::Raise<Raised> {
    let form = || reject::Reject::new(reject::RejectKind::LoopForm("it has several exits")).of(l);
    let region = Region::between(analyses, l.preheader().ok_or_else(form)?, analyses.loop_exit(l).ok_or_else(form)?)?;
    assemble::raise(analyses, &region, options, budget)
}
