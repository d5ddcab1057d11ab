//! The slow, obvious reasoner: judge in tests, fallback in play.
//!
//! It plays a sheet straight from its first-order rules, bottom-up, and shares nothing with the
//! compiled engine but the parser, so that the two can judge each other.

mod choice;
mod clause;
mod facts;
mod fixpoint;
mod instances;
mod join;
mod known;
mod load;
mod model;
mod never;
mod order;
mod plan;
mod reasoner;
mod relaxed;
mod strata;
mod stratified;
mod trial;
mod watch;

pub use join::ReasonerLimits;
pub use load::{ReadError, examine, examine_watched, load, load_watched};
pub use reasoner::Reasoner;
pub use watch::WorkWatch;
