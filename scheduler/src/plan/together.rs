//! Which statements of a group belong together: linked ones, cycles, and neighbours that still share a level.

use super::Policy;
use crate::Result;
use crate::matching::{Done, Edge, Work};
use crate::scop::StatementId;
use crate::tree::Node;
use std::collections::{BTreeMap, BTreeSet};

impl Work<'_> {
    /// Parts one after the other; neighbours that still share a level are put together, unless the policy is fission.
    pub(super) fn sequence(
        &self,
        parts: Vec<Vec<StatementId>>,
        edges: &[Edge],
        done: &mut Done,
        policy: &Policy<'_>,
    ) -> Result<Option<Node>> {
        let mut clusters: Vec<&[Vec<StatementId>]> = Vec::new();
        let mut rest = &parts[..];
        while !rest.is_empty() {
            let run = if policy.fission { 1 } else { self.sharing_run(rest, edges, done, policy)? };
            let (cluster, behind) = rest.split_at(run);
            clusters.push(cluster);
            rest = behind;
        }
        let mut children = Vec::new();
        let many = clusters.len() > 1;
        for cluster in clusters {
            let (together, inside) = self.together(cluster, edges);
            if cluster.len() == 1 || many {
                if let Some(child) = self.build(&together, inside, done, policy)? {
                    children.push(child);
                    continue;
                }
                if cluster.len() == 1 {
                    return Ok(None);
                }
            }
            for part in cluster {
                let Some(child) = self.build(part, within(edges, part), done, policy)? else { return Ok(None) };
                children.push(child);
            }
        }
        Ok(Some(if children.len() == 1 { children.remove(0) } else { Node::Sequence(children) }))
    }

    /// How many of the first parts, one at least, share a level. What shares one does so without its last part too: the run grows in leaps, then its end is sought.
    fn sharing_run(
        &self,
        parts: &[Vec<StatementId>],
        edges: &[Edge],
        done: &mut Done,
        policy: &Policy<'_>,
    ) -> Result<usize> {
        let mut part = vec![None; self.scop.statements.len()];
        for (k, own) in parts.iter().enumerate() {
            own.iter().for_each(|s| part[s.0] = Some(k));
        }
        // To some part before it.
        let mut linked = vec![false; parts.len()];
        for (a, b) in self.links(edges) {
            if let (Some(x), Some(y)) = (part[a.0], part[b.0])
                && x != y
            {
                linked[x.max(y)] = true;
            }
        }
        let open = |k: &usize| parts[*k].iter().all(|&s| self.remaining(s, done) > 0);
        let most = if open(&0) { 1 + (1..parts.len()).take_while(|k| linked[*k] && open(k)).count() } else { 1 };
        let (mut good, mut bad) = (1, most + 1);
        let mut leap = 1;
        while good + 1 < bad {
            let next = if good + leap < bad { good + leap } else { good.midpoint(bad) };
            let (together, inside) = self.together(&parts[..next], edges);
            if self.level(&together, &inside, done, policy)?.is_some() {
                leap = good;
                good = next;
            } else {
                bad = next;
            }
        }
        Ok(good)
    }

    /// The statements of some parts in source order, and the edges among them.
    fn together(&self, parts: &[Vec<StatementId>], edges: &[Edge]) -> (Vec<StatementId>, Vec<Edge>) {
        let together = self.in_source_order(parts.iter().flatten().copied().collect());
        let inside = within(edges, &together);
        (together, inside)
    }

    /// Statements linked by edges, or by reads of the same cells inside common source loops. Each part in source order.
    pub(super) fn connected(&self, group: &[StatementId], edges: &[Edge]) -> Vec<Vec<StatementId>> {
        // The place in the group of another one of its part, before it; the first of a part has its own.
        let mut before: Vec<Option<usize>> = vec![None; self.scop.statements.len()];
        for (k, s) in group.iter().enumerate() {
            before[s.0] = Some(k);
        }
        let first = |before: &mut Vec<Option<usize>>, s: StatementId| -> Option<usize> {
            let mut at = s;
            loop {
                let k = before[at.0]?;
                if group[k] == at {
                    before[s.0] = Some(k);
                    return Some(k);
                }
                at = group[k];
            }
        };
        for (a, b) in self.links(edges) {
            if let (Some(x), Some(y)) = (first(&mut before, a), first(&mut before, b)) {
                before[group[x.max(y)].0] = Some(x.min(y));
            }
        }
        let mut parts: BTreeMap<usize, Vec<StatementId>> = BTreeMap::new();
        for &s in group {
            if let Some(k) = first(&mut before, s) {
                parts.entry(k).or_default().push(s);
            }
        }
        parts.into_values().map(|p| self.in_source_order(p)).collect()
    }

    /// Pairs of statements with an edge, or with reads of the same cells inside common source loops.
    fn links<'e>(&'e self, edges: &'e [Edge]) -> impl Iterator<Item = (StatementId, StatementId)> + 'e {
        edges.iter().map(|e| (e.source, e.target)).chain(self.reused.iter().copied())
    }

    /// Strongly connected components in topological order, the earliest in the source first among those that are ready.
    pub(super) fn components(&self, group: &[StatementId], edges: &[Edge]) -> Vec<Vec<StatementId>> {
        let n = group.len();
        let index: BTreeMap<StatementId, usize> = group.iter().enumerate().map(|(k, &s)| (s, k)).collect();
        let mut reach = vec![vec![false; n]; n];
        for e in edges {
            if let (Some(&a), Some(&b)) = (index.get(&e.source), index.get(&e.target)) {
                reach[a][b] = true;
            }
        }
        for k in 0..n {
            let through = reach[k].clone();
            for row in reach.iter_mut().filter(|row| row[k]) {
                for (r, t) in row.iter_mut().zip(&through) {
                    *r |= t;
                }
            }
        }
        let mut left: Vec<usize> = (0..n).collect();
        left.sort_by_key(|&k| self.place(group[k]));
        let mut out = Vec::new();
        while let Some(&first) = left.iter().find(|&&b| left.iter().all(|&a| !reach[a][b] || reach[b][a])) {
            let part: Vec<usize> =
                left.iter().copied().filter(|&k| k == first || (reach[k][first] && reach[first][k])).collect();
            left.retain(|k| !part.contains(k));
            out.push(part.into_iter().map(|k| group[k]).collect());
        }
        out
    }
}

/// Edges with both ends in the group.
pub(super) fn within(edges: &[Edge], group: &[StatementId]) -> Vec<Edge> {
    let group: BTreeSet<StatementId> = group.iter().copied().collect();
    edges.iter().filter(|e| group.contains(&e.source) && group.contains(&e.target)).cloned().collect()
}
