//! Dependences that others imply.
//!
//! **Problem.** The memory-based list of [`crate::dependence`] says of every two instances that touch one cell which was first. Most of that follows: if the
//! cell is stored at every step `k`, then step 3 is after step 1 because it is after step 2. What follows only makes every later question larger.
//!
//! **Contract.** The transitive closure of what is left is that of what was given, for all parameters. So a schedule keeps one list iff it keeps the other.
//! The flags that the judge sets hold as well: along a chain of instances no distance is negative at the first level where one is not 0, so where the whole
//! distance is 0 every link's is, and where every link's is non-negative (or 0) the sum is. Nothing here needs to know what a write stores: only order is
//! passed on, so writes that may not happen and accesses that overlap in part need no care.
//!
//! **Method.** Three rules, each of which keeps the closure of the list as it stands:
//! 1. *The next one.* `Stmt -> Stmt` whose equalities leave one direction, `i_t = i_s + k v` with `k >= 1`: only `k = 1` stays. The instances between lie on a
//!    segment between two points of a convex domain, so they exist. `v` is then a *step* of the statement.
//! 2. *The nearest one.* A statement with a step `v` runs `i_t - v` before `i_t`; a pair `(i_s, i_t)` follows whenever `(i_s, i_t - v)` is in the relation.
//!    If among the rows of the relation only one can break by that move, only the pairs where it does break stay: again convex. The same at the source with
//!    `i_s + v`.
//! 3. *Another way.* A relation `D` goes when there are kept relations `S -> W`, `W -> T`, one of which gives the instance of `W` as an affine function of
//!    one end, such that `D` implies both. Where the ends are exact by rules 1 and 2, that is often so: an anti dependence between the steps of a stencil
//!    by way of the neighbour.
//!
//! **Worked example.** `for t for i: A[i] = A[i-1] + A[i+1]`: rule 1 leaves of the output dependence `t_t >= t_s + 1` the step `(1, 0)`; rule 2 leaves of the
//! flow to `A[i-1]`, `i_t = i_s + 1, t_t >= t_s + 1`, only `t_t = t_s + 1`; rule 3 drops that too: the same cell is read at `(t_s, i_s + 1)` already, and
//! that instance comes before `(t_s + 1, i_s + 1)`.
//!
//! Source: "covering" and "killing" of Pugh and Wonnacott (1992), with order in place of values.

use crate::Result;
use crate::dependence::{Dependence, Dependences};
use crate::linear;
use crate::scop::{ArrayId, Scop, StatementId};
use polyhedra::{Affine, Budget, Constraint, Kind, Polyhedron, Space};

/// Statements with more steps than this keep the first ones.
const STEPS_MOST: usize = 4;
/// Dependences of one array beyond which rule 3, which looks at pairs of them, is left out.
const ARRAY_MOST: usize = 60;

impl Dependences {
    /// The same order with fewer and smaller relations. See the module's text; `reuse` stays as it is.
    ///
    /// # Errors
    /// Overflow, budget.
    pub fn without_covered(mut self, scop: &Scop, budget: &Budget) -> Result<Self> {
        let mut steps: Vec<Vec<Vec<i64>>> = vec![Vec::new(); scop.statements.len()];
        for d in &mut self.ordering {
            budget.spend(1)?;
            if let Some(step) = next_only(d, &scop.statements[d.source.0].domain) {
                let own = &mut steps[d.source.0];
                if !own.contains(&step) && own.len() < STEPS_MOST {
                    own.push(step);
                }
            }
        }
        for d in &mut self.ordering {
            for at_target in [true, false] {
                let who = if at_target { d.target } else { d.source };
                for step in &steps[who.0] {
                    nearest_only(d, at_target, step, budget)?;
                }
            }
        }
        self.ordering = another_way(scop, self.ordering, budget)?;
        Ok(self)
    }
}

/// Coefficients of the target's and of the source's iterators.
fn ends(row: &Affine, target_dims: usize) -> (&[i64], &[i64]) {
    row.dim_coeffs().split_at(target_dims)
}

fn dot(a: &[i64], b: &[i64]) -> Option<i64> {
    a.iter().zip(b).try_fold(0_i64, |sum, (x, y)| sum.checked_add(x.checked_mul(*y)?))
}

