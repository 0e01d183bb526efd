//! Delinearisation: subscripts out of an offset, with what remains to be proved as data.
//!
//! **Problem.** An access goes to the cell `n*m*i + m*j + k + 1` of an array. With inner sizes `n` and `m` that is `A[i][j][k + 1]`, *provided* `0 <= j < n` and
//! `0 <= k + 1 < m`: only then do different subscripts mean different cells. Types in address computations prove nothing; these obligations are the proof.
//!
//! **Notation.** A [`Size`] is a positive constant times a product of parameters. The stride of subscript `k` is the product of the sizes inside it, that of the
//! last is 1. An [`Offset`] counts elements: a sum of terms `c * (product of parameters) * (a dimension, or nothing)`.
//!
//! **Method.** Each term goes to the outermost stride that divides its parameters and leaves an affine rest; of a coefficient that the stride's constant does not
//! divide, the nearest multiple goes, the remainder goes on inwards (mixed radix: `1001 i` with rows of 1000 is `[i][i]`). Then one row may be carried between a subscript and
//! the one outside it where that makes the obligations hold (`n*i - 1` is `[i - 1][n - 1]`). An obligation `e >= 0` on a domain `D` is *proved* when `D and e <= -1` is empty;
//! else the parameters for which that set is *not* empty are its shadow, and the complement of the shadow is the run-time check;
//! if no parameters with a point in `D` pass it, the shape is impossible.
//!
//! **Example.** `n*i + j` with size `n` on `0 <= i < n, 0 <= j < m`: `[i][j]`, `0 <= j` proved, `j <= n - 1` needs the check `m <= n` (or an empty domain).
//!
//! The raising of the plugin has its own recovery of shapes, over polynomials and with its facts; this module holds the part that is about sets alone.
//!
//! Paper: Grosser, Ramanujam, Pouchet, Sadayappan, Pop, *Optimistic delinearization of parametrically sized arrays*, ICS 2015.

use crate::number::value_of;
use crate::{Affine, Budget, Constraint, Error, Polyhedron, Result, Space, Union};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// A product of parameters, sorted by number, with repetitions; empty is 1.
pub type Monomial = Vec<usize>;

/// A sum of terms `c * (product of parameters) * (dimension or 1)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offset {
    space: Space,
    terms: BTreeMap<(Monomial, Option<usize>), i64>,
}

/// `factor * (product of parameters)`, `factor >= 1`: the size of a dimension of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// Positive constant.
    pub factor: i64,
    /// The parameters, sorted.
    pub params: Monomial,
}

/// Which side of `0 <= subscript < size`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// `subscript >= 0`
    Lower,
    /// `subscript <= size - 1`
    Upper,
}

/// Does an obligation hold on the whole domain?
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// For all parameters.
    Proved,
    /// For the parameters in this union (of sets without dimensions); perhaps for more.
    Check(Union),
    /// Unknown: the size is a product of parameters, and the condition is not affine. To be computed at run time from the domain's bounds.
    CheckProduct,
    /// For no parameters for which the domain has a point, as far as can be told.
    Fails,
}

/// One side of one subscript's bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// Number of the subscript, from 1: the outermost has no bound.
    pub subscript: usize,
    /// Which bound.
    pub side: Side,
    /// What is known of it.
    pub status: Status,
}

/// Subscripts, and what must hold for them to be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subscripts {
    /// Outermost first; one more than sizes.
    pub subscripts: Vec<Affine>,
    /// Two for each inner subscript, outermost first, lower before upper.
    pub obligations: Vec<Obligation>,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Delinearized {
    /// Every obligation is proved.
    Proved(Subscripts),
    /// Right for parameters that pass the checks in the obligations.
    NeedsCheck(Subscripts),
    /// Some obligation fails, whatever the parameters.
    Fails(Subscripts),
    /// A term fits no stride: its coefficient in the offset that is left, and its parameters and dimension.
    NoSubscript(i64, Monomial, Option<usize>),
}

impl Offset {
    /// The offset 0.
    #[must_use]
    pub const fn zero(space: Space) -> Self {
        Self { space, terms: BTreeMap::new() }
    }

    /// Adds `c * (product of params) * dim`.
    ///
    /// # Errors
    /// Overflow, space mismatch (no such parameter or dimension).
    pub fn add_term(&mut self, c: i64, params: &[usize], dim: Option<usize>) -> Result<()> {
        let known = params.iter().all(|&p| p < self.space.params) && dim.is_none_or(|d| d < self.space.dims);
        if !known {
            return Err(Error::SpaceMismatch(format!("a term of {params:?} and {dim:?} in {:?}", self.space)));
        }
        let mut monomial = params.to_vec();
        monomial.sort_unstable();
        let place = self.terms.entry((monomial, dim)).or_insert(0);
        *place = place.checked_add(c).ok_or(Error::Overflow)?;
        Ok(())
    }

