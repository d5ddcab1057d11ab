//! The figures of a benchmark, for a reader: a line for each sheet, and what making it took.

use std::io::{self, Write};

use ludens::bench::{BenchReport, SheetBench, SheetRates};

use super::output;

/// The columns of a sheet that is played, after its name.
const PLAYING: [(&str, usize); 15] = [
    ("gates", 7),
    ("operations", 10),
    ("playouts/s", 10),
    ("per CPU s", 10),
    ("jobs/CPU s", 10),
    ("steps/CPU s", 11),
    ("ns", 7),
    ("state", 7),
    ("choice", 7),
    ("next", 7),
    ("goal", 7),
    ("refill", 7),
    ("x scalar", 8),
    ("length", 7),
    ("goals", 0),
];

/// The columns of a comparison, before those.
const COMPARING: [(&str, usize); 2] = [("x before", 8), ("range", 11)];

/// The columns of what making a sheet took, after its name.
const MAKING: [(&str, usize); 8] = [
    ("parse s", 8),
    ("ground s", 8),
    ("build s", 8),
    ("passes s", 8),
    ("map s", 8),
    ("compile s", 9),
    ("code kB", 8),
    ("data kB", 8),
];

/// Tables wide enough for all sheets.
pub(crate) struct BenchTable {
    name: usize,
    compares: bool,
}

impl BenchTable {
    pub(crate) fn new(names: &[String], compares: bool) -> Self {
        let name = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
        BenchTable { name, compares }
    }

    pub(crate) fn header(&self, out: &mut dyn Write, report: &BenchReport) -> io::Result<()> {
        let (backend, lanes) = (&report.backend, report.lanes);
        let threads = output::count(report.threads as u64, "thread");
        writeln!(out, "{backend}, {lanes} lanes, {threads}, {} s each", report.seconds)?;
        let mut cells: Vec<String> = PLAYING.map(|(name, _)| name.to_string()).to_vec();
        for difference in &report.differences {
            writeln!(out, "note: {difference}")?;
        }
        if self.compares {
            cells.splice(0..0, COMPARING.map(|(name, _)| name.to_string()));
        }
        self.write(out, "sheet", &cells, &self.widths())
    }

    pub(crate) fn row(&self, out: &mut dyn Write, report: &SheetBench) -> io::Result<()> {
        let Some(figures) = &report.figures else {
            let error = report.error.as_deref().unwrap_or_default();
            let first = error.lines().next().unwrap_or_default();
            writeln!(out, "{:<width$}  error: {first}", report.sheet, width = self.name)?;
            return out.flush();
        };
        let mut cells = playing(figures).to_vec();
        if self.compares {
            cells.splice(0..0, comparing(report));
        }
        self.write(out, &report.sheet, &cells, &self.widths())
    }

    /// Writes what making each sheet took.
    pub(crate) fn write_making(&self, out: &mut dyn Write, report: &BenchReport) -> io::Result<()> {
        let widths = MAKING.map(|(_, width)| width);
        writeln!(out)?;
        self.write(out, "sheet", &MAKING.map(|(name, _)| name.to_string()), &widths)?;
        for sheet in &report.sheets {
            if let Some(figures) = &sheet.figures {
                self.write(out, &sheet.sheet, &making(figures), &widths)?;
            }
        }
        Ok(())
    }

    fn widths(&self) -> Vec<usize> {
        let first = if self.compares { &COMPARING[..] } else { &[] };
        first.iter().chain(&PLAYING).map(|(_, width)| *width).collect()
    }

    fn write(
        &self,
        out: &mut dyn Write,
        name: &str,
        cells: &[String],
        widths: &[usize],
    ) -> io::Result<()> {
        let name = format!("{name:<width$}", width = self.name);
        let cells: Vec<String> = [name].into_iter().chain(cells.iter().cloned()).collect();
        let widths: Vec<usize> = [self.name].into_iter().chain(widths.iter().copied()).collect();
        output::row(out, &cells, &widths)
    }
}

fn comparing(report: &SheetBench) -> [String; 2] {
    let dash = || "-".to_string();
    [
        report.ratio.map_or_else(dash, |ratio| format!("{ratio:.2}")),
        report.ratio_range.map_or_else(dash, |(low, high)| format!("{low:.2}-{high:.2}")),
    ]
}

fn playing(figures: &SheetRates) -> [String; 15] {
    let split = &figures.lane_step_nanoseconds;
    let nanoseconds = |number: f64| format!("{number:.3}");
    let goal = |goal: &Option<f64>| goal.map_or("-".to_string(), |goal| format!("{goal:.1}"));
    let goals: Vec<String> = figures.mean_goals.iter().map(goal).collect();
    [
        figures.gates.to_string(),
        figures.lookup_tables.to_string(),
        output::short(figures.playouts_per_second),
        output::short(figures.playouts_per_cpu_second),
        output::short(figures.job_playouts_per_cpu_second),
        output::short(figures.steps_per_cpu_second),
        nanoseconds(split.total),
        nanoseconds(split.state),
        nanoseconds(split.choice),
        nanoseconds(split.next),
        nanoseconds(split.goal),
        nanoseconds(split.refill),
        output::short(figures.times_scalar),
        format!("{:.1}", figures.mean_length),
        goals.join(" "),
    ]
}

fn making(figures: &SheetRates) -> [String; 8] {
    let made = &figures.make_seconds;
    let seconds = |number: f64| format!("{number:.3}");
    let kilobytes = |bytes: usize| format!("{:.1}", bytes as f64 / 1024.0);
    [
        seconds(made.parse),
        seconds(made.ground),
        seconds(made.build),
        seconds(made.passes),
        seconds(made.map),
        seconds(made.compile),
        kilobytes(figures.code_bytes),
        kilobytes(figures.data_bytes),
    ]
}
