//! Nests that differ by constants become one nest with loops over the constants.
//!
//! **Problem.** LLVM unrolls short loops of constant length. What was `out[y,x,o] += in[y+p,x+q,i] * f[p,q,i,o]` for `p, q < 3` and `i < c` arrives as nine loops over `i`: nine
//! statements, each with dependences, a kernel and edges of its own.
//!
//! **Method.** Siblings in the source's order, each with loops of its own of which some add to one cell, over domains that are equal or differ by constants (`bordered`), with equal operations, whose subscripts differ by constants: the differences
//! from the first one, in their order, must be the values of `sum l_k * v_k` for the points `l` of a box in lexicographic order. Then loops over the box, outside of
//! their own, run the same instances in the same order: it is the same program, only written differently, and nothing has to be proved. Statements without loops of their own do it in blocks
//! ([`reroll_blocks`]), and as terms of sums ([`reroll_sums`]).

mod bordered;
mod interleaved;
mod rows;

pub use interleaved::reroll_interleaved;
pub use rows::reroll_rows;

use crate::coalesce::{Coalesced, Likeness};
use crate::scop::{Access, Scop, Statement, StatementId};
use crate::{Error, Result};
use polyhedra::{Affine, Budget, Constraint, Matrix, Polyhedron, Space};

/// With fewer nests nothing is gained.
const LEAST: usize = 3;

/// Most loops that are made of one family.
const MOST_LOOPS: usize = 3;

/// A new loop: how many values, and what each adds to the subscripts (of all accesses in their order).
#[derive(Clone, PartialEq, Eq, Debug)]
struct Step {
    count: usize,
    by: Vec<i64>,
}

/// Sums of fewer terms are left as they are.
pub const LEAST_TERMS: usize = 4;

/// Sums of so many terms may be other than products of matrices: filters (measured on windows of 5 x 5: 0.93 to 1.0 times as fast in kernels, of 7 x 7 and 9 x 9: 1.1 to 2.1).
const MANY_TERMS: usize = 36;

/// Sums of rows of fewer terms are left as they are.
const LEAST_IN_ROW: usize = 8;

/// Fewer blocks are left as they are.
const LEAST_BLOCKS: usize = 4;

/// Longer blocks are not looked for.
const MOST_IN_BLOCK: usize = 24;

/// What loops are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// Nests: siblings with loops of their own.
    Nests,
    /// Statements without any that are the terms of sums like those of products of matrices.
    Sums,
}

/// Makes loops of siblings that differ by constants. `alike(one, other)` says whether two statements compute the same. `None`: there are none.
///
/// # Errors
/// Overflow; what [`Scop::check`] finds.
pub fn reroll(
    scop: &Scop,
    alike: &dyn Fn(StatementId, StatementId) -> Option<Likeness>,
    budget: &Budget,
) -> Result<Option<Coalesced>> {
    of_families(scop, Of::Nests, alike, budget)
}

/// The same of statements that add to one cell, at least [`LEAST_TERMS`], as those of an unrolled product of matrices do: at least two loops around them move the cell, and every operand stands still in
/// one of these; or their domains differ, as those of the terms of a filter with a border. The source may be better than its loops as they stand: they are there to be blocked.
///
/// # Errors
/// As [`reroll`].
pub fn reroll_sums(
    scop: &Scop,
    alike: &dyn Fn(StatementId, StatementId) -> Option<Likeness>,
    budget: &Budget,
) -> Result<Option<Coalesced>> {
    of_families(scop, Of::Sums, alike, budget)
}

