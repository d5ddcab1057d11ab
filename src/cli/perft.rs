//! `ludens perft`: counts of move sequences.

use std::io::Write;

use anyhow::Result;
use ludens::engine::{Lanes, Made};
use ludens::perft::{Branch, Level, count, divide};
use ludens::run::Run;
use propnet::game::{Game, State};
use serde::Serialize;

use super::args::StartArgs;
use super::exit::Status;
use super::output;

/// Count the sequences of joint moves of each length
///
/// For each depth: the sequences of exactly that many joint moves, the distinct states they lead
/// to, how many of both end the game, and for each role the sum of its goals over the sequences
/// that do. A sum is `-` where a terminal state gives a role no goal, or several. Counting stops
/// early when every sequence has ended.
///
/// Example: ludens perft games/tic_tac_toe.kif --depth 9
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    start: StartArgs,
    /// Count up to this depth
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    depth: u64,
    /// Count the last depth apart for each first joint move
    #[arg(long)]
    divide: bool,
    /// Give up where a depth has more distinct states than this; two depths are held at a time
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

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let start = args.start.prepare(args.seed)?;
    let Made { mut game, lanes } = start.make();
    let game = &mut *game;
    let mut run = Run::new(game, &start.setup)?;
    run.play_script(game)?;
    let (name, start) = (start.name, run.state);
    let job =
        Job { game, lanes, name, start, depth: args.depth, states: args.states, json: args.json };
    if args.divide { job.divide(out) } else { job.levels(out) }
}

struct Job<'g> {
    game: &'g mut dyn Game,
    /// Where there are any, they count.
    lanes: Option<Lanes>,
    name: String,
    start: State,
    depth: u64,
    /// How many states a depth may have.
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
    fn levels(self, out: &mut dyn Write) -> Result<Status> {
        let roles = self.game.roles().to_vec();
        let (mut counter, _) = count(self.game, self.lanes.as_ref(), self.start, 0)?;
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
            return error.map_or(Ok(Status::Good), |error| Err(error.into()));
        }
        write_goal_errors(out, &roles, &levels)?;
        if ended {
            writeln!(out, "no sequence is longer: every one has ended")?;
        }
        error.map_or(Ok(Status::Good), |error| Err(error.into()))
    }

    fn divide(self, out: &mut dyn Write) -> Result<Status> {
        let roles = self.game.roles().to_vec();
        let mut branches: Vec<Branch> = Vec::new();
        let mut paths = 0u128;
        if !self.json {
            output::row(out, &header("", &roles)[1..], &WIDTHS[1..])?;
        }
        divide(self.game, self.lanes.as_ref(), &self.start, self.depth, self.states, |branch| {
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
        Ok(Status::Good)
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
                    "depth {}: role {role} has no goal value, or several, in {}",
                    level.depth,
                    output::count(errors, "terminal state"),
                )?;
            }
        }
    }
    Ok(())
}
