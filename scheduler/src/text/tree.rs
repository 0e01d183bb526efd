//! Schedule trees as text, in the form of [`crate::plan::print`], and back.
//!
//! ```text
//! tree   = ( "band" [ "permutable" ] newline members child ) | ( "sequence" newline children ) | name newline
//! member = "member" [ "parallel" ] [ "tile" number ] [ "lanes" number [ "vectors" number ] ] [ "abreast" number ] name ":" sum { ";" name ":" sum } newline
//! ```
//! What belongs to a band or a sequence is indented further, all alike. Iterators of every statement are `i0`, `i1`, ..; a parameter of such a name stands between
//! backquotes.

use super::lex::{Cursor, Token, written};
use super::sum::Names;
use super::{Result, TextError};
use crate::scop::{Scop, StatementId};
use crate::tree::{Lanes, Member, Node, Rows};
use polyhedra::Affine;
use std::fmt::Write as _;

/// Is it a word of the tree, where a statement or an iterator could stand?
fn keyword(name: &str) -> bool {
    let iterator = name.strip_prefix('i').is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
    iterator
        || [
            "band",
            "sequence",
            "member",
            "permutable",
            "parallel",
            "tile",
            "lanes",
            "vectors",
            "abreast",
            "tree",
            "proof",
            "min",
            "max",
        ]
        .contains(&name)
}

