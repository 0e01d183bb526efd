//! Text of a static control part, for `print<loopwright-scop>`.

use super::Raised;
use super::looks::Cell;
use super::poly::{Poly, Symbol};
use polyhedra::text::print_set;
use scheduler::scop::{AccessKind, Scop};
use std::fmt::Write as _;

/// Prints a region's model: parameters, what is known and checked of them, arrays, statements with domains, positions and accesses.
#[must_use]
pub fn print(raised: &Raised) -> String {
    let scop = &raised.scop;
    let none: [&str; 0] = [];
    let params: Vec<&str> = scop.params.iter().map(String::as_str).collect();
    let mut out = String::new();
    let _ = writeln!(out, "params [{}]", params.join(", "));
    if let Some(context) = &scop.context {
        let _ = writeln!(out, "context {}", print_set(context, &params, &none));
    }
    for a in &raised.checks.assumptions {
        let _ = writeln!(out, "check {} >= 0", a.display(&params, &none));
    }
    for p in &raised.checks.products {
        let _ = writeln!(out, "check {} >= 0", p.text(|s| symbol(scop, s)));
    }
    for alternatives in &raised.checks.either {
        let list = |l: &Vec<Poly>| {
            let parts: Vec<String> = l.iter().map(|p| format!("{} >= 0", p.text(|s| symbol(scop, s)))).collect();
            parts.join(" and ")
        };
        let texts: Vec<String> = alternatives.iter().map(list).collect();
        let _ = writeln!(out, "check {}", texts.join(", or "));
    }
    for (a, b) in &raised.checks.pairs {
        let _ = writeln!(out, "check {} and {} do not overlap", scop.arrays[*a].name, scop.arrays[*b].name);
    }
    for (h, a) in &raised.checks.cells {
        let _ = writeln!(out, "check {} and hoisted load {h} do not overlap", scop.arrays[*a].name);
    }
    for i in &raised.checks.inspections {
        for &a in &i.apart {
            let (indices, written) = (&scop.arrays[i.array].name, &scop.arrays[a].name);
            let _ = writeln!(out, "check what the indices in {indices} lead to and {written} do not overlap");
        }
    }
    for e in &raised.checks.exact {
        let _ = writeln!(out, "check that {} factors are 1 or -1, or nothing is multiplied by them", e.factors.len());
    }
    for l in &raised.checks.looks {
        let name = &scop.arrays[l.array].name;
        let _ = match l.cells.as_slice() {
            cells if cells.iter().any(Cell::is_compared) => {
                writeln!(out, "check that no {name} is zero where the program asks")
            }
            cells => {
                let (cells, loops) = (cells.len(), l.loops.len());
                writeln!(out, "check that no {name} is NaN or too large, {cells} cells at a time in {loops} loops")
            }
        };
    }
    for m in &raised.checks.magnitudes {
        let _ = writeln!(out, "check that {} is not NaN or too large", m.value.name());
    }
    for r in &raised.checks.rows {
        let own = &scop.arrays[r.array].name;
        if r.distinct {
            let _ = writeln!(out, "check the rows of {own} do not overlap");
        }
        for &w in &r.writers {
            let _ = writeln!(out, "check the addresses of rows of {own} and {} do not overlap", scop.arrays[w].name);
        }
    }
    for (array, data) in scop.arrays.iter().zip(&raised.arrays) {
        let outer = array.rank - data.strides.len();
        let sizes: Vec<String> = std::iter::once("[]".to_owned())
            .chain((1..array.rank).map(|k| match array.inner_sizes[k - 1] {
                _ if data.rows.are_packed() => "[packed]".to_owned(),
                Some(c) => format!("[{c}]"),
                None if k == outer => "[row]".to_owned(),
                None => format!("[stride {}]", data.strides[k - 1 - outer].text(|s| symbol(scop, s))),
            }))
            .collect();
        let _ = writeln!(out, "array {}{} of {}", array.name, sizes.concat(), data.element.text());
    }
    for k in 0..scop.statements.len() {
        out += &statement(scop, k);
    }
    out
}

fn symbol(scop: &Scop, s: Symbol) -> String {
    match s {
        Symbol::Param(p) => scop.params[p.0].clone(),
        Symbol::Iterator(l) => format!("i{}", l.0),
        Symbol::Triangle(l) => format!("(i{0}*(i{0} + 1)/2)", l.0),
    }
}

fn statement(scop: &Scop, k: usize) -> String {
    let s = &scop.statements[k];
    let params: Vec<&str> = scop.params.iter().map(String::as_str).collect();
    let dims: Vec<String> = (0..s.depth()).map(|d| format!("i{d}")).collect();
    let dims: Vec<&str> = dims.iter().map(String::as_str).collect();
    let mut out = String::new();
    let beta: Vec<String> = s.beta.iter().map(ToString::to_string).collect();
    let _ = writeln!(out, "{} at [{}]", s.name, beta.join(", "));
    let _ = writeln!(out, "  domain {}", print_set(&s.domain, &params, &dims));
    let mut cells = Vec::new();
    for a in &s.accesses {
        let subs: Vec<String> = a.subscripts.iter().map(|e| format!("[{}]", e.display(&params, &dims))).collect();
        let cell = format!("{}{}", scop.arrays[a.array.0].name, subs.concat());
        let what = match a.kind {
            AccessKind::Read => "read",
            AccessKind::MayRead => "may read",
            AccessKind::Write => "write",
            AccessKind::MayWrite => "may write",
        };
        let _ = writeln!(out, "  {what} {cell}");
        cells.push(cell);
    }
    let mut text = s.text.clone();
    for (n, cell) in cells.iter().enumerate() {
        text = text.replace(&format!("{{{n}}}"), cell);
    }
    let _ = writeln!(out, "  {text}");
    out
}
