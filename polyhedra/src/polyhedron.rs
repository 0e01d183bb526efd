//! Integer polyhedra with parameters.

use crate::number::{Number, contains_exactly, gcd, promote};
use crate::omega;
use crate::rows::{System, Verdict};
use crate::simplex::same_space;
use crate::{Affine, Budget, Error, Result, Space};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::rc::Rc;

/// Whether a row is `>= 0` or `= 0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `expr = 0`
    Eq,
    /// `expr >= 0`
    Ge,
}

/// One row: `expr >= 0` or `expr = 0`.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Constraint {
    /// `=` or `>=`.
    pub kind: Kind,
    /// The left-hand side; the right-hand side is 0.
    pub expr: Affine,
}

impl Constraint {
    /// `expr >= 0`.
    #[must_use]
    pub fn ge(expr: Affine) -> Self {
        Self { kind: Kind::Ge, expr }
    }

    /// `expr = 0`.
    #[must_use]
    pub fn eq(expr: Affine) -> Self {
        Self { kind: Kind::Eq, expr }
    }
}

/// The least value of an affine form over the rational points of a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Optimum<T> {
    /// The set has no (rational) point.
    Empty,
    /// The form has no lower bound there.
    Unbounded,
    /// The least value.
    Bounded(T),
}

/// `(expr) / div`, rounded as its place says: up in a lower bound, down in an upper bound. `div >= 1`.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct DivBound {
    /// Numerator. Does not mention the bounded dimension.
    pub expr: Affine,
    /// Positive divisor.
    pub div: i64,
}

/// `max ceil(lower) <= x <= min floor(upper)` for one dimension `x`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// Lower bounds; the largest counts.
    pub lower: Vec<DivBound>,
    /// Upper bounds; the least counts.
    pub upper: Vec<DivBound>,
}

/// `{ [i] in Z^d | rows }`, for all values of the parameters. Copies share their rows until one of them changes.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Polyhedron {
    space: Space,
    constraints: Rc<Vec<Constraint>>,
}

impl Polyhedron {
    /// All points.
    #[must_use]
    pub fn universe(space: Space) -> Self {
        Self { space, constraints: Rc::default() }
    }

    /// From rows. Rows are kept as given, in order.
    ///
    /// # Panics
    /// When a row lives in another space.
    #[must_use]
    pub fn new(space: Space, constraints: Vec<Constraint>) -> Self {
        assert!(constraints.iter().all(|c| c.expr.space() == space), "space of a row");
        Self { space, constraints: Rc::new(constraints) }
    }

    /// The space.
    #[must_use]
    pub const fn space(&self) -> Space {
        self.space
    }

    /// The rows.
    #[must_use]
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When the row lives in another space.
    pub fn add(&mut self, row: Constraint) {
        assert_eq!(row.expr.space(), self.space, "space of a row");
        Rc::make_mut(&mut self.constraints).push(row);
    }

    /// With one more row.
    #[must_use]
    pub fn with(mut self, row: Constraint) -> Self {
        self.add(row);
        self
    }

    /// The points in both. Cheap: rows are put together.
    ///
    /// # Panics
    /// When the spaces differ.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        assert_eq!(self.space, other.space, "space");
        let rows = self.constraints.iter().chain(other.constraints.iter());
        Self { space: self.space, constraints: Rc::new(rows.cloned().collect()) }
    }

    /// The same set in a larger or permuted space: dimension `d` becomes `dim_map[d]`; new dimensions are free.
    #[must_use]
    pub fn embed(&self, target: Space, dim_map: &[usize]) -> Self {
        let constraints =
            self.constraints.iter().map(|c| Constraint { kind: c.kind, expr: c.expr.embed(target, dim_map) }).collect();
        Self { space: target, constraints: Rc::new(constraints) }
    }

    /// `{ x | map(x) in self }`: every dimension `d` replaced by `map[d]`.
    ///
    /// # Errors
    /// Overflow, space mismatch.
    pub fn preimage(&self, map: &[Affine], target: Space) -> Result<Self> {
        let constraints = self
            .constraints
            .iter()
            .map(|c| Ok(Constraint { kind: c.kind, expr: c.expr.compose(map, target)? }))
            .collect::<Result<_>>()?;
        Ok(Self { space: target, constraints: Rc::new(constraints) })
    }

    /// Is the point in the set? Always `Ok`: there is an answer whatever the size of the numbers.
    ///
    /// # Errors
    /// None at present.
    pub fn contains(&self, params: &[i64], dims: &[i64]) -> Result<bool> {
        for c in self.constraints.iter() {
            let Ok(v) = c.expr.eval_wide(params, dims) else {
                return Ok(contains_exactly(self, &[params, dims].concat()));
            };
            if (c.kind == Kind::Eq && v != 0) || v < 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does a cheap look already show that there is no point (a constant row that is false, gcd, opposite rows)? Linear; `false` means "not seen".
    #[must_use]
    pub fn is_obviously_empty(&self) -> bool {
        matches!(System::<i64>::of(self).tidy(), Ok(false))
    }

    /// Has the set no integer point, for any value of the parameters? Exact (Omega test: Pugh 1991). Exponential at worst, bounded by the budget.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        budget.memo().empty.ask(self, &[], budget, || {
            promote(
                || omega::is_empty(System::<i64>::of(self), budget),
                || omega::is_empty(System::<BigInt>::of(self), budget),
            )
        })
    }

    /// Does every integer point satisfy the row? Exact: tests emptiness of the complement.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn implies(&self, row: &Constraint, budget: &Budget) -> Result<bool> {
        same_space(self.space, row.expr.space())?;
        let mut question = row.expr.coeffs().to_vec();
        question.push(i64::from(row.kind == Kind::Eq));
        budget.memo().implied.ask(self, &question, budget, || {
            promote(|| System::<i64>::of(self).implies(row, budget), || System::<BigInt>::of(self).implies(row, budget))
        })
    }

    /// Bounds of dimension `dim` in terms of everything else, read off the rows that mention it (no projection). Equalities give both.
    ///
    /// # Errors
    /// Overflow.
    pub fn bounds_of(&self, dim: usize) -> Result<Bounds> {
        let column = self.space.dim_column(dim);
        let mut bounds = Bounds::default();
        for c in self.constraints.iter() {
            let a = c.expr.coeffs()[column];
            if a == 0 {
                continue;
            }
            // a x + rest >= 0: x >= -rest / a for a > 0, x <= rest / -a for a < 0.
            if a > 0 || c.kind == Kind::Eq {
                bounds.lower.push(DivBound::of(&c.expr, column, -a.signum(), true)?);
            }
            if a < 0 || c.kind == Kind::Eq {
                bounds.upper.push(DivBound::of(&c.expr, column, -a.signum(), false)?);
            }
        }
        Ok(bounds)
    }
}

