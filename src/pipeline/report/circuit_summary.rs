//! The reports of many sheets, counted.

use std::collections::BTreeMap;

use propnet::circuit::optimize::Size;
use serde::Serialize;

use super::circuit::{CircuitReport, StageSeconds};
use super::summary::Seconds;
use crate::pipeline::error::SheetOutcome;

/// The totals of a run over many sheets. Sizes and times are those of the sheets with a circuit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CircuitSummary {
    /// The sheets.
    pub sheets: usize,
    /// Those with a circuit.
    pub circuits: usize,
    /// The number of sheets by outcome.
    pub results: BTreeMap<SheetOutcome, usize>,
    /// The time to build the circuits.
    pub build: Seconds,
    /// The time of all passes together.
    pub passes: Seconds,
    /// The time of each pass, by its place.
    pub each_pass: Vec<PassSeconds>,
    /// Gates of all circuits together, as they were built.
    pub gates_before: usize,
    /// The same after the last pass.
    pub gates_after: usize,
    /// Two-input gates of all circuits together, as they were built.
    pub two_input_gates_before: usize,
    /// The same after the last pass.
    pub two_input_gates_after: usize,
}

/// The time of one pass over many sheets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PassSeconds {
    /// Its name.
    pub pass: &'static str,
    /// What it took.
    pub seconds: Seconds,
    /// Two-input gates that it saved, over all sheets; negative where it added some.
    pub saved: i64,
}

impl CircuitSummary {
    /// Counts the reports, all of which must have been made with the same passes.
    pub fn of(reports: &[CircuitReport]) -> Self {
        let mut results = BTreeMap::new();
        for report in reports {
            *results.entry(report.result).or_default() += 1;
        }
        let made: Vec<&CircuitReport> = reports.iter().filter(|r| r.after.is_some()).collect();
        let seconds = |of: fn(&StageSeconds) -> f64| {
            Seconds::of(made.iter().map(|report| of(&report.seconds)).collect())
        };
        let before = |of: fn(&Size) -> usize| {
            made.iter().filter_map(|report| report.before.as_ref()).map(of).sum()
        };
        let after = |of: fn(&Size) -> usize| {
            made.iter().filter_map(|report| report.after.as_ref()).map(of).sum()
        };
        CircuitSummary {
            sheets: reports.len(),
            circuits: made.len(),
            results,
            build: seconds(|seconds| seconds.build),
            passes: seconds(|seconds| seconds.passes),
            each_pass: each_pass(&made),
            gates_before: before(|size| size.gates),
            gates_after: after(|size| size.gates),
            two_input_gates_before: before(|size| size.two_input_gates),
            two_input_gates_after: after(|size| size.two_input_gates),
        }
    }
}

fn each_pass(made: &[&CircuitReport]) -> Vec<PassSeconds> {
    let passes = made.first().map_or(0, |report| report.passes.len());
    let pass = |at: usize| {
        let figures = || made.iter().map(|report| &report.passes[at]);
        let saved = figures().map(|figures| {
            figures.before.two_input_gates as i64 - figures.after.two_input_gates as i64
        });
        PassSeconds {
            pass: made[0].passes[at].pass,
            seconds: Seconds::of(figures().map(|figures| figures.seconds).collect()),
            saved: saved.sum(),
        }
    };
    (0..passes).map(pass).collect()
}

#[cfg(test)]
mod tests {
    use super::super::circuit::PassFigures;
    use super::*;

    fn report(seconds: f64, before: usize, after: usize) -> CircuitReport {
        let size = |gates| Size { gates, two_input_gates: 2 * gates, ..Default::default() };
        let (before, after) = (size(before), size(after));
        CircuitReport {
            seconds: StageSeconds { passes: seconds, ..StageSeconds::default() },
            before: Some(before),
            after: Some(after),
            passes: vec![PassFigures { pass: "dead", seconds, before, after }],
            ..CircuitReport::new("s", SheetOutcome::Grounded)
        }
    }

    #[test]
    fn sizes_and_times_are_those_of_the_sheets_with_a_circuit() {
        let without = CircuitReport::new("t", SheetOutcome::Time);
        let summary = CircuitSummary::of(&[report(1.0, 10, 4), without, report(3.0, 20, 5)]);
        assert_eq!((summary.sheets, summary.circuits), (3, 2));
        assert_eq!((summary.passes.p50, summary.passes.max), (1.0, 3.0));
        assert_eq!((summary.gates_before, summary.gates_after), (30, 9));
        let pass = summary.each_pass[0];
        assert_eq!((pass.pass, pass.saved, pass.seconds.sum), ("dead", 42, 4.0));
        assert_eq!(CircuitSummary::of(&[]).each_pass, []);
    }
}
