//! Instructions put between those that are there, as a transaction: what is dropped before [`InPlace::finish`] takes everything back.

use super::NO_NAME;
use crate::llvm::{Analyses, Opcode, Type, Value, ffi};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMContextRef, LLVMModuleRef};
use std::collections::BTreeSet;

/// New instructions among the old ones.
pub struct InPlace {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    made: Vec<Value>,
    /// `(user, operand, what that was)`
    replaced: Vec<(Value, u32, Value)>,
}

impl InPlace {
    /// Starts one.
    #[must_use]
    pub fn new(analyses: Analyses) -> Self {
        let function = analyses.function();
        unsafe {
            let context = core::LLVMGetTypeContext(core::LLVMTypeOf(function.0));
            let builder = core::LLVMCreateBuilderInContext(context);
            let module = core::LLVMGetGlobalParent(function.0);
            Self { context, module, builder, made: Vec::new(), replaced: Vec::new() }
        }
    }

    /// From now on, instructions go in front of this one, and are of the same place in the source.
    pub fn before(&mut self, instruction: Value) {
        unsafe {
            core::LLVMPositionBuilderBefore(self.builder, instruction.0);
            ffi::lw_set_debug_location(self.builder, instruction.0);
        }
    }

    fn keep(&mut self, made: llvm_sys::prelude::LLVMValueRef) -> Value {
        let made = Value(made);
        // Of constants there may be a constant.
        if made.is_instruction() {
            self.made.push(made);
        }
        made
    }

    /// Integer type of a width.
    #[must_use]
    pub fn int(&self, bits: u32) -> Type {
        Type(unsafe { core::LLVMIntTypeInContext(self.context, bits) })
    }

    /// The low bits of a number, as a constant of an integer type of at most 64 bits.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn constant(&self, ty: Type, number: i128) -> Value {
        let low = [number as u64];
        Value(unsafe { core::LLVMConstIntOfArbitraryPrecision(ty.0, 1, low.as_ptr()) })
    }

    /// To another width; what is there already is itself.
    pub fn resize(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        if v.ty() == ty {
            return v;
        }
        let made = unsafe { core::LLVMBuildIntCast2(self.builder, v.0, ty.0, signed.into(), NO_NAME) };
        self.keep(made)
    }

    /// An operation on two numbers, without flags.
    pub fn binary(&mut self, opcode: Opcode, a: Value, b: Value) -> Value {
        let made = unsafe { core::LLVMBuildBinOp(self.builder, opcode, a.0, b.0, NO_NAME) };
        self.keep(made)
    }

    /// A comparison.
    pub fn compare(&mut self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        let made = unsafe { core::LLVMBuildICmp(self.builder, predicate, a.0, b.0, NO_NAME) };
        self.keep(made)
    }

    /// `if c then a else b`.
    pub fn select(&mut self, c: Value, a: Value, b: Value) -> Value {
        let made = unsafe { core::LLVMBuildSelect(self.builder, c.0, a.0, b.0, NO_NAME) };
        self.keep(made)
    }

    /// A call of an intrinsic whose only type is that of its first operand.
    pub fn intrinsic(&mut self, name: &str, operands: &[Value]) -> Option<Value> {
        let mut ty = [operands.first()?.ty().0];
        let mut raw: Vec<_> = operands.iter().map(|v| v.0).collect();
        unsafe {
            let id = core::LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            if id == 0 {
                return None;
            }
            let declared = core::LLVMGetIntrinsicDeclaration(self.module, id, ty.as_mut_ptr(), 1);
            let of = core::LLVMIntrinsicGetType(self.context, id, ty.as_mut_ptr(), 1);
            let count = u32::try_from(raw.len()).ok()?;
            let made = core::LLVMBuildCall2(self.builder, of, declared, raw.as_mut_ptr(), count, NO_NAME);
            Some(self.keep(made))
        }
    }

    /// All that uses the one uses the other instead.
    pub fn replace(&mut self, old: Value, new: Value) {
        for user in old.users() {
            for (k, operand) in (0u32..).zip(user.operands()) {
                if operand == old {
                    unsafe { core::LLVMSetOperand(user.0, k, new.0) }
                    self.replaced.push((user, k, old));
                }
            }
        }
    }

    /// Keeps it, and removes old instructions that nothing uses any more; users come before what they use.
    pub fn finish(mut self, old: &[Value]) {
        self.made.clear();
        self.replaced.clear();
        let mut seen = BTreeSet::new();
        for &instruction in old {
            if seen.insert(instruction) && instruction.users().is_empty() {
                unsafe { core::LLVMInstructionEraseFromParent(instruction.0) }
            }
        }
    }
}

impl Drop for InPlace {
    fn drop(&mut self) {
        unsafe {
            for (user, k, old) in self.replaced.drain(..).rev() {
                core::LLVMSetOperand(user.0, k, old.0);
            }
            for made in self.made.drain(..).rev() {
                core::LLVMInstructionEraseFromParent(made.0);
            }
            core::LLVMDisposeBuilder(self.builder);
        }
    }
}
