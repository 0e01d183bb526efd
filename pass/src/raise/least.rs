//! Expressions that are the least of several polynomials: bounds such as `min(i + 32, n)`.
//!
//! Problem: `{-1,+,-32} + ({1,+,32} smax (n smin {32,+,32}))` is how often the inner loop of a nest tiled by hand goes back. It is no polynomial, but to be at most that is to be at
//! most each of `n - 32 ii - 1` and `31`. Method: a minimum is the least of what its operands are the least of; a sum of minima the least of all sums; a maximum is that operand which
//! is proved to be no less than the others.

use super::bounds;
use super::facts::{Domain, Facts, Selected, may_be_selected};
use super::poly::Poly;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Scev, ScevKind};
use std::collections::BTreeSet;

/// Most polynomials.
const MOST: usize = 8;

fn overflow() -> Reject {
    Reject::new(RejectKind::Overflow)
}

/// Polynomials the least of which is the exact signed value of an expression at a place.
///
/// # Errors
/// There are none, or too many, or something may wrap; budget.
pub fn least_of(facts: &mut Facts, s: Scev, domain: &Domain) -> Raise<Vec<Poly>> {
    facts.look()?;
    if !has_extremum(s) {
        return Ok(vec![facts.exact(s, domain)?]);
    }
    let none = || Reject::new(RejectKind::NonAffineAccess(s.text()));
    let out = match s.kind() {
        ScevKind::SMin | ScevKind::UMin | ScevKind::SequentialUMin => {
            let mut all = Vec::new();
            for operand in s.operands() {
                for poly in least_of(facts, operand, domain)? {
                    if s.kind() != ScevKind::SMin {
                        bounds::require(facts, &poly, domain, &|| RejectKind::MayWrap(s.text()))?;
                    }
                    if !all.contains(&poly) {
                        all.push(poly);
                    }
                }
            }
            all
        }
        ScevKind::SMax => largest(facts, s, domain)?,
        ScevKind::UMax => {
            let all = largest(facts, s, domain)?;
            for operand in s.operands() {
                for poly in least_of(facts, operand, domain)? {
                    bounds::require(facts, &poly, domain, &|| RejectKind::MayWrap(s.text()))?;
                }
            }
            all
        }
        ScevKind::Add => {
            let mut sums = vec![Poly::default()];
            for operand in s.operands() {
                let own = least_of(facts, operand, domain)?;
                if sums.len() * own.len() > MOST {
                    return Err(none());
                }
                let pairs = sums.iter().flat_map(|sum| own.iter().map(move |p| sum.add(p)));
                sums = pairs.collect::<Option<_>>().ok_or_else(overflow)?;
            }
            unwrapped(facts, s, sums, domain)?
        }
        ScevKind::AddRec => {
            let Some(walk) = facts.walked(s, domain)? else { return Ok(vec![facts.exact(s, domain)?]) };
            let starts = least_of(facts, *s.operands().first().ok_or_else(none)?, domain)?;
            let sums = starts.iter().map(|p| p.add(&walk)).collect::<Option<Vec<Poly>>>().ok_or_else(overflow)?;
            unwrapped(facts, s, sums, domain)?
        }
        ScevKind::SignExtend | ScevKind::ZeroExtend => {
            let [inner] = s.operands()[..] else { return Err(none()) };
            let all = least_of(facts, inner, domain)?;
            if s.kind() == ScevKind::ZeroExtend {
                for poly in &all {
                    bounds::require(facts, poly, domain, &|| RejectKind::MayWrap(s.text()))?;
                }
            }
            all
        }
        ScevKind::Unknown => match facts.selected(s, domain)? {
            Some(Selected { largest: false, of }) => of.to_vec(),
            _ => vec![facts.exact(s, domain)?],
        },
        // All of them may be known.
        _ => vec![facts.exact(s, domain)?],
    };
    if out.len() > MOST { Err(none()) } else { Ok(out) }
}

