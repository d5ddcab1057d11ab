//! The move with the highest mean score; where the best line is searched for, with the highest score.
//!
//! Section 3.3 of the CadiaPlayer thesis; for one role, section 3.3.5.

use std::cmp::Ordering;

use super::{Decision, MakeDecision};
use crate::search::scheme::Part;
use crate::search::tree::MoveStats;

/// The part with this name.
pub(crate) const PART: Part<MakeDecision> = Part {
    name: "mean",
    help: "the move with the highest mean score is played; in games for one role the highest score",
    paper: "Finnsson 2012, section 3.3",
    parameters: &[],
    make: |_| Box::new(Mean),
};

struct Mean;

impl Decision for Mean {
    fn compare(&self, a: &MoveStats, b: &MoveStats) -> Ordering {
        let (a, b) = (merit(a), merit(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2))
    }
}

/// The highest score, then the mean, then the visits.
fn merit(stats: &MoveStats) -> (f64, f64, f64) {
    let mean = stats.mean().unwrap_or(f64::NEG_INFINITY);
    // A move without a known score counts as one with a known score of 0.
    (stats.best.map_or(0.0, |best| best.max(0.0)), mean, stats.visits)
}
