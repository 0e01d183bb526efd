//! Vectors of our own for parallel loops.
//!
//! # Problem
//! A parallel loop may run `width` of its iterations at once: `for (j = L; j <= U; j += 1) S(j)` becomes, with `q` counting vectors,
//! ```text
//! for (q = 0; q <= floor((U - L + 1) / width) - 1; q += 1)        lanes width:                     S(L + width q + lane)
//! for (q = max(0, floor((U - L + 1) / width)); q <= floor((U - L) / width); q += 1)
//!                                                                 lanes width, < U - L + 1 - width q: S(L + width q + lane)
//! ```
//! The second loop has at most one trip. With [`Shape::masked`] there is one loop only, all of it with masks, and its ends are ragged: the first vector begins
//! before `L`, the last one has no lane that runs. Where `L` is no affine form, a loop of one iteration around gives it a variable; where all loops become vectors, the loop keeps
//! its variable, and steps by `width`.
//!
//! Loops that the schedule wants in lanes ([`vectorise_marked`]) have loops inside, or cells between those of their lanes, where what is left runs first. What is apart from lane to lane comes in squares there (`blocks`), and where there is such, what is left
//! at the end runs one iteration after the other. Rows that run abreast have the loop along them outside of the lanes (`across`).
//!
//! # Which loops
//! The innermost ones that will do: parallel, steps of 1, in them only calls of statements with a vector form, cells held in registers, and loops and conditions that do not mention
//! the variable. So the accumulators of a matrix product, held over the innermost loop, become vectors held over it. Each statement then runs for all lanes
//! before the next one does, which nothing minds: iterations do not depend on each other.
//!
//! # Copies
//! With [`Shape::pack`], what such a loop reads of arrays that nothing writes is first copied into scratch memory if it is at most [`PACKED_VECTORS`] vectors, for what
//! is read in inner loops or is in registers excepted. That never pays here: it is a small producer of all that [`crate::ast`] can say of scratch memory.

mod across;
pub(crate) mod blocks;
pub(crate) mod corners;

use crate::ast::{
    Ast, AstNode, Buffer, BufferId, Call, Condition, Expr, Fetch, For, Held, Lanes, LoopKind, LoopVar, Pack, Place,
    RegisterId, Scratch,
};
use crate::interpret::subscripts;
use crate::sets::{any_affine, any_affine_in, map_condition, map_expr, widen_expr};
use blocks::{Cells, Pieces};
use corners::Families;
use polyhedra::{Affine, Space};
use scheduler::scop::{AccessId, ArrayId, Scop};
use scheduler::{Error, Result};
use std::cell::{Cell, RefCell};

/// Most vectors of one operand that are copied.
pub const PACKED_VECTORS: i64 = 8;

/// What vectors shall be like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Lanes, at least 2.
    pub width: u32,
    /// Masks everywhere, not only on what is left at the end, and ragged ends: for tests.
    pub masked: bool,
    /// Copies of operands.
    pub pack: bool,
}

/// Makes vectors of parallel loops.
///
/// # Errors
/// Overflow; a width below 2.
pub fn vectorise(scop: &Scop, ast: Ast, shape: Shape) -> Result<Ast> {
    if shape.width < 2 {
        return Err(Error::Malformed("number of lanes".into()));
    }
    made(scop, ast, Wanted::Innermost(shape))
}

/// Makes vectors of the loops that the schedule wants to have lanes ([`LoopKind::Lanes`]), and of corners ([`LoopKind::Corner`]); those that will not do stay as they are.
///
/// # Errors
/// Overflow.
pub fn vectorise_marked(scop: &Scop, ast: Ast) -> Result<Ast> {
    if has_marked(&ast.body) { made(scop, ast, Wanted::Marked) } else { Ok(ast) }
}

fn has_marked(nodes: &[AstNode]) -> bool {
    nodes.iter().any(|node| match node {
        AstNode::For(f) => {
            matches!(f.kind, LoopKind::Lanes { .. } | LoopKind::Corner { .. } | LoopKind::Abreast { .. })
                || has_marked(&f.body)
        }
        AstNode::Held(h) => has_marked(&h.body),
        AstNode::If { then, otherwise, .. } => has_marked(then) || has_marked(otherwise),
        AstNode::Scratch(s) => has_marked(&s.body) || has_marked(&s.otherwise),
        AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => false,
    })
}

