//! Integer polyhedra with parameters.

use crate::{Affine, Budget, Result, Space};

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

/// `{ [i] in Z^d | rows }`, for all values of the parameters.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Polyhedron {
    space: Space,
    constraints: Vec<Constraint>,
}

impl Polyhedron {
    /// All points.
    #[must_use]
    pub fn universe(space: Space) -> Self {
        Self { space, constraints: Vec::new() }
    }

    /// From rows. Rows are kept as given, in order.
    ///
    /// # Panics
    /// When a row lives in another space.
    #[must_use]
    pub fn new(space: Space, constraints: Vec<Constraint>) -> Self {
        assert!(constraints.iter().all(|c| c.expr.space() == space), "space of a row");
        Self { space, constraints }
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
        self.constraints.push(row);
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
        let mut constraints = self.constraints.clone();
        constraints.extend(other.constraints.iter().cloned());
        Self { space: self.space, constraints }
    }

    /// The same set in a larger or permuted space: dimension `d` becomes `dim_map[d]`; new dimensions are free.
    #[must_use]
    pub fn embed(&self, target: Space, dim_map: &[usize]) -> Self {
        let constraints =
            self.constraints.iter().map(|c| Constraint { kind: c.kind, expr: c.expr.embed(target, dim_map) }).collect();
        Self { space: target, constraints }
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
        Ok(Self { space: target, constraints })
    }

    /// Is the point in the set?
    ///
    /// # Errors
    /// Overflow.
    pub fn contains(&self, params: &[i64], dims: &[i64]) -> Result<bool> {
        for c in &self.constraints {
            let v = c.expr.eval(params, dims)?;
            if (c.kind == Kind::Eq && v != 0) || v < 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does a cheap look already show that there is no point (a constant row that is false, gcd, opposite rows)? Linear; `false` means "not seen".
    #[must_use]
    pub fn is_obviously_empty(&self) -> bool {
        todo!()
    }

    /// Has the set no integer point, for any value of the parameters? Exact (Omega test: Pugh 1991). Exponential at worst, bounded by the budget.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        let _ = budget;
        todo!()
    }

    /// Does every integer point satisfy the row? Exact: tests emptiness of the complement.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn implies(&self, row: &Constraint, budget: &Budget) -> Result<bool> {
        let _ = (row, budget);
        todo!()
    }

    /// Rows normalised by their gcd (tightened to integers), duplicates and rows that the others imply removed, implicit equalities made explicit.
    /// Same integer points. Deterministic; rows come out sorted: equalities first. An empty set becomes the one row `-1 >= 0`.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn simplify(&self, budget: &Budget) -> Result<Self> {
        let _ = budget;
        todo!()
    }

    /// Rows of `self` that `context` does not already imply: `gist(self, context) ∩ context = self ∩ context`. Rows with constant true removed.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        let _ = (context, budget);
        todo!()
    }

    /// Bounds of dimension `dim` in terms of everything else, read off the rows that mention it (no projection). Equalities give both.
    ///
    /// # Errors
    /// Overflow.
    pub fn bounds_of(&self, dim: usize) -> Result<Bounds> {
        let _ = dim;
        todo!()
    }
}
