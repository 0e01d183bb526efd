//! Loop headers: from a range to an iterator that counts upwards from 0.
//!
//! `for i = lo .. hi step s` is `i = lo + s t` with `t >= 0` and `s t <= hi - 1 - lo`; downwards, `i = hi - s t`. Where the start is one of several values
//! (`max(a, b)`), `t` counts from the first of them and the others are rows; with a step that would lose the phase, and is refused.

use super::super::lex::Token;
use super::super::sum::{Bound, Extreme, Names, Sum, affine, offset, plus};
use super::super::{Result, TextError};
use super::{Reader, Scope};
use polyhedra::{Constraint, Space};

/// From where to where a loop runs. `last` is included.
struct Range {
    start: Bound,
    last: Bound,
    step: i128,
}

const TOO_LARGE: &str = "the number is too large";

impl Reader<'_> {
    /// A loop, from behind its `for` to its range.
    pub(super) fn header(&mut self, scope: &Scope) -> Result<Scope> {
        let names = self.names(scope);
        if self.cursor.accept("(") {
            return self.header_of_c(scope, &names);
        }
        let name = self.iterator(&names)?;
        let here = self.cursor.fail("");
        let at = |message: &str| TextError { message: message.into(), ..here.clone() };
        if self.cursor.accept_word("in") {
            let low = self.cursor.bound(&names)?;
            self.cursor.expect("..")?;
            let high = shifted(&self.cursor.bound(&names)?, -1).ok_or_else(|| at(TOO_LARGE))?;
            if self.cursor.is_word("step") {
                return Err(self.cursor.fail("`in` keeps the iterator as it is written; a step needs `=`"));
            }
            return self.open(scope, name, Some((Range { start: low, last: high, step: 1 }, false)), &here);
        }
        if !self.cursor.accept("=") {
            if matches!(self.cursor.peek(), Token::Newline | Token::Sign("{" | ":")) {
                return self.open(scope, name, None, &here);
            }
            return Err(self.cursor.expected("'=', 'in' or a block"));
        }
        let start = self.cursor.bound(&names)?;
        let down = self.cursor.accept_word("downto");
        if !down && !self.cursor.accept("..") {
            return Err(self.cursor.expected("'..' or 'downto'"));
        }
        let end = self.cursor.bound(&names)?;
        let step = if self.cursor.accept_word("step") { self.step()? } else { 1 };
        let (step, included) = if down { (-step.abs(), 0) } else { (step, -step.signum()) };
        let last = shifted(&end, included).ok_or_else(|| at(TOO_LARGE))?;
        self.open(scope, name, Some((Range { start, last, step }, true)), &here)
    }

    /// A step: not 0.
    fn step(&mut self) -> Result<i128> {
        let error = self.cursor.fail("a step is a number from 1 to 2^31, or its negative");
        let sign = if self.cursor.accept("-") { -1 } else { 1 };
        let size = self.cursor.number("the step")?;
        if (1..=1 << 31).contains(&size) { Ok(sign * size) } else { Err(error) }
    }

    /// `int i = 0; i < n; i++)`.
    fn header_of_c(&mut self, scope: &Scope, names: &Names) -> Result<Scope> {
        while matches!((self.cursor.peek(), self.cursor.second()), (Token::Name(_), Token::Name(_) | Token::Quoted(_)))
        {
            self.cursor.advance();
        }
        let name = self.iterator(names)?;
        let here = self.cursor.fail("");
        let at = |message: &str| TextError { message: message.into(), ..here.clone() };
        self.cursor.expect("=")?;
        let start = self.cursor.bound(names)?;
        self.cursor.expect(";")?;
        self.same_name(&name)?;
        let compare = self.cursor.fail("this comparison does not end a loop of this direction");
        let Some(sign) = ["<=", ">=", "<", ">", "!="].into_iter().find(|s| self.cursor.accept(s)) else {
            return Err(self.cursor.expected("'<', '<=', '>', '>=' or '!='"));
        };
        let end = self.cursor.bound(names)?;
        self.cursor.expect(";")?;
        let step = self.increment(&name)?;
        self.cursor.expect(")")?;
        let (up, included) = match sign {
            "<" => (true, -1),
            "<=" => (true, 0),
            ">" => (false, 1),
            ">=" => (false, 0),
            // Steps of one cannot miss the end: of loops that end, the same as `<` or `>`.
            _ if step.abs() == 1 => (step > 0, -step.signum()),
            _ => return Err(TextError { message: "a loop up to `!=` needs steps of one".into(), ..compare }),
        };
        if up != (step > 0) {
            return Err(compare);
        }
        let last = shifted(&end, included).ok_or_else(|| at(TOO_LARGE))?;
        self.open(scope, name, Some((Range { start, last, step }, true)), &here)
    }

    fn same_name(&mut self, name: &str) -> Result<()> {
        let error = self.cursor.fail(format!("expected the loop's own variable '{name}'"));
        if self.cursor.name("the loop's variable")? == name { Ok(()) } else { Err(error) }
    }

    fn increment(&mut self, name: &str) -> Result<i128> {
        for (sign, step) in [("+", 1), ("-", -1)] {
            if self.cursor.accept(sign) {
                self.cursor.expect(sign)?;
                self.same_name(name)?;
                return Ok(step);
            }
        }
        self.same_name(name)?;
        for (sign, assign, step) in [("+", "+=", 1), ("-", "-=", -1)] {
            if self.cursor.accept(sign) {
                self.cursor.expect(sign)?;
                return Ok(step);
            }
            if self.cursor.accept(assign) {
                return Ok(step * self.step()?);
            }
        }
        Err(self.cursor.expected("'++', '--', '+=' or '-='"))
    }

    fn iterator(&mut self, names: &Names) -> Result<String> {
        let error = self.cursor.fail("this name is already that of a parameter or of a loop around");
        let name = self.cursor.name("the name of a loop variable")?;
        if names.contains(&name) { Err(error) } else { Ok(name) }
    }

    /// One loop more. `true` beside the range: the iterator counts from 0.
    fn open(&self, scope: &Scope, name: String, range: Option<(Range, bool)>, here: &TextError) -> Result<Scope> {
        let at = |message: &str| TextError { message: message.into(), ..here.clone() };
        let space = Space::new(self.scop.params.len(), scope.names.len() + 1);
        let mut inner = scope.clone();
        let mut own = vec![0; space.columns()];
        if let Some(last) = own.last_mut() {
            *last = 1;
        }
        let wide = |s: &Sum| {
            let mut s = s.clone();
            s.resize(space.columns(), 0);
            s
        };
        let mut rows: Vec<Option<Sum>> = Vec::new();
        let mut value = own.clone();
        if let Some((Range { start, last, step }, from_zero)) = &range {
            let sign = step.signum();
            let (first, end) =
                if sign > 0 { (Extreme::Largest, Extreme::Least) } else { (Extreme::Least, Extreme::Largest) };
            if ![Extreme::One, first].contains(&start.kind) || ![Extreme::One, end].contains(&last.kind) {
                return Err(at(
                    "bounds that are not convex: a loop may run from a `max` up to a `min`, or from a `min` down to a `max`",
                ));
            }
            let mut starts = start.list.iter();
            if *from_zero {
                if start.list.len() > 1 && step.abs() != 1 {
                    return Err(at("a loop with a step cannot start at one of several values"));
                }
                rows.push(Some(own.clone()));
                let Some(origin) = starts.next() else { return Err(at("a loop without start")) };
                value = plus(&wide(origin), &own, *step).ok_or_else(|| at(TOO_LARGE))?;
            }
            // Upwards value >= start and last >= value, downwards the reverse.
            let beyond = |a: &Sum, b: &Sum| plus(&vec![0; a.len()], a, sign).and_then(|a| plus(&a, b, -sign));
            rows.extend(starts.map(|s| beyond(&value, &wide(s))));
            rows.extend(last.list.iter().map(|l| beyond(&wide(l), &value)));
        }
        for row in rows {
            let row = row.and_then(|row| affine(space, &row)).ok_or_else(|| at(TOO_LARGE))?;
            inner.rows.push(Constraint::ge(row));
        }
        inner.names.push(name);
        inner.values.push(value);
        Ok(inner)
    }
}

fn shifted(bound: &Bound, by: i128) -> Option<Bound> {
    let list = bound.list.iter().map(|s| offset(s, by)).collect::<Option<_>>()?;
    Some(Bound { kind: bound.kind, list })
}
