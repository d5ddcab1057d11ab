//! `ludens solve`: the value of a position, or the best line of a game for one role, and a proof.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use ludens::manager::starting_at;
use ludens::pipeline::{Control, Stages};
use ludens::puzzle::{Puzzle, PuzzleOptions};
use ludens::run::Run;
use ludens::solve::{SolveGame, SolveOptions, Variant};
use propnet::game::Game;
use propnet::gdl::{Rules, Source};
use propnet::reference::Reasoner;

use super::args::{MakeArgs, PositionArgs, ThreadArgs, seconds};
use super::exit::ExitStatus;
use super::solve_puzzle::PuzzlePrint;
use super::{input, interrupt, solve_game, solve_puzzle};

/// Solve a position: its value for every role and how to play, or bounds, all proven
///
/// For each role: what it can enforce against all others, with an optimal move, or a mixed strategy
/// where several roles choose at once. If the goals of two roles always have the same sum this is
/// the value of the game; otherwise the most that a role could get is printed as well.
///
/// Games for one role: several methods search side by side until no line can score more than the
/// best one, or the time is up. The line is replayed by the reference reasoner before it is printed.
///
/// Ctrl-C prints what is known.
///
/// Examples: ludens solve tic_tac_toe
///           ludens solve connect_four --moves '((drop 4) noop)' --search-time 60
///           ludens solve eight_puzzle
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The rules of the game: a file, or the name of a game; `-` for standard input
    sheet: String,
    #[command(flatten)]
    position: PositionArgs,
    /// The seconds that the search may take, from when the circuit is made
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    search_time: Duration,
    /// The megabytes that the search may hold, all methods together
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    search_memory: u64,
    /// How a position is solved [default: auto, or the methods for one role]
    #[arg(long, value_enum)]
    variant: Option<Variant>,
    /// For one role: use only these methods, by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with = "variant")]
    methods: Vec<String>,
    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// For one role: list the methods and what they do, after the result
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
    let control = Control { may_go_on: &may_go_on, ..Control::default() };
    let start = args.start()?;
    let options = args.make.options()?;
    let (name, stages) = (&start.name, Stages::new(Arc::new(start.rules)));
    if start.roles == 1 && args.variant.is_none() {
        let puzzle = Puzzle::new(&stages, &options, control)
            .and_then(|puzzle| puzzle.after(start.moves, &start.sentences))
            .with_context(|| format!("{name} cannot be solved"))?;
        let options = PuzzleOptions {
            cores: args.threads.threads(),
            time: Some(args.search_time),
            memory: args.search_memory << 20,
            seed: args.seed,
            methods: args.methods,
        };
        let print = PuzzlePrint { name, figures: args.figures, json: args.json };
        return solve_puzzle::run(stages.rules(), &puzzle, &options, &may_go_on, print, out);
    }
    ensure!(
        args.methods.is_empty() && !args.figures,
        "--methods and --figures are for games for one role, but {name} has {}",
        start.roles
    );
    let game = SolveGame::new(&stages, &options, control, Some(&start.sentences))
        .with_context(|| format!("{name} cannot be solved"))?;
    let options = SolveOptions {
        variant: args.variant.unwrap_or(Variant::Auto),
        time: Some(args.search_time),
        memory: args.search_memory << 20,
    };
    solve_game::run(name, &game, &options, &may_go_on, args.json, out)
}

/// A sheet, and the position to solve.
struct StartPosition {
    name: String,
    rules: Rules,
    roles: usize,
    /// How many joint moves were made.
    moves: usize,
    sentences: Vec<String>,
}

impl Args {
    fn start(&self) -> Result<StartPosition> {
        let mut rules = input::load_sheet(&self.sheet)?;
        let name = input::game_name(&rules.source);
        let setup = self.position.setup(self.seed)?;
        let mut game = Reasoner::new(&rules);
        let mut run = Run::new(&mut game, &setup)?;
        let given = game.sentences(&run.state)?;
        run.play_script(&mut game)?;
        let sentences = game.sentences(&run.state)?;
        let roles = game.roles().len();
        // A circuit answers only for states that can be reached.
        if setup.state.is_some() {
            let text = starting_at(&rules, Some(&given));
            rules = input::load_source(Source::from_text(&name, &text))?;
        }
        Ok(StartPosition { name, rules, roles, moves: run.step, sentences })
    }
}
