//! Exact parametric dependences (memory based, all access pairs).
//!
//! **Problem.** Which pairs of instances touch one cell, at least one of them writing, and which of the two came first?
//!
//! **Notation.** A dependence is a relation with columns `[1 | N | i_t | i_s]`, loops outer to inner: domains of both ends, `F_s i_s + f_s = F_t i_t + f_t`
//! for every subscript, and the original order. The original order of two instances is lexicographic in `beta[0], i[0], beta[1], i[1], ..`, a union of
//! convex pieces, one for each common loop: **level l** says `i_t[0..l] = i_s[0..l]` and `i_t[l] >= i_s[l] + 1`; the last piece, level `common_loops`, says
//! that all common iterators agree and the source's statement stands earlier in the text. Each non-empty piece is one [`Dependence`].
//!
//! **Direction.** Both orders of every pair of accesses are built and the empty pieces dropped; nothing is assumed of who comes first. So a dependence
//! that switches its direction (`x[i] = x[n-1-i]`: the left half is read before it is written, the right half after) simply comes out as two relations,
//! an anti dependence on `2i < n - 1` and a flow dependence on `2i > n - 1`.
//!
//! **Worked example.** `for i for j for k: C[i,j] += A[i,k] * B[k,j]`: levels 0 and 1 are empty because `i` and `j` agree on equal cells; level 2 gives
//! `{ i_t = i_s, j_t = j_s, k_t >= k_s + 1 }` as flow, anti and output dependence.
//!
//! **Method.** Cheap tests first (constant subscripts that differ, opposite rows), then the exact integer test. Should that test overflow, the
//! dependence stays: one too many is safe.

use crate::Result;
use crate::legality;
use crate::scop::{Access, AccessId, AccessKind, Scop, Statement, StatementId};
use crate::tree::Node;
use polyhedra::{Affine, Budget, Constraint, Error as SetError, Polyhedron, Space};
use std::fmt::Write as _;

/// Kind of a dependence, by what its ends do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum DependenceKind {
    /// write, then read
    Flow,
    /// read, then write
    Anti,
    /// write, then write
    Output,
    /// read, then read: reuse, no constraint
    Input,
}

impl DependenceKind {
    /// By what the ends do.
    #[must_use]
    pub const fn of(source: AccessKind, target: AccessKind) -> Self {
        match (source.writes(), target.writes()) {
            (true, false) => Self::Flow,
            (false, true) => Self::Anti,
            (true, true) => Self::Output,
            (false, false) => Self::Input,
        }
    }

    /// `flow`, `anti`, `output`, `input`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flow => "flow",
            Self::Anti => "anti",
            Self::Output => "output",
            Self::Input => "input",
        }
    }
}

/// `{ Source[i_s] -> Target[i_t] }`: instances that touch one cell, the source first in the original order. Convex: a pair of accesses gives one
/// dependence a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependence {
    /// Kind.
    pub kind: DependenceKind,
    /// Statement whose instance comes first.
    pub source: StatementId,
    /// Statement whose instance comes later.
    pub target: StatementId,
    /// The access of the source.
    pub source_access: AccessId,
    /// The access of the target.
    pub target_access: AccessId,
    /// Number of shared loops whose iterators are equal before the one that carries it; `common_loops` when loop independent. In another order than that of
    /// the source, the number of rows of its time that are equal.
    pub level: usize,
    /// Columns `[1 | N | i_t | i_s]`.
    pub relation: Polyhedron,
}

impl Dependence {
    /// `row_t(i_t) - row_s(i_s)` in the relation's space: how much later, at one level of a schedule, the target runs.
    ///
    /// # Errors
    /// Overflow, rows of other spaces.
    pub fn distance(&self, source_row: &Affine, target_row: &Affine) -> Result<Affine> {
        distance(self.relation.space(), source_row, target_row)
    }
}

/// See [`Dependence::distance`]: both rows put side by side, target first.
pub(crate) fn distance(space: Space, source_row: &Affine, target_row: &Affine) -> Result<Affine> {
    let (ds, dt) = (source_row.space().dims, target_row.space().dims);
    if space.dims != ds + dt || source_row.space().params != space.params || target_row.space().params != space.params {
        return Err(SetError::SpaceMismatch("rows of a dependence".into()).into());
    }
    let p = space.params;
    let mut coeffs = Vec::with_capacity(space.columns());
    for c in 0..=p {
        let d = target_row.coeffs()[c].checked_sub(source_row.coeffs()[c]).ok_or(SetError::Overflow)?;
        coeffs.push(d);
    }
    coeffs.extend_from_slice(target_row.dim_coeffs());
    for c in source_row.dim_coeffs() {
        coeffs.push(c.checked_neg().ok_or(SetError::Overflow)?);
    }
    Ok(Affine::from_coeffs(space, coeffs))
}

