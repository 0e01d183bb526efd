//! Looking, before the region, at numbers of which the program asks something.
//!
//! ```text
//! for all loops but the last: leave at once if there was one that is not as it should be
//!     for the last: was there one, or is this one?
//! ```
//! What the innermost loop carries can be computed for several cells at once, which LLVM's vectoriser does.

use super::checks::{Checker, Number};
use super::{LowerError, Result};
use crate::llvm::Value;
use crate::llvm::build::Compare;
use crate::raise::looks::{Cell, Look, Question};
use crate::raise::magnitudes::Bounded;
use polyhedra::{Affine, Space};

const UNKNOWN: LowerError = LowerError::Malformed("a number of an unknown format");

/// What the loops look at, and where it is.
struct Cells<'l> {
    look: &'l Look,
    base: Value,
    strides: Vec<Value>,
}

impl Checker<'_> {
    /// Requires that a number from before the region is not too large.
    pub(super) fn magnitude(&mut self, bounded: &Bounded) -> Result<()> {
        let value = self.hoisted.get(bounded.value);
        let value = self.t.freeze(value);
        let (bits, _) = value.ty().bits_of_one().ok_or(UNKNOWN)?;
        let value = self.t.bitcast(value, self.t.int(bits));
        let is_larger = self.is_larger(value, bits, bounded.most);
        let yes = self.t.constant(self.t.int(1), 1);
        let is_small = self.t.xor(is_larger, yes);
        self.require(is_small);
        Ok(())
    }

    /// Has a number a larger magnitude than one of these bits, or is it NaN? From its own bits.
    fn is_larger(&mut self, value: Value, bits: u32, most: u64) -> Value {
        let int = self.t.int(bits);
        let without_sign = self.t.constant(int, (1 << (bits - 1)) - 1);
        let magnitude = self.t.and(value, without_sign);
        let most = self.t.constant(int, most.into());
        self.t.compare(Compare::SignedLess, most, magnitude)
    }

    /// Requires that the answer is as it should be for all cells.
    pub(super) fn look_at_cells(&mut self, look: &Look) -> Result<()> {
        let (i1, i64) = (self.t.int(1), self.t.int(64));
        let base = self.hoisted.get(look.base);
        let base = self.t.freeze(base);
        let mut strides = Vec::new();
        for stride in &look.strides {
            let bytes = self.polynomial(stride)?;
            strides.push(self.t.resize(bytes.value, i64));
        }
        let (yes, no) = (self.t.constant(i1, 1), self.t.constant(i1, 0));
        let mut some = yes;
        for guard in &look.guards {
            let (zero, value) = (self.constant(0), self.affine(guard)?);
            let holds = self.less_eq(zero, value);
            some = self.t.and(some, holds);
        }
        let before = self.t.current();
        let (body, after) = (self.t.block("lw.look"), self.t.block("lw.looked"));
        self.t.branch_if(some, body, after);
        self.t.position(body);
        let made = self.made();
        let found = self.look(&Cells { look, base, strides }, &mut Vec::new())?;
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

    /// Is there a cell, under loops that are where they are, of which the answer is another one?
    fn look(&mut self, cells: &Cells, at: &mut Vec<Number>) -> Result<Value> {
        let Some((lower, upper)) = cells.look.loops.get(at.len()) else {
            let mut found = self.t.constant(self.t.int(1), 0);
            for cell in &cells.look.cells {
                let here = self.look_at(cells, cell, at)?;
                found = self.t.or(found, here);
            }
            return Ok(found);
        };
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
        let is_innermost = at.len() == cells.look.loops.len();
        let here = self.look(cells, at)?;
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

    /// Is the answer another one for this cell?
    fn look_at(&mut self, Cells { base, strides, .. }: &Cells, cell: &Cell, at: &[Number]) -> Result<Value> {
        let i64 = self.t.int(64);
        let mut address = *base;
        for (subscript, stride) in cell.subscripts.iter().zip(strides) {
            let subscript = self.over_loops(subscript, at)?;
            let subscript = self.narrow(subscript)?;
            let subscript = self.t.resize(subscript, i64);
            let bytes = self.t.mul(subscript, *stride);
            address = self.t.byte_offset(address, bytes);
        }
        match cell.question {
            Question::Comparison { condition, truth } => {
                let loaded = self.t.load(cell.ty, address, cell.alignment.max(1));
                let loaded = self.t.freeze(loaded);
                let operands: Vec<Value> =
                    condition.operands().into_iter().map(|v| if v == cell.load { loaded } else { v }).collect();
                let holds = self.t.clone_with(condition, &operands);
                if !truth {
                    return Ok(holds);
                }
                let yes = self.t.constant(self.t.int(1), 1);
                Ok(self.t.xor(holds, yes))
            }
            Question::Magnitude { most } => {
                let (bits, _) = cell.ty.bits_of_one().ok_or(UNKNOWN)?;
                let loaded = self.t.load(self.t.int(bits), address, cell.alignment.max(1));
                let loaded = self.t.freeze(loaded);
                Ok(self.is_larger(loaded, bits, most))
            }
        }
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
