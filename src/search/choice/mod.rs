//! Which scheme plays a game: `auto` starts from one that is safe, and lets others play against it.
//!
//! ```text
//! profile     random walks -> what kind of game it is    race      points -> the next games, the winner
//! candidates  which schemes a kind of game is worth      chooser   plays the games of a race
//! ```
//!
//! Over many games no playout scheme is safe as a fixed default: each helps in some and hurts in others, and
//! gains shrink as the budget grows. So a candidate takes the place of the base only where it is
//! better beyond noise in games that are played before the match, or in its first turns.

mod candidates;
mod chooser;
mod profile;
mod race;

pub use chooser::{ChoiceEffort, Chooser, GameFor};
