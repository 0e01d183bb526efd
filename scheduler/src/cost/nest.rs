//! A tree with its tiles written out: the loops that will run, and for each statement how long they are and how its accesses move with them.
//!
//! **Vocabulary.** A *loop* is one `for` of the generated code: a member of a band, or the tile loop and the point loop of a tiled member (all tile loops of a
//! band come before its point loops). The *path* of a statement is the list of loops around it, outermost first; it has a *step* for each of them. A step is
//! *idle* when the statement runs once there because loops outside determine its iteration.
//!
//! **Lanes.** A member with lanes is two loops: one over vectors in its place, and one over lanes around each statement, inside of all others.
//!
//! **Strips.** Loops over strips ([`Strip`]) are the outermost. They have the first dimensions of the paths inside; the loops that this leaves nothing to choose walk the
//! rows of a strip. So loops between the two move the rows (`i = f - t`), as they do when the code runs.

use super::carried::{Annotated, Carried};
use super::shape::{Shape, Shapes};
use crate::Result;
use crate::kernel::{Cut, Strip};
use crate::scop::{AccessKind, ArrayId, Scop, StatementId};
use crate::tree::{Lanes, Member, Node};
use polyhedra::Affine;
use std::collections::BTreeMap;

/// Index into [`Nest::loops`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LoopId(pub usize);

/// What a loop of the generated code does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A member that is not tiled.
    Plain,
    /// Walks tiles of this size.
    Tile(i64),
    /// Walks the points of a tile of this size.
    Point(i64),
    /// Walks so many iterations that are written out in the body of the loop around.
    Abreast(i64),
    /// The same as the lanes of one vector.
    AbreastInLanes(i64),
    /// Walks vectors of so many lanes.
    Vectors(i64),
    /// Walks the lanes of vectors: around each statement by itself, whatever else is in between.
    Lanes(Lanes),
}

/// A loop of the generated code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// What it does.
    pub role: Role,
    /// What the member carries.
    pub carried: Carried,
    /// How many loops are outside.
    pub depth: usize,
    /// The band it comes from, if that band is tiled.
    pub tiled_band: Option<usize>,
}

/// The code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// One after the other.
    Block(Vec<Piece>),
    /// A loop and its body.
    Loop(LoopId, Box<Piece>),
    /// An instance.
    Call(StatementId),
}

/// A statement and one loop around it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The loop.
    pub of: LoopId,
    /// Mean number of iterations.
    pub extent: f64,
    /// The same where windows are small ([`Shape::least`]).
    pub least: f64,
    /// Where they begin, in the middle of the loops outside; `None`: it does not matter or is not known.
    pub first: Option<f64>,
    /// The number of iterations where it is a constant.
    pub exact: Option<i64>,
    /// Are its bounds one number above and one below, which no parameter moves?
    pub plain: bool,
    /// Do its bounds depend on loops outside?
    pub slanted: bool,
    /// Those among the loops of the path.
    pub leans_on: Vec<LoopId>,
    /// Those that move both of its ends ([`Shape::follows`]).
    pub follows: Vec<LoopId>,
    /// Those that move it from block to block ([`Shape::blocks`]).
    pub walked_by: Vec<LoopId>,
    /// Do they depend on a loop outside whose iterations are lanes?
    pub uneven: bool,
    /// Runs once.
    pub idle: bool,
    /// Walks the points of a tile or the rows of a strip.
    pub cut: bool,
    /// Walks the lanes of a vector.
    pub lanes: Option<Lanes>,
}

/// An access and how it moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Movement {
    /// The array.
    pub array: ArrayId,
    /// Read or write.
    pub kind: AccessKind,
    /// Cells covered in the last dimension.
    pub extent: u32,
    /// The subscripts where all loops are at 0.
    pub base: Vec<i64>,
    /// What of the last of these does not depend on parameters.
    pub fixed: i64,
    /// The same where all loops are at where they are counted from ([`Shape::counted_from`]).
    pub begin: i64,
    /// `by[step][subscript]`: how far an iteration of the step moves the subscript.
    pub by: Vec<Vec<i64>>,
    /// The same with what it moves the loops inside that walk from block to block ([`Shape::blocks`]).
    pub sweeps: Vec<Vec<i64>>,
    /// Of the source: it has the value in a register.
    pub in_register: bool,
}

impl Movement {
    /// Does the step move it?
    #[must_use]
    pub fn moves(&self, step: usize) -> bool {
        self.by.get(step).is_some_and(|b| b.iter().any(|&c| c != 0))
    }

