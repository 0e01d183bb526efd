//! Puts a region's pieces together into a [`Raised`].

use super::accesses::{self, Accesses, ArrayShape, Layout};
use super::ahead;
use super::alike;
use super::blend;
use super::body::Node;

use super::costly;
use super::division;
use super::domain;
use super::expand::{self, Expanded};
use super::factors;
use super::facts::{Domain, Facts};
use super::indirect::{self, Model};
use super::leaving::{self, Brought};
use super::locals::Locals;
use super::magnitudes;
use super::opposite;
use super::parts;
use super::poly::{LoopIndex, Poly, Symbol};
use super::region::{self, Region};
use super::reject::{Raise, Reject, RejectKind};
use super::rounding::{self, around::Around};
use super::rows;
use super::scalar;
use super::statement::{self, Built, Gone, Source, Workshop};
use super::steps::{self, Cells, Steps};
use super::timing::Touch;
use super::weight;
use super::{ArrayData, Checks, Raised};
use crate::llvm::{Analyses, Block, Loop, Opcode, Value};
use crate::options::Options;
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space};
use scheduler::scop::{self, ArrayId, Scop, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Cells that are fewer bytes than this from the start of their array have different addresses.
const FAR: i128 = 1 << 62;

/// Most statements of a region.
const MOST_STATEMENTS: usize = 48;

/// The same before those that differ by constants are in loops.
const MOST_UNROLLED: usize = 128;

/// Most parameters of a region.
const MOST_PARAMS: usize = 24;

/// Models a region.
///
/// # Errors
/// Why it cannot be modelled.
pub fn raise(analyses: Analyses, region: &Region, options: &Options, budget: &Budget) -> Raise<Raised> {
    few_enough(raise_as(analyses, region, Way::default(), options, budget)?)
}

/// The same with memory for costly values ([`costly`]).
///
/// # Errors
/// Why it cannot be modelled.
pub fn raise_keeping(analyses: Analyses, region: &Region, options: &Options, budget: &Budget) -> Raise<Raised> {
    few_enough(raise_as(analyses, region, Way { keeps: true, ..Way::default() }, options, budget)?)
}

/// The same with what LLVM has loaded ahead of the region read in it, as in the source.
///
/// # Errors
/// Why it cannot be modelled.
pub fn raise_reading(analyses: Analyses, region: &Region, options: &Options, budget: &Budget) -> Raise<Raised> {
    few_enough(raise_as(analyses, region, Way { reads: true, ..Way::default() }, options, budget)?)
}

/// The same with loops whose counters are divided as two ([`division`]).
///
/// # Errors
/// Why it cannot be modelled.
pub fn raise_by_remainders(analyses: Analyses, region: &Region, options: &Options, budget: &Budget) -> Raise<Raised> {
    few_enough(raise_as(analyses, region, Way { splits: true, ..Way::default() }, options, budget)?)
}

/// The same under the assumption that some numbers, computed before the region, are 1 ([`units`](super::units)).
///
/// # Errors
/// Why it cannot be modelled.
pub fn raise_with_ones(
    analyses: Analyses,
    region: &Region,
    ones: &[Value],
    options: &Options,
    budget: &Budget,
) -> Raise<Raised> {
    few_enough(raise_as(analyses, region, Way { ones, ..Way::default() }, options, budget)?)
}

/// The same under the assumption that no factor is zero where the program asks ([`factors`]).
///
/// # Errors
/// Why it cannot be modelled.
pub fn raise_with_factors(analyses: Analyses, region: &Region, options: &Options, budget: &Budget) -> Raise<Raised> {
    few_enough(raise_as(analyses, region, Way { factors: true, ..Way::default() }, options, budget)?)
}

/// The region, with loops over blocks of statements that differ by constants where there are too many.
fn few_enough(raised: Raised) -> Raise<Raised> {
    if raised.scop.statements.len() <= MOST_STATEMENTS {
        return Ok(raised);
    }
    match alike::rerolled_blocks(&raised) {
        Ok(Some(rolled)) if rolled.scop.statements.len() <= MOST_STATEMENTS => Ok(Raised { unrolled: true, ..rolled }),
        _ => Err(RejectKind::TooLarge("statements in the nest").into()),
    }
}

/// Are these more statements than a region may have? In the body of one loop, and nowhere else, they may become fewer.
fn too_many<'b>(betas: impl ExactSizeIterator<Item = &'b [usize]>) -> bool {
    let count = betas.len();
    let bodies: BTreeSet<_> = betas.map(|beta| beta.split_last().map(|(_, body)| body)).collect();
    count > if bodies.len() == 1 { MOST_UNROLLED } else { MOST_STATEMENTS }
}

