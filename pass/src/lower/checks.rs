//! The conditions under which the new code is the program: ranges of parameters, assumptions, arrays that do not overlap, offsets that do not wrap.
//!
//! All are computed without branches and combined by `and`. So each may be computed while another one fails: wrapping arithmetic only, no flags. What a
//! condition says is right if the ranges of the parameters hold; if they do not, the whole is false anyway. Each number carries the interval that follows
//! from the ranges and has 64 bits if that fits 62, else 128; what might leave 120 bits is refused.
//!
//! The bytes that the region may touch of an array are `[base + sum stride_k * lower_k, base + sum stride_k * upper_k + bytes of a cell)`, with the box of
//! [`codegen::footprint`] and strides that are not negative (checked where it is not known). They must lie in the address space, `0 <= first` and `end <= 2^64`: then
//! the addresses computed modulo `2^64` are the true ones. Two arrays are apart if one ends where the other begins or before.

use super::hoisted::Hoisted;
use super::numbers::{Interval, floor_div};
use super::own::{LINE, MOST_BYTES};
use super::rows::{Object, Span};
use super::{LowerError, Result};
use crate::llvm::build::{Compare, Transaction};
use crate::llvm::{Block, Value};
use crate::raise::Raised;
use crate::raise::poly::{Poly, Symbol};
use crate::raise::rounding::Exact;
use crate::raise::shape::Rows;
use codegen::ast::Expr;
use codegen::footprint::{self, Footprint};
use polyhedra::{Affine, Budget, Constraint, Space};
use scheduler::scop::ArrayId;
use std::collections::BTreeMap;

/// Numbers within this have 64 bits.
const NARROW: i128 = 1 << 62;
/// Numbers must stay within this.
const MOST: i128 = 1 << 120;
/// Numbers are kept within this where their product would leave [`MOST`].
const FACTOR: i128 = 1 << 59;
/// Offsets of arrays with symbolic strides must stay within this.
const BOUNDED: i128 = 1 << 62;

/// A number and its interval; of 128 bits if the interval leaves 62.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) value: Value,
    pub(super) interval: Interval,
}

pub(super) fn is_wide(interval: Interval) -> bool {
    interval.0 < -NARROW || interval.1 > NARROW
}

/// What the region touches of an array, in bytes from its base.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    pub(super) first: Number,
    pub(super) end: Number,
}

/// Operations on values of one width, and `Resize` to the width of the second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operation {
    Add,
    Mul,
    Least,
    Largest,
    LessEq,
    Resize,
}

/// Values by what was computed.
pub(super) type Made = BTreeMap<(Operation, Value, Value), Value>;

pub(super) struct Checker<'a> {
    pub(super) t: &'a mut Transaction,
    pub(super) raised: &'a Raised,
    pub(super) hoisted: &'a mut Hoisted,
    budget: &'a Budget,
    params: Vec<Number>,
    conditions: Vec<Value>,
    /// What was computed already.
    made: Made,
    offsets: Vec<(usize, Option<Bytes>)>,
    addresses: Vec<(usize, Option<Bytes>)>,
    /// Of arrays whose rows' addresses have been read.
    pub(super) spans: BTreeMap<usize, Span>,
}

/// What [`emit`] made.
pub(super) struct Conditions {
    /// Their conjunction.
    pub(super) all: Value,
    /// How many they are.
    pub(super) count: usize,
    /// Arrays of our own with the bytes that they need, multiples of a cache line, right if all conditions hold.
    pub(super) own: Vec<(usize, Value)>,
    /// The rows of those arrays that have rows.
    pub(super) spans: BTreeMap<usize, Span>,
}

