//! Several instances at once: operations on vectors.
//!
//! A value is the same for all lanes ([`Lane::Same`], a scalar) as long as nothing in it depends on the lane; it is spread over a vector where it meets one that
//! does. Lanes that do not run compute too, on zeros or on whatever is in scratch memory: nothing that they compute is stored, and what could trap is kept from
//! them. Whether lanes run is a mask, computed once where its bounds are known.
//!
//! | cells of neighbouring lanes | all lanes run | some do |
//! | --- | --- | --- |
//! | the same | scalar load | the same, behind a test that some lane runs |
//! | neighbours | vector load, store | masked load, store |
//! | neighbours, backwards | likewise, and a shuffle | likewise |
//! | a few cells apart, always as many | masked load, store of all cells between, and a shuffle | likewise |
//! | anything else | scalar loads, stores | gather, scatter |
//!
//! Of cells that are a few apart LLVM finds that the shuffles of loads and stores undo each other: what is computed between stays in every second lane, say.

use super::straight::{Cells, Spread};
use super::walk::Known;
use super::{Emitter, LowerError, Result};
use crate::llvm::build::Compare;
use crate::llvm::{Opcode, Type, Value};
use crate::raise::poly::{LoopIndex, Poly, Symbol};
use codegen::ast::{Expr, Lanes, LoopVar};
use polyhedra::Affine;
use std::ops::Range;

/// Most lanes of a vector.
const MOST_LANES: u32 = 512;

/// Cells of lanes that are more apart are accessed one by one.
const MOST_APART: u32 = 4;

/// Of one cell so many loads start from registers of their own, as many as tiles have vectors. Where the registers do not suffice for all of these, that takes less time than a broadcast for each row (measured on products of matrices
/// in place, 6 rows by 4 vectors: 54 GFlop/s, with three starts 47).
const MOST_STARTS: usize = 4;

/// Bytes of the smallest cells that are stored under masks of which the back end knows all lanes.
const LEAST_MASKED: u64 = 4;

/// The lanes of a node, with what is known of them.
#[derive(Clone)]
pub(super) struct Many {
    pub(super) var: LoopVar,
    pub(super) width: u32,
    /// As in [`Lanes`], but only where not all lanes are known to.
    from: Option<Expr>,
    to: Option<Expr>,
    /// There may be no lane that runs.
    pub(super) idle: bool,
}

/// A value of each lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lane {
    /// One for all.
    Same(Value),
    /// A vector.
    Each(Value),
}

impl Many {
    /// Do all lanes run?
    pub(super) fn full(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    /// Does the first lane run, if any does?
    pub(super) fn starts_at_first(&self) -> bool {
        self.from.is_none()
    }

    /// All lanes of it, for memory that may be touched by lanes that do not run.
    pub(super) fn all(&self) -> Self {
        Self { var: self.var, width: self.width, from: None, to: None, idle: false }
    }

    /// As [`Cells::new`] wants it.
    pub(super) fn spread(&self) -> (LoopVar, u32, &Option<Expr>, &Option<Expr>) {
        (self.var, self.width, &self.from, &self.to)
    }
}

impl Emitter<'_> {
    /// What is known of the lanes here.
    pub(super) fn many(&self, lanes: &Lanes, known: &Known) -> Result<Many> {
        if !(2..=MOST_LANES).contains(&lanes.width) {
            return Err(LowerError::Malformed("number of lanes"));
        }
        let number = |c: i64| Expr::Affine(Affine::constant(self.ast.space, c));
        let less_eq = |a: &Expr, b: &Expr| known.implies_less_eq(a, b, self.budget);
        let width = i64::from(lanes.width);
        let mut many = Many { var: lanes.var, width: lanes.width, from: None, to: None, idle: false };
        if let Some(from) = &lanes.from
            && !less_eq(from, &number(0))?
        {
            many.idle |= !less_eq(from, &number(width - 1))?;
            many.from = Some(from.clone());
        }
        if let Some(to) = &lanes.to
            && !less_eq(&number(width), to)?
        {
            many.idle |= !less_eq(&number(1), to)?;
            many.to = Some(to.clone());
        }
        if let (Some(from), Some(to)) = (&many.from, &many.to)
            && !many.idle
        {
            many.idle = match from {
                Expr::Affine(from) => !less_eq(&Expr::Affine(from.offset(1)?), to)?,
                _ => true,
            };
        }
        Ok(many)
    }