fn raise_as(analyses: Analyses, region: &Region, way: Way<'_>, options: &Options, budget: &Budget) -> Raise<Raised> {
    let first = match raise_with(analyses, region, way, options, budget) {
        Err(first) => first,
        Ok(done) if hands_on(&done) => {
            let steps = raise_with(analyses, region, Way { steps: Some(Cells::Known), ..way }, options, budget);
            let shorter = steps.ok().filter(|steps| steps.scop.statements.len() < done.scop.statements.len());
            return Ok(shorter.unwrap_or(done));
        }
        done => return done,
    };
    // Remainders of counters in subscripts and conditions.
    let about_numbers =
        matches!(first.kind, RejectKind::NonAffineAccess(_) | RejectKind::NonAffineCondition | RejectKind::MayWrap(_));
    if about_numbers && !way.splits && region.loops.iter().any(|&l| division::modulus(region, analyses, l).is_some()) {
        return raise_with(analyses, region, Way { splits: true, ..way }, options, budget).map_err(|_| first);
    }
    if matches!(first.kind, RejectKind::Carried(_)) {
        for cells in [Cells::Known, Cells::Own] {
            let done = raise_with(analyses, region, Way { steps: Some(cells), ..way }, options, budget);
            match done {
                Err(r) if matches!(r.kind, RejectKind::Carried(_)) => {}
                done => return done.map_err(|_| first),
            }
        }
    }
    Err(first)
}

/// Does one array of our own get what another one holds? So it is where a sum goes on in one loop behind the other: in one cell for all of them they may be one loop again.
fn hands_on(raised: &Raised) -> bool {
    let is_own = |s: &Statement, access: usize| {
        s.accesses.get(access).is_some_and(|a| raised.arrays.get(a.array.0).is_some_and(|a| a.own))
    };
    raised.scop.statements.iter().zip(&raised.bodies).any(|(s, body)| {
        let copies = matches!(body.nodes.get(body.root.0), Some(Node::Read { access, .. }) if is_own(s, *access));
        copies && is_own(s, 0)
    })
}

/// How a region is modelled.
#[derive(Clone, Copy, Default)]
struct Way<'w> {
    /// Loops whose counters are divided become two.
    splits: bool,
    /// Costly values have memory.
    keeps: bool,
    /// What is loaded right before the region is read in it.
    reads: bool,
    /// Values that change in several steps live in cells, in these.
    steps: Option<Cells>,
    /// These are 1.
    ones: &'w [Value],
    /// Factors are other than zero where the program asks.
    factors: bool,
}

