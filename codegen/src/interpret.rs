//! Runs an AST on paper: the oracle for code generation.
//!
//! Problem: say what loops mean, with nothing in common with the code that made them. [`instances`] lists what runs, in order. [`execute`] also runs it on a
//! *symbolic memory*: every statement instance stores a hash of itself and of the values that it read, so two orders end with equal memories only if each
//! instance saw the same values in both, or, of updates that commute ([`Statement::update`]), if it had the same operands. [`execute_original`] is the order of the source (2d+1 form, brute force), against which all else is compared.
//!
//! Held cells are registers here too. A read of a register that was never loaded, or an access to the cell of a register under other subscripts, is an
//! error: that is the contract of [`Held`]. So is a read of scratch memory that was not packed. Lanes run as vectors do: all reads before the writes.

use crate::ast::{Ast, AstNode, BufferId, Call, Condition, Expr, Held, Lanes, LoopVar, Pack};
use polyhedra::{Affine, Budget, Constraint, Optimum, Space};
use scheduler::scop::{Access, AccessId, AccessKind, ArrayId, Scop, Statement, StatementId};
use scheduler::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// `Element[e] -> value`: the cells that were written.
pub type Memory = BTreeMap<(ArrayId, Vec<i64>), u64>;

/// One statement instance: the statement and its iterators.
pub type Instance = (StatementId, Vec<i64>);

/// The instances in the order in which the loops run them.
///
/// # Errors
/// Overflow.
pub fn instances(ast: &Ast, params: &[i64]) -> Result<Vec<Instance>> {
    let mut out = Vec::new();
    let mut walker = Walker::new(ast, params, true);
    walker.run(&ast.body, &mut |env, event| {
        if let Event::Call(call) = event {
            for env in env.lanes(call.lanes.as_ref())? {
                out.push((call.statement, env.iterators(call)?));
            }
        }
        Ok(())
    })?;
    Ok(out)
}

/// Runs the loops on a symbolic memory, registers included.
///
/// # Errors
/// Overflow; a register that breaks its contract.
pub fn execute(scop: &Scop, ast: &Ast, params: &[i64]) -> Result<Memory> {
    execute_with(scop, ast, params, true)
}

/// As [`execute`]; `scratch`: is scratch memory granted?
///
/// # Errors
/// As [`execute`].
pub fn execute_with(scop: &Scop, ast: &Ast, params: &[i64], scratch: bool) -> Result<Memory> {
    let mut machine = Machine {
        scop,
        ast,
        memory: Memory::new(),
        registers: Vec::new(),
        lost: BTreeSet::new(),
        packed: BTreeMap::new(),
    };
    let mut walker = Walker::new(ast, params, scratch);
    walker.run(&ast.body, &mut |env, event| match event {
        Event::Call(call) => machine.call(call, env),
        Event::Pack(pack) => machine.pack(pack, env),
        Event::Enter(held) => machine.enter(held, env),
        Event::Leave => machine.leave(),
    })?;
    Ok(machine.memory)
}

/// Runs the instances in the given order on a symbolic memory.
///
/// # Errors
/// Overflow, unknown statement.
pub fn execute_in_order(scop: &Scop, order: &[Instance], params: &[i64]) -> Result<Memory> {
    let mut memory = Memory::new();
    for (id, iterators) in order {
        let statement = lookup(scop, *id)?;
        let mut values = Vec::new();
        for (k, access) in statement.accesses.iter().enumerate().filter(|(_, a)| !a.kind.writes()) {
            for at in cells(access, cell(access, params, iterators)?)? {
                values.push((AccessId(k), memory.get(&at).copied().unwrap_or_else(|| initial(&at))));
            }
        }
        let value = stored(statement, *id, iterators, &values);
        for access in statement.accesses.iter().filter(|a| a.kind.writes()) {
            for at in cells(access, cell(access, params, iterators)?)? {
                overwrite(&mut memory, access, at, value);
            }
        }
    }
    Ok(memory)
}

/// Runs the part in the order of the source.
///
/// # Errors
/// Overflow, a domain without bounds.
pub fn execute_original(scop: &Scop, params: &[i64]) -> Result<Memory> {
    execute_in_order(scop, &original_order(scop, params)?, params)
}

