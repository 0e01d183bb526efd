//! Memory of our own for arrays that are none of the program's ([`crate::raise::expand`]): one piece from the heap for all of them, for as long as the new
//! code runs.

use super::hoisted::Hoisted;
use super::{LowerError, Result};
use crate::llvm::build::{Allocator, Compare, Transaction};
use crate::llvm::{Analyses, Block, Value};
use crate::raise::Raised;
use crate::raise::leaving::Brought;
use codegen::ast::Ast;
use codegen::contract;
use scheduler::scop::ArrayId;

/// Arrays begin at multiples of this.
pub(super) const LINE: i128 = 64;

/// More is not asked for: cells for every iteration of a loop in time may be many times what the program works on.
pub(super) const MOST_BYTES: i128 = 1 << 30;

/// What has to be given back.
pub(super) struct Memory {
    allocator: Allocator,
    pointer: Value,
}

/// The arrays that need memory: a cell is stored or loaded, or read behind the loops.
///
/// # Errors
/// Overflow.
pub(super) fn asked(raised: &Raised, ast: &Ast) -> Result<Vec<usize>> {
    let in_memory = contract::in_memory(&raised.scop, ast)?;
    let dying = raised.dying();
    let own = (0..raised.arrays.len()).filter(|&k| raised.arrays[k].own);
    Ok(own.filter(|&k| in_memory.contains(&ArrayId(k)) || !dying.contains(&ArrayId(k))).collect())
}

/// Asks for memory for some arrays (index, bytes: a multiple of [`LINE`]) at the builder's place; goes on to `start` with it, to `fallback` without.
///
/// # Errors
/// The function must not call `malloc`.
pub(super) fn ask(
    t: &mut Transaction,
    analyses: Analyses,
    raised: &Raised,
    hoisted: &mut Hoisted,
    arrays: &[(usize, Value)],
    (start, fallback): (Block, Block),
) -> Result<Memory> {
    let allocator = t.allocator(analyses).ok_or(LowerError::NoMemory)?;
    let i64 = t.int(64);
    let mut total = t.constant(i64, LINE);
    for &(_, bytes) in arrays {
        total = t.add(total, bytes);
    }
    let pointer = t.allocate(allocator, total);
    let (address, zero) = (t.address(pointer, i64), t.constant(i64, 0));
    let null = t.compare(Compare::Equal, address, zero);
    let mask = t.constant(i64, LINE - 1);
    let negative = t.sub(zero, address);
    let room = t.and(negative, mask);
    let mut next = t.byte_offset(pointer, room);
    for &(k, bytes) in arrays {
        let array = raised.arrays.get(k).ok_or(LowerError::Malformed("an array that is not there"))?;
        hoisted.stand_for(array.base, next);
        next = t.byte_offset(next, bytes);
    }
    t.branch_if(null, fallback, start);
    Ok(Memory { allocator, pointer })
}

/// What the phis behind the region get from the new code, at the builder's place.
///
/// # Errors
/// An array that is not there.
pub(super) fn brought(t: &mut Transaction, raised: &Raised, hoisted: &Hoisted) -> Result<Vec<(Value, Value)>> {
    let mut out = Vec::new();
    for &(phi, brought) in &raised.exit_values {
        out.push(match brought {
            Brought::Value(v) => (phi, v),
            Brought::Cell(k) => {
                let array = raised.arrays.get(k).ok_or(LowerError::Malformed("an array that is not there"))?;
                let alignment = u32::try_from(array.bytes).unwrap_or(1);
                (phi, t.load(phi.ty(), hoisted.get(array.base), alignment))
            }
        });
    }
    Ok(out)
}

impl Memory {
    /// Gives it back, at the builder's place.
    pub(super) fn release(self, t: &mut Transaction) {
        t.release(self.allocator, self.pointer);
    }
}
