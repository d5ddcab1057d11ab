//! Counting move sequences, the test that proves a set of rules.
//!
//! Levels are walked breadth-first over distinct states, each with the number of sequences that
//! lead to it, so a game whose states repeat costs its states and not its sequences.
//!
//! ```text
//! level   what is counted            store   distinct states, in few bytes each
//! game    by one state at a time     lanes   by as many states at once as there are lanes
//! soonest the first, until there are lanes   later   lanes made while somebody counts
//! count   whichever of these is asked for    divide  apart for each first move
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
