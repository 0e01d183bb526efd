//! Static control parts from a few lines of text, and the slowest, simplest judge of a schedule. For tests and tools.
//!
//! ```text
//! params M, N
//! assume N >= 1
//! for m = 0 .. M
//!   for n = N-1 downto 0
//!     if m <= n
//!       A[m,n] = B[m,n]
//!     for k in n+1 .. N
//!       A[m,k] -= A[m,n] * U[n,k]
//! s[] += x[]
//! ```
//!
//! Blocks by indentation. `for i = lo .. hi` and `for i = hi downto lo` are normalised to count from 0 upwards, as raising does; `for i in lo .. hi` keeps the
//! iterator as written (for tests of the invariance property). `lo` is included, the `hi` of `..` is not, both ends of `downto` are. The first name with
//! brackets is the write, all others are reads; a compound assignment reads what it writes, first.

use crate::scop::{Access, AccessKind, Array, ArrayId, Scop, Statement};
use crate::tree::Node;
use crate::{Error, Result};
use polyhedra::{Affine, Constraint, Polyhedron, Space};
use std::collections::BTreeMap;

/// Reads a part.
///
/// # Errors
/// [`Error::Malformed`] with the line.
pub fn scop(text: &str) -> Result<Scop> {
    let mut lines = Vec::new();
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("");
        let body = line.trim();
        if body.is_empty() {
            continue;
        }
        if let Some(names) = body.strip_prefix("params ") {
            reader.scop.params = names.split(',').map(|s| s.trim().to_string()).collect();
        } else if let Some(row) = body.strip_prefix("assume ") {
            let set = reader.set(&[], row, number)?;
            let known = reader.scop.context.take();
            reader.scop.context = Some(known.map_or(set.clone(), |k| k.intersect(&set)));
        } else {
            lines.push((line.len() - line.trim_start().len(), number, body.to_string()));
        }
    }
    let scope = Scope { names: Vec::new(), values: Vec::new(), rows: Vec::new(), beta: Vec::new() };
    reader.block(&lines, &scope)?;
    reader.scop.check()?;
    Ok(reader.scop)
}

/// The loops around a line.
#[derive(Clone)]
struct Scope {
    names: Vec<String>,
    /// What each source name is in normalised iterators, in the space of the depth at which it was opened.
    values: Vec<Affine>,
    /// Rows of the domain, each in the space of the depth at which it was found.
    rows: Vec<Constraint>,
    beta: Vec<usize>,
}

impl Scope {
    fn at_depth(&self, e: &Affine, space: Space) -> Affine {
        e.embed(space, &(0..e.space().dims).collect::<Vec<_>>())
    }
}

#[derive(Default)]
struct Reader {
    scop: Scop,
    ids: BTreeMap<String, usize>,
}

impl Reader {
    fn fail<T>(number: usize, message: impl std::fmt::Display) -> Result<T> {
        Err(Error::Malformed(format!("line {}: {message}", number + 1)))
    }

    fn set(&self, dims: &[String], rows: &str, number: usize) -> Result<Polyhedron> {
        let text = format!("[{}] -> {{ [{}] : {rows} }}", self.scop.params.join(", "), dims.join(", "));
        match polyhedra::text::parse_set(&text) {
            Ok(named) => Ok(named.set),
            Err(e) => Self::fail(number, format!("{text}: {e}")),
        }
    }

    /// An expression over the source's names, in normalised iterators.
    fn affine(&self, scope: &Scope, text: &str, number: usize) -> Result<Affine> {
        let mut dims = scope.names.clone();
        dims.push("value__".into());
        let set = self.set(&dims, &format!("value__ - ({}) >= 0", text.trim()), number)?;
        let Some(row) = set.constraints().first() else { return Self::fail(number, "no expression") };
        let n = scope.names.len();
        let raw = row.expr.scale(-1)?;
        let mut coeffs = raw.coeffs().to_vec();
        coeffs.pop();
        let raw = Affine::from_coeffs(Space::new(self.scop.params.len(), n), coeffs);
        self.normalise(scope, &raw)
    }

    fn normalise(&self, scope: &Scope, raw: &Affine) -> Result<Affine> {
        let space = Space::new(self.scop.params.len(), scope.names.len());
        let map: Vec<Affine> = scope.values.iter().map(|v| scope.at_depth(v, space)).collect();
        Ok(raw.compose(&map, space)?)
    }

