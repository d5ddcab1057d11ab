//! What answers questions about states: the reference reasoner, or a circuit.

use propnet::game::Game;
use propnet::reference::{Limits, Reasoner};

use crate::search::Search;

/// What a reference reasoner may take for a match: each has two of them, one that follows the match
/// and one that searches. Of the sheets of the field the largest takes 100 MB.
pub(super) const LIMITS: Limits =
    Limits { facts: 20_000_000, bytes: 256 << 20, work: 5_000_000_000 };

/// Whatever has a game that answers questions.
pub(super) trait Rulebook {
    fn game(&mut self) -> &mut dyn Game;
}

/// The game of a search, which need not be run for that.
impl Rulebook for Search {
    fn game(&mut self) -> &mut dyn Game {
        Search::game(self)
    }
}

impl Rulebook for Reasoner {
    fn game(&mut self) -> &mut dyn Game {
        self
    }
}
