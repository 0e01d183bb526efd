//! Answers to questions that were asked before.
//!
//! **Problem.** Planners ask the same of equal sets again and again: five in six questions about the sets of one function repeat, as each plan that is
//! weighed, each strategy and each kernel starts from the same domains and dependences.
//!
//! **Method.** A [`Budget`] carries a memo, which its parts share: what was asked, row by row as it was put down, and the answer. There is no canonical form:
//! most of what repeats repeats to the word, and putting rows in order costs as much as many an answer. An answer that is known costs a step a row. Only
//! answers are kept, no errors, and they do not depend on the budget; so what is found is the same with a memo and without, as long as the steps last. A memo that is full forgets
//! everything.

use crate::farkas::Certificate;
use crate::project::Projection;
use crate::{Budget, Polyhedron, Result};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Rows of questions and answers that are kept at most.
const ROWS_MOST: usize = 1 << 16;

/// What was asked of sets.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    pub(crate) empty: Table<bool>,
    /// By kind and entries of the row.
    pub(crate) implied: Table<bool>,
    pub(crate) simple: Table<Polyhedron>,
    /// By the dimensions dropped.
    pub(crate) shadow: Table<Projection>,
    /// Of forms that are not negative, by their entries.
    pub(crate) nonnegative: Table<Option<Certificate>>,
}

/// Hash of a question -> questions and answers.
type Known<R> = HashMap<u64, Vec<(Polyhedron, Vec<i64>, R)>, BuildHasherDefault<Given>>;

/// Answers to one question about many sets.
#[derive(Debug)]
pub(crate) struct Table<R> {
    known: RefCell<Known<R>>,
    rows: Cell<usize>,
}

impl<R> Default for Table<R> {
    fn default() -> Self {
        Self { known: RefCell::default(), rows: Cell::new(0) }
    }
}

impl<R: Clone> Table<R> {
    /// The answer for a set and what else the question depends on, known or found now.
    ///
    /// # Errors
    /// Budget; those of `find`.
    pub(crate) fn ask(
        &self,
        set: &Polyhedron,
        more: &[i64],
        budget: &Budget,
        find: impl FnOnce() -> Result<R>,
    ) -> Result<R> {
        let hash = hash(set, more);
        if let Some(alike) = self.known.borrow().get(&hash)
            && let Some((_, _, answer)) = alike.iter().find(|(own, rest, _)| rest == more && own == set)
        {
            budget.spend(1 + set.constraints().len() as u64)?;
            return Ok(answer.clone());
        }
        let answer = find()?;
        let rows = self.rows.get() + set.constraints().len() + 1;
        let mut known = self.known.borrow_mut();
        if rows > ROWS_MOST {
            known.clear();
        }
        self.rows.set(if rows > ROWS_MOST { set.constraints().len() + 1 } else { rows });
        known.entry(hash).or_default().push((set.clone(), more.to_vec(), answer.clone()));
        Ok(answer)
    }
}

fn hash(set: &Polyhedron, more: &[i64]) -> u64 {
    let mix = |h: u64, v: u64| (h.rotate_left(5) ^ v).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut h = mix(set.space().params as u64, set.space().dims as u64);
    for row in set.constraints() {
        h = mix(h, row.kind as u64);
        h = row.expr.coeffs().iter().fold(h, |h, c| mix(h, c.cast_unsigned()));
    }
    more.iter().fold(h, |h, c| mix(h, c.cast_unsigned()))
}

/// Takes the key, which is a hash, for the hash.
#[derive(Default)]
struct Given(u64);

impl Hasher for Given {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.0 = self.0.rotate_left(8) ^ u64::from(*b));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_set;

    #[test]
    fn known_answers_are_cheap_and_the_same() {
        let set = parse_set("[n] -> { [i, j] : 0 <= 3i <= n and 27 <= 11i + 13j <= 45 and -10 <= 7i - 9j <= 4 }")
            .expect("a set")
            .set;
        let budget = Budget::new(1_000_000);
        let ask = || {
            let before = budget.spent();
            let answer = set.is_empty(&budget).expect("steps");
            (answer, budget.spent() - before)
        };
        let (first, second) = (ask(), ask());
        assert_eq!(first.0, second.0);
        assert_eq!(second.1, 1 + set.constraints().len() as u64);
        assert!(first.1 > second.1);
        let part = budget.part(100);
        assert_eq!(set.is_empty(&part), Ok(first.0), "parts share what is known");
        assert_eq!(part.spent(), second.1);
    }

    #[test]
    fn errors_are_not_kept() {
        let set = parse_set("[n] -> { [i, j] : 27 <= 11i + 13j <= 45 and -10 <= 7i - 9j <= 4 }").expect("a set").set;
        let budget = Budget::new(1_000_000);
        let poor = budget.part(3);
        assert_eq!(set.is_empty(&poor), Err(crate::Error::Budget));
        assert_eq!(set.is_empty(&budget), Ok(true));
    }

    #[test]
    fn forgets_when_full() {
        let table = Table::<usize>::default();
        let budget = Budget::generous();
        let set = Polyhedron::universe(crate::Space::new(0, 1));
        let ask = |k: usize| table.ask(&set, &[i64::try_from(k).expect("small")], &budget, || Ok(k));
        for k in 0..2 * ROWS_MOST {
            assert_eq!(ask(k), Ok(k));
        }
        assert!(table.known.borrow().len() <= ROWS_MOST);
        assert_eq!(ask(3), Ok(3));
    }
}
