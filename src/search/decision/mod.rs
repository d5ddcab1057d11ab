//! Decision: which move is played at the root. One file for each rule.

mod eq;
mod mean;
mod random;
mod visits;

use std::cmp::Ordering;

use propnet::game::Role;

use super::scheme::{Part, Values};
use super::tree::{MoveMerit, MoveStats, Tree};

/// All rules; the first is the default.
pub(crate) const DECISIONS: &[&Part<MakeDecision>] =
    &[&mean::PART, &visits::PART, &eq::PART, &random::PART];

/// The rule of schemes whose visits say more than means.
pub(crate) const MOST_VISITED: &Part<MakeDecision> = &visits::PART;

/// Makes a rule from the values of its parameters.
pub(crate) type MakeDecision = fn(&Values) -> Box<dyn Decision>;

/// A rule by which a move is played.
pub(crate) trait Decision: Send + Sync {
    /// The move to be played sorts first; equal moves are equally good.
    fn compare(&self, a: &MoveStats, b: &MoveStats) -> Ordering;

    /// What else it knows about a role's moves at the root of a tree, in their order; none where their
    /// statistics are enough.
    fn merits(&self, _tree: &Tree, _role: Role) -> Option<Vec<MoveMerit>> {
        None
    }

    /// Whether it decides by what a search finds.
    fn needs_search(&self) -> bool {
        true
    }
}
