//! `ludens verify`: recorded traces and matches against an engine.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use ludens::count::count;
use ludens::text::plain_lines;
use ludens::trace::hash_contents;
use ludens::verify::{
    Case, CaseResult, CaseStatus, Contents, Record, VerifySettings, VerifySummary, Writer, excuse,
    find_cases, verify_all, verify_contents, verify_record,
};

use super::args::EngineArgs;
use super::exit::ExitStatus;
use super::{input, output, progress, recorded};

/// Compare recorded traces and matches with what an engine answers
///
/// Everything in a trace is compared as whole sets: roles, states, legal moves, whether the game is
/// over, goals. The first difference is shown and makes the command exit with 1. With --corpus all
/// sheets NAME.kif that have a trace NAME.json are compared, on all cores. A sheet that the engine
/// cannot ground is a failure. With --record a match is compared, by the rules that its record
/// carries or names, or by SHEET: its moves must be legal, and its states and goals those of the
/// rules.
///
/// Examples:
///   ludens verify games/tic_tac_toe.kif --trace trace.json
///   ludens verify --record records/tic_tac_toe.1700000000000.1.json
///   ludens verify --corpus sheets --traces traces --resume done.jsonl
///   ludens verify --corpus sheets --traces traces --engine circuit --passes none
///   ludens verify --corpus sheets --traces traces --engine lanes --lanes 512 --backend portable
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The rules of the game: a file, or the name of a game; `-` for standard input
    #[arg(required_unless_present_any = ["corpus", "record"], conflicts_with = "corpus")]
    sheet: Option<String>,
    /// The trace of the sheet
    #[arg(long, value_name = "FILE", requires = "sheet")]
    #[arg(required_unless_present_any = ["corpus", "record"], conflicts_with = "record")]
    trace: Option<PathBuf>,
    /// The record of a match, of any kind that `ludens replay` shows; `-` for standard input
    #[arg(long, value_name = "RECORD", conflicts_with = "corpus")]
    record: Option<String>,
    /// A directory of sheets
    #[arg(long, value_name = "DIR", requires = "traces")]
    corpus: Option<PathBuf>,
    /// The directory of their traces
    #[arg(long, value_name = "DIR", requires = "corpus")]
    traces: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Replay at most N steps of each playout [default: all]
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    steps: Option<u64>,
    /// A file to continue from: results are appended, and sheets that are in it are skipped
    #[arg(long, value_name = "FILE", requires = "corpus")]
    resume: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let (engine, options) = (args.engine.engine, args.engine.options()?);
    let settings = VerifySettings { engine, options, steps: args.steps };
    match (&args.sheet, &args.trace, &args.record, args.corpus.zip(args.traces)) {
        (sheet, _, Some(record), _) => {
            verify_match(sheet.as_deref(), record, &settings, args.json, out)
        }
        (Some(sheet), Some(trace), _, _) => {
            let sheet = input::read_sheet(sheet)?;
            let trace =
                fs::read(trace).with_context(|| format!("cannot read {}", trace.display()))?;
            let contents = Contents { sheet, trace };
            let name = input::game_name(&contents.sheet);
            conclude(&verify_contents(&name, contents, &settings), args.json, out)
        }
        (_, _, _, Some((corpus, traces))) => {
            let job = Corpus::prepare(&corpus, &traces, settings, args.resume.as_deref())?;
            job.run(args.json, out)
        }
        _ => anyhow::bail!("give a sheet with --trace, --record, or --corpus with --traces"),
    }
}

fn verify_match(
    sheet: Option<&str>,
    record: &str,
    settings: &VerifySettings,
    json: bool,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    let recorded = recorded::read(record)?;
    let sheet = recorded.sheet(sheet, "SHEET")?;
    let content = hash_contents(&[sheet.text().as_bytes(), &recorded.bytes]);
    let result = verify_record(&recorded.name, &recorded.record, sheet, content, settings);
    conclude(&result, json, out)
}