/// All dependences of a part: of the order of the source, or of another that leaves the same in memory ([`crate::updates`]).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dependences {
    /// Those that constrain: flow, anti, output.
    pub ordering: Vec<Dependence>,
    /// Read-read pairs (reuse); for the cost model and for shift weights.
    pub reuse: Vec<Dependence>,
    /// The order that they are of, where that is not the source's.
    pub order: Option<Node>,
}

impl Dependences {
    /// The order that they are of.
    #[must_use]
    pub fn original(&self, scop: &Scop) -> Node {
        self.order.clone().unwrap_or_else(|| legality::original(scop))
    }

    /// Computes them. Deterministic order: by source, target, accesses, level.
    ///
    /// # Errors
    /// Overflow, budget, malformed part.
    pub fn of(scop: &Scop, budget: &Budget) -> Result<Self> {
        scop.check()?;
        let mut out = Self::default();
        for s in 0..scop.statements.len() {
            for t in 0..scop.statements.len() {
                Pair::new(scop, s, t).collect(&mut out, budget)?;
            }
        }
        Ok(out)
    }
}

/// Pairs of instances of two statements that touch one cell by one of some pairs of accesses (source, target), the source first by their times, which must
/// differ. Unlike those of [`Dependences::of`] by the rows of any order.
///
/// # Errors
/// Overflow, budget, rows of other spaces.
pub(crate) fn by_times(
    scop: &Scop,
    (s, t): (StatementId, StatementId),
    accesses: &[(AccessId, AccessId)],
    (first, later): (&[Affine], &[Affine]),
    budget: &Budget,
) -> Result<Vec<Dependence>> {
    let pair = Pair::new(scop, s.0, t.0);
    let mut out = Vec::new();
    for &(a, b) in accesses {
        let (source, target) = (&pair.source.accesses[a.0], &pair.target.accesses[b.0]);
        let kind = DependenceKind::of(source.kind, target.kind);
        let mut cell = Polyhedron::new(pair.space, pair.touching(source, target)?).intersect(&pair.domains);
        for (level, (x, y)) in first.iter().zip(later).enumerate() {
            budget.spend(1)?;
            let step = distance(pair.space, x, y)?;
            let later = cell.clone().with(Constraint::ge(step.offset(-1)?));
            if !empty(&later, budget)? {
                let (source, source_access, target, target_access) = (s, a, t, b);
                out.push(Dependence { kind, source, target, source_access, target_access, level, relation: later });
            }
            cell.add(Constraint::eq(step));
            if cell.is_obviously_empty() {
                break;
            }
        }
    }
    Ok(out)
}

/// The non-empty pieces of the original order on one pair of accesses: level and relation.
type Pieces = Vec<(usize, Polyhedron)>;

/// Reads whose subscripts differ by so much, or by a size, are far from each other.
const FAR: u64 = 8;

/// Two statements, the source and the target of the dependences looked for.
struct Pair<'a> {
    ids: (usize, usize),
    source: &'a Statement,
    target: &'a Statement,
    space: Space,
    target_dims: Vec<usize>,
    source_dims: Vec<usize>,
    /// Both domains.
    domains: Polyhedron,
}

impl<'a> Pair<'a> {
    fn new(scop: &'a Scop, s: usize, t: usize) -> Self {
        let (source, target) = (&scop.statements[s], &scop.statements[t]);
        let (ds, dt) = (source.depth(), target.depth());
        let space = Space::new(scop.params.len(), ds + dt);
        let target_dims: Vec<usize> = (0..dt).collect();
        let source_dims: Vec<usize> = (dt..dt + ds).collect();
        let mut domains = target.domain.embed(space, &target_dims);
        for row in source.domain.embed(space, &source_dims).constraints() {
            if !domains.constraints().contains(row) {
                domains.add(row.clone());
            }
        }
        Self { ids: (s, t), source, target, space, target_dims, source_dims, domains }
    }

    fn collect(&self, out: &mut Dependences, budget: &Budget) -> Result<()> {
        // Several accesses of a statement often have the same subscripts (`C[i,j] += ..`): their relations are computed once.
        let mut known: Vec<(Vec<Constraint>, Pieces)> = Vec::new();
        for (a, source) in self.source.accesses.iter().enumerate() {
            for (b, target) in self.target.accesses.iter().enumerate() {
                if source.array != target.array {
                    continue;
                }
                let kind = DependenceKind::of(source.kind, target.kind);
                let make = |level: usize, relation: Polyhedron| Dependence {
                    kind,
                    source: StatementId(self.ids.0),
                    target: StatementId(self.ids.1),
                    source_access: AccessId(a),
                    target_access: AccessId(b),
                    level,
                    relation,
                };
                if kind == DependenceKind::Input {
                    if let Some(d) = self.reuse((a, source), (b, target), budget)? {
                        out.reuse.push(make(self.source.common_loops(self.target), d));
                    }
                    continue;
                }
                let equal = self.touching(source, target)?;
                budget.spend(1 + equal.len() as u64)?;
                let relations = match known.iter().find(|(k, _)| *k == equal) {
                    Some((_, relations)) => relations.clone(),
                    None => {
                        let relations = self.relations(&equal, budget)?;
                        known.push((equal, relations.clone()));
                        relations
                    }
                };
                out.ordering.extend(relations.into_iter().map(|(level, relation)| make(level, relation)));
            }
        }
        Ok(())
    }

