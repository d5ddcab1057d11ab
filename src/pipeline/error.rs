//! Why no game could be made of a sheet, in words and as a kind to count by.

use std::fmt;
use std::time::Duration;

use propnet::circuit::CircuitError;
use propnet::ground::{GroundError, Growth};
use propnet::machine::MachineError;
use serde::{Deserialize, Serialize};

/// Why there is no game that is made of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PipelineError {
    /// The time was up before the rules were grounded.
    #[error("grounding takes more than the limit of {} s; {growth} was growing most", .limit.as_secs_f64())]
    GroundTime {
        /// The limit.
        limit: Duration,
        /// The rule that had grown most.
        growth: Growth,
    },
    /// The grounder gave up by itself.
    #[error(transparent)]
    Ground(GroundError),
    /// The time was up before the circuit was made.
    #[error("making the circuit takes more than the limit of {} s; {stage} was running", .limit.as_secs_f64())]
    CircuitTime {
        /// The limit.
        limit: Duration,
        /// What was at work.
        stage: &'static str,
    },
    /// The ground rules have no circuit.
    #[error(transparent)]
    Circuit(CircuitError),
    /// The caller stopped the work.
    #[error("{work} was stopped")]
    Stopped {
        /// What was at work.
        work: &'static str,
    },
    /// The circuit is too large for machine code.
    #[error("{0}; the portable back end has no such limit")]
    Machine(MachineError),
}

impl From<MachineError> for PipelineError {
    fn from(error: MachineError) -> Self {
        match error {
            MachineError::Stopped => PipelineError::Stopped { work: "compiling the program" },
            error => PipelineError::Machine(error),
        }
    }
}

impl PipelineError {
    /// The kind of failure.
    pub fn outcome(&self) -> SheetOutcome {
        match self {
            PipelineError::GroundTime { .. } | PipelineError::CircuitTime { .. } => {
                SheetOutcome::Time
            }
            PipelineError::Ground(GroundError::Limit { what: "bytes", .. }) => SheetOutcome::Memory,
            PipelineError::Ground(GroundError::Limit { what: "facts", .. }) => SheetOutcome::Facts,
            PipelineError::Ground(GroundError::Limit { .. }) => SheetOutcome::Instances,
            PipelineError::Ground(GroundError::TermTooLarge { .. }) => SheetOutcome::Terms,
            PipelineError::Ground(GroundError::Unstratified { .. }) | PipelineError::Circuit(_) => {
                SheetOutcome::Negation
            }
            PipelineError::Ground(_)
            | PipelineError::Stopped { .. }
            | PipelineError::Machine(_) => SheetOutcome::Other,
        }
    }

    /// What had grown most, where something grew too much.
    pub fn growth(&self) -> Option<&Growth> {
        match self {
            PipelineError::GroundTime { growth, .. }
            | PipelineError::Ground(GroundError::Limit { growth, .. }) => Some(growth),
            PipelineError::Ground(_)
            | PipelineError::CircuitTime { .. }
            | PipelineError::Circuit(_)
            | PipelineError::Stopped { .. }
            | PipelineError::Machine(_) => None,
        }
    }
}

/// The outcome of grounding a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SheetOutcome {
    /// It was grounded.
    Grounded,
    /// It takes too long.
    Time,
    /// It takes too many bytes.
    Memory,
    /// Too many sentences can be true.
    Facts,
    /// It has too many rule instances.
    Instances,
    /// Its terms grow without end.
    Terms,
    /// A sentence depends on its own negation.
    Negation,
    /// Something else that the grounder reports.
    Other,
    /// It is not a sheet that can be played.
    Unplayable,
}

impl SheetOutcome {
    /// The outcome's name, for people and scripts.
    pub fn name(self) -> &'static str {
        match self {
            SheetOutcome::Grounded => "grounded",
            SheetOutcome::Time => "time",
            SheetOutcome::Memory => "memory",
            SheetOutcome::Facts => "facts",
            SheetOutcome::Instances => "instances",
            SheetOutcome::Terms => "terms",
            SheetOutcome::Negation => "negation",
            SheetOutcome::Other => "other",
            SheetOutcome::Unplayable => "unplayable",
        }
    }
}

impl fmt::Display for SheetOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
