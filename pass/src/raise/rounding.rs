//! Loops whose rounding is decided behind loopwright.
//!
//! Under `-ffp-contract=fast` the back end fuses a product with the sum that is its only use, in the same block. What it finds there is not always what stands in the loop now: LLVM's passes
//! behind loopwright forward what is stored to the next iteration, turn vectors round between product and sum, make pairs of statements one vector (`vectors`), compute products of
//! constants, take products out of loops (`hoisted`), find that iterations have one in common (`shared`), and bring together what loops have parted (`around`). And of some sums the back end decides in ways of its own (`back_end`). Where they may, nobody knows here how the program will
//! round, and it stays as it is. Where sums may be reassociated nothing is promised.

pub(super) mod around;
mod back_end;
mod carried;
mod hoisted;
mod shared;
mod unrolled;
mod vectors;

use self::vectors::{
    Lane, has_pairs_before, may_be_one_vector, products_may_be_one_vector, products_may_be_paired, shape,
    sums_may_be_paired,
};
use super::body::{Body, Node, NodeIndex};
use super::poly::Symbol;
use super::reject::{Raise, RejectKind};
use crate::llvm::{Analyses, Opcode, Type, Value};
use polyhedra::{Affine, Budget, Kind, Space};
use scheduler::scop::{Access, Scop, Statement};
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
        back_end::check(analyses, body, &pairs[k], &mut fuses)?;
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
            || sums_may_be_paired(scop, statement, body, &pairs[k])
        {
            return refuse("LLVM may make a vector of products, and leave their sums operations of their own");
        }
        for l in (0..bodies.len()).filter(|&l| share_loop(statement, &scop.statements[l])) {
            check_beside(scop, bodies, &pairs, (k, l), &mut fuses, &budget)?;
        }
    }
    exact.dedup();
    Ok(exact)
}

/// Refuses two statements of an innermost loop that LLVM may change together.
fn check_beside(
    scop: &Scop,
    bodies: &[Body],
    pairs: &[Vec<Pair>],
    (k, l): (usize, usize),
    fuses: &mut impl FnMut(Type) -> bool,
    budget: &Budget,
) -> Raise<()> {
    let (body, [statement, other]) = (&bodies[k], [k, l].map(|k| &scop.statements[k]));
    if stored_product(body).is_some_and(&mut *fuses) && is_forwarded(scop, k, l, bodies) {
        return refuse("LLVM may make a product one operation with the sum that reads it in a later iteration");
    }
    if k == l || !may_be_one_vector(scop, statement, other) {
        return Ok(());
    }
    if shared_product(body).is_some_and(&mut *fuses) {
        return refuse(
            "LLVM may make vectors of statements that share products, and these one operation with their sums",
        );
    }
    let of_two = pairs[k].iter().any(|pair| is_fused_product(body, pair.rest));
    let are_alike = || {
        let (own, products) = shape(statement, body, &pairs[k]);
        let (others, theirs) = shape(other, &bodies[l], &pairs[l]);
        let lane = |node| Lane { statement, body, node };
        let beside = |node| Lane { statement: other, body: &bodies[l], node };
        let mut both = products.iter().zip(&theirs);
        own == others
            && (both.all(|(&a, &b)| lane(a).is_beside(beside(b)))
                || carried::need_products(scop, bodies, pairs, [k, l], budget))
    };
    let has_pairs = !(pairs[k].is_empty() && pairs[l].is_empty());
    if has_pairs_before(body, fuses) || (has_pairs && (of_two || !are_alike())) {
        return refuse("LLVM may make vectors of two statements, and pairs of their products and sums or not");
    }
    Ok(())
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
        let mut nodes = below(body, *factor);
        nodes.insert(*factor);
        let reads_nothing = |n: &NodeIndex| match body.nodes.get(n.0) {
            Some(Node::Invariant(v)) => v.is_constant(),
            node => matches!(node, Some(Node::Index { .. } | Node::Operation { .. })),
        };
        let counts = |n: &NodeIndex| matches!(body.nodes.get(n.0), Some(Node::Index { .. }));
        nodes.iter().all(reads_nothing) && nodes.iter().any(counts)
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
