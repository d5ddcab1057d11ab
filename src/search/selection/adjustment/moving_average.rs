//! Moving averages: the value of a move follows news, instead of the mean of all its scores.
//!
//! Björnsson 2011 ("Simulation Search Control in General Game Playing"). In deterministic games values
//! change at once when a win is found, and a mean over many old scores follows slowly. So with n
//! scores each one moves the value by 1/n of the difference, but by no less than a constant step.

use super::{Adjustment, MakeAdjustment, NodeMoves, Terms};
use crate::search::scheme::{Parameter, Part};
use crate::search::tree::{BACKED_UP, ColumnSpec, MOVING};

/// The least step.
const STEP: Parameter = Parameter::number(
    "step_size",
    "the least share of the difference by which a score moves the value of a move",
    0.01,
    1e-6,
    1.0,
);

/// The part with this name.
pub(super) const PART: Part<MakeAdjustment> = Part {
    name: "moving_average",
    help: "the value of a much-visited move follows its latest scores",
    paper: "Björnsson 2011 (MA)",
    parameters: &[STEP],
    make: MakeAdjustment {
        kind: "averages",
        plays_most_visited: false,
        make: |values| Box::new(MovingAverage { step: values.get(&STEP) }),
    },
};

struct MovingAverage {
    step: f64,
}

impl Adjustment for MovingAverage {
    fn columns(&self) -> &'static [ColumnSpec] {
        &[MOVING, BACKED_UP]
    }

    fn adjust(&self, node: &NodeMoves, terms: &mut Terms) {
        let columns = &node.tree.columns;
        let (Some(values), Some(counts)) = (columns.get(MOVING), columns.get(BACKED_UP)) else {
            return;
        };
        for (at, place) in node.span.clone().enumerate() {
            // What is in flight looks like a loss, as it does in a mean.
            let backed_up = counts[place] / node.tree.moves[place].visits;
            if backed_up > 0.0 {
                terms.values[at] = values[place] * backed_up;
            }
        }
    }

    fn least_step(&self) -> Option<f64> {
        Some(self.step)
    }
}
