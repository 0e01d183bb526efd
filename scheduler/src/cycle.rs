//! Offsets that no choice of origins removes, each with a proof.
//!
//! **Problem.** [`crate::shift`] moves origins so that subscripts agree. Some offsets stay. Is that the fault of the search, or can it not be otherwise?
//!
//! **Notation.** As there: unknown integer shifts `s_g`; a *link* is one row of an array for a pair of accesses, source `F_s i + f_s`, target `F_t i + f_t`. Its
//! offset after the shift is `(f_t - f_s) - (F_t s_t - F_s s_s)`, one for each column of `[1 | N]`. The offsets of a set of links can all be made 0 iff the
//! system `F_t s_t - F_s s_s = f_t - f_s` has an integer solution.
//!
//! **Statement.** It has none iff some integer combination `y` of its rows has `y M = 0` on the left and `y b != 0` on the right; or, where it has rational
//! solutions only, `y M = 0` and `y b != 0` modulo some number (Kronecker). A [`Cycle`] is such a `y`. With one loop index a row, as nearly always, it is a
//! cycle of the graph of accesses: what is added at one edge is taken back at the next, so that origins cancel, and the offsets sum to a number that no
//! origin enters: the true distance of reuse round the cycle.
//!
//! **Worked examples.** `A[i+1,j+1] = A[i+1,j] + A[i,j+1]`: each read with the write is a cycle of one edge, `(i + 1) - i`: 1 step in one row. `for i: B[i+3] =
//! A[i+1]; for i: A[i+4] = B[i]`: by A from the first loop to the second the offset is 3, by B back it is 3: sum 6, whatever the origins. `A[2i] = ..;
//! D[2i] = ..; .. = A[i] + D[i+1]`: `s_2 = 2 s_0` and `s_2 + 1 = 2 s_1` have no solution modulo 2.
//!
//! **Method.** Links are added one by one to a system that stays solvable; a unimodular change of unknowns `U` keeps it triangular, `M U = [H 0]`. A link that
//! does not fit has `m U = [h g 0]` (`g` the greatest common divisor of what is free), and `m - h H^-1 M` is the combination, modulo `g`. Links that are 0
//! already come first, so that what is left over is named, and not what it clashes with.

use crate::dependence::Dependences;
use crate::scop::{Access, AccessId, Scop, StatementId};
use crate::shift::Shifts;
use crate::{Error, Result};
use num_rational::Ratio;
use num_traits::{CheckedDiv, CheckedMul, CheckedSub, Zero};
use polyhedra::Budget;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One row of an array for two accesses to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Link {
    /// Statement and access of the source.
    pub source: (StatementId, AccessId),
    /// Statement and access of the target.
    pub target: (StatementId, AccessId),
    /// The subscript.
    pub row: usize,
}

/// Why the offset of a link cannot go while those of other links are 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// Column of `[1 | N]`.
    pub column: usize,
    /// Links and how often each is taken; the last is the one that has to keep its offset.
    pub links: Vec<(Link, i64)>,
    /// 0: origins cancel. Else they cancel modulo this number.
    pub modulus: i64,
}

/// What origins can and cannot do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offsets {
    /// Shifts, by column of `[1 | N]`, statement and iterator, under which all links but the last ones of `cycles` have offset 0.
    pub shifts: Vec<Vec<Vec<i64>>>,
    /// The links that keep an offset, each with its proof.
    pub cycles: Vec<Cycle>,
}

impl Link {
    fn accesses<'a>(&self, scop: &'a Scop) -> Option<(&'a Access, &'a Access)> {
        let find = |(s, a): (StatementId, AccessId)| scop.statements.get(s.0)?.accesses.get(a.0);
        let (source, target) = (find(self.source)?, find(self.target)?);
        (source.array == target.array && self.row < source.subscripts.len()).then_some((source, target))
    }
}

/// Coefficients of shifts, by statement and iterator.
type Origins = BTreeMap<(StatementId, usize), i128>;

