//! The judge: sole maker of [`LegalSchedule`].
//!
//! For a dependence with relation `D` and time vectors `theta_s`, `theta_t`, let `delta_l = theta_t[l] - theta_s[l]`. The schedule respects it iff, level by
//! level, `delta_l >= 0` holds on `D` cut with `delta_0 = ... = delta_{l-1} = 0`, and the cut with all levels zero is empty. Each of these statements is
//! carried by a [`Certificate`] that is checked as an identity; the solver that found the schedule is not believed.

use crate::Result;
use crate::dependence::Dependences;
use crate::scop::Scop;
use crate::tree::Node;
use polyhedra::{Budget, Certificate};

/// Proof for one dependence: one certificate a level that `delta >= 0`, then one that the rest is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DependenceProof {
    /// `delta_l >= 0` for `l = 0, 1, ...`, on the relation cut with the levels before.
    pub nonnegative: Vec<Certificate>,
    /// Nothing is left after these levels.
    pub exhausted: Certificate,
}

/// A tree of loops that has been proved to respect every dependence, with the proofs. Flags `permutable` and `parallel` of the tree are proved too:
/// [`prove`] clears those that do not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalSchedule {
    tree: Node,
    proofs: Vec<DependenceProof>,
}

impl LegalSchedule {
    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &Node {
        &self.tree
    }

    /// One proof for each of [`Dependences::ordering`].
    #[must_use]
    pub fn proofs(&self) -> &[DependenceProof] {
        &self.proofs
    }
}

/// What the judge says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Proved.
    Legal(LegalSchedule),
    /// The dependence with this index in [`Dependences::ordering`] is violated, or could not be proved, at this level.
    Refused {
        /// Index of the dependence.
        dependence: usize,
        /// Level of the flattened schedule.
        level: usize,
    },
}

/// Proves a tree, or says which dependence stands against it. Also checks that every statement occurs exactly once and that its rows determine its
/// iterators (rank).
///
/// # Errors
/// Overflow, budget, malformed tree.
pub fn prove(scop: &Scop, dependences: &Dependences, tree: Node, budget: &Budget) -> Result<Verdict> {
    let _ = (scop, dependences, tree, budget);
    todo!()
}
