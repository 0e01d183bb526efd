//! Loops that begin at the greatest of several numbers: `for (k = max(0, i - w); ...)`, bands of matrices and windows that end at a border.
//!
//! Problem: `max(0, i - w)` is no polynomial, and both the number of iterations and every recurrence of the loop contain it. Method: the iterator counts from where the loop would begin if one of the numbers, the
//! first here, were the greatest, and rows say that it begins no earlier than at any of the others. Where one of them is the greatest (a case), minima and maxima are decided and all is
//! polynomials again; what an expression is must come out alike in all cases, in terms of that iterator. So the iterator's least value is not 0, which [`super::LoopData::later`] says to those for whom that matters.

use super::{Domain, Facts, LoopIndex, Poly, Raise, Row, Selected, Symbol, Translated, overflow};
use crate::llvm::{Block, Loop, Scev, ScevKind};
use crate::raise::least::least_of;
use crate::raise::reject::{Reject, RejectKind};
use crate::raise::window;
use std::collections::BTreeSet;

/// Numbers at most that one loop begins at the greatest of.
const MOST: usize = 4;

/// Where the iterations of a loop lie that begins later.
pub struct Bounds {
    /// The iterator is not less than this, which is not negative, nowhere: `>= 0`.
    pub lower: Vec<Row>,
    /// It is not more than this.
    pub upper: Vec<Row>,
    /// An upper limit of its values.
    pub high: i128,
    /// See [`super::LoopData::later`].
    pub firsts: Vec<Poly>,
}

