//! Operands of kernels that share their loops with other statements, as those of factorisations do: these are not copied, since they grow while the nest runs. Where rows lie badly (1024 doubles in
//! each, so that all cells of a column want the same places of the caches), those of squares are read from mirrors ([`MirrorPlan`]), which leaves room for the rows; that is asked for when the sizes are known.
//!
//! Other operands have none: mirrors of the rows' operand gain 3 to 9 % in solves and LU of 1024 and 2048 rows, and cost 1 to 4 % below 100, where addresses have strides of two kinds; those of the neighbours of
//! lanes come out of the third level while rows are computed, and take as long to copy.

use super::roles::{Candidate, Roles};
use crate::kernel::{Blocking, MirrorPlan};
use crate::scop::AccessId;

/// Values of rows, columns and depth from which on mirrors pay. Measured on Zen 4 (Cholesky of 512 rows and more).
const WORTH_MIRRORS: i64 = 384;

impl Candidate<'_> {
    /// Adds mirrors to the plan of a kernel that has nothing copied, where they pay for some sizes (`choosy`), or can be.
    pub(super) fn mirror(&self, roles: &Roles, plan: &mut Blocking, choosy: bool) {
        let (Some(row), &[depth]) = (roles.row, roles.depth.as_slice()) else { return };
        let sizes = [row, roles.column, depth].map(|step| self.path.steps[step].exact);
        let is_small = choosy && sizes.iter().flatten().any(|size| *size < WORTH_MIRRORS);
        if plan.reversed || plan.steps < 2 || is_small {
            return;
        }
        let members = roles.order().len();
        let mirrors = self.reads().filter_map(|access| self.mirror_of(access, depth, roles, plan));
        plan.mirrors = mirrors.collect();
        plan.worth_mirrors = self.all_at_least(roles, WORTH_MIRRORS);
        if !plan.fits(members) {
            plan.mirrors.clear();
        }
    }

    /// The mirror of the squares that an access reads, if it has two subscripts: lanes move along the first one, the depth along the other.
    fn mirror_of(&self, access: usize, depth: usize, roles: &Roles, plan: &Blocking) -> Option<MirrorPlan> {
        let path = &self.path.accesses[access];
        let alone = |d: usize| {
            let mut by = (0..self.path.steps.len()).filter(|&s| path.by[s][d] != 0);
            by.next().filter(|&step| by.next().is_none() && path.by[step][d] == 1)
        };
        if path.base.len() != 2 || alone(0)? != roles.column || alone(1)? != depth {
            return None;
        }
        let members = roles.order();
        let place = |step: usize| members.iter().position(|&s| s == step);
        let (column, depth) = (place(roles.column)?, place(depth)?);
        let order = plan.tiles.iter().rposition(|t| t.member == column)?;
        let size = plan.tiles[..order].iter().rev().find(|t| t.member == depth)?.size;
        let line = i64::try_from(self.machine.line_bytes).ok()? / self.bytes;
        Some(MirrorPlan {
            access: AccessId(access),
            members: [column, depth],
            depth: order + 1,
            order,
            // A line more: else these rows would lie as those of the array do.
            row: size + line,
            line: plan.columns,
        })
    }
}