fn raise_with(analyses: Analyses, region: &Region, way: Way<'_>, options: &Options, budget: &Budget) -> Raise<Raised> {
    let locals = Locals::of(region)?;
    let behind = leaving::phis(region)?;
    no_live_outs(analyses, region)?;
    let outside = region.clone();
    // Before the region, and not inside a loop that is over: such a value may belong to another region.
    let before = move |v: Value| {
        outside.is_outside(v) && v.block().and_then(|b| analyses.loop_for(b)).is_none_or(|l| l.contains(outside.entry))
    };
    let mut facts = Facts::new(analyses, budget, region.entry, before);
    facts.splits = way.splits;
    facts.factors = way.factors.then(Vec::new);
    for &one in way.ones {
        facts.assume_one(one)?;
    }
    let domains = domain::domains(region, &mut facts)?;
    let layout = Layout { region, domains };
    let mut accesses = accesses::collect(&layout, &mut facts)?;
    no_vector_functions(analyses, region)?;
    let setters = errno_setters(region, &accesses)?;
    let webs = scalar::webs(&layout, &mut facts, &accesses)?;
    let (webs, steps) = match way.steps {
        Some(cells) => with_steps(&layout, &mut facts, &accesses, webs, cells)?,
        None => (webs, Vec::new()),
    };
    if way.steps == Some(Cells::Own) && steps.iter().all(|s| s.own.is_none()) {
        // As without.
        return Err(RejectKind::Carried("it has no cells of our own").into());
    }
    for (shape, conditions) in steps.iter().filter_map(|s| s.own.clone()) {
        accesses.arrays.push(shape);
        for condition in conditions {
            if !facts.products.contains(&condition) {
                facts.products.push(condition);
            }
        }
    }
    let writes: Vec<Touch> = accesses
        .all
        .iter()
        .filter(|a| a.is_write())
        .map(accesses::Access::touch)
        .chain(webs.iter().flat_map(scalar::Web::touches))
        .chain(steps.iter().flat_map(Steps::touches))
        .collect();
    let sources = statement::sources(&accesses, &webs, &steps);
    let wanted: Vec<Value> = behind.iter().filter(|(_, known)| known.is_none()).map(|(phi, _)| *phi).collect();
    let live_out = || Reject::new(RejectKind::LiveOut).at(region.exit);
    if sources.is_empty() {
        // A sum keeps its order: alone it gains nothing.
        return Err(if wanted.is_empty() { RejectKind::NoStore.into() } else { live_out() });
    }
    if too_many(sources.iter().map(|s| s.position.beta.as_slice())) {
        return Err(RejectKind::TooLarge("statements in the nest").into());
    }
    let mut expanded = expand::candidates(&layout, &mut facts, (&webs, &steps), accesses.arrays.len())?;
    if way.keeps {
        expanded.extend(costly::values(&layout, &facts, &accesses, &expanded, accesses.arrays.len() + expanded.len())?);
    }
    accesses.arrays.extend(expanded.iter().map(|e| e.shape.clone()));
    let last = leaving::last_values(&layout, &facts, &wanted, (&webs, &steps, &expanded), accesses.arrays.len())?;
    accesses.arrays.extend(last.iter().map(|e| e.shape.clone()));
    expanded.extend(last);
    let kept = costly::from_calls(&layout, &facts, &accesses, &setters, &expanded)?;
    accesses.arrays.extend(kept.iter().map(|e| e.shape.clone()));
    expanded.extend(kept);
    let mut leaving: Vec<Source> = Vec::new();
    for (k, &phi) in wanted.iter().enumerate() {
        let shape = leaving::cell(&facts, phi).ok_or_else(live_out)?;
        leaving.push(leaving::whole(&layout, (k, phi), accesses.arrays.len(), &shape));
        accesses.arrays.push(shape);
    }
    let mut built = loop {
        let all = (sources.as_slice(), leaving.as_slice());
        let scalars = (webs.as_slice(), steps.as_slice(), writes.as_slice(), expanded.as_slice());
        let (built, gone) = build_all(&layout, &mut facts, &accesses, scalars, all, way.reads);
        let array = accesses.arrays.len();
        let (refused, kept) = match (built, gone) {
            (Err(r), Some(Gone::Load(k))) if r.kind == RejectKind::StaleLoad => {
                let load = accesses.all.get(k);
                let kept = load.map(|load| expand::kept(&layout, &facts, load, array, &expanded));
                (r, kept.transpose()?.flatten())
            }
            (Err(r), Some(Gone::Scalar(k))) if matches!(r.kind, RejectKind::Carried(_)) => {
                (r, expand::kept_scalar(&layout, &facts, k, array, &expanded))
            }
            (Err(r), Some(Gone::Web(k))) if matches!(r.kind, RejectKind::Carried(_)) => {
                let phi = webs.get(k).and_then(|w| w.phis.last());
                let kept = phi.map(|phi| expand::kept_phi(&layout, &facts, *phi, array, &expanded));
                (r, kept.transpose()?.flatten())
            }
            (built, _) => break built?,
        };
        let Some(kept) = kept else { return Err(refused) };
        accesses.arrays.push(kept.shape.clone());
        expanded.push(kept);
    };
    // What stands for an array of our own stands for no other.
    let mut bases = BTreeSet::new();
    if !accesses.arrays.iter().filter(|a| a.own).all(|a| bases.insert(a.base)) {
        return Err(RejectKind::Carried("two values would share memory of our own").into());
    }
    opposite::join(&facts, &accesses, &mut built)?;
    blend::keep_the_old(&layout, &facts, &accesses, &webs, &mut built)?;
    for call in setters {
        if !still_runs(&layout, &facts, call, &built)? {
            return Err(may_set_errno(call));
        }
    }
    if facts.params.len() > MOST_PARAMS {
        return Err(RejectKind::TooLarge("sizes and offsets that the nest depends on").into());
    }
    let mut cells = leaving.iter().map(|s| s.array);
    let exit_values: Vec<(Value, Brought)> = behind
        .into_iter()
        .filter_map(|(phi, known)| Some((phi, known.map(Brought::Value).or_else(|| cells.next().map(Brought::Cell))?)))
        .collect();
    let raised = assemble(region, &exit_values, &facts, &accesses, &built, options)?;
    locals.are_not_read_ahead(&raised)?;
    Ok(Raised { locals, ..raised })
}

/// Values that change in several steps, and the webs that are none of them.
fn with_steps(
    layout: &Layout,
    facts: &mut Facts,
    accesses: &Accesses,
    webs: Vec<scalar::Web>,
    cells: Cells,
) -> Raise<(Vec<scalar::Web>, Vec<Steps>)> {
    // Where a sum goes on in one loop behind the other, the last of them may be a web by itself.
    let goes_on = |w: &&scalar::Web| w.kind != scalar::WebKind::InPlace && !layout.region.is_outside(w.init);
    let last: Vec<Value> = webs.iter().filter(goes_on).filter_map(|w| w.phis.first().copied()).collect();
    if !last.is_empty() {
        let others: Vec<scalar::Web> = webs.iter().filter(|w| !goes_on(w)).cloned().collect();
        let steps = steps::find(layout, facts, accesses, &others, cells)?;
        if last.iter().all(|phi| steps.iter().any(|s| s.members.contains(phi))) {
            return Ok((others, steps));
        }
    }
    let steps = steps::find(layout, facts, accesses, &webs, cells)?;
    Ok((webs, steps))
}

/// All statements in program order: those of the program, and those of the scalars that they need memory for. With a value that was gone, if there was one.
fn build_all(
    layout: &Layout,
    facts: &mut Facts,
    accesses: &Accesses,
    (webs, steps, writes, expanded): (&[scalar::Web], &[Steps], &[Touch], &[Expanded]),
    sources: (&[Source], &[Source]),
    reads: bool,
) -> (Raise<Vec<Built>>, Option<Gone>) {
    let needed = BTreeSet::new();
    let mut shop =
        Workshop { layout, facts, accesses, webs, steps, writes, expanded, reads, needed, wish: None, gone: None };
    let built = build_in(&mut shop, sources);
    (built, shop.gone)
}

