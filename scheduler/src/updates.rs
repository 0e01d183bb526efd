//! Updates that may run in any order.
//!
//! **Problem.** All instances of `t[i][j] = max(t[i][j], t[i][k] + t[k+1][j])` on one cell leave the same there in whatever order they run: on integers the
//! operation is commutative and associative, exactly. Dependences know nothing of that. They hold each update behind the one before, and a nest that
//! would run along rows in an order of its own is refused for it.
//!
//! **Method.** Two lists beside that of the source.
//! 1. [`relaxed`]: without the pairs of which both ends are the store, or the read of the old value, of an update by one operation. All else keeps its order with
//!    every update: stores by anything else, reads of the cell by anybody, the other reads of the updates themselves. So between two of those the cell gets the
//!    same updates, with the same operands, in any order that this list allows; and in the end, and whenever it is read, it has the same bits.
//! 2. [`in_order`]: one such order as if it were the source's: the relaxed list, and the pairs left out by the times of that order. This is what the rest works
//!    with, which must know that two updates of a cell are not to run at once, and what a register may hold for how long. A schedule that is legal by this list is
//!    legal by the relaxed one.
//!
//! **Worked example.** Nussinov's recurrence, `i` from the bottom, `j` rightwards, then `k`. Updates of `t[i][j]` from its neighbours stand in front of the loop
//! over `k`. The order `i`, column `c`: first the updates of `t[i][c]` from its neighbours, then for all `j > c` that of `t[i][j]` by `k = c`, runs along rows and
//! has all that it reads: rows below are finished, and `t[i][c]` is, once its neighbours have been seen, as the updates by all `k < c` came before. By the
//! list of the source it is not legal, since cells get those by `k` before those from their neighbours.

use crate::Result;
use crate::dependence::{Dependences, by_times};
use crate::scop::{AccessId, Commutative, Scop, StatementId};
use crate::tree::Node;
use polyhedra::Budget;

/// The store and the read of the old value of an update.
struct Update {
    statement: StatementId,
    operation: Commutative,
    ends: [AccessId; 2],
}

/// The updates, in the order of the statements.
fn updates(scop: &Scop) -> Vec<Update> {
    let update = |(k, s): (usize, &crate::scop::Statement)| {
        let (operation, old) = s.update()?;
        Some(Update { statement: StatementId(k), operation, ends: [AccessId(0), old] })
    };
    scop.statements.iter().enumerate().filter_map(update).collect()
}

/// May the order of updates matter to anything but the updates of one statement among themselves? Those run along any loops that the nest has in the order of
/// the source, too.
#[must_use]
pub fn meet_others(scop: &Scop) -> bool {
    updates(scop).iter().any(|u| {
        let array = scop.statements[u.statement.0].write().array;
        let is_own = |s: usize, a: usize| s == u.statement.0 && u.ends.contains(&AccessId(a));
        let mut all = scop
            .statements
            .iter()
            .enumerate()
            .flat_map(|(s, x)| x.accesses.iter().enumerate().map(move |(a, x)| (s, a, x)));
        all.any(|(s, a, access)| access.array == array && !is_own(s, a))
    })
}

/// The dependences but those among updates of one cell by one operation, in the order of the source. `None`: there are no such.
#[must_use]
pub fn relaxed(scop: &Scop, dependences: &Dependences) -> Option<Dependences> {
    let updates = updates(scop);
    let end = |s: StatementId, a: AccessId| {
        updates.iter().find(|u| u.statement == s && u.ends.contains(&a)).map(|u| u.operation)
    };
    let mut out = dependences.clone();
    out.ordering.retain(|d| {
        let (source, target) = (end(d.source, d.source_access), end(d.target, d.target_access));
        source.is_none() || source != target
    });
    (out.ordering.len() < dependences.ordering.len()).then_some(out)
}

