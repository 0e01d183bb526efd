//! Bounds, subscripts and index polynomials as LLVM values, each in its home block, each once.
//!
//! A value of level `l` mentions loop variables of at most `l` loops; it is built from the value of level `l - 1` that has the terms of outer loops only, so
//! what does not change in a loop is computed outside of it.

use super::hoisted::Hoisted;
use super::{LowerError, Result, formula};
use crate::llvm::build::{Compare, Transaction};
use crate::llvm::{Block, Value};
use crate::raise::Raised;
use crate::raise::poly::{LoopIndex, Monomial, ParamIndex, Poly, Symbol};
use codegen::ast::{Expr, LoopVar};
use polyhedra::{Affine, Space};
use std::collections::BTreeMap;

/// Bounds and everything on the way to them stay within this.
const MOST: i128 = 1 << 62;

/// Least and largest value.
pub(super) type Interval = (i128, i128);

/// What has been computed at one level.
#[derive(Default)]
struct Kept {
    affine: BTreeMap<Affine, Value>,
    exprs: Vec<(Expr, Value)>,
    polys: BTreeMap<(u32, Poly), Value>,
    addresses: BTreeMap<(usize, Poly), Value>,
    lane_bounds: Vec<((Expr, u32), Value)>,
    masks: Vec<(MaskKey, Value)>,
}

/// Number of lanes, the first that is on, the first behind it that is off.
type MaskKey = (u32, Option<Expr>, Option<Expr>);

struct Level {
    home: Block,
    kept: Kept,
}

/// What was outside of all loops before there were more parameters.
pub(super) struct Outside {
    level: Level,
    params: usize,
}

#[derive(Clone, Copy)]
struct Variable {
    value: Value,
    level: usize,
    interval: Interval,
}

/// The numbers computed so far.
pub(super) struct Numbers {
    params: Vec<Value>,
    ranges: Vec<Interval>,
    vars: Vec<Option<Variable>>,
    levels: Vec<Level>,
    /// Where the region begins.
    start: Block,
}

impl Numbers {
    /// Makes the parameters, at the builder's place, as numbers of 64 bits. `home` is where everything else of level 0 goes.
    pub(super) fn new(
        t: &mut Transaction,
        raised: &Raised,
        hoisted: &Hoisted,
        space: Space,
        home: Block,
    ) -> Result<Self> {
        let i64 = t.int(64);
        let mut params: Vec<Value> = Vec::new();
        for p in &raised.params {
            let value = match &p.formula {
                None => {
                    let value = hoisted.get(p.value);
                    t.freeze(value)
                }
                Some(formula) => formula::compute(t, formula, &params, hoisted)?,
            };
            params.push(t.resize(value, i64));
        }
        let ranges = raised.params.iter().map(|p| (p.range.0.into(), p.range.1.into())).collect();
        let levels = vec![Level { home, kept: Kept::default() }];
        Ok(Self { params, ranges, vars: vec![None; space.dims], levels, start: home })
    }

    /// The parameters.
    pub(super) fn params(&self) -> &[Value] {
        &self.params
    }

    /// One more parameter that is known outside of all loops, from this block on; with what to do when it is no more.
    pub(super) fn with_params(&mut self, home: Block, values: &[Value]) -> (Vec<ParamIndex>, Outside) {
        let before = Outside {
            level: std::mem::replace(&mut self.levels[0], Level { home, kept: Kept::default() }),
            params: self.params.len(),
        };
        let first = self.params.len();
        self.params.extend(values);
        ((first..self.params.len()).map(ParamIndex).collect(), before)
    }

    /// They are known no more.
    pub(super) fn without_params(&mut self, Outside { level, params }: Outside) {
        self.params.truncate(params);
        self.levels[0] = level;
    }

    /// Enters a loop with this header and variable.
    pub(super) fn enter(&mut self, header: Block, var: LoopVar, value: Value, interval: Interval) -> Result<()> {
        let level = self.levels.len();
        let slot = self.vars.get_mut(var.0).ok_or(LowerError::Malformed("a loop variable without column"))?;
        *slot = Some(Variable { value, level, interval });
        self.levels.push(Level { home: header, kept: Kept::default() });
        Ok(())
    }

