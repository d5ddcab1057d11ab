//! What policies learn from: finished simulations, as moves or with all their states.

use std::sync::Arc;

use propnet::game::{Move, Role, State};
use propnet::names::Names;

/// A finished simulation, or several with the same outcome.
pub(crate) struct Finished<'s> {
    /// The moves in the tree, joint move by joint move.
    pub(crate) path: &'s [Move],
    /// The moves of the playout after them.
    pub(crate) playout: &'s [Move],
    /// The goals at the end, by role.
    pub(crate) goals: &'s [f64],
    /// The factor of a score for each ply.
    pub(crate) discount: f64,
    /// How many simulations had this outcome.
    pub(crate) count: f64,
}

impl Finished<'_> {
    /// Each move with its discounted score, the last joint move first.
    pub(crate) fn credits(&self, mut credit: impl FnMut(Role, Move, f64)) {
        self.joint_credits(|joint, scores| {
            for (role, (&chosen, &score)) in joint.iter().zip(scores).enumerate() {
                credit(role, chosen, score);
            }
        });
    }

    /// Each joint move with its discounted scores, the last one first.
    fn joint_credits(&self, mut credit: impl FnMut(&[Move], &[f64])) {
        let roles = self.goals.len();
        let mut scores = self.goals.to_vec();
        let playout = self.playout.chunks_exact(roles).rev();
        for joint in playout.chain(self.path.chunks_exact(roles).rev()) {
            scores.iter_mut().for_each(|score| *score *= self.discount);
            credit(joint, &scores);
        }
    }

    /// Each joint move with its discounted scores and the two joint moves before it, as far as there are
    /// any, the nearer one first. The last joint move comes first.
    pub(crate) fn credits_in_sequence(
        &self,
        mut credit: impl FnMut(&[Move], &[f64], [Option<&[Move]>; 2]),
    ) {
        let roles = self.goals.len();
        let joints = || self.path.chunks_exact(roles).chain(self.playout.chunks_exact(roles));
        let joints: Vec<&[Move]> = joints().collect();
        let mut at = joints.len();
        self.joint_credits(|joint, scores| {
            at -= 1;
            let before = |steps: usize| at.checked_sub(steps).map(|before| joints[before]);
            credit(joint, scores, [before(1), before(2)]);
        });
    }
}

/// A simulation to be learned from with all its states, which are found by making its moves again.
pub(crate) struct CreditedLine {
    /// Its first state: that of the root.
    pub(crate) start: Arc<State>,
    /// The joint moves one after the other, each a move of every role.
    pub(crate) moves: Vec<Move>,
    /// The goals at the end, by role.
    pub(crate) goals: Vec<f64>,
    /// The factor of a score for each ply.
    pub(crate) discount: f64,
    /// How many simulations had this outcome.
    pub(crate) count: f64,
}

impl CreditedLine {
    /// The joint moves.
    pub(crate) fn len(&self) -> usize {
        self.moves.len() / self.goals.len().max(1)
    }
}

/// How many fluents and moves were met: those with lower numbers have names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MetTerms {
    /// Fluents.
    pub(crate) fluents: usize,
    /// By role: moves.
    pub(crate) moves: Vec<usize>,
}

/// Finds the names of what was met; none where they cannot be told.
pub(crate) type FindNames<'f> = dyn FnMut(&MetTerms) -> Option<Arc<Names>> + 'f;

/// A state of such a simulation.
pub(crate) struct SeenState<'s> {
    /// The number of the simulation among those that are learned from together.
    pub(crate) line: usize,
    /// The simulation.
    pub(crate) of: &'s CreditedLine,
    /// The joint moves made before.
    pub(crate) step: usize,
    /// The fluents that are true, in ascending order.
    pub(crate) fluents: &'s [u32],
}

impl SeenState<'_> {
    /// The moves that were made in it, each with its discounted score; none in the last state.
    pub(crate) fn credits(&self) -> impl Iterator<Item = (Role, Move, f64)> + '_ {
        let line = self.of;
        let roles = line.goals.len();
        let left = line.len() - self.step.min(line.len());
        let factor = line.discount.powi(left as i32);
        let joint = line.moves.chunks_exact(roles.max(1)).nth(self.step).unwrap_or_default();
        let credits = joint.iter().zip(&line.goals).enumerate();
        credits.map(move |(role, (&chosen, goal))| (role, chosen, factor * goal))
    }
}
