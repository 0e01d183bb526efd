//! From a proved schedule tree to a loop AST, and everything about loops that can be said without LLVM.
//!
//! ```text
//! LegalSchedule --generate--> Ast (tiled, full tiles split off) --hold cells in registers--> Ast --jam--> Ast (micro-kernels) --start sums in registers--> Ast --contract--> Ast --print--> text
//! ```
//!
//! [`interpret`] runs an [`ast::Ast`] on paper: the oracle of this crate.

#![forbid(unsafe_code)]

pub mod ast;
pub mod contract;
pub mod footprint;
pub mod generate;
pub mod interpret;
pub mod jam;
pub mod joined;
pub mod lanes;
pub mod print;
pub mod registers;
mod sets;
pub mod starts;
