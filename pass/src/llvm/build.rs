//! Making new IR as a transaction: everything is built in blocks that nothing reaches; [`Transaction::commit`] puts one branch in. A transaction that is dropped
//! before that, by an error or by a panic, takes everything back: the function is as it was.

mod in_place;
mod vectors;

pub use in_place::InPlace;
pub use vectors::Allocator;

use super::{Analyses, Block, Type, Value, ffi};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMContextRef};
use std::ffi::CString;

/// Integer comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// `=`
    Equal,
    /// signed `<=`
    SignedLessEqual,
    /// signed `<`
    SignedLess,
    /// unsigned `<=`
    UnsignedLessEqual,
}

/// New blocks of a function, not reachable until [`Transaction::commit`].
pub struct Transaction {
    function: Value,
    context: LLVMContextRef,
    builder: LLVMBuilderRef,
    blocks: Vec<Block>,
    slots: Vec<Value>,
    marks: Vec<(Value, String)>,
    /// Declarations that this transaction has added to the module.
    declared: Vec<Value>,
    allocates: bool,
    /// Most bits of a vector that registers shall hold.
    vector_bits: u32,
    done: bool,
}

/// What [`Transaction::commit`] did, so that it can be undone when the verifier objects: whoever drops it without [`Committed::finish`] undoes it.
pub struct Committed {
    entry: Block,
    original: Block,
    /// Until it is finished.
    transaction: Option<Transaction>,
}

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

impl Transaction {
    /// Starts one.
    #[must_use]
    pub fn new(analyses: Analyses) -> Self {
        let function = analyses.function();
        unsafe {
            let context = core::LLVMGetTypeContext(core::LLVMTypeOf(function.0));
            let builder = core::LLVMCreateBuilderInContext(context);
            Self {
                function,
                context,
                builder,
                blocks: Vec::new(),
                slots: Vec::new(),
                marks: Vec::new(),
                declared: Vec::new(),
                allocates: false,
                vector_bits: 0,
                done: false,
            }
        }
    }

    /// A new block at the end of the function.
    pub fn block(&mut self, name: &str) -> Block {
        let name = CString::new(name).unwrap_or_default();
        let b = Block(unsafe { core::LLVMAppendBasicBlockInContext(self.context, self.function.0, name.as_ptr()) });
        self.blocks.push(b);
        b
    }

    /// From now on, instructions go to the end of this block.
    pub fn position(&mut self, block: Block) {
        unsafe { core::LLVMPositionBuilderAtEnd(self.builder, block.0) }
    }

    /// Where instructions go now.
    #[must_use]
    pub fn current(&self) -> Block {
        Block(unsafe { core::LLVMGetInsertBlock(self.builder) })
    }

    /// New instructions carry the debug location of this one.
    pub fn locate(&mut self, like: Option<Value>) {
        unsafe { ffi::lw_set_debug_location(self.builder, like.map_or(std::ptr::null_mut(), |v| v.0)) }
    }

    /// Makes something in another block, before its terminator if it has one, without debug location. Afterwards all is as before.
    pub fn inside<T>(&mut self, block: Block, make: impl FnOnce(&mut Self) -> T) -> T {
        let here = self.current();
        unsafe {
            let location = core::LLVMGetCurrentDebugLocation2(self.builder);
            match block.terminator() {
                Some(t) => core::LLVMPositionBuilderBefore(self.builder, t.0),
                None => core::LLVMPositionBuilderAtEnd(self.builder, block.0),
            }
            core::LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
            let out = make(self);
            core::LLVMPositionBuilderAtEnd(self.builder, here.0);
            core::LLVMSetCurrentDebugLocation2(self.builder, location);
            out
        }
    }

    /// Integer type of a width.
    #[must_use]
    pub fn int(&self, bits: u32) -> Type {
        Type(unsafe { core::LLVMIntTypeInContext(self.context, bits) })
    }

    /// Constant of an integer type, from a signed number.
    #[must_use]
    #[allow(clippy::cast_sign_loss)]
    pub fn constant(&self, ty: Type, value: i128) -> Value {
        let words = [
            value as u64,
            (value >> 64) as u64,
            if value < 0 { u64::MAX } else { 0 },
            if value < 0 { u64::MAX } else { 0 },
        ];
        Value(unsafe { core::LLVMConstIntOfArbitraryPrecision(ty.0, 4, words.as_ptr()) })
    }

