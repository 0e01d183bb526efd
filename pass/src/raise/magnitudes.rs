//! Products of complex numbers that are computed anew where both parts are NaN.
//!
//! **Problem.** C (ISO C, Annex G.5.1) wants infinities for products that have come out as two NaNs although a factor is infinite. So behind every product of complex numbers the compiler asks whether both parts are NaN, and calls a function of
//! its run-time library then: data decide, and a call stands in the innermost loop.
//!
//! **Method.** The blocks in which such a product is computed anew are no part of a region, like those that side exits lead to (`complex_products.cpp` in the shim finds them; unlike those they come back). That none of them is reached is
//! known if no part is NaN, and so it is if all numbers that it is computed from are finite and not too large: what is a sum of products of `d` numbers below `2^b` each lies below `2^(d b + s)`, where `s` counts sums that lie in one another; rounding takes
//! nothing beyond a power of two. That the factors are that small is looked at before the region ([`mod@looks`]).
//!
//! Where some factor is too large, infinite or NaN the original loops run.

use super::accesses::Accesses;
use super::facts::{Domain, Facts};
use super::indirect::Model;
use super::looks::{self, Asked, Look, Question};
use super::region::Region;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Opcode, Value};

/// A number that must not be NaN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// The number.
    value: Value,
    /// Where the program asks.
    domain: Domain,
}

/// A number from before the region of which the magnitude is bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounded {
    /// The number.
    pub value: Value,
    /// The bits of the largest magnitude.
    pub most: u64,
}

/// More operations than these no product has.
const MOST_OPERATIONS: usize = 64;

/// Makes a comparison that asks whether numbers are NaN say no on a domain.
///
/// # Errors
/// Data decide whether the program asks.
pub(super) fn assume_numbers(condition: Value, domain: &Domain, facts: &mut Facts) -> Raise<()> {
    if !domain.conditions.is_empty() {
        return Err(refused("data decide whether it is computed"));
    }
    for value in condition.operands().into_iter().filter(|v| !v.is_null()) {
        let number = Number { value, domain: domain.clone() };
        if !facts.numbers.contains(&number) {
            facts.numbers.push(number);
        }
    }
    Ok(())
}

fn refused(what: &'static str) -> Reject {
    RejectKind::ComplexProduct(what).into()
}

/// What has to be looked at before the region: cells, and numbers from before it.
///
/// # Errors
/// Numbers that the region computes in other ways than by sums and products; as [`looks::looks`].
pub(super) fn looks(
    region: &Region,
    facts: &Facts,
    accesses: &Accesses,
    model: &Model,
) -> Raise<(Vec<Look>, Vec<Bounded>)> {
    // Where a product is computed anew the program may change what it is to read next.
    if !facts.numbers.is_empty() && facts.analyses.stores_aside() && !facts.hoisted.is_empty() {
        return Err(refused("addresses or sizes are in memory"));
    }
    let mut asked: Vec<Asked> = Vec::new();
    let mut bounded: Vec<Bounded> = Vec::new();
    for Number { value, domain } in &facts.numbers {
        let mut factors = Factors { region, found: Vec::new(), operations: 0 };
        let size = factors.size(*value)?;
        for factor in factors.found {
            let most = size.most(*value, factor).ok_or_else(|| refused("they are of an unknown format"))?;
            if factor.opcode() == Some(Opcode::LLVMLoad) && !region.is_outside(factor) {
                let question = Question::Magnitude { most };
                asked.push(Asked { question, load: factor, domain });
            } else {
                match bounded.iter_mut().find(|b| b.value == factor) {
                    Some(known) => known.most = most.min(known.most),
                    None => bounded.push(Bounded { value: factor, most }),
                }
            }
        }
    }
    Ok((looks::looks(facts, accesses, model, &asked, &refused)?, bounded))
}

/// Below `2^(factors * b + sums)`, if all factors are below `2^b`.
#[derive(Clone, Copy)]
struct Size {
    factors: u64,
    sums: u64,
}

impl Size {
    /// The bits of the largest magnitude that a factor of a number may have.
    fn most(self, number: Value, factor: Value) -> Option<u64> {
        let (_, one) = number.ty().bits_of_one()?;
        let exponents: u64 = if one == 1f64.to_bits() { 1023 } else { 127 };
        let most = exponents.checked_sub(self.sums)?.checked_div(self.factors)?;
        // One more is infinity.
        match factor.ty().bits_of_one()? {
            (64, one) => Some(one + (most << 52)),
            (_, one) => Some(one + (most.min(127) << 23)),
        }
    }
}

/// What a number is computed from.
struct Factors<'r> {
    region: &'r Region,
    found: Vec<Value>,
    operations: usize,
}

impl Factors<'_> {
    fn size(&mut self, value: Value) -> Raise<Size> {
        const COMPUTED: &str = "the loops compute them";
        self.operations += 1;
        if self.operations > MOST_OPERATIONS {
            return Err(refused("they are too many"));
        }
        let operands = value.operands();
        let is_factor = self.region.is_outside(value) || value.opcode() == Some(Opcode::LLVMLoad);
        match (value.opcode(), operands.as_slice()) {
            _ if is_factor => {
                if !self.found.contains(&value) {
                    self.found.push(value);
                }
                Ok(Size { factors: 1, sums: 0 })
            }
            (Some(Opcode::LLVMFMul), [a, b]) => {
                let (a, b) = (self.size(*a)?, self.size(*b)?);
                Ok(Size { factors: a.factors.saturating_add(b.factors), sums: a.sums.saturating_add(b.sums) })
            }
            (Some(Opcode::LLVMFAdd | Opcode::LLVMFSub), [a, b]) => {
                let (a, b) = (self.size(*a)?, self.size(*b)?);
                Ok(Size { factors: a.factors.max(b.factors), sums: a.sums.max(b.sums).saturating_add(1) })
            }
            (Some(Opcode::LLVMFNeg | Opcode::LLVMFPExt), [a]) => self.size(*a),
            // All ways that the region takes bring the same.
            (Some(Opcode::LLVMPHI), _) => match self.region.brought(value).as_slice() {
                [(first, _), others @ ..] if others.iter().all(|(other, _)| other == first) => self.size(*first),
                _ => Err(refused(COMPUTED)),
            },
            _ => Err(refused(COMPUTED)),
        }
    }
}
