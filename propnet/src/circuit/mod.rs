//! GroundRules -> Circuit: one flat, hash-consed network of AND gates with complemented edges.
//!
//! After this stage no rule exists: fluents and moves are inputs, and what is legal, next, a goal
//! or the end are outputs. Recursion is resolved into gates, or into blocks that are repeated.

mod budget;
mod build;
#[expect(clippy::module_inception, reason = "the stage's one value")]
mod circuit;
mod cones;
pub mod diagram;
mod equivalent;
mod evaluate;
mod exclusive;
mod game;
mod labels;
mod loops;
mod needs;
mod network;
pub mod optimize;
pub mod plan;
mod print;
mod rebuild;
mod schedule;
mod solver;
mod stats;

pub use budget::WorkBudget;
pub use build::{CircuitError, build, build_labelled, build_with};
pub use circuit::{
    Circuit, FluentKind, FluentPort, GoalPort, Group, Loop, LoopMember, MovePort, Resolved, Way,
};
pub use cones::{Cone, Cones};
pub use evaluate::Values;
pub use exclusive::Exclusive;
pub use game::CircuitGame;
pub use labels::{Label, Mark};
pub use loops::LoopChoice;
pub use needs::Needs;
pub use network::{Gate, Network, Signal};
pub use print::print_circuit;
pub(crate) use rebuild::cone;
pub use schedule::{Schedule, Stretch};
pub use stats::{
    Bucket, CircuitStats, ClassicStats, ConeStats, FluentStats, GroupStats, LoopStats, MoveStats,
};