    /// Leaves it.
    pub(super) fn leave(&mut self, var: LoopVar) {
        self.levels.pop();
        if let Some(slot) = self.vars.get_mut(var.0) {
            *slot = None;
        }
    }

    fn variable(&self, var: usize) -> Result<Variable> {
        self.vars.get(var).copied().flatten().ok_or(LowerError::Malformed("a loop variable outside of its loop"))
    }

    fn level_of(&self, e: &Affine) -> Result<usize> {
        let mut level = 0;
        for (v, &c) in e.dim_coeffs().iter().enumerate() {
            if c != 0 {
                level = level.max(self.variable(v)?.level);
            }
        }
        Ok(level)
    }

    fn level_of_expr(&self, e: &Expr) -> Result<usize> {
        match e {
            Expr::Affine(e) => self.level_of(e),
            Expr::FloorDiv(e, _) | Expr::CeilDiv(e, _) => self.level_of_expr(e),
            Expr::Min(list) | Expr::Max(list) => {
                list.iter().try_fold(0, |level, e| Ok(level.max(self.level_of_expr(e)?)))
            }
        }
    }

    /// Least and largest value of an affine form; an error when some partial sum may leave 62 bits.
    fn interval_of(&self, e: &Affine) -> Result<Interval> {
        let c = i128::from(e.constant_term());
        let (mut low, mut high, mut size) = (c, c, c.abs());
        let params = e.param_coeffs().iter().zip(&self.ranges).map(|(&c, &r)| (c, r));
        let mut terms: Vec<(i64, Interval)> = params.filter(|t| t.0 != 0).collect();
        for (v, &c) in e.dim_coeffs().iter().enumerate() {
            if c != 0 {
                terms.push((c, self.variable(v)?.interval));
            }
        }
        for (c, (a, b)) in terms {
            let (a, b) = (i128::from(c) * a, i128::from(c) * b);
            low += a.min(b);
            high += a.max(b);
            size += a.abs().max(b.abs());
            if size > MOST {
                return Err(LowerError::TooLarge("a loop bound or subscript"));
            }
        }
        Ok((low, high))
    }

    /// Least and largest value.
    pub(super) fn interval(&self, e: &Expr) -> Result<Interval> {
        let div = |d: i64| match i128::from(d) {
            d if (1..=MOST).contains(&d) => Ok(d),
            _ => Err(LowerError::Malformed("a divisor that is not positive")),
        };
        match e {
            Expr::Affine(e) => self.interval_of(e),
            Expr::FloorDiv(e, d) => {
                let ((a, b), d) = (self.interval(e)?, div(*d)?);
                Ok((a.div_euclid(d), b.div_euclid(d)))
            }
            Expr::CeilDiv(e, d) => {
                let ((a, b), d) = (self.interval(e)?, div(*d)?);
                Ok((-(-a).div_euclid(d), -(-b).div_euclid(d)))
            }
            Expr::Min(list) => self.fold(list, |x, y| (x.0.min(y.0), x.1.min(y.1))),
            Expr::Max(list) => self.fold(list, |x, y| (x.0.max(y.0), x.1.max(y.1))),
        }
    }

    fn fold(&self, list: &[Expr], choose: impl Fn(Interval, Interval) -> Interval) -> Result<Interval> {
        let mut out = None;
        for e in list {
            let i = self.interval(e)?;
            out = Some(out.map_or(i, |o| choose(o, i)));
        }
        out.ok_or(LowerError::Malformed("minimum or maximum of nothing"))
    }

