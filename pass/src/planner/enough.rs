//! How many iterations loops need for a choice to pay, where no kernel asks for them itself: forms over the parameters, below 0 where there are too few.

use crate::options::{Options, Policy};
use crate::raise::Raised;
use crate::raise::poly::Symbol;
use polyhedra::{Affine, Budget, Constraint, Polyhedron, Space};
use scheduler::choose::{self, Choice};
use scheduler::dependence::Dependences;
use scheduler::machine::Machine;
use scheduler::scop::{ArrayId, Scop, StatementId};
use scheduler::tree::Node;
use std::collections::BTreeMap;

/// Iterations of a loop that is all there is, where arrays have to be looked at first (measured on filters and sums over the two ends of a step, cycles: 20 to 60 for that; 8 to 20 iterations by 0.4 to 0.9, but three
/// sums to neighbours by 1.1 and 1.5).
const ENOUGH_ALONE: i64 = 24;

/// So many vectors are worth while where data decide what lanes do and there are no masks (measured on sums by 6 classes in 4 lanes: 0.5 times as fast, by 32 classes 1.5 to 1.8 times).
const ENOUGH_BY_DATA: i64 = 4;

/// So many times the number of lanes are enough iterations for loops inside of lanes, whatever the model says: it thinks too well of what a core does ahead in loops that wait.
const ENOUGH_SQUARES: i64 = 4;

/// Where the loops themselves have lanes, each for every second cell, say, they must be as long (measured on sweeps over every second point of rows of 64: 0.95 to 1.25 times as fast, of 128: 1.4 to 1.9).
const ENOUGH_BETWEEN: i64 = 8;

/// Iterations of loops inside of lanes without which no gain is enough (measured on filters of 2 taps: 3 to 27 times as fast); and where lanes are as few then (symmetric updates of 3 rows: 0.7).
const FEWEST: i64 = 2;
const FEWEST_TOGETHER: i64 = 4;

/// The same for rows abreast: where they begin and end, one of them after the other is as fast as in the source.
const ENOUGH_ABREAST: i64 = 2;

/// And for lanes along rows that wait for nothing, if they are more than these (measured on 25 points of bytes in 64 lanes: 100 columns 0.72, 200 columns 1.08 times as fast).
const FEW_LANES: u32 = 16;
const ENOUGH_OF_MANY: i64 = 2;

/// Iterations of loops inside of lanes over the rows of a strip (measured on centred rows of doubles and floats: with fewer 0.5 to 1.3, with 16 1.1 to 1.5 times as fast).
const ENOUGH_IN_STRIPS: i64 = 16;

/// Where these are negative, a choice without kernels has loops in lanes or along rows abreast that are too short.
pub(super) fn without_kernels(
    of: (&Raised, &Dependences),
    choice: &Choice,
    options: &Options,
    machine: &Machine,
    budget: &Budget,
) -> scheduler::Result<Vec<Affine>> {
    match choice {
        // Kernels and strips may have long loops all the same.
        Choice::Transform { schedule, kernels, .. }
            if options.policy == Policy::Auto && kernels.plans().is_empty() && kernels.strips().is_empty() =>
        {
            let mut out = enough_at_once(of, schedule.tree(), machine, budget)?;
            out.extend(enough_inside(of, schedule.tree(), machine, budget)?);
            out.extend(enough_alone(of.0, budget)?);
            out.extend(with_steps(of.0));
            out.extend(enough_tiled(of, schedule.tree(), machine, budget)?);
            out.dedup();
            Ok(out)
        }
        Choice::Transform { schedule, kernels, .. }
            if options.policy == Policy::Auto && kernels.plans().is_empty() && !kernels.strips().is_empty() =>
        {
            enough_in_strips(&of.0.scop, schedule.tree(), budget)
        }
        _ => Ok(Vec::new()),
    }
}

/// Where these are negative, a strip has fewer rows than lanes, or they are too short.
fn enough_in_strips(scop: &Scop, tree: &Node, budget: &Budget) -> scheduler::Result<Vec<Affine>> {
    let lanes = tree.in_lanes();
    let depth = |s: StatementId| scop.statements[s.0].depth();
    let deepest = lanes.iter().map(|(s, _)| depth(*s)).max().unwrap_or(0);
    let mut out = Vec::new();
    for (s, l) in lanes.into_iter().filter(|(s, _)| depth(*s) == deepest) {
        let (Some(row), Some(innermost)) = (tree.iterator_in_lanes(s), deepest.checked_sub(1)) else { continue };
        out.extend(codegen::generate::at_least_along(scop, (s, row), i64::from(l.width), budget)?);
        out.extend(codegen::generate::at_least_along(scop, (s, innermost), ENOUGH_IN_STRIPS, budget)?);
    }
    out.dedup();
    Ok(out)
}

