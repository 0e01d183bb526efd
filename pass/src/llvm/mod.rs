//! LLVM as seen by this crate: small copyable handles with safe methods. The only module with `unsafe`.
//!
//! Handles are valid while the host runs the pass on the function they come from; nothing of them is kept beyond that. A handle of a block or instruction that
//! [`build::Transaction`] made stays valid until it is rolled back.

#![allow(unsafe_code)]

pub mod build;
mod ffi;
pub mod host;

/// Opcodes of instructions.
pub use llvm_sys::LLVMOpcode as Opcode;
use llvm_sys::core;
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMTypeRef, LLVMValueRef};
use scheduler::scop::Commutative;
use std::ffi::{c_char, c_void};

/// What one run on one function may ask.
#[derive(Clone, Copy)]
pub struct Analyses(*mut c_void);

/// An LLVM value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Block(LLVMBasicBlockRef);

/// An LLVM type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Type(LLVMTypeRef);

/// A natural loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loop(*mut c_void);

/// A scalar-evolution expression. Equal handles are equal expressions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scev(*const c_void);

/// The kinds of [`Scev`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScevKind {
    /// A number.
    Constant,
    /// Lower bits.
    Truncate,
    /// More bits, zeros.
    ZeroExtend,
    /// More bits, sign.
    SignExtend,
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Unsigned quotient.
    UDiv,
    /// `{start, +, step}<loop>`
    AddRec,
    /// Unsigned maximum.
    UMax,
    /// Signed maximum.
    SMax,
    /// Unsigned minimum.
    UMin,
    /// Signed minimum.
    SMin,
    /// Unsigned minimum, left to right.
    SequentialUMin,
    /// An LLVM value.
    Unknown,
    /// Anything else.
    Other,
}

/// Memory intrinsics that raising models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryIntrinsic {
    /// `llvm.memset`
    Set,
    /// `llvm.memcpy`
    Copy,
}

/// Narrow integers in lanes of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Bits of each.
    pub bits: u32,
    /// Which of two operands have signs?
    pub signed: [bool; 2],
}

/// Kinds of remarks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemarkKind {
    /// `-Rpass`
    Passed,
    /// `-Rpass-missed`
    Missed,
    /// `-Rpass-analysis`
    Analysis,
}

fn text_of(fill: impl Fn(*mut c_char, usize) -> usize) -> String {
    let mut buffer = vec![0u8; 256];
    let mut length = fill(buffer.as_mut_ptr().cast(), buffer.len());
    if length > buffer.len() {
        buffer.resize(length, 0);
        length = fill(buffer.as_mut_ptr().cast(), buffer.len());
    }
    buffer.truncate(length);
    String::from_utf8_lossy(&buffer).into_owned()
}

/// One address computation taken apart: `base + constant + sum index * scale` bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddressStep {
    /// What it starts from.
    pub base: Value,
    /// Bytes that are fixed.
    pub constant: i64,
    /// Indices with bytes a unit; indices are sign extended to the width of addresses.
    pub variable: Vec<(Value, i64)>,
}

impl Analyses {
    /// Takes a `getelementptr` apart.
    #[must_use]
    pub fn address_step(self, pointer: Value) -> Option<AddressStep> {
        const MOST: usize = 8;
        let (mut values, mut scales, mut constant) = ([std::ptr::null_mut(); MOST], [0i64; MOST], 0i64);
        let count = unsafe {
            ffi::lw_address_step(self.0, pointer.0, &raw mut constant, values.as_mut_ptr(), scales.as_mut_ptr(), MOST)
        };
        let count = usize::try_from(count).ok()?;
        let base = pointer.operands().first().copied()?;
        let variable = values.iter().zip(scales).take(count).map(|(&v, s)| (Value(v), s)).collect();
        Some(AddressStep { base, constant, variable })
    }

    /// The function.
    #[must_use]
    pub fn function(self) -> Value {
        Value(unsafe { ffi::lw_function(self.0) })
    }

    /// Value of a string attribute of the function, empty when absent.
    #[must_use]
    pub fn attribute(self, name: &str) -> String {
        text_of(|out, n| unsafe {
            ffi::lw_attribute(self.0, name.as_ptr().cast(), name.len(), out, u32::try_from(n).unwrap_or(0)) as usize
        })
    }

    /// May the function ask the heap for memory?
    #[must_use]
    pub fn may_allocate(self) -> bool {
        unsafe { ffi::lw_may_allocate(self.0) != 0 }
    }

    /// Does the back end fuse products and sums of this type, where it may? `None`: not known.
    #[must_use]
    pub fn fuses(self, ty: Type) -> Option<bool> {
        u32::try_from(unsafe { ffi::lw_fuses(self.0, ty.0) }).ok().map(|fuses| fuses != 0)
    }

    /// Does the back end decide for vectors otherwise than for scalars whether it fuses a product with what is taken from it?
    #[must_use]
    pub fn fuses_by_width(self) -> bool {
        unsafe { ffi::lw_fuses_by_width(self.0) }
    }

    /// May the back end make a product one operation with each of several sums?
    #[must_use]
    pub fn fuses_shared(self) -> bool {
        unsafe { ffi::lw_fuses_shared(self.0) }
    }

