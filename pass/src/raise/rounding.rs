//! Loops whose rounding is decided behind loopwright.
//!
//! Under `-ffp-contract=fast` the back end fuses a product with the sum that is its only use, in the same block. What it finds there is not always what stands in the loop now: LLVM's passes
//! behind loopwright forward what is stored to the next iteration, turn vectors round between product and sum, make pairs of statements one vector, compute products of
//! constants. Where they may, nobody knows here how the program will round, and it stays as it is. Where sums may be reassociated nothing is promised.

pub(super) mod around;
mod hoisted;
mod shared;
mod unrolled;

use super::body::{Body, Node, NodeIndex};
use super::poly::Symbol;
use super::reject::{Raise, RejectKind};
use crate::llvm::{Analyses, Block, Opcode, Type, Value};
use polyhedra::{Affine, Budget, Kind, Space};
use scheduler::scop::{Access, ArrayId, Scop, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// A sum or difference and the product that a back end which fuses makes one operation with it.
#[derive(Clone, Copy)]
pub struct Pair {
    /// The sum or difference.
    pub sum: NodeIndex,
    /// The instruction that it is.
    pub instruction: Value,
    /// Which operand of it is the product.
    pub at: u32,
    /// The product.
    pub product: NodeIndex,
    /// Its factors.
    pub factors: [NodeIndex; 2],
    /// The other operand of the sum.
    pub rest: NodeIndex,
}

impl Pair {
    /// The pair of which the node is the sum.
    pub fn of(body: &Body, sum: NodeIndex) -> Option<Self> {
        let (instruction, operands) = operation(body, sum)?;
        let at = instruction.fused_operand()?;
        let [Some(first), Some(second)] = operands[..] else { return None };
        let (product, rest) = if at == 0 { (first, second) } else { (second, first) };
        let (multiplication, factors) = operation(body, product)?;
        let [Some(x), Some(y)] = factors[..] else { return None };
        (instruction.operands().get(at as usize) == Some(&multiplication)).then_some(Self {
            sum,
            instruction,
            at,
            product,
            factors: [x, y],
            rest,
        })
    }

    /// All of a body.
    fn all(body: &Body) -> impl Iterator<Item = Self> + '_ {
        (0..body.nodes.len()).filter_map(|k| Self::of(body, NodeIndex(k)))
    }
}

fn operation(body: &Body, node: NodeIndex) -> Option<(Value, &[Option<NodeIndex>])> {
    match body.nodes.get(node.0) {
        Some(Node::Operation { instruction, operands }) => Some((*instruction, operands)),
        _ => None,
    }
}

/// Factors by which products are exact, fused or not, if they are 1 or -1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// Values from before the region. All of them have to be.
    pub factors: Vec<Value>,
    /// Over `[1 | N]`: unless one of these is negative; then nothing is computed with them.
    pub unless: Vec<Affine>,
}

/// Steps to find out which instances read the same cells. Where they do not suffice, the worst is assumed.
const STEPS: u64 = 100_000;

/// Refuses what LLVM may round otherwise than it stands there, whatever it may be multiplied by.
///
/// # Errors
/// Why nobody knows.
pub(super) fn check_all(analyses: Analyses, scop: &Scop, bodies: &[Body]) -> Raise<()> {
    if check(analyses, scop, bodies)?.is_empty() { Ok(()) } else { refuse(DISTANT) }
}

