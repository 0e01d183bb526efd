//! The flags `permutable` and `parallel` of a proved tree: each holds by certificates, found here or given, and always checked. What they mean stands in the
//! header of [`super`].

use super::{DependenceProof, Refusal, is_zero};
use crate::Result;
use crate::dependence::Dependences;
use crate::scop::StatementId;
use crate::tree::Node;
use num_traits::Zero;
use polyhedra::{Affine, Budget, Certificate, Constraint, Polyhedron};
use std::collections::BTreeMap;

/// Which flag a certificate is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Flag {
    Permutable,
    Parallel,
}

/// Certificates of flags: flag, dependence, level.
pub(super) type Found = Vec<(Flag, usize, usize, Certificate)>;

pub(super) fn keep(proofs: &mut [DependenceProof], found: Found) {
    for (flag, k, level, certificate) in found {
        if let Some(proof) = proofs.get_mut(k) {
            let list = if flag == Flag::Permutable { &mut proof.permutable } else { &mut proof.parallel };
            list.insert(level, certificate);
        }
    }
}

/// Where the certificates of flags come from. All are checked.
pub(super) enum Evidence<'a> {
    Search(&'a Budget),
    Given(&'a BTreeMap<usize, DependenceProof>),
}

/// Decides the flags of a proved tree.
pub(super) struct Flags<'a> {
    dependences: &'a Dependences,
    twins: &'a [Option<usize>],
    times: &'a BTreeMap<StatementId, Vec<Affine>>,
    proofs: &'a [DependenceProof],
    evidence: Evidence<'a>,
    /// Certificates of the flags that hold.
    pub found: Found,
    /// What stood against the first flag that does not.
    pub refused: Option<Refusal>,
}

impl<'a> Flags<'a> {
    pub fn new(
        dependences: &'a Dependences,
        twins: &'a [Option<usize>],
        times: &'a BTreeMap<StatementId, Vec<Affine>>,
        proofs: &'a [DependenceProof],
        evidence: Evidence<'a>,
    ) -> Self {
        Self { dependences, twins, times, proofs, evidence, found: Vec::new(), refused: None }
    }

    /// `level`: how many levels lie outside of the node.
    pub fn settle(&mut self, node: Node, level: usize) -> Result<Node> {
        Ok(match node {
            Node::Leaf(s) => Node::Leaf(s),
            Node::Sequence(children) => {
                Node::Sequence(children.into_iter().map(|c| self.settle(c, level + 1)).collect::<Result<_>>()?)
            }
            Node::Band { mut members, permutable, child } => {
                let below = child.statements();
                let inside: Vec<usize> = (0..self.proofs.len())
                    .filter(|&k| {
                        let d = &self.dependences.ordering[k];
                        self.proofs[k].nonnegative.len() > level
                            && below.contains(&d.source)
                            && below.contains(&d.target)
                            && self.twins[k].is_none()
                    })
                    .collect();
                let permutable = permutable && self.permutable(&inside, level, members.len())?;
                for (k, member) in members.iter_mut().enumerate() {
                    member.parallel = member.parallel && self.parallel(&inside, level + k)?;
                    member.tile = member.tile.filter(|_| permutable);
                    member.lanes = member.lanes.filter(|_| member.parallel);
                    member.abreast = member.abreast.filter(|_| permutable && member.parallel && k > 0);
                }
                let inner = level + members.len();
                Node::Band { members, permutable, child: Box::new(self.settle(*child, inner)?) }
            }
        })
    }

    fn delta(&self, k: usize, level: usize) -> Result<Affine> {
        let d = &self.dependences.ordering[k];
        d.distance(&self.times[&d.source][level], &self.times[&d.target][level])
    }

    fn cut(&self, k: usize, levels: usize) -> Result<Polyhedron> {
        let mut cut = self.dependences.ordering[k].relation.clone();
        for l in 0..levels {
            cut.add(Constraint::eq(self.delta(k, l)?));
        }
        Ok(cut)
    }

    /// A certificate that has been checked, if there is one.
    fn certificate(
        &self,
        flag: Flag,
        k: usize,
        level: usize,
        form: &Affine,
        set: &Polyhedron,
    ) -> Result<Option<Certificate>> {
        let certificate = match self.evidence {
            Evidence::Search(budget) => polyhedra::farkas::prove_nonnegative(form, set, budget)?,
            Evidence::Given(given) => given
                .get(&k)
                .and_then(|p| if flag == Flag::Permutable { p.permutable.get(&level) } else { p.parallel.get(&level) })
                .cloned(),
        };
        Ok(match certificate {
            Some(c) if c.proves(form, set)? => Some(c),
            _ => None,
        })
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.refused.get_or_insert(refusal);
    }

    fn permutable(&mut self, inside: &[usize], level: usize, members: usize) -> Result<bool> {
        let mut found = Vec::new();
        for &k in inside {
            let rows = self.dependences.ordering[k].relation.constraints().len();
            let mut cut = None;
            for l in level + 1..level + members {
                // The proof of legality serves when it makes no use of the rows of this band.
                let known = self.proofs[k].nonnegative.get(l);
                if known.is_some_and(|c| c.multipliers[rows + level..].iter().all(Zero::is_zero)) {
                    continue;
                }
                if cut.is_none() {
                    cut = Some(self.cut(k, level)?);
                }
                let Some(cut) = &cut else { continue };
                let delta = self.delta(k, l)?;
                if never_negative(&delta) {
                    continue;
                }
                let Some(c) = self.certificate(Flag::Permutable, k, l, &delta, cut)? else {
                    self.refuse(Refusal::Permutable { dependence: k, level: l });
                    return Ok(false);
                };
                found.push((Flag::Permutable, k, l, c));
            }
        }
        self.found.extend(found);
        Ok(true)
    }

    fn parallel(&mut self, inside: &[usize], level: usize) -> Result<bool> {
        let mut found = Vec::new();
        for &k in inside {
            let Some(known) = self.proofs[k].nonnegative.get(level) else { continue };
            let delta = self.delta(k, level)?;
            if is_zero(&delta) {
                continue;
            }
            let certificate = if known.constant.is_zero() {
                let (form, set) = (delta.scale(-1)?, self.cut(k, level)?);
                self.certificate(Flag::Parallel, k, level, &form, &set)?
            } else {
                None
            };
            let Some(c) = certificate else {
                self.refuse(Refusal::Parallel { dependence: k, level });
                return Ok(false);
            };
            found.push((Flag::Parallel, k, level, c));
        }
        self.found.extend(found);
        Ok(true)
    }
}

/// A constant that is not negative: its certificate is itself.
fn never_negative(form: &Affine) -> bool {
    form.is_constant() && form.constant_term() >= 0
}
