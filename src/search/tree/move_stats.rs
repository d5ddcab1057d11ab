//! What trees know about a move.

use propnet::game::{Move, Role};

use super::columns::BEST;
use super::ids::{MoveId, NodeId};
use super::move_ranges::{MoveRange, move_ranges};
use super::proofs::{PRUNED, ScoreRange};
use super::tree::Tree;

/// The statistics of a move in a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MoveStats {
    pub(crate) what: Move,
    pub(crate) visits: f64,
    pub(crate) total: f64,
    /// The highest score; only where the best line is searched for.
    pub(crate) best: Option<f64>,
    /// What is proven of it, where anything is.
    pub(crate) proof: Option<MoveProof>,
    /// What the rule of decision knows beyond these.
    pub(crate) merit: Option<MoveMerit>,
}

/// What a rule of decision knows about a move by the nodes after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MoveMerit {
    pub(crate) quality: f64,
    /// The mean score of the same move in all nodes.
    pub(crate) history: f64,
}

impl MoveMerit {
    /// The mean of both, weighted by visits.
    fn and(self, own: f64, other: MoveMerit, visits: f64) -> MoveMerit {
        // What was never tried has no quality.
        let mean = |one: f64, two: f64| match (own > 0.0, visits > 0.0) {
            (true, true) => (own * one + visits * two) / (own + visits),
            (true, false) => one,
            (false, _) => two,
        };
        MoveMerit {
            quality: mean(self.quality, other.quality),
            history: mean(self.history, other.history),
        }
    }
}

/// What is proven of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MoveProof {
    /// In points: what it secures, and what it gives at most.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// The joint moves to the end, where all of them are proven.
    pub(crate) plies: Option<u16>,
    /// Whether it is dominated where several choose.
    pub(crate) is_dominated: bool,
}

impl MoveProof {
    fn of(found: &MoveRange, is_dominated: bool) -> Option<Self> {
        let range = found.range();
        let [lower, upper] = range.points();
        let plies = found.plies();
        let is_known = range != ScoreRange::ANY || plies.is_some() || is_dominated;
        is_known.then_some(MoveProof { lower, upper, plies, is_dominated })
    }

    /// What both say.
    fn and(self, other: MoveProof) -> MoveProof {
        MoveProof {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
            plies: self.plies.or(other.plies),
            is_dominated: self.is_dominated || other.is_dominated,
        }
    }
}

impl MoveStats {
    /// The sum with what another tree knows about the same move.
    pub(crate) fn plus(self, other: MoveStats) -> MoveStats {
        MoveStats {
            what: self.what,
            visits: self.visits + other.visits,
            total: self.total + other.total,
            best: self.best.into_iter().chain(other.best).reduce(f64::max),
            proof: self.proof.into_iter().chain(other.proof).reduce(MoveProof::and),
            merit: match (self.merit, other.merit) {
                (Some(one), Some(two)) => Some(one.and(self.visits, two, other.visits)),
                (one, two) => one.or(two),
            },
        }
    }

    /// Whether its score is proven.
    pub(crate) fn is_proven(&self) -> bool {
        self.proof.is_some_and(|proof| proof.lower == proof.upper)
    }

    /// The mean score; none if it was never tried.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.visits > 0.0).then(|| self.total / self.visits)
    }
}

/// What a tree knows about a role's moves in a node, in their order.
pub(crate) fn move_stats(tree: &Tree, node: NodeId, role: Role) -> impl Iterator<Item = MoveStats> {
    let best = tree.columns.get(BEST);
    let mut ranges = Vec::new();
    if tree.proof(node).is_some() {
        move_ranges(tree, node, &mut ranges);
    }
    let first = tree.span(node, role).start;
    // Where one role chooses, what is proven says it all.
    let flags = if tree.chooser(node).is_some() { &[] } else { tree.flags(node, role) };
    tree.span(node, role).map(move |at| {
        let is_dominated = flags.get(at - first).is_some_and(|flags| flags & PRUNED != 0);
        let range = ranges.get(role).map(|own| &own[at - first]);
        let entry = &tree.moves[at];
        let best = best.map(|best| best[at]);
        MoveStats {
            what: tree.what(MoveId::new(at)),
            visits: entry.visits,
            total: entry.total,
            best,
            proof: range.and_then(|found| MoveProof::of(found, is_dominated)),
            merit: None,
        }
    })
}
