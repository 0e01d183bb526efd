//! Tokens with positions, and the cursor that all parsers of this module share.

use super::{MOST_DEPTH, Result, TextError};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Name(String),
    /// A name between backquotes: never a keyword.
    Quoted(String),
    /// Text between double quotes.
    Text(String),
    Number(i128),
    /// A number with a point.
    Decimal,
    Sign(&'static str),
    /// The end of a line that holds something.
    Newline,
    End,
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub token: Token,
    pub line: usize,
    pub column: usize,
    /// Column of the first token of its line.
    pub indent: usize,
    /// Bytes of the text.
    pub start: usize,
    pub end: usize,
}

/// Longer signs before their own beginnings. `++` and `--` are two signs each: `i--1` is a sum.
const SIGNS: [&str; 40] = [
    "..", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "<", ">", "=", "[", "]", "{", "}",
    "(", ")", ",", ":", ";", "+", "-", "*", "/", "%", "?", "@", "!", "&", "|", "^", "~", ".", "$", "\\",
];

/// Words that are no names unless they stand between backquotes.
const RESERVED: [&str; 9] = ["for", "if", "else", "and", "in", "downto", "step", "true", "false"];

pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Bytes of the name at the beginning.
fn name_length(text: &str) -> usize {
    for (at, c) in text.char_indices() {
        let next_is_word = || text[at + c.len_utf8()..].starts_with(|d: char| d.is_alphanumeric() || d == '_');
        let inside = match c {
            '_' => true,
            '\'' => at > 0,
            '.' => at > 0 && next_is_word(),
            _ if at == 0 => c.is_alphabetic(),
            _ => c.is_alphanumeric(),
        };
        if !inside {
            return at;
        }
    }
    text.len()
}

/// The name as it has to be written: between backquotes where it is no plain name, or a keyword by the caller's rule.
pub(crate) fn written(name: &str, keyword: impl Fn(&str) -> bool) -> String {
    let plain = !name.is_empty() && name_length(name) == name.len();
    if plain && !is_reserved(name) && !keyword(name) {
        return name.to_owned();
    }
    format!("`{}`", name.replace(['`', '\n'], "_"))
}

/// Where the lexer is.
struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
    indent: usize,
    out: Vec<Placed>,
}

impl Lexer<'_> {
    fn fail(&self, message: impl Into<String>) -> TextError {
        TextError { line: self.line, column: self.column, message: message.into() }
    }

    fn skip(&mut self, bytes: usize) {
        let end = self.at.saturating_add(bytes).min(self.text.len());
        self.column += self.text[self.at..end].chars().count();
        self.at = end;
    }

    fn push(&mut self, token: Token, bytes: usize) {
        if self.indent == 0 {
            self.indent = self.column;
        }
        let start = self.at;
        let (line, column, indent) = (self.line, self.column, self.indent);
        self.skip(bytes);
        self.out.push(Placed { token, line, column, indent, start, end: self.at });
    }

    fn run(mut self) -> Result<Vec<Placed>> {
        while let Some(c) = self.text[self.at..].chars().next() {
            let rest = &self.text[self.at..];
            if c == '\n' {
                if self.indent > 0 {
                    self.push(Token::Newline, 1);
                } else {
                    self.skip(1);
                }
                (self.line, self.column, self.indent) = (self.line + 1, 1, 0);
            } else if c.is_whitespace() {
                self.skip(c.len_utf8());
            } else if c == '#' || rest.starts_with("//") {
                self.skip(rest.find('\n').unwrap_or(rest.len()));
            } else if c.is_ascii_digit() {
                self.number(rest)?;
            } else if c == '`' {
                let Some(length) = rest[1..].find(['`', '\n']).filter(|&l| rest[1 + l..].starts_with('`')) else {
                    return Err(self.fail("the name is not closed by a backquote"));
                };
                self.push(Token::Quoted(rest[1..=length].to_owned()), length + 2);
            } else if c == '"' {
                self.string(rest)?;
            } else if name_length(rest) > 0 {
                let length = name_length(rest);
                self.push(Token::Name(rest[..length].to_owned()), length);
            } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
                self.push(Token::Sign(sign), sign.len());
            } else {
                return Err(self.fail(format!("unexpected {c:?}")));
            }
        }
        self.push(Token::End, 0);
        Ok(self.out)
    }

    fn number(&mut self, rest: &str) -> Result<()> {
        let digits = |from: usize| rest[from..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| from + n);
        let mut end = digits(0);
        let fraction = rest[end..].strip_prefix('.').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
        if !fraction {
            let Ok(value) = rest[..end].parse::<i128>() else { return Err(self.fail("the number is too large")) };
            self.push(Token::Number(value), end);
            return Ok(());
        }
        end = digits(end + 1);
        if rest[end..].starts_with(['e', 'E']) {
            let signed = end + 1 + usize::from(rest[end + 1..].starts_with(['+', '-']));
            if rest[signed..].starts_with(|c: char| c.is_ascii_digit()) {
                end = digits(signed);
            }
        }
        self.push(Token::Decimal, end);
        Ok(())
    }

    fn string(&mut self, rest: &str) -> Result<()> {
        let mut value = String::new();
        let mut chars = rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.push(Token::Text(value), at + 1);
                    return Ok(());
                }
                '\n' => break,
                '\\' => match chars.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, 'r')) => value.push('\r'),
                    Some((_, c @ ('"' | '\\'))) => value.push(c),
                    _ => break,
                },
                _ => value.push(c),
            }
        }
        Err(self.fail("the text is not closed by a quote, or has an unknown escape"))
    }
}

