//! Selection: which known move a role chooses in a node. One file for each scheme.
//!
//! ```text
//! uct, uniform, ucb_tuned, max  base schemes           adjustment/   parts that change their values
//! regret_matching  for simultaneous moves
//! bounds   bounds in two terms, with adjustments   descend       from the root to a leaf
//! ```
//!
//! A scheme implements [`Choose`]. The descent is compiled for each scheme, so that a scheme pays
//! only for what it does; which one runs is decided once in a descent, by [`Selection`].

mod adjustment;
mod bounds;
mod descend;
mod max;
mod regret_matching;
mod ucb_tuned;
mod uct;
mod uniform;

use std::ops::Range;

use propnet::game::Role;
use rand_pcg::Pcg64;

pub(crate) use adjustment::{ADJUSTMENTS, Adjustment, MakeAdjustment};
use descend::descend;
pub(crate) use descend::{Descent, Leaf, Reach};
pub(crate) use uct::C;

use super::scheme::{Part, Values};
use super::tree::{Closed, ColumnSpec, MoveEntry, MoveId, NodeId, Tree};
use super::tree_search::Simulation;

/// All selection schemes; the first is the default.
pub(crate) const SELECTIONS: &[&Part<MakeSelection>] =
    &[&uct::PART, &ucb_tuned::PART, &max::PART, &regret_matching::PART, &uniform::PART];

/// Makes a selection scheme from the values of its parameters and what adjusts its bounds.
pub(crate) type MakeSelection = fn(&Values, Vec<Box<dyn Adjustment>>) -> Box<dyn Selection>;

/// A role's moves in a node of a tree.
pub(crate) struct NodeMoves<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) role: Role,
    /// Where the moves are in the tree's list; there are at least two.
    pub(crate) span: Range<usize>,
    /// The visits of the node before this simulation.
    pub(crate) visits: f64,
    /// The nodes from the root to this one.
    pub(crate) path: &'t [NodeId],
    /// The moves on the way, level by level, each a move of every role.
    pub(crate) chosen: &'t [MoveId],
    /// Moves that are not to be chosen; at least one other is there.
    pub(crate) closed: Closed<'t>,
}

/// What a scheme chooses.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    /// The index of the move.
    pub(crate) at: usize,
    /// Its bound.
    pub(crate) bound: f64,
}

impl<'t> NodeMoves<'t> {
    /// The moves with their statistics.
    pub(crate) fn moves(&self) -> &'t [MoveEntry] {
        &self.tree.moves[self.span.clone()]
    }

    /// Whether several roles choose in the node.
    pub(crate) fn several_choose(&self) -> bool {
        self.path.last().is_some_and(|&node| self.tree.several_choose(node))
    }

    /// The indices of the moves that may be chosen.
    pub(crate) fn open(&self) -> impl Iterator<Item = usize> + Clone {
        let closed = self.closed;
        (0..self.span.len()).filter(move |&at| !closed.has(at))
    }

    /// The indices of those that were never tried.
    pub(crate) fn untried(&self) -> impl Iterator<Item = usize> + Clone {
        let moves = self.moves();
        self.open().filter(|&at| moves[at].visits == 0.0)
    }
}

/// A selection scheme.
pub(crate) trait Choose: Send + Sync {
    /// Whether it chooses by statistics, so that moves never tried are handled separately and a
    /// simulation in flight counts as a loss.
    const USES_STATISTICS: bool = true;

    /// The chosen move, not a closed one. With statistics at least one move was tried, and one of
    /// those is chosen.
    fn choose(&self, node: &NodeMoves, rng: &mut Pcg64) -> Choice;

    /// The statistics that it and its adjustments need besides visits and totals.
    fn columns(&self) -> Vec<ColumnSpec> {
        Vec::new()
    }

    /// What adjusts its bounds.
    fn adjustments(&mut self) -> &mut [Box<dyn Adjustment>] {
        &mut []
    }

    /// Learns from a simulation that was backed up.
    fn learn(&self, _tree: &mut Tree, _simulation: &Simulation) {}

    /// Weights for a role's moves at the root, if it chooses among them at random; none where one is
    /// to be chosen by its statistics.
    fn mixture(&self, _tree: &Tree, _role: Role) -> Option<Vec<f64>> {
        None
    }

    /// How many samples of all moves as first its adjustments have taken.
    fn amaf_samples(&self) -> u64 {
        0
    }
}

/// A selection scheme as a search holds it.
pub(crate) trait Selection: Send + Sync {
    /// Chooses moves from the root to a leaf.
    fn descend(&self, descent: Descent) -> Leaf;

    /// See [`Choose::USES_STATISTICS`].
    fn uses_statistics(&self) -> bool;

    /// See [`Choose::columns`].
    fn columns(&self) -> Vec<ColumnSpec>;

    /// See [`Choose::adjustments`].
    fn adjustments(&mut self) -> &mut [Box<dyn Adjustment>];

    /// See [`Choose::learn`].
    fn learn(&self, tree: &mut Tree, simulation: &Simulation);

    /// See [`Choose::mixture`].
    fn mixture(&self, tree: &Tree, role: Role) -> Option<Vec<f64>>;

    /// See [`Choose::amaf_samples`].
    fn amaf_samples(&self) -> u64;
}

impl<C: Choose> Selection for C {
    fn descend(&self, descent: Descent) -> Leaf {
        descend(self, descent)
    }

    fn uses_statistics(&self) -> bool {
        C::USES_STATISTICS
    }

    fn columns(&self) -> Vec<ColumnSpec> {
        Choose::columns(self)
    }

    fn adjustments(&mut self) -> &mut [Box<dyn Adjustment>] {
        Choose::adjustments(self)
    }

    fn learn(&self, tree: &mut Tree, simulation: &Simulation) {
        Choose::learn(self, tree, simulation);
    }

    fn mixture(&self, tree: &Tree, role: Role) -> Option<Vec<f64>> {
        Choose::mixture(self, tree, role)
    }

    fn amaf_samples(&self) -> u64 {
        Choose::amaf_samples(self)
    }
}
