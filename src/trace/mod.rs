//! Recorded playouts: their format, how they are made, and the texts and hashes they hold.
//!
//! A trace holds lower-case sentences sorted bytewise, so that two traces of the same playout are
//! the same text whichever engine made them.

mod format;
mod record;
mod text;

pub use format::{RecordedPlayout, RecordedStep, Trace};
pub use record::record;
pub use text::{hash_contents, hash_each, hash_lines, legal_lines, sorted_moves, sorted_sentences};
