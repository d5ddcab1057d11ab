//! Program -> Lanes: the only part of an engine that changes while it plays.

mod batch;
mod code;
mod game;
mod harvest;
mod portable;
mod refill;
mod totals;
mod word;

pub use batch::Batch;
pub use code::{Backend, Code};
pub use game::LanesGame;
pub use portable::run;
pub use totals::{Playouts, Totals};
pub use word::Word;