/// Refuses what LLVM may round otherwise than it stands there; or says where it makes no difference.
///
/// # Errors
/// Why nobody knows.
pub(super) fn check(analyses: Analyses, scop: &Scop, bodies: &[Body]) -> Raise<Vec<Exact>> {
    let mut exact = Vec::new();
    let mut fuses = fusing(analyses);
    let budget = Budget::new(STEPS);
    let mut pairs: Vec<Vec<Pair>> = Vec::new();
    for body in bodies {
        pairs.push(Pair::all(body).filter(|p| fuses(p.instruction.ty())).collect());
    }
    for (k, (statement, body)) in scop.statements.iter().zip(bodies).enumerate() {
        if loses_denormals(analyses, body) {
            return refuse("LLVM may lose denormal values of bfloat on their way from one block to another");
        }
        // LLVM makes vectors of innermost loops only.
        let is_innermost = !scop.statements.iter().any(|other| stands_around(statement, other));
        if !pairs[k].is_empty() && is_innermost && is_turned_round(statement, body) {
            return refuse("LLVM may turn vectors round between a product and its sum, and leave them two operations");
        }
        for products in body.nodes.iter().filter_map(|node| distant_products(analyses, body, node)) {
            if !fuses(products.ty) {
                continue;
            }
            let Some(factors) = exact_factors(body, &products.all) else { return refuse(DISTANT) };
            exact.push(Exact { factors, unless: without_loops(statement) });
        }
        if pairs[k].iter().any(|pair| is_computed_before(statement, body, pair.product)) {
            return refuse("LLVM may compute a product of constants, and leave its sum an operation of its own");
        }
        if pairs[k].iter().any(|pair| may_be_other_product(body, pair)) {
            return refuse("LLVM may find that a factor is 1, and make another product one operation with the sum");
        }
        for pair in &pairs[k] {
            let why = if hoisted::may_be_hoisted(scop, bodies, k, pair, &budget) {
                HOISTED
            } else if shared::may_be_shared(scop, bodies, k, pair, &budget) {
                SHARED
            } else {
                continue;
            };
            let Some(factors) = exact_factors(body, &[pair.product]) else { return refuse(why) };
            exact.push(Exact { factors, unless: without_loops(statement) });
        }
        if products_may_be_one_vector(statement, body, &pairs[k])
            || products_may_be_paired(scop, statement, body, &pairs[k])
        {
            return refuse("LLVM may make a vector of products, and leave their sums operations of their own");
        }
        let stores_product = stored_product(body).is_some_and(&mut fuses);
        let shares_product = shared_product(body).is_some_and(&mut fuses);
        for (l, (other, others)) in scop.statements.iter().zip(bodies).enumerate() {
            if !share_loop(statement, other) {
                continue;
            }
            if stores_product && is_forwarded(scop, k, l, bodies) {
                return refuse("LLVM may make a product one operation with the sum that reads it in a later iteration");
            }
            if shares_product && k != l && may_be_one_vector(scop, statement, other) {
                return refuse(
                    "LLVM may make vectors of statements that share products, and these one operation with their sums",
                );
            }
            if !may_be_one_vector(scop, statement, other) {
                continue;
            }
            let of_two = pairs[k].iter().any(|pair| is_fused_product(body, pair.rest));
            let are_alike = || shape(statement, body, &pairs[k]) == shape(other, others, &pairs[l]);
            if has_pairs_before(body, &mut fuses)
                || (!(pairs[k].is_empty() && pairs[l].is_empty()) && (of_two || !are_alike()))
            {
                return refuse("LLVM may make vectors of two statements, and pairs of their products and sums or not");
            }
        }
    }
    exact.dedup();
    Ok(exact)
}

/// May the back end fuse products and sums of a type?
fn fusing(analyses: Analyses) -> impl FnMut(Type) -> bool {
    let mut known: BTreeMap<Type, bool> = BTreeMap::new();
    move |ty| *known.entry(ty).or_insert_with(|| analyses.fuses(ty) != Some(false))
}

const HOISTED: &str = "LLVM may compute a product in front of a loop, and leave its sum in it an operation of its own";

const SHARED: &str =
    "LLVM may find that iterations have a product in common, and leave their sums operations of their own";

const DISTANT: &str = "LLVM may bring a product and its sum together, and make them one operation";

/// The products of a sum.
struct Products {
    /// Type of the sum.
    ty: Type,
    /// All of them.
    all: Vec<NodeIndex>,
}

