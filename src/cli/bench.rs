//! `ludens bench`: how fast games are played, and what it takes to get there.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ludens::bench::{
    BenchOptions, BenchReport, SIGNATURE_GAMES, SheetReport, Signature, bench, signature,
};
use ludens::engine::EngineOptions;
use ludens::library::{ENTRIES, Entry};
use propnet::gdl::Source;

use super::args::{LaneArgs, OptionArgs, PlayoutArgs, ThreadArgs, seconds};
use super::bench_table::Table;
use super::exit::Status;
use super::{input, output, progress};

/// Measure how fast games are played
///
/// For each sheet: what every stage took, how large the circuit, the program and its code are, and
/// playouts from the initial state: counted together (playouts), and each with a result of its own
/// (jobs). Rates are per second of the wall clock and per second of processor time; where a machine
/// has other work to do, the second is the one to compare. Exits with 1 if a sheet could not be
/// measured.
///
/// Columns: gates have two inputs; operations are those of a step, of two or three inputs as the
/// back end wants them; ns is the processor time of a step in one lane, then its parts: what is
/// legal, the choice of moves, the next state, the goals of playouts that are over, new playouts;
/// x scalar is how many times as fast that is as one state at a time.
///
/// Examples:
///   ludens bench breakthrough --seconds 2 --threads 1
///   ludens bench --save before.json
///   ludens bench --compare before.json
///   ludens bench --signature
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Sheets, or folders of sheets; `-` for standard input [default: the games that come
    /// with the program]
    #[arg(value_name = "SHEET")]
    sheets: Vec<String>,
    /// How long each way to play is measured
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
    /// Print one number for what is played instead, which is the same on every machine
    #[arg(long, conflicts_with_all = ["json", "save", "compare"])]
    signature: bool,
    #[command(flatten)]
    playouts: PlayoutArgs,
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    lanes: LaneArgs,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let options = BenchOptions {
        engine: EngineOptions { lanes: args.lanes.setup()?, ..args.options.options() },
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

/// The sheets that are named, or else ours.
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
) -> Result<Status> {
    let lanes = options.engine.lanes;
    let mut report = BenchReport {
        backend: lanes.backend().name().to_string(),
        lanes: lanes.width().lanes(),
        threads: options.threads,
        seconds: options.time.as_secs_f64(),
        seed: options.seed,
        sheets: Vec::new(),
    };
    let names: Vec<String> = sheets.iter().map(input::game_name).collect();
    let table = Table::new(&names, earlier.is_some());
    let bar = progress::sheets(sheets.len());
    if !args.json {
        bar.suspend(|| table.header(out, &report))?;
    }
    for (sheet, name) in sheets.into_iter().zip(&names) {
        bar.set_message(name.clone());
        let mut measured = SheetReport::new(name, bench(sheet, options));
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
    Ok(Status::bad_if(report.sheets.iter().any(|sheet| sheet.error.is_some())))
}

fn read(file: &Path) -> Result<BenchReport> {
    let text = fs::read_to_string(file);
    let text = text.with_context(|| format!("cannot read {}", file.display()))?;
    let report = serde_json::from_str(&text);
    report.with_context(|| format!("{} is no file that bench --save wrote", file.display()))
}

fn write_signature(
    sheets: Vec<Source>,
    options: &BenchOptions,
    out: &mut dyn Write,
) -> Result<Status> {
    let mut number = Signature::default();
    for sheet in sheets {
        let name = sheet.name().to_string();
        if let Err(error) = signature(&mut number, sheet, options) {
            bail!("{name}: {error}");
        }
    }
    writeln!(out, "{}", number.number())?;
    Ok(Status::Good)
}
