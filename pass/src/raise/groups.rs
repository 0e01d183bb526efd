//! Sums of products of narrow integers, several terms at once ([`scheduler::groups`]): which statements are such, what the machine has for them, and the model's new arrays and statements, in LLVM's terms.

use super::body::{Body, Node, NodeIndex};
use super::facts::Param;
use super::formula::{Formula, FormulaKind};
use super::private;
use super::shape::Rows;
use super::{ArrayData, Raised};
use crate::llvm::{Analyses, Opcode, Parts, Type, Value};
use polyhedra::{Affine, Budget, Constraint, Space};
use scheduler::Result;
use scheduler::groups::{Grouped, Packed, Products, grouped};
use scheduler::scop::{AccessId, ArrayId, StatementId};

/// Most sums of a region that are taken by groups.
const MOST: usize = 4;

/// Bits of a sum, and of a group.
const SUM: u32 = 32;

/// Of a number of terms.
const MOST_COEFFICIENTS: i64 = 1 << 20;

/// What is known of parameters when the new code runs.
const LARGEST: i64 = 1 << 40;

/// The highest bit of a byte.
const HIGHEST_BIT: u8 = 0x80;

/// The region with sums by groups. `None`: there are none, or the machine has no operation for them.
///
/// # Errors
/// As [`grouped`].
pub fn in_groups(analyses: Analyses, raised: &Raised, budget: &Budget) -> Result<Option<Raised>> {
    let checks = &raised.checks;
    if !(checks.inspections.is_empty() && checks.looks.is_empty() && checks.rows.is_empty()) {
        return Ok(None);
    }
    let mut out: Option<Raised> = None;
    let mut left = MOST;
    for statement in (0..raised.scop.statements.len()).map(StatementId) {
        let own = out.as_ref().unwrap_or(raised);
        let Some(found) = own.bodies.get(statement.0).and_then(|body| products(own, statement, body)) else { continue };
        let mut by_groups = None;
        for way in ways(analyses, &found) {
            by_groups = with_groups(own, statement, &found, &way, budget)?;
            if by_groups.is_some() {
                break;
            }
        }
        if by_groups.is_some() {
            out = by_groups;
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    Ok(out)
}

/// An operand: a narrow cell, extended.
struct Operand {
    access: AccessId,
    /// What is read.
    ty: Type,
    extension: Value,
    bits: u32,
    signed: bool,
}

impl Operand {
    /// May it be read as an integer of so many bits, with sign or without?
    fn fits(&self, bits: u32, signed: bool) -> bool {
        if self.signed == signed { self.bits <= bits } else { signed && self.bits < bits }
    }
}

/// A sum of products.
struct Found {
    operands: [Operand; 2],
    /// The sum, and the product.
    sum: Value,
    product: Value,
    /// The access that reads the old value, and its type.
    old: (AccessId, Type),
}

/// How a sum goes by groups.
struct Way {
    /// The machine's operation on groups.
    parts: Parts,
    operations: u32,
    /// The operand whose sign is turned over.
    turned: Option<usize>,
}

/// Those that the machine has operations for, best first: four bytes at once, if need be with one operand's sign turned over, or two integers of 16 bits.
fn ways(analyses: Analyses, found: &Found) -> Vec<Way> {
    let way = |bits: u32, signed: [bool; 2], turned: Option<usize>| {
        let mut own = signed;
        if let Some(sign) = turned.and_then(|of| own.get_mut(of)) {
            *sign = !*sign;
        }
        let fits = found.operands.iter().zip(own).all(|(operand, signed)| operand.fits(bits, signed));
        let parts = Parts { bits, signed };
        let operations = analyses.dot_operations(analyses.vector_bits(), parts).filter(|_| fits)?;
        Some(Way { parts, operations, turned })
    };
    const SIGNS: [[bool; 2]; 4] = [[true, true], [false, false], [true, false], [false, true]];
    let bytes = |turned| SIGNS.into_iter().find_map(|signed| way(8, signed, turned));
    let fours = bytes(None).or_else(|| bytes(Some(0))).or_else(|| bytes(Some(1)));
    fours.into_iter().chain(way(16, [true, true], None)).collect()
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
        let signed = match instruction.opcode()? {
            Opcode::LLVMSExt => true,
            Opcode::LLVMZExt => false,
            _ => return None,
        };
        let bits = ty.integer_bits()?;
        Some(Operand { access: AccessId(*access), ty: *ty, extension: *instruction, bits, signed })
    };
    Some(Found { operands: [operand(a)?, operand(b)?], sum, product, old: (old, ty) })
}

/// The region with one sum by groups. `None`: it is none, or numbers are too large.
fn with_groups(
    raised: &Raised,
    statement: StatementId,
    found: &Found,
    way: &Way,
    budget: &Budget,
) -> Result<Option<Raised>> {
    let Ok(group) = u8::try_from(SUM / way.parts.bits) else { return Ok(None) };
    let wanted = Products {
        statement,
        operands: found.operands.each_ref().map(|o| o.access),
        group,
        operations: way.operations,
        less: way.turned.map(|of| 1 - of),
    };
    let Some(by_groups) = grouped(&raised.scop, &wanted, budget)? else { return Ok(None) };
    let mut out = Raised { scop: by_groups.scop.clone(), ..raised.clone() };
    if let Some(terms) = &by_groups.terms
        && count(&mut out, raised, (terms, group), budget)?.is_none()
    {
        return Ok(None);
    }
    Ok(add(&mut out, statement, found, way, &by_groups).map(|()| out))
}

/// The new parameter, the number of groups, and what has to be known of it. `None`: numbers are too large.
fn count(out: &mut Raised, raised: &Raised, (terms, group): (&Affine, u8), budget: &Budget) -> Result<Option<()>> {
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
    let Some(count) = number_of_groups(out, terms, group) else { return Ok(None) };
    out.params.push(count);
    Ok(Some(()))
}

/// The new arrays and bodies. `None`: numbers are too large, or there is nothing that the arrays can stand for.
fn add(out: &mut Raised, statement: StatementId, found: &Found, way: &Way, by_groups: &Grouped) -> Option<()> {
    let Body { alignments, origin, .. } = out.bodies.get(statement.0)?.clone();
    let of = |access: AccessId| alignments.get(access.0).copied().unwrap_or(1);
    let [one, other] = &found.operands;
    let mut bases = [found.product, other.extension, one.extension].into_iter();
    let (bytes, i32) = (SUM / 8, found.old.1);
    for (k, (Packed { array, sizes, fills }, operand)) in by_groups.arrays.iter().zip(&found.operands).enumerate() {
        new_array(out, (*array, sizes), bases.next()?, i32)?;
        for &(terms, id) in fills {
            let nodes = group(operand, terms.into(), way.parts.bits, way.turned == Some(k));
            let mut own = vec![bytes];
            own.resize(usize::from(terms) + 1, of(operand.access));
            new_body(out, id, Body::of(nodes, own, origin))?;
        }
    }
    let dot = |groups: [usize; 2], sum: usize, parts: Parts, less: bool| Node::Dot {
        groups: groups.map(NodeIndex),
        sum: NodeIndex(sum),
        parts,
        less,
    };
    let read = |access: usize| Node::Read { access, ty: i32 };
    if let Some((less, turned)) = by_groups.less.as_ref().zip(way.turned) {
        new_array(out, (less.array, &less.sizes), bases.next()?, i32)?;
        new_body(out, less.clear, Body::of(vec![Node::Splat { byte: 0 }], vec![bytes], origin))?;
        // What is added to an operand whose sign is turned over, as it is read then.
        let added = Node::Splat { byte: HIGHEST_BIT };
        let signed = [way.parts.signed[turned], way.parts.signed[1 - turned]];
        let nodes = vec![added, read(1), read(2), dot([0, 1], 2, Parts { signed, ..way.parts }, true)];
        new_body(out, less.count, Body::of(nodes, vec![bytes; 3], origin))?;
        let operands = vec![Some(NodeIndex(0)), Some(NodeIndex(1))];
        let nodes = vec![read(1), read(2), Node::Operation { instruction: found.sum, operands }];
        let own = vec![of(AccessId(0)), of(found.old.0), bytes];
        new_body(out, less.take, Body::of(nodes, own, origin))?;
    }
    let nodes = vec![read(1), read(2), read(3), dot([0, 1], 2, way.parts, false)];
    *out.bodies.get_mut(statement.0)? = Body::of(nodes, vec![of(AccessId(0)), bytes, bytes, of(found.old.0)], origin);
    Some(())
}

/// An array of our own, which stands for `base`, in LLVM's terms.
fn new_array(out: &mut Raised, (array, sizes): (ArrayId, &[Affine]), base: Value, element: Type) -> Option<()> {
    if out.arrays.iter().any(|a| a.base == base) || out.arrays.len() != array.0 {
        return None;
    }
    let bytes = u64::from(SUM / 8);
    let strides = private::strides(out, sizes, bytes)?;
    if strides.iter().any(|s| s.as_constant().is_none()) {
        out.checks.bounded.push(array.0);
    }
    out.arrays.push(ArrayData { base, element, bytes, strides, rows: Rows::Alike, own: true, table: None });
    Some(())
}

fn new_body(out: &mut Raised, id: StatementId, body: Body) -> Option<()> {
    (out.bodies.len() == id.0).then(|| out.bodies.push(body))
}

/// So many extended cells in one.
fn group(operand: &Operand, terms: usize, bits: u32, turned: bool) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut parts = Vec::new();
    for access in 1..=terms {
        let read = NodeIndex(nodes.len());
        nodes.push(Node::Read { access, ty: operand.ty });
        parts.push(NodeIndex(nodes.len()));
        nodes.push(Node::Operation { instruction: operand.extension, operands: vec![Some(read)] });
    }
    nodes.push(Node::Group { parts, bits, turned });
    nodes
}

