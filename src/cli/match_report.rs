//! Matches as text for people: the moves and the results.

use std::io::{self, Write};

use anyhow::{Result, bail};
use ludens::manager::{EndReason, MatchEvent, MatchOutcome};
use ludens::text::plain;

use super::exit::ExitStatus;
use super::output;

/// Prints the moves of a match as they are made.
pub(crate) struct MatchPrinter<'r> {
    pub(crate) roles: &'r [String],
    /// Steps that were made before the match.
    pub(crate) steps: u64,
    /// Whether searches are shown.
    pub(crate) reports: bool,
}

impl MatchPrinter<'_> {
    /// A line for a joint move, and one for each thing that went wrong.
    pub(crate) fn tell(&self, event: MatchEvent<'_>, out: &mut dyn Write) -> io::Result<()> {
        let (step, moves, errors, reports) = match event {
            MatchEvent::Start { errors } => return self.tell_start(errors, out),
            MatchEvent::State { .. } => return Ok(()),
            MatchEvent::Moves { step, moves, errors, reports } => (step, moves, errors, reports),
        };
        if self.reports {
            for (role, report) in self.roles.iter().zip(reports) {
                if let Some(report) = report {
                    writeln!(out, "{role}: {report}")?;
                }
            }
        }
        let pairs = self.roles.iter().zip(moves);
        let pairs: Vec<String> = pairs.map(|(role, one)| format!("{role} {one}")).collect();
        writeln!(out, "step {}: {}", self.steps + step, pairs.join(", "))?;
        for ((role, error), one) in self.roles.iter().zip(errors).zip(moves) {
            if !error.is_empty() {
                writeln!(out, "  {role}: {}; {one} was chosen at random", in_words(error))?;
            }
        }
        out.flush()
    }

    /// A line for each player that is not ready.
    fn tell_start(&self, errors: &[String], out: &mut dyn Write) -> io::Result<()> {
        for (role, error) in self.roles.iter().zip(errors).filter(|(_, error)| !error.is_empty()) {
            let what = match error.strip_prefix("IL ") {
                Some("") => "an empty answer".to_string(),
                Some(text) => format!("the answer is {}", plain(text)),
                None => in_words(error),
            };
            writeln!(out, "{role} is not ready: {what}")?;
        }
        out.flush()
    }
}

/// An error of a match, for people.
fn in_words(error: &str) -> String {
    let error = &plain(error);
    match error.split_once(' ') {
        Some(("CE", reason)) => reason.to_string(),
        Some(("IL", "")) => "an empty answer".to_string(),
        Some(("IL", text)) => format!("{text} is not legal"),
        None if error == "TO" => "no answer in time".to_string(),
        _ => error.to_string(),
    }
}

/// Writes how a match that began after this many steps ended, and the score of each role.
pub(crate) fn conclude(
    out: &mut dyn Write,
    outcome: &MatchOutcome,
    steps: u64,
) -> Result<ExitStatus> {
    let record = &outcome.record;
    let made = steps + record.moves.len() as u64;
    match &outcome.end {
        EndReason::Completed(goals) => {
            writeln!(out, "the game is over after {}", output::count(made, "step"))?;
            let width = record.roles.iter().map(|role| role.chars().count()).max().unwrap_or(0);
            for (at, role) in record.roles.iter().enumerate() {
                let goal = match &goals[at] {
                    Ok(goal) => goal.to_string(),
                    Err(error) => error.to_string(),
                };
                let errors = match record.error_count(at) as u64 {
                    0 => String::new(),
                    count => format!(", {}", output::count(count, "error")),
                };
                let player = &record.player_names_from_host[at];
                writeln!(out, "  {role:width$}  {goal:>3}  {player}{errors}")?;
            }
        }
        EndReason::Limit => {
            let steps = output::count(made, "step");
            writeln!(out, "stopped after {steps}; the game is not over")?;
        }
        EndReason::Stuck(_) => {}
        EndReason::Interrupted => writeln!(out, "aborted after {}", output::count(made, "step"))?,
        EndReason::Left(role) => {
            let role = &record.roles[*role];
            writeln!(out, "{role} left after {}", output::count(made, "step"))?;
        }
    }
    status(outcome, steps)
}

/// One of several matches, on one line.
pub(crate) fn line(outcome: &MatchOutcome, round: u64) -> String {
    let record = &outcome.record;
    let role = |at: usize| {
        let goal = match &outcome.end {
            EndReason::Completed(goals) => {
                goals[at].as_ref().map_or("?".to_string(), i32::to_string)
            }
            _ => "-".to_string(),
        };
        format!("{} {} {goal}", record.roles[at], record.player_names_from_host[at])
    };
    let roles: Vec<String> = (0..record.roles.len()).map(role).collect();
    let errors: usize = (0..record.roles.len()).map(|at| record.error_count(at)).sum();
    let steps = output::count(record.moves.len() as u64, "step");
    let errors = output::count(errors as u64, "error");
    format!("match {}: {}; {steps}, {errors}", round + 1, roles.join(", "))
}

/// The exit status of a command by how its match ended.
pub(crate) fn status(outcome: &MatchOutcome, steps: u64) -> Result<ExitStatus> {
    let next = steps + outcome.record.moves.len() as u64 + 1;
    match &outcome.end {
        EndReason::Completed(goals) => Ok(ExitStatus::bad_if(goals.iter().any(Result::is_err))),
        EndReason::Limit | EndReason::Left(_) => Ok(ExitStatus::Good),
        EndReason::Interrupted => Ok(ExitStatus::Bad),
        EndReason::Stuck(error) => bail!("{}, step {next}: {error}", outcome.record.game),
    }
}
