//! Text forms: loop nests in, schedule trees and certificates in and out.
//!
//! **Problem.** A question about scheduling should be a few lines that a person can write, mail and test: loops in; dependences, schedule or loops
//! out. And a proof should be something that can be put away and checked again by someone who trusts neither solver nor planner.
//!
//! **Worked example.** [`parse_scop`] reads
//! ```text
//! params M, N
//! assume N >= 1
//! array U[?][64] : f32
//! for m = 0 .. M
//!   for n = 0 .. N                     # 0 is included, N is not
//!     A[m][n] = B[m][n]
//! for m = M-1 downto 0                 # both ends are included
//!   for n = 0 .. N {
//!     A[m][n] /= U[n][n]
//!     for k = n+1 .. N step 2
//!       A[m,k] -= A[m,n] * U[n,k]      // as A[m][k]
//!   }
//! ```
//!
//! **Grammar of loop nests.** Words in quotes stand for themselves, `{ }` repeats, `[ ]` may be left out. Comments run from `#` or `//` to the end of the line.
//! ```text
//! part      = { "params" names | "assume" rows | "known" rows | array } items
//! names     = name { "," name }
//! array     = "array" name ( "[" "]" | { "[" size "]" } ) [ ":" type ] [ "stride" number ] [ "virtual" ]
//! size      = "?" | sum                          the first is for people; of the others only constants are kept
//! type      = "f64" | "f32" | "f16" | "i64" | "i32" | "i16" | "i8" | "bytes" number
//! items     = { loop | condition | statement }   one a line, or with ";" between
//! loop      = "for" name [ range ] [ ":" ] block
//!           | "for" "(" { name } name "=" bound ";" name end bound ";" increment ")" block
//! range     = "=" bound ".." bound [ "step" number ]        counts from 0 upwards after parsing
//!           | "=" bound "downto" bound [ "step" number ]
//!           | "in" bound ".." bound                          keeps the iterator as it is written
//! end       = "<=" | "<" | ">=" | ">" | "!="               "!=" with steps of one, of a loop that ends
//! increment = name "++" | "++" name | name "--" | "--" name | name "+=" number | name "-=" number
//! condition = "if" rows [ ":" ] block            (or in parentheses)
//! block     = "{" items "}" | lines that are indented further, all alike
//! rows      = chain { ( "and" | "&&" | "," ) chain }
//! chain     = "true" | "false" | bound compare bound { compare bound }        compare = "<=" | "<" | ">=" | ">" | "=" | "=="
//! bound     = sum, in which "min(" bound { "," bound } ")" and "max(..)" may occur where the set stays convex
//! sum       = product { ( "+" | "-" ) product }
//! product   = { "-" } atom { "*" atom | name | "(" sum ")" | "%" number }     one factor at most is not a number
//! atom      = number | name | "(" sum ")"
//! statement = [ name ":" ] access ( "=" | "+=" | "-=" | "*=" | "/=" ) expression { attribute }
//! access    = name ( "[" "]" | { "[" sum { "," sum } "]" } )
//! expression: names, numbers, accesses, calls, parentheses, "?:" and the operators of C; kept as text
//! attribute = "@operations" number number | "@calls" number | "@on" "[" number { "," number } "]" number number | "@shared" number number number
//!           | "@from" number number | "@loaded" number | "@decided" number | "@asked" number | "@skipped" number | "@chain" number | "@any_order" | "@commutes" name | "@magnitudes" number | "@sums" number | "@by_numbers" number | "@uncounted" | "@sought" number number number
//!           | "@constants" number | "@widest" number | "@scalar" | "@text" string
//! name      = letters, digits, "_", "'" and "." inside; or anything between backquotes
//! ```
//! A negative `step` in `lo .. hi` runs from `lo` downwards and stops before `hi`. `for i` without a range is an iterator that only conditions bound. The
//! first access of a statement is its write, the others are its reads; a compound assignment reads what it writes, first. Rows of `assume` are added to
//! every domain; rows of `known` are only told. `%` is allowed where its value is a constant (`i % 2 == 0` in a loop of step 2): a domain has no dimension for
//! another one, and splitting the loop by remainders would change the order of its other statements; `for q; for r = 0 .. 2; if 2q + r <= n - 1`, with `r = 0` for the
//! guard, is the same program. Statements are called `S0`, `S1`, .. unless they say otherwise.
//!
//! **The way back.** [`print_scop`] prints any part such that reading it again gives an equal part, provided the part lists its statements in source order,
//! numbers their places from 0 without gaps, and has names without backquotes. (Other parts come back in that form.)
//!
//! **Trees** ([`print_tree`], [`parse_tree`]) have the form of [`crate::plan::print`]; **certificates** ([`print_certificate`], [`parse_certificate`]) are
//! a tree and, for each dependence, sums of rows; see [`certificate`].
//!
//! **Method.** A list of tokens with positions; recursive descent; numbers are `i128` until a row is complete; nesting is bounded. Every error says where.

pub mod certificate;
pub(crate) mod lex;
mod nest;
mod print;
mod sum;
pub mod tree;

pub use certificate::{ReadCertificate, parse_certificate, print_certificate};
pub use nest::parse_scop;
pub use print::print_scop;
pub use tree::{parse_tree, print_tree};

use thiserror::Error;

/// Text that cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct TextError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What was expected, or what is wrong.
    pub message: String,
}

/// The result of reading text.
pub type Result<T> = std::result::Result<T, TextError>;

/// Blocks and parentheses in each other that are read before they are refused, so that no text can exhaust the stack.
const MOST_DEPTH: usize = 64;

#[cfg(test)]
pub(crate) mod tests;