/// One factor of each product that is known before the region, of a type of which [`Exact`] can be checked.
fn exact_factors(body: &Body, products: &[NodeIndex]) -> Option<Vec<Value>> {
    let known = |n: &Option<NodeIndex>| match body.nodes.get((*n)?.0) {
        Some(Node::Invariant(v)) if !v.is_constant() && v.ty().bits_of_one().is_some() => Some(*v),
        _ => None,
    };
    let mut out: Vec<Value> = Vec::new();
    for product in products {
        let (_, factors) = operation(body, *product)?;
        let factor = factors.iter().find_map(known)?;
        if !out.contains(&factor) {
            out.push(factor);
        }
    }
    Some(out)
}

/// What must hold of parameters for a statement to run at all.
fn without_loops(statement: &Statement) -> Vec<Affine> {
    let params = Space::new(statement.space().params, 0);
    let mut out = Vec::new();
    for row in statement.domain.constraints().iter().filter(|row| row.expr.is_dim_free() && row.kind == Kind::Ge) {
        out.push(Affine::from_coeffs(params, row.expr.coeffs()[..=params.params].to_vec()));
    }
    out
}

/// The products of a sum, if one of them is computed in another block of the same loop, or chosen by counters. Where LLVM unrolls the loop it may find which way is taken: then they are in one block, and nobody
/// else uses the product.
fn distant_products(analyses: Analyses, body: &Body, node: &Node) -> Option<Products> {
    let Node::Operation { instruction: sum, operands } = node else { return None };
    if !(sum.is_sum() && sum.may_be_fused()) {
        return None;
    }
    let mut open: Vec<(NodeIndex, bool)> = operands.iter().flatten().map(|n| (*n, false)).collect();
    let mut seen = BTreeSet::new();
    let mut products = Products { ty: sum.ty(), all: Vec::new() };
    let mut is_any_distant = false;
    while let Some((n, is_chosen)) = open.pop() {
        // LLVM may find another way to where the ways of a branch meet.
        if let Some(Node::Choice { yes, no, .. }) = body.nodes.get(n.0) {
            if seen.insert((n, is_chosen)) {
                open.extend([(*yes, true), (*no, true)]);
            }
            continue;
        }
        let Some((value, own)) = operation(body, n).filter(|_| seen.insert((n, is_chosen))) else { continue };
        match (value.opcode(), own) {
            (Some(Opcode::LLVMSelect), [Some(condition), yes, no]) if !is_read(body, *condition) => {
                open.extend([yes, no].into_iter().flatten().map(|n| (*n, true)));
            }
            (Some(Opcode::LLVMFNeg), [Some(n)]) => open.push((*n, is_chosen)),
            (Some(Opcode::LLVMFMul), _) if value.may_be_fused() => {
                products.all.push(n);
                let loops = [*sum, value].map(|v| v.block().and_then(|b| analyses.loop_for(b)));
                is_any_distant |= (is_chosen || value.block() != sum.block()) && loops[0] == loops[1];
            }
            _ => {}
        }
    }
    is_any_distant.then_some(products)
}

/// Is a value made of what is read?
fn is_read(body: &Body, node: NodeIndex) -> bool {
    let reads = |n: &NodeIndex| matches!(body.nodes.get(n.0), Some(Node::Read { .. }));
    reads(&node) || below(body, node).iter().any(reads)
}

/// Do products of several pairs read neighbours? Sums that keep their order are none of the vector's. Of two products of one sum, either may be: it is fused with the one that is in the vector.
fn products_may_be_one_vector(statement: &Statement, body: &Body, pairs: &[Pair]) -> bool {
    let below = |pair: &Pair| {
        let rest = Some(pair.rest).filter(|n| is_fused_product(body, *n));
        let products = std::iter::once(pair.product).chain(rest);
        products.flat_map(|n| reads_below(statement, body, n)).collect()
    };
    let reads: Vec<Vec<Operand>> = pairs.iter().map(below).collect();
    let neighbours = |a: &Operand, b: &Operand| {
        let (a, b) = match (a, b) {
            (Operand::Cell(a), Operand::Cell(b)) => (a, b),
            (Operand::Loaded(a), Operand::Loaded(b)) => return a.loads_neighbours(*b),
            _ => return false,
        };
        let (Some((x, rest)), Some((y, others))) = (a.subscripts.split_last(), b.subscripts.split_last()) else {
            return false;
        };
        let apart = x.sub(y).ok().filter(Affine::is_constant).map(|d| d.constant_term());
        a.array == b.array && rest == others && matches!(apart, Some(-1 | 1))
    };
    reads
        .iter()
        .enumerate()
        .any(|(k, own)| reads[k + 1..].iter().flatten().any(|other| own.iter().any(|one| neighbours(one, other))))
}

