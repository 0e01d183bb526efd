//! Polynomials over iterators and parameters: what an address is before its array shape is known.
//!
//! `8*i*n + 8*j` for `double A[][n]`: a sum of integer multiples of monomials. Affine forms are those of degree at most one.

use std::collections::BTreeMap;

/// Index into the loops of a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopIndex(pub usize);

/// Index into the parameters of a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ParamIndex(pub usize);

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// Iterator of a loop: 0, 1, 2, ...
    Iterator(LoopIndex),
    /// A number that does not change in the region.
    Param(ParamIndex),
    /// `i * (i + 1) / 2` for the iterator `i` of a loop: where row `i` of a packed triangle starts.
    Triangle(LoopIndex),
}

/// Pairs of terms at most that a product is made of: more are no subscript or size, but numbers that a loop computes, whose terms would double with each multiplication.
const MOST_PRODUCTS: usize = 256;

/// Variables at most in a term of a product: so many have neither the sizes of an array nor loops around a subscript, but numbers that are squared again and again.
const MOST_FACTORS: usize = 32;

/// A product of variables, sorted; empty is 1.
pub type Monomial = Vec<Symbol>;

/// A sum of integer multiples of monomials. No zero coefficients are kept.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Poly {
    terms: BTreeMap<Monomial, i64>,
}

impl Poly {
    /// How many of the lowest bits of all coefficients are zero. `None`: all of all are.
    #[must_use]
    pub fn low_zeros(&self) -> Option<u32> {
        self.terms.values().map(|c| c.trailing_zeros()).min()
    }

    /// What times a number is this. `None`: nothing is.
    #[must_use]
    pub fn divided(&self, by: i64) -> Option<Self> {
        let divide = |c: i64| (c.checked_rem(by)? == 0).then(|| c.checked_div(by)).flatten();
        let terms = self.terms.iter().map(|(m, &c)| Some((m.clone(), divide(c)?)));
        Some(Self { terms: terms.collect::<Option<_>>()? })
    }

    /// Its value where all variables have this one.
    #[must_use]
    pub fn at_equal(&self, value: i64) -> Option<i64> {
        let power = |m: &Monomial| m.iter().try_fold(1i64, |p, _| p.checked_mul(value));
        self.terms.iter().try_fold(0i64, |sum, (m, c)| sum.checked_add(c.checked_mul(power(m)?)?))
    }

    /// A number.
    #[must_use]
    pub fn constant(c: i64) -> Self {
        let mut p = Self::default();
        if c != 0 {
            p.terms.insert(Vec::new(), c);
        }
        p
    }

    /// A variable.
    #[must_use]
    pub fn symbol(s: Symbol) -> Self {
        Self { terms: BTreeMap::from([(vec![s], 1)]) }
    }

    /// `c * m`
    #[must_use]
    pub fn term(m: Monomial, c: i64) -> Self {
        let mut p = Self::default();
        if c != 0 {
            p.terms.insert(m, c);
        }
        p
    }

