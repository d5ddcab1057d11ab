//! Weights that depend on what is true in a lane: plain data.
//!
//! Policies whose weight of a move depends on the state or on the last moves are tables of these:
//! PAST (a fluent), FAST (the pieces on two cells), n-grams (moves made before).

use smallvec::SmallVec;

use crate::game::{ForeignError, Move, Role};
use crate::program::CASE_BITS;

/// The most conditions of a context.
pub(super) const MAX_CONDITIONS: usize = 3;

/// The most contexts of a move.
pub(super) const MAX_CONTEXTS: usize = 256;

/// The most steps that a condition can look back.
pub(super) const MAX_STEPS_AGO: usize = 2;

/// The most different weights of a move besides its base weight. One number is for lanes in which the
/// move is illegal, one for the base weight.
pub(super) const MAX_CASES: usize = (1 << CASE_BITS) - 2;

/// What may hold in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// This fluent is true in the current state.
    Fluent(usize),
    /// A role made this move in the same playout.
    Made {
        /// The role.
        role: Role,
        /// Its move.
        chosen: Move,
        /// How many steps ago: 1 or 2.
        steps_ago: usize,
    },
}

/// A weight that a move has where some conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightInContext {
    /// All of these have to hold; at most three.
    pub conditions: SmallVec<[Condition; MAX_CONDITIONS]>,
    /// The weight.
    pub weight: u32,
}

/// Why weights in contexts are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// A move belongs to another engine.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
    /// The program has no weights.
    #[error("a move is given weights, but the program was made without weights")]
    NoWeights,
    /// There is no such move.
    #[error("role {role} has no move with the number {number}")]
    NoMove {
        /// The role.
        role: Role,
        /// The number of the move.
        number: usize,
    },
    /// There is no such fluent.
    #[error("there is no fluent with the number {fluent}")]
    NoFluent {
        /// The number.
        fluent: usize,
    },
    /// The fluent is not part of the states of playouts.
    #[error(
        "fluent {fluent} is not known in playouts, since no move and no goal depends on it: \
         leave its contexts out (see `Program::is_in_playouts`)"
    )]
    NotInPlayouts {
        /// The number.
        fluent: usize,
    },
    /// A condition looks too far back.
    #[error("a condition is about a move {steps_ago} steps ago; it must be 1 or {MAX_STEPS_AGO}")]
    StepsAgo {
        /// The steps.
        steps_ago: usize,
    },
    /// A condition is about moves made.
    #[error(
        "a condition is about a move made before, but the program was made without a record of moves"
    )]
    NotRecorded,
    /// A context has too many conditions.
    #[error("a context has {count} conditions; it can have at most {MAX_CONDITIONS}")]
    Conditions {
        /// How many.
        count: usize,
    },
    /// A move has too many contexts.
    #[error(
        "a move has {count} contexts; it can have at most {MAX_CONTEXTS}: keep the most \
         important ones"
    )]
    Contexts {
        /// How many.
        count: usize,
    },
    /// A move has too many weights.
    #[error(
        "a move has {count} different weights one after the other; it can have at most {MAX_CASES} \
         besides its base weight: keep the most important contexts, or round weights"
    )]
    Cases {
        /// How many.
        count: usize,
    },
    /// A weight is too high.
    #[error("a weight of {weight} does not fit the {bits} bits that the program has for weights")]
    Weight {
        /// The weight.
        weight: u32,
        /// The bits.
        bits: usize,
    },
}