    /// `optnone`, `optsize`, `minsize`, `strictfp`, or a coroutine not split yet.
    #[must_use]
    pub fn wants_no_optimization(self) -> bool {
        unsafe { ffi::lw_wants_no_optimization(self.0) }
    }

    /// Reports an error: the compilation fails.
    pub fn error(self, text: &str) {
        unsafe { ffi::lw_error(self.0, text.as_ptr().cast(), text.len()) }
    }

    /// Width of vector registers.
    #[must_use]
    pub fn vector_bits(self) -> u32 {
        unsafe { ffi::lw_vector_bits(self.0) }
    }

    /// Does the machine load and store elements of vectors of this type under a mask?
    #[must_use]
    pub fn has_masks(self, vector: Type, alignment: u32) -> bool {
        unsafe { ffi::lw_has_masks(self.0, vector.0, alignment.max(1)) }
    }

    /// Does the machine store vectors of this type lane by lane, each to an address of its own?
    #[must_use]
    pub fn has_scatters(self, vector: Type, alignment: u32) -> bool {
        unsafe { ffi::lw_has_scatters(self.0, vector.0, alignment.max(1)) }
    }

    /// Operations that a sum and the products of all parts of two groups take in each lane, of 32 bits, of vectors of so many bits. `None`: the machine has none for it.
    #[must_use]
    pub fn dot_operations(self, bits: u32, parts: Parts) -> Option<u32> {
        let [a, b] = parts.signed;
        Some(unsafe { ffi::lw_dot_operations(self.0, bits, parts.bits, a, b) }).filter(|&operations| operations > 0)
    }

    /// Number of vector registers.
    #[must_use]
    pub fn vector_registers(self) -> u32 {
        unsafe { ffi::lw_vector_registers(self.0) }
    }

    /// Innermost loop around a block.
    #[must_use]
    pub fn loop_for(self, block: Block) -> Option<Loop> {
        Loop::wrap(unsafe { ffi::lw_loop_for(self.0, block.0) })
    }

    /// Immediate dominator.
    #[must_use]
    pub fn idom(self, block: Block) -> Option<Block> {
        Block::wrap(unsafe { ffi::lw_idom(self.0, block.0) })
    }

    /// Immediate post-dominator if no side exit is taken; `None` for exits of the function.
    #[must_use]
    pub fn ipdom(self, block: Block) -> Option<Block> {
        Block::wrap(unsafe { ffi::lw_ipdom(self.0, block.0) })
    }

    /// Does `a` dominate `b`?
    #[must_use]
    pub fn dominates(self, a: Block, b: Block) -> bool {
        unsafe { ffi::lw_dominates(self.0, a.0, b.0) }
    }

    /// Does `a` post-dominate `b`, if no side exit is taken?
    #[must_use]
    pub fn post_dominates(self, a: Block, b: Block) -> bool {
        unsafe { ffi::lw_post_dominates(self.0, a.0, b.0) }
    }

    /// Does `a` post-dominate `b`, side exits or not?
    #[must_use]
    pub fn is_certain_after(self, a: Block, b: Block) -> bool {
        unsafe { ffi::lw_is_certain(self.0, a.0, b.0) }
    }

    /// May this be loaded at the end of a block although the program may never load it: does the cell exist there?
    #[must_use]
    pub fn may_load_at_end(self, load: Value, block: Block) -> bool {
        unsafe { ffi::lw_may_load_at_end(self.0, load.0, block.0) }
    }

    /// Is it a way to where the function does not return from, out of code that it may return from: the failure of a check?
    #[must_use]
    pub fn is_side_exit(self, from: Block, to: Block) -> bool {
        unsafe { ffi::lw_is_side_exit(self.0, from.0, to.0) }
    }

    /// Is the block off the ways that regions take: does every way from it end in `unreachable` or `resume`, or does it compute a product of complex numbers anew?
    #[must_use]
    pub fn is_aside(self, block: Block) -> bool {
        unsafe { ffi::lw_is_aside(self.0, block.0) }
    }

    /// Does the program store something where it comes back from there?
    #[must_use]
    pub fn stores_aside(self) -> bool {
        unsafe { ffi::lw_stores_aside(self.0) }
    }

    /// Does a side exit lead from the end of a block to where a product of complex numbers is computed anew?
    #[must_use]
    pub fn may_compute_anew(self, block: Block) -> bool {
        unsafe { ffi::lw_may_compute_anew(self.0, block.0) }
    }

    /// Predecessors, as far as regions come from them.
    #[must_use]
    pub fn ways_to(self, block: Block) -> Vec<Block> {
        block.predecessors().into_iter().filter(|&from| !self.is_aside(from)).collect()
    }

    /// What a phi gets from these.
    #[must_use]
    pub fn incoming(self, phi: Value) -> Vec<(Value, Block)> {
        phi.incoming().into_iter().filter(|(_, from)| !self.is_aside(*from)).collect()
    }

    /// Successors, side exits left out.
    #[must_use]
    pub fn ways(self, block: Block) -> Vec<Block> {
        block.successors().into_iter().filter(|&to| !self.is_side_exit(block, to)).collect()
    }

    /// The only block that leaves the loop, side exits left out, if there is one.
    #[must_use]
    pub fn loop_exiting(self, l: Loop) -> Option<Block> {
        Block::wrap(unsafe { ffi::lw_loop_exiting(self.0, l.0) })
    }

