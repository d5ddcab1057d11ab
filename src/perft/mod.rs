//! Counts move sequences: the standard test of a set of rules.
//!
//! Levels are walked breadth-first over distinct states, each with the number of sequences that
//! lead to it, so the cost depends on the number of states and not of sequences.
//!
//! ```text
//! level   the counts of one depth              store   distinct states, in few bytes each
//! game    counting one state at a time         lanes   counting one state per lane
//! soonest `game` until lanes are ready         later   lanes made during a count
//! count   the choice between these             divide  counts for each first move
//! ```

mod count;
mod divide;
mod game;
mod joint;
mod lanes;
mod later;
mod level;
mod soonest;
mod store;

pub use count::{Counter, Means, count};
pub use divide::{Branch, divide};
pub use game::Perft;
pub use lanes::LanesPerft;
pub use later::LanesLater;
pub use level::{Level, PerftError};
