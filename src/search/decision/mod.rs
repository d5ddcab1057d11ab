//! Decision: which move is played at the root. One file for each rule.

mod confidence;
mod eq;
mod field;
mod mean;
mod random;
mod visited;

use std::cmp::Ordering;

use propnet::game::Role;

use super::scheme::{Part, Values};
use super::tree::{MoveMerit, MoveStats, Tree};
pub(crate) use field::Field;

/// All rules; the first is the default.
pub(crate) const DECISIONS: &[&Part<MakeDecision>] = &[
    &mean::PART,
    &visited::WELL_VISITED,
    &visited::MOST_VISITED,
    &confidence::PART,
    &eq::PART,
    &random::PART,
];

/// The rule of schemes whose visits say more than means.
pub(crate) const MOST_VISITED: &Part<MakeDecision> = &visited::MOST_VISITED;

/// Makes a rule from the values of its parameters.
pub(crate) type MakeDecision = fn(&Values) -> Box<dyn Decision>;

/// A rule by which a move is played.
pub(crate) trait Decision: Send + Sync {
    /// The move to be played sorts first; equal moves are equally good. `field` is what all of the
    /// role's moves have in common.
    fn compare(&self, a: &MoveStats, b: &MoveStats, field: &Field) -> Ordering;

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