    /// The only block that is reached when the loop ends, side exits left out, if there is one.
    #[must_use]
    pub fn loop_exit(self, l: Loop) -> Option<Block> {
        Block::wrap(unsafe { ffi::lw_loop_exit(self.0, l.0) })
    }

    /// Does every path to `block` run over the edge?
    #[must_use]
    pub fn edge_dominates(self, from: Block, to: Block, block: Block) -> bool {
        unsafe { ffi::lw_edge_dominates(self.0, from.0, to.0, block.0) }
    }

    /// The value's expression; `None` when its type has none.
    #[must_use]
    pub fn scev(self, value: Value) -> Option<Scev> {
        Scev::wrap(unsafe { ffi::lw_scev(self.0, value.0) })
    }

    /// The expression of a value in a block: loops that do not hold the block are over.
    #[must_use]
    pub fn scev_behind(self, value: Value, block: Block) -> Option<Scev> {
        Scev::wrap(unsafe { ffi::lw_scev_behind(self.0, value.0, block.0) })
    }

    /// How often the back edge is taken, exactly, if no side exit is taken.
    #[must_use]
    pub fn backedge_taken(self, l: Loop) -> Option<Scev> {
        Scev::wrap(unsafe { ffi::lw_backedge_taken(self.0, l.0) })
    }

    /// Bits of the expression's type.
    #[must_use]
    pub fn scev_bits(self, s: Scev) -> u32 {
        unsafe { ffi::lw_scev_bits(self.0, s.0) }
    }

    /// Bounds of the signed value.
    #[must_use]
    pub fn signed_range(self, s: Scev) -> Option<(i64, i64)> {
        let (mut low, mut high) = (0, 0);
        unsafe { ffi::lw_scev_signed_range(self.0, s.0, &raw mut low, &raw mut high) }.then_some((low, high))
    }

    /// Base pointer of an address.
    #[must_use]
    pub fn pointer_base(self, s: Scev) -> Option<Scev> {
        Scev::wrap(unsafe { ffi::lw_pointer_base(self.0, s.0) })
    }

    /// Address minus its base pointer.
    #[must_use]
    pub fn without_base(self, s: Scev) -> Option<Scev> {
        Scev::wrap(unsafe { ffi::lw_remove_base(self.0, s.0) })
    }

    /// Bytes in memory of a value of this type if it has no padding there.
    #[must_use]
    pub fn store_bytes(self, ty: Type) -> Option<u64> {
        let bytes = unsafe { ffi::lw_store_bytes(self.0, ty.0) };
        (bytes > 0).then_some(bytes)
    }

    /// Integer type of a width.
    #[must_use]
    pub fn integer_type(self, bits: u32) -> Type {
        unsafe {
            let context = core::LLVMGetTypeContext(core::LLVMTypeOf(self.function().0));
            Type(core::LLVMIntTypeInContext(context, bits))
        }
    }

    /// Index width of a pointer type. `None`: its addresses are those of a space of their own (`__seg_gs`), and tell nothing beside others.
    #[must_use]
    pub fn pointer_bits(self, ty: Type) -> Option<u32> {
        let bits = unsafe { ffi::lw_pointer_bits(self.0, ty.0) };
        (bits != 0).then_some(bits)
    }

    /// Does LLVM compile vectors of bfloats here?
    #[must_use]
    pub fn has_bfloat_vectors(self) -> bool {
        unsafe { ffi::lw_has_bfloat_vectors(self.0) }
    }

    /// Is it a call of which LLVM may make one of a vector library, which rounds in a way of its own?
    #[must_use]
    pub fn has_vector_function(self, v: Value) -> bool {
        unsafe { ffi::lw_has_vector_function(self.0, v.0) }
    }

    /// How many lanes the function of a vector library has that does a call on so many lanes: as many, or the next fewer with which there is one. A vector of 128 bits is not
    /// too wide for any. `None`: there is none, or the program does not take any result.
    #[must_use]
    pub fn vector_form(self, call: Value, lanes: u32) -> Option<u32> {
        let bits = call.ty().float_bits()?;
        let most = (self.vector_bits() / bits).min(lanes.checked_next_power_of_two()?.max(128 / bits));
        let fewer = |n: &u32| Some(n / 2).filter(|&n| n >= 2);
        std::iter::successors(Some(most).filter(|&n| n >= 2), fewer)
            .find(|&n| unsafe { ffi::lw_has_vector_form(self.0, call.0, n) })
    }

    /// Do the types of two accesses say that neither touches what the other one does?
    #[must_use]
    pub fn types_differ(self, a: Value, b: Value) -> bool {
        unsafe { ffi::lw_types_differ(self.0, a.0, b.0) }
    }

    /// Can the objects behind two pointers never overlap?
    #[must_use]
    pub fn no_alias(self, a: Value, b: Value) -> bool {
        unsafe { ffi::lw_no_alias(self.0, a.0, b.0) }
    }

    /// Does anybody want to read explanations?
    #[must_use]
    pub fn explains(self) -> bool {
        unsafe { ffi::lw_explains(self.0) }
    }

