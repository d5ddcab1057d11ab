//! A sheet -> its circuit and what that took. The library reads no clock, so times are taken here,
//! around each stage and each pass.

use std::time::Instant;

use propnet::circuit::optimize::{Params, Pass, Size};
use propnet::circuit::{Circuit, CircuitError, LoopChoice, WorkBudget, build_with};
use propnet::gdl::Source;
use propnet::reference;

use super::make::until;
use super::report::{CircuitReport, PassFigures, StageSeconds};
use crate::engine::EngineOptions;
use crate::ground::{Outcome, Ungrounded, ground_within};

/// Makes the circuit of a sheet from its text on, with a report that has all but `stats`.
pub fn measure(sheet: Source, options: &EngineOptions) -> (CircuitReport, Option<Circuit>) {
    let name = sheet.name().to_string();
    let mut seconds = StageSeconds::default();
    let rules = match timed(&mut seconds.parse, || reference::load(sheet)) {
        Ok(rules) => rules,
        Err(error) => {
            return (failed(&name, Outcome::Unplayable, error.to_string(), seconds), None);
        }
    };
    let ground = timed(&mut seconds.ground, || ground_within(&rules, &options.bounds));
    let proceed = until(options.bounds.time);
    let budget = WorkBudget::new(&proceed);
    let made = ground.and_then(|grounding| {
        let build = || build_with(&grounding.rules, LoopChoice::default(), &budget);
        let built = timed(&mut seconds.build, build);
        drop(grounding);
        let made = built.and_then(|built| {
            let before = Size::of(&built);
            Ok((before, optimized(built, &options.passes, &budget)?))
        });
        made.map_err(|error| Ungrounded::circuit(error, options.bounds.time))
    });
    let (before, (circuit, passes)) = match made {
        Ok(made) => made,
        Err(error) => return (failed(&name, error.outcome(), error.to_string(), seconds), None),
    };
    seconds.passes = passes.iter().map(|figures| figures.seconds).sum();
    let report = CircuitReport {
        seconds,
        before: Some(before),
        after: Some(passes.last().map_or(before, |last| last.after)),
        passes,
        ..CircuitReport::new(&name, Outcome::Grounded)
    };
    (report, Some(circuit))
}

fn failed(name: &str, outcome: Outcome, message: String, seconds: StageSeconds) -> CircuitReport {
    CircuitReport { message: Some(message), seconds, ..CircuitReport::new(name, outcome) }
}

fn optimized(
    mut circuit: Circuit,
    passes: &[Pass],
    budget: &WorkBudget<'_>,
) -> Result<(Circuit, Vec<PassFigures>), CircuitError> {
    let mut figures = Vec::new();
    for pass in passes {
        let mut seconds = 0.0;
        let run = || pass.run_within(&circuit, &Params::default(), budget);
        let (optimized, stats) = timed(&mut seconds, run)?;
        let (before, after) = (stats.before, stats.after);
        figures.push(PassFigures { pass: pass.name(), seconds, before, after });
        circuit = optimized;
    }
    Ok((circuit, figures))
}

/// Adds the time of some work to `seconds`.
fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *seconds += start.elapsed().as_secs_f64();
    result
}
