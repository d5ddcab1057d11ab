//! `ludens solve`: the best line of a game for one role, and whether it is proven.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use ludens::pipeline::{Control, Stages};
use ludens::puzzle::{METHODS, Puzzle, PuzzleOptions, PuzzleReport, solve};
use serde::Serialize;

use super::args::{MakeArgs, ThreadArgs, seconds};
use super::exit::ExitStatus;
use super::{input, interrupt, output};

/// Solve a game for one role: the best line, and whether it is proven to be the best
///
/// Several methods search side by side until no line can score more than the best one, or the time
/// is up. The line is replayed by the reference reasoner before it is printed.
///
/// Example: ludens solve eight_puzzle
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The rules of the game: a file, or the name of a game; `-` for standard input
    sheet: String,
    /// The seconds that the search may take, from when the circuit is made
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    search_time: Duration,
    /// The megabytes that all methods together may hold
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    search_memory: u64,
    /// Use only these methods, by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    methods: Vec<String>,
    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// List the methods and what they do, after the result
    #[arg(long)]
    figures: bool,
    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    make: MakeArgs,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let interrupted = interrupt::flag()?;
    let may_go_on = || !interrupted.load(Ordering::Relaxed);
    let rules = input::load_sheet(&args.sheet)?;
    let name = input::game_name(&rules.source);
    let stages = Stages::new(Arc::new(rules));
    let control = Control { may_go_on: &may_go_on, ..Control::default() };
    let puzzle = Puzzle::new(&stages, &args.make.options()?, control)
        .with_context(|| format!("{name} cannot be solved"))?;
    let options = PuzzleOptions {
        cores: args.threads.threads(),
        time: Some(args.search_time),
        memory: args.search_memory << 20,
        seed: args.seed,
        methods: args.methods,
    };
    let report = solve(stages.rules(), &puzzle, &options, &may_go_on)?;
    if args.json {
        output::json(out, &Named { game: name, report: &report })?;
    } else {
        write(&name, &report, args.figures, out)?;
    }
    Ok(ExitStatus::bad_if(report.score.is_none()))
}

/// The report, for scripts.
#[derive(Serialize)]
struct Named<'r> {
    game: String,
    #[serde(flatten)]
    report: &'r PuzzleReport,
}

fn write(name: &str, report: &PuzzleReport, figures: bool, out: &mut dyn Write) -> io::Result<()> {
    match (report.score, report.proven_by) {
        (Some(score), Some(by)) => {
            writeln!(out, "{name}: {score}, proven to be the highest score by {by}")?;
        }
        (Some(score), None) => {
            writeln!(out, "{name}: {score}, not proven: at most {}", report.bound)?;
        }
        (None, _) => writeln!(out, "{name}: no line was found that ends with a score")?,
    }
    if let (Some(by), Some(after)) = (report.found_by, report.found_after) {
        let moves = output::count(report.moves.len() as u64, "move");
        writeln!(out, "{moves}, found by {by} after {:.3} s", after.as_secs_f64())?;
    }
    for (number, text) in (1..).zip(&report.moves) {
        writeln!(out, "{number:>4}  {text}")?;
    }
    if figures {
        let horizon = report.horizon.map_or("any number".to_string(), |most| most.to_string());
        writeln!(out, "states of {} bits; a line has at most {horizon} moves", report.state_bits)?;
        writeln!(out, "searched for {:.3} s:", report.time.as_secs_f64())?;
        for (method, figures) in METHODS.iter().filter_map(|method| {
            let mut of = report.methods.iter();
            Some((method, of.find(|figures| figures.name == method.name)?))
        }) {
            let share = figures.work as f64 / 1e9;
            writeln!(out, "  {:<14} {share:>8.3} s  {}", method.name, method.about)?;
        }
    }
    Ok(())
}
