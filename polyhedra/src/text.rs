//! Text form of sets: `[n, m] -> { [i, j] : 0 <= i < n and i <= j <= m - 1 and i + 2j = 4 }`, and of unions: `{ [i] : 0 <= i <= 2 or i >= 6 }`.
//!
//! **Grammar.**
//! ```text
//! set     = [ names "->" ] "{" names [ ":" rows ] "}"
//! union   = [ names "->" ] "{" names [ ":" rows { "or" rows } ] { ";" names [ ":" rows { "or" rows } ] } "}"
//! names   = "[" [ name { "," name } ] "]"
//! rows    = chain { ( "and" | "," ) chain }
//! chain   = "true" | "false" | sum compare sum { compare sum }        compare = "<=" | "<" | ">=" | ">" | "=" | "=="
//! sum     = product { ( "+" | "-" ) product }
//! product = { "-" } atom { "*" atom | name | "(" sum ")" }             one factor at most is not a number
//! atom    = number | name | "(" sum ")"
//! ```
//! `a <= b` is the row `b - a >= 0`, `a < b` is `b - a - 1 >= 0`, `a = b` is `a - b = 0`; `true` is no row, `false` is `-1 >= 0`.
//! In a union all lists of dimensions after a `;` must be the first one again; the empty union is `false`. `and`, `or`, `true`, `false` are no names.
//! Printing and reading again gives the same rows in the same order; an empty union and a union of the one part `-1 >= 0` print differently.
//!
//! **Method.** Recursive descent over a list of tokens; numbers are `i128` until a row is complete.

mod parser;

use self::parser::Parser;
use crate::{Constraint, Kind, Polyhedron, Result, Union};
use std::fmt::Write;

/// A set with the names it was written with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedSet {
    /// Names of the parameters.
    pub params: Vec<String>,
    /// Names of the dimensions.
    pub dims: Vec<String>,
    /// The set.
    pub set: Polyhedron,
}

/// Reads a set. Chains of comparisons, `and`, `,` between rows, integer coefficients (`2i`, `2*i`, `-(i - j)`), `true`/`false`.
///
/// ```
/// let named = polyhedra::text::parse_set("[n] -> { [i] : 0 <= i < n }")?;
/// assert_eq!(polyhedra::text::print_set(&named.set, &named.params, &named.dims), "[n] -> { [i] : i >= 0 and i <= n - 1 }");
/// # Ok::<(), polyhedra::Error>(())
/// ```
///
/// # Errors
/// `Error::Parse` with line and column.
pub fn parse_set(text: &str) -> Result<NamedSet> {
    let (mut parser, params, dims) = Parser::start(text)?;
    let mut set = Polyhedron::universe(parser.space);
    if parser.accept(":") {
        parser.rows(&mut set)?;
    }
    parser.end()?;
    Ok(NamedSet { params, dims, set })
}

/// A union with the names it was written with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedUnion {
    /// Names of the parameters.
    pub params: Vec<String>,
    /// Names of the dimensions.
    pub dims: Vec<String>,
    /// The union.
    pub set: Union,
}

/// Reads a union: parts stand between `or`, or after a `;` with their dimensions again.
///
/// ```
/// let named = polyhedra::text::parse_union("[n] -> { [i] : i < 0 or i = n ; [i] : i > 9 }")?;
/// let printed = polyhedra::text::print_union(&named.set, &named.params, &named.dims);
/// assert_eq!(printed, "[n] -> { [i] : i <= -1 or i = n or i >= 10 }");
/// # Ok::<(), polyhedra::Error>(())
/// ```
///
/// # Errors
/// `Error::Parse` with line and column.
pub fn parse_union(text: &str) -> Result<NamedUnion> {
    let (mut parser, params, dims) = Parser::start(text)?;
    let mut parts = Vec::new();
    loop {
        // Each round reads what follows a list of dimensions.
        if parser.accept(":") {
            loop {
                let only_false = parser.is_word("false");
                let mut part = Polyhedron::universe(parser.space);
                let before = parser.next;
                parser.rows(&mut part)?;
                if !(only_false && parser.next == before + 1) {
                    parts.push(part);
                }
                if !parser.accept_word("or") {
                    break;
                }
            }
        } else {
            parts.push(Polyhedron::universe(parser.space));
        }
        if !parser.accept(";") {
            break;
        }
        let at = parser.next;
        if parser.names()? != dims {
            parser.next = at;
            return Err(parser.fail(format!("expected the dimensions [{}] again", dims.join(", "))));
        }
    }
    parser.end()?;
    let set = Union::new(parser.space, parts);
    Ok(NamedUnion { params, dims, set })
}