/// The instances of the part in the order of the source, found by enumerating boxes.
///
/// # Errors
/// Overflow, a domain without bounds.
pub fn original_order(scop: &Scop, params: &[i64]) -> Result<Vec<Instance>> {
    let mut keyed = Vec::new();
    for (k, statement) in scop.statements.iter().enumerate() {
        for point in points(statement, params)? {
            let mut key = Vec::new();
            for (d, &beta) in statement.beta.iter().enumerate() {
                key.push(i64::try_from(beta).map_err(|_| polyhedra::Error::Overflow)?);
                key.extend(point.get(d));
            }
            keyed.push((key, (StatementId(k), point)));
        }
    }
    keyed.sort();
    Ok(keyed.into_iter().map(|(_, instance)| instance).collect())
}

/// All points of a statement's domain for given parameters.
///
/// # Errors
/// Overflow, a domain without bounds.
pub fn points(statement: &Statement, params: &[i64]) -> Result<Vec<Vec<i64>>> {
    let budget = Budget::generous();
    let space = statement.space();
    let mut fixed = statement.domain.clone();
    for (p, &value) in params.iter().enumerate() {
        let equal = Affine::param(space, p).offset(value.checked_neg().ok_or(polyhedra::Error::Overflow)?)?;
        fixed.add(Constraint::eq(equal));
    }
    let mut ranges = Vec::new();
    for d in 0..space.dims {
        let form = Affine::dim(space, d);
        let (low, high) = (fixed.minimum(&form, &budget)?, fixed.minimum(&form.scale(-1)?, &budget)?);
        match (low, high) {
            (Optimum::Empty, _) | (_, Optimum::Empty) => return Ok(Vec::new()),
            (Optimum::Bounded(low), Optimum::Bounded(high)) => {
                let low = i64::try_from(low.ceil().to_integer()).map_err(|_| polyhedra::Error::Overflow)?;
                let high = i64::try_from((-high).floor().to_integer()).map_err(|_| polyhedra::Error::Overflow)?;
                if low > high {
                    return Ok(Vec::new());
                }
                ranges.push((low, high));
            }
            _ => return Err(Error::Malformed(format!("{}: domain without bounds", statement.name))),
        }
    }
    let mut out = Vec::new();
    let mut point: Vec<i64> = ranges.iter().map(|r| r.0).collect();
    loop {
        if statement.domain.contains(params, &point)? {
            out.push(point.clone());
        }
        let Some(k) = (0..point.len()).rev().find(|&k| point[k] < ranges[k].1) else { return Ok(out) };
        point[k] += 1;
        for later in k + 1..point.len() {
            point[later] = ranges[later].0;
        }
    }
}

/// Values of the parameters and of all loop variables.
#[derive(Clone)]
struct Env {
    params: Vec<i64>,
    vars: Vec<i64>,
    /// The lane.
    lane: usize,
    /// Is there memory for mirrors?
    mirrors: bool,
}

