//! When nothing is left to learn: simulations in a row that ended in the tree.

/// After this many descents in a row without a playout there may be nothing left to learn, ...
const DESCENTS: u32 = 1 << 18;

/// ... if they are this share of all visits of the root: bounds grow with the logarithm of the visits,
/// so what was not looked at while they doubled is hardly looked at the next time.
const SHARE: f64 = 0.5;

/// Simulations in a row that ended in terminal states that the tree knows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settling {
    descents: u32,
    samples: u64,
}

impl Settling {
    /// Counts a descent that ended in a terminal state.
    pub(crate) fn add(&mut self, samples: usize) {
        self.descents = self.descents.saturating_add(1);
        self.samples += samples as u64;
    }

    /// Whether nothing is left to learn: there are no new states any more, or the search is so sure
    /// of its moves that it does not look for them.
    pub(crate) fn is_over(&self, root_visits: f64) -> bool {
        self.descents >= DESCENTS && self.samples as f64 >= SHARE * root_visits
    }
}
