//! Finite unions of polyhedra over one space.
//!
//! **Problem.** Sets that are no conjunction of rows: what is left of a set when another is taken away, a domain in cases, the values of parameters for
//! which something *fails*. Exactly, over the integers.
//!
//! **Notation.** A union is a list of *parts*. The same points can be written as parts in many ways; no operation depends on which. `A - B` is all points of `A` that are
//! not in `B`.
//!
//! **Method.** Over the integers the complement of a row `e >= 0` is the row `-e - 1 >= 0`, that of `e = 0` is `e - 1 >= 0` or `-e - 1 >= 0`. So
//! ```text
//! A - { b_1, .., b_n }  =  (A, not b_1)  or  (A, b_1, not b_2)  or  ..  or  (A, b_1, .., b_n-1, not b_n)
//! ```
//! whose parts have no point in common; empty ones are dropped as they arise (Omega test), which keeps most differences as small as they are. Equality
//! and inclusion ask whether a difference is empty.
//!
//! **Example.** `0 <= i <= 9` without `3 <= i <= 5` is `0 <= i <= 2 or 6 <= i <= 9`. The plane without the point 0 has four parts.
//!
//! Paper: William Pugh, David Wonnacott, *Going beyond integer programming with the Omega test*, TOPLAS 1998 (section on negation).

use crate::simplex::same_space;
use crate::{Affine, Budget, Constraint, Kind, Polyhedron, Result, Space};

/// `{ [i] in Z^d | part_1 or part_2 or .. }`, for all values of the parameters. Without parts it is the empty set.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Union {
    space: Space,
    parts: Vec<Polyhedron>,
}

impl From<Polyhedron> for Union {
    fn from(set: Polyhedron) -> Self {
        Self { space: set.space(), parts: vec![set] }
    }
}

impl Union {
    /// No point.
    #[must_use]
    pub const fn empty(space: Space) -> Self {
        Self { space, parts: Vec::new() }
    }

    /// All points.
    #[must_use]
    pub fn universe(space: Space) -> Self {
        Polyhedron::universe(space).into()
    }

    /// From parts, kept as given, in order.
    ///
    /// # Panics
    /// When a part lives in another space.
    #[must_use]
    pub fn new(space: Space, parts: Vec<Polyhedron>) -> Self {
        assert!(parts.iter().all(|p| p.space() == space), "space of a part");
        Self { space, parts }
    }

    /// The space.
    #[must_use]
    pub const fn space(&self) -> Space {
        self.space
    }

    /// The parts. They may overlap, and may be empty.
    #[must_use]
    pub fn parts(&self) -> &[Polyhedron] {
        &self.parts
    }

    /// Is the point in some part?
    ///
    /// # Errors
    /// None at present, as [`Polyhedron::contains`].
    pub fn contains(&self, params: &[i64], dims: &[i64]) -> Result<bool> {
        for part in &self.parts {
            if part.contains(params, dims)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The points of either. Cheap: parts are put together.
    ///
    /// # Errors
    /// Space mismatch.
    pub fn union(&self, other: &Self) -> Result<Self> {
        same_space(self.space, other.space)?;
        Ok(Self { space: self.space, parts: [&self.parts[..], &other.parts].concat() })
    }

    /// The points of both: each part with each, without those that are obviously empty.
    ///
    /// # Errors
    /// Space mismatch, budget.
    pub fn intersect(&self, other: &Self, budget: &Budget) -> Result<Self> {
        same_space(self.space, other.space)?;
        let mut parts = Vec::new();
        for a in &self.parts {
            for b in &other.parts {
                budget.spend(1)?;
                let both = a.intersect(b);
                if !both.is_obviously_empty() {
                    parts.push(both);
                }
            }
        }
        Ok(Self { space: self.space, parts })
    }

    /// The points of `self` that are not in `other`. Exact. No part of the result is empty.
    ///
    /// # Errors
    /// Overflow, budget, space mismatch.
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> {
        same_space(self.space, other.space)?;
        let mut left = Vec::new();
        for part in &self.parts {
            if !part.is_empty(budget)? {
                left.push(part.clone());
            }
        }
        for part in &other.parts {
            let mut next = Vec::new();
            for from in left {
                subtract_one(from, part, &mut next, budget)?;
            }
            left = next;
        }
        Ok(Self { space: self.space, parts: left })
    }

    /// All points that are not in the union. Exact.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn complement(&self, budget: &Budget) -> Result<Self> {
        Self::universe(self.space).subtract(self, budget)
    }

    /// The same points, in parts that have none in common and are not empty: from each part the ones before it are taken away.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn disjoint(&self, budget: &Budget) -> Result<Self> {
        let mut parts: Vec<Polyhedron> = Vec::new();
        for (k, part) in self.parts.iter().enumerate() {
            let before = Self { space: self.space, parts: self.parts[..k].to_vec() };
            parts.extend(Self::from(part.clone()).subtract(&before, budget)?.parts);
        }
        Ok(Self { space: self.space, parts })
    }