    /// Lines of one indentation with everything below them.
    fn block(&mut self, lines: &[(usize, usize, String)], scope: &Scope) -> Result<()> {
        let mut place = 0;
        self.place(lines, scope, &mut place)
    }

    fn place(&mut self, lines: &[(usize, usize, String)], scope: &Scope, place: &mut usize) -> Result<()> {
        let mut k = 0;
        while let Some((indent, number, line)) = lines.get(k) {
            let end = lines[k + 1..].iter().position(|l| l.0 <= *indent).map_or(lines.len(), |n| k + 1 + n);
            let below = &lines[k + 1..end];
            if let Some(rest) = line.strip_prefix("for ") {
                let mut inner = self.open(rest, scope, *number)?;
                inner.beta.push(*place);
                *place += 1;
                self.block(below, &inner)?;
            } else if let Some(rest) = line.strip_prefix("if ") {
                let mut inner = scope.clone();
                for row in self.set(&scope.names, rest, *number)?.constraints() {
                    inner.rows.push(Constraint { kind: row.kind, expr: self.normalise(scope, &row.expr)? });
                }
                self.place(below, &inner, place)?;
            } else {
                let mut beta = scope.beta.clone();
                beta.push(*place);
                *place += 1;
                self.statement(line, scope, beta, *number)?;
            }
            k = end;
        }
        Ok(())
    }

    fn open(&self, rest: &str, scope: &Scope, number: usize) -> Result<Scope> {
        let depth = scope.names.len();
        let space = Space::new(self.scop.params.len(), depth + 1);
        let at = |e: &Affine| scope.at_depth(e, space);
        let mut inner = scope.clone();
        let i = Affine::dim(space, depth);
        let (name, value) = if let Some((name, range)) = rest.split_once(" in ") {
            let Some((lo, hi)) = range.split_once("..") else { return Self::fail(number, "no `..`") };
            inner.rows.push(Constraint::ge(i.sub(&at(&self.affine(scope, lo, number)?))?));
            inner.rows.push(Constraint::ge(at(&self.affine(scope, hi, number)?).sub(&i)?.offset(-1)?));
            (name, i)
        } else {
            let Some((name, range)) = rest.split_once('=') else { return Self::fail(number, "no `=`") };
            inner.rows.push(Constraint::ge(i.clone()));
            if let Some((hi, lo)) = range.split_once("downto") {
                let (lo, hi) = (at(&self.affine(scope, lo, number)?), at(&self.affine(scope, hi, number)?));
                inner.rows.push(Constraint::ge(hi.sub(&lo)?.sub(&i)?));
                (name, hi.sub(&i)?)
            } else if let Some((lo, hi)) = range.split_once("..") {
                let (lo, hi) = (at(&self.affine(scope, lo, number)?), at(&self.affine(scope, hi, number)?));
                inner.rows.push(Constraint::ge(hi.sub(&lo)?.sub(&i)?.offset(-1)?));
                (name, lo.add(&i)?)
            } else {
                return Self::fail(number, "no range");
            }
        };
        inner.names.push(name.trim().to_string());
        inner.values.push(value);
        Ok(inner)
    }

