//! What grounding and circuits take and give, in figures that can be printed.
//!
//! ```text
//! clock     what each stage of a grounding took       memory    what the process has held
//! survey    a sheet -> the report of its grounding    measure   a sheet -> that of its circuit
//! sheet     grounding in figures                      circuit, figures   a circuit in figures
//! summary   reports of groundings, counted            circuit_summary    those of circuits
//! ```

mod circuit;
mod circuit_summary;
mod clock;
mod figures;
mod measure;
mod memory;
mod sheet;
mod summary;
mod survey;

pub use circuit::{CircuitReport, PassFigures, StageSeconds};
pub use circuit_summary::{CircuitSummary, PassSeconds};
pub use clock::{StageClock, StageFigures};
pub use figures::{GroupFigures, LoopFigures, MoveFigures, StatsFigures, group_figures};
pub use measure::measure;
pub use memory::{no_peak, peak_bytes};
pub use sheet::{Growth, HeavyRule, Repeated, SharpenFigures, SheetReport, Size};
pub use summary::{Seconds, Summary};
pub use survey::{survey, survey_repeated, survey_while};