/// Makes the conditions. Where it is not worth the while the others are not computed but control goes to `fallback`.
///
/// # Errors
/// Budget; numbers that may be too large; subscripts without bounds.
pub(super) fn emit(
    t: &mut Transaction,
    raised: &Raised,
    hoisted: &mut Hoisted,
    params: &[Value],
    (worthwhile, asked): (&[Affine], &[usize]),
    fallback: Block,
    budget: &Budget,
) -> Result<Conditions> {
    let numbers = params
        .iter()
        .zip(&raised.params)
        .map(|(&value, p)| Number { value, interval: (p.range.0.into(), p.range.1.into()) });
    let numbers = numbers.collect();
    let mut checker = Checker {
        t,
        raised,
        hoisted,
        budget,
        params: numbers,
        conditions: Vec::new(),
        made: BTreeMap::new(),
        offsets: Vec::new(),
        addresses: Vec::new(),
        spans: BTreeMap::new(),
    };
    for form in worthwhile {
        checker.assumption(form)?;
    }
    checker.only_if_so_far(fallback);
    checker.ranges();
    for form in &raised.checks.assumptions {
        checker.assumption(form)?;
    }
    for form in &raised.checks.products {
        checker.product(form)?;
    }
    for alternatives in &raised.checks.either {
        checker.either(alternatives)?;
    }
    for exact in &raised.checks.exact {
        checker.exact(exact)?;
    }
    checker.sharpen()?;
    let mut passed = 0;
    let reads = !raised.checks.inspections.is_empty() || !raised.checks.rows.is_empty();
    let ahead = &raised.checks.ahead;
    let first = &ahead.cells;
    let is_late = |h: usize| raised.hoisted.get(h).is_some_and(|h| h.rows.is_some());
    if raised.hoisted.iter().any(|h| h.rows.is_some()) || reads {
        for form in raised.hoisted.iter().flat_map(|h| h.rows.iter().flatten()) {
            checker.product(form)?;
        }
        for &(h, a) in first.iter().filter(|(h, _)| !is_late(*h)) {
            checker.cell_apart(h, a)?;
        }
        passed = checker.only_if_so_far(fallback);
        checker.hoisted.others(checker.t, raised);
        for &(h, a) in first.iter().filter(|(h, _)| is_late(*h)) {
            checker.cell_apart(h, a)?;
        }
        passed += checker.only_if_so_far(fallback);
    }
    passed += checker.read_rows(fallback)?;
    for &array in &raised.checks.bounded {
        checker.bounded(array)?;
    }
    for &(a, b) in &raised.checks.pairs {
        checker.apart(a, b)?;
    }
    for &(h, a) in raised.checks.cells.iter().filter(|cell| !first.contains(cell)) {
        checker.cell_apart(h, a)?;
    }
    for inspection in &raised.checks.inspections {
        checker.inspect(inspection)?;
    }
    let mut own = Vec::new();
    for &k in asked {
        own.extend(checker.room(k)?.map(|bytes| (k, bytes)));
    }
    for bounded in &raised.checks.magnitudes {
        checker.magnitude(bounded)?;
    }
    // Last, because it takes longest, and where one fails the program need not ask the next.
    for look in &raised.checks.looks {
        passed += checker.only_if_so_far(fallback);
        checker.look_at_cells(look)?;
    }
    let Checker { conditions, t, spans, .. } = checker;
    let count = passed + conditions.len();
    // The original code is compiled as it would be without us: not for the few sizes that are too small, which would be unrolled.
    let few = (!worthwhile.is_empty()).then(|| t.late_true());
    let all = conditions.into_iter().chain(few).reduce(|a, b| t.and(a, b));
    let yes = t.constant(t.int(1), 1);
    Ok(Conditions { all: all.unwrap_or(yes), count, own, spans })
}

