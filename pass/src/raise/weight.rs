//! A statement's body in words and in figures: text for people, operations and latency for the cost model.

use super::body::{Body, Guard, Node, NodeIndex};
use super::region::sets_one_errno;
use crate::llvm::{Analyses, Opcode, Value};
use scheduler::scop::{Commutative, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Cycles from a condition to what is chosen by it.
const CHOICE: u32 = 2;

/// Text of a body for people: `{0} = fma({1}, {2}, {3})`, `{n}` standing for access n.
#[must_use]
pub fn text(body: &Body, name_of: &dyn Fn(Value) -> String) -> String {
    let operand = |n: NodeIndex| operand_text(body, n, name_of, 12, &mut 200);
    let guard = |g: &Guard| format!("if ({}{}) ", if g.truth { "" } else { "!" }, operand(g.node));
    let guards: String = body.guards.iter().map(guard).collect();
    format!("{guards}{{0}} = {}", operand(body.root))
}

/// So deep, and of so many nodes: those that several use are written as often.
fn operand_text(body: &Body, n: NodeIndex, name_of: &dyn Fn(Value) -> String, depth: u32, left: &mut u32) -> String {
    if depth == 0 || *left == 0 {
        return "...".into();
    }
    *left -= 1;
    match &body.nodes[n.0] {
        Node::Invariant(v) => name_of(*v),
        Node::Read { access, .. } => format!("{{{access}}}"),
        Node::Index { .. } => "index".into(),
        Node::Splat { byte } => byte.to_string(),
        Node::Choice { condition, yes, no } => {
            let [c, yes, no] = [condition, yes, no].map(|o| operand_text(body, *o, name_of, depth - 1, left));
            format!("({c} ? {yes} : {no})")
        }
        Node::Group { .. } | Node::Dot { .. } => {
            let own = body.nodes[n.0].operands();
            let args: Vec<String> = own.iter().map(|o| operand_text(body, *o, name_of, depth - 1, left)).collect();
            let what = if matches!(body.nodes[n.0], Node::Dot { .. }) { "dot" } else { "group" };
            format!("{what}({})", args.join(", "))
        }
        Node::Operation { instruction, operands } => {
            let args: Vec<String> =
                operands.iter().flatten().map(|o| operand_text(body, *o, name_of, depth - 1, left)).collect();
            let infix =
                |op: &str| if args.len() == 2 { format!("({} {op} {})", args[0], args[1]) } else { args.join(", ") };
            match instruction.opcode() {
                Some(Opcode::LLVMFAdd | Opcode::LLVMAdd) => infix("+"),
                Some(Opcode::LLVMFSub | Opcode::LLVMSub) => infix("-"),
                Some(Opcode::LLVMFMul | Opcode::LLVMMul) => infix("*"),
                Some(Opcode::LLVMFDiv | Opcode::LLVMSDiv | Opcode::LLVMUDiv) => infix("/"),
                Some(Opcode::LLVMFNeg) => format!("-{}", args.join(", ")),
                Some(Opcode::LLVMCall) => {
                    let name = instruction
                        .intrinsic_name()
                        .or_else(|| sets_one_errno(*instruction))
                        .unwrap_or_else(|| "call".into());
                    format!("{}({})", name.trim_start_matches("llvm."), args.join(", "))
                }
                Some(op) => {
                    let name = format!("{op:?}").trim_start_matches("LLVM").to_lowercase();
                    format!("{name}({})", args.join(", "))
                }
                None => args.join(", "),
            }
        }
    }
}

/// Cost figures of a body for the model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Weight {
    /// Simple operations, and divisions.
    pub operations: (u32, u32),
    /// Calls.
    pub calls: u32,
    /// As in [`scheduler::scop::Statement::alone`].
    pub alone: BTreeMap<Vec<usize>, (u32, u32)>,
    /// Cycles from the old value of the written cell to the new one.
    pub chain: u32,
    /// As in [`scheduler::scop::Statement::any_order`].
    pub any_order: bool,
    /// As in [`scheduler::scop::Statement::commutes`].
    pub commutes: Option<Commutative>,
    /// As in [`scheduler::scop::Statement::magnitudes`].
    pub magnitudes: u32,
    /// As in [`scheduler::scop::Statement::sums`].
    pub sums: u32,
    /// As in [`scheduler::scop::Statement::by_numbers`].
    pub by_numbers: u32,
    /// As in [`scheduler::scop::Statement::constants`].
    pub constants: u32,
    /// As in [`scheduler::scop::Statement::widest`].
    pub widest: u32,
    /// As in [`scheduler::scop::Statement::latencies`].
    pub latencies: BTreeMap<usize, u32>,
    /// Could LLVM's vectoriser widen every operation?
    pub widens: bool,
}

