//! Statements of which some run for these parameters, others for those.
//!
//! **Problem.** LLVM makes loops of their own for special sizes (`if (w > 8) .. else ..`). Sizes are taken for typical ones, in all such nests. In one loop with the others they seem to run in the shadow of
//! what waits there; but those never run at once.
//!
//! **Method.** What a statement's domain says of parameters alone is its context. Statements of an innermost loop are weighed by sets whose contexts can hold together.

use crate::Result;
use crate::scop::{Scop, StatementId};
use polyhedra::{Affine, Budget, Constraint, Polyhedron, Space};
use std::collections::BTreeSet;

/// Pairs of statements that never run for the same parameters.
#[derive(Debug, Default)]
pub(super) struct Alternatives {
    pairs: BTreeSet<(StatementId, StatementId)>,
}

impl Alternatives {
    /// Those of a part.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn of(scop: &Scop, budget: &Budget) -> Result<Self> {
        let space = Space::new(scop.params.len(), 0);
        let mut contexts: Vec<(Polyhedron, Vec<StatementId>)> = Vec::new();
        for (k, s) in scop.statements.iter().enumerate() {
            let mut context = Polyhedron::universe(space);
            for row in s.domain.constraints().iter().filter(|row| row.expr.dim_coeffs().iter().all(|&c| c == 0)) {
                let form = Affine::from_coeffs(space, row.expr.coeffs()[..=space.params].to_vec());
                context = context.with(Constraint { kind: row.kind, expr: form });
            }
            match contexts.iter_mut().find(|(known, _)| *known == context) {
                Some((_, statements)) => statements.push(StatementId(k)),
                None => contexts.push((context, vec![StatementId(k)])),
            }
        }
        let mut pairs = BTreeSet::new();
        for (k, (a, those)) in contexts.iter().enumerate() {
            for (b, others) in &contexts[..k] {
                if a.intersect(b).is_empty(budget)? {
                    pairs.extend(those.iter().flat_map(|s| others.iter().flat_map(|o| [(*s, *o), (*o, *s)])));
                }
            }
        }
        Ok(Self { pairs })
    }

    /// Statements in sets of which all may run at once, each in the first where that is so.
    pub fn sets(&self, statements: &[StatementId]) -> Vec<Vec<StatementId>> {
        let mut out: Vec<Vec<StatementId>> = Vec::new();
        for &s in statements {
            match out.iter_mut().find(|set| set.iter().all(|other| !self.pairs.contains(&(s, *other)))) {
                Some(set) => set.push(s),
                None => out.push(vec![s]),
            }
        }
        out
    }
}