    /// `a + b`, wrapping.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildAdd(self.builder, a.0, b.0, NO_NAME) })
    }

    /// `a + b`, known not to wrap as signed numbers.
    pub fn add_nsw(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildNSWAdd(self.builder, a.0, b.0, NO_NAME) })
    }

    /// `a + b`, known not to wrap as signed numbers, nor (if so said) as unsigned ones. For values of which one is computed at run time.
    pub fn add_without_wrap(&mut self, a: Value, b: Value, unsigned: bool) -> Value {
        let sum = self.add_nsw(a, b);
        if unsigned && sum.is_instruction() {
            unsafe { core::LLVMSetNUW(sum.0, 1) };
        }
        sum
    }

    /// `a - b`, known not to wrap as signed numbers.
    pub fn sub_nsw(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildNSWSub(self.builder, a.0, b.0, NO_NAME) })
    }

    /// `a * b`, known not to wrap as signed numbers.
    pub fn mul_nsw(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildNSWMul(self.builder, a.0, b.0, NO_NAME) })
    }

    /// `a - b`, wrapping.
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildSub(self.builder, a.0, b.0, NO_NAME) })
    }

    /// `a * b`, wrapping.
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildMul(self.builder, a.0, b.0, NO_NAME) })
    }

    /// Unsigned quotient; the divisor must not be zero.
    pub fn udiv(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildUDiv(self.builder, a.0, b.0, NO_NAME) })
    }

    /// `a / b` towards zero.
    pub fn sdiv(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildSDiv(self.builder, a.0, b.0, NO_NAME) })
    }

    /// Remainder of [`Self::sdiv`].
    pub fn srem(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildSRem(self.builder, a.0, b.0, NO_NAME) })
    }

    /// `a >> b`, sign kept.
    pub fn ashr(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildAShr(self.builder, a.0, b.0, NO_NAME) })
    }

    /// `a << b`.
    pub fn shl(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildShl(self.builder, a.0, b.0, NO_NAME) })
    }

    /// Bitwise and.
    pub fn and(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildAnd(self.builder, a.0, b.0, NO_NAME) })
    }

    /// Bitwise or.
    pub fn or(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildOr(self.builder, a.0, b.0, NO_NAME) })
    }

    /// `a ^ b`.
    pub fn xor(&mut self, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildXor(self.builder, a.0, b.0, NO_NAME) })
    }

    /// A comparison.
    pub fn compare(&mut self, how: Compare, a: Value, b: Value) -> Value {
        let p = match how {
            Compare::Equal => LLVMIntPredicate::LLVMIntEQ,
            Compare::SignedLessEqual => LLVMIntPredicate::LLVMIntSLE,
            Compare::SignedLess => LLVMIntPredicate::LLVMIntSLT,
            Compare::UnsignedLessEqual => LLVMIntPredicate::LLVMIntULE,
        };
        Value(unsafe { core::LLVMBuildICmp(self.builder, p, a.0, b.0, NO_NAME) })
    }

    /// `if c then a else b`.
    pub fn select(&mut self, c: Value, a: Value, b: Value) -> Value {
        Value(unsafe { core::LLVMBuildSelect(self.builder, c.0, a.0, b.0, NO_NAME) })
    }

    /// Calls `llvm.smin`/`llvm.smax` semantics as compare and select.
    pub fn extremum(&mut self, largest: bool, a: Value, b: Value) -> Value {
        let less = self.compare(Compare::SignedLess, a, b);
        if largest { self.select(less, b, a) } else { self.select(less, a, b) }
    }

    /// To another width: sign extended or truncated.
    pub fn resize(&mut self, v: Value, ty: Type) -> Value {
        Value(unsafe { core::LLVMBuildIntCast2(self.builder, v.0, ty.0, 1, NO_NAME) })
    }

    /// To another width: zero extended or truncated.
    pub fn resize_unsigned(&mut self, v: Value, ty: Type) -> Value {
        Value(unsafe { core::LLVMBuildIntCast2(self.builder, v.0, ty.0, 0, NO_NAME) })
    }

    /// Address as a number.
    pub fn address(&mut self, pointer: Value, ty: Type) -> Value {
        Value(unsafe { core::LLVMBuildPtrToInt(self.builder, pointer.0, ty.0, NO_NAME) })
    }

    /// The same value, but some fixed one if it was poison.
    pub fn freeze(&mut self, v: Value) -> Value {
        if unsafe { ffi::lw_is_defined(v.0) } {
            return v;
        }
        Value(unsafe { core::LLVMBuildFreeze(self.builder, v.0, NO_NAME) })
    }

    /// `base + offset` bytes.
    pub fn byte_offset(&mut self, base: Value, offset: Value) -> Value {
        unsafe {
            let i8 = core::LLVMInt8TypeInContext(self.context);
            let mut index = [offset.0];
            Value(core::LLVMBuildGEP2(self.builder, i8, base.0, index.as_mut_ptr(), 1, NO_NAME))
        }
    }

    /// `base + index` cells of this type.
    pub fn cell_offset(&mut self, cell: Type, base: Value, index: Value) -> Value {
        let mut index = [index.0];
        Value(unsafe { core::LLVMBuildGEP2(self.builder, cell.0, base.0, index.as_mut_ptr(), 1, NO_NAME) })
    }

    /// The same address, of which scalar evolution knows nothing.
    pub fn opaque_address(&mut self, address: Value) -> Value {
        Value(unsafe { ffi::lw_opaque_address(self.builder, address.0) })
    }

    /// The same address in a register of its own, down to the machine code.
    pub fn distinct_address(&mut self, address: Value) -> Value {
        Value(unsafe { ffi::lw_distinct_address(self.builder, address.0) })
    }

    /// Nothing that is computed before and used later is in a vector register here.
    pub fn vacate_registers(&mut self) {
        unsafe { ffi::lw_vacate_registers(self.builder) }
    }

    /// True, which LLVM knows only when it makes machine code.
    pub fn late_true(&mut self) -> Value {
        Value(unsafe { ffi::lw_late_true(self.builder) })
    }

    /// A load.
    pub fn load(&mut self, ty: Type, pointer: Value, alignment: u32) -> Value {
        unsafe {
            let v = core::LLVMBuildLoad2(self.builder, ty.0, pointer.0, NO_NAME);
            core::LLVMSetAlignment(v, alignment);
            Value(v)
        }
    }

    /// A store.
    pub fn store(&mut self, value: Value, pointer: Value, alignment: u32) -> Value {
        unsafe {
            let v = core::LLVMBuildStore(self.builder, value.0, pointer.0);
            core::LLVMSetAlignment(v, alignment);
            Value(v)
        }
    }

    /// Load or store of a stack slot: natural alignment.
    pub fn load_slot(&mut self, ty: Type, slot: Value) -> Value {
        Value(unsafe { core::LLVMBuildLoad2(self.builder, ty.0, slot.0, NO_NAME) })
    }

    /// See [`Self::load_slot`].
    pub fn store_slot(&mut self, value: Value, slot: Value) {
        unsafe { core::LLVMBuildStore(self.builder, value.0, slot.0) };
    }

    /// Bits reinterpreted as another type of the same size.
    pub fn bitcast(&mut self, v: Value, ty: Type) -> Value {
        Value(unsafe { core::LLVMBuildBitCast(self.builder, v.0, ty.0, NO_NAME) })
    }

    /// Marks a load or store with alias scopes: it touches `scope` and nothing of `others`.
    pub fn set_metadata(&mut self, instruction: Value, kind: &str, node: Metadata) {
        unsafe {
            let id = core::LLVMGetMDKindIDInContext(
                self.context,
                kind.as_ptr().cast(),
                u32::try_from(kind.len()).unwrap_or(0),
            );
            core::LLVMSetMetadata(instruction.0, id, core::LLVMMetadataAsValue(self.context, node.0));
        }
    }

    /// A new alias domain.
    pub fn alias_domain(&mut self) -> Metadata {
        Metadata(unsafe { ffi::lw_alias_node(self.context, std::ptr::null_mut()) })
    }

    /// A new alias scope in a domain.
    pub fn alias_scope(&mut self, domain: Metadata) -> Metadata {
        Metadata(unsafe { ffi::lw_alias_node(self.context, domain.0) })
    }

    /// Says that a scope begins at the builder's place: copies of what follows get scopes of their own.
    pub fn declare_scope(&mut self, scope: Metadata) {
        unsafe { ffi::lw_declare_scope(self.builder, scope.0) }
    }

    /// Says that the lifetime of a stack slot starts, or else ends, at the builder's place.
    pub fn mark_lifetime(&mut self, slot: Value, starts: bool) {
        unsafe { ffi::lw_mark_lifetime(self.builder, slot.0, starts) }
    }

    /// A list of scopes.
    pub fn scope_list(&mut self, scopes: &[Metadata]) -> Metadata {
        let mut raw: Vec<_> = scopes.iter().map(|m| m.0).collect();
        Metadata(unsafe { core::LLVMMDNodeInContext2(self.context, raw.as_mut_ptr(), raw.len()) })
    }

    /// A stack slot that [`Committed::finish`] turns into SSA values. It holds something from here on, though nothing that may be used: else, where a way through the new code
    /// seems to read it before it is written, its value would seem to come from what is before the region, on a way round that leads through other regions.
    pub fn slot(&mut self, ty: Type) -> Value {
        let here = self.current();
        unsafe {
            let location = core::LLVMGetCurrentDebugLocation2(self.builder);
            let entry = core::LLVMGetEntryBasicBlock(self.function.0);
            core::LLVMPositionBuilderBefore(self.builder, core::LLVMGetFirstInstruction(entry));
            core::LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
            let slot = Value(core::LLVMBuildAlloca(self.builder, ty.0, NO_NAME));
            core::LLVMPositionBuilderAtEnd(self.builder, here.0);
            core::LLVMSetCurrentDebugLocation2(self.builder, location);
            self.slots.push(slot);
            core::LLVMBuildStore(self.builder, core::LLVMGetPoison(ty.0), slot.0);
            slot
        }
    }

    /// A copy of an instruction with other operands (as many as it has), without flags that may make poison.
    pub fn clone_with(&mut self, instruction: Value, operands: &[Value]) -> Value {
        unsafe {
            let copy = ffi::lw_clone(instruction.0);
            for (i, v) in (0u32..).zip(operands) {
                core::LLVMSetOperand(copy, i, v.0);
            }
            core::LLVMInsertIntoBuilder(self.builder, copy);
            Value(ffi::lw_fused_as_before(self.builder, copy, instruction.0))
        }
    }

    /// A sum or difference as one operation with the product of the first two values, its operand number `at`; the third is the other operand. Scalars or vectors.
    pub fn fused(&mut self, sum: Value, at: u32, [x, y, z]: [Value; 3]) -> Value {
        Value(unsafe { ffi::lw_fused(self.builder, sum.0, at, x.0, y.0, z.0) })
    }

    /// A product and a sum ([`Value::is_muladd`]) of other operands, as one operation or as two that stay apart. Scalars or vectors.
    pub fn muladd(&mut self, instruction: Value, fused: bool, [x, y, z]: [Value; 3]) -> Value {
        Value(unsafe { ffi::lw_muladd(self.builder, instruction.0, fused, x.0, y.0, z.0) })
    }

    /// A phi.
    pub fn phi(&mut self, ty: Type) -> Value {
        Value(unsafe { core::LLVMBuildPhi(self.builder, ty.0, NO_NAME) })
    }

    /// One more way into a phi.
    pub fn add_incoming(&mut self, phi: Value, value: Value, from: Block) {
        let (mut v, mut b) = ([value.0], [from.0]);
        unsafe { core::LLVMAddIncoming(phi.0, v.as_mut_ptr(), b.as_mut_ptr(), 1) }
    }

    /// `br to`
    pub fn branch(&mut self, to: Block) -> Value {
        Value(unsafe { core::LLVMBuildBr(self.builder, to.0) })
    }

    /// `br c, yes, no`
    pub fn branch_if(&mut self, c: Value, yes: Block, no: Block) -> Value {
        Value(unsafe { core::LLVMBuildCondBr(self.builder, c.0, yes.0, no.0) })
    }

    /// The same, with how often it goes either way, where no profile says that.
    pub fn branch_weighted(&mut self, c: Value, yes: Block, no: Block, (often_yes, often_no): (u32, u32)) -> Value {
        let branch = self.branch_if(c, yes, no);
        unsafe { ffi::lw_weigh_branch(self.function.0, branch.0, often_yes, often_no) };
        branch
    }

    /// Marks the loop of this transaction whose latch ends in this branch.
    pub fn mark_loop(&mut self, terminator: Value, property: &str, value: Option<Metadata>) {
        let value = value.map_or(std::ptr::null_mut(), |v| v.0);
        unsafe { ffi::lw_mark_latch(terminator.0, property.as_ptr().cast(), property.len(), value) }
    }

    /// Marks a loop of the original code, likewise, but not before [`Committed::finish`].
    pub fn mark_original(&mut self, terminator: Value, property: &str) {
        self.marks.push((terminator, property.to_owned()));
    }

    /// A new access group, for `llvm.access.group` and `llvm.loop.parallel_accesses`.
    pub fn access_group(&mut self) -> Metadata {
        Metadata(unsafe { ffi::lw_access_group(self.context) })
    }

    /// Puts the new code in: `entry` gets, in place of its terminator, a branch to `check`; the terminator moves to a block of its own, the original code, to which
    /// `fallback` (a block of this transaction that has no terminator yet) branches. `last` (likewise) branches to `exit`, whose phis get `exit_values`.
    #[must_use]
    pub fn commit(
        mut self,
        entry: Block,
        check: Block,
        fallback: Block,
        last: Block,
        exit: Block,
        exit_values: &[(Value, Value)],
    ) -> Committed {
        unsafe {
            let original = Block(ffi::lw_split(entry.0));
            let to_original = core::LLVMGetBasicBlockTerminator(entry.0);
            core::LLVMInstructionEraseFromParent(to_original);
            self.position(entry);
            self.branch(check);
            self.position(fallback);
            self.branch(original);
            self.position(last);
            self.branch(exit);
            for (phi, value) in exit_values {
                self.add_incoming(*phi, *value, last);
            }
            Committed { entry, original, transaction: Some(self) }
        }
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        unsafe {
            core::LLVMDisposeBuilder(self.builder);
            if self.done {
                return;
            }
            let mut raw: Vec<_> = self.blocks.iter().map(|b| b.0).collect();
            ffi::lw_delete_blocks(raw.as_mut_ptr(), raw.len());
            for slot in &self.slots {
                core::LLVMInstructionEraseFromParent(slot.0);
            }
            for function in &self.declared {
                ffi::lw_drop_declaration(function.0);
            }
        }
    }
}