/// Could a product of a pair be one vector with another product of the statement although their operands are no neighbours? LLVM gathers the operands where enough of what they are made of is in vectors then, too.
fn products_may_be_paired(scop: &Scop, statement: &Statement, body: &Body, pairs: &[Pair]) -> bool {
    let products = (0..body.nodes.len()).map(NodeIndex).filter_map(|n| {
        let (value, _) = operation(body, n)?;
        is_fused_product(body, n).then(|| (n, value.block()))
    });
    let worth: Vec<(NodeIndex, Option<Block>)> =
        products.filter(|(n, block)| is_worth_gathering(scop, statement, body, *n, *block)).collect();
    let of_pairs = pairs.iter().flat_map(|pair| [pair.product, pair.rest]);
    of_pairs.filter_map(|product| worth.iter().find(|(n, _)| *n == product)).any(|(own, block)| {
        let apart = |other| !below(body, *own).contains(&other) && !below(body, other).contains(own);
        worth.iter().any(|(other, place)| place == block && other != own && apart(*other))
    })
}

/// Operations that products which are worth gathering are made of, besides the product. Fewer save less than it takes to gather two operands and take the products apart again (measured for vectors of two
/// doubles and of two floats: three save nothing where the vectors of x86-64 have three operands, four do).
const WORTH_GATHERING: usize = 3;

/// Are there operations below a product that a vector saves and that count: many, such as take long, or such as stand in loops around it, where all that belongs to them is thought to cost nothing?
fn is_worth_gathering(
    scop: &Scop,
    statement: &Statement,
    body: &Body,
    product: NodeIndex,
    block: Option<Block>,
) -> bool {
    let mut cheap = 0;
    let mut counts = |n: &NodeIndex| match body.nodes.get(n.0) {
        Some(Node::Operation { instruction, .. }) => {
            cheap += 1;
            let is_cheap =
                instruction.is_sum() || matches!(instruction.opcode(), Some(Opcode::LLVMFMul | Opcode::LLVMFNeg));
            !is_cheap || instruction.block() != block || cheap >= WORTH_GATHERING
        }
        Some(Node::Invariant(value)) => value.is_instruction() && value.opcode() != Some(Opcode::LLVMLoad),
        Some(Node::Read { access, .. }) => {
            let array = statement.accesses.get(*access).map(|a| a.array);
            let is_stored_around = |s: &Statement| s.depth() < statement.depth() && Some(s.accesses[0].array) == array;
            array.and_then(|a| scop.arrays.get(a.0)).is_none_or(|a| a.is_virtual)
                && scop.statements.iter().any(is_stored_around)
        }
        Some(Node::Choice { .. }) => true,
        _ => false,
    };
    below(body, product).iter().any(&mut counts)
}

/// The nodes that a node is computed from.
fn below(body: &Body, node: NodeIndex) -> BTreeSet<NodeIndex> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![node];
    while let Some(n) = stack.pop() {
        let operands = body.nodes.get(n.0).map(Node::operands).unwrap_or_default();
        stack.extend(operands.into_iter().filter(|n| seen.insert(*n)));
    }
    seen
}

/// What is loaded for a product.
enum Operand<'s> {
    /// By the statement.
    Cell(&'s Access),
    /// Perhaps before the region.
    Loaded(Value),
}

/// What is read below a node.
fn reads_below<'s>(statement: &'s Statement, body: &Body, node: NodeIndex) -> Vec<Operand<'s>> {
    let operand = |n: NodeIndex| match body.nodes.get(n.0) {
        Some(Node::Read { access, .. }) => statement.accesses.get(*access).map(Operand::Cell),
        Some(Node::Invariant(value)) => Some(Operand::Loaded(*value)),
        _ => None,
    };
    below(body, node).into_iter().filter_map(operand).collect()
}

