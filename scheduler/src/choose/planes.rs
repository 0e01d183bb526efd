//! Loops in pieces, cut where they store what all their iterations read.
//!
//! **Problem.** `for j { path[i][j] = min(path[i][j], path[i][k] + path[k][j]) }` reads `path[i][k]` in every iteration and stores it in one, `j = k`. So it carries a dependence, in both
//! directions: no vectors, and a load that could stand in front of the loop does not.
//!
//! **Method.** The innermost loop of a statement is cut in three at the iteration that stores the cell: before it, it, behind it. That is the order in which it runs anyway; so nothing needs to
//! be proved of it that is not proved of the source. The first and the last piece carry nothing.
//!
//! Griebl, Feautrier, Lengauer, *Index set splitting* (IJPP 2000), for the case in which the cut is plain from the subscripts.

use super::search::{OTHER_SIZES, SAFE};
use super::{Choice, SMALLEST, THRESHOLD};
use crate::Result;
use crate::cost::Model;
use crate::cost::shape::typical_size;
use crate::dependence::Dependences;
use crate::fusion::Split;
use crate::kernel::ProvedKernels;
use crate::legality::{self, Verdict};
use crate::machine::Machine;
use crate::scop::{Access, Scop, Statement, StatementId};
use polyhedra::{Affine, Budget, Constraint};

/// Before the cut, at it, behind it.
const PIECES: usize = 3;

/// The part with the innermost loops of some statements in pieces. `None`: none is to be cut.
///
/// # Errors
/// Overflow, budget.
pub fn split(scop: &Scop, budget: &Budget) -> Result<Option<Split>> {
    let (mut statements, mut origin) = (Vec::new(), Vec::new());
    for (k, s) in scop.statements.iter().enumerate() {
        let wide = |place: usize| -> Vec<usize> {
            let mut beta: Vec<usize> = s.beta.iter().map(|b| b * PIECES).collect();
            if let Some(of_loop) = s.depth().checked_sub(1).and_then(|d| beta.get_mut(d)) {
                *of_loop += place;
            }
            beta
        };
        let cut = if is_alone(scop, k) { cut(s)? } else { None };
        let mut pieces = Vec::new();
        for row in cut.iter().flat_map(|cut| [(cut, 0), (cut, 1), (cut, 2)]) {
            let (cut, place) = row;
            let mut domain = s.domain.clone();
            domain.add(match place {
                0 => Constraint::ge(cut.scale(-1)?.offset(-1)?),
                1 => Constraint::eq(cut.clone()),
                _ => Constraint::ge(cut.offset(-1)?),
            });
            if !domain.is_empty(budget)? {
                let name = format!("{}_{place}", s.name);
                pieces.push((place, Statement { name, domain, beta: wide(place), ..s.clone() }));
            }
        }
        // Where the loop does not store the cell there is nothing to cut.
        if pieces.iter().any(|(place, _)| *place == 1) && pieces.len() > 1 {
            origin.extend(pieces.iter().map(|_| StatementId(k)));
            statements.extend(pieces.into_iter().map(|(_, piece)| piece));
        } else {
            statements.push(Statement { beta: wide(0), ..s.clone() });
            origin.push(StatementId(k));
        }
    }
    if statements.len() == scop.statements.len() {
        return Ok(None);
    }
    let scop = Scop { statements, ..scop.clone() };
    scop.check()?;
    let dependences = Dependences::of(&scop, budget)?;
    Ok(Some(Split { scop, dependences, origin }))
}

/// Does nothing else run in the innermost loop of the statement?
fn is_alone(scop: &Scop, k: usize) -> bool {
    let own = &scop.statements[k];
    let around = &own.beta[..own.depth()];
    let others = scop.statements.iter().enumerate().filter(|(other, _)| *other != k);
    own.depth() > 0 && !others.into_iter().any(|(_, s)| s.beta.starts_with(around))
}

/// A form over the statement's space that grows by 1 with its innermost iterator and is 0 where the loop stores the cells that all its iterations read. `None`: there are no such cells, or
/// several.
fn cut(s: &Statement) -> Result<Option<Affine>> {
    let Some(innermost) = s.depth().checked_sub(1) else { return Ok(None) };
    let mut found: Option<Affine> = None;
    for read in &s.accesses[1..] {
        let Some(own) = stored_at(s.write(), read, innermost)? else { continue };
        if found.as_ref().is_some_and(|known| *known != own) {
            return Ok(None);
        }
        found = Some(own);
    }
    Ok(found)
}

/// The same for one read.
fn stored_at(write: &Access, read: &Access, innermost: usize) -> Result<Option<Affine>> {
    let moves = |a: &Access| a.subscripts.iter().any(|e| e.dim_coeff(innermost) != 0);
    if read.array != write.array || !read.is_plain() || write.extent != 1 || moves(read) {
        return Ok(None);
    }
    let mut cut = None;
    for (stored, wanted) in write.subscripts.iter().zip(&read.subscripts) {
        let gap = stored.sub(wanted)?;
        match gap.dim_coeff(innermost) {
            0 if gap == Affine::zero(gap.space()) => {}
            1 if cut.is_none() => cut = Some(gap),
            -1 if cut.is_none() => cut = Some(gap.scale(-1)?),
            _ => return Ok(None),
        }
    }
    Ok(cut)
}

/// The split part in the order of the source, if that is predicted to pay.
///
/// # Errors
/// Overflow, budget.
pub fn choose(
    (scop, dependences): (&Scop, &Dependences),
    split: &Split,
    machine: &Machine,
    budget: &Budget,
) -> Result<Option<Choice>> {
    let (before, after) = (
        Model::new(scop, dependences, machine, budget)?,
        Model::new(&split.scop, &split.dependences, machine, budget)?,
    );
    let (source, tree) = (legality::original(scop), legality::original(&split.scop));
    let typical = typical_size(scop);
    let mut predicted_speedup = 0.0;
    let sizes = OTHER_SIZES.iter().map(|(times, over)| (typical * times / over, 1.0 / SAFE));
    for (size, least) in std::iter::once((typical, THRESHOLD)).chain(sizes) {
        let (before, after) = (before.with_size(size)?, after.with_size(size)?);
        let (Some(before), Some(after)) = (before.estimate(&source)?, after.estimate(&tree)?) else { return Ok(None) };
        let gain = before.cycles / (after.cycles + after.doubtful);
        if gain < least || (size == typical && before.cycles < SMALLEST) {
            return Ok(None);
        }
        if size == typical {
            predicted_speedup = gain;
        }
    }
    let Verdict::Legal(schedule) = legality::prove(&split.scop, &split.dependences, tree, budget)? else {
        return Ok(None);
    };
    let summary = vec!["cut loops where they store what they read".to_string()];
    Ok(Some(Choice::Transform { schedule, kernels: ProvedKernels::default(), predicted_speedup, summary }))
}
