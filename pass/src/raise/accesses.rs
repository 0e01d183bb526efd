//! All memory accesses of a region, with their arrays' shapes.

use super::facts::{Domain, Facts, LoopData, Row};
use super::indirect::{self, Indirect};
use super::pieces;
use super::poly::{LoopIndex, Poly, Symbol};
use super::region::Region;
use super::reject::{Raise, Reject, RejectKind};
use super::rows::{self, Place, RowPointer, Table};
use super::shape::{self, RawAccess, Rows};
use super::timing::{Position, Touch};
use crate::llvm::Opcode;
use crate::llvm::{Block, MemoryIntrinsic, Type, Value};
use std::collections::BTreeMap;

/// Ranks of one block; more than any block has instructions.
const RANKS: usize = 1 << 20;

/// What an access does, as far as its instruction tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Loads.
    Load,
    /// Loads, on a piece of the instances that do ([`super::pieces`]).
    LoadPiece,
    /// Stores this value, on a piece of the instances that do.
    StorePiece(Value),
    /// Stores this value.
    Store(Value),
    /// Stores a byte repeated.
    Fill(u8),
    /// Stores what the access with this index (its source) reads.
    CopyFrom(usize),
}

/// One access.
#[derive(Clone, Debug)]
pub struct Access {
    /// The instruction.
    pub instruction: Value,
    /// What it does.
    pub action: Action,
    /// Index of its array.
    pub array: usize,
    /// Its cell, over the domain's loops.
    pub subscripts: Vec<Poly>,
    /// When.
    pub position: Position,
    /// On which instances.
    pub domain: Domain,
    /// For a piece the rows that make it one.
    pub piece: Vec<Row>,
    /// Type of the value; `None` for memory intrinsics, which take the array's.
    pub ty: Option<Type>,
    /// Known alignment in bytes.
    pub alignment: u32,
}

impl Access {
    /// Does it store?
    #[must_use]
    pub fn is_write(&self) -> bool {
        !matches!(self.action, Action::Load | Action::LoadPiece)
    }

    /// As something that may disturb a cell.
    #[must_use]
    pub fn touch(&self) -> Touch {
        Touch {
            position: self.position.clone(),
            domain: self.domain.clone(),
            array: self.array,
            subscripts: self.subscripts.clone(),
        }
    }
}

/// An array while raising.
#[derive(Clone, Debug)]
pub struct ArrayShape {
    /// Where it starts.
    pub base: Value,
    /// Type of a cell.
    pub element: Type,
    /// Bytes of a cell.
    pub bytes: u64,
    /// See [`shape::Shape`].
    pub strides: Vec<Poly>,
    /// See [`shape::Shape`].
    pub inner_sizes: Vec<Option<i64>>,
    /// See [`shape::Shape`].
    pub rows: Rows,
    /// Memory of our own ([`super::expand`]); the base is then the phi that it stands for.
    pub own: bool,
    /// The rows are found through this table; the shape is that of a row.
    pub table: Option<Table>,
}

impl ArrayShape {
    /// Number of subscripts.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.strides.len() + usize::from(self.table.is_some())
    }
}

/// Blocks in order with their domains: turns instructions into positions.
pub struct Layout<'r> {
    /// The region.
    pub region: &'r Region,
    /// Domain of every block, the entry included.
    pub domains: BTreeMap<Block, Domain>,
}

