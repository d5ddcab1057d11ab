//! Why a game cannot be solved.

use propnet::game::PlayError;

use crate::pipeline::PipelineError;

/// Why there is no value, or no way to find it.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A role has nothing to win.
    #[error(
        "the sheet gives {role} no goal that is a number: without goals no state has a value; add \
         rules for (goal {role} VALUE)"
    )]
    NoGoals {
        /// The role.
        role: String,
    },
    /// An end has no value.
    #[error(
        "a state that ends the game does not give {role} exactly one goal that is a number: such a \
         state has no value; `ludens check` lists moves that lead to one"
    )]
    EndWithoutGoal {
        /// The role.
        role: String,
    },
    /// The game stops without an end.
    #[error(
        "{role} has no legal move in a state that can be reached and is not terminal; `ludens check` \
         lists moves that lead to one"
    )]
    NoLegalMove {
        /// The role.
        role: String,
    },
    /// A state with too many joint moves.
    #[error(
        "a state has more than {most} joint moves: its matrix does not fit any method; solve a \
         smaller game of the family"
    )]
    JointMoves {
        /// How many a state may have.
        most: usize,
    },
    /// All states do not fit into memory.
    #[error(
        "more than {states} states can be reached, which take more than {megabytes} MB: allow more \
         with --search-memory, or use --variant alpha-beta"
    )]
    Memory {
        /// The states that were found.
        states: u64,
        /// The limit.
        megabytes: u64,
    },
    /// There is no circuit.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The state to start from cannot be used.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The machine cannot run the code.
    #[error(transparent)]
    Machine(#[from] propnet::machine::MachineError),
}
