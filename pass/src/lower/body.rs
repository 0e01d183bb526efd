//! Statement instances, and cells in registers.
//!
//! A register ([`codegen::ast::Held`]) is a stack slot that becomes SSA values when the new code is kept. Within straight code a cell that was loaded or stored
//! is remembered until something may overwrite it, so that it is not loaded again.

use super::numbers::poly_of;
use super::{Emitter, LowerError, Result};
use crate::llvm::{Type, Value};
use crate::raise::ArrayData;
use crate::raise::body::{Body, Node};
use crate::raise::poly::{LoopIndex, Poly, Symbol};
use codegen::ast::{AstNode, Call, Held};
use codegen::interpret::subscripts;
use polyhedra::Affine;
use scheduler::scop::ArrayId;

/// A cell that lives in a stack slot.
pub(super) struct Register {
    array: ArrayId,
    subscripts: Vec<Affine>,
    slot: Value,
}

/// A cell and the value that it has in memory.
#[derive(Clone)]
pub(super) struct Cell {
    array: ArrayId,
    subscripts: Vec<Affine>,
    value: Value,
}

impl<'a> Emitter<'a> {
    fn data(&self, array: ArrayId) -> Result<&'a ArrayData> {
        self.raised.arrays.get(array.0).ok_or(LowerError::Malformed("an array that is not there"))
    }

    /// One statement instance.
    pub(super) fn call(&mut self, call: &Call) -> Result<()> {
        let raised = self.raised;
        let id = call.statement.0;
        let (Some(statement), Some(body)) = (raised.scop.statements.get(id), raised.bodies.get(id)) else {
            return Err(LowerError::Malformed("a statement that is not there"));
        };
        self.budget.spend(body.nodes.len() as u64)?;
        let mut places = Vec::new();
        for access in &statement.accesses {
            places.push((access.array, subscripts(access, call, self.ast.space)?));
        }
        self.t.locate(Some(body.origin));
        let mut values: Vec<Value> = Vec::new();
        for node in &body.nodes {
            let value = match node {
                Node::Invariant(v) => *v,
                Node::Read { access, ty } => {
                    let (array, cell) =
                        places.get(*access).ok_or(LowerError::Malformed("an access that is not there"))?;
                    let value = self.read(*array, cell, alignment(body, *access))?;
                    self.convert(value, *ty)?
                }
                Node::Index { poly, ty } => {
                    let bits = ty.integer_bits().ok_or(LowerError::Malformed("an index that is no integer"))?;
                    let poly = over_variables(poly, &call.iterators)?;
                    self.numbers.polynomial(&mut self.t, &poly, bits)?
                }
                Node::Operation { instruction, operands } => {
                    let old = instruction.operands();
                    let mut new = Vec::new();
                    for (operand, own) in operands.iter().zip(old) {
                        let node =
                            operand.map(|n| values.get(n.0).copied().ok_or(LowerError::Malformed("operand order")));
                        new.push(node.unwrap_or(Ok(own))?);
                    }
                    self.t.clone_with(*instruction, &new)
                }
                Node::Splat { byte } => {
                    let data = self.data(places[0].0)?;
                    let bits = u32::try_from(data.bytes * 8).map_err(|_| LowerError::Malformed("a wide cell"))?;
                    if bits > 128 {
                        return Err(LowerError::Malformed("a wide cell"));
                    }
                    let all = i128::from_ne_bytes([*byte; 16]);
                    let number = self.t.constant(self.t.int(bits), all);
                    self.convert(number, data.element)?
                }
            };
            values.push(value);
        }
        let root = values.get(body.root.0).copied().ok_or(LowerError::Malformed("nothing to store"))?;
        let Some((array, cell)) = places.first() else {
            return Err(LowerError::Malformed("a statement without write"));
        };
        let value = self.convert(root, self.data(*array)?.element)?;
        match self.register(*array, cell) {
            Some(slot) => self.t.store_slot(value, slot),
            None => self.write(*array, cell, value, alignment(body, 0))?,
        }
        Ok(())
    }

    /// Runs a list with a cell in a register.
    pub(super) fn held(&mut self, held: &Held, inside: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let element = self.data(held.array)?.element;
        let alignment = self.least_alignment(&held.body, held)?.unwrap_or(1);
        let slot = self.t.slot(element);
        if held.load {
            self.locate_first(&held.body);
            let value = self.load(held.array, &held.subscripts, alignment)?;
            self.t.store_slot(value, slot);
        }
        self.registers.push(Register { array: held.array, subscripts: held.subscripts.clone(), slot });
        inside(self)?;
        self.registers.pop();
        if held.store {
            self.locate_first(&held.body);
            let value = self.t.load_slot(element, slot);
            self.write(held.array, &held.subscripts, value, alignment)?;
        }
        Ok(())
    }

    /// New code gets the debug location of the first statement in the list.
    pub(super) fn locate_first(&mut self, nodes: &[AstNode]) {
        let origin = first_call(nodes).and_then(|c| self.raised.bodies.get(c.statement.0)).map(|b| b.origin);
        self.t.locate(origin);
    }

    fn register(&self, array: ArrayId, cell: &[Affine]) -> Option<Value> {
        self.registers.iter().rev().find(|r| r.array == array && r.subscripts == cell).map(|r| r.slot)
    }

    fn read(&mut self, array: ArrayId, cell: &[Affine], alignment: u32) -> Result<Value> {
        match self.register(array, cell) {
            Some(slot) => Ok(self.t.load_slot(self.data(array)?.element, slot)),
            None => self.load(array, cell, alignment),
        }
    }

    fn load(&mut self, array: ArrayId, cell: &[Affine], alignment: u32) -> Result<Value> {
        if let Some(known) = self.available.iter().find(|c| c.array == array && c.subscripts == cell) {
            return Ok(known.value);
        }
        let element = self.data(array)?.element;
        let address = self.address(array, cell)?;
        let value = self.t.load(element, address, alignment);
        self.annotate(value, array);
        self.available.push(Cell { array, subscripts: cell.to_vec(), value });
        Ok(value)
    }

    fn write(&mut self, array: ArrayId, cell: &[Affine], value: Value, alignment: u32) -> Result<()> {
        let address = self.address(array, cell)?;
        let store = self.t.store(value, address, alignment);
        self.annotate(store, array);
        self.available.retain(|c| c.array != array || apart(&c.subscripts, cell));
        self.available.push(Cell { array, subscripts: cell.to_vec(), value });
        Ok(())
    }

    /// Alias scopes and access groups of a load or store.
    fn annotate(&mut self, access: Value, array: ArrayId) {
        if let Some(scopes) = self.scopes.get(array.0).copied() {
            self.t.set_metadata(access, "alias.scope", scopes.own);
            if let Some(others) = scopes.others {
                self.t.set_metadata(access, "noalias", others);
            }
        }
        match self.groups[..] {
            [] => {}
            [only] => self.t.set_metadata(access, "llvm.access.group", only),
            _ => {
                let all = self.t.scope_list(&self.groups);
                self.t.set_metadata(access, "llvm.access.group", all);
            }
        }
    }

    /// The same bits as another type.
    fn convert(&mut self, value: Value, ty: Type) -> Result<Value> {
        let own = value.ty();
        if own == ty {
            return Ok(value);
        }
        if own.is_pointer() || ty.is_pointer() {
            return Err(LowerError::Malformed("a pointer stored as a number"));
        }
        Ok(self.t.bitcast(value, ty))
    }

    /// The least alignment that accesses to the held cell are known to have.
    fn least_alignment(&self, nodes: &[AstNode], held: &Held) -> Result<Option<u32>> {
        let mut least: Option<u32> = None;
        for node in nodes {
            let found = match node {
                AstNode::For(f) => self.least_alignment(&f.body, held)?,
                AstNode::Held(h) => self.least_alignment(&h.body, held)?,
                AstNode::If { then, otherwise, .. } => {
                    let (a, b) = (self.least_alignment(then, held)?, self.least_alignment(otherwise, held)?);
                    a.map_or(b, |a| Some(b.map_or(a, |b| a.min(b))))
                }
                AstNode::Call(call) => self.alignment_in_call(call, held)?,
            };
            least = found.map_or(least, |f| Some(least.map_or(f, |l| l.min(f))));
        }
        Ok(least)
    }

    fn alignment_in_call(&self, call: &Call, held: &Held) -> Result<Option<u32>> {
        let id = call.statement.0;
        let (Some(statement), Some(body)) = (self.raised.scop.statements.get(id), self.raised.bodies.get(id)) else {
            return Ok(None);
        };
        let mut least = None;
        for (k, access) in statement.accesses.iter().enumerate().filter(|(_, a)| a.array == held.array) {
            if subscripts(access, call, self.ast.space)? == held.subscripts {
                let own = alignment(body, k);
                least = Some(least.map_or(own, |l: u32| l.min(own)));
            }
        }
        Ok(least)
    }
}