    /// Rows that say that both accesses touch a common cell: equal subscripts; in the last dimension ranges that overlap, `f_t - f_s <= extent_s - 1` and
    /// `f_s - f_t <= extent_t - 1`.
    fn touching(&self, source: &Access, target: &Access) -> Result<Vec<Constraint>> {
        let mut rows = Vec::with_capacity(source.subscripts.len() + 1);
        let last = source.subscripts.len().wrapping_sub(1);
        for (k, (e, f)) in source.subscripts.iter().zip(&target.subscripts).enumerate() {
            let row = distance(self.space, e, f)?;
            if k == last && (source.extent > 1 || target.extent > 1) {
                rows.push(Constraint::ge(row.scale(-1)?.offset(i64::from(source.extent) - 1)?));
                rows.push(Constraint::ge(row.offset(i64::from(target.extent) - 1)?));
            } else if row.coeffs().iter().any(|&c| c != 0) {
                rows.push(Constraint::eq(row));
            }
        }
        Ok(rows)
    }

    /// The non-empty pieces of "same cell, source first", by level.
    fn relations(&self, equal: &[Constraint], budget: &Budget) -> Result<Pieces> {
        let mut cell = Polyhedron::new(self.space, equal.to_vec());
        if cell.is_obviously_empty() {
            return Ok(Vec::new());
        }
        cell = cell.intersect(&self.domains);
        let common = self.source.common_loops(self.target);
        let mut out = Vec::new();
        // `i_t - i_s` of a common loop.
        let step = |l: usize| {
            let mut e = Affine::zero(self.space);
            e.set_dim(self.target_dims[l], 1);
            e.set_dim(self.source_dims[l], -1);
            e
        };
        for level in 0..=common {
            if level < common {
                let later = cell.clone().with(Constraint::ge(step(level).offset(-1)?));
                if !empty(&later, budget)? {
                    out.push((level, later));
                }
                let same = Constraint::eq(step(level));
                if !cell.constraints().contains(&same) {
                    cell.add(same);
                }
            } else if self.source.beta.get(common) < self.target.beta.get(common) && !empty(&cell, budget)? {
                out.push((level, cell.clone()));
            }
        }
        Ok(out)
    }

    /// Two reads of one cell by index matrices that are alike ([`Access::is_alike`]). No order; what lies near each other is not asked whether it ever meets.
    fn reuse(&self, a: (usize, &Access), b: (usize, &Access), budget: &Budget) -> Result<Option<Polyhedron>> {
        if (self.ids.0, a.0) >= (self.ids.1, b.0) {
            return Ok(None);
        }
        if !a.1.is_alike(b.1, self.source.common_loops(self.target)) {
            return Ok(None);
        }
        let mut relation = self.domains.clone();
        let mut far = false;
        for row in self.touching(a.1, b.1)? {
            let is_near =
                row.expr.constant_term().unsigned_abs() < FAR && row.expr.param_coeffs().iter().all(|c| *c == 0);
            far |= !is_near;
            relation.add(row);
        }
        let is_empty = if far { empty(&relation, budget)? } else { relation.is_obviously_empty() };
        Ok((!is_empty).then_some(relation))
    }
}

/// Exact, and when the exact test overflows "not seen to be empty".
fn empty(set: &Polyhedron, budget: &Budget) -> Result<bool> {
    if set.is_obviously_empty() {
        return Ok(true);
    }
    match set.is_empty(budget) {
        Err(SetError::Overflow) => Ok(false),
        other => Ok(other?),
    }
}

/// Text for people and for FileCheck: one line a dependence,
/// `flow S0 -> S2 on A level 1: [n] -> { [t0, t1, s0] : ... }`, target iterators `t`, source iterators `s`.
#[must_use]
pub fn print(scop: &Scop, dependences: &Dependences) -> String {
    let mut out = String::new();
    for d in dependences.ordering.iter().chain(&dependences.reuse) {
        let (s, t) = (&scop.statements[d.source.0], &scop.statements[d.target.0]);
        let names: Vec<String> =
            (0..t.depth()).map(|k| format!("t{k}")).chain((0..s.depth()).map(|k| format!("s{k}"))).collect();
        let shown = d.relation.simplify(&Budget::new(PRINT_STEPS)).unwrap_or_else(|_| d.relation.clone());
        let array = s.accesses.get(d.source_access.0).map_or("?", |a| scop.arrays[a.array.0].name.as_str());
        let set = polyhedra::text::print_set(&shown, &scop.params, &names);
        let _ = writeln!(out, "{} {} -> {} on {array} level {}: {set}", d.kind.name(), s.name, t.name, d.level);
    }
    out
}

/// Steps spent on making a printed relation short; beyond that it is printed as it is.
const PRINT_STEPS: u64 = 1_000_000;