/// Does it compute with values of 16 bits that the processor rounds without denormals? LLVM does so, in the back end, only where it takes such a value from one block to another.
fn loses_denormals(analyses: Analyses, body: &Body) -> bool {
    let bfloat = |node: &Node| match node {
        Node::Read { ty, .. } => ty.is_bfloat(),
        Node::Operation { instruction, .. } => instruction.ty().is_bfloat(),
        _ => false,
    };
    let rounds = || ["+avx512bf16", "+avxneconvert"].iter().any(|f| analyses.attribute("target-features").contains(f));
    body.nodes.iter().any(bfloat) && rounds()
}

fn refuse<T>(why: &'static str) -> Raise<T> {
    Err(RejectKind::Forbidden(why).into())
}

/// Where a loop walks through memory as it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    /// It stays.
    Stays,
    /// Downwards, from cell to cell.
    Backwards,
    /// Otherwise.
    Otherwise,
}

fn walk(access: &Access, iterator: usize) -> Walk {
    let mut steps: Vec<i64> = access.subscripts.iter().map(|row| row.dim_coeff(iterator)).collect();
    let last = steps.pop().unwrap_or(0);
    match (steps.iter().all(|&c| c == 0), last) {
        (true, 0) => Walk::Stays,
        (true, -1) => Walk::Backwards,
        _ => Walk::Otherwise,
    }
}

fn iterator(symbol: Symbol) -> Option<usize> {
    match symbol {
        Symbol::Iterator(k) | Symbol::Triangle(k) => Some(k.0),
        Symbol::Param(_) => None,
    }
}

/// Do some operands of a statement walk down through memory, and others not? LLVM's vectoriser turns vectors of the first round, and moves that past a product.
fn is_turned_round(statement: &Statement, body: &Body) -> bool {
    let Some(innermost) = statement.depth().checked_sub(1) else { return false };
    let mut walks: Vec<Walk> = statement.accesses.iter().map(|access| walk(access, innermost)).collect();
    let counts = |node: &Node| matches!(node, Node::Index { poly, .. } if poly.symbols().any(|s| iterator(s) == Some(innermost)));
    if body.nodes.iter().any(counts) {
        walks.push(Walk::Otherwise);
    }
    walks.contains(&Walk::Backwards) && walks.contains(&Walk::Otherwise)
}

/// Is it a product of constants and of the counters of loops whose ends are constants? When LLVM unrolls them, it computes the product.
fn is_computed_before(statement: &Statement, body: &Body, product: NodeIndex) -> bool {
    let ends = |iterator: usize| {
        statement.domain.constraints().iter().any(|row| {
            let alone = row.expr.dim_coeffs().iter().enumerate().all(|(k, &c)| (c != 0) == (k == iterator));
            alone && row.expr.param_coeffs().iter().all(|&c| c == 0) && row.expr.dim_coeff(iterator) < 0
        })
    };
    let (mut seen, mut stack) = (BTreeSet::new(), vec![product]);
    while let Some(n) = stack.pop() {
        let constant = match body.nodes.get(n.0) {
            Some(Node::Invariant(v)) => v.is_constant(),
            Some(Node::Index { poly, .. }) => poly.symbols().all(|s| iterator(s).is_some_and(ends)),
            Some(Node::Operation { operands, .. }) => {
                stack.extend(operands.iter().flatten().filter(|n| seen.insert(**n)));
                true
            }
            _ => false,
        };
        if !constant {
            return false;
        }
    }
    true
}

/// Is it a product that may be fused with a sum?
fn is_fused_product(body: &Body, node: NodeIndex) -> bool {
    operation(body, node).is_some_and(|(v, _)| v.opcode() == Some(Opcode::LLVMFMul) && v.may_be_fused())
}

