//! Circuits with a clock: grounding within bounds, building, and the passes asked for.

mod make;

pub use make::{circuit_of, circuit_within};
