//! The results of a benchmark, as data. Scripts read them and files keep them, so the keys do not
//! change.

use serde::{Deserialize, Serialize};

use crate::host::Host;
use crate::statistics::Spread;

/// A whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchReport {
    /// The version of the program; unknown in files of old versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The machine that it ran on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Host>,
    /// The back end that was asked for, or chosen.
    pub backend: String,
    /// The lanes of each thread.
    pub lanes: usize,
    /// The threads that played.
    pub threads: usize,
    /// The seconds of each measurement.
    pub seconds: f64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// What differs from the run that this one was compared with, in words: such runs differ for
    /// other reasons than the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<String>,
    /// The results, sheet by sheet.
    pub sheets: Vec<SheetBench>,
}

/// One sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SheetBench {
    /// The name of the game.
    pub sheet: String,
    /// Why there are no figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The figures.
    #[serde(flatten)]
    pub figures: Option<SheetRates>,
    /// Playouts per processor second, divided by those of the run that this one was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// The ratio of the slowest slice of this run to the fastest of the other, and of the fastest
    /// to the slowest: if 1 is in between, the two runs may well be equally fast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio_range: Option<(f64, f64)>,
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SheetRates {
    /// The time that making the program took.
    pub make_seconds: MakeSeconds,
    /// Gates of two inputs in the circuit, after its passes.
    pub gates: usize,
    /// Operations of a step: rules, choice and random numbers. They have two or three inputs,
    /// whichever suits the back end.
    pub lookup_tables: usize,
    /// Operations of the goals, which are computed separately.
    pub goal_lookup_tables: usize,
    /// Bytes of machine code.
    pub code_bytes: usize,
    /// What the lanes of one thread work on.
    pub data_bytes: usize,
    /// The number of joint moves after which playouts were cut; `None` if they end anyway.
    pub limit: Option<u64>,
    /// Playouts per second of the wall clock, counted together.
    pub playouts_per_second: f64,
    /// The same per second of processor time.
    pub playouts_per_cpu_second: f64,
    /// The spread of this rate over slices of the measurement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts_per_cpu_second_spread: Option<Spread>,
    /// Joint moves per second of the wall clock, in playouts that are counted together.
    pub steps_per_second: f64,
    /// The same per second of processor time.
    pub steps_per_cpu_second: f64,
    /// Playouts per second of the wall clock, each with a result of its own.
    pub job_playouts_per_second: f64,
    /// The same per second of processor time.
    pub job_playouts_per_cpu_second: f64,
    /// Joint moves per second of processor time, one state at a time on the circuit.
    pub scalar_steps_per_cpu_second: f64,
    /// How many times as fast lanes are, per second of processor time.
    pub times_scalar: f64,
    /// The time of a step in one lane, and of its parts.
    pub lane_step_nanoseconds: SplitNanoseconds,
    /// Joint moves in a playout.
    pub mean_length: f64,
    /// The mean goal of each role; `None` where the rules gave no number.
    pub mean_goals: Vec<Option<f64>>,
    /// Playouts counted.
    pub playouts: u64,
    /// Of these, the ones that ended because a role had no legal move.
    pub stuck: u64,
    /// Of these, the ones that were cut.
    pub cut: u64,
}

/// The time of each stage, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MakeSeconds {
    /// From text to rules, with all checks.
    pub parse: f64,
    /// From rules to ground rules.
    pub ground: f64,
    /// From ground rules to a circuit.
    pub build: f64,
    /// All passes over the circuit.
    pub passes: f64,
    /// From circuit to program.
    pub map: f64,
    /// From program to machine code.
    pub compile: f64,
}

/// The processor time of a step in one lane, in nanoseconds. `split` explains how its parts are
/// measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SplitNanoseconds {
    /// The whole.
    pub total: f64,
    /// Computing the legal moves, and whether the game is over.
    pub state: f64,
    /// Generating random numbers and choosing a move for each role.
    pub choice: f64,
    /// Computing the next state.
    pub next: f64,
    /// Counting finished playouts, with their goals.
    pub goal: f64,
    /// Giving lanes their next playouts.
    pub refill: f64,
}

/// A number of events and the time they took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// Events per second of the wall clock.
    pub per_second: f64,
    /// Events per second of processor time.
    pub per_cpu_second: f64,
}

impl BenchReport {
    /// Notes how this run compares with an earlier one, in general and sheet by sheet.
    pub fn compare(&mut self, earlier: &BenchReport) {
        self.differences = self.differences_from(earlier);
        for report in &mut self.sheets {
            report.compare(earlier);
        }
    }