    /// The value of an affine form.
    pub(super) fn affine(&mut self, t: &mut Transaction, e: &Affine) -> Result<Value> {
        self.interval_of(e)?;
        let level = self.level_of(e)?;
        if let Some(&v) = self.levels[level].kept.affine.get(e) {
            return Ok(v);
        }
        let i64 = t.int(64);
        let mut prefix = Affine::zero(e.space());
        let mut sum: Option<Value> = None;
        for l in 0..=level {
            let mut terms: Vec<(Value, i64)> = Vec::new();
            if l == 0 {
                for (p, &c) in e.param_coeffs().iter().enumerate().filter(|(_, c)| **c != 0) {
                    prefix.set_param(p, c);
                    terms.push((self.params[p], c));
                }
            } else {
                for (v, &c) in e.dim_coeffs().iter().enumerate().filter(|(_, c)| **c != 0) {
                    let var = self.variable(v)?;
                    if var.level == l {
                        prefix.set_dim(v, c);
                        terms.push((var.value, c));
                    }
                }
            }
            if terms.is_empty() {
                continue;
            }
            let Level { home, kept } = &mut self.levels[l];
            let value = match kept.affine.get(&prefix) {
                Some(&v) => v,
                None => {
                    let v = t.inside(*home, |t| terms.iter().fold(sum, |sum, &(v, c)| Some(add_term(t, sum, v, c))));
                    let v = v.unwrap_or_else(|| t.constant(i64, 0));
                    kept.affine.insert(prefix.clone(), v);
                    v
                }
            };
            sum = Some(value);
        }
        let constant = t.constant(i64, e.constant_term().into());
        let Level { home, kept } = &mut self.levels[level];
        let value = match sum {
            None => constant,
            Some(sum) if e.constant_term() == 0 => sum,
            Some(sum) => t.inside(*home, |t| t.add_nsw(sum, constant)),
        };
        kept.affine.insert(e.clone(), value);
        Ok(value)
    }

    /// The value of an expression.
    pub(super) fn expr(&mut self, t: &mut Transaction, e: &Expr) -> Result<Value> {
        if let Expr::Affine(e) = e {
            return self.affine(t, e);
        }
        self.interval(e)?;
        let level = self.level_of_expr(e)?;
        if let Some((_, v)) = self.levels[level].kept.exprs.iter().find(|(k, _)| k == e) {
            return Ok(*v);
        }
        let home = self.levels[level].home;
        let value = match e {
            Expr::Affine(_) => return Err(LowerError::Malformed("an affine form is none")),
            Expr::FloorDiv(inner, d) => {
                let nonnegative = self.interval(inner)?.0 >= 0;
                let v = self.expr(t, inner)?;
                t.inside(home, |t| floor_div(t, v, *d, nonnegative))
            }
            Expr::CeilDiv(inner, d) => {
                // ceil(e / d) = floor((e + d - 1) / d)
                if let Expr::Affine(a) = inner.as_ref() {
                    let raised = Expr::FloorDiv(Box::new(Expr::Affine(a.offset(d - 1)?)), *d);
                    self.expr(t, &raised)?
                } else {
                    let (low, high) = self.interval(inner)?;
                    if high + i128::from(*d) > MOST {
                        return Err(LowerError::TooLarge("a loop bound"));
                    }
                    let v = self.expr(t, inner)?;
                    let room = t.constant(t.int(64), i128::from(*d) - 1);
                    t.inside(home, |t| {
                        let v = t.add_nsw(v, room);
                        floor_div(t, v, *d, low + i128::from(*d) > 0)
                    })
                }
            }
            Expr::Min(list) | Expr::Max(list) => {
                let largest = matches!(e, Expr::Max(_));
                let mut best: Option<Value> = None;
                for e in list {
                    let v = self.expr(t, e)?;
                    best = Some(match best {
                        None => v,
                        Some(b) => t.inside(home, |t| t.extremum(largest, b, v)),
                    });
                }
                best.ok_or(LowerError::Malformed("minimum or maximum of nothing"))?
            }
        };
        self.levels[level].kept.exprs.push((e.clone(), value));
        Ok(value)
    }

    /// `e + 1`: the end of a loop whose last value is at most `e`.
    pub(super) fn end(&mut self, t: &mut Transaction, e: &Expr) -> Result<Value> {
        if let Expr::Affine(e) = e {
            return self.affine(t, &e.offset(1)?);
        }
        let v = self.expr(t, e)?;
        let home = self.levels[self.level_of_expr(e)?].home;
        let one = t.constant(t.int(64), 1);
        Ok(t.inside(home, |t| t.add_nsw(v, one)))
    }

