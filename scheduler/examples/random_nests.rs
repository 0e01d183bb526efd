//! Random nests, each scheduled and each schedule checked twice: `scripts/random-nests.sh [COUNT] [SEED]`.
//!
//! Several statements in imperfect, triangular nests with offsets, often inside a time loop. Every schedule found is checked against its own certificates, read
//! again with nothing but exact arithmetic, and against all pairs of instances for some sizes. Prints how many parts got a schedule other than the
//! source's, and how many of those without any `Δω`.

use polyhedra::{Affine, Budget, Constraint, Space};
use scheduler::dependence::Dependences;
use scheduler::legality::LegalSchedule;
use scheduler::plan::{self, Origin};
use scheduler::scop::{Scop, StatementId};
use scheduler::testing;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

/// Sizes at which all instances are run through.
const SIZES: [i64; 2] = [3, 4];
/// Steps for one part; who needs more counts as given up.
const STEPS: u64 = 50_000_000;

/// SplitMix64: one number after the other, the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[usize::try_from(self.below(list.len() as u64)).unwrap_or(0)]
    }
}

fn subscript(r: &mut Random, loops: &[String]) -> String {
    let offset = r.below(4);
    let of = |r: &mut Random| {
        loops.get(usize::try_from(r.below(loops.len().max(1) as u64)).unwrap_or(0)).map_or("1", String::as_str)
    };
    match r.below(10) {
        0..=6 => format!("{} + {offset}", of(r)),
        7 => format!("{} + {} + {offset}", of(r), of(r)),
        8 => format!("N - {} + {offset}", of(r)),
        _ => format!("{offset}"),
    }
}

fn access(r: &mut Random, loops: &[String]) -> String {
    match r.below(8) {
        0..=3 => format!("{}[{}]", r.pick(&["A", "B", "C"]), subscript(r, loops)),
        4..=6 => format!("{}[{}, {}]", r.pick(&["D", "E"]), subscript(r, loops), subscript(r, loops)),
        _ => "s[]".into(),
    }
}

fn block(r: &mut Random, loops: &mut Vec<String>, most: usize, left: &mut u64, text: &mut String) {
    loop {
        let pad = "  ".repeat(loops.len());
        if loops.len() < most && r.below(5) < 3 {
            let name = ["i", "j", "k", "l"][loops.len().min(3)].to_string();
            let outer = loops.last().map_or("0".to_string(), Clone::clone);
            let range = match r.below(7) {
                0 => format!("{outer} .. N"),
                1 if !loops.is_empty() => format!("0 .. {outer}"),
                2 if !loops.is_empty() => format!("{outer}+1 .. N"),
                3 => "N-1 downto 0".into(),
                4 => "1 .. N-1".into(),
                _ => "0 .. N".into(),
            };
            let _ = writeln!(text, "{pad}for {name} = {range}");
            loops.push(name);
            block(r, loops, most, left, text);
            loops.pop();
        } else {
            let op = if r.below(3) == 0 { "+=" } else { "=" };
            let (a, b, c) = (access(r, loops), access(r, loops), access(r, loops));
            let _ = writeln!(text, "{pad}{a} {op} {b} * {c}");
            *left = left.saturating_sub(1);
        }
        if *left == 0 || (!loops.is_empty() && r.below(2) == 0) {
            return;
        }
    }
}

fn part(r: &mut Random) -> String {
    let mut text = "params N\n".to_string();
    let mut loops = Vec::new();
    if r.below(3) == 0 {
        text.push_str("for t = 0 .. 3\n");
        loops.push("t".to_string());
    }
    let mut left = 1 + r.below(5);
    let most = loops.len() + if loops.is_empty() { 3 } else { 2 };
    while left > 0 {
        block(r, &mut loops, most, &mut left, &mut text);
    }
    text
}

/// Reads the certificates again. `false`: one of them proves nothing.
fn certified(scop: &Scop, dependences: &Dependences, schedule: &LegalSchedule) -> scheduler::Result<bool> {
    let spaces: BTreeMap<StatementId, Space> =
        scop.statements.iter().enumerate().map(|(k, s)| (StatementId(k), s.space())).collect();
    let times = schedule.tree().flatten(&spaces);
    if schedule.proofs().len() != dependences.ordering.len() {
        return Ok(false);
    }
    for (d, proof) in dependences.ordering.iter().zip(schedule.proofs()) {
        let mut cut = d.relation.clone();
        for (level, certificate) in proof.nonnegative.iter().enumerate() {
            let delta = d.distance(&times[&d.source][level], &times[&d.target][level])?;
            if !certificate.proves(&delta, &cut)? {
                return Ok(false);
            }
            cut.add(Constraint::eq(delta));
        }
        if !proof.exhausted.proves(&Affine::constant(cut.space(), -1), &cut)? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[derive(Default)]
struct Counts {
    parts: AtomicU64,
    found: AtomicU64,
    zero: AtomicU64,
    schedules: AtomicU64,
    given_up: AtomicU64,
    wrong: AtomicU64,
}

fn one(seed: u64, counts: &Counts) -> Result<(), String> {
    let text = part(&mut Random(seed));
    let count = |c: &AtomicU64| c.fetch_add(1, Ordering::Relaxed);
    count(&counts.parts);
    let scop = testing::scop(&text).map_err(|e| format!("{text}: {e}"))?;
    let budget = Budget::new(STEPS);
    let made = Dependences::of(&scop, &budget).and_then(|d| Ok((plan::candidates(&scop, &d, &budget)?, d)));
    let Ok((found, dependences)) = made else {
        count(&counts.given_up);
        return Ok(());
    };
    if let Some(first) = found.first().filter(|c| c.origin != Origin::Original) {
        count(&counts.found);
        if first.delta_omega == 0 {
            count(&counts.zero);
        }
    }
    for c in &found {
        count(&counts.schedules);
        let say = |what: &str| format!("{what}\n{text}{:?}\n{}", c.origin, plan::print(&scop, c.schedule.tree()));
        if !certified(&scop, &dependences, &c.schedule).map_err(|e| e.to_string())? {
            return Err(say("a certificate proves nothing"));
        }
        for size in SIZES {
            let bad = testing::violation(&scop, c.schedule.tree(), &[size], 0, 5).map_err(|e| e.to_string())?;
            if let Some(bad) = bad {
                return Err(say(&bad));
            }
        }
    }
    Ok(())
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<u64>());
    let count = arguments.next().and_then(Result::ok).unwrap_or(20_000);
    let seed = arguments.next().and_then(Result::ok).unwrap_or(1);
    let counts = Counts::default();
    let next = AtomicU64::new(0);
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    if k >= count {
                        return;
                    }
                    // Seeds of one run do not meet those of the next.
                    let own = Random(seed.wrapping_mul(0x1_0000_0001).wrapping_add(k)).next();
                    if let Err(e) = one(own, &counts) {
                        counts.wrong.fetch_add(1, Ordering::Relaxed);
                        eprintln!("part {k} of seed {seed}: {e}");
                    }
                }
            });
        }
    });
    let get = |c: &AtomicU64| c.load(Ordering::Relaxed);
    println!("parts {}", get(&counts.parts));
    println!("with a schedule of our own {}, of these without offsets {}", get(&counts.found), get(&counts.zero));
    println!("schedules checked {}, parts given up {}", get(&counts.schedules), get(&counts.given_up));
    println!("wrong {}", get(&counts.wrong));
    if get(&counts.wrong) > 0 {
        std::process::exit(1);
    }
}