/// Makes loops of blocks of statements that stand side by side in one loop and differ by constants, as those of `C[b][i][j] = 0; for (k..) C[b][i][j] += ..` for constant `i`, `j` and `k` do: each stored
/// cell moves from block to block. The same instances in the same order, so nothing has to be proved. The source may be better than its loops as they stand.
///
/// # Errors
/// As [`reroll`].
pub fn reroll_blocks(
    scop: &Scop,
    alike: &dyn Fn(StatementId, StatementId) -> Option<Likeness>,
) -> Result<Option<Coalesced>> {
    let order = in_order(scop);
    let mut out = Scop { statements: Vec::new(), ..scop.clone() };
    let mut origin = Vec::new();
    let mut at = 0;
    while at < order.len() {
        let Some(blocks) = blocks(scop, &order[at..], alike)? else {
            out.statements.push(scop.statements[order[at]].clone());
            origin.push(StatementId(order[at]));
            at += 1;
            continue;
        };
        let level = scop.statements[order[at]].depth();
        let place_of_all = scop.statements[order[at]].beta[level];
        for (place, (&k, steps)) in order[at..].iter().zip(&blocks.steps).enumerate() {
            let mut new = with_loops(&scop.statements[k], level, steps)?;
            new.beta[level] = place_of_all;
            new.beta.last_mut().into_iter().for_each(|last| *last = place);
            out.statements.push(new);
            origin.push(StatementId(k));
        }
        at += blocks.statements;
    }
    if out.statements.len() == scop.statements.len() {
        return Ok(None);
    }
    out.check()?;
    Ok(Some(Coalesced { scop: out, origin }))
}

/// Statements in the order of the source.
fn in_order(scop: &Scop) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scop.statements.len()).collect();
    order.sort_by(|&a, &b| scop.statements[a].beta.cmp(&scop.statements[b].beta));
    order
}

/// Blocks that become one.
struct Blocks {
    /// Statements in all of them.
    statements: usize,
    /// For each statement of the first one the loops over the blocks.
    steps: Vec<Vec<Step>>,
}

/// The blocks that begin with the first statement and are most of those behind it. Of equally many the shortest.
fn blocks(
    scop: &Scop,
    order: &[usize],
    alike: &dyn Fn(StatementId, StatementId) -> Option<Likeness>,
) -> Result<Option<Blocks>> {
    let Some(first) = order.first().map(|&k| &scop.statements[k]) else { return Ok(None) };
    let beside = |&&k: &&usize| {
        let other = &scop.statements[k];
        let shared = other.depth() == first.depth() && other.beta[..other.depth()] == first.beta[..first.depth()];
        shared && other.domain == first.domain
    };
    let run = &order[..order.iter().take_while(beside).count()];
    let mut best: Option<Blocks> = None;
    for length in 1..=(run.len() / LEAST_BLOCKS).min(MOST_IN_BLOCK) {
        let mut differences = Vec::new();
        for block in run.chunks_exact(length) {
            let Some(of_all) = between(scop, &run[..length], block, alike)? else { break };
            differences.push(of_all);
        }
        let most = best.as_ref().map_or(0, |best| best.statements);
        while differences.len() >= LEAST_BLOCKS && differences.len() * length > most {
            let found = steps(&differences)?.and_then(|steps| of_each(scop, &run[..length], &steps));
            if let Some(found) = found {
                best = Some(Blocks { statements: differences.len() * length, steps: found });
                break;
            }
            differences.pop();
        }
    }
    Ok(best)
}

/// What the subscripts of a block have more than those of the first one, one statement after the other.
fn between(
    scop: &Scop,
    first: &[usize],
    block: &[usize],
    alike: &dyn Fn(StatementId, StatementId) -> Option<Likeness>,
) -> Result<Option<Vec<i64>>> {
    let mut out = Vec::new();
    for (&own, &other) in first.iter().zip(block) {
        let (a, b) = (&scop.statements[own], &scop.statements[other]);
        let by = match alike(StatementId(own), StatementId(other)) {
            Some(likeness) => difference(a, b, &likeness)?,
            None => None,
        };
        let Some(by) = by else { return Ok(None) };
        out.extend(by);
    }
    Ok(Some(out))
}

/// Steps of blocks as steps of their statements. `None`: one of them does not move some stored cell.
fn of_each(scop: &Scop, block: &[usize], steps: &[Step]) -> Option<Vec<Vec<Step>>> {
    let mut out = Vec::new();
    let mut from = 0;
    for &k in block {
        let s = &scop.statements[k];
        let until = from + s.accesses.iter().map(|a| a.subscripts.len()).sum::<usize>();
        let mut own = Vec::new();
        for step in steps {
            let by = step.by.get(from..until)?.to_vec();
            let moves = by.iter().take(s.write().subscripts.len()).any(|b| *b != 0);
            own.push(moves.then_some(Step { count: step.count, by })?);
        }
        out.push(own);
        from = until;
    }
    Some(out)
}

