//! Statistics of samples: repeated measurements, and scores with their 95 % intervals.
//!
//! All intervals of the project are computed here, so that they mean the same in `match`, in the
//! contests of the tools and in their experiments.

mod estimate;
mod spread;

pub use estimate::Estimate;
pub use spread::Spread;