/// Where this is negative, a loop that holds no others has too few iterations for what is looked at before it. Nothing is asked where loops of several lengths stand side by side.
///
/// # Errors
/// Overflow, budget.
pub(super) fn enough_alone(raised: &Raised, budget: &Budget) -> scheduler::Result<Vec<Affine>> {
    let scop = &raised.scop;
    if raised.checks.pairs.is_empty() || scop.statements.iter().any(|s| s.depth() > 1) {
        return Ok(Vec::new());
    }
    let mut longest: Option<(StatementId, Affine)> = None;
    for s in (0..scop.statements.len()).map(StatementId).filter(|s| scop.statements[s.0].depth() == 1) {
        for length in codegen::generate::extents_along(scop, (s, 0), budget)? {
            let more = match &longest {
                _ if length.is_constant() => continue,
                Some((_, known)) => length.sub(known)?,
                None => Affine::constant(length.space(), 1),
            };
            if !more.is_constant() {
                return Ok(Vec::new());
            }
            if more.constant_term() > 0 {
                longest = Some((s, length));
            }
        }
    }
    match longest {
        Some((s, _)) => codegen::generate::at_least_along(scop, (s, 0), ENOUGH_ALONE, budget),
        None => Ok(Vec::new()),
    }
}

/// Where these are negative, loops inside of lanes or along rows abreast are too short.
fn enough_at_once(
    (raised, dependences): (&Raised, &Dependences),
    tree: &Node,
    machine: &Machine,
    budget: &Budget,
) -> scheduler::Result<Vec<Affine>> {
    // Of rows that wait for nothing each vector is as fast as any other.
    let along = tree.in_strips_of_lanes();
    let waits = |s: StatementId| !along.iter().any(|(other, _)| *other == s);
    let lanes = tree.in_lanes().into_iter().map(|(s, l)| (s, i64::from(l.width).saturating_mul(ENOUGH_SQUARES)));
    let abreast =
        tree.in_strips_abreast().into_iter().map(|(s, rows)| (s, i64::from(rows).saturating_mul(ENOUGH_ABREAST)));
    let waiting = lanes.chain(abreast).filter(|(s, _)| waits(*s));
    let all: Vec<_> = waiting.chain(along.iter().map(|(s, l)| (*s, i64::from(l.width)))).collect();
    let mut out = Vec::new();
    let Some(deepest) = all.iter().map(|(s, _)| raised.scop.statements[s.0].depth()).max() else { return Ok(out) };
    let mut known: BTreeMap<(Option<(usize, i64)>, i64), i64> = BTreeMap::new();
    for (s, enough) in all.iter().filter(|(s, _)| raised.scop.statements[s.0].depth() == deepest) {
        let Some(innermost) = deepest.checked_sub(1) else { continue };
        if let Some(itself) = itself_in_lanes(&raised.scop, tree, *s, budget)? {
            let enough = enough / ENOUGH_SQUARES * ENOUGH_BETWEEN;
            out.extend(codegen::generate::at_least_along(&raised.scop, (*s, itself), enough, budget)?);
            continue;
        }
        let along = counted_by(&codegen::generate::extents_along(&raised.scop, (*s, innermost), budget)?);
        let of_lanes = match tree.iterator_in_lanes(*s) {
            Some(d) => codegen::generate::extents_along(&raised.scop, (*s, d), budget)?,
            None => Vec::new(),
        };
        let apart = |p: usize| !of_lanes.is_empty() && of_lanes.iter().all(|n| n.param_coeff(p) <= 0);
        let fewest = if along.is_some_and(|(p, _)| apart(p)) { FEWEST } else { FEWEST_TOGETHER };
        let least = match known.get(&(along, fewest)) {
            Some(&least) => least,
            None => choose::lanes_pay_from((&raised.scop, dependences), tree, (along, fewest), machine, budget)?,
        };
        known.insert((along, fewest), least);
        let enough = least.min(*enough);
        out.extend(codegen::generate::at_least_along(&raised.scop, (*s, innermost), enough, budget)?);
    }
    // Vectors of which part is left over compute all of it where there are no masks.
    let by_data = |s: &StatementId| !machine.masks && raised.scop.statements[s.0].is_conditional();
    for (s, l) in tree.in_lanes().iter().filter(|(s, _)| by_data(s)) {
        if let Some(itself) = tree.iterator_in_lanes(*s) {
            let enough = ENOUGH_BY_DATA * i64::from(l.width);
            out.extend(codegen::generate::at_least_along(&raised.scop, (*s, itself), enough, budget)?);
        }
    }
    for (s, l) in along.iter().filter(|(_, l)| l.width > FEW_LANES) {
        let enough = ENOUGH_OF_MANY * i64::from(l.width);
        out.extend(codegen::generate::at_least(&raised.scop, *s, enough, budget)?);
    }
    out.dedup();
    Ok(out)
}

