//! What is known of the numbers in a region, and the translation of scalar evolution into polynomials over unbounded integers.
//!
//! ScalarEvolution computes modulo `2^w`. A polynomial stands for the *signed value* of an expression when it is `exact`, and is always congruent to it modulo
//! `2^w`. Exactness is needed wherever an order or an extension looks at the value: bounds, conditions, sign and zero extensions. It follows from no-wrap flags
//! (which hold for instances that are executed, and our domains hold exactly these), from intervals, from the domain itself, or becomes an *assumption*: an affine
//! condition on parameters that is checked at run time, with the original code as the other branch.

mod cases;
mod hoisted;
mod join;
mod later;
mod selected;
mod special;

use super::bounds;
use super::division;
use super::factors::Factor;
use super::formula::{self, Formula};
use super::magnitudes::Number;
use super::poly::{LoopIndex, Monomial, ParamIndex, Poly, Symbol};
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Analyses, Block, Loop, Opcode, Scev, ScevKind, Value};
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space};

/// Parameters of 64 bits are checked at run time to lie within this many bits, so that sums of a few never overflow in the code that we make.
pub const PARAM_BITS: u32 = 40;

/// Steps of the budget that it takes to look at an expression of scalar evolution: about the time.
const STEPS_OF_A_LOOK: u64 = 16;

/// A number that does not change in the region.
#[derive(Clone, Debug)]
pub struct Param {
    /// The LLVM value; the parameter is its signed value.
    pub value: Value,
    /// Bits of its type.
    pub bits: u32,
    /// Least and largest value, known or checked.
    pub range: (i64, i64),
    /// Has the range to be checked at run time?
    pub check_range: bool,
    /// For people.
    pub name: String,
    /// It is not `value` but computed by this.
    pub formula: Option<Formula>,
}

impl Param {
    /// The values that it is computed with, those of earlier parameters excepted.
    pub fn needs(&self) -> impl Iterator<Item = Value> {
        let addresses = self.formula.as_ref().map(Formula::addresses).unwrap_or_default();
        std::iter::once(self.value).chain(addresses)
    }
}

/// A loop of the region: of the IR, or the implied one of a memory intrinsic.
#[derive(Clone, Debug)]
pub struct LoopData {
    /// The IR's loop.
    pub handle: Option<Loop>,
    /// The loop around it, in the region.
    pub parent: Option<LoopIndex>,
    /// Rows for its iterator beyond those of the place where it stands: `0 <= i` and upper bounds.
    pub rows: Vec<Row>,
    /// Rows that hold in all iterations but the last: where the loop goes back.
    pub going_on: Vec<Row>,
    /// Largest value of the iterator.
    pub high: i64,
    /// Is the loop modelled as two? This is then the outer one.
    pub split: Option<Split>,
    /// If this is the inner one of two, how many values it has.
    pub residue_of: Option<i64>,
    /// If the loop begins at the greatest of several numbers (`facts::later`): these. The iterator is 0 where it would begin if the first of them were the greatest.
    pub later: Option<Vec<Poly>>,
}

/// A loop modelled as two: iteration `by * outer + residue`, or so many less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// Number of values of the inner one.
    pub by: i64,
    /// The inner one.
    pub residue: LoopIndex,
    /// How many less. The iteration where both are 0 is then not always the first, and need not be one.
    pub skew: Option<Skew>,
}

/// `constant + factor * residue` of a loop around, never negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skew {
    /// The inner one of the two that the loop around is modelled as.
    pub of: LoopIndex,
    /// In steps.
    pub constant: i64,
    /// 1 or -1.
    pub factor: i64,
}

/// `poly >= 0` or `poly = 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// `=` or `>=`
    pub kind: Kind,
    /// Affine.
    pub poly: Poly,
}

impl Row {
    /// `poly >= 0`
    #[must_use]
    pub fn ge(poly: Poly) -> Self {
        Self { kind: Kind::Ge, poly }
    }
}

/// Where and when something runs: the loops around it and the rows that hold there (those of the loops included).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Domain {
    /// Loops, outermost first.
    pub loops: Vec<LoopIndex>,
    /// All rows.
    pub rows: Vec<Row>,
    /// Conditions on data: of the instances in the rows it runs on those where all of these hold, each looked at only if those before it do.
    pub conditions: Vec<Condition>,
    /// Is it behind a condition on data that is assumed to hold ([`super::factors`])?
    pub is_assumed: bool,
    /// Is it where such a condition does not hold?
    pub is_ruled_out: bool,
}

