//! Stores to statements: each store with everything that reaches it through registers.
//!
//! The operands of a store are followed back to loads, iterators and values from before the region. A load becomes a read of its cell *at the time of the
//! statement*, if nothing can overwrite the cell in between; a value that an earlier store has put into memory is read back from there; a phi becomes a read of
//! the cell that it carries. What cannot be explained this way refuses the region.

mod carried;
mod choice;
mod kept;

use super::accesses::{Access, Accesses, Action, Layout};
use super::body::{Body, Guard, Node, NodeIndex};
use super::domain::{self, Parts};
use super::expand::{self, Expanded};
use super::facts::{Domain, Facts, Row};
use super::parts::{self, Wish};
use super::pieces;
use super::poly::{LoopIndex, Poly, Symbol};
use super::region::sets_one_errno;
use super::reject::{Raise, Reject, RejectKind};
use super::scalar::{self, Web, WebKind};
use super::steps::Steps;
use super::timing::{Position, Touch, Watch, disturbs};
use crate::llvm::Opcode;
use crate::llvm::{Block, Type, Value};
use scheduler::scop::Sought;
use std::collections::{BTreeMap, BTreeSet};

/// Most nodes of one statement.
const MOST_NODES: usize = 400;

/// A statement before it is numbered.
#[derive(Clone, Debug)]
pub struct Source {
    /// When.
    pub position: Position,
    /// On which instances.
    pub domain: Domain,
    /// Array and cell written.
    pub array: usize,
    /// Cell written.
    pub cell: Vec<Poly>,
    /// Known alignment of the cell.
    pub alignment: u32,
    /// Block that it stands in: what dominates this has run.
    pub block: Block,
    /// What is stored.
    pub value: Stored,
    /// Instruction it comes from.
    pub origin: Value,
    /// For a block where ways meet, the last block of the way that its instances took.
    pub ways: BTreeMap<Block, Block>,
}

/// What a statement stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// A value.
    Value(Value),
    /// A repeated byte.
    Byte(u8),
    /// The cell that this access reads.
    Copy(usize),
}

/// A finished statement: reads beside the write, and the body.
#[derive(Clone, Debug)]
pub struct Built {
    /// Source.
    pub source: Source,
    /// Reads: array, cell over the source's loops.
    pub reads: Vec<(usize, Vec<Poly>)>,
    /// So many of the reads happen on every instance.
    pub certain: usize,
    /// What its conditions take in the program.
    pub conditions: Conditions,
    /// Those that are loaded in every iteration of the innermost loop, by the numbers of the accesses, with the loads.
    pub loaded: BTreeMap<usize, Value>,
    /// What the program takes to find cells.
    pub sought: Sought,
    /// What is computed.
    pub body: Body,
    /// Other stores of the program that it stands for ([`super::opposite`]).
    pub joined: Vec<Value>,
}

/// What conditions on data depend on, and how much they take.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// Iterators of the statement.
    pub iterators: BTreeSet<usize>,
    /// Of those that say the same in all iterations of the innermost loop, if there are any: they keep whole loops from running.
    pub skipping: Option<BTreeSet<usize>>,
    /// Operations.
    pub operations: u32,
}

impl Conditions {
    fn of(source: &Source, reads: &[(usize, Vec<Poly>)], body: &Body) -> Self {
        let mut seen = BTreeSet::new();
        let mut all = Self::default();
        let innermost = source.domain.loops.len().checked_sub(1);
        for guard in &body.guards {
            let mut own = BTreeSet::new();
            let mut known = BTreeSet::new();
            let mut open = vec![guard.node];
            while let Some(n) = open.pop() {
                let Some(node) = body.nodes.get(n.0).filter(|_| known.insert(n)) else { continue };
                open.extend(node.operands());
                all.operations += u32::from(matches!(node, Node::Operation { .. }) && seen.insert(n));
                own.extend(iterators_of(node, source, reads));
            }
            if innermost.is_some_and(|innermost| !own.contains(&innermost)) {
                all.skipping.get_or_insert_default().extend(&own);
            }
            all.iterators.extend(own);
        }
        all
    }
}