impl Layout<'_> {
    fn order(&self, b: Block) -> usize {
        if b == self.region.entry { 0 } else { 1 + self.region.blocks.iter().position(|&x| x == b).unwrap_or(0) }
    }

    fn at_rank(&self, b: Block, rank: usize, facts: &Facts) -> Position {
        let loops = self.domains.get(&b).map(|d| d.loops.clone()).unwrap_or_default();
        let mut beta: Vec<usize> =
            loops.iter().map(|l| facts.loops[l.0].handle.map_or(0, |h| self.order(h.header()) * RANKS)).collect();
        beta.push(self.order(b) * RANKS + rank);
        Position { loops, beta }
    }

    /// Position of an instruction of the region (or of its entry).
    #[must_use]
    pub fn position(&self, v: Value, facts: &Facts) -> Option<Position> {
        let b = v.block()?;
        let rank = b.instructions().iter().position(|&i| i == v)?;
        Some(self.at_rank(b, rank + 1, facts))
    }

    /// Position just before the end of a block.
    #[must_use]
    pub fn end_of(&self, b: Block, facts: &Facts) -> Position {
        self.at_rank(b, RANKS - 1, facts)
    }

    /// Behind everything, another one for each number.
    #[must_use]
    pub fn behind(&self, number: usize) -> Position {
        Position { loops: Vec::new(), beta: vec![(self.region.blocks.len() + 1) * RANKS + number] }
    }

    /// A position before [`Self::end_of`], another one for each number.
    #[must_use]
    pub fn before_end_of(&self, b: Block, number: usize, facts: &Facts) -> Position {
        self.at_rank(b, (RANKS - 2).saturating_sub(number), facts)
    }
}

/// The accesses and arrays of a region.
pub struct Accesses {
    /// In program order, sources of copies before their targets.
    pub all: Vec<Access>,
    /// The arrays.
    pub arrays: Vec<ArrayShape>,
    /// Loads that are no accesses but operations on indices.
    pub indirect: Vec<Indirect>,
    /// Addresses of rows, each with its table and row.
    pub rows: Vec<(RowPointer, Place)>,
}

/// What an address starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    /// A pointer from before the region.
    Pointer(Value),
    /// The row with the address of this number.
    Row(usize),
}

struct Pending {
    instruction: Value,
    action: Action,
    start: Start,
    raw: RawAccess,
    piece: Vec<Row>,
    position: Position,
    ty: Option<Type>,
    alignment: u32,
}

/// Collects them.
///
/// # Errors
/// Addresses that are not affine, shapes that cannot be recovered, odd types.
pub fn collect(layout: &Layout, facts: &mut Facts) -> Raise<Accesses> {
    let mut pending: Vec<Pending> = Vec::new();
    let mut indirect: Vec<Indirect> = Vec::new();
    let rows = row_pointers(layout, facts)?;
    let mut intrinsics: Vec<(Value, MemoryIntrinsic)> = Vec::new();
    let before = trailing_loads(layout.region.entry);
    let inside = layout.region.blocks.iter().flat_map(|b| b.instructions());
    for v in before.into_iter().chain(inside) {
        let Some(block) = v.block() else { continue };
        let in_region = block != layout.region.entry;
        let domain = layout.domains.get(&block).cloned().unwrap_or_default();
        let result = match v.opcode() {
            // The address of an array or a row, in memory.
            Some(Opcode::LLVMLoad) if in_region && is_followed(v) => continue,
            // Only a number that is known before the region is made of it.
            Some(Opcode::LLVMLoad) if in_region && v.ty().is_pointer() && facts.is_hoisted(v) => continue,
            Some(Opcode::LLVMLoad) => {
                plain(layout, facts, &rows, v, Action::Load, (v.ty(), v.operands().first().copied()), domain)
            }
            Some(Opcode::LLVMStore) => {
                let operands = v.operands();
                let [value, pointer] = operands.as_slice() else { continue };
                plain(layout, facts, &rows, v, Action::Store(*value), (value.ty(), Some(*pointer)), domain)
            }
            Some(Opcode::LLVMCall) => {
                if let Some(which) = v.memory_intrinsic() {
                    intrinsics.push((v, which));
                }
                continue;
            }
            _ => continue,
        };
        match result {
            Ok(p) => pending.push(p),
            // A load before the region only matters if it turns out to be the start of something carried.
            Err(_) if !in_region => {}
            Err(r) => {
                let pieces = if is_about_numbers(&r) { in_pieces(layout, facts, &rows, v)? } else { Vec::new() };
                if pieces.is_empty() {
                    let read = Some(v).filter(|_| matches!(r.kind, RejectKind::NonAffineAccess(_)));
                    let read = read.and_then(|v| indirect::read(layout, facts, v));
                    indirect.push(read.ok_or_else(|| of_subscript(r).at(block))?);
                }
                pending.extend(pieces);
            }
        }
    }
    for (v, which) in intrinsics {
        let found = intrinsic(layout, facts, &rows, v, which, &pending)
            .map_err(|r| v.block().map_or(r.clone(), |b| r.at(b)))?;
        pending.extend(found);
    }
    // Indices must be accesses themselves.
    if let Some(odd) = indirect.iter().find(|i| !pending.iter().any(|p| p.instruction == i.index)) {
        let reject = Reject::new(RejectKind::NonAffineAccess(super::facts::describe(odd.index)));
        return Err(odd.load.block().map_or(reject.clone(), |b| reject.at(b)));
    }
    let mut out = shaped(facts, pending, rows, layout)?;
    out.indirect = indirect;
    Ok(out)
}