impl Domain {
    /// Does a row pick special values of the parameters?
    #[must_use]
    pub fn is_for_special_sizes(&self) -> bool {
        self.rows.iter().any(is_special)
    }
}

/// A condition on data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// A value of one bit, computed in the region.
    pub value: Value,
    /// What it must be.
    pub truth: bool,
    /// At the end of which block that is decided.
    pub at: Block,
}

/// A polynomial, and whether it is the signed value itself.
#[derive(Clone, Debug)]
pub struct Translated {
    /// Congruent to the expression modulo 2^bits.
    pub poly: Poly,
    /// Equal to its signed value.
    pub exact: bool,
}

pub use hoisted::Hoisted;
pub use later::Bounds;
pub use selected::{Selected, may_be_selected};

/// A state of [`Facts`] to go back to.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    params: usize,
    context: usize,
    assumptions: usize,
    products: usize,
    either: usize,
    numbers: usize,
}

/// Parameters, loops and what is known of them.
pub struct Facts<'a> {
    /// LLVM's analyses.
    pub analyses: Analyses,
    /// The step budget.
    pub budget: &'a Budget,
    /// Parameters found so far.
    pub params: Vec<Param>,
    /// Loops found so far.
    pub loops: Vec<LoopData>,
    /// Affine rows on parameters that hold whenever the region is reached.
    pub context: Vec<Row>,
    /// Affine rows on parameters that have to be checked at run time.
    pub assumptions: Vec<Row>,
    /// Polynomials in the parameters, not affine, that have to be checked at run time to be `>= 0`.
    pub products: Vec<Poly>,
    /// Alternatives to be checked at run time: all conditions (`>= 0`) of one list must hold.
    pub either: Vec<Vec<Vec<Poly>>>,
    /// Loads that are made before the region, each after those that it needs.
    pub hoisted: Vec<Hoisted>,
    /// May loops be modelled as two, for remainders of their counters?
    pub splits: bool,
    /// The conditions on data that are assumed to hold, if such may be.
    pub factors: Option<Vec<Factor>>,
    /// What must not be NaN.
    pub numbers: Vec<Number>,
    /// Parameters that are assumed to be 1: in polynomials they are that.
    ones: Vec<ParamIndex>,
    entry: Block,
    outside: Box<dyn Fn(Value) -> bool + 'a>,
}

fn overflow() -> Reject {
    Reject::new(RejectKind::Overflow)
}

impl<'a> Facts<'a> {
    /// `entry`: the block before the region; `outside`: is a value computed before the region?
    pub fn new(analyses: Analyses, budget: &'a Budget, entry: Block, outside: impl Fn(Value) -> bool + 'a) -> Self {
        Self {
            analyses,
            budget,
            params: Vec::new(),
            loops: Vec::new(),
            context: Vec::new(),
            assumptions: Vec::new(),
            products: Vec::new(),
            either: Vec::new(),
            hoisted: Vec::new(),
            splits: false,
            factors: None,
            numbers: Vec::new(),
            ones: Vec::new(),
            entry,
            outside: Box::new(outside),
        }
    }

    /// The parameter for a value.
    ///
    /// # Errors
    /// Not an integer of at most 64 bits, or computed inside the region.
    pub fn param(&mut self, value: Value) -> Raise<ParamIndex> {
        let value = if (self.outside)(value) { value } else { self.hoist(value, None).unwrap_or(value) };
        if let Some(k) = self.params.iter().position(|p| p.value == value && p.formula.is_none()) {
            return Ok(ParamIndex(k));
        }
        let bits = value.ty().integer_bits().filter(|&b| b <= 64);
        let before = |v: Value| (self.outside)(v) || self.hoisted.iter().any(|h| h.load == v && h.rows.is_none());
        let Some(bits) = bits.filter(|_| before(value)) else {
            return Err(RejectKind::NonAffineAccess(describe(value)).into());
        };
        // What the program says of a load holds where it makes it.
        let said = self.analyses.scev(value).filter(|_| (self.outside)(value));
        let known = said.and_then(|s| self.analyses.signed_range(s)).unwrap_or((i64::MIN, i64::MAX));
        let function = self.analyses.function();
        let name = match (value.name(), value.argument_index(function)) {
            (name, _) if !name.is_empty() => name.replace(['.', ' '], "_"),
            (_, Some(k)) => format!("arg{k}"),
            _ => format!("p{}", self.params.len()),
        };
        self.new_param(value, bits, known, name, None)
    }