/// The iterator of a statement whose loop has lanes itself: all loops inside of it have one value.
fn itself_in_lanes(scop: &Scop, tree: &Node, s: StatementId, budget: &Budget) -> scheduler::Result<Option<usize>> {
    let Some((_, inside)) = tree.in_lanes_of_one_band().into_iter().find(|(id, _)| *id == s) else { return Ok(None) };
    let depth = scop.statements[s.0].depth();
    for d in depth.saturating_sub(inside)..depth {
        let values = codegen::generate::extents_along(scop, (s, d), budget)?;
        if !values.iter().any(|n| n.is_constant() && n.constant_term() == 1) {
            return Ok(None);
        }
    }
    Ok(depth.checked_sub(inside + 1))
}

/// Where these are negative, loops are too short that are innermost now and were not in the source, whose innermost loop may be long.
fn enough_inside(
    (raised, dependences): (&Raised, &Dependences),
    tree: &Node,
    machine: &Machine,
    budget: &Budget,
) -> scheduler::Result<Vec<Affine>> {
    let scop = &raised.scop;
    let spaces = scop.statements.iter().enumerate().map(|(k, s)| (StatementId(k), s.space())).collect();
    let mut known: BTreeMap<Option<(usize, i64)>, i64> = BTreeMap::new();
    let mut enough = |along: Option<(usize, i64)>| -> scheduler::Result<i64> {
        if let Some(&least) = known.get(&along) {
            return Ok(least);
        }
        let least = choose::inside_pays_from((scop, dependences), tree, along, machine, budget)?;
        known.insert(along, least);
        Ok(least)
    };
    let mut short: Vec<Innermost> = Vec::new();
    // Rows that are written out are no loop.
    let along = tree.in_strips_of_lanes();
    for (&s, rows) in tree.flatten(&spaces).iter().filter(|(s, _)| !along.iter().any(|(other, _)| other == *s)) {
        let is_loop = |row: &&Affine| row.dim_coeffs().iter().any(|&c| c != 0);
        let Some(row) = rows.iter().rev().find(is_loop) else { continue };
        let mut moving = (0..row.dim_coeffs().len()).filter(|&d| row.dim_coeff(d) != 0);
        let (Some(inside), None, Some(before)) = (moving.next(), moving.next(), row.dim_coeffs().len().checked_sub(1))
        else {
            continue;
        };
        if inside == before {
            continue;
        }
        let lengths = codegen::generate::extents_along(scop, (s, inside), budget)?;
        // Rows of skewed loops are as short as the shorter of two loops.
        let is_skewed = rows.iter().any(|row| row.dim_coeffs().iter().filter(|&&c| c != 0).count() > 1);
        let least = enough(counted_by(&lengths).filter(|_| !is_skewed))?;
        let innermost = codegen::generate::extents_along(scop, (s, before), budget)?;
        if !innermost.iter().any(|n| n.is_constant() && n.constant_term() < least) {
            short.push((s, inside, least));
        }
    }
    let long = |&(s, inside, least): &Innermost| codegen::generate::at_least_along(scop, (s, inside), least, budget);
    let asked = short.iter().map(long).collect::<scheduler::Result<Vec<_>>>()?;
    if asked.windows(2).all(|pair| pair[0] == pair[1]) {
        return Ok(asked.into_iter().next().unwrap_or_default());
    }
    // Those that are borders of none: only they are asked in the place of others.
    let mut alone = Vec::new();
    for one in &short {
        if !is_border(scop, *one, &short, budget)? {
            alone.push(*one);
        }
    }
    let mut out = Vec::new();
    for (one, forms) in short.iter().zip(asked) {
        if alone.contains(one) || !is_border(scop, *one, &alone, budget)? {
            out.extend(forms);
        }
    }
    Ok(out)
}

/// A statement, which of its loops is innermost now, and how many iterations are enough for that.
type Innermost = (StatementId, usize, i64);

