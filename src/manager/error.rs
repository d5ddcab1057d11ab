//! What keeps a match from being played at all.

use std::io;

use propnet::game::PlayError;

/// Why a match cannot be played. Mistakes of players are not such errors.
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
    /// The game cannot be evaluated in its first state.
    #[error("the game cannot begin: {0}")]
    Begin(#[from] PlayError),
    /// The match cannot be recorded.
    #[error("the match cannot be recorded: {0}")]
    Record(#[source] io::Error),
    /// The observer returned an error.
    #[error("the match cannot be shown: {0}")]
    Observer(#[source] io::Error),
    /// The system cannot start a thread for a player.
    #[error("a player cannot be started: {0}")]
    PlayerThread(#[source] io::Error),
}
