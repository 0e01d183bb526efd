//! How long loops run, in the mean.
//!
//! **Problem.** A model in cycles needs numbers of iterations; domains have parameters and are triangles as often as boxes.
//!
//! **Method.** Parameters get a value: a [`typical_size`], moved into the range that the context allows; less, where statements would never run (the radius `r` of a filter over `2 r <= i < n`). The domain is rewritten in the loops' variables `t`
//! (the iterators are the inverse of the rows), and projected from the inside out; then the mean extent of loop `l` is the volume of the shadow on `l` loops
//! divided by that on `l - 1`, integrated with three Gauss points a loop. So the number of instances does not depend on the order of the loops, and a triangle
//! counts half of its box. A loop that is short for these values
//! but not for others (`w` to `n`) counts a typical size too.
//!
//! Everything is deterministic: sums and products in a fixed order, no transcendental functions.

use super::memory::gcd;
use super::window::{TYPICAL_WINDOW, is_padded, window_sizes};
use crate::Result;
use crate::scop::{Scop, Statement, StatementId};
use polyhedra::{Affine, Bounds, Budget, Constraint, DivBound, Kind, Matrix, Optimum, Polyhedron, Space};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a parameter is taken for, and a loop of unknown length: arrays of all ranks then have some megabytes.
#[must_use]
pub fn typical_size(scop: &Scop) -> i64 {
    match scop.arrays.iter().map(|a| a.rank).max() {
        None | Some(0..=2) => 1000,
        Some(3) => 160,
        Some(_) => 48,
    }
}

/// Nodes on `[-1/2, 1/2]` and weights of Gauss's rule with three points.
const GAUSS: [(f64, f64); 3] =
    [(-0.387_298_334_620_741_7, 5.0 / 18.0), (0.0, 8.0 / 18.0), (0.387_298_334_620_741_7, 5.0 / 18.0)];

/// Loops that are shorter in the mean are looked at with other parameters.
const SHORT: f64 = 2.0;

/// What sums of products of fractions may be off by.
const ROUNDING: f64 = 1e-6;

/// Parameters for which a statement never runs are taken for this part of what they were, at most so often.
const SMALLER: i64 = 32;
const MOST_OFTEN: usize = 2;

/// Bounds that differ by less count alike.
const NEARLY: f64 = 1.0;

/// Deeper nests are sampled at midpoints only, so that their price stays linear.
const MOST_SAMPLED: usize = 5;

/// A statement's domain in the variables of its loops.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// Mean number of iterations of each loop, for an iteration of the loops outside.
    pub extents: Vec<f64>,
    /// The same where windows are as small as most (`cost::window`).
    pub least: Vec<f64>,
    /// The first value of each loop, in the middle of the loops outside.
    pub firsts: Vec<f64>,
    /// What of the first value of each loop no parameter decides: from where loops are counted.
    pub counted_from: Vec<i64>,
    /// Loops outside of each that move it from block to block, each with how far: blocks that do not overlap, as of `t` with `8 t <= i <= 8 t + 7`.
    pub blocks: Vec<Vec<(usize, i64)>>,
    /// The number of iterations where it is one constant.
    pub exact: Vec<Option<i64>>,
    /// Are the bounds of each one number above and one below, which no parameter moves?
    pub plain: Vec<bool>,
    /// Do the bounds of each loop depend on loops outside?
    pub slanted: Vec<bool>,
    /// The loops outside on which they depend.
    pub leans_on: Vec<Vec<usize>>,
    /// The loops outside that move both ends of each, in the middle, where windows are small: the loop walks one.
    pub follows: Vec<Vec<usize>>,
    /// `{ Time[t] -> Element[e] }` for every access, its subscripts in the loops' variables.
    pub subscripts: Vec<Vec<Affine>>,
    /// The iterators that conditions on data depend on, likewise.
    pub decided_by: Vec<Affine>,
    /// The same of those that pass loops by.
    pub skipped_by: Vec<Affine>,
    /// For each row that was given: the loop it stands for; `None` where the rows before it determine it (one iteration).
    pub loops: Vec<Option<usize>>,
}