/// Rule 1. Returns the step.
fn next_only(d: &mut Dependence, domain: &Polyhedron) -> Option<Vec<i64>> {
    if d.source != d.target {
        return None;
    }
    let depth = d.relation.space().dims / 2;
    let zero = |v: &[i64]| v.iter().all(|&c| c == 0);
    // Rows `r . (i_t - i_s) = 0`; the row of the level; else only rows of one end, which must be the domain's: a subscript without iterators at the other end
    // gives such rows too, and what lies between need not meet them.
    let params = d.relation.space().params;
    let own = |row: &Constraint, side: &[i64]| {
        domain.constraints().iter().any(|c| {
            c.kind == row.kind
                && c.expr.coeffs()[..=params] == row.expr.coeffs()[..=params]
                && c.expr.dim_coeffs() == side
        })
    };
    let mut uniform: Vec<Vec<i64>> = Vec::new();
    let mut level = None;
    for (place, row) in d.relation.constraints().iter().enumerate() {
        let (t, s) = ends(&row.expr, depth);
        if zero(t) || zero(s) {
            if !own(row, if zero(t) { s } else { t }) {
                return None;
            }
            continue;
        }
        let opposite = t.iter().zip(s).all(|(a, b)| a.checked_neg() == Some(*b));
        let bare = zero(row.expr.param_coeffs());
        match row.kind {
            Kind::Eq if opposite && bare && row.expr.constant_term() == 0 => uniform.push(t.to_vec()),
            Kind::Ge if opposite && bare && row.expr.constant_term() == -1 && level.is_none() => level = Some(place),
            _ => return None,
        }
    }
    let place = level?;
    let ahead = ends(&d.relation.constraints()[place].expr, depth).0.to_vec();
    let directions = linear::null_space(&uniform, depth);
    let [v] = directions.as_slice() else { return None };
    let along = dot(&ahead, v)?;
    let sign = along.signum();
    if sign == 0 {
        return None;
    }
    let v: Vec<i64> = v.iter().map(|c| c.checked_mul(sign)).collect::<Option<_>>()?;
    // `ahead . (i_t - i_s) = ahead . v` leaves the step alone.
    let row = d.relation.constraints()[place].expr.offset(1 - along.checked_abs()?).ok()?;
    replace(&mut d.relation, place, Constraint::eq(row));
    Some(v)
}

fn replace(set: &mut Polyhedron, place: usize, row: Constraint) {
    let mut rows = set.constraints().to_vec();
    rows[place] = row;
    *set = Polyhedron::new(set.space(), rows);
}

/// Rule 2.
fn nearest_only(d: &mut Dependence, at_target: bool, step: &[i64], budget: &Budget) -> Result<()> {
    let target_dims = d.relation.space().dims - if at_target { 0 } else { step.len() };
    let target_dims = if at_target { step.len() } else { target_dims };
    // By how much a row falls when the end moves towards the other.
    let mut falling: Vec<(usize, i64)> = Vec::new();
    for (place, row) in d.relation.constraints().iter().enumerate() {
        let (t, s) = ends(&row.expr, target_dims);
        let change = if at_target { dot(t, step) } else { dot(s, step).and_then(i64::checked_neg) };
        let Some(fall) = change else { return Ok(()) };
        match row.kind {
            Kind::Eq if fall != 0 => return Ok(()),
            Kind::Ge if fall > 0 => falling.push((place, fall)),
            _ => {}
        }
    }
    if falling.len() > 1 {
        // Rows that hold after the move whenever all rows hold before it.
        let mut tight = Vec::new();
        for (place, fall) in falling {
            let after = d.relation.constraints()[place].expr.offset(-fall)?;
            if polyhedra::farkas::prove_nonnegative(&after, &d.relation, budget)?.is_none() {
                tight.push((place, fall));
            }
            if tight.len() > 1 {
                return Ok(());
            }
        }
        falling = tight;
    }
    if let [(place, fall)] = falling[..] {
        let row = d.relation.constraints()[place].expr.clone();
        if fall == 1 {
            replace(&mut d.relation, place, Constraint::eq(row));
        } else {
            d.relation.add(Constraint::ge(row.scale(-1)?.offset(fall - 1)?));
        }
    }
    Ok(())
}