impl Checker<'_> {
    /// Goes on only if all conditions so far hold; how many they were.
    fn only_if_so_far(&mut self, fallback: Block) -> usize {
        let all = std::mem::take(&mut self.conditions);
        let count = all.len();
        if let Some(all) = all.into_iter().reduce(|a, b| self.t.and(a, b)) {
            let more = self.t.block("lw.more");
            self.t.branch_if(all, more, fallback);
            self.t.position(more);
        }
        count
    }

    /// Reads the addresses of rows, and checks what makes arrays of them; how many conditions that took before anything was read.
    fn read_rows(&mut self, fallback: Block) -> Result<usize> {
        let raised = self.raised;
        let mut ends = Vec::new();
        for rows in &raised.checks.rows {
            ends.push(self.places_read(&rows.read)?);
        }
        if ends.is_empty() {
            return Ok(0);
        }
        let mut all: Vec<_> = raised.checks.rows.iter().zip(ends).collect();
        let mut tables = Vec::new();
        for (rows, ends) in &all {
            tables.push(self.table_bytes(rows.array, *ends)?);
        }
        // What has rows itself is not known yet.
        let has_rows = |a: usize| raised.checks.rows.iter().any(|rows| rows.array == a);
        for ((rows, _), hull) in all.iter().zip(&tables) {
            self.table_apart(*hull, rows.writers.iter().copied().filter(|&w| !has_rows(w)))?;
        }
        let mut passed = self.only_if_so_far(fallback);
        let along = raised.checks.ahead.along.as_ref();
        all.sort_by_key(|(rows, _)| along.is_none_or(|(array, _)| rows.array != *array));
        for (rows, ends) in all {
            let mut guarded = Vec::new();
            if let Some((_, cells)) = along.filter(|(array, _)| rows.array == *array) {
                for &cell in cells {
                    guarded.push(self.cell_bytes(cell)?);
                }
                guarded.extend(&tables);
            }
            self.inspect_rows(rows, ends, &guarded)?;
            if !guarded.is_empty() {
                passed += self.only_if_so_far(fallback);
            }
        }
        for (rows, hull) in raised.checks.rows.iter().zip(&tables) {
            self.table_apart(*hull, rows.writers.iter().copied().filter(|&w| has_rows(w)))?;
        }
        Ok(passed)
    }

    fn table_apart(&mut self, hull: Bytes, writers: impl Iterator<Item = usize>) -> Result<()> {
        for writer in writers {
            let Some(other) = self.object(writer)? else { continue };
            self.require_objects_apart(Object { hull, rows: None }, other)?;
        }
        Ok(())
    }

    fn ranges(&mut self) {
        let i64 = self.t.int(64);
        for (k, p) in self.raised.params.iter().enumerate().filter(|(_, p)| p.check_range) {
            // low <= p <= high as one unsigned comparison.
            let (low, high) = (i128::from(p.range.0), i128::from(p.range.1));
            let (low, room) = (self.t.constant(i64, low), self.t.constant(i64, high - low));
            let above = self.t.sub(self.params[k].value, low);
            let holds = self.t.compare(Compare::UnsignedLessEqual, above, room);
            self.require(holds);
        }
    }

    /// Parameters that the context keeps from being negative. Its rows are known, or are among the conditions: so this must come after the assumptions, which
    /// would else prove themselves.
    fn sharpen(&mut self) -> Result<()> {
        let space = Space::new(self.raised.params.len(), 0);
        let Some(context) = self.raised.scop.context.as_ref().filter(|c| c.space() == space) else { return Ok(()) };
        for (p, number) in self.params.iter_mut().enumerate() {
            if number.interval.0 < 0 && context.implies(&Constraint::ge(Affine::param(space, p)), self.budget)? {
                number.interval = (0, number.interval.1.max(0));
            }
        }
        Ok(())
    }

    fn assumption(&mut self, form: &Affine) -> Result<()> {
        let value = self.affine(form)?;
        let zero = self.constant(0);
        self.require_less_eq(zero, value);
        Ok(())
    }

    fn product(&mut self, form: &Poly) -> Result<()> {
        let value = self.polynomial(form)?;
        let zero = self.constant(0);
        self.require_less_eq(zero, value);
        Ok(())
    }

    /// Requires that factors are 1 or -1, or that they are not used.
    fn exact(&mut self, exact: &Exact) -> Result<()> {
        let i1 = self.t.int(1);
        let mut holds = self.t.constant(i1, 1);
        for &factor in &exact.factors {
            let (bits, one) =
                factor.ty().bits_of_one().ok_or(LowerError::Malformed("a factor of an unknown format"))?;
            let int = self.t.int(bits);
            let value = self.hoisted.get(factor);
            let value = self.t.freeze(value);
            let value = self.t.bitcast(value, int);
            // Without its sign.
            let (place, one) = (self.t.constant(int, 1), self.t.constant(int, i128::from(one << 1)));
            let magnitude = self.t.shl(value, place);
            let is_one = self.t.compare(Compare::Equal, magnitude, one);
            holds = self.t.and(holds, is_one);
        }
        for form in &exact.unless {
            let (zero, value) = (self.constant(0), self.affine(form)?);
            let runs = self.less_eq(zero, value);
            let yes = self.t.constant(i1, 1);
            let rests = self.t.xor(runs, yes);
            holds = self.t.or(holds, rests);
        }
        self.require(holds);
        Ok(())
    }

    /// All of one list.
    fn either(&mut self, alternatives: &[Vec<Poly>]) -> Result<()> {
        let mut any: Option<Value> = None;
        for list in alternatives {
            let mut all = self.t.constant(self.t.int(1), 1);
            for form in list {
                let value = self.polynomial(form)?;
                let zero = self.constant(0);
                let holds = self.less_eq(zero, value);
                all = self.t.and(all, holds);
            }
            any = Some(any.map_or(all, |any| self.t.or(any, all)));
        }
        if let Some(any) = any {
            self.require(any);
        }
        Ok(())
    }

    /// `-2^62 < offset < 2^62` for every byte of the array.
    fn bounded(&mut self, array: usize) -> Result<()> {
        let Some(bytes) = self.offsets(array)? else { return Ok(()) };
        let (least, most) = (self.constant(1 - BOUNDED), self.constant(BOUNDED - 1));
        self.require_less_eq(least, bytes.first);
        self.require_less_eq(bytes.end, most);
        Ok(())
    }

    /// The bytes that an array of our own needs; `None`: nothing touches it.
    fn room(&mut self, array: usize) -> Result<Option<Value>> {
        let Some(bytes) = self.offsets(array)? else { return Ok(None) };
        let (least, most) = (self.constant(0), self.constant(MOST_BYTES));
        self.require_less_eq(least, bytes.first);
        self.require_less_eq(least, bytes.end);
        self.require_less_eq(bytes.end, most);
        let up = self.constant(LINE - 1);
        let up = self.add(bytes.end, up)?;
        let i64 = self.t.int(64);
        let value = self.t.resize_unsigned(up.value, i64);
        let mask = self.t.constant(i64, -LINE);
        Ok(Some(self.t.and(value, mask)))
    }

    fn apart(&mut self, a: usize, b: usize) -> Result<()> {
        let (Some(x), Some(y)) = (self.object(a)?, self.object(b)?) else { return Ok(()) };
        self.require_objects_apart(x, y)
    }

    /// Does an array leave the cell of a hoisted load alone?
    fn cell_apart(&mut self, hoisted: usize, array: usize) -> Result<()> {
        let Some(x) = self.object(array)? else { return Ok(()) };
        let hull = self.cell_bytes(hoisted)?;
        self.require_objects_apart(x, Object { hull, rows: None })
    }

    /// The cell of a hoisted load.
    pub(super) fn cell_bytes(&mut self, hoisted: usize) -> Result<Bytes> {
        let h = self.raised.hoisted.get(hoisted).ok_or(LowerError::Malformed("a load that is not there"))?;
        let cell = self.hoisted.cell(self.t, h.base, h.offset);
        let first = self.address_of(cell);
        let bytes = self.constant(h.bytes.into());
        let end = self.add(first, bytes)?;
        Ok(Bytes { first, end })
    }

    /// A pointer as a number.
    pub(super) fn address_of(&mut self, pointer: Value) -> Number {
        let pointer = self.t.freeze(pointer);
        let (i64, i128) = (self.t.int(64), self.t.int(128));
        let address = self.t.address(pointer, i64);
        Number { value: self.t.resize_unsigned(address, i128), interval: (0, 1 << 64) }
    }

    /// What an array may be touched at.
    pub(super) fn object(&mut self, array: usize) -> Result<Option<Object>> {
        let rows = self.spans.contains_key(&array).then_some(array);
        Ok(self.addresses(array)?.map(|hull| Object { hull, rows }))
    }

    /// Does one end where the other begins or before?
    pub(super) fn are_apart(&mut self, x: Bytes, y: Bytes) -> Value {
        let before = self.less_eq(x.end, y.first);
        let after = self.less_eq(y.end, x.first);
        self.t.or(before, after)
    }

    /// The bytes that an array may be touched at, from its base or that of each row; `None`: it is not touched.
    pub(super) fn offsets(&mut self, array: usize) -> Result<Option<Bytes>> {
        if let Some((_, known)) = self.offsets.iter().find(|(a, _)| *a == array) {
            return Ok(*known);
        }
        let raised = self.raised;
        let data = raised.arrays.get(array).ok_or(LowerError::Malformed("an array that is not there"))?;
        let extents = match footprint::of_array(&raised.scop, ArrayId(array), self.budget)? {
            Footprint::Empty => {
                self.offsets.push((array, None));
                return Ok(None);
            }
            Footprint::Unbounded => {
                let name = raised.scop.arrays.get(array).map_or_else(String::new, |a| a.name.clone());
                return Err(LowerError::NoBounds(name));
            }
            Footprint::Box(extents) => extents,
        };
        if extents.len() != data.rank() {
            return Err(LowerError::Malformed("another number of subscripts than strides"));
        }
        let extents = &extents[data.rank() - data.strides.len()..];
        let mut first = self.constant(0);
        let mut end = self.constant(data.bytes.into());
        for (d, (stride, extent)) in data.strides.iter().zip(extents).enumerate() {
            let stride = self.stride(stride)?;
            match &data.rows {
                Rows::Growing if d == 0 => {
                    // The first row is 0 at least.
                    let last = self.expr(&extent.upper)?;
                    let start = self.column_0(&data.rows, last, data.bytes)?;
                    end = self.add(end, start)?;
                    continue;
                }
                Rows::Shrinking(n) => {
                    // The last cell of a row is that in front of the next, which begins on the diagonal. Where some statements do not run, the extent may go on behind the last row, where the numbers
                    // of such cells fall again.
                    if d == 0 {
                        let (lower, upper) = (self.expr(&extent.lower)?, self.expr(&extent.upper)?);
                        let (one, n) = (self.constant(1), self.polynomial(n)?);
                        let next = self.add(upper, one)?;
                        let next = self.extreme(false, next, n);
                        let mut diagonal = |row: Number| {
                            let start = self.column_0(&data.rows, row, data.bytes)?;
                            let bytes = self.constant(data.bytes.into());
                            let within = self.mul(row, bytes)?;
                            self.add(start, within)
                        };
                        (first, end) = (diagonal(lower)?, diagonal(next)?);
                    }
                    continue;
                }
                _ => {}
            }
            let lower = self.expr(&extent.lower)?;
            let lower = self.mul(stride, lower)?;
            first = self.add(first, lower)?;
            let upper = self.expr(&extent.upper)?;
            let upper = self.mul(stride, upper)?;
            end = self.add(end, upper)?;
        }
        let bytes = Bytes { first, end };
        self.offsets.push((array, Some(bytes)));
        Ok(Some(bytes))
    }

    /// Bytes from the start of a triangle to column 0 of a row: half of an even product.
    fn column_0(&mut self, rows: &Rows, row: Number, bytes: u64) -> Result<Number> {
        let factor = match rows {
            Rows::Alike | Rows::Growing => {
                let one = self.constant(1);
                self.add(row, one)?
            }
            Rows::Shrinking(n) => {
                let (n, two, minus) = (self.polynomial(n)?, self.constant(2), self.constant(-1));
                let twice = self.mul(n, two)?;
                let less = self.mul(row, minus)?;
                let sum = self.add(twice, less)?;
                self.add(sum, minus)?
            }
        };
        let half = self.constant(i128::from(bytes / 2));
        let twice = self.mul(row, factor)?;
        self.mul(twice, half)
    }

    /// The same as addresses, which are made sure to lie in the address space.
    pub(super) fn addresses(&mut self, array: usize) -> Result<Option<Bytes>> {
        if let Some((_, known)) = self.addresses.iter().find(|(a, _)| *a == array) {
            return Ok(*known);
        }
        let mut out = None;
        if let Some(offsets) = self.offsets(array)? {
            let data = self.raised.arrays.get(array).ok_or(LowerError::Malformed("an array that is not there"))?;
            let [lowest, highest] = match self.span_of(array) {
                Some(span) => span,
                None => {
                    let base = self.hoisted.get(data.base);
                    let base = self.address_of(base);
                    [base, base]
                }
            };
            // No address of a row is a negative number.
            let (least, most) = (self.constant(0), self.constant(self.highest(array)));
            self.require_less_eq(least, lowest);
            let first = self.add(lowest, offsets.first)?;
            let end = self.add(highest, offsets.end)?;
            self.require_less_eq(least, first);
            self.require_less_eq(end, most);
            out = Some(Bytes { first, end });
        }
        self.addresses.push((array, out));
        Ok(out)
    }

    /// What has been computed so far.
    pub(super) fn made(&self) -> Made {
        self.made.clone()
    }

    /// Forgets what has been computed since, in blocks that need not run.
    pub(super) fn forget(&mut self, made: Made) {
        self.made = made;
    }

    /// A stride, made sure not to be negative.
    fn stride(&mut self, poly: &Poly) -> Result<Number> {
        let value = self.polynomial(poly)?;
        let zero = self.constant(0);
        self.require_less_eq(zero, value);
        Ok(value)
    }

    pub(super) fn polynomial(&mut self, poly: &Poly) -> Result<Number> {
        let mut sum = self.constant(0);
        for (m, c) in poly.terms() {
            let mut product = self.constant(c.into());
            for s in m {
                let Symbol::Param(p) = s else { return Err(LowerError::Malformed("a stride that changes")) };
                let p = *self.params.get(p.0).ok_or(LowerError::Malformed("a parameter that is not there"))?;
                product = self.mul(product, p)?;
            }
            sum = self.add(sum, product)?;
        }
        Ok(sum)
    }

    pub(super) fn affine(&mut self, form: &Affine) -> Result<Number> {
        let mut sum = self.constant(form.constant_term().into());
        for (p, &c) in form.param_coeffs().iter().enumerate().filter(|(_, c)| **c != 0) {
            let factor = self.constant(c.into());
            let param = *self.params.get(p).ok_or(LowerError::Malformed("a parameter that is not there"))?;
            let term = self.mul(param, factor)?;
            sum = self.add(sum, term)?;
        }
        Ok(sum)
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Result<Number> {
        match e {
            Expr::Affine(e) => self.affine(e),
            Expr::FloorDiv(e, d) => {
                let v = self.expr(e)?;
                self.floor_div(v, *d)
            }
            Expr::CeilDiv(e, d) => {
                let v = self.expr(e)?;
                let room = self.constant(i128::from(*d) - 1);
                let v = self.add(v, room)?;
                self.floor_div(v, *d)
            }
            Expr::Min(list) => self.extremum(false, list),
            Expr::Max(list) => self.extremum(true, list),
        }
    }

    /// The larger or the smaller one.
    pub(super) fn extreme(&mut self, largest: bool, a: Number, b: Number) -> Number {
        let wide = is_wide(a.interval) || is_wide(b.interval);
        let (x, y) = (self.as_width(a, wide), self.as_width(b, wide));
        let value = self.make(if largest { Operation::Largest } else { Operation::Least }, x, y);
        let choose = if largest { i128::max } else { i128::min };
        let interval = (choose(a.interval.0, b.interval.0), choose(a.interval.1, b.interval.1));
        self.fitting(value, wide, interval)
    }

    pub(super) fn extremum(&mut self, largest: bool, list: &[Expr]) -> Result<Number> {
        let mut best: Option<Number> = None;
        for e in list {
            let v = self.expr(e)?;
            best = Some(match best {
                None => v,
                Some(b) => self.extreme(largest, b, v),
            });
        }
        best.ok_or(LowerError::Malformed("minimum or maximum of nothing"))
    }

    fn floor_div(&mut self, v: Number, d: i64) -> Result<Number> {
        if d < 1 {
            return Err(LowerError::Malformed("a divisor that is not positive"));
        }
        if is_wide(v.interval) {
            return Err(LowerError::TooLarge("a bound of the memory that is accessed"));
        }
        let value = floor_div(self.t, v.value, d, false);
        let d = i128::from(d);
        Ok(Number { value, interval: (v.interval.0.div_euclid(d), v.interval.1.div_euclid(d)) })
    }

    pub(super) fn constant(&mut self, c: i128) -> Number {
        let bits = if is_wide((c, c)) { 128 } else { 64 };
        Number { value: self.t.constant(self.t.int(bits), c), interval: (c, c) }
    }

    fn as_width(&mut self, v: Number, wide: bool) -> Value {
        if wide == is_wide(v.interval) {
            return v.value;
        }
        let like = self.t.constant(self.t.int(if wide { 128 } else { 64 }), 0);
        self.make(Operation::Resize, v.value, like)
    }

    /// An operation, made once.
    fn make(&mut self, what: Operation, a: Value, b: Value) -> Value {
        let t = &mut *self.t;
        *self.made.entry((what, a, b)).or_insert_with(|| match what {
            Operation::Add => t.add(a, b),
            Operation::Mul => t.mul(a, b),
            Operation::Least => t.extremum(false, a, b),
            Operation::Largest => t.extremum(true, a, b),
            Operation::LessEq => t.compare(Compare::SignedLessEqual, a, b),
            Operation::Resize => t.resize(a, b.ty()),
        })
    }

    /// A value of a width as a number of the width that its interval asks for.
    fn fitting(&mut self, value: Value, wide: bool, interval: Interval) -> Number {
        if wide == is_wide(interval) {
            return Number { value, interval };
        }
        let like = self.t.constant(self.t.int(if is_wide(interval) { 128 } else { 64 }), 0);
        Number { value: self.make(Operation::Resize, value, like), interval }
    }

    pub(super) fn add(&mut self, a: Number, b: Number) -> Result<Number> {
        let interval = (a.interval.0 + b.interval.0, a.interval.1 + b.interval.1);
        match (a.interval, b.interval) {
            ((0, 0), _) => return Ok(b),
            (_, (0, 0)) => return Ok(a),
            _ => check_size(interval)?,
        }
        let wide = is_wide(interval) || is_wide(a.interval) || is_wide(b.interval);
        let (x, y) = (self.as_width(a, wide), self.as_width(b, wide));
        let sum = self.make(Operation::Add, x, y);
        Ok(self.fitting(sum, wide, interval))
    }

    pub(super) fn mul(&mut self, a: Number, b: Number) -> Result<Number> {
        match (a.interval, b.interval) {
            ((0, 0), _) | (_, (0, 0)) => return Ok(self.constant(0)),
            ((1, 1), _) => return Ok(b),
            (_, (1, 1)) => return Ok(a),
            _ => {}
        }
        let (a, b, interval) = match product_of(a.interval, b.interval) {
            Some(interval) if check_size(interval).is_ok() => (a, b, interval),
            // No array has factors as large as these.
            _ => {
                let (a, b) = (self.within(a, FACTOR), self.within(b, FACTOR));
                let too_large = LowerError::TooLarge("the size of an array");
                (a, b, product_of(a.interval, b.interval).ok_or(too_large)?)
            }
        };
        check_size(interval)?;
        let wide = is_wide(interval) || is_wide(a.interval) || is_wide(b.interval);
        let (x, y) = (self.as_width(a, wide), self.as_width(b, wide));
        let product = self.make(Operation::Mul, x, y);
        Ok(self.fitting(product, wide, interval))
    }

    /// A number that is made sure to lie within plus or minus `most`.
    fn within(&mut self, a: Number, most: i128) -> Number {
        let (low, high) = (self.constant(-most), self.constant(most));
        self.require_less_eq(low, a);
        self.require_less_eq(a, high);
        Number { value: a.value, interval: (a.interval.0.max(-most), a.interval.1.min(most)) }
    }

    pub(super) fn less_eq(&mut self, a: Number, b: Number) -> Value {
        let wide = is_wide(a.interval) || is_wide(b.interval);
        let (x, y) = (self.as_width(a, wide), self.as_width(b, wide));
        self.make(Operation::LessEq, x, y)
    }

    pub(super) fn require(&mut self, condition: Value) {
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }

    /// One more condition, unless it follows from the ranges.
    pub(super) fn require_less_eq(&mut self, a: Number, b: Number) {
        if a.interval.1 > b.interval.0 {
            let holds = self.less_eq(a, b);
            self.require(holds);
        }
    }
}

fn product_of(a: Interval, b: Interval) -> Option<Interval> {
    let mut corners = Vec::new();
    for x in [a.0, a.1] {
        for y in [b.0, b.1] {
            corners.push(x.checked_mul(y)?);
        }
    }
    corners.iter().copied().min().zip(corners.iter().copied().max())
}

fn check_size(interval: Interval) -> Result<()> {
    if interval.0 < -MOST || interval.1 > MOST { Err(LowerError::TooLarge("the size of an array")) } else { Ok(()) }
}