    /// Does a lane run?
    pub(super) fn some_lane(&mut self, many: &Many) -> Result<Value> {
        let i32 = self.t.int(32);
        let from = match &many.from {
            Some(e) => self.numbers.lane_bound(&mut self.t, e, many.width)?,
            None => self.t.constant(i32, 0),
        };
        let to = self.lanes_end(many)?;
        Ok(self.t.compare(Compare::SignedLess, from, to))
    }

    /// The first lane behind those that run.
    pub(super) fn lanes_end(&mut self, many: &Many) -> Result<Value> {
        match &many.to {
            Some(e) => self.numbers.lane_bound(&mut self.t, e, many.width),
            None => Ok(self.t.constant(self.t.int(32), many.width.into())),
        }
    }

    /// Which lanes run; `None`: all.
    pub(super) fn mask(&mut self, many: &Many) -> Result<Option<Value>> {
        self.numbers.mask(&mut self.t, many.width, many.from.as_ref(), many.to.as_ref())
    }

    /// As a vector.
    pub(super) fn spread(&mut self, value: Lane, width: u32) -> Value {
        match value {
            Lane::Each(v) => v,
            Lane::Same(v) => match self.straight.splat(v, width) {
                Some(splat) => splat,
                None => {
                    let splat = self.t.splat(v, width);
                    self.straight.splatted(v, width, splat);
                    splat
                }
            },
        }
    }

    /// The same bits as another type.
    pub(super) fn convert_lane(&mut self, value: Lane, ty: Type, many: Option<&Many>) -> Result<Lane> {
        Ok(match (value, many) {
            (Lane::Each(v), Some(many)) => {
                let vector = self.t.vector(ty, many.width);
                Lane::Each(self.convert(v, vector)?)
            }
            (Lane::Same(v) | Lane::Each(v), _) => Lane::Same(self.convert(v, ty)?),
        })
    }

    /// An operation, unless another statement has done it before: if it is the same whichever lanes run.
    pub(super) fn shared(
        &mut self,
        instruction: Value,
        operands: Vec<Lane>,
        make: impl FnOnce(&mut Self) -> Result<Lane>,
    ) -> Result<Lane> {
        if !(instruction.is_pure() && instruction.widens()) || instruction.divides_integers() {
            return make(self);
        }
        if let Some(known) = self.straight.result(instruction, &operands) {
            return Ok(known);
        }
        let result = make(self)?;
        self.straight.computed(instruction, operands, result);
        Ok(result)
    }

    /// An operation of a statement.
    pub(super) fn operation(&mut self, instruction: Value, operands: &[Lane], many: Option<&Many>) -> Result<Lane> {
        let same: Option<Vec<Value>> =
            operands.iter().map(|o| if let Lane::Same(v) = o { Some(*v) } else { None }).collect();
        if let Some(same) = same {
            return Ok(Lane::Same(self.t.clone_with(instruction, &same)));
        }
        let many = many.ok_or(LowerError::Malformed("a vector without lanes"))?;
        let scalar = |k: usize| instruction.wants_scalar(k);
        if !instruction.widens() || operands.iter().enumerate().any(|(k, o)| scalar(k) && matches!(o, Lane::Each(_))) {
            return self.lane_by_lane(instruction, operands, many);
        }
        let mut wide = Vec::new();
        for (k, operand) in operands.iter().enumerate() {
            wide.push(match operand {
                Lane::Same(v) if scalar(k) || (k == 0 && instruction.opcode() == Some(Opcode::LLVMSelect)) => *v,
                _ => self.spread(*operand, many.width),
            });
        }
        if instruction.divides_integers()
            && let [_, divisor] = operands
            && !divides_all(*divisor)
            && let Some(mask) = self.mask(many)?
        {
            // Lanes that do not run divide by 1.
            let one = self.t.constant(instruction.ty(), 1);
            let one = self.spread(Lane::Same(one), many.width);
            wide[1] = self.t.select(mask, wide[1], one);
        }
        if let Some(lanes) = self.analyses.vector_form(instruction, many.width) {
            // Its last operand is the callee.
            wide.pop();
            return Ok(Lane::Each(self.call_library(instruction, &wide, (many.width, lanes))));
        }
        Ok(Lane::Each(self.t.widen(instruction, &wide, many.width)))
    }

