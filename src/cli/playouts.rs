//! `ludens playouts`: the results of a game if all roles move at random.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use ludens::count::count_within;
use ludens::pipeline::{Compile, LaneProgram, PipelineOptions, circuit_within};
use ludens::playouts::{Played, PlayoutBudget, PlayoutPlan, Statistics, play};
use ludens::run::Run;
use propnet::game::State;
use propnet::lanes::{Backend, Code, LanesGame};
use propnet::program::Program;
use serde::Serialize;

use super::args::{LaneArgs, OptionArgs, PlayoutArgs, PositionArgs, ThreadArgs, seconds};
use super::exit::ExitStatus;
use super::{input, output, playouts_report, progress};

/// Play at random, many times, and show the results
///
/// Every role chooses uniformly among its legal moves. The output shows the goals of each role (the
/// mean with its standard error, and how often each value occurred), the lengths of the playouts,
/// those that were stuck because a role had no legal move, and those that were cut at the limit.
/// The same seed and number give the same figures for any number of threads and lanes, on any back
/// end.
///
/// Playing starts on the portable simulator; compiled code takes over when it is ready.
///
/// Examples:
///   ludens playouts games/breakthrough.kif -n 1e6
///   ludens playouts games/tic_tac_toe.kif -n 100000 --moves '((mark 2 2) noop)'
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The rules of the game; `-` for standard input
    sheet: String,
    /// The number of playouts, such as 250000, 1_000_000 or 1e6
    #[arg(short, long = "number", value_name = "N", default_value_t = 10_000)]
    #[arg(value_parser = count_within(1, 1 << 60), allow_negative_numbers = true)]
    number: u64,
    /// Play for this many seconds instead of a number of playouts
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "number")]
    seconds: Option<Duration>,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    playouts: PlayoutArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    lanes: LaneArgs,
}

/// What was played, and how. Scripts read this, so its keys must not change.
#[derive(Serialize)]
pub(crate) struct PlayoutsDocument {
    pub(crate) game: String,
    pub(crate) seed: u64,
    pub(crate) limit: u64,
    #[serde(flatten)]
    pub(crate) statistics: Statistics,
    pub(crate) seconds: f64,
    pub(crate) cpu_seconds: f64,
    pub(crate) playouts_per_second: f64,
    pub(crate) playouts_per_cpu_second: f64,
    pub(crate) threads: usize,
    pub(crate) lanes: usize,
    pub(crate) backend: &'static str,
    /// The time to compile during play; none if nothing was compiled, or not in time.
    pub(crate) compile_seconds: Option<f64>,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let options = PipelineOptions { lanes: args.lanes.setup()?, ..args.options.options() };
    let rules = input::load_sheet(&args.sheet)?;
    let setup = args.position.setup(args.playouts.seed)?;
    let circuit = circuit_within(&rules, &options);
    let circuit = circuit.with_context(|| rules.source.name().to_string())?;
    let limit = args.playouts.limit;
    let lanes = LaneProgram::for_playouts(&circuit, options.lanes, limit, Compile::Beside)?;
    let LaneProgram { program, codes, .. } = &lanes;
    let state = start_state(program, &setup)?;
    let threads = args.threads.threads();
    let plan = PlayoutPlan {
        program,
        codes,
        state: &state,
        seed: args.playouts.seed,
        budget: args.seconds.map_or(PlayoutBudget::Playouts(args.number), PlayoutBudget::Time),
        limit: args.playouts.limit,
        weights: &[],
        threads,
        width: options.lanes.width(),
    };
    let played = watched(&plan)?;
    let seconds = (played.wall.as_secs_f64(), played.cpu.as_secs_f64());
    let statistics = Statistics::new(program, &played.totals);
    let number = statistics.playouts as f64;
    let document = PlayoutsDocument {
        game: input::game_name(&rules.source),
        seed: args.playouts.seed,
        limit: args.playouts.limit,
        statistics,
        seconds: seconds.0,
        cpu_seconds: seconds.1,
        playouts_per_second: number / seconds.0,
        playouts_per_cpu_second: number / seconds.1,
        threads,
        lanes: options.lanes.width().lanes(),
        backend: codes.best().backend().name(),
        compile_seconds: codes.compile_time().map(|time| time.as_secs_f64()),
    };
    if args.json {
        output::json(out, &document)?;
    } else {
        playouts_report::write(out, &document)?;
    }
    Ok(ExitStatus::Good)
}

/// The state that playouts start from.
fn start_state(program: &Arc<Program>, setup: &ludens::run::Setup) -> Result<State> {
    let code = Arc::new(Code::for_questions(program, Backend::Portable)?);
    let mut game = LanesGame::<u64>::new(program.clone(), &code);
    let mut run = Run::new(&mut game, setup)?;
    run.play_script(&mut game)?;
    Ok(run.state)
}

/// Plays, with a progress bar.
fn watched(plan: &PlayoutPlan<'_>) -> Result<Played> {
    let bar = match plan.budget {
        PlayoutBudget::Playouts(number) => progress::playouts(number),
        PlayoutBudget::Time(_) => indicatif::ProgressBar::new_spinner(),
    };
    let played = play(plan, &|done| {
        bar.set_position(done);
        true
    })?;
    bar.finish_and_clear();
    Ok(played)
}
