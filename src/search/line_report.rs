//! The line that a player of a game for one role follows, if another method than its search found it.

use std::fmt;

use serde::Serialize;

use super::report::{LearningReport, MoveReport, Report, RoleReport, RunEnd};
use super::scheme::Scheme;

/// A line of a game for one role, and what is proven about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineReport {
    /// What it scores.
    pub score: i32,
    /// The moves that are left of it.
    pub moves: usize,
    /// The method that found it.
    pub found_by: &'static str,
    /// No line scores more than this.
    pub bound: i32,
    /// Whether it is the best line there is.
    pub is_proven: bool,
}

impl Report {
    /// The report of a line that was found without a search.
    pub fn of_line(strategy: Scheme, role: String, line: LineReport, moves: Vec<String>) -> Self {
        let first = moves.first().map(|text| MoveReport {
            text: text.clone(),
            visits: 0,
            average: None,
            best: Some(f64::from(line.score)),
            bounds: None,
            share: None,
        });
        Report {
            strategy,
            simulations: 0,
            playouts: 0,
            cut_share: 0.0,
            cutoff: None,
            expansions: 0,
            nodes: 0,
            depth: 0,
            prunings: 0,
            lane_steps: 0,
            lane_use: 0.0,
            bytes: 0,
            seconds: 0.0,
            end: RunEnd::Budget,
            tree_share: 0.0,
            learned: LearningReport::default(),
            solver: None,
            states: 0,
            roles: vec![RoleReport {
                role,
                moves: first.into_iter().collect(),
                effective_moves: None,
            }],
            principal_line: Vec::new(),
            found_line: None,
            choice: None,
        }
        .following(line, moves)
    }

    /// The same report, where the moves of another line are followed.
    pub fn following(self, line: LineReport, moves: Vec<String>) -> Self {
        Report {
            end: if line.is_proven { RunEnd::Solved } else { self.end },
            principal_line: moves.into_iter().map(|text| vec![text]).collect(),
            found_line: Some(Box::new(line)),
            ..self
        }
    }
}

impl fmt::Display for LineReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a line of {} moves scores {}, found by {}, ",
            self.moves, self.score, self.found_by
        )?;
        match self.is_proven {
            true => f.write_str("proven to be the best"),
            false => write!(f, "not proven: at most {}", self.bound),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_who_found_the_line_and_whether_it_is_proven() {
        let line = LineReport { score: 40, moves: 1, found_by: "sat", bound: 60, is_proven: false };
        let report = |line: &LineReport| {
            let moves = vec!["go".to_string()];
            Report::of_line(Scheme::default(), "x".to_string(), line.clone(), moves)
        };
        let unproven = report(&line);
        let text = unproven.to_string();
        assert!(
            text.contains("a line of 1 moves scores 40, found by sat, not proven: at most 60\n")
        );
        assert_eq!((unproven.end, unproven.best_move(0)), (RunEnd::Budget, Some("go")));
        let proven = report(&LineReport { bound: 40, is_proven: true, ..line });
        assert!(proven.to_string().contains("found by sat, proven to be the best\n"));
        assert_eq!(proven.end, RunEnd::Solved);
        assert_eq!(serde_json::to_value(&proven).expect("JSON")["found_line"]["found_by"], "sat");
    }
}
