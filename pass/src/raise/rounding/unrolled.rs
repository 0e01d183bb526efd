//! Which loops LLVM may unroll, and what the instances that stand side by side then read.

use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space, Union};
use scheduler::scop::{Access, Scop, Statement};

/// The most vectors, of all loops inside of one, that LLVM may unroll: 400 % of its threshold of 300, two operations each.
const MOST_UNROLLED: i64 = 600;

/// The bytes of the longest vectors of which loops have a known number.
const VECTOR: i64 = 64;

/// May LLVM unroll all loops of a statement but the `shared` outer ones? Their lengths have to be known in front of these, or when some of these are unrolled, too.
pub(super) fn may_be_unrolled(scop: &Scop, s: &Statement, shared: usize) -> bool {
    (0..=shared).any(|outer| may_all_go(scop, s, outer))
}

/// As [`may_be_unrolled`], with these outer loops left.
fn may_all_go(scop: &Scop, s: &Statement, shared: usize) -> bool {
    let bytes = scop.arrays.get(s.accesses[0].array.0).map_or(1, |array| array.element_bytes);
    let lanes = i64::try_from(bytes).map_or(1, |bytes| (VECTOR / bytes.max(1)).max(1));
    let mut vectors: i64 = 1;
    for inner in shared..s.depth() {
        let is_end = |row: &&Constraint| {
            let c = row.expr.dim_coeff(inner);
            (c < 0 || (c > 0 && row.kind == Kind::Eq)) && is_known(&row.expr, shared)
        };
        let ends: Vec<&Constraint> = s.domain.constraints().iter().filter(is_end).collect();
        if ends.is_empty() {
            return false;
        }
        let is_alone = |row: &Affine| row.dim_coeffs().iter().enumerate().all(|(k, &c)| (c != 0) == (k == inner));
        let lengths = ends.iter().filter(|row| is_alone(&row.expr)).map(|row| match row.kind {
            Kind::Eq => 1,
            Kind::Ge => {
                (row.expr.constant_term() / row.expr.dim_coeff(inner).saturating_neg()).saturating_add(1).max(1)
            }
        });
        let length = lengths.min().unwrap_or(1);
        let side_by_side = if inner + 1 == s.depth() { lanes } else { 1 };
        vectors = vectors.saturating_mul(length.saturating_add(side_by_side - 1) / side_by_side);
    }
    vectors <= MOST_UNROLLED
}

/// Does a row mention nothing but loops inside of the `shared` outer ones?
fn is_known(row: &Affine, shared: usize) -> bool {
    row.param_coeffs().iter().all(|&c| c == 0) && row.dim_coeffs()[..shared].iter().all(|&c| c == 0)
}

/// Have both statements the same outer loops, so many of them?
pub(super) fn share(a: &Statement, b: &Statement, shared: usize) -> bool {
    a.depth() >= shared && b.depth() >= shared && a.beta[..shared] == b.beta[..shared]
}

/// `{ [one, other] }`: instances of two statements in the same iterations of the `shared` outer loops. First all iterators of one, then those of the other.
pub(super) struct Together {
    /// Which instances.
    pub set: Polyhedron,
    /// Where the iterators of one are.
    one: Vec<usize>,
    /// Where those of the other are.
    other: Vec<usize>,
}

impl Together {
    /// All instances.
    pub fn of(one: &Statement, other: &Statement, shared: usize) -> Self {
        let space = Space::new(one.space().params, one.depth() + other.depth() - shared);
        let [one_at, other_at]: [Vec<usize>; 2] =
            [(0..one.depth()).collect(), (0..shared).chain(one.depth()..space.dims).collect()];
        let set = one.domain.embed(space, &one_at).intersect(&other.domain.embed(space, &other_at));
        Self { set, one: one_at, other: other_at }
    }

    /// Only those whose accesses touch one cell. `None`: numbers are too large, or the arrays are two.
    pub fn at_one_cell(mut self, one: &Access, other: &Access) -> Option<Self> {
        if one.array != other.array || one.subscripts.len() != other.subscripts.len() {
            return None;
        }
        let last = one.subscripts.len().checked_sub(1);
        for (k, (a, b)) in one.subscripts.iter().zip(&other.subscripts).enumerate() {
            let apart = self.apart(a, b)?;
            if Some(k) != last || (one.extent == 1 && other.extent == 1) {
                self.set.add(Constraint::eq(apart));
                continue;
            }
            // Ranges of cells: `-extent < apart < extent of the other`.
            let [from, to] = [i64::from(one.extent) - 1, i64::from(other.extent) - 1];
            self.set.add(Constraint::ge(apart.offset(from).ok()?));
            self.set.add(Constraint::ge(apart.scale(-1).and_then(|a| a.offset(to)).ok()?));
        }
        Some(self)
    }

    /// How much more an expression in the iterators of one is than one in those of the other.
    pub fn apart(&self, one: &Affine, other: &Affine) -> Option<Affine> {
        let space = self.set.space();
        one.embed(space, &self.one).sub(&other.embed(space, &self.other)).ok()
    }

    /// How far iterator `d` of the other is from that of one.
    pub fn distance(&self, d: usize) -> Option<Affine> {
        let space = self.set.space();
        Affine::dim(space, *self.other.get(d)?).sub(&Affine::dim(space, *self.one.get(d)?)).ok()
    }
}

/// Is every cell that the access of a statement reads stored by some of the writers, in the same iteration of the `shared` outer loops? `false`: not, or nobody knows.
pub(super) fn is_overwritten(
    scop: &Scop,
    s: &Statement,
    access: &Access,
    writers: &[usize],
    shared: usize,
    budget: &Budget,
) -> bool {
    let mut written = Union::empty(s.space());
    for &w in writers {
        let writer = &scop.statements[w];
        let Some(at) = Together::of(s, writer, shared).at_one_cell(access, &writer.accesses[0]) else { continue };
        let own: Vec<usize> = (s.depth()..at.set.space().dims).collect();
        let shadow = at.set.project_out(&own, budget).ok().filter(|shadow| shadow.exact);
        if let Some(more) = shadow.and_then(|shadow| written.union(&shadow.set.into()).ok()) {
            written = more;
        }
    }
    Union::from(s.domain.clone()).is_subset(&written, budget).unwrap_or(false)
}

/// The statements in the last of the `shared` loops of one that may store to a cell that its access reads, in some iteration of that.
pub(super) fn writers(scop: &Scop, s: &Statement, access: &Access, shared: usize, budget: &Budget) -> Vec<usize> {
    let touches = |w: &Statement| {
        let at = Together::of(s, w, shared.saturating_sub(1)).at_one_cell(access, &w.accesses[0]);
        at.is_some_and(|at| at.set.is_empty(budget).is_ok_and(|empty| !empty))
    };
    let is_one = |w: &Statement| share(s, w, shared) && touches(w);
    (0..scop.statements.len()).filter(|&w| is_one(&scop.statements[w])).collect()
}
