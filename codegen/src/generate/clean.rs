//! The last steps: conditions move outwards, and every expression gets the space of the whole.
//!
//! While loops are made, the variable of a loop is its depth. A condition directly inside a loop that does not mention its variable moves out of it, when all
//! that the loop repeats stands under it; equal neighbouring conditions are merged. Neither changes what runs.

use crate::ast::{Ast, AstNode, Buffer, Call, Condition, Fetch, For, LoopVar, Pack, Place, Scratch};
use crate::sets::{any_affine_in, drop_last, map_condition, map_expr};
use polyhedra::{Affine, Space};
use scheduler::Result;
use std::collections::BTreeSet;

/// Loops over local spaces to a finished AST.
pub(super) fn finish(nodes: Vec<AstNode>, params: usize, buffers: Vec<Buffer>) -> Result<Ast> {
    let nodes = hoist(nodes);
    let space = Space::new(params, deepest(&nodes));
    let mut names = Names { space };
    let body = names.rename(nodes, &mut Vec::new());
    Ok(Ast { space, body, buffers, worthwhile: Vec::new(), embedded: BTreeSet::new(), filling: BTreeSet::new() })
}

/// How bad the control is: conditions weigh four times as much for each loop that repeats them.
pub(super) fn guard_cost(nodes: &[AstNode], weight: u64) -> u64 {
    nodes.iter().fold(0, |sum, node| {
        let cost = match node {
            AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => 0,
            AstNode::Scratch(s) => guard_cost(&s.body, weight).saturating_add(guard_cost(&s.otherwise, weight)),
            AstNode::For(f) => guard_cost(&f.body, weight.saturating_mul(4)),
            AstNode::Held(h) => guard_cost(&h.body, weight),
            AstNode::If { then, otherwise, .. } if otherwise.is_empty() => {
                weight.saturating_add(guard_cost(then, weight))
            }
            // A choice between full and partial tiles: one test a tile.
            AstNode::If { then, otherwise, .. } => {
                guard_cost(then, weight).saturating_add(guard_cost(otherwise, weight))
            }
        };
        sum.saturating_add(cost)
    })
}

/// Moves conditions outwards.
pub(super) fn hoist(nodes: Vec<AstNode>) -> Vec<AstNode> {
    let mut out: Vec<AstNode> = Vec::new();
    for node in nodes {
        for node in hoist_node(node) {
            push_merged(&mut out, node);
        }
    }
    out
}

fn hoist_node(node: AstNode) -> Vec<AstNode> {
    match node {
        AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => vec![node],
        AstNode::Scratch(mut s) => {
            s.body = hoist(s.body);
            s.otherwise = hoist(s.otherwise);
            vec![AstNode::Scratch(s)]
        }
        AstNode::Held(mut held) => {
            held.body = hoist(held.body);
            vec![AstNode::Held(held)]
        }
        AstNode::For(mut f) => {
            f.body = hoist(f.body);
            let free: Vec<Condition> =
                common(&f.body).into_iter().filter(|c| !any_affine_in(c, &mentions_last)).collect();
            f.body = without(f.body, &free);
            if f.body.is_empty() {
                return Vec::new();
            }
            let free: Vec<Condition> = free.iter().map(|c| map_condition(c, &drop_last)).collect();
            guarded(free, vec![AstNode::For(f)])
        }
        AstNode::If { conditions, then, otherwise } => {
            let (then, otherwise) = (hoist(then), hoist(otherwise));
            if then.is_empty() && otherwise.is_empty() {
                return Vec::new();
            }
            if otherwise.is_empty() {
                let inner = common(&then);
                let then = without(then, &inner);
                let mut all = conditions;
                all.extend(inner.into_iter().filter(|c| !all.contains(c)).collect::<Vec<_>>());
                return guarded(all, then);
            }
            let other = common(&otherwise);
            let both: Vec<Condition> = common(&then).into_iter().filter(|c| other.contains(c)).collect();
            let (then, otherwise) = (without(then, &both), without(otherwise, &both));
            guarded(both, vec![AstNode::If { conditions, then, otherwise }])
        }
    }
}

fn mentions_last(expr: &Affine) -> bool {
    expr.dim_coeffs().last().is_some_and(|c| *c != 0)
}

fn guarded(conditions: Vec<Condition>, nodes: Vec<AstNode>) -> Vec<AstNode> {
    if conditions.is_empty() || nodes.is_empty() {
        return nodes;
    }
    vec![AstNode::If { conditions, then: nodes, otherwise: Vec::new() }]
}

/// The conditions under which all of a list stands.
fn common(nodes: &[AstNode]) -> Vec<Condition> {
    let mut shared: Option<Vec<Condition>> = None;
    for node in nodes {
        let AstNode::If { conditions, otherwise, .. } = node else { return Vec::new() };
        if !otherwise.is_empty() {
            return Vec::new();
        }
        shared = Some(match shared {
            None => conditions.clone(),
            Some(list) => list.into_iter().filter(|c| conditions.contains(c)).collect(),
        });
    }
    shared.unwrap_or_default()
}

