//! The least number of playouts for a leaf, where the budget is time.
//!
//! A leaf is selected and backed up once, however many playouts it gets. Where that takes most of
//! the time, as in games with small circuits, several playouts for each leaf use the time much
//! better; where it takes little, one for each leaf is enough.

use std::time::Duration;

/// Rounds that took this long together show what the tree costs.
const WINDOW: Duration = Duration::from_millis(1);

/// The most playouts from one leaf where the settings do not say how many.
pub(crate) const MOST_PER_LEAF: usize = 64;

/// The least for a leaf, found by what rounds have taken.
pub(crate) struct Balance {
    pub(crate) least: usize,
    /// Time in the tree, or waiting for it, and outside it.
    tree: Duration,
    beside: Duration,
}

impl Balance {
    pub(crate) fn new() -> Self {
        Balance { least: 1, tree: Duration::ZERO, beside: Duration::ZERO }
    }

    /// Counts a round of a worker: its time in the tree, and its time in playouts.
    pub(crate) fn note(&mut self, tree: Duration, beside: Duration) {
        self.tree += tree;
        self.beside += beside;
        let all = self.tree + self.beside;
        if all < WINDOW {
            return;
        }
        if 2 * self.tree > all {
            self.least = (2 * self.least).min(MOST_PER_LEAF);
        } else if 4 * self.tree < all {
            self.least = (self.least / 2).max(1);
        }
        (self.tree, self.beside) = (Duration::ZERO, Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least after this many rounds with these shares of a millisecond, from some least on.
    fn least_after(rounds: usize, tree: u64, beside: u64, least: usize) -> usize {
        let mut balance = Balance { least, ..Balance::new() };
        let [tree, beside] = [tree, beside].map(Duration::from_micros);
        (0..rounds).for_each(|_| balance.note(tree, beside));
        balance.least
    }

    #[test]
    fn a_tree_that_takes_most_of_the_time_gets_more_playouts_for_a_leaf() {
        assert_eq!(least_after(1, 600, 400, 1), 2);
        assert_eq!(least_after(3, 600, 400, 1), 8);
        assert_eq!(least_after(100, 600, 400, 1), MOST_PER_LEAF);
        assert_eq!(least_after(100, 60, 40, 1), 1 << 6, "many short rounds are one long one");
        assert_eq!(least_after(9, 60, 40, 1), 1, "nothing is known yet");
    }

    #[test]
    fn a_tree_that_takes_little_needs_no_more_than_one() {
        assert_eq!(least_after(2, 200, 800, 16), 4);
        assert_eq!(least_after(100, 200, 800, 16), 1);
        assert_eq!(least_after(100, 400, 600, 16), 16, "in between all is well");
    }
}
