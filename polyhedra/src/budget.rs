//! A step budget: bounds the work of every phase without a clock, so that results do not depend on the machine's load.

use crate::memo::Memo;
use crate::{Error, Result};
use std::cell::Cell;
use std::rc::Rc;

/// Counts down the steps a caller allows, and remembers what they were spent on: the same question of an equal set is answered at once (see the module
/// `memo`). One step is about one constraint combined or one simplex row updated.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    spent: Cell<u64>,
    memo: Rc<Memo>,
}

impl Budget {
    /// A budget of `steps` steps.
    #[must_use]
    pub fn new(steps: u64) -> Self {
        Self { left: Cell::new(steps), spent: Cell::new(0), memo: Rc::default() }
    }

    /// A budget of `steps` steps that shares what this one remembers. Steps taken from it are not taken from this one.
    #[must_use]
    pub fn part(&self, steps: u64) -> Self {
        Self { memo: self.memo.clone(), ..Self::new(steps) }
    }

    pub(crate) fn memo(&self) -> &Memo {
        &self.memo
    }

    /// A budget that tests and tools use: large enough for everything they do.
    #[must_use]
    pub fn generous() -> Self {
        Self::new(u64::MAX / 2)
    }

    /// Takes `steps` from the budget.
    ///
    /// # Errors
    /// [`Error::Budget`] when fewer are left; the budget is then empty for good.
    pub fn spend(&self, steps: u64) -> Result<()> {
        self.spent.set(self.spent.get().saturating_add(steps));
        match self.left.get().checked_sub(steps) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.left.set(0);
                Err(Error::Budget)
            }
        }
    }

    /// Steps that may still be taken.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Steps taken so far.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }
}
