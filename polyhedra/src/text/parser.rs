//! Reads the text form of sets: see the module above for the grammar.

use crate::{Affine, Constraint, Error, Kind, Polyhedron, Result, Space};

/// What a text is made of.
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
const SIGNS: [&str; 19] =
    ["->", "<=", ">=", "==", "<", ">", "=", "[", "]", "{", "}", "(", ")", ",", ":", ";", "+", "-", "*"];

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

/// Words that are no names.
const WORDS: [&str; 4] = ["and", "or", "true", "false"];

pub(super) struct Parser {
    tokens: Vec<Placed>,
    pub(super) next: usize,
    depth: usize,
    names: Vec<String>,
    pub(super) space: Space,
}

/// A row in the making: `[1 | N | i]`.
type Sum = Vec<i128>;

impl Parser {
    /// Reads up to the first list of dimensions: the parser in its space, the parameters, the dimensions.
    pub(super) fn start(text: &str) -> Result<(Self, Vec<String>, Vec<String>)> {
        let mut parser = Self { tokens: tokens(text)?, next: 0, depth: 0, names: Vec::new(), space: Space::new(0, 0) };
        let mut params = Vec::new();
        if parser.peek() == &Token::Sign("[") {
            params = parser.names()?;
            parser.expect("->")?;
        }
        parser.expect("{")?;
        let dims = parser.names()?;
        parser.space = Space::new(params.len(), dims.len());
        parser.names = params.iter().chain(&dims).cloned().collect();
        Ok((parser, params, dims))
    }

    /// Reads the last brace.
    pub(super) fn end(&mut self) -> Result<()> {
        self.expect("}")?;
        if self.peek() == &Token::End { Ok(()) } else { Err(self.error("the end")) }
    }

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

    pub(super) fn fail(&self, message: String) -> Error {
        let (line, column) = self.tokens.get(self.next).or(self.tokens.last()).map_or((1, 1), |t| (t.1, t.2));
        Error::Parse { line, column, message }
    }

    pub(super) fn accept(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Token::Sign(s) if *s == sign);
        self.next += usize::from(is);
        is
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(n) if n == word)
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.next += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.error(&format!("'{sign}'"))) }
    }

    pub(super) fn names(&mut self) -> Result<Vec<String>> {
        self.expect("[")?;
        let mut names: Vec<String> = Vec::new();
        while !self.accept("]") {
            if !names.is_empty() {
                self.expect(",")?;
            }
            let Token::Name(name) = self.peek().clone() else { return Err(self.error("a name")) };
            if WORDS.contains(&name.as_str()) {
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

    pub(super) fn rows(&mut self, set: &mut Polyhedron) -> Result<()> {
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
            let another = matches!(self.peek(), Token::Sign("("))
                || matches!(self.peek(), Token::Name(name) if !WORDS.contains(&name.as_str()));
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
