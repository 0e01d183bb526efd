//! Does LLVM find that accesses of one array may meet, where they do not?
//!
//! **Problem.** LLVM's vectoriser compares addresses whose distance it does not know by a check in front of the loop. To ask only once, it takes the check out of the loop around, for the ranges
//! that the accesses walk in all of *its* iterations (`RuntimePointerChecking`, `HoistRuntimeChecks` of LLVM 22's `LoopAccessAnalysis`). Of an elimination, `a[i][j] -= a[i][k] * a[k][j]` over
//! `i` and `j`, these are all rows below the `k`-th, and `a[i][k]` lies between them: the check fails always, and the loop runs without vectors.
//!
//! **Method.** A cell's place is compared by its subscripts, the first one first, as if all rows lay behind each other, at the sizes that the model takes. Accesses a constant apart are not asked
//! about: LLVM knows their distance. Neither are those that move alike in all loops: it mostly can tell. But where several rows of an array are walked in steps of two, say, and all cells of each are stored to in turn, it asks of all
//! of these, and the cells between those of one seem to meet them.

use super::Model;
use super::carried::Carried;
use super::nest::{LoopId, Movement, Nest, Path};
use crate::scop::StatementId;
use std::cmp::Ordering;

/// From the first to the last cell of an access, by subscripts.
struct Walk {
    first: Vec<f64>,
    last: Vec<f64>,
}

impl Model<'_> {
    /// Would LLVM's check in front of an innermost loop of the source fail, because what one access walks in the loop around has cells of another one in between?
    pub(super) fn seem_to_meet(&self, nest: &Nest, id: LoopId, statements: &[StatementId]) -> bool {
        // Only of loops that carry nothing can others be made that say so.
        if nest.loops[id.0].carried != Carried::Nothing {
            return false;
        }
        let mut all: Vec<(&Path, usize, &Movement)> = Vec::new();
        for s in statements {
            let Some(path) = nest.paths.get(s) else { continue };
            let Some(step) = path.steps.iter().position(|step| step.of == id) else { continue };
            let loaded = &self.scop.statements[s.0].loaded;
            let asked = path.accesses.iter().enumerate().filter(|(k, a)| a.kind.writes() || loaded.contains(k));
            all.extend(asked.map(|(_, a)| (path, step, a)));
        }
        let stores = all.iter().filter(|(_, step, a)| a.kind.writes() && a.moves(*step));
        stores.into_iter().any(|store| {
            let alike = |other: &&(&Path, usize, &Movement)| {
                other.2.array == store.2.array && other.2.by[..=other.1] == store.2.by[..=store.1]
            };
            let rows = || all.iter().filter(alike).map(|other| row_from(other.2, store.2));
            if rows().any(|row| row == Row::Between) && rows().any(|row| row == Row::Other) {
                return true;
            }
            let others = all
                .iter()
                .filter(|other| other.2.array == store.2.array)
                .filter(|other| other.2.by[..=other.1] != store.2.by[..=store.1] || !is_known(store.2, other.2));
            others.into_iter().any(|other| {
                let (a, b) = (walk(nest, store), walk(nest, other));
                a.zip(b).is_some_and(|(a, b)| !is_before(&a.last, &b.first) && !is_before(&b.last, &a.first))
            })
        })
    }
}

/// Where an access that moves like another one is, seen from that.
#[derive(PartialEq, Eq)]
enum Row {
    /// In another row.
    Other,
    /// In its row, at cells between its own.
    Between,
    /// Anywhere else.
    Same,
}

fn row_from(a: &Movement, b: &Movement) -> Row {
    let (Some((x, row)), Some((y, other))) = (a.base.split_last(), b.base.split_last()) else { return Row::Same };
    match x.checked_sub(*y) {
        _ if row != other => Row::Other,
        Some(gap) if gap != 0 && a.by.iter().filter_map(|by| by.last()).any(|by| *by != 0 && gap % by != 0) => {
            Row::Between
        }
        _ => Row::Same,
    }
}

/// Does the distance in a row not depend on parameters?
fn is_known(a: &Movement, b: &Movement) -> bool {
    let by_params = |access: &Movement| access.base.last().map(|last| last.checked_sub(access.fixed));
    by_params(a) == by_params(b)
}

/// The cells that an access walks in its innermost loop, and, if that moves it, in the one around. `None`: where these begin is not known.
fn walk(nest: &Nest, &(path, step, access): &(&Path, usize, &Movement)) -> Option<Walk> {
    let around = step.checked_sub(1).filter(|&k| access.moves(k));
    let mut first: Vec<f64> = access.base.iter().map(|&c| super::to_f64_i64(c)).collect();
    let mut last = first.clone();
    for k in (0..=step).filter(|&k| access.moves(k)) {
        // All statements in the loop: conditions in it do not count.
        let mut range: Option<(f64, f64)> = None;
        for other in nest.paths.values().flat_map(|p| &p.steps).filter(|s| s.of == path.steps[k].of) {
            let (low, high) = (other.first?, other.first? + (other.extent - 1.0).max(0.0));
            range = Some(range.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
        }
        let (mut low, mut high) = range?;
        if k != step && Some(k) != around {
            low = f64::midpoint(low, high);
            high = low;
        }
        for (d, &by) in access.by[k].iter().enumerate() {
            let by = super::to_f64_i64(by);
            let (a, b) = if by < 0.0 { (high, low) } else { (low, high) };
            *first.get_mut(d)? += by * a;
            *last.get_mut(d)? += by * b;
        }
    }
    Some(Walk { first, last })
}

fn is_before(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|o| o.is_ne()) == Some(Ordering::Less)
}