    /// Does the step move it, or the loops inside to another block?
    #[must_use]
    pub fn is_swept(&self, step: usize) -> bool {
        self.sweeps.get(step).is_some_and(|b| b.iter().any(|&c| c != 0))
    }
}

/// A statement with the loops around it.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    /// Outermost first.
    pub steps: Vec<Step>,
    /// In the order of the statement's accesses.
    pub accesses: Vec<Movement>,
    /// By step: do conditions on data, under which the statement runs, differ from iteration to iteration?
    pub decided: Vec<bool>,
    /// By step: do those that pass loops by?
    pub skipped: Vec<bool>,
}

impl Path {
    /// Number of instances.
    #[must_use]
    pub fn instances(&self) -> f64 {
        self.iterations(self.steps.len())
    }

    /// How often the body of the first `n` loops runs.
    #[must_use]
    pub fn iterations(&self, n: usize) -> f64 {
        self.steps.iter().take(n).map(|s| s.extent).product()
    }

    /// After how many executions the numbers of iterations of a loop repeat, whatever the sizes. `None`: not for certain.
    #[must_use]
    pub fn period(&self, step: usize) -> Option<f64> {
        let (own, outside) = self.steps.get(..=step)?.split_last()?;
        let around = outside.iter().rev().take_while(|s| s.plain).count();
        let around = &outside[outside.len() - around..];
        let known = own.plain && own.leans_on.iter().all(|on| around.iter().any(|s| s.of == *on));
        known.then(|| around.iter().map(|s| s.extent).product())
    }

    /// The path with its loops in another order, given by their steps here.
    #[must_use]
    pub fn reordered(&self, order: &[usize]) -> Self {
        let steps = order.iter().filter_map(|&k| self.steps.get(k).cloned()).collect();
        let of = |by: &[Vec<i64>]| order.iter().filter_map(|&k| by.get(k).cloned()).collect();
        let moved = |a: &Movement| Movement { by: of(&a.by), sweeps: of(&a.sweeps), ..a.clone() };
        let those = |all: &[bool]| order.iter().filter_map(|&k| all.get(k).copied()).collect();
        let (decided, skipped) = (those(&self.decided), those(&self.skipped));
        Self { steps, accesses: self.accesses.iter().map(moved).collect(), decided, skipped }
    }

    /// The path with a step in the other direction.
    #[must_use]
    pub fn mirrored(&self, step: usize) -> Self {
        let mut path = self.clone();
        for movement in &mut path.accesses {
            let by = movement.by.get_mut(step).into_iter().chain(movement.sweeps.get_mut(step)).flatten();
            by.for_each(|by| *by = by.saturating_neg());
        }
        path
    }

    /// Do conditions on data differ from iteration to iteration of the step?
    #[must_use]
    pub fn is_decided(&self, step: usize) -> bool {
        self.decided.get(step).is_some_and(|&d| d)
    }

    /// The innermost step that is not idle, lanes left out.
    #[must_use]
    pub fn innermost(&self) -> Option<usize> {
        self.steps.iter().rposition(|s| !s.idle && s.lanes.is_none())
    }

    /// The step that walks lanes.
    #[must_use]
    pub fn lanes(&self) -> Option<usize> {
        self.steps.iter().position(|s| s.lanes.is_some())
    }
}

/// The loops of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Nest {
    /// All loops.
    pub loops: Vec<Loop>,
    /// The code.
    pub root: Piece,
    /// Every statement's path.
    pub paths: BTreeMap<StatementId, Path>,
    /// Are these the loops of the source ([`Nest::of_source`])?
    pub is_source: bool,
}

/// What is around a statement.
#[derive(Default)]
struct Around {
    /// Rows of the members.
    rows: Vec<Affine>,
    /// Loops, each with the index of the row it walks.
    loops: Vec<(LoopId, usize)>,
}

struct Builder<'a> {
    carried: std::slice::Iter<'a, Carried>,
    loops: Vec<Loop>,
    around: BTreeMap<StatementId, Around>,
}

