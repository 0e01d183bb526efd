//! Vectors, and memory from the heap.

use super::{Metadata, NO_NAME, Transaction};
use crate::llvm::{Analyses, Parts, Type, Value, ffi};
use llvm_sys::core;

/// The functions that give memory and take it back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allocator {
    malloc: Value,
    free: Value,
}

impl Transaction {
    /// Vector of so many scalars.
    #[must_use]
    pub fn vector(&self, element: Type, width: u32) -> Type {
        Type(unsafe { core::LLVMVectorType(element.0, width) })
    }

    /// Zero, or a vector of zeros.
    #[must_use]
    pub fn zero(&self, ty: Type) -> Value {
        Value(unsafe { core::LLVMConstNull(ty.0) })
    }

    /// The constant vector `0, 1, 2, ...`.
    #[must_use]
    pub fn lane_numbers(&self, element: Type, width: u32) -> Value {
        let mut all: Vec<_> = (0..width).map(|k| self.constant(element, k.into()).0).collect();
        Value(unsafe { core::LLVMConstVector(all.as_mut_ptr(), width) })
    }

    /// The same value in every lane.
    pub fn splat(&mut self, v: Value, width: u32) -> Value {
        Value(unsafe { ffi::lw_splat(self.builder, v.0, width) })
    }

    /// The value in a lane.
    pub fn extract(&mut self, v: Value, lane: u32) -> Value {
        let lane = self.constant(self.int(64), lane.into());
        Value(unsafe { core::LLVMBuildExtractElement(self.builder, v.0, lane.0, NO_NAME) })
    }

    /// A vector of these values.
    pub fn gathered(&mut self, element: Type, values: &[Value]) -> Value {
        let width = u32::try_from(values.len()).unwrap_or(0);
        let mut out = unsafe { core::LLVMGetPoison(self.vector(element, width).0) };
        for (lane, v) in (0u32..).zip(values) {
            let lane = self.constant(self.int(64), lane.into());
            out = unsafe { core::LLVMBuildInsertElement(self.builder, out, v.0, lane.0, NO_NAME) };
        }
        Value(out)
    }

    /// Some lanes of two vectors of the same type, those of the second numbered behind those of the first.
    pub fn shuffled(&mut self, a: Value, b: Option<Value>, lanes: impl IntoIterator<Item = u32>) -> Value {
        let i32 = self.int(32);
        let mut all: Vec<_> = lanes.into_iter().map(|k| self.constant(i32, k.into()).0).collect();
        unsafe {
            let order = core::LLVMConstVector(all.as_mut_ptr(), u32::try_from(all.len()).unwrap_or(0));
            let b = b.map_or_else(|| core::LLVMGetPoison(core::LLVMTypeOf(a.0)), |b| b.0);
            Value(core::LLVMBuildShuffleVector(self.builder, a.0, b, order, NO_NAME))
        }
    }

    /// Lanes in the opposite order.
    pub fn reversed(&mut self, v: Value, width: u32) -> Value {
        self.shuffled(v, None, (0..width).rev())
    }

    /// What each lane has in the next one, and `first` in lane 0.
    pub fn behind(&mut self, v: Value, first: Value, width: u32) -> Value {
        let moved = self.shuffled(v, None, (0..width).map(|lane| lane.saturating_sub(1)));
        let lane = self.constant(self.int(64), 0);
        Value(unsafe { core::LLVMBuildInsertElement(self.builder, moved.0, first.0, lane.0, NO_NAME) })
    }

    /// An operation for which [`Value::widens`] holds, on vectors (operands for which [`Value::wants_scalar`] holds: scalars), without flags that may make
    /// poison.
    pub fn widen(&mut self, instruction: Value, operands: &[Value], width: u32) -> Value {
        let mut raw: Vec<_> = operands.iter().map(|v| v.0).collect();
        unsafe {
            let wide = ffi::lw_widen(self.builder, instruction.0, raw.as_mut_ptr(), raw.len(), width);
            Value(ffi::lw_fused_as_before(self.builder, wide, instruction.0))
        }
    }

    /// `sum`, and the products of all parts of two integers of 32 bits added to it (or subtracted, `less`), or in each lane of vectors: by the machine's operation ([`Analyses::dot_operations`]), if there is one
    /// for so many lanes.
    pub fn dot(&mut self, sum: Value, [a, b]: [Value; 2], parts: Parts, less: bool) -> Value {
        let [first, second] = parts.signed;
        Value(unsafe { ffi::lw_dot(self.builder, sum.0, a.0, b.0, parts.bits, first, second, less) })
    }

