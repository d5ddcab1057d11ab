//! `ludens replay`: a recorded match in the terminal, drawn.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use ludens::draw::Drawing;
use ludens::manager::MatchEvent;
use ludens::record::{MatchRecord, ReplayedMatch, ReplayedStep};
use ludens::text::plain;
use serde::Serialize;

use super::args::EngineArgs;
use super::exit::ExitStatus;
use super::knowledge::knowledge;
use super::match_report::MatchPrinter;
use super::replay_walk::ReplayWalk;
use super::{input, interrupt, output, recorded};

/// Show a recorded match: its moves, its states, and the goals at its end
///
/// RECORD is what `match`, `play` and `serve` write with --out: MATCHID.json, MATCHID.pgn, or the
/// journal MATCHID.part of a match that is being played or was cut off; or the match of another
/// game server, as JSON with the same keys. The moves are made again by the rules that the record
/// carries, or by those of the game that it names; --sheet names others. Boards are drawn as
/// `ludens play` does. `ludens verify --record` compares all that a record says.
///
/// Examples: ludens replay records/connect_four.1700000000000.1.json
///           ludens replay match.pgn --from 10 --to 12
///           ludens replay match.json --interactive
///           ludens replay match.json --step 7 --json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The record of a match; `-` for standard input
    record: String,
    /// The rules of the game, if not those of the record: a file, or the name of a game
    #[arg(long, value_name = "SHEET")]
    sheet: Option<String>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Show only the state after N joint moves
    #[arg(long, value_name = "N", conflicts_with_all = ["from", "to"])]
    step: Option<usize>,
    /// Begin with the state after N joint moves
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: usize,
    /// End with the state after N joint moves [default: the last]
    #[arg(long, value_name = "N")]
    to: Option<usize>,
    /// Wait after each step, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    delay: u64,
    /// Step forward and back: Enter or n for the next state, b for the one before, a number for the
    /// state after that many joint moves, q to leave
    #[arg(long, short, conflicts_with_all = ["json", "step", "to", "delay"])]
    interactive: bool,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let recorded = recorded::read(&args.record)?;
    let rules = input::load_source(recorded.sheet(args.sheet.as_deref(), "--sheet SHEET")?)?;
    let start = args.engine.start(rules, recorded.setup()?)?;
    let mut game = start.game();
    let roles = game.roles().iter().map(|role| start.rules.symbols.spell(role)).collect();
    let played = ReplayedMatch::play(&recorded.record, &recorded.name, &mut *game);
    let ReplayedMatch { steps, goals, error } = played;
    let replay = ShownMatch { record: &recorded.record, roles, steps, goals };
    let ended = error.map_or(Ok(()), Err);
    let shown = args.shown(replay.steps.len().saturating_sub(1), ended.is_ok())?;
    if args.json {
        output::json(out, &replay.document(&start.name, shown))?;
    } else if args.interactive {
        let drawing = Drawing::new(&knowledge(&start, &mut *game, &*interrupt::flag()?));
        let mut walk = ReplayWalk::new(&replay, drawing, *shown.start());
        walk.run(&mut io::stdin().lock(), out)?;
    } else {
        let is_end = ended.is_ok() && *shown.end() + 1 == replay.steps.len();
        let drawing = Drawing::new(&knowledge(&start, &mut *game, &*interrupt::flag()?));
        replay.write(out, &start.name, shown, drawing, Duration::from_millis(args.delay))?;
        if is_end {
            replay.conclude(out)?;
        }
    }
    let other_rules = || format!("{} cannot be replayed by these rules", recorded.name);
    ended.with_context(other_rules)?;
    Ok(ExitStatus::bad_if(replay.has_other_goals()))
}

impl Args {
    /// The range of states to show.
    fn shown(&self, last: usize, is_whole: bool) -> Result<RangeInclusive<usize>> {
        let (from, to) = match self.step {
            Some(step) => (step, step),
            None => (self.from, self.to.unwrap_or(last)),
        };
        // If not all moves can be made, that error is reported instead.
        if is_whole {
            let steps = output::count(last as u64, "step");
            ensure!(from.max(to) <= last, "the match has only {steps}");
            ensure!(from <= to, "--from {from} is after --to {to}");
        }
        Ok(from..=to.min(last))
    }
}

