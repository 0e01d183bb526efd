//! Numbers that are one polynomial here and another one there: the least of two (`min(i + 1, n - 1)`), remainders (`(i + 1) % n`), what a comparison of counters chooses (`i == 0 ? n - 1 : i - 1`).
//!
//! On a domain where it is known which of the cases holds, they are the polynomial of that case. On another one [`Facts::parting`] says by which row it should be parted.

use super::selected::may_be_selected;
use super::{Domain, Facts, Poly, Raise, Row, Translated, overflow};
use crate::llvm::{Opcode, Scev, ScevKind, Value};
use crate::raise::domain::condition_rows;
use crate::raise::reject::RejectKind;
use polyhedra::Kind;

/// Most multiples of a divisor between which a number may lie.
const MOST_MULTIPLES: i64 = 4;

/// Between which multiples of a divisor a number lies.
enum Multiple {
    /// From this one up to the next.
    Known(i64),
    /// That depends on whether this row holds.
    Parted(Row),
    /// Between too many.
    Unknown,
}

/// Whether a comparison holds on a domain.
enum Truth {
    /// Always, or never.
    Known(bool),
    /// That depends on whether this row holds.
    Parted(Row),
    /// Nobody knows.
    Unknown,
}

impl Facts<'_> {
    /// The value that a comparison of counters chooses, if it always holds on the domain, or never.
    ///
    /// # Errors
    /// Budget, overflow.
    pub(super) fn chosen(&mut self, s: Scev, domain: &Domain) -> Raise<Option<Value>> {
        let Some((condition, yes, no)) = self.choice_of_counters(s) else { return Ok(None) };
        Ok(match self.truth(condition, domain)? {
            Truth::Known(holds) => Some(if holds { yes } else { no }),
            Truth::Parted(_) | Truth::Unknown => None,
        })
    }

    /// A remainder with a sign in the region, of which scalar evolution knows nothing: of numbers that are between known multiples of the divisor.
    ///
    /// # Errors
    /// Budget, overflow, something may wrap.
    pub(super) fn remainder(&mut self, value: Value, domain: &Domain) -> Raise<Option<Translated>> {
        let Some([x, by]) = remainder_of(value) else { return Ok(None) };
        let (x, by) = (self.exact_value(x, domain)?, self.exact_value(by, domain)?);
        let poly = match self.multiple(&x, &by, domain)? {
            Multiple::Known(times @ 0..) => by.scale(times).and_then(|less| x.sub(&less)).ok_or_else(overflow)?,
            // A negative number, from `-by` on, is its own remainder; that of `-by` is 0.
            Multiple::Known(-1) if self.is_nonnegative(&beyond(&x, &by)?, domain)? => x,
            Multiple::Known(-1) if self.is_nonnegative(&not_beyond(&x, &by)?, domain)? => Poly::default(),
            _ => return Ok(None),
        };
        Ok(Some(Translated { poly, exact: true }))
    }

    /// `x / by`, rounded down, of a number between known multiples of a divisor.
    ///
    /// # Errors
    /// Budget, overflow.
    pub(super) fn times(&mut self, x: &Poly, by: &Poly, domain: &Domain) -> Raise<Option<i64>> {
        Ok(match self.multiple(x, by, domain)? {
            Multiple::Known(times) => Some(times),
            _ => None,
        })
    }

    /// [`Self::parting`] for an address, by the expression that it is, or by the indices that it is computed from.
    ///
    /// # Errors
    /// Budget, overflow.
    pub fn parting_of_address(&mut self, pointer: Value, domain: &Domain) -> Raise<Option<Row>> {
        let offset = self.analyses.scev(pointer).and_then(|s| self.analyses.without_base(s));
        if let Some(offset) = offset
            && let Some(row) = self.parting(offset, domain)?
        {
            return Ok(Some(row));
        }
        let mut here = pointer;
        while !(self.outside)(here) {
            if let Some((condition, yes, no)) = self.choice_of_pointers(here) {
                match self.truth(condition, domain)? {
                    Truth::Known(holds) => return self.parting_of_address(if holds { yes } else { no }, domain),
                    Truth::Parted(row) => return Ok(Some(row)),
                    Truth::Unknown => return self.parting_of_compared(condition, domain),
                }
            }
            let Some(step) = self.analyses.address_step(here) else { break };
            for (index, _) in step.variable {
                if let Some(s) = self.analyses.scev(index)
                    && let Some(row) = self.parting(s, domain)?
                {
                    return Ok(Some(row));
                }
            }
            here = step.base;
        }
        Ok(None)
    }

    /// A row by which the domain should be parted for the expression to be a polynomial on both sides. `None`: there is none that would help.
    ///
    /// # Errors
    /// Budget, overflow.
    pub fn parting(&mut self, s: Scev, domain: &Domain) -> Raise<Option<Row>> {
        self.look()?;
        let before = self.checkpoint();
        let found = match self.parting_of(s, domain) {
            Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => return Err(r),
            found => found.ok().flatten(),
        };
        if found.is_none() {
            self.restore(&before);
        }
        Ok(found)
    }

    fn parting_of(&mut self, s: Scev, domain: &Domain) -> Raise<Option<Row>> {
        if s.kind() == ScevKind::Unknown {
            return match s.value() {
                Some(value) => self.parting_of_value(s, value, domain),
                None => Ok(None),
            };
        }
        for operand in s.operands() {
            if let Some(row) = self.parting(operand, domain)? {
                return Ok(Some(row));
            }
        }
        match (s.kind(), s.operands().as_slice()) {
            (ScevKind::SMax | ScevKind::SMin | ScevKind::UMax | ScevKind::UMin | ScevKind::SequentialUMin, all) => {
                let largest = matches!(s.kind(), ScevKind::SMax | ScevKind::UMax);
                self.parting_of_extreme(all, largest, domain)
            }
            (ScevKind::UDiv, [x, by]) => {
                let (x, by) = (self.exact(*x, domain)?, self.exact(*by, domain)?);
                self.parting_by_multiples(&x, &by, domain)
            }
            (ScevKind::ZeroExtend, [inner]) => {
                let Some(by) = two_to_the(self.analyses.scev_bits(*inner)) else { return Ok(None) };
                let poly = self.translate(*inner, domain)?.poly;
                self.parting_by_multiples(&poly, &by, domain)
            }
            _ => Ok(None),
        }
    }

    fn parting_of_value(&mut self, s: Scev, value: Value, domain: &Domain) -> Raise<Option<Row>> {
        if (self.outside)(value) {
            return Ok(None);
        }
        if let Some([x, by]) = remainder_of(value) {
            for operand in [x, by] {
                if let Some(s) = self.analyses.scev(operand)
                    && let Some(row) = self.parting(s, domain)?
                {
                    return Ok(Some(row));
                }
            }
            let (x, by) = (self.exact_value(x, domain)?, self.exact_value(by, domain)?);
            return Ok(match self.multiple(&x, &by, domain)? {
                Multiple::Parted(row) => Some(row),
                Multiple::Known(-1) => Some(Row::ge(beyond(&x, &by)?)),
                _ => None,
            });
        }
        let Some((condition, yes, no)) = self.choice_of_counters(s) else { return Ok(None) };
        match self.truth(condition, domain)? {
            Truth::Known(holds) => match self.analyses.scev(if holds { yes } else { no }) {
                Some(s) => self.parting(s, domain),
                None => Ok(None),
            },
            Truth::Parted(row) => Ok(Some(row)),
            Truth::Unknown => self.parting_of_compared(condition, domain),
        }
    }

    /// By what the numbers are that are compared.
    fn parting_of_compared(&mut self, condition: Value, domain: &Domain) -> Raise<Option<Row>> {
        for operand in condition.operands().into_iter().filter(|_| condition.opcode() == Some(Opcode::LLVMICmp)) {
            if let Some(s) = self.analyses.scev(operand)
                && let Some(row) = self.parting(s, domain)?
            {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    /// The pointer that comparisons of counters choose among several in the region, where these are decided. `None`: it is no such choice, or that is not known.
    ///
    /// # Errors
    /// Budget, overflow.
    pub fn chosen_pointer(&mut self, pointer: Value, domain: &Domain) -> Raise<Option<Value>> {
        let Some((condition, yes, no)) = self.choice_of_pointers(pointer) else { return Ok(None) };
        Ok(match self.truth(condition, domain)? {
            Truth::Known(holds) => Some(if holds { yes } else { no }),
            Truth::Parted(_) | Truth::Unknown => None,
        })
    }

    fn choice_of_pointers(&self, pointer: Value) -> Option<(Value, Value, Value)> {
        let is_choice = pointer.opcode() == Some(Opcode::LLVMSelect) && !(self.outside)(pointer);
        let operands = if is_choice { pointer.operands() } else { Vec::new() };
        let &[condition, yes, no] = operands.as_slice() else { return None };
        Some((condition, yes, no))
    }

    /// Does a comparison of counters hold on a domain?
    fn truth(&mut self, condition: Value, domain: &Domain) -> Raise<Truth> {
        for truth in [true, false] {
            let Some(rows) = self.rows_of(condition, truth, domain)? else { continue };
            let mut open = None;
            for row in &rows {
                let sides = match row.kind {
                    Kind::Ge => vec![row.poly.clone()],
                    Kind::Eq => vec![row.poly.clone(), row.poly.scale(-1).ok_or_else(overflow)?],
                };
                for side in sides {
                    let never = side.scale(-1).and_then(|p| p.sub(&Poly::constant(1))).ok_or_else(overflow)?;
                    if self.is_nonnegative(&never, domain)? {
                        return Ok(Truth::Known(!truth));
                    }
                    if open.is_none() && !self.is_nonnegative(&side, domain)? {
                        open = Some(Row::ge(side));
                    }
                }
            }
            return Ok(open.map_or(Truth::Known(truth), Truth::Parted));
        }
        Ok(Truth::Unknown)
    }

    /// For the first operand of which it is not known whether it wins over the winner before it: whether it does.
    fn parting_of_extreme(&mut self, operands: &[Scev], largest: bool, domain: &Domain) -> Raise<Option<Row>> {
        let mut winner: Option<Poly> = None;
        for &operand in operands {
            let poly = self.exact(operand, domain)?;
            let Some(old) = winner else {
                winner = Some(poly);
                continue;
            };
            let gain = if largest { poly.sub(&old) } else { old.sub(&poly) }.ok_or_else(overflow)?;
            let loss = gain.scale(-1).ok_or_else(overflow)?;
            winner = Some(if self.is_nonnegative(&gain, domain)? {
                poly
            } else if self.is_nonnegative(&loss, domain)? {
                old
            } else {
                return Ok(gain.is_affine().then(|| Row::ge(gain)));
            });
        }
        Ok(None)
    }

    fn parting_by_multiples(&mut self, x: &Poly, by: &Poly, domain: &Domain) -> Raise<Option<Row>> {
        Ok(match self.multiple(x, by, domain)? {
            Multiple::Parted(row) => Some(row),
            _ => None,
        })
    }

    /// Where a number lies among the multiples of a divisor, which has to be positive.
    fn multiple(&self, x: &Poly, by: &Poly, domain: &Domain) -> Raise<Multiple> {
        let positive = by.sub(&Poly::constant(1)).ok_or_else(overflow)?;
        if !x.is_affine() || !by.is_affine() || !self.is_nonnegative(&positive, domain)? {
            return Ok(Multiple::Unknown);
        }
        let above = |times: i64| by.scale(times).and_then(|by| x.sub(&by)).ok_or_else(overflow);
        let lowest = match by.as_constant() {
            Some(by) => match self.interval(x).map(|(low, _)| low.div_euclid(by.into())).map(i64::try_from) {
                Some(Ok(lowest)) => lowest,
                _ => return Ok(Multiple::Unknown),
            },
            None => -1,
        };
        if !self.is_nonnegative(&above(lowest)?, domain)? {
            return Ok(Multiple::Unknown);
        }
        // The row that says where it lies is of use if there are few such places.
        let mut open = None;
        let behind = lowest.checked_add(MOST_MULTIPLES).ok_or_else(overflow)?;
        for times in lowest..behind {
            let next = above(times + 1)?;
            let below = next.scale(-1).and_then(|p| p.sub(&Poly::constant(1))).ok_or_else(overflow)?;
            if self.is_nonnegative(&below, domain)? {
                return Ok(open.map_or(Multiple::Known(times), Multiple::Parted));
            }
            if open.is_none() && !self.is_nonnegative(&next, domain)? {
                open = Some(Row::ge(next));
            }
        }
        Ok(Multiple::Unknown)
    }

    /// Where an integer without sign of few bits lies of which this is congruent to the value. `None`: that is not known.
    ///
    /// # Errors
    /// Budget, overflow.
    pub(super) fn low_bits(&mut self, poly: &Poly, bits: u32, domain: &Domain) -> Raise<Option<Poly>> {
        let Some(by) = two_to_the(bits) else { return Ok(None) };
        match self.times(poly, &by, domain)? {
            Some(times) => by.scale(times).and_then(|less| poly.sub(&less)).map(Some).ok_or_else(overflow),
            None => Ok(None),
        }
    }

    fn choice_of_counters(&self, s: Scev) -> Option<(Value, Value, Value)> {
        let value = s.value().filter(|v| may_be_selected(s) && !(self.outside)(*v))?;
        let &[condition, yes, no] = value.operands().as_slice() else { return None };
        value.ty().integer_bits().is_some().then_some((condition, yes, no))
    }

    /// The rows that hold exactly where a condition has a truth value.
    fn rows_of(&mut self, condition: Value, truth: bool, domain: &Domain) -> Raise<Option<Vec<Row>>> {
        let before = self.checkpoint();
        match condition_rows(condition, truth, domain, self) {
            Ok(rows) => Ok(Some(rows)),
            Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => Err(r),
            Err(_) => {
                self.restore(&before);
                Ok(None)
            }
        }
    }
}

/// What is divided, and by what, for the remainder that a value is.
fn remainder_of(value: Value) -> Option<[Value; 2]> {
    match (value.opcode(), value.operands().as_slice()) {
        (Some(Opcode::LLVMSRem), &[x, by]) => Some([x, by]),
        _ => None,
    }
}

/// Not negative where `x` is greater than `-by`.
fn beyond(x: &Poly, by: &Poly) -> Raise<Poly> {
    x.add(by).and_then(|p| p.sub(&Poly::constant(1))).ok_or_else(overflow)
}

/// Not negative where `x` is no greater than `-by`.
fn not_beyond(x: &Poly, by: &Poly) -> Raise<Poly> {
    x.add(by).and_then(|p| p.scale(-1)).ok_or_else(overflow)
}

fn two_to_the(bits: u32) -> Option<Poly> {
    (1..=32).contains(&bits).then(|| Poly::constant(1i64 << bits))
}
