//! Does the source wait for cells that it has stored just before?
//!
//! **Problem.** Of `e[x] += a; e[x + 1] += b` each iteration begins with a cell that the one before has stored. LLVM makes one vector of the two stores, and of the two loads, if it does not know that
//! the cells could stay in registers; the next iteration's vector then has one lane of it, and the processor waits until both are in the cache. New loops hand such cells on in registers.
//!
//! **Method.** Two statements of an innermost loop store to cells that are one iteration apart, and that which is behind reads its cell.

use super::Model;
use super::carried::Carried;
use super::nest::{LoopId, Movement, Nest, Path};
use crate::scop::StatementId;

impl Model<'_> {
    /// Does an iteration of this innermost loop of the source load, from among others, what the one before has stored with others?
    pub(super) fn waits_for_its_stores(&self, nest: &Nest, id: LoopId, statements: &[StatementId]) -> bool {
        if !nest.is_source || !matches!(nest.loops[id.0].carried, Carried::Recurrence { distance: 1 }) {
            return false;
        }
        let inside = |s: &StatementId| {
            let path = nest.paths.get(s)?;
            let step = path.steps.iter().position(|step| step.of == id)?;
            Some((path, step))
        };
        let stores: Vec<(&Path, usize, &Movement)> = statements
            .iter()
            .filter_map(inside)
            .filter_map(|(path, step)| path.accesses.first().map(|store| (path, step, store)))
            .filter(|(_, step, store)| !store.in_register && store.moves(*step))
            .collect();
        let updates = |&(path, _, store): &(&Path, usize, &Movement)| {
            path.accesses[1..].iter().any(|read| is_alike(read, store) && read.base == store.base)
        };
        stores.iter().filter(|of| updates(of)).any(|&(_, step, behind)| {
            let is_next = |ahead: &Movement| {
                is_alike(ahead, behind)
                    && ahead
                        .base
                        .iter()
                        .zip(&behind.base)
                        .zip(&behind.by[step])
                        .all(|((a, b), by)| a.checked_sub(*b) == Some(*by))
            };
            stores.iter().any(|(_, _, ahead)| is_next(ahead))
        })
    }
}

fn is_alike(a: &Movement, b: &Movement) -> bool {
    a.array == b.array && a.by == b.by
}
