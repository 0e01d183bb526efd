//! The slowest, simplest judge of a schedule, and a short way to read a part. For tests and tools.

use crate::Error;
use crate::Result;
use crate::scop::{Scop, Statement};
use crate::tree::Node;
use std::collections::BTreeMap;

/// Reads a part, see [`crate::text`].
///
/// # Errors
/// [`crate::Error::Text`] with line and column.
pub fn scop(text: &str) -> Result<Scop> {
    Ok(crate::text::parse_scop(text)?)
}

/// All instances of a part in the order of its source: iterators and statement. Iterators are looked for in `0..=most`.
///
/// # Errors
/// Overflow.
pub fn in_source_order<'s>(scop: &'s Scop, params: &[i64], most: i64) -> Result<Vec<(Vec<i64>, &'s Statement)>> {
    let mut all = Vec::new();
    for s in &scop.statements {
        for point in polyhedra::oracle::points(&s.domain, params, 0, most)? {
            all.push((source_time(s, &point), point, s));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(all.into_iter().map(|(_, point, s)| (point, s)).collect())
}

/// When an instance runs in the source.
fn source_time(s: &Statement, point: &[i64]) -> Vec<i64> {
    let mut time = Vec::new();
    for (d, &b) in s.beta.iter().enumerate() {
        time.push(i64::try_from(b).unwrap_or(i64::MAX));
        time.extend(point.get(d));
    }
    time
}

/// Runs the original order and the tree on numbers and compares: every two instances that touch one cell, one of them writing, must come in the same order,
/// and no two instances of a statement at one time. `None`: all is well; else what is not. Iterators are looked for in `low..=high`.
///
/// # Errors
/// Overflow.
pub fn violation(scop: &Scop, tree: &Node, params: &[i64], low: i64, high: i64) -> Result<Option<String>> {
    let spaces = scop.statements.iter().enumerate().map(|(k, s)| (crate::scop::StatementId(k), s.space())).collect();
    let times = tree.flatten(&spaces);
    // cell -> (original time, new time, writes, name)
    type Event = (Vec<i64>, Vec<i64>, bool, String);
    let mut cells: BTreeMap<(usize, Vec<i64>), Vec<Event>> = BTreeMap::new();
    for (k, s) in scop.statements.iter().enumerate() {
        let Some(rows) = times.get(&crate::scop::StatementId(k)) else {
            return Ok(Some(format!("{} is missing", s.name)));
        };
        let mut seen = std::collections::BTreeSet::new();
        for point in polyhedra::oracle::points(&s.domain, params, low, high)? {
            let original = source_time(s, &point);
            let time = rows.iter().map(|r| Ok(r.eval(params, &point)?)).collect::<Result<Vec<i64>>>()?;
            if !seen.insert(time.clone()) {
                return Ok(Some(format!("{}{point:?} shares its time {time:?}", s.name)));
            }
            for a in &s.accesses {
                let cell = a.subscripts.iter().map(|e| Ok(e.eval(params, &point)?)).collect::<Result<Vec<i64>>>()?;
                for along in 0..i64::from(a.extent) {
                    let mut cell = cell.clone();
                    if let Some(last) = cell.last_mut() {
                        *last = last.checked_add(along).ok_or(Error::Sets(polyhedra::Error::Overflow))?;
                    }
                    let event = (original.clone(), time.clone(), a.kind.writes(), format!("{}{point:?}", s.name));
                    cells.entry((a.array.0, cell)).or_default().push(event);
                }
            }
        }
    }
    for (cell, events) in &mut cells {
        events.sort();
        for (k, later) in events.iter().enumerate() {
            for earlier in &events[..k] {
                if (earlier.2 || later.2) && earlier.0 != later.0 && earlier.1 >= later.1 {
                    return Ok(Some(format!("{} must come before {} on cell {cell:?}", earlier.3, later.3)));
                }
            }
        }
    }
    Ok(None)
}
