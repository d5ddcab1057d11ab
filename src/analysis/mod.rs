//! What the rules tell about a game: proven from its circuit where possible, else seen in random play.
//!
//! ```text
//! analysis    all of it, for people and scripts
//! proven      what no move changes, latches, parts, symmetries, lengths, turns, the sum of goals
//! observed    lengths, branching and goals of random games
//! cutoffs     when a search would cut its playouts, and why
//! ```
//!
//! The proofs are those of `propnet::circuit::plan`; symmetries are found in the ground rules.

#[expect(clippy::module_inception, reason = "the module's one value")]
mod analysis;
mod cutoffs;
mod observed;
mod proven;

pub use analysis::{AnalysisError, GameAnalysis, analyse};
pub use cutoffs::sample_cutoffs;
pub use observed::{Observed, ObservedChoices, ObservedLengths};
pub use proven::{
    FixedFluents, GamePart, LatchItem, PartsItem, Proven, RolePartGoals, SymmetriesItem,
};
