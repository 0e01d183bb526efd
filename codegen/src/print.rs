//! An AST as text like C, made to be compared: two programs whose loops do the same print the same.
//!
//! ```text
//! for (c0 = 0; c0 <= n - 1; c0 += 1) { // parallel
//!   if (0 <= n - 1) {
//!     hold r0 = C[c0] (load, store) {
//!       for (c1 = 0; c1 <= n - 1; c1 += 1) {
//!         S0: r0 = r0 + A[c0][c1];
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! Loops are called by their depth, registers and statements by their first appearance, so that the order in which a program lists them does not
//! show; for people who have the schedule beside it, [`print_with`] keeps the statements' own names. A statement is printed through its accesses ([`Statement::text`] with its places filled), never through its iterators.

use crate::ast::{Ast, AstNode, Call, Condition, Expr, Held, Lanes, LoopKind, Place};
use crate::interpret::{next_lane, subscripts};
use polyhedra::Affine;
use scheduler::scop::{Access, Scop, Statement, StatementId};
use std::fmt::Write as _;

/// What statements are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// `S0`, `S1`, .. by first appearance.
    Canonical,
    /// As in schedules: [`Statement::name`].
    Own,
}

/// Prints an AST in canonical form. Deterministic; ends with a newline unless nothing runs.
#[must_use]
pub fn print(scop: &Scop, ast: &Ast) -> String {
    print_with(scop, ast, Names::Canonical)
}

/// [`print()`], with the names of statements to choose.
#[must_use]
pub fn print_with(scop: &Scop, ast: &Ast, called: Names) -> String {
    let mut printer = Printer {
        scop,
        ast,
        called,
        names: vec![String::from("?"); ast.space.dims],
        statements: Vec::new(),
        held: Vec::new(),
        registers: 0,
        out: String::new(),
    };
    printer.list(&ast.body, 0, 0);
    printer.out
}

struct Printer<'a> {
    scop: &'a Scop,
    ast: &'a Ast,
    called: Names,
    /// Names of the loop variables seen so far.
    names: Vec<String>,
    /// In order of first appearance.
    statements: Vec<StatementId>,
    /// Cells in registers here, with their names.
    held: Vec<(&'a Held, String)>,
    registers: usize,
    out: String,
}

