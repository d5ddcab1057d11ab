//! One player of one role in one match, within its clocks.
//!
//! ```text
//! agent     the front door: start, play, stop       options  how it plays
//! starting  an agent that still reads its sheet     limits   what a reasoner may take
//! referee   what is true, what is legal              clerk    a thread that knows it
//! thinker   a thread that searches                  signals  how others end or wake it
//! builder   rules -> circuit -> program, beside     turn     what thinkers are asked, and answer
//! workplace where thinkers come from: with a circuit, or without
//! precedence lets the referee go first
//! ```
//!
//! The joint moves of the match are the truth, whatever was answered. Every thread gets all of
//! them and keeps a position of its own: the referee, for which the others make way, has a legal
//! move, and one search takes over from another by making the moves that were made before.

#[expect(clippy::module_inception, reason = "the module's one front door")]
mod agent;
mod builder;
mod clerk;
mod error;
mod limits;
mod options;
mod precedence;
mod referee;
mod signals;
mod starting;
mod thinker;
mod turn;
mod workplace;

pub use agent::{Agent, Answer, Question};
pub use clerk::Position;
pub use error::AgentError;
pub use options::{AgentOptions, AgentSettings, Log};
pub use signals::Ender;
pub use starting::Starting;
pub use turn::Origin;