/// The dependences of an order that is legal by the relaxed ones: these, and those among updates as that order has them.
///
/// # Errors
/// Overflow, budget, an order that lacks a statement.
pub fn in_order(scop: &Scop, relaxed: &Dependences, order: &Node, budget: &Budget) -> Result<Dependences> {
    let spaces = scop.statements.iter().enumerate().map(|(k, s)| (StatementId(k), s.space())).collect();
    let times = order.flatten(&spaces);
    let updates = updates(scop);
    let mut out = Dependences { order: Some(order.clone()), ..relaxed.clone() };
    for u in &updates {
        for v in updates.iter().filter(|v| v.operation == u.operation) {
            let array = |x: &Update| scop.statements[x.statement.0].write().array;
            let (Some(first), Some(later)) = (times.get(&u.statement), times.get(&v.statement)) else {
                return Err(crate::Error::Malformed("an order without one of the statements".into()));
            };
            if array(u) != array(v) {
                continue;
            }
            // Two reads of old values have no order.
            let ends = [(u.ends[0], v.ends[1]), (u.ends[1], v.ends[0]), (u.ends[0], v.ends[0])];
            out.ordering.extend(by_times(scop, (u.statement, v.statement), &ends, (first, later), budget)?);
        }
    }
    out.ordering.sort_by_key(|d| (d.source, d.target, d.source_access, d.target_access, d.level));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{in_order, meet_others, relaxed};
    use crate::choose::{Policy, orders};
    use crate::dependence::{DependenceKind, Dependences};
    use crate::legality::{self, Verdict};
    use crate::machine::Machine;
    use crate::scop::{AccessKind, Scop, StatementId};
    use crate::testing::scop;
    use crate::tree::Node;
    use polyhedra::Budget;

    fn of(scop: &Scop) -> Dependences {
        Dependences::of(scop, &Budget::generous()).expect("dependences")
    }

    fn left(text: &str) -> Option<usize> {
        let scop = scop(text).expect("text");
        relaxed(&scop, &of(&scop)).map(|d| d.ordering.len())
    }

    const PAIRS: &str = "
params N
for i = N-1 downto 0
  for j = i+1 .. N {
    t[i,j] = max(t[i,j], t[i,j-1]) @commutes most
    for k = i+1 .. j
      t[i,j] = max(t[i,j], t[i,k] + t[k+1,j]) @commutes most
  }
";

    #[test]
    fn only_updates_by_one_operation_are_free() {
        let two =
            |first: &str, second: &str| left(&format!("params N\nfor i = 0 .. N\n  a[0] {first}\n  a[0] {second}\n"));
        assert_eq!(two("+= b[i] @commutes sum", "+= c[i] @commutes sum"), Some(0));
        // Each is free among its own instances. Between the two, for stores and either read: first before second in one iteration and over two, second before first.
        assert_eq!(two("+= b[i] @commutes sum", "*= c[i] @commutes product"), Some(9));
        // And the second's own: store and store, store and read, read and store.
        assert_eq!(two("+= b[i] @commutes sum", "*= c[i]"), Some(12));
        assert_eq!(two("+= b[i]", "*= c[i]"), None);
        // Stores and reads by others.
        let third = |what: &str| left(&format!("params N\nfor i = 0 .. N\n  a[0] += b[i] @commutes sum\n  {what}\n"));
        assert_eq!(third("c[i] = a[0]"), Some(3));
        assert_eq!(third("a[0] = b[i]"), Some(7));
        // The cell is an operand, too: in the same iteration or in another one.
        assert_eq!(left("params N\nfor i = 0 .. N\n  a[0] = a[0] + a[0] * b[i] @commutes sum\n"), None);
        assert_eq!(left("params N\nfor i = 0 .. N\n  a[0] = a[0] + a[i] @commutes sum\n"), Some(1));
    }

    #[test]
    fn stores_that_may_not_happen_are_no_updates() {
        let mut scop = scop("params N\nfor i = 0 .. N\n  a[0] += b[i] @commutes sum\n").expect("text");
        assert!(relaxed(&scop, &of(&scop)).is_some());
        scop.statements[0].accesses[0].kind = AccessKind::MayWrite;
        assert_eq!(relaxed(&scop, &of(&scop)), None);
        scop.statements[0].accesses[0].kind = AccessKind::Write;
        scop.statements[0].accesses[0].extent = 2;
        assert_eq!(relaxed(&scop, &of(&scop)), None);
    }

    #[test]
    fn updates_that_nobody_meets_need_no_order() {
        let meet = |text: &str| meet_others(&scop(text).expect("text"));
        assert!(meet(PAIRS));
        assert!(!meet("params N\nfor i = 0 .. N\n  for j = 0 .. N\n    a[i] += b[i,j] @commutes sum\n"));
        assert!(meet("params N\nfor i = 0 .. N\n  a[0] += b[i] @commutes sum\n  a[0] += c[i] @commutes sum\n"));
    }

    #[test]
    fn dependences_follow_the_order() {
        let scop = scop("params N\nfor i = 0 .. N\n  a[0] += b[i] @commutes sum\n  a[0] += c[i] @commutes sum\n")
            .expect("text");
        let (dependences, budget) = (of(&scop), Budget::generous());
        let free = relaxed(&scop, &dependences).expect("updates");
        // The second statement's whole loop in front of the first one's.
        let Node::Band { members, permutable, .. } = legality::original(&scop) else { panic!("a loop") };
        let alone = |s: usize| {
            let mut members = members.clone();
            members[0].rows =
                members[0].rows.into_iter().filter(|(k, _)| k.0 == s).map(|(k, row)| (*k, row.clone())).collect();
            Node::Band { members, permutable, child: Box::new(Node::Leaf(StatementId(s))) }
        };
        let order = Node::Sequence(vec![alone(1), alone(0)]);
        let own = in_order(&scop, &free, &order, &budget).expect("dependences");
        assert!(own.ordering.iter().all(|d| d.source.0 >= d.target.0), "{own:?}");
        for kind in [DependenceKind::Flow, DependenceKind::Anti, DependenceKind::Output] {
            let of_kind = |s: usize, t: usize| {
                own.ordering.iter().filter(|d| d.kind == kind && (d.source.0, d.target.0) == (s, t)).count()
            };
            assert_eq!((of_kind(1, 0), of_kind(0, 0), of_kind(1, 1)), (1, 1, 1), "{kind:?}");
        }
        let legal = |tree: Node| matches!(legality::prove(&scop, &own, tree, &budget), Ok(Verdict::Legal(_)));
        assert!(legal(order));
        assert!(!legal(Node::Sequence(vec![alone(0), alone(1)])));
        assert_eq!(own.original(&scop), Node::Sequence(vec![alone(1), alone(0)]));
    }

    #[test]
    fn another_order_than_the_source_has() {
        let scop = scop(PAIRS).expect("text");
        let (dependences, budget) = (of(&scop), Budget::generous());
        let machine = Machine::for_cpu("x86-64-v3", 0, 0);
        let own =
            orders::order(&scop, &dependences, &machine, Policy::Auto, &budget).expect("steps").expect("an order");
        let free = relaxed(&scop, &dependences).expect("updates");
        let legal = |by: &Dependences| {
            matches!(legality::prove(&scop, by, own.original(&scop), &budget), Ok(Verdict::Legal(_)))
        };
        assert!(legal(&own) && legal(&free) && !legal(&dependences));
    }
}
