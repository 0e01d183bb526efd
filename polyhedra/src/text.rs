//! Text form of sets: `[n, m] -> { [i, j] : 0 <= i < n and i <= j <= m - 1 and i + 2j = 4 }`.
//!
//! **Grammar.**
//! ```text
//! set     = [ names "->" ] "{" names [ ":" rows ] "}"
//! names   = "[" [ name { "," name } ] "]"
//! rows    = chain { ( "and" | "," ) chain }
//! chain   = "true" | "false" | sum compare sum { compare sum }        compare = "<=" | "<" | ">=" | ">" | "=" | "=="
//! sum     = product { ( "+" | "-" ) product }
//! product = { "-" } atom { "*" atom | name | "(" sum ")" }             one factor at most is not a number
//! atom    = number | name | "(" sum ")"
//! ```
//! `a <= b` is the row `b - a >= 0`, `a < b` is `b - a - 1 >= 0`, `a = b` is `a - b = 0`; `true` is no row, `false` is `-1 >= 0`.
//! Printing and reading again gives the same rows in the same order.
//!
//! **Method.** Recursive descent over a list of tokens; numbers are `i128` until a row is complete.

use crate::{Affine, Constraint, Error, Kind, Polyhedron, Result, Space};
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
    let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0, names: Vec::new(), space: Space::new(0, 0) };
    let mut params = Vec::new();
    if parser.peek() == &Token::Sign("[") {
        params = parser.names()?;
        parser.expect("->")?;
    }
    parser.expect("{")?;
    let dims = parser.names()?;
    parser.space = Space::new(params.len(), dims.len());
    parser.names = params.iter().chain(&dims).cloned().collect();
    let mut set = Polyhedron::universe(parser.space);
    if parser.accept(":") {
        parser.rows(&mut set)?;
    }
    parser.expect("}")?;
    match parser.peek() {
        Token::End => Ok(NamedSet { params, dims, set }),
        _ => Err(parser.error("the end")),
    }
}

/// Prints a set in the form that [`parse_set`] reads.
#[must_use]
pub fn print_set<S: AsRef<str>>(set: &Polyhedron, params: &[S], dims: &[S]) -> String {
    let mut out = String::new();
    let list = |names: &[S]| names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
    if !params.is_empty() {
        out.push_str(&format!("[{}] -> ", list(params)));
    }
    out.push_str(&format!("{{ [{}]", list(dims)));
    let names: Vec<&str> = params.iter().chain(dims).map(AsRef::as_ref).collect();
    for (k, row) in set.constraints().iter().enumerate() {
        out.push_str(if k == 0 { " : " } else { " and " });
        print_row(row, &names, params.len(), &mut out);
    }
    out.push_str(" }");
    out
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

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Name(String),
    Number(i128),
    Sign(&'static str),
    End,
}

/// A token and where it starts: line and column, from 1.
type Placed = (Token, usize, usize);

/// Longer signs before their own beginnings.
const SIGNS: [&str; 18] =
    ["->", "<=", ">=", "==", "<", ">", "=", "[", "]", "{", "}", "(", ")", ",", ":", "+", "-", "*"];

fn tokens(text: &str) -> Result<Vec<Placed>> {
    let mut out = Vec::new();
    let (mut rest, mut line, mut column) = (text, 1, 1);
    while let Some(c) = rest.chars().next() {
        let length = if c.is_whitespace() {
            if c == '\n' {
                line += 1;
                column = 0;
            }
            c.len_utf8()
        } else if c.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..length].parse::<i64>().map(i128::from).or_else(|_| rest[..length].parse::<i128>());
            let Ok(number) = number else {
                return Err(Error::Parse { line, column, message: "the number is too large".into() });
            };
            out.push((Token::Number(number), line, column));
            length
        } else if c.is_alphabetic() || c == '_' {
            let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '.';
            let length = rest.find(|c| !inside(c)).unwrap_or(rest.len());
            out.push((Token::Name(rest[..length].to_owned()), line, column));
            length
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            out.push((Token::Sign(sign), line, column));
            sign.len()
        } else {
            return Err(Error::Parse { line, column, message: format!("unexpected '{c}'") });
        };
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    out.push((Token::End, line, column));
    Ok(out)
}

/// Nesting of parentheses and signs that is read before it is refused, so that no text can exhaust the stack.
const MOST_DEPTH: usize = 100;

struct Parser {
    tokens: Vec<Placed>,
    next: usize,
    depth: usize,
    names: Vec<String>,
    space: Space,
}

/// A row in the making: `[1 | N | i]`.
type Sum = Vec<i128>;

impl Parser {
    fn peek(&self) -> &Token {
        self.tokens.get(self.next).map_or(&Token::End, |t| &t.0)
    }

    fn error(&self, expected: &str) -> Error {
        let found = match self.peek() {
            Token::Name(name) => format!("'{name}'"),
            Token::Number(n) => format!("'{n}'"),
            Token::Sign(s) => format!("'{s}'"),
            Token::End => "the end".into(),
        };
        self.fail(format!("expected {expected}, found {found}"))
    }

