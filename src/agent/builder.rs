//! Rules -> what a search on lanes runs on, with someone who may end the work.

use std::time::{Duration, Instant};

use propnet::circuit::{Circuit, CircuitError, WorkBudget};
use propnet::gdl::Rules;
use propnet::ground::{GroundError, Options, Watch, ground};
use propnet::machine::MachineError;

use super::options::AgentOptions;
use super::signals::Signals;
use crate::circuit::circuit_of;
use crate::search::LaneProgram;

/// Why there is no program.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum BuildError {
    #[error(transparent)]
    Ground(#[from] GroundError),
    #[error(transparent)]
    Circuit(#[from] CircuitError),
    #[error(transparent)]
    Machine(#[from] MachineError),
}

/// The program for searches with these options.
pub(super) fn program(
    rules: &Rules,
    options: &AgentOptions,
    signals: &Signals,
) -> Result<LaneProgram, BuildError> {
    // Where the clock decides anyway, playing begins before all code is compiled.
    let is_later = options.budget.is_none();
    let proceed = || signals.may_go_on();
    let program = |circuit: &Circuit| {
        let (lanes, settings) = (options.engine.lanes, &options.settings.search);
        let program = LaneProgram::new_while(circuit, lanes, settings, is_later, &proceed)?;
        program.ok_or(BuildError::Circuit(CircuitError::Stopped { stage: "the program" }))
    };
    match &options.circuit {
        Some(circuit) => program(circuit),
        None => program(&circuit(rules, options, signals)?),
    }
}

fn circuit(
    rules: &Rules,
    options: &AgentOptions,
    signals: &Signals,
) -> Result<Circuit, BuildError> {
    // What is decided by a clock must not happen where the same seed shall give the same moves.
    let time = options.budget.is_none().then_some(options.engine.bounds.time);
    let mut watch = Patience { end: time.and_then(after), signals };
    let limits = options.engine.bounds.limits();
    let begun = Instant::now();
    let tell = |what: &str| {
        options.log.line(&format!("{what} after {:.3} s", begun.elapsed().as_secs_f64()));
    };
    let rules = ground(rules, &Options::default(), limits, &mut watch)?.rules;
    tell("the rules are grounded");
    let proceed = || watch.goes_on();
    let circuit = circuit_of(rules, &options.engine.passes, &WorkBudget::new(&proceed))?;
    tell("the circuit is made");
    Ok(circuit)
}

/// A time too long to be told is no bound.
fn after(time: Duration) -> Option<Instant> {
    Instant::now().checked_add(time)
}

/// The work goes on until the time is up, or nobody needs it.
struct Patience<'s> {
    end: Option<Instant>,
    signals: &'s Signals,
}

impl Patience<'_> {
    fn goes_on(&self) -> bool {
        self.signals.may_go_on() && self.end.is_none_or(|end| Instant::now() < end)
    }
}

impl Watch for Patience<'_> {
    fn proceed(&mut self) -> bool {
        self.goes_on()
    }
}
