//! Values chosen by a comparison that are the least or the greatest of two numbers: `j + w < n ? j + w + 1 : n`, of which LLVM makes no minimum because what is compared is not what is chosen, or has other bits.

use super::{Domain, Facts, Poly, Raise, Row, overflow};
use crate::llvm::{Opcode, Scev, ScevKind, Value};
use crate::raise::division;
use crate::raise::domain::condition_rows;
use crate::raise::reject::RejectKind;

/// The least or the greatest of two numbers.
pub struct Selected {
    /// Is it the greatest?
    pub largest: bool,
    /// These.
    pub of: [Poly; 2],
}

/// Might the expression be such a value?
pub fn may_be_selected(s: Scev) -> bool {
    s.kind() == ScevKind::Unknown && s.value().is_some_and(|v| v.opcode() == Some(Opcode::LLVMSelect))
}

impl Facts<'_> {
    /// The value of the region as one of two numbers. `None`: it is no such value.
    ///
    /// # Errors
    /// Budget, overflow.
    pub fn selected(&mut self, s: Scev, domain: &Domain) -> Raise<Option<Selected>> {
        let Some(value) = s.value().filter(|v| may_be_selected(s) && !(self.outside)(*v)) else { return Ok(None) };
        self.look()?;
        let before = self.checkpoint();
        let found = match self.compare(value, domain) {
            Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => return Err(r),
            found => found.ok().flatten(),
        };
        if found.is_none() {
            self.restore(&before);
        }
        Ok(found)
    }

    /// A bit that counts (`(i + 1) % 2`, also as a phi of one bit) as a number, 0 or 1. `None`: it is none.
    ///
    /// # Errors
    /// Budget, overflow.
    pub fn low_bit(&mut self, value: Value, domain: &Domain) -> Raise<Option<Poly>> {
        if value.ty().integer_bits() != Some(1) {
            return Ok(None);
        }
        let before = self.checkpoint();
        match self.congruent(value, domain) {
            Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => Err(r),
            Ok(t) if !t.poly.is_invariant() => Ok(division::remainder(self, &t.poly, 2)),
            _ => {
                self.restore(&before);
                Ok(None)
            }
        }
    }

    /// One of two constants, chosen by such a bit.
    fn by_a_bit(&mut self, s: Scev, domain: &Domain) -> Raise<Option<Poly>> {
        let Some(value) = s.value().filter(|v| may_be_selected(s) && !(self.outside)(*v)) else { return Ok(None) };
        let &[condition, yes, no] = value.operands().as_slice() else { return Ok(None) };
        let (Some(yes), Some(no)) = (yes.constant_int(), no.constant_int()) else { return Ok(None) };
        let Some(bit) = self.low_bit(condition, domain)? else { return Ok(None) };
        let more = yes.checked_sub(no).and_then(|by| bit.scale(by)).ok_or_else(overflow)?;
        more.add(&Poly::constant(no)).map(Some).ok_or_else(overflow)
    }

    fn compare(&mut self, value: Value, domain: &Domain) -> Raise<Option<Selected>> {
        let operands = value.operands();
        let &[condition, yes, no] = operands.as_slice() else { return Ok(None) };
        if value.ty().integer_bits().is_none() {
            return Ok(None);
        }
        // What is not chosen may be any number: it is looked at where it is chosen.
        let mut chosen = |number: Value, truth: bool| -> Raise<(Poly, Domain)> {
            let mut here = domain.clone();
            let rows: Vec<Row> = condition_rows(condition, truth, domain, self)?;
            here.rows.extend(rows);
            Ok((self.exact_value(number, &here)?, here))
        };
        let ((yes, where_yes), (no, where_no)) = (chosen(yes, true)?, chosen(no, false)?);
        let gap = no.sub(&yes).ok_or_else(overflow)?;
        let back = yes.sub(&no).ok_or_else(overflow)?;
        for (largest, rises, falls) in [(false, &gap, &back), (true, &back, &gap)] {
            if self.is_nonnegative(rises, &where_yes)? && self.is_nonnegative(falls, &where_no)? {
                return Ok(Some(Selected { largest, of: [yes, no] }));
            }
        }
        Ok(None)
    }

    /// What is chosen, if that is known: the one of two that is less or more, or what a low bit of a counter says.
    pub(super) fn decided(&mut self, s: Scev, domain: &Domain) -> Raise<Option<Poly>> {
        if let Some(number) = self.by_a_bit(s, domain)? {
            return Ok(Some(number));
        }
        let Some(Selected { largest, of: [a, b] }) = self.selected(s, domain)? else { return Ok(None) };
        let gap = if largest { a.sub(&b) } else { b.sub(&a) }.ok_or_else(overflow)?;
        if self.is_nonnegative(&gap, domain)? {
            return Ok(Some(a));
        }
        let back = gap.scale(-1).ok_or_else(overflow)?;
        Ok(self.is_nonnegative(&back, domain)?.then_some(b))
    }
}
