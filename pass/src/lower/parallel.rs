//! Which loops LLVM is told to be parallel.
//!
//! **Problem.** `llvm.loop.parallel_accesses` says that no iteration depends on another. LLVM 22's vectoriser takes it for more: accesses whose neighbours in memory are others of the
//! same iteration become one wide access (`InterleavedAccessInfo`), loads at the place of the first, stores at that of the last, across whatever accesses are between; that none of these is to
//! the same cell it asks the analysis that the mark has turned off. `A[f - 2 c + 1] = ...; A[f - 2 c] = A[c];` stores the first cell behind the load, which may be of that cell.
//!
//! **Method.** A loop bears the mark only if in each array whose cells may be accessed so no two accesses of one iteration, of which one is a write, can be to one cell, or these are reads
//! before the only write. Exact: one emptiness test a pair.

use super::walk::Known;
use super::{Emitter, LowerError, Result};
use codegen::ast::{AstNode, For};
use codegen::interpret::subscripts;
use polyhedra::Affine;
use scheduler::scop::ArrayId;

/// What an iteration accesses, in order.
#[derive(Default)]
struct Touched {
    cells: Vec<Touch>,
    /// Cells that are in registers here.
    held: Vec<(ArrayId, Vec<Affine>)>,
    packs: bool,
    /// There are accesses that cannot be said so.
    others: bool,
}

struct Touch {
    array: ArrayId,
    cell: Vec<Affine>,
    writes: bool,
}

impl Emitter<'_> {
    /// May LLVM be told that a loop, which is innermost and parallel, is? `known` holds in its body.
    pub(super) fn may_be_marked_parallel(&self, f: &For, known: &Known) -> Result<bool> {
        let mut touched = Touched::default();
        self.touch(&f.body, &mut touched)?;
        if touched.others || (touched.packs && touched.cells.iter().any(|t| t.writes)) {
            return Ok(false);
        }
        let cells = &touched.cells;
        for (k, first) in cells.iter().enumerate() {
            for second in &cells[k + 1..] {
                if first.array == second.array
                    && (first.writes || second.writes)
                    && self.has_neighbours(first.array, f, cells)?
                    && self.may_meet(first, second, known)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn touch(&self, nodes: &[AstNode], out: &mut Touched) -> Result<()> {
        for node in nodes {
            match node {
                AstNode::Call(call) => {
                    let statement = self.raised.scop.statements.get(call.statement.0);
                    let statement = statement.ok_or(LowerError::Malformed("a statement that is not there"))?;
                    out.others |= call.lanes.is_some();
                    // Reads come before the write.
                    for writes in [false, true] {
                        for (k, access) in statement.accesses.iter().enumerate() {
                            let packed = call.packed.iter().any(|(id, _)| id.0 == k);
                            if access.kind.writes() != writes || packed {
                                continue;
                            }
                            let cell = subscripts(access, call, self.ast.space)?;
                            out.others |= access.extent != 1;
                            if !out.held.iter().any(|(array, held)| *array == access.array && *held == cell) {
                                out.cells.push(Touch { array: access.array, cell, writes });
                            }
                        }
                    }
                }
                AstNode::Held(h) => {
                    let touch = |writes| Touch { array: h.array, cell: h.subscripts.clone(), writes };
                    out.others |= h.lanes.is_some();
                    out.cells.extend(h.load.then(|| touch(false)));
                    out.held.push((h.array, h.subscripts.clone()));
                    self.touch(&h.body, out)?;
                    out.held.pop();
                    out.cells.extend(h.store.then(|| touch(true)));
                }
                AstNode::If { then, otherwise, .. } => {
                    self.touch(then, out)?;
                    self.touch(otherwise, out)?;
                }
                AstNode::Pack(_) => out.packs = true,
                AstNode::Fetch(_) => {}
                AstNode::For(_) | AstNode::Scratch(_) => out.others = true,
            }
        }
        Ok(())
    }

    /// May accesses of different iterations have others of an array between them?
    fn has_neighbours(&self, array: ArrayId, f: &For, cells: &[Touch]) -> Result<bool> {
        let data = self.data(array)?;
        let dense = data.strides.last().and_then(|s| s.as_constant()) == i64::try_from(data.bytes).ok();
        let far = |t: &Touch| match t.cell.split_last() {
            Some((last, outer)) => {
                let step = last.dim_coeff(f.var.0).saturating_mul(f.step);
                step.saturating_abs() > 1 || (!dense && step != 0) || outer.iter().any(|e| e.dim_coeff(f.var.0) != 0)
            }
            None => false,
        };
        Ok(cells.iter().any(|t| t.array == array && far(t)))
    }

    /// May two accesses of one iteration be to one cell, other than a read and a later write that always are?
    fn may_meet(&self, first: &Touch, second: &Touch, known: &Known) -> Result<bool> {
        let mut apart = Vec::new();
        for (a, b) in first.cell.iter().zip(&second.cell) {
            apart.push(a.sub(b)?);
        }
        if apart.iter().all(|e| e.is_constant() && e.constant_term() == 0) {
            return Ok(first.writes);
        }
        Ok(!known.excludes_zeros(&apart, self.budget)?)
    }
}
