//! Circuits with a clock: grounding within bounds, building, the passes asked for, and what it all
//! took as figures that can be printed.
//!
//! ```text
//! make      rules -> a circuit, or why there is none
//! measure   a sheet -> a circuit and its report, with times
//! report    one sheet in figures   figures   its circuit in figures   summary   reports, counted
//! ```

mod figures;
mod make;
mod measure;
mod report;
mod summary;

pub use figures::{GroupFigures, LoopFigures, MoveFigures, StatsFigures, group_figures};
pub use make::{circuit_in_time, circuit_of, circuit_within, labelled_circuit_in_time};
pub use measure::measure;
pub use report::{CircuitReport, PassFigures, StageSeconds};
pub use summary::{CircuitSummary, PassSeconds};
