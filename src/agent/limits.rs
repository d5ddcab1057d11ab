//! What a reference reasoner may take.

use propnet::reference::Limits;

/// What a reference reasoner may take for a match: each match has two of them, one that follows it
/// and one that searches. Of the sheets of the field the largest takes 100 MB.
pub(super) const LIMITS: Limits =
    Limits { facts: 20_000_000, bytes: 256 << 20, work: 5_000_000_000 };