fn of_families(
    scop: &Scop,
    of: Of,
    alike: &dyn Fn(StatementId, StatementId) -> Option<Likeness>,
    budget: &Budget,
) -> Result<Option<Coalesced>> {
    let order = in_order(scop);
    let mut rolled: Vec<(usize, Statement)> = Vec::new();
    let mut gone: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < order.len() {
        let family = family(scop, &order[at..], of, alike, budget)?;
        let taken = match family {
            Some(Family { level, steps, domain }) => {
                let taken: usize = steps.iter().map(|s| s.count).product();
                let mut new = with_loops(&scop.statements[order[at]], level, &steps)?;
                if let Some(domain) = domain {
                    new.domain = domain;
                    bound(&mut new.domain, level, &steps)?;
                }
                rolled.push((order[at], new));
                gone.extend(&order[at + 1..at + taken]);
                taken
            }
            None => 1,
        };
        at += taken;
    }
    if rolled.is_empty() {
        return Ok(None);
    }
    let mut out = Scop { statements: Vec::new(), ..scop.clone() };
    let mut origin = Vec::new();
    for (k, s) in scop.statements.iter().enumerate().filter(|(k, _)| !gone.contains(k)) {
        let new = rolled.iter().find(|(at, _)| *at == k).map(|(_, new)| new);
        out.statements.push(new.unwrap_or(s).clone());
        origin.push(StatementId(k));
    }
    out.check()?;
    Ok(Some(Coalesced { scop: out, origin }))
}

/// Siblings that are a box.
struct Family {
    /// The number of loops that they share.
    level: usize,
    /// The new loops, outermost first.
    steps: Vec<Step>,
    /// With the new loops, but for their bounds. `None`: all have the same, whatever the new loops count.
    domain: Option<Polyhedron>,
}

/// The longest run of siblings from the first statement on that are a box.
fn family(
    scop: &Scop,
    order: &[usize],
    of: Of,
    alike: &dyn Fn(StatementId, StatementId) -> Option<Likeness>,
    budget: &Budget,
) -> Result<Option<Family>> {
    let Some((&first, rest)) = order.split_first() else { return Ok(None) };
    let own = &scop.statements[first];
    // Where it parts from all others.
    let shared = |other: &Statement| own.beta.iter().zip(&other.beta).take_while(|(a, b)| a == b).count();
    let others = (0..scop.statements.len()).filter(|&k| k != first).map(|k| shared(&scop.statements[k]));
    let Some(level) = others.max() else { return Ok(None) };
    let fits = match of {
        // Others do better side by side: `y[i] += x[i+t] * w[t]` for a few `t` is one loop over `i`.
        Of::Nests => {
            let adds = |d: usize| own.write().subscripts.iter().all(|e| e.dim_coeff(d) == 0);
            (level..own.depth()).any(adds)
        }
        Of::Sums => level == own.depth(),
    };
    if !fits {
        return Ok(None);
    }
    let mut differences = vec![vec![0; own.accesses.iter().map(|a| a.subscripts.len()).sum()]];
    let mut domains = vec![&own.domain];
    for &k in rest {
        let other = &scop.statements[k];
        let alone = |b: &[usize]| scop.statements.iter().filter(|s| s.beta.starts_with(b)).count() == 1;
        if other.depth() != own.depth()
            || shared(other) != level
            || own.beta[level + 1..] != other.beta[level + 1..]
            || !alone(&other.beta[..=level])
        {
            break;
        }
        let Some(likeness) = alike(StatementId(first), StatementId(k)) else { break };
        let Some(by) = difference(own, other, &likeness)? else { break };
        let cell = own.write().subscripts.len();
        if of == Of::Sums && by[..cell].iter().any(|by| *by != 0) {
            break;
        }
        differences.push(by);
        domains.push(&other.domain);
    }
    let least = if of == Of::Sums { LEAST_TERMS } else { LEAST };
    while differences.len() >= least {
        if let Some(steps) = steps(&differences)? {
            if domains.iter().all(|d| **d == own.domain) {
                // Others do better side by side here, too.
                let fits = of == Of::Nests || is_for_loops(own, differences.len() + 1)?;
                return Ok(fits.then_some(Family { level, steps, domain: None }));
            }
            if let domain @ Some(_) = bordered::domain(&domains, level, &steps, budget)? {
                return Ok(Some(Family { level, steps, domain }));
            }
        }
        differences.pop();
        domains.pop();
    }
    Ok(None)
}

