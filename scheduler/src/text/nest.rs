//! Loop nests to parts. The grammar stands in the header of [`super`].

mod header;
mod statement;

use super::lex::{Cursor, Token};
use super::sum::{Names, Sum};
use super::{Result, TextError};
use crate::scop::{Array, Scop};
use polyhedra::{Constraint, Polyhedron, Space};

/// Reads a part.
///
/// ```
/// let scop = scheduler::text::parse_scop("params n\nfor i = 0 .. n\n  s[] += x[i]")?;
/// assert_eq!(scop.statements[0].reads().len(), 2);
/// let error = scheduler::text::parse_scop("params n\nfor i = 0 .. m\n  s[] += x[i]").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 14: 'm' is neither a parameter nor a loop around this place");
/// # Ok::<(), scheduler::text::TextError>(())
/// ```
///
/// # Errors
/// Where the text is wrong, and what was expected.
pub fn parse_scop(text: &str) -> Result<Scop> {
    let mut reader = Reader { cursor: Cursor::new(text)?, scop: Scop::default(), context: Vec::new() };
    reader.declarations()?;
    let scope = Scope::default();
    reader.items(&scope, &Block::Indented { parent: 0 }, &mut 0)?;
    let error = reader.cursor.fail("");
    reader.scop.check().map_err(|e| TextError { message: e.to_string(), ..error })?;
    Ok(reader.scop)
}

/// The loops around a place.
#[derive(Clone, Default)]
struct Scope {
    names: Vec<String>,
    /// What each source name is in normalised iterators; columns of deeper loops left out.
    values: Vec<Sum>,
    /// Rows of the domain, each in the space of the depth at which it was found.
    rows: Vec<Constraint>,
    beta: Vec<usize>,
}

/// How a block ends.
enum Block {
    /// Where a line is indented no further than this column.
    Indented { parent: usize },
    /// At its brace.
    Braces,
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    scop: Scop,
    /// Rows of `assume`, which go into every domain.
    context: Vec<Constraint>,
}

const ITEM: &str = "a loop, a condition or a statement";