    /// The call of a vector library's function that does a call on so many lanes, for which there is one ([`Analyses::vector_form`]). A declaration that is new goes when the
    /// transaction is dropped.
    pub fn call_vector_form(&mut self, analyses: Analyses, call: Value, operands: &[Value], lanes: u32) -> Value {
        let mut raw: Vec<_> = operands.iter().map(|v| v.0).collect();
        let mut new = std::ptr::null_mut();
        let wide = unsafe {
            ffi::lw_call_vector_form(self.builder, analyses.0, call.0, raw.as_mut_ptr(), lanes, &raw mut new)
        };
        self.declared.extend(Value::wrap(new));
        Value(wide)
    }

    /// The type, of the same bits, in which vectors go to and from memory under masks.
    pub fn masked_type(&self, vector: Type) -> Type {
        Type(unsafe { ffi::lw_masked_type(vector.0) })
    }

    /// Loads the lanes that are on; the others are zero.
    pub fn masked_load(&mut self, vector: Type, pointer: Value, alignment: u32, mask: Value) -> Value {
        Value(unsafe { ffi::lw_masked_load(self.builder, vector.0, pointer.0, alignment, mask.0) })
    }

    /// Stores the lanes that are on.
    pub fn masked_store(&mut self, value: Value, pointer: Value, alignment: u32, mask: Value) -> Value {
        Value(unsafe { ffi::lw_masked_store(self.builder, value.0, pointer.0, alignment, mask.0) })
    }

    /// `llvm.prefetch` of a line, into all levels, or all but the first one.
    pub fn prefetch(&mut self, pointer: Value, first: bool) {
        unsafe { ffi::lw_prefetch(self.builder, pointer.0, first.into()) }
    }

    /// Loads each lane that is on from its own address; the others are zero.
    pub fn gather(&mut self, vector: Type, pointers: Value, alignment: u32, mask: Value) -> Value {
        Value(unsafe { ffi::lw_gather(self.builder, vector.0, pointers.0, alignment, mask.0) })
    }

    /// Stores each lane that is on to its own address.
    pub fn scatter(&mut self, value: Value, pointers: Value, alignment: u32, mask: Value) -> Value {
        Value(unsafe { ffi::lw_scatter(self.builder, value.0, pointers.0, alignment, mask.0) })
    }

    /// There are vectors of so many bits that registers shall hold, if the target has any, whatever the function says of the width that it prefers.
    pub fn want_vectors(&mut self, bits: u32) {
        self.vector_bits = self.vector_bits.max(bits);
    }

    /// The functions for memory from the heap; `None` when the function may not call them. Declarations that are new go when the transaction is dropped.
    pub fn allocator(&mut self, analyses: Analyses) -> Option<Allocator> {
        let (mut malloc, mut free) = (std::ptr::null_mut(), std::ptr::null_mut());
        let found = unsafe { ffi::lw_allocator(analyses.0, &raw mut malloc, &raw mut free) };
        let (malloc, free) = (Value::wrap(malloc)?, Value::wrap(free)?);
        for (bit, function) in [(2, malloc), (4, free)] {
            if found & bit != 0 {
                self.declared.push(function);
            }
        }
        Some(Allocator { malloc, free })
    }

    /// Asks for so many bytes. What the function says of itself will be put right by [`super::Committed::finish`].
    pub fn allocate(&mut self, allocator: Allocator, bytes: Value) -> Value {
        self.allocates = true;
        self.call(allocator.malloc, bytes)
    }

    /// Gives memory back.
    pub fn release(&mut self, allocator: Allocator, pointer: Value) {
        self.call(allocator.free, pointer);
    }

    fn call(&mut self, function: Value, argument: Value) -> Value {
        unsafe {
            let ty = core::LLVMGlobalGetValueType(function.0);
            let mut arguments = [argument.0];
            let call = core::LLVMBuildCall2(self.builder, ty, function.0, arguments.as_mut_ptr(), 1, NO_NAME);
            core::LLVMSetInstructionCallConv(call, core::LLVMGetFunctionCallConv(function.0));
            Value(call)
        }
    }

    /// A number as metadata.
    #[must_use]
    pub fn number(&self, value: u32) -> Metadata {
        let constant = self.constant(self.int(32), value.into());
        Metadata(unsafe { core::LLVMValueAsMetadata(constant.0) })
    }
}

impl Value {
    /// Is there an operation that does the same on every lane of vectors?
    #[must_use]
    pub fn widens(self) -> bool {
        unsafe { ffi::lw_widens(self.0) }
    }

    /// Must this operand of it stay a scalar then (or is it the callee)?
    #[must_use]
    pub fn wants_scalar(self, operand: usize) -> bool {
        u32::try_from(operand).is_ok_and(|k| unsafe { ffi::lw_wants_scalar(self.0, k) })
    }
}