/// Wherever a statement's innermost loop has too few iterations, and that of another one enough: has the other one no loop that is shorter? Then the statement is a border of it, and has little to do (a filter over an
/// image that goes on outside of it: at the borders loops are as long as the filter).
fn is_border(scop: &Scop, one: Innermost, all: &[Innermost], budget: &Budget) -> scheduler::Result<bool> {
    let (s, inside, least) = one;
    let depth = scop.statements[s.0].depth();
    let dimensions: Vec<usize> = (0..depth).collect();
    let mut runs = scop.statements[s.0].domain.project_out(&dimensions, budget)?.set;
    if let Some(context) = &scop.context {
        runs = runs.intersect(context);
    }
    let alike = |(t, along, _): &Innermost| *t != s && *along == inside && scop.statements[t.0].depth() == depth;
    for &(other, _, enough) in all.iter().filter(|other| alike(other)) {
        let too_short = codegen::generate::at_least_along(scop, (s, inside), least.min(enough), budget)?;
        let enough = codegen::generate::at_least_along(scop, (other, inside), enough, budget)?;
        let long = enough.into_iter().fold(runs.clone(), |set, form| set.with(Constraint::ge(form)));
        let mut is_longer = None;
        for form in &too_short {
            let short = long.clone().with(Constraint::ge(form.scale(-1)?.offset(-1)?));
            if !short.is_empty(budget)? {
                is_longer = Some(is_longer != Some(false) && has_longer(scop, other, s, &short, budget)?);
            }
        }
        if is_longer == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Is each loop of a statement as long as that of another, or longer, for all parameters in a set?
fn has_longer(
    scop: &Scop,
    one: StatementId,
    other: StatementId,
    sizes: &Polyhedron,
    budget: &Budget,
) -> scheduler::Result<bool> {
    for d in 0..scop.statements[other.0].depth() {
        let longer = codegen::generate::extents_along(scop, (one, d), budget)?;
        let shorter = codegen::generate::extents_along(scop, (other, d), budget)?;
        for length in &longer {
            let mut holds = false;
            for least in &shorter {
                let breaks = Constraint::ge(least.sub(length)?.offset(-1)?);
                holds = holds || sizes.clone().with(breaks).is_empty(budget)?;
            }
            if !holds {
                return Ok(false);
            }
        }
        if longer.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Where these are negative, loops that have tiles are too short for them.
fn enough_tiled(
    (raised, dependences): (&Raised, &Dependences),
    tree: &Node,
    machine: &Machine,
    budget: &Budget,
) -> scheduler::Result<Vec<Affine>> {
    let tiled = tree.in_tiles();
    let mut out = Vec::new();
    if tiled.is_empty() {
        return Ok(out);
    }
    let least = choose::tiles_pay_from((&raised.scop, dependences), tree, machine, budget)?;
    for (s, d) in tiled {
        out.extend(codegen::generate::at_least_along(&raised.scop, (s, d), least, budget)?);
    }
    Ok(out)
}

/// The parameter that a length is, and how much more it is than that.
fn counted_by(lengths: &[Affine]) -> Option<(usize, i64)> {
    let [length] = lengths else { return None };
    let mut params = length.param_coeffs().iter().enumerate().filter(|(_, c)| **c != 0);
    match (params.next(), params.next()) {
        (Some((p, 1)), None) => Some((p, length.constant_term())),
        _ => None,
    }
}

/// Where these are negative, what looks like steps over memory (`x[i * step]`) goes from neighbour to neighbour: LLVM has vectors for that in the source.
fn with_steps(raised: &Raised) -> Vec<Affine> {
    let mut out = Vec::new();
    for (k, array) in raised.arrays.iter().enumerate() {
        let own = raised.scop.statements.iter().flat_map(|s| &s.accesses).filter(|a| a.array == ArrayId(k));
        let stays = own.clone().all(|a| a.subscripts.last().is_some_and(Affine::is_constant));
        let ([.., step, _], true, true) = (array.strides.as_slice(), stays, own.count() > 0) else { continue };
        let mut terms = step.terms();
        if let (Some((symbols, bytes)), None) = (terms.next(), terms.next())
            && let [Symbol::Param(p)] = symbols.as_slice()
            && u64::try_from(bytes) == Ok(array.bytes)
            && let Ok(more) = Affine::param(Space::new(raised.scop.params.len(), 0), p.0).offset(-2)
        {
            out.push(more);
        }
    }
    out
}
