//! Loops inside of lanes, cut into pieces of as many iterations as there are lanes.
//!
//! # Problem
//! With lanes along `i`, `x[i][j] = f(x[i][j - 1])` stores cells that are apart from lane to lane: cell by cell, to as many lines, which a stride that is a power of two
//! maps to one set of a cache, iteration after iteration.
//!
//! # Method
//! What is apart from lane to lane is often neighbours from iteration to iteration. `width` iterations together, one after the other as before, touch a square of cells. Held in registers one inside
//! the other, they can be loaded and stored by rows, as they lie, and transposed there; that is for whoever lowers them to see. `for (j = L; j <= U; j += 1)` becomes
//! ```text
//! for (q = floor((L + g) / width); q <= floor((U + g) / width); q += 1)
//!     if (L <= width q - g && width q + width - 1 - g <= U)      width iterations, of width q - g + 0, 1, ..., with cells held
//!     else for (t = max(L, width q - g); t <= min(U, width q + width - 1 - g); t += 1)          one iteration, as it was
//! ```
//! where `g` is such that the first cell in the rows of a square is a multiple of `width`: a line of a cache then belongs to one square, as far as rows begin with lines.
//!
//! # Which cells
//! Those of arrays that are accessed, but for cells that are in registers around the loop, only by `A[f][s j + c]` with one `f`, which moves with the lane and not with `j`, one `s` of 1 or -1, and numbers `c`. Cells are the same only where
//! the numbers `s j + c` are. Stored ones have one `c`; what is read with another is in the block or apart from it.

use super::{minus, put, with_value};
use crate::ast::{AstNode, Call, Condition, Expr, For, Held, Lanes, LoopVar, RegisterId};
use crate::interpret::subscripts;
use crate::sets::{floor_div, max_of, min_of};
use polyhedra::{Affine, Space};
use scheduler::scop::{Access, AccessKind, ArrayId, Scop};
use scheduler::{Error, Result};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Most calls in a piece.
pub(super) const MOST_CALLS: usize = 128;

/// Most cells in a piece that are read one by one: the time that LLVM takes for a loop grows with their square.
pub(super) const MOST_SINGLE: usize = 256;

/// What pieces need to know.
pub(super) struct Pieces<'a> {
    pub(super) scop: &'a Scop,
    pub(super) space: Space,
    pub(super) lane: LoopVar,
    /// Of the iterations that no piece takes.
    pub(super) rest: LoopVar,
    /// Cells that are in registers around the loop. What else it accesses of their arrays is other cells.
    pub(super) held: &'a [Cells],
    /// Squares may have rows that begin one or more cells later, or earlier, from lane to lane; this array is no concern of theirs.
    pub(super) sloped: Option<ArrayId>,
}

/// A cell of an array, for each lane.
pub(super) type Cells = (ArrayId, Vec<Affine>);

/// How one array is accessed.
pub(super) struct Walk {
    /// All subscripts but the last.
    others: Vec<Affine>,
    /// The last subscript of some access.
    last: Affine,
    /// `s`
    pub(super) step: i64,
    /// Of each access, in the order in which they run: its `c`, counted from `last`; and does it write?
    offsets: Vec<(i64, bool)>,
}

impl Walk {
    /// `g`: a piece begins where `j + g` is a multiple of the width.
    pub(super) fn before_line(&self, var: LoopVar, lane: LoopVar, width: i64) -> Result<Affine> {
        let mut rest = self.last.offset(self.block().0)?;
        rest.set_dim(var.0, 0);
        rest.set_dim(lane.0, 0);
        // Cells `j + rest`, or `rest - j`: then the last iteration of a piece has the first cell.
        Ok(if self.step > 0 { rest } else { rest.scale(-1)?.offset(width - 1)? })
    }

    /// What it stores to it reads before, in the same place.
    pub(super) fn is_read_first(&mut self) {
        self.offsets.insert(0, (0, false));
    }

    /// `c` of the block, and whether its cells have to be loaded and stored.
    fn block(&self) -> (i64, bool, bool) {
        match self.offsets.iter().position(|(_, writes)| *writes) {
            None => {
                let mut all: Vec<i64> = self.offsets.iter().map(|(c, _)| *c).collect();
                all.sort_unstable();
                all.dedup();
                (all[all.len() / 2], true, false)
            }
            Some(first) => {
                let own = self.offsets[first].0;
                // Does an iteration read, before its own write, what this one or a later one writes?
                let early = |(k, (c, writes)): (usize, &(i64, bool))| {
                    let ahead = (c - own) * self.step;
                    !writes && (ahead > 0 || (ahead == 0 && k < first))
                };
                (own, self.offsets.iter().enumerate().any(early), true)
            }
        }
    }
}