fn made(scop: &Scop, ast: Ast, wanted: Wanted) -> Result<Ast> {
    let space = Space::new(ast.space.params, ast.space.dims + 4);
    let body = map_nodes(ast.body, &|e| widen_expr(e, 4));
    let lane = LoopVar(ast.space.dims);
    let rest = LoopVar(ast.space.dims + 1);
    let single = LoopVar(ast.space.dims + 2);
    let begin = LoopVar(ast.space.dims + 3);
    // Every loop that is marked has its own width.
    let shape = match wanted {
        Wanted::Innermost(shape) => shape,
        Wanted::Marked => Shape { width: 0, masked: false, pack: false },
    };
    let next = Cell::new(first_free(&body));
    let (buffers, held_by_lanes) = (ast.buffers, RefCell::default());
    let mut maker = Maker {
        scop,
        wanted,
        shape,
        vectors: 1,
        space,
        lane,
        rest,
        single,
        begin,
        buffers,
        held: Vec::new(),
        held_by_lanes,
        next,
    };
    let (body, _) = maker.list(body)?;
    Ok(Ast {
        space,
        body,
        buffers: maker.buffers,
        worthwhile: ast.worthwhile,
        embedded: ast.embedded,
        filling: ast.filling,
    })
}

/// Which loops become vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// The innermost ones that will do.
    Innermost(Shape),
    /// Those that are marked.
    Marked,
}

struct Maker<'a> {
    scop: &'a Scop,
    wanted: Wanted,
    /// Of the vectors that are being made.
    shape: Shape,
    /// So many side by side.
    vectors: u32,
    space: Space,
    /// One for all: lanes are never within lanes.
    lane: LoopVar,
    /// Of loops over what is left of others: never within each other.
    rest: LoopVar,
    /// Of loops over vectors that have none beside them.
    single: LoopVar,
    /// Where loops begin for which no affine form says that.
    begin: LoopVar,
    buffers: Vec<Buffer>,
    /// Arrays of which a cell is in a register here.
    held: Vec<ArrayId>,
    /// The cells that are in registers here, of each lane.
    held_by_lanes: RefCell<Vec<Cells>>,
    /// The number of the next register.
    next: Cell<usize>,
}

/// A copy that a call reads.
struct Copied {
    /// Place of the call in the loop's body.
    at: usize,
    pack: Pack,
    access: AccessId,
}

