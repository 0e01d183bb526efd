//! Loops, as they will be lowered.

use polyhedra::{Affine, Space};
use scheduler::scop::{AccessId, ArrayId, StatementId};
use std::collections::BTreeSet;

/// A loop variable: index into the dimensions of every [`Affine`] of the AST. Loops inside each other have different ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopVar(pub usize);

/// A cell held in a register: index, unique in the AST.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegisterId(pub usize);

/// Scratch memory: index into [`Ast::buffers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BufferId(pub usize);

/// Integer expressions of loop bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// Over `[1 | N | loop variables]`.
    Affine(Affine),
    /// `floor(e / d)`, `d >= 1`.
    FloorDiv(Box<Expr>, i64),
    /// `ceil(e / d)`, `d >= 1`.
    CeilDiv(Box<Expr>, i64),
    /// The least; never an empty list.
    Min(Vec<Expr>),
    /// The largest; never an empty list.
    Max(Vec<Expr>),
}

/// A condition that guards a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// `a <= b`
    LessEq(Expr, Expr),
    /// `e = 0`
    IsZero(Expr),
    /// `e` is a multiple of `d`.
    Divides(i64, Expr),
    /// There is memory for the mirror.
    Granted(BufferId),
}

/// What holds where these do not, if one condition says that.
///
/// # Errors
/// Of arithmetic.
pub fn negation(conditions: &[Condition]) -> scheduler::Result<Option<Condition>> {
    Ok(match conditions {
        [Condition::LessEq(Expr::Affine(a), Expr::Affine(b))] => {
            Some(Condition::LessEq(Expr::Affine(b.offset(1)?), Expr::Affine(a.clone())))
        }
        _ => None,
    })
}

/// What a loop is for; decides metadata.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LoopKind {
    /// Walks points.
    Point,
    /// Walks tiles.
    Tile,
    /// Walks points, so many of them at once; to become vectors by [`crate::lanes`]. Where that is not done it is a loop like any other.
    Lanes {
        /// Lanes of a vector.
        width: u32,
        /// So many vectors side by side.
        vectors: u32,
    },
    /// Walks points, so many of them at once, by [`crate::lanes`], if what is inside can be unrolled. Where that is not done it is a loop like any other.
    Corner {
        /// Lanes of a vector.
        width: u32,
        /// What is read of an array that it stores to, in the same place for all iterations, has been proved to be apart from what it stores.
        apart: bool,
    },
    /// Walks exactly as many points as a vector has lanes, in a loop along which all of them go ahead; to become vectors by [`crate::lanes`], or to be written out there.
    Abreast {
        /// Lanes of a vector.
        width: u32,
    },
    /// Walks points, at most so many; to be unrolled by [`crate::jam`]. Where that is not done it is a loop like any other.
    Rows {
        /// Most trips.
        most: i64,
        /// They are the last points of a loop, of which the first ones have run before, and are skipped by conditions: what they would read is there, and may be read again.
        last: bool,
    },
    /// Walks points, at most so many; to become vectors of so many lanes by [`crate::jam`]. Where that is not done it is a loop like any other.
    Columns {
        /// Most trips; a multiple of `width`.
        most: i64,
        /// Lanes of a vector.
        width: u32,
        /// As of [`LoopKind::Rows`].
        last: bool,
    },
}

/// A loop `for (var = lower; var <= upper; var += step)`. Zero trips when `lower > upper`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct For {
    /// Its variable.
    pub var: LoopVar,
    /// First value.
    pub lower: Expr,
    /// Last value at most, inclusive.
    pub upper: Expr,
    /// `>= 1`.
    pub step: i64,
    /// No dependence between iterations.
    pub parallel: bool,
    /// Points or tiles.
    pub kind: LoopKind,
    /// What it repeats.
    pub body: Vec<AstNode>,
}

