//! Statement instances, and cells in registers.
//!
//! A register ([`codegen::ast::Held`]) is a stack slot that becomes SSA values when the new code is kept. Within straight code a cell that was loaded or stored
//! is remembered until something may overwrite it, so that it is not loaded again.

use super::address::Storage;
use super::fused::Part;
use super::numbers::poly_of;
use super::straight::Cells;
use super::vector::{Lane, Many};
use super::walk::Known;
use super::{Emitter, LowerError, Result};
use crate::llvm::build::Compare;
use crate::llvm::{Opcode, Type, Value};
use crate::raise::ArrayData;
use crate::raise::body::{Body, Guard, Node, NodeIndex};
use crate::raise::poly::{LoopIndex, Poly, Symbol};
use codegen::ast::{AstNode, BufferId, Call, Fetch, Held, Lanes, LoopVar};
use codegen::interpret::{next_lane, subscripts};
use polyhedra::Affine;
use scheduler::scop::{AccessKind, ArrayId, Statement};
use std::collections::BTreeSet;

/// No target of ours has wider vector registers.
const WIDEST: u32 = 512;

/// A cell that lives in a stack slot, or one a lane.
pub(super) struct Register {
    pub(super) array: ArrayId,
    pub(super) subscripts: Vec<Affine>,
    pub(super) slot: Value,
    /// Type of the slot.
    pub(super) ty: Type,
    /// Its lanes: those that run.
    pub(super) lanes: Option<Lanes>,
}

impl Register {
    /// Number of lanes.
    pub(super) fn width(&self) -> Option<u32> {
        self.lanes.as_ref().map(|lanes| lanes.width)
    }
}

/// A statement instance, or several.
pub(super) struct Instance<'a> {
    pub(super) call: &'a Call,
    pub(super) statement: &'a Statement,
    pub(super) body: &'a Body,
    /// The cell of each access.
    pub(super) cells: Vec<Vec<Affine>>,
    pub(super) many: Option<Many>,
}

