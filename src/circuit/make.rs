//! Rules -> optimised circuit, within bounds.

use propnet::circuit::optimize::{Params, Pass};
use propnet::circuit::{Circuit, CircuitError, build, build_labelled};
use propnet::gdl::Rules;
use propnet::ground::GroundRules;

use crate::engine::EngineOptions;
use crate::ground::{Ungrounded, ground_within};

/// The circuit of rules that `propnet::reference::load` gave, after the passes asked for.
pub fn circuit_within(rules: &Rules, options: &EngineOptions) -> Result<Circuit, Ungrounded> {
    let grounding = ground_within(rules, &options.bounds)?;
    Ok(circuit_of(&grounding.rules, &options.passes)?)
}

/// The circuit of ground rules, after these passes.
pub fn circuit_of(rules: &GroundRules, passes: &[Pass]) -> Result<Circuit, CircuitError> {
    Ok(optimized(build(rules)?, passes))
}

/// The same with labels, for people: which sentences and lines of the sheet gates come from.
pub fn labelled_circuit_of(rules: &GroundRules, passes: &[Pass]) -> Result<Circuit, CircuitError> {
    Ok(optimized(build_labelled(rules)?, passes))
}

fn optimized(circuit: Circuit, passes: &[Pass]) -> Circuit {
    passes.iter().fold(circuit, |circuit, pass| pass.run(&circuit, &Params::default()).0)
}