/// Sums of which an expression is the least. If as a whole it does not wrap, it is the least of them whatever they do.
fn unwrapped(facts: &mut Facts, s: Scev, sums: Vec<Poly>, domain: &Domain) -> Raise<Vec<Poly>> {
    if !s.no_signed_wrap() {
        let bits = facts.analyses.scev_bits(s);
        for sum in &sums {
            facts.require_fits(sum, bits, domain, &|| RejectKind::MayWrap(s.text()))?;
        }
    }
    Ok(sums)
}

/// The operand of a maximum that is never less than the others.
fn largest(facts: &mut Facts, s: Scev, domain: &Domain) -> Raise<Vec<Poly>> {
    let mut all = Vec::new();
    for operand in s.operands() {
        all.push(least_of(facts, operand, domain)?);
    }
    for (k, own) in all.iter().enumerate() {
        let mut others = all.iter().enumerate().filter(|(j, _)| *j != k);
        // Not less than one of the polynomials of the other operand is not less than the least of them.
        let exceeds = |other: &Vec<Poly>| -> Raise<bool> {
            for poly in own {
                let mut any = false;
                for least in other {
                    any = any || facts.is_nonnegative(&poly.sub(least).ok_or_else(overflow)?, domain)?;
                }
                if !any {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        if others.try_fold(true, |yes, (_, other)| Ok::<_, Reject>(yes && exceeds(other)?))? {
            return Ok(own.clone());
        }
    }
    Err(RejectKind::NonAffineAccess(s.text()).into())
}

/// Polynomials the greatest of which is the exact signed value of an expression at a place: a maximum, also widened or with something added.
///
/// # Errors
/// As [`least_of`].
pub fn greatest_of(facts: &mut Facts, s: Scev, domain: &Domain) -> Raise<Vec<Poly>> {
    facts.look()?;
    if !has_extremum(s) {
        return Ok(vec![facts.exact(s, domain)?]);
    }
    let none = || Reject::new(RejectKind::NonAffineAccess(s.text()));
    let out = match s.kind() {
        ScevKind::SMax => {
            let mut all = BTreeSet::new();
            for operand in s.operands() {
                all.extend(greatest_of(facts, operand, domain)?);
            }
            all.into_iter().collect()
        }
        ScevKind::Add => {
            let mut sums = vec![Poly::default()];
            for operand in s.operands() {
                let own = greatest_of(facts, operand, domain)?;
                if sums.len() * own.len() > MOST {
                    return Err(none());
                }
                let pairs = sums.iter().flat_map(|sum| own.iter().map(move |p| sum.add(p)));
                sums = pairs.collect::<Option<_>>().ok_or_else(overflow)?;
            }
            unwrapped(facts, s, sums, domain)?
        }
        ScevKind::SignExtend | ScevKind::ZeroExtend => {
            let [inner] = s.operands()[..] else { return Err(none()) };
            let all = greatest_of(facts, inner, domain)?;
            // One that is not negative is enough for the greatest not to be.
            let mut known = s.kind() == ScevKind::SignExtend;
            for poly in &all {
                known = known || facts.is_nonnegative(poly, domain)?;
            }
            if !known {
                return Err(RejectKind::MayWrap(s.text()).into());
            }
            all
        }
        ScevKind::Unknown => match facts.selected(s, domain)? {
            Some(Selected { largest: true, of }) => of.to_vec(),
            _ => vec![facts.exact(s, domain)?],
        },
        _ => vec![facts.exact(s, domain)?],
    };
    if out.len() > MOST { Err(none()) } else { Ok(out) }
}

/// Is there a minimum or maximum in it, but for steps of recurrences?
fn has_extremum(s: Scev) -> bool {
    let (mut open, mut seen) = (vec![s], BTreeSet::new());
    while let Some(s) = open.pop() {
        match s.kind() {
            _ if !seen.insert(s) => {}
            ScevKind::Unknown if may_be_selected(s) => return true,
            ScevKind::SMin | ScevKind::UMin | ScevKind::SequentialUMin | ScevKind::SMax | ScevKind::UMax => {
                return true;
            }
            ScevKind::AddRec => open.extend(s.operands().first()),
            ScevKind::Add | ScevKind::Mul | ScevKind::SignExtend | ScevKind::ZeroExtend => open.extend(s.operands()),
            _ => {}
        }
    }
    false
}
