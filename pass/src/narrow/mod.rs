//! Integers of fewer bits in loops over narrow cells.
//!
//! **Problem.** C computes with `int` whatever cells are: `abs(x[i] - y[i])` of bytes is 32 bits wide, and so are the vectors that LLVM makes of it, of which four then do the work of one. LLVM narrows what
//! goes through sums, products and shifts into a truncation alone; comparisons, extrema, magnitudes and quotients stop it.
//!
//! **Method.** In an innermost loop that may become vectors, values that are connected are taken together: what is computed from extended narrow cells and constants, and ends in truncations and comparisons.
//! Interval arithmetic bounds all of them ([`ranges`]); the fewest bits in which every operation yields the same replace the old ones, in place: nothing is assumed, so nothing is checked at run time. What raising sees
//! afterwards is the narrow program, so that new loops have it too.
//!
//! GCC's vectoriser does this as a pattern (`vect_recog_over_widening_pattern`).

mod component;
pub mod ranges;

use crate::llvm::build::InPlace;
use crate::llvm::{Analyses, Block, Loop, Opcode, ScevKind, Type, Value};
use crate::raise::region::DONE_PROPERTY;
use crate::remarks;
use component::Component;
use polyhedra::Budget;
use std::collections::BTreeMap;

/// Loops of more instructions stay as they are.
const MOST: usize = 1000;

/// Numbers have no more bits.
const WIDEST: u32 = 64;

/// Narrows what can be narrowed in the innermost loops of the function, if LLVM's verifier agrees; says whether the IR changed.
pub fn run(analyses: Analyses, budget: &Budget) -> bool {
    if analyses.vector_bits() == 0 {
        return false;
    }
    // All together: to verify a function takes as long as it is.
    let mut new = InPlace::new(analyses);
    let (mut old, mut said) = (Vec::new(), Vec::new());
    for (inner, blocks) in innermost(analyses) {
        let Some(body) = Body::of(analyses, inner, &blocks) else { continue };
        // What is not done for want of steps is no loss.
        if budget.spend(body.instructions.len() as u64).is_err() {
            break;
        }
        for component in Component::all(&body) {
            let Some(bits) = component.fewest_bits(body.cells) else { continue };
            if component.build(&mut new, bits).is_none() {
                return false;
            }
            old.extend(component.instructions());
            match said.last_mut() {
                Some((l, from, to)) if *l == inner => (*from, *to) = (component.bits().max(*from), bits.max(*to)),
                _ => said.push((inner, component.bits(), bits)),
            }
        }
    }
    if old.is_empty() {
        return false;
    }
    if let Some(complaint) = analyses.verifier_complaint() {
        drop(new);
        remarks::internal(analyses, None, None, &complaint);
        return false;
    }
    for (inner, from, to) in said {
        remarks::narrowed(analyses, inner, from, to);
    }
    new.finish(&old);
    true
}

/// Innermost loops with their blocks, in the order of their first ones.
fn innermost(analyses: Analyses) -> Vec<(Loop, Vec<Block>)> {
    let mut places: BTreeMap<Loop, usize> = BTreeMap::new();
    let mut out: Vec<(Loop, Vec<Block>)> = Vec::new();
    for b in Block::all(analyses.function()) {
        let Some(l) = analyses.loop_for(b).filter(|l| l.is_innermost()) else { continue };
        let k = *places.entry(l).or_insert(out.len());
        if k == out.len() {
            out.push((l, Vec::new()));
        }
        out[k].1.push(b);
    }
    out
}

/// An innermost loop that LLVM's vectoriser may take.
struct Body {
    inner: Loop,
    instructions: Vec<Value>,
    /// Bits of the widest cell.
    cells: u32,
}

impl Body {
    fn of(analyses: Analyses, inner: Loop, blocks: &[Block]) -> Option<Self> {
        let instructions: Vec<Value> = blocks.iter().flat_map(|b| b.instructions()).collect();
        if instructions.len() > MOST || !has_narrow_cells_only(&instructions) {
            return None;
        }
        if inner.has_property(DONE_PROPERTY) || inner.property_is_false("llvm.loop.vectorize.enable") {
            return None;
        }
        inner.latch()?;
        analyses.backedge_taken(inner)?;
        let mut cells = 0;
        for &i in &instructions {
            let bits = match i.opcode()? {
                Opcode::LLVMLoad => moves_by_cells(analyses, inner, i, 0, i.ty().integer_bits()?, true)?,
                Opcode::LLVMStore => {
                    moves_by_cells(analyses, inner, i, 1, i.operands().first()?.ty().integer_bits()?, false)?
                }
                Opcode::LLVMPHI if i.block() == Some(inner.header()) => phi_bits(analyses, inner, i)?,
                Opcode::LLVMPHI | Opcode::LLVMBr => 0,
                _ if i.is_pure() || i.is_marker() => 0,
                _ => return None,
            };
            cells = cells.max(bits);
        }
        Some(Self { inner, instructions, cells })
    }

    fn contains(&self, v: Value) -> bool {
        v.block().is_some_and(|b| self.inner.contains(b))
    }
}

/// Does the loop store, and load and store integers of fewer bits than numbers have?
fn has_narrow_cells_only(instructions: &[Value]) -> bool {
    let is_narrow = |ty: Type| ty.integer_bits().is_some_and(|bits| bits < WIDEST);
    let mut stores = false;
    instructions.iter().all(|i| match i.opcode() {
        Some(Opcode::LLVMLoad) => is_narrow(i.ty()),
        Some(Opcode::LLVMStore) => {
            stores = true;
            i.operands().first().is_some_and(|v| is_narrow(v.ty()))
        }
        _ => true,
    }) && stores
}

/// Bits of the cells of an access, if vectors can come from where it goes: every iteration a few cells on, or all from one.
fn moves_by_cells(analyses: Analyses, inner: Loop, access: Value, at: usize, bits: u32, may_stay: bool) -> Option<u32> {
    /// LLVM loads so many cells together and takes them apart.
    const FEW: i64 = 4;
    let address = *access.operands().get(at)?;
    let bytes = i64::from(bits).checked_div(8).filter(|&b| b > 0 && access.is_simple_access())?;
    let scev = analyses.scev(address)?;
    match scev.recurrence_loop() {
        Some(l) if l == inner => {
            let step = scev.operands().get(1)?.constant()?;
            let few = scev.operands().len() == 2 && step % bytes == 0 && step.abs() <= FEW * bytes;
            few.then_some(bits)
        }
        // Of a loop around, or from in front of it.
        _ => (may_stay && !is_inside(inner, address)).then_some(bits),
    }
}

fn is_inside(inner: Loop, v: Value) -> bool {
    v.block().is_some_and(|b| inner.contains(b))
}

/// 0 for a counter; the bits of what is carried otherwise.
fn phi_bits(analyses: Analyses, inner: Loop, phi: Value) -> Option<u32> {
    if let Some(scev) = analyses.scev(phi)
        && scev.kind() == ScevKind::AddRec
        && scev.recurrence_loop() == Some(inner)
    {
        return Some(0);
    }
    phi.ty().integer_bits()
}
