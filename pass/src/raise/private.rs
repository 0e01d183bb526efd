//! Buffers with memory of their own for every iteration of a loop ([`scheduler::privatise`]): the model's new arrays and copies, in LLVM's terms.

use super::body::{Body, Node, NodeIndex};
use super::poly::{ParamIndex, Poly, Symbol};
use super::shape::Rows;
use super::{ArrayData, Raised};
use crate::llvm::Opcode;
use polyhedra::{Affine, Budget};
use scheduler::Result;
use scheduler::privatise::{Private, privatise};
use scheduler::scop::ArrayId;

/// Widest cells of buffers.
const WIDEST: u64 = 8;

/// The region with buffers that have cells for every iteration of a loop. `None`: there are none.
///
/// # Errors
/// As [`privatise`].
pub fn privatised(raised: &Raised, budget: &Budget) -> Result<Option<Raised>> {
    if !(raised.checks.inspections.is_empty() && raised.checks.looks.is_empty() && raised.checks.rows.is_empty()) {
        return Ok(None);
    }
    let allows = |a: ArrayId| {
        raised.arrays.get(a.0).is_some_and(|a| {
            !a.own && !a.rows.are_packed() && a.table.is_none() && a.bytes.is_power_of_two() && a.bytes <= WIDEST
        })
    };
    let Some(found) = privatise(&raised.scop, &allows, budget)? else { return Ok(None) };
    let mut out = Raised { scop: found.scop, ..raised.clone() };
    for private in &found.arrays {
        if add(&mut out, private).is_none() {
            return Ok(None);
        }
    }
    Ok(Some(out))
}

/// Adds what an array and its copy are in LLVM. `None`: numbers are too large.
fn add(raised: &mut Raised, private: &Private) -> Option<()> {
    let old = raised.arrays.get(private.of.0)?;
    let (element, bytes) = (old.element, old.bytes);
    let strides = strides(raised, &private.sizes, bytes)?;
    if strides.iter().any(|s| s.as_constant().is_none()) {
        raised.checks.bounded.push(private.array.0);
    }
    // Something that stands for nothing else.
    let free = |v: &crate::llvm::Value| raised.arrays.iter().all(|a| a.base != *v);
    let mut stores = raised.region.blocks.iter().flat_map(|b| b.instructions());
    let base = stores.find(|v| v.opcode() == Some(Opcode::LLVMStore) && free(v))?;
    raised.arrays.push(ArrayData { base, element, bytes, strides, rows: Rows::Alike, own: true, table: None });
    let alignment = u32::try_from(bytes).ok()?;
    for (s, body) in raised.scop.statements.iter().zip(&mut raised.bodies) {
        for (access, known) in s.accesses.iter().zip(&mut body.alignments) {
            if access.array == private.array {
                *known = alignment.min(*known);
            }
        }
    }
    for &(copy, writer) in &private.copies {
        let writer = raised.bodies.get(writer.0)?;
        let of_cell = writer.alignments.first().copied().unwrap_or(1).min(alignment);
        let body = Body {
            nodes: vec![Node::Read { access: 1, ty: element }],
            guards: Vec::new(),
            old: None,
            root: NodeIndex(0),
            alignments: vec![of_cell, of_cell],
            origin: writer.origin,
        };
        if raised.bodies.len() != copy.0 {
            return None;
        }
        raised.bodies.push(body);
    }
    Some(())
}

/// Strides of a new array with cells of so many bytes and these sizes of its dimensions but the first; that sizes are not negative is checked. `None`: numbers are too large.
pub(super) fn strides(raised: &mut Raised, sizes: &[Affine], bytes: u64) -> Option<Vec<Poly>> {
    let mut stride = Poly::constant(i64::try_from(bytes).ok()?);
    let mut strides = vec![stride.clone()];
    for size in sizes.iter().rev() {
        let size = polynomial(size)?;
        stride = stride.mul(&size)?;
        strides.push(stride.clone());
        if size.as_constant().is_none() && !raised.checks.products.contains(&size) {
            raised.checks.products.push(size);
        }
    }
    strides.reverse();
    Some(strides)
}

/// An affine form over the parameters.
fn polynomial(form: &Affine) -> Option<Poly> {
    let mut out = Poly::constant(form.constant_term());
    for (p, &c) in form.param_coeffs().iter().enumerate() {
        out = out.add(&Poly::term(vec![Symbol::Param(ParamIndex(p))], c))?;
    }
    Some(out)
}
