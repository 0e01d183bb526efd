//! Trees and candidates as text.

use super::Candidate;
use crate::scop::Scop;
use crate::shift::Shifts;
use crate::tree::Node;
use polyhedra::{Affine, Space};
use std::fmt::Write as _;

/// Text for people and for FileCheck. Iterators are `i0, i1, ..`; a line a member, indented by depth:
///
/// ```text
/// band permutable
///   member parallel S0: i0; S2: i0
///   member S0: i1; S2: i1 + i2 + 1
///   sequence
///     S0
/// ```
#[must_use]
pub fn print(scop: &Scop, tree: &Node) -> String {
    fn walk(scop: &Scop, node: &Node, depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        match node {
            Node::Leaf(s) => {
                let _ = writeln!(out, "{pad}{}", scop.statements[s.0].name);
            }
            Node::Sequence(children) => {
                let _ = writeln!(out, "{pad}sequence");
                for c in children {
                    walk(scop, c, depth + 1, out);
                }
            }
            Node::Band { members, permutable, child } => {
                let _ = writeln!(out, "{pad}band{}", if *permutable { " permutable" } else { "" });
                for m in members {
                    let rows: Vec<String> = m
                        .rows
                        .iter()
                        .map(|(s, r)| format!("{}: {}", scop.statements[s.0].name, print_row(scop, r)))
                        .collect();
                    let parallel = if m.parallel { " parallel" } else { "" };
                    let tile = m.tile.map_or(String::new(), |t| format!(" tile {t}"));
                    let lanes = m.lanes.map_or(String::new(), |l| format!(" {l}"));
                    let abreast = m.abreast.map_or(String::new(), |count| format!(" abreast {count}"));
                    let _ = writeln!(out, "{pad}  member{parallel}{tile}{lanes}{abreast} {}", rows.join("; "));
                }
                walk(scop, child, depth + 1, out);
            }
        }
    }
    let mut out = String::new();
    walk(scop, tree, 0, &mut out);
    out
}

fn print_row(scop: &Scop, row: &Affine) -> String {
    let space: Space = row.space();
    let names: Vec<String> = (0..space.dims).map(|k| format!("i{k}")).collect();
    row.display(&scop.params, &names).to_string()
}

/// A candidate with its origin, its `Δω*` and the shifts of the part: `origin IndexMatching, delta omega 0`, then `shift` lines, then the tree.
#[must_use]
pub fn print_candidate(scop: &Scop, shifts: &Shifts, candidate: &Candidate) -> String {
    format!(
        "origin {:?}, delta omega {}\n{}{}",
        candidate.origin,
        candidate.delta_omega,
        shifts.print(scop),
        print(scop, candidate.schedule.tree())
    )
}
