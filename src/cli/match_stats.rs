//! The results of players over several matches, with their intervals.

use std::io::{self, Write};

use ludens::manager::{EndReason, MatchOutcome, Player};
use ludens::statistics::Estimate;
use serde::Serialize;

use super::output;

/// Counts matches as they end.
pub(crate) struct SeriesStats {
    lines: Vec<PlayerStats>,
    /// Matches that began.
    begun: u64,
    is_interrupted: bool,
}

/// One player.
struct PlayerStats {
    name: String,
    /// Goals in the matches that count.
    goals: Vec<f64>,
    /// 100 for each match that it won, 0 for the others; empty if it plays alone.
    wins: Vec<f64>,
    errors: usize,
}

/// The results of all matches. Scripts read this, so its keys must not change.
#[derive(Serialize)]
pub(crate) struct SeriesSummary {
    /// Matches that were asked for.
    rounds: u64,
    /// Matches at once.
    jobs: usize,
    /// Matches that began.
    begun: u64,
    /// Matches that were played to their end and gave each role a goal: the ones that count.
    counted: u64,
    /// Whether they were interrupted.
    is_interrupted: bool,
    players: Vec<PlayerSummary>,
}

/// One player. Intervals are those of 95 %.
#[derive(Serialize)]
struct PlayerSummary {
    player: String,
    /// Percent of the matches in which its goal was higher than all others.
    won: Option<Estimate>,
    /// The mean goal; none if a goal was not from 0 to 100.
    points: Option<Estimate>,
    /// The mean goal, also if goals were not from 0 to 100.
    mean_goal: Option<f64>,
    /// Late, illegal and unreadable answers.
    errors: usize,
}

impl SeriesStats {
    pub(crate) fn new(players: &[Player]) -> Self {
        let line = |player: &Player| PlayerStats {
            name: player.name.clone(),
            goals: Vec::new(),
            wins: Vec::new(),
            errors: 0,
        };
        SeriesStats { lines: players.iter().map(line).collect(), begun: 0, is_interrupted: false }
    }

    /// Adds the match of a round. In each round each player takes the next role.
    pub(crate) fn count(&mut self, outcome: &MatchOutcome, round: u64) {
        self.begun += 1;
        self.is_interrupted |= outcome.end == EndReason::Interrupted;
        let goals = goals(&outcome.end);
        let count = self.lines.len();
        for (at, line) in self.lines.iter_mut().enumerate() {
            let role = (at + (round % count as u64) as usize) % count;
            line.errors += outcome.record.error_count(role);
            if let Some(goals) = &goals {
                line.goals.push(goals[role]);
                line.wins.extend(has_won(goals, role).map(|won| if won { 100.0 } else { 0.0 }));
            }
        }
    }

    pub(crate) fn summary(self, rounds: u64, jobs: usize) -> SeriesSummary {
        let counted = self.lines.first().map_or(0, |line| line.goals.len() as u64);
        let player = |line: PlayerStats| PlayerSummary {
            won: Estimate::of(&line.wins, 100.0),
            points: Estimate::of_points(&line.goals, 100.0),
            mean_goal: (counted > 0).then(|| line.goals.iter().sum::<f64>() / counted as f64),
            errors: line.errors,
            player: line.name,
        };
        SeriesSummary {
            rounds,
            jobs,
            begun: self.begun,
            counted,
            is_interrupted: self.is_interrupted,
            players: self.lines.into_iter().map(player).collect(),
        }
    }
}

/// The goals of a match that counts.
fn goals(end: &EndReason) -> Option<Vec<f64>> {
    let EndReason::Completed(goals) = end else { return None };
    goals.iter().map(|goal| goal.as_ref().ok().map(|&goal| f64::from(goal))).collect()
}

/// Whether a role's goal is higher than all others; none if there are no others.
fn has_won(goals: &[f64], role: usize) -> Option<bool> {
    let others = goals.iter().enumerate().filter(|(other, _)| *other != role);
    others.map(|(_, goal)| *goal).reduce(f64::max).map(|best| goals[role] > best)
}

/// The columns after the name of a player.
const COLUMNS: [(&str, usize); 6] =
    [("matches", 7), ("won %", 6), ("95 %", 12), ("points", 6), ("95 %", 12), ("errors", 6)];

impl SeriesSummary {
    /// Writes it for a reader.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let names = self.players.iter().map(|player| player.player.chars().count());
        let width = names.max().unwrap_or(0).max("player".len());
        let mut row = |name: &str, cells: [String; 6]| {
            let cells = [format!("{name:width$}")].into_iter().chain(cells).collect::<Vec<_>>();
            let widths = [width].into_iter().chain(COLUMNS.map(|(_, width)| width));
            output::row(out, &cells, &widths.collect::<Vec<_>>())
        };
        row("player", COLUMNS.map(|(name, _)| name.to_string()))?;
        for player in &self.players {
            row(&player.player, cells(player, self.counted))?;
        }
        if self.counted < self.rounds {
            let why = match self.is_interrupted {
                true => ": interrupted",
                false => "; the others did not end with a goal for each role",
            };
            writeln!(out, "{} of {} matches counted{why}", self.counted, self.rounds)?;
        }
        Ok(())
    }
}

fn cells(player: &PlayerSummary, counted: u64) -> [String; 6] {
    let dash = || "-".to_string();
    let mean = |mean: Option<f64>| mean.map_or_else(dash, |mean| format!("{mean:.1}"));
    let range = |estimate: &Option<Estimate>| {
        estimate.map_or_else(dash, |it| format!("{:.1}-{:.1}", it.low, it.high))
    };
    [
        counted.to_string(),
        mean(player.won.map(|won| won.mean)),
        range(&player.won),
        mean(player.mean_goal),
        range(&player.points),
        player.errors.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_better_than_all_others_has_won() {
        assert_eq!(has_won(&[100.0, 0.0], 0), Some(true));
        assert_eq!(has_won(&[50.0, 50.0], 0), Some(false));
        assert_eq!(has_won(&[30.0, 20.0, 40.0], 0), Some(false));
        assert_eq!(has_won(&[70.0], 0), None);
    }

    #[test]
    fn intervals_are_right_where_everything_is_won() {
        let line = |name: &str, goal: f64| PlayerStats {
            name: name.to_string(),
            goals: vec![goal; 10],
            wins: vec![goal; 10],
            errors: 0,
        };
        let lines = vec![line("best", 100.0), line("worst", 0.0)];
        let stats = SeriesStats { lines, begun: 11, is_interrupted: true };
        let mut text = Vec::new();
        stats.summary(20, 2).write(&mut text).expect("text");
        let text = String::from_utf8(text).expect("text");
        let lines: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        let best = ["best", "10", "100.0", "72.2-100.0", "100.0", "70.0-100.0", "0"];
        assert_eq!(lines[1], best, "{text}");
        assert_eq!(lines[2], ["worst", "10", "0.0", "0.0-27.8", "0.0", "0.0-30.0", "0"], "{text}");
        assert!(text.ends_with("10 of 20 matches counted: interrupted\n"), "{text}");
    }

    #[test]
    fn goals_that_are_no_points_have_a_mean_but_no_interval() {
        let line =
            PlayerStats { name: "a".into(), goals: vec![500.0], wins: Vec::new(), errors: 1 };
        let stats = SeriesStats { lines: vec![line], begun: 1, is_interrupted: false };
        let summary = stats.summary(1, 1);
        let player = &summary.players[0];
        assert_eq!((player.mean_goal, player.points, player.won), (Some(500.0), None, None));
    }
}