impl Cycle {
    /// The link that keeps an offset.
    #[must_use]
    pub fn link(&self) -> Option<Link> {
        self.links.last().map(|l| l.0)
    }

    /// What the links sum to: coefficients of shifts by statement and iterator, and the offset. `None`: no links of this part, or overflow.
    fn sum(&self, scop: &Scop) -> Option<(Origins, i128)> {
        let mut origins = Origins::new();
        let mut offset = 0_i128;
        for (link, times) in &self.links {
            let (source, target) = link.accesses(scop)?;
            for (statement, access, sign) in [(link.target.0, target, 1), (link.source.0, source, -1)] {
                let e = &access.subscripts[link.row];
                let factor = i128::from(*times).checked_mul(sign)?;
                for (k, &c) in e.dim_coeffs().iter().enumerate() {
                    let term = factor.checked_mul(i128::from(c))?;
                    let sum = origins.entry((statement, k)).or_default();
                    *sum = sum.checked_add(term)?;
                }
                offset = offset.checked_add(factor.checked_mul(i128::from(*e.coeffs().get(self.column)?))?)?;
            }
        }
        Some((origins, offset))
    }

    /// Is it so? Needs nothing but the part: adds the links up and looks whether origins cancel and offsets do not.
    #[must_use]
    pub fn check(&self, scop: &Scop) -> bool {
        let Some((origins, offset)) = self.sum(scop) else { return false };
        let modulus = i128::from(self.modulus);
        let vanishes = |x: i128| if modulus == 0 { x == 0 } else { x.rem_euclid(modulus) == 0 };
        modulus >= 0 && origins.values().all(|&c| vanishes(c)) && !vanishes(offset)
    }

    /// In words, for people.
    #[must_use]
    pub fn print(&self, scop: &Scop) -> String {
        let mut out = String::new();
        let unit = match self.column {
            0 => "1".to_string(),
            c => scop.params.get(c - 1).cloned().unwrap_or_else(|| "?".into()),
        };
        for (link, times) in &self.links {
            let Some((source, target)) = link.accesses(scop) else { continue };
            let name = |s: StatementId| scop.statements.get(s.0).map_or("?", |s| s.name.as_str());
            let offset = |a: &Access| a.subscripts[link.row].coeffs().get(self.column).copied().unwrap_or(0);
            let by = offset(target).saturating_sub(offset(source));
            let array = scop.arrays.get(source.array.0).map_or("?", |a| a.name.as_str());
            let (from, to, row) = (name(link.source.0), name(link.target.0), link.row);
            let sign = if out.is_empty() { "" } else { " + " };
            let _ = write!(out, "{sign}{times} * {by} ({array} row {row}, {from} to {to})");
        }
        let sum = self.sum(scop).map_or(0, |s| s.1);
        match self.modulus {
            0 => format!("{out} = {sum} times {unit}, and the origins cancel\n"),
            m => format!("{out} = {sum} times {unit}, and the origins cancel modulo {m}\n"),
        }
    }
}

impl Offsets {
    /// Which offsets have to stay. `chosen`: links without an offset under these shifts are kept so.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn of(scop: &Scop, dependences: &Dependences, chosen: &Shifts, budget: &Budget) -> Result<Self> {
        let mut links: Vec<Link> = Vec::new();
        for d in dependences.ordering.iter().chain(&dependences.reuse) {
            let (source, target) = ((d.source, d.source_access), (d.target, d.target_access));
            // Both directions of a pair say the same.
            if links
                .iter()
                .any(|l| (l.source, l.target) == (source, target) || (l.target, l.source) == (source, target))
            {
                continue;
            }
            let rank = scop.statements[d.source.0].accesses.get(d.source_access.0).map_or(0, |a| a.subscripts.len());
            links.extend((0..rank).map(|row| Link { source, target, row }));
        }
        let mut out = Self { shifts: Vec::new(), cycles: Vec::new() };
        for column in 0..=scop.params.len() {
            let mut order = links.clone();
            order.sort_by_key(|l| !is_zero_under(scop, chosen, l, column));
            let mut system = System::new(scop);
            for link in order {
                budget.spend(system.first.len() as u64 + 1)?;
                if let Some(cycle) = system.add(scop, link, column).ok_or(Error::Sets(polyhedra::Error::Overflow))? {
                    out.cycles.push(cycle);
                }
            }
            out.shifts.push(system.solution(scop).ok_or(Error::Sets(polyhedra::Error::Overflow))?);
        }
        Ok(out)
    }

    /// Text for people: a line a cycle.
    #[must_use]
    pub fn print(&self, scop: &Scop) -> String {
        self.cycles.iter().map(|c| c.print(scop)).collect()
    }
}