impl Shape {
    /// Number of instances.
    #[must_use]
    pub fn instances(&self) -> f64 {
        self.extents.iter().product()
    }
}

/// So many times as many instances as a piece along the border has the one inside.
const BORDER: f64 = 16.0;

/// Shapes by statement and rows.
type Known = BTreeMap<(StatementId, Vec<Affine>), Option<Rc<Shape>>>;

/// Shapes of the statements of a part, remembered by their rows.
#[derive(Debug)]
pub struct Shapes<'a> {
    scop: &'a Scop,
    budget: &'a Budget,
    size: i64,
    /// What each parameter is taken for.
    pub params: Vec<i64>,
    /// The sizes of windows among them.
    windows: BTreeSet<usize>,
    known: RefCell<Known>,
}

impl<'a> Shapes<'a> {
    /// Takes parameters for `size`, or the nearest value that the context allows.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn new(scop: &'a Scop, size: i64, budget: &'a Budget) -> Result<Self> {
        let space = Space::new(scop.params.len(), 0);
        let mut params = Vec::with_capacity(scop.params.len());
        for p in 0..scop.params.len() {
            let mut value = size;
            if let Some(context) = &scop.context {
                let form = Affine::param(space, p);
                if let Optimum::Bounded(most) = context.minimum(&form.scale(-1)?, budget)? {
                    value = value.min(i64::try_from(-most.ceil().to_integer()).unwrap_or(value));
                }
                if let Optimum::Bounded(least) = context.minimum(&form, budget)? {
                    value = value.max(i64::try_from(least.ceil().to_integer()).unwrap_or(value));
                }
            }
            params.push(value);
        }
        for &p in &scop.computed {
            params[p] = beside_others(scop, &params, p)?;
        }
        let windows = window_sizes(scop);
        let mut shapes = Self { scop, budget, size, params, windows, known: RefCell::default() };
        for _ in 0..MOST_OFTEN {
            if !shapes.make_smaller()? {
                break;
            }
        }
        Ok(shapes)
    }

    /// Is the sum of a statement over a window that only the ends of the domain cut off (`cost::window`)?
    #[must_use]
    pub fn is_padded(&self, id: StatementId) -> bool {
        self.scop.statements.get(id.0).is_some_and(|statement| is_padded(statement, &self.windows))
    }

    /// What parameters of unknown size are taken for.
    #[must_use]
    pub fn size(&self) -> i64 {
        self.size
    }

    /// Is a statement a piece that lies along the border, where windows are small: has another piece of the same store many more instances?
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn is_border(&self, id: StatementId) -> Result<bool> {
        let is_piece = |s: &Statement| s.sought.reads > 0;
        let Some(own) = self.scop.statements.get(id.0).filter(|s| is_piece(s) && !self.windows.is_empty()) else {
            return Ok(false);
        };
        let params = self.with_small_windows().params;
        let instances = |s: &Statement| -> Result<f64> {
            Ok(mean_extents(&self.bounds(&self.bind(&s.domain, &params)?)?, 1.0).into_iter().product())
        };
        let few = instances(own)? * BORDER;
        let is_beside =
            |s: &&Statement| is_piece(s) && s.write().array == own.write().array && s.depth() == own.depth();
        for other in self.scop.statements.iter().filter(is_beside) {
            if instances(other)? > few {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same where the sizes of windows are small.
    #[must_use]
    pub fn with_small_windows(&self) -> Self {
        let small = |shapes: Self, &p: &usize| shapes.with_param(p, shapes.params[p].min(TYPICAL_WINDOW));
        self.windows.iter().fold(self.with_params(self.params.clone()), small)
    }

    /// The same where one parameter is this.
    #[must_use]
    pub fn with_param(&self, p: usize, value: i64) -> Self {
        let mut params = self.params.clone();
        params[p] = value;
        self.with_params(params)
    }

    fn with_params(&self, params: Vec<i64>) -> Self {
        let windows = self.windows.clone();
        Self { scop: self.scop, budget: self.budget, size: self.size, params, windows, known: RefCell::default() }
    }

    /// Makes those parameters smaller for which statements do not run that would for smaller ones. Are there any?
    fn make_smaller(&mut self) -> Result<bool> {
        let mut large = BTreeSet::new();
        // One alone is no part of another.
        if self.params.len() > 1 {
            for s in &self.scop.statements {
                if !self.bind(&s.domain, &self.params)?.is_empty(self.budget)? {
                    continue;
                }
                let dims: Vec<usize> = (0..s.depth()).collect();
                for row in s.domain.project_out(&dims, self.budget)?.set.constraints() {
                    // Where little is missing, as from `n` to `m`, loops are as long as others; and what runs for no size that is typical (`n <= 0`) says nothing.
                    let much = row.expr.eval(&self.params, &[])? < -self.size / 2;
                    if much && row.expr.param_coeffs().iter().any(|&c| c > 0) {
                        large.extend((0..self.params.len()).filter(|&p| row.expr.param_coeff(p) < 0));
                    }
                }
            }
        }
        let mut is_any = false;
        for p in large {
            let mut least = 1;
            if let Some(context) = &self.scop.context {
                let form = Affine::param(Space::new(self.params.len(), 0), p);
                if let Optimum::Bounded(value) = context.minimum(&form, self.budget)? {
                    least = i64::try_from(value.ceil().to_integer()).unwrap_or(least).max(least);
                }
            }
            let value = (self.params[p] / SMALLER).max(least);
            is_any |= value < self.params[p];
            self.params[p] = self.params[p].min(value);
        }
        Ok(is_any)
    }

    /// The shape of a statement under loops with these rows. `None`: the independent rows are no unimodular change.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn of(&self, id: StatementId, rows: &[Affine]) -> Result<Option<Rc<Shape>>> {
        let key = (id, rows.to_vec());
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let Some(statement) = self.scop.statements.get(id.0) else {
            return Err(crate::Error::Malformed("unknown statement".into()));
        };
        let shape = self.compute(statement, rows)?.map(Rc::new);
        self.known.borrow_mut().insert(key, shape.clone());
        Ok(shape)
    }

    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn compute(&self, statement: &Statement, rows: &[Affine]) -> Result<Option<Shape>> {
        let space = statement.space();
        let depth = space.dims;
        let mut independent: Vec<Vec<i64>> = Vec::with_capacity(depth);
        let mut loops = Vec::with_capacity(rows.len());
        let mut chosen = Vec::with_capacity(depth);
        for row in rows {
            let mut tried = independent.clone();
            tried.push(row.dim_coeffs().to_vec());
            let new = tried.len() <= depth && Matrix::new(tried.clone(), depth).rank()? == tried.len();
            loops.push(new.then_some(independent.len()));
            if new {
                independent = tried;
                chosen.push(row);
            }
        }
        if independent.len() != depth {
            return Ok(None);
        }
        let matrix = Matrix::new(independent, depth);
        let Some(inverse) = matrix.unimodular_inverse()? else { return Ok(None) };
        // i = M^-1 (t - c(N))
        let mut iterators = Vec::with_capacity(depth);
        for inverse_row in inverse.rows() {
            let mut e = Affine::zero(space);
            for (l, (&c, row)) in inverse_row.iter().zip(&chosen).enumerate() {
                let mut offset = (*row).clone();
                for d in 0..depth {
                    offset.set_dim(d, 0);
                }
                e = e.combine(1, &offset, c.checked_neg().ok_or(polyhedra::Error::Overflow)?)?;
                e.set_dim(l, c);
            }
            iterators.push(e);
        }
        let domain = statement.domain.preimage(&iterators, space)?;
        let symbolic = statement.domain.constraints().iter().any(|c| c.expr.param_coeffs().iter().any(|&a| a != 0));
        let bounds = self.bounds(&self.bind(&domain, &self.params)?)?;
        let unknown = self.size as f64;
        let mut extents = mean_extents(&bounds, unknown);
        let is_short = |e: f64| e < SHORT - ROUNDING;
        if symbolic && extents.iter().any(|&e| is_short(e)) {
            // Short for these parameters, as `n - w` is for `n = w`. For others too?
            let count = i64::try_from(self.params.len()).unwrap_or(0);
            for upwards in [true, false] {
                let factor = |p: i64| if upwards { p + 2 } else { count - p + 1 };
                let params: Vec<i64> = self.params.iter().zip(0..).map(|(v, p)| v.saturating_mul(factor(p))).collect();
                let others = mean_extents(&self.bounds(&self.bind(&domain, &params)?)?, unknown);
                for (e, other) in extents.iter_mut().zip(others) {
                    if is_short(*e) && !is_short(other) {
                        *e = unknown;
                    }
                }
            }
        }
        let firsts = firsts(&bounds);
        let blocks = bounds.iter().zip(&extents).map(|(b, &extent)| blocks(b, extent)).collect();
        let open = bound_by_params(&domain);
        let exact = bounds.iter().zip(&open).map(|(b, open)| if *open { None } else { constant_extent(b) });
        let exact = exact.collect();
        let is_plain = |(b, open): (&Bounds, &bool)| !open && b.lower.len() == 1 && b.upper.len() == 1;
        let plain = bounds.iter().zip(&open).map(is_plain).collect();
        let depends = |b: &Bounds, on: usize| {
            b.lower.iter().chain(&b.upper).any(|e| e.expr.dim_coeffs().get(on).is_some_and(|&c| c != 0))
        };
        let leans_on: Vec<Vec<usize>> =
            bounds.iter().enumerate().map(|(k, b)| (0..k).filter(|&on| depends(b, on)).collect()).collect();
        let slanted = leans_on.iter().map(|on| !on.is_empty()).collect();
        let subscripts = statement
            .accesses
            .iter()
            .map(|a| a.subscripts.iter().map(|e| Ok(e.compose(&iterators, space)?)).collect::<Result<_>>())
            .collect::<Result<_>>()?;
        let of = |all: &BTreeSet<usize>| all.iter().filter_map(|&k| iterators.get(k).cloned()).collect();
        let (decided_by, skipped_by) = (of(&statement.decided_by), of(&statement.skipped_by));
        let (mut least, mut walked) = (extents.clone(), follows(&bounds));
        if !self.windows.is_empty() {
            let small = |(p, &v): (usize, &i64)| if self.windows.contains(&p) { v.min(TYPICAL_WINDOW) } else { v };
            let params: Vec<i64> = self.params.iter().enumerate().map(small).collect();
            let bounds = self.bounds(&self.bind(&domain, &params)?)?;
            (least, walked) = (mean_extents(&bounds, unknown), follows(&bounds));
        }
        Ok(Some(Shape {
            extents,
            least,
            firsts,
            counted_from: counted_from(&domain),
            blocks,
            exact,
            plain,
            slanted,
            leans_on,
            follows: walked,
            subscripts,
            decided_by,
            skipped_by,
            loops,
        }))
    }

    /// The set for these parameters.
    fn bind(&self, set: &Polyhedron, params: &[i64]) -> Result<Polyhedron> {
        let space = Space::new(0, set.space().dims);
        let mut rows = Vec::with_capacity(set.constraints().len());
        for c in set.constraints() {
            let mut coeffs = vec![c.expr.eval(params, &vec![0; space.dims])?];
            coeffs.extend_from_slice(c.expr.dim_coeffs());
            rows.push(Constraint { kind: c.kind, expr: Affine::from_coeffs(space, coeffs) });
        }
        Ok(Polyhedron::new(space, rows))
    }

    /// Bounds of every loop in terms of those outside.
    fn bounds(&self, set: &Polyhedron) -> Result<Vec<Bounds>> {
        let mut set = set.clone();
        let mut out = Vec::new();
        for dim in (0..set.space().dims).rev() {
            out.push(set.bounds_of(dim)?);
            set = set.project_out(&[dim], self.budget)?.set;
        }
        out.reverse();
        Ok(out)
    }
}

/// The value of a parameter that is computed from others, moved to where the context has it for theirs.
fn beside_others(scop: &Scop, params: &[i64], p: usize) -> Result<i64> {
    let mut others = params.to_vec();
    others[p] = 0;
    let (mut least, mut most) = (i64::MIN, i64::MAX);
    for row in scop.context.iter().flat_map(|context| context.constraints()) {
        let (by, rest) = (row.expr.param_coeff(p), row.expr.eval(&others, &[])?);
        if by > 0 {
            least = least.max(rest.div_euclid(by).saturating_neg());
        }
        if by < 0 {
            most = most.min(rest.div_euclid(by.saturating_neg()));
        }
        if by != 0 && row.kind == Kind::Eq {
            let only = if by > 0 { rest.div_euclid(by).saturating_neg() } else { rest.div_euclid(by.saturating_neg()) };
            (least, most) = (least.max(only), most.min(only));
        }
    }
    Ok(if least <= most { params[p].clamp(least, most) } else { params[p] })
}

/// `(lower, upper)` at a point of the loops outside, in the mean over points near it: what is rounded to a whole number loses half of what rounding can lose. So a block counter `t` with
/// `8 t <= i <= 8 t + 7` has one value for each `i`, as it has in truth, and not almost two.
#[expect(clippy::cast_precision_loss, reason = "estimates")]
fn interval(bounds: &Bounds, outer: &[f64]) -> Option<(f64, f64)> {
    let rounded = |e: &polyhedra::DivBound, upwards: bool| {
        // `g x + c` over `div` is, rounded, `x + c / g` over `div / g`.
        let g = e.expr.dim_coeffs().iter().fold(e.div.unsigned_abs(), |g, c| gcd(g, c.unsigned_abs())).max(1);
        let g = i64::try_from(g).unwrap_or(1);
        let sum: f64 = e.expr.dim_coeffs().iter().zip(outer).map(|(&c, &x)| (c / g) as f64 * x).sum();
        let (c, div) = (e.expr.constant_term(), (e.div / g) as f64);
        let lost = (div - 1.0) / (2.0 * div);
        if upwards {
            (-(c.saturating_neg().div_euclid(g)) as f64 + sum) / div + lost
        } else {
            (c.div_euclid(g) as f64 + sum) / div - lost
        }
    };
    let lower = bounds.lower.iter().map(|e| rounded(e, true)).reduce(f64::max)?;
    let upper = bounds.upper.iter().map(|e| rounded(e, false)).reduce(f64::min)?;
    Some((lower, upper))
}

/// Inside of loops that never run, extents are `unknown`.
fn mean_extents(bounds: &[Bounds], unknown: f64) -> Vec<f64> {
    let mut volumes = vec![0.0; bounds.len()];
    let mut point = Vec::with_capacity(bounds.len());
    integrate(bounds, &mut point, 1.0, unknown, &mut volumes);
    let outside = std::iter::once(1.0).chain(volumes.iter().copied());
    volumes.iter().zip(outside).map(|(v, o)| if o > 0.0 { v / o } else { unknown }).collect()
}

/// Adds the volume of each shadow, of the part of the domain with these outer iterations.
fn integrate(bounds: &[Bounds], point: &mut Vec<f64>, weight: f64, unknown: f64, volumes: &mut [f64]) {
    let level = point.len();
    let Some(here) = bounds.get(level) else { return };
    let (lower, upper) = interval(here, point).unwrap_or((0.0, unknown - 1.0));
    let extent = (upper - lower + 1.0).max(0.0);
    if extent == 0.0 {
        return;
    }
    volumes[level] += weight * extent;
    let middle = f64::midpoint(lower, upper);
    if level < MOST_SAMPLED && extent > 1.5 {
        for (node, share) in GAUSS {
            point.push(middle + node * extent);
            integrate(bounds, point, weight * extent * share, unknown, volumes);
            point.pop();
        }
    } else {
        point.push(middle);
        integrate(bounds, point, weight * extent, unknown, volumes);
        point.pop();
    }
}

/// Where loops begin in the middle of those outside; 0 where nothing bounds them.
fn firsts(bounds: &[Bounds]) -> Vec<f64> {
    let mut middle = Vec::with_capacity(bounds.len());
    let mut out = Vec::with_capacity(bounds.len());
    for here in bounds {
        let (lower, upper) = interval(here, &middle).unwrap_or((0.0, 0.0));
        middle.push(f64::midpoint(lower, upper));
        out.push(lower);
    }
    out
}

/// See [`Shape::counted_from`]; 0 where nothing bounds a loop, or others move where it begins. Loops that are counted from elsewhere have this elsewhere, by as much.
fn counted_from(domain: &Polyhedron) -> Vec<i64> {
    let bounds_below = |e: &&Affine, d: usize| e.dim_coeffs().iter().enumerate().all(|(k, &c)| c == i64::from(k == d));
    let lower = |d: usize| domain.constraints().iter().map(|c| &c.expr).find(|e| bounds_below(e, d));
    (0..domain.space().dims).map(|d| lower(d).map_or(0, |e| e.constant_term().saturating_neg())).collect()
}

/// The loops outside that move both ends of each loop in the same direction, in the middle of those outside.
#[expect(clippy::cast_precision_loss, reason = "estimates")]
fn follows(bounds: &[Bounds]) -> Vec<Vec<usize>> {
    let mut middle: Vec<f64> = Vec::with_capacity(bounds.len());
    let mut out = Vec::with_capacity(bounds.len());
    for here in bounds {
        let value = |b: &DivBound| {
            let terms = b.expr.dim_coeffs().iter().zip(&middle).map(|(&c, v)| c as f64 * v);
            (b.expr.constant_term() as f64 + terms.sum::<f64>()) / b.div as f64
        };
        let low = here.lower.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
        let high = here.upper.iter().map(value).fold(f64::INFINITY, f64::min);
        let by = |b: &DivBound, on: usize| b.expr.dim_coeffs().get(on).copied().unwrap_or(0).signum();
        // What nearly counts, counts a few iterations before or behind.
        let lower = || here.lower.iter().filter(|b| value(b) > low - NEARLY);
        let upper = || here.upper.iter().filter(|b| value(b) < high + NEARLY);
        let moves_by = |on: usize, way: i64| lower().all(|b| by(b, on) == way) && upper().all(|b| by(b, on) == way);
        let any = !(here.lower.is_empty() || here.upper.is_empty());
        out.push((0..middle.len()).filter(|&on| any && (moves_by(on, 1) || moves_by(on, -1))).collect());
        let (lower, upper) = interval(here, &middle).unwrap_or((0.0, 0.0));
        middle.push(f64::midpoint(lower, upper));
    }
    out
}

/// The loops outside on which the first value of a loop depends, if it is no longer than an iteration of them moves it.
#[expect(clippy::cast_precision_loss, reason = "estimates")]
fn blocks(bounds: &Bounds, extent: f64) -> Vec<(usize, i64)> {
    let whole = bounds.lower.iter().filter(|e| e.div == 1);
    let by = whole.flat_map(|e| e.expr.dim_coeffs().iter().copied().enumerate());
    by.filter(|&(_, c)| c.abs() >= 2 && extent.round() <= c.unsigned_abs() as f64).collect()
}

/// Which loops have bounds that parameters may move: some constraint with a parameter is on them, or on others with which constraints connect them.
fn bound_by_params(domain: &Polyhedron) -> Vec<bool> {
    let mut open = vec![false; domain.space().dims];
    loop {
        let before = open.clone();
        for c in domain.constraints() {
            let dims = || c.expr.dim_coeffs().iter().enumerate().filter(|(_, c)| **c != 0).map(|(d, _)| d);
            if c.expr.param_coeffs().iter().any(|&a| a != 0) || dims().any(|d| open[d]) {
                dims().for_each(|d| open[d] = true);
            }
        }
        if open == before {
            return open;
        }
    }
}

fn constant_extent(bounds: &Bounds) -> Option<i64> {
    let value = |e: &polyhedra::DivBound, up: bool| {
        let c = e.expr.constant_term();
        let q = if up { -(c.checked_neg()?.div_euclid(e.div)) } else { c.div_euclid(e.div) };
        e.expr.is_constant().then_some(q)
    };
    let lower = bounds.lower.iter().map(|e| value(e, true)).collect::<Option<Vec<_>>>()?.into_iter().max()?;
    let upper = bounds.upper.iter().map(|e| value(e, false)).collect::<Option<Vec<_>>>()?.into_iter().min()?;
    Some(upper.checked_sub(lower)?.checked_add(1)?.max(0))
}