/// Iterators of a statement that a node by itself depends on.
fn iterators_of(node: &Node, source: &Source, reads: &[(usize, Vec<Poly>)]) -> Vec<usize> {
    match node {
        Node::Index { poly, .. } => {
            poly.symbols().filter_map(|s| if let Symbol::Iterator(own) = s { Some(own.0) } else { None }).collect()
        }
        Node::Read { access, .. } => {
            let cell = access.checked_sub(1).and_then(|k| reads.get(k)).into_iter().flat_map(|(_, cell)| cell);
            let place = |s: Symbol| match s {
                Symbol::Iterator(l) => source.domain.loops.iter().position(|own| *own == l),
                _ => None,
            };
            cell.flat_map(Poly::symbols).filter_map(place).collect()
        }
        _ => Vec::new(),
    }
}

/// All that statements are made from.
pub struct Workshop<'r, 'f> {
    /// Blocks and domains.
    pub layout: &'r Layout<'r>,
    /// Numbers.
    pub facts: &'r mut Facts<'f>,
    /// Accesses.
    pub accesses: &'r Accesses,
    /// Scalars in cells.
    pub webs: &'r [Web],
    /// Others that change in several steps.
    pub steps: &'r [Steps],
    /// Every store there is: of the program, of the webs and of the steps.
    pub writes: &'r [Touch],
    /// Scalars that could get memory of their own.
    pub expanded: &'r [Expanded],
    /// Is what is loaded right before the region read in it?
    pub reads: bool,
    /// Those of them that statements read.
    pub needed: BTreeSet<usize>,
    /// What the statement that is being built would rather be.
    pub wish: Option<Wish>,
    /// A value that was wanted when it was gone.
    pub gone: Option<Gone>,
}

/// A value that is wanted where it is no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gone {
    /// A load whose cell has been overwritten: index of the access.
    Load(usize),
    /// What a scalar held before its update: index among those that could get memory.
    Scalar(usize),
    /// The same of one that lives in a cell of the program: index among the webs.
    Web(usize),
}

/// The statements of a region in program order.
#[must_use]
pub fn sources(accesses: &Accesses, webs: &[Web], steps: &[Steps]) -> Vec<Source> {
    let mut out = Vec::new();
    for (k, a) in accesses.all.iter().enumerate() {
        let value = match a.action {
            Action::Load | Action::LoadPiece => continue,
            Action::Store(v) => {
                let by_web = webs.iter().any(|w| w.last == k && w.kind == WebKind::Direct);
                if by_web || steps.iter().any(|s| s.lasts.contains(&(k, true))) {
                    continue;
                }
                Stored::Value(v)
            }
            Action::StorePiece(v) => Stored::Value(v),
            Action::Fill(byte) => Stored::Byte(byte),
            Action::CopyFrom(source) => Stored::Copy(source),
        };
        let Some(block) = a.instruction.block() else { continue };
        out.push(Source {
            position: a.position.clone(),
            block,
            domain: a.domain.clone(),
            array: a.array,
            cell: a.subscripts.clone(),
            alignment: a.alignment,
            value,
            origin: a.instruction,
            ways: BTreeMap::new(),
        });
    }
    for w in webs.iter().filter(|w| w.kind != WebKind::InPlace) {
        let alignment = accesses.all[w.last].alignment;
        if w.stores_start {
            out.push(Source {
                position: w.start.clone(),
                block: w.start_block,
                domain: w.start_domain.clone(),
                array: w.array,
                cell: w.cell.clone(),
                alignment,
                value: Stored::Value(w.init),
                origin: accesses.all[w.last].instruction,
                ways: BTreeMap::new(),
            });
        }
        out.push(Source {
            position: w.update_position.clone(),
            block: w.update_block,
            domain: w.update_domain.clone(),
            array: w.array,
            cell: w.cell.clone(),
            alignment,
            value: Stored::Value(w.update),
            origin: w.update,
            ways: BTreeMap::new(),
        });
    }
    for (s, w) in steps.iter().flat_map(|s| s.writes.iter().map(move |w| (s, w))) {
        out.push(Source {
            position: w.position.clone(),
            block: w.block,
            domain: w.domain.clone(),
            array: s.array,
            cell: s.cell.clone(),
            alignment: s.alignment,
            value: Stored::Value(w.value),
            origin: if w.value.block() == Some(w.block) { w.value } else { s.last },
            ways: BTreeMap::new(),
        });
    }
    out.sort_by(|a, b| a.position.beta.cmp(&b.position.beta));
    out
}

