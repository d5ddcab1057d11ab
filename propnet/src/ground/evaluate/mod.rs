//! GroundRules as a game, by plain evaluation of the rules: the judge of the stages after it.
//!
//! It knows nothing of circuits and keeps no clever order: atoms are sorted so that each is
//! computed after all it depends on, loops are fixpoints, and one state is held at a time.

mod game;
mod order;
mod tables;
mod values;

pub use game::GroundGame;
