//! Every traversal of the fusion planner as loops, run against the source on symbolic memory.

#![allow(clippy::unwrap_used)]

use codegen::generate::generate;
use codegen::interpret::{execute, execute_in_order, execute_original, instances};
use codegen::registers::hold_cells;
use polyhedra::Budget;
use scheduler::dependence::Dependences;
use scheduler::fusion::traversals;
use scheduler::kernel::ProvedKernels;
use std::path::PathBuf;

/// Programs of the planner's own tests.
fn programs() -> Vec<(String, String)> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "scheduler", "src", "fusion", "nests"].iter().collect();
    let mut out: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .map(|p| (p.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(p).unwrap()))
        .collect();
    out.sort();
    out
}

#[test]
fn every_traversal_computes_what_the_source_computes() {
    let mut run = 0;
    for (name, text) in programs() {
        let scop = scheduler::text::parse_scop(&text).unwrap();
        let budget = Budget::new(4_000_000_000);
        let dependences = Dependences::of(&scop, &budget).unwrap();
        for t in traversals(&scop, &dependences, &budget).unwrap().into_iter().flat_map(|(_, list)| list) {
            let own = t.split.as_ref().map_or(&scop, |s| &s.scop);
            let ast = generate(own, &t.schedule, &ProvedKernels::default(), &budget).unwrap();
            let ast = hold_cells(own, ast, &budget).unwrap();
            for n in [0, 1, 2, 3, 7, 8] {
                let params = vec![n; scop.params.len()];
                // Statements that were split, under the names of the source.
                let mut order = instances(&ast, &params).unwrap();
                if let Some(split) = &t.split {
                    order.iter_mut().for_each(|i| i.0 = split.origin[i.0.0]);
                }
                let memory = execute_in_order(&scop, &order, &params).unwrap();
                assert_eq!(memory, execute_original(&scop, &params).unwrap(), "{name} #{:?} n={n}", t.numbers);
                let held = execute(own, &ast, &params).unwrap();
                assert_eq!(held, execute_original(own, &params).unwrap(), "{name} #{:?} n={n}", t.numbers);
            }
            run += 1;
        }
    }
    assert!(run >= 3 + 2 + 5 + 5 + 3 + 1 + 5, "{run} traversals");
}