    /// A call of `width` lanes by a vector library's function of `lanes`, as often as that takes. What it computes beside them is not used.
    fn call_library(&mut self, call: Value, operands: &[Value], (width, lanes): (u32, u32)) -> Value {
        if width == lanes {
            return self.t.call_vector_form(self.analyses, call, operands, lanes);
        }
        let mut parts: Vec<Value> = Vec::new();
        for first in (0..width).step_by(lanes as usize) {
            let own = |k: u32| (first + k).min(width - 1);
            let part: Vec<Value> = operands.iter().map(|v| self.t.shuffled(*v, None, (0..lanes).map(own))).collect();
            parts.push(self.t.call_vector_form(self.analyses, call, &part, lanes));
        }
        self.joined(parts, (width, lanes))
    }

    /// The first `width` lanes of vectors of `lanes` each, one behind the other.
    fn joined(&mut self, mut parts: Vec<Value>, (width, mut lanes): (u32, u32)) -> Value {
        while parts.len() > 1 {
            parts = parts.chunks(2).map(|pair| self.t.shuffled(pair[0], pair.get(1).copied(), 0..2 * lanes)).collect();
            lanes *= 2;
        }
        self.t.shuffled(parts[0], None, 0..width)
    }

    /// An operation that vectors do not have.
    fn lane_by_lane(&mut self, instruction: Value, operands: &[Lane], many: &Many) -> Result<Lane> {
        if !many.full() && (!instruction.is_pure() || instruction.divides_integers()) {
            return Err(LowerError::Malformed("an operation that only some lanes may do"));
        }
        let mut results = Vec::new();
        for lane in 0..many.width {
            let own: Vec<Value> = operands
                .iter()
                .map(|o| match o {
                    Lane::Same(v) => *v,
                    Lane::Each(v) => self.t.extract(*v, lane),
                })
                .collect();
            results.push(self.t.clone_with(instruction, &own));
        }
        Ok(Lane::Each(self.t.gathered(instruction.ty(), &results)))
    }

    /// A polynomial over loop variables and the lane, modulo 2^bits.
    pub(super) fn index(&mut self, poly: &Poly, bits: u32, many: Option<&Many>) -> Result<Lane> {
        let Some(many) = many else { return Ok(Lane::Same(self.numbers.polynomial(&mut self.t, poly, bits)?)) };
        let lane = Symbol::Iterator(LoopIndex(many.var.0));
        let degree = |m: &[Symbol]| m.iter().filter(|s| **s == lane).count();
        let overflow = || LowerError::from(polyhedra::Error::Overflow);
        match poly.terms().map(|(m, _)| degree(m)).max() {
            None | Some(0) => Ok(Lane::Same(self.numbers.polynomial(&mut self.t, poly, bits)?)),
            Some(1) => {
                let (mut first, mut step) = (Poly::default(), Poly::default());
                for (m, c) in poly.terms() {
                    let part = if degree(m) == 0 { &mut first } else { &mut step };
                    let rest = m.iter().copied().filter(|s| *s != lane).collect();
                    *part = part.add(&Poly::term(rest, c)).ok_or_else(overflow)?;
                }
                let first = self.numbers.polynomial(&mut self.t, &first, bits)?;
                let first = self.spread(Lane::Same(first), many.width);
                let ahead = self.ahead(&step, bits, many.width)?;
                Ok(Lane::Each(self.t.add(first, ahead)))
            }
            Some(_) => {
                let mut all = Vec::new();
                for k in 0..many.width {
                    let own = poly.substitute(lane, &Poly::constant(k.into())).ok_or_else(overflow)?;
                    all.push(self.numbers.polynomial(&mut self.t, &own, bits)?);
                }
                let ty = self.t.int(bits);
                Ok(Lane::Each(self.t.gathered(ty, &all)))
            }
        }
    }

