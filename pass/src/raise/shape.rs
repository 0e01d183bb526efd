//! Array shapes out of byte offsets (delinearisation).
//!
//! Problem: `8*n*i + 8*j + 8` is `A[i][j+1]` of an array with rows of `n` doubles, if `0 <= j+1 < n` for every instance. Types in address computations prove
//! nothing; the strides do.
//!
//! Method: the strides of all accesses to one base (coefficients of iterators, as monomials in the parameters) are put in a chain, each a multiple of the next; the
//! innermost is the element's width. Every term of an offset goes to the largest stride that divides it; constants may be carried to a neighbour. Each
//! inner subscript must lie in its dimension: proved over the access's own domain, or reduced to an assumption on parameters (symbolic strides), or the shape is
//! given up for a flatter one (constant strides, where the flat form is exact by itself). After Grosser et al., "Optimistic delinearization" (ICS 2015).

use super::facts::{Domain, Facts};
use super::poly::{Monomial, Poly, Symbol};
use super::reject::{Raise, Reject, RejectKind};

/// One access, before and after.
#[derive(Clone, Debug)]
pub struct RawAccess {
    /// Bytes from the base.
    pub offset: Poly,
    /// Bytes touched.
    pub bytes: u64,
    /// Where it runs.
    pub domain: Domain,
}

/// An array's shape and the subscripts of its accesses.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Bytes between neighbours in every dimension, outermost first; the last is the element's width.
    pub strides: Vec<Poly>,
    /// Sizes of the inner dimensions: `strides[k] = inner_sizes[k] * strides[k + 1]`.
    pub inner_sizes: Vec<Poly>,
    /// For each access its subscripts.
    pub subscripts: Vec<Vec<Poly>>,
}

/// A stride: coefficient times a product of parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stride {
    monomial: Monomial,
    coefficient: i64,
}

impl Stride {
    fn poly(&self) -> Poly {
        Poly::term(self.monomial.clone(), self.coefficient)
    }

    /// `self / inner`, if that is a polynomial.
    fn over(&self, inner: &Self) -> Option<Poly> {
        let rest = quotient(&self.monomial, &inner.monomial)?;
        (self.coefficient % inner.coefficient == 0).then(|| Poly::term(rest, self.coefficient / inner.coefficient))
    }
}

/// `m / d` of monomials.
fn quotient(m: &Monomial, d: &Monomial) -> Option<Monomial> {
    let mut rest = m.clone();
    for s in d {
        let k = rest.iter().position(|x| x == s)?;
        rest.remove(k);
    }
    Some(rest)
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(i64::MAX)
}

/// Parameters and iterators of a monomial.
fn split(m: &Monomial) -> (Monomial, Monomial) {
    m.iter().partition(|s| matches!(s, Symbol::Param(_)))
}