    /// Says something about a loop or block.
    pub fn remark(self, kind: RemarkKind, name: &str, l: Option<Loop>, block: Option<Block>, text: &str) {
        let kind = match kind {
            RemarkKind::Passed => 0,
            RemarkKind::Missed => 1,
            RemarkKind::Analysis => 2,
        };
        let l = l.map_or(std::ptr::null_mut(), |l| l.0);
        let block = block.map_or(std::ptr::null_mut(), |b| b.0);
        unsafe {
            ffi::lw_remark(self.0, kind, name.as_ptr().cast(), name.len(), l, block, text.as_ptr().cast(), text.len());
        }
    }

    /// Line and column where a loop (or block) stands in the source, if known.
    #[must_use]
    pub fn location(self, l: Option<Loop>, block: Option<Block>) -> Option<(u32, u32)> {
        let (mut line, mut column) = (0, 0);
        let l = l.map_or(std::ptr::null_mut(), |l| l.0);
        let block = block.map_or(std::ptr::null_mut(), |b| b.0);
        unsafe { ffi::lw_location(l, block, &raw mut line, &raw mut column) };
        (line > 0).then_some((line, column))
    }

    /// What the verifier says against the function, if anything.
    #[must_use]
    pub fn verifier_complaint(self) -> Option<String> {
        let mut buffer = vec![0u8; 512];
        let broken = unsafe { ffi::lw_broken(self.function().0, buffer.as_mut_ptr().cast(), buffer.len()) };
        broken.then(|| {
            let end = buffer.iter().position(|&b| b == 0).unwrap_or(buffer.len());
            String::from_utf8_lossy(&buffer[..end]).into_owned()
        })
    }

    /// Turns stack slots into SSA values.
    pub fn promote(self, slots: &[Value]) {
        let mut raw: Vec<LLVMValueRef> = slots.iter().map(|v| v.0).collect();
        unsafe { ffi::lw_promote(self.function().0, raw.as_mut_ptr(), raw.len()) }
    }
}

impl Loop {
    fn wrap(raw: *mut c_void) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }

    /// The loop around it.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        Self::wrap(unsafe { ffi::lw_loop_parent(self.0) })
    }

    /// 1 for an outermost loop.
    #[must_use]
    pub fn depth(self) -> u32 {
        unsafe { ffi::lw_loop_depth(self.0) }
    }

    /// The header.
    ///
    /// # Panics
    /// Never: every loop has one.
    #[must_use]
    pub fn header(self) -> Block {
        Block(unsafe { ffi::lw_loop_header(self.0) })
    }

    /// The preheader, if there is one.
    #[must_use]
    pub fn preheader(self) -> Option<Block> {
        Block::wrap(unsafe { ffi::lw_loop_preheader(self.0) })
    }

    /// The only latch, if there is one.
    #[must_use]
    pub fn latch(self) -> Option<Block> {
        Block::wrap(unsafe { ffi::lw_loop_latch(self.0) })
    }

    /// Is the block inside?
    #[must_use]
    pub fn contains(self, block: Block) -> bool {
        unsafe { ffi::lw_loop_contains(self.0, block.0) }
    }

    /// Is the loop `inner` inside (or the same)?
    #[must_use]
    pub fn contains_loop(self, inner: Self) -> bool {
        self.contains(inner.header())
    }

    /// No loop inside?
    #[must_use]
    pub fn is_innermost(self) -> bool {
        unsafe { ffi::lw_loop_is_innermost(self.0) }
    }

    /// Has it this metadata property (and not with the value false)?
    #[must_use]
    pub fn has_property(self, name: &str) -> bool {
        unsafe { ffi::lw_loop_property(self.0, name.as_ptr().cast(), name.len()) }
    }

    /// Has it this metadata property with the value false?
    #[must_use]
    pub fn property_is_false(self, name: &str) -> bool {
        unsafe { ffi::lw_loop_property_is_false(self.0, name.as_ptr().cast(), name.len()) }
    }
}

