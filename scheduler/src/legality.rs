//! The judge: sole maker of [`LegalSchedule`].
//!
//! For a dependence with relation `D` and time vectors `theta_s`, `theta_t`, let `delta_l = theta_t[l] - theta_s[l]`. The schedule respects it iff, level by
//! level, `delta_l >= 0` holds on `D` cut with `delta_0 = ... = delta_{l-1} = 0`, and the cut with all levels zero is empty. Each of these statements is
//! carried by a [`Certificate`] that is checked as an identity; the solver that found the schedule is not believed.
//!
//! **Worked example.** Matrix product, loops in the order i, j, k, dependence `{ i_t = i_s, j_t = j_s, k_t - k_s - 1 >= 0 }`: `delta_0 = i_t - i_s` and
//! `delta_1` are 0 times a slack plus 1 times an equality row; `delta_2 = k_t - k_s = 1 + 1 * (k_t - k_s - 1)`. A positive slack `c` ends the proof:
//! on the cut with `delta_2 = 0` as well, `-1 = (1 * (k_t - k_s - 1) - 1 * delta_2) / c`, so nothing is left.
//!
//! **Flags.** A band whose first member is level `b` is permutable iff for every dependence between statements below it that is not exhausted by the levels
//! before `b`, every member's `delta >= 0` on the cut with the levels before `b` only. A member at level `l` is parallel iff `delta_l = 0` on the
//! cut with the levels before `l`. What the proofs of the levels do not show already is shown by certificates of its own.
//!
//! **Two ways in.** [`prove`] looks for certificates and checks them; [`recheck`] takes certificates that somebody else has found (or read from a file), uses no
//! solver, and only adds up rows. Both make the same [`LegalSchedule`].
//!
//! Paper: Feautrier, *Some efficient solutions to the affine scheduling problem* (1992), for the use of Farkas' lemma; the certificates as checked data are
//! ours.

mod flags;

use crate::dependence::{Dependence, Dependences};
use crate::scop::{Scop, StatementId};
use crate::tree::{Member, Node};
use crate::{Error, Result};
use flags::{Evidence, Flags, keep};
use num_rational::Ratio;
use num_traits::{CheckedDiv, Zero};
use polyhedra::{Affine, Budget, Certificate, Constraint, Matrix, Polyhedron, Space};
use std::collections::BTreeMap;

/// Proof for one dependence: one certificate a level that `delta >= 0`, then one that the rest is empty; and what the flags of the tree rest on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DependenceProof {
    /// `delta_l >= 0` for `l = 0, 1, ...`, on the relation cut with the levels before.
    pub nonnegative: Vec<Certificate>,
    /// Nothing is left after these levels.
    pub exhausted: Certificate,
    /// By level `l`: `delta_l >= 0` on the relation cut with the levels outside of the band of `l`, where `nonnegative` does not show it.
    pub permutable: BTreeMap<usize, Certificate>,
    /// By level `l`: `-delta_l >= 0` on the relation cut with the levels before `l`.
    pub parallel: BTreeMap<usize, Certificate>,
}

impl DependenceProof {
    fn new(nonnegative: Vec<Certificate>, exhausted: Certificate) -> Self {
        Self { nonnegative, exhausted, permutable: BTreeMap::new(), parallel: BTreeMap::new() }
    }
}

/// A tree of loops that has been proved to respect every dependence, with the proofs. Flags `permutable` and `parallel` of the tree are proved too:
/// [`prove`] clears those that do not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalSchedule {
    tree: Node,
    proofs: Vec<DependenceProof>,
    /// Are they of the dependences of the source?
    of_source: bool,
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

    /// Do the updates of each cell come in the order of the source? Not where the dependences are of another order ([`crate::updates`]): then a term that comes first there may be the last.
    #[must_use]
    pub fn keeps_order_of_updates(&self) -> bool {
        self.of_source
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
    let times = checked_times(scop, &tree)?;
    let twins = twins(dependences);
    let mut proofs: Vec<DependenceProof> = Vec::with_capacity(dependences.ordering.len());
    for (index, dependence) in dependences.ordering.iter().enumerate() {
        if let Some(known) = twins[index] {
            let proof = proofs[known].clone();
            proofs.push(proof);
            continue;
        }
        let (source, target) = (&times[&dependence.source], &times[&dependence.target]);
        match prove_dependence(dependence, source, target, budget)? {
            Ok(proof) => proofs.push(proof),
            Err(level) => return Ok(Verdict::Refused { dependence: index, level }),
        }
    }
    let mut flags = Flags::new(dependences, &twins, &times, &proofs, Evidence::Search(budget));
    let tree = flags.settle(tree, 0)?;
    let found = flags.found;
    keep(&mut proofs, found);
    Ok(Verdict::Legal(LegalSchedule { tree, proofs, of_source: dependences.order.is_none() }))
}

