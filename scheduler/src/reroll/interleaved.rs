//! A loop over parts that lie side by side becomes one loop with the loop around it.
//!
//! **Problem.** Pixels of three colours, numbers of two parts, loops that somebody unrolled by hand: `o[3 j + c] = f(x[3 j + c])` for `c < 3`, mostly as three statements or nests, since LLVM unrolls the loop over
//! `c`. Neither loop moves over neighbours for long enough to be one of vectors.
//!
//! **Method.** All that stands in the loop `j` is one loop of `E` iterations, or families of `E` statements that differ by a constant times their number; and `j` moves every subscript by `E` times that
//! constant. Then `J = E j + c` moves all of them by the constant alone, and counts the same instances, all of a number before those of the next: it is the same program, only written differently. Where the
//! source has them in another order (`for u { r += x[u]; g += x[u + 1]; }`), that they may run in this one has to pass [`legality::prove`]. Where `j >= l` there `J >= E l`, where `j <= u` there
//! `J <= E u + E - 1`.

use super::difference;
use crate::coalesce::{Coalesced, Likeness};
use crate::dependence::Dependences;
use crate::legality::{self, Verdict};
use crate::scop::{Scop, Statement, StatementId};
use crate::{Error, Result};
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space};
use std::collections::BTreeSet;

/// More parts are loops that stand for themselves.
const MOST_PARTS: usize = 16;

/// Of more statements in one loop no families are looked for.
const MOST_STATEMENTS: usize = 64;

type Alike<'a> = &'a dyn Fn(StatementId, StatementId) -> Option<Likeness>;

/// Makes one loop of two, or of one and what lies side by side in it, as often as that can be done. `alike(one, other)` says whether two statements compute the same. `None`: there are none; else the part and its
/// dependences. The source may be better than that as it stands.
///
/// # Errors
/// Overflow, budget; what [`Scop::check`] finds.
pub fn reroll_interleaved(scop: &Scop, alike: Alike<'_>, budget: &Budget) -> Result<Option<(Coalesced, Dependences)>> {
    let origin = (0..scop.statements.len()).map(StatementId).collect();
    let mut part = Coalesced { scop: scop.clone(), origin };
    let mut dependences = None;
    while let Some(next) = one_of(&part, dependences.as_ref(), alike, budget)? {
        next.scop.check()?;
        dependences = Some(Dependences::of(&next.scop, budget)?);
        part = next;
    }
    Ok(dependences.map(|dependences| (part, dependences)))
}

/// The part with one loop made that way: the innermost that can be.
fn one_of(
    part: &Coalesced,
    dependences: Option<&Dependences>,
    alike: Alike<'_>,
    budget: &Budget,
) -> Result<Option<Coalesced>> {
    let loops = |s: &Statement| (1..=s.depth()).map(|depth| s.beta[..depth].to_vec()).collect::<Vec<_>>();
    let all: BTreeSet<Vec<usize>> = part.scop.statements.iter().flat_map(loops).collect();
    let mut all: Vec<Vec<usize>> = all.into_iter().collect();
    all.sort_by_key(|prefix| std::cmp::Reverse(prefix.len()));
    for prefix in all {
        let inside = Inside::of(part, &prefix, alike);
        let new = match inside.with_its_loop()? {
            None => inside.with_families(dependences, budget)?,
            some => some,
        };
        let Some(new) = new else { continue };
        let mut out = Coalesced { scop: Scop { statements: Vec::new(), ..part.scop.clone() }, origin: Vec::new() };
        for (k, s) in part.scop.statements.iter().enumerate() {
            let new = new.iter().find(|(of, _)| *of == k).map(|(_, new)| new);
            if s.beta.starts_with(&prefix) && new.is_none() {
                continue;
            }
            out.scop.statements.push(new.unwrap_or(s).clone());
            out.origin.push(part.origin[k]);
        }
        return Ok(Some(out));
    }
    Ok(None)
}

/// All that stands in a loop.
struct Inside<'a> {
    part: &'a Coalesced,
    alike: Alike<'a>,
    /// The loop's number in all statements.
    level: usize,
    /// In the order of the source.
    statements: Vec<usize>,
}

