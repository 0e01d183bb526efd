//! Spaces and affine expressions over them.

use crate::number::value_of;
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::fmt;

/// The columns of every row in this crate: `[1 | N | i]`, parameters before dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Space {
    /// Number of parameters `N`.
    pub params: usize,
    /// Number of dimensions `i`.
    pub dims: usize,
}

impl Space {
    /// The space with `params` parameters and `dims` dimensions.
    #[must_use]
    pub const fn new(params: usize, dims: usize) -> Self {
        Self { params, dims }
    }

    /// Columns of a row: one for the constant, then parameters, then dimensions.
    #[must_use]
    pub const fn columns(self) -> usize {
        1 + self.params + self.dims
    }

    /// Column of parameter `p`.
    #[must_use]
    pub const fn param_column(self, p: usize) -> usize {
        1 + p
    }

    /// Column of dimension `d`.
    #[must_use]
    pub const fn dim_column(self, d: usize) -> usize {
        1 + self.params + d
    }
}

/// `c + a . N + b . i`, with integer coefficients.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Affine {
    space: Space,
    coeffs: Vec<i64>,
}

impl Affine {
    /// The expression 0.
    #[must_use]
    pub fn zero(space: Space) -> Self {
        Self { space, coeffs: vec![0; space.columns()] }
    }

    /// The constant `c`.
    #[must_use]
    pub fn constant(space: Space, c: i64) -> Self {
        let mut e = Self::zero(space);
        e.coeffs[0] = c;
        e
    }

    /// Parameter `p`.
    #[must_use]
    pub fn param(space: Space, p: usize) -> Self {
        let mut e = Self::zero(space);
        e.coeffs[space.param_column(p)] = 1;
        e
    }

    /// Dimension `d`.
    #[must_use]
    pub fn dim(space: Space, d: usize) -> Self {
        let mut e = Self::zero(space);
        e.coeffs[space.dim_column(d)] = 1;
        e
    }

    /// From a row laid out as `[1 | N | i]`.
    ///
    /// # Panics
    /// When the row's length is not `space.columns()`: a mistake of the caller.
    #[must_use]
    pub fn from_coeffs(space: Space, coeffs: Vec<i64>) -> Self {
        assert_eq!(coeffs.len(), space.columns(), "row length");
        Self { space, coeffs }
    }

    /// The space.
    #[must_use]
    pub const fn space(&self) -> Space {
        self.space
    }

    /// The row `[1 | N | i]`.
    #[must_use]
    pub fn coeffs(&self) -> &[i64] {
        &self.coeffs
    }

    /// The constant term.
    #[must_use]
    pub fn constant_term(&self) -> i64 {
        self.coeffs[0]
    }

    /// Coefficient of parameter `p`.
    #[must_use]
    pub fn param_coeff(&self, p: usize) -> i64 {
        self.coeffs[self.space.param_column(p)]
    }

    /// Coefficient of dimension `d`.
    #[must_use]
    pub fn dim_coeff(&self, d: usize) -> i64 {
        self.coeffs[self.space.dim_column(d)]
    }

    /// Coefficients of all dimensions, outermost first.
    #[must_use]
    pub fn dim_coeffs(&self) -> &[i64] {
        &self.coeffs[1 + self.space.params..]
    }

    /// Coefficients of all parameters.
    #[must_use]
    pub fn param_coeffs(&self) -> &[i64] {
        &self.coeffs[1..=self.space.params]
    }

    /// Sets the constant term.
    pub fn set_constant(&mut self, c: i64) {
        self.coeffs[0] = c;
    }

    /// Sets the coefficient of parameter `p`.
    pub fn set_param(&mut self, p: usize, c: i64) {
        let col = self.space.param_column(p);
        self.coeffs[col] = c;
    }

    /// Sets the coefficient of dimension `d`.
    pub fn set_dim(&mut self, d: usize, c: i64) {
        let col = self.space.dim_column(d);
        self.coeffs[col] = c;
    }

