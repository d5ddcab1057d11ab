//! One player of one role in one match, within its clocks.
//!
//! ```text
//! agent             start, play, stop                options         how it plays
//! starting_agent    an agent that is reading its sheet   limits      bounds of a reasoner
//! match_tracker     what is true, what is legal      position_tracker  the same on one engine
//! search_thread     rules -> a search, on the circuit or the reasoner
//! search_worker     turns -> answers, in its thread  turn            questions and answers
//! builder           rules -> circuit -> program      signals         wake and stop a worker
//! scheme_choice     contests between schemes, in a share of the first turns (strategy auto)
//! puzzle_thread     rules -> a puzzle, its turns -> answers (games for one role)
//! line_hunt         the portfolio of src/puzzle, from one state of the match on
//! answers           which of all answers counts
//! precedence        lets the others wait for the match tracker
//! sheet             the rules, as text or parsed
//! ```
//!
//! The joint moves of the match are the truth, whatever was answered. Every thread gets all of
//! them and keeps a position of its own. The match tracker has precedence and knows a legal move. The
//! search on the circuit takes over from the search on the reasoner by making all moves so far.

#[expect(clippy::module_inception, reason = "the module's main type")]
mod agent;
mod answers;
mod builder;
mod error;
mod limits;
mod line_hunt;
mod match_tracker;
mod options;
mod position_tracker;
mod precedence;
mod puzzle_thread;
mod scheme_choice;
mod search_thread;
mod search_worker;
mod sheet;
mod signals;
mod starting_agent;
mod turn;

pub use agent::{Agent, Answer, Question};
pub use error::AgentError;
pub use options::{AgentOptions, AgentSettings, Log};
pub use position_tracker::Position;
pub use sheet::Sheet;
pub use signals::StopHandle;
pub use starting_agent::StartingAgent;
pub use turn::Origin;
