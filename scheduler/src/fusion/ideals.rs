//! The legal traversals of one sweep: order ideals of the class graph.
//!
//! **Problem.** Which classes may be past at once, at every boundary? Those with all coordinates behind the boundary must be, those with none must not be, and
//! with a class everything that its arrows lead to.
//!
//! **Theorem.** Run at step `t` the instances whose class becomes past when the boundary passes `t`, the nests in their order and each in its own. That is
//! legal iff the past classes are closed under all arrows (for every dependence `x -> y`: y executed => x executed, at every `t`).
//!
//! **Method.** Transitive closure. There is no ideal iff a class that must be past reaches one that must not be: the path says why. Otherwise every choice
//! "this class past, with all it reaches, or future, with all that reach it" leads to an ideal, so all are listed without a dead end, the laziest first and the
//! eagerest last.

use super::classes::{Arrow, Class, Classes, directed};
use super::sweep::Direction;
use crate::Result;
use polyhedra::Budget;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Traversals that are listed of one sweep; the laziest and the eagerest are among them.
pub const MOST_IDEALS: usize = 256;

/// Classes that are past while the boundary is among their coordinates.
pub type Ideal = BTreeSet<Class>;

/// The class graph in one direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// Nodes, ascending.
    nodes: Vec<Class>,
    /// What must be past at every step: nothing of them is ahead of the boundary.
    behind: Vec<bool>,
    /// What must be future: nothing of them is behind it.
    ahead: Vec<bool>,
    /// Arrows, masks as they are in this direction.
    pub arrows: Vec<Arrow>,
    /// `reach[a]`: bits of what `a` leads to, itself included.
    reach: Vec<Vec<u64>>,
}

/// What a sweep allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Ways to traverse, laziest first, eagerest last.
    Legal {
        /// The ideals.
        ideals: Vec<Ideal>,
        /// There are more than [`MOST_IDEALS`].
        more: bool,
    },
    /// No way: the arrows lead from what must be past to what must be future.
    Blocked(Vec<Arrow>),
}

fn bit(row: &[u64], k: usize) -> bool {
    row[k / 64] >> (k % 64) & 1 == 1
}

impl Graph {
    /// The graph of some classes.
    ///
    /// # Errors
    /// Budget.
    pub fn new(classes: &Classes, direction: Direction, budget: &Budget) -> Result<Self> {
        let frames = &classes.frames;
        let (mut nodes, mut full) = (Vec::new(), BTreeMap::new());
        for (&statement, frame) in frames {
            full.insert(statement, frame.full());
            for &mask in &frame.masks {
                let mask = if direction == Direction::Forward { mask } else { frame.full() & !mask };
                nodes.push(Class { statement, mask });
            }
        }
        nodes.sort();
        let n = nodes.len();
        budget.spend((n * n) as u64)?;
        let place: BTreeMap<Class, usize> = nodes.iter().enumerate().map(|(k, &c)| (c, k)).collect();
        let arrows: Vec<Arrow> = classes.arrows.iter().map(|a| directed(a, frames, direction)).collect();
        let mut reach = vec![vec![0_u64; n.div_ceil(64)]; n];
        for (k, row) in reach.iter_mut().enumerate() {
            row[k / 64] |= 1 << (k % 64);
        }
        for a in &arrows {
            if let (Some(&from), Some(&to)) = (place.get(&a.from), place.get(&a.to)) {
                reach[from][to / 64] |= 1 << (to % 64);
            }
        }
        for k in 0..n {
            let through = reach[k].clone();
            for row in reach.iter_mut().filter(|row| bit(row, k)) {
                for (r, t) in row.iter_mut().zip(&through) {
                    *r |= t;
                }
            }
        }
        let behind = nodes.iter().map(|c| full.get(&c.statement) == Some(&c.mask)).collect();
        let ahead = nodes.iter().map(|c| c.mask == 0).collect();
        Ok(Self { nodes, behind, ahead, arrows, reach })
    }