impl Scev {
    fn wrap(raw: *const c_void) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }

    /// Its kind.
    #[must_use]
    pub fn kind(self) -> ScevKind {
        use ScevKind as K;
        match unsafe { ffi::lw_scev_kind(self.0) } {
            0 => K::Constant,
            1 => K::Truncate,
            2 => K::ZeroExtend,
            3 => K::SignExtend,
            4 => K::Add,
            5 => K::Mul,
            6 => K::UDiv,
            7 => K::AddRec,
            8 => K::UMax,
            9 => K::SMax,
            10 => K::UMin,
            11 => K::SMin,
            12 => K::SequentialUMin,
            13 => K::Unknown,
            _ => K::Other,
        }
    }

    /// Its operands.
    #[must_use]
    pub fn operands(self) -> Vec<Self> {
        let n = unsafe { ffi::lw_scev_operand_count(self.0) };
        (0..n).map(|i| Self(unsafe { ffi::lw_scev_operand(self.0, i) })).collect()
    }

    /// Loop of an [`ScevKind::AddRec`].
    #[must_use]
    pub fn recurrence_loop(self) -> Option<Loop> {
        if self.kind() != ScevKind::AddRec {
            return None;
        }
        Loop::wrap(unsafe { ffi::lw_scev_loop(self.0) })
    }

    /// Value of an [`ScevKind::Unknown`].
    #[must_use]
    pub fn value(self) -> Option<Value> {
        (self.kind() == ScevKind::Unknown).then(|| Value(unsafe { ffi::lw_scev_value(self.0) }))
    }

    /// Signed value of a constant that fits.
    #[must_use]
    pub fn constant(self) -> Option<i64> {
        let mut out = 0;
        unsafe { ffi::lw_scev_constant(self.0, &raw mut out) }.then_some(out)
    }

    /// Is it known not to wrap as a signed number?
    #[must_use]
    pub fn no_signed_wrap(self) -> bool {
        unsafe { ffi::lw_scev_flags(self.0) & 1 != 0 }
    }

    /// Is it known not to wrap as an unsigned number?
    #[must_use]
    pub fn no_unsigned_wrap(self) -> bool {
        unsafe { ffi::lw_scev_flags(self.0) & 2 != 0 }
    }

    /// Is it an address?
    #[must_use]
    pub fn is_pointer(self) -> bool {
        unsafe { ffi::lw_scev_is_pointer(self.0) }
    }

    /// For people. Not as LLVM prints it: for values without a name that numbers the whole function, every time.
    #[must_use]
    pub fn text(self) -> String {
        self.text_within(8, &mut 64)
    }

    /// So deep, and of so many expressions.
    fn text_within(self, depth: u32, left: &mut u32) -> String {
        if depth == 0 || *left == 0 {
            return "...".into();
        }
        *left -= 1;
        let operands: Vec<String> = self.operands().into_iter().map(|o| o.text_within(depth - 1, left)).collect();
        let joined = |by: &str| format!("({})", operands.join(by));
        let call = |name: &str| format!("{name}({})", operands.join(", "));
        match self.kind() {
            ScevKind::Constant => self.constant().map_or_else(|| "a large constant".into(), |c| c.to_string()),
            ScevKind::Add => joined(" + "),
            ScevKind::Mul => joined(" * "),
            ScevKind::UDiv => joined(" /u "),
            ScevKind::AddRec => format!("{{{}}}", operands.join(",+,")),
            ScevKind::Truncate => call("trunc"),
            ScevKind::ZeroExtend => call("zext"),
            ScevKind::SignExtend => call("sext"),
            ScevKind::UMax => call("umax"),
            ScevKind::SMax => call("smax"),
            ScevKind::UMin => call("umin"),
            ScevKind::SMin => call("smin"),
            ScevKind::SequentialUMin => call("umin_seq"),
            ScevKind::Unknown => match self.value().map(Value::name) {
                Some(name) if !name.is_empty() => format!("%{name}"),
                _ => "?".into(),
            },
            ScevKind::Other => "?".into(),
        }
    }
}

impl Block {
    fn wrap(raw: LLVMBasicBlockRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }

    /// All blocks of a function.
    #[must_use]
    pub fn all(function: Value) -> Vec<Self> {
        let mut out = Vec::new();
        let mut next = Self::wrap(unsafe { core::LLVMGetFirstBasicBlock(function.0) });
        while let Some(b) = next {
            out.push(b);
            next = Self::wrap(unsafe { core::LLVMGetNextBasicBlock(b.0) });
        }
        out
    }

    /// Its instructions.
    #[must_use]
    pub fn instructions(self) -> Vec<Value> {
        let mut out = Vec::new();
        let mut next = unsafe { core::LLVMGetFirstInstruction(self.0) };
        while !next.is_null() {
            out.push(Value(next));
            next = unsafe { core::LLVMGetNextInstruction(next) };
        }
        out
    }

    /// Its terminator.
    ///
    /// # Panics
    /// Never on IR that the verifier accepts.
    #[must_use]
    pub fn terminator(self) -> Option<Value> {
        Value::wrap(unsafe { core::LLVMGetBasicBlockTerminator(self.0) })
    }

    /// Where it goes.
    #[must_use]
    pub fn successors(self) -> Vec<Self> {
        let Some(t) = self.terminator() else { return Vec::new() };
        let n = unsafe { core::LLVMGetNumSuccessors(t.0) };
        (0..n).filter_map(|i| Self::wrap(unsafe { core::LLVMGetSuccessor(t.0, i) })).collect()
    }

    /// Where it comes from: one entry an edge.
    #[must_use]
    pub fn predecessors(self) -> Vec<Self> {
        let mut out = Vec::new();
        let as_value = unsafe { core::LLVMBasicBlockAsValue(self.0) };
        for user in Value(as_value).users() {
            if user.is_terminator()
                && let Some(b) = user.block()
            {
                out.push(b);
            }
        }
        out
    }

    /// Its phis.
    #[must_use]
    pub fn phis(self) -> Vec<Value> {
        self.instructions().into_iter().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI)).collect()
    }
}

impl Type {
    /// Kind of floating-point or integer, as text for people: `double`, `i32`.
    #[must_use]
    pub fn text(self) -> String {
        unsafe {
            let raw = core::LLVMPrintTypeToString(self.0);
            let text = std::ffi::CStr::from_ptr(raw).to_string_lossy().into_owned();
            core::LLVMDisposeMessage(raw);
            text
        }
    }

    /// Bits of an integer type.
    #[must_use]
    pub fn integer_bits(self) -> Option<u32> {
        unsafe {
            (core::LLVMGetTypeKind(self.0) == llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind)
                .then(|| core::LLVMGetIntTypeWidth(self.0))
        }
    }

