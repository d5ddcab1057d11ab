//! Playout policies: which legal moves playouts prefer, and what is learned for it. One file for each.
//!
//! ```text
//! policy     values of several parts, and the choice by them     value_source  what such a part is
//! lessons    what is learned from                               lane_values   values for lanes
//! sampling   Gibbs or epsilon-greedy                            gibbs         whole weights
//! averages   mean scores by role and move                       policy_view   chances to look at
//! mast       moves that did well on average          to_mast  the same, of moves in the tree alone
//! past       moves by what was true                  nst      moves by the moves before
//! fast       moves by the values of pieces and cells
//! ```
//!
//! Without a policy playouts choose at random, and nothing is learned.

mod averages;
mod fast;
mod gibbs;
mod lane_values;
mod lessons;
mod mast;
mod nst;
mod past;
#[expect(clippy::module_inception, reason = "the module's main type")]
mod policy;
mod policy_view;
mod sampling;
mod to_mast;
mod value_source;

use super::scheme::{Parameter, Part};

#[cfg(test)]
pub(crate) use averages::MoveAverages;
pub(crate) use gibbs::effective_number;
pub use gibbs::{quantise, sampling_distance};
pub(crate) use lane_values::LaneChoice;
pub(crate) use lessons::{CreditedLine, Finished, MetTerms, SeenState};
#[cfg(test)]
pub(crate) use mast::Mast;
pub(crate) use policy::Policy;
pub use policy_view::PolicyView;
pub(crate) use sampling::{EPSILON, SAMPLING};
pub(crate) use value_source::{MakeValues, Situation};

/// All policies.
pub(crate) const POLICIES: &[&Part<MakeValues>] =
    &[&mast::PART, &to_mast::PART, &past::PART, &nst::PART, &fast::PART];

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

/// Settings of all policies.
pub(crate) const LEARNING: &[Parameter] =
    &[SAMPLING, EPSILON, WEIGHT_BITS, CREDIT_FIRST, CREDIT_ONE_OF];