/// A list in work: what is there, in which arrays.
struct List {
    all: Vec<Dependence>,
    gone: Vec<bool>,
    array: Vec<Option<ArrayId>>,
    /// For each, the source's instance by the target's columns and the other way round, where the equalities say so.
    source_of: Vec<Option<Vec<Affine>>>,
    target_of: Vec<Option<Vec<Affine>>>,
}

/// Rule 3.
fn another_way(scop: &Scop, all: Vec<Dependence>, budget: &Budget) -> Result<Vec<Dependence>> {
    let depth = |s: StatementId| scop.statements[s.0].depth();
    let array = |d: &Dependence| scop.statements[d.source.0].accesses.get(d.source_access.0).map(|a| a.array);
    let mut list = List {
        gone: vec![false; all.len()],
        array: all.iter().map(array).collect(),
        source_of: all.iter().map(|d| determined(&d.relation, depth(d.target), depth(d.source), false)).collect(),
        target_of: all.iter().map(|d| determined(&d.relation, depth(d.target), depth(d.source), true)).collect(),
        all,
    };
    let crowd: Vec<usize> =
        (0..list.all.len()).map(|k| list.array.iter().filter(|a| **a == list.array[k]).count()).collect();
    // What reaches further first, so that chains of short links remain.
    let mut order: Vec<usize> = (0..list.all.len()).filter(|&k| crowd[k] <= ARRAY_MOST).collect();
    order.sort_by_key(|&k| (list.all[k].level, std::cmp::Reverse(k)));
    for k in order {
        budget.spend(1)?;
        list.gone[k] = list.goes(k, budget)?;
    }
    let gone = list.gone;
    Ok(list.all.into_iter().zip(gone).filter(|(_, gone)| !gone).map(|(d, _)| d).collect())
}

