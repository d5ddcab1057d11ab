//! Games for one role, solved: the highest score, a line that reaches it, and a proof.
//!
//! ```text
//! puzzle         a game for one role, its step counter, and how its states are written
//! expand         many states a step further, in lanes
//! best           the best line and the proven bound, shared by all methods
//! pace           how methods share the cores
//! method         the table of methods, one file each:
//!   breadth_first  all states, level by level, then deepen
//!   deepen         iterative deepening in little memory
//!   both_ends      forward and backward
//!   subgroups/     moves that permute, from subgroup to subgroup
//!   a_star         shortest lines, by pattern databases
//!   best_first     by estimates of heuristic/
//!   parts          parts that do not depend on each other, each by itself
//!   constraints    the condition of the goal with the fewest ways to meet it first
//!   width          IW(1), IW(2)
//!   nested, nrpa   Monte-Carlo, by playouts
//!   satisfy        the unrolled game in the SAT solver
//! goal_codes     the states of a goal, where they are few
//! portfolio      all of them side by side
//! line           lines followed in lanes and by the rules
//! ```
//!
//! A score is proven only by a search through all states, or by the SAT solver at all depths that
//! the step counter allows. Every line that is reported was replayed by the reference reasoner.

mod a_star;
mod best;
mod best_first;
mod both_ends;
mod breadth_first;
mod constraints;
mod deepen;
mod error;
mod expand;
mod goal_codes;
mod heuristic;
mod line;
mod method;
mod nested;
mod nrpa;
mod pace;
mod parts;
mod playouts;
mod portfolio;
#[expect(clippy::module_inception, reason = "the type that all methods work on")]
mod puzzle;
mod report;
mod satisfy;
mod subgroups;
mod width;

pub use best::{Best, FoundLine};
pub use error::PuzzleError;
pub use line::replay;
pub use method::{METHODS, Method};
pub use parts::independent_parts;
pub use portfolio::{PuzzleOptions, search, solve};
pub use puzzle::Puzzle;
pub use report::{MethodFigures, PuzzleReport};
