//! Remainders and quotients of loop counters: `t % 2`, `t / 2`.
//!
//! A loop in which a counter is divided by a constant `M` is modelled as two, `t = M*u + r` with `0 <= r < M`: the order of its iterations stays, and what was a
//! remainder or a quotient is affine in `u` and `r`. `(t + 1) % 2` is `1 - r`; a remainder that is not affine in `r`, like `(t + 1) % 3`, is refused.
//! Where it is that of a sum of two counters, `(i + j) % 2` with `i = 2v + s`, the inner one is counted so that `r` is the remainder: `j = 2u + r - s`.
//! That is only done where the region cannot be modelled otherwise: a remainder that is just a value is computed as it is.

use super::facts::{Domain, Facts, Skew, Split};
use super::poly::{LoopIndex, Poly, Symbol};
use super::region::Region;
use super::reject::{Raise, RejectKind};
use crate::llvm::{Analyses, Loop, Opcode, Scev, ScevKind, Value};

/// Loops are split by at most this.
const MOST: i64 = 1024;

/// The number by which counters of this loop are divided in the region; `None`: by none, or by several.
#[must_use]
pub fn modulus(region: &Region, analyses: Analyses, l: Loop) -> Option<i64> {
    let mut found: Option<i64> = None;
    for &b in region.blocks.iter().filter(|b| l.contains(**b)) {
        for v in b.instructions() {
            let Some((x, m)) = divided(v) else { continue };
            if analyses.scev(x).is_some_and(|s| counts(s, l)) && *found.get_or_insert(m) != m {
                return None;
            }
        }
    }
    found
}

/// Does an expression count the iterations of a loop, alone or with those of loops inside of it (`i + j`)?
fn counts(s: Scev, l: Loop) -> bool {
    let (mut s, mut inside) = (s, false);
    while let (ScevKind::AddRec, [start, step]) = (s.kind(), s.operands().as_slice()) {
        if s.recurrence_loop() == Some(l) {
            return !inside || step.constant().is_some();
        }
        (s, inside) = (*start, true);
    }
    false
}

/// How the iterations of a loop that counters are divided in are counted, so that the remainders of `i + j` are those of its inner iterator: those of the loop around taken off. `None`: from 0.
///
/// # Errors
/// Budget, overflow.
pub fn skew(region: &Region, facts: &mut Facts, l: Loop, by: i64, domain: &Domain) -> Raise<Option<Skew>> {
    let mut found: Option<Option<Skew>> = None;
    for &b in region.blocks.iter().filter(|b| l.contains(**b)) {
        for (x, _) in b.instructions().into_iter().filter_map(divided).filter(|(_, m)| *m == by) {
            let Some(s) = facts.analyses.scev(x).filter(|s| counts(*s, l)) else { continue };
            let (&[start, step], Some(own)) = (s.operands().as_slice(), s.recurrence_loop()) else { continue };
            if own != l {
                continue;
            }
            let own = of_counter(facts, start, step, by, domain)?;
            // Several counters have to agree.
            if *found.get_or_insert(own) != own {
                return Ok(None);
            }
        }
    }
    Ok(found.flatten())
}

fn of_counter(facts: &mut Facts, start: Scev, step: Scev, by: i64, domain: &Domain) -> Raise<Option<Skew>> {
    let before = facts.checkpoint();
    let start = match facts.translate(start, domain) {
        Err(r) if matches!(r.kind, RejectKind::Budget | RejectKind::Overflow) => return Err(r),
        Err(_) => {
            facts.restore(&before);
            return Ok(None);
        }
        Ok(start) => start.poly,
    };
    let Some(Residue { symbol: Symbol::Iterator(of), factor, size }) =
        Parts::of(facts, &start, by).and_then(|p| p.residue)
    else {
        return Ok(None);
    };
    let turn = match step.constant() {
        Some(step @ (1 | -1)) => factor * step,
        _ => return Ok(None),
    };
    Ok(match turn.rem_euclid(by) {
        _ if size != by => None,
        1 => Some(Skew { of, constant: 0, factor: 1 }),
        rest if rest == by - 1 => Some(Skew { of, constant: by, factor: -1 }),
        _ => None,
    })
}

/// Do such remainders decide of what runs in the region?
#[must_use]
pub fn decide(region: &Region, analyses: Analyses) -> bool {
    let of_a_counter = |v: Value| {
        let s = divided(v).and_then(|(x, _)| analyses.scev(x));
        s.is_some_and(|s| region.loops.iter().any(|l| counts(s, *l)))
    };
    region.blocks.iter().any(|b| {
        let condition = b.terminator().and_then(Value::conditional_branch).map(|(condition, ..)| condition);
        condition.is_some_and(|c| of_a_counter(c) || c.operands().into_iter().any(of_a_counter))
    })
}

/// What an instruction divides, and by what.
fn divided(v: Value) -> Option<(Value, i64)> {
    let operation = v.opcode()?;
    let by = |m: i64| (2..=MOST).contains(&m).then_some(m);
    if operation == Opcode::LLVMTrunc {
        let &[x] = v.operands().as_slice() else { return None };
        return (v.ty().integer_bits() == Some(1)).then_some((x, 2));
    }
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
pub fn counter(facts: &Facts, index: LoopIndex) -> Poly {
    facts.loops[index.0].split.and_then(|split| number(index, split)).unwrap_or(Poly::symbol(Symbol::Iterator(index)))
}

/// The number of the iteration of a loop that is split. `None`: overflow.
#[must_use]
pub fn number(index: LoopIndex, split: Split) -> Option<Poly> {
    let number = Poly::symbol(Symbol::Iterator(index)).scale(split.by)?;
    let number = number.add(&Poly::symbol(Symbol::Iterator(split.residue)))?;
    let Some(Skew { of, constant, factor }) = split.skew else { return Some(number) };
    number.sub(&Poly::constant(constant))?.sub(&Poly::symbol(Symbol::Iterator(of)).scale(factor)?)
}