impl Builder<'_> {
    /// The loops over strips.
    fn enter(&mut self, strip: &Strip) {
        for (depth, cut) in strip.cuts.iter().enumerate() {
            let id = LoopId(self.loops.len());
            self.loops.push(Loop { role: Role::Tile(cut.size), carried: Carried::Nothing, depth, tiled_band: None });
            for (s, row) in &cut.rows {
                let around = self.around.entry(*s).or_default();
                around.loops.push((id, around.rows.len()));
                around.rows.push(row.clone());
            }
        }
    }

    fn piece(&mut self, node: &Node, depth: usize) -> Piece {
        match node {
            Node::Leaf(s) => {
                self.around.entry(*s).or_default();
                Piece::Call(*s)
            }
            Node::Sequence(children) => Piece::Block(children.iter().map(|c| self.piece(c, depth)).collect()),
            Node::Band { members, child, .. } => {
                let carried: Vec<Carried> =
                    members.iter().map(|_| self.carried.next().copied().unwrap_or(Carried::Nothing)).collect();
                // Every statement below has a row in every member.
                let below: Vec<StatementId> = child.statements();
                let mut starts = Vec::with_capacity(below.len());
                for s in below {
                    let around = self.around.entry(s).or_default();
                    starts.push((s, around.rows.len()));
                    around.rows.extend(members.iter().filter_map(|m| m.rows.get(&s).cloned()));
                }
                let tiled = members.iter().enumerate().filter_map(|(k, m)| Some((k, Role::Tile(m.tile?.max(1)))));
                let role = |m: &Member| match (m.tile, m.abreast, m.lanes) {
                    (_, Some(count), Some(lanes)) if lanes.all() == count => Role::AbreastInLanes(count.into()),
                    (_, Some(count), _) => Role::Abreast(count.into()),
                    (Some(t), ..) => Role::Point(t.max(1)),
                    (None, None, Some(lanes)) => Role::Vectors(lanes.all().into()),
                    (None, None, None) => Role::Plain,
                };
                // Strips of a member are outside of the one before.
                let strip = |k: usize| Some((k + 1, Role::Tile(members.get(k + 1)?.abreast?.into())));
                let points = members.iter().enumerate().flat_map(|(k, m)| strip(k).into_iter().chain([(k, role(m))]));
                let mut made = Vec::new();
                let band = self.loops.len();
                let tiled_band = members.iter().any(|m| m.tile.is_some()).then_some(band);
                for (k, role) in tiled.chain(points) {
                    let id = LoopId(self.loops.len());
                    self.loops.push(Loop { role, carried: carried[k], depth: depth + made.len(), tiled_band });
                    for (s, start) in &starts {
                        if let Some(around) = self.around.get_mut(s) {
                            around.loops.push((id, start + k));
                        }
                    }
                    made.push(id);
                }
                // Lanes are never within lanes.
                let spread = members.iter().enumerate().find_map(|(k, m)| match role(m) {
                    Role::Vectors(_) => Some((k, m.lanes?)),
                    _ => None,
                });
                let spread = spread.map(|(k, lanes)| {
                    let id = LoopId(self.loops.len());
                    let depth = depth + made.len();
                    self.loops.push(Loop {
                        role: Role::Lanes(lanes),
                        carried: Carried::Nothing,
                        depth,
                        tiled_band: None,
                    });
                    (k, id)
                });
                let mut piece = self.piece(child, depth + made.len());
                if let Some((k, id)) = spread {
                    for (s, start) in &starts {
                        if let Some(around) = self.around.get_mut(s) {
                            around.loops.push((id, start + k));
                        }
                    }
                    piece = in_lanes(piece, id);
                }
                for id in made.into_iter().rev() {
                    piece = Piece::Loop(id, Box::new(piece));
                }
                piece
            }
        }
    }
}

/// The piece with a loop around each of its instances.
fn in_lanes(piece: Piece, id: LoopId) -> Piece {
    match piece {
        Piece::Block(children) => Piece::Block(children.into_iter().map(|c| in_lanes(c, id)).collect()),
        Piece::Loop(of, body) => Piece::Loop(of, Box::new(in_lanes(*body, id))),
        Piece::Call(s) => Piece::Loop(id, Box::new(Piece::Call(s))),
    }
}

impl Nest {
    /// Is an innermost loop cut by a tile or a strip?
    #[must_use]
    pub fn cuts_innermost(&self) -> bool {
        self.paths.values().any(|p| p.innermost().is_some_and(|k| p.steps[k].cut))
    }

