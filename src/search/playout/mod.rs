//! Playouts: what makes them, and what they run on.
//!
//! ```text
//! program    a circuit -> what lanes run      simulator  what makes playouts
//! lanes      many at once                     plain      one after the other, on any game
//! replay     moves made again in lanes        ends       where games end after one more move
//! ```

mod ends;
mod lanes;
mod plain;
mod program;
mod replay;
mod simulator;

#[cfg(test)]
pub(crate) use plain::PlainSimulator;
pub use program::{GameMaker, SearchGame};
#[cfg(test)]
pub(crate) use simulator::End;
pub(crate) use simulator::{
    Effort, EndQuestion, Line, SharedLanes, Simulator, first_node, goals_of, new_node,
};
