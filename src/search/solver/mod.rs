//! Solvers: what is known for certain about a game.

mod best_line;

pub(crate) use best_line::{BestLine, Room};

use super::scheme::{Part, Values};

/// All solvers; the first is the default.
pub(crate) const SOLVERS: &[&Part<MakeSolver>] = &[&best_line::PART];

/// Makes a solver from the values of its parameters and the number of roles; none where it has
/// nothing to do.
pub(crate) type MakeSolver = fn(&Values, usize) -> Option<BestLine>;
