//! Blocks of cells that lie by rows and are wanted by columns.
//!
//! `y[i] += A[i][j] x[j]` with lanes along `i` and as many steps of `j` unrolled as there are lanes reads a square of `A`: for each step a vector of cells that are apart. Held
//! one after the other, all at once, they can be loaded by rows, as they lie, and transposed in registers: that is for whoever lowers them to see. Here their registers are made.
//!
//! A block is used up before the next one is loaded, so that few registers are taken: all steps of one vector of lanes run before those of the next. They may, because
//! all that they write is in registers of their own, which nothing else touches.

use super::{Copy, Holding, Jammer};
use crate::ast::{AstNode, Held, Lanes, RegisterId};
use polyhedra::Affine;
use scheduler::Result;
use scheduler::scop::ArrayId;

/// All steps of a vector of lanes.
struct Group<'a> {
    /// The stored cells.
    stored: Vec<Affine>,
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
        let Some(groups) = groups(holding)? else { return Ok(None) };
        let mut out = Vec::new();
        for group in groups {
            let mut body = Vec::new();
            let mut all: Vec<Lanes> = Vec::new();
            for copy in &group.copies {
                body.push(item.at(copy, chain)?);
                all.push(chain.lanes(item, copy)?);
            }
            let Some((lanes, others)) = all.split_first() else { return Ok(None) };
            if others.iter().any(|l| l != lanes) {
                return Ok(None);
            }
            let mut registers: Vec<(ArrayId, Vec<Affine>)> = Vec::new();
            for &k in &accesses {
                for copy in &group.copies {
                    let cell: Vec<Affine> =
                        holding.cells[k].iter().map(|e| copy.apply(e, chain)).collect::<Result<_>>()?;
                    let own = (holding.accesses[k].array, cell);
                    if !registers.contains(&own) {
                        registers.push(own);
                    }
                }
            }
            for (array, subscripts) in registers.into_iter().rev() {
                let id = RegisterId(self.next);
                self.next += 1;
                let lanes = Some(lanes.clone());
                body = vec![AstNode::Held(Held {
                    id,
                    array,
                    subscripts,
                    load: true,
                    store: false,
                    lanes,
                    ahead: None,
                    body,
                })];
            }
            out.extend(body);
        }
        Ok(Some(out))
    }
}

/// The copies, all with the same stored cell together; `None`: some of them are not the same steps of one vector of lanes.
fn groups<'a>(holding: &Holding<'a>) -> Result<Option<Vec<Group<'a>>>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for copy in holding.copies {
        let apply = |e: &Affine| copy.apply(e, holding.chain);
        let stored: Vec<Affine> = holding.cells[0].iter().map(apply).collect::<Result<_>>()?;
        match groups.iter_mut().find(|g| g.stored == stored) {
            Some(group) if group.copies[0].first == copy.first => group.copies.push(copy),
            Some(_) => return Ok(None),
            None => groups.push(Group { stored, copies: vec![copy] }),
        }
    }
    let width = usize::try_from(holding.chain.width).unwrap_or(0);
    Ok(groups.iter().all(|g| g.copies.len() == width).then_some(groups))
}

impl Holding<'_> {
    /// Does the access read, of an array that is not written, cells that are apart from lane to lane and neighbours from step to step?
    fn in_rows(&self, k: usize) -> bool {
        let (access, cell) = (&self.accesses[k], &self.cells[k]);
        let Some((last, others)) = cell.split_last() else { return false };
        let column = self.chain.column.var.0;
        let unit = |var: usize| last.dim_coeff(var) == 1 && others.iter().all(|e| e.dim_coeff(var) == 0);
        k > 0
            && access.array != self.accesses[0].array
            && !self.call.packed.iter().any(|(id, _)| id.0 == k)
            && others.iter().any(|e| e.dim_coeff(column) != 0)
            && self.chain.rows.iter().any(|row| row.most == i64::from(self.chain.width) && unit(row.var.0))
    }
}