/// Intrinsics that have vector forms.
const WIDENING: &[&str] = &[
    "llvm.fmuladd",
    "llvm.fma",
    "llvm.sqrt",
    "llvm.fabs",
    "llvm.minnum",
    "llvm.maxnum",
    "llvm.minimum",
    "llvm.maximum",
    "llvm.copysign",
    "llvm.floor",
    "llvm.ceil",
    "llvm.trunc",
    "llvm.rint",
    "llvm.nearbyint",
    "llvm.round",
    "llvm.roundeven",
    "llvm.smin",
    "llvm.smax",
    "llvm.umin",
    "llvm.umax",
    "llvm.abs",
    "llvm.bswap",
    "llvm.ctpop",
    "llvm.fshl",
    "llvm.fshr",
];

/// Most reads of which it is said what needs them alone.
const FEW: usize = 3;

/// The reads that a value depends on, in order. `None`: more than a few, or a counter.
type Sources = Option<Vec<usize>>;

fn union(a: Sources, b: &Sources) -> Sources {
    let mut all = a?;
    all.extend(b.as_deref()?);
    all.sort_unstable();
    all.dedup();
    Some(all).filter(|all| all.len() <= FEW)
}

/// Is a node part of the machine's fused operations that use it: the sign of an operand, or a product that the back end fuses with its sum?
fn is_part_of_sum(body: &Body, node: NodeIndex) -> bool {
    let Node::Operation { instruction, .. } = &body.nodes[node.0] else { return false };
    let fused = |user: &Value, operands: &[Option<NodeIndex>]| match instruction.opcode() {
        Some(Opcode::LLVMFNeg) => matches!(user.intrinsic_name().as_deref(), Some("llvm.fmuladd" | "llvm.fma")),
        Some(Opcode::LLVMFMul) => user.fused_operand().is_some_and(|at| operands.get(at as usize) == Some(&Some(node))),
        _ => false,
    };
    let mut users = body.nodes.iter().filter(|n| n.operands().contains(&node)).peekable();
    let decides = users.peek().is_none() || body.guards.iter().any(|g| g.node == node);
    body.root != node
        && !decides
        && users.all(|n| matches!(n, Node::Operation { instruction, operands } if fused(instruction, operands)))
}

/// Is nothing done to the old value of the written cell but sums that may be reassociated?
fn is_sum_in_any_order(body: &Body, own: &[usize]) -> bool {
    let mut has_old: Vec<bool> = Vec::with_capacity(body.nodes.len());
    for node in &body.nodes {
        has_old.push(match node {
            Node::Read { access, .. } => own.contains(access),
            Node::Operation { instruction, operands } => {
                let any = operands.iter().flatten().any(|o| has_old[o.0]);
                if any && !(instruction.is_sum() && instruction.may_be_reassociated()) {
                    return false;
                }
                any
            }
            Node::Choice { .. } | Node::Group { .. } | Node::Dot { .. } => {
                if node.operands().iter().any(|o| has_old[o.0]) {
                    return false;
                }
                false
            }
            Node::Invariant(_) | Node::Index { .. } | Node::Splat { .. } => false,
        });
    }
    has_old[body.root.0]
}

/// As in [`scheduler::scop::Statement::constants`].
fn constants(body: &Body) -> u32 {
    let number = |node: &Node| match node {
        Node::Invariant(value) if value.ty().is_float() || value.ty().integer_bits().is_some() => Some(*value),
        _ => None,
    };
    let all: BTreeSet<Value> = body.nodes.iter().filter_map(number).collect();
    u32::try_from(all.len()).unwrap_or(u32::MAX)
}

