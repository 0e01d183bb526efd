//! Looking, before the region, at numbers of which the program asks whether they are zero.
//!
//! ```text
//! for all loops but the last: leave at once if there was one
//!     for the last: was there one, or is this one?
//! ```
//! What the innermost loop carries can be computed for several cells at once, which LLVM's vectoriser does.

use super::checks::{Checker, Number};
use super::{LowerError, Result};
use crate::llvm::Value;
use crate::llvm::build::Compare;
use crate::raise::factors::Check;
use polyhedra::{Affine, Space};

/// What the loops look at.
struct Look<'c> {
    check: &'c Check,
    base: Value,
    strides: Vec<Value>,
}

impl Checker<'_> {
    /// Requires that the condition holds for all cells.
    pub(super) fn factors(&mut self, check: &Check) -> Result<()> {
        let (i1, i64) = (self.t.int(1), self.t.int(64));
        let base = self.hoisted.get(check.base);
        let base = self.t.freeze(base);
        let mut strides = Vec::new();
        for stride in &check.strides {
            let bytes = self.polynomial(stride)?;
            strides.push(self.t.resize(bytes.value, i64));
        }
        let (yes, no) = (self.t.constant(i1, 1), self.t.constant(i1, 0));
        let mut some = yes;
        for guard in &check.guards {
            let (zero, value) = (self.constant(0), self.affine(guard)?);
            let holds = self.less_eq(zero, value);
            some = self.t.and(some, holds);
        }
        let before = self.t.current();
        let (body, after) = (self.t.block("lw.look"), self.t.block("lw.looked"));
        self.t.branch_if(some, body, after);
        self.t.position(body);
        let made = self.made();
        let found = self.look(&Look { check, base, strides }, &mut Vec::new())?;
        self.forget(made);
        let end = self.t.current();
        self.t.branch(after);
        self.t.position(after);
        let any = self.t.phi(i1);
        self.t.add_incoming(any, no, before);
        self.t.add_incoming(any, found, end);
        let none = self.t.xor(any, yes);
        self.require(none);
        Ok(())
    }

    /// Is there a cell, under loops that are where they are, of which the condition does not hold?
    fn look(&mut self, look: &Look, at: &mut Vec<Number>) -> Result<Value> {
        let Some((lower, upper)) = look.check.loops.get(at.len()) else { return self.look_at(look, at) };
        let (i1, i64) = (self.t.int(1), self.t.int(64));
        let (first, last) = (self.outermost(lower, at, true)?, self.outermost(upper, at, false)?);
        let some = self.less_eq(first, last);
        let interval = (first.interval.0, last.interval.1);
        let (first, last) = (self.narrow(first)?, self.narrow(last)?);
        let before = self.t.current();
        let (head, done) = (self.t.block("lw.look"), self.t.block("lw.looked"));
        self.t.branch_if(some, head, done);
        self.t.position(head);
        let (place, so_far) = (self.t.phi(i64), self.t.phi(i1));
        at.push(Number { value: place, interval });
        let is_innermost = at.len() == look.check.loops.len();
        let here = self.look(look, at)?;
        at.pop();
        let found = self.t.or(so_far, here);
        let one = self.t.constant(i64, 1);
        let next = self.t.add(place, one);
        let is_last = self.t.compare(Compare::Equal, place, last);
        let over = if is_innermost { is_last } else { self.t.or(is_last, found) };
        let end = self.t.current();
        self.t.branch_if(over, done, head);
        let no = self.t.constant(i1, 0);
        for (phi, start, again) in [(place, first, next), (so_far, no, found)] {
            self.t.add_incoming(phi, start, before);
            self.t.add_incoming(phi, again, end);
        }
        self.t.position(done);
        let result = self.t.phi(i1);
        self.t.add_incoming(result, no, before);
        self.t.add_incoming(result, found, end);
        Ok(result)
    }

    /// Does the condition not hold for this cell?
    fn look_at(&mut self, look: &Look, at: &[Number]) -> Result<Value> {
        let check = look.check;
        let i64 = self.t.int(64);
        let mut address = look.base;
        for (subscript, stride) in check.cell.iter().zip(&look.strides) {
            let subscript = self.over_loops(subscript, at)?;
            let subscript = self.narrow(subscript)?;
            let subscript = self.t.resize(subscript, i64);
            let bytes = self.t.mul(subscript, *stride);
            address = self.t.byte_offset(address, bytes);
        }
        let loaded = self.t.load(check.ty, address, check.alignment.max(1));
        let loaded = self.t.freeze(loaded);
        let operands: Vec<Value> =
            check.condition.operands().into_iter().map(|v| if v == check.load { loaded } else { v }).collect();
        let holds = self.t.clone_with(check.condition, &operands);
        if !check.truth {
            return Ok(holds);
        }
        let yes = self.t.constant(self.t.int(1), 1);
        Ok(self.t.xor(holds, yes))
    }

    /// The largest or least of some forms over loops.
    fn outermost(&mut self, forms: &[Affine], at: &[Number], largest: bool) -> Result<Number> {
        let mut out: Option<Number> = None;
        for form in forms {
            let number = self.over_loops(form, at)?;
            out = Some(match out {
                Some(known) => self.extreme(largest, known, number),
                None => number,
            });
        }
        out.ok_or(LowerError::Malformed("a loop without bounds"))
    }

    /// A form over parameters and loops.
    fn over_loops(&mut self, form: &Affine, at: &[Number]) -> Result<Number> {
        let params = form.space().params;
        let mut sum = self.affine(&Affine::from_coeffs(Space::new(params, 0), form.coeffs()[..=params].to_vec()))?;
        for (&c, &iterator) in form.dim_coeffs().iter().zip(at).filter(|(c, _)| **c != 0) {
            let factor = self.constant(c.into());
            let term = self.mul(iterator, factor)?;
            sum = self.add(sum, term)?;
        }
        Ok(sum)
    }
}
