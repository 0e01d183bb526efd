//! What integer operations yield as numbers, and which operation on fewer bits yields the same.
//!
//! A value of few bits stands for a number in one of two ways, signed or unsigned. A sum, product or choice is right in either whatever its operands stand for, as long as their low bits are those of
//! the numbers. What looks at the number itself (a comparison, a shift to the right, a quotient, an extremum) needs operands that stand for it in the same way: then the operation
//! on fewer bits is the one with that sign.

use llvm_sys::LLVMIntPredicate as Predicate;

/// All numbers from the first to the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least.
    pub low: i128,
    /// The largest.
    pub high: i128,
}

/// An integer operation. Shifts and divisions are by constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a << b`
    ShiftLeft,
    /// `a >> b`, zeros or the sign from the left
    ShiftRight {
        /// The sign?
        signed: bool,
    },
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `a / b`
    Quotient {
        /// Of signed numbers?
        signed: bool,
    },
    /// `a % b`
    Remainder {
        /// Of signed numbers?
        signed: bool,
    },
    /// The lesser or the larger one
    Extremum {
        /// The larger?
        largest: bool,
        /// Of signed numbers?
        signed: bool,
    },
    /// `|a|`
    Magnitude,
    /// One of the two, by a condition.
    Choice,
}

impl Range {
    /// One number.
    #[must_use]
    pub fn of(number: i128) -> Self {
        Self { low: number, high: number }
    }

    /// All numbers of so many bits, at most 64.
    #[must_use]
    pub fn of_bits(bits: u32, signed: bool) -> Self {
        if signed {
            Self { low: -(1 << (bits - 1)), high: (1 << (bits - 1)) - 1 }
        } else {
            Self { low: 0, high: (1 << bits) - 1 }
        }
    }

    /// Is every number in the other range?
    #[must_use]
    pub fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Do so many bits hold every number, in this way?
    #[must_use]
    pub fn fits(self, bits: u32, signed: bool) -> bool {
        self.is_within(Self::of_bits(bits, signed))
    }

