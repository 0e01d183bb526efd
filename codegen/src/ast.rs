//! Loops, as they will be lowered.

use polyhedra::{Affine, Space};
use scheduler::scop::{ArrayId, StatementId};

/// A loop variable: index into the dimensions of every [`Affine`] of the AST. Each loop of the AST has its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopVar(pub usize);

/// A cell held in a register: index, unique in the AST.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegisterId(pub usize);

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
}

/// What a loop is for; decides metadata.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LoopKind {
    /// Walks points.
    Point,
    /// Walks tiles.
    Tile,
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
    /// Store it on exit (else it is only read).
    pub store: bool,
    /// What runs with the cell held. Contains at least one access to the cell that is certain to run, a write if `store`.
    pub body: Vec<AstNode>,
}

/// A statement instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The statement.
    pub statement: StatementId,
    /// Its iterators, over `[1 | N | loop variables]`.
    pub iterators: Vec<Affine>,
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
}

/// The loops of one part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ast {
    /// Parameters and loop variables: space of every expression in it.
    pub space: Space,
    /// Runs once.
    pub body: Vec<AstNode>,
}
