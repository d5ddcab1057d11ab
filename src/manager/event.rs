//! Events for the observer of a match.

use crate::search::Report;

/// Something that happened in a match.
#[derive(Clone, Copy, Debug)]
pub enum MatchEvent<'e> {
    /// The start clock is over.
    Start {
        /// What went wrong, by role, as it is recorded; empty if nothing did. After `CE` comes the
        /// reason.
        errors: &'e [String],
    },
    /// A state was reached.
    State {
        /// The joint moves that led to it.
        step: u64,
        /// What is true in it, sorted.
        sentences: &'e [String],
    },
    /// A joint move was made.
    Moves {
        /// Its number, counted from one.
        step: u64,
        /// The moves, by role.
        moves: &'e [String],
        /// What went wrong, by role, as it is recorded; empty if nothing did. After `CE` comes the
        /// reason.
        errors: &'e [String],
        /// The reports of the searches that found the moves, by role.
        reports: &'e [Option<Report>],
    },
}