    fn level_of_monomial(&self, m: &Monomial) -> Result<usize> {
        m.iter().try_fold(0, |level, s| match s {
            Symbol::Param(_) => Ok(level),
            Symbol::Iterator(v) => Ok(level.max(self.variable(v.0)?.level)),
            Symbol::Triangle(_) => Err(LowerError::Malformed("a triangle that is no row of an array")),
        })
    }

    /// Splits a polynomial over parameters and loop variables: for each product of variables its factor in parameters, with the level, outermost first. The
    /// constant term is not in it.
    pub(super) fn by_level(&self, poly: &Poly) -> Result<Vec<Share>> {
        let mut out: BTreeMap<(usize, Monomial), Poly> = BTreeMap::new();
        for (m, c) in poly.terms().filter(|(m, _)| !m.is_empty()) {
            let (params, vars): (Monomial, Monomial) = m.iter().partition(|s| matches!(s, Symbol::Param(_)));
            let factor = out.entry((self.level_of_monomial(m)?, vars)).or_default();
            *factor = factor.add(&Poly::term(params, c)).ok_or(polyhedra::Error::Overflow)?;
        }
        Ok(out.into_iter().map(|((level, vars), factor)| Share { level, vars, factor }).collect())
    }

    /// A polynomial over parameters and loop variables, modulo 2^bits.
    pub(super) fn polynomial(&mut self, t: &mut Transaction, poly: &Poly, bits: u32) -> Result<Value> {
        let ty = t.int(bits);
        let mut prefix = Poly::default();
        let mut sum: Option<Value> = None;
        let mut level = 0;
        for share in self.by_level(poly)? {
            level = share.level;
            prefix = prefix.add(&share.poly()?).ok_or(polyhedra::Error::Overflow)?;
            let key = (bits, prefix.clone());
            let value = match self.levels[level].kept.polys.get(&key) {
                Some(&v) => v,
                None => {
                    let v = self.share(t, &share, 1, bits)?;
                    let v = match sum {
                        None => v,
                        Some(sum) => t.inside(self.levels[level].home, |t| t.add(sum, v)),
                    };
                    self.levels[level].kept.polys.insert(key, v);
                    v
                }
            };
            sum = Some(value);
        }
        let c = poly.coefficient(&[]);
        let constant = t.constant(ty, c.into());
        Ok(match sum {
            None => constant,
            Some(sum) if c == 0 => sum,
            Some(sum) => t.inside(self.levels[level].home, |t| t.add(sum, constant)),
        })
    }

    /// One share of a polynomial, divided by `unit` (which divides it), modulo 2^bits, in its home.
    pub(super) fn share(&mut self, t: &mut Transaction, share: &Share, unit: i64, bits: u32) -> Result<Value> {
        let ty = t.int(bits);
        let level = share.level;
        let factor = divided(&share.factor, unit)?;
        let key = (bits, factor.mul(&Poly::term(share.vars.clone(), 1)).ok_or(polyhedra::Error::Overflow)?);
        if let Some(&known) = self.levels[level].kept.polys.get(&key) {
            return Ok(known);
        }
        let mut product: Option<Value> = None;
        for s in &share.vars {
            let Symbol::Iterator(LoopIndex(v)) = s else { continue };
            let var = self.variable(*v)?;
            let value = self.narrow(t, var, *v, bits);
            product = Some(match product {
                None => value,
                Some(p) => t.inside(self.levels[level].home, |t| t.mul(p, value)),
            });
        }
        let constant = factor.as_constant();
        let factor = match constant {
            Some(c) => t.constant(ty, c.into()),
            None => self.of_params(t, &factor, bits)?,
        };
        let value = match product {
            None => factor,
            Some(p) if constant == Some(1) => p,
            Some(p) => t.inside(self.levels[level].home, |t| t.mul(p, factor)),
        };
        self.levels[level].kept.polys.insert(key, value);
        Ok(value)
    }

