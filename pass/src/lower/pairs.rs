//! Pairs of narrow integers, and sums of their products ([`crate::raise::pairs`]).

use super::vector::{Lane, Many};
use super::{Emitter, LowerError, Result};
use crate::llvm::Value;

/// Bits of a half.
const HALF: u32 = 16;

impl Emitter<'_> {
    /// Two integers side by side in one of 32 bits, what is not there as zero.
    pub(super) fn pair(&mut self, halves: [Option<Lane>; 2], many: Option<&Many>) -> Result<Lane> {
        let each = halves.iter().flatten().any(|half| matches!(half, Lane::Each(_)));
        let mut wide = self.t.int(2 * HALF);
        let mut constants = [i128::from(u16::MAX), i128::from(HALF)].map(|c| self.t.constant(wide, c));
        if let (true, Some(many)) = (each, many) {
            wide = self.t.vector(wide, many.width);
            constants = constants.map(|c| self.t.splat(c, many.width));
        }
        let [mask, distance] = constants;
        let mut parts = [None, None];
        for (half, part) in halves.into_iter().zip(&mut parts) {
            let Some(half) = half else { continue };
            let value = match (half, many) {
                (Lane::Same(v), Some(many)) if each => self.t.splat(v, many.width),
                (Lane::Same(v) | Lane::Each(v), _) => v,
            };
            *part = Some(self.t.resize(value, wide));
        }
        let low = parts[0].map(|low| self.t.and(low, mask));
        let high = parts[1].map(|high| self.t.shl(high, distance));
        let pair = match (low, high) {
            (Some(low), Some(high)) => self.t.or(high, low),
            (Some(part), None) | (None, Some(part)) => part,
            (None, None) => return Err(LowerError::Malformed("a pair of nothing")),
        };
        Ok(if each { Lane::Each(pair) } else { Lane::Same(pair) })
    }

    /// A sum and the products of the halves of two pairs.
    pub(super) fn dot(&mut self, sum: Lane, pairs: [Lane; 2], many: Option<&Many>) -> Result<Lane> {
        let [a, b] = pairs;
        match (sum, a, b) {
            (Lane::Same(sum), Lane::Same(a), Lane::Same(b)) => Ok(Lane::Same(self.t.dot(sum, [a, b]))),
            _ => {
                let many = many.ok_or(LowerError::Malformed("a vector without lanes"))?;
                let [sum, a, b]: [Value; 3] = [sum, a, b].map(|lane| self.spread(lane, many.width));
                Ok(Lane::Each(self.t.dot(sum, [a, b])))
            }
        }
    }
}
