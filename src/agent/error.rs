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
    /// The rules cannot be followed in the first state.
    #[error("the game cannot be begun: {0}")]
    Begin(#[from] PlayError),
    /// The sheet was not read in time.
    #[error("the sheet is not read yet")]
    Late,
    /// Someone ended the player before it could start.
    #[error("the player was ended while it read the sheet")]
    Ended,
    /// The game is over.
    #[error("the game is over, so there is no move to make")]
    Over,
    /// No legal move was found in time, or there is none.
    #[error("no legal move was found in time")]
    NoMove,
    /// A thread of the player could not be started, or came to an unforeseen end.
    #[error("the player broke down: {0}")]
    Broken(String),
}
