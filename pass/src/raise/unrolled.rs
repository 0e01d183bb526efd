//! Sums whose loop LLVM has unrolled entirely: `C[i][j] = fma(A[i][7], B[7][j], ... fma(A[i][0], B[0][j], C[i][j]))` is a product of matrices again.
//!
//! **Problem.** Loops of constant length, up to forty iterations or so, are gone when the plugin runs. What was `C[i][j] += A[i][k] * B[k][j]` for `k < 8` arrives as one statement with
//! seventeen reads, or as eight statements where the stores had to stay: two loops without reuse, as far as anybody can see.
//!
//! **Method.** A statement whose value is a chain of one operation, each step on what the one before gave, becomes one statement for each step, all on the stored cell, in the chain's order;
//! what the chain starts with is stored first, if it is not the cell itself. Nothing but the statement itself reads the cell between them, as they stand next to each other in
//! the same iteration; and the statement reads nothing else of the cell's array. Then [`reroll::reroll_sums`] makes loops of the steps. Whether that is better than the
//! statement as it is, the planner decides. Where the loops around are gone, too, [`reroll::reroll_blocks`] makes loops of the statements first.

use super::alike;
use super::body::{Body, Node, NodeIndex};
use super::rounding;
use super::weight;
use super::{Raised, body};
use crate::llvm::{Analyses, Opcode, Value};
use polyhedra::Budget;
use scheduler::Result;
use scheduler::reroll;
use scheduler::scop::{Access, AccessKind, Scop, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// What a chain starts with, its loop, and a term or two that are not as the others: more is not worth what it takes to look at.
const MOST_PARTS: usize = 4;

/// A step of a chain.
struct Link {
    node: NodeIndex,
    instruction: Value,
    /// Which operand is what the step before gave.
    at: usize,
}

/// A sum, written out.
struct Chain {
    /// What it starts with.
    start: NodeIndex,
    /// In the order in which they are computed.
    links: Vec<Link>,
}

/// The region with loops for sums that were unrolled. `None`: there are none.
///
/// # Errors
/// As [`reroll::reroll_sums`].
pub fn rolled(analyses: Analyses, raised: &Raised, budget: &Budget) -> Result<Option<Raised>> {
    let blocks = alike::rerolled_blocks(raised)?;
    let raised = blocks.as_ref().unwrap_or(raised);
    let apart = in_steps(analyses, raised, budget)?;
    let rolled = alike::rerolled_sums(apart.as_ref().unwrap_or(raised), budget)?.or(blocks);
    Ok(rolled.filter(|r| rounding::check_all(analyses, &r.scop, &r.bodies).is_ok()))
}

/// The region with the chains in steps that become loops. `None`: there are none.
fn in_steps(analyses: Analyses, raised: &Raised, budget: &Budget) -> Result<Option<Raised>> {
    let mut all: Vec<Vec<(Statement, Body)>> = Vec::new();
    let mut is_any = false;
    for (s, body) in raised.scop.statements.iter().zip(&raised.bodies) {
        let steps = chain(s, body)?.and_then(|chain| steps(analyses, s, body, &chain));
        let steps = match steps {
            Some(mut steps) if is_first_term(&steps) => starts_as_stored(raised, s, &steps).then(|| steps.split_off(1)),
            Some(steps) if steps.len() >= reroll::LEAST_TERMS && become_few(&steps, raised, budget)? => Some(steps),
            _ => None,
        };
        is_any |= steps.is_some();
        all.push(steps.unwrap_or_else(|| vec![(s.clone(), body.clone())]));
    }
    if is_any { with_parts(raised, all).map(Some) } else { Ok(None) }
}

/// Something stored, and one term added to it?
fn is_first_term(steps: &[(Statement, Body)]) -> bool {
    steps.len() == 2 && steps.first().is_some_and(|(s, _)| s.accesses.len() == 1)
}

/// Has what these steps of a statement start with, a value from before the region, just been stored there? LLVM adds the first term to the value rather than to the cell, which makes it unlike all others.
fn starts_as_stored(raised: &Raised, s: &Statement, steps: &[(Statement, Body)]) -> bool {
    let all = || raised.scop.statements.iter().zip(&raised.bodies);
    let beside = |b: &[usize]| b.len() == s.beta.len() && b[..b.len() - 1] == s.beta[..b.len() - 1];
    let before = all().filter(|(o, _)| beside(&o.beta) && o.beta < s.beta).max_by_key(|(o, _)| &o.beta);
    // Nothing of other depth stands between them.
    let alone = |o: &Statement| !all().any(|(other, _)| o.beta < other.beta && other.beta < s.beta);
    let (Some((before, stored)), Some((_, start))) = (before, steps.first()) else { return false };
    let value = |b: &Body| match b.nodes.get(b.root.0) {
        Some(Node::Invariant(value)) if b.guards.is_empty() => Some(*value),
        _ => None,
    };
    let same_cell = before.write().array == s.write().array && before.write().subscripts == s.write().subscripts;
    alone(before) && before.domain == s.domain && same_cell && value(stored).is_some() && value(stored) == value(start)
}

/// Do steps, alone, become a few statements with loops?
fn become_few(steps: &[(Statement, Body)], raised: &Raised, budget: &Budget) -> Result<bool> {
    let alone = with_parts(raised, vec![steps.to_vec()])?;
    Ok(alike::rerolled_sums(&alone, budget)?.is_some_and(|rolled| rolled.scop.statements.len() <= MOST_PARTS))
}

/// The region with parts in the place of its statements.
fn with_parts(raised: &Raised, all: Vec<Vec<(Statement, Body)>>) -> Result<Raised> {
    let most = all.iter().map(Vec::len).max().unwrap_or(0);
    let (mut statements, mut bodies) = (Vec::new(), Vec::new());
    for parts in all {
        for (place, (mut s, body)) in parts.into_iter().enumerate() {
            s.beta.iter_mut().for_each(|b| *b *= most);
            s.beta.last_mut().into_iter().for_each(|last| *last += place);
            statements.push(s);
            bodies.push(body);
        }
    }
    let scop = Scop { statements, ..raised.scop.clone() };
    scop.check()?;
    Ok(Raised { scop, bodies, ..raised.clone() })
}

/// The chain that gives the stored value.
fn chain(s: &Statement, body: &Body) -> Result<Option<Chain>> {
    let plain = |a: &Access| matches!(a.kind, AccessKind::Read | AccessKind::Write) && a.extent == 1;
    if !body.guards.is_empty() || !s.accesses.iter().all(plain) {
        return Ok(None);
    }
    let Some(found) = links(s, body) else { return Ok(None) };
    Ok(reroll::is_for_loops(s, found.links.len())?.then_some(found))
}

/// Its steps.
fn links(s: &Statement, body: &Body) -> Option<Chain> {
    let mut links: Vec<Link> = Vec::new();
    let mut at = body.root;
    while let Some(link) = link(body, at, links.first()) {
        // What is used elsewhere, too, is no step.
        if at != body.root && uses(body, at) != 1 {
            return None;
        }
        let before = operand(body, &link)?;
        links.push(link);
        at = before;
    }
    links.reverse();
    let chain = Chain { start: at, links };
    if chain.links.is_empty() || uses(body, chain.start) != 1 {
        return None;
    }
    // Products that the back end makes one operation with their sums stay with them.
    if chain.links.iter().any(|l| l.instruction.fused_operand().is_some()) {
        return None;
    }
    // The old value of the cell, if anything of its array.
    let of_array = |access: usize| s.accesses.get(access).is_some_and(|a| a.array == s.write().array);
    let elsewhere = body.nodes.iter().enumerate().any(|(k, node)| match node {
        Node::Read { access, .. } => of_array(*access) && !(NodeIndex(k) == chain.start && is_own(s, *access)),
        _ => false,
    });
    let unused = (1..s.accesses.len())
        .filter(|&k| of_array(k))
        .any(|k| !body.nodes.iter().any(|n| matches!(n, Node::Read { access, .. } if *access == k)));
    (!elsewhere && !unused).then_some(chain)
}

/// Does the access read the cell that is stored?
fn is_own(s: &Statement, access: usize) -> bool {
    s.accesses.get(access).is_some_and(|a| a.array == s.write().array && a.subscripts == s.write().subscripts)
}

/// A node as a step like the others.
fn link(body: &Body, at: NodeIndex, like: Option<&Link>) -> Option<Link> {
    let operation = |n: NodeIndex| match body.nodes.get(n.0) {
        Some(Node::Operation { instruction, operands }) => Some((*instruction, operands)),
        _ => None,
    };
    let (instruction, operands) = operation(at)?;
    if like.is_some_and(|like| !like.instruction.is_same_operation(instruction)) {
        return None;
    }
    let same = |k: usize| {
        let next = operands.get(k).copied().flatten();
        next.and_then(operation).is_some_and(|(other, _)| instruction.is_same_operation(other))
    };
    let place = match instruction.opcode()? {
        Opcode::LLVMCall => match instruction.intrinsic_name()?.as_str() {
            "llvm.fmuladd" | "llvm.fma" => 2,
            _ => return None,
        },
        Opcode::LLVMFSub | Opcode::LLVMSub => 0,
        Opcode::LLVMFAdd | Opcode::LLVMAdd => usize::from(!same(0) && (same(1) || is_start(body, operands, 1))),
        _ => return None,
    };
    operands.get(place).copied().flatten()?;
    Some(Link { node: at, instruction, at: place })
}

/// Is the operand rather than the other one what a sum starts with: something that is not computed for it?
fn is_start(body: &Body, operands: &[Option<NodeIndex>], k: usize) -> bool {
    let node = operands.get(k).copied().flatten().and_then(|n| body.nodes.get(n.0));
    matches!(node, Some(Node::Invariant(_) | Node::Read { .. } | Node::Splat { .. }))
}

fn operand(body: &Body, link: &Link) -> Option<NodeIndex> {
    match body.nodes.get(link.node.0)? {
        Node::Operation { operands, .. } => operands.get(link.at).copied().flatten(),
        _ => None,
    }
}

fn uses(body: &Body, of: NodeIndex) -> usize {
    body.nodes.iter().flat_map(Node::operands).filter(|o| *o == of).count()
}

/// A statement for each step, and for what the chain starts with.
fn steps(analyses: Analyses, s: &Statement, body: &Body, chain: &Chain) -> Option<Vec<(Statement, Body)>> {
    let mut out = Vec::new();
    let starts_itself = matches!(body.nodes.get(chain.start.0)?, Node::Read { access, .. } if is_own(s, *access));
    if !starts_itself {
        let mut copy = Copy::new(s, body);
        let root = copy.node(chain.start)?;
        out.push(copy.finish(analyses, root, out.len())?);
    }
    for link in &chain.links {
        let mut copy = Copy::new(s, body);
        let before = operand(body, link)?;
        let own = copy.own(link.instruction)?;
        copy.done.insert(before, own);
        let root = copy.node(link.node)?;
        out.push(copy.finish(analyses, root, out.len())?);
    }
    Some(out)
}

/// Part of a body as a statement of its own.
struct Copy<'a> {
    from: (&'a Statement, &'a Body),
    accesses: Vec<Access>,
    alignments: Vec<u32>,
    nodes: Vec<Node>,
    done: BTreeMap<NodeIndex, NodeIndex>,
}

