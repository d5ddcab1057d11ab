//! Program -> Lanes: the only part of an engine that changes while it plays.

mod batch;
mod game;
mod portable;
mod word;

pub use batch::Batch;
pub use game::LanesGame;
pub use portable::run;
pub use word::Word;