/// Recovers the shape of one array from all its accesses. May add assumptions to the facts.
///
/// # Errors
/// `MixedWidths`, `Shape`.
pub fn recover(facts: &mut Facts, accesses: &[RawAccess]) -> Raise<Shape> {
    let Some(first) = accesses.first() else { return Ok(Shape::default()) };
    if accesses.iter().any(|a| a.bytes != first.bytes) {
        return Err(RejectKind::MixedWidths.into());
    }
    let width = i64::try_from(first.bytes).map_err(|_| Reject::new(RejectKind::Overflow))?;
    let describe = |facts: &Facts| {
        let worst = accesses.iter().max_by_key(|a| a.offset.degree()).unwrap_or(first);
        RejectKind::Shape(worst.offset.text(|s| facts.symbol_name(s)))
    };
    // Strides: for every product of parameters that multiplies an iterator, the gcd of its coefficients.
    let mut symbolic: Vec<Stride> = Vec::new();
    let mut constant: Vec<i64> = Vec::new();
    for a in accesses {
        for (m, c) in a.offset.terms() {
            let (params, iterators) = split(m);
            match (iterators.len(), params.is_empty()) {
                (0, _) => {}
                (1, true) => constant.push(c.saturating_abs()),
                (1, false) => match symbolic.iter_mut().find(|s| s.monomial == params) {
                    Some(s) => s.coefficient = gcd(s.coefficient, c),
                    None => symbolic.push(Stride { monomial: params, coefficient: c.saturating_abs() }),
                },
                _ => return Err(RejectKind::NonAffineAccess(a.offset.text(|s| facts.symbol_name(s))).into()),
            }
        }
    }
    symbolic.sort_by(|a, b| (b.monomial.len(), &b.monomial).cmp(&(a.monomial.len(), &a.monomial)));
    let unit = Stride { monomial: Vec::new(), coefficient: width };
    constant.sort_unstable();
    constant.dedup();
    let mut chain = vec![unit.clone()];
    for c in constant {
        let last = chain[chain.len() - 1].coefficient;
        if c > last && c % last == 0 {
            chain.push(Stride { monomial: Vec::new(), coefficient: c });
        }
    }
    chain.reverse();
    let mut attempts: Vec<Vec<Stride>> = Vec::new();
    if symbolic.is_empty() {
        attempts.push(chain.clone());
        for s in &chain {
            if *s != unit && chain.len() > 2 {
                attempts.push(vec![s.clone(), unit.clone()]);
            }
        }
        attempts.push(vec![unit]);
    } else {
        let mut strides = symbolic;
        strides.push(unit);
        if strides.windows(2).any(|w| w[0].over(&w[1]).is_none()) {
            return Err(describe(facts).into());
        }
        attempts.push(strides);
    }
    attempts.dedup();
    let last = attempts.len() - 1;
    for (k, strides) in attempts.iter().enumerate() {
        let before = facts.assumptions.len();
        if let Some(shape) = fit(facts, strides, accesses, k == last)? {
            return Ok(shape);
        }
        facts.assumptions.truncate(before);
    }
    if accesses.iter().any(|a| a.offset.terms().any(|(m, c)| m.is_empty() && c % width != 0)) {
        return Err(RejectKind::MixedWidths.into());
    }
    Err(describe(facts).into())
}

/// Tries one chain of strides. `may_assume`: assumptions on parameters are allowed.
fn fit(facts: &mut Facts, strides: &[Stride], accesses: &[RawAccess], may_assume: bool) -> Raise<Option<Shape>> {
    let mut sizes = Vec::new();
    for pair in strides.windows(2) {
        match pair[0].over(&pair[1]) {
            Some(size) if size.degree() <= 1 => sizes.push(size),
            _ => return Ok(None),
        }
    }
    let mut subscripts = Vec::new();
    for a in accesses {
        let Some(mut subs) = decompose(&a.offset, strides) else { return Ok(None) };
        for k in (1..subs.len()).rev() {
            let size = &sizes[k - 1];
            if !settle(facts, &mut subs, k, size, &a.domain, may_assume)? {
                return Ok(None);
            }
        }
        subscripts.push(subs);
    }
    Ok(Some(Shape { strides: strides.iter().map(Stride::poly).collect(), inner_sizes: sizes, subscripts }))
}

/// Makes `0 <= subs[k] < size` hold, by carrying one row to or from the next outer subscript where that helps.
fn settle(facts: &mut Facts, subs: &mut [Poly], k: usize, size: &Poly, domain: &Domain, may_assume: bool) -> Raise<bool> {
    let inside = |facts: &Facts, sub: &Poly| -> Raise<bool> {
        let Some(room) = size.sub(sub).and_then(|p| p.sub(&Poly::constant(1))) else { return Ok(false) };
        Ok(facts.is_nonnegative(sub, domain)? && facts.is_nonnegative(&room, domain)?)
    };
    for carry in [0i64, 1, -1] {
        let moved = size.scale(carry).and_then(|s| subs[k].add(&s));
        let outer = subs[k - 1].sub(&Poly::constant(carry));
        if let (Some(moved), Some(outer)) = (moved, outer)
            && inside(facts, &moved)?
        {
            subs[k] = moved;
            subs[k - 1] = outer;
            return Ok(true);
        }
    }
    if !may_assume {
        return Ok(false);
    }
    let complaint = || RejectKind::Shape("a subscript may leave its dimension".into());
    let Some(room) = size.sub(&subs[k]).and_then(|p| p.sub(&Poly::constant(1))) else { return Ok(false) };
    let before = facts.assumptions.len();
    let sub = subs[k].clone();
    for part in [&sub, &room] {
        match facts.require_nonnegative(part, domain, &complaint) {
            Ok(()) => {}
            Err(r) if matches!(r.kind, RejectKind::Shape(_)) => {
                facts.assumptions.truncate(before);
                return Ok(false);
            }
            Err(r) => return Err(r),
        }
    }
    Ok(true)
}

