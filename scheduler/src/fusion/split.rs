//! A part with some statements split in parts of their domains.
//!
//! The parts of a statement stand at its place, one after the other in its innermost loop. At every iteration only one of them runs, so the order of the source is
//! as it was.

use super::theta::Part;
use crate::Result;
use crate::dependence::Dependences;
use crate::scop::{Scop, Statement, StatementId};
use polyhedra::Budget;
use std::collections::BTreeMap;

/// See the module's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    /// The part with its statements split; a statement that is whole has the name that it had.
    pub scop: Scop,
    /// Its dependences.
    pub dependences: Dependences,
    /// For each of its statements the statement that it is a part of.
    pub origin: Vec<StatementId>,
}

impl Split {
    /// Splits the statements that have several parts. `None`: there are none.
    ///
    /// # Errors
    /// Overflow, budget.
    pub(super) fn new(scop: &Scop, parts: &BTreeMap<StatementId, Vec<Part>>, budget: &Budget) -> Result<Option<Self>> {
        let most = parts.values().map(Vec::len).max().unwrap_or(0);
        if most <= 1 {
            return Ok(None);
        }
        let (mut statements, mut origin) = (Vec::new(), Vec::new());
        for (k, s) in scop.statements.iter().enumerate() {
            let own = parts.get(&StatementId(k)).map_or(&[][..], Vec::as_slice);
            let wide = |place: usize| -> Vec<usize> {
                let mut beta: Vec<usize> = s.beta.iter().map(|b| b * most).collect();
                if let Some(last) = beta.last_mut() {
                    *last += place;
                }
                beta
            };
            if own.len() <= 1 {
                statements.push(Statement { beta: wide(0), ..s.clone() });
                origin.push(StatementId(k));
                continue;
            }
            for (place, part) in own.iter().enumerate() {
                let mut domain = s.domain.clone();
                part.rows.iter().for_each(|row| domain.add(row.clone()));
                let name = format!("{}_{place}", s.name);
                statements.push(Statement { name, domain, beta: wide(place), ..s.clone() });
                origin.push(StatementId(k));
            }
        }
        let scop = Scop { statements, ..scop.clone() };
        scop.check()?;
        let dependences = Dependences::of(&scop, budget)?;
        Ok(Some(Self { scop, dependences, origin }))
    }
}