/// Loads at the end of the entry block with no write behind them: values that GVN loads ahead of a loop.
fn trailing_loads(entry: Block) -> Vec<Value> {
    let mut out: Vec<Value> = entry
        .instructions()
        .into_iter()
        .rev()
        .take_while(|v| !v.may_write())
        .filter(|v| v.opcode() == Some(Opcode::LLVMLoad) && v.is_simple_access())
        .collect();
    out.reverse();
    out
}

fn element_type(facts: &Facts, ty: Type) -> Raise<u64> {
    let refuse = || Reject::new(RejectKind::ElementType(ty.text()));
    if ty.integer_bits().is_none() && !ty.is_float() {
        return Err(refuse());
    }
    facts.analyses.store_bytes(ty).filter(|&b| b <= 16).ok_or_else(refuse)
}

/// The addresses that are loaded in the region: those of rows, and those of arrays, which are hoisted. What lies at a fixed place among addresses of rows is one too.
fn row_pointers(layout: &Layout, facts: &mut Facts) -> Raise<Vec<RowPointer>> {
    let mut rows: Vec<RowPointer> = Vec::new();
    let mut fixed: Vec<Value> = Vec::new();
    let inside = layout.region.blocks.iter().flat_map(|b| b.instructions());
    for v in inside.filter(|&v| v.opcode() == Some(Opcode::LLVMLoad) && is_followed(v)) {
        let place = v.operands().first().and_then(|p| facts.analyses.scev(*p));
        let place = place.and_then(|s| facts.analyses.without_base(s)).and_then(crate::llvm::Scev::constant);
        match place {
            Some(_) => fixed.push(v),
            None => rows.push(row_load(layout, facts, v).map_err(|r| at_block(r, v))?),
        }
    }
    let bases: Vec<Value> = rows.iter().map(|r| r.base).collect();
    for v in fixed {
        let row = row_load(layout, facts, v).ok().filter(|r| bases.contains(&r.base));
        let domain = v.block().and_then(|b| layout.domains.get(&b));
        match row {
            Some(row) => rows.push(row),
            None if facts.hoist(v, domain).is_some() => {}
            None => return Err(at_block(RejectKind::BasePointer.into(), v)),
        }
    }
    if bases.is_empty() {
        return Ok(rows);
    }
    // Rows whose addresses LLVM has loaded ahead of the loops.
    for v in trailing_loads(layout.region.entry).into_iter().filter(|v| v.ty().is_pointer()) {
        if let Ok(r) = row_load(layout, facts, v)
            && bases.contains(&r.base)
        {
            rows.push(r);
        }
    }
    rows::carried(layout, facts, &mut rows)?;
    Ok(rows)
}

fn at_block(r: Reject, v: Value) -> Reject {
    v.block().map_or(r.clone(), |b| r.at(b))
}

