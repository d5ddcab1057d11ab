//! What can go wrong while a game is played.

use super::table::ForeignError;
use crate::gdl::Place;

/// The place of a rule in the sheet.
pub type RulePlace = Place;

/// What the rules of a game, or a caller, can get wrong while a game is played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// A role cannot move although the game is not over.
    #[error("role {role} has no legal move in a state that is not terminal")]
    NoLegalMove {
        /// The role.
        role: String,
    },
    /// A role has no goal value in a state.
    #[error("role {role} has no goal value in this state")]
    NoGoal {
        /// The role.
        role: String,
    },
    /// A role has more than one goal value in a state.
    #[error("role {role} has several goal values in this state: {}", values.join(", "))]
    SeveralGoals {
        /// The role.
        role: String,
        /// The values, sorted.
        values: Vec<String>,
    },
    /// A goal value is not an integer, see [`goal_value`](super::goal_value).
    #[error("role {role} has the goal value {value}, which is not an integer from 0 to 100")]
    GoalNotInteger {
        /// The role.
        role: String,
        /// The value.
        value: String,
    },
    /// A move that the rules do not allow in a state.
    #[error("the move {text} of role {role} is not legal in this state")]
    IllegalMove {
        /// The role.
        role: String,
        /// The move.
        text: String,
    },
    /// A joint move with too few or too many moves.
    #[error("a joint move needs {wanted} moves, one for each role, but has {got}")]
    WrongMoveCount {
        /// The number of roles.
        wanted: usize,
        /// The number of moves given.
        got: usize,
    },
    /// A text that is no move of this game.
    #[error("{text} is not a move of role {role} in this game")]
    UnknownMove {
        /// The role.
        role: String,
        /// The text.
        text: String,
    },
    /// A sentence that no state of this game can contain.
    #[error("{text} is not a state sentence of this game: {reason}")]
    UnknownSentence {
        /// The sentence.
        text: String,
        /// Why it cannot be one.
        reason: String,
    },
    /// A term grew past any sensible size: the rules build terms without end.
    #[error(
        "{place}: the rule for {relation} builds terms without end (deeper than {depth}, or of more than {words} words)"
    )]
    TermTooLarge {
        /// The relation the rule concludes.
        relation: String,
        /// Where the rule stands.
        place: RulePlace,
        /// The limit of its depth.
        depth: usize,
        /// The limit of its length.
        words: usize,
    },
    /// An evaluation exceeded the reasoner's limits.
    #[error("{place}: evaluating the rule for {relation} exceeded the limit of {limit} {what}")]
    TooLarge {
        /// The relation the rule concludes.
        relation: String,
        /// Where the rule stands.
        place: RulePlace,
        /// The limit.
        limit: u64,
        /// What was counted.
        what: &'static str,
    },
    /// The caller stopped the evaluation.
    #[error("the evaluation was stopped")]
    Stopped,
    /// A sentence depends on its own negation in this state.
    #[error("{place}: {sentence} depends on its own negation in this state")]
    Unstratified {
        /// The sentence whose truth is undefined.
        sentence: String,
        /// Where a rule for it stands.
        place: RulePlace,
    },
    /// A state or a move belongs to another engine.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
    /// A program cannot do what is asked of it.
    #[error("the program was made without {what}: make one for the settings that it is used with")]
    UnfitProgram {
        /// What it lacks.
        what: String,
    },
}

impl PlayError {
    /// Whether the rules give a role no proper goal value: none, several, or one that is no
    /// integer. The game can be played all the same.
    pub fn is_about_goal(&self) -> bool {
        matches!(
            self,
            PlayError::NoGoal { .. }
                | PlayError::SeveralGoals { .. }
                | PlayError::GoalNotInteger { .. }
        )
    }
}
