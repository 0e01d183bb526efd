//! Groups of narrow integers, and sums of their products ([`crate::raise::groups`]).

use super::vector::{Lane, Many};
use super::{Emitter, LowerError, Result};
use crate::llvm::{Parts, Value};

/// Bits of a group.
const BITS: u32 = 32;

impl Emitter<'_> {
    /// Integers side by side in one of 32 bits, what is not there as zero; with their highest bits turned over.
    pub(super) fn group(&mut self, parts: &[Lane], bits: u32, turned: bool, many: Option<&Many>) -> Result<Lane> {
        let many = many.filter(|_| parts.iter().any(|part| matches!(part, Lane::Each(_))));
        let mut ty = self.t.int(BITS);
        let scalar = ty;
        if let Some(many) = many {
            ty = self.t.vector(ty, many.width);
        }
        let constant = |of: &mut Self, c: i128| {
            let c = of.t.constant(scalar, c);
            many.map_or(c, |many| of.t.splat(c, many.width))
        };
        let mask = constant(self, (1 << bits) - 1);
        let mut group = None;
        for (&part, place) in parts.iter().zip((0_u32..).step_by(bits as usize)) {
            let part = match (part, many) {
                (Lane::Same(v), Some(many)) => self.t.splat(v, many.width),
                (Lane::Same(v) | Lane::Each(v), _) => v,
            };
            let mut part = self.t.resize(part, ty);
            if place + bits < BITS {
                part = self.t.and(part, mask);
            }
            if place > 0 {
                let place = constant(self, place.into());
                part = self.t.shl(part, place);
            }
            group = Some(group.map_or(part, |group| self.t.or(group, part)));
        }
        let mut group = group.ok_or(LowerError::Malformed("a group of nothing"))?;
        if turned {
            let highest = (0..BITS).skip(bits as usize - 1).step_by(bits as usize);
            let highest = constant(self, highest.map(|bit| 1_i128 << bit).sum());
            group = self.t.xor(group, highest);
        }
        Ok(if many.is_some() { Lane::Each(group) } else { Lane::Same(group) })
    }

    /// A sum and the products of the parts of two groups.
    pub(super) fn dot(
        &mut self,
        sum: Lane,
        groups: [Lane; 2],
        parts: Parts,
        less: bool,
        many: Option<&Many>,
    ) -> Result<Lane> {
        let [a, b] = groups;
        match (sum, a, b) {
            (Lane::Same(sum), Lane::Same(a), Lane::Same(b)) => Ok(Lane::Same(self.t.dot(sum, [a, b], parts, less))),
            _ => {
                let many = many.ok_or(LowerError::Malformed("a vector without lanes"))?;
                let [sum, a, b]: [Value; 3] = [sum, a, b].map(|lane| self.spread(lane, many.width));
                Ok(Lane::Each(self.t.dot(sum, [a, b], parts, less)))
            }
        }
    }
}
