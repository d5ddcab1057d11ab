//! Rules -> ground rules -> optimised circuit, within bounds: the one place where that is written.

use std::borrow::Borrow;

use propnet::circuit::optimize::{Params, Pass, Stats};
use propnet::circuit::{Circuit, CircuitError, LoopChoice, WorkBudget, build_labelled, build_with};
use propnet::gdl::Rules;
use propnet::ground::{GroundError, GroundRules, Grounding, Options, Watch, ground};

use super::bounds::PipelineBounds;
use super::control::{Control, PipelineStage};
use super::error::PipelineError;
use super::options::PipelineOptions;

/// Grounds rules that `propnet::reference::load` gave.
pub fn ground_within(
    rules: &Rules,
    bounds: &PipelineBounds,
    control: Control<'_>,
) -> Result<Grounding, PipelineError> {
    let mut patience = control.within(bounds.time);
    let grounding = ground_watched(rules, bounds, &mut patience);
    let grounding = grounding.map_err(|error| patience.ground_error(error))?;
    (control.finished)(PipelineStage::Ground);
    Ok(grounding)
}

/// The same with a watch of the caller's.
pub(super) fn ground_watched(
    rules: &Rules,
    bounds: &PipelineBounds,
    watch: &mut dyn Watch,
) -> Result<Grounding, GroundError> {
    ground(rules, &Options::default(), bounds.limits(), watch)
}

/// The circuit of rules that `propnet::reference::load` gave, after the passes asked for.
pub fn circuit_within(rules: &Rules, options: &PipelineOptions) -> Result<Circuit, PipelineError> {
    let grounding = ground_within(rules, &options.bounds, Control::default())?;
    circuit_of(grounding.rules, options, Control::default())
}

/// The circuit of ground rules, after the passes asked for. It may take as long as grounding may.
/// Rules that are handed over are dropped before the passes: large sheets need the memory.
pub fn circuit_of(
    rules: impl Borrow<GroundRules>,
    options: &PipelineOptions,
    control: Control<'_>,
) -> Result<Circuit, PipelineError> {
    circuit_observed(rules, options, control, &mut |_| ())
}

/// The same with labels, for people: which sentences and lines of the sheet gates come from.
pub fn labelled_circuit(
    rules: &GroundRules,
    options: &PipelineOptions,
    control: Control<'_>,
) -> Result<Circuit, PipelineError> {
    make_circuit(options, control, |budget| build_labelled(rules, budget), &mut |_| ())
}

/// A step on the way to a circuit that is done.
pub(super) enum CircuitStep<'s> {
    /// The circuit is built.
    Built(&'s Circuit),
    /// A pass has been over it.
    Passed(Pass, &'s Stats),
}

/// The circuit of ground rules; `observe` is called for each step as soon as it is done.
pub(super) fn circuit_observed(
    rules: impl Borrow<GroundRules>,
    options: &PipelineOptions,
    control: Control<'_>,
    observe: &mut dyn FnMut(CircuitStep<'_>),
) -> Result<Circuit, PipelineError> {
    let build = |budget: &WorkBudget<'_>| {
        let circuit = build_with(rules.borrow(), LoopChoice::default(), budget);
        drop(rules);
        circuit
    };
    make_circuit(options, control, build, observe)
}

fn make_circuit(
    options: &PipelineOptions,
    control: Control<'_>,
    build: impl FnOnce(&WorkBudget<'_>) -> Result<Circuit, CircuitError>,
    observe: &mut dyn FnMut(CircuitStep<'_>),
) -> Result<Circuit, PipelineError> {
    let patience = control.within(options.bounds.time);
    let proceed = || patience.goes_on();
    let budget = WorkBudget::new(&proceed);
    let make = || {
        let mut circuit = build(&budget)?;
        observe(CircuitStep::Built(&circuit));
        for &pass in &options.passes {
            let (optimized, stats) = pass.run_within(&circuit, &Params::default(), &budget)?;
            observe(CircuitStep::Passed(pass, &stats));
            circuit = optimized;
        }
        Ok(circuit)
    };
    let circuit = make().map_err(|error| patience.circuit_error(error))?;
    (control.finished)(PipelineStage::Circuit);
    Ok(circuit)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use propnet::gdl::Source;
    use propnet::reference::load;

    use super::super::error::SheetOutcome;
    use super::*;

    const SHEET: &str = "(role a) (init (n 0)) (succ 0 1) (legal a go)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 1))) (goal a 1)";

    #[test]
    fn a_circuit_that_takes_too_long_is_not_made() {
        let rules = load(Source::from_text("sheet", SHEET)).expect("a sheet");
        let ground = ground_within(&rules, &PipelineBounds::default(), Control::default());
        let ground = ground.expect("ground rules").rules;
        let bounds = PipelineBounds { time: Duration::ZERO, ..PipelineBounds::default() };
        let options = PipelineOptions { bounds, ..PipelineOptions::default() };
        let error = circuit_of(&ground, &options, Control::default()).expect_err("no time");
        assert_eq!(error.outcome(), SheetOutcome::Time);
        let text = "making the circuit takes more than the limit of 0 s; the builder was running";
        assert_eq!(error.to_string(), text);
        assert!(circuit_of(ground, &PipelineOptions::default(), Control::default()).is_ok());
    }
}