/// Has the link no offset in this column?
fn is_zero_under(scop: &Scop, shifts: &Shifts, link: &Link, column: usize) -> bool {
    let residual = |(s, _): (StatementId, AccessId), access: &Access| {
        let e = &access.subscripts[link.row];
        let moved = shifts.along(s, e.dim_coeffs()).ok()?;
        (*e.coeffs().get(column)?).checked_sub(moved.get(column).copied().unwrap_or(0))
    };
    link.accesses(scop).is_some_and(|(source, target)| {
        let (a, b) = (residual(link.source, source), residual(link.target, target));
        a.is_some() && a == b
    })
}

/// Links that fit together. Unknowns `x = U z`, the first of `z` fixed.
struct System {
    /// Place of the first iterator of each statement among the unknowns, and at the end their number.
    first: Vec<usize>,
    /// `U`, by columns.
    change: Vec<Vec<i128>>,
    /// Values of the fixed unknowns.
    fixed: Vec<i128>,
    /// The rows that fixed them: link, `H`.
    rows: Vec<(Link, Vec<i128>)>,
}

impl System {
    fn new(scop: &Scop) -> Self {
        let mut first = vec![0];
        for s in &scop.statements {
            first.push(first.last().copied().unwrap_or(0) + s.depth());
        }
        let n = first.last().copied().unwrap_or(0);
        let change = (0..n).map(|c| (0..n).map(|k| i128::from(k == c)).collect()).collect();
        Self { first, change, fixed: Vec::new(), rows: Vec::new() }
    }

    /// Takes a link in, or says why it does not fit. `None`: overflow.
    fn add(&mut self, scop: &Scop, link: Link, column: usize) -> Option<Option<Cycle>> {
        let (source, target) = link.accesses(scop)?;
        let (from, to) = (&source.subscripts[link.row], &target.subscripts[link.row]);
        let mut row = vec![0_i128; self.change.len()];
        for (s, e, sign) in [(link.target.0, to, 1_i128), (link.source.0, from, -1)] {
            for (k, &c) in e.dim_coeffs().iter().enumerate() {
                row[self.first[s.0] + k] += sign * i128::from(c);
            }
        }
        let offset = i128::from(*to.coeffs().get(column)?) - i128::from(*from.coeffs().get(column)?);
        let mut image: Vec<i128> = self.change.iter().map(|c| dot(&row, c)).collect::<Option<_>>()?;
        let p = self.fixed.len();
        // Euclid's algorithm on the free columns.
        while let Some(least) = (p..image.len()).filter(|&k| image[k] != 0).min_by_key(|&k| image[k].abs()) {
            image.swap(p, least);
            self.change.swap(p, least);
            let pivot = self.change[p].clone();
            let mut done = true;
            for k in p + 1..image.len() {
                let times = image[k] / image[p];
                if times != 0 {
                    image[k] -= times * image[p];
                    for (x, y) in self.change[k].iter_mut().zip(&pivot) {
                        *x = x.checked_sub(times.checked_mul(*y)?)?;
                    }
                }
                done &= image[k] == 0;
            }
            if done {
                break;
            }
        }
        let free = image.get(p).copied().unwrap_or(0);
        let rest = offset.checked_sub(dot(&image[..p], &self.fixed)?)?;
        if (free == 0 && rest == 0) || (free != 0 && rest % free == 0) {
            if free != 0 {
                self.fixed.push(rest / free);
                image.truncate(p + 1);
                self.rows.push((link, image));
            }
            return Some(None);
        }
        Some(Some(self.cycle(link, &image[..p], free, column)?))
    }