    /// Its value at a point.
    ///
    /// # Panics
    /// When `params` or `dims` has another length than the space says.
    #[must_use]
    pub fn value(&self, params: &[i64], dims: &[i64]) -> BigInt {
        assert_eq!((params.len(), dims.len()), (self.space.params, self.space.dims), "point");
        let term = |((monomial, dim), &c): (&(Monomial, Option<usize>), &i64)| {
            let start = BigInt::from(c) * dim.map_or(1, |d| dims[d]);
            monomial.iter().fold(start, |product, &p| product * params[p])
        };
        self.terms.iter().map(term).sum()
    }
}

impl Size {
    /// Its value.
    #[must_use]
    pub fn value(&self, params: &[i64]) -> BigInt {
        self.params.iter().fold(BigInt::from(self.factor), |product, &p| product * params[p])
    }

    /// As a form, unless it is a product of parameters.
    fn as_affine(&self, space: Space) -> Result<Option<Affine>> {
        match self.params[..] {
            [] => Ok(Some(Affine::constant(space, self.factor))),
            [p] => Affine::param(space, p).scale(self.factor).map(Some),
            _ => Ok(None),
        }
    }
}

impl Subscripts {
    /// The cell that the subscripts mean at a point: `sum subscript_k * stride_k`.
    #[must_use]
    pub fn value(&self, sizes: &[Size], params: &[i64], dims: &[i64]) -> BigInt {
        let point = [params, dims].concat();
        let mut cell = BigInt::ZERO;
        for (k, subscript) in self.subscripts.iter().enumerate() {
            if k > 0 {
                cell *= sizes[k - 1].value(params);
            }
            cell += value_of(subscript.coeffs(), &point);
        }
        cell
    }

    /// The parameters for which all obligations with an affine check hold (those with [`Status::CheckProduct`] are for the caller). A set without dimensions.
    ///
    /// # Errors
    /// Budget.
    pub fn check(&self, budget: &Budget) -> Result<Union> {
        let space = Space::new(self.subscripts.first().map_or(0, |s| s.space().params), 0);
        let mut all = Union::universe(space);
        for obligation in &self.obligations {
            match &obligation.status {
                Status::Check(check) => all = all.intersect(check, budget)?,
                Status::Fails => return Ok(Union::empty(space)),
                Status::Proved | Status::CheckProduct => {}
            }
        }
        Ok(all)
    }
}

/// Recovers subscripts of an access with this offset into an array with these inner sizes, outermost first, that runs on the points of `domain`.
///
/// # Errors
/// Overflow, budget, space mismatch (also for a size that is not positive or not of the space's parameters).
pub fn delinearize(offset: &Offset, sizes: &[Size], domain: &Polyhedron, budget: &Budget) -> Result<Delinearized> {
    let space = offset.space;
    crate::simplex::same_space(space, domain.space())?;
    let proper = |s: &Size| s.factor >= 1 && s.params.is_sorted() && s.params.iter().all(|&p| p < space.params);
    if let Some(bad) = sizes.iter().find(|s| !proper(s)) {
        return Err(Error::SpaceMismatch(format!("{bad:?} is no size over {space:?}")));
    }
    let mut subscripts = match split(offset, sizes)? {
        Ok(subscripts) => subscripts,
        Err(((monomial, dim), c)) => return Ok(Delinearized::NoSubscript(c, monomial, dim)),
    };
    let mut obligations = Vec::new();
    for k in (1..subscripts.len()).rev() {
        let mut found = settle(&mut subscripts, k, &sizes[k - 1], domain, budget)?;
        found.append(&mut obligations);
        obligations = found;
    }
    let all = |good: &dyn Fn(&Status) -> bool| obligations.iter().all(|o| good(&o.status));
    let (proved, possible) = (all(&|s| *s == Status::Proved), all(&|s| *s != Status::Fails));
    let out = Subscripts { subscripts, obligations };
    Ok(match (proved, possible) {
        (true, _) => Delinearized::Proved(out),
        (false, true) => Delinearized::NeedsCheck(out),
        (false, false) => Delinearized::Fails(out),
    })
}

/// A term of an offset.
type Term = ((Monomial, Option<usize>), i64);

