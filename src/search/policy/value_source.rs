//! A part of a policy: values of moves, and how they are learned.

use propnet::game::{Move, Role, State};
use propnet::lanes::Condition;
use smallvec::SmallVec;

use super::lessons::{CreditedLine, FindNames, Finished, SeenState};
use crate::search::scheme::{Parameter, Values};

/// How a part of a policy is made.
pub(crate) struct MakeValues {
    /// The question that it answers. A policy has one part for each, and adds their values.
    pub(crate) kind: &'static str,
    /// The temperature of Gibbs sampling by its values.
    pub(crate) tau: Parameter,
    /// What its values are multiplied with where they are added to those of another part.
    pub(crate) weight: Option<Parameter>,
    /// Makes it from the values of its parameters and the number of moves of each role, as far as they
    /// are known.
    pub(crate) make: fn(&Values, &[usize]) -> Box<dyn ValueSource>,
}

/// Where a move is chosen.
#[derive(Clone, Copy)]
pub(crate) struct Situation<'s> {
    /// The state.
    pub(crate) state: &'s State,
    /// The joint moves before, as far as they are known, each a move of every role; the last one last.
    pub(crate) made: &'s [Move],
}

impl Situation<'_> {
    /// The move that a role made some steps ago, in a game with so many roles.
    pub(crate) fn made_before(&self, role: Role, steps: usize, roles: usize) -> Option<Move> {
        let start = self.made.len().checked_sub(steps * roles)?;
        self.made.get(start + role).copied()
    }
}

/// The value of a move by what is true in a lane: that of the first context that holds, or else the base
/// value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LaneValue {
    pub(crate) base: f64,
    pub(crate) contexts: Vec<(Conditions, f64)>,
}

/// What has to hold.
pub(crate) type Conditions = SmallVec<[Condition; 3]>;

/// Values of moves, and what they are learned from.
pub(crate) trait ValueSource: Send + Sync {
    /// Whether it learns from the moves of playouts.
    fn reads_playouts(&self) -> bool {
        false
    }

    /// Whether it learns from the moves in the tree of every simulation.
    fn reads_tree(&self) -> bool {
        false
    }

    /// Whether it learns from the states of simulations.
    fn reads_states(&self) -> bool {
        false
    }

    /// Whether its values depend on the moves made before, which lanes then have to record.
    fn looks_back(&self) -> bool {
        false
    }

    /// Learns from a finished simulation: of a sample where it reads playouts, of all where it reads the
    /// tree alone.
    fn learn(&mut self, _: &Finished) {}

    /// Sees a state of a simulation that it learns from.
    fn see(&mut self, _: &SeenState) {}

    /// Has seen all states of some simulations.
    fn end_lines(&mut self, _: &[CreditedLine], _: &mut FindNames) {}

    /// The values of moves of a role.
    fn values(&self, role: Role, moves: &[Move], at: &Situation) -> Vec<f64>;

    /// The values of all `count` moves of a role by what may be true in a lane.
    fn lane_values(&self, role: Role, count: usize) -> Vec<LaneValue>;

    /// The mean of each move of a role where values are means that depend on nothing else, with none for
    /// moves never seen, and what these count as.
    fn means(&self, _: Role) -> Option<(Vec<Option<f64>>, f64)> {
        None
    }

    /// A copy of it as it is now.
    fn copy(&self) -> Box<dyn ValueSource>;
}
