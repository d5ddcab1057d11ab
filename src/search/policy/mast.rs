//! MAST: playouts prefer moves that did well on average, whatever the state.
//!
//! Finnsson and Björnsson 2008; section 4.1.1 of the CadiaPlayer thesis. Every move of a simulation,
//! in the tree and in the playout, adds the discounted score of its role to its mean. Moves are
//! chosen by Gibbs sampling.

use propnet::game::{Move, Role};
use rand_pcg::Pcg64;

use super::averages::MoveAverages;
use super::gibbs::{gibbs, gibbs_probabilities, quantise};
use super::{Finished, MakePolicy, Policy, Sampler};
use crate::search::scheme::{Parameter, Part};

/// The temperature of Gibbs sampling.
pub(crate) const TAU: Parameter = Parameter::number(
    "tau",
    "the temperature of Gibbs sampling, on the scale of goals",
    10.0,
    0.1,
    1e6,
);

/// The value of a move that was never seen.
pub(crate) const UNSEEN_VALUE: Parameter = Parameter::number(
    "unseen",
    "what a move that was never seen counts as in playouts",
    100.0,
    0.0,
    100.0,
);

/// The part with this name.
pub(crate) const PART: Part<MakePolicy> = Part {
    name: "mast",
    help: "playouts prefer moves that did well on average",
    paper: "Finnsson and Björnsson 2008",
    parameters: &[TAU, UNSEEN_VALUE],
    make: |values, moves| {
        let averages = MoveAverages::new(moves, values.get(&UNSEEN_VALUE));
        Box::new(Gibbs { averages, tau: values.get(&TAU), tree_only: false })
    },
};

/// Gibbs sampling by the means of moves.
#[derive(Clone)]
pub(crate) struct Gibbs {
    pub(crate) averages: MoveAverages,
    pub(crate) tau: f64,
    /// Whether only moves in the tree are learned from.
    pub(crate) tree_only: bool,
}

impl Gibbs {
    fn values_of(&self, role: Role, moves: &[Move]) -> Vec<f64> {
        moves.iter().map(|&at| self.averages.value(role, at)).collect()
    }
}

impl Sampler for Gibbs {
    fn probabilities(&self, role: Role, moves: &[Move]) -> Vec<f64> {
        gibbs_probabilities(&self.values_of(role, moves), self.tau)
    }

    fn choose(&self, role: Role, moves: &[Move], rng: &mut Pcg64) -> usize {
        gibbs(&self.values_of(role, moves), self.tau, rng)
    }
}

impl Policy for Gibbs {
    fn reads_playouts(&self) -> bool {
        !self.tree_only
    }

    fn learn(&mut self, finished: &Finished) {
        finished.credits(|role, chosen, score| {
            self.averages.add(role, chosen, score, finished.count);
        });
    }

    fn weights(&self, role: Role, bits: usize) -> Vec<u32> {
        quantise(&self.averages.values(role), self.averages.unseen(), self.tau, bits)
    }

    fn values(&self, role: Role) -> Vec<Option<f64>> {
        self.averages.values(role)
    }

    fn sampler(&self) -> Box<dyn Sampler> {
        Box::new(self.clone())
    }
}
