//! One sheet, and what was made of it.
//!
//! Grounding and the passes over the circuit are the expensive parts of making a game. A caller
//! that needs something of the same sheet, with the same options, gets what others have made, or
//! waits for it.

use std::sync::Arc;

use propnet::circuit::Circuit;
use propnet::circuit::optimize::Pass;
use propnet::gdl::Rules;
use propnet::ground::GroundRules;
use propnet::lanes::Setup;
use propnet::program::StepOptions;

use super::bounds::PipelineBounds;
use super::control::Control;
use super::error::PipelineError;
use super::lanes::{Compile, LaneProgram};
use super::make::{circuit_of, ground_within};
use super::options::PipelineOptions;
use super::slot::Shelf;

/// The rules of a sheet, with what was made of them.
pub struct Stages {
    rules: Arc<Rules>,
    ground: Shelf<PipelineBounds, Arc<GroundRules>>,
    circuits: Shelf<CircuitKey, Arc<Circuit>>,
    programs: Shelf<ProgramKey, LaneProgram>,
}

/// What a circuit depends on.
type CircuitKey = (PipelineBounds, Vec<Pass>);

/// What a program depends on.
type ProgramKey = (CircuitKey, StepOptions, Setup, Compile);

impl Stages {
    /// The stages of rules that `propnet::reference::load` gave. Everything is kept, for callers
    /// that make several engines of a sheet.
    pub fn new(rules: impl Into<Arc<Rules>>) -> Self {
        Stages {
            rules: rules.into(),
            ground: Shelf::keeping(),
            circuits: Shelf::keeping(),
            programs: Shelf::keeping(),
        }
    }

    /// The same for players: programs are kept. Ground rules and circuits may take gigabytes and
    /// are freed as soon as no thread uses them.
    pub fn for_players(rules: impl Into<Arc<Rules>>) -> Self {
        Stages { ground: Shelf::passing(), circuits: Shelf::passing(), ..Stages::new(rules) }
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The ground rules.
    pub fn ground_rules(
        &self,
        bounds: &PipelineBounds,
        control: Control<'_>,
    ) -> Result<Arc<GroundRules>, PipelineError> {
        self.ground.slot(*bounds).get_or_make(control.may_go_on, || {
            Ok(Arc::new(ground_within(&self.rules, bounds, control)?.rules))
        })
    }

    /// The circuit, after the passes asked for.
    pub fn circuit(
        &self,
        options: &PipelineOptions,
        control: Control<'_>,
    ) -> Result<Arc<Circuit>, PipelineError> {
        self.circuits.slot(circuit_key(options)).get_or_make(control.may_go_on, || {
            let ground = self.ground_rules(&options.bounds, control)?;
            Ok(Arc::new(circuit_of(ground, options, control)?))
        })
    }

    /// The program for playouts with this step and for questions.
    pub fn program(
        &self,
        options: &PipelineOptions,
        step: &StepOptions,
        compile: Compile,
        control: Control<'_>,
    ) -> Result<LaneProgram, PipelineError> {
        let key = (circuit_key(options), *step, options.lanes, compile);
        self.programs.slot(key).get_or_make(control.may_go_on, || {
            // Held until the program is made: others may want the circuit for another program.
            let _held = self.circuits.slot(circuit_key(options));
            let circuit = self.circuit(options, control)?;
            LaneProgram::new_while(&circuit, options.lanes, step, compile, control)
        })
    }

    /// Drops what was made; the next caller makes it again.
    pub fn forget(&self) {
        self.ground.forget();
        self.circuits.forget();
        self.programs.forget();
    }
}

fn circuit_key(options: &PipelineOptions) -> CircuitKey {
    (options.bounds, options.passes.clone())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::thread;

    use propnet::gdl::Source;
    use propnet::reference::load;

    use super::super::control::PipelineStage;
    use super::*;
    use crate::library;

    fn rules() -> Rules {
        let entry = library::find("tic_tac_toe").expect("a game");
        load(Source::from_text(entry.name, entry.text)).expect("rules")
    }

    /// The program of a player with this limit, and the stages that were gone through for it.
    fn program(stages: &Stages, limit: u64) -> (LaneProgram, Vec<PipelineStage>) {
        let done = RefCell::new(Vec::new());
        let control =
            Control { finished: &|stage| done.borrow_mut().push(stage), ..Control::default() };
        let limit_bits = StepOptions::bits_for(limit);
        let step = StepOptions { limit_bits, ..StepOptions::default() };
        let options = PipelineOptions { lanes: Setup::SCALAR, ..PipelineOptions::default() };
        let program = stages.program(&options, &step, Compile::First, control);
        (program.expect("a program"), done.into_inner())
    }

    #[test]
    fn players_of_one_sheet_share_a_program() {
        let stages = Stages::for_players(rules());
        let made: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| program(&stages, 100))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let (first, _) = &made[0];
        assert!(made.iter().all(|(one, _)| Arc::ptr_eq(&one.program, &first.program)));
        let done: Vec<PipelineStage> = made.iter().flat_map(|(_, done)| done.clone()).collect();
        assert_eq!(done, [PipelineStage::Ground, PipelineStage::Circuit]);
        // Its circuit is gone, so another step needs a new one.
        let (other, done) = program(&stages, 1000);
        assert!(!Arc::ptr_eq(&other.program, &first.program));
        assert_eq!(done, [PipelineStage::Ground, PipelineStage::Circuit]);
        assert_eq!(program(&stages, 1000).1, []);
    }

    #[test]
    fn engines_of_one_sheet_share_everything_until_it_is_forgotten() {
        let stages = Stages::new(rules());
        assert_eq!(program(&stages, 100).1, [PipelineStage::Ground, PipelineStage::Circuit]);
        assert_eq!(program(&stages, 1000).1, []);
        stages.forget();
        assert_eq!(program(&stages, 100).1, [PipelineStage::Ground, PipelineStage::Circuit]);
    }

    #[test]
    fn what_one_stops_another_makes() {
        let stages = Stages::for_players(rules());
        let options = PipelineOptions::default();
        let stopped = stages.circuit(&options, Control::stoppable(&|| false));
        let error = stopped.expect_err("it was stopped");
        assert!(matches!(error, PipelineError::Stopped { .. }), "{error}");
        assert!(stages.circuit(&options, Control::default()).is_ok());
    }
}
