//! What a statement computes: a graph of operations over its accesses, iterators and values from before the region.

use super::poly::Poly;
use crate::llvm::{Parts, Type, Value};

/// Index into [`Body::nodes`]; operands come before their users.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeIndex(pub usize);

/// A node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// A value computed before the region, or a constant.
    Invariant(Value),
    /// The cell that access number `access` of the statement (in `Statement::accesses`) reads, as a value of this type (of the cell's size).
    Read {
        /// Index into the statement's accesses.
        access: usize,
        /// Type wanted.
        ty: Type,
    },
    /// An integer polynomial in the statement's iterators (`LoopIndex(k)` is iterator `k` of the statement) and the parameters, modulo 2^bits of the type.
    Index {
        /// The polynomial.
        poly: Poly,
        /// An integer type of at most 64 bits.
        ty: Type,
    },
    /// A copy of this instruction on other operands (all of them, callee included, in the instruction's order).
    Operation {
        /// The instruction.
        instruction: Value,
        /// Its operands; `None` stands for the operand the instruction has already (a callee).
        operands: Vec<Option<NodeIndex>>,
    },
    /// One of two values of one type, by a condition. All three are computed.
    Choice {
        /// A value of one bit.
        condition: NodeIndex,
        /// Where it is one.
        yes: NodeIndex,
        /// Where it is zero.
        no: NodeIndex,
    },
    /// Narrow integers in one of 32 bits, the first in the lowest; what is missing is zero.
    Group {
        /// Integers of at least as many bits as a part has.
        parts: Vec<NodeIndex>,
        /// Bits of a part.
        bits: u32,
        /// Is the highest bit of every part turned over? So integers with sign become those without, `2^(bits - 1)` more, and the other way round, as much less.
        turned: bool,
    },
    /// An integer of 32 bits, and all products of the parts of two groups added to it, modulo `2^32`.
    Dot {
        /// The groups.
        groups: [NodeIndex; 2],
        /// What they are added to.
        sum: NodeIndex,
        /// How the groups are read.
        parts: Parts,
        /// Are the products subtracted?
        less: bool,
    },
    /// An integer constant of the array's cell size, made of one byte repeated (memset).
    Splat {
        /// The byte.
        byte: u8,
    },
}

impl Node {
    /// The nodes that it is computed from.
    #[must_use]
    pub fn operands(&self) -> Vec<NodeIndex> {
        match self {
            Self::Operation { operands, .. } => operands.iter().flatten().copied().collect(),
            Self::Choice { condition, yes, no } => vec![*condition, *yes, *no],
            Self::Group { parts, .. } => parts.clone(),
            Self::Dot { groups: [a, b], sum, .. } => vec![*a, *b, *sum],
            Self::Invariant(_) | Self::Read { .. } | Self::Index { .. } | Self::Splat { .. } => Vec::new(),
        }
    }

    /// The same of other nodes. `None`: there is none for one of them.
    pub fn of_others(&self, mut at: impl FnMut(NodeIndex) -> Option<NodeIndex>) -> Option<Self> {
        let maybe = |n: &Option<NodeIndex>| n.map_or(Some(None), |n| at(n).map(Some));
        Some(match self {
            Self::Operation { instruction, operands } => Self::Operation {
                instruction: *instruction,
                operands: operands.iter().map(maybe).collect::<Option<_>>()?,
            },
            Self::Choice { condition, yes, no } => {
                Self::Choice { condition: at(*condition)?, yes: at(*yes)?, no: at(*no)? }
            }
            Self::Group { parts, bits, turned } => Self::Group {
                parts: parts.iter().map(|n| at(*n)).collect::<Option<_>>()?,
                bits: *bits,
                turned: *turned,
            },
            Self::Dot { groups: [a, b], sum, parts, less } => {
                Self::Dot { groups: [at(*a)?, at(*b)?], sum: at(*sum)?, parts: *parts, less: *less }
            }
            Self::Invariant(_) | Self::Read { .. } | Self::Index { .. } | Self::Splat { .. } => self.clone(),
        })
    }
}

/// A condition on data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// A value of one bit.
    pub node: NodeIndex,
    /// What it must be.
    pub truth: bool,
    /// Is it frozen first?
    pub frozen: bool,
}

/// What a statement stores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Conditions on data under which it stores, in this order. What comes behind the node of one is computed only if it holds.
    pub guards: Vec<Guard>,
    /// The read of what the cell holds, where that may be stored anew when the conditions do not hold ([`super::blend`]): vectors do.
    pub old: Option<NodeIndex>,
    /// The value stored; converted to the array's element type by a bit cast where types differ.
    pub root: NodeIndex,
    /// Alignment in bytes that every access of the statement is known to have, by access.
    pub alignments: Vec<u32>,
    /// Instruction whose debug location the statement's code gets.
    pub origin: Value,
}

impl Body {
    /// What stores the last of some nodes, without conditions.
    #[must_use]
    pub fn of(nodes: Vec<Node>, alignments: Vec<u32>, origin: Value) -> Self {
        let root = NodeIndex(nodes.len().saturating_sub(1));
        Self { nodes, guards: Vec::new(), old: None, root, alignments, origin }
    }

    /// Do conditions on data decide what it does?
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        !self.guards.is_empty()
    }

    /// May it store nothing, and must not store anything then?
    #[must_use]
    pub fn may_store_nothing(&self) -> bool {
        self.is_conditional() && self.old.is_none()
    }
}

/// Can several instances be computed at once, each operation on vectors? Else lowering would have to take some operations lane by lane. Conditions are branches: there LLVM may have vectors, if all that they
/// decide is whether the value is stored, and we, if the old one may be stored otherwise ([`scheduler::scop::Statement::has_vectors`]).
#[must_use]
pub fn can_widen(body: &Body) -> bool {
    let scalar = |ty: Type| ty.is_float() || ty.integer_bits().is_some();
    body.nodes.iter().all(|node| match node {
        Node::Invariant(v) => scalar(v.ty()),
        Node::Read { ty, .. } | Node::Index { ty, .. } => scalar(*ty),
        Node::Choice { .. } | Node::Group { .. } | Node::Dot { .. } | Node::Splat { .. } => true,
        // What stays a scalar in the vector form must be the same for all lanes; that is not known yet.
        Node::Operation { instruction, operands } => {
            let fixed = |(k, o): (usize, &Option<NodeIndex>)| {
                !instruction.wants_scalar(k)
                    || o.is_none_or(|n| matches!(body.nodes.get(n.0), Some(Node::Invariant(_))))
            };
            instruction.widens() && operands.iter().enumerate().all(fixed)
        }
    })
}