impl Maker<'_> {
    /// Transforms a list; says whether anything in it has become vectors.
    fn list(&mut self, nodes: Vec<AstNode>) -> Result<(Vec<AstNode>, bool)> {
        let (mut out, mut any) = (Vec::new(), false);
        for node in nodes {
            let (nodes, done) = self.node(node)?;
            out.extend(nodes);
            any |= done;
        }
        Ok((out, any))
    }

    fn node(&mut self, node: AstNode) -> Result<(Vec<AstNode>, bool)> {
        Ok(match node {
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => (vec![node], false),
            AstNode::For(mut f) => {
                if let (Wanted::Marked, LoopKind::Lanes { width, vectors }) = (self.wanted, f.kind) {
                    f.kind = LoopKind::Point;
                    if width >= 2 && self.suits(&f)? {
                        (self.shape.width, self.vectors) = (width, vectors.max(1));
                        return Ok((self.vectors(&f)?, true));
                    }
                }
                if let (Wanted::Marked, LoopKind::Corner { width, apart }) = (self.wanted, f.kind) {
                    f.kind = LoopKind::Point;
                    let made = if width >= 2 && self.suits(&f)? { self.corner(&f, width, apart)? } else { None };
                    let done = made.is_some();
                    return Ok((made.unwrap_or_else(|| vec![AstNode::For(f)]), done));
                }
                if self.wanted == Wanted::Marked
                    && let [AstNode::For(rows)] = f.body.as_slice()
                    && let LoopKind::Abreast { width } = rows.kind
                {
                    let rows = For { kind: LoopKind::Point, ..rows.clone() };
                    return Ok((self.across(&f, &rows, width)?, true));
                }
                let (body, done) = self.list(f.body)?;
                f.body = body;
                if done || self.wanted == Wanted::Marked || !self.suits(&f)? {
                    (vec![AstNode::For(f)], done)
                } else {
                    (self.vectors(&f)?, true)
                }
            }
            AstNode::Held(mut h) => {
                self.held.push(h.array);
                let (body, done) = self.list(h.body)?;
                self.held.pop();
                h.body = body;
                (vec![AstNode::Held(h)], done)
            }
            AstNode::If { conditions, then, otherwise } => {
                let ((then, a), (otherwise, b)) = (self.list(then)?, self.list(otherwise)?);
                (vec![AstNode::If { conditions, then, otherwise }], a | b)
            }
            AstNode::Scratch(mut s) => {
                let ((body, a), (otherwise, b)) = (self.list(s.body)?, self.list(s.otherwise)?);
                (s.body, s.otherwise) = (body, otherwise);
                (vec![AstNode::Scratch(s)], a | b)
            }
        })
    }

    /// A loop along which rows go ahead abreast, with the rows as lanes; or else written out.
    fn across(&self, f: &For, rows: &For, width: u32) -> Result<Vec<AstNode>> {
        let Expr::Affine(first) = &rows.lower else { return Err(Error::Malformed("where rows abreast begin".into())) };
        let mut written_out = Vec::new();
        for k in 0..i64::from(width) {
            written_out.extend(with_value(&rows.body, rows.var, &first.offset(k)?)?);
        }
        let one_by_one = For { body: written_out, ..f.clone() };
        if self.suits(rows)? {
            let lanes = Lanes { var: self.lane, width, from: None, to: None };
            let at_once = self.in_lanes(&rows.body, rows.var, first, &lanes, &[])?;
            let held = self.held_by_lanes.borrow();
            if let Some(pieces) = self.pieces(&held).across(&one_by_one, &at_once, width, &self.next)? {
                return Ok(vec![pieces]);
            }
        }
        Ok(vec![AstNode::For(one_by_one)])
    }

    fn suits(&self, f: &For) -> Result<bool> {
        Ok(f.parallel && f.step == 1 && self.all_suit(&f.body, f.var)?)
    }

    fn all_suit(&self, nodes: &[AstNode], var: LoopVar) -> Result<bool> {
        let mentions = |e: &Affine| e.dim_coeff(var.0) != 0;
        for node in nodes {
            let good = match node {
                AstNode::Call(call) => {
                    let statement = self.scop.statements.get(call.statement.0);
                    let statement = statement.ok_or_else(|| Error::Malformed("unknown statement".into()))?;
                    let write = subscripts(statement.write(), call, self.space)?;
                    call.lanes.is_none() && statement.has_vectors() && write.iter().any(mentions)
                }
                AstNode::Held(h) => {
                    let moves = h.subscripts.iter().any(mentions);
                    h.lanes.is_none() && (moves || !h.store) && self.all_suit(&h.body, var)?
                }
                AstNode::For(f) => {
                    !any_affine(&f.lower, &mentions)
                        && !any_affine(&f.upper, &mentions)
                        && self.all_suit(&f.body, var)?
                }
                AstNode::If { conditions, then, otherwise } => {
                    !conditions.iter().any(|c| any_affine_in(c, &mentions))
                        && self.all_suit(then, var)?
                        && self.all_suit(otherwise, var)?
                }
                AstNode::Pack(_) | AstNode::Fetch(_) | AstNode::Scratch(_) => false,
            };
            if !good {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The loops that take the place of one.
    fn vectors(&mut self, f: &For) -> Result<Vec<AstNode>> {
        let width = i64::from(self.shape.width);
        let Expr::Affine(lower) = &f.lower else {
            return if self.wanted == Wanted::Marked { self.begun_anywhere(f) } else { self.by_width(f) };
        };
        let space = self.space;
        let number = |c: i64| Affine::constant(space, c);
        let ragged = self.shape.masked && !fixes_a_cell(&f.body, f.var);
        let off = if ragged { width / 2 } else { 0 };
        // The last iteration, counted from the one in lane 0 of the first vector. Vectors are counted by `q`, which is the loop's own variable.
        let last = minus(&f.upper, &lower.offset(-off)?)?;
        let mut first = lower.offset(-off)?;
        first.set_dim(f.var.0, width);
        let mut done = Affine::zero(self.space);
        done.set_dim(f.var.0, width);
        let every = Lanes { var: self.lane, width: self.shape.width, from: None, to: None };
        let some = Lanes {
            from: ragged.then(|| number(off).sub(&done).map(Expr::Affine)).transpose()?,
            to: Some(minus(&last, &done.offset(-1)?)?),
            ..every.clone()
        };
        let zero = Expr::Affine(Affine::zero(self.space));
        let full = Expr::FloorDiv(Box::new(minus(&last, &number(-1))?), width);
        let end = Expr::FloorDiv(Box::new(last), width);
        let end = if ragged { minus(&end, &number(-1))? } else { end };
        let range = |lower: &Expr, upper: &Expr, body: Vec<AstNode>| {
            let (lower, upper) = (lower.clone(), upper.clone());
            AstNode::For(For { lower, upper, step: 1, body, ..f.clone() })
        };
        let copied = if self.shape.pack { self.copies(&f.body, f.var, &first)? } else { Vec::new() };
        let loops = |copied: &[Copied]| -> Result<Vec<AstNode>> {
            let left = if self.wanted == Wanted::Marked && self.has_apart(&f.body, f.var)? {
                let body = with_value(&f.body, f.var, &Affine::dim(self.space, self.rest.0))?;
                vec![AstNode::For(For { var: self.rest, lower: Expr::Affine(first.clone()), body, ..f.clone() })]
            } else {
                self.in_lanes(&f.body, f.var, &first, &some, copied)?
            };
            if self.shape.masked {
                return Ok(vec![range(&zero, &end, left)]);
            }
            let left = range(&Expr::Max(vec![zero.clone(), full.clone()]), &end, left);
            if self.vectors > 1 {
                let mut all = self.side_by_side(f, lower, &full, &every)?;
                all.push(left);
                return Ok(all);
            }
            let plain = self.in_lanes(&f.body, f.var, &first, &every, copied)?;
            let whole = range(&zero, &minus(&full, &number(1))?, plain);
            // What is left does not wait for the last whole vector, which may have stored between the cells that it reads.
            Ok(if self.leaves_cells_out(&f.body, f.var)? { vec![left, whole] } else { vec![whole, left] })
        };
        let plain = loops(&[])?;
        if copied.is_empty() {
            return Ok(plain);
        }
        let mut body = Vec::new();
        for c in &copied {
            let lanes = c.pack.lanes.as_ref().map(|_| some.clone());
            let pack = AstNode::Pack(Pack { lanes: lanes.clone(), ..c.pack.clone() });
            body.push(if lanes.is_some() { range(&zero, &end, vec![pack]) } else { pack });
        }
        body.extend(loops(&copied)?);
        let most = Expr::Affine(number(PACKED_VECTORS * width - 1));
        let conditions =
            vec![Condition::LessEq(f.lower.clone(), f.upper.clone()), Condition::LessEq(minus(&f.upper, lower)?, most)];
        let buffers = copied.iter().map(|c| c.pack.to.buffer).collect();
        Ok(vec![AstNode::Scratch(Scratch { conditions, buffers, body, otherwise: plain, mirrors: false })])
    }

    /// The loops over the `full` whole vectors, [`Self::vectors`] of them side by side as long as there are as many.
    fn side_by_side(&self, f: &For, lower: &Affine, full: &Expr, every: &Lanes) -> Result<Vec<AstNode>> {
        let (width, vectors) = (i64::from(every.width), i64::from(self.vectors));
        let number = |c: i64| Affine::constant(self.space, c);
        let from = |var: LoopVar, step: i64, offset: i64| -> Result<Affine> {
            let mut first = lower.offset(offset)?;
            first.set_dim(var.0, step);
            Ok(first)
        };
        let firsts = (0..vectors).map(|k| from(f.var, width * vectors, width * k)).collect::<Result<Vec<_>>>()?;
        let whole = Expr::FloorDiv(Box::new(full.clone()), vectors);
        let body = self.at_once(&f.body, f.var, &firsts, every)?;
        let together = AstNode::For(For {
            lower: Expr::Affine(number(0)),
            upper: minus(&whole, &number(1))?,
            step: 1,
            body,
            ..f.clone()
        });
        // What is left, once: from vector `vectors q` on.
        let mut begin = number(0);
        begin.set_dim(f.var.0, vectors);
        let single = AstNode::For(For {
            var: self.single,
            lower: Expr::Affine(begin),
            upper: minus(full, &number(1))?,
            step: 1,
            body: self.in_lanes(
                &with_value(&f.body, f.var, &Affine::dim(self.space, self.single.0))?,
                self.single,
                &from(self.single, width, 0)?,
                every,
                &[],
            )?,
            ..f.clone()
        });
        let left = AstNode::For(For {
            lower: Expr::Max(vec![Expr::Affine(number(0)), whole.clone()]),
            upper: whole,
            step: 1,
            body: vec![single],
            ..f.clone()
        });
        Ok(vec![together, left])
    }

    /// The nodes for vectors side by side, which begin at `firsts`: each instance for all of them before the next one.
    fn at_once(&self, nodes: &[AstNode], var: LoopVar, firsts: &[Affine], lanes: &Lanes) -> Result<Vec<AstNode>> {
        let mut out = Vec::new();
        for node in nodes {
            match node {
                AstNode::For(f) => match self.pieces_at_once(f, var, firsts, lanes)? {
                    Some(pieces) => out.push(pieces),
                    None => {
                        out.push(AstNode::For(For { body: self.at_once(&f.body, var, firsts, lanes)?, ..f.clone() }))
                    }
                },
                AstNode::Held(h) => {
                    let moves = h.subscripts.iter().any(|e| e.dim_coeff(var.0) != 0);
                    let cells = if moves { firsts } else { &firsts[..1] };
                    let cell = |first: &Affine| {
                        h.subscripts.iter().map(|e| self.for_lane(e, var, first)).collect::<Result<Vec<_>>>()
                    };
                    let cells = cells.iter().map(cell).collect::<Result<Vec<_>>>()?;
                    let held = cells.iter().map(|cell| (h.array, cell.clone()));
                    let mut body = self.within(held, |maker| maker.at_once(&h.body, var, firsts, lanes))?;
                    for subscripts in cells.into_iter().rev() {
                        let id = RegisterId(self.next.replace(self.next.get() + 1));
                        let lanes = moves.then(|| lanes.clone());
                        body = vec![AstNode::Held(Held {
                            id,
                            ahead: None,
                            mirrored: None,
                            subscripts,
                            lanes,
                            body,
                            ..h.clone()
                        })];
                    }
                    out.extend(body);
                }
                AstNode::If { conditions, then, otherwise } => out.push(AstNode::If {
                    conditions: conditions.clone(),
                    then: self.at_once(then, var, firsts, lanes)?,
                    otherwise: self.at_once(otherwise, var, firsts, lanes)?,
                }),
                AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) | AstNode::Scratch(_) => {
                    for first in firsts {
                        out.extend(self.in_lanes(std::slice::from_ref(node), var, first, lanes, &[])?);
                    }
                }
            }
        }
        Ok(out)
    }

    /// A loop in squares: a square of each vector after the other, which processors overlap. `None`: there are none.
    fn pieces_at_once(&self, f: &For, var: LoopVar, firsts: &[Affine], lanes: &Lanes) -> Result<Option<AstNode>> {
        let mut all: Option<For> = None;
        for first in firsts {
            let one = For { body: self.in_lanes(&f.body, var, first, lanes, &[])?, ..f.clone() };
            let pieces = self.pieces(&self.held_by_lanes.borrow()).cut(&one, lanes.width, &self.next)?;
            let Some([AstNode::For(pieces)]) = pieces.as_deref() else { return Ok(None) };
            let Some(all) = &mut all else {
                all = Some(pieces.clone());
                continue;
            };
            let ([AstNode::If { conditions, then, otherwise }], [AstNode::If { conditions: c, then: t, otherwise: o }]) =
                (&mut all.body[..], &pieces.body[..])
            else {
                return Ok(None);
            };
            if (&all.lower, &all.upper, &*conditions) != (&pieces.lower, &pieces.upper, c) {
                return Ok(None);
            }
            then.extend_from_slice(t);
            otherwise.extend_from_slice(o);
        }
        Ok(all.map(AstNode::For))
    }

    /// A corner as vectors. `None`: it is none that will do.
    fn corner(&mut self, f: &For, width: u32, apart: bool) -> Result<Option<Vec<AstNode>>> {
        let Expr::Affine(lower) = &f.lower else { return Ok(None) };
        let call = |node: &AstNode| if let AstNode::Call(call) = node { Some(call.clone()) } else { None };
        let Some(calls) = f.body.iter().map(call).collect::<Option<Vec<Call>>>() else { return Ok(None) };
        let Some(families) = Families::of(self.scop, self.space, &calls, f.var, |_, _| Ok(apart))? else {
            return Ok(None);
        };
        let vector = i64::from(width);
        let last = minus(&f.upper, lower)?;
        let numbers =
            |e: &Expr| if let Expr::Affine(e) = e { e.is_constant().then(|| e.constant_term()) } else { None };
        // Either a number of vectors, or one of which some lanes do not run.
        let (count, to) = match &last {
            Expr::Affine(_) => (numbers(&last).map(|last| last + 1), None),
            Expr::Min(list) => {
                let one = list.iter().filter_map(numbers).any(|last| last == vector - 1);
                (one.then_some(vector), Some(minus(&last, &Affine::constant(self.space, -1))?))
            }
            _ => (None, None),
        };
        let Some(count) = count.filter(|count| *count >= vector && count % vector == 0) else { return Ok(None) };
        let lanes = Lanes { var: self.lane, width, from: None, to };
        let mut firsts = Vec::new();
        for k in 0..count / vector {
            firsts.push(lower.offset(k * vector)?);
        }
        // All vectors side by side: they do not wait for each other.
        let mut body = Vec::new();
        for call in &f.body {
            for first in &firsts {
                body.extend(self.in_lanes(std::slice::from_ref(call), f.var, first, &lanes, &[])?);
            }
        }
        for first in firsts.iter().rev() {
            let families = families.moved(|e| self.for_lane(e, f.var, first))?;
            body = families.hold(body, &lanes, &self.next)?;
        }
        Ok(Some(body))
    }

    /// Are cells accessed that are no neighbours from lane to lane? Then a few of them are better done one after the other than under masks.
    fn has_apart(&self, nodes: &[AstNode], var: LoopVar) -> Result<bool> {
        for node in nodes {
            let apart = match node {
                AstNode::Call(call) => {
                    let accesses = self.scop.statements.get(call.statement.0).map_or(&[][..], |s| &s.accesses);
                    let mut any = false;
                    for access in accesses {
                        let cell = subscripts(access, call, self.space)?;
                        any |=
                            cell.split_last().is_some_and(|(_, others)| others.iter().any(|e| e.dim_coeff(var.0) != 0));
                    }
                    any
                }
                AstNode::Held(h) => self.has_apart(&h.body, var)?,
                AstNode::For(f) => self.has_apart(&f.body, var)?,
                AstNode::If { then, otherwise, .. } => self.has_apart(then, var)? || self.has_apart(otherwise, var)?,
                AstNode::Pack(_) | AstNode::Fetch(_) | AstNode::Scratch(_) => false,
            };
            if apart {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Are there only calls, one of which stores to every second cell or fewer?
    fn leaves_cells_out(&self, nodes: &[AstNode], var: LoopVar) -> Result<bool> {
        let mut any = false;
        for node in nodes {
            let AstNode::Call(call) = node else { return Ok(false) };
            let Some(statement) = self.scop.statements.get(call.statement.0) else { return Ok(false) };
            let cell = subscripts(statement.write(), call, self.space)?;
            any |= cell.last().is_some_and(|e| e.dim_coeff(var.0).abs() > 1);
        }
        Ok(any)
    }

    /// The loops, in one of a single iteration whose variable is where they begin.
    fn begun_anywhere(&mut self, f: &For) -> Result<Vec<AstNode>> {
        let lower = Expr::Affine(Affine::dim(self.space, self.begin.0));
        let body = self.vectors(&For { lower, ..f.clone() })?;
        let (lower, upper) = (f.lower.clone(), f.lower.clone());
        Ok(vec![AstNode::For(For { var: self.begin, lower, upper, step: 1, body, ..f.clone() })])
    }

    /// All with masks, in steps of the width.
    fn by_width(&mut self, f: &For) -> Result<Vec<AstNode>> {
        let at = Affine::dim(self.space, f.var.0);
        let to = Some(minus(&f.upper, &at.offset(-1)?)?);
        let lanes = Lanes { var: self.lane, width: self.shape.width, from: None, to };
        let body = self.in_lanes(&f.body, f.var, &at, &lanes, &[])?;
        Ok(vec![AstNode::For(For { step: i64::from(self.shape.width), body, ..f.clone() })])
    }

    /// The nodes for lanes: `var` becomes `first + lane`.
    fn in_lanes(
        &self,
        nodes: &[AstNode],
        var: LoopVar,
        first: &Affine,
        lanes: &Lanes,
        copied: &[Copied],
    ) -> Result<Vec<AstNode>> {
        let forms = |list: &[Affine]| list.iter().map(|e| self.for_lane(e, var, first)).collect::<Result<Vec<_>>>();
        let mut out = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            out.push(match node {
                AstNode::For(f) => {
                    let f = For { body: self.in_lanes(&f.body, var, first, lanes, &[])?, ..f.clone() };
                    if self.wanted == Wanted::Marked
                        && let Some(pieces) =
                            self.pieces(&self.held_by_lanes.borrow()).cut(&f, lanes.width, &self.next)?
                    {
                        out.extend(pieces);
                        continue;
                    }
                    AstNode::For(f)
                }
                AstNode::Call(call) => {
                    let packed = copied.iter().filter(|c| c.at == at);
                    AstNode::Call(Call {
                        iterators: forms(&call.iterators)?,
                        lanes: Some(lanes.clone()),
                        packed: packed.map(|c| (c.access, c.pack.to.clone())).collect(),
                        mirrored: Vec::new(),
                        ..call.clone()
                    })
                }
                AstNode::Held(h) => {
                    let moves = h.subscripts.iter().any(|e| e.dim_coeff(var.0) != 0);
                    let subscripts = forms(&h.subscripts)?;
                    let held = (h.array, subscripts.clone());
                    let body = self.within([held], |maker| maker.in_lanes(&h.body, var, first, lanes, &[]))?;
                    let lanes = moves.then(|| lanes.clone());
                    AstNode::Held(Held { ahead: None, mirrored: None, subscripts, lanes, body, ..h.clone() })
                }
                AstNode::If { conditions, then, otherwise } => AstNode::If {
                    conditions: conditions.clone(),
                    then: self.in_lanes(then, var, first, lanes, &[])?,
                    otherwise: self.in_lanes(otherwise, var, first, lanes, &[])?,
                },
                AstNode::Pack(_) | AstNode::Fetch(_) | AstNode::Scratch(_) => node.clone(),
            });
        }
        Ok(out)
    }

    /// What `make` makes, with these cells in registers around it.
    fn within<T>(&self, cells: impl IntoIterator<Item = Cells>, make: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let before = self.held_by_lanes.borrow().len();
        self.held_by_lanes.borrow_mut().extend(cells);
        let made = make(self);
        self.held_by_lanes.borrow_mut().truncate(before);
        made
    }

    fn pieces<'a>(&'a self, held: &'a [Cells]) -> Pieces<'a> {
        Pieces { scop: self.scop, space: self.space, lane: self.lane, rest: self.rest, held, sloped: None }
    }

    /// A form with `first + lane` for the variable.
    fn for_lane(&self, e: &Affine, var: LoopVar, first: &Affine) -> Result<Affine> {
        let mut value = first.clone();
        value.set_dim(self.lane.0, 1);
        put(e, var, &value)
    }

    /// What the calls in a list (not in loops within it) read of arrays that nothing writes.
    fn copies(&mut self, nodes: &[AstNode], var: LoopVar, first: &Affine) -> Result<Vec<Copied>> {
        let mut out = Vec::new();
        let lanes = Lanes { var: self.lane, width: self.shape.width, from: None, to: None };
        for (at, node) in nodes.iter().enumerate() {
            let AstNode::Call(call) = node else { continue };
            let Some(statement) = self.scop.statements.get(call.statement.0) else { continue };
            for (k, access) in statement.accesses.iter().enumerate() {
                let written = self.scop.statements.iter().any(|s| s.write().array == access.array);
                if !access.is_plain() || written || self.held.contains(&access.array) {
                    continue;
                }
                let cell = subscripts(access, call, self.space)?;
                let moves = cell.iter().any(|e| e.dim_coeff(var.0) != 0);
                let buffer = BufferId(self.buffers.len());
                // With ragged ends there are two vectors more.
                let vectors = PACKED_VECTORS.unsigned_abs() + 2;
                let cells = if moves { vectors * u64::from(self.shape.width) } else { 1 };
                self.buffers.push(Buffer { array: access.array, cells, mirror: None });
                let mut index = Affine::zero(self.space);
                if moves {
                    index.set_dim(var.0, self.shape.width.into());
                    index.set_dim(self.lane.0, 1);
                }
                let subscripts = cell.iter().map(|e| self.for_lane(e, var, first)).collect::<Result<_>>()?;
                out.push(Copied {
                    at,
                    pack: Pack {
                        to: Place { buffer, index },
                        array: access.array,
                        subscripts,
                        lanes: moves.then(|| lanes.clone()),
                    },
                    access: AccessId(k),
                });
            }
        }
        Ok(out)
    }
}

/// The nodes with a value for the variable of a loop around them.
pub(crate) fn with_value(nodes: &[AstNode], var: LoopVar, value: &Affine) -> Result<Vec<AstNode>> {
    let failed = Cell::new(None);
    let nodes = map_nodes(nodes.to_vec(), &|e| {
        put(e, var, value).unwrap_or_else(|error| {
            failed.set(Some(error));
            e.clone()
        })
    });
    failed.take().map_or(Ok(nodes), Err)
}

/// The form with a value for the variable.
pub(crate) fn put(e: &Affine, var: LoopVar, value: &Affine) -> Result<Affine> {
    let c = e.dim_coeff(var.0);
    let mut rest = e.clone();
    rest.set_dim(var.0, 0);
    Ok(rest.combine(1, value, c)?)
}

/// The first number that no register has.
fn first_free(nodes: &[AstNode]) -> usize {
    let of = |node: &AstNode| match node {
        AstNode::Held(h) => first_free(&h.body).max(h.id.0 + 1),
        AstNode::For(f) => first_free(&f.body),
        AstNode::If { then, otherwise, .. } => first_free(then).max(first_free(otherwise)),
        AstNode::Scratch(s) => first_free(&s.body).max(first_free(&s.otherwise)),
        AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => 0,
    };
    nodes.iter().map(of).max().unwrap_or(0)
}

/// Is a cell in a register that is the same for all values of the variable?
fn fixes_a_cell(nodes: &[AstNode], var: LoopVar) -> bool {
    nodes.iter().any(|node| match node {
        AstNode::Held(h) => h.subscripts.iter().all(|e| e.dim_coeff(var.0) == 0) || fixes_a_cell(&h.body, var),
        AstNode::For(f) => fixes_a_cell(&f.body, var),
        AstNode::If { then, otherwise, .. } => fixes_a_cell(then, var) || fixes_a_cell(otherwise, var),
        AstNode::Scratch(s) => fixes_a_cell(&s.body, var) || fixes_a_cell(&s.otherwise, var),
        AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => false,
    })
}

/// `e - x`, with `x` brought inside.
fn minus(e: &Expr, x: &Affine) -> Result<Expr> {
    let scaled = |d: i64| -> Result<Affine> { Ok(x.scale(d)?) };
    let all = |list: &[Expr]| list.iter().map(|e| minus(e, x)).collect::<Result<Vec<_>>>();
    Ok(match e {
        Expr::Affine(e) => Expr::Affine(e.sub(x)?),
        Expr::FloorDiv(e, d) => Expr::FloorDiv(Box::new(minus(e, &scaled(*d)?)?), *d),
        Expr::CeilDiv(e, d) => Expr::CeilDiv(Box::new(minus(e, &scaled(*d)?)?), *d),
        Expr::Min(list) => Expr::Min(all(list)?),
        Expr::Max(list) => Expr::Max(all(list)?),
    })
}

fn map_lanes(lanes: Option<Lanes>, f: &impl Fn(&Affine) -> Affine) -> Option<Lanes> {
    let bound = |e: Option<Expr>| e.map(|e| map_expr(&e, f));
    lanes.map(|l| Lanes { from: bound(l.from), to: bound(l.to), ..l })
}

/// Applies `f` to every form.
fn map_nodes(nodes: Vec<AstNode>, f: &impl Fn(&Affine) -> Affine) -> Vec<AstNode> {
    let forms = |list: Vec<Affine>| list.iter().map(f).collect::<Vec<_>>();
    let place = |p: Place| Place { index: f(&p.index), ..p };
    let conditions = |list: Vec<Condition>| list.iter().map(|c| map_condition(c, f)).collect::<Vec<_>>();
    nodes
        .into_iter()
        .map(|node| match node {
            AstNode::Call(c) => AstNode::Call(Call {
                iterators: forms(c.iterators),
                lanes: map_lanes(c.lanes, f),
                packed: c.packed.into_iter().map(|(a, p)| (a, place(p))).collect(),
                mirrored: c.mirrored.into_iter().map(|(a, p)| (a, place(p))).collect(),
                ..c
            }),
            AstNode::Pack(p) => AstNode::Pack(Pack {
                to: place(p.to),
                subscripts: forms(p.subscripts),
                lanes: map_lanes(p.lanes, f),
                ..p
            }),
            AstNode::Fetch(own) => AstNode::Fetch(Fetch { subscripts: forms(own.subscripts), ..own }),
            AstNode::For(l) => AstNode::For(For {
                lower: map_expr(&l.lower, f),
                upper: map_expr(&l.upper, f),
                body: map_nodes(l.body, f),
                ..l
            }),
            AstNode::Held(h) => AstNode::Held(Held {
                subscripts: forms(h.subscripts),
                lanes: map_lanes(h.lanes, f),
                mirrored: h.mirrored.map(place),
                body: map_nodes(h.body, f),
                ..h
            }),
            AstNode::If { conditions: c, then, otherwise } => {
                AstNode::If { conditions: conditions(c), then: map_nodes(then, f), otherwise: map_nodes(otherwise, f) }
            }
            AstNode::Scratch(s) => AstNode::Scratch(Scratch {
                conditions: conditions(s.conditions),
                body: map_nodes(s.body, f),
                otherwise: map_nodes(s.otherwise, f),
                ..s
            }),
        })
        .collect()
}