/// The load of a row's address, from a table that is where it is before the region.
fn row_load(layout: &Layout, facts: &mut Facts, load: Value) -> Raise<RowPointer> {
    let refuse = || Reject::new(RejectKind::BasePointer);
    let pointer = load.operands().first().copied().ok_or_else(refuse)?;
    let bytes = facts.analyses.store_bytes(load.ty()).and_then(|b| i64::try_from(b).ok());
    if bytes != Some(rows::POINTER_BYTES) || facts.analyses.pointer_bits(load.ty()) != Some(64) {
        return Err(refuse());
    }
    let domain = load.block().and_then(|b| layout.domains.get(&b)).cloned().ok_or_else(refuse)?;
    match address(layout, facts, &[], pointer, &domain)? {
        (Start::Pointer(base), offset) if offset.is_affine() => {
            Ok(RowPointer { value: load, base, offset, domain, is_load: true })
        }
        _ => Err(refuse()),
    }
}

/// What an address starts from, and how many bytes behind it it is.
fn address(
    layout: &Layout,
    facts: &mut Facts,
    rows: &[RowPointer],
    pointer: Value,
    domain: &Domain,
) -> Raise<(Start, Poly)> {
    let refuse = || Reject::new(RejectKind::NonAffineAccess(super::facts::describe(pointer)));
    match facts.analyses.pointer_bits(pointer.ty()) {
        Some(64) => {}
        Some(_) => return Err(RejectKind::Pointer("of other than 64 bits").into()),
        None => return Err(RejectKind::Pointer("into an address space of their own").into()),
    }
    let s = facts.analyses.scev(pointer).ok_or_else(refuse)?;
    let base = facts.analyses.pointer_base(s).and_then(|b| b.value()).ok_or(RejectKind::BasePointer)?;
    if let Some(chosen) = facts.chosen_pointer(base, domain)? {
        let (start, from) = address(layout, facts, rows, chosen, domain)?;
        let offset = facts.analyses.without_base(s).ok_or_else(refuse)?;
        let offset = facts.translate(offset, domain)?.poly;
        return Ok((start, from.add(&offset).ok_or_else(|| Reject::new(RejectKind::Overflow))?));
    }
    let row = rows.iter().position(|r| r.value == base);
    let canonical = match row {
        Some(k) => Some(Start::Row(k)),
        None if layout.region.is_outside(base) => Some(Start::Pointer(base)),
        None => facts.hoist(base, Some(domain)).map(Start::Pointer),
    };
    let canonical = canonical.ok_or(RejectKind::BasePointer)?;
    let offset = facts.analyses.without_base(s).ok_or_else(refuse)?;
    let checkpoint = facts.checkpoint();
    match facts.translate(offset, domain) {
        Ok(t) => Ok((canonical, t.poly)),
        Err(first) => {
            facts.restore(&checkpoint);
            if let Ok((_, offset)) = by_instructions(facts, pointer, &|v| v == base, domain) {
                return Ok((canonical, offset));
            }
            // Whatever was added before the region: from what that gave.
            facts.restore(&checkpoint);
            let (from, offset) =
                by_instructions(facts, pointer, &|v| layout.region.is_outside(v), domain).map_err(|_| first)?;
            Ok((Start::Pointer(from), offset))
        }
    }
}

/// Base and byte offset of a chain of address computations.
fn by_instructions(
    facts: &mut Facts,
    pointer: Value,
    is_base: &dyn Fn(Value) -> bool,
    domain: &Domain,
) -> Raise<(Value, Poly)> {
    let overflow = || Reject::new(RejectKind::Overflow);
    let mut offset = Poly::default();
    let mut here = pointer;
    while !is_base(here) {
        let step = facts.analyses.address_step(here).ok_or(RejectKind::BasePointer)?;
        offset = offset.add(&Poly::constant(step.constant)).ok_or_else(overflow)?;
        for (index, scale) in step.variable {
            let value = facts.index_value(index, domain, 16)?;
            offset = value.scale(scale).and_then(|v| offset.add(&v)).ok_or_else(overflow)?;
        }
        here = step.base;
    }
    Ok((here, offset))
}