/// Those of the program, and those that store what leaves the region.
fn build_in(shop: &mut Workshop, (sources, leaving): (&[Source], &[Source])) -> Raise<Vec<Built>> {
    let expanded = shop.expanded;
    let build = |shop: &mut Workshop, source: &Source| {
        shop.gone = None;
        parts::build(shop, source).map_err(|r| source.origin.block().map_or(r.clone(), |b| r.at(b)))
    };
    let mut built: Vec<Built> = Vec::new();
    for source in sources {
        built.extend(build(shop, source)?);
    }
    for source in leaving {
        built.extend(build_leaving(shop, source)?);
    }
    let mut done: BTreeSet<usize> = BTreeSet::new();
    while let Some(e) = expanded.iter().find(|e| shop.needed.contains(&e.array) && !done.contains(&e.array)) {
        done.insert(e.array);
        for source in &e.sources {
            built.extend(build(shop, source)?);
        }
        for condition in &e.conditions {
            if !shop.facts.products.contains(condition) {
                shop.facts.products.push(condition.clone());
            }
        }
    }
    if too_many(built.iter().map(|b| b.source.position.beta.as_slice())) {
        return Err(RejectKind::TooLarge("statements in the nest").into());
    }
    built.sort_by(|a, b| a.source.position.beta.cmp(&b.source.position.beta));
    Ok(built)
}

/// What stores a value that leaves the region: at once, or for each way out.
fn build_leaving(shop: &mut Workshop, source: &Source) -> Raise<Vec<Built>> {
    let refuse = |r: Reject| match r.kind {
        RejectKind::Budget | RejectKind::Overflow | RejectKind::TooLarge(_) => r,
        _ => Reject::new(RejectKind::LiveOut).at(source.block),
    };
    shop.gone = None;
    let needed = shop.needed.clone();
    if let Ok(whole) = statement::build(shop, source) {
        return Ok(vec![whole]);
    }
    shop.needed = needed;
    let mut out = Vec::new();
    for part in leaving::by_way(shop.layout, shop.facts, source, source.origin).map_err(refuse)? {
        // A block that is never left for the one behind.
        if shop.facts.set(&part.domain)?.is_empty(shop.facts.budget)? {
            continue;
        }
        out.extend(parts::build(shop, &part).map_err(refuse)?);
    }
    shop.gone = None;
    if out.len() > parts::MOST_PARTS {
        return Err(Reject::new(RejectKind::LiveOut).at(source.block));
    }
    Ok(out)
}

fn no_live_outs(analyses: Analyses, region: &Region) -> Raise<()> {
    let lives_on = |user: Value| {
        let Some(b) = user.block().filter(|b| !region.contains(*b)) else { return false };
        !region.is_behind(user) && !only_by_side_exits(analyses, region, b)
    };
    for &b in &region.blocks {
        for v in b.instructions() {
            if v.users().into_iter().any(lives_on) {
                return Err(Reject::new(RejectKind::LiveOut).at(b));
            }
        }
    }
    Ok(())
}

/// Is the block reached by side exits of the region alone? Then only the original code gets there.
fn only_by_side_exits(analyses: Analyses, region: &Region, b: Block) -> bool {
    let mut seen = BTreeSet::from([b]);
    let mut stack = vec![b];
    while let Some(b) = stack.pop() {
        if !analyses.is_aside(b) {
            return false;
        }
        for from in b.predecessors() {
            let inside = from == region.entry || region.contains(from);
            if inside && !analyses.is_side_exit(from, b) {
                return false;
            }
            if !inside && seen.insert(from) {
                stack.push(from);
            }
        }
    }
    true
}

/// With a vector library (`-fveclib`), a result depends on whether LLVM makes vectors of the loop that its call stands in: which loop that is must not change.
fn no_vector_functions(analyses: Analyses, region: &Region) -> Raise<()> {
    for &b in &region.blocks {
        if b.instructions().into_iter().any(|v| analyses.has_vector_function(v)) {
            return Err(Reject::new(RejectKind::Forbidden(
                "the loop contains a call that a vector library rounds in another way",
            ))
            .at(b));
        }
    }
    Ok(())
}

/// The calls that may set `errno`. They may be reordered if they all set the same value and nothing in the region can look at it.
fn errno_setters(region: &Region, accesses: &Accesses) -> Raise<Vec<Value>> {
    let calls: Vec<(Value, String)> = region
        .blocks
        .iter()
        .flat_map(|b| b.instructions())
        .filter_map(|v| region::sets_one_errno(v).map(|name| (v, name)))
        .collect();
    let Some((first, name)) = calls.first() else { return Ok(Vec::new()) };
    let one_function = calls.iter().all(|(_, n)| n == name);
    let is_int = |bits: Option<u32>| bits == Some(32);
    let visible = accesses.arrays.iter().any(|a| is_int(a.element.integer_bits()))
        || accesses.indirect.iter().any(|i| is_int(i.load.ty().integer_bits()));
    if one_function && !visible {
        return Ok(calls.iter().map(|(v, _)| *v).collect());
    }
    Err(may_set_errno(*first))
}