impl Pieces<'_> {
    /// The loops that take the place of one whose calls run for all lanes. `None`: there is nothing to gain.
    pub(super) fn cut(&self, f: &For, width: u32, next: &Cell<usize>) -> Result<Option<Vec<AstNode>>> {
        if f.step != 1 {
            return Ok(None);
        }
        let mut calls = Vec::new();
        for node in &f.body {
            match node {
                AstNode::Call(call) if call.lanes.as_ref().is_some_and(|l| l.from.is_none() && l.to.is_none()) => {
                    calls.push(call);
                }
                _ => return Ok(None),
            }
        }
        if calls.len().saturating_mul(width as usize) > MOST_CALLS {
            return Ok(None);
        }
        let walks = self.walks(&calls, f.var)?;
        let leading =
            walks.values().find(|walk| walk.offsets.iter().any(|(_, writes)| *writes)).or(walks.values().next());
        let Some(leading) = leading else { return Ok(None) };
        let lanes = width as usize;
        if self.singles(&calls, &walks)?.saturating_mul(lanes * lanes) > MOST_SINGLE {
            return Ok(None);
        }
        let width = i64::from(width);
        let before = leading.before_line(f.var, self.lane, width)?;
        let at = |k: i64| iteration_of(f.var, (&before, width), k);
        let mut body = Vec::new();
        for k in 0..width {
            body.extend(with_value(&f.body, f.var, &at(k)?)?);
        }
        for (array, walk) in walks.iter().rev() {
            body = squares((*array, walk), (f.var, width, &at), calls[0].lanes.as_ref(), next, body)?;
        }
        Ok(Some(vec![AstNode::For(in_pieces(f, (self.rest, self.space), (&before, width), body)?)]))
    }

    /// The arrays of which squares of cells can be held.
    pub(super) fn walks(&self, calls: &[&Call], var: LoopVar) -> Result<BTreeMap<ArrayId, Walk>> {
        let mut found: BTreeMap<ArrayId, Option<Walk>> = BTreeMap::new();
        for call in calls {
            let Some(statement) = self.scop.statements.get(call.statement.0) else { continue };
            // Reads come before the write.
            let (writes, reads): (Vec<_>, Vec<_>) =
                statement.accesses.iter().enumerate().partition(|(_, a)| a.kind.writes());
            for (k, access) in reads.into_iter().chain(writes) {
                let cell = subscripts(access, call, self.space)?;
                if self.is_held(access.array, &cell) || self.sloped == Some(access.array) {
                    continue;
                }
                let plain = access.is_plain() && !call.packed.iter().any(|(id, _)| id.0 == k);
                let writes = access.kind == AccessKind::Write;
                let known = found.entry(access.array);
                let fits = match known {
                    std::collections::btree_map::Entry::Vacant(free) => {
                        free.insert(self.walk(&cell, var, writes).filter(|_| plain));
                        continue;
                    }
                    std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
                };
                let offset = match fits {
                    Some(walk) if plain => offset(walk, &cell),
                    _ => None,
                };
                match (fits.as_mut(), offset) {
                    (Some(walk), Some(c)) if !writes || walk.offsets.iter().all(|(own, w)| !w || *own == c) => {
                        walk.offsets.push((c, writes));
                    }
                    _ => *fits = None,
                }
            }
        }
        Ok(found.into_iter().filter_map(|(array, walk)| Some((array, walk?))).collect())
    }

    fn is_held(&self, array: ArrayId, cell: &[Affine]) -> bool {
        self.held.iter().any(|(held, own)| *held == array && own == cell)
    }

    /// Accesses of one iteration that squares do not spare and whose cells are not neighbours from lane to lane.
    pub(super) fn singles(&self, calls: &[&Call], walks: &BTreeMap<ArrayId, Walk>) -> Result<usize> {
        let mut count = 0;
        for call in calls {
            let accesses = self.scop.statements.get(call.statement.0).map_or(&[][..], |s| &s.accesses);
            let single = |a: &&Access| !walks.contains_key(&a.array) && self.sloped != Some(a.array);
            for access in accesses.iter().filter(single) {
                let cell = subscripts(access, call, self.space)?;
                let along = |e: &Affine| e.dim_coeff(self.lane.0);
                let apart = match cell.split_last() {
                    Some((last, others)) => along(last).abs() > 1 || others.iter().any(|e| along(e) != 0),
                    None => false,
                };
                count += usize::from(apart && !self.is_held(access.array, &cell));
            }
        }
        Ok(count)
    }

    /// `A[f][s j + c]`
    pub(super) fn walk(&self, cell: &[Affine], var: LoopVar, writes: bool) -> Option<Walk> {
        let (last, others) = cell.split_last()?;
        let step = last.dim_coeff(var.0);
        let apart = others.iter().any(|e| e.dim_coeff(self.lane.0) != 0);
        let straight = self.sloped.is_some() || last.dim_coeff(self.lane.0) == 0;
        let fixed = others.iter().all(|e| e.dim_coeff(var.0) == 0) && straight;
        let good = step.abs() == 1 && apart && fixed;
        good.then(|| Walk { others: others.to_vec(), last: last.clone(), step, offsets: vec![(0, writes)] })
    }
}

