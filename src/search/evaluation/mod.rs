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

/// All ways to evaluate; the first is the default.
pub(crate) const EVALUATIONS: &[&Part<MakeEvaluation>] = &[&goals::PART, &cutoff::PART];

/// Makes one from the values of its parameters and whether scores are discounted.
pub(crate) type MakeEvaluation = fn(&Values, bool) -> Arc<dyn Evaluation>;

/// A way to evaluate playouts. All trees of a search share it.
pub(crate) trait Evaluation: Send + Sync {
    /// The joint moves after which a playout is cut.
    fn limit(&self) -> u64;

    /// The factor of a score for each ply.
    fn discount(&self) -> f64;

    /// The factor of a score after playouts of this length.
    fn discount_after(&self, length: u64) -> f64;

    /// What the last state of playouts is worth to a role.
    fn goal(&self, outcome: &Outcome, role: Role) -> f64 {
        outcome.goals[role].map_or(0.0, f64::from)
    }

    /// Adds the value to each role of playouts with the same outcome, as seen from their first
    /// state.
    fn add_scores(&self, outcome: &Outcome, scores: &mut [f64]) {
        let factor = outcome.count as f64 * self.discount_after(outcome.length);
        for (role, score) in scores.iter_mut().enumerate() {
            *score += factor * self.goal(outcome, role);
        }
    }

    /// Observes simulations and then decides when to cut; none where there is nothing to decide.
    fn sampling(&self) -> Option<&Sampling> {
        None
    }
}