/// Statements by their numbers, and what becomes of them.
type New = Vec<(usize, Statement)>;

/// Statements that differ by a constant times their number.
struct Family {
    /// In the order of the numbers.
    members: Vec<usize>,
    /// The constants, one for each subscript.
    by: Vec<i64>,
}

impl<'a> Inside<'a> {
    fn of(part: &'a Coalesced, prefix: &[usize], alike: Alike<'a>) -> Self {
        let all = &part.scop.statements;
        let mut statements: Vec<usize> = (0..all.len()).filter(|&k| all[k].beta.starts_with(prefix)).collect();
        statements.sort_by(|&a, &b| all[a].beta.cmp(&all[b].beta));
        Self { part, alike, level: prefix.len() - 1, statements }
    }

    fn statement(&self, k: usize) -> &'a Statement {
        &self.part.scop.statements[k]
    }

    /// What one of two statements has more in its subscripts than the other.
    fn between(&self, one: usize, other: usize) -> Result<Option<Vec<i64>>> {
        let wide = |k: usize| self.statement(k).accesses.iter().any(|a| a.extent != 1);
        if wide(one) || wide(other) {
            return Ok(None);
        }
        match (self.alike)(self.part.origin[one], self.part.origin[other]) {
            Some(likeness) => difference(self.statement(one), self.statement(other), &likeness),
            None => Ok(None),
        }
    }

    /// The loop and the only one in it, of few iterations, as one.
    fn with_its_loop(&self) -> Result<Option<New>> {
        let inner = self.level + 1;
        let mut new = Vec::new();
        let (mut parts, mut place) = (None, None);
        for &k in &self.statements {
            let s = self.statement(k);
            if s.depth() <= inner || *place.get_or_insert(s.beta[inner]) != s.beta[inner] {
                return Ok(None);
            }
            if self.between(k, k)?.is_none() {
                return Ok(None);
            }
            let Some((count, domain)) = without_loop(&s.domain, inner)? else { return Ok(None) };
            if *parts.get_or_insert(count) != count {
                return Ok(None);
            }
            let by: Vec<i64> = subscripts(s).map(|e| e.dim_coeff(inner)).collect();
            let mut s = Statement { domain, ..s.clone() };
            for e in s.accesses.iter_mut().flat_map(|a| &mut a.subscripts) {
                *e = without(e, inner)?;
            }
            s.beta.remove(inner);
            let Some(s) = one_loop(&s, self.level, count, &by)? else { return Ok(None) };
            new.push((k, s));
        }
        Ok((!new.is_empty()).then_some(new))
    }

    /// The loop, and families of which all in it are, as one.
    fn with_families(&self, dependences: Option<&Dependences>, budget: &Budget) -> Result<Option<New>> {
        let Some(families) = self.families()? else { return Ok(None) };
        if !self.may_follow_each_other(&families, dependences, budget)? {
            return Ok(None);
        }
        let mut new = Vec::new();
        for Family { members, by } in &families {
            let parts = i64::try_from(members.len()).map_err(|_| polyhedra::Error::Overflow)?;
            let Some(&first) = members.first() else { return Ok(None) };
            let Some(s) = one_loop(self.statement(first), self.level, parts, by)? else { return Ok(None) };
            new.push((first, s));
        }
        Ok(Some(new))
    }

    /// Families of equally many.
    fn families(&self) -> Result<Option<Vec<Family>>> {
        let mut left = self.statements.clone();
        let mut out: Vec<Family> = Vec::new();
        if left.len() > MOST_STATEMENTS {
            return Ok(None);
        }
        while let Some(&one) = left.first() {
            let mut found = None;
            // The first one of a family need not be the first one in the source.
            for &first in &left {
                if let Some(family) = self.family(first, &left)?.filter(|family| family.members.contains(&one)) {
                    found = Some(family);
                    break;
                }
            }
            let parts = out.first().map(|family| family.members.len());
            let Some(family) = found.filter(|f| parts.is_none_or(|parts| parts == f.members.len())) else {
                return Ok(None);
            };
            left.retain(|k| !family.members.contains(k));
            out.push(family);
        }
        Ok((!out.is_empty()).then_some(out))
    }

    /// The family of a statement, among these, that the loop moves by so much.
    fn family(&self, first: usize, among: &[usize]) -> Result<Option<Family>> {
        let own = self.statement(first);
        let mut others: Vec<(usize, Vec<i64>)> = Vec::new();
        for &other in among.iter().filter(|&&other| other != first && self.statement(other).domain == own.domain) {
            if let Some(by) = self.between(first, other)? {
                others.push((other, by));
            }
        }
        let moved: Vec<i64> = subscripts(own).map(|e| e.dim_coeff(self.level)).collect();
        for parts in (2..=MOST_PARTS.min(others.len() + 1)).rev() {
            let times = i64::try_from(parts).map_err(|_| polyhedra::Error::Overflow)?;
            if moved.iter().any(|c| c % times != 0) {
                continue;
            }
            let by: Vec<i64> = moved.iter().map(|c| c / times).collect();
            let mut members = vec![first];
            for number in 1..times {
                let is_next = |have: &[i64]| have.iter().zip(&by).all(|(h, by)| by.checked_mul(number) == Some(*h));
                let mut next = others.iter().filter(|(_, have)| is_next(have)).map(|(k, _)| *k);
                members.extend(next.next());
                // Which one of two it is nobody can tell.
                if next.next().is_some() {
                    break;
                }
            }
            if members.len() == parts {
                return Ok(Some(Family { members, by }));
            }
        }
        Ok(None)
    }

    /// May all of a number run before those of the next, each as the first of them stand?
    fn may_follow_each_other(
        &self,
        families: &[Family],
        dependences: Option<&Dependences>,
        budget: &Budget,
    ) -> Result<bool> {
        let place = self.level + 1;
        let most = self.statements.iter().map(|&k| self.statement(k).beta[place]).max().unwrap_or(0);
        let mut scop = self.part.scop.clone();
        for Family { members, .. } in families {
            let Some(&first) = members.first() else { return Ok(false) };
            for (number, &k) in members.iter().enumerate() {
                let mut beta = self.statement(first).beta.clone();
                beta[place] += number * (most + 1);
                scop.statements[k].beta = beta;
            }
        }
        let order = |of: &Scop, a: usize, b: usize| {
            let (a, b) = (&of.statements[a], &of.statements[b]);
            (a.common_loops(b), a.beta < b.beta)
        };
        let stays = |a: usize, b: usize| order(&self.part.scop, a, b) == order(&scop, a, b);
        if self.statements.iter().all(|&a| self.statements.iter().all(|&b| stays(a, b))) {
            return Ok(true);
        }
        let own;
        let dependences = match dependences {
            Some(dependences) => dependences,
            None => {
                own = Dependences::of(&self.part.scop, budget)?;
                &own
            }
        };
        let tree = legality::original(&scop);
        Ok(matches!(legality::prove(&self.part.scop, dependences, tree, budget)?, Verdict::Legal(_)))
    }
}

