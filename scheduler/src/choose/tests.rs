//! Decisions on kernels whose best form is known, on a Zen 5 core.

use super::*;
use crate::cost::nest::{Nest, Piece, Role};
use crate::cost::{Estimate, Execution};
use crate::{plan, testing};
use std::fmt::Write as _;

/// The loops of an estimate as text, seen through the subscripts: loops are named `a`, `b`, ... from the outside, tile loops `A`, `B`, ...
fn loops(scop: &Scop, model: &Model<'_>, estimate: &Estimate) -> String {
    fn walk(scop: &Scop, nest: &Nest, piece: &Piece, depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        match piece {
            Piece::Block(children) => children.iter().for_each(|c| walk(scop, nest, c, depth, out)),
            Piece::Loop(id, body) => {
                let one = &nest.loops[id.0];
                let kind = match one.role {
                    Role::Plain => String::new(),
                    Role::Tile(size) => format!(" tiles of {size}"),
                    Role::Point(_) => " points".to_string(),
                };
                let extent = nest.paths.values().flat_map(|p| &p.steps).filter(|s| s.of == *id).map(|s| s.extent);
                let most = extent.fold(0.0, f64::max);
                let _ = writeln!(out, "{pad}for {}{kind}, {most:.0} times, {:?}", name(one.depth), one.carried);
                walk(scop, nest, body, depth + 1, out);
            }
            Piece::Call(s) => {
                let path = &nest.paths[s];
                let accesses: Vec<String> = path
                    .accesses
                    .iter()
                    .map(|a| {
                        let subscript = |d: usize| {
                            let mut text = String::new();
                            for k in 0..path.steps.len() {
                                match a.by[k][d] {
                                    0 => {}
                                    1 => text = format!("{text}+{}", name(k)),
                                    c => text = format!("{text}+{c}{}", name(k)),
                                }
                            }
                            if text.is_empty() {
                                a.base[d].to_string()
                            } else {
                                text.trim_start_matches('+').to_string()
                            }
                        };
                        let subscripts: Vec<String> = (0..a.base.len()).map(subscript).collect();
                        format!("{}[{}]", scop.arrays[a.array.0].name, subscripts.join(","))
                    })
                    .collect();
                let _ = writeln!(out, "{pad}{}", accesses.join(" "));
            }
        }
    }
    fn name(depth: usize) -> char {
        char::from(b'a' + u8::try_from(depth).unwrap_or(25))
    }
    let (_, nest) = model.weigh(estimate.annotated.clone()).expect("estimate").expect("loops");
    let mut out = String::new();
    walk(scop, &nest, &nest.root, 0, &mut out);
    for inner in &estimate.inner {
        let how = match inner.execution {
            Execution::Vector { lanes } => format!("vectors of {lanes}"),
            Execution::Scalar => "scalar".to_string(),
            Execution::Chain { cycles } => format!("chain of {cycles}"),
        };
        let names: Vec<&str> = inner.statements.iter().map(|s| scop.statements[s.0].name.as_str()).collect();
        let _ = writeln!(
            out,
            "{}: {how}, {:.3e} cycles of compute, {:.3e} of memory",
            names.join(" "),
            inner.compute,
            inner.memory
        );
    }
    let _ = writeln!(out, "{:.3e} cycles", estimate.cycles);
    out
}

fn run(text: &str, options: &ChooseOptions) -> (Scop, Choice, String) {
    let scop = testing::scop(text).expect("text of a part");
    let budget = Budget::new(400_000_000);
    let machine = Machine::for_cpu("znver5", 512, 32);
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let candidates = plan::candidates(&scop, &dependences, &budget).expect("candidates");
    let choice = choose(&scop, &dependences, &candidates, &machine, options, &budget).expect("choice");
    let model = Model::new(&scop, &dependences, &machine, &budget).expect("model");
    let mut out = String::new();
    match &choice {
        Choice::Leave { reason } => {
            let _ = writeln!(out, "leave: {reason}");
        }
        Choice::Transform { schedule, predicted_speedup, summary } => {
            let estimate = model.estimate(schedule.tree()).expect("estimate").expect("legal");
            let _ = writeln!(out, "{} ({predicted_speedup:.1} times)", summary.join(", "));
            out += &loops(&scop, &model, &estimate);
        }
    }
    (scop, choice, out)
}

#[test]
fn look() {
    let Ok(file) = std::env::var("LOOK_CHOICE") else { return };
    for text in std::fs::read_to_string(file).expect("file").split("----\n") {
        let time = std::time::Instant::now();
        let (scop, _, out) = run(text, &ChooseOptions::default());
        println!("=================== {:?}\n{text}", time.elapsed());
        let budget = Budget::generous();
        let machine = Machine::for_cpu("znver5", 512, 32);
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let model = Model::new(&scop, &dependences, &machine, &budget).expect("model");
        let estimate = model.estimate(&legality::original(&scop)).expect("estimate").expect("legal");
        println!("source:\n{}\n{out}", loops(&scop, &model, &estimate));
        if std::env::var("LOOK_ALL").is_ok() {
            let candidates = plan::candidates(&scop, &dependences, &budget).expect("candidates");
            let mut search = Search::new(&model);
            search.start_from(&candidates.iter().map(|c| c.schedule.tree()).collect::<Vec<_>>()).expect("ok");
            for c in &candidates {
                println!("{:?}\n{}", c.origin, plan::print(&scop, c.schedule.tree()));
                match model.estimate(c.schedule.tree()).expect("ok") {
                    Some(e) => println!("{}", loops(&scop, &model, &e)),
                    None => println!("no estimate"),
                }
            }
            search.run().expect("ok");
            for p in search.ranked().iter().take(4) {
                let e = model.estimate(&p.tree).expect("ok").expect("legal");
                println!("-- {}", loops(&scop, &model, &e));
            }
        }
    }
}
