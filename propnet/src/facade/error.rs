//! What can go wrong between rules and answers.

use crate::circuit::CircuitError;
use crate::game::{ForeignError, PlayError};
use crate::ground::GroundError;
use crate::machine::MachineError;

/// Why rules were not compiled: the error of the stage that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The rules were not grounded: they reached a limit, or the watch stopped the work.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// The ground rules have no circuit, or the watch stopped the work.
    #[error(transparent)]
    Circuit(#[from] CircuitError),
    /// The watch stopped the work after the circuit was made.
    #[error("compiling was stopped before the program was made")]
    Stopped,
    /// The program has no machine code. The portable back end runs every program.
    #[error("{0}; the portable back end runs every program")]
    Machine(MachineError),
}

impl CompileError {
    /// Whether the caller's watch stopped the work: nothing is wrong with the rules then.
    pub fn is_stopped(&self) -> bool {
        matches!(
            self,
            CompileError::Ground(GroundError::Stopped { .. })
                | CompileError::Circuit(CircuitError::Stopped { .. })
                | CompileError::Stopped
        )
    }
}

/// Why questions about many states have no answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A state is of another engine.
    #[error("state {at}: {error}")]
    Foreign {
        /// The index of the state.
        at: usize,
        /// What to do.
        error: ForeignError,
    },
    /// There is not one joint move for each state.
    #[error("{states} states need one joint move each, but there are {moves}")]
    Count {
        /// The number of states.
        states: usize,
        /// The number of joint moves.
        moves: usize,
    },
    /// A joint move cannot be made.
    #[error("state {at}: {error}")]
    Play {
        /// The index of the state.
        at: usize,
        /// Why not.
        error: PlayError,
    },
}
