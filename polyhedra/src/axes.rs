//! Other axes: changes of axes, and loop bounds in any of them.
//!
//! **Problem.** A set `{ [i] in Z^d }` is to be visited by loops along other axes `y = T i + U N + c`, `T` unimodular: another order of the loops, or
//! `k = j - i` outside. For each loop: its bounds in terms of the loops outside it and the parameters.
//!
//! **Method.** Each integer point has exactly one image and back, since `T` is unimodular: `i = T^-1 (y - U N - c)`. That, put into the rows, is the set in the new
//! axes. The bounds of the innermost axis are read off the rows; then it is projected out, and so on outwards. A shadow may be too large (module `project`):
//! then some loops inside run empty, but the innermost bounds hold all rows, so that exactly the points of the set are visited all the same.
//! Rows that the loops outside already say are left out of the bounds ([`Polyhedron::gist`]).
//!
//! **Example.** `0 <= i < 9 and i <= j < 7 and j < i + 4`: with `j` outside `0 <= j <= 6, max(0, j - 3) <= i <= j`; with `k = j - i` outside
//! `0 <= k <= 3, k <= j <= 6`.
//!
//! Papers: Ancourt, Irigoin, *Scanning polyhedra with DO loops*, PPoPP 1991; Banerjee, *Unimodular transformations of double loops*, 1991.

use crate::{Affine, Bounds, Budget, Error, Matrix, Polyhedron, Result, Space};

/// A unimodular affine change of axes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axes {
    forward: Vec<Affine>,
    backward: Vec<Affine>,
}

impl Axes {
    /// The new axes as forms over the old space, outermost first. `None` when their linear part is not unimodular.
    ///
    /// # Errors
    /// Overflow, space mismatch (not as many forms as dimensions, or in another space).
    pub fn new(space: Space, forward: Vec<Affine>) -> Result<Option<Self>> {
        if forward.len() != space.dims || forward.iter().any(|e| e.space() != space) {
            return Err(Error::SpaceMismatch(format!("{} axes of {space:?}", forward.len())));
        }
        let linear = Matrix::new(forward.iter().map(|e| e.dim_coeffs().to_vec()).collect(), space.dims);
        let Some(inverse) = linear.unimodular_inverse()? else { return Ok(None) };
        // i = T^-1 (y - rest), rest = what the axes say beyond T i.
        let rest = forward.iter().enumerate().map(|(d, e)| {
            let mut shift = e.scale(-1)?;
            (0..space.dims).for_each(|k| shift.set_dim(k, i64::from(k == d)));
            Ok(shift)
        });
        let rest = rest.collect::<Result<Vec<_>>>()?;
        let backward = inverse.rows().iter().map(|row| {
            let coeffs = [&vec![0; 1 + space.params], &row[..]].concat();
            Affine::from_coeffs(space, coeffs).compose(&rest, space)
        });
        let backward = backward.collect::<Result<_>>()?;
        Ok(Some(Self { forward, backward }))
    }

    /// The old dimensions in another order: axis `k` is dimension `order[k]`.
    ///
    /// # Errors
    /// Space mismatch (not a permutation).
    pub fn order(space: Space, order: &[usize]) -> Result<Self> {
        let refused = || Error::SpaceMismatch(format!("{order:?} is no order of the dimensions of {space:?}"));
        if order.iter().any(|&d| d >= space.dims) {
            return Err(refused());
        }
        let forward = order.iter().map(|&d| Affine::dim(space, d)).collect();
        Self::new(space, forward)?.ok_or_else(refused)
    }

    /// The new axes over the old dimensions.
    #[must_use]
    pub fn forward(&self) -> &[Affine] {
        &self.forward
    }

    /// The old dimensions over the new axes.
    #[must_use]
    pub fn backward(&self) -> &[Affine] {
        &self.backward
    }
}

/// Loops that visit exactly the integer points of a set, in lexicographic order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopNest {
    /// Rows without dimensions: where they fail, there is nothing to visit.
    pub guard: Polyhedron,
    /// Bounds of each loop, outermost first: they mention parameters and loops outside it only. An empty side has no bound.
    pub bounds: Vec<Bounds>,
    /// Does every iteration of the loop (inside the guard, for the outermost) visit some point?
    pub exact: Vec<bool>,
}

impl Polyhedron {
    /// The set in other axes: `{ y | i(y) in self }`.
    ///
    /// # Errors
    /// Overflow, space mismatch.
    pub fn in_axes(&self, axes: &Axes) -> Result<Self> {
        self.preimage(&axes.backward, self.space())
    }

    /// Loops along the dimensions in their order; for other orders and axes see [`Self::in_axes`].
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn loop_nest(&self, budget: &Budget) -> Result<LoopNest> {
        let space = self.space();
        let mut inner = self.simplify(budget)?;
        let (mut bounds, mut exact, mut all_exact) = (Vec::new(), Vec::new(), true);
        for d in (0..space.dims).rev() {
            exact.push(all_exact);
            let shadow = inner.project_out(&[d], budget)?;
            all_exact &= shadow.exact;
            let outer = shadow.set.simplify(budget)?;
            let places: Vec<usize> = (0..d).collect();
            let own = inner.gist(&outer.embed(inner.space(), &places), budget)?;
            let mut here = own.bounds_of(d)?;
            for bound in here.lower.iter_mut().chain(&mut here.upper) {
                bound.expr = bound.expr.embed(space, &(0..=d).collect::<Vec<_>>());
            }
            bounds.push(here);
            inner = outer;
        }
        bounds.reverse();
        exact.reverse();
        Ok(LoopNest { guard: inner, bounds, exact })
    }
}

impl LoopNest {
    /// Runs the loops. A step of the budget for each iteration of each loop.
    ///
    /// # Errors
    /// Overflow; budget, also for a loop without bounds.
    pub fn points(&self, params: &[i64], budget: &Budget) -> Result<Vec<Vec<i64>>> {
        let mut out = Vec::new();
        if self.guard.contains(params, &[])? {
            self.visit(params, &mut vec![0; self.bounds.len()], 0, &mut out, budget)?;
        }
        Ok(out)
    }

    fn visit(
        &self,
        params: &[i64],
        point: &mut Vec<i64>,
        depth: usize,
        out: &mut Vec<Vec<i64>>,
        budget: &Budget,
    ) -> Result<()> {
        let Some(bounds) = self.bounds.get(depth) else {
            out.push(point.clone());
            return Ok(());
        };
        let (mut low, mut high) = (None, None);
        for b in &bounds.lower {
            let v = b.expr.eval(params, point)?;
            let up = v.div_euclid(b.div) + i64::from(v.rem_euclid(b.div) != 0);
            low = low.max(Some(up));
        }
        for b in &bounds.upper {
            let v = b.expr.eval(params, point)?.div_euclid(b.div);
            high = Some(high.map_or(v, |h: i64| h.min(v)));
        }
        let (Some(low), Some(high)) = (low, high) else { return Err(Error::Budget) };
        for v in low..=high {
            budget.spend(1)?;
            point[depth] = v;
            self.visit(params, point, depth + 1, out, budget)?;
        }
        point[depth] = 0;
        Ok(())
    }
}