/// Is a factor made of counters, and what is added to the product a product, too? Where LLVM has unrolled the loop the counters are numbers, 1 among them perhaps: then the sum has the other product alone.
fn may_be_other_product(body: &Body, pair: &Pair) -> bool {
    let is_counted = |factor: &NodeIndex| {
        let reads_nothing = |n: &NodeIndex| match body.nodes.get(n.0) {
            Some(Node::Invariant(v)) => v.is_constant(),
            node => matches!(node, Some(Node::Index { .. } | Node::Operation { .. })),
        };
        reads_nothing(factor) && below(body, *factor).iter().all(reads_nothing)
    };
    let is_product = |n: NodeIndex| match body.nodes.get(n.0) {
        Some(Node::Invariant(v)) => matches!(v.opcode(), Some(Opcode::LLVMFMul | Opcode::LLVMFNeg)),
        Some(Node::Operation { instruction, .. }) => {
            matches!(instruction.opcode(), Some(Opcode::LLVMFMul | Opcode::LLVMFNeg))
        }
        _ => false,
    };
    pair.factors.iter().any(is_counted) && is_product(pair.rest)
}

/// The type of a stored product that a back end may fuse.
fn stored_product(body: &Body) -> Option<Type> {
    let (root, _) = operation(body, body.root)?;
    (root.opcode() == Some(Opcode::LLVMFMul) && root.may_be_fused()).then(|| root.ty())
}

/// The type of a sum with a product that something else uses, too: of a vector of such products each may be used once.
fn shared_product(body: &Body) -> Option<Type> {
    (0..body.nodes.len()).map(NodeIndex).find_map(|n| {
        let (sum, operands) = operation(body, n)?;
        let shares =
            sum.is_sum() && sum.may_be_fused() && operands.iter().flatten().any(|&n| is_fused_product(body, n));
        (shares && Pair::of(body, n).is_none()).then(|| sum.ty())
    })
}

/// In how many iterations of the innermost loop is the first cell the second one? `None`: never, or not by a constant.
fn distance(from: &Access, to: &Access, innermost: usize) -> Option<Distance> {
    let mut found = Distance::Any;
    if from.array != to.array || from.subscripts.len() != to.subscripts.len() {
        return None;
    }
    for (f, t) in from.subscripts.iter().zip(&to.subscripts) {
        let difference = f.sub(t).ok().filter(Affine::is_constant)?.constant_term();
        let here = match t.dim_coeff(innermost) {
            0 if difference == 0 => continue,
            0 => return None,
            c if difference % c == 0 => difference / c,
            _ => return None,
        };
        match found {
            Distance::Iterations(known) if known != here => return None,
            _ => found = Distance::Iterations(here),
        }
    }
    Some(found)
}

/// See [`distance`].
#[derive(Clone, Copy)]
enum Distance {
    /// In every iteration.
    Any,
    /// After so many.
    Iterations(i64),
}

/// Is a product that `from` stores read by a sum of `to` soon after, in the same loop, and overwritten there? The store goes when LLVM has unrolled the loop.
fn is_forwarded(scop: &Scop, from: usize, to: usize, bodies: &[Body]) -> bool {
    let (source, reader) = (&scop.statements[from], &scop.statements[to]);
    let Some(innermost) = source.depth().checked_sub(1) else { return false };
    let is_later = |access: &Access, other: &Statement| match distance(&source.accesses[0], access, innermost) {
        Some(Distance::Any) => true,
        Some(Distance::Iterations(0)) => source.beta < other.beta,
        Some(Distance::Iterations(n)) => n > 0,
        None => false,
    };
    let sums = bodies[to].nodes.iter().filter_map(|node| match node {
        Node::Operation { instruction, operands } if instruction.is_sum() && instruction.may_be_fused() => {
            Some(operands)
        }
        _ => None,
    });
    let mut read = sums.flatten().flatten().filter_map(|n| match bodies[to].nodes.get(n.0) {
        Some(Node::Read { access, .. }) => reader.accesses.get(*access),
        _ => None,
    });
    let in_loop = |s: &&Statement| share_loop(source, s);
    read.any(|access| is_later(access, reader))
        && scop.statements.iter().filter(in_loop).any(|s| is_later(&s.accesses[0], s))
}

