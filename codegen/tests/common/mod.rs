//! Parts and trees in few lines, and the checks that every test of this crate runs.

#![allow(dead_code, clippy::unwrap_used, clippy::cast_possible_wrap)]

pub mod kernels;
pub mod tape;

use codegen::ast::{Ast, AstNode};
use codegen::generate::generate_tree;
use codegen::interpret::{
    execute, execute_in_order, execute_original, execute_with, instances, original_order, points,
};
use codegen::registers::hold_cells;
use polyhedra::{Affine, Budget, Constraint, Polyhedron, Space};
use scheduler::kernel::Kernels;
use scheduler::machine::Machine;
use scheduler::scop::{Access, AccessKind, Array, ArrayId, Scop, Sought, Statement, StatementId};
use scheduler::tree::{Member, Node};
use std::collections::{BTreeMap, BTreeSet};

/// A machine whose units work on whole vectors.
pub fn whole() -> Machine {
    halves(f64::INFINITY)
}

/// One that has no sums to wait for, and works on so many bytes of a vector at once.
pub fn halves(bytes: f64) -> Machine {
    Machine { fma_latency: 0.0, fmas_per_cycle: 1.0, fma_bytes_per_cycle: bytes, ..Machine::default() }
}

/// `2i - n + 1` over the given names, parameters first.
pub fn expr(params: &[String], dims: &[String], text: &str) -> Affine {
    let space = Space::new(params.len(), dims.len());
    let mut coeffs = vec![0; space.columns()];
    let compact: String = text.chars().filter(|c| !c.is_whitespace() && *c != '*').collect();
    for term in compact.replace('-', "+-").split('+').filter(|t| !t.is_empty()) {
        let (sign, body) = term.strip_prefix('-').map_or((1, term), |t| (-1, t));
        let digits: String = body.chars().take_while(char::is_ascii_digit).collect();
        let name = &body[digits.len()..];
        let size: i64 = if digits.is_empty() { 1 } else { digits.parse().unwrap() };
        let column = if name.is_empty() {
            0
        } else {
            1 + params.iter().chain(dims).position(|p| p == name).unwrap_or_else(|| panic!("{name} in {text}"))
        };
        coeffs[column] += sign * size;
    }
    Affine::from_coeffs(space, coeffs)
}