    /// Is it a floating-point type?
    #[must_use]
    pub fn is_float(self) -> bool {
        use llvm_sys::LLVMTypeKind as K;
        matches!(
            unsafe { core::LLVMGetTypeKind(self.0) },
            K::LLVMHalfTypeKind | K::LLVMBFloatTypeKind | K::LLVMFloatTypeKind | K::LLVMDoubleTypeKind
        )
    }

    /// Bits of a floating-point type that vector libraries know.
    #[must_use]
    pub fn float_bits(self) -> Option<u32> {
        use llvm_sys::LLVMTypeKind as K;
        match unsafe { core::LLVMGetTypeKind(self.0) } {
            K::LLVMFloatTypeKind => Some(32),
            K::LLVMDoubleTypeKind => Some(64),
            _ => None,
        }
    }

    /// The bits of the number 1 in IEEE's formats of 32 and 64 bits, and how many they are.
    #[must_use]
    pub fn bits_of_one(self) -> Option<(u32, u64)> {
        match unsafe { core::LLVMGetTypeKind(self.0) } {
            llvm_sys::LLVMTypeKind::LLVMFloatTypeKind => Some((32, 1f32.to_bits().into())),
            llvm_sys::LLVMTypeKind::LLVMDoubleTypeKind => Some((64, 1f64.to_bits())),
            _ => None,
        }
    }

    /// Is it `bfloat`?
    #[must_use]
    pub fn is_bfloat(self) -> bool {
        unsafe { core::LLVMGetTypeKind(self.0) == llvm_sys::LLVMTypeKind::LLVMBFloatTypeKind }
    }

    /// Is it a struct type?
    #[must_use]
    pub fn is_struct(self) -> bool {
        unsafe { core::LLVMGetTypeKind(self.0) == llvm_sys::LLVMTypeKind::LLVMStructTypeKind }
    }

    /// Is it a pointer type?
    #[must_use]
    pub fn is_pointer(self) -> bool {
        unsafe { core::LLVMGetTypeKind(self.0) == llvm_sys::LLVMTypeKind::LLVMPointerTypeKind }
    }
}

impl Value {
    fn wrap(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }

    /// Its type.
    #[must_use]
    pub fn ty(self) -> Type {
        Type(unsafe { core::LLVMTypeOf(self.0) })
    }

    /// Opcode of an instruction.
    #[must_use]
    pub fn opcode(self) -> Option<Opcode> {
        self.is_instruction().then(|| unsafe { core::LLVMGetInstructionOpcode(self.0) })
    }

    /// Is it an instruction?
    #[must_use]
    pub fn is_instruction(self) -> bool {
        unsafe { !core::LLVMIsAInstruction(self.0).is_null() }
    }

    /// Does it end a block?
    #[must_use]
    pub fn is_terminator(self) -> bool {
        unsafe { !core::LLVMIsATerminatorInst(self.0).is_null() }
    }

    /// Is it a constant (of any kind)?
    #[must_use]
    pub fn is_constant(self) -> bool {
        unsafe { core::LLVMIsConstant(self.0) != 0 }
    }

    /// Is it a shift to the right that loses no bit that is set, or a quotient without remainder?
    #[must_use]
    pub fn is_exact(self) -> bool {
        let divides = matches!(self.opcode(), Some(Opcode::LLVMAShr | Opcode::LLVMLShr | Opcode::LLVMSDiv));
        divides && self.is_instruction() && unsafe { core::LLVMGetExact(self.0) != 0 }
    }

    /// Value of a constant of a floating-point type, if a double has it.
    #[must_use]
    pub fn real(self) -> Option<f64> {
        if unsafe { core::LLVMIsAConstantFP(self.0) }.is_null() {
            return None;
        }
        let mut is_rounded = 0;
        let value = unsafe { core::LLVMConstRealGetDouble(self.0, &raw mut is_rounded) };
        (is_rounded == 0).then_some(value)
    }

    /// Value of a constant integer, sign extended.
    #[must_use]
    pub fn constant_int(self) -> Option<i64> {
        unsafe {
            if core::LLVMIsAConstantInt(self.0).is_null() || self.ty().integer_bits()? > 64 {
                return None;
            }
            Some(core::LLVMConstIntGetSExtValue(self.0))
        }
    }

    /// Block of an instruction.
    #[must_use]
    pub fn block(self) -> Option<Block> {
        if !self.is_instruction() {
            return None;
        }
        Block::wrap(unsafe { core::LLVMGetInstructionParent(self.0) })
    }

    /// May a copy (without poison flags and metadata) be undefined although its operands are not?
    #[must_use]
    pub fn may_be_undefined(self) -> bool {
        unsafe { ffi::lw_may_be_undefined(self.0) }
    }

    /// Do copies of both (without poison flags and metadata) compute the same function of their operands?
    #[must_use]
    pub fn is_same_operation(self, other: Self) -> bool {
        unsafe { ffi::lw_same_operation(self.0, other.0) }
    }

    /// Are both loads of cells that lie one behind the other?
    #[must_use]
    pub fn loads_neighbours(self, other: Self) -> bool {
        unsafe { ffi::lw_loads_neighbours(self.0, other.0) }
    }

    /// Operands, blocks of branches included.
    #[must_use]
    pub fn operands(self) -> Vec<Self> {
        let n = unsafe { core::LLVMGetNumOperands(self.0) };
        (0..u32::try_from(n).unwrap_or(0))
            .filter_map(|i| Self::wrap(unsafe { core::LLVMGetOperand(self.0, i) }))
            .collect()
    }