fn conclude(result: &CaseResult, json: bool, out: &mut dyn Write) -> Result<ExitStatus> {
    if json {
        output::json(out, result)?;
    } else {
        write_result(out, result)?;
    }
    Ok(ExitStatus::bad_if(result.status != CaseStatus::Agree))
}

fn write_result(out: &mut dyn Write, result: &CaseResult) -> Result<()> {
    let verdict = match result.status {
        CaseStatus::Agree => "agrees",
        CaseStatus::Differ => "differs",
        CaseStatus::Failed => "failed",
    };
    writeln!(
        out,
        "{}: {verdict} after {}, {}",
        plain_lines(&result.sheet),
        output::count(result.comparisons, "comparison"),
        output::count(result.replayed, "step"),
    )?;
    if let Some(message) = &result.message {
        // Traces may come from outside.
        writeln!(out, "  {}", plain_lines(message).replace('\n', "\n  "))?;
    }
    out.flush()?;
    Ok(())
}

/// A corpus, ready to be verified.
struct Corpus {
    cases: Vec<Case>,
    summary: VerifySummary,
    settings: VerifySettings,
    record: Record,
    writer: Option<Writer>,
}

impl Corpus {
    fn prepare(
        corpus: &Path,
        traces: &Path,
        settings: VerifySettings,
        record: Option<&Path>,
    ) -> Result<Corpus> {
        let (cases, without) = find_cases(corpus, traces)
            .with_context(|| format!("cannot read the directory {}", corpus.display()))?;
        ensure!(
            !cases.is_empty(),
            "no sheet NAME.kif in {} has a trace NAME.json in {}",
            corpus.display(),
            traces.display()
        );
        let (record, writer) = match record {
            Some(path) => {
                let opened = Record::open(path);
                let (record, writer) =
                    opened.with_context(|| format!("cannot use the record {}", path.display()))?;
                (record, Some(writer))
            }
            None => (Record::default(), None),
        };
        let summary = VerifySummary::new(&settings, without);
        Ok(Corpus { cases, summary, settings, record, writer })
    }

    fn run(mut self, json: bool, out: &mut dyn Write) -> Result<ExitStatus> {
        let bar = progress::sheets(self.cases.len());
        let settings = &self.settings;
        let done = |result: CaseResult, known: bool| -> Result<()> {
            if let (Some(writer), false) = (&mut self.writer, known) {
                writer.add(&result).context("cannot write to the record")?;
            }
            if !json && result.status != CaseStatus::Agree && excuse(&result.sheet).is_none() {
                bar.suspend(|| write_result(out, &result))?;
            }
            bar.set_message(result.sheet.clone());
            bar.inc(1);
            self.summary.add(result, known);
            Ok(())
        };
        verify_all(&self.cases, |_| vec![settings.clone()], &self.record, done)?;
        bar.finish_and_clear();
        if json {
            output::json(out, &self.summary)?;
        } else {
            write_summary(out, &self.summary)?;
        }
        Ok(ExitStatus::bad_if(self.summary.is_failure()))
    }
}

fn write_summary(out: &mut dyn Write, summary: &VerifySummary) -> Result<()> {
    for problem in &summary.problems {
        if let Some(reason) = problem.excuse {
            let sheet = &problem.result.sheet;
            writeln!(out, "{sheet}: does not agree, but is excused: {reason}")?;
        }
    }
    for sheet in &summary.needless_excuses {
        writeln!(out, "{sheet}: agrees although it is excused; remove the excuse")?;
    }
    writeln!(
        out,
        "{}: {} agree, {} differ, {} failed; {}, {} ({} sheets from the record, {} without a trace)",
        output::count(summary.sheets as u64, "sheet"),
        summary.agree,
        summary.differ,
        summary.failed,
        output::count(summary.comparisons, "comparison"),
        output::count(summary.replayed, "step"),
        summary.from_record,
        summary.without_trace,
    )?;
    Ok(())
}
