//! Which tables of fluents and moves an index belongs to.

use std::sync::atomic::{AtomicU32, Ordering};

use super::state::{Move, State};

/// Identifies the tables of fluents and moves that states and moves are indices of.
///
/// It is unique within a process, differs from run to run, and is never part of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u32);

impl TableId {
    /// An identifier for new tables, as an implementation of [`Game`](super::Game) needs it.
    pub fn unique() -> Self {
        // No memory is published with the number, so that the order does not matter. It repeats
        // after 2^32 engines.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        TableId(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// An error where the state is not one of these tables.
    #[inline]
    pub fn check_state(self, state: &State) -> Result<(), ForeignError> {
        if state.table() == self { Ok(()) } else { Err(ForeignError::State) }
    }

    /// An error where the move is not one of these tables.
    #[inline]
    pub fn check_move(self, chosen: Move) -> Result<(), ForeignError> {
        if chosen.table() == self { Ok(()) } else { Err(ForeignError::Move) }
    }

    /// An error where one of the moves is not one of these tables.
    #[inline]
    pub fn check_moves(self, moves: &[Move]) -> Result<(), ForeignError> {
        moves.iter().try_for_each(|&chosen| self.check_move(chosen))
    }
}

/// A state or a move was made by another engine, or for another sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForeignError {
    /// A state.
    #[error("the state belongs to another engine: translate it with `sentences` and `state_of`")]
    State,
    /// A move.
    #[error("the move belongs to another engine: translate it with `move_text` and `move_of`")]
    Move,
}
