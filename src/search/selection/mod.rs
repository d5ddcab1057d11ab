//! Selection: which known move a role chooses in a node. One file for each scheme.
//!
//! A scheme implements [`Choose`]. The descent is compiled for each scheme, so that a scheme pays
//! only for what it does; which one runs is decided once in a descent, by [`Selection`].

mod descend;
mod uct;
mod uniform;

use std::ops::Range;

use propnet::game::Role;
use rand_pcg::Pcg64;

use descend::descend;
pub(crate) use descend::{Descent, Leaf, Reach};

use super::scheme::{Part, Values};
use super::tree::{ColumnSpec, MoveEntry, Tree};

/// All selection schemes; the first is the usual one.
pub(crate) const SELECTIONS: &[&Part<MakeSelection>] = &[&uct::PART, &uniform::PART];

/// Makes a selection scheme from the values of its parameters.
pub(crate) type MakeSelection = fn(&Values) -> Box<dyn Selection>;

/// A role's moves in a node of a tree.
pub(crate) struct NodeMoves<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) role: Role,
    /// Where the moves are in the tree's list; there are at least two.
    pub(crate) span: Range<usize>,
    /// The visits of the node before this simulation.
    pub(crate) visits: f64,
}

impl<'t> NodeMoves<'t> {
    /// The moves with their statistics.
    pub(crate) fn moves(&self) -> &'t [MoveEntry] {
        &self.tree.moves[self.span.clone()]
    }
}

/// A selection scheme.
pub(crate) trait Choose: Send + Sync {
    /// Whether it chooses by statistics, so that moves never tried are handled separately and a
    /// simulation in flight counts as a loss.
    const USES_STATISTICS: bool = true;

    /// The statistics it needs beside visits and totals.
    const COLUMNS: &'static [ColumnSpec] = &[];

    /// The index of the chosen move. With statistics, every move was tried.
    fn choose(&self, node: &NodeMoves, rng: &mut Pcg64) -> usize;
}

/// A selection scheme as a search holds it.
pub(crate) trait Selection: Send + Sync {
    /// Chooses moves from the root to a leaf.
    fn descend(&self, descent: &mut Descent) -> Leaf;

    /// See [`Choose::USES_STATISTICS`].
    fn uses_statistics(&self) -> bool;

    /// See [`Choose::COLUMNS`].
    fn columns(&self) -> &'static [ColumnSpec];
}

impl<C: Choose> Selection for C {
    fn descend(&self, descent: &mut Descent) -> Leaf {
        descend(self, descent)
    }

    fn uses_statistics(&self) -> bool {
        C::USES_STATISTICS
    }

    fn columns(&self) -> &'static [ColumnSpec] {
        C::COLUMNS
    }
}
