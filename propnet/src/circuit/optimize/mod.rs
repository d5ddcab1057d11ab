//! Circuit -> smaller Circuit: one pass per file, each switched on and off by name.
//!
//! A pass may use what a circuit's inputs are (a reachable state and one legal move of each role);
//! for all such inputs the ports say the same before and after.

mod balance;
mod dead;
mod equal;
mod exclusive;
mod factor;
mod flatten;
mod frame;
mod groups;
mod implied;
mod known;
mod never;
mod pairs;
mod pass;
mod prove;
mod redundant;
mod share;
mod simulate;
mod superfluous;
mod turns;

pub use pass::{Params, Pass, Size, Stats, UnknownPass, parse_passes};
pub(super) use simulate::Simulator;
