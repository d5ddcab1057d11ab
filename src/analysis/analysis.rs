//! All that is known about a game.

use propnet::circuit::{Circuit, WorkBudget};
use propnet::game::PlayError;
use propnet::ground::symmetries;
use propnet::machine::MachineError;
use serde::Serialize;

use super::cutoffs::sample_cutoffs;
use super::observed::Observed;
use super::proven::Proven;
use crate::pipeline::{Control, PipelineError, PipelineOptions, Stages};
use crate::search::SettingError;

/// What is known about a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameAnalysis {
    /// The roles.
    pub roles: Vec<String>,
    /// What holds in every game.
    pub proven: Proven,
    /// What random games show.
    pub observed: Observed,
}

/// Why there is no analysis.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The sheet has no circuit.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The game cannot be played on lanes.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// It cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The search has no such settings.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The search says nothing about cutoffs.
    #[error("the search has no cutoffs")]
    NoCutoffs,
}

/// Work on proofs: about four seconds at most.
const PROOFS: u64 = 4_000_000_000;
/// Simulations of the search that samples cutoffs.
const SAMPLES: u64 = 100;

/// Analyses a game, with this seed for what is observed.
pub fn analyse(
    stages: &Stages,
    options: &PipelineOptions,
    seed: u64,
    control: Control<'_>,
) -> Result<GameAnalysis, AnalysisError> {
    let circuit: &Circuit = &*stages.circuit(options, control)?;
    let budget = WorkBudget::with_proofs(PROOFS, control.may_go_on);
    let symmetries = symmetries(&*stages.ground_rules(&options.bounds, control)?);
    let (proven, open_goals) = Proven::new(circuit, &symmetries, &budget);
    let cutoff = sample_cutoffs(circuit, options, SAMPLES, seed).ok();
    let play = WorkBudget::with_proofs(PROOFS, control.may_go_on);
    let observed = Observed::new(circuit, open_goals.as_ref(), cutoff, seed, &play);
    Ok(GameAnalysis { roles: circuit.names.roles().to_vec(), proven, observed })
}