/// Is it a pointer that is loaded to be followed, now or later: the address of an array, a row of an array of pointers?
fn is_followed(load: Value) -> bool {
    let follows = |u: &Value| match u.opcode() {
        Some(Opcode::LLVMGetElementPtr | Opcode::LLVMLoad | Opcode::LLVMPHI) => true,
        Some(Opcode::LLVMStore) => u.operands().get(1) == Some(&load),
        Some(Opcode::LLVMCall) => u.memory_intrinsic().is_some(),
        _ => false,
    };
    load.ty().is_pointer() && load.users().iter().any(follows)
}

fn plain(
    layout: &Layout,
    facts: &mut Facts,
    rows: &[RowPointer],
    v: Value,
    action: Action,
    (ty, pointer): (Type, Option<Value>),
    domain: Domain,
) -> Raise<Pending> {
    let refuse = || Reject::new(RejectKind::ElementType(ty.text()));
    if matches!(action, Action::Load | Action::LoadPiece) && is_followed(v) {
        return Err(RejectKind::BasePointer.into());
    }
    let bytes = element_type(facts, ty)?;
    let position = layout.position(v, facts).ok_or_else(refuse)?;
    let (start, offset) = address(layout, facts, rows, pointer.ok_or_else(refuse)?, &domain)?;
    Ok(Pending {
        instruction: v,
        action,
        start,
        raw: RawAccess { offset, bytes, domain },
        piece: Vec::new(),
        position,
        ty: Some(ty),
        alignment: v.alignment().max(1),
    })
}

/// Is it an address that says no, and not what it leads to?
fn is_about_numbers(r: &Reject) -> bool {
    matches!(
        r.kind,
        RejectKind::NonAffineAccess(_)
            | RejectKind::NonAffineBound(_)
            | RejectKind::MayWrap(_)
            | RejectKind::BasePointer
    )
}

/// The same said of a subscript.
fn of_subscript(r: Reject) -> Reject {
    match r.kind {
        RejectKind::NonAffineBound(text) => Reject { kind: RejectKind::NonAffineAccess(text), ..r },
        _ => r,
    }
}

/// A load or store whose address is affine piece by piece. None: it is no such access.
fn in_pieces(layout: &Layout, facts: &mut Facts, rows: &[RowPointer], v: Value) -> Raise<Vec<Pending>> {
    let (action, ty, pointer) = match (v.opcode(), v.operands().as_slice()) {
        (Some(Opcode::LLVMLoad), &[pointer]) => (Action::LoadPiece, v.ty(), pointer),
        (Some(Opcode::LLVMStore), &[value, pointer]) => (Action::StorePiece(value), value.ty(), pointer),
        _ => return Ok(Vec::new()),
    };
    let Some(domain) = v.block().and_then(|b| layout.domains.get(&b)).cloned() else { return Ok(Vec::new()) };
    let on_piece =
        |facts: &mut Facts, piece: &Domain| plain(layout, facts, rows, v, action, (ty, Some(pointer)), piece.clone());
    let found = pieces::of(facts, pointer, &domain, on_piece)?.unwrap_or_default();
    Ok(found.into_iter().map(|(piece, pending)| Pending { piece, ..pending }).collect())
}

