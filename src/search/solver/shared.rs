//! What the goals add up to, and what the trees of a search tell each other about that and about the
//! root.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// What the goals of all roles add up to where a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoalSum {
    /// No end was seen yet.
    Unknown,
    /// The same in all ends that were seen, in units of bounds.
    Constant(i64),
    /// Not the same.
    Varies,
}

/// What all trees of a search tell each other.
pub(crate) struct SharedProofs {
    /// Whether one of them knows the score of the root.
    pub(crate) is_decided: AtomicBool,
    /// What the goals added up to in the first end that one of them saw, or [`NO_SUM`].
    sum: AtomicI64,
    /// Whether one of them has seen ends whose goals do not add up to the same.
    pub(super) sums_vary: AtomicBool,
    /// Whether one of them has seen a goal that has no bounds.
    pub(super) is_off: AtomicBool,
}

/// No end was seen yet.
const NO_SUM: i64 = i64::MIN;

impl SharedProofs {
    pub(super) fn new() -> Self {
        SharedProofs {
            is_decided: AtomicBool::new(false),
            sum: AtomicI64::new(NO_SUM),
            sums_vary: AtomicBool::new(false),
            is_off: AtomicBool::new(false),
        }
    }

    /// Whether this is the sum of the first end that was seen.
    pub(super) fn has_sum(&self, sum: i64) -> bool {
        let first = self.sum.compare_exchange(NO_SUM, sum, Ordering::Relaxed, Ordering::Relaxed);
        first.is_ok() || first == Err(sum)
    }
}
