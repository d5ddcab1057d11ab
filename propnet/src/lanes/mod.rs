//! Program -> Lanes: the only part of an engine that changes while it plays.

mod batch;
mod code;
mod cohorts;
mod game;
mod generators;
mod goals;
mod harvest;
mod history;
mod job;
mod jobs;
mod lengths;
mod packed;
mod polynomial;
mod portable;
mod refill;
mod stepper;
mod totals;
mod transpose;
mod weigher;
mod width;
mod word;

pub use batch::Batch;
pub use code::{Backend, Code, Part};
pub use game::LanesGame;
pub use job::{Ending, FirstState, Job, JobError, Outcome};
pub use jobs::Jobs;
pub use portable::{Simulation, run};
pub use totals::{Phase, Playouts, Totals};
pub use width::{PerWidth, Setup, SetupError, Width};
pub use word::{Piece, Quad, Word};