impl<'a> Printer<'a> {
    fn line(&mut self, indent: usize, text: &str) {
        self.out.push_str(&"  ".repeat(indent));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn list(&mut self, nodes: &'a [AstNode], depth: usize, indent: usize) {
        for node in nodes {
            self.node(node, depth, indent);
        }
    }

    fn node(&mut self, node: &'a AstNode, depth: usize, indent: usize) {
        match node {
            AstNode::Call(call) => {
                let lanes = self.lanes(call.lanes.as_ref());
                let text = self.call(call);
                self.line(indent, &format!("{lanes}{text}"));
            }
            AstNode::Pack(pack) => {
                let lanes = self.lanes(pack.lanes.as_ref());
                let is_held = |(h, _): &&(&Held, String)| h.array == pack.array && h.subscripts == pack.subscripts;
                let from = match self.held.iter().rev().find(is_held) {
                    Some((_, name)) => name.clone(),
                    None => self.cell(pack.array.0, &pack.subscripts),
                };
                let text = format!("{lanes}{} = {from};", self.place(&pack.to));
                self.line(indent, &text);
            }
            AstNode::Fetch(fetch) => {
                let text = format!("fetch {};", self.cell(fetch.array.0, &fetch.subscripts));
                self.line(indent, &text);
            }
            AstNode::Scratch(scratch) => {
                let sizes = scratch.buffers.iter().map(|b| {
                    let cells = self.ast.buffers.get(b.0).map_or(0, |b| b.cells);
                    format!("p{}[{cells}]", b.0)
                });
                let sizes: Vec<String> = sizes.collect();
                let all: Vec<String> = scratch.conditions.iter().map(|c| self.condition(c)).collect();
                let when = if all.is_empty() { String::new() } else { format!(" if ({})", all.join(" && ")) };
                let what = if scratch.mirrors { "mirrors" } else { "scratch" };
                self.line(indent, &format!("{what} {}{when} {{", sizes.join(", ")));
                self.list(&scratch.body, depth, indent + 1);
                if !scratch.mirrors {
                    self.line(indent, "} else {");
                    self.list(&scratch.otherwise, depth, indent + 1);
                }
                self.line(indent, "}");
            }
            AstNode::For(f) => {
                let name = format!("c{depth}");
                let (lower, upper) = (self.expr(&f.lower), self.expr(&f.upper));
                let mut notes = Vec::new();
                match f.kind {
                    LoopKind::Point => {}
                    LoopKind::Tile => notes.push(String::from("tile")),
                    LoopKind::Lanes { width, vectors: 1 } => notes.push(format!("lanes {width}")),
                    LoopKind::Lanes { width, vectors } => notes.push(format!("{vectors} vectors of {width} lanes")),
                    LoopKind::Abreast { width } => notes.push(format!("abreast, lanes {width}")),
                    LoopKind::Corner { width, .. } => notes.push(format!("corner, lanes {width}")),
                    LoopKind::Rows { most, last } => notes.push(format!("{}rows {most}", of_the_last(last))),
                    LoopKind::Columns { most, width, last } => {
                        notes.push(format!("{}columns {most} by {width}", of_the_last(last)));
                    }
                }
                if f.parallel {
                    notes.push(String::from("parallel"));
                }
                let notes = if notes.is_empty() { String::new() } else { format!(" // {}", notes.join(", ")) };
                let head =
                    format!("for ({name} = {lower}; {name} <= {upper}; {name} += {step}) {{{notes}", step = f.step);
                self.line(indent, &head);
                if let Some(slot) = self.names.get_mut(f.var.0) {
                    *slot = name;
                }
                self.list(&f.body, depth + 1, indent + 1);
                self.line(indent, "}");
            }
            AstNode::If { conditions, then, otherwise } => {
                let all: Vec<String> = conditions.iter().map(|c| self.condition(c)).collect();
                self.line(indent, &format!("if ({}) {{", all.join(" && ")));
                self.list(then, depth, indent + 1);
                if !otherwise.is_empty() {
                    self.line(indent, "} else {");
                    self.list(otherwise, depth, indent + 1);
                }
                self.line(indent, "}");
            }
            AstNode::Held(held) => {
                let name = format!("r{}", self.registers);
                self.registers += 1;
                self.lanes(held.lanes.as_ref());
                let cell = self.mirrored(self.cell(held.array.0, &held.subscripts), held.mirrored.as_ref());
                let how = match (held.load, held.store) {
                    (true, true) if held.ahead.is_some() => " (load, store, fetch the next)",
                    (true, true) => " (load, store)",
                    (true, false) => " (load)",
                    (false, true) => " (store)",
                    (false, false) => "",
                };
                let lanes = self.lanes(held.lanes.as_ref());
                self.line(indent, &format!("hold {lanes}{name} = {cell}{how} {{"));
                self.held.push((held, name));
                self.list(&held.body, depth, indent + 1);
                self.held.pop();
                self.line(indent, "}");
            }
        }
    }

    /// `lanes 0..8, < n - c0: `; names the variable.
    fn lanes(&mut self, lanes: Option<&Lanes>) -> String {
        let Some(lanes) = lanes else { return String::new() };
        if let Some(name) = self.names.get_mut(lanes.var.0) {
            *name = String::from("lane");
        }
        let from = lanes.from.as_ref().map(|e| format!(", >= {}", self.expr(e))).unwrap_or_default();
        let to = lanes.to.as_ref().map(|e| format!(", < {}", self.expr(e))).unwrap_or_default();
        format!("lanes {}{from}{to}: ", lanes.width)
    }

    fn place(&self, place: &Place) -> String {
        format!("p{}[{}]", place.buffer.0, self.affine(&place.index))
    }

    fn call(&mut self, call: &Call) -> String {
        let number = self.statements.iter().position(|s| *s == call.statement).unwrap_or_else(|| {
            self.statements.push(call.statement);
            self.statements.len() - 1
        });
        let Some(statement) = self.scop.statements.get(call.statement.0) else {
            return format!("S{number}: ?;");
        };
        let access = |(k, a)| match call.packed.iter().find(|(id, _)| id.0 == k) {
            Some((_, place)) => self.place(place),
            None if call.behind.iter().any(|id| id.0 == k) => self.behind((k, a), call),
            None => self.access((k, a), call),
        };
        let accesses: Vec<String> = statement.accesses.iter().enumerate().map(access).collect();
        let text = filled(statement, &accesses);
        match self.called {
            Names::Canonical => format!("S{number}: {text};"),
            Names::Own => format!("{}: {text};", statement.name),
        }
    }

    /// What an access is of: a register before the mirror, and that before the array.
    fn access(&self, (k, access): (usize, &Access), call: &Call) -> String {
        let Ok(cell) = subscripts(access, call, self.ast.space) else { return String::from("?") };
        let register = self.held.iter().rev().find(|(h, _)| h.array == access.array && h.subscripts == cell);
        if let Some((_, name)) = register {
            return name.clone();
        }
        let place = call.mirrored.iter().find(|(id, _)| id.0 == k).map(|(_, place)| place);
        self.mirrored(self.cell(access.array.0, &cell), place)
    }

    /// A cell, and where it is in a mirror, if it is in one.
    fn mirrored(&self, cell: String, place: Option<&Place>) -> String {
        place.map_or(cell.clone(), |place| format!("mirrored({cell}, {})", self.place(place)))
    }

    /// A read that finds its cells one lane behind in a register, and the first of them in memory.
    fn behind(&self, (k, access): (usize, &Access), call: &Call) -> String {
        let register = call.lanes.as_ref().and_then(|lanes| {
            let cell = next_lane(&subscripts(access, call, self.ast.space).ok()?, lanes.var).ok()?;
            self.held.iter().rev().find(|(h, _)| h.array == access.array && h.subscripts == cell)
        });
        let name = register.map_or("?", |(_, name)| name.as_str());
        format!("behind({name}, {})", self.access((k, access), call))
    }

    fn cell(&self, array: usize, subscripts: &[Affine]) -> String {
        let name = self.scop.arrays.get(array).map_or("?", |a| a.name.as_str());
        let mut out = String::from(name);
        for e in subscripts {
            let _ = write!(out, "[{}]", self.affine(e));
        }
        out
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::LessEq(a, b) => format!("{} <= {}", self.expr(a), self.expr(b)),
            Condition::IsZero(e) => format!("{} == 0", self.expr(e)),
            Condition::Divides(d, e) => format!("({}) % {d} == 0", self.expr(e)),
            Condition::Granted(buffer) => format!("p{}", buffer.0),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        let all = |list: &[Expr]| list.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ");
        match expr {
            Expr::Affine(e) => self.affine(e),
            Expr::FloorDiv(e, d) => format!("floord({}, {d})", self.expr(e)),
            Expr::CeilDiv(e, d) => format!("ceild({}, {d})", self.expr(e)),
            Expr::Min(list) => format!("min({})", all(list)),
            Expr::Max(list) => format!("max({})", all(list)),
        }
    }

    /// Positive terms first, variables before parameters.
    fn affine(&self, e: &Affine) -> String {
        let vars = self.names.iter().zip(e.dim_coeffs());
        let params = self.scop.params.iter().zip(e.param_coeffs());
        let terms: Vec<(&str, i64)> =
            vars.chain(params).map(|(name, &c)| (name.as_str(), c)).filter(|(_, c)| *c != 0).collect();
        let mut out = String::new();
        let ordered = terms.iter().filter(|t| t.1 > 0).chain(terms.iter().filter(|t| t.1 < 0));
        for (name, c) in ordered {
            let size = c.unsigned_abs();
            let term = if size == 1 { (*name).to_string() } else { format!("{size}*{name}") };
            append(&mut out, *c < 0, &term);
        }
        let c = e.constant_term();
        if c != 0 || out.is_empty() {
            append(&mut out, c < 0, &c.unsigned_abs().to_string());
        }
        out
    }
}

fn append(out: &mut String, negative: bool, term: &str) {
    out.push_str(match (out.is_empty(), negative) {
        (true, true) => "-",
        (true, false) => "",
        (false, true) => " - ",
        (false, false) => " + ",
    });
    out.push_str(term);
}

/// The statement's text with `{n}` replaced by access `n`; `write = f(reads)` when it has no text.
fn filled(statement: &Statement, accesses: &[String]) -> String {
    if statement.text.is_empty() {
        let (write, reads) = accesses.split_first().map_or(("?", &[][..]), |(w, r)| (w.as_str(), r));
        return format!("{write} = f({})", reads.join(", "));
    }
    let mut out = String::new();
    let mut rest = statement.text.as_str();
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let number = from.find('}').and_then(|close| Some((from[1..close].parse::<usize>().ok()?, close)));
        match number.and_then(|(n, close)| Some((accesses.get(n)?, close))) {
            Some((access, close)) => {
                out.push_str(access);
                rest = &from[close + 1..];
            }
            None => {
                out.push('{');
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn of_the_last(last: bool) -> &'static str {
    if last { "last " } else { "" }
}
