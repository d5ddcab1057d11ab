//! `ludens bench`: how fast games are played, and what it takes to get there.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use ludens::bench::{
    BenchOptions, BenchReport, SIGNATURE_GAMES, SheetBench, Signature, bench, signature,
};
use ludens::host::Host;
use ludens::library::{ENTRIES, Entry};
use ludens::pipeline::PipelineOptions;
use propnet::gdl::Source;

use super::args::{LaneArgs, OptionArgs, PlayoutArgs, ThreadArgs, seconds};
use super::bench_table::BenchTable;
use super::exit::ExitStatus;
use super::{input, output, progress};

/// Measure how fast games are played
///
/// For each sheet: what every stage took, how large the circuit, the program and its code are, and
/// playouts from the initial state: counted together (playouts), and each with its own result
/// (jobs). Rates are per second of the wall clock and per second of processor time; on a busy
/// machine, compare the latter. Exits with 1 if a sheet could not be measured.
///
/// Columns: gates have two inputs; operations are those of a step, of two or three inputs as the
/// back end has them; ns is the processor time of a step in one lane, then its parts: what is
/// legal, the choice of moves, the next state, the goals of playouts that are over, new playouts;
/// x scalar is the speed relative to one state at a time. With --compare, x before is playouts per
/// CPU second divided by those of the saved run, and range the lowest and the highest that slices
/// of both runs give: if it includes 1, the runs may well be equally fast.
///
/// Examples:
///   ludens bench breakthrough --seconds 2 --threads 1
///   ludens bench --save before.json
///   ludens bench --compare before.json --fail-below 0.9
///   ludens bench --signature
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Sheets, or folders of sheets; `-` for standard input [default: the games that come
    /// with the program]
    #[arg(value_name = "SHEET")]
    sheets: Vec<String>,
    /// The seconds for which each way to play is measured
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    seconds: Duration,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON document instead of a table
    #[arg(long)]
    json: bool,
    /// Write the figures to a file, to be compared with later
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Compare with the figures in a file
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Exit with 1 if a sheet is less than R times as fast as in the file, such as 0.9
    #[arg(long, value_name = "R", requires = "compare", value_parser = ratio)]
    fail_below: Option<f64>,
    /// Print one number that identifies the playouts instead; it is the same on every machine
    #[arg(long, conflicts_with_all = ["json", "save", "compare"])]
    signature: bool,
    #[command(flatten)]
    playouts: PlayoutArgs,
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    lanes: LaneArgs,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let options = BenchOptions {
        pipeline: PipelineOptions { lanes: args.lanes.setup()?, ..args.options.options() },
        time: args.seconds,
        threads: args.threads.threads(),
        seed: args.playouts.seed,
        limit: args.playouts.limit,
    };
    let sheets = sheets(&args)?;
    if args.signature {
        return write_signature(sheets, &options, out);
    }
    let earlier = args.compare.as_deref().map(read).transpose()?;
    measure(sheets, &options, earlier.as_ref(), &args, out)
}

/// The sheets that are named, or else those that come with the program.
fn sheets(args: &Args) -> Result<Vec<Source>> {
    if args.sheets.is_empty() {
        let is_wanted = |entry: &&Entry| !args.signature || SIGNATURE_GAMES.contains(&entry.name);
        let ours = ENTRIES.iter().filter(is_wanted);
        return Ok(ours.map(|entry| Source::from_text(entry.name, entry.text)).collect());
    }
    input::sheets(&args.sheets)
}

fn measure(
    sheets: Vec<Source>,
    options: &BenchOptions,
    earlier: Option<&BenchReport>,
    args: &Args,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    let lanes = options.pipeline.lanes;
    let mut report = BenchReport {
        version: Some(env!("CARGO_PKG_VERSION").to_string()),
        machine: Some(Host::this()),
        backend: lanes.backend().name().to_string(),
        lanes: lanes.width().lanes(),
        threads: options.threads,
        seconds: options.time.as_secs_f64(),
        seed: options.seed,
        differences: Vec::new(),
        sheets: Vec::new(),
    };
    if let Some(earlier) = earlier {
        report.differences = report.differences_from(earlier);
    }
    let names: Vec<String> = sheets.iter().map(input::game_name).collect();
    let table = BenchTable::new(&names, earlier.is_some());
    let bar = progress::sheets(sheets.len());
    if !args.json {
        bar.suspend(|| table.header(out, &report))?;
    }
    for (sheet, name) in sheets.into_iter().zip(&names) {
        bar.set_message(name.clone());
        let mut measured = SheetBench::new(name, bench(sheet, options));
        if let Some(earlier) = earlier {
            measured.compare(earlier);
        }
        if !args.json {
            bar.suspend(|| table.row(out, &measured))?;
        }
        bar.inc(1);
        report.sheets.push(measured);
    }
    bar.finish_and_clear();
    if args.json {
        output::json(out, &report)?;
    } else {
        table.write_making(out, &report)?;
    }
    if let Some(file) = &args.save {
        let text = serde_json::to_string_pretty(&report)?;
        let written = fs::write(file, text + "\n");
        written.with_context(|| format!("cannot write {}", file.display()))?;
    }
    let is_slower = match args.fail_below {
        Some(least) => fails_below(&report, least, args.json, out)?,
        None => false,
    };
    Ok(ExitStatus::bad_if(is_slower || report.sheets.iter().any(|sheet| sheet.error.is_some())))
}

/// Whether a sheet is slower than allowed; writes the names of those that are.
fn fails_below(
    report: &BenchReport,
    least: f64,
    is_json: bool,
    out: &mut dyn Write,
) -> Result<bool> {
    let ratios = report.sheets.iter().filter_map(|sheet| Some((&sheet.sheet, sheet.ratio?)));
    // A check of nothing would always pass.
    ensure!(ratios.clone().next().is_some(), "no sheet was compared: the file has none of them");
    let slower = ratios.filter(|(_, ratio)| *ratio < least);
    let slower: Vec<String> = slower.map(|(name, ratio)| format!("{name} {ratio:.3}")).collect();
    if !slower.is_empty() && !is_json {
        writeln!(out, "\nbelow {least} times as fast as before: {}", slower.join(", "))?;
    }
    Ok(!slower.is_empty())
}

fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio: &f64| ratio.is_finite() && *ratio > 0.0);
    ratio.ok_or_else(|| format!("{text} is not a ratio; write a number above 0, such as 0.9"))
}

fn read(file: &Path) -> Result<BenchReport> {
    let text = fs::read_to_string(file);
    let text = text.with_context(|| format!("cannot read {}", file.display()))?;
    let report = serde_json::from_str(&text);
    report.with_context(|| format!("{} was not written by bench --save", file.display()))
}

fn write_signature(
    sheets: Vec<Source>,
    options: &BenchOptions,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    let mut number = Signature::default();
    for sheet in sheets {
        let name = sheet.name().to_string();
        if let Err(error) = signature(&mut number, sheet, options) {
            bail!("{name}: {error}");
        }
    }
    writeln!(out, "{}", number.number())?;
    Ok(ExitStatus::Good)
}