/// Is there a loop around one statement in the innermost loop of the other?
fn stands_around(a: &Statement, b: &Statement) -> bool {
    a.depth() < b.depth() && a.beta[..a.depth()] == b.beta[..a.depth()]
}

/// Have two statements the same innermost loop?
fn share_loop(a: &Statement, b: &Statement) -> bool {
    a.depth() > 0 && a.depth() == b.depth() && a.beta[..a.depth()] == b.beta[..b.depth()]
}

/// Could LLVM make one vector of what two statements of a loop store: cells next to each other, or two sums that are carried from iteration to iteration?
fn may_be_one_vector(scop: &Scop, a: &Statement, b: &Statement) -> bool {
    let [first, second] = [&a.accesses[0], &b.accesses[0]];
    let bytes = |access: &Access| scop.arrays.get(access.array.0).map(|array| array.element_bytes);
    let innermost = a.depth().saturating_sub(1);
    let stays = |access: &Access| walk(access, innermost) == Walk::Stays;
    if stays(first) && stays(second) {
        return (first.array != second.array || first.subscripts != second.subscripts) && bytes(first) == bytes(second);
    }
    let Some(((last, others), (to, rest))) = first.subscripts.split_last().zip(second.subscripts.split_last()) else {
        return false;
    };
    let apart = last.sub(to).ok().filter(Affine::is_constant).map(|d| d.constant_term());
    first.array == second.array && others == rest && matches!(apart, Some(-1 | 1))
}

/// An operation, and whose product it is fused with; or an operand, and the array it is read from where that matters.
type Token = (Option<Opcode>, Option<u32>, Option<ArrayId>);

/// Is anything that a statement has from before the loops computed with a product and a sum that may be one operation? It may be part of the vector of what statements store.
fn has_pairs_before(body: &Body, fuses: &mut impl FnMut(Type) -> bool) -> bool {
    let mut stack: Vec<Value> = Vec::new();
    stack.extend(body.nodes.iter().filter_map(|node| match node {
        Node::Invariant(value) => Some(*value),
        _ => None,
    }));
    let mut seen = Vec::new();
    while let Some(value) = stack.pop() {
        let is_computed = value.is_instruction() && !matches!(value.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMLoad));
        if !is_computed || seen.contains(&value) {
            continue;
        }
        if seen.len() >= MOST_BEFORE || (value.fused_operand().is_some() && fuses(value.ty())) {
            return true;
        }
        seen.push(value);
        stack.extend(value.operands());
    }
    false
}

/// So many values from before the loops are looked at.
const MOST_BEFORE: usize = 32;

/// What LLVM compares when it makes one vector of two statements: the operations in the order of their operands, products before what they are added to.
fn shape(statement: &Statement, body: &Body, pairs: &[Pair]) -> Vec<Token> {
    let is_product = |n: NodeIndex| operation(body, n).is_some_and(|(v, _)| v.opcode() == Some(Opcode::LLVMFMul));
    // Their order may change only where a sum has two products.
    let of_two = pairs.iter().any(|p| is_product(p.rest));
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![body.root];
    while let Some(n) = stack.pop() {
        out.push(match body.nodes.get(n.0) {
            Some(Node::Operation { instruction, operands }) => {
                let pair = pairs.binary_search_by_key(&n, |p| p.sum).ok().and_then(|k| pairs.get(k));
                let one = pair.filter(|p| instruction.opcode() == Some(Opcode::LLVMFAdd) && !is_product(p.rest));
                let operands =
                    one.map_or_else(|| operands.iter().flatten().copied().collect(), |p| vec![p.product, p.rest]);
                if seen.insert(n) {
                    stack.extend(operands.into_iter().rev());
                }
                (instruction.opcode(), pair.filter(|_| one.is_none()).map(|p| p.at), None)
            }
            Some(node @ Node::Choice { .. }) => {
                if seen.insert(n) {
                    stack.extend(node.operands().into_iter().rev());
                }
                (Some(Opcode::LLVMSelect), None, None)
            }
            Some(Node::Read { access, .. }) if of_two => (None, None, statement.accesses.get(*access).map(|a| a.array)),
            _ => (None, None, None),
        });
    }
    out
}