impl<'a> Emitter<'a> {
    pub(super) fn data(&self, array: ArrayId) -> Result<&'a ArrayData> {
        self.raised.arrays.get(array.0).ok_or(LowerError::Malformed("an array that is not there"))
    }

    /// Type of a cell.
    pub(super) fn element_of(&self, storage: Storage) -> Result<Type> {
        match storage {
            Storage::Array(id) => Ok(self.data(id)?.element),
            Storage::Buffer(id) => Ok(self.cell_of_buffer(id)?.ty),
            Storage::Mirror(_) => Ok(self.data(self.array_of(storage)?)?.element),
        }
    }

    /// What a call runs.
    pub(super) fn statement(&self, call: &Call) -> Result<(&'a Statement, &'a Body)> {
        let id = call.statement.0;
        match (self.raised.scop.statements.get(id), self.raised.bodies.get(id)) {
            (Some(statement), Some(body)) => Ok((statement, body)),
            _ => Err(LowerError::Malformed("a statement that is not there")),
        }
    }

    /// One statement instance, or one a lane.
    pub(super) fn call(&mut self, call: &Call, known: &Known) -> Result<()> {
        let (statement, body) = self.statement(call)?;
        self.budget.spend(body.nodes.len() as u64)?;
        let mut cells = Vec::new();
        for access in &statement.accesses {
            cells.push(subscripts(access, call, self.ast.space)?);
        }
        let many = call.lanes.as_ref().map(|l| self.many(l, known)).transpose()?;
        let instance = Instance { call, statement, body, cells, many };
        self.t.locate(Some(body.origin));
        match &instance.many {
            Some(many) if many.idle && self.needs_a_lane(&instance) => {
                let some = self.some_lane(many)?;
                let (yes, after) = (self.t.block("lw.lanes"), self.t.block("lw.after"));
                self.t.branch_if(some, yes, after);
                let before = self.straight.clone();
                self.t.position(yes);
                self.instance(&instance)?;
                self.t.branch(after);
                self.t.position(after);
                self.straight = before.behind(&self.straight);
                Ok(())
            }
            _ => self.instance(&instance),
        }
    }

    /// Does it do something that the program does not do when no lane runs: touch a cell that is the same for all lanes, or divide?
    fn needs_a_lane(&self, instance: &Instance) -> bool {
        let Some(many) = &instance.many else { return false };
        let cells = instance.statement.accesses.iter().zip(&instance.cells).enumerate();
        let touches = cells.filter(|(_, (a, _))| !a.kind.writes()).any(|(k, (access, cell))| {
            !instance.call.packed.iter().any(|(id, _)| id.0 == k)
                && self.register(access.array, cell).is_none()
                && cell.iter().all(|e| e.dim_coeff(many.var.0) == 0)
        });
        let traps = |n: &Node| matches!(n, Node::Operation { instruction, .. } if instruction.divides_integers() || !instruction.is_pure());
        touches || instance.body.nodes.iter().any(traps)
    }

    /// A value from in front of the region, the same for all statements even if it was poison: those under one frozen condition must decide alike.
    pub(super) fn frozen(&mut self, v: Value) -> Value {
        if let Some(&known) = self.frozen.get(&v) {
            return known;
        }
        let home = self.numbers.outermost();
        let copy = self.t.inside(home, |t| t.freeze(v));
        self.frozen.insert(v, copy);
        copy
    }

    fn instance(&mut self, instance: &Instance) -> Result<()> {
        let Instance { call, body, many, .. } = instance;
        let many = many.as_ref();
        let fused = self.fused.get(call.statement.0);
        // Nothing for what is computed with its user.
        let mut values: Vec<Option<Lane>> = Vec::new();
        let copies: Vec<BufferId> = call.packed.iter().map(|(_, place)| place.buffer).collect();
        let found = self.found_in_copies(call.statement.0, &copies);
        let reads: BTreeSet<NodeIndex> = found.values().copied().collect();
        let is_decided = self.decided == Some(call.statement);
        let branches: &[Guard] = if body.is_conditional() && !is_decided { &body.guards } else { &[] };
        let mut guards = branches.iter().peekable();
        // Where control goes when a condition does not hold, and what was known before.
        let mut way_round = None;
        // In which lanes all conditions hold so far, where they differ.
        let mut on: Option<Value> = None;
        for (k, node) in body.nodes.iter().enumerate() {
            let value = match node {
                _ if found.contains_key(&NodeIndex(k)) => found
                    .get(&NodeIndex(k))
                    .and_then(|read| values.get(read.0).copied().flatten())
                    .ok_or(LowerError::Malformed("a copy that is not read"))?,
                Node::Invariant(v) if body.guards.iter().any(|g| g.frozen) => Lane::Same(self.frozen(*v)),
                Node::Invariant(v) => Lane::Same(*v),
                Node::Read { access, ty } => {
                    let value = match on {
                        Some(on) => self.read_where(instance, *access, on)?,
                        None => self.read(instance, *access)?,
                    };
                    // What copies have made of it is of its own type.
                    if reads.contains(&NodeIndex(k)) { value } else { self.convert_lane(value, *ty, many)? }
                }
                Node::Index { poly, ty } => {
                    let bits = ty.integer_bits().ok_or(LowerError::Malformed("an index that is no integer"))?;
                    self.index(&over_variables(poly, &call.iterators)?, bits, many)?
                }
                Node::Operation { instruction, operands } => {
                    match fused.map_or(Part::Alone, |f| f.part(NodeIndex(k))) {
                        Part::MulAdd(fused) => {
                            let [Some(x), Some(y), Some(z), ..] = operands[..] else {
                                return Err(LowerError::Malformed("a product and a sum without operands"));
                            };
                            let own = [value_of(&values, x)?, value_of(&values, y)?, value_of(&values, z)?];
                            self.shared(*instruction, own.to_vec(), |to| to.muladd(*instruction, fused, own, many))?
                        }
                        Part::Alone => {
                            let mut new = Vec::new();
                            for (operand, own) in operands.iter().zip(instruction.operands()) {
                                new.push(operand.map_or(Ok(Lane::Same(own)), |n| value_of(&values, n))?);
                            }
                            let operands = new.clone();
                            self.shared(*instruction, operands, |to| to.operation(*instruction, &new, many))?
                        }
                        Part::Product => {
                            values.push(None);
                            continue;
                        }
                        Part::Sum { at, x, y, z } => {
                            let own = [value_of(&values, x)?, value_of(&values, y)?, value_of(&values, z)?];
                            self.shared(*instruction, own.to_vec(), |to| to.fused(*instruction, at, own, many))?
                        }
                    }
                }
                Node::Choice { condition, yes, no } => {
                    let [c, yes, no] = [condition, yes, no].map(|n| value_of(&values, *n));
                    self.choose(c?, yes?, no?, many)
                }
                Node::Group { parts, bits, turned } => {
                    let parts: Vec<Lane> = parts.iter().map(|n| value_of(&values, *n)).collect::<Result<_>>()?;
                    self.group(&parts, *bits, *turned, many)?
                }
                Node::Dot { groups: [a, b], sum, parts, less } => {
                    let [a, b, sum] = [a, b, sum].map(|n| value_of(&values, *n));
                    self.dot(sum?, [a?, b?], *parts, *less, many)?
                }
                Node::Splat { byte } => Lane::Same(self.repeated(*byte, instance)?),
            };
            values.push(Some(value));
            while let Some(guard) = guards.next_if(|g| g.node.0 <= k) {
                let condition = value_of(&values, guard.node)?;
                if let Some(many) = many.filter(|_| on.is_some() || matches!(condition, Lane::Each(_))) {
                    on = Some(self.holds_too(on, condition, guard, many)?);
                    continue;
                }
                let (after, _) = *way_round.get_or_insert_with(|| (self.t.block("lw.else"), self.straight.clone()));
                let (Lane::Same(condition) | Lane::Each(condition)) = condition;
                let condition = if guard.frozen { self.t.freeze(condition) } else { condition };
                let then = self.t.block("lw.then");
                let (yes, no) = if guard.truth { (then, after) } else { (after, then) };
                self.t.branch_if(condition, yes, no);
                self.t.position(then);
            }
        }
        let mut root = value_of(&values, body.root)?;
        if let Some(on) = on {
            let old = body.old.ok_or(LowerError::Malformed("lanes that must not store"))?;
            root = self.choose(Lane::Each(on), root, value_of(&values, old)?, many);
        }
        self.store_root(instance, root)?;
        if let Some((after, before)) = way_round {
            self.t.branch(after);
            self.t.position(after);
            self.straight = before.behind(&self.straight);
        }
        Ok(())
    }

    /// The lanes in which a condition holds besides those before it.
    fn holds_too(&mut self, on: Option<Value>, condition: Lane, guard: &Guard, many: &Many) -> Result<Value> {
        if guard.frozen {
            return Err(LowerError::Malformed("a frozen condition of lanes"));
        }
        let condition = self.spread(condition, many.width);
        let [no, yes] = [0, 1].map(|bit| self.t.constant(self.t.int(1), bit));
        let holds = match (guard.truth, self.straight.opposite(condition)) {
            (true, _) => condition,
            (false, Some(known)) => known,
            (false, None) => {
                let yes = self.spread(Lane::Same(yes), many.width);
                let opposite = self.t.xor(condition, yes);
                self.straight.turned_over(condition, opposite);
                opposite
            }
        };
        // Where those before it do not hold it may be anything.
        let no = self.spread(Lane::Same(no), many.width);
        Ok(on.map_or(holds, |on| self.t.select(on, holds, no)))
    }

    /// What an access reads in the lanes in which conditions hold; in others it may have no cell.
    fn read_where(&mut self, instance: &Instance, access: usize, on: Value) -> Result<Lane> {
        let (Some(many), Some(kind), Some(cell)) =
            (instance.many.as_ref(), instance.statement.accesses.get(access), instance.cells.get(access))
        else {
            return Err(LowerError::Malformed("an access that is not there"));
        };
        if kind.kind != AccessKind::MayRead || self.register(kind.array, cell).is_some() {
            return self.read(instance, access);
        }
        let cells = Cells::new(Storage::Array(kind.array), cell, Some(many.spread()));
        let is_vector = cells.lanes.is_some();
        if let Some(known) = self.straight.find(&cells, false) {
            return Ok(if is_vector { Lane::Each(known) } else { Lane::Same(known) });
        }
        if let Some(known) = self.straight.find_masked(&cells, on) {
            return Ok(known);
        }
        let alignment = alignment(instance.body, access);
        // One cell for all lanes is there for those that run.
        let is_for_all = is_vector || many.full();
        let value = match &cells.lanes {
            Some(spread) => Lane::Each(self.load_lanes(&cells, spread, alignment, Some(on))?),
            None => {
                let all = match self.mask(many)? {
                    Some(running) => self.t.and(running, on),
                    None => on,
                };
                let bits = self.t.int(many.width);
                let (all, none) = (self.t.bitcast(all, bits), self.t.constant(bits, 0));
                let nowhere = self.t.compare(Compare::Equal, all, none);
                Lane::Same(self.load_unless(nowhere, &cells, instance, alignment)?)
            }
        };
        if is_for_all {
            self.straight.loaded_masked(cells, on, value);
        }
        Ok(value)
    }

    /// A cell, or anything if a condition holds: it may not be there then. Whether the condition holds for any lane is no easier to foresee than for one, so the cell that the first lane stores to is loaded
    /// instead where that can be, and nothing branches.
    fn load_unless(&mut self, nowhere: Value, cells: &Cells, instance: &Instance, alignment: u32) -> Result<Value> {
        if let Some((there, known)) = self.stored_cell(instance, cells.storage)? {
            let address = self.address(cells.storage, &cells.first)?;
            let address = self.t.select(nowhere, there, address);
            return Ok(self.t.load(self.element_of(cells.storage)?, address, alignment.min(known)));
        }
        let (load, after) = (self.t.block("lw.some"), self.t.block("lw.none"));
        let element = self.element_of(cells.storage)?;
        let slot = self.t.slot(element);
        let nothing = self.t.zero(element);
        self.t.store_slot(nothing, slot);
        let address = self.address(cells.storage, &cells.first)?;
        self.t.branch_if(nowhere, after, load);
        self.t.position(load);
        let value = self.t.load(element, address, alignment);
        self.annotate(value, cells.storage);
        self.t.store_slot(value, slot);
        self.t.branch(after);
        self.t.position(after);
        Ok(self.t.load_slot(element, slot))
    }

    /// Where the first lane stores to, if it runs and the cell is in memory and as large as those of another array; with the alignment that is known.
    fn stored_cell(&mut self, instance: &Instance, other: Storage) -> Result<Option<(Value, u32)>> {
        let (Some(many), Some(write), Some(cell)) =
            (&instance.many, instance.statement.accesses.first(), instance.cells.first())
        else {
            return Ok(None);
        };
        let storage = Storage::Array(write.array);
        if !many.starts_at_first() || self.data(write.array)?.own || self.bytes_of(storage)? < self.bytes_of(other)? {
            return Ok(None);
        }
        let first = Cells::new(storage, cell, Some(many.spread())).first;
        Ok(Some((self.address(storage, &first)?, alignment(instance.body, 0))))
    }

    /// One of two values, in each lane.
    pub(super) fn choose(&mut self, condition: Lane, yes: Lane, no: Lane, many: Option<&Many>) -> Lane {
        match (condition, yes, no, many) {
            (Lane::Same(c), Lane::Same(yes), Lane::Same(no), _) => Lane::Same(self.t.select(c, yes, no)),
            (_, _, _, Some(many)) => {
                let [c, yes, no] = [condition, yes, no].map(|lane| self.spread(lane, many.width));
                Lane::Each(self.t.select(c, yes, no))
            }
            (
                Lane::Same(c) | Lane::Each(c),
                Lane::Same(yes) | Lane::Each(yes),
                Lane::Same(no) | Lane::Each(no),
                None,
            ) => Lane::Same(self.t.select(c, yes, no)),
        }
    }

    /// Stores what an instance has computed.
    fn store_root(&mut self, instance: &Instance, root: Lane) -> Result<()> {
        let Instance { body, cells, many, .. } = instance;
        let many = many.as_ref();
        let (Some(write), Some(cell)) = (instance.statement.accesses.first(), cells.first()) else {
            return Err(LowerError::Malformed("a statement without write"));
        };
        let data = self.data(write.array)?;
        if let Some(many) = many {
            let mut widest = data.bytes;
            for access in &instance.statement.accesses {
                widest = widest.max(self.data(access.array)?.bytes);
            }
            let bits = u32::try_from(widest * 8).unwrap_or(0).saturating_mul(many.width);
            self.t.want_vectors(bits.min(WIDEST));
        }
        let value = self.convert_lane(root, data.element, many)?;
        if let Some(register) = self.register(write.array, cell) {
            let (slot, ty, same) = (register.slot, register.ty, register.lanes == instance.call.lanes);
            if register.width() != many.map(|m| m.width) {
                return Err(LowerError::Malformed("a register of another number of lanes"));
            }
            let mut value = self.whole(value, many);
            if let Some(many) = many.filter(|_| !same)
                && let Some(mask) = self.mask(many)?
            {
                // The others keep what they hold.
                let before = self.load_slot(ty, slot);
                value = self.t.select(mask, value, before);
            }
            self.store_slot(value, slot);
            return Ok(());
        }
        let to = Cells::new(Storage::Array(write.array), cell, many.map(Many::spread));
        if many.is_some() && to.lanes.is_none() {
            return Err(LowerError::Malformed("many lanes write one cell"));
        }
        let value = self.whole(value, many);
        self.store_cells(to, value, alignment(body, 0))
    }

    /// As what is stored: a vector if there are lanes.
    fn whole(&mut self, value: Lane, many: Option<&Many>) -> Value {
        match (value, many) {
            (_, Some(many)) => self.spread(value, many.width),
            (Lane::Same(v) | Lane::Each(v), None) => v,
        }
    }

    /// A byte repeated over the cell that is written.
    fn repeated(&mut self, byte: u8, instance: &Instance) -> Result<Value> {
        let write = instance.statement.accesses.first().ok_or(LowerError::Malformed("a statement without write"))?;
        let data = self.data(write.array)?;
        let bits = u32::try_from(data.bytes * 8).map_err(|_| LowerError::Malformed("a wide cell"))?;
        if bits > 128 {
            return Err(LowerError::Malformed("a wide cell"));
        }
        let all = i128::from_ne_bytes([byte; 16]);
        let number = self.t.constant(self.t.int(bits), all);
        self.convert(number, data.element)
    }

    /// What an access reads: from scratch memory, a register or its array.
    pub(super) fn read(&mut self, instance: &Instance, access: usize) -> Result<Lane> {
        let many = instance.many.as_ref();
        let (Some(kind), Some(cell)) = (instance.statement.accesses.get(access), instance.cells.get(access)) else {
            return Err(LowerError::Malformed("an access that is not there"));
        };
        let (cells, alignment) = match instance.call.packed.iter().find(|(id, _)| id.0 == access) {
            Some((_, place)) => {
                let cells = self.place(place, many);
                let alignment = self.alignment_of_place(&cells)?;
                (cells, alignment)
            }
            None if instance.call.behind.iter().any(|id| id.0 == access) => {
                let value = self.read_behind(instance, access, kind.array, cell)?;
                return Ok(Lane::Each(value));
            }
            None => {
                if let Some(register) = self.register(kind.array, cell) {
                    let (slot, ty, lanes) = (register.slot, register.ty, register.width());
                    if lanes.is_some() && lanes != many.map(|m| m.width) {
                        return Err(LowerError::Malformed("a register of another number of lanes"));
                    }
                    let value = self.load_slot(ty, slot);
                    return Ok(if lanes.is_some() { Lane::Each(value) } else { Lane::Same(value) });
                }
                if let Some(value) = self.read_again(instance, kind.array, cell)? {
                    return Ok(Lane::Each(value));
                }
                let storage = match instance.call.mirrored.iter().find(|(id, _)| id.0 == access) {
                    Some((_, place)) => self.mirrored(kind.array, cell, place)?,
                    None => Storage::Array(kind.array),
                };
                (Cells::new(storage, cell, many.map(Many::spread)), alignment(instance.body, access))
            }
        };
        let is_embedded = self.innermost.is_some() && self.ast.embedded.contains(&instance.call.statement);
        if is_embedded && cells.lanes.is_none() && many.is_some() && may_be_embedded(instance.body, access) {
            return Ok(Lane::Same(self.load_anew(&cells, alignment)?));
        }
        let value = self.load_cells(&cells, alignment, false)?;
        Ok(if cells.lanes.is_some() { Lane::Each(value) } else { Lane::Same(value) })
    }

    /// What a register holds.
    pub(super) fn load_slot(&mut self, ty: Type, slot: Value) -> Value {
        if let Some(known) = self.straight.slot(slot) {
            return known;
        }
        let value = self.t.load_slot(ty, slot);
        self.straight.holds(slot, value);
        value
    }

    /// A register gets a value.
    pub(super) fn store_slot(&mut self, value: Value, slot: Value) {
        self.t.store_slot(value, slot);
        self.straight.holds(slot, value);
    }

    /// What a register has one lane behind, with the cell of lane 0 from memory.
    fn read_behind(&mut self, instance: &Instance, access: usize, array: ArrayId, cell: &[Affine]) -> Result<Value> {
        let missing = LowerError::Malformed("a register one lane behind that is not there");
        let Some(many) = instance.many.as_ref().filter(|many| many.full()) else { return Err(missing) };
        let storage = Storage::Array(array);
        let cells = Cells::new(storage, cell, Some(many.spread()));
        if let Some(known) = self.straight.find(&cells, true) {
            return Ok(known);
        }
        let of_register = next_lane(cell, many.var)?;
        let Some(register) = self.register(array, &of_register) else { return Err(missing) };
        if register.width() != Some(many.width) {
            return Err(LowerError::Malformed("a register of another number of lanes"));
        }
        let (slot, ty) = (register.slot, register.ty);
        let first = Cells { storage, first: cells.first.clone(), lanes: None };
        let first = self.load_cells(&first, alignment(instance.body, access), true)?;
        let before = self.load_slot(ty, slot);
        let value = self.t.behind(before, first, many.width);
        self.straight.loaded(cells, value);
        Ok(value)
    }

    /// Runs a list with a cell in a register.
    pub(super) fn held(&mut self, held: &Held, known: &mut Known) -> Result<()> {
        let fills = |call: &Call| self.ast.filling.contains(&call.statement);
        if self.registers.is_empty() && held.lanes.is_some() && first_call(&held.body).is_some_and(fills) {
            self.t.vacate_registers();
        }
        if let Some(block) = self.block(held, known)? {
            return self.held_block(&block, known);
        }
        let element = self.data(held.array)?.element;
        let many = held.lanes.as_ref().map(|l| self.many(l, known)).transpose()?;
        let lanes = many.as_ref().map(|m| m.width);
        let ty = lanes.map_or(element, |width| self.t.vector(element, width));
        let alignment = self.alignment_of_cell(held)?;
        let cells = Cells::new(Storage::Array(held.array), &held.subscripts, many.as_ref().map(Many::spread));
        if held.is_written() && many.is_some() && cells.lanes.is_none() {
            return Err(LowerError::Malformed("many lanes hold one cell"));
        }
        let slot = self.t.slot(ty);
        if held.load {
            self.locate_first(&held.body);
            let value = match &many {
                Some(many) if cells.lanes.is_none() => {
                    let value = self.load_for_some(&cells, alignment, many)?;
                    self.spread(value, many.width)
                }
                _ => self.load_cells(&cells, alignment, false)?,
            };
            self.store_slot(value, slot);
        }
        if let Some(var) = held.ahead {
            self.fetch_ahead(held, var)?;
        }
        let (array, subscripts, lanes) = (held.array, held.subscripts.clone(), held.lanes.clone());
        self.registers.push(Register { array, subscripts, slot, ty, lanes });
        self.list(&held.body, known)?;
        self.registers.pop();
        if held.store {
            self.locate_first(&held.body);
            let value = self.load_slot(ty, slot);
            self.store_cells(cells, value, alignment)?;
        }
        Ok(())
    }

    /// Asks for the line of the cell that the next value of a loop will hold. Nothing says that there is such a cell: the address is computed without promises, and
    /// fetching a line of nowhere does nothing.
    fn fetch_ahead(&mut self, held: &Held, var: LoopVar) -> Result<()> {
        let storage = Storage::Array(held.array);
        let steps: Vec<i64> = held.subscripts.iter().map(|s| s.dim_coeff(var.0)).collect();
        let mut first = held.subscripts.clone();
        if let Some(lanes) = &held.lanes {
            first.iter_mut().for_each(|s| s.set_dim(lanes.var.0, 0));
        }
        let there = match self.bytes_between(storage, &steps)? {
            Some(distance) => {
                let here = self.address(storage, &first)?;
                let distance = self.numbers.polynomial(&mut self.t, &distance, 64)?;
                self.t.cell_offset(self.t.int(8), here, distance)
            }
            None => {
                for (subscript, step) in first.iter_mut().zip(steps) {
                    *subscript = subscript.offset(step)?;
                }
                self.address(storage, &first)?
            }
        };
        // Into the first level, where that has room until then. (Zen 4, the second level: solves and LU of 1000 and 2000 rows 2 to 4 %, products 0 to 1; Zen 3, the first one instead: products of 500 4 %, solves 1 to 2.)
        self.t.prefetch(there, true);
        Ok(())
    }

    /// The same of a cell of which nobody says that it is there.
    pub(super) fn fetch(&mut self, fetch: &Fetch) -> Result<()> {
        let there = self.address(Storage::Array(fetch.array), &fetch.subscripts)?;
        self.t.prefetch(there, false);
        Ok(())
    }

    /// New code gets the debug location of the first statement in the list.
    pub(super) fn locate_first(&mut self, nodes: &[AstNode]) {
        let origin = first_call(nodes).and_then(|c| self.raised.bodies.get(c.statement.0)).map(|b| b.origin);
        self.t.locate(origin);
    }

    pub(super) fn register(&self, array: ArrayId, cell: &[Affine]) -> Option<&Register> {
        self.registers.iter().rev().find(|r| r.array == array && r.subscripts == cell)
    }

    /// Alias scopes and access groups of a load or store.
    pub(super) fn annotate(&mut self, access: Value, storage: Storage) {
        let index = match storage {
            Storage::Array(id) => id.0,
            Storage::Buffer(id) => self.raised.arrays.len() + id.0,
            // It may be of either.
            Storage::Mirror(_) => return,
        };
        if let Some(scopes) = self.scopes.get(index).copied() {
            self.t.set_metadata(access, "alias.scope", scopes.own);
            if let Some(others) = scopes.others {
                self.t.set_metadata(access, "noalias", others);
            }
        }
        // Iterations of a parallel loop may all use the same scratch memory.
        match self.groups[..] {
            _ if matches!(storage, Storage::Buffer(_)) => {}
            [] => {}
            [only] => self.t.set_metadata(access, "llvm.access.group", only),
            _ => {
                let all = self.t.scope_list(&self.groups);
                self.t.set_metadata(access, "llvm.access.group", all);
            }
        }
    }

    /// The same bits as another type.
    pub(super) fn convert(&mut self, value: Value, ty: Type) -> Result<Value> {
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
    pub(super) fn alignment_of_cell(&self, held: &Held) -> Result<u32> {
        // Mostly all accesses to an array have the same.
        let all: Vec<u32> = self.alignments(held.array).collect();
        match all.iter().min().zip(all.iter().max()) {
            Some((least, most)) if least == most => Ok(*least),
            _ => Ok(self.least_alignment(&held.body, held)?.unwrap_or(1)),
        }
    }

    fn least_alignment(&self, nodes: &[AstNode], held: &Held) -> Result<Option<u32>> {
        let mut least: Option<u32> = None;
        for node in nodes {
            let found = match node {
                AstNode::For(f) => self.least_alignment(&f.body, held)?,
                AstNode::Held(h) => self.least_alignment(&h.body, held)?,
                AstNode::If { then, otherwise, .. } => {
                    least_of(self.least_alignment(then, held)?, self.least_alignment(otherwise, held)?)
                }
                AstNode::Call(call) => self.alignment_in_call(call, held)?,
                AstNode::Pack(_) | AstNode::Fetch(_) => None,
                AstNode::Scratch(s) => {
                    least_of(self.least_alignment(&s.body, held)?, self.least_alignment(&s.otherwise, held)?)
                }
            };
            least = least_of(least, found);
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
                least = least_of(least, Some(alignment(body, k)));
            }
        }
        Ok(least)
    }

    /// The least alignment that any access to the array is known to have.
    pub(super) fn alignment_of_array(&self, array: ArrayId) -> u32 {
        self.alignments(array).min().unwrap_or(1)
    }

    /// The alignments that accesses to the array are known to have.
    pub(super) fn alignments(&self, array: ArrayId) -> impl Iterator<Item = u32> + '_ {
        let bodies = self.raised.scop.statements.iter().zip(&self.raised.bodies);
        let all = bodies.flat_map(|(s, b)| s.accesses.iter().enumerate().map(move |(k, a)| (a.array, alignment(b, k))));
        all.filter(move |(a, _)| *a == array).map(|(_, alignment)| alignment)
    }
}

