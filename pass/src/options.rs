//! Options: one table for the three ways in.
//!
//! * `-mllvm -loopwright-NAME=VALUE` (clang, flang), `-loopwright-NAME=VALUE` (opt);
//! * pass parameters: `-passes='loopwright<NAME=VALUE;NAME>'`;
//! * the environment variable [`VARIABLE`]: `NAME=VALUE,NAME`.
//!
//! Pass parameters win over the command line, the command line over the environment.

use crate::llvm::host;
use thiserror::Error;

/// Name of the environment variable.
pub const VARIABLE: &str = "LOOPWRIGHT_OPTIONS";

/// What is wrong with an option.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No such option.
    #[error("unknown option '{name}' (known: {known})")]
    Unknown {
        /// As given.
        name: String,
        /// All public names.
        known: String,
    },
    /// The option exists, the value does not fit.
    #[error("option '{name}': expected {expected}, got '{value}'")]
    Value {
        /// Which option.
        name: &'static str,
        /// What would fit.
        expected: &'static str,
        /// As given.
        value: String,
    },
}

/// Which transformation to take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// What the cost model finds clearly faster.
    #[default]
    Auto,
    /// The canonical schedule, whatever it costs.
    Force,
    /// Micro-kernels wherever they can be made.
    Kernels,
    /// A pseudo-random legal one.
    Random,
    /// None: analyse and say what would stand in the way.
    Off,
}

/// What to do with the traversals of sequences of nests ([`scheduler::fusion`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fuse {
    /// Offer them to the choice by cost.
    #[default]
    Auto,
    /// Do not look for them.
    Off,
    /// Say how many there are, or what stands against them; transform as if there were none.
    Report,
    /// Take the one that touches every cell as late as it can.
    Lazy,
    /// Take the one that touches every cell as early as it can.
    Eager,
    /// Take the one of this number, as reported; 0 is the laziest.
    Number(usize),
}

/// Places where the hidden option `panic` makes a stage panic, for tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Reading IR.
    Raise,
    /// Dependence analysis.
    Dependences,
    /// Scheduling.
    Schedule,
    /// Loop generation.
    Ast,
    /// Emission, when half of it is done.
    Lower,
}

/// Everything that can be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// See [`Policy`].
    pub policy: Policy,
    /// See [`Fuse`].
    pub fuse: Fuse,
    /// Seed of [`Policy::Random`].
    pub seed: u64,
    /// Tile sizes, cycled over the loops of a band.
    pub tile: Option<Vec<i64>>,
    /// CPU name that overrides the function's `target-cpu`.
    pub cpu: Option<String>,
    /// Bytes of the first-level data cache.
    pub l1: Option<u64>,
    /// Bytes of the second-level cache.
    pub l2: Option<u64>,
    /// Bytes of the third-level cache.
    pub l3: Option<u64>,
    /// Steps a function may take.
    pub budget: u64,
    /// Nodes of generated loops that a function may get.
    pub growth: u64,
    /// Print where the steps went.
    pub stats: bool,
    /// Most pairs of arrays that may be compared at run time in one region.
    pub max_checks: u64,
    /// See [`Stage`].
    pub panic: Option<Stage>,
    /// Vectors of our own for innermost parallel loops: the number of lanes.
    pub lanes: Option<u32>,
    /// With [`Self::lanes`]: masks everywhere.
    pub mask: bool,
    /// With [`Self::lanes`]: copies of operands in scratch memory.
    pub pack: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            policy: Policy::Auto,
            fuse: Fuse::Auto,
            seed: 0,
            tile: None,
            cpu: None,
            l1: None,
            l2: None,
            l3: None,
            budget: 16_000_000,
            growth: 4_000,
            stats: false,
            max_checks: 64,
            panic: None,
            lanes: None,
            mask: false,
            pack: false,
        }
    }
}

type Setter = fn(&mut Options, &str) -> bool;

/// A row of the table.
pub struct OptionRow {
    /// Name without prefix.
    pub name: &'static str,
    /// What values it takes, for messages and the README.
    pub expected: &'static str,
    /// One sentence.
    pub help: &'static str,
    /// For tests only: left out of lists for users.
    pub hidden: bool,
    set: Setter,
}