/// Consecutive values `0 ..= width - 1` of one more variable, all at once. What bears this runs for each of them, all reads before the write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lanes {
    /// The variable. No loop has it; expressions of the node that bears this may mention it, and are the same for all lanes otherwise.
    pub var: LoopVar,
    /// Number of values, at least 2.
    pub width: u32,
    /// Only lanes `>= from` run; `None`: from 0. Does not mention the variable.
    pub from: Option<Expr>,
    /// Only lanes `< to` run (none when `to <= from`, all to the end when `>= width`); `None`: to the end. Does not mention the variable.
    pub to: Option<Expr>,
}

impl Lanes {
    /// Does each lane run that runs of another, as far as can be seen?
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        covers((&self.from, &self.to), (&other.from, &other.to))
    }
}

/// Ends of lanes, as in [`Lanes`]: does each lane run that runs of the second, as far as can be seen?
#[must_use]
pub fn covers(outer: (&Option<Expr>, &Option<Expr>), inner: (&Option<Expr>, &Option<Expr>)) -> bool {
    let less_eq = |a: &Expr, b: &Expr| match (a, b) {
        (Expr::Affine(a), Expr::Affine(b)) => b.sub(a).is_ok_and(|d| d.is_constant() && d.constant_term() >= 0),
        _ => a == b,
    };
    let starts = match (outer.0, inner.0) {
        (None, _) => true,
        (Some(a), Some(b)) => less_eq(a, b),
        (Some(_), None) => false,
    };
    let ends = match (outer.1, inner.1) {
        (None, _) => true,
        (Some(a), Some(b)) => less_eq(b, a),
        (Some(_), None) => false,
    };
    starts && ends
}

/// A place in scratch memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The buffer.
    pub buffer: BufferId,
    /// Which cell of it, from 0; over `[1 | N | loop variables]`. The coefficient of the lanes' variable is 0 or 1.
    pub index: Affine,
}

/// Scratch memory for copies of an array's cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// The array whose cells go there; decides the type.
    pub array: ArrayId,
    /// Number of cells.
    pub cells: u64,
    /// The program may do without it.
    pub mirror: Option<Mirror>,
}

/// Scratch memory from which some reads of an array of two subscripts are, where there is that memory. Places are `row` times the first subscript and the second one, but for what is the same in all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mirror {
    /// Cells from one value of the first subscript to the next.
    pub row: i64,
}

/// Copies cells to scratch memory: `to[index] = array[subscripts]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pack {
    /// Where to.
    pub to: Place,
    /// The array.
    pub array: ArrayId,
    /// The cell, over `[1 | N | loop variables]`.
    pub subscripts: Vec<Affine>,
    /// For several values at once. Places of lanes that do not run are written too, with zeros.
    pub lanes: Option<Lanes>,
}

/// Asks for the line of a cell that will be wanted soon. Changes nothing that the program computes, and there need be no such cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetch {
    /// The array.
    pub array: ArrayId,
    /// The cell, over `[1 | N | loop variables]`.
    pub subscripts: Vec<Affine>,
}

/// Code that needs scratch memory, and what runs without it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scratch {
    /// Memory is asked for only when all of these hold.
    pub conditions: Vec<Condition>,
    /// What is needed; theirs from here to the end of `body`.
    pub buffers: Vec<BufferId>,
    /// Runs when the memory was granted.
    pub body: Vec<AstNode>,
    /// Runs when not.
    pub otherwise: Vec<AstNode>,
    /// All buffers are mirrors: `body` runs with or without them, and nothing is in `otherwise`.
    pub mirrors: bool,
}

