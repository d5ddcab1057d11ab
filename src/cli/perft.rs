//! `ludens perft`: counts of move sequences.

use std::io::{self, Write};

use anyhow::Result;
use ludens::manager::starting_at;
use ludens::perft::{Branch, LanesLater, Level, Means, count, divide};
use ludens::pipeline::{Engine, LaneProgram, Made, Stages};
use ludens::run::Run;
use propnet::game::{Game, PlayError, State};
use propnet::gdl::Source;
use propnet::reference;
use serde::Serialize;

use super::args::{MakeArgs, NamedOrAuto, PositionArgs, Start, engine};
use super::exit::ExitStatus;
use super::output;

/// Count the sequences of joint moves of each length
///
/// For each depth: the sequences of exactly that many joint moves, the distinct states they lead
/// to, how many of both end the game, and for each role the sum of its goals over the sequences
/// that do. A sum is `-` if a terminal state gives a role no goal or several. Counting stops
/// early when every sequence has ended.
///
/// Counting begins at once with the reference reasoner. If it takes longer, a thread makes lanes,
/// which take over as soon as they are ready; if they cannot be made, the reasoner counts alone. The
/// counts are the same.
///
/// Example: ludens perft games/tic_tac_toe.kif --depth 9
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The rules of the game: a file, or the name of a game; `-` for standard input
    sheet: String,
    /// The engine that counts; auto is the reference reasoner, and lanes when they are ready
    #[arg(long, value_name = "auto|reference|ground|circuit|scalar|lanes", default_value = "auto")]
    #[arg(value_parser = engine)]
    engine: NamedOrAuto<Engine>,
    #[command(flatten)]
    make: MakeArgs,
    #[command(flatten)]
    position: PositionArgs,
    /// Count up to this depth
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    depth: u64,
    /// Count the last depth separately for each first joint move
    #[arg(long)]
    divide: bool,
    /// Give up if a depth has more distinct states than this; two depths are held at a time
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    #[arg(value_parser = ludens::count::count, allow_negative_numbers = true)]
    states: u64,
    /// Print one JSON document instead of a table
    #[arg(long)]
    json: bool,
    /// The seed for moves given as `*`
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let engine = args.engine.0.unwrap_or_default();
    let options = args.make.options()?;
    let start = Start::read(&args.sheet, &args.position, args.seed, engine, options)?;
    let Made { mut game, lanes } = start.make();
    let game = &mut *game;
    let mut run = Run::new(game, &start.setup)?;
    let sheet = start_sheet(&start, &run, game)?;
    run.play_script(game)?;
    let mut later = LanesLater::new(maker(&start, sheet), report_to_stderr(&start));
    let means = match args.engine.0 {
        None => Means::Later(&mut later),
        Some(_) => lanes.as_ref().into(),
    };
    let job = Job {
        game,
        means,
        name: start.name,
        start: run.state,
        depth: args.depth,
        states: args.states,
        json: args.json,
    };
    if args.divide { job.divide(out) } else { job.levels(out) }
}

/// The rules as a sheet that starts in the given state; none if no state is given. A circuit
/// answers only for states that can be reached.
fn start_sheet(start: &Start, run: &Run, game: &dyn Game) -> Result<Option<String>, PlayError> {
    if start.setup.state.is_none() {
        return Ok(None);
    }
    Ok(Some(starting_at(&start.rules, Some(&game.sentences(&run.state)?))))
}

/// Makes lanes of the rules, or of a sheet that replaces them.
fn maker(
    start: &Start,
    sheet: Option<String>,
) -> impl FnOnce() -> Result<LaneProgram, String> + Send + 'static {
    let (rules, options, name) = (start.rules.clone(), start.options.clone(), start.name.clone());
    move || {
        let rules = match sheet {
            Some(text) => reference::load(Source::from_text(name, &text))
                .map_err(|error| error.to_string())?
                .into(),
            None => rules,
        };
        let made = Stages::new(rules).make(Engine::Lanes, &options);
        let lanes = made.map_err(|error| error.to_string())?.lanes;
        lanes.ok_or_else(|| "the engine has no lanes".to_string())
    }
}

/// Reports that lanes cannot be made, and what happens instead.
fn report_to_stderr(start: &Start) -> impl FnMut(&str) + 'static {
    let name = start.rules.source.name().to_string();
    move |error| {
        // The count goes on even if the notice cannot be written.
        let _ = writeln!(
            io::stderr(),
            "ludens: notice: {name}: {error}; counting goes on with the reference reasoner, which \
             needs no grounding but is slow",
        );
    }
}

struct Job<'g> {
    game: &'g mut dyn Game,
    means: Means<'g>,
    name: String,
    start: State,
    depth: u64,
    /// The most states that a depth may have.
    states: u64,
    json: bool,
}

