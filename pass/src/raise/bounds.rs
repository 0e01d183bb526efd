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
    let Some(whole) = without_squares(bound, l).ok_or_else(overflow)? else { return Ok(false) };
    *bound = whole;
    let Some(factor) = bound.derivative(Symbol::Triangle(l)) else { return Ok(false) };
    if factor == Poly::default() {
        return Ok(true);
    }
    let grows = is_nonnegative(facts, &factor, domain)?;
    let shrinks = !grows && is_nonnegative(facts, &factor.scale(-1).ok_or_else(overflow)?, domain)?;
    if !(grows || shrinks) {
        return Ok(false);
    }
    let at = match (grows == largest, upper_bound(l, domain)) {
        (false, _) => Poly::default(),
        (true, Some(u)) => u,
        (true, None) => return Ok(false),
    };
    let Some(cleared) = with_triangle_at(bound, l, &at).ok_or_else(overflow)? else { return Ok(false) };
    *bound = cleared;
    Ok(true)
}

/// With the triangle of an iterator as it is where the iterator is `at`. `None`: overflow; `Some(None)`: that is no integer polynomial.
fn with_triangle_at(poly: &Poly, l: LoopIndex, at: &Poly) -> Option<Option<Poly>> {
    let triangle = Symbol::Triangle(l);
    let twice = at.mul(at)?.add(at)?;
    let mut out = Poly::default();
    for (m, c) in poly.terms() {
        let part = match m.iter().position(|&s| s == triangle) {
            None => Poly::term(m.clone(), c),
            Some(_) if c % 2 != 0 => return Some(None),
            Some(k) => {
                let mut rest = m.clone();
                rest.remove(k);
                Poly::term(rest, c / 2).mul(&twice)?
            }
        };
        out = out.add(&part)?;
    }
    Some(Some(out))
}

/// With `i * i` as twice the triangle of `i`, less `i`. `None`: overflow; `Some(None)`: there are higher powers.
fn without_squares(poly: &Poly, l: LoopIndex) -> Option<Option<Poly>> {
    let i = Symbol::Iterator(l);
    let mut out = Poly::default();
    for (m, c) in poly.terms() {
        let mut rest: Vec<Symbol> = m.iter().copied().filter(|s| *s != i).collect();
        match m.len() - rest.len() {
            0 | 1 => out = out.add(&Poly::term(m.clone(), c))?,
            2 if !m.contains(&Symbol::Triangle(l)) => {
                rest.push(i);
                rest.sort_unstable();
                out = out.sub(&Poly::term(rest.clone(), c))?;
                rest.retain(|s| *s != i);
                rest.push(Symbol::Triangle(l));
                rest.sort_unstable();
                out = out.add(&Poly::term(rest, c.checked_mul(2)?))?;
            }
            _ => return Some(None),
        }
    }
    Some(Some(out))
}

/// What a polynomial is at the two ends of an iterator between which it lies nowhere below the lower one: it is concave, `n*i - i*i`. `None`: it has no such iterator.
fn ends(poly: &Poly, domain: &Domain) -> Raise<Option<[Poly; 2]>> {
    for &l in domain.loops.iter().rev() {
        let Some(whole) = without_squares(poly, l).ok_or_else(overflow)? else { continue };
        let bends = whole.derivative(Symbol::Triangle(l)).and_then(|d| d.as_constant());
        let (Some(..0), Some(last)) = (bends, upper_bound(l, domain)) else { continue };
        let mut at_ends = Vec::new();
        for at in [Poly::default(), last] {
            let Some(flat) = with_triangle_at(&whole, l, &at).ok_or_else(overflow)? else { return Ok(None) };
            at_ends.push(flat.substitute(Symbol::Iterator(l), &at).ok_or_else(overflow)?);
        }
        return Ok(at_ends.try_into().ok());
    }
    Ok(None)
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
    if has_no_signs(facts, poly, domain)? || is_cell_of_rows(facts, poly, domain)? {
        return Ok(true);
    }
    match with_iterators_for_triangles(poly) {
        Some(less) => facts.is_nonnegative(&less, domain),
        None => Ok(false),
    }
}

/// What is never more: no triangle is less than its iterator. `None`: there is no triangle, or one with a factor that is no positive number.
fn with_iterators_for_triangles(poly: &Poly) -> Option<Poly> {
    let mut out = Poly::default();
    for (m, c) in poly.terms() {
        let term = match m.as_slice() {
            [Symbol::Triangle(l)] if c > 0 => vec![Symbol::Iterator(*l)],
            _ => m.clone(),
        };
        out = out.add(&Poly::term(term, c))?;
    }
    (poly.has_triangle() && out.is_affine()).then_some(out)
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

/// Is it `w * y + x`, none of the three negative? Behind `if (0 <= y && 0 <= x)` that is no matter of its terms. `x` may be counted from the end of its row (`n - 1`, where `w` is `n`).
fn is_cell_of_rows(facts: &Facts, poly: &Poly, domain: &Domain) -> Raise<bool> {
    let sizes: BTreeSet<Symbol> = poly.symbols().filter(|s| matches!(s, Symbol::Param(_))).collect();
    for w in sizes {
        let is_row = |y: &Poly| y.is_affine() && !y.is_invariant() && y.symbols().all(|s| s != w);
        let row = poly.derivative(w).filter(is_row);
        let (Some(y), Some(x)) = (row, poly.substitute(w, &Poly::default()).filter(Poly::is_affine)) else { continue };
        let width = Poly::symbol(w);
        if !facts.is_nonnegative(&width, domain)? {
            continue;
        }
        let row_before = y.sub(&Poly::constant(1)).ok_or_else(overflow)?;
        let from_there = x.add(&width).ok_or_else(overflow)?;
        for (y, x) in [(y, x), (row_before, from_there)] {
            if facts.is_nonnegative(&y, domain)? && facts.is_nonnegative(&x, domain)? {
                return Ok(true);
            }
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
    if let Some(ends) = ends(poly, domain)? {
        return ends.iter().try_for_each(|end| require(facts, end, domain, complaint));
    }
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
    // What bounds a loop inside bounds this one, too, over that one's iterator, which may have no other bound than over this.
    let inner: Vec<LoopIndex> = domain.loops.iter().copied().skip_while(|o| *o != l).skip(1).collect();
    let is_outer = |s: Symbol| !matches!(s, Symbol::Iterator(o) | Symbol::Triangle(o) if inner.contains(&o));
    domain
        .rows
        .iter()
        .filter(|r| r.poly.symbols().all(is_outer))
        .filter(|r| r.poly.derivative(i).is_some_and(|d| d.as_constant() == Some(-1)))
        .find_map(|r| r.poly.add(&Poly::symbol(i)))
}
