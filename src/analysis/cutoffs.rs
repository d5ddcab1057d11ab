//! When a search would cut the playouts of a game, by the samples of its first simulations.

use propnet::circuit::Circuit;

use super::analysis::AnalysisError;
use crate::pipeline::{Compile, LaneProgram, PipelineOptions};
use crate::search::{Budget, Cutoff, Report, Search, SearchGame, Settings};

/// Searches until there are so many samples.
pub fn sample_cutoffs(
    circuit: &Circuit,
    options: &PipelineOptions,
    samples: u64,
    seed: u64,
) -> Result<Cutoff, AnalysisError> {
    let settings: Settings = format!("uct+cutoff:threads=1:cutoff_samples={samples}").parse()?;
    let step = settings.step_options(circuit.names.roles().len());
    let program = LaneProgram::new(circuit, options.lanes, &step, Compile::First)?;
    let mut search = Search::new(&SearchGame::Lanes(program), &settings, seed)?;
    loop {
        // Simulations that end in the tree are not samples, so there may be too few at first.
        let Report { cutoff, playouts, .. } = search.run(&Budget::simulations(samples))?;
        let cutoff = cutoff.ok_or(AnalysisError::NoCutoffs)?;
        if cutoff.figures.samples >= samples || playouts == 0 {
            return Ok(*cutoff);
        }
    }
}
