//! The grounding of many sheets, for a reader: a line for each and a summary.

use std::io::{self, Write};

use ludens::pipeline::{Seconds, SheetOutcome, SheetReport, Size, Summary};

use super::output;

/// The columns after the name of the sheet.
const COLUMNS: [(&str, usize); 12] = [
    ("seconds", 8),
    ("CPU s", 8),
    ("spread", 6),
    ("facts", 9),
    ("instances", 10),
    ("rules", 9),
    ("literals", 10),
    ("fluents", 7),
    ("moves", 7),
    ("counted MB", 10),
    ("peak MB", 8),
    ("result", 0),
];

/// A table wide enough for all sheets.
pub(crate) struct GroundTable<'o> {
    out: &'o mut dyn Write,
    /// The width of the names of sheets.
    name: usize,
}

impl<'o> GroundTable<'o> {
    pub(crate) fn new(names: &[String], out: &'o mut dyn Write) -> Self {
        let name = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
        GroundTable { out, name }
    }

    pub(crate) fn header(&mut self) -> io::Result<()> {
        self.write("sheet", COLUMNS.map(|(name, _)| name.to_string()))
    }

    pub(crate) fn row(&mut self, name: &str, report: &SheetReport) -> io::Result<()> {
        let dash = || "-".to_string();
        let after = |number: fn(&Size) -> usize| {
            report.after.as_ref().map_or_else(dash, |size| number(size).to_string())
        };
        let reached = |number: u64| if number == 0 { dash() } else { number.to_string() };
        let cells = [
            format!("{:.3}", report.seconds),
            format!("{:.3}", report.cpu_seconds),
            report.repeated.map_or_else(dash, |times| percent(times.cpu_seconds.relative())),
            reached(report.facts),
            reached(report.instances),
            after(|size| size.rules),
            after(|size| size.literals),
            after(|size| size.fluents),
            after(|size| size.moves),
            report.counted_bytes.map_or_else(dash, output::megabytes),
            report.peak_bytes.map_or_else(dash, output::megabytes),
            report.result.to_string(),
        ];
        self.write(name, cells)
    }

    /// Writes what went wrong, and the counts and times of all sheets.
    pub(crate) fn summary(self, reports: &[SheetReport], summary: &Summary) -> io::Result<()> {
        write_summary(self.out, reports, summary)
    }

    fn write(&mut self, name: &str, cells: [String; 12]) -> io::Result<()> {
        let name = format!("{name:<width$}", width = self.name);
        let cells: Vec<String> = [name].into_iter().chain(cells).collect();
        let widths = COLUMNS.map(|(_, width)| width);
        let widths: Vec<usize> = [self.name].into_iter().chain(widths).collect();
        output::row(self.out, &cells, &widths)
    }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

fn write_summary(
    out: &mut dyn Write,
    reports: &[SheetReport],
    summary: &Summary,
) -> io::Result<()> {
    writeln!(out)?;
    for report in reports {
        if let (SheetOutcome::Unplayable, _) | (_, None) = (report.result, &report.message) {
            continue;
        }
        writeln!(out, "{}: {}", report.sheet, report.message.as_deref().unwrap_or_default())?;
    }
    let mut line = format!("grounded {} of {} sheets", summary.grounded, summary.sheets);
    for (outcome, number) in &summary.results {
        match outcome {
            SheetOutcome::Grounded => {}
            SheetOutcome::Unplayable => line.push_str(&format!("; {number} cannot be played")),
            SheetOutcome::Time
            | SheetOutcome::Memory
            | SheetOutcome::Facts
            | SheetOutcome::Instances => {
                line.push_str(&format!("; {number} over the limit of {outcome}"));
            }
            other => line.push_str(&format!("; {number} failed by {other}")),
        }
    }
    writeln!(out, "{line}")?;
    write_times(out, "seconds", &summary.seconds)?;
    write_times(out, "CPU seconds", &summary.cpu_seconds)
}

fn write_times(out: &mut dyn Write, name: &str, times: &Seconds) -> io::Result<()> {
    let Seconds { p50, p90, p95, p99, max, sum } = times;
    writeln!(
        out,
        "{name}: p50 {p50:.3}, p90 {p90:.3}, p95 {p95:.3}, p99 {p99:.3}, max {max:.3}, sum {sum:.3}"
    )
}
