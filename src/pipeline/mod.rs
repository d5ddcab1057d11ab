//! The way from rules to something that plays: one module, one error, one cache.
//!
//! ```text
//! Rules -> GroundRules -> Circuit -> LaneProgram       make, lanes: each stage once
//! options, bounds   what is made, and what that may take
//! control           how the work is stopped, and how long a stage may take
//! error             why there is no game
//! stages            one sheet and what was made of it; threads share it
//! cache             sheets that are in use -> their stages
//! slot              a value that several threads need and one of them makes
//! engine            a name -> a game that answers
//! report/           what grounding and circuits take, in figures
//! ```
//!
//! The libraries read no clock; times are taken here, around each stage.

mod bounds;
mod cache;
mod control;
mod engine;
mod error;
mod lanes;
mod make;
mod options;
mod report;
mod slot;
mod stages;

pub use bounds::PipelineBounds;
pub use cache::Cache;
pub use control::{Control, Patience, PipelineStage};
pub use engine::{Engine, Made};
pub use error::{PipelineError, SheetOutcome};
pub use lanes::{Compile, LaneProgram};
pub use make::{circuit_of, circuit_within, ground_within, labelled_circuit};
pub use options::PipelineOptions;
pub use report::{
    CircuitReport, CircuitSummary, GroupFigures, Growth, HeavyRule, LoopFigures, MoveFigures,
    PassFigures, PassSeconds, Repeated, Seconds, SharpenFigures, SheetReport, Size, StageClock,
    StageFigures, StageSeconds, StatsFigures, Summary, group_figures, measure, no_peak, peak_bytes,
    survey, survey_repeated, survey_while,
};
pub use stages::Stages;