/// Reads tokens one after the other.
pub(crate) struct Cursor<'a> {
    pub text: &'a str,
    tokens: Vec<Placed>,
    next: usize,
    depth: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Result<Self> {
        let tokens = Lexer { text, at: 0, line: 1, column: 1, indent: 0, out: Vec::new() }.run()?;
        Ok(Self { text, tokens, next: 0, depth: 0 })
    }

    /// The token that comes next; the last one is [`Token::End`], for ever.
    pub fn here(&self) -> &Placed {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub fn peek(&self) -> &Token {
        &self.here().token
    }

    /// The place where we are, to come back to.
    pub fn mark(&self) -> (usize, usize) {
        (self.next, self.depth)
    }

    /// Back to a mark.
    pub fn reset(&mut self, mark: (usize, usize)) {
        (self.next, self.depth) = mark;
    }

    /// The token after the next.
    pub fn second(&self) -> &Token {
        self.tokens.get(self.next + 1).map_or(&Token::End, |t| &t.token)
    }

    /// Byte behind the last token that was taken.
    pub fn end_of_last(&self) -> usize {
        self.next.checked_sub(1).and_then(|k| self.tokens.get(k)).map_or(0, |t| t.end)
    }

    pub fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    pub fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(n) if n == word)
    }

    pub fn accept(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        if is {
            self.advance();
        }
        is
    }

    pub fn accept_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.advance();
        }
        is
    }

    pub fn accept_newline(&mut self) -> bool {
        let is = *self.peek() == Token::Newline;
        if is {
            self.advance();
        }
        is
    }

    pub fn expect(&mut self, sign: &str) -> Result<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.expected(&format!("'{sign}'"))) }
    }

    /// A name, no keyword.
    pub fn name(&mut self, what: &str) -> Result<String> {
        let name = match self.peek() {
            Token::Name(name) if !is_reserved(name) => name.clone(),
            Token::Quoted(name) => name.clone(),
            _ => return Err(self.expected(what)),
        };
        self.advance();
        Ok(name)
    }

    /// A number that is not negative.
    pub fn number(&mut self, what: &str) -> Result<i128> {
        let Token::Number(n) = *self.peek() else { return Err(self.expected(what)) };
        self.advance();
        Ok(n)
    }

    /// A number that fits, not negative.
    pub fn small<T: TryFrom<i128>>(&mut self, what: &str) -> Result<T> {
        let error = self.fail("the number is too large");
        T::try_from(self.number(what)?).map_err(|_| error)
    }

    /// "expected .., found ..".
    pub fn expected(&self, what: &str) -> TextError {
        let found = match self.peek() {
            Token::Name(n) | Token::Quoted(n) => format!("'{n}'"),
            Token::Text(_) => "a text in quotes".into(),
            Token::Number(n) => format!("'{n}'"),
            Token::Decimal => "a number with a point".into(),
            Token::Sign(s) => format!("'{s}'"),
            Token::Newline => "the end of the line".into(),
            Token::End => "the end".into(),
        };
        self.fail(format!("expected {what}, found {found}"))
    }

    /// An error at the token that comes next.
    pub fn fail(&self, message: impl Into<String>) -> TextError {
        let here = self.here();
        TextError { line: here.line, column: here.column, message: message.into() }
    }

    /// One block or parenthesis deeper.
    pub fn enter(&mut self) -> Result<()> {
        if self.depth == MOST_DEPTH {
            return Err(self.fail(format!("more than {MOST_DEPTH} blocks or parentheses in each other")));
        }
        self.depth += 1;
        Ok(())
    }

    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}
