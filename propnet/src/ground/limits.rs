//! How far grounding may go, who may stop it, and what it says when it stops.

use crate::gdl::Place;

/// Limits on what the grounder may make. Reaching one is an ordinary error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Sentences that can ever be true, static relations included.
    pub facts: u64,
    /// Rule instances, before sharpening.
    pub rules: u64,
    /// Bytes held by facts, indexes and rule instances, as the grounder counts them.
    pub bytes: u64,
}

impl Default for Limits {
    /// Room for all but the most extreme sheets of the field on a machine with 4 GB to spare.
    fn default() -> Self {
        Limits { facts: 20_000_000, rules: 30_000_000, bytes: 3 << 30 }
    }
}

/// A stage of grounding, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Bodies flattened into joins on integers.
    Normalize,
    /// Bodies split so that they do not multiply out.
    Split,
    /// Relations that depend on neither state nor moves.
    Statics,
    /// What can ever be true, and the rule instances.
    Fixpoint,
    /// Instances made into ground rules.
    Emit,
    /// Everything known removed.
    Sharpen,
}

impl Stage {
    /// The stage's name, for people and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Normalize => "normalize",
            Stage::Split => "split",
            Stage::Statics => "statics",
            Stage::Fixpoint => "fixpoint",
            Stage::Emit => "emit",
            Stage::Sharpen => "sharpen",
        }
    }
}

/// Sizes at the end of a stage, as far as they are known then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageSizes {
    /// Rules with variables that are being worked on.
    pub rules: u64,
    /// Facts held.
    pub facts: u64,
    /// Ground rules or rule instances.
    pub ground_rules: u64,
    /// Body literals of these.
    pub literals: u64,
    /// Bytes held, as the grounder counts them.
    pub bytes: u64,
}

/// What the caller can do while grounding runs. The library itself reads no clock.
pub trait Watch {
    /// Asked inside joins, every few thousand rows; false stops the work.
    fn proceed(&mut self) -> bool {
        true
    }

    /// Told at the end of each stage.
    fn finished(&mut self, _stage: Stage, _sizes: StageSizes) {}
}

/// A watch that never stops anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWatch;

impl Watch for NoWatch {}

/// What was being worked on when grounding stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The relation the growing rule concludes.
    pub relation: String,
    /// Where the rule stands.
    pub place: Place,
    /// How many instances it had made.
    pub instances: u64,
}

impl std::fmt::Display for Growth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Growth { relation, place, instances } = self;
        write!(f, "{place}: the rule for {relation}, which had made {instances} instances by then")
    }
}

/// Why a sheet was not grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GroundError {
    /// A limit was reached.
    #[error("grounding needs more than the limit of {limit} {what}; {growth} grew most")]
    Limit {
        /// What was counted: facts, rules or bytes.
        what: &'static str,
        /// The limit.
        limit: u64,
        /// The rule that grew most.
        growth: Growth,
    },
    /// The caller's watch stopped the work.
    #[error("grounding was stopped; {growth} was growing most")]
    Stopped {
        /// The rule that had grown most.
        growth: Growth,
    },
    /// A rule builds ever larger terms.
    #[error("{place}: the rule for {relation} builds terms without end")]
    TermTooLarge {
        /// The relation the rule concludes.
        relation: String,
        /// Where the rule stands.
        place: Place,
    },
    /// A static sentence depends on its own negation; checking a sheet finds this beforehand.
    #[error("{place}: a sentence of {relation} depends on its own negation")]
    Unstratified {
        /// The relation.
        relation: String,
        /// Where a rule for it stands.
        place: Place,
    },
}