/// How far a statement is built.
struct Checkpoint {
    nodes: usize,
    reads: usize,
    memo: BTreeMap<Value, NodeIndex>,
    alignments: Vec<u32>,
    loaded: BTreeMap<usize, Value>,
    needed: BTreeSet<usize>,
}

struct Builder<'w, 'r, 'f> {
    shop: &'w mut Workshop<'r, 'f>,
    source: &'w Source,
    nodes: Vec<Node>,
    memo: BTreeMap<Value, NodeIndex>,
    reads: Vec<(usize, Vec<Poly>)>,
    alignments: Vec<u32>,
    loaded: BTreeMap<usize, Value>,
    /// Loads whose cells are affine piece by piece only.
    in_pieces: BTreeSet<Value>,
    /// Where what is being built is wanted. A condition is asked for wherever those before it hold, and so what only runs where it holds itself has not run.
    at: Block,
}

/// Builds one statement.
///
/// # Errors
/// What refuses the region.
pub fn build(shop: &mut Workshop, source: &Source) -> Raise<Built> {
    let mut b = Builder {
        shop,
        source,
        nodes: Vec::new(),
        memo: BTreeMap::new(),
        reads: Vec::new(),
        alignments: vec![source.alignment],
        loaded: BTreeMap::new(),
        in_pieces: BTreeSet::new(),
        at: source.block,
    };
    let mut guards = Vec::new();
    let mut certain = None;
    for condition in &source.domain.conditions {
        b.at = condition.at;
        b.guard(condition.value, condition.truth, &mut guards)?;
        certain.get_or_insert(b.reads.len());
    }
    b.at = source.block;
    let root = match source.value {
        Stored::Byte(byte) => b.push(Node::Splat { byte })?,
        Stored::Copy(k) => {
            let a = &b.shop.accesses.all[k];
            let (array, cell, alignment) = (a.array, a.subscripts.clone(), a.alignment);
            let ty = b.shop.accesses.arrays[array].element;
            b.read(array, cell, alignment, ty)?
        }
        Stored::Value(v) => b.root(v)?,
    };
    let certain = certain.unwrap_or(b.reads.len());
    let body = Body { nodes: b.nodes, guards, old: None, root, alignments: b.alignments, origin: source.origin };
    let conditions = Conditions::of(source, &b.reads, &body);
    let mut in_pieces = b.in_pieces;
    let is_piece = |a: &Access| a.instruction == source.origin && matches!(a.action, Action::StorePiece(_));
    in_pieces.extend(b.shop.accesses.all.iter().any(is_piece).then_some(source.origin));
    let sought = pieces::sought(b.shop.facts.analyses, source.block, &in_pieces);
    Ok(Built {
        sought,
        source: source.clone(),
        reads: b.reads,
        certain,
        conditions,
        loaded: b.loaded,
        body,
        joined: Vec::new(),
    })
}