    /// `m - h H^-1 M`, whole, modulo `free`.
    fn cycle(&self, link: Link, h: &[i128], free: i128, column: usize) -> Option<Cycle> {
        let mut times = vec![Ratio::<i128>::zero(); h.len()];
        for k in (0..h.len()).rev() {
            let mut left = Ratio::from_integer(h[k]);
            for (y, (_, row)) in times.iter().zip(&self.rows).skip(k + 1) {
                left = left.checked_sub(&y.checked_mul(&Ratio::from_integer(row[k]))?)?;
            }
            times[k] = left.checked_div(&Ratio::from_integer(self.rows[k].1[k]))?;
        }
        let mut scale = 1_i128;
        for y in &times {
            let q = *y.denom();
            let (mut a, mut b) = (scale, q);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            scale = (scale / a).checked_mul(q)?;
        }
        let mut links = Vec::new();
        for (y, (other, _)) in times.iter().zip(&self.rows) {
            if !y.is_zero() {
                links.push((*other, i64::try_from((*y.numer()).checked_mul(-(scale / y.denom()))?).ok()?));
            }
        }
        links.push((link, i64::try_from(scale).ok()?));
        let modulus = i64::try_from(free.checked_mul(scale)?.checked_abs()?).ok()?;
        Some(Cycle { column, links, modulus })
    }

    fn solution(&self, scop: &Scop) -> Option<Vec<Vec<i64>>> {
        let mut x = vec![0_i128; self.change.len()];
        for (z, column) in self.fixed.iter().zip(&self.change) {
            for (x, u) in x.iter_mut().zip(column) {
                *x = x.checked_add((*z).checked_mul(*u)?)?;
            }
        }
        let own = |k: usize| x[self.first[k]..self.first[k + 1]].iter().map(|&v| i64::try_from(v).ok()).collect();
        (0..scop.statements.len()).map(own).collect()
    }
}