fn number<T: std::str::FromStr>(slot: &mut T, text: &str) -> bool {
    text.parse().map(|v| *slot = v).is_ok()
}

fn bytes(slot: &mut Option<u64>, text: &str) -> bool {
    let (digits, unit) = match text.char_indices().last() {
        Some((i, 'k' | 'K')) => (&text[..i], 1 << 10),
        Some((i, 'm' | 'M')) => (&text[..i], 1 << 20),
        _ => (text, 1u64),
    };
    match digits.parse::<u64>().ok().and_then(|v| v.checked_mul(unit)) {
        Some(v) if v > 0 => {
            *slot = Some(v);
            true
        }
        _ => false,
    }
}

fn tile_sizes(slot: &mut Option<Vec<i64>>, text: &str) -> bool {
    if text == "0" {
        *slot = None;
        return true;
    }
    let sizes: Option<Vec<i64>> =
        text.split('x').map(|t| t.parse().ok().filter(|&v: &i64| (1..=1 << 20).contains(&v))).collect();
    let good = sizes.is_some();
    if good {
        *slot = sizes;
    }
    good
}

/// The table.
pub const TABLE: &[OptionRow] = &[
    OptionRow {
        name: "policy",
        expected: "auto, force, kernels, random or off",
        help: "auto: what the cost model finds clearly faster; force: the canonical schedule whatever it costs; random: a legal one drawn by seed; off: change nothing",
        hidden: false,
        set: |o, v| {
            o.policy = match v {
                "auto" => Policy::Auto,
                "force" => Policy::Force,
                "kernels" => Policy::Kernels,
                "random" => Policy::Random,
                "off" => Policy::Off,
                _ => return false,
            };
            true
        },
    },
    OptionRow {
        name: "fuse",
        expected: "auto, off, report, lazy, eager or a number",
        help: "traversals of sequences of nests; auto: offered to the choice by cost; report: listed as remarks; lazy, eager or a number: this one, whatever it costs",
        hidden: false,
        set: |o, v| {
            o.fuse = match v {
                "auto" => Fuse::Auto,
                "off" => Fuse::Off,
                "report" => Fuse::Report,
                "lazy" => Fuse::Lazy,
                "eager" => Fuse::Eager,
                number => match number.parse() {
                    Ok(k) => Fuse::Number(k),
                    Err(_) => return false,
                },
            };
            true
        },
    },
    OptionRow {
        name: "seed",
        expected: "a whole number",
        help: "seed of policy=random",
        hidden: false,
        set: |o, v| number(&mut o.seed, v),
    },
    OptionRow {
        name: "tile",
        expected: "sizes like 32 or 64x256, or 0 for the model's choice",
        help: "tile sizes of permutable loops, from the outermost, repeated when there are more loops",
        hidden: false,
        set: |o, v| tile_sizes(&mut o.tile, v),
    },
    OptionRow {
        name: "cpu",
        expected: "a CPU name as in -march",
        help: "machine model to use instead of the function's target-cpu",
        hidden: false,
        set: |o, v| {
            o.cpu = Some(v.to_owned());
            !v.is_empty()
        },
    },
    OptionRow {
        name: "l1",
        expected: "bytes, or with k or m behind",
        help: "size of the first-level data cache",
        hidden: false,
        set: |o, v| bytes(&mut o.l1, v),
    },
    OptionRow {
        name: "l2",
        expected: "bytes, or with k or m behind",
        help: "size of the second-level cache",
        hidden: false,
        set: |o, v| bytes(&mut o.l2, v),
    },
    OptionRow {
        name: "l3",
        expected: "bytes, or with k or m behind",
        help: "size of the third-level cache",
        hidden: false,
        set: |o, v| bytes(&mut o.l3, v),
    },
    OptionRow {
        name: "budget",
        expected: "a whole number of steps",
        help: "steps of analysis one function may take; nests that they do not suffice for stay as they were",
        hidden: false,
        set: |o, v| number(&mut o.budget, v),
    },
    OptionRow {
        name: "growth",
        expected: "a whole number",
        help: "how many loops, operations and held cells (unrolled ones counted one by one) may be generated in one function, as many again for nests that gain much; nests beyond stay as they were",
        hidden: false,
        set: |o, v| number(&mut o.growth, v),
    },
    OptionRow {
        name: "stats",
        expected: "no value",
        help: "prints the steps and the time that every phase took, for every function",
        hidden: false,
        set: |o, v| {
            o.stats = true;
            v.is_empty()
        },
    },
    OptionRow {
        name: "max-checks",
        expected: "a whole number",
        help: "most pairs of arrays compared at run time before one region; a region that needs more is left as it was",
        hidden: false,
        set: |o, v| number(&mut o.max_checks, v),
    },
    OptionRow {
        name: "panic",
        expected: "raise, dependences, schedule, ast or lower",
        help: "makes a stage panic (tests)",
        hidden: true,
        set: |o, v| {
            o.panic = Some(match v {
                "raise" => Stage::Raise,
                "dependences" => Stage::Dependences,
                "schedule" => Stage::Schedule,
                "ast" => Stage::Ast,
                "lower" => Stage::Lower,
                _ => return false,
            });
            true
        },
    },
    OptionRow {
        name: "lanes",
        expected: "a number from 2 to 64",
        help: "vectors of so many lanes for innermost parallel loops (tests)",
        hidden: true,
        set: |o, v| {
            o.lanes = v.parse().ok().filter(|w| (2..=64).contains(w));
            o.lanes.is_some()
        },
    },
    OptionRow {
        name: "mask",
        expected: "no value",
        help: "with lanes: masks everywhere (tests)",
        hidden: true,
        set: |o, v| {
            o.mask = true;
            v.is_empty()
        },
    },
    OptionRow {
        name: "pack",
        expected: "no value",
        help: "with lanes: copies operands to scratch memory (tests)",
        hidden: true,
        set: |o, v| {
            o.pack = true;
            v.is_empty()
        },
    },
];

