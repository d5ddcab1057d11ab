//! Values of moves that depend on what is true in a lane: plain data.
//!
//! Policies by which the value of a move depends on the state or on the last moves are tables of
//! these: PAST (a fluent), FAST (the pieces on two cells), n-grams (moves made before).

use smallvec::SmallVec;

use crate::game::{ForeignError, Move, Role};
use crate::program::{CASE_BITS, EXPLORED_OF, HIGHEST_VALUE, Sampling};

/// The most conditions of a context.
pub(super) const MAX_CONDITIONS: usize = 3;

/// The most contexts of a move.
pub(super) const MAX_CONTEXTS: usize = 256;

/// The most steps that a condition can look back.
pub(super) const MAX_STEPS_AGO: usize = 2;

/// The most parts of a value.
pub(super) const MAX_PARTS: usize = 2;

/// The most different values of a move besides its base value. One number is for lanes in which the
/// move is illegal, one for the base value.
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

/// A value that a move has where some conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueInContext {
    /// All of these have to hold; at most three.
    pub conditions: SmallVec<[Condition; MAX_CONDITIONS]>,
    /// The value.
    pub value: u16,
}

/// The value of a move in all lanes: that of the first context whose conditions all hold, or else the
/// base value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextualValue {
    /// Where no context holds.
    pub base: u16,
    /// In the order in which they count.
    pub contexts: Vec<ValueInContext>,
}

impl ContextualValue {
    /// Makes it one that lanes can have: leaves out contexts that are too many, and rounds values as far
    /// as needed.
    pub fn fit(&mut self) {
        self.contexts.truncate(MAX_CONTEXTS);
        if self.cases() <= MAX_CASES {
            return;
        }
        let exact: Vec<u16> = self.contexts.iter().map(|context| context.value).collect();
        let (lowest, highest) = exact
            .iter()
            .fold((u16::MAX, 0), |(low, high), &value| (low.min(value), high.max(value)));
        let range = highest - lowest;
        let mut step = (range / MAX_CASES as u16).max(1);
        while self.cases() > MAX_CASES && step <= range {
            step += 1 + step / 8;
            for (context, value) in self.contexts.iter_mut().zip(&exact) {
                let steps = (value - lowest + step / 2) / step;
                context.value = (lowest + steps * step).min(highest);
            }
        }
        if self.cases() > MAX_CASES {
            self.contexts.truncate(MAX_CASES);
        }
    }

    /// How many different values follow each other.
    pub(super) fn cases(&self) -> usize {
        self.contexts.chunk_by(|one, other| one.value == other.value).count()
    }
}

/// The values of all moves, and how moves are chosen by them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueTable {
    /// How moves are chosen.
    pub sampling: Sampling,
    /// One part, or two whose values are added: by part, role and move.
    pub parts: Vec<Vec<Vec<ContextualValue>>>,
}

/// Why values in contexts are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// A move belongs to another engine.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
    /// The program has no weights.
    #[error("moves are given values, but the program was made without weights")]
    NoWeights,
    /// There is no value, or there are too many to be added.
    #[error("values have {count} parts; they must have 1 or {MAX_PARTS}")]
    Parts {
        /// How many.
        count: usize,
    },
    /// Roles or moves have no values, or there are values for more than there are.
    #[error("there are values for {found} moves of role {role}, which has {moves}")]
    Moves {
        /// The role.
        role: Role,
        /// Its moves.
        moves: usize,
        /// Those with values.
        found: usize,
    },
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
    /// A move has too many values.
    #[error(
        "a move has {count} different values one after the other; it can have at most {MAX_CASES} \
         besides its base value: keep the most important contexts, or round values"
    )]
    Cases {
        /// How many.
        count: usize,
    },
    /// A value is too high.
    #[error("a value of {value} is too high; the highest is {HIGHEST_VALUE}")]
    Value {
        /// The value.
        value: u16,
    },
    /// More choices are to be explored than there are.
    #[error("{explored} of {EXPLORED_OF} choices are to be explored: at most all can be")]
    Explored {
        /// How many.
        explored: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(values: impl Iterator<Item = u16>) -> ContextualValue {
        let context = |value| ValueInContext { conditions: SmallVec::new(), value };
        ContextualValue { base: 0, contexts: values.map(context).collect() }
    }

    #[test]
    fn values_are_rounded_until_they_are_few_enough() {
        let mut few = values((0..30).map(|at| 3 * at));
        let before = few.clone();
        few.fit();
        assert_eq!(few, before);
        let mut many = values((0..400).map(|at| 1000 - at));
        many.fit();
        assert_eq!(many.contexts.len(), MAX_CONTEXTS);
        assert!((10..=MAX_CASES).contains(&many.cases()), "{}", many.cases());
        let error = many.contexts.iter().zip(0..).map(|(one, at)| one.value.abs_diff(1000 - at));
        assert!(error.max() <= Some(8));
        let mut unsorted = values((0..100).map(|at| at % 2 * HIGHEST_VALUE));
        unsorted.fit();
        assert_eq!(unsorted.cases(), MAX_CASES);
    }
}
