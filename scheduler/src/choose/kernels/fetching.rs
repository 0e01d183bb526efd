//! Operands that are not copied, and of which no processor fetches ahead by itself what the next tile wants ([`FetchPlan`]).
//!
//! A tile of columns takes a few neighbours of each of some hundreds of rows, which lie apart, each in a page of its own for what hardware knows of it. Where all columns do not fit in the second level the
//! lines come one by one out of the third, while the first tile of rows waits for each (measured on Zen 3, solves of 1000 rows: fresh slivers 25 to 30 GFlop/s, the same kernel on cells that are there 43).
//! All tiles of rows that use the sliver share in asking for the next one.

use super::roles::{Candidate, Roles};
use crate::kernel::{Blocking, Enough, FetchPlan};
use crate::scop::AccessId;

impl Candidate<'_> {
    /// Adds to a plan that copies nothing what is fetched ahead, where rows and columns are cut for caches.
    pub(super) fn fetch(&self, roles: &Roles, plan: &mut Blocking) {
        if plan.packs.is_empty() && !plan.reversed && !plan.scattered {
            plan.fetch = self.reads().find_map(|access| self.fetched(access, roles, plan));
        }
    }

    fn fetched(&self, access: usize, roles: &Roles, plan: &Blocking) -> Option<FetchPlan> {
        let (row, &[depth]) = (roles.row?, roles.depth.as_slice()) else { return None };
        let inside = roles.inner.iter().chain([&row]);
        let is_sliver = self.is_unit(access, roles.column)
            && self.moves(access, depth)
            && !self.is_unit(access, depth)
            && inside.clone().all(|&s| !self.moves(access, s));
        let order = roles.order();
        let at = |step: usize| order.iter().position(|&s| s == step);
        let (row, member) = (at(row)?, at(depth)?);
        let sizes = |member: usize| plan.tiles.iter().filter(move |t| t.member == member).map(|t| t.size);
        let [.., columns, rows] = plan.tiles.as_slice() else { return None };
        let (block, steps) = (sizes(row).rev().nth(1)?, sizes(member).next_back()?);
        if !is_sliver || rows.member != row || Some(columns.member) != at(roles.column) {
            return None;
        }
        let tiles = block / rows.size;
        // Less stays in the second level. The depth may have no more iterations than there are columns.
        let near = self.cells_of(self.machine.l2_bytes, 1.0);
        let least = (near / steps.max(1)).max(near.isqrt());
        let worth = match self.path.steps[roles.column].exact {
            Some(n) if n < least => return None,
            Some(_) => Vec::new(),
            None => vec![Enough::of(columns.member, least)],
        };
        Some(FetchPlan { access: AccessId(access), member, share: (steps + tiles - 1) / tiles, worth })
    }
}
