//! Random playouts of a sheet, as the tests want them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ludens::pipeline::{PipelineOptions, circuit_within};
use ludens::playouts::{Codes, Played, PlayoutBudget, PlayoutPlan, play};
use propnet::gdl::Rules;
use propnet::lanes::Setup;
use propnet::program::{Program, StepOptions};

/// A program for playouts of a sheet in such lanes.
pub(crate) fn program(rules: &Rules, setup: Setup) -> Arc<Program> {
    let circuit = circuit_within(rules, &PipelineOptions::default()).expect("a circuit");
    let step = StepOptions { limit_bits: 10, ..StepOptions::default() };
    Arc::new(Program::with_options(&circuit, setup.mapping(), &step))
}

/// Plays, and checks what is told meanwhile.
pub(crate) fn played(
    program: &Arc<Program>,
    codes: &Codes,
    (setup, threads): (Setup, usize),
    budget: PlayoutBudget,
) -> Played {
    let plan = PlayoutPlan {
        program,
        codes,
        state: &program.initial,
        seed: 11,
        budget,
        limit: 500,
        weights: &[],
        threads,
        width: setup.width(),
    };
    let told = AtomicU64::new(0);
    let played = play(&plan, &|done| {
        told.fetch_max(done, Ordering::Relaxed);
        true
    });
    let played = played.expect("threads");
    assert_eq!(told.into_inner(), played.totals.playouts, "all that was played was told");
    played
}