fn subscripts(s: &Statement) -> impl Iterator<Item = &Affine> {
    s.accesses.iter().flat_map(|a| &a.subscripts)
}

/// The number of iterations of a loop that counts from 0 on by itself, and the domain without it.
fn without_loop(domain: &Polyhedron, dim: usize) -> Result<Option<(i64, Polyhedron)>> {
    let (mut starts, mut last) = (false, None);
    let mut others = Vec::new();
    for row in domain.constraints() {
        let by = row.expr.dim_coeff(dim);
        if by == 0 {
            others.push(Constraint { kind: row.kind, expr: without(&row.expr, dim)? });
            continue;
        }
        let mut rest = row.expr.clone();
        rest.set_dim(dim, 0);
        match (row.kind, by) {
            (Kind::Ge, 1) if rest.is_constant() && rest.constant_term() == 0 => starts = true,
            (Kind::Ge, -1) if rest.is_constant() && last.is_none() => last = Some(rest.constant_term()),
            _ => return Ok(None),
        }
    }
    let most = i64::try_from(MOST_PARTS).map_err(|_| polyhedra::Error::Overflow)?;
    let old = domain.space();
    let space = Space::new(old.params, old.dims - 1);
    let parts = last.filter(|&last| starts && (1..most).contains(&last)).map(|last| last + 1);
    Ok(parts.map(|parts| (parts, Polyhedron::new(space, others))))
}