    /// Does it mention no parameter and no dimension?
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.coeffs[1..].iter().all(|&c| c == 0)
    }

    /// Does it mention no dimension?
    #[must_use]
    pub fn is_dim_free(&self) -> bool {
        self.dim_coeffs().iter().all(|&c| c == 0)
    }

    /// `self + other`.
    ///
    /// # Errors
    /// [`Error::Overflow`], [`Error::SpaceMismatch`].
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.combine(1, other, 1)
    }

    /// `self - other`.
    ///
    /// # Errors
    /// [`Error::Overflow`], [`Error::SpaceMismatch`].
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.combine(1, other, -1)
    }

    /// `factor * self`.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn scale(&self, factor: i64) -> Result<Self> {
        let coeffs = self.coeffs.iter().map(|c| c.checked_mul(factor).ok_or(Error::Overflow)).collect::<Result<_>>()?;
        Ok(Self { space: self.space, coeffs })
    }

    /// `self + c`.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn offset(&self, c: i64) -> Result<Self> {
        let mut e = self.clone();
        e.coeffs[0] = e.coeffs[0].checked_add(c).ok_or(Error::Overflow)?;
        Ok(e)
    }

    /// `a * self + b * other`.
    ///
    /// # Errors
    /// [`Error::Overflow`], [`Error::SpaceMismatch`].
    pub fn combine(&self, a: i64, other: &Self, b: i64) -> Result<Self> {
        if self.space != other.space {
            return Err(Error::SpaceMismatch(format!("{:?} and {:?}", self.space, other.space)));
        }
        let coeffs = self
            .coeffs
            .iter()
            .zip(&other.coeffs)
            .map(|(&x, &y)| {
                // Each product is at most 2^126; only twice that, of least integers alone, leaves i128.
                let (x, y) = (i128::from(a) * i128::from(x), i128::from(b) * i128::from(y));
                x.checked_add(y).and_then(|v| i64::try_from(v).ok()).ok_or(Error::Overflow)
            })
            .collect::<Result<_>>()?;
        Ok(Self { space: self.space, coeffs })
    }

    /// Its value at a point.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    ///
    /// # Panics
    /// When `params` or `dims` has another length than the space says.
    pub fn eval(&self, params: &[i64], dims: &[i64]) -> Result<i64> {
        match self.eval_wide(params, dims) {
            Ok(v) => i64::try_from(v).map_err(|_| Error::Overflow),
            Err(_) => value_of(&self.coeffs, &[params, dims].concat()).to_i64().ok_or(Error::Overflow),
        }
    }

    /// Its value at a point, which need not fit into `i64`.
    pub(crate) fn eval_wide(&self, params: &[i64], dims: &[i64]) -> Result<i128> {
        assert_eq!((params.len(), dims.len()), (self.space.params, self.space.dims), "point");
        let mut sum = i128::from(self.coeffs[0]);
        for (&c, &x) in self.coeffs[1..].iter().zip(params.iter().chain(dims)) {
            sum = sum.checked_add(i128::from(c) * i128::from(x)).ok_or(Error::Overflow)?;
        }
        Ok(sum)
    }

    /// Replaces dimension `d` by `map[d]`: `self o map`, in the space of the map's expressions (`target` when there are none).
    ///
    /// # Errors
    /// [`Error::Overflow`], [`Error::SpaceMismatch`] (also when parameters differ in number).
    pub fn compose(&self, map: &[Self], target: Space) -> Result<Self> {
        if map.len() != self.space.dims || target.params != self.space.params {
            return Err(Error::SpaceMismatch(format!("{:?} composed with {} rows", self.space, map.len())));
        }
        if let Some(e) = map.iter().find(|e| e.space != target) {
            return Err(Error::SpaceMismatch(format!("{:?} and {target:?}", e.space)));
        }
        let mut coeffs = Vec::with_capacity(target.columns());
        for k in 0..target.columns() {
            let own = if k <= target.params { self.coeffs[k] } else { 0 };
            let products = || map.iter().zip(self.dim_coeffs()).map(|(e, &c)| i128::from(c) * i128::from(e.coeffs[k]));
            let sum = products().try_fold(i128::from(own), i128::checked_add);
            let fits = match sum {
                Some(sum) => i64::try_from(sum).ok(),
                None => products().fold(BigInt::from(own), |sum, p| sum + p).to_i64(),
            };
            coeffs.push(fits.ok_or(Error::Overflow)?);
        }
        Ok(Self { space: target, coeffs })
    }

    /// The same expression in a larger or permuted space: dimension `d` becomes `dim_map[d]`. Parameters keep their places.
    ///
    /// # Panics
    /// When `dim_map` does not fit the spaces, or brings two dimensions to one place and their coefficients' sum does not fit.
    #[must_use]
    pub fn embed(&self, target: Space, dim_map: &[usize]) -> Self {
        assert!(dim_map.len() == self.space.dims && target.params >= self.space.params, "embedding");
        let mut out = Self::zero(target);
        out.coeffs[..=self.space.params].copy_from_slice(&self.coeffs[..=self.space.params]);
        for (d, &to) in dim_map.iter().enumerate() {
            let sum = out.dim_coeff(to).checked_add(self.dim_coeff(d));
            out.set_dim(to, sum.expect("dimensions of one place"));
        }
        out
    }

    /// Prints with the given names: `2i + j - n + 1`.
    #[must_use]
    pub fn display<'a, S: AsRef<str>>(&'a self, params: &'a [S], dims: &'a [S]) -> DisplayAffine<'a, S> {
        DisplayAffine { expr: self, params, dims }
    }
}

/// Helper returned by [`Affine::display`].
pub struct DisplayAffine<'a, S> {
    expr: &'a Affine,
    params: &'a [S],
    dims: &'a [S],
}

impl<S: AsRef<str>> fmt::Display for DisplayAffine<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        let dims = self.dims.iter().zip(self.expr.dim_coeffs());
        let params = self.params.iter().zip(self.expr.param_coeffs());
        for (name, &c) in dims.chain(params) {
            if c == 0 {
                continue;
            }
            match (first, c < 0) {
                (true, true) => f.write_str("-")?,
                (true, false) => {}
                (false, true) => f.write_str(" - ")?,
                (false, false) => f.write_str(" + ")?,
            }
            if c.unsigned_abs() != 1 {
                write!(f, "{}", c.unsigned_abs())?;
            }
            f.write_str(name.as_ref())?;
            first = false;
        }
        let c = self.expr.constant_term();
        match (first, c) {
            (true, c) => write!(f, "{c}"),
            (false, 0) => Ok(()),
            (false, c) if c < 0 => write!(f, " - {}", c.unsigned_abs()),
            (false, c) => write!(f, " + {c}"),
        }
    }
}
