//! Solvers: what is known for certain about a game.
//!
//! ```text
//! best_line      games for one role: the best line so far
//! score_bounds   bounds of scores in nodes    backing   a node by its children
//! asks           which nodes are asked about    matrices  ... where opponents choose at once
//! shared         what trees tell each other
//! ```

mod asks;
mod backing;
mod best_line;
mod matrices;
mod score_bounds;
mod shared;

pub(crate) use best_line::{BestLine, ONE_ROLE, PORTFOLIO, Room};
pub(crate) use score_bounds::ScoreBounds;
#[cfg(test)]
pub(crate) use shared::GoalSum;

use super::scheme::{Part, Values};

/// All solvers; the first is the default.
pub(crate) const SOLVERS: &[&Part<MakeSolver>] = &[&best_line::PART, &score_bounds::PART];

/// Makes solvers from the values of their parameters and the number of roles.
pub(crate) type MakeSolver = fn(&Values, usize) -> Solvers;

/// The solvers of a search; none where there is nothing to do.
pub(crate) struct Solvers {
    pub(crate) best_line: Option<BestLine>,
    pub(crate) score_bounds: Option<ScoreBounds>,
}
