//! Evaluation: what a playout is worth, and when it is cut. One file for each scheme.

mod goals;

use propnet::lanes::Outcome;

use super::scheme::{Part, Values};

/// All ways to evaluate; the first is the usual one.
pub(crate) const EVALUATIONS: &[&Part<MakeEvaluation>] = &[&goals::PART];

/// Makes one from the values of its parameters and whether scores are discounted.
pub(crate) type MakeEvaluation = fn(&Values, bool) -> Box<dyn Evaluation>;

/// A way to evaluate playouts.
pub(crate) trait Evaluation: Send + Sync {
    /// The joint moves after which a playout is cut.
    fn limit(&self) -> u64;

    /// Adds what playouts that ended alike are worth to each role, as seen from their first state.
    fn add_scores(&self, outcome: &Outcome, scores: &mut [f64]);

    /// What is left of a score one ply earlier.
    fn discount(&self) -> f64;
}
