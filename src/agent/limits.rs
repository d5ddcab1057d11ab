//! What a reference reasoner may take.

use propnet::reference::ReasonerLimits;

/// What a reference reasoner may take for a match: each match has two of them, one that follows it
/// and one that searches. Of the sheets of the field the largest takes 100 MB.
pub(super) const LIMITS: ReasonerLimits =
    ReasonerLimits { facts: 20_000_000, bytes: 256 << 20, work: 5_000_000_000 };
