//! Playout policies: which legal moves playouts prefer, and what is learned for it. One file for each.
//!
//! ```text
//! averages  mean scores by role and move       gibbs  sampling by values, and as whole weights
//! mast      moves that did well on average    to_mast  the same, of moves in the tree alone
//! ```
//!
//! Without a policy playouts choose at random, and nothing is learned.

mod averages;
mod gibbs;
mod mast;
mod to_mast;

use propnet::game::{Move, Role};
use rand_pcg::Pcg64;

use super::scheme::{Parameter, Part, Values};

#[cfg(test)]
pub(crate) use averages::MoveAverages;
pub(crate) use gibbs::effective_number;
pub use gibbs::{quantise, sampling_distance};
#[cfg(test)]
pub(crate) use mast::Gibbs;

/// All policies.
pub(crate) const POLICIES: &[&Part<MakePolicy>] = &[&mast::PART, &to_mast::PART];

/// Makes a policy from the values of its parameters and the number of moves of each role, as far as
/// they are known.
pub(crate) type MakePolicy = fn(&Values, &[usize]) -> Box<dyn Policy>;

/// Chooses moves as the policy did when this copy was made; the reference reasoner plays by it.
pub(crate) trait Sampler: Send + Sync {
    /// How likely each of these moves of a role is.
    fn probabilities(&self, role: Role, moves: &[Move]) -> Vec<f64>;

    /// The index of one of these moves of a role; there is at least one.
    fn choose(&self, role: Role, moves: &[Move], rng: &mut Pcg64) -> usize;
}

/// A policy, and what it learns.
pub(crate) trait Policy: Sampler {
    /// Whether it learns from the moves of playouts, or only from those in the tree.
    fn reads_playouts(&self) -> bool {
        true
    }

    /// Learns from a finished simulation.
    fn learn(&mut self, finished: &Finished);

    /// The weights of a role's moves in playouts on lanes, with this number of bits.
    fn weights(&self, role: Role, bits: usize) -> Vec<u32>;

    /// The values that the weights come from; none of moves never seen.
    fn values(&self, role: Role) -> Vec<Option<f64>>;

    /// A copy that does not learn any more.
    fn sampler(&self) -> Box<dyn Sampler>;
}

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
        let roles = self.goals.len();
        let mut scores = self.goals.to_vec();
        let playout = self.playout.chunks_exact(roles).rev();
        for joint in playout.chain(self.path.chunks_exact(roles).rev()) {
            for (role, (&chosen, score)) in joint.iter().zip(&mut scores).enumerate() {
                *score *= self.discount;
                credit(role, chosen, *score);
            }
        }
    }
}

/// The bits of a weight.
pub(crate) const WEIGHT_BITS: Parameter =
    Parameter::count("weight_bits", "the bits of a move's weight in playouts on lanes", 12, 1, 16);

/// The first playouts of a turn, all of which the policy learns from.
pub(crate) const CREDIT_FIRST: Parameter = Parameter::count(
    "credit_first",
    "the policy learns from the first n playouts of a turn",
    5_000,
    0,
    1 << 40,
);

/// The sample of the later playouts.
pub(crate) const CREDIT_ONE_OF: Parameter = Parameter::count(
    "credit_one_of",
    "after those, the policy learns from one playout in n",
    32,
    1,
    1 << 20,
);

/// Settings of all policies that learn from moves.
pub(crate) const LEARNING: &[Parameter] = &[WEIGHT_BITS, CREDIT_FIRST, CREDIT_ONE_OF];