/// `2i0 + n - 1`: terms, then the constant; `times` stands between a coefficient and its name.
pub(super) fn sum_text(terms: &[(i128, &str)], constant: i128, times: &str) -> String {
    let mut out = String::new();
    for (c, name) in terms {
        out.push_str(match (out.is_empty(), *c < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        let size = c.unsigned_abs();
        let _ = if size == 1 { write!(out, "{name}") } else { write!(out, "{size}{times}{name}") };
    }
    let _ = match (out.is_empty(), constant) {
        (true, c) => write!(out, "{c}"),
        (false, 0) => Ok(()),
        (false, c) => write!(out, " {} {}", if c < 0 { '-' } else { '+' }, c.unsigned_abs()),
    };
    out
}

fn row_text(scop: &Scop, row: &Affine) -> String {
    let iterators: Vec<String> = (0..row.space().dims).map(|k| format!("i{k}")).collect();
    let params: Vec<String> = scop.params.iter().map(|p| written(p, keyword)).collect();
    let dims = iterators.iter().zip(row.dim_coeffs());
    let terms: Vec<(i128, &str)> = dims
        .chain(params.iter().zip(row.param_coeffs()))
        .filter(|(_, c)| **c != 0)
        .map(|(name, &c)| (i128::from(c), name.as_str()))
        .collect();
    sum_text(&terms, row.constant_term().into(), "")
}

fn name_of(scop: &Scop, s: StatementId) -> String {
    scop.statements.get(s.0).map_or_else(|| "?".into(), |s| written(&s.name, keyword))
}

/// Prints a tree. The same as [`crate::plan::print`], but for names that would be misread: those stand between backquotes.
#[must_use]
pub fn print_tree(scop: &Scop, tree: &Node) -> String {
    fn walk(scop: &Scop, node: &Node, depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        match node {
            Node::Leaf(s) => {
                let _ = writeln!(out, "{pad}{}", name_of(scop, *s));
            }
            Node::Sequence(children) => {
                let _ = writeln!(out, "{pad}sequence");
                children.iter().for_each(|c| walk(scop, c, depth + 1, out));
            }
            Node::Band { members, permutable, child } => {
                let _ = writeln!(out, "{pad}band{}", if *permutable { " permutable" } else { "" });
                for m in members {
                    let rows: Vec<String> =
                        m.rows.iter().map(|(s, r)| format!("{}: {}", name_of(scop, *s), row_text(scop, r))).collect();
                    let parallel = if m.parallel { " parallel" } else { "" };
                    let tile = m.tile.map_or(String::new(), |t| format!(" tile {t}"));
                    let lanes = m.lanes.map_or(String::new(), |l| format!(" {l}"));
                    let abreast = m.abreast.map_or(String::new(), |count| format!(" abreast {count}"));
                    let _ = writeln!(out, "{pad}  member{parallel}{tile}{lanes}{abreast} {}", rows.join("; "));
                }
                walk(scop, child, depth + 1, out);
            }
        }
    }
    let mut out = String::new();
    walk(scop, tree, 0, &mut out);
    out
}

/// Reads a tree for a part.
///
/// # Errors
/// Where the text is wrong, and what was expected. Whether the tree holds every statement and is legal, [`crate::legality`] says.
pub fn parse_tree(scop: &Scop, text: &str) -> Result<Node> {
    let mut cursor = Cursor::new(text)?;
    while cursor.accept_newline() {}
    let tree = node(scop, &mut cursor, 0)?;
    while cursor.accept_newline() {}
    if *cursor.peek() == Token::End { Ok(tree) } else { Err(cursor.expected("the end")) }
}

/// A node whose first token is the next, indented further than `parent`.
pub(super) fn node(scop: &Scop, cursor: &mut Cursor<'_>, parent: usize) -> Result<Node> {
    let own = cursor.here().column;
    if *cursor.peek() == Token::End || own <= parent {
        return Err(cursor.fail("expected 'band', 'sequence' or a statement, indented further than what is around it"));
    }
    cursor.enter()?;
    let out = if cursor.accept_word("sequence") {
        end_of_line(cursor)?;
        let mut children = Vec::new();
        let inside = cursor.here().column;
        while *cursor.peek() != Token::End && cursor.here().column > own {
            if cursor.here().column != inside {
                return Err(cursor.fail("what belongs to a sequence must be indented alike"));
            }
            children.push(node(scop, cursor, own)?);
        }
        if children.is_empty() {
            return Err(cursor.expected("what belongs to the sequence, indented further"));
        }
        Node::Sequence(children)
    } else if cursor.accept_word("band") {
        let permutable = cursor.accept_word("permutable");
        end_of_line(cursor)?;
        let inside = cursor.here().column;
        let mut members = Vec::new();
        while cursor.is_word("member") {
            if cursor.here().column <= own || cursor.here().column != inside {
                return Err(cursor.fail("what belongs to a band must be indented further, and alike"));
            }
            members.push(member(scop, cursor)?);
        }
        if members.is_empty() {
            return Err(cursor.expected("'member'"));
        }
        Node::Band { members, permutable, child: Box::new(node(scop, cursor, own)?) }
    } else {
        let s = statement(scop, cursor)?;
        end_of_line(cursor)?;
        Node::Leaf(s)
    };
    cursor.leave();
    Ok(out)
}

pub(super) fn end_of_line(cursor: &mut Cursor<'_>) -> Result<()> {
    if cursor.accept_newline() || *cursor.peek() == Token::End {
        return Ok(());
    }
    Err(cursor.expected("the end of the line"))
}

fn statement(scop: &Scop, cursor: &mut Cursor<'_>) -> Result<StatementId> {
    let error = cursor.fail("");
    let name = cursor.name("'band', 'sequence' or a statement")?;
    let message = format!("there is no statement '{name}'");
    scop.statements.iter().position(|s| s.name == name).map(StatementId).ok_or(TextError { message, ..error })
}

/// A word and a number of at least two behind it, if the word is there.
fn count(cursor: &mut Cursor<'_>, word: &str, too_few: &str) -> Result<Option<u32>> {
    if !cursor.accept_word(word) {
        return Ok(None);
    }
    let error = cursor.fail(too_few);
    let number: i64 = cursor.small("how many there are")?;
    u32::try_from(number).ok().filter(|&count| count >= 2).map(Some).ok_or(error)
}

fn member(scop: &Scop, cursor: &mut Cursor<'_>) -> Result<Member> {
    cursor.advance();
    let parallel = cursor.accept_word("parallel");
    let tile = if cursor.accept_word("tile") {
        let error = cursor.fail("a tile has at least one iteration");
        Some(cursor.small("the size of a tile")?)
            .map(|size: i64| if size < 1 { Err(error) } else { Ok(size) })
            .transpose()?
    } else {
        None
    };
    let mut lanes = count(cursor, "lanes", "a vector has at least two lanes")?.map(Lanes::of);
    if let Some(lanes) = &mut lanes
        && let Some(vectors) = count(cursor, "vectors", "at least two vectors stand side by side")?
    {
        lanes.vectors = vectors;
    }
    let abreast = count(cursor, "abreast", "at least two iterations run abreast")?;
    let mut rows = Rows::default();
    loop {
        let error = cursor.fail("this statement has two rows");
        let s = statement(scop, cursor)?;
        cursor.expect(":")?;
        let space = scop.statements[s.0].space();
        let names = scop.params.iter().cloned().chain((0..space.dims).map(|k| format!("i{k}")));
        let unit = |k: usize| {
            let mut sum = vec![0; k + 2];
            sum[k + 1] = 1;
            sum
        };
        let names = Names { space, values: names.enumerate().map(|(k, name)| (name, unit(k))).collect() };
        if rows.insert(s, cursor.affine(&names)?).is_some() {
            return Err(error);
        }
        if !cursor.accept(";") {
            break;
        }
    }
    end_of_line(cursor)?;
    Ok(Member { rows, parallel, tile, lanes, abreast })
}