    /// All ideals, or why there is none.
    ///
    /// # Errors
    /// Budget.
    pub fn outcome(&self, budget: &Budget) -> Result<Outcome> {
        let n = self.nodes.len();
        let leads = |from: &[bool], k: usize| (0..n).any(|a| from[a] && bit(&self.reach[a], k));
        let mut state: Vec<Option<bool>> = Vec::with_capacity(n);
        for k in 0..n {
            let past = leads(&self.behind, k);
            let future = (0..n).any(|other| self.ahead[other] && bit(&self.reach[k], other));
            if past && future {
                return Ok(Outcome::Blocked(self.path()));
            }
            state.push(if past { Some(true) } else { future.then_some(false) });
        }
        let mut ideals = Vec::new();
        self.choose(&state, &mut ideals, budget)?;
        let more = ideals.len() > MOST_IDEALS;
        if more {
            ideals.truncate(MOST_IDEALS - 1);
            let eager = (0..n).filter(|&k| state[k] != Some(false)).map(|k| self.nodes[k]).collect();
            ideals.push(eager);
        }
        Ok(Outcome::Legal { ideals, more })
    }

    /// Decides the first open class both ways; one more than [`MOST_IDEALS`] at most.
    fn choose(&self, state: &[Option<bool>], found: &mut Vec<Ideal>, budget: &Budget) -> Result<()> {
        budget.spend(state.len() as u64)?;
        let Some(open) = state.iter().position(Option::is_none) else {
            found.push((0..state.len()).filter(|&k| state[k] == Some(true)).map(|k| self.nodes[k]).collect());
            return Ok(());
        };
        for past in [false, true] {
            if found.len() > MOST_IDEALS {
                return Ok(());
            }
            let follows = |k: usize| if past { bit(&self.reach[open], k) } else { bit(&self.reach[k], open) };
            let next: Vec<Option<bool>> = state
                .iter()
                .enumerate()
                .map(|(k, &s)| if s.is_none() && follows(k) { Some(past) } else { s })
                .collect();
            self.choose(&next, found, budget)?;
        }
        Ok(())
    }

    /// A shortest way from a class that must be past to one that must be future, the first of several.
    fn path(&self) -> Vec<Arrow> {
        let starts = (0..self.nodes.len()).filter(|&k| self.behind[k]).map(|k| self.nodes[k]);
        let goals: BTreeSet<Class> = (0..self.nodes.len()).filter(|&k| self.ahead[k]).map(|k| self.nodes[k]).collect();
        let mut came: BTreeMap<Class, Option<Arrow>> = starts.map(|c| (c, None)).collect();
        let mut queue: VecDeque<Class> = came.keys().copied().collect();
        while let Some(at) = queue.pop_front() {
            if goals.contains(&at) {
                let mut out = Vec::new();
                let mut step = came.get(&at).copied().flatten();
                while let Some(arrow) = step {
                    out.push(arrow);
                    step = came.get(&arrow.from).copied().flatten();
                }
                out.reverse();
                return out;
            }
            for arrow in self.arrows.iter().filter(|a| a.from == at) {
                if let Entry::Vacant(place) = came.entry(arrow.to) {
                    place.insert(Some(*arrow));
                    queue.push_back(arrow.to);
                }
            }
        }
        Vec::new()
    }

    /// Is the set closed under all arrows, with everything that must be past and nothing that must not?
    #[must_use]
    pub fn is_ideal(&self, past: &Ideal) -> bool {
        let bounds = self.nodes.iter().enumerate().all(|(k, c)| {
            let is = past.contains(c);
            (is || !self.behind[k]) && (!is || !self.ahead[k])
        });
        bounds && self.arrows.iter().all(|a| !past.contains(&a.from) || past.contains(&a.to))
    }

    /// All classes.
    #[must_use]
    pub fn nodes(&self) -> &[Class] {
        &self.nodes
    }
}
