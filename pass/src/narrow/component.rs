//! Values of a loop that are computed from each other and have one width.

use super::Body;
use super::ranges::{Operation, Range, compared, narrowed, range};
use crate::llvm::build::InPlace;
use crate::llvm::{Opcode, Value};
use std::collections::BTreeMap;

/// Widths that vectors have.
const WIDTHS: [u32; 3] = [8, 16, 32];

/// Where an operand comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Another node, by its number.
    Node(usize),
    /// A number that has been extended.
    Extended { extension: Value, from: Value, bits: u32, signed: bool },
    /// A constant.
    Number(i128),
}

/// An operation of the component.
#[derive(Debug)]
struct Node {
    instruction: Value,
    operation: Operation,
    /// Of a choice without its condition.
    operands: Vec<Source>,
    range: Range,
}

/// Where values leave it.
#[derive(Debug)]
enum Leaving {
    /// A truncation of a node.
    Truncated { instruction: Value, node: usize, bits: u32 },
    /// A comparison of two operands.
    Compared { instruction: Value, operands: [Source; 2] },
}

/// Nodes that are computed from each other, operands first, and all that uses them.
pub(super) struct Component {
    bits: u32,
    nodes: Vec<Node>,
    leaving: Vec<Leaving>,
}

/// What is known of the operations of a loop on numbers of one width.
struct Graph<'b> {
    body: &'b Body,
    bits: u32,
    /// The number of a node; operands have lesser ones.
    numbers: BTreeMap<Value, usize>,
    nodes: Vec<Node>,
    /// A node of the same component, or itself.
    parent: Vec<usize>,
    /// Nodes whose component must stay as it is.
    fixed: Vec<usize>,
}

/// The operation that an instruction does.
fn operation(i: Value) -> Option<Operation> {
    use Operation as O;
    Some(match i.opcode()? {
        Opcode::LLVMAdd => O::Add,
        Opcode::LLVMSub => O::Sub,
        Opcode::LLVMMul => O::Mul,
        Opcode::LLVMShl => O::ShiftLeft,
        Opcode::LLVMLShr => O::ShiftRight { signed: false },
        Opcode::LLVMAShr => O::ShiftRight { signed: true },
        Opcode::LLVMAnd => O::And,
        Opcode::LLVMOr => O::Or,
        Opcode::LLVMXor => O::Xor,
        Opcode::LLVMUDiv => O::Quotient { signed: false },
        Opcode::LLVMSDiv => O::Quotient { signed: true },
        Opcode::LLVMURem => O::Remainder { signed: false },
        Opcode::LLVMSRem => O::Remainder { signed: true },
        Opcode::LLVMSelect => O::Choice,
        Opcode::LLVMCall => match i.intrinsic_name()?.as_str() {
            "llvm.smin" => O::Extremum { largest: false, signed: true },
            "llvm.smax" => O::Extremum { largest: true, signed: true },
            "llvm.umin" => O::Extremum { largest: false, signed: false },
            "llvm.umax" => O::Extremum { largest: true, signed: false },
            "llvm.abs" => O::Magnitude,
            _ => return None,
        },
        _ => return None,
    })
}

/// Does LLVM narrow it itself where only low bits are wanted?
fn is_narrowed_anyway(operation: Operation) -> bool {
    !matches!(
        operation,
        Operation::Extremum { .. } | Operation::Magnitude | Operation::Quotient { .. } | Operation::Remainder { .. }
    )
}

/// Operands that are numbers of its own width.
fn own_operands(i: Value, operation: Operation) -> Vec<Value> {
    let all = i.operands();
    match operation {
        Operation::Choice => all.into_iter().skip(1).take(2).collect(),
        Operation::Magnitude => all.into_iter().take(1).collect(),
        _ => all.into_iter().take(2).collect(),
    }
}