fn may_set_errno(call: Value) -> Reject {
    let reject = Reject::new(RejectKind::Effect("calls that set errno".into()));
    call.block().map_or(reject.clone(), |b| reject.at(b))
}

/// Does some statement run a call wherever the program does? Not one that needs its value for some data only, or only in a loop inside that may be empty.
fn still_runs(layout: &Layout, facts: &Facts, call: Value, built: &[Built]) -> Raise<bool> {
    let Some(own) = call.block().and_then(|b| layout.domains.get(&b)) else { return Ok(false) };
    let calls = |n: &Node| matches!(n, Node::Operation { instruction, .. } if *instruction == call);
    // Computed before anything is decided by data, or decided as the call is.
    let runs = |b: &Built| {
        b.body.nodes.iter().position(calls).is_some_and(|at| {
            let early = own.conditions.is_empty() && b.body.guards.first().is_none_or(|guard| at <= guard.node.0);
            early || b.source.domain.conditions == own.conditions
        })
    };
    for b in built.iter().filter(|b| runs(b)) {
        // The parts of a store of the program are all of it.
        let origin = b.source.origin;
        let beside = origin.opcode() == Some(Opcode::LLVMStore) && origin.block() == call.block();
        let whole = beside && built.iter().filter(|b| b.source.origin == origin).all(runs);
        if whole || covers(facts, &b.source.domain, own)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Has a domain, for every instance of another one with fewer loops, the instance with the first iterations of its loops inside?
fn covers(facts: &Facts, domain: &Domain, outer: &Domain) -> Raise<bool> {
    let Some(inside) = domain.loops.strip_prefix(outer.loops.as_slice()) else { return Ok(false) };
    for row in &domain.rows {
        let mut poly = Some(row.poly.clone());
        for &l in inside {
            poly = poly.and_then(|p| p.substitute(Symbol::Iterator(l), &Poly::default()));
        }
        let Some(poly) = poly else { return Ok(false) };
        let holds = facts.is_nonnegative(&poly, outer)?;
        let exact = row.kind == Kind::Ge || poly.scale(-1).map_or(Ok(false), |p| facts.is_nonnegative(&p, outer))?;
        if !(holds && exact) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Dense numbers for ranks: at every place of the loop tree, siblings are 0, 1, 2, ... in order.
fn dense_betas(sources: &[&Source]) -> Vec<Vec<usize>> {
    // Parts of a statement stand next to each other.
    let part = |k: usize| sources[..k].iter().filter(|s| s.position.beta == sources[k].position.beta).count();
    let ranks = sources.iter().enumerate().map(|(k, s)| {
        let mut beta: Vec<usize> = s.position.beta.iter().map(|rank| rank * sources.len()).collect();
        if let Some(last) = beta.last_mut() {
            *last += part(k);
        }
        beta
    });
    let ranks: Vec<Vec<usize>> = ranks.collect();
    let mut children: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for beta in &ranks {
        for depth in 0..beta.len() {
            children.entry(beta[..depth].to_vec()).or_default().push(beta[depth]);
        }
    }
    for siblings in children.values_mut() {
        siblings.sort_unstable();
        siblings.dedup();
    }
    let place = |beta: &[usize], depth: usize| {
        children.get(&beta[..depth]).and_then(|r| r.iter().position(|&x| x == beta[depth])).unwrap_or(0)
    };
    ranks.iter().map(|beta| (0..beta.len()).map(|depth| place(beta, depth)).collect()).collect()
}

fn name_of(analyses: Analyses, v: Value, k: usize) -> String {
    let name = v.name();
    match v.argument_index(analyses.function()) {
        _ if !name.is_empty() => name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect(),
        Some(a) => format!("arg{a}"),
        None => format!("M{k}"),
    }
}

fn value_text(facts: &Facts, v: Value) -> String {
    let name = v.name();
    match (v.constant_int(), v.argument_index(facts.analyses.function())) {
        (Some(c), _) => c.to_string(),
        _ if !name.is_empty() => name,
        (_, Some(k)) => format!("arg{k}"),
        _ if v.is_constant() => "const".into(),
        _ => "v".into(),
    }
}

fn assemble(
    region: &Region,
    leaving: &[(Value, Brought)],
    facts: &Facts,
    accesses: &Accesses,
    built: &[Built],
    options: &Options,
) -> Raise<Raised> {
    let analyses = facts.analyses;
    let budget = facts.budget;
    let affine = |poly: &Poly, loops: &[LoopIndex]| {
        facts
            .affine(poly, loops)
            .ok_or_else(|| Reject::new(RejectKind::NonAffineAccess(poly.text(|s| facts.symbol_name(s)))))
    };
    let params_only = Space::new(facts.params.len(), 0);
    let mut context = Polyhedron::universe(params_only);
    for row in facts.context.iter().chain(&facts.assumptions) {
        context.add(Constraint { kind: row.kind, expr: affine(&row.poly, &[])? });
    }
    let context = context.simplify(budget)?;

    // Only the arrays that statements use, in order of first use.
    let mut used: Vec<usize> = Vec::new();
    for b in built {
        for a in std::iter::once(b.source.array).chain(b.reads.iter().map(|(a, _)| *a)) {
            if !used.contains(&a) {
                used.push(a);
            }
        }
    }
    let id = |a: usize| ArrayId(used.iter().position(|&u| u == a).unwrap_or(0));
    let mut arrays = Vec::new();
    let mut data = Vec::new();
    for (k, &a) in used.iter().enumerate() {
        let shape = &accesses.arrays[a];
        arrays.push(scop::Array {
            name: name_of(analyses, shape.base, k),
            rank: shape.rank(),
            element_bytes: shape.bytes,
            stride_bytes: shape.bytes,
            inner_sizes: shape.table.iter().map(|_| None).chain(shape.inner_sizes.iter().copied()).collect(),
            is_virtual: shape.own,
        });
        data.push(ArrayData {
            base: shape.base,
            element: shape.element,
            bytes: shape.bytes,
            strides: shape.strides.clone(),
            rows: shape.rows.clone(),
            own: shape.own,
            table: shape.table.clone(),
        });
    }
    distinct_names(&mut arrays);
    if data.iter().any(|a| a.element.is_bfloat()) && !analyses.has_bfloat_vectors() {
        return Err(RejectKind::Forbidden("LLVM dies on vectors of bfloats for this target").into());
    }

    let sources: Vec<&Source> = built.iter().map(|b| &b.source).collect();
    let betas = dense_betas(&sources);
    let mut statements = Vec::new();
    let mut loads = BTreeSet::new();
    let mut bodies = Vec::new();
    let mut around: Vec<Vec<LoopIndex>> = Vec::new();
    for (b, beta) in built.iter().zip(betas) {
        let loops = &b.source.domain.loops;
        let set = facts.set(&b.source.domain)?.simplify(budget)?;
        if set.is_obviously_empty() {
            continue;
        }
        let rows = |cell: &[Poly]| cell.iter().map(|p| affine(p, loops)).collect::<Raise<Vec<Affine>>>();
        let mut list = vec![scop::Access {
            array: id(b.source.array),
            kind: if b.body.may_store_nothing() { scop::AccessKind::MayWrite } else { scop::AccessKind::Write },
            subscripts: rows(&b.source.cell)?,
            extent: 1,
        }];
        for (k, (array, cell)) in b.reads.iter().enumerate() {
            let subscripts = rows(cell)?;
            let is_old = b.body.old.is_some() && (*array, cell) == (b.source.array, &b.source.cell);
            let kind = if k < b.certain || is_old { scop::AccessKind::Read } else { scop::AccessKind::MayRead };
            list.push(scop::Access { array: id(*array), kind, subscripts, extent: 1 });
        }
        let own: Vec<usize> = (1..list.len())
            .filter(|&k| list[k].array == list[0].array && list[k].subscripts == list[0].subscripts)
            .collect();
        let of_array: Vec<usize> = (1..list.len()).filter(|&k| list[k].array == list[0].array).collect();
        let weight = weight::weigh(analyses, &b.body, &own, &of_array);
        let innermost = loops.last().and_then(|l| facts.loops[l.0].handle);
        let computes_anew =
            |l: Loop| region.blocks.iter().any(|&b| analyses.loop_for(b) == Some(l) && analyses.may_compute_anew(b));
        // LLVM has masks for what data decide about; of what is one store with several values there, nobody knows what it makes.
        let may_be_masked = b.source.ways.is_empty();
        statements.push(Statement {
            name: format!("S{}", statements.len()),
            domain: set,
            beta,
            operations: weight.operations,
            calls: weight.calls,
            alone: weight.alone,
            chain_latency: weight.chain,
            shared: BTreeMap::new(),
            any_order: weight.any_order,
            magnitudes: weight.magnitudes,
            sums: weight.sums,
            by_numbers: weight.by_numbers,
            constants: weight.constants,
            widest: weight.widest,
            commutes: weight.commutes,
            latencies: weight.latencies,
            decided_by: b.conditions.iterators.clone(),
            asked: b.conditions.operations,
            skipped_by: b.conditions.skipping.clone().unwrap_or_default(),
            loaded: b.loaded.iter().filter(|(_, load)| loads.insert(**load)).map(|(access, _)| *access).collect(),
            sought: b.sought,
            uncounted: innermost.is_some_and(|l| analyses.backedge_taken(l).is_none() || computes_anew(l)),
            vectorizable: weight.widens
                && super::body::can_widen(&b.body)
                && (!b.body.is_conditional() || may_be_masked),
            text: weight::text(&b.body, &|v| value_text(facts, v)),
            accesses: list,
        });
        bodies.push(b.body.clone());
        around.push(loops.clone());
    }
    if statements.is_empty() {
        return Err(RejectKind::NoStore.into());
    }
    weight::share(&mut statements, &bodies);
    let scop = Scop {
        params: facts.params.iter().map(|p| p.name.clone()).collect(),
        computed: (0..facts.params.len()).filter(|&k| facts.params[k].formula.is_some()).collect(),
        context: Some(context),
        arrays,
        statements,
    };
    let exact = rounding::check(analyses, &scop, &bodies)?;
    Around { analyses, region, params: &facts.params, arrays: &data }.check(&scop, &bodies)?;
    let touched = built.iter().flat_map(|b| {
        std::iter::once((b.source.array, &b.source.cell)).chain(b.reads.iter().map(|(a, cell)| (*a, cell)))
    });
    let wide: BTreeSet<usize> =
        touched.filter(|(a, cell)| may_wrap(facts, &accesses.arrays[*a], cell)).map(|(a, _)| id(a).0).collect();
    let mut checks = checks(facts, &scop, (&data, &wide), &affine)?;
    let place = |a: usize| used.iter().position(|&u| u == a);
    for b in built {
        if place(b.source.array).is_some_and(|a| !checks.cells.is_empty() && !data[a].own)
            && overwrites_hoisted(facts, &accesses.arrays[b.source.array], &b.source)?
        {
            return Err(RejectKind::StaleLoad.into());
        }
    }
    let model = Model { scop: &scop, arrays: &data, bodies: &bodies, loops: &around, place: &place };
    checks.inspections = indirect::inspections(facts, accesses, &model)?;
    checks.exact = exact;
    checks.looks = factors::looks(facts, accesses, &model)?;
    let (looks, bounded) = magnitudes::looks(region, facts, accesses, &model)?;
    checks.looks.extend(looks);
    checks.magnitudes = bounded;
    let written: Vec<bool> = (0..data.len()).map(|k| is_written(&scop, k)).collect();
    let may_reach = |base: Value, a: usize| data[a].may_reach(analyses, base);
    checks.rows = rows::checks(facts, accesses, &place, &written, &may_reach)?;
    // These are read before it is known that the program does.
    let reads_ahead = !(checks.inspections.is_empty() && checks.rows.is_empty());
    if reads_ahead && !checks.looks.is_empty() {
        return Err(RejectKind::NonAffineCondition.into());
    }
    let writes: Vec<(usize, Value)> = built
        .iter()
        .flat_map(|b| b.instructions().into_iter().filter_map(|v| Some((place(b.source.array)?, v))))
        .collect();
    let inspected: Vec<usize> = checks.inspections.iter().map(|i| i.array).collect();
    let takes_in_order = |data: &ArrayData| {
        data.table.as_ref().is_some_and(|t| {
            let own: Vec<_> = accesses.rows.iter().filter(|(l, _)| l.base == t.base).collect();
            ahead::takes_in_order(&own)
        })
    };
    let in_order: Vec<usize> = (0..data.len()).filter(|&k| takes_in_order(&data[k])).collect();
    let memory = ahead::Memory {
        analyses,
        region,
        params: &facts.params,
        hoisted: &facts.hoisted,
        arrays: &data,
        writes: &writes,
        inspected: &inspected,
        in_order: &in_order,
    };
    checks.ahead = ahead::ahead(&memory, &checks.cells)?;
    let inspected: usize = checks.inspections.iter().map(|i| i.apart.len()).sum();
    let inspected = inspected + checks.rows.iter().map(|r| r.writers.len() + usize::from(r.distinct)).sum::<usize>();
    let compared = checks.pairs.len() + checks.cells.len() + inspected;
    if compared as u64 > options.max_checks {
        return Err(RejectKind::TooManyChecks(compared).into());
    }
    let mut exit_values = Vec::new();
    for &(phi, brought) in leaving {
        let brought = match brought {
            Brought::Cell(a) => {
                Brought::Cell(place(a).ok_or_else(|| Reject::new(RejectKind::LiveOut).at(region.exit))?)
            }
            known => known,
        };
        exit_values.push((phi, brought));
    }
    let by_remainders = (0..facts.loops.len())
        .any(|k| facts.loops[k].residue_of.is_some() && facts.loops.iter().all(|l| l.parent != Some(LoopIndex(k))));
    Ok(Raised {
        region: region.clone(),
        scop,
        params: facts.params.clone(),
        hoisted: facts.hoisted.clone(),
        arrays: data,
        bodies,
        checks,
        exit_values,
        locals: Locals::default(),
        unrolled: false,
        by_remainders,
    })
}

fn distinct_names(arrays: &mut [scop::Array]) {
    for k in 1..arrays.len() {
        if arrays[..k].iter().any(|a| a.name == arrays[k].name) {
            arrays[k].name = format!("{}_{k}", arrays[k].name);
        }
    }
}

fn is_written(scop: &Scop, array: usize) -> bool {
    scop.statements.iter().any(|s| s.write().array == ArrayId(array))
}

/// Does a statement write to the very cell of a load that is made in front of the region, whenever it runs? Then the check of that load would fail.
fn overwrites_hoisted(facts: &Facts, array: &ArrayShape, source: &Source) -> Raise<bool> {
    let mut cells = facts.hoisted.iter().filter(|h| h.base == array.base).peekable();
    if array.table.is_some() || array.rows.are_packed() || cells.peek().is_none() {
        return Ok(false);
    }
    let overflow = || Reject::new(RejectKind::Overflow);
    let mut offset = Poly::default();
    for (stride, subscript) in array.strides.iter().zip(&source.cell) {
        offset = offset.add(&stride.mul(subscript).ok_or_else(overflow)?).ok_or_else(overflow)?;
    }
    let Some(offset) = facts.affine(&offset, &source.domain.loops) else { return Ok(false) };
    let bytes = |n: u64| i64::try_from(n).map_err(|_| overflow());
    for h in cells {
        // It begins before the loaded bytes end, and ends behind where they begin.
        let before = offset.scale(-1)?.offset(h.offset.checked_add(bytes(h.bytes)?).ok_or_else(overflow)? - 1)?;
        let behind = offset.offset(bytes(array.bytes)?.checked_sub(h.offset).ok_or_else(overflow)? - 1)?;
        let domain = facts.set(&source.domain)?;
        let meets = domain.clone().with(Constraint::ge(before)).with(Constraint::ge(behind));
        let iterators: Vec<usize> = (0..domain.space().dims).collect();
        let shadow = meets.project_out(&iterators, facts.budget)?;
        let mut always = shadow.exact && !shadow.set.is_empty(facts.budget)?;
        for row in shadow.set.embed(domain.space(), &[]).constraints() {
            always = always && domain.implies(row, facts.budget)?;
        }
        if always {
            return Ok(true);
        }
    }
    Ok(false)
}

/// May a cell of an array with constant strides be so far from its start that another one has the same address?
fn may_wrap(facts: &Facts, array: &ArrayShape, cell: &[Poly]) -> bool {
    let inside = cell.get(cell.len().saturating_sub(array.strides.len())..).unwrap_or_default();
    let mut sum = (0i128, 0i128);
    for (stride, subscript) in array.strides.iter().zip(inside) {
        // Others are checked in any case.
        let Some(stride) = stride.as_constant() else { return false };
        let stride = i128::from(stride);
        let Some((low, high)) = facts.interval(subscript) else { return true };
        let (Some(low), Some(high)) = (low.checked_mul(stride), high.checked_mul(stride)) else { return true };
        let (Some(low), Some(high)) = (sum.0.checked_add(low), sum.1.checked_add(high)) else { return true };
        sum = (low, high);
    }
    sum.0 <= -FAR || sum.1 >= FAR
}

/// `wide`: the arrays of which [`may_wrap`] says so.
fn checks(
    facts: &Facts,
    scop: &Scop,
    (arrays, wide): (&[ArrayData], &BTreeSet<usize>),
    affine: &dyn Fn(&Poly, &[LoopIndex]) -> Raise<Affine>,
) -> Raise<Checks> {
    let mut assumptions: Vec<Affine> = Vec::new();
    for row in &facts.assumptions {
        let expr = affine(&row.poly, &[])?;
        // Of those that differ by a constant the strongest is enough.
        let is_alike = |other: &&mut Affine| other.coeffs().get(1..) == expr.coeffs().get(1..);
        match assumptions.iter_mut().find(is_alike) {
            Some(known) if known.constant_term() <= expr.constant_term() => {}
            Some(known) => *known = expr,
            None => assumptions.push(expr),
        }
    }
    let mut products: Vec<Poly> = Vec::new();
    for product in &facts.products {
        let more = |known: &Poly| product.sub(known).and_then(|more| more.as_constant());
        match products.iter_mut().find_map(|known| more(known).map(|more| (known, more))) {
            Some((_, 0..)) => {}
            Some((known, _)) => known.clone_from(product),
            None => products.push(product.clone()),
        }
    }
    let written = |k: usize| is_written(scop, k);
    let mut pairs = Vec::new();
    for a in 0..arrays.len() {
        for b in a + 1..arrays.len() {
            let own = arrays[a].own || arrays[b].own;
            let may_meet = arrays[b].table.is_some() || arrays[a].may_reach(facts.analyses, arrays[b].base);
            if !own && (written(a) || written(b)) && may_meet {
                pairs.push((a, b));
            }
        }
    }
    let mut cells = Vec::new();
    for (h, hoisted) in facts.hoisted.iter().enumerate() {
        for (a, array) in arrays.iter().enumerate() {
            if written(a) && array.may_reach(facts.analyses, hoisted.base) {
                cells.push((h, a));
            }
        }
    }
    let far = |a: &ArrayData| a.rows.are_packed() || a.strides.iter().any(|s| s.as_constant().is_none());
    let bounded = (0..arrays.len()).filter(|&k| far(&arrays[k]) || (wide.contains(&k) && written(k))).collect();
    Ok(Checks {
        assumptions,
        products,
        either: facts.either.clone(),
        pairs,
        cells,
        ahead: ahead::Ahead::default(),
        inspections: Vec::new(),
        looks: Vec::new(),
        magnitudes: Vec::new(),
        exact: Vec::new(),
        rows: Vec::new(),
        bounded,
    })
}
