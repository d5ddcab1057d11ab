//! `ludens ground`: the cost and the results of grounding sheets.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use ludens::count::count_within;
use ludens::host::Host;
use ludens::parallel::in_order;
use ludens::pipeline::{PipelineBounds, SheetReport, Summary, peak_bytes, survey_repeated};
use propnet::gdl::Source;
use propnet::ground::print_ground;
use serde::Serialize;

use super::args::GroundArgs;
use super::exit::ExitStatus;
use super::ground_child::Child;
use super::{ground_csv, ground_report, ground_table, input, output, progress};

/// Ground sheets and show time, memory and sizes
///
/// For one sheet: what each stage took, how large the ground rules are before and after sharpening,
/// and the rules of the sheet with the most instances: rewrite those first if a sheet is too
/// large. For several, or a folder of sheets NAME.kif: a table and a summary. Exits with 1 if
/// a sheet could not be grounded.
///
/// Columns: seconds are those of the wall clock, CPU s those of the processor, which other work on
/// the machine does not lengthen. With --repeat both are medians; the spread is the distance between
/// the quickest and the slowest run in CPU seconds, as a share of the median. Facts are the sentences
/// that can ever be true and instances those of the rules, both before sharpening; rules and literals
/// are what is left after it; fluents are those that playouts carry. The counted MB are what --memory
/// limits, and are the same on every machine. The peak MB are what the process really held, also if
/// a sheet was not grounded; each of several sheets has its own process.
///
/// Examples:
///   ludens ground games/breakthrough.kif
///   ludens ground games --time 10 --json > report.json
///   ludens ground games --repeat 5 --csv > report.csv
///   ludens ground games --save before.json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Sheets, or folders of sheets; `-` for standard input
    #[arg(required = true, value_name = "SHEET")]
    sheets: Vec<String>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
    /// Print lines of comma-separated values instead of text, one for each sheet
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Ground each sheet N times, and show medians and spreads
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = count_within(1, 1_000_000), allow_negative_numbers = true)]
    repeat: u64,
    /// Write the ground rules to a file, as a sheet that can be played
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Save the document of --json to a file; `ludens web` draws several of them side by side
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Ground N sheets at once; with more than one, times are not comparable
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// What to call the sheet from standard input
    #[arg(long, value_name = "NAME", hide = true)]
    named: Option<String>,
    #[command(flatten)]
    ground: GroundArgs,
}

/// How results are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutputForm {
    Text,
    Json,
    Csv,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let sheets = input::sheets(&args.sheets)?;
    match <[Source; 1]>::try_from(sheets) {
        Ok([sheet]) => one(sheet, &args, out),
        Err(sheets) => {
            ensure!(
                args.out.is_none(),
                "--out takes the rules of one sheet, but there are {}; ground them one by one",
                sheets.len()
            );
            many(sheets, &args, out)
        }
    }
}

impl Args {
    fn form(&self) -> OutputForm {
        match (self.json, self.csv) {
            (true, _) => OutputForm::Json,
            (_, true) => OutputForm::Csv,
            _ => OutputForm::Text,
        }
    }
}

/// Everything, for scripts.
#[derive(Serialize)]
struct GroundDocument<'a> {
    version: &'static str,
    machine: Host,
    limits: LimitItems,
    repeat: u64,
    sheets: &'a [SheetReport],
    summary: Summary,
}

#[derive(Serialize)]
struct LimitItems {
    seconds: f64,
    bytes: u64,
    facts: u64,
    instances: u64,
}

/// Saves the document, if that is asked for.
fn save(args: &Args, sheets: &[SheetReport]) -> Result<()> {
    let Some(file) = &args.save else { return Ok(()) };
    let mut text = Vec::new();
    write_json(&mut text, args, sheets)?;
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn write_json(out: &mut dyn Write, args: &Args, sheets: &[SheetReport]) -> Result<()> {
    let document = GroundDocument {
        version: env!("CARGO_PKG_VERSION"),
        machine: Host::this(),
        limits: limit_items(args.ground.bounds()),
        repeat: args.repeat,
        sheets,
        summary: Summary::of(sheets),
    };
    Ok(output::json(out, &document)?)
}

fn limit_items(bounds: PipelineBounds) -> LimitItems {
    let limits = bounds.limits();
    LimitItems {
        seconds: bounds.time.as_secs_f64(),
        bytes: limits.bytes,
        facts: limits.facts,
        instances: limits.rules,
    }
}

fn one(sheet: Source, args: &Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let sheet = match &args.named {
        Some(name) => Source::from_text(name.clone(), sheet.text()),
        None => sheet,
    };
    let bounds = args.ground.bounds();
    let (report, grounding) = survey_repeated(&sheet, &bounds, peak_bytes, args.repeat as usize);
    if let (Some(file), Some(grounding)) = (args.out.as_deref(), &grounding) {
        write_ground(file, &print_ground(&grounding.rules))?;
    }
    match args.form() {
        OutputForm::Json => write_json(out, args, std::slice::from_ref(&report))?,
        OutputForm::Csv => ground_csv::CsvLines::new(out).row(&report)?,
        OutputForm::Text => ground_report::write(out, &report)?,
    }
    save(args, std::slice::from_ref(&report))?;
    Ok(status(&[report]))
}

fn write_ground(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn many(sheets: Vec<Source>, args: &Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let bar = progress::sheets(sheets.len());
    let names: Vec<String> = sheets.iter().map(input::game_name).collect();
    let child = Child::new(&args.ground, args.repeat)?;
    let mut reports: Vec<SheetReport> = Vec::new();
    let mut output = match args.form() {
        OutputForm::Text => GroundOutput::GroundTable(ground_table::GroundTable::new(&names, out)),
        OutputForm::Csv => GroundOutput::CsvLines(Box::new(ground_csv::CsvLines::new(out))),
        OutputForm::Json => GroundOutput::Nothing(out),
    };
    if let GroundOutput::GroundTable(table) = &mut output {
        bar.suspend(|| table.header())?;
    }
    let threads = args.threads.get().min(sheets.len());
    let work = |(): &mut (), sheet: Source| child.survey(&sheet);
    in_order(
        sheets.into_iter(),
        threads,
        || (),
        work,
        |report| -> Result<()> {
            let name = &names[reports.len()];
            bar.suspend(|| match &mut output {
                GroundOutput::GroundTable(table) => Ok(table.row(name, &report)?),
                GroundOutput::CsvLines(lines) => lines.row(&report),
                GroundOutput::Nothing(_) => Ok(()),
            })?;
            bar.set_message(name.clone());
            bar.inc(1);
            reports.push(report);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    match output {
        GroundOutput::GroundTable(table) => table.summary(&reports, &Summary::of(&reports))?,
        GroundOutput::CsvLines(_) => {}
        GroundOutput::Nothing(out) => write_json(out, args, &reports)?,
    }
    save(args, &reports)?;
    Ok(status(&reports))
}

/// How output is written while sheets are grounded.
enum GroundOutput<'o> {
    GroundTable(ground_table::GroundTable<'o>),
    CsvLines(Box<ground_csv::CsvLines<'o>>),
    /// Everything is written at the end.
    Nothing(&'o mut dyn Write),
}

fn status(reports: &[SheetReport]) -> ExitStatus {
    let summary = Summary::of(reports);
    ExitStatus::bad_if(summary.grounded < summary.sheets)
}
