//! Why a sheet was not grounded, in words and as a kind to count by.

use std::fmt;
use std::time::Duration;

use propnet::circuit::CircuitError;
use propnet::ground::{GroundError, Growth};
use propnet::machine::MachineError;
use serde::{Deserialize, Serialize};

/// Why a sheet was not grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ungrounded {
    /// The time was up.
    #[error("grounding takes more than the limit of {} s; {growth} was growing most", .limit.as_secs_f64())]
    Time {
        /// The limit.
        limit: Duration,
        /// The rule that had grown most.
        growth: Growth,
    },
    /// The grounder gave up by itself.
    #[error(transparent)]
    Ground(GroundError),
    /// The time was up before the circuit was made.
    #[error("making the circuit takes more than the limit of {} s; {stage} was at work", .limit.as_secs_f64())]
    CircuitTime {
        /// The limit.
        limit: Duration,
        /// What was at work.
        stage: &'static str,
    },
    /// The ground rules have no circuit.
    #[error(transparent)]
    Circuit(#[from] CircuitError),
    /// The circuit is too large for machine code.
    #[error("{0}; the portable back end has no such limit")]
    Machine(#[from] MachineError),
}

impl Ungrounded {
    /// The clock is the only one that stops the grounder, so a stop means that the time was up.
    pub(super) fn new(error: GroundError, limit: Duration) -> Self {
        match error {
            GroundError::Stopped { growth } => Ungrounded::Time { limit, growth },
            error => Ungrounded::Ground(error),
        }
    }

    /// The same of a circuit, which is stopped by nothing but a clock with this limit.
    pub(crate) fn circuit(error: CircuitError, limit: Duration) -> Self {
        match error {
            CircuitError::Stopped { stage } => Ungrounded::CircuitTime { limit, stage },
            error => Ungrounded::Circuit(error),
        }
    }

    /// The kind of failure.
    pub fn outcome(&self) -> Outcome {
        match self {
            Ungrounded::Time { .. }
            | Ungrounded::CircuitTime { .. }
            | Ungrounded::Circuit(CircuitError::Stopped { .. }) => Outcome::Time,
            Ungrounded::Ground(GroundError::Limit { what: "bytes", .. }) => Outcome::Memory,
            Ungrounded::Ground(GroundError::Limit { what: "facts", .. }) => Outcome::Facts,
            Ungrounded::Ground(GroundError::Limit { .. }) => Outcome::Instances,
            Ungrounded::Ground(GroundError::TermTooLarge { .. }) => Outcome::Terms,
            Ungrounded::Ground(GroundError::Unstratified { .. }) | Ungrounded::Circuit(_) => {
                Outcome::Negation
            }
            Ungrounded::Ground(_) | Ungrounded::Machine(_) => Outcome::Other,
        }
    }

    /// What had grown most, where something grew too much.
    pub fn growth(&self) -> Option<&Growth> {
        match self {
            Ungrounded::Time { growth, .. }
            | Ungrounded::Ground(GroundError::Limit { growth, .. }) => Some(growth),
            Ungrounded::Ground(_)
            | Ungrounded::CircuitTime { .. }
            | Ungrounded::Circuit(_)
            | Ungrounded::Machine(_) => None,
        }
    }
}

/// How the grounding of a sheet came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
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
    /// It is no sheet that can be played.
    Unplayable,
}

impl Outcome {
    /// The outcome's name, for people and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Grounded => "grounded",
            Outcome::Time => "time",
            Outcome::Memory => "memory",
            Outcome::Facts => "facts",
            Outcome::Instances => "instances",
            Outcome::Terms => "terms",
            Outcome::Negation => "negation",
            Outcome::Other => "other",
            Outcome::Unplayable => "unplayable",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