    fn constant(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    fn is_negative(self) -> bool {
        self.low < 0
    }

    fn hull(all: &[i128]) -> Option<Self> {
        Some(Self { low: *all.iter().min()?, high: *all.iter().max()? })
    }
}

/// All ones up to the highest bit of a number that is not negative.
fn ones(number: i128) -> i128 {
    let bits = 128 - number.leading_zeros();
    (1 << bits) - 1
}

/// What the operation on so many bits may yield, as signed numbers. Operands are signed numbers of so many bits, at most 64. `None`: not known, or it may wrap around.
#[must_use]
pub fn range(operation: Operation, a: Range, b: Range, bits: u32) -> Option<Range> {
    use Operation as O;
    let neither_negative = !a.is_negative() && !b.is_negative();
    let amount = || b.constant().and_then(|n| u32::try_from(n).ok()).filter(|&n| n < bits);
    let divisor = || b.constant().filter(|&d| d > 0);
    let found = match operation {
        O::Add => Range { low: a.low + b.low, high: a.high + b.high },
        O::Sub => Range { low: a.low - b.high, high: a.high - b.low },
        O::Mul => Range::hull(&[a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high])?,
        O::ShiftLeft => {
            let factor = 1i128 << amount()?;
            Range { low: a.low.checked_mul(factor)?, high: a.high.checked_mul(factor)? }
        }
        O::ShiftRight { signed } if signed || !a.is_negative() => {
            let n = amount()?;
            Range { low: a.low >> n, high: a.high >> n }
        }
        O::And if neither_negative => Range { low: 0, high: a.high.min(b.high) },
        O::And if !b.is_negative() => Range { low: 0, high: b.high },
        O::And if !a.is_negative() => Range { low: 0, high: a.high },
        O::Or | O::Xor if neither_negative => Range { low: 0, high: ones(a.high.max(b.high)) },
        // `!a`
        O::Xor if b.constant() == Some(-1) => Range { low: -1 - a.high, high: -1 - a.low },
        O::Quotient { signed } if signed || !a.is_negative() => {
            let d = divisor()?;
            Range { low: a.low / d, high: a.high / d }
        }
        O::Remainder { signed } if signed || !a.is_negative() => {
            let most = divisor()? - 1;
            Range { low: if a.is_negative() { -most } else { 0 }, high: most }
        }
        O::Extremum { largest, signed } if signed || neither_negative => {
            let of = |x: i128, y: i128| if largest { x.max(y) } else { x.min(y) };
            Range { low: of(a.low, b.low), high: of(a.high, b.high) }
        }
        O::Magnitude => {
            let far = a.low.abs().max(a.high.abs());
            let near = if a.low <= 0 && a.high >= 0 { 0 } else { a.low.abs().min(a.high.abs()) };
            Range { low: near, high: far }
        }
        O::Choice => Range { low: a.low.min(b.low), high: a.high.max(b.high) },
        O::ShiftRight { .. }
        | O::And
        | O::Or
        | O::Xor
        | O::Quotient { .. }
        | O::Remainder { .. }
        | O::Extremum { .. } => return None,
    };
    Some(found).filter(|r| r.fits(bits, true))
}

/// In which way so many bits hold all of these numbers: signed if that does. `None`: in neither.
fn sign(bits: u32, all: &[Range]) -> Option<bool> {
    [true, false].into_iter().find(|&signed| all.iter().all(|r| r.fits(bits, signed)))
}

/// The operation on so many bits whose result is the low bits of what this operation on more bits yields, for operands in these ranges, of which the low bits are there.
#[must_use]
pub fn narrowed(operation: Operation, a: Range, b: Range, bits: u32) -> Option<Operation> {
    use Operation as O;
    Some(match operation {
        O::Add | O::Sub | O::And | O::Or | O::Xor | O::Choice => operation,
        // Vectors of bytes have neither products nor shifts.
        O::Mul if bits > 8 => operation,
        O::ShiftLeft if bits > 8 && b.high < i128::from(bits) => operation,
        O::ShiftRight { .. } if bits > 8 && b.high < i128::from(bits) => O::ShiftRight { signed: sign(bits, &[a])? },
        O::Quotient { .. } if bits > 8 => O::Quotient { signed: sign(bits, &[a, b])? },
        O::Remainder { .. } if bits > 8 => O::Remainder { signed: sign(bits, &[a, b])? },
        O::Extremum { largest, .. } => O::Extremum { largest, signed: sign(bits, &[a, b])? },
        O::Magnitude => {
            if a.is_negative() && !a.fits(bits, true) {
                return None;
            }
            // What is not negative and has no place among signed numbers is no magnitude to be taken.
            if a.fits(bits, true) { operation } else { return None }
        }
        O::Mul | O::ShiftLeft | O::ShiftRight { .. } | O::Quotient { .. } | O::Remainder { .. } => return None,
    })
}

/// The comparison on so many bits that says what this one on more bits says of numbers in these ranges.
#[must_use]
pub fn compared(predicate: Predicate, a: Range, b: Range, bits: u32) -> Option<Predicate> {
    use Predicate as P;
    if sign(bits, &[a, b])? {
        // Signs are extended to the left: that keeps both orders.
        return Some(predicate);
    }
    Some(match predicate {
        P::LLVMIntSGT => P::LLVMIntUGT,
        P::LLVMIntSGE => P::LLVMIntUGE,
        P::LLVMIntSLT => P::LLVMIntULT,
        P::LLVMIntSLE => P::LLVMIntULE,
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: u32 = 24;

    /// The operation on bit patterns of so many bits.
    fn run(operation: Operation, a: u64, b: u64, bits: u32) -> u64 {
        use Operation as O;
        let mask = (1u64 << bits) - 1;
        let s = |v: u64| ((v << (64 - bits)).cast_signed()) >> (64 - bits);
        let (sa, sb) = (s(a), s(b));
        mask & match operation {
            O::Add => a.wrapping_add(b),
            O::Sub => a.wrapping_sub(b),
            O::Mul => a.wrapping_mul(b),
            O::ShiftLeft => a << b,
            O::ShiftRight { signed: true } => (sa >> b).cast_unsigned(),
            O::ShiftRight { signed: false } => a >> b,
            O::And => a & b,
            O::Or => a | b,
            O::Xor => a ^ b,
            O::Quotient { signed: true } => (sa / sb).cast_unsigned(),
            O::Quotient { signed: false } => a / b,
            O::Remainder { signed: true } => (sa % sb).cast_unsigned(),
            O::Remainder { signed: false } => a % b,
            O::Extremum { largest, signed: true } => (if (sa > sb) == largest { sa } else { sb }).cast_unsigned(),
            O::Extremum { largest, signed: false } => {
                if (a > b) == largest {
                    a
                } else {
                    b
                }
            }
            O::Magnitude => sa.unsigned_abs(),
            O::Choice => b,
        }
    }

    fn all() -> Vec<Operation> {
        use Operation as O;
        let mut out = vec![O::Add, O::Sub, O::Mul, O::ShiftLeft, O::And, O::Or, O::Xor, O::Magnitude, O::Choice];
        for signed in [false, true] {
            out.extend([O::ShiftRight { signed }, O::Quotient { signed }, O::Remainder { signed }]);
            out.extend([false, true].map(|largest| O::Extremum { largest, signed }));
        }
        out
    }

    fn ranges() -> Vec<Range> {
        let mut out = Vec::new();
        let ends = [-520, -513, -512, -300, -256, -7, -1, 0, 1, 3, 9, 255, 300, 511, 512, 515, 1023, 1024, 1030];
        for (k, &low) in ends.iter().enumerate() {
            out.extend(ends[k..].iter().map(|&high| Range { low, high }));
        }
        out
    }

    /// Numbers at the ends of a range and some between them.
    fn some(r: Range) -> Vec<i128> {
        let mut out: Vec<i128> = [0, 1, 2, 3, 7, 8, 100, 255, 256, 511, 512, -1, -2, -256, -512].to_vec();
        out.extend([r.low, r.low + 1, r.high - 1, r.high]);
        out.retain(|&n| r.low <= n && n <= r.high);
        out.sort_unstable();
        out.dedup();
        out
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn pattern(n: i128, bits: u32) -> u64 {
        (n as u64) & ((1 << bits) - 1)
    }

    #[test]
    fn fewer_bits_yield_the_same() {
        const FEW: u32 = 10;
        let mut seen = std::collections::BTreeSet::new();
        for operation in all() {
            for a in ranges() {
                for b in ranges() {
                    let Some(result) = range(operation, a, b, WIDE) else { continue };
                    let few = narrowed(operation, a, b, FEW);
                    for x in some(a) {
                        for y in some(b) {
                            let wide = run(operation, pattern(x, WIDE), pattern(y, WIDE), WIDE);
                            let number = i128::from((wide << (64 - WIDE)).cast_signed() >> (64 - WIDE));
                            assert!(
                                result.low <= number && number <= result.high,
                                "{operation:?} {x} {y}: {number} is not in {result:?}"
                            );
                            if let Some(few) = few {
                                let narrow = run(few, pattern(x, FEW), pattern(y, FEW), FEW);
                                assert_eq!(narrow, wide & ((1 << FEW) - 1), "{operation:?} as {few:?} of {x} and {y}");
                                seen.insert(format!("{few:?}"));
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(seen.len(), all().len(), "{seen:?}");
    }

    #[test]
    fn fewer_bits_compare_alike() {
        use Predicate as P;
        const FEW: u32 = 10;
        let says = |p: Predicate, a: u64, b: u64, bits: u32| {
            let s = |v: u64| (v << (64 - bits)).cast_signed() >> (64 - bits);
            match p {
                P::LLVMIntEQ => a == b,
                P::LLVMIntNE => a != b,
                P::LLVMIntUGT => a > b,
                P::LLVMIntUGE => a >= b,
                P::LLVMIntULT => a < b,
                P::LLVMIntULE => a <= b,
                P::LLVMIntSGT => s(a) > s(b),
                P::LLVMIntSGE => s(a) >= s(b),
                P::LLVMIntSLT => s(a) < s(b),
                P::LLVMIntSLE => s(a) <= s(b),
            }
        };
        let predicates = [
            P::LLVMIntEQ,
            P::LLVMIntNE,
            P::LLVMIntUGT,
            P::LLVMIntUGE,
            P::LLVMIntULT,
            P::LLVMIntULE,
            P::LLVMIntSGT,
            P::LLVMIntSGE,
            P::LLVMIntSLT,
            P::LLVMIntSLE,
        ];
        let mut narrow = 0;
        for p in predicates {
            for a in ranges() {
                for b in ranges() {
                    let Some(few) = compared(p, a, b, FEW) else { continue };
                    narrow += 1;
                    for x in some(a) {
                        for y in some(b) {
                            let wide = says(p, pattern(x, WIDE), pattern(y, WIDE), WIDE);
                            assert_eq!(says(few, pattern(x, FEW), pattern(y, FEW), FEW), wide, "{p:?} as {few:?}");
                        }
                    }
                }
            }
        }
        assert!(narrow > 1000);
    }
}
