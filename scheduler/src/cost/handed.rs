//! Does the source wait for cells that it has stored just before?
//!
//! **Problem.** Of `e[x] += a; e[x + 1] += b` each iteration begins with a cell that the one before has stored. LLVM makes one vector of the two stores, and of the two loads, if it does not know that
//! the cells could stay in registers; the next iteration's vector then has one lane of it, and the processor waits until both are in the cache. New loops hand such cells on in registers.
//!
//! **Method.** Two statements of an innermost loop store to cells that are one iteration apart, and the one behind reads its cell. Where another store to the array may touch these cells, they cannot stay in registers (`lower::rotated`
//! of the pass asks exactly). Then it is the new loops that would wait: they tell LLVM that arrays are apart, which may be all that keeps it from such vectors in the source.

use super::Model;
use super::carried::Carried;
use super::nest::{LoopId, Movement, Nest, Path};
use crate::scop::StatementId;
use polyhedra::Affine;

/// Do iterations begin with what the one before has stored?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HandedOn {
    /// Not in this way.
    Nothing,
    /// New loops keep it in registers, the source waits for memory.
    InRegisters,
    /// Nobody can keep it in registers, and new loops would wait.
    InMemory,
}

/// A store of an innermost loop: of which path, at which step.
type Store<'n> = (&'n Path, usize, &'n Movement);

impl Model<'_> {
    /// How an iteration of this innermost loop of the source gets what the one before has stored side by side with others.
    pub(super) fn handed_on(&self, nest: &Nest, id: LoopId, statements: &[StatementId]) -> HandedOn {
        if !nest.is_source || !matches!(nest.loops[id.0].carried, Carried::Recurrence { distance: 1 }) {
            return HandedOn::Nothing;
        }
        let inside = |s: &StatementId| {
            let path = nest.paths.get(s)?;
            let step = path.steps.iter().position(|step| step.of == id)?;
            let store = path.accesses.first()?;
            (!store.in_register && store.moves(step)).then_some((*s, (path, step, store)))
        };
        let stores: Vec<(StatementId, Store<'_>)> = statements.iter().filter_map(inside).collect();
        let updates = |(path, _, store): &Store<'_>| {
            path.accesses[1..].iter().any(|read| is_alike(read, store) && read.base == store.base)
        };
        let mut found = HandedOn::Nothing;
        for (behind_id, behind) in stores.iter().filter(|(_, store)| updates(store)) {
            for (ahead_id, _) in stores.iter().filter(|(_, ahead)| is_next(ahead, behind)) {
                let may_touch = |(other, store): &(StatementId, Store<'_>)| {
                    store.2.array == behind.2.array
                        && [behind_id, ahead_id].iter().any(|own| *own != other && !self.apart_or_same(*other, **own))
                };
                if stores.iter().any(may_touch) {
                    return HandedOn::InMemory;
                }
                found = HandedOn::InRegisters;
            }
        }
        found
    }

    /// Is the distance of what two statements store known, as far as subscripts that differ by numbers say?
    fn apart_or_same(&self, a: StatementId, b: StatementId) -> bool {
        let (a, b) = (&self.scop.statements[a.0], &self.scop.statements[b.0]);
        let (from, to) = (&a.write().subscripts, &b.write().subscripts);
        if a.space() != b.space() || from.len() != to.len() {
            return false;
        }
        let gaps: Vec<_> = from.iter().zip(to).map(|(x, y)| x.sub(y).ok().filter(Affine::is_constant)).collect();
        gaps.iter().all(Option::is_some) || gaps.iter().flatten().any(|gap| gap.constant_term() != 0)
    }
}

/// Is the one in each iteration where the other one is in the next?
fn is_next((_, _, ahead): &Store<'_>, (_, step, behind): &Store<'_>) -> bool {
    let moved = ahead.base.iter().zip(&behind.base).zip(&behind.by[*step]);
    is_alike(ahead, behind) && moved.into_iter().all(|((a, b), by)| a.checked_sub(*b) == Some(*by))
}

fn is_alike(a: &Movement, b: &Movement) -> bool {
    a.array == b.array && a.by == b.by
}
