//! `ludens check`: what is wrong with rule sheets.

use std::io::Write;

use anyhow::Result;
use ludens::draw::Hints;
use ludens::findings::SheetFindings;
use propnet::gdl::{Finding, Rules};
use propnet::reference;
use serde::Serialize;

use super::color::{Color, Paint};
use super::exit::ExitStatus;
use super::{input, output};

/// Check rule sheets and show everything that is wrong with them
///
/// A sheet with errors cannot be played. Warnings are harmless deviations from the GDL specification
/// and likely slips. A sheet without errors is also played at random; findings from that come with
/// the moves that lead there, in the form that --moves of other commands takes.
/// For several sheets, or a folder of sheets NAME.kif, the last line is a summary. Exits with 1 if a
/// sheet has an error.
///
/// Examples:
///   ludens check games/tic_tac_toe.kif
///   ludens check games --strict
///   ludens check games --json > findings.json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Sheets, or folders of sheets; `-` for standard input
    #[arg(required = true, value_name = "SHEET")]
    sheets: Vec<String>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
    /// Exit with 1 on warnings too
    #[arg(long)]
    strict: bool,
    /// Whether to use colours; `auto` does in a terminal unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: Color,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let sheets = input::sheets(&args.sheets)?;
    let many = sheets.len() > 1;
    let paint = args.color.paint();
    let mut reports = Vec::new();
    for source in sheets {
        let (rules, mut findings) = reference::examine(source);
        findings.extend(Hints::findings(rules.source.text()));
        let report = SheetFindings::new(&rules, &findings);
        if !args.json {
            write_report(out, &rules, &findings, &report, paint)?;
        }
        reports.push(report);
    }
    let summary = CheckSummary::of(&reports);
    let wrong = summary.with_errors > 0 || (args.strict && summary.with_warnings > 0);
    if args.json {
        output::json(out, &CheckDocument { sheets: &reports, summary })?;
    } else if many {
        writeln!(
            out,
            "{}: {} with errors, {} with warnings",
            output::count(summary.sheets, "sheet"),
            summary.with_errors,
            summary.with_warnings,
        )?;
    }
    Ok(ExitStatus::bad_if(wrong))
}

fn write_report(
    out: &mut dyn Write,
    rules: &Rules,
    findings: &[Finding],
    report: &SheetFindings,
    paint: Paint,
) -> Result<()> {
    for finding in findings {
        writeln!(out, "{}", finding.render_in(&rules.source, &paint))?;
    }
    let verdict = if report.errors > 0 { "cannot be played" } else { "can be played" };
    writeln!(
        out,
        "{}: {verdict}: {}, {}, {}",
        report.file,
        output::count(report.rules, "rule"),
        output::count(report.errors, "error"),
        output::count(report.warnings, "warning"),
    )?;
    out.flush()?;
    Ok(())
}

/// Everything, for scripts.
#[derive(Serialize)]
struct CheckDocument<'a> {
    sheets: &'a [SheetFindings],
    summary: CheckSummary,
}

/// How many sheets have something wrong with them.
#[derive(Serialize)]
struct CheckSummary {
    sheets: u64,
    with_errors: u64,
    with_warnings: u64,
}

impl CheckSummary {
    fn of(reports: &[SheetFindings]) -> Self {
        let count = |has: fn(&SheetFindings) -> bool| {
            reports.iter().filter(|&report| has(report)).count() as u64
        };
        CheckSummary {
            sheets: reports.len() as u64,
            with_errors: count(|report| report.errors > 0),
            with_warnings: count(|report| report.warnings > 0),
        }
    }
}