/// A cell that lives in a register while `body` runs. Within `body`, every access to `array` whose subscripts are exactly these uses the register, and no
/// other access touches the cell (proved when the node is made); where nothing is stored, other reads may, since memory and register agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// Which register.
    pub id: RegisterId,
    /// The array.
    pub array: ArrayId,
    /// The cell, over the loop variables outside.
    pub subscripts: Vec<Affine>,
    /// Load the cell on entry (else the first access in `body` writes it, always).
    pub load: bool,
    /// Store it on exit. Else it is only read; if it is not loaded either, what is written to it is wanted nowhere else, and the cell in memory is lost ([`crate::contract`]).
    pub store: bool,
    /// As many cells as there are lanes, in a vector register. Calls in `body` that use it have equal lanes, or fewer of them; each lane is one of some call that runs.
    pub lanes: Option<Lanes>,
    /// The next value of this loop around will want its own cells: fetch their line. Changes nothing that the program computes.
    pub ahead: Option<LoopVar>,
    /// It is only read, and is in a mirror, too, if there is that.
    pub mirrored: Option<Place>,
    /// What runs with the cell held. Contains at least one access to the cell that is certain to run, a write if `store`.
    pub body: Vec<AstNode>,
}

impl Held {
    /// A register that is loaded and stored as given, with nothing else known of its cell.
    pub(crate) fn new(
        id: RegisterId,
        (array, subscripts): (ArrayId, Vec<Affine>),
        (load, store): (bool, bool),
        lanes: Option<Lanes>,
        body: Vec<AstNode>,
    ) -> Self {
        Self { id, array, subscripts, load, store, lanes, ahead: None, mirrored: None, body }
    }

    /// Does the cell in memory differ from the register while that is there?
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.store || !self.load
    }
}

/// A statement instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The statement.
    pub statement: StatementId,
    /// Its iterators, over `[1 | N | loop variables]`.
    pub iterators: Vec<Affine>,
    /// Several instances at once, each statement's reads before its write.
    pub lanes: Option<Lanes>,
    /// Reads that find their cells in scratch memory. Places of lanes that do not run may be read too.
    pub packed: Vec<(AccessId, Place)>,
    /// Reads that find their cells in mirrors, too, if there are these.
    pub mirrored: Vec<(AccessId, Place)>,
    /// Reads whose cells are those of a register in lanes, of the lane before: `A[f(lane)]` where `A[f(lane + 1)]` is held. Lane 0 finds its cell in memory.
    pub behind: Vec<AccessId>,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AstNode {
    /// A loop.
    For(For),
    /// All conditions hold: first list; else: second.
    If {
        /// A conjunction.
        conditions: Vec<Condition>,
        /// When they hold.
        then: Vec<AstNode>,
        /// When not.
        otherwise: Vec<AstNode>,
    },
    /// A cell in a register.
    Held(Held),
    /// A statement instance.
    Call(Call),
    /// A copy into scratch memory.
    Pack(Pack),
    /// A line that is asked for ahead.
    Fetch(Fetch),
    /// Code with scratch memory.
    Scratch(Scratch),
}

/// The loops of one part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ast {
    /// Parameters and loop variables: space of every expression in it.
    pub space: Space,
    /// Runs once.
    pub body: Vec<AstNode>,
    /// Scratch memory that some of it needs.
    pub buffers: Vec<Buffer>,
    /// Forms over `[1 | N]`: where one is negative the source is as fast, or faster: there is little to do, or loops of very different lengths would run as one.
    pub worthwhile: Vec<Affine>,
    /// Statements of which each vector operation in innermost loops takes what is the same for all lanes from memory by itself.
    pub embedded: BTreeSet<StatementId>,
    /// Statements whose kernels take all vector registers, or all but one: nothing else may stay in one while they run.
    pub filling: BTreeSet<StatementId>,
}

impl Ast {
    /// How much code this is: its nodes, loops counted four times (their tests and counters).
    #[must_use]
    pub fn weight(&self) -> u64 {
        fn of(nodes: &[AstNode]) -> u64 {
            nodes
                .iter()
                .map(|node| match node {
                    AstNode::For(f) => 4 + of(&f.body),
                    AstNode::If { conditions, then, otherwise } => conditions.len() as u64 + of(then) + of(otherwise),
                    AstNode::Held(held) => 1 + of(&held.body),
                    AstNode::Scratch(s) => s.conditions.len() as u64 + of(&s.body) + of(&s.otherwise),
                    AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => 1,
                })
                .sum()
        }
        of(&self.body)
    }
}