enum Event<'a> {
    Call(&'a Call),
    Pack(&'a Pack),
    Enter(&'a Held),
    Leave,
}

struct Walker {
    env: Env,
    scratch: bool,
}

impl Walker {
    fn new(ast: &Ast, params: &[i64], scratch: bool) -> Self {
        Self { env: Env { params: params.to_vec(), vars: vec![0; ast.space.dims], lane: 0, mirrors: false }, scratch }
    }

    fn run<'a>(&mut self, nodes: &'a [AstNode], event: &mut impl FnMut(&Env, Event<'a>) -> Result<()>) -> Result<()> {
        for node in nodes {
            match node {
                AstNode::Call(call) => event(&self.env, Event::Call(call))?,
                AstNode::Pack(pack) => event(&self.env, Event::Pack(pack))?,
                AstNode::Fetch(_) => {}
                AstNode::Held(held) => {
                    event(&self.env, Event::Enter(held))?;
                    self.run(&held.body, event)?;
                    event(&self.env, Event::Leave)?;
                }
                AstNode::If { conditions, then, otherwise } => {
                    let all = self.env.all(conditions)?;
                    self.run(if all { then } else { otherwise }, event)?;
                }
                AstNode::Scratch(s) => {
                    let granted = self.scratch && self.env.all(&s.conditions)?;
                    if s.mirrors {
                        let before = std::mem::replace(&mut self.env.mirrors, granted);
                        self.run(&s.body, event)?;
                        self.env.mirrors = before;
                    } else {
                        self.run(if granted { &s.body } else { &s.otherwise }, event)?;
                    }
                }
                AstNode::For(f) => {
                    if f.step < 1 {
                        return Err(Error::Malformed("step of a loop".into()));
                    }
                    let (mut at, last) = (self.env.value(&f.lower)?, self.env.value(&f.upper)?);
                    while at <= last {
                        let slot = self.env.vars.get_mut(f.var.0);
                        *slot.ok_or_else(|| Error::Malformed("unknown loop variable".into()))? = at;
                        self.run(&f.body, event)?;
                        at = at.checked_add(f.step).ok_or(polyhedra::Error::Overflow)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Env {
    /// One environment a lane that runs.
    fn lanes(&self, lanes: Option<&Lanes>) -> Result<Vec<Self>> {
        let Some(lanes) = lanes else { return Ok(vec![self.clone()]) };
        let width = i64::from(lanes.width);
        let from = lanes.from.as_ref().map_or(Ok(0), |e| self.value(e))?.max(0);
        let to = lanes.to.as_ref().map_or(Ok(width), |e| self.value(e))?.min(width);
        (from..to).map(|k| self.lane(lanes, k)).collect()
    }

    /// All lanes, those that do not run too.
    fn all_lanes(&self, lanes: Option<&Lanes>) -> Result<Vec<Self>> {
        let Some(lanes) = lanes else { return Ok(vec![self.clone()]) };
        (0..i64::from(lanes.width)).map(|k| self.lane(lanes, k)).collect()
    }

    fn lane(&self, lanes: &Lanes, k: i64) -> Result<Self> {
        let mut own = self.clone();
        let slot = own.vars.get_mut(lanes.var.0);
        *slot.ok_or_else(|| Error::Malformed("unknown variable of lanes".into()))? = k;
        own.lane = usize::try_from(k).map_err(|_| polyhedra::Error::Overflow)?;
        Ok(own)
    }

    fn iterators(&self, call: &Call) -> Result<Vec<i64>> {
        call.iterators.iter().map(|e| self.affine(e)).collect()
    }

    fn all(&self, conditions: &[Condition]) -> Result<bool> {
        for condition in conditions {
            if !self.holds(condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn affine(&self, expr: &Affine) -> Result<i64> {
        Ok(expr.eval(&self.params, &self.vars)?)
    }

    fn value(&self, expr: &Expr) -> Result<i64> {
        Ok(match expr {
            Expr::Affine(e) => self.affine(e)?,
            Expr::FloorDiv(e, d) => self.value(e)?.checked_div_euclid(*d).ok_or(polyhedra::Error::Overflow)?,
            Expr::CeilDiv(e, d) => {
                let v = self.value(e)?;
                let (q, r) = (v.checked_div_euclid(*d), v.checked_rem_euclid(*d));
                q.zip(r).map(|(q, r)| q + i64::from(r != 0)).ok_or(polyhedra::Error::Overflow)?
            }
            Expr::Min(list) => self.values(list)?.into_iter().min().ok_or_else(empty_list)?,
            Expr::Max(list) => self.values(list)?.into_iter().max().ok_or_else(empty_list)?,
        })
    }

    fn values(&self, list: &[Expr]) -> Result<Vec<i64>> {
        list.iter().map(|e| self.value(e)).collect()
    }

    fn holds(&self, condition: &Condition) -> Result<bool> {
        Ok(match condition {
            Condition::LessEq(a, b) => self.value(a)? <= self.value(b)?,
            Condition::IsZero(e) => self.value(e)? == 0,
            Condition::Divides(d, e) => self.value(e)?.checked_rem_euclid(*d) == Some(0),
            Condition::Granted(_) => self.mirrors,
        })
    }
}

fn empty_list() -> Error {
    Error::Malformed("minimum or maximum of nothing".into())
}

/// A cell in a lane of a register.
struct Slot {
    at: (ArrayId, Vec<i64>),
    value: Option<u64>,
}

/// A register: the cells it stands for, under its subscripts and as places in memory, by lane; `None` where a lane does not run.
struct Register<'a> {
    held: &'a Held,
    slots: Vec<Option<Slot>>,
}

struct Machine<'a> {
    scop: &'a Scop,
    ast: &'a Ast,
    memory: Memory,
    registers: Vec<Register<'a>>,
    /// Cells whose last value was forgotten with its register.
    lost: BTreeSet<(ArrayId, Vec<i64>)>,
    packed: BTreeMap<(BufferId, i64), u64>,
}

impl<'a> Machine<'a> {
    fn call(&mut self, call: &Call, env: &Env) -> Result<()> {
        let scop = self.scop;
        let statement = lookup(scop, call.statement)?;
        let mut stores = Vec::new();
        for env in env.lanes(call.lanes.as_ref())? {
            let iterators = env.iterators(call)?;
            let mut values = Vec::new();
            for (k, access) in statement.accesses.iter().enumerate().filter(|(_, a)| !a.kind.writes()) {
                let packed = call.packed.iter().find(|(id, _)| id.0 == k);
                for at in cells(access, cell(access, &env.params, &iterators)?)? {
                    // A copy comes before a register that another read of the cell has.
                    let value = if let Some((_, place)) = packed {
                        let index = env.affine(&place.index)?;
                        *self.packed.get(&(place.buffer, index)).ok_or_else(|| {
                            Error::Malformed(format!("{}: reads a place that was not packed", statement.name))
                        })?
                    } else if let Some(lane) = env.lane.checked_sub(1).filter(|_| call.behind.contains(&AccessId(k))) {
                        self.behind(access, call, &at, lane)?
                    } else if let Some(slot) = self.register(access, call, &at, &env)? {
                        slot.value.ok_or_else(|| {
                            Error::Malformed(format!("{}: reads a register before it is set", statement.name))
                        })?
                    } else {
                        let value = self.in_memory(&at)?;
                        let mirrored = call.mirrored.iter().find(|(id, _)| id.0 == k);
                        if let Some((_, place)) = mirrored.filter(|_| env.mirrors)
                            && self.packed.get(&(place.buffer, env.affine(&place.index)?)) != Some(&value)
                        {
                            return Err(Error::Malformed(format!("{}: a mirror without its cell", statement.name)));
                        }
                        value
                    };
                    values.push((AccessId(k), value));
                }
            }
            stores.push((env, stored(statement, call.statement, &iterators, &values), iterators));
        }
        for (env, value, iterators) in stores {
            for access in statement.accesses.iter().filter(|a| a.kind.writes()) {
                for at in cells(access, cell(access, &env.params, &iterators)?)? {
                    match self.register(access, call, &at, &env)? {
                        Some(slot) => slot.value = Some(value),
                        None => {
                            if access.kind == AccessKind::MayWrite {
                                self.in_memory(&at)?;
                            }
                            self.lost.remove(&at);
                            overwrite(&mut self.memory, access, at, value);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn pack(&mut self, pack: &Pack, env: &Env) -> Result<()> {
        let running: Vec<usize> = env.lanes(pack.lanes.as_ref())?.iter().map(|e| e.lane).collect();
        let cells = self.ast.buffers.get(pack.to.buffer.0).map_or(0, |b| b.cells);
        for env in env.all_lanes(pack.lanes.as_ref())? {
            let index = env.affine(&pack.to.index)?;
            if u64::try_from(index).map_or(true, |k| k >= cells) {
                return Err(Error::Malformed("packs outside of the buffer".into()));
            }
            let value = if running.contains(&env.lane) {
                let at = (pack.array, place(&pack.subscripts, &env)?);
                let is_held = |r: &&Register<'_>| r.held.array == pack.array && r.held.subscripts == pack.subscripts;
                if let Some(register) = self.registers.iter().rev().find(is_held) {
                    let lane = if register.held.lanes.is_some() { env.lane } else { 0 };
                    let slot = register.slots.get(lane).and_then(Option::as_ref).filter(|slot| slot.at == at);
                    let value = slot.and_then(|slot| slot.value);
                    value.ok_or_else(|| Error::Malformed("packs a register that does not have the cell".into()))?
                } else if self
                    .registers
                    .iter()
                    .any(|r| r.held.is_written() && r.slots.iter().flatten().any(|s| s.at == at))
                {
                    return Err(Error::Malformed("packs a cell that is in a register".into()));
                } else {
                    self.in_memory(&at)?
                }
            } else {
                0
            };
            self.packed.insert((pack.to.buffer, index), value);
        }
        Ok(())
    }

    /// The slot of a register that an access uses.
    fn register(
        &mut self,
        access: &Access,
        call: &Call,
        at: &(ArrayId, Vec<i64>),
        env: &Env,
    ) -> Result<Option<&mut Slot>> {
        let mut found = None;
        for (k, register) in self.registers.iter().enumerate().rev() {
            let held = register.held;
            if held.array != access.array {
                continue;
            }
            if access.is_plain() && subscripts(access, call, self.ast.space)? == held.subscripts {
                if access.kind.writes() && !held.is_written() {
                    return Err(Error::Malformed("writes a register that is only read".into()));
                }
                if access.kind == AccessKind::Write && held.lanes.is_none() != call.lanes.is_none() {
                    return Err(Error::Malformed("many lanes write one register".into()));
                }
                found = Some((k, if held.lanes.is_some() { env.lane } else { 0 }));
                break;
            }
            if register.slots.iter().flatten().any(|s| s.at == *at) && (held.is_written() || access.kind.writes()) {
                return Err(Error::Malformed("touches a held cell under other subscripts".into()));
            }
        }
        let Some((k, lane)) = found else { return Ok(None) };
        let slot = self.registers[k].slots.get_mut(lane).and_then(Option::as_mut);
        slot.map(Some).ok_or_else(|| Error::Malformed("a register's lane that does not run".into()))
    }

    /// What a register has in a lane, which is the cell that an access wants in the next one.
    fn behind(&self, access: &Access, call: &Call, at: &(ArrayId, Vec<i64>), lane: usize) -> Result<u64> {
        let malformed = |what: &str| Error::Malformed(format!("a register one lane behind {what}"));
        let lanes = call.lanes.as_ref().ok_or_else(|| malformed("without lanes"))?;
        let cell = next_lane(&subscripts(access, call, self.ast.space)?, lanes.var)?;
        let is_it = |r: &&Register<'_>| r.held.array == access.array && r.held.subscripts == cell;
        let register = self.registers.iter().rev().find(is_it).ok_or_else(|| malformed("that is not there"))?;
        let slot = register.slots.get(lane).and_then(Option::as_ref).filter(|slot| slot.at == *at);
        slot.and_then(|slot| slot.value).ok_or_else(|| malformed("that does not have the cell"))
    }

    fn enter(&mut self, held: &'a Held, env: &Env) -> Result<()> {
        let mut slots: Vec<Option<Slot>> = Vec::new();
        for env in env.lanes(held.lanes.as_ref())? {
            let at = (held.array, place(&held.subscripts, &env)?);
            let twice = self
                .registers
                .iter()
                .any(|r| (r.held.is_written() || held.is_written()) && r.slots.iter().flatten().any(|s| s.at == at));
            if twice || (held.is_written() && slots.iter().flatten().any(|s| s.at == at)) {
                return Err(Error::Malformed("a cell is held twice".into()));
            }
            let value = if held.load { Some(self.in_memory(&at)?) } else { None };
            if let Some(place) = held.mirrored.as_ref().filter(|_| env.mirrors)
                && self.packed.get(&(place.buffer, env.affine(&place.index)?)) != value.as_ref()
            {
                return Err(Error::Malformed("holds a cell that a mirror does not have".into()));
            }
            slots.resize_with(slots.len().max(env.lane + 1), || None);
            slots[env.lane] = Some(Slot { at, value });
        }
        self.registers.push(Register { held, slots });
        Ok(())
    }

    fn leave(&mut self) -> Result<()> {
        let Some(register) = self.registers.pop() else { return Ok(()) };
        if register.held.store {
            for slot in register.slots.into_iter().flatten() {
                let value =
                    slot.value.ok_or_else(|| Error::Malformed("stores a register that was never set".into()))?;
                self.lost.remove(&slot.at);
                self.memory.insert(slot.at, value);
            }
        } else if register.held.is_written() {
            self.lost.extend(register.slots.into_iter().flatten().map(|slot| slot.at));
        }
        Ok(())
    }

    /// What a cell has.
    fn in_memory(&self, at: &(ArrayId, Vec<i64>)) -> Result<u64> {
        if self.lost.contains(at) {
            return Err(Error::Malformed("reads a cell that was left in a register".into()));
        }
        Ok(self.memory.get(at).copied().unwrap_or_else(|| initial(at)))
    }
}

fn place(subscripts: &[Affine], env: &Env) -> Result<Vec<i64>> {
    subscripts.iter().map(|e| env.affine(e)).collect()
}

fn lookup(scop: &Scop, id: StatementId) -> Result<&Statement> {
    scop.statements.get(id.0).ok_or_else(|| Error::Malformed("unknown statement".into()))
}

/// The subscripts of an access made by a call, over `[1 | N | loop variables]`; `space` is that of the AST.
///
/// # Errors
/// Overflow.
pub fn subscripts(access: &Access, call: &Call, space: Space) -> Result<Vec<Affine>> {
    access.subscripts.iter().map(|row| Ok(row.compose(&call.iterators, space)?)).collect()
}

/// The cell that the next lane has.
///
/// # Errors
/// Overflow.
pub fn next_lane(cell: &[Affine], lane: LoopVar) -> Result<Vec<Affine>> {
    cell.iter().map(|e| Ok(e.offset(e.dim_coeff(lane.0))?)).collect()
}

fn cell(access: &Access, params: &[i64], iterators: &[i64]) -> Result<(ArrayId, Vec<i64>)> {
    let place = access.subscripts.iter().map(|e| Ok(e.eval(params, iterators)?)).collect::<Result<_>>()?;
    Ok((access.array, place))
}

/// The cells of an access that starts at one.
fn cells(access: &Access, first: (ArrayId, Vec<i64>)) -> Result<Vec<(ArrayId, Vec<i64>)>> {
    let along = |k: i64| {
        let mut at = first.clone();
        if let Some(last) = at.1.last_mut() {
            *last = last.checked_add(k).ok_or(Error::Sets(polyhedra::Error::Overflow))?;
        }
        Ok(at)
    };
    (0..i64::from(access.extent)).map(along).collect()
}

/// Stores; where the store may not happen, the value decides, so that a wrong value shows.
fn overwrite(memory: &mut Memory, access: &Access, at: (ArrayId, Vec<i64>), value: u64) {
    if access.kind == AccessKind::Write || value.is_multiple_of(2) {
        memory.insert(at, value);
    }
}

/// Mixes one number into a hash (the finaliser of SplitMix64).
fn mix(hash: u64, value: u64) -> u64 {
    let mut z = hash.rotate_left(23) ^ value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn initial(at: &(ArrayId, Vec<i64>)) -> u64 {
    at.1.iter().fold(mix(1, at.0.0 as u64), |h, x| mix(h, x.cast_unsigned()))
}

/// What an instance stores that has read these values. Updates that take their operands in any order do so here, too, each operation in its own way.
fn stored(statement: &Statement, id: StatementId, iterators: &[i64], values: &[(AccessId, u64)]) -> u64 {
    let update = statement.update();
    let old = update.and_then(|(operation, read)| Some((operation, values.iter().find(|(k, _)| *k == read)?)));
    let operands = values.iter().filter(|value| old.is_none_or(|(_, old)| *value != old));
    let h = iterators.iter().fold(mix(2, id.0 as u64), |h, x| mix(h, x.cast_unsigned()));
    let h = operands.fold(h, |h, (_, v)| mix(h, *v));
    old.map_or(h, |(operation, (_, old))| {
        let turn = 7 * operation as u32;
        old.rotate_left(turn).wrapping_add(h).rotate_right(turn)
    })
}