impl Committed {
    /// Keeps the new code; stack slots become SSA values.
    pub fn finish(mut self, analyses: Analyses) {
        let Some(mut transaction) = self.transaction.take() else { return };
        transaction.done = true;
        for (terminator, property) in std::mem::take(&mut transaction.marks) {
            transaction.mark_loop(terminator, &property, None);
        }
        unsafe {
            if transaction.allocates {
                ffi::lw_allocates(transaction.function.0);
            }
            ffi::lw_reads_what_it_writes(transaction.function.0);
            ffi::lw_require_vector_width(transaction.function.0, transaction.vector_bits);
        }
        let slots = std::mem::take(&mut transaction.slots);
        analyses.promote(&slots);
    }

    /// Takes everything back, as dropping it does.
    pub fn undo(self) {}
}

impl Drop for Committed {
    fn drop(&mut self) {
        let Some(transaction) = self.transaction.take() else { return };
        unsafe {
            let branch = core::LLVMGetBasicBlockTerminator(self.entry.0);
            core::LLVMInstructionEraseFromParent(branch);
            core::LLVMPositionBuilderAtEnd(transaction.builder, self.entry.0);
            core::LLVMBuildBr(transaction.builder, self.original.0);
        }
        drop(transaction);
        unsafe { ffi::lw_unsplit(self.original.0) }
    }
}

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metadata(pub(super) llvm_sys::prelude::LLVMMetadataRef);
