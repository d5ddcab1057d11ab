//! The reports of many sheets, counted.

use std::collections::BTreeMap;

use serde::Serialize;

use super::sheet::SheetReport;
use crate::pipeline::error::SheetOutcome;

/// The totals of a run over many sheets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The sheets.
    pub sheets: usize,
    /// Those that were grounded.
    pub grounded: usize,
    /// The number of sheets by outcome.
    pub results: BTreeMap<SheetOutcome, usize>,
    /// The time they took.
    pub seconds: Seconds,
    /// The same by processor time.
    pub cpu_seconds: Seconds,
}

/// Times of sheets, in seconds. Of a hundred sheets, `p90` is the time of the 90th quickest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Seconds {
    pub p50: f64,
    pub p90: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
    pub sum: f64,
}

impl Summary {
    /// Counts the reports.
    pub fn of(reports: &[SheetReport]) -> Self {
        let mut results = BTreeMap::new();
        for report in reports {
            *results.entry(report.result).or_default() += 1;
        }
        Summary {
            sheets: reports.len(),
            grounded: results.get(&SheetOutcome::Grounded).copied().unwrap_or(0),
            results,
            seconds: Seconds::of(reports.iter().map(|report| report.seconds).collect()),
            cpu_seconds: Seconds::of(reports.iter().map(|report| report.cpu_seconds).collect()),
        }
    }
}

impl Seconds {
    /// The times of some sheets.
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let rank = |percent: usize| {
            let rank = (times.len() * percent).div_ceil(100);
            times.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
        };
        Seconds {
            p50: rank(50),
            p90: rank(90),
            p95: rank(95),
            p99: rank(99),
            max: rank(100),
            sum: times.iter().sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_of_sheets() {
        let hundred = Seconds::of((1..=100).rev().map(f64::from).collect());
        let found = [hundred.p50, hundred.p90, hundred.p95, hundred.p99, hundred.max, hundred.sum];
        assert_eq!(found, [50.0, 90.0, 95.0, 99.0, 100.0, 5050.0]);
        let one = Seconds::of(vec![2.0]);
        assert_eq!((one.p50, one.max), (2.0, 2.0));
        assert_eq!(Seconds::of(Vec::new()), Seconds::default());
    }

    #[test]
    fn outcomes_are_counted() {
        let report = |result| SheetReport { seconds: 1.0, ..SheetReport::new("s", result) };
        let reports =
            [SheetOutcome::Grounded, SheetOutcome::Time, SheetOutcome::Grounded].map(report);
        let summary = Summary::of(&reports);
        assert_eq!(
            (summary.sheets, summary.grounded, summary.results[&SheetOutcome::Time]),
            (3, 2, 1)
        );
    }
}
