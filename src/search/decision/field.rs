//! What all moves of a role at a node have in common.

use crate::search::tree::MoveStats;

/// What a move is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Field {
    /// The most visits of a move whose score is not proven.
    pub(crate) most_visits: f64,
}

impl Field {
    /// The field of these moves.
    pub(crate) fn of<'s>(moves: impl IntoIterator<Item = &'s MoveStats>) -> Self {
        let open = moves.into_iter().filter(|stats| !stats.is_proven());
        Field { most_visits: open.map(|stats| stats.visits).fold(0.0, f64::max) }
    }
}
