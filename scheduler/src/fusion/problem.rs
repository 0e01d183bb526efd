//! Partitioned matrix expressions: what the search works on.
//!
//! A *region* is a name for a part of an object (`L_TL`, `b_B`): all of them share one name space, and geometry is not modelled. Each operation of a sequence is a
//! [`Loop`], described as if it were alone: every region starts at [`Stage::Initial`] and ends at [`Stage::Final`]. A *task* brings a region to a stage and reads
//! regions in given stages. That one loop's end is the next one's beginning is not written down: it is what fusion has to ensure.

use crate::{Error, Result};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// More tasks than this make no problem that a person has written.
pub const MOST_TASKS: usize = 4096;

/// Index into [`Problem::regions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegionId(pub usize);

/// How far a region has come within one loop.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// `in`: as the loop finds it.
    Initial,
    /// `d`, or `(d, mark)` for one of several steps that may be taken in any order (written `0a`, `0b`).
    Middle {
        /// The level `d`.
        step: u32,
        /// Which of the alternatives of this level.
        mark: Option<String>,
    },
    /// `out`: as the loop leaves it. When no task writes it, it means "all that is written".
    Final,
}

impl Stage {
    /// Is the region in the other stage only after it was in this one? Strict; stages of equal level do not precede each other.
    ///
    /// ```
    /// use scheduler::fusion::Stage;
    /// let (a, b) = (Stage::step(0, Some("a")), Stage::step(0, Some("b")));
    /// assert!(Stage::Initial.precedes(&a) && a.precedes(&Stage::step(1, None)) && a.precedes(&Stage::Final));
    /// assert!(!a.precedes(&b) && !b.precedes(&a) && !a.precedes(&a));
    /// ```
    #[must_use]
    pub fn precedes(&self, other: &Self) -> bool {
        let order = match (self, other) {
            (Self::Middle { step: d, .. }, Self::Middle { step: e, .. }) => d.cmp(e),
            _ => self.rank().cmp(&other.rank()),
        };
        order == Ordering::Less
    }

    const fn rank(&self) -> u8 {
        match self {
            Self::Initial => 0,
            Self::Middle { .. } => 1,
            Self::Final => 2,
        }
    }

    /// An intermediate stage.
    #[must_use]
    pub fn step(step: u32, mark: Option<&str>) -> Self {
        Self::Middle { step, mark: mark.map(String::from) }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Initial => f.write_str("in"),
            Self::Middle { step, mark } => write!(f, "{step}{}", mark.as_deref().unwrap_or("")),
            Self::Final => f.write_str("out"),
        }
    }
}

/// A region in a stage.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// The region.
    pub region: RegionId,
    /// The stage.
    pub stage: Stage,
}

impl State {
    /// Is the other state a later one of the same region? States of different regions never precede each other.
    #[must_use]
    pub fn precedes(&self, other: &Self) -> bool {
        self.region == other.region && self.stage.precedes(&other.stage)
    }
}

/// What a task is to its loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskKind {
    /// Nothing special.
    Plain,
    /// `op`: the loop's own operation on a part of its operands. Some must be past and some future, else the traversal makes no progress.
    Operation,
    /// `from`: no work; the region comes for free with what it reads, and must not be called future once that is there.
    Noop,
    /// Made by [`Problem::with_shared_inputs`]: the region is an operand that nothing writes; past iff one of its readers in the loop is.
    SharedInput,
}

/// A task: brings `out.region` to `out.stage`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// What it is to its loop.
    pub kind: TaskKind,
    /// What it writes. No other task of the loop writes the same state.
    pub out: State,
    /// What it reads; of each list ("or") one of the states, never empty. Operands without a stage constrain nothing and are left out.
    pub inputs: Vec<Vec<State>>,
}

impl Task {
    /// Does it read the region, in whatever stage and branch?
    #[must_use]
    pub fn reads(&self, region: RegionId) -> bool {
        self.inputs.iter().flatten().any(|s| s.region == region)
    }
}

/// An operation of the sequence, as if it were alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Name for people.
    pub name: String,
    /// Its tasks.
    pub tasks: Vec<Task>,
}

impl Loop {
    /// The tasks that write a region, by position.
    pub fn writers(&self, region: RegionId) -> impl Iterator<Item = usize> + '_ {
        self.tasks.iter().enumerate().filter(move |(_, t)| t.out.region == region).map(|(k, _)| k)
    }
}

/// A sequence of operations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    /// Names of the regions.
    pub regions: Vec<String>,
    /// The operations, in program order.
    pub loops: Vec<Loop>,
}

impl Problem {
    /// Name of a state: `L_TL.out`.
    #[must_use]
    pub fn name(&self, state: &State) -> String {
        format!("{}.{}", self.regions.get(state.region.0).map_or("?", String::as_str), state.stage)
    }

    /// Checks what the search relies on: regions exist and have different names that can be written, no two tasks of a loop write one state, no or is empty.
    ///
    /// # Errors
    /// [`Error::Problem`] says what is wrong first.
    pub fn check(&self) -> Result<()> {
        let bad = |m: String| Err(Error::Problem(m));
        let mut names = BTreeMap::new();
        for (k, name) in self.regions.iter().enumerate() {
            let plain = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if !plain {
                return bad(format!("'{name}' cannot be the name of a region"));
            }
            if names.insert(name, k).is_some() {
                return bad(format!("there are two regions '{name}'"));
            }
        }
        let tasks: usize = self.loops.iter().map(|l| l.tasks.len()).sum();
        if tasks > MOST_TASKS {
            return bad(format!("{tasks} tasks are more than {MOST_TASKS}"));
        }
        for l in &self.loops {
            let mut written = BTreeMap::new();
            for (k, task) in l.tasks.iter().enumerate() {
                if task.inputs.iter().any(Vec::is_empty) {
                    return bad(format!("loop {}: {} has an input without states", l.name, self.name(&task.out)));
                }
                let mut states = task.inputs.iter().flatten().chain([&task.out]);
                if states.any(|s| s.region.0 >= self.regions.len()) {
                    return bad(format!("loop {}: task {k} mentions an unknown region", l.name));
                }
                if written.insert(&task.out, k).is_some() {
                    return bad(format!("loop {}: two tasks write {}", l.name, self.name(&task.out)));
                }
            }
        }
        Ok(())
    }

    /// The problem with the policy `shared_input_direction = on`: every region that is read in some stage and that no loop writes gets, in each loop that
    /// mentions it, a task that is past iff one of its readers there is. Then all loops have to sweep it in one direction. A policy, no question of legality: it
    /// rejects sequences that can be fused.
    #[must_use]
    pub fn with_shared_inputs(&self) -> Self {
        let mut out = self.clone();
        for region in (0..self.regions.len()).map(RegionId) {
            if self.loops.iter().any(|l| l.writers(region).next().is_some()) {
                continue;
            }
            for l in out.loops.iter_mut().filter(|l| l.tasks.iter().any(|t| t.reads(region))) {
                let state = State { region, stage: Stage::Initial };
                l.tasks.push(Task { kind: TaskKind::SharedInput, out: state, inputs: Vec::new() });
            }
        }
        out
    }

    /// Some of the operations that follow each other. Regions keep their numbers.
    #[must_use]
    pub fn slice(&self, loops: std::ops::Range<usize>) -> Self {
        Self { regions: self.regions.clone(), loops: self.loops.get(loops).unwrap_or_default().to_vec() }
    }
}