/// The expression, in which an iterator is gone that it does not have.
fn without(e: &Affine, dim: usize) -> Result<Affine> {
    let old = e.space();
    let space = Space::new(old.params, old.dims - 1);
    let own = |d: usize| match d.cmp(&dim) {
        std::cmp::Ordering::Less => Affine::dim(space, d),
        std::cmp::Ordering::Equal => Affine::zero(space),
        std::cmp::Ordering::Greater => Affine::dim(space, d - 1),
    };
    let map: Vec<Affine> = (0..old.dims).map(own).collect();
    Ok(e.compose(&map, space)?)
}

/// The statement with a loop that counts all parts, each of which moves the subscripts by so much. `None`: the loop does not move them as all the parts together, or has bounds of another kind; or the stored
/// cell stands still.
fn one_loop(s: &Statement, dim: usize, parts: i64, by: &[i64]) -> Result<Option<Statement>> {
    let moves = by.iter().take(s.write().subscripts.len()).any(|by| *by != 0);
    let together = |(e, by): (&Affine, &i64)| by.checked_mul(parts) == Some(e.dim_coeff(dim));
    if !moves || subscripts(s).count() != by.len() || !subscripts(s).zip(by).all(together) {
        return Ok(None);
    }
    let mut rows = Vec::new();
    for row in s.domain.constraints() {
        let sign = row.expr.dim_coeff(dim);
        rows.push(match (row.kind, sign) {
            (_, 0) => row.clone(),
            (Kind::Ge, 1 | -1) => {
                let mut expr = row.expr.scale(parts)?;
                expr.set_dim(dim, sign);
                Constraint::ge(if sign < 0 { expr.offset(parts - 1)? } else { expr })
            }
            _ => return Ok(None),
        });
    }
    let mut out = Statement { domain: Polyhedron::new(s.space(), rows), ..s.clone() };
    let mut all = by.iter();
    for e in out.accesses.iter_mut().flat_map(|a| &mut a.subscripts) {
        let by = all.next().ok_or_else(|| Error::Malformed("a subscript without a step".into()))?;
        e.set_dim(dim, *by);
    }
    Ok(Some(out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::AccessId;
    use crate::testing;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: &Expect) {
        let scop = testing::scop(text).expect("text of a part");
        let alike = |a: StatementId, b: StatementId| {
            let (a, b) = (&scop.statements[a.0], &scop.statements[b.0]);
            let reads = (1..a.accesses.len().min(b.accesses.len())).map(|k| (AccessId(k), AccessId(k))).collect();
            (a.operations == b.operations).then_some(Likeness { reads, numbers: Vec::new() })
        };
        let found = reroll_interleaved(&scop, &alike, &Budget::new(1_000_000)).expect("no overflow");
        let out = match &found {
            None => "none".to_string(),
            Some((found, _)) => {
                same_instances(&scop, &found.scop);
                crate::text::print_scop(&found.scop)
            }
        };
        expected.assert_eq(&out);
    }

    /// For some sizes the same cells are stored to by as many instances, each reading the same.
    fn same_instances(old: &Scop, new: &Scop) {
        let all = |scop: &Scop, n: i64| {
            let params = vec![n; scop.params.len()];
            let mut out: Vec<Vec<(usize, Vec<i64>)>> = Vec::new();
            for s in &scop.statements {
                for point in polyhedra::oracle::points(&s.domain, &params, -3, 40).expect("few points") {
                    let cell = |e: &Affine| e.eval(&params, &point).expect("small");
                    let of = |a: &crate::scop::Access| (a.array.0, a.subscripts.iter().map(cell).collect());
                    out.push(s.accesses.iter().map(of).collect());
                }
            }
            out.sort();
            out
        };
        for n in [0, 1, 3, 4] {
            assert_eq!(all(old, n), all(new, n), "for {n}");
        }
    }

    /// A loop over three colours goes into the one around; what is inside stays inside.
    #[test]
    fn loops_of_colours() {
        check(
            "params n, m\nfor i = 0 .. n\n  for j = 1 .. n\n    for c = 0 .. 3\n      o[i, 3*j + c] = 0\n      for v = 0 .. m\n        o[i, 3*j + c] += x[i, 3*j + c + 3*v] * w[v]",
            &expect![[r#"
                params n, m
                for i0 = 0 .. n
                  for i1 = 0 .. 3*n - 3
                    o[i0][i1 + 3] = 0
                    for i2 = 0 .. m
                      o[i0][i1 + 3] += x[i0][i1 + 3*i2 + 3] * w[i2]
            "#]],
        );
    }

    /// Statements and nests for each of two parts, one after the other.
    #[test]
    fn blocks_of_parts() {
        check(
            "params n\nfor j = 0 .. n\n  o[2*j] = 0\n  for v = 0 .. n\n    o[2*j] += x[2*j + 2*v] * w[v]\n  o[2*j + 1] = 0\n  for v = 0 .. n\n    o[2*j + 1] += x[2*j + 1 + 2*v] * w[v]",
            &expect![[r#"
                params n
                for i0 = 0 .. 2*n
                  o[i0] = 0
                  for i1 = 0 .. n
                    o[i0] += x[i0 + 2*i1] * w[i1]
            "#]],
        );
    }

    /// Sums of all parts in one loop: each can run by itself.
    #[test]
    fn sums_of_parts() {
        check(
            "params n\nfor j = 0 .. n\n  o[2*j + 1] = 0\n  o[2*j] = 0\n  for v = 0 .. n\n    o[2*j] += x[2*j + 2*v] * w[v]\n    o[2*j + 1] += x[2*j + 1 + 2*v] * w[v]",
            &expect![[r#"
                params n
                for i0 = 0 .. 2*n
                  S1: o[i0] = 0
                  for i1 = 0 .. n
                    S2: o[i0] += x[i0 + 2*i1] * w[i1]
            "#]],
        );
    }

    /// A loop unrolled by hand, which needs what it has just stored.
    #[test]
    fn unrolled_by_hand() {
        check(
            "params n\nfor j = 1 .. n\n  s[4*j] += s[4*j - 1]\n  s[4*j + 1] += s[4*j]\n  s[4*j + 2] += s[4*j + 1]\n  s[4*j + 3] += s[4*j + 2]",
            &expect![[r#"
                params n
                for i0 = 0 .. 4*n - 4
                  s[i0 + 4] += s[i0 + 3]
            "#]],
        );
    }

    /// The first part of the next pixel reads what the last one of this stores, which must have run: the other way round it is another program.
    #[test]
    fn what_cannot_follow() {
        check(
            "params n\nfor j = 1 .. n\n  for v = 0 .. n\n    s[2*j] += s[2*j + 1]\n    s[2*j + 1] += s[2*j + 2]",
            &expect!["none"],
        );
    }

    /// Gaps, cells that another part has, statements of which there is one, more parts than a vector has.
    #[test]
    fn what_stays() {
        check("params n\nfor j = 0 .. n\n  o[3*j] = x[3*j]\n  o[3*j + 1] = x[3*j + 1]", &expect!["none"]);
        check("params n\nfor j = 0 .. n\n  o[2*j] = x[2*j]\n  o[2*j + 1] = x[2*j + 2]", &expect!["none"]);
        check("params n\nfor j = 0 .. n\n  o[2*j] = x[2*j]\n  o[2*j + 1] = x[2*j + 1]\n  y[j] = 0", &expect!["none"]);
        check("params n\nfor j = 0 .. n\n  for c = 0 .. 17\n    o[17*j + c] = x[17*j + c]", &expect!["none"]);
        check("params n\nfor j = 0 .. n\n  for c = 0 .. j\n    o[3*j + c] = x[3*j + c]", &expect!["none"]);
    }
}