/// Takes conditions that hold anyway from the guards of a list.
fn without(nodes: Vec<AstNode>, known: &[Condition]) -> Vec<AstNode> {
    if known.is_empty() {
        return nodes;
    }
    let mut out = Vec::new();
    for node in nodes {
        match node {
            AstNode::If { conditions, then, otherwise } if otherwise.is_empty() => {
                let left: Vec<Condition> = conditions.into_iter().filter(|c| !known.contains(c)).collect();
                for node in guarded(left, then) {
                    push_merged(&mut out, node);
                }
            }
            node => out.push(node),
        }
    }
    out
}

/// Appends, putting neighbours under equal conditions together.
fn push_merged(out: &mut Vec<AstNode>, node: AstNode) {
    if let AstNode::If { conditions, then, otherwise } = node {
        if let Some(AstNode::If { conditions: before, then: list, otherwise: none }) = out.last_mut()
            && *before == conditions
            && none.is_empty()
            && otherwise.is_empty()
        {
            for node in then {
                push_merged(list, node);
            }
            return;
        }
        out.push(AstNode::If { conditions, then, otherwise });
    } else {
        out.push(node);
    }
}

/// Most loops inside each other.
fn deepest(nodes: &[AstNode]) -> usize {
    let one = |node: &AstNode| match node {
        AstNode::Call(_) | AstNode::Pack(_) | AstNode::Fetch(_) => 0,
        AstNode::Scratch(s) => deepest(&s.body).max(deepest(&s.otherwise)),
        AstNode::For(f) => 1 + deepest(&f.body),
        AstNode::Held(h) => deepest(&h.body),
        AstNode::If { then, otherwise, .. } => deepest(then).max(deepest(otherwise)),
    };
    nodes.iter().map(one).max().unwrap_or(0)
}

/// Loops at a place inside of so many others, with all expressions in one space: the variables of the place and those of the loops.
pub(super) fn in_one_space(nodes: Vec<AstNode>, params: usize, place: usize) -> Vec<AstNode> {
    let nodes = hoist(nodes);
    let space = Space::new(params, place + deepest(&nodes));
    Names { space }.rename(nodes, &mut (0..place).collect())
}

struct Names {
    space: Space,
}

impl Names {
    fn rename(&mut self, nodes: Vec<AstNode>, stack: &mut Vec<usize>) -> Vec<AstNode> {
        nodes.into_iter().map(|node| self.rename_node(node, stack)).collect()
    }

    fn rename_node(&mut self, node: AstNode, stack: &mut Vec<usize>) -> AstNode {
        let space = self.space;
        match node {
            AstNode::Call(call) => {
                let iterators = call.iterators.iter().map(|e| global(e, stack, space)).collect();
                let place = |p: Place| Place { index: global(&p.index, stack, space), ..p };
                let packed = call.packed.into_iter().map(|(a, p)| (a, place(p))).collect();
                let mirrored = call.mirrored.into_iter().map(|(a, p)| (a, place(p))).collect();
                AstNode::Call(Call { iterators, packed, mirrored, ..call })
            }
            AstNode::Pack(p) => AstNode::Pack(Pack {
                to: Place { index: global(&p.to.index, stack, space), ..p.to },
                subscripts: p.subscripts.iter().map(|e| global(e, stack, space)).collect(),
                ..p
            }),
            AstNode::Fetch(f) => AstNode::Fetch(Fetch {
                subscripts: f.subscripts.iter().map(|e| global(e, stack, space)).collect(),
                ..f
            }),
            AstNode::Scratch(s) => AstNode::Scratch(Scratch {
                conditions: s.conditions.iter().map(|c| map_condition(c, &|e| global(e, stack, space))).collect(),
                body: self.rename(s.body, stack),
                otherwise: self.rename(s.otherwise, stack),
                ..s
            }),
            AstNode::If { conditions, then, otherwise } => AstNode::If {
                conditions: conditions.iter().map(|c| map_condition(c, &|e| global(e, stack, space))).collect(),
                then: self.rename(then, stack),
                otherwise: self.rename(otherwise, stack),
            },
            AstNode::For(f) => {
                let (lower, upper) = (
                    map_expr(&f.lower, &|e| global(e, stack, space)),
                    map_expr(&f.upper, &|e| global(e, stack, space)),
                );
                let var = LoopVar(stack.len());
                stack.push(var.0);
                let body = self.rename(f.body, stack);
                stack.pop();
                AstNode::For(For { var, lower, upper, body, ..f })
            }
            // Cells are held and lanes are made only in finished trees.
            AstNode::Held(mut held) => {
                held.body = self.rename(held.body, stack);
                AstNode::Held(held)
            }
        }
    }
}

/// An expression over the loops on the stack, in the space of the AST.
fn global(expr: &Affine, stack: &[usize], space: Space) -> Affine {
    expr.embed(space, &stack[..expr.space().dims])
}