    /// Writes the loops out, of all strips if there are any. `None`: the rows of a statement are no unimodular change of its iterators.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn of(scop: &Scop, annotated: &Annotated, shapes: &Shapes<'_>, strip: Option<&Strip>) -> Result<Option<Self>> {
        let mut builder = Builder { carried: annotated.carried.iter(), loops: Vec::new(), around: BTreeMap::new() };
        if let Some(strip) = strip {
            builder.enter(strip);
        }
        let cuts = strip.map_or(&[][..], |s| &s.cuts);
        let mut root = builder.piece(&annotated.tree, cuts.len());
        for id in (0..cuts.len()).rev() {
            root = Piece::Loop(LoopId(id), Box::new(root));
        }
        let mut paths = BTreeMap::new();
        for (s, Around { rows, loops }) in &builder.around {
            let Some(shape) = shapes.of(*s, rows)? else { return Ok(None) };
            let Some(within) = within(*s, rows, cuts, &shape, shapes)? else { return Ok(None) };
            let mut path = Path {
                steps: Vec::with_capacity(loops.len()),
                accesses: Vec::new(),
                decided: Vec::new(),
                skipped: Vec::new(),
            };
            let mut factors = Vec::with_capacity(loops.len());
            let mut in_lanes = None;
            for &(id, row) in loops {
                let Some(&dim) = shape.loops.get(row) else {
                    return Err(crate::Error::Malformed("a loop has no row for a statement inside".into()));
                };
                if let Some(&(cut, d)) = within.get(&row) {
                    let (step, factor) = step(id, Role::Point(cuts[cut].size), Some((d, &*shape)));
                    path.steps.push(Step { exact: None, plain: false, slanted: true, ..step });
                    factors.push(Some((d, factor)));
                    continue;
                }
                let (step, factor) = step(id, builder.loops[id.0].role, dim.map(|d| (d, &*shape)));
                let uneven = dim.zip(in_lanes).is_some_and(|(d, lanes)| shape.leans_on[d].contains(&lanes));
                let outside = path.steps.iter().zip(&factors).filter_map(|(step, f)| Some((step.of, (*f)?.0)));
                let outside: Vec<(LoopId, usize)> = outside.collect();
                let those = |all: &[Vec<usize>]| -> Vec<LoopId> {
                    let on = |of: &usize| dim.is_some_and(|d| all[d].contains(of));
                    outside.iter().filter(|(_, of)| on(of)).map(|(id, _)| *id).collect()
                };
                let (leans_on, follows) = (those(&shape.leans_on), those(&shape.follows));
                let blocks: Vec<Vec<usize>> =
                    shape.blocks.iter().map(|all| all.iter().map(|block| block.0).collect()).collect();
                let walked_by = those(&blocks);
                path.steps.push(Step { uneven, leans_on, follows, walked_by, ..step });
                factors.push(dim.map(|d| (d, factor)));
                if matches!(builder.loops[id.0].role, Role::Vectors(_)) {
                    in_lanes = dim;
                }
            }
            let moved = |all: &[Affine]| -> Vec<bool> {
                let on = |d: usize| all.iter().any(|e| e.dim_coeff(d) != 0);
                factors.iter().map(|f| f.is_some_and(|(d, _)| on(d))).collect()
            };
            (path.decided, path.skipped) = (moved(&shape.decided_by), moved(&shape.skipped_by));
            let Some(statement) = scop.statements.get(s.0) else {
                return Err(crate::Error::Malformed("unknown statement".into()));
            };
            for (access, subscripts) in statement.accesses.iter().zip(&shape.subscripts) {
                let zeros = vec![0; statement.depth()];
                let base = subscripts.iter().map(|e| Ok(e.eval(&shapes.params, &zeros)?)).collect::<Result<_>>()?;
                let by = factors
                    .iter()
                    .map(|f| {
                        subscripts.iter().map(|e| f.map_or(0, |(d, k)| e.dim_coeff(d).saturating_mul(k))).collect()
                    })
                    .collect();
                let sweep = |d: usize, k: i64| {
                    let blocks = shape.blocks.iter().enumerate();
                    let inside = blocks.flat_map(|(q, b)| b.iter().filter(|b| b.0 == d).map(move |b| (q, b.1)));
                    let inside: Vec<(usize, i64)> = inside.collect();
                    let all = |e: &Affine| {
                        let own = e.dim_coeff(d);
                        inside.iter().fold(own, |sum, &(q, c)| sum.saturating_add(e.dim_coeff(q).saturating_mul(c)))
                    };
                    subscripts.iter().map(|e| all(e).saturating_mul(k)).collect::<Vec<i64>>()
                };
                let sweeps =
                    factors.iter().map(|f| f.map_or_else(|| vec![0; subscripts.len()], |(d, k)| sweep(d, k))).collect();
                let (array, kind, extent) = (access.array, access.kind, access.extent);
                let fixed = subscripts.last().map_or(0, Affine::constant_term);
                let begin = subscripts.last().map_or(0, |e| {
                    let terms = e.dim_coeffs().iter().zip(&shape.counted_from).map(|(c, from)| c.saturating_mul(*from));
                    terms.fold(fixed, i64::saturating_add)
                });
                path.accesses.push(Movement {
                    array,
                    kind,
                    extent,
                    base,
                    fixed,
                    begin,
                    by,
                    sweeps,
                    in_register: false,
                });
            }
            paths.insert(*s, path);
        }
        Ok(Some(Self { loops: builder.loops, root, paths, is_source: false }))
    }

    /// The loops of the source: what lives in memory of our own, and reads that are no loads, are in registers there. Of a statement without any load nobody knows ([`crate::scop::Statement::loaded`]).
    #[must_use]
    pub fn of_source(mut self, scop: &Scop) -> Self {
        self.is_source = true;
        for (s, path) in &mut self.paths {
            let loaded = &scop.statements[s.0].loaded;
            for (k, access) in path.accesses.iter_mut().enumerate() {
                let is_no_load = !access.kind.writes() && !loaded.is_empty() && !loaded.contains(&k);
                access.in_register = is_no_load || scop.arrays[access.array.0].is_virtual;
            }
        }
        self
    }
}

