//! Traversals of nests in words.

use super::classes::{Cause, Class};
use super::engine::{Planner, Survey};
use super::ideals::Outcome;
use super::sweep::Direction;
use super::traversal::Traversal;
use crate::Result;
use crate::scop::{Scop, StatementId};
use polyhedra::Affine;
use std::fmt::Write as _;

/// `nests 0..1 over A.0 A.1 b.0 forward: 5 traversals`, or the chain of needs that stands against it, each link with instances that show it.
///
/// # Errors
/// Overflow, budget.
pub fn print_survey(scop: &Scop, planner: &Planner<'_>, survey: &Survey) -> Result<String> {
    let title = title(scop, survey);
    if let Outcome::Legal { ideals, more } = &survey.outcome {
        let (n, more) = (ideals.len(), if *more { " and more" } else { "" });
        return Ok(format!("{title}: {n} traversal{}{more}\n", if n == 1 { "" } else { "s" }));
    }
    let mut out = format!("{title}: impossible\n");
    let witnesses = planner.witnesses(survey)?;
    let all = if survey.direction == Direction::Forward { "behind" } else { "ahead of" };
    for (k, w) in witnesses.iter().enumerate() {
        let (from, to) = (class(scop, survey, w.from), class(scop, survey, w.to));
        if k == 0 {
            let _ = writeln!(out, "  {from} must have run: all of it is {all} the boundary");
        }
        let why = match w.cause {
            Cause::Move => "once run it stays so".to_owned(),
            Cause::Dependence(d) => planner.describe(d),
        };
        let _ = writeln!(out, "  then {to}: {why}{}", planner.example(w));
    }
    if let Some(last) = witnesses.last() {
        let _ = writeln!(out, "  but {} cannot have run: none of it is", class(scop, survey, last.to));
    }
    Ok(out)
}

/// `nests 0..1 over A.0 A.1 b.0 forward`.
fn title(scop: &Scop, survey: &Survey) -> String {
    let run = if survey.nests.len() == 1 {
        format!("nest {}", survey.nests.start)
    } else {
        format!("nests {}..{}", survey.nests.start, survey.nests.end.saturating_sub(1))
    };
    format!("{run} over {} {}", survey.sweep.print(scop), survey.direction)
}

/// `nests 0..1 over A.0 A.1 b.0 forward by traversal 4 of 5 (the eagerest)`, traversals counted from 0.
#[must_use]
pub fn print_taken(scop: &Scop, survey: &Survey, number: usize) -> String {
    let count = survey.ideals().len();
    let which = match number {
        _ if count == 1 => "the only one",
        0 => "the laziest",
        k if k + 1 == count => "the eagerest",
        _ => "neither the laziest nor the eagerest",
    };
    format!("{} by traversal {number} of {count} ({which})", title(scop, survey))
}

/// `Q{k}`: the statement, and which of its coordinates the boundary has passed.
fn class(scop: &Scop, survey: &Survey, class: Class) -> String {
    let name = &scop.statements[class.statement.0].name;
    let coordinates = survey.classes.frames.get(&class.statement).map_or(&[][..], |f| &f.coordinates);
    let passed = coordinates.iter().enumerate().filter(|(k, _)| class.mask >> k & 1 == 1);
    let passed: Vec<String> = passed.map(|(_, c)| row(scop, class.statement, c)).collect();
    format!("{name}{{{}}}", passed.join(", "))
}

fn row(scop: &Scop, s: StatementId, affine: &Affine) -> String {
    let names: Vec<String> = (0..scop.statements[s.0].depth()).map(|k| format!("i{k}")).collect();
    affine.display(&scop.params, &names).to_string()
}

impl Planner<'_> {
    /// `flow S0 -> S3 on A`.
    fn describe(&self, dependence: usize) -> String {
        let d = &self.dependences.ordering[dependence];
        let (s, t) = (&self.scop.statements[d.source.0], &self.scop.statements[d.target.0]);
        let array = s.accesses.get(d.source_access.0).map_or("?", |a| &self.scop.arrays[a.array.0].name);
        format!("{} {} -> {} on {array}", d.kind.name(), s.name, t.name)
    }

    /// `, as S0[1, 2] -> S3[2, 2] for n = 4`.
    fn example(&self, witness: &super::Witness) -> String {
        let Some(point) = &witness.point else { return String::new() };
        let (from, to) =
            (&self.scop.statements[witness.from.statement.0], &self.scop.statements[witness.to.statement.0]);
        let (target, source) = point.dims.split_at(from.depth().min(point.dims.len()));
        let params: Vec<String> =
            self.scop.params.iter().zip(&point.params).map(|(n, v)| format!("{n} = {v}")).collect();
        let given = if params.is_empty() { String::new() } else { format!(" for {}", params.join(", ")) };
        match witness.cause {
            Cause::Dependence(_) => format!(", as {}{source:?} before {}{target:?}{given}", to.name, from.name),
            Cause::Move => format!(", as {}{target:?}{given}", from.name),
        }
    }
}

/// `S0 i0 | S1 i0 | S2 min(..)`: when the instances of each statement run, in the order of the source.
#[must_use]
pub fn print_rows(scop: &Scop, traversal: &Traversal) -> String {
    let mut out = Vec::new();
    for (s, parts) in &traversal.parts {
        let space = scop.statements[s.0].space();
        let names: Vec<String> = (0..space.dims).map(|k| format!("i{k}")).collect();
        let rows: Vec<String> = parts
            .iter()
            .map(|part| {
                let when: Vec<String> =
                    part.rows.iter().map(|r| format!("{} >= 0", r.expr.display(&scop.params, &names))).collect();
                let when = if when.is_empty() { String::new() } else { format!(" if {}", when.join(" and ")) };
                format!("{}{when}", row(scop, *s, &part.theta))
            })
            .collect();
        out.push(format!("{}: {}", scop.statements[s.0].name, rows.join(" | ")));
    }
    out.join("; ")
}
