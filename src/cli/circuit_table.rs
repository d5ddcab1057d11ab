//! The circuits of many sheets, for a reader: a line for each and a summary.

use std::io::{self, Write};

use ludens::pipeline::{CircuitReport, CircuitSummary, Seconds, SheetOutcome};
use propnet::circuit::optimize::Size;

use super::output;

/// The columns, wide enough for all sheets.
pub(crate) struct CircuitTable {
    widths: [usize; 11],
}

impl CircuitTable {
    pub(crate) fn new(names: &[String]) -> Self {
        let name = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
        CircuitTable { widths: [name, 8, 8, 8, 9, 9, 9, 7, 8, 8, 0] }
    }

    pub(crate) fn header(&self, out: &mut dyn Write) -> io::Result<()> {
        let names = [
            "sheet",
            "ground",
            "build",
            "passes",
            "gates",
            "two-input",
            "after",
            "depth",
            "fluents",
            "moves",
            "result",
        ];
        self.write(out, names.map(String::from))
    }

    pub(crate) fn row(
        &self,
        out: &mut dyn Write,
        name: &str,
        report: &CircuitReport,
    ) -> io::Result<()> {
        let number = |size: &Option<Size>, number: fn(&Size) -> usize| {
            size.as_ref().map_or("-".to_string(), |size| number(size).to_string())
        };
        let seconds = &report.seconds;
        self.write(
            out,
            [
                name.to_string(),
                format!("{:.3}", seconds.ground),
                format!("{:.3}", seconds.build),
                format!("{:.3}", seconds.passes),
                number(&report.before, |size| size.gates),
                number(&report.before, |size| size.two_input_gates),
                number(&report.after, |size| size.two_input_gates),
                number(&report.after, |size| size.depth),
                number(&report.after, |size| size.carried),
                number(&report.after, |size| size.moves),
                report.result.to_string(),
            ],
        )
    }

    fn write(&self, out: &mut dyn Write, mut cells: [String; 11]) -> io::Result<()> {
        let width = self.widths[0];
        cells[0] = format!("{:<width$}", cells[0]);
        output::row(out, &cells, &self.widths)
    }
}

/// Writes what went wrong, and the sizes and times of all sheets.
pub(crate) fn write_summary(
    out: &mut dyn Write,
    reports: &[CircuitReport],
    summary: &CircuitSummary,
) -> io::Result<()> {
    writeln!(out)?;
    for report in reports {
        if let (SheetOutcome::Unplayable, _) | (_, None) = (report.result, &report.message) {
            continue;
        }
        writeln!(out, "{}: {}", report.sheet, report.message.as_deref().unwrap_or_default())?;
    }
    writeln!(
        out,
        "circuits of {} of {} sheets: {} gates became {}, {} two-input gates {}",
        summary.circuits,
        summary.sheets,
        summary.gates_before,
        summary.gates_after,
        summary.two_input_gates_before,
        summary.two_input_gates_after
    )?;
    write_seconds(out, "build", &summary.build)?;
    write_seconds(out, "passes", &summary.passes)?;
    for pass in &summary.each_pass {
        write_seconds(out, &format!("pass {}", pass.pass), &pass.seconds)?;
    }
    for pass in &summary.each_pass {
        writeln!(out, "pass {:<11} saved {} two-input gates", pass.pass, pass.saved)?;
    }
    Ok(())
}

fn write_seconds(out: &mut dyn Write, name: &str, seconds: &Seconds) -> io::Result<()> {
    writeln!(
        out,
        "{name:<16} seconds: p50 {:.3}, p90 {:.3}, p95 {:.3}, p99 {:.3}, max {:.3}, sum {:.3}",
        seconds.p50, seconds.p90, seconds.p95, seconds.p99, seconds.max, seconds.sum
    )
}
