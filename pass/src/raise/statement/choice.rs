//! Values that a condition on data chooses, where the ways of a branch meet.
//!
//! `if (a[i] == b[j]) t = L[i-1][j-1] + 1; else t = max(L[i-1][j], L[i][j-1]); L[i][j] = t;` could be two statements under opposite conditions ([`crate::raise::parts`]), of which none runs always: no vectors, no
//! registers, and rows that wait for each other twice. It is one that computes both values and takes one of them, where that does no harm ([`crate::raise::always`]). Stores under opposite conditions: [`crate::raise::opposite`].

use super::{Builder, Checkpoint};
use crate::llvm::{Block, Value};
use crate::raise::always::Place;
use crate::raise::body::{Node, NodeIndex};
use crate::raise::domain;
use crate::raise::reject::{Raise, RejectKind};
use crate::raise::steps::common_dominator;

impl Builder<'_, '_, '_> {
    /// What a phi gets where ways meet in a block, chosen by conditions on data. `None`: it is not that, or some of it must not be computed always.
    ///
    /// # Errors
    /// Budget.
    pub(super) fn choice(&mut self, phi: Value, block: Block) -> Raise<Option<NodeIndex>> {
        let before = self.checkpoint();
        let facts = self.shop.facts.checkpoint();
        let (wish, gone) = (self.shop.wish, self.shop.gone);
        let chosen = match self.choose(&self.shop.facts.analyses.incoming(phi), block) {
            Err(r) if matches!(r.kind, RejectKind::Budget) => return Err(r),
            Ok(Some(n)) if self.is_harmless(&before)? => return Ok(Some(n)),
            _ => None,
        };
        self.restore(before);
        self.shop.facts.restore(&facts);
        (self.shop.wish, self.shop.gone) = (wish, gone);
        Ok(chosen)
    }

    /// One of the values that come over these edges to the block.
    fn choose(&mut self, ways: &[(Value, Block)], to: Block) -> Raise<Option<NodeIndex>> {
        let Some(((first, from), others)) = ways.split_first() else { return Ok(None) };
        if others.iter().all(|(v, _)| v == first) {
            return self.value(*first).map(Some);
        }
        let analyses = self.shop.facts.analyses;
        let Some(branch) = others.iter().try_fold(*from, |a, (_, b)| common_dominator(analyses, a, *b)) else {
            return Ok(None);
        };
        let same_loop = |b: Block| analyses.loop_for(b) == analyses.loop_for(to);
        let Some((condition, yes, no)) = branch.terminator().and_then(Value::conditional_branch) else {
            return Ok(None);
        };
        let outside = self.shop.layout.region.is_outside(condition);
        if yes == no || outside || !same_loop(branch) || !ways.iter().all(|(_, b)| same_loop(*b)) {
            return Ok(None);
        }
        if self.is_known_by_counters(condition)? {
            return Ok(None);
        }
        let goes = |target: Block, from: Block| {
            if from == branch { target == to } else { analyses.edge_dominates(branch, target, from) }
        };
        let side = |target: Block| ways.iter().copied().filter(|(_, b)| goes(target, *b)).collect::<Vec<_>>();
        let (on_yes, on_no) = (side(yes), side(no));
        if on_yes.is_empty() || on_no.is_empty() || on_yes.len() + on_no.len() != ways.len() {
            return Ok(None);
        }
        let condition = self.value(condition)?;
        let (Some(yes), Some(no)) = (self.choose(&on_yes, to)?, self.choose(&on_no, to)?) else { return Ok(None) };
        self.push(Node::Choice { condition, yes, no }).map(Some)
    }

    /// Do rows say where it holds, or where it does not? Such ways are better taken apart.
    fn is_known_by_counters(&mut self, condition: Value) -> Raise<bool> {
        let before = self.shop.facts.checkpoint();
        for truth in [true, false] {
            let rows = domain::condition_rows(condition, truth, &self.source.domain, self.shop.facts);
            self.shop.facts.restore(&before);
            match rows {
                Err(r) if matches!(r.kind, RejectKind::Budget) => return Err(r),
                Err(_) => {}
                Ok(_) => return Ok(true),
            }
        }
        Ok(false)
    }

    /// May all that has been added be computed whether its conditions hold or not?
    fn is_harmless(&self, before: &Checkpoint) -> Raise<bool> {
        let place = Place {
            facts: self.shop.facts,
            accesses: self.shop.accesses,
            domain: &self.source.domain,
            // Where it is wanted: what a condition wants is computed before what it decides about has run.
            block: self.at,
            stores: &[],
        };
        let (nodes, reads) = (self.nodes.iter().skip(before.nodes), self.reads.iter().skip(before.reads));
        Ok(place.may_compute(nodes) && place.may_read(reads)?)
    }
}
