//! Affine sums, bounds with `min` and `max`, and rows of conditions.

use super::lex::{Cursor, Token, is_reserved};
use super::{Result, TextError};
use polyhedra::{Affine, Constraint, Kind, Space};

/// A form in the making: columns `[1 | N | i]`.
pub(super) type Sum = Vec<i128>;

/// What names mean, in the columns of one space. A bare name is looked for from the back, one in backquotes from the front: so in a tree, where iterators
/// are called `i0`, `i1`, .. and stand last, a parameter of such a name is still reached.
pub(super) struct Names {
    pub space: Space,
    pub values: Vec<(String, Sum)>,
}

impl Names {
    pub fn contains(&self, name: &str) -> bool {
        self.values.iter().any(|(n, _)| n == name)
    }

    fn get(&self, name: &str, quoted: bool) -> Option<Sum> {
        let is = |(n, _): &&(String, Sum)| n == name;
        let found = if quoted { self.values.iter().find(is) } else { self.values.iter().rev().find(is) };
        found.map(|(_, value)| {
            let mut value = value.clone();
            value.resize(self.space.columns(), 0);
            value
        })
    }
}

/// The least or the largest of several forms, or just one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extreme {
    One,
    Least,
    Largest,
}

/// A bound.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub kind: Extreme,
    pub list: Vec<Sum>,
}

const TOO_LARGE: &str = "the number is too large";

/// `a + factor * b`.
pub(super) fn plus(a: &Sum, b: &Sum, factor: i128) -> Option<Sum> {
    a.iter().zip(b).map(|(&a, &b)| b.checked_mul(factor).and_then(|b| a.checked_add(b))).collect()
}

/// `sum + c`.
pub(super) fn offset(sum: &Sum, c: i128) -> Option<Sum> {
    let mut out = sum.clone();
    if let Some(first) = out.first_mut() {
        *first = first.checked_add(c)?;
    }
    Some(out)
}

fn constant(sum: &Sum) -> Option<i128> {
    sum.split_first().filter(|(_, rest)| rest.iter().all(|&c| c == 0)).map(|(c, _)| *c)
}

/// As stored: `i64` columns. `None`: too large.
pub(super) fn affine(space: Space, sum: &Sum) -> Option<Affine> {
    let coeffs: Option<Vec<i64>> = sum.iter().map(|&c| i64::try_from(c).ok()).collect();
    Some(Affine::from_coeffs(space, coeffs?))
}

impl Bound {
    fn one(sum: Sum) -> Self {
        Self { kind: Extreme::One, list: vec![sum] }
    }

    fn scale(&self, by: i128) -> Option<Self> {
        let zero = |s: &Sum| vec![0; s.len()];
        let list = self.list.iter().map(|s| plus(&zero(s), s, by)).collect::<Option<_>>()?;
        let kind = match self.kind {
            kind if by >= 0 => kind,
            Extreme::One => Extreme::One,
            Extreme::Least => Extreme::Largest,
            Extreme::Largest => Extreme::Least,
        };
        Some(Self { kind, list })
    }

    /// `None`: too large. Two bounds of several forms give all their sums.
    fn add(&self, other: &Self) -> Option<Self> {
        let kind = if self.kind == Extreme::One { other.kind } else { self.kind };
        let mut list = Vec::new();
        for a in &self.list {
            for b in &other.list {
                list.push(plus(a, b, 1)?);
            }
        }
        Some(Self { kind, list })
    }
}

/// Forms that one bound may stand for.
const MOST_FORMS: usize = 64;

