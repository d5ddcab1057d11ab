//! `ludens check`: what is wrong with rule sheets.

use std::io::Write;

use anyhow::Result;
use propnet::gdl::{Finding, Rules, Severity, Source, Span};
use propnet::reference;
use serde::Serialize;

use super::exit::Status;
use super::{input, output};

/// Check rule sheets and show everything that is wrong with them
///
/// Errors keep a sheet from being played; warnings are departures from the GDL specification that
/// can be lived with. Exits with 1 if a sheet has an error.
///
/// Example: ludens check games/*.kif
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The sheets; `-` for standard input
    #[arg(required = true, value_name = "SHEET")]
    sheets: Vec<String>,
    /// Print one JSON array instead of text
    #[arg(long)]
    json: bool,
    /// Exit with 1 on warnings too
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let sheets: Result<Vec<Source>> =
        args.sheets.iter().map(|sheet| input::read_sheet(sheet)).collect();
    let mut reports = Vec::new();
    let mut wrong = false;
    for source in sheets? {
        let (rules, findings) = reference::examine(source);
        let report = Report::new(&rules, &findings);
        wrong |= report.errors > 0 || (args.strict && report.warnings > 0);
        if args.json {
            reports.push(report);
        } else {
            write_report(out, &rules, &findings, &report)?;
        }
    }
    if args.json {
        output::json(out, &reports)?;
    }
    Ok(Status::bad_if(wrong))
}

fn write_report(
    out: &mut dyn Write,
    rules: &Rules,
    findings: &[Finding],
    report: &Report,
) -> Result<()> {
    for finding in findings {
        writeln!(out, "{}", finding.render(&rules.source))?;
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

/// The findings about one sheet, for scripts.
#[derive(Serialize)]
struct Report {
    file: String,
    rules: u64,
    errors: u64,
    warnings: u64,
    findings: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    severity: String,
    code: &'static str,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    help: Option<String>,
    related: Option<Related>,
}

#[derive(Serialize)]
struct Related {
    line: usize,
    column: usize,
    message: String,
}

impl Report {
    fn new(rules: &Rules, findings: &[Finding]) -> Report {
        let count = |severity| {
            findings.iter().filter(|finding| finding.severity == severity).count() as u64
        };
        Report {
            file: rules.source.name().to_string(),
            rules: rules.rules.len() as u64,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            findings: findings.iter().map(|finding| Item::new(&rules.source, finding)).collect(),
        }
    }
}

impl Item {
    fn new(source: &Source, finding: &Finding) -> Item {
        let place = |span: Span| source.place(span.start);
        Item {
            severity: finding.severity.to_string(),
            code: finding.code,
            line: finding.span.map(|span| place(span).line),
            column: finding.span.map(|span| place(span).column),
            message: finding.message.clone(),
            help: finding.help.clone(),
            related: finding.related.as_ref().map(|(span, message)| Related {
                line: place(*span).line,
                column: place(*span).column,
                message: message.clone(),
            }),
        }
    }
}