    /// A loop variable in a narrower type.
    fn narrow(&mut self, t: &mut Transaction, var: Variable, index: usize, bits: u32) -> Value {
        if bits == 64 {
            return var.value;
        }
        let key = (bits, Poly::symbol(Symbol::Iterator(LoopIndex(index))));
        let Level { home, kept } = &mut self.levels[var.level];
        *kept.polys.entry(key).or_insert_with(|| {
            let ty = t.int(bits);
            t.inside(*home, |t| t.resize(var.value, ty))
        })
    }

    /// A polynomial in parameters alone: level 0.
    fn of_params(&mut self, t: &mut Transaction, poly: &Poly, bits: u32) -> Result<Value> {
        let key = (bits, poly.clone());
        let Level { home, kept } = &mut self.levels[0];
        if let Some(&v) = kept.polys.get(&key) {
            return Ok(v);
        }
        let params = &self.params;
        let value = t.inside(*home, |t| {
            let ty = t.int(bits);
            let mut sum: Option<Value> = None;
            for (m, c) in poly.terms() {
                let mut product: Option<Value> = None;
                for s in m {
                    let Symbol::Param(p) = s else { continue };
                    let v = t.resize(params[p.0], ty);
                    product = Some(product.map_or(v, |product| t.mul(product, v)));
                }
                let c_value = t.constant(ty, c.into());
                let term = match product {
                    None => c_value,
                    Some(p) if c == 1 => p,
                    Some(p) => t.mul(p, c_value),
                };
                sum = Some(sum.map_or(term, |sum| t.add(sum, term)));
            }
            sum.unwrap_or_else(|| t.constant(ty, 0))
        });
        kept.polys.insert(key, value);
        Ok(value)
    }

    /// Where everything goes that changes with no loop.
    pub(super) fn outermost(&self) -> Block {
        self.start
    }

    /// Number of loops around.
    pub(super) fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// An expression clamped to `0 ..= width`, in 32 bits.
    pub(super) fn lane_bound(&mut self, t: &mut Transaction, e: &Expr, width: u32) -> Result<Value> {
        let level = self.level_of_expr(e)?;
        let key = (e.clone(), width);
        if let Some((_, v)) = self.levels[level].kept.lane_bounds.iter().find(|(k, _)| *k == key) {
            return Ok(*v);
        }
        let (low, high) = self.interval(e)?;
        let v = self.expr(t, e)?;
        let home = self.levels[level].home;
        let value = t.inside(home, |t| {
            let (i32, i64) = (t.int(32), t.int(64));
            let (none, all) = (t.constant(i64, 0), t.constant(i64, width.into()));
            let v = if low < 0 { t.extremum(true, v, none) } else { v };
            let v = if high > width.into() { t.extremum(false, v, all) } else { v };
            t.resize(v, i32)
        });
        self.levels[level].kept.lane_bounds.push((key, value));
        Ok(value)
    }

    /// Which lanes are on: those `>= from` and `< to`. `None`: all.
    pub(super) fn mask(
        &mut self,
        t: &mut Transaction,
        width: u32,
        from: Option<&Expr>,
        to: Option<&Expr>,
    ) -> Result<Option<Value>> {
        let bounds = from.into_iter().chain(to);
        let level = bounds.clone().try_fold(0, |level, e| Ok::<_, LowerError>(level.max(self.level_of_expr(e)?)))?;
        let key = (width, from.cloned(), to.cloned());
        if let Some((_, v)) = self.levels[level].kept.masks.iter().find(|(k, _)| *k == key) {
            return Ok(Some(*v));
        }
        let home = self.levels[level].home;
        let lanes = t.lane_numbers(t.int(32), width);
        let mut mask: Option<Value> = None;
        for e in bounds {
            let bound = self.lane_bound(t, e, width)?;
            let is_from = mask.is_none() && from.is_some();
            mask = Some(t.inside(home, |t| {
                let bound = t.splat(bound, width);
                if is_from {
                    return t.compare(Compare::SignedLessEqual, bound, lanes);
                }
                let below = t.compare(Compare::SignedLess, lanes, bound);
                mask.map_or(below, |mask| t.and(mask, below))
            }));
        }
        if let Some(mask) = mask {
            self.levels[level].kept.masks.push((key, mask));
        }
        Ok(mask)
    }

