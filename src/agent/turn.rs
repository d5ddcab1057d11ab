//! The questions for search workers and their answers.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use crate::search::{Budget, Report, RunEnd};

/// Where a move came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A search on the circuit.
    Circuit,
    /// A search on the reference reasoner.
    Reference,
    /// The line that a method for games of one role found.
    Puzzle,
    /// No search ended in time: the preliminary best move of one, or a random legal move.
    Fallback,
}

impl Origin {
    /// The name in records and logs.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Circuit => "circuit",
            Origin::Reference => "reference",
            Origin::Puzzle => "puzzle",
            Origin::Fallback => "fallback",
        }
    }
}

/// The joint move that was made: one text for each role, in their order.
pub(super) type JointText = Arc<[String]>;

/// A question for search workers.
#[derive(Clone)]
pub(super) struct Turn {
    /// The joint move since the last turn.
    pub(super) previous: Option<JointText>,
    pub(super) budget: Budget,
    /// Whether the only legal move is answered at once, and searched later.
    pub(super) hurries: bool,
    pub(super) answers: Sender<SearchAnswer>,
}

impl Turn {
    /// When half of the time for thought is over; none without a clock, or with a budget that counts.
    pub(super) fn halfway(&self, now: Instant) -> Option<Instant> {
        let deadline = self.budget.deadline.filter(|_| !self.budget.counts())?;
        Some(now + deadline.saturating_duration_since(now) / 2)
    }
}

/// An answer of a search worker. It sends two: a preliminary one, for the case that the search does
/// not end in time, and the final one.
pub(super) struct SearchAnswer {
    pub(super) origin: Origin,
    /// The move in the spelling of the sheet; none if the game is over.
    pub(super) text: Option<String>,
    /// None in the preliminary answer of a search.
    pub(super) report: Option<Report>,
    /// Whether no other answer follows.
    pub(super) is_final: bool,
}

impl SearchAnswer {
    /// The score that the move is known to lead to, in a game for one role.
    pub(super) fn known_score(&self) -> Option<f64> {
        let report = self.report.as_ref()?;
        match &report.found_line {
            Some(line) => Some(f64::from(line.score)),
            None => {
                report.roles.first()?.moves.iter().filter_map(|found| found.best).reduce(f64::max)
            }
        }
    }

    /// Whether nothing is left to be found.
    pub(super) fn is_settled(&self) -> bool {
        self.report.as_ref().is_some_and(|report| report.end != RunEnd::Budget)
    }
}

/// The deadlines of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnDeadlines {
    /// Searches end here.
    pub(super) think: Option<Instant>,
    /// The agent does not wait for workers after this.
    pub(super) answer: Option<Instant>,
    /// The agent does not wait for the match tracker after this: without it there is no move at
    /// all.
    pub(super) last: Option<Instant>,
}

impl TurnDeadlines {
    /// A turn without a clock.
    pub(super) const NONE: TurnDeadlines = TurnDeadlines { think: None, answer: None, last: None };

    /// The deadlines before the deadline of the caller. Two thirds of the margin are for sending
    /// the answer, one third if there is no move yet. The margin is at most half of the time.
    pub(super) fn before(deadline: Option<Instant>, margin: Duration, now: Instant) -> Self {
        let Some(deadline) = deadline else { return TurnDeadlines::NONE };
        let left = deadline.saturating_duration_since(now);
        let margin = margin.min(left / 2);
        let before = |margin: Duration| Some(now + left - margin);
        TurnDeadlines {
            think: before(margin),
            answer: before(margin * 2 / 3),
            last: before(margin / 3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_time_is_known_where_time_counts() {
        let now = Instant::now();
        let turn = |budget: Budget| {
            let answers = std::sync::mpsc::channel().0;
            Turn { previous: None, budget, hurries: true, answers }
        };
        let second = now + Duration::from_secs(1);
        let half = now + Duration::from_millis(500);
        assert_eq!(turn(Budget::until(second)).halfway(now), Some(half));
        assert_eq!(turn(Budget::until(now)).halfway(second), Some(second), "it is over");
        assert_eq!(turn(Budget::default()).halfway(now), None);
        let counted = Budget { deadline: Some(second), ..Budget::simulations(5) };
        assert_eq!(turn(counted).halfway(now), None, "a budget of simulations is always spent");
    }

    #[test]
    fn the_margin_is_kept_but_never_more_than_half_of_the_time() {
        let now = Instant::now();
        let after = |millis| Some(now + Duration::from_millis(millis));
        let times = |millis| TurnDeadlines::before(after(millis), Duration::from_millis(300), now);
        let expected = |think, answer, last| TurnDeadlines {
            think: after(think),
            answer: after(answer),
            last: after(last),
        };
        assert_eq!(times(1000), expected(700, 800, 900));
        assert_eq!(times(300), expected(150, 200, 250));
        assert_eq!(times(0), expected(0, 0, 0));
        assert_eq!(TurnDeadlines::before(None, Duration::from_secs(1), now), TurnDeadlines::NONE);
    }
}
