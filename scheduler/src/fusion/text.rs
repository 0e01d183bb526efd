//! Problems as text, both ways.
//!
//! **Worked example.** Cholesky factorisation, then a solve with the factor:
//! ```text
//! loop chol                                        # a name for people
//! op L_TL.out = chol(L_TL.in)                      # op: the operation itself, on a part
//! L_BL.out = trsm(L_TL.out, L_BL.in)
//! L_BR.0 = L_BR.in - L_BL.out * L_BL.out'
//! op L_BR.out = chol(L_BR.0)
//! loop trsv
//! op b_T.out = solve(L_TL.in, b_T.in)
//! b_B.0 = b_B.in - L_BL.in * b_T.out
//! op b_B.out = solve(L_BR.in, b_B.0)
//! ```
//!
//! **Grammar.** A line a task; `#` and `//` begin comments.
//! ```text
//! problem = { "loop" name { task } }
//! task    = [ "op" ] state ( "=" | ":=" ) right | "from" state "<-" right
//! state   = region "." stage             region: letters, digits, "_"
//! stage   = "in" | "out" | number [ letters ]         0a and 0b are steps of level 0 in any order
//! right   = whatever an expression may be made of; states in it are inputs, "{" state { "|" state } "}" is one of several; names without stage do not
//!           constrain anything
//! ```
//! A transposition is written behind the stage: `L_BL.out'`.

use super::problem::{Loop, Problem, RegionId, Stage, State, Task, TaskKind};
use crate::Error;
use crate::text::TextError;
use crate::text::lex::{Cursor, Token};
use std::fmt::Write as _;

type Result<T> = std::result::Result<T, TextError>;

/// Does the text begin like a problem rather than like a nest of loops?
#[must_use]
pub fn is_problem(text: &str) -> bool {
    Cursor::new(text).is_ok_and(|mut cursor| {
        while cursor.accept_newline() {}
        cursor.is_word("loop") && matches!(cursor.second(), Token::Name(_) | Token::Quoted(_) | Token::Newline)
    })
}

/// Reads a problem.
///
/// ```
/// let error = scheduler::fusion::parse("loop chol\nop L_TL.out = chol(L_TL.tilde)").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 20: 'tilde' is no stage: expected in, out, or a number like 0 or 0a");
/// ```
///
/// # Errors
/// Where the text is wrong, and what was expected.
pub fn parse(text: &str) -> Result<Problem> {
    let mut reader = Reader { cursor: Cursor::new(text)?, problem: Problem::default() };
    reader.loops()?;
    let end = reader.cursor.fail("");
    reader.problem.check().map_err(|e| TextError { message: e.to_string(), ..end })?;
    Ok(reader.problem)
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    problem: Problem,
}

impl Reader<'_> {
    fn loops(&mut self) -> Result<()> {
        loop {
            while self.cursor.accept_newline() {}
            if *self.cursor.peek() == Token::End {
                return Ok(());
            }
            if self.cursor.accept_word("loop") {
                let name = self.cursor.name("the name of the loop")?;
                self.problem.loops.push(Loop { name, tasks: Vec::new() });
            } else {
                self.task()?;
            }
            if !matches!(self.cursor.peek(), Token::Newline | Token::End) {
                return Err(self.cursor.expected("the end of the line"));
            }
        }
    }

    fn task(&mut self) -> Result<()> {
        let place = self.cursor.fail("");
        if self.problem.loops.is_empty() {
            return Err(self.cursor.expected("'loop' and its name"));
        }
        let kind = if self.cursor.accept_word("op") {
            TaskKind::Operation
        } else if self.cursor.accept_word("from") {
            TaskKind::Noop
        } else {
            TaskKind::Plain
        };
        if self.cursor.is("{") {
            return Err(self.cursor.fail("a task writes one state: '{ | }' stands on the right-hand side only"));
        }
        let out = self.output()?;
        if kind == TaskKind::Noop {
            self.cursor.expect("<").map_err(|e| TextError { message: e.message.replace("'<'", "'<-'"), ..e })?;
            self.cursor.expect("-")?;
        } else {
            self.cursor.accept(":");
            self.cursor.expect("=")?;
        }
        let inputs = self.inputs()?;
        let name = self.problem.name(&out);
        let Some(l) = self.problem.loops.last_mut() else { return Err(place) };
        if l.tasks.iter().any(|t| t.out == out) {
            return Err(TextError { message: format!("another task of loop {} writes {name}", l.name), ..place });
        }
        l.tasks.push(Task { kind, out, inputs });
        Ok(())
    }

    fn output(&mut self) -> Result<State> {
        let wanted = "a state like L_TL.out";
        match self.state()? {
            Some(state) => Ok(state),
            None => Err(self.cursor.expected(wanted)),
        }
    }

    /// A state, if one comes next; a name without stage is none, and stays.
    fn state(&mut self) -> Result<Option<State>> {
        let Token::Name(word) = self.cursor.peek().clone() else { return Ok(None) };
        let Some((region, stage)) = word.trim_end_matches('\'').rsplit_once('.') else { return Ok(None) };
        let Some(stage) = read_stage(stage) else {
            let message = format!("'{stage}' is no stage: expected in, out, or a number like 0 or 0a");
            return Err(self.cursor.fail(message));
        };
        if region.contains(['.', '\'']) {
            return Err(self.cursor.fail(format!("'{region}' is no region: letters, digits and '_' only")));
        }
        self.cursor.advance();
        let known = self.problem.regions.iter().position(|r| r == region);
        let region = known.unwrap_or_else(|| {
            self.problem.regions.push(region.to_owned());
            self.problem.regions.len() - 1
        });
        Ok(Some(State { region: RegionId(region), stage }))
    }

    /// All states up to the end of the line.
    fn inputs(&mut self) -> Result<Vec<Vec<State>>> {
        if matches!(self.cursor.peek(), Token::Newline | Token::End) {
            return Err(self.cursor.expected("what the task reads"));
        }
        let mut out: Vec<Vec<State>> = Vec::new();
        loop {
            let input = if self.cursor.accept("{") {
                let mut branches = Vec::new();
                loop {
                    let Some(state) = self.state()? else { return Err(self.cursor.expected("a state like L_BL.0a")) };
                    if !branches.contains(&state) {
                        branches.push(state);
                    }
                    if !self.cursor.accept("|") {
                        break;
                    }
                }
                self.cursor
                    .expect("}")
                    .map_err(|e| TextError { message: e.message.replace("'}'", "'|' or '}'"), ..e })?;
                branches
            } else if let Some(state) = self.state()? {
                vec![state]
            } else if matches!(self.cursor.peek(), Token::Newline | Token::End) {
                return Ok(out);
            } else if self.cursor.is("}") || self.cursor.is("|") || self.cursor.is("=") {
                return Err(self.cursor.expected("an expression"));
            } else {
                self.cursor.advance();
                continue;
            };
            if !out.contains(&input) {
                out.push(input);
            }
        }
    }
}

