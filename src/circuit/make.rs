//! Rules -> optimised circuit, within bounds.

use std::borrow::Borrow;
use std::time::{Duration, Instant};

use propnet::circuit::optimize::{Params, Pass};
use propnet::circuit::{Circuit, CircuitError, LoopChoice, WorkBudget, build_labelled, build_with};
use propnet::gdl::Rules;
use propnet::ground::GroundRules;

use crate::engine::EngineOptions;
use crate::ground::{Bounds, Ungrounded, ground_within};

/// The circuit of rules that `propnet::reference::load` gave, after the passes asked for.
pub fn circuit_within(rules: &Rules, options: &EngineOptions) -> Result<Circuit, Ungrounded> {
    let grounding = ground_within(rules, &options.bounds)?;
    circuit_in_time(grounding.rules, &options.passes, &options.bounds)
}

/// The circuit of ground rules, after these passes. It may take as long as grounding may.
pub fn circuit_in_time(
    rules: impl Borrow<GroundRules>,
    passes: &[Pass],
    bounds: &Bounds,
) -> Result<Circuit, Ungrounded> {
    let proceed = until(bounds.time);
    let circuit = circuit_of(rules, passes, &WorkBudget::new(&proceed));
    circuit.map_err(|error| Ungrounded::circuit(error, bounds.time))
}

/// The same with labels, for people: which sentences and lines of the sheet gates come from.
pub fn labelled_circuit_in_time(
    rules: &GroundRules,
    passes: &[Pass],
    bounds: &Bounds,
) -> Result<Circuit, Ungrounded> {
    let proceed = until(bounds.time);
    let budget = WorkBudget::new(&proceed);
    let labelled = build_labelled(rules, &budget);
    let circuit = labelled.and_then(|circuit| optimized(circuit, passes, &budget));
    circuit.map_err(|error| Ungrounded::circuit(error, bounds.time))
}

/// The circuit of ground rules, after these passes, within a budget for all of it. Rules that are
/// handed over are dropped before the passes: large sheets need the memory.
pub fn circuit_of(
    rules: impl Borrow<GroundRules>,
    passes: &[Pass],
    budget: &WorkBudget<'_>,
) -> Result<Circuit, CircuitError> {
    let circuit = build_with(rules.borrow(), LoopChoice::default(), budget)?;
    drop(rules);
    optimized(circuit, passes, budget)
}

fn optimized(
    mut circuit: Circuit,
    passes: &[Pass],
    budget: &WorkBudget<'_>,
) -> Result<Circuit, CircuitError> {
    for pass in passes {
        circuit = pass.run_within(&circuit, &Params::default(), budget)?.0;
    }
    Ok(circuit)
}

/// Whether a time that starts now is still running. A time too long to be told never ends.
pub(super) fn until(time: Duration) -> impl Fn() -> bool {
    let end = Instant::now().checked_add(time);
    move || end.is_none_or(|end| Instant::now() < end)
}

#[cfg(test)]
mod tests {
    use propnet::gdl::Source;
    use propnet::reference::load;

    use super::*;
    use crate::ground::Outcome;

    const SHEET: &str = "(role a) (init (n 0)) (succ 0 1) (legal a go)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 1))) (goal a 1)";

    #[test]
    fn a_circuit_that_takes_too_long_is_not_made() {
        let rules = load(Source::from_text("sheet", SHEET)).expect("a sheet");
        let ground = ground_within(&rules, &Bounds::default()).expect("ground rules").rules;
        let bounds = Bounds { time: Duration::ZERO, ..Bounds::default() };
        let error = circuit_in_time(&ground, Pass::ALL, &bounds).expect_err("no time");
        assert_eq!(error.outcome(), Outcome::Time);
        let text = "making the circuit takes more than the limit of 0 s; the builder was at work";
        assert_eq!(error.to_string(), text);
        assert!(circuit_in_time(ground, Pass::ALL, &Bounds::default()).is_ok());
        assert!(until(Duration::MAX)());
    }
}
