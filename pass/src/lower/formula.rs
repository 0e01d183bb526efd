//! Numbers that the region needs and that are no polynomials, computed in front of the run-time checks.

use super::hoisted::Hoisted;
use super::{LowerError, Result};
use crate::llvm::Value;
use crate::llvm::build::{Compare, Transaction};
use crate::raise::formula::{Comparison, Formula, FormulaKind};

/// The value of a formula, of its width. `params`: the parameters before it, as numbers of 64 bits.
pub(super) fn compute(t: &mut Transaction, formula: &Formula, params: &[Value], hoisted: &Hoisted) -> Result<Value> {
    let ty = t.int(formula.bits);
    let malformed = || LowerError::Malformed("a formula of nothing");
    let all = |t: &mut Transaction, list: &[Formula]| -> Result<Vec<Value>> {
        list.iter().map(|f| compute(t, f, params, hoisted)).collect()
    };
    Ok(match &formula.kind {
        FormulaKind::Constant(c) => t.constant(ty, (*c).into()),
        FormulaKind::Param(p) => {
            let value = *params.get(p.0).ok_or(LowerError::Malformed("a parameter that is not there"))?;
            t.resize(value, ty)
        }
        FormulaKind::Address(loaded) => t.address(hoisted.get(*loaded), ty),
        FormulaKind::Add(list) => all(t, list)?.into_iter().reduce(|a, b| t.add(a, b)).ok_or_else(malformed)?,
        FormulaKind::Mul(list) => all(t, list)?.into_iter().reduce(|a, b| t.mul(a, b)).ok_or_else(malformed)?,
        FormulaKind::Quotient(a, b) => {
            let (a, b) = (compute(t, a, params, hoisted)?, compute(t, b, params, hoisted)?);
            // The program may not come to this division.
            let (zero, one) = (t.constant(ty, 0), t.constant(ty, 1));
            let none = t.compare(Compare::Equal, b, zero);
            let divisor = t.select(none, one, b);
            t.udiv(a, divisor)
        }
        FormulaKind::SignedQuotient(a, divisor) => {
            let (a, divisor) = (compute(t, a, params, hoisted)?, t.constant(ty, (*divisor).into()));
            t.sdiv(a, divisor)
        }
        FormulaKind::Resize { inner, signed } => {
            let inner = compute(t, inner, params, hoisted)?;
            if *signed { t.resize(inner, ty) } else { t.resize_unsigned(inner, ty) }
        }
        FormulaKind::Compare { sides, how } => {
            let [a, b] = &**sides;
            let (a, b) = (compute(t, a, params, hoisted)?, compute(t, b, params, hoisted)?);
            let how = match how {
                Comparison::Equal => Compare::Equal,
                Comparison::LessEqual { signed: true } => Compare::SignedLessEqual,
                Comparison::LessEqual { signed: false } => Compare::UnsignedLessEqual,
            };
            t.compare(how, a, b)
        }
        FormulaKind::Extremum { list, largest, signed } => {
            let how = if *signed { Compare::SignedLessEqual } else { Compare::UnsignedLessEqual };
            let mut best: Option<Value> = None;
            for v in all(t, list)? {
                best = Some(match best {
                    None => v,
                    Some(a) => {
                        let less = t.compare(how, a, v);
                        if *largest { t.select(less, v, a) } else { t.select(less, a, v) }
                    }
                });
            }
            best.ok_or_else(malformed)?
        }
    })
}
