//! The static control part: what raising makes of loop nests, and all that the later stages know of them.
//!
//! Spaces, used in all comments of this crate:
//! * `Stmt[i]`: an instance of a statement, `i` its iterators, outermost first; columns `[1 | N | i]`;
//! * `Element[e]`: a cell of an array;
//! * `Time[t]`: a moment of a schedule, compared lexicographically.
//!
//! Loops are normalised: every iterator counts upwards from 0 in steps of 1.

use polyhedra::{Affine, Polyhedron, Space};
use std::collections::{BTreeMap, BTreeSet};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub usize);
    };
}

id! {
    /// Index into [`Scop::statements`].
    StatementId
}
id! {
    /// Index into [`Scop::arrays`].
    ArrayId
}
id! {
    /// Index into [`Statement::accesses`].
    AccessId
}

/// An array: a set of cells that overlaps no other array of the part (raising proves that or has it checked at run time).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// Name for people.
    pub name: String,
    /// Number of subscripts.
    pub rank: usize,
    /// Bytes of a cell.
    pub element_bytes: u64,
    /// Bytes between cells that are neighbours in the last subscript.
    pub stride_bytes: u64,
    /// Sizes of the inner dimensions (all but the first) where constant, `None` where a parameter product.
    pub inner_sizes: Vec<Option<i64>>,
    /// Memory of our own: in the source its values live in registers.
    pub is_virtual: bool,
}

/// What an access does to its cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AccessKind {
    /// Reads it.
    Read,
    /// Reads it or leaves it alone (a load under a condition on data). Orders like a read. The cell may be one that nobody may touch, so nobody may load it ahead.
    MayRead,
    /// Overwrites all of it.
    Write,
    /// Overwrites it or leaves it alone (a store under a condition on data). Orders like a write. The old value may survive, so it ends nothing that came
    /// before, and nobody may hold the cell in a register across it.
    MayWrite,
}

impl AccessKind {
    /// Can the cell have another value afterwards?
    #[must_use]
    pub const fn writes(self) -> bool {
        matches!(self, Self::Write | Self::MayWrite)
    }
}

/// `{ Stmt[i] -> Element[F i + f] }`, or a range of cells that starts there.
///
/// Ranges are for accesses of several widths on one array (its cells are then the narrowest units) and for block copies: `A[4i .. 4i+4) = ..` is an access with
/// subscript `4i` and extent 4. Two accesses touch iff all subscripts but the last agree and the ranges in the last one overlap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The array.
    pub array: ArrayId,
    /// Read or write.
    pub kind: AccessKind,
    /// One row a subscript, in the statement's space.
    pub subscripts: Vec<Affine>,
    /// Cells covered in the last dimension, from the subscript upwards; at least 1. A range stays in its row: raising sees to that.
    pub extent: u32,
}

impl Access {
    /// One cell and no doubt about what happens to it: the only accesses whose cells registers may hold.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.extent == 1 && matches!(self.kind, AccessKind::Read | AccessKind::Write)
    }

    /// Do both accesses walk through their array in the same way: equal index matrices, once the loops that the two statements do not share (all but
    /// the outer `common` ones) are renamed and turned round? So `A[i,j]` in one nest is like `A[j,n-i]` in another, whatever the order and the
    /// directions in which the nests are written; inside one nest `A[i]` and `A[j]` are not alike.
    #[must_use]
    pub fn is_alike(&self, other: &Self, common: usize) -> bool {
        let column = |a: &Self, d: usize| a.subscripts.iter().map(|e| e.dim_coeff(d)).collect::<Vec<_>>();
        let own = |a: &Self| {
            let depth = a.subscripts.first().map_or(0, |e| e.space().dims);
            let mut columns: Vec<Vec<i64>> = (common..depth)
                .map(|d| {
                    let c = column(a, d);
                    let turned = c.iter().find(|x| **x != 0).is_some_and(|x| *x < 0);
                    if turned { c.iter().map(|x| x.saturating_neg()).collect() } else { c }
                })
                .filter(|c| c.iter().any(|x| *x != 0))
                .collect();
            columns.sort_unstable();
            columns
        };
        self.array == other.array
            && self.subscripts.len() == other.subscripts.len()
            && (self.subscripts.is_empty() || (0..common).all(|d| column(self, d) == column(other, d)))
            && own(self) == own(other)
    }
}

