//! Numbers that are no polynomials but do not change in the region: `(n - 1) / step`, the least of two sizes, a product that bounds a loop.
//!
//! Such a number becomes a parameter of its own, computed in front of the run-time checks exactly as scalar evolution says, in its width, modulo `2^width`. It may be
//! computed where the program would not have come to it: a divisor of zero is taken for one, and what the parameter says is used only by code that the program
//! would have reached too.

use super::facts::Facts;
use super::poly::ParamIndex;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Opcode, Scev, ScevKind, Value};
use llvm_sys::LLVMIntPredicate as P;

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
    /// An address from before the region, or one that a load gives which is made there whenever the region is entered.
    Address(Value),
    /// Sum.
    Add(Vec<Formula>),
    /// Product.
    Mul(Vec<Formula>),
    /// Unsigned quotient.
    Quotient(Box<Formula>, Box<Formula>),
    /// Signed quotient, towards zero, by a number that is neither 0 nor -1.
    SignedQuotient(Box<Formula>, i64),
    /// To another width: extended by zeros or the sign, or cut.
    Resize {
        /// The number.
        inner: Box<Formula>,
        /// Extended by its sign?
        signed: bool,
    },
    /// A number of one bit, which is set if the first is the second, or less than it.
    Compare {
        /// The numbers, of the same width.
        sides: Box<[Formula; 2]>,
        /// How.
        how: Comparison,
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

/// A comparison of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `a = b`
    Equal,
    /// `a <= b`, signed or not
    LessEqual {
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

    /// The addresses that it is computed with.
    #[must_use]
    pub fn addresses(&self) -> Vec<Value> {
        let parts: Vec<&Self> = match &self.kind {
            FormulaKind::Address(pointer) => return vec![*pointer],
            FormulaKind::Constant(_) | FormulaKind::Param(_) => Vec::new(),
            FormulaKind::Add(list) | FormulaKind::Mul(list) | FormulaKind::Extremum { list, .. } => {
                list.iter().collect()
            }
            FormulaKind::Quotient(a, b) => vec![a, b],
            FormulaKind::SignedQuotient(inner, _) | FormulaKind::Resize { inner, .. } => vec![inner],
            FormulaKind::Compare { sides, .. } => sides.iter().collect(),
        };
        parts.into_iter().flat_map(Self::addresses).collect()
    }

    /// The other number of one bit.
    #[must_use]
    pub fn opposite(self) -> Self {
        let one = Self { bits: 1, kind: FormulaKind::Constant(1) };
        Self { bits: 1, kind: FormulaKind::Add(vec![self, one]) }
    }
}

/// Whether a condition holds, as a number of one bit.
///
/// # Errors
/// It is no comparison of integers that do not change in the region; budget.
pub fn of_condition(facts: &mut Facts, condition: Value) -> Raise<Formula> {
    if let Ok(known) = facts.param(condition) {
        return Ok(Formula { bits: 1, kind: FormulaKind::Param(known) });
    }
    let refuse = || Reject::new(RejectKind::NonAffineCondition);
    let (operands, predicate) = (condition.operands(), condition.integer_predicate().ok_or_else(refuse)?);
    let [a, b] = operands.as_slice() else { return Err(refuse()) };
    let (a, b) = (facts.analyses.scev(*a).ok_or_else(refuse)?, facts.analyses.scev(*b).ok_or_else(refuse)?);
    let (a, b) = (of(facts, a, 0)?, of(facts, b, 0)?);
    let compare = |a, b, how| Formula { bits: 1, kind: FormulaKind::Compare { sides: Box::new([a, b]), how } };
    let at_most = |a, b, signed| compare(a, b, Comparison::LessEqual { signed });
    Ok(match predicate {
        P::LLVMIntEQ => compare(a, b, Comparison::Equal),
        P::LLVMIntNE => compare(a, b, Comparison::Equal).opposite(),
        P::LLVMIntSLE => at_most(a, b, true),
        P::LLVMIntSGE => at_most(b, a, true),
        P::LLVMIntSLT => at_most(b, a, true).opposite(),
        P::LLVMIntSGT => at_most(a, b, true).opposite(),
        P::LLVMIntULE => at_most(a, b, false),
        P::LLVMIntUGE => at_most(b, a, false),
        P::LLVMIntULT => at_most(b, a, false).opposite(),
        P::LLVMIntUGT => at_most(a, b, false).opposite(),
    })
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
        ScevKind::Unknown => {
            let value = s.value().ok_or_else(refuse)?;
            match facts.param(value) {
                Ok(known) => FormulaKind::Param(known),
                Err(refused) => signed_quotient(facts, value, depth)?.ok_or(refused)?,
            }
        }
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

/// Half of a size (`m / 2`), which scalar evolution has no word for. `None`: it is none, or not by a number for which it is always there.
fn signed_quotient(facts: &mut Facts, value: Value, depth: u32) -> Raise<Option<FormulaKind>> {
    if value.opcode() != Some(Opcode::LLVMSDiv) {
        return Ok(None);
    }
    let operands = value.operands();
    let [a, b] = operands.as_slice() else { return Ok(None) };
    let Some(divisor) = b.constant_int().filter(|d| *d != 0 && *d != -1) else { return Ok(None) };
    let Some(a) = facts.analyses.scev(*a) else { return Ok(None) };
    Ok(Some(FormulaKind::SignedQuotient(Box::new(of(facts, a, depth + 1)?), divisor)))
}

/// How many elements lie between two addresses that are loaded in the region, as `end - begin` of a `std::vector`, and the least and largest number that may be. `None`: it is no such number, or they may change.
///
/// What scalar evolution says of the value holds where the program computes it; two places may have one formula.
///
/// # Errors
/// Budget.
pub fn of_extent(facts: &mut Facts, value: Value) -> Raise<Option<(Formula, (i64, i64))>> {
    facts.look()?;
    let number = |kind| Formula { bits: 64, kind };
    let operands = value.operands();
    let [bytes, by] = operands.as_slice() else { return Ok(None) };
    let Some(by) = by.constant_int().filter(|_| value.is_exact()) else { return Ok(None) };
    let (elements, signed) = match value.opcode() {
        Some(Opcode::LLVMSDiv) if (1..1 << 32).contains(&by) => (by, true),
        Some(Opcode::LLVMAShr) if (0..32).contains(&by) => (1 << by, true),
        Some(Opcode::LLVMLShr) if (0..32).contains(&by) => (1 << by, false),
        _ => return Ok(None),
    };
    let ends = bytes.operands();
    let [end, begin] = ends.as_slice() else { return Ok(None) };
    if bytes.opcode() != Some(Opcode::LLVMSub) || value.ty().integer_bits() != Some(64) {
        return Ok(None);
    }
    let mut address = |v: &Value| {
        let pointer = v.operands().first().copied().filter(|_| v.opcode() == Some(Opcode::LLVMPtrToInt))?;
        facts.address(pointer).map(|loaded| number(FormulaKind::Address(loaded)))
    };
    let (Some(end), Some(begin)) = (address(end), address(begin)) else { return Ok(None) };
    let less = FormulaKind::Mul(vec![number(FormulaKind::Constant(-1)), begin]);
    let bytes = Box::new(number(FormulaKind::Add(vec![end, number(less)])));
    let kind = if signed {
        FormulaKind::SignedQuotient(bytes, elements)
    } else {
        FormulaKind::Quotient(bytes, Box::new(number(FormulaKind::Constant(elements))))
    };
    let range = match (signed, elements) {
        (true, _) => (i64::MIN / elements, i64::MAX / elements),
        (false, 1) => (i64::MIN, i64::MAX),
        (false, _) => (0, i64::MAX / (elements / 2)),
    };
    Ok(Some((number(kind), range)))
}

/// Is a value such a quotient?
pub fn is_signed_quotient(value: Value) -> bool {
    value.opcode() == Some(Opcode::LLVMSDiv) && value.operands().get(1).is_some_and(|d| d.constant_int().is_some())
}