    /// Everything that uses it, once a use.
    #[must_use]
    pub fn users(self) -> Vec<Self> {
        let mut out = Vec::new();
        let mut u = unsafe { core::LLVMGetFirstUse(self.0) };
        while !u.is_null() {
            out.push(Self(unsafe { core::LLVMGetUser(u) }));
            u = unsafe { core::LLVMGetNextUse(u) };
        }
        out
    }

    /// Incoming `(value, block)` of a phi.
    #[must_use]
    pub fn incoming(self) -> Vec<(Self, Block)> {
        if self.opcode() != Some(Opcode::LLVMPHI) {
            return Vec::new();
        }
        let n = unsafe { core::LLVMCountIncoming(self.0) };
        (0..n)
            .map(|i| unsafe {
                (Self(core::LLVMGetIncomingValue(self.0, i)), Block(core::LLVMGetIncomingBlock(self.0, i)))
            })
            .collect()
    }

    /// Condition of a conditional branch, with its targets when true and when false.
    #[must_use]
    pub fn conditional_branch(self) -> Option<(Self, Block, Block)> {
        unsafe {
            if core::LLVMIsABranchInst(self.0).is_null() || core::LLVMIsConditional(self.0) == 0 {
                return None;
            }
            Some((
                Self(core::LLVMGetCondition(self.0)),
                Block(core::LLVMGetSuccessor(self.0, 0)),
                Block(core::LLVMGetSuccessor(self.0, 1)),
            ))
        }
    }

    /// Is it an addition, subtraction or multiplication that is poison when it wraps as signed?
    #[must_use]
    pub fn never_wraps_signed(self) -> bool {
        matches!(self.opcode(), Some(Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul))
            && unsafe { core::LLVMGetNSW(self.0) != 0 }
    }

    /// Is it an address that is computed inside of one object, from another one in it?
    #[must_use]
    pub fn is_inbounds(self) -> bool {
        unsafe { !core::LLVMIsAGetElementPtrInst(self.0).is_null() && core::LLVMIsInBounds(self.0) != 0 }
    }

    /// Is it an unconditional branch?
    #[must_use]
    pub fn is_plain_branch(self) -> bool {
        unsafe { !core::LLVMIsABranchInst(self.0).is_null() && core::LLVMIsConditional(self.0) == 0 }
    }

    /// Predicate of an integer comparison.
    #[must_use]
    pub fn integer_predicate(self) -> Option<llvm_sys::LLVMIntPredicate> {
        (self.opcode() == Some(Opcode::LLVMICmp)).then(|| unsafe { core::LLVMGetICmpPredicate(self.0) })
    }

    /// Of a comparison of two floating-point numbers whether it says that they differ, `true`, or that they are equal, where neither is NaN.
    #[must_use]
    pub fn says_unequal(self) -> Option<bool> {
        use llvm_sys::LLVMRealPredicate as P;
        let how = (self.opcode() == Some(Opcode::LLVMFCmp)).then(|| unsafe { core::LLVMGetFCmpPredicate(self.0) });
        match how {
            Some(P::LLVMRealUNE | P::LLVMRealONE) => Some(true),
            Some(P::LLVMRealOEQ | P::LLVMRealUEQ) => Some(false),
            _ => None,
        }
    }

    /// Is it a comparison that says whether one of two floating-point numbers is NaN?
    #[must_use]
    pub fn asks_for_nan(self) -> bool {
        use llvm_sys::LLVMRealPredicate as P;
        self.opcode() == Some(Opcode::LLVMFCmp) && unsafe { core::LLVMGetFCmpPredicate(self.0) } == P::LLVMRealUNO
    }

    /// Is it a constant all of whose bits are 0?
    #[must_use]
    pub fn is_null(self) -> bool {
        unsafe { core::LLVMIsNull(self.0) != 0 }
    }

    /// Does it do nothing but compute its value from its operands?
    #[must_use]
    pub fn is_pure(self) -> bool {
        unsafe { ffi::lw_is_pure(self.0) }
    }

    /// Is it arithmetic that may be done otherwise than it says, if not only in one operation with a sum?
    #[must_use]
    pub fn has_fast_math(self) -> bool {
        unsafe {
            core::LLVMCanValueUseFastMathFlags(self.0) != 0
                && core::LLVMGetFastMathFlags(self.0) & !llvm_sys::LLVMFastMathAllowContract != 0
        }
    }

    /// Is it arithmetic that a back end may make one operation with other such, and that may not be reassociated?
    #[must_use]
    pub fn may_be_fused(self) -> bool {
        unsafe {
            core::LLVMCanValueUseFastMathFlags(self.0) != 0
                && core::LLVMGetFastMathFlags(self.0)
                    & (llvm_sys::LLVMFastMathAllowContract | llvm_sys::LLVMFastMathAllowReassoc)
                    == llvm_sys::LLVMFastMathAllowContract
        }
    }

    /// Is it arithmetic that may be reassociated?
    #[must_use]
    pub fn may_be_reassociated(self) -> bool {
        unsafe {
            core::LLVMCanValueUseFastMathFlags(self.0) != 0
                && core::LLVMGetFastMathFlags(self.0) & llvm_sys::LLVMFastMathAllowReassoc != 0
        }
    }

