//! Sufficiency threshold: no exploration among moves while one of them is good enough.
//!
//! Björnsson 2011 ("Simulation Search Control in General Game Playing"). In deterministic games it is
//! wasted effort to tell apart two moves that both seem to win: while the value of a move is above
//! the threshold, the highest value is chosen.

use super::{Adjustment, MakeAdjustment, NodeMoves, Terms};
use crate::search::scheme::{Parameter, Part};

/// The value that is enough.
const THRESHOLD: Parameter = Parameter::number(
    "sufficient",
    "while the value of a move is above this, moves are not explored",
    90.0,
    0.0,
    100.0,
);

/// The part with this name.
pub(super) const PART: Part<MakeAdjustment> = Part {
    name: "sufficiency",
    help: "moves are not explored while one of them is good enough",
    paper: "Björnsson 2011 (ST)",
    parameters: &[THRESHOLD],
    make: MakeAdjustment {
        kind: "exploration",
        plays_most_visited: false,
        make: |values| Box::new(Sufficiency { threshold: values.get(&THRESHOLD) }),
    },
};

struct Sufficiency {
    threshold: f64,
}

impl Adjustment for Sufficiency {
    fn adjust(&self, _: &NodeMoves, terms: &mut Terms) {
        if terms.values.iter().any(|&value| value > self.threshold) {
            terms.bonuses.iter_mut().for_each(|bonus| *bonus = 0.0);
        }
    }
}
