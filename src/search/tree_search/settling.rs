//! When nothing is left to learn: simulations in a row that ended in the tree.

use crate::search::tree::Tree;

/// After this many descents in a row without a playout there may be nothing left to learn, ...
const DESCENTS: u32 = 1 << 14;

/// ... if they are this share of all visits of the root, so that means have settled.
const SHARE: f64 = 1.0 / 16.0;

/// Simulations in a row that ended in terminal states that the tree knows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settling {
    descents: u32,
    samples: u64,
    /// Whether the tree was found to be complete.
    is_complete: bool,
}

impl Settling {
    /// Counts a descent that ended in a terminal state.
    pub(crate) fn add(&mut self, samples: usize, tree: &Tree) {
        self.descents = self.descents.saturating_add(1);
        self.samples += samples as u64;
        // Looking at the whole tree takes time, so it is done when the number has doubled.
        if self.descents >= DESCENTS && self.descents.is_power_of_two() {
            self.is_complete = tree.is_complete();
        }
    }

    /// Whether nothing is left to learn: there are no new states any more, and the last descents have
    /// seen nothing but ends.
    pub(crate) fn is_over(&self, root_visits: f64) -> bool {
        self.is_complete && self.samples as f64 >= SHARE * root_visits
    }
}
