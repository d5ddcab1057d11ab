//! The value of a position for every role, proven.
//!
//! ```text
//! game           a position of a game, and how its states are written
//! positions      what solvers ask about states      lanes     the answers, one state in each lane
//! node           the value of one state from those after it: minimax, or a matrix
//! graph, order   all states, and an order in which those after a state come first
//! induction      values of all states
//! table          a transposition table
//! alpha_beta     alpha-beta for one role against all others      deepen   deeper and deeper
//! simultaneous   the same where both sides choose
//! by_search      score-bounded MCTS, by the search
//! solver         the method that is used, and its results        report   these results
//! ```
//!
//! The value of a role is what it can enforce against all others together. If two roles have goals
//! of a constant sum, that is the value of the game for both. Otherwise it is a lower bound, and the
//! most that the role could get an upper one. All bounds are proven: no float decides.

mod alpha_beta;
mod by_search;
mod deepen;
mod error;
mod game;
mod graph;
mod induction;
mod lanes;
mod node;
mod order;
mod positions;
mod report;
mod simultaneous;
mod solver;
mod table;
mod watch;

#[cfg(test)]
mod tests;

pub use error::SolveError;
pub use game::SolveGame;
pub use node::ValueBounds;
pub use positions::{Positions, StateAnswers};
pub use report::{MoveShare, RoleValue, Solution, SumOfGoals, SumProof};
pub use solver::{SolveOptions, Variant, solve};
pub use watch::{SolveProgress, SolveWatch};
