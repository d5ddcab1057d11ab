//! GDL rule sheets to games that can be played: pure, deterministic, without I/O.
//!
//! Data moves one way, and each stage sees only the one before it:
//!
//! ```text
//! text -> gdl::Rules -> ground::GroundRules -> circuit::Circuit -> program::Program -> lanes
//!                   \-> reference::Reasoner (the slow, obvious judge)
//! ```

pub mod circuit;
mod components;
pub mod game;
pub mod gdl;
pub mod ground;
pub mod lanes;
pub mod machine;
pub mod names;
pub mod program;
pub mod reference;
pub mod terms;
