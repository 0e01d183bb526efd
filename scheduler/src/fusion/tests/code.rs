//! Traversals of nests against all instances: `nests/NAME.loops` and random nests.

use crate::choose::search::Random;
use crate::choose::{self, Choice, ChooseOptions};
use crate::dependence::Dependences;
use crate::fusion::{
    Answer, Class, Direction, Graph, Ideal, Inside, Outcome, Pick, Planner, SharedInputs, Solution, Survey, derive,
    fuse, is_strip, nests, offer, print_survey, traversals,
};
use crate::machine::Machine;
use crate::plan;
use crate::properties::random_text;
use crate::scop::{Scop, StatementId};
use crate::{disguise::Tape, testing};
use expect_test::{Expect, expect};
use polyhedra::{Affine, Budget};
use std::collections::{BTreeMap, BTreeSet};

macro_rules! nests {
    ($($name:literal: $forward:expr, $backward:expr;)*) => {
        [$(($name, include_str!(concat!("../nests/", $name, ".loops")), [$forward, $backward])),*]
    };
}

/// Name, text, traversals of the last sweep forwards and backwards.
const NESTS: [(&str, &str, [usize; 2]); 14] = nests![
    "cholesky": 3, 0;
    "cholesky_dtrti2": 0, 0;
    "cholesky_inverse": 3, 0;
    "cholesky_solve": 5, 0;
    "cholesky_solves": 0, 0;
    "inverse": 3, 0;
    "inverse_ltl": 3, 0;
    "lower_solve": 2, 0;
    "ltl": 3, 0;
    "lu": 5, 0;
    "lu_inverses": 5, 0;
    "spd_inverse": 1, 0;
    "upper_solve": 0, 2;
    "trisolve": 1, 0;
];

/// An instance: when it runs in the source, its cells with "is it written", its coordinates.
struct Event {
    statement: StatementId,
    original: Vec<i64>,
    cells: Vec<(Cell, bool)>,
    coordinates: Vec<i64>,
}

/// All instances of the statements of a survey, coordinates in its direction.
fn events(scop: &Scop, survey: &Survey, params: &[i64]) -> Vec<Event> {
    let mut out = Vec::new();
    for (&id, frame) in &survey.classes.frames {
        let s = &scop.statements[id.0];
        for point in polyhedra::oracle::points(&s.domain, params, 0, params.iter().copied().max().unwrap_or(0) + 1)
            .expect("points")
        {
            let value = |e: &Affine| e.eval(params, &point).expect("a number");
            let mut original = Vec::new();
            for (d, &b) in s.beta.iter().enumerate() {
                original.push(i64::try_from(b).expect("small"));
                original.extend(point.get(d));
            }
            let cells = s
                .accesses
                .iter()
                .map(|a| ((a.array.0, a.subscripts.iter().map(value).collect()), a.kind.writes()))
                .collect();
            let sign = if survey.direction == Direction::Forward { 1 } else { -1 };
            let coordinates = frame.coordinates.iter().map(|c| sign * value(c)).collect();
            out.push(Event { statement: id, original, cells, coordinates });
        }
    }
    out.sort_by(|a, b| a.original.cmp(&b.original));
    out
}

/// The classes that an instance goes through, with the first step of each.
fn passage(e: &Event) -> Vec<(Class, i64)> {
    let mut steps: Vec<i64> = e.coordinates.clone();
    steps.sort_unstable();
    steps.dedup();
    let at = |t: i64| {
        let bits = e.coordinates.iter().enumerate().map(|(k, &c)| u32::from(c <= t) << k).sum();
        (Class { statement: e.statement, mask: bits }, t)
    };
    std::iter::once((Class { statement: e.statement, mask: 0 }, i64::MIN)).chain(steps.into_iter().map(at)).collect()
}

/// Array and subscripts.
type Cell = (usize, Vec<i64>);

/// Pairs of instances, the first of which has to run no later.
fn conflicts(events: &[Event]) -> Vec<(usize, usize)> {
    let mut cells: BTreeMap<&Cell, Vec<(usize, bool)>> = BTreeMap::new();
    for (k, e) in events.iter().enumerate() {
        for (cell, writes) in &e.cells {
            cells.entry(cell).or_default().push((k, *writes));
        }
    }
    let mut out = BTreeSet::new();
    for list in cells.values() {
        for (k, (b, writes)) in list.iter().enumerate() {
            let earlier = list[..k].iter().filter(|(a, w)| a != b && (*w || *writes));
            out.extend(earlier.map(|(a, _)| (*a, *b)));
        }
    }
    out.into_iter().collect()
}

