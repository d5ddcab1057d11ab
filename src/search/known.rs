//! What is known about a move, and which move is the most promising.

use std::cmp::Ordering;

use propnet::game::{Move, Role};

use super::tree::Tree;

/// What trees know about a move in a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    pub(super) what: Move,
    pub(super) visits: f64,
    total: f64,
    /// The highest score; only in games for one role.
    pub(super) best: Option<f64>,
}

impl Known {
    /// What a tree knows about the move at a place.
    fn at(tree: &Tree, at: usize) -> Self {
        let choice = &tree.moves[at];
        let best = tree.best.get(at).map(|&best| f64::from(best));
        Known { what: choice.what, visits: choice.visits, total: choice.total, best }
    }

    /// What is known together with what another tree knows about the same move.
    pub(super) fn plus(self, other: Known) -> Known {
        Known {
            what: self.what,
            visits: self.visits + other.visits,
            total: self.total + other.total,
            best: self.best.into_iter().chain(other.best).reduce(f64::max),
        }
    }

    /// The average score; none if it was never tried.
    pub(super) fn average(&self) -> Option<f64> {
        (self.visits > 0.0).then(|| self.total / self.visits)
    }

    /// The more promising one first: that with the highest score, then with the highest average.
    pub(super) fn compare(&self, other: &Known) -> Ordering {
        let (a, b) = (self.merit(), other.merit());
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2))
    }

    fn merit(&self) -> (f64, f64, f64) {
        let average = self.average().unwrap_or(f64::NEG_INFINITY);
        // A move without a score that is sure is no worse than one that is sure of nothing.
        (self.best.map_or(0.0, |best| best.max(0.0)), average, self.visits)
    }
}

/// What a tree knows about a role's moves in a node, in their order.
pub(super) fn known(tree: &Tree, node: u32, role: Role) -> impl Iterator<Item = Known> {
    tree.span(node, role).map(|at| Known::at(tree, at))
}