/// Why [`recheck`] does not accept a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// A dependence without proof.
    #[error("dependence {dependence}: there is no proof")]
    NoProof {
        /// Index in [`Dependences::ordering`].
        dependence: usize,
    },
    /// A proof of a dependence that the part does not have.
    #[error("proof {dependence}: the part has no such dependence")]
    NoDependence {
        /// Index of the proof.
        dependence: usize,
    },
    /// A certificate does not prove that the distance is not negative here, or the schedule has no such level.
    #[error("dependence {dependence}, level {level}: the certificate does not prove that the distance is not negative")]
    Level {
        /// Index in [`Dependences::ordering`].
        dependence: usize,
        /// Level of the flattened schedule.
        level: usize,
    },
    /// A certificate does not prove that nothing is left behind the last level.
    #[error("dependence {dependence}, after level {level}: the certificate does not prove that nothing is left")]
    NotExhausted {
        /// Index in [`Dependences::ordering`].
        dependence: usize,
        /// How many levels the proof has.
        level: usize,
    },
    /// A band is called permutable, and this distance is not proved for it.
    #[error("dependence {dependence}, level {level}: there is no proof that the band is permutable")]
    Permutable {
        /// Index in [`Dependences::ordering`].
        dependence: usize,
        /// Level of the flattened schedule.
        level: usize,
    },
    /// A loop is called parallel, and it is not proved that this distance is zero.
    #[error("dependence {dependence}, level {level}: there is no proof that the loop is parallel")]
    Parallel {
        /// Index in [`Dependences::ordering`].
        dependence: usize,
        /// Level of the flattened schedule.
        level: usize,
    },
    /// A loop is tiled or has lanes that may not, or too few.
    #[error("a tile needs a permutable band and a size of at least 1, lanes a parallel loop and two of them")]
    Group,
}

/// Checks a tree with proofs (by index of the dependence) that come from elsewhere: every identity, by adding up rows; no solver, no search. The flags of the tree
/// must be proved as well. Linear in the proofs.
///
/// # Errors
/// Overflow, malformed tree.
pub fn recheck(
    scop: &Scop,
    dependences: &Dependences,
    tree: Node,
    given: &BTreeMap<usize, DependenceProof>,
) -> Result<std::result::Result<LegalSchedule, Refusal>> {
    let times = checked_times(scop, &tree)?;
    if let Some((&dependence, _)) = given.range(dependences.ordering.len()..).next() {
        return Ok(Err(Refusal::NoDependence { dependence }));
    }
    let mut proofs: Vec<DependenceProof> = Vec::with_capacity(dependences.ordering.len());
    for (index, dependence) in dependences.ordering.iter().enumerate() {
        let Some(proof) = given.get(&index) else { return Ok(Err(Refusal::NoProof { dependence: index })) };
        let (source, target) = (&times[&dependence.source], &times[&dependence.target]);
        let mut cut = dependence.relation.clone();
        for (level, certificate) in proof.nonnegative.iter().enumerate() {
            let refused = Refusal::Level { dependence: index, level };
            let (Some(s), Some(t)) = (source.get(level), target.get(level)) else { return Ok(Err(refused)) };
            let delta = dependence.distance(s, t)?;
            if !certificate.proves(&delta, &cut)? {
                return Ok(Err(refused));
            }
            cut.add(Constraint::eq(delta));
        }
        if !proof.exhausted.proves(&Affine::constant(cut.space(), -1), &cut)? {
            return Ok(Err(Refusal::NotExhausted { dependence: index, level: proof.nonnegative.len() }));
        }
        proofs.push(DependenceProof::new(proof.nonnegative.clone(), proof.exhausted.clone()));
    }
    let twins = twins(dependences);
    let mut flags = Flags::new(dependences, &twins, &times, &proofs, Evidence::Given(given));
    let settled = flags.settle(tree.clone(), 0)?;
    if let Some(refused) = flags.refused {
        return Ok(Err(refused));
    }
    if settled != tree || !groups_have_size(&tree) {
        return Ok(Err(Refusal::Group));
    }
    let found = flags.found;
    keep(&mut proofs, found);
    Ok(Ok(LegalSchedule { tree, proofs, of_source: dependences.order.is_none() }))
}

