//! The scheduler without a compiler: loops in; dependences, schedules, loops or a proof out.
//!
//! ```text
//! file --parse--> Scop --> Dependences --> shifts, candidates --> choice --> loops --> run and compare
//!                                               |
//!                                               +--> certificate --check, without solver--> yes or no
//! ```
//! Each subcommand prints one of these. Exit status: 0 all is well, 1 refused or violated, 2 bad input.

#![forbid(unsafe_code)]

mod args;
mod fuse;
mod report;
mod stages;
mod verify;

use args::{Args, Command};
use scheduler::fusion;
use std::io::{Read as _, Write as _};
use std::process::ExitCode;

/// Why there is no good end.
#[derive(Debug)]
enum Stop {
    /// Refused or violated, after what has been printed.
    Refused(String),
    /// The input is at fault.
    Bad(String),
}

impl From<scheduler::Error> for Stop {
    fn from(e: scheduler::Error) -> Self {
        match e {
            scheduler::Error::Malformed(_) | scheduler::Error::Problem(_) | scheduler::Error::Text(_) => {
                Self::Bad(e.to_string())
            }
            _ => Self::Refused(e.to_string()),
        }
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let mut out = String::new();
    let end = match Args::parse(&words) {
        Ok(args) if args.command == Command::Help => {
            out.push_str(args::HELP);
            Ok(())
        }
        Ok(args) => run(&args, &mut out),
        Err(message) => Err(Stop::Bad(format!("{message}\n`loopwright help` lists commands and options"))),
    };
    let (message, code) = match end {
        Ok(()) => (None, 0),
        Err(Stop::Refused(m)) => (Some(m), 1),
        Err(Stop::Bad(m)) => (Some(m), 2),
    };
    // Who closes the pipe wants no more.
    let _ = std::io::stdout().write_all(out.as_bytes());
    if let Some(message) = message {
        let _ = writeln!(std::io::stderr(), "{message}");
    }
    ExitCode::from(code)
}

fn run(args: &Args, out: &mut String) -> Result<(), Stop> {
    let text = read(&args.file)?;
    if args.command == Command::Fuse && fusion::is_problem(&text) {
        let problem = fusion::parse(&text).map_err(|e| placed(&args.file, &e))?;
        return fuse::problem(args, &problem, out);
    }
    let scop = scheduler::text::parse_scop(&text).map_err(|e| placed(&args.file, &e))?;
    report::report(args, &scop, out)
}

/// A file, or standard input for `-`.
fn read(file: &str) -> Result<String, Stop> {
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let bytes = bytes.map_err(|e| Stop::Bad(format!("{file}: {e}")))?;
    String::from_utf8(bytes).map_err(|_| Stop::Bad(format!("{file}: this is not UTF-8")))
}

/// `file:line:column: message`.
fn placed(file: &str, e: &scheduler::text::TextError) -> Stop {
    Stop::Bad(format!("{file}:{}:{}: {}", e.line, e.column, e.message))
}