    /// `0, step, 2 step, ...`
    fn ahead(&mut self, step: &Poly, bits: u32, width: u32) -> Result<Value> {
        let ty = self.t.int(bits);
        let lanes = self.t.lane_numbers(ty, width);
        if step.as_constant() == Some(1) {
            return Ok(lanes);
        }
        let step = self.numbers.polynomial(&mut self.t, step, bits)?;
        let step = self.spread(Lane::Same(step), width);
        Ok(self.t.mul(step, lanes))
    }

    /// Loads a cell for one operation, which takes it from memory if no other one uses what was loaded.
    pub(super) fn load_anew(&mut self, cells: &Cells, alignment: u32) -> Result<Value> {
        let start = self.straight.times(cells);
        if start >= MOST_STARTS
            && let Some(known) = self.straight.find(cells, false)
        {
            return Ok(known);
        }
        let address = self.address_anew(cells.storage, &cells.first, start)?;
        let value = self.t.load(self.element_of(cells.storage)?, address, alignment);
        self.annotate(value, cells.storage);
        self.straight.loaded(cells.clone(), value);
        Ok(value)
    }

    /// Loads cells: a vector if there are lanes.
    pub(super) fn load_cells(&mut self, cells: &Cells, alignment: u32, exactly: bool) -> Result<Value> {
        if let Some(known) = self.straight.find(cells, exactly) {
            return Ok(known);
        }
        let value = match &cells.lanes {
            None => {
                let address = self.address(cells.storage, &cells.first)?;
                let value = self.t.load(self.element_of(cells.storage)?, address, alignment);
                self.annotate(value, cells.storage);
                value
            }
            Some(spread) => self.load_lanes(cells, spread, alignment, None)?,
        };
        self.straight.loaded(cells.clone(), value);
        Ok(value)
    }

    /// `on`: in these lanes only, too.
    pub(super) fn load_lanes(
        &mut self,
        cells: &Cells,
        spread: &Spread,
        alignment: u32,
        on: Option<Value>,
    ) -> Result<Value> {
        let element = self.element_of(cells.storage)?;
        let ty = self.t.vector(element, spread.width);
        let running = self.numbers.mask(&mut self.t, spread.width, spread.from.as_ref(), spread.to.as_ref())?;
        let mask = match (running, on) {
            (Some(running), Some(on)) => Some(self.t.and(running, on)),
            (one, other) => one.or(other),
        };
        match self.pattern(cells, spread)? {
            Pattern::Forwards => {
                let address = self.address(cells.storage, &cells.first)?;
                Ok(self.load_vector(cells, ty, address, alignment, mask))
            }
            Pattern::Backwards => {
                let address = self.address(cells.storage, &cells.at(spread.width - 1)?)?;
                let mask = mask.map(|m| self.t.reversed(m, spread.width));
                let value = self.load_vector(cells, ty, address, alignment, mask);
                Ok(self.t.reversed(value, spread.width))
            }
            Pattern::Every(cells_apart) => {
                let value = self.load_every((cells, spread, cells_apart), alignment, on)?;
                Ok(self.t.shuffled(value, None, (0..spread.width).map(|lane| lane * cells_apart)))
            }
            Pattern::Apart => {
                let bytes = self.bytes_between(cells.storage, &spread.steps)?;
                if let Some(mask) = mask {
                    return self.gather(cells, spread, bytes.as_ref(), alignment, mask);
                }
                let mut all = Vec::new();
                for lane in 0..spread.width {
                    let address = self.address(cells.storage, &cells.at(lane)?)?;
                    let value = self.t.load(element, address, alignment);
                    self.annotate(value, cells.storage);
                    all.push(value);
                }
                Ok(self.t.gathered(element, &all))
            }
        }
    }

    pub(super) fn load_vector(
        &mut self,
        cells: &Cells,
        ty: Type,
        address: Value,
        alignment: u32,
        mask: Option<Value>,
    ) -> Value {
        let Some(mask) = mask else {
            let value = self.t.load(ty, address, alignment);
            self.annotate(value, cells.storage);
            return value;
        };
        let own = self.t.masked_type(ty);
        let value = self.t.masked_load(own, address, alignment, mask);
        self.annotate(value, cells.storage);
        self.t.bitcast(value, ty)
    }