fn groups_have_size(node: &Node) -> bool {
    match node {
        Node::Leaf(_) => true,
        Node::Sequence(children) => children.iter().all(groups_have_size),
        Node::Band { members, child, .. } => {
            let several = |count: Option<u32>| count.is_none_or(|c| c >= 2);
            let enough = |m: &Member| {
                m.tile.is_none_or(|t| t >= 1)
                    && m.lanes.is_none_or(|l| l.width >= 2 && l.vectors >= 1)
                    && several(m.abreast)
            };
            members.iter().all(enough) && groups_have_size(child)
        }
    }
}

/// The source order itself as a tree. One loop a band; flags are set as if everything were allowed, [`prove`] clears what does not hold.
#[must_use]
pub fn original(scop: &Scop) -> Node {
    let mut all: Vec<StatementId> = (0..scop.statements.len()).map(StatementId).collect();
    all.sort_by(|a, b| scop.statements[a.0].beta.cmp(&scop.statements[b.0].beta));
    original_of(scop, &all)
}

/// Some statements in their source order, in which they are given.
pub(crate) fn original_of(scop: &Scop, statements: &[StatementId]) -> Node {
    fn nest(scop: &Scop, statements: &[StatementId], depth: usize) -> Node {
        let mut children: Vec<Node> = Vec::new();
        let mut rest = statements;
        while let Some(&first) = rest.first() {
            let place = scop.statements[first.0].beta.get(depth);
            let same = |s: &&StatementId| scop.statements[s.0].beta.get(depth) == place;
            let count = rest.iter().take_while(same).count();
            let (group, later) = rest.split_at(count);
            rest = later;
            let (flat, looped): (Vec<_>, Vec<_>) = group.iter().partition(|s| scop.statements[s.0].depth() <= depth);
            children.extend(flat.into_iter().map(Node::Leaf));
            if !looped.is_empty() {
                let rows = looped.iter().map(|s| (*s, Affine::dim(scop.statements[s.0].space(), depth))).collect();
                children.push(Node::Band {
                    members: vec![Member::new(rows, true)],
                    permutable: true,
                    child: Box::new(nest(scop, &looped, depth + 1)),
                });
            }
        }
        if children.len() == 1 { children.remove(0) } else { Node::Sequence(children) }
    }
    nest(scop, statements, 0)
}

/// For each dependence the first one with the same ends, level and relation, if it stands before it: flow, anti and output dependences of `C[i,j] += ..` differ in
/// nothing else.
fn twins(dependences: &Dependences) -> Vec<Option<usize>> {
    let mut known: BTreeMap<(StatementId, StatementId, usize), Vec<usize>> = BTreeMap::new();
    let one = |(k, d): (usize, &Dependence)| {
        let alike = known.entry((d.source, d.target, d.level)).or_default();
        let first = alike.iter().copied().find(|&e| dependences.ordering[e].relation == d.relation);
        if first.is_none() {
            alike.push(k);
        }
        first
    };
    dependences.ordering.iter().enumerate().map(one).collect()
}

/// Coverage, spaces and rank; then the flattened tree.
fn checked_times(scop: &Scop, tree: &Node) -> Result<BTreeMap<StatementId, Vec<Affine>>> {
    let bad = |m: String| Err(Error::Malformed(m));
    let mut seen = tree.statements();
    seen.sort();
    if seen.iter().map(|s| s.0).ne(0..scop.statements.len()) {
        return bad("a tree must hold every statement once".into());
    }
    check_bands(scop, tree)?;
    let spaces: BTreeMap<StatementId, Space> =
        scop.statements.iter().enumerate().map(|(k, s)| (StatementId(k), s.space())).collect();
    let times = tree.flatten(&spaces);
    for (s, rows) in &times {
        let space = spaces[s];
        let linear = rows.iter().map(|r| r.dim_coeffs().to_vec()).filter(|r| r.iter().any(|&c| c != 0)).collect();
        if Matrix::new(linear, space.dims).rank()? != space.dims {
            return bad(format!("rows of {} do not determine its iterators", scop.statements[s.0].name));
        }
    }
    Ok(times)
}

