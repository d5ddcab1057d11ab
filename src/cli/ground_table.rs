//! The grounding of many sheets, for a reader: a line for each and a summary.

use std::io::{self, Write};

use ludens::ground::{Outcome, SheetReport, Summary};

use super::output;

/// The columns, wide enough for the sheets that are to come.
pub(crate) struct Table {
    widths: [usize; 10],
}

impl Table {
    pub(crate) fn new(names: &[String]) -> Self {
        let name = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
        Table { widths: [name, 8, 9, 10, 9, 10, 7, 7, 8, 0] }
    }

    pub(crate) fn header(&self, out: &mut dyn Write) -> io::Result<()> {
        let names = [
            "sheet",
            "seconds",
            "facts",
            "instances",
            "rules",
            "literals",
            "fluents",
            "moves",
            "MB",
            "result",
        ];
        self.write(out, names.map(String::from))
    }

    pub(crate) fn row(
        &self,
        out: &mut dyn Write,
        name: &str,
        report: &SheetReport,
    ) -> io::Result<()> {
        let after = |number: fn(&ludens::ground::Size) -> usize| {
            report.after.as_ref().map_or("-".to_string(), |size| number(size).to_string())
        };
        let reached = |number: u64| if number == 0 { "-".to_string() } else { number.to_string() };
        self.write(
            out,
            [
                name.to_string(),
                format!("{:.3}", report.seconds),
                reached(report.facts),
                reached(report.instances),
                after(|size| size.rules),
                after(|size| size.literals),
                after(|size| size.fluents),
                after(|size| size.moves),
                output::megabytes(report.counted_bytes),
                report.result.to_string(),
            ],
        )
    }

    fn write(&self, out: &mut dyn Write, mut cells: [String; 10]) -> io::Result<()> {
        let width = self.widths[0];
        cells[0] = format!("{:<width$}", cells[0]);
        output::row(out, &cells, &self.widths)
    }
}

/// Writes what went wrong, and the counts and times of all sheets.
pub(crate) fn write_summary(
    out: &mut dyn Write,
    reports: &[SheetReport],
    summary: &Summary,
) -> io::Result<()> {
    writeln!(out)?;
    for report in reports {
        if let (Outcome::Unplayable, _) | (_, None) = (report.result, &report.message) {
            continue;
        }
        writeln!(out, "{}: {}", report.sheet, report.message.as_deref().unwrap_or_default())?;
    }
    let mut line = format!("grounded {} of {} sheets", summary.grounded, summary.sheets);
    for (outcome, number) in &summary.results {
        match outcome {
            Outcome::Grounded => {}
            Outcome::Unplayable => line.push_str(&format!("; {number} cannot be played")),
            Outcome::Time | Outcome::Memory | Outcome::Facts | Outcome::Instances => {
                line.push_str(&format!("; {number} over the limit of {outcome}"));
            }
            other => line.push_str(&format!("; {number} failed by {other}")),
        }
    }
    writeln!(out, "{line}")?;
    let seconds = &summary.seconds;
    writeln!(
        out,
        "seconds: p50 {:.3}, p90 {:.3}, p95 {:.3}, p99 {:.3}, max {:.3}, sum {:.3}",
        seconds.p50, seconds.p90, seconds.p95, seconds.p99, seconds.max, seconds.sum
    )
}