/// An operation on integers modulo a power of two whose result depends neither on the order of its operands nor on how they are grouped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Commutative {
    /// The sum.
    Sum,
    /// The product.
    Product,
    /// Bits that all have.
    And,
    /// Bits that any has.
    Or,
    /// Bits that an odd number have.
    Xor,
    /// The least signed number.
    Least,
    /// The largest signed number.
    Most,
    /// The least number without sign.
    LeastUnsigned,
    /// The largest number without sign.
    MostUnsigned,
}

impl Commutative {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Sum,
        Self::Product,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Least,
        Self::Most,
        Self::LeastUnsigned,
        Self::MostUnsigned,
    ];

    /// A word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Product => "product",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Least => "least",
            Self::Most => "most",
            Self::LeastUnsigned => "least_unsigned",
            Self::MostUnsigned => "most_unsigned",
        }
    }
}

/// What it takes to find cells whose subscripts are affine piece by piece only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sought {
    /// So many reads: side by side they are not, as far as LLVM knows.
    pub reads: u32,
    /// Operations on subscripts: (simple operations, divisions).
    pub operations: (u32, u32),
}

/// A store with every load that reaches it through registers (a store group): one schedule for all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Name for people: `S0`, `S1`, ...
    pub name: String,
    /// `{ Stmt[i] }`, columns `[1 | N | i]`. Already intersected with everything known of the parameters.
    pub domain: Polyhedron,
    /// Original order (2d+1 form): `beta[0], i[0], beta[1], i[1], ..., beta[d]`. `beta.len() == d + 1`. Statements that share loops share the betas
    /// before them.
    pub beta: Vec<usize>,
    /// The write (exactly one, first) and the reads.
    pub accesses: Vec<Access>,
    /// Latency-weighted number of arithmetic operations, for the cost model: (simple operations, divisions).
    pub operations: (u32, u32),
    /// Calls of functions that are no instructions of the machine, likewise. If the statement is vectorizable, there are some that take vectors.
    pub calls: u32,
    /// How many of these need few reads alone, and what does not change, by the numbers of their accesses: `alpha * A[i][k]` in `C[i][j] += alpha * A[i][k] * B[k][j]`.
    pub alone: BTreeMap<Vec<usize>, (u32, u32)>,
    /// How many of the divisions and calls other statements of the same instances have, too: done once where they run in the same loop. By a number that tells which statements have them.
    pub shared: BTreeMap<usize, (u32, u32)>,
    /// Does the stored value depend on the old value of the stored cell through a floating-point operation that must keep its order? Then the cycles of
    /// that chain (add = 3, fma = 4, ...), else 0.
    pub chain_latency: u32,
    /// Does the program let that chain be done in any order (`-fassociative-math`, or an operation on integers that [`Statement::commutes`])? Of floating-point numbers we keep the order all the same; LLVM's
    /// vectoriser does not.
    pub any_order: bool,
    /// Is the stored value this operation on the old value of the stored cell and on something that the old value has no part in? See [`Statement::update`].
    pub commutes: Option<Commutative>,
    /// Cycles from a read of the stored array to the stored value, by the number of the access: how long the next iterations of a recurrence wait.
    pub latencies: BTreeMap<usize, u32>,
    /// Reads that the source loads in every iteration of its innermost loop, by the numbers of the accesses, each load with one of the statements that use it; of others it has the values in
    /// registers, or nobody knows.
    pub loaded: BTreeSet<usize>,
    /// Iterators that the conditions on data depend on under which it runs in the source.
    pub decided_by: BTreeSet<usize>,
    /// Operations that these conditions take there.
    pub asked: u32,
    /// Of those of them that say the same in all iterations of the innermost loop, which does not run where they do not hold: the iterators.
    pub skipped_by: BTreeSet<usize>,
    /// How many of the terms that are summed up are magnitudes of differences of bytes? Machines have an operation for many of them at once (`vpsadbw`), which LLVM finds in the source.
    pub magnitudes: u32,
    /// How many of its simple operations are sums of floating-point numbers with which no product is one operation, differences of cells left out? Some machines have other units for these.
    pub sums: u32,
    /// How many of its divisions are of integers by known numbers? LLVM multiplies and shifts instead: they count as divisions where values come back to them, but nothing waits for them otherwise.
    pub by_numbers: u32,
    /// Bytes of the widest numbers that it computes with; 0 where nobody knows: as those of its cells.
    pub widest: u32,
    /// Different numbers from before the region that it computes with: in loops each of them has a register, as long as there are some.
    pub constants: u32,
    /// What the source does in every iteration of its innermost loop to find cells that are no affine function of it (`x[(i + 1) % n]`, clamped borders).
    pub sought: Sought,
    /// Does LLVM not know how often the innermost loop of the source runs, or call something there where data say so? Then it makes no vectors there.
    pub uncounted: bool,
    /// Would LLVM's vectoriser take a loop around this statement: no calls or types that it cannot widen. A store under a condition needs masks besides.
    pub vectorizable: bool,
    /// For people: `C[i][j] = fma(A[i][k], B[k][j], C[i][j])` with `{n}` standing for access n.
    pub text: String,
}