    /// One cell for all lanes, which must not be touched when none of them runs: then it counts as zero.
    pub(super) fn load_for_some(&mut self, cells: &Cells, alignment: u32, many: &Many) -> Result<Lane> {
        if !many.idle {
            return Ok(Lane::Same(self.load_cells(cells, alignment, false)?));
        }
        let some = self.some_lane(many)?;
        let some = self.t.gathered(self.t.int(1), &[some]);
        let ty = self.t.vector(self.element_of(cells.storage)?, 1);
        let address = self.address(cells.storage, &cells.first)?;
        let value = self.load_vector(cells, ty, address, alignment, Some(some));
        Ok(Lane::Same(self.t.extract(value, 0)))
    }

    /// Stores cells: a vector if there are lanes.
    pub(super) fn store_cells(&mut self, cells: Cells, value: Value, alignment: u32) -> Result<()> {
        match &cells.lanes {
            None => {
                let address = self.address(cells.storage, &cells.first)?;
                let store = self.t.store(value, address, alignment);
                self.annotate(store, cells.storage);
            }
            Some(spread) => self.store_lanes(&cells, spread, value, alignment)?,
        }
        self.straight.stored(cells, value, &self.never_meet);
        Ok(())
    }

    fn store_lanes(&mut self, cells: &Cells, spread: &Spread, value: Value, alignment: u32) -> Result<()> {
        let mask = self.numbers.mask(&mut self.t, spread.width, spread.from.as_ref(), spread.to.as_ref())?;
        let (value, address, mask) = match self.pattern(cells, spread)? {
            Pattern::Forwards => (value, self.address(cells.storage, &cells.first)?, mask),
            Pattern::Backwards => {
                let address = self.address(cells.storage, &cells.at(spread.width - 1)?)?;
                let mask = mask.map(|m| self.t.reversed(m, spread.width));
                (self.t.reversed(value, spread.width), address, mask)
            }
            Pattern::Every(cells_apart) => return self.store_every((cells, spread, cells_apart), value, alignment),
            Pattern::Apart => {
                let bytes = self.bytes_between(cells.storage, &spread.steps)?;
                if let Some(mask) = mask {
                    return self.scatter(cells, spread, bytes.as_ref(), alignment, (value, mask));
                }
                for lane in 0..spread.width {
                    let address = self.address(cells.storage, &cells.at(lane)?)?;
                    let own = self.t.extract(value, lane);
                    let store = self.t.store(own, address, alignment);
                    self.annotate(store, cells.storage);
                }
                return Ok(());
            }
        };
        match mask {
            None => {
                let store = self.t.store(value, address, alignment);
                self.annotate(store, cells.storage);
            }
            Some(mask) => self.store_masked(cells, value, address, alignment, mask),
        }
        Ok(())
    }

    fn pattern(&self, cells: &Cells, spread: &Spread) -> Result<Pattern> {
        let bytes = self.bytes_between(cells.storage, &spread.steps)?;
        let cell = i64::try_from(self.bytes_of(cells.storage)?).ok();
        Ok(match bytes.as_ref().and_then(Poly::as_constant) {
            Some(c) if Some(c) == cell => Pattern::Forwards,
            Some(c) if c.checked_neg() == cell => Pattern::Backwards,
            Some(c) => match cell.filter(|cell| c % cell == 0).and_then(|cell| u32::try_from(c / cell).ok()) {
                Some(apart @ 2..=MOST_APART) if self.reaches(cells, spread.width, apart)? => Pattern::Every(apart),
                _ => Pattern::Apart,
            },
            None => Pattern::Apart,
        })
    }

    /// Can the machine load and store every second cell, say, of as many as there are lanes?
    fn reaches(&self, cells: &Cells, lanes: u32, apart: u32) -> Result<bool> {
        let (element, bytes) = (self.element_of(cells.storage)?, self.bytes_of(cells.storage)?);
        let all = self.t.vector(element, lanes * apart);
        let alignment = u32::try_from(bytes).unwrap_or(1);
        Ok(lanes * apart <= MOST_LANES && bytes >= LEAST_MASKED && self.analyses.has_masks(all, alignment))
    }