impl Graph<'_> {
    /// Adds a value and all that it is computed from, operands first.
    fn add(&mut self, root: Value) {
        let mut open = vec![(root, false)];
        while let Some((v, is_ready)) = open.pop() {
            if self.numbers.contains_key(&v) {
                continue;
            }
            let Some(operation) = self.is_inside(v) else { continue };
            let operands = own_operands(v, operation);
            if !is_ready {
                open.push((v, true));
                open.extend(operands.iter().filter(|o| !self.numbers.contains_key(o)).map(|&o| (o, false)));
                continue;
            }
            self.node(v, operation, &operands);
        }
    }

    fn is_inside(&self, v: Value) -> Option<Operation> {
        (v.ty().integer_bits() == Some(self.bits) && self.body.contains(v)).then(|| operation(v)).flatten()
    }

    fn node(&mut self, v: Value, operation: Operation, operands: &[Value]) {
        let number = self.nodes.len();
        self.numbers.insert(v, number);
        self.parent.push(number);
        let mut sources = Vec::new();
        for &o in operands {
            match self.source(o) {
                Some(source) => sources.push(source),
                None => self.fixed.push(number),
            }
        }
        let known = match sources.iter().map(|s| range_of(&self.nodes, *s)).collect::<Option<Vec<_>>>().as_deref() {
            Some([a]) => range(operation, *a, *a, self.bits),
            Some([a, b]) => range(operation, *a, *b, self.bits),
            _ => None,
        };
        if known.is_none() {
            self.fixed.push(number);
        }
        for source in &sources {
            if let Source::Node(k) = source {
                self.join(*k, number);
            }
        }
        let range = known.unwrap_or(Range::of_bits(self.bits, true));
        self.nodes.push(Node { instruction: v, operation, operands: sources, range });
    }

    fn source(&self, v: Value) -> Option<Source> {
        if let Some(&k) = self.numbers.get(&v) {
            return Some(Source::Node(k));
        }
        if let Some(number) = v.constant_int() {
            return Some(Source::Number(number.into()));
        }
        let signed = match v.opcode()? {
            Opcode::LLVMZExt => false,
            Opcode::LLVMSExt => true,
            _ => return None,
        };
        let from = *v.operands().first()?;
        Some(Source::Extended { extension: v, from, bits: from.ty().integer_bits()?, signed })
    }

    fn representative(&self, mut k: usize) -> usize {
        while self.parent[k] != k {
            k = self.parent[k];
        }
        k
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.representative(a), self.representative(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

impl Component {
    /// All of a loop that only truncations and comparisons use.
    pub(super) fn all(body: &Body) -> Vec<Self> {
        let mut out = Vec::new();
        for bits in [16, 32, 64] {
            out.extend(Self::of_width(body, bits));
        }
        out
    }

    fn of_width(body: &Body, bits: u32) -> Vec<Self> {
        let mut graph =
            Graph { body, bits, numbers: BTreeMap::new(), nodes: Vec::new(), parent: Vec::new(), fixed: Vec::new() };
        for &i in &body.instructions {
            graph.add(i);
        }
        let mut leaving: Vec<(usize, Leaving)> = Vec::new();
        for &i in &body.instructions {
            let of_width = |v: &Value| v.ty().integer_bits() == Some(bits);
            let used: Vec<Value> = i.operands().into_iter().filter(of_width).collect();
            match (i.opcode(), used.as_slice()) {
                (Some(Opcode::LLVMTrunc), [v]) => {
                    if let (Some(&node), Some(bits)) = (graph.numbers.get(v), i.ty().integer_bits()) {
                        leaving.push((node, Leaving::Truncated { instruction: i, node, bits }));
                    }
                }
                (Some(Opcode::LLVMICmp), [a, b]) => {
                    let known: Vec<usize> = [a, b].iter().filter_map(|v| graph.numbers.get(v).copied()).collect();
                    match (graph.source(*a), graph.source(*b), known.first()) {
                        (Some(a), Some(b), Some(&node)) => {
                            known.iter().for_each(|&k| graph.join(node, k));
                            leaving.push((node, Leaving::Compared { instruction: i, operands: [a, b] }));
                        }
                        _ => graph.fixed.extend(known),
                    }
                }
                _ if graph.numbers.contains_key(&i) => {}
                // Something else wants all of its bits.
                _ => graph.fixed.extend(used.iter().filter_map(|v| graph.numbers.get(v))),
            }
        }
        let is_used_behind = |n: &Node| n.instruction.users().iter().any(|u| !body.contains(*u));
        let behind = (0..graph.nodes.len()).filter(|&k| is_used_behind(&graph.nodes[k]));
        graph.fixed.extend(behind.collect::<Vec<_>>());
        graph.into_components(leaving)
    }

    /// Its width.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// The fewest bits in which all is the same, if LLVM would not find that itself and it makes vectors of more lanes, in a loop whose widest cell has so many bits.
    pub(super) fn fewest_bits(&self, cells: u32) -> Option<u32> {
        let is_stopped = self.nodes.iter().any(|n| !is_narrowed_anyway(n.operation))
            || self.leaving.iter().any(|l| matches!(l, Leaving::Compared { .. }));
        if !is_stopped || cells >= self.bits {
            return None;
        }
        WIDTHS.into_iter().find(|&bits| bits < self.bits && self.fits(bits))
    }

    /// Do all operations yield the same on so many bits?
    fn fits(&self, bits: u32) -> bool {
        let holds = |s: &Source| !matches!(s, Source::Extended { bits: from, .. } if *from > bits);
        let nodes = self.nodes.iter().all(|n| n.operands.iter().all(holds) && self.narrowed(n, bits).is_some());
        nodes
            && self.leaving.iter().all(|l| match l {
                Leaving::Truncated { bits: to, .. } => *to <= bits,
                Leaving::Compared { instruction, operands } => {
                    operands.iter().all(holds) && self.compared(*instruction, *operands, bits).is_some()
                }
            })
    }

    fn narrowed(&self, node: &Node, bits: u32) -> Option<Operation> {
        let a = range_of(&self.nodes, *node.operands.first()?)?;
        let b = node.operands.get(1).map_or(Some(a), |s| range_of(&self.nodes, *s))?;
        narrowed(node.operation, a, b, bits)
    }

    fn compared(&self, comparison: Value, [a, b]: [Source; 2], bits: u32) -> Option<llvm_sys::LLVMIntPredicate> {
        compared(comparison.integer_predicate()?, range_of(&self.nodes, a)?, range_of(&self.nodes, b)?, bits)
    }

    /// Makes it on so many bits ([`Component::fewest_bits`]). `None`: something was not as it looked.
    pub(super) fn build(&self, new: &mut InPlace, bits: u32) -> Option<()> {
        let mut values: Vec<Value> = Vec::new();
        for node in &self.nodes {
            new.before(node.instruction);
            let mut own = Vec::new();
            for source in &node.operands {
                own.push(operand(new, &values, *source, bits)?);
            }
            let operation = self.narrowed(node, bits)?;
            values.push(make(new, node.instruction, operation, &own)?);
        }
        for leaving in &self.leaving {
            let (old, value) = match leaving {
                Leaving::Truncated { instruction, node, bits } => {
                    new.before(*instruction);
                    let ty = new.int(*bits);
                    (*instruction, new.resize(*values.get(*node)?, ty, false))
                }
                Leaving::Compared { instruction, operands } => {
                    new.before(*instruction);
                    let [a, b] = operands.map(|s| operand(new, &values, s, bits));
                    let predicate = self.compared(*instruction, *operands, bits)?;
                    (*instruction, new.compare(predicate, a?, b?))
                }
            };
            new.replace(old, value);
        }
        Some(())
    }

    /// Instructions that it has and that it begins with, users before what they use.
    pub(super) fn instructions(&self) -> Vec<Value> {
        let ends = self.leaving.iter().map(|l| match l {
            Leaving::Truncated { instruction, .. } | Leaving::Compared { instruction, .. } => *instruction,
        });
        let nodes = self.nodes.iter().rev().map(|n| n.instruction);
        let compared = self.leaving.iter().flat_map(|l| match l {
            Leaving::Compared { operands, .. } => operands.as_slice(),
            Leaving::Truncated { .. } => &[],
        });
        let sources = self.nodes.iter().flat_map(|n| &n.operands).chain(compared);
        let extensions = sources.filter_map(|s| match s {
            Source::Extended { extension, .. } => Some(*extension),
            Source::Node(_) | Source::Number(_) => None,
        });
        ends.chain(nodes).chain(extensions).collect()
    }
}

fn range_of(nodes: &[Node], source: Source) -> Option<Range> {
    match source {
        Source::Node(k) => nodes.get(k).map(|n| n.range),
        Source::Extended { bits, signed, .. } => Some(Range::of_bits(bits, signed)),
        Source::Number(n) => Some(Range::of(n)),
    }
}

fn operand(new: &mut InPlace, values: &[Value], source: Source, bits: u32) -> Option<Value> {
    let ty = new.int(bits);
    match source {
        Source::Node(k) => values.get(k).copied(),
        Source::Extended { from, signed, .. } => Some(new.resize(from, ty, signed)),
        Source::Number(n) => Some(new.constant(ty, n)),
    }
}

/// The operation on narrow operands.
fn make(new: &mut InPlace, old: Value, operation: Operation, own: &[Value]) -> Option<Value> {
    use Operation as O;
    let (a, b) = (*own.first()?, own.get(1).copied());
    let opcode = match operation {
        O::Add => Opcode::LLVMAdd,
        O::Sub => Opcode::LLVMSub,
        O::Mul => Opcode::LLVMMul,
        O::ShiftLeft => Opcode::LLVMShl,
        O::ShiftRight { signed } => [Opcode::LLVMLShr, Opcode::LLVMAShr][usize::from(signed)],
        O::And => Opcode::LLVMAnd,
        O::Or => Opcode::LLVMOr,
        O::Xor => Opcode::LLVMXor,
        O::Quotient { signed } => [Opcode::LLVMUDiv, Opcode::LLVMSDiv][usize::from(signed)],
        O::Remainder { signed } => [Opcode::LLVMURem, Opcode::LLVMSRem][usize::from(signed)],
        O::Extremum { largest, signed } => {
            let name = match (largest, signed) {
                (false, false) => "llvm.umin",
                (false, true) => "llvm.smin",
                (true, false) => "llvm.umax",
                (true, true) => "llvm.smax",
            };
            return new.intrinsic(name, &[a, b?]);
        }
        O::Magnitude => {
            let no = new.constant(new.int(1), 0);
            return new.intrinsic("llvm.abs", &[a, no]);
        }
        O::Choice => return Some(new.select(*old.operands().first()?, a, b?)),
    };
    Some(new.binary(opcode, a, b?))
}

impl Graph<'_> {
    fn into_components(self, leaving: Vec<(usize, Leaving)>) -> Vec<Component> {
        let of: Vec<usize> = (0..self.nodes.len()).map(|k| self.representative(k)).collect();
        let fixed: Vec<usize> = self.fixed.iter().map(|&k| of[k]).collect();
        let mut out: BTreeMap<usize, Component> = BTreeMap::new();
        // Where a node is in its component.
        let mut places: Vec<usize> = Vec::new();
        for (k, mut node) in self.nodes.into_iter().enumerate() {
            let component = out.entry(of[k]).or_insert_with(|| Component {
                bits: self.bits,
                nodes: Vec::new(),
                leaving: Vec::new(),
            });
            node.operands.iter_mut().for_each(|s| s.place(&places));
            places.push(component.nodes.len());
            component.nodes.push(node);
        }
        for (node, mut leaving) in leaving {
            match &mut leaving {
                Leaving::Truncated { node, .. } => *node = places[*node],
                Leaving::Compared { operands, .. } => operands.iter_mut().for_each(|s| s.place(&places)),
            }
            if let Some(component) = out.get_mut(&of[node]) {
                component.leaving.push(leaving);
            }
        }
        out.into_iter().filter(|(k, _)| !fixed.contains(k)).map(|(_, component)| component).collect()
    }
}

impl Source {
    fn place(&mut self, places: &[usize]) {
        if let Self::Node(k) = self {
            *k = places[*k];
        }
    }
}
