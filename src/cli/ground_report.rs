//! The grounding of one sheet, for a reader.

use std::io::{self, Write};

use ludens::pipeline::{Repeated, SharpenFigures, SheetOutcome, SheetReport, Size, StageFigures};

use super::output;

/// Writes all figures about a sheet.
pub(crate) fn write(out: &mut dyn Write, report: &SheetReport) -> io::Result<()> {
    let SheetReport { sheet, seconds, cpu_seconds, message, .. } = report;
    match (report.result, message) {
        (SheetOutcome::Grounded, _) => {
            writeln!(out, "{sheet}: grounded in {seconds:.3} s, {cpu_seconds:.3} CPU s")?;
        }
        (SheetOutcome::Unplayable, Some(message)) => {
            return writeln!(out, "{message}\n{sheet}: cannot be played");
        }
        (result, message) => {
            let message = message.as_deref().unwrap_or(result.name());
            writeln!(
                out,
                "{sheet}: not grounded after {seconds:.3} s, {cpu_seconds:.3} CPU s: {message}"
            )?;
        }
    }
    if let Some(repeated) = &report.repeated {
        write_repeated(out, repeated)?;
    }
    if let Some(peak) = report.peak_bytes {
        writeln!(out, "peak memory of the process: {} MB", output::megabytes(peak))?;
    }
    write_stages(out, &report.stages)?;
    if let (Some(before), Some(after)) = (&report.before, &report.after) {
        write_sizes(out, before, after, report.sharpening.as_ref())?;
    }
    write_heaviest(out, report)
}

fn write_repeated(out: &mut dyn Write, repeated: &Repeated) -> io::Result<()> {
    let Repeated { seconds, cpu_seconds } = repeated;
    writeln!(
        out,
        "medians of {} runs: {:.3} to {:.3} s, {:.3} to {:.3} CPU s",
        seconds.runs, seconds.min, seconds.max, cpu_seconds.min, cpu_seconds.max
    )
}

const STAGE_WIDTHS: [usize; 9] = [10, 8, 8, 8, 10, 6, 9, 12, 10];

fn write_stages(out: &mut dyn Write, stages: &[StageFigures]) -> io::Result<()> {
    let names = [
        "",
        "seconds",
        "CPU s",
        "peak MB",
        "counted MB",
        "rules",
        "facts",
        "ground rules",
        "literals",
    ];
    writeln!(out)?;
    output::row(out, &names.map(String::from), &STAGE_WIDTHS)?;
    for stage in stages {
        let cells = [
            format!("{:<10}", stage.stage),
            format!("{:.3}", stage.seconds),
            format!("{:.3}", stage.cpu_seconds),
            stage.peak_bytes.map_or("-".to_string(), output::megabytes),
            known(stage.counted_bytes, output::megabytes),
            known(stage.rules, |number| number.to_string()),
            known(stage.facts, |number| number.to_string()),
            known(stage.ground_rules, |number| number.to_string()),
            known(stage.literals, |number| number.to_string()),
        ];
        output::row(out, &cells, &STAGE_WIDTHS)?;
    }
    let again = stages.iter().filter(|stage| stage.runs > 1);
    for StageFigures { stage, runs, .. } in again {
        writeln!(out, "{stage} was run {runs} times: large helper relations were put on demand")?;
    }
    Ok(())
}

/// `-` for a size that a stage does not know yet.
fn known(number: u64, text: impl Fn(u64) -> String) -> String {
    if number == 0 { "-".to_string() } else { text(number) }
}

fn write_sizes(
    out: &mut dyn Write,
    before: &Size,
    after: &Size,
    sharpening: Option<&SharpenFigures>,
) -> io::Result<()> {
    const WIDTHS: [usize; 6] = [10, 9, 9, 9, 9, 9];
    writeln!(out)?;
    let names = ["sharpening", "rules", "literals", "atoms", "fluents", "moves"];
    output::row(out, &names.map(String::from), &WIDTHS)?;
    for (name, size) in [("before", before), ("after", after)] {
        let Size { rules, literals, atoms, fluents, moves } = size;
        let numbers = [rules, literals, atoms, fluents, moves].map(usize::to_string);
        let cells: Vec<String> = [format!("{name:<10}")].into_iter().chain(numbers).collect();
        output::row(out, &cells, &WIDTHS)?;
    }
    let Some(done) = sharpening else { return Ok(()) };
    let fluents = [
        (done.constant, "constant"),
        (done.copied, "copies of another"),
        (done.observed, "only for show"),
    ];
    let helpers = [
        (done.known, "known"),
        (done.merged, "merged"),
        (done.aliased, "replaced by a literal"),
        (done.inlined + done.lifted, "inlined"),
        (done.unread, "unread"),
    ];
    let others = [
        (done.moves_dropped, "moves never legal"),
        (done.subsumed, "rules subsumed"),
        (done.unstable, "atoms in cycles through negation, left alone"),
    ];
    write_list(out, "fluents: ", &fluents)?;
    write_list(out, "helpers: ", &helpers)?;
    write_list(out, "", &others)
}

/// Writes the numbers that are not zero, on one line.
fn write_list(out: &mut dyn Write, name: &str, items: &[(usize, &str)]) -> io::Result<()> {
    let items = items.iter().filter(|(number, _)| *number > 0);
    let texts: Vec<String> = items.map(|(number, text)| format!("{number} {text}")).collect();
    if texts.is_empty() { Ok(()) } else { writeln!(out, "{name}{}", texts.join(", ")) }
}

fn write_heaviest(out: &mut dyn Write, report: &SheetReport) -> io::Result<()> {
    if report.heaviest.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nrules with the most instances")?;
    let place = |line: usize, column: usize| format!("{line}:{column}");
    let rules = report.heaviest.iter();
    let width = rules.map(|rule| rule.relation.chars().count()).max().unwrap_or(0);
    for rule in &report.heaviest {
        let cells = [
            rule.instances.to_string(),
            format!("{:.1}%", 100.0 * rule.share),
            place(rule.line, rule.column),
            format!("{:<width$}", rule.relation),
            rule.text.clone(),
        ];
        output::row(out, &cells, &[10, 6, 8, width, 0])?;
    }
    Ok(())
}
