//! Routines as x86-64 machine code, made at run time.
//!
//! Data moves one way here too, and every stage but the last is pure:
//!
//! ```text
//! Routine -> lift: values -> allocate: instructions -> encode: Code -> Executable
//! ```
//!
//! Lifting forgets the slots between the operations, so that a value which is made and used up
//! inside a routine need never be in memory. Allocation gives values registers, and memory only
//! where there are too few of them. `MachineCode` can be made and read on any machine; it becomes
//! executable only where the processor has its instructions. All `unsafe` is in `executable.rs`.
//!
//! Beside it is the one thing in a step that is no routine: the choice by weights, in vectors of
//! whole numbers (`weigher`).

mod allocate;
mod assemble;
mod bases;
mod encode;
mod error;
mod executable;
mod forms;
mod instruction;
mod level;
mod lift;
mod lower;
mod registers;
mod segments;
mod tables;
mod weigher;
mod windows;

pub(crate) use assemble::assemble_while;
pub use assemble::{MachineCode, assemble};
pub use error::MachineError;
pub use executable::{Executable, Task, at_full_speed};
pub use level::Level;
pub use weigher::{CaseLists, CaseWeigher, SECTIONS, VectorOffer, VectorWeigher};