/// A match that was played again, and how it is shown.
pub(super) struct ShownMatch<'r> {
    record: &'r MatchRecord,
    /// In the letter case of the sheet.
    roles: Vec<String>,
    pub(super) steps: Vec<ReplayedStep>,
    /// The goals, if the game is over.
    goals: Option<Vec<Option<i32>>>,
}

/// The JSON document.
#[derive(Serialize)]
struct ReplayDocument<'d> {
    game: &'d str,
    match_id: &'d str,
    roles: &'d [String],
    players: &'d [String],
    steps: &'d [ReplayedStep],
    /// How many joint moves the match has.
    length: usize,
    terminal: bool,
    goals: Option<&'d [Option<i32>]>,
    aborted: bool,
}

impl ShownMatch<'_> {
    /// Whether the record has goals that differ from these.
    fn has_other_goals(&self) -> bool {
        let recorded = &self.record.goal_values;
        self.goals.as_ref().is_some_and(|goals| !recorded.is_empty() && goals != recorded)
    }

    fn document<'d>(&'d self, game: &'d str, shown: RangeInclusive<usize>) -> ReplayDocument<'d> {
        ReplayDocument {
            game,
            match_id: &self.record.match_id,
            roles: &self.roles,
            players: &self.record.player_names_from_host,
            steps: self.steps.get(shown).unwrap_or_default(),
            length: self.record.moves.len(),
            terminal: self.goals.is_some(),
            goals: self.goals.as_deref(),
            aborted: self.record.is_aborted,
        }
    }

    fn write(
        &self,
        out: &mut dyn Write,
        game: &str,
        shown: RangeInclusive<usize>,
        mut drawing: Drawing,
        delay: Duration,
    ) -> io::Result<()> {
        let name = plain(&self.record.match_id);
        let name = if name.is_empty() { "match" } else { &name };
        writeln!(out, "{name} of {game}\n")?;
        for step in self.steps.get(shown).unwrap_or_default() {
            self.tell(step, out)?;
            writeln!(out, "{}", drawing.draw(&step.state))?;
            out.flush()?;
            thread::sleep(delay);
        }
        Ok(())
    }

    /// The joint move that led to a state, and what went wrong with it.
    pub(super) fn tell(&self, step: &ReplayedStep, out: &mut dyn Write) -> io::Result<()> {
        let Some(moves) = &step.moves else { return Ok(()) };
        let printer = MatchPrinter { roles: &self.roles, steps: 0, reports: false };
        let none = vec![String::new(); moves.len()];
        let errors = self.record.errors.get(step.step).unwrap_or(&none);
        let number = step.step as u64;
        printer.tell(MatchEvent::Moves { step: number, moves, errors, reports: &[] }, out)
    }

    pub(super) fn conclude(&self, out: &mut dyn Write) -> io::Result<()> {
        let made = self.steps.len().saturating_sub(1) as u64;
        let steps = output::count(made, "step");
        let Some(goals) = &self.goals else {
            let end = if self.record.is_aborted { "aborted" } else { "the record ends" };
            return writeln!(out, "{end} after {steps}; the game is not over");
        };
        writeln!(out, "the game is over after {steps}")?;
        let text = |goal: Option<&Option<i32>>| {
            goal.copied().flatten().map_or("?".to_string(), |goal| goal.to_string())
        };
        let width = self.roles.iter().map(|role| role.chars().count()).max().unwrap_or(0);
        for (at, role) in self.roles.iter().enumerate() {
            let player = self.record.player_names_from_host.get(at);
            let player = plain(player.map_or("", String::as_str));
            let line = format!("  {role:width$}  {:>3}  {player}", text(goals.get(at)));
            writeln!(out, "{}", line.trim_end())?;
        }
        if self.has_other_goals() {
            let recorded = self.record.goal_values.iter().map(|goal| text(Some(goal)));
            let recorded: Vec<String> = recorded.collect();
            writeln!(out, "the record has other goals: {}", recorded.join(", "))?;
        }
        Ok(())
    }
}
