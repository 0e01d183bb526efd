//! The lexicographically first point of a set as a function of the parameters.
//!
//! **Problem.** For each value of the parameters `N`: has `{ i | (N, i) in S }` a first point, and which? In cases, each an affine form on a polyhedron of parameters.
//!
//! **Notation.** A lower bound of `x` is `x >= ceil(e / d)`. Where `d > 1` and `e` depends on parameters the answer is not affine; it becomes so with a new variable, a
//! *division* `q = floor(e' / d)`, that is `0 <= e' - d q <= d - 1`. Divisions are dimensions of the space of a [`Piece`]; the parameters determine them.
//!
//! **Method.** Equalities go first: they leave fewer axes, with divisions where they have solutions for some parameters only, in the same lexicographic order
//! (`State::solved`). Then one axis after the other. The set is projected on the parameters, the divisions so far and the first axis `x` left. If that shadow
//! is exact, the least `x` is the largest of its lower bounds, and each bound takes a turn: `x` is replaced by it in all rows, which says that it satisfies all other bounds,
//! and bounds that had their turn are to be strictly less, so that pieces do not overlap. A shadow that is not exact would need its own
//! divisions inside; then the answer is [`Lexmin::NotAffine`], and [`Polyhedron::lexmin_at`] still answers for each value of the parameters.
//!
//! **Example.** `[n, m] -> { [i] : i >= n and i >= m and 2i >= 5 }`: `3` where `n, m <= 3`; `n` where `n >= m` and `n >= 4`; `m` where `m > n` and `m >= 4`.
//! `[n] -> { [i] : 2i >= n }`: `q` with `q = floor((n + 1) / 2)`.
//!
//! Paper: Paul Feautrier, *Parametric integer programming*, RAIRO 1988 (new parameters for divisions; there by cuts in a parametric dual simplex).

use crate::{Affine, Budget, Constraint, Error, Kind, Matrix, Optimum, Polyhedron, Result, Space};

/// `floor(numerator / div)`, `div >= 2`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Division {
    /// Over the parameters and the divisions before this one.
    pub numerator: Affine,
    /// Divisor.
    pub div: i64,
}

/// What a set's first point is in one case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum First {
    /// The first point: for each dimension a form over the space of the piece.
    Point(Vec<Affine>),
    /// There are points, but no first one.
    Unbounded,
}

/// One case. Its space has the set's parameters, and a dimension for each division.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Definitions of the space's dimensions, in order.
    pub divisions: Vec<Division>,
    /// Where the case holds. Implies the definitions of the divisions.
    pub domain: Polyhedron,
    /// What holds there.
    pub first: First,
}

/// The first point of a set in cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lexmin {
    /// Domains do not overlap. For parameters in no domain the set has no point.
    Pieces(Vec<Piece>),
    /// Not in this form: a shadow needs existential variables.
    NotAffine,
}

impl Polyhedron {
    /// The lexicographically least point as a function of the parameters.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn lexmin(&self, budget: &Budget) -> Result<Lexmin> {
        let space = self.space();
        let original = (0..space.dims).map(|d| Affine::dim(space, d)).collect();
        let mut search = Search { out: Vec::new(), budget };
        let start = State { set: self.clone(), divisions: Vec::new(), original };
        Ok(if search.run(start)? { Lexmin::Pieces(search.out) } else { Lexmin::NotAffine })
    }

    /// The lexicographically largest point as a function of the parameters.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn lexmax(&self, budget: &Budget) -> Result<Lexmin> {
        let space = self.space();
        let turned = (0..space.dims).map(|d| Affine::dim(space, d).scale(-1)).collect::<Result<Vec<_>>>()?;
        let mut answer = self.preimage(&turned, space)?.lexmin(budget)?;
        if let Lexmin::Pieces(pieces) = &mut answer {
            for piece in pieces {
                if let First::Point(point) = &mut piece.first {
                    *point = point.iter().map(|e| e.scale(-1)).collect::<Result<_>>()?;
                }
            }
        }
        Ok(answer)
    }
}

