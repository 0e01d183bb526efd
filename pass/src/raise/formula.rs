//! Numbers that are no polynomials but do not change in the region: `(n - 1) / step`, the least of two sizes, a product that bounds a loop.
//!
//! Such a number becomes a parameter of its own, computed in front of the run-time checks exactly as scalar evolution says, in its width, modulo `2^width`. It may be
//! computed where the program would not have come to it: a divisor of zero is taken for one, and what the parameter says is used only by code that the program
//! would have reached too.

use super::facts::Facts;
use super::poly::ParamIndex;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Scev, ScevKind};

/// How deep a formula may be.
const DEEPEST: u32 = 8;

/// A formula and its width in bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// Width of the result.
    pub bits: u32,
    /// What it is.
    pub kind: FormulaKind,
}

/// What a formula computes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormulaKind {
    /// A number.
    Constant(i64),
    /// A parameter found earlier, of that width.
    Param(ParamIndex),
    /// Sum.
    Add(Vec<Formula>),
    /// Product.
    Mul(Vec<Formula>),
    /// Unsigned quotient.
    Quotient(Box<Formula>, Box<Formula>),
    /// To another width: extended by zeros or the sign, or cut.
    Resize {
        /// The number.
        inner: Box<Formula>,
        /// Extended by its sign?
        signed: bool,
    },
    /// Largest or least.
    Extremum {
        /// The numbers.
        list: Vec<Formula>,
        /// The largest?
        largest: bool,
        /// As signed numbers?
        signed: bool,
    },
}

impl Formula {
    /// The product of parameters, modulo 2^64.
    #[must_use]
    pub fn product(factors: &[ParamIndex]) -> Self {
        let list = factors.iter().map(|&p| Self { bits: 64, kind: FormulaKind::Param(p) }).collect();
        Self { bits: 64, kind: FormulaKind::Mul(list) }
    }
}

/// The formula of an expression; its unknowns become parameters.
///
/// # Errors
/// Something in it changes in the region, or it is too deep; budget.
pub fn of(facts: &mut Facts, s: Scev, depth: u32) -> Raise<Formula> {
    let refuse = || Reject::new(RejectKind::NonAffineBound(s.text()));
    facts.look()?;
    let bits = facts.analyses.scev_bits(s);
    if bits > 64 || depth > DEEPEST || s.is_pointer() {
        return Err(refuse());
    }
    let mut list = Vec::new();
    if !matches!(s.kind(), ScevKind::AddRec | ScevKind::Unknown | ScevKind::Constant) {
        for operand in s.operands() {
            list.push(of(facts, operand, depth + 1)?);
        }
    }
    let only = |mut list: Vec<Formula>| list.pop().map(Box::new).ok_or_else(refuse);
    let extremum = |list, largest, signed| FormulaKind::Extremum { list, largest, signed };
    let kind = match s.kind() {
        ScevKind::Constant => FormulaKind::Constant(s.constant().ok_or_else(refuse)?),
        ScevKind::Unknown => FormulaKind::Param(facts.param(s.value().ok_or_else(refuse)?)?),
        ScevKind::AddRec => {
            let phi = s
                .recurrence_loop()
                .into_iter()
                .flat_map(|l| l.header().phis())
                .find(|&p| facts.analyses.scev(p) == Some(s));
            FormulaKind::Param(facts.param(phi.ok_or_else(refuse)?)?)
        }
        ScevKind::Add => FormulaKind::Add(list),
        ScevKind::Mul => FormulaKind::Mul(list),
        ScevKind::UDiv => {
            let divisor = list.pop().map(Box::new).ok_or_else(refuse)?;
            FormulaKind::Quotient(only(list)?, divisor)
        }
        ScevKind::ZeroExtend | ScevKind::Truncate => FormulaKind::Resize { inner: only(list)?, signed: false },
        ScevKind::SignExtend => FormulaKind::Resize { inner: only(list)?, signed: true },
        ScevKind::SMax => extremum(list, true, true),
        ScevKind::SMin => extremum(list, false, true),
        ScevKind::UMax => extremum(list, true, false),
        ScevKind::UMin => extremum(list, false, false),
        // What comes later in it may be poison where the first is zero: freezing its unknowns would not help.
        ScevKind::SequentialUMin | ScevKind::Other => return Err(refuse()),
    };
    Ok(Formula { bits, kind })
}
