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
}

impl Times {
    /// The times before a deadline. Two thirds of the margin are for the way of the answer; of a
    /// short time no more than half is kept in reserve.
    pub(super) fn before(deadline: Option<Instant>, margin: Duration, now: Instant) -> Self {
        let Some(deadline) = deadline else { return Times { think: None, answer: None } };
        let left = deadline.saturating_duration_since(now);
        let margin = margin.min(left / 2);
        Times { think: Some(now + left - margin), answer: Some(now + left - margin * 2 / 3) }
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
        assert_eq!(times(1000), Times { think: after(700), answer: after(800) });
        assert_eq!(times(300), Times { think: after(150), answer: after(200) });
        assert_eq!(times(0), Times { think: after(0), answer: after(0) });
        let never = Times { think: None, answer: None };
        assert_eq!(Times::before(None, Duration::from_secs(1), now), never);
    }
}
