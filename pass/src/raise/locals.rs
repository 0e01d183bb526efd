//! Arrays on the stack that are declared inside of loops: LLVM marks where their lifetimes start (`llvm.lifetime.start`: the slot holds nothing yet) and end.
//!
//! Such marks stand for nothing in the model if *all* accesses of the slot are in the region: the program without them, but with one start before the region and one end behind it, does what the
//! program does, where that reads only what it has written since the last start, and something where it would read anything. That program is what is modelled. The new code has
//! those two marks (`crate::lower`), as other slots may share the memory before and behind.

use super::Raised;
use super::region::Region;
use super::reject::{Raise, Reject, RejectKind};
use crate::llvm::{Opcode, Value};
use std::collections::BTreeSet;

/// Most users of a slot, and of addresses in it, that are looked at.
const MOST_USERS: usize = 4_000;

/// The arrays of a region whose lifetimes start or end in it.
#[derive(Clone, Debug, Default)]
pub struct Locals {
    /// Their stack slots, in the order of their marks.
    pub slots: Vec<Value>,
    /// Those, and the addresses in them.
    addresses: BTreeSet<Value>,
}

impl Locals {
    /// Those of a region.
    ///
    /// # Errors
    /// An array that is used outside of the region, too, or whose address goes where it cannot be followed.
    pub fn of(region: &Region) -> Raise<Self> {
        let mut out = Self::default();
        for &b in &region.blocks {
            for slot in b.instructions().into_iter().filter_map(Value::lifetime_of) {
                // Where it is no slot it is poison: nothing's lifetime.
                if slot.opcode() == Some(Opcode::LLVMAlloca) && !out.slots.contains(&slot) {
                    out.slots.push(slot);
                    if !out.follow(region, slot) {
                        let what = "the lifetime of an array that is used elsewhere, too".to_owned();
                        return Err(Reject::new(RejectKind::Effect(what)).at(b));
                    }
                }
            }
        }
        Ok(out)
    }

    /// Are all accesses through the slot in the region?
    fn follow(&mut self, region: &Region, slot: Value) -> bool {
        if !slot.is_static_slot() || !region.is_outside(slot) {
            return false;
        }
        self.addresses.insert(slot);
        let mut stack = vec![slot];
        let mut seen = 0;
        while let Some(address) = stack.pop() {
            for user in address.users() {
                seen += 1;
                if seen > MOST_USERS {
                    return false;
                }
                match user.opcode() {
                    _ if user.lifetime_of().is_some() => {}
                    Some(Opcode::LLVMGetElementPtr) => {
                        if self.addresses.insert(user) {
                            stack.push(user);
                        }
                    }
                    Some(Opcode::LLVMLoad) if !region.is_outside(user) => {}
                    Some(Opcode::LLVMStore)
                        if !region.is_outside(user) && user.operands().first() != Some(&address) => {}
                    Some(Opcode::LLVMCall) if !region.is_outside(user) && user.memory_intrinsic().is_some() => {}
                    _ => return false,
                }
            }
        }
        true
    }

    /// Checks that nothing in them is read in front of the region, where they do not live.
    ///
    /// # Errors
    /// Something would be: the program reads what it has not written.
    pub fn are_not_read_ahead(&self, raised: &Raised) -> Raise<()> {
        let hoisted = raised.hoisted.iter().map(|h| h.base);
        let tables = raised.arrays.iter().filter_map(|a| a.table.as_ref()).map(|t| t.base);
        let indices = raised.checks.inspections.iter().filter_map(|i| raised.arrays.get(i.array)).map(|a| a.base);
        let looks = raised.checks.looks.iter().map(|look| look.base);
        if hoisted.chain(tables).chain(indices).chain(looks).any(|base| self.addresses.contains(&base)) {
            return Err(RejectKind::StaleLoad.into());
        }
        Ok(())
    }
}
