//! Expressions that are the least of several polynomials, or the greatest: bounds such as `min(i + 32, n)`.
//!
//! Problem: `{-1,+,-32} + ({1,+,32} smax (n smin {32,+,32}))` is how often the inner loop of a nest tiled by hand goes back. It is no polynomial, but to be at most that is to be at
//! most each of `n - 32 ii - 1` and `31`. Method: a minimum is the least of what its operands are the least of; a sum of minima the least of all sums; a maximum is that operand which
//! is proved to be no less than the others. The greatest likewise, with minima and maxima changed; a minimum there has to be known.

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
    extreme_of(facts, s, domain, false)
}

/// Polynomials the greatest of which it is: a maximum, also widened or with something added.
///
/// # Errors
/// As [`least_of`].
pub fn greatest_of(facts: &mut Facts, s: Scev, domain: &Domain) -> Raise<Vec<Poly>> {
    extreme_of(facts, s, domain, true)
}

fn extreme_of(facts: &mut Facts, s: Scev, domain: &Domain, greatest: bool) -> Raise<Vec<Poly>> {
    facts.look()?;
    if !has_extremum(s) {
        return Ok(vec![facts.exact(s, domain)?]);
    }
    let none = || Reject::new(RejectKind::NonAffineAccess(s.text()));
    let out = match s.kind() {
        ScevKind::SMin | ScevKind::UMin | ScevKind::SequentialUMin if !greatest => {
            of_all(facts, s, domain, greatest, s.kind() != ScevKind::SMin)?
        }
        ScevKind::SMax | ScevKind::UMax if greatest => of_all(facts, s, domain, greatest, s.kind() == ScevKind::UMax)?,
        ScevKind::SMax if !greatest => largest(facts, s, domain)?,
        ScevKind::UMax if !greatest => {
            of_all(facts, s, domain, greatest, true)?;
            largest(facts, s, domain)?
        }
        ScevKind::Add => {
            let mut sums = vec![Poly::default()];
            for operand in s.operands() {
                let own = extreme_of(facts, operand, domain, greatest)?;
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
            let starts = extreme_of(facts, *s.operands().first().ok_or_else(none)?, domain, greatest)?;
            let sums = starts.iter().map(|p| p.add(&walk)).collect::<Option<Vec<Poly>>>().ok_or_else(overflow)?;
            unwrapped(facts, s, sums, domain)?
        }
        ScevKind::SignExtend | ScevKind::ZeroExtend => {
            let [inner] = s.operands()[..] else { return Err(none()) };
            let all = extreme_of(facts, inner, domain, greatest)?;
            if s.kind() == ScevKind::ZeroExtend {
                without_sign(facts, s, &all, domain, greatest)?;
            }
            all
        }
        ScevKind::Unknown => match facts.selected(s, domain)? {
            Some(Selected { largest, of }) if largest == greatest => of.to_vec(),
            _ => vec![facts.exact(s, domain)?],
        },
        // All of them may be known.
        _ => vec![facts.exact(s, domain)?],
    };
    if out.len() > MOST { Err(none()) } else { Ok(out) }
}

/// What all operands of a minimum or maximum are the least or the greatest of, each once. `unsigned`: none of them may be negative.
fn of_all(facts: &mut Facts, s: Scev, domain: &Domain, greatest: bool, unsigned: bool) -> Raise<Vec<Poly>> {
    let mut all = Vec::new();
    for operand in s.operands() {
        for poly in extreme_of(facts, operand, domain, greatest)? {
            if unsigned {
                bounds::require(facts, &poly, domain, &|| RejectKind::MayWrap(s.text()))?;
            }
            if !all.contains(&poly) {
                all.push(poly);
            }
        }
    }
    Ok(all)
}

/// Makes sure that the least or the greatest of some numbers is not negative: of the greatest it is enough that one of them is known not to be.
fn without_sign(facts: &mut Facts, s: Scev, all: &[Poly], domain: &Domain, greatest: bool) -> Raise<()> {
    let wraps = || RejectKind::MayWrap(s.text());
    if !greatest {
        return all.iter().try_for_each(|poly| bounds::require(facts, poly, domain, &wraps));
    }
    for poly in all {
        if facts.is_nonnegative(poly, domain)? {
            return Ok(());
        }
    }
    Err(wraps().into())
}

/// Sums of which an expression is the least or the greatest. If as a whole it does not wrap, it is one of them whatever the others do.
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
    // A size that is none where it is negative.
    Ok(vec![facts.exact(s, domain)?])
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
