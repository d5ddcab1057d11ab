//! What contests are made of: the circuit of a sheet, and contestants that play on it.

use anyhow::{Context, Result};
use ludens::pipeline::{Compile, LaneProgram, PipelineOptions, circuit_within};
use ludens::search::{Budget, Contestant, SearchGame, Settings};
use propnet::circuit::Circuit;
use propnet::gdl::Source;
use propnet::lanes::Setup;
use propnet::reference;

/// The circuit of a sheet.
pub(crate) fn circuit(source: Source, name: &str) -> Result<Circuit> {
    let rules = reference::load(source)?;
    circuit_within(&rules, &PipelineOptions::default()).with_context(|| name.to_string())
}

/// A contestant that plays on lanes; what it may spend is not said yet.
pub(crate) fn contestant(circuit: &Circuit, settings: Settings) -> Result<Contestant> {
    let step = settings.step_options(circuit.names.roles().len());
    let program = LaneProgram::new(circuit, Setup::default(), &step, Compile::First)?;
    Ok(Contestant {
        game: SearchGame::Lanes(program),
        settings,
        budget: Budget::default(),
        time: None,
        moves: Vec::new(),
    })
}