    /// The operation on two integers that it is, if that may take its operands in any order. Copies of it have no flags that could stand against that.
    #[must_use]
    pub fn commutative(self) -> Option<Commutative> {
        self.ty().integer_bits()?;
        Some(match self.opcode()? {
            Opcode::LLVMAdd => Commutative::Sum,
            Opcode::LLVMMul => Commutative::Product,
            Opcode::LLVMAnd => Commutative::And,
            Opcode::LLVMOr => Commutative::Or,
            Opcode::LLVMXor => Commutative::Xor,
            Opcode::LLVMCall => match self.intrinsic_name()?.as_str() {
                "llvm.smin" => Commutative::Least,
                "llvm.smax" => Commutative::Most,
                "llvm.umin" => Commutative::LeastUnsigned,
                "llvm.umax" => Commutative::MostUnsigned,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Is it a division of integers, which may trap?
    #[must_use]
    pub fn divides_integers(self) -> bool {
        matches!(self.opcode(), Some(Opcode::LLVMSDiv | Opcode::LLVMUDiv | Opcode::LLVMSRem | Opcode::LLVMURem))
    }

    /// Is it a sum or difference of floating-point numbers?
    #[must_use]
    pub fn is_sum(self) -> bool {
        matches!(self.opcode(), Some(Opcode::LLVMFAdd | Opcode::LLVMFSub))
    }

    /// Of a sum or difference, the operand (0 or 1) that is a product which a back end that fuses makes one operation with it.
    #[must_use]
    pub fn fused_operand(self) -> Option<u32> {
        u32::try_from(unsafe { ffi::lw_fused_operand(self.0) }).ok()
    }

    /// Is it a phi that brings a product from one iteration to a sum in the next, which a back end that fuses makes one operation where the loop is unrolled?
    #[must_use]
    pub fn carries_a_product(self) -> bool {
        unsafe { ffi::lw_carries_a_product(self.0) }
    }

    /// Is it a product with a sum with one, which a back end that fuses may make one operation?
    #[must_use]
    pub fn may_be_distributed(self) -> bool {
        unsafe { ffi::lw_may_be_distributed(self.0) }
    }

    /// Is it a product and a sum that the back end may make one operation?
    #[must_use]
    pub fn is_muladd(self) -> bool {
        unsafe { ffi::lw_is_muladd(self.0) }
    }

    /// Name of the function that it calls, if all the call does is to return a value and perhaps to set `errno`.
    #[must_use]
    pub fn errno_function(self) -> Option<String> {
        let name = text_of(|out, n| unsafe { ffi::lw_errno_function(self.0, out, n) });
        (!name.is_empty()).then_some(name)
    }

    /// Is it a mark for debuggers or optimisers without effect?
    #[must_use]
    pub fn is_marker(self) -> bool {
        unsafe { ffi::lw_is_marker(self.0) }
    }

    /// The stack slot (or poison) whose lifetime it says to start or to end.
    #[must_use]
    pub fn lifetime_of(self) -> Option<Self> {
        let slot = unsafe { ffi::lw_lifetime_of(self.0) };
        (!slot.is_null()).then_some(Self(slot))
    }

    /// Is it a stack slot that every call of the function makes once, at its start?
    #[must_use]
    pub fn is_static_slot(self) -> bool {
        unsafe { ffi::lw_is_static_slot(self.0) }
    }

    /// A load, store or memory intrinsic that is neither volatile nor atomic?
    #[must_use]
    pub fn is_simple_access(self) -> bool {
        unsafe { ffi::lw_is_simple_access(self.0) }
    }

    /// May it write to memory?
    #[must_use]
    pub fn may_write(self) -> bool {
        unsafe { ffi::lw_may_write(self.0) }
    }

    /// Is it a memory intrinsic that we model?
    #[must_use]
    pub fn memory_intrinsic(self) -> Option<MemoryIntrinsic> {
        match unsafe { ffi::lw_memory_intrinsic(self.0) } {
            1 => Some(MemoryIntrinsic::Set),
            2 => Some(MemoryIntrinsic::Copy),
            _ => None,
        }
    }

    /// Name of the intrinsic it calls, without type suffix.
    #[must_use]
    pub fn intrinsic_name(self) -> Option<String> {
        let name = text_of(|out, n| unsafe { ffi::lw_intrinsic_name(self.0, out, n) });
        (!name.is_empty()).then_some(name)
    }

    /// Alignment of a load or store, in bytes.
    #[must_use]
    pub fn alignment(self) -> u32 {
        unsafe { core::LLVMGetAlignment(self.0) }
    }

    /// Its name in the IR, often empty.
    #[must_use]
    pub fn name(self) -> String {
        let mut length = 0;
        unsafe {
            let raw = core::LLVMGetValueName2(self.0, &raw mut length);
            let bytes = std::slice::from_raw_parts(raw.cast::<u8>(), length);
            String::from_utf8_lossy(bytes).into_owned()
        }
    }

    /// Index of a function argument.
    #[must_use]
    pub fn argument_index(self, function: Self) -> Option<usize> {
        unsafe {
            let n = core::LLVMCountParams(function.0);
            (0..n).find(|&i| core::LLVMGetParam(function.0, i) == self.0).map(|i| i as usize)
        }
    }
}