    /// The terms.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, i64)> {
        self.terms.iter().map(|(m, &c)| (m, c))
    }

    /// The coefficient of a monomial.
    #[must_use]
    pub fn coefficient(&self, m: &[Symbol]) -> i64 {
        self.terms.get(m).copied().unwrap_or(0)
    }

    /// The number it is, if it has no variable.
    #[must_use]
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// `self + other`; `None` on overflow.
    #[must_use]
    pub fn add(&self, other: &Self) -> Option<Self> {
        let mut out = self.clone();
        for (m, &c) in &other.terms {
            let sum = out.terms.get(m).copied().unwrap_or(0).checked_add(c)?;
            if sum == 0 {
                out.terms.remove(m);
            } else {
                out.terms.insert(m.clone(), sum);
            }
        }
        Some(out)
    }

    /// `self - other`; `None` on overflow.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Option<Self> {
        self.add(&other.scale(-1)?)
    }

    /// `c * self`; `None` on overflow.
    #[must_use]
    pub fn scale(&self, c: i64) -> Option<Self> {
        let mut out = Self::default();
        for (m, &k) in &self.terms {
            let v = k.checked_mul(c)?;
            if v != 0 {
                out.terms.insert(m.clone(), v);
            }
        }
        Some(out)
    }

    /// `self * other`; `None` on overflow, and where there are more than `MOST_PRODUCTS` pairs of terms or `MOST_FACTORS` variables in one.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Option<Self> {
        let pairs = self.terms.len().saturating_mul(other.terms.len());
        if pairs > MOST_PRODUCTS || self.degree() + other.degree() > MOST_FACTORS {
            return None;
        }
        let mut out = Self::default();
        for (a, &x) in &self.terms {
            for (b, &y) in &other.terms {
                let mut m: Monomial = a.iter().chain(b).copied().collect();
                m.sort_unstable();
                out = out.add(&Self::term(m, x.checked_mul(y)?))?;
            }
        }
        Some(out)
    }

    /// The largest number of variables in a term.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.terms.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// Is it an affine form?
    #[must_use]
    pub fn is_affine(&self) -> bool {
        self.degree() <= 1 && !self.has_triangle()
    }

    /// No iterator in it?
    #[must_use]
    pub fn is_invariant(&self) -> bool {
        self.symbols().all(|s| matches!(s, Symbol::Param(_)))
    }

    /// Every variable, once an occurrence.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.terms.keys().flatten().copied()
    }

    /// Does it mention the triangle of this iterator?
    fn has_triangle_of(&self, s: Symbol) -> bool {
        matches!(s, Symbol::Iterator(l) if self.symbols().any(|x| x == Symbol::Triangle(l)))
    }

    /// Does it mention a triangle?
    #[must_use]
    pub fn has_triangle(&self) -> bool {
        self.symbols().any(|s| matches!(s, Symbol::Triangle(_)))
    }

    /// What multiplies a variable that occurs at most once in every term; `None` when it occurs more often.
    #[must_use]
    pub fn derivative(&self, by: Symbol) -> Option<Self> {
        if self.has_triangle_of(by) {
            return None;
        }
        let mut out = Self::default();
        for (m, &c) in &self.terms {
            let Some(k) = m.iter().position(|&s| s == by) else { continue };
            let mut rest = m.clone();
            rest.remove(k);
            if rest.contains(&by) {
                return None;
            }
            out.terms.insert(rest, c);
        }
        Some(out)
    }

    /// Replaces an iterator by a polynomial; `None` on overflow.
    #[must_use]
    pub fn substitute(&self, which: Symbol, by: &Self) -> Option<Self> {
        if self.has_triangle_of(which) {
            return None;
        }
        let mut out = Self::default();
        for (m, &c) in &self.terms {
            let mut product = Self::constant(c);
            for &s in m {
                let factor = if s == which { by.clone() } else { Self::symbol(s) };
                product = product.mul(&factor)?;
            }
            out = out.add(&product)?;
        }
        Some(out)
    }

    /// Least and largest value when every variable lies in its interval; `None` on overflow of `i128`.
    #[must_use]
    pub fn interval(&self, of: impl Fn(Symbol) -> (i128, i128)) -> Option<(i128, i128)> {
        let (mut low, mut high) = (0i128, 0i128);
        for (m, &c) in &self.terms {
            let (mut a, mut b) = (i128::from(c), i128::from(c));
            for &s in m {
                let (x, y) = of(s);
                let products = [a.checked_mul(x)?, a.checked_mul(y)?, b.checked_mul(x)?, b.checked_mul(y)?];
                a = *products.iter().min()?;
                b = *products.iter().max()?;
            }
            low = low.checked_add(a)?;
            high = high.checked_add(b)?;
        }
        Some((low, high))
    }

    /// For people.
    #[must_use]
    pub fn text(&self, name: impl Fn(Symbol) -> String) -> String {
        if self.terms.is_empty() {
            return "0".into();
        }
        let mut out = String::new();
        for (m, &c) in self.terms.iter().rev() {
            let factors: Vec<String> = m.iter().map(|&s| name(s)).collect();
            let sign = if c < 0 { "-" } else { "+" };
            if !out.is_empty() {
                out += &format!(" {sign} ");
            } else if c < 0 {
                out += "-";
            }
            match (c.unsigned_abs(), factors.is_empty()) {
                (k, true) => out += &k.to_string(),
                (1, false) => out += &factors.join("*"),
                (k, false) => out += &format!("{k}*{}", factors.join("*")),
            }
        }
        out
    }
}