    /// An address kept at a level.
    pub(super) fn known_address(&self, level: usize, key: &(usize, Poly)) -> Option<Value> {
        self.levels[level].kept.addresses.get(key).copied()
    }

    /// Makes an address in the level's home (or the block that is given) and keeps it.
    pub(super) fn new_address(
        &mut self,
        t: &mut Transaction,
        (level, block): (usize, Option<Block>),
        key: (usize, Poly),
        make: impl FnOnce(&mut Transaction) -> Value,
    ) -> Value {
        let Level { home, kept } = &mut self.levels[level];
        let address = t.inside(block.unwrap_or(*home), make);
        kept.addresses.insert(key, address);
        address
    }
}

/// Part of a polynomial: a product of loop variables times a polynomial in parameters.
pub(super) struct Share {
    /// Level of the product.
    pub(super) level: usize,
    /// The product.
    pub(super) vars: Monomial,
    /// Its factor.
    pub(super) factor: Poly,
}

impl Share {
    /// As a polynomial.
    pub(super) fn poly(&self) -> Result<Poly> {
        Ok(self.factor.mul(&Poly::term(self.vars.clone(), 1)).ok_or(polyhedra::Error::Overflow)?)
    }
}

/// `poly / unit`, of which it is a multiple.
fn divided(poly: &Poly, unit: i64) -> Result<Poly> {
    let mut out = Poly::default();
    for (m, c) in poly.terms() {
        out = out.add(&Poly::term(m.clone(), c / unit)).ok_or(polyhedra::Error::Overflow)?;
    }
    Ok(out)
}

/// An affine form over `[1 | N | loop variables]` as a polynomial.
pub(super) fn poly_of(e: &Affine) -> Result<Poly> {
    let mut out = Poly::constant(e.constant_term());
    let params = e.param_coeffs().iter().enumerate().map(|(p, &c)| (Symbol::Param(ParamIndex(p)), c));
    let vars = e.dim_coeffs().iter().enumerate().map(|(v, &c)| (Symbol::Iterator(LoopIndex(v)), c));
    for (symbol, c) in params.chain(vars) {
        out = out.add(&Poly::term(vec![symbol], c)).ok_or(polyhedra::Error::Overflow)?;
    }
    Ok(out)
}

fn add_term(t: &mut Transaction, sum: Option<Value>, v: Value, c: i64) -> Value {
    let i64 = t.int(64);
    match (sum, c) {
        (None, 1) => v,
        (Some(sum), 1) => t.add_nsw(sum, v),
        (Some(sum), -1) => t.sub_nsw(sum, v),
        _ => {
            let c = t.constant(i64, c.into());
            let term = t.mul_nsw(v, c);
            match sum {
                Some(sum) => t.add_nsw(sum, term),
                None => term,
            }
        }
    }
}

/// `floor(v / d)`; `v` is small enough for `v - d` not to wrap.
pub(super) fn floor_div(t: &mut Transaction, v: Value, d: i64, nonnegative: bool) -> Value {
    let i64 = t.int(64);
    if d == 1 {
        return v;
    }
    if d.cast_unsigned().is_power_of_two() {
        let shift = t.constant(i64, d.trailing_zeros().into());
        return t.ashr(v, shift);
    }
    let divisor = t.constant(i64, d.into());
    if nonnegative {
        return t.sdiv(v, divisor);
    }
    // Below zero: (v - (d - 1)) / d, rounded towards zero.
    let places = t.constant(i64, 63);
    let sign = t.ashr(v, places);
    let room = t.constant(i64, i128::from(d) - 1);
    let less = t.and(sign, room);
    let v = t.sub(v, less);
    t.sdiv(v, divisor)
}

/// Is `v` a multiple of `d`?
pub(super) fn divides(t: &mut Transaction, d: i64, v: Value) -> Value {
    let i64 = t.int(64);
    let zero = t.constant(i64, 0);
    let rest = if d.cast_unsigned().is_power_of_two() {
        let mask = t.constant(i64, i128::from(d) - 1);
        t.and(v, mask)
    } else {
        let d = t.constant(i64, d.into());
        t.srem(v, d)
    };
    t.compare(Compare::Equal, rest, zero)
}