fn dot(a: &[i128], b: &[i128]) -> Option<i128> {
    a.iter().zip(b).try_fold(0_i128, |sum, (x, y)| sum.checked_add((*x).checked_mul(*y)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    fn offsets(text: &str) -> (Scop, Vec<Link>, Offsets) {
        let scop = testing::scop(text).expect("text");
        let budget = Budget::generous();
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let shifts = Shifts::of(&scop, &dependences, &budget).expect("shifts");
        let found = Offsets::of(&scop, &dependences, &shifts, &budget).expect("offsets");
        let mut links = Vec::new();
        for d in dependences.ordering.iter().chain(&dependences.reuse) {
            let rank = scop.statements[d.source.0].accesses[d.source_access.0].subscripts.len();
            let (source, target) = ((d.source, d.source_access), (d.target, d.target_access));
            links.extend((0..rank).map(|row| Link { source, target, row }));
        }
        (scop, links, found)
    }

    #[allow(clippy::needless_pass_by_value)]
    fn check(text: &str, expected: Expect) {
        let (scop, _, found) = offsets(text);
        assert!(found.cycles.iter().all(|c| c.check(&scop)));
        expected.assert_eq(&found.print(&scop));
    }

    #[test]
    fn reuse_distances_stay() {
        check(
            "params N\nfor i = 0 .. N\n  for j = 0 .. N\n    A[i+1,j+1] = A[i+1,j] + A[i,j+1]",
            expect![[r#"
            1 * -1 (A row 1, S0 to S0) = -1 times 1, and the origins cancel
            1 * -1 (A row 0, S0 to S0) = -1 times 1, and the origins cancel
            1 * -1 (A row 0, S0 to S0) = -1 times 1, and the origins cancel
            1 * 1 (A row 1, S0 to S0) = 1 times 1, and the origins cancel
        "#]],
        );
    }

    #[test]
    fn smallest_illegal_case_of_loop_models() {
        check(
            "params T, N\nfor t = 0 .. T\n  for i = 0 .. N\n    B[i+3] = A[i+1]\n  for i = 0 .. N\n    A[i+4] = B[i]",
            expect![[r#"
                -1 * 3 (A row 0, S0 to S1) + 1 * -3 (B row 0, S0 to S1) = -6 times 1, and the origins cancel
            "#]],
        );
    }

    #[test]
    fn even_and_odd() {
        check(
            "params N\nfor i = 0 .. N\n  A[2i] = p[i]\nfor i = 0 .. N\n  D[2i] = q[i]\nfor i = 0 .. N\n  C[i] = A[i] + D[i+1]",
            expect![[r#"
                -1 * 1 (D row 0, S1 to S2) + 1 * 0 (A row 0, S0 to S2) = -1 times 1, and the origins cancel modulo 2
            "#]],
        );
    }

    #[test]
    fn a_product_has_none() {
        check(
            "params N\nfor i = 0 .. N\n  for j = 0 .. N\n    for k in 1 .. N+1\n      C[i,j] += A[i+2,k] * B[k-1,j]",
            expect![[""]],
        );
    }

    /// A proof of something else is no proof.
    #[test]
    fn broken_cycles_are_refused() {
        let (scop, _, found) = offsets("params N\nfor i = 0 .. N\n  B[i+3] = A[i+1]\nfor i = 0 .. N\n  A[i+4] = B[i]");
        for cycle in found.cycles {
            let mut other = cycle.clone();
            other.links[0].1 += 1;
            assert!(!other.check(&scop));
            let mut other = cycle.clone();
            other.links.pop();
            assert!(!other.check(&scop));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(5), ..ProptestConfig::default() })]

        /// Every offset is 0 under the shifts given, or has a proof that holds; links with a proof are the only ones that are not 0.
        #[test]
        fn removable_or_proved(c in proptest::collection::vec(-2_i64..4, 16), f in proptest::collection::vec(0_usize..6, 8)) {
            let sub = |k: usize, at: usize| format!("{} + {}", ["i", "j", "2i", "i + j", "i - j", "N - i"][f[k]], c[at]);
            let text = format!(
                "params N\nfor i = 0 .. N\n  for j = 0 .. N\n    A[{}, {}] = B[{}] + A[{}, {}]\nfor i = 0 .. N\n  for j = 0 .. N\n    B[{}] = A[{}, {}] + B[{}]",
                sub(0, 0), sub(1, 1), sub(2, 2), sub(0, 3), sub(1, 4), sub(3, 5), sub(4, 6), sub(5, 7), sub(6, 8)
            );
            let (scop, links, found) = offsets(&text);
            for cycle in &found.cycles {
                prop_assert!(cycle.check(&scop), "{}\n{}", text, cycle.print(&scop));
            }
            for column in 0..=scop.params.len() {
                let proved: Vec<Option<Link>> = found.cycles.iter().filter(|c| c.column == column).map(Cycle::link).collect();
                for link in &links {
                    let twin = Link { source: link.target, target: link.source, row: link.row };
                    if proved.contains(&Some(*link)) || proved.contains(&Some(twin)) {
                        continue;
                    }
                    let (source, target) = link.accesses(&scop).expect("link");
                    let residual = |s: StatementId, a: &Access| {
                        let e = &a.subscripts[link.row];
                        let moved: i64 = e.dim_coeffs().iter().zip(&found.shifts[column][s.0]).map(|(c, s)| c * s).sum();
                        e.coeffs()[column] - moved
                    };
                    prop_assert_eq!(residual(link.source.0, source), residual(link.target.0, target), "{}", text);
                }
            }
        }
    }
}
