//! Remainders and quotients of loop counters: `t % 2`, `t / 2`.
//!
//! A loop in which a counter is divided by a constant `M` is modelled as two, `t = M*u + r` with `0 <= r < M`: the order of its iterations stays, and what was a
//! remainder or a quotient is affine in `u` and `r`. `(t + 1) % 2` is `1 - r`; a remainder that is not affine in `r`, like `(t + 1) % 3`, is refused.
//! That is only done where the region cannot be modelled otherwise: a remainder that is just a value is computed as it is.

use super::facts::{Facts, Split};
use super::poly::{Poly, Symbol};
use super::region::Region;
use crate::llvm::{Analyses, Loop, Opcode, ScevKind, Value};

/// Loops are split by at most this.
const MOST: i64 = 16;

/// The number by which counters of this loop are divided in the region; `None`: by none, or by several.
#[must_use]
pub fn modulus(region: &Region, analyses: Analyses, l: Loop) -> Option<i64> {
    let mut found: Option<i64> = None;
    for &b in region.blocks.iter().filter(|b| l.contains(**b)) {
        for v in b.instructions() {
            let Some((x, m)) = divided(v) else { continue };
            let counts = analyses.scev(x).is_some_and(|s| {
                s.kind() == ScevKind::AddRec && s.operands().len() == 2 && s.recurrence_loop() == Some(l)
            });
            if counts && *found.get_or_insert(m) != m {
                return None;
            }
        }
    }
    found
}

/// What an instruction divides, and by what.
fn divided(v: Value) -> Option<(Value, i64)> {
    let operation = v.opcode()?;
    let by = |m: i64| (2..=MOST).contains(&m).then_some(m);
    match operation {
        Opcode::LLVMAnd
        | Opcode::LLVMURem
        | Opcode::LLVMSRem
        | Opcode::LLVMUDiv
        | Opcode::LLVMSDiv
        | Opcode::LLVMLShr => {}
        _ => return None,
    }
    let operands = v.operands();
    let [x, c] = operands.as_slice() else { return None };
    let c = c.constant_int()?;
    let m = match operation {
        Opcode::LLVMAnd => by(c.checked_add(1)?).filter(|m| m & (m - 1) == 0),
        Opcode::LLVMLShr => by(1i64.checked_shl(u32::try_from(c).ok()?)?),
        _ => by(c),
    };
    m.map(|m| (*x, m))
}

/// A polynomial split by a divisor `m`: `m * whole + factor * r + constant`, where `r` is the inner iterator of a split loop.
struct Parts {
    whole: Poly,
    constant: i64,
    residue: Option<Residue>,
}

/// `factor * r` with `0 <= r < size`.
struct Residue {
    symbol: Symbol,
    factor: i64,
    size: i64,
}

impl Parts {
    /// `None`: more than constants and one such iterator is left.
    fn of(facts: &Facts, poly: &Poly, m: i64) -> Option<Self> {
        let mut out = Self { whole: Poly::default(), constant: 0, residue: None };
        for (monomial, c) in poly.terms() {
            let rest = c.rem_euclid(m);
            out.whole = out.whole.add(&Poly::term(monomial.clone(), c.div_euclid(m)))?;
            match (monomial.as_slice(), rest) {
                (_, 0) => {}
                ([], rest) => out.constant = rest,
                ([symbol @ Symbol::Iterator(l)], factor) if out.residue.is_none() => {
                    let size = facts.loops[l.0].residue_of?;
                    out.residue = Some(Residue { symbol: *symbol, factor, size });
                }
                _ => return None,
            }
        }
        Some(out)
    }

    /// An affine form of `r` that takes the values of `f` of what is left wherever `r` can be.
    fn interpolate(&self, f: impl Fn(i64) -> i64) -> Option<Poly> {
        let Some(Residue { symbol, factor, size }) = self.residue else {
            return Some(Poly::constant(f(self.constant)));
        };
        let at = |r: i64| f(self.constant + factor * r);
        let (first, step) = (at(0), at(1) - at(0));
        if (0..size).any(|r| at(r) != first + step * r) {
            return None;
        }
        Poly::constant(first).add(&Poly::symbol(symbol).scale(step)?)
    }
}

/// `poly mod m`.
#[must_use]
pub fn remainder(facts: &Facts, poly: &Poly, m: i64) -> Option<Poly> {
    Parts::of(facts, poly, m)?.interpolate(|x| x.rem_euclid(m))
}

/// `floor(poly / m)`.
#[must_use]
pub fn quotient(facts: &Facts, poly: &Poly, m: i64) -> Option<Poly> {
    let parts = Parts::of(facts, poly, m)?;
    parts.whole.add(&parts.interpolate(|x| x.div_euclid(m))?)
}

/// The number of the iteration of a loop that may be split.
#[must_use]
pub fn counter(facts: &Facts, index: super::poly::LoopIndex) -> Poly {
    let outer = Poly::symbol(Symbol::Iterator(index));
    let both = |split: Split| outer.scale(split.by)?.add(&Poly::symbol(Symbol::Iterator(split.residue)));
    facts.loops[index.0].split.and_then(both).unwrap_or(outer)
}
