//! Values that are still in memory: left there by a loop that has ended, or the same whichever way was taken.

use super::{
    Access, Action, Block, Builder, NodeIndex, Poly, Position, Raise, Reject, RejectKind, Row, Symbol, Value, Watch,
    disturbs,
};
use crate::llvm::Opcode;
use crate::raise::leaving;
use std::collections::{BTreeMap, BTreeSet};

/// A cell that holds a value.
#[derive(Clone, Debug)]
struct Spot {
    array: usize,
    cell: Vec<Poly>,
    alignment: u32,
    since: Since,
}

/// From when on.
#[derive(Clone, Debug)]
enum Since {
    /// It was loaded or stored there.
    Position(Position),
    /// The stores at `own`, in a loop entered at `from`, put it there last.
    Left { from: Position, own: Position },
}

/// A way to where several meet.
struct Way {
    /// What holds the value that it brings.
    spots: Vec<Spot>,
    /// Where it runs.
    rows: Vec<Row>,
    /// It, and those taken before.
    taken: BTreeMap<Block, Block>,
}

impl Builder<'_, '_, '_> {
    /// The last value of a loop that has ended: what a counter was, or if every iteration stored it to one cell that nothing else has hit since the loop started.
    pub(super) fn left_by_loop(&mut self, phi: Value, v: Value) -> Raise<Option<NodeIndex>> {
        if !self.has_run(phi) {
            return Ok(None);
        }
        if let Some(n) = self.last_index(phi, v)? {
            return Ok(Some(n));
        }
        for spot in self.left_spots(phi, v) {
            if self.still_holds(&spot, &spot.cell, &[], &self.source.ways)? {
                return self.read(spot.array, spot.cell, spot.alignment, phi.ty()).map(Some);
            }
        }
        Ok(None)
    }

    /// What `v` is in the last iteration of a loop that has ended, if it is a function of its iterator and `phi` hands it on.
    fn last_index(&mut self, phi: Value, v: Value) -> Raise<Option<NodeIndex>> {
        let (layout, analyses) = (self.shop.layout, self.shop.facts.analyses);
        let is_integer = v.ty().integer_bits().is_some_and(|bits| bits <= 64);
        let (Some(at), Some(behind), true) = (v.block(), phi.block(), is_integer) else { return Ok(None) };
        let l = layout.region.innermost(analyses, at).filter(|l| !l.contains(behind));
        let Some(l) = l.filter(|l| layout.region.runs_always(analyses, *l, at)) else { return Ok(None) };
        let Some((iterator, left)) = leaving::in_the_last(self.shop.facts, l) else { return Ok(None) };
        let (Some(s), Some(domain)) = (analyses.scev(v), layout.domains.get(&at)) else { return Ok(None) };
        let checkpoint = self.shop.facts.checkpoint();
        let of_last = match self.shop.facts.translate(s, domain) {
            Ok(t) => left.add(&Poly::symbol(iterator)).and_then(|last| t.poly.substitute(iterator, &last)),
            Err(_) => None,
        };
        let known = of_last.map(|poly| self.index_of(&poly, phi)).transpose()?.flatten();
        if known.is_none() {
            self.shop.facts.restore(&checkpoint);
        }
        Ok(known)
    }

    /// The cells in which a loop left `v`, which `phi` hands on behind it.
    fn left_spots(&self, phi: Value, v: Value) -> Vec<Spot> {
        let (layout, analyses) = (self.shop.layout, self.shop.facts.analyses);
        let (Some(b), Some(behind)) = (v.block(), phi.block()) else { return Vec::new() };
        let Some(l) = layout.region.innermost(analyses, b).filter(|l| !l.contains(behind)) else { return Vec::new() };
        let Some(preheader) = l.preheader() else { return Vec::new() };
        let from = layout.end_of(preheader, self.shop.facts);
        let outer: Vec<Symbol> = from.loops.iter().map(|&k| Symbol::Iterator(k)).collect();
        let fixed =
            |p: &Poly| p.terms().all(|(m, _)| m.iter().all(|s| !matches!(s, Symbol::Iterator(_)) || outer.contains(s)));
        let every_iteration =
            |a: &&Access| a.instruction.block().is_some_and(|s| layout.region.runs_always(analyses, l, s));
        self.shop
            .accesses
            .all
            .iter()
            .filter(|a| a.action == Action::Store(v) && a.subscripts.iter().all(fixed))
            .filter(every_iteration)
            .map(|a| Spot {
                array: a.array,
                cell: a.subscripts.clone(),
                alignment: a.alignment,
                since: Since::Left { from: from.clone(), own: a.position.clone() },
            })
            .collect()
    }

    /// The cells that hold `v` at the end of a block: it was loaded from there, stored to there, or left there by a loop.
    fn spots(&self, v: Value, at: Block) -> Vec<Spot> {
        let analyses = self.shop.facts.analyses;
        let before = |i: Value| i.block().is_some_and(|b| analyses.dominates(b, at));
        let mut out: Vec<Spot> = self
            .shop
            .accesses
            .all
            .iter()
            .filter(|a| (a.action == Action::Load && a.instruction == v) || a.action == Action::Store(v))
            .filter(|a| before(a.instruction))
            .map(|a| Spot {
                array: a.array,
                cell: a.subscripts.clone(),
                alignment: a.alignment,
                since: Since::Position(a.position.clone()),
            })
            .collect();
        if v.opcode() == Some(Opcode::LLVMPHI)
            && before(v)
            && let [(only, _)] = v.incoming()[..]
        {
            out.extend(self.left_spots(v, only));
        }
        out
    }

    /// Stores that have not run since a moment of the same iteration, as the ways that were taken pass them by. A condition is asked for whatever way is taken behind it.
    pub(super) fn passed_by(&self, ways: &BTreeMap<Block, Block>, since: &Position) -> Vec<Position> {
        let (layout, analyses) = (self.shop.layout, self.shop.facts.analyses);
        let mut out = Vec::new();
        for (&to, &from) in ways.iter().filter(|(to, _)| analyses.dominates(**to, self.at)) {
            let loops = layout.domains.get(&to).map(|d| &d.loops);
            let (Some(branch), true) = (analyses.idom(to), loops == Some(&since.loops)) else { continue };
            // What may have run between the branch and here.
            let mut taken = BTreeSet::from([branch, from]);
            let mut open = vec![from];
            while let Some(b) = open.pop().filter(|b| *b != branch) {
                open.extend(analyses.ways_to(b).into_iter().filter(|&p| taken.insert(p)));
            }
            let passed = |b: Block| {
                let inside = layout.domains.get(&b).is_some_and(|d| d.loops.starts_with(&since.loops));
                inside && !taken.contains(&b) && analyses.dominates(branch, b) && !analyses.dominates(to, b)
            };
            let stores = self.shop.accesses.all.iter().filter(|a| a.is_write());
            out.extend(stores.filter(|a| a.instruction.block().is_some_and(passed)).map(|a| a.position.clone()));
        }
        out
    }

    /// Does `cell`, which is that of the spot wherever the rows hold, still hold what the spot held, if these ways were taken?
    fn still_holds(&self, spot: &Spot, cell: &[Poly], rows: &[Row], ways: &BTreeMap<Block, Block>) -> Raise<bool> {
        match &spot.since {
            Since::Position(p) => {
                Ok(self.runs_before(p) && self.is_current_on(ways, spot.array, cell, p, 0, Some(rows.to_vec()))?)
            }
            Since::Left { from, own } => self.is_left(spot.array, cell, from, std::slice::from_ref(own), rows),
        }
    }

    /// What several ways to here bring, if all bring what one and the same cell holds: GVN loads `A[i][0]` on the way past a loop that stores to `A[i][j]`.
    pub(super) fn merged(&mut self, phi: Value) -> Raise<Option<NodeIndex>> {
        let layout = self.shop.layout;
        let Some(here) = phi.block().filter(|b| layout.region.contains(*b)) else { return Ok(None) };
        if !self.has_run(phi) || layout.region.loops.iter().any(|l| l.header() == here) {
            return Ok(None);
        }
        let loops = layout.domains.get(&here).map(|d| d.loops.clone()).unwrap_or_default();
        let q = &self.source.domain.loops;
        if q.len() < loops.len() || q[..loops.len()] != loops[..] {
            return Ok(None);
        }
        let mut ways: Vec<Way> = Vec::new();
        for (v, from) in self.shop.facts.analyses.incoming(phi) {
            let Some(domain) = layout.domains.get(&from).filter(|d| d.loops == loops) else { return Ok(None) };
            let spots = self.spots(v, from);
            if spots.is_empty() {
                return Ok(None);
            }
            let mut taken = self.source.ways.clone();
            taken.insert(here, from);
            ways.push(Way { spots, rows: domain.rows.clone(), taken });
        }
        let targets: Vec<Spot> = ways.iter().flat_map(|way| way.spots.iter().cloned()).collect();
        for target in targets {
            let mut alignment = target.alignment;
            let mut everywhere = true;
            for Way { spots, rows, taken } in &ways {
                let mut found = None;
                for spot in spots.iter().filter(|s| s.array == target.array) {
                    if self.same_cell(&spot.cell, &target.cell, rows)?
                        && self.still_holds(spot, &target.cell, rows, taken)?
                    {
                        found = Some(spot.alignment);
                        break;
                    }
                }
                match found {
                    Some(known) => alignment = alignment.min(known),
                    None => {
                        everywhere = false;
                        break;
                    }
                }
            }
            if everywhere {
                return self.read(target.array, target.cell, alignment, phi.ty()).map(Some);
            }
        }
        Ok(None)
    }

    /// Are two cells the same wherever this statement runs and the rows hold?
    fn same_cell(&self, a: &[Poly], b: &[Poly], rows: &[Row]) -> Raise<bool> {
        let mut domain = self.source.domain.clone();
        domain.rows.extend(rows.iter().cloned());
        let overflow = || Reject::new(RejectKind::Overflow);
        for (x, y) in a.iter().zip(b) {
            let gap = x.sub(y).ok_or_else(overflow)?;
            let back = gap.scale(-1).ok_or_else(overflow)?;
            if !(self.shop.facts.is_nonnegative(&gap, &domain)? && self.shop.facts.is_nonnegative(&back, &domain)?) {
                return Ok(false);
            }
        }
        Ok(a.len() == b.len())
    }

    /// Is what the stores at `own` put last into the cell still there, whatever the iterations since `from`, in front of their loops?
    pub(super) fn is_left(
        &self,
        array: usize,
        cell: &[Poly],
        from: &Position,
        own: &[Position],
        rows: &[Row],
    ) -> Raise<bool> {
        let q = &self.source.position;
        let depth = from.loops.len();
        let behind = q.loops.len() >= depth
            && q.loops[..depth] == from.loops[..]
            && q.beta[..depth] == from.beta[..depth]
            && own.iter().all(|own| self.runs_before_from(own, depth));
        if !behind {
            return Ok(false);
        }
        let mut domain = self.source.domain.clone();
        domain.rows.extend(rows.iter().cloned());
        let watch = Watch { array, subscripts: cell, from, delay: 0, until: q, domain: &domain };
        for touch in self.shop.writes.iter().filter(|t| !own.contains(&t.position)) {
            if disturbs(self.shop.facts, touch, &watch)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Is the statement behind the loop that holds `p` at this depth?
    pub(super) fn runs_before_from(&self, p: &Position, depth: usize) -> bool {
        p.beta.get(depth).zip(self.source.position.beta.get(depth)).is_some_and(|(a, b)| a < b)
    }
}
