//! The command line.

use scheduler::choose::Policy;
use scheduler::fusion::SharedInputs;

pub const HELP: &str = "\
loopwright COMMAND FILE [OPTION ..]        FILE of loops, - for standard input

  scop          the loops as they were read
  dependences   which instances depend on which
  shifts        where each statement's origin is put
  schedules     all candidates, numbered, each proved
  choose        what the cost model picks, and why
  loops         the loops that are generated, with the cells that registers hold
  certificate   the proof of a schedule
  check FILE CERTIFICATE
                checks a proof by adding up rows, without solver
  run           the instances in the order in which the loops run them
  fuse          which nests can share one traversal, and in how many ways; FILE may also be a problem of operations on regions
  verify        runs source and loops on symbolic values and compares, for every candidate and the choice
  all           every stage
  help          this text

  --candidate K     the schedule with this number in `schedules`, instead of the choice
  --cpu NAME        a CPU as in -march (x86-64-v3)
  --policy P        auto, force, kernels, random or random:SEED (auto)
  --tile SIZES      32 or 64x256: tile sizes of permutable loops, with force
  --size SIZES      5, or 4,7, or n=4,m=7: values of the parameters for run and verify (5)
  --fuse WHICH      fuse, for loops: print schedule and loops of the traversals lazy, eager or number K
  --updates         updates that commute may have another order: all of this for the best of those that the source does not have
  --shared-inputs   fuse, for problems: operands that nothing writes must be swept in one direction
  --budget STEPS    steps of analysis (1000000000)

Exit status: 0 all is well, 1 refused or violated, 2 bad input.
";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Scop,
    Dependences,
    Shifts,
    Schedules,
    Choose,
    Loops,
    Certificate,
    Check,
    Run,
    Fuse,
    Verify,
    All,
    Help,
}

const COMMANDS: [(&str, Command); 13] = [
    ("scop", Command::Scop),
    ("dependences", Command::Dependences),
    ("shifts", Command::Shifts),
    ("schedules", Command::Schedules),
    ("choose", Command::Choose),
    ("loops", Command::Loops),
    ("certificate", Command::Certificate),
    ("check", Command::Check),
    ("run", Command::Run),
    ("fuse", Command::Fuse),
    ("verify", Command::Verify),
    ("all", Command::All),
    ("help", Command::Help),
];

