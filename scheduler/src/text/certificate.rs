//! Certificates of legality as text: a tree, and for every dependence the sums of rows that prove it.
//!
//! ```text
//! tree
//!   band permutable
//!     member parallel S0: i0
//!     member S0: i1
//!     S0
//! proof 0 # flow S0 -> S0 on s level 0
//!   level 0: r2
//!   level 1: 1 + 1/2*r0 - 3*d0
//!   empty: r0 - d1
//!   permutable 1 in 0: r0 + r4
//! proof 1 # ..
//! ```
//!
//! **Meaning.** `r0`, `r1`, .. are the rows of the dependence's relation, as [`crate::dependence::Dependences`] lists them; `d0`, `d1`, .. are the distances
//! `theta_t - theta_s` of the levels before, which are zero where the sum is used. `level l` says that the distance at level `l` of the flattened tree is this sum,
//! hence not negative; `empty`, that -1 is this sum, hence that nothing is left behind these levels; `permutable l in b`, that the distance at level `l`, in
//! the band that begins at level `b`, is this sum, which uses only distances outside of the band; `parallel l`, that the *negative* distance is this sum, hence that it is zero. Multipliers are exact
//! fractions; those of inequalities must not be negative, nor may the constant.
//!
//! **Grammar.**
//! ```text
//! certificate = "tree" newline tree { "proof" number newline { line } }
//! line        = ( "level" number | "empty" | "permutable" number "in" number | "parallel" number ) ":" sum newline
//! sum         = [ "-" ] term { ( "+" | "-" ) term }
//! term        = number [ "/" number ] [ "*" row ] | row
//! row         = "r" number | "d" number
//! ```
//! Reading says where the text is no certificate; whether it proves anything, only [`crate::legality::recheck`] says.

use super::lex::{Cursor, Token};
use super::tree::{end_of_line, node, print_tree};
use super::{Result, TextError};
use crate::dependence::Dependences;
use crate::legality::{DependenceProof, LegalSchedule};
use crate::scop::Scop;
use crate::tree::Node;
use num_rational::Ratio;
use num_traits::Zero;
use polyhedra::Certificate;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What a text claims. Not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadCertificate {
    /// The tree.
    pub tree: Node,
    /// By index of the dependence in [`Dependences::ordering`].
    pub proofs: BTreeMap<usize, DependenceProof>,
}

/// Prints a proved schedule with its proofs.
#[must_use]
pub fn print_certificate(scop: &Scop, dependences: &Dependences, schedule: &LegalSchedule) -> String {
    let mut out = String::from("tree\n");
    for line in print_tree(scop, schedule.tree()).lines() {
        let _ = writeln!(out, "  {line}");
    }
    for (k, (d, proof)) in dependences.ordering.iter().zip(schedule.proofs()).enumerate() {
        let name = |s: crate::scop::StatementId| scop.statements.get(s.0).map_or("?", |s| s.name.as_str());
        let access = scop.statements.get(d.source.0).and_then(|s| s.accesses.get(d.source_access.0));
        let array = access.and_then(|a| scop.arrays.get(a.array.0)).map_or("?", |a| a.name.as_str());
        let title = format!("{} {} -> {} on {array} level {}", d.kind.name(), name(d.source), name(d.target), d.level);
        let _ = writeln!(out, "proof {k} # {}", title.replace('\n', "_"));
        let rows = d.relation.constraints().len();
        for (level, c) in proof.nonnegative.iter().enumerate() {
            let _ = writeln!(out, "  level {level}: {}", sum(c, rows));
        }
        let _ = writeln!(out, "  empty: {}", sum(&proof.exhausted, rows));
        for (level, c) in &proof.permutable {
            let band = c.multipliers.len().saturating_sub(rows);
            let _ = writeln!(out, "  permutable {level} in {band}: {}", sum(c, rows));
        }
        for (level, c) in &proof.parallel {
            let _ = writeln!(out, "  parallel {level}: {}", sum(c, rows));
        }
    }
    out
}

