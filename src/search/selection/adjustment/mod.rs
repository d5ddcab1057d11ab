//! Adjustments: parts that change the bounds of a base scheme before the highest is chosen. One file
//! for each; they can be combined, one of each kind.
//!
//! ```text
//! moving_average   values that follow news           rave, grave    values of all moves as first
//! sufficiency      no exploration while one is good  amaf           which moves were made later
//! bias             a prior from the rules of goals    captures       the example of CONTRIBUTING.md
//! proof_numbers    how near a proof of a win is
//! ```

mod amaf;
mod bias;
#[cfg(test)]
mod captures;
mod grave;
mod moving_average;
mod proof_numbers;
mod rave;
mod sufficiency;
#[cfg(test)]
mod tests;

use propnet::game::{Game, PlayError};

use super::NodeMoves;
use super::bounds::Terms;
use crate::search::policy::Finished;
use crate::search::scheme::{Part, Values};
use crate::search::tree::{ColumnSpec, MoveId, NodeId, Tree};
use crate::search::tree_search::Simulation;

/// All adjustments, in the order in which they change bounds.
pub(crate) const ADJUSTMENTS: &[&Part<MakeAdjustment>] = &[
    &moving_average::PART,
    &rave::PART,
    &grave::PART,
    &bias::PART,
    &proof_numbers::PART,
    #[cfg(test)]
    &captures::PART,
    &sufficiency::PART,
];

/// Makes an adjustment.
pub(crate) struct MakeAdjustment {
    /// What it adjusts; of each kind a search has one at most.
    pub(crate) kind: &'static str,
    /// Whether the most visited move is played unless a strategy says otherwise: where moves are
    /// visited by other values than their means, a high mean may be that of one lucky visit.
    pub(crate) plays_most_visited: bool,
    /// Makes it from the values of its parameters.
    pub(crate) make: fn(&Values) -> Box<dyn Adjustment>,
}

/// An adjustment, and what it learns.
pub(crate) trait Adjustment: Send + Sync {
    /// The statistics it needs besides visits and totals.
    fn columns(&self) -> &'static [ColumnSpec] {
        &[]
    }

    /// Changes the terms of a node's moves.
    fn adjust(&self, node: &NodeMoves, terms: &mut Terms);

    /// The least share of a difference by which moving averages change; none where there are none.
    fn least_step(&self) -> Option<f64> {
        None
    }

    /// Gets ready for a game.
    fn prepare(&mut self, _game: &mut dyn Game) {}

    /// A joint move of a node leads to this child from now on.
    fn link(
        &mut self,
        _tree: &mut Tree,
        _node: NodeId,
        _joint: &[MoveId],
        _child: NodeId,
        _game: &mut dyn Game,
    ) -> Result<(), PlayError> {
        Ok(())
    }

    /// Whether it learns from the moves of playouts.
    fn learns(&self) -> bool {
        false
    }

    /// Learns from a finished simulation.
    fn learn(&mut self, _tree: &mut Tree, _simulation: &Simulation, _finished: &Finished) {}

    /// A simulation is over; its scores and what is proven on its path are backed up already.
    fn back_up(&mut self, _tree: &mut Tree, _simulation: &Simulation) {}

    /// Another state becomes the root.
    fn change_root(&mut self) {}

    /// How many samples of all moves as first it has taken.
    fn amaf_samples(&self) -> u64 {
        0
    }
}
