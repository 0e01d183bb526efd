//! Values that several branches bring although they are one: GVN writes `j * n` once in one branch, and for the other, which is taken when `j` is 0, the number 0.

use super::{Domain, Facts, Kind, Opcode, Poly, Raise, Row, Symbol, Translated, overflow};
use crate::llvm::{Block, Value};
use crate::raise::domain::condition_rows;

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
            let Some(scev) = self.analyses.scev_behind(value, block) else { return Ok(None) };
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

    /// What is known where control goes from one block to another: by the branch there, and by those that alone lead to it in the same loop.
    fn on_the_way(&mut self, mut from: Block, mut to: Block, domain: &Domain) -> Vec<Row> {
        const FURTHEST: usize = 4;
        let mut out = Vec::new();
        let home = self.analyses.loop_for(to);
        for _ in 0..FURTHEST {
            if let Some((condition, yes, no)) = from.terminator().and_then(Value::conditional_branch)
                && yes != no
                && let Ok(rows) = condition_rows(condition, yes == to, domain, self)
            {
                out.extend(rows);
            }
            let [before] = from.predecessors()[..] else { break };
            if self.analyses.loop_for(from) != home || self.analyses.loop_for(before) != home {
                break;
            }
            (from, to) = (before, from);
        }
        out
    }

    /// Is the polynomial 0 whenever control goes from one block to another, by the equations in the branch's condition?
    fn vanishes(&mut self, mut poly: Poly, from: Block, to: Block, domain: &Domain) -> Raise<bool> {
        if poly.as_constant() == Some(0) {
            return Ok(true);
        }
        let rows = self.on_the_way(from, to, domain);
        for row in rows.iter().filter(|r| r.kind == Kind::Eq && !r.poly.has_triangle()) {
            // symbol + rest = 0 or rest - symbol = 0.
            let alone = |s: &Symbol| {
                let c = row.poly.coefficient(&[*s]);
                c.abs() == 1 && row.poly.symbols().filter(|t| t == s).count() == 1
            };
            let Some(symbol) = row.poly.symbols().find(alone) else { continue };
            let own = Poly::term(vec![symbol], row.poly.coefficient(&[symbol]));
            let rest = row.poly.sub(&own).ok_or_else(overflow)?;
            let by = rest.scale(-row.poly.coefficient(&[symbol])).ok_or_else(overflow)?;
            let Some(replaced) = poly.substitute(symbol, &by) else { return Ok(false) };
            poly = replaced;
        }
        Ok(poly.as_constant() == Some(0))
    }
}
