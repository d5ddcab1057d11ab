//! `ludens ground`: what grounding sheets takes and gives.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use ludens::ground::{Bounds, Outcome, SheetReport, Summary, peak_bytes, survey, survey_all};
use propnet::gdl::Source;
use propnet::ground::print_ground;
use serde::Serialize;

use super::args::GroundArgs;
use super::exit::Status;
use super::{ground_report, ground_table, input, output, progress};

/// Ground sheets and show what it takes
///
/// For one sheet: what each stage took, how large the ground rules are before and after sharpening,
/// and the rules of the sheet with the most instances: the ones to write differently where a sheet
/// is too large. For several, or a folder of sheets NAME.kif: a table and a summary. Exits with 1 if
/// a sheet could not be grounded.
///
/// Columns: facts are the sentences that can ever be true and instances those of the rules, both
/// before sharpening; rules and literals are what is left behind it; fluents are those that playouts
/// carry. The peak MB are those of the whole process by the end of the stage; the counted MB are
/// what --memory limits, and the same on every machine.
///
/// Examples:
///   ludens ground games/breakthrough.kif
///   ludens ground games --time 10 --json > report.json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Sheets, or folders of sheets; `-` for standard input
    #[arg(required = true, value_name = "SHEET")]
    sheets: Vec<String>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
    /// Write the ground rules of the sheet to a file, as a sheet of their own
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Ground so many sheets at once; with more than one, times are not to be compared
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    #[command(flatten)]
    ground: GroundArgs,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let sheets = input::sheets(&args.sheets)?;
    let bounds = args.ground.bounds();
    match <[Source; 1]>::try_from(sheets) {
        Ok([sheet]) => one(sheet, bounds, args.json, args.out.as_deref(), out),
        Err(sheets) => {
            ensure!(
                args.out.is_none(),
                "--out takes the rules of one sheet, but there are {}; ground them one by one",
                sheets.len()
            );
            many(sheets, bounds, args.threads.get(), args.json, out)
        }
    }
}

/// Everything, for scripts.
#[derive(Serialize)]
struct Document<'a> {
    limits: LimitItems,
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

fn write_json(out: &mut dyn Write, bounds: Bounds, sheets: &[SheetReport]) -> Result<Status> {
    let limits = bounds.limits();
    let limits = LimitItems {
        seconds: bounds.time.as_secs_f64(),
        bytes: limits.bytes,
        facts: limits.facts,
        instances: limits.rules,
    };
    let summary = Summary::of(sheets);
    let all = summary.grounded == summary.sheets;
    output::json(out, &Document { limits, sheets, summary })?;
    Ok(Status::bad_if(!all))
}

fn one(
    sheet: Source,
    bounds: Bounds,
    json: bool,
    file: Option<&Path>,
    out: &mut dyn Write,
) -> Result<Status> {
    let (report, grounding) = survey(sheet, &bounds, peak_bytes);
    if let (Some(file), Some(grounding)) = (file, &grounding) {
        fs::write(file, print_ground(&grounding.rules))
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    if json {
        return write_json(out, bounds, &[report]);
    }
    ground_report::write(out, &report)?;
    Ok(Status::bad_if(report.result != Outcome::Grounded))
}

fn many(
    sheets: Vec<Source>,
    bounds: Bounds,
    threads: usize,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status> {
    let bar = progress::sheets(sheets.len());
    let names: Vec<String> = sheets.iter().map(input::game_name).collect();
    let table = ground_table::Table::new(&names);
    let mut reports: Vec<SheetReport> = Vec::new();
    if !json {
        bar.suspend(|| table.header(out))?;
    }
    survey_all(sheets, &bounds, threads, |report| -> Result<()> {
        let name = &names[reports.len()];
        if !json {
            bar.suspend(|| table.row(out, name, &report))?;
        }
        bar.set_message(name.clone());
        bar.inc(1);
        reports.push(report);
        Ok(())
    })?;
    bar.finish_and_clear();
    if json {
        return write_json(out, bounds, &reports);
    }
    let summary = Summary::of(&reports);
    ground_table::write_summary(out, &reports, &summary)?;
    Ok(Status::bad_if(summary.grounded < summary.sheets))
}