impl List {
    fn goes(&self, k: usize, budget: &Budget) -> Result<bool> {
        let d = &self.all[k];
        let here = Known::of(&d.relation);
        let other = |m: &usize| *m != k && !self.gone[*m] && self.array[*m] == self.array[k];
        for first in (0..self.all.len()).filter(other).filter(|&m| self.all[m].source == d.source) {
            let e = &self.all[first];
            // Twins by other accesses.
            if e.target == d.target && e.relation == d.relation {
                return Ok(true);
            }
            for second in (0..self.all.len()).filter(other) {
                let f = &self.all[second];
                if f.source != e.target || f.target != d.target {
                    continue;
                }
                for (way, from_source) in [(&self.target_of[first], true), (&self.source_of[second], false)] {
                    if let Some(way) = way
                        && implied_by(d, e, f, (way, &here), from_source, budget)?
                    {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}

/// Does `d` imply `e: S -> W` and `f: W -> T`, the instance of `W` being `way` of the source's (or of the target's) iterators?
fn implied_by(
    d: &Dependence,
    e: &Dependence,
    f: &Dependence,
    (way, known): (&[Affine], &Known),
    from_source: bool,
    budget: &Budget,
) -> Result<bool> {
    let space = d.relation.space();
    let targets = f.relation.space().dims - way.len();
    let all: Vec<Affine> = (0..space.dims).map(|k| Affine::dim(space, k)).collect();
    let (target, source) = all.split_at(targets);
    let place: Vec<usize> = if from_source { (targets..space.dims).collect() } else { (0..targets).collect() };
    let middle: Vec<Affine> = way.iter().map(|w| w.embed(space, &place)).collect();
    let first: Vec<Affine> = middle.iter().chain(source).cloned().collect();
    let second: Vec<Affine> = target.iter().chain(&middle).cloned().collect();
    let mut open = Vec::new();
    for (set, map) in [(&e.relation, &first), (&f.relation, &second)] {
        let Ok(image) = set.preimage(map, space) else { return Ok(false) };
        for row in image.constraints() {
            match known.says(row) {
                Some(true) => {}
                Some(false) => return Ok(false),
                None => open.push(row.expr.clone()),
            }
        }
    }
    for form in open {
        budget.spend(1)?;
        if polyhedra::farkas::prove_nonnegative(&form, &d.relation, budget)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A set with its equalities used to drop columns: most rows are then seen to hold, or not to, at a glance.
struct Known {
    /// Pivot column and row, the pivot 1 or -1.
    equal: Vec<(usize, Vec<i64>)>,
    rows: Vec<Vec<i64>>,
}

impl Known {
    fn of(set: &Polyhedron) -> Self {
        let first = 1 + set.space().params;
        let mut out = Self { equal: Vec::new(), rows: Vec::new() };
        for c in set.constraints().iter().filter(|c| c.kind == Kind::Eq) {
            if let Some(row) = out.reduced(c.expr.coeffs())
                && let Some(pivot) = (first..row.len()).find(|&c| row[c].abs() == 1)
            {
                out.equal.push((pivot, row));
            }
        }
        for c in set.constraints().iter().filter(|c| c.kind == Kind::Ge) {
            out.rows.extend(out.reduced(c.expr.coeffs()));
        }
        out
    }

    /// In the order in which they were found, each pivot's column vanishes and stays so: later rows do not have it.
    fn reduced(&self, row: &[i64]) -> Option<Vec<i64>> {
        let mut row = row.to_vec();
        for (c, pivot) in &self.equal {
            let factor = row[*c].checked_mul(pivot[*c])?;
            if factor != 0 {
                for (x, &y) in row.iter_mut().zip(pivot) {
                    *x = x.checked_sub(factor.checked_mul(y)?)?;
                }
            }
        }
        Some(row)
    }

    /// Does a row hold? `None`: not seen. "No" may be wrong on sets without rational points; that costs a dependence too many.
    fn says(&self, row: &Constraint) -> Option<bool> {
        let Some(form) = self.reduced(row.expr.coeffs()) else { return Some(false) };
        let (constant, linear) = (form[0], &form[1..]);
        let flat = linear.iter().all(|&c| c == 0);
        match row.kind {
            Kind::Eq => Some(flat && constant == 0),
            Kind::Ge if flat => Some(constant >= 0),
            Kind::Ge => self.rows.iter().any(|r| r[1..] == *linear && r[0] <= constant).then_some(true),
        }
    }
}

/// The iterators of one end (`target`: of the target) as integer affine functions of the other's, over `[1 | N | the other's]`, from rows with a unit
/// coefficient alone.
fn determined(set: &Polyhedron, target_dims: usize, source_dims: usize, target: bool) -> Option<Vec<Affine>> {
    let params = set.space().params;
    let first = 1 + params;
    let unknown =
        if target { first..first + target_dims } else { first + target_dims..first + target_dims + source_dims };
    let mut rows: Vec<Vec<i64>> =
        set.constraints().iter().filter(|c| c.kind == Kind::Eq).map(|c| c.expr.coeffs().to_vec()).collect();
    let mut solved: Vec<(usize, Vec<i64>)> = Vec::new();
    while let Some((r, c)) =
        rows.iter().enumerate().find_map(|(r, row)| unknown.clone().find(|&c| row[c].abs() == 1).map(|c| (r, c)))
    {
        let pivot = rows.remove(r);
        let eliminate = |row: &mut Vec<i64>| -> Option<()> {
            let factor = row[c].checked_mul(pivot[c])?;
            if factor != 0 {
                for (x, &y) in row.iter_mut().zip(&pivot) {
                    *x = x.checked_sub(factor.checked_mul(y)?)?;
                }
            }
            Some(())
        };
        rows.iter_mut().chain(solved.iter_mut().map(|s| &mut s.1)).try_for_each(eliminate)?;
        solved.push((c, pivot));
    }
    let space = Space::new(params, if target { source_dims } else { target_dims });
    unknown
        .clone()
        .map(|c| {
            let (_, row) = solved.iter().find(|s| s.0 == c)?;
            if unknown.clone().any(|u| u != c && row[u] != 0) {
                return None;
            }
            // x_c = -row[c] * (row - row[c] x_c), as row[c] is 1 or -1.
            let known: Option<Vec<i64>> = (0..row.len())
                .filter(|k| !unknown.contains(k))
                .map(|k| row[k].checked_mul(row[c].checked_neg()?))
                .collect();
            Some(Affine::from_coeffs(space, known?))
        })
        .collect()
}

#[cfg(test)]
mod tests;
