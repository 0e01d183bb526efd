//! What may be computed although the program computes it under a condition only.
//!
//! Operations, if they are cheap and cannot fault, and reads of cells that are there.
//!
//! **Is a cell there?** If the program touches it anyway in the same iteration. Or if it touches another one of the same array, no cell before the array's start is meant, and none behind the one that is
//! touched: where an address is computed `inbounds` all the way from the array's base, both lie in one object, and so does all between them. (All the way: a step of no bytes says nothing, and which one that is
//! differs from iteration to iteration. Where none is any longer than that, what is touched is the base.)

use super::accesses::{Access, Accesses};
use super::body::Node;
use super::facts::{Domain, Facts};
use super::poly::Poly;
use super::reject::{Raise, Reject, RejectKind};
use super::weight::is_costly;
use crate::llvm::{Analyses, Block, Value};

/// Most operations that are computed although a condition may not want them.
const MOST_OPERATIONS: usize = 24;

/// Where something shall be computed always.
pub struct Place<'a, 'f> {
    /// Numbers.
    pub facts: &'a Facts<'f>,
    /// Accesses.
    pub accesses: &'a Accesses,
    /// For these instances.
    pub domain: &'a Domain,
    /// What runs before the end of this block has run.
    pub block: Block,
    /// Of these stores one will run, whatever data say; all are to one cell.
    pub stores: &'a [Value],
}

impl Place<'_, '_> {
    /// May these operations be done?
    #[must_use]
    pub fn may_compute<'n>(&self, nodes: impl Iterator<Item = &'n Node>) -> bool {
        let runs_anyway = |v: Value| v.block().is_some_and(|b| self.facts.analyses.dominates(b, self.block));
        let mut operations = 0;
        for node in nodes {
            if let Node::Operation { instruction, .. } = node
                && !runs_anyway(*instruction)
            {
                operations += 1;
                if !instruction.is_pure() || instruction.divides_integers() || is_costly(*instruction) {
                    return false;
                }
            }
        }
        operations <= MOST_OPERATIONS
    }

    /// May these cells be read?
    ///
    /// # Errors
    /// Budget, overflow.
    pub fn may_read<'c>(&self, cells: impl Iterator<Item = &'c (usize, Vec<Poly>)>) -> Raise<bool> {
        for (array, cell) in cells {
            if !self.is_there(*array, cell)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_there(&self, array: usize, cell: &[Poly]) -> Raise<bool> {
        let (analyses, accesses) = (self.facts.analyses, self.accesses);
        let Some(shape) = accesses.arrays.get(array) else { return Ok(false) };
        let whole = |a: &Access| a.piece.is_empty();
        let here = |a: &&Access| whole(a) && a.array == array && a.domain.loops == self.domain.loops;
        let runs = |a: &&Access| a.instruction.block().is_some_and(|b| analyses.dominates(b, self.block));
        if accesses.all.iter().filter(here).filter(runs).any(|a| a.subscripts == cell) {
            return Ok(true);
        }
        let stores: Vec<&Access> =
            accesses.all.iter().filter(here).filter(|a| self.stores.contains(&a.instruction)).collect();
        if stores.first().is_some_and(|a| a.subscripts == cell) {
            return Ok(true);
        }
        let is_plain = !shape.own && !shape.rows.are_packed() && shape.table.is_none();
        if !is_plain || !self.are_nonnegative(&shape.strides)? || !self.are_nonnegative(cell)? {
            return Ok(false);
        }
        let within = |a: &&Access| is_within_object(analyses, a, shape.base);
        let stored = stores.first().filter(|_| stores.iter().all(within)).copied();
        for far in accesses.all.iter().filter(here).filter(runs).filter(within).chain(stored) {
            if far.subscripts.len() == cell.len() && self.are_nonnegative(&gaps(&far.subscripts, cell)?)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Are all of them zero or more?
    fn are_nonnegative(&self, all: &[Poly]) -> Raise<bool> {
        for poly in all {
            if !self.facts.is_nonnegative(poly, self.domain)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// How far one cell is behind another, in each dimension.
fn gaps(far: &[Poly], near: &[Poly]) -> Raise<Vec<Poly>> {
    far.iter().zip(near).map(|(f, n)| f.sub(n).ok_or_else(|| Reject::new(RejectKind::Overflow))).collect()
}

/// Is the address of an access computed inside of one object, all the way from the base?
fn is_within_object(analyses: Analyses, access: &Access, base: Value) -> bool {
    let operand = usize::from(access.is_write());
    let Some(mut here) = access.instruction.operands().get(operand).copied() else { return false };
    if access.ty.is_none() {
        return false;
    }
    while here != base {
        match analyses.address_step(here) {
            Some(step) if here.is_inbounds() => here = step.base,
            _ => return false,
        }
    }
    true
}
