//! The tree of a search, or with transpositions the graph: states, moves, statistics.
//!
//! ```text
//! ids         numbers of nodes, moves and edges    tree       nodes and moves in arenas
//! columns     further statistics of moves          edges      children by joint move
//! hash_index  nodes by state, edges by joint move  lists      how arenas grow, and their bytes
//! move_stats  what is known about a move           collect    copying what is kept
//! goal_range  which goals have occurred
//! proofs      what is proven of nodes              move_ranges  ... and of moves
//! ```

mod collect;
mod columns;
mod edges;
mod goal_range;
mod hash_index;
mod ids;
mod lists;
mod move_ranges;
mod move_stats;
mod proofs;
#[expect(clippy::module_inception, reason = "the module's main type")]
mod tree;

pub(crate) use collect::{keep, mark, throw_away};
pub(crate) use columns::{BACKED_UP, BEST, ColumnSpec, MOVING, REGRET, SHARES, SQUARES};
pub(crate) use ids::{MoveId, NodeId};
pub(crate) use move_ranges::{MoveRange, move_ranges};
pub(crate) use move_stats::{MoveMerit, MoveProof, MoveStats, move_stats};
pub(crate) use proofs::{Closed, EndsAsked, PRUNED, SOLVED, ScoreRange, ScoreRanges};
pub(crate) use tree::{MoveEntry, NewNode, Tree};