/// Gives each term to strides, outermost first; the term that none takes whole is the error.
fn split(offset: &Offset, sizes: &[Size]) -> Result<std::result::Result<Vec<Affine>, Term>> {
    let space = offset.space;
    let mut strides = vec![Size { factor: 1, params: Vec::new() }];
    for size in sizes.iter().rev() {
        let inner = &strides[strides.len() - 1];
        let mut params = [&inner.params[..], &size.params].concat();
        params.sort_unstable();
        strides.push(Size { factor: inner.factor.checked_mul(size.factor).ok_or(Error::Overflow)?, params });
    }
    strides.reverse();
    let mut subscripts = vec![Affine::zero(space); strides.len()];
    for ((monomial, dim), &c) in &offset.terms {
        let mut rest = c;
        for (stride, subscript) in strides.iter().zip(&mut subscripts) {
            let Some(quotient) = quotient(monomial, &stride.params) else { continue };
            let form = match (&quotient[..], dim) {
                ([], None) => Affine::constant(space, 1),
                ([], Some(d)) => Affine::dim(space, *d),
                ([p], None) => Affine::param(space, *p),
                _ => continue,
            };
            let share = nearest(rest, stride.factor);
            *subscript = subscript.combine(1, &form, share)?;
            // |rest - share * factor| <= factor / 2.
            rest = rest.wrapping_sub(share.wrapping_mul(stride.factor));
        }
        if rest != 0 {
            return Ok(Err(((monomial.clone(), *dim), rest)));
        }
    }
    Ok(Ok(subscripts))
}

/// `m / d` of products of parameters.
fn quotient(m: &Monomial, d: &Monomial) -> Option<Monomial> {
    let mut rest = m.clone();
    for p in d {
        let k = rest.iter().position(|x| x == p)?;
        rest.remove(k);
    }
    Some(rest)
}

/// The integer nearest to `a / b`, `b > 0`; halves go down.
fn nearest(a: i64, b: i64) -> i64 {
    let (q, r) = (a.div_euclid(b), a.rem_euclid(b));
    if r > b - r { q + 1 } else { q }
}

/// The bounds of subscript `k`, after carrying a row to or from the subscript outside if that helps.
fn settle(
    subscripts: &mut [Affine],
    k: usize,
    size: &Size,
    domain: &Polyhedron,
    budget: &Budget,
) -> Result<Vec<Obligation>> {
    let whole = size.as_affine(domain.space())?;
    let mut best: Option<(u32, Affine, Affine, Vec<Obligation>)> = None;
    for carry in [0, 1, -1_i64] {
        let (own, outer) = match &whole {
            Some(size) => (subscripts[k].combine(1, size, carry)?, subscripts[k - 1].offset(-carry)?),
            None if carry == 0 => (subscripts[k].clone(), subscripts[k - 1].clone()),
            None => break,
        };
        let lower = status_of(&own, domain, budget)?;
        let upper = match &whole {
            Some(size) => status_of(&size.sub(&own)?.offset(-1)?, domain, budget)?,
            None => below_product(&own, size, domain, budget)?,
        };
        // How far from proved: the first of the least is taken.
        let rank = |s: &Status| match s {
            Status::Proved => 0,
            Status::Check(_) | Status::CheckProduct => 1,
            Status::Fails => 3,
        };
        let badness = rank(&lower) + rank(&upper);
        let pair = [(Side::Lower, lower), (Side::Upper, upper)];
        if best.as_ref().is_none_or(|b| badness < b.0) {
            let obligations = pair.map(|(side, status)| Obligation { subscript: k, side, status }).to_vec();
            best = Some((badness, own, outer, obligations));
        }
        if badness == 0 {
            break;
        }
    }
    let Some((_, own, outer, obligations)) = best else { return Ok(Vec::new()) };
    subscripts[k] = own;
    subscripts[k - 1] = outer;
    Ok(obligations)
}

/// Is `e >= 0` on the whole domain, and for which parameters?
fn status_of(e: &Affine, domain: &Polyhedron, budget: &Budget) -> Result<Status> {
    let violated = domain.clone().with(Constraint::ge(e.scale(-1)?.offset(-1)?));
    if violated.is_empty(budget)? {
        return Ok(Status::Proved);
    }
    // Shadows contain all parameters that have a point: the check is safe, exact or not.
    let bad = Union::from(violated.params_shadow(budget)?.set.simplify(budget)?);
    let check = bad.complement(budget)?;
    let asked = Union::from(domain.params_shadow(budget)?.set);
    let passes = !check.intersect(&asked, budget)?.is_empty(budget)?;
    Ok(if passes { Status::Check(check.simplify(budget)?) } else { Status::Fails })
}

/// `e <= f * p_1 * p_2 ..  - 1`, by `e <= f * p_k - 1` for one `k` where all parameters are at least 1.
fn below_product(e: &Affine, size: &Size, domain: &Polyhedron, budget: &Budget) -> Result<Status> {
    let space = domain.space();
    for &p in &size.params {
        if !domain.implies(&Constraint::ge(Affine::param(space, p).offset(-1)?), budget)? {
            return Ok(Status::CheckProduct);
        }
    }
    for &p in &size.params {
        let room = Affine::param(space, p).scale(size.factor)?.sub(e)?.offset(-1)?;
        if domain.implies(&Constraint::ge(room), budget)? {
            return Ok(Status::Proved);
        }
    }
    Ok(Status::CheckProduct)
}
