//! Blocks of cells that lie by rows and are wanted by columns.
//!
//! `y[i] += A[i][j] x[j]` with lanes along `i` and as many steps of `j` unrolled as there are lanes reads a square of `A`: for each step a vector of cells that are apart. Held
//! one after the other, all at once, they can be loaded by rows, as they lie, and transposed in registers: that is for whoever lowers them to see. Here their registers are made.
//!
//! A block is used up before the next one is loaded, so that few registers are taken: all steps of one vector of lanes run before those of the next, those of all rows that have
//! the same block together. They may, because all that they write is in registers of their own, which nothing else touches; for the same reason the block may be of the array that is
//! written.

use super::{Copy, Holding, Jammer};
use crate::ast::{AstNode, Held, Lanes, Place, RegisterId};
use polyhedra::Affine;
use scheduler::scop::ArrayId;
use scheduler::{Error, Result};

/// The cells of a block, with their array, and where they are in a mirror.
pub(super) type Block = Vec<(ArrayId, Vec<Affine>, Option<Place>)>;

/// All steps of some rows of a vector of lanes.
struct Group<'a> {
    block: Block,
    copies: Vec<&'a Copy>,
}

impl Jammer<'_> {
    /// The body of the innermost depth loop with blocks in registers; `None`: there are none. The stored cells must be in registers.
    pub(super) fn in_blocks(&mut self, holding: &Holding<'_>) -> Result<Option<Vec<AstNode>>> {
        let chain = holding.chain;
        let accesses: Vec<usize> = (0..holding.accesses.len()).filter(|&k| holding.in_rows(k)).collect();
        let [item] = chain.items.as_slice() else { return Ok(None) };
        if accesses.is_empty() {
            return Ok(None);
        }
        let Some(groups) = groups(holding, &accesses)? else { return Ok(None) };
        let mut out = Vec::new();
        for group in groups {
            let mut body = Vec::new();
            let mut all: Vec<Lanes> = Vec::new();
            for copy in &group.copies {
                body.push(item.at(copy, chain)?);
                all.push(chain.lanes(item, copy)?);
            }
            // What some row has under a mask the row with the most lanes has, too.
            let Some(lanes) = all.iter().find(|l| all.iter().all(|other| l.covers(other))) else { return Ok(None) };
            // Those that have run before may be read again.
            let lanes = if chain.column.last { Lanes { from: None, ..lanes.clone() } } else { lanes.clone() };
            out.extend(self.with_block(group.block, &lanes, body));
        }
        Ok(Some(out))
    }

    /// Nodes with the cells of a block in registers, which are only read.
    pub(super) fn with_block(&mut self, block: Block, lanes: &Lanes, mut body: Vec<AstNode>) -> Vec<AstNode> {
        for (array, subscripts, mirrored) in block.into_iter().rev() {
            let id = RegisterId(self.next);
            self.next += 1;
            let lanes = Some(lanes.clone());
            let held = Held { mirrored, ..Held::new(id, (array, subscripts), (true, false), lanes, body) };
            body = vec![AstNode::Held(held)];
        }
        body
    }
}

/// The copies, all with the same block together, in their order; `None`: some stored cell does not have all steps of one vector of lanes.
fn groups<'a>(holding: &Holding<'a>, accesses: &[usize]) -> Result<Option<Vec<Group<'a>>>> {
    let apply = |k: usize, copy: &Copy| -> Result<Vec<Affine>> {
        holding.cells[k].iter().map(|e| copy.apply(e, holding.chain)).collect()
    };
    // The copies of each stored cell, by their numbers.
    let mut cells: Vec<(Vec<Affine>, Vec<usize>)> = Vec::new();
    for (number, copy) in holding.copies.iter().enumerate() {
        let stored = apply(0, copy)?;
        match cells.iter_mut().find(|(cell, _)| *cell == stored) {
            Some((_, numbers)) if holding.copies[numbers[0]].first == copy.first => numbers.push(number),
            Some(_) => return Ok(None),
            None => cells.push((stored, vec![number])),
        }
    }
    let width = usize::try_from(holding.chain.width).unwrap_or(0);
    let mut groups: Vec<(Block, Vec<usize>)> = Vec::new();
    for (_, numbers) in cells {
        if numbers.len() != width {
            return Ok(None);
        }
        let mut block = Block::new();
        for &k in accesses {
            // The outermost has the first cell.
            let falls = holding.step_in_rows(k) == Some(-1);
            let ordered = |n: usize| if falls { numbers[numbers.len() - 1 - n] } else { numbers[n] };
            for number in (0..numbers.len()).map(ordered) {
                let copy = &holding.copies[number];
                let place = holding.call.mirrored.iter().find(|(id, _)| id.0 == k).map(|(_, place)| place);
                let place =
                    place.map(|p| Ok::<_, Error>(Place { index: copy.apply(&p.index, holding.chain)?, ..p.clone() }));
                let own = (holding.accesses[k].array, apply(k, copy)?, place.transpose()?);
                if !block.contains(&own) {
                    block.push(own);
                }
            }
        }
        match groups.iter_mut().find(|(known, _)| *known == block) {
            Some((_, all)) => all.extend(numbers),
            None => groups.push((block, numbers)),
        }
    }
    let group = |(block, mut numbers): (Block, Vec<usize>)| {
        numbers.sort_unstable();
        Group { block, copies: numbers.into_iter().map(|k| &holding.copies[k]).collect() }
    };
    Ok(Some(groups.into_iter().map(group).collect()))
}

impl Holding<'_> {
    /// Does the access read cells that are apart from lane to lane and neighbours from step to step?
    pub(super) fn in_rows(&self, k: usize) -> bool {
        self.step_in_rows(k).is_some()
    }

    /// From the cell of one step to that of the next of an access that does: 1, or -1 where it lies before it.
    fn step_in_rows(&self, k: usize) -> Option<i64> {
        let (access, cell) = (&self.accesses[k], &self.cells[k]);
        let (last, others) = cell.split_last()?;
        let column = self.chain.column.var.0;
        let reads = k > 0
            && (access.array, cell) != (self.accesses[0].array, &self.cells[0])
            && !self.call.packed.iter().any(|(id, _)| id.0 == k)
            && others.iter().any(|e| e.dim_coeff(column) != 0);
        let steps = self.chain.rows.iter().filter(|row| row.most == i64::from(self.chain.width));
        let mut along = steps.filter(|row| others.iter().all(|e| e.dim_coeff(row.var.0) == 0));
        let step = along.find_map(|row| Some(last.dim_coeff(row.var.0)).filter(|step| step.abs() == 1));
        step.filter(|_| reads)
    }
}
