//! Least and largest values of polynomials over a domain, as polynomials in the parameters.
//!
//! Problem: `0 <= i*n + k` on `0 <= i, k < n`, or `i*n + k < 2^31`, is no affine question. Method: iterators are replaced by their bounds from the innermost out,
//! each where the sign of what multiplies it is known on the domain: `i*n + k <= i*n + n - 1 <= n*n - 1`. What remains is a polynomial in the parameters: it is
//! plainly not negative, or an affine condition ([`Facts::require_nonnegative`]), or is checked at run time.

use super::facts::{Domain, Facts};
use super::poly::{LoopIndex, Poly, Symbol};
use super::reject::{Raise, Reject, RejectKind};
use std::collections::BTreeSet;

fn overflow() -> Reject {
    Reject::new(RejectKind::Overflow)
}

/// A polynomial in the parameters that `poly` never exceeds (`largest`) or never falls below on the domain; `None`: none was found.
///
/// # Errors
/// Budget, overflow.
pub fn extreme(facts: &Facts, poly: &Poly, domain: &Domain, largest: bool) -> Raise<Option<Poly>> {
    let mut bound = poly.clone();
    for &l in domain.loops.iter().rev() {
        let i = Symbol::Iterator(l);
        if !clear_triangle(facts, &mut bound, l, domain, largest)? {
            return Ok(None);
        }
        let Some(factor) = bound.derivative(i) else { return Ok(None) };
        if factor == Poly::default() {
            continue;
        }
        let grows = is_nonnegative(facts, &factor, domain)?;
        let shrinks = !grows && is_nonnegative(facts, &factor.scale(-1).ok_or_else(overflow)?, domain)?;
        let at = match (grows, shrinks, largest) {
            (true, _, true) | (_, true, false) => upper_bound(l, domain),
            (true, _, false) | (_, true, true) => Some(Poly::default()),
            _ => None,
        };
        let Some(at) = at else { return Ok(None) };
        bound = bound.substitute(i, &at).ok_or_else(overflow)?;
    }
    Ok(bound.is_invariant().then_some(bound))
}

/// Replaces the triangle of an iterator by what its bound gives, `(u*u + u)/2`, or 0; `false`: that is not known, or no integer polynomial.
fn clear_triangle(facts: &Facts, bound: &mut Poly, l: LoopIndex, domain: &Domain, largest: bool) -> Raise<bool> {
    let triangle = Symbol::Triangle(l);
    let Some(factor) = bound.derivative(triangle) else { return Ok(false) };
    if factor == Poly::default() {
        return Ok(true);
    }
    let grows = is_nonnegative(facts, &factor, domain)?;
    let shrinks = !grows && is_nonnegative(facts, &factor.scale(-1).ok_or_else(overflow)?, domain)?;
    if !(grows || shrinks) || factor.terms().any(|(_, c)| c % 2 != 0) {
        return Ok(false);
    }
    let twice = match (grows == largest, upper_bound(l, domain)) {
        (false, _) => Poly::default(),
        (true, Some(u)) => u.mul(&u).and_then(|p| p.add(&u)).ok_or_else(overflow)?,
        (true, None) => return Ok(false),
    };
    let mut out = Poly::default();
    for (m, c) in bound.terms() {
        let part = match m.iter().position(|&s| s == triangle) {
            None => Poly::term(m.clone(), c),
            Some(k) => {
                let mut rest = m.clone();
                rest.remove(k);
                Poly::term(rest, c / 2).mul(&twice).ok_or_else(overflow)?
            }
        };
        out = out.add(&part).ok_or_else(overflow)?;
    }
    *bound = out;
    Ok(true)
}

/// Is `poly >= 0` on the domain, as far as signs of its terms or an affine proof tell?
///
/// # Errors
/// Budget, overflow.
pub fn is_nonnegative(facts: &Facts, poly: &Poly, domain: &Domain) -> Raise<bool> {
    if facts.is_nonnegative(poly, domain)? {
        return Ok(true);
    }
    if poly.is_affine() {
        return Ok(false);
    }
    Ok(has_no_signs(facts, poly, domain)? || is_cell_of_rows(facts, poly, domain)?)
}

