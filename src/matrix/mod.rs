//! Two-player matrix games of constant sum: values, optimal mixed strategies, dominated moves.
//!
//! The row player maximises, the column player minimises. A matrix is a slice, row after row, of
//! integers in units of [`POINT`].
//!
//! No float is a proof. A simplex in floats only proposes strategies; they are rounded to integer
//! weights, and what they secure is computed exactly: a lower bound is what the row player's mix
//! gets against its worst column, rounded down, and an upper bound what the column player's mix
//! concedes to the best row, rounded up. A poor proposal makes bounds loose, never wrong.

mod dominance;
mod intervals;
mod simplex;
mod solver;

#[cfg(test)]
mod rational;
#[cfg(test)]
mod tests;

pub use intervals::{Intervals, Pruner};
pub use solver::{Equilibrium, MatrixSolver};

/// The units of a point: bounds are whole numbers of this fraction of a goal point. Goals from
/// 0 to 127 fit into 32 bits in these units. Where the value of a matrix is no multiple of the
/// unit its bounds differ, by two units at most if the proposed strategies are good, and the
/// bounds of a tree of such matrices by two for each level.
pub const POINT: i64 = 1 << 24;

/// How far apart two bounds may be to count as one value: a thousandth of a point, which many
/// thousand levels of rounding do not reach.
pub const SAME: i64 = POINT / 1000;
