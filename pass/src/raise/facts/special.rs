//! Expressions that are more than sums and products: quadratic recurrences, recurrences of loops around the region, minima and maxima.

use super::{Domain, Facts, Poly, Raise, Reject, RejectKind, Symbol, Translated, overflow};
use crate::llvm::{Loop, Scev, ScevKind, Value};

impl Facts<'_> {
    /// `{a, +, b, +, c}`: `a + b*i + c*i*(i - 1)/2`.
    pub(super) fn quadratic(&mut self, s: Scev, operands: [Scev; 3], l: Loop, domain: &Domain) -> Raise<Translated> {
        let not_affine = || Reject::new(RejectKind::NonAffineAccess(s.text()));
        let index = self
            .loop_index(l)
            .filter(|l| self.loops[l.0].split.is_none() && self.loops[l.0].later.is_none())
            .ok_or_else(not_affine)?;
        let i = Poly::symbol(Symbol::Iterator(index));
        let earlier = Poly::symbol(Symbol::Triangle(index)).sub(&i).ok_or_else(overflow)?;
        let (mut poly, mut exact) = (Poly::default(), true);
        for (operand, factor) in operands.into_iter().zip([Poly::constant(1), i, earlier]) {
            let t = self.translate(operand, domain)?;
            poly = t.poly.mul(&factor).and_then(|p| poly.add(&p)).ok_or_else(overflow)?;
            exact &= t.exact;
        }
        let exact = exact && (s.no_signed_wrap() || self.fits(&poly, self.analyses.scev_bits(s)));
        Ok(Translated { poly, exact })
    }

    /// What is shifted to the right with its sign, if all that it is a sum of are multiples: of `n` cut to 32 bits and extended again LLVM makes `n << 32 >> 32`, whose shift to the left becomes one of
    /// the factors of a product, which scalar evolution does not find again. `None`: something would be shifted out.
    pub(super) fn shifted(&mut self, value: Value, bits: u32, domain: &Domain) -> Raise<Option<Translated>> {
        let operands = value.operands();
        let [number, by] = operands.as_slice() else { return Ok(None) };
        let Some(by) = by.constant_int().and_then(|by| u32::try_from(by).ok()) else { return Ok(None) };
        let poly = self.congruent(*number, domain)?.poly;
        let Some(zeros) = poly.low_zeros().filter(|&zeros| by <= zeros && zeros + 1 < bits) else { return Ok(None) };
        let exact = |number: Poly| Some(Translated { poly: number, exact: true });
        // The number has so many bits, and zeros behind.
        let Some(high) = 1i64.checked_shl(zeros).and_then(|by| poly.divided(by)) else { return Ok(None) };
        let complaint = || RejectKind::MayWrap(super::describe(value));
        let high = self.settle(Translated { poly: high, exact: false }, bits - zeros, domain, &complaint)?;
        high.scale(1 << (zeros - by)).map(exact).ok_or_else(overflow)
    }

    /// A recurrence of a loop around the region: a parameter, if some phi there has this value.
    pub(super) fn outer_recurrence(&mut self, s: Scev, l: Loop) -> Option<Translated> {
        let phis = l.header().phis();
        if let Some(&phi) = phis.iter().find(|&&p| self.analyses.scev(p) == Some(s))
            && phi.ty().integer_bits().is_some()
        {
            let p = self.param(phi).ok()?;
            return Some(Translated { poly: Poly::symbol(Symbol::Param(p)), exact: true });
        }
        // start + step * k, where k is known from a phi that takes steps of one.
        let operands = s.operands();
        let [start, step] = operands.as_slice() else { return None };
        let unit = |r: Scev| {
            let operands = r.operands();
            let &[from, by] = operands.as_slice() else { return None };
            let by = by.constant().filter(|by| matches!(by, 1 | -1))?;
            let straight = r.no_signed_wrap() || (from.constant(), by) == (Some(0), 1);
            (r.recurrence_loop() == Some(l) && straight).then_some((from, by))
        };
        let phis: Vec<Value> = phis.into_iter().filter(|p| p.ty().integer_bits() == Some(64)).collect();
        let (counter, (from, by)) = phis.iter().find_map(|&p| Some((p, unit(self.analyses.scev(p)?)?)))?;
        let counter = Poly::symbol(Symbol::Param(self.param(counter).ok()?));
        let nowhere = Domain::default();
        let from = self.translate(from, &nowhere).ok().filter(|t| t.exact)?.poly;
        let k = counter.sub(&from)?.scale(by)?;
        let start = self.translate(*start, &nowhere).ok()?;
        let step = self.translate(*step, &nowhere).ok()?;
        let poly = start.poly.add(&step.poly.mul(&k)?)?;
        let exact = start.exact && step.exact && (s.no_signed_wrap() || self.fits(&poly, self.analyses.scev_bits(s)));
        Some(Translated { poly, exact })
    }

    /// A minimum or maximum whose winner is known on the domain.
    pub(super) fn extremum(&mut self, s: Scev, domain: &Domain) -> Raise<Translated> {
        let largest = matches!(s.kind(), ScevKind::SMax | ScevKind::UMax);
        let signed = matches!(s.kind(), ScevKind::SMax | ScevKind::SMin);
        let complaint = || RejectKind::NonAffineBound(s.text());
        let mut winner: Option<Poly> = None;
        for operand in s.operands() {
            let t = self.translate(operand, domain)?;
            let bits = self.analyses.scev_bits(operand);
            let poly = self.settle(t, bits, domain, &|| RejectKind::MayWrap(s.text()))?;
            if !signed {
                self.require_nonnegative(&poly, domain, &complaint)?;
            }
            winner = Some(match winner {
                None => poly,
                Some(old) => {
                    let gain = poly.sub(&old).ok_or_else(overflow)?;
                    let (new_is_larger, new_is_smaller) = (
                        self.is_nonnegative(&gain, domain)?,
                        self.is_nonnegative(&gain.scale(-1).ok_or_else(overflow)?, domain)?,
                    );
                    match (new_is_larger, new_is_smaller) {
                        (true, _) if largest => poly,
                        (_, true) if largest => old,
                        (_, true) => poly,
                        (true, _) => old,
                        _ if largest => self.size(&poly, &old, domain, &complaint)?,
                        _ => return Err(complaint().into()),
                    }
                }
            });
        }
        winner.map(|poly| Translated { poly, exact: true }).ok_or_else(|| complaint().into())
    }

    /// The larger of 0 or 1 and a number that does not change, which is assumed to be that number: Fortran has sizes that are none where they are negative.
    fn size(&mut self, a: &Poly, b: &Poly, domain: &Domain, complaint: &dyn Fn() -> RejectKind) -> Raise<Poly> {
        let (least, number) = if a.as_constant().is_some() { (a, b) } else { (b, a) };
        if !matches!(least.as_constant(), Some(0 | 1)) || !number.is_invariant() || number.degree() != 1 {
            return Err(complaint().into());
        }
        self.require_for_all_sizes(&number.sub(least).ok_or_else(overflow)?, domain, complaint)?;
        Ok(number.clone())
    }
}
