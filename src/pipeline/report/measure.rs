//! A sheet -> its circuit and what that took. The library reads no clock, so times are taken here,
//! around each stage and each pass.

use std::time::Instant;

use propnet::circuit::Circuit;
use propnet::circuit::optimize::Size;
use propnet::gdl::Source;
use propnet::reference;

use super::circuit::{CircuitReport, PassFigures, StageSeconds};
use crate::pipeline::control::Control;
use crate::pipeline::error::SheetOutcome;
use crate::pipeline::make::{CircuitStep, circuit_observed, ground_within};
use crate::pipeline::options::PipelineOptions;

/// Makes the circuit of a sheet from its text on, with a report that has all but `stats`.
pub fn measure(sheet: Source, options: &PipelineOptions) -> (CircuitReport, Option<Circuit>) {
    let name = sheet.name().to_string();
    let mut seconds = StageSeconds::default();
    let rules = match timed(&mut seconds.parse, || reference::load(sheet)) {
        Ok(rules) => rules,
        Err(error) => {
            return (failed(&name, SheetOutcome::Unplayable, error.to_string(), seconds), None);
        }
    };
    let control = Control::default();
    let ground = timed(&mut seconds.ground, || ground_within(&rules, &options.bounds, control));
    let mut laps = Laps::new();
    let made = ground.and_then(|grounding| {
        circuit_observed(grounding.rules, options, control, &mut |step| laps.note(&step))
    });
    seconds.build = laps.build;
    let circuit = match made {
        Ok(circuit) => circuit,
        Err(error) => return (failed(&name, error.outcome(), error.to_string(), seconds), None),
    };
    let Laps { before, passes, .. } = laps;
    seconds.passes = passes.iter().map(|figures| figures.seconds).sum();
    let report = CircuitReport {
        seconds,
        before,
        after: passes.last().map_or(before, |last| Some(last.after)),
        passes,
        ..CircuitReport::new(&name, SheetOutcome::Grounded)
    };
    (report, Some(circuit))
}

/// What each step on the way to a circuit took.
struct Laps {
    last: Instant,
    build: f64,
    before: Option<Size>,
    passes: Vec<PassFigures>,
}

impl Laps {
    fn new() -> Self {
        Laps { last: Instant::now(), build: 0.0, before: None, passes: Vec::new() }
    }

    fn note(&mut self, step: &CircuitStep<'_>) {
        let seconds = self.last.elapsed().as_secs_f64();
        match step {
            CircuitStep::Built(circuit) => {
                self.build = seconds;
                self.before = Some(Size::of(circuit));
            }
            CircuitStep::Passed(pass, stats) => {
                let (before, after) = (stats.before, stats.after);
                self.passes.push(PassFigures { pass: pass.name(), seconds, before, after });
            }
        }
        // After the figures, which take their time.
        self.last = Instant::now();
    }
}

fn failed(
    name: &str,
    outcome: SheetOutcome,
    message: String,
    seconds: StageSeconds,
) -> CircuitReport {
    CircuitReport { message: Some(message), seconds, ..CircuitReport::new(name, outcome) }
}

/// Adds the time of some work to `seconds`.
fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *seconds += start.elapsed().as_secs_f64();
    result
}