/// One of the traversals of a sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pick {
    Lazy,
    Eager,
    Number(usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Args {
    pub command: Command,
    pub file: String,
    /// Only for `check`.
    pub certificate: String,
    pub candidate: Option<usize>,
    pub cpu: String,
    pub policy: Policy,
    pub tile: Option<Vec<i64>>,
    /// A name, or none: then by place.
    pub size: Vec<(Option<String>, i64)>,
    pub budget: u64,
    /// Traversals of which schedule and loops are wanted.
    pub fuse: Option<Pick>,
    /// Of updates that commute, another order.
    pub updates: bool,
    /// For problems.
    pub shared_inputs: SharedInputs,
}

/// Parameters larger than this make enumeration too long.
const MOST_SIZE: i64 = 64;

impl Args {
    /// Reads the words behind the program's name.
    pub fn parse(words: &[String]) -> Result<Self, String> {
        let mut out = Self {
            command: Command::Help,
            file: String::new(),
            certificate: String::new(),
            candidate: None,
            cpu: "x86-64-v3".into(),
            policy: Policy::Auto,
            tile: None,
            size: vec![(None, 5)],
            budget: 1_000_000_000,
            fuse: None,
            updates: false,
            shared_inputs: SharedInputs::Free,
        };
        let mut plain = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--help" || word == "-h" {
                return Ok(Self { command: Command::Help, ..out });
            }
            if word == "--shared-inputs" {
                out.shared_inputs = SharedInputs::OneDirection;
                continue;
            }
            if word == "--updates" {
                out.updates = true;
                continue;
            }
            let Some(option) = word.strip_prefix("--") else {
                plain.push(word.as_str());
                continue;
            };
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, value.to_owned()),
                None => (option, words.next().cloned().ok_or_else(|| format!("--{option} needs a value"))?),
            };
            out.option(name, &value)?;
        }
        let Some((&command, files)) = plain.split_first() else { return Err("no command".into()) };
        let known = COMMANDS.iter().find(|c| c.0 == command);
        out.command = known.map(|c| c.1).ok_or_else(|| format!("unknown command '{command}'"))?;
        let wanted = match out.command {
            Command::Help => return Ok(out),
            Command::Check => 2,
            _ => 1,
        };
        if files.len() != wanted {
            return Err(format!("'{command}' needs {wanted} file{}", if wanted == 1 { "" } else { "s" }));
        }
        out.file = files.first().copied().unwrap_or_default().to_owned();
        out.certificate = files.get(1).copied().unwrap_or_default().to_owned();
        Ok(out)
    }

    fn option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = |expected: &str| format!("--{name} {value}: expected {expected}");
        match name {
            "candidate" => self.candidate = Some(value.parse().map_err(|_| wrong("a number"))?),
            "cpu" => value.clone_into(&mut self.cpu),
            "policy" => {
                self.policy = match value.split_once(':') {
                    None if value == "auto" => Policy::Auto,
                    None if value == "force" => Policy::Force,
                    None if value == "kernels" => Policy::Kernels,
                    None if value == "random" => Policy::Random(0),
                    Some(("random", seed)) => Policy::Random(seed.parse().map_err(|_| wrong("random:SEED"))?),
                    _ => return Err(wrong("auto, force, kernels, random or random:SEED")),
                };
            }
            "tile" => {
                let sizes: Option<Vec<i64>> =
                    value.split('x').map(|s| s.parse().ok().filter(|&n| (1..=1 << 31).contains(&n))).collect();
                self.tile = Some(sizes.ok_or_else(|| wrong("sizes like 32 or 64x256"))?);
            }
            "size" => {
                self.size = sizes(value).ok_or_else(|| wrong("sizes like 5, or 4,7, or n=4,m=7, each at most 64"))?
            }
            "fuse" => {
                self.fuse = Some(match value {
                    "lazy" => Pick::Lazy,
                    "eager" => Pick::Eager,
                    _ => Pick::Number(
                        value.trim_start_matches('#').parse().map_err(|_| wrong("lazy, eager or a number"))?,
                    ),
                });
            }
            "budget" => self.budget = value.parse().map_err(|_| wrong("a number of steps"))?,
            _ => return Err(format!("unknown option '--{name}'")),
        }
        Ok(())
    }

    /// Values of the parameters: by name, by place, the last value for all that follow.
    pub fn values(&self, params: &[String]) -> Result<Vec<i64>, String> {
        for name in self.size.iter().filter_map(|s| s.0.as_ref()) {
            if !params.contains(name) {
                return Err(format!("--size: there is no parameter '{name}'"));
            }
        }
        let places: Vec<i64> = self.size.iter().filter(|s| s.0.is_none()).map(|s| s.1).collect();
        let value = |(k, name): (usize, &String)| {
            let named = self.size.iter().find(|s| s.0.as_ref() == Some(name)).map(|s| s.1);
            named.or(places.get(k).copied()).or(places.last().copied()).unwrap_or(5)
        };
        Ok(params.iter().enumerate().map(value).collect())
    }
}

fn sizes(value: &str) -> Option<Vec<(Option<String>, i64)>> {
    let number = |s: &str| s.trim().parse::<i64>().ok().filter(|n| (-MOST_SIZE..=MOST_SIZE).contains(n));
    value
        .split(',')
        .map(|part| match part.split_once('=') {
            Some((name, n)) => Some((Some(name.trim().to_owned()), number(n)?)),
            None => Some((None, number(part)?)),
        })
        .collect()
}