    /// What differs from an earlier run, besides the figures.
    pub fn differences_from(&self, earlier: &BenchReport) -> Vec<String> {
        let mut found = Vec::new();
        let mut note = |what: &str, before: String, now: String| {
            if before != now {
                found.push(format!("{what}: {before} in the saved run, {now} in this one"));
            }
        };
        note("back end", earlier.backend.clone(), self.backend.clone());
        note("lanes", earlier.lanes.to_string(), self.lanes.to_string());
        note("threads", earlier.threads.to_string(), self.threads.to_string());
        let unknown = || "unknown".to_string();
        let version = |run: &BenchReport| run.version.clone().unwrap_or_else(unknown);
        note("version", version(earlier), version(self));
        let cpu = |run: &BenchReport| run.machine.as_ref()?.cpu.clone();
        let cpu = |run: &BenchReport| cpu(run).unwrap_or_else(unknown);
        note("processor", cpu(earlier), cpu(self));
        found
    }
}

impl SheetBench {
    /// The rates, or why there are none.
    pub fn new(sheet: &str, result: Result<SheetRates, String>) -> Self {
        let (figures, error) = match result {
            Ok(figures) => (Some(figures), None),
            Err(error) => (None, Some(error)),
        };
        SheetBench { sheet: sheet.to_string(), error, figures, ratio: None, ratio_range: None }
    }

    /// Notes how this sheet compares with the same one of an earlier run.
    pub fn compare(&mut self, earlier: &BenchReport) {
        let same = earlier.sheets.iter().find(|other| other.sheet == self.sheet);
        let before = same.and_then(|other| other.figures.as_ref());
        let Some((now, before)) = self.figures.as_ref().zip(before) else { return };
        let ratio = now.playouts_per_cpu_second / before.playouts_per_cpu_second;
        let (now, before) = (now.slices(), before.slices());
        let range = (now.min / before.max, now.max / before.min);
        self.ratio = Some(ratio).filter(|ratio| ratio.is_finite());
        self.ratio_range = Some(range).filter(|range| range.0.is_finite() && range.1.is_finite());
    }
}

impl SheetRates {
    /// The spread of playouts per processor second; in files of old versions that of a single
    /// slice.
    fn slices(&self) -> Spread {
        let rate = self.playouts_per_cpu_second;
        let single = Spread { runs: 1, min: rate, median: rate, max: rate };
        self.playouts_per_cpu_second_spread.unwrap_or(single)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(sheets: Vec<SheetBench>) -> BenchReport {
        BenchReport {
            version: None,
            machine: None,
            backend: "portable".to_string(),
            lanes: 64,
            threads: 1,
            seconds: 1.0,
            seed: 0,
            differences: Vec::new(),
            sheets,
        }
    }

    fn at_speed(sheet: &str, playouts_per_cpu_second: f64) -> SheetBench {
        SheetBench::new(sheet, Ok(SheetRates { playouts_per_cpu_second, ..SheetRates::default() }))
    }

    #[test]
    fn what_is_written_is_read_again() {
        let failed = SheetBench::new("b", Err("no rules".to_string()));
        let written = report(vec![at_speed("a", 10.0), failed]);
        let text = serde_json::to_string(&written).expect("text");
        assert!(!text.contains("ratio"), "{text}");
        assert_eq!(serde_json::from_str::<BenchReport>(&text).expect("a report"), written);
    }

    #[test]
    fn runs_are_compared_sheet_by_sheet() {
        let mut now = report(vec![at_speed("a", 30.0), at_speed("new", 1.0)]);
        now.sheets.push(SheetBench::new("broken", Err("no rules".to_string())));
        let earlier = report(vec![at_speed("broken", 5.0), at_speed("a", 10.0)]);
        now.compare(&earlier);
        let ratios: Vec<Option<f64>> = now.sheets.iter().map(|report| report.ratio).collect();
        assert_eq!(ratios, [Some(3.0), None, None]);
        assert_eq!(now.sheets[0].ratio_range, Some((3.0, 3.0)));
        assert!(now.differences.is_empty());
    }

    #[test]
    fn slices_say_how_sure_a_comparison_is() {
        let spread = |min, max| Some(Spread { runs: 5, min, median: (min + max) / 2.0, max });
        let sheet = |rate, slices| {
            let figures = SheetRates {
                playouts_per_cpu_second: rate,
                playouts_per_cpu_second_spread: slices,
                ..SheetRates::default()
            };
            report(vec![SheetBench::new("a", Ok(figures))])
        };
        let mut now = sheet(12.0, spread(8.0, 16.0));
        now.compare(&sheet(10.0, spread(8.0, 16.0)));
        assert_eq!(now.sheets[0].ratio_range, Some((0.5, 2.0)));
        // A rate of zero is not a basis for comparison.
        now.compare(&sheet(0.0, None));
        assert_eq!((now.sheets[0].ratio, now.sheets[0].ratio_range), (None, None));
    }

    #[test]
    fn other_conditions_are_told() {
        let mut now = report(Vec::new());
        now.machine = Some(Host { cpu: Some("fast one".to_string()), ..Host::default() });
        let earlier = BenchReport { backend: "avx2".to_string(), lanes: 256, ..report(Vec::new()) };
        now.compare(&earlier);
        assert_eq!(
            now.differences,
            [
                "back end: avx2 in the saved run, portable in this one",
                "lanes: 256 in the saved run, 64 in this one",
                "processor: unknown in the saved run, fast one in this one",
            ]
        );
    }
}