/// All ways to call classes past or future such that every instance, once run, has run, and all conflicting pairs keep their order: by trying.
/// `None`: too many to try.
fn by_trying(scop: &Scop, survey: &Survey, sizes: &[i64]) -> Option<BTreeSet<Ideal>> {
    let full = |s: StatementId| survey.classes.frames[&s].full();
    let mut all = Vec::new();
    let mut classes = BTreeSet::new();
    for &n in sizes {
        let events = events(scop, survey, &vec![n; scop.params.len()]);
        let passages: Vec<_> = events.iter().map(passage).collect();
        classes.extend(passages.iter().flatten().map(|p| p.0));
        all.push((conflicts(&events), passages));
    }
    let free: Vec<Class> = classes.iter().copied().filter(|c| c.mask != 0 && c.mask != full(c.statement)).collect();
    if free.len() > 11 {
        return None;
    }
    let mut out = BTreeSet::new();
    for bits in 0..1_u32 << free.len() {
        let chosen = free.iter().enumerate().filter(|(k, _)| bits >> k & 1 == 1).map(|(_, c)| *c);
        let whole = classes.iter().copied().filter(|c| c.mask == full(c.statement));
        let past: Ideal = chosen.chain(whole).collect();
        let legal = all.iter().all(|(conflicts, passages)| {
            let theta: Option<Vec<i64>> = passages
                .iter()
                .map(|p| {
                    let first = p.iter().position(|(c, _)| past.contains(c))?;
                    p[first..].iter().all(|(c, _)| past.contains(c)).then_some(p[first].1)
                })
                .collect();
            theta.is_some_and(|theta| conflicts.iter().all(|&(a, b)| theta[a] <= theta[b]))
        });
        if legal {
            out.insert(past);
        }
    }
    Some(out)
}

/// The ideals of a survey; `None` where not all are listed.
fn ideals(survey: &Survey) -> Option<BTreeSet<Ideal>> {
    match &survey.outcome {
        Outcome::Legal { ideals, more } => (!more).then(|| ideals.iter().cloned().collect()),
        Outcome::Blocked(_) => Some(BTreeSet::new()),
    }
}

/// Everything that must hold for a survey.
fn check_survey(scop: &Scop, planner: &Planner<'_>, survey: &Survey, budget: &Budget) {
    match &survey.outcome {
        Outcome::Legal { ideals, more } => {
            let graph = Graph::new(&survey.classes, survey.direction, budget).expect("a graph");
            let all: BTreeSet<&Ideal> = ideals.iter().collect();
            assert_eq!(all.len(), ideals.len());
            for a in ideals {
                assert!(graph.is_ideal(a));
                assert!(ideals[0].is_subset(a) && a.is_subset(&ideals[ideals.len() - 1]));
                for b in ideals.iter().take(if *more { 0 } else { 20 }) {
                    assert!(all.contains(&(a & b)) && all.contains(&(a | b)));
                }
            }
        }
        Outcome::Blocked(path) => {
            assert!(!path.is_empty());
            let witnesses = planner.witnesses(survey).expect("witnesses");
            assert_eq!(witnesses.len(), path.len());
            for w in &witnesses {
                let text = || print_survey(scop, planner, survey).expect("text");
                assert!(planner.holds(survey, w).expect("a check"), "{}", text());
            }
            assert!(witnesses.windows(2).all(|w| w[0].to == w[1].from));
            let first = path[0].from;
            assert_eq!(first.mask, survey.classes.frames[&first.statement].full());
            assert_eq!(path[path.len() - 1].to.mask, 0);
        }
    }
}

#[test]
fn named_nests_have_the_known_traversals() {
    for (name, text, wanted) in NESTS {
        let scop = testing::scop(text).expect("text");
        let budget = Budget::new(200_000_000);
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let mut planner = Planner::new(&scop, &dependences, &budget);
        let all = 0..planner.nests().len();
        let surveys = planner.survey(all).expect("surveys");
        let last = surveys[surveys.len() - 2..].iter().map(|s| ideals(s).map(|i| i.len()));
        assert_eq!(last.collect::<Vec<_>>(), wanted.map(Some), "{name}");
        for survey in &surveys {
            check_survey(&scop, &planner, survey, &budget);
            let tried = by_trying(&scop, survey, &[1, 2, 3, 4, 5]).expect("few classes");
            assert_eq!(Some(tried), ideals(survey), "{name} {}", survey.direction);
        }
    }
}

/// Every traversal becomes a schedule that keeps the order of conflicting instances, and the planner finds its inner rows.
#[test]
fn traversals_are_schedules() {
    for (name, text, _) in NESTS {
        let scop = testing::scop(text).expect("text");
        let budget = Budget::new(1_000_000_000);
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        for (survey, list) in traversals(&scop, &dependences, &budget).expect("traversals") {
            assert_eq!(Some(list.len()), ideals(&survey).map(|i| i.len()), "{name}");
            for t in list {
                let own = t.split.as_ref().map_or(&scop, |s| &s.scop);
                for n in [1, 2, 4] {
                    let params = vec![n; scop.params.len()];
                    let bad = testing::violation(own, t.schedule.tree(), &params, 0, 4).expect("no overflow");
                    assert_eq!(bad, None, "{name} #{:?}", t.numbers);
                }
                assert_eq!(t.inside, Inside::Planned, "{name} #{:?}", t.numbers);
            }
        }
    }
}

