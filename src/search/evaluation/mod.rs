//! Evaluation: what a playout is worth, and when it is cut. One file for each scheme.
//!
//! ```text
//! goals   the goals at the end                cutoff   playouts cut early, by algorithm 5
//! cut     algorithm 5: figures -> a decision  samples  simulations observed -> figures
//! ```

mod cut;
mod cutoff;
mod goals;
mod samples;

use std::sync::Arc;

use propnet::game::Role;
use propnet::lanes::Outcome;

use super::scheme::{Part, Values};

pub use cut::{Cutoff, CutoffKind};
pub use samples::SampleFigures;

pub(crate) use samples::{Observation, Sampling};

/// All ways to evaluate; the first is the usual one.
pub(crate) const EVALUATIONS: &[&Part<MakeEvaluation>] = &[&goals::PART, &cutoff::PART];

/// Makes one from the values of its parameters and whether scores are discounted.
pub(crate) type MakeEvaluation = fn(&Values, bool) -> Arc<dyn Evaluation>;

/// A way to evaluate playouts. All trees of a search share it.
pub(crate) trait Evaluation: Send + Sync {
    /// The joint moves after which a playout is cut.
    fn limit(&self) -> u64;

    /// What is left of a score one ply earlier.
    fn discount(&self) -> f64;

    /// What is left of a score after playouts of this length.
    fn discount_after(&self, length: u64) -> f64;

    /// What the last state of playouts is worth to a role.
    fn goal(&self, outcome: &Outcome, role: Role) -> f64 {
        outcome.goals[role].map_or(0.0, f64::from)
    }

    /// Adds what playouts that ended alike are worth to each role, as seen from their first state.
    fn add_scores(&self, outcome: &Outcome, scores: &mut [f64]) {
        let factor = outcome.count as f64 * self.discount_after(outcome.length);
        for (role, score) in scores.iter_mut().enumerate() {
            *score += factor * self.goal(outcome, role);
        }
    }

    /// What observes simulations before it decides when to cut; none where nothing is to be decided.
    fn sampling(&self) -> Option<&Sampling> {
        None
    }
}