/// All depths, for scripts.
#[derive(Serialize)]
struct Levels {
    game: String,
    roles: Vec<String>,
    levels: Vec<Level>,
    max_depth: u64,
    stopped: &'static str,
}

/// One depth by first joint move, for scripts.
#[derive(Serialize)]
struct Divided {
    game: String,
    roles: Vec<String>,
    depth: u64,
    paths: u128,
    divide: Vec<Branch>,
}

impl Job<'_> {
    fn levels(self, out: &mut dyn Write) -> Result<ExitStatus> {
        let roles = self.game.roles().to_vec();
        let (mut counter, _) = count(self.game, self.means, self.start, 0)?;
        counter.limit_states(self.states);
        let mut error = None;
        let mut levels: Vec<Level> = Vec::new();
        if !self.json {
            let cells = header("depth", &roles);
            output::row(out, &cells, &WIDTHS)?;
        }
        while (levels.len() as u64) < self.depth {
            let level = match counter.next_level() {
                Ok(Some(level)) => level,
                Ok(None) => break,
                Err(found) => {
                    error = Some(found);
                    break;
                }
            };
            if !self.json {
                output::row(out, &cells(level.depth.to_string(), &level), &WIDTHS)?;
            }
            levels.push(level);
        }
        let ended = counter.is_done() && error.is_none();
        if self.json {
            let stopped = match (&error, ended) {
                (Some(_), _) => "error",
                (None, true) => "exhausted",
                (None, false) => "depth",
            };
            let max_depth = levels.len() as u64;
            output::json(out, &Levels { game: self.name, roles, levels, max_depth, stopped })?;
            return error.map_or(Ok(ExitStatus::Good), |error| Err(error.into()));
        }
        write_goal_errors(out, &roles, &levels)?;
        if ended {
            writeln!(out, "no sequence is longer: every one has ended")?;
        }
        error.map_or(Ok(ExitStatus::Good), |error| Err(error.into()))
    }

    fn divide(self, out: &mut dyn Write) -> Result<ExitStatus> {
        let roles = self.game.roles().to_vec();
        let mut branches: Vec<Branch> = Vec::new();
        let mut paths = 0u128;
        if !self.json {
            output::row(out, &header("", &roles)[1..], &WIDTHS[1..])?;
        }
        divide(self.game, self.means, &self.start, self.depth, self.states, |branch| {
            let counted = branch.level.as_ref().map_or(0, |level| level.paths);
            paths = paths.saturating_add(counted);
            if !self.json {
                write_branch(out, &branch)?;
            }
            branches.push(branch);
            anyhow::Ok(())
        })?;
        if self.json {
            let (game, depth) = (self.name, self.depth);
            output::json(out, &Divided { game, roles, depth, paths, divide: branches })?;
        } else {
            writeln!(out, "{paths} sequences of {} joint moves", self.depth)?;
        }
        Ok(ExitStatus::Good)
    }
}

fn write_branch(out: &mut dyn Write, branch: &Branch) -> Result<()> {
    let mut row = match &branch.level {
        Some(level) => cells(String::new(), level),
        None => vec!["0".to_string(); 5],
    };
    row.push(format!("({})", branch.moves.join(" ")));
    output::row(out, &row[1..], &WIDTHS[1..])?;
    Ok(())
}

/// Columns that are wide enough for most counts; wider ones push the rest aside.
const WIDTHS: [usize; 7] = [5, 15, 10, 15, 15, 15, 0];

fn header(first: &str, roles: &[String]) -> Vec<String> {
    let goals = format!("goals ({})", roles.join(" "));
    let names = [first, "paths", "states", "terminal paths", "terminal states", &goals];
    names.map(String::from).to_vec()
}

fn cells(first: String, level: &Level) -> Vec<String> {
    let sum = |sum: &Option<i128>| sum.map_or("-".to_string(), |sum| sum.to_string());
    let goals: Vec<String> = level.goal_sums.iter().map(sum).collect();
    vec![
        first,
        level.paths.to_string(),
        level.states.to_string(),
        level.terminal_paths.to_string(),
        level.terminal_states.to_string(),
        goals.join(" "),
    ]
}

fn write_goal_errors(out: &mut dyn Write, roles: &[String], levels: &[Level]) -> Result<()> {
    for level in levels {
        for (role, &errors) in roles.iter().zip(&level.goal_errors) {
            if errors > 0 {
                writeln!(
                    out,
                    "depth {}: role {role} has no integer goal value, or several, in {}",
                    level.depth,
                    output::count(errors, "terminal state"),
                )?;
            }
        }
    }
    Ok(())
}