pub(super) fn value_of(values: &[Option<Lane>], node: NodeIndex) -> Result<Lane> {
    values.get(node.0).copied().flatten().ok_or(LowerError::Malformed("a value that is not computed"))
}

fn least_of(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    a.map_or(b, |a| Some(b.map_or(a, |b| a.min(b))))
}

fn alignment(body: &Body, access: usize) -> u32 {
    body.alignments.get(access).copied().unwrap_or(1).max(1)
}

/// Are there instructions for all that uses what an access reads that take it from memory? Of a difference that is what is taken away.
fn may_be_embedded(body: &Body, access: usize) -> bool {
    let is_read = |n: &NodeIndex| matches!(body.nodes[n.0], Node::Read { access: a, .. } if a == access);
    body.nodes.iter().all(|node| {
        let Some(at) = node.operands().iter().position(is_read) else { return true };
        let Node::Operation { instruction, operands } = node else { return false };
        let is_at = |k: usize| operands.get(k).is_some_and(|n| n.as_ref().is_some_and(is_read));
        match instruction.opcode() {
            Some(Opcode::LLVMFMul | Opcode::LLVMFAdd) => true,
            Some(Opcode::LLVMFSub) => !is_at(0),
            _ => instruction.is_muladd() && at < 2 && !is_at(2),
        }
    })
}

fn first_call(nodes: &[AstNode]) -> Option<&Call> {
    nodes.iter().find_map(|node| match node {
        AstNode::Call(call) => Some(call),
        AstNode::For(f) => first_call(&f.body),
        AstNode::Held(h) => first_call(&h.body),
        AstNode::If { then, otherwise, .. } => first_call(then).or_else(|| first_call(otherwise)),
        AstNode::Pack(_) | AstNode::Fetch(_) => None,
        AstNode::Scratch(s) => first_call(&s.body).or_else(|| first_call(&s.otherwise)),
    })
}

/// A polynomial in a statement's iterators as one in loop variables.
pub(super) fn over_variables(poly: &Poly, iterators: &[Affine]) -> Result<Poly> {
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
                Symbol::Triangle(_) => return Err(LowerError::Malformed("a triangle that is no row of an array")),
            }
            .ok_or(polyhedra::Error::Overflow)?;
        }
        out = out.add(&product).ok_or(polyhedra::Error::Overflow)?;
    }
    Ok(out)
}