impl Reader<'_> {
    fn names(&self, scope: &Scope) -> Names {
        let space = Space::new(self.scop.params.len(), scope.names.len());
        let params = self.scop.params.iter().enumerate().map(|(k, name)| {
            let mut sum = vec![0; k + 2];
            sum[k + 1] = 1;
            (name.clone(), sum)
        });
        Names { space, values: params.chain(scope.names.iter().cloned().zip(scope.values.iter().cloned())).collect() }
    }

    fn skip_empty(&mut self) {
        while self.cursor.accept_newline() || self.cursor.accept(";") {}
    }

    fn end_of_line(&mut self) -> Result<()> {
        match self.cursor.peek() {
            Token::Newline | Token::End | Token::Sign(";" | "}") => Ok(()),
            _ => Err(self.cursor.expected("the end of the line")),
        }
    }

    /// `params`, `assume`, `known` and `array` lines. Each of these words is a declaration unless it is an array that is written.
    fn declarations(&mut self) -> Result<()> {
        loop {
            self.skip_empty();
            let Token::Name(word) = self.cursor.peek().clone() else { return Ok(()) };
            if matches!(self.cursor.second(), Token::Sign("[" | ":")) {
                return Ok(());
            }
            match word.as_str() {
                "params" => self.params()?,
                "assume" | "known" => {
                    self.cursor.advance();
                    let names = self.names(&Scope::default());
                    let rows = self.cursor.rows(&names)?;
                    let context = self.scop.context.get_or_insert_with(|| Polyhedron::universe(names.space));
                    rows.iter().for_each(|row| context.add(row.clone()));
                    if word == "assume" {
                        self.context.extend(rows);
                    }
                }
                "array" => self.declare()?,
                _ => return Ok(()),
            }
            self.end_of_line()?;
        }
    }

    fn params(&mut self) -> Result<()> {
        if self.scop.context.is_some() {
            return Err(self.cursor.fail("parameters must be named before anything is assumed"));
        }
        self.cursor.advance();
        loop {
            let error = self.cursor.fail("this parameter is named twice");
            let name = self.cursor.name("the name of a parameter")?;
            if self.scop.params.contains(&name) {
                return Err(error);
            }
            self.scop.params.push(name);
            if !self.cursor.accept(",") {
                return Ok(());
            }
        }
    }

    fn declare(&mut self) -> Result<()> {
        self.cursor.advance();
        let error = self.cursor.fail("this array is declared twice");
        let name = self.cursor.name("the name of an array")?;
        if self.scop.arrays.iter().any(|a| a.name == name) {
            return Err(error);
        }
        let names = self.names(&Scope::default());
        let mut sizes = Vec::new();
        while self.cursor.accept("[") {
            if sizes.is_empty() && self.cursor.accept("]") {
                break;
            }
            if self.cursor.accept("?") {
                sizes.push(None);
            } else {
                let size = self.cursor.affine(&names)?;
                sizes.push(size.is_constant().then(|| size.constant_term()));
            }
            self.cursor.expect("]")?;
        }
        let mut array = Array {
            name,
            rank: sizes.len(),
            element_bytes: 8,
            stride_bytes: 8,
            inner_sizes: sizes.into_iter().skip(1).collect(),
            is_virtual: false,
        };
        if self.cursor.accept(":") {
            array.element_bytes = self.element()?;
            array.stride_bytes = array.element_bytes;
        }
        if self.cursor.accept_word("stride") {
            array.stride_bytes = self.cursor.small("the number of bytes")?;
        }
        array.is_virtual = self.cursor.accept_word("virtual");
        self.scop.arrays.push(array);
        Ok(())
    }

    fn element(&mut self) -> Result<u64> {
        let known = match self.cursor.peek() {
            Token::Name(n) => match n.as_str() {
                "f64" | "i64" => Some(8),
                "f32" | "i32" => Some(4),
                "f16" | "i16" => Some(2),
                "i8" => Some(1),
                "bytes" => None,
                _ => {
                    return Err(self
                        .cursor
                        .expected("the type of an element: f64, f32, f16, i64, i32, i16, i8 or bytes"));
                }
            },
            _ => return Err(self.cursor.expected("the type of an element: f64, f32, f16, i64, i32, i16, i8 or bytes")),
        };
        self.cursor.advance();
        match known {
            Some(bytes) => Ok(bytes),
            None => self.cursor.small("the number of bytes"),
        }
    }

    /// Everything in a block. `place` counts loops and statements; a condition shares it with what is around.
    fn items(&mut self, scope: &Scope, block: &Block, place: &mut usize) -> Result<()> {
        let mut column = None;
        let mut fresh = true;
        loop {
            while self.cursor.accept(";") || self.cursor.accept_newline() {
                fresh |= self.cursor.here().column == self.cursor.here().indent;
            }
            match (self.cursor.peek(), block) {
                (Token::End, Block::Braces) => return Err(self.cursor.expected("'}'")),
                (Token::End, Block::Indented { .. }) | (Token::Sign("}"), Block::Braces) => return Ok(()),
                (Token::Sign("}"), Block::Indented { parent }) if *parent > 0 => return Ok(()),
                _ => {}
            }
            if let Block::Indented { parent } = block
                && fresh
            {
                let own = self.cursor.here().column;
                if own <= *parent {
                    return Ok(());
                }
                if *column.get_or_insert(own) != own {
                    return Err(self.cursor.fail("the lines of a block must be indented alike"));
                }
            }
            self.item(scope, place)?;
            fresh = false;
            match self.cursor.peek() {
                Token::Newline | Token::Sign(";" | "}") | Token::End => {}
                // A block has taken the end of its last line.
                _ if self.cursor.here().column == self.cursor.here().indent => fresh = true,
                _ if self.cursor.text[..self.cursor.end_of_last()].ends_with('}') => {}
                _ => return Err(self.cursor.expected("the end of the line")),
            }
        }
    }

    fn item(&mut self, scope: &Scope, place: &mut usize) -> Result<()> {
        let indent = self.cursor.here().indent;
        if self.cursor.accept_word("for") {
            let mut inner = self.header(scope)?;
            inner.beta.push(*place);
            *place += 1;
            return self.block(&inner, indent, &mut 0);
        }
        if self.cursor.accept_word("if") {
            let names = self.names(scope);
            let mut inner = scope.clone();
            inner.rows.extend(self.condition(&names)?);
            return self.block(&inner, indent, place);
        }
        if matches!(self.cursor.peek(), Token::Name(n) if n == "else") {
            return Err(self.cursor.fail("there is no `else`: write the opposite `if`"));
        }
        let mut beta = scope.beta.clone();
        beta.push(*place);
        *place += 1;
        self.statement(scope, beta)
    }

    /// Rows, perhaps all in one pair of parentheses as in C: then the parenthesis that closes the first ends the condition.
    fn condition(&mut self, names: &Names) -> Result<Vec<Constraint>> {
        let before = self.cursor.mark();
        match self.cursor.rows(names) {
            Ok(rows) => Ok(rows),
            Err(first) => {
                self.cursor.reset(before);
                if !self.cursor.accept("(") {
                    return Err(first);
                }
                let rows = self.cursor.rows(names)?;
                self.cursor.expect(")")?;
                Ok(rows)
            }
        }
    }

    fn block(&mut self, scope: &Scope, indent: usize, place: &mut usize) -> Result<()> {
        self.cursor.enter()?;
        self.cursor.accept(":");
        if self.cursor.accept("{") {
            self.items(scope, &Block::Braces, place)?;
            self.cursor.expect("}")?;
        } else {
            if !self.cursor.accept_newline() || self.cursor.here().column <= indent {
                return Err(self.cursor.expected("'{' or a line that is indented further"));
            }
            self.items(scope, &Block::Indented { parent: indent }, place)?;
        }
        self.cursor.leave();
        Ok(())
    }
}
