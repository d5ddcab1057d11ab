//! MAST: playouts prefer moves that did well on average, whatever the state.
//!
//! Finnsson and Björnsson 2008; section 4.1.1 of the CadiaPlayer thesis. Every move of a simulation,
//! in the tree and in the playout, adds the discounted score of its role to its mean.

use propnet::game::{Move, Role};

use super::averages::MoveAverages;
use super::lessons::Finished;
use super::value_source::{LaneValue, MakeValues, Situation, ValueSource};
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

/// What MAST, TO-MAST, PAST and n-grams are: variations of one idea, which cannot be mixed (section 4.2
/// of the thesis).
pub(super) const AVERAGES: &str = "averages of moves in playouts";

/// The part with this name.
pub(crate) const PART: Part<MakeValues> = Part {
    name: "mast",
    help: "playouts prefer moves that did well on average",
    paper: "Finnsson and Björnsson 2008",
    parameters: &[TAU, UNSEEN_VALUE],
    make: MakeValues {
        kind: AVERAGES,
        tau: TAU,
        weight: None,
        make: |values, moves| {
            let averages = MoveAverages::new(moves, values.get(&UNSEEN_VALUE));
            Box::new(Mast { averages, tree_only: false })
        },
    },
};

/// The means of moves.
#[derive(Clone)]
pub(crate) struct Mast {
    pub(crate) averages: MoveAverages,
    /// Whether only moves in the tree are learned from.
    pub(crate) tree_only: bool,
}

impl ValueSource for Mast {
    fn reads_playouts(&self) -> bool {
        !self.tree_only
    }

    fn reads_tree(&self) -> bool {
        self.tree_only
    }

    fn learn(&mut self, finished: &Finished) {
        finished.credits(|role, chosen, score| {
            self.averages.add(role, chosen, score, finished.count);
        });
    }

    fn values(&self, role: Role, moves: &[Move], _: &Situation) -> Vec<f64> {
        moves.iter().map(|&at| self.averages.value(role, at)).collect()
    }

    fn lane_values(&self, role: Role, count: usize) -> Vec<LaneValue> {
        let values = self.averages.values(role);
        let value = |at: usize| values.get(at).copied().flatten();
        let value = |at| value(at).unwrap_or(self.averages.unseen());
        (0..count).map(|at| LaneValue { base: value(at), contexts: Vec::new() }).collect()
    }

    fn means(&self, role: Role) -> Option<(Vec<Option<f64>>, f64)> {
        // In the tree most moves are not seen, and means of few samples are far apart: too far for one
        // scale of weights.
        (!self.tree_only).then(|| (self.averages.values(role), self.averages.unseen()))
    }

    fn copy(&self) -> Box<dyn ValueSource> {
        Box::new(self.clone())
    }
}
