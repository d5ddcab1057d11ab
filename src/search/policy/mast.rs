//! MAST: playouts prefer moves that did well on average, whatever the state.
//!
//! Finnsson and Björnsson 2008; section 4.1.1 of the CadiaPlayer thesis. Every move of a simulation,
//! in the tree and in the playout, adds the discounted score of its role to its mean. Moves are
//! chosen by Gibbs sampling.

use propnet::game::{Move, Role};
use rand_pcg::Pcg64;

use super::averages::MoveAverages;
use super::gibbs::{gibbs, quantise};
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

/// The part of this name.
pub(crate) const PART: Part<MakePolicy> = Part {
    name: "mast",
    help: "playouts prefer moves that did well on average",
    paper: "Finnsson and Björnsson 2008",
    parameters: &[TAU],
    make: |values, moves| {
        Box::new(Gibbs { averages: MoveAverages::new(moves), tau: values.get(&TAU) })
    },
};

/// Gibbs sampling by the means of moves.
#[derive(Clone)]
pub(crate) struct Gibbs {
    pub(crate) averages: MoveAverages,
    pub(crate) tau: f64,
}

impl Sampler for Gibbs {
    fn choose(&self, role: Role, moves: &[Move], rng: &mut Pcg64) -> usize {
        let values: Vec<f64> = moves.iter().map(|&at| self.averages.value(role, at)).collect();
        gibbs(&values, self.tau, rng)
    }
}

impl Policy for Gibbs {
    fn learn(&mut self, finished: &Finished) {
        finished.credits(|role, chosen, score| {
            self.averages.add(role, chosen, score, finished.count);
        });
    }

    fn weights(&self, role: Role, bits: usize) -> Vec<u32> {
        quantise(&self.averages.values(role), self.tau, bits)
    }

    fn values(&self, role: Role) -> Vec<f64> {
        self.averages.values(role)
    }

    fn sampler(&self) -> Box<dyn Sampler> {
        Box::new(self.clone())
    }
}
