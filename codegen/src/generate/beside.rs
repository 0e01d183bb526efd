//! What is asked of nests beside which others do more.
//!
//! `for k { for i for j: w[i] += A[i][j] v[k][j]; for j <= k for i: c[j] += V[j][i] w[i]; }`: kernels for the sums `c` need some values of `k` to be faster than the source. But with few of them, and many of `i`, hardly
//! any time goes into these sums: the product beside them decides. So it is enough if the sizes that are asked for and those of which the other nest alone has more loops are large together.

use super::{Maker, blocked};
use polyhedra::Affine;
use scheduler::Result;
use scheduler::scop::StatementId;

impl Maker<'_> {
    /// A form over `[1 | N]` that is asked to be `>= 0` for a statement's kernel, weaker where another kernel does more.
    pub(super) fn beside(&self, id: StatementId, form: Affine) -> Result<Affine> {
        let asked: Vec<bool> = form.param_coeffs().iter().map(|&c| c > 0).collect();
        let weights: i64 = form.param_coeffs().iter().sum();
        if self.kernels.len() < 2 || weights < 1 || form.param_coeffs().iter().any(|&c| c < 0) {
            return Ok(form);
        }
        let own = self.order(id)?;
        for &other in self.kernels.keys().filter(|other| **other != id) {
            let its = self.order(other)?;
            let more = |p: &usize| !asked[*p] && its[*p] > own[*p];
            let as_much = (0..own.len()).all(|p| asked[p] || its[p] >= own[p]);
            let all = |order: &[usize]| order.iter().sum::<usize>();
            if let Some(p) = (0..own.len()).find(more)
                && as_much
                && all(&its) >= all(&own)
            {
                let large = Affine::param(form.space(), p).scale(weights)?;
                return Ok(form.offset(form.constant_term().min(0))?.add(&large)?);
            }
        }
        Ok(form)
    }

    /// How many loops of a statement each parameter bounds.
    fn order(&self, id: StatementId) -> Result<Vec<usize>> {
        let statement = self.statement(id)?;
        let mut order = vec![0; self.scop.params.len()];
        for d in 0..statement.depth() {
            let others: Vec<usize> = (0..statement.depth()).filter(|&k| k != d).collect();
            let shadow = statement.domain.project_out(&others, self.budget)?.set;
            let extents = blocked::extents(&shadow, 0)?;
            for (p, times) in order.iter_mut().enumerate() {
                *times += usize::from(!extents.is_empty() && extents.iter().all(|e| e.param_coeffs()[p] > 0));
            }
        }
        Ok(order)
    }
}