fn check_bands(scop: &Scop, node: &Node) -> Result<()> {
    match node {
        Node::Leaf(_) => Ok(()),
        Node::Sequence(children) => children.iter().try_for_each(|c| check_bands(scop, c)),
        Node::Band { members, child, .. } => {
            let mut below = child.statements();
            below.sort();
            for member in members {
                let spaces_agree = member.rows.iter().all(|(s, r)| r.space() == scop.statements[s.0].space());
                if member.rows.keys().ne(below.iter()) || !spaces_agree {
                    return Err(Error::Malformed("a member needs one row for every statement below".into()));
                }
            }
            check_bands(scop, child)
        }
    }
}

/// A certificate that its own checker accepts, or an error: what [`polyhedra::farkas`] finds is not believed either.
fn checked(certificate: Certificate, form: &Affine, set: &Polyhedron) -> Result<Certificate> {
    if certificate.proves(form, set)? {
        Ok(certificate)
    } else {
        Err(Error::Solver("a certificate that proves nothing".into()))
    }
}

/// The certificate for `0 >= 0`.
fn trivial(set: &Polyhedron) -> Certificate {
    Certificate { constant: Ratio::zero(), multipliers: vec![Ratio::zero(); set.constraints().len()] }
}

fn is_zero(form: &Affine) -> bool {
    form.coeffs().iter().all(|&c| c == 0)
}

/// Either the proof or the level at which there is none.
fn prove_dependence(
    dependence: &Dependence,
    source: &[Affine],
    target: &[Affine],
    budget: &Budget,
) -> Result<std::result::Result<DependenceProof, usize>> {
    let mut cut = dependence.relation.clone();
    let minus_one = Affine::constant(cut.space(), -1);
    let mut nonnegative = Vec::new();
    for (level, (s, t)) in source.iter().zip(target).enumerate() {
        budget.spend(1 + cut.constraints().len() as u64)?;
        let delta = dependence.distance(s, t)?;
        if is_zero(&delta) {
            nonnegative.push(trivial(&cut));
            cut.add(Constraint::eq(delta));
            continue;
        }
        let Some(certificate) = polyhedra::farkas::prove_nonnegative(&delta, &cut, budget)? else {
            // No certificate exists on some empty sets: their rows need not bound this form.
            return Ok(match polyhedra::farkas::prove_empty(&cut, budget)? {
                Some(c) => Ok(DependenceProof::new(nonnegative, checked(c, &minus_one, &cut)?)),
                None => Err(level),
            });
        };
        let certificate = checked(certificate, &delta, &cut)?;
        cut.add(Constraint::eq(delta));
        let carried = !certificate.constant.is_zero();
        nonnegative.push(certificate);
        if carried && let Some(certificate) = nonnegative.last() {
            let exhausted = checked(exhausted_by(certificate)?, &minus_one, &cut)?;
            return Ok(Ok(DependenceProof::new(nonnegative, exhausted)));
        }
    }
    Ok(match polyhedra::farkas::prove_empty(&cut, budget)? {
        Some(c) => Ok(DependenceProof::new(nonnegative, checked(c, &minus_one, &cut)?)),
        None => Err(source.len()),
    })
}

/// From `delta = c + sum m_r row_r` with `c > 0`: on the cut with `delta = 0`, `-1 = (sum m_r row_r - delta) / c`.
fn exhausted_by(certificate: &Certificate) -> Result<Certificate> {
    let c = certificate.constant;
    let over = |m: &Ratio<i128>| m.checked_div(&c).ok_or(Error::Sets(polyhedra::Error::Overflow));
    let mut multipliers = certificate.multipliers.iter().map(over).collect::<Result<Vec<_>>>()?;
    multipliers.push(over(&Ratio::from_integer(-1))?);
    Ok(Certificate { constant: Ratio::zero(), multipliers })
}
