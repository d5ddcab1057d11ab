//! A policy as it is now, to look at: how likely moves are, exactly and on lanes.

use propnet::game::{Move, Role, State};

use super::lane_values::LaneChoice;
use super::policy::Policy;
use super::value_source::Situation;

/// A copy of a policy, and of what lanes choose by.
pub struct PolicyView {
    policy: Policy,
    lanes: LaneChoice,
}

impl PolicyView {
    pub(crate) fn new(policy: Policy, lanes: LaneChoice) -> Self {
        PolicyView { policy, lanes }
    }

    /// How likely each of some moves of a role is in a state after joint moves, by the policy itself.
    pub fn exact(&self, role: Role, moves: &[Move], state: &State, made: &[Move]) -> Vec<f64> {
        self.policy.probabilities(role, moves, &Situation { state, made })
    }

    /// The same in lanes, whose values are rounded and look at fewer contexts.
    pub fn on_lanes(&self, role: Role, moves: &[Move], state: &State, made: &[Move]) -> Vec<f64> {
        self.lanes.chances(role, moves, &Situation { state, made })
    }

    /// The values of moves of a role.
    pub fn values(&self, role: Role, moves: &[Move], state: &State, made: &[Move]) -> Vec<f64> {
        self.policy.values(role, moves, &Situation { state, made })
    }
}
