//! How much a playout policy learns from: a sample of playouts, and when its weights are
//! recomputed.
//!
//! Reading the moves of a playout lane by lane costs as much as many steps. So the policy learns from
//! the first playouts of a turn, then from a sample of them.

use crate::search::policy::{CREDIT_FIRST, CREDIT_ONE_OF};
use crate::search::scheme::Values;

/// Weights are recomputed when this number of moves was learned from, ...
const MOST_BEFORE_REFRESH: u64 = 4096;

/// ... or one for this number of moves before.
const REFRESH_SHARE: u64 = 8;

/// What was learned from.
pub(crate) struct Learning {
    /// All of the first playouts of a run, then one playout in `one_of`.
    first: u64,
    one_of: u64,
    /// Playouts of this run.
    pub(crate) seen: u64,
    /// Moves learned from since the weights were made, and before that.
    pub(crate) fresh: u64,
    before: u64,
    /// Simulations whose states were learned from.
    pub(crate) lines: u64,
    /// Counts how often the weights of playouts were to be recomputed.
    pub(crate) version: u64,
}

impl Learning {
    pub(crate) fn new(values: &Values) -> Self {
        Learning {
            first: values.count(&CREDIT_FIRST),
            one_of: values.count(&CREDIT_ONE_OF),
            seen: 0,
            fresh: 0,
            before: 0,
            lines: 0,
            version: 0,
        }
    }

    /// A run begins.
    pub(crate) fn begin(&mut self) {
        self.seen = 0;
    }

    /// How many of the next playouts are learned from.
    pub(crate) fn sample(&mut self, playouts: usize) -> usize {
        let credited = |seen: u64| {
            seen.min(self.first) + (seen / self.one_of).saturating_sub(self.first / self.one_of)
        };
        let before = credited(self.seen);
        let after = credited(self.seen + playouts as u64);
        self.seen += playouts as u64;
        (after - before) as usize
    }

    /// Notes that moves were learned from.
    pub(crate) fn note(&mut self, moves: u64) {
        self.fresh += moves;
    }

    /// Has the weights of playouts recomputed when much was learned.
    pub(crate) fn refresh(&mut self) {
        let enough = (self.before / REFRESH_SHARE).min(MOST_BEFORE_REFRESH);
        if self.fresh > 0 && self.fresh >= enough {
            self.version += 1;
            self.before += self.fresh;
            self.fresh = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_first_playouts_are_learned_from_then_one_of_many() {
        let mut learning =
            Learning { first: 2500, one_of: 30, ..Learning::new(&Values::default()) };
        let is_credited = |number: u64| number <= 2500 || number.is_multiple_of(30);
        while learning.seen < 4000 {
            let (before, playouts) = (learning.seen, 1 + learning.seen % 77);
            let expected = (before + 1..=before + playouts).filter(|&at| is_credited(at)).count();
            assert_eq!(learning.sample(playouts as usize), expected, "{playouts} after {before}");
        }
        learning.begin();
        assert_eq!(learning.sample(100), 100, "every run begins anew");
    }

    #[test]
    fn weights_are_made_anew_when_much_was_learned() {
        let mut learning = Learning::new(&Values::default());
        learning.refresh();
        assert_eq!(learning.version, 0, "nothing was learned");
        for (moves, version) in [(800, 1), (99, 1), (1, 2), (1_000_000, 3), (4095, 3), (1, 4)] {
            learning.note(moves);
            learning.refresh();
            assert_eq!(learning.version, version, "{moves}");
        }
    }
}
