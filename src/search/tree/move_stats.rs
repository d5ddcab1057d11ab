//! What trees know about a move.

use propnet::game::{Move, Role};

use super::columns::BEST;
use super::ids::{MoveId, NodeId};
use super::tree::Tree;

/// The statistics of a move in a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MoveStats {
    pub(crate) what: Move,
    pub(crate) visits: f64,
    pub(crate) total: f64,
    /// The highest score; only where the best line is searched for.
    pub(crate) best: Option<f64>,
}

impl MoveStats {
    /// The sum with what another tree knows about the same move.
    pub(crate) fn plus(self, other: MoveStats) -> MoveStats {
        MoveStats {
            what: self.what,
            visits: self.visits + other.visits,
            total: self.total + other.total,
            best: self.best.into_iter().chain(other.best).reduce(f64::max),
        }
    }

    /// The mean score; none if it was never tried.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.visits > 0.0).then(|| self.total / self.visits)
    }
}

/// What a tree knows about a role's moves in a node, in their order.
pub(crate) fn move_stats(tree: &Tree, node: NodeId, role: Role) -> impl Iterator<Item = MoveStats> {
    let best = tree.columns.get(BEST);
    tree.span(node, role).map(move |at| {
        let entry = &tree.moves[at];
        let best = best.map(|best| best[at]);
        MoveStats {
            what: tree.what(MoveId::new(at)),
            visits: entry.visits,
            total: entry.total,
            best,
        }
    })
}