fn row(params: &[String], dims: &[String], text: &str) -> Constraint {
    let (a, rest) = text.split_once(['<', '>', '=']).unwrap();
    let op = text.as_bytes()[a.len()];
    let b = rest.trim_start_matches('=');
    let strict = rest.len() == b.len();
    let (a, b) = (expr(params, dims, a), expr(params, dims, b));
    match op {
        b'<' => Constraint::ge(b.sub(&a).unwrap().offset(-i64::from(strict)).unwrap()),
        b'>' => Constraint::ge(a.sub(&b).unwrap().offset(-i64::from(strict)).unwrap()),
        _ => Constraint::eq(a.sub(&b).unwrap()),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

/// A part under construction, with the names of its iterators.
pub struct Program {
    pub scop: Scop,
    pub iterators: Vec<Vec<String>>,
}

impl Program {
    pub fn new(params: &str, context: &[&str]) -> Self {
        let params = words(params);
        let rows = context.iter().map(|t| row(&params, &[], t)).collect();
        let context = Some(Polyhedron::new(Space::new(params.len(), 0), rows));
        Self { scop: Scop { params, context, ..Scop::default() }, iterators: Vec::new() }
    }

    /// A statement: `"i j"`, rows like `"i <= n - 1"`, accesses like `"C[i][j + 1]"`, the write first.
    pub fn statement(&mut self, iterators: &str, domain: &[&str], beta: &[usize], accesses: &[&str]) -> StatementId {
        let dims = words(iterators);
        let params = self.scop.params.clone();
        let space = Space::new(params.len(), dims.len());
        let rows = domain.iter().map(|t| row(&params, &dims, t)).collect();
        let mut list = Vec::new();
        for (k, text) in accesses.iter().enumerate() {
            let mut parts = text.split('[');
            let name = parts.next().unwrap().trim();
            let subscripts: Vec<Affine> =
                parts.map(|p| expr(&params, &dims, p.trim_end().trim_end_matches(']'))).collect();
            let array = self.array(name, subscripts.len());
            let kind = if k == 0 { AccessKind::Write } else { AccessKind::Read };
            list.push(Access { array, kind, subscripts, extent: 1 });
        }
        let id = StatementId(self.scop.statements.len());
        self.scop.statements.push(Statement {
            name: format!("S{}", id.0),
            domain: Polyhedron::new(space, rows),
            beta: beta.to_vec(),
            accesses: list,
            operations: (1, 0),
            calls: 0,
            alone: BTreeMap::new(),
            latencies: BTreeMap::new(),
            loaded: BTreeSet::new(),
            decided_by: BTreeSet::new(),
            asked: 0,
            skipped_by: BTreeSet::new(),
            chain_latency: 0,
            shared: Default::default(),
            any_order: false,
            commutes: None,
            magnitudes: 0,
            sums: 0,
            by_numbers: 0,
            constants: 0,
            widest: 0,
            sought: Sought::default(),
            uncounted: false,
            vectorizable: true,
            text: String::new(),
        });
        self.iterators.push(dims);
        self.scop.check().unwrap();
        id
    }

    fn array(&mut self, name: &str, rank: usize) -> ArrayId {
        let found = self.scop.arrays.iter().position(|a| a.name == name);
        ArrayId(found.unwrap_or_else(|| {
            self.scop.arrays.push(Array {
                name: name.into(),
                rank,
                element_bytes: 8,
                stride_bytes: 8,
                inner_sizes: vec![None; rank.saturating_sub(1)],
                is_virtual: false,
            });
            self.scop.arrays.len() - 1
        }))
    }

    /// A member of a band: a row for each statement.
    pub fn member(&self, rows: &[(StatementId, &str)]) -> Member {
        let rows = rows.iter().map(|(id, text)| (*id, expr(&self.scop.params, &self.iterators[id.0], text))).collect();
        Member::new(rows, false)
    }

    /// A band of several members over one statement.
    pub fn nest(&self, id: StatementId, rows: &[&str]) -> Node {
        band(rows.iter().map(|r| self.member(&[(id, r)])).collect(), Node::Leaf(id))
    }

    /// Generates and checks: each instance once, in the order of the tree, and with held cells the same memory.
    pub fn check(&self, tree: &Node, values: &[Vec<i64>]) -> Ast {
        let ast = generate_tree(&self.scop, tree, &Kernels::new(), &Budget::generous()).unwrap();
        let held = hold_cells(&self.scop, ast.clone(), &Budget::generous()).unwrap();
        let spaces = tree.statements().into_iter().map(|s| (s, self.scop.statements[s.0].space())).collect();
        let times = tree.flatten(&spaces);
        for params in values {
            let mut wanted = Vec::new();
            for id in tree.statements() {
                for point in points(&self.scop.statements[id.0], params).unwrap() {
                    let time: Vec<i64> = times[&id].iter().map(|r| r.eval(params, &point).unwrap()).collect();
                    wanted.push((time, (id, point)));
                }
            }
            wanted.sort();
            let wanted: Vec<_> = wanted.into_iter().map(|w| w.1).collect();
            let got = instances(&ast, params).unwrap();
            assert_eq!(got, wanted, "params {params:?}\n{}", self.print(&ast));
            let memory = execute_in_order(&self.scop, &got, params).unwrap();
            let got = execute(&self.scop, &held, params).unwrap_or_else(|e| panic!("{e}: {}", self.print(&held)));
            assert_eq!(got, memory, "held, params {params:?}\n{}", self.print(&held));
        }
        held
    }

    /// Generates and checks as [`Program::same_as_source`], with and without held cells.
    pub fn check_meaning(&self, tree: &Node, values: &[Vec<i64>]) -> Ast {
        let ast = generate_tree(&self.scop, tree, &Kernels::new(), &Budget::generous()).unwrap();
        let held = hold_cells(&self.scop, ast.clone(), &Budget::generous()).unwrap();
        self.same_as_source(&[("loops", &ast), ("held", &held)], values);
        held
    }

    /// Each instance once, and the same memory as the source, with scratch memory and without, for forms of the same loops.
    pub fn same_as_source(&self, forms: &[(&str, &Ast)], values: &[Vec<i64>]) {
        for params in values {
            let mut wanted = original_order(&self.scop, params).unwrap();
            wanted.sort();
            let original = execute_original(&self.scop, params).unwrap();
            for &(what, ast) in forms {
                let mut got = instances(ast, params).unwrap();
                got.sort();
                assert_eq!(got, wanted, "{what} {params:?}\n{}", self.print(ast));
                for scratch in [true, false] {
                    let got = execute_with(&self.scop, ast, params, scratch);
                    let got = got.unwrap_or_else(|e| panic!("{what} {params:?}: {e}\n{}", self.print(ast)));
                    assert_eq!(got, original, "{what} {params:?}\n{}", self.print(ast));
                }
            }
        }
    }

    pub fn print(&self, ast: &Ast) -> String {
        codegen::print::print(&self.scop, ast)
    }
}

pub fn band(members: Vec<Member>, child: Node) -> Node {
    Node::Band { members, permutable: true, child: Box::new(child) }
}

/// Tiles the first members of the band.
pub fn tiled(node: Node, sizes: &[i64]) -> Node {
    let Node::Band { mut members, permutable, child } = node else { return node };
    for (member, size) in members.iter_mut().zip(sizes) {
        member.tile = Some(*size);
    }
    Node::Band { members, permutable, child }
}

/// All combinations of the given values for `count` parameters.
pub fn grid(count: usize, values: &[i64]) -> Vec<Vec<i64>> {
    let mut out = vec![Vec::new()];
    for _ in 0..count {
        out = out
            .into_iter()
            .flat_map(|p: Vec<i64>| {
                values.iter().map(move |v| {
                    let mut q = p.clone();
                    q.push(*v);
                    q
                })
            })
            .collect();
    }
    out
}

/// Number of conditions inside loops.
pub fn guards_in_loops(nodes: &[AstNode], inside: bool) -> usize {
    nodes
        .iter()
        .map(|n| match n {
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => 0,
            AstNode::Scratch(s) => guards_in_loops(&s.body, inside) + guards_in_loops(&s.otherwise, inside),
            AstNode::For(f) => guards_in_loops(&f.body, true),
            AstNode::Held(h) => guards_in_loops(&h.body, inside),
            AstNode::If { then, otherwise, .. } => {
                usize::from(inside) + guards_in_loops(then, inside) + guards_in_loops(otherwise, inside)
            }
        })
        .sum()
}

// The kernels that several tests use.

/// `C[i][j] += A[i][k] B[k][j]`.
pub fn matmul() -> (Program, StatementId) {
    let mut p = Program::new("n", &[]);
    let domain = ["i >= 0", "i < n", "j >= 0", "j < n", "k >= 0", "k < n"];
    let s = p.statement("i j k", &domain, &[0, 0, 0, 0], &["C[i][j]", "C[i][j]", "A[i][k]", "B[k][j]"]);
    (p, s)
}

/// Seed 1's triangular solve in its `k` from 0 form: copy, divide, update `A[m][k+n+1] -= A[m][n] U[n][k+n+1]`.
pub fn trisolve() -> (Program, [StatementId; 3]) {
    let mut p = Program::new("M N", &[]);
    let two = ["m >= 0", "m < M", "n >= 0", "n < N"];
    let copy = p.statement("m n", &two, &[0, 0, 0], &["A[m][n]", "B[m][n]"]);
    let mut p2 = p;
    let divide = p2.statement("m n", &two, &[0, 1, 0], &["A[m][n]", "A[m][n]", "U[n][n]"]);
    let update = p2.statement(
        "m n k",
        &["m >= 0", "m < M", "n >= 0", "n < N", "k >= 0", "k < N - n - 1"],
        &[0, 1, 1, 0],
        &["A[m][k + n + 1]", "A[m][k + n + 1]", "A[m][n]", "U[n][k + n + 1]"],
    );
    (p2, [copy, divide, update])
}

/// Its fused tree: rows `m`, column `n` or `n + k + 1`, then copy, all updates by `n`, divide.
pub fn trisolve_fused(p: &Program, [copy, divide, update]: [StatementId; 3]) -> Node {
    let rows = p.member(&[(copy, "m"), (divide, "m"), (update, "m")]);
    let columns = p.member(&[(copy, "n"), (divide, "n"), (update, "n + k + 1")]);
    let inner = p.nest(update, &["n"]);
    band(vec![rows, columns], Node::Sequence(vec![Node::Leaf(copy), inner, Node::Leaf(divide)]))
}
