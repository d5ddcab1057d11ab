//! `ludens match`: our own game manager.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use ludens::manager::{Clocks, End, Event, Outcome, Player};
use ludens::run::Run;

use super::exit::Status;
use super::match_args::MatchArgs;
use super::match_report::{Teller, conclude, status};
use super::output;

/// Play matches between players: strategies, players at an address, people
///
/// A player is a strategy, with parameters such as uct:c=60:threads=1 (`ludens strategies` lists
/// them); random or first (a legal move at random, the first by its text); http://HOST:PORT, a
/// player that speaks the GGP protocol, such as `ludens serve`; or human, asked in this terminal.
/// Late, illegal and unreadable answers are replaced by legal moves at random, and counted as
/// errors. With several rounds each player gets each role in turn.
///
/// Examples: ludens match connect_four --players uct,mast --play-clock 2 --out records
///           ludens match breakthrough --players uct,http://localhost:9147 --rounds 10
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    common: MatchArgs,
    /// A player for each role
    #[arg(long, value_delimiter = ',', value_name = "PLAYER,...", required = true)]
    players: Vec<Player>,
    /// The number of matches
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..1 << 32))]
    rounds: u64,
    /// Print the record as one JSON document, those of several rounds as a list
    #[arg(long)]
    json: bool,
    /// Print the results only
    #[arg(long, short)]
    quiet: bool,
}

/// The time in matches whose clocks are not given.
const USUAL: Clocks = Clocks { start: Duration::from_secs(10), play: Duration::from_secs(5) };

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let mut arena = args.common.prepare(USUAL)?;
    arena.check(&args.players)?;
    let start = {
        let mut run = Run::new(&mut *arena.game, &arena.start.setup)?;
        run.play_script(&mut *arena.game)?;
        (run.state, run.step as u64)
    };
    let roles = arena.roles.clone();
    let teller = Teller { roles: &roles, steps: start.1, reports: args.common.reports };
    let is_told = !args.json && !args.quiet && args.rounds == 1;
    if is_told {
        let Clocks { start, play } = arena.clocks();
        let clocks = (start.as_secs_f64(), play.as_secs_f64());
        writeln!(out, "{} s to start, {} s for each move", clocks.0, clocks.1)?;
        out.flush()?;
    }
    let mut records = Vec::new();
    let mut tally = Tally::new(&args.players);
    let mut ended = Ok(Status::Good);
    for round in 0..args.rounds {
        let players = seated(&args.players, round);
        let mut watch = |event: Event<'_>| if is_told { teller.tell(event, out) } else { Ok(()) };
        let outcome = arena.play(start.clone(), players, round, &mut watch)?;
        tally.count(&outcome, round);
        let status = match args.rounds {
            _ if args.json => status(&outcome, start.1),
            1 => conclude(out, &outcome, start.1),
            _ => {
                write_line(out, &outcome, round)?;
                status(&outcome, start.1)
            }
        };
        if args.json {
            records.push(outcome.record);
        }
        match status {
            Ok(Status::Good) => {}
            other => ended = other,
        }
        if ended.is_err() || arena.is_interrupted() {
            break;
        }
    }
    match records.as_slice() {
        _ if !args.json => {}
        [record] if args.rounds == 1 => output::json(out, record)?,
        records => output::json(out, &records)?,
    }
    if args.rounds > 1 && !args.json {
        tally.write(out)?;
    }
    ended
}

/// The players by role: in each round everybody moves on by one.
fn seated(players: &[Player], round: u64) -> Vec<Player> {
    let mut seated = players.to_vec();
    seated.rotate_right((round % players.len().max(1) as u64) as usize);
    seated
}

/// One of several matches on one line.
fn write_line(out: &mut dyn Write, outcome: &Outcome, round: u64) -> Result<()> {
    let record = &outcome.record;
    let role = |at: usize| {
        let goal = match &outcome.end {
            End::Completed(goals) => goals[at].as_ref().map_or("?".to_string(), i32::to_string),
            _ => "-".to_string(),
        };
        format!("{} {} {goal}", record.roles[at], record.player_names_from_host[at])
    };
    let roles: Vec<String> = (0..record.roles.len()).map(role).collect();
    let errors: usize = (0..record.roles.len()).map(|at| record.error_count(at)).sum();
    let steps = output::count(record.moves.len() as u64, "step");
    let errors = output::count(errors as u64, "error");
    writeln!(out, "match {}: {}; {steps}, {errors}", round + 1, roles.join(", "))?;
    Ok(out.flush()?)
}

/// What players have achieved in all matches together.
struct Tally(Vec<Line>);

struct Line {
    name: String,
    /// Matches that were completed.
    matches: u64,
    goals: i64,
    errors: usize,
}

impl Tally {
    fn new(players: &[Player]) -> Self {
        let line =
            |player: &Player| Line { name: player.name.clone(), matches: 0, goals: 0, errors: 0 };
        Tally(players.iter().map(line).collect())
    }

    fn count(&mut self, outcome: &Outcome, round: u64) {
        let count = self.0.len();
        for (at, line) in self.0.iter_mut().enumerate() {
            let role = (at + (round % count as u64) as usize) % count;
            line.errors += outcome.record.error_count(role);
            if let End::Completed(goals) = &outcome.end {
                line.matches += 1;
                line.goals += goals[role].as_ref().map_or(0, |&goal| i64::from(goal));
            }
        }
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let width = self.0.iter().map(|line| line.name.len()).max().unwrap_or(0).max(6);
        writeln!(out, "{:width$}  matches  mean goal  errors", "player")?;
        for Line { name, matches, goals, errors } in &self.0 {
            let mean = *goals as f64 / (*matches).max(1) as f64;
            writeln!(out, "{name:width$}  {matches:>7}  {mean:>9.2}  {errors:>6}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_gets_each_role() {
        let players: Vec<Player> =
            ["uct", "mast", "random"].iter().map(|name| name.parse().expect("a player")).collect();
        let names = |round| {
            let seated = seated(&players, round);
            seated.into_iter().map(|player| player.name).collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["uct", "mast", "random"]);
        assert_eq!(names(1), ["random", "uct", "mast"]);
        assert_eq!(names(2), ["mast", "random", "uct"]);
        assert_eq!(names(3), names(0));
    }
}