/// Distributes the terms of an offset over the strides; `None` when a term fits nowhere.
fn decompose(offset: &Poly, strides: &[Stride]) -> Option<Vec<Poly>> {
    let mut subs = vec![Poly::default(); strides.len()];
    for (m, c) in offset.terms() {
        let (params, iterators) = split(m);
        let mut rest = c;
        for (k, s) in strides.iter().enumerate() {
            if rest == 0 {
                break;
            }
            let Some(over) = quotient(&params, &s.monomial) else { continue };
            if over.len() + iterators.len() > 1 {
                continue;
            }
            let share = if s.monomial.is_empty() && k + 1 < strides.len() {
                // Mixed radix among constant strides: the nearest multiple.
                nearest(rest, s.coefficient)
            } else if rest % s.coefficient == 0 {
                rest / s.coefficient
            } else {
                0
            };
            if share != 0 {
                let mut symbol = over;
                symbol.extend(&iterators);
                subs[k] = subs[k].add(&Poly::term(symbol, share))?;
                rest -= share * s.coefficient;
            }
        }
        if rest != 0 {
            return None;
        }
    }
    Some(subs)
}

/// The integer nearest to `a / b`, `b > 0`; halves go down.
fn nearest(a: i64, b: i64) -> i64 {
    let q = a.div_euclid(b);
    let r = a.rem_euclid(b);
    if 2 * i128::from(r) > i128::from(b) { q + 1 } else { q }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raise::poly::{LoopIndex, ParamIndex};

    fn iterator(k: usize) -> Poly {
        Poly::symbol(Symbol::Iterator(LoopIndex(k)))
    }

    fn stride(params: &[usize], c: i64) -> Stride {
        Stride { monomial: params.iter().map(|&p| Symbol::Param(ParamIndex(p))).collect(), coefficient: c }
    }

    fn plus(a: &Poly, b: &Poly) -> Poly {
        a.add(b).expect("small")
    }

    #[test]
    fn rows_of_a_symbolic_matrix() {
        // 8*n*i + 8*n + 8*j - 8  ->  [i + 1][j - 1]
        let n = Poly::symbol(Symbol::Param(ParamIndex(0)));
        let offset = plus(
            &plus(&iterator(0).mul(&n).and_then(|p| p.scale(8)).expect("small"), &n.scale(8).expect("small")),
            &plus(&iterator(1).scale(8).expect("small"), &Poly::constant(-8)),
        );
        let subs = decompose(&offset, &[stride(&[0], 8), stride(&[], 8)]).expect("fits");
        assert_eq!(subs[0], plus(&iterator(0), &Poly::constant(1)));
        assert_eq!(subs[1], plus(&iterator(1), &Poly::constant(-1)));
    }

    #[test]
    fn diagonal_of_a_constant_matrix() {
        // 8008*i with rows of 1000 doubles is [i][i].
        let offset = iterator(0).scale(8008).expect("small");
        let subs = decompose(&offset, &[stride(&[], 8000), stride(&[], 8)]).expect("fits");
        assert_eq!(subs, vec![iterator(0), iterator(0)]);
    }

    #[test]
    fn what_is_no_multiple_of_the_width_fits_nowhere() {
        let offset = plus(&iterator(0).scale(8).expect("small"), &Poly::constant(4));
        assert_eq!(decompose(&offset, &[stride(&[], 8)]), None);
    }
}
