//! What keeps a match from being played at all.

use std::io;

use propnet::game::PlayError;

/// Why there is no match. What players do wrong is no such error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManagerError {
    /// There are more or fewer players than roles.
    #[error("there are {players} players, but the game has {} roles: {}", roles.len(), roles.join(", "))]
    PlayerCount {
        /// The players.
        players: usize,
        /// The roles.
        roles: Vec<String>,
    },
    /// The game does not get as far as its first state.
    #[error("the game cannot be begun: {0}")]
    Begin(#[from] PlayError),
    /// The match cannot be written down.
    #[error("the match cannot be recorded: {0}")]
    Record(#[source] io::Error),
    /// Those who watch cannot be told.
    #[error("the match cannot be shown: {0}")]
    Watch(#[source] io::Error),
    /// A player gets no thread.
    #[error("a player cannot be started: {0}")]
    Seat(#[source] io::Error),
}
