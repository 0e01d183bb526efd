//! Values that several branches bring although they are one: GVN writes `j * n` once in one branch, and for the other, which is taken when `j` is 0, the number 0.

use super::{Domain, Facts, Kind, Opcode, Poly, Raise, Symbol, Translated, overflow};
use crate::llvm::{Block, Value};
use crate::raise::domain::condition_rows;

/// Branches that are looked at on the way to a phi.
const MOST_BRANCHES: usize = 4;

impl Facts<'_> {
    /// A phi behind branches as the one polynomial that all of its values are: each equals it where its branch is taken. `None`: it is no such phi.
    ///
    /// # Errors
    /// Overflow, budget.
    pub(super) fn joined(&mut self, phi: Value, domain: &Domain) -> Raise<Option<Translated>> {
        let Some(block) = phi.block().filter(|_| phi.opcode() == Some(Opcode::LLVMPHI)) else { return Ok(None) };
        if self.analyses.loop_for(block).is_some_and(|l| l.header() == block) {
            return Ok(None);
        }
        let mut values = Vec::new();
        for (value, from) in phi.incoming() {
            let Some(scev) = self.analyses.scev(value) else { return Ok(None) };
            match self.translate(scev, domain) {
                Ok(t) if t.exact => values.push((t.poly, from)),
                _ => return Ok(None),
            }
        }
        // The general one is not a number; of several the first that fits.
        'candidates: for (candidate, _) in &values {
            for (value, from) in &values {
                let difference = candidate.sub(value).ok_or_else(overflow)?;
                if !self.vanishes(difference, *from, block, domain)? {
                    continue 'candidates;
                }
            }
            return Ok(Some(Translated { poly: candidate.clone(), exact: true }));
        }
        Ok(None)
    }

    /// Is the polynomial 0 whenever control goes from one block to another, by the equations in the conditions of the branches that lead there and
    /// nowhere else?
    fn vanishes(&mut self, mut poly: Poly, from: Block, to: Block, domain: &Domain) -> Raise<bool> {
        let own = self.analyses.loop_for(to);
        let (mut from, mut to) = (from, to);
        for _ in 0..MOST_BRANCHES {
            if poly.as_constant() == Some(0) {
                return Ok(true);
            }
            if let Some((condition, yes, no)) = from.terminator().and_then(Value::conditional_branch)
                && yes != no
            {
                let Ok(rows) = condition_rows(condition, yes == to, domain, self) else { return Ok(false) };
                for row in rows.iter().filter(|r| r.kind == Kind::Eq && !r.poly.has_triangle()) {
                    let Some(replaced) = replaced(&poly, &row.poly)? else { return Ok(false) };
                    poly = replaced;
                }
            }
            match from.predecessors().as_slice() {
                // Of the same iteration: conditions of loops inside speak of their own counters.
                [only] if self.analyses.loop_for(*only) == own => (from, to) = (*only, from),
                _ => break,
            }
        }
        Ok(poly.as_constant() == Some(0))
    }
}

/// A polynomial with one symbol replaced by what an equation `row = 0` says of it; the polynomial itself where it says nothing.
fn replaced(poly: &Poly, row: &Poly) -> Raise<Option<Poly>> {
    // symbol + rest = 0 or rest - symbol = 0.
    let alone = |s: &Symbol| row.coefficient(&[*s]).abs() == 1 && row.symbols().filter(|t| t == s).count() == 1;
    let Some(symbol) = row.symbols().find(alone) else { return Ok(Some(poly.clone())) };
    let own = Poly::term(vec![symbol], row.coefficient(&[symbol]));
    let rest = row.sub(&own).ok_or_else(overflow)?;
    let by = rest.scale(-row.coefficient(&[symbol])).ok_or_else(overflow)?;
    Ok(poly.substitute(symbol, &by))
}