impl<'a> Copy<'a> {
    fn new(s: &'a Statement, body: &'a Body) -> Self {
        let alignments = body.alignments.first().copied().into_iter().collect();
        Self {
            from: (s, body),
            accesses: vec![s.write().clone()],
            alignments,
            nodes: Vec::new(),
            done: BTreeMap::new(),
        }
    }

    fn push(&mut self, node: Node) -> NodeIndex {
        self.nodes.push(node);
        NodeIndex(self.nodes.len() - 1)
    }

    fn read(&mut self, access: Access, alignment: u32, ty: crate::llvm::Type) -> NodeIndex {
        self.accesses.push(access);
        self.alignments.push(alignment);
        self.push(Node::Read { access: self.accesses.len() - 1, ty })
    }

    /// What is in the stored cell, as a value of the step's type.
    fn own(&mut self, step: Value) -> Option<NodeIndex> {
        let (s, body) = self.from;
        Some(self.read(Access { kind: AccessKind::Read, ..s.write().clone() }, *body.alignments.first()?, step.ty()))
    }

    /// The node and all that it is made of.
    fn node(&mut self, n: NodeIndex) -> Option<NodeIndex> {
        if let Some(done) = self.done.get(&n) {
            return Some(*done);
        }
        let (s, body) = self.from;
        let new = match body.nodes.get(n.0)? {
            Node::Read { access, ty } => {
                self.read(s.accesses.get(*access)?.clone(), *body.alignments.get(*access)?, *ty)
            }
            other => {
                let own = other.of_others(|n| self.node(n))?;
                self.push(own)
            }
        };
        self.done.insert(n, new);
        Some(new)
    }

    fn finish(self, analyses: Analyses, root: NodeIndex, number: usize) -> Option<(Statement, Body)> {
        let (s, whole) = self.from;
        let body = Body {
            nodes: self.nodes,
            guards: Vec::new(),
            old: None,
            root,
            alignments: self.alignments,
            origin: whole.origin,
        };
        let own: Vec<usize> = (1..self.accesses.len()).filter(|&k| self.accesses[k].array == s.write().array).collect();
        let weight = weight::weigh(analyses, &body, &own, &own);
        let statement = Statement {
            name: format!("{}_{number}", s.name),
            operations: weight.operations,
            calls: weight.calls,
            alone: weight.alone,
            chain_latency: weight.chain,
            shared: BTreeMap::new(),
            any_order: weight.any_order,
            magnitudes: weight.magnitudes,
            by_numbers: weight.by_numbers,
            constants: weight.constants,
            widest: weight.widest,
            commutes: weight.commutes,
            latencies: weight.latencies,
            loaded: BTreeSet::new(),
            vectorizable: weight.widens && body::can_widen(&body),
            text: weight::text(&body, &Value::name),
            accesses: self.accesses,
            ..s.clone()
        };
        Some((statement, body))
    }
}