/// The squares of an array around what runs in a piece. `at`: the value of the variable in an iteration.
pub(super) fn squares(
    (array, walk): (ArrayId, &Walk),
    (var, width, at): (LoopVar, i64, &dyn Fn(i64) -> Result<Affine>),
    lanes: Option<&Lanes>,
    next: &Cell<usize>,
    mut body: Vec<AstNode>,
) -> Result<Vec<AstNode>> {
    let (own, load, store) = walk.block();
    for k in 0..width {
        // The outermost has the first cell.
        let iteration = if walk.step > 0 { width - 1 - k } else { k };
        let mut cell = walk.others.clone();
        cell.push(put(&walk.last.offset(own)?, var, &at(iteration)?)?);
        let (id, lanes) = (RegisterId(next.replace(next.get() + 1)), lanes.cloned());
        body = vec![AstNode::Held(Held::new(id, (array, cell), (load, store), lanes, body))];
    }
    Ok(body)
}

/// The value of a loop's variable in iteration `k` of a piece, over the piece's number, which is the variable of the same name: `width q - g + k`.
pub(crate) fn iteration_of(var: LoopVar, (before, width): (&Affine, i64), k: i64) -> Result<Affine> {
    let mut value = before.scale(-1)?.offset(k)?;
    value.set_dim(var.0, width);
    Ok(value)
}

/// The loop in pieces of `width` iterations, the first of each where the variable and `g` make a multiple of it: `whole` where all of a piece runs, else one iteration after the other, counted by `rest`.
pub(crate) fn in_pieces(
    f: &For,
    (rest, space): (LoopVar, Space),
    (before, width): (&Affine, i64),
    whole: Vec<AstNode>,
) -> Result<For> {
    let end = |k: i64| Ok::<_, Error>(Expr::Affine(iteration_of(f.var, (before, width), k)?));
    let (first, last) = (end(0)?, end(width - 1)?);
    let left = For {
        var: rest,
        lower: max_of(vec![f.lower.clone(), first.clone()]),
        upper: min_of(vec![f.upper.clone(), last.clone()]),
        body: with_value(&f.body, f.var, &Affine::dim(space, rest.0))?,
        ..f.clone()
    };
    let conditions = vec![Condition::LessEq(f.lower.clone(), first), Condition::LessEq(last, f.upper.clone())];
    let piece = |bound: &Expr| -> Result<Expr> {
        Ok(match minus(bound, &before.scale(-1)?)? {
            Expr::Affine(e) => floor_div(e, width),
            other => Expr::FloorDiv(Box::new(other), width),
        })
    };
    let (lower, upper) = (piece(&f.lower)?, piece(&f.upper)?);
    let body = vec![AstNode::If { conditions, then: whole, otherwise: vec![AstNode::For(left)] }];
    Ok(For { lower, upper, body, ..f.clone() })
}

/// How far an access is from the first one.
fn offset(walk: &Walk, cell: &[Affine]) -> Option<i64> {
    let (last, others) = cell.split_last()?;
    let distance = last.sub(&walk.last).ok()?;
    (others == walk.others && distance.is_constant()).then(|| distance.constant_term())
}