/// When nothing is found inside: without luck, the step and the order of the source.
#[test]
fn the_fallback_is_legal() {
    for (name, text, _) in NESTS {
        let scop = testing::scop(text).expect("text");
        let budget = Budget::new(1_000_000_000);
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let mut planner = Planner::new(&scop, &dependences, &budget);
        planner.without_inner_planning();
        for run in planner.runs().expect("runs") {
            for survey in planner.survey(run).expect("surveys") {
                let Outcome::Legal { ideals, .. } = &survey.outcome else { continue };
                for k in 0..ideals.len() {
                    let t =
                        planner.traversal(&[Pick { survey: &survey, number: k }]).expect("no error").expect("a proof");
                    assert_eq!(t.inside, Inside::Source, "{name}");
                }
            }
        }
    }
}

/// Traversals that the search finds on the derived problem, as ideals.
fn by_regions(scop: &Scop, planner: &Planner<'_>, survey: &Survey, budget: &Budget) -> BTreeSet<Ideal> {
    let derived = derive(scop, planner, survey, budget).expect("a problem");
    let Answer::Fusable(list) = fuse(&derived.problem, SharedInputs::Free, budget).expect("an answer") else {
        return BTreeSet::new();
    };
    let past = |s: &Solution| -> Ideal {
        let all = s.past.iter().zip(&derived.classes).flat_map(|(past, tasks)| past.iter().map(move |&k| &tasks[k]));
        all.flatten().copied().collect()
    };
    // The problem does not know which way the boundary moves.
    let ours = |i: &Ideal| {
        let all = derived.classes.iter().flatten().flatten();
        all.filter(|c| c.mask == 0 || c.mask == survey.classes.frames[&c.statement].full())
            .all(|c| i.contains(c) == (c.mask != 0))
    };
    list.iter().map(past).filter(ours).collect()
}

/// What the choice is offered: proved, on the part itself, and quick to choose from.
#[test]
fn candidates_can_be_chosen_from() {
    for (name, text, _) in NESTS {
        let scop = testing::scop(text).expect("text");
        let budget = Budget::new(4_000_000_000);
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let mut all = plan::candidates(&scop, &dependences, &budget).expect("candidates");
        let before = choose(&scop, &dependences, &all, &budget);
        let last = all.pop().expect("the source order");
        let more = offer(&scop, &dependences, &budget).expect("traversals").candidates;
        assert!(["cholesky_solves", "cholesky_dtrti2"].contains(&name) || !more.is_empty(), "{name}");
        all.extend(more);
        all.push(last);
        let after = choose(&scop, &dependences, &all, &budget);
        // More to start from is never worse by the model, up to what its own limits cut off.
        assert!(after >= 0.99 * before, "{name}: {before} before, {after} after");
    }
}

/// The predicted speed-up.
fn choose(scop: &Scop, dependences: &Dependences, candidates: &[plan::Candidate], budget: &Budget) -> f64 {
    let machine = Machine::for_cpu("x86-64-v3", 0, 0);
    let options = ChooseOptions::default();
    match choose::choose(scop, dependences, candidates, &machine, &options, budget).expect("a choice") {
        Choice::Transform { predicted_speedup, .. } => predicted_speedup,
        Choice::Leave { .. } => 1.0,
    }
}

#[test]
fn regions_and_classes_agree() {
    for (name, text, _) in NESTS {
        let scop = testing::scop(text).expect("text");
        let budget = Budget::new(1_000_000_000);
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let mut planner = Planner::new(&scop, &dependences, &budget);
        let all = 0..planner.nests().len();
        for survey in planner.survey(all).expect("surveys") {
            let own = ideals(&survey).expect("few");
            let derived = derive(&scop, &planner, &survey, &budget).expect("a problem");
            let found = by_regions(&scop, &planner, &survey, &budget);
            assert_eq!(found, own, "{name} {}", survey.direction);
            for ideal in &own {
                let solution = derived.solution(ideal, &budget).expect("strips");
                assert!(solution.strips.iter().all(|s| is_strip(&s.marks)), "{name}");
            }
        }
    }
}

