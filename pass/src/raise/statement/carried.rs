//! Values that loops carry: in the cell of a web, or in the cell that an earlier iteration loaded or stored.

use super::{
    Action, Builder, LoopIndex, NodeIndex, Poly, Position, Raise, Reject, RejectKind, Row, Symbol, Value, Web, WebKind,
    Wish, parts, scalar,
};

impl Builder<'_, '_, '_> {
    pub(super) fn web(&mut self, w: &Web, v: Value) -> Raise<NodeIndex> {
        let refuse = || Reject::new(RejectKind::Carried("its old value is used after the new one is computed"));
        let q = &self.source.position;
        let last = &self.shop.accesses.all[w.last];
        let alignment = last.alignment;
        if w.phis.contains(&v) {
            // An outer phi is what the cell held before the inner loop: nobody but the inner phi may ask for it (what was carried over several iterations did).
            if w.phis.last() != Some(&v) {
                return Err(refuse());
            }
            // In the loop, before or at the update, in the same iteration.
            let u = &w.update_position;
            let common = u.common_loops(q);
            let same_iteration = common == u.loops.len() && u.loops.len() <= q.loops.len();
            if !same_iteration || q.beta[common] > u.beta[common] || (q.beta[common] == u.beta[common] && q != u) {
                return Err(refuse());
            }
            return self.read(w.array, w.cell.clone(), alignment, v.ty());
        }
        if w.kind == WebKind::InPlace {
            return self.left_in_place(w, v);
        }
        // The result: behind the loops and not behind the last store, unless that leaves the value in place.
        let outer_depth = w.start.loops.len();
        if q.loops.len() < outer_depth || q.loops[..outer_depth] != w.start.loops[..] {
            return Err(refuse());
        }
        let behind_loops =
            q.common_loops(&w.update_position) == outer_depth && self.runs_before_from(&w.update_position, outer_depth);
        if !behind_loops {
            return Err(refuse());
        }
        let at_or_before_last = q == &last.position || q.beta[outer_depth] < last.position.beta[outer_depth];
        let last_position = last.position.clone();
        if at_or_before_last
            || (w.kind == WebKind::Direct && self.is_current(w.array, &w.cell, &last_position, 0, None)?)
        {
            return self.read(w.array, w.cell.clone(), alignment, v.ty());
        }
        Err(refuse())
    }

    /// What a value that is in memory all the time left there: its cell, if its own updates are all that hit the cell since it got the first value.
    fn left_in_place(&mut self, w: &Web, v: Value) -> Raise<NodeIndex> {
        let last = &self.shop.accesses.all[w.last];
        let own: Vec<Position> =
            std::iter::once(&w.last).chain(&w.earlier).map(|&k| self.shop.accesses.all[k].position.clone()).collect();
        let alignment = last.alignment;
        if !self.has_run_block(w.start_block) || !self.is_left(w.array, &w.cell, &w.start, &own, &[])? {
            return Err(RejectKind::Carried("its last value is used behind the loop").into());
        }
        self.read(w.array, w.cell.clone(), alignment, v.ty())
    }

    pub(super) fn carried(&mut self, v: Value) -> Raise<NodeIndex> {
        let c = scalar::carried(self.shop.layout, self.shop.facts, self.shop.accesses, v)?;
        let refuse = |what| Reject::new(RejectKind::Carried(what));
        let stale = || refuse("the memory it was loaded from may have changed since");
        let l = self
            .shop
            .facts
            .loops
            .iter()
            .position(|d| d.handle == Some(c.l))
            .map(LoopIndex)
            .ok_or_else(|| refuse("its loop is not known"))?;
        if self.shop.facts.loops[l.0].split.is_some() {
            return Err(refuse("its loop counts by remainders"));
        }
        if self.shop.facts.loops[l.0].later.is_some() {
            return Err(refuse("its loop begins at the greatest of several numbers"));
        }
        let q = &self.source.position;
        let depth = c.seen.loops.len();
        if q.loops.len() < depth || q.loops[..depth] != c.seen.loops[..] || q.beta[..depth] != c.seen.beta[..depth] {
            return Err(refuse("it is used outside its loop"));
        }
        let iterator = Symbol::Iterator(l);
        let i = Poly::symbol(iterator);
        let overflow = || Reject::new(RejectKind::Overflow);
        let earlier = i.sub(&Poly::constant(c.delay)).ok_or_else(overflow)?;
        let shift = |by: &Poly| -> Raise<Vec<Poly>> {
            c.cell.iter().map(|p| p.substitute(iterator, by).ok_or_else(overflow)).collect()
        };
        if let Some(j) = parts::iteration(self.shop.facts, self.source, l, c.delay)? {
            let init = usize::try_from(j).ok().and_then(|j| c.inits.get(j)).copied();
            return self.value(init.ok_or_else(overflow)?);
        }
        let cell = shift(&earlier)?;
        if !self.is_current(c.array, &cell, &c.seen, c.delay, Some(vec![Row::ge(earlier.clone())]))? {
            return Err(stale());
        }
        for (j, &init) in c.inits.iter().enumerate() {
            let j = i64::try_from(j).map_err(|_| overflow())?;
            let first_cell = shift(&Poly::constant(j - c.delay))?;
            let row = Row { kind: polyhedra::Kind::Eq, poly: i.sub(&Poly::constant(j)).ok_or_else(overflow)? };
            let mut first = self.source.domain.clone();
            first.rows.push(row.clone());
            let mut found = self.shop.facts.set(&first)?.is_empty(self.shop.facts.budget)?;
            let sources: Vec<(Position, usize, Vec<Poly>)> = self
                .shop
                .accesses
                .all
                .iter()
                .filter(|a| (a.action == Action::Load && a.instruction == init) || a.action == Action::Store(init))
                .filter(|a| self.has_run(a.instruction))
                .map(|a| (a.position.clone(), a.array, a.subscripts.clone()))
                .collect();
            for (position, array, subscripts) in sources {
                if found {
                    break;
                }
                if array == c.array
                    && subscripts == first_cell
                    && position.loops.len() < depth
                    && self.runs_before(&position)
                    && self.is_current(array, &first_cell, &position, 0, Some(vec![row.clone()]))?
                {
                    found = true;
                }
            }
            if !found {
                self.shop.wish.get_or_insert(Wish::Iterations { l, number: c.delay });
                return Err(refuse("its first value is not the one in memory"));
            }
        }
        self.read(c.array, cell, c.alignment, v.ty())
    }
}
