//! Parts to text.
//!
//! Loops come from the places (`beta`) of the statements, their ranges from the rows of the domains: where the next two rows of all statements of a loop are
//! `i >= low` and `high >= i`, they become its range; all other rows become conditions where they stand. So reading gives back the same rows in the same
//! order. A statement is printed through its text where reading that line gives the statement again ([`parse_scop`] is asked), else with the
//! text in quotes behind a line that names its accesses.

use super::lex::written;
use super::nest::parse_scop;
use crate::scop::{Array, Scop, Sought, Statement};
use polyhedra::{Affine, Constraint, Kind, Polyhedron};
use std::fmt::Write as _;

/// Prints a part, see the header of [`super`] for what comes back when it is read.
#[must_use]
pub fn print_scop(scop: &Scop) -> String {
    let mut prefix = String::from("i");
    let taken = |prefix: &str| {
        let clashes = |name: &String| {
            name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
        };
        scop.params.iter().any(clashes)
    };
    while taken(&prefix) {
        prefix.push('_');
    }
    let deepest = scop.statements.iter().map(Statement::depth).max().unwrap_or(0);
    let printer = Printer {
        scop,
        params: scop.params.iter().map(|p| plain(p)).collect(),
        iterators: (0..deepest).map(|k| format!("{prefix}{k}")).collect(),
        assumed: assumed(scop),
    };
    let mut out = printer.declarations();
    let mut all: Vec<&Statement> = scop.statements.iter().collect();
    all.sort_by(|a, b| a.beta.cmp(&b.beta));
    let first: Vec<(usize, &Statement)> = all.into_iter().enumerate().collect();
    printer.nest(&first, 0, 0, 0, &mut out);
    out
}

fn plain(name: &str) -> String {
    written(name, |n| n == "min" || n == "max")
}

/// Number of rows of the context, when they stand at the end of every domain.
fn assumed(scop: &Scop) -> Option<usize> {
    let context = scop.context.as_ref()?;
    let rows = context.constraints().len();
    let ends_so = |s: &Statement| {
        let own = s.domain.constraints();
        let wide: Polyhedron = context.embed(s.space(), &[]);
        own.len() >= rows && own[own.len() - rows..] == *wide.constraints()
    };
    scop.statements.iter().all(ends_so).then_some(rows)
}

struct Printer<'a> {
    scop: &'a Scop,
    params: Vec<String>,
    iterators: Vec<String>,
    assumed: Option<usize>,
}

/// A row without the columns of loops that it does not mention: comparable between depths.
fn trimmed(row: &Constraint) -> (Kind, &[i64]) {
    let coeffs = row.expr.coeffs();
    let fixed = 1 + row.expr.space().params;
    let last = coeffs.iter().rposition(|&c| c != 0).map_or(0, |k| k + 1);
    (row.kind, &coeffs[..last.max(fixed).min(coeffs.len())])
}

