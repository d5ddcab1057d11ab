//! The grounding of sheets as comma-separated values, for tables and plots.

use std::io::Write;

use anyhow::Result;
use ludens::pipeline::{SheetReport, Size};
use serde::Serialize;

/// A line for each sheet, below a line with the names of the columns.
pub(crate) struct CsvLines<'o>(csv::Writer<&'o mut dyn Write>);

/// The columns. Scripts read them, so their names must not change.
#[derive(Serialize)]
struct CsvLine<'r> {
    sheet: &'r str,
    result: &'static str,
    runs: usize,
    seconds: f64,
    seconds_min: f64,
    seconds_max: f64,
    cpu_seconds: f64,
    cpu_seconds_min: f64,
    cpu_seconds_max: f64,
    counted_bytes: Option<u64>,
    peak_bytes: Option<u64>,
    facts: u64,
    instances: u64,
    rules: Option<usize>,
    literals: Option<usize>,
    atoms: Option<usize>,
    fluents: Option<usize>,
    moves: Option<usize>,
    message: Option<&'r str>,
}

impl<'o> CsvLines<'o> {
    pub(crate) fn new(out: &'o mut dyn Write) -> Self {
        CsvLines(csv::Writer::from_writer(out))
    }

    /// Writes the line of a sheet and flushes it.
    pub(crate) fn row(&mut self, report: &SheetReport) -> Result<()> {
        self.0.serialize(line(report)).map_err(unwrapped)?;
        Ok(self.0.flush()?)
    }
}

/// Unwraps an I/O error, so that a closed pipe is recognised.
fn unwrapped(error: csv::Error) -> anyhow::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => anyhow::anyhow!("{other:?}"),
    }
}

fn line(report: &SheetReport) -> CsvLine<'_> {
    let ends = |of: Option<ludens::statistics::Spread>, value: f64| {
        of.map_or((value, value), |spread| (spread.min, spread.max))
    };
    let repeated = report.repeated;
    let seconds = ends(repeated.map(|repeated| repeated.seconds), report.seconds);
    let cpu = ends(repeated.map(|repeated| repeated.cpu_seconds), report.cpu_seconds);
    let after = |number: fn(&Size) -> usize| report.after.as_ref().map(number);
    CsvLine {
        sheet: &report.sheet,
        result: report.result.name(),
        runs: repeated.map_or(1, |repeated| repeated.seconds.runs),
        seconds: report.seconds,
        seconds_min: seconds.0,
        seconds_max: seconds.1,
        cpu_seconds: report.cpu_seconds,
        cpu_seconds_min: cpu.0,
        cpu_seconds_max: cpu.1,
        counted_bytes: report.counted_bytes,
        peak_bytes: report.peak_bytes,
        facts: report.facts,
        instances: report.instances,
        rules: after(|size| size.rules),
        literals: after(|size| size.literals),
        atoms: after(|size| size.atoms),
        fluents: after(|size| size.fluents),
        moves: after(|size| size.moves),
        message: report.message.as_deref(),
    }
}
