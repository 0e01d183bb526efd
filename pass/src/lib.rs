//! The LLVM side of loopwright: reads loop nests out of IR, has them analysed and scheduled, writes the result back.
//!
//! ```text
//! LLVM IR --raise--> Scop --(scheduler)--> LegalSchedule --(codegen)--> Ast --lower--> LLVM IR
//! ```
//! [`driver`] is the list of these calls. Only [`llvm`] holds `unsafe`.

#![deny(unsafe_code)]

pub mod driver;
pub mod llvm;
pub mod lower;
pub mod narrow;
pub mod options;
pub mod planner;
pub mod raise;
pub mod remarks;
pub mod stats;
pub mod traversal;

/// A third of the time of analysis was memory from the C library: rows are many and short-lived.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