/// memset and memcpy: a loop over elements of the width that the array has elsewhere.
fn intrinsic(
    layout: &Layout,
    facts: &mut Facts,
    rows: &[RowPointer],
    v: Value,
    which: MemoryIntrinsic,
    known: &[Pending],
) -> Raise<Vec<Pending>> {
    let refuse = |what: &str| Reject::new(RejectKind::Effect(what.to_owned()));
    let block = v.block().ok_or_else(|| refuse("a memory intrinsic"))?;
    let outer = layout.domains.get(&block).cloned().unwrap_or_default();
    let operands = v.operands();
    let [target, source, length, ..] = operands.as_slice() else { return Err(refuse("a memory intrinsic")) };
    // Lengths have no sign.
    let bytes = match (length.ty().integer_bits(), facts.exact_value(*length, &outer)?) {
        (Some(64), bytes) => bytes,
        (_, bytes) if bytes.as_constant().is_some_and(|b| b >= 0) => bytes,
        _ => return Err(refuse("a memory intrinsic with a length of few bits")),
    };
    let (base, start) = address(layout, facts, rows, *target, &outer)?;
    let from = match which {
        MemoryIntrinsic::Copy => Some(address(layout, facts, rows, *source, &outer)?),
        MemoryIntrinsic::Set => None,
    };
    let table_of = |s: Start| match s {
        Start::Pointer(v) => (v, false),
        Start::Row(k) => (rows[k].base, true),
    };
    let width_of = |b: Start| known.iter().find(|p| table_of(p.start) == table_of(b)).map(|p| p.raw.bytes);
    let width = width_of(base).or_else(|| from.as_ref().and_then(|(b, _)| width_of(*b)));
    let divides = |w: i64| bytes.terms().all(|(_, c)| c % w == 0);
    let width = match width {
        Some(w) => i64::try_from(w).map_err(|_| Reject::new(RejectKind::Overflow))?,
        None => [8, 4, 2, 1].into_iter().find(|&w| divides(w)).unwrap_or(1),
    };
    if !divides(width) {
        return Err(RejectKind::MixedWidths.into());
    }
    let mut count = Poly::default();
    for (m, c) in bytes.terms() {
        count = count.add(&Poly::term(m.clone(), c / width)).ok_or_else(|| Reject::new(RejectKind::Overflow))?;
    }
    if !count.is_affine() {
        return Err(RejectKind::NonAffineBound(bytes.text(|s| facts.symbol_name(s))).into());
    }
    let high = facts.interval(&count).map_or(i128::MAX, |(_, b)| b);
    let high = i64::try_from(high).ok().filter(|&h| h <= 1 << 50).ok_or_else(|| Reject::new(RejectKind::Overflow))?;
    let index = LoopIndex(facts.loops.len());
    let iterator = Poly::symbol(Symbol::Iterator(index));
    let last = count
        .sub(&iterator)
        .and_then(|p| p.sub(&Poly::constant(1)))
        .ok_or_else(|| Reject::new(RejectKind::Overflow))?;
    let rows = vec![Row::ge(iterator.clone()), Row::ge(last)];
    facts.loops.push(LoopData {
        handle: None,
        parent: outer.loops.last().copied(),
        rows: rows.clone(),
        going_on: Vec::new(),
        high: high.max(0),
        split: None,
        residue_of: None,
        later: None,
    });
    let mut domain = outer;
    domain.loops.push(index);
    domain.rows.extend(rows);
    let mut position = layout.position(v, facts).ok_or_else(|| refuse("a memory intrinsic"))?;
    position.loops.push(index);
    position.beta.push(0);
    let step = iterator.scale(width).ok_or_else(|| Reject::new(RejectKind::Overflow))?;
    let make = |base: Start, start: &Poly, action| -> Raise<Pending> {
        let offset = start.add(&step).ok_or_else(|| Reject::new(RejectKind::Overflow))?;
        Ok(Pending {
            instruction: v,
            action,
            start: base,
            raw: RawAccess { offset, bytes: width.unsigned_abs(), domain: domain.clone() },
            piece: Vec::new(),
            position: position.clone(),
            ty: None,
            alignment: 1,
        })
    };
    match from {
        None => {
            let byte = source.constant_int().ok_or_else(|| refuse("a memset with a value that is not constant"))?;
            let byte = u8::try_from(byte & 0xff).unwrap_or(0);
            Ok(vec![make(base, &start, Action::Fill(byte))?])
        }
        Some((b, s)) => {
            // The source comes right before its target.
            Ok(vec![make(b, &s, Action::Load)?, make(base, &start, Action::CopyFrom(usize::MAX))?])
        }
    }
}