impl Cursor<'_> {
    /// An affine form.
    pub(super) fn sum(&mut self, names: &Names) -> Result<Sum> {
        let error = self.fail("`min` and `max` are not allowed here");
        let mut bound = self.bound(names)?;
        match (bound.kind, bound.list.pop()) {
            (Extreme::One, Some(sum)) => Ok(sum),
            _ => Err(error),
        }
    }

    /// An affine form in its space.
    pub(super) fn affine(&mut self, names: &Names) -> Result<Affine> {
        let error = self.fail(TOO_LARGE);
        affine(names.space, &self.sum(names)?).ok_or(error)
    }

    /// A form, or the least or largest of several.
    pub(super) fn bound(&mut self, names: &Names) -> Result<Bound> {
        let mut sum = self.product(names)?;
        loop {
            let factor = if self.accept("+") {
                1
            } else if self.accept("-") {
                -1
            } else {
                return Ok(sum);
            };
            let here = self.fail("");
            let at = |message: &str| TextError { message: message.into(), ..here.clone() };
            let term = self.product(names)?.scale(factor).ok_or_else(|| at(TOO_LARGE))?;
            if sum.kind != Extreme::One && term.kind != Extreme::One && sum.kind != term.kind {
                return Err(at("a sum of a least and a largest is not convex"));
            }
            if sum.list.len() * term.list.len() > MOST_FORMS {
                return Err(at("too many forms in one bound"));
            }
            sum = sum.add(&term).ok_or_else(|| at(TOO_LARGE))?;
        }
    }

    fn product(&mut self, names: &Names) -> Result<Bound> {
        let mut sign = 1;
        while self.accept("-") {
            sign = -sign;
        }
        let mut product = self.atom(names)?;
        loop {
            if self.is("%") {
                product = self.modulo(&product)?;
                continue;
            }
            if self.is("/") {
                return Err(self.fail("a quotient is not affine"));
            }
            let star = self.accept("*");
            let another = match self.peek() {
                Token::Sign("(") | Token::Quoted(_) => true,
                Token::Name(name) => !is_reserved(name),
                _ => false,
            };
            if !star && !another {
                break;
            }
            let here = self.fail("");
            let at = |message: &str| TextError { message: message.into(), ..here.clone() };
            let factor = self.atom(names)?;
            let number = |b: &Bound| (b.kind == Extreme::One).then(|| b.list.first().and_then(constant)).flatten();
            product = match (number(&product), number(&factor)) {
                (_, Some(by)) => product.scale(by),
                (Some(by), _) => factor.scale(by),
                _ => return Err(at("a product of two variables is not affine")),
            }
            .ok_or_else(|| at(TOO_LARGE))?;
        }
        product.scale(sign).ok_or_else(|| self.fail(TOO_LARGE))
    }

    /// `sum % n` where that is a constant.
    fn modulo(&mut self, of: &Bound) -> Result<Bound> {
        let here = self.fail(
            "'%' needs a dimension of its own, which the domain of a statement does not have; write a loop with `step`",
        );
        self.advance();
        let zero = self.fail("expected a positive number");
        let by = self.number("a positive number")?;
        if by == 0 {
            return Err(zero);
        }
        let [sum] = of.list.as_slice() else { return Err(here) };
        if sum.iter().skip(1).any(|c| c % by != 0) {
            return Err(here);
        }
        let mut out = vec![0; sum.len()];
        if let (Some(o), Some(c)) = (out.first_mut(), sum.first()) {
            *o = c.rem_euclid(by);
        }
        Ok(Bound::one(out))
    }

    fn atom(&mut self, names: &Names) -> Result<Bound> {
        let (name, quoted) = match self.peek() {
            Token::Number(n) => {
                let mut sum = vec![0; names.space.columns()];
                sum[0] = *n;
                self.advance();
                return Ok(Bound::one(sum));
            }
            Token::Sign("(") => {
                self.enter()?;
                self.advance();
                let inner = self.bound(names)?;
                self.leave();
                self.expect(")")?;
                return Ok(inner);
            }
            Token::Name(n) if (n == "min" || n == "max") && *self.second() == Token::Sign("(") => {
                let kind = if n == "min" { Extreme::Least } else { Extreme::Largest };
                return self.extreme(names, kind);
            }
            Token::Name(n) if !is_reserved(n) => (n.clone(), false),
            Token::Quoted(n) => (n.clone(), true),
            _ => return Err(self.expected("a number, a name or '('")),
        };
        if *self.second() == Token::Sign("[") {
            return Err(self.fail("an array in a subscript, bound or condition is not affine"));
        }
        let Some(sum) = names.get(&name, quoted) else {
            return Err(self.fail(format!("'{name}' is neither a parameter nor a loop around this place")));
        };
        self.advance();
        Ok(Bound::one(sum))
    }

    /// `min(a, b, ..)`, `max(a, b, ..)`.
    fn extreme(&mut self, names: &Names, kind: Extreme) -> Result<Bound> {
        self.enter()?;
        self.advance();
        self.expect("(")?;
        let mut list: Vec<Sum> = Vec::new();
        loop {
            let here = self.fail("a `min` inside of a `max`, or the reverse, is not convex");
            let bound = self.bound(names)?;
            if bound.kind != Extreme::One && bound.kind != kind {
                return Err(here);
            }
            list.extend(bound.list);
            if list.len() > MOST_FORMS {
                return Err(TextError { message: "too many forms in one bound".into(), ..here });
            }
            if !self.accept(",") {
                break;
            }
        }
        self.leave();
        self.expect(")")?;
        Ok(if list.len() == 1 { Bound { kind: Extreme::One, list } } else { Bound { kind, list } })
    }

    /// Rows of a condition.
    pub(super) fn rows(&mut self, names: &Names) -> Result<Vec<Constraint>> {
        let mut out = Vec::new();
        loop {
            self.chain(names, &mut out)?;
            if !self.accept(",") && !self.accept("&&") && !self.accept_word("and") {
                return Ok(out);
            }
        }
    }

    fn chain(&mut self, names: &Names, out: &mut Vec<Constraint>) -> Result<()> {
        if self.accept_word("true") {
            return Ok(());
        }
        if self.accept_word("false") {
            out.push(Constraint::ge(Affine::constant(names.space, -1)));
            return Ok(());
        }
        let mut left = self.bound(names)?;
        let mut any = false;
        loop {
            if self.is("!=") || self.is("||") {
                return Err(self.fail("'!=' and '||' are not convex: write one loop or statement for each part"));
            }
            let here =
                self.fail("a bound that is not convex: `min` may only stand on the greater side, `max` on the lesser");
            let Some(sign) = ["<=", ">=", "==", "<", ">", "="].into_iter().find(|s| self.accept(s)) else {
                return if any { Ok(()) } else { Err(self.expected("a comparison")) };
            };
            any = true;
            let right = self.bound(names)?;
            let (kind, high, low, strict) = match sign {
                "<=" => (Kind::Ge, &right, &left, 0),
                "<" => (Kind::Ge, &right, &left, -1),
                ">=" => (Kind::Ge, &left, &right, 0),
                ">" => (Kind::Ge, &left, &right, -1),
                _ => (Kind::Eq, &left, &right, 0),
            };
            let convex = match kind {
                Kind::Ge => high.kind != Extreme::Largest && low.kind != Extreme::Least,
                Kind::Eq => high.kind == Extreme::One && low.kind == Extreme::One,
            };
            if !convex {
                return Err(here);
            }
            for h in &high.list {
                for l in &low.list {
                    let row = plus(h, l, -1).and_then(|row| offset(&row, strict));
                    let expr = row.and_then(|row| affine(names.space, &row));
                    let too_large = || TextError { message: TOO_LARGE.into(), ..here.clone() };
                    out.push(Constraint { kind, expr: expr.ok_or_else(too_large)? });
                }
            }
            left = right;
        }
    }
}