fn sum(certificate: &Certificate, rows: usize) -> String {
    let mut out = String::new();
    let row = |k: usize| if k < rows { format!("r{k}") } else { format!("d{}", k - rows) };
    let constant = (None, &certificate.constant);
    let terms = certificate.multipliers.iter().enumerate().map(|(k, q)| (Some(row(k)), q));
    for (row, q) in std::iter::once(constant).chain(terms).filter(|(_, q)| !q.is_zero()) {
        let negative = *q.numer() < 0;
        out.push_str(match (out.is_empty(), negative) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        let (size, den) = (q.numer().unsigned_abs(), *q.denom());
        let number = if den == 1 { size.to_string() } else { format!("{size}/{den}") };
        match row {
            None => out.push_str(&number),
            Some(row) if number == "1" => out.push_str(&row),
            Some(row) => out.push_str(&format!("{number}*{row}")),
        }
    }
    if out.is_empty() { "0".into() } else { out }
}

/// Reads a certificate for a part and its dependences.
///
/// # Errors
/// Where the text is wrong, and what was expected.
pub fn parse_certificate(scop: &Scop, dependences: &Dependences, text: &str) -> Result<ReadCertificate> {
    let mut cursor = Cursor::new(text)?;
    while cursor.accept_newline() {}
    let outside = cursor.here().column;
    if !cursor.accept_word("tree") {
        return Err(cursor.expected("'tree'"));
    }
    end_of_line(&mut cursor)?;
    let tree = node(scop, &mut cursor, outside)?;
    let levels = levels(&tree);
    let mut proofs = BTreeMap::new();
    while *cursor.peek() != Token::End {
        if !cursor.accept_word("proof") {
            return Err(cursor.expected("'proof'"));
        }
        let error = cursor.fail("");
        let at = |message: &str| TextError { message: message.into(), ..error.clone() };
        let index: usize = cursor.small("the number of a dependence")?;
        end_of_line(&mut cursor)?;
        let Some(d) = dependences.ordering.get(index) else {
            return Err(at(&format!("there are {} dependences, counted from 0", dependences.ordering.len())));
        };
        let proof = proof(&mut cursor, d.relation.constraints().len(), levels)?;
        if proofs.insert(index, proof).is_some() {
            return Err(at("this dependence has two proofs"));
        }
    }
    Ok(ReadCertificate { tree, proofs })
}

/// Levels of the flattened tree.
fn levels(node: &Node) -> usize {
    match node {
        Node::Leaf(_) => 0,
        Node::Sequence(children) => 1 + children.iter().map(levels).max().unwrap_or(0),
        Node::Band { members, child, .. } => members.len() + levels(child),
    }
}

fn proof(cursor: &mut Cursor<'_>, rows: usize, levels: usize) -> Result<DependenceProof> {
    let mut nonnegative: Vec<Certificate> = Vec::new();
    let mut exhausted = None;
    let (mut permutable, mut parallel) = (BTreeMap::new(), BTreeMap::new());
    loop {
        let error = cursor.fail("");
        let at = |message: &str| TextError { message: message.into(), ..error.clone() };
        let twice = || at("this stands twice");
        if cursor.accept_word("level") {
            if level(cursor, levels)? != nonnegative.len() || exhausted.is_some() {
                return Err(at("levels come in order, counted from 0, before 'empty'"));
            }
            let certificate = certificate(cursor, rows, nonnegative.len())?;
            nonnegative.push(certificate);
        } else if cursor.accept_word("empty") {
            if exhausted.replace(certificate(cursor, rows, nonnegative.len())?).is_some() {
                return Err(twice());
            }
        } else if cursor.accept_word("permutable") {
            let own = level(cursor, levels)?;
            if !cursor.accept_word("in") {
                return Err(cursor.expected("'in' and the first level of the band"));
            }
            let band = level(cursor, levels)?;
            if permutable.insert(own, certificate(cursor, rows, band)?).is_some() {
                return Err(twice());
            }
        } else if cursor.accept_word("parallel") {
            let own = level(cursor, levels)?;
            if parallel.insert(own, certificate(cursor, rows, own)?).is_some() {
                return Err(twice());
            }
        } else {
            let Some(exhausted) = exhausted else { return Err(cursor.expected("'level' or 'empty'")) };
            return Ok(DependenceProof { nonnegative, exhausted, permutable, parallel });
        }
    }
}

fn level(cursor: &mut Cursor<'_>, levels: usize) -> Result<usize> {
    let error = cursor.fail(format!("the tree has {levels} levels, counted from 0"));
    let level = cursor.small("the number of a level")?;
    if level < levels { Ok(level) } else { Err(error) }
}

/// `: sum`, over the rows of a relation and the distances of the levels before `levels`.
fn certificate(cursor: &mut Cursor<'_>, rows: usize, levels: usize) -> Result<Certificate> {
    cursor.expect(":")?;
    let mut constant = None;
    let mut multipliers: Vec<Option<Ratio<i128>>> = vec![None; rows + levels];
    let mut sign = if cursor.accept("-") { -1 } else { 1 };
    loop {
        let error = cursor.fail("this row, or the constant, stands twice in the sum");
        let (factor, row) = term(cursor, sign, rows, levels)?;
        let slot = match row {
            None => Some(&mut constant),
            Some(k) => multipliers.get_mut(k),
        };
        match slot {
            Some(slot @ None) => *slot = Some(factor),
            _ => return Err(error),
        }
        if cursor.accept("+") {
            sign = 1;
        } else if cursor.accept("-") {
            sign = -1;
        } else {
            break;
        }
    }
    end_of_line(cursor)?;
    let value = |q: Option<Ratio<i128>>| q.unwrap_or_else(Ratio::zero);
    Ok(Certificate { constant: value(constant), multipliers: multipliers.into_iter().map(value).collect() })
}

/// A factor and a row, or a constant.
fn term(cursor: &mut Cursor<'_>, sign: i128, rows: usize, levels: usize) -> Result<(Ratio<i128>, Option<usize>)> {
    if matches!(cursor.peek(), Token::Name(_)) {
        return Ok((Ratio::from_integer(sign), Some(row(cursor, rows, levels)?)));
    }
    let numerator = cursor.number("a number or a row like 'r0'")?;
    let mut denominator = 1;
    if cursor.accept("/") {
        let error = cursor.fail("a denominator is not 0");
        denominator = cursor.number("the denominator")?;
        if denominator == 0 {
            return Err(error);
        }
    }
    let factor = Ratio::new(sign * numerator, denominator);
    let row = if cursor.accept("*") { Some(row(cursor, rows, levels)?) } else { None };
    Ok((factor, row))
}

fn row(cursor: &mut Cursor<'_>, rows: usize, levels: usize) -> Result<usize> {
    let error =
        cursor.fail(format!("expected one of the {rows} rows r0, r1, .. or of the {levels} distances d0, d1, .."));
    let name = cursor.name("a row like 'r0'")?;
    let number = |rest: &str, most: usize| rest.parse::<usize>().ok().filter(|&k| k < most);
    let plain = name.chars().skip(1).all(|c| c.is_ascii_digit());
    let found = match (name.strip_prefix('r'), name.strip_prefix('d')) {
        (Some(rest), _) => number(rest, rows),
        (_, Some(rest)) => number(rest, levels).map(|k| rows + k),
        _ => None,
    };
    found.filter(|_| plain).ok_or(error)
}
