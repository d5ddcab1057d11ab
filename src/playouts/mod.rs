//! Random playouts in large numbers, on all cores: statistics of random play.
//!
//! ```text
//! play        a program and a budget -> totals, by threads that share the program
//! codes       what runs the program: portable at once, compiled as soon as it is ready
//! queue       job numbers, handed out in portions
//! statistics  totals -> means, errors and distributions
//! ```
//!
//! A playout depends on the seed and its job number alone, so the totals of a number of playouts
//! are the same for any number of threads and lanes, on any back end, and whenever one back end
//! takes over from another.

mod codes;
mod play;
mod queue;
mod statistics;

pub use codes::Codes;
pub use play::{Played, PlayoutBudget, PlayoutPlan, PlayoutsError, play};
pub use statistics::{GoalShare, Lengths, RoleGoals, Statistics};