/// Prints a set in the form that [`parse_set`] reads.
#[must_use]
pub fn print_set<S: AsRef<str>>(set: &Polyhedron, params: &[S], dims: &[S]) -> String {
    let mut out = print_start(params, dims);
    if !set.constraints().is_empty() {
        out.push_str(" : ");
        print_rows(set, params, dims, &mut out);
    }
    out.push_str(" }");
    out
}

/// Prints a union in the form that [`parse_union`] reads.
#[must_use]
pub fn print_union<S: AsRef<str>>(set: &Union, params: &[S], dims: &[S]) -> String {
    let mut out = print_start(params, dims);
    for (k, part) in set.parts().iter().enumerate() {
        out.push_str(if k == 0 { " : " } else { " or " });
        print_rows(part, params, dims, &mut out);
    }
    out.push_str(if set.parts().is_empty() { " : false }" } else { " }" });
    out
}

fn print_start<S: AsRef<str>>(params: &[S], dims: &[S]) -> String {
    let list = |names: &[S]| names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
    let parameters = if params.is_empty() { String::new() } else { format!("[{}] -> ", list(params)) };
    format!("{parameters}{{ [{}]", list(dims))
}

fn print_rows<S: AsRef<str>>(set: &Polyhedron, params: &[S], dims: &[S], out: &mut String) {
    let names: Vec<&str> = params.iter().chain(dims).map(AsRef::as_ref).collect();
    for (k, row) in set.constraints().iter().enumerate() {
        out.push_str(if k == 0 { "" } else { " and " });
        print_row(row, &names, params.len(), out);
    }
    if set.constraints().is_empty() {
        out.push_str("true");
    }
}

/// `left >= right` with all terms positive but the constant: it stands right, unless there is nothing else to stand left.
fn print_row(row: &Constraint, names: &[&str], params: usize, out: &mut String) {
    let coeffs = &row.expr.coeffs()[1..];
    let constant = i128::from(row.expr.constant_term());
    // Dimensions are named before parameters.
    let order: Vec<usize> = (params..names.len()).chain(0..params).collect();
    let part = |positive: bool| -> Vec<usize> {
        order.iter().copied().filter(|&c| coeffs[c] != 0 && (coeffs[c] > 0) == positive).collect()
    };
    let (plus, minus) = (part(true), part(false));
    let has_dim = |part: &[usize]| part.iter().any(|&c| c >= params);
    let turn = row.kind == Kind::Ge && (plus.is_empty() || !has_dim(&plus)) && !minus.is_empty() && {
        plus.is_empty() || has_dim(&minus)
    };
    let compare = match (row.kind, turn) {
        (Kind::Eq, _) => "=",
        (Kind::Ge, false) => ">=",
        (Kind::Ge, true) => "<=",
    };
    let (left, right, right_constant) = if turn { (&minus, &plus, constant) } else { (&plus, &minus, -constant) };
    if left.is_empty() {
        print_sum(coeffs, names, &[], -right_constant, out);
        let _ = write!(out, " {compare} ");
        print_sum(coeffs, names, right, 0, out);
    } else {
        print_sum(coeffs, names, left, 0, out);
        let _ = write!(out, " {compare} ");
        print_sum(coeffs, names, right, right_constant, out);
    }
}

/// The terms with their coefficients' sizes, then the constant.
fn print_sum(coeffs: &[i64], names: &[&str], terms: &[usize], constant: i128, out: &mut String) {
    for (k, &c) in terms.iter().enumerate() {
        out.push_str(if k == 0 { "" } else { " + " });
        let size = coeffs[c].unsigned_abs();
        let _ = if size == 1 { write!(out, "{}", names[c]) } else { write!(out, "{size}{}", names[c]) };
    }
    let _ = match (terms.is_empty(), constant) {
        (true, c) => write!(out, "{c}"),
        (false, 0) => Ok(()),
        (false, c) => write!(out, " {} {}", if c < 0 { '-' } else { '+' }, c.unsigned_abs()),
    };
}
