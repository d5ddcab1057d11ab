//! What can go wrong with a player.

use propnet::game::PlayError;
use propnet::gdl::SheetError;

/// Why there is no player, or no move.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The sheet cannot be played.
    #[error("the sheet cannot be played: {}", .0.brief())]
    Sheet(#[from] SheetError),
    /// The game has no such role.
    #[error("the game has no role {role}; its roles are {}", known.join(", "))]
    Role {
        /// The role that was asked for.
        role: String,
        /// The roles there are.
        known: Vec<String>,
    },
    /// The rules cannot be evaluated in the first state.
    #[error("the game cannot begin: {0}")]
    Begin(#[from] PlayError),
    /// The sheet was not read in time.
    #[error("the sheet has not been read yet")]
    Late,
    /// The player was stopped before it had started.
    #[error("the player was stopped while it read the sheet")]
    Stopped,
    /// The game is over.
    #[error("the game is over, so there is no move to make")]
    Over,
    /// No legal move was found in time, or there is none.
    #[error("no legal move was found in time")]
    NoMove,
    /// A thread of the player could not be started, or panicked.
    #[error("the player failed: {0}")]
    Broken(String),
}