/// Is every term the product of numbers that are not negative?
fn has_no_signs(facts: &Facts, poly: &Poly, domain: &Domain) -> Raise<bool> {
    for (m, c) in poly.terms() {
        if c < 0 {
            return Ok(false);
        }
        for &s in m {
            if !facts.is_nonnegative(&Poly::symbol(s), domain)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Is it `w * y + x`, none of the three negative? Behind `if (0 <= y && 0 <= x)` that is no matter of its terms.
fn is_cell_of_rows(facts: &Facts, poly: &Poly, domain: &Domain) -> Raise<bool> {
    let sizes: BTreeSet<Symbol> = poly.symbols().filter(|s| matches!(s, Symbol::Param(_))).collect();
    for w in sizes {
        let is_row = |y: &Poly| y.is_affine() && !y.is_invariant() && y.symbols().all(|s| s != w);
        let row = poly.derivative(w).filter(is_row);
        let (Some(y), Some(x)) = (row, poly.substitute(w, &Poly::default()).filter(Poly::is_affine)) else { continue };
        if facts.is_nonnegative(&Poly::symbol(w), domain)?
            && facts.is_nonnegative(&y, domain)?
            && facts.is_nonnegative(&x, domain)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Makes `poly >= 0` hold on the domain: proves it, or adds the condition on parameters that gives it.
///
/// # Errors
/// `complaint` when there is no such condition.
pub fn require(facts: &mut Facts, poly: &Poly, domain: &Domain, complaint: &dyn Fn() -> RejectKind) -> Raise<()> {
    if poly.is_affine() {
        return facts.require_nonnegative(poly, domain, complaint);
    }
    if is_nonnegative(facts, poly, domain)? {
        return Ok(());
    }
    // Twice a triangle is a polynomial.
    let poly = &if poly.has_triangle() { poly.scale(2).ok_or_else(overflow)? } else { poly.clone() };
    assume_signs(facts, poly, domain)?;
    let least = extreme(facts, poly, domain, false)?.ok_or_else(|| Reject::new(complaint()))?;
    require_of_parameters(facts, least, domain, complaint)
}

/// Strides whose sign is not known, the `s` of `i*s + k` of numbers without sign: they are assumed not to be negative, if they can be.
fn assume_signs(facts: &mut Facts, poly: &Poly, domain: &Domain) -> Raise<()> {
    let unclear = || RejectKind::MayWrap("a stride of unknown sign".into());
    for &l in &domain.loops {
        let Some(stride) = poly.derivative(Symbol::Iterator(l)).filter(Poly::is_invariant) else { continue };
        let negated = stride.scale(-1).ok_or_else(overflow)?;
        let stride = if stride.terms().all(|(_, c)| c < 0) { negated } else { stride };
        let sure = is_nonnegative(facts, &stride, domain)?
            || is_nonnegative(facts, &stride.scale(-1).ok_or_else(overflow)?, domain)?;
        if sure {
            continue;
        }
        // Of a product each factor.
        let product: Vec<(Vec<Symbol>, i64)> = stride.terms().map(|(m, c)| (m.clone(), c)).collect();
        let factors: Vec<Poly> = match product.as_slice() {
            _ if stride.degree() == 1 => vec![stride],
            [(factors, _)] => factors.iter().map(|f| Poly::symbol(*f)).collect(),
            _ => continue,
        };
        for factor in factors {
            match facts.require_nonnegative(&factor, domain, &unclear) {
                Err(r) if !matches!(r.kind, RejectKind::MayWrap(_)) => return Err(r),
                _ => {}
            }
        }
    }
    Ok(())
}

/// The same of a polynomial in the parameters.
///
/// # Errors
/// `complaint` when it can never hold, or comes from a special case of the sizes.
pub fn require_of_parameters(
    facts: &mut Facts,
    least: Poly,
    domain: &Domain,
    complaint: &dyn Fn() -> RejectKind,
) -> Raise<()> {
    if least.degree() <= 1 {
        return facts.require_nonnegative(&least, domain, complaint);
    }
    if is_nonnegative(facts, &least, domain)? {
        return Ok(());
    }
    // A special case of the sizes must not decide for all of them.
    let special = domain.is_for_special_sizes();
    let never = facts.interval(&least).is_some_and(|(_, high)| high < 0);
    if special || never {
        return Err(complaint().into());
    }
    if !facts.products.contains(&least) {
        facts.products.push(least);
    }
    Ok(())
}

/// An upper bound of an iterator, over outer iterators and parameters.
fn upper_bound(l: LoopIndex, domain: &Domain) -> Option<Poly> {
    let i = Symbol::Iterator(l);
    domain
        .rows
        .iter()
        .filter(|r| r.poly.derivative(i).is_some_and(|d| d.as_constant() == Some(-1)))
        .find_map(|r| r.poly.add(&Poly::symbol(i)))
}