    fn statement(&mut self, line: &str, scope: &Scope, beta: Vec<usize>, number: usize) -> Result<()> {
        let space = Space::new(self.scop.params.len(), scope.names.len());
        let mut domain = Polyhedron::universe(space);
        for row in &scope.rows {
            domain.add(Constraint { kind: row.kind, expr: scope.at_depth(&row.expr, space) });
        }
        if let Some(context) = &self.scop.context {
            domain = domain.intersect(&context.embed(space, &[]));
        }
        let Some(equals) = line.find('=') else { return Self::fail(number, "no assignment") };
        let compound = line[..equals].ends_with(['+', '-', '*', '/']);
        let mut accesses = Vec::new();
        let mut text = String::new();
        let mut rest = line;
        while let Some(open) = rest.find('[') {
            let Some(close) = rest[open..].find(']') else { return Self::fail(number, "no `]`") };
            let start = rest[..open]
                .rfind(|c: char| !c.is_alphanumeric() && c != '_')
                .map_or(0, |k| k + rest[k..].chars().next().map_or(1, char::len_utf8));
            let name = &rest[start..open];
            let inside = &rest[open + 1..open + close];
            let parts: Vec<&str> = if inside.trim().is_empty() { Vec::new() } else { inside.split(',').collect() };
            let subscripts: Vec<Affine> = parts.iter().map(|p| self.affine(scope, p, number)).collect::<Result<_>>()?;
            let array = self.array(name, subscripts.len());
            let kind = if accesses.is_empty() { AccessKind::Write } else { AccessKind::Read };
            text.push_str(&rest[..start]);
            text.push_str(&format!("{{{}}}", accesses.len()));
            let access = Access { array, kind, subscripts, extent: 1 };
            accesses.push(access.clone());
            if accesses.len() == 1 && compound {
                accesses.push(Access { kind: AccessKind::Read, ..access });
            }
            rest = &rest[open + close + 1..];
        }
        text.push_str(rest);
        if accesses.is_empty() {
            return Self::fail(number, "no access");
        }
        let name = format!("S{}", self.scop.statements.len());
        let operations = if line.contains('/') { (0, 1) } else { (1, 0) };
        self.scop.statements.push(Statement {
            name,
            domain,
            beta,
            accesses,
            operations,
            chain_latency: if compound { 4 } else { 0 },
            vectorizable: true,
            text,
        });
        Ok(())
    }

    fn array(&mut self, name: &str, rank: usize) -> ArrayId {
        let next = self.scop.arrays.len();
        let id = *self.ids.entry(name.to_string()).or_insert(next);
        if id == next {
            self.scop.arrays.push(Array {
                name: name.to_string(),
                rank,
                element_bytes: 8,
                stride_bytes: 8,
                inner_sizes: vec![None; rank.saturating_sub(1)],
                is_virtual: false,
            });
        }
        ArrayId(id)
    }
}

/// Runs the original order and the tree on numbers and compares: every two instances that touch one cell, one of them writing, must come in the same order,
/// and no two instances of a statement at one time. `None`: all is well; else what is not. Iterators are looked for in `low..=high`.
///
/// # Errors
/// Overflow.
pub fn violation(scop: &Scop, tree: &Node, params: &[i64], low: i64, high: i64) -> Result<Option<String>> {
    let spaces = scop.statements.iter().enumerate().map(|(k, s)| (crate::scop::StatementId(k), s.space())).collect();
    let times = tree.flatten(&spaces);
    // cell -> (original time, new time, writes, name)
    type Event = (Vec<i64>, Vec<i64>, bool, String);
    let mut cells: BTreeMap<(usize, Vec<i64>), Vec<Event>> = BTreeMap::new();
    for (k, s) in scop.statements.iter().enumerate() {
        let Some(rows) = times.get(&crate::scop::StatementId(k)) else {
            return Ok(Some(format!("{} is missing", s.name)));
        };
        let mut seen = std::collections::BTreeSet::new();
        for point in polyhedra::oracle::points(&s.domain, params, low, high)? {
            let mut original = Vec::new();
            for (d, &b) in s.beta.iter().enumerate() {
                original.push(i64::try_from(b).unwrap_or(i64::MAX));
                original.extend(point.get(d));
            }
            let time = rows.iter().map(|r| Ok(r.eval(params, &point)?)).collect::<Result<Vec<i64>>>()?;
            if !seen.insert(time.clone()) {
                return Ok(Some(format!("{}{point:?} shares its time {time:?}", s.name)));
            }
            for a in &s.accesses {
                let cell = a.subscripts.iter().map(|e| Ok(e.eval(params, &point)?)).collect::<Result<Vec<i64>>>()?;
                for along in 0..i64::from(a.extent) {
                    let mut cell = cell.clone();
                    if let Some(last) = cell.last_mut() {
                        *last = last.checked_add(along).ok_or(Error::Sets(polyhedra::Error::Overflow))?;
                    }
                    let event = (original.clone(), time.clone(), a.kind.writes(), format!("{}{point:?}", s.name));
                    cells.entry((a.array.0, cell)).or_default().push(event);
                }
            }
        }
    }
    for (cell, events) in &mut cells {
        events.sort();
        for (k, later) in events.iter().enumerate() {
            for earlier in &events[..k] {
                if (earlier.2 || later.2) && earlier.0 != later.0 && earlier.1 >= later.1 {
                    return Ok(Some(format!("{} must come before {} on cell {cell:?}", earlier.3, later.3)));
                }
            }
        }
    }
    Ok(None)
}