impl Options {
    /// Sets one option by name.
    ///
    /// # Errors
    /// Unknown name, value that does not fit.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let Some(row) = TABLE.iter().find(|r| r.name == name) else {
            let known: Vec<&str> = TABLE.iter().filter(|r| !r.hidden).map(|r| r.name).collect();
            return Err(OptionError::Unknown { name: name.to_owned(), known: known.join(", ") });
        };
        if (row.set)(self, value) {
            Ok(())
        } else {
            Err(OptionError::Value { name: row.name, expected: row.expected, value: value.to_owned() })
        }
    }

    /// Sets options from `NAME=VALUE` items with a separator between them. Empty items are passed over.
    ///
    /// # Errors
    /// As [`Self::set`].
    pub fn apply_list(&mut self, list: &str, separator: char) -> Result<(), OptionError> {
        for item in list.split(separator).map(str::trim).filter(|i| !i.is_empty()) {
            let (name, value) = item.split_once('=').unwrap_or((item, ""));
            self.set(name.trim(), value.trim())?;
        }
        Ok(())
    }

    /// What environment, command line and pass parameters say together.
    ///
    /// # Errors
    /// As [`Self::set`]; the environment's errors name the variable.
    pub fn gather(params: &str) -> Result<Self, String> {
        let mut options = Self::default();
        if let Ok(text) = std::env::var(VARIABLE) {
            options.apply_list(&text, ',').map_err(|e| format!("{VARIABLE}: {e}"))?;
        }
        for (index, row) in TABLE.iter().enumerate() {
            if let Some(value) = host::command_line_value(index) {
                options.set(row.name, &value).map_err(|e| format!("-loopwright-{}: {e}", row.name))?;
            }
        }
        options.apply_list(params, ';').map_err(|e| e.to_string())?;
        Ok(options)
    }

    /// Panics when the hidden option asks for it at this stage.
    ///
    /// # Panics
    /// That is its purpose.
    pub fn maybe_panic(&self, stage: Stage) {
        assert!(self.panic != Some(stage), "asked for by the test option 'panic'");
    }
}