impl Printer<'_> {
    fn declarations(&self) -> String {
        let mut out = String::new();
        if !self.params.is_empty() {
            let _ = writeln!(out, "params {}", self.params.join(", "));
        }
        if let Some(context) = &self.scop.context {
            let word = if self.assumed.is_some() { "assume" } else { "known" };
            let rows = context.constraints();
            let _ = writeln!(out, "{word} {}", if rows.is_empty() { "true".into() } else { self.rows(rows) });
        }
        if !self.arrays_are_plain() {
            for array in &self.scop.arrays {
                let _ = writeln!(out, "{}", declaration(array));
            }
        }
        out
    }

    /// Would the statements alone say the same of the arrays?
    fn arrays_are_plain(&self) -> bool {
        let mut seen = Vec::new();
        let mut order: Vec<&Statement> = self.scop.statements.iter().collect();
        order.sort_by(|a, b| a.beta.cmp(&b.beta));
        for access in order.into_iter().flat_map(|s| &s.accesses) {
            if !seen.contains(&access.array.0) {
                seen.push(access.array.0);
            }
        }
        let plain = |a: &Array| {
            (a.element_bytes, a.stride_bytes, a.is_virtual) == (8, 8, false)
                && a.inner_sizes == vec![None; a.rank.saturating_sub(1)]
        };
        seen.into_iter().eq(0..self.scop.arrays.len()) && self.scop.arrays.iter().all(plain)
    }

    /// Rows of the domain that conditions and loops must express.
    fn own<'s>(&self, s: &'s Statement) -> &'s [Constraint] {
        let rows = s.domain.constraints();
        &rows[..rows.len() - self.assumed.unwrap_or(0).min(rows.len())]
    }

    /// Statements that share `depth` loops, of whose rows the first `used` are said.
    fn nest(&self, statements: &[(usize, &Statement)], depth: usize, used: usize, indent: usize, out: &mut String) {
        let mut rest = statements;
        while let Some((_, first)) = rest.first() {
            let place = first.beta.get(depth);
            let count = rest.iter().take_while(|(_, s)| s.beta.get(depth) == place).count();
            let (group, later) = rest.split_at(count);
            rest = later;
            let (flat, deep): (Vec<_>, Vec<_>) = group.iter().copied().partition(|(_, s)| s.depth() <= depth);
            for (number, s) in flat {
                let indent = self.condition(&self.own(s)[used..], indent, out);
                let _ = writeln!(out, "{}{}", "  ".repeat(indent), self.statement(number, s));
            }
            if deep.is_empty() {
                continue;
            }
            let (before, range) = self.range(&deep, depth, used);
            let indent = self.condition(&self.own(deep[0].1)[used..before], indent, out);
            let name = self.iterators.get(depth).map_or("?", String::as_str);
            let _ = match &range {
                Some((sign, low, high)) => {
                    writeln!(out, "{}for {name} {sign} {low} .. {high}", "  ".repeat(indent))
                }
                None => writeln!(out, "{}for {name}", "  ".repeat(indent)),
            };
            let inside = before + if range.is_some() { 2 } else { 0 };
            self.nest(&deep, depth + 1, inside, indent + 1, out);
        }
    }

    /// How many of the rows come before the range of the next loop, and the range; no range, no rows.
    fn range(
        &self,
        group: &[(usize, &Statement)],
        depth: usize,
        used: usize,
    ) -> (usize, Option<(&'static str, String, String)>) {
        let none = (used, None);
        let Some((_, first)) = group.first() else { return none };
        let rows = self.own(first);
        let column = 1 + self.params.len() + depth;
        let coefficient = |row: &Constraint| trimmed(row).1.get(column).copied().unwrap_or(0);
        let common = |k: usize| {
            group.iter().all(|(_, s)| self.own(s).get(k).is_some_and(|row| trimmed(row) == trimmed(&rows[k])))
        };
        let mut k = used;
        while k < rows.len() && common(k) && trimmed(&rows[k]).1.len() <= column {
            k += 1;
        }
        let (Some(low), Some(high)) = (rows.get(k), rows.get(k + 1)) else { return none };
        let fits = |row: &Constraint, c: i64| {
            row.kind == Kind::Ge && coefficient(row) == c && trimmed(row).1.len() == column + 1
        };
        if !common(k) || !common(k + 1) || !fits(low, 1) || !fits(high, -1) {
            return none;
        }
        let rest = |row: &Constraint, factor: i128, more: i128| {
            let mut sum: Vec<i128> = trimmed(row).1.iter().map(|&c| factor * i128::from(c)).collect();
            sum.truncate(column);
            if let Some(c) = sum.first_mut() {
                *c += more;
            }
            sum
        };
        let (low, high) = (rest(low, -1, 0), rest(high, 1, 1));
        let sign = if low.iter().all(|&c| c == 0) { "=" } else { "in" };
        (k, Some((sign, self.sum(&low), self.sum(&high))))
    }

    fn condition(&self, rows: &[Constraint], indent: usize, out: &mut String) -> usize {
        if rows.is_empty() {
            return indent;
        }
        let _ = writeln!(out, "{}if {}", "  ".repeat(indent), self.rows(rows));
        indent + 1
    }

    fn rows(&self, rows: &[Constraint]) -> String {
        let one = |row: &Constraint| {
            let part = |sign: i128| -> Vec<i128> {
                row.expr.coeffs().iter().map(|&c| (sign * i128::from(c)).max(0)).collect()
            };
            let compare = if row.kind == Kind::Eq { "=" } else { ">=" };
            format!("{} {compare} {}", self.sum(&part(1)), self.sum(&part(-1)))
        };
        rows.iter().map(one).collect::<Vec<_>>().join(" and ")
    }

    /// `i0 + 2*n - 1`: iterators, parameters, constant.
    fn sum(&self, sum: &[i128]) -> String {
        let fixed = 1 + self.params.len();
        let names: Vec<&String> = self.params.iter().chain(&self.iterators).collect();
        let order = (fixed..sum.len()).chain(1..fixed.min(sum.len()));
        let terms: Vec<(i128, &str)> =
            order.filter_map(|c| Some((*sum.get(c)?, names.get(c - 1)?.as_str()))).filter(|(c, _)| *c != 0).collect();
        super::tree::sum_text(&terms, sum.first().copied().unwrap_or(0), "*")
    }

    fn access(&self, s: &Statement, k: usize) -> String {
        let Some(access) = s.accesses.get(k) else { return "?".into() };
        let name = self.scop.arrays.get(access.array.0).map_or("?", |a| a.name.as_str());
        let mut out = plain(name);
        if access.subscripts.is_empty() {
            out.push_str("[]");
        }
        for e in &access.subscripts {
            let sum: Vec<i128> = Affine::coeffs(e).iter().map(|&c| c.into()).collect();
            let _ = write!(out, "[{}]", self.sum(&sum));
        }
        out
    }

    /// The line of a statement.
    fn statement(&self, number: usize, s: &Statement) -> String {
        let label = if s.name == format!("S{number}") { String::new() } else { format!("{}: ", plain(&s.name)) };
        let natural = self.filled(s);
        for text in [None, Some(&s.text)] {
            let body = match text {
                None => natural.clone(),
                Some(_) => {
                    let reads: Vec<String> = (1..s.accesses.len()).map(|k| self.access(s, k)).collect();
                    format!("{} = f({})", self.access(s, 0), reads.join(", "))
                }
            };
            let Some(read) = self.read_back(s, &body) else { continue };
            if text.is_none() && (read.text != s.text || read.accesses != s.accesses) {
                continue;
            }
            return label + &body + &attributes(s, &read, text.map(String::as_str));
        }
        // Subscripts that no text can express do not exist; names that cannot be written do.
        label + &natural
    }

    /// The text with its places filled.
    fn filled(&self, s: &Statement) -> String {
        let mut out = String::new();
        let mut rest = s.text.as_str();
        while let Some(open) = rest.find('{') {
            let place =
                rest[open..].find('}').map(|close| (open + close, rest[open + 1..open + close].parse::<usize>()));
            out.push_str(&rest[..open]);
            match place {
                Some((close, Ok(k))) => {
                    out.push_str(&self.access(s, k));
                    rest = &rest[close + 1..];
                }
                _ => {
                    out.push('{');
                    rest = &rest[open + 1..];
                }
            }
        }
        out + rest
    }

    /// What one line means in the loops of a statement.
    fn read_back(&self, s: &Statement, line: &str) -> Option<Statement> {
        let mut text = String::new();
        if !self.params.is_empty() {
            let _ = writeln!(text, "params {}", self.params.join(", "));
        }
        for array in &self.scop.arrays {
            let _ = writeln!(text, "{}", declaration(array));
        }
        for depth in 0..s.depth() {
            let _ = writeln!(text, "{}for {}", " ".repeat(depth), self.iterators.get(depth)?);
        }
        let _ = writeln!(text, "{}{line}", " ".repeat(s.depth()));
        let mut part = parse_scop(&text).ok()?;
        (part.statements.len() == 1).then(|| part.statements.pop()).flatten()
    }
}