    /// Assumes that a number is 1, before anything else is known: what is found later may be forgotten, this is not.
    ///
    /// # Errors
    /// As [`Self::param`].
    pub fn assume_one(&mut self, value: Value) -> Raise<()> {
        let p = self.param(value)?;
        let (value, one) = (Poly::symbol(Symbol::Param(p)), Poly::constant(1));
        self.assumptions.push(Row::ge(value.sub(&one).ok_or_else(overflow)?));
        self.assumptions.push(Row::ge(one.sub(&value).ok_or_else(overflow)?));
        self.ones.push(p);
        Ok(())
    }

    /// A parameter for a number that is no polynomial but does not change in the region.
    ///
    /// # Errors
    /// Something in it changes in the region.
    pub fn derived(&mut self, s: Scev) -> Raise<ParamIndex> {
        let formula = formula::of(self, s, 0)?;
        self.computed(formula, self.analyses.signed_range(s))?
            .ok_or_else(|| RejectKind::NonAffineBound(s.text()).into())
    }

    /// A parameter for a product of parameters, modulo 2^64.
    ///
    /// # Errors
    /// Overflow.
    pub fn product(&mut self, factors: &[ParamIndex]) -> Raise<Option<ParamIndex>> {
        self.computed(Formula::product(factors), None)
    }

    /// A parameter for a number of one bit, which is -1 if it is set.
    ///
    /// # Errors
    /// Overflow.
    pub fn bit(&mut self, formula: Formula) -> Raise<Option<ParamIndex>> {
        self.computed(formula, Some((-1, 0)))
    }

    fn computed(&mut self, formula: Formula, known: Option<(i64, i64)>) -> Raise<Option<ParamIndex>> {
        if let Some(k) = self.params.iter().position(|p| p.formula.as_ref() == Some(&formula)) {
            return Ok(Some(ParamIndex(k)));
        }
        // The value stands for what the formula needs: it has to be computed before the region.
        let Some(value) = self.params.first().map(|p| p.value) else { return Ok(None) };
        let known = known.unwrap_or((i64::MIN, i64::MAX));
        let name = format!("q{}", self.params.len());
        self.new_param(value, formula.bits, known, name, Some(formula)).map(Some)
    }

    fn new_param(
        &mut self,
        value: Value,
        bits: u32,
        known: (i64, i64),
        name: String,
        formula: Option<Formula>,
    ) -> Raise<ParamIndex> {
        let limit = if bits > PARAM_BITS { 1i64 << PARAM_BITS } else { 1i64 << (bits - 1) };
        let range = (known.0.max(-limit), known.1.min(limit));
        let check_range = range != known;
        if range.0 > range.1 {
            return Err(RejectKind::MayWrap(name).into());
        }
        let taken = |n: &str| self.params.iter().any(|p| p.name == n);
        let name = if taken(&name) { format!("{name}_{}", self.params.len()) } else { name };
        self.params.push(Param { value, bits, range, check_range, name, formula });
        if range.0 >= 0 {
            let row = Row::ge(
                Poly::symbol(Symbol::Param(ParamIndex(self.params.len() - 1)))
                    .sub(&Poly::constant(range.0))
                    .ok_or_else(overflow)?,
            );
            self.context.push(row);
        }
        Ok(ParamIndex(self.params.len() - 1))
    }