impl Facts<'_> {
    /// Bounds of the iterator of a loop of a region with these blocks. `None`: it is none that begins at the greatest of several numbers, or not only that.
    ///
    /// # Errors
    /// Budget, overflow.
    pub fn begins_later(
        &mut self,
        (l, blocks): (Loop, &[Block]),
        iterator: &Poly,
        domain: &Domain,
    ) -> Raise<Option<Bounds>> {
        let Some(count) = self.analyses.backedge_taken(l) else { return Ok(None) };
        let Some(mut firsts) = self.undecided(count, domain)? else { return Ok(None) };
        // Counted from a number that stays, if there is one.
        firsts.sort_by_key(|first| (!first.is_invariant(), first.clone()));
        let mut found: Option<BTreeSet<Poly>> = None;
        for (case, first) in self.cases(&firsts, domain)? {
            let mut ends = BTreeSet::new();
            for last in least_of(self, count, &case)? {
                self.require_nonnegative(&last, &case, &|| RejectKind::NonAffineBound(count.text()))?;
                ends.insert(last.add(&first).ok_or_else(overflow)?);
            }
            if found.get_or_insert_with(|| ends.clone()) != &ends {
                return Ok(None);
            }
        }
        let Some(ends) = found else { return Ok(None) };
        let around = domain.loops.iter().map(|o| &self.loops[o.0]).filter(|data| data.later.is_none());
        let around: Vec<Poly> = around.flat_map(|data| &data.rows).map(|row| row.poly.clone()).collect();
        let from =
            firsts.iter().position(|f| !f.is_invariant() && window::counts_from(self, (l, blocks), f, &ends, &around));
        if let Some(from) = from {
            firsts.swap(0, from);
        }
        let Some(base) = firsts.first() else { return Ok(None) };
        let at = iterator.add(base).ok_or_else(overflow)?;
        let row = |larger: &Poly, smaller: &Poly| larger.sub(smaller).map(Row::ge).ok_or_else(overflow);
        let lower = firsts.iter().skip(1).map(|first| row(&at, first)).collect::<Raise<Vec<_>>>()?;
        let upper = ends.iter().map(|end| row(end, &at)).collect::<Raise<Vec<_>>>()?;
        let high = |end: &Poly| end.sub(base).and_then(|p| self.interval(&p)).map_or(i128::MAX, |(_, high)| high);
        let high = ends.iter().map(high).min().unwrap_or(i128::MAX);
        let affine = lower.iter().chain(&upper).all(|row| row.poly.is_affine());
        Ok(affine.then_some(Bounds { lower, upper, high, firsts }))
    }

    /// A recurrence `{start, +, step}` of a loop that begins at the greatest of these.
    ///
    /// # Errors
    /// It comes out differently where another one of them is the greatest.
    pub(super) fn later_recurrence(
        &mut self,
        s: Scev,
        [start, step]: [Scev; 2],
        (index, firsts): (LoopIndex, &[Poly]),
        domain: &Domain,
    ) -> Raise<Translated> {
        let not_affine = || Reject::new(RejectKind::NonAffineAccess(s.text()));
        let base = firsts.first().ok_or_else(not_affine)?;
        let at = Poly::symbol(Symbol::Iterator(index)).add(base).ok_or_else(overflow)?;
        let bits = self.analyses.scev_bits(s);
        let mut found: Option<Translated> = None;
        for (case, first) in self.cases(firsts, domain)? {
            let start = self.translate(start, &case)?;
            let step = self.translate(step, &case)?;
            let walk = at.sub(&first).and_then(|count| step.poly.mul(&count)).ok_or_else(overflow)?;
            let poly = start.poly.add(&walk).ok_or_else(overflow)?;
            let exact = start.exact && step.exact && (s.no_signed_wrap() || self.fits(&poly, bits));
            found = match found {
                None => Some(Translated { poly, exact }),
                Some(other) if other.poly == poly => Some(Translated { poly, exact: exact && other.exact }),
                Some(_) => return Err(not_affine()),
            };
        }
        found.ok_or_else(not_affine)
    }

    /// Where each of some numbers is the greatest, and greater than those before it, if that is anywhere; and which.
    fn cases(&self, numbers: &[Poly], domain: &Domain) -> Raise<Vec<(Domain, Poly)>> {
        let mut out = Vec::new();
        for (k, number) in numbers.iter().enumerate() {
            let mut case = domain.clone();
            for (j, other) in numbers.iter().enumerate().filter(|(j, _)| *j != k) {
                let greater = other.add(&Poly::constant(i64::from(j < k))).ok_or_else(overflow)?;
                case.rows.push(Row::ge(number.sub(&greater).ok_or_else(overflow)?));
            }
            if !self.set(&case)?.is_empty(self.budget)? {
                out.push((case, number.clone()));
            }
        }
        Ok(out)
    }

    /// The numbers that a maximum in an expression is one of, if nobody knows of which; of several of those, the innermost. A recurrence of a loop that begins at a maximum has it, too: what it is after so
    /// many iterations depends on where these begin.
    fn undecided(&mut self, s: Scev, domain: &Domain) -> Raise<Option<Vec<Poly>>> {
        let (mut all, mut seen) = (vec![s], BTreeSet::new());
        let mut next = 0;
        while let Some(&s) = all.get(next) {
            self.look()?;
            next += 1;
            let inside = match s.kind() {
                ScevKind::AddRec => s.operands().into_iter().take(1).collect(),
                _ => s.operands(),
            };
            all.extend(inside.into_iter().filter(|operand| seen.insert(*operand)));
        }
        for s in all.into_iter().rev() {
            let numbers = match s.kind() {
                ScevKind::SMax | ScevKind::UMax => self.greatest_of_these(s, domain)?,
                ScevKind::AddRec => {
                    let index = s.recurrence_loop().and_then(|l| self.loop_index(l));
                    let firsts = index.and_then(|index| self.loops[index.0].later.clone());
                    match firsts {
                        Some(firsts) if self.is_open(&firsts, false, domain)? => Some(firsts),
                        _ => None,
                    }
                }
                _ => match self.selected(s, domain)? {
                    Some(Selected { largest: true, of }) if self.is_open(&of, false, domain)? => Some(of.to_vec()),
                    _ => None,
                },
            };
            if numbers.is_some() {
                return Ok(numbers);
            }
        }
        Ok(None)
    }

    /// The operands of a maximum, if they are affine numbers none of which is always the greatest.
    fn greatest_of_these(&mut self, s: Scev, domain: &Domain) -> Raise<Option<Vec<Poly>>> {
        let before = self.checkpoint();
        let mut numbers: Vec<Poly> = Vec::new();
        for operand in s.operands() {
            match self.exact(operand, domain) {
                Ok(number) if number.is_affine() => {
                    if !numbers.contains(&number) {
                        numbers.push(number);
                    }
                }
                Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => return Err(r),
                _ => {
                    self.restore(&before);
                    return Ok(None);
                }
            }
        }
        let fits = (2..=MOST).contains(&numbers.len()) && self.is_open(&numbers, s.kind() == ScevKind::UMax, domain)?;
        if !fits {
            self.restore(&before);
        }
        Ok(fits.then_some(numbers))
    }

    /// Is none of these always the greatest? `without_sign`: and is none negative?
    fn is_open(&self, numbers: &[Poly], without_sign: bool, domain: &Domain) -> Raise<bool> {
        for (k, number) in numbers.iter().enumerate() {
            if without_sign && !self.is_nonnegative(number, domain)? {
                return Ok(false);
            }
            let mut wins = true;
            for (_, other) in numbers.iter().enumerate().filter(|(j, _)| *j != k) {
                wins = wins && self.is_nonnegative(&number.sub(other).ok_or_else(overflow)?, domain)?;
            }
            if wins {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
