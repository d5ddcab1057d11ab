//! The program of a search on lanes: made by this player, or shared with others of the same sheet.

use std::time::{Duration, Instant};

use super::options::AgentOptions;
use super::signals::Signals;
use crate::pipeline::{
    Compile, Control, LaneProgram, PipelineBounds, PipelineError, PipelineOptions, PipelineStage,
    Stages,
};

/// The program for searches with these options, in a game with `roles` roles.
pub(super) fn program(
    stages: &Stages,
    roles: usize,
    options: &AgentOptions,
    signals: &Signals,
) -> Result<LaneProgram, PipelineError> {
    let begun = Instant::now();
    let tell = |what: &str| {
        options.log.line(&format!("{what} after {:.3} s", begun.elapsed().as_secs_f64()));
    };
    let control = Control {
        may_go_on: &|| signals.may_go_on(),
        finished: &|stage| match stage {
            PipelineStage::Ground => tell("the rules are grounded"),
            PipelineStage::Circuit => tell("the circuit is made"),
        },
    };
    // Under a clock, playing begins before all code is compiled.
    let compile = if options.budget.is_none() { Compile::Beside } else { Compile::First };
    let step = options.settings.search.step_options(roles);
    stages.program(&pipeline_options(options), &step, compile, control)
}

/// With a budget the same seed gives the same moves, so no clock may bound the work.
pub(super) fn pipeline_options(options: &AgentOptions) -> PipelineOptions {
    let pipeline = options.pipeline.clone();
    match options.budget {
        Some(_) => {
            let bounds = PipelineBounds { time: Duration::MAX, ..pipeline.bounds };
            PipelineOptions { bounds, ..pipeline }
        }
        None => pipeline,
    }
}
