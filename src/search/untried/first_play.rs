//! First-play urgency: an untried move counts as one with a fixed value, or one relative to its node.
//!
//! Gelly and Wang 2006, "Exploration exploitation in Go: UCT for Monte-Carlo Go".

use super::{MakeUntried, Untried};
use crate::search::scheme::{Parameter, Part};
use crate::search::selection::NodeMoves;

/// The fixed value.
const VALUE: Parameter =
    Parameter::number("fpu_value", "the bound that an untried move counts as", 75.0, -1e6, 1e6);

/// How much less than the mean of the node.
const REDUCTION: Parameter = Parameter::number(
    "fpu_reduction",
    "an untried move counts as the mean of its node, less this",
    0.0,
    -1e6,
    1e6,
);

/// With a fixed value.
pub(super) const CONSTANT: Part<MakeUntried> = Part {
    name: "fpu",
    help: "an untried move counts as one with a fixed bound",
    paper: "Gelly and Wang 2006 (first-play urgency)",
    parameters: &[VALUE],
    make: |values| Box::new(Constant { value: values.get(&VALUE) }),
};

/// Relative to the node.
pub(super) const RELATIVE: Part<MakeUntried> = Part {
    name: "fpu_parent",
    help: "an untried move counts as the mean of its node, less a reduction",
    paper: "Gelly and Wang 2006 (first-play urgency)",
    parameters: &[REDUCTION],
    make: |values| Box::new(Relative { reduction: values.get(&REDUCTION) }),
};

struct Constant {
    value: f64,
}

impl Untried for Constant {
    fn urgency(&self, _: &NodeMoves, _: usize) -> f64 {
        self.value
    }
}

struct Relative {
    reduction: f64,
}

impl Untried for Relative {
    fn urgency(&self, node: &NodeMoves, _: usize) -> f64 {
        let sums = node.moves().iter().fold((0.0, 0.0), |(total, visits), entry| {
            (total + entry.total, visits + entry.visits)
        });
        sums.0 / sums.1 - self.reduction
    }
}