/// As in [`scheduler::scop::Statement::widest`].
fn widest(body: &Body) -> u32 {
    let bits = |node: &Node| match node {
        Node::Operation { instruction, .. } => {
            let ty = instruction.ty();
            ty.integer_bits().or_else(|| ty.float_bits())
        }
        _ => None,
    };
    body.nodes.iter().filter_map(bits).max().unwrap_or(0).div_ceil(8)
}

/// As in [`scheduler::scop::Statement::magnitudes`].
fn magnitudes(body: &Body) -> u32 {
    let operation = |node: &NodeIndex| match &body.nodes[node.0] {
        Node::Operation { instruction, operands } => Some((*instruction, operands)),
        _ => None,
    };
    let is_byte = |value: &NodeIndex| {
        operation(value).is_some_and(|(extension, of)| {
            let bits = extension.operands().first().and_then(|byte| byte.ty().integer_bits());
            extension.opcode() == Some(Opcode::LLVMZExt) && bits == Some(8) && of.iter().flatten().count() == 1
        })
    };
    let is_difference = |value: &NodeIndex| {
        operation(value).is_some_and(|(difference, of)| {
            difference.opcode() == Some(Opcode::LLVMSub) && of.iter().all(|side| side.as_ref().is_some_and(is_byte))
        })
    };
    let is_magnitude = |node: &Node| match node {
        Node::Operation { instruction, operands } => {
            instruction.intrinsic_name().as_deref() == Some("llvm.abs")
                && operands.first().is_some_and(|of| of.as_ref().is_some_and(is_difference))
        }
        _ => false,
    };
    // What a sum takes up, where it is extended before.
    let mut taken_up = vec![false; body.nodes.len()];
    for (k, node) in body.nodes.iter().enumerate().rev() {
        let Node::Operation { instruction, operands } = node else { continue };
        let passes = match instruction.opcode() {
            Some(Opcode::LLVMAdd) => true,
            Some(Opcode::LLVMZExt) => taken_up[k],
            _ => false,
        };
        if passes {
            operands.iter().flatten().for_each(|of| taken_up[of.0] = true);
        }
    }
    let found = body.nodes.iter().zip(taken_up).filter(|(node, taken_up)| *taken_up && is_magnitude(node)).count();
    u32::try_from(found).unwrap_or(u32::MAX)
}

/// The operation on the old value of the written cell, which nothing else is computed from, if it takes its operands in any order.
fn update(body: &Body, own: &[usize]) -> Option<Commutative> {
    if body.is_conditional() { None } else { update_to(body, body.root, &BTreeSet::new(), own) }
}

/// The same of an update that runs or not as data say, though not as the old value says: LLVM knows these sums, too.
fn conditional_update(body: &Body, own: &[usize]) -> Option<Commutative> {
    let is_old = |n: NodeIndex| matches!(&body.nodes[n.0], Node::Read { access, .. } if own.contains(access));
    let (mut root, mut choices) = (body.root, BTreeSet::new());
    while let Node::Choice { yes, no, .. } = body.nodes[root.0] {
        let new = if is_old(no) { yes } else { no };
        if !is_old(yes) && !is_old(no) || !choices.insert(root) {
            return None;
        }
        root = new;
    }
    let of_old = body.guards.iter().any(|g| is_old(g.node));
    update_to(body, root, &choices, own).filter(|_| !of_old)
}

/// The operation on the old value that gives a value, with what else chooses between the two.
fn update_to(body: &Body, root: NodeIndex, choices: &BTreeSet<NodeIndex>, own: &[usize]) -> Option<Commutative> {
    let is_old = |node: &Node| matches!(node, Node::Read { access, .. } if own.contains(access));
    let mut olds = body.nodes.iter().enumerate().filter(|(_, node)| is_old(node));
    let (old, _) = olds.next()?;
    if olds.next().is_some() {
        return None;
    }
    // From the old value up to what is stored: one user each, all of them the same operation.
    let mut at = NodeIndex(old);
    let mut operation = None;
    while at != root {
        let uses = |node: &Node| node.operands().into_iter().filter(|o| *o == at).count();
        let others = body.nodes.iter().enumerate().filter(|(k, _)| !choices.contains(&NodeIndex(*k)));
        let mut users = others.filter(|(_, node)| uses(node) > 0);
        let (user, node) = users.next()?;
        let Node::Operation { instruction, operands } = node else { return None };
        if users.next().is_some() || uses(node) > 1 {
            return None;
        }
        // What is taken away is as good as what is added.
        let takes_away = instruction.opcode() == Some(Opcode::LLVMSub) && operands.first() == Some(&Some(at));
        let own = if takes_away { Commutative::Sum } else { instruction.commutative()? };
        if *operation.get_or_insert(own) != own {
            return None;
        }
        at = NodeIndex(user);
    }
    operation
}