impl DivBound {
    /// `sign * rest / |a|` for the row `a x + rest`, without what the divisor and all coefficients share; the constant is rounded up or down as the
    /// quotient is.
    fn of(row: &Affine, column: usize, sign: i64, up: bool) -> Result<Self> {
        let entries = row.coeffs();
        let div = entries[column].unsigned_abs();
        let others = entries[1..].iter().enumerate().filter(|(k, _)| k + 1 != column);
        let g = i128::from(others.fold(div, |g, (_, c)| gcd(g, c.unsigned_abs())));
        let mut coeffs = Vec::with_capacity(entries.len());
        for (k, &c) in entries.iter().enumerate() {
            let value = if k == column { 0 } else { i128::from(c) * i128::from(sign) };
            let quotient = value.div_euclid(g) + i128::from(k == 0 && up && value.rem_euclid(g) != 0);
            coeffs.push(i64::try_from(quotient).map_err(|_| Error::Overflow)?);
        }
        let div = i64::try_from(i128::from(div) / g).map_err(|_| Error::Overflow)?;
        Ok(Self { expr: Affine::from_coeffs(row.space(), coeffs), div })
    }
}

impl<T: Number> System<T> {
    /// Does every integer point satisfy the row?
    pub(crate) fn implies(self, row: &Constraint, budget: &Budget) -> Result<bool> {
        let mut own = Vec::with_capacity(self.width);
        T::row_of(row.expr.coeffs(), &mut own);
        self.implies_row(row.kind, own, budget)
    }

    /// Does every integer point satisfy the row?
    pub(crate) fn implies_row(self, kind: Kind, mut row: Vec<T>, budget: &Budget) -> Result<bool> {
        match T::normalise(kind, &mut row) {
            Verdict::True => return Ok(true),
            Verdict::False => return omega::is_empty(self, budget),
            Verdict::Row => {}
        }
        budget.spend(1)?;
        if self.states(kind, &row) {
            return Ok(true);
        }
        let mut above = self;
        if kind == Kind::Eq {
            let mut below = above.clone();
            below.push_strict(&row)?;
            if !omega::is_empty(below, budget)? {
                return Ok(false);
            }
        }
        above.push_negation(&row)?;
        omega::is_empty(above, budget)
    }

    /// Is the row here already, word for word or with a tighter constant? Cheap.
    fn states(&self, kind: Kind, row: &[T]) -> bool {
        let same = |own: &[T]| own[1..] == row[1..];
        let opposite = |own: &[T]| own[1..].iter().zip(&row[1..]).all(|(x, y)| x.sum_sign(y) == Ordering::Equal);
        let by_equality = self.eqs.iter().any(|own| {
            // own = 0 says a . x = -c; the row is then d - c, or d + c.
            let holds = |v: Ordering| if kind == Kind::Eq { v.is_eq() } else { v.is_ge() };
            (holds(row[0].cmp(&own[0])) && same(own)) || (holds(row[0].sum_sign(&own[0])) && opposite(own))
        });
        by_equality || (kind == Kind::Ge && self.ges.iter().any(|own| own[0] <= row[0] && same(own)))
    }
}
