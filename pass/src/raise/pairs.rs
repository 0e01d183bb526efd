//! Sums of products of narrow integers by pairs ([`scheduler::pairs`]): which statements are such, and the model's new arrays and statements, in LLVM's terms.

use super::body::{Body, Node, NodeIndex};
use super::facts::Param;
use super::formula::{Formula, FormulaKind};
use super::private;
use super::{ArrayData, Raised};
use crate::llvm::{Analyses, Opcode, Type, Value};
use polyhedra::{Affine, Budget, Constraint, Space};
use scheduler::Result;
use scheduler::pairs::{Packed, Paired, Products, pair};
use scheduler::scop::{AccessId, StatementId};

/// Most sums of a region that are taken by pairs.
const MOST: usize = 4;

/// Bits of a sum, and of the widest operands.
const SUM: u32 = 32;
const OPERAND: u32 = 16;

/// Of a number of terms.
const MOST_COEFFICIENTS: i64 = 1 << 20;

/// What is known of parameters when the new code runs.
const LARGEST: i64 = 1 << 40;

/// The region with sums by pairs. `None`: there are none, or the machine has no operation for them.
///
/// # Errors
/// As [`pair`].
pub fn paired(analyses: Analyses, raised: &Raised, budget: &Budget) -> Result<Option<Raised>> {
    let checks = &raised.checks;
    if !(checks.inspections.is_empty() && checks.rows.is_empty()) {
        return Ok(None);
    }
    let Some(operations) = analyses.pair_operations(analyses.vector_bits()) else { return Ok(None) };
    let mut out: Option<Raised> = None;
    let mut left = MOST;
    for statement in (0..raised.scop.statements.len()).map(StatementId) {
        let own = out.as_ref().unwrap_or(raised);
        let Some(found) = own.bodies.get(statement.0).and_then(|body| products(own, statement, body)) else { continue };
        let wanted = Products { statement, operands: found.operands.each_ref().map(|o| o.access), operations };
        let Some(by_pairs) = pair(&own.scop, &wanted, budget)? else { continue };
        if let Some(by_pairs) = with_pairs(own, statement, &found, by_pairs, budget)? {
            out = Some(by_pairs);
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    Ok(out)
}

/// An operand: a cell of at most 16 bits, extended.
struct Operand {
    access: AccessId,
    /// What is read.
    ty: Type,
    extension: Value,
}

/// A sum of products.
struct Found {
    operands: [Operand; 2],
    /// The product.
    product: Value,
    /// The access that reads the old value, and its type.
    old: (AccessId, Type),
}

/// Is it `c = c + x * y` of narrow integers, in 32 bits?
fn products(raised: &Raised, statement: StatementId, body: &Body) -> Option<Found> {
    let (_, old) = raised.scop.statements.get(statement.0)?.update()?;
    let operation = |n: NodeIndex, opcode: Opcode| match body.nodes.get(n.0)? {
        Node::Operation { instruction, operands } if instruction.opcode() == Some(opcode) => match operands[..] {
            [Some(a), Some(b)] => Some((*instruction, a, b)),
            _ => None,
        },
        _ => None,
    };
    let (sum, a, b) = operation(body.root, Opcode::LLVMAdd)?;
    let is_old = |n: NodeIndex| match body.nodes.get(n.0)? {
        Node::Read { access, ty } if *access == old.0 => Some(*ty),
        _ => None,
    };
    let (ty, rest) = match (is_old(a), is_old(b)) {
        (Some(ty), None) => (ty, b),
        (None, Some(ty)) => (ty, a),
        _ => return None,
    };
    if sum.ty().integer_bits() != Some(SUM) || ty != sum.ty() || !body.guards.is_empty() {
        return None;
    }
    let (product, a, b) = operation(rest, Opcode::LLVMMul)?;
    let operand = |n: NodeIndex| {
        let Node::Operation { instruction, operands } = body.nodes.get(n.0)? else { return None };
        let &[Some(of)] = operands.as_slice() else { return None };
        let Node::Read { access, ty } = body.nodes.get(of.0)? else { return None };
        let fits = match (instruction.opcode()?, ty.integer_bits()?) {
            (Opcode::LLVMSExt, bits) => bits <= OPERAND,
            (Opcode::LLVMZExt, bits) => bits < OPERAND,
            _ => false,
        };
        fits.then_some(Operand { access: AccessId(*access), ty: *ty, extension: *instruction })
    };
    Some(Found { operands: [operand(a)?, operand(b)?], product, old: (old, ty) })
}

/// The region with one sum by pairs. `None`: numbers are too large.
fn with_pairs(
    raised: &Raised,
    statement: StatementId,
    found: &Found,
    by_pairs: Paired,
    budget: &Budget,
) -> Result<Option<Raised>> {
    let mut out = Raised { scop: by_pairs.scop, ..raised.clone() };
    if let Some(terms) = &by_pairs.terms {
        let space = Space::new(out.scop.params.len(), 0);
        out.checks.assumptions.iter_mut().for_each(|e| *e = e.embed(space, &[]));
        let some = terms.offset(-1)?;
        let context = raised.scop.context.as_ref().map(|context| context.embed(space, &[]));
        let known = match &context {
            Some(context) => context.implies(&Constraint::ge(some.clone()), budget)?,
            None => false,
        };
        if !known {
            out.checks.assumptions.push(some);
        }
        let Some(count) = count(&out, terms) else { return Ok(None) };
        out.params.push(count);
    }
    let old = raised.bodies.get(statement.0);
    let Some(Body { alignments, origin, .. }) = old else { return Ok(None) };
    let of = |access: AccessId| alignments.get(access.0).copied().unwrap_or(1);
    for (packed, (operand, base)) in
        by_pairs.arrays.iter().zip(found.operands.iter().zip([found.product, found.operands[1].extension]))
    {
        let free = raised.arrays.iter().all(|a| a.base != base);
        if !free || add(&mut out, packed, base, found.old.1).is_none() {
            return Ok(None);
        }
        let body = |halves: usize| body_of_pair(operand, halves, of(operand.access), *origin);
        let mut new = vec![(packed.whole, body(2))];
        new.extend(packed.half.map(|half| (half, body(1))));
        for (id, body) in new {
            if out.bodies.len() != id.0 {
                return Ok(None);
            }
            out.bodies.push(body);
        }
    }
    let pair_bytes = SUM / 8;
    let i32 = found.old.1;
    out.bodies[statement.0] = Body {
        nodes: vec![
            Node::Read { access: 1, ty: i32 },
            Node::Read { access: 2, ty: i32 },
            Node::Read { access: 3, ty: i32 },
            Node::Dot { pairs: [NodeIndex(0), NodeIndex(1)], sum: NodeIndex(2) },
        ],
        guards: Vec::new(),
        root: NodeIndex(3),
        alignments: vec![of(AccessId(0)), pair_bytes, pair_bytes, of(found.old.0)],
        origin: *origin,
    };
    Ok(Some(out))
}

/// The array of pairs, which stands for `base`, in LLVM's terms.
fn add(raised: &mut Raised, packed: &Packed, base: Value, element: Type) -> Option<()> {
    let bytes = u64::from(SUM / 8);
    let strides = private::strides(raised, &packed.sizes, bytes)?;
    if strides.iter().any(|s| s.as_constant().is_none()) {
        raised.checks.bounded.push(packed.array.0);
    }
    raised.arrays.push(ArrayData { base, element, bytes, strides, packed: false, own: true, table: None });
    (raised.arrays.len() == packed.array.0 + 1).then_some(())
}

/// One or two extended cells in one.
fn body_of_pair(operand: &Operand, halves: usize, alignment: u32, origin: Value) -> Body {
    let mut nodes = Vec::new();
    let mut pair = [None, None];
    for (k, half) in pair.iter_mut().take(halves).enumerate() {
        nodes.push(Node::Read { access: k + 1, ty: operand.ty });
        let read = NodeIndex(nodes.len() - 1);
        nodes.push(Node::Operation { instruction: operand.extension, operands: vec![Some(read)] });
        *half = Some(NodeIndex(nodes.len() - 1));
    }
    nodes.push(Node::Pair { halves: pair });
    let root = NodeIndex(nodes.len() - 1);
    let mut alignments = vec![SUM / 8];
    alignments.resize(halves + 1, alignment);
    Body { nodes, guards: Vec::new(), root, alignments, origin }
}

/// Half of a number of terms, rounded up. Where it is not positive nobody asks.
fn count(raised: &Raised, terms: &Affine) -> Option<Param> {
    // So sums of them do not wrap.
    let sum: i64 = terms.coeffs().iter().try_fold(0_i64, |sum, c| sum.checked_add(c.checked_abs()?))?;
    if sum > MOST_COEFFICIENTS {
        return None;
    }
    let number = |c: i64| Formula { bits: 64, kind: FormulaKind::Constant(c) };
    let mut sum = vec![number(terms.constant_term().checked_add(1)?)];
    for (p, &c) in terms.param_coeffs().iter().enumerate().filter(|(_, c)| **c != 0) {
        let param = Formula { bits: 64, kind: FormulaKind::Param(super::poly::ParamIndex(p)) };
        sum.push(Formula { bits: 64, kind: FormulaKind::Mul(vec![number(c), param]) });
    }
    let sum = Formula { bits: 64, kind: FormulaKind::Add(sum) };
    let half = Formula { bits: 64, kind: FormulaKind::SignedQuotient(Box::new(sum), 2) };
    let value = raised.params.first()?.value;
    let name = raised.scop.params.last()?.clone();
    Some(Param { value, bits: 64, range: (1, LARGEST), check_range: true, name, formula: Some(half) })
}
