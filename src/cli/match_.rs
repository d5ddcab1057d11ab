//! `ludens match`: our own game manager.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use ludens::count::count_within;
use ludens::manager::{Clocks, MatchEvent, Player};
use ludens::run::Run;
use ludens::strategy;
use propnet::game::State;

use super::exit::ExitStatus;
use super::match_args::{Arena, MatchArgs};
use super::match_report::{MatchPrinter, conclude, status};
use super::match_rounds::Rounds;
use super::output;

/// Play matches between players: strategies, players at an address, people
///
/// A player is a strategy, with parameters such as uct:c=60:threads=1 (`ludens strategies` lists
/// them); random or first (a random legal move, the first by its text); http://HOST:PORT, a
/// player that speaks the GGP protocol, such as `ludens serve`; or human, asked in this terminal.
/// Late, illegal and unreadable answers are replaced by random legal moves and counted as errors.
///
/// With several rounds, each player takes the next role in each round: for two players, roles are
/// swapped in every second round. Give a multiple of the number of roles, so that all play each
/// role equally often. Round r has the seed SEED + r - 1. A summary follows at the end, or when
/// Ctrl-C ends the matches: how often each player won, that is, had a higher goal than all others,
/// and its points, which are its mean goal, both with 95 % intervals (Wilson's, also right at 0 and
/// 100 %).
///
/// With --jobs several matches are played at once. Their clocks then run on shared cores, so without
/// --simulations there is one match at a time unless --jobs says otherwise. With several rounds and
/// --simulations a strategy searches on one thread, unless threads= says otherwise, and the same seed
/// gives the same results for any number of jobs, as long as no tree fills its memory.
///
/// Examples: ludens match connect_four --players uct,mast --play-clock 2 --out records
///           ludens match breakthrough --players uct,http://localhost:9147 --rounds 10
///           ludens match breakthrough --players uct,mast --simulations 1000 --rounds 200
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    common: MatchArgs,
    /// A player for each role [default: auto for each]
    #[arg(long, value_delimiter = ',', value_name = "PLAYER,...")]
    players: Vec<Player>,
    /// The number of matches
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    #[arg(value_parser = count_within(1, u32::MAX.into()), allow_negative_numbers = true)]
    rounds: u64,
    /// Matches at once [default: one for each processor with --simulations, otherwise 1]
    #[arg(long, short = 'j', value_name = "K", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Print the record as one JSON document; for several rounds, the summary and all records
    #[arg(long)]
    json: bool,
    /// Print the results only
    #[arg(long, short)]
    quiet: bool,
}

/// The default clocks.
const USUAL: Clocks = Clocks { start: Duration::from_secs(10), play: Duration::from_secs(5) };

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let mut arena = args.common.prepare(USUAL)?;
    let mut args = args;
    if args.players.is_empty() {
        let usual = Player::strategy(strategy::settings(&[])?);
        args.players = vec![usual; arena.roles.len()];
    }
    arena.check(&args.players)?;
    let start = {
        let mut run = Run::new(&mut *arena.game, &arena.start.setup)?;
        run.play_script(&mut *arena.game)?;
        (run.state, run.step as u64)
    };
    let (players, rounds) = (&args.players[..], args.rounds);
    match rounds {
        1 => one(&args, &mut arena, start, out),
        _ => Rounds { players, rounds, jobs: args.jobs, is_json: args.json }
            .play(&mut arena, start, out),
    }
}

/// A single match, shown step by step.
fn one(
    args: &Args,
    arena: &mut Arena,
    start: (State, u64),
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    let (roles, steps) = (arena.roles.clone(), start.1);
    let printer = MatchPrinter { roles: &roles, steps, reports: args.common.reports };
    let is_told = !args.json && !args.quiet;
    if is_told {
        let Clocks { start, play } = arena.clocks();
        let clocks = (start.as_secs_f64(), play.as_secs_f64());
        writeln!(out, "{} s to start, {} s for each move", clocks.0, clocks.1)?;
        out.flush()?;
    }
    let mut observer =
        |event: MatchEvent<'_>| if is_told { printer.tell(event, out) } else { Ok(()) };
    let outcome = arena.play(start, args.players.clone(), 0, &mut observer)?;
    if args.json {
        output::json(out, &outcome.record)?;
        return status(&outcome, steps);
    }
    conclude(out, &outcome, steps)
}
