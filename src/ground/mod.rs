//! Grounding with a clock: the library's grounder, which reads none, under bounds of time and
//! memory, and what it took as figures that can be printed.
//!
//! ```text
//! bounds   how long, how much     -> a grounding, or why there is none
//! clock    the watch that the grounder asks and tells
//! report   one sheet in figures   survey   a sheet -> its report   summary   reports, counted
//! ```

mod bounds;
mod clock;
mod failure;
mod memory;
mod report;
mod summary;
mod survey;

pub use bounds::{Bounds, ground_within};
pub use clock::{StageClock, StageFigures};
pub use failure::{Outcome, Ungrounded};
pub use memory::{no_peak, peak_bytes};
pub use report::{Growth, HeavyRule, Repeated, SharpenFigures, SheetReport, Size};
pub use summary::{Seconds, Summary};
pub use survey::{survey, survey_repeated};
