//! What thinkers are asked, and what they answer.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use crate::search::{Budget, Report};

/// Where a move came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A search on the circuit.
    Circuit,
    /// A search on the reference reasoner.
    Reference,
    /// No search was over in time: what one thought best at first, or a legal move at random.
    Fallback,
}

impl Origin {
    /// What it is called in records and logs.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Circuit => "circuit",
            Origin::Reference => "reference",
            Origin::Fallback => "fallback",
        }
    }
}

/// The joint move that was made, as texts in the order of the roles.
pub(super) type JointText = Arc<[String]>;

/// A question for thinkers.
#[derive(Clone)]
pub(super) struct Turn {
    /// What was moved since the last turn.
    pub(super) previous: Option<JointText>,
    pub(super) budget: Budget,
    /// Whether a move without an alternative is answered at once, and thought about later.
    pub(super) hurries: bool,
    pub(super) thoughts: Sender<Thought>,
}

/// What a thinker answers. It says twice what it thinks: at first, for the case that the search
/// is not over in time, and at the end.
pub(super) struct Thought {
    pub(super) origin: Origin,
    /// The move in the spelling of the sheet; none where the game is over.
    pub(super) text: Option<String>,
    /// None for the first word.
    pub(super) report: Option<Report>,
}

/// The times of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    /// When searches end.
    pub(super) think: Option<Instant>,
    /// When nobody is waited for any more.
    pub(super) answer: Option<Instant>,
    /// When the referee is not waited for any more: without it there is no move at all.
    pub(super) last: Option<Instant>,
}

impl Times {
    /// A turn without a clock.
    pub(super) const NONE: Times = Times { think: None, answer: None, last: None };

    /// The times before a deadline. Two thirds of the margin are for the way of the answer, one
    /// third where there is no move yet; of a short time no more than half is kept in reserve.
    pub(super) fn before(deadline: Option<Instant>, margin: Duration, now: Instant) -> Self {
        let Some(deadline) = deadline else { return Times::NONE };
        let left = deadline.saturating_duration_since(now);
        let margin = margin.min(left / 2);
        let before = |margin: Duration| Some(now + left - margin);
        Times { think: before(margin), answer: before(margin * 2 / 3), last: before(margin / 3) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_is_kept_but_never_more_than_half_of_the_time() {
        let now = Instant::now();
        let after = |millis| Some(now + Duration::from_millis(millis));
        let times = |millis| Times::before(after(millis), Duration::from_millis(300), now);
        let expected = |think, answer, last| Times {
            think: after(think),
            answer: after(answer),
            last: after(last),
        };
        assert_eq!(times(1000), expected(700, 800, 900));
        assert_eq!(times(300), expected(150, 200, 250));
        assert_eq!(times(0), expected(0, 0, 0));
        assert_eq!(Times::before(None, Duration::from_secs(1), now), Times::NONE);
    }
}
