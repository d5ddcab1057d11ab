//! The limits of a reference reasoner.

use propnet::reference::ReasonerLimits;

/// The limits of a reference reasoner in a match. Each match has two reasoners: one follows the
/// match and one searches. The largest known sheet takes 100 MB.
pub(super) const LIMITS: ReasonerLimits =
    ReasonerLimits { facts: 20_000_000, bytes: 256 << 20, work: 5_000_000_000 };
