//! Bands over one statement with a kernel.

use super::{Program, halves, whole};
use codegen::ast::{Ast, AstNode};
use codegen::generate::generate_tree;
use codegen::jam::jam;
use codegen::joined::join;
use codegen::lanes::vectorise_marked;
use codegen::registers::hold_cells;
use polyhedra::Budget;
use scheduler::kernel::{Blocking, Kernels, PackPlan, TileLoop};
use scheduler::scop::{AccessId, StatementId};
use scheduler::tree::Node;

pub const SIZES: [i64; 9] = [0, 1, 2, 3, 4, 5, 7, 8, 9];

/// A plan without copies, for all sizes.
pub fn blocking(tiles: Vec<TileLoop>, rows: &[i64], columns: i64, lanes: u32) -> Blocking {
    Blocking {
        outer: 0,
        tiles,
        rows: rows.to_vec(),
        columns,
        lanes,
        reversed: false,
        corners: Vec::new(),
        steps: 1,
        packs: Vec::new(),
        worth_packing: Vec::new(),
        mirrors: Vec::new(),
        worth_mirrors: Vec::new(),
        fetch: None,
        scattered: false,
        in_place: None,
        embeds: false,
        fills: false,
        worthwhile: Vec::new(),
        bands: None,
    }
}

pub fn tiles(list: &[(usize, i64)]) -> Vec<TileLoop> {
    list.iter().map(|&(member, size)| TileLoop { member, size }).collect()
}

pub fn pack(access: usize, members: &[usize], depth: usize) -> PackPlan {
    PackPlan { access: AccessId(access), members: members.to_vec(), depth, places: None, fetches: false }
}

/// The last member as parallel columns.
pub fn nest(p: &Program, id: StatementId, rows: &[&str]) -> Node {
    let Node::Band { mut members, permutable, child } = p.nest(id, rows) else { unreachable!() };
    members.last_mut().unwrap().parallel = true;
    Node::Band { members, permutable, child }
}

pub fn product(domain: &[&str], accesses: &[&str]) -> (Program, StatementId) {
    let mut p = Program::new("n", &[]);
    let all = ["i >= 0", "i < n", "j >= 0", "j < n", "k >= 0", "k < n"];
    let rows: Vec<&str> = all.iter().chain(domain).copied().collect();
    let s = p.statement("i j k", &rows, &[0, 0, 0, 0], accesses);
    (p, s)
}

/// The loops with cells in registers; all forms of them do what the source does.
pub fn check(p: &Program, id: StatementId, rows: &[&str], plan: &Blocking, values: &[Vec<i64>]) -> Ast {
    assert!(plan.fits(rows.len()));
    check_tree(p, &nest(p, id, rows), id, plan, values)
}

pub fn check_tree(p: &Program, tree: &Node, id: StatementId, plan: &Blocking, values: &[Vec<i64>]) -> Ast {
    let budget = Budget::generous();
    let kernels: Kernels = [(id, plan.clone())].into();
    let loops = generate_tree(&p.scop, tree, &kernels, &budget).unwrap();
    let jammed = jam(&p.scop, loops.clone(), &whole(), &budget).unwrap();
    let held = hold_cells(&p.scop, loops.clone(), &budget).unwrap();
    let halved = vectorise_marked(&p.scop, jam(&p.scop, held.clone(), &halves(1.0), &budget).unwrap()).unwrap();
    let held = jam(&p.scop, held, &whole(), &budget).unwrap();
    let held = vectorise_marked(&p.scop, held).unwrap();
    let joined = join(held.clone(), &budget).unwrap();
    let forms = [("loops", &loops), ("jammed", &jammed), ("halved", &halved), ("held", &held), ("joined", &joined)];
    p.same_as_source(&forms, values);
    joined
}

/// Instances that run one at a time.
pub fn scalar_calls(nodes: &[AstNode]) -> usize {
    let one = |n: &AstNode| match n {
        AstNode::Call(c) => usize::from(c.lanes.is_none()),
        AstNode::Pack(_) | AstNode::Fetch(_) => 0,
        AstNode::For(f) => scalar_calls(&f.body),
        AstNode::Held(h) => scalar_calls(&h.body),
        AstNode::Scratch(s) => scalar_calls(&s.body) + scalar_calls(&s.otherwise),
        AstNode::If { then, otherwise, .. } => scalar_calls(then) + scalar_calls(otherwise),
    };
    nodes.iter().map(one).sum()
}
