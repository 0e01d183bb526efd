//! Declarations of the C++ shim. Only this folder calls them.

#![allow(missing_docs)]

use llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMBuilderRef, LLVMContextRef, LLVMMetadataRef, LLVMTypeRef, LLVMValueRef,
};
use std::ffi::{c_char, c_int, c_uint, c_void};

#[repr(C)]
pub struct Callbacks {
    pub run: extern "C" fn(*mut c_void, *const c_char, usize) -> bool,
    pub accepts: extern "C" fn(*const c_char, usize) -> bool,
}

unsafe extern "C" {
    pub fn lw_register(builder: *mut c_void, table: *const Callbacks);
    pub fn lw_define_option(name: *const c_char, help: *const c_char);
    pub fn lw_option_value(index: usize) -> *const c_char;
    pub fn lw_error(context: *mut c_void, text: *const c_char, length: usize);
    pub fn lw_print(text: *const c_char, length: usize);

    pub fn lw_function(context: *mut c_void) -> LLVMValueRef;
    pub fn lw_attribute(
        context: *mut c_void,
        name: *const c_char,
        length: usize,
        out: *mut c_char,
        capacity: c_uint,
    ) -> c_uint;
    pub fn lw_wants_no_optimization(context: *mut c_void) -> bool;
    pub fn lw_broken(function: LLVMValueRef, out: *mut c_char, capacity: usize) -> bool;
    pub fn lw_promote(function: LLVMValueRef, slots: *mut LLVMValueRef, count: usize);
    pub fn lw_split(block: LLVMBasicBlockRef) -> LLVMBasicBlockRef;
    pub fn lw_unsplit(block: LLVMBasicBlockRef);
    pub fn lw_delete_blocks(blocks: *mut LLVMBasicBlockRef, count: usize);
    pub fn lw_carries_a_product(value: LLVMValueRef) -> bool;
    pub fn lw_may_be_distributed(value: LLVMValueRef) -> bool;
    pub fn lw_fuses(context: *mut c_void, ty: LLVMTypeRef) -> c_int;
    pub fn lw_fuses_by_width(context: *mut c_void) -> bool;
    pub fn lw_fuses_shared(context: *mut c_void) -> bool;
    pub fn lw_is_muladd(value: LLVMValueRef) -> bool;
    pub fn lw_muladd(
        builder: LLVMBuilderRef,
        value: LLVMValueRef,
        fused: bool,
        x: LLVMValueRef,
        y: LLVMValueRef,
        z: LLVMValueRef,
    ) -> LLVMValueRef;
    pub fn lw_fused_operand(value: LLVMValueRef) -> c_int;
    pub fn lw_fused(
        builder: LLVMBuilderRef,
        sum: LLVMValueRef,
        at: c_uint,
        x: LLVMValueRef,
        y: LLVMValueRef,
        z: LLVMValueRef,
    ) -> LLVMValueRef;
    pub fn lw_fused_as_before(builder: LLVMBuilderRef, copy: LLVMValueRef, value: LLVMValueRef) -> LLVMValueRef;
    pub fn lw_clone(value: LLVMValueRef) -> LLVMValueRef;
    pub fn lw_set_debug_location(builder: LLVMBuilderRef, from: LLVMValueRef);
    pub fn lw_access_group(context: LLVMContextRef) -> LLVMMetadataRef;
    pub fn lw_is_defined(value: LLVMValueRef) -> bool;
    pub fn lw_declare_scope(builder: LLVMBuilderRef, scope: LLVMMetadataRef);
    pub fn lw_alias_node(context: LLVMContextRef, domain: LLVMMetadataRef) -> LLVMMetadataRef;
    pub fn lw_may_be_undefined(value: LLVMValueRef) -> bool;
    pub fn lw_same_operation(a: LLVMValueRef, b: LLVMValueRef) -> bool;
    pub fn lw_loads_neighbours(a: LLVMValueRef, b: LLVMValueRef) -> bool;
    pub fn lw_widens(value: LLVMValueRef) -> bool;
    pub fn lw_wants_scalar(value: LLVMValueRef, index: c_uint) -> bool;
    pub fn lw_widen(
        builder: LLVMBuilderRef,
        value: LLVMValueRef,
        operands: *mut LLVMValueRef,
        count: usize,
        width: c_uint,
    ) -> LLVMValueRef;
    pub fn lw_call_vector_form(
        builder: LLVMBuilderRef,
        context: *mut c_void,
        value: LLVMValueRef,
        operands: *mut LLVMValueRef,
        lanes: c_uint,
        new: *mut LLVMValueRef,
    ) -> LLVMValueRef;
    pub fn lw_dot_operations(
        context: *mut c_void,
        bits: c_uint,
        part: c_uint,
        a_signed: bool,
        b_signed: bool,
    ) -> c_uint;
    pub fn lw_dot(
        builder: LLVMBuilderRef,
        sum: LLVMValueRef,
        a: LLVMValueRef,
        b: LLVMValueRef,
        part: c_uint,
        a_signed: bool,
        b_signed: bool,
        less: bool,
    ) -> LLVMValueRef;
    pub fn lw_splat(builder: LLVMBuilderRef, value: LLVMValueRef, width: c_uint) -> LLVMValueRef;
    pub fn lw_opaque_address(builder: LLVMBuilderRef, pointer: LLVMValueRef) -> LLVMValueRef;
    pub fn lw_distinct_address(builder: LLVMBuilderRef, pointer: LLVMValueRef) -> LLVMValueRef;
    pub fn lw_vacate_registers(builder: LLVMBuilderRef);
    pub fn lw_masked_type(vector: LLVMTypeRef) -> LLVMTypeRef;
    pub fn lw_masked_load(
        builder: LLVMBuilderRef,
        ty: LLVMTypeRef,
        pointer: LLVMValueRef,
        alignment: c_uint,
        mask: LLVMValueRef,
    ) -> LLVMValueRef;
    pub fn lw_late_true(builder: LLVMBuilderRef) -> LLVMValueRef;
    pub fn lw_prefetch(builder: LLVMBuilderRef, pointer: LLVMValueRef, first: c_int);
    pub fn lw_masked_store(
        builder: LLVMBuilderRef,
        value: LLVMValueRef,
        pointer: LLVMValueRef,
        alignment: c_uint,
        mask: LLVMValueRef,
    ) -> LLVMValueRef;
    pub fn lw_gather(
        builder: LLVMBuilderRef,
        ty: LLVMTypeRef,
        pointers: LLVMValueRef,
        alignment: c_uint,
        mask: LLVMValueRef,
    ) -> LLVMValueRef;
    pub fn lw_scatter(
        builder: LLVMBuilderRef,
        value: LLVMValueRef,
        pointers: LLVMValueRef,
        alignment: c_uint,
        mask: LLVMValueRef,
    ) -> LLVMValueRef;
    pub fn lw_may_allocate(context: *mut c_void) -> c_int;
    pub fn lw_allocator(context: *mut c_void, malloc: *mut LLVMValueRef, free: *mut LLVMValueRef) -> c_uint;
    pub fn lw_drop_declaration(function: LLVMValueRef);
    pub fn lw_allocates(function: LLVMValueRef);
    pub fn lw_reads_what_it_writes(function: LLVMValueRef);
    pub fn lw_require_vector_width(function: LLVMValueRef, bits: c_uint);
    pub fn lw_vector_bits(context: *mut c_void) -> c_uint;
    pub fn lw_vector_registers(context: *mut c_void) -> c_uint;
    pub fn lw_has_masks(context: *mut c_void, vector: LLVMTypeRef, alignment: c_uint) -> bool;
    pub fn lw_has_scatters(context: *mut c_void, vector: LLVMTypeRef, alignment: c_uint) -> bool;

    pub fn lw_loop_for(context: *mut c_void, block: LLVMBasicBlockRef) -> *mut c_void;
    pub fn lw_loop_parent(l: *mut c_void) -> *mut c_void;
    pub fn lw_loop_depth(l: *mut c_void) -> c_uint;
    pub fn lw_loop_header(l: *mut c_void) -> LLVMBasicBlockRef;
    pub fn lw_loop_preheader(l: *mut c_void) -> LLVMBasicBlockRef;
    pub fn lw_loop_latch(l: *mut c_void) -> LLVMBasicBlockRef;
    pub fn lw_loop_exiting(context: *mut c_void, l: *mut c_void) -> LLVMBasicBlockRef;
    pub fn lw_loop_exit(context: *mut c_void, l: *mut c_void) -> LLVMBasicBlockRef;
    pub fn lw_loop_contains(l: *mut c_void, block: LLVMBasicBlockRef) -> bool;
    pub fn lw_loop_is_innermost(l: *mut c_void) -> bool;
    pub fn lw_loop_property(l: *mut c_void, name: *const c_char, length: usize) -> bool;
    pub fn lw_loop_property_is_false(l: *mut c_void, name: *const c_char, length: usize) -> bool;
    pub fn lw_weigh_branch(function: LLVMValueRef, branch: LLVMValueRef, yes: c_uint, no: c_uint);
    pub fn lw_mark_latch(terminator: LLVMValueRef, name: *const c_char, length: usize, value: LLVMMetadataRef);
    pub fn lw_location(l: *mut c_void, block: LLVMBasicBlockRef, line: *mut c_uint, column: *mut c_uint);

    pub fn lw_idom(context: *mut c_void, block: LLVMBasicBlockRef) -> LLVMBasicBlockRef;
    pub fn lw_ipdom(context: *mut c_void, block: LLVMBasicBlockRef) -> LLVMBasicBlockRef;
    pub fn lw_dominates(context: *mut c_void, a: LLVMBasicBlockRef, b: LLVMBasicBlockRef) -> bool;
    pub fn lw_post_dominates(context: *mut c_void, a: LLVMBasicBlockRef, b: LLVMBasicBlockRef) -> bool;
    pub fn lw_is_certain(context: *mut c_void, a: LLVMBasicBlockRef, b: LLVMBasicBlockRef) -> bool;
    pub fn lw_may_load_at_end(context: *mut c_void, load: LLVMValueRef, block: LLVMBasicBlockRef) -> bool;
    pub fn lw_is_side_exit(context: *mut c_void, from: LLVMBasicBlockRef, to: LLVMBasicBlockRef) -> bool;
    pub fn lw_stores_aside(context: *mut c_void) -> bool;
    pub fn lw_may_compute_anew(context: *mut c_void, block: LLVMBasicBlockRef) -> bool;
    pub fn lw_is_aside(context: *mut c_void, block: LLVMBasicBlockRef) -> bool;
    pub fn lw_edge_dominates(
        context: *mut c_void,
        from: LLVMBasicBlockRef,
        to: LLVMBasicBlockRef,
        block: LLVMBasicBlockRef,
    ) -> bool;

    pub fn lw_scev(context: *mut c_void, value: LLVMValueRef) -> *const c_void;
    pub fn lw_scev_behind(context: *mut c_void, value: LLVMValueRef, block: LLVMBasicBlockRef) -> *const c_void;
    pub fn lw_backedge_taken(context: *mut c_void, l: *mut c_void) -> *const c_void;
    pub fn lw_scev_kind(s: *const c_void) -> c_uint;
    pub fn lw_scev_operand_count(s: *const c_void) -> usize;
    pub fn lw_scev_operand(s: *const c_void, index: usize) -> *const c_void;
    pub fn lw_scev_loop(s: *const c_void) -> *mut c_void;
    pub fn lw_scev_value(s: *const c_void) -> LLVMValueRef;
    pub fn lw_scev_flags(s: *const c_void) -> c_uint;
    pub fn lw_scev_bits(context: *mut c_void, s: *const c_void) -> c_uint;
    pub fn lw_scev_is_pointer(s: *const c_void) -> bool;
    pub fn lw_scev_constant(s: *const c_void, out: *mut i64) -> bool;
    pub fn lw_scev_signed_range(context: *mut c_void, s: *const c_void, low: *mut i64, high: *mut i64) -> bool;
    pub fn lw_pointer_base(context: *mut c_void, s: *const c_void) -> *const c_void;
    pub fn lw_remove_base(context: *mut c_void, s: *const c_void) -> *const c_void;

    pub fn lw_is_pure(value: LLVMValueRef) -> bool;
    pub fn lw_errno_function(value: LLVMValueRef, out: *mut c_char, capacity: usize) -> usize;
    pub fn lw_is_marker(value: LLVMValueRef) -> bool;
    pub fn lw_lifetime_of(value: LLVMValueRef) -> LLVMValueRef;
    pub fn lw_is_static_slot(value: LLVMValueRef) -> bool;
    pub fn lw_mark_lifetime(builder: LLVMBuilderRef, slot: LLVMValueRef, starts: bool);
    pub fn lw_is_simple_access(value: LLVMValueRef) -> bool;
    pub fn lw_may_write(value: LLVMValueRef) -> bool;
    pub fn lw_memory_intrinsic(value: LLVMValueRef) -> c_uint;
    pub fn lw_intrinsic_name(value: LLVMValueRef, out: *mut c_char, capacity: usize) -> usize;
    pub fn lw_store_bytes(context: *mut c_void, ty: LLVMTypeRef) -> u64;
    pub fn lw_pointer_bits(context: *mut c_void, ty: LLVMTypeRef) -> c_uint;
    pub fn lw_address_step(
        context: *mut c_void,
        pointer: LLVMValueRef,
        constant: *mut i64,
        values: *mut LLVMValueRef,
        scales: *mut i64,
        capacity: usize,
    ) -> i64;
    pub fn lw_has_bfloat_vectors(context: *mut c_void) -> bool;
    pub fn lw_has_vector_function(context: *mut c_void, value: LLVMValueRef) -> bool;
    pub fn lw_has_vector_form(context: *mut c_void, value: LLVMValueRef, lanes: c_uint) -> bool;
    pub fn lw_types_differ(context: *mut c_void, a: LLVMValueRef, b: LLVMValueRef) -> bool;
    pub fn lw_no_alias(context: *mut c_void, a: LLVMValueRef, b: LLVMValueRef) -> bool;
    pub fn lw_explains(context: *mut c_void) -> bool;
    pub fn lw_remark(
        context: *mut c_void,
        kind: c_uint,
        name: *const c_char,
        name_length: usize,
        l: *mut c_void,
        block: LLVMBasicBlockRef,
        text: *const c_char,
        length: usize,
    );
}