fn alignment(body: &Body, access: usize) -> u32 {
    body.alignments.get(access).copied().unwrap_or(1).max(1)
}

fn first_call(nodes: &[AstNode]) -> Option<&Call> {
    nodes.iter().find_map(|node| match node {
        AstNode::Call(call) => Some(call),
        AstNode::For(f) => first_call(&f.body),
        AstNode::Held(h) => first_call(&h.body),
        AstNode::If { then, otherwise, .. } => first_call(then).or_else(|| first_call(otherwise)),
    })
}

/// Are two cells of one array never the same? Subscripts lie within their dimensions, so one that differs is enough.
fn apart(a: &[Affine], b: &[Affine]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.sub(b).is_ok_and(|d| d.is_constant() && d.constant_term() != 0))
}

/// A polynomial in a statement's iterators as one in loop variables.
fn over_variables(poly: &Poly, iterators: &[Affine]) -> Result<Poly> {
    let mut forms = Vec::new();
    for e in iterators {
        forms.push(poly_of(e)?);
    }
    let mut out = Poly::default();
    for (m, c) in poly.terms() {
        let mut product = Poly::constant(c);
        for s in m {
            product = match s {
                Symbol::Param(_) => product.mul(&Poly::symbol(*s)),
                Symbol::Iterator(LoopIndex(k)) => {
                    product.mul(forms.get(*k).ok_or(LowerError::Malformed("an iterator that is not there"))?)
                }
            }
            .ok_or(polyhedra::Error::Overflow)?;
        }
        out = out.add(&product).ok_or(polyhedra::Error::Overflow)?;
    }
    Ok(out)
}