    /// How many cells lie from one lane to the next, where all of them are loaded at once and some are left out. `None`: these are not loaded so.
    pub(super) fn every_so_many(&self, cells: &Cells, spread: &Spread) -> Result<Option<u32>> {
        Ok(match self.pattern(cells, spread)? {
            Pattern::Every(apart) => Some(apart),
            Pattern::Forwards | Pattern::Backwards | Pattern::Apart => None,
        })
    }

    /// As many cells as lie from that of the first lane to the one in front of that behind the last, of which those whose lanes run are loaded; `on`: in these lanes only.
    pub(super) fn load_every(
        &mut self,
        (cells, spread, apart): (&Cells, &Spread, u32),
        alignment: u32,
        on: Option<Value>,
    ) -> Result<Value> {
        let element = self.element_of(cells.storage)?;
        let first = self.address(cells.storage, &cells.first)?;
        let (all, piece) = (spread.width * apart, cells_at_once(spread.width, apart));
        let ty = self.t.vector(element, piece);
        let mut parts = Vec::new();
        for from in (0..all / piece).map(|k| k * piece) {
            let mut mask = self.every(spread, apart, from..from + piece)?;
            if let Some(on) = on {
                let on = self.t.shuffled(on, None, (from..from + piece).map(|cell| cell / apart));
                mask = self.t.and(mask, on);
            }
            let address = self.further(first, element, from);
            parts.push(self.load_vector(cells, ty, address, alignment, Some(mask)));
        }
        Ok(if parts.len() == 1 { parts[0] } else { self.joined(parts, (all, piece)) })
    }

    fn store_every(
        &mut self,
        (cells, spread, apart): (&Cells, &Spread, u32),
        value: Value,
        alignment: u32,
    ) -> Result<()> {
        let element = self.element_of(cells.storage)?;
        let first = self.address(cells.storage, &cells.first)?;
        let piece = cells_at_once(spread.width, apart);
        for from in (0..spread.width * apart / piece).map(|k| k * piece) {
            let mask = self.every(spread, apart, from..from + piece)?;
            let own = self.t.shuffled(value, None, (from..from + piece).map(|cell| cell / apart));
            let address = self.further(first, element, from);
            self.store_masked(cells, own, address, alignment, mask);
        }
        Ok(())
    }

    fn further(&mut self, address: Value, element: Type, cells: u32) -> Value {
        if cells == 0 {
            return address;
        }
        let by = self.t.constant(self.t.int(64), cells.into());
        self.t.cell_offset(element, address, by)
    }

    fn store_masked(&mut self, cells: &Cells, value: Value, address: Value, alignment: u32, mask: Value) {
        let own = self.t.masked_type(value.ty());
        let value = self.t.bitcast(value, own);
        let store = self.t.masked_store(value, address, alignment, mask);
        self.annotate(store, cells.storage);
    }

    /// Those of cells, counted from that of the first lane, whose lanes run.
    fn every(&mut self, spread: &Spread, apart: u32, cells: Range<u32>) -> Result<Value> {
        let (bit, i32) = (self.t.int(1), self.t.int(32));
        let [off, on] = [0, 1].map(|on| self.t.constant(bit, on));
        let of_lanes: Vec<Value> = cells.clone().map(|cell| if cell % apart == 0 { on } else { off }).collect();
        let mut mask = self.t.gathered(bit, &of_lanes);
        for (bound, is_from) in [(&spread.from, true), (&spread.to, false)] {
            let Some(bound) = bound else { continue };
            let bound = self.numbers.lane_bound(&mut self.t, bound, spread.width)?;
            let times = self.t.constant(i32, apart.into());
            let bound = self.t.mul(bound, times);
            let bound = self.t.splat(bound, of_lanes.len().try_into().unwrap_or(0));
            let numbers: Vec<Value> = cells.clone().map(|cell| self.t.constant(i32, cell.into())).collect();
            let numbers = self.t.gathered(i32, &numbers);
            let (low, high, compare) = match is_from {
                true => (bound, numbers, Compare::SignedLessEqual),
                false => (numbers, bound, Compare::SignedLess),
            };
            let runs = self.t.compare(compare, low, high);
            mask = self.t.and(mask, runs);
        }
        Ok(mask)
    }