impl Builder<'_, '_, '_> {
    /// A condition on data, in parts, each once. LLVM freezes conditions that it takes out of loops. All statements must see the same frozen value, and each computes it for
    /// itself: so nothing in it may be undefined where its operands are not (flags that could make it so are not copied).
    fn guard(&mut self, condition: Value, truth: bool, out: &mut Vec<Guard>) -> Raise<()> {
        // With whether it is frozen.
        let (mut open, mut seen) = (vec![(condition, truth, false)], BTreeSet::new());
        while let Some((value, truth, frozen)) = open.pop() {
            if !seen.insert((value, truth, frozen)) {
                continue;
            }
            match domain::parts(value, truth) {
                Parts::Same(inner, truth) => {
                    open.push((inner, truth, frozen || value.opcode() == Some(Opcode::LLVMFreeze)));
                }
                Parts::Both([a, b], truth) => open.extend([(b, truth, frozen), (a, truth, frozen)]),
                _ => {
                    let node = self.value(value)?;
                    if frozen && !self.is_defined(node) {
                        let undefined = RejectKind::Effect("a value that may be undefined".into());
                        return Err(self.at(value, undefined.into()));
                    }
                    out.push(Guard { node, truth, frozen });
                }
            }
        }
        Ok(())
    }

    /// Is a node's value defined whenever what it is made of is?
    fn is_defined(&self, node: NodeIndex) -> bool {
        let mut open = vec![node];
        let mut seen: BTreeSet<NodeIndex> = BTreeSet::new();
        while let Some(n) = open.pop() {
            if !seen.insert(n) {
                continue;
            }
            if let Some(Node::Operation { instruction, operands }) = self.nodes.get(n.0) {
                if instruction.may_be_undefined() {
                    return false;
                }
                open.extend(operands.iter().flatten());
            } else if let Some(node) = self.nodes.get(n.0) {
                open.extend(node.operands());
            }
        }
        true
    }

    fn push(&mut self, node: Node) -> Raise<NodeIndex> {
        if self.nodes.len() >= MOST_NODES {
            return Err(RejectKind::TooLarge("operations in one statement").into());
        }
        self.nodes.push(node);
        Ok(NodeIndex(self.nodes.len() - 1))
    }

    fn read(&mut self, array: usize, cell: Vec<Poly>, alignment: u32, ty: Type) -> Raise<NodeIndex> {
        let known = self.reads.iter().position(|(a, c)| *a == array && *c == cell);
        let k = match known {
            Some(k) => {
                self.alignments[k + 1] = self.alignments[k + 1].min(alignment);
                k
            }
            None => {
                self.reads.push((array, cell));
                self.alignments.push(alignment);
                self.reads.len() - 1
            }
        };
        self.push(Node::Read { access: k + 1, ty })
    }

    /// The stored value itself: computed afresh if it can be, which leaves the order of two stores of one value open.
    fn root(&mut self, v: Value) -> Raise<NodeIndex> {
        if self.source.block == self.shop.layout.region.exit && self.shop.layout.region.is_behind(v) {
            return self.behind(v);
        }
        if self.shop.layout.region.is_outside(v) {
            return self.push(Node::Invariant(v));
        }
        let before = self.checkpoint();
        let first = match self.compute(v) {
            Err(first) if matches!(first.kind, RejectKind::Carried(_) | RejectKind::StaleLoad) => first,
            done => return done,
        };
        // What it was computed from is gone; another store may have kept the result.
        self.restore(before);
        match self.read_back(v)? {
            Some(n) => Ok(n),
            None if self.is_update(v) => Err(first),
            None => self.compute_or_expand(v).map_err(|_| first),
        }
    }

    /// What a phi behind the region gets from it, whatever the way.
    fn behind(&mut self, phi: Value) -> Raise<NodeIndex> {
        if let Some(w) = self.shop.webs.iter().find(|w| w.after.contains(&phi)).cloned() {
            return self.web(&w, phi);
        }
        let mut brought: Vec<Value> = self.shop.layout.region.brought(phi).iter().map(|(x, _)| *x).collect();
        brought.dedup();
        if let [only] = brought.as_slice()
            && let Some(n) = self.left_by_loop(phi, *only)?
        {
            return Ok(n);
        }
        let holds = |e: &&Expanded| expand::holds(e, phi, &self.source.position);
        let expanded = self.shop.expanded.iter().find(holds).ok_or_else(|| Reject::new(RejectKind::LiveOut))?;
        self.shop.needed.insert(expanded.array);
        let alignment = u32::try_from(expanded.shape.bytes).unwrap_or(1);
        self.read(expanded.array, expanded.cell.clone(), alignment, phi.ty())
    }

    fn value(&mut self, v: Value) -> Raise<NodeIndex> {
        if let Some(&n) = self.memo.get(&v) {
            return Ok(n);
        }
        let n = if let Some(n) = self.start_of_steps(v)? {
            n
        } else if self.shop.layout.region.is_outside(v) {
            self.invariant(v)?
        } else if let Some(n) = self.read_back(v)? {
            n
        } else if let Some(n) = self.read_eagerly(v)? {
            n
        } else {
            self.compute_or_expand(v)?
        };
        self.memo.insert(v, n);
        Ok(n)
    }

    /// A value from before the region, or the cell that it has just been loaded from.
    fn invariant(&mut self, v: Value) -> Raise<NodeIndex> {
        let is_loaded = self.shop.reads && v.opcode() == Some(Opcode::LLVMLoad);
        if is_loaded && v.block() == Some(self.shop.layout.region.entry) && self.find_access(v)?.is_some() {
            return self.load(v);
        }
        self.push(Node::Invariant(v))
    }

    /// Computes a value; if what it is made of is gone, reads it from memory of our own.
    fn compute_or_expand(&mut self, v: Value) -> Raise<NodeIndex> {
        let holds = |e: &&Expanded| expand::holds(e, v, &self.source.position);
        let Some(expanded) = self.shop.expanded.iter().find(holds) else {
            let computed = self.compute(v);
            let is_refused = computed.as_ref().is_err_and(|r| matches!(r.kind, RejectKind::Carried(_)));
            if let Some(k) = self.shop.expanded.iter().position(|e| is_refused && e.phis.last() == Some(&v)) {
                self.shop.gone = Some(Gone::Scalar(k));
            } else if let Some(k) = self.shop.webs.iter().position(|w| is_refused && w.phis.last() == Some(&v)) {
                self.shop.gone = Some(Gone::Web(k));
            }
            return computed;
        };
        let before = self.checkpoint();
        match self.compute(v) {
            Err(first) if matches!(first.kind, RejectKind::Carried(_) | RejectKind::StaleLoad) => {
                self.restore(before);
                self.shop.needed.insert(expanded.array);
                let alignment = u32::try_from(expanded.shape.bytes).unwrap_or(1);
                self.read(expanded.array, expanded.cell.clone(), alignment, v.ty())
            }
            done => done,
        }
    }

    /// A value that has memory of our own and shall be read there.
    fn read_eagerly(&mut self, v: Value) -> Raise<Option<NodeIndex>> {
        let holds = |e: &&Expanded| e.eager && expand::holds(e, v, &self.source.position);
        let Some(expanded) = self.shop.expanded.iter().find(holds) else { return Ok(None) };
        self.shop.needed.insert(expanded.array);
        let alignment = u32::try_from(expanded.shape.bytes).unwrap_or(1);
        self.read(expanded.array, expanded.cell.clone(), alignment, v.ty()).map(Some)
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            nodes: self.nodes.len(),
            reads: self.reads.len(),
            memo: self.memo.clone(),
            alignments: self.alignments.clone(),
            loaded: self.loaded.clone(),
            needed: self.shop.needed.clone(),
        }
    }

    fn restore(&mut self, to: Checkpoint) {
        self.nodes.truncate(to.nodes);
        self.reads.truncate(to.reads);
        (self.memo, self.alignments, self.loaded) = (to.memo, to.alignments, to.loaded);
        self.shop.needed = to.needed;
    }

    /// Is this statement the update of a scalar, which stores `v`?
    fn is_update(&self, v: Value) -> bool {
        self.shop.expanded.iter().any(|e| {
            e.update == v && e.array == self.source.array && !e.phis.is_empty() && v.opcode() != Some(Opcode::LLVMPHI)
        })
    }

    /// A value that an earlier store (or a web's update) has put into a cell: read it there, if it is still there.
    fn read_back(&mut self, v: Value) -> Raise<Option<NodeIndex>> {
        if v.opcode() == Some(Opcode::LLVMPHI) || v.opcode() == Some(Opcode::LLVMLoad) {
            return Ok(None);
        }
        let mut places: Vec<(usize, Vec<Poly>, Position, u32)> = Vec::new();
        for a in &self.shop.accesses.all {
            if a.action == Action::Store(v) && self.has_run(a.instruction) {
                places.push((a.array, a.subscripts.clone(), a.position.clone(), a.alignment));
            }
        }
        for w in self.shop.webs.iter().filter(|w| w.update == v && w.kind != WebKind::InPlace) {
            if w.is_guarded && !self.has_run_block(w.update_block) {
                continue;
            }
            places.push((w.array, w.cell.clone(), w.update_position.clone(), self.shop.accesses.all[w.last].alignment));
        }
        if let Some(s) = self.shop.steps.iter().find(|s| s.members.contains(&v)) {
            return self.step(s, v).map(Some).or(Ok(None));
        }
        for (array, cell, position, alignment) in places {
            if self.runs_before(&position) && self.is_current(array, &cell, &position, 0, None)? {
                return self.read(array, cell, alignment, v.ty()).map(Some);
            }
        }
        Ok(None)
    }

    /// Has the instruction run on every way to where its value is wanted?
    fn has_run(&self, v: Value) -> bool {
        v.block().is_some_and(|b| self.has_run_block(b))
    }

    fn has_run_block(&self, b: Block) -> bool {
        let analyses = self.shop.facts.analyses;
        let on_the_way = |(&to, &from)| analyses.dominates(to, self.at) && analyses.dominates(b, from);
        analyses.dominates(b, self.at) || self.source.ways.iter().any(on_the_way)
    }

    /// Does the position run before this statement on every instance of it, in the same iterations of its own loops?
    fn runs_before(&self, p: &Position) -> bool {
        let q = &self.source.position;
        let common = p.common_loops(q);
        common == p.loops.len() && p.beta[common] < q.beta[common]
    }

    /// Is what the cell held at `from` (that many iterations ago) still there?
    fn is_current(
        &self,
        array: usize,
        cell: &[Poly],
        from: &Position,
        delay: i64,
        rows: Option<Vec<Row>>,
    ) -> Raise<bool> {
        self.is_current_on(&self.source.ways, array, cell, from, delay, rows)
    }

    /// The same, where these ways were taken.
    fn is_current_on(
        &self,
        ways: &BTreeMap<Block, Block>,
        array: usize,
        cell: &[Poly],
        from: &Position,
        delay: i64,
        rows: Option<Vec<Row>>,
    ) -> Raise<bool> {
        let mut domain = self.source.domain.clone();
        domain.rows.extend(rows.unwrap_or_default());
        let watch = Watch { array, subscripts: cell, from, delay, until: &self.source.position, domain: &domain };
        let passed_by: Vec<Position> = if delay == 0 { self.passed_by(ways, from) } else { Vec::new() };
        for w in self.shop.writes.iter().filter(|w| !passed_by.contains(&w.position)) {
            if disturbs(self.shop.facts, w, &watch)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn at(&self, v: Value, reject: Reject) -> Reject {
        v.block().map_or_else(|| reject.clone(), |b| reject.clone().at(b))
    }

    fn compute(&mut self, v: Value) -> Raise<NodeIndex> {
        match v.opcode() {
            Some(Opcode::LLVMLoad) => self.load(v).map_err(|r| self.at(v, r)),
            Some(Opcode::LLVMPHI) => self.phi(v).map_err(|r| self.at(v, r)),
            Some(Opcode::LLVMFreeze) => {
                Err(self.at(v, RejectKind::Effect("a value that may be undefined".into()).into()))
            }
            Some(Opcode::LLVMCall) if v.is_pure() || sets_one_errno(v).is_some() => self.call(v),
            Some(_) if v.is_pure() => {
                let mut operands = Vec::new();
                for o in v.operands() {
                    operands.push(Some(self.value(o)?));
                }
                self.push(Node::Operation { instruction: v, operands })
            }
            _ => Err(self.at(v, RejectKind::Effect("an instruction with side effects".into()).into())),
        }
    }

    fn call(&mut self, v: Value) -> Raise<NodeIndex> {
        // The callee comes last and stays.
        let all = v.operands();
        let mut operands = Vec::new();
        for (k, o) in all.iter().enumerate() {
            let is_callee = k + 1 == all.len();
            operands.push(if is_callee { None } else { Some(self.value(*o)?) });
        }
        self.push(Node::Operation { instruction: v, operands })
    }

    /// The access that a load is, or the piece of it that is read here.
    fn find_access(&mut self, load: Value) -> Raise<Option<(usize, Access)>> {
        let all = &self.shop.accesses.all;
        let whole = all.iter().position(|a| a.instruction == load && a.action == Action::Load);
        let found = match whole {
            None if pieces::is_in_pieces(all, load) => {
                let piece = pieces::common(self.shop.facts, all, load, &self.source.domain)?;
                if piece.is_none() {
                    self.shop.wish.get_or_insert(Wish::Pieces(load));
                    return Err(RejectKind::NonAffineAccess(super::facts::describe(load)).into());
                }
                piece
            }
            whole => whole,
        };
        Ok(found.and_then(|k| Some((k, all.get(k)?.clone()))))
    }

    fn load(&mut self, v: Value) -> Raise<NodeIndex> {
        if self.shop.accesses.indirect.iter().any(|i| i.load == v) {
            // An operation on its address.
            let pointer = v.operands().first().copied().ok_or_else(|| Reject::new(RejectKind::StaleLoad))?;
            let pointer = self.value(pointer)?;
            return self.push(Node::Operation { instruction: v, operands: vec![Some(pointer)] });
        }
        let (k, a) = self.find_access(v)?.ok_or_else(|| Reject::new(RejectKind::StaleLoad))?;
        let is_its_copy = self.source.origin == v && a.position == self.source.position;
        if !is_its_copy && !self.runs_before(&a.position) {
            return Err(RejectKind::Carried("it is loaded in a loop that has ended").into());
        }
        if !self.is_current(a.array, &a.subscripts, &a.position, 0, None)? {
            self.shop.gone = Some(Gone::Load(k));
            return Err(RejectKind::StaleLoad.into());
        }
        let in_every_iteration = a.domain.loops.len() == self.source.domain.loops.len();
        let is_piece = a.action == Action::LoadPiece;
        let read = self.read(a.array, a.subscripts, a.alignment, v.ty())?;
        self.in_pieces.extend(is_piece.then_some(v));
        if in_every_iteration && let Some(Node::Read { access, .. }) = self.nodes.get(read.0) {
            self.loaded.entry(*access).or_insert(v);
        }
        Ok(read)
    }

    fn phi(&mut self, v: Value) -> Raise<NodeIndex> {
        // An iterator, or anything else that scalar evolution knows.
        if let Some(n) = self.index(v)? {
            return Ok(n);
        }
        // The way that was taken.
        let here = v.block().filter(|b| self.shop.layout.region.contains(*b));
        if let Some(from) = here.and_then(|b| self.source.ways.get(&b)) {
            let brought = v.incoming().into_iter().find(|(_, b)| b == from).map(|(x, _)| x);
            return self.value(brought.ok_or_else(|| Reject::new(RejectKind::ControlFlow("a value from nowhere")))?);
        }
        // One that changes in several steps.
        if let Some(s) = self.shop.steps.iter().find(|s| s.members.contains(&v)) {
            return self.step(s, v);
        }
        // A scalar that lives in a cell.
        if let Some(w) = self.shop.webs.iter().find(|w| w.after.contains(&v) || w.phis.contains(&v)).cloned() {
            let known = self.web(&w, v);
            let by_way = here.filter(|_| known.is_err() && w.after.contains(&v) && v.incoming().len() > 1);
            // On one of the ways it may be known.
            if let Some(b) = by_way {
                self.shop.wish.get_or_insert(Wish::Ways(b));
            }
            return known;
        }
        // The only value that can come in.
        if let Some(only) = scalar::only_incoming(self.shop.facts.analyses, v) {
            if let Some(n) = self.left_by_loop(v, only)? {
                return Ok(n);
            }
            return self.value(only);
        }
        if let Some(n) = self.merged(v)? {
            return Ok(n);
        }
        if let Some(b) = here.filter(|b| self.shop.layout.region.loops.iter().all(|l| l.header() != *b)) {
            if let Some(n) = self.choice(v, b)? {
                return Ok(n);
            }
            self.shop.wish.get_or_insert(Wish::Ways(b));
            return Err(RejectKind::Carried("it differs between the branches of a condition").into());
        }
        self.carried(v)
    }

    /// The constant that steps start with, in one of them, is read in their cell like any other value before a step: so all are alike.
    fn start_of_steps(&mut self, v: Value) -> Raise<Option<NodeIndex>> {
        let (block, position) = (self.source.block, &self.source.position);
        let is_here = |s: &&Steps| s.array == self.source.array && s.writes.iter().any(|w| w.position == *position);
        let Some(s) = self.shop.steps.iter().find(is_here).filter(|_| v.is_constant()) else { return Ok(None) };
        if s.held(block, position) != Some(v) {
            return Ok(None);
        }
        self.read(s.array, s.cell.clone(), s.alignment, v.ty()).map(Some)
    }

    /// What lives in a cell with others, if that holds it now.
    fn step(&mut self, s: &Steps, v: Value) -> Raise<NodeIndex> {
        if s.held(self.source.block, &self.source.position) != Some(v) {
            return Err(RejectKind::Carried("its old value is used after the new one is computed").into());
        }
        self.read(s.array, s.cell.clone(), s.alignment, v.ty())
    }

    fn index(&mut self, v: Value) -> Raise<Option<NodeIndex>> {
        if v.ty().integer_bits().is_none_or(|b| b > 64) {
            return Ok(None);
        }
        let Some(s) = self.shop.facts.analyses.scev(v) else { return Ok(None) };
        let checkpoint = self.shop.facts.checkpoint();
        let Ok(t) = self.shop.facts.translate(s, &self.source.domain) else {
            self.shop.facts.restore(&checkpoint);
            return Ok(None);
        };
        self.index_of(&t.poly, v)
    }

    /// The value of an expression in the iterators of all loops, as which `v` is known. `None`: it is not one in those around the statement.
    fn index_of(&mut self, expression: &Poly, v: Value) -> Raise<Option<NodeIndex>> {
        let loops = &self.source.domain.loops;
        let mut poly = Poly::default();
        for (m, c) in expression.terms() {
            let mut local = Vec::new();
            for &symbol in m {
                local.push(match symbol {
                    Symbol::Iterator(l) => match loops.iter().position(|x| *x == l) {
                        Some(k) => Symbol::Iterator(LoopIndex(k)),
                        None => return Ok(None),
                    },
                    param @ Symbol::Param(_) => param,
                    Symbol::Triangle(_) => return Ok(None),
                });
            }
            local.sort_unstable();
            poly = poly.add(&Poly::term(local, c)).ok_or_else(|| Reject::new(RejectKind::Overflow))?;
        }
        self.push(Node::Index { poly, ty: v.ty() }).map(Some)
    }
}