fn read_stage(text: &str) -> Option<Stage> {
    match text {
        "in" => Some(Stage::Initial),
        "out" => Some(Stage::Final),
        _ => {
            let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let step = text[..digits].parse().ok()?;
            let mark = (digits < text.len()).then(|| text[digits..].to_owned());
            Some(Stage::Middle { step, mark })
        }
    }
}

/// Prints a problem such that reading it gives an equal one (regions numbered by first mention). Right-hand sides become lists of inputs.
///
/// # Errors
/// [`Error::Problem`]: malformed, or with tasks that only [`Problem::with_shared_inputs`] makes.
pub fn print(problem: &Problem) -> crate::Result<String> {
    problem.check()?;
    let mut out = String::new();
    for l in &problem.loops {
        let _ = writeln!(out, "loop {}", crate::text::lex::written(&l.name, |_| false));
        for task in &l.tasks {
            let inputs: Vec<String> = task.inputs.iter().map(|input| print_input(problem, input)).collect();
            let (name, inputs) = (problem.name(&task.out), inputs.join(", "));
            let _ = match task.kind {
                TaskKind::Plain => writeln!(out, "{name} = f({inputs})"),
                TaskKind::Operation => writeln!(out, "op {name} = f({inputs})"),
                TaskKind::Noop if !inputs.is_empty() => writeln!(out, "from {name} <- {inputs}"),
                TaskKind::Noop => writeln!(out, "from {name} <- 0"),
                TaskKind::SharedInput => return Err(Error::Problem("a shared input has no text".into())),
            };
        }
    }
    Ok(out)
}

fn print_input(problem: &Problem, input: &[State]) -> String {
    let states: Vec<String> = input.iter().map(|s| problem.name(s)).collect();
    if states.len() == 1 { states.concat() } else { format!("{{{}}}", states.join("|")) }
}

/// All answers in words: a line a solution, `chol {L_TL.out L_BL.out}; trsv {b_T.out}`, and a line for each of its regions with strip, `C` and `U`.
#[must_use]
pub fn print_solution(problem: &Problem, solution: &super::Solution) -> String {
    let pasts = solution.past.iter().enumerate().map(|(n, past)| {
        let tasks = past.iter().filter_map(|&k| problem.loops.get(n)?.tasks.get(k));
        let names: Vec<String> = tasks.map(|t| problem.name(&t.out)).collect();
        format!("{} {{{}}}", super::refute::loop_name(problem, n), names.join(" "))
    });
    format!("{}\n{}", pasts.collect::<Vec<_>>().join("; "), print_strips(problem, solution))
}

/// The strips of an answer, a line a region: `  L_BL  ⊤⊢⊥  C 0  U 2`.
#[must_use]
pub fn print_strips(problem: &Problem, solution: &super::Solution) -> String {
    let mut out = String::new();
    let name = |s: &super::Strip| problem.regions.get(s.region.0).map_or("?", String::as_str);
    let width = solution.strips.iter().map(|s| name(s).chars().count()).max().unwrap_or(0);
    let range = |(low, high): (i64, i64)| if low == high { low.to_string() } else { format!("{low}..{high}") };
    for s in &solution.strips {
        let marks: String = s.marks.iter().map(ToString::to_string).collect();
        let (c, u) = (range(s.computed), range(s.uncomputed));
        let _ = writeln!(out, "  {:width$}  {marks}  C {c}  U {u}", name(s));
    }
    out
}