    fn gather(
        &mut self,
        cells: &Cells,
        spread: &Spread,
        bytes: Option<&Poly>,
        alignment: u32,
        mask: Value,
    ) -> Result<Value> {
        let ty = self.t.vector(self.element_of(cells.storage)?, self.piece(spread.width));
        let mut parts = Vec::new();
        for (first, addresses) in self.addresses(cells, spread, bytes)? {
            let on = self.part(mask, first, spread.width);
            let value = self.t.gather(ty, addresses, alignment, on);
            self.annotate(value, cells.storage);
            parts.push(value);
        }
        let mut width = self.piece(spread.width);
        // The number of parts need not be a power of two; then one that is not whole is doubled in vain.
        while parts.len() > 1 {
            parts = parts.chunks(2).map(|pair| self.t.shuffled(pair[0], pair.get(1).copied(), 0..2 * width)).collect();
            width *= 2;
        }
        let all = parts.first().copied().ok_or(LowerError::Malformed("number of lanes"))?;
        Ok(if width == spread.width { all } else { self.t.shuffled(all, None, 0..spread.width) })
    }

    fn scatter(
        &mut self,
        cells: &Cells,
        spread: &Spread,
        bytes: Option<&Poly>,
        alignment: u32,
        (value, mask): (Value, Value),
    ) -> Result<()> {
        for (first, addresses) in self.addresses(cells, spread, bytes)? {
            let (on, own) = (self.part(mask, first, spread.width), self.part(value, first, spread.width));
            let store = self.t.scatter(own, addresses, alignment, on);
            self.annotate(store, cells.storage);
        }
        Ok(())
    }

    /// Most lanes of a gather or scatter: what has more addresses than a register takes makes LLVM's x86 back end crash.
    fn piece(&self, width: u32) -> u32 {
        let most = (self.analyses.vector_bits() / 64).max(2);
        let whole = 1 << width.trailing_zeros();
        whole.min(1 << most.ilog2())
    }

    /// Some lanes of a vector.
    fn part(&mut self, v: Value, first: u32, width: u32) -> Value {
        let piece = self.piece(width);
        if piece == width { v } else { self.t.shuffled(v, None, first..first + piece) }
    }

    /// The addresses of each piece, with its first lane.
    fn addresses(&mut self, cells: &Cells, spread: &Spread, bytes: Option<&Poly>) -> Result<Vec<(u32, Value)>> {
        let piece = self.piece(spread.width);
        let ahead = bytes.map(|bytes| self.ahead(bytes, 64, piece)).transpose()?;
        let mut out = Vec::new();
        for first in (0..spread.width).step_by(piece as usize) {
            let address = self.address(cells.storage, &cells.at(first)?)?;
            let all = match ahead {
                Some(ahead) => self.t.byte_offset(address, ahead),
                None => {
                    let mut each = vec![address];
                    for lane in first + 1..first + piece {
                        each.push(self.address(cells.storage, &cells.at(lane)?)?);
                    }
                    self.t.gathered(address.ty(), &each)
                }
            };
            out.push((first, all));
        }
        Ok(out)
    }
}

/// How the cells of neighbouring lanes lie.
enum Pattern {
    /// Each behind the one before.
    Forwards,
    /// Each in front of the one before.
    Backwards,
    /// So many cells from one to the next.
    Every(u32),
    /// Anything else.
    Apart,
}

/// Of cells of which lanes have every so many: how many are loaded and stored by one operation. Masks of numbers that are no powers of two are taken apart bit by bit by LLVM's x86 back end.
fn cells_at_once(width: u32, apart: u32) -> u32 {
    let all = width * apart;
    if all.is_power_of_two() || !width.is_power_of_two() { all } else { width }
}

/// Does a division by it never trap?
fn divides_all(divisor: Lane) -> bool {
    matches!(divisor, Lane::Same(v) if v.constant_int().is_some_and(|c| c != 0 && c != -1))
}
