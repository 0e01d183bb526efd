//! Where cells are: `base + sum stride_k * subscript_k`, in steps from the outermost level to the innermost.
//!
//! `A[i][j + 1]` of rows of `n` doubles is `8*n*i + 8*j + 8` bytes behind the base: one step `base + 8*n*i` in the header of loop `i`, one step `+ 8*j` in that
//! of loop `j`, and the constant last, so that neighbours share all but the last step. Steps by whole cells count in cells.

use super::numbers::{Share, poly_of};
use super::{Emitter, LowerError, Result};
use crate::llvm::build::Transaction;
use crate::llvm::{Type, Value};
use crate::raise::poly::Poly;
use polyhedra::Affine;
use scheduler::scop::ArrayId;

impl Emitter<'_> {
    /// The address of a cell; subscripts over the space of the AST.
    pub(super) fn address(&mut self, array: ArrayId, subscripts: &[Affine]) -> Result<Value> {
        let raised = self.raised;
        let data = raised.arrays.get(array.0).ok_or(LowerError::Malformed("an array that is not there"))?;
        if data.strides.len() != subscripts.len() {
            return Err(LowerError::Malformed("another number of subscripts than strides"));
        }
        let mut offset = Poly::default();
        for (stride, subscript) in data.strides.iter().zip(subscripts) {
            let part = stride.mul(&poly_of(subscript)?).ok_or(polyhedra::Error::Overflow)?;
            offset = offset.add(&part).ok_or(polyhedra::Error::Overflow)?;
        }
        let cell = match data.bytes {
            bytes @ (2 | 4 | 8) => i64::try_from(bytes).unwrap_or(1),
            _ => 1,
        };
        let cell_type = self.t.int(u32::try_from(cell * 8).unwrap_or(8));
        let mut prefix = Poly::default();
        let mut level = 0;
        let mut address = data.base;
        for share in self.numbers.by_level(&offset)? {
            level = share.level;
            prefix = prefix.add(&share.poly()?).ok_or(polyhedra::Error::Overflow)?;
            let key = (array.0, prefix.clone());
            address = match self.numbers.known_address(level, &key) {
                Some(known) => known,
                None => self.step(address, &share, key, cell, cell_type)?,
            };
        }
        let constant = offset.coefficient(&[]);
        if constant == 0 {
            return Ok(address);
        }
        let key = (array.0, offset);
        if let Some(known) = self.numbers.known_address(level, &key) {
            return Ok(known);
        }
        let (count, unit) = if constant % cell == 0 { (constant / cell, cell_type) } else { (constant, self.t.int(8)) };
        let count = self.t.constant(self.t.int(64), count.into());
        Ok(self.numbers.new_address(&mut self.t, level, key, |t: &mut Transaction| t.cell_offset(unit, address, count)))
    }

    fn step(&mut self, from: Value, share: &Share, key: (usize, Poly), cell: i64, cell_type: Type) -> Result<Value> {
        let whole = share.factor.terms().all(|(_, c)| c % cell == 0);
        let (divisor, unit) = if whole { (cell, cell_type) } else { (1, self.t.int(8)) };
        let count = self.numbers.share(&mut self.t, share, divisor, 64)?;
        Ok(self
            .numbers
            .new_address(&mut self.t, share.level, key, |t: &mut Transaction| t.cell_offset(unit, from, count)))
    }
}
