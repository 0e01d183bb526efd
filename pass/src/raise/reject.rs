//! Why a loop was left alone, as data.

use crate::llvm::{Block, Loop};
use std::fmt;

/// The kinds. Each that can end up in a remark has its test in `test-ir/reject`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RejectKind {
    /// The loop is marked as not to be transformed, or is already our work.
    Forbidden(&'static str),
    /// Several exits, an exit that is not at the end, no unique preheader or latch.
    LoopForm(&'static str),
    /// A cycle that is no natural loop, or a switch, invoke, indirect branch.
    ControlFlow(&'static str),
    /// How often the loop runs cannot be computed.
    TripCount,
    /// How often the loop runs is not affine in outer iterators and parameters.
    NonAffineBound(String),
    /// A branch around loops depends on data or on something not affine: they are no part of one region.
    NonAffineCondition,
    /// A check that ends the program may fail, and when is not a matter of sizes alone.
    SideExit(String),
    /// A product of complex numbers may have to be computed anew, and whether it has is nothing that could be looked at.
    ComplexProduct(&'static str),
    /// An address is not affine.
    NonAffineAccess(String),
    /// Integer arithmetic may wrap where that would matter.
    MayWrap(String),
    /// A volatile or atomic access.
    VolatileOrAtomic,
    /// A call or another instruction with effects that are not modelled.
    Effect(String),
    /// The base address of an access changes inside the nest.
    BasePointer,
    /// The array's shape could not be recovered from the address arithmetic.
    Shape(String),
    /// Accesses of different widths, or not at multiples of the width, to one array.
    MixedWidths,
    /// A type that is not a plain number.
    ElementType(String),
    /// Addresses that cannot be reckoned with as numbers of 64 bits, which all lie in one space.
    Pointer(&'static str),
    /// A value of the nest is used after it.
    LiveOut,
    /// A value is carried round a loop in a register, and no array cell could be found to hold it.
    Carried(&'static str),
    /// A loaded value is used after its cell may have been overwritten.
    StaleLoad,
    /// More run-time checks than allowed.
    TooManyChecks(usize),
    /// Too large.
    TooLarge(&'static str),
    /// The step budget ran out.
    Budget,
    /// Exact arithmetic overflowed.
    Overflow,
    /// Nothing is stored.
    NoStore,
}

impl RejectKind {
    /// The expression that stood in the way, in LLVM's or our own terms: for those who develop, under `-Rpass-analysis`.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::NonAffineBound(s)
            | Self::NonAffineAccess(s)
            | Self::MayWrap(s)
            | Self::Shape(s)
            | Self::SideExit(s) => Some(s),
            _ => None,
        }
    }

    /// Short name, the remark's id.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Forbidden(_) => "Forbidden",
            Self::LoopForm(_) => "LoopForm",
            Self::ControlFlow(_) => "ControlFlow",
            Self::TripCount => "TripCount",
            Self::NonAffineBound(_) => "NonAffineBound",
            Self::NonAffineCondition => "NonAffineCondition",
            Self::SideExit(_) => "SideExit",
            Self::ComplexProduct(_) => "ComplexProduct",
            Self::NonAffineAccess(_) => "NonAffineAccess",
            Self::MayWrap(_) => "MayWrap",
            Self::VolatileOrAtomic => "VolatileOrAtomic",
            Self::Effect(_) => "Effect",
            Self::BasePointer => "BasePointer",
            Self::Shape(_) => "Shape",
            Self::MixedWidths => "MixedWidths",
            Self::ElementType(_) => "ElementType",
            Self::Pointer(_) => "Pointer",
            Self::LiveOut => "LiveOut",
            Self::Carried(_) => "Carried",
            Self::StaleLoad => "StaleLoad",
            Self::TooManyChecks(_) => "TooManyChecks",
            Self::TooLarge(_) => "TooLarge",
            Self::Budget => "Budget",
            Self::Overflow => "Overflow",
            Self::NoStore => "NoStore",
        }
    }
}

impl fmt::Display for RejectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forbidden(why) => write!(f, "{why}"),
            Self::LoopForm(what) => write!(f, "the loop's form is not supported: {what}"),
            Self::ControlFlow(what) => write!(f, "the control flow is not supported: {what}"),
            Self::TripCount => write!(f, "the number of iterations cannot be computed before the loop starts"),
            Self::NonAffineBound(_) => write!(f, "the loop bound is not an affine function of outer loops and sizes"),
            Self::NonAffineCondition => {
                write!(f, "a branch around the loop depends on data or on a condition that is not affine")
            }
            Self::SideExit(_) => {
                write!(
                    f,
                    "whether a check in the loop fails, and ends the program, cannot be told before the loop starts"
                )
            }
            Self::ComplexProduct(what) => {
                write!(
                    f,
                    "a product of complex numbers is computed anew if it is NaN, which the factors do not tell before the loop starts: {what}"
                )
            }
            Self::NonAffineAccess(_) => write!(f, "a subscript is not an affine function of the loops"),
            Self::MayWrap(_) => write!(f, "integer arithmetic may wrap around in a subscript, bound or condition"),
            Self::VolatileOrAtomic => write!(f, "the loop contains a volatile or atomic access"),
            Self::Effect(what) => {
                write!(f, "the loop contains {what}, which may have other effects than computing a value")
            }
            Self::BasePointer => write!(f, "the base address of an array changes inside the loops"),
            Self::Shape(_) => write!(f, "the dimensions of an array could not be recovered from its subscripts"),
            Self::MixedWidths => write!(f, "one array is accessed with different element sizes"),
            Self::ElementType(t) => write!(f, "values of type {t} are not supported"),
            Self::Pointer(what) => write!(f, "pointers {what} are not supported"),
            Self::LiveOut => write!(f, "a value computed in the loop is used after it"),
            Self::Carried(what) => write!(f, "a value is carried from iteration to iteration in a register: {what}"),
            Self::StaleLoad => write!(f, "a loaded value is still used after its memory may have changed"),
            Self::TooManyChecks(n) => {
                write!(f, "{n} pairs of arrays would have to be compared at run time (see option max-checks)")
            }
            Self::TooLarge(what) => write!(f, "too large: {what}"),
            Self::Budget => write!(f, "the analysis exceeded its step budget"),
            Self::Overflow => write!(f, "numbers in the analysis became too large"),
            Self::NoStore => write!(f, "nothing is stored"),
        }
    }
}

/// A refusal with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reject {
    /// Why.
    pub kind: RejectKind,
    /// Loop to blame, if one is.
    pub at_loop: Option<Loop>,
    /// Block to blame, if one is.
    pub at_block: Option<Block>,
}

impl Reject {
    /// Without a place of its own: the nest's.
    #[must_use]
    pub fn new(kind: RejectKind) -> Self {
        Self { kind, at_loop: None, at_block: None }
    }

    /// At a block.
    #[must_use]
    pub fn at(mut self, block: Block) -> Self {
        self.at_block.get_or_insert(block);
        self
    }

    /// At a loop.
    #[must_use]
    pub fn of(mut self, l: Loop) -> Self {
        self.at_loop.get_or_insert(l);
        self
    }
}

impl From<RejectKind> for Reject {
    fn from(kind: RejectKind) -> Self {
        Self::new(kind)
    }
}

impl From<polyhedra::Error> for Reject {
    fn from(e: polyhedra::Error) -> Self {
        Self::new(match e {
            polyhedra::Error::Budget => RejectKind::Budget,
            _ => RejectKind::Overflow,
        })
    }
}

/// Result of raising.
pub type Raise<T> = Result<T, Reject>;
