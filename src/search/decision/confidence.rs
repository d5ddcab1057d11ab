//! The lower confidence bound: the move whose score is the highest in the worst case that is likely.
//!
//! "Secure child" of Chaslot et al. 2008, section 3.3. The bound is the Wilson score interval's (Wilson
//! 1927), on the scale of goals: with p the mean from 0 to 1 and n visits it is
//! (p + z^2/2n - z sqrt(p (1-p) / n + z^2 / 4n^2)) / (1 + z^2/n), which is also right at 0 and 1. No scores
//! with this mean vary more than those that are all 0 or 1.

use std::cmp::Ordering;

use super::mean::{compare_merits, merit_with};
use super::{Decision, Field, MakeDecision};
use crate::search::scheme::{Parameter, Part};
use crate::search::tree::MoveStats;

/// How unlikely the worst case is.
const DEVIATIONS: Parameter = Parameter::number(
    "deviations",
    "lower_bound: standard deviations between the mean of a move and its bound",
    3.0,
    0.0,
    100.0,
);

/// The part with this name.
pub(super) const PART: Part<MakeDecision> = Part {
    name: "lower_bound",
    help: "the move with the highest lower confidence bound of its mean score",
    paper: "Chaslot et al. 2008, section 3.3 (secure child); Wilson 1927",
    parameters: &[DEVIATIONS],
    make: |values| Box::new(LowerBound { deviations: values.get(&DEVIATIONS) }),
};

/// The highest goal.
const SCALE: f64 = 100.0;

struct LowerBound {
    deviations: f64,
}

impl LowerBound {
    fn bound(&self, stats: &MoveStats) -> f64 {
        let Some(mean) = stats.mean() else { return f64::NEG_INFINITY };
        let share = (mean / SCALE).clamp(0.0, 1.0);
        SCALE * wilson_lower(share, stats.visits, self.deviations)
    }
}

/// The lower end of the Wilson score interval.
fn wilson_lower(share: f64, count: f64, deviations: f64) -> f64 {
    let z = deviations * deviations / count;
    let spread = (share * (1.0 - share) / count + z / (4.0 * count)).sqrt();
    (share + z / 2.0 - deviations * spread) / (1.0 + z)
}

impl Decision for LowerBound {
    fn compare(&self, a: &MoveStats, b: &MoveStats, _: &Field) -> Ordering {
        compare_merits(merit_with(a, self.bound(a)), merit_with(b, self.bound(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::mean::tests::{best, moves};
    use super::*;

    #[test]
    fn bounds_are_those_of_wilson() {
        // Half of 100 within two deviations: (0.5 + 0.02 - 2 sqrt(0.0025 + 0.0001)) / 1.04.
        assert!((wilson_lower(0.5, 100.0, 2.0) - 0.401_942).abs() < 1e-6);
        // All of four: 1 / (1 + 9/4) of the whole.
        assert!((wilson_lower(1.0, 4.0, 3.0) - 4.0 / 13.0).abs() < 1e-9);
        assert!(wilson_lower(0.0, 4.0, 3.0).abs() < 1e-9);
    }

    #[test]
    fn few_visits_lower_the_bound() {
        let rule = LowerBound { deviations: 3.0 };
        assert_eq!(best(&rule, &moves(&[(42.58, 348e3, None), (42.46, 24.4e6, None)])), 1);
        assert_eq!(best(&rule, &moves(&[(43.0, 348e3, None), (42.46, 24.4e6, None)])), 0);
        let won = Some([100.0, 100.0]);
        assert_eq!(best(&rule, &moves(&[(90.0, 1e6, None), (50.0, 3.0, won)])), 1);
        assert_eq!(best(&rule, &moves(&[(0.0, 0.0, None), (1.0, 3.0, None)])), 1);
    }
}