    fn fail(&self, message: String) -> Error {
        let (line, column) = self.tokens.get(self.next).or(self.tokens.last()).map_or((1, 1), |t| (t.1, t.2));
        Error::Parse { line, column, message }
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Token::Sign(s) if *s == sign);
        self.next += usize::from(is);
        is
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is = matches!(self.peek(), Token::Name(n) if n == word);
        self.next += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.error(&format!("'{sign}'"))) }
    }

    fn names(&mut self) -> Result<Vec<String>> {
        self.expect("[")?;
        let mut names: Vec<String> = Vec::new();
        while !self.accept("]") {
            if !names.is_empty() {
                self.expect(",")?;
            }
            let Token::Name(name) = self.peek().clone() else { return Err(self.error("a name")) };
            if ["and", "true", "false"].contains(&name.as_str()) {
                return Err(self.error("a name"));
            }
            if names.contains(&name) {
                return Err(self.fail(format!("'{name}' is named twice")));
            }
            self.next += 1;
            names.push(name);
        }
        Ok(names)
    }

    fn rows(&mut self, set: &mut Polyhedron) -> Result<()> {
        loop {
            self.chain(set)?;
            if !self.accept(",") && !self.accept_word("and") {
                return Ok(());
            }
        }
    }

    fn chain(&mut self, set: &mut Polyhedron) -> Result<()> {
        if self.accept_word("true") {
            return Ok(());
        }
        if self.accept_word("false") {
            set.add(Constraint::ge(Affine::constant(self.space, -1)));
            return Ok(());
        }
        let mut left = self.sum()?;
        let mut any = false;
        loop {
            let Some(sign) = ["<=", ">=", "==", "<", ">", "="].into_iter().find(|s| self.accept(s)) else {
                return if any { Ok(()) } else { Err(self.error("a comparison")) };
            };
            any = true;
            let right = self.sum()?;
            let (kind, high, low, strict) = match sign {
                "<=" => (Kind::Ge, &right, &left, 0),
                "<" => (Kind::Ge, &right, &left, 1),
                ">=" => (Kind::Ge, &left, &right, 0),
                ">" => (Kind::Ge, &left, &right, 1),
                _ => (Kind::Eq, &left, &right, 0),
            };
            let mut row = self.add(high, low, -1)?;
            row[0] = row[0].checked_sub(strict).ok_or_else(|| self.fail("the number is too large".into()))?;
            let coeffs = row
                .iter()
                .map(|&c| i64::try_from(c).map_err(|_| self.fail("the number is too large".into())))
                .collect::<Result<_>>()?;
            set.add(Constraint { kind, expr: Affine::from_coeffs(self.space, coeffs) });
            left = right;
        }
    }

    /// `a + factor * b`.
    fn add(&self, a: &Sum, b: &Sum, factor: i128) -> Result<Sum> {
        a.iter()
            .zip(b)
            .map(|(&a, &b)| b.checked_mul(factor).and_then(|b| a.checked_add(b)))
            .collect::<Option<_>>()
            .ok_or_else(|| self.fail("the number is too large".into()))
    }

    fn sum(&mut self) -> Result<Sum> {
        let mut sum = self.product()?;
        loop {
            let factor = if self.accept("+") {
                1
            } else if self.accept("-") {
                -1
            } else {
                return Ok(sum);
            };
            let term = self.product()?;
            sum = self.add(&sum, &term, factor)?;
        }
    }

    fn product(&mut self) -> Result<Sum> {
        let mut sign = 1;
        while self.accept("-") {
            sign = -sign;
        }
        let mut product = self.atom()?;
        loop {
            let star = self.accept("*");
            let another =
                matches!(self.peek(), Token::Sign("(")) || matches!(self.peek(), Token::Name(name) if name != "and");
            if !star && !another {
                break;
            }
            let factor = self.atom()?;
            let constant = |s: &Sum| s[1..].iter().all(|&c| c == 0);
            let (of, by) = match (constant(&product), constant(&factor)) {
                (_, true) => (&product, factor[0]),
                (true, _) => (&factor, product[0]),
                _ => return Err(self.fail("a product of two variables is not affine".into())),
            };
            product = self.add(&vec![0; of.len()], of, by)?;
        }
        self.add(&vec![0; product.len()], &product, sign)
    }

    fn atom(&mut self) -> Result<Sum> {
        let mut sum = vec![0; self.space.columns()];
        match self.peek().clone() {
            Token::Number(n) => sum[0] = n,
            Token::Name(name) => match self.names.iter().position(|n| *n == name) {
                Some(k) => sum[k + 1] = 1,
                None => return Err(self.fail(format!("'{name}' is not named in the brackets"))),
            },
            Token::Sign("(") => {
                if self.depth == MOST_DEPTH {
                    return Err(self.fail("too many parentheses".into()));
                }
                self.next += 1;
                self.depth += 1;
                let inner = self.sum()?;
                self.depth -= 1;
                self.expect(")")?;
                return Ok(inner);
            }
            _ => return Err(self.error("a number, a name or '('")),
        }
        self.next += 1;
        Ok(sum)
    }
}
