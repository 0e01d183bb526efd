//! Statements: accesses, and the rest as text.

use super::super::lex::{Placed, Token, is_reserved};
use super::super::sum::Names;
use super::super::{Result, TextError};
use super::{ITEM, Reader, Scope};
use crate::scop::{Access, AccessKind, Array, ArrayId, Commutative, Sought, Statement};
use polyhedra::{Affine, Constraint, Polyhedron, Space};
use std::collections::{BTreeMap, BTreeSet};

/// A statement in the making.
struct Body {
    names: Names,
    accesses: Vec<Access>,
    text: String,
    /// The source up to this byte is in `text`.
    copied: usize,
}

impl Reader<'_> {
    fn domain(&self, scope: &Scope) -> Polyhedron {
        let space = Space::new(self.scop.params.len(), scope.names.len());
        let rows = scope.rows.iter().chain(&self.context).map(|row| Constraint {
            kind: row.kind,
            expr: row.expr.embed(space, &(0..row.expr.space().dims).collect::<Vec<_>>()),
        });
        Polyhedron::new(space, rows.collect())
    }

    fn number_of_access(&mut self, statement: &Statement) -> Result<usize> {
        let missing = self.cursor.expected("the number of one of the statement's accesses");
        let access: u32 = self.cursor.small("the number of an access")?;
        Some(access as usize).filter(|&k| k < statement.accesses.len()).ok_or(missing)
    }

    pub(super) fn statement(&mut self, scope: &Scope, beta: Vec<usize>) -> Result<()> {
        let here = self.cursor.fail("this name is that of a statement before");
        let name = if *self.cursor.second() == Token::Sign(":") {
            let name = self.cursor.name(ITEM)?;
            self.cursor.advance();
            name
        } else {
            format!("S{}", self.scop.statements.len())
        };
        if self.scop.statements.iter().any(|s| s.name == name) {
            return Err(here);
        }
        let mut body = Body { names: self.names(scope), accesses: Vec::new(), text: String::new(), copied: 0 };
        body.copied = self.cursor.here().start;
        let start = body.copied;
        self.access(&mut body, ITEM)?;
        let assignments = ["=", "+=", "-=", "*=", "/="];
        let Some(sign) = assignments.into_iter().find(|s| self.cursor.accept(s)) else {
            return Err(self.cursor.expected("an assignment: '=', '+=', '-=', '*=' or '/='"));
        };
        let compound = sign != "=";
        if compound && let Some(write) = body.accesses.first().cloned() {
            body.accesses.push(Access { kind: AccessKind::Read, ..write });
        }
        self.expression(&mut body)?;
        let end = self.cursor.end_of_last();
        let whole = &self.cursor.text[start..end];
        body.text.push_str(&self.cursor.text[body.copied..end]);
        let mut statement = Statement {
            name,
            domain: self.domain(scope),
            beta,
            accesses: body.accesses,
            operations: if whole.contains('/') { (0, 1) } else { (1, 0) },
            calls: 0,
            alone: BTreeMap::new(),
            latencies: BTreeMap::new(),
            loaded: BTreeSet::new(),
            decided_by: BTreeSet::new(),
            asked: 0,
            skipped_by: BTreeSet::new(),
            chain_latency: if compound { 4 } else { 0 },
            shared: BTreeMap::new(),
            any_order: false,
            commutes: None,
            magnitudes: 0,
            sums: 0,
            by_numbers: 0,
            constants: 0,
            widest: 0,
            sought: Sought::default(),
            uncounted: false,
            vectorizable: true,
            text: body.text,
        };
        self.attributes(&mut statement)?;
        self.end_of_line()?;
        self.scop.statements.push(statement);
        Ok(())
    }

    fn attributes(&mut self, statement: &mut Statement) -> Result<()> {
        while self.cursor.accept("@") {
            let what = "'operations', 'calls', 'on', 'shared', 'from', 'loaded', 'decided', 'asked', 'skipped', 'chain', 'any_order', 'commutes', 'magnitudes', 'sums', 'by_numbers', 'constants', 'widest', 'sought', 'uncounted', 'scalar' or 'text'";
            let error = self.cursor.expected(what);
            match self.cursor.name(what)?.as_str() {
                "operations" => {
                    statement.operations =
                        (self.cursor.small("the number of operations")?, self.cursor.small("the number of divisions")?);
                }
                "calls" => statement.calls = self.cursor.small("the number of calls")?,
                "on" => {
                    self.cursor.expect("[")?;
                    let mut accesses = vec![self.number_of_access(statement)?];
                    while self.cursor.accept(",") {
                        accesses.push(self.number_of_access(statement)?);
                    }
                    self.cursor.expect("]")?;
                    let simple = self.cursor.small("the number of operations")?;
                    let divisions = self.cursor.small("the number of divisions")?;
                    statement.alone.insert(accesses, (simple, divisions));
                }
                "shared" => {
                    let group: u32 = self.cursor.small("the number of those that share them")?;
                    let divisions = self.cursor.small("the number of divisions")?;
                    let calls = self.cursor.small("the number of calls")?;
                    statement.shared.insert(group as usize, (divisions, calls));
                }
                "from" => {
                    let access = self.number_of_access(statement)?;
                    let cycles = self.cursor.small("the number of cycles")?;
                    statement.latencies.insert(access, cycles);
                }
                "loaded" => {
                    let access = self.number_of_access(statement)?;
                    statement.loaded.insert(access);
                }
                "decided" => {
                    let iterator: u32 = self.cursor.small("the number of an iterator")?;
                    statement.decided_by.insert(iterator as usize);
                }
                "asked" => statement.asked = self.cursor.small("the number of operations")?,
                "skipped" => {
                    let iterator: u32 = self.cursor.small("the number of an iterator")?;
                    statement.skipped_by.insert(iterator as usize);
                }
                "chain" => statement.chain_latency = self.cursor.small("the number of cycles")?,
                "any_order" => statement.any_order = true,
                "commutes" => {
                    let what = "an operation: 'sum', 'product', 'and', 'or', 'xor', 'least', 'most', 'least_unsigned' or 'most_unsigned'";
                    let error = self.cursor.expected(what);
                    let name = self.cursor.name(what)?;
                    let known = Commutative::ALL.into_iter().find(|c| c.name() == name);
                    statement.commutes = Some(known.ok_or(error)?);
                }
                "widest" => statement.widest = self.cursor.small("bytes of a number")?,
                "constants" => statement.constants = self.cursor.small("the number of constants")?,
                "magnitudes" => statement.magnitudes = self.cursor.small("the number of terms")?,
                "sums" => statement.sums = self.cursor.small("the number of sums")?,
                "by_numbers" => statement.by_numbers = self.cursor.small("the number of divisions")?,
                "sought" => {
                    let reads = self.cursor.small("the number of reads")?;
                    let simple = self.cursor.small("the number of operations")?;
                    let operations = (simple, self.cursor.small("the number of divisions")?);
                    statement.sought = Sought { reads, operations };
                }
                "uncounted" => statement.uncounted = true,
                "scalar" => statement.vectorizable = false,
                "text" => {
                    let Token::Text(text) = self.cursor.peek().clone() else {
                        return Err(self.cursor.expected("a text in quotes"));
                    };
                    self.cursor.advance();
                    statement.text = text;
                }
                _ => return Err(error),
            }
        }
        Ok(())
    }

    /// `A[i][j]`, `A[i,j]`, `s[]`.
    fn access(&mut self, body: &mut Body, what: &str) -> Result<()> {
        let at = self.cursor.here().clone();
        let name = self.cursor.name(what)?;
        if !self.cursor.is("[") {
            return Err(self.cursor.expected("'['"));
        }
        let mut subscripts: Vec<Affine> = Vec::new();
        while self.cursor.accept("[") {
            if subscripts.is_empty() && self.cursor.accept("]") {
                break;
            }
            loop {
                subscripts.push(self.cursor.affine(&body.names)?);
                if !self.cursor.accept(",") {
                    break;
                }
            }
            self.cursor.expect("]")?;
        }
        let array = self.array(&name, subscripts.len(), &at)?;
        let kind = if body.accesses.is_empty() { AccessKind::Write } else { AccessKind::Read };
        body.text.push_str(&self.cursor.text[body.copied..at.start]);
        body.text.push_str(&format!("{{{}}}", body.accesses.len()));
        body.copied = self.cursor.end_of_last();
        body.accesses.push(Access { array, kind, subscripts, extent: 1 });
        Ok(())
    }

    fn array(&mut self, name: &str, rank: usize, at: &Placed) -> Result<ArrayId> {
        if let Some(k) = self.scop.arrays.iter().position(|a| a.name == name) {
            let known = self.scop.arrays[k].rank;
            if known != rank {
                let message = format!("'{name}' has {known} subscripts elsewhere, and {rank} here");
                return Err(TextError { line: at.line, column: at.column, message });
            }
            return Ok(ArrayId(k));
        }
        self.scop.arrays.push(Array {
            name: name.to_owned(),
            rank,
            element_bytes: 8,
            stride_bytes: 8,
            inner_sizes: vec![None; rank.saturating_sub(1)],
            is_virtual: false,
        });
        Ok(ArrayId(self.scop.arrays.len() - 1))
    }

    /// The right side: its accesses matter, the rest is kept as text.
    fn expression(&mut self, body: &mut Body) -> Result<()> {
        const OPERATORS: [&str; 18] =
            ["<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^"];
        self.cursor.enter()?;
        loop {
            while ["-", "+", "!", "~"].into_iter().any(|s| self.cursor.accept(s)) {}
            self.operand(body)?;
            if self.cursor.accept("?") {
                self.expression(body)?;
                self.cursor.expect(":")?;
            } else if !OPERATORS.into_iter().any(|s| self.cursor.accept(s)) {
                self.cursor.leave();
                return Ok(());
            }
        }
    }

    fn operand(&mut self, body: &mut Body) -> Result<()> {
        match self.cursor.peek() {
            Token::Number(_) | Token::Decimal => {
                self.cursor.advance();
                // `2.0f`, `3u`, `2i`.
                let here = self.cursor.here();
                let suffix = matches!(here.token, Token::Name(_)) && here.start == self.cursor.end_of_last();
                if suffix && !matches!(self.cursor.second(), Token::Sign("[")) {
                    self.cursor.advance();
                }
                Ok(())
            }
            Token::Sign("(") => {
                self.cursor.advance();
                self.expression(body)?;
                self.cursor.expect(")")
            }
            Token::Name(n) if is_reserved(n) && n != "true" && n != "false" => {
                Err(self.cursor.expected("an expression"))
            }
            Token::Name(_) | Token::Quoted(_) if *self.cursor.second() == Token::Sign("[") => {
                self.access(body, "an array")
            }
            Token::Name(_) | Token::Quoted(_) => {
                self.cursor.advance();
                if !self.cursor.accept("(") || self.cursor.accept(")") {
                    return Ok(());
                }
                loop {
                    self.expression(body)?;
                    if !self.cursor.accept(",") {
                        return self.cursor.expect(")");
                    }
                }
            }
            _ => Err(self.cursor.expected("an expression")),
        }
    }
}
