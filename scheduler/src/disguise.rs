//! Other ways to write the same program: for the tests that ask for the same schedule.
//!
//! Loops are translated by constants and parameters; loops that carry no dependence may run backwards; loops around one statement that are permutable may be
//! permuted; statements, arrays and parameters are listed in another order. What the program does is unchanged.

use crate::dependence::Dependences;
use crate::legality::{self, Verdict};
use crate::plan::{self, Origin};
use crate::scop::{ArrayId, Scop, StatementId};
use crate::tree::Node;
use polyhedra::{Affine, Budget, Constraint, Polyhedron, Space};
use std::collections::BTreeMap;

/// A source of small choices.
pub(crate) struct Tape<'a>(&'a [u8], usize);

impl<'a> Tape<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes, 0)
    }

    pub(crate) fn next(&mut self, n: u8) -> u8 {
        let v = self.0.get(self.1).copied().unwrap_or(0) % n;
        self.1 += 1;
        v
    }
}

/// The part in another form, by the choices of the tape.
pub(crate) fn disguised(scop: &Scop, tape: &mut Tape<'_>) -> Scop {
    let mut out = scop.clone();
    permute_nests(&mut out, tape);
    let independent = independent_loops(&out);
    let mut amounts: BTreeMap<Vec<usize>, (i64, i64, i64)> = BTreeMap::new();
    for s in &mut out.statements {
        let space = s.space();
        let map: Vec<Affine> = (0..s.depth())
            .map(|d| {
                let key = s.beta[..=d].to_vec();
                let backwards = tape.next(3) == 0 && independent.contains(&key);
                let new = (i64::from(tape.next(5)) - 2, i64::from(tape.next(4) == 0), if backwards { -1 } else { 1 });
                let (c, n, sign) = *amounts.entry(key).or_insert(new);
                let mut e = Affine::dim(space, d).scale(sign).and_then(|e| e.offset(c)).expect("small");
                if space.params > 0 {
                    e.set_param(0, n);
                }
                e
            })
            .collect();
        rewrite(s, &map);
    }
    for k in (1..out.statements.len()).rev() {
        out.statements.swap(k, below(tape, k + 1));
    }
    let arrays = shuffled(out.arrays.len(), tape);
    let old = out.arrays.clone();
    for (k, a) in old.into_iter().enumerate() {
        out.arrays[arrays[k]] = a;
    }
    let params = shuffled(out.params.len(), tape);
    let old = out.params.clone();
    for (k, p) in old.into_iter().enumerate() {
        out.params[params[k]] = p;
    }
    for s in &mut out.statements {
        s.domain = with_params(&s.domain, &params);
        for a in &mut s.accesses {
            a.array = ArrayId(arrays[a.array.0]);
            for e in &mut a.subscripts {
                *e = moved(e, &params);
            }
        }
    }
    out.context = out.context.map(|c| with_params(&c, &params));
    out
}

fn below(tape: &mut Tape<'_>, n: usize) -> usize {
    usize::from(tape.next(u8::try_from(n).expect("small")))
}

/// New place of each.
fn shuffled(n: usize, tape: &mut Tape<'_>) -> Vec<usize> {
    let mut places: Vec<usize> = (0..n).collect();
    for k in (1..n).rev() {
        places.swap(k, below(tape, k + 1));
    }
    places
}

fn moved(e: &Affine, places: &[usize]) -> Affine {
    let mut coeffs = e.coeffs().to_vec();
    for (k, &place) in places.iter().enumerate() {
        coeffs[1 + place] = e.coeffs()[1 + k];
    }
    Affine::from_coeffs(e.space(), coeffs)
}

fn with_params(set: &Polyhedron, places: &[usize]) -> Polyhedron {
    let rows = set.constraints().iter().map(|c| Constraint { kind: c.kind, expr: moved(&c.expr, places) }).collect();
    Polyhedron::new(set.space(), rows)
}

/// Old iterators as functions of new ones.
fn rewrite(s: &mut crate::scop::Statement, map: &[Affine]) {
    let space: Space = s.space();
    s.domain = s.domain.preimage(map, space).expect("small");
    for a in &mut s.accesses {
        for e in &mut a.subscripts {
            *e = e.compose(map, space).expect("small");
        }
    }
}

/// Loops of the source that carry no dependence, by their betas.
fn independent_loops(scop: &Scop) -> Vec<Vec<usize>> {
    fn walk(scop: &Scop, node: &Node, depth: usize, out: &mut Vec<Vec<usize>>) {
        match node {
            Node::Leaf(_) => {}
            Node::Sequence(children) => children.iter().for_each(|c| walk(scop, c, depth, out)),
            Node::Band { members, child, .. } => {
                if members[0].parallel {
                    out.push(scop.statements[node.statements()[0].0].beta[..=depth].to_vec());
                }
                walk(scop, child, depth + 1, out);
            }
        }
    }
    let budget = Budget::generous();
    let dependences = Dependences::of(scop, &budget).expect("dependences");
    let verdict = legality::prove(scop, &dependences, legality::original(scop), &budget).expect("small");
    let Verdict::Legal(schedule) = verdict else { unreachable!("the source order is legal") };
    let mut out = Vec::new();
    walk(scop, schedule.tree(), 0, &mut out);
    out
}

/// Permutes the loops of statements that are alone in a nest whose loops form one permutable band.
fn permute_nests(scop: &mut Scop, tape: &mut Tape<'_>) {
    fn nests(node: &Node, out: &mut Vec<StatementId>) {
        match node {
            Node::Leaf(_) => {}
            Node::Sequence(children) => children.iter().for_each(|c| nests(c, out)),
            Node::Band { permutable, child, .. } => {
                if let (true, Node::Leaf(s)) = (*permutable, &**child) {
                    out.push(*s);
                }
            }
        }
    }
    let budget = Budget::generous();
    let dependences = Dependences::of(scop, &budget).expect("dependences");
    let found = plan::candidates(scop, &dependences, &budget).expect("candidates");
    let source = found.last().filter(|c| c.origin == Origin::Original).expect("the source order");
    let mut alone = Vec::new();
    nests(source.schedule.tree(), &mut alone);
    for s in alone {
        let statement = &mut scop.statements[s.0];
        let places = shuffled(statement.depth(), tape);
        let map: Vec<Affine> = places.iter().map(|&d| Affine::dim(statement.space(), d)).collect();
        rewrite(statement, &map);
    }
}