    /// The same points, every part simplified, without parts that lie in another. Not a normal form.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn simplify(&self, budget: &Budget) -> Result<Self> {
        let mut parts: Vec<Polyhedron> = Vec::new();
        for part in &self.parts {
            if !part.is_empty(budget)? {
                parts.push(part.simplify(budget)?);
            }
        }
        let mut k = 0;
        while k < parts.len() {
            let mut inside = false;
            for (j, other) in parts.iter().enumerate() {
                inside = inside || (j != k && lies_in(&parts[k], other, budget)?);
            }
            if inside {
                parts.remove(k);
            } else {
                k += 1;
            }
        }
        Ok(Self { space: self.space, parts })
    }

    /// Has the union no integer point, for any value of the parameters? Exact.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        for part in &self.parts {
            if !part.is_empty(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Is every point of `self` in `other`? Exact.
    ///
    /// # Errors
    /// Overflow, budget, space mismatch.
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        same_space(self.space, other.space)?;
        for part in &self.parts {
            if !Self::from(part.clone()).subtract(other, budget)?.parts.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Have both the same points? Exact, however they are written (`==` compares how).
    ///
    /// # Errors
    /// Overflow, budget, space mismatch.
    pub fn is_same_set(&self, other: &Self, budget: &Budget) -> Result<bool> {
        Ok(self.is_subset(other, budget)? && other.is_subset(self, budget)?)
    }

    /// `{ x | map(x) in self }`: see [`Polyhedron::preimage`].
    ///
    /// # Errors
    /// Overflow, space mismatch.
    pub fn preimage(&self, map: &[Affine], target: Space) -> Result<Self> {
        let parts = self.parts.iter().map(|p| p.preimage(map, target)).collect::<Result<_>>()?;
        Ok(Self { space: target, parts })
    }

    /// Drops the dimensions listed, part by part; `true` when every shadow is exact: see [`Polyhedron::project_out`].
    ///
    /// # Errors
    /// Overflow, budget, space mismatch.
    pub fn project_out(&self, drop: &[usize], budget: &Budget) -> Result<(Self, bool)> {
        let space = Polyhedron::universe(self.space).project_out(drop, budget)?.set.space();
        let mut exact = true;
        let mut parts = Vec::new();
        for part in &self.parts {
            let shadow = part.project_out(drop, budget)?;
            exact &= shadow.exact;
            parts.push(shadow.set);
        }
        Ok((Self { space, parts }, exact))
    }
}

impl Polyhedron {
    /// The points of `self` that are not in `other`, in parts without common points.
    ///
    /// # Errors
    /// Overflow, budget, space mismatch.
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Union> {
        Union::from(self.clone()).subtract(&other.clone().into(), budget)
    }
}

/// Does every point of `set` satisfy every row of `other`?
fn lies_in(set: &Polyhedron, other: &Polyhedron, budget: &Budget) -> Result<bool> {
    for row in other.constraints() {
        if !set.implies(row, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Appends the parts of `from - other` that are not empty; `from` is not empty.
fn subtract_one(from: Polyhedron, other: &Polyhedron, out: &mut Vec<Polyhedron>, budget: &Budget) -> Result<()> {
    if from.intersect(other).is_empty(budget)? {
        out.push(from);
        return Ok(());
    }
    // From here on there is a common point: the rest after all rows is never empty, and is dropped.
    let mut rest = from;
    for row in other.constraints() {
        if rest.implies(row, budget)? {
            continue;
        }
        let beyond = |sign: i64| Ok(Constraint::ge(row.expr.scale(sign)?.offset(-1)?));
        let sides: &[i64] = if row.kind == Kind::Eq { &[1, -1] } else { &[-1] };
        for &sign in sides {
            let part = rest.clone().with(beyond(sign)?);
            if !part.is_empty(budget)? {
                out.push(part);
            }
        }
        rest.add(row.clone());
    }
    Ok(())
}