/// Weighs a body. `own`: accesses that read the cell that is written, `of_array`: those that read its array.
#[must_use]
pub fn weigh(analyses: Analyses, body: &Body, own: &[usize], of_array: &[usize]) -> Weight {
    let mut w = Weight { widens: true, ..Weight::default() };
    // Cycles of each node by itself.
    let mut own_cycles: Vec<u32> = Vec::with_capacity(body.nodes.len());
    // What a value comes from.
    let mut sources: Vec<Sources> = Vec::with_capacity(body.nodes.len());
    for (k, node) in body.nodes.iter().enumerate() {
        sources.push(match node {
            Node::Read { access, .. } => Some(vec![*access]),
            Node::Operation { .. } | Node::Choice { .. } | Node::Group { .. } | Node::Dot { .. } => {
                node.operands().into_iter().map(|o| &sources[o.0]).fold(Some(Vec::new()), union)
            }
            Node::Index { .. } => None,
            Node::Invariant(_) | Node::Splat { .. } => Some(Vec::new()),
        });
        let mut cycles = 0;
        if matches!(node, Node::Choice { .. }) {
            cycles = CHOICE;
            w.operations.0 += 1;
        }
        if let Node::Operation { instruction, .. } = node
            && !is_part_of_sum(body, NodeIndex(k))
        {
            let kind;
            (cycles, kind) = cost(*instruction);
            w.widens &= widens(analyses, *instruction);
            w.sums += u32::from(is_lone_sum(*instruction));
            w.by_numbers += u32::from(is_by_number(*instruction));
            let counts = match kind {
                Kind::Call => {
                    w.calls += 1;
                    (0, 0)
                }
                Kind::Division => (0, 1),
                Kind::Simple => (1, 0),
            };
            let add = |sum: &mut (u32, u32)| *sum = (sum.0 + counts.0, sum.1 + counts.1);
            add(&mut w.operations);
            if let Some(Some(reads)) = sources.last()
                && !reads.is_empty()
                && counts != (0, 0)
                && body.root != NodeIndex(k)
            {
                add(w.alone.entry(reads.clone()).or_default());
            }
        }
        own_cycles.push(cycles);
    }
    // The longest way from one of some reads to the stored value.
    let longest = |from: &[usize]| {
        let mut path: Vec<Option<u32>> = Vec::with_capacity(body.nodes.len());
        for (node, cycles) in body.nodes.iter().zip(&own_cycles) {
            path.push(match node {
                Node::Read { access, .. } => from.contains(access).then_some(0),
                Node::Operation { .. } | Node::Choice { .. } | Node::Group { .. } | Node::Dot { .. } => {
                    node.operands().into_iter().filter_map(|o| path[o.0]).max().map(|p| p + cycles)
                }
                Node::Invariant(_) | Node::Index { .. } | Node::Splat { .. } => None,
            });
        }
        path[body.root.0]
    };
    // Other cells of the array may be the same one for what LLVM knows.
    w.commutes = update(body, own);
    let commutes = || w.commutes.is_some() || conditional_update(body, own).is_some();
    w.any_order = own.len() == of_array.len() && (commutes() || is_sum_in_any_order(body, own));
    w.magnitudes = magnitudes(body);
    w.constants = constants(body);
    w.widest = widest(body);
    w.chain = longest(own).unwrap_or(0);
    w.latencies = of_array.iter().filter_map(|&access| Some((access, longest(&[access])?))).collect();
    w
}