impl Lexmin {
    /// The answer for given parameters; `None` when there is none in this form.
    ///
    /// # Errors
    /// Overflow.
    pub fn at(&self, params: &[i64]) -> Result<Option<Optimum<Vec<i64>>>> {
        let Self::Pieces(pieces) = self else { return Ok(None) };
        for piece in pieces {
            let mut values = Vec::with_capacity(piece.divisions.len());
            for division in &piece.divisions {
                values.push(division.numerator.eval(params, &values)?.div_euclid(division.div));
            }
            if piece.domain.contains(params, &values)? {
                return Ok(Some(match &piece.first {
                    First::Unbounded => Optimum::Unbounded,
                    First::Point(point) => {
                        Optimum::Bounded(point.iter().map(|e| e.eval(params, &values)).collect::<Result<_>>()?)
                    }
                }));
            }
        }
        Ok(Some(Optimum::Empty))
    }
}

/// A case in the making.
struct State {
    /// Over the parameters, the divisions, and the axes that are left.
    set: Polyhedron,
    divisions: Vec<Division>,
    /// The set's dimensions over the space of `set`. Their lexicographic order is that of the axes left.
    original: Vec<Affine>,
}

struct Search<'a> {
    out: Vec<Piece>,
    budget: &'a Budget,
}

