//! A sheet -> the report of its grounding, once or several times.

use propnet::gdl::Source;
use propnet::ground::{Grounding, StageSizes};
use propnet::reference;

use super::clock::StageClock;
use super::memory::no_peak;
use super::sheet::{Repeated, SheetReport};
use crate::pipeline::bounds::PipelineBounds;
use crate::pipeline::control::Control;
use crate::pipeline::error::SheetOutcome;
use crate::pipeline::make::ground_watched;
use crate::statistics::Spread;

/// Grounds a sheet from its text on. `peak` is asked for the peak of memory after each stage.
pub fn survey(
    sheet: Source,
    bounds: &PipelineBounds,
    peak: fn() -> Option<u64>,
) -> (SheetReport, Option<Grounding>) {
    survey_while(sheet, bounds, peak, Control::default())
}

/// The same, unless the caller stops the work.
pub fn survey_while(
    sheet: Source,
    bounds: &PipelineBounds,
    peak: fn() -> Option<u64>,
    control: Control<'_>,
) -> (SheetReport, Option<Grounding>) {
    let name = sheet.name().to_string();
    let mut clock = StageClock::new(control.within(bounds.time)).with_peak(peak);
    let rules = reference::load(sheet);
    let given = rules.as_ref().map_or(0, |rules| rules.rules.len() as u64);
    clock.note("parse", StageSizes { rules: given, ..StageSizes::default() });
    let rules = match rules {
        Ok(rules) => rules,
        Err(error) => {
            let report =
                SheetReport::new(&name, SheetOutcome::Unplayable).with_stages(clock.stages());
            return (SheetReport { message: Some(error.to_string()), ..report }, None);
        }
    };
    let grounding = ground_watched(&rules, bounds, &mut clock);
    match grounding.map_err(|error| clock.patience().ground_error(error)) {
        Ok(grounding) => {
            let report =
                SheetReport::new(&name, SheetOutcome::Grounded).with_stages(clock.stages());
            (report.with_grounding(&grounding), Some(grounding))
        }
        Err(error) => {
            clock.note("unfinished", StageSizes::default());
            let report = SheetReport::new(&name, error.outcome()).with_stages(clock.stages());
            let counted_bytes = (report.result == SheetOutcome::Memory).then_some(bounds.bytes);
            let (message, growth) = (Some(error.to_string()), error.growth().map(Into::into));
            (SheetReport { message, growth, counted_bytes, ..report }, None)
        }
    }
}

/// Grounds a sheet several times and returns the figures of the median run with the spread of all.
/// The peak of memory is that of the first run, since later ones begin with the memory that it left.
/// A sheet that is not grounded is not tried again.
pub fn survey_repeated(
    sheet: &Source,
    bounds: &PipelineBounds,
    peak: fn() -> Option<u64>,
    runs: usize,
) -> (SheetReport, Option<Grounding>) {
    let (first, mut grounding) = survey(sheet.clone(), bounds, peak);
    let mut reports = vec![first];
    while reports.len() < runs && grounding.is_some() {
        // Not two at a time: they may be large.
        drop(grounding);
        let (report, again) = survey(sheet.clone(), bounds, no_peak);
        reports.push(report);
        grounding = again;
    }
    (middle(reports), grounding)
}

/// The report of several runs, of which only the last may have failed.
fn middle(mut reports: Vec<SheetReport>) -> SheetReport {
    let spread = |figure: fn(&SheetReport) -> f64| Spread::of(reports.iter().map(figure));
    let repeated = spread(|report| report.seconds).zip(spread(|report| report.cpu_seconds));
    let repeated = repeated.map(|(seconds, cpu_seconds)| Repeated { seconds, cpu_seconds });
    let peaks: Vec<(String, Option<u64>)> =
        reports[0].stages.iter().map(|stage| (stage.stage.clone(), stage.peak_bytes)).collect();
    let (runs, peak_bytes) = (reports.len(), reports[0].peak_bytes);
    let is_failed = |report: &SheetReport| report.result != SheetOutcome::Grounded;
    let at = reports.iter().position(is_failed).unwrap_or_else(|| {
        reports.sort_by(|a, b| a.cpu_seconds.total_cmp(&b.cpu_seconds));
        (runs - 1) / 2
    });
    let mut report = reports.swap_remove(at);
    if runs == 1 {
        return report;
    }
    for stage in &mut report.stages {
        let of_first = peaks.iter().find(|(name, _)| *name == stage.stage);
        stage.peak_bytes = of_first.and_then(|(_, peak)| *peak);
    }
    if let (Some(Repeated { seconds, cpu_seconds }), SheetOutcome::Grounded) =
        (repeated, report.result)
    {
        (report.seconds, report.cpu_seconds) = (seconds.median, cpu_seconds.median);
    }
    SheetReport { repeated, peak_bytes, ..report }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(result: SheetOutcome, seconds: f64, cpu_seconds: f64) -> SheetReport {
        SheetReport { seconds, cpu_seconds, ..SheetReport::new("s", result) }
    }

    #[test]
    fn several_runs_are_one_report_with_a_spread() {
        let times = [(9.0, 1.0), (4.0, 3.0), (5.0, 2.0)];
        let runs = times.map(|(seconds, cpu)| run(SheetOutcome::Grounded, seconds, cpu));
        let mut runs = runs.to_vec();
        runs[0].peak_bytes = Some(7);
        let report = middle(runs);
        assert_eq!((report.seconds, report.cpu_seconds, report.peak_bytes), (5.0, 2.0, Some(7)));
        let repeated = report.repeated.expect("a spread");
        assert_eq!((repeated.seconds.min, repeated.seconds.max), (4.0, 9.0));
        assert_eq!((repeated.cpu_seconds.runs, repeated.cpu_seconds.max), (3, 3.0));
    }

    #[test]
    fn one_run_has_no_spread_and_a_failure_is_not_hidden() {
        assert_eq!(middle(vec![run(SheetOutcome::Grounded, 1.0, 1.0)]).repeated, None);
        let runs = vec![run(SheetOutcome::Grounded, 1.0, 1.0), run(SheetOutcome::Time, 2.0, 2.0)];
        let report = middle(runs);
        assert_eq!((report.result, report.seconds), (SheetOutcome::Time, 2.0));
    }
}