/// Says of statements what they compute in common, for the same instances, and is costly.
pub fn share(statements: &mut [Statement], bodies: &[Body]) {
    let mut users: BTreeMap<Value, BTreeSet<usize>> = BTreeMap::new();
    for (s, body) in bodies.iter().enumerate() {
        let node = |(k, node): (usize, &Node)| match node {
            Node::Operation { instruction, .. } if !is_part_of_sum(body, NodeIndex(k)) => Some(*instruction),
            _ => None,
        };
        for instruction in body.nodes.iter().enumerate().filter_map(node) {
            users.entry(instruction).or_default().insert(s);
        }
    }
    let mut groups: BTreeMap<Vec<usize>, (u32, u32)> = BTreeMap::new();
    for (instruction, of) in users.into_iter().filter(|(v, of)| of.len() > 1 && is_costly(*v)) {
        // Parts of one statement never run for the same instance.
        let mut alike: Vec<Vec<usize>> = Vec::new();
        for s in of {
            let with = |t: usize| {
                let (a, b): (&Statement, &Statement) = (&statements[s], &statements[t]);
                a.beta.split_last().map(|x| x.1) == b.beta.split_last().map(|x| x.1) && a.domain == b.domain
            };
            match alike.iter_mut().find(|group| with(group[0])) {
                Some(group) => group.push(s),
                None => alike.push(vec![s]),
            }
        }
        for group in alike.into_iter().filter(|group| group.len() > 1) {
            let sum = groups.entry(group).or_default();
            match cost(instruction).1 {
                Kind::Simple => {}
                Kind::Division => sum.0 += 1,
                Kind::Call => sum.1 += 1,
            }
        }
    }
    for (number, (group, counts)) in groups.into_iter().enumerate() {
        for s in group {
            statements[s].shared.insert(number, counts);
        }
    }
}

/// Is it a division or a call?
#[must_use]
pub fn is_costly(instruction: Value) -> bool {
    cost(instruction).1 != Kind::Simple
}

/// Is it a sum of floating-point numbers that is an operation by itself? Not a difference of cells.
fn is_lone_sum(instruction: Value) -> bool {
    let is_cell = |v: &Value| matches!(v.opcode(), None | Some(Opcode::LLVMLoad | Opcode::LLVMPHI));
    let is_sum = match instruction.opcode() {
        Some(Opcode::LLVMFAdd) => true,
        Some(Opcode::LLVMFSub) => !instruction.operands().iter().all(is_cell),
        _ => false,
    };
    is_sum && instruction.fused_operand().is_none()
}

/// Is it a division of integers by a known number?
fn is_by_number(instruction: Value) -> bool {
    let by = || instruction.operands().get(1).and_then(|by| by.constant_int());
    instruction.divides_integers() && by().is_some_and(|by| by != 0)
}

/// Could LLVM's vectoriser widen an operation, and we?
fn widens(analyses: Analyses, instruction: Value) -> bool {
    instruction.opcode() != Some(Opcode::LLVMCall)
        || instruction.intrinsic_name().is_some_and(|name| WIDENING.contains(&name.as_str()))
        || analyses.vector_form(instruction, analyses.vector_bits()).is_some()
}

/// What an operation takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Simple,
    /// Or a root.
    Division,
    Call,
}

/// Cycles of an operation, and what it takes.
fn cost(instruction: Value) -> (u32, Kind) {
    match instruction.opcode() {
        Some(Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul | Opcode::LLVMMul) => (3, Kind::Simple),
        Some(
            Opcode::LLVMFDiv
            | Opcode::LLVMSDiv
            | Opcode::LLVMUDiv
            | Opcode::LLVMSRem
            | Opcode::LLVMURem
            | Opcode::LLVMFRem,
        ) => (13, Kind::Division),
        Some(Opcode::LLVMCall) => {
            let name = instruction.intrinsic_name().or_else(|| sets_one_errno(instruction)).unwrap_or_default();
            match name.as_str() {
                "llvm.fmuladd" | "llvm.fma" => (4, Kind::Simple),
                // Of the functions none is called but for operands without a root.
                "llvm.sqrt" | "sqrt" | "sqrtf" => (15, Kind::Division),
                n if WIDENING.contains(&n) => (2, Kind::Simple),
                _ => (30, Kind::Call),
            }
        }
        _ => (1, Kind::Simple),
    }
}