    /// What [`Self::restore`] goes back to.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            params: self.params.len(),
            context: self.context.len(),
            assumptions: self.assumptions.len(),
            products: self.products.len(),
            either: self.either.len(),
            numbers: self.numbers.len(),
        }
    }

    /// Forgets parameters, context and assumptions found since.
    pub fn restore(&mut self, to: &Checkpoint) {
        self.params.truncate(to.params);
        self.context.truncate(to.context);
        self.assumptions.truncate(to.assumptions);
        self.products.truncate(to.products);
        self.either.truncate(to.either);
        self.numbers.truncate(to.numbers);
    }

    /// Interval of a variable.
    #[must_use]
    pub fn interval_of(&self, s: Symbol) -> (i128, i128) {
        match s {
            Symbol::Param(p) => (self.params[p.0].range.0.into(), self.params[p.0].range.1.into()),
            Symbol::Iterator(l) => (0, self.loops[l.0].high.into()),
            Symbol::Triangle(l) => {
                let high = i128::from(self.loops[l.0].high);
                (0, high * (high + 1) / 2)
            }
        }
    }

    /// Interval of a polynomial.
    #[must_use]
    pub fn interval(&self, poly: &Poly) -> Option<(i128, i128)> {
        poly.interval(|s| self.interval_of(s))
    }

    fn fits(&self, poly: &Poly, bits: u32) -> bool {
        let half = 1i128 << (bits - 1);
        self.interval(poly).is_some_and(|(a, b)| a >= -half && b < half)
    }

    /// Name of a variable for people.
    #[must_use]
    pub fn symbol_name(&self, s: Symbol) -> String {
        match s {
            Symbol::Param(p) => self.params[p.0].name.clone(),
            Symbol::Iterator(l) => format!("i{}", l.0),
            Symbol::Triangle(l) => format!("(i{0}*(i{0} + 1)/2)", l.0),
        }
    }

    /// An affine polynomial as a row over `[1 | N | loops]`; `None` when it is not affine or mentions another loop.
    #[must_use]
    pub fn affine(&self, poly: &Poly, loops: &[LoopIndex]) -> Option<Affine> {
        let space = Space::new(self.params.len(), loops.len());
        let mut out = Affine::zero(space);
        for (m, c) in poly.terms() {
            match m.as_slice() {
                [] => out.set_constant(c),
                [Symbol::Param(p)] => out.set_param(p.0, c),
                [Symbol::Iterator(l)] => out.set_dim(loops.iter().position(|x| x == l)?, c),
                _ => return None,
            }
        }
        Some(out)
    }

    /// The set of instances of a domain, with context and assumptions.
    ///
    /// # Errors
    /// A row that is not affine over the domain's loops.
    pub fn set(&self, domain: &Domain) -> Raise<Polyhedron> {
        let space = Space::new(self.params.len(), domain.loops.len());
        let mut set = Polyhedron::universe(space);
        for row in self.context.iter().chain(&self.assumptions).chain(&domain.rows) {
            let Some(expr) = self.affine(&row.poly, &domain.loops) else {
                return Err(RejectKind::NonAffineBound(row.poly.text(|s| self.symbol_name(s))).into());
            };
            set.add(Constraint { kind: row.kind, expr });
        }
        Ok(set)
    }

    /// Is `poly >= 0` on the domain? `false` when it is not known.
    ///
    /// # Errors
    /// Budget, overflow.
    pub fn is_nonnegative(&self, poly: &Poly, domain: &Domain) -> Raise<bool> {
        if self.interval(poly).is_some_and(|(low, _)| low >= 0) {
            return Ok(true);
        }
        let Some(expr) = self.affine(poly, &domain.loops) else { return Ok(false) };
        Ok(self.set(domain)?.implies(&Constraint::ge(expr), self.budget)?)
    }

    /// Makes `poly >= 0` hold on the domain: proves it, or adds the assumption on parameters that gives it.
    ///
    /// # Errors
    /// `complaint` when there is no such assumption.
    pub fn require_nonnegative(
        &mut self,
        poly: &Poly,
        domain: &Domain,
        complaint: &dyn Fn() -> RejectKind,
    ) -> Raise<()> {
        if self.is_nonnegative(poly, domain)? {
            return Ok(());
        }
        // A special case of the sizes (LLVM makes one of rows of length 1) must not decide for all of them.
        if domain.is_for_special_sizes() {
            return Err(complaint().into());
        }
        // Project { v = poly on the domain } on v: each lower bound of v over parameters alone is a sufficient condition.
        let Some(expr) = self.affine(poly, &domain.loops) else { return Err(complaint().into()) };
        let set = self.set(domain)?;
        let d = domain.loops.len();
        let wide = Space::new(self.params.len(), d + 1);
        let keep: Vec<usize> = (0..d).collect();
        let value = expr.embed(wide, &keep).sub(&Affine::dim(wide, d))?;
        let lifted = set.embed(wide, &keep).with(Constraint::eq(value));
        let shadow = lifted.project_out(&keep, self.budget)?.set;
        for bound in shadow.bounds_of(0)?.lower {
            // ceil(e / d) >= 0 is e >= 1 - d.
            let least = self.poly_of_params(&bound.expr).add(&Poly::constant(bound.div - 1)).ok_or_else(overflow)?;
            let row = Row::ge(least);
            if row.poly.as_constant().is_some_and(|c| c < 0) {
                continue;
            }
            // Under this assumption the region must still have a chance to run, and for other sizes than one.
            let assumed = row.poly.clone();
            self.assumptions.push(row);
            let set = self.set(domain)?;
            let possible = !set.is_empty(self.budget)? && !self.is_zero(&assumed, &set)?;
            if possible && self.is_nonnegative(poly, domain)? {
                return Ok(());
            }
            self.assumptions.pop();
        }
        Err(complaint().into())
    }

    /// Is a number in the parameters that is not negative on a set never more than zero there?
    fn is_zero(&self, number: &Poly, set: &Polyhedron) -> Raise<bool> {
        let back = number.scale(-1).ok_or_else(overflow)?;
        let Some(expr) = self.affine(&back, &[]) else { return Ok(false) };
        Ok(set.implies(&Constraint::ge(expr.embed(set.space(), &[])), self.budget)?)
    }

    /// [`Self::require_nonnegative`] for what may be assumed of all sizes although it is needed for special ones only: that a number fits its width, or that a size
    /// is not negative.
    ///
    /// # Errors
    /// `complaint` when there is no such assumption.
    fn require_for_all_sizes(&mut self, poly: &Poly, domain: &Domain, complaint: &dyn Fn() -> RejectKind) -> Raise<()> {
        if self.is_nonnegative(poly, domain)? {
            return Ok(());
        }
        let mut wider = domain.clone();
        wider.rows.retain(|r| !is_special(r));
        self.require_nonnegative(poly, &wider, complaint)
    }

    /// A form over `[1 | N]` as a polynomial.
    #[must_use]
    pub fn poly_of_params(&self, e: &Affine) -> Poly {
        let mut p = Poly::constant(e.constant_term());
        for (k, &c) in e.param_coeffs().iter().enumerate() {
            if let Some(sum) = p.add(&Poly::term(vec![Symbol::Param(ParamIndex(k))], c)) {
                p = sum;
            }
        }
        p
    }

    fn loop_index(&self, l: Loop) -> Option<LoopIndex> {
        self.loops.iter().position(|d| d.handle == Some(l)).map(LoopIndex)
    }

    /// Pays for one expression that is looked at. Those of scalar evolution and conditions share parts: seen as trees they may double with every operation.
    ///
    /// # Errors
    /// Budget.
    pub fn look(&self) -> Raise<()> {
        Ok(self.budget.spend(STEPS_OF_A_LOOK)?)
    }

    /// Polynomial of an expression at a place with this domain.
    ///
    /// # Errors
    /// Not a polynomial, or an extension of something that may wrap.
    pub fn translate(&mut self, s: Scev, domain: &Domain) -> Raise<Translated> {
        self.look()?;
        let bits = self.analyses.scev_bits(s);
        if bits > 64 {
            return Err(RejectKind::NonAffineAccess(s.text()).into());
        }
        let not_affine = || Reject::new(RejectKind::NonAffineAccess(s.text()));
        match s.kind() {
            ScevKind::Constant => {
                let c = s.constant().ok_or_else(not_affine)?;
                Ok(Translated { poly: Poly::constant(c), exact: true })
            }
            ScevKind::Unknown => {
                let value = s.value().ok_or_else(not_affine)?;
                if s.is_pointer() {
                    return Err(RejectKind::BasePointer.into());
                }
                if let (Some(Opcode::LLVMFreeze), [inner]) = (value.opcode(), value.operands().as_slice())
                    && !(self.outside)(value)
                {
                    return self.frozen(*inner, bits, domain);
                }
                match self.param(value) {
                    Ok(p) if self.ones.contains(&p) => Ok(Translated { poly: Poly::constant(1), exact: true }),
                    Ok(p) => Ok(Translated { poly: Poly::symbol(Symbol::Param(p)), exact: true }),
                    Err(_)
                        if value.is_exact()
                            && let Some((formula, known)) = formula::of_extent(self, value)? =>
                    {
                        let p = self.computed(formula, Some(known))?.ok_or_else(not_affine)?;
                        Ok(Translated { poly: Poly::symbol(Symbol::Param(p)), exact: true })
                    }
                    Err(_) if formula::is_signed_quotient(value) => match self.derived(s) {
                        Ok(p) => Ok(Translated { poly: Poly::symbol(Symbol::Param(p)), exact: true }),
                        Err(_) => self.signed_quotient(value, domain)?.ok_or_else(not_affine),
                    },
                    Err(_) if value.opcode() == Some(Opcode::LLVMAShr) => {
                        self.shifted(value, bits, domain)?.ok_or_else(not_affine)
                    }
                    Err(_) => match self.joined(value, domain)? {
                        Some(found) => Ok(found),
                        None => {
                            if let Some(poly) = self.decided(s, domain)? {
                                return Ok(Translated { poly, exact: true });
                            }
                            if let Some(value) = self.chosen(s, domain)? {
                                return self.congruent(value, domain);
                            }
                            self.remainder(value, domain)?.ok_or_else(not_affine)
                        }
                    },
                }
            }
            ScevKind::Add | ScevKind::Mul => {
                let is_add = s.kind() == ScevKind::Add;
                let mut poly = Poly::constant(i64::from(!is_add));
                let mut exact = true;
                for operand in s.operands() {
                    let t = self.translate(operand, domain)?;
                    poly = if is_add { poly.add(&t.poly) } else { poly.mul(&t.poly) }.ok_or_else(overflow)?;
                    exact &= t.exact;
                }
                let exact = exact && (s.no_signed_wrap() || self.fits(&poly, bits));
                Ok(Translated { poly, exact })
            }
            ScevKind::AddRec => {
                let operands = s.operands();
                if let ([start, step, second], Some(l)) = (operands.as_slice(), s.recurrence_loop()) {
                    return self.quadratic(s, [*start, *step, *second], l, domain);
                }
                let ([start, step], Some(l)) = (operands.as_slice(), s.recurrence_loop()) else {
                    return Err(not_affine());
                };
                let Some(index) = self.loop_index(l) else {
                    return self.outer_recurrence(s, l).ok_or_else(not_affine);
                };
                if let Some(firsts) = self.loops[index.0].later.clone() {
                    return self.later_recurrence(s, [*start, *step], (index, &firsts), domain);
                }
                let start = self.translate(*start, domain)?;
                let step = self.translate(*step, domain)?;
                let walk = step.poly.mul(&division::counter(self, index)).ok_or_else(overflow)?;
                let poly = start.poly.add(&walk).ok_or_else(overflow)?;
                let exact = start.exact && step.exact && (s.no_signed_wrap() || self.fits(&poly, bits));
                Ok(Translated { poly, exact })
            }
            ScevKind::SignExtend => {
                let inner = self.operand(s, domain)?;
                let inner = self.make_exact(s, inner, domain)?;
                Ok(Translated { poly: inner, exact: true })
            }
            ScevKind::ZeroExtend => {
                let inner = self.operand(s, domain)?;
                // Some low bits of a counter.
                let low = s.operands().first().map_or(64, |o| self.analyses.scev_bits(*o));
                if low <= 4
                    && !self.fits(&inner.poly, low)
                    && let Some(rest) = division::remainder(self, &inner.poly, 1 << low)
                {
                    return Ok(Translated { poly: rest, exact: true });
                }
                // A condition from before the region is -1 or 0.
                if low == 1 && inner.exact && inner.poly.is_invariant() {
                    return Ok(Translated { poly: inner.poly.scale(-1).ok_or_else(overflow)?, exact: true });
                }
                if !self.fits(&inner.poly, low)
                    && !inner.poly.is_invariant()
                    && let Some(poly) = self.low_bits(&inner.poly, low, domain)?
                {
                    return Ok(Translated { poly, exact: true });
                }
                if low <= 4 && !self.fits(&inner.poly, low) && !inner.poly.is_invariant() {
                    return Err(RejectKind::MayWrap(s.text()).into());
                }
                let inner = self.make_exact(s, inner, domain)?;
                bounds::require(self, &inner, domain, &|| RejectKind::MayWrap(s.text()))?;
                Ok(Translated { poly: inner, exact: true })
            }
            ScevKind::Truncate => {
                let inner = self.operand(s, domain)?;
                let exact = inner.exact && self.fits(&inner.poly, bits);
                Ok(Translated { poly: inner.poly, exact })
            }
            ScevKind::SMax | ScevKind::SMin | ScevKind::UMax | ScevKind::UMin | ScevKind::SequentialUMin => {
                self.extremum(s, domain)
            }
            ScevKind::UDiv => {
                let operands = s.operands();
                let [e, d] = operands.as_slice() else { return Err(not_affine()) };
                let by = self.exact(*d, domain)?;
                let e = self.exact(*e, domain)?;
                if let Some(d) = by.as_constant().filter(|&d| d > 0)
                    && let Some(quotient) = self.quotient(&e, d, domain, &|| RejectKind::MayWrap(s.text()))?
                {
                    return Ok(quotient);
                }
                if let Some(times @ 0..) = self.times(&e, &by, domain)? {
                    return Ok(Translated { poly: Poly::constant(times), exact: true });
                }
                d.constant().filter(|&d| d > 0).ok_or_else(not_affine)?;
                let p = self.derived(s).map_err(|_| not_affine())?;
                Ok(Translated { poly: Poly::symbol(Symbol::Param(p)), exact: true })
            }
            ScevKind::Other => Err(not_affine()),
        }
    }

    /// `floor(poly / by)` of a number that is made sure not to be negative. `None`: that is no polynomial.
    fn quotient(
        &mut self,
        poly: &Poly,
        by: i64,
        domain: &Domain,
        complaint: &dyn Fn() -> RejectKind,
    ) -> Raise<Option<Translated>> {
        let Some(quotient) = division::quotient(self, poly, by) else { return Ok(None) };
        bounds::require(self, poly, domain, complaint)?;
        Ok(Some(Translated { poly: quotient, exact: true }))
    }

    /// The same of a division with a sign in the region, of which scalar evolution knows nothing.
    fn signed_quotient(&mut self, value: Value, domain: &Domain) -> Raise<Option<Translated>> {
        let operands = value.operands();
        let [x, by] = operands.as_slice() else { return Ok(None) };
        let Some(by) = by.constant_int().filter(|by| *by > 0) else { return Ok(None) };
        let x = self.exact_value(*x, domain)?;
        self.quotient(&x, by, domain, &|| RejectKind::MayWrap(describe(value)))
    }

    /// How far a recurrence over a loop of the region is from its start; `None`: it is no such.
    ///
    /// # Errors
    /// The step is no polynomial; overflow.
    pub fn walked(&mut self, s: Scev, domain: &Domain) -> Raise<Option<Poly>> {
        let (operands, l) = (s.operands(), s.recurrence_loop());
        let ([_, step], Some(index)) = (operands.as_slice(), l.and_then(|l| self.loop_index(l))) else {
            return Ok(None);
        };
        if self.loops[index.0].later.is_some() {
            return Ok(None);
        }
        let step = self.exact(*step, domain)?;
        step.mul(&division::counter(self, index)).map(Some).ok_or_else(overflow)
    }

    /// A value frozen in the region. Where it is poison anything will do: what its polynomial is modulo `2^bits`. That the polynomial fits must not come from flags.
    fn frozen(&mut self, inner: Value, bits: u32, domain: &Domain) -> Raise<Translated> {
        let poly = self.congruent(inner, domain)?.poly;
        let exact = self.fits(&poly, bits);
        Ok(Translated { poly, exact })
    }

    fn operand(&mut self, s: Scev, domain: &Domain) -> Raise<Translated> {
        match s.operands().first() {
            Some(&inner) => self.translate(inner, domain),
            None => Err(RejectKind::NonAffineAccess(s.text()).into()),
        }
    }

    /// The signed value of the operand of an extension.
    fn make_exact(&mut self, s: Scev, inner: Translated, domain: &Domain) -> Raise<Poly> {
        let bits = s.operands().first().map_or(64, |o| self.analyses.scev_bits(*o));
        self.settle(inner, bits, domain, &|| RejectKind::MayWrap(s.text()))
    }

    /// The signed value of something `bits` wide: being congruent to it and in range is enough. Proved, or assumed of the parameters.
    fn settle(&mut self, t: Translated, bits: u32, domain: &Domain, complaint: &dyn Fn() -> RejectKind) -> Raise<Poly> {
        if t.exact || self.fits(&t.poly, bits) {
            return Ok(t.poly);
        }
        if !t.poly.is_affine() {
            let square = || RejectKind::NonAffineAccess(t.poly.text(|s| self.symbol_name(s)));
            let worse = (bits > 62 && t.poly.has_triangle()).then(square);
            let complaint = || worse.clone().unwrap_or_else(complaint);
            return self.settle_product(t.poly, 1i64 << (bits.min(62) - 1), domain, &complaint);
        }
        self.require_fits(&t.poly, bits, domain, complaint)?;
        Ok(t.poly)
    }

    /// Makes an affine number fit its bits, with a sign, on the domain: proves it, or assumes it of the parameters.
    ///
    /// # Errors
    /// `complaint` when there is no such assumption.
    pub fn require_fits(
        &mut self,
        poly: &Poly,
        bits: u32,
        domain: &Domain,
        complaint: &dyn Fn() -> RejectKind,
    ) -> Raise<()> {
        if self.fits(poly, bits) {
            return Ok(());
        }
        if bits > 62 {
            return Err(complaint().into());
        }
        let half = 1i64 << (bits - 1);
        let above = poly.add(&Poly::constant(half)).ok_or_else(overflow)?;
        let below = Poly::constant(half - 1).sub(poly).ok_or_else(overflow)?;
        // The ranges of the parameters take part in this proof, and in no other: their bounds are large numbers.
        let mut ranged = domain.clone();
        for (k, p) in self.params.iter().enumerate() {
            let v = Poly::symbol(Symbol::Param(ParamIndex(k)));
            ranged.rows.push(Row::ge(v.sub(&Poly::constant(p.range.0)).ok_or_else(overflow)?));
            ranged.rows.push(Row::ge(Poly::constant(p.range.1).sub(&v).ok_or_else(overflow)?));
        }
        self.require_for_all_sizes(&above, &ranged, complaint)?;
        self.require_for_all_sizes(&below, &ranged, complaint)
    }

    /// [`Self::settle`] for products.
    fn settle_product(
        &mut self,
        poly: Poly,
        half: i64,
        domain: &Domain,
        complaint: &dyn Fn() -> RejectKind,
    ) -> Raise<Poly> {
        let above = poly.add(&Poly::constant(half)).ok_or_else(overflow)?;
        let below = Poly::constant(half - 1).sub(&poly).ok_or_else(overflow)?;
        bounds::require(self, &above, domain, complaint)?;
        bounds::require(self, &below, domain, complaint)?;
        Ok(poly)
    }

    /// Polynomial of an LLVM value at a place.
    ///
    /// # Errors
    /// Not a polynomial, or an extension of something that may wrap.
    pub fn congruent(&mut self, value: Value, domain: &Domain) -> Raise<Translated> {
        let s = self.analyses.scev(value).ok_or_else(|| Reject::new(RejectKind::NonAffineAccess(describe(value))))?;
        self.translate(s, domain)
    }

    /// Exact signed value of an LLVM value at a place.
    ///
    /// # Errors
    /// Not affine, may wrap.
    pub fn exact_value(&mut self, value: Value, domain: &Domain) -> Raise<Poly> {
        let s = self.analyses.scev(value).ok_or_else(|| Reject::new(RejectKind::NonAffineAccess(describe(value))))?;
        self.exact(s, domain)
    }

    /// Exact signed value of an LLVM value at a place; where flags and intervals do not tell that its 64 bits suffice, it is made sure to have fewer.
    ///
    /// # Errors
    /// Not a polynomial, may wrap.
    pub fn exact_or_small(&mut self, value: Value, domain: &Domain) -> Raise<Poly> {
        let t = self.congruent(value, domain)?;
        let bits = value.ty().integer_bits().unwrap_or(64);
        let complaint = || RejectKind::MayWrap(describe(value));
        if bits > 62 && !t.exact && !self.fits(&t.poly, bits) {
            return self.settle_product(t.poly, 1 << 62, domain, &complaint);
        }
        self.settle(t, bits, domain, &complaint)
    }

    /// Exact signed value of an expression at a place.
    ///
    /// # Errors
    /// Not affine, may wrap.
    pub fn exact(&mut self, s: Scev, domain: &Domain) -> Raise<Poly> {
        let t = self.translate(s, domain)?;
        let bits = self.analyses.scev_bits(s);
        self.settle(t, bits, domain, &|| RejectKind::MayWrap(s.text()))
    }

    /// Exact signed value of an index that an address is computed from, by its instructions: scalar evolution forgets that their sums and products do not wrap.
    /// A wrap would make the address poison and its use undefined, so the flags hold for every access that is executed.
    ///
    /// # Errors
    /// Not a polynomial, may wrap.
    pub fn index_value(&mut self, value: Value, domain: &Domain, fuel: u32) -> Raise<Poly> {
        let first = self.exact_value(value, domain);
        if first.is_ok() || fuel == 0 || !value.is_instruction() {
            return first;
        }
        let operands = value.operands();
        let combined = match (value.opcode(), operands.as_slice()) {
            (Some(Opcode::LLVMSExt), [x]) => return self.index_value(*x, domain, fuel - 1),
            (Some(op @ (Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul)), [x, y])
                if value.never_wraps_signed() =>
            {
                let x = self.index_value(*x, domain, fuel - 1)?;
                let y = self.index_value(*y, domain, fuel - 1)?;
                match op {
                    Opcode::LLVMAdd => x.add(&y),
                    Opcode::LLVMSub => x.sub(&y),
                    _ => x.mul(&y),
                }
            }
            _ => return first,
        };
        combined.ok_or_else(overflow)
    }
}

/// Does the row pick special values of the parameters?
fn is_special(row: &Row) -> bool {
    row.kind == Kind::Eq && row.poly.is_invariant()
}

/// A short description of a value for messages.
#[must_use]
pub fn describe(value: Value) -> String {
    let name = value.name();
    if name.is_empty() { "an intermediate value".into() } else { format!("'{name}'") }
}

/// The iterators in a monomial.
#[must_use]
pub fn iterators_of(m: &Monomial) -> Vec<LoopIndex> {
    m.iter().filter_map(|s| if let Symbol::Iterator(l) = s { Some(*l) } else { None }).collect()
}