impl Statement {
    /// Number of iterators.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.domain.space().dims
    }

    /// The statement's space.
    #[must_use]
    pub fn space(&self) -> Space {
        self.domain.space()
    }

    /// The write.
    ///
    /// # Panics
    /// When the statement has no access: [`Scop::check`] excludes that.
    #[must_use]
    pub fn write(&self) -> &Access {
        &self.accesses[0]
    }

    /// The reads.
    #[must_use]
    pub fn reads(&self) -> &[Access] {
        &self.accesses[1..]
    }

    /// Can it run in vectors of our own? They have no branches: what is read under conditions is read under masks, and what is not stored for certain cannot be taken back.
    #[must_use]
    pub fn has_vectors(&self) -> bool {
        self.vectorizable && self.write().kind == AccessKind::Write
    }

    /// Do data decide whether it runs, or some of it?
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        self.accesses.iter().any(|a| matches!(a.kind, AccessKind::MayRead | AccessKind::MayWrite))
    }

    /// `A[f] = A[f] op ..`, run for certain, by an operation that takes its operands in any order: that, and the read of the old value.
    #[must_use]
    pub fn update(&self) -> Option<(Commutative, AccessId)> {
        let write = self.write();
        let is_old = |a: &Access| a.array == write.array && a.subscripts == write.subscripts;
        let mut old = (1..self.accesses.len()).filter(|&k| is_old(&self.accesses[k]));
        let (operation, read) = (self.commutes?, old.next()?);
        let is_update = write.is_plain() && self.accesses[read].is_plain() && old.next().is_none();
        is_update.then_some((operation, AccessId(read)))
    }

    /// Number of loops that two statements share in the source.
    #[must_use]
    pub fn common_loops(&self, other: &Self) -> usize {
        let most = self.depth().min(other.depth());
        let same = self.beta.iter().zip(&other.beta).take_while(|(a, b)| a == b).count();
        same.min(most)
    }
}

/// A static control part. Immutable once built.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scop {
    /// Names of the parameters `N`.
    pub params: Vec<String>,
    /// Parameters that are computed, such as quotients: where no statement that mentions them runs they may be any number.
    pub computed: BTreeSet<usize>,
    /// What is known of the parameters (a set without dimensions): from types, from guards that dominate, or checked at run time.
    pub context: Option<Polyhedron>,
    /// The arrays.
    pub arrays: Vec<Array>,
    /// The statements, in source order.
    pub statements: Vec<Statement>,
}

impl Scop {
    /// Checks the invariants that the other stages rely on: spaces agree, exactly one write per statement and it comes first, beta lengths, subscripts
    /// match ranks, betas of statements are distinct.
    ///
    /// # Errors
    /// [`crate::Error::Malformed`] names the first invariant broken.
    pub fn check(&self) -> crate::Result<()> {
        let bad = |m: String| Err(crate::Error::Malformed(m));
        for (k, s) in self.statements.iter().enumerate() {
            if s.space().params != self.params.len() {
                return bad(format!("{}: number of parameters", s.name));
            }
            if s.beta.len() != s.depth() + 1 {
                return bad(format!("{}: length of beta", s.name));
            }
            let writes = s.accesses.iter().filter(|a| a.kind.writes()).count();
            if writes != 1 || !s.accesses[0].kind.writes() {
                return bad(format!("{}: exactly one write, first", s.name));
            }
            for a in &s.accesses {
                let Some(array) = self.arrays.get(a.array.0) else { return bad(format!("{}: unknown array", s.name)) };
                if array.rank != a.subscripts.len() || a.subscripts.iter().any(|e| e.space() != s.space()) {
                    return bad(format!("{}: subscripts of {}", s.name, array.name));
                }
                if a.extent == 0 || (array.rank == 0 && a.extent != 1) {
                    return bad(format!("{}: extent of an access to {}", s.name, array.name));
                }
            }
            if self.statements[..k].iter().any(|t| t.beta == s.beta) {
                return bad(format!("{}: position taken", s.name));
            }
        }
        if let Some(c) = &self.context
            && c.space() != Space::new(self.params.len(), 0)
        {
            return bad("space of the context".into());
        }
        Ok(())
    }
}