/// What the cells of an array are found from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    Pointer(Value),
    Table(usize),
}

fn shaped(facts: &mut Facts, pending: Vec<Pending>, loads: Vec<RowPointer>, layout: &Layout) -> Raise<Accesses> {
    let (tables, places) = rows::tables(&loads)?;
    let root = |start: Start| match start {
        Start::Pointer(v) => Root::Pointer(v),
        Start::Row(k) => Root::Table(places[k].table),
    };
    let mut roots: Vec<Root> = Vec::new();
    for p in &pending {
        if !roots.contains(&root(p.start)) {
            roots.push(root(p.start));
        }
        // The row is known by counters of the loops around its load: they must be around the access.
        if let Start::Row(k) = p.start
            && !p.raw.domain.loops.starts_with(&loads[k].domain.loops)
        {
            return Err(at_block(RejectKind::BasePointer.into(), p.instruction));
        }
    }
    let mut all: Vec<Access> = Vec::new();
    let mut arrays = Vec::new();
    let mut subscripts: BTreeMap<usize, Vec<Poly>> = BTreeMap::new();
    for &own in &roots {
        let members: Vec<usize> = (0..pending.len()).filter(|&k| root(pending[k].start) == own).collect();
        let raws: Vec<RawAccess> = members.iter().map(|&k| pending[k].raw.clone()).collect();
        // Code for a special case of the sizes is the likeliest to see another shape than the rest.
        let special = |k: &usize| pending[*k].raw.domain.is_for_special_sizes();
        let blame = members
            .iter()
            .filter(|k| special(k))
            .chain(&members)
            .filter_map(|&k| pending[k].instruction.block())
            .find(|b| *b != layout.region.entry)
            .unwrap_or(layout.region.entry);
        let read_only = members.iter().all(|&k| matches!(pending[k].action, Action::Load | Action::LoadPiece));
        let shape = shape::recover(facts, &raws, read_only).map_err(|r| r.at(blame))?;
        for (&k, mut subs) in members.iter().zip(shape.subscripts) {
            if let Start::Row(l) = pending[k].start {
                subs.insert(0, places[l].row.clone());
            }
            subscripts.insert(k, subs);
        }
        let bytes = raws.first().map_or(1, |r| r.bytes);
        // The type of plain accesses; memory intrinsics follow. An array that only they touch is one of integers.
        let element = members
            .iter()
            .find_map(|&k| pending[k].ty)
            .or_else(|| {
                let bits = u32::try_from(bytes * 8).ok()?;
                Some(facts.analyses.integer_type(bits))
            })
            .ok_or_else(|| Reject::new(RejectKind::MixedWidths))?;
        let (base, table) = match own {
            Root::Pointer(base) => (base, None),
            Root::Table(t) => (tables[t].base, Some(tables[t].clone())),
        };
        arrays.push(ArrayShape {
            base,
            element,
            bytes,
            strides: shape.strides,
            inner_sizes: shape.inner_sizes,
            rows: shape.rows,
            own: false,
            table,
        });
    }
    for (k, p) in pending.into_iter().enumerate() {
        let action = match p.action {
            Action::CopyFrom(_) => Action::CopyFrom(k.saturating_sub(1)),
            other => other,
        };
        all.push(Access {
            instruction: p.instruction,
            action,
            array: roots.iter().position(|&r| r == root(p.start)).unwrap_or(0),
            subscripts: subscripts.remove(&k).unwrap_or_default(),
            position: p.position,
            domain: p.raw.domain,
            piece: p.piece,
            ty: p.ty,
            alignment: p.alignment,
        });
    }
    let rows = loads.into_iter().zip(places).collect();
    Ok(Accesses { all, arrays, indirect: Vec::new(), rows })
}