/// The rows that walk the rows of strips, each with the number of the cut and its dimension: those that the cut, whose row is one of the first, leaves nothing to choose. `None`: some
/// strips do not tell the statement's instances apart.
fn within(
    id: StatementId,
    rows: &[Affine],
    cuts: &[Cut],
    shape: &Shape,
    shapes: &Shapes<'_>,
) -> Result<Option<BTreeMap<usize, (usize, usize)>>> {
    let mut out = BTreeMap::new();
    for cut in 0..cuts.len() {
        let others: Vec<Affine> = rows.iter().enumerate().filter(|(k, _)| *k != cut).map(|(_, r)| r.clone()).collect();
        let Some(without) = shapes.of(id, &others)? else { return Ok(None) };
        let freed = |row: &usize| shape.loops[*row].is_none() && without.loops[row - 1].is_some();
        let (Some(row), Some(d)) = ((cuts.len()..rows.len()).find(freed), shape.loops[cut]) else { return Ok(None) };
        if out.insert(row, (cut, d)).is_some() {
            return Ok(None);
        }
    }
    Ok(Some(out))
}

/// The step of a statement at a loop, and how many iterations of the member one of its iterations is.
#[expect(clippy::cast_precision_loss, reason = "estimates")]
fn step(of: LoopId, role: Role, dim: Option<(usize, &Shape)>) -> (Step, i64) {
    let once = Step {
        of,
        extent: 1.0,
        least: 1.0,
        first: None,
        exact: Some(1),
        plain: true,
        slanted: false,
        leans_on: Vec::new(),
        follows: Vec::new(),
        walked_by: Vec::new(),
        uneven: false,
        idle: true,
        cut: false,
        lanes: None,
    };
    let Some((d, shape)) = dim else { return (once, 0) };
    let (extent, exact, slanted) = (shape.extents[d], shape.exact[d], shape.slanted[d]);
    let all = Step {
        extent,
        least: shape.least[d],
        first: Some(shape.firsts[d]),
        exact,
        plain: shape.plain[d],
        slanted,
        idle: exact == Some(1),
        ..once
    };
    match role {
        Role::Plain => (all, 1),
        Role::Tile(size) | Role::Vectors(size) => {
            let whole = exact.filter(|_| matches!(role, Role::Vectors(_))).map(|n| (n as f64 / size as f64).ceil());
            let tiles = whole.unwrap_or(extent / size as f64).max(1.0);
            let first = all.first.map(|first| first / size as f64);
            (Step { extent: tiles, first, exact: None, idle: tiles <= 1.0, ..all }, size)
        }
        Role::Lanes(lanes) => {
            let exact = exact.filter(|&n| n < i64::from(lanes.all()));
            let extent = extent.min(f64::from(lanes.all()));
            (Step { extent, first: None, exact, slanted: false, idle: false, lanes: Some(lanes), ..all }, 1)
        }
        Role::Point(size) | Role::Abreast(size) | Role::AbreastInLanes(size) => {
            let whole = extent >= size as f64;
            let exact = if whole { (!slanted).then_some(size) } else { exact };
            (Step { extent: extent.min(size as f64), first: None, exact, idle: false, cut: true, ..all }, 1)
        }
    }
}
