//! How the work on a sheet is stopped, and how long a stage of it may take.

use std::time::{Duration, Instant};

use propnet::circuit::CircuitError;
use propnet::ground::{GroundError, Watch};

use super::error::PipelineError;

/// How the caller stops the work and learns which stages are done.
#[derive(Clone, Copy)]
pub struct Control<'c> {
    /// Whether the work may go on. This is asked often, and may keep the work waiting.
    pub may_go_on: &'c dyn Fn() -> bool,
    /// Called after each stage that this work has finished, not for stages finished by others.
    pub finished: &'c dyn Fn(PipelineStage),
}

/// A stage that is reported to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelineStage {
    /// The rules are grounded.
    Ground,
    /// The circuit is made, after all passes.
    Circuit,
}

impl Default for Control<'_> {
    /// The work is not stopped, and stages are not reported.
    fn default() -> Self {
        Control { may_go_on: &|| true, finished: &|_| () }
    }
}

impl<'c> Control<'c> {
    /// The caller may stop the work, and stages are not reported.
    pub fn stoppable(may_go_on: &'c dyn Fn() -> bool) -> Self {
        Control { may_go_on, ..Control::default() }
    }

    /// A stage that begins now and may take this long.
    pub fn within(self, limit: Duration) -> Patience<'c> {
        // A time that does not fit the clock never ends.
        Patience { end: Instant::now().checked_add(limit), limit, control: self }
    }
}

/// How long a stage may go on: until its time is up, or the caller stops it.
#[derive(Clone, Copy)]
pub struct Patience<'c> {
    end: Option<Instant>,
    limit: Duration,
    control: Control<'c>,
}

impl Patience<'_> {
    /// Whether the stage may go on.
    pub fn goes_on(&self) -> bool {
        (self.control.may_go_on)() && !self.is_time_up()
    }

    fn is_time_up(&self) -> bool {
        self.end.is_some_and(|end| end <= Instant::now())
    }

    /// Why there are no ground rules, where this was the grounder's watch.
    pub(super) fn ground_error(&self, error: GroundError) -> PipelineError {
        match error {
            GroundError::Stopped { growth } if self.is_time_up() => {
                PipelineError::GroundTime { limit: self.limit, growth }
            }
            GroundError::Stopped { .. } => PipelineError::Stopped { work: "grounding" },
            error => PipelineError::Ground(error),
        }
    }

    /// Why there is no circuit, where this was asked while it was made.
    pub(super) fn circuit_error(&self, error: CircuitError) -> PipelineError {
        match error {
            CircuitError::Stopped { stage } if self.is_time_up() => {
                PipelineError::CircuitTime { limit: self.limit, stage }
            }
            CircuitError::Stopped { .. } => PipelineError::Stopped { work: "making the circuit" },
            error => PipelineError::Circuit(error),
        }
    }
}

impl Watch for Patience<'_> {
    fn proceed(&mut self) -> bool {
        self.goes_on()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_stage_ends_when_its_time_is_up_or_its_caller_stops_it() {
        assert!(!Control::default().within(Duration::ZERO).goes_on());
        assert!(Control::default().within(Duration::MAX).goes_on());
        let is_wanted = Cell::new(true);
        let may_go_on = || is_wanted.get();
        let patience = Control::stoppable(&may_go_on).within(Duration::MAX);
        assert!(patience.goes_on());
        is_wanted.set(false);
        assert!(!patience.goes_on());
        let error = patience.circuit_error(CircuitError::Stopped { stage: "the builder" });
        assert_eq!(error, PipelineError::Stopped { work: "making the circuit" });
        assert_eq!(error.to_string(), "making the circuit was stopped");
    }
}