impl Search<'_> {
    /// `false`: not in this form.
    fn run(&mut self, mut state: State) -> Result<bool> {
        self.budget.spend(1)?;
        if state.set.is_empty(self.budget)? {
            return Ok(true);
        }
        state.set = state.set.simplify(self.budget)?;
        let own = state.divisions.len();
        let left = state.set.space().dims - own;
        if left == 0 {
            let State { set, divisions, original } = state;
            self.out.push(Piece { divisions, domain: set, first: First::Point(original) });
            return Ok(true);
        }
        if let Some(solved) = state.solved()? {
            return self.run(solved);
        }
        let inner: Vec<usize> = (own + 1..own + left).collect();
        let shadow = state.set.project_out(&inner, self.budget)?;
        if !shadow.exact {
            return Ok(false);
        }
        let shadow = shadow.set.simplify(self.budget)?;
        let lower = shadow.bounds_of(own)?.lower;
        if lower.is_empty() {
            let domain = shadow.project_out(&[own], self.budget)?;
            let simple = domain.set.simplify(self.budget)?;
            self.out.push(Piece { divisions: state.divisions, domain: simple, first: First::Unbounded });
            return Ok(domain.exact);
        }
        for (k, bound) in lower.iter().enumerate() {
            // Bounds before this one are strictly less: e <= d (x - 1).
            let x = Affine::dim(shadow.space(), own);
            let mut here = state.set.clone();
            let wide: Vec<usize> = (0..=own).collect();
            for before in &lower[..k] {
                let row = x.offset(-1)?.scale(before.div)?.sub(&before.expr)?;
                here.add(Constraint::ge(row.embed(here.space(), &wide)));
            }
            if !self.run(state.replaced(here, &bound.expr, bound.div)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// `form`, which mentions the first `dims` dimensions at most, in another space with at least these.
fn moved(form: &Affine, dims: usize, to: Space) -> Affine {
    let mut coeffs = form.coeffs()[..=form.space().params + dims].to_vec();
    coeffs.resize(to.columns(), 0);
    Affine::from_coeffs(to, coeffs)
}

impl State {
    /// The first axis left becomes `ceil(expr / div)`; `expr` mentions parameters and divisions only.
    fn replaced(&self, set: Polyhedron, expr: &Affine, div: i64) -> Result<Self> {
        let own = self.divisions.len();
        let left = set.space().dims - own - 1;
        let fresh = usize::from(div > 1);
        let target = Space::new(set.space().params, own + fresh + left);
        let mut next = Change { state: self, divisions: self.divisions.clone(), rows: Vec::new(), target };
        let numerator = moved(&expr.offset(div.checked_sub(1).ok_or(Error::Overflow)?)?, own, target);
        let value = if fresh == 1 { next.divided(&numerator, div, false)? } else { numerator };
        let axes = (own + fresh..target.dims).map(|d| Affine::dim(target, d));
        next.finish(&set, [value].into_iter().chain(axes))
    }

    /// Without the equalities that mention axes left: other axes, fewer, whose lexicographic order is the same. `None` when there are no such equalities.
    ///
    /// With `E i = r(N)` and the column Hermite form `E U = [H 0]`, `y = U^-1 i`, the first entries of `y` are determined by forward substitution, with a division for
    /// each pivot that is not 1; the others are free: `i = U_1 y_1 + U_2 y_2`. The column echelon form `U_2 V` has positive pivots in later and later rows, so
    /// that `z = V^-1 y_2` orders the points as `i` does.
    fn solved(&self) -> Result<Option<Self>> {
        let space = self.set.space();
        let own = self.divisions.len();
        let left = space.dims - own;
        let axes = |c: &Constraint| c.expr.dim_coeffs()[own..].to_vec();
        let mentions = |c: &&Constraint| c.kind == Kind::Eq && axes(c).iter().any(|&a| a != 0);
        let equalities: Vec<&Constraint> = self.set.constraints().iter().filter(mentions).collect();
        let known = equalities.len();
        if known == 0 {
            return Ok(None);
        }
        // The set is simplified: each equality is solved for another axis, so that the rows are independent and H has its pivots on the diagonal.
        let (h, u) = Matrix::new(equalities.iter().map(|c| axes(c)).collect(), left).hermite()?;
        let pivot = |k: usize| h.rows()[k][k];
        let fresh = (0..known).filter(|&k| pivot(k) > 1).count();
        let target = Space::new(space.params, own + fresh + left - known);
        let mut next = Change { state: self, divisions: self.divisions.clone(), rows: Vec::new(), target };
        let mut y: Vec<Affine> = Vec::with_capacity(known);
        for (k, row) in equalities.iter().enumerate() {
            let mut rest = moved(&row.expr, own, target);
            for (value, &factor) in y.iter().zip(&h.rows()[k]) {
                rest = rest.combine(1, value, factor)?;
            }
            let numerator = rest.scale(-1)?;
            y.push(if pivot(k) == 1 { numerator } else { next.divided(&numerator, pivot(k), true)? });
        }
        let free = Matrix::new(u.rows().iter().map(|r| r[known..].to_vec()).collect(), left - known).hermite()?.0;
        let axis = |d: usize| {
            let columns = y.iter().cloned().chain((own + fresh..target.dims).map(|z| Affine::dim(target, z)));
            let factors = u.rows()[d][..known].iter().chain(&free.rows()[d]);
            columns.zip(factors).try_fold(Affine::zero(target), |sum, (form, &c)| sum.combine(1, &form, c))
        };
        let axes = (0..left).map(axis).collect::<Result<Vec<_>>>()?;
        next.finish(&self.set, axes).map(Some)
    }
}

/// A change to other axes and more divisions.
struct Change<'a> {
    state: &'a State,
    divisions: Vec<Division>,
    rows: Vec<Constraint>,
    target: Space,
}

impl Change<'_> {
    /// A new division `floor(numerator / div)`, as a form; `whole`: there is no remainder.
    fn divided(&mut self, numerator: &Affine, div: i64, whole: bool) -> Result<Affine> {
        let place = self.divisions.len();
        let q = Affine::dim(self.target, place);
        let rest = numerator.combine(1, &q, div.checked_neg().ok_or(Error::Overflow)?)?;
        if whole {
            self.rows.push(Constraint::eq(rest));
        } else {
            self.rows.push(Constraint::ge(rest.scale(-1)?.offset(div - 1)?));
            self.rows.push(Constraint::ge(rest));
        }
        let before = Space::new(self.target.params, place);
        self.divisions.push(Division { numerator: moved(numerator, place, before), div });
        Ok(q)
    }

    /// The set, with the axes that were left as forms over the new space.
    fn finish(self, set: &Polyhedron, axes: impl IntoIterator<Item = Affine>) -> Result<State> {
        let kept = (0..self.state.divisions.len()).map(|d| Affine::dim(self.target, d));
        let map: Vec<Affine> = kept.chain(axes).collect();
        let mut out = set.preimage(&map, self.target)?;
        self.rows.into_iter().for_each(|row| out.add(row));
        let original = self.state.original.iter().map(|e| e.compose(&map, self.target)).collect::<Result<_>>()?;
        Ok(State { set: out, divisions: self.divisions, original })
    }
}