/// What a line does not say by itself.
fn attributes(s: &Statement, read: &Statement, text: Option<&str>) -> String {
    let mut out = String::new();
    if s.operations != read.operations {
        let _ = write!(out, " @operations {} {}", s.operations.0, s.operations.1);
    }
    if s.calls > 0 {
        let _ = write!(out, " @calls {}", s.calls);
    }
    for (accesses, (simple, divisions)) in &s.alone {
        let accesses: Vec<String> = accesses.iter().map(usize::to_string).collect();
        let _ = write!(out, " @on [{}] {simple} {divisions}", accesses.join(", "));
    }
    for (group, (divisions, calls)) in &s.shared {
        let _ = write!(out, " @shared {group} {divisions} {calls}");
    }
    for (access, cycles) in &s.latencies {
        let _ = write!(out, " @from {access} {cycles}");
    }
    for access in &s.loaded {
        let _ = write!(out, " @loaded {access}");
    }
    for iterator in &s.decided_by {
        let _ = write!(out, " @decided {iterator}");
    }
    if s.asked > 0 {
        let _ = write!(out, " @asked {}", s.asked);
    }
    for iterator in &s.skipped_by {
        let _ = write!(out, " @skipped {iterator}");
    }
    if s.chain_latency != read.chain_latency {
        let _ = write!(out, " @chain {}", s.chain_latency);
    }
    if s.any_order {
        out.push_str(" @any_order");
    }
    if let Some(operation) = s.commutes {
        let _ = write!(out, " @commutes {}", operation.name());
    }
    if s.widest > 0 {
        let _ = write!(out, " @widest {}", s.widest);
    }
    if s.constants > 0 {
        let _ = write!(out, " @constants {}", s.constants);
    }
    if s.sums > 0 {
        let _ = write!(out, " @sums {}", s.sums);
    }
    if s.by_numbers > 0 {
        let _ = write!(out, " @by_numbers {}", s.by_numbers);
    }
    if s.magnitudes > 0 {
        let _ = write!(out, " @magnitudes {}", s.magnitudes);
    }
    if s.sought != Sought::default() {
        let Sought { reads, operations: (simple, divisions) } = s.sought;
        let _ = write!(out, " @sought {reads} {simple} {divisions}");
    }
    if s.uncounted {
        out.push_str(" @uncounted");
    }
    if !s.vectorizable {
        out.push_str(" @scalar");
    }
    if let Some(text) = text {
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
        let _ = write!(out, " @text \"{escaped}\"");
    }
    out
}

fn declaration(array: &Array) -> String {
    let mut out = format!("array {}", plain(&array.name));
    for k in 0..array.rank {
        let size = k.checked_sub(1).and_then(|k| array.inner_sizes.get(k).copied().flatten());
        let _ = write!(out, "[{}]", size.map_or_else(|| "?".to_string(), |s| s.to_string()));
    }
    let _ = match array.element_bytes {
        8 => write!(out, " : f64"),
        4 => write!(out, " : f32"),
        2 => write!(out, " : i16"),
        1 => write!(out, " : i8"),
        n => write!(out, " : bytes {n}"),
    };
    if array.stride_bytes != array.element_bytes {
        let _ = write!(out, " stride {}", array.stride_bytes);
    }
    if array.is_virtual {
        out.push_str(" virtual");
    }
    out
}
