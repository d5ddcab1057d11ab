//! Circuit -> Program: the operations of a step on words, without graph and names.

mod op;

pub use op::{Block, Feedback, Op, Routine, Slot, Space, table};