/// Are so many terms of a sum better off in a loop?
///
/// # Errors
/// Overflow.
pub fn is_for_loops(s: &Statement, terms: usize) -> Result<bool> {
    Ok(terms >= MANY_TERMS || terms >= LEAST_IN_ROW && is_sum_of_row(s) || is_product(s)?)
}

/// Does a loop move the stored cell from row to row of an operand, of which the terms are neighbours? LLVM has no vectors for these, or puts them together cell by cell.
fn is_sum_of_row(s: &Statement) -> bool {
    let moves = |e: &Affine| e.dim_coeffs().iter().any(|c| *c != 0);
    let is_row =
        |a: &Access| a.subscripts.split_last().is_some_and(|(column, rows)| !moves(column) && rows.iter().any(moves));
    let cell = s.write();
    let walks = |d: usize| cell.subscripts.iter().any(|e| e.dim_coeff(d) != 0);
    (0..s.depth()).filter(|&d| walks(d)).count() == 1
        && s.accesses[1..].iter().any(|a| a.array != cell.array && is_row(a))
}

/// Do several loops move the stored cell, and does every operand stand still in some direction in which that cell moves? (In triangles, counted from 0, that may be along none of the loops:
/// `x[i + j + 1]` for `out[i][i + j + 1]`.)
///
/// # Errors
/// Overflow.
fn is_product(s: &Statement) -> Result<bool> {
    let moves = |a: &Access| -> Vec<Vec<i64>> {
        a.subscripts.iter().map(|e| (0..s.depth()).map(|d| e.dim_coeff(d)).collect()).collect()
    };
    let rank = |rows: Vec<Vec<i64>>| Matrix::new(rows, s.depth()).rank();
    let cell = moves(s.write());
    let mut operands = s.accesses[1..].iter().filter(|a| a.array != s.write().array).peekable();
    if operands.peek().is_none() || rank(cell.clone())? < 2 {
        return Ok(false);
    }
    for a in operands {
        let own = moves(a);
        if rank([own.clone(), cell.clone()].concat())? == rank(own)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What the subscripts of the other statement have more than those of the first one, if that is constant.
fn difference(own: &Statement, other: &Statement, likeness: &Likeness) -> Result<Option<Vec<i64>>> {
    // Bodies are written in iterators that get other numbers.
    if !likeness.numbers.is_empty() || own.accesses.len() != other.accesses.len() {
        return Ok(None);
    }
    let mut out = Vec::new();
    for (k, a) in own.accesses.iter().enumerate() {
        let mut twins = likeness.reads.iter().filter(|(own, _)| own.0 == k).map(|(_, other)| other.0);
        let twin = if k == 0 { Some(0) } else { twins.next() };
        let Some(b) = twin.and_then(|b| other.accesses.get(b)) else { return Ok(None) };
        if twins.any(|b| Some(b) != twin) || (a.array, a.kind, a.extent) != (b.array, b.kind, b.extent) {
            return Ok(None);
        }
        for (x, y) in a.subscripts.iter().zip(&b.subscripts) {
            let by = y.sub(x)?;
            if by != Affine::constant(by.space(), by.constant_term()) {
                return Ok(None);
            }
            out.push(by.constant_term());
        }
    }
    Ok(Some(out))
}

/// The box whose points, in lexicographic order, have these values.
fn steps(values: &[Vec<i64>]) -> Result<Option<Vec<Step>>> {
    let mut out: Vec<Step> = Vec::new();
    let mut block = 1;
    while block < values.len() {
        let by = values[block].clone();
        let mut count = 1;
        'blocks: while (count + 1) * block <= values.len() {
            let times = i64::try_from(count).map_err(|_| polyhedra::Error::Overflow)?;
            for r in 0..block {
                for ((have, start), step) in values[count * block + r].iter().zip(&values[r]).zip(&by) {
                    let wanted = step.checked_mul(times).and_then(|x| x.checked_add(*start));
                    if wanted != Some(*have) {
                        break 'blocks;
                    }
                }
            }
            count += 1;
        }
        if count == 1 || out.len() == MOST_LOOPS {
            return Ok(None);
        }
        out.push(Step { count, by });
        block *= count;
    }
    out.reverse();
    Ok((block == values.len()).then_some(out))
}

/// Adds the bounds of the loops over the steps.
fn bound(domain: &mut Polyhedron, level: usize, steps: &[Step]) -> Result<()> {
    for (k, step) in steps.iter().enumerate() {
        let t = Affine::dim(domain.space(), level + k);
        let last = i64::try_from(step.count).map_err(|_| polyhedra::Error::Overflow)? - 1;
        domain.add(Constraint::ge(t.clone()));
        domain.add(Constraint::ge(t.scale(-1)?.offset(last)?));
    }
    Ok(())
}

/// The statement with loops over the steps inside of the first `level` loops.
fn with_loops(s: &Statement, level: usize, steps: &[Step]) -> Result<Statement> {
    let old = s.space();
    let space = Space::new(old.params, old.dims + steps.len());
    let map: Vec<usize> = (0..old.dims).map(|d| if d < level { d } else { d + steps.len() }).collect();
    let mut out = s.clone();
    out.domain = s.domain.embed(space, &map);
    bound(&mut out.domain, level, steps)?;
    let mut number = 0;
    for access in &mut out.accesses {
        for subscript in &mut access.subscripts {
            *subscript = subscript.embed(space, &map);
            for (k, step) in steps.iter().enumerate() {
                let by = step.by.get(number).ok_or_else(|| Error::Malformed("a step without a subscript".into()))?;
                *subscript = subscript.combine(1, &Affine::dim(space, level + k), *by)?;
            }
            number += 1;
        }
    }
    let inner = out.beta.split_off(level + 1);
    out.beta.extend(steps.iter().map(|_| 0));
    out.beta.extend(inner);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::AccessId;
    use crate::testing;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: &Expect) {
        check_of(Of::Nests, text, expected);
    }

    fn check_of(of: Of, text: &str, expected: &Expect) {
        check_all(&|scop, alike| of_families(scop, of, alike, &Budget::new(1_000_000)), text, expected);
    }

    fn check_blocks(text: &str, expected: &Expect) {
        check_all(&|scop, alike| reroll_blocks(scop, alike), text, expected);
    }

    type Alike<'a> = &'a dyn Fn(StatementId, StatementId) -> Option<Likeness>;

    fn check_all(reroll: &dyn Fn(&Scop, Alike) -> Result<Option<Coalesced>>, text: &str, expected: &Expect) {
        let scop = testing::scop(text).expect("text of a part");
        let alike = |a: StatementId, b: StatementId| {
            let (a, b) = (&scop.statements[a.0], &scop.statements[b.0]);
            let reads = (1..a.accesses.len().min(b.accesses.len())).map(|k| (AccessId(k), AccessId(k))).collect();
            (a.operations == b.operations).then_some(Likeness { reads, numbers: Vec::new() })
        };
        let out = match reroll(&scop, &alike).expect("no overflow") {
            None => "none".to_string(),
            Some(found) => {
                let line = |s: &Statement| {
                    let cells: Vec<String> = s
                        .accesses
                        .iter()
                        .map(|a| {
                            format!(
                                "{}{:?}",
                                scop.arrays[a.array.0].name,
                                a.subscripts.iter().map(|e| e.coeffs().to_vec()).collect::<Vec<_>>()
                            )
                        })
                        .collect();
                    format!("{} at {:?}: {}\n", s.name, s.beta, cells.join(" "))
                };
                found.scop.statements.iter().map(line).collect()
            }
        };
        expected.assert_eq(&out);
    }

    /// Nine loops over channels are three loops; what is around them stays.
    #[test]
    fn filters_of_three_by_two() {
        let mut text = "params c, n\nfor y = 0 .. n\n  for x = 0 .. n\n    out[y,x] = 0\n".to_string();
        for (p, q) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
            text +=
                &format!("    for i = 0 .. c\n      out[y,x] += image[y + {p}, x + {q}, i] * f[{}, i]\n", 2 * p + q);
        }
        text += "    out[y,x] *= 2";
        check(
            &text,
            &expect![[r#"
            S0 at [0, 0, 0]: out[[0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
            S1 at [0, 0, 1, 0, 0, 0]: out[[0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0]] out[[0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0]] image[[0, 0, 0, 1, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1]] f[[0, 0, 0, 0, 0, 2, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1]]
            S7 at [0, 0, 7]: out[[0, 0, 0, 1, 0], [0, 0, 0, 0, 1]] out[[0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
        "#]],
        );
    }

    /// Two are not worth it, other domains and steps that are no box stay.
    #[test]
    fn what_stays() {
        let nest = |k: i64, from: i64| format!("for i = {from} .. n\n  s[] += x[i + {k}]\n");
        check(&format!("params n\n{}{}", nest(0, 0), nest(1, 0)), &expect!["none"]);
        check(&format!("params n\n{}{}{}", nest(0, 0), nest(1, 0), nest(3, 0)), &expect!["none"]);
        check(&format!("params n\n{}{}{}", nest(0, 0), nest(1, 1), nest(2, 0)), &expect!["none"]);
    }

    /// No loop of a sum's.
    #[test]
    fn what_is_better_fused_stays() {
        let nest = |k: i64| format!("for i = 0 .. n\n  y[i] += x[i + {k}]\n");
        check(&format!("params n\n{}{}{}", nest(0), nest(1), nest(2)), &expect!["none"]);
    }

    /// As many as are a box.
    #[test]
    fn a_run_ends_where_the_steps_do() {
        let nest = |k: i64| format!("for i = 0 .. n\n  s[] += x[i + {k}]\n");
        check(
            &format!("params n\n{}{}{}{}", nest(0), nest(2), nest(4), nest(9)),
            &expect![[r#"
                S0 at [0, 0, 0]: s[] s[] x[[0, 0, 2, 1]]
                S3 at [3, 0]: s[] s[] x[[9, 0, 1]]
            "#]],
        );
    }

    /// Terms of a product of matrices, which has an operand that stands still for each of its loops, are a loop; of filters and of vectors they are not, nor are they those of sums of two cells.
    #[test]
    fn terms_of_products() {
        let nest = |term: &dyn Fn(i64) -> String| {
            let terms: String = (0..5).map(|k| format!("    {}\n", term(k))).collect();
            format!("params n\nfor i = 0 .. n\n  for j = 0 .. n\n{terms}")
        };
        check_of(
            Of::Sums,
            &nest(&|k| format!("c[i, j] += a[i, {k}] * b[{k}, j]")),
            &expect![[r#"
            S0 at [0, 0, 0, 0]: c[[0, 0, 1, 0, 0], [0, 0, 0, 1, 0]] c[[0, 0, 1, 0, 0], [0, 0, 0, 1, 0]] a[[0, 0, 1, 0, 0], [0, 0, 0, 0, 1]] b[[0, 0, 0, 0, 1], [0, 0, 0, 1, 0]]
        "#]],
        );
        check_of(Of::Sums, &nest(&|k| format!("c[i, j] += a[i, j + {k}] * b[{k}, 0]")), &expect!["none"]);
        check_of(Of::Sums, &nest(&|k| format!("c[i, 0] += a[i, {k}] * b[{k}, j]")), &expect!["none"]);
        check_of(Of::Sums, &nest(&|k| format!("c[i, j + {k}] += a[i, {k}] * b[{k}, j]")), &expect!["none"]);
        check_of(Of::Nests, &nest(&|k| format!("c[i, j] += a[i, {k}] * b[{k}, j]")), &expect!["none"]);
    }

    /// The terms of a filter with a border, each where its operand is inside: one statement, whose domain at each point of the new loops is that of its term. A term that is missing somewhere else, or equal
    /// domains that no product has, are none.
    #[test]
    fn terms_with_borders() {
        let term = |p: usize, q: usize| {
            format!("for i = 0 .. n\n  for j = 0 .. n\n    o[i, j] += x[i + {p}, j + {q}] * w[{p}, {q}]\n")
        };
        // `odd` begins later.
        let scop = |odd: usize| {
            let all: String = (0..9).map(|k| term(k / 3, k % 3)).collect();
            let mut scop = testing::scop(&format!("params n\n{all}")).expect("text of a part");
            for (k, s) in scop.statements.iter_mut().enumerate() {
                // Side by side in one nest.
                s.beta = vec![0, 0, k];
                let space = s.space();
                for (d, at) in [(0, k / 3), (1, k % 3)] {
                    let i = Affine::dim(space, d);
                    let from = if k == odd { -2 } else { i64::try_from(at).expect("small") - 1 };
                    s.domain.add(Constraint::ge(i.offset(from).expect("small")));
                    let end = Affine::param(space, 0).sub(&i).and_then(|e| e.offset(-i64::try_from(at).unwrap_or(0)));
                    s.domain.add(Constraint::ge(end.expect("small")));
                }
            }
            scop
        };
        let alike = |a: StatementId, b: StatementId| {
            let reads = [1, 2, 3].map(|k| (AccessId(k), AccessId(k))).to_vec();
            (a != b).then_some(Likeness { reads, numbers: Vec::new() })
        };
        let budget = Budget::new(10_000_000);
        let source = scop(9);
        let found = reroll_sums(&source, &alike, &budget).expect("no overflow").expect("loops");
        let [one] = found.scop.statements.as_slice() else { panic!("{} statements", found.scop.statements.len()) };
        assert_eq!(one.domain.space().dims, 4);
        for n in 1..6 {
            for (k, s) in source.statements.iter().enumerate() {
                let (p, q) = (i64::try_from(k / 3).unwrap_or(0), i64::try_from(k % 3).unwrap_or(0));
                for i in -1..=n {
                    for j in -1..=n {
                        let (new, old) = (one.domain.contains(&[n], &[i, j, p, q]), s.domain.contains(&[n], &[i, j]));
                        assert_eq!(new.expect("small"), old.expect("small"), "{k} at {i} {j} of {n}");
                    }
                }
            }
        }
        // The middle one of three is no end of a line.
        let odd = reroll_sums(&scop(4), &alike, &budget).expect("no overflow");
        assert!(odd.is_none_or(|found| found.scop.statements.len() > 1));
    }

    /// Two by three cells that are set and added to are two loops over one of each; a seventh that is elsewhere stays behind them.
    #[test]
    fn blocks_of_two() {
        let mut text = "params n\nfor b = 0 .. n\n".to_string();
        for (i, j) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (1, 5)] {
            text += &format!("  c[b, {i}, {j}] = 0\n  c[b, {i}, {j}] += x[b, {i}] * y[b, {j}]\n");
        }
        check_blocks(
            &text,
            &expect![[r#"
            S0 at [0, 0, 0, 0]: c[[0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
            S1 at [0, 0, 0, 1]: c[[0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]] c[[0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]] x[[0, 0, 1, 0, 0], [0, 0, 0, 1, 0]] y[[0, 0, 1, 0, 0], [0, 0, 0, 0, 1]]
            S12 at [0, 12]: c[[0, 0, 1], [1, 0, 0], [5, 0, 0]]
            S13 at [0, 13]: c[[0, 0, 1], [1, 0, 0], [5, 0, 0]] c[[0, 0, 1], [1, 0, 0], [5, 0, 0]] x[[0, 0, 1], [1, 0, 0]] y[[0, 0, 1], [5, 0, 0]]
        "#]],
        );
    }

    fn check_rows(bytes: u64, text: &str, expected: &Expect) {
        check_all(&|scop, alike| reroll_rows(scop, alike, bytes), text, expected);
    }

    /// A row of thirteen is vectors of eight and four, and a cell. With two statements in turn they are the same.
    #[test]
    fn rows_are_whole_vectors() {
        let row = |n: i64, term: &dyn Fn(i64) -> String| {
            let all: String = (0..n).map(|j| format!("  {}\n", term(j))).collect();
            format!("params n\nfor i = 0 .. n\n{all}")
        };
        check_rows(
            64,
            &row(13, &|j| format!("c[i, {j}] = x[i] * y[{j}]")),
            &expect![[r#"
            S0 at [0, 0, 0]: c[[0, 0, 1, 0], [0, 0, 0, 1]] x[[0, 0, 1, 0]] y[[0, 0, 0, 1]]
            S8 at [0, 8, 0]: c[[0, 0, 1, 0], [8, 0, 0, 1]] x[[0, 0, 1, 0]] y[[8, 0, 0, 1]]
            S12 at [0, 12]: c[[0, 0, 1], [12, 0, 0]] x[[0, 0, 1]] y[[12, 0, 0]]
        "#]],
        );
        check_rows(
            32,
            &row(6, &|j| format!("c[i, {j}] = x[i]\n  d[i, {j}] += c[i, {j}]")),
            &expect![[r#"
            S0 at [0, 0, 0]: c[[0, 0, 1, 0], [0, 0, 0, 1]] x[[0, 0, 1, 0]]
            S1 at [0, 0, 1]: d[[0, 0, 1, 0], [0, 0, 0, 1]] d[[0, 0, 1, 0], [0, 0, 0, 1]] c[[0, 0, 1, 0], [0, 0, 0, 1]]
            S8 at [0, 8, 0]: c[[0, 0, 1, 0], [4, 0, 0, 1]] x[[0, 0, 1, 0]]
            S9 at [0, 8, 1]: d[[0, 0, 1, 0], [4, 0, 0, 1]] d[[0, 0, 1, 0], [4, 0, 0, 1]] c[[0, 0, 1, 0], [4, 0, 0, 1]]
        "#]],
        );
    }

    /// Every row of a block of several; what lies apart, and what goes down, stays.
    #[test]
    fn rows_of_neighbours_only() {
        let rows = |term: &dyn Fn(i64, i64) -> String| {
            let all: String =
                (0..2).flat_map(|r| (0..4).map(move |j| (r, j))).map(|(r, j)| format!("  {}\n", term(r, j))).collect();
            format!("params n\nfor i = 0 .. n\n{all}")
        };
        check_rows(
            32,
            &rows(&|r, j| format!("c[i, {r}, {j}] += x[i, {r}] * y[i, {j}]")),
            &expect![[r#"
            S0 at [0, 0, 0]: c[[0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]] c[[0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]] x[[0, 0, 1, 0], [0, 0, 0, 0]] y[[0, 0, 1, 0], [0, 0, 0, 1]]
            S4 at [0, 4, 0]: c[[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]] c[[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]] x[[0, 0, 1, 0], [1, 0, 0, 0]] y[[0, 0, 1, 0], [0, 0, 0, 1]]
        "#]],
        );
        check_rows(32, &rows(&|r, j| format!("c[i, {j}, {r}] = x[i, {r}]")), &expect!["none"]);
        check_rows(32, &rows(&|r, j| format!("c[i, {r}, {j}] = x[i, {j}, {r}]")), &expect!["none"]);
        check_rows(32, &rows(&|r, j| format!("c[i, {r}, 3 - {j}] = x[i, {r}]")), &expect!["none"]);
        check_rows(8, &rows(&|r, j| format!("c[i, {r}, {j}] = x[i, {r}]")), &expect!["none"]);
    }

    /// Too few, steps that are no box (nor their beginning: as many as are one are taken), sums into one cell.
    #[test]
    fn blocks_that_stay() {
        let body = |cells: &[i64]| {
            let all: String = cells.iter().map(|j| format!("  c[b + {j}] = x[b + {j}]\n")).collect();
            format!("params n\nfor b = 0 .. n\n{all}")
        };
        check_blocks(&body(&[0, 1, 2]), &expect!["none"]);
        check_blocks(&body(&[0, 1, 3, 7, 8]), &expect!["none"]);
        check_blocks(
            &body(&[0, 1, 3, 4, 8]),
            &expect![[r#"
            S0 at [0, 0, 0, 0]: c[[0, 0, 1, 3, 1]] x[[0, 0, 1, 3, 1]]
            S4 at [0, 4]: c[[8, 0, 1]] x[[8, 0, 1]]
        "#]],
        );
        let sums: String = (0..6).map(|k| format!("  s[] += x[b + {k}]\n")).collect();
        check_blocks(&format!("params n\nfor b = 0 .. n\n{sums}"), &expect!["none"]);
    }
}
