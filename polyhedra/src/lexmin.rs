//! The lexicographically first point of a set as a function of the parameters.
//!
//! **Problem.** For each value of the parameters `N`: has `{ i | (N, i) in S }` a first point, and which? In cases, each an affine form on a polyhedron of parameters.
//!
//! **Notation.** A lower bound of `x` is `x >= ceil(e / d)`. Where `d > 1` and `e` depends on parameters the answer is not affine; it becomes so with a new variable, a
//! *division* `q = floor(e' / d)`, that is `0 <= e' - d q <= d - 1`. Divisions are dimensions of the space of a [`Piece`]; the parameters determine them.
//!
//! **Method.** One dimension after the other. The set is projected on the parameters, the divisions so far and the first dimension `x` left. If that shadow
//! is exact, the least `x` is the largest of its lower bounds, and each bound takes a turn: `x` is replaced by it in all rows, which says that it satisfies all other bounds,
//! and bounds that had their turn are to be strictly less, so that pieces do not overlap. A shadow that is not exact would need its own
//! divisions inside; then the answer is [`Lexmin::NotAffine`], and [`Polyhedron::lexmin_at`] still answers for each value of the parameters.
//!
//! **Example.** `[n, m] -> { [i] : i >= n and i >= m and 2i >= 5 }`: `3` where `n, m <= 3`; `n` where `n >= m` and `n >= 4`; `m` where `m > n` and `m >= 4`.
//! `[n] -> { [i] : 2i >= n }`: `q` with `q = floor((n + 1) / 2)`.
//!
//! Paper: Paul Feautrier, *Parametric integer programming*, RAIRO 1988 (new parameters for divisions; there by cuts in a parametric dual simplex).

use crate::{Affine, Budget, Constraint, Error, Kind, Optimum, Polyhedron, Result, Space};

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
        let space = Space::new(self.space().params, 0);
        let mut search = Search { out: Vec::new(), budget };
        let start = State { set: self.clone(), space, divisions: Vec::new(), decided: Vec::new() };
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
    /// Over the parameters, the divisions, and the dimensions that are left.
    set: Polyhedron,
    /// The parameters and the divisions.
    space: Space,
    divisions: Vec<Division>,
    /// Forms over `space` of the dimensions that are done.
    decided: Vec<Affine>,
}

struct Search<'a> {
    out: Vec<Piece>,
    budget: &'a Budget,
}

impl Search<'_> {
    /// `false`: not in this form.
    fn run(&mut self, state: State) -> Result<bool> {
        self.budget.spend(1)?;
        if state.set.is_empty(self.budget)? {
            return Ok(true);
        }
        let own = state.space.dims;
        let left = state.set.space().dims - own;
        if left == 0 {
            let domain = state.set.simplify(self.budget)?;
            self.out.push(Piece { divisions: state.divisions, domain, first: First::Point(state.decided) });
            return Ok(true);
        }
        let set = state.set.simplify(self.budget)?;
        let inner: Vec<usize> = (own + 1..own + left).collect();
        let shadow = set.project_out(&inner, self.budget)?;
        if !shadow.exact {
            return Ok(false);
        }
        let shadow = shadow.set.simplify(self.budget)?;
        let lower = shadow.bounds_of(own)?.lower;
        if lower.is_empty() {
            let domain = shadow.project_out(&[own], self.budget)?;
            let domain_set = domain.set.simplify(self.budget)?;
            self.out.push(Piece { divisions: state.divisions, domain: domain_set, first: First::Unbounded });
            return Ok(domain.exact);
        }
        for (k, bound) in lower.iter().enumerate() {
            // Bounds before this one are strictly less: e <= d (x - 1).
            let x = Affine::dim(shadow.space(), own);
            let mut here = set.clone();
            let wide: Vec<usize> = (0..=own).collect();
            for before in &lower[..k] {
                let row = x.offset(-1)?.scale(before.div)?.sub(&before.expr)?;
                here.add(Constraint::ge(row.embed(set.space(), &wide)));
            }
            let next = state.replaced(&here, &bound.expr, bound.div)?;
            if !self.run(next)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl State {
    /// The first dimension left becomes `ceil(expr / div)`. `expr` lives over the parameters, the divisions and that dimension, which it does not mention.
    fn replaced(&self, set: &Polyhedron, expr: &Affine, div: i64) -> Result<Self> {
        let own = self.space.dims;
        let left = set.space().dims - own - 1;
        let fresh = usize::from(div > 1);
        let space = Space::new(self.space.params, own + fresh);
        let target = Space::new(space.params, space.dims + left);
        let mut divisions = self.divisions.clone();
        // The bound in the new space: its last dimension, if that is a division, or the form itself, without its last column, which is 0.
        let narrow = |e: &Affine, to: Space| {
            let mut coeffs = e.coeffs()[..=e.space().params + own].to_vec();
            coeffs.resize(to.columns(), 0);
            Affine::from_coeffs(to, coeffs)
        };
        let mut set_rows = Vec::new();
        let value = if fresh == 1 {
            let numerator = expr.offset(div.checked_sub(1).ok_or(Error::Overflow)?)?;
            let q = Affine::dim(target, own);
            let rest = narrow(&numerator, target).combine(1, &q, div.checked_neg().ok_or(Error::Overflow)?)?;
            set_rows.push(Constraint { kind: Kind::Ge, expr: rest.scale(-1)?.offset(div - 1)? });
            set_rows.push(Constraint { kind: Kind::Ge, expr: rest });
            divisions.push(Division { numerator: narrow(&numerator, self.space), div });
            Affine::dim(space, own)
        } else {
            narrow(expr, space)
        };
        let dims = |from: usize, to: usize| (from..to).map(|d| Affine::dim(target, d));
        let places: Vec<usize> = (0..space.dims).collect();
        let map: Vec<Affine> =
            dims(0, own).chain([value.embed(target, &places)]).chain(dims(space.dims, target.dims)).collect();
        let mut out = set.preimage(&map, target)?;
        set_rows.into_iter().for_each(|row| out.add(row));
        let keep: Vec<usize> = (0..own).collect();
        let mut decided: Vec<Affine> = self.decided.iter().map(|e| e.embed(space, &keep)).collect();
        decided.push(value);
        Ok(Self { set: out, space, divisions, decided })
    }
}