#[test]
fn random_nests() {
    let (mut legal, mut blocked, mut tried) = (0, 0, 0);
    for seed in 0..160_u64 {
        let mut random = Random::new(seed);
        let bytes: Vec<u8> = (0..200).map(|_| u8::try_from(random.below(256)).expect("a byte")).collect();
        // Trying knows no negative sizes.
        let text = random_text(&mut Tape::new(&bytes)).replacen("params N\n", "params N\nassume N >= 1\n", 1);
        let scop = testing::scop(&text).expect("text");
        let budget = Budget::new(100_000_000);
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let mut planner = Planner::new(&scop, &dependences, &budget);
        assert_eq!(planner.nests(), nests(&scop));
        for run in planner.runs().expect("runs").into_iter().chain(std::iter::once(0..nests(&scop).len())) {
            for survey in planner.survey(run).expect("surveys") {
                check_survey(&scop, &planner, &survey, &budget);
                if matches!(survey.outcome, Outcome::Blocked(_)) {
                    blocked += 1;
                } else {
                    legal += 1;
                }
                let Some(own) = ideals(&survey) else { continue };
                let Some(mut found) = by_trying(&scop, &survey, &[1, 2, 3, 4, 5, 6, 7]) else { continue };
                if found != own {
                    // Some classes and conflicts need more room.
                    match by_trying(&scop, &survey, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) {
                        Some(more) => found = more,
                        None => continue,
                    }
                }
                let text = || crate::text::print_scop(&scop);
                assert_eq!(found, own, "seed {seed}: {}", text());
                let regions = by_regions(&scop, &planner, &survey, &budget);
                assert!(regions.is_subset(&own), "seed {seed}: {}", text());
                tried += 1;
            }
        }
        for (_, list) in traversals(&scop, &dependences, &budget).expect("traversals") {
            for t in list.iter().take(4) {
                let own = t.split.as_ref().map_or(&scop, |s| &s.scop);
                let bad = testing::violation(own, t.schedule.tree(), &[4], 0, 5).expect("no overflow");
                assert_eq!(bad, None, "seed {seed}: {}", crate::text::print_scop(&scop));
            }
        }
    }
    assert!(legal > 50 && blocked > 50 && tried > 80, "{legal} legal, {blocked} blocked, {tried} tried");
}

#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    let scop = testing::scop(text).expect("text");
    let budget = Budget::new(200_000_000);
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let mut planner = Planner::new(&scop, &dependences, &budget);
    let all = 0..planner.nests().len();
    let surveys = planner.survey(all).expect("surveys");
    let lines: String = surveys.iter().map(|s| print_survey(&scop, &planner, s).expect("text")).collect();
    expected.assert_eq(&format!("{lines}runs {:?}", planner.runs().expect("runs")));
}

#[test]
fn forward_and_transposed_solve_do_not_meet() {
    check(
        include_str!("../nests/cholesky_solves.loops"),
        expect![[r#"
        nests 0..2 over A.0 A.1 b.0 forward: impossible
          S5{-i0 + n - 1} must have run: all of it is behind the boundary
          then S6{i1}: output S6 -> S5 on b, as S6[0, 0] before S5[1] for n = 2
          then S3{}: flow S3 -> S6 on b, as S3[1] before S6[0, 0] for n = 2
          but S3{} cannot have run: none of it is
        nests 0..2 over A.0 A.1 b.0 backward: impossible
          S3{i0} must have run: all of it is ahead of the boundary
          then S4{i0 + i1 + 1}: output S4 -> S3 on b, as S4[0, 0] before S3[1] for n = 2
          then S3{}: flow S3 -> S4 on b, as S3[0] before S4[0, 0] for n = 2
          but S3{} cannot have run: none of it is
        runs [0..2, 2..3]"#]],
    );
}

/// A chain of nests over one dimension, then one that turns it round.
#[test]
fn runs_end_where_the_direction_changes() {
    check(
        "params n\nfor i = 0 .. n\n  b[i] = a[i]\nfor i = 1 .. n\n  c[i] = b[i-1] + b[i]\nfor i = 0 .. n\n  d[i] = c[n-1-i]\nfor i = 0 .. n\n  e[i] = d[i]",
        expect![[r#"
            nests 0..3 over b.0 a.0 c.0 d.0 e.0 forward: impossible
              S3{i0} must have run: all of it is behind the boundary
              then S2{i0}: flow S2 -> S3 on d, as S2[0] before S3[0] for n = 2
              then S1{}: flow S1 -> S2 on c, as S1[1] before S2[0] for n = 3
              but S1{} cannot have run: none of it is
            nests 0..3 over b.0 a.0 c.0 d.0 e.0 backward: impossible
              S2{i0, -i0 + n - 1} must have run: all of it is ahead of the boundary
              then S1{i0 + 1}: flow S1 -> S2 on c, as S1[0] before S2[1] for n = 3
              then S0{}: flow S0 -> S1 on b, as S0[0] before S1[0] for n = 2
              but S0{} cannot have run: none of it is
            runs [0..3, 2..4]"#]],
    );
}
