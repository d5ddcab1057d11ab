//! Why a sheet cannot be solved as a puzzle.

use propnet::game::PlayError;

use crate::pipeline::PipelineError;

/// Why there is nothing to solve, or no way to do it.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    /// Several roles have a say.
    #[error(
        "the sheet has {count} roles ({roles}): only games for one role are solved as puzzles; \
         `ludens solve --variant auto` solves games for several"
    )]
    SeveralRoles {
        /// How many.
        count: usize,
        /// Their names.
        roles: String,
    },
    /// No state has a score.
    #[error(
        "the sheet gives {role} no goal that is a number: without a score nothing can be best; add \
         rules for (goal {role} VALUE)"
    )]
    NoGoal {
        /// The role.
        role: String,
    },
    /// A method was asked for that there is not.
    #[error("there is no method {name:?}; the methods are {known}")]
    UnknownMethod {
        /// Its name.
        name: String,
        /// Those that there are.
        known: String,
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
    /// The engine and the rules do not agree about a line.
    #[error(
        "{found_by} found a line that scores {expected}, but by the rules it scores {replayed:?}: \
         this is an error of the program; please report the sheet"
    )]
    Disagreement {
        /// The method that found it.
        found_by: &'static str,
        /// What it should score.
        expected: i32,
        /// What it scores.
        replayed: Option<i32>,
    },
    /// The system has no more threads.
    #[error("no thread could be started for the search: {0}")]
    Thread(#[from] std::io::Error),
}