/// A part of a number of terms, rounded up. Where it is not positive nobody asks.
fn number_of_groups(raised: &Raised, terms: &Affine, group: u8) -> Option<Param> {
    let group = i64::from(group);
    // So sums of them do not wrap.
    let sum: i64 = terms.coeffs().iter().try_fold(0_i64, |sum, c| sum.checked_add(c.checked_abs()?))?;
    if sum > MOST_COEFFICIENTS {
        return None;
    }
    let number = |c: i64| Formula { bits: 64, kind: FormulaKind::Constant(c) };
    let mut sum = vec![number(terms.constant_term().checked_add(group - 1)?)];
    for (p, &c) in terms.param_coeffs().iter().enumerate().filter(|(_, c)| **c != 0) {
        let param = Formula { bits: 64, kind: FormulaKind::Param(super::poly::ParamIndex(p)) };
        sum.push(Formula { bits: 64, kind: FormulaKind::Mul(vec![number(c), param]) });
    }
    let sum = Formula { bits: 64, kind: FormulaKind::Add(sum) };
    let groups = Formula { bits: 64, kind: FormulaKind::SignedQuotient(Box::new(sum), group) };
    let value = raised.params.first()?.value;
    let name = raised.scop.params.last()?.clone();
    Some(Param { value, bits: 64, range: (1, LARGEST), check_range: true, name, formula: Some(groups) })
}
